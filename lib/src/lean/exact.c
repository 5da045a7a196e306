// SPDX-License-Identifier: Apache-2.0
// BFV and BGV: integers into slots or coefficients modulo t, w, and back; the maps are those of exact/context.h. m holds them, and then w with its error: BGV's residues are
// those of m, BFV's are mu m.
#include "arith/modarith.h"
#include "base/declassify.h"
#include "lean/lean.h"
#include "params/plain.h"

typedef struct plain {
    uint32_t t;
    uint64_t ratio; // floor((2^64 - 1) / t)
} plain_t;

static plain_t plain_of(const rs_lean_t *lean) { return (plain_t){rs_lean_t_of(lean), UINT64_MAX / rs_lean_t_of(lean)}; }

// x mod t: the estimate of the quotient is at most 1 too small.
static inline uint32_t mod_t(uint64_t x, plain_t plain) {
    return rs_lean_csub((uint32_t)(x - rs_mulhi(x, plain.ratio) * plain.t), plain.t);
}

// x - t if x is not below h = floor((t + 1) / 2).
static inline int32_t centred(uint32_t x, uint32_t t) { return (int32_t)(x - (t & (((x - (t + 1) / 2) >> 31) - 1))); }

uint32_t rs_lean_mu(const rs_lean_t *lean, const rs_lean_mod_t *m) {
    return rs_lean_is_bfv(lean) ? rs_lean_mul_full(rs_lean_inverse(rs_lean_t_of(lean), m), m->square, m) : m->one;
}

// ---- values ------------------------------------------------------------------------------------------------------------
static int64_t load(const void *values, uint32_t format, uint32_t i) {
    switch (format) {
    case RS_FIXED_INT8: return ((const int8_t *)values)[i];
    case RS_FIXED_UINT8: return ((const uint8_t *)values)[i];
    case RS_FIXED_INT16: return ((const int16_t *)values)[i];
    case RS_FIXED_UINT16: return ((const uint16_t *)values)[i];
    case RS_FIXED_INT32: return ((const int32_t *)values)[i];
    default: return ((const int64_t *)values)[i];
    }
}

// Whether the format did not hold it.
static uint32_t store(void *values, uint32_t format, uint32_t i, int32_t value) {
    switch (format) {
    case RS_FIXED_INT8: ((int8_t *)values)[i] = (int8_t)value; break;
    case RS_FIXED_UINT8: ((uint8_t *)values)[i] = (uint8_t)value; break;
    case RS_FIXED_INT16: ((int16_t *)values)[i] = (int16_t)value; break;
    case RS_FIXED_UINT16: ((uint16_t *)values)[i] = (uint16_t)value; break;
    case RS_FIXED_INT32: ((int32_t *)values)[i] = value; break;
    default: ((int64_t *)values)[i] = value;
    }
    return (uint32_t)(load(values, format, i) ^ value);
}

static rs_status_t check_layout(const rs_lean_t *lean, const rs_fixed_layout_t *layout, uint32_t first) {
    if (layout->format >= RS_FIXED_BINARY64 || layout->is_complex || layout->exponent || layout->bound) return RS_ERR_LAYOUT;
    const uint32_t n = rs_lean_n(lean);
    return first <= n && layout->count <= n - first ? RS_OK : RS_ERR_VALUE_COUNT;
}

// Slots one after the other, from any on; their places are public.
typedef struct walk {
    uint32_t i, power;
} walk_t;

static walk_t walk_from(const rs_lean_t *lean, uint32_t first) {
    const uint32_t n = rs_lean_n(lean);
    uint32_t power = 1, base = 3;
    for (uint32_t e = first & (n / 2 - 1); e; e >>= 1, base *= base)
        if (e & 1) power *= base;
    return (walk_t){first, power & (2 * n - 1)};
}

static uint32_t next_place(const rs_lean_t *lean, walk_t *walk, int slots) {
    const uint32_t n = rs_lean_n(lean), i = walk->i++;
    if (!slots) return i;
    const uint32_t place = rs_bit_reverse(walk->power >> 1, lean->log_n);
    walk->power = (walk->power * 3) & (2 * n - 1); // 3 has order N/2: the second row begins at 1 again
    return i < n / 2 ? place : n - 1 - place;
}

rs_status_t rs_lean_put(rs_lean_t *lean, const void *values, const rs_fixed_layout_t *layout, uint32_t first, uint32_t packing) {
    if (!lean || !layout || (!values && layout->count)) return RS_ERR_NULL;
    if (lean->keys_only) return RS_ERR_TOO_SMALL;
    if (!rs_lean_t_of(lean)) return RS_ERR_SCHEME;
    if (packing > 1) return RS_ERR_OPTION;
    if (!packing && !lean->plain_root) return RS_ERR_BATCHING;
    RS_TRY(check_layout(lean, layout, first));
    const rs_lean_stage_t stage = packing ? RS_LEAN_COEFFICIENTS : RS_LEAN_SLOTS;
    if (lean->stage >= RS_LEAN_SLOTS && lean->stage != stage) return RS_ERR_SEQUENCE;
    if (lean->stage != stage) rs_lean_clear(lean);
    const uint32_t t = rs_lean_t_of(lean);
    walk_t walk = walk_from(lean, first);
    uint64_t beyond = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
        const uint64_t value = (uint64_t)load(values, layout->format, i), moved = value + t / 2;
        beyond |= ((uint64_t)t - 1 - moved) | moved;
        lean->m[next_place(lean, &walk, !packing)] = (int32_t)((uint32_t)value + (t & (0 - ((uint32_t)value >> 31))));
    }
    beyond >>= 63;
    RS_DECLASSIFY(&beyond, sizeof beyond); // it becomes the status
    if (beyond) {
        rs_lean_clear(lean);
        return RS_ERR_VALUE_RANGE;
    }
    lean->stage = stage;
    lean->limb_count = rs_params_data_limbs(lean->params);
    lean->scale = 1.0;
    return RS_OK;
}

void rs_lean_spread(rs_lean_t *lean) {
    const plain_t plain = plain_of(lean);
    const uint32_t t = plain.t, half = (t + 1) / 2;
    uint32_t *m = (uint32_t *)lean->m;
    if (lean->stage == RS_LEAN_SLOTS) {
        const rs_lean_mod_t ring = rs_lean_load(lean, t, lean->plain_root);
        rs_lean_backward(lean, m, ring.one, &ring);
    }
    uint32_t q = 1; // mod t
    for (uint32_t i = 0; i < lean->limb_count; i++) q = mod_t((uint64_t)q * mod_t(lean->params->moduli[i], plain), plain);
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        lean->m[i] = rs_lean_is_bfv(lean) ? (int32_t)(half - mod_t((uint64_t)m[i] * q + half, plain)) : centred(m[i], t);
    }
}

// ---- back --------------------------------------------------------------------------------------------------------------
rs_status_t rs_lean_round(rs_lean_t *lean, uint64_t correction) {
    const plain_t plain = plain_of(lean);
    const uint32_t t = plain.t, q = (uint32_t)lean->params->moduli[0];
    const uint64_t ratio = UINT64_MAX / q, factor = rs_plain_inverse(correction, t);
    if (!factor) return RS_ERR_CORRECTION;
    for (uint32_t i = 0; i < rs_lean_n(lean); i++) {
        const int32_t x = lean->m[i];
        const uint32_t negative = 0 - ((uint32_t)x >> 31);
        if (rs_lean_is_bfv(lean)) { // floor(t x / q + 1/2), from 0 to t; q is odd, so there is no half
            const uint64_t number = (uint64_t)t * ((uint32_t)x + (q & negative)) + q / 2;
            const uint64_t quotient = rs_mulhi(number, ratio), rest = number - quotient * q;
            const uint32_t more = 1 - (uint32_t)((rest - q) >> 63);
            lean->m[i] = (int32_t)rs_lean_csub((uint32_t)quotient + more, t);
        } else {
            const uint32_t magnitude = mod_t(((uint32_t)x ^ negative) - negative, plain);
            lean->m[i] = (int32_t)mod_t(rs_lean_csub((magnitude ^ negative) - negative + t, t) * factor, plain);
        }
    }
    return RS_OK;
}

rs_status_t rs_lean_get(rs_lean_t *lean, void *values, const rs_fixed_layout_t *layout) {
    RS_TRY(check_layout(lean, layout, 0));
    const uint32_t t = rs_lean_t_of(lean);
    uint32_t *m = (uint32_t *)lean->m, cut = 0;
    const int slots = lean->plain_root != 0;
    if (slots) {
        const rs_lean_mod_t ring = rs_lean_load(lean, t, lean->plain_root);
        rs_lean_forward(lean, m, 0, &ring);
        for (uint32_t i = 0; i < rs_lean_n(lean); i++) m[i] = rs_lean_full(m[i], t);
    }
    walk_t walk = walk_from(lean, 0);
    for (uint32_t i = 0; i < layout->count; i++)
        cut |= store(values, layout->format, i, centred(m[next_place(lean, &walk, slots)], t));
    rs_lean_clear(lean);
    RS_DECLASSIFY(&cut, sizeof cut); // it becomes the status
    if (!cut) return RS_OK;
    rs_zeroize(values, layout->count * rs_fixed_format_bytes(layout->format));
    return RS_ERR_VALUE_RANGE;
}
