// SPDX-License-Identifier: Apache-2.0
// Building a context: moduli, twiddles, FFT roots, parms_ids.
#include "ckks/context_internal.h"

#include <string.h>

#include "base/bytes.h"
#include "ckks/checks.h"

// Tables begin on cache lines, wherever the caller's memory does.
enum { LINE_BYTES = 64 };

_Static_assert((int)RS_LIMBS_MAX <= (int)RS_DIGITS_MAX && (int)RS_LOG_N_MAX <= (int)RS_FFT_LOG_N_MAX,
               "encoding/ serves every context");

static uintptr_t align_line(uintptr_t address) {
    return (address + LINE_BYTES - 1) & ~(uintptr_t)(LINE_BYTES - 1);
}

// Of one limb: N twiddles and N quotients, as wide as the widest ring's.
static size_t twiddle_bytes(const rs_params_t *params) {
    return ((size_t)2 << params->log_n) * sizeof(uint64_t);
}

static size_t root_bytes(const rs_params_t *params) {
    return ((size_t)1 << (params->log_n - 1)) * sizeof(double);
}

static size_t slot_bytes(const rs_params_t *params) {
    return ((size_t)1 << (params->log_n - 1)) * sizeof(uint16_t);
}

size_t rs_context_size(const rs_params_t *params) {
    if (rs_params_check(params, 0) != RS_OK) return 0;
    return sizeof(rs_context_t) + LINE_BYTES + params->limb_count * twiddle_bytes(params) + 2 * root_bytes(params) +
           slot_bytes(params);
}

// Smallest primitive 2N-th root of unity: find one, walk through all N of them.
static uint64_t smallest_root(const rs_modulus_t *m, uint32_t log_n) {
    const uint64_t two_n = (uint64_t)2 << log_n;
    const uint64_t cofactor = (m->q - 1) / two_n;
    uint64_t root = 0;
    for (uint64_t base = 2;; base++) {
        root = rs_pow_mod(base, cofactor, m);
        if (rs_pow_mod(root, two_n / 2, m) == m->q - 1) break;
    }
    const uint64_t square = rs_mul_mod(root, root, m);
    uint64_t smallest = root;
    for (uint64_t i = 1; i < two_n / 2; i++) {
        root = rs_mul_mod(root, square, m);
        if (root < smallest) smallest = root;
    }
    return smallest;
}

// The twiddles and their quotients, N powers of psi in bit-reversed order, as the ring wants them.
static void init_twiddles(rs_limb_t *l, void *table) {
    const uint32_t n = (uint32_t)1 << l->log_n;
    const rs_modulus_t *m = &l->modulus;
    const unsigned shift = 64 - l->ring->quotient_bits;
    uint64_t *words = table;
    uint32_t *halves = table;
    uint64_t power = 1;
    uint32_t at = 0;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t quotient = rs_factor_quick(power, m).quotient >> shift;
        if (l->ring->quotient_bits == 32) {
            halves[at] = (uint32_t)power;
            halves[n + at] = (uint32_t)quotient;
        } else {
            words[at] = power;
            words[n + at] = quotient;
        }
        power = rs_mul_mod(power, l->root, m);
        at = (uint32_t)rs_next_reversed(at, i, n);
    }
    l->twiddles = table;
    l->quotients = l->ring->quotient_bits == 32 ? (void *)(halves + n) : (void *)(words + n);
}

static void init_limb(rs_context_t *c, uint32_t limb, void *table) {
    rs_limb_t *l = &c->limbs[limb];
    rs_modulus_t *m = &l->modulus;
    rs_modulus_init(m, c->params.moduli[limb]);
    l->ring = rs_backend_ring(c->backend, m->bits);
    l->log_n = c->params.log_n;
    l->root = smallest_root(m, l->log_n);
    init_twiddles(l, table);
    const uint64_t n_inverse = rs_inverse_mod(c->n, m);
    l->n_inverse = rs_factor(n_inverse, m->q);
    // The last inverse stage multiplies (y - x) by the forward twiddle psi^(N/2) (see ntt.c).
    l->last_inverse = rs_factor(rs_mul_mod(n_inverse, rs_twiddle(l, 1), m), m->q);
}

rs_status_t rs_context_init(const rs_context_t **context, void *memory, size_t memory_bytes, const rs_params_t *params,
                            uint32_t security) {
    if (!context || !memory || !params) return RS_ERR_NULL;
    const rs_status_t status = rs_params_check(params, security);
    if (status != RS_OK) return status;
    if (memory_bytes < rs_context_size(params)) return RS_ERR_MEMORY;
    if ((uintptr_t)memory & 7) return RS_ERR_ALIGNMENT;
    RS_TRY(rs_backend_status());

    rs_context_t *c = memory;
    uint8_t *tables = (uint8_t *)align_line((uintptr_t)memory + sizeof *c);
    double *fft_re = (double *)(void *)(tables + params->limb_count * twiddle_bytes(params));
    double *fft_im = fft_re + ((size_t)1 << (params->log_n - 1));
    uint16_t *slots = (uint16_t *)(void *)(fft_im + ((size_t)1 << (params->log_n - 1)));
    memset(c, 0, sizeof *c);
    c->params = *params;
    c->backend = rs_backend_current();
    c->n = (uint32_t)1 << params->log_n;
    c->data_limbs = rs_params_data_limbs(params);
    c->fft = (rs_fft_t){params->log_n, fft_re, fft_im};
    rs_fft_roots(fft_re, fft_im, params->log_n, tables); // where twiddles will be
    c->slots = slots;
    for (uint32_t limb = 0; limb < params->limb_count; limb++) {
        init_limb(c, limb, tables + limb * twiddle_bytes(params));
        c->total_bits[limb + 1] = rs_params_total_bits(params, limb + 1);
        RS_TRY(rs_params_id(params, limb + 1, c->ids[limb]));
    }
    rs_fft_slots(slots, params->log_n);
    *context = c;
    return RS_OK;
}

const rs_params_t *rs_context_params(const rs_context_t *context) {
    return &context->params;
}

uint32_t rs_context_n(const rs_context_t *context) {
    return context->n;
}

const uint8_t *rs_context_parms_id(const rs_context_t *context, uint32_t limb_count) {
    return limb_count >= 1 && limb_count <= context->params.limb_count ? context->ids[limb_count - 1] : NULL;
}

uint32_t rs_context_find_id(const rs_context_t *context, const uint8_t *id) {
    for (uint32_t i = 0; i < context->params.limb_count; i++) {
        if (memcmp(context->ids[i], id, RS_PARMS_ID_BYTES) == 0) return i + 1;
    }
    return 0;
}

uint64_t rs_context_root(const rs_context_t *context, uint32_t limb) {
    return limb < context->params.limb_count ? context->limbs[limb].root : 0;
}
