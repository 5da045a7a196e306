// SPDX-License-Identifier: Apache-2.0
// ML-DSA (mldsa.h) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes and statuses as without one. Seeds, keys and what a signature is
// made of pass through the memory that the processor shares with the core, and are wiped there: the processor is trusted with them (docs/pqc.md, On a core).
//
// Rings, expansions, packing, hashes of keys and of messages up to 4 KiB are the core's; challenges, hints, the loop over rounds and formats the
// processor's. Each round of a signature is two programs, of a length that depends on the set alone; a round that is refused ends early, as
// it does in mldsa.h, which is independent of the key.
#ifndef RINGSIDE_MLDSA_DEVICE_H
#define RINGSIDE_MLDSA_DEVICE_H

#include "device.h"
#include "mldsa.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the bus's memory that a set takes; 0: the design has no fields, or is too small.
RS_API size_t rs_mldsa_device_memory_bytes(const rs_design_t *design, rs_mldsa_set_t set);

// Makes the device this set's: constants in memory, and all its programs, which later calls find. What another scheme or set has loaded is forgotten.
// RS_ERR_MLDSA_SET, RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY, RS_ERR_DEVICE_BUSY, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_prepare(rs_device_t *device, rs_mldsa_set_t set);

// As the functions of these names in mldsa.h, of the set that is prepared; RS_ERR_DEVICE_EMPTY: none is. Statuses of devices besides.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_keygen(rs_device_t *device, uint8_t *pk, size_t pk_bytes, uint8_t *sk,
                                                        size_t sk_bytes, rs_rng_t *rng);
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_keygen_seed(rs_device_t *device, uint8_t *pk, size_t pk_bytes, uint8_t *sk,
                                                             size_t sk_bytes, const uint8_t *xi, size_t xi_bytes);

// A message as sign and verify take it: mldsa.h's functions in one.
typedef enum rs_mldsa_message_form {
    RS_MLDSA_MESSAGE, // rs_mldsa_sign, rs_mldsa_verify
    RS_MLDSA_MESSAGE_DIGEST, // _prehash: the bytes are a digest by `hash`
    RS_MLDSA_MESSAGE_INTERNAL, // _internal: M'
    RS_MLDSA_MESSAGE_MU, // _mu
} rs_mldsa_message_form_t;

typedef struct rs_mldsa_text {
    rs_mldsa_message_form_t form;
    rs_mldsa_prehash_t hash; // the hash of RS_MLDSA_MESSAGE_DIGEST
    const uint8_t *context; // the context of RS_MLDSA_MESSAGE, _DIGEST
    size_t context_bytes;
    const uint8_t *bytes;
    size_t count;
} rs_mldsa_text_t;

// rnd: 32 bytes, zeros for a deterministic signature. rounds: how many there were; NULL: not wanted.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_sign(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                                      const uint8_t *sk, size_t sk_bytes, const rs_mldsa_text_t *text,
                                                      rs_rng_t *rng, uint32_t *rounds);
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_sign_derand(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                                             const uint8_t *sk, size_t sk_bytes, const rs_mldsa_text_t *text,
                                                             const uint8_t *rnd, size_t rnd_bytes, uint32_t *rounds);
// Calls of a sealed core (docs/core.md, Sealed fields; else RS_ERR_DESIGN). seal makes the pair of a seed xi and puts
// the key into a slot of the core: from then on signatures alone leave, and of a round that is refused nothing but that
// it is. The pair is made in open mode: xi passes through memory. sign_sealed signs with that key: the same bytes as
// sign. RS_ERR_DEVICE_EMPTY: none is sealed; rs_mldsa_device_sign and closing the device wipe it.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_seal(rs_device_t *device, uint8_t *pk, size_t pk_bytes, const uint8_t *xi,
                                                      size_t xi_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_sign_sealed(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                                             const rs_mldsa_text_t *text, rs_rng_t *rng, uint32_t *rounds);
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_sign_sealed_derand(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                                                    const rs_mldsa_text_t *text, const uint8_t *rnd,
                                                                    size_t rnd_bytes, uint32_t *rounds);
// Where the bus reaches them (rs_bus_t), pk at an address that is 32 modulo 64, and z at a multiple of 64, which is behind the 32, 48 or 64 bytes of the
// challenge in a signature of ML-DSA-44, -65 or -87, are read where they are, pk with the 32 bytes in front of it. Else they are copied. The challenge is made while
// the core runs; a processor that is too slow for that makes it before, from the third verification on.
RS_API RS_MUST_CHECK rs_status_t rs_mldsa_device_verify(rs_device_t *device, const uint8_t *pk, size_t pk_bytes,
                                                        const rs_mldsa_text_t *text, const uint8_t *signature,
                                                        size_t signature_bytes);

#ifdef __cplusplus
}
#endif

#endif
