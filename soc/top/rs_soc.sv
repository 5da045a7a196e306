// SPDX-License-Identifier: Apache-2.0
// rs_soc: processor, core and board: what is simulated (soc/README.md has the map).
// Model:   py/ringside/soc runs it; its results are compared with the library's
// Params:  none: the design is in rs_soc_accelerator, the processor in rs_soc_cpu
// Bounds:  faults_i = 0 but in tests; m_axi is RAM from 0x8000_0000, in lines of 64 bytes, with the latency of the harness (sim/axi_memory.h)
// Timing:  of its parts
module rs_soc (
    input logic clk_i,
    input logic rst_ni,
    // tests: 0: the core's interrupt does not arrive; 1: its memory port takes and gives nothing; 2: its registers do not answer. Constant
    input logic [2:0] faults_i,

    output logic        m_axi_arvalid,
    input  logic        m_axi_arready,
    output logic [ 3:0] m_axi_arid,
    output logic [31:0] m_axi_araddr,
    output logic [ 7:0] m_axi_arlen,
    output logic [ 2:0] m_axi_arsize,
    output logic [ 1:0] m_axi_arburst,
    input  logic        m_axi_rvalid,
    output logic        m_axi_rready,
    input  logic [ 3:0] m_axi_rid,
    input  logic [63:0] m_axi_rdata,
    input  logic [ 1:0] m_axi_rresp,
    input  logic        m_axi_rlast,
    output logic        m_axi_awvalid,
    input  logic        m_axi_awready,
    output logic [ 3:0] m_axi_awid,
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
    input  logic [ 3:0] m_axi_bid,
    input  logic [ 1:0] m_axi_bresp,

    output logic        console_valid_o,
    output logic [ 7:0] console_o,
    output logic        end_valid_o,
    output logic [31:0] end_o
);
  localparam int unsigned Board = 0, Core = 1;
  localparam logic [1:0][30:0] Bases = {31'h4000_0000, 31'h1000_0000};
  localparam logic [1:0][30:0] Masks = {31'h7fff_f000, 31'h7fff_e000};

  // processor to slaves
  logic p_awvalid, p_awready, p_wvalid, p_wready, p_bvalid, p_bready, p_arvalid, p_arready, p_rvalid, p_rready;
  logic [30:0] p_awaddr, p_araddr;
  logic [31:0] p_wdata, p_rdata;
  logic [3:0] p_wstrb;
  logic [1:0] p_bresp, p_rresp;
  logic [1:0] q_awvalid, q_awready, q_wvalid, q_wready, q_bvalid, q_bready, q_arvalid, q_arready, q_rvalid, q_rready;
  logic [1:0][31:0] q_rdata;
  logic [1:0][1:0] q_bresp, q_rresp;
  // core to RAM
  logic c_awvalid, c_awready, c_wvalid, c_wready, c_wlast, c_bvalid, c_bready, c_arvalid, c_arready, c_rvalid, c_rready, c_rlast;
  logic [7:0] c_awid, c_bid, c_arid, c_rid, c_awlen, c_arlen, c_wstrb;
  logic [31:0] c_awaddr, c_araddr;
  logic [2:0] c_awsize, c_arsize;
  logic [1:0] c_awburst, c_arburst, c_bresp, c_rresp;
  logic [63:0] c_wdata, c_rdata;
  logic irq, k_awready, k_wready, k_arready;

  rs_soc_cpu u_cpu (
      .clk_i,
      .rst_ni,
      .irq_i         (irq && !faults_i[0]),
      .m_axi_awvalid,
      .m_axi_awready,
      .m_axi_awid,
      .m_axi_awaddr,
      .m_axi_awlen,
      .m_axi_awsize,
      .m_axi_awburst,
      .m_axi_wvalid,
      .m_axi_wready,
      .m_axi_wdata,
      .m_axi_wstrb,
      .m_axi_wlast,
      .m_axi_bvalid,
      .m_axi_bready,
      .m_axi_bid,
      .m_axi_bresp,
      .m_axi_arvalid,
      .m_axi_arready,
      .m_axi_arid,
      .m_axi_araddr,
      .m_axi_arlen,
      .m_axi_arsize,
      .m_axi_arburst,
      .m_axi_rvalid,
      .m_axi_rready,
      .m_axi_rid,
      .m_axi_rdata,
      .m_axi_rresp,
      .m_axi_rlast,
      .m_axil_awvalid(p_awvalid),
      .m_axil_awready(p_awready),
      .m_axil_awaddr (p_awaddr),
      .m_axil_wvalid (p_wvalid),
      .m_axil_wready (p_wready),
      .m_axil_wdata  (p_wdata),
      .m_axil_wstrb  (p_wstrb),
      .m_axil_bvalid (p_bvalid),
      .m_axil_bready (p_bready),
      .m_axil_bresp  (p_bresp),
      .m_axil_arvalid(p_arvalid),
      .m_axil_arready(p_arready),
      .m_axil_araddr (p_araddr),
      .m_axil_rvalid (p_rvalid),
      .m_axil_rready (p_rready),
      .m_axil_rdata  (p_rdata),
      .m_axil_rresp  (p_rresp),
      .s_axi_awvalid (c_awvalid && !faults_i[1]),
      .s_axi_awready (c_awready),
      .s_axi_awid    (c_awid),
      .s_axi_awaddr  (c_awaddr),
      .s_axi_awlen   (c_awlen),
      .s_axi_awsize  (c_awsize),
      .s_axi_awburst (c_awburst),
      .s_axi_wvalid  (c_wvalid && !faults_i[1]),
      .s_axi_wready  (c_wready),
      .s_axi_wdata   (c_wdata),
      .s_axi_wstrb   (c_wstrb),
      .s_axi_wlast   (c_wlast),
      .s_axi_bvalid  (c_bvalid),
      .s_axi_bready  (c_bready),
      .s_axi_bid     (c_bid),
      .s_axi_bresp   (c_bresp),
      .s_axi_arvalid (c_arvalid && !faults_i[1]),
      .s_axi_arready (c_arready),
      .s_axi_arid    (c_arid),
      .s_axi_araddr  (c_araddr),
      .s_axi_arlen   (c_arlen),
      .s_axi_arsize  (c_arsize),
      .s_axi_arburst (c_arburst),
      .s_axi_rvalid  (c_rvalid),
      .s_axi_rready  (c_rready),
      .s_axi_rid     (c_rid),
      .s_axi_rdata   (c_rdata),
      .s_axi_rresp   (c_rresp),
      .s_axi_rlast   (c_rlast)
  );

  rs_soc_lite_split #(
      .Slaves  (2),
      .AddrBits(31),
      .Bases   (Bases),
      .Masks   (Masks)
  ) u_split (
      .clk_i,
      .rst_ni,
      .s_awvalid(p_awvalid),
      .s_awready(p_awready),
      .s_awaddr (p_awaddr),
      .s_wvalid (p_wvalid),
      .s_wready (p_wready),
      .s_bvalid (p_bvalid),
      .s_bready (p_bready),
      .s_bresp  (p_bresp),
      .s_arvalid(p_arvalid),
      .s_arready(p_arready),
      .s_araddr (p_araddr),
      .s_rvalid (p_rvalid),
      .s_rready (p_rready),
      .s_rdata  (p_rdata),
      .s_rresp  (p_rresp),
      .m_awvalid(q_awvalid),
      .m_awready(q_awready),
      .m_wvalid (q_wvalid),
      .m_wready (q_wready),
      .m_bvalid (q_bvalid),
      .m_bready (q_bready),
      .m_bresp  (q_bresp),
      .m_arvalid(q_arvalid),
      .m_arready(q_arready),
      .m_rvalid (q_rvalid),
      .m_rready (q_rready),
      .m_rdata  (q_rdata),
      .m_rresp  (q_rresp)
  );

  rs_soc_board u_board (
      .clk_i,
      .rst_ni,
      .s_awvalid(q_awvalid[Board]),
      .s_awready(q_awready[Board]),
      .s_awaddr (p_awaddr[12:0]),
      .s_wvalid (q_wvalid[Board]),
      .s_wready (q_wready[Board]),
      .s_wdata  (p_wdata),
      .s_bvalid (q_bvalid[Board]),
      .s_bready (q_bready[Board]),
      .s_bresp  (q_bresp[Board]),
      .s_arvalid(q_arvalid[Board]),
      .s_arready(q_arready[Board]),
      .s_araddr (p_araddr[12:0]),
      .s_rvalid (q_rvalid[Board]),
      .s_rready (q_rready[Board]),
      .s_rdata  (q_rdata[Board]),
      .s_rresp  (q_rresp[Board]),
      .console_valid_o,
      .console_o,
      .end_valid_o,
      .end_o
  );

  assign {q_awready[Core], q_wready[Core], q_arready[Core]} = faults_i[2] ? '0 : {k_awready, k_wready, k_arready};

  rs_soc_accelerator u_accelerator (
      .clk_i,
      .rst_ni,
      .irq_o    (irq),
      .s_awvalid(q_awvalid[Core] && !faults_i[2]),
      .s_awready(k_awready),
      .s_awaddr (p_awaddr[11:0]),
      .s_wvalid (q_wvalid[Core] && !faults_i[2]),
      .s_wready (k_wready),
      .s_wdata  (p_wdata),
      .s_wstrb  (p_wstrb),
      .s_bvalid (q_bvalid[Core]),
      .s_bready (q_bready[Core]),
      .s_bresp  (q_bresp[Core]),
      .s_arvalid(q_arvalid[Core] && !faults_i[2]),
      .s_arready(k_arready),
      .s_araddr (p_araddr[11:0]),
      .s_rvalid (q_rvalid[Core]),
      .s_rready (q_rready[Core]),
      .s_rdata  (q_rdata[Core]),
      .s_rresp  (q_rresp[Core]),
      .m_awvalid(c_awvalid),
      .m_awready(c_awready && !faults_i[1]),
      .m_awid   (c_awid),
      .m_awaddr (c_awaddr),
      .m_awlen  (c_awlen),
      .m_awsize (c_awsize),
      .m_awburst(c_awburst),
      .m_wvalid (c_wvalid),
      .m_wready (c_wready && !faults_i[1]),
      .m_wdata  (c_wdata),
      .m_wstrb  (c_wstrb),
      .m_wlast  (c_wlast),
      .m_bvalid (c_bvalid),
      .m_bready (c_bready),
      .m_bid    (c_bid),
      .m_bresp  (c_bresp),
      .m_arvalid(c_arvalid),
      .m_arready(c_arready && !faults_i[1]),
      .m_arid   (c_arid),
      .m_araddr (c_araddr),
      .m_arlen  (c_arlen),
      .m_arsize (c_arsize),
      .m_arburst(c_arburst),
      .m_rvalid (c_rvalid),
      .m_rready (c_rready),
      .m_rid    (c_rid),
      .m_rdata  (c_rdata),
      .m_rresp  (c_rresp),
      .m_rlast  (c_rlast)
  );
endmodule
