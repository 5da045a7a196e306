// SPDX-License-Identifier: Apache-2.0
// Instructions of encode and decode with doubles and in fixed point (docs/encoding.md); scripts/bare_tables.py makes a table of them.
#include <ringside/client.h>
#include <ringside/golden.h>

#include "board.h"

enum { BITS_MIN = 32, BITS_MAX = 54, LOG2_SCALE = 25 };
static const char SET[] = "seal-embedded-4096"; // N = 4096, three primes of 30 bits
static uint64_t memory[(1 << 20) / sizeof(uint64_t)];
static size_t used;

static void *take(size_t bytes) {
    uint8_t *at = (uint8_t *)memory + used;
    used += (bytes + 7) & ~(size_t)7;
    if (used > sizeof memory) {
        board_print("out of memory\n");
        board_finish(EXIT_TRACE);
    }
    return at;
}

void board_main(void) {
    rs_params_t params;
    const rs_context_t *context;
    check(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = SET, .security = RS_SECURITY_UNCHECKED)));
    const size_t context_bytes = rs_context_size(&params);
    check(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .security = RS_SECURITY_UNCHECKED,
                                               .memory = {take(context_bytes), context_bytes})));
    const size_t n = rs_context_n(context);
    const uint32_t limbs = rs_params_data_limbs(&params);
    double *values = take(n / 2 * sizeof *values);
    int8_t *bytes = take(n / 2);
    uint64_t *ntt = take(limbs * n * sizeof *ntt);
    double *coef = take(n * sizeof *coef);
    rs_plaintext_t message = {.message = coef};
    rs_plaintext_t residues = {.ntt = ntt};
    for (size_t i = 0; i < n / 2; i++) {
        bytes[i] = (int8_t)(i * i * 7919);
        values[i] = bytes[i] / 256.0;
    }

    begin();
    rs_plan_forward(rs_context_plan(context, 0), ntt);
    end("ntt");
    begin();
    check(rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .values = values, .count = (uint32_t)(n / 2),
                               .scale = (double)(1 << LOG2_SCALE), .plaintext = &message)));
    end("encode-coefficients-double");
    begin();
    for (uint32_t limb = 0; limb < limbs; limb++) rs_lift_message(context, limb, ntt + limb * n, coef, NULL);
    end("lift-double");
    check(rs_plaintext_limb(context, &message, 0, ntt));
    residues.form = RS_FORM_NTT;
    residues.limb_count = 1;
    residues.scale = message.scale;
    for (unsigned i = 0; i < RS_PARMS_ID_BYTES; i++) residues.parms_id[i] = rs_context_parms_id(context, 1)[i];
    begin();
    check(rs_decode(RS_REQUEST(rs_decode_request_t, .context = context, .plaintext = &residues, .values = values,
                               .count = (uint32_t)(n / 2), .workspace = {coef, n * sizeof *coef})));
    end("decode-double");

    const size_t size = rs_fixed_size(params.log_n);
    void *tables = take(size);
    for (uint32_t bits = BITS_MIN; bits <= BITS_MAX; bits += BITS_MAX - BITS_MIN) {
        const rs_fixed_t *fixed;
        const rs_fixed_layout_t layout = {RS_FIXED_INT8, 0, (uint32_t)(n / 2), -8, 0};
        const rs_layout_t whole = {.format = RS_FIXED_INT8 + 1, .exponent = -8},
                          doubled = {.format = RS_FIXED_INT8 + 1, .exponent = -8, .bound = 1};
        int64_t *re = (int64_t *)(void *)coef;
        check(rs_fixed_init(&fixed, tables, size, params.log_n, bits));
        begin();
        check(rs_fixed_load(fixed, re, re + n / 2, bytes, &layout));
        check(rs_fixed_inverse(fixed, re, re + n / 2));
        end(bits == BITS_MIN ? "encode-coefficients-32" : "encode-coefficients-54");
        begin();
        for (uint32_t limb = 0; limb < limbs; limb++) {
            rs_lift_fixed(context, limb, ntt + limb * n, re, LOG2_SCALE + layout.bound - ((int32_t)bits - 1));
        }
        end(bits == BITS_MIN ? "lift-32" : "lift-54");
        check(rs_encode(RS_REQUEST(rs_encode_request_t, .context = context, .fixed = fixed, .values = bytes,
                                   .count = (uint32_t)(n / 2), .layout = &whole, .scale = (double)(1 << LOG2_SCALE),
                                   .limb_count = 1, .plaintext = &residues)));
        begin();
        check(rs_decode(RS_REQUEST(rs_decode_request_t, .context = context, .fixed = fixed, .plaintext = &residues, .values = bytes,
                                   .count = (uint32_t)(n / 2), .layout = &doubled)));
        end(bits == BITS_MIN ? "decode-32" : "decode-54");
        for (size_t i = 0; i < n / 2; i++) check(bytes[i] == (int8_t)(i * i * 7919) ? RS_OK : RS_ERR_SELFTEST);
    }
    board_finish(0);
}
