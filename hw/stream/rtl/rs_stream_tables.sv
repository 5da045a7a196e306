// SPDX-License-Identifier: Apache-2.0
// rs_stream_tables: the factors of the twiddles w[j] = low[j mod 2^LogLow] high[j >> LogLow] of several contexts, for one group of multipliers.
// Model:   lib/src/machine/image.c rs_image_stream; README.md, "Twiddle image"
// Params:  W, LogNMax, LogLanes (log2 P) 1..3, Contexts
// Bounds:  a context is not written while it is read
// Timing:  low_o and high_o of row r, j = r P/2 .. r P/2 + P/2 - 1, two cycles after read_i; a row or a word is written per cycle
module rs_stream_tables #(
    parameter  int unsigned W        = 32,
    parameter  int unsigned LogNMax  = 12,
    parameter  int unsigned LogLanes = 1,
    parameter  int unsigned Contexts = 4,
    localparam int unsigned Pairs    = 1 << (LogLanes - 1),
    localparam int unsigned CtxBits  = Contexts > 1 ? $clog2(Contexts) : 1,
    localparam int unsigned LogLow   = LogNMax / 2,
    localparam int unsigned LowBits  = LogLow - LogLanes + 1,
    localparam int unsigned HighBits = LogNMax - LogLow,
    localparam int unsigned RowBits  = LowBits + HighBits
) (
    input  logic                       clk_i,
    // a row of low, or a word of high
    input  logic                       write_i,
    input  logic                       write_high_i,
    input  logic [ CtxBits-1:0]        write_ctx_i,
    input  logic [HighBits-1:0]        write_addr_i,
    input  logic [   Pairs-1:0][W-1:0] words_i,
    input  logic                       read_i,
    input  logic [ CtxBits-1:0]        ctx_i,
    input  logic [ RowBits-1:0]        row_i,
    output logic [   Pairs-1:0][W-1:0] low_o,
    output logic [       W-1:0]        high_o
);

  logic [Contexts-1:0][Pairs-1:0][W-1:0] low;
  logic [Contexts-1:0][W-1:0] high;
  logic [CtxBits-1:0] ctx_q;

  for (genvar c = 0; c < Contexts; c++) begin : gen_contexts
    logic write, read;
    assign write = write_i && write_ctx_i == CtxBits'(c);
    assign read  = read_i && ctx_i == CtxBits'(c);

    rs_ram_1rw #(
        .Width(Pairs * W),
        .Depth(1 << LowBits)
    ) u_low (
        .clk_i,
        .req_i  (read || (write && !write_high_i)),
        .we_i   (write && !write_high_i),
        .addr_i (write ? write_addr_i[LowBits-1:0] : row_i[LowBits-1:0]),
        .wdata_i(words_i),
        .rdata_o(low[c])
    );

    rs_ram_1rw #(
        .Width(W),
        .Depth(1 << HighBits)
    ) u_high (
        .clk_i,
        .req_i  (read || (write && write_high_i)),
        .we_i   (write && write_high_i),
        .addr_i (write ? write_addr_i : row_i[RowBits-1:LowBits]),
        .wdata_i(words_i[0]),
        .rdata_o(high[c])
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      assert (!(write && read))
      else $error("%m: context %0d is loaded while limbs use it", c);
    end
`endif
  end

  always_ff @(posedge clk_i) begin
    ctx_q  <= ctx_i;
    low_o  <= low[ctx_q];
    high_o <= high[ctx_q];
  end

endmodule
