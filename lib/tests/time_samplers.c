// SPDX-License-Identifier: Apache-2.0
// Times of the samplers on every back end, best of many runs. Not a test.
#include "time_common.h"

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

static double microseconds(void (*sampler)(uint32_t log_n), uint32_t log_n) {
    double best = 1e30;
    for (unsigned run = 0; run < RUNS; run++) {
        const double from = now();
        sampler(log_n);
        keep_best(&best, now() - from);
    }
    return best;
}

int main(void) {
    const char *name;
    printf("ns per coefficient (us per polynomial); uniform modulo 50 bits by SHAKE256, BLAKE2Xb\nback end  log2 N");
    for (unsigned i = 0; i < COUNT; i++) printf(" %16s", SAMPLERS[i].name);
    printf("\n");
    for (unsigned k = 0; (name = next_back_end(&k));) {
        for (uint32_t log_n = 12; log_n <= LOG_N_MAX; log_n++) {
            printf("%-8s %7u", name, log_n);
            for (unsigned i = 0; i < COUNT; i++) {
                const double taken = microseconds(SAMPLERS[i].run, log_n);
                printf(" %6.2f (%7.1f)", 1000 * taken / (double)((size_t)1 << log_n), taken);
            }
            printf("\n");
        }
    }
    return 0;
}
