// SPDX-License-Identifier: Apache-2.0
// rs_bus_guard_proof: for ever, by induction: DrainCycles cycles after a clear the units are done, or they are given up, once, and
//                     the bus hangs until the last of them is done after all, or until a reset, which is one of the units.
module rs_bus_guard_proof #(
    parameter int unsigned DrainCycles = 5
) (
    input logic       clk_i,
    input logic       rst_ni,
    input logic [1:0] start_i,
    input logic [1:0] done_i,
    input logic       pipe_i,
    input logic       clear_i,
    input logic       reset_i
);
  logic give_up_o, hung_o, rst_no;

  rs_bus_guard #(.DrainCycles(DrainCycles)) u_dut (.*);

  logic reset_q = 1'b0;
  logic ending_q;  // cleared, and not over
  logic hung_q, rest_q, gave_q, asked_q, all_done_q;
  logic pipe_q, any, any_q;  // PIPE, and anything, has transfers
  logic [1:0][1:0] runs_q, runs;  // by what the units say
  logic [1:0] busy_q, busy;
  logic [7:0] age_q;  // cycles since the clear

  for (genvar u = 0; u < 2; u++) begin : gen_unit
    assign runs[u]   = runs_q[u] + 2'(start_i[u]) - 2'(done_i[u]);
    assign busy[u]   = runs[u] != '0;
    assign busy_q[u] = runs_q[u] != '0;
  end

  assign any = busy != '0 || pipe_i;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (pipe_i && !pipe_q) assume (!ending_q && !hung_o && rst_no && !rest_q);
    pipe_q <= rst_no && pipe_i;
    any_q  <= rst_no && any;
    assume (rst_ni == reset_q);
    // a program: starts, a clear at most, no start until all is done or given up; a unit that is reset forgets what it did
    if (start_i != '0) assume (!ending_q && !hung_o && runs_q[0] < 2'd3 && !(start_i[1] && busy_q[1]) && rst_no);
    assume ((done_i & ~busy_q) == '0);
    if (clear_i) assume (!ending_q && !hung_o);

    hung_q <= rst_ni && hung_o;
    gave_q <= rst_ni && give_up_o;
    asked_q <= rst_ni && reset_i && hung_o;
    rest_q <= rst_ni && !rst_no;
    all_done_q <= !any;
    if (!rst_no) begin
      runs_q   <= '0;
      ending_q <= 1'b0;
    end else begin
      runs_q <= runs;
      if (clear_i) ending_q <= any;
      else if (give_up_o || !any) ending_q <= 1'b0;
      age_q <= clear_i ? 8'd1 : age_q + 8'd1;
    end

    if (reset_q) begin
      if (ending_q) assert (32'(age_q) <= DrainCycles);
      if (give_up_o) assert (ending_q && 32'(age_q) == DrainCycles && !hung_o);
      if (gave_q && !rest_q) assert (hung_o);
      if (hung_o) assert (any_q && (hung_q || gave_q));
      if (hung_q && !rest_q && !all_done_q) assert (hung_o);
      if (rest_q) assert (!hung_o && busy_q == '0);
      if (!rst_no) assert (asked_q);
      if (asked_q && hung_o) assert (!rst_no || rest_q);

      // what makes the above inductive
      assert (u_dut.runs_q == runs_q && runs_q[1] <= 2'd1);
      assert (!(u_dut.timing_q && hung_o));
      assert (u_dut.timing_q == ending_q);
      if (ending_q) assert (32'(u_dut.timer_q) + 32'(age_q) == DrainCycles);
    end
  end
endmodule
