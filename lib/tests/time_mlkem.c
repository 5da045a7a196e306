// SPDX-License-Identifier: Apache-2.0
// Times of ML-KEM on every back end, best of many runs. Not a test.
#include "time_common.h"

enum { RUNS = 2000 };

typedef struct kem {
    rs_mlkem_set_t set;
    size_t ek_bytes, dk_bytes, ct_bytes;
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX];
    uint8_t shared[RS_MLKEM_SHARED_BYTES];
} kem_t;

static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {1, 2, 3}, M[RS_MLKEM_RANDOM_BYTES] = {4, 5, 6};
static uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / sizeof(uint64_t)];

static void keygen(kem_t *k) {
    require(rs_mlkem_keygen_seed(k->set, k->ek, k->ek_bytes, k->dk, k->dk_bytes, SEED, sizeof SEED, workspace, sizeof workspace));
}

static void encaps(kem_t *k) {
    require(rs_mlkem_encaps_derand(k->set, k->ct, k->ct_bytes, k->shared, sizeof k->shared, k->ek, k->ek_bytes, M, sizeof M,
                                   workspace, sizeof workspace));
}

static void decaps(kem_t *k) {
    require(
        rs_mlkem_decaps(k->set, k->shared, sizeof k->shared, k->dk, k->dk_bytes, k->ct, k->ct_bytes, workspace, sizeof workspace));
}

static double microseconds(void (*operation)(kem_t *k), kem_t *k) {
    double best = 1e30;
    for (unsigned run = 0; run < RUNS; run++) {
        const double from = now();
        operation(k);
        keep_best(&best, now() - from);
    }
    return best;
}

int main(void) {
    static const rs_mlkem_set_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    static kem_t k;
    const char *name;
    printf("us per operation\nback end   set  keygen  encaps  decaps\n");
    for (unsigned back_end = 0; (name = next_back_end(&back_end));) {
        for (unsigned i = 0; i < sizeof SETS / sizeof *SETS; i++) {
            k.set = SETS[i];
            k.ek_bytes = rs_mlkem_ek_bytes(k.set);
            k.dk_bytes = rs_mlkem_dk_bytes(k.set);
            k.ct_bytes = rs_mlkem_ct_bytes(k.set);
            printf("%-9s %4d", name, (int)k.set);
            printf(" %7.1f", microseconds(keygen, &k));
            printf(" %7.1f", microseconds(encaps, &k));
            printf(" %7.1f\n", microseconds(decaps, &k));
        }
    }
    return 0;
}
