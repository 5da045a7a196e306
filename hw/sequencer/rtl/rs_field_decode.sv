// SPDX-License-Identifier: Apache-2.0
// rs_field_decode: of the operations of a core with fields: what their words cannot say, digests that are not there, how many polynomials they have.
// Model:   docs/core.md, Fields; lib/tests/model_core.c
// Bounds:  word_i of another operation gives no fault and one polynomial
// Timing:  combinational
module rs_field_decode
  import rs_isa_pkg::*;
(
    input  logic [63:0] word_i,
    output logic        impossible_o,  // no such kind, width or number
    output logic        beyond_o,      // no such digest
    output logic        sized_o,       // it has polynomials
    output logic [ 4:0] polys_o
);
  // of rs_field_pkg, which stands behind this block: parse_e, load_e, store_e, and its widths
  localparam int unsigned ParseLast = 4;
  localparam int unsigned LoadLast = 2;
  localparam int unsigned StoreLast = 5;
  localparam int unsigned FieldWidths = 12;

  logic [OpBits-1:0] op;
  logic [3:0] dst, a, seed, draw, hash;
  logic append, long_seed;
  assign op        = word_i[OpLsb+:OpBits];
  assign dst       = word_i[DstLsb+:DstBits];
  assign a         = word_i[ALsb+:ABits];
  assign seed      = word_i[SeedDigestLsb+:SeedDigestBits];
  assign draw      = word_i[DrawLsb+:DrawBits];
  assign hash      = word_i[HashLsb+:HashBits];
  assign append    = word_i[AppendLsb];
  assign long_seed = word_i[LongSeedLsb];

  always_comb begin
    impossible_o = 1'b0;
    beyond_o     = 1'b0;
    case (op)
      OP_HASH: begin
        // what follows in a digest begins at a half
        impossible_o = hash > 4'd4 || (append ? word_i[BytesLsb+:5] != '0 : a != '0);
        beyond_o     = 5'(dst) + 5'(word_i[HalvesLsb+:HalvesBits]) >= 5'(Digests) || (append && 5'(a) >= 5'(Digests));
      end
      OP_LOADD: begin
        impossible_o = dst[0];
        beyond_o     = 5'(dst) >= 5'(Digests);
      end
      OP_STORED: begin
        impossible_o = a[0];
        beyond_o     = 5'(a) >= 5'(Digests);
      end
      OP_DRAW: begin
        impossible_o = (draw > 4'(ParseLast) && draw < 4'd8) || draw == 4'd15 || word_i[NumberBytesLsb+:NumberBytesBits] == '1;
        beyond_o     = 5'(seed) + 5'(long_seed) >= 5'(Digests);
      end
      OP_LOADF: begin
        impossible_o = 32'(word_i[FieldWidthLsb+:FieldWidthBits]) >= FieldWidths || word_i[GrowLsb+:GrowBits] > 2'(LoadLast);
      end
      OP_STOREF: begin
        impossible_o = 32'(word_i[FieldWidthOutLsb+:FieldWidthOutBits]) >= FieldWidths ||
            word_i[ShrinkLsb+:ShrinkBits] > 3'(StoreLast);
      end
      OP_NORM: impossible_o = word_i[NormLsb+:NormBits] > 3'd4;
      default: impossible_o = 1'b0;
    endcase
  end

  assign sized_o = op == OP_DRAW || op == OP_LOADF || op == OP_STOREF || op == OP_NORM;
  always_comb begin
    polys_o = 5'd1;
    if (op == OP_DRAW) polys_o = 5'(word_i[DrawsLsb+:DrawsBits]) + 5'd1;
    else if (sized_o) polys_o = 5'(word_i[PolysLsb+:PolysBits]) + 5'd1;
  end

  logic unused;
  assign unused = ^word_i;
endmodule
