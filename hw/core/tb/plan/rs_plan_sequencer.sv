// SPDX-License-Identifier: Apache-2.0
// rs_plan_sequencer: what a sequencer judges and how programs fail, as lines of a file: scripts/plugins/functional_plan.py makes
//                    crosses of them
// Params:  those of rs_sequencer
// Bounds:  `make coverage` alone builds it, into rs_sequencer
module rs_plan_sequencer
  import rs_isa_pkg::*;
#(
    parameter int unsigned W         = 32,
    parameter int unsigned LogNMax   = 13,
    parameter int unsigned Groups    = 4,
    parameter bit          HasEncode = 1'b0,
    parameter bit          HasFields = 1'b0,
    parameter bit          Sealed    = 1'b0
) (
    input logic clk_i,
    // an instruction is judged: tags of its groups dst, a and b, of its slots dst and a
    input logic judge_i,
    input logic [5:0] op_i,
    input tag_e dst_i,
    input tag_e a_i,
    input tag_e b_i,
    input tag_e dst_slot_i,
    input tag_e a_slot_i,
    input fault_e verdict_i,
    // a program fails: why, in which units, or, if it is in none, at an instruction of which one
    input logic fails_i,
    input fault_e fault_i,
    input logic [Units-1:0] failed_i,
    input logic [Units-1:0] busy_i,
    input unit_t unit_i
);
  int fd;
  initial fd = $fopen("build/coverage/raw/plan", "a");
  always_ff @(posedge clk_i) begin
    if (fd != 0 && judge_i) begin
      $fwrite(fd, "T %0d.%0d.%0d.%b%b%b %0d %0d %0d %0d %0d %0d %0d\n", W, Groups, LogNMax, HasEncode, HasFields, Sealed, op_i,
              dst_i, a_i, b_i, dst_slot_i, a_slot_i, verdict_i);
      $fflush(fd);
    end
    if (fd != 0 && fails_i) begin
      $fwrite(fd, "F %0d.%0d.%0d.%b%b%b %0d %0d %0d %0d\n", W, Groups, LogNMax, HasEncode, HasFields, Sealed, fault_i, failed_i,
              busy_i, unit_i);
      $fflush(fd);
    end
  end
  final if (fd != 0) $fclose(fd);
endmodule

bind rs_sequencer rs_plan_sequencer #(
    .W        (W),
    .LogNMax  (LogNMax),
    .Groups   (Groups),
    .HasEncode(HasEncode),
    .HasFields(HasFields),
    .Sealed   (Sealed)
) u_plan (
    .clk_i,
    .judge_i   (u_issue.judge_q),
    .op_i      (u_issue.instr_q.op),
    .dst_i     (u_issue.u_tags.dst_q.tag),
    .a_i       (u_issue.u_tags.a_q.tag),
    .b_i       (u_issue.u_tags.b_q.tag),
    .dst_slot_i(u_issue.u_tags.dst_slot_q.tag),
    .a_slot_i  (u_issue.u_tags.a_slot_q.tag),
    .verdict_i (u_issue.fault),
    .fails_i   (running && cause_q == rs_isa_pkg::FAULT_NONE && fault != rs_isa_pkg::FAULT_NONE),
    .fault_i   (fault),
    .failed_i  (failed_q),
    .busy_i    (unit_busy_o),
    .unit_i    (u_issue.form_q.unit)
);
