// SPDX-License-Identifier: Apache-2.0
// Encryption c = h s + 2 e + b, decryption (c f, centred) mod 2.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/scheme.h"

rs_ltv_status_t rs_ltv_check(const rs_ltv_t *ltv, const uint32_t *set, uint32_t level, uint32_t count) {
    if (!ltv || !set) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    for (uint32_t i = 0; i < level; i++) {
        const uint32_t *row = set + ltv_row(ltv, i, count, 0), p = ltv->mods[i].p;
        uint32_t most = 0;
        for (size_t j = 0; j < (size_t)count * ltv->info.n; j++) most = row[j] > most ? row[j] : most;
        if (most >= p) return RS_LTV_ERR_RESIDUE;
    }
    return RS_LTV_OK;
}

rs_ltv_status_t rs_ltv_encode(const rs_ltv_t *ltv, const uint8_t *bits, uint8_t *coefficients) {
    if (!ltv || !bits || !coefficients) return RS_LTV_ERR_NULL;
    return ltv_slots_encode(&ltv->slots, bits, coefficients) ? RS_LTV_OK : RS_LTV_ERR_MEMORY;
}

rs_ltv_status_t rs_ltv_decode(const rs_ltv_t *ltv, const uint8_t *coefficients, uint8_t *bits) {
    if (!ltv || !bits || !coefficients) return RS_LTV_ERR_NULL;
    uint8_t *again = malloc(ltv->info.n);
    if (!again) return RS_LTV_ERR_MEMORY;
    rs_ltv_status_t status = RS_LTV_ERR_MEMORY;
    if (ltv_slots_decode(&ltv->slots, coefficients, bits) && ltv_slots_encode(&ltv->slots, bits, again)) {
        status = memcmp(again, coefficients, ltv->info.n) == 0 ? RS_LTV_OK : RS_LTV_ERR_SLOTS;
    }
    free(again);
    return status;
}

typedef struct encrypt_run {
    rs_ltv_t *ltv;
    const uint8_t *seed, *messages;
    uint64_t first;
    uint32_t level, count;
    uint32_t *set;
} encrypt_run_t;

static void encrypt_task(void *argument, size_t index) {
    const encrypt_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    const size_t n = ltv->info.n;
    uint32_t *scratch = ltv_take(ltv, ltv_product_words(ltv) * sizeof *scratch + 2 * n);
    if (!scratch) return;
    int8_t *s = (int8_t *)(scratch + ltv_product_words(ltv)), *e = s + n;
    ltv_ternary(ltv, run->seed, LTV_FOR_S, run->first + index, s);
    ltv_ternary(ltv, run->seed, LTV_FOR_E, run->first + index, e);
    const uint8_t *message = run->messages + index * n;
    for (size_t j = 0; j < n; j++) e[j] = (int8_t)(2 * e[j] + (message[j] & 1)); // -2 to 3
    for (uint32_t i = 0; i < run->level; i++) {
        uint32_t *out = run->set + ltv_row(ltv, i, run->count, (uint32_t)index);
        ltv_residues(ltv, i, s, out);
        ltv_by_key(ltv, i, out, ltv->public_key + (size_t)i * ltv->ring.points, out, scratch);
        ltv_add_small(ltv, i, out, e, 1);
    }
    ltv_give(ltv, scratch);
}

rs_ltv_status_t rs_ltv_encrypt(rs_ltv_t *ltv, const uint8_t seed[32], uint64_t first, const uint8_t *messages, uint32_t level,
                               uint32_t count, uint32_t *set) {
    if (!ltv || !seed || !messages || !set) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    encrypt_run_t run = {ltv, seed, messages, first, level, count, set};
    return ltv_run(ltv, encrypt_task, &run, count);
}

// The centred value behind two residues, |.| < p0 p1 / 2 < 2^61.
static int64_t centred(uint32_t x0, uint32_t x1, uint32_t p0, uint32_t p1, uint32_t inverse) {
    const uint64_t difference = ((uint64_t)x1 + p1 - x0 % p1) % p1 * inverse % p1;
    const uint64_t x = difference * p0 + x0, modulus = (uint64_t)p0 * p1;
    return x > modulus / 2 ? -(int64_t)(modulus - x) : (int64_t)x;
}

rs_ltv_status_t rs_ltv_decrypt(rs_ltv_t *ltv, const uint32_t *set, uint32_t level, uint32_t count, uint32_t index, uint32_t power,
                               uint8_t *coefficients, double noise[2]) {
    if (!ltv || !set || !coefficients) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes || index >= count || power < 1 || power > 2) return RS_LTV_ERR_LEVEL;
    if (ltv->f[0] % 2 == 0) return RS_LTV_ERR_KEY;
    const size_t n = ltv->info.n;
    const uint32_t rows = level > 1 ? 2 : 1;
    uint32_t *x = ltv_take(ltv, (2 * n + ltv_product_words(ltv)) * sizeof *x);
    if (!x) return RS_LTV_ERR_MEMORY;
    for (uint32_t i = 0; i < rows; i++) {
        memcpy(x + i * n, set + ltv_row(ltv, i, count, index), n * sizeof *x);
        for (uint32_t k = 0; k < power; k++) {
            ltv_by_key(ltv, i, x + i * n, ltv->secret + (size_t)i * ltv->ring.points, x + i * n, x + 2 * n);
        }
    }
    const uint32_t p0 = ltv->mods[0].p, p1 = ltv->mods[1].p, inverse = ltv_inverse_of(p0 % p1, p1);
    double squares = 0, most = 0;
    for (size_t j = 0; j < n; j++) {
        int64_t value = x[j] > p0 / 2 ? (int64_t)x[j] - p0 : x[j];
        if (rows == 2) value = centred(x[j], x[n + j], p0, p1, inverse);
        coefficients[j] = (uint8_t)(value & 1);
        squares += (double)value * (double)value;
        most = fabs((double)value) > most ? fabs((double)value) : most;
    }
    if (noise) {
        noise[0] = log2(squares / (double)n + 1e-9) / 2;
        noise[1] = log2(most + 1e-9);
    }
    ltv_give(ltv, x);
    return RS_LTV_OK;
}
