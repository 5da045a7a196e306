// SPDX-License-Identifier: Apache-2.0
// rs_sponge_unit: the unit SPONGE: hashes of memory to digests (HASH), digests and memory (LOADD, STORED), polynomials of seeds (DRAW).
// Model:   docs/core.md, Fields; FIPS 202 as rs_sponge says, FIPS 203 and 204 as rs_seed_fields says
// Params:  W: 24 to 64; LogNMax: of a group; LogSizeMin, LogSizeMax: of a polynomial; RoundsPerCycle R: 1 or 2, with R lanes per beat and 4 R candidates
//          per cycle; Words: of a chunk, a power of two up to the memory's; BusBits: from 128 on; Outstanding, MaxBurstBytes (rs_axi_address);
//          Sealed: keys in slots, a digest in front of a message, and the choice (rs_seal)
// Bounds:  key_we_i while it is idle; addr_i a multiple of 64; polynomials in the group, digests that are there, kinds (the sequencer's work). All inputs but the handshakes are
//          stable from start_i to done_o; nothing is put in the first two cycles, in which size_o settles
// Timing:  README.md. Depends on lengths and, of DRAW, on what is rejected (rs_seed_fields), and on no other data. done_o comes with the last
//          answer of memory, and at most three cycles before the last chunk is in its group; after it and clear_i no register depends on data, but for the digests. wipe_i
//          zeros these and the memory of rs_turn_rows
//
//  memory -> beats -> lanes --+-> rs_sponge --> digests        HASH: a digest may follow
//                             +---------------> digests        LOADD
//  memory <- beat <- lanes <------------------- digests        STORED
//  group  <- chunks <- rows <- rs_sponge <----- digests        DRAW
module rs_sponge_unit #(
    parameter int unsigned W              = 32,
    parameter int unsigned LogNMax        = 11,
    parameter int unsigned LogSizeMin     = 7,
    parameter int unsigned LogSizeMax     = 10,
    parameter int unsigned RoundsPerCycle = 1,
    parameter int unsigned Words          = 4,
    parameter int unsigned BusBits        = 128,
    parameter int unsigned Outstanding    = 8,
    parameter int unsigned MaxBurstBytes  = 1024,
    parameter bit          Sealed         = 1'b0
) (
    input  logic                                        clk_i,
    input  logic                                        rst_ni,
    // unit
    input  logic                                        start_i,
    input  logic                   [       63:0]        instr_i,
    input  logic                                        clear_i,         // drains, then done_o as always
    input  logic                   [       63:0]        addr_i,          // pointer + near
    input  logic                   [        4:0]        log_n_i,
    input  logic                   [      W-1:0]        q_i,             // the modulus of the instruction's context
    output logic                                        done_o,
    output logic                   [        3:0]        fault_o,         // with done_o
    output logic                                        alert_o,         // Sealed: a flip-flop of its control has flipped
    output logic                                        idle_o,          // nothing is under way, on the bus neither
    output logic                                        active_o,        // a beat of memory, or a chunk
    input  logic                                        wipe_i,          // idle or cleared: zeros everywhere, from this cycle on
    output logic                                        wiping_o,        // from the next cycle on, until that is done
    input  logic                                        bound_i,         // in this cycle what is bound to a key changes, or may
    // a lane of a key, in their order: of another place none is valid
    input  logic                                        key_we_i,
    input  logic                   [       14:0]        key_index_i,     // slot 16 + lane
    input  logic                   [       63:0]        key_data_i,
    // group
    output logic                   [        3:0]        group_o,         // the group of the instruction, as the next two
    output logic                                        ntt_o,           // NTT form: addresses are turned, of a transform with
    output logic                   [        4:0]        size_o,          // so many words (log2)
    output logic                                        put_valid_o,     // a chunk of Words positions: always taken
    output logic                   [LogNMax-1:0]        put_pos_o,
    output logic                   [  Words-1:0][W-1:0] put_data_sec_o,
    // memory
    output rs_axi_pkg::read_req_t                       read_o,
    input  rs_axi_pkg::read_rsp_t                       read_i,
    input  logic                   [BusBits-1:0]        rdata_i,
    output rs_axi_pkg::write_req_t                      write_o,
    input  rs_axi_pkg::write_rsp_t                      write_i,
    output logic                   [BusBits-1:0]        wdata_o
);
  import rs_isa_pkg::*;

  localparam int unsigned BeatLanes = RoundsPerCycle;
  localparam int unsigned LaneBits = $clog2(BeatLanes + 1);
  localparam int unsigned BeatBytes = 8 * BeatLanes;
  localparam int unsigned ByteBits = $clog2(BeatBytes + 1);
  localparam int unsigned BusLanes = BusBits / 64;
  localparam int unsigned BusLaneBits = $clog2(BusLanes + 1);
  localparam int unsigned HalfLanes = 4;  // lanes of a digest
  localparam int unsigned KeyRows = 16;  // rows of a slot: two roots, then the hash of what may use them
  localparam int unsigned DigestRows = HalfLanes * Digests + (Sealed ? KeyRows * KeySlots : 0);
  localparam int unsigned FirstKeyRow = HalfLanes * Digests;
  localparam logic [63:0] VaultAddress = 64'h8000_0000_0000_0000;
  localparam int unsigned BoundBytes = 64 * (VaultLines + VaultProgram);  // bound to a key: the vault's first part, and the program
  localparam int unsigned RowBits = $clog2(DigestRows);
  localparam int unsigned TurnBits = LogSizeMax - $clog2(Words);  // rs_turn_rows: rows of a half
  localparam int unsigned DataBits = rs_field_pkg::ParseBits;
  localparam int unsigned MessageBits = BytesBits + 1;  // bytes of memory with what is skipped
  localparam int unsigned LinesBits = MessageBits - 6 + 1;

  if (RoundsPerCycle != 1 && RoundsPerCycle != 2) begin : gen_illegal
    $fatal(1, "%m: RoundsPerCycle must be 1 or 2");
  end
  if (BusBits < 128 || W < 24) begin : gen_illegal_bus
    $fatal(1, "%m: BusBits must be at least 128, W 24");
  end
  if (LogSizeMin > LogSizeMax || LogSizeMax > LogNMax) begin : gen_illegal_size
    $fatal(1, "%m: LogSizeMin must be at most LogSizeMax, and that at most LogNMax");
  end
  if (DigestRows > (2 << TurnBits)) begin : gen_illegal_wipe
    $fatal(1, "%m: the wipe ends with the rows of polynomials, %0d", 2 << TurnBits);
  end

  // ---- the instruction ------------------------------------------------------------------------------------------------------------------
  logic [OpBits-1:0] op;
  logic is_hash, is_load, is_store, is_draw, is_ball, is_key, is_choice, prefixes;
  logic [FormBits-1:0] form;
  logic [4:0] log_size;
  logic [MessageBits-1:0] reach;  // bytes from the line on
  logic [BytesBits-1:0] bytes;
  logic [3:0] hash, draw;
  logic reads;
  logic [LinesBits-1:0] lines_q;
  assign op = instr_i[OpLsb+:OpBits];
  assign {is_load, is_store, is_draw} = {op == OP_LOADD, op == OP_STORED, op == OP_DRAW};
  assign is_choice = Sealed && op == OP_HASH && instr_i[HashLsb+:HashBits] == 4'(HashChoice);
  assign is_key = Sealed && op == OP_HASH && instr_i[HashLsb+:HashBits] == 4'(HashKey);
  assign is_hash = op == OP_HASH && !is_choice;
  assign is_ball = Sealed && is_draw && draw == 4'(DrawBall);
  assign prefixes = Sealed && is_hash && !is_key && instr_i[HashLsb+3];
  assign form = instr_i[FormLsb+:FormBits];
  assign log_size = instr_i[LogSizeLsb+:LogSizeBits] != '0 ? 5'(instr_i[LogSizeLsb+:LogSizeBits]) : log_n_i;
  assign bytes = is_key ? BytesBits'(BoundBytes) : instr_i[BytesLsb+:BytesBits];
  assign hash = is_key ? 4'd2 : prefixes ? 4'(instr_i[HashLsb+:3]) : instr_i[HashLsb+:HashBits];
  assign draw = instr_i[DrawLsb+:DrawBits];
  assign reach = MessageBits'(bytes) + (instr_i[SkipLsb] ? MessageBits'(32) : '0);
  assign reads = is_load || (is_hash && bytes != '0);
  always_ff @(posedge clk_i) lines_q <= is_hash ? LinesBits'((reach - 1'b1) >> 6) : '0;

  // ---- what is under way ----------------------------------------------------------------------------------------------------------------
  typedef enum logic [3:0] {
    Idle,
    Begin,
    Prefix,  // a digest, in front of the message
    Message,  // lines of memory, to the sponge
    Append,  // a digest, behind it
    Digest,  // from the sponge
    Load,  // memory to digests
    Store,  // digests to memory
    Seed,  // a digest to the seed
    Draw,
    Check,  // the hash is that of the slot
    Roots,  // the roots of a slot, to digests
    Compare,  // two digests
    Choose,  // between two others
    Wait,  // for memory
    Ball  // digests to a challenge
  } state_e;

  state_e state_q;
  logic dropped_q, drop, read_error_q, write_error, reading, writing, wrote_q;
  logic [5:0] count_q;  // lanes of digests that are done
  logic [RowBits-1:0] row_q;  // row of digests
  logic finished, hashing, mismatched, ball_short, kept;  // kept: the slot's hash is known to be that of what is bound

  assign drop = clear_i || dropped_q;
  assign hashing = state_q == Prefix || state_q == Message || state_q == Append || state_q == Digest;
  assign finished = state_q == Wait && !reading && !writing && !(is_store && !wrote_q && !drop);
  assign idle_o = state_q == Idle;
  assign done_o = finished;
  always_comb begin
    fault_o = mismatched ? FAULT_SECRET : ball_short ? FAULT_VALUE : FAULT_NONE;
    if (is_store && write_error) fault_o = FAULT_BUS_WRITE;
    if (read_error_q) fault_o = FAULT_BUS_READ;
  end

  // ---- memory -> lanes --------------------------------------------------------------------------------------------------------------------
  logic beat_valid, beat_ready, beat_error;
  logic [BusBits-1:0] beat;
  logic [BusBits-1:0] lanes_sec_q;
  logic [BusLaneBits-1:0] lanes_left_q;
  logic [2:0] skip_q;  // lanes that are no part of the message
  logic [LaneBits-1:0] take;  // lanes that go
  logic lanes_there, skips, drains;
  logic
      lanes_error,
      skip_error,
      slots_error,
      store_error,
      state_error,
      lane_error,
      poly_error,
      left_error,
      wiping_error,
      short_error,
      second_error,
      moved;
  assign alert_o = lanes_error || skip_error || slots_error || store_error || state_error || lane_error ||
      poly_error || left_error || wiping_error || short_error || second_error || moved;
  // an address on offer is in the part of the vault, or outside, as the instruction's; what is bound to a key goes over two parts
  logic [2:0] own_place;
  assign own_place = {addr_i[63], addr_i[rs_field_pkg::PlacePartLsb+:2]};
  assign moved = Sealed && ((read_o.ar_valid && (is_key ? !read_o.ar.addr[63] : rs_field_pkg::strays(
      {read_o.ar.addr[63], read_o.ar.addr[rs_field_pkg::PlacePartLsb+:2]}, own_place
  ))) || (write_o.aw_valid && rs_field_pkg::strays(
      {write_o.aw.addr[63], write_o.aw.addr[rs_field_pkg::PlacePartLsb+:2]}, own_place
  )));

  rs_axi_read #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i     (is_key ? state_q == Begin && !kept && !drop : start_i && reads && !clear_i),
      .clear_i,
      .addr_i      (is_key ? VaultAddress : addr_i),
      .lines_i     (lines_q),
      .streams_i   (1'b0),
      .pairs_i     (1'b0),
      .run_i       (2'd0),
      .half_i      (1'b0),
      .busy_o      (reading),
      .asking_o    (),
      .beat_valid_o(beat_valid),
      .beat_ready_i(beat_ready),
      .beat_o      (beat),
      .beat_error_o(beat_error),
      .read_o,
      .read_i,
      .rdata_i
  );

  // what lies behind the message goes
  assign drains      = state_q != Begin && state_q != Prefix && state_q != Message && state_q != Load;
  assign beat_ready  = drains || lanes_left_q == '0 || lanes_left_q == BusLaneBits'(take);
  assign lanes_there = lanes_left_q != '0;
  assign skips       = state_q == Message && lanes_there && skip_q != '0;
  rs_checked #(
      .Width  (BusLaneBits),
      .Checked(Sealed)
  ) u_lanes (
      .clk_i,
      .clear_i(!rst_ni || drop || drains),
      .en_i   (1'b1),
      .data_i (beat_valid && beat_ready ? BusLaneBits'(BusLanes) : lanes_left_q - BusLaneBits'(take)),
      .data_o (lanes_left_q),
      .error_o(lanes_error)
  );

  always_ff @(posedge clk_i) begin
    if (drop || drains) lanes_sec_q <= '0;
    else if (beat_valid && beat_ready) lanes_sec_q <= beat;
    else if (take == LaneBits'(BeatLanes)) lanes_sec_q <= lanes_sec_q >> (64 * BeatLanes);
    else if (take != '0) lanes_sec_q <= lanes_sec_q >> 64;
    if (start_i) read_error_q <= 1'b0;
    else if (beat_valid && beat_ready && beat_error) read_error_q <= 1'b1;
  end
  rs_checked #(
      .Width  (3),
      .Checked(Sealed)
  ) u_skip (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (start_i || skips),
      .data_i (!start_i ? skip_q - 3'(BeatLanes) : instr_i[SkipLsb] && is_hash ? 3'(HalfLanes) : '0),
      .data_o (skip_q),
      .error_o(skip_error)
  );

  // ---- digests ------------------------------------------------------------------------------------------------------------------------------
  logic digest_we, wiping_q;
  logic [63:0] digest_wdata_sec, digest_sec, choice_sec, out_lane_sec;
  logic key_we, differs, digest_other;
  logic [RowBits-1:0] read_row, write_row;
  logic [TurnBits:0] wipe_row_q;

  rs_ram_1r1w #(
      .Width(64),
      .Depth(DigestRows)
  ) u_digests (
      .clk_i,
      .we_i   (digest_we || wiping_q || key_we),
      .waddr_i(wiping_q ? wipe_row_q[RowBits-1:0] : write_row),
      .wdata_i(wiping_q ? '0 : key_we ? key_data_i : digest_wdata_sec),
      .raddr_i(read_row),
      .rdata_o(digest_sec)
  );

  always_ff @(posedge clk_i) begin
    if (wipe_i && !wiping_q) wipe_row_q <= '0;
    else wipe_row_q <= wipe_row_q + 1'b1;
  end
  rs_checked #(
      .Checked(Sealed)
  ) u_wiping (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i (wipe_i || (wiping_q && wipe_row_q != '1)),
      .data_o (wiping_q),
      .error_o(wiping_error)
  );
  assign wiping_o = wiping_q;

  // ---- HASH: the message, a beat of the sponge each cycle -----------------------------------------------------------------------------------
  logic [BytesBits-1:0] bytes_left_q;
  logic message_valid, message_ready, message_last, message_end, appends;
  logic [8*BeatBytes-1:0] message_sec;
  logic [ByteBits-1:0] message_bytes;
  logic append_whole;  // the beat is there
  logic [63:0] low_sec_q;  // a beat's first lane
  logic out_valid, out_ready, out_half, out_second_q;
  logic [8*BeatBytes-1:0] out_sec;
  rs_hash_pkg::rate_e rate;

  always_comb begin
    unique case (hash)
      4'd0: rate = rs_hash_pkg::RATE_168;
      4'd3: rate = rs_hash_pkg::RATE_104;
      4'd4: rate = rs_hash_pkg::RATE_72;
      default: rate = rs_hash_pkg::RATE_136;
    endcase
  end

  assign appends      = instr_i[AppendLsb];
  assign append_whole = BeatLanes == 1 || count_q[0];  // a beat is whole with what stands in front, too
  assign message_end  = 32'(bytes_left_q) <= BeatBytes;
  always_comb begin
    message_valid = 1'b0;
    message_sec   = lanes_sec_q[8*BeatBytes-1:0];
    message_last  = 1'b0;
    message_bytes = message_end ? ByteBits'(bytes_left_q) : ByteBits'(BeatBytes);
    if (state_q == Message) begin
      // an empty one has no beat of memory
      message_valid = (lanes_there && skip_q == '0) || bytes_left_q == '0;
      message_last  = message_end && !appends;
    end else if (state_q == Append || state_q == Prefix) begin
      message_valid = append_whole;
      message_sec   = (8 * BeatBytes)'({digest_sec, low_sec_q} >> (BeatLanes == 1 ? 64 : 0));
      message_last  = count_q == 6'(HalfLanes - 1) && (state_q == Append || bytes == '0);
      message_bytes = ByteBits'(BeatBytes);
    end
  end

  logic lane_in;  // LOADD: a lane
  assign lane_in = state_q == Load && lanes_there;
  always_comb begin
    take = '0;
    if (skips || (state_q == Message && lanes_there && message_valid && message_ready)) take = LaneBits'(BeatLanes);
    else if (lane_in) take = LaneBits'(1);
  end

  // ---- HASH: its digest, a lane each cycle -----------------------------------------------------------------------------------------------------
  assign out_ready = state_q == Digest && (BeatLanes == 1 || out_half || out_second_q);
  assign digest_we = (state_q == Digest && out_valid && !is_key) || lane_in || state_q == Roots ||
      (state_q == Choose && digest_other);
  if (BeatLanes == 1) begin : gen_lane
    assign out_lane_sec = out_sec;
  end else begin : gen_lanes
    assign out_lane_sec = out_second_q ? out_sec[127:64] : out_sec[63:0];
  end
  always_comb begin
    digest_wdata_sec = lane_in ? lanes_sec_q[63:0] : out_lane_sec;
    if (Sealed && state_q == Roots) digest_wdata_sec = digest_sec;
    if (Sealed && state_q == Choose) digest_wdata_sec = choice_sec;
  end

  // ---- slots of keys; the choice: each lane of two digests after the other ------------------------------------------------------------------------
  if (Sealed) begin : gen_sealed
    localparam int unsigned RootLanes = 8;  // lanes of a slot's roots
    localparam int unsigned SlotBits = $clog2(KeySlots);
    logic [SlotBits-1:0] slot;
    logic equal;
    logic [63:0] lane_sec_q;
    assign slot = instr_i[ALsb+:SlotBits];
    rs_key_slots u_slots (
        .clk_i,
        .rst_ni,
        .wipe_i   (wiping_q || wipe_i),
        .clear_i,
        .bound_i,
        .key_we_i,
        .key_index_i,
        .key_we_o (key_we),
        .start_i,
        .key_i    (is_key),
        .slot_i   (slot),
        .compare_i(state_q == Digest ? is_key && out_valid : state_q == Compare && count_q[0]),
        .same_i   (digest_sec == (is_key ? out_lane_sec : lane_sec_q)),
        .rest_i   (state_q == Wait && !is_key),
        .judge_i  (state_q == Check && !drop),
        .equal_o  (equal),
        .kept_o   (kept),
        .error_o  (slots_error)
    );
    always_ff @(posedge clk_i) begin
      lane_sec_q <= (state_q == Compare || state_q == Choose) && !drop ? digest_sec : '0;
    end
    assign differs = !equal;
    assign mismatched = is_key && differs && state_q == Wait && !drop;
    assign digest_other = count_q[0];
    assign choice_sec = differs ? digest_sec : lane_sec_q;
    always_comb begin
      read_row  = row_q;
      write_row = row_q;
      if (is_key)
        read_row = RowBits'(FirstKeyRow) + RowBits'({slot, 4'd0}) + RowBits'(count_q) +
            (state_q == Digest ? RowBits'(RootLanes) : '0);
      if (state_q == Compare) read_row = RowBits'({count_q[0] ? instr_i[PointerLsb+:3] : instr_i[ALsb+:3], count_q[2:1]});
      if (state_q == Choose) begin
        read_row  = RowBits'({count_q[0] ? instr_i[HalvesLsb+:3] : instr_i[DstLsb+:3], count_q[2:1]});
        write_row = RowBits'({instr_i[DstLsb+:3], count_q[2:1]});
      end
      if (key_we) write_row = RowBits'(FirstKeyRow) + RowBits'(key_index_i);
    end
  end else begin : gen_open
    assign {key_we, kept, mismatched, differs, digest_other, choice_sec, slots_error} = '0;
    assign {read_row, write_row} = {row_q, row_q};
    logic unused_keys;
    assign unused_keys = ^{bound_i, key_we_i, key_index_i, key_data_i, choice_sec, digest_other};
  end

  // ---- STORED ----------------------------------------------------------------------------------------------------------------------------------
  logic out_full_q, write_ready, write_start, beat_put;
  logic [BusBits-1:0] out_beat_sec_q;
  logic [BusLaneBits-1:0] out_lanes_q;
  logic lane_out;
  assign lane_out = state_q == Store && !out_full_q && !drop;
  assign beat_put = out_full_q && write_ready;
  // its data are there a few cycles later
  assign write_start = state_q == Begin && is_store && !drop;

  rs_axi_write #(
      .BusBits      (BusBits),
      .Outstanding  (4),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_write (
      .clk_i,
      .rst_ni,
      .start_i     (write_start),
      .clear_i,
      .addr_i,
      .lines_i     ('0),
      .streams_i   (1'b0),
      .pairs_i     (1'b0),
      .run_i       (2'd0),
      .half_i      (1'b0),
      .busy_o      (writing),
      .drop_o      (),
      .error_o     (write_error),
      .beat_valid_i(out_full_q),
      .beat_ready_o(write_ready),
      .beat_i      (out_beat_sec_q),
      .write_o,
      .write_i,
      .wdata_o
  );

  logic lane_last;
  assign lane_last = 32'(out_lanes_q) == BusLanes - 1;
  rs_checked #(
      .Width  (2 + BusLaneBits),
      .Checked(Sealed)
  ) u_store (
      .clk_i,
      .clear_i(!rst_ni || start_i),
      .en_i(1'b1),
      .data_i({
        lane_out ? lane_last : out_full_q && !beat_put,
        !lane_out ? out_lanes_q : lane_last ? '0 : out_lanes_q + 1'b1,
        write_start || wrote_q
      }),
      .data_o({out_full_q, out_lanes_q, wrote_q}),
      .error_o(store_error)
  );
  always_ff @(posedge clk_i) begin
    // a beat that is on offer stays until it is taken
    if (lane_out) out_beat_sec_q <= {digest_sec, out_beat_sec_q[BusBits-1:64]};
    else if (beat_put || (drop && !(out_full_q && write_o.w_valid))) out_beat_sec_q <= '0;
  end

  // ---- DRAW ------------------------------------------------------------------------------------------------------------------------------------
  logic [7:0][63:0] seed_sec_q;
  logic row_valid, row_again, is_private, draw_q;
  logic [Words-1:0][DataBits-1:0] row_sec, chunk_sec;
  logic [3:0] poly_q;
  logic turn_valid, turn_done, ball_take, ball_valid;
  logic [Words-1:0][DataBits-1:0] ball_row_sec;
  logic [NumberBits-1:0] number;
  logic [LogSizeMax-1:0] turn_pos;
  logic [LogNMax-1:0] base;
  logic clear_fields;

  assign is_private   = draw[3];
  assign clear_fields = drop || (!hashing && state_q != Draw && state_q != Seed && state_q != Begin);

  rs_seed_fields #(
      .RoundsPerCycle(RoundsPerCycle),
      .BeatLanes     (BeatLanes),
      .Candidates    (4 * RoundsPerCycle),
      .Words         (Words),
      .Psi16         (1'b1),
      .CoefBits      (LogSizeMax + 1)
  ) u_fields (
      .clk_i,
      .rst_ni,
      .clear_i        (clear_fields),
      .start_i        (draw_q),
      .is_private_i   (is_private),
      .kind_i         (draw[2:0]),
      .seed_sec_i     (seed_sec_q),
      .long_seed_i    (instr_i[LongSeedLsb]),
      .number_bytes_i (instr_i[NumberBytesLsb+:NumberBytesBits]),
      .number_i       (number),
      .step_i         (instr_i[StepHighLsb] ? 16'd256 : 16'd1),
      .count_i        (5'(instr_i[DrawsLsb+:DrawsBits]) + 5'd1),
      .coefs_i        ((LogSizeMax + 1)'(1) << log_size),
      .valid_o        (row_valid),
      .poly_o         (),
      .data_sec_o     (row_sec),
      .again_o        (row_again),
      .done_o         (),
      .hash_i         (is_hash),
      .hash_start_i   (state_q == Begin && is_hash && !(is_key && kept)),
      .hash_rate_i    (rate),
      .hash_sha3_i    (hash >= 4'd2),
      .hash_valid_i   (message_valid),
      .hash_ready_o   (message_ready),
      .hash_data_sec_i(message_sec),
      .hash_last_i    (message_last),
      .hash_bytes_i   (message_bytes),
      .hash_valid_o   (out_valid),
      .hash_ready_i   (out_ready),
      .hash_data_sec_o(out_sec),
      .hash_half_o    (out_half)
  );

  // parts of a sealed core: a challenge of digests, and masks whose number is a round
  if (Sealed) begin : gen_ball
    logic short, short_q;
    logic [Words-1:0][1:0] row;
    rs_sample_ball #(
        .Words(Words)
    ) u_ball (
        .clk_i,
        .rst_ni,
        .start_i   (state_q == Begin && is_ball && !drop),
        .clear_i   (drop),
        .wipe_i    (wiping_q),
        .wipe_row_i(wipe_row_q[5:0]),
        .tau_i     (instr_i[NumberLsb+:6]),
        .lane_sec_i(digest_sec),
        .take_o    (ball_take),
        .valid_o   (ball_valid),
        .row_sec_o (row),
        .short_o   (short),
        .done_o    ()
    );
    for (genvar i = 0; i < Words; i++) begin : gen_word
      assign ball_row_sec[i] = {{DataBits - 1{row[i][1]}}, row[i][0]};
    end
    rs_checked #(
        .Checked(Sealed)
    ) u_short (
        .clk_i,
        .clear_i(Sealed && !rst_ni),
        .en_i   (1'b1),
        .data_i (rst_ni && !start_i && (short || short_q)),
        .data_o (short_q),
        .error_o(short_error)
    );
    assign ball_short = is_ball && short_q && !drop;
    assign number = instr_i[DrawMark] ?
        NumberBits'(instr_i[NumberLsb+:NumberBits] * NumberBits'(5'(instr_i[DrawsLsb+:DrawsBits]) + 5'd1)) :
        instr_i[NumberLsb+:NumberBits];
  end else begin : gen_no_ball
    assign {ball_take, ball_valid, ball_short, ball_row_sec, short_error} = '0;
    assign number = instr_i[NumberLsb+:NumberBits];
  end

  rs_turn_rows #(
      .W      (DataBits),
      .LogNMin(LogSizeMin),
      .LogNMax(LogSizeMax),
      .Words  (Words)
  ) u_turn (
      .clk_i,
      .rst_ni,
      .clear_i    (drop || state_q == Begin),
      .again_i    (row_again),
      .log_n_i    (log_size),
      .valid_i    (row_valid || ball_valid),
      .row_sec_i  (ball_valid ? ball_row_sec : row_sec),
      .valid_o    (turn_valid),
      .pos_o      (turn_pos),
      .chunk_sec_o(chunk_sec),
      .done_o     (turn_done),
      .wipe_i     (wiping_q),
      .wipe_row_i (wipe_row_q)
  );

  assign group_o     = instr_i[DstLsb+:DstBits];
  assign ntt_o       = form != '0;
  assign size_o      = log_size - 5'(form[1]);
  assign base        = instr_i[LogSizeLsb+:LogSizeBits] != '0 ? LogNMax'(instr_i[SliceDstLsb+:SliceDstBits]) << log_size : '0;
  assign put_valid_o = turn_valid;
  assign put_pos_o   = base + (LogNMax'(poly_q) << log_size) + LogNMax'(turn_pos);
  for (genvar i = 0; i < Words; i++) begin : gen_word
    rs_signed_residue #(
        .W     (W),
        .InBits(DataBits + 1)
    ) u_residue (
        .q_i,
        .number_sec_i ({is_private && chunk_sec[i][DataBits-1], chunk_sec[i]}),
        .residue_sec_o(put_data_sec_o[i])
    );
  end

  // ---- control ------------------------------------------------------------------------------------------------------------------------------
  logic message_taken, lane_done, digest_end, seed_end;
  assign message_taken = message_valid && message_ready;
  // a lane of a digest is read or written
  assign lane_done = (state_q == Digest && out_valid) || lane_in || lane_out || state_q == Seed || state_q == Roots ||
      ball_take || state_q == Compare || state_q == Choose || ((state_q == Append || state_q == Prefix) &&
          (!append_whole || message_taken));
  assign digest_end = lane_done && count_q == {instr_i[HalvesLsb+:HalvesBits], 2'b11};  // a key has no count of halves: one
  assign seed_end = count_q == (instr_i[LongSeedLsb] ? 6'd7 : 6'd3);

  state_e state;
  logic dropped;
  logic [3:0] state_bits_q;
  assign dropped = clear_i ? start_i || (state_q != Idle && !done_o) : !start_i && dropped_q && !done_o;
  always_comb begin
    state = state_q;
    if (state_q == Idle) begin
      if (start_i) state = Begin;
    end else if (state_q == Wait) begin
      if (finished) state = Idle;
    end else if (drop) begin
      state = Wait;
    end else begin
      unique case (state_q)
        Begin: begin
          if (is_key && kept) state = Check;
          else if (is_hash && prefixes) state = Prefix;
          else if (is_hash) state = bytes == '0 && appends ? Append : Message;
          else if (is_choice) state = Compare;
          else if (is_ball) state = Ball;
          else state = is_load ? Load : is_store ? Store : Seed;
        end
        Prefix:  if (message_taken && count_q == 6'(HalfLanes - 1)) state = bytes == '0 ? Digest : Message;
        Message: if (message_taken && message_end) state = appends ? Append : Digest;
        Append:  if (message_taken && message_last) state = Digest;
        Digest:  if (digest_end) state = is_key ? Check : Wait;
        Check:   state = differs ? Wait : Roots;  // the last lane has been compared, now or before
        Roots:   if (count_q == 6'd7) state = Wait;
        Compare: if (count_q == 6'd7) state = Choose;
        Choose:  if (count_q == 6'd7) state = Wait;
        Load:    if (lane_done && count_q == 6'd7) state = Wait;
        Store:   if (lane_done && count_q == 6'd7) state = Wait;
        Seed:    if (seed_end) state = Draw;
        default: if (turn_done && poly_q == instr_i[DrawsLsb+:DrawsBits]) state = Wait;
      endcase
    end
  end
  rs_checked #(
      .Width  (6),
      .Checked(Sealed)
  ) u_state (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({state, dropped, state_q == Seed && seed_end && !drop}),
      .data_o ({state_bits_q, dropped_q, draw_q}),
      .error_o(state_error)
  );
  assign state_q = state_e'(state_bits_q);

  // each state begins with its first digest
  logic first_lane;
  logic [2:0] first_digest;
  assign first_lane = state_q == Begin || (state_q == Message && message_taken) ||
      (state_q == Append && message_taken && message_last) || state_q == Check ||
      (state_q == Prefix && message_taken && count_q == 6'(HalfLanes - 1)) || (state_q == Compare && count_q == 6'd7);
  always_comb begin
    if (is_hash && (state_q == Append || state_q == Check || (state_q == Message && !appends) ||
                    (state_q == Prefix && bytes == '0)))
      first_digest = instr_i[DstLsb+:3];
    else if (is_load) first_digest = instr_i[DstLsb+:3];
    else if (is_draw) first_digest = instr_i[SeedDigestLsb+:3];
    else first_digest = instr_i[ALsb+:3];
  end
  rs_checked #(
      .Width  (6 + RowBits),
      .Checked(Sealed)
  ) u_lane (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (first_lane || lane_done),
      .data_i (first_lane ? {6'd0, RowBits'({first_digest, 2'b00})} : {count_q + 1'b1, row_q + 1'b1}),
      .data_o ({count_q, row_q}),
      .error_o(lane_error)
  );
  rs_checked #(
      .Width  (4),
      .Checked(Sealed)
  ) u_poly (
      .clk_i,
      .clear_i(!rst_ni || start_i),
      .en_i   (turn_done),
      .data_i (poly_q + 1'b1),
      .data_o (poly_q),
      .error_o(poly_error)
  );
  logic [BytesBits-1:0] bytes_left;
  assign bytes_left = start_i ? bytes : message_end ? '0 : bytes_left_q - BytesBits'(BeatBytes);
  rs_checked #(
      .Width  (BytesBits),
      .Checked(Sealed)
  ) u_left (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (start_i || (state_q == Message && message_taken)),
      .data_i (bytes_left),
      .data_o (bytes_left_q),
      .error_o(left_error)
  );

  rs_checked #(
      .Checked(Sealed)
  ) u_second (
      .clk_i,
      .clear_i(Sealed && !rst_ni),
      .en_i   (1'b1),
      .data_i (state_q == Digest && BeatLanes == 2 && out_valid && !out_half && !out_second_q),
      .data_o (out_second_q),
      .error_o(second_error)
  );

  always_ff @(posedge clk_i) begin
    if (drop || (state_q != Append && state_q != Prefix)) low_sec_q <= '0;
    else if (!append_whole) low_sec_q <= digest_sec;
    // nothing of a seed stays
    for (int i = 0; i < 8; i++) begin
      if (drop || (state_q != Seed && state_q != Draw)) seed_sec_q[i] <= '0;
      else if (state_q == Seed && count_q[2:0] == 3'(i)) seed_sec_q[i] <= digest_sec;
    end
  end

  assign active_o = (beat_valid && beat_ready) || (write_o.w_valid && write_i.w_ready) || put_valid_o;

  logic unused;
  assign unused = ^{instr_i, is_private};
endmodule
