// SPDX-License-Identifier: Apache-2.0
// rs_masked_differs: whether any bit since clear_i was one, in two shares: Width bits per cycle, a tree of masked ANDs
//                    of their complements.
// Params:  Width: a power of two, at least 2
// Bounds:  the sharing of bits_i uniform; rand_i as in rs_dom_and; clear_i is public
// Timing:  log2 Width + 5 cycles from the last bits_i; shared zeros follow
module rs_masked_differs #(
    parameter  int unsigned Width  = 64,
    localparam int unsigned Levels = $clog2(Width)
) (
    input  logic                      clk_i,
    input  logic                      clear_i,   // with the first bits_i that count
    input  logic [    1:0][Width-1:0] bits_i,
    input  logic [Width:0]            rand_i,
    output logic [    1:0]            differs_o
);
  if (Width < 2 || 1 << Levels != Width) begin : gen_illegal
    $fatal(1, "%m: Width has to be a power of two, at least 2");
  end
  // node k is the AND of nodes 2k and 2k + 1; bits are nodes Width and up
  logic [1:0][2*Width-1:1] none;
  assign none[0][2*Width-1:Width] = ~bits_i[0];
  assign none[1][2*Width-1:Width] = bits_i[1];
  for (genvar k = 1; k < Width; k++) begin : gen_node
    rs_dom_and u_and (
        .clk_i,
        .a_i   ({none[1][2*k], none[0][2*k]}),
        .b_i   ({none[1][2*k+1], none[0][2*k+1]}),
        .rand_i(rand_i[k]),
        .c_o   ({none[1][k], none[0][k]})
    );
  end
  // The ANDs of every second node 1 since clear_i, in turn. What comes back is behind a flip-flop for the sum: in one
  // cycle with the two parts of it a probe would see the other share of what went in.
  logic at_first, second_q;
  logic [1:0] next, so_far_q, earlier, differs;
  rs_delay #(
      .Width (1),
      .Cycles(Levels)
  ) u_clear (
      .clk_i,
      .data_i(clear_i),
      .data_o(at_first)
  );
  always_ff @(posedge clk_i) begin
    second_q <= at_first;
    so_far_q <= next;
  end
  rs_dom_and u_all (
      .clk_i,
      .a_i   (at_first || second_q ? 2'b01 : so_far_q),
      .b_i   ({none[1][1], none[0][1]}),
      .rand_i(rand_i[0]),
      .c_o   (next)
  );
  // three cycles, not one: one behind the other a probe would see both shares of one
  rs_delay #(
      .Width (2),
      .Cycles(3)
  ) u_before (
      .clk_i,
      .data_i(so_far_q),
      .data_o(earlier)
  );
  rs_dom_and u_both (
      .clk_i,
      .a_i   (so_far_q),
      .b_i   (earlier),
      .rand_i(rand_i[Width]),
      .c_o   (differs)
  );
  assign differs_o = {differs[1], ~differs[0]};
endmodule
