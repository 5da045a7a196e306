// SPDX-License-Identifier: Apache-2.0
// Times of ML-KEM on every back end, best of many runs. Not a test.
#include "time_common.h"

enum { RUNS = 2000 };

typedef struct kem {
    rs_mlkem_set_t set;
    const rs_mlkem_sizes_t *sizes;
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX];
    uint8_t shared[RS_MLKEM_SHARED_BYTES];
} kem_t;

static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {1, 2, 3}, M[RS_MLKEM_RANDOM_BYTES] = {4, 5, 6};
static uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / sizeof(uint64_t)];

static const rs_memory_t WORKSPACE = {workspace, sizeof workspace};

static void keygen(kem_t *k) {
    require(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = k->set, .ek = {k->ek, k->sizes->ek},
                                       .dk = {k->dk, k->sizes->dk}, .seed = {SEED, sizeof SEED}, .workspace = WORKSPACE)));
}

static void encaps(kem_t *k) {
    require(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = k->set, .ek = {k->ek, k->sizes->ek},
                                       .ct = {k->ct, k->sizes->ct}, .shared = {k->shared, sizeof k->shared}, .m = {M, sizeof M},
                                       .workspace = WORKSPACE)));
}

static void decaps(kem_t *k) {
    require(
        rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = k->set, .dk = {k->dk, k->sizes->dk},
                                   .ct = {k->ct, k->sizes->ct}, .shared = {k->shared, sizeof k->shared}, .workspace = WORKSPACE)));
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
            k.sizes = rs_mlkem_sizes(k.set);
            printf("%-9s %4d", name, (int)k.set);
            printf(" %7.1f", microseconds(keygen, &k));
            printf(" %7.1f", microseconds(encaps, &k));
            printf(" %7.1f\n", microseconds(decaps, &k));
        }
    }
    return 0;
}
