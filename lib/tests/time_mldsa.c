// SPDX-License-Identifier: Apache-2.0
// Times of ML-DSA on every back end. Not a test. Keys and verifications: the best of many runs; signatures: of one round (the best), and the
// mean of as many messages, each at its best of a few runs; without and with A kept from round to round.
#include "time_common.h"

enum { RUNS = 500, MESSAGES = 200, REPEATS = 5 };

typedef struct dsa {
    rs_mldsa_set_t set;
    size_t pk_bytes, sk_bytes, signature_bytes;
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint16_t message;
    void *workspace;
    size_t workspace_bytes;
} dsa_t;

static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {1, 2, 3};

static void keygen(dsa_t *d) {
    require(rs_mldsa_keygen_seed(d->set, d->pk, d->pk_bytes, d->sk, d->sk_bytes, XI, sizeof XI, d->workspace, d->workspace_bytes));
}

static void sign(dsa_t *d) {
    require(rs_mldsa_sign_deterministic(d->set, d->signature, d->signature_bytes, d->sk, d->sk_bytes, (const uint8_t *)&d->message,
                                        sizeof d->message, NULL, 0, d->workspace, d->workspace_bytes));
}

static void verify(dsa_t *d) {
    require(rs_mldsa_verify(d->set, d->pk, d->pk_bytes, (const uint8_t *)&d->message, sizeof d->message, NULL, 0, d->signature,
                            d->signature_bytes, d->workspace, d->workspace_bytes));
}

static double microseconds(void (*operation)(dsa_t *d), dsa_t *d, unsigned runs) {
    double best = 1e30;
    for (unsigned run = 0; run < runs; run++) {
        const double from = now();
        operation(d);
        keep_best(&best, now() - from);
    }
    return best;
}

static void print_signatures(dsa_t *d) {
    double sum = 0, shortest = 1e30;
    for (d->message = 0; d->message < MESSAGES; d->message++) {
        const double taken = microseconds(sign, d, REPEATS);
        sum += taken;
        keep_best(&shortest, taken);
    }
    d->message--; // the signature's
    printf(" %9.1f %9.1f", shortest, sum / MESSAGES);
}

int main(void) {
    static const rs_mldsa_set_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    static dsa_t d;
    const char *name;
    printf("us per operation\nback end  set    keygen  one round      mean  A kept: one      mean    verify\n");
    for (unsigned back_end = 0; (name = next_back_end(&back_end));) {
        for (unsigned i = 0; i < sizeof SETS / sizeof *SETS; i++) {
            d.set = SETS[i];
            d.pk_bytes = rs_mldsa_pk_bytes(d.set);
            d.sk_bytes = rs_mldsa_sk_bytes(d.set);
            d.signature_bytes = rs_mldsa_signature_bytes(d.set);
            const size_t fast = rs_mldsa_fast_workspace_size(d.set);
            d.workspace = allocate(fast);
            d.workspace_bytes = rs_mldsa_workspace_size(d.set);
            printf("%-9s %3d %9.1f", name, (int)d.set, microseconds(keygen, &d, RUNS));
            printf(" ");
            print_signatures(&d);
            d.workspace_bytes = fast;
            printf("    ");
            print_signatures(&d);
            printf(" %9.1f\n", microseconds(verify, &d, RUNS));
            free(d.workspace);
        }
    }
    return 0;
}
