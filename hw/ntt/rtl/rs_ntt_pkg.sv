// SPDX-License-Identifier: Apache-2.0
// rs_ntt_pkg: types and arithmetic of the transform's schedule (docs/ntt_schedule.md).
// Bounds:  log2 N up to 17, lanes up to 2^8
package rs_ntt_pkg;

  typedef enum logic [0:0] {
    NTT_FORWARD = 1'b0,
    NTT_INVERSE = 1'b1
  } ntt_op_e;

  parameter int unsigned LogNBits = 5;  // bits of ports that carry log2 N or a stage
  parameter int unsigned LogNLimit = 17;
  parameter int unsigned LogLanesLimit = 8;

  // Two bits of an index choose between the banks of a butterfly and between the groups, log_lanes the lane, two at least the
  // address.
  function automatic bit supported(input int unsigned log_n, input int unsigned log_lanes);
    return log_n >= log_lanes + 4 && log_n <= LogNLimit && log_lanes <= LogLanesLimit;
  endfunction

  // Cycles of rs_ntt_reorder. Of several lanes it has registers on both sides, unless the pipeline would then be longer than half a stage
  // of 128 words per lane, and stages would wait. That of one lane ends in a register as it is.
  function automatic int unsigned reorder_latency(input int unsigned log_lanes, input int unsigned lane_latency);
    return log_lanes > 0 && lane_latency + 8 <= 33 ? 5 : 3;
  endfunction

  // From a read to the write of the same step: memory, operand register, lane, reordering, result register. Odd, so
  // that a write always finds its bank group not being read.
  function automatic int unsigned write_lag(input int unsigned log_lanes, input int unsigned lane_latency);
    return (3 + lane_latency + reorder_latency(log_lanes, lane_latency)) | 1;
  endfunction

  // ---- encode and decode (docs/ntt_schedule.md): N/2 complex points, a slot is two cycles
  // Cycles of the reordering over those of the NTT: three slots in place of three steps, or two slots of one lane.
  function automatic int unsigned fft_reorder_more(input int unsigned log_lanes);
    return log_lanes == 0 ? 1 : 3;
  endfunction

  // Cycles of the lane beyond its latency: the second product, or with one lane those of another slot.
  function automatic int unsigned fft_lane_more(input int unsigned log_lanes);
    return log_lanes == 0 ? 3 : 1;
  endfunction

  // From a read to the write of the same slot, over that of the NTT: lane and reordering.
  function automatic int unsigned fft_lag(input int unsigned lag);
    return lag + 4;
  endfunction

  // Address bits of a point: one lane has re and im at two addresses.
  function automatic int unsigned fft_addr_bits(input int unsigned addr_bits, input int unsigned log_lanes);
    return log_lanes == 0 ? addr_bits - 1 : addr_bits;
  endfunction

  // Slots of one stage with its pause of whole blocks. The largest distance in slots from where a word is read to where the stage before wrote it is half
  // a stage less one (two lanes) or less two.
  function automatic int unsigned fft_stage_slots(input int unsigned addr_bits, input int unsigned log_lanes,
                                                  input int unsigned lag);
    int unsigned slots;
    int unsigned slack;
    int unsigned block;
    slots = 2 << addr_bits;
    slack = slots + (log_lanes == 1 ? 1 : 3);  // in cycles
    block = log_lanes == 0 ? 16 : 8;
    return slots + (lag > slack ? (lag - slack + block - 1) / block * block / 2 : 0);
  endfunction

  // The end of an instruction is told DoneLead cycles before the last write is in the banks: no unit that it lets start is there sooner.
  // The next start is three cycles later, and reaches the banks in its second cycle at the earliest.
  parameter int unsigned DoneLead = 4;

  // From the last read of an instruction to what is a cycle before its end.
  function automatic int unsigned end_delay(input int unsigned lag);
    return lag - DoneLead;
  endfunction

  // Levels of rs_twiddle_network, three to a register.
  function automatic int unsigned network_latency(input int unsigned log_lanes);
    return (log_lanes + 2) / 3;
  endfunction

  // On the fly: two steps until the constants are there, request, operand, product. Once per transform.
  parameter int unsigned TwiddleLead = 2;

  // From the request of a twiddle to the twiddle: memory and network, and on the fly what makes it.
  function automatic int unsigned twiddle_latency(input int unsigned log_lanes, input bit on_the_fly = 1'b0,
                                                  input int unsigned modmul_latency = 0);
    return 1 + network_latency(log_lanes) + (on_the_fly ? TwiddleLead + 2 + modmul_latency : 0);
  endfunction

  // Twiddles on the fly: the image of a direction has TwiddleSeeds seeds and TwiddleSteps steps, filled to whole rows of Lanes
  // words, and three rows of constants of the lanes.
  parameter int unsigned TwiddleSeeds = 32;
  parameter int unsigned TwiddleSteps = 16;
  parameter int unsigned TwiddleConstantRows = 3;

  function automatic int unsigned twiddle_scalar_rows(input int unsigned log_lanes);
    return (TwiddleSeeds + TwiddleSteps + (1 << log_lanes) - 1) >> log_lanes;
  endfunction

  function automatic int unsigned twiddle_rows(input int unsigned log_lanes);
    return twiddle_scalar_rows(log_lanes) + TwiddleConstantRows;
  endfunction

  // Twiddles in a ring: a product and the register in front of it, rounded up to a power of two.
  function automatic int unsigned log_twiddle_ring(input int unsigned modmul_latency);
    return modmul_latency < 16 ? 4 : $clog2(modmul_latency + 1);
  endfunction

  // Cycles of one stage when a bank has 2^addr_bits words in use: a read for every word of the two banks of a group, then a
  // pause of whole blocks that short transforms need, whose last write comes after its first use.
  function automatic int unsigned stage_cycles(input int unsigned addr_bits, input int unsigned lag);
    int unsigned busy;
    int unsigned slack;
    busy  = 2 << addr_bits;
    slack = (1 << addr_bits) + 1;
    return busy + (lag > slack ? (lag - slack + 3) / 4 * 4 : 0);
  endfunction

  // ---- slices: polynomials of 2^t words that follow each other in one group (docs/ntt_schedule.md)
  /* verilator lint_off UNUSEDPARAM */  // not every module that imports this looks at it
  parameter int unsigned SliceBits = 6;  // bits of a number of slices, less one, and of the number of a slice
  /* verilator lint_on UNUSEDPARAM */

  // The pause of a stage that takes the slices one after the other: a word waits for all of them but half of one.
  function automatic int unsigned sliced_pause(input int unsigned addr_bits, input int unsigned slices, input int unsigned lag);
    int unsigned slack;
    slack = slices * (2 << addr_bits) - (1 << addr_bits) + 1;
    return lag > slack ? (lag - slack + 3) / 4 * 4 : 0;
  endfunction

  // The smallest power of two of slices with which no stage has a pause.
  function automatic int unsigned unpaused(input int unsigned lag);
    int unsigned slices;
    slices = 2;
    while (sliced_pause(1, slices, lag) != 0) slices = slices * 2;
    return slices;
  endfunction

  // The low `bits` of x in reverse order; x < 2^bits.
  function automatic logic [LogNLimit-1:0] reverse(input logic [LogNLimit-1:0] x, input logic [LogNBits-1:0] bits);
    logic [LogNLimit-1:0] mirrored;
    for (int i = 0; i < int'(LogNLimit); i++) mirrored[i] = x[int'(LogNLimit)-1-i];
    return mirrored >> (LogNBits'(LogNLimit) - bits);
  endfunction

  // The low `bits` of x rotated left; x < 2^bits, amount < bits.
  function automatic logic [LogNLimit-1:0] rotate(input logic [LogNLimit-1:0] x, input logic [LogNBits-1:0] amount,
                                                  input logic [LogNBits-1:0] bits);
    return ((x << amount) | (x >> (bits - amount))) & ~({LogNLimit{1'b1}} << bits);
  endfunction

  // The same of any x: the bits above, the number of a slice, stay.
  function automatic logic [LogNLimit-1:0] rotate_low(input logic [LogNLimit-1:0] x, input logic [LogNBits-1:0] amount,
                                                      input logic [LogNBits-1:0] bits);
    logic [LogNLimit-1:0] above;
    above = {LogNLimit{1'b1}} << bits;
    return rotate(x & ~above, amount, bits) | (x & above);
  endfunction

endpackage
