// SPDX-License-Identifier: Apache-2.0
// ML-KEM on a core: what its programs and its driver share.
#ifndef RINGSIDE_MLKEM_ON_CORE_H
#define RINGSIDE_MLKEM_ON_CORE_H

#include "machine/fields/fields.h"
#include "mlkem/sets.h"

// 3329 is 1 modulo 2^8 only: the core computes modulo 3329 * 769, and psi is 17 modulo 3329 (docs/core.md, Slices).
enum { RS_MLKEM_CORE_Q = 2560001, RS_MLKEM_CORE_PSI = 186441 };
enum { RS_MLKEM_LOG_N = 11, RS_MLKEM_LOG_POLY = 8, RS_MLKEM_LOG_HALF = 7, RS_MLKEM_GROUPS_MIN = 8 };

// SEAL and DECAPS_SEALED: of a sealed core.
typedef enum rs_mlkem_op {
    RS_MLKEM_KEYGEN,
    RS_MLKEM_ENCAPS,
    RS_MLKEM_DECAPS,
    RS_MLKEM_DECAPS_SEED,
    RS_MLKEM_SEAL,
    RS_MLKEM_DECAPS_SEALED
} rs_mlkem_op_t;

// Memory behind RS_POINTER_CONTEXTS: the context, the polynomials (gamma R, R) of products modulo Y - gamma, and zeros.
static inline size_t rs_mlkem_z_at(const rs_design_t *design) { return rs_design_context_bytes(design, RS_MLKEM_LOG_HALF); }

static inline size_t rs_mlkem_half_bytes(const rs_design_t *design) { return rs_design_poly_bytes(design, RS_MLKEM_LOG_HALF); }

static inline size_t rs_mlkem_zeros_at(const rs_design_t *design) {
    return rs_mlkem_z_at(design) + 2 * rs_mlkem_half_bytes(design);
}

static inline size_t rs_mlkem_constants_bytes(const rs_design_t *design) {
    return rs_mlkem_zeros_at(design) + RS_MACHINE_LINE_BYTES;
}

// Memory behind RS_POINTER_INPUT. The decapsulation key is the last part: s, ek, H(ek), z. It is behind RS_POINTER_KEY, and may be elsewhere.
enum {
    RS_MLKEM_AT_SEED = 0, // d, then the byte k
    RS_MLKEM_AT_M = 64,
    RS_MLKEM_AT_Z = 128 + 32, // z, then the ciphertext: one message
    RS_MLKEM_AT_CT = 192,
    RS_MLKEM_AT_MADE = RS_MLKEM_AT_CT + 1600, // the ciphertext that the core makes
    RS_MLKEM_AT_SHARED = RS_MLKEM_AT_MADE + 1600, // K and r; then the secret of a ciphertext that is refused
    RS_MLKEM_AT_DK = RS_MLKEM_AT_SHARED + 128,
    RS_MLKEM_ROOM = RS_MLKEM_AT_DK + 3200
};

static inline size_t rs_mlkem_ek_at(const rs_mlkem_params_t *p) { return RS_MLKEM_AT_DK + rs_mlkem_vector_bytes(p); }

// The vault of a sealed core (docs/core.md, Sealed fields). What is bound to a key: constants as above, then t; rho and H(ek), one line; a line with the
// byte k; zeros. SEAL copies it from behind RS_POINTER_CONTEXTS, where it stands behind ROOM.
enum {
    RS_VAULT_AT_CT = 2 * RS_VAULT_PART_BYTES,
    RS_VAULT_AT_M = 3 * RS_VAULT_PART_BYTES,
    RS_VAULT_AT_MADE = RS_VAULT_AT_M + RS_VAULT_MADE * RS_ISA_LINE_BYTES
};

static inline size_t rs_mlkem_vault_ek_at(const rs_design_t *design) { return rs_mlkem_constants_bytes(design); }

static inline size_t rs_mlkem_vault_rho_at(const rs_design_t *design, const rs_mlkem_params_t *p) {
    return rs_mlkem_vault_ek_at(design) + rs_mlkem_vector_bytes(p);
}

static inline size_t rs_mlkem_vault_rank_at(const rs_design_t *design, const rs_mlkem_params_t *p) {
    return rs_mlkem_vault_rho_at(design, p) + RS_MACHINE_LINE_BYTES;
}

static inline size_t rs_mlkem_image_at(const rs_design_t *design) { return rs_mlkem_constants_bytes(design) + RS_MLKEM_ROOM; }

// word 1 of the key is the set, word 2 the operation.
RS_MUST_CHECK rs_status_t rs_mlkem_program(const rs_design_t *design, const rs_program_key_t *key, uint64_t *words, size_t capacity,
                                           size_t *length);

#endif
