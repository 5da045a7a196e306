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

// The sub-seed of an object: SHAKE256(seed || LE64(index) || SHAKE256(label) || SHAKE256(bound)), inner digests of 64 bytes. label: text
// of the operation. bound: what the object is made from (parameters, keys, message), so that two objects that differ in any of these
// share nothing. index: tells objects apart that agree in all of them. No stream of the seed itself hashes an input of this length.
RS_API RS_MUST_CHECK rs_status_t rs_seed_derive(rs_seed_t *out, const rs_seed_t *seed, const char *label, uint64_t index,
                                                const uint8_t *bound, size_t bound_bytes);

// What a row of a key that switches from s' to s is made from. A master seed makes all rows: two that differ in any of it share nothing.
enum { RS_SWITCH_BOUND_BYTES = 96 };
typedef struct rs_switch_row {
    uint32_t form; // 0: SEAL's rows, of s' = s(X^element) under s; 1: of s under s(X^(1/element)), as Lattigo and OpenFHE have them
    uint32_t element; // 0: s' = s^2
    uint32_t index; // of the row
    uint32_t digit_primes; // moduli of a row that carry s', in SEAL 1
    uint32_t special_count; // special primes, in SEAL 1
    uint32_t seed_type; // rs_seed_type_t
    uint8_t bound[RS_SWITCH_BOUND_BYTES]; // parms_id of all moduli; SHAKE256 of the secret key as lean.h packs it, 64 bytes
} rs_switch_row_t;

// rs_seed_derive with label "switching key", index `number` and bound the row's members, numbers in 32 bits. The private and then the public
// seed of the row are those that rs_rng_deterministic draws from it first. A master is as secret as the keys, and may be used for good.
RS_API RS_MUST_CHECK rs_status_t rs_switch_seed(rs_seed_t *out, const rs_seed_t *master, uint64_t number,
                                                const rs_switch_row_t *row);

#ifdef __cplusplus
}
#endif

#endif
