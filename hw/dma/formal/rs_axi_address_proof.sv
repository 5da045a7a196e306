// SPDX-License-Identifier: Apache-2.0
// rs_axi_address_proof: for ever, by induction: bursts are legal, follow one another, add up to what was asked, stay on offer until
//                       they are taken, and never too many are without their answer.
module rs_axi_address_proof #(
    parameter int unsigned BusBits       = 64,
    parameter int unsigned AddrBits      = 20,
    parameter int unsigned Outstanding   = 5,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned BytesBits     = 16
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 start_i,
    input logic                 clear_i,
    input logic [ AddrBits-1:0] addr_i,
    input logic [BytesBits-1:0] bytes_i,
    input logic                 answer_i,
    input logic                 ready_i
);
  logic idle, valid;
  logic [AddrBits-1:0] addr;
  logic [7:0] len;

  rs_axi_address #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .BytesBits    (BytesBits)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .bytes_i,
      .answer_i,
      .idle_o (idle),
      .valid_o(valid),
      .ready_i,
      .addr_o (addr),
      .len_o  (len)
  );

  // what the memory has seen of this transfer
  logic [31:0] size, without_answer_q;
  logic [BytesBits-1:0] asked_q, announced_q;
  logic [AddrBits-1:0] next_q, addr_q;
  logic [7:0] len_q;
  logic cleared_q, waiting_q;
  logic reset_q = 1'b0;

  assign size = (32'(len) + 32'd1) * (BusBits / 8);

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    if (!reset_q)
      assume (!rst_ni);
      else assume (rst_ni);
    if (start_i) assume (idle && addr_i[5:0] == '0 && bytes_i[5:0] == '0 && bytes_i != '0);
    if (answer_i) assume (without_answer_q != '0);

    waiting_q <= rst_ni && valid && !ready_i;
    addr_q <= addr;
    len_q <= len;
    if (!rst_ni) begin
      without_answer_q <= '0;
      cleared_q <= 1'b1;
    end else begin
      without_answer_q <= without_answer_q + 32'(valid && ready_i) - 32'(answer_i);
      if (start_i) begin
        asked_q <= bytes_i;
        announced_q <= '0;
        next_q <= addr_i;
      end else if (valid && ready_i) begin
        announced_q <= announced_q + BytesBits'(size);
        next_q <= next_q + AddrBits'(size);
      end
      if (start_i || clear_i) cleared_q <= clear_i;
    end

    if (reset_q) begin
      assert (without_answer_q <= Outstanding);
      if (waiting_q) assert (valid && addr == addr_q && len == len_q);
      if (valid) begin
        assert (addr == next_q);
        assert (32'(addr[11:0]) + size <= 32'd4096);
        assert (size <= MaxBurstBytes && size[5:0] == '0);
        if (cleared_q) assert (waiting_q);
      end
      if (idle) assert (without_answer_q == '0 && (cleared_q || announced_q == asked_q));

      // what makes the above inductive
      assert (32'(u_dut.outstanding_q) == without_answer_q);
      if (u_dut.left_q != '0) assert ({u_dut.line_q, 6'd0} == next_q);
      if (!cleared_q)
        assert (announced_q + {u_dut.left_q, 6'd0} == asked_q && announced_q <= asked_q);
        else assert (u_dut.left_q == '0 || (waiting_q && u_dut.left_q == (BytesBits - 6)'(u_dut.burst)));
    end
  end
endmodule
