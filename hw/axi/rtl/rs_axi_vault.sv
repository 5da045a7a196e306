// SPDX-License-Identifier: Apache-2.0
// rs_axi_vault: a memory of the core's own on its port: addresses with bit 63 go there and never outside, all others outside and never there.
// Model:   hw/axi/tb/test_rs_axi_vault.py
// Params:  BusBits; Bytes: of the memory, a power of two; a program is mirrored from ProgramByte on; what is bound to a key lies before twice that
// Bounds:  the master follows AXI4, its bursts in the memory do not leave it, and it does not wait for the end of a write to read, nor the other
//          way round; no word of a program while wiping_o; asserted
// Timing:  a beat a cycle, the first one three cycles after its address; a burst on one side waits until all of the other side have ended. Depends on no data.
//          A wipe takes a cycle per row and one more, whatever the master and what is outside do
//
// The port is for a wipe, then for a word of the program, then for a read, then for a write. While rows are wiped, reads answer zeros and writes are
// taken and dropped; so are, from then on, those of a master that still has something under way: what it began before a wipe does not come after it.
module rs_axi_vault #(
    parameter int unsigned BusBits     = 128,
    parameter int unsigned Bytes       = 16384,
    parameter int unsigned ProgramByte = 4096
) (
    input logic clk_i,
    input logic rst_ni,
    input logic units_rst_ni,  // with a reset of the interconnect
    // a word of the program
    input logic word_we_i,
    input logic [15:0] word_index_i,
    input logic [63:0] word_i,
    input logic wipe_i,  // zeros everywhere, from the next cycle on
    output logic wiping_o,
    output logic bound_o,  // in this cycle a word of what is bound is written, or all is wiped
    input logic idle_i,  // whoever writes has nothing under way
    // the master
    input rs_axi_pkg::read_req_t s_read_i,
    output rs_axi_pkg::read_rsp_t s_read_o,
    output logic [BusBits-1:0] s_rdata_o,
    input rs_axi_pkg::write_req_t s_write_i,
    output rs_axi_pkg::write_rsp_t s_write_o,
    input logic [BusBits-1:0] s_wdata_i,
    // outside
    output rs_axi_pkg::read_req_t m_read_o,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input logic [BusBits-1:0] m_rdata_i,
    output rs_axi_pkg::write_req_t m_write_o,
    input rs_axi_pkg::write_rsp_t m_write_i,
    output logic [BusBits-1:0] m_wdata_o
);
  localparam int unsigned Lanes = BusBits / 64;
  localparam int unsigned LaneBits = Lanes > 1 ? $clog2(Lanes) : 1;
  localparam int unsigned Rows = 8 * Bytes / BusBits;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam int unsigned RowLsb = $clog2(BusBits / 8);
  localparam int unsigned OpenBits = 8;  // bursts outside
  localparam int unsigned Inside = rs_axi_pkg::AddrBits - 1;

  if (2 ** RowBits * BusBits != 8 * Bytes) begin : gen_illegal
    $fatal(1, "%m: Bytes %0d is not a power of two, or BusBits %0d is not", Bytes, BusBits);
  end

  // ---- one port: reads, writes and the program take turns ----
  logic req, we, reads, asks, wiping_q, clean_q, sweeps, drop_q;
  logic [RowBits-1:0] row, wipe_row_q;
  logic [Lanes-1:0] lanes;
  logic [BusBits-1:0] data, rdata;

  // ---- reads: a row is asked for, comes a cycle later and goes on offer; where the offer waits, behind it ----
  typedef struct packed {
    logic [rs_axi_pkg::IdBits-1:0] id;
    logic last;
  } beat_t;
  logic
      asking_q,
      coming_q,
      given_q,
      behind_q;  // rows of a burst are to be asked for; one was, a cycle ago; beats on offer, and behind that
  beat_t coming_beat_q, given_beat_q, behind_beat_q;
  logic [BusBits-1:0] given_sec_q, behind_sec_q, coming_sec;
  logic ar_inside, ar_out, ar_in, r_out_end, reading, takes;
  logic [OpenBits-1:0] reads_q, writes_q, unwritten_q;
  logic [RowBits-1:0] read_row_q, write_row_q;
  logic [7:0] left_q;
  logic [rs_axi_pkg::IdBits-1:0] read_id_q, write_id_q;
  logic found_q;  // the memory was read
  logic write_ready, write_takes, write_busy;

  assign ar_inside = s_read_i.ar.addr[Inside];
  assign reading   = asking_q || coming_q || given_q;
  // an address stays on offer until it is taken: what comes behind cannot change that
  assign ar_out    = s_read_i.ar_valid && !ar_inside && !reading && reads_q != '1;
  assign ar_in     = s_read_i.ar_valid && ar_inside && !asking_q && reads_q == '0;
  assign r_out_end = m_read_i.r_valid && s_read_i.r_ready && m_read_i.r_last && !reading;
  assign takes     = given_q && s_read_i.r_ready;

  always_comb begin
    m_read_o          = s_read_i;
    m_read_o.ar_valid = ar_out;
    m_read_o.r_ready  = s_read_i.r_ready && !reading;
    s_read_o          = m_read_i;
    s_read_o.ar_ready = (ar_out && m_read_i.ar_ready) || ar_in;
    if (reading) begin
      s_read_o.r_valid = given_q;
      s_read_o.r_id    = given_beat_q.id;
      s_read_o.r_resp  = '0;
      s_read_o.r_last  = given_beat_q.last;
    end
  end
  assign s_rdata_o  = reading ? given_sec_q : m_rdata_i;
  assign coming_sec = coming_q && found_q ? rdata : '0;

  always_ff @(posedge clk_i) begin
    if (!units_rst_ni) begin
      {asking_q, coming_q, given_q, behind_q} <= '0;
      reads_q <= '0;
    end else begin
      reads_q  <= reads_q + OpenBits'(ar_out && m_read_i.ar_ready) - OpenBits'(r_out_end);
      asking_q <= ar_in || (asking_q && !(asks && left_q == '0));
      coming_q <= asks;
      given_q  <= coming_q || behind_q || (given_q && !takes);
      behind_q <= given_q && !takes && (coming_q || behind_q);
    end
    if (ar_in) begin
      read_id_q  <= s_read_i.ar.id;
      read_row_q <= s_read_i.ar.addr[RowLsb+:RowBits];
      left_q     <= s_read_i.ar.len;
    end else if (asks) begin
      read_row_q <= read_row_q + 1'b1;
      left_q     <= left_q - 1'b1;
    end
    found_q <= asks && !sweeps;
    coming_beat_q <= '{id: read_id_q, last: left_q == '0};
    if (!given_q || takes) given_beat_q <= behind_q ? behind_beat_q : coming_beat_q;
    if (coming_q) behind_beat_q <= coming_beat_q;
    // nothing stays when it has been read, or when it is wiped
    if (sweeps) given_sec_q <= '0;
    else if (!given_q || takes) given_sec_q <= behind_q ? behind_sec_q : coming_sec;
    if (sweeps || !given_q || takes) behind_sec_q <= '0;
    else if (coming_q) behind_sec_q <= coming_sec;
  end

  // ---- writes: data go in the order of the addresses, outside from the cycle on after their address is on offer ----
  typedef enum logic [1:0] {
    WriteIdle,
    WriteData,
    WriteAnswer
  } write_e;
  write_e write_state_q;
  logic aw_inside, aw_out, aw_in, w_out, w_out_end, b_out_end;
  logic offer, counted_q;  // a burst goes on offer outside; it is there, and counted
  assign aw_inside   = s_write_i.aw.addr[Inside];
  assign write_busy  = write_state_q != WriteIdle;
  assign aw_out      = s_write_i.aw_valid && !aw_inside && !write_busy && writes_q != '1;
  assign aw_in       = s_write_i.aw_valid && aw_inside && !write_busy && writes_q == '0;
  assign offer       = aw_out && !counted_q;
  assign w_out       = unwritten_q != '0;
  assign w_out_end   = w_out && s_write_i.w_valid && m_write_i.w_ready && s_write_i.w_last;
  assign b_out_end   = m_write_i.b_valid && s_write_i.b_ready && !write_busy;
  // a beat that is dropped does not want the port
  assign write_ready = write_state_q == WriteData && (sweeps || drop_q || !(reads || word_we_i));
  assign write_takes = write_ready && s_write_i.w_valid;

  always_comb begin
    m_write_o          = s_write_i;
    m_write_o.aw_valid = aw_out;
    m_write_o.w_valid  = s_write_i.w_valid && w_out;
    m_write_o.b_ready  = s_write_i.b_ready && !write_busy;
    s_write_o          = m_write_i;
    s_write_o.aw_ready = (aw_out && m_write_i.aw_ready) || aw_in;
    s_write_o.w_ready  = w_out ? m_write_i.w_ready : write_ready;
    if (write_busy) begin
      s_write_o.b_valid = write_state_q == WriteAnswer;
      s_write_o.b_id    = write_id_q;
      s_write_o.b_resp  = '0;
    end
  end
  assign m_wdata_o = w_out ? s_wdata_i : '0;

  always_ff @(posedge clk_i) begin
    if (!units_rst_ni) begin
      write_state_q <= WriteIdle;
      writes_q      <= '0;
      unwritten_q   <= '0;
      counted_q     <= 1'b0;
    end else begin
      counted_q   <= aw_out && !m_write_i.aw_ready;
      writes_q    <= writes_q + OpenBits'(aw_out && m_write_i.aw_ready) - OpenBits'(b_out_end);
      unwritten_q <= unwritten_q + OpenBits'(offer) - OpenBits'(w_out_end);
      case (write_state_q)
        WriteIdle: if (aw_in) write_state_q <= WriteData;
        WriteData: if (write_takes && s_write_i.w_last) write_state_q <= WriteAnswer;
        default:   if (s_write_i.b_ready) write_state_q <= WriteIdle;
      endcase
    end
    if (aw_in) begin
      write_id_q  <= s_write_i.aw.id;
      write_row_q <= s_write_i.aw.addr[RowLsb+:RowBits];
    end else if (write_takes) begin
      write_row_q <= write_row_q + 1'b1;
    end
  end

  // ---- the memory ----
  always_ff @(posedge clk_i) begin
    wiping_q <= rst_ni && (wipe_i || (wiping_q && wipe_row_q != '1));
    if (wipe_i && !wiping_q) wipe_row_q <= '0;
    else wipe_row_q <= wipe_row_q + 1'b1;
  end

  always_ff @(posedge clk_i) begin
    // the register behind the memory is wiped by a read of zeros
    clean_q <= rst_ni && wiping_q && wipe_row_q == '1 && !wipe_i;
    drop_q  <= rst_ni && (wipe_i || (drop_q && (sweeps || !idle_i)));
  end
  assign sweeps = wiping_q || clean_q;
  assign wiping_o = sweeps;

  // there is room for what comes: two beats, on offer and behind it
  assign reads = asking_q && (!given_q || takes || !(coming_q || behind_q));
  assign asks = reads && (sweeps || !word_we_i);
  localparam logic [RowBits-1:0] ProgramRow = RowBits'(8 * ProgramByte / BusBits);
  assign bound_o = sweeps || (req && we && 32'(row) < 2 * 32'(ProgramRow));
  always_comb begin
    req   = reads || (write_takes && !drop_q) || word_we_i || sweeps;
    we    = wiping_q || (!clean_q && (word_we_i || !reads));
    row   = reads ? read_row_q : write_row_q;
    lanes = '1;
    data  = s_wdata_i;
    if (word_we_i) begin
      row   = ProgramRow + RowBits'(word_index_i >> (Lanes > 1 ? $clog2(Lanes) : 0));
      lanes = Lanes'(1) << (Lanes > 1 ? LaneBits'(word_index_i) : LaneBits'(0));
      data  = {Lanes{word_i}};
    end
    if (sweeps) begin
      row   = wipe_row_q;
      lanes = '1;
      data  = '0;
    end
  end
  for (genvar l = 0; l < Lanes; l++) begin : gen_lane
    rs_ram_1rw #(
        .Width(64),
        .Depth(Rows)
    ) u_memory (
        .clk_i,
        .req_i  (req && lanes[l]),
        .we_i   (we),
        .addr_i (row),
        .wdata_i(data[64*l+:64]),
        .rdata_o(rdata[64*l+:64])
    );
  end

`ifndef SYNTHESIS
  function automatic logic stays(input logic [Inside-1:0] place, input logic [7:0] len);
    return (place >> RowLsb) + Inside'(len) < Inside'(Rows);
  endfunction
  always_ff @(posedge clk_i) begin
    if (rst_ni) begin
      assert (!(word_we_i && sweeps))
      else $error("%m: a word of the program while the memory is wiped");
      assert (!(ar_in && !stays(s_read_i.ar.addr[Inside-1:0], s_read_i.ar.len)))
      else $error("%m: a read of more than the memory");
      assert (!(aw_in && !stays(s_write_i.aw.addr[Inside-1:0], s_write_i.aw.len)))
      else $error("%m: a write of more than the memory");
    end
  end
`endif

  logic unused;
  assign unused = ^{word_index_i};
endmodule
