// SPDX-License-Identifier: Apache-2.0
// rs_core_shell: rs_core with four pins, for place and route where there is no system around it.
//          A shift register drives every input; every output is xored into a second one, so nothing can be optimised away.
//          The trace, which is for simulation, is left open: what only it needs is removed, as in a real system.
// Params:  those of rs_core
// Bounds:  adds a flip-flop per input, a flip-flop and a LUT per output, two flip-flops for the reset; no path from the core to
//          the shell is longer than that LUT
module rs_core_shell #(
    parameter int unsigned        W            = 32,
    parameter rs_pkg::reduction_e Reduction    = rs_pkg::RS_WLM,
    parameter int unsigned        LogNMax      = 10,
    parameter int unsigned        Lanes        = 1,
    parameter int unsigned        Groups       = 2,
    parameter int unsigned        Contexts     = 2,
    parameter bit                 OnTheFly     = 1'b0,
    parameter bit                 StreamFactor = 1'b0,
    parameter bit                 Encode       = 1'b0,
    parameter int unsigned        Slots        = 1,
    parameter int unsigned        SampleLanes  = 1,
    parameter int unsigned        KeccakCores  = 1,
    parameter int unsigned        SampleRounds = 1,
    parameter int unsigned        TernaryBytes = 1,
    parameter bit                 Expand       = 1'b1,
    parameter int unsigned        ExpandRounds = 1,
    parameter int unsigned        ExpandWords  = 1,
    parameter int unsigned        ExpandSteps  = 0,
    parameter bit                 KeccakShared = 1'b0,
    parameter int unsigned        KeccakSlices = 64,
    parameter int unsigned        BusBits      = 64,
    parameter int unsigned        Outstanding  = 8,
    parameter int unsigned        Reducers     = 0,
    parameter int unsigned        ProgramDepth = 512
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic serial_i,
    output logic serial_o
);

  // ports of rs_core, in its order
  typedef struct packed {
    logic               awvalid;
    logic [11:0]        awaddr;
    logic [2:0]         awprot;
    logic               wvalid;
    logic [31:0]        wdata;
    logic [3:0]         wstrb;
    logic               bready;
    logic               arvalid;
    logic [11:0]        araddr;
    logic [2:0]         arprot;
    logic               rready;
    logic               m_arready;
    logic               m_rvalid;
    logic [3:0]         m_rid;
    logic [BusBits-1:0] m_rdata;
    logic [1:0]         m_rresp;
    logic               m_rlast;
    logic               m_awready;
    logic               m_wready;
    logic               m_bvalid;
    logic [3:0]         m_bid;
    logic [1:0]         m_bresp;
  } in_t;

  typedef struct packed {
    logic                 awready;
    logic                 wready;
    logic                 bvalid;
    logic [1:0]           bresp;
    logic                 arready;
    logic                 rvalid;
    logic [31:0]          rdata;
    logic [1:0]           rresp;
    logic                 m_arvalid;
    logic [3:0]           m_arid;
    logic [63:0]          m_araddr;
    logic [7:0]           m_arlen;
    logic [2:0]           m_arsize;
    logic [1:0]           m_arburst;
    logic                 m_rready;
    logic                 m_awvalid;
    logic [3:0]           m_awid;
    logic [63:0]          m_awaddr;
    logic [7:0]           m_awlen;
    logic [2:0]           m_awsize;
    logic [1:0]           m_awburst;
    logic                 m_wvalid;
    logic [BusBits-1:0]   m_wdata;
    logic [BusBits/8-1:0] m_wstrb;
    logic                 m_wlast;
    logic                 m_bready;
    logic                 irq;
  } out_t;

  in_t in_q;
  out_t out, out_q;
  logic [1:0] rst_nq;

  always_ff @(posedge clk_i) begin
    rst_nq <= {rst_nq[0], rst_ni};
    in_q   <= {in_q[$bits(in_t)-2:0], serial_i};
    out_q  <= {out_q[$bits(out_t)-2:0], 1'b0} ^ out;
  end
  assign serial_o = out_q[$bits(out_t)-1];

  rs_core #(
      .W           (W),
      .Reduction   (Reduction),
      .LogNMax     (LogNMax),
      .Lanes       (Lanes),
      .Groups      (Groups),
      .Contexts    (Contexts),
      .OnTheFly    (OnTheFly),
      .StreamFactor(StreamFactor),
      .Encode      (Encode),
      .Slots       (Slots),
      .SampleLanes (SampleLanes),
      .KeccakCores (KeccakCores),
      .SampleRounds(SampleRounds),
      .TernaryBytes(TernaryBytes),
      .Expand      (Expand),
      .ExpandRounds(ExpandRounds),
      .ExpandSteps (ExpandSteps),
      .ExpandWords (ExpandWords),
      .KeccakShared(KeccakShared),
      .KeccakSlices(KeccakSlices),
      .BusBits     (BusBits),
      .Outstanding (Outstanding),
      .Reducers    (Reducers),
      .ProgramDepth(ProgramDepth)
  ) u_core (
      .clk_i,
      .rst_ni        (rst_nq[1]),
      .s_axil_awvalid(in_q.awvalid),
      .s_axil_awready(out.awready),
      .s_axil_awaddr (in_q.awaddr),
      .s_axil_awprot (in_q.awprot),
      .s_axil_wvalid (in_q.wvalid),
      .s_axil_wready (out.wready),
      .s_axil_wdata  (in_q.wdata),
      .s_axil_wstrb  (in_q.wstrb),
      .s_axil_bvalid (out.bvalid),
      .s_axil_bready (in_q.bready),
      .s_axil_bresp  (out.bresp),
      .s_axil_arvalid(in_q.arvalid),
      .s_axil_arready(out.arready),
      .s_axil_araddr (in_q.araddr),
      .s_axil_arprot (in_q.arprot),
      .s_axil_rvalid (out.rvalid),
      .s_axil_rready (in_q.rready),
      .s_axil_rdata  (out.rdata),
      .s_axil_rresp  (out.rresp),
      .m_axi_arvalid (out.m_arvalid),
      .m_axi_arready (in_q.m_arready),
      .m_axi_arid    (out.m_arid),
      .m_axi_araddr  (out.m_araddr),
      .m_axi_arlen   (out.m_arlen),
      .m_axi_arsize  (out.m_arsize),
      .m_axi_arburst (out.m_arburst),
      .m_axi_arprot  (),
      .m_axi_arcache (),
      .m_axi_arqos   (),
      .m_axi_aruser  (),
      .m_axi_rvalid  (in_q.m_rvalid),
      .m_axi_rready  (out.m_rready),
      .m_axi_rid     (in_q.m_rid),
      .m_axi_rdata   (in_q.m_rdata),
      .m_axi_rresp   (in_q.m_rresp),
      .m_axi_rlast   (in_q.m_rlast),
      .m_axi_awvalid (out.m_awvalid),
      .m_axi_awready (in_q.m_awready),
      .m_axi_awid    (out.m_awid),
      .m_axi_awaddr  (out.m_awaddr),
      .m_axi_awlen   (out.m_awlen),
      .m_axi_awsize  (out.m_awsize),
      .m_axi_awburst (out.m_awburst),
      .m_axi_awprot  (),
      .m_axi_awcache (),
      .m_axi_awqos   (),
      .m_axi_awuser  (),
      .m_axi_wvalid  (out.m_wvalid),
      .m_axi_wready  (in_q.m_wready),
      .m_axi_wdata   (out.m_wdata),
      .m_axi_wstrb   (out.m_wstrb),
      .m_axi_wlast   (out.m_wlast),
      .m_axi_bvalid  (in_q.m_bvalid),
      .m_axi_bready  (out.m_bready),
      .m_axi_bid     (in_q.m_bid),
      .m_axi_bresp   (in_q.m_bresp),
      .irq_o         (out.irq),
      .trace_busy_o  (),
      .trace_pc_o    (),
      .trace_active_o()
  );

endmodule
