// SPDX-License-Identifier: Apache-2.0
// rs_field_compact: takes In candidates at a time, drops those that are not accepted, and gives the others in rows of Out.
// Params:  Bits: of a candidate; In; Out: at most In
// Timing:  a row leaves two cycles after the candidates that complete it; Out rows per cycle at most. With Out = In nothing ever waits.
//          Depends on how many are accepted, never on their values

module rs_field_compact #(
    parameter int unsigned Bits = 23,
    parameter int unsigned In   = 4,
    parameter int unsigned Out  = 4
) (
    input  logic                     clk_i,
    input  logic                     rst_ni,
    input  logic                     clear_i,     // wipes and empties
    input  logic                     valid_i,
    output logic                     ready_o,
    input  logic [ In-1:0]           accept_i,
    input  logic [ In-1:0][Bits-1:0] data_sec_i,
    output logic                     valid_o,     // for one cycle: nothing holds it up
    output logic [Out-1:0][Bits-1:0] data_sec_o
);
  if (Out == 0 || Out > In) begin : gen_illegal
    $fatal(1, "%m: Out must be 1 to In");
  end

  // candidates join the buffer when less than a row is there
  localparam int unsigned Slots = Out - 1 + In;
  localparam int unsigned FillBits = $clog2(Slots + 1);

  logic [In-1:0][Bits-1:0] packed_sec, packed_sec_q;
  logic [FillBits-1:0] count, count_q, fill_q, merged;
  logic [Slots-1:0][Bits-1:0] buffer_sec_q, merged_sec;
  logic joins, row, valid_q;
  logic [Out-1:0][Bits-1:0] data_sec_q;

  always_comb begin
    packed_sec = '0;
    count      = '0;
    for (int i = int'(In) - 1; i >= 0; i--) begin
      if (accept_i[i]) begin
        packed_sec = (In * Bits)'({packed_sec, data_sec_i[i]});
        count += FillBits'(1);
      end
    end
  end

  assign joins   = fill_q < FillBits'(Out);
  assign ready_o = joins;

  always_comb begin
    merged     = fill_q;
    merged_sec = buffer_sec_q;
    if (joins) begin
      merged = fill_q + count_q;
      for (int unsigned place = 0; place < Out; place++) begin
        if (fill_q == FillBits'(place)) merged_sec |= (Slots * Bits)'(packed_sec_q) << (Bits * place);
      end
    end
  end
  assign row = merged >= FillBits'(Out);

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      count_q <= '0;
      fill_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (joins) count_q <= valid_i ? count : '0;
      fill_q  <= row ? merged - FillBits'(Out) : merged;
      valid_q <= row;
    end
    if (clear_i) begin
      packed_sec_q <= '0;
      buffer_sec_q <= '0;
      data_sec_q   <= '0;
    end else begin
      if (joins) packed_sec_q <= valid_i ? packed_sec : '0;
      buffer_sec_q <= row ? merged_sec >> (Bits * Out) : merged_sec;
      if (row) data_sec_q <= (Out * Bits)'(merged_sec);
    end
  end

  assign valid_o    = valid_q;
  assign data_sec_o = data_sec_q;
endmodule
