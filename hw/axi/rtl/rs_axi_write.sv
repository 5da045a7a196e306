// SPDX-License-Identifier: Apache-2.0
// rs_axi_write: AXI4 writes of one piece of memory: bursts go on offer ahead, beats follow in order.
// Params:  BusBits, AddrBits, Outstanding, MaxBurstBytes, LinesBits, Streams, BurstLines, Halves: see rs_axi_address
// Bounds:  addr_i a multiple of 64; under drop_o what beat_i shows is zero, but for a beat that was on offer before.
//          All bursts have ID 0
// Timing:  a beat per cycle, combinational from the beats to W, whose register is theirs; busy_o falls two cycles after the
//          last answer
//
// W needs no list of burst lengths: a burst ends where rs_axi_address ends it, at a multiple of the greatest length or with the
// transfer. The beats of a burst come from the cycle on in which its address is on offer, whether or not it is taken: a slave may take
// the address with the first beat, or after it (IHI 0022, dependencies between channels: WVALID must not wait for AWREADY).

module rs_axi_write #(
    parameter int unsigned BusBits       = 128,
    parameter int unsigned AddrBits      = 64,
    parameter int unsigned Outstanding   = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter int unsigned LinesBits     = 18,
    parameter int unsigned Streams       = 1,
    parameter int unsigned BurstLines    = 1,
    parameter bit          Halves        = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,  // one cycle, when idle
    input logic clear_i,  // offer nothing more, fill what is on offer or taken with zeros
    input logic [AddrBits-1:0] addr_i,  // read with start_i
    input logic [LinesBits-1:0] lines_i,  // from the cycle after it on, like the next four: lines of 64 bytes, less one
    input logic streams_i,  // see rs_axi_address
    input logic pairs_i,
    input logic [1:0] run_i,
    input logic half_i,
    output logic busy_o,  // from the cycle after start_i
    output logic drop_o,  // from clear_i to the next start: zeros are wanted
    output logic error_o,  // an answer was not OKAY, or had another ID; stays until the next start
    input logic beat_valid_i,
    output logic beat_ready_o,
    input logic [BusBits-1:0] beat_i,
    output rs_axi_pkg::write_req_t write_o,
    input rs_axi_pkg::write_rsp_t write_i,
    output logic [BusBits-1:0] wdata_o
);
  localparam int unsigned BeatBits = $clog2(BusBits / 8);
  localparam int unsigned BurstBytes = MaxBurstBytes < 32 * BusBits ? MaxBurstBytes : 32 * BusBits;
  localparam int unsigned PlaceBits = $clog2(BurstBytes) - BeatBits;
  localparam int unsigned LeftBits = LinesBits + $clog2(512 / BusBits);
  localparam int unsigned CountBits = $clog2(Outstanding + 1);

  logic drop_q, error_q, answer_q, busy;
  logic offer, send, last, aw_valid, w_valid;
  logic [AddrBits-1:0] addr;
  logic [7:0] len;
  logic [1:0] burst_log;  // log2 of the lines of a burst in streams
  logic begin_q, first_q;  // one and two cycles after start_i
  logic [CountBits-1:0] open_q;  // bursts on offer or taken whose beats have not all gone
  logic some_q;  // there is such a burst
  logic last_q;  // the next beat is the last of its burst
  logic [PlaceBits-1:0] place_q;  // the place of the next beat in a burst of the greatest length
  logic [PlaceBits-1:0] beyond;  // digits of a place that do not matter, because bursts are one line or a few
  logic [LeftBits-1:0] left_q;  // beats after it

  rs_axi_address #(
      .BusBits      (BusBits),
      .AddrBits     (AddrBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits),
      .Streams      (Streams),
      .BurstLines   (BurstLines),
      .Halves       (Halves)
  ) u_address (
      .clk_i,
      .rst_ni,
      .start_i,
      .clear_i,
      .addr_i,
      .lines_i,
      .streams_i,
      .pairs_i,
      .run_i,
      .half_i,
      .answer_i(answer_q),
      .busy_o  (busy),
      .asking_o(),
      .offer_o (offer),
      .valid_o (aw_valid),
      .ready_i (write_i.aw_ready),
      .addr_o  (addr),
      .len_o   (len),
      .log_o   (burst_log)
  );

  assign w_valid = some_q && (beat_valid_i || drop_q);
  assign wdata_o = beat_i;
  assign write_o = '{
          aw_valid: aw_valid,
          aw: '{id: '0, addr: rs_axi_pkg::AddrBits'(addr), len: len},
          w_valid: w_valid,
          w_last: last_q,
          b_ready: busy
      };
  assign busy_o = busy;
  assign drop_o = clear_i || drop_q;
  assign error_o = error_q;

  assign beat_ready_o = some_q ? write_i.w_ready : drop_q;
  assign send = w_valid && write_i.w_ready;
  assign last = send && last_q;
  assign beyond = Streams > 1 && streams_i ? ~PlaceBits'(0) << burst_log << $clog2(512 / BusBits) : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drop_q   <= 1'b0;
      error_q  <= 1'b0;
      answer_q <= 1'b0;
      begin_q  <= 1'b0;
      first_q  <= 1'b0;
      open_q   <= '0;
      some_q   <= 1'b0;
    end else begin
      if (start_i || clear_i) drop_q <= clear_i;
      if (start_i) error_q <= 1'b0;
      else if (write_i.b_valid && busy && (write_i.b_resp != 2'b00 || write_i.b_id != '0)) error_q <= 1'b1;
      answer_q <= write_i.b_valid && busy;
      begin_q  <= start_i;
      first_q  <= begin_q;
      open_q   <= open_q + CountBits'(offer) - CountBits'(last);
      some_q   <= offer || (some_q && !(last && open_q == CountBits'(1)));
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) place_q <= addr_i[BeatBits+:PlaceBits];
    else if (send) place_q <= place_q + 1'b1;
    if (begin_q) left_q <= ~(~LeftBits'(lines_i) << $clog2(512 / BusBits));
    else if (send) left_q <= left_q - 1'b1;
    if (first_q) last_q <= (place_q | beyond) == '1 || left_q == '0;
    else if (send) last_q <= (place_q | beyond) == ~PlaceBits'(1) || beyond[0] || left_q == LeftBits'(1);
  end
endmodule
