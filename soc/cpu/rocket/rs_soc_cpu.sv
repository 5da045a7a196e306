// SPDX-License-Identifier: Apache-2.0
// rs_soc_cpu: the processor of the SoC: Rocket, RV64GC (pythondata-cpu-rocket, LitexFullConfig). Another processor takes its place as
// another module of this name with these ports.
// Model:   none; the firmware runs on it
// Params:  none
// Bounds:  begins at 0x1000_0000 of the register port, RAM from 0x8000_0000. irq_i: level, source 1 of its PLIC (0x0c00_0000)
// Timing:  the coherent port sees what the caches hold: no cache maintenance
module rs_soc_cpu (
    input logic clk_i,
    input logic rst_ni,
    input logic irq_i,

    // RAM: AXI4, whole lines of 64 bytes
    output rs_soc_pkg::axi_req_t  m_o,
    input  rs_soc_pkg::axi_rsp_t  m_i,
    // registers and boot ROM: AXI4-Lite
    output rs_soc_pkg::lite_req_t lite_o,
    input  rs_soc_pkg::lite_rsp_t lite_i,
    // devices to RAM: AXI4, whole lines, coherent with the caches
    input  rs_soc_pkg::axi_req_t  s_i,
    output rs_soc_pkg::axi_rsp_t  s_o
);
  // Rocket's port of registers
  logic p_awvalid;
  logic p_awready;
  logic [3:0] p_awid;
  logic [30:0] p_awaddr;
  logic [2:0] p_awsize;
  logic p_wvalid;
  logic p_wready;
  logic [63:0] p_wdata;
  logic [7:0] p_wstrb;
  logic p_wlast;
  logic p_bvalid;
  logic p_bready;
  logic [3:0] p_bid;
  logic [1:0] p_bresp;
  logic p_arvalid;
  logic p_arready;
  logic [3:0] p_arid;
  logic [30:0] p_araddr;
  logic [7:0] p_arlen;
  logic [2:0] p_arsize;
  logic p_rvalid;
  logic p_rready;
  logic [3:0] p_rid;
  logic [63:0] p_rdata;
  logic [1:0] p_rresp;
  logic p_rlast;

  rs_soc_axi_lite #(
      .IdBits(4)
  ) u_registers (
      .clk_i,
      .rst_ni,
      .s_arvalid(p_arvalid),
      .s_arready(p_arready),
      .s_arid(p_arid),
      .s_araddr(p_araddr),
      .s_arlen(p_arlen),
      .s_arsize(p_arsize),
      .s_rvalid(p_rvalid),
      .s_rready(p_rready),
      .s_rid(p_rid),
      .s_rdata(p_rdata),
      .s_rresp(p_rresp),
      .s_rlast(p_rlast),
      .s_awvalid(p_awvalid),
      .s_awready(p_awready),
      .s_awid(p_awid),
      .s_awaddr(p_awaddr),
      .s_awsize(p_awsize),
      .s_wvalid(p_wvalid),
      .s_wready(p_wready),
      .s_wdata(p_wdata),
      .s_wstrb(p_wstrb),
      .s_wlast(p_wlast),
      .s_bvalid(p_bvalid),
      .s_bready(p_bready),
      .s_bid(p_bid),
      .s_bresp(p_bresp),
      .m_o(lite_o),
      .m_i(lite_i)
  );

  rs_rocket u_rocket (
      .clock(clk_i),
      .reset(!rst_ni),
      .resetctrl_hartIsInReset_0(1'b0),
      .interrupts({7'd0, irq_i}),
      .mem_axi4_0_aw_valid(m_o.aw_valid),
      .mem_axi4_0_aw_ready(m_i.aw_ready),
      .mem_axi4_0_aw_bits_id(m_o.aw.id[3:0]),
      .mem_axi4_0_aw_bits_addr(m_o.aw.addr),
      .mem_axi4_0_aw_bits_len(m_o.aw.len),
      .mem_axi4_0_aw_bits_size(),
      .mem_axi4_0_aw_bits_burst(),
      .mem_axi4_0_aw_bits_lock(),
      .mem_axi4_0_aw_bits_cache(),
      .mem_axi4_0_aw_bits_prot(),
      .mem_axi4_0_aw_bits_qos(),
      .mmio_axi4_0_aw_valid(p_awvalid),
      .mmio_axi4_0_aw_ready(p_awready),
      .mmio_axi4_0_aw_bits_id(p_awid),
      .mmio_axi4_0_aw_bits_addr(p_awaddr),
      .mmio_axi4_0_aw_bits_len(),
      .mmio_axi4_0_aw_bits_size(p_awsize),
      .mmio_axi4_0_aw_bits_burst(),
      .mmio_axi4_0_aw_bits_lock(),
      .mmio_axi4_0_aw_bits_cache(),
      .mmio_axi4_0_aw_bits_prot(),
      .mmio_axi4_0_aw_bits_qos(),
      .l2_frontend_bus_axi4_0_aw_valid(s_i.aw_valid),
      .l2_frontend_bus_axi4_0_aw_ready(s_o.aw_ready),
      .l2_frontend_bus_axi4_0_aw_bits_id(s_i.aw.id),
      .l2_frontend_bus_axi4_0_aw_bits_addr(s_i.aw.addr),
      .l2_frontend_bus_axi4_0_aw_bits_len(s_i.aw.len),
      .l2_frontend_bus_axi4_0_aw_bits_size(3'd3),
      .l2_frontend_bus_axi4_0_aw_bits_burst(2'b01),
      .l2_frontend_bus_axi4_0_aw_bits_lock('0),
      .l2_frontend_bus_axi4_0_aw_bits_cache('0),
      .l2_frontend_bus_axi4_0_aw_bits_prot('0),
      .l2_frontend_bus_axi4_0_aw_bits_qos('0),
      .mem_axi4_0_w_valid(m_o.w_valid),
      .mem_axi4_0_w_ready(m_i.w_ready),
      .mem_axi4_0_w_bits_data(m_o.w_data),
      .mem_axi4_0_w_bits_strb(m_o.w_strb),
      .mem_axi4_0_w_bits_last(m_o.w_last),
      .mmio_axi4_0_w_valid(p_wvalid),
      .mmio_axi4_0_w_ready(p_wready),
      .mmio_axi4_0_w_bits_data(p_wdata),
      .mmio_axi4_0_w_bits_strb(p_wstrb),
      .mmio_axi4_0_w_bits_last(p_wlast),
      .l2_frontend_bus_axi4_0_w_valid(s_i.w_valid),
      .l2_frontend_bus_axi4_0_w_ready(s_o.w_ready),
      .l2_frontend_bus_axi4_0_w_bits_data(s_i.w_data),
      .l2_frontend_bus_axi4_0_w_bits_strb(s_i.w_strb),
      .l2_frontend_bus_axi4_0_w_bits_last(s_i.w_last),
      .mem_axi4_0_b_valid(m_i.b_valid),
      .mem_axi4_0_b_ready(m_o.b_ready),
      .mem_axi4_0_b_bits_id(m_i.b_id[3:0]),
      .mem_axi4_0_b_bits_resp(m_i.b_resp),
      .mmio_axi4_0_b_valid(p_bvalid),
      .mmio_axi4_0_b_ready(p_bready),
      .mmio_axi4_0_b_bits_id(p_bid),
      .mmio_axi4_0_b_bits_resp(p_bresp),
      .l2_frontend_bus_axi4_0_b_valid(s_o.b_valid),
      .l2_frontend_bus_axi4_0_b_ready(s_i.b_ready),
      .l2_frontend_bus_axi4_0_b_bits_id(s_o.b_id),
      .l2_frontend_bus_axi4_0_b_bits_resp(s_o.b_resp),
      .mem_axi4_0_ar_valid(m_o.ar_valid),
      .mem_axi4_0_ar_ready(m_i.ar_ready),
      .mem_axi4_0_ar_bits_id(m_o.ar.id[3:0]),
      .mem_axi4_0_ar_bits_addr(m_o.ar.addr),
      .mem_axi4_0_ar_bits_len(m_o.ar.len),
      .mem_axi4_0_ar_bits_size(),
      .mem_axi4_0_ar_bits_burst(),
      .mem_axi4_0_ar_bits_lock(),
      .mem_axi4_0_ar_bits_cache(),
      .mem_axi4_0_ar_bits_prot(),
      .mem_axi4_0_ar_bits_qos(),
      .mmio_axi4_0_ar_valid(p_arvalid),
      .mmio_axi4_0_ar_ready(p_arready),
      .mmio_axi4_0_ar_bits_id(p_arid),
      .mmio_axi4_0_ar_bits_addr(p_araddr),
      .mmio_axi4_0_ar_bits_len(p_arlen),
      .mmio_axi4_0_ar_bits_size(p_arsize),
      .mmio_axi4_0_ar_bits_burst(),
      .mmio_axi4_0_ar_bits_lock(),
      .mmio_axi4_0_ar_bits_cache(),
      .mmio_axi4_0_ar_bits_prot(),
      .mmio_axi4_0_ar_bits_qos(),
      .l2_frontend_bus_axi4_0_ar_valid(s_i.ar_valid),
      .l2_frontend_bus_axi4_0_ar_ready(s_o.ar_ready),
      .l2_frontend_bus_axi4_0_ar_bits_id(s_i.ar.id),
      .l2_frontend_bus_axi4_0_ar_bits_addr(s_i.ar.addr),
      .l2_frontend_bus_axi4_0_ar_bits_len(s_i.ar.len),
      .l2_frontend_bus_axi4_0_ar_bits_size(3'd3),
      .l2_frontend_bus_axi4_0_ar_bits_burst(2'b01),
      .l2_frontend_bus_axi4_0_ar_bits_lock('0),
      .l2_frontend_bus_axi4_0_ar_bits_cache('0),
      .l2_frontend_bus_axi4_0_ar_bits_prot('0),
      .l2_frontend_bus_axi4_0_ar_bits_qos('0),
      .mem_axi4_0_r_valid(m_i.r_valid),
      .mem_axi4_0_r_ready(m_o.r_ready),
      .mem_axi4_0_r_bits_id(m_i.r_id[3:0]),
      .mem_axi4_0_r_bits_data(m_i.r_data),
      .mem_axi4_0_r_bits_resp(m_i.r_resp),
      .mem_axi4_0_r_bits_last(m_i.r_last),
      .mmio_axi4_0_r_valid(p_rvalid),
      .mmio_axi4_0_r_ready(p_rready),
      .mmio_axi4_0_r_bits_id(p_rid),
      .mmio_axi4_0_r_bits_data(p_rdata),
      .mmio_axi4_0_r_bits_resp(p_rresp),
      .mmio_axi4_0_r_bits_last(p_rlast),
      .l2_frontend_bus_axi4_0_r_valid(s_o.r_valid),
      .l2_frontend_bus_axi4_0_r_ready(s_i.r_ready),
      .l2_frontend_bus_axi4_0_r_bits_id(s_o.r_id),
      .l2_frontend_bus_axi4_0_r_bits_data(s_o.r_data),
      .l2_frontend_bus_axi4_0_r_bits_resp(s_o.r_resp),
      .l2_frontend_bus_axi4_0_r_bits_last(s_o.r_last),
      .debug_clock(1'b0),
      .debug_reset(!rst_ni),
      .debug_clockeddmi_dmi_req_ready(),
      .debug_clockeddmi_dmi_req_valid(1'b0),
      .debug_clockeddmi_dmi_req_bits_addr('0),
      .debug_clockeddmi_dmi_req_bits_data('0),
      .debug_clockeddmi_dmi_req_bits_op('0),
      .debug_clockeddmi_dmi_resp_ready(1'b0),
      .debug_clockeddmi_dmi_resp_valid(),
      .debug_clockeddmi_dmi_resp_bits_data(),
      .debug_clockeddmi_dmi_resp_bits_resp(),
      .debug_clockeddmi_dmiClock(1'b0),
      .debug_clockeddmi_dmiReset(!rst_ni),
      .debug_ndreset(),
      .debug_dmactive(),
      .debug_dmactiveAck(1'b0)
  );
  assign {m_o.aw.id[7:4], m_o.ar.id[7:4]} = '0;
endmodule
