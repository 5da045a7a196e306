// SPDX-License-Identifier: Apache-2.0
// rs_axi_read: AXI4 reads of pieces of memory, one after the other: bursts out, beats in order back.
// Params:  BusBits, AddrBits, Outstanding, MaxBurstBytes, LinesBits, Streams, BurstLines, Halves: see rs_axi_address
// Bounds:  addr_i a multiple of 64. All bursts have ID 0: answers come in order. The next piece may begin as soon as
//          the last one's addresses are all out
// Timing:  a beat per cycle, combinational from R to the beats; busy_o falls two cycles after the last one

module rs_axi_read #(
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
    input logic start_i,  // one cycle, when not asking_o
    input logic clear_i,  // announce nothing more, drop what comes
    input logic [AddrBits-1:0] addr_i,  // read with start_i
    input logic [LinesBits-1:0] lines_i,  // from the cycle after it on, like the next four: lines of 64 bytes, less one
    input logic streams_i,  // see rs_axi_address
    input logic pairs_i,
    input logic [1:0] run_i,
    input logic half_i,
    output logic busy_o,  // from the cycle after start_i
    output logic asking_o,  // addresses are to come
    output logic beat_valid_o,
    input logic beat_ready_i,
    output logic [BusBits-1:0] beat_o,
    output logic beat_error_o,  // its answer is not OKAY, or has another ID, or RLAST is not where it belongs
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i
);
  localparam int unsigned LineShift = $clog2(512 / BusBits);
  localparam int unsigned PlaceBits = $clog2(Outstanding);
  logic drop_q, answer_q, busy, taken, valid, ready, last;
  // lengths of the bursts that were asked for: how many answers there are does not hang on RLAST
  logic [7-LineShift:0] lines_q[2**PlaceBits];
  logic [PlaceBits-1:0] put_q, get_q;
  logic [7:0] beats_q;  // beats of the first burst that have come
  logic [AddrBits-1:0] addr;
  logic [7:0] len;

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
      .asking_o,
      .offer_o (),
      .valid_o (valid),
      .ready_i (read_i.ar_ready),
      .addr_o  (addr),
      .len_o   (len),
      .log_o   ()
  );

  assign ready = busy && (drop_q || beat_ready_i);
  assign read_o = '{ar_valid: valid, ar: '{id: '0, addr: rs_axi_pkg::AddrBits'(addr), len: len}, r_ready: ready};

  assign beat_valid_o = read_i.r_valid && busy && !drop_q;
  assign beat_o = rdata_i;
  assign beat_error_o = read_i.r_resp != 2'b00 || read_i.r_id != '0 || read_i.r_last != last;
  assign taken = read_i.r_valid && ready;
  assign last = beats_q == ~(~8'(lines_q[get_q]) << LineShift);
  assign busy_o = busy;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      drop_q   <= 1'b0;
      answer_q <= 1'b0;
      put_q    <= '0;
      get_q    <= '0;
      beats_q  <= '0;
    end else begin
      if (start_i || clear_i) drop_q <= clear_i;
      answer_q <= taken && last;
      put_q    <= put_q + PlaceBits'(valid && read_i.ar_ready);
      get_q    <= get_q + PlaceBits'(taken && last);
      if (taken) beats_q <= last ? '0 : beats_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (valid && read_i.ar_ready) lines_q[put_q] <= (8 - LineShift)'(len >> LineShift);
  end
endmodule
