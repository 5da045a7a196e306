// SPDX-License-Identifier: Apache-2.0
// rs_trace: what each unit does in a cycle, for those who watch. Bit u is that of unit u of rs_isa_pkg::unit_e.
// Timing:  combinational
module rs_trace
  import rs_isa_pkg::*;
(
    input  logic             read_valid_i,      // of the memory bus
    input  logic             read_ready_i,
    input  logic             write_valid_i,
    input  logic             write_ready_i,
    input  logic             compute_active_i,
    input  logic             sample_active_i,
    input  logic             lift_active_i,
    input  logic             expand_active_i,
    input  logic             pipe_active_i,
    output logic [Units-1:0] active_o           // the unit moves data
);

  assign active_o[UNIT_LOAD] = read_valid_i && read_ready_i;
  assign active_o[UNIT_STORE] = write_valid_i && write_ready_i;
  assign active_o[UNIT_COMPUTE] = compute_active_i;
  assign active_o[UNIT_SAMPLE] = sample_active_i;
  assign active_o[UNIT_LIFT] = lift_active_i;
  assign active_o[UNIT_EXPAND] = expand_active_i;
  assign active_o[UNIT_PIPE] = pipe_active_i;

endmodule
