// SPDX-License-Identifier: Apache-2.0
// rs_core: the accelerator: registers, sequencer, units, polynomial memory (docs/core.md).
// Model:   lib/src/driver drives it, lib/tests/model_core.c is its executable specification
// Params:  W, Reduction (rs_lane); LogNMin, LogNMax, Lanes; Groups, Contexts, OnTheFly (rs_twiddles); StreamFactor (rs_compute); Encode: fixed point;
//          Slots (0: no sampler), SampleLanes, TernaryBytes (rs_sample_unit); Expand, ExpandWords, ExpandSteps (rs_expand_unit); KeccakCores,
//          SampleRounds, ExpandRounds, KeccakShared, KeccakSlices (rs_xof); BusBits, Outstanding, Reducers (DMA); AxiIds: 1, or lines under
//          way with IDs of their own (rs_axi_lines); StreamLanes: 0, or P of the unit PIPE (rs_pipe_unit); AxiPorts: to memory, 2 for PIPE alone;
//          ProgramDepth; DrainCycles (rs_bus_guard); AxiProt, AxiCache, AxiQos, AxiUser: what every transfer says, on AR and AW alike; SecureWrites (rs_regs_axi)
// Bounds:  nothing but wiring; illegal parameters stop elaboration here or in the block that they are for
// Timing:  from a doorbell to the interrupt independent of secrets; figures by `ringside cycles`
module rs_core #(
    parameter  int unsigned        W            = 32,
    parameter  rs_pkg::reduction_e Reduction    = rs_pkg::RS_WLM,
    parameter  int unsigned        LogNMax      = 10,
    parameter  int unsigned        Lanes        = 1,
    parameter  int unsigned        LogNMin      = $clog2(Lanes) > 6 ? $clog2(Lanes) + 4 : 10,
    parameter  int unsigned        Groups       = 2,
    parameter  int unsigned        Contexts     = 2,
    parameter  bit                 OnTheFly     = 1'b0,
    parameter  bit                 StreamFactor = 1'b0,
    parameter  bit                 Encode       = 1'b0,
    parameter  int unsigned        Slots        = 1,
    parameter  int unsigned        SampleLanes  = 1,
    parameter  int unsigned        KeccakCores  = 1,
    parameter  int unsigned        SampleRounds = 1,
    parameter  int unsigned        TernaryBytes = 1,
    parameter  bit                 Expand       = 1'b1,
    parameter  int unsigned        ExpandRounds = 1,
    parameter  int unsigned        ExpandWords  = 1,
    parameter  int unsigned        ExpandSteps  = 0,
    parameter  bit                 KeccakShared = 1'b0,
    parameter  int unsigned        KeccakSlices = 64,
    parameter  int unsigned        BusBits      = 64,
    parameter  int unsigned        Outstanding  = 8,
    parameter  int unsigned        Reducers     = 0,
    parameter  int unsigned        AxiIds       = 1,
    parameter  int unsigned        StreamLanes  = 0,
    parameter  int unsigned        AxiPorts     = 1,
    parameter  int unsigned        ProgramDepth = 512,
    parameter  int unsigned        DrainCycles  = 3072,
    parameter  bit                 SecureWrites = 1'b0,
    parameter  int unsigned        AxiProt      = 0,                                           // data, secure, unprivileged
    parameter  int unsigned        AxiCache     = 3,                                           // normal, non-cacheable, bufferable
    parameter  int unsigned        AxiQos       = 0,
    parameter  int unsigned        AxiUser      = 0,
    localparam int unsigned        AxiAddrBits  = 64,
    localparam int unsigned        AxiIdBits    = 4,
    localparam int unsigned        AxiUserBits  = 8,
    localparam int unsigned        CsrAddrBits  = 12
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

    // for a trace; bit u and field u belong to unit u of rs_isa_pkg::unit_e
    output logic [6:0]       trace_busy_o,
    output logic [6:0][15:0] trace_pc_o,
    output logic [6:0]       trace_active_o  // the unit moves data in this cycle
);
  import rs_isa_pkg::*;

  localparam int unsigned LogLanes = $clog2(Lanes);
  localparam int unsigned AddrBits = LogNMax - 2 - LogLanes;
  localparam int unsigned ShiftWidth = $clog2(W - 1);
  localparam int unsigned LogNBits = rs_ntt_pkg::LogNBits;
  localparam int unsigned V = rs_dma_pkg::chunk_words(W, Lanes, BusBits);
  // what the transform needs, the smallest ring with a use, and the words of a block of EXPAND
  localparam int unsigned LogNFloor = LogLanes + 4 > 8 + 32'(Expand) ? LogLanes + 4 : 8 + 32'(Expand);
  localparam int unsigned SlotRowBits = LogNMax - $clog2(V);
  // FPGAs have memories of two ports: rs_bank_group
  localparam bit Stacked = V <= 2 && rs_pkg::MulStyle != rs_pkg::MUL_CELLS;
  localparam int unsigned GroupRowBits = AddrBits + 32'(Stacked);
  localparam bit HasPipe = StreamLanes > 0;
  localparam int unsigned PipeWords = HasPipe ? StreamLanes : 1;
  localparam int unsigned WipeBits = GroupRowBits > SlotRowBits ? GroupRowBits : SlotRowBits;

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

  if (AxiPorts != 1 && !(AxiPorts == 2 && HasPipe)) begin : gen_illegal_ports
    $fatal(1, "%m: AxiPorts %0d is not 1, or 2 with PIPE", AxiPorts);
  end
  if (HasPipe && (BusBits != 512 || Slots < 3 || Stacked || StreamLanes > V)) begin : gen_illegal_pipe
    $fatal(1, "%m: PIPE needs BusBits 512, three Slots and chunks of StreamLanes words, not %0d, %0d and %0d", BusBits, Slots, V);
  end

  typedef logic [V-1:0][W-1:0] chunk_t;

  // ---- registers and sequencer ---------------------------------------------------------------------------------------------
  logic pipe_clear, pipe_idle, pipe_active, pipe_wiping, pipe_req, pipe_slot_req;
  logic [3:0] pipe_slot;
  logic [SlotRowBits-1:0] pipe_slot_row;
  logic [2:0][V-1:0][5:0] pipe_slots_sec;
  logic [LogNMax-1:0] pipe_pos;
  logic [1:0][PipeWords-1:0][W-1:0] pipe_words_sec;
  logic memory_wiping;
  logic seq_start, seq_abort, seq_clear, zeroize, wiping, bus_reset, bus_hung, give_up, load_room;
  logic wipe;
  logic [LogNBits-1:0] log_n;
  logic [31:0] watchdog;
  logic [4:0] pointer_index;
  logic [FrameBits-1:0] new_frame;
  logic [63:0] pointer;
  // both streams have cores of their own, or share them: one seed at a time
  localparam bit BothSeeds = KeccakSlices == 64 && Slots > 0 && Expand && !KeccakShared;
  localparam int unsigned StepBits = KeccakSlices < 64 ? $clog2(64 / KeccakSlices) : 1;
  logic seed_public;
  logic [StepBits-1:0] seed_step;
  logic [8*KeccakSlices-1:0] private_row_sec, public_row;
  logic program_we, new_seed, no_encrypt, no_decrypt;
  logic [15:0] program_addr;
  logic [63:0] program_data;
  logic seq_busy, seq_done;
  logic [3:0] seq_cause;
  logic [15:0] seq_pc;
  logic [31:0] seq_cycles;
  logic [Units-1:0][31:0] unit_cycles;
  logic [Units-1:0] unit_start, unit_done, unit_busy;
  logic [Units-1:0][63:0] unit_instr;
  logic [Units-1:0][3:0] unit_fault;
  logic [2:0][63:0] unit_addr;

  rs_regs_axi #(
      .Lanes       (Lanes),
      .W           (W),
      .Reduction   (Reduction),
      .LogNMin     (LogNMin),
      .LogNMax     (LogNMax),
      .Groups      (Groups),
      .Contexts    (Contexts),
      .Slots       (Slots),
      .BusBits     (BusBits),
      .HasExpand   (Expand),
      .HasReduce   (Reducers != 0),
      .HasFactor   (StreamFactor),
      .HasEncode   (Encode),
      .StreamLanes (StreamLanes),
      .OnTheFly    (OnTheFly),
      .ProgramDepth(ProgramDepth),
      .KeccakCores (KeccakCores),
      .SeedSlices  (KeccakSlices),
      .BothSeeds   (BothSeeds),
      .SecureWrites(SecureWrites)
  ) u_regs (
      .clk_i,
      .rst_ni,
      .s_axil_awvalid,
      .s_axil_awready,
      .s_axil_awaddr,
      .s_axil_awprot,
      .s_axil_wvalid,
      .s_axil_wready,
      .s_axil_wdata,
      .s_axil_wstrb,
      .s_axil_bvalid,
      .s_axil_bready,
      .s_axil_bresp,
      .s_axil_arvalid,
      .s_axil_arready,
      .s_axil_araddr,
      .s_axil_arprot,
      .s_axil_rvalid,
      .s_axil_rready,
      .s_axil_rdata,
      .s_axil_rresp,
      .start_o          (seq_start),
      .abort_o          (seq_abort),
      .log_n_o          (log_n),
      .watchdog_o       (watchdog),
      .pointer_index_i  (pointer_index),
      .pointer_o        (pointer),
      .no_encrypt_o     (no_encrypt),
      .no_decrypt_o     (no_decrypt),
      .prog_we_o        (program_we),
      .prog_addr_o      (program_addr),
      .prog_data_o      (program_data),
      .busy_i           (seq_busy),
      .done_i           (seq_done),
      .cause_i          (seq_cause),
      .pc_i             (seq_pc),
      .cycles_i         (seq_cycles),
      .unit_cycles_i    (unit_cycles),
      .seed_public_i    (seed_public),
      .seed_step_i      (seed_step),
      .private_frame_i  (unit_instr[UNIT_SAMPLE][ImmLsb+FrameLsb+:FrameBits]),
      .public_frame_i   (unit_instr[UNIT_EXPAND][ImmLsb+FrameLsb+:FrameBits]),
      .private_row_sec_o(private_row_sec),
      .public_row_o     (public_row),
      .new_seed_o       (new_seed),
      .new_frame_o      (new_frame),
      .zeroize_o        (zeroize),
      .zeroizing_i      (wiping),
      .bus_reset_o      (bus_reset),
      .bus_hung_i       (bus_hung),
      .irq_o
  );

  rs_sequencer #(
      .W           (W),
      .LogNMin     (LogNMin),
      .LogNMax     (LogNMax),
      .Groups      (Groups),
      .Contexts    (Contexts),
      .Slots       (Slots),
      .HasExpand   (Expand),
      .HasReduce   (Reducers != 0),
      .HasFactor   (StreamFactor),
      .HasEncode   (Encode),
      .HasPipe     (HasPipe),
      .ProgramDepth(ProgramDepth)
  ) u_sequencer (
      .clk_i,
      .rst_ni,
      .start_i        (seq_start),
      .abort_i        (seq_abort),
      .log_n_i        (log_n),
      .watchdog_i     (watchdog),
      .forget_i       (wipe),
      .renew_i        (new_seed),
      .frame_i        (new_frame),
      .no_encrypt_i   (no_encrypt),
      .no_decrypt_i   (no_decrypt),
      .pointer_index_o(pointer_index),
      .pointer_i      (pointer),
      .prog_we_i      (program_we),
      .prog_addr_i    (program_addr),
      .prog_data_i    (program_data),
      .busy_o         (seq_busy),
      .done_o         (seq_done),
      .cause_o        (seq_cause),
      .pc_o           (seq_pc),
      .cycles_o       (seq_cycles),
      .unit_cycles_o  (unit_cycles),
      .unit_start_o   (unit_start),
      .unit_instr_o   (unit_instr),
      .unit_pc_o      (trace_pc_o),
      .unit_addr_o    (unit_addr),
      .unit_busy_o    (unit_busy),
      .unit_done_i    (unit_done),
      .unit_fault_i   (unit_fault),
      .pipe_clear_o   (pipe_clear),
      .pipe_idle_i    (pipe_idle),
      .clear_o        (seq_clear),
      .load_room_i    (load_room),
      .give_up_i      (give_up)
  );

  // ---- constants of each unit's context -----------------------------------------------------------------------------------
  // several instructions of LOAD may be under way, so LOAD says itself whose constants it wants, and which context comes
  logic header_valid;
  logic [CtxBits-1:0] load_ctx, load_context;
  logic [512/BusBits-1:0] header_write;
  logic [BusBits-1:0] header_beat;
  logic [Units-1:0][CtxBits-1:0] ctx_of;
  logic [Units-1:0][W-1:0] unit_q, unit_factor, unit_constant;
  logic [Units-1:0][W+1:0] unit_mu;
  logic [Units-1:0][ShiftWidth-1:0] unit_shift;
  logic [Units-1:0][63:0] unit_ratio64, unit_max_multiple;

  rs_contexts #(
      .W       (W),
      .Contexts(Contexts),
      .BusBits (BusBits),
      .Encode  (Encode)
  ) u_contexts (
      .clk_i,
      .write_i         (header_write),
      .beat_i          (header_beat),
      .header_valid_i  (header_valid),
      .header_ctx_i    (load_context),
      .ctx_i           (ctx_of),
      .compute_factor_i(Encode && unit_instr[UNIT_COMPUTE][OpLsb+:OpBits] == OP_MACW),
      .q_o             (unit_q),
      .mu_o            (unit_mu),
      .shift_o         (unit_shift),
      .ratio64_o       (unit_ratio64),
      .max_multiple_o  (unit_max_multiple),
      .factor_o        (unit_factor),
      .constant_o      (unit_constant)
  );

  for (genvar u = 0; u < Units; u++) begin : gen_unit_context
    assign ctx_of[u] = u == int'(UNIT_LOAD) ? load_ctx : unit_instr[u][CtxLsb+:CtxBits];
  end

  // ---- a copy of LOG_N for each unit and the memory, one after the other: all are there long before a program's first instruction ----
  // COMPUTE's is the last: it keeps it once more, and synthesis would make one register of that and of the copy behind it
  localparam int unsigned Memory = 32'(UNIT_PIPE);
  localparam int unsigned Compute = 32'(UNIT_COMPUTE);
  logic [Memory:0][LogNBits-1:0] log_n_copy;
  for (genvar u = 0; u <= Memory; u++) begin : gen_log_n
    rs_delay #(
        .Width (LogNBits),
        .Cycles(1)
    ) u_copy (
        .clk_i,
        .data_i(u == 0 ? log_n : log_n_copy[u==0?0 : u==Compute?Memory : u==Compute+1?u-2 : u-1]),
        .data_o(log_n_copy[u])
    );
  end

  // ---- memory: whom it serves --------------------------------------------------------------------------------------------------
  localparam int unsigned Writers = ExpandWords > 1 ? 4 : 3;
  localparam int unsigned WriteLoad = 0;
  localparam int unsigned WriteLift = 1;
  localparam int unsigned WriteExpand = 2;  // words, and then words side by side
  localparam int unsigned Readers = 2;
  localparam int unsigned ReadStore = 0;
  localparam int unsigned ReadRound = 1;

  logic [Writers-1:0] write_valid, write_ntt;
  logic load_word, load_real;  // what LOADS writes
  logic [Writers-1:0][3:0] write_group;
  logic [Writers-1:0][LogNMax-1:0] write_pos;
  chunk_t [Writers-1:0] write_data;
  logic [Readers-1:0] read_req, read_ready, read_ntt;
  logic [Readers-1:0][3:0] read_group;
  logic [Readers-1:0][LogNMax-1:0] read_pos;
  chunk_t read_data;
  logic expand_valid, expand_side;
  logic [LogNMax-1:0] expand_index;
  logic [ExpandWords-1:0][W-1:0] expand_data;
  logic lanes_read, lanes_read_half, lanes_write, lanes_write_half;
  logic [AddrBits-1:0] lanes_read_addr, lanes_write_addr;
  logic [Groups-1:0] lanes_read_groups, lanes_write_groups;
  logic [2*Lanes-1:0][W-1:0] lanes_result;
  logic [Groups-1:0][1:0][2*Lanes-1:0][W-1:0] lanes_data;
  logic [WipeBits-1:0] wipe_row;

  assign write_group[WriteLift] = unit_instr[UNIT_LIFT][DstLsb+:4];
  assign write_ntt[WriteLift]   = 1'b0;
  for (genvar w = WriteExpand; w < Writers; w++) begin : gen_write_expand
    assign write_group[w] = unit_instr[UNIT_EXPAND][DstLsb+:4];
    assign write_ntt[w]   = 1'b1;
    assign write_valid[w] = expand_valid && expand_side == (w != WriteExpand);
    assign write_pos[w]   = expand_index;
    assign write_data[w]  = chunk_t'(expand_data);
  end
  assign read_group[ReadStore] = unit_instr[UNIT_STORE][ALsb+:4];
  assign read_ntt[ReadStore] = unit_instr[UNIT_STORE][NttLsb];
  assign read_group[ReadRound] = Encode && unit_instr[UNIT_LIFT][OpLsb+:6] == OP_LIFTW ? unit_instr[UNIT_LIFT][BLsb+:4] :
      unit_instr[UNIT_LIFT][ALsb+:4];
  assign read_ntt[ReadRound] = 1'b0;

  // EXPAND: words by their index in SEAL's array
  rs_poly_memory #(
      .W             (W),
      .LogNMin       (LogNMin),
      .LogNMax       (LogNMax),
      .LogLanes      (LogLanes),
      .Groups        (Groups),
      .ChunkWords    (V),
      .Writers       (Writers),
      .Readers       (Readers),
      .WriterWords   ((8 * Writers)'({8'(ExpandWords), 8'd1, 8'(V), 8'(V)})),
      .WriterReversed(Writers'(4'b1100)),
      .Pairs         (Encode),
      .PipeWords     (StreamLanes),
      .Stacked       (Stacked)
  ) u_memory (
      .clk_i,
      .rst_ni,
      .log_n_i             (log_n_copy[Memory]),
      .lanes_read_i        (lanes_read),
      .lanes_read_half_i   (lanes_read_half),
      .lanes_read_addr_i   (lanes_read_addr),
      .lanes_read_groups_i (lanes_read_groups),
      .lanes_write_i       (lanes_write),
      .lanes_write_half_i  (lanes_write_half),
      .lanes_write_addr_i  (lanes_write_addr),
      .lanes_write_groups_i(lanes_write_groups),
      .lanes_data_i        (lanes_result),
      .lanes_data_o        (lanes_data),
      .writer_valid_i      (write_valid),
      .writer_group_i      (write_group),
      .writer_ntt_i        (write_ntt),
      .writer_pos_i        (write_pos),
      .writer_word_i       (Writers'(load_word) << WriteLoad),
      .writer_real_i       (Writers'(load_real) << WriteLoad),
      .writer_data_i       (write_data),
      .reader_req_i        (read_req),
      .reader_ready_o      (read_ready),
      .reader_group_i      (read_group),
      .reader_ntt_i        (read_ntt),
      .reader_pos_i        (read_pos),
      .reader_data_o       (read_data),
      .pipe_req_i          (pipe_req),
      .pipe_group_i        ({unit_instr[UNIT_PIPE][BLsb+:4], unit_instr[UNIT_PIPE][ALsb+:4]}),
      .pipe_pos_i          (pipe_pos),
      .pipe_data_o         (pipe_words_sec),
      .wipe_i              (wipe),
      .wipe_half_i         (Stacked && wipe_row[GroupRowBits-1]),
      .wipe_addr_i         (wipe_row[AddrBits-1:0])
  );

  rs_wipe #(
      .RowBits(WipeBits)
  ) u_wipe (
      .clk_i,
      .rst_ni,
      .command_i(zeroize || give_up),
      .busy_i   (seq_busy),
      .clear_i  (seq_clear),
      .wiping_o (memory_wiping),
      .wipe_o   (wipe),
      .row_o    (wipe_row)
  );

  assign wiping = memory_wiping || pipe_wiping;

  // ---- COMPUTE -------------------------------------------------------------------------------------------------------------
  logic twiddle_valid, twiddle_ready, twiddle_done, compute_active, compute_over, loads_context, load_roots;
  logic [PartBits-1:0] load_part;
  logic stream_valid, stream_ready, stream_factor, factor_ready, lift_ready;
  chunk_t stream_data;
  logic [LogNMax:0] twiddle_words;
  chunk_t twiddle_data;

  rs_compute #(
      .W           (W),
      .Reduction   (Reduction),
      .LogNMax     (LogNMax),
      .Lanes       (Lanes),
      .Groups      (Groups),
      .Contexts    (Contexts),
      .OnTheFly    (OnTheFly),
      .ChunkWords  (V),
      .StreamFactor(StreamFactor),
      .Encode      (Encode),
      .Stacked     (Stacked)
  ) u_compute (
      .clk_i,
      .rst_ni,
      .clear_i        (seq_clear),
      .start_i        (unit_start[UNIT_COMPUTE]),
      .instr_i        (unit_instr[UNIT_COMPUTE]),
      .done_o         (unit_done[UNIT_COMPUTE]),
      .active_o       (compute_active),
      .over_o         (compute_over),
      .log_n_i        (log_n_copy[UNIT_COMPUTE]),
      .q_i            (unit_q[UNIT_COMPUTE]),
      .mu_i           (unit_mu[UNIT_COMPUTE]),
      .shift_i        (unit_shift[UNIT_COMPUTE]),
      .constant_i     (unit_constant[UNIT_COMPUTE]),
      .read_o         (lanes_read),
      .read_half_o    (lanes_read_half),
      .read_addr_o    (lanes_read_addr),
      .read_groups_o  (lanes_read_groups),
      .write_o        (lanes_write),
      .write_half_o   (lanes_write_half),
      .write_addr_o   (lanes_write_addr),
      .write_groups_o (lanes_write_groups),
      .data_o         (lanes_result),
      .data_i         (lanes_data),
      .stream_valid_i (stream_valid && stream_factor),
      .stream_ready_o (factor_ready),
      .stream_sec_i   (stream_data),
      .twiddle_start_i(unit_start[UNIT_LOAD] && loads_context),
      .twiddle_ctx_i  (load_context),
      .twiddle_roots_i(load_roots),
      .twiddle_part_i (load_part),
      .twiddle_valid_i(twiddle_valid),
      .twiddle_ready_o(twiddle_ready),
      .twiddle_i      (twiddle_data),
      .twiddle_done_o (twiddle_done),
      .twiddle_words_o(twiddle_words)
  );
  assign loads_context = unit_instr[UNIT_LOAD][OpLsb+:6] == OP_CONTEXT ||
      (Encode && (unit_instr[UNIT_LOAD][OpLsb+:6] == OP_ROOTS || unit_instr[UNIT_LOAD][OpLsb+:6] == OP_TWIDDLES));
  assign unit_fault[UNIT_COMPUTE] = Encode && compute_over ? FAULT_VALUE : FAULT_NONE;

  // ---- LOAD, STORE -----------------------------------------------------------------------------------------------------------
  logic dma_rst_n, stream_secret;

  // of LOAD and STORE, and, where PIPE shares the port, between them and that
  logic own_ar_valid, own_ar_ready, own_r_valid, own_r_ready, own_aw_valid, own_aw_ready, own_w_valid, own_w_ready, own_w_last;
  logic own_b_valid, own_b_ready;
  logic [AxiIdBits-1:0] own_ar_id, own_aw_id;
  logic [AxiAddrBits-1:0] own_ar_addr, own_aw_addr;
  logic [7:0] own_ar_len, own_aw_len;
  logic [  BusBits-1:0] own_w_data;
  logic [BusBits/8-1:0] own_w_strb;
  logic [2:0] ar_size, aw_size;  // always the same
  logic [1:0] ar_burst, aw_burst;
  // of each port
  logic [AxiPorts-1:0] ar_valid, ar_ready, r_valid, r_ready, r_last, aw_valid, aw_ready, w_valid, w_ready, w_last, b_valid, b_ready;
  logic [AxiPorts-1:0][AxiIdBits-1:0] ar_id, aw_id, r_id, b_id;
  logic [AxiPorts-1:0][AxiAddrBits-1:0] ar_addr, aw_addr;
  logic [AxiPorts-1:0][7:0] ar_len, aw_len;
  logic [AxiPorts-1:0][1:0] r_resp, b_resp;
  logic [AxiPorts-1:0][BusBits-1:0] r_data, w_data;
  logic [AxiPorts-1:0][BusBits/8-1:0] w_strb;

  rs_bus_guard #(
      .DrainCycles(DrainCycles)
  ) u_bus_guard (
      .clk_i,
      .rst_ni,
      .start_i  ({unit_start[UNIT_STORE], unit_start[UNIT_LOAD]}),
      .done_i   ({unit_done[UNIT_STORE], unit_done[UNIT_LOAD]}),
      .pipe_i   (!pipe_idle),
      .clear_i  (seq_clear),
      .reset_i  (bus_reset),
      .give_up_o(give_up),
      .hung_o   (bus_hung),
      .rst_no   (dma_rst_n)
  );

  rs_dma_load #(
      .W          (W),
      .Reduction  (Reduction),
      .LogNMax    (LogNMax),
      .Lanes      (Lanes),
      .BusBits    (BusBits),
      .AddrBits   (AxiAddrBits),
      .IdBits     (AxiIdBits),
      .Outstanding(Outstanding),
      .Reducers   (Reducers),
      .Encode     (Encode),
      .LogNMin    (LogNMin)
  ) u_load (
      .clk_i,
      .rst_ni         (dma_rst_n),
      .start_i        (unit_start[UNIT_LOAD]),
      .instr_i        (unit_instr[UNIT_LOAD]),
      .clear_i        (seq_clear),
      .addr_i         (unit_addr[UNIT_LOAD]),
      .log_n_i        (log_n_copy[UNIT_LOAD]),
      .q_i            (unit_q[UNIT_LOAD]),
      .ratio64_i      (unit_ratio64[UNIT_LOAD]),
      .ctx_o          (load_ctx),
      .twiddle_words_i(twiddle_words),
      .room_o         (load_room),
      .done_o         (unit_done[UNIT_LOAD]),
      .fault_o        (unit_fault[UNIT_LOAD]),
      .chunk_valid_o  (write_valid[WriteLoad]),
      .chunk_word_o   (load_word),
      .chunk_real_o   (load_real),
      .chunk_group_o  (write_group[WriteLoad]),
      .chunk_ntt_o    (write_ntt[WriteLoad]),
      .chunk_pos_o    (write_pos[WriteLoad]),
      .chunk_data_o   (write_data[WriteLoad]),
      .stream_valid_o (stream_valid),
      .stream_ready_i (stream_ready),
      .stream_o       (stream_data),
      .stream_secret_o(stream_secret),
      .context_o      (load_context),
      .roots_o        (load_roots),
      .part_o         (load_part),
      .header_write_o (header_write),
      .header_beat_o  (header_beat),
      .header_valid_o (header_valid),
      .twiddle_valid_o(twiddle_valid),
      .twiddle_ready_i(twiddle_ready),
      .twiddle_o      (twiddle_data),
      .twiddles_done_i(twiddle_done),
      .arvalid_o      (own_ar_valid),
      .arready_i      (own_ar_ready),
      .arid_o         (own_ar_id),
      .araddr_o       (own_ar_addr),
      .arlen_o        (own_ar_len),
      .arsize_o       (ar_size),
      .arburst_o      (ar_burst),
      .rvalid_i       (own_r_valid),
      .rready_o       (own_r_ready),
      .rdata_i        (r_data[0]),
      .rresp_i        (r_resp[0]),
      .rlast_i        (r_last[0])
  );

  // the instruction says for whom a STREAM is
  assign stream_factor = StreamFactor && stream_secret;
  assign stream_ready  = stream_factor ? factor_ready : lift_ready;

  assign m_axi_arprot  = {AxiPorts{3'(AxiProt)}};
  assign m_axi_awprot  = {AxiPorts{3'(AxiProt)}};
  assign m_axi_arcache = {AxiPorts{4'(AxiCache)}};
  assign m_axi_awcache = {AxiPorts{4'(AxiCache)}};
  assign m_axi_arqos   = {AxiPorts{4'(AxiQos)}};
  assign m_axi_awqos   = {AxiPorts{4'(AxiQos)}};
  assign m_axi_aruser  = {AxiPorts{AxiUserBits'(AxiUser)}};
  assign m_axi_awuser  = {AxiPorts{AxiUserBits'(AxiUser)}};

  rs_dma_store #(
      .W          (W),
      .LogNMax    (LogNMax),
      .Lanes      (Lanes),
      .BusBits    (BusBits),
      .AddrBits   (AxiAddrBits),
      .IdBits     (AxiIdBits),
      .Outstanding(Outstanding),
      .Encode     (Encode),
      .LogNMin    (LogNMin)
  ) u_store (
      .clk_i,
      .rst_ni      (dma_rst_n),
      .start_i     (unit_start[UNIT_STORE]),
      .instr_i     (unit_instr[UNIT_STORE]),
      .clear_i     (seq_clear),
      .addr_i      (unit_addr[UNIT_STORE]),
      .log_n_i     (log_n_copy[UNIT_STORE]),
      .done_o      (unit_done[UNIT_STORE]),
      .fault_o     (unit_fault[UNIT_STORE]),
      .chunk_req_o (read_req[ReadStore]),
      .chunk_pos_o (read_pos[ReadStore]),
      .chunk_data_i(read_data),
      .awvalid_o   (own_aw_valid),
      .awready_i   (own_aw_ready),
      .awid_o      (own_aw_id),
      .awaddr_o    (own_aw_addr),
      .awlen_o     (own_aw_len),
      .awsize_o    (aw_size),
      .awburst_o   (aw_burst),
      .wvalid_o    (own_w_valid),
      .wready_i    (own_w_ready),
      .wdata_o     (own_w_data),
      .wstrb_o     (own_w_strb),
      .wlast_o     (own_w_last),
      .bvalid_i    (own_b_valid),
      .bready_o    (own_b_ready),
      .bresp_i     (b_resp[0])
  );

  if (AxiIds > 1) begin : gen_lines
    for (genvar p = 0; p < AxiPorts; p++) begin : gen_port
      rs_axi_lines #(
          .BusBits   (BusBits),
          .AddrBits  (AxiAddrBits),
          .IdBits    (AxiIdBits),
          .PortIdBits(AxiIdBits),
          .Lines     (AxiIds)
      ) u_lines (
          .clk_i,
          .rst_ni   (dma_rst_n),
          .s_arvalid(ar_valid[p]),
          .s_arready(ar_ready[p]),
          .s_arid   (ar_id[p]),
          .s_araddr (ar_addr[p]),
          .s_arlen  (ar_len[p]),
          .s_rvalid (r_valid[p]),
          .s_rready (r_ready[p]),
          .s_rid    (r_id[p]),
          .s_rdata  (r_data[p]),
          .s_rresp  (r_resp[p]),
          .s_rlast  (r_last[p]),
          .s_awvalid(aw_valid[p]),
          .s_awready(aw_ready[p]),
          .s_awid   (aw_id[p]),
          .s_awaddr (aw_addr[p]),
          .s_awlen  (aw_len[p]),
          .s_wvalid (w_valid[p]),
          .s_wready (w_ready[p]),
          .s_wdata  (w_data[p]),
          .s_wstrb  (w_strb[p]),
          .s_wlast  (w_last[p]),
          .s_bvalid (b_valid[p]),
          .s_bready (b_ready[p]),
          .s_bid    (b_id[p]),
          .s_bresp  (b_resp[p]),
          .m_arvalid(m_axi_arvalid[p]),
          .m_arready(m_axi_arready[p]),
          .m_arid   (m_axi_arid[p]),
          .m_araddr (m_axi_araddr[p]),
          .m_arlen  (m_axi_arlen[p]),
          .m_arsize (m_axi_arsize[p]),
          .m_arburst(m_axi_arburst[p]),
          .m_rvalid (m_axi_rvalid[p]),
          .m_rready (m_axi_rready[p]),
          .m_rid    (m_axi_rid[p]),
          .m_rdata  (m_axi_rdata[p]),
          .m_rresp  (m_axi_rresp[p]),
          .m_rlast  (m_axi_rlast[p]),
          .m_awvalid(m_axi_awvalid[p]),
          .m_awready(m_axi_awready[p]),
          .m_awid   (m_axi_awid[p]),
          .m_awaddr (m_axi_awaddr[p]),
          .m_awlen  (m_axi_awlen[p]),
          .m_awsize (m_axi_awsize[p]),
          .m_awburst(m_axi_awburst[p]),
          .m_wvalid (m_axi_wvalid[p]),
          .m_wready (m_axi_wready[p]),
          .m_wdata  (m_axi_wdata[p]),
          .m_wstrb  (m_axi_wstrb[p]),
          .m_wlast  (m_axi_wlast[p]),
          .m_bvalid (m_axi_bvalid[p]),
          .m_bready (m_axi_bready[p]),
          .m_bid    (m_axi_bid[p]),
          .m_bresp  (m_axi_bresp[p])
      );
    end

    logic unused_bursts;
    assign unused_bursts = ^{ar_size, ar_burst, aw_size, aw_burst};  // always the same
  end else begin : gen_wires
    assign m_axi_arvalid = ar_valid;
    assign m_axi_arid = ar_id;
    assign m_axi_araddr = ar_addr;
    assign m_axi_arlen = ar_len;
    assign m_axi_arsize = {AxiPorts{ar_size}};
    assign m_axi_arburst = {AxiPorts{ar_burst}};
    assign {ar_ready, r_valid, m_axi_rready} = {m_axi_arready, m_axi_rvalid, r_ready};
    assign r_data = m_axi_rdata;
    assign r_resp = m_axi_rresp;
    assign r_last = m_axi_rlast;
    assign m_axi_awvalid = aw_valid;
    assign m_axi_awid = aw_id;
    assign m_axi_awaddr = aw_addr;
    assign m_axi_awlen = aw_len;
    assign m_axi_awsize = {AxiPorts{aw_size}};
    assign m_axi_awburst = {AxiPorts{aw_burst}};
    assign m_axi_wvalid = w_valid;
    assign m_axi_wdata = w_data;
    assign m_axi_wstrb = w_strb;
    assign m_axi_wlast = w_last;
    assign {aw_ready, w_ready, b_valid, m_axi_bready} = {m_axi_awready, m_axi_wready, m_axi_bvalid, b_ready};
    assign b_resp = m_axi_bresp;
    assign r_id = m_axi_rid;
    assign b_id = m_axi_bid;
  end

  // ---- the streams of SAMPLE and EXPAND ----------------------------------------------------------------------------------------
  localparam int unsigned PieceBytes = KeccakSlices == 64 ? rs_xof_pkg::BlockBytes : KeccakSlices / 8;
  localparam int unsigned PrivateBits = rs_xof_pkg::private_bits(LogNMax);
  localparam int unsigned PublicBits = rs_xof_pkg::public_bits(LogNMax);
  logic private_clear, private_start, private_ready, private_valid;
  logic [7:0] private_domain;
  logic [PrivateBits-1:0] private_limit;
  logic [8*PieceBytes-1:0] private_data_sec;
  logic public_own, public_start, public_go, public_ready, public_last, public_valid;
  logic [PublicBits-1:0] public_block, public_stride;
  logic [rs_xof_pkg::LogBlockWords-1:0] public_skip;
  logic [ExpandWords-1:0][63:0] public_word;

  if (Slots > 0 || Expand) begin : gen_xof
    rs_xof #(
        .Slices         (KeccakSlices),
        .HasPrivate     (Slots > 0),
        .HasPublic      (Expand),
        .Shared         (KeccakShared),
        .KeccakCores    (KeccakCores),
        .SampleRounds   (SampleRounds),
        .PublicWords    (ExpandWords),
        .PublicThrottled(ExpandSteps != 0),
        .ExpandRounds   (ExpandRounds),
        .PrivateBits    (PrivateBits),
        .PublicBits     (PublicBits)
    ) u_xof (
        .clk_i,
        .rst_ni,
        .private_clear_i   (private_clear),
        .private_start_i   (private_start),
        .seed_public_o     (seed_public),
        .seed_step_o       (seed_step),
        .private_row_sec_i (private_row_sec),
        .public_row_i      (public_row),
        .private_domain_i  (private_domain),
        .private_limit_i   (private_limit),
        .private_ready_i   (private_ready),
        .private_valid_o   (private_valid),
        .private_data_sec_o(private_data_sec),
        .public_own_i      (public_own),
        .public_start_i    (public_start),
        .public_block_i    (public_block),
        .public_skip_i     (public_skip),
        .public_stride_i   (public_stride),
        .public_go_i       (public_go),
        .public_ready_i    (public_ready),
        .public_last_o     (public_last),
        .public_valid_o    (public_valid),
        .public_word_o     (public_word)
    );
  end else begin : gen_no_xof
    assign {private_valid, private_data_sec, public_last, public_valid, public_word, seed_public, seed_step} = '0;
  end

  // ---- SAMPLE, LIFT ----------------------------------------------------------------------------------------------------------
  logic sample_active, lift_active;

  if (Slots > 0) begin : gen_sampler
    localparam int unsigned RowBits = SlotRowBits;
    logic [Slots-1:0] sample_we;
    logic [RowBits-1:0] sample_row, lift_row;
    logic [V-1:0][5:0] sample_data_sec, lift_wdata_sec, lift_rdata_sec;
    logic lift_req, lift_we;
    logic [3:0] lift_slot;

    rs_sample_unit #(
        .LogNMax     (LogNMax),
        .Slots       (Slots),
        .ChunkWords  (V),
        .SampleLanes (SampleLanes),
        .PieceBytes  (PieceBytes),
        .TernaryBytes(TernaryBytes)
    ) u_sample (
        .clk_i,
        .rst_ni,
        .start_i        (unit_start[UNIT_SAMPLE]),
        .instr_i        (unit_instr[UNIT_SAMPLE]),
        .clear_i        (seq_clear),
        .done_o         (unit_done[UNIT_SAMPLE]),
        .fault_o        (unit_fault[UNIT_SAMPLE]),
        .log_n_i        (log_n_copy[UNIT_SAMPLE]),
        .slot_we_o      (sample_we),
        .slot_row_o     (sample_row),
        .slot_data_sec_o(sample_data_sec),
        .xof_clear_o    (private_clear),
        .xof_start_o    (private_start),
        .xof_domain_o   (private_domain),
        .xof_limit_o    (private_limit),
        .xof_ready_o    (private_ready),
        .xof_valid_i    (private_valid),
        .xof_data_sec_i (private_data_sec)
    );

    rs_slots #(
        .LogNMax   (LogNMax),
        .Slots     (Slots),
        .ChunkWords(V),
        .Pipe      (HasPipe)
    ) u_slots (
        .clk_i,
        .wipe_i           (wipe),
        .wipe_row_i       (wipe_row[RowBits-1:0]),
        .sample_we_i      (sample_we),
        .sample_row_i     (sample_row),
        .sample_data_sec_i(sample_data_sec),
        .lift_req_i       (lift_req),
        .lift_we_i        (lift_we),
        .lift_slot_i      (lift_slot),
        .lift_row_i       (lift_row),
        .lift_wdata_sec_i (lift_wdata_sec),
        .lift_rdata_sec_o (lift_rdata_sec),
        .pipe_req_i       (pipe_slot_req),
        .pipe_first_i     (pipe_slot),
        .pipe_row_i       (pipe_slot_row),
        .pipe_rdata_sec_o (pipe_slots_sec)
    );

    rs_lift_unit #(
        .W         (W),
        .LogNMax   (LogNMax),
        .ChunkWords(V),
        .Lanes     (Lanes),
        .Encode    (Encode)
    ) u_lift (
        .clk_i,
        .rst_ni,
        .start_i         (unit_start[UNIT_LIFT]),
        .instr_i         (unit_instr[UNIT_LIFT]),
        .clear_i         (seq_clear),
        .done_o          (unit_done[UNIT_LIFT]),
        .fault_o         (unit_fault[UNIT_LIFT]),
        .log_n_i         (log_n_copy[UNIT_LIFT]),
        .q_i             (unit_q[UNIT_LIFT]),
        .factor_i        (unit_factor[UNIT_LIFT]),
        .stream_valid_i  (stream_valid && !stream_factor),
        .stream_ready_o  (lift_ready),
        .stream_i        (stream_data),
        .chunk_valid_o   (write_valid[WriteLift]),
        .chunk_pos_o     (write_pos[WriteLift]),
        .chunk_data_o    (write_data[WriteLift]),
        .chunk_req_o     (read_req[ReadRound]),
        .chunk_ready_i   (read_ready[ReadRound]),
        .chunk_rpos_o    (read_pos[ReadRound]),
        .chunk_data_i    (read_data),
        .slot_req_o      (lift_req),
        .slot_we_o       (lift_we),
        .slot_o          (lift_slot),
        .slot_row_o      (lift_row),
        .slot_wdata_sec_o(lift_wdata_sec),
        .slot_rdata_sec_i(lift_rdata_sec)
    );

    assign sample_active = sample_we != '0;
    assign lift_active   = write_valid[WriteLift] || (read_req[ReadRound] && read_ready[ReadRound]);
  end else begin : gen_no_sampler
    assign {private_clear, private_start, private_domain, private_limit, private_ready} = '0;
    assign {lift_ready, sample_active, lift_active} = '0;
    assign pipe_slots_sec = '0;
    assign {write_valid[WriteLift], write_pos[WriteLift], write_data[WriteLift], read_req[ReadRound], read_pos[ReadRound]} = '0;
    assign unit_done[UNIT_SAMPLE] = 1'b0;
    assign unit_done[UNIT_LIFT] = 1'b0;
    assign unit_fault[UNIT_SAMPLE] = FAULT_NONE;
    assign unit_fault[UNIT_LIFT] = FAULT_NONE;
  end

  // ---- EXPAND ----------------------------------------------------------------------------------------------------------------
  if (Expand) begin : gen_expand
    rs_expand_unit #(
        .W      (W),
        .LogNMax(LogNMax),
        .Words  (ExpandWords),
        .Serial (KeccakSlices != 64),  // its words are few
        .Steps  (ExpandSteps)
    ) u_expand (
        .clk_i,
        .rst_ni,
        .start_i       (unit_start[UNIT_EXPAND]),
        .instr_i       (unit_instr[UNIT_EXPAND]),
        .clear_i       (seq_clear),
        .done_o        (unit_done[UNIT_EXPAND]),
        .fault_o       (unit_fault[UNIT_EXPAND]),
        .log_n_i       (log_n_copy[UNIT_EXPAND]),
        .q_i           (unit_q[UNIT_EXPAND]),
        .ratio64_i     (unit_ratio64[UNIT_EXPAND]),
        .max_multiple_i(unit_max_multiple[UNIT_EXPAND]),
        .word_valid_o  (expand_valid),
        .word_side_o   (expand_side),
        .word_index_o  (expand_index),
        .word_o        (expand_data),
        .xof_own_o     (public_own),
        .xof_start_o   (public_start),
        .xof_block_o   (public_block),
        .xof_skip_o    (public_skip),
        .xof_stride_o  (public_stride),
        .xof_go_o      (public_go),
        .xof_ready_o   (public_ready),
        .xof_last_i    (public_last),
        .xof_valid_i   (public_valid),
        .xof_word_i    (public_word)
    );
  end else begin : gen_no_expand
    assign {expand_valid, expand_side, expand_index, expand_data} = '0;
    assign {public_own, public_start, public_block, public_skip, public_stride, public_go, public_ready} = '0;
    assign unit_done[UNIT_EXPAND] = 1'b0;
    assign unit_fault[UNIT_EXPAND] = FAULT_NONE;
  end

  // one id; not every unit has a modulus
  logic unused;
  assign unused = ^{private_valid, private_data_sec, public_last, public_valid, public_word} ^
      ^{r_id, b_id, unit_start, public_row, private_row_sec} ^
      ^{unit_q, unit_mu, unit_shift, unit_constant, unit_factor, unit_ratio64, unit_max_multiple};

  // ---- PIPE ------------------------------------------------------------------------------------------------------------------
  if (HasPipe) begin : gen_pipe
    logic [AxiPorts-1:0] pipe_ar_valid, pipe_ar_ready, pipe_r_valid, pipe_r_ready, pipe_aw_valid, pipe_aw_ready;
    logic [AxiPorts-1:0] pipe_w_valid, pipe_w_ready, pipe_w_last, pipe_b_valid, pipe_b_ready;
    logic [AxiPorts-1:0][AxiIdBits-1:0] pipe_ar_id, pipe_aw_id;
    logic [AxiPorts-1:0][AxiAddrBits-1:0] pipe_ar_addr, pipe_aw_addr;
    logic [AxiPorts-1:0][7:0] pipe_ar_len, pipe_aw_len;
    logic [AxiPorts-1:0][  BusBits-1:0] pipe_w_data;
    logic [AxiPorts-1:0][BusBits/8-1:0] pipe_w_strb;

    rs_pipe_unit #(
        .W         (W),
        .Reduction (Reduction),
        .LogNMin   (LogNMin),
        .LogNMax   (LogNMax),
        .P         (StreamLanes),
        .Ports     (AxiPorts),
        .ChunkWords(V),
        .AddrBits  (AxiAddrBits),
        .IdBits    (AxiIdBits)
    ) u_pipe (
        .clk_i,
        .rst_ni          (dma_rst_n),
        .start_i         (unit_start[UNIT_PIPE]),
        .instr_i         (unit_instr[UNIT_PIPE]),
        .clear_i         (pipe_clear),
        .addr_i          (unit_addr[2]),
        .log_n_i         (log_n_copy[Memory]),
        .done_o          (unit_done[UNIT_PIPE]),
        .fault_o         (unit_fault[UNIT_PIPE]),
        .idle_o          (pipe_idle),
        .active_o        (pipe_active),
        .wipe_i          (wipe),
        .wiping_o        (pipe_wiping),
        .slot_req_o      (pipe_slot_req),
        .slot_row_o      (pipe_slot_row),
        .slot_first_o    (pipe_slot),
        .slot_data_sec_i (pipe_slots_sec),
        .chunk_req_o     (pipe_req),
        .chunk_pos_o     (pipe_pos),
        .chunk_data_sec_i(pipe_words_sec),
        .arvalid_o       (pipe_ar_valid),
        .arready_i       (pipe_ar_ready),
        .arid_o          (pipe_ar_id),
        .araddr_o        (pipe_ar_addr),
        .arlen_o         (pipe_ar_len),
        .arsize_o        (),                       // those of LOAD and STORE
        .arburst_o       (),
        .rvalid_i        (pipe_r_valid),
        .rready_o        (pipe_r_ready),
        .rdata_i         (r_data),
        .rresp_i         (r_resp),
        .rlast_i         (r_last),
        .awvalid_o       (pipe_aw_valid),
        .awready_i       (pipe_aw_ready),
        .awid_o          (pipe_aw_id),
        .awaddr_o        (pipe_aw_addr),
        .awlen_o         (pipe_aw_len),
        .awsize_o        (),
        .awburst_o       (),
        .wvalid_o        (pipe_w_valid),
        .wready_i        (pipe_w_ready),
        .wdata_o         (pipe_w_data),
        .wstrb_o         (pipe_w_strb),
        .wlast_o         (pipe_w_last),
        .bvalid_i        (pipe_b_valid),
        .bready_o        (pipe_b_ready),
        .bresp_i         (b_resp)
    );

    rs_axi_share #(
        .BusBits (BusBits),
        .AddrBits(AxiAddrBits),
        .IdBits  (AxiIdBits),
        .Reads   (4)             // PIPE wants 3 / 4 of a bus of 512 bits, at two words per cycle; 5 / 8 of port 0 of two, at four
    ) u_share (
        .clk_i,
        .rst_ni   (dma_rst_n),
        .s_arvalid({pipe_ar_valid[0], own_ar_valid}),
        .s_arready({pipe_ar_ready[0], own_ar_ready}),
        .s_arid   ({pipe_ar_id[0], own_ar_id}),
        .s_araddr ({pipe_ar_addr[0], own_ar_addr}),
        .s_arlen  ({pipe_ar_len[0], own_ar_len}),
        .s_rvalid ({pipe_r_valid[0], own_r_valid}),
        .s_rready ({pipe_r_ready[0], own_r_ready}),
        .s_rid    (),
        .s_rdata  (),                                  // all see what comes
        .s_rresp  (),
        .s_rlast  (),
        .s_awvalid({pipe_aw_valid[0], own_aw_valid}),
        .s_awready({pipe_aw_ready[0], own_aw_ready}),
        .s_awid   ({pipe_aw_id[0], own_aw_id}),
        .s_awaddr ({pipe_aw_addr[0], own_aw_addr}),
        .s_awlen  ({pipe_aw_len[0], own_aw_len}),
        .s_wvalid ({pipe_w_valid[0], own_w_valid}),
        .s_wready ({pipe_w_ready[0], own_w_ready}),
        .s_wdata  ({pipe_w_data[0], own_w_data}),
        .s_wstrb  ({pipe_w_strb[0], own_w_strb}),
        .s_wlast  ({pipe_w_last[0], own_w_last}),
        .s_bvalid ({pipe_b_valid[0], own_b_valid}),
        .s_bready ({pipe_b_ready[0], own_b_ready}),
        .s_bid    (),
        .s_bresp  (),
        .m_arvalid(ar_valid[0]),
        .m_arready(ar_ready[0]),
        .m_arid   (ar_id[0]),
        .m_araddr (ar_addr[0]),
        .m_arlen  (ar_len[0]),
        .m_rvalid (r_valid[0]),
        .m_rready (r_ready[0]),
        .m_rid    (r_id[0]),
        .m_rdata  (r_data[0]),
        .m_rresp  (r_resp[0]),
        .m_rlast  (r_last[0]),
        .m_awvalid(aw_valid[0]),
        .m_awready(aw_ready[0]),
        .m_awid   (aw_id[0]),
        .m_awaddr (aw_addr[0]),
        .m_awlen  (aw_len[0]),
        .m_wvalid (w_valid[0]),
        .m_wready (w_ready[0]),
        .m_wdata  (w_data[0]),
        .m_wstrb  (w_strb[0]),
        .m_wlast  (w_last[0]),
        .m_bvalid (b_valid[0]),
        .m_bready (b_ready[0]),
        .m_bid    (b_id[0]),
        .m_bresp  (b_resp[0])
    );

    for (genvar p = 1; p < AxiPorts; p++) begin : gen_port
      assign {ar_valid[p], ar_id[p], ar_addr[p], ar_len[p]} = {pipe_ar_valid[p], pipe_ar_id[p], pipe_ar_addr[p], pipe_ar_len[p]};
      assign {pipe_ar_ready[p], pipe_r_valid[p], r_ready[p]} = {ar_ready[p], r_valid[p], pipe_r_ready[p]};
      assign {aw_valid[p], aw_id[p], aw_addr[p], aw_len[p]} = {pipe_aw_valid[p], pipe_aw_id[p], pipe_aw_addr[p], pipe_aw_len[p]};
      assign {w_valid[p], w_data[p], w_strb[p], w_last[p]} = {pipe_w_valid[p], pipe_w_data[p], pipe_w_strb[p], pipe_w_last[p]};
      assign {pipe_aw_ready[p], pipe_w_ready[p], pipe_b_valid[p], b_ready[p]} = {
        aw_ready[p], w_ready[p], b_valid[p], pipe_b_ready[p]
      };
    end
  end else begin : gen_no_pipe
    assign unit_done[UNIT_PIPE] = 1'b0;
    assign unit_fault[UNIT_PIPE] = FAULT_NONE;
    assign {pipe_idle, pipe_active, pipe_wiping} = 3'b100;
    assign {pipe_req, pipe_pos, pipe_slot_req, pipe_slot, pipe_slot_row} = '0;
    assign {ar_valid, ar_id, ar_addr, ar_len, own_ar_ready} = {own_ar_valid, own_ar_id, own_ar_addr, own_ar_len, ar_ready};
    assign {own_r_valid, r_ready} = {r_valid, own_r_ready};
    assign {aw_valid, aw_id, aw_addr, aw_len, own_aw_ready} = {own_aw_valid, own_aw_id, own_aw_addr, own_aw_len, aw_ready};
    assign {w_valid, w_data, w_strb, w_last, own_w_ready} = {own_w_valid, own_w_data, own_w_strb, own_w_last, w_ready};
    assign {own_b_valid, b_ready} = {b_valid, own_b_ready};

    logic unused_pipe;
    assign unused_pipe = ^{pipe_clear, unit_addr[2], pipe_words_sec, pipe_slots_sec};
  end

  // ---- trace -----------------------------------------------------------------------------------------------------------------
  assign trace_busy_o = unit_busy;
  rs_trace u_trace (
      .read_valid_i    (m_axi_rvalid[0]),
      .read_ready_i    (m_axi_rready[0]),
      .write_valid_i   (m_axi_wvalid[0]),
      .write_ready_i   (m_axi_wready[0]),
      .compute_active_i(compute_active),
      .sample_active_i (sample_active),
      .lift_active_i   (lift_active),
      .expand_active_i (expand_valid),
      .pipe_active_i   (pipe_active),
      .active_o        (trace_active_o)
  );

endmodule
