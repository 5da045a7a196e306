// SPDX-License-Identifier: Apache-2.0
// rs_field_pkg: kinds of polynomials that come from streams of bytes, and of fields of bits in memory.
package rs_field_pkg;
  // Public uniform residues (rs_parse_uniform): candidates of a stream, of which those below a bound are kept.
  typedef enum logic [2:0] {
    PARSE_12     = 3'(rs_isa_pkg::DRAW_PARSE_12),     // 12 bits < 3329: FIPS 203, algorithm 7
    PARSE_23     = 3'(rs_isa_pkg::DRAW_PARSE_23),     // the low 23 of 24 bits < 8380417: FIPS 204, algorithm 30
    PARSE_14     = 3'(rs_isa_pkg::DRAW_PARSE_14),     // the low 14 of 16 bits < 12289: NewHope (USENIX 2016)
    PARSE_16     = 3'(rs_isa_pkg::DRAW_PARSE_16),     // 16 bits < 5 * 12289, modulo 12289: NewHope (NIST round 2)
    PARSE_16_BIG = 3'(rs_isa_pkg::DRAW_PARSE_16_BIG)  // likewise, the high byte first: Falcon's HashToPoint
  } parse_e;

  // Small coefficients (rs_sample_small): private.
  typedef enum logic [2:0] {
    SMALL_CBD2   = 3'(rs_isa_pkg::DRAW_CBD2 - 4'd8),    // FIPS 203, algorithm 8, eta = 2
    SMALL_CBD3   = 3'(rs_isa_pkg::DRAW_CBD3 - 4'd8),    // eta = 3
    SMALL_PSI16  = 3'(rs_isa_pkg::DRAW_PSI16 - 4'd8),   // eta = 16: NewHope's noise
    SMALL_ETA2   = 3'(rs_isa_pkg::DRAW_ETA2 - 4'd8),    // FIPS 204, algorithm 31, eta = 2
    SMALL_ETA4   = 3'(rs_isa_pkg::DRAW_ETA4 - 4'd8),    // eta = 4
    SMALL_MASK18 = 3'(rs_isa_pkg::DRAW_MASK18 - 4'd8),  // FIPS 204, algorithm 34, gamma1 = 2^17
    SMALL_MASK20 = 3'(rs_isa_pkg::DRAW_MASK20 - 4'd8)   // gamma1 = 2^19
  } small_e;

  // What a field of memory means (rs_load_fields).
  typedef enum logic [1:0] {
    LOAD_PLAIN = rs_isa_pkg::LOAD_PLAIN,  // x
    LOAD_MINUS = rs_isa_pkg::LOAD_MINUS,  // offset - x modulo q
    LOAD_GROW  = rs_isa_pkg::LOAD_GROW    // FIPS 203's Decompress: 3329 x / 2^d, rounded
  } load_e;

  // What a residue becomes in memory (rs_store_fields).
  typedef enum logic [2:0] {
    STORE_PLAIN = rs_isa_pkg::STORE_PLAIN,  // x
    STORE_MINUS = rs_isa_pkg::STORE_MINUS,  // offset - x modulo q
    STORE_SHRINK = rs_isa_pkg::STORE_SHRINK,  // FIPS 203's Compress, d = 1, 4, 5, 10, 11: 2^d x / 3329, rounded, mod 2^d
    STORE_UPPER = rs_isa_pkg::STORE_UPPER,  // FIPS 204's Power2Round of x < 8380417: r1, d = 10
    STORE_LOWER = rs_isa_pkg::STORE_LOWER,  // 2^12 - r0, d = 13
    STORE_HIGH = rs_isa_pkg::STORE_HIGH  // FIPS 204's HighBits: gamma2 = (q - 1) / 88 with d = 6, (q - 1) / 32 with d = 4
  } store_e;

  /* verilator lint_off UNUSEDPARAM */
  parameter int unsigned SmallBits = 21;  // bits of a small coefficient with its sign: up to 2^19
  parameter int unsigned ParseBits = 23;  // bits of a residue
  parameter int unsigned FieldBits = 20;  // bits of a field at most
  parameter int unsigned BoundBits = 24;  // bits of a bound of residues: 2^23 at most
  parameter int unsigned Widths = rs_isa_pkg::FieldWidths;
  parameter logic [Widths-1:0][4:0] Width = rs_isa_pkg::FieldWidth;
  /* verilator lint_on UNUSEDPARAM */

  // A word of the unit PACK (rs_pack_unit). LOADF has its width in a and the flag `secret` in kind[2], STOREF its width in dst.
  typedef struct packed {
    logic [7:0] margin;
    logic [4:0] power;
    logic [3:0] count;  // polynomials, less one
    logic [8:0] line;
    logic [5:0] slice;
    logic [3:0] log_size;
    logic zero_27;
    logic [2:0] kind;
    logic [3:0] ctx;
    logic [3:0] pointer;
    logic [3:0] a;
    logic [3:0] dst;
    logic [1:0] form;  // 0: coefficients, 1: NTT form, 2: NTT form of two slices of half the size
    logic [5:0] op;
  } pack_t;

  // The width by its place; 0: there is none.
  function automatic logic [4:0] width_of(input logic [3:0] index);
    width_of = '0;
    for (int unsigned k = 0; k < Widths; k++) if (32'(index) == k) width_of = Width[k];
  endfunction

  // The power of an offset, of the kinds that have one.
  function automatic logic legal_load(input load_e kind, input logic [4:0] width, input logic [4:0] power);
    unique case (kind)
      LOAD_PLAIN: return width != '0;
      LOAD_MINUS: return width != '0 && power <= 5'd19;
      LOAD_GROW:  return width != '0 && width <= 5'd11;
      default:    return 1'b0;
    endcase
  endfunction

  function automatic logic legal_store(input store_e kind, input logic [4:0] width, input logic [4:0] power);
    unique case (kind)
      STORE_PLAIN:  return width != '0;
      STORE_MINUS:  return width != '0 && power <= 5'd19;
      STORE_SHRINK: return width == 5'd1 || width == 5'd4 || width == 5'd5 || width == 5'd10 || width == 5'd11;
      STORE_UPPER:  return width == 5'd10;
      STORE_LOWER:  return width == 5'd13;
      STORE_HIGH:   return width == 5'd6 || width == 5'd4;
      default:      return 1'b0;
    endcase
  endfunction

  function automatic logic legal_norm(input logic [2:0] kind, input logic [4:0] power);
    return kind <= rs_isa_pkg::NORM_CENTRED_32 && (kind != rs_isa_pkg::NORM_CENTRED || power <= 5'd23);
  endfunction

  // 2^(power + 1) - margin, or the largest field, or none: zero, with a margin that is positive
  function automatic logic [FieldBits-1:0] upper_limit(input logic [4:0] power, input logic [7:0] margin);
    logic [FieldBits:0] top;
    top = (FieldBits + 1)'(2) << power;
    if (top < (FieldBits + 1)'(margin)) return '0;
    top -= (FieldBits + 1)'(margin);
    return top[FieldBits] ? '1 : FieldBits'(top);
  endfunction

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
  // Where an address is, of a sealed core: inside of its vault, and in which part; and whether that of a burst is not where its instruction's is.
  // verilator lint_off UNUSEDPARAM
  localparam int unsigned PlacePartLsb = 6 + $clog2(rs_isa_pkg::VaultLines);
  // verilator lint_on UNUSEDPARAM
  function automatic logic strays(input logic [2:0] burst, input logic [2:0] own);
    return burst[2] != own[2] || (own[2] && burst[1:0] != own[1:0]);
  endfunction
endpackage
