// SPDX-License-Identifier: Apache-2.0
// rs_ring_proof: rs_ring between a host, registers that answer as rs_regs_axi, a memory and a sequencer, each at any times, from reset on.
// Assumed: the host has one access at a time, of which valids wait unchanged (with Together a read beside a write). It writes base and size and sets enable only while
//          the ring is neither enabled nor busy, moves tail forward by what has room, and starts no program while it is enabled or busy. A start is
//          taken with the answer to its write, if at all, and not while a program runs, nor after stop_i until the host enables the ring again, for that
//          long the wipe goes on; a program runs from it to done_i. calm_i is no more than that none runs. Memory answers what was asked, and holds descriptor number_i, of any number, when that is read.
// Proved:  reads are of the line of descriptor head, in the ring, while no program runs; what is written to the registers is that descriptor, whole and
//          in order, and a start comes last; descriptors start in order, each once, and head counts those that ended at END; head does not pass
//          tail, tail is no lap ahead; every failure ends in error, which stops the ring and stays until enable is cleared; a descriptor whose reserved bits are
//          not zero is such a failure, and so is one that has begun when stop_i comes: after it nothing more is written, and enable is 0 until the host sets it; the interrupt stays until
//          it is cleared, and one that comes while it is cleared is kept; each access of the host is taken once, by the one that it is for, and answered once; no valid is withdrawn.
module rs_ring_proof #(
    parameter  int unsigned BusBits   = 256,
    parameter  bit          Together  = 1'b0,
    localparam int unsigned LineBeats = 512 / BusBits
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_axi_pkg::lite_req_t host_i,
    input logic stall_i,  // the registers take nothing
    input logic [1:0] answer_i,  // the answer of the registers
    input logic [31:0] read_i,
    input logic takes_i,  // a start is taken
    input logic calm_i,
    input logic stop_i,
    input logic done_i,
    input logic [3:0] cause_i,
    input logic units_rst_ni,
    input rs_axi_pkg::read_rsp_t memory_i,
    input logic [BusBits-1:0] rdata_i,
    input logic [15:0] number_i,  // the number of a descriptor
    input logic [511:0] descriptor_i
);
  import rs_ring_pkg::*;
  localparam logic [11:0] Control = 12'h040, LogN = 12'h048, Pointer = 12'h080;  // regs.rdl
  localparam logic [2:0] StIdle = 3'd0, StAsk = 3'd1, StRead = 3'd2, StPort = 3'd3, StWrite = 3'd4, StAnswer = 3'd5, StRun = 3'd6;

  rs_axi_pkg::lite_rsp_t s_axil_o, m_axil_i;
  rs_axi_pkg::lite_req_t m_axil_o;
  rs_axi_pkg::read_req_t read_o;
  logic reading_o, enabled_o, irq_o, start_i;
  logic [15:0] first_o;

  rs_ring #(
      .BusBits(BusBits)
  ) u_dut (
      .*,
      .s_axil_i(host_i),
      .read_i  (memory_i)
  );

  // ---- the registers, as rs_regs_axi ---------------------------------------------------------------------------------------
  logic write_q, read_q, bvalid_q, rvalid_q, wrote_q, begins_q, free, writes, reads;
  logic [ 1:0] resp_q;
  logic [31:0] rdata_q;
  logic [11:0] at_q;  // what was taken is done in the next cycle, whatever is at the port then
  logic [31:0] data_q;
  logic [ 3:0] strb_q;
  assign free = !write_q && !read_q && !bvalid_q && !rvalid_q && !stall_i;
  assign writes = m_axil_o.aw_valid && m_axil_o.w_valid && !(m_axil_o.ar_valid && wrote_q);
  assign reads = m_axil_o.ar_valid && !writes;
  assign start_i = begins_q && bvalid_q && takes_i;
  assign m_axil_i = '{
          aw_ready: write_q,
          w_ready: write_q,
          b_valid: bvalid_q,
          b_resp: resp_q,
          ar_ready: read_q,
          r_valid: rvalid_q,
          r_data: rdata_q,
          r_resp: resp_q
      };

  // ---- what the proof knows of the past -------------------------------------------------------------------------------------
  logic reset_q = 1'b0;
  logic running_q;  // a program
  logic writing_q, asking_q;  // accesses of the host: taken, not answered
  logic flight_q, wrong_q;
  logic [  2:0] beat_q;  // state of memory: asked, not answered; beats of the answer; one of them was wrong
  logic [ 15:0] started_q;  // descriptors that were started since enable was set
  logic [  4:0] written_q;  // writes of the ring since it read
  logic [ 15:0] number_q;
  logic [511:0] descriptor_q;
  logic failed_q, ended_q, reached_q, error_q, enable_q, disable_q, clear_q, irq_q, reset_qq;  // values of the cycle before
  logic [15:0] head_q;
  logic [1:0] stop_q;  // stop_i has come, and enable was not set since; for longer than a cycle
  logic [2:0] state_q;
  rs_axi_pkg::lite_req_t host_q;
  rs_axi_pkg::lite_rsp_t answer_q;

  logic [2:0] state;
  logic [15:0] head, tail;
  logic [16:0] ahead, room;
  logic idle, own_aw, own_ar, host_writes, host_control, host_tail, sets, this_one;
  assign state = u_dut.state_q;
  assign {head, tail} = {u_dut.head_q, u_dut.tail_q};
  assign ahead = 17'(16'(tail - head));
  assign room = 17'd1 << u_dut.size_q;
  assign idle = state == StIdle;
  assign own_aw = host_i.aw_addr[11:10] == 2'd1;
  assign own_ar = host_i.ar_addr[11:10] == 2'd1;
  assign host_writes = host_i.aw_valid && host_i.w_valid;
  assign host_control = host_writes && host_i.aw_addr == RingControl[11:0];
  assign host_tail = host_writes && host_i.aw_addr == RingTail[11:0];
  assign sets = host_i.w_data[RingControlEnableBit];
  assign this_one = head == number_i;

  // low bits of pointers 0, 3 and 4 to 7
  function automatic logic reserved(input logic [511:0] line);
    reserved = line[5] || line[197:196] != '0;
    for (int unsigned i = 4; i < 8; i++) reserved |= line[64*i+:6] != '0;
  endfunction

  logic arrived;
  assign arrived = memory_i.r_valid && read_o.r_ready && memory_i.r_last;
  logic ring_owns, takes, control_taken, fails, ends;
  assign ring_owns = state == StWrite || state == StAnswer;
  assign takes = write_q;
  assign control_taken = host_control && s_axil_o.aw_ready && host_i.w_strb == '1;
  assign fails = (reading_o && !units_rst_ni) ||
      (state == StRead && memory_i.r_valid && memory_i.r_last && (wrong_q || memory_i.r_resp != '0)) ||
      (state == StPort && (u_dut.stopped_q || reserved(
      u_dut.line_q
  ))) || (state == StAnswer && bvalid_q && (resp_q != '0 || (written_q == 5'd18 && !start_i))) ||
      (state == StRun && done_i && cause_i != '0);
  assign ends = state == StRun && done_i && cause_i == '0;

  // ---- assumptions ----------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    number_q <= number_i;
    descriptor_q <= descriptor_i;
    host_q <= host_i;
    answer_q <= s_axil_o;
    reset_qq <= rst_ni;
    if (reset_q) begin
      assume (number_i == number_q && descriptor_i == descriptor_q);
      if (reset_qq && host_q.aw_valid && !answer_q.aw_ready) assume (host_i.aw_valid && host_i.aw_addr == host_q.aw_addr);
      if (reset_qq && host_q.w_valid && !answer_q.w_ready) begin
        assume (host_i.w_valid && host_i.w_data == host_q.w_data && host_i.w_strb == host_q.w_strb);
      end
      if (reset_qq && host_q.ar_valid && !answer_q.ar_ready) assume (host_i.ar_valid && host_i.ar_addr == host_q.ar_addr);
    end
    if (!rst_ni) assume (!host_i.aw_valid && !host_i.w_valid && !host_i.ar_valid);
    if (host_i.aw_valid || host_i.w_valid) assume (!writing_q);
    if (host_i.ar_valid) assume (!asking_q);
    if (!Together) assume (!((host_i.aw_valid || host_i.w_valid || writing_q) && (host_i.ar_valid || asking_q)));
    // what the host may do when
    if (host_writes && (enabled_o || !idle)) begin
      assume (host_i.aw_addr != RingBaseLo[11:0] && host_i.aw_addr != RingBaseHi[11:0] && host_i.aw_addr != RingSize[11:0]);
      assume (!(host_i.aw_addr[11:2] == Control[11:2] && host_i.w_data[0]));
      if (host_control && !enabled_o) assume (!sets);
      if (host_tail) assume (17'(16'(host_i.w_data[15:0] - head)) <= room && 17'(16'(host_i.w_data[15:0] - head)) >= ahead);
    end
    // programs
    if (calm_i) assume (!running_q);
    if (start_i) assume (!running_q && resp_q == '0 && !stop_i && !stop_q[0]);
    if (done_i) assume (running_q);
    // memory
    if (memory_i.r_valid) assume (flight_q && memory_i.r_last == (32'(beat_q) == LineBeats - 1));
    if (memory_i.r_valid && this_one) assume (rdata_i == descriptor_i[BusBits*(32'(beat_q)%LineBeats)+:BusBits]);

    // ---- what happens -------------------------------------------------------------------------------------------------------
    if (!rst_ni) begin
      {write_q, read_q, bvalid_q, rvalid_q, wrote_q, begins_q} <= '0;
      {running_q, writing_q, asking_q, flight_q, beat_q} <= '0;
      started_q <= '0;
      written_q <= '0;
    end else begin
      write_q  <= free && writes;
      read_q   <= free && reads;
      bvalid_q <= write_q || (bvalid_q && !m_axil_o.b_ready);
      rvalid_q <= read_q || (rvalid_q && !m_axil_o.r_ready);
      if (write_q || read_q) wrote_q <= write_q;
      begins_q  <= write_q && at_q[11:2] == Control[11:2] && data_q[0];
      running_q <= start_i || (running_q && !done_i);
      writing_q <= (host_i.aw_valid && s_axil_o.aw_ready) || (writing_q && !(s_axil_o.b_valid && host_i.b_ready));
      asking_q  <= (host_i.ar_valid && s_axil_o.ar_ready) || (asking_q && !(s_axil_o.r_valid && host_i.r_ready));
      flight_q  <= units_rst_ni && ((read_o.ar_valid && memory_i.ar_ready) || (flight_q && !arrived));
      if (read_o.ar_valid) beat_q <= '0;
      else if (memory_i.r_valid && read_o.r_ready) beat_q <= beat_q + 3'd1;
      if (control_taken && sets && !enabled_o) started_q <= '0;
      else if (start_i && ring_owns) started_q <= started_q + 16'd1;
      if (reading_o) written_q <= '0;
      else if (ring_owns && takes) written_q <= written_q + 5'd1;
    end
    if (read_o.ar_valid) wrong_q <= 1'b0;
    else if (memory_i.r_valid && memory_i.r_resp != '0) wrong_q <= 1'b1;
    if (free) {at_q, data_q, strb_q} <= {writes ? m_axil_o.aw_addr : m_axil_o.ar_addr, m_axil_o.w_data, m_axil_o.w_strb};
    if (write_q || read_q) {resp_q, rdata_q} <= {answer_i, read_i};
    stop_q <= rst_ni && !(control_taken && sets && !stop_i) ? {stop_q[0], stop_i || stop_q[0]} : '0;
    state_q <= state;
    failed_q <= rst_ni && fails;
    ended_q <= rst_ni && ends;
    head_q <= rst_ni ? head : '0;
    enable_q <= rst_ni && control_taken && sets && !enabled_o;
    reached_q <= rst_ni && (fails || (ends && 16'(head + 16'd1) == tail));
    {error_q, irq_q} <= {2{rst_ni}} & {u_dut.error_q, u_dut.irq_q};
    disable_q <= rst_ni && control_taken && !sets;
    clear_q <= rst_ni && control_taken && host_i.w_data[RingControlIrqBit];

    // ---- assertions ---------------------------------------------------------------------------------------------------------
    if (reset_q) begin
      // reads
      assert (reading_o == (state == StAsk || state == StRead));
      if (reading_o) assert (!running_q);
      if (read_o.ar_valid) begin
        assert (reading_o && !flight_q && read_o.ar.len == 8'(LineBeats - 1));
        assert (read_o.ar.addr == {u_dut.base_hi_q, u_dut.base_lo_q} + {42'd0, head & 16'(room - 17'd1), 6'd0});
        assert (read_o.ar.addr[5:0] == '0);
      end
      if (memory_i.r_valid) assert (read_o.r_ready);
      // the registers get this descriptor, whole and in order
      if (ring_owns && takes) begin
        assert (strb_q == '1);
        if (written_q < 5'd16)
          assert (at_q == Pointer + {5'd0, written_q, 2'b00});
          else assert (at_q == (written_q == 5'd16 ? LogN : Control));
        if (this_one) begin
          if (written_q < 5'd16) begin
            assert (data_q[31:6] == descriptor_i[32*32'(written_q[3:0])+6+:26]);
            assert (data_q[5:0] == (written_q[0] ? descriptor_i[32*32'(written_q[3:0])+:6] : 6'd0));
          end
          if (written_q == 5'd16) assert (data_q == 32'(descriptor_i[4:0]));
        end
        if (written_q == 5'd17) assert (data_q == 32'd1);
        assert (!running_q && written_q < 5'd18);
      end
      // each is started once, in order; what starts is at its first instruction
      if (start_i && ring_owns) assert (started_q == head && written_q == 5'd18 && head != tail);
      if (start_i && !ring_owns) assert (first_o == '0);
      if (this_one && (state == StRun || (start_i && ring_owns)))
        assert (first_o == {descriptor_i[192+:4], descriptor_i[128+:6], descriptor_i[64+:6]});
      if ((enabled_o && !u_dut.error_q) || !idle) assert (started_q == (state == StRun ? 16'(head + 16'd1) : head));
      // head and tail
      assert (head == (enable_q ? 16'd0 : 16'(head_q + 16'(ended_q))));
      if (enabled_o || !idle) assert (ahead <= room);
      if (!idle) assert (ahead != '0);
      // a stop
      if (stop_q[0]) assert (!enabled_o && (idle || u_dut.stopped_q || state == StRun));
      if (stop_q[1] && state_q != StWrite) assert (state != StWrite);
      if (ring_owns && this_one) assert (!reserved(descriptor_i));
      // failures
      if (failed_q && !disable_q) assert (u_dut.error_q);
      if (error_q && !disable_q) assert (u_dut.error_q);
      if (!error_q && u_dut.error_q) assert (failed_q);
      if (u_dut.error_q) assert (idle && !read_o.ar_valid);
      if (reached_q) assert (u_dut.irq_q);
      if (irq_q && !clear_q) assert (u_dut.irq_q);
      if (!irq_q && u_dut.irq_q) assert (reached_q);
      // the host's accesses: once each, and their answers
      assert ((!ring_owns && takes) == (host_i.aw_valid && s_axil_o.aw_ready && !own_aw));
      assert (read_q == (host_i.ar_valid && s_axil_o.ar_ready && !own_ar));
      if (host_i.aw_valid && s_axil_o.aw_ready) assert (host_i.w_valid && s_axil_o.w_ready);
      if (s_axil_o.w_ready) assert (s_axil_o.aw_ready);
      if (!ring_owns && takes) assert (at_q == host_i.aw_addr && data_q == host_i.w_data && strb_q == host_i.w_strb);
      if (s_axil_o.b_valid) assert (writing_q);
      if (s_axil_o.r_valid) assert (asking_q);
      if (bvalid_q && !ring_owns) assert (s_axil_o.b_valid);
      if (rvalid_q) assert (s_axil_o.r_valid);

      // what makes the above inductive
      assert (state != 3'd7);
      if (state inside {StAsk, StRead, StPort, StWrite, StAnswer}) assert (!running_q);
      if (state == StRun) assert (running_q);
      assert (flight_q == (state == StRead));
      if (flight_q) assert (32'(u_dut.beat_q) == 32'(beat_q) && 32'(beat_q) < LineBeats && u_dut.bad_q == wrong_q);
      for (int unsigned i = 0; i < LineBeats; i++) begin
        if (flight_q && i < 32'(beat_q) && this_one) assert (u_dut.line_q[BusBits*i+:BusBits] == descriptor_i[BusBits*i+:BusBits]);
      end
      if (state inside {StPort, StWrite, StAnswer, StRun} && this_one) assert (u_dut.line_q == descriptor_i);
      if (state inside {StPort, StWrite, StAnswer})
        assert (u_dut.write_q == written_q - 5'(state == StAnswer) && u_dut.write_q < 5'd18);
      if (state == StPort || state == StWrite || state == StAnswer) assert (!u_dut.started_q);
      if (u_dut.claim_q) assert (state == StPort);
      assert (2'(write_q) + 2'(read_q) + 2'(bvalid_q) + 2'(rvalid_q) <= 2'd1);
      if (state == StAnswer) assert (bvalid_q);
      if (state == StWrite) assert (!bvalid_q && !rvalid_q && !read_q && !u_dut.aw_q && !u_dut.w_q && !u_dut.pending_q);
      if (ring_owns) assert (!u_dut.pending_q && !writing_q || u_dut.bvalid_q);
      if (!ring_owns && !u_dut.pending_q) assert (!write_q && !read_q && !bvalid_q && !rvalid_q);
      if (!ring_owns && u_dut.pending_q && !write_q && !read_q && !bvalid_q && !rvalid_q)
        assert ((host_writes && !own_aw) || (host_i.ar_valid && !own_ar));
      assert (writing_q == (u_dut.bvalid_q || (!ring_owns && bvalid_q)));
      assert (asking_q == (u_dut.rvalid_q || rvalid_q));
      assert (!(u_dut.bvalid_q && u_dut.rvalid_q));
      if (u_dut.bvalid_q || u_dut.rvalid_q) assert (!u_dut.pending_q);
      if (write_q)
        assert (m_axil_o.aw_valid && m_axil_o.w_valid &&
                {m_axil_o.aw_addr, m_axil_o.w_data, m_axil_o.w_strb} == {at_q, data_q, strb_q});
      if (read_q) assert (m_axil_o.ar_valid && m_axil_o.ar_addr == at_q && !ring_owns);
      if (begins_q) assert (bvalid_q && (ring_owns ? written_q == 5'd18 : !enabled_o && idle));
      if (state == StAnswer && written_q == 5'd18) assert (begins_q);
      if (enabled_o && !u_dut.error_q && idle) assert (started_q == head);
    end
  end

  rs_handshake #(
      .Width(64)
  ) u_ar (
      .clk_i,
      .stop_i (!rst_ni || !units_rst_ni),
      .valid_i(read_o.ar_valid),
      .ready_i(memory_i.ar_ready),
      .data_i (read_o.ar.addr)
  );
  rs_handshake #(
      .Width(48)
  ) u_write (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(m_axil_o.aw_valid && m_axil_o.w_valid),
      .ready_i(write_q),
      .data_i ({m_axil_o.aw_addr, m_axil_o.w_data, m_axil_o.w_strb})
  );
  rs_handshake #(
      .Width(12)
  ) u_read (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(m_axil_o.ar_valid),
      .ready_i(read_q),
      .data_i (m_axil_o.ar_addr)
  );
  rs_handshake #(
      .Width(2)
  ) u_b (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(s_axil_o.b_valid),
      .ready_i(host_i.b_ready),
      .data_i (s_axil_o.b_resp)
  );
  rs_handshake #(
      .Width(34)
  ) u_r (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(s_axil_o.r_valid),
      .ready_i(host_i.r_ready),
      .data_i ({s_axil_o.r_data, s_axil_o.r_resp})
  );
endmodule
