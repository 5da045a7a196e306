// SPDX-License-Identifier: Apache-2.0
// rs_poly_memory: the bank groups, and the ways of the units to them.
// Model:   docs/core.md: resources, order of coefficients, unit interface
// Params:  W, LogNMax, LogLanes, Groups, ChunkWords V
// Bounds:  a group belongs to one unit at a time (the scoreboard's work), so a bank has one access per cycle (asserted)
// Timing:  chunks and words are written one cycle after they are offered; chunk data come two cycles after the request; the lanes'
//          data in the cycle after the read
module rs_poly_memory #(
    parameter  int unsigned W          = 32,
    parameter  int unsigned LogNMax    = 10,
    parameter  int unsigned LogLanes   = 2,
    parameter  int unsigned Groups     = 2,
    parameter  int unsigned ChunkWords = 4,
    localparam int unsigned Lanes      = 1 << LogLanes,
    localparam int unsigned AddrBits   = LogNMax - 2 - LogLanes,
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits,
    localparam int unsigned GroupBits  = 4
) (
    input logic                clk_i,
    input logic                rst_ni,
    input logic [LogNBits-1:0] log_n_i,

    // COMPUTE
    input  logic                                           lanes_read_i,
    input  logic                                           lanes_read_half_i,
    input  logic [AddrBits-1:0]                            lanes_read_addr_i,
    input  logic [  Groups-1:0]                            lanes_read_groups_i,
    input  logic                                           lanes_write_i,
    input  logic                                           lanes_write_half_i,
    input  logic [AddrBits-1:0]                            lanes_write_addr_i,
    input  logic [  Groups-1:0]                            lanes_write_groups_i,
    input  logic [ 2*Lanes-1:0][W-1:0]                     lanes_data_i,
    output logic [  Groups-1:0][  1:0][2*Lanes-1:0][W-1:0] lanes_data_o,

    // LOAD, LIFT: chunks; EXPAND: words, by their index in SEAL's array
    input logic                         load_valid_i,
    input logic [ GroupBits-1:0]        load_group_i,
    input logic                         load_ntt_i,
    input logic [   LogNMax-1:0]        load_pos_i,
    input logic [ChunkWords-1:0][W-1:0] load_data_i,
    input logic                         lift_valid_i,
    input logic [ GroupBits-1:0]        lift_group_i,
    input logic [   LogNMax-1:0]        lift_pos_i,
    input logic [ChunkWords-1:0][W-1:0] lift_data_i,
    input logic                         expand_valid_i,
    input logic [ GroupBits-1:0]        expand_group_i,
    input logic [   LogNMax-1:0]        expand_index_i,
    input logic [         W-1:0]        expand_data_i,

    // STORE, ROUND
    input  logic                         store_req_i,
    input  logic [ GroupBits-1:0]        store_group_i,
    input  logic                         store_ntt_i,
    input  logic [   LogNMax-1:0]        store_pos_i,
    output logic [ChunkWords-1:0][W-1:0] store_data_o,
    input  logic                         round_req_i,
    input  logic [ GroupBits-1:0]        round_group_i,
    input  logic [   LogNMax-1:0]        round_pos_i,
    output logic [ChunkWords-1:0][W-1:0] round_data_o,

    // zeros to this row of all groups
    input logic                wipe_i,
    input logic [AddrBits-1:0] wipe_addr_i
);
  localparam int unsigned RowWords = 4 * Lanes;
  localparam int unsigned Chunks = RowWords / ChunkWords;
  localparam int unsigned ChunkBits = Chunks > 1 ? $clog2(Chunks) : 1;

  typedef logic [ChunkWords-1:0][W-1:0] chunk_t;

  // log2 N mod the bits of an address: NTT form is turned by as much
  logic [LogNBits-1:0] turn;
  always_comb begin
    turn = '0;
    for (int unsigned n = LogLanes + 4; n <= LogNMax; n++) begin
      if (log_n_i == LogNBits'(n)) turn = LogNBits'(n % (n - 2 - LogLanes));
    end
  end

  // ---- five users of rows: where their words are, one cycle later ---------------------------------------------------------
  localparam int unsigned Users = 5;
  localparam int unsigned Load = 0;
  localparam int unsigned Lift = 1;
  localparam int unsigned Expand = 2;
  localparam int unsigned Store = 3;
  localparam int unsigned Round = 4;

  logic [Users-1:0] req, req_q, ntt;
  logic [Users-1:0][GroupBits-1:0] group, group_q;
  logic [Users-1:0][ LogNMax-1:0] pos;
  logic [Users-1:0][AddrBits-1:0] addr;
  logic [Users-1:0][RowWords-1:0] mask;
  chunk_t load_q, lift_q;
  logic [W-1:0] expand_q;
  logic [LogNMax-1:0] expand_pos;

  assign expand_pos = LogNMax'(rs_ntt_pkg::reverse(rs_ntt_pkg::LogNLimit'(expand_index_i), log_n_i));

  assign req = {round_req_i, store_req_i, expand_valid_i, lift_valid_i, load_valid_i};
  assign group = {round_group_i, store_group_i, expand_group_i, lift_group_i, load_group_i};
  assign ntt = {1'b0, store_ntt_i, 1'b1, 1'b0, load_ntt_i};
  assign pos = {round_pos_i, store_pos_i, expand_pos, lift_pos_i, load_pos_i};

  for (genvar u = 0; u < Users; u++) begin : gen_user
    rs_chunk_place #(
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .Words   (u == Expand ? 1 : ChunkWords)
    ) u_place (
        .clk_i,
        .log_n_i,
        .turn_i(turn),
        .ntt_i (ntt[u]),
        .pos_i (pos[u]),
        .addr_o(addr[u]),
        .mask_o(mask[u])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) req_q <= '0;
    else req_q <= req;
  end
  always_ff @(posedge clk_i) begin
    group_q  <= group;
    load_q   <= load_data_i;
    lift_q   <= lift_data_i;
    expand_q <= expand_data_i;
  end

  // ---- groups ------------------------------------------------------------------------------------------------------------
  logic [Groups-1:0][RowWords-1:0][W-1:0] row_data;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [1:0] half_req, half_we;
    logic [1:0][AddrBits-1:0] half_addr;
    logic [Users-1:0] mine;
    logic [AddrBits-1:0] row_addr;
    logic [RowWords-1:0] row_mask;
    chunk_t row_write;

    for (genvar half = 0; half < 2; half++) begin : gen_half
      logic reads;
      assign reads           = lanes_read_i && lanes_read_groups_i[g] && lanes_read_half_i == 1'(half);
      assign half_we[half]   = lanes_write_i && lanes_write_groups_i[g] && lanes_write_half_i == 1'(half);
      assign half_req[half]  = reads || half_we[half];
      assign half_addr[half] = half_we[half] ? lanes_write_addr_i : lanes_read_addr_i;
`ifndef SYNTHESIS
      always_ff @(posedge clk_i) begin
        if (rst_ni) begin
          assert (!(reads && half_we[half]))
          else $error("%m: the lanes read and write in one cycle");
        end
      end
`endif
    end

    // of the users at most one has this group
    always_comb begin
      row_addr = '0;
      row_mask = '0;
      for (int u = 0; u < int'(Users); u++) begin
        mine[u] = req_q[u] && group_q[u] == GroupBits'(g);
        if (mine[u]) begin
          row_addr |= addr[u];
          row_mask |= mask[u];
        end
      end
      row_write = mine[Load] ? load_q : mine[Lift] ? lift_q : {ChunkWords{expand_q}};
    end

    rs_bank_group #(
        .W         (W),
        .LogNMax   (LogNMax),
        .LogLanes  (LogLanes),
        .ChunkWords(ChunkWords)
    ) u_banks (
        .clk_i,
        .half_req_i (half_req),
        .half_we_i  (half_we),
        .half_addr_i(half_addr),
        .half_data_i(lanes_data_i),
        .half_data_o(lanes_data_o[g]),
        .row_req_i  (mine != '0),
        .row_we_i   (mine[Load] || mine[Lift] || mine[Expand]),
        .row_addr_i (row_addr),
        .row_mask_i (row_mask),
        .row_data_i (row_write),
        .row_data_o (row_data[g]),
        .wipe_i,
        .wipe_addr_i
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        assert (32'(wipe_i) + 32'(|half_req) + $countones(mine) <= 1)
        else $error("%m: two ports in one cycle: %b %b %b", wipe_i, half_req, mine);
      end
    end
`endif
  end

  // ---- what was read -------------------------------------------------------------------------------------------------------
  logic [1:0][GroupBits-1:0] from_q;
  logic [1:0][ChunkBits-1:0] chunk_q;
  chunk_t [1:0] taken;

  function automatic logic [ChunkBits-1:0] chunk_of(input logic [RowWords-1:0] words);
    logic [ChunkBits-1:0] chunk;
    chunk = '0;
    for (int i = 0; i < int'(Chunks); i++) if (words[i*int'(ChunkWords)]) chunk |= ChunkBits'(i);
    return chunk;
  endfunction

  for (genvar r = 0; r < 2; r++) begin : gen_reader
    localparam int unsigned User = r == 0 ? Store : Round;
    logic [RowWords-1:0][W-1:0] row;
    always_ff @(posedge clk_i) begin
      from_q[r]  <= group_q[User];
      chunk_q[r] <= chunk_of(mask[User]);
    end
    always_comb begin
      row = '0;
      for (int g = 0; g < int'(Groups); g++) if (from_q[r] == GroupBits'(g)) row = row_data[g];
      taken[r] = row[chunk_q[r]*ChunkWords+:ChunkWords];
    end
  end
  assign store_data_o = taken[0];
  assign round_data_o = taken[1];

endmodule
