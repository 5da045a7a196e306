// SPDX-License-Identifier: Apache-2.0
// rs_pipe_write_proof: for ever, by induction: what rs_pipe_bursts says of AW; beats come not before their address is on offer, one for each,
//                      in the same order, wait unchanged, and are the lines of their stream in order, or zero from clear_i on; no buffer
//                      overflows. Neither valid waits for a ready of the other channel. idle_o: nothing is under way.
module rs_pipe_write_proof #(
    parameter  int unsigned Streams     = 2,
    parameter  int unsigned Depth       = 3,
    parameter  int unsigned Outstanding = 6,
    parameter  int unsigned LinesBits   = 3,
    localparam int unsigned AddrBits    = 12,
    localparam int unsigned StreamBits  = Streams > 1 ? $clog2(Streams) : 1
) (
    input logic                              clk_i,
    input logic                              rst_ni,
    input logic                              clear_i,
    input logic [Streams-1:0]                job_valid_i,
    input logic [Streams-1:0][ AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input logic [Streams-1:0]                line_valid_i,
    input logic                              awready_i,
    input logic                              wready_i,
    input logic                              bvalid_i,
    input logic [        1:0]                bresp_i,
    input logic [        3:0]                bid_i
);
  localparam int unsigned Ahead = 4;  // lines whose address is on offer or taken, and which are not on offer
  localparam int unsigned NumberBits = 4;
  localparam int unsigned TextBits = 1 + StreamBits + NumberBits;

  logic idle_o, error_o, awvalid, wvalid, wlast, bready;
  logic [Streams-1:0] job_ready_o, line_ready_o;
  logic [Streams-1:0][511:0] line_i;
  logic [511:0] wdata_o;
  rs_axi_pkg::write_req_t write_o;
  assign {awvalid, wvalid, wlast, bready} = {write_o.aw_valid, write_o.w_valid, write_o.w_last, write_o.b_ready};

  // lines of a stream are numbered, behind a 1, so that none is zero; the low bits of a number are enough
  logic [Streams-1:0][NumberBits-1:0] given_q, shown_q;

  rs_pipe_write #(
      .Streams    (Streams),
      .Depth      (Depth),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_dut (
      .*,
      .write_i('{aw_ready: awready_i, w_ready: wready_i, b_valid: bvalid_i, b_id: bid_i, b_resp: bresp_i})
  );

  rs_pipe_bursts #(
      .Streams    (Streams),
      .Depth      (Depth),
      .AddrBits   (AddrBits),
      .Outstanding(Outstanding),
      .LinesBits  (LinesBits)
  ) u_bursts (
      .*,
      .valid_i (awvalid),
      .ready_i (awready_i),
      .burst_i (write_o.aw),
      .answer_i(bvalid_i)
  );

  // whose lines are to come on W, by the addresses that are on offer or taken: before and with this cycle's
  logic reset_q = 1'b0;
  logic waiting_q, due_q, show_due_q;
  logic [511:0] data_q;
  logic [Ahead-1:0][StreamBits-1:0] list_q, list;
  logic [2:0] ahead_q, ahead, left;
  logic [7:0] written_q;  // beats taken, and not answered
  logic shows;  // a beat is new on offer
  logic [Streams-1:0] may;  // a job and a line that is here
  assign shows = wvalid && !waiting_q;
  always_comb begin
    list = list_q;
    left = ahead_q;
    if (shows) begin
      left = ahead_q - 1'b1;
      for (int unsigned i = 0; i < Ahead; i++) list[i] = i + 1 < Ahead ? list_q[(i+1)%Ahead] : '0;
    end
    ahead = left + 3'(u_bursts.offer);
    for (int unsigned i = 0; i < Ahead; i++) if (u_bursts.offer && 32'(left) == i) list[i] = u_bursts.whose;
  end

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (bvalid_i) assume (u_bursts.taken_q != '0 && written_q != '0);
    waiting_q <= rst_ni && wvalid && !wready_i;
    data_q <= wdata_o;
    list_q <= list;
    ahead_q <= rst_ni ? ahead : '0;
    written_q <= rst_ni ? written_q + 8'(wvalid && wready_i) - 8'(bvalid_i) : '0;
    show_due_q <= rst_ni && ahead != '0 && (!wvalid || wready_i);
    due_q <= rst_ni && !clear_i && !u_bursts.drop_q && (!awvalid || awready_i) && 32'(u_bursts.taken_q) + 32'(awvalid) < Outstanding
             && 32'(ahead) < Ahead && may != '0;

    if (reset_q) begin
      assert (bready);
      if (due_q) assert (awvalid && u_bursts.offer);
      if (show_due_q) assert (wvalid && shows);
      if (waiting_q) assert (wvalid && wdata_o == data_q);
      if (wvalid) assert (wlast);
      if (shows) begin
        assert (ahead_q != '0);  // its address was on offer in an earlier cycle
        if (u_bursts.drop_q)
          assert (wdata_o == '0);
          else assert (wdata_o == 512'({1'b1, list_q[0], shown_q[list_q[0]]}));
      end
      assert (error_o == (bvalid_i && (bresp_i != 2'b00 || bid_i != '0) && !u_bursts.drop_q));
      if (idle_o) assert (!awvalid && !wvalid && u_bursts.taken_q == '0 && written_q == '0 && ahead == '0 && u_bursts.jobs == '0);

      // what makes the above inductive
      assert (32'(u_dut.open_q) == 32'(u_bursts.taken_q) + 32'(awvalid) && u_dut.drop_q == u_bursts.drop_q);
      assert (32'(ahead) + 32'(wvalid) + 32'(written_q) == 32'(u_dut.open_q));
      assert (u_dut.ahead_q == ahead && 32'(ahead) <= Ahead && u_dut.put_q == u_dut.get_q + ahead[1:0]);
      for (int unsigned i = 0; i < Ahead; i++) begin
        if (i < 32'(ahead)) assert (u_dut.list_q[u_dut.get_q+2'(i)] == Streams'(1) << list[i] && 32'(list[i]) < Streams);
      end
    end
  end

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic [7:0] to_come, here, silent;
    logic [NumberBits-1:0] shown;
    assign line_i[s] = 512'({1'b1, StreamBits'(s), given_q[s]});
    assign shown   = shown_q[s] + NumberBits'(shows && 32'(list_q[0]) == s);
    assign here    = 8'(u_dut.gen_stream[s].lines);
    assign silent  = 8'(u_dut.gen_stream[s].silent_q);
    assign may[s]  = u_bursts.jobs[s] != '0 && silent != '0;
    always_comb begin
      to_come = '0;
      for (int unsigned i = 0; i < Ahead; i++) to_come += 8'(i < 32'(ahead) && list[i] == StreamBits'(s));
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || u_bursts.drop_q) begin
        given_q[s] <= '0;
        shown_q[s] <= '0;
      end else begin
        given_q[s] <= given_q[s] + NumberBits'(line_valid_i[s] && line_ready_o[s]);
        shown_q[s] <= shown;
      end

      if (reset_q) begin
        if (u_bursts.drop_q)
          assert (!line_ready_o[s] && here == '0 && silent == '0);
          else begin
            // every line that is here has an address or none yet, and none is taken from an empty buffer
            assert (32'(here) == 32'(silent) + 32'(to_come) && 32'(here) <= Depth);
            assert (given_q[s] == shown + NumberBits'(here));
          end
        for (int unsigned i = 0; i < Depth; i++) begin
          if (i < 32'(here))
            assert (u_dut.gen_stream[s].u_lines.u_lines.mem_q[(32'(u_dut.gen_stream[s].u_lines.take_q)+i)%Depth]
                    == 512'({1'b1, StreamBits'(s), NumberBits'(shown + NumberBits'(i))}));
        end
      end
    end
  end
endmodule
