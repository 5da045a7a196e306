// SPDX-License-Identifier: Apache-2.0
// Where seeds come from.
#ifndef RINGSIDE_RNG_H
#define RINGSIDE_RNG_H

#include "xof.h"

#ifdef __cplusplus
extern "C" {
#endif

// Source of fresh 64-byte seeds. The host's is rs_rng_os() (host.h); firmware supplies its own TRNG.
typedef struct rs_rng {
    rs_status_t (*fill)(void *state, uint8_t *out, size_t bytes);
    void *state;
} rs_rng_t;

// Deterministic seeds for tests: the private stream (golden/sample.h) of the seed, domain RS_DOMAIN_RNG. Release builds (NDEBUG) refuse with
// RS_ERR_CONSENT unless consent is the string "insecure-deterministic".
// One state serves all objects, each draws the seeds that follow. A second state of the same seed repeats the first one's: two keys of
// one secret key would then have a and e in common, and their difference gives it away. Derive a seed for each state instead.
typedef struct rs_rng_deterministic {
    rs_seed_t seed;
    uint64_t offset;
} rs_rng_deterministic_t;
RS_API RS_MUST_CHECK rs_status_t rs_rng_deterministic(rs_rng_t *rng, rs_rng_deterministic_t *state, const rs_seed_t *seed,
                                                      const char *consent);

#ifdef __cplusplus
}
#endif

#endif
