// SPDX-License-Identifier: Apache-2.0
// The exchange: what the server sends, what the client answers, and what both share.
#include <string.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "papers/newhope/newhope.h"
#include "sampling/seed.h"

enum { N = RS_NEWHOPE_N, SEED_BYTES = RS_NEWHOPE_SEED_BYTES };

struct rs_newhope {
    const rs_plan_t *plan;
    rs_newhope_parse_t parse;
    rs_newhope_stream_t stream;
};

typedef struct polys {
    uint64_t s[N];
    uint64_t e[N];
    uint64_t a[N];
} polys_t;

// Before the plan, in the same memory.
enum { HEADER_BYTES = (sizeof(rs_newhope_t) + 7) / 8 * 8 };

const rs_research_sizes_t *rs_newhope_sizes(void) {
    static const rs_research_sizes_t SIZES = {HEADER_BYTES + RS_PLAN_BYTES(RS_NEWHOPE_LOG_N), sizeof(polys_t)};
    return &SIZES;
}

rs_status_t rs_newhope_init(const rs_newhope_t **scheme, rs_memory_t memory, uint32_t parse, uint32_t stream, const char *consent) {
    if (!scheme) return RS_ERR_NULL;
    RS_TRY(rs_check_research(consent));
    if (parse != RS_NEWHOPE_PARSE_USENIX && parse != RS_NEWHOPE_PARSE_5Q) return RS_ERR_OPTION;
    if (stream != RS_NEWHOPE_STREAM_CHACHA20 && stream != RS_NEWHOPE_STREAM_SHAKE256) return RS_ERR_OPTION;
    RS_TRY(rs_check_memory(memory, rs_newhope_sizes()->memory));
    rs_newhope_t *made = memory.p;
    made->parse = (rs_newhope_parse_t)parse;
    made->stream = (rs_newhope_stream_t)stream;
    RS_TRY(rs_plan_init(&made->plan, (rs_memory_t){(uint8_t *)memory.p + HEADER_BYTES, memory.n - HEADER_BYTES}, RS_NEWHOPE_LOG_N,
                        RS_NEWHOPE_Q, 0));
    *scheme = made;
    return RS_OK;
}

rs_newhope_parse_t rs_newhope_parse_of(const rs_newhope_t *scheme) { return scheme->parse; }

rs_newhope_stream_t rs_newhope_stream_of(const rs_newhope_t *scheme) { return scheme->stream; }

static int by_shake(const rs_newhope_t *scheme) { return scheme->stream == RS_NEWHOPE_STREAM_SHAKE256; }

static void noise(const rs_newhope_t *scheme, uint64_t *coef, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    if (by_shake(scheme)) {
        rs_newhope_noise_shake(coef, noise_seed, number);
    } else {
        rs_newhope_noise(coef, noise_seed, number);
    }
}

static void draw_coins(const rs_newhope_t *scheme, uint8_t *coins, const uint8_t *noise_seed) {
    if (by_shake(scheme)) {
        rs_newhope_coins_shake(coins, noise_seed);
    } else {
        rs_newhope_coins(coins, noise_seed);
    }
}

// Noise, transformed.
static void small(const rs_newhope_t *scheme, uint64_t *ntt, const uint8_t *noise_seed, rs_newhope_noise_t number) {
    noise(scheme, ntt, noise_seed, number);
    rs_plan_forward(scheme->plan, ntt);
}

// s, e and a s + e, which every message has, the last in place of a.
static void sample(const rs_newhope_t *scheme, polys_t *p, const uint8_t *seed, const uint8_t *noise_seed) {
    small(scheme, p->s, noise_seed, RS_NEWHOPE_NOISE_SECRET);
    small(scheme, p->e, noise_seed, RS_NEWHOPE_NOISE_ERROR);
    rs_newhope_parse(p->a, seed, scheme->parse);
    rs_plan_mul_add(scheme->plan, p->a, p->a, p->s, p->e);
}

static rs_status_t check_memory(const rs_newhope_t *scheme, rs_memory_t workspace) {
    return scheme ? rs_check_memory(workspace, sizeof(polys_t)) : RS_ERR_NULL;
}

static rs_status_t check_noise_seed(rs_view_t noise_seed, const rs_rng_t *rng) {
    return rs_check_random(noise_seed, rng, SEED_BYTES);
}

// ---- server, first half ------------------------------------------------------------------------------------------------
rs_status_t rs_newhope_server(const rs_newhope_server_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->message, RS_NEWHOPE_SERVER_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->secret, RS_NEWHOPE_SECRET_BYTES));
    RS_TRY(check_noise_seed(r->noise_seed, r->rng));
    RS_TRY(rs_check_random(r->seed, r->rng, SEED_BYTES));
    RS_TRY(check_memory(r->scheme, r->workspace));
    rs_seed_t drawn[2];
    if (r->rng) RS_TRY(rs_fresh_seeds(r->rng, &drawn[0], &drawn[1]));
    const uint8_t *noise_seed = r->rng ? drawn[0].bytes : r->noise_seed.p, *seed = r->rng ? drawn[1].bytes : r->seed.p;
    polys_t *p = r->workspace.p;
    sample(r->scheme, p, seed, noise_seed);
    rs_newhope_pack(r->secret.p, p->s);
    rs_newhope_pack(r->message.p, p->a);
    memcpy(r->message.p + RS_NEWHOPE_POLY_BYTES, seed, SEED_BYTES);
    rs_zeroize(drawn, sizeof drawn);
    rs_zeroize(p, sizeof *p);
    return RS_OK;
}

// ---- client ------------------------------------------------------------------------------------------------------------
// What is hashed, and no more, is secret in the end.
void rs_newhope_share(uint8_t *shared, uint8_t *bits) {
    rs_sponge_hash(RS_SPONGE_SHA3_256, shared, RS_NEWHOPE_SHARED_BYTES, bits, RS_NEWHOPE_SHARED_BYTES);
    rs_zeroize(bits, RS_NEWHOPE_SHARED_BYTES);
}

static void share(uint8_t *shared, const uint64_t *v, const uint8_t *hints) {
    uint8_t bits[RS_NEWHOPE_SHARED_BYTES];
    rs_newhope_reconcile(bits, v, hints);
    rs_newhope_share(shared, bits);
}

// The request has been checked, b included.
static void answer(const rs_newhope_client_request_t *r, const uint8_t *noise_seed, polys_t *p) {
    const rs_newhope_t *scheme = r->scheme;
    const uint8_t *server_message = r->server_message.p;
    uint8_t *hints = r->message.p + RS_NEWHOPE_POLY_BYTES, coins[RS_NEWHOPE_COIN_BYTES];
    sample(scheme, p, server_message + RS_NEWHOPE_POLY_BYTES, noise_seed);
    rs_newhope_pack(r->message.p, p->a);
    rs_ignore(rs_newhope_unpack(p->a, server_message));
    rs_plan_mul(scheme->plan, p->a, p->a, p->s);
    rs_plan_inverse(scheme->plan, p->a);
    noise(scheme, p->e, noise_seed, RS_NEWHOPE_NOISE_SECOND_ERROR);
    rs_plan_add(scheme->plan, p->a, p->a, p->e);
    draw_coins(scheme, coins, noise_seed);
    rs_newhope_hints(hints, p->a, coins);
    share(r->shared.p, p->a, hints);
    rs_zeroize(coins, sizeof coins);
}

rs_status_t rs_newhope_client(const rs_newhope_client_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (r->reserved) return RS_ERR_STRUCT;
    RS_TRY(RS_CHECK_SPAN(r->server_message, RS_NEWHOPE_SERVER_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->message, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->shared, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(check_noise_seed(r->noise_seed, r->rng));
    RS_TRY(check_memory(r->scheme, r->workspace));
    rs_seed_t drawn;
    polys_t *p = r->workspace.p;
    rs_status_t status = rs_newhope_unpack(p->a, r->server_message.p);
    if (status == RS_OK && r->rng) status = rs_fresh_seed(r->rng, &drawn);
    if (status == RS_OK) answer(r, r->rng ? drawn.bytes : r->noise_seed.p, p);
    rs_zeroize(&drawn, sizeof drawn);
    rs_zeroize(p, sizeof *p);
    return status;
}

// ---- server, second half -----------------------------------------------------------------------------------------------
rs_status_t rs_newhope_shared(const rs_newhope_t *scheme, rs_bytes_t shared, rs_view_t client_message, rs_view_t secret,
                              rs_memory_t workspace) {
    RS_TRY(RS_CHECK_SPAN(shared, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(RS_CHECK_SPAN(client_message, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(RS_CHECK_SPAN(secret, RS_NEWHOPE_SECRET_BYTES));
    RS_TRY(check_memory(scheme, workspace));
    polys_t *p = workspace.p;
    rs_status_t status = rs_newhope_unpack(p->a, client_message.p);
    if (status == RS_OK) status = rs_newhope_unpack(p->s, secret.p);
    if (status == RS_OK) {
        rs_plan_mul(scheme->plan, p->a, p->a, p->s);
        rs_plan_inverse(scheme->plan, p->a);
        share(shared.p, p->a, client_message.p + RS_NEWHOPE_POLY_BYTES);
    }
    rs_zeroize(p, sizeof *p);
    return status;
}
