// SPDX-License-Identifier: Apache-2.0
// NewHope-1024 (research.h: for research only) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes and statuses as without one, of a scheme
// whose stream is SHAKE256. Parse, noise, transforms, products and packed words are the core's; reconciliation and the last hash stay this side's. Secrets
// pass through the memory that the processor shares with the core, and are wiped there: the processor is trusted with them (docs/pqc.md, On a core).
//
// A call checks what it is given, copies it into that memory, starts a program that was made by rs_newhope_device_prepare, and copies the results. The number of instructions depends on the call alone, the core's cycles on nothing but rejections in the public stream of a.
#ifndef RINGSIDE_NEWHOPE_DEVICE_H
#define RINGSIDE_NEWHOPE_DEVICE_H

#include "device.h"
#include "research.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes of the bus's memory that it takes; 0: the design has no fields, or is too small.
RS_API size_t rs_newhope_device_memory_bytes(const rs_design_t *design);

// Makes the device this scheme's: tables in memory, and all programs, which later calls find. What another scheme has loaded is forgotten. The scheme says
// the rule of Parse, and that somebody has consented; it need not stay. RS_ERR_OPTION: its stream is not SHAKE256. RS_ERR_DESIGN,
// RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY, RS_ERR_DEVICE_BUSY, RS_ERR_NULL, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_prepare(rs_device_t *device, const rs_newhope_t *scheme);

// As the functions of these names in research.h; RS_ERR_LENGTH: an array has another size. RS_ERR_DEVICE_EMPTY: the scheme is not prepared. Statuses of
// devices besides. On an error no output is written.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_server(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                          uint8_t *secret, size_t secret_bytes, rs_rng_t *rng);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_server_derand(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                                 uint8_t *secret, size_t secret_bytes, const uint8_t *seed,
                                                                 size_t seed_bytes, const uint8_t *noise_seed, size_t noise_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_client(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                          uint8_t *shared, size_t shared_bytes, const uint8_t *server_message,
                                                          size_t server_message_bytes, rs_rng_t *rng);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_client_derand(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                                 uint8_t *shared, size_t shared_bytes,
                                                                 const uint8_t *server_message, size_t server_message_bytes,
                                                                 const uint8_t *noise_seed, size_t noise_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_shared(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                          const uint8_t *client_message, size_t client_message_bytes,
                                                          const uint8_t *secret, size_t secret_bytes);

// ---- the same in two halves --------------------------------------------------------------------------------------------
// start: everything up to the start of the core; rs_device_poll says whether it has ended, and rs_newhope_device_finish completes the call. Arrays of
// results stay where they are until then; inputs are copied.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_server_start(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                                uint8_t *secret, size_t secret_bytes, const uint8_t *seed,
                                                                size_t seed_bytes, const uint8_t *noise_seed, size_t noise_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_client_start(rs_device_t *device, uint8_t *message, size_t message_bytes,
                                                                uint8_t *shared, size_t shared_bytes, const uint8_t *server_message,
                                                                size_t server_message_bytes, const uint8_t *noise_seed,
                                                                size_t noise_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_shared_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes,
                                                                const uint8_t *client_message, size_t client_message_bytes,
                                                                const uint8_t *secret, size_t secret_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_device_finish(rs_device_t *device);

#ifdef __cplusplus
}
#endif

#endif
