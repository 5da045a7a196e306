// SPDX-License-Identifier: Apache-2.0
// rs_sample_ball: a challenge of ML-DSA: SampleInBall of 128 bytes of its stream.
// Model:   FIPS 204, algorithm 29
// Params:  Words: coefficients of a row, a power of two
// Bounds:  tau_i from 1 to 64; ones from start_i to done_o held; lane_i is taken with take_o, and the next one is there in the cycle after it; rows are taken at once
// Timing:  320 cycles and as many of zeros as rows, less 64, to the first of 256 / Words rows: two for each byte behind the signs, others to load
//          lanes, whatever the stream is. done_o with the last row. After it, and after clear_i with wipe_i, no register depends on the stream
//
// 120 bytes behind the eight of signs: that they are too few has a probability below 2^-72, and is told: short_o.
module rs_sample_ball #(
    parameter int unsigned Words = 4
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  start_i,
    input  logic                  clear_i,
    input  logic                  wipe_i,      // zeros in row wipe_row_i
    input  logic [      5:0]      wipe_row_i,
    input  logic [      5:0]      tau_i,
    input  logic [     63:0]      lane_sec_i,
    output logic                  take_o,      // the next lane
    output logic                  valid_o,
    output logic [Words-1:0][1:0] row_sec_o,   // 0, 1, and -1 as 3
    output logic                  short_o,     // with done_o
    output logic                  done_o
);
  localparam int unsigned Rows = 256 / Words;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned LogWords = $clog2(Words);
  localparam int unsigned Lanes = 15;  // behind that of the signs

  if (Rows > 64 || (Words & (Words - 1)) != 0) begin : gen_illegal
    $fatal(1, "%m: Words must be a power of two of at least 4");
  end

  typedef enum logic [2:0] {
    Idle,
    Clear,
    Signs,
    Load,
    Read,   // the coefficient at the byte, which goes to the next place
    Write,  // and the new one in its place
    Give
  } state_e;

  state_e state_q;
  logic [RowBits-1:0] row_q;
  logic [3:0] lane_q;
  logic [2:0] byte_q;
  logic [63:0] signs_sec_q, bytes_sec_q;
  logic [8:0] next_sec_q;  // place, 256: all are there. What is accepted says something of the stream
  logic [7:0] place_sec;
  logic accepted_sec, accepted_sec_q, last_byte, end_row;
  logic [Words-1:0] we;
  logic [RowBits-1:0] write_row, read_row;
  logic [1:0] write_data_sec;
  logic [Words-1:0][1:0] read_sec;
  logic [LogWords-1:0] word_sec;

  assign place_sec    = bytes_sec_q[7:0];
  assign accepted_sec = !next_sec_q[8] && place_sec <= next_sec_q[7:0];
  assign last_byte    = byte_q == 3'd7;
  assign end_row      = 32'(row_q) == Rows - 1;
  assign read_row     = state_q == Give ? row_q : RowBits'(place_sec >> LogWords);
  assign word_sec     = LogWords'(place_sec);
  assign take_o       = state_q == Signs || state_q == Load;
  assign valid_o      = state_q == Give;
  assign done_o       = valid_o && end_row;
  assign short_o      = done_o && !next_sec_q[8];
  assign row_sec_o    = valid_o ? read_sec : '0;

  always_comb begin
    we = '0;
    write_row = row_q;
    write_data_sec = '0;
    if (state_q == Clear || state_q == Give) we = '1;
    if (state_q == Read && accepted_sec) begin
      we[LogWords'(next_sec_q)] = 1'b1;
      write_row = RowBits'(next_sec_q[7:0] >> LogWords);
      write_data_sec = read_sec[word_sec];
    end
    if (state_q == Write && accepted_sec_q) begin
      we[word_sec] = 1'b1;
      write_row = RowBits'(place_sec >> LogWords);
      write_data_sec = {signs_sec_q[0], 1'b1};
    end
    if (wipe_i) begin
      we = '1;
      write_row = RowBits'(wipe_row_i);
      write_data_sec = '0;
    end
  end

  for (genvar i = 0; i < Words; i++) begin : gen_word
    rs_ram_1r1w #(
        .Width(2),
        .Depth(Rows)
    ) u_memory (
        .clk_i,
        .we_i   (we[i]),
        .waddr_i(write_row),
        .wdata_i(write_data_sec),
        .raddr_i(read_row),
        .rdata_o(read_sec[i])
    );
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      state_q <= Idle;
    end else begin
      unique case (state_q)
        Idle:    if (start_i) state_q <= Clear;
        Clear:   if (end_row) state_q <= Signs;
        Signs:   state_q <= Load;
        Load:    state_q <= Read;
        Read:    state_q <= Write;
        Write:   state_q <= !last_byte ? Read : 32'(lane_q) == Lanes ? Give : Load;
        default: if (end_row) state_q <= Idle;
      endcase
    end
    row_q <= (state_q == Clear || state_q == Give) && !end_row ? row_q + 1'b1 : '0;
    if (state_q == Signs) lane_q <= '0;
    else if (state_q == Load) lane_q <= lane_q + 1'b1;
    if (state_q == Load) byte_q <= '0;
    else if (state_q == Write) byte_q <= byte_q + 1'b1;
    // nothing stays
    if (!rst_ni || clear_i || state_q == Idle || state_q == Give) begin
      signs_sec_q    <= '0;
      bytes_sec_q    <= '0;
      accepted_sec_q <= 1'b0;
    end else begin
      if (state_q == Signs) signs_sec_q <= lane_sec_i;
      else if (state_q == Write && accepted_sec_q) signs_sec_q <= signs_sec_q >> 1;
      if (state_q == Load) bytes_sec_q <= lane_sec_i;
      else if (state_q == Write) bytes_sec_q <= bytes_sec_q >> 8;
      accepted_sec_q <= state_q == Read && accepted_sec;
    end
    if (!rst_ni || clear_i || state_q == Idle || (state_q == Give && end_row)) next_sec_q <= '0;
    else if (state_q == Signs) next_sec_q <= 9'd256 - 9'(tau_i);
    else if (state_q == Write && accepted_sec_q) next_sec_q <= next_sec_q + 1'b1;
  end
endmodule
