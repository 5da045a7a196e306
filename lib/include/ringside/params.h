// SPDX-License-Identifier: Apache-2.0
// Parameter sets: ring degree N and the chain of RNS moduli (limbs).
//
// SEAL's convention throughout: with two or more limbs the last one is the special prime P; ciphertexts live on the others.
// A ciphertext with L limbs is at level L - 1 (SEAL's chain index): level 0 has one limb, each rescaling drops the last limb.
#ifndef RINGSIDE_PARAMS_H
#define RINGSIDE_PARAMS_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_LOG_N_MIN = 9, // SEAL goes down to 2, where nothing is secure
    RS_LOG_N_MAX = 17,
    RS_LIMBS_MAX = 64, // SEAL: 256. 64 primes of 60 bits are more than any limit of rs_security_max_bits()
    RS_MODULUS_BITS_MAX = 60,
    RS_PARMS_ID_BYTES = 32,
};

// Whose parameters these are, by SEAL's numbers. This library has CKKS; SEAL's files name the others.
typedef enum rs_scheme { RS_SCHEME_NONE = 0, RS_SCHEME_BFV = 1, RS_SCHEME_CKKS = 2, RS_SCHEME_BGV = 3 } rs_scheme_t;

// Plain data: copy freely. Make it with one of the functions below, which check everything.
typedef struct rs_params {
    uint32_t log_n;
    uint32_t limb_count; // special prime included
    uint64_t moduli[RS_LIMBS_MAX];
    uint32_t scheme; // rs_scheme_t
} rs_params_t;

typedef struct rs_set_info {
    const char *name;            // "lee-14"
    const char *source;          // where the set comes from
    uint32_t log_n;
    uint32_t limb_count;         // special prime included
    uint32_t default_scale_bits; // log2 of the scale to encode with: the size of the middle primes where products are meant
} rs_set_info_t;

// From explicit moduli. Each must be prime, 1 mod 2N, in (2N, 2^60), and occur once.
// security: 0 (no check), 128, 192 or 256; RS_ERR_INSECURE below it.
RS_API RS_MUST_CHECK rs_status_t rs_params_from_moduli(rs_params_t *params, uint32_t n, const uint64_t *moduli, uint32_t limb_count,
                                                       uint32_t security);

// From bit sizes with SEAL's prime choice (CoeffModulus::Create): for a size used k times take the k largest primes = 1 mod 2N
// below 2^bits and hand them out smallest first.
RS_API RS_MUST_CHECK rs_status_t rs_params_from_bits(rs_params_t *params, uint32_t n, const uint32_t *bits, uint32_t limb_count,
                                                     uint32_t security);

// Named sets: lee-12 … lee-16, eval-12, eval-13, lean-12, seal-embedded-1024 … seal-embedded-16384, aloha-8192.
RS_API RS_MUST_CHECK rs_status_t rs_params_named(rs_params_t *params, const char *name, uint32_t security);
RS_API uint32_t rs_params_set_count(void);
RS_API RS_MUST_CHECK rs_status_t rs_params_set_info(uint32_t index, rs_set_info_t *info);

// Full check of a struct that came from elsewhere. RS_ERR_SCHEME: not CKKS.
RS_API RS_MUST_CHECK rs_status_t rs_params_check(const rs_params_t *params, uint32_t security);

// Bits of the product of the first limb_count moduli (SEAL's total_coeff_modulus_bit_count).
RS_API uint32_t rs_params_total_bits(const rs_params_t *params, uint32_t limb_count);

// Limbs a fresh ciphertext can have: limb_count - 1, or 1 for a single-limb set.
RS_API uint32_t rs_params_data_limbs(const rs_params_t *params);

// Tables of the largest total modulus bits at a security level; ternary secret, classical attacks (docs/threat-model.md).
typedef enum rs_security_table {
    RS_SECURITY_STANDARD_2018 = 0,   // HomomorphicEncryption.org standard, ePrint 2019/939: what SEAL checks; N = 2^10 … 2^15
    RS_SECURITY_GUIDELINES_2024 = 1, // Bossuat et al., ePrint 2024/463: newer and stricter; N = 2^10 … 2^17
    RS_SECURITY_TABLE_COUNT = 2,
} rs_security_table_t;

// The table's number for N = 2^log_n and 128, 192 or 256 bits. 0 where it has none, and for an unknown table or level.
RS_API uint32_t rs_security_table_bits(rs_security_table_t table, uint32_t log_n, uint32_t security);
// Highest of 256, 192, 128 that the set reaches by this table; 0 if none.
RS_API uint32_t rs_params_security_by(const rs_params_t *params, rs_security_table_t table);

// The limits that the `security` arguments above check: the standard of 2018 for N up to 2^15, which a SEAL server checks too, and
// the guidelines of 2024 for 2^16 and 2^17, where the standard ends. 0 where no number exists.
RS_API uint32_t rs_security_max_bits(uint32_t log_n, uint32_t security);

// Highest of 256, 192, 128 that the set reaches by these limits; 0 if none.
RS_API uint32_t rs_params_security(const rs_params_t *params);

// SEAL's parms_id of the chain's first limb_count limbs: BLAKE2b-256 over the words [scheme, N, q_0 … q_{limb_count-1}, 0].
RS_API RS_MUST_CHECK rs_status_t rs_params_id(const rs_params_t *params, uint32_t limb_count, uint8_t *id);

#ifdef __cplusplus
}
#endif

#endif
