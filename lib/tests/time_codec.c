// SPDX-License-Identifier: Apache-2.0
// Microseconds of the transforms, of encode and of decode on every back end, best of many runs. Not a test.
// Decoding begins with an inverse NTT per limb. Here it does nothing: the residues are those of coefficients already.
#include "time_common.h"

#include <ringside/golden.h>

#include "ckks/context.h"

enum { RUNS = 400, RUNS_LONG = 40 };

typedef struct bench {
    const rs_context_t *context;
    uint32_t n;
    uint32_t limbs; // limbs of a plaintext
    double scale;
    double *values; // N/2
    rs_plaintext_t message;
    uint64_t *residues; // residues of the message
    rs_plaintext_t plaintext;
    uint64_t *workspace;
} bench_t;

static void fft_inverse(bench_t *b) {
    rs_fft_inverse(b->context, coefs(&b->message), coefs(&b->message) + b->n / 2, 0x1p-10);
}

static void fft_forward(bench_t *b) {
    rs_fft_forward(b->context, coefs(&b->message), coefs(&b->message) + b->n / 2);
}

static void encode(bench_t *b) {
    require(encode_values(b->context, &b->message, b->values, b->n / 2, 0, b->scale, b->limbs));
}

static void decode(bench_t *b) {
    require(decode_values(b->context, &b->plaintext, b->values, b->n / 2, 0, b->workspace, decrypt_bytes(b->context)));
}

static void no_ntt(const rs_limb_t *limb, uint64_t *poly) {
    (void)limb;
    (void)poly;
}

// Residues for the operations that consume them; values and coefficients of usual size for the others.
static void prepare(bench_t *b) {
    memcpy(b->plaintext.ntt, b->residues, (size_t)b->limbs * b->n * sizeof *b->residues);
    b->plaintext.form = RS_FORM_NTT;
    b->plaintext.limb_count = b->limbs;
    b->plaintext.scale = b->scale;
    memcpy(b->plaintext.parms_id, rs_context_parms_id(b->context, b->limbs), RS_PARMS_ID_BYTES);
    for (uint32_t i = 0; i < b->n / 2; i++) b->values[i] = (double)(i * 2654435761u % 2001) / 1000 - 1;
    memcpy(coefs(&b->message), b->values, b->n / 2 * sizeof *b->values);
    memset(coefs(&b->message) + b->n / 2, 0, b->n / 2 * sizeof *b->values);
}

static double microseconds(bench_t *b, void (*operation)(bench_t *), unsigned runs) {
    double best = 1e30;
    for (unsigned run = 0; run < runs; run++) {
        prepare(b);
        const double from = now();
        operation(b);
        keep_best(&best, now() - from);
    }
    return best;
}

static void set(const char *back_end, const char *name) {
    rs_params_t params;
    rs_context_t *context = context_of(&params, name);
    bench_t b = {.context = context};
    b.n = rs_context_n(b.context);
    b.scale = params.log_n < 14 ? 0x1p20 : 0x1p40;
    const uint32_t all_limbs = b.limbs = rs_params_data_limbs(&params);
    const size_t words = (size_t)b.limbs * b.n;
    b.values = allocate(b.n / 2 * sizeof(double));
    b.message.message = allocate(b.n * sizeof(double));
    b.residues = allocate(words * sizeof(uint64_t));
    b.plaintext.ntt = allocate(words * sizeof(uint64_t));
    b.workspace = allocate(decrypt_bytes(b.context));
    const unsigned runs = params.log_n < 15 ? RUNS : RUNS_LONG;
    prepare(&b);
    encode(&b);
    rs_ring_t rings[RS_LIMBS_MAX];
    for (uint32_t i = 0; i < b.limbs; i++) {
        rs_lift_message(b.context, i, b.residues + (size_t)i * b.n, coefs(&b.message), NULL);
        rs_limb_t *limb = &context->limbs[i];
        rings[i] = *limb->ring;
        rings[i].inverse = no_ntt;
        limb->ring = &rings[i];
    }
    printf("%-8s %s %11.1f %11.1f %8.1f", back_end, name, microseconds(&b, fft_inverse, runs), microseconds(&b, fft_forward, runs),
           microseconds(&b, encode, runs));
    b.limbs = 1;
    printf(" %12.1f", microseconds(&b, decode, runs));
    b.limbs = all_limbs;
    printf(" %11.1f\n", microseconds(&b, decode, runs));
    fflush(stdout);
    free(context);
    free(b.values);
    free(coefs(&b.message));
    free(b.residues);
    free(b.plaintext.ntt);
    free(b.workspace);
}

int main(int argc, char **argv) {
    const char *name;
    static const char *const SETS[] = {"lee-12", "lee-13", "lee-14", "lee-15", "lee-16"};
    printf("us       set    FFT inverse FFT forward   encode decode 1 limb   all limbs (real values, all slots; no NTTs)\n");
    for (unsigned s = 0; s < sizeof SETS / sizeof *SETS; s++) {
        if (argc > 1 && strcmp(argv[1], SETS[s]) != 0) continue;
        for (unsigned k = 0; (name = next_back_end(&k));) set(name, SETS[s]);
    }
    return 0;
}
