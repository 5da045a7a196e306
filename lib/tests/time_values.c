// SPDX-License-Identifier: Apache-2.0
// time_values [SET ...]: how long rs_encode takes for values of several kinds, on each back end; microseconds, the best of many runs.
// The kinds take turns, so that the machine's moods meet all of them. The times should not differ: the values are secret.
#include "time_common.h"

enum { KINDS = 6, RUNS = 400 };

static const char *const KIND[KINDS] = {"ordinary", "zero", "1e-307", "subnormal", "1e-30", "mixed"};

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double value(unsigned kind, uint64_t *state) {
    const uint64_t random = *state = *state * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(int64_t)random * 0x1p-63;
    const uint64_t tiny = random & 0x800fffffffffffff;
    switch (kind) {
    case 0:
        return unit;
    case 1:
        return 0;
    case 2:
        return 1e-307 * unit;
    case 3:
        return from_bits(tiny);
    case 4:
        return 1e-30 * unit;
    default:
        return from_bits(tiny | (random >> 20) % 1023 << 52); // any exponent below 0
    }
}

static void measure(const char *back_end, const char *set) {
    rs_params_t params;
    rs_context_t *context = context_of(&params, set);
    const size_t n = rs_context_n(context);
    double *values[KINDS];
    uint64_t state = 1;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        values[kind] = allocate(n * sizeof(double));
        for (size_t i = 0; i < n; i++) values[kind][i] = value(kind, &state);
    }
    rs_plaintext_t plaintext = {.message = allocate(n * sizeof(double))};
    double best[KINDS];
    for (unsigned kind = 0; kind < KINDS; kind++) best[kind] = 1e30;
    for (unsigned run = 0; run < RUNS; run++) {
        for (unsigned kind = 0; kind < KINDS; kind++) {
            const double from = now();
            require(encode_values(context, &plaintext, values[kind], n / 2, 1, 0x1p20, 1));
            keep_best(&best[kind], now() - from);
        }
    }
    printf("%-9s%-8s", back_end, set);
    for (unsigned kind = 0; kind < KINDS; kind++) printf("%11.1f", best[kind]);
    printf("\n");
    for (unsigned kind = 0; kind < KINDS; kind++) free(values[kind]);
    free(coefs(&plaintext));
    free(context);
}

int main(int argc, char **argv) {
    const char *name;
    printf("us       set     ");
    for (unsigned kind = 0; kind < KINDS; kind++) printf("%11s", KIND[kind]);
    printf("\n");
    for (int i = 1; i < (argc > 1 ? argc : 2); i++) {
        for (unsigned k = 0; (name = next_back_end(&k));) measure(name, argc > 1 ? argv[i] : "lee-14");
    }
    return 0;
}
