// SPDX-License-Identifier: Apache-2.0
// rs_pack_unit: the unit PACK: fields of bits in memory -> polynomials of a group (LOADF) and back (STOREF), and bounds of a polynomial (NORM).
// Model:   docs/core.md: instructions, faults; FIPS 203 and 204 as rs_load_fields and rs_store_fields say
// Params:  W: 24 to 64; LogNMax: of a group; LogSizeMin, LogSizeMax: of a polynomial; Words: coefficients per cycle, 2 or 4; V: of a chunk that
//          a reader gets, at least Words; BusBits, Outstanding, MaxBurstBytes (rs_axi_address); Sealed: of what goes to secrets in
//          the vault (rs_seal) nothing is told
// Bounds:  addr_i a multiple of 64; polynomials within the group (the sequencer's work). All inputs but the handshakes are stable from start_i to
//          done_o; get_data_sec_i comes two cycles after a request that get_ready_i takes, whatever happens; nothing is put or asked for in the
//          first two cycles, in which size_o settles
// Timing:  a polynomial takes its coefficients / Words cycles, or its bits / 64 where that is more, and polynomials follow each other so. Depends on no
//          data. done_o comes with the last answer of memory; after it no register depends on data, wipe_i zeros the memory in here
module rs_pack_unit #(
    parameter int unsigned W             = 32,
    parameter int unsigned LogNMax       = 11,
    parameter int unsigned LogSizeMin    = 7,
    parameter int unsigned LogSizeMax    = 10,
    parameter int unsigned Words         = 4,
    parameter int unsigned V             = 4,
    parameter int unsigned BusBits       = 128,
    parameter int unsigned Outstanding   = 8,
    parameter int unsigned MaxBurstBytes = 1024,
    parameter bit          Sealed        = 1'b0
) (
    input logic clk_i,
    input logic rst_ni,
    // unit
    input logic start_i,
    input logic [63:0] instr_i,
    input logic clear_i,  // drains, then done_o as always
    input logic [63:0] addr_i,  // pointer + near, of LOADF and STOREF
    input logic [4:0] log_n_i,
    input logic [W-1:0] q_i,  // the modulus of the instruction's context, from the second cycle after start_i on
    output logic done_o,
    output logic [3:0] fault_o,  // with done_o
    output logic alert_o,  // Sealed: a flip-flop of its control has flipped
    output logic idle_o,  // nothing is under way, on the bus neither
    output logic active_o,  // a beat of memory, or a chunk of NORM
    input logic wipe_i,  // idle or cleared: zeros everywhere, from this cycle on
    output logic wiping_o,  // from the next cycle on, until that is done
    // group
    output logic [3:0] group_o,  // the group of the instruction, as the next two
    output logic ntt_o,  // NTT form: addresses are turned, of a transform with
    output logic [4:0] size_o,  // so many words (log2): half a polynomial for ML-KEM (two slices)
    output logic put_valid_o,  // a chunk of Words positions: always taken
    output logic [LogNMax-1:0] put_pos_o,
    output logic [Words-1:0][W-1:0] put_data_sec_o,
    output logic get_req_o,  // a chunk of V positions
    input logic get_ready_i,
    output logic [LogNMax-1:0] get_pos_o,  // a multiple of V
    input logic [V-1:0][W-1:0] get_data_sec_i,
    // memory
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i,
    output rs_axi_pkg::write_req_t write_o,
    input rs_axi_pkg::write_rsp_t write_i,
    output logic [BusBits-1:0] wdata_o
);
  import rs_field_pkg::*;

  localparam int unsigned LogWords = $clog2(Words);
  localparam int unsigned RowBits = LogSizeMax - LogWords;
  localparam int unsigned Polys = 16;  // polynomials of an instruction, at most
  localparam int unsigned CountBits = LogSizeMax + $clog2(Polys) + 1;  // bits of a count of its coefficients
  localparam int unsigned LinesBits = CountBits + 5 - 9;  // fields of up to 20 bits in lines of 512
  localparam int unsigned SubBits = V > Words ? $clog2(V / Words) : 1;

  if (Words != 2 && Words != 4) begin : gen_illegal
    $fatal(1, "%m: Words must be 2 or 4");
  end
  if (V < Words || (V & (V - 1)) != 0) begin : gen_illegal_chunk
    $fatal(1, "%m: V %0d must be a power of two, and not less than Words %0d: a wider bus has more", V, Words);
  end
  if (LogSizeMin < 6 || LogSizeMin > LogSizeMax || LogSizeMax > LogNMax || 2 ** LogSizeMin < V) begin : gen_illegal_size
    $fatal(
        1,
        "%m: LogSizeMin %0d must be at least 6 and log2 V, LogSizeMax %0d not less than it or above LogNMax",
        LogSizeMin,
        LogSizeMax
    );
  end

  // ---- the instruction ------------------------------------------------------------------------------------------------------------------
  pack_t instr;
  logic loads, stores, checks;
  load_e  load_kind;
  store_e store_kind;
  logic [4:0] width, log_size;
  logic [FieldBits-1:0] offset, least, limit;
  logic [BoundBits-1:0] bound;
  logic legal, untold, counts, refuses, over, norm_legal;
  rs_isa_pkg::fault_e refusal;
  logic [LogNMax-1:0] base;
  logic [9:0] width_count;
  logic [LinesBits-1:0] lines, lines_q;
  logic [CountBits-1:0] coefs;

  assign instr = pack_t'(instr_i);
  assign loads = instr.op == rs_isa_pkg::OP_LOADF;
  assign stores = instr.op == rs_isa_pkg::OP_STOREF;
  assign checks = instr.op == rs_isa_pkg::OP_NORM;
  assign log_size = instr.log_size != '0 ? 5'(instr.log_size) : log_n_i;
  assign base = instr.log_size != '0 ? LogNMax'(instr.slice) << log_size : '0;
  assign load_kind = load_e'(instr.kind[1:0]);

  assign untold = Sealed && stores && instr.pointer == 4'(rs_isa_pkg::VaultPointer) && instr.line[$clog2(
      rs_isa_pkg::VaultLines
  )+:2] == 2'd3;

  // NORM: a difference, or the high part of FIPS 204's gamma2
  always_comb begin
    width = width_of(loads ? instr.a : instr.dst);
    store_kind = store_e'(instr.kind);
    bound = (BoundBits'(1) << instr.power);
    if (checks) begin
      store_kind = instr.kind == 3'd1 || instr.kind == 3'd2 ? STORE_HIGH : STORE_MINUS;
      width = instr.kind == 3'd1 ? 5'd6 : 5'd4;
      if (instr.kind == 3'd1 || instr.kind == 3'd3) bound = BoundBits'(95232);
      if (instr.kind == 3'd2 || instr.kind == 3'd4) bound = BoundBits'(261888);
    end
    bound = bound > BoundBits'(instr.margin) ? bound - BoundBits'(instr.margin) : '0;
    if (Sealed && counts) {store_kind, bound} = {STORE_MINUS, BoundBits'(1) << 23};  // above all residues' distances from 0
  end

  // |offset - x| <= offset - margin: the fields from margin to 2 offset - margin; of the largest offset the last one is beyond all fields
  always_comb begin
    offset = checks ? '0 : FieldBits'(1) << instr.power;
    {least, limit} = {FieldBits'(0), {FieldBits{1'b1}}};
    if (instr.kind[2]) begin
      // secret: nothing is told
    end else if (load_kind == LOAD_MINUS) begin
      least = FieldBits'(instr.margin);
      limit = upper_limit(instr.power, instr.margin);
    end else if (load_kind == LOAD_PLAIN && instr.margin == 8'd1 && width == 5'd12) begin
      limit = FieldBits'(3328);
    end
  end

  always_comb begin
    if (loads) legal = legal_load(load_kind, width, instr.power);
    else if (stores) legal = legal_store(store_kind, width, instr.power);
    else legal = norm_legal;
    if (32'(log_size) < LogSizeMin || 32'(log_size) > LogSizeMax) legal = 1'b0;
  end

  // lines: the polynomials are a multiple of 64 bits
  always_comb begin
    width_count = 10'(width);
    for (int unsigned b = 0; b < 4; b++) if (instr.count[b]) width_count += 10'(width) << b;
  end
  assign lines = LinesBits'((((CountBits + 5)'(width_count) << log_size) - 1'b1) >> 9);
  assign coefs = (CountBits'(instr.count) + 1'b1) << log_size;
  always_ff @(posedge clk_i) lines_q <= lines;

  // ---- what is under way ----------------------------------------------------------------------------------------------------------------
  logic busy_q, begin_q, refused_q, dropped_q, ended_q;  // ended_q: all is put, written or looked at
  logic reading, writing, wrote_q, write_start, drop;
  logic finished, stop;  // stop: nothing stays
  logic turn_valid, turn_last;  // outputs of rs_turn_both
  logic put_last;
  logic read_error_q, write_error, load_fault, store_over;

  assign stop = clear_i || dropped_q || !busy_q;
  always_comb begin
    if (dropped_q) finished = !reading && !writing && !write_start;
    else if (loads) finished = ended_q && !reading;
    else if (stores) finished = wrote_q && !writing;
    else finished = ended_q;
  end
  assign done_o = busy_q && !begin_q && (finished || refused_q);

  logic dropped, unit_error, ask_error, place_error, chunk_error, end_error, failed_error, store_error, wiping_error, moved;
  assign dropped = clear_i ? start_i || (busy_q && !done_o) : !start_i && dropped_q && !done_o;
  rs_checked #(
      .Width  (4),
      .Checked(Sealed)
  ) u_unit (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({start_i || (busy_q && !done_o), start_i, start_i ? refuses : refused_q && !done_o, dropped}),
      .data_o ({busy_q, begin_q, refused_q, dropped_q}),
      .error_o(unit_error)
  );
  assign alert_o = unit_error || ask_error || place_error || chunk_error || end_error || failed_error || store_error ||
      wiping_error || moved;
  // an address on offer is in the part of the vault, or outside, as the instruction's
  logic [2:0] own_place;
  assign own_place = {addr_i[63], addr_i[rs_field_pkg::PlacePartLsb+:2]};
  assign moved = Sealed && ((read_o.ar_valid && rs_field_pkg::strays(
      {read_o.ar.addr[63], read_o.ar.addr[rs_field_pkg::PlacePartLsb+:2]}, own_place
  )) || (write_o.aw_valid && rs_field_pkg::strays(
      {write_o.aw.addr[63], write_o.aw.addr[rs_field_pkg::PlacePartLsb+:2]}, own_place
  )));

  always_comb begin
    if (refused_q) fault_o = refusal;
    else if (loads && read_error_q) fault_o = rs_isa_pkg::FAULT_BUS_READ;
    else if (stores && wrote_q && write_error) fault_o = rs_isa_pkg::FAULT_BUS_WRITE;
    else if (loads ? load_fault : over && !untold) fault_o = rs_isa_pkg::FAULT_VALUE;
    else fault_o = rs_isa_pkg::FAULT_NONE;
  end

  assign idle_o  = !busy_q;
  assign group_o = loads ? instr.dst : instr.a;
  assign ntt_o   = instr.form != 2'd0;
  assign size_o  = log_size - 5'(instr.form[1]);

  // ---- LOADF: memory -> fields -> rows ----------------------------------------------------------------------------------------------------
  logic beat_valid, beat_ready, beat_error, load_begin, load_ready, load_done, fields_end_q;
  logic [BusBits-1:0] beat;
  logic row_valid;
  logic [Words-1:0][W-1:0] load_row_sec;

  assign load_begin = begin_q && loads && !refused_q && !stop;

  rs_axi_read #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i     (start_i && loads && legal),
      .clear_i,
      .addr_i,
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
  // what lies behind the last field goes
  assign beat_ready = load_ready || fields_end_q;

  always_ff @(posedge clk_i) begin
    fields_end_q <= rst_ni && !start_i && !stop && (load_done || fields_end_q);
    if (start_i) read_error_q <= 1'b0;
    else if (beat_valid && beat_ready && beat_error) read_error_q <= 1'b1;
  end

  rs_load_fields #(
      .W        (W),
      .BusBits  (BusBits),
      .Words    (Words),
      .CountBits(CountBits)
  ) u_load (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .start_i   (load_begin),
      .kind_i    (load_kind),
      .width_i   (width),
      .count_i   (coefs),
      .offset_i  (offset),
      .least_i   (least),
      .limit_i   (limit),
      .q_i,
      .valid_i   (beat_valid && !fields_end_q),
      .ready_o   (load_ready),
      .beat_sec_i(beat),
      .valid_o   (row_valid),
      .data_sec_o(load_row_sec),
      .fault_o   (load_fault),
      .done_o    (load_done)
  );

  // ---- STOREF, NORM: chunks that are asked for --------------------------------------------------------------------------------------------
  // Two polynomials at most are asked for and not yet read as rows. NORM reads chunks as they come.
  logic ask_q, ask_last_chunk, ask_last_poly, taken, freed;
  logic [RowBits-1:0] chunk_q, last_chunk;
  logic [3:0] poly_q;
  logic [1:0] halves_q;  // asked for
  logic [1:0] coming_q, coming_last_q;
  logic [LogNMax-1:0] ask_pos;
  logic [1:0][SubBits-1:0] sub_q;
  logic chunk_valid_q, chunk_last_q;
  logic [Words-1:0][W-1:0] chunk_sec, chunk_sec_q;

  always_comb begin
    last_chunk = '0;
    for (int unsigned n = LogSizeMin; n <= LogSizeMax; n++) begin
      if (32'(log_size) == n) last_chunk |= RowBits'((1 << (n - LogWords)) - 1);
    end
  end
  assign ask_last_chunk = chunk_q == last_chunk;
  assign ask_last_poly = poly_q == instr.count;
  assign ask_pos = base + (LogNMax'(poly_q) << log_size) + (LogNMax'(chunk_q) << LogWords);
  assign get_pos_o = ask_pos & ~LogNMax'(V - 1);
  assign get_req_o = ask_q && !clear_i && (checks || halves_q != 2'd2);
  assign taken = get_req_o && get_ready_i;

  logic ask, next_poly;
  logic [1:0] halves;
  assign ask = begin_q ? !loads && !refused_q : ask_q && !(taken && ask_last_chunk && ask_last_poly);
  assign halves = halves_q + 2'(taken && ask_last_chunk && !checks) - 2'(freed && !loads);
  assign next_poly = loads ? put_valid_o && turn_last : taken && ask_last_chunk;
  rs_checked #(
      .Width  (6),
      .Checked(Sealed)
  ) u_ask (
      .clk_i,
      .clear_i(!rst_ni || stop),
      .en_i   (1'b1),
      .data_i ({ask, halves, coming_q[0], taken, coming_q[1]}),
      .data_o ({ask_q, halves_q, coming_q, chunk_valid_q}),
      .error_o(ask_error)
  );
  rs_checked #(
      .Width  (4 + RowBits),
      .Checked(Sealed)
  ) u_place (
      .clk_i,
      .clear_i(!rst_ni || start_i),
      .en_i   (next_poly || taken),
      .data_i (next_poly ? {poly_q + 4'd1, RowBits'(0)} : {poly_q, chunk_q + 1'b1}),
      .data_o ({poly_q, chunk_q}),
      .error_o(place_error)
  );
  rs_checked #(
      .Width  (3),
      .Checked(Sealed)
  ) u_last (
      .clk_i,
      .clear_i(!rst_ni),
      .en_i   (1'b1),
      .data_i ({coming_last_q[0], ask_last_chunk && ask_last_poly, coming_last_q[1]}),
      .data_o ({coming_last_q, chunk_last_q}),
      .error_o(chunk_error)
  );
  always_ff @(posedge clk_i) chunk_sec_q <= coming_q[1] && !stop ? chunk_sec : '0;

  if (V > Words) begin : gen_part
    always_ff @(posedge clk_i) sub_q <= {sub_q[0], SubBits'(ask_pos[LogNMax-1:LogWords])};
    always_comb begin
      chunk_sec = '0;
      for (int unsigned k = 0; k < V / Words; k++) begin
        if (32'(sub_q[1]) == k) chunk_sec |= get_data_sec_i[k*Words+:Words];
      end
    end
  end else begin : gen_whole
    assign sub_q = '0;
    assign chunk_sec = get_data_sec_i;
    logic unused_sub;
    assign unused_sub = ^sub_q;
  end

  // what is said of a signature is that a check has failed, by the first part that would leave, and not which one
  if (Sealed) begin : gen_checks
    localparam int unsigned ManyBits = LogNMax + 1;
    logic failed_q, marked, withheld, many;
    logic [ManyBits-1:0] count_sec_q, others;
    always_comb begin
      others = '0;
      for (int unsigned i = 0; i < Words; i++) others += ManyBits'(chunk_sec_q[i] != '0);
    end
    always_ff @(posedge clk_i) begin
      if (!rst_ni || stop || begin_q) count_sec_q <= '0;
      else if (chunk_valid_q && counts) count_sec_q <= count_sec_q + others;
    end
    logic passed_q;
    rs_checked u_passed (
        .clk_i,
        .clear_i(!rst_ni),
        .en_i   (checks && marked && done_o),
        .data_i (!(store_over || many || dropped_q || (failed_q && !instr_i[rs_isa_pkg::PackFirst]))),
        .data_o (passed_q),
        .error_o(failed_error)
    );
    assign failed_q = !passed_q;
    assign marked = instr_i[rs_isa_pkg::PackMark];
    assign many = counts && count_sec_q > ManyBits'(instr.margin);
    assign withheld = stores && marked && failed_q;
    assign counts = checks && instr.kind == 3'(rs_isa_pkg::NormCount);
    assign norm_legal = counts || legal_norm(instr.kind, instr.power);
    assign refuses = !legal || withheld;
    assign over = (store_over || many) && !(checks && marked);
    assign refusal = withheld ? rs_isa_pkg::FAULT_VALUE : rs_isa_pkg::FAULT_ILLEGAL;
  end else begin : gen_unchecked
    assign counts = 1'b0;
    assign failed_error = 1'b0;
    assign norm_legal = legal_norm(instr.kind, instr.power);
    assign refuses = !legal;
    assign over = store_over;
    assign refusal = rs_isa_pkg::FAULT_ILLEGAL;
    logic unused_count;
    assign unused_count = counts;
  end

  // ---- rows <-> chunks ------------------------------------------------------------------------------------------------------------------
  logic [LogSizeMax-1:0] turn_pos;
  logic [Words-1:0][W-1:0] turn_row_sec;
  logic store_ready;
  logic wiping_q;
  logic [RowBits-1:0] wipe_row_q;

  rs_turn_both #(
      .W      (W),
      .LogNMin(LogSizeMin),
      .LogNMax(LogSizeMax),
      .Words  (Words)
  ) u_turn (
      .clk_i,
      .rst_ni,
      .clear_i    (stop),
      .back_i     (!loads),
      .log_n_i    (log_size),
      .valid_i    (loads ? row_valid : chunk_valid_q && !checks),
      .data_sec_i (loads ? load_row_sec : chunk_sec_q),
      .free_o     (freed),
      .valid_o    (turn_valid),
      .ready_i    (loads || store_ready),
      .last_o     (turn_last),
      .pos_o      (turn_pos),
      .chunk_sec_o(put_data_sec_o),
      .row_sec_o  (turn_row_sec),
      .wipe_i     (wiping_q),
      .wipe_row_i (wipe_row_q)
  );
  assign put_valid_o = turn_valid && loads;
  assign put_last = put_valid_o && turn_last && poly_q == instr.count;
  assign put_pos_o = base + (LogNMax'(poly_q) << log_size) + LogNMax'(turn_pos);

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

  // ---- rows -> fields -> memory; chunks of NORM to their bound ----------------------------------------------------------------------------
  logic store_keep, store_done, fields_valid, pad_q, write_ready, rows_last;
  logic [3:0] row_poly_q;
  logic [BusBits-1:0] fields;

  assign rows_last  = turn_last && row_poly_q == instr.count;
  // a beat on offer stays, alone, and is the last one
  assign store_keep = write_o.w_valid && !write_i.w_ready;

  rs_store_fields #(
      .W      (W),
      .BusBits(BusBits),
      .Words  (Words),
      .Checked(Sealed)
  ) u_store (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .keep_i    (store_keep),
      .start_i   (begin_q && !loads && !refused_q && !stop),
      .kind_i    (store_kind),
      .width_i   (width),
      .offset_i  (offset),
      .q_i,
      .norm_i    (checks),
      .bound_i   (bound),
      .valid_i   (!stop && (checks ? chunk_valid_q : turn_valid && !loads)),
      .ready_o   (store_ready),
      .last_i    (checks ? chunk_last_q : rows_last),
      .data_sec_i(checks ? chunk_sec_q : turn_row_sec),
      .valid_o   (fields_valid),
      .ready_i   (write_ready),
      .beat_sec_o(fields),
      .over_o    (store_over),
      .error_o   (store_error),
      .done_o    (store_done)
  );

  // addresses go out when the first row is there: until then others may use the bus
  assign write_start = stores && turn_valid && !wrote_q && !stop;

  rs_axi_write #(
      .BusBits      (BusBits),
      .Outstanding  (Outstanding),
      .MaxBurstBytes(MaxBurstBytes),
      .LinesBits    (LinesBits)
  ) u_write (
      .clk_i,
      .rst_ni,
      .start_i     (write_start),
      .clear_i,
      .addr_i,
      .lines_i     (lines_q),
      .streams_i   (1'b0),
      .pairs_i     (1'b0),
      .run_i       (2'd0),
      .half_i      (1'b0),
      .busy_o      (writing),
      .drop_o      (drop),
      .error_o     (write_error),
      .beat_valid_i(fields_valid || pad_q),
      .beat_ready_o(write_ready),
      .beat_i      (fields),
      .write_o,
      .write_i,
      .wdata_o
  );

  // pad: zeros up to the end of the line
  rs_checked #(
      .Width  (7),
      .Checked(Sealed)
  ) u_end (
      .clk_i,
      .clear_i(!rst_ni || start_i || !busy_q),
      .en_i(1'b1),
      .data_i({
        write_start || wrote_q,
        (store_done && stores) || pad_q,
        ended_q || put_last || (store_done && checks),
        row_poly_q + 4'(turn_valid && turn_last && store_ready && !loads)
      }),
      .data_o({wrote_q, pad_q, ended_q, row_poly_q}),
      .error_o(end_error)
  );

  assign active_o = (read_i.r_valid && read_o.r_ready) || (write_o.w_valid && write_i.w_ready) || (checks && chunk_valid_q);

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && start_i) begin
      assert (!busy_q || done_o)
      else $error("%m: started while an instruction is under way");
      assert (loads || stores || checks)
      else $error("%m: %0d is no instruction of this unit", instr.op);
    end
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{instr, drop};
endmodule
