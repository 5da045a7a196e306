// SPDX-License-Identifier: Apache-2.0
// rs_stream_commutator: exchanges the bit that tells the halves of a token apart with bit LogRows of the token's number in its limb. With
//          D = 2^LogRows the tokens A_0, A_1, A_2 ... come out as A_0 with A_D, A_1 with A_D+1, ...: the upper halves first, then the lower ones.
// Params:  Half: bits of half a token; LogRows; LutRows (rs_stream_delay)
// Bounds:  a limb has a multiple of 2 D tokens
// Timing:  moves with tokens only. A token pushes out the one of D tokens before, rs_stream_pkg::CommutatorLatency = 1 cycles later; so
//          the first D tokens after start_i push out what is not live
//
//   upper --+----- X --- D tokens --> upper      X: straight for D tokens, crossed for D tokens
//   lower --- D tokens --- X -------> lower      both delays are one memory
module rs_stream_commutator #(
    parameter int unsigned Half    = 64,
    parameter int unsigned LogRows = 3,
    parameter int unsigned LutRows = 64
) (
    input  logic            clk_i,
    input  logic            rst_ni,
    input  logic            start_i,  // as after reset
    input  logic            token_i,
    input  logic            first_i,  // the first word of a limb
    input  logic            live_i,
    input  logic [Half-1:0] upper_i,
    input  logic [Half-1:0] lower_i,
    output logic            token_o,
    output logic            first_o,
    output logic            live_o,
    output logic            take_o,   // a live token, the last of D that share twiddles
    output logic [Half-1:0] upper_o,
    output logic [Half-1:0] lower_o
);

  localparam int unsigned RowBits = LogRows > 0 ? LogRows : 1;

  // ---- which token
  logic [LogRows:0] count_q;
  logic crossed, waits_q, live_q, first, live, last;
  logic [RowBits-1:0] row;

  assign crossed = count_q[LogRows];
  if (LogRows == 0) begin : gen_one_row
    assign row  = '0;
    assign last = 1'b1;
  end else begin : gen_rows
    assign row  = count_q[LogRows-1:0];
    assign last = &row;
  end

  // the first of a limb comes out D tokens after it came in: of its limb is also the token that pushes it
  assign first = waits_q && row == '0;
  assign live  = first ? live_i : live_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i) begin
      count_q <= '0;
      waits_q <= 1'b0;
      live_q  <= 1'b0;
      token_o <= 1'b0;
      take_o  <= 1'b0;
    end else begin
      token_o <= token_i;
      take_o  <= token_i && live && last;
      if (token_i) begin
        count_q <= count_q + 1'b1;
        waits_q <= first_i || (waits_q && !first);
        live_q  <= live;
      end
    end
    first_o <= first;
    live_o  <= live;
  end

  // ---- words
  logic [Half-1:0] late, early, upper;

  assign upper = crossed ? late : upper_i;

  rs_stream_delay #(
      .Width  (2 * Half),
      .LogRows(LogRows),
      .LutRows(LutRows)
  ) u_delay (
      .clk_i,
      .token_i,
      .row_i (row),
      .data_i({lower_i, upper}),
      .data_o({late, early})
  );

  always_ff @(posedge clk_i) begin
    upper_o <= early;
    lower_o <= crossed ? upper_i : late;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && !start_i && token_i && first_i)
      assert (count_q == '0)
      else $error("%m: a limb ends after %0d of %0d tokens", count_q, 2 << LogRows);
  end
`endif

endmodule
