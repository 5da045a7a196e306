// SPDX-License-Identifier: Apache-2.0
// rs_regs_axi: the core's registers behind AXI4-Lite: rs_regs, and what writing them does.
// Model:   hw/core/regs.rdl, docs/registers.md
// Params:  what the configuration registers say
// Bounds:  AXI4-Lite with 32-bit words; an address without a register answers SLVERR
// Timing:  two writes or reads in flight; a command's pulse follows its write by one cycle
module rs_regs_axi
  import rs_isa_pkg::*;
#(
    parameter  int unsigned        Lanes        = 1,
    parameter  int unsigned        W            = 32,
    parameter  rs_pkg::reduction_e Reduction    = rs_pkg::RS_WLM,
    parameter  int unsigned        LogNMin      = 10,
    parameter  int unsigned        LogNMax      = 13,
    parameter  int unsigned        Groups       = 4,
    parameter  int unsigned        Contexts     = 2,
    parameter  int unsigned        Slots        = 2,
    parameter  int unsigned        BusBits      = 64,
    parameter  bit                 HasExpand    = 1'b1,
    parameter  bit                 OnTheFly     = 1'b0,
    parameter  int unsigned        ProgramDepth = 512,
    parameter  int unsigned        KeccakCores  = 1,
    localparam int unsigned        AddrBits     = 12
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                s_axil_awvalid,
    output logic                s_axil_awready,
    input  logic [AddrBits-1:0] s_axil_awaddr,
    input  logic [         2:0] s_axil_awprot,
    input  logic                s_axil_wvalid,
    output logic                s_axil_wready,
    input  logic [        31:0] s_axil_wdata,
    input  logic [         3:0] s_axil_wstrb,
    output logic                s_axil_bvalid,
    input  logic                s_axil_bready,
    output logic [         1:0] s_axil_bresp,
    input  logic                s_axil_arvalid,
    output logic                s_axil_arready,
    input  logic [AddrBits-1:0] s_axil_araddr,
    input  logic [         2:0] s_axil_arprot,
    output logic                s_axil_rvalid,
    input  logic                s_axil_rready,
    output logic [        31:0] s_axil_rdata,
    output logic [         1:0] s_axil_rresp,

    // rs_sequencer
    output logic                   start_o,
    output logic                   abort_o,
    output logic [      4:0]       log_n_o,
    output logic [     31:0]       watchdog_o,
    output logic [      7:0][63:0] pointer_o,
    output logic                   prog_we_o,
    output logic [     15:0]       prog_addr_o,
    output logic [     63:0]       prog_data_o,
    input  logic                   busy_i,
    input  logic                   done_i,        // pulse, with cause and pc
    input  logic [      3:0]       cause_i,
    input  logic [     15:0]       pc_i,
    input  logic [     31:0]       cycles_i,
    input  logic [Units-1:0][31:0] unit_cycles_i,

    // the rest of the core
    output logic [511:0] seed_sec_o,     // byte i is [8 * i +: 8]; stable while busy_i
    output logic [511:0] public_seed_o,
    output logic         zeroize_o,      // pulse: wipe everything, as long as zeroizing_i says
    input  logic         zeroizing_i,
    output logic         irq_o
);

  rs_regs_pkg::rs_regs__in_t  hwif_in;
  rs_regs_pkg::rs_regs__out_t hwif_out;
  logic calm, start, zeroize, clear, late, written_q, done_q, irq_q, error_q;
  logic [15:0] prog_addr_q;

  rs_regs u_regs (
      .clk  (clk_i),
      .rst_n(rst_ni),
      .s_axil_awready,
      .s_axil_awvalid,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wready,
      .s_axil_wvalid,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bready,
      .s_axil_bvalid,
      .s_axil_bresp,
      .s_axil_arready,
      .s_axil_arvalid,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rready,
      .s_axil_rvalid,
      .s_axil_rdata,
      .s_axil_rresp,
      .hwif_in,
      .hwif_out
  );

  assign hwif_in.LANES.value.next = 32'(Lanes);
  assign hwif_in.WORD_BITS.value.next = 32'(W);
  assign hwif_in.REDUCTION.value.next = 32'(Reduction);
  assign hwif_in.LOG_N_MIN.value.next = 32'(LogNMin);
  assign hwif_in.LOG_N_MAX.value.next = 32'(LogNMax);
  assign hwif_in.GROUPS.value.next = 32'(Groups);
  assign hwif_in.CONTEXTS.value.next = 32'(Contexts);
  assign hwif_in.SLOTS.value.next = 32'(Slots);
  assign hwif_in.BUS_BITS.value.next = 32'(BusBits);
  assign hwif_in.FEATURES.sampler.next = Slots != 0;
  assign hwif_in.FEATURES.expand.next = HasExpand;
  assign hwif_in.FEATURES.on_the_fly.next = OnTheFly;
  assign hwif_in.PROGRAM_DEPTH.value.next = 32'(ProgramDepth);
  assign hwif_in.KECCAK_CORES.value.next = 32'(KeccakCores);

  // ---- commands ----
  assign calm = !busy_i && !zeroizing_i && !zeroize;
  assign start = hwif_out.CONTROL.start.value;
  assign zeroize = hwif_out.CONTROL.zeroize.value;
  assign clear = hwif_out.CONTROL.clear_irq.value;
  assign start_o = start && calm;
  assign abort_o = hwif_out.CONTROL.abort.value || zeroize;
  assign zeroize_o = zeroize;
  assign hwif_in.idle = !busy_i && !start;
  assign hwif_in.calm = calm && !start;
  assign late = (start && !calm) || (written_q && busy_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q  <= 1'b0;
      irq_q   <= 1'b0;
      error_q <= 1'b0;
    end else begin
      done_q  <= done_i || (done_q && !start_o);
      irq_q   <= done_i || (irq_q && !clear);
      error_q <= late || (error_q && !clear);
    end
  end
  assign irq_o = irq_q && hwif_out.CONTROL.irq_enable.value;

  assign hwif_in.STATUS.busy.next = busy_i;
  assign hwif_in.STATUS.done.next = done_q;
  assign hwif_in.STATUS.zeroizing.next = zeroizing_i;
  assign hwif_in.STATUS.irq.next = irq_q;
  assign hwif_in.STATUS.error.next = error_q;
  assign hwif_in.STATUS.cause.next = cause_i;
  assign hwif_in.STATUS.pc.next = pc_i;
  assign hwif_in.CYCLES.value.next = cycles_i;
  for (genvar u = 0; u < Units; u++) begin : gen_busy
    assign hwif_in.BUSY[u].value.next = unit_cycles_i[u];
  end

  // ---- program ----
  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= 1'b0;
    else written_q <= hwif_out.PROGRAM_HI.value.swmod;
    prog_addr_q <= hwif_out.PROGRAM_INDEX.value.value;
  end
  assign hwif_in.PROGRAM_INDEX.value.incr = hwif_out.PROGRAM_HI.value.swmod;
  assign prog_we_o = written_q && !busy_i;
  assign prog_addr_o = prog_addr_q;
  assign prog_data_o = {hwif_out.PROGRAM_HI.value.value, hwif_out.PROGRAM_LO.value.value};

  // ---- operands ----
  assign log_n_o = hwif_out.LOG_N.value.value;
  assign watchdog_o = hwif_out.WATCHDOG.value.value;
  for (genvar i = 0; i < 16; i++) begin : gen_words
    assign pointer_o[i/2][32*(i%2)+:32] = hwif_out.POINTER[i].value.value;
    assign seed_sec_o[32*i+:32] = hwif_out.SEED[i].value_sec.value;
    assign public_seed_o[32*i+:32] = hwif_out.PUBLIC_SEED[i].value.value;
    assign hwif_in.SEED[i].value_sec.hwclr = zeroize;
  end

endmodule
