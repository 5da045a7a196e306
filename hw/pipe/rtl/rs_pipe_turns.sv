// SPDX-License-Identifier: Apache-2.0
// rs_pipe_turns: which line of several streams is next on the bus: a queue of two jobs for each of them, and turns.
// Model:   hw/pipe/tb/test_rs_pipe_dma.py, in rs_pipe_read and rs_pipe_write
// Params:  Streams; AddrBits; LinesBits: of a job's lines
// Bounds:  addresses are multiples of 64, jobs have a line at least
// Timing:  a line per cycle while ready_i. A stream whose job has ended goes on with the next one without a pause
module rs_pipe_turns #(
    parameter  int unsigned Streams   = 2,
    parameter  int unsigned AddrBits  = 64,
    parameter  int unsigned LinesBits = 18,
    localparam int unsigned AtBits    = AddrBits - 6
) (
    input  logic                              clk_i,
    input  logic                              rst_ni,
    input  logic                              clear_i,      // forgets all jobs, and takes none
    output logic                              idle_o,       // no job
    input  logic [Streams-1:0]                job_valid_i,
    output logic [Streams-1:0]                job_ready_o,
    input  logic [Streams-1:0][ AddrBits-1:0] job_addr_i,
    input  logic [Streams-1:0][LinesBits-1:0] job_lines_i,
    input  logic [Streams-1:0]                may_i,        // a stream may have a line: there is room for it, or it is here
    input  logic                              ready_i,      // an address may go on offer; no clear_i
    output logic                              go_o,         // it does
    output logic [Streams-1:0]                whose_o,      // with go_o: one bit
    output logic [ AtBits-1:0]                at_o          // in lines of 64 bytes
);
  logic [Streams-1:0] wants, behind, turn_q, active;
  logic [Streams-1:0][AtBits-1:0] at;

  // those behind the last one first: of these, and of all, the lowest
  function automatic logic [Streams-1:0] lowest(input logic [Streams-1:0] bits);
    return bits & (~bits + 1'b1);
  endfunction
  assign behind  = wants & ~(turn_q | (turn_q - 1'b1));
  assign whose_o = behind != '0 ? lowest(behind) : lowest(wants);
  assign go_o    = wants != '0 && ready_i;
  assign idle_o  = active == '0;

  always_comb begin
    at_o = '0;
    for (int unsigned s = 0; s < Streams; s++) if (whose_o[s]) at_o |= at[s];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) turn_q <= Streams'(1);
    else if (go_o) turn_q <= whose_o;
  end

  for (genvar s = 0; s < Streams; s++) begin : gen_stream
    logic active_q, next_q;
    logic [AtBits-1:0] at_q, next_at_q;
    logic [LinesBits-1:0] left_q, next_left_q;  // left_q: behind the next line
    logic goes, put, moves;

    assign goes = go_o && whose_o[s];
    assign put = job_valid_i[s] && job_ready_o[s];
    assign moves = !active_q || (goes && left_q == '0);  // the next job takes its place
    assign at[s] = at_q;
    assign wants[s] = active_q && may_i[s];
    assign active[s] = active_q || next_q;
    assign job_ready_o[s] = !next_q && !clear_i;

    always_ff @(posedge clk_i) begin
      if (!rst_ni || clear_i) begin
        active_q <= 1'b0;
        next_q   <= 1'b0;
      end else begin
        if (moves) active_q <= next_q || put;
        next_q <= moves ? 1'b0 : next_q || put;
      end
      if (put) begin
        next_at_q   <= job_addr_i[s][AddrBits-1:6];
        next_left_q <= job_lines_i[s] - 1'b1;
      end
      if (moves) begin
        at_q   <= next_q ? next_at_q : job_addr_i[s][AddrBits-1:6];
        left_q <= next_q ? next_left_q : job_lines_i[s] - 1'b1;
      end else if (goes) begin
        at_q   <= at_q + 1'b1;
        left_q <= left_q - 1'b1;
      end
    end

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni && put) begin
        assert (job_addr_i[s][5:0] == '0 && job_lines_i[s] != '0)
        else $error("%m: %0d lines at %h", job_lines_i[s], job_addr_i[s]);
      end
    end
`endif
    logic unused;
    assign unused = ^job_addr_i[s][5:0];
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni)
      assert (!ready_i || !clear_i)
      else $error("%m: ready with clear_i");
  end
`endif

endmodule
