// SPDX-License-Identifier: Apache-2.0
// rs_stream_gear_formal: two gears whose bytes differ: equal handshakes for ever; an alternative beat that waits does not change; a block
// comes only when there is room. Byte positions are tested.
module rs_stream_gear_formal #(
    parameter int unsigned InBytes  = 136,
    parameter int unsigned OutBytes = 24,
    parameter int unsigned AltBytes = 1
) (
    input logic                 clk_i,
    input logic                 rst_ni,
    input logic                 alt_i,
    input logic                 valid_i,
    input logic                 ready_i,
    input logic [8*InBytes-1:0] data_i,
    input logic [8*InBytes-1:0] other_i
);
  logic [1:0] room, valid;
  logic [1:0][8*OutBytes-1:0] data;
  for (genvar i = 0; i < 2; i++) begin : gen_twin
    rs_stream_gear #(
        .InBytes (InBytes),
        .OutBytes(OutBytes),
        .AltBytes(AltBytes)
    ) u_dut (
        .clk_i,
        .rst_ni,
        .clear_i(!rst_ni),
        .alt_i,
        .room_o (room[i]),
        .valid_i,
        .data_i (i == 0 ? data_i : other_i),
        .valid_o(valid[i]),
        .ready_i,
        .data_o (data[i])
    );
  end

  // alt_i changes in the cycle after clear_i; a block comes after room_o only
  logic alt_q, rst_q, room_q;
  always_ff @(posedge clk_i) begin
    alt_q  <= alt_i;
    rst_q  <= rst_ni;
    room_q <= room[0] && rst_ni;
    if (rst_q) assume (alt_i == alt_q);
    if (!room_q) assume (!valid_i);
  end

  // only the low AltBytes bytes of data_o are part of an alternative beat; the others leave at once
  rs_handshake #(
      .Width(8 * AltBytes)
  ) u_handshake (
      .clk_i,
      .stop_i (!rst_ni),
      .valid_i(valid[0]),
      .ready_i(ready_i || !alt_i),
      .data_i (data[0][8*AltBytes-1:0])
  );

  logic reset_q = 1'b0;
  always_ff @(posedge clk_i) begin
    reset_q <= reset_q || !rst_ni;
    if (!reset_q) assume (!rst_ni);
    if (reset_q) begin
      assert (room[0] == room[1] && valid[0] == valid[1]);
      assert (gen_twin[0].u_dut.left_q == gen_twin[1].u_dut.left_q && gen_twin[0].u_dut.step_q == gen_twin[1].u_dut.step_q);
      assert (gen_twin[0].u_dut.tail_q == gen_twin[1].u_dut.tail_q && gen_twin[0].u_dut.place_q == gen_twin[1].u_dut.place_q);
      assert (gen_twin[0].u_dut.came_q == gen_twin[1].u_dut.came_q);
      assert (gen_twin[0].u_dut.came_tail_q == gen_twin[1].u_dut.came_tail_q || !gen_twin[0].u_dut.came_q);
      assert (gen_twin[0].u_dut.held_q == gen_twin[1].u_dut.held_q && gen_twin[0].u_dut.cuts_q == gen_twin[1].u_dut.cuts_q);
      assert (gen_twin[0].u_dut.tail_held_q == gen_twin[1].u_dut.tail_held_q);
      assert (gen_twin[0].u_dut.final_q == gen_twin[1].u_dut.final_q);
      // what block_q is said to hold, and when it gives it away
      assert (32'(gen_twin[0].u_dut.left_q) <= gen_twin[0].u_dut.Words);
      assert (gen_twin[0].u_dut.tail_q == (32'(gen_twin[0].u_dut.left_q) == 1));
      if (gen_twin[0].u_dut.step_q) assert (gen_twin[0].u_dut.left_q != '0);
      // a word of alternative beats does not overwrite the one that waits
      if (alt_i)
        assert (2'(gen_twin[0].u_dut.step_q) + 2'(gen_twin[0].u_dut.came_q) + 2'(gen_twin[0].u_dut.held_q) <= 2'd1);
        else if (rst_q) assert (gen_twin[0].u_dut.step_q == (gen_twin[0].u_dut.left_q != '0));
      if (room_q && rst_q) assert (32'(gen_twin[0].u_dut.left_q) <= (alt_i ? 0 : 1));
    end
  end
endmodule
