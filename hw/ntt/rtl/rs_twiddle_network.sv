// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_network: words of the twiddle banks to the lanes: bank = lane, except for bits that are the same for all lanes.
// Model:   docs/ntt_schedule.md, "Twiddles"
// Params:  W, LogLanes
// Bounds:  LogLanes levels of 2:1 multiplexers, level j replaces bit j of the lane
// Timing:  rs_ntt_pkg::network_latency(LogLanes); inverse_i, fixed_i, bank_i come one cycle before their data, with the address
module rs_twiddle_network #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogLanes   = 2,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1
) (
    input  logic                         clk_i,
    input  logic                         inverse_i,  // mirrored: complement of the lane
    input  logic [SelectBits-1:0]        fixed_i,    // bits that bank_i gives
    input  logic [SelectBits-1:0]        bank_i,
    input  logic [     Lanes-1:0][W-1:0] data_i,
    output logic [     Lanes-1:0][W-1:0] data_o
);

  localparam int unsigned LevelsPerRegister = 3;

  logic [LogLanes:0][Lanes-1:0][W-1:0] level;
  assign level[0] = data_i;
  assign data_o   = level[LogLanes];

  for (genvar j = 0; j < LogLanes; j++) begin : gen_level
    logic [1:0] pick, pick_late;  // by the lane's own bit j: bit j of the bank
    logic [Lanes-1:0][W-1:0] picked;
    for (genvar own = 0; own < 2; own++) begin : gen_pick
      assign pick[own] = fixed_i[j] ? bank_i[j] : inverse_i ^ (own == 1);
    end
    rs_delay #(
        .Width (2),
        .Cycles(1 + j / LevelsPerRegister)
    ) u_pick (
        .clk_i,
        .data_i(pick),
        .data_o(pick_late)
    );
    for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
      assign picked[lane] = pick_late[lane>>j&1] ? level[j][lane|(1<<j)] : level[j][lane&~(1<<j)];
    end
    rs_delay #(
        .Width (Lanes * W),
        .Cycles(j % LevelsPerRegister == LevelsPerRegister - 1 || j == LogLanes - 1 ? 1 : 0)
    ) u_register (
        .clk_i,
        .data_i(picked),
        .data_o(level[j+1])
    );
  end

  if (LogLanes == 0) begin : gen_single
    logic unused;
    assign unused = ^{clk_i, inverse_i, fixed_i, bank_i};
  end

endmodule
