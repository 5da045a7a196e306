// SPDX-License-Identifier: Apache-2.0
// BLISS-BI: signatures from Ring-LWE with a bimodal Gaussian. For research only.
//
// Sources: Ducas, Durmus, Lepoint, Lyubashevsky, "Lattice Signatures and Bimodal Gaussians", CRYPTO 2013 (BLISS, parameter set I); Ducas,
// "Accelerating BLISS: the geometry of ternary polynomials", ePrint 2014/874 (BLISS-B: the sparse product is made short, so that the
// repetition rate falls to 1.21). N = 512, q = 12289, sigma = 215, keys of 154 entries +-1, kappa = 23, d = 10, p = 24.
//
// It is here because accelerators are compared by it. Practical attacks on implementations found whole keys: by caches (Groot Bruinderink,
// Hülsing, Lange, Yarom, CHES 2016), by branches and by power (Espitau, Fouque, Gérard, Tibouchi, CCS 2017). What they used is not here: no
// branch and no index of this code depends on the key, on y, or on the numbers that rejection compares. That is no claim about power or faults.
// Take ML-DSA for anything real.
//
//   key        f, g ternary, f invertible;  s1 = f, s2 = 2g + 1;  public a = s2 / s1 mod q
//   sign       y1, y2 Gaussian;  u = zeta (2a) y1 + y2 mod 2q;  c = H(round(u) mod p, message), 23 ones
//              (v1, v2) = (s1, s2) c', c' = c mod 2 chosen greedily;  z = y + (-1)^b v, kept with probability
//              1 / (M exp(-|v|^2 / 2 sigma^2) cosh(<z, v> / sigma^2)), or else all anew
//              z2' = round(u) - round(u - z2) mod p, from -p/2 to p/2;  signature (z1, z2', c)
//   verify     |(z1, 2^d z2')| <= 12872, each |coefficient| <= 2100, and H(round(zeta (2a) z1 + zeta q c) + z2' mod p, message) = c
//
// Here round(x) = floor(x / 2^d + 1/2), and zeta (q - 2) = 1 mod 2q. Encodings and H are Ringside's own: no other program reads them.
//   public key   a, transformed: word i is the value at psi^(2i + 1), psi = 49; 512 words of 14 bits
//   secret key   f, g: two arrays of 512 digits of 2 bits (0, 1, and 2 for -1); the public key
//   signature    z1: 512 words z1 + 2100 of 13 bits;  z2': 512 words z2' + 2 of 3 bits;  the 23 places of c in the order of H, 9 bits each;
//                a bit 0. The least significant bit is always the first. A signature has one encoding, so its bytes can be compared.
//   H            SHAKE256(round(u) mod p, 512 words of 5 bits || SHAKE256(message), 64 bytes): each two bytes are a word, least byte first,
//                whose low 9 bits are a place of c unless it has come before
#ifndef RINGSIDE_BLISS_H
#define RINGSIDE_BLISS_H

#include "sample.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_BLISS_N = 512,
    RS_BLISS_Q = 12289,
    RS_BLISS_PUBLIC_BYTES = 896,
    RS_BLISS_SECRET_BYTES = 1152,
    RS_BLISS_SIGNATURE_BYTES = 1050
};

// The plan of the ring. Read-only once made: any number of threads share it.
typedef struct rs_bliss rs_bliss_t;

RS_API size_t rs_bliss_size(void);
RS_API size_t rs_bliss_workspace(void);

// Makes the tables in caller-provided, 8-byte aligned memory of rs_bliss_size() bytes, and keeps them there. RS_ERR_RESEARCH unless consent is
// the string "research-only". RS_ERR_NULL, RS_ERR_MEMORY, RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
RS_API RS_MUST_CHECK rs_status_t rs_bliss_init(const rs_bliss_t **scheme, void *memory, size_t memory_bytes, const char *consent);

// All below: workspace is rs_bliss_workspace() bytes, aligned to 8; nothing secret is left in it. Outputs have the sizes above and must not
// overlap inputs. RS_ERR_NULL, RS_ERR_MEMORY, RS_ERR_ALIGNMENT. On an error no output is written.

// A pair of keys, from one seed of rng. RS_ERR_RNG: also if 64 keys in a row are not invertible, with a probability below 2^-250.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_keypair(const rs_bliss_t *scheme, uint8_t *public_key, uint8_t *secret_key, rs_rng_t *rng,
                                                  void *workspace, size_t workspace_bytes);
// The signature of a message, from one seed of rng. RS_ERR_SECRET_KEY: f or g does not have 154 entries +-1; RS_ERR_RESIDUE: a word of the
// key is not below q. RS_ERR_RNG: also if 128 attempts in a row are rejected, with a probability below 2^-300. The number of attempts is
// public: it is independent of the key. message may be NULL if it is empty.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_sign(const rs_bliss_t *scheme, uint8_t *signature, const uint8_t *message,
                                               size_t message_bytes, const uint8_t *secret_key, rs_rng_t *rng, void *workspace,
                                               size_t workspace_bytes);
// RS_OK if the signature is the message's. RS_ERR_LENGTH: signature or key do not have their size; RS_ERR_RESIDUE: a word of the key is not
// below q; RS_ERR_SIGNATURE: anything else is wrong. All operands are public.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_verify(const rs_bliss_t *scheme, const uint8_t *signature, size_t signature_bytes,
                                                 const uint8_t *message, size_t message_bytes, const uint8_t *public_key,
                                                 size_t public_key_bytes, void *workspace, size_t workspace_bytes);

// The same from given seeds, for tests and comparisons. Two messages signed with one seed give the key away.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_keypair_derand(const rs_bliss_t *scheme, uint8_t *public_key, uint8_t *secret_key,
                                                         const rs_seed_t *seed, void *workspace, size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_bliss_sign_derand(const rs_bliss_t *scheme, uint8_t *signature, const uint8_t *message,
                                                      size_t message_bytes, const uint8_t *secret_key, const rs_seed_t *seed,
                                                      void *workspace, size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif
