// SPDX-License-Identifier: Apache-2.0
// What the core needs to round phases of BFV and BGV (docs/core.md, Integers; after Bajard, Eynard, Hasan, Zucca 2016). With kappa = t in BFV, 1 in BGV, and
// y_i = gamma kappa x (q/q_i)^-1 mod q_i, the sum Y of y_i q/q_i is gamma kappa x modulo q. So s = (Y - gamma kappa x) / q, x centred, is an integer, Y / q
// modulo gamma. If no coefficient of kappa x is within L / gamma of half of q, its magnitude is below gamma / 2, so that the residue of s + h, h = (gamma - 1) / 2,
// is that number itself. Then
//   BFV: gamma t x / q = Y / q - s; modulo t the message is (s - Y / q) / gamma, Y / q being there the sum of y_i / q_i
//   BGV: x = (Y - q s) / gamma modulo t, and the message that over the correction factor
// In the same way messages get their signs. With g = floor(t / 2), or h of the message map in BFV, a = m + g, or q m + h, is below t, and w is a - g,
// or h - a: a word times a constant, beside a polynomial of constants.
#include "machine/image.h"
#include "params/plain.h"
#include "schemes/on_core/on_core.h"

rs_behind_t rs_on_core_behind(const rs_design_t *design, uint32_t log_n, uint32_t limb_count) {
    const size_t header = RS_CONTEXT_HEADER_BYTES, poly = rs_design_poly_bytes(design, log_n);
    rs_behind_t b = {.times = limb_count * rs_design_context_bytes(design, log_n)};
    b.digits = b.times + limb_count * header;
    b.switches = b.digits + 2 * limb_count * header;
    b.plain = b.switches + 4 * limb_count * header;
    b.halves[0] = b.plain + rs_design_context_bytes(design, log_n);
    b.halves[1] = b.halves[0] + poly;
    b.factors = b.halves[1] + poly;
    b.offsets = b.factors + limb_count * header;
    b.end = b.offsets + limb_count * poly;
    return b;
}

int rs_on_core_has_plain(const rs_design_t *design, const rs_params_t *params) {
    if (params->scheme == RS_SCHEME_CKKS || design->groups < RS_BATCHED_GROUPS || !rs_plain_has_slots(params)) return 0;
    return rs_design_fits_ring(design, params->log_n, params->plain_modulus) == RS_OK;
}

// The largest number that lanes take as a modulus and that has no factor of the others; 0 unless it is above all moduli: words of any are loaded under it.
static uint64_t find_gamma(const rs_design_t *design, const rs_context_t *context) {
    const uint32_t bits = design->word_bits < RS_MODULUS_BITS_MAX ? design->word_bits : RS_MODULUS_BITS_MAX;
    const uint64_t step = 1 << RS_WLM_WORD_BITS;
    for (uint64_t gamma = ((uint64_t)1 << bits) - step + 1;; gamma -= step) {
        int fits = rs_reduce(gamma, &rs_exact(context)->plain) && rs_reduce(gamma / 2, &context->limbs[0].modulus);
        for (uint32_t i = 0; i < context->params.limb_count; i++) {
            if (gamma <= context->params.moduli[i]) return 0;
            fits = fits && rs_reduce(gamma, &context->limbs[i].modulus);
        }
        if (fits) return gamma;
    }
}

// N residues.
static void put_constant(const rs_device_t *d, size_t offset, uint64_t word) {
    uint8_t *image = d->bus.memory + offset;
    const size_t bytes = rs_design_residue_bytes(&d->design);
    for (size_t i = 0; i < rs_on_core(d)->context->n; i++) rs_image_put(image + i * bytes, &word, 1, bytes == 8);
    rs_machine_sync_for_device(d, image, rs_on_core_poly_bytes(d));
}

static rs_behind_t behind_of(const rs_device_t *d) {
    return rs_on_core_behind(&d->design, rs_on_core(d)->context->params.log_n, (uint32_t)rs_on_core_key_limbs(d));
}

void rs_on_core_load_rounding(rs_device_t *d) {
    rs_on_core_t *s = rs_on_core_of(d);
    const rs_behind_t behind = behind_of(d);
    const rs_params_t *params = &s->context->params;
    if (!rs_on_core_has_plain(&d->design, params) || behind.end > d->bus.memory_bytes) return;
    s->has_plain = 1;
    // a switch has t among its constants modulo the first modulus
    if (d->design.groups >= RS_ROUNDED_GROUPS && params->plain_modulus < params->moduli[0])
        s->gamma = find_gamma(&d->design, s->context);
    rs_image_context(&d->design, &rs_exact(s->context)->ring, 1, 1, d->bus.memory + behind.plain);
    rs_machine_sync_for_device(d, d->bus.memory + behind.plain, behind.halves[0] - behind.plain);
    put_constant(d, behind.halves[1], s->gamma / 2);
    d->used = behind.end;
}

// The product of the first moduli but `but`, modulo m.
static uint64_t product(const rs_context_t *context, uint32_t limbs, uint32_t but, const rs_modulus_t *m) {
    uint64_t found = 1;
    for (uint32_t i = 0; i < limbs; i++) {
        if (i != but) found = rs_mul_mod(found, rs_reduce(context->params.moduli[i], m), m);
    }
    return found;
}

uint64_t rs_on_core_digit_factor(const rs_device_t *d, const rs_constants_t *of, uint32_t limb) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const uint64_t kappa = rs_is_bgv(context) ? 1 : rs_reduce(context->params.plain_modulus, m);
    const uint64_t inverse = rs_inverse_mod(product(context, of->drop, limb, m), m);
    return rs_mul_mod(rs_mul_mod(rs_reduce(rs_on_core(d)->gamma, m), kappa, m), inverse, m);
}

static void put_header(const rs_device_t *d, size_t offset, const rs_limb_t *limb, uint64_t constant) {
    rs_image_header(&d->design, limb, constant, 1, d->bus.memory + offset);
    rs_machine_sync_for_device(d, d->bus.memory + offset, RS_CONTEXT_HEADER_BYTES);
}

// Switched, with Q the product of the other limbs, c_j is c_j,0 / Q - (sum of y_k / q_k - s) / gamma modulo q_0, of digits y_k and s of c_j modulo Q. What
// is left of the phase x is y = gamma t (f - x), f = floor(q_0 / 2t), so that N = - y / q_0 modulo gamma needs no sign: the message is (y / q_0 + N) / gamma
// modulo t. Of c_0, which nothing multiplies, digits are not times gamma, but their shares are, and s is left out: it is below the number of limbs then.
static void put_switches(const rs_device_t *d, uint32_t limbs) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_limb_t *first = &context->limbs[0];
    const rs_modulus_t *m = &first->modulus;
    const rs_behind_t behind = behind_of(d);
    const uint64_t t = rs_exact(context)->plain.q, gamma = rs_on_core(d)->gamma, both = rs_mul_mod(rs_reduce(gamma, m), t, m);
    const uint64_t start = rs_mul_mod(both, rs_wide_low(rs_wide_divide(rs_wide(0, m->q), 2 * t)), m),
                   half = rs_reduce(gamma / 2, m);
    put_header(d, 0, first, rs_mul_mod(both, rs_inverse_mod(product(context, limbs, 0, m), m), m));
    put_header(d, rs_switch_at(&behind, 0, 0, 1), first, rs_mul_mod(start, rs_inverse_mod(half, m), m));
    put_header(d, rs_switch_at(&behind, 0, 1, 1), first, t);
    for (uint32_t limb = 1; limb < limbs; limb++) {
        const rs_limb_t *l = &context->limbs[limb];
        const rs_modulus_t *k = &l->modulus;
        const uint64_t digit = rs_mul_mod(rs_reduce(m->q, k), rs_inverse_mod(product(context, limbs, limb, k), k), k);
        const uint64_t inverse = rs_neg_mod(rs_inverse_mod(rs_reduce(k->q, m), m), m->q);
        for (uint32_t j = 0; j < 2; j++) {
            put_header(d, rs_switch_at(&behind, limb, j, 0), l, j ? rs_mul_mod(rs_reduce(gamma, k), digit, k) : digit);
            put_header(d, rs_switch_at(&behind, limb, j, 1), first, rs_mul_mod(j ? t : both, inverse, m));
        }
    }
}

void rs_on_core_put_rounding(const rs_device_t *d, const rs_constants_t *of) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_limb_t *plain = &rs_exact(context)->ring;
    const rs_modulus_t *t = &plain->modulus;
    const rs_behind_t behind = behind_of(d);
    const uint64_t gamma = rs_on_core(d)->gamma;
    const uint64_t whole = product(context, of->drop, of->drop, t); // q modulo t
    rs_limb_t other = {.log_n = context->params.log_n};
    rs_modulus_init(&other.modulus, gamma);
    // what s is multiplied by and taken off; the sum begins with that of h
    uint64_t scale = rs_plain_inverse(rs_reduce(gamma, t), t->q);
    if (rs_is_bgv(context)) {
        scale = rs_mul_mod(rs_mul_mod(scale, whole, t), rs_plain_inverse(of->correction_factor, t->q), t);
    } else {
        scale = rs_neg_mod(scale, t->q);
    }
    for (uint32_t limb = 0; limb < of->drop || limb < of->switched; limb++) {
        const uint64_t q = context->params.moduli[limb];
        const size_t at = behind.digits + 2 * limb * (size_t)RS_CONTEXT_HEADER_BYTES;
        const uint64_t share = rs_mul_mod(scale, rs_plain_inverse(rs_reduce(q, t), t->q), t);
        put_header(d, at, plain, rs_neg_mod(share, t->q));
        put_header(d, at + RS_CONTEXT_HEADER_BYTES, &other,
                   rs_neg_mod(rs_plain_inverse(rs_reduce(q, &other.modulus), gamma), gamma));
    }
    put_header(d, behind.plain, plain, scale);
    put_constant(d, behind.halves[0], rs_mul_mod(scale, rs_reduce(gamma / 2, t), t));
    if (of->switched) put_switches(d, of->switched);
}

void rs_on_core_put_times(const rs_device_t *d, int negative) {
    const rs_context_t *context = rs_on_core(d)->context;
    for (uint32_t limb = 0; limb < rs_on_core_key_limbs(d); limb++) {
        const size_t at = behind_of(d).times + limb * (size_t)RS_CONTEXT_HEADER_BYTES;
        put_header(d, at, &context->limbs[limb], rs_on_core_times(context, limb, negative));
    }
}

uint64_t rs_on_core_message_factor(const rs_context_t *context, const rs_constants_t *of, uint32_t limb) {
    const int opposite = !of->coefficients && of->negative; // beside an error that has the other sign
    return rs_on_core_plain_inverse(context, limb, rs_is_bgv(context) != opposite);
}

void rs_on_core_put_batching(const rs_device_t *d, const rs_constants_t *of) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_limb_t *plain = &rs_exact(context)->ring;
    const int bgv = rs_is_bgv(context);
    const rs_behind_t behind = behind_of(d);
    const uint64_t t = plain->modulus.q, added = bgv ? t / 2 : rs_exact(context)->half;
    put_header(d, behind.plain, plain, rs_neg_mod(bgv ? 1 : rs_exact_product(context, of->batched), t));
    put_constant(d, behind.halves[0], added);
    for (uint32_t limb = 0; limb < of->batched; limb++) {
        const rs_limb_t *l = &context->limbs[limb];
        const size_t at = limb * (size_t)RS_CONTEXT_HEADER_BYTES;
        const uint64_t factor = rs_on_core_message_factor(context, of, limb);
        const uint64_t offset = rs_mul_mod(factor, rs_reduce(added, &l->modulus), &l->modulus);
        put_header(d, behind.factors + at, l, of->coefficients ? factor : rs_neg_mod(factor, l->modulus.q)); // taken off, or scaled
        // it comes beside an error, which a secret key's product in coefficient form loses
        put_constant(d, behind.offsets + limb * rs_on_core_poly_bytes(d),
                     of->coefficients && of->negative ? rs_neg_mod(offset, l->modulus.q) : offset);
    }
}
