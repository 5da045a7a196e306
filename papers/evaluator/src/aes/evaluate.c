// SPDX-License-Identifier: Apache-2.0
// AES-128 on ciphertexts: one round, and what goes into a state and comes out of it.
#define _POSIX_C_SOURCE 200809L
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "aes/tables.h"
#include "scheme/scheme.h"

enum { BYTES = 16, SHOWN = 4 };

static const ltv_aes_t *tables(void) {
    static ltv_aes_t aes;
    static atomic_int is_made;
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    if (!atomic_load(&is_made)) {
        pthread_mutex_lock(&mutex);
        if (!atomic_load(&is_made)) ltv_aes_init(&aes);
        atomic_store(&is_made, 1);
        pthread_mutex_unlock(&mutex);
    }
    return &aes;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

uint32_t rs_ltv_aes_level(const rs_ltv_t *ltv, uint32_t round) {
    const uint32_t spent = ltv->params.sbox_depth * round;
    return spent < ltv->params.primes ? ltv->params.primes - spent : 0;
}

// ---- blocks and states --------------------------------------------------------------------------------------------------------
rs_ltv_status_t rs_ltv_aes_messages(const rs_ltv_t *ltv, const uint8_t *blocks, uint32_t is_round_key, uint8_t *messages) {
    if (!ltv || !blocks || !messages) return RS_LTV_ERR_NULL;
    const ltv_aes_t *aes = tables();
    uint8_t *bits = malloc(ltv->info.slots);
    rs_ltv_status_t status = bits ? RS_LTV_OK : RS_LTV_ERR_MEMORY;
    for (uint32_t i = 0; i < RS_LTV_STATE && status == RS_LTV_OK; i++) {
        for (uint32_t j = 0; j < ltv->info.slots; j++) {
            const uint8_t byte = aes->to[blocks[j * BYTES + i / 8]] ^ (is_round_key ? aes->constant : 0);
            bits[j] = byte >> i % 8 & 1;
        }
        status = rs_ltv_encode(ltv, bits, messages + (size_t)i * ltv->info.n);
    }
    free(bits);
    return status;
}

rs_ltv_status_t rs_ltv_aes_add_blocks(rs_ltv_t *ltv, const uint8_t *blocks, uint32_t level, uint32_t *state) {
    if (!ltv || !blocks || !state) return RS_LTV_ERR_NULL;
    if (level < 1 || level > ltv->params.primes) return RS_LTV_ERR_LEVEL;
    const size_t n = ltv->info.n;
    uint8_t *messages = malloc(RS_LTV_STATE * n);
    if (!messages) return RS_LTV_ERR_MEMORY;
    const rs_ltv_status_t status = rs_ltv_aes_messages(ltv, blocks, 0, messages);
    for (uint32_t i = 0; i < level && status == RS_LTV_OK; i++) {
        for (uint32_t k = 0; k < RS_LTV_STATE; k++) {
            ltv_add_small(ltv, i, state + ltv_row(ltv, i, RS_LTV_STATE, k), (int8_t *)messages + k * n, 1);
        }
    }
    free(messages);
    return status;
}

rs_ltv_status_t rs_ltv_aes_decrypt(rs_ltv_t *ltv, const uint32_t *state, uint32_t level, uint8_t *blocks, double noise[2]) {
    if (!ltv || !state || !blocks) return RS_LTV_ERR_NULL;
    const ltv_aes_t *aes = tables();
    const uint32_t slots = ltv->info.slots;
    uint8_t *bits = malloc(slots), *coefficients = malloc(ltv->info.n);
    rs_ltv_status_t status = bits && coefficients ? RS_LTV_OK : RS_LTV_ERR_MEMORY;
    if (noise) noise[0] = noise[1] = 0;
    memset(blocks, 0, (size_t)slots * BYTES);
    for (uint32_t i = 0; i < RS_LTV_STATE && status == RS_LTV_OK; i++) {
        double one[2];
        status = rs_ltv_decrypt(ltv, state, level, RS_LTV_STATE, i, 1, coefficients, one);
        for (int k = 0; k < 2 && noise && status == RS_LTV_OK; k++) noise[k] = fmax(noise[k], one[k]);
        if (status == RS_LTV_OK) status = rs_ltv_decode(ltv, coefficients, bits);
        for (uint32_t j = 0; j < slots && status == RS_LTV_OK; j++) blocks[j * BYTES + i / 8] |= (uint8_t)(bits[j] << i % 8);
    }
    for (size_t k = 0; k < (size_t)slots * BYTES; k++) blocks[k] = aes->from[blocks[k]];
    free(bits);
    free(coefficients);
    return status;
}

// ---- a round --------------------------------------------------------------------------------------------------------------------
typedef struct round_run {
    rs_ltv_t *ltv;
    rs_ltv_round_t *record;
    int with_noise;
    rs_ltv_status_t status;
} round_run_t;

typedef struct values { // sixteen boxes' bits: set [level][16 count][n], predicted noise
    uint32_t *set;
    uint32_t count;
    double noise;
} values_t;

static void note(round_run_t *run, const char *name, const values_t *v, uint32_t level, uint32_t power) {
    rs_ltv_t *ltv = run->ltv;
    rs_ltv_round_t *record = run->record;
    if (!run->with_noise || run->status != RS_LTV_OK || record->step_count == RS_LTV_STEPS_MAX) return;
    rs_ltv_step_t *step = &record->steps[record->step_count++];
    *step = (rs_ltv_step_t){.level = level, .predicted = v->noise, .bound = ltv_noise_bound(ltv, level)};
    strncpy(step->name, name, sizeof step->name - 1);
    uint8_t *coefficients = malloc(ltv->info.n);
    if (!coefficients) run->status = RS_LTV_ERR_MEMORY;
    const uint32_t all = BYTES * v->count;
    for (uint32_t k = 0; k < SHOWN && run->status == RS_LTV_OK; k++) {
        double noise[2];
        run->status = rs_ltv_decrypt(ltv, v->set, level, all, k * (all / SHOWN), power, coefficients, noise);
        step->rms = k ? fmax(step->rms, noise[0]) : noise[0];
        step->max = k ? fmax(step->max, noise[1]) : noise[1];
    }
    free(coefficients);
}

static uint32_t terms_of(const ltv_forms_t *forms) {
    uint32_t most = 0;
    for (uint32_t k = 0; k < forms->count; k++) {
        uint32_t sum = 0;
        for (uint32_t i = 0; i < forms->left; i++) sum += (uint32_t)__builtin_popcount(forms->mask[k][i]);
        most = sum > most ? sum : most;
    }
    return most;
}

static ltv_operand_t part(const values_t *v, uint32_t first) { return (ltv_operand_t){v->set, BYTES * v->count, first, v->count}; }

// Product, relinearisation, switch: forms of left from bit `lf` on and right from bit `rf` on, at `level`; the result is of level - 1.
static values_t product(round_run_t *run, const char *name, const ltv_forms_t *forms, const values_t *left, uint32_t lf,
                        const values_t *right, uint32_t rf, uint32_t level) {
    rs_ltv_t *ltv = run->ltv;
    rs_ltv_round_t *record = run->record;
    const uint32_t all = BYTES * forms->count;
    values_t out = {NULL, forms->count, ltv_noise_product(ltv, left->noise, right->noise, terms_of(forms))};
    if (run->status != RS_LTV_OK) return out;
    char title[64];
    out.set = ltv_allocate((size_t)level * all * ltv->info.n * sizeof *out.set);
    if (!out.set) run->status = RS_LTV_ERR_MEMORY;
    double start = seconds();
    if (run->status == RS_LTV_OK) run->status = ltv_bilinear(ltv, forms, BYTES, part(left, lf), part(right, rf), level, out.set);
    record->products += seconds() - start;
    record->transforms += (uint64_t)level * BYTES * (forms->left + forms->right);
    record->inverses += (uint64_t)level * all;
    snprintf(title, sizeof title, "%s, product", name);
    note(run, title, &out, level, 2);
    start = seconds();
    if (run->status == RS_LTV_OK) run->status = rs_ltv_relinearise(ltv, out.set, level, all);
    record->relinearisation += seconds() - start;
    record->relinearisations += all;
    out.noise = ltv_noise_relinearised(ltv, out.noise, level);
    snprintf(title, sizeof title, "%s, relinearised", name);
    note(run, title, &out, level, 1);
    start = seconds();
    if (run->status == RS_LTV_OK) run->status = rs_ltv_switch(ltv, out.set, level, all);
    record->switching += seconds() - start;
    record->switches += all;
    out.noise = ltv_noise_switched(ltv, out.noise);
    note(run, name, &out, level - 1, 1);
    return out;
}

// to[bit] += from[bit'] of every box, modulo the first `level` primes
static void add_bit(rs_ltv_t *ltv, values_t *to, uint32_t box, uint32_t bit, const values_t *from, uint32_t from_box,
                    uint32_t from_bit, uint32_t level) {
    for (uint32_t i = 0; i < level; i++) {
        ltv->kernels->add(&ltv->mods[i], to->set + ltv_row(ltv, i, BYTES * to->count, box * to->count + bit),
                          from->set + ltv_row(ltv, i, BYTES * from->count, from_box * from->count + from_bit), ltv->info.n);
    }
}

static void add_linear(round_run_t *run, values_t *to, const uint8_t *rows, const values_t *from, uint32_t level) {
    if (run->status != RS_LTV_OK) return;
    const double start = seconds();
    int most = 1;
    for (uint32_t k = 0; k < to->count; k++) {
        most = __builtin_popcount(rows[k]) > most ? __builtin_popcount(rows[k]) : most;
        for (uint32_t box = 0; box < BYTES; box++) {
            for (uint32_t i = 0; i < from->count; i++) {
                if (rows[k] >> i & 1) add_bit(run->ltv, to, box, k, from, box, i, level);
            }
        }
    }
    to->noise = ltv_noise_sum(to->noise, from->noise + log2(most) / 2);
    run->record->linear += seconds() - start;
}

// ShiftRows, MixColumns (not in the last round), and the round key, which has the S-box's constant: the key becomes the state.
typedef struct mix_run {
    rs_ltv_t *ltv;
    values_t *key;
    const values_t *boxes;
    uint32_t level, round;
} mix_run_t;

static void mix_task(void *argument, size_t index) { // one bit of one byte
    const mix_run_t *run = argument;
    rs_ltv_t *ltv = run->ltv;
    if (ltv_halted(ltv)) return;
    const ltv_aes_t *aes = tables();
    const uint32_t byte = (uint32_t)index / 8, bit = (uint32_t)index % 8, column = byte / 4, row = byte % 4;
    for (uint32_t k = 0; k < (run->round == RS_LTV_ROUNDS ? 1 : 4); k++) {
        const uint32_t from_row = (row + k) % 4, from = 4 * ((column + from_row) % 4) + from_row;
        uint32_t mask = 1u << bit; // a set of bits of the byte, times 2 for k = 0, 3 for k = 1
        if (run->round < RS_LTV_ROUNDS && k == 0) mask = aes->doubling[bit];
        if (run->round < RS_LTV_ROUNDS && k == 1) mask ^= aes->doubling[bit];
        for (uint32_t i = 0; i < 8; i++) {
            if (mask >> i & 1) add_bit(ltv, run->key, byte, bit, run->boxes, from, i, run->level);
        }
    }
}

static void finish_round(round_run_t *run, uint32_t round, values_t *key, const values_t *boxes, uint32_t level) {
    if (run->status != RS_LTV_OK) return;
    const double start = seconds();
    mix_run_t mix = {run->ltv, key, boxes, level, round};
    run->status = ltv_run(run->ltv, mix_task, &mix, RS_LTV_STATE);
    key->noise = ltv_noise_sum(key->noise, boxes->noise + (round == RS_LTV_ROUNDS ? 0 : log2(9) / 2));
    run->record->linear += seconds() - start;
    note(run, "state", key, level, 1);
}

rs_ltv_status_t rs_ltv_aes_round(rs_ltv_t *ltv, uint32_t round, const uint32_t *state, uint32_t *key, uint32_t with_noise,
                                 rs_ltv_round_t *record) {
    if (!ltv || !state || !key || !record) return RS_LTV_ERR_NULL;
    memset(record, 0, sizeof *record);
    if (round < 1 || round > RS_LTV_ROUNDS || rs_ltv_aes_level(ltv, round) == 0) return RS_LTV_ERR_LEVEL;
    const ltv_aes_t *aes = tables();
    const uint32_t l = rs_ltv_aes_level(ltv, round - 1);
    round_run_t run = {ltv, record, with_noise != 0, RS_LTV_OK};
    const double fresh = ltv_noise_fresh(ltv);
    const values_t x = {(uint32_t *)(uintptr_t)state, 8, fresh}; // read only
    values_t next = {key, 8, fresh};
    const uint64_t cost = atomic_load(&ltv->cost);
    values_t norm = product(&run, "norm in GF(16)", &aes->norm16, &x, 4, &x, 0, l);
    add_linear(&run, &norm, aes->norm16_linear, &x, l - 1);
    values_t a, b, boxes;
    if (ltv->params.sbox_depth == 3) {
        a = product(&run, "a D^2, (a + b) D^2", &aes->numerator, &x, 0, &norm, 0, l - 1);
        b = product(&run, "D^12", &aes->twelfth, &norm, 0, &norm, 0, l - 1);
        free(norm.set);
        norm.set = NULL;
        boxes = product(&run, "S-box", &aes->output3, &a, 0, &b, 0, l - 2);
    } else {
        a = product(&run, "norm in GF(4)", &aes->norm4, &norm, 2, &norm, 0, l - 1);
        add_linear(&run, &a, aes->norm4_linear, &norm, l - 2);
        b = product(&run, "inverse in GF(16)", &aes->inverse16, &norm, 0, &a, 0, l - 2);
        free(norm.set);
        norm.set = NULL;
        boxes = product(&run, "S-box", &aes->output, &x, 0, &b, 0, l - 3);
    }
    free(norm.set);
    free(a.set);
    free(b.set);
    finish_round(&run, round, &next, &boxes, rs_ltv_aes_level(ltv, round));
    free(boxes.set);
    record->transforms += atomic_load(&ltv->cost) - cost; // transforms of relinearisations, with their inverses
    return run.status;
}

// Sets in the order of the circuit: forms, and how far below the state they are.
uint64_t rs_ltv_aes_cost(const rs_ltv_t *ltv, uint32_t round) {
    static const uint32_t COUNTS[2][4] = {{4, 8, 4, 8}, {4, 2, 4, 8}}, BELOW[2][4] = {{0, 1, 1, 2}, {0, 1, 2, 3}};
    const unsigned paper = ltv->params.sbox_depth == 4;
    uint64_t sum = 0;
    for (unsigned k = 0; k < 4 && round >= 1 && rs_ltv_aes_level(ltv, round); k++) {
        const uint32_t level = rs_ltv_aes_level(ltv, round - 1) - BELOW[paper][k];
        sum += BYTES * COUNTS[paper][k] * ltv_relinearisation_cost(&ltv->params, level);
    }
    return sum;
}
