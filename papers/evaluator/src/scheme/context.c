// SPDX-License-Identifier: Apache-2.0
// An instance: parameters and tables.
#define _POSIX_C_SOURCE 200809L
#include <ringside/xof.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scheme/scheme.h"

static const char *const MESSAGES[RS_LTV_STATUS_COUNT] = {
    [RS_LTV_OK] = "no error",
    [RS_LTV_ERR_RING] = "there is no such ring: m is 255, 4369, 21845 or 65535",
    [RS_LTV_ERR_PRIMES] = "too few or too many primes for ten rounds and this library, or primes not of 27 to 31 bits",
    [RS_LTV_ERR_DEPTH] = "the S-box has depth 3, or 4 as in the paper",
    [RS_LTV_ERR_BACKEND] = "no back end of that name on this machine: portable, avx2 and avx512 are known",
    [RS_LTV_ERR_THREADS] = "the system refuses to start that many threads",
    [RS_LTV_ERR_MEMORY] = "the system has no memory left",
    [RS_LTV_ERR_LEVEL] = "a level, index or round outside of its range",
    [RS_LTV_ERR_RESIDUE] = "a residue is not below its prime: the data are damaged, or of other parameters",
    [RS_LTV_ERR_SECRET] = "this is no secret key: f must be 2 u + 1 with u ternary, and invertible",
    [RS_LTV_ERR_KEY] = "a key that this step needs has not been loaded",
    [RS_LTV_ERR_SLOTS] = "the decryption is no vector of bits: the noise is too large, or the secret key belongs to others",
    [RS_LTV_ERR_STOPPED] = "stopped before the end",
    [RS_LTV_ERR_NULL] = "a required pointer is NULL",
};

const char *rs_ltv_message(rs_ltv_status_t status) {
    return status < RS_LTV_STATUS_COUNT && MESSAGES[status] ? MESSAGES[status] : "unknown status";
}

rs_ltv_params_t rs_ltv_default(uint32_t m, uint32_t sbox_depth, uint32_t hybrid) {
    // a level per product and round, and one prime for the last decryption; groups of 8 or 7 primes divide them about evenly
    const uint32_t primes = sbox_depth * RS_LTV_ROUNDS + 1;
    return (rs_ltv_params_t){m, primes, hybrid ? (sbox_depth == 3 ? 8 : 7) : 0, 31, sbox_depth, 1};
}

// ---- parameters ---------------------------------------------------------------------------------------------------------------
static rs_ltv_status_t check(const rs_ltv_params_t *p) {
    if (p->sbox_depth != 3 && p->sbox_depth != 4) return RS_LTV_ERR_DEPTH;
    // each alone first: a file of other people's may say any numbers, and a sum wraps around
    const int fits = p->primes >= 2 && p->primes <= LTV_PRIMES_MAX && p->special <= LTV_SPECIAL_MAX;
    if (!fits || p->primes + p->special > LTV_PRIMES_MAX) return RS_LTV_ERR_PRIMES;
    if (p->prime_bits < 27 || p->prime_bits > 31) return RS_LTV_ERR_PRIMES;
    if (p->key_power != 1 && p->key_power != 2) return RS_LTV_ERR_KEY;
    return RS_LTV_OK;
}

// Ten rounds hold, beside tables and keys: the state, the round key, and three sets of a round; slots; a process.
static uint64_t memory_bytes(const rs_ltv_params_t *p, const rs_ltv_info_t *info, uint32_t threads) {
    const uint64_t row = 4 * (uint64_t)info->n, points = 4 * (uint64_t)info->points;
    const uint64_t process = 96 << 20, slots = (uint64_t)info->slots * info->n / 8 + (uint64_t)128 * info->n;
    const uint64_t tables = info->all_primes * (4 * 2 * points + 2 * points);
    const uint64_t evaluation = (uint64_t)info->digits * info->key_rows * points;
    const uint64_t sets = (uint64_t)p->primes * row * (p->sbox_depth == 3 ? 128 + 128 + 128 + 64 + 128 : 128 + 128 + 64 + 32 + 128);
    const uint64_t batch = p->special ? 0 : 32 * (uint64_t)info->digits * row / 2;
    const uint64_t task = p->special ? 4 * row * (2 * (uint64_t)p->primes + p->special) : 22 * points;
    return process + slots + tables + evaluation + sets + batch + task * threads;
}

static void describe(rs_ltv_info_t *info, const rs_ltv_params_t *p, const ltv_ring_t *ring, uint32_t threads) {
    *info = (rs_ltv_info_t){.n = ring->n, .points = ring->points, .slots = ring->slots, .order = ring->order};
    info->all_primes = p->primes + p->special;
    info->key_rows = info->all_primes;
    info->digits = p->special ? (p->primes + p->special - 1) / p->special : ltv_window_count(p, p->primes);
    info->relinearisations = RS_LTV_ROUNDS * 16 * (p->sbox_depth == 3 ? 4 + 8 + 4 + 8 : 4 + 2 + 4 + 8);
    info->threads = threads;
    info->log2_q = p->primes * (double)p->prime_bits;
    info->memory_bytes = memory_bytes(p, info, threads);
}

rs_ltv_status_t rs_ltv_describe(rs_ltv_info_t *info, const rs_ltv_params_t *params, uint32_t threads) {
    ltv_ring_t ring;
    if (!info || !params) return RS_LTV_ERR_NULL;
    if (!ltv_ring_init(&ring, params->m)) return RS_LTV_ERR_RING;
    const rs_ltv_status_t status = check(params);
    if (status == RS_LTV_OK) describe(info, params, &ring, threads ? threads : rs_pool_threads());
    return status;
}

static void hash_parameters(rs_ltv_t *ltv) {
    const rs_ltv_params_t *p = &ltv->params;
    const uint32_t words[] = {p->m, p->primes, p->special, p->prime_bits, p->sbox_depth, p->key_power};
    uint8_t bytes[sizeof words + 4 * LTV_PRIMES_MAX] = {0};
    size_t at = 0;
    for (size_t i = 0; i < sizeof words / sizeof words[0] + ltv->info.all_primes; i++) {
        const uint32_t word = i < sizeof words / sizeof words[0] ? words[i] : ltv->mods[i - sizeof words / sizeof words[0]].p;
        for (int k = 0; k < 4; k++) bytes[at++] = (uint8_t)(word >> 8 * k);
    }
    rs_sponge_hash(RS_SPONGE_SHA3_256, ltv->digest, sizeof ltv->digest, bytes, at);
}

// ---- opening and closing ------------------------------------------------------------------------------------------------------
static rs_ltv_status_t build_tables(rs_ltv_t *ltv) {
    uint32_t primes[LTV_PRIMES_MAX];
    if (!ltv_primes(&ltv->ring, ltv->params.prime_bits, primes, ltv->info.all_primes)) return RS_LTV_ERR_PRIMES;
    const size_t words = ltv_mod_words(&ltv->ring, ltv->kernels->log_lanes), points = ltv->ring.points;
    ltv->tables = ltv_allocate(words * ltv->info.all_primes * sizeof *ltv->tables);
    ltv->secret = ltv_allocate(points * ltv->info.all_primes * sizeof *ltv->secret);
    ltv->public_key = ltv_allocate(points * ltv->info.all_primes * sizeof *ltv->public_key);
    ltv->f = calloc(ltv->ring.n, 1);
    if (!ltv->tables || !ltv->secret || !ltv->public_key || !ltv->f) return RS_LTV_ERR_MEMORY;
    memset(ltv->public_key, 0, points * ltv->info.all_primes * sizeof *ltv->public_key);
    for (uint32_t i = 0; i < ltv->info.all_primes; i++) {
        ltv_mod_init(&ltv->mods[i], &ltv->ring, primes[i], ltv->kernels->log_lanes, ltv->tables + i * words);
    }
    return ltv_slots_init(&ltv->slots, &ltv->ring) ? RS_LTV_OK : RS_LTV_ERR_MEMORY;
}

// How much longer a product of ternary polynomials is than modulo X^n + 1: noise formulas need it (41 for m = 65535).
static rs_ltv_status_t measure_expansion(rs_ltv_t *ltv) {
    static const uint8_t SEED[RS_LTV_SEED_BYTES] = {0};
    const size_t n = ltv->info.n;
    int8_t *small = malloc(n);
    uint32_t *a = ltv_allocate((n + ltv->ring.points + ltv_product_words(ltv)) * sizeof *a);
    if (small && a) {
        uint32_t *key = a + n, *scratch = key + ltv->ring.points;
        ltv_ternary(ltv, SEED, LTV_FOR_S, 0, small);
        ltv_residues(ltv, 0, small, a);
        ltv_to_key(ltv, 0, a, key);
        ltv_ternary(ltv, SEED, LTV_FOR_E, 0, small);
        ltv_residues(ltv, 0, small, a);
        ltv_by_key(ltv, 0, a, key, a, scratch);
        double sum = 0;
        for (size_t j = 0; j < n; j++) {
            const double x = a[j] > ltv->mods[0].p / 2 ? (double)a[j] - ltv->mods[0].p : (double)a[j];
            sum += x * x;
        }
        ltv->expansion = sqrt(sum / (double)n) / sqrt((double)n * 4 / 9);
    }
    const int done = small && a;
    free(small);
    free(a);
    return done ? RS_LTV_OK : RS_LTV_ERR_MEMORY;
}

rs_ltv_status_t rs_ltv_open(rs_ltv_t **out, const rs_ltv_params_t *params, const char *backend, uint32_t threads) {
    if (!out || !params) return RS_LTV_ERR_NULL;
    *out = NULL;
    rs_ltv_info_t info;
    rs_ltv_status_t status = rs_ltv_describe(&info, params, threads);
    if (status != RS_LTV_OK) return status;
    const ltv_kernels_t *kernels = ltv_kernels_find(backend);
    if (!kernels) return RS_LTV_ERR_BACKEND;
    rs_ltv_t *ltv = calloc(1, sizeof *ltv);
    if (!ltv) return RS_LTV_ERR_MEMORY;
    ltv->params = *params;
    ltv->info = info;
    ltv->kernels = kernels;
    ltv_ring_init(&ltv->ring, params->m);
    pthread_mutex_init(&ltv->mutex, NULL);
    status = rs_pool_create(&ltv->pool, info.threads) == RS_OK ? RS_LTV_OK : RS_LTV_ERR_THREADS;
    if (status == RS_LTV_OK) status = build_tables(ltv);
    if (status == RS_LTV_OK) {
        hash_parameters(ltv);
        status = measure_expansion(ltv);
    }
    if (status != RS_LTV_OK) {
        rs_ltv_close(ltv);
        return status;
    }
    *out = ltv;
    return RS_LTV_OK;
}

void rs_ltv_close(rs_ltv_t *ltv) {
    if (!ltv) return;
    if (ltv->pool.run) rs_pool_destroy(&ltv->pool);
    if (ltv->f) rs_zeroize(ltv->f, ltv->ring.n);
    if (ltv->secret) rs_zeroize(ltv->secret, (size_t)ltv->ring.points * ltv->info.all_primes * sizeof *ltv->secret);
    for (size_t i = 0; i < LTV_SCRATCH_MAX; i++) {
        if (ltv->scratch[i].memory) rs_zeroize(ltv->scratch[i].memory, ltv->scratch[i].bytes);
        free(ltv->scratch[i].memory);
    }
    ltv_slots_free(&ltv->slots);
    free(ltv->f);
    free(ltv->secret);
    free(ltv->public_key);
    free(ltv->evaluation);
    free(ltv->tables);
    pthread_mutex_destroy(&ltv->mutex);
    free(ltv);
}

void rs_ltv_info(const rs_ltv_t *ltv, rs_ltv_info_t *info) { *info = ltv->info; }

const char *rs_ltv_backend(const rs_ltv_t *ltv) { return ltv->kernels->name; }

uint32_t rs_ltv_prime(const rs_ltv_t *ltv, uint32_t index) { return index < ltv->info.all_primes ? ltv->mods[index].p : 0; }

void rs_ltv_digest(const rs_ltv_t *ltv, uint8_t digest[32]) { memcpy(digest, ltv->digest, sizeof ltv->digest); }
