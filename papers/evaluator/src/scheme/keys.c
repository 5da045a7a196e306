// SPDX-License-Identifier: Apache-2.0
// Keys (Lopez-Alt, Tromer, Vaikuntanathan, STOC 2012): f = 2 u + 1, h = 2 g / f, and evaluation keys h s + 2 e + w f.
#include <stdlib.h>
#include <string.h>

#include "scheme/scheme.h"

enum { ATTEMPTS = 64 };

// ---- inverses by the tower of norms: with N(a) = a(X) a(X^s1) a(X^s2)... a number, 1 / a is the product of the other factors by N ------
typedef struct inverse_run {
    rs_ltv_t *ltv;
    uint32_t *out; // [all_primes][n], or NULL: only whether
    atomic_int singular;
} inverse_run_t;

static void substitute(const ltv_ring_t *ring, const uint32_t *a, uint32_t step, uint32_t *out) {
    memset(out, 0, ring->points * sizeof *out);
    for (size_t j = 0; j < ring->n; j++) out[(uint64_t)j * step % ring->m] = a[j];
}

static void inverse_task(void *argument, size_t index) {
    inverse_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    const uint32_t prime = (uint32_t)index;
    if (ltv_halted(ltv) || atomic_load(&run->singular)) return;
    const ltv_mod_t *mod = &ltv->mods[prime];
    const size_t n = ltv->info.n, points = ltv->ring.points;
    uint32_t *norm = ltv_take(ltv, (2 * n + 2 * points + ltv_product_words(ltv)) * sizeof *norm);
    if (!norm) return;
    uint32_t *rest = norm + n, *moved = rest + n, *key = moved + points, *scratch = key + points;
    uint32_t steps[LTV_STEPS_MAX];
    const uint32_t count = ltv_norm_steps(&ltv->ring, steps);
    ltv_residues(ltv, prime, ltv->f, norm);
    memset(rest, 0, n * sizeof *rest);
    rest[0] = 1;
    for (uint32_t i = 0; i < count; i++) {
        substitute(&ltv->ring, norm, steps[i], moved);
        ltv->kernels->reduce(&ltv->ring, mod, moved, scratch);
        ltv_to_key(ltv, prime, moved, key);
        ltv_by_key(ltv, prime, norm, key, norm, scratch);
        ltv_by_key(ltv, prime, rest, key, rest, scratch);
    }
    uint32_t others = 0;
    for (size_t j = 1; j < n; j++) others |= norm[j];
    if (others || !norm[0]) {
        atomic_store(&run->singular, 1);
    } else if (run->out) {
        ltv->kernels->scale(mod, run->out + prime * n, rest, n, ltv_scalar(ltv_inverse_of(norm[0], mod->p), mod->p));
    }
    ltv_give(ltv, norm);
}

// RS_LTV_ERR_SECRET if f has no inverse modulo one of the primes.
static rs_ltv_status_t invert(rs_ltv_t *ltv, uint32_t *out) {
    inverse_run_t run = {.ltv = ltv, .out = out};
    const rs_ltv_status_t status = ltv_run(ltv, inverse_task, &run, ltv->info.all_primes);
    if (status != RS_LTV_OK) return status;
    return atomic_load(&run.singular) ? RS_LTV_ERR_SECRET : RS_LTV_OK;
}

static rs_ltv_status_t install_secret(rs_ltv_t *ltv) {
    const size_t n = ltv->info.n;
    uint32_t *x = ltv_allocate(n * sizeof *x);
    if (!x) return RS_LTV_ERR_MEMORY;
    for (uint32_t i = 0; i < ltv->info.all_primes; i++) {
        ltv_residues(ltv, i, ltv->f, x);
        ltv_to_key(ltv, i, x, ltv->secret + (size_t)i * ltv->ring.points);
    }
    rs_zeroize(x, n * sizeof *x);
    free(x);
    return RS_LTV_OK;
}

rs_ltv_status_t rs_ltv_secret(rs_ltv_t *ltv, const uint8_t seed[32], int8_t *f) {
    if (!ltv || !seed || !f) return RS_LTV_ERR_NULL;
    rs_ltv_status_t status = RS_LTV_ERR_SECRET;
    for (uint64_t attempt = 0; attempt < ATTEMPTS && status == RS_LTV_ERR_SECRET; attempt++) {
        ltv_ternary(ltv, seed, LTV_FOR_SECRET, attempt, ltv->f);
        for (size_t j = 0; j < ltv->info.n; j++) ltv->f[j] = (int8_t)(2 * ltv->f[j]);
        ltv->f[0] = (int8_t)(ltv->f[0] + 1);
        status = invert(ltv, NULL);
    }
    memcpy(f, ltv->f, ltv->info.n);
    return status == RS_LTV_OK ? install_secret(ltv) : status;
}

rs_ltv_status_t rs_ltv_load_secret(rs_ltv_t *ltv, const int8_t *f) {
    if (!ltv || !f) return RS_LTV_ERR_NULL;
    for (size_t j = 0; j < ltv->info.n; j++) {
        const int u2 = f[j] - (j == 0);
        if (u2 != -2 && u2 != 0 && u2 != 2) return RS_LTV_ERR_SECRET;
    }
    memcpy(ltv->f, f, ltv->info.n);
    return install_secret(ltv);
}

static int has_secret(const rs_ltv_t *ltv) { return ltv->f[0] % 2 != 0; }

rs_ltv_status_t rs_ltv_public(rs_ltv_t *ltv, const uint8_t seed[32], uint32_t *h) {
    if (!ltv || !seed || !h) return RS_LTV_ERR_NULL;
    if (!has_secret(ltv)) return RS_LTV_ERR_KEY;
    rs_ltv_status_t status = invert(ltv, h);
    if (status != RS_LTV_OK) return status;
    const size_t n = ltv->info.n;
    int8_t *g = malloc(n);
    uint32_t *x = ltv_allocate((n + ltv->ring.points + ltv_product_words(ltv)) * sizeof *x);
    if (g && x) {
        uint32_t *key = x + n, *scratch = key + ltv->ring.points;
        ltv_ternary(ltv, seed, LTV_FOR_PUBLIC, 0, g);
        for (uint32_t i = 0; i < ltv->info.all_primes; i++) {
            memset(x, 0, n * sizeof *x);
            ltv_add_small(ltv, i, x, g, 2);
            ltv_to_key(ltv, i, x, key);
            ltv_by_key(ltv, i, h + i * n, key, h + i * n, scratch);
        }
        status = rs_ltv_load_public(ltv, h);
    } else {
        status = RS_LTV_ERR_MEMORY;
    }
    if (g) rs_zeroize(g, n);
    if (x) rs_zeroize(x, (n + ltv->ring.points + ltv_product_words(ltv)) * sizeof *x);
    free(g);
    free(x);
    return status;
}

rs_ltv_status_t rs_ltv_load_public(rs_ltv_t *ltv, const uint32_t *h) {
    if (!ltv || !h) return RS_LTV_ERR_NULL;
    const size_t n = ltv->info.n;
    for (uint32_t i = 0; i < ltv->info.all_primes; i++) {
        for (size_t j = 0; j < n; j++) {
            if (h[i * n + j] >= ltv->mods[i].p) return RS_LTV_ERR_RESIDUE;
        }
        ltv_to_key(ltv, i, h + i * n, ltv->public_key + (size_t)i * ltv->ring.points);
    }
    return RS_LTV_OK;
}

static int has_public(const rs_ltv_t *ltv) {
    uint32_t any = 0;
    for (size_t j = 0; j < ltv->ring.points; j++) any |= ltv->public_key[j];
    return any != 0;
}

// ---- evaluation keys: a task is one prime of one digit --------------------------------------------------------------------------
typedef struct key_run {
    rs_ltv_t *ltv;
    uint32_t digit;
    int8_t *s, *e;
    uint32_t *out; // [key_rows][n]
} key_run_t;

static uint32_t weight(const rs_ltv_t *ltv, uint32_t prime, uint32_t digit) {
    const uint32_t p = ltv->mods[prime].p;
    if (!ltv->params.special) return ltv_power(2, (uint64_t)LTV_WINDOW_BITS * digit, p);
    if (prime >= ltv->params.primes || prime / ltv->params.special != digit) return 0;
    uint64_t product = 1; // the product of the special primes
    for (uint32_t j = ltv->params.primes; j < ltv->info.all_primes; j++) product = product * (ltv->mods[j].p % p) % p;
    return (uint32_t)product;
}

static void key_task(void *argument, size_t index) {
    const key_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    const uint32_t prime = (uint32_t)index;
    if (ltv_halted(ltv)) return;
    const size_t n = ltv->info.n;
    uint32_t *scratch = ltv_take(ltv, (ltv_product_words(ltv) + n) * sizeof *scratch);
    if (!scratch) return;
    uint32_t *power = scratch + ltv_product_words(ltv), *out = run->out + prime * n;
    const size_t points = ltv->ring.points;
    ltv_residues(ltv, prime, run->s, out);
    ltv_by_key(ltv, prime, out, ltv->public_key + prime * points, out, scratch);
    ltv_add_small(ltv, prime, out, run->e, 2);
    ltv_residues(ltv, prime, ltv->f, power);
    for (uint32_t k = 1; k < ltv->params.key_power; k++)
        ltv_by_key(ltv, prime, power, ltv->secret + prime * points, power, scratch);
    const uint32_t p = ltv->mods[prime].p;
    ltv->kernels->scale(&ltv->mods[prime], power, power, n, ltv_scalar(weight(ltv, prime, run->digit), p));
    ltv->kernels->add(&ltv->mods[prime], out, power, n);
    ltv_give(ltv, scratch);
}

rs_ltv_status_t rs_ltv_evaluation(rs_ltv_t *ltv, const uint8_t seed[32], uint32_t digit, uint32_t *key) {
    if (!ltv || !seed || !key) return RS_LTV_ERR_NULL;
    if (digit >= ltv->info.digits) return RS_LTV_ERR_LEVEL;
    if (!has_secret(ltv) || !has_public(ltv)) return RS_LTV_ERR_KEY;
    const size_t n = ltv->info.n;
    key_run_t run = {ltv, digit, malloc(n), malloc(n), key};
    rs_ltv_status_t status = RS_LTV_ERR_MEMORY;
    if (run.s && run.e) {
        ltv_ternary(ltv, seed, LTV_FOR_KEY_S, digit, run.s);
        ltv_ternary(ltv, seed, LTV_FOR_KEY_E, digit, run.e);
        status = ltv_run(ltv, key_task, &run, ltv->info.key_rows);
    }
    if (run.s) rs_zeroize(run.s, n);
    if (run.e) rs_zeroize(run.e, n);
    free(run.s);
    free(run.e);
    return status == RS_LTV_OK ? rs_ltv_load_evaluation(ltv, digit, key) : status;
}

rs_ltv_status_t rs_ltv_load_evaluation(rs_ltv_t *ltv, uint32_t digit, const uint32_t *key) {
    if (!ltv || !key) return RS_LTV_ERR_NULL;
    if (digit >= ltv->info.digits) return RS_LTV_ERR_LEVEL;
    const size_t n = ltv->info.n, points = ltv->ring.points;
    if (!ltv->evaluation) {
        ltv->evaluation = ltv_allocate(points * ltv->info.digits * ltv->info.key_rows * sizeof *ltv->evaluation);
        if (!ltv->evaluation) return RS_LTV_ERR_MEMORY;
    }
    ltv->is_loaded[digit] = 0;
    for (uint32_t i = 0; i < ltv->info.key_rows; i++) {
        for (size_t j = 0; j < n; j++) {
            if (key[i * n + j] >= ltv->mods[i].p) return RS_LTV_ERR_RESIDUE;
        }
        ltv_to_key(ltv, i, key + i * n, ltv->evaluation + ((size_t)i * ltv->info.digits + digit) * points);
    }
    ltv->is_loaded[digit] = 1;
    return RS_LTV_OK;
}
