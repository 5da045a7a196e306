// SPDX-License-Identifier: Apache-2.0
// NewHope-1024 and BLISS-BI taken apart: whole operations, and the kernels that they call, as often as they call them. For programs that
// measure (bare/classic_cost.c); each brings memory and a clock.
#ifndef RS_CLASSIC_SHARES_H
#define RS_CLASSIC_SHARES_H

#include <ringside/golden.h>
#include <ringside/plan.h>
#include <ringside/research.h>

#include "papers/bliss/bliss.h"
#include "papers/newhope/newhope.h"

// A server's operation is both of its halves. A signature is that of one attempt; 1.213 is the mean, 1.213 times all but the hash of the message.
typedef enum classic_operation {
    CLASSIC_SERVER,
    CLASSIC_CLIENT,
    CLASSIC_KEYPAIR,
    CLASSIC_SIGN,
    CLASSIC_VERIFY,
    CLASSIC_OPERATIONS
} classic_operation_t;

typedef enum classic_part {
    CLASSIC_WHOLE,
    CLASSIC_NTT, // transforms, both directions
    CLASSIC_KECCAK, // streams and hashes, without what is made of their bytes
    CLASSIC_CHACHA,
    CLASSIC_SAMPLERS, // noise with its ChaCha, Parse with its Keccak; the Gaussian from bytes
    CLASSIC_PARTS
} classic_part_t;

// draws of an attempt, on average: 1024 of candidates of which 0.808 are kept, and half a draw that is not used up
enum { CLASSIC_SEEDS = 8, CLASSIC_MESSAGE_BYTES = 64, CLASSIC_DRAWS = 40 };

typedef struct classic {
    const rs_newhope_t *newhope;
    const rs_bliss_t *bliss;
    const rs_plan_t *plans[2]; // plans of 1024 and 512 points
    void *workspace;
    size_t workspace_bytes;
    unsigned parse_blocks; // blocks of SHAKE128, for the seed below
    unsigned seed; // number of the next signature's
    uint8_t seeds[3][RS_NEWHOPE_SEED_BYTES];
    uint8_t server[RS_NEWHOPE_SERVER_BYTES], secret[RS_NEWHOPE_SECRET_BYTES], client[RS_NEWHOPE_CLIENT_BYTES];
    uint8_t shared[2][RS_NEWHOPE_SHARED_BYTES];
    uint8_t public_key[RS_BLISS_PUBLIC_BYTES], secret_key[RS_BLISS_SECRET_BYTES], signature[RS_BLISS_SIGNATURE_BYTES];
    uint8_t message[CLASSIC_MESSAGE_BYTES];
    uint64_t poly[RS_NEWHOPE_N];
    _Alignas(8) uint8_t bytes[RS_BLISS_DRAWS_MAX * RS_BLISS_DRAW_BYTES];
    int16_t y[2 * RS_BLISS_N];
    uint8_t y_bytes[64];
} classic_t;

static inline size_t classic_memory_bytes(void) {
    return rs_newhope_sizes()->memory + rs_bliss_sizes()->memory + rs_plan_size(10) + rs_plan_size(9) + 4 * 64;
}

static inline size_t classic_workspace_bytes(void) {
    const size_t newhope = rs_newhope_sizes()->workspace, bliss = rs_bliss_sizes()->workspace;
    return newhope > bliss ? newhope : bliss;
}

static inline rs_status_t classic_run(classic_t *c, classic_operation_t operation);

// memory and workspace of the sizes above, aligned to 8. All operations have been run once.
static inline rs_status_t classic_open(classic_t *c, uint8_t *memory, void *workspace) {
    static const char CONSENT[] = "research-only";
    const size_t sizes[2] = {rs_newhope_sizes()->memory, rs_bliss_sizes()->memory};
    rs_status_t status =
        rs_newhope_init(&c->newhope, (rs_memory_t){memory, sizes[0]}, RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_CHACHA20, CONSENT);
    memory += (sizes[0] + 63) & ~(size_t)63;
    if (status == RS_OK) status = rs_bliss_init(&c->bliss, (rs_memory_t){memory, sizes[1]}, CONSENT);
    memory += (sizes[1] + 63) & ~(size_t)63;
    for (uint32_t k = 0; k < 2; k++) {
        const size_t size = rs_plan_size(10 - k);
        if (status == RS_OK) status = rs_plan_init(&c->plans[k], (rs_memory_t){memory, size}, 10 - k, RS_NEWHOPE_Q, 0);
        memory += (size + 63) & ~(size_t)63;
    }
    c->workspace = workspace;
    c->workspace_bytes = classic_workspace_bytes();
    for (unsigned k = 0; k < 3; k++) c->seeds[k][0] = (uint8_t)(k + 1);
    uint8_t block[168];
    rs_sponge_t sponge;
    rs_sponge_init(&sponge, RS_SPONGE_SHAKE128);
    rs_sponge_absorb(&sponge, c->seeds[0], sizeof c->seeds[0]);
    c->parse_blocks = 0;
    for (unsigned count = 0; count < RS_NEWHOPE_N; c->parse_blocks++) {
        rs_sponge_squeeze(&sponge, block, sizeof block);
        for (unsigned i = 0; i < sizeof block; i += 2) count += ((block[i] | block[i + 1] << 8) & 0x3fff) < RS_NEWHOPE_Q;
    }
    static const classic_operation_t ORDER[] = {CLASSIC_SERVER,  CLASSIC_CLIENT, CLASSIC_SERVER,
                                                CLASSIC_KEYPAIR, CLASSIC_SIGN,   CLASSIC_VERIFY};
    for (unsigned k = 0; k < sizeof ORDER / sizeof *ORDER; k++) {
        if (status == RS_OK) status = classic_run(c, ORDER[k]);
        // the server's second half has no answer of a client in its first run
        if (k == 0 && (status == RS_ERR_RESIDUE || status == RS_ERR_BYTES)) status = RS_OK;
    }
    for (unsigned i = 0; i < RS_NEWHOPE_SHARED_BYTES; i++) {
        if (c->shared[0][i] != c->shared[1][i] && status == RS_OK) status = RS_ERR_SELFTEST;
    }
    return status;
}

static inline rs_status_t classic_run(classic_t *c, classic_operation_t operation) {
    const rs_memory_t workspace = {c->workspace, c->workspace_bytes};
    const rs_view_t server = {c->server, sizeof c->server}, client = {c->client, sizeof c->client};
    const rs_view_t secret = {c->secret, sizeof c->secret}, message = {c->message, sizeof c->message};
    rs_seed_t seed = {{0}};
    rs_status_t status = RS_OK;
    switch (operation) {
    case CLASSIC_SERVER:
        status = rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = c->newhope,
                                              .message = {c->server, sizeof c->server}, .secret = {c->secret, sizeof c->secret},
                                              .seed = {c->seeds[0], RS_NEWHOPE_SEED_BYTES},
                                              .noise_seed = {c->seeds[1], RS_NEWHOPE_SEED_BYTES}, .workspace = workspace));
        if (status != RS_OK) return status;
        return rs_newhope_shared(c->newhope, (rs_bytes_t){c->shared[0], sizeof c->shared[0]}, client, secret, workspace);
    case CLASSIC_CLIENT:
        return rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = c->newhope, .server_message = server,
                                            .message = {c->client, sizeof c->client}, .shared = {c->shared[1], sizeof c->shared[1]},
                                            .noise_seed = {c->seeds[2], RS_NEWHOPE_SEED_BYTES}, .workspace = workspace));
    case CLASSIC_KEYPAIR:
        seed.bytes[1] = 1;
        return rs_bliss_keygen(RS_REQUEST(
            rs_bliss_keygen_request_t, .scheme = c->bliss, .public_key = {c->public_key, sizeof c->public_key},
            .secret_key = {c->secret_key, sizeof c->secret_key}, .seed = {seed.bytes, sizeof seed}, .workspace = workspace));
    case CLASSIC_SIGN:
        seed.bytes[0] = (uint8_t)(c->seed++ % CLASSIC_SEEDS);
        return rs_bliss_sign(RS_REQUEST(
            rs_bliss_sign_request_t, .scheme = c->bliss, .secret_key = {c->secret_key, sizeof c->secret_key}, .message = message,
            .signature = {c->signature, sizeof c->signature}, .seed = {seed.bytes, sizeof seed}, .workspace = workspace));
    case CLASSIC_VERIFY:
        return rs_bliss_verify(c->bliss, (rs_view_t){c->signature, sizeof c->signature}, message,
                               (rs_view_t){c->public_key, sizeof c->public_key}, workspace);
    case CLASSIC_OPERATIONS: break;
    }
    return RS_ERR_NULL;
}

static inline void classic_transforms(classic_t *c, unsigned plan, unsigned forward, unsigned inverse) {
    for (unsigned k = 0; k < forward; k++) rs_plan_forward(c->plans[plan], c->poly);
    for (unsigned k = 0; k < inverse; k++) rs_plan_inverse(c->plans[plan], c->poly);
}

static inline void classic_keccak(classic_t *c, classic_operation_t operation) {
    const rs_seed_t seed = {{1}};
    unsigned blocks = c->parse_blocks + 1; // Parse, SHA3-256
    rs_sponge_t sponge;
    if (operation == CLASSIC_KEYPAIR) {
        rs_private_stream(c->bytes, 2 * 8 * RS_BLISS_N, &seed, RS_DOMAIN_BLISS_KEY, 0);
        return;
    }
    if (operation == CLASSIC_SIGN) {
        for (unsigned k = 0; k < CLASSIC_DRAWS; k += RS_BLISS_DRAWS_MAX) rs_bliss_draw(c->bytes, seed.bytes, k, RS_BLISS_DRAWS_MAX);
        for (unsigned k = 0; k < 2; k++) rs_private_stream(c->y_bytes, sizeof c->y_bytes, &seed, RS_DOMAIN_BLISS_SIGN, k * 136);
    }
    if (operation == CLASSIC_SIGN || operation == CLASSIC_VERIFY) blocks = 1 + 3; // the message; 320 + 64 bytes
    rs_sponge_init(&sponge, operation == CLASSIC_SIGN || operation == CLASSIC_VERIFY ? RS_SPONGE_SHAKE256 : RS_SPONGE_SHAKE128);
    for (unsigned k = 0; k < blocks; k++) rs_sponge_squeeze(&sponge, c->bytes, sponge.rate_bytes);
}

static inline void classic_samplers(classic_t *c, classic_operation_t operation) {
    const unsigned polys = operation == CLASSIC_SERVER ? 2 : 3;
    if (operation == CLASSIC_SERVER || operation == CLASSIC_CLIENT) {
        for (unsigned k = 0; k < polys; k++) rs_newhope_noise(c->poly, c->seeds[0], (rs_newhope_noise_t)k);
        rs_newhope_parse(c->poly, c->seeds[0], RS_NEWHOPE_PARSE_USENIX);
        if (operation == CLASSIC_CLIENT) rs_newhope_coins(c->shared[0], c->seeds[0]);
    }
    for (unsigned k = 0; operation == CLASSIC_SIGN && k < CLASSIC_DRAWS; k++) {
        rs_bliss_gaussian(c->y, 2 * RS_BLISS_N, c->bytes + k % RS_BLISS_DRAWS_MAX * RS_BLISS_DRAW_BYTES);
    }
}

static inline void classic_chacha(classic_t *c, classic_operation_t operation) {
    const uint8_t nonce[RS_CHACHA20_NONCE_BYTES] = {0};
    if (operation != CLASSIC_SERVER && operation != CLASSIC_CLIENT) return;
    for (unsigned k = 0; k < (operation == CLASSIC_SERVER ? 2u : 3u); k++) {
        rs_chacha20_stream(c->bytes, 4 * RS_NEWHOPE_N, c->seeds[0], nonce, 0);
    }
    if (operation == CLASSIC_CLIENT) rs_chacha20_stream(c->bytes, RS_NEWHOPE_COIN_BYTES, c->seeds[0], nonce, 0);
}

// What of an operation's work is of a part, once. poly holds residues.
static inline rs_status_t classic_do(classic_t *c, classic_operation_t operation, classic_part_t part) {
    switch (part) {
    case CLASSIC_WHOLE: return classic_run(c, operation);
    case CLASSIC_NTT:
        if (operation == CLASSIC_SERVER || operation == CLASSIC_CLIENT) {
            classic_transforms(c, 0, 2, 1);
        } else if (operation == CLASSIC_KEYPAIR) {
            classic_transforms(c, 1, 2, 0);
        } else {
            classic_transforms(c, 1, 1, 1);
        }
        break;
    case CLASSIC_KECCAK: classic_keccak(c, operation); break;
    case CLASSIC_CHACHA: classic_chacha(c, operation); break;
    case CLASSIC_SAMPLERS: classic_samplers(c, operation); break;
    case CLASSIC_PARTS: break;
    }
    return RS_OK;
}

#endif
