// SPDX-License-Identifier: Apache-2.0
// Instructions and memory of ML-DSA: a key pair, the rounds of signatures, a verification.
#include <ringside/mldsa.h>

#include "board.h"

enum { SIGNATURES = 20, FAST_BYTES_MAX = 128 * 1024 };
static uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
static uint64_t workspace[FAST_BYTES_MAX / sizeof(uint64_t)];

// Deterministic signatures of messages 0, 1, 2 …: the shortest, which took one round, and all of them on average.
static void sign(rs_mldsa_set_t set, size_t workspace_bytes, const char *shortest, const char *mean) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    uint64_t sum = 0, least = UINT64_MAX;
    for (uint8_t message = 0; message < SIGNATURES; message++) {
        const uint64_t started = board_instructions();
        check(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_DETERMINISTIC, .sk = {sk, sizes->sk},
                                       .message.bytes = {&message, 1}, .signature = {signature, sizes->signature},
                                       .workspace = {workspace, workspace_bytes})));
        const uint64_t taken = board_instructions() - started;
        sum += taken;
        if (taken < least) least = taken;
    }
    board_print_number(shortest, (size_t)least);
    board_print_number(mean, (size_t)(sum / SIGNATURES));
}

static void measure(rs_mldsa_set_t set, const char *const *names) {
    static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {3, 1, 4, 1, 5}, LAST = SIGNATURES - 1;
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    if (sizes->fast_workspace > sizeof workspace) check(RS_ERR_TOO_SMALL);
    begin();
    check(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pk, sizes->pk}, .sk = {sk, sizes->sk},
                                     .seed = {XI, sizeof XI}, .workspace = {workspace, sizes->workspace})));
    end(names[0]);
    sign(set, sizes->workspace, names[1], names[2]);
    sign(set, sizes->fast_workspace, names[3], names[4]);
    begin();
    check(
        rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {pk, sizes->pk}, .message.bytes = {&LAST, 1},
                                   .signature = {signature, sizes->signature}, .workspace = {workspace, sizes->verify_workspace})));
    end(names[5]);
    board_print_number(names[6], sizes->workspace);
    board_print_number(names[7], sizes->fast_workspace);
    board_print_number(names[8], sizes->verify_workspace);
}

void board_main(void) {
    static const char *const NAMES[3][9] = {{"keygen-44", "sign-44", "sign-mean-44", "sign-fast-44", "sign-fast-mean-44",
                                             "verify-44", "workspace-44", "fast-workspace-44", "verify-workspace-44"},
                                            {"keygen-65", "sign-65", "sign-mean-65", "sign-fast-65", "sign-fast-mean-65",
                                             "verify-65", "workspace-65", "fast-workspace-65", "verify-workspace-65"},
                                            {"keygen-87", "sign-87", "sign-mean-87", "sign-fast-87", "sign-fast-mean-87",
                                             "verify-87", "workspace-87", "fast-workspace-87", "verify-workspace-87"}};
    measure(RS_MLDSA_44, NAMES[0]);
    measure(RS_MLDSA_65, NAMES[1]);
    measure(RS_MLDSA_87, NAMES[2]);
    board_print_number("stack", board_stack_used());
    board_finish(0);
}
