// SPDX-License-Identifier: Apache-2.0
// Instructions and memory of ML-DSA: a key pair, the rounds of signatures, a verification.
#include <ringside/mldsa.h>

#include "board.h"

enum { SIGNATURES = 20, FAST_BYTES_MAX = 128 * 1024 };
static uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
static uint64_t workspace[FAST_BYTES_MAX / sizeof(uint64_t)];

static size_t most; // bytes of stack, before they were forgotten

static void forget(void) {
    if (board_stack_used() > most) most = board_stack_used();
    board_stack_forget();
}

// "what-44", for example.
static void print_of(rs_mldsa_set_t set, const char *what, size_t number) {
    char name[40];
    size_t at = 0;
    for (; what[at]; at++) name[at] = what[at];
    name[at++] = '-';
    name[at++] = (char)('0' + (int)set / 10);
    name[at++] = (char)('0' + (int)set % 10);
    name[at] = 0;
    board_print_number(name, number);
}

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
    print_of(set, shortest, (size_t)least);
    print_of(set, mean, (size_t)(sum / SIGNATURES));
}

static void verify(rs_mldsa_set_t set, size_t workspace_bytes, const char *what) {
    static const uint8_t LAST = SIGNATURES - 1;
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    const uint64_t started = board_instructions();
    check(rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {pk, sizes->pk}, .message.bytes = {&LAST, 1},
                                     .signature = {signature, sizes->signature}, .workspace = {workspace, workspace_bytes})));
    print_of(set, what, (size_t)(board_instructions() - started));
}

static void measure(rs_mldsa_set_t set) {
    static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {3, 1, 4, 1, 5};
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    if (sizes->fast_workspace > sizeof workspace) check(RS_ERR_TOO_SMALL);
    forget();
    const uint64_t started = board_instructions();
    check(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pk, sizes->pk}, .sk = {sk, sizes->sk},
                                     .seed = {XI, sizeof XI}, .workspace = {workspace, sizes->verify_workspace})));
    print_of(set, "keygen", (size_t)(board_instructions() - started));
    print_of(set, "keygen-stack", board_stack_used());
    forget();
    sign(set, sizes->small_workspace, "sign-small", "sign-small-mean");
    print_of(set, "sign-small-stack", board_stack_used());
    forget();
    verify(set, sizes->small_verify_workspace, "verify-small");
    print_of(set, "verify-small-stack", board_stack_used());
    sign(set, sizes->workspace, "sign", "sign-mean");
    sign(set, sizes->fast_workspace, "sign-fast", "sign-fast-mean");
    verify(set, sizes->verify_workspace, "verify");
    print_of(set, "workspace", sizes->workspace);
    print_of(set, "fast-workspace", sizes->fast_workspace);
    print_of(set, "verify-workspace", sizes->verify_workspace);
    print_of(set, "small-workspace", sizes->small_workspace);
    print_of(set, "small-verify-workspace", sizes->small_verify_workspace);
}

void board_main(void) {
    measure(RS_MLDSA_44);
    measure(RS_MLDSA_65);
    measure(RS_MLDSA_87);
    forget();
    board_print_number("stack", most);
    board_finish(0);
}
