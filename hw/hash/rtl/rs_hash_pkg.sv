// SPDX-License-Identifier: Apache-2.0
// rs_hash_pkg: the rates of SHA-3 and SHAKE that the sponge has.
package rs_hash_pkg;
  // FIPS 202, table 3 and section 6.2
  typedef enum logic [1:0] {
    RATE_168 = 2'd0,  // SHAKE128
    RATE_136 = 2'd1,  // SHAKE256, SHA3-256
    RATE_104 = 2'd2,  // SHA3-384
    RATE_72  = 2'd3   // SHA3-512
  } rate_e;

  /* verilator lint_off UNUSEDPARAM */  // not every module that imports this looks at it
  parameter int unsigned RateLanesMax = 21;  // lanes of 64 bits
  /* verilator lint_on UNUSEDPARAM */

  // All are odd: beats of two lanes never end with a block.
  function automatic logic [4:0] rate_lanes(input rate_e rate);
    unique case (rate)
      RATE_168: return 5'd21;
      RATE_136: return 5'd17;
      RATE_104: return 5'd13;
      default:  return 5'd9;
    endcase
  endfunction
endpackage
