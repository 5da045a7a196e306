// SPDX-License-Identifier: Apache-2.0
// rs_twiddle_place: the bank and address of an entry of the twiddle table, combinational.
// Model:   docs/ntt_schedule.md: index = {two bits, bits of the bank from 0 up, the rest}; address = {two bits, the rest}
// Params:  LogNMax, LogLanes
// Bounds:  a bijection of [0, N), N/Lanes words per bank
module rs_twiddle_place #(
    parameter  int unsigned LogNMax    = 13,
    parameter  int unsigned LogLanes   = 2,
    localparam int unsigned AddrBits   = LogNMax - LogLanes,
    localparam int unsigned SelectBits = LogLanes > 0 ? LogLanes : 1,
    localparam int unsigned LogNBits   = rs_ntt_pkg::LogNBits
) (
    input  logic [  LogNBits-1:0] log_n_i,
    input  logic [   LogNMax-1:0] index_i,
    output logic [SelectBits-1:0] bank_o,
    output logic [  AddrBits-1:0] addr_o
);

  localparam int unsigned Limit = rs_ntt_pkg::LogNLimit;
  localparam int unsigned LowBits = AddrBits - 2;

  if (!rs_ntt_pkg::supported(LogNMax, LogLanes)) begin : gen_illegal
    $fatal(1, "%m: LogNMax %0d with LogLanes %0d is out of range", LogNMax, LogLanes);
  end

  logic [LogNBits-1:0] low_bits;
  logic [Limit-1:0] above, low;
  assign low_bits = log_n_i - LogNBits'(2 + LogLanes);
  assign above    = Limit'(index_i) >> low_bits;
  assign low      = Limit'(index_i) & ~({Limit{1'b1}} << low_bits);
  assign addr_o   = {above[LogLanes+:2], low[LowBits-1:0]};

  if (LogLanes == 0) begin : gen_single
    assign bank_o = '0;
  end else begin : gen_bank
    for (genvar j = 0; j < LogLanes; j++) begin : gen_bit
      assign bank_o[j] = above[LogLanes-1-j];
    end
  end

  logic unused;
  assign unused = ^{above, low};

endmodule
