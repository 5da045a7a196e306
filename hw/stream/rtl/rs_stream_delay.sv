// SPDX-License-Identifier: Apache-2.0
// rs_stream_delay: a word, D = 2^LogRows tokens later.
// Params:  Width, LogRows; LutRows: up to so many rows are look-up tables (rs_ram_1r1w), more are a memory with one port (rs_ram_1rw)
// Bounds:  row_i counts tokens modulo D
// Timing:  data_o with token_i is what data_i was D tokens ago; data_i may depend on it in the same cycle
//
// The memory has rows of two tokens. An even token reads the row of the next two, an odd one writes its own: never both in a cycle. What is
// read comes a cycle later, and is needed at the next even token, which is two cycles later at least.
module rs_stream_delay #(
    parameter  int unsigned Width   = 64,
    parameter  int unsigned LogRows = 3,
    parameter  int unsigned LutRows = 64,
    localparam int unsigned RowBits = LogRows > 0 ? LogRows : 1
) (
    input  logic               clk_i,
    input  logic               token_i,
    input  logic [RowBits-1:0] row_i,
    input  logic [  Width-1:0] data_i,
    output logic [  Width-1:0] data_o
);

  localparam int unsigned Rows = 1 << LogRows;

  if (Rows <= 2) begin : gen_registers
    rs_delay_en #(
        .Width (Width),
        .Cycles(Rows)
    ) u_delay (
        .clk_i,
        .en_i(token_i),
        .data_i,
        .data_o
    );
    logic unused_row;
    assign unused_row = ^row_i;
  end else if (Rows <= LutRows) begin : gen_lut
    rs_ram_1r1w #(
        .Width(Width),
        .Depth(Rows)
    ) u_rows (
        .clk_i,
        .we_i   (token_i),
        .waddr_i(row_i),
        .wdata_i(data_i),
        .raddr_i(row_i),
        .rdata_o(data_o)
    );
  end else begin : gen_memory
    logic odd, fresh_q;
    logic [LogRows-2:0] pair;
    logic [1:0][Width-1:0] read, next_q;
    logic [Width-1:0] even_q, odd_q;

    assign odd  = row_i[0];
    assign pair = row_i[LogRows-1:1];

    rs_ram_1rw #(
        .Width(2 * Width),
        .Depth(Rows / 2)
    ) u_rows (
        .clk_i,
        .req_i  (token_i),
        .we_i   (odd),
        .addr_i (odd ? pair : pair + 1'b1),
        .wdata_i({data_i, even_q}),
        .rdata_o(read)
    );

    always_ff @(posedge clk_i) begin
      fresh_q <= token_i && !odd;
      if (fresh_q) next_q <= read;
      if (token_i && !odd) begin
        even_q <= data_i;
        odd_q  <= next_q[1];
      end
    end
    assign data_o = odd ? odd_q : next_q[0];
  end

endmodule
