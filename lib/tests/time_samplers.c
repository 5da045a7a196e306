// SPDX-License-Identifier: Apache-2.0
// Times of the samplers on every back end, best of many runs. Not a test.
#define _POSIX_C_SOURCE 199309L
#include <ringside/ringside.h>
#include <stdio.h>
#include <time.h>

enum { LOG_N_MAX = 15, RUNS = 60 };

static uint64_t polynomial[1 << LOG_N_MAX];
static const rs_seed_t SEED = {{1, 2, 3}};

static void cbd21(uint32_t log_n) {
    rs_sample_cbd21((int8_t *)polynomial, (size_t)1 << log_n, &SEED, RS_DOMAIN_E0);
}

static void ternary(uint32_t log_n) {
    rs_sample_ternary((int8_t *)polynomial, (size_t)1 << log_n, &SEED, RS_DOMAIN_U);
}

static void uniform(uint32_t log_n, rs_seed_type_t type) {
    static rs_uniform_t state;
    rs_ignore(rs_uniform_init(&state, type, &SEED, log_n, 1));
    rs_ignore(rs_uniform_next(&state, ((uint64_t)1 << 50) - 27, polynomial));
}

static void shake256(uint32_t log_n) {
    uniform(log_n, RS_SEED_SHAKE256);
}

static void blake2xb(uint32_t log_n) {
    uniform(log_n, RS_SEED_BLAKE2XB);
}

static const struct {
    const char *name;
    void (*run)(uint32_t log_n);
} SAMPLERS[] = {{"cbd21", cbd21}, {"ternary", ternary}, {"SHAKE256", shake256}, {"BLAKE2Xb", blake2xb}};
enum { COUNT = sizeof SAMPLERS / sizeof *SAMPLERS };

static double nanoseconds(void (*sampler)(uint32_t log_n), uint32_t log_n) {
    double best = 1e30;
    for (unsigned run = 0; run < RUNS; run++) {
        struct timespec from, to;
        clock_gettime(CLOCK_MONOTONIC, &from);
        sampler(log_n);
        clock_gettime(CLOCK_MONOTONIC, &to);
        const double taken = (double)(to.tv_sec - from.tv_sec) * 1e9 + (double)(to.tv_nsec - from.tv_nsec);
        if (taken < best) best = taken;
    }
    return best;
}

int main(void) {
    static const char *const NAMES[] = {"portable", "avx2", "avx512"};
    printf("ns per coefficient (us per polynomial); uniform modulo 50 bits by SHAKE256, BLAKE2Xb\nback end  log2 N");
    for (unsigned i = 0; i < COUNT; i++) printf(" %16s", SAMPLERS[i].name);
    printf("\n");
    for (unsigned k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        if (rs_backend_select(NAMES[k]) != RS_OK) continue;
        for (uint32_t log_n = 12; log_n <= LOG_N_MAX; log_n++) {
            printf("%-8s %7u", NAMES[k], log_n);
            for (unsigned i = 0; i < COUNT; i++) {
                const double taken = nanoseconds(SAMPLERS[i].run, log_n);
                printf(" %6.2f (%7.1f)", taken / (double)((size_t)1 << log_n), taken / 1000);
            }
            printf("\n");
        }
    }
    return 0;
}
