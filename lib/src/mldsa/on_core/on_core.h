// SPDX-License-Identifier: Apache-2.0
// ML-DSA on a core: what its programs and its driver share.
#ifndef RINGSIDE_MLDSA_ON_CORE_H
#define RINGSIDE_MLDSA_ON_CORE_H

#include "machine/fields/fields.h"
#include "mldsa/params.h"
#include "mldsa/ring.h"

enum { RS_MLDSA_PSI = 1753, RS_MLDSA_LOG_N = 11, RS_MLDSA_LOG_POLY = 8, RS_MLDSA_GROUPS_MIN = 7 };

// RS_MLDSA_SET_UP: the key's transforms, and what the rounds of a signature start from; _MU: mu is in memory. COMMIT and RESPOND are a round: before and
// after the challenge. RS_MLDSA_RECOMPUTE is a verification up to the hints; the hash after them is a few words in the place of some of its own.
typedef enum rs_mldsa_op {
    RS_MLDSA_KEYGEN,
    RS_MLDSA_SET_UP,
    RS_MLDSA_SET_UP_MU,
    RS_MLDSA_COMMIT,
    RS_MLDSA_RESPOND,
    RS_MLDSA_RECOMPUTE,
    RS_MLDSA_RECOMPUTE_MU,
    RS_MLDSA_OPS,
    RS_MLDSA_SEAL = RS_MLDSA_OPS, // operations of a sealed core: what is bound to a key; a round, whole
    RS_MLDSA_SIGN_SEALED
} rs_mldsa_op_t;

// Memory behind RS_POINTER_CONTEXTS: the context, and zeros.
static inline size_t rs_mldsa_zeros_at(const rs_design_t *design) { return rs_design_context_bytes(design, RS_MLDSA_LOG_POLY); }

// Bytes of SHAKE256 that the core makes for SampleInBall: those of four digests. 8 are signs; of the other 120 a challenge takes 70 at most but once in 2^40.
enum { RS_MLDSA_BALL_BYTES = 128 };

// Memory behind RS_POINTER_INPUT: all in lines. Parts that are one message stand behind each other.
enum {
    RS_MLDSA_MESSAGE_BYTES = 4096, // M' that the core hashes; longer ones the processor does
    RS_MLDSA_AT_SEED = 0, // xi, k, l; of a verification c tilde
    RS_MLDSA_AT_K = 64, // K, rnd; then mu
    RS_MLDSA_AT_MU = 128, // then w1
    RS_MLDSA_AT_W1 = 192,
    RS_MLDSA_AT_CHALLENGE = RS_MLDSA_AT_W1 + 1024,
    RS_MLDSA_AT_TR = RS_MLDSA_AT_CHALLENGE + 64, // then M'
    RS_MLDSA_AT_MESSAGE = RS_MLDSA_AT_TR + 64,
    RS_MLDSA_AT_PK = RS_MLDSA_AT_MESSAGE + RS_MLDSA_MESSAGE_BYTES + 32, // behind half a line: t1 begins with one
    RS_MLDSA_AT_T1 = RS_MLDSA_AT_PK + RS_MLDSA_RHO_BYTES,
    RS_MLDSA_AT_S1 = RS_MLDSA_AT_T1 + RS_MLDSA_K_MAX * RS_MLDSA_T1_BYTES,
    RS_MLDSA_AT_S2 = RS_MLDSA_AT_S1 + 704,
    RS_MLDSA_AT_T0 = RS_MLDSA_AT_S2 + 768,
    RS_MLDSA_AT_Z = RS_MLDSA_AT_T0 + RS_MLDSA_K_MAX * RS_MLDSA_T0_BYTES,
    RS_MLDSA_AT_HIGH = RS_MLDSA_AT_Z + RS_MLDSA_L_MAX * RS_MLDSA_Z_BYTES_MAX, // high parts of w - c s2 + c t0
    RS_MLDSA_AT_BALL = RS_MLDSA_AT_HIGH + 1024, // what SampleInBall reads
    RS_MLDSA_AT_MARK = RS_MLDSA_AT_BALL + RS_MLDSA_BALL_BYTES, // written before the core reads c
    RS_MLDSA_AT_C = RS_MLDSA_AT_MARK + 64, // c in fields
    RS_MLDSA_ROOM = RS_MLDSA_AT_C + RS_MLDSA_N * 20 / 8
};

// c in fields of `bits` bits for LOADF: 2^power (1 - x) for a coefficient x. Bits power and power + 1 of a field are in one byte, and the only ones that
// are ever 1, so that any moment's bytes are fields that LOADF takes.
typedef struct rs_mldsa_fields {
    uint8_t bits, power;
} rs_mldsa_fields_t;

static const rs_mldsa_fields_t RS_MLDSA_C_SIGNING = {4, 0}, RS_MLDSA_C_VERIFYING = {20, RS_MLDSA_DROPPED_BITS}; // times 2^13

// A verification reads pk and z where they are, if the core reaches them there: RS_POINTER_KEY is 32 bytes before pk, RS_POINTER_OUTPUT is z.
enum { RS_MLDSA_AT_KEY_RHO = RS_DIGEST_BYTES, RS_MLDSA_AT_KEY_T1 = RS_MLDSA_AT_KEY_RHO + RS_MLDSA_RHO_BYTES };

// Memory behind RS_POINTER_SCRATCH: polynomials as LOAD and STORE have them.
typedef enum rs_mldsa_vector { RS_MLDSA_Y, RS_MLDSA_W, RS_MLDSA_S1, RS_MLDSA_S2, RS_MLDSA_T0, RS_MLDSA_VECTORS } rs_mldsa_vector_t;

// The first polynomial of a vector; of RS_MLDSA_VECTORS: how many there are.
static inline uint32_t rs_mldsa_vector_at(const rs_mldsa_params_t *p, rs_mldsa_vector_t vector) {
    const uint32_t k = p->k, l = p->l, first[] = {0, l, l + k, 2 * l + k, 2 * l + 2 * k, 2 * l + 3 * k};
    return first[vector];
}

static inline uint32_t rs_mldsa_vector_count(const rs_mldsa_params_t *p, rs_mldsa_vector_t vector) {
    return rs_mldsa_vector_at(p, (rs_mldsa_vector_t)(vector + 1)) - rs_mldsa_vector_at(p, vector);
}

// log2 of the polynomials that LOAD and STORE move at once from polynomial i on. Of coefficients four, or two, are one array: word j of polynomial i
// is word j 2^log + brv(i) of it (docs/core.md, Slices). In the transform's form each is its own.
static inline uint32_t rs_mldsa_block(const rs_mldsa_params_t *p, rs_mldsa_vector_t vector, uint32_t i) {
    const uint32_t left = rs_mldsa_vector_count(p, vector) - i;
    if (vector >= RS_MLDSA_S1 || left < 2) return 0;
    return left < 4 ? 1 : 2;
}

// What is bound to a key of a sealed core: the context, then a line each of rho, tr, and k with l. SEAL copies it from behind RS_POINTER_SCRATCH.
static inline size_t rs_mldsa_vault_rho_at(const rs_design_t *design) { return rs_design_context_bytes(design, RS_MLDSA_LOG_POLY); }

static inline size_t rs_mldsa_vault_tr_at(const rs_design_t *design) {
    return rs_mldsa_vault_rho_at(design) + RS_MACHINE_LINE_BYTES;
}

static inline size_t rs_mldsa_vault_sizes_at(const rs_design_t *design) {
    return rs_mldsa_vault_tr_at(design) + RS_MACHINE_LINE_BYTES;
}

// word 1 of the key is the set, word 2 the operation. SET_UP and RECOMPUTE hash a message of no byte, COMMIT draws the y of the first round: the
// driver puts others in their places.
RS_MUST_CHECK rs_status_t rs_mldsa_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                                           size_t *length);

// The program that hashes mu and w1, but for its first instruction, which may be that of RECOMPUTE: it loads digests.
enum { RS_MLDSA_OVERLAY = 1, RS_MLDSA_CHALLENGE_WORDS = 3 };
void rs_mldsa_challenge_words(const rs_mldsa_params_t *p, uint64_t *words);

// SampleInBall (algorithm 29) into fields of zeros (rs_mldsa_clear_challenge), from the first `given` bytes of its stream, at least 8, or more of them made
// here of c tilde.
void rs_mldsa_clear_challenge(uint8_t *out, rs_mldsa_fields_t fields);
void rs_mldsa_put_challenge(uint8_t *out, rs_mldsa_fields_t fields, const rs_mldsa_params_t *p, const uint8_t *challenge,
                            const uint8_t *stream, size_t given);

// The instruction of SET_UP and RECOMPUTE that hashes tr and M', of so many bytes; and the one of COMMIT that draws y from number kappa on.
uint64_t rs_mldsa_hash_message(size_t bytes);
uint64_t rs_mldsa_draw_mask(uint64_t word, uint32_t kappa);

#endif
