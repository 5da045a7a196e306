// SPDX-License-Identifier: Apache-2.0
// rs_bus_guard: how long LOAD, STORE and PIPE may drain. A memory that stops answering must hold up neither the end of a program nor a wipe.
// Model:   docs/core.md: a bus that hangs
// Params:  DrainCycles: from the cycle after clear_i until the units are given up
// Bounds:  nothing starts between clear_i and the end of the program, nor while hung_o; done_i of a unit comes once per start_i; LOAD
//          runs three instructions at most, STORE one
// Timing:  give_up_o at most DrainCycles cycles after clear_i, hung_o from the next cycle on
//
// A unit that is given up still does on the bus what AXI4 wants of a master: what it offers stays on offer, and late answers are
// taken and dropped. When all have come, the bus is usable again. Else only a reset of the interconnect and of the units helps.

module rs_bus_guard #(
    parameter int unsigned DrainCycles = 3072
) (
    input  logic       clk_i,
    input  logic       rst_ni,
    input  logic [1:0] start_i,    // starts of LOAD and STORE
    input  logic [1:0] done_i,
    input  logic       pipe_i,     // PIPE has transfers under way, or may begin some
    input  logic       clear_i,    // to all: a pulse
    input  logic       reset_i,    // with a reset of the interconnect; ignored unless hung_o
    output logic       give_up_o,  // a pulse: those that still run count as done
    output logic       hung_o,     // from then on, until the last answer or reset_i
    output logic       rst_no      // reset of the units
);
  localparam int unsigned TimerBits = $clog2(DrainCycles + 1);

  if (DrainCycles == 0) begin : gen_illegal
    $fatal(1, "%m: DrainCycles must be positive");
  end

  logic [1:0][1:0] runs_q, runs;  // instructions
  logic [1:0] busy;
  logic [TimerBits-1:0] timer_q;  // cycles that are left
  logic timing_q, hung_q, reset_q, late, any;

  for (genvar u = 0; u < 2; u++) begin : gen_unit
    assign runs[u] = runs_q[u] + 2'(start_i[u]) - 2'(done_i[u] && runs_q[u] != '0);
    // runs[u] != 0, with one gate behind done_i, which comes late and goes far
    assign busy[u] = start_i[u] || (runs_q[u] != '0 && !(runs_q[u] == 2'd1 && done_i[u]));
  end
  assign any  = busy != '0 || pipe_i;
  assign late = timing_q && timer_q == '0 && any;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || reset_q) begin
      runs_q   <= '0;
      timing_q <= 1'b0;
      hung_q   <= 1'b0;
    end else begin
      runs_q   <= runs;
      timing_q <= any && !late && (clear_i || timing_q);
      hung_q   <= any && (late || hung_q);
    end
    reset_q <= rst_ni && reset_i && hung_q && !reset_q;
    if (!timing_q) timer_q <= TimerBits'(DrainCycles - 1);
    else timer_q <= timer_q - 1'b1;
  end

  assign give_up_o = late;
  assign hung_o = hung_q;
  assign rst_no = rst_ni && !reset_q;

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && hung_q)
      assert (start_i == '0)
      else $error("%m: started on a bus that hangs");
  end
`endif
endmodule
