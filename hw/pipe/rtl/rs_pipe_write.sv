// SPDX-License-Identifier: Apache-2.0
// rs_pipe_write: several streams of 64-byte lines to memory at once; they take turns (rs_pipe_turns).
// Model:   hw/pipe/tb/test_rs_pipe_dma.py
// Params:  Streams; Depth: lines that a stream may have waiting; AddrBits; Outstanding: lines without an answer
// Bounds:  addresses are multiples of 64, jobs have a line at least. All bursts are single lines of ID 0, a beat each
//          (formal/rs_pipe_write_proof.sv)
// Timing:  a line per cycle. A line goes on offer in the cycle after its address, behind at most Ahead lines, and neither waits for a ready: a
//          slave may take the data first (IHI 0022). BREADY is always 1
//
// After clear_i no more addresses go on offer; for those that are, beats that are not on offer yet become zeros. Jobs are taken again when all is answered.
module rs_pipe_write #(
    parameter  int unsigned Streams     = 2,
    parameter  int unsigned Depth       = 4,
    parameter  int unsigned AddrBits    = 64,
    parameter  int unsigned Outstanding = 64,
    parameter  int unsigned LinesBits   = 18,
    localparam int unsigned LineBits    = 512
) (
    input logic clk_i,
    input logic rst_ni,
    input logic clear_i,
    output logic idle_o,  // no job, no line, nothing on offer or without an answer
    output logic error_o,  // pulse: an answer was not OKAY, or of another ID
    input logic [Streams-1:0] job_valid_i,
    output logic [Streams-1:0] job_ready_o,
    input logic [Streams-1:0][AddrBits-1:0] job_addr_i,
    input logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input logic [Streams-1:0] line_valid_i,
    output logic [Streams-1:0] line_ready_o,
    input logic [Streams-1:0][LineBits-1:0] line_i,
    output rs_axi_pkg::write_req_t write_o,
    input rs_axi_pkg::write_rsp_t write_i,
    output logic [LineBits-1:0] wdata_o
);
  localparam int unsigned CountBits = $clog2(Depth + 1);
  localparam int unsigned OpenBits = $clog2(Outstanding + 1);
  localparam int unsigned AtBits = AddrBits - 6;

  if (Streams == 0 || Depth < 2 || Outstanding < 2) begin : gen_illegal
    $fatal(1, "%m: Streams, Depth and Outstanding must be at least 1, 2 and 2");
  end

  // ---- addresses: streams take turns ------------------------------------------------------------------------------------------------
  localparam int unsigned Ahead = 4;  // lines whose address is on offer or taken, and which are not on offer
  localparam int unsigned ListBits = $clog2(Ahead);

  logic drop_q;
  logic aw_q, w_q;
  logic [  AtBits-1:0] aw_at_q;
  logic [LineBits-1:0] w_line_q;
  logic [OpenBits-1:0] open_q;  // lines without an answer
  logic [Streams-1:0] chosen, owner, silent, here;
  logic [Streams-1:0][LineBits-1:0] head;
  logic [AtBits-1:0] chosen_at;
  logic [LineBits-1:0] next_line;
  logic go, show;  // an address, a line goes on offer
  logic quiet;

  // whose lines follow, in order
  logic [Ahead-1:0][Streams-1:0] list_q;
  logic [ListBits-1:0] put_q, get_q;
  logic [ListBits:0] ahead_q;
  assign show  = ahead_q != '0 && (!w_q || write_i.w_ready);
  assign owner = list_q[get_q];

  rs_pipe_turns #(
      .Streams  (Streams),
      .AddrBits (AddrBits),
      .LinesBits(LinesBits)
  ) u_turns (
      .clk_i,
      .rst_ni,
      .clear_i(clear_i || drop_q),
      .idle_o (quiet),
      .job_valid_i,
      .job_ready_o,
      .job_addr_i,
      .job_lines_i,
      .may_i  (silent),
      .ready_i((!aw_q || write_i.aw_ready) && !ahead_q[ListBits] && open_q != OpenBits'(Outstanding) && !drop_q && !clear_i),
      .go_o   (go),
      .whose_o(chosen),
      .at_o   (chosen_at)
  );

  always_comb begin
    next_line = '0;
    for (int unsigned s = 0; s < Streams; s++) if (owner[s] && !clear_i && !drop_q) next_line |= head[s];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_q    <= 1'b0;
      w_q     <= 1'b0;
      open_q  <= '0;
      drop_q  <= 1'b0;
      put_q   <= '0;
      get_q   <= '0;
      ahead_q <= '0;
    end else begin
      aw_q    <= go || (aw_q && !write_i.aw_ready);
      w_q     <= show || (w_q && !write_i.w_ready);
      open_q  <= open_q + OpenBits'(go) - OpenBits'(write_i.b_valid);
      drop_q  <= clear_i || (drop_q && open_q != '0);
      put_q   <= put_q + ListBits'(go);
      get_q   <= get_q + ListBits'(show);
      ahead_q <= ahead_q + (ListBits + 1)'(go) - (ListBits + 1)'(show);
    end
    if (go) begin
      aw_at_q <= chosen_at;
      list_q[put_q] <= chosen;
    end
    if (show) w_line_q <= next_line;
  end

  assign write_o = '{
          aw_valid: aw_q,
          aw: '{id: '0, addr: rs_axi_pkg::AddrBits'({aw_at_q, 6'd0}), len: '0},
          w_valid: w_q,
          w_last: 1'b1,
          b_ready: 1'b1
      };
  assign wdata_o = w_line_q;
  assign error_o = write_i.b_valid && (write_i.b_resp != 2'b00 || write_i.b_id != '0) && !drop_q;

  // ---- streams: a buffer for each ---------------------------------------------------------------------------------------------
  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic [CountBits-1:0] lines, silent_q;  // lines that are here; without an address
    logic goes, shows, comes;

    assign goes = go && chosen[s];
    assign shows = show && owner[s];
    assign comes = line_valid_i[s] && line_ready_o[s];
    assign silent[s] = silent_q != '0;
    assign here[s] = lines != '0;
    assign line_ready_o[s] = lines != CountBits'(Depth) && !drop_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i || drop_q) silent_q <= '0;
      else silent_q <= silent_q + CountBits'(comes) - CountBits'(goes);
    end

    rs_pipe_queue #(
        .Width(LineBits),
        .Depth(Depth)
    ) u_lines (
        .clk_i,
        .rst_ni,
        .clear_i(clear_i || drop_q),
        .wipe_i(1'b0),  // these lines are public
        .put_i(comes),
        .line_i(line_i[s]),
        .take_i(shows),
        .count_o(lines),
        .line_o(head[s])
    );
  end

  assign idle_o = quiet && here == '0 && open_q == '0;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && write_i.b_valid)
      assert (open_q != '0)
      else $error("%m: an answer to nothing");
  end
`endif
endmodule
