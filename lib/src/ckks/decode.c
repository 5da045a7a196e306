// SPDX-License-Identifier: Apache-2.0
// Decode: residues -> exact integers -> doubles -> slots; and, for others to see, with noise before and rounding after.
//
// Composition is by balanced mixed radix: x = d_0 + d_1 q_0 + d_2 q_0 q_1 + …, |d_i| < q_i / 2, which represents exactly the centred
// range. A message far below the modulus has zero digits from some limb on, so only the digits that the scale calls for (with
// HEADROOM_BITS to spare) are computed and the other limbs are compared with them; if one disagrees, all digits are computed. The result
// is exact in any case. The time tells only whether some value exceeded 2^HEADROOM_BITS.
#include <ringside/client.h>
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "encoding/fixed.h"
#include "sampling/gaussian.h"
#include "sampling/samplers.h"

enum { HEADROOM_BITS = 20 };

// floor(log2(scale))
static int64_t exponent_of(double scale) { return (int64_t)(rs_bits_of(scale) >> RS_MANTISSA_BITS) - RS_EXPONENT_BIAS; }

// Limbs whose modulus exceeds scale * 2^(HEADROOM_BITS + 1), at most limb_count.
static uint32_t expected_digits(const rs_context_t *context, uint32_t limb_count, double scale) {
    const int64_t needed = exponent_of(scale) + HEADROOM_BITS + 3;
    uint32_t digits = 1;
    while (digits < limb_count && (int64_t)context->total_bits[digits] < needed) digits++;
    return digits;
}

// Inverse NTTs, then as many digits as it takes, in place of the residues. Gives their number.
static uint32_t compose_digits(const rs_context_t *context, uint64_t *poly, uint32_t limbs, double scale) {
    const rs_encoding_t *encoding = context->backend->encoding;
    const rs_rns_t rns = rs_context_rns(context);
    const size_t n = context->n;
    uint32_t digits = expected_digits(context, limbs, scale);
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_plan_inverse(&context->limbs[limb], poly + limb * n);
        if (limbs == 1) return 1; // coefficients() centres it
        if (limb < digits) {
            encoding->make_digit(&rns, poly, limb);
            continue;
        }
        uint64_t disagrees = encoding->disagrees(&rns, poly, digits, limb);
        RS_DECLASSIFY(&disagrees, sizeof disagrees); // see the head of this file
        if (!disagrees) continue;
        for (uint32_t k = limb + 1; k < limbs; k++) rs_plan_inverse(&context->limbs[k], poly + k * n);
        for (uint32_t k = digits; k < limbs; k++) encoding->make_digit(&rns, poly, k);
        return limbs;
    }
    return digits;
}

// Slots from their points, which are the conjugates of the odd ones.
static inline __attribute__((always_inline)) void pick_slots(const uint16_t *slots, double *values, const double *re,
                                                             const double *im, size_t count, int is_complex) {
    for (size_t i = 0; i < count; i++) {
        if (is_complex) {
            values[2 * i] = re[slots[i]];
            values[2 * i + 1] = i & 1 ? -im[slots[i]] : im[slots[i]];
        } else {
            values[i] = re[slots[i]];
        }
    }
}

uint32_t rs_limbs_needed(const rs_context_t *context, uint32_t limb_count, double scale, double max_abs, uint32_t noise_bits) {
    if (!context || limb_count > context->params.limb_count || noise_bits > 1000 || !(scale > 0) || !(max_abs >= 0)) return 0;
    const double bound = 2 * (scale * max_abs + rs_power_of_two((int)noise_bits));
    if (!(bound < rs_power_of_two(1000))) return 0;
    double modulus = 1;
    for (uint32_t limbs = 1; limbs <= limb_count; limbs++) {
        modulus *= (double)context->limbs[limbs - 1].modulus.q;
        if (bound * 1.0000001 < modulus) return limbs; // the margin covers the rounding of the product
    }
    return 0;
}

// ---- publishing --------------------------------------------------------------------------------------------------------
static int rounds(int32_t bits) { return bits >= RS_PUBLISH_BITS_MIN && bits <= RS_PUBLISH_BITS_MAX; }

static int floods(uint32_t flood_bits) { return flood_bits >= RS_FLOOD_BITS_MIN && flood_bits <= RS_FLOOD_BITS_MAX; }

rs_status_t rs_check_publish(const rs_publish_t *publish, const rs_fixed_t *fixed, const rs_rng_t *rng) {
    if (!publish) return RS_OK;
    if (fixed) return RS_ERR_OPTION;
    if (!rounds(publish->bits) || (rs_floods(publish) && !floods(publish->flood_bits))) return RS_ERR_PUBLISH;
    return rs_floods(publish) && (!rng || !rng->fill) ? RS_ERR_NULL : RS_OK;
}

// A double's magnitude as an integer grows with the double. So the `drop` bits below 2^-bits are rounded like those of an integer: half
// of the last bit that stays is added, a carry goes into the exponent, where it belongs, and they are cleared.
static double round_one(double x, int32_t bits) {
    const uint64_t word = rs_bits_of(x);
    const uint64_t magnitude = word & RS_MAGNITUDE_BITS;
    const int64_t exponent = (int64_t)(magnitude >> RS_MANTISSA_BITS); // the last bit is worth 2^(exponent - 1075)
    const int64_t drop = RS_EXPONENT_BIAS + RS_MANTISSA_BITS - bits - exponent;
    const uint64_t some = rs_opaque(0 - ((uint64_t)-drop >> 63)); // drop > 0
    const uint64_t all = rs_opaque(0 - ((uint64_t)(RS_MANTISSA_BITS - drop) >> 63)); // drop > 52: not even the leading 1 stays
    const uint64_t nothing = rs_opaque(0 - ((uint64_t)(RS_MANTISSA_BITS + 1 - drop) >> 63)); // drop > 53: |x| < 2^-bits / 2
    const unsigned shift = (unsigned)((uint64_t)drop & some & ~all);
    const uint64_t last = (uint64_t)1 << shift;
    uint64_t rounded = (magnitude + last / 2) & (0 - last);
    const uint64_t unit = (uint64_t)(RS_EXPONENT_BIAS - bits) << RS_MANTISSA_BITS; // 2^-bits
    rounded = (rounded & ~all) | (unit & all & ~nothing);
    const uint64_t nonzero = 0 - ((rounded | (0 - rounded)) >> 63);
    return rs_from_bits(rounded | (word & ~RS_MAGNITUDE_BITS & nonzero));
}

rs_status_t rs_publish_round(double *values, size_t count, int32_t bits) {
    if (!values && count) return RS_ERR_NULL;
    if (!rounds(bits)) return RS_ERR_PUBLISH;
    for (size_t i = 0; i < count; i++) values[i] = round_one(values[i], bits);
    return RS_OK;
}

double rs_flood_deviation(uint32_t flood_bits) { return floods(flood_bits) ? (double)((uint64_t)1 << flood_bits) : 0; }

// Noise of less than 14 deviations in N words, then one limb after the other.
static rs_status_t flood(const rs_context_t *context, rs_plaintext_t *plaintext, uint32_t flood_bits, rs_rng_t *rng,
                         uint64_t *work) {
    const size_t n = context->n;
    int64_t *noise = (int64_t *)work;
    uint64_t *residues = work + n;
    rs_seed_t seed;
    RS_TRY(rs_fresh_seed(rng, &seed));
    rs_draw_gaussian(context->backend->samplers->hash, noise, n, &seed, RS_DOMAIN_FLOOD, flood_bits);
    rs_zeroize(&seed, sizeof seed);
    for (uint32_t limb = 0; limb < plaintext->limb_count; limb++) {
        uint64_t *poly = plaintext->ntt + limb * n;
        const rs_modulus_t m = context->limbs[limb].modulus;
        for (size_t i = 0; i < n; i++) residues[i] = rs_reduce_signed(noise[i], &m);
        rs_plan_forward(&context->limbs[limb], residues);
        rs_plan_add(&context->limbs[limb], poly, poly, residues);
    }
    rs_zeroize(work, 2 * n * sizeof *work);
    return RS_OK;
}

// ---- decode ------------------------------------------------------------------------------------------------------------
size_t rs_ckks_decode_workspace(const rs_decode_request_t *request) {
    return request->fixed ? 0 : rs_decode_polys(request->publish) * request->context->n * sizeof(double);
}

static rs_status_t check_request(const rs_decode_request_t *r) {
    const rs_context_t *context = r->context;
    const rs_plaintext_t *plaintext = r->plaintext;
    RS_TRY(rs_check_layout(r->layout, r->fixed));
    RS_TRY(rs_check_publish(r->publish, r->fixed, r->rng));
    if (plaintext->form != RS_FORM_NTT) return RS_ERR_FORM;
    if (!plaintext->ntt) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, plaintext->parms_id, plaintext->limb_count));
    return plaintext->correction_factor | plaintext->reserved[0] | plaintext->reserved[1] ? RS_ERR_STRUCT : RS_OK;
}

// To doubles, exactly.
static rs_status_t decode(const rs_decode_request_t *r) {
    const rs_context_t *context = r->context;
    const rs_plaintext_t *plaintext = r->plaintext;
    const uint32_t n = context->n, slots = n / 2, limbs = plaintext->limb_count;
    const uint32_t is_complex = rs_is_complex(r->layout);
    uint64_t *poly = plaintext->ntt;
    double *re = limbs == 1 ? (double *)(void *)poly : r->workspace.p;
    double *im = re + slots;
    const rs_encoding_t *encoding = context->backend->encoding;
    const rs_rns_t rns = rs_context_rns(context);
    const uint32_t digits = compose_digits(context, poly, limbs, plaintext->scale);
    encoding->coefficients(&rns, re, poly, digits, plaintext->scale);
    encoding->forward(&rs_ckks(context)->fft, re, im);
    const uint16_t *places = rs_ckks(context)->slots;
    if (is_complex) {
        pick_slots(places, r->values, re, im, r->count, 1);
    } else {
        pick_slots(places, r->values, re, im, r->count, 0);
    }
    // a slot is at most the sum of all coefficients
    const int64_t bits = (int64_t)context->total_bits[digits] + context->params.log_n - exponent_of(plaintext->scale);
    const size_t numbers = (is_complex ? 2 : 1) * (size_t)r->count;
    uint64_t exceeded =
        bits < RS_EXPONENT_BIAS ? 0 : (RS_INFINITY_BITS - 1 - encoding->largest_magnitude(r->values, numbers)) >> 63;
    if (limbs > 1) rs_zeroize(re, n * sizeof *re);
    RS_DECLASSIFY(&exceeded, sizeof exceeded);
    if (!exceeded) return RS_OK;
    rs_zeroize(r->values, numbers * sizeof(double));
    rs_zeroize(poly, (size_t)limbs * n * sizeof *poly);
    return RS_ERR_VALUE_RANGE;
}

rs_status_t rs_ckks_decode(const rs_decode_request_t *request) {
    RS_TRY(check_request(request));
    const rs_context_t *context = request->context;
    rs_plaintext_t *plaintext = request->plaintext;
    const rs_publish_t *publish = request->publish;
    if (request->fixed) return request->fixed->decode(request);
    RS_TRY(rs_check_scale(context, plaintext->scale, context->params.limb_count));
    if (request->count > context->n / 2) return RS_ERR_VALUE_COUNT;
    RS_TRY(rs_check_memory(request->workspace, rs_ckks_decode_workspace(request)));
    if (rs_floods(publish)) {
        if (context->total_bits[plaintext->limb_count] < publish->flood_bits + 9) return RS_ERR_OVERFLOW;
        RS_TRY(flood(context, plaintext, publish->flood_bits, request->rng, request->workspace.p));
    }
    RS_TRY(decode(request));
    const size_t numbers = (rs_is_complex(request->layout) ? 2 : 1) * (size_t)request->count;
    return publish ? rs_publish_round(request->values, numbers, publish->bits) : RS_OK;
}
