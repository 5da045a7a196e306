// SPDX-License-Identifier: Apache-2.0
// ML-KEM (mlkem.h) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes and statuses as without one. Keys and secrets pass through
// the memory that the processor shares with the core, and are wiped there: the processor is trusted with them (docs/pqc.md, On a core).
//
// A call copies what it is given into that memory, starts a program that was made by rs_mlkem_device_prepare, and copies the results. dk it leaves where
// it is if the bus reaches it (rs_bus_t.reach) and it begins on a line of 64 bytes. The number of instructions depends on the set alone.
#ifndef RINGSIDE_MLKEM_DEVICE_H
#define RINGSIDE_MLKEM_DEVICE_H

#include "device.h"
#include "mlkem.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the bus's memory that a set takes; 0: the design has no fields, or is too small.
RS_API size_t rs_mlkem_device_memory_bytes(const rs_design_t *design, rs_mlkem_set_t set);

// Makes the device this set's: constants in memory, and all its programs, which later calls find. What another scheme or set has loaded is forgotten.
// RS_ERR_MLKEM_SET, RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY, RS_ERR_DEVICE_BUSY, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_prepare(rs_device_t *device, rs_mlkem_set_t set);

// As the functions of these names in mlkem.h, of the set that is prepared; RS_ERR_DEVICE_EMPTY: none is. Statuses of devices besides.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_keygen(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk,
                                                        size_t dk_bytes, rs_rng_t *rng);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_keygen_seed(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk,
                                                             size_t dk_bytes, const uint8_t *seed, size_t seed_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_encaps(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared,
                                                        size_t shared_bytes, const uint8_t *ek, size_t ek_bytes, rs_rng_t *rng);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_encaps_derand(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared,
                                                               size_t shared_bytes, const uint8_t *ek, size_t ek_bytes,
                                                               const uint8_t *m, size_t m_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                        const uint8_t *dk, size_t dk_bytes, const uint8_t *ct, size_t ct_bytes);
// Decapsulates with the pair that is kept as its seed d || z, with the ek that was made of it: the core makes s again.
// ek is not checked.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps_seed(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                             const uint8_t *seed, size_t seed_bytes, const uint8_t *ek,
                                                             size_t ek_bytes, const uint8_t *ct, size_t ct_bytes);

// ---- of a sealed core (RS_FEATURE_SEALED) ------------------------------------------------------------------------------
// The pair of a seed d || z stays in the core: ek is its public half. From here on nothing that depends on the seed leaves the core but the secrets
// that decapsulation makes, by the program of this library, with these constants and this ek: the core compares their hash. The key is there until
// another one is sealed, or the core is wiped. Before that the caller is trusted with the seed. RS_ERR_DESIGN: the core is not sealed.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_seal(rs_device_t *device, uint8_t *ek, size_t ek_bytes, const uint8_t *seed,
                                                      size_t seed_bytes);
// RS_ERR_DEVICE_EMPTY: the core has no key.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps_sealed(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                               const uint8_t *ct, size_t ct_bytes);

// ---- the same in two halves --------------------------------------------------------------------------------------------
// start: everything up to the start of the core; rs_device_poll says whether it has ended, and rs_mlkem_device_finish completes the call. The
// arrays of results and dk stay where they are until then; other inputs are copied.
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_keygen_start(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk,
                                                              size_t dk_bytes, const uint8_t *seed, size_t seed_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_encaps_start(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared,
                                                              size_t shared_bytes, const uint8_t *ek, size_t ek_bytes,
                                                              const uint8_t *m, size_t m_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                              const uint8_t *dk, size_t dk_bytes, const uint8_t *ct,
                                                              size_t ct_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps_seed_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                                   const uint8_t *seed, size_t seed_bytes, const uint8_t *ek,
                                                                   size_t ek_bytes, const uint8_t *ct, size_t ct_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_decaps_sealed_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                                     const uint8_t *ct, size_t ct_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_mlkem_device_finish(rs_device_t *device);

#ifdef __cplusplus
}
#endif

#endif
