// SPDX-License-Identifier: Apache-2.0
// rs_axi_lines_proof: for ever, by induction: what is on offer at the port stays there, data of a line wait for no AWREADY and come not before its address is on
//                     offer; and for each beat of the buffer: when a wipe has ended it is zero, and stays so until nothing is under way.
// Assumed: an answer is to a line that was written, or asked for; bursts of whole lines.
module rs_axi_lines_proof #(
    parameter int unsigned BusBits  = 128,
    parameter int unsigned PortBits = 64,
    parameter int unsigned Lines    = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input logic units_rst_ni,
    input logic wipe_i,
    input rs_axi_pkg::read_req_t s_read_i,
    input rs_axi_pkg::write_req_t s_write_i,
    input logic [BusBits-1:0] s_wdata_i,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input logic [PortBits-1:0] m_rdata_i,
    input rs_axi_pkg::write_rsp_t m_write_i,
    input logic [$clog2(Lines*512/PortBits)-1:0] any_i  // a beat of the buffer
);
  localparam logic [7:0] LineMask = 8'(512 / BusBits - 1);
  localparam int unsigned Last = Lines * 512 / PortBits - 1;
  rs_axi_pkg::read_rsp_t s_read;
  rs_axi_pkg::write_rsp_t s_write;
  rs_axi_pkg::read_req_t m_read;
  rs_axi_pkg::write_req_t m_write;
  logic [BusBits-1:0] s_rdata;
  logic [PortBits-1:0] m_wdata;
  logic wiping;

  rs_axi_lines #(
      .BusBits (BusBits),
      .PortBits(PortBits),
      .Lines   (Lines)
  ) u_dut (
      .clk_i,
      .rst_ni,
      .units_rst_ni,
      .wipe_i,
      .wiping_o (wiping),
      .s_read_i,
      .s_read_o (s_read),
      .s_rdata_o(s_rdata),
      .s_write_i,
      .s_write_o(s_write),
      .s_wdata_i,
      .m_read_o (m_read),
      .m_read_i,
      .m_rdata_i,
      .m_write_o(m_write),
      .m_write_i,
      .m_wdata_o(m_wdata)
  );

  logic reset_q = 1'b0;
  logic known_q, ar_wait_q, aw_wait_q, w_wait_q, w_last_q;
  logic [$clog2(Last+1)-1:0] any_q;
  rs_axi_pkg::burst_t ar_q, aw_q;
  logic [PortBits-1:0] w_q;
  logic [7:0]
      open_q, due_q;  // lines that are or were on offer before this cycle and are not written; that are written and have no answer
  logic kept_q, swept_q, wiping_q, idle, offers, w_ends;
  assign idle   = u_dut.r_left_q == '0 && u_dut.r_busy_q == '0 && !u_dut.r_valid_q;
  assign offers = m_write.aw_valid && !aw_wait_q;
  assign w_ends = m_write.w_valid && m_write_i.w_ready && m_write.w_last;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    known_q <= 1'b1;
    any_q   <= any_i;
    if (known_q) assume (any_q == any_i);
    assume (rst_ni == reset_q);
    if (!rst_ni) assume (!units_rst_ni);
    // bounds that the module asserts
    if (s_read_i.ar_valid) assume (s_read_i.ar.addr[5:0] == '0 && (s_read_i.ar.len | ~LineMask) == '1);
    if (s_write_i.aw_valid) assume (s_write_i.aw.addr[5:0] == '0 && (s_write_i.aw.len | ~LineMask) == '1);
    if (m_read_i.r_valid) assume (u_dut.r_busy_q[u_dut.r_slot]);
    if (m_write_i.b_valid) assume (due_q != '0 && u_dut.w_busy_q[u_dut.w_slot] && !u_dut.w_done_q[u_dut.w_slot]);

    ar_wait_q <= units_rst_ni && m_read.ar_valid && !m_read_i.ar_ready;
    aw_wait_q <= units_rst_ni && m_write.aw_valid && !m_write_i.aw_ready;
    w_wait_q <= units_rst_ni && m_write.w_valid && !m_write_i.w_ready;
    {ar_q, aw_q, w_q, w_last_q} <= {m_read.ar, m_write.aw, m_wdata, m_write.w_last};
    wiping_q <= rst_ni && wiping;
    if (!units_rst_ni) {open_q, due_q} <= '0;
    else begin
      open_q <= open_q + 8'(offers) - 8'(w_ends);
      due_q  <= due_q + 8'(w_ends) - 8'(m_write_i.b_valid);
    end
    if (!rst_ni) {kept_q, swept_q} <= '0;
    else begin
      if (wipe_i) kept_q <= 1'b1;
      else if (!wiping && idle) kept_q <= 1'b0;
      if (wipe_i && !(kept_q && wiping)) swept_q <= 1'b0;
      else if (wiping && u_dut.r_wipe_row_q == any_i) swept_q <= 1'b1;
    end

    if (reset_q && rst_ni) begin
      // ---- the port
      if (ar_wait_q) assert (m_read.ar_valid && m_read.ar == ar_q);
      if (aw_wait_q) assert (m_write.aw_valid && m_write.aw == aw_q);
      if (w_wait_q) assert (m_write.w_valid && m_wdata == w_q && m_write.w_last == w_last_q);
      assert (m_write.w_valid == (u_dut.w_full_q && open_q != '0));
      assert (m_read.r_ready && m_write.b_ready);
      // ---- a wipe
      if (kept_q && !wiping) assert (u_dut.r_buffer_q[any_i] == '0);
      if (kept_q && !wiping) assert (s_rdata == '0);
      // ---- what makes the above inductive
      assert (8'(u_dut.w_due_q) == open_q && u_dut.w_counted_q == aw_wait_q && 32'(open_q) <= Lines);
      assert (32'(open_q) + 32'(due_q) == $countones(u_dut.w_busy_q & ~u_dut.w_done_q) + 32'(aw_wait_q));
      assert ((u_dut.w_done_q & ~u_dut.w_busy_q) == '0);
      if (aw_wait_q) assert (!u_dut.w_busy_q[u_dut.w_tail_q]);
      if (kept_q) assert (u_dut.r_drop_q);
      if (wiping) assert (kept_q);
      if (kept_q && wiping_q) assert (s_rdata == '0);
      if (kept_q && swept_q) assert (u_dut.r_buffer_q[any_i] == '0);
      if (kept_q && !swept_q) assert (wiping && u_dut.r_wipe_row_q <= any_i);
    end
  end
endmodule
