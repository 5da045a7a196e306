// SPDX-License-Identifier: Apache-2.0
// rs_ntt_reorder: the register array between banks and lanes: brings a block of 8 Lanes words, 2 Lanes per step, from the
//          order of one stage to that of the next (or of the one before).
// Model:   docs/ntt_schedule.md: on the lanes' side a step is (l, g) and a word {h, lane}; on the banks' side, one stage later,
//          the step is (h, lane_0) and the word {g, l, lane_P-1 .. lane_1}
//          With fft_i a step is a slot of two cycles, in which words stay, and the top bit of the lane keeps its place: g = lane_0, lane =
//          {lane_P-1, h, lane_P-2 .. lane_1} from the lanes to the banks. Two lanes exchange h with g only, one lane h with g over its two components.
// Params:  W, Lanes (power of two); Latency: 3, or 5 of several lanes: with registers on both sides (rs_ntt_pkg::reorder_latency);
//          Encode: fft_i is there
// Bounds:  6 Lanes words of registers (Lanes = 1: 8), with Latency 5 10 Lanes; 2:1 multiplexers only
// Timing:  Latency, with fft_i rs_ntt_pkg::fft_reorder_more more; phase_i is the step mod 4 of the words at the input in the next cycle, with fft_i
//          {slot, second} mod 8
module rs_ntt_reorder #(
    parameter int unsigned W       = 32,
    parameter int unsigned Lanes   = 4,
    parameter int unsigned Latency = 3,
    parameter bit          Encode  = 1'b0
) (
    input  logic                      clk_i,
    input  logic                      inverse_i,  // from banks to lanes
    input  logic                      fft_i,
    input  logic [        2:0]        phase_i,
    input  logic [2*Lanes-1:0][W-1:0] lanes_i,
    input  logic [2*Lanes-1:0][W-1:0] banks_i,
    output logic [2*Lanes-1:0][W-1:0] lanes_o,
    output logic [2*Lanes-1:0][W-1:0] banks_o,    // without fft_i
    output logic [2*Lanes-1:0][W-1:0] fft_o       // with it: whoever has to choose anyway does it once
);

  if (Lanes == 0 || (Lanes & (Lanes - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Lanes %0d is not a power of two", Lanes);
  end
  if (Latency != 3 && !(Latency == 5 && Lanes > 1)) begin : gen_illegal_latency
    $fatal(1, "%m: Latency %0d is not 3, or 5 of several lanes", Latency);
  end

  logic fft;
  logic [1:0] step;
  logic [1:0] phase_q;  // the phase of the words at the input
  logic move_q;  // at the input: the last cycle of a step
  assign fft  = Encode && fft_i;
  assign step = fft ? phase_i[2:1] : phase_i[1:0];
  always_ff @(posedge clk_i) begin
    phase_q <= step;
    move_q  <= !fft || phase_i[0];
  end

  if (Lanes == 1) begin : gen_single
    // Three bits rotate: (l, g; h) in time and space becomes (h, l; g), the other way round for the inverse. Two exchanges, of g and h
    // and of the two time bits, in this order or the other one, and a register, from which the words go to banks or lanes.
    logic [1:0][W-1:0] swap_in, turn_in, late_1_q, late_2_q, turned, out_q;
    logic [W-1:0] wait_q, swap_a_q, swap_b, swap_b_lanes;
    logic [1:0] turn;
    logic second_q, now_q, twice_q;  // what hundreds of gates hang on is decided a cycle ahead

    assign turn = inverse_i ? step : phase_q;
    always_ff @(posedge clk_i) begin
      second_q <= step[0] ^ inverse_i;
      now_q    <= turn == 2'd2;
      twice_q  <= turn == 2'd3;
    end

    // as in rs_swap; but what goes on at once has a way for each direction, so that there is no loop
    assign swap_in = inverse_i ? turned : lanes_i;
    always_ff @(posedge clk_i) begin
      wait_q   <= swap_in[1];
      swap_a_q <= second_q ? wait_q : swap_in[0];
    end
    assign swap_b_lanes = second_q ? lanes_i[0] : wait_q;
    assign swap_b = second_q ? turned[0] : wait_q;

    // two cycles later, one, or now
    assign turn_in = inverse_i ? banks_i : {swap_b_lanes, swap_a_q};
    always_ff @(posedge clk_i) begin
      late_1_q <= turn_in;
      late_2_q <= late_1_q;
    end
    assign turned = now_q ? turn_in : twice_q ? late_2_q : late_1_q;

    always_ff @(posedge clk_i) out_q <= inverse_i ? {swap_b, swap_a_q} : turned;
    assign banks_o = out_q;

    if (Encode) begin : gen_fft
      logic [1:0][W-1:0] come, swapped;
      logic fft_second_q;
      assign come = inverse_i ? banks_i : lanes_i;
      always_ff @(posedge clk_i) fft_second_q <= step[1];
      rs_swap #(
          .W     (W),
          .Cycles(2)
      ) u_swap (
          .clk_i,
          .en_i    (move_q),
          .second_i(fft_second_q),
          .a_i     (come[0]),
          .b_i     (come[1]),
          .a_o     (swapped[0]),
          .b_o     (swapped[1])
      );
      assign fft_o   = swapped;
      assign lanes_o = fft ? swapped : out_q;
    end else begin : gen_ntt
      assign fft_o   = '0;
      assign lanes_o = out_q;
      logic unused;
      assign unused = move_q;
    end
  end else begin : gen_many
    // h changes places with l, lane_0 with g; everything else is wiring.
    localparam int unsigned Side = (Latency - 3) / 2;  // registers
    logic [1:0] phase, phase_late_q;  // phase of the words at the first swap in the next cycle, and in this one
    logic second_q, second_high_q, move, last_q, high_late_q;
    logic unused;
    assign phase  = Side == 0 ? step : phase_q;
    assign move   = Side == 0 ? !fft || phase_i[0] : move_q;
    assign unused = ^{phase_q, phase_late_q, move_q, high_late_q};

    always_ff @(posedge clk_i) begin
      phase_late_q  <= phase;
      high_late_q   <= phase_late_q[1];
      last_q        <= move;
      second_q      <= phase[0] && !(fft && Lanes == 2);
      second_high_q <= fft ? high_late_q : phase_late_q[1];  // at the second swap, one step later
    end
    logic en;
    assign en = !fft || last_q;

    logic [2*Lanes-1:0][W-1:0] fft_banks;
    assign fft_o = Encode ? fft_banks : '0;
    logic unused_banks;
    assign unused_banks = ^fft_banks;

    for (genvar r = 0; r < Lanes / 2; r++) begin : gen_cell
      logic [3:0][W-1:0] come, in, middle, out, go;

      for (genvar k = 0; k < 4; k++) begin : gen_word
        localparam int unsigned OnLanes = k / 2 * Lanes + 2 * r + k % 2;  // k = {h, lane_0}
        localparam int unsigned OnBanks = k % 2 * Lanes + k / 2 * (Lanes / 2) + r;  // k = {l, g}
        // r = {component, the rest}; of two lanes lane_0 is the component, and all words stay
        localparam int unsigned Quarter = Lanes < 4 ? 1 : Lanes / 4;
        localparam int unsigned OnFftBanks = Lanes == 2 ? OnLanes :
            k % 2 * Lanes + r / Quarter * (Lanes / 2) + k / 2 * Quarter + r % Quarter;
        assign come[k] = !inverse_i ? lanes_i[OnLanes] : fft ? banks_i[OnFftBanks] : banks_i[OnBanks];
        assign lanes_o[OnLanes] = go[k];
        assign banks_o[OnBanks] = go[k];
        assign fft_banks[OnFftBanks] = go[k];
      end

      rs_delay #(
          .Width (4 * W),
          .Cycles(Side)
      ) u_in (
          .clk_i,
          .data_i(come),
          .data_o(in)
      );
      rs_delay #(
          .Width (4 * W),
          .Cycles(Side)
      ) u_out (
          .clk_i,
          .data_i(out),
          .data_o(go)
      );

      for (genvar i = 0; i < 2; i++) begin : gen_swap
        rs_swap #(
            .W     (W),
            .Cycles(1)
        ) u_low (
            .clk_i,
            .en_i    (en),
            .second_i(second_q),
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
            .en_i    (en),
            .second_i(second_high_q),
            .a_i     (middle[i]),
            .b_i     (middle[2+i]),
            .a_o     (out[i]),
            .b_o     (out[2+i])
        );
      end
    end
  end

endmodule
