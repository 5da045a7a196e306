// SPDX-License-Identifier: Apache-2.0
// rs_axi_address: the address channel of a transfer, AR or AW alike: splits it into bursts and counts those without their answer.
// Params:  BusBits, AddrBits; Outstanding: bursts without an answer; MaxBurstBytes: a power of two, 128 ... 4096; BytesBits
// Bounds:  a burst stays between two multiples of MaxBurstBytes, so never crosses 4 KiB, and has at most 256 beats;
//          all this is proved in formal/
// Timing:  the first address in the cycle after start_i; then one per cycle
//
// A burst that is offered stays on offer and stays the same, whatever happens: what it is made of changes only when it is taken.

module rs_axi_address #(
    parameter int unsigned BusBits       = 128,
    parameter int unsigned AddrBits      = 64,
    parameter int unsigned Outstanding   = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned BytesBits     = 25
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,   // only when idle_o
    input  logic                 clear_i,   // announce nothing but what is already offered
    input  logic [ AddrBits-1:0] addr_i,    // read with start_i, as bytes_i: positive multiples of 64
    input  logic [BytesBits-1:0] bytes_i,
    input  logic                 answer_i,  // the memory has answered a burst to its end
    output logic                 idle_o,    // nothing to announce, nothing without an answer
    output logic                 valid_o,
    input  logic                 ready_i,
    output logic [ AddrBits-1:0] addr_o,
    output logic [          7:0] len_o      // beats less one
);
  localparam int unsigned LineBits = 6;  // everything is counted in lines of 64 bytes
  localparam int unsigned LineBeats = 512 / BusBits;
  localparam int unsigned BurstBytes = MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits;
  localparam int unsigned BurstLines = BurstBytes >> LineBits;
  localparam int unsigned PlaceBits = $clog2(BurstLines);
  localparam int unsigned LinesBits = BytesBits - LineBits;
  localparam int unsigned CountBits = $clog2(Outstanding + 1);

  if (BusBits != 64 && BusBits != 128 && BusBits != 256 && BusBits != 512) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be 64, 128, 256 or 512");
  end
  if (MaxBurstBytes < 128 || MaxBurstBytes > 4096 || 2 ** $clog2(MaxBurstBytes) != MaxBurstBytes) begin : gen_illegal_burst
    $fatal(1, "%m: MaxBurstBytes must be a power of two, 128 to 4096");
  end
  if (Outstanding < 4 || BytesBits <= LineBits + PlaceBits || AddrBits <= LineBits + PlaceBits) begin : gen_illegal
    $fatal(1, "%m: Outstanding must be at least 4, and counts and addresses longer than a burst");
  end

  logic [AddrBits-LineBits-1:0] line_q;
  logic [LinesBits-1:0] left_q;  // lines that no burst has announced yet
  logic [CountBits-1:0] outstanding_q;
  logic [PlaceBits:0] room, burst;
  logic taken;

  assign room = (PlaceBits + 1)'(BurstLines) - (PlaceBits + 1)'(line_q[PlaceBits-1:0]);
  assign burst = left_q < LinesBits'(room) ? (PlaceBits + 1)'(left_q) : room;
  assign taken = valid_o && ready_i;

  assign valid_o = left_q != '0 && outstanding_q != CountBits'(Outstanding);
  assign addr_o = {line_q, LineBits'(0)};
  assign len_o = 8'(32'(burst) * LineBeats - 1);
  assign idle_o = left_q == '0 && outstanding_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      left_q <= '0;
      outstanding_q <= '0;
    end else begin
      if (clear_i) left_q <= valid_o && !ready_i ? LinesBits'(burst) : '0;
      else if (start_i) left_q <= bytes_i[BytesBits-1:LineBits];
      else if (taken) left_q <= left_q - LinesBits'(burst);
      outstanding_q <= outstanding_q + CountBits'(taken) - CountBits'(answer_i);
    end
  end

  // after a burst that is not the last one there is a multiple of its greatest length
  always_ff @(posedge clk_i) begin
    if (start_i) line_q <= addr_i[AddrBits-1:LineBits];
    else if (taken) line_q <= {line_q[AddrBits-LineBits-1:PlaceBits] + 1'b1, PlaceBits'(0)};
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) begin
      assert (idle_o)
      else $error("%m: started before its end");
      assert (addr_i[LineBits-1:0] == '0 && bytes_i[LineBits-1:0] == '0 && bytes_i != '0)
      else $error("%m: %0d bytes from %h", bytes_i, addr_i);
    end
    if (rst_ni && answer_i)
      assert (outstanding_q != '0)
      else $error("%m: the memory answers what nobody asked");
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{addr_i[LineBits-1:0], bytes_i[LineBits-1:0]};
endmodule
