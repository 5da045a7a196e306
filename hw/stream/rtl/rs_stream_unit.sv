// SPDX-License-Identifier: Apache-2.0
// rs_stream_unit: encryption as a stream of P words per cycle: three transforms in lock step, the products before and behind them, and queues.
//           The rest of a public-key encryption with special prime p:
//             U = NTT(u / p),  X_j = NTT(b_j + m_j - v_j / p),  c_j = X_j + pk_j U       j = 0, 1; m_1 = 0
//           or three secret-key encryptions side by side:  c_e = NTT(m_e + error_e) - a_e s       e = 0, 1, 2
// Model:   lib/src/ckks/encrypt.c (bit-exact)
// Params:  W, WordBits; P 2, 4, 8; LogNMax; Contexts 1..8; ChunkWords: of a load of tables; LutRows: of rs_stream_ntt
// Bounds:  |small| < q; messages and factors < q; v any W-bit words. README.md, "Unit", has the order of the words
// Timing:  a token in and a token out per cycle; constants of a context are held while busy_o. What comes when depends on no word
//
//   small, message, v --> lift, +, - v / p --> rs_stream_ntt x 3 --> queue --> + or - products with factors --> queue --> words
module rs_stream_unit #(
    parameter  int unsigned W          = 64,
    parameter  int unsigned WordBits   = rs_pkg::WlmWordBits,
    parameter  int unsigned P          = 2,
    parameter  int unsigned LogNMax    = 16,
    parameter  int unsigned Contexts   = 4,
    parameter  int unsigned ChunkWords = 8,
    parameter  int unsigned LutRows    = 64,
    localparam int unsigned CtxBits    = Contexts > 1 ? $clog2(Contexts) : 1
) (
    input logic clk_i,
    input logic rst_ni,
    input logic start_i,  // forgets all limbs; for N = 2^log_n_i. Not while wiping_o
    input logic wipe_i,  // begins a wipe, or begins it anew, whatever is under way; so does a reset (README.md, "Wipe")
    output logic wiping_o,  // from the cycle after wipe_i on; nothing goes in or out. start_i comes after it, before the next limb
    input logic [rs_stream_pkg::LogNBits-1:0] log_n_i,  // held from start_i on
    input logic seeded_i,  // secret key, three frames; held from start_i on
    // tables of a context: rs_stream_twiddles
    input logic load_start_i,
    input logic [CtxBits-1:0] load_ctx_i,
    input logic load_valid_i,
    output logic load_ready_o,
    input logic [ChunkWords-1:0][W-1:0] load_i,
    output logic load_done_o,
    // constants of each context, as in its 64 bytes (docs/core.md)
    input logic [Contexts-1:0][W-1:0] q_i,
    input logic [Contexts-1:0][W-1:0] factor_i,  // what u is multiplied by
    input logic [Contexts-1:0][W-1:0] constant_i,  // what v is multiplied by
    // limbs, in the order of their tokens
    input logic limb_valid_i,
    output logic limb_ready_o,
    input logic [CtxBits-1:0] limb_ctx_i,
    output logic [Contexts-1:0] busy_o,
    input logic flush_i,  // no limb comes soon: push out what is in
    output logic idle_o,
    output logic late_o,  // pulse: a fault of the unit itself
    // tokens of coefficients
    input logic in_valid_i,
    output logic in_ready_o,
    input logic signed [2:0][P-1:0][5:0] small_sec_i,
    input logic [2:0][P-1:0][W-1:0] words_sec_i,
    // tokens of factors
    input logic factor_valid_i,
    output logic factor_ready_o,
    input logic [3:0][P-1:0][W-1:0] factors_sec_i,
    // tokens of results
    output logic out_valid_o,
    input logic out_ready_i,
    output logic [2:0][P-1:0][W-1:0] words_o
);
  import rs_stream_pkg::*;

  localparam int unsigned LogLanes = $clog2(P);
  localparam int unsigned Product = rs_pkg::modmul_latency(W, WordBits);
  localparam int unsigned Sum = rs_pkg::AddSubLatency;
  localparam int unsigned Before = Product + Sum;  // from the registers of a token to the transforms
  // After so many cycles the result that a token pushes out is in the queue.
  localparam int unsigned Reserved = 1 + Before + in_flight(LogNMax, LogLanes, W, WordBits) + 1;
  localparam int unsigned Rows = (Reserved + 17) / 2 * 2;  // and those that wait for their pair, and on their way out
  localparam int unsigned RowsBits = $clog2(2 * Rows + 1);
  localparam int unsigned OutRows = Product + Sum + 8;
  localparam int unsigned OutBits = $clog2(OutRows + 1);
  localparam int unsigned OutAddr = $clog2(OutRows);
  localparam int unsigned CountBits = LogNMax - LogLanes;
  localparam int unsigned SlotBits = 3;
  localparam int unsigned Slots = 1 << SlotBits;

  typedef logic [CtxBits-1:0] ctx_t;
  typedef logic [SlotBits:0] place_t;

  // ---- wipe: tokens of zeros go through everything, and the transforms' words to the queue in every cycle
  // until the transforms give zeros only; until these have filled the queue; until what leaves it has filled the last queue
  localparam int unsigned WipeCycles = wipe_tokens(LogNMax, LogLanes) + Reserved + Rows + 8 + Before + OutRows + 8;
  localparam int unsigned WipeBits = $clog2(WipeCycles);
  logic wiping_q, wipe_begins_q, wipe_ends_q, wiping, start;
  logic [WipeBits-1:0] wipe_left_q;

  always_ff @(posedge clk_i) begin
    wipe_begins_q <= !rst_ni || wipe_i;
    wipe_ends_q   <= rst_ni && !wipe_i && wiping_q && wipe_left_q == '0;
    if (!rst_ni || wipe_i) begin
      wiping_q    <= 1'b1;
      wipe_left_q <= WipeBits'(WipeCycles - 1);
    end else if (wiping_q) begin
      wiping_q    <= wipe_left_q != '0;
      wipe_left_q <= wipe_left_q - 1'b1;
    end
  end
  assign wiping = wiping_q || wipe_ends_q;
  assign wiping_o = wiping;
  assign start = wiping ? wipe_begins_q || wipe_ends_q : start_i;

  logic clear;
  assign clear = !rst_ni || start;

  logic [CountBits-1:0] last_count_q;
  logic seeded_q;
  always_ff @(posedge clk_i) begin
    if (start) begin
      last_count_q <= CountBits'((32'd1 << (32'(log_n_i) - LogLanes)) - 1);
      // in a wipe the factors, which are whatever they are, meet the zeros of the transforms
      seeded_q <= seeded_i && !wiping;
    end
  end

  // ---- limbs: announced, entering, leaving
  ctx_t [Slots-1:0] ring_q;
  logic [Slots-1:0] used_q;
  place_t put_q, in_q, out_q;
  logic put, limb_in, limb_out, made_ready;
  logic [Contexts-1:0] made_busy;

  assign limb_ready_o = made_ready && !used_q[put_q[SlotBits-1:0]] && !wiping;
  assign put = limb_valid_i && limb_ready_o;

  always_ff @(posedge clk_i) begin
    if (clear) begin
      used_q <= '0;
      put_q  <= '0;
      in_q   <= '0;
      out_q  <= '0;
    end else begin
      put_q <= put_q + place_t'(put);
      in_q  <= in_q + place_t'(limb_in);
      out_q <= out_q + place_t'(limb_out);
      if (limb_out) used_q[out_q[SlotBits-1:0]] <= 1'b0;
      if (put) used_q[put_q[SlotBits-1:0]] <= 1'b1;
    end
    if (put) ring_q[put_q[SlotBits-1:0]] <= limb_ctx_i;
  end

  always_comb begin
    busy_o = made_busy;
    for (int unsigned s = 0; s < Slots; s++) if (used_q[s]) busy_o[ring_q[s]] = 1'b1;
  end

  // ---- tokens in: of a limb that is known, or dead ones of zeros that push the last limb out. Each reserves a row of the queue
  logic [CountBits-1:0] count_q;
  logic dead_q, room_q, begins, token_live, token_dead, token, known, ends;
  logic [RowsBits-1:0] total_q, total_d;
  logic [Reserved-1:0] reserved_q;
  logic push, pop;

  assign begins = count_q == '0;
  assign known = in_q != put_q;
  assign in_ready_o = room_q && !wiping && (begins ? known : !dead_q);
  assign token_live = in_valid_i && in_ready_o;
  assign token_dead = room_q && (begins ? !known && flush_i && in_q != out_q : dead_q);
  assign token = token_live || token_dead || wiping_q;
  assign ends = count_q == last_count_q;
  assign limb_in = token_live && ends;
  assign total_d = total_q + RowsBits'(token) - RowsBits'(reserved_q[Reserved-1]) + RowsBits'(push) - RowsBits'(pop);

  always_ff @(posedge clk_i) begin
    if (clear) begin
      count_q    <= '0;
      dead_q     <= 1'b0;
      total_q    <= '0;
      room_q     <= 1'b1;
      reserved_q <= '0;
    end else begin
      if (token) count_q <= ends ? '0 : count_q + 1'b1;
      if (token && begins) dead_q <= token_dead;
      total_q    <= total_d;
      room_q     <= total_d < RowsBits'(Rows);
      reserved_q <= {reserved_q[Reserved-2:0], token};
    end
  end

  // ---- registers of a token, and of its limb's constants
  logic token_q, first_q, last_q, live_q;
  logic signed [2:0][P-1:0][5:0] small_q;
  logic [2:0][P-1:0][W-1:0] words_q;
  logic [W-1:0] in_modulus_q;
  logic [W-1:0] in_factor_q, in_constant_q;
  ctx_t in_ctx;
  assign in_ctx = ring_q[in_q[SlotBits-1:0]];

  always_ff @(posedge clk_i) begin
    if (clear) token_q <= 1'b0;
    else token_q <= token;
    first_q <= begins && !wiping;
    last_q  <= ends;
    live_q  <= token_live;
    small_q <= token_live ? small_sec_i : '0;
    words_q <= token_live ? words_sec_i : '0;
    if (token_live && begins) begin
      in_modulus_q  <= q_i[in_ctx];
      in_factor_q   <= factor_i[in_ctx];
      in_constant_q <= constant_i[in_ctx];
    end
  end

  // ---- the modulus, where it is needed later
  logic load;
  logic [W-1:0] ntt_modulus;
  logic [W-1:0] q_add, q_sub;
  logic [2:0] unused_load;
  assign load = token_q && first_q;

  rs_tap #(
      .Width (W),
      .Cycles(2)
  ) u_q_add (
      .clk_i,
      .load_i(load),
      .data_i(in_modulus_q),
      .load_o(unused_load[0]),
      .data_o(q_add)
  );
  rs_tap #(
      .Width (W),
      .Cycles(Product + 1)
  ) u_q_sub (
      .clk_i,
      .load_i(load),
      .data_i(in_modulus_q),
      .load_o(unused_load[1]),
      .data_o(q_sub)
  );
  rs_tap #(
      .Width (W),
      .Cycles(Before)
  ) u_ntt_modulus (
      .clk_i,
      .load_i(load),
      .data_i(in_modulus_q),
      .load_o(unused_load[2]),
      .data_o(ntt_modulus)
  );

  // ---- products. The first group multiplies v_0, or a_0 s behind the transforms
  logic out_load;
  logic [W-1:0] out_modulus_q;
  logic [2:0][P-1:0][W-1:0] row;  // rows of results of the transforms
  logic [1:0][P-1:0][W-1:0] v_product, post_product;
  logic [P-1:0][W-1:0] secret_or_u, constant_all;
  logic [W-1:0] first_modulus;
  assign constant_all  = {P{in_constant_q}};
  assign secret_or_u   = seeded_q ? factors_sec_i[3] : row[0];
  assign first_modulus = seeded_q ? out_modulus_q : in_modulus_q;

  rs_stream_modmul #(
      .W       (W),
      .WordBits(WordBits),
      .Count   (P)
  ) u_product_0 (
      .clk_i,
      .load_i(seeded_q ? out_load : load),
      .q_i   (first_modulus),
      .a_i   (seeded_q ? factors_sec_i[0] : words_q[1]),
      .b_i   (seeded_q ? factors_sec_i[3] : constant_all),
      .p_o   (v_product[0])
  );
  rs_stream_modmul #(
      .W       (W),
      .WordBits(WordBits),
      .Count   (P)
  ) u_product_1 (
      .clk_i,
      .load_i(load),
      .q_i   (in_modulus_q),
      .a_i   (words_q[2]),
      .b_i   (constant_all),
      .p_o   (v_product[1])
  );
  rs_stream_modmul #(
      .W       (W),
      .WordBits(WordBits),
      .Count   (2 * P)
  ) u_products (
      .clk_i,
      .load_i(out_load),
      .q_i   (out_modulus_q),
      .a_i   (seeded_q ? factors_sec_i[2:1] : factors_sec_i[1:0]),
      .b_i   ({2{secret_or_u}}),
      .p_o   (post_product)
  );

  // ---- before the transforms
  logic [2:0][P-1:0][W-1:0] ntt_words;
  logic token_x, first_x, last_x, live_x;
  logic [Before-1:0] token_way_q;

  for (genvar e = 0; e < 3; e++) begin : gen_before
    for (genvar i = 0; i < P; i++) begin : gen_lanes
      logic [W-1:0] lifted, lifted_q, message_q, sum, sum_late;
      rs_lift_small #(
          .W        (W),
          .ValueBits(6)
      ) u_lift (
          .q_i          (in_modulus_q),
          .factor_i     (in_factor_q),
          .scale_i      (e == 0 && !seeded_q),
          .value_sec_i  (small_q[e][i]),
          .residue_sec_o(lifted)
      );
      always_ff @(posedge clk_i) begin
        lifted_q  <= lifted;
        message_q <= seeded_q ? words_q[e][i] : e == 1 ? words_q[0][i] : '0;
      end
      rs_stream_sum #(
          .W(W)
      ) u_message (
          .clk_i,
          .minus_i(1'b0),
          .q_i    (q_add),
          .a_i    (lifted_q),
          .b_i    (message_q),
          .r_o    (sum)
      );
      if (e == 0) begin : gen_no_product
        rs_delay #(
            .Width (W),
            .Cycles(Before - 1 - Sum)
        ) u_late (
            .clk_i,
            .data_i(sum),
            .data_o(sum_late)
        );
        assign ntt_words[e][i] = sum_late;
      end else begin : gen_product
        rs_delay #(
            .Width (W),
            .Cycles(Product - 1 - Sum)
        ) u_late (
            .clk_i,
            .data_i(sum),
            .data_o(sum_late)
        );
        rs_stream_sum #(
            .W(W)
        ) u_rounded (
            .clk_i,
            .minus_i(1'b1),
            .q_i    (q_sub),
            .a_i    (sum_late),
            .b_i    (seeded_q ? '0 : v_product[e-1][i]),
            .r_o    (ntt_words[e][i])
        );
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear) token_way_q <= '0;
    else token_way_q <= {token_way_q[Before-2:0], token_q};
  end
  assign token_x = token_way_q[Before-1];

  rs_delay #(
      .Width (3),
      .Cycles(Before)
  ) u_marks (
      .clk_i,
      .data_i({first_q, last_q, live_q}),
      .data_o({first_x, last_x, live_x})
  );

  // ---- transforms and their twiddles
  logic [LogNMax-1:0][P/2-1:0][W-1:0] twiddle;
  logic [LogNMax-1:0] twiddle_valid, take;
  logic [2:0][P-1:0][W-1:0] result;
  logic result_valid, result_first;
  assign push = result_valid || wiping_q;

  rs_stream_twiddles #(
      .W         (W),
      .WordBits  (WordBits),
      .P         (P),
      .LogNMax   (LogNMax),
      .Contexts  (Contexts),
      .ChunkWords(ChunkWords)
  ) u_twiddles (
      .clk_i,
      .rst_ni,
      .start_i        (start),
      .log_n_i,
      .load_start_i,
      .load_ctx_i,
      .load_valid_i,
      .load_ready_o,
      .load_i,
      .load_done_o,
      .q_i,
      .limb_valid_i   (put),
      .limb_ready_o   (made_ready),
      .limb_ctx_i,
      .busy_o         (made_busy),
      .twiddle_o      (twiddle),
      .twiddle_valid_o(twiddle_valid),
      .take_i         (take)
  );

  rs_stream_ntt #(
      .W       (W),
      .WordBits(WordBits),
      .P       (P),
      .LogNMax (LogNMax),
      .Engines (3),
      .LutRows (LutRows)
  ) u_ntt (
      .clk_i,
      .rst_ni,
      .start_i        (start),
      .log_n_i,
      .wipe_i         (wiping),
      .valid_i        (token_x),
      .first_i        (first_x),
      .last_i         (last_x),
      .live_i         (live_x),
      .q_i            (ntt_modulus),
      .words_i        (ntt_words),
      .twiddle_i      (twiddle),
      .twiddle_valid_i(twiddle_valid),
      .take_o         (take),
      .late_o,
      .valid_o        (result_valid),
      .first_o        (result_first),
      .words_o        (result)
  );

  // ---- the queue of results
  logic row_valid;
  rs_stream_queue #(
      .Width(3 * P * W),
      .Rows (Rows)
  ) u_queue (
      .clk_i,
      .clear_i(clear),
      .push_i (push),
      .data_i (result),
      .valid_o(row_valid),
      .data_o (row),
      .pop_i  (pop)
  );

  // ---- behind the transforms: a row leaves with its factors, if there is room at the end
  logic [CountBits-1:0] out_count_q;
  logic [OutBits-1:0] out_total_q, out_there_q;
  logic [Before-1:0] way_q;
  logic [W-1:0] q_out;
  logic unused_out_load;
  logic out_take, out_room_q, out_valid_q;
  logic [OutBits-1:0] out_total_d, out_there_d;
  ctx_t out_ctx;

  assign factor_ready_o = row_valid && out_room_q && !wiping;
  assign pop = row_valid && out_room_q && (wiping_q || factor_valid_i);
  assign out_load = pop && out_count_q == '0;
  assign limb_out = pop && out_count_q == last_count_q;
  assign out_ctx = ring_q[SlotBits'(out_q+place_t'(limb_out))];

  rs_tap #(
      .Width (W),
      .Cycles(Product + 1)
  ) u_q_out (
      .clk_i,
      .load_i(out_load),
      .data_i(out_modulus_q),
      .load_o(unused_out_load),
      .data_o(q_out)
  );

  logic [2:0][P-1:0][W-1:0] row_late, done;
  for (genvar e = 0; e < 3; e++) begin : gen_behind
    rs_delay #(
        .Width (P * W),
        .Cycles(Product)
    ) u_late (
        .clk_i,
        .data_i(row[e]),
        .data_o(row_late[e])
    );
    for (genvar i = 0; i < P; i++) begin : gen_lanes
      // the first result is no secret-key encryption's: NTT(u / p) stays inside
      rs_stream_sum #(
          .W(W)
      ) u_sum (
          .clk_i,
          .minus_i(seeded_q),
          .q_i    (q_out),
          .a_i    (e == 0 && !seeded_q ? '0 : row_late[e][i]),
          .b_i    (e != 0 ? post_product[e==0?0 : e-1][i] : seeded_q ? v_product[0][i] : '0),
          .r_o    (done[e][i])
      );
    end
  end

  // ---- the queue at the end
  logic [OutAddr-1:0] out_write_q, out_read_q;
  logic written;
  assign written = way_q[Before-1];
  assign out_valid_o = out_valid_q && !wiping;
  assign out_take = out_valid_q && (wiping_q || out_ready_i);
  assign out_total_d = out_total_q + OutBits'(pop) - OutBits'(out_take);
  assign out_there_d = out_there_q + OutBits'(written) - OutBits'(out_take);

  rs_ram_1r1w #(
      .Width(3 * P * W),
      .Depth(OutRows)
  ) u_out (
      .clk_i,
      .we_i   (written && !clear),
      .waddr_i(out_write_q),
      .wdata_i(done),
      .raddr_i(out_read_q),
      .rdata_o(words_o)
  );

  always_ff @(posedge clk_i) begin
    if (clear) begin
      out_count_q <= '0;
      out_total_q <= '0;
      out_there_q <= '0;
      out_room_q  <= 1'b1;
      out_valid_q <= 1'b0;
      out_write_q <= '0;
      out_read_q  <= '0;
      way_q       <= '0;
    end else begin
      if (pop) out_count_q <= limb_out ? '0 : out_count_q + 1'b1;
      out_total_q <= out_total_d;
      out_there_q <= out_there_d;
      out_room_q  <= out_total_d != OutBits'(OutRows);
      out_valid_q <= out_there_d != '0;
      way_q       <= {way_q[Before-2:0], pop};
      if (written) out_write_q <= out_write_q == OutAddr'(OutRows - 1) ? '0 : out_write_q + 1'b1;
      if (out_take) out_read_q <= out_read_q == OutAddr'(OutRows - 1) ? '0 : out_read_q + 1'b1;
    end
    out_modulus_q <= q_i[out_ctx];
  end

  assign idle_o = put_q == out_q && out_total_q == '0 && !wiping;

  logic unused;
  assign unused = result_first;

`ifndef SYNTHESIS
  logic [CountBits-1:0] count_out_q;
  always_ff @(posedge clk_i) begin
    assert (!rst_ni || !late_o)
    else $error("%m: a set of twiddles was late");
    assert (!rst_ni || !start_i || !wiping)
    else $error("%m: started in a wipe");
    assert (clear || !result_valid || result_first == (count_out_q == '0))
    else $error("%m: results and limbs do not agree");
  end
  always_ff @(posedge clk_i) begin
    if (clear) count_out_q <= '0;
    else if (result_valid) count_out_q <= count_out_q == last_count_q ? '0 : count_out_q + 1'b1;
  end
`endif

endmodule
