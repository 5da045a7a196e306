// SPDX-License-Identifier: Apache-2.0
// rs_core_shell: rs_core with four pins, for place and route where there is no system around it.
//          A shift register drives every input; every output is xored into a second one, so nothing can be optimised away.
//          The trace, which is for simulation, is left open: what only it needs is removed, as in a real system.
// Params:  those of rs_core
// Bounds:  adds a flip-flop per input, a flip-flop and a LUT per output, two flip-flops for the reset; no path from the core to
//          the shell is longer than that LUT
module rs_core_shell #(
    // Made from py/ringside/designs/design.py by scripts/generate.py: do not edit.
    // verilog_format: off
  parameter int unsigned Lanes = 1, parameter int unsigned W = 32, parameter int unsigned LogNMin = 10,
      parameter int unsigned LogNMax = 10, parameter int unsigned Groups = 2, parameter int unsigned Contexts = 2,
      parameter bit OnTheFly = 1'b0, parameter bit StreamFactor = 1'b0, parameter bit Encode = 1'b0,
      parameter int unsigned FixedWords = 0, parameter int unsigned Slices = 1, parameter int unsigned Slots = 1,
      parameter int unsigned SampleLanes = 1, parameter int unsigned KeccakCores = 1,
      parameter int unsigned TernaryBytes = 1, parameter int unsigned KeccakSlices = 64, parameter bit Expand = 1'b1,
      parameter int unsigned ExpandWords = 1, parameter int unsigned ExpandSteps = 0, parameter bit KeccakShared = 1'b0,
      parameter int unsigned BusBits = 64, parameter int unsigned Outstanding = 8, parameter int unsigned BurstLines = 1,
      parameter bit Short = 1'b0, parameter int unsigned SlotWords = 1, parameter int unsigned Reducers = 0,
      parameter int unsigned ProgramDepth = 512, parameter bit Ring = 1'b0, parameter int unsigned StreamLanes = 0,
      parameter int unsigned AxiPorts = 1, parameter bit Fields = 1'b0, parameter int unsigned FieldRounds = 1,
      parameter int unsigned FieldWords = 1, parameter bit Sealed = 1'b0, parameter int unsigned DrainCycles = 3072,
      parameter bit SecureWrites = 1'b0, parameter bit ScanWipe = 1'b0, parameter int unsigned AxiProt = 0,
      parameter int unsigned AxiCache = 3, parameter int unsigned AxiQos = 0, parameter int unsigned AxiUser = 0
  // verilog_format: on
    // ---- end of what is made
) (
    input  logic clk_i,
    input  logic rst_ni,
    input  logic serial_i,
    output logic serial_o
);

  // ports of rs_core, by their names
  logic s_axil_awvalid, s_axil_awready, s_axil_wvalid, s_axil_wready, s_axil_bvalid, s_axil_bready;
  logic s_axil_arvalid, s_axil_arready, s_axil_rvalid, s_axil_rready, irq_o;
  logic [11:0] s_axil_awaddr, s_axil_araddr;
  logic [31:0] s_axil_wdata, s_axil_rdata;
  logic [3:0] s_axil_wstrb;
  logic [2:0] s_axil_awprot, s_axil_arprot;
  logic [1:0] alert_o, s_axil_bresp, s_axil_rresp;
  logic [AxiPorts-1:0] m_axi_arvalid, m_axi_arready, m_axi_rvalid, m_axi_rready, m_axi_rlast, m_axi_awvalid, m_axi_awready;
  logic [AxiPorts-1:0] m_axi_wvalid, m_axi_wready, m_axi_wlast, m_axi_bvalid, m_axi_bready;
  logic [AxiPorts-1:0][3:0] m_axi_arid, m_axi_rid, m_axi_awid, m_axi_bid;
  logic [AxiPorts-1:0][2:0] m_axi_arsize, m_axi_awsize;
  logic [AxiPorts-1:0][1:0] m_axi_arburst, m_axi_awburst, m_axi_rresp, m_axi_bresp;
  logic [AxiPorts-1:0][63:0] m_axi_araddr, m_axi_awaddr;
  logic [AxiPorts-1:0][7:0] m_axi_arlen, m_axi_awlen;
  logic [AxiPorts-1:0][BusBits-1:0] m_axi_rdata, m_axi_wdata;
  logic [AxiPorts-1:0][BusBits/8-1:0] m_axi_wstrb;

  // registers: 12 + 12 + 3 + 3 + 32 + 4 bits and five of handshakes; a port to memory: two IDs, two answers, last and five
  localparam int unsigned InBits = 71 + AxiPorts * (BusBits + 18);
  // registers: 2 + 2 + 32 bits and five; a port to memory: two bursts of 4 + 64 + 8 + 3 + 2 bits, last and five; three more
  localparam int unsigned OutBits = 41 + AxiPorts * (162 + BusBits + BusBits / 8 + 6) + 3;
  logic [InBits-1:0] in_q;
  logic [OutBits-1:0] out, out_q;
  logic [1:0] rst_nq;

  assign {s_axil_awvalid, s_axil_awaddr, s_axil_awprot, s_axil_wvalid, s_axil_wdata, s_axil_wstrb, s_axil_bready,
          s_axil_arvalid, s_axil_araddr, s_axil_arprot, s_axil_rready, m_axi_arready, m_axi_rvalid, m_axi_rid, m_axi_rdata,
          m_axi_rresp, m_axi_rlast, m_axi_awready, m_axi_wready, m_axi_bvalid, m_axi_bid, m_axi_bresp} = in_q;
  assign out = {
    {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_bresp, s_axil_arready, s_axil_rvalid, s_axil_rdata, s_axil_rresp},
    {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_arsize, m_axi_arburst, m_axi_rready},
    {m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_awsize, m_axi_awburst},
    {m_axi_wvalid, m_axi_wdata, m_axi_wstrb, m_axi_wlast, m_axi_bready, irq_o, alert_o}
  };

  always_ff @(posedge clk_i) begin
    rst_nq <= {rst_nq[0], rst_ni};
    in_q   <= {in_q[InBits-2:0], serial_i};
    out_q  <= {out_q[OutBits-2:0], 1'b0} ^ out;
  end
  assign serial_o = out_q[OutBits-1];

  rs_core #(
      // Made from py/ringside/designs/design.py by scripts/generate.py: do not edit.
      // verilog_format: off
  .Lanes(Lanes), .W(W), .LogNMin(LogNMin), .LogNMax(LogNMax), .Groups(Groups), .Contexts(Contexts), .OnTheFly(OnTheFly),
      .StreamFactor(StreamFactor), .Encode(Encode), .FixedWords(FixedWords), .Slices(Slices), .Slots(Slots),
      .SampleLanes(SampleLanes), .KeccakCores(KeccakCores), .TernaryBytes(TernaryBytes), .KeccakSlices(KeccakSlices),
      .Expand(Expand), .ExpandWords(ExpandWords), .ExpandSteps(ExpandSteps), .KeccakShared(KeccakShared), .BusBits(BusBits),
      .Outstanding(Outstanding), .BurstLines(BurstLines), .Short(Short), .SlotWords(SlotWords), .Reducers(Reducers),
      .ProgramDepth(ProgramDepth), .Ring(Ring), .StreamLanes(StreamLanes), .AxiPorts(AxiPorts), .Fields(Fields),
      .FieldRounds(FieldRounds), .FieldWords(FieldWords), .Sealed(Sealed), .DrainCycles(DrainCycles),
      .SecureWrites(SecureWrites), .ScanWipe(ScanWipe), .AxiProt(AxiProt), .AxiCache(AxiCache), .AxiQos(AxiQos),
      .AxiUser(AxiUser)
  // verilog_format: on
      // ---- end of what is made
  ) u_core (
      .rst_ni        (rst_nq[1]),
      .m_axi_arprot  (),
      .m_axi_arcache (),
      .m_axi_arqos   (),
      .m_axi_aruser  (),
      .m_axi_awprot  (),
      .m_axi_awcache (),
      .m_axi_awqos   (),
      .m_axi_awuser  (),
      .trace_busy_o  (),
      .trace_pc_o    (),
      .trace_active_o(),
      .scan_mode_i   (1'b0),
      .scan_ready_o  (),
      .*
  );

endmodule
