// SPDX-License-Identifier: Apache-2.0
// Times of single operations, on arbitrary residues.
#define _POSIX_C_SOURCE 200809L
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scheme/scheme.h"

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t); // others may use the machine, too
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// One polynomial in x and scratch behind it.
static void transforms(rs_ltv_t *ltv, rs_ltv_timed_t what, const uint32_t *set, uint32_t *x) {
    const ltv_mod_t *mod = &ltv->mods[0];
    const size_t points = ltv->ring.points;
    if (what == RS_LTV_TIME_FORWARD)
        ltv->kernels->forward(mod, set, x, NULL);
    else if (what == RS_LTV_TIME_INVERSE)
        ltv->kernels->inverse(mod, x);
    else
        ltv->kernels->reduce(&ltv->ring, mod, x, x + points);
}

static rs_ltv_status_t sets(rs_ltv_t *ltv, rs_ltv_timed_t what, uint32_t *set, uint32_t *out, const ltv_reconstruction_t *crt) {
    const uint32_t level = ltv->params.primes;
    if (what == RS_LTV_TIME_PRODUCT) return rs_ltv_multiply(ltv, set, set, level, 1, out);
    if (what == RS_LTV_TIME_SWITCH) return rs_ltv_switch(ltv, set, level, 1);
    if (what == RS_LTV_TIME_RELINEARISE) return rs_ltv_relinearise(ltv, set, level, 4);
    ltv_split(ltv, crt, set, 1, 0, (uint16_t *)out);
    return RS_LTV_OK;
}

double rs_ltv_time(rs_ltv_t *ltv, rs_ltv_timed_t what, uint32_t times) {
    enum { INNER = 8, CIPHERTEXTS = 4 };
    const size_t n = ltv->info.n, words = (size_t)ltv->params.primes * CIPHERTEXTS * n;
    uint32_t *set = ltv_allocate(words * sizeof *set), *out = ltv_allocate((words + ltv_product_words(ltv) * 2) * sizeof *out);
    ltv_reconstruction_t crt = {.memory = NULL};
    double least = -1;
    if (set && out && ltv_reconstruction(ltv, ltv->params.primes, &crt) == RS_LTV_OK) {
        for (uint32_t i = 0; i < ltv->params.primes; i++) {
            uint32_t x = i + 1;
            for (size_t j = 0; j < CIPHERTEXTS * n; j++, x = x * 1664525 + 1013904223)
                set[ltv_row(ltv, i, CIPHERTEXTS, 0) + j] = x % ltv->mods[i].p;
        }
        ltv->kernels->forward(&ltv->mods[0], set, out, NULL);
        for (uint32_t t = 0; t < times; t++) {
            const double start = now();
            double one = 0;
            if (what <= RS_LTV_TIME_REDUCE) {
                for (int k = 0; k < INNER; k++) transforms(ltv, what, set, out);
                one = (now() - start) / INNER;
            } else {
                if (sets(ltv, what, set, out, &crt) != RS_LTV_OK) break;
                one = (now() - start) / (what == RS_LTV_TIME_RELINEARISE ? CIPHERTEXTS : 1);
            }
            if (least < 0 || one < least) least = one;
        }
    }
    free(crt.memory);
    free(set);
    free(out);
    return least;
}
