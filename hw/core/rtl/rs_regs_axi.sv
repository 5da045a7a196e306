// SPDX-License-Identifier: Apache-2.0
// rs_regs_axi: the core's registers behind AXI4-Lite: rs_regs, and what writing them does.
// Model:   hw/core/regs.rdl, docs/registers.md
// Params:  what the configuration registers say; SeedSlices, BothSeeds (rs_seeds); SecureWrites: a write that AWPROT calls non-secure does nothing and answers SLVERR,
//          and PROGRAM_LO and PROGRAM_HI are zero for a read that ARPROT calls so
// Bounds:  AXI4-Lite with 32-bit words; an address without a register answers SLVERR, and so does a part of a word of the seeds or
//          pointers, which then stays as it is
// Timing:  one write or read after the other, three cycles each; every output but the commands and what comes from a memory, a pointer
//          and rows of the seeds, comes out of a flip-flop
module rs_regs_axi
  import rs_isa_pkg::*;
#(
    parameter  int unsigned Lanes        = 1,
    parameter  int unsigned W            = 32,
    parameter  int unsigned LogNMin      = 10,
    parameter  int unsigned LogNMax      = 13,
    parameter  int unsigned Groups       = 4,
    parameter  int unsigned Contexts     = 2,
    parameter  int unsigned Slots        = 2,
    parameter  int unsigned BusBits      = 64,
    parameter  bit          HasExpand    = 1'b1,
    parameter  bit          HasReduce    = 1'b0,
    parameter  bit          HasFactor    = 1'b0,
    parameter  bit          HasEncode    = 1'b0,
    parameter  int unsigned Slices       = 1,
    parameter  int unsigned StreamLanes  = 0,
    parameter  bit          HasFields    = 1'b0,
    parameter  bit          Sealed       = 1'b0,
    parameter  bit          HasShort     = 1'b0,
    parameter  bit          HasRing      = 1'b0,
    parameter  bit          OnTheFly     = 1'b0,
    parameter  int unsigned ProgramDepth = 512,
    parameter  int unsigned KeccakCores  = 1,
    parameter  int unsigned SeedSlices   = 64,
    parameter  bit          BothSeeds    = 1'b0,
    parameter  bit          SecureWrites = 1'b0,
    localparam int unsigned AddrBits     = 12,
    localparam int unsigned StepBits     = SeedSlices < 64 ? $clog2(64 / SeedSlices) : 1,
    localparam int unsigned Frames       = frames_of(HasEncode, StreamLanes != 0)
) (
    input logic clk_i,
    input logic rst_ni,

    input  rs_axi_pkg::lite_req_t axil_i,
    output rs_axi_pkg::lite_rsp_t axil_o,

    // rs_sequencer
    output logic start_o,
    output logic abort_o,
    output logic [4:0] log_n_o,
    output logic [31:0] watchdog_o,
    input logic [4:0] pointer_index_i,  // from 16 on: pointer 7 of a frame above 0
    output logic [63:0] pointer_o,  // the pointer of that index; a cycle later that of another one. Bit 0: not to be used
    output logic no_encrypt_o,
    output logic no_decrypt_o,
    output logic prog_we_o,
    output logic [15:0] prog_addr_o,
    output logic [63:0] prog_data_o,
    input logic busy_i,
    input logic done_i,  // pulse, with cause and pc
    input logic [3:0] cause_i,
    input logic [15:0] pc_i,
    input logic [31:0] cycles_i,
    input logic [Units-1:0][31:0] unit_cycles_i,

    // the rest of the core
    input  logic                    seed_public_i,      // kind of seed that rs_seeds reads; the seeds are stable while busy_i
    input  logic [    StepBits-1:0] seed_step_i,
    input  logic [   FrameBits-1:0] private_frame_i,    // whose seeds are read
    input  logic [   FrameBits-1:0] public_frame_i,
    output logic [8*SeedSlices-1:0] private_row_sec_o,
    output logic [8*SeedSlices-1:0] public_row_o,
    output logic                    new_seed_o,         // pulse: all words of the private seed of new_frame_o have been written
    output logic [   FrameBits-1:0] new_frame_o,
    output logic                    zeroize_o,          // pulse: wipe everything, as long as zeroizing_i says
    input  logic                    lock_i,             // no write does anything, and PROGRAM_LO and PROGRAM_HI are zero
    input  logic                    zeroizing_i,        // for 2 Frames 64 / SeedSlices cycles at least
    output logic                    bus_reset_o,        // pulse: the interconnect is in reset
    input  logic                    bus_hung_i,         // wipes the private seed too
    input  logic [             1:0] alert_i,
    output logic                    irq_o
);

  rs_regs_pkg::rs_regs__in_t  hwif_in;
  rs_regs_pkg::rs_regs__out_t hwif_out;
  logic idle_q, calm_q, takes_program, start, zeroize, clear, late, held, written_q, done_q, irq_q, error_q;

  // ---- AXI4-Lite: take a request, do it in the next cycle, answer; then the next one, reads and writes in turn ----
  logic
      seeds_busy,
      free,
      writes,
      reads,
      refused_q,
      write_q,
      read_q,
      wrote_q,
      bvalid_q,
      rvalid_q,
      failed_q,
      rd_ack,
      rd_err,
      wr_ack,
      wr_err;
  logic partial, withheld;
  logic [AddrBits-1:2] addr_q;
  logic [31:0] wdata_q, rdata_q, rd_data;
  logic [3:0] wstrb_q;
  logic unused;

  assign free   = !write_q && !read_q && !bvalid_q && !rvalid_q && !seeds_busy;
  assign writes = axil_i.aw_valid && axil_i.w_valid && !(axil_i.ar_valid && wrote_q);
  assign reads  = axil_i.ar_valid && !writes;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q  <= 1'b0;
      read_q   <= 1'b0;
      bvalid_q <= 1'b0;
      rvalid_q <= 1'b0;
      wrote_q  <= 1'b0;
    end else begin
      write_q  <= free && writes;
      read_q   <= free && reads;
      bvalid_q <= write_q || (bvalid_q && !axil_i.b_ready);
      rvalid_q <= read_q || (rvalid_q && !axil_i.r_ready);
      if (write_q || read_q) wrote_q <= write_q;
    end
    if (write_q || read_q) begin
      failed_q <= write_q ? wr_err || refused_q || partial : rd_err;
      rdata_q  <= withheld ? '0 : rd_data;
    end
    if (free) begin
      addr_q <= writes ? axil_i.aw_addr[AddrBits-1:2] : axil_i.ar_addr[AddrBits-1:2];
      wdata_q <= axil_i.w_data;
      wstrb_q <= axil_i.w_strb;
      refused_q <= lock_i || (SecureWrites && (writes ? axil_i.aw_prot[1] : axil_i.ar_prot[1]));
    end
  end

  assign axil_o = '{
          aw_ready: write_q,
          w_ready: write_q,
          b_valid: bvalid_q,
          b_resp: {failed_q, 1'b0},
          ar_ready: read_q,
          r_valid: rvalid_q,
          r_data: rdata_q,
          r_resp: {failed_q, 1'b0}
      };
  // rs_regs answers in the same cycle
  assign unused = ^{axil_i, rd_ack, wr_ack};

  rs_regs u_regs (
      .clk(clk_i),
      .rst_n(rst_ni),
      .s_cpuif_req(1'b1),  // reading has no effect: what is not a write reads
      .s_cpuif_req_is_wr(write_q && !refused_q),
      .s_cpuif_addr({addr_q, 2'b00}),
      .s_cpuif_wr_data(wdata_q),
      .s_cpuif_wr_biten({{8{wstrb_q[3]}}, {8{wstrb_q[2]}}, {8{wstrb_q[1]}}, {8{wstrb_q[0]}}}),
      .s_cpuif_req_stall_wr(),
      .s_cpuif_req_stall_rd(),
      .s_cpuif_rd_ack(rd_ack),
      .s_cpuif_rd_err(rd_err),
      .s_cpuif_rd_data(rd_data),
      .s_cpuif_wr_ack(wr_ack),
      .s_cpuif_wr_err(wr_err),
      .hwif_in,
      .hwif_out
  );

  assign hwif_in.LANES.value.next = 32'(Lanes);
  assign hwif_in.WORD_BITS.value.next = 32'(W);
  assign hwif_in.LOG_N_MIN.value.next = 32'(LogNMin);
  assign hwif_in.LOG_N_MAX.value.next = 32'(LogNMax);
  assign hwif_in.GROUPS.value.next = 32'(Groups);
  assign hwif_in.CONTEXTS.value.next = 32'(Contexts);
  assign hwif_in.SLOTS.value.next = 32'(Slots);
  assign hwif_in.BUS_BITS.value.next = 32'(BusBits);
  assign hwif_in.FEATURES.sampler.next = Slots != 0;
  assign hwif_in.FEATURES.expand.next = HasExpand;
  assign hwif_in.FEATURES.reduce.next = HasReduce;
  assign hwif_in.FEATURES.on_the_fly.next = OnTheFly;
  assign hwif_in.FEATURES.stream_factor.next = HasFactor;
  assign hwif_in.FEATURES.fixed_point.next = HasEncode;
  assign hwif_in.FEATURES.pipe.next = StreamLanes != 0;
  assign hwif_in.FEATURES.stream_lanes.next = (HasFields ? 8'd128 + 8'(Sealed) : 8'(StreamLanes)) | {1'b0, HasShort, HasRing, 5'd0};
  assign hwif_in.FEATURES.log_slices.next = 3'($clog2(Slices));
  assign hwif_in.PROGRAM_DEPTH.value.next = 32'(ProgramDepth);
  assign hwif_in.KECCAK_CORES.value.next = 32'(KeccakCores);

  // ---- commands ----
  // A cycle late, because every operand's enable hangs on them: two accesses are further apart.
  always_ff @(posedge clk_i) begin
    idle_q <= !busy_i && !start;
    calm_q <= !busy_i && !start && !zeroizing_i && !zeroize && !bus_hung_i;
  end
  assign start = hwif_out.CONTROL.start.value;
  assign zeroize = hwif_out.CONTROL.zeroize.value;
  assign clear = hwif_out.CONTROL.clear_irq.value;
  assign start_o = start && calm_q && !abort_o;
  assign abort_o = hwif_out.CONTROL.abort.value || zeroize;
  assign zeroize_o = zeroize;
  assign bus_reset_o = hwif_out.CONTROL.bus_reset.value;
  assign hwif_in.idle = idle_q;
  assign takes_program = Sealed ? calm_q : idle_q;  // the vault has a copy, and takes no word while it is wiped
  assign late = (start && !start_o) || (written_q && !takes_program) || held;  // nothing that was ignored goes unsaid

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
  assign hwif_in.STATUS.bus_hung.next = bus_hung_i;
  assign hwif_in.STATUS.alert.next = alert_i;
  assign hwif_in.STATUS.cause.next = cause_i;
  assign hwif_in.STATUS.pc.next = pc_i;
  assign hwif_in.CYCLES.value.next = cycles_i;
  for (genvar u = 0; u < Units; u++) begin : gen_busy
    if (u == int'(UNIT_PIPE)) begin : gen_pipe
      assign hwif_in.BUSY_PIPE.value.next = unit_cycles_i[u];
    end else if (u < int'(UNIT_PIPE)) begin : gen_unit
      assign hwif_in.BUSY[u].value.next = unit_cycles_i[u];
    end else begin : gen_uncounted
      logic unused_cycles;
      assign unused_cycles = ^unit_cycles_i[u];
    end
  end

  // ---- program, and the lanes of keys: these cannot be read, not even while they come ----
  logic is_lane, forget;
  assign is_lane = Sealed && hwif_out.PROGRAM_INDEX.value.value[15];
  assign withheld = read_q && (is_lane || refused_q) && (hwif_out.PROGRAM_LO.value.swacc || hwif_out.PROGRAM_HI.value.swacc);
  assign forget = lock_i || (Sealed && (zeroize || (is_lane && (written_q || hwif_out.PROGRAM_INDEX.value.swmod))));
  assign hwif_in.PROGRAM_LO.value.hwclr = forget;
  assign hwif_in.PROGRAM_HI.value.hwclr = forget;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) written_q <= 1'b0;
    else written_q <= hwif_out.PROGRAM_HI.value.swmod;
  end
  assign hwif_in.PROGRAM_INDEX.value.we = prog_we_o;
  assign hwif_in.PROGRAM_INDEX.value.next = prog_addr_o + 1'b1;
  assign prog_we_o = written_q && takes_program;
  assign prog_addr_o = hwif_out.PROGRAM_INDEX.value.value;
  assign prog_data_o = {hwif_out.PROGRAM_HI.value.value, hwif_out.PROGRAM_LO.value.value};

  // ---- operands: held while a program runs, the private seed also while zeroizing ----
  // thirty-two words and sixteen of each seed, at multiples of their size
  logic [2*2**PointerBits-1:0] pointer_req;
  logic [15:0] seed_req, public_req;
  logic to_pointer, to_seed, to_public, whole, to_held;
  logic to_seed_q, to_public_q, wipe_seeds_q;  // a cycle later, as they go far: the word stays until the answer is taken

  for (genvar i = 0; i < 2 * 2 ** PointerBits; i++) begin : gen_pointer_words
    assign pointer_req[i] = hwif_out.POINTER[i].req;
    assign hwif_in.POINTER[i].wr_ack = pointer_req[i];
  end
  for (genvar i = 0; i < 16; i++) begin : gen_words
    assign seed_req[i] = hwif_out.SEED[i].req;
    assign public_req[i] = hwif_out.PUBLIC_SEED[i].req;
    assign hwif_in.SEED[i].wr_ack = seed_req[i];
    assign hwif_in.PUBLIC_SEED[i].wr_ack = public_req[i];
  end
  // a write enable for each byte would cost more than it is good for
  assign whole = wstrb_q == '1;
  assign partial = !whole && wstrb_q != '0 && {pointer_req, seed_req, public_req} != '0;
  assign to_pointer = pointer_req != '0 && idle_q && whole;
  assign to_seed = seed_req != '0 && calm_q && whole;
  assign to_public = public_req != '0 && calm_q && whole;
  // a write that is ignored: of the registers of rs_regs, and of the memories
  assign to_held = hwif_out.LOG_N.value.swmod || hwif_out.WATCHDOG.value.swmod || hwif_out.FRAME.value.swmod;
  assign held = (!idle_q && (to_held || (pointer_req != '0 && whole))) || (!calm_q && {seed_req, public_req} != '0 && whole);

  // seeds and pointer 7 are of a frame
  localparam int unsigned Own = Frames > 1 ? 2 ** PointerBits : 8;  // without frames eight pointers are enough: others stay unset
  localparam int unsigned Pointers = Own + (Frames > 1 ? Frames : 0);
  localparam int unsigned IndexBits = $clog2(Pointers);
  localparam int unsigned SeedFrameBits = Frames > 1 ? $clog2(Frames) : 1;
  logic [FrameBits-1:0] frame;
  assign frame = hwif_out.FRAME.value.value & FrameBits'(Frames - 1);
  logic unused_frames;  // where there are no frames
  assign unused_frames = ^{hwif_out.FRAME.value.value, pointer_index_i, private_frame_i, public_frame_i};

  // Only whether a pointer's low six bits are zero is kept, and that is never so of one that was not written since reset, low half
  // and high half: whatever its memory holds then, it is a pointer that no instruction takes.
  logic [1:0][Pointers-1:0] fit_q;
  logic [PointerBits-1:0] pointer;
  logic to_built, outside;
  assign to_built = to_pointer && 32'(pointer) < Own;
  logic [IndexBits-1:0] pointer_index;
  assign pointer        = addr_q[3+:PointerBits];
  assign pointer_index  = IndexBits'(pointer == PointerBits'(7) && frame != '0 ? pointer_of(frame) : (PointerBits + 1)'(pointer));
  assign outside        = 32'(pointer_index_i) >= Pointers;
  assign pointer_o[5:0] = {5'd0, outside || !fit_q[0][IndexBits'(pointer_index_i)] || !fit_q[1][IndexBits'(pointer_index_i)]};

  for (genvar h = 0; h < 2; h++) begin : gen_halves
    localparam int unsigned Lsb = h == 0 ? 6 : 0;
    rs_ram_1r1w #(
        .Width(32 - Lsb),
        .Depth(Pointers)
    ) u_pointer (
        .clk_i,
        .we_i   (to_built && addr_q[2] == 1'(h)),
        .waddr_i(pointer_index),
        .wdata_i(wdata_q[31:Lsb]),
        .raddr_i(IndexBits'(pointer_index_i)),
        .rdata_o(pointer_o[32*h+Lsb+:32-Lsb])
    );
    always_ff @(posedge clk_i) begin
      if (!rst_ni) fit_q[h] <= '0;
      else if (to_built && addr_q[2] == 1'(h)) fit_q[h][pointer_index] <= h != 0 || wdata_q[5:0] == '0;
    end
  end

  always_ff @(posedge clk_i) begin
    to_seed_q    <= to_seed;
    to_public_q  <= to_public;
    wipe_seeds_q <= !rst_ni || zeroize || zeroizing_i || bus_hung_i;
  end

  rs_seeds #(
      .Slices(SeedSlices),
      .Both  (BothSeeds),
      .Frames(Frames)
  ) u_seeds (
      .clk_i,
      .wipe_i         (wipe_seeds_q),
      .private_we_i   (to_seed_q),
      .public_we_i    (to_public_q),
      .frame_i        (SeedFrameBits'(frame)),
      .private_frame_i(SeedFrameBits'(private_frame_i)),
      .public_frame_i (SeedFrameBits'(public_frame_i)),
      .word_i         (addr_q[5:2]),
      .data_i         (wdata_q),
      .busy_o         (seeds_busy),
      .public_i       (seed_public_i),
      .step_i         (seed_step_i),
      .private_row_sec_o,
      .public_row_o
  );

  // a seed is a new one when all of its words have come, in order
  logic [3:0] seed_word_q;  // the next one
  logic to_next;
  assign to_next = to_seed && addr_q[5:2] == seed_word_q;
  always_ff @(posedge clk_i) begin
    if (wipe_seeds_q || hwif_out.FRAME.value.swmod) seed_word_q <= '0;
    else if (to_seed) seed_word_q <= to_next || addr_q[5:2] == '0 ? addr_q[5:2] + 4'd1 : '0;
  end
  assign new_seed_o = to_next && seed_word_q == '1;
  assign new_frame_o = frame;
  assign no_encrypt_o = hwif_out.KEY_USE.no_encrypt.value;
  assign no_decrypt_o = hwif_out.KEY_USE.no_decrypt.value;
  assign log_n_o = hwif_out.LOG_N.value.value;
  assign watchdog_o = hwif_out.WATCHDOG.value.value;

endmodule
