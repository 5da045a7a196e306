// SPDX-License-Identifier: Apache-2.0
// BFV in NTT form and BGV by the streaming unit, which multiplies neither a message nor an error. With an image of t k_0 and k_1, k_j the key's
// polynomials over the error's factor f, it makes row 0 times t, and row 1, of a ciphertext over f: c_0 t/f = t k_0 u / P + t (e_0 - d_0) / P + w,
// d_j being what is left of k_j u + e_j modulo P (exact/encrypt.c). The lanes round row 0's own product by e_0: of t (e_0 - d_0) / P they and the unit
// make (e_0 - d) / P, d of t k_0 u + e_0. The rest is an integer, which the message brings with it.
#include <ringside/golden/sample.h>

#include "base/bytes.h"
#include "machine/image.h"
#include "params/plain.h"
#include "schemes/on_core/on_core.h"

// BGV's row 0 and BFV's row 1 are a ciphertext's as they come.
uint32_t rs_on_core_streamed_row(const rs_context_t *context) {
    return rs_is_bgv(context) ? 1 : 0;
}

rs_factor_t rs_on_core_streamed_factor(const rs_context_t *context, uint32_t limb, int back) {
    const rs_modulus_t *m = &context->limbs[limb].modulus;
    const int inverse = rs_is_bgv(context) != (back != 0);
    return rs_factor(inverse ? rs_on_core_plain_inverse(context, limb, 0) : rs_reduce(context->params.plain_modulus, m), m->q);
}

int rs_on_core_streams_integers(const rs_context_t *context, uint64_t bound) {
    enum { MOST = 24 }; // multiples of t: w is one at most, an error has up to 21
    return context->params.plain_modulus <= bound / MOST;
}

static void add(uint8_t *word, uint64_t x) {
    rs_store64(word, rs_load64(word) + x);
}

// d of k_0 u + e_0.
static void put_remainder(const rs_device_t *d, uint32_t drop, const rs_seed_t *seed, uint64_t *v, uint64_t *key, int8_t *u,
                          const int8_t *error) {
    const rs_context_t *context = rs_on_core(d)->context;
    const rs_limb_t *limb = &context->limbs[drop];
    rs_sample_ternary(u, context->n, seed, RS_DOMAIN_U);
    rs_ring_small(limb, v, u, rs_on_core_plain_inverse(context, drop, 0)); // the image has t k_0
    const size_t at = rs_on_core_streamed_key(&d->design, context->params.log_n, drop);
    rs_image_get(key, d->bus.memory + rs_on_core(d)->stream_key + at, context->n, 1);
    rs_plan_mul(limb, v, v, key);
    rs_plan_inverse(limb, v);
    rs_exact(context)->lifts[drop]->centre(limb, (int64_t *)v, v, error);
}

void rs_on_core_put_streamed_integers(const rs_device_t *d, const rs_on_core_call_t *call, size_t offset, const rs_seed_t *seed,
                                      uint64_t *workspace) {
    const rs_context_t *context = rs_on_core(d)->context;
    const size_t n = context->n;
    const uint32_t drop = call->job.limbs;
    const int rounded = call->job.kind == RS_JOB_ENCRYPT_PK;
    const uint64_t t = context->params.plain_modulus, p = rounded ? context->limbs[drop].modulus.q : 1;
    const rs_factor_t times = rounded ? rs_factor(rs_reduce(t, &context->limbs[drop].modulus), p) : (rs_factor_t){0, 0};
    uint64_t inverse = 1; // of p modulo 2^64
    for (unsigned i = 0; i < 6; i++) inverse *= 2 - p * inverse;
    uint64_t *v = workspace + n;
    int8_t *u = (int8_t *)(v + n), *error = u + n;
    uint8_t *words = d->bus.memory + offset;
    rs_sample_cbd21(error, n, seed, RS_DOMAIN_E0);
    memset(v, 0, n * sizeof *v);
    if (rounded) put_remainder(d, drop, seed, v, workspace, u, error);
    for (size_t i = 0; i < n; i++) {
        const uint64_t e = (uint64_t)(int64_t)error[i], x = v[i] - e;
        add(words + i * sizeof x, ((t - 1) * e - t * v[i]) * inverse);
        v[i] = rs_mul_factor(x + (p & (0 - (x >> 63))), times, p); // t k_0 u
    }
    if (!rounded) return;
    rs_exact(context)->lifts[drop]->centre(&context->limbs[drop], (int64_t *)v, v, error);
    for (size_t i = 0; i < n; i++) add(words + i * sizeof *v, v[i] * inverse);
}
