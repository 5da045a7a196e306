// SPDX-License-Identifier: Apache-2.0
// Times of ML-DSA on every back end. Not a test. Keys and verifications: the best of many runs; signatures: of one round (the best), and the
// mean of as many messages, each at its best of a few runs; without and with A kept from round to round.
#include "time_common.h"

enum { RUNS = 500, MESSAGES = 200, REPEATS = 5 };

typedef struct dsa {
    rs_mldsa_set_t set;
    const rs_mldsa_sizes_t *sizes;
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint16_t message;
    rs_memory_t workspace;
} dsa_t;

static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {1, 2, 3};

static void keygen(dsa_t *d) {
    require(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = d->set, .pk = {d->pk, d->sizes->pk},
                                       .sk = {d->sk, d->sizes->sk}, .seed = {XI, sizeof XI}, .workspace = d->workspace)));
}

static rs_mldsa_message_t text_of(const dsa_t *d) {
    return (rs_mldsa_message_t){.bytes = {(const uint8_t *)&d->message, sizeof d->message}};
}

static void sign(dsa_t *d) {
    require(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = d->set, .mode = RS_MLDSA_DETERMINISTIC,
                                     .sk = {d->sk, d->sizes->sk}, .message = text_of(d),
                                     .signature = {d->signature, d->sizes->signature}, .workspace = d->workspace)));
}

static void verify(dsa_t *d) {
    require(rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = d->set, .pk = {d->pk, d->sizes->pk}, .message = text_of(d),
                                       .signature = {d->signature, d->sizes->signature}, .workspace = d->workspace)));
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
            d.sizes = rs_mldsa_sizes(d.set);
            d.workspace = (rs_memory_t){allocate(d.sizes->fast_workspace), d.sizes->workspace};
            printf("%-9s %3d %9.1f", name, (int)d.set, microseconds(keygen, &d, RUNS));
            printf(" ");
            print_signatures(&d);
            d.workspace.n = d.sizes->fast_workspace;
            printf("    ");
            print_signatures(&d);
            printf(" %9.1f\n", microseconds(verify, &d, RUNS));
            free(d.workspace.p);
        }
    }
    return 0;
}
