// SPDX-License-Identifier: Apache-2.0
// K-PKE of FIPS 203, section 5: the encryption that ML-KEM is made of. Not to be used alone. Workspaces have RS_MLKEM_WORKSPACE(k) bytes, are
// aligned to 8, and are not wiped here.
#ifndef RINGSIDE_MLKEM_PKE_H
#define RINGSIDE_MLKEM_PKE_H

#include "hash/hash.h"
#include "mlkem/sets.h"

// Algorithm 13: ek, and s, the first part of dk, of d.
void rs_mlkem_pke_keygen(const rs_mlkem_params_t *p, const rs_hash_t *hash, uint8_t *ek, uint8_t *s, const uint8_t *d,
                         void *workspace);

// Algorithm 14: the ciphertext of m with the coins r, to ct if it is not NULL. In any case 0 if it equals `other`, unless that is NULL, and
// something else if not. Nothing is kept of a ciphertext that is compared only.
uint64_t rs_mlkem_pke_encrypt(const rs_mlkem_params_t *p, const rs_hash_t *hash, uint8_t *ct, const uint8_t *other,
                              const uint8_t *ek, const uint8_t *m, const uint8_t *r, void *workspace);

// Algorithm 15: m, 32 bytes.
void rs_mlkem_pke_decrypt(const rs_mlkem_params_t *p, uint8_t *m, const uint8_t *s, const uint8_t *ct, void *workspace);

#endif
