// SPDX-License-Identifier: Apache-2.0
// rs_axi_write: AXI4 writes of one piece of memory: bursts are announced ahead, beats follow in order.
// Params:  BusBits, AddrBits, IdBits, Outstanding, MaxBurstBytes: see rs_axi_address
// Bounds:  addr_i, bytes_i multiples of 64; 0 < bytes_i <= 2^24. All bursts have ID 0, so BID is no port
// Timing:  a beat per cycle, one register; done_o in the cycle after the last answer
//
// W needs no list of burst lengths: a burst ends where rs_axi_address ends it, at a multiple of the greatest length or with the
// transfer.

module rs_axi_write #(
    parameter int unsigned BusBits       = 128,
    parameter int unsigned AddrBits      = 64,
    parameter int unsigned IdBits        = 4,
    parameter int unsigned Outstanding   = 8,
    parameter int unsigned MaxBurstBytes = 1024
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 start_i,       // one cycle, when idle
    input  logic                 clear_i,       // announce nothing more, fill what is announced with zeros, then done
    input  logic [ AddrBits-1:0] addr_i,        // read with start_i
    input  logic [         24:0] bytes_i,       // read with start_i
    output logic                 done_o,        // one cycle
    output logic                 error_o,       // an answer was not OKAY; stays until the next start
    input  logic                 beat_valid_i,
    output logic                 beat_ready_o,
    input  logic [  BusBits-1:0] beat_i,
    output logic                 awvalid_o,
    input  logic                 awready_i,
    output logic [   IdBits-1:0] awid_o,
    output logic [ AddrBits-1:0] awaddr_o,
    output logic [          7:0] awlen_o,
    output logic [          2:0] awsize_o,
    output logic [          1:0] awburst_o,
    output logic                 wvalid_o,
    input  logic                 wready_i,
    output logic [  BusBits-1:0] wdata_o,
    output logic [BusBits/8-1:0] wstrb_o,
    output logic                 wlast_o,
    input  logic                 bvalid_i,
    output logic                 bready_o,
    input  logic [          1:0] bresp_i
);
  localparam int unsigned BeatBits = $clog2(BusBits / 8);
  localparam int unsigned BurstBytes = MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits;
  localparam int unsigned PlaceBits = $clog2(BurstBytes) - BeatBits;
  localparam int unsigned LeftBits = 25 - BeatBits;
  localparam int unsigned CountBits = $clog2(Outstanding + 1);

  logic busy_q, drop_q, error_q, idle;
  logic announced, answered, take, last;
  logic valid_q, last_q;
  logic [  BusBits-1:0] data_q;
  logic [CountBits-1:0] open_q;  // bursts announced whose beats have not all come
  logic [PlaceBits-1:0] place_q;  // of the next beat in a burst of the greatest length
  logic [ LeftBits-1:0] left_q;  // beats to come

  rs_axi_address #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes)
  ) u_address (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .bytes_i,
      .answer_i(answered),
      .idle_o  (idle),
      .valid_o (awvalid_o),
      .ready_i (awready_i),
      .addr_o  (awaddr_o),
      .len_o   (awlen_o)
  );

  assign awid_o = '0;
  assign awsize_o = 3'(BeatBits);
  assign awburst_o = 2'b01;  // INCR
  assign wvalid_o = valid_q;
  assign wdata_o = data_q;
  assign wstrb_o = '1;
  assign wlast_o = last_q;
  assign bready_o = busy_q;
  assign done_o = busy_q && idle;
  assign error_o = error_q;

  assign announced = awvalid_o && awready_i;
  assign answered = bvalid_i && bready_o;
  assign beat_ready_o = open_q != '0 && (!valid_q || wready_i) && !drop_q;
  assign take = open_q != '0 && (!valid_q || wready_i) && (beat_valid_i || drop_q);
  assign last = place_q == '1 || left_q == LeftBits'(1);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q  <= 1'b0;
      drop_q  <= 1'b0;
      error_q <= 1'b0;
      open_q  <= '0;
      valid_q <= 1'b0;
    end else begin
      if (start_i) busy_q <= 1'b1;
      else if (done_o) busy_q <= 1'b0;
      if (start_i || clear_i) drop_q <= clear_i;
      if (start_i) error_q <= 1'b0;
      else if (answered && bresp_i != 2'b00) error_q <= 1'b1;
      open_q <= open_q + CountBits'(announced) - CountBits'(take && last);
      if (!valid_q || wready_i) valid_q <= take;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      data_q <= drop_q ? '0 : beat_i;
      last_q <= last;
    end
    if (start_i) begin
      place_q <= addr_i[BeatBits+:PlaceBits];
      left_q  <= bytes_i[24:BeatBits];
    end else if (take) begin
      place_q <= place_q + 1'b1;
      left_q  <= left_q - 1'b1;
    end
  end
endmodule
