// SPDX-License-Identifier: Apache-2.0
// Times of single operations at full size, one thread: time_ltv [backend] [m]. The least of several.
#include <ringside_ltv/ringside_ltv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void key(rs_ltv_t *ltv) {
    static const uint8_t SEED[32] = {9};
    rs_ltv_info_t info;
    rs_ltv_info(ltv, &info);
    uint32_t *rows = aligned_alloc(64, (size_t)info.key_rows * info.n * sizeof *rows);
    int8_t *f = malloc(info.n);
    rs_ltv_status_t status = rows && f ? rs_ltv_secret(ltv, SEED, f) : RS_LTV_ERR_MEMORY;
    if (status == RS_LTV_OK) status = rs_ltv_public(ltv, SEED, rows);
    for (uint32_t d = 0; d < info.digits && status == RS_LTV_OK; d++) status = rs_ltv_evaluation(ltv, SEED, d, rows);
    if (status != RS_LTV_OK) fprintf(stderr, "time_ltv: %s\n", rs_ltv_message(status)), exit(1);
    free(rows);
    free(f);
}

int main(int count, char **arguments) {
    const char *backend = count > 1 && strcmp(arguments[1], "best") ? arguments[1] : NULL;
    const uint32_t m = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 65535;
    static const struct {
        const char *name;
        uint32_t times;
    } OPERATIONS[] = {{"transform", 50},          {"inverse transform", 50},  {"reduction modulo Phi", 50},
                      {"product, all primes", 5}, {"residues to windows", 5}, {"modulus switching", 10},
                      {"relinearisation", 2}};
    for (uint32_t depth = 4; depth >= 3; depth--) {
        for (uint32_t hybrid = 0; hybrid < 2; hybrid++) {
            const rs_ltv_params_t params = rs_ltv_default(m, depth, hybrid);
            rs_ltv_t *ltv;
            const rs_ltv_status_t status = rs_ltv_open(&ltv, &params, backend, 1);
            if (status != RS_LTV_OK) return fprintf(stderr, "time_ltv: %s\n", rs_ltv_message(status)), 1;
            key(ltv);
            printf("m %u, %u + %u primes, %s\n", m, params.primes, params.special, rs_ltv_backend(ltv));
            for (unsigned k = 0; k < sizeof OPERATIONS / sizeof OPERATIONS[0]; k++) {
                printf("  %-22s %10.1f us\n", OPERATIONS[k].name, rs_ltv_time(ltv, (rs_ltv_timed_t)k, OPERATIONS[k].times) * 1e6);
                fflush(stdout);
            }
            rs_ltv_close(ltv);
        }
    }
    return 0;
}
