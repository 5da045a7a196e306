// SPDX-License-Identifier: Apache-2.0
// Products of polynomials: by keys, one prime at a time, and bilinear forms of many ciphertexts.
#include <string.h>

#include "scheme/scheme.h"

size_t ltv_product_words(const rs_ltv_t *ltv) { return ltv->ring.points + 2 * (size_t)ltv->ring.n + 2 * LTV_PAD; }

void ltv_to_key(const rs_ltv_t *ltv, uint32_t prime, const uint32_t *c, uint32_t *key) {
    const ltv_mod_t *mod = &ltv->mods[prime];
    ltv->kernels->forward(mod, c, key, NULL);
    ltv->kernels->scale(mod, key, key, ltv->ring.points, mod->scale);
}

void ltv_by_key(const rs_ltv_t *ltv, uint32_t prime, const uint32_t *c, const uint32_t *key, uint32_t *out, uint32_t *scratch) {
    const ltv_mod_t *mod = &ltv->mods[prime];
    const ltv_kernels_t *kernels = ltv->kernels;
    kernels->forward(mod, c, scratch, NULL);
    kernels->multiply(mod, scratch, key, ltv->ring.points);
    kernels->inverse(mod, scratch);
    kernels->reduce(&ltv->ring, mod, scratch, scratch + ltv->ring.points);
    memcpy(out, scratch, ltv->ring.n * sizeof *out);
}

void ltv_residues(const rs_ltv_t *ltv, uint32_t prime, const int8_t *x, uint32_t *out) {
    const uint32_t p = ltv->mods[prime].p;
    for (size_t j = 0; j < ltv->info.n; j++) out[j] = x[j] < 0 ? p - (uint32_t)-x[j] : (uint32_t)x[j];
}

void ltv_add_small(const rs_ltv_t *ltv, uint32_t prime, uint32_t *x, const int8_t *y, uint32_t scalar) {
    const uint32_t p = ltv->mods[prime].p;
    uint32_t multiples[7]; // -3 to 3 times the scalar
    for (int k = -3; k <= 3; k++) multiples[k + 3] = (uint32_t)((uint64_t)scalar * (k < 0 ? p - (uint32_t)-k : (uint32_t)k) % p);
    for (size_t j = 0; j < ltv->info.n; j++) {
        const uint32_t sum = x[j] + multiples[y[j] + 3];
        x[j] = sum < p ? sum : sum - p;
    }
}

// ---- bilinear forms: a task is one box modulo one prime -----------------------------------------------------------------------
typedef struct forms_run {
    rs_ltv_t *ltv;
    const ltv_forms_t *forms;
    uint32_t boxes;
    ltv_operand_t left, right;
    uint32_t *out;
} forms_run_t;

static const uint32_t *operand(const forms_run_t *run, const ltv_operand_t *from, uint32_t prime, uint32_t box, uint32_t number) {
    return from->set + ltv_row(run->ltv, prime, from->count, from->first + box * from->step + number);
}

static void forms_task(void *argument, size_t index) {
    const forms_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    const ltv_forms_t *forms = run->forms;
    const ltv_kernels_t *kernels = ltv->kernels;
    const uint32_t prime = (uint32_t)(index / run->boxes), box = (uint32_t)(index % run->boxes);
    const ltv_mod_t *mod = &ltv->mods[prime];
    const size_t points = ltv->ring.points, n = ltv->ring.n;
    uint32_t *memory =
        ltv_take(ltv, (points * (forms->left + forms->right + forms->count) + ltv_product_words(ltv)) * sizeof *memory);
    if (!memory) return;
    uint32_t *next = memory, *left[LTV_LEFT_MAX], *right[LTV_RIGHT_MAX], *out[LTV_FORMS_MAX];
    for (uint32_t a = 0; a < forms->left; a++, next += points) {
        left[a] = next;
        kernels->forward(mod, operand(run, &run->left, prime, box, a), left[a], NULL);
    }
    for (uint32_t a = 0; a < forms->right; a++, next += points) {
        right[a] = next;
        kernels->forward(mod, operand(run, &run->right, prime, box, a), right[a], NULL);
    }
    for (uint32_t k = 0; k < forms->count; k++, next += points) out[k] = next;
    kernels->bilinear(mod, forms, (const uint32_t *const *)left, (const uint32_t *const *)right, out, points);
    for (uint32_t k = 0; k < forms->count; k++) {
        kernels->inverse(mod, out[k]);
        kernels->reduce(&ltv->ring, mod, out[k], next);
        uint32_t *to = run->out + ltv_row(ltv, prime, run->boxes * forms->count, box * forms->count + k);
        kernels->scale(mod, to, out[k], n, mod->scale); // the reduction is linear: half as many products as before it
    }
    ltv_give(ltv, memory);
}

rs_ltv_status_t ltv_bilinear(rs_ltv_t *ltv, const ltv_forms_t *forms, uint32_t boxes, ltv_operand_t left, ltv_operand_t right,
                             uint32_t level, uint32_t *out) {
    forms_run_t run = {ltv, forms, boxes, left, right, out};
    return ltv_run(ltv, forms_task, &run, (size_t)level * boxes);
}

rs_ltv_status_t rs_ltv_multiply(rs_ltv_t *ltv, const uint32_t *a, const uint32_t *b, uint32_t level, uint32_t count,
                                uint32_t *out) {
    if (!ltv || !a || !b || !out) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    const ltv_forms_t forms = {1, 1, 1, {{1}}};
    return ltv_bilinear(ltv, &forms, count, (ltv_operand_t){a, count, 0, 1}, (ltv_operand_t){b, count, 0, 1}, level, out);
}

rs_ltv_status_t rs_ltv_add(rs_ltv_t *ltv, uint32_t *a, const uint32_t *b, uint32_t level, uint32_t count) {
    if (!ltv || !a || !b) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    for (uint32_t i = 0; i < level; i++) {
        const size_t row = ltv_row(ltv, i, count, 0);
        ltv->kernels->add(&ltv->mods[i], a + row, b + row, (size_t)count * ltv->info.n);
    }
    return RS_LTV_OK;
}
