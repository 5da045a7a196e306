// SPDX-License-Identifier: Apache-2.0
// ML-KEM (mlkem.h) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes and statuses as without one.
// Keys and secrets pass through the memory that the processor shares with the core, and are wiped there: the processor
// is trusted with them (docs/pqc.md, On a core).
//
// A call copies what it is given into that memory, starts a program that was made by rs_device_mlkem_prepare, and
// copies the results. dk it leaves where it is if the bus reaches it (rs_bus_t.reach) and it begins on a line of 64
// bytes. The number of instructions depends on the set alone.
#ifndef RINGSIDE_DEVICE_MLKEM_H
#define RINGSIDE_DEVICE_MLKEM_H

#include "device.h"
#include "mlkem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the bus's memory that a set takes; 0: the design has no fields, or is too small.
RS_API size_t rs_device_mlkem_bytes(const rs_design_t *design, rs_mlkem_set_t set);

// Makes the device this set's: constants in memory, and all its programs, which later calls find. What another scheme
// or set has loaded is forgotten. RS_ERR_SET, RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY,
// RS_ERR_DEVICE_BUSY, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_device_mlkem_prepare(rs_device_t *device, rs_mlkem_set_t set);

// As the functions of these names in mlkem.h. set: the one that is prepared, or 0; no workspace is needed.
// RS_ERR_DEVICE_NOT_LOADED: no set is prepared, RS_ERR_MISMATCH: another one is. Statuses of devices besides.
RS_API RS_MUST_CHECK rs_status_t rs_device_mlkem_keygen(rs_device_t *device, const rs_mlkem_keygen_request_t *request,
                                                        rs_device_mode_t mode);
RS_API RS_MUST_CHECK rs_status_t rs_device_mlkem_encaps(rs_device_t *device, const rs_mlkem_encaps_request_t *request,
                                                        rs_device_mode_t mode);
// With dk; or with a pair that is kept as its seed d || z, and the ek that was made of it, which is not checked: the
// core makes s again. With neither, by the sealed key: RS_ERR_DESIGN (the core is not sealed), RS_ERR_DEVICE_NOT_LOADED (it
// has no key).
RS_API RS_MUST_CHECK rs_status_t rs_device_mlkem_decaps(rs_device_t *device, const rs_mlkem_decaps_request_t *request,
                                                        rs_device_mode_t mode);

// The core is sealed (RS_FEATURE_SEALED, else RS_ERR_DESIGN). The pair of a seed d || z stays in it; ek is its public
// half, and dk is left out. From here on nothing that depends on the seed leaves the core but the secrets that
// decapsulation makes, by the program of this library, with these constants and this ek: the core compares their hash.
// The key is there until another one is sealed, or the core is wiped. Before that the caller is trusted with the seed.
RS_API RS_MUST_CHECK rs_status_t rs_device_mlkem_seal(rs_device_t *device, const rs_mlkem_keygen_request_t *request);

#ifdef __cplusplus
}
#endif

#endif
