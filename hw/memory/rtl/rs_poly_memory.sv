// SPDX-License-Identifier: Apache-2.0
// rs_poly_memory: the bank groups, and the ways of the units to them.
// Model:   docs/core.md: resources, order of coefficients, unit interface
// Params:  W, LogNMin, LogNMax, LogLanes, Groups; ChunkWords: the widest access of a writer or reader; Writers, Readers: how many;
//          for each of them its words per access, and whether it counts by the index in SEAL's array instead of the position;
//          Pairs: writer_word_i, writer_real_i and pipe_fixed_i are there; PipeWords: of the reader for PIPE, 0: there is none, with Pairs for two
//          lanes and more; Dual, Stacked (rs_bank_group), Stacked for accesses of one or two words: the lanes find the half that they read in
//          both halves of lanes_data_o; Sliced: groups hold polynomials of 2^LogSizeMin words or more, one behind the other:
//          each group has its address for a read of the lanes, and the first writer and reader, LOAD and STORE, have sizes of their own; Fields,
//          with Sliced: so have the last two writers, SPONGE and PACK, and the last reader, PACK
// Bounds:  words per access: a power of two up to ChunkWords; a position is a multiple of them, an index is below N divided by them: the
//          words of an access are at consecutive positions. A group belongs to one unit at a time (the scoreboard's work), so a bank
//          has one access per cycle (asserted)
// Timing:  chunks are written one cycle after they are offered; chunk data come two cycles after a request that reader_ready_o takes;
//          the lanes' data two after the read, and lanes_data_i one after lanes_write_i, in the cycle of the access. log_n_i is held
//          from the second cycle before the first access
//
// Readers share one port: the one with the lowest number goes first. When somebody waits is a matter of requests, never of data.
module rs_poly_memory #(
    parameter  int unsigned                    W              = 32,
    parameter  int unsigned                    LogNMin        = 10,
    parameter  int unsigned                    LogNMax        = 10,
    parameter  int unsigned                    LogLanes       = 2,
    parameter  int unsigned                    Groups         = 2,
    parameter  int unsigned                    ChunkWords     = 4,
    parameter  int unsigned                    Writers        = 3,
    parameter  int unsigned                    Readers        = 2,
    parameter  logic        [Writers-1:0][7:0] WriterWords    = {Writers{8'(ChunkWords)}},
    parameter  logic        [Writers-1:0]      WriterReversed = '0,
    parameter  int unsigned                    ReaderWords    = ChunkWords,
    parameter  bit                             ReaderReversed = 1'b0,
    parameter  bit                             Pairs          = 1'b0,
    parameter  int unsigned                    PipeWords      = 0,
    parameter  bit                             Dual           = 1'b0,
    parameter  bit                             Stacked        = 1'b0,
    parameter  bit                             Sliced         = 1'b0,
    parameter  int unsigned                    LogSizeMin     = LogNMin,
    parameter  bit                             Fields         = 1'b0,
    localparam int unsigned                    Lanes          = 1 << LogLanes,
    localparam int unsigned                    AddrBits       = LogNMax - 2 - LogLanes,
    localparam int unsigned                    LogNBits       = rs_ntt_pkg::LogNBits,
    localparam int unsigned                    GroupBits      = 4,
    localparam int unsigned                    Addresses      = Sliced ? Groups : 1,
    localparam int unsigned                    PipePort       = PipeWords > 0 ? PipeWords : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic [LogNBits-1:0] log_n_i,
    input logic [LogNBits-1:0] load_log_n_i,  // Sliced: of the first writer's polynomial, from two cycles before the first access
    input logic [LogNBits-1:0] store_log_n_i,  // likewise, of the first reader's
    input logic [1:0][LogNBits-1:0] field_log_n_i,  // with Fields, likewise: of the last two writers, and of the last reader

    // COMPUTE
    input  logic                                                   lanes_read_i,
    input  logic                                                   lanes_read_half_i,
    input  logic [Addresses-1:0][AddrBits-1:0]                     lanes_read_addr_i,
    input  logic [   Groups-1:0]                                   lanes_read_groups_i,
    input  logic                                                   lanes_write_i,
    input  logic                                                   lanes_write_half_i,
    input  logic [ AddrBits-1:0]                                   lanes_write_addr_i,
    input  logic [   Groups-1:0]                                   lanes_write_groups_i,
    input  logic [  2*Lanes-1:0][       W-1:0]                     lanes_data_i,
    output logic [   Groups-1:0][         1:0][2*Lanes-1:0][W-1:0] lanes_data_o,

    // a writer's chunk is always taken; one with fewer words uses the first ones of its data
    input logic [Writers-1:0] writer_valid_i,
    input logic [Writers-1:0][GroupBits-1:0] writer_group_i,
    input logic [Writers-1:0] writer_ntt_i,  // NTT form
    input logic [Writers-1:0][LogNMax-1:0] writer_pos_i,
    input logic [Writers-1:0] writer_word_i,  // one word alone, at any position, which is in all of the data
    input logic [Writers-1:0] writer_real_i,  // and writer_other_i to the position 2 Lanes behind it (rs_chunk_place)
    input logic [W-1:0] writer_other_i,  // the first writer's, which alone has writer_real_i
    input logic [Writers-1:0][ChunkWords-1:0][W-1:0] writer_data_i,

    input  logic [    Readers-1:0]                reader_req_i,
    output logic [    Readers-1:0]                reader_ready_o,
    input  logic [    Readers-1:0][GroupBits-1:0] reader_group_i,
    input  logic [    Readers-1:0]                reader_ntt_i,
    input  logic [    Readers-1:0][  LogNMax-1:0] reader_pos_i,
    output logic [ReaderWords-1:0][        W-1:0] reader_data_o,   // for all of them

    // PIPE: consecutive positions of two groups, in coefficient form; always taken. Or, with Pairs, in fixed point: coefficients as words
    input  logic                                     pipe_req_i,
    input  logic                                     pipe_fixed_i,
    input  logic [        1:0][GroupBits-1:0]        pipe_group_i,
    input  logic [LogNMax-1:0]                       pipe_pos_i,
    output logic [        1:0][ PipePort-1:0][W-1:0] pipe_data_o,

    // zeros to this row of all groups; Stacked: to this half of it. And the first row is read from all banks
    input logic                wipe_i,
    input logic                rinse_i,
    input logic                wipe_half_i,
    input logic [AddrBits-1:0] wipe_addr_i
);
  localparam int unsigned RowWords = 4 * Lanes;

  typedef logic [ChunkWords-1:0][W-1:0] chunk_t;

  logic [LogNMax:LogNMin] size_q;  // bit n: log2 N is n
  always_ff @(posedge clk_i) begin
    for (int n = LogNMin; n <= int'(LogNMax); n++) size_q[n] <= log_n_i == LogNBits'(n);
  end

  // sizes of LOAD and STORE, with those of slices
  localparam int unsigned LogNLeast = Sliced ? LogSizeMin : LogNMin;
  typedef logic [LogNMax:LogNLeast] sizes_t;
  sizes_t load_size, store_size, whole_size;
  assign whole_size = sizes_t'(size_q) << (LogNMin - LogNLeast);
  if (Sliced) begin : gen_sizes
    sizes_t load_size_q, store_size_q;
    always_ff @(posedge clk_i) begin
      for (int n = LogNLeast; n <= int'(LogNMax); n++) begin
        load_size_q[n]  <= load_log_n_i == LogNBits'(n);
        store_size_q[n] <= store_log_n_i == LogNBits'(n);
      end
    end
    assign load_size  = load_size_q;
    assign store_size = store_size_q;
  end else begin : gen_one_size
    assign load_size  = whole_size;
    assign store_size = whole_size;
    logic unused_size;
    assign unused_size = ^{load_log_n_i, store_log_n_i};
  end

  sizes_t [1:0] field_size;
  if (Fields) begin : gen_field_sizes
    sizes_t [1:0] field_size_q;
    always_ff @(posedge clk_i) begin
      for (int u = 0; u < 2; u++) begin
        for (int n = LogNLeast; n <= int'(LogNMax); n++) field_size_q[u][n] <= field_log_n_i[u] == LogNBits'(n);
      end
    end
    assign field_size = field_size_q;
  end else begin : gen_no_field_sizes
    logic unused_field_size;
    assign field_size = '0;
    assign unused_field_size = ^{field_log_n_i, field_size};
  end

  // ---- writers: where their words are, one cycle later ---------------------------------------------------------------------
  logic [Groups-1:0][Writers-1:0] writes_q;
  logic [Writers-1:0][AddrBits-1:0] write_addr;
  logic [Writers-1:0] write_half;
  logic [Writers-1:0][RowWords-1:0] write_mask;
  chunk_t [Writers-1:0] write_data;
  logic [Writers-1:0] write_real_q;
  logic [W-1:0] other_q;

  for (genvar w = 0; w < Writers; w++) begin : gen_writer
    localparam int unsigned Words = 32'(WriterWords[w]);
    logic [Words-1:0][W-1:0] data_q;
    localparam bit Field = Fields && w >= int'(Writers) - 2;
    localparam bit Own = Sliced && (w == 0 || Field);
    localparam int unsigned Least = Own ? LogNLeast : LogNMin;
    logic wrote_q;  // once more after an access, so that nothing stays that the writer has wiped

    rs_chunk_place #(
        .LogNMin (Least),
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .Words   (Words),
        .Reversed(WriterReversed[w]),
        .Pairs   (Pairs && !WriterReversed[w]),
        .Sliced  (Own)
    ) u_place (
        .clk_i,
        .en_i(writer_valid_i[w]),
        .size_i(Field ? field_size[w==int'(Writers)-1][LogNMax:Least] : Own ? load_size[LogNMax:Least] : whole_size[LogNMax:Least]),
        .ntt_i(writer_ntt_i[w]),
        .word_i(writer_word_i[w]),
        .real_i(writer_real_i[w]),
        .pos_i(writer_pos_i[w]),
        .addr_o(write_addr[w]),
        .half_o(write_half[w]),
        .mask_o(write_mask[w])
    );

    always_ff @(posedge clk_i) begin
      wrote_q <= writer_valid_i[w];
      write_real_q[w] <= Pairs && writer_valid_i[w] && writer_real_i[w];
      if (writer_valid_i[w] || wrote_q || rinse_i) data_q <= writer_data_i[w][Words-1:0];
      for (int g = 0; g < int'(Groups); g++) begin
        writes_q[g][w] <= rst_ni && writer_valid_i[w] && writer_group_i[w] == GroupBits'(g);
      end
    end
    assign write_data[w] = {ChunkWords / Words{data_q}};

    if (Pairs && w == 0) begin : gen_other
      always_ff @(posedge clk_i) if (writer_valid_i[w] || wrote_q || rinse_i) other_q <= writer_other_i;
    end else if (w == 0) begin : gen_no_other
      logic unused_other;
      assign unused_other = ^writer_other_i;
      assign other_q = '0;
    end
  end

  // ---- readers: one of them --------------------------------------------------------------------------------------------------
  logic [Readers-1:0] turn;
  logic [GroupBits-1:0] read_group;
  logic read_ntt;
  logic [LogNMax-1:0] read_pos;
  logic [Groups-1:0] reads_q;
  logic [AddrBits-1:0] read_addr;
  logic read_half;
  logic [RowWords-1:0] read_mask;

  for (genvar r = 0; r < Readers; r++) begin : gen_reader
    assign reader_ready_o[r] = (reader_req_i & Readers'((64'd1 << r) - 64'd1)) == '0;
  end
  assign turn = reader_req_i & reader_ready_o;

  always_comb begin
    read_group = '0;
    read_ntt   = 1'b0;
    read_pos   = '0;
    // the last one needs not ask: if no one does, nothing is read
    for (int r = 0; r < int'(Readers); r++) begin
      if (r == int'(Readers) - 1 ? reader_ready_o[r] : turn[r]) begin
        read_group |= reader_group_i[r];
        read_ntt |= reader_ntt_i[r];
        read_pos |= reader_pos_i[r];
      end
    end
  end

  sizes_t read_size;
  assign read_size = !Sliced || reader_req_i[0] ? store_size : Fields && reader_ready_o[Readers-1] ? field_size[1] : whole_size;

  rs_chunk_place #(
      .LogNMin (LogNLeast),
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .Words   (ReaderWords),
      .Reversed(ReaderReversed),
      .Sliced  (Sliced)
  ) u_read_place (
      .clk_i,
      .en_i  (1'b1),
      .size_i(read_size),
      .ntt_i (read_ntt),
      .word_i(1'b0),
      .real_i(1'b0),
      .pos_i (read_pos),
      .addr_o(read_addr),
      .half_o(read_half),
      .mask_o(read_mask)
  );

  always_ff @(posedge clk_i) begin
    for (int g = 0; g < int'(Groups); g++) reads_q[g] <= rst_ni && turn != '0 && read_group == GroupBits'(g);
  end

  // ---- PIPE: has groups of its own ----
  logic [Groups-1:0] pipes_q;
  logic [AddrBits-1:0] pipe_addr;
  logic pipe_half;
  logic [RowWords-1:0] plain_mask, pipe_mask;  // as if it were coefficients; of what is read
  logic pipe_fixed_q;
  if (PipeWords > 0) begin : gen_pipe_place
    rs_chunk_place #(
        .LogNMin (LogNMin),
        .LogNMax (LogNMax),
        .LogLanes(LogLanes),
        .Words   (PipeWords)
    ) u_pipe_place (
        .clk_i,
        .en_i  (1'b1),
        .size_i(size_q),
        .ntt_i (1'b0),
        .word_i(1'b0),
        .real_i(1'b0),
        .pos_i (pipe_pos_i),
        .addr_o(pipe_addr),
        .half_o(pipe_half),
        .mask_o(plain_mask)
    );
    // In fixed point position k is at k with the bits of a word rotated right by one, in the same row (docs/core.md): of the words of a chunk the even
    // ones are side by side in the lower half of the row, the odd ones in the upper half.
    logic [RowWords-1:0] fixed_mask;
    if (Pairs && LogLanes == 0) begin : gen_illegal_lane
      $fatal(1, "%m: PIPE reads words in fixed point of two lanes or more");
    end
    always_comb begin
      for (int i = 0; i < int'(RowWords); i++) fixed_mask[i] = plain_mask[i%int'(RowWords/2)/int'(PipeWords/2)*int'(PipeWords)];
    end
    always_ff @(posedge clk_i) pipe_fixed_q <= Pairs && pipe_fixed_i;
    assign pipe_mask = pipe_fixed_q ? fixed_mask : plain_mask;
    always_ff @(posedge clk_i) begin
      for (int g = 0; g < int'(Groups); g++) begin
        pipes_q[g] <= rst_ni && pipe_req_i && (pipe_group_i[0] == GroupBits'(g) || pipe_group_i[1] == GroupBits'(g));
      end
    end
  end else begin : gen_no_pipe_place
    assign {pipes_q, pipe_addr, pipe_half, plain_mask, pipe_mask, pipe_fixed_q} = '0;
  end

  // ---- the lanes: decided one cycle before the access ---------------------------------------------------------------------
  logic [Groups-1:0][1:0] half_req_q, half_we_q;
  logic [Addresses-1:0][1:0][AddrBits-1:0] half_addr_q;
  logic [1:0] reads, writes;

  for (genvar half = 0; half < 2; half++) begin : gen_half
    assign reads[half]  = lanes_read_i && lanes_read_half_i == 1'(half);
    assign writes[half] = lanes_write_i && lanes_write_half_i == 1'(half);
  end

  always_ff @(posedge clk_i) begin
    for (int half = 0; half < 2; half++) begin
      for (int i = 0; i < int'(Addresses); i++) half_addr_q[i][half] <= writes[half] ? lanes_write_addr_i : lanes_read_addr_i[i];
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
    logic [AddrBits-1:0] row_addr;
    logic [RowWords-1:0] row_mask;
    chunk_t row_write;
    logic row_half, row_real;

    always_comb begin
      row_addr  = (reads_q[g] ? read_addr : '0) | (pipes_q[g] ? pipe_addr : '0);
      row_half  = (reads_q[g] && read_half) || (pipes_q[g] && pipe_half);
      row_mask  = (reads_q[g] ? read_mask : '0) | (pipes_q[g] ? pipe_mask : '0);
      row_write = '0;
      row_real  = 1'b0;
      for (int w = 0; w < int'(Writers); w++) begin
        row_addr |= writes_q[g][w] ? write_addr[w] : '0;
        row_half |= writes_q[g][w] && write_half[w];
        row_mask |= writes_q[g][w] ? write_mask[w] : '0;
        row_write |= writes_q[g][w] ? write_data[w] : '0;
        row_real |= writes_q[g][w] && write_real_q[w];
      end
    end

    rs_bank_group #(
        .W         (W),
        .LogNMax   (LogNMax),
        .LogLanes  (LogLanes),
        .ChunkWords(ChunkWords),
        .Pairs     (Pairs),
        .Dual      (Dual),
        .Stacked   (Stacked)
    ) u_banks (
        .clk_i,
        .half_req_i (half_req_q[g]),
        .half_we_i  (half_we_q[g]),
        .half_addr_i(half_addr_q[Sliced?g : 0]),
        .half_data_i(lanes_data_i),
        .half_data_o(lanes_data_o[g]),
        .row_we_i   (writes_q[g] != '0),
        .row_addr_i (row_addr),
        .row_mask_i (row_mask),
        .row_half_i (row_half),
        .row_data_i (row_write),
        .row_real_i (row_real),
        .row_other_i(other_q),
        .row_data_o (row_data[g]),
        .wipe_i,
        .rinse_i,
        .wipe_half_i,
        .wipe_addr_i
    );

`ifndef SYNTHESIS
    always_ff @(posedge clk_i) begin
      if (rst_ni) begin
        assert (32'(wipe_i) + 32'(rinse_i) + 32'(|half_req_q[g]) + 32'(reads_q[g]) + 32'(pipes_q[g]) + $countones(writes_q[g]) <= 1)
        else
          $error(
              "%m: two ports in one cycle: %b %b %b %b %b %b", wipe_i, rinse_i, half_req_q[g], reads_q[g], pipes_q[g], writes_q[g]
          );
      end
    end
`endif
  end

  // ---- what was read: a choice of groups and of four chunks is ready when the data come, those of longer rows are numbered ----
  // Stacked: a word is at both of its places, so half of them will do
  localparam int unsigned Words = Stacked ? RowWords / 2 : RowWords;
  localparam int unsigned Chunks = Words / ReaderWords;
  localparam int unsigned Near = Chunks < 4 ? Chunks : 4;
  localparam int unsigned Far = Chunks / Near;
  localparam int unsigned FarBits = Far > 1 ? $clog2(Far) : 1;
  logic [Words-1:0] word_mask;
  logic [Groups-1:0][Words-1:0][W-1:0] word_data;
  logic [Groups-1:0][Near-1:0] take_q;
  logic [Near-1:0] near;
  logic [FarBits-1:0] far, far_q;

  for (genvar i = 0; i < Words; i++) begin : gen_word
    localparam int unsigned Place = Stacked ? i / 2 * 4 + i % 2 : i;
    assign word_mask[i] = read_mask[Place] || (Stacked && read_mask[Place^2]);
    for (genvar g = 0; g < Groups; g++) begin : gen_group_word
      assign word_data[g][i] = row_data[g][Place];
    end
  end

  always_comb begin
    near = '0;
    far  = '0;
    for (int i = 0; i < int'(Chunks); i++) begin
      if (word_mask[i*int'(ReaderWords)]) begin
        near[i%int'(Near)] = 1'b1;
        far |= FarBits'(i / int'(Near));
      end
    end
  end
  always_ff @(posedge clk_i) begin
    far_q <= far;
    for (int g = 0; g < int'(Groups); g++) take_q[g] <= reads_q[g] ? near : '0;
  end
  always_comb begin
    reader_data_o = '0;
    for (int g = 0; g < int'(Groups); g++) begin
      for (int n = 0; n < int'(Near); n++) begin
        if (take_q[g][n]) reader_data_o |= word_data[g][(32'(far_q)*Near+32'(n))*ReaderWords+:ReaderWords];
      end
    end
  end

  if (PipeWords > 0) begin : gen_pipe
    localparam int unsigned PipeChunks = RowWords / PipeWords;
    localparam int unsigned ChunkBits = PipeChunks > 1 ? $clog2(PipeChunks) : 1;
    logic [ChunkBits-1:0] chunk, chunk_q;
    logic fixed_q;  // the words that were read are in fixed point
    logic [1:0][Groups-1:0] group_q, take_pipe_q;
    if (Stacked) begin : gen_illegal_pipe
      $fatal(1, "%m: PIPE reads words of stacked banks");
    end
    always_comb begin
      chunk = '0;
      for (int i = 0; i < int'(PipeChunks); i++) if (plain_mask[i*int'(PipeWords)]) chunk |= ChunkBits'(i);
    end
    always_ff @(posedge clk_i) begin
      chunk_q <= chunk;
      fixed_q <= pipe_fixed_q;
      for (int g = 0; g < int'(Groups); g++) begin
        for (int i = 0; i < 2; i++) group_q[i][g] <= pipe_group_i[i] == GroupBits'(g);
      end
      take_pipe_q <= group_q;
    end
    always_comb begin
      pipe_data_o = '0;
      for (int i = 0; i < 2; i++) begin
        for (int g = 0; g < int'(Groups); g++) begin
          for (int w = 0; w < int'(PipeWords); w++) begin
            if (take_pipe_q[i][g] && !fixed_q) pipe_data_o[i][w] |= row_data[g][32'(chunk_q)*PipeWords+w];
            if (take_pipe_q[i][g] && fixed_q)
              pipe_data_o[i][w] |= row_data[g][32'(chunk_q)*(PipeWords/2)+32'(w%2*int'(RowWords/2)+w/2)];
          end
        end
      end
    end
  end else begin : gen_no_pipe
    logic unused;
    assign unused = ^{pipe_req_i, pipe_fixed_i, pipe_group_i, pipe_pos_i, plain_mask, pipe_fixed_q};
    assign pipe_data_o = '0;
  end

endmodule
