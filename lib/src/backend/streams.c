// SPDX-License-Identifier: Apache-2.0
// The public functions on streams and samples (xof.h, golden/hash.h, golden/sample.h), by the back end in use.
#include <ringside/golden/hash.h>
#include <ringside/golden/sample.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "sampling/seed.h"

static const rs_samplers_t *samplers(void) { return rs_backend_current()->samplers; }

void rs_blake2xb(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes, const uint8_t *key, size_t key_bytes) {
    rs_hash_blake2xb(samplers()->hash, out, out_bytes, in, in_bytes, key, key_bytes);
}

rs_status_t rs_seed_block(uint8_t *out, rs_seed_type_t type, const rs_seed_t *seed, uint64_t counter) {
    if (!out || !seed) return RS_ERR_NULL;
    return rs_seed_blocks(samplers()->hash, out, 1, type, seed, counter);
}

void rs_private_stream(uint8_t *out, size_t bytes, const rs_seed_t *seed, rs_domain_t domain, uint64_t offset) {
    rs_draw_stream(samplers()->hash, out, bytes, seed, domain, offset);
}

void rs_sample_cbd21(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    rs_draw_cbd21(samplers(), out, n, seed, domain);
}

void rs_sample_ternary(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain) {
    rs_draw_ternary(samplers(), out, n, seed, domain);
}

void rs_sample_sparse(int8_t *out, size_t n, uint32_t weight, const rs_seed_t *seed) {
    rs_draw_sparse(samplers()->hash, out, n, weight, seed);
}

rs_status_t rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out) { return rs_draw_uniform(samplers(), state, q, out); }

// ---- deterministic seeds -----------------------------------------------------------------------------------------------
static rs_status_t deterministic_fill(void *opaque, uint8_t *out, size_t bytes) {
    rs_rng_deterministic_t *state = opaque;
    rs_private_stream(out, bytes, &state->seed, RS_DOMAIN_RNG, state->offset);
    state->offset += bytes;
    return RS_OK;
}

rs_status_t rs_rng_deterministic(rs_rng_t *rng, rs_rng_deterministic_t *state, const rs_seed_t *seed, const char *consent) {
    if (!rng || !state || !seed) return RS_ERR_NULL;
#ifdef NDEBUG
    if (!consent || !rs_same_text(consent, "insecure-deterministic")) return RS_ERR_CONSENT;
#else
    (void)consent;
#endif
    state->seed = *seed;
    state->offset = 0;
    *rng = (rs_rng_t){deterministic_fill, state};
    return RS_OK;
}
