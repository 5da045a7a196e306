// SPDX-License-Identifier: Apache-2.0
// The exchange: what the server sends, what the client answers, and what both share.
#include <string.h>

#include "base/bytes.h"
#include "base/checks.h"
#include "newhope/newhope.h"
#include "sampling/seed.h"

enum { N = RS_NEWHOPE_N, POLYS = 3, SEED_BYTES = RS_NEWHOPE_SEED_BYTES };

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

size_t rs_newhope_size(void) {
    return HEADER_BYTES + rs_plan_size(RS_NEWHOPE_LOG_N);
}

size_t rs_newhope_workspace(void) {
    return sizeof(polys_t);
}

rs_status_t rs_newhope_init_stream(const rs_newhope_t **scheme, void *memory, size_t memory_bytes, rs_newhope_parse_t parse,
                                   rs_newhope_stream_t stream, const char *consent) {
    if (!scheme) return RS_ERR_NULL;
    RS_TRY(rs_check_research(consent));
    if (parse != RS_NEWHOPE_PARSE_USENIX && parse != RS_NEWHOPE_PARSE_5Q) return RS_ERR_OPTION;
    if (stream != RS_NEWHOPE_STREAM_CHACHA20 && stream != RS_NEWHOPE_STREAM_SHAKE256) return RS_ERR_OPTION;
    RS_TRY(rs_check_workspace(memory, memory_bytes, rs_newhope_size()));
    rs_newhope_t *made = memory;
    made->parse = parse;
    made->stream = stream;
    RS_TRY(rs_plan_init(&made->plan, (rs_memory_t){(uint8_t *)memory + HEADER_BYTES, memory_bytes - HEADER_BYTES}, RS_NEWHOPE_LOG_N,
                        RS_NEWHOPE_Q, 0));
    *scheme = made;
    return RS_OK;
}

rs_status_t rs_newhope_init(const rs_newhope_t **scheme, void *memory, size_t memory_bytes, rs_newhope_parse_t parse,
                            const char *consent) {
    return rs_newhope_init_stream(scheme, memory, memory_bytes, parse, RS_NEWHOPE_STREAM_CHACHA20, consent);
}

rs_newhope_parse_t rs_newhope_parse_of(const rs_newhope_t *scheme) {
    return scheme->parse;
}

rs_newhope_stream_t rs_newhope_stream_of(const rs_newhope_t *scheme) {
    return scheme->stream;
}

static int by_shake(const rs_newhope_t *scheme) {
    return scheme->stream == RS_NEWHOPE_STREAM_SHAKE256;
}

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

static rs_status_t check_memory(const rs_newhope_t *scheme, const void *workspace, size_t workspace_bytes) {
    return scheme ? rs_check_workspace(workspace, workspace_bytes, rs_newhope_workspace()) : RS_ERR_NULL;
}

// ---- server, first half ------------------------------------------------------------------------------------------------
static void server(const rs_newhope_t *scheme, uint8_t *message, uint8_t *secret, const uint8_t *seed, const uint8_t *noise_seed,
                   polys_t *p) {
    sample(scheme, p, seed, noise_seed);
    rs_newhope_pack(secret, p->s);
    rs_newhope_pack(message, p->a);
    memcpy(message + RS_NEWHOPE_POLY_BYTES, seed, SEED_BYTES);
    rs_zeroize(p, sizeof *p);
}

rs_status_t rs_newhope_server_derand(const rs_newhope_t *scheme, uint8_t *message, uint8_t *secret, const uint8_t *seed,
                                     const uint8_t *noise_seed, void *workspace, size_t workspace_bytes) {
    if (!message || !secret || !seed || !noise_seed) return RS_ERR_NULL;
    RS_TRY(check_memory(scheme, workspace, workspace_bytes));
    server(scheme, message, secret, seed, noise_seed, workspace);
    return RS_OK;
}

// The first 32 of 64 bytes that are drawn are the seed.
rs_status_t rs_newhope_server(const rs_newhope_t *scheme, uint8_t *message, uint8_t *secret, rs_rng_t *rng, void *workspace,
                              size_t workspace_bytes) {
    if (!message || !secret || !rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(check_memory(scheme, workspace, workspace_bytes));
    rs_seed_t noise_seed, seed;
    RS_TRY(rs_fresh_seeds(rng, &noise_seed, &seed));
    server(scheme, message, secret, seed.bytes, noise_seed.bytes, workspace);
    rs_zeroize(&noise_seed, sizeof noise_seed);
    return RS_OK;
}

// ---- client ------------------------------------------------------------------------------------------------------------
// Leaves b in p->a.
static rs_status_t check_server_message(const rs_newhope_t *scheme, const uint8_t *message, size_t message_bytes, void *workspace,
                                        size_t workspace_bytes) {
    if (!message) return RS_ERR_NULL;
    if (message_bytes != RS_NEWHOPE_SERVER_BYTES) return RS_ERR_LENGTH;
    RS_TRY(check_memory(scheme, workspace, workspace_bytes));
    polys_t *p = workspace;
    return rs_newhope_unpack(p->a, message);
}

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

// server_message has passed its check.
static void client(const rs_newhope_t *scheme, uint8_t *message, uint8_t *shared, const uint8_t *server_message,
                   const uint8_t *noise_seed, polys_t *p) {
    uint8_t *hints = message + RS_NEWHOPE_POLY_BYTES;
    uint8_t coins[RS_NEWHOPE_COIN_BYTES];
    sample(scheme, p, server_message + RS_NEWHOPE_POLY_BYTES, noise_seed);
    rs_newhope_pack(message, p->a);
    rs_ignore(rs_newhope_unpack(p->a, server_message));
    rs_plan_mul(scheme->plan, p->a, p->a, p->s);
    rs_plan_inverse(scheme->plan, p->a);
    noise(scheme, p->e, noise_seed, RS_NEWHOPE_NOISE_SECOND_ERROR);
    rs_plan_add(scheme->plan, p->a, p->a, p->e);
    draw_coins(scheme, coins, noise_seed);
    rs_newhope_hints(hints, p->a, coins);
    share(shared, p->a, hints);
    rs_zeroize(coins, sizeof coins);
    rs_zeroize(p, sizeof *p);
}

rs_status_t rs_newhope_client_derand(const rs_newhope_t *scheme, uint8_t *message, uint8_t *shared, const uint8_t *server_message,
                                     size_t server_message_bytes, const uint8_t *noise_seed, void *workspace,
                                     size_t workspace_bytes) {
    if (!message || !shared || !noise_seed) return RS_ERR_NULL;
    RS_TRY(check_server_message(scheme, server_message, server_message_bytes, workspace, workspace_bytes));
    client(scheme, message, shared, server_message, noise_seed, workspace);
    return RS_OK;
}

rs_status_t rs_newhope_client(const rs_newhope_t *scheme, uint8_t *message, uint8_t *shared, const uint8_t *server_message,
                              size_t server_message_bytes, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!message || !shared || !rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(check_server_message(scheme, server_message, server_message_bytes, workspace, workspace_bytes));
    rs_seed_t noise_seed;
    RS_TRY(rs_fresh_seed(rng, &noise_seed));
    client(scheme, message, shared, server_message, noise_seed.bytes, workspace);
    rs_zeroize(&noise_seed, sizeof noise_seed);
    return RS_OK;
}

// ---- server, second half -----------------------------------------------------------------------------------------------
rs_status_t rs_newhope_shared(const rs_newhope_t *scheme, uint8_t *shared, const uint8_t *client_message,
                              size_t client_message_bytes, const uint8_t *secret, void *workspace, size_t workspace_bytes) {
    if (!shared || !client_message || !secret) return RS_ERR_NULL;
    if (client_message_bytes != RS_NEWHOPE_CLIENT_BYTES) return RS_ERR_LENGTH;
    RS_TRY(check_memory(scheme, workspace, workspace_bytes));
    polys_t *p = workspace;
    rs_status_t status = rs_newhope_unpack(p->a, client_message);
    if (status == RS_OK) status = rs_newhope_unpack(p->s, secret);
    if (status == RS_OK) {
        rs_plan_mul(scheme->plan, p->a, p->a, p->s);
        rs_plan_inverse(scheme->plan, p->a);
        share(shared, p->a, client_message + RS_NEWHOPE_POLY_BYTES);
    }
    rs_zeroize(p, sizeof *p);
    return status;
}
