// SPDX-License-Identifier: Apache-2.0
// rs_field_gear: cuts a stream of beats into groups of another width; both widths are numbers of grains.
// Params:  InBits, OutBits: of a beat, of a group, at most; GrainBits: a divisor of both; Takes: bit k: take_i may be k
// Bounds:  clear_i comes before the first beat. give_i is 1 to InBits / GrainBits: what is above it in a beat is zero. take_i is one of Takes,
//          held while there is something in here. Bits of a group above take_i are those that follow, or zero
// Timing:  a beat and a group per cycle. Depends on the widths and on the handshakes, never on bits
//
// The buffer holds fill_q grains, zeros above them: a group leaves at the low end, and a beat is added behind the rest.

module rs_field_gear #(
    parameter  int unsigned InBits    = 64,
    parameter  int unsigned OutBits   = 96,
    parameter  int unsigned GrainBits = 8,
    parameter  logic [OutBits/GrainBits:0] Takes = '1,
    localparam int unsigned InGrains  = InBits / GrainBits,
    localparam int unsigned OutGrains = OutBits / GrainBits,
    localparam int unsigned GiveBits  = $clog2(InGrains + 1),
    localparam int unsigned TakeBits  = $clog2(OutGrains + 1)
) (
    input  logic                clk_i,
    input  logic                rst_ni,
    input  logic                clear_i,     // wipes and empties
    input  logic [GiveBits-1:0] give_i,
    input  logic [TakeBits-1:0] take_i,
    input  logic                valid_i,
    output logic                ready_o,
    input  logic [  InBits-1:0] data_sec_i,
    output logic                valid_o,     // stays, with the group unchanged, until ready_i
    input  logic                ready_i,
    output logic [ OutBits-1:0] data_sec_o
);
  // a beat is taken while there is less than the largest group
  localparam int unsigned Grains = OutGrains - 1 + InGrains;
  localparam int unsigned FillBits = $clog2(Grains + 1);

  if (GrainBits == 0 || InBits % GrainBits != 0 || OutBits % GrainBits != 0) begin : gen_illegal
    $fatal(1, "%m: GrainBits must divide InBits and OutBits");
  end

  logic [FillBits-1:0] fill_q, rest;
  logic [Grains-1:0][GrainBits-1:0] buffer_sec_q, rest_sec, added_sec;
  logic accept, leaves;

  assign valid_o = fill_q >= FillBits'(take_i);
  assign leaves  = valid_o && ready_i;
  assign rest    = leaves ? fill_q - FillBits'(take_i) : fill_q;
  assign ready_o = rest < FillBits'(OutGrains);
  assign accept  = valid_i && ready_o;

  always_comb begin
    rest_sec = buffer_sec_q;
    for (int unsigned k = 1; k <= OutGrains; k++) begin
      if (Takes[k] && leaves && take_i == TakeBits'(k)) rest_sec = buffer_sec_q >> (GrainBits * k);
    end
    added_sec = '0;
    if (accept) added_sec = (Grains * GrainBits)'(data_sec_i) << (GrainBits * 32'(rest));
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) fill_q <= '0;
    else fill_q <= rest + (accept ? FillBits'(give_i) : '0);
    if (clear_i) buffer_sec_q <= '0;
    else if (leaves || accept) buffer_sec_q <= rest_sec | added_sec;
  end

  // with more of a beat than of a group there may be more than OutBits
  assign data_sec_o = OutBits'(buffer_sec_q);

`ifndef SYNTHESIS
  logic clean_q;  // it was cleared once
  always_ff @(posedge clk_i) if (!rst_ni || clear_i) clean_q <= rst_ni;
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (32'(fill_q) <= Grains);
      assert (!clean_q || buffer_sec_q >> (GrainBits * 32'(fill_q)) == '0)
      else $error("%m: something above the bits that are there");
    end
  end
`endif
endmodule
