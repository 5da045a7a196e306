// SPDX-License-Identifier: Apache-2.0
// rs_load_pkg: what LOAD knows of an instruction that is under way, and whose turn it is.
package rs_load_pkg;
  parameter int unsigned Loads = rs_isa_pkg::Loads;

  typedef struct packed {
    logic       load;
    logic       stream;
    logic       is_context;  // or roots, constants, twiddles
    logic       headed;      // its first line is a header
    logic       message;     // a STREAM of signed words
    logic       slots;       // LOADS
    logic       ntt;
    logic       secret;
    logic       hidden;      // nothing is said about its residues
    logic [3:0] dst;
    logic [1:0] ctx;
  } kind_t;

  // instructions have the numbers 0 to Loads - 1, in turns
  typedef logic [1:0] turn_t;

  function automatic turn_t after(input turn_t turn);
    return turn == turn_t'(Loads - 1) ? '0 : turn + 1'b1;
  endfunction
endpackage
