// SPDX-License-Identifier: Apache-2.0
// ML-DSA (mldsa.h) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes and statuses as without one.
// Seeds, keys and what a signature is made of pass through the memory that the processor shares with the core, and are
// wiped there: the processor is trusted with them (docs/pqc.md, On a core).
//
// Rings, expansions, packing, hashes of keys and of messages up to 4 KiB are the core's; challenges, hints, the loop
// over rounds and formats the processor's. Each round of a signature is two programs, of a length that depends on the
// set alone; a round that is refused ends early, as it does in mldsa.h, which is independent of the key.
#ifndef RINGSIDE_DEVICE_MLDSA_H
#define RINGSIDE_DEVICE_MLDSA_H

#include "device.h"
#include "mldsa.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the bus's memory that a set takes; 0: the design has no fields, or is too small.
RS_API size_t rs_device_mldsa_bytes(const rs_design_t *design, rs_mldsa_set_t set);

// Makes the device this set's: constants in memory, and all its programs, which later calls find. What another scheme
// or set has loaded is forgotten. RS_ERR_SET, RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY,
// RS_ERR_DEVICE_BUSY, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_device_mldsa_prepare(rs_device_t *device, rs_mldsa_set_t set);

// As the functions of these names in mldsa.h. set: the one that is prepared, or 0; no workspace is needed.
// RS_ERR_DEVICE_NOT_LOADED: no set is prepared, RS_ERR_MISMATCH: another one is. Statuses of devices besides. RS_ERR_OPTION
// also for RS_DEVICE_START.
RS_API RS_MUST_CHECK rs_status_t rs_device_mldsa_keygen(rs_device_t *device, const rs_mldsa_keygen_request_t *request,
                                                        rs_device_mode_t mode);
// Without sk, by the sealed key: RS_ERR_DESIGN (the core is not sealed), RS_ERR_DEVICE_NOT_LOADED (it has no key). A
// signature with sk wipes the sealed key.
RS_API RS_MUST_CHECK rs_status_t rs_device_mldsa_sign(rs_device_t *device, const rs_mldsa_sign_request_t *request,
                                                      rs_device_mode_t mode);
// Where the bus reaches them (rs_bus_t), pk at an address that is 32 modulo 64, and z at a multiple of 64, which is
// behind the 32, 48 or 64 bytes of the challenge in a signature of ML-DSA-44, -65 or -87, are read where they are, pk
// with the 32 bytes in front of it. Else they are copied. The challenge is made while the core runs; a processor that
// is too slow for that makes it before, from the third verification on.
RS_API RS_MUST_CHECK rs_status_t rs_device_mldsa_verify(rs_device_t *device, const rs_mldsa_verify_request_t *request,
                                                        rs_device_mode_t mode);

// The core is sealed (docs/core.md, Sealed fields; else RS_ERR_DESIGN). Makes the pair of a seed and puts the key into
// a slot of the core; sk is left out. From then on signatures alone leave, and of a round that is refused nothing but
// that it is. The pair is made in open mode: the seed passes through memory.
RS_API RS_MUST_CHECK rs_status_t rs_device_mldsa_seal(rs_device_t *device, const rs_mldsa_keygen_request_t *request);

#ifdef __cplusplus
}
#endif

#endif
