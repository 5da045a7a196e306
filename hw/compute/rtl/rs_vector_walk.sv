// SPDX-License-Identifier: Apache-2.0
// rs_vector_walk: addresses of an elementwise operation: every half row of N / (2 Lanes) words, read once, written once.
// Params:  LogNMax, LogLanes; WriteLag: cycles from a read to its write, odd; Streamed: with stream_i, for one lane only, in the order in
//          which the chunks of two words of an array in NTT form come (docs/core.md, "Order of coefficients"), one for each read;
//          Sliced: slices_i is: so many polynomials of 2^log_n_i words, one after the other
// Bounds:  reads come in every second cycle and writes in the others, so the destination may be an operand
// Timing:  first read in the cycle after start_i, N / Lanes cycles to the last one's end, WriteLag more to the last write; end_o
//          rs_ntt_pkg::DoneLead cycles before that; with stream_i more, if chunks come
//          late
module rs_vector_walk #(
    parameter  int unsigned LogNMax  = 10,
    parameter  int unsigned LogLanes = 2,
    parameter  int unsigned WriteLag = 23,
    parameter  bit          Streamed = 1'b0,
    parameter  bit          Sliced   = 1'b0,
    localparam int unsigned AddrBits = LogNMax - 2 - LogLanes,
    localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits
) (
    input  logic                             clk_i,
    input  logic                             rst_ni,
    input  logic                             start_i,
    input  logic [             LogNBits-1:0] log_n_i,         // held from the cycle before start_i to end_o
    input  logic [rs_ntt_pkg::SliceBits-1:0] slices_i,        // less one, likewise
    input  logic                             stream_i,        // likewise
    input  logic                             stream_valid_i,
    output logic                             stream_ready_o,  // with a read
    output logic                             read_o,
    output logic                             write_o,
    output logic                             half_o,          // the half of the read or write
    output logic [             AddrBits-1:0] addr_o,
    output logic                             end_o
);

  localparam int unsigned EndDelay = rs_ntt_pkg::end_delay(WriteLag);

  if (WriteLag % 2 == 0 || WriteLag < 7) begin : gen_illegal
    $fatal(1, "%m: WriteLag %0d has to be odd, and at least 7", WriteLag);
  end
  if (Streamed && LogLanes != 0) begin : gen_illegal_stream
    $fatal(1, "%m: a stream takes one lane");
  end

  // 2^log_n / (2 Lanes) half rows: {address, half}
  typedef logic [AddrBits:0] row_t;

  row_t last_q, read_q, write_q, read_next, write_next;
  logic busy_q, phase_q, ready_q, read, write;
  logic [WriteLag-1:0] pending_q;
  logic [EndDelay:1] end_q;  // the last read, since

  row_t last_of_one;
  assign last_of_one = ~({AddrBits + 1{1'b1}} << (log_n_i - LogNBits'(1 + LogLanes)));
  if (Sliced) begin : gen_slices
    always_ff @(posedge clk_i) last_q <= row_t'(slices_i) << (log_n_i - LogNBits'(1 + LogLanes)) | last_of_one;
  end else begin : gen_whole
    always_ff @(posedge clk_i) last_q <= last_of_one;
    logic unused_slices;
    assign unused_slices = ^slices_i;
  end
  assign read = busy_q && !phase_q && (!Streamed || !stream_i || stream_valid_i);
  assign stream_ready_o = ready_q;
  assign write = pending_q[WriteLag-1];

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q    <= 1'b0;
      pending_q <= '0;
      end_q     <= '0;
    end else begin
      if (start_i) busy_q <= 1'b1;
      else if (read && read_q == last_q) busy_q <= 1'b0;
      pending_q <= {pending_q[WriteLag-2:0], read};
      end_q     <= {end_q[EndDelay-1:1], read && read_q == last_q};
    end
  end

  always_ff @(posedge clk_i) begin
    phase_q <= start_i ? 1'b0 : !phase_q;
    // busy and in phase 0, of a stream: whoever takes the chunk has a long way to memory
    ready_q <= rst_ni && Streamed && stream_i && (start_i || (busy_q && phase_q));
    if (start_i) begin
      read_q  <= '0;
      write_q <= '0;
    end else begin
      if (read) read_q <= read_next;
      if (write) write_q <= write_next;
    end
  end

  // Chunk k of an array in NTT form is at address brv(k), k without its top bit, the half, turned left by two: k counts up in the
  // address's bits 1, 0, and then from its top bit down to 2.
  if (Streamed) begin : gen_stream
    logic [1:0][AddrBits-2:0] counted;
    row_t [1:0] row, after;
    assign row[0] = read_q;
    assign row[1] = write_q;
    for (genvar i = 0; i < 2; i++) begin : gen_next
      rs_next_reversed #(
          .Width(AddrBits - 1)
      ) u_next (
          .ones_i ({last_q[AddrBits:3], last_q[0]}),
          .value_i({row[i][AddrBits:3], row[i][0]}),
          .next_o (counted[i])
      );
      always_comb begin
        after[i] = row[i];
        if (!stream_i) after[i] = row[i] + 1'b1;
        else begin
          after[i][2] = !row[i][2];
          if (row[i][2]) after[i][1] = !row[i][1];
          if (row[i][2:1] == '1) begin
            after[i][AddrBits:3] = counted[i][AddrBits-2:1];
            after[i][0] = counted[i][0];
          end
        end
      end
    end
    assign read_next  = after[0];
    assign write_next = after[1];
  end else begin : gen_count
    assign read_next  = read_q + 1'b1;
    assign write_next = write_q + 1'b1;
    logic unused;
    assign unused = ^{stream_i, stream_valid_i};
  end

  assign read_o = read;
  assign write_o = write;
  assign {addr_o, half_o} = write ? write_q : read_q;
  assign end_o = end_q[EndDelay];

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(read && write))
      else $error("%m: a read and a write in one cycle");
    end
  end
`endif

endmodule
