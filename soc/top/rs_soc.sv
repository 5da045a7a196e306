// SPDX-License-Identifier: Apache-2.0
// rs_soc: processor, core and board: what is simulated (soc/README.md has the map).
// Model:   py/ringside/soc runs it; its results are compared with the library's
// Params:  none: the design is in rs_soc_accelerator, the processor in rs_soc_cpu
// Bounds:  faults_i = 0 but in tests; m_axi is RAM from 0x8000_0000, in lines of 64 bytes, with the latency of the harness (sim/axi_memory.h)
// Timing:  of its parts; the core goes to RAM directly where the caches hold nothing (rs_soc_filter)
module rs_soc (
    input logic clk_i,
    input logic rst_ni,
    // tests: 0: the core's interrupt does not arrive; 1: its memory port takes and gives nothing; 2: its registers do not answer. Constant
    input logic [2:0] faults_i,

    output logic        m_axi_arvalid,
    input  logic        m_axi_arready,
    output logic [ 4:0] m_axi_arid,
    output logic [31:0] m_axi_araddr,
    output logic [ 7:0] m_axi_arlen,
    output logic [ 2:0] m_axi_arsize,
    output logic [ 1:0] m_axi_arburst,
    input  logic        m_axi_rvalid,
    output logic        m_axi_rready,
    input  logic [ 4:0] m_axi_rid,
    input  logic [63:0] m_axi_rdata,
    input  logic [ 1:0] m_axi_rresp,
    input  logic        m_axi_rlast,
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [ 4:0] m_axi_awid,
    output logic [31:0] m_axi_awaddr,
    output logic [ 7:0] m_axi_awlen,
    output logic [ 2:0] m_axi_awsize,
    output logic [ 1:0] m_axi_awburst,
    output logic        m_axi_wvalid,
    input  logic        m_axi_wready,
    output logic [63:0] m_axi_wdata,
    output logic [ 7:0] m_axi_wstrb,
    output logic        m_axi_wlast,
    input  logic        m_axi_bvalid,
    output logic        m_axi_bready,
    input  logic [ 4:0] m_axi_bid,
    input  logic [ 1:0] m_axi_bresp,

    output logic        console_valid_o,
    output logic [ 7:0] console_o,
    output logic        end_valid_o,
    output logic [31:0] end_o
);
  localparam int unsigned Board = 0, Core = 1;
  localparam logic [1:0][30:0] Bases = {31'h4000_0000, 31'h1000_0000};
  localparam logic [1:0][30:0] Masks = {31'h7fff_f000, 31'h7fff_e000};

  // registers: the processor, and its slaves
  rs_soc_pkg::lite_req_t p_req;
  rs_soc_pkg::lite_rsp_t p_rsp, board_rsp, core_rsp, core_seen;
  rs_soc_pkg::lite_req_t [1:0] slave_req;
  rs_soc_pkg::lite_req_t core_req;
  // RAM: of the processor (u, with the core's hold: h), of the core (c, with faults: g), from there to the coherent port (f) or directly (d), of both (m)
  rs_soc_pkg::axi_req_t u_req, h_req, c_req, g_req, f_req, d_req, m_req;
  rs_soc_pkg::axi_rsp_t u_rsp, h_rsp, c_rsp, g_rsp, f_rsp, d_rsp, m_rsp;
  logic hold, irq;

  rs_soc_cpu u_cpu (
      .clk_i,
      .rst_ni,
      .irq_i (irq && !faults_i[0]),
      .m_o   (u_req),
      .m_i   (h_rsp),
      .lite_o(p_req),
      .lite_i(p_rsp),
      .s_i   (f_req),
      .s_o   (f_rsp)
  );

  always_comb begin
    h_req = u_req;
    if (hold) h_req.ar_valid = '0;
  end
  always_comb begin
    h_rsp = u_rsp;
    if (hold) h_rsp.ar_ready = '0;
  end
  always_comb begin
    g_req = c_req;
    if (faults_i[1]) {g_req.ar_valid, g_req.aw_valid, g_req.w_valid} = '0;
  end
  always_comb begin
    c_rsp = g_rsp;
    if (faults_i[1]) {c_rsp.ar_ready, c_rsp.aw_ready, c_rsp.w_ready} = '0;
  end
  always_comb begin
    core_req = slave_req[Core];
    if (faults_i[2]) {core_req.ar_valid, core_req.aw_valid, core_req.w_valid} = '0;
  end
  always_comb begin
    core_seen = core_rsp;
    if (faults_i[2]) {core_seen.ar_ready, core_seen.aw_ready, core_seen.w_ready} = '0;
  end

  // Rocket's port has two lines under way at most, one of each parity of the ID, after both caches were asked: three to five times as slow as RAM
  rs_soc_filter #(
      .Bytes(2 ** 25)
  ) u_filter (
      .clk_i,
      .rst_ni,
      .cpu_req_i(u_req),
      .cpu_rsp_i(u_rsp),
      .hold_o   (hold),
      .s_i      (g_req),
      .s_o      (g_rsp),
      .p_o      (f_req),
      .p_i      (f_rsp),
      .d_o      (d_req),
      .d_i      (d_rsp)
  );

  rs_soc_ram u_ram (
      .clk_i,
      .rst_ni,
      .s_i({d_req, h_req}),
      .s_o({d_rsp, u_rsp}),
      .m_o(m_req),
      .m_i(m_rsp)
  );
  assign {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_arlen} = {m_req.ar_valid, m_req.ar.id[4:0], m_req.ar.addr, m_req.ar.len};
  assign {m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_awlen} = {m_req.aw_valid, m_req.aw.id[4:0], m_req.aw.addr, m_req.aw.len};
  assign {m_axi_wvalid, m_axi_wdata, m_axi_wstrb, m_axi_wlast} = {m_req.w_valid, m_req.w_data, m_req.w_strb, m_req.w_last};
  assign {m_axi_rready, m_axi_bready} = {m_req.r_ready, m_req.b_ready};
  assign m_rsp = '{
          aw_ready: m_axi_awready,
          w_ready: m_axi_wready,
          b_valid: m_axi_bvalid,
          b_id: {3'd0, m_axi_bid},
          b_resp: m_axi_bresp,
          ar_ready: m_axi_arready,
          r_valid: m_axi_rvalid,
          r_id: {3'd0, m_axi_rid},
          r_data: m_axi_rdata,
          r_resp: m_axi_rresp,
          r_last: m_axi_rlast
      };
  assign {m_axi_arsize, m_axi_arburst, m_axi_awsize, m_axi_awburst} = {3'd3, 2'b01, 3'd3, 2'b01};

  rs_soc_lite_split #(
      .Slaves(2),
      .Bases (Bases),
      .Masks (Masks)
  ) u_split (
      .clk_i,
      .rst_ni,
      .s_i(p_req),
      .s_o(p_rsp),
      .m_o(slave_req),
      .m_i({core_seen, board_rsp})
  );

  rs_soc_board u_board (
      .clk_i,
      .rst_ni,
      .s_i(slave_req[Board]),
      .s_o(board_rsp),
      .console_valid_o,
      .console_o,
      .end_valid_o,
      .end_o
  );

  rs_soc_accelerator u_accelerator (
      .clk_i,
      .rst_ni,
      .irq_o(irq),
      .s_i  (core_req),
      .s_o  (core_rsp),
      .m_o  (c_req),
      .m_i  (c_rsp)
  );

  logic unused_bits;
  assign unused_bits = ^{m_req.ar.id[7:5], m_req.aw.id[7:5]};
endmodule
