// SPDX-License-Identifier: Apache-2.0
// rs_axi_lines_proof: for ever, by induction: what is on offer at the port stays there, data of a line wait for no AWREADY and come not before its address is on
//                     offer.
// Assumed: an answer is to a line that was written, or asked for; bursts of whole lines.
module rs_axi_lines_proof #(
    parameter int unsigned BusBits  = 128,
    parameter int unsigned PortBits = 64,
    parameter int unsigned Lines    = 2
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_axi_pkg::read_req_t s_read_i,
    input rs_axi_pkg::write_req_t s_write_i,
    input logic [BusBits-1:0] s_wdata_i,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input logic [PortBits-1:0] m_rdata_i,
    input rs_axi_pkg::write_rsp_t m_write_i
);
  localparam logic [7:0] LineMask = 8'(512 / BusBits - 1);
  rs_axi_pkg::read_rsp_t s_read;
  rs_axi_pkg::write_rsp_t s_write;
  rs_axi_pkg::read_req_t m_read;
  rs_axi_pkg::write_req_t m_write;
  logic [BusBits-1:0] s_rdata;
  logic [PortBits-1:0] m_wdata;

  rs_axi_lines #(
      .BusBits (BusBits),
      .PortBits(PortBits),
      .Lines   (Lines)
  ) u_dut (
      .clk_i,
      .rst_ni,
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
  logic ar_wait_q, aw_wait_q, w_wait_q, w_last_q;
  rs_axi_pkg::burst_t ar_q, aw_q;
  logic [PortBits-1:0] w_q;
  logic [7:0]
      open_q, due_q;  // lines that are or were on offer before this cycle and are not written; that are written and have no answer
  logic offers, w_ends;
  assign offers = m_write.aw_valid && !aw_wait_q;
  assign w_ends = m_write.w_valid && m_write_i.w_ready && m_write.w_last;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    // bounds that the module asserts
    if (s_read_i.ar_valid) assume (s_read_i.ar.addr[5:0] == '0 && (s_read_i.ar.len | ~LineMask) == '1);
    if (s_write_i.aw_valid) assume (s_write_i.aw.addr[5:0] == '0 && (s_write_i.aw.len | ~LineMask) == '1);
    if (m_read_i.r_valid) assume (u_dut.r_busy_q[u_dut.r_slot]);
    if (m_write_i.b_valid) assume (due_q != '0 && u_dut.w_busy_q[u_dut.w_slot] && !u_dut.w_done_q[u_dut.w_slot]);

    ar_wait_q <= rst_ni && m_read.ar_valid && !m_read_i.ar_ready;
    aw_wait_q <= rst_ni && m_write.aw_valid && !m_write_i.aw_ready;
    w_wait_q <= rst_ni && m_write.w_valid && !m_write_i.w_ready;
    {ar_q, aw_q, w_q, w_last_q} <= {m_read.ar, m_write.aw, m_wdata, m_write.w_last};
    if (!rst_ni) {open_q, due_q} <= '0;
    else begin
      open_q <= open_q + 8'(offers) - 8'(w_ends);
      due_q  <= due_q + 8'(w_ends) - 8'(m_write_i.b_valid);
    end
    if (reset_q && rst_ni) begin
      if (ar_wait_q) assert (m_read.ar_valid && m_read.ar == ar_q);
      if (aw_wait_q) assert (m_write.aw_valid && m_write.aw == aw_q);
      if (w_wait_q) assert (m_write.w_valid && m_wdata == w_q && m_write.w_last == w_last_q);
      assert (m_write.w_valid == (u_dut.w_full_q && open_q != '0));
      assert (m_read.r_ready && m_write.b_ready);
      // ---- what makes the above inductive
      assert (8'(u_dut.w_due_q) == open_q && u_dut.w_counted_q == aw_wait_q && 32'(open_q) <= Lines);
      assert (32'(open_q) + 32'(due_q) == $countones(u_dut.w_busy_q & ~u_dut.w_done_q) + 32'(aw_wait_q));
      assert ((u_dut.w_done_q & ~u_dut.w_busy_q) == '0);
      if (aw_wait_q) assert (!u_dut.w_busy_q[u_dut.w_tail_q]);
    end
  end
endmodule
