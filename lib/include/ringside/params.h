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
    RS_LIMBS_MAX = 64, // SEAL: 256. 64 primes of 60 bits are more than any limit of rs_security_bits()
    RS_MODULUS_BITS_MAX = 60,
    RS_PARMS_ID_BYTES = 32,
};

// Whose parameters these are, by SEAL's numbers.
typedef enum rs_scheme {
    RS_SCHEME_NONE = 0,
    RS_SCHEME_BFV = 1,
    RS_SCHEME_CKKS = 2,
    RS_SCHEME_BGV = 3,
    RS_SCHEME_MAX = 0x7fffffff
} rs_scheme_t;

// What `security` asks for wherever it occurs: 0, 128, 192 or 256 bits, or no check at all.
typedef enum rs_security {
    RS_SECURITY_DEFAULT = 0, // 128
    RS_SECURITY_UNCHECKED = 1,
    RS_SECURITY_MAX = 0x7fffffff
} rs_security_t;

// Plain data: copy freely. Make it with rs_params_init, which checks everything.
typedef struct rs_params {
    uint32_t log_n;
    uint32_t limb_count; // special prime included
    uint64_t moduli[RS_LIMBS_MAX];
    uint32_t scheme; // rs_scheme_t
    uint32_t special_limbs; // 0: SEAL's rule, which is the only one
    uint64_t plain_modulus; // t of BFV and BGV; 0: CKKS has none
    uint64_t reserved[4]; // 0
} rs_params_t;

typedef struct rs_set_info {
    const char *name;            // "lee-14"
    const char *source;          // where the set comes from
    uint32_t log_n;
    uint32_t limb_count;         // special prime included
    uint32_t
        default_scale_bits; // log2 of the scale to encode with: the size of the middle primes where products are meant; 0: no CKKS
    uint32_t scheme; // rs_scheme_t
    uint64_t plain_modulus; // BFV, BGV
} rs_set_info_t;

// A named set; or N with its moduli, or with their sizes. Exactly one of name, moduli, bits. BFV and BGV (exact.h) have a plain modulus t:
// one of plain_modulus and plain_bits, or that of a named set.
typedef struct rs_params_request {
    uint32_t size;
    uint32_t scheme; // rs_scheme_t; 0: CKKS, or that of the name
    uint32_t security; // rs_security_t
    uint32_t n; // 0 with a name
    const char *
        name; // lee-12 … lee-16, eval-12, eval-13, lean-12, seal-embedded-1024 … seal-embedded-16384, aloha-8192, bfv-12 … bfv-15, bfv-13-30, bgv-12 … bgv-15
    const uint64_t *moduli; // each must be prime, 1 mod 2N, in (2N, 2^60), and occur once
    // sizes, with SEAL's prime choice (CoeffModulus::Create): for a size used k times take the k largest primes = 1 mod 2N below 2^bits and
    // hand them out smallest first
    const uint32_t *bits;
    uint32_t limb_count; // length of moduli or bits
    uint32_t plain_bits; // t = the largest prime = 1 mod 2N below 2^plain_bits (SEAL's PlainModulus::Batching)
    uint64_t
        plain_modulus; // t: from 2 to 2^60 - 1, below the product of a ciphertext's moduli and without a common factor with any
} rs_params_request_t;

// RS_ERR_SET, RS_ERR_PRIMES, RS_ERR_SCHEME (unknown, or not that of the name), and what rs_params_check returns. *params is written if all is well.
RS_API RS_MUST_CHECK rs_status_t rs_params_init(rs_params_t *params, const rs_params_request_t *request);

// The named sets one after the other, from index 0; RS_ERR_SET behind the last.
RS_API RS_MUST_CHECK rs_status_t rs_params_set_info(uint32_t index, rs_set_info_t *info);

// Full check of a struct that came from elsewhere. RS_ERR_SCHEME: no scheme of this library. RS_ERR_PLAIN_MODULUS: t out of its range.
// RS_ERR_INSECURE: below `security` (rs_security_t).
RS_API RS_MUST_CHECK rs_status_t rs_params_check(const rs_params_t *params, uint32_t security);

// Bits of the product of the first limb_count moduli (SEAL's total_coeff_modulus_bit_count).
RS_API uint32_t rs_params_total_bits(const rs_params_t *params, uint32_t limb_count);

// Limbs a fresh ciphertext can have: limb_count - 1, or 1 for a single-limb set.
RS_API uint32_t rs_params_data_limbs(const rs_params_t *params);

// Tables of the largest total modulus bits at a security level; ternary secret, classical attacks (docs/threat-model.md).
typedef enum rs_security_table {
    // what is checked: the standard of 2018 for N up to 2^15, which a SEAL server checks too, and the guidelines of 2024 for 2^16 and 2^17,
    // where the standard ends
    RS_SECURITY_CHECKED = 0,
    RS_SECURITY_STANDARD_2018 = 1, // HomomorphicEncryption.org standard, ePrint 2019/939: what SEAL checks; N = 2^10 … 2^15
    RS_SECURITY_GUIDELINES_2024 = 2, // Bossuat et al., ePrint 2024/463: newer and stricter; N = 2^10 … 2^17
    RS_SECURITY_TABLE_MAX = 0x7fffffff
} rs_security_table_t;

// The table's number for N = 2^log_n and 128, 192 or 256 bits. 0 where it has none, and for an unknown table or level.
RS_API uint32_t rs_security_bits(rs_security_table_t table, uint32_t log_n, uint32_t security);
// Highest of 256, 192, 128 that the set reaches by this table; 0 if none.
RS_API uint32_t rs_params_security(const rs_params_t *params, rs_security_table_t table);

// SEAL's parms_id of the chain's first limb_count limbs: BLAKE2b-256 over the words [scheme, N, q_0 … q_{limb_count-1}, t].
RS_API RS_MUST_CHECK rs_status_t rs_params_id(const rs_params_t *params, uint32_t limb_count, uint8_t *id);

#ifdef __cplusplus
}
#endif

#endif
