// SPDX-License-Identifier: Apache-2.0
// rs_ntt_reorder: the register array between banks and lanes: brings a block of 8 Lanes words, 2 Lanes per step, from the
//          order of one stage to that of the next (or of the one before).
// Model:   docs/ntt_schedule.md: on the lanes' side a step is (l, g) and a word {h, lane}; on the banks' side, one stage later,
//          the step is (h, lane_0) and the word {g, l, lane_P-1 .. lane_1}
// Params:  W, Lanes (power of two)
// Bounds:  6 Lanes words of registers (Lanes = 1: 8), 2:1 multiplexers only
// Timing:  rs_ntt_pkg::ReorderLatency; phase_i is the step mod 4 of the words at the input
module rs_ntt_reorder #(
    parameter int unsigned W     = 32,
    parameter int unsigned Lanes = 4
) (
    input  logic                      clk_i,
    input  logic                      inverse_i,  // from banks to lanes
    input  logic [        1:0]        phase_i,
    input  logic [2*Lanes-1:0][W-1:0] lanes_i,
    input  logic [2*Lanes-1:0][W-1:0] banks_i,
    output logic [2*Lanes-1:0][W-1:0] lanes_o,
    output logic [2*Lanes-1:0][W-1:0] banks_o
);

  if (Lanes == 0 || (Lanes & (Lanes - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Lanes %0d is not a power of two", Lanes);
  end

  logic [1:0] phase_1;  // at the second swap, one cycle later
  always_ff @(posedge clk_i) phase_1 <= phase_i;

  if (Lanes == 1) begin : gen_single
    // Three bits rotate: (l, g; h) in time and space becomes (h, l; g), the other way round for the inverse. Exchanges of g and
    // h, of the two time bits, again of g and h; the first or the last is off.
    logic [1:0][W-1:0] first_in, first_out, middle_out, last_out;  // the last is two cycles later
    assign first_in = inverse_i ? banks_i : lanes_i;

    rs_swap #(
        .W     (W),
        .Cycles(1)
    ) u_first (
        .clk_i,
        .second_i(phase_i[0] && !inverse_i),
        .a_i     (first_in[0]),
        .b_i     (first_in[1]),
        .a_o     (first_out[0]),
        .b_o     (first_out[1])
    );

    for (genvar i = 0; i < 2; i++) begin : gen_middle
      logic [W-1:0] late_1_q, late_2_q;
      always_ff @(posedge clk_i) begin
        late_1_q <= first_out[i];
        late_2_q <= late_1_q;
      end
      assign middle_out[i] = phase_1 == 2'd2 ? first_out[i] : phase_1 == 2'd3 ? late_2_q : late_1_q;
    end

    rs_swap #(
        .W     (W),
        .Cycles(1)
    ) u_last (
        .clk_i,
        .second_i(phase_i[0] && inverse_i),
        .a_i     (middle_out[0]),
        .b_i     (middle_out[1]),
        .a_o     (last_out[0]),
        .b_o     (last_out[1])
    );

    assign banks_o = last_out;
    assign lanes_o = last_out;
  end else begin : gen_many
    // h changes places with l, lane_0 with g; everything else is wiring.
    logic unused;
    assign unused = phase_1[0];

    for (genvar r = 0; r < Lanes / 2; r++) begin : gen_cell
      logic [3:0][W-1:0] in, middle, out;

      for (genvar k = 0; k < 4; k++) begin : gen_word
        localparam int unsigned OnLanes = k / 2 * Lanes + 2 * r + k % 2;  // k = {h, lane_0}
        localparam int unsigned OnBanks = k % 2 * Lanes + k / 2 * (Lanes / 2) + r;  // k = {l, g}
        assign in[k] = inverse_i ? banks_i[OnBanks] : lanes_i[OnLanes];
        assign lanes_o[OnLanes] = out[k];
        assign banks_o[OnBanks] = out[k];
      end

      for (genvar i = 0; i < 2; i++) begin : gen_swap
        rs_swap #(
            .W     (W),
            .Cycles(1)
        ) u_low (
            .clk_i,
            .second_i(phase_i[0]),
            .a_i     (in[2*i]),
            .b_i     (in[2*i+1]),
            .a_o     (middle[2*i]),
            .b_o     (middle[2*i+1])
        );
        rs_swap #(
            .W     (W),
            .Cycles(2)
        ) u_high (
            .clk_i,
            .second_i(phase_1[1]),
            .a_i     (middle[i]),
            .b_i     (middle[2+i]),
            .a_o     (out[i]),
            .b_o     (out[2+i])
        );
      end
    end
  end

endmodule
