// SPDX-License-Identifier: Apache-2.0
// rs_ring: a ring of descriptors in memory: the programs that they are for run one after the other, without the host.
// Model:   docs/core.md, "Ring of descriptors"
// Params:  BusBits
// Bounds:  stands between the port of the registers and rs_regs_axi. While enabled, the host starts no program. Reads memory only while no program
//          runs (calm_i), so that LOAD has the port of memory at all other times
// Timing:  from the end of a program to the start of the next one the memory's latency and about 100 cycles, for nineteen writes of registers
//
// A descriptor is 64 bytes: pointers 0 to 7. Pointers are multiples of 64, and their low six bits say the rest: of pointer 0 LOG_N, of pointers 1, 2 and 3
// the index of the first instruction, from the lowest bits on; others are zero, or the ring ends with an error. The ring writes the registers POINTER and LOG_N and then CONTROL as the host would, so what
// holds for these holds for it: checks, faults, STATUS. Between two of its writes the host's accesses pass by.

module rs_ring #(
    parameter  int unsigned BusBits   = 128,
    localparam int unsigned LineBeats = 512 / BusBits
) (
    input logic clk_i,
    input logic rst_ni,
    // registers: of the host, and to rs_regs_axi
    input rs_axi_pkg::lite_req_t s_axil_i,
    output rs_axi_pkg::lite_rsp_t s_axil_o,
    output rs_axi_pkg::lite_req_t m_axil_o,
    input rs_axi_pkg::lite_rsp_t m_axil_i,
    // sequencer
    input logic calm_i,  // no program runs, nothing is wiped, no bus hangs
    input logic stop_i,  // a wipe, or a reset of a hung bus: nothing starts until the host enables the ring anew
    input logic start_i,  // a program starts
    input logic done_i,  // it has ended
    input logic [3:0] cause_i,  // with done_i
    output logic [15:0] first_o,  // index of its first instruction
    // memory, while reading_o
    input logic units_rst_ni,
    output logic reading_o,
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i,
    output logic enabled_o,  // interrupts are the ring's
    output logic irq_o
);
  import rs_ring_pkg::*;

  localparam int unsigned BeatBits = LineBeats > 1 ? $clog2(LineBeats) : 1;
  // writes: sixteen words of pointers, LOG_N, CONTROL
  localparam int unsigned Words = 16;
  localparam logic [4:0] WriteSize = 5'd16;
  localparam logic [4:0] WriteStart = 5'd17;

  typedef enum logic [2:0] {
    StIdle,
    StAsk,
    StRead,
    StPort,    // waits for the port of the registers
    StWrite,
    StAnswer,
    StRun
  } state_e;

  state_e state_q;
  logic [31:0] base_lo_q, base_hi_q;
  logic [3:0] size_q;
  logic [15:0] tail_q, head_q;
  logic enable_q, irq_enable_q, irq_q, error_q;
  logic [511:0] line_q;
  logic [BeatBits-1:0] beat_q;
  logic [4:0] write_q;
  logic started_q, bad_q, aw_q, w_q;  // a start was taken; a beat was wrong; address and data of a write are taken

  // ---- the host's accesses: those to the ring's registers are answered here -----------------------------------------------------
  // One at a time. What goes on to rs_regs_axi is its own business until it has answered.
  localparam logic [1:0] Window = 2'd1;  // a window of addresses of 1 KiB
  logic own_aw, own_ar, ours_write, ours_read, bvalid_q, rvalid_q, answered_q, passing, pending_q, ring_owns, quiet;
  logic claim_q;  // the ring waits for the port: no new access passes by
  logic [31:0] rdata_q, read_data;
  logic wr_bad, rd_bad, bad_answer_q;
  logic [11:0] waddr, raddr;

  assign waddr = s_axil_i.aw_addr;
  assign raddr = s_axil_i.ar_addr;
  assign own_aw = waddr[11:10] == Window;
  assign own_ar = raddr[11:10] == Window;
  assign quiet = !bvalid_q && !rvalid_q && !pending_q && !answered_q;
  // one that passes by in this cycle goes first: rs_regs_axi may have taken it
  assign ours_write = s_axil_i.aw_valid && s_axil_i.w_valid && own_aw && quiet && !(s_axil_i.ar_valid && !own_ar && passing);
  assign ours_read = s_axil_i.ar_valid && own_ar && !ours_write && quiet &&
      !(s_axil_i.aw_valid && s_axil_i.w_valid && !own_aw && passing);
  assign ring_owns = state_q == StWrite || state_q == StAnswer;
  // what passes by: not while the ring has the port or is about to take it, nor while an answer of the ring's own registers waits
  assign passing = !ring_owns && !bvalid_q && !rvalid_q && (!claim_q || pending_q);

  function automatic logic known(input logic [11:0] addr);
    case (32'(addr))
      RingBaseLo, RingBaseHi, RingSize, RingTail, RingHead, RingControl: return 1'b1;
      default: return 1'b0;
    endcase
  endfunction

  assign wr_bad = !known(waddr) || s_axil_i.w_strb != '1;
  assign rd_bad = !known(raddr);
  always_comb begin
    read_data = '0;
    case (32'(raddr))
      RingBaseLo: read_data = base_lo_q;
      RingBaseHi: read_data = base_hi_q;
      RingSize:   read_data = 32'(size_q);
      RingTail:   read_data = 32'(tail_q);
      RingHead:   read_data = 32'(head_q);
      default: begin
        read_data[RingControlEnableBit] = enable_q;
        read_data[RingControlIrqEnableBit] = irq_enable_q;
        read_data[RingControlIrqBit] = irq_q;
        read_data[RingControlErrorBit] = error_q;
        read_data[RingControlBusyBit] = state_q != StIdle;
      end
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bvalid_q   <= 1'b0;
      rvalid_q   <= 1'b0;
      answered_q <= 1'b0;
      pending_q  <= 1'b0;
    end else begin
      bvalid_q   <= ours_write || (bvalid_q && !s_axil_i.b_ready);
      rvalid_q   <= ours_read || (rvalid_q && !s_axil_i.r_ready);
      answered_q <= ours_write || ours_read;  // the request is still there in the cycle in which it is taken
      if (passing && ((m_axil_o.aw_valid && m_axil_o.w_valid) || m_axil_o.ar_valid)) pending_q <= 1'b1;
      else if ((m_axil_i.b_valid && m_axil_o.b_ready) || (m_axil_i.r_valid && m_axil_o.r_ready)) pending_q <= 1'b0;
    end
    if (ours_write || ours_read) bad_answer_q <= ours_write ? wr_bad : rd_bad;
    if (ours_read) rdata_q <= rd_bad ? '0 : read_data;
  end

  // ---- the port of the registers --------------------------------------------------------------------------------------------------
  logic [31:0] ring_data;
  logic [11:0] ring_addr;
  localparam logic [11:0] PointerAddr = 12'h080;  // regs.rdl
  localparam logic [11:0] SizeAddr = 12'h048;
  localparam logic [11:0] ControlAddr = 12'h040;

  always_comb begin
    ring_addr = PointerAddr | {6'd0, write_q[3:0], 2'b00};
    ring_data = line_q[32*32'(write_q[3:0])+:32];
    if (!write_q[0]) ring_data[5:0] = '0;
    if (write_q == WriteSize) begin
      ring_addr = SizeAddr;
      ring_data = 32'(line_q[4:0]);
    end
    if (write_q == WriteStart) begin
      ring_addr = ControlAddr;
      ring_data = 32'd1;
    end
  end
  assign first_o = state_q == StIdle ? '0 : {line_q[192+:4], line_q[128+:6], line_q[64+:6]};

  always_comb begin
    m_axil_o = s_axil_i;
    m_axil_o.aw_valid = s_axil_i.aw_valid && !own_aw && passing;
    m_axil_o.w_valid = s_axil_i.w_valid && s_axil_i.aw_valid && !own_aw && passing;
    m_axil_o.ar_valid = s_axil_i.ar_valid && !own_ar && passing;
    if (ring_owns) begin
      m_axil_o = '0;
      m_axil_o.aw_valid = state_q == StWrite && !aw_q;
      m_axil_o.w_valid = state_q == StWrite && !w_q;
      m_axil_o.aw_addr = ring_addr;
      m_axil_o.w_data = ring_data;
      m_axil_o.w_strb = '1;
      m_axil_o.b_ready = 1'b1;
    end
  end

  always_comb begin
    s_axil_o = m_axil_i;
    if (!passing || ours_write || ours_read) begin
      s_axil_o = '0;
      s_axil_o.aw_ready = ours_write;
      s_axil_o.w_ready = ours_write;
      s_axil_o.ar_ready = ours_read;
      s_axil_o.b_valid = bvalid_q;
      s_axil_o.b_resp = {bad_answer_q, 1'b0};
      s_axil_o.r_valid = rvalid_q;
      s_axil_o.r_data = rdata_q;
      s_axil_o.r_resp = {bad_answer_q, 1'b0};
    end
  end

  // ---- descriptors --------------------------------------------------------------------------------------------------------------
  logic more, fails, ends, free, beat;
  logic to_control, stopped_q;  // a stop has come since the descriptor was begun
  logic [63:0] place;
  logic [26:0] reserved;

  assign more = enable_q && !error_q && head_q != tail_q;
  assign place = {base_hi_q, base_lo_q} + {42'd0, head_q & ~(16'hffff << size_q), 6'd0};
  assign reading_o = state_q == StAsk || state_q == StRead;
  assign read_o = '{
          ar_valid: state_q == StAsk,
          ar: '{id: '0, addr: rs_axi_pkg::AddrBits'({place[63:6], 6'd0}), len: 8'(LineBeats - 1)},
          r_ready: state_q == StRead
      };
  assign beat = read_i.r_valid && state_q == StRead;
  // no access of the host is under way, and none can begin
  assign free = claim_q && !pending_q;
  assign to_control = ours_write && 32'(waddr) == RingControl && !wr_bad;

  // low bits of pointers that say nothing
  assign reserved = {line_q[448+:6], line_q[384+:6], line_q[320+:6], line_q[256+:6], line_q[196+:2], line_q[5]};

  always_comb begin
    fails = 1'b0;
    ends  = 1'b0;
    case (state_q)
      StRead:   fails = beat && read_i.r_last && (bad_q || read_i.r_resp != 2'b00);
      StAnswer: fails = m_axil_i.b_valid && (m_axil_i.b_resp != 2'b00 || (write_q == WriteStart && !started_q && !start_i));
      StRun: begin
        fails = done_i && cause_i != '0;
        ends  = done_i && cause_i == '0;
      end
      StPort:   fails = stopped_q || reserved != '0;
      default:  ;
    endcase
    if (!units_rst_ni && reading_o) fails = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= StIdle;
      head_q  <= '0;
      error_q <= 1'b0;
      irq_q   <= 1'b0;
    end else begin
      case (state_q)
        StIdle: if (more && calm_i) state_q <= StAsk;
        StAsk: if (read_i.ar_ready) state_q <= StRead;
        StRead: if (beat && read_i.r_last) state_q <= StPort;
        StPort: if (free && calm_i) state_q <= StWrite;
        StWrite: if ((aw_q || m_axil_i.aw_ready) && (w_q || m_axil_i.w_ready)) state_q <= StAnswer;
        StAnswer: if (m_axil_i.b_valid) state_q <= write_q == WriteStart ? StRun : StPort;
        default: if (done_i) state_q <= StIdle;
      endcase
      if (fails) state_q <= StIdle;
      if (ends) head_q <= head_q + 1'b1;
      if (fails) error_q <= 1'b1;
      if (fails || (ends && head_q + 16'd1 == tail_q)) irq_q <= 1'b1;  // also while the host clears an earlier one
      else if (to_control && s_axil_i.w_data[RingControlIrqBit]) irq_q <= 1'b0;
      if (to_control) begin
        if (!s_axil_i.w_data[RingControlEnableBit]) error_q <= 1'b0;
        if (!enable_q && s_axil_i.w_data[RingControlEnableBit]) head_q <= '0;
      end
    end
    if (state_q == StAsk) {beat_q, bad_q} <= '0;
    else if (beat) {beat_q, bad_q} <= {beat_q + 1'b1, bad_q || read_i.r_resp != 2'b00};
    for (int unsigned i = 0; i < LineBeats; i++) begin
      if (beat && (LineBeats == 1 || 32'(beat_q) == i)) line_q[BusBits*i+:BusBits] <= rdata_i;
    end
    if (reading_o) write_q <= '0;
    else if (state_q == StAnswer && m_axil_i.b_valid) write_q <= write_q + 1'b1;
    claim_q <= rst_ni && state_q == StPort && calm_i && !free && !fails;  // a host that is to reset the bus is let by
    aw_q <= state_q == StWrite && (aw_q || m_axil_i.aw_ready);
    w_q <= state_q == StWrite && (w_q || m_axil_i.w_ready);
    stopped_q <= rst_ni && (stop_i || (stopped_q && state_q != StIdle));
    if (reading_o) started_q <= 1'b0;
    else if (start_i) started_q <= 1'b1;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      enable_q     <= 1'b0;
      irq_enable_q <= 1'b0;
      size_q       <= '0;
      tail_q       <= '0;
    end else if (ours_write && !wr_bad) begin
      if (32'(waddr) == RingSize) size_q <= s_axil_i.w_data[3:0];
      if (32'(waddr) == RingTail) tail_q <= s_axil_i.w_data[15:0];
      if (to_control) begin
        {irq_enable_q, enable_q} <= {s_axil_i.w_data[RingControlIrqEnableBit], s_axil_i.w_data[RingControlEnableBit]};
        if (!enable_q && s_axil_i.w_data[RingControlEnableBit]) tail_q <= '0;
      end
    end
    if (stop_i) enable_q <= 1'b0;
    if (ours_write && !wr_bad) begin
      if (32'(waddr) == RingBaseLo) base_lo_q <= {s_axil_i.w_data[31:6], 6'd0};
      if (32'(waddr) == RingBaseHi) base_hi_q <= s_axil_i.w_data;
    end
  end

  assign enabled_o = enable_q;
  assign irq_o = irq_q && irq_enable_q;

  if (BusBits > 512) begin : gen_illegal
    $fatal(1, "%m: BusBits %0d", BusBits);
  end

  logic unused_bits;
  assign unused_bits = ^{line_q, read_i.r_id, place[5:0], 5'(Words), s_axil_i.aw_prot, s_axil_i.ar_prot};
endmodule
