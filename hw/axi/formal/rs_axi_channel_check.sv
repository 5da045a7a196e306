// SPDX-License-Identifier: Apache-2.0
// rs_axi_channel_check: what the proofs about rs_axi_address have in common: what is on offer stays there until it is taken, never too many bursts are
//                       without their answer, and one transfer is in one state. inner_i are its registers: with them the rest is inductive.
module rs_axi_channel_check #(
    parameter int unsigned AddrBits    = 16,
    parameter int unsigned Outstanding = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input logic reset_i,  // behind the first cycle
    input logic start_i,
    input logic clear_i,
    input logic [5:0] low_i,  // low bits of the address that is given
    input logic answer_i,
    input logic ready_i,
    input logic busy_i,
    input logic asking_i,
    input logic valid_i,
    input logic [AddrBits-1:0] addr_i,
    input logic [7:0] len_i,
    input logic [31:0] free_i,
    input logic count_i,
    input logic cut_i,
    input logic wait_i,
    output logic [31:0] without_answer_o,
    output logic cleared_o,
    output logic started_o,
    output logic waiting_o
);
  logic [AddrBits-1:0] addr_q;
  logic [7:0] len_q;

  always_ff @(posedge clk_i) begin
    if (start_i) assume (!asking_i && low_i == '0);
    if (answer_i) assume (without_answer_o != '0);

    started_o <= rst_ni && start_i;
    waiting_o <= rst_ni && valid_i && !ready_i;
    addr_q <= addr_i;
    len_q <= len_i;
    if (!rst_ni) begin
      without_answer_o <= '0;
      cleared_o <= 1'b1;
    end else begin
      without_answer_o <= without_answer_o + 32'(valid_i && ready_i) - 32'(answer_i);
      if (start_i || clear_i) cleared_o <= clear_i;
    end

    if (reset_i) begin
      assert (without_answer_o <= Outstanding);
      if (waiting_o) assert (valid_i && addr_i == addr_q && len_i == len_q);
      if (!busy_i) assert (!asking_i && without_answer_o == '0);
      // what makes the above inductive
      assert (free_i + 32'(valid_i) + without_answer_o == Outstanding);
      assert (3'(count_i) + 3'(cut_i) + 3'(wait_i) + 3'(valid_i) <= 3'd1);
      assert (count_i == (started_o && !cleared_o));
      assert (busy_i || !(started_o || count_i || cut_i || wait_i || valid_i));
    end
  end
endmodule
