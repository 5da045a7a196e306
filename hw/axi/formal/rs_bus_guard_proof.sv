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
  logic give_up, hung, rst_n;

  rs_bus_guard #(
      .DrainCycles(DrainCycles)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .done_i,
      .pipe_i,
      .clear_i,
      .reset_i,
      .give_up_o(give_up),
      .hung_o   (hung),
      .rst_no   (rst_n)
  );

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
    if (pipe_i && !pipe_q) assume (!ending_q && !hung && rst_n && !rest_q);
    pipe_q <= rst_n && pipe_i;
    any_q  <= rst_n && any;
    assume (rst_ni == reset_q);
    // a program: starts, a clear at most, no start until all is done or given up; a unit that is reset forgets what it did
    if (start_i != '0) assume (!ending_q && !hung && runs_q[0] < 2'd3 && !(start_i[1] && busy_q[1]) && rst_n);
    assume ((done_i & ~busy_q) == '0);
    if (clear_i) assume (!ending_q && !hung);

    hung_q <= rst_ni && hung;
    gave_q <= rst_ni && give_up;
    asked_q <= rst_ni && reset_i && hung;
    rest_q <= rst_ni && !rst_n;
    all_done_q <= !any;
    if (!rst_n) begin
      runs_q   <= '0;
      ending_q <= 1'b0;
    end else begin
      runs_q <= runs;
      if (clear_i) ending_q <= any;
      else if (give_up || !any) ending_q <= 1'b0;
      age_q <= clear_i ? 8'd1 : age_q + 8'd1;
    end

    if (reset_q) begin
      if (ending_q) assert (32'(age_q) <= DrainCycles);
      if (give_up) assert (ending_q && 32'(age_q) == DrainCycles && !hung);
      if (gave_q && !rest_q) assert (hung);
      if (hung) assert (any_q && (hung_q || gave_q));
      if (hung_q && !rest_q && !all_done_q) assert (hung);
      if (rest_q) assert (!hung && busy_q == '0);
      if (!rst_n) assert (asked_q);
      if (asked_q && hung) assert (!rst_n || rest_q);

      // what makes the above inductive
      assert (u_dut.runs_q == runs_q && runs_q[1] <= 2'd1);
      assert (!(u_dut.timing_q && hung));
      assert (u_dut.timing_q == ending_q);
      if (ending_q) assert (32'(u_dut.timer_q) + 32'(age_q) == DrainCycles);
    end
  end
endmodule
