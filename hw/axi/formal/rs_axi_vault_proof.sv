// SPDX-License-Identifier: Apache-2.0
// rs_axi_vault_proof: for ever, by induction, for each row of the memory: when a wipe has ended, the row is zero, and stays so until the master was idle,
//                     whatever it had begun; reads answer zeros from the wipe on; words of a program are written at once. On the port outside: no address
//                     and no data of the inside, offers stay, and data wait for no AWREADY and for nothing but their address on offer. Beats inside come
//                     in their order, none lost or twice, one in each cycle in which they are taken. No row of what is bound changes without bound_o.
// Assumed: the master's and the slave's offers stay and the slave answers what was asked (AXI4), no word of a program while wiping_o (asserted in the module),
//          and a memory reads what was written last.
module rs_axi_vault_proof #(
    parameter int unsigned BusBits = 128,
    parameter int unsigned Rows    = 8
) (
    input logic clk_i,
    input logic rst_ni,
    input logic units_rst_ni,
    input logic word_we_i,
    input logic [15:0] word_index_i,
    input logic [63:0] word_i,
    input logic wipe_i,
    input logic idle_i,
    input rs_axi_pkg::read_req_t s_read_i,
    input rs_axi_pkg::write_req_t s_write_i,
    input logic [BusBits-1:0] s_wdata_i,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input logic [BusBits-1:0] m_rdata_i,
    input rs_axi_pkg::write_rsp_t m_write_i,
    input logic [$clog2(Rows)-1:0] any_i,  // a row
    input logic [2:0] nth_i  // a beat, modulo 8
);
  localparam int unsigned Lanes = BusBits / 64;
  localparam int unsigned RowBits = $clog2(Rows);
  localparam logic [RowBits-1:0] ProgramRow = RowBits'(Rows / 4);
  rs_axi_pkg::read_rsp_t  s_read_o;
  rs_axi_pkg::write_rsp_t s_write_o;
  rs_axi_pkg::read_req_t  m_read_o;
  rs_axi_pkg::write_req_t m_write_o;
  logic [BusBits-1:0] s_rdata_o, m_wdata_o;
  logic wiping_o, bound_o;

  rs_axi_vault #(
      .BusBits    (BusBits),
      .Bytes      (Rows * BusBits / 8),
      .ProgramByte(Rows * BusBits / 32)
  ) u_dut (
      .*
  );

  logic reset_q = 1'b0;
  logic known_q;  // any_i has been
  logic [RowBits-1:0] any_q, word_row;
  logic [BusBits-1:0] row_q;  // what the row has
  logic swept_q;  // zeros were written to it in this wipe
  logic kept_q;  // a wipe has begun, and nobody may have written to the row since
  logic wiping_q, read_q, read_any_q, given_any_q, behind_any_q;
  // beats that were asked for and taken; the one that is looked at
  logic [2:0] nth_q, asks_q, takes_q;
  logic [BusBits-1:0] nth_data_q;
  logic [rs_axi_pkg::IdBits:0] nth_beat_q;
  logic [RowBits+1:0] age_q;  // cycles since wipe_i
  // outside: bursts that were taken and have no answer; that are or were on offer before this cycle and are not written; inside: one that is not written
  logic [7:0] reads_q, writes_q, open_q;
  logic ar_wait_q, aw_wait_q, w_wait_q, inside_q;
  logic s_ar_wait_q, s_aw_wait_q, s_w_wait_q;
  rs_axi_pkg::burst_t ar_q, aw_q, s_ar_q, s_aw_q;
  logic [BusBits-1:0] w_q, s_w_q;
  logic w_last_q, s_w_last_q;
  logic offers, w_ends, b_ends, access;

  assign word_row = ProgramRow + RowBits'(word_index_i >> $clog2(Lanes));
  assign offers   = m_write_o.aw_valid && !aw_wait_q;
  assign w_ends   = m_write_o.w_valid && m_write_i.w_ready && m_write_o.w_last;
  assign b_ends   = m_write_i.b_valid && m_write_o.b_ready;
  assign access   = u_dut.req && u_dut.row == any_i;

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    known_q <= 1'b1;
    any_q   <= any_i;
    nth_q   <= nth_i;
    if (known_q) assume (any_q == any_i && nth_q == nth_i);
    assume (rst_ni == reset_q);
    if (!rst_ni) assume (!units_rst_ni);
    // AXI4 of the others, and the bounds that the module asserts
    if (s_ar_wait_q) assume (s_read_i.ar_valid && s_read_i.ar == s_ar_q);
    if (s_aw_wait_q) assume (s_write_i.aw_valid && s_write_i.aw == s_aw_q);
    if (s_w_wait_q) assume (s_write_i.w_valid && s_write_i.w_last == s_w_last_q && s_wdata_i == s_w_q);
    if (m_read_i.r_valid) assume (reads_q != '0);
    if (m_write_i.b_valid) assume (writes_q > open_q - 8'(aw_wait_q && open_q != '0));
    if (wiping_o) assume (!word_we_i);
    if (s_read_i.ar_valid && s_read_i.ar.addr[63])
      assume (s_read_i.ar.addr[62:4+RowBits] == '0 && 32'(s_read_i.ar.addr[4+:RowBits]) + 32'(s_read_i.ar.len) < Rows);
    if (s_write_i.aw_valid && s_write_i.aw.addr[63])
      assume (s_write_i.aw.addr[62:4+RowBits] == '0 && 32'(s_write_i.aw.addr[4+:RowBits]) + 32'(s_write_i.aw.len) < Rows);
    // a memory
    if (read_any_q) assume (u_dut.rdata == row_q);

    // ---- what the row has
    if (access && u_dut.we) for (int l = 0; l < Lanes; l++) if (u_dut.lanes[l]) row_q[64*l+:64] <= u_dut.data[64*l+:64];
    read_any_q <= rst_ni && access && !u_dut.we;
    read_q <= rst_ni && u_dut.req && !u_dut.we && !wiping_o;
    if (!u_dut.given_q || u_dut.takes) given_any_q <= u_dut.behind_q ? behind_any_q : read_any_q;
    if (u_dut.coming_q) behind_any_q <= read_any_q;
    if (u_dut.asks && asks_q == nth_i) nth_beat_q <= {u_dut.read_id_q, u_dut.left_q == '0};
    if (wiping_o) nth_data_q <= '0;
    else if (u_dut.coming_q && asks_q - 3'd1 == nth_i) nth_data_q <= u_dut.coming_sec;
    asks_q <= units_rst_ni ? asks_q + 3'(u_dut.asks) : '0;
    takes_q <= units_rst_ni ? takes_q + 3'(u_dut.takes) : '0;
    wiping_q <= rst_ni && wiping_o;
    age_q <= wipe_i ? '0 : age_q == '1 ? '1 : age_q + 1'b1;
    if (!rst_ni) begin
      kept_q  <= 1'b0;
      swept_q <= 1'b0;
    end else begin
      if (wipe_i) kept_q <= 1'b1;
      else if ((!wiping_o && idle_i) || (word_we_i && word_row == any_i)) kept_q <= 1'b0;
      if (wipe_i && !(kept_q && wiping_o)) swept_q <= 1'b0;
      else if (access && u_dut.we && wiping_o && u_dut.data == '0 && u_dut.lanes == '1) swept_q <= 1'b1;
    end

    // ---- the channels
    ar_wait_q   <= units_rst_ni && m_read_o.ar_valid && !m_read_i.ar_ready;
    aw_wait_q   <= units_rst_ni && m_write_o.aw_valid && !m_write_i.aw_ready;
    w_wait_q    <= units_rst_ni && m_write_o.w_valid && !m_write_i.w_ready;
    s_ar_wait_q <= units_rst_ni && s_read_i.ar_valid && !s_read_o.ar_ready;
    s_aw_wait_q <= units_rst_ni && s_write_i.aw_valid && !s_write_o.aw_ready;
    s_w_wait_q  <= units_rst_ni && s_write_i.w_valid && !s_write_o.w_ready;
    {ar_q, aw_q, w_q, w_last_q} <= {m_read_o.ar, m_write_o.aw, m_wdata_o, m_write_o.w_last};
    {s_ar_q, s_aw_q, s_w_q, s_w_last_q} <= {s_read_i.ar, s_write_i.aw, s_wdata_i, s_write_i.w_last};
    if (!units_rst_ni) begin
      reads_q  <= '0;
      writes_q <= '0;
      open_q   <= '0;
      inside_q <= 1'b0;
    end else begin
      reads_q <= reads_q + 8'(m_read_o.ar_valid && m_read_i.ar_ready) - 8'(m_read_i.r_valid && m_read_o.r_ready && m_read_i.r_last);
      writes_q <= writes_q + 8'(m_write_o.aw_valid && m_write_i.aw_ready) - 8'(b_ends);
      open_q <= open_q + 8'(offers) - 8'(w_ends);
      if (s_write_i.aw_valid && s_write_o.aw_ready && s_write_i.aw.addr[63]) inside_q <= 1'b1;
      else if (s_write_i.w_valid && s_write_o.w_ready && s_write_i.w_last) inside_q <= 1'b0;
    end

    if (reset_q && rst_ni) begin
      // ---- a wipe
      if (kept_q && !wiping_o) assert (row_q == '0);
      if (kept_q && !wiping_o && given_any_q && u_dut.given_q) assert (s_rdata_o == '0);
      if (kept_q && !wiping_o && behind_any_q && u_dut.behind_q) assert (u_dut.behind_sec_q == '0);
      if (wiping_o && wiping_q && u_dut.reading) assert (s_rdata_o == '0);
      if (wiping_o && wiping_q) assert (u_dut.behind_sec_q == '0);
      if (wiping_o) assert (32'(age_q) <= Rows + 1);
      if (wiping_q && !wiping_o && any_i == '0) assert (u_dut.rdata == '0);  // nor the register behind the memory
      if (word_we_i) assert (access == (word_row == any_i) && u_dut.we);
      if (word_we_i) assert (u_dut.lanes == Lanes'(1) << word_index_i[0] && u_dut.data == {Lanes{word_i}});
      // each beat that is given was read; they keep their order
      if (u_dut.coming_q && !wiping_o && !wiping_q) assert (read_q);
      if (u_dut.given_q && takes_q == nth_i)
        assert (s_read_o.r_valid && s_rdata_o == nth_data_q && {s_read_o.r_id, s_read_o.r_last} == nth_beat_q);
      if (u_dut.asking_q && s_read_i.r_ready && !word_we_i) assert (u_dut.asks);

      // ---- what is bound
      if (wiping_o || (access && u_dut.we && 32'(any_i) < Rows / 2)) assert (bound_o);
      if (bound_o && !wiping_o) assert (u_dut.we && 32'(u_dut.row) < Rows / 2);

      // ---- the port
      assert (!(m_read_o.ar_valid && m_read_o.ar.addr[63]) && !(m_write_o.aw_valid && m_write_o.aw.addr[63]));
      if (ar_wait_q) assert (m_read_o.ar_valid && m_read_o.ar == ar_q);
      if (aw_wait_q) assert (m_write_o.aw_valid && m_write_o.aw == aw_q);
      if (w_wait_q) assert (m_write_o.w_valid && m_wdata_o == w_q && m_write_o.w_last == w_last_q);
      assert (m_write_o.w_valid == (s_write_i.w_valid && open_q != '0));
      if (m_write_o.w_valid) assert (m_wdata_o == s_wdata_i);
      if (open_q == '0) assert (m_wdata_o == '0);
      // data of one kind alone are due
      assert (!(inside_q && (open_q != '0 || offers)));
      if (s_write_i.w_valid && s_write_o.w_ready) assert (inside_q || (m_write_o.w_valid && m_write_i.w_ready));
      if (m_read_i.r_valid && m_read_o.r_ready) assert (s_read_o.r_valid && s_rdata_o == m_rdata_i && !u_dut.reading);

      // ---- what makes the above inductive
      assert (u_dut.reads_q == reads_q && u_dut.writes_q == writes_q);
      assert (u_dut.unwritten_q == open_q && u_dut.counted_q == aw_wait_q);
      assert (inside_q == (u_dut.write_state_q == 2'd1));
      if (u_dut.reading) assert (reads_q == '0);
      assert (asks_q - takes_q == 3'(u_dut.coming_q) + 3'(u_dut.given_q) + 3'(u_dut.behind_q));
      assert (u_dut.given_q || !u_dut.behind_q);
      assert (!(u_dut.behind_q && u_dut.coming_q));
      if (u_dut.behind_q && takes_q + 3'd1 == nth_i) assert (u_dut.behind_sec_q == nth_data_q && u_dut.behind_beat_q == nth_beat_q);
      if (u_dut.coming_q && asks_q - 3'd1 == nth_i) assert (u_dut.coming_beat_q == nth_beat_q);
      if (u_dut.write_state_q != 2'd0) assert (writes_q == '0 && open_q == '0 && !aw_wait_q);
      assert (32'(open_q) <= 32'(writes_q) + 32'(aw_wait_q));
      if (kept_q) assert (u_dut.drop_q);
      if (wiping_o) assert (kept_q);
      if (kept_q && swept_q) assert (row_q == '0);
      if (kept_q && !swept_q) assert (u_dut.wiping_q && u_dut.wipe_row_q <= any_i);
      if (u_dut.wiping_q) assert (32'(age_q) <= 32'(u_dut.wipe_row_q) || age_q == '0);
      if (u_dut.clean_q) assert (32'(age_q) <= Rows && u_dut.wipe_row_q == '0);
      assert (!(u_dut.clean_q && u_dut.wiping_q));
      if (u_dut.coming_q) assert (u_dut.found_q == read_q);
    end
  end
endmodule
