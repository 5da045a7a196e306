// SPDX-License-Identifier: Apache-2.0
// Memory formats, besides those of device.h.
#ifndef RINGSIDE_IMAGE_H
#define RINGSIDE_IMAGE_H

#include <ringside/device.h>

// The 64 bytes of constants that a context begins with.
void rs_device_image_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image);

#endif
