// SPDX-License-Identifier: Apache-2.0
// rs_soc_ram: two masters at one RAM, AXI4; the processor (a) goes before the core (b).
// Model:   soc/tb/test_rs_soc_filter.py
// Params:  IdBits: of the masters' IDs; RAM sees one more, which says whose access it is. Depth: writes whose data are not through, a power
//          of two
// Bounds:  none; what is offered to RAM stays as it is until it is taken
// Timing:  no cycle
module rs_soc_ram #(
    parameter int unsigned IdBits = 4,
    parameter int unsigned Depth  = 4
) (
    input logic clk_i,
    input logic rst_ni,

    input rs_soc_pkg::axi_req_t [1:0] s_i,
    output rs_soc_pkg::axi_rsp_t [1:0] s_o,
    output rs_soc_pkg::axi_req_t m_o,
    input rs_soc_pkg::axi_rsp_t m_i
);
  localparam int unsigned PlaceBits = $clog2(Depth);

  if (Depth < 2 || 2 ** PlaceBits != Depth) begin : gen_illegal
    $fatal(1, "%m: Depth must be a power of two from 2 on");
  end

  localparam logic [rs_soc_pkg::IdBits-1:0] Own = rs_soc_pkg::IdBits'(2 ** IdBits - 1);

  function automatic rs_soc_pkg::burst_t named(input rs_soc_pkg::burst_t burst, input logic who);
    named = burst;
    named.id = (burst.id & Own) | (rs_soc_pkg::IdBits'(who) << IdBits);
  endfunction

  // ---- reads ---------------------------------------------------------------------------------------------------------------
  logic ar_held_q, ar_last_q, ar_who, r_who;
  assign ar_who = ar_held_q ? ar_last_q : !s_i[0].ar_valid;
  assign m_o.ar_valid = s_i[ar_who].ar_valid;
  assign m_o.ar = named(s_i[ar_who].ar, ar_who);
  assign r_who = m_i.r_id[IdBits];
  assign m_o.r_ready = s_i[r_who].r_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) ar_held_q <= 1'b0;
    else ar_held_q <= m_o.ar_valid && !m_i.ar_ready;
    ar_last_q <= ar_who;
  end

  // ---- writes: data in the order of the addresses ----------------------------------------------------------------------------
  logic aw_held_q, aw_last_q, aw_who, w_who, b_who, said, through;
  logic [PlaceBits:0] due_q;
  logic [PlaceBits-1:0] head_q, tail_q;
  logic [Depth-1:0] who_q;

  assign aw_who = aw_held_q ? aw_last_q : !s_i[0].aw_valid;
  assign m_o.aw_valid = s_i[aw_who].aw_valid && !due_q[PlaceBits];
  assign m_o.aw = named(s_i[aw_who].aw, aw_who);
  assign said = m_o.aw_valid && m_i.aw_ready;
  assign w_who = who_q[head_q];
  assign m_o.w_valid = s_i[w_who].w_valid && due_q != '0;
  assign {m_o.w_data, m_o.w_strb, m_o.w_last} = {s_i[w_who].w_data, s_i[w_who].w_strb, s_i[w_who].w_last};
  assign through = m_o.w_valid && m_i.w_ready && m_o.w_last;
  assign b_who = m_i.b_id[IdBits];
  assign m_o.b_ready = s_i[b_who].b_ready;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      aw_held_q <= 1'b0;
      due_q     <= '0;
      head_q    <= '0;
      tail_q    <= '0;
    end else begin
      aw_held_q <= m_o.aw_valid && !m_i.aw_ready;
      due_q     <= due_q + (PlaceBits + 1)'(said) - (PlaceBits + 1)'(through);
      head_q    <= head_q + PlaceBits'(through);
      tail_q    <= tail_q + PlaceBits'(said);
    end
    aw_last_q <= aw_who;
    if (said) who_q[tail_q] <= aw_who;
  end

  // ---- answers ---------------------------------------------------------------------------------------------------------------
  for (genvar i = 0; i < 2; i++) begin : gen_master
    assign s_o[i] = '{
            aw_ready: said && aw_who == 1'(i),
            w_ready: m_i.w_ready && due_q != '0 && w_who == 1'(i),
            b_valid: m_i.b_valid && b_who == 1'(i),
            b_id: m_i.b_id & Own,
            b_resp: m_i.b_resp,
            ar_ready: m_i.ar_ready && ar_who == 1'(i),
            r_valid: m_i.r_valid && r_who == 1'(i),
            r_id: m_i.r_id & Own,
            r_data: m_i.r_data,
            r_resp: m_i.r_resp,
            r_last: m_i.r_last
        };
  end
endmodule
