// SPDX-License-Identifier: Apache-2.0
// rs_ntt_reorder_proof: any words in, every word out is the one that the schedule wants. A word stays Latency + 4 cycles at most, so
//                       the claim for the cycle after that from any state is the claim for ever.
module rs_ntt_reorder_proof #(
    parameter  int unsigned W          = 2,
    parameter  int unsigned LogLanes   = 2,
    parameter  bit          Inverse    = 1'b0,
    parameter  int unsigned Latency    = 3,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1
) (
    input logic                      clk_i,
    input logic [2*Lanes-1:0][W-1:0] data_i
);

  logic [1:0] phase_q, step;
  logic [3:0] age_q;
  logic [2*Lanes-1:0][W-1:0] lanes, banks;
  logic [8:0][2*Lanes-1:0][W-1:0] past;  // past[k]: k cycles ago
  logic [7:0][2*Lanes-1:0][W-1:0] past_q;

  assign past = {past_q, data_i};
  initial age_q = '0;
  always_ff @(posedge clk_i) begin
    phase_q <= phase_q + 1'b1;
    if (age_q != '1) age_q <= age_q + 1'b1;
    past_q <= past[7:0];
  end

  rs_ntt_reorder #(
      .W      (W),
      .Lanes  (Lanes),
      .Latency(Latency)
  ) u_reorder (
      .clk_i,
      .inverse_i(Inverse),
      .fft_i    (1'b0),
      .phase_i  (3'(phase_q) + 3'd1),
      .lanes_i  (data_i),
      .banks_i  (data_i),
      .lanes_o  (lanes),
      .banks_o  (banks)
  );

  // the step at the output; a step that came in as number m left `past` Latency + step - m cycles ago
  assign step = phase_q - 2'(Latency);

  always_comb begin
    if (32'(age_q) >= Latency + 4) begin
      for (int unsigned word = 0; word < 2 * Lanes; word++) begin
        logic [SelectBits-1:0] lane, from_lane;
        logic side, from_side;
        logic [1:0] from_step;
        logic [2*Lanes-1:0][W-1:0] came;
        lane = SelectBits'(word % Lanes);
        side = 1'(word / Lanes);
        if (!Inverse) begin
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
        came = past[4'(Latency)+4'(step)-4'(from_step)];
        assert ((Inverse ? lanes[word] : banks[word]) == came[(SelectBits+1)'(from_lane)+(from_side?(SelectBits+1)'(Lanes) : '0)]);
      end
    end
  end

endmodule
