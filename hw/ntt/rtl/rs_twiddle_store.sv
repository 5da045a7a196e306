// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_store: the table w[1 .. N-1] in one bank per lane, one twiddle per lane and cycle.
// Model:   lib/src/context.c (the table); docs/ntt_schedule.md (where entries are)
// Params:  W, LogNMax, LogLanes
// Bounds:  N words in all, no copies: lane bits that do not matter in a stage select the one bank that has the word, in
//          LogLanes levels of 2:1 multiplexers
// Timing:  rs_ntt_pkg::twiddle_latency(LogLanes) from read_i to twiddle_o; a write may not meet a read
module rs_twiddle_store #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned AddrBits   = LogNMax - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input  logic                         clk_i,
    input  logic                         write_i,
    input  logic [  LogNBits-1:0]        log_n_i,    // of the table that is written
    input  logic [   LogNMax-1:0]        index_i,
    input  logic [         W-1:0]        data_i,
    input  logic                         read_i,
    input  logic                         inverse_i,  // mirrored: complement of the lane
    input  logic [  AddrBits-1:0]        addr_i,
    input  logic [SelectBits-1:0]        fixed_i,
    input  logic [SelectBits-1:0]        bank_i,
    output logic [     Lanes-1:0][W-1:0] twiddle_o
);

  localparam int unsigned LevelsPerRegister = 3;

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end
  logic [SelectBits-1:0] write_bank;
  logic [  AddrBits-1:0] write_addr;

  rs_twiddle_place #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes)
  ) u_place (
      .log_n_i,
      .index_i,
      .bank_o(write_bank),
      .addr_o(write_addr)
  );

  // ---- banks ----------------------------------------------------------------------------------------------------------
  logic [Lanes-1:0][W-1:0] read_data;
  logic [AddrBits-1:0] addr;
  assign addr = write_i ? write_addr : addr_i;

  for (genvar b = 0; b < Lanes; b++) begin : gen_bank
    logic write;
    assign write = write_i && write_bank == SelectBits'(b);
    rs_ram_1rw #(
        .Width(W),
        .Depth(1 << AddrBits)
    ) u_ram (
        .clk_i,
        .req_i  (write || read_i),
        .we_i   (write),
        .addr_i (addr),
        .wdata_i(data_i),
        .rdata_o(read_data[b])
    );
  end

  // ---- from banks to lanes: level j replaces bit j of the lane ---------------------------------------------------------
  logic [LogLanes:0][Lanes-1:0][W-1:0] level;
  assign level[0]  = read_data;
  assign twiddle_o = level[LogLanes];

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
    assign unused = ^{inverse_i, fixed_i, bank_i};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    assert (!(write_i && read_i))
    else $error("%m: a twiddle is written while a transform reads");
  end
`endif

endmodule
