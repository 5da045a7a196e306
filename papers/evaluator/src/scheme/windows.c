// SPDX-License-Identifier: Apache-2.0
// Relinearisation as in the paper: the integers behind the residues in digits of 16 bits, each times its key.
#include <stdlib.h>
#include <string.h>

#include "scheme/scheme.h"

// Digits of the product of the first `level` primes but one; skip = level: of all.
static void product_digits(const rs_ltv_t *ltv, uint32_t level, uint32_t skip, uint32_t digits, uint32_t *out, size_t stride) {
    uint32_t words[LTV_DIGITS_MAX + 4] = {1}; // a number in words of 16 bits
    for (uint32_t i = 0; i < level; i++) {
        if (i == skip) continue;
        uint64_t carry = 0;
        for (uint32_t t = 0; t < digits + 4; t++) {
            carry += (uint64_t)words[t] * ltv->mods[i].p;
            words[t] = carry & 0xffff;
            carry >>= LTV_WINDOW_BITS;
        }
    }
    for (uint32_t t = 0; t < digits; t++) out[t * stride] = words[t];
}

rs_ltv_status_t ltv_reconstruction(const rs_ltv_t *ltv, uint32_t level, ltv_reconstruction_t *out) {
    const uint32_t digits = ltv_window_count(&ltv->params, level);
    out->memory = malloc((size_t)digits * (level + 1) * sizeof *out->memory);
    if (!out->memory) return RS_LTV_ERR_MEMORY;
    uint32_t *modulus = out->memory + (size_t)digits * level;
    out->crt = (ltv_crt_t){.primes = level, .digits = digits, .cofactors = out->memory, .modulus = modulus};
    for (uint32_t i = 0; i < level; i++) {
        const uint32_t p = ltv->mods[i].p;
        uint64_t rest = 1; // Q / p modulo p
        for (uint32_t j = 0; j < level; j++) {
            if (j != i) rest = rest * (ltv->mods[j].p % p) % p;
        }
        out->mods[i] = &ltv->mods[i];
        out->crt.inverse[i] = ltv_scalar(ltv_inverse_of((uint32_t)rest, p), p);
        out->crt.reciprocal[i] = (UINT64_C(1) << 58) / p;
        product_digits(ltv, level, i, digits, out->memory + i, level);
    }
    product_digits(ltv, level, level, digits, modulus, 1);
    return RS_LTV_OK;
}

void ltv_split(const rs_ltv_t *ltv, const ltv_reconstruction_t *crt, const uint32_t *set, uint32_t count, uint32_t index,
               uint16_t *digits) {
    const uint32_t *rows[LTV_PRIMES_MAX];
    for (uint32_t i = 0; i < crt->crt.primes; i++) rows[i] = set + ltv_row(ltv, i, count, index);
    ltv->kernels->digits(&crt->crt, crt->mods, rows, digits, ltv->info.n);
}

typedef struct windows_run {
    rs_ltv_t *ltv;
    uint32_t *set;
    uint32_t count, first, prime;
    ltv_reconstruction_t crt;
    uint16_t *digits; // [ciphertext][digit][n]
} windows_run_t;

static void split_task(void *argument, size_t index) {
    const windows_run_t *run = argument;
    if (ltv_halted(run->ltv)) return;
    uint16_t *out = run->digits + index * run->crt.crt.digits * run->ltv->info.n;
    ltv_split(run->ltv, &run->crt, run->set, run->count, run->first + (uint32_t)index, out);
}

static void sum_task(void *argument, size_t index) {
    const windows_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    const uint32_t digits = run->crt.crt.digits;
    const size_t n = ltv->info.n, points = ltv->ring.points;
    const ltv_mod_t *mod = &ltv->mods[run->prime];
    uint32_t *x = ltv_take(ltv, ltv_product_words(ltv) * sizeof *x + points * sizeof(uint64_t));
    if (!x) return;
    uint64_t *sums = (uint64_t *)(void *)(x + ltv_product_words(ltv));
    for (uint32_t t = 0; t < digits; t++) {
        const uint32_t *key = ltv->evaluation + ((size_t)run->prime * ltv->info.digits + t) * points;
        const ltv_mac_t mac = {key, sums, t == 0, t % 2 || t == digits - 1};
        ltv->kernels->forward_digits(mod, run->digits + (index * digits + t) * n, x, &mac);
    }
    ltv->kernels->settle(mod, x, sums, points);
    ltv->kernels->inverse(mod, x);
    ltv->kernels->reduce(&ltv->ring, mod, x, x + points);
    memcpy(run->set + ltv_row(ltv, run->prime, run->count, run->first + (uint32_t)index), x, n * sizeof *x);
    ltv_give(ltv, x);
    atomic_fetch_add(&ltv->cost, digits + 2);
}

// The keys of one prime stay in the last cache while the digits of a batch of ciphertexts pass by.
rs_ltv_status_t ltv_windows(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count) {
    enum { BATCH = 32 };
    windows_run_t run = {.ltv = ltv, .set = set, .count = count};
    rs_ltv_status_t status = ltv_reconstruction(ltv, level, &run.crt);
    if (status != RS_LTV_OK) return status;
    const uint32_t most = count < BATCH ? count : BATCH;
    run.digits = ltv_allocate((size_t)most * run.crt.crt.digits * ltv->info.n * sizeof *run.digits);
    if (!run.digits) status = RS_LTV_ERR_MEMORY;
    for (run.first = 0; run.first < count && status == RS_LTV_OK; run.first += BATCH) {
        const uint32_t now = count - run.first < BATCH ? count - run.first : BATCH;
        status = ltv_run(ltv, split_task, &run, now);
        for (run.prime = 0; run.prime < level && status == RS_LTV_OK; run.prime++) status = ltv_run(ltv, sum_task, &run, now);
        if (status == RS_LTV_OK) atomic_fetch_add(&ltv->done, now);
    }
    free(run.digits);
    free(run.crt.memory);
    return status;
}
