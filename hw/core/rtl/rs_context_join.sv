// SPDX-License-Identifier: Apache-2.0
// rs_context_join: the end of a LOAD unit's instruction: a context is there when its transfer is over and its twiddles are stored.
// Model:   docs/core.md, unit interface
// Bounds:  transfer_done_i once per start_i; twiddles_done_i once per CONTEXT, at any time
// Timing:  done_o in the cycle of whichever is later. After a fault, or clear_i, the twiddles are not waited for
module rs_context_join
  import rs_isa_pkg::*;
(
    input  logic        clk_i,
    input  logic        start_i,
    input  logic        busy_i,            // from start_i to done_o
    input  logic        clear_i,
    input  logic [63:0] instr_i,
    input  logic        transfer_done_i,
    input  logic [ 3:0] transfer_fault_i,  // with transfer_done_i
    input  logic        twiddles_done_i,
    output logic        done_o,
    output logic [ 3:0] fault_o
);

  logic wait_transfer_q, wait_twiddles_q, transferred, stored, unused;
  logic [3:0] fault_q;

  assign transferred = transfer_done_i || !wait_transfer_q;
  assign stored = twiddles_done_i || !wait_twiddles_q || clear_i || (transferred && fault_o != FAULT_NONE);
  assign fault_o = transfer_done_i ? transfer_fault_i : fault_q;
  assign done_o = busy_i && !start_i && transferred && stored;
  assign unused = ^instr_i;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      wait_transfer_q <= 1'b1;
      wait_twiddles_q <= instr_i[OpLsb+:OpBits] == OP_CONTEXT;
      fault_q         <= FAULT_NONE;
    end else begin
      if (transfer_done_i) begin
        wait_transfer_q <= 1'b0;
        fault_q         <= transfer_fault_i;
      end
      if (stored) wait_twiddles_q <= 1'b0;
    end
  end

endmodule
