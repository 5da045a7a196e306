// SPDX-License-Identifier: Apache-2.0
// rs_ntt_engine: in-place NTT and inverse of one polynomial in 4 Lanes single-port banks.
// Model:   lib/src/ntt.c rs_ntt_forward, rs_ntt_inverse (bit-exact, N^-1 included); schedule: docs/ntt_schedule.md
// Params:  W, Reduction, WordBits (rs_lane); LogNMax, Lanes (power of two)
// Bounds:  log_n_i in log2(Lanes) + 4 .. LogNMax; q_i, mu_i, shift_i held while busy_o; residues below q.
//          Twiddles: w[i] = psi^brv(i), times R for RS_WLM, as rs_context has them, written one by one.
// Timing:  N / (2 Lanes) log2 N + lane latency + 9 or so cycles (exactly: docs/ntt_schedule.md), independent of data.
//          rows and twiddles are reached while busy_o is low: a row's data one cycle after the read
//
//                 +------ forward ------+        +------ inverse -------+
//   banks --> operands --> lanes --> reorder     operands --> reorder --> lanes --> halve --> banks
module rs_ntt_engine #(
    parameter  int unsigned        W          = 32,
    parameter  rs_pkg::reduction_e Reduction  = rs_pkg::RS_BARRETT,
    parameter  int unsigned        WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned        LogNMax    = 13,
    parameter  int unsigned        Lanes      = 4,
    localparam int unsigned        LogLanes   = $clog2(Lanes),
    localparam int unsigned        AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned        LogNBits   = rs_ntt_pkg::LogNBits,
    localparam int unsigned        ShiftWidth = $clog2(W - 1)
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                               start_i,  // ignored while busy_o
    input  rs_ntt_pkg::ntt_op_e                op_i,
    input  logic                [LogNBits-1:0] log_n_i,
    output logic                               busy_o,   // from the cycle after start_i to that of the last write
    output logic                               done_o,   // in the cycle of the last write

    input logic [         W-1:0] q_i,
    input logic [         W+1:0] mu_i,
    input logic [ShiftWidth-1:0] shift_i,

    // one word of every bank: bank = {g, h, lane}
    input  logic                       row_req_i,
    input  logic                       row_we_i,
    input  logic [ 4*Lanes-1:0]        row_mask_i,  // banks to write
    input  logic [AddrBits-1:0]        row_addr_i,
    input  logic [ 4*Lanes-1:0][W-1:0] row_data_i,
    output logic [ 4*Lanes-1:0][W-1:0] row_data_o,

    input logic               twiddle_we_i,
    input logic [LogNMax-1:0] twiddle_index_i,  // placed for the log_n_i of the same cycle
    input logic [      W-1:0] twiddle_i
);

  localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1;
  localparam int unsigned LaneLatency = rs_pkg::lane_latency(W, Reduction, WordBits);
  localparam int unsigned WriteLag = rs_ntt_pkg::write_lag(LaneLatency);
  localparam int unsigned TwiddleLatency = rs_ntt_pkg::twiddle_latency(LogLanes);
  // from the results to the write, one of them to make WriteLag odd
  localparam int unsigned ResultDelay = WriteLag - 2 - LaneLatency - rs_ntt_pkg::ReorderLatency;

  if (Lanes == 0 || (Lanes & (Lanes - 1)) != 0 || !rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: Lanes %0d is not a power of two, or LogNMax %0d out of range", Lanes, LogNMax);
  end

  typedef logic [2*Lanes-1:0][W-1:0] words_t;  // {h, lane}

  // ---- control --------------------------------------------------------------------------------------------------------
  logic busy_q, start, inverse, inverse_q, done;
  logic [LogNBits-1:0] log_n, log_n_q;

  assign start   = start_i && !busy_q;
  // the transform's own, from the first cycle on
  assign inverse = busy_q ? inverse_q : op_i == rs_ntt_pkg::NTT_INVERSE;
  assign log_n   = busy_q ? log_n_q : log_n_i;
  assign busy_o  = busy_q;
  assign done_o  = done;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) busy_q <= 1'b0;
    else if (start) busy_q <= 1'b1;
    else if (done) busy_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (start) begin
      inverse_q <= inverse;
      log_n_q   <= log_n;
    end
  end

  logic read, read_group, write, write_group, twiddle_read;
  logic [AddrBits-1:0] read_addr, write_addr;
  logic [AddrBits+1:0] twiddle_addr;
  logic [SelectBits-1:0] twiddle_fixed, twiddle_bank;
  logic [1:0] phase;

  rs_ntt_addr #(
      .LogNMax       (LogNMax),
      .LogLanes      (LogLanes),
      .WriteLag      (WriteLag),
      .TwiddleLatency(TwiddleLatency)
  ) u_addr (
      .clk_i,
      .rst_ni,
      .start_i        (start),
      .inverse_i      (inverse),
      .log_n_i        (log_n),
      .read_o         (read),
      .read_group_o   (read_group),
      .read_addr_o    (read_addr),
      .write_o        (write),
      .write_group_o  (write_group),
      .write_addr_o   (write_addr),
      .done_o         (done),
      .twiddle_o      (twiddle_read),
      .twiddle_addr_o (twiddle_addr),
      .twiddle_fixed_o(twiddle_fixed),
      .twiddle_bank_o (twiddle_bank),
      .phase_o        (phase)
  );

  // ---- banks: a group reads or writes as a whole -------------------------------------------------------------------------
  words_t [1:0] group_out;
  words_t result;

  for (genvar g = 0; g < 2; g++) begin : gen_group
    logic reads, writes;
    logic [AddrBits-1:0] addr;
    assign reads  = read && read_group == 1'(g);
    assign writes = write && write_group == 1'(g);
    assign addr   = !busy_q ? row_addr_i : reads ? read_addr : write_addr;

    for (genvar b = 0; b < 2 * Lanes; b++) begin : gen_bank
      localparam int unsigned Bank = g * 2 * Lanes + b;
      logic req, we;
      assign req = busy_q ? reads || writes : row_req_i && (!row_we_i || row_mask_i[Bank]);
      assign we  = busy_q ? writes : row_we_i;
      rs_ram_1rw #(
          .Width(W),
          .Depth(1 << AddrBits)
      ) u_ram (
          .clk_i,
          .req_i  (req),
          .we_i   (we),
          .addr_i (addr),
          .wdata_i(busy_q ? result[b] : row_data_i[Bank]),
          .rdata_o(group_out[g][b])
      );
    end
  end

  assign row_data_o = group_out;

  // ---- operands, lanes, reordering, results ----------------------------------------------------------------------------
  logic read_group_q;
  words_t operands_q, lanes_in, lanes_out, to_lanes, to_banks;
  logic [Lanes-1:0][W-1:0] twiddle;

  always_ff @(posedge clk_i) begin
    read_group_q <= read_group;
    operands_q   <= group_out[read_group_q];
  end

  rs_twiddle_store #(
      .W       (W),
      .LogNMax (LogNMax),
      .LogLanes(LogLanes)
  ) u_twiddles (
      .clk_i,
      .write_i  (twiddle_we_i),
      .log_n_i,
      .index_i  (twiddle_index_i),
      .data_i   (twiddle_i),
      .read_i   (twiddle_read),
      .inverse_i(inverse),
      .addr_i   (twiddle_addr),
      .fixed_i  (twiddle_fixed),
      .bank_i   (twiddle_bank),
      .twiddle_o(twiddle)
  );

  rs_ntt_reorder #(
      .W    (W),
      .Lanes(Lanes)
  ) u_reorder (
      .clk_i,
      .inverse_i(inverse),
      .phase_i  (inverse ? phase : phase - 2'(LaneLatency)),
      .lanes_i  (lanes_out),
      .banks_i  (operands_q),
      .lanes_o  (to_lanes),
      .banks_o  (to_banks)
  );

  assign lanes_in = inverse ? to_lanes : operands_q;

  for (genvar lane = 0; lane < Lanes; lane++) begin : gen_lane
    rs_lane #(
        .W        (W),
        .Reduction(Reduction),
        .WordBits (WordBits)
    ) u_lane (
        .clk_i,
        .q_i,
        .mu_i,
        .shift_i,
        .op_i(inverse ? rs_pkg::LANE_GS : rs_pkg::LANE_CT),
        .x_i (lanes_in[lane]),
        .y_i (lanes_in[Lanes+lane]),
        .w_i (twiddle[lane]),
        .a_o (lanes_out[lane]),
        .b_o (lanes_out[Lanes+lane])
    );
  end

  // log2 N halvings make N^-1
  for (genvar i = 0; i < 2 * Lanes; i++) begin : gen_result
    logic [W-1:0] half;
    rs_halve #(
        .W(W)
    ) u_halve (
        .x_i(lanes_out[i]),
        .q_i,
        .r_o(half)
    );
    rs_delay #(
        .Width (W),
        .Cycles(ResultDelay)
    ) u_result (
        .clk_i,
        .data_i(inverse ? half : to_banks[i]),
        .data_o(result[i])
    );
  end

`ifndef SYNTHESIS
  // at most one access per bank and cycle: groups are kept apart by rs_ntt_addr, which asserts it; nobody else comes near
  always_ff @(posedge clk_i) begin
    if (rst_ni && busy_q) begin
      assert (!row_req_i)
      else $error("%m: a row is accessed during a transform");
      assert (!twiddle_we_i)
      else $error("%m: a twiddle is written during a transform");
    end
  end
`endif

endmodule
