// SPDX-License-Identifier: Apache-2.0
// rs_ntt_reorder_proof: any words in, every word out is the one that the schedule wants. A word stays Latency + 4 cycles at most, so
//                       the claim for the cycle after that from any state is the claim for ever. Encode: of an FFT, where steps are slots.
module rs_ntt_reorder_proof #(
    parameter int unsigned W = 2,
    parameter int unsigned LogLanes = 2,
    parameter bit Inverse = 1'b0,
    parameter int unsigned Latency = 3,
    parameter bit Encode = 1'b0,
    localparam int unsigned Cycles = Encode ? 2 : 1,  // cycles of a step
    localparam int unsigned Total = Encode ? Latency + rs_ntt_pkg::fft_reorder_more(LogLanes) : Latency,
    localparam int unsigned Longest = Total + 4 * Cycles,
    localparam int unsigned Lanes = 1 << LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned Second = SelectBits > 1 ? SelectBits - 2 : 0  // bit below the top one
) (
    input logic                      clk_i,
    input logic [2*Lanes-1:0][W-1:0] data_i
);

  logic [2:0] phase_q, left;
  logic [1:0] step;
  logic second;  // at the output
  logic [4:0] age_q;
  logic [2*Lanes-1:0][W-1:0] lanes, banks, ntt_banks, fft_banks, data, data_q;
  logic [  Longest:0][2*Lanes-1:0][W-1:0] past;  // past[k]: k cycles ago
  logic [Longest-1:0][2*Lanes-1:0][W-1:0] past_q;

  // the words of a slot stay
  assign data = Encode && phase_q[0] ? data_q : data_i;
  assign past = {past_q, data};
  initial age_q = '0;
  always_ff @(posedge clk_i) begin
    phase_q <= phase_q + 1'b1;
    if (age_q != '1) age_q <= age_q + 1'b1;
    past_q <= past[Longest-1:0];
    data_q <= data;
  end

  rs_ntt_reorder #(
      .W      (W),
      .Lanes  (Lanes),
      .Latency(Latency),
      .Encode (Encode)
  ) u_reorder (
      .clk_i,
      .inverse_i(Inverse),
      .fft_i    (Encode),
      .phase_i  (phase_q + 3'd1),
      .lanes_i  (data),
      .banks_i  (data),
      .lanes_o  (lanes),
      .banks_o  (ntt_banks),
      .fft_o    (fft_banks)
  );
  assign banks  = Encode ? fft_banks : ntt_banks;

  // the step at the output; a step that came in as number m left `past` Total + Cycles (step - m) + second cycles ago
  assign left   = phase_q - 3'(Total);
  assign step   = Encode ? left[2:1] : left[1:0];
  assign second = Encode && left[0];

  always_comb begin
    if (32'(age_q) >= Longest) begin
      for (int unsigned word = 0; word < 2 * Lanes; word++) begin
        logic [SelectBits-1:0] lane, from_lane;
        logic side, from_side;
        logic [1:0] from_step;
        logic [2*Lanes-1:0][W-1:0] came;
        lane = SelectBits'(word % Lanes);
        side = 1'(word / Lanes);
        if (Encode && LogLanes < 2) begin
          // two lanes, one lane: h changes places with the upper bit of the slot's number
          from_side = step[1];
          from_step = {side, step[0]};
          from_lane = lane;
        end else if (Encode && !Inverse) begin
          // slot (l', g') = (h, lane_0), word {h', lane'} = {g, component, l, lane_(P-2) .. lane_1}  <-  slot (l, g), word {h, lane}
          from_side = step[1];
          from_step = {lane[Second], side};
          from_lane = SelectBits'({lane, step[0]});
          from_lane[SelectBits-1] = lane[SelectBits-1];
        end else if (Encode) begin
          from_side = step[0];
          from_step = {side, lane[0]};
          from_lane = lane >> 1;
          from_lane[Second] = step[1];
          from_lane[SelectBits-1] = lane[SelectBits-1];
        end else if (!Inverse) begin
          // step (l', g') = (h, lane_0), word {h', lane'} = {g, l, lane_P-1 .. lane_1}  <-  step (l, g), word {h, lane}
          from_side = step[1];
          from_step[0] = side;
          if (LogLanes == 0) begin
            from_step[1] = step[0];
            from_lane = '0;
          end else begin
            from_step[1] = lane[SelectBits-1];
            from_lane = SelectBits'({lane, step[0]});
          end
        end else begin
          // step (l, g), word {h, lane}  <-  step (h, lane_0), word {g, l, lane_P-1 .. lane_1}
          from_side = step[0];
          from_step[1] = side;
          if (LogLanes == 0) begin
            from_step[0] = step[1];
            from_lane = '0;
          end else begin
            from_step[0] = lane[0];
            from_lane = SelectBits'({step[1], lane} >> 1);
          end
        end
        came = past[5'(Total)+5'(Cycles)*(5'(step)-5'(from_step))+5'(second)];
        assert ((Inverse ? lanes[word] : banks[word]) == came[(SelectBits+1)'(from_lane)+(from_side?(SelectBits+1)'(Lanes) : '0)]);
      end
    end
  end

endmodule
