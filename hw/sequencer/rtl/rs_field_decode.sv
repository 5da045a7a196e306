// SPDX-License-Identifier: Apache-2.0
// rs_field_decode: of the operations of a core with fields: what their words cannot say, digests that are not there, how many polynomials they have.
// Model:   docs/core.md, Fields; lib/tests/model_fields.c
// Params:  Sealed: HASH with a digest in front, the key and the choice (rs_seal)
// Bounds:  word_i of another operation gives no fault and one polynomial
// Timing:  combinational
module rs_field_decode
  import rs_isa_pkg::*;
#(
    parameter bit Sealed = 1'b0
) (
    input  logic [63:0] word_i,
    output logic        impossible_o,  // no such kind, width or number
    output logic        beyond_o,      // no such digest
    output logic        sized_o,       // it has polynomials
    output logic [ 4:0] polys_o
);
  // places of widths that kinds take, as bits
  localparam logic [15:0] AllWidths = (16'd1 << FieldWidths) - 16'd1;
  localparam logic [15:0] GrowWidths = (16'd2 << WIDTH_11) - 16'd1;
  localparam logic [15:0] HighWidths = 16'd1 << WIDTH_4 | 16'd1 << WIDTH_6;
  localparam logic [15:0] ShrinkWidths = 16'd1 << WIDTH_1 | 16'd3 << WIDTH_4 | 16'd3 << WIDTH_10;  // 1, 4, 5, 10, 11
  localparam int unsigned TauMax = 60;  // coefficients of a challenge
  localparam logic [4:0] OffsetPower = 5'd19, BoundPower = 5'd23;  // powers of offsets and bounds at most

  logic [OpBits-1:0] op;
  logic [3:0] dst, a, seed, draw, hash;
  logic append, long_seed;
  logic [15:0] width_in, width_out;
  logic [4:0] power;
  logic [1:0] grow;
  logic [2:0] shrink, norm;
  assign op        = word_i[OpLsb+:OpBits];
  assign dst       = word_i[DstLsb+:DstBits];
  assign a         = word_i[ALsb+:ABits];
  assign seed      = word_i[SeedDigestLsb+:SeedDigestBits];
  assign draw      = word_i[DrawLsb+:DrawBits];
  assign hash      = word_i[HashLsb+:HashBits];
  assign append    = word_i[AppendLsb];
  assign long_seed = word_i[LongSeedLsb];
  assign width_in  = 16'd1 << word_i[FieldWidthLsb+:FieldWidthBits];
  assign width_out = 16'd1 << word_i[FieldWidthOutLsb+:FieldWidthOutBits];
  assign power     = word_i[PowerLsb+:PowerBits];
  assign grow      = word_i[GrowLsb+:GrowBits];
  assign shrink    = word_i[ShrinkLsb+:ShrinkBits];
  assign norm      = word_i[NormLsb+:NormBits];

  // findings on the key and the choice: no other field
  logic [3:0] made, refusal;
  logic rest;
  assign made = word_i[PointerLsb+:PointerBits];
  assign refusal = word_i[HalvesLsb+:HalvesBits];
  assign rest    = append || word_i[SkipLsb] || word_i[NearLsb+:NearBits] != '0 || word_i[BytesLsb+:BytesBits] != '0 ||
      (hash == 4'(HashKey) && refusal != '0);

  always_comb begin
    impossible_o = 1'b0;
    beyond_o     = 1'b0;
    case (op)
      OP_HASH: begin
        // what follows in a digest begins at a half
        impossible_o = hash > HASH_SHA3_512 || (append ? word_i[BytesLsb+:5] != '0 : a != '0);
        beyond_o     = 5'(dst) + 5'(word_i[HalvesLsb+:HalvesBits]) >= 5'(Digests) || (append && 5'(a) >= 5'(Digests));
        if (Sealed && hash >= 4'(HashPrefix)) begin
          if (hash == 4'(HashKey)) begin
            impossible_o = dst[0] || word_i[PointerLsb+:PointerBits] != '0 || rest;
            beyond_o     = 5'(dst) >= 5'(Digests) || 32'(a) >= KeySlots;
          end else if (hash == 4'(HashChoice)) begin
            impossible_o = rest;
            beyond_o     = 5'(dst) >= 5'(Digests) || 5'(a) >= 5'(Digests) || 5'(made) >= 5'(Digests) || 5'(refusal) >= 5'(Digests);
          end else begin
            impossible_o = hash > 4'd12 || append;
            beyond_o     = 5'(dst) + 5'(refusal) >= 5'(Digests) || 5'(a) >= 5'(Digests);
          end
        end
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
        impossible_o = (draw > DRAW_PARSE_16_BIG && draw < DRAW_CBD2) || draw == 4'd15 ||
            word_i[NumberBytesLsb+:NumberBytesBits] == '1;
        beyond_o = 5'(seed) + 5'(long_seed) >= 5'(Digests);
        if (Sealed && draw == 4'(DrawBall)) begin
          // one polynomial of 256 coefficients, as they are
          impossible_o = long_seed || word_i[NumberBytesLsb+:NumberBytesBits] != '0 || word_i[StepHighLsb] ||
              word_i[DrawsLsb+:DrawsBits] != '0 || word_i[FormLsb+:FormBits] != '0 || word_i[LogSizeLsb+:LogSizeBits] != 4'd8 ||
              word_i[NumberLsb+:NumberBits] > NumberBits'(TauMax);
          beyond_o = 5'(seed) + 5'(BallDigests) > 5'(Digests);
        end
      end
      OP_LOADF: begin
        impossible_o = (width_in & (grow == LOAD_GROW ? GrowWidths : AllWidths)) == '0 || grow > LOAD_GROW ||
            (grow == LOAD_MINUS && power > OffsetPower);
      end
      OP_STOREF: begin
        case (shrink)
          STORE_SHRINK: impossible_o = (width_out & ShrinkWidths) == '0;
          STORE_UPPER:  impossible_o = (width_out & (16'd1 << WIDTH_10)) == '0;
          STORE_LOWER:  impossible_o = (width_out & (16'd1 << WIDTH_13)) == '0;
          STORE_HIGH:   impossible_o = (width_out & HighWidths) == '0;
          default: begin
            impossible_o = (width_out & AllWidths) == '0 || shrink > STORE_HIGH || (shrink == STORE_MINUS && power > OffsetPower);
          end
        endcase
      end
      OP_NORM: impossible_o = norm > (Sealed ? 3'(NormCount) : NORM_CENTRED_32) || (norm == '0 && power > BoundPower);
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
