// SPDX-License-Identifier: Apache-2.0
// Golden: samplers. Private polynomials (u, e, s) come from Ringside's own stream, the public uniform polynomial from SEAL's.
//
// Private stream of (seed, domain): the concatenation over block = 0, 1, 2 … of the first 136 bytes of
// SHAKE256(seed || LE64(domain * 2^56 + block)): one Keccak permutation per block, blocks independent, so that any number of
// cores can work side by side. A seed is used for one encryption or one key component only.
// Value k of a polynomial's samples is coefficient brv(k), the bit-reversal of k in log2 n bits: n is a power of two
// (docs/decisions/secrets.md, decision 9).
#ifndef RINGSIDE_GOLDEN_SAMPLE_H
#define RINGSIDE_GOLDEN_SAMPLE_H

#include "../rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// Domains of the private stream.
typedef enum rs_domain {
    RS_DOMAIN_U = 1,  // ternary u of a public-key encryption
    RS_DOMAIN_E0 = 2, // CBD e0, or the one error of a secret-key encryption
    RS_DOMAIN_E1 = 3, // CBD e1
    RS_DOMAIN_S = 4,  // ternary secret key
    RS_DOMAIN_RNG = 5, // deterministic generator of tests
    RS_DOMAIN_FLOOD = 6, // noise added to what is published (ckks.h)
    RS_DOMAIN_BLISS_KEY = 7, // f and g of BLISS (research.h)
    RS_DOMAIN_BLISS_SIGN = 8, // y and the numbers of rejection
    RS_DOMAIN_SPARSE = 9 // ephemeral sparse secret of bootstrapping keys
} rs_domain_t;

// The sub-seed of an object: SHAKE256(seed || LE64(index) || SHAKE256(label) || SHAKE256(bound)), inner digests of 64 bytes.
// label: the operation's text. bound: what the object is made from (parameters, keys, message), so that two objects that differ in any of these
// share nothing. index: tells objects apart that agree in all of them. No stream of the seed itself hashes an input of this length.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_seed_derive(rs_seed_t *out, const rs_seed_t *seed, const char *label, uint64_t index,
                                                   const uint8_t *bound, size_t bound_bytes);

// What a row of a key that switches from s' to s is made from. A master seed makes all rows: two that differ in any of it share nothing.
enum { RS_SWITCH_BOUND_BYTES = 96 };
typedef struct rs_switch_row {
    uint32_t form; // 0: SEAL's rows, of s' = s(X^element) under s; 1: of s under s(X^(1/element)), as Lattigo and OpenFHE have them
    uint32_t element; // 0: s' = s^2
    uint32_t index; // the row's number in its key
    uint32_t digit_primes; // moduli of a row that carry s', in SEAL 1
    uint32_t special_count; // special primes, in SEAL 1
    uint32_t seed_type; // rs_seed_type_t
    uint8_t bound[RS_SWITCH_BOUND_BYTES]; // parms_id of all moduli; SHAKE256 of the secret key as lean.h packs it, 64 bytes
} rs_switch_row_t;

// rs_seed_derive with label "switching key", index `number` and bound the row's members, numbers in 32 bits. The private and then the public
// seed of the row are those that rs_rng_deterministic draws from it first. A master is as secret as the keys, and may be used for good.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_switch_seed(rs_seed_t *out, const rs_seed_t *master, uint64_t number,
                                                   const rs_switch_row_t *row);

// `bytes` bytes of the private stream from byte `offset` on.
RS_GOLDEN void rs_private_stream(uint8_t *out, size_t bytes, const rs_seed_t *seed, rs_domain_t domain, uint64_t offset);

// Centred binomial, k = 21, variance 10.5, range [-21, 21]: every value takes 6 stream bytes x0..x5,
// hw(x0) + hw(x1) + hw(x2 & 31) - hw(x3) - hw(x4) - hw(x5 & 31)   (SEAL's rule, util/rlwe.cpp sample_poly_cbd).
RS_GOLDEN void rs_sample_cbd21(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain);

// Exactly uniform on {-1, 0, 1}: each stream byte b < 243 = 3^5 gives the five base-3 digits of b, least significant first, minus 1;
// bytes >= 243 are dropped. rs_sample_ternary_bytes(n) bytes are always processed, however many are dropped, so that time
// does not depend on them. They suffice except with probability < 2^-128; then more of the stream is read.
RS_GOLDEN void rs_sample_ternary(int8_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain);
RS_GOLDEN size_t rs_sample_ternary_bytes(size_t n);

// `weight` of the n values are -1 or 1, the others 0: all such polynomials alike, but for a distance below 2^-29 from uniform. Nonzero k stands at the free
// place, counted from 0, that the stream's words 2k and 2k + 1 choose: floor(word (n - k) / 2^64), with the next word's lowest bit as its sign. It is set by
// a pass over all of them, so that no index depends on it. weight <= n <= 2^RS_LOG_N_MAX.
RS_GOLDEN void rs_sample_sparse(int8_t *out, size_t n, uint32_t weight, const rs_seed_t *seed);

// Uniform modulo q, limb by limb, exactly as SEAL expands a seed (util/rlwe.cpp sample_poly_uniform): words of the stream are
// rejected from max_multiple = 2^64 - 1 - ((2^64 - 1) mod q) - 1 on, replacements come after the bulk of limb_count * N words.
// Public data only: the time depends on the seed. For a context's log_n (RS_LOG_N_MIN to RS_LOG_N_MAX) and moduli q, which rs_params_check has
// checked: neither is checked here.
typedef struct rs_uniform {
    rs_seed_t seed;
    uint32_t type; // rs_seed_type_t
    uint32_t log_n;
    uint32_t limb_count;
    uint32_t limb; // next limb to be made
    uint32_t spare_valid; // spare[] holds block spare_block
    uint64_t spare_word; // next replacement word, counted from the start of the stream
    uint64_t spare_block;
    uint64_t spare[RS_SEED_BLOCK_BYTES / 8];
} rs_uniform_t;

RS_GOLDEN RS_MUST_CHECK rs_status_t rs_uniform_init(rs_uniform_t *state, rs_seed_type_t type, const rs_seed_t *seed, uint32_t log_n,
                                                    uint32_t limb_count);
// Next limb: N words below q, to be taken as the NTT-domain polynomial. Called limb_count times, with the moduli in order.
RS_GOLDEN RS_MUST_CHECK rs_status_t rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out);

#ifdef __cplusplus
}
#endif

#endif
