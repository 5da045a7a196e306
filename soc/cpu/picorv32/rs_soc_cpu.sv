// SPDX-License-Identifier: Apache-2.0
// rs_soc_cpu: the processor of the SoC: PicoRV32, RV32IM (pythondata-cpu-picorv32), in the place of Rocket.
// Model:   none; the firmware runs on it
// Params:  none
// Bounds:  begins at 0x1000_0000 of the register port, RAM from 0x8000_0000. irq_i is not used: the firmware polls. It sees no bus
//          errors. s_axi: IDs below 8
// Timing:  one access at a time, no cache: devices and processor see the same RAM
module rs_soc_cpu (
    input logic clk_i,
    input logic rst_ni,
    input logic irq_i,

    // RAM: AXI4, single beats of the processor, whole lines of devices
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

    // registers and boot ROM: AXI4-Lite
    output logic        m_axil_awvalid,
    input  logic        m_axil_awready,
    output logic [30:0] m_axil_awaddr,
    output logic        m_axil_wvalid,
    input  logic        m_axil_wready,
    output logic [31:0] m_axil_wdata,
    output logic [ 3:0] m_axil_wstrb,
    input  logic        m_axil_bvalid,
    output logic        m_axil_bready,
    input  logic [ 1:0] m_axil_bresp,
    output logic        m_axil_arvalid,
    input  logic        m_axil_arready,
    output logic [30:0] m_axil_araddr,
    input  logic        m_axil_rvalid,
    output logic        m_axil_rready,
    input  logic [31:0] m_axil_rdata,
    input  logic [ 1:0] m_axil_rresp,

    // devices to RAM: AXI4, whole lines, of which nothing is in a cache
    input  logic        s_axi_awvalid,
    output logic        s_axi_awready,
    input  logic [ 7:0] s_axi_awid,
    input  logic [31:0] s_axi_awaddr,
    input  logic [ 7:0] s_axi_awlen,
    input  logic [ 2:0] s_axi_awsize,
    input  logic [ 1:0] s_axi_awburst,
    input  logic        s_axi_wvalid,
    output logic        s_axi_wready,
    input  logic [63:0] s_axi_wdata,
    input  logic [ 7:0] s_axi_wstrb,
    input  logic        s_axi_wlast,
    output logic        s_axi_bvalid,
    input  logic        s_axi_bready,
    output logic [ 7:0] s_axi_bid,
    output logic [ 1:0] s_axi_bresp,
    input  logic        s_axi_arvalid,
    output logic        s_axi_arready,
    input  logic [ 7:0] s_axi_arid,
    input  logic [31:0] s_axi_araddr,
    input  logic [ 7:0] s_axi_arlen,
    input  logic [ 2:0] s_axi_arsize,
    input  logic [ 1:0] s_axi_arburst,
    output logic        s_axi_rvalid,
    input  logic        s_axi_rready,
    output logic [ 7:0] s_axi_rid,
    output logic [63:0] s_axi_rdata,
    output logic [ 1:0] s_axi_rresp,
    output logic        s_axi_rlast
);
  logic mem_valid, mem_ready, trap, is_ram, reads, asked_q;
  logic [31:0] mem_addr, mem_wdata, mem_rdata;
  logic [3:0] mem_wstrb;

  picorv32 #(
      .BARREL_SHIFTER (1),
      .ENABLE_FAST_MUL(1),
      .ENABLE_DIV     (1),
      .ENABLE_COUNTERS(1),
      .PROGADDR_RESET (32'h1000_0000)
  ) u_processor (
      .clk         (clk_i),
      .resetn      (rst_ni),
      .trap        (trap),
      .mem_valid   (mem_valid),
      .mem_instr   (),
      .mem_ready   (mem_ready),
      .mem_addr    (mem_addr),
      .mem_wdata   (mem_wdata),
      .mem_wstrb   (mem_wstrb),
      .mem_rdata   (mem_rdata),
      .mem_la_read (),
      .mem_la_write(),
      .mem_la_addr (),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid  (),
      .pcpi_insn   (),
      .pcpi_rs1    (),
      .pcpi_rs2    (),
      .pcpi_wr     (1'b0),
      .pcpi_rd     (32'd0),
      .pcpi_wait   (1'b0),
      .pcpi_ready  (1'b0),
      .irq         (32'd0),
      .eoi         (),
      .trace_valid (),
      .trace_data  ()
  );

  // ---- an access of the processor: addresses are taken once, then the answer is waited for ------------------------------------
  logic ar_held_q, ar_mine_q, ar_mine;  // what is offered stays
  logic w_held_q, w_mine_q, w_mine, aw_done_q;  // a burst has both channels until its last beat
  logic aw_said_q, w_said_q, ram_ar, ram_aw, ram_w, ram_r, ram_b;

  assign is_ram = mem_addr[31];
  assign reads = mem_wstrb == '0;
  assign ram_ar = mem_valid && is_ram && reads && !asked_q;
  assign ram_aw = mem_valid && is_ram && !reads && !aw_said_q;
  assign ram_w = mem_valid && is_ram && !reads && !w_said_q;
  assign m_axil_arvalid = mem_valid && !is_ram && reads && !asked_q;
  assign m_axil_awvalid = mem_valid && !is_ram && !reads && !aw_said_q;
  assign m_axil_wvalid = mem_valid && !is_ram && !reads && !w_said_q;
  assign {m_axil_araddr, m_axil_awaddr} = {2{mem_addr[30:0]}};
  assign {m_axil_wdata, m_axil_wstrb} = {mem_wdata, mem_wstrb};
  assign {m_axil_rready, m_axil_bready} = 2'b11;
  assign mem_ready = m_axil_rvalid || m_axil_bvalid || ram_r || ram_b;
  assign mem_rdata = !is_ram ? m_axil_rdata : mem_addr[2] ? m_axi_rdata[63:32] : m_axi_rdata[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || mem_ready) begin
      asked_q   <= 1'b0;
      aw_said_q <= 1'b0;
      w_said_q  <= 1'b0;
    end else begin
      if ((ram_ar && ar_mine && m_axi_arready) || (m_axil_arvalid && m_axil_arready)) asked_q <= 1'b1;
      if ((ram_aw && w_mine && m_axi_awvalid && m_axi_awready) || (m_axil_awvalid && m_axil_awready)) aw_said_q <= 1'b1;
      if ((ram_w && w_mine && m_axi_wvalid && m_axi_wready) || (m_axil_wvalid && m_axil_wready)) w_said_q <= 1'b1;
    end
  end

  // ---- RAM: the processor's accesses have ID 8, those of devices 0 to 7 ------------------------------------------------------
  localparam logic [3:0] Mine = 4'd8;

  assign ar_mine = ar_held_q ? ar_mine_q : ram_ar;
  assign m_axi_arvalid = ar_mine ? ram_ar : s_axi_arvalid;
  assign m_axi_arid = ar_mine ? Mine : {1'b0, s_axi_arid[2:0]};
  assign m_axi_araddr = ar_mine ? {mem_addr[31:3], 3'd0} : s_axi_araddr;
  assign m_axi_arlen = ar_mine ? '0 : s_axi_arlen;
  assign {m_axi_arsize, m_axi_arburst} = {3'd3, 2'b01};
  assign s_axi_arready = m_axi_arready && !ar_mine;
  assign m_axi_rready = 1'b1;
  assign ram_r = m_axi_rvalid && m_axi_rid == Mine;
  assign s_axi_rvalid = m_axi_rvalid && m_axi_rid != Mine;
  assign s_axi_rid = {5'd0, m_axi_rid[2:0]};
  assign {s_axi_rdata, s_axi_rresp, s_axi_rlast} = {m_axi_rdata, m_axi_rresp, m_axi_rlast};

  assign w_mine = w_held_q ? w_mine_q : ram_aw;
  assign m_axi_awvalid = !aw_done_q && (w_mine ? ram_aw : s_axi_awvalid);
  assign m_axi_awid = w_mine ? Mine : {1'b0, s_axi_awid[2:0]};
  assign m_axi_awaddr = w_mine ? {mem_addr[31:3], 3'd0} : s_axi_awaddr;
  assign m_axi_awlen = w_mine ? '0 : s_axi_awlen;
  assign {m_axi_awsize, m_axi_awburst} = {3'd3, 2'b01};
  assign s_axi_awready = m_axi_awready && !w_mine && !aw_done_q;
  assign m_axi_wvalid = aw_done_q && (w_mine ? ram_w : s_axi_wvalid);
  assign m_axi_wdata = w_mine ? {2{mem_wdata}} : s_axi_wdata;
  assign m_axi_wstrb = !w_mine ? s_axi_wstrb : mem_addr[2] ? {mem_wstrb, 4'd0} : {4'd0, mem_wstrb};
  assign m_axi_wlast = w_mine || s_axi_wlast;
  assign s_axi_wready = m_axi_wready && !w_mine && aw_done_q;
  assign m_axi_bready = 1'b1;
  assign ram_b = m_axi_bvalid && m_axi_bid == Mine;
  assign s_axi_bvalid = m_axi_bvalid && m_axi_bid != Mine;
  assign s_axi_bid = {5'd0, m_axi_bid[2:0]};
  assign s_axi_bresp = m_axi_bresp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      aw_done_q <= 1'b0;
    end else begin
      ar_held_q <= m_axi_arvalid && !m_axi_arready;
      if (m_axi_wvalid && m_axi_wready && m_axi_wlast) begin
        w_held_q  <= 1'b0;
        aw_done_q <= 1'b0;
      end else begin
        w_held_q  <= w_held_q || m_axi_awvalid;
        aw_done_q <= aw_done_q || (m_axi_awvalid && m_axi_awready);
      end
    end
    ar_mine_q <= ar_mine;
    w_mine_q  <= w_mine;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && trap) $fatal(1, "%m: the processor stopped at a trap");
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{irq_i, m_axil_bresp, m_axil_rresp, s_axi_arsize, s_axi_arburst, s_axi_awsize, s_axi_awburst} ^
      ^{s_axi_arid[7:3], s_axi_awid[7:3], s_axi_rready, s_axi_bready, mem_addr[1:0], m_axi_bresp};
endmodule
