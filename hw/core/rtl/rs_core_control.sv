// SPDX-License-Identifier: Apache-2.0
// rs_core_control: registers, ring of descriptors, sequencer and wipe of rs_core; a copy of LOG_N for each unit.
// Model:   lib/tests/model_core.c
// Params:  C: rs_core
// Bounds:  result_i is that of all units
// Timing:  of its parts
module rs_core_control
  import rs_isa_pkg::*;
#(
    parameter rs_core_pkg::config_t C = rs_core_pkg::Smallest,
    localparam int unsigned SeedBits = 8 * C.KeccakSlices,
    localparam int unsigned StepBits = rs_core_pkg::step_bits(C),
    localparam int unsigned WipeBits = rs_core_pkg::wipe_bits(C)
) (
    input logic clk_i,
    input logic rst_ni,

    input  rs_axi_pkg::lite_req_t axil_i,  // to the registers
    output rs_axi_pkg::lite_rsp_t axil_o,

    // descriptors, with Ring
    input logic units_rst_ni,
    output logic ring_reading_o,
    output rs_axi_pkg::read_req_t ring_read_o,
    input rs_axi_pkg::read_rsp_t ring_read_i,
    input logic [C.BusBits-1:0] ring_rdata_i,

    // units
    output rs_core_pkg::command_t command_o,
    input rs_core_pkg::result_t result_i,
    output rs_core_pkg::log_n_t log_n_o,
    input logic load_room_i,
    input logic give_up_i,
    input logic pipe_idle_i,
    output logic bus_reset_o,
    input logic bus_hung_i,
    output logic wipe_o,
    output logic rinse_o,
    output logic [WipeBits-1:0] wipe_row_o,
    input logic pipe_wiping_i,
    output rs_core_pkg::word_t written_o,
    // seeds
    input logic seed_public_i,
    input logic [StepBits-1:0] seed_step_i,
    output logic [SeedBits-1:0] private_row_sec_o,
    output logic [SeedBits-1:0] public_row_o,

    output logic [Units-1:0] unit_busy_o,
    output logic [Units-1:0][15:0] unit_pc_o,
    input logic fields_alert_i,
    output logic [1:0] alert_o,  // docs/core.md, Alerts: until reset
    input logic scan_mode_i,
    output logic scan_ready_o,
    output logic irq_o
);
  // both streams have cores of their own, or share them: one seed at a time
  localparam bit BothSeeds = C.KeccakSlices == 64 && C.Slots > 0 && C.Expand && !C.KeccakShared;
  localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits;

  logic seq_start, seq_abort, zeroize, memory_wiping;
  logic [LogNBits-1:0] log_n;
  logic [31:0] watchdog;
  rs_axi_pkg::lite_req_t regs_req;
  rs_axi_pkg::lite_rsp_t regs_rsp;
  logic regs_irq;
  logic [15:0] first;
  logic [4:0] pointer_index;
  logic [FrameBits-1:0] new_frame;
  logic [63:0] pointer;
  logic program_we, new_seed, no_encrypt, no_decrypt;
  logic [15:0] program_addr;
  logic [63:0] program_data;
  logic seq_busy, seq_done;
  logic [3:0] seq_cause;
  logic [15:0] seq_pc;
  logic [31:0] seq_cycles;
  logic [Units-1:0][31:0] unit_cycles;

  // ---- alerts: of a sealed core all are fatal. Either ends the program; a fatal one wipes everything, and nothing starts again ----
  logic seq_alert, alert, fatal, wiping, scan_mode, scan_wipe;
  assign alert = seq_alert || fields_alert_i;
  assign fatal = alert_o[1];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) alert_o <= '0;
    else alert_o <= alert_o | {alert && C.Sealed, alert && !C.Sealed};
  end
  assign wiping = memory_wiping || pipe_wiping_i || fatal || scan_mode;

  // ---- scan: CONTROL.zeroize from outside; until scan_mode_i falls nothing starts and nothing is written ----
  if (C.ScanWipe) begin : gen_scan
    localparam int unsigned Ahead = 8;  // cycles in which nothing starts any more before the command
    logic [1:0] sync_q;  // scan_mode_i may come with another clock
    logic [Ahead-1:0] mode_q;
    always_ff @(posedge clk_i) begin
      sync_q       <= rst_ni ? {sync_q[0], scan_mode_i} : '0;
      mode_q       <= rst_ni && scan_mode ? {mode_q[Ahead-2:0], 1'b1} : '0;
      scan_ready_o <= rst_ni && scan_mode && mode_q == '1 && !memory_wiping && !pipe_wiping_i && !seq_busy;
    end
    assign scan_mode = sync_q[1];
    assign scan_wipe = mode_q[Ahead-2] && !mode_q[Ahead-1];
  end else begin : gen_no_scan
    logic unused_scan;
    assign unused_scan = scan_mode_i;
    assign {scan_mode, scan_wipe, scan_ready_o} = '0;
  end

  rs_regs_axi #(
      .Lanes       (C.Lanes),
      .W           (C.W),
      .LogNMin     (C.LogNMin),
      .LogNMax     (C.LogNMax),
      .Groups      (C.Groups),
      .Contexts    (C.Contexts),
      .Slots       (C.Slots),
      .BusBits     (C.BusBits),
      .HasExpand   (C.Expand),
      .HasReduce   (C.Reducers != 0),
      .HasFactor   (C.StreamFactor),
      .HasEncode   (C.Encode),
      .Slices      (C.Slices),
      .StreamLanes (C.StreamLanes),
      .HasFields   (C.Fields),
      .Sealed      (C.Sealed),
      .HasShort    (C.Short),
      .HasRing     (C.Ring),
      .OnTheFly    (C.OnTheFly),
      .ProgramDepth(C.ProgramDepth),
      .KeccakCores (C.KeccakCores),
      .SeedSlices  (C.KeccakSlices),
      .BothSeeds   (BothSeeds),
      .SecureWrites(C.SecureWrites)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .axil_i         (regs_req),
      .axil_o         (regs_rsp),
      .start_o        (seq_start),
      .abort_o        (seq_abort),
      .log_n_o        (log_n),
      .watchdog_o     (watchdog),
      .pointer_index_i(pointer_index),
      .pointer_o      (pointer),
      .no_encrypt_o   (no_encrypt),
      .no_decrypt_o   (no_decrypt),
      .prog_we_o      (program_we),
      .prog_addr_o    (program_addr),
      .prog_data_o    (program_data),
      .busy_i         (seq_busy),
      .done_i         (seq_done),
      .cause_i        (seq_cause),
      .pc_i           (seq_pc),
      .cycles_i       (seq_cycles),
      .unit_cycles_i  (unit_cycles),
      .seed_public_i,
      .seed_step_i,
      .private_frame_i(command_o.instr[UNIT_SAMPLE][FrameLsb+:FrameBits]),
      .public_frame_i (command_o.instr[UNIT_EXPAND][FrameLsb+:FrameBits]),
      .private_row_sec_o,
      .public_row_o,
      .new_seed_o     (new_seed),
      .new_frame_o    (new_frame),
      .zeroize_o      (zeroize),
      .zeroizing_i    (wiping),
      .lock_i         (scan_mode),
      .bus_reset_o,
      .bus_hung_i,
      .alert_i        (alert_o),
      .irq_o          (regs_irq)
  );

  // ---- descriptors: between the port and the registers ----
  if (C.Ring) begin : gen_ring
    logic calm_q, enabled, ring_irq;
    always_ff @(posedge clk_i)
      calm_q <= rst_ni && !seq_busy && !seq_start && !memory_wiping && !fatal && !scan_mode && !zeroize && !bus_hung_i;
    rs_ring #(
        .BusBits(C.BusBits)
    ) u_ring (
        .clk_i,
        .rst_ni,
        .s_axil_i (axil_i),
        .s_axil_o (axil_o),
        .m_axil_o (regs_req),
        .m_axil_i (regs_rsp),
        .calm_i   (calm_q),
        .stop_i   (zeroize || scan_wipe || (bus_reset_o && bus_hung_i)),
        .start_i  (seq_start),
        .done_i   (seq_done),
        .cause_i  (seq_cause),
        .first_o  (first),
        .units_rst_ni,
        .reading_o(ring_reading_o),
        .read_o   (ring_read_o),
        .read_i   (ring_read_i),
        .rdata_i  (ring_rdata_i),
        .enabled_o(enabled),
        .irq_o    (ring_irq)
    );
    assign irq_o = enabled ? ring_irq : regs_irq;
  end else begin : gen_no_ring
    assign {regs_req, axil_o, first, irq_o} = {axil_i, regs_rsp, 16'd0, regs_irq};
    assign {ring_reading_o, ring_read_o} = '0;
    logic unused_ring;
    assign unused_ring = ^{units_rst_ni, ring_read_i, ring_rdata_i};
  end

  rs_sequencer #(
      .W           (C.W),
      .LogNMin     (C.LogNMin),
      .LogNMax     (C.LogNMax),
      .Groups      (C.Groups),
      .Contexts    (C.Contexts),
      .Slots       (C.Slots),
      .HasExpand   (C.Expand),
      .HasReduce   (C.Reducers != 0),
      .HasFactor   (C.StreamFactor),
      .HasEncode   (C.Encode),
      .HasPipe     (C.StreamLanes != 0),
      .HasFields   (C.Fields),
      .Sealed      (C.Sealed),
      .HasShort    (C.Short),
      .LogSizeMin  (rs_core_pkg::log_size_min(C)),
      .Slices      (C.Slices),
      .ProgramDepth(C.ProgramDepth)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i        (seq_start),
      .first_i        (first),
      .abort_i        (seq_abort || alert || scan_wipe),
      .log_n_i        (log_n),
      .watchdog_i     (watchdog),
      .forget_i       (wipe_o),
      .renew_i        (new_seed),
      .frame_i        (new_frame),
      // no product of a sealed core is public
      .no_encrypt_i   (no_encrypt || C.Sealed),
      .no_decrypt_i   (no_decrypt || C.Sealed),
      .pointer_index_o(pointer_index),
      .pointer_i      (pointer),
      .prog_we_i      (program_we && !fatal),
      .prog_addr_i    (program_addr),
      .prog_data_i    (program_data),
      .prog_take_o    (written_o.valid),
      .alert_o        (seq_alert),
      .busy_o         (seq_busy),
      .done_o         (seq_done),
      .cause_o        (seq_cause),
      .pc_o           (seq_pc),
      .cycles_o       (seq_cycles),
      .unit_cycles_o  (unit_cycles),
      .unit_start_o   (command_o.start),
      .unit_instr_o   (command_o.instr),
      .unit_pc_o,
      .unit_addr_o    (command_o.addr),
      .unit_busy_o,
      .unit_done_i    (result_i.done),
      .unit_fault_i   (result_i.fault),
      .pipe_clear_o   (command_o.pipe_clear),
      .pipe_idle_i,
      .clear_o        (command_o.clear),
      .load_room_i,
      .give_up_i
  );

  assign {written_o.index, written_o.data} = {program_addr, program_data};

  // one after the other: all are there long before a program's first instruction. COMPUTE's is the last: it keeps it once more, and
  // synthesis would make one register of that and of the copy behind it
  localparam int unsigned Memory = rs_core_pkg::Memory;
  localparam int unsigned Compute = 32'(UNIT_COMPUTE);
  for (genvar u = 0; u <= Memory; u++) begin : gen_log_n
    rs_delay #(
        .Width (LogNBits),
        .Cycles(1)
    ) u_copy (
        .clk_i,
        .data_i(u == 0 ? log_n : log_n_o[u==0?0 : u==Compute?Memory : u==Compute+1?u-2 : u-1]),
        .data_o(log_n_o[u])
    );
  end

  rs_wipe #(
      .RowBits(WipeBits)
  ) u_wipe (
      .clk_i,
      .rst_ni,
      .command_i(zeroize || scan_wipe || give_up_i || (alert && C.Sealed)),
      .busy_i   (seq_busy),
      .clear_i  (command_o.clear),
      .wiping_o (memory_wiping),
      .wipe_o,
      .rinse_o,
      .row_o    (wipe_row_o)
  );

  logic unused_active;
  assign unused_active = ^result_i.active;
endmodule
