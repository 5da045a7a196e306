// SPDX-License-Identifier: Apache-2.0
// rs_axi_share_proof: for ever, by induction: each address that a master gave goes on offer once, with its bit, and stays until it is taken; answers go to whom
//                     they belong; the data of any burst are those of its master, in the order of the addresses, wait for no AWREADY and come not before
//                     their address is on offer; and a master that waits gets its turn.
// Assumed: the masters' offers stay (AXI4).
module rs_axi_share_proof #(
    parameter int unsigned BusBits = 64,
    parameter int unsigned Writes  = 4,
    parameter int unsigned Reads   = 4
) (
    input logic clk_i,
    input logic rst_ni,
    input rs_axi_pkg::read_req_t [1:0] s_read_i,
    input rs_axi_pkg::write_req_t [1:0] s_write_i,
    input logic [1:0][BusBits-1:0] s_wdata_i,
    input rs_axi_pkg::read_rsp_t m_read_i,
    input rs_axi_pkg::write_rsp_t m_write_i,
    input logic watch_i  // the burst that is given now
);
  localparam int unsigned IdBit = rs_axi_pkg::IdBits - 1;
  rs_axi_pkg::read_rsp_t [1:0] s_read_o;
  rs_axi_pkg::write_rsp_t [1:0] s_write_o;
  rs_axi_pkg::read_req_t m_read_o;
  rs_axi_pkg::write_req_t m_write_o;
  logic [BusBits-1:0] m_wdata_o;

  rs_axi_share #(
      .BusBits(BusBits),
      .Writes (Writes),
      .Reads  (Reads)
  ) u_dut (
      .*
  );

  function automatic rs_axi_pkg::burst_t named(input rs_axi_pkg::burst_t burst, input logic owner);
    named = burst;
    named.id[IdBit] = owner;
  endfunction

  logic reset_q = 1'b0;
  logic [1:0] ar, aw, w, ar_ends, aw_ends, w_ends;  // what masters offer, and what is taken of it
  // what was taken in the cycle before, and what is on the port since
  logic ar_came_q, aw_came_q, ar_wait_q, aw_wait_q;
  rs_axi_pkg::burst_t ar_q, aw_q;
  logic [1:0] ar_held_q, aw_held_q;
  rs_axi_pkg::burst_t [1:0] s_ar_q, s_aw_q;
  logic [7:0] open_q, open;  // bursts that are or were on offer and are not written: before this cycle, with it
  logic watched_q, owner_q;  // a burst, and whose it is
  logic [7:0] ahead_q;  // bursts whose data come before its
  logic [1:0][7:0] ar_lost_q, aw_lost_q;  // addresses of the other that were taken while this one waited

  for (genvar i = 0; i < 2; i++) begin : gen_master
    assign {ar[i], aw[i], w[i]} = {s_read_i[i].ar_valid, s_write_i[i].aw_valid, s_write_i[i].w_valid};
    assign ar_ends[i] = ar[i] && s_read_o[i].ar_ready;
    assign aw_ends[i] = aw[i] && s_write_o[i].aw_ready;
    assign w_ends[i] = w[i] && s_write_o[i].w_ready && s_write_i[i].w_last;
  end
  assign open = open_q + 8'(aw_came_q);

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    assume (rst_ni == reset_q);
    for (int i = 0; i < 2; i++) begin
      assume (!s_read_i[i].ar.id[IdBit] && !s_write_i[i].aw.id[IdBit]);
      if (ar_held_q[i]) assume (ar[i] && s_read_i[i].ar == s_ar_q[i]);
      if (aw_held_q[i]) assume (aw[i] && s_write_i[i].aw == s_aw_q[i]);
      {s_ar_q[i], s_aw_q[i]} <= {s_read_i[i].ar, s_write_i[i].aw};
    end

    if (!rst_ni) begin
      {ar_came_q, aw_came_q, ar_wait_q, aw_wait_q, ar_held_q, aw_held_q, watched_q} <= '0;
      {open_q, ar_lost_q, aw_lost_q} <= '0;
    end else begin
      {ar_came_q, aw_came_q} <= {ar_ends != '0, aw_ends != '0};
      {ar_held_q, aw_held_q} <= {ar & ~ar_ends, aw & ~aw_ends};
      ar_wait_q <= m_read_o.ar_valid && !m_read_i.ar_ready;
      aw_wait_q <= m_write_o.aw_valid && !m_write_i.aw_ready;
      open_q <= open - 8'(w_ends != '0);
      if (aw_ends != '0 && watch_i && !watched_q) begin
        watched_q <= 1'b1;
        owner_q   <= aw_ends[1];
        ahead_q   <= open - 8'(w_ends != '0);
      end else if (watched_q && w_ends != '0) begin
        watched_q <= ahead_q != '0;
        ahead_q   <= ahead_q - 1'b1;
      end
      for (int i = 0; i < 2; i++) begin
        ar_lost_q[i] <= !ar[i] || ar_ends[i] ? '0 : ar_lost_q[i] + 8'(ar_ends[1-i]);
        aw_lost_q[i] <= !aw[i] || aw_ends[i] ? '0 : aw_lost_q[i] + 8'(aw_ends[1-i]);
      end
    end
    ar_q <= ar_ends != '0 ? named(s_read_i[ar_ends[1]].ar, ar_ends[1]) : m_read_o.ar;
    aw_q <= aw_ends != '0 ? named(s_write_i[aw_ends[1]].aw, aw_ends[1]) : m_write_o.aw;

    if (reset_q && rst_ni) begin
      // ---- addresses
      assert (ar_ends != 2'b11 && aw_ends != 2'b11);
      assert (m_read_o.ar_valid == (ar_came_q || ar_wait_q) && m_write_o.aw_valid == (aw_came_q || aw_wait_q));
      if (m_read_o.ar_valid) assert (m_read_o.ar == ar_q);
      if (m_write_o.aw_valid) assert (m_write_o.aw == aw_q);
      if (m_read_o.ar_valid && !m_read_i.ar_ready) assert (ar_ends == '0);
      if (m_write_o.aw_valid && !m_write_i.aw_ready) assert (aw_ends == '0);
      // ---- turns
      assert (32'(ar_lost_q[0]) < Reads && ar_lost_q[1] <= 8'd1 && aw_lost_q[0] <= 8'd1 && aw_lost_q[1] <= 8'd1);
      if (ar != '0 && !m_read_o.ar_valid) assert (ar_ends != '0);
      if (aw != '0 && !m_write_o.aw_valid && 32'(open) != Writes) assert (aw_ends != '0);
      // ---- data
      assert (32'(open) <= Writes);
      if (m_write_o.w_valid) assert (open != '0);
      assert ((w_ends != '0) == (m_write_o.w_valid && m_write_i.w_ready && m_write_o.w_last));
      if (watched_q && ahead_q == '0) begin
        assert (m_write_o.w_valid == w[owner_q] && m_write_o.w_last == s_write_i[owner_q].w_last);
        assert (m_wdata_o == s_wdata_i[owner_q]);
        assert (s_write_o[owner_q].w_ready == m_write_i.w_ready && !s_write_o[!owner_q].w_ready);
      end
      // ---- answers
      for (int i = 0; i < 2; i++) begin
        assert (s_read_o[i].r_valid == (m_read_i.r_valid && m_read_i.r_id[IdBit] == 1'(i)));
        assert (s_write_o[i].b_valid == (m_write_i.b_valid && m_write_i.b_id[IdBit] == 1'(i)));
        if (s_read_o[i].r_valid)
          assert (m_read_o.r_ready == s_read_i[i].r_ready && s_read_o[i].r_id == {1'b0, m_read_i.r_id[IdBit-1:0]} &&
              s_read_o[i].r_last == m_read_i.r_last && s_read_o[i].r_resp == m_read_i.r_resp);
        if (s_write_o[i].b_valid)
          assert (m_write_o.b_ready == s_write_i[i].b_ready && s_write_o[i].b_id == {1'b0, m_write_i.b_id[IdBit-1:0]} &&
              s_write_o[i].b_resp == m_write_i.b_resp);
      end

      // ---- what makes the above inductive
      assert (32'(u_dut.open_q) == 32'(open) && !(ar_came_q && ar_wait_q) && !(aw_came_q && aw_wait_q));
      assert (32'(u_dut.put_q) < Writes && 32'(u_dut.get_q) < Writes);
      assert ((32'(u_dut.get_q) + 32'(open)) % Writes == 32'(u_dut.put_q));
      if (watched_q) assert (32'(ahead_q) < 32'(open) && u_dut.list_q[(32'(u_dut.get_q)+32'(ahead_q))%Writes] == owner_q);
      if (aw_lost_q[0] != '0) assert (!u_dut.aw_turn_q && aw_lost_q[1] == '0);
      if (aw_lost_q[1] != '0) assert (u_dut.aw_turn_q && aw_lost_q[0] == '0);
      if (ar_lost_q[1] != '0) assert (u_dut.ar_turn_q != '0 && ar_lost_q[0] == '0);
      if (ar_lost_q[0] != '0) assert (u_dut.ar_turn_q == '0 || 32'(ar_lost_q[0]) < 32'(u_dut.ar_turn_q));
    end
  end
endmodule
