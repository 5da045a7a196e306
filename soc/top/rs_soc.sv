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

  // processor to slaves
  logic p_awvalid, p_awready, p_wvalid, p_wready, p_bvalid, p_bready, p_arvalid, p_arready, p_rvalid, p_rready;
  logic [30:0] p_awaddr, p_araddr;
  logic [31:0] p_wdata, p_rdata;
  logic [3:0] p_wstrb;
  logic [1:0] p_bresp, p_rresp;
  logic [1:0] q_awvalid, q_awready, q_wvalid, q_wready, q_bvalid, q_bready, q_arvalid, q_arready, q_rvalid, q_rready;
  logic [1:0][31:0] q_rdata;
  logic [1:0][1:0] q_bresp, q_rresp;
  // processor to RAM
  logic u_awvalid, u_awready, u_wvalid, u_wready, u_wlast, u_bvalid, u_bready, u_arvalid, u_arready, u_rvalid, u_rready;
  logic [3:0] u_awid, u_bid, u_arid, u_rid;
  logic [7:0] u_awlen, u_arlen, u_wstrb;
  logic [31:0] u_awaddr, u_araddr;
  logic [63:0] u_wdata;
  // core to the filter, from there to the processor's coherent port, or to RAM
  logic c_awvalid, c_awready, c_wvalid, c_wready, c_wlast, c_bvalid, c_bready, c_arvalid, c_arready, c_rvalid, c_rready, c_rlast;
  logic [7:0] c_awid, c_bid, c_arid, c_rid, c_awlen, c_arlen, c_wstrb;
  logic [31:0] c_awaddr, c_araddr;
  logic [2:0] c_awsize, c_arsize;
  logic [1:0] c_awburst, c_arburst, c_bresp, c_rresp;
  logic [63:0] c_wdata, c_rdata;
  logic f_awvalid, f_awready, f_wvalid, f_wready, f_wlast, f_bvalid, f_bready, f_arvalid, f_arready, f_rvalid, f_rready, f_rlast;
  logic [7:0] f_awid, f_bid, f_arid, f_rid, f_wstrb;
  logic [31:0] f_awaddr, f_araddr;
  logic [1:0] f_bresp, f_rresp;
  logic [63:0] f_wdata, f_rdata;
  logic d_awvalid, d_awready, d_wvalid, d_wready, d_wlast, d_bvalid, d_bready, d_arvalid, d_arready, d_rvalid, d_rready;
  logic [7:0] d_awid, d_arid, d_wstrb;
  logic [3:0] d_bid, d_rid;
  logic [31:0] d_awaddr, d_araddr;
  logic [63:0] d_wdata;
  // from RAM to both
  logic [63:0] m_rdata;
  logic [1:0] m_rresp, m_bresp;
  logic m_rlast, hold;
  logic irq, k_awready, k_wready, k_arready;

  rs_soc_cpu u_cpu (
      .clk_i,
      .rst_ni,
      .irq_i         (irq && !faults_i[0]),
      .m_axi_awvalid (u_awvalid),
      .m_axi_awready (u_awready),
      .m_axi_awid    (u_awid),
      .m_axi_awaddr  (u_awaddr),
      .m_axi_awlen   (u_awlen),
      .m_axi_awsize  (),                     // of the bus, INCR
      .m_axi_awburst (),                     // of the bus, INCR
      .m_axi_wvalid  (u_wvalid),
      .m_axi_wready  (u_wready),
      .m_axi_wdata   (u_wdata),
      .m_axi_wstrb   (u_wstrb),
      .m_axi_wlast   (u_wlast),
      .m_axi_bvalid  (u_bvalid),
      .m_axi_bready  (u_bready),
      .m_axi_bid     (u_bid),
      .m_axi_bresp   (m_bresp),
      .m_axi_arvalid (u_arvalid),
      .m_axi_arready (u_arready && !hold),
      .m_axi_arid    (u_arid),
      .m_axi_araddr  (u_araddr),
      .m_axi_arlen   (u_arlen),
      .m_axi_arsize  (),                     // of the bus, INCR
      .m_axi_arburst (),                     // of the bus, INCR
      .m_axi_rvalid  (u_rvalid),
      .m_axi_rready  (u_rready),
      .m_axi_rid     (u_rid),
      .m_axi_rdata   (m_rdata),
      .m_axi_rresp   (m_rresp),
      .m_axi_rlast   (m_rlast),
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
      .s_axi_awvalid (f_awvalid),
      .s_axi_awready (f_awready),
      .s_axi_awid    (f_awid),
      .s_axi_awaddr  (f_awaddr),
      .s_axi_awlen   (8'd7),
      .s_axi_awsize  (3'd3),
      .s_axi_awburst (2'b01),
      .s_axi_wvalid  (f_wvalid),
      .s_axi_wready  (f_wready),
      .s_axi_wdata   (f_wdata),
      .s_axi_wstrb   (f_wstrb),
      .s_axi_wlast   (f_wlast),
      .s_axi_bvalid  (f_bvalid),
      .s_axi_bready  (f_bready),
      .s_axi_bid     (f_bid),
      .s_axi_bresp   (f_bresp),
      .s_axi_arvalid (f_arvalid),
      .s_axi_arready (f_arready),
      .s_axi_arid    (f_arid),
      .s_axi_araddr  (f_araddr),
      .s_axi_arlen   (8'd7),
      .s_axi_arsize  (3'd3),
      .s_axi_arburst (2'b01),
      .s_axi_rvalid  (f_rvalid),
      .s_axi_rready  (f_rready),
      .s_axi_rid     (f_rid),
      .s_axi_rdata   (f_rdata),
      .s_axi_rresp   (f_rresp),
      .s_axi_rlast   (f_rlast)
  );

  // Rocket's port has two lines under way at most, one of each parity of the ID, after both caches were asked: three to five times as slow as RAM
  rs_soc_filter #(
      .Bytes(2 ** 25)
  ) u_filter (
      .clk_i,
      .rst_ni,
      .c_arvalid(u_arvalid),
      .c_arready(u_arready),
      .c_araddr (u_araddr),
      .hold_o   (hold),
      .c_awvalid(u_awvalid),
      .c_awready(u_awready),
      .c_awid   (u_awid),
      .c_awaddr (u_awaddr),
      .c_bvalid (u_bvalid),
      .c_bready (u_bready),
      .c_bid    (u_bid),
      .s_arvalid(c_arvalid && !faults_i[1]),
      .s_arready(c_arready),
      .s_arid   (c_arid),
      .s_araddr (c_araddr),
      .s_rvalid (c_rvalid),
      .s_rready (c_rready),
      .s_rid    (c_rid),
      .s_rdata  (c_rdata),
      .s_rresp  (c_rresp),
      .s_rlast  (c_rlast),
      .s_awvalid(c_awvalid && !faults_i[1]),
      .s_awready(c_awready),
      .s_awid   (c_awid),
      .s_awaddr (c_awaddr),
      .s_wvalid (c_wvalid && !faults_i[1]),
      .s_wready (c_wready),
      .s_wdata  (c_wdata),
      .s_wstrb  (c_wstrb),
      .s_wlast  (c_wlast),
      .s_bvalid (c_bvalid),
      .s_bready (c_bready),
      .s_bid    (c_bid),
      .s_bresp  (c_bresp),
      .p_arvalid(f_arvalid),
      .p_arready(f_arready),
      .p_arid   (f_arid),
      .p_araddr (f_araddr),
      .p_rvalid (f_rvalid),
      .p_rready (f_rready),
      .p_rid    (f_rid),
      .p_rdata  (f_rdata),
      .p_rresp  (f_rresp),
      .p_rlast  (f_rlast),
      .p_awvalid(f_awvalid),
      .p_awready(f_awready),
      .p_awid   (f_awid),
      .p_awaddr (f_awaddr),
      .p_wvalid (f_wvalid),
      .p_wready (f_wready),
      .p_wdata  (f_wdata),
      .p_wstrb  (f_wstrb),
      .p_wlast  (f_wlast),
      .p_bvalid (f_bvalid),
      .p_bready (f_bready),
      .p_bid    (f_bid),
      .p_bresp  (f_bresp),
      .d_arvalid(d_arvalid),
      .d_arready(d_arready),
      .d_arid   (d_arid),
      .d_araddr (d_araddr),
      .d_rvalid (d_rvalid),
      .d_rready (d_rready),
      .d_rid    ({4'd0, d_rid}),
      .d_rdata  (m_rdata),
      .d_rresp  (m_rresp),
      .d_rlast  (m_rlast),
      .d_awvalid(d_awvalid),
      .d_awready(d_awready),
      .d_awid   (d_awid),
      .d_awaddr (d_awaddr),
      .d_wvalid (d_wvalid),
      .d_wready (d_wready),
      .d_wdata  (d_wdata),
      .d_wstrb  (d_wstrb),
      .d_wlast  (d_wlast),
      .d_bvalid (d_bvalid),
      .d_bready (d_bready),
      .d_bid    ({4'd0, d_bid}),
      .d_bresp  (m_bresp)
  );

  rs_soc_ram u_ram (
      .clk_i,
      .rst_ni,
      .s_arvalid({d_arvalid, u_arvalid && !hold}),
      .s_arready({d_arready, u_arready}),
      .s_arid({d_arid[3:0], u_arid}),
      .s_araddr({d_araddr, u_araddr}),
      .s_arlen({8'd7, u_arlen}),
      .s_rvalid({d_rvalid, u_rvalid}),
      .s_rready({d_rready, u_rready}),
      .s_rid({d_rid, u_rid}),
      .s_rdata(m_rdata),
      .s_rresp(m_rresp),
      .s_rlast(m_rlast),
      .s_awvalid({d_awvalid, u_awvalid}),
      .s_awready({d_awready, u_awready}),
      .s_awid({d_awid[3:0], u_awid}),
      .s_awaddr({d_awaddr, u_awaddr}),
      .s_awlen({8'd7, u_awlen}),
      .s_wvalid({d_wvalid, u_wvalid}),
      .s_wready({d_wready, u_wready}),
      .s_wdata({d_wdata, u_wdata}),
      .s_wstrb({d_wstrb, u_wstrb}),
      .s_wlast({d_wlast, u_wlast}),
      .s_bvalid({d_bvalid, u_bvalid}),
      .s_bready({d_bready, u_bready}),
      .s_bid({d_bid, u_bid}),
      .s_bresp(m_bresp),
      .m_arvalid(m_axi_arvalid),
      .m_arready(m_axi_arready),
      .m_arid(m_axi_arid),
      .m_araddr(m_axi_araddr),
      .m_arlen(m_axi_arlen),
      .m_rvalid(m_axi_rvalid),
      .m_rready(m_axi_rready),
      .m_rid(m_axi_rid),
      .m_rdata(m_axi_rdata),
      .m_rresp(m_axi_rresp),
      .m_rlast(m_axi_rlast),
      .m_awvalid(m_axi_awvalid),
      .m_awready(m_axi_awready),
      .m_awid(m_axi_awid),
      .m_awaddr(m_axi_awaddr),
      .m_awlen(m_axi_awlen),
      .m_wvalid(m_axi_wvalid),
      .m_wready(m_axi_wready),
      .m_wdata(m_axi_wdata),
      .m_wstrb(m_axi_wstrb),
      .m_wlast(m_axi_wlast),
      .m_bvalid(m_axi_bvalid),
      .m_bready(m_axi_bready),
      .m_bid(m_axi_bid),
      .m_bresp(m_axi_bresp)
  );
  assign {m_axi_arsize, m_axi_arburst, m_axi_awsize, m_axi_awburst} = {3'd3, 2'b01, 3'd3, 2'b01};

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

  logic unused_bits;
  assign unused_bits = ^{d_arid[7:4], d_awid[7:4], c_arlen, c_awlen, c_arsize, c_awsize, c_arburst, c_awburst};
endmodule
