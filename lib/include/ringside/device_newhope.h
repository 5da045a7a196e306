// SPDX-License-Identifier: Apache-2.0
// NewHope-1024 (research.h: for research only) on an accelerator core with fields (RS_FEATURE_FIELDS): the same bytes
// and statuses as without one, of a scheme whose stream is SHAKE256. Parse, noise, transforms, products and packed
// words are the core's; reconciliation and the last hash stay this side's. Secrets pass through the memory that the
// processor shares with the core, and are wiped there: the processor is trusted with them (docs/pqc.md, On a core).
//
// A call checks what it is given, copies it into that memory, starts a program that was made by
// rs_device_newhope_prepare, and copies the results. The number of instructions depends on the call alone, the core's
// cycles on nothing but rejections in the public stream of a.
#ifndef RINGSIDE_DEVICE_NEWHOPE_H
#define RINGSIDE_DEVICE_NEWHOPE_H

#include "device.h"
#include "research.h"

#ifdef __cplusplus
extern "C" {
#endif

// The requests are those of research.h; `scheme` and `workspace` are not used: the scheme that is prepared.
typedef struct rs_newhope_shared_request {
    uint32_t size;
    uint32_t reserved;
    rs_view_t client_message;
    rs_view_t secret RS_SECRET;
    rs_bytes_t shared RS_SECRET;
} rs_newhope_shared_request_t;

// Bytes of the bus's memory that it takes; 0: the design has no fields, or is too small.
RS_API size_t rs_device_newhope_bytes(const rs_design_t *design);

// Makes the device this scheme's: tables in memory, and all programs, which later calls find. What another scheme has
// loaded is forgotten. The scheme says the rule of Parse, and that somebody has consented; it need not stay.
// RS_ERR_OPTION: its stream is not SHAKE256. RS_ERR_DESIGN, RS_ERR_DESIGN_DEGREE, RS_ERR_DEVICE_MEMORY,
// RS_ERR_DEVICE_BUSY, RS_ERR_NULL, RS_ERR_ALIGNMENT: of the bus's memory, 8 bytes.
RS_API RS_MUST_CHECK rs_status_t rs_device_newhope_prepare(rs_device_t *device, const rs_newhope_t *scheme);

// As the functions of these names in research.h; RS_ERR_BYTES: an array has another size. RS_ERR_DEVICE_NOT_LOADED: the
// scheme is not prepared. Statuses of devices besides. On an error no output is written, and no seed is drawn for a
// message that is refused.
RS_API RS_MUST_CHECK rs_status_t rs_device_newhope_server(rs_device_t *device, const rs_newhope_server_request_t *request,
                                                          rs_device_mode_t mode);
RS_API RS_MUST_CHECK rs_status_t rs_device_newhope_client(rs_device_t *device, const rs_newhope_client_request_t *request,
                                                          rs_device_mode_t mode);
RS_API RS_MUST_CHECK rs_status_t rs_device_newhope_shared(rs_device_t *device, const rs_newhope_shared_request_t *request,
                                                          rs_device_mode_t mode);

#ifdef __cplusplus
}
#endif

#endif
