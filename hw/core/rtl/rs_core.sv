// SPDX-License-Identifier: Apache-2.0
// rs_core: the accelerator: registers, sequencer, units, polynomial memory (docs/core.md).
// Model:   lib/src/machine drives it, lib/tests/model_core.c is its executable specification
// Params:  a design's, and those of who integrates the core: docs/designs.md
// Bounds:  nothing but wiring; illegal parameters stop elaboration here or in the block that they are for
// Timing:  from a doorbell to the interrupt independent of secrets; figures by `ringside cycles`
module rs_core #(
    // Made from py/ringside/designs/design.py by scripts/generate.py: do not edit.
    // butterflies per cycle (a power of two, 1 to 256)
    parameter int unsigned Lanes = 1,
    // width of a residue (16 to 64)
    parameter int unsigned W = 32,
    // log2 of the smallest N (8 (with EXPAND 9), and 16 words per lane, to 17)
    parameter int unsigned LogNMin = 10,
    // log2 of the largest N (log_n_min to 17)
    parameter int unsigned LogNMax = 10,
    // polynomials on chip (2 to 16)
    parameter int unsigned Groups = 2,
    // moduli on chip at a time (1 to 4)
    parameter int unsigned Contexts = 2,
    // roots of the transforms: a table of N words, or made while they are used (stored, on_the_fly)
    parameter bit OnTheFly = 1'b0,
    // a secret key passes by, beside the groups, so that with two groups expansion and transform overlap
    parameter bit StreamFactor = 1'b0,
    // slots in, ciphertext out: the core encodes and decodes in fixed point
    parameter bit Encode = 1'b0,
    // words of fixed point per cycle that become residues, and back; 0: all of a chunk (0, or powers of two to the words per
    // cycle of bus and lanes)
    parameter int unsigned FixedWords = 0,
    // small polynomials in one group that an instruction takes at most; 1: a group is one polynomial (a power of two, 1 to 64)
    parameter int unsigned Slices = 1,
    // small polynomials on chip: three of a frame that streams and three of the next; 0: no sampler, errors come from outside
    // (0 to 6)
    parameter int unsigned Slots = 1,
    // coefficients per cycle (powers of two, 1 to the words per cycle of bus and lanes)
    parameter int unsigned SampleLanes = 1,
    // Keccak cores (1 to 16)
    parameter int unsigned KeccakCores = 1,
    // bytes per cycle that become ternary coefficients (1, 2, 4, 8, and divide 6 per lane)
    parameter int unsigned TernaryBytes = 1,
    // slices of Keccak's state per cycle; below 64 (whole rounds): one folded core for SAMPLE and EXPAND (8, 16, 32, 64)
    parameter int unsigned KeccakSlices = 64,
    // EXPAND makes the uniform half of a ciphertext from its seed
    parameter bit Expand = 1'b1,
    // words per cycle, each with a core (1, 2, 4, 8, up to the words per cycle of bus and lanes)
    parameter int unsigned ExpandWords = 1,
    // bits of a quotient at a time, where EXPAND divides without multipliers; 0: with multipliers (0, or 3 to 16)
    parameter int unsigned ExpandSteps = 0,
    // Keccak cores of its own, or SAMPLE's (separate, shared)
    parameter bit KeccakShared = 1'b0,
    // AXI4 data width (a power of two, 64 to 512)
    parameter int unsigned BusBits = 64,
    // bursts under way in each direction, at each port; those of polynomials are lines of 64 bytes, or `burst_lines` of them
    // (4 to 256)
    parameter int unsigned Outstanding = 8,
    // lines of a burst of LOAD and STORE: long bursts are what a memory behind PCI Express wants (a power of two, 1 to 4)
    parameter int unsigned BurstLines = 1,
    // LOAD and STORE of half a polynomial, LOAD of words of 16 bits
    parameter bit Short = 1'b0,
    // numbers of slots that LOADS takes per cycle; 2: both parts of a slot (1 to 2)
    parameter int unsigned SlotWords = 1,
    // words of a message per cycle that are reduced on chip; 0: the processor reduces them (0, or powers of two to the words
    // of 64 bits per beat)
    parameter int unsigned Reducers = 0,
    // instructions of a program (64 to 2048)
    parameter int unsigned ProgramDepth = 512,
    // programs start from a ring of descriptors in memory, without the host
    parameter bit Ring = 1'b0,
    // words per cycle of each polynomial in the unit that encrypts frame after frame with a public key; 0: none (0, 2, 4, 8)
    parameter int unsigned StreamLanes = 0,
    // AXI4 ports to the same memory; a second one takes half of the streaming unit's streams (1 to 2)
    parameter int unsigned AxiPorts = 1,
    // hashes and packed fields of ML-KEM, ML-DSA and NewHope: the units SPONGE and PACK
    parameter bit Fields = 1'b0,
    // Keccak rounds per cycle of SPONGE; with 2 it takes 8 candidates per cycle, else 4 (1 to 2)
    parameter int unsigned FieldRounds = 1,
    // fields per cycle of PACK (2, 4)
    parameter int unsigned FieldWords = 1,
    // who is trusted with keys of ML-KEM and ML-DSA: the processor, or the core, which keeps them in slots for one program
    // each (open, sealed)
    parameter bit Sealed = 1'b0,
    // cycles until a bus that hangs is given up (1 and more)
    parameter int unsigned DrainCycles = 3072,
    // non-secure writes answer SLVERR, non-secure reads see no program
    parameter bit SecureWrites = 1'b0,
    // scan_mode_i wipes before scan_ready_o lets scan shift; false: never ready
    parameter bit ScanWipe = 1'b0,
    // AxPROT of every transfer; 0: data, secure, unprivileged (0 to 7)
    parameter int unsigned AxiProt = 0,
    // AxCACHE of every transfer; 3: normal, non-cacheable, bufferable (0 to 15)
    parameter int unsigned AxiCache = 3,
    // AxQOS of every transfer (0 to 15)
    parameter int unsigned AxiQos = 0,
    // AxUSER of every transfer (0 to 255)
    parameter int unsigned AxiUser = 0,
    // ---- end of what is made
    localparam int unsigned AxiAddrBits  = 64,
    localparam int unsigned AxiIdBits    = 4,
    localparam int unsigned AxiUserBits  = 8,
    localparam int unsigned CsrAddrBits  = 12,
    localparam int unsigned TraceUnits   = Fields ? rs_isa_pkg::Units : rs_isa_pkg::UNIT_PIPE + 1
) (
    input logic clk_i,
    input logic rst_ni,

    // registers: AXI4-Lite
    input  logic                   s_axil_awvalid,
    output logic                   s_axil_awready,
    input  logic [CsrAddrBits-1:0] s_axil_awaddr,
    input  logic [            2:0] s_axil_awprot,
    input  logic                   s_axil_wvalid,
    output logic                   s_axil_wready,
    input  logic [           31:0] s_axil_wdata,
    input  logic [            3:0] s_axil_wstrb,
    output logic                   s_axil_bvalid,
    input  logic                   s_axil_bready,
    output logic [            1:0] s_axil_bresp,
    input  logic                   s_axil_arvalid,
    output logic                   s_axil_arready,
    input  logic [CsrAddrBits-1:0] s_axil_araddr,
    input  logic [            2:0] s_axil_arprot,
    output logic                   s_axil_rvalid,
    input  logic                   s_axil_rready,
    output logic [           31:0] s_axil_rdata,
    output logic [            1:0] s_axil_rresp,

    // memory: AXI4, all ports side by side: bit or field p belongs to port p. LOAD and STORE use port 0
    output logic [AxiPorts-1:0] m_axi_arvalid,
    input logic [AxiPorts-1:0] m_axi_arready,
    output logic [AxiPorts-1:0][AxiIdBits-1:0] m_axi_arid,
    output logic [AxiPorts-1:0][AxiAddrBits-1:0] m_axi_araddr,
    output logic [AxiPorts-1:0][7:0] m_axi_arlen,
    output logic [AxiPorts-1:0][2:0] m_axi_arsize,
    output logic [AxiPorts-1:0][1:0] m_axi_arburst,
    output logic [AxiPorts-1:0][2:0] m_axi_arprot,
    output logic [AxiPorts-1:0][3:0] m_axi_arcache,
    output logic [AxiPorts-1:0][3:0] m_axi_arqos,
    output logic [AxiPorts-1:0][AxiUserBits-1:0] m_axi_aruser,
    input logic [AxiPorts-1:0] m_axi_rvalid,
    output logic [AxiPorts-1:0] m_axi_rready,
    input logic [AxiPorts-1:0][AxiIdBits-1:0] m_axi_rid,
    input logic [AxiPorts-1:0][BusBits-1:0] m_axi_rdata,
    input logic [AxiPorts-1:0][1:0] m_axi_rresp,
    input logic [AxiPorts-1:0] m_axi_rlast,
    output logic [AxiPorts-1:0] m_axi_awvalid,
    input logic [AxiPorts-1:0] m_axi_awready,
    output logic [AxiPorts-1:0][AxiIdBits-1:0] m_axi_awid,
    output logic [AxiPorts-1:0][AxiAddrBits-1:0] m_axi_awaddr,
    output logic [AxiPorts-1:0][7:0] m_axi_awlen,
    output logic [AxiPorts-1:0][2:0] m_axi_awsize,
    output logic [AxiPorts-1:0][1:0] m_axi_awburst,
    output logic [AxiPorts-1:0][2:0] m_axi_awprot,
    output logic [AxiPorts-1:0][3:0] m_axi_awcache,
    output logic [AxiPorts-1:0][3:0] m_axi_awqos,
    output logic [AxiPorts-1:0][AxiUserBits-1:0] m_axi_awuser,
    output logic [AxiPorts-1:0] m_axi_wvalid,
    input logic [AxiPorts-1:0] m_axi_wready,
    output logic [AxiPorts-1:0][BusBits-1:0] m_axi_wdata,
    output logic [AxiPorts-1:0][BusBits/8-1:0] m_axi_wstrb,
    output logic [AxiPorts-1:0] m_axi_wlast,
    input logic [AxiPorts-1:0] m_axi_bvalid,
    output logic [AxiPorts-1:0] m_axi_bready,
    input logic [AxiPorts-1:0][AxiIdBits-1:0] m_axi_bid,
    input logic [AxiPorts-1:0][1:0] m_axi_bresp,

    output logic irq_o,
    output logic [1:0] alert_o,  // a flip-flop has flipped (docs/core.md, Alerts): recoverable, fatal

    input  logic scan_mode_i,  // with ScanWipe: everything is wiped, and nothing starts (docs/core.md, Scan)
    output logic scan_ready_o, // that is over: scan chains may shift

    // for a trace; bit u and field u belong to unit u of rs_isa_pkg
    output logic [TraceUnits-1:0]       trace_busy_o,
    output logic [TraceUnits-1:0][15:0] trace_pc_o,
    output logic [TraceUnits-1:0]       trace_active_o  // the unit moves data in this cycle
);
  import rs_isa_pkg::*;

  // Made from py/ringside/designs/design.py by scripts/generate.py: do not edit.
  // verilog_format: off
  localparam rs_core_pkg::config_t C = '{Lanes: Lanes, W: W, LogNMin: LogNMin, LogNMax: LogNMax, Groups: Groups,
      Contexts: Contexts, OnTheFly: OnTheFly, StreamFactor: StreamFactor, Encode: Encode, FixedWords: FixedWords,
      Slices: Slices, Slots: Slots, SampleLanes: SampleLanes, KeccakCores: KeccakCores, TernaryBytes: TernaryBytes,
      KeccakSlices: KeccakSlices, Expand: Expand, ExpandWords: ExpandWords, ExpandSteps: ExpandSteps,
      KeccakShared: KeccakShared, BusBits: BusBits, Outstanding: Outstanding, BurstLines: BurstLines, Short: Short,
      SlotWords: SlotWords, Reducers: Reducers, ProgramDepth: ProgramDepth, Ring: Ring, StreamLanes: StreamLanes,
      AxiPorts: AxiPorts, Fields: Fields, FieldRounds: FieldRounds, FieldWords: FieldWords, Sealed: Sealed,
      DrainCycles: DrainCycles, SecureWrites: SecureWrites, ScanWipe: ScanWipe, AxiProt: AxiProt, AxiCache: AxiCache,
      AxiQos: AxiQos, AxiUser: AxiUser};
  // verilog_format: on
  // ---- end of what is made
  localparam int unsigned V = rs_core_pkg::chunk(C);
  // what the transform needs, the smallest ring with a use, and the words of a block of EXPAND
  localparam int unsigned LogNFloor = $clog2(Lanes) + 4 > 8 + 32'(Expand) ? $clog2(Lanes) + 4 : 8 + 32'(Expand);
  localparam bit HasPipe = StreamLanes > 0;

  if (LogNMin < LogNFloor || LogNMax < LogNMin || LogNMax > rs_ntt_pkg::LogNLimit) begin : gen_illegal_size
    $fatal(1, "%m: LogNMin %0d and LogNMax %0d are not in %0d ... %0d", LogNMin, LogNMax, LogNFloor, rs_ntt_pkg::LogNLimit);
  end
  if (AxiProt > 7 || AxiCache > 15 || AxiQos > 15 || AxiUser >= 2 ** AxiUserBits) begin : gen_illegal_axi
    $fatal(
        1,
        "%m: AxiProt %0d is above 7, AxiCache %0d or AxiQos %0d above 15, or AxiUser %0d above 255",
        AxiProt,
        AxiCache,
        AxiQos,
        AxiUser
    );
  end
  if (Groups < 2 || Groups > 16 || Slots > SlotsMax) begin : gen_illegal_memory
    $fatal(1, "%m: Groups %0d is not 2 to 16, or Slots %0d not 0 to %0d", Groups, Slots, SlotsMax);
  end

  if (BurstLines > 1 && (Reducers != 0 || Slices > 1 || LogNMin < $clog2(16 * BurstLines * V))) begin : gen_illegal_lines
    $fatal(1, "%m: BurstLines %0d needs LogNMin of %0d, and neither Reducers nor Slices", BurstLines, $clog2(16 * BurstLines * V));
  end
  if (Ring && (HasPipe || Fields)) begin : gen_illegal_ring
    $fatal(1, "%m: Ring with PIPE or Fields");
  end
  if (Short && Fields) begin : gen_illegal_short
    $fatal(1, "%m: Short with Fields");
  end
  if (AxiPorts != 1 && !(AxiPorts == 2 && HasPipe)) begin : gen_illegal_ports
    $fatal(1, "%m: AxiPorts %0d is not 1, or 2 with PIPE", AxiPorts);
  end
  if (Fields && (HasPipe || Slices == 1 || BusBits < 128 || W < 24)) begin : gen_illegal_fields
    $fatal(
        1, "%m: Fields needs Slices, BusBits of 128 or more, W of 24 or more, not %0d, %0d, %0d; and no PIPE", Slices, BusBits, W
    );
  end
  if (Sealed && (!Fields || Slots != 0 || AxiPorts != 1 || ProgramDepth > 8 * VaultProgram)) begin : gen_illegal_seal
    $fatal(1, "%m: Sealed needs Fields, no Slots, one port and a ProgramDepth of at most %0d", 8 * VaultProgram);
  end
  if (Sealed && (Encode || StreamFactor)) begin : gen_illegal_seal_unit
    $fatal(1, "%m: Sealed goes neither with Encode nor with StreamFactor: they load what counts as public");
  end
  if (HasPipe && (BusBits != 512 || Slots < 3 || rs_core_pkg::stacked(C) || StreamLanes > V)) begin : gen_illegal_pipe
    $fatal(1, "%m: PIPE needs BusBits 512, three Slots and chunks of StreamLanes words, not %0d, %0d and %0d", BusBits, Slots, V);
  end

  rs_core_pkg::command_t command;
  rs_core_pkg::result_t bus_result, compute_result, sampler_result, fields_result;
  logic [Units-1:0] unit_busy;
  logic [Units-1:0][15:0] unit_pc;
  rs_core_pkg::log_n_t log_n;
  rs_core_pkg::context_t load_context;
  rs_core_pkg::writer_t load, lift, expand, sponge, pack;
  rs_core_pkg::reader_t store, round, get;
  rs_core_pkg::size_t sponge_size, pack_size;
  logic [V-1:0][W-1:0] sponge_data, pack_data;
  logic get_ready, units_rst_n, fields_idle, fields_alert, fields_wiping, bus_wiping, bound;
  rs_core_pkg::word_t written;
  rs_axi_pkg::read_req_t fields_read_req;
  rs_axi_pkg::read_rsp_t fields_read_rsp;
  rs_axi_pkg::write_req_t fields_write_req;
  rs_axi_pkg::write_rsp_t fields_write_rsp;
  logic [BusBits-1:0] fields_rdata, fields_wdata;
  logic ring_reading;
  rs_axi_pkg::read_req_t ring_read_req;
  rs_axi_pkg::read_rsp_t ring_read_rsp;
  rs_core_pkg::pipe_t pipe;
  logic [V-1:0][W-1:0] load_data, lift_data, read_data, stream_data, twiddle_data;
  logic [W-1:0] load_other;
  logic [ExpandWords-1:0][W-1:0] expand_data;
  logic [1:0][rs_core_pkg::pipe_words(C)-1:0][W-1:0] pipe_words_sec;
  logic [2:0][V-1:0][5:0] pipe_slots_sec;
  logic load_room, give_up, pipe_idle, pipe_wiping, bus_reset, bus_hung, wipe, rinse, expand_side, round_ready;
  logic [rs_core_pkg::wipe_bits(C)-1:0] wipe_row;
  logic seed_public;
  logic [rs_core_pkg::step_bits(C)-1:0] seed_step;
  logic [8*KeccakSlices-1:0] private_row_sec, public_row;
  logic [512/BusBits-1:0] header_write;
  logic [BusBits-1:0] header_beat;
  logic twiddle_valid, twiddle_ready, twiddle_done;
  logic [LogNMax:0] twiddle_words;
  logic [Units-1:0][W-1:0] unit_q, unit_factor;
  logic [Units-1:0][63:0] unit_ratio64, unit_max_multiple;
  // the instruction says for whom a STREAM is
  logic stream_valid, stream_secret, stream_factor, factor_ready, lift_ready;
  assign stream_factor = StreamFactor && stream_secret;

  rs_axi_pkg::lite_req_t axil_req;
  rs_axi_pkg::lite_rsp_t axil_rsp;
  rs_core_control #(
      .C(C)
  ) u_control (
      .clk_i,
      .rst_ni,
      .axil_i           (axil_req),
      .axil_o           (axil_rsp),
      .units_rst_ni     (units_rst_n),
      .ring_reading_o   (ring_reading),
      .ring_read_o      (ring_read_req),
      .ring_read_i      (ring_read_rsp),
      .ring_rdata_i     (fields_rdata),
      .command_o        (command),
      .result_i         (bus_result | compute_result | sampler_result | fields_result),
      .log_n_o          (log_n),
      .load_room_i      (load_room),
      .give_up_i        (give_up),
      .pipe_idle_i      (pipe_idle),
      .bus_reset_o      (bus_reset),
      .bus_hung_i       (bus_hung),
      .wipe_o           (wipe),
      .rinse_o          (rinse),
      .wipe_row_o       (wipe_row),
      .pipe_wiping_i    (pipe_wiping || fields_wiping || bus_wiping),
      .written_o        (written),
      .seed_public_i    (seed_public),
      .seed_step_i      (seed_step),
      .private_row_sec_o(private_row_sec),
      .public_row_o     (public_row),
      .unit_busy_o      (unit_busy),
      .unit_pc_o        (unit_pc),
      .fields_alert_i   (fields_alert),
      .alert_o,
      .scan_mode_i,
      .scan_ready_o,
      .irq_o
  );
  logic unused_units;
  assign unused_units = ^{unit_busy, unit_pc};
  assign trace_busy_o = unit_busy[TraceUnits-1:0];
  assign trace_pc_o = unit_pc[TraceUnits-1:0];
  assign trace_active_o = TraceUnits'(bus_result.active | compute_result.active | sampler_result.active | fields_result.active);

  rs_core_compute #(
      .C(C)
  ) u_compute_side (
      .clk_i,
      .rst_ni,
      .command_i       (command),
      .result_o        (compute_result),
      .log_n_i         (log_n),
      .wipe_i          (wipe),
      .rinse_i         (rinse),
      .wipe_row_i      (wipe_row),
      .context_i       (load_context),
      .header_write_i  (header_write),
      .header_beat_i   (header_beat),
      .twiddle_valid_i (twiddle_valid),
      .twiddle_ready_o (twiddle_ready),
      .twiddle_i       (twiddle_data),
      .twiddle_done_o  (twiddle_done),
      .twiddle_words_o (twiddle_words),
      .q_o             (unit_q),
      .factor_o        (unit_factor),
      .ratio64_o       (unit_ratio64),
      .max_multiple_o  (unit_max_multiple),
      .factor_valid_i  (stream_valid && stream_factor),
      .factor_ready_o  (factor_ready),
      .factor_sec_i    (stream_data),
      .load_i          (load),
      .load_data_i     (load_data),
      .load_other_i    (load_other),
      .lift_i          (lift),
      .lift_data_i     (lift_data),
      .expand_i        (expand),
      .expand_side_i   (expand_side),
      .expand_data_i   (expand_data),
      .store_i         (store),
      .round_i         (round),
      .round_ready_o   (round_ready),
      .read_data_o     (read_data),
      .sponge_i        (sponge),
      .sponge_size_i   (sponge_size),
      .sponge_data_i   (sponge_data),
      .pack_i          (pack),
      .pack_size_i     (pack_size),
      .pack_data_i     (pack_data),
      .get_i           (get),
      .get_ready_o     (get_ready),
      .pipe_i          (pipe),
      .pipe_words_sec_o(pipe_words_sec)
  );

  rs_core_sampler #(
      .C(C)
  ) u_sampler (
      .clk_i,
      .rst_ni,
      .command_i        (command),
      .result_o         (sampler_result),
      .log_n_i          (log_n),
      .wipe_i           (wipe),
      .wipe_row_i       (wipe_row),
      .seed_public_o    (seed_public),
      .seed_step_o      (seed_step),
      .private_row_sec_i(private_row_sec),
      .public_row_i     (public_row),
      .q_i              (unit_q),
      .factor_i         (unit_factor),
      .ratio64_i        (unit_ratio64),
      .max_multiple_i   (unit_max_multiple),
      .stream_valid_i   (stream_valid && !stream_factor),
      .stream_ready_o   (lift_ready),
      .stream_i         (stream_data),
      .lift_o           (lift),
      .lift_data_o      (lift_data),
      .round_o          (round),
      .round_ready_i    (round_ready),
      .round_data_i     (read_data),
      .expand_o         (expand),
      .expand_side_o    (expand_side),
      .expand_data_o    (expand_data),
      .pipe_i           (pipe),
      .pipe_slots_sec_o (pipe_slots_sec)
  );

  rs_axi_pkg::read_req_t  [AxiPorts-1:0] read_req;
  rs_axi_pkg::read_rsp_t  [AxiPorts-1:0] read_rsp;
  rs_axi_pkg::write_req_t [AxiPorts-1:0] write_req;
  rs_axi_pkg::write_rsp_t [AxiPorts-1:0] write_rsp;

  rs_core_bus #(
      .C(C)
  ) u_bus (
      .clk_i,
      .rst_ni,
      .command_i       (command),
      .result_o        (bus_result),
      .log_n_i         (log_n),
      .wipe_i          (wipe),
      .load_room_o     (load_room),
      .give_up_o       (give_up),
      .pipe_idle_o     (pipe_idle),
      .pipe_wiping_o   (pipe_wiping),
      .bus_wiping_o    (bus_wiping),
      .bound_o         (bound),
      .written_i       (written),
      .bus_reset_i     (bus_reset),
      .bus_hung_o      (bus_hung),
      .context_o       (load_context),
      .header_write_o  (header_write),
      .header_beat_o   (header_beat),
      .twiddle_valid_o (twiddle_valid),
      .twiddle_ready_i (twiddle_ready),
      .twiddle_o       (twiddle_data),
      .twiddle_done_i  (twiddle_done),
      .twiddle_words_i (twiddle_words),
      .q_i             (unit_q[UNIT_LOAD]),
      .ratio64_i       (unit_ratio64[UNIT_LOAD]),
      .stream_valid_o  (stream_valid),
      .stream_ready_i  (stream_factor ? factor_ready : lift_ready),
      .stream_o        (stream_data),
      .stream_secret_o (stream_secret),
      .load_o          (load),
      .load_data_o     (load_data),
      .load_other_o    (load_other),
      .store_o         (store),
      .store_data_i    (read_data),
      .pipe_o          (pipe),
      .pipe_words_sec_i(pipe_words_sec),
      .pipe_slots_sec_i(pipe_slots_sec),
      .units_rst_no    (units_rst_n),
      .ring_reading_i  (ring_reading),
      .ring_read_i     (ring_read_req),
      .ring_read_o     (ring_read_rsp),
      .fields_idle_i   (fields_idle),
      .fields_read_i   (fields_read_req),
      .fields_read_o   (fields_read_rsp),
      .fields_rdata_o  (fields_rdata),
      .fields_write_i  (fields_write_req),
      .fields_write_o  (fields_write_rsp),
      .fields_wdata_i  (fields_wdata),
      .read_o          (read_req),
      .read_i          (read_rsp),
      .rdata_i         (m_axi_rdata),
      .write_o         (write_req),
      .write_i         (write_rsp),
      .wdata_o         (m_axi_wdata)
  );

  rs_core_fields #(
      .C(C)
  ) u_fields (
      .clk_i,
      .rst_ni,
      .units_rst_ni (units_rst_n),
      .command_i    (command),
      .result_o     (fields_result),
      .log_n_i      (log_n),
      .wipe_i       (wipe),
      .wiping_o     (fields_wiping),
      .written_i    (written),
      .bound_i      (bound),
      .idle_o       (fields_idle),
      .alert_o      (fields_alert),
      .q_i          (unit_q),
      .sponge_o     (sponge),
      .sponge_size_o(sponge_size),
      .sponge_data_o(sponge_data),
      .pack_o       (pack),
      .pack_size_o  (pack_size),
      .pack_data_o  (pack_data),
      .get_o        (get),
      .get_ready_i  (get_ready),
      .get_data_i   (read_data),
      .read_o       (fields_read_req),
      .read_i       (fields_read_rsp),
      .rdata_i      (fields_rdata),
      .write_o      (fields_write_req),
      .write_i      (fields_write_rsp),
      .wdata_o      (fields_wdata)
  );

  // ---- the names of AXI4 and AXI4-Lite -----------------------------------------------------------------------------------------------------
  for (genvar p = 0; p < AxiPorts; p++) begin : gen_port
    assign {m_axi_arvalid[p], m_axi_arid[p], m_axi_araddr[p], m_axi_arlen[p], m_axi_rready[p]} = read_req[p];
    assign read_rsp[p] = {m_axi_arready[p], m_axi_rvalid[p], m_axi_rid[p], m_axi_rresp[p], m_axi_rlast[p]};
    assign {m_axi_awvalid[p], m_axi_awid[p], m_axi_awaddr[p], m_axi_awlen[p]} = {write_req[p].aw_valid, write_req[p].aw};
    assign {m_axi_wvalid[p], m_axi_wlast[p], m_axi_bready[p]} = {write_req[p].w_valid, write_req[p].w_last, write_req[p].b_ready};
    assign write_rsp[p] = {m_axi_awready[p], m_axi_wready[p], m_axi_bvalid[p], m_axi_bid[p], m_axi_bresp[p]};
    assign {m_axi_arsize[p], m_axi_arburst[p], m_axi_arprot[p]} = {3'($clog2(BusBits / 8)), 2'b01, 3'(AxiProt)};
    assign {m_axi_arcache[p], m_axi_arqos[p], m_axi_aruser[p]} = {4'(AxiCache), 4'(AxiQos), AxiUserBits'(AxiUser)};
  end
  assign {m_axi_awsize, m_axi_awburst, m_axi_awprot} = {m_axi_arsize, m_axi_arburst, m_axi_arprot};
  assign {m_axi_awcache, m_axi_awqos, m_axi_awuser} = {m_axi_arcache, m_axi_arqos, m_axi_aruser};
  assign m_axi_wstrb = '1;
  assign axil_req = '{
          aw_valid: s_axil_awvalid,
          aw_addr: s_axil_awaddr,
          aw_prot: s_axil_awprot,
          w_valid: s_axil_wvalid,
          w_data: s_axil_wdata,
          w_strb: s_axil_wstrb,
          b_ready: s_axil_bready,
          ar_valid: s_axil_arvalid,
          ar_addr: s_axil_araddr,
          ar_prot: s_axil_arprot,
          r_ready: s_axil_rready
      };
  assign {s_axil_awready, s_axil_wready, s_axil_bvalid, s_axil_bresp} = {
    axil_rsp.aw_ready, axil_rsp.w_ready, axil_rsp.b_valid, axil_rsp.b_resp
  };
  assign {s_axil_arready, s_axil_rvalid, s_axil_rdata, s_axil_rresp} = {
    axil_rsp.ar_ready, axil_rsp.r_valid, axil_rsp.r_data, axil_rsp.r_resp
  };

endmodule
