// SPDX-License-Identifier: Apache-2.0
// An operation of ML-KEM-768 or ML-DSA-65 again and again, for profilers and for counts of instructions. Not a test.
//     run_schemes mlkem keygen|encaps|decaps TIMES, run_schemes mldsa keygen|sign|verify TIMES
#include <ringside/mldsa.h>
#include <ringside/mlkem.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t memory[1 << 16];
static const rs_memory_t WORKSPACE = {memory, sizeof memory};
static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {3, 1, 4, 1, 5};

static rs_status_t mlkem(const char *operation) {
    enum { SET = RS_MLKEM_768 };
    static uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX];
    static int made;
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(SET);
    uint8_t shared[RS_MLKEM_SHARED_BYTES];
    rs_status_t status = RS_OK;
    if (!made || operation[0] == 'k') {
        status = rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = SET, .ek = {ek, sizes->ek}, .dk = {dk, sizes->dk},
                                            .seed = {SEED, sizeof SEED}, .workspace = WORKSPACE));
    }
    if (!status && (!made || operation[0] == 'e')) {
        status = rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = SET, .ek = {ek, sizes->ek}, .ct = {ct, sizes->ct},
                                            .shared = {shared, sizeof shared}, .m = {SEED, RS_MLKEM_RANDOM_BYTES},
                                            .workspace = WORKSPACE));
    }
    if (!status && (!made || operation[0] == 'd')) {
        status = rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = SET, .dk = {dk, sizes->dk}, .ct = {ct, sizes->ct},
                                            .shared = {shared, sizeof shared}, .workspace = WORKSPACE));
    }
    made = 1;
    return status;
}

static rs_status_t mldsa(const char *operation) {
    enum { SET = RS_MLDSA_65 };
    static uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    static int made;
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(SET);
    rs_status_t status = RS_OK;
    if (!made || operation[0] == 'k') {
        status = rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = SET, .pk = {pk, sizes->pk}, .sk = {sk, sizes->sk},
                                            .seed = {SEED, RS_MLDSA_SEED_BYTES}, .workspace = WORKSPACE));
    }
    if (!status && (!made || operation[0] == 's')) {
        status = rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = SET, .mode = RS_MLDSA_DETERMINISTIC,
                                          .sk = {sk, sizes->sk}, .message.bytes = {SEED, 5},
                                          .signature = {signature, sizes->signature}, .workspace = WORKSPACE));
    }
    if (!status && (!made || operation[0] == 'v')) {
        status =
            rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = SET, .pk = {pk, sizes->pk}, .message.bytes = {SEED, 5},
                                       .signature = {signature, sizes->signature}, .workspace = WORKSPACE));
    }
    made = 1;
    return status;
}

int main(int count, char **words) {
    if (count != 4) {
        printf("run_schemes mlkem keygen|encaps|decaps TIMES, run_schemes mldsa keygen|sign|verify TIMES\n");
        return 2;
    }
    rs_status_t status = RS_OK;
    for (int times = atoi(words[3]); times >= 0 && !status; times--) { // the first one makes what the others take
        status = strcmp(words[1], "mlkem") == 0 ? mlkem(words[2]) : mldsa(words[2]);
    }
    return status != RS_OK;
}
