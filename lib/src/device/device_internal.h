// SPDX-License-Identifier: Apache-2.0
// What programs, memory formats and driver share.
#ifndef RINGSIDE_DEVICE_INTERNAL_H
#define RINGSIDE_DEVICE_INTERNAL_H

#include <ringside/device.h>

#include "ckks/checks.h"

// Word-level Montgomery takes 11 bits per step (rs_pkg::WlmWordBits).
enum { RS_WLM_WORD_BITS = 11, RS_CONTEXT_HEADER_BYTES = 64 };

// RS_ERR_DEVICE_DESIGN if no core can be built like this.
rs_status_t rs_design_check(const rs_design_t *design);

// Whether an encryption with special prime has the groups to round its errors before they are used (program.h).
static inline int rs_design_rounds(const rs_design_t *design) {
    return design->groups >= 5;
}

static inline size_t rs_design_residue_bytes(const rs_design_t *design) {
    return design->word_bits > 32 ? 8 : 4;
}

// image.c: the 64 bytes of constants alone.
void rs_device_image_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image);

// driver.c: wipes the secret key and forgets all that was loaded.
void rs_device_forget(rs_device_t *device);

#endif
