// SPDX-License-Identifier: Apache-2.0
// Contexts and keys in the core's memory formats.
#include <ringside/golden/ckks.h>
#include <string.h>

#include "machine/image.h"
#include "schemes/on_core/on_core.h"

// LIFT and MSUBC multiply by the inverse of a limb that is dropped. Where groups are too few to round errors before they are used, LIFT has
// none to divide, and SCALE, which does, multiplies by the error's factor, too; so it does where nothing is dropped.
typedef struct constants {
    uint64_t constant;
    uint64_t factor;
} constants_t;

uint64_t rs_on_core_times(const rs_context_t *context, uint32_t limb, int negative) {
    const uint64_t factor = rs_error_factor(context, limb), q = context->limbs[limb].modulus.q;
    return negative ? q - factor : factor;
}

// P / R, as images of secrets are times R. BGV's is -1/t times the secret, and its square times -1/t too much.
uint64_t rs_on_core_target_factor(const rs_design_t *design, const rs_context_t *context, uint32_t limb, int squared) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const uint64_t p = rs_reduce(context->params.moduli[context->params.limb_count - 1], m);
    const uint64_t factor = rs_mul_mod(p, rs_inverse_mod(rs_image_radix(design, m), m), m);
    return squared && rs_is_bgv(context) ? rs_mul_mod(factor, rs_on_core_times(context, limb, 1), m) : factor;
}

static constants_t constants_of(const rs_design_t *design, const rs_context_t *context, uint32_t limb, rs_constants_t of) {
    const int divides = (limb < of.drop && of.drop < context->params.limb_count) || (limb == 1 && !of.drop);
    const uint64_t inverse = divides ? rs_drop_inverse(context, of.drop, limb) : 1;
    if (divides && rs_design_rounds(design)) return (constants_t){inverse, inverse};
    const uint64_t times = rs_on_core_times(context, limb, of.negative != 0);
    return (constants_t){rs_mul_mod(inverse, times, &context->limbs[limb].modulus), 1};
}

void rs_on_core_header(const rs_design_t *design, const rs_context_t *context, uint32_t limb, rs_constants_t of, uint8_t *image) {
    const constants_t k = constants_of(design, context, limb, of);
    rs_image_header(design, &context->limbs[limb], k.constant, k.factor, image);
}

void rs_device_image_context(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop, uint8_t *image) {
    const constants_t k = constants_of(design, context, limb, (rs_constants_t){.drop = drop});
    rs_image_context(design, &context->limbs[limb], k.constant, k.factor, image);
}

void rs_device_image_stream(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint8_t *image) {
    memset(image, 0, rs_design_stream_bytes(design, context->params.log_n));
    rs_image_stream(design, &context->limbs[limb], image, design->word_bits > 32);
}

void rs_device_image_stream_key(const rs_design_t *design, const rs_context_t *context, uint32_t limb, uint32_t drop,
                                uint8_t *image, const uint64_t *pk0, const uint64_t *pk1) {
    const size_t n = context->n, tables = rs_design_stream_tables_bytes(design, context->params.log_n);
    rs_on_core_header(design, context, limb, (rs_constants_t){.drop = drop}, image);
    image += RS_CONTEXT_HEADER_BYTES;
    memset(image, 0, tables);
    rs_image_stream(design, &context->limbs[limb], image, 1);
    rs_image_put(image + tables, pk0, n, 1);
    rs_image_put(image + tables + 8 * n, pk1, n, 1);
}
