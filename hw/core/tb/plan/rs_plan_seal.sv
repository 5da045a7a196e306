// SPDX-License-Identifier: Apache-2.0
// rs_plan_seal: what a sealed core judges: the instruction and what its digests are, as lines of a file, for
//               scripts/plugins/functional_plan.py
// Params:  those of rs_issue
// Bounds:  `make coverage` alone builds it, into rs_issue of a sealed core
module rs_plan_seal
  import rs_isa_pkg::*;
#(
    parameter int unsigned W       = 32,
    parameter int unsigned LogNMax = 13,
    parameter int unsigned Groups  = 4
) (
    input logic clk_i,
    input logic judge_i,
    input logic [63:0] word_i,
    input logic [4*Digests-1:0] digests_i,
    input logic [1:0] step_i,
    input fault_e verdict_i
);
  int fd;
  initial fd = $fopen("build/coverage/raw/plan", "a");
  always_ff @(posedge clk_i) begin
    if (fd != 0 && judge_i && is_field_op(word_i[5:0])) begin
      $fwrite(fd, "S %0d.%0d.%0d.011 %0d %0d %0d %0d\n", W, Groups, LogNMax, word_i, digests_i, step_i, verdict_i);
      $fflush(fd);
    end
  end
  final if (fd != 0) $fclose(fd);
endmodule

bind rs_issue rs_plan_seal #(
    .W      (W),
    .LogNMax(LogNMax),
    .Groups (Groups)
) u_plan (
    .clk_i,
    .judge_i  (judge_q),
    .word_i   (64'(instr_q)),
    .digests_i(gen_seal.u_seal.tag_q),
    .step_i   (gen_seal.u_seal.step_q),
    .verdict_i(fault)
);
