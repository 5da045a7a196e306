// SPDX-License-Identifier: Apache-2.0
// What an instance of the scheme holds, and the steps that its files share.
#ifndef RINGSIDE_LTV_SCHEME_H
#define RINGSIDE_LTV_SCHEME_H

#include <pthread.h>
#include <ringside/pool.h>
#include <ringside_ltv/ringside_ltv.h>
#include <stdatomic.h>

#include "kernels/kernels.h"
#include "ring/ring.h"
#include "scheme/slots.h"

enum { LTV_SCRATCH_MAX = RS_POOL_THREADS_MAX + 1, LTV_DIGITS_MAX = 112 };

typedef struct ltv_scratch {
    void *memory;
    size_t bytes;
    int busy;
} ltv_scratch_t;

struct rs_ltv {
    rs_ltv_params_t params;
    rs_ltv_info_t info;
    ltv_ring_t ring;
    const ltv_kernels_t *kernels;
    rs_pool_t pool;
    ltv_mod_t mods[LTV_PRIMES_MAX];
    uint32_t *tables;
    uint8_t digest[RS_LTV_DIGEST_BYTES];
    ltv_slots_t slots;
    double expansion; // root mean square of a product of ternary polynomials over sqrt(4/9 n)
    // keys in transformed form, scaled so that Montgomery product and inverse transform give the product: [prime][points], and for
    // evaluation keys [row][digit][points]
    int8_t *f;
    uint32_t *secret, *public_key, *evaluation;
    uint8_t is_loaded[LTV_DIGITS_MAX]; // digits of the evaluation key
    // scratch memory of tasks
    pthread_mutex_t mutex;
    ltv_scratch_t scratch[LTV_SCRATCH_MAX];
    atomic_int failed; // a task had no memory
    atomic_int stop;
    _Atomic uint64_t done, cost;
};

// One row of a set.
static inline size_t ltv_row(const rs_ltv_t *ltv, uint32_t prime, uint32_t count, uint32_t index) {
    return ((size_t)prime * count + index) * ltv->info.n;
}

void *ltv_allocate(size_t bytes); // aligned to a line of the cache; NULL: none left
// Memory for one task, NULL after a failure, which the run then reports.
void *ltv_take(rs_ltv_t *ltv, size_t bytes);
void ltv_give(rs_ltv_t *ltv, void *memory);
// Runs tasks on the pool and says how that ended. Tasks look at ltv_halted() before they begin.
rs_ltv_status_t ltv_run(rs_ltv_t *ltv, rs_task_t task, void *argument, size_t count);
int ltv_halted(rs_ltv_t *ltv);

// ---- one prime (products.c) ---------------------------------------------------------------------------------------------------
size_t ltv_product_words(const rs_ltv_t *ltv); // words of scratch
// key = transform of c, as a constant factor
void ltv_to_key(const rs_ltv_t *ltv, uint32_t prime, const uint32_t *c, uint32_t *key);
// out = c key modulo Phi; out may be c
void ltv_by_key(const rs_ltv_t *ltv, uint32_t prime, const uint32_t *c, const uint32_t *key, uint32_t *out, uint32_t *scratch);
void ltv_residues(const rs_ltv_t *ltv, uint32_t prime, const int8_t *x, uint32_t *out);
// x = x + scalar y for small y
void ltv_add_small(const rs_ltv_t *ltv, uint32_t prime, uint32_t *x, const int8_t *y, uint32_t scalar);

// ---- randomness (sample.c) ----------------------------------------------------------------------------------------------------
typedef enum ltv_purpose { LTV_FOR_SECRET = 1, LTV_FOR_PUBLIC, LTV_FOR_KEY_S, LTV_FOR_KEY_E, LTV_FOR_S, LTV_FOR_E } ltv_purpose_t;
// n coefficients -1, 0, 1, uniform
void ltv_ternary(const rs_ltv_t *ltv, const uint8_t seed[RS_LTV_SEED_BYTES], ltv_purpose_t purpose, uint64_t index, int8_t *out);

// ---- sets ---------------------------------------------------------------------------------------------------------------------
// Bilinear forms of `boxes` boxes: operand a of box b is number left_first + b * left_step + a of its set.
typedef struct ltv_operand {
    const uint32_t *set;
    uint32_t count, first, step;
} ltv_operand_t;
// out [level][boxes forms->count][n], under f^2
rs_ltv_status_t ltv_bilinear(rs_ltv_t *ltv, const ltv_forms_t *forms, uint32_t boxes, ltv_operand_t left, ltv_operand_t right,
                             uint32_t level, uint32_t *out);
rs_ltv_status_t ltv_windows(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count);
rs_ltv_status_t ltv_hybrid(rs_ltv_t *ltv, uint32_t *set, uint32_t level, uint32_t count);
// Transforms of one relinearisation.
uint64_t ltv_relinearisation_cost(const rs_ltv_params_t *params, uint32_t level);
uint32_t ltv_window_count(const rs_ltv_params_t *params, uint32_t level);
// Divides row r < rows of one ciphertext by the prime of row `rows`; prime_of(r) is r, or from `level` on a special prime. stride: words
// between rows. even: scratch, n words
void ltv_drop(const rs_ltv_t *ltv, uint32_t *set, size_t stride, uint32_t rows, uint32_t level, int32_t *even);
// Digits of ciphertext `index` (windows.c): memory of tables is the caller's.
typedef struct ltv_reconstruction {
    ltv_crt_t crt;
    const ltv_mod_t *mods[LTV_PRIMES_MAX];
    uint32_t *memory;
} ltv_reconstruction_t;
rs_ltv_status_t ltv_reconstruction(const rs_ltv_t *ltv, uint32_t level, ltv_reconstruction_t *out);
void ltv_split(const rs_ltv_t *ltv, const ltv_reconstruction_t *crt, const uint32_t *set, uint32_t count, uint32_t index,
               uint16_t *digits);

// log2 of root mean squares, by formula (noise.c)
double ltv_noise_fresh(const rs_ltv_t *ltv);
double ltv_noise_floor(const rs_ltv_t *ltv);
double ltv_noise_product(const rs_ltv_t *ltv, double a, double b, double terms);
double ltv_noise_relinearised(const rs_ltv_t *ltv, double product, uint32_t level);
double ltv_noise_switched(const rs_ltv_t *ltv, double noise);
double ltv_noise_sum(double a, double b);
double ltv_noise_bound(const rs_ltv_t *ltv, uint32_t level);

#endif
