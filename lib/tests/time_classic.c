// SPDX-License-Identifier: Apache-2.0
// Times of NewHope-1024 and BLISS-BI on every back end, best of many runs, and the shares of transforms, Keccak, ChaCha and samplers in
// them. Not a test.
#include "time_common.h"

#include "classic_shares.h"

enum { RUNS = 400 };

static const char *const OPERATION[CLASSIC_OPERATIONS] = {"NewHope server", "NewHope client", "BLISS key pair", "BLISS sign",
                                                          "BLISS verify"};

static double best(classic_t *c, classic_operation_t operation, classic_part_t part) {
    double least = 1e30;
    for (unsigned run = 0; run < RUNS; run++) {
        const double from = now();
        require(classic_do(c, operation, part));
        keep_best(&least, now() - from);
    }
    return least;
}

int main(void) {
    static classic_t c;
    uint8_t *memory = allocate(classic_memory_bytes());
    void *workspace = allocate(classic_workspace_bytes());
    const char *name;
    printf("us of a whole operation, and percent of it; a signature is that of one attempt, 1.213 are the mean. Samplers without "
           "the streams\n"
           "%-9s%-16s%9s%7s%8s%8s%10s%7s\n",
           "back end", "operation", "us", "NTT", "Keccak", "ChaCha", "samplers", "rest");
    for (unsigned k = 0; (name = next_back_end(&k));) {
        require(classic_open(&c, memory, workspace));
        for (classic_operation_t operation = CLASSIC_SERVER; operation < CLASSIC_OPERATIONS; operation++) {
            double us[CLASSIC_PARTS];
            for (classic_part_t part = CLASSIC_WHOLE; part < CLASSIC_PARTS; part++) us[part] = best(&c, operation, part);
            if (operation == CLASSIC_KEYPAIR || operation == CLASSIC_VERIFY) us[CLASSIC_SAMPLERS] = 0;
            if (operation <= CLASSIC_CLIENT) us[CLASSIC_SAMPLERS] -= us[CLASSIC_CHACHA] + us[CLASSIC_KECCAK];
            const double percent = 100 / us[CLASSIC_WHOLE];
            const double rest =
                us[CLASSIC_WHOLE] - us[CLASSIC_NTT] - us[CLASSIC_KECCAK] - us[CLASSIC_CHACHA] - us[CLASSIC_SAMPLERS];
            printf("%-9s%-16s%9.1f%7.1f%8.1f%8.1f%10.1f%7.1f\n", name, OPERATION[operation], us[CLASSIC_WHOLE],
                   us[CLASSIC_NTT] * percent, us[CLASSIC_KECCAK] * percent, us[CLASSIC_CHACHA] * percent,
                   us[CLASSIC_SAMPLERS] * percent, rest * percent);
        }
    }
    free(memory);
    free(workspace);
    return 0;
}
