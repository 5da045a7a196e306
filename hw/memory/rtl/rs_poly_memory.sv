// SPDX-License-Identifier: Apache-2.0
// rs_poly_memory: the bank groups, and the ways of the units to them.
// Model:   docs/core.md: resources, order of coefficients, unit interface
// Params:  W, LogNMax, LogLanes, Groups, ChunkWords V
// Bounds:  a group belongs to one unit at a time (the scoreboard's work), so a bank has one access per cycle (asserted)
// Timing:  chunks and words are written one cycle after they are offered; chunk data come two cycles after the request; the lanes'
//          data two after the read, and lanes_data_i one after lanes_write_i, in the cycle of the access. log_n_i is held from the
//          second cycle before the first access
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

  typedef logic [ChunkWords-1:0][W-1:0] chunk_t;

  logic [LogNMax:LogLanes+4] size_q;  // bit n: log2 N is n
  always_ff @(posedge clk_i) begin
    for (int n = LogLanes + 4; n <= int'(LogNMax); n++) size_q[n] <= log_n_i == LogNBits'(n);
  end

  // ---- five users of rows: where their words are, one cycle later ---------------------------------------------------------
  localparam int unsigned Users = 5;
  localparam int unsigned Load = 0;
  localparam int unsigned Lift = 1;
  localparam int unsigned Expand = 2;
  localparam int unsigned Store = 3;
  localparam int unsigned Round = 4;

  logic [Users-1:0] req, ntt;
  logic [Users-1:0][GroupBits-1:0] group;
  logic [Groups-1:0][Users-1:0] mine_q;
  logic [Users-1:0][LogNMax-1:0] pos;
  logic [Users-1:0][AddrBits-1:0] addr;
  logic [Users-1:0][RowWords-1:0] mask;
  chunk_t load_q, lift_q;
  logic [W-1:0] expand_q;

  assign req   = {round_req_i, store_req_i, expand_valid_i, lift_valid_i, load_valid_i};
  assign group = {round_group_i, store_group_i, expand_group_i, lift_group_i, load_group_i};
  assign ntt   = {1'b0, store_ntt_i, 1'b1, 1'b0, load_ntt_i};
  assign pos   = {round_pos_i, store_pos_i, expand_index_i, lift_pos_i, load_pos_i};

  for (genvar u = 0; u < Users; u++) begin : gen_user
    rs_chunk_place #(
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .Words   (u == Expand ? 1 : ChunkWords),
        .Reversed(u == Expand)
    ) u_place (
        .clk_i,
        .size_i(size_q),
        .ntt_i (ntt[u]),
        .pos_i (pos[u]),
        .addr_o(addr[u]),
        .mask_o(mask[u])
    );
  end

  // of the users at most one has a group
  always_ff @(posedge clk_i) begin
    for (int g = 0; g < int'(Groups); g++) begin
      for (int u = 0; u < int'(Users); u++) mine_q[g][u] <= rst_ni && req[u] && group[u] == GroupBits'(g);
    end
    load_q   <= load_data_i;
    lift_q   <= lift_data_i;
    expand_q <= expand_data_i;
  end

  // ---- the lanes: decided one cycle before the access ---------------------------------------------------------------------
  logic [Groups-1:0][1:0] half_req_q, half_we_q;
  logic [1:0][AddrBits-1:0] half_addr_q;
  logic [1:0] reads, writes;

  for (genvar half = 0; half < 2; half++) begin : gen_half
    assign reads[half]  = lanes_read_i && lanes_read_half_i == 1'(half);
    assign writes[half] = lanes_write_i && lanes_write_half_i == 1'(half);
  end

  always_ff @(posedge clk_i) begin
    for (int half = 0; half < 2; half++) begin
      half_addr_q[half] <= writes[half] ? lanes_write_addr_i : lanes_read_addr_i;
      for (int g = 0; g < int'(Groups); g++) begin
        half_req_q[g][half] <= rst_ni && ((reads[half] && lanes_read_groups_i[g]) || (writes[half] && lanes_write_groups_i[g]));
        half_we_q[g][half]  <= rst_ni && writes[half] && lanes_write_groups_i[g];
      end
    end
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert ((reads & writes) == '0 || (lanes_read_groups_i & lanes_write_groups_i) == '0)
      else $error("%m: the lanes read and write in one cycle");
    end
  end
`endif

  // ---- groups ------------------------------------------------------------------------------------------------------------
  logic [Groups-1:0][RowWords-1:0][W-1:0] row_data;

  for (genvar g = 0; g < Groups; g++) begin : gen_group
    logic [Users-1:0] mine;
    logic [AddrBits-1:0] row_addr;
    logic [RowWords-1:0] row_mask;
    chunk_t row_write;
    assign mine = mine_q[g];

    always_comb begin
      row_addr = '0;
      row_mask = '0;
      for (int u = 0; u < int'(Users); u++) begin
        row_addr |= mine[u] ? addr[u] : '0;
        row_mask |= mine[u] ? mask[u] : '0;
      end
      row_write = (mine[Load] ? load_q : '0) | (mine[Lift] ? lift_q : '0) | (mine[Expand] ? {ChunkWords{expand_q}} : '0);
    end

    rs_bank_group #(
        .W         (W),
        .LogNMax   (LogNMax),
        .LogLanes  (LogLanes),
        .ChunkWords(ChunkWords)
    ) u_banks (
        .clk_i,
        .half_req_i (half_req_q[g]),
        .half_we_i  (half_we_q[g]),
        .half_addr_i(half_addr_q),
        .half_data_i(lanes_data_i),
        .half_data_o(lanes_data_o[g]),
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
        assert (32'(wipe_i) + 32'(|half_req_q[g]) + $countones(mine) <= 1)
        else $error("%m: two ports in one cycle: %b %b %b", wipe_i, half_req_q[g], mine);
      end
    end
`endif
  end

  // ---- what was read: a choice of groups and of four chunks is ready when the data come, those of longer rows are numbered ----
  localparam int unsigned Near = Chunks < 4 ? Chunks : 4;
  localparam int unsigned Far = Chunks / Near;
  localparam int unsigned FarBits = Far > 1 ? $clog2(Far) : 1;
  logic [1:0][Groups-1:0][Near-1:0] take_q;
  logic [1:0][FarBits-1:0] far_q;
  chunk_t [1:0] taken;

  for (genvar r = 0; r < 2; r++) begin : gen_reader
    localparam int unsigned User = r == 0 ? Store : Round;
    logic [Near-1:0] near;
    logic [FarBits-1:0] far;
    always_comb begin
      near = '0;
      far  = '0;
      for (int i = 0; i < int'(Chunks); i++) begin
        if (mask[User][i*int'(ChunkWords)]) begin
          near[i%int'(Near)] = 1'b1;
          far |= FarBits'(i / int'(Near));
        end
      end
    end
    always_ff @(posedge clk_i) begin
      far_q[r] <= far;
      for (int g = 0; g < int'(Groups); g++) take_q[r][g] <= mine_q[g][User] ? near : '0;
    end
    always_comb begin
      taken[r] = '0;
      for (int g = 0; g < int'(Groups); g++) begin
        for (int n = 0; n < int'(Near); n++) begin
          if (take_q[r][g][n]) taken[r] |= row_data[g][(32'(far_q[r])*Near+32'(n))*ChunkWords+:ChunkWords];
        end
      end
    end
  end
  assign store_data_o = taken[0];
  assign round_data_o = taken[1];

endmodule
