// SPDX-License-Identifier: Apache-2.0
// rs_ntt_addr: bank groups and addresses of reads and writes, and twiddle addresses, of the in-place transform.
// Model:   lib/src/arith/ntt.c, with fft_i lib/src/encoding/fixed.c; schedule: docs/ntt_schedule.md
// Params:  LogNMax, LogLanes, WriteLag, ReorderLatency and TwiddleLatency (rs_ntt_pkg); Encode: fft_i is there; Sliced: slices_i is:
//          polynomials of 2^log_n_i words, whose numbers are the address's bits above those of a polynomial, and stay
// Bounds:  never a read and a write in the same bank group (formal/); log_n_i in LogLanes + 4 .. LogNMax, with Sliced from LogLanes + 3 on,
//          held from the cycle before start_i to done_o, fft_i, part_i and slices_i likewise, inverse_i from start_i on
// Timing:  first read 2 + max(0, TwiddleLatency - 3) cycles after start_i; twiddles arrive with their operands at the
//          lanes; done_o comes with the last write (with fft_i a cycle later)
module rs_ntt_addr #(
    parameter  int unsigned LogNMax        = 13,
    parameter  int unsigned LogLanes       = 2,
    parameter  int unsigned WriteLag       = 25,
    parameter  int unsigned ReorderLatency = 3,
    parameter  int unsigned TwiddleLatency = 2,
    parameter  bit          Encode         = 1'b0,
    parameter  bit          Sliced         = 1'b0,
    localparam int unsigned AddrBits       = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits     = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits       = rs_ntt_pkg::LogNBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,
    input logic inverse_i,
    input logic fft_i,
    input logic [LogNBits-1:0] log_n_i,
    input logic [rs_ntt_pkg::SliceBits-1:0] slices_i,  // slices of Sliced, less one
    input logic [1:0] part_i,  // with Encode, of the inverse: its first stage (1), its second one (2), all others (3); 0: all
    output logic read_o,
    output logic read_group_o,
    output logic [AddrBits-1:0] read_addr_o,
    output logic write_o,
    output logic write_group_o,
    output logic [AddrBits-1:0] write_addr_o,
    output logic done_o,  // with the last write
    output logic end_o,  // DoneLead cycles before
    output logic twiddle_o,  // a twiddle is wanted: rs_twiddles' read port
    output logic [AddrBits+1:0] twiddle_addr_o,
    output logic [SelectBits-1:0] twiddle_fixed_o,  // lane bits that do not choose the bank
    output logic [SelectBits-1:0] twiddle_bank_o,  // the bank in those bits
    output logic [LogNBits-1:0] twiddle_stage_o,  // the stage of the next cycle
    output logic [AddrBits:0] twiddle_step_o,
    output logic twiddle_second_o,  // with fft_i, with the address: of a slot's two products
    output logic twiddle_odd_o,  // its root has a negative real part
    output logic component_o,  // one lane: it is the slot of im
    output logic [2:0] phase_o  // step mod 4 of the words that were read three cycles ago; with fft_i {slot, second} mod 8
);

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end

  // Cycles from start_i to the three walks. A read needs three to the lanes (address, memory, operand register).
  localparam int unsigned ReadDelay = TwiddleLatency > 3 ? TwiddleLatency - 3 : 0;
  localparam int unsigned TwiddleDelay = ReadDelay + 3 - TwiddleLatency;
  localparam int unsigned InverseTwiddleDelay = TwiddleDelay + ReorderLatency;
  localparam int unsigned FftTwiddleDelay = InverseTwiddleDelay + (Encode ? rs_ntt_pkg::fft_reorder_more(LogLanes) : 0);
  localparam int unsigned WriteDelay = ReadDelay + WriteLag;
  localparam int unsigned FftWriteDelay = ReadDelay + rs_ntt_pkg::fft_lag(WriteLag);
  localparam int unsigned LongestDelay = Encode ? FftWriteDelay : WriteDelay;
  localparam bit Solo = Encode && LogLanes == 0;
  localparam bit Two = Encode && LogLanes == 1;

  logic fft, solo;
  assign fft  = Encode && fft_i;
  assign solo = Solo && fft_i;

  logic [LongestDelay:0] start;
  logic [LongestDelay:1] start_q;
  assign start = {start_q, start_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) start_q <= '0;
    else start_q <= start[LongestDelay-1:0];
  end

  logic [LogNBits-1:0] addr_bits_q;
  logic [AddrBits-1:0] addr_mask_q;
  always_ff @(posedge clk_i) begin
    addr_bits_q <= log_n_i - LogNBits'(2 + LogLanes) - LogNBits'(solo);
    addr_mask_q <= ~({AddrBits{1'b1}} << (log_n_i - LogNBits'(2 + LogLanes) - LogNBits'(solo)));
  end

  // ---- reads and writes: the same addresses, WriteLag apart -----------------------------------------------------------
  logic read_valid, write_valid, write_last, read_last;
  logic [LogNBits-1:0] read_turn, write_turn;
  logic [AddrBits:0] read_step, write_step, read_slot, write_slot;
  logic read_second, write_second, read_half, write_half;
  logic [LogNBits-1:0] read_stage, write_stage;
  logic [LogNBits-1:0] read_rest_q, write_rest_q;
  logic [AddrBits-1:0] read_addr, write_addr;

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag),
      .Encode  (Encode),
      .Sliced  (Sliced)
  ) u_read (
      .clk_i,
      .rst_ni,
      .fft_i,
      .start_i (start[ReadDelay]),
      .inverse_i,
      .log_n_i,
      .slices_i,
      .part_i,
      .valid_o (read_valid),
      .last_o  (read_last),
      .stage_o (read_stage),
      .turn_o  (read_turn),
      .step_o  (read_step),
      .second_o(read_second)
  );

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag),
      .Encode  (Encode),
      .Sliced  (Sliced)
  ) u_write (
      .clk_i,
      .rst_ni,
      .fft_i,
      .start_i (fft ? start[LongestDelay] : start[WriteDelay]),
      .inverse_i,
      .log_n_i,
      .slices_i,
      .part_i,
      .valid_o (write_valid),
      .last_o  (write_last),
      .stage_o (write_stage),
      .turn_o  (write_turn),
      .step_o  (write_step),
      .second_o(write_second)
  );

  // rs_ntt_pkg::rotate, with a difference that is a cycle late: a stage begins with address 0, which is 0 turned by anything
  always_ff @(posedge clk_i) begin
    read_rest_q  <= addr_bits_q - read_turn;
    write_rest_q <= addr_bits_q - write_turn;
  end

  // What a slot's number is made of: on the lanes' side {block, l, g}, and so on the banks'. Two lanes, whose blocks have no lane_0 to exchange with g:
  // there {block, g, l} on the lanes' side. One lane: {block, l, g, c} there, {block, g, l, c} on the banks'.
  function automatic logic [AddrBits:0] order(input logic [AddrBits:0] number, input logic on_lanes);
    order = number;
    if (Two && fft && on_lanes) order[1:0] = {number[0], number[1]};
    if (Solo && fft && !on_lanes) order[2:1] = {number[1], number[2]};
  endfunction
  assign read_slot  = order(read_step, !inverse_i);
  assign write_slot = order(write_step, inverse_i);

  logic [AddrBits-1:0] read_row, write_row, read_turned, write_turned;
  assign read_row   = solo ? read_slot[AddrBits:1] >> 1 : read_slot[AddrBits:1];
  assign write_row  = solo ? write_slot[AddrBits:1] >> 1 : write_slot[AddrBits:1];
  assign read_half  = solo ? read_slot[1] : read_slot[0];
  assign write_half = solo ? write_slot[1] : write_slot[0];
  if (Sliced) begin : gen_slices
    logic [AddrBits-1:0] read_low, write_low;
    assign read_low = read_row & addr_mask_q;
    assign write_low = write_row & addr_mask_q;
    assign read_turned = (read_low << read_turn | read_low >> read_rest_q) & addr_mask_q | (read_row & ~addr_mask_q);
    assign write_turned = (write_low << write_turn | write_low >> write_rest_q) & addr_mask_q | (write_row & ~addr_mask_q);
  end else begin : gen_whole
    assign read_turned  = (read_row << read_turn | read_row >> read_rest_q) & addr_mask_q;
    assign write_turned = (write_row << write_turn | write_row >> write_rest_q) & addr_mask_q;
  end
  assign read_addr  = solo ? {read_turned[AddrBits-2:0], read_slot[0]} : read_turned;
  assign write_addr = solo ? {write_turned[AddrBits-2:0], write_slot[0]} : write_turned;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_o  <= 1'b0;
      write_o <= 1'b0;
      done_o  <= 1'b0;
    end else begin
      read_o  <= read_valid && !read_second;
      write_o <= write_valid && !write_second;
      done_o  <= write_last;
    end
  end

  // the last write is WriteLag cycles behind the last read; done_o a cycle later
  localparam int unsigned EndDelay = rs_ntt_pkg::end_delay(WriteLag + 1);
  // the lag of an FFT is longer, and read_last comes a cycle later
  localparam int unsigned FftEndDelay = rs_ntt_pkg::end_delay(rs_ntt_pkg::fft_lag(WriteLag));
  localparam int unsigned LongestEnd = Encode ? FftEndDelay : EndDelay;
  logic [LongestEnd:1] end_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) end_q <= '0;
    else end_q <= {end_q[LongestEnd-1:1], read_last};
  end
  assign end_o = fft ? end_q[LongestEnd] : end_q[EndDelay];

  always_ff @(posedge clk_i) begin
    read_group_o  <= read_half;
    read_addr_o   <= read_addr;
    write_group_o <= write_half;
    write_addr_o  <= write_addr;
  end

  // Blocks are four steps and pauses are whole blocks, so one counter serves the whole transform. The first operands are
  // there five cycles after the read walk's start.
  localparam int unsigned PhaseBits = Encode ? 3 : 2;
  logic [PhaseBits-1:0] phase_q;
  always_ff @(posedge clk_i) phase_q <= start[ReadDelay] ? '0 : phase_q + 1'b1;
  assign phase_o = 3'(phase_q);

  // ---- twiddles -------------------------------------------------------------------------------------------------------
  logic twiddle_valid, twiddle_last, twiddle_second, odd;
  logic [LogNBits-1:0] stage, turn, log_n_held;
  logic [AddrBits:0] number, step;
  logic [AddrBits+1:0] twiddle_addr;
  logic [SelectBits-1:0] fixed, bank;

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag),
      .Encode  (Encode),
      .Sliced  (Sliced)
  ) u_twiddle (
      .clk_i,
      .rst_ni,
      .fft_i,
      .start_i (!inverse_i ? start[TwiddleDelay] : fft ? start[FftTwiddleDelay] : start[InverseTwiddleDelay]),
      .inverse_i,
      .log_n_i,
      .slices_i,
      .part_i,
      .valid_o (twiddle_valid),
      .last_o  (twiddle_last),
      .stage_o (stage),
      .turn_o  (turn),
      .step_o  (number),
      .second_o(twiddle_second)
  );

  rs_ntt_twiddle_index #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .Encode  (Encode)
  ) u_index (
      .inverse_i(inverse_i && !fft),
      .log_n_i(log_n_held),
      .stage_i(stage),
      .step_i(step),
      .addr_o(twiddle_addr),
      .fixed_o(fixed),
      .bank_o(bank),
      .fft_i,
      .second_i(twiddle_second),
      .odd_o(odd)
  );
  assign step = order(number, 1'b1);

  // with slices log_n_i may come with the instruction, and the path to a twiddle's address is long enough
  if (Sliced) begin : gen_held
    always_ff @(posedge clk_i) log_n_held <= log_n_i;
  end else begin : gen_fixed
    assign log_n_held = log_n_i;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) twiddle_o <= 1'b0;
    else twiddle_o <= twiddle_valid;
  end

  always_ff @(posedge clk_i) begin
    twiddle_addr_o   <= twiddle_addr;
    twiddle_fixed_o  <= fixed;
    twiddle_bank_o   <= bank;
    twiddle_step_o   <= step;
    twiddle_second_o <= twiddle_second;
    twiddle_odd_o    <= odd;
    component_o      <= solo && step[0];
  end

  assign twiddle_stage_o = stage;

  logic unused;
  assign unused = ^{read_stage, write_stage, twiddle_last, turn};

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(read_o && write_o && read_group_o == write_group_o))
      else $error("%m: a read and a write in bank group %0d", read_group_o);
      // why: groups alternate from the start, and the writes start in an odd cycle
      assert (fft || !read_valid || read_step[0] == phase_q[0])
      else $error("%m: a read out of step");
      assert (fft || !write_valid || write_step[0] != phase_q[0])
      else $error("%m: a write out of step");
      // an FFT's reads come in even cycles, its writes in odd ones
      assert (!fft || !read_valid || read_second == phase_q[0])
      else $error("%m: a slot's read out of step");
      assert (!fft || !write_valid || write_second != phase_q[0])
      else $error("%m: a slot's write out of step");
      if (start_i) begin
        assert (32'(log_n_i) >= LogLanes + (Sliced ? 3 : 4) && 32'(log_n_i) <= LogNMax)
        else $error("%m: log2 N %0d", log_n_i);
      end
    end
  end

`ifndef FORMAL
  // A word of the stage before must have been written, and none of this stage: writes so far to a group's address count stages.
  logic [LogNBits-1:0] writes_q[2][1<<AddrBits];
  logic [LogNBits-1:0] stages_before_q;
  logic [1:0] skipped;  // stages that earlier parts have done
  assign skipped = part_i > 2'd1 ? part_i - 2'd1 : 2'd0;

  always_ff @(posedge clk_i) begin
    stages_before_q <= !inverse_i ? read_stage : log_n_i - LogNBits'(1) - LogNBits'(fft) - LogNBits'(skipped) - read_stage;
    if (rst_ni) begin
      if (read_o) begin
        assert (writes_q[read_group_o][read_addr_o] == stages_before_q)
        else $error("%m: group %0d address %0d is not at stage %0d", read_group_o, read_addr_o, stages_before_q);
      end
      if (write_o) writes_q[write_group_o][write_addr_o] <= writes_q[write_group_o][write_addr_o] + 1'b1;
      if (start_i) begin
        for (int g = 0; g < 2; g++) for (int a = 0; a < 1 << AddrBits; a++) writes_q[g][a] <= '0;
      end
    end
  end
`endif
`endif

endmodule
