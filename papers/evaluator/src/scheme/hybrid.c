// SPDX-License-Identifier: Apache-2.0
// Relinearisation by hybrid key switching: groups of primes are the digits, each is lifted to all primes and the special ones, multiplied by
// its key, and the sum is divided by the product of the special primes, with its parity kept.
#include <string.h>

#include "scheme/scheme.h"

enum { TILE = 4 }; // ciphertexts that a task takes through all primes

typedef struct hybrid_run {
    rs_ltv_t *ltv;
    uint32_t *set;
    uint32_t level, count, tile;
    ltv_scalar_t inverse[LTV_PRIMES_MAX]; // (group / p)^-1 modulo p
    uint32_t weights[LTV_PRIMES_MAX][LTV_PRIMES_MAX]; // [row][j]: 2^32 group / p_j modulo the row's prime
} hybrid_run_t;

static uint32_t prime_of(const rs_ltv_t *ltv, uint32_t row, uint32_t level) {
    return row < level ? row : ltv->params.primes + row - level;
}

static void group_of(const hybrid_run_t *run, uint32_t group, uint32_t *from, uint32_t *to) {
    const uint32_t special = run->ltv->params.special;
    *from = group * special;
    *to = *from + special < run->level ? *from + special : run->level;
}

static void prepare(hybrid_run_t *run) {
    const rs_ltv_t *ltv = run->ltv;
    for (uint32_t from = 0, to; from < run->level; from = to) {
        group_of(run, from / ltv->params.special, &from, &to);
        for (uint32_t j = from; j < to; j++) {
            for (uint32_t row = 0; row < run->level + ltv->params.special; row++) {
                const ltv_mod_t *mod = &ltv->mods[prime_of(ltv, row, run->level)];
                uint64_t product = mod->r32.value;
                for (uint32_t k = from; k < to; k++) {
                    if (k != j) product = product * (ltv->mods[k].p % mod->p) % mod->p;
                }
                run->weights[row][j] = (uint32_t)product;
            }
            const uint32_t p = ltv->mods[j].p;
            uint64_t product = 1;
            for (uint32_t k = from; k < to; k++) {
                if (k != j) product = product * (ltv->mods[k].p % p) % p;
            }
            run->inverse[j] = ltv_scalar(ltv_inverse_of((uint32_t)product, p), p);
        }
    }
}

void ltv_drop(const rs_ltv_t *ltv, uint32_t *set, size_t stride, uint32_t rows, uint32_t level, int32_t *even) {
    const uint32_t last = ltv->mods[prime_of(ltv, rows, level)].p;
    ltv->kernels->even(last, even, set + rows * stride, ltv->info.n);
    for (uint32_t row = 0; row < rows; row++) {
        const ltv_mod_t *mod = &ltv->mods[prime_of(ltv, row, level)];
        ltv->kernels->divide(mod, set + row * stride, even, ltv->info.n, ltv_scalar(ltv_inverse_of(last, mod->p), mod->p));
    }
}

// Row `row` of ciphertext c: the sum over groups.
static void row_sum(const hybrid_run_t *run, uint32_t row, uint32_t c, const uint32_t *y, uint32_t *x, uint64_t *sums,
                    uint32_t *out) {
    rs_ltv_t *ltv = run->ltv;
    const uint32_t special = ltv->params.special, groups = (run->level + special - 1) / special;
    const uint32_t prime = prime_of(ltv, row, run->level);
    const ltv_mod_t *mod = &ltv->mods[prime];
    const size_t n = ltv->info.n, points = ltv->ring.points;
    for (uint32_t g = 0; g < groups; g++) {
        uint32_t from, to;
        group_of(run, g, &from, &to);
        const uint32_t *source = run->set + ltv_row(ltv, row, run->count, c);
        if (row < from || row >= to) { // else the residues are there
            const uint32_t *parts[LTV_SPECIAL_MAX];
            for (uint32_t j = from; j < to; j++) parts[j - from] = y + j * n;
            ltv->kernels->combine(mod, out, parts, run->weights[row] + from, to - from, n);
            source = out;
        }
        const uint32_t *key = ltv->evaluation + ((size_t)prime * ltv->info.digits + g) * points;
        const ltv_mac_t mac = {key, sums, g == 0, g % 2 || g == groups - 1};
        ltv->kernels->forward(mod, source, x, &mac);
    }
    ltv->kernels->settle(mod, x, sums, points);
    ltv->kernels->inverse(mod, x);
    ltv->kernels->reduce(&ltv->ring, mod, x, x + points);
    memcpy(out, x, n * sizeof *x);
}

static void hybrid_task(void *argument, size_t index) {
    const hybrid_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    const uint32_t level = run->level, rows = level + ltv->params.special;
    const uint32_t first = (uint32_t)index * run->tile, end = first + run->tile < run->count ? first + run->tile : run->count;
    const size_t n = ltv->info.n, product = ltv_product_words(ltv);
    const size_t words = (size_t)(end - first) * (level + rows) * n + n + product;
    uint32_t *memory = ltv_take(ltv, words * sizeof *memory + ltv->ring.points * sizeof(uint64_t));
    if (!memory) return;
    uint32_t *x = memory, *even = x + product, *y = even + n, *out = y + (size_t)(end - first) * level * n;
    uint64_t *sums = (uint64_t *)(void *)(memory + words);
    for (uint32_t c = first; c < end; c++) {
        for (uint32_t j = 0; j < level; j++) {
            ltv->kernels->scale(&ltv->mods[j], y + ((size_t)(c - first) * level + j) * n, run->set + ltv_row(ltv, j, run->count, c),
                                n, run->inverse[j]);
        }
    }
    // the keys of a row are used for all ciphertexts of the tile before the next row's
    for (uint32_t row = 0; row < rows; row++) {
        for (uint32_t c = first; c < end; c++) {
            row_sum(run, row, c, y + (size_t)(c - first) * level * n, x, sums, out + ((size_t)(c - first) * rows + row) * n);
        }
    }
    for (uint32_t c = first; c < end; c++) {
        uint32_t *one = out + (size_t)(c - first) * rows * n;
        for (uint32_t row = rows; row-- > level;) ltv_drop(ltv, one, n, row, level, (int32_t *)even);
        for (uint32_t i = 0; i < level; i++) memcpy(run->set + ltv_row(ltv, i, run->count, c), one + i * n, n * sizeof *one);
    }
    ltv_give(ltv, memory);
    atomic_fetch_add(&ltv->done, end - first);
    atomic_fetch_add(&ltv->cost, (end - first) * ltv_relinearisation_cost(&ltv->params, level));
}

rs_ltv_status_t ltv_hybrid(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count) {
    hybrid_run_t run = {.ltv = ltv, .set = set, .level = level, .count = count};
    run.tile = count / ltv->info.threads;
    if (run.tile < 1) run.tile = 1;
    if (run.tile > TILE) run.tile = TILE;
    prepare(&run);
    return ltv_run(ltv, hybrid_task, &run, (count + run.tile - 1) / run.tile);
}
