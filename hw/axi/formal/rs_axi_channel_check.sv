// SPDX-License-Identifier: Apache-2.0
// rs_axi_channel_check: what the proofs about rs_axi_address have in common; it reads their u_dut. What is on offer stays there until it is taken, never
//                       too many bursts are without their answer, and one transfer is in one state. With that of u_dut's registers it is inductive.
module rs_axi_channel_check #(
    parameter int unsigned AddrBits    = 16,
    parameter int unsigned Outstanding = 4,
    parameter int unsigned LowBits     = 6    // those of u_dut, of the number of a line
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic                start_i,
    input logic                clear_i,
    input logic [AddrBits-1:0] addr_i,
    input logic                answer_i,
    input logic                ready_i
);
  logic reset_q = 1'b0;  // behind the first cycle
  logic cleared_q, started_q, waiting_q;
  logic [31:0] without_answer_q;
  logic [AddrBits-1:0] addr_q, base_q;
  logic [7:0] len_q;
  logic [AddrBits-7-LowBits:0] first_high;
  logic begins, at_hand;  // a transfer has no burst yet; there is one

  assign begins = u_dut.count_q || u_dut.cut_q;
  assign at_hand = u_dut.wait_q || u_dut.valid_q;
  assign first_high = base_q[AddrBits-1:6+LowBits];

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    if (start_i) assume (!u_dut.asking_o && addr_i[5:0] == '0);
    if (answer_i) assume (without_answer_q != '0);

    started_q <= rst_ni && start_i;
    waiting_q <= rst_ni && u_dut.valid_o && !ready_i;
    addr_q <= u_dut.addr_o;
    len_q <= u_dut.len_o;
    if (!rst_ni) begin
      without_answer_q <= '0;
      cleared_q <= 1'b1;
    end else begin
      without_answer_q <= without_answer_q + 32'(u_dut.valid_o && ready_i) - 32'(answer_i);
      if (start_i || clear_i) cleared_q <= clear_i;
      if (start_i) base_q <= addr_i;
    end

    if (reset_q) begin
      assert (without_answer_q <= Outstanding);
      if (waiting_q) assert (u_dut.valid_o && u_dut.addr_o == addr_q && u_dut.len_o == len_q);
      if (!u_dut.busy_o) assert (!u_dut.asking_o && without_answer_q == '0);
      // what makes the above, and what the proofs say, inductive
      assert (32'(u_dut.free_q) + 32'(u_dut.valid_o) + without_answer_q == Outstanding);
      assert (3'(u_dut.count_q) + 3'(u_dut.cut_q) + 3'(u_dut.wait_q) + 3'(u_dut.valid_o) <= 3'd1);
      assert (u_dut.count_q == (started_q && !cleared_q));
      assert (u_dut.busy_o || !(started_q || begins || at_hand));
      if (begins) assert ({u_dut.flip_q, u_dut.low_q} == {1'b0, base_q[6+:LowBits]});
      if (u_dut.cut_q || at_hand) assert (u_dut.differ_q == (first_high ^ (first_high + 1'b1)));
      if (cleared_q) assert (!begins && !u_dut.wait_q && !u_dut.more_q);
      if (at_hand && !cleared_q) assert (u_dut.more_q == (u_dut.after_q != '0) && u_dut.final_q == (32'(u_dut.after_q) == 32'd1));
    end
  end
endmodule
