// SPDX-License-Identifier: Apache-2.0
// Decryption without composing the phase x from its residues: with y_i = [kappa x (q/q_i)^-1] mod q_i, kappa = t in BFV and 1 in BGV,
// Y = sum of y_i q/q_i is kappa x modulo q, v = round(Y / q) comes from the sum of the fractions y_i / q_i, and the remainder rho = Y - v q
// is kappa x centred. Modulo t, - rho / q is v - sum of y_i / q_i, which in BFV is round(t x / q), and in BGV times -q is x centred.
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/registers.h"
#include "exact/context.h"
#include "params/plain.h"

enum { MARGIN_BITS_MAX = 48, BUDGET_WORDS_MAX = RS_LIMBS_MAX * RS_MODULUS_BITS_MAX / 64 + 1 };

// The product of the first moduli but that of a limb, modulo this one.
static uint64_t product_of(const rs_context_t *context, uint32_t limb_count, uint32_t limb) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    uint64_t product = 1;
    for (uint32_t k = 0; k < limb_count; k++) {
        if (k != limb) product = rs_mul_mod(product, rs_reduce(context->params.moduli[k], m), m);
    }
    return product;
}

// Constants of a limb.
static rs_digit_t digit_of(const rs_context_t *context, uint32_t limb_count, uint32_t limb, uint64_t kappa) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const rs_exact_t *exact = rs_exact(context);
    const uint64_t factor = rs_mul_mod(rs_reduce(kappa, m), rs_inverse_mod(product_of(context, limb_count, limb), m), m);
    return (rs_digit_t){.q = *m,
                        .target = exact->plain,
                        .factor = rs_factor(factor, m->q),
                        .inverse = exact->moduli_inverse[limb],
                        .first = limb == 0,
                        .reciprocal = rs_wide_low(rs_wide_divide(rs_wide((uint64_t)1 << (m->bits - 1), 0), m->q))};
}

static uint64_t kappa_of(const rs_context_t *context) { return rs_is_bgv(context) ? 1 : context->params.plain_modulus; }

// The phase of one limb in coefficient form, c_1 s or more; c_0, unless it is in there, is what is returned. other: N words for what is not
// to be changed.
static const uint64_t *phase(const rs_context_t *context, const rs_ciphertext_t *c, uint32_t i, const uint64_t *c1,
                             const uint64_t *s, uint64_t *out, uint64_t *other) {
    const rs_limb_t *limb = &context->limbs[i];
    const size_t n = context->n;
    const uint64_t *polys[RS_POLYS_MAX];
    for (uint32_t j = 0; j < c->poly_count; j++) polys[j] = c->data + ((size_t)j * c->limb_count + i) * n;
    if (c1) polys[1] = c1;
    if (c->form == RS_FORM_NTT) {
        rs_phase_limb(limb, out, polys, c->poly_count, s);
        rs_plan_inverse(limb, out);
        return NULL;
    }
    uint32_t j = c->poly_count - 1;
    memmove(out, polys[j], n * sizeof *out);
    rs_plan_forward(limb, out);
    while (--j > 0) {
        memcpy(other, polys[j], n * sizeof *other);
        rs_plan_forward(limb, other);
        rs_plan_mul_add(limb, out, out, s, other);
    }
    rs_ring_inverse(limb, out, out, s);
    return polys[0];
}

// Calls `take` with each of the first limbs of a phase, x or x + plus, which may be NULL. x, other: N words.
typedef void take_t(void *state, uint32_t limb, const rs_digit_t *digit, const uint64_t *x, const uint64_t *plus);
static rs_status_t each_limb(const rs_context_t *context, const rs_secret_key_t *key, const rs_ciphertext_t *c, uint32_t limbs,
                             uint64_t *x, uint64_t *other, take_t *take, void *state) {
    const size_t n = context->n;
    const uint64_t kappa = kappa_of(context);
    rs_uniform_t uniform;
    if (c->seeded) RS_TRY(rs_uniform_init(&uniform, c->seed_type, &c->seed, context->params.log_n, c->limb_count));
    for (uint32_t i = 0; i < limbs; i++) {
        const rs_digit_t digit = digit_of(context, limbs, i, kappa);
        if (c->seeded) RS_TRY(rs_uniform_next(&uniform, digit.q.q, other));
        take(state, i, &digit, x, phase(context, c, i, c->seeded ? other : NULL, key->ntt + i * n, x, other));
    }
    rs_wipe_registers();
    return RS_OK;
}

static void add_digits(void *state, uint32_t limb, const rs_digit_t *digit, const uint64_t *x, const uint64_t *plus) {
    const rs_exact_sums_t *sums = state;
    (void)limb;
    rs_exact(sums->context)->integers->digits(digit, sums->context->n, x, plus, sums->fractions, sums->inverses);
}

void rs_exact_add_phase(const rs_exact_sums_t *sums, uint32_t limbs, uint32_t limb, const uint64_t *x) {
    const rs_digit_t digit = digit_of(sums->context, limbs, limb, kappa_of(sums->context));
    add_digits((void *)(uintptr_t)sums, limb, &digit, x, NULL);
}

// ---- switched decryption -----------------------------------------------------------------------------------------------
// c / q of a polynomial c is, but for an integer, the sum of c_i alpha_i / q_i, alpha_i = (q/q_i)^-1 mod q_i. So fractions of 1 are all that has to
// be summed up, as numbers of turn_bits bits that wrap around, for what the first modulus makes of them: c' = round(c q_0 / q) mod q_0.
typedef struct turns {
    uint64_t high[RS_LIMBS_MAX]; // alpha_i / q_i: its first bits
    uint64_t low[RS_LIMBS_MAX]; // the next ones
} turns_t;

static void find_turns(const rs_context_t *context, uint32_t limb_count, turns_t *turns) {
    for (uint32_t i = 0; i < limb_count; i++) {
        const rs_modulus_t *m = &context->limbs[i].modulus;
        const rs_factor_t alpha = rs_factor(rs_inverse_mod(product_of(context, limb_count, i), m), m->q);
        const uint64_t next = rs_factor(0 - alpha.quotient * m->q, m->q).quotient; // the remainder's
        const int whole = rs_exact(context)->turn_bits == 64;
        turns->high[i] = whole ? alpha.quotient : alpha.quotient >> 12;
        turns->low[i] = whole ? next : alpha.quotient << 52 | next >> 24 << 12;
    }
}

static void switch_poly(const rs_context_t *context, const turns_t *turns, uint32_t limb_count, const uint64_t *poly,
                        uint64_t *out) {
    enum { BLOCK = 1024 }; // stays in the first-level cache for all limbs
    const rs_exact_t *exact = rs_exact(context);
    const size_t n = context->n, block = n < BLOCK ? n : BLOCK;
    memset(out, 0, n * sizeof *out);
    for (size_t at = 0; at < n; at += block) {
        for (uint32_t i = 0; i < limb_count; i++) {
            exact->integers->turn(block, exact->turn_bits, out + at, poly + i * n + at, turns->high[i], turns->low[i]);
        }
    }
    exact->integers->settle(&context->limbs[0].modulus, n, exact->turn_bits, out);
}

// The sums of a ciphertext of two polynomials that is switched to its first modulus. x, other: N words
static void add_switched(const rs_secret_key_t *key, const rs_ciphertext_t *c, uint64_t *x, uint64_t *other,
                         rs_exact_sums_t *sums) {
    const rs_context_t *context = sums->context;
    const rs_limb_t *limb = &context->limbs[0];
    const rs_digit_t digit = digit_of(context, 1, 0, context->params.plain_modulus);
    turns_t turns;
    find_turns(context, c->limb_count, &turns);
    switch_poly(context, &turns, c->limb_count, c->data, other);
    switch_poly(context, &turns, c->limb_count, c->data + (size_t)c->limb_count * context->n, x);
    rs_plan_forward(limb, x);
    rs_ring_inverse(limb, x, x, key->ntt);
    add_digits(sums, 0, &digit, x, other);
    rs_wipe_registers();
}

// The message, in place of the sums of inverses. RS_ERR_NOISE: see margin_bits.
static rs_status_t round_sums(const rs_exact_sums_t *sums, uint64_t lambda, uint32_t margin_bits) {
    const rs_exact_t *exact = rs_exact(sums->context);
    const uint64_t margin = margin_bits ? RS_FRACTION_HALF >> (margin_bits - 1) : 0;
    uint64_t near = exact->integers->collect(&exact->plain, sums->context->n, sums->fractions, sums->inverses,
                                             rs_factor(lambda, exact->plain.q), margin);
    near >>= 63;
    RS_DECLASSIFY(&near, sizeof near); // it becomes the status
    return near && margin_bits ? RS_ERR_NOISE : RS_OK;
}

// ---- requests ----------------------------------------------------------------------------------------------------------
rs_status_t rs_exact_check_decrypt(const rs_decrypt_request_t *r) {
    if (r->fixed || r->publish) return RS_ERR_SCHEME;
    return r->margin_bits == 1 || r->margin_bits > MARGIN_BITS_MAX ? RS_ERR_OPTION : RS_OK;
}

// The phase and c_1, and both sums.
size_t rs_exact_decrypt_workspace(const rs_decrypt_request_t *r) { return 4 * (size_t)r->context->n * sizeof(uint64_t); }

int rs_exact_switches(const rs_context_t *context, const rs_ciphertext_t *c, uint32_t margin_bits) {
    if (rs_is_bgv(context) || margin_bits || c->seeded || c->poly_count != 2 || c->form != RS_FORM_COEF) return 0;
    return rs_exact(context)->turn_bits && c->limb_count > 1;
}

// What the message is multiplied by: 1 in BFV, -q over the correction factor in BGV.
static rs_status_t find_lambda(const rs_context_t *context, const rs_ciphertext_t *c, uint32_t limbs, uint64_t *lambda) {
    const rs_modulus_t *t = &rs_exact(context)->plain;
    *lambda = 1;
    if (!rs_is_bgv(context)) return RS_OK;
    const uint64_t inverse = rs_plain_inverse(c->correction_factor, t->q);
    if (!inverse) return RS_ERR_CORRECTION;
    *lambda = rs_neg_mod(rs_mul_mod(rs_exact_product(context, limbs), inverse, t), t->q);
    return RS_OK;
}

rs_status_t rs_exact_check_item(const rs_context_t *context, const rs_decrypt_item_t *item, uint32_t *limbs) {
    const rs_ciphertext_t *c = item->ciphertext;
    uint64_t lambda = 0;
    *limbs = item->limb_count ? item->limb_count : c->limb_count;
    if (item->plaintext ? !item->plaintext->message : !item->values) return RS_ERR_NULL;
    if (*limbs > c->limb_count || (*limbs < c->limb_count && !rs_is_bgv(context))) return RS_ERR_LEVEL;
    RS_TRY(rs_exact_check_level(context, *limbs));
    RS_TRY(find_lambda(context, c, *limbs, &lambda));
    return item->values ? rs_exact_check_layout(context, item->layout, item->count) : RS_OK;
}

void rs_exact_put(const rs_context_t *context, const rs_decrypt_item_t *item, uint32_t limbs, uint64_t *message, int in_ntt) {
    if (item->plaintext) {
        memcpy(item->plaintext->message, message, context->n * sizeof *message);
        rs_exact_describe(context, item->plaintext, limbs);
    }
    if (!item->values) return;
    if (in_ntt) {
        rs_exact_gather(context, item->values, item->count, item->layout, message);
    } else {
        rs_exact_unpack(context, item->values, item->count, item->layout, message);
    }
}

rs_status_t rs_exact_answer(const rs_exact_sums_t *sums, const rs_decrypt_item_t *item, uint32_t limbs, uint32_t margin_bits) {
    const rs_context_t *context = sums->context;
    uint64_t lambda = 0;
    RS_TRY(find_lambda(context, item->ciphertext, limbs, &lambda));
    RS_TRY(round_sums(sums, lambda, margin_bits));
    rs_exact_put(context, item, limbs, sums->inverses, 0);
    return RS_OK;
}

rs_status_t rs_exact_decrypt(const rs_decrypt_request_t *r, const rs_decrypt_item_t *item, rs_rng_t *rng, void *workspace) {
    const rs_context_t *context = r->context;
    const rs_ciphertext_t *c = item->ciphertext;
    const size_t n = context->n;
    uint64_t *x = workspace, *other = x + n;
    rs_exact_sums_t sums = {context, other + n, other + 2 * n};
    uint32_t limbs = 0;
    (void)rng;
    RS_TRY(rs_exact_check_item(context, item, &limbs));
    if (item->plaintext) memset(item->plaintext->parms_id, 0, sizeof item->plaintext->parms_id);
    if (rs_exact_switches(context, c, r->margin_bits)) {
        add_switched(r->secret_key, c, x, other, &sums);
    } else {
        RS_TRY(each_limb(context, r->secret_key, c, limbs, x, other, add_digits, &sums));
    }
    return rs_exact_answer(&sums, item, limbs, r->margin_bits);
}

// ---- noise budget --------------------------------------------------------------------------------------------------------
// What is kept of a ciphertext: all y_i, and the fractions' sums.
typedef struct digits {
    const rs_context_t *context;
    uint32_t limb_count;
    uint64_t *y; // limb after limb
    uint64_t *fractions;
} digits_t;

static void keep_digits(void *state, uint32_t limb, const rs_digit_t *digit, const uint64_t *x, const uint64_t *plus) {
    const digits_t *digits = state;
    const size_t n = digits->context->n;
    uint64_t *y = digits->y + limb * n;
    for (size_t k = 0; k < n; k++) {
        y[k] = rs_mul_factor(x[k] + (plus ? plus[k] : 0), digit->factor, digit->q.q);
        digits->fractions[k] += rs_fraction(y[k], digit);
    }
}

// The words of the product of the first moduli but that of limb `but`.
static void product(const rs_context_t *context, uint32_t limb_count, uint32_t but, uint64_t *out, size_t words) {
    memset(out, 0, words * sizeof *out);
    out[0] = 1;
    for (uint32_t i = 0; i < limb_count; i++) {
        uint64_t carry = 0;
        for (size_t w = 0; w < words && i != but; w++) {
            const rs_wide_t x = rs_wide_add(rs_wide_mul(out[w], context->params.moduli[i]), rs_wide(0, carry));
            out[w] = rs_wide_low(x);
            carry = rs_wide_high(x);
        }
    }
}

// sum += factor number, modulo 2^(64 words).
static void add_product(uint64_t *sum, const uint64_t *number, uint64_t factor, size_t words) {
    uint64_t carry = 0;
    for (size_t w = 0; w < words; w++) {
        const rs_wide_t x = rs_wide_add(rs_wide_add(rs_wide_mul(number[w], factor), rs_wide(0, carry)), rs_wide(0, sum[w]));
        sum[w] = rs_wide_low(x);
        carry = rs_wide_high(x);
    }
}

static size_t words_of(const rs_context_t *context, uint32_t limb_count) { return context->total_bits[limb_count] / 64 + 1; }

// The bits of the largest remainder rho. numbers: q/q_i one after the other, then q.
static uint32_t largest_bits(const digits_t *digits, const uint64_t *numbers, size_t words) {
    uint64_t any[BUDGET_WORDS_MAX] = {0}, rho[BUDGET_WORDS_MAX];
    const uint32_t limbs = digits->limb_count;
    const size_t n = digits->context->n;
    for (size_t k = 0; k < n; k++) {
        memset(rho, 0, words * sizeof *rho);
        add_product(rho, numbers + limbs * words, (digits->fractions[k] + RS_FRACTION_HALF) >> RS_FRACTION_BITS, words);
        uint64_t carry = 1;
        for (size_t w = 0; w < words; w++) { // - v q
            const rs_wide_t x = rs_wide_add(rs_wide(0, ~rho[w]), rs_wide(0, carry));
            rho[w] = rs_wide_low(x);
            carry = rs_wide_high(x);
        }
        for (uint32_t i = 0; i < limbs; i++) add_product(rho, numbers + i * words, digits->y[i * n + k], words);
        const uint64_t negative = 0 - (rho[words - 1] >> 63); // its ones' complement has as many bits, or one less
        carry = negative & 1;
        for (size_t w = 0; w < words; w++) {
            const rs_wide_t x = rs_wide_add(rs_wide(0, rho[w] ^ negative), rs_wide(0, carry));
            any[w] |= rs_wide_low(x);
            carry = rs_wide_high(x);
        }
    }
    uint32_t bits = 0;
    RS_DECLASSIFY(any, sizeof any); // their number of bits is what the owner asked for
    for (size_t w = 0; w < words; w++)
        if (any[w]) bits = (uint32_t)(64 * w) + 64 - (uint32_t)__builtin_clzll(any[w]);
    rs_zeroize(any, sizeof any);
    rs_zeroize(rho, sizeof rho);
    return bits;
}

size_t rs_noise_budget_workspace(const rs_context_t *context, uint32_t limb_count) {
    if (!context || limb_count < 1 || limb_count > context->params.limb_count) return 0;
    return ((limb_count + 3) * (size_t)context->n + (limb_count + 1) * words_of(context, limb_count)) * sizeof(uint64_t);
}

rs_status_t rs_noise_budget(const rs_context_t *context, const rs_secret_key_t *secret_key, const rs_ciphertext_t *ciphertext,
                            const char *consent, uint32_t *bits, rs_memory_t workspace) {
    if (!context || !ciphertext || !ciphertext->data || !bits) return RS_ERR_NULL;
    if (context->params.scheme == RS_SCHEME_CKKS) return RS_ERR_SCHEME;
    if (!consent || !rs_same_text(consent, "owner")) return RS_ERR_CONSENT;
    RS_TRY(rs_check_secret(context, secret_key));
    RS_TRY(rs_check_ciphertext(context, ciphertext));
    if (ciphertext->poly_count < 2 || ciphertext->poly_count > RS_POLYS_MAX) return RS_ERR_POLY_COUNT;
    const uint32_t limbs = ciphertext->limb_count;
    const size_t n = context->n, bytes = rs_noise_budget_workspace(context, limbs), words = words_of(context, limbs);
    RS_TRY(rs_exact_check_level(context, limbs));
    RS_TRY(rs_check_memory(workspace, bytes));
    uint64_t *x = workspace.p, *other = x + n;
    const digits_t digits = {context, limbs, other + 2 * n, other + n};
    uint64_t *numbers = digits.y + limbs * n;
    memset(digits.fractions, 0, n * sizeof *digits.fractions);
    for (uint32_t i = 0; i <= limbs; i++) product(context, limbs, i, numbers + i * words, words);
    const rs_status_t status = each_limb(context, secret_key, ciphertext, limbs, x, other, keep_digits, (void *)(uintptr_t)&digits);
    if (status == RS_OK) {
        const uint32_t used = largest_bits(&digits, numbers, words) + 1;
        *bits = used < context->total_bits[limbs] ? context->total_bits[limbs] - used : 0;
    }
    rs_zeroize(workspace.p, bytes);
    return status;
}
