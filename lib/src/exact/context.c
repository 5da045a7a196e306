// SPDX-License-Identifier: Apache-2.0
// Building a context: a chain of limbs, the ring modulo t, places of slots, constants.
#include "exact/context.h"

#include "arith/plan.h"
#include "params/plain.h"

// A plaintext modulo t has one array of coefficients, and no limbs.
static rs_status_t no_limb(const rs_context_t *context, const rs_plaintext_t *plaintext, uint32_t limb, uint64_t *out) {
    (void)context;
    (void)plaintext;
    (void)limb;
    (void)out;
    return RS_ERR_FORM;
}

static const rs_scheme_calls_t CALLS = {
    .encode = rs_exact_encode,
    .decode = rs_exact_decode,
    .limb = no_limb,
    .encrypt_workspace = rs_exact_encrypt_workspace,
    .encrypt = rs_exact_encrypt,
    .check_decrypt = rs_exact_check_decrypt,
    .decrypt_workspace = rs_exact_decrypt_workspace,
    .decrypt = rs_exact_decrypt,
};

size_t rs_exact_context_size(const rs_params_t *params) {
    return sizeof(rs_context_t) + sizeof(rs_exact_t) + RS_LINE_BYTES +
           (params->limb_count + (size_t)rs_plain_has_slots(params)) * rs_limb_table_bytes(params->log_n) +
           (sizeof(uint32_t) << (params->log_n - 1));
}

static void fill_slots(uint32_t *slots, uint32_t log_n) {
    const uint32_t mask = ((uint32_t)2 << log_n) - 1;
    for (uint32_t i = 0, power = 1; i < (uint32_t)1 << (log_n - 1); i++, power = (power * 3) & mask) {
        slots[i] = rs_bit_reverse(power >> 1, log_n);
    }
}

// Bits of fractions; 0 unless t x (1 + 2 loss) / q_0 is at most 2^-4, where N remainders of c_1, at most 1/2 each, times signs that they know nothing of
// sum up to x or more with a chance of 2^-128 in all coefficients of 2^32 ciphertexts: 2 exp(-2 x^2 / N) each (Hoeffding 1963), so that x^2 = 62 N for
// every N. Each limb's fraction is at most 2 units too small, which makes the loss.
static uint32_t turn_bits(const rs_context_t *c) {
    enum { UNIT_BITS = 20, CHANCE = 62 }; // the unit that the sum of 1 and 2 loss is rounded to
    const rs_params_t *params = &c->params;
    const uint64_t q = params->moduli[0];
    uint32_t bits = 52, sum_of_signs = 1; // x, and 1/2 of c_0
    while (sum_of_signs * sum_of_signs < CHANCE * c->n) sum_of_signs++;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        if (c->limbs[i].modulus.bits > 50) bits = 64;
    }
    const uint64_t sum = ((uint64_t)1 << UNIT_BITS) + 4 * params->limb_count * ((q >> (bits - UNIT_BITS)) + 1);
    const rs_wide_t needed = rs_wide_mul_word(rs_wide_mul(params->plain_modulus, 16 * ((uint64_t)sum_of_signs + 1)), sum);
    const rs_wide_t there = rs_wide_mul(q, (uint64_t)1 << UNIT_BITS);
    const int fits = rs_wide_high(needed) < rs_wide_high(there) ||
                     (rs_wide_high(needed) == rs_wide_high(there) && rs_wide_low(needed) <= rs_wide_low(there));
    return fits ? bits : 0;
}

rs_status_t rs_exact_context_init(const rs_context_t **context, const rs_params_t *params, void *memory) {
    rs_context_t *c = memory;
    rs_exact_t *exact = (rs_exact_t *)(void *)(c + 1);
    uint8_t *tables = (uint8_t *)rs_align_line((uintptr_t)(exact + 1));
    const size_t table_bytes = rs_limb_table_bytes(params->log_n);
    uint8_t *behind = tables + params->limb_count * table_bytes;
    const uint64_t t = params->plain_modulus;
    RS_TRY(rs_context_chain(c, params, tables));
    memset(exact, 0, sizeof *exact);
    rs_modulus_init(&exact->plain, t);
    exact->half = (t + 1) / 2;
    exact->limbs_min = rs_plain_limbs_min(params);
    exact->turn_bits = turn_bits(c);
    exact->integers = rs_backend_integers(c->backend, params->log_n);
    exact->batches = (uint32_t)rs_plain_has_slots(params);
    if (exact->batches) {
        rs_limb_init(&exact->ring, rs_backend_choice(c->backend, params->log_n, t).ring, params->log_n, t, behind);
        behind += table_bytes;
    }
    fill_slots((uint32_t *)(void *)behind, params->log_n);
    exact->slots = (const uint32_t *)(const void *)behind;
#ifdef RS_BACKENDS
    exact->in_doubles = params->scheme == RS_SCHEME_BGV && exact->plain.bits <= 48;
#endif
    for (uint32_t i = 0; i < params->limb_count; i++) {
        const rs_modulus_t *m = &c->limbs[i].modulus;
        const uint64_t mu = params->scheme == RS_SCHEME_BFV ? rs_inverse_mod(rs_reduce(t, m), m) : 1;
        exact->lifts[i] = rs_backend_choice(c->backend, params->log_n, m->q).lifts;
#ifdef RS_BACKENDS
        if (!exact->lifts[i]->fused || !exact->lifts[i]->sweep) exact->in_doubles = 0;
#endif
        exact->mu[i] = rs_factor(mu, m->q);
        exact->moduli_inverse[i] = rs_factor(rs_plain_inverse(m->q, t), t);
    }
    c->calls = &CALLS;
    c->scheme = exact;
    *context = c;
    return RS_OK;
}
