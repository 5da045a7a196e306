// SPDX-License-Identifier: Apache-2.0
// rs_field_pkg: kinds of polynomials that come from streams of bytes, and of fields of bits in memory.
package rs_field_pkg;
  // Public uniform residues (rs_parse_uniform): candidates of a stream, of which those below a bound are kept.
  typedef enum logic [2:0] {
    PARSE_12     = 3'd0,  // 12 bits < 3329: FIPS 203, algorithm 7
    PARSE_23     = 3'd1,  // the low 23 of 24 bits < 8380417: FIPS 204, algorithm 30
    PARSE_14     = 3'd2,  // the low 14 of 16 bits < 12289: NewHope (USENIX 2016)
    PARSE_16     = 3'd3,  // 16 bits < 5 * 12289, modulo 12289: NewHope (NIST round 2)
    PARSE_16_BIG = 3'd4   // likewise, the high byte first: Falcon's HashToPoint
  } parse_e;

  // Small coefficients (rs_sample_small): private.
  typedef enum logic [2:0] {
    SMALL_CBD2   = 3'd0,  // FIPS 203, algorithm 8, eta = 2
    SMALL_CBD3   = 3'd1,  // eta = 3
    SMALL_PSI16  = 3'd2,  // eta = 16: NewHope's noise
    SMALL_ETA2   = 3'd3,  // FIPS 204, algorithm 31, eta = 2
    SMALL_ETA4   = 3'd4,  // eta = 4
    SMALL_MASK18 = 3'd5,  // FIPS 204, algorithm 34, gamma1 = 2^17
    SMALL_MASK20 = 3'd6   // gamma1 = 2^19
  } small_e;

  // What a field of memory means (rs_load_fields).
  typedef enum logic [1:0] {
    LOAD_PLAIN = 2'd0,  // x
    LOAD_MINUS = 2'd1,  // offset - x modulo q
    LOAD_GROW  = 2'd2   // FIPS 203's Decompress: 3329 x / 2^d, rounded
  } load_e;

  // What a residue becomes in memory (rs_store_fields).
  typedef enum logic [2:0] {
    STORE_PLAIN  = 3'd0,  // x
    STORE_MINUS  = 3'd1,  // offset - x modulo q
    STORE_SHRINK = 3'd2,  // FIPS 203's Compress of x < 3329, d = 1, 4, 5, 10, 11: 2^d x / 3329, rounded, modulo 2^d
    STORE_UPPER  = 3'd3,  // FIPS 204's Power2Round of x < 8380417: r1, d = 10
    STORE_LOWER  = 3'd4,  // 2^12 - r0, d = 13
    STORE_HIGH   = 3'd5   // FIPS 204's HighBits: gamma2 = (q - 1) / 88 with d = 6, (q - 1) / 32 with d = 4
  } store_e;

  /* verilator lint_off UNUSEDPARAM */
  parameter int unsigned SmallBits = 21;  // of a small coefficient with its sign: up to 2^19
  parameter int unsigned ParseBits = 23;  // of a residue
  parameter int unsigned FieldBits = 20;  // of a field at most

  // The widths of fields. A field of another width is none: zero.
  parameter int unsigned Widths = 12;
  parameter logic [Widths-1:0][4:0] Width = {5'd20, 5'd18, 5'd14, 5'd13, 5'd12, 5'd11, 5'd10, 5'd6, 5'd5, 5'd4, 5'd3, 5'd1};
  /* verilator lint_on UNUSEDPARAM */

  // Blocks of a stream that almost always hold a polynomial: 256 coefficients, 1024 of NewHope, 512 of Falcon.
  function automatic logic [4:0] parse_blocks(input parse_e kind);
    unique case (kind)
      PARSE_12: return 5'd3;
      PARSE_23: return 5'd5;
      PARSE_14: return 5'd18;
      PARSE_16: return 5'd14;
      default:  return 5'd9;
    endcase
  endfunction

  function automatic logic [4:0] small_blocks(input small_e kind);
    unique case (kind)
      SMALL_CBD2:                 return 5'd1;
      SMALL_PSI16:                return 5'd31;
      SMALL_MASK18, SMALL_MASK20: return 5'd5;
      default:                    return 5'd2;
    endcase
  endfunction
endpackage
