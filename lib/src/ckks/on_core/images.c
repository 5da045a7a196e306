// SPDX-License-Identifier: Apache-2.0
// Contexts and keys of CKKS in the core's memory formats.
#include <ringside/golden/ckks.h>
#include <string.h>

#include "ckks/on_core/on_core.h"
#include "machine/image.h"

// LIFT and MSUBC multiply by the inverse of a limb that is dropped. Where groups are too few to round errors before they are used, LIFT has
// none to divide.
typedef struct constants {
    uint64_t constant;
    uint64_t factor;
} constants_t;

static constants_t constants_of(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop) {
    const int divides = (limb < drop && drop < context->params.limb_count) || (limb == 1 && !drop);
    const uint64_t inverse = divides ? rs_drop_inverse(context, drop, limb) : 1;
    return (constants_t){inverse, rs_design_rounds(design) ? inverse : 1};
}

void rs_on_core_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image) {
    const constants_t k = constants_of(design, context, limb, drop);
    rs_image_header(design, &context->limbs[limb], k.constant, k.factor, image);
}

void rs_device_image_context(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image) {
    const constants_t k = constants_of(design, context, limb, drop);
    rs_image_context(design, &context->limbs[limb], k.constant, k.factor, image);
}

void rs_device_image_stream(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image) {
    memset(image, 0, rs_design_stream_bytes(design, context->params.log_n));
    rs_image_stream(design, &context->limbs[limb], image, design->word_bits > 32);
}

void rs_device_image_stream_key(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                uint8_t *image, const uint64_t *pk0, const uint64_t *pk1) {
    const size_t n = context->n, tables = rs_design_stream_tables_bytes(design, context->params.log_n);
    rs_on_core_header(design, context, limb, drop, image);
    image += RS_CONTEXT_HEADER_BYTES;
    memset(image, 0, tables);
    rs_image_stream(design, &context->limbs[limb], image, 1);
    rs_image_put(image + tables, pk0, n, 1);
    rs_image_put(image + tables + 8 * n, pk1, n, 1);
}
