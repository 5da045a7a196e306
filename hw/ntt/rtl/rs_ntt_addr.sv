// SPDX-License-Identifier: Apache-2.0
// rs_ntt_addr: bank groups and addresses of reads and writes, and twiddle addresses, of the in-place transform.
// Model:   lib/src/arith/ntt.c; schedule: docs/ntt_schedule.md
// Params:  LogNMax, LogLanes, WriteLag, ReorderLatency and TwiddleLatency (rs_ntt_pkg)
// Bounds:  never a read and a write in the same bank group (formal/); log_n_i in LogLanes + 4 .. LogNMax, held from
//          the cycle before start_i to done_o, inverse_i from start_i on
// Timing:  first read 2 + max(0, TwiddleLatency - 3) cycles after start_i; twiddles arrive with their operands at the
//          lanes; done_o comes with the last write
module rs_ntt_addr #(
    parameter  int unsigned LogNMax        = 13,
    parameter  int unsigned LogLanes       = 2,
    parameter  int unsigned WriteLag       = 25,
    parameter  int unsigned ReorderLatency = 3,
    parameter  int unsigned TwiddleLatency = 2,
    localparam int unsigned AddrBits       = LogNMax - 2 - LogLanes,
    localparam int unsigned SelectBits     = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits       = rs_ntt_pkg::LogNBits
) (
    input  logic                  clk_i,
    input  logic                  rst_ni,
    input  logic                  start_i,
    input  logic                  inverse_i,
    input  logic [  LogNBits-1:0] log_n_i,
    output logic                  read_o,
    output logic                  read_group_o,
    output logic [  AddrBits-1:0] read_addr_o,
    output logic                  write_o,
    output logic                  write_group_o,
    output logic [  AddrBits-1:0] write_addr_o,
    output logic                  done_o,           // with the last write
    output logic                  end_o,            // DoneLead cycles before
    output logic                  twiddle_o,        // a twiddle is wanted: rs_twiddles' read port
    output logic [  AddrBits+1:0] twiddle_addr_o,
    output logic [SelectBits-1:0] twiddle_fixed_o,  // lane bits that do not choose the bank
    output logic [SelectBits-1:0] twiddle_bank_o,   // the bank in those bits
    output logic [  LogNBits-1:0] twiddle_stage_o,  // of the next cycle
    output logic [    AddrBits:0] twiddle_step_o,
    output logic [           1:0] phase_o           // step mod 4 of the words that were read three cycles ago
);

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end

  // Cycles from start_i to the three walks. A read needs three to the lanes (address, memory, operand register).
  localparam int unsigned ReadDelay = TwiddleLatency > 3 ? TwiddleLatency - 3 : 0;
  localparam int unsigned TwiddleDelay = ReadDelay + 3 - TwiddleLatency;
  localparam int unsigned InverseTwiddleDelay = TwiddleDelay + ReorderLatency;
  localparam int unsigned WriteDelay = ReadDelay + WriteLag;

  logic [WriteDelay:0] start;
  logic [WriteDelay:1] start_q;
  assign start = {start_q, start_i};
  always_ff @(posedge clk_i) begin
    if (!rst_ni) start_q <= '0;
    else start_q <= start[WriteDelay-1:0];
  end

  logic [LogNBits-1:0] addr_bits_q;
  logic [AddrBits-1:0] addr_mask_q;
  always_ff @(posedge clk_i) begin
    addr_bits_q <= log_n_i - LogNBits'(2 + LogLanes);
    addr_mask_q <= ~({AddrBits{1'b1}} << (log_n_i - LogNBits'(2 + LogLanes)));
  end

  // ---- reads and writes: the same addresses, WriteLag apart -----------------------------------------------------------
  logic read_valid, write_valid, write_last, read_last;
  logic [LogNBits-1:0] read_turn, write_turn;
  logic [AddrBits:0] read_step, write_step;
  logic [LogNBits-1:0] read_stage, write_stage;
  logic [LogNBits-1:0] read_rest_q, write_rest_q;
  logic [AddrBits-1:0] read_addr, write_addr;

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i(start[ReadDelay]),
      .inverse_i,
      .log_n_i,
      .valid_o(read_valid),
      .last_o (read_last),
      .stage_o(read_stage),
      .turn_o (read_turn),
      .step_o (read_step)
  );

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag)
  ) u_write (
      .clk_i,
      .rst_ni,
      .start_i(start[WriteDelay]),
      .inverse_i,
      .log_n_i,
      .valid_o(write_valid),
      .last_o (write_last),
      .stage_o(write_stage),
      .turn_o (write_turn),
      .step_o (write_step)
  );

  // rs_ntt_pkg::rotate, with a difference that is a cycle late: a stage begins with address 0, which is 0 turned by anything
  always_ff @(posedge clk_i) begin
    read_rest_q  <= addr_bits_q - read_turn;
    write_rest_q <= addr_bits_q - write_turn;
  end
  assign read_addr  = (read_step[AddrBits:1] << read_turn | read_step[AddrBits:1] >> read_rest_q) & addr_mask_q;
  assign write_addr = (write_step[AddrBits:1] << write_turn | write_step[AddrBits:1] >> write_rest_q) & addr_mask_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      read_o  <= 1'b0;
      write_o <= 1'b0;
      done_o  <= 1'b0;
    end else begin
      read_o  <= read_valid;
      write_o <= write_valid;
      done_o  <= write_last;
    end
  end

  // the last write is WriteLag cycles behind the last read; done_o a cycle later
  localparam int unsigned EndDelay = rs_ntt_pkg::end_delay(WriteLag + 1);
  logic [EndDelay:1] end_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) end_q <= '0;
    else end_q <= {end_q[EndDelay-1:1], read_last};
  end
  assign end_o = end_q[EndDelay];

  always_ff @(posedge clk_i) begin
    read_group_o  <= read_step[0];
    read_addr_o   <= read_addr;
    write_group_o <= write_step[0];
    write_addr_o  <= write_addr;
  end

  // Blocks are four steps and pauses are whole blocks, so one counter serves the whole transform. The first operands are
  // there five cycles after the read walk's start.
  logic [1:0] phase_q;
  always_ff @(posedge clk_i) phase_q <= start[ReadDelay] ? 2'd0 : phase_q + 1'b1;
  assign phase_o = phase_q;

  // ---- twiddles -------------------------------------------------------------------------------------------------------
  logic twiddle_valid, twiddle_last;
  logic [LogNBits-1:0] stage, turn;
  logic [  AddrBits:0] step;
  logic [AddrBits+1:0] twiddle_addr;
  logic [SelectBits-1:0] fixed, bank;

  rs_ntt_walk #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes),
      .WriteLag(WriteLag)
  ) u_twiddle (
      .clk_i,
      .rst_ni,
      .start_i(inverse_i ? start[InverseTwiddleDelay] : start[TwiddleDelay]),
      .inverse_i,
      .log_n_i,
      .valid_o(twiddle_valid),
      .last_o (twiddle_last),
      .stage_o(stage),
      .turn_o (turn),
      .step_o (step)
  );

  rs_ntt_twiddle_index #(
      .LogNMax (LogNMax),
      .LogLanes(LogLanes)
  ) u_index (
      .inverse_i,
      .log_n_i,
      .stage_i(stage),
      .step_i (step),
      .addr_o (twiddle_addr),
      .fixed_o(fixed),
      .bank_o (bank)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) twiddle_o <= 1'b0;
    else twiddle_o <= twiddle_valid;
  end

  always_ff @(posedge clk_i) begin
    twiddle_addr_o  <= twiddle_addr;
    twiddle_fixed_o <= fixed;
    twiddle_bank_o  <= bank;
    twiddle_step_o  <= step;
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
      assert (!read_valid || read_step[0] == phase_q[0])
      else $error("%m: a read out of step");
      assert (!write_valid || write_step[0] != phase_q[0])
      else $error("%m: a write out of step");
      if (start_i) begin
        assert (32'(log_n_i) >= LogLanes + 4 && 32'(log_n_i) <= LogNMax)
        else $error("%m: log2 N %0d", log_n_i);
      end
    end
  end

`ifndef FORMAL
  // A word of the stage before must have been written, and none of this stage: writes so far to a group's address count stages.
  logic [LogNBits-1:0] writes_q[2][1<<AddrBits];
  logic [LogNBits-1:0] stages_before_q;

  always_ff @(posedge clk_i) begin
    stages_before_q <= inverse_i ? log_n_i - 1'b1 - read_stage : read_stage;
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
