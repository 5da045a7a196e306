// SPDX-License-Identifier: Apache-2.0
// Decoding for others to see: noise flooding, and rounding of doubles by their bits.
#include <ringside/kernels.h>
#include <ringside/publish.h>

#include "base/bytes.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "sampling/gaussian.h"
#include "sampling/samplers.h"

static int rounds(int32_t bits) {
    return bits >= RS_PUBLISH_BITS_MIN && bits <= RS_PUBLISH_BITS_MAX;
}

static int floods(uint32_t flood_bits) {
    return flood_bits >= RS_FLOOD_BITS_MIN && flood_bits <= RS_FLOOD_BITS_MAX;
}

static rs_status_t check(const rs_publish_t *publish) {
    return rounds(publish->bits) && (!publish->flood_bits || floods(publish->flood_bits)) ? RS_OK : RS_ERR_PUBLISH;
}

// ---- rounding ----------------------------------------------------------------------------------------------------------
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

// ---- flooding ----------------------------------------------------------------------------------------------------------
double rs_flood_deviation(uint32_t flood_bits) {
    if (!floods(flood_bits)) return 0;
    // Newton's square root: from above, it falls until it is exact to the last bits
    const double variance = rs_gaussian(flood_bits).variance;
    double x = 2 * (double)((uint64_t)1 << flood_bits);
    for (unsigned i = 0; i < 8; i++) x = (x + variance / x) / 2;
    return x;
}

// Noise of up to 32 deviations (2^(flood_bits + 5)) in N words, then one limb after the other.
static rs_status_t flood(const rs_context_t *context, rs_plaintext_t *plaintext, uint32_t flood_bits, rs_rng_t *rng,
                         uint64_t *work) {
    const size_t n = context->n;
    int64_t *noise = (int64_t *)work;
    uint64_t *residues = work + n;
    rs_seed_t seed;
    RS_TRY(rs_fresh_seed(rng, &seed));
    const rs_gaussian_t gaussian = rs_gaussian(flood_bits);
    rs_draw_gaussian(context->backend->samplers->hash, noise, n, &seed, RS_DOMAIN_FLOOD, &gaussian);
    rs_zeroize(&seed, sizeof seed);
    for (uint32_t limb = 0; limb < plaintext->limb_count; limb++) {
        uint64_t *poly = plaintext->ntt + limb * n;
        const rs_modulus_t m = context->limbs[limb].modulus;
        for (size_t i = 0; i < n; i++) residues[i] = rs_reduce_signed(noise[i], &m);
        rs_ntt_forward(context, limb, residues);
        rs_poly_add(context, limb, poly, poly, residues);
    }
    rs_zeroize(work, 2 * n * sizeof *work);
    return RS_OK;
}

size_t rs_decode_public_workspace(const rs_context_t *context) {
    return 2 * (size_t)context->n * sizeof(uint64_t); // for the noise; rs_decode needs half of it
}

rs_status_t rs_decode_public(const rs_context_t *context, rs_plaintext_t *plaintext, double *values, size_t count, int is_complex,
                             const rs_publish_t *publish, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!context || !plaintext || !publish || (!values && count)) return RS_ERR_NULL;
    RS_TRY(check(publish));
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_decode_public_workspace(context)));
    if (publish->flood_bits) {
        if (!rng || !rng->fill || !plaintext->ntt) return RS_ERR_NULL;
        if (plaintext->form != RS_FORM_NTT) return RS_ERR_FORM;
        RS_TRY(rs_check_id(context, plaintext->parms_id, plaintext->limb_count));
        if (context->total_bits[plaintext->limb_count] < publish->flood_bits + 9) return RS_ERR_OVERFLOW;
        RS_TRY(flood(context, plaintext, publish->flood_bits, rng, workspace));
    }
    RS_TRY(rs_decode(context, plaintext, values, count, is_complex, workspace, workspace_bytes));
    return rs_publish_round(values, (is_complex ? 2 : 1) * count, publish->bits);
}
