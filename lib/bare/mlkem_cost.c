// SPDX-License-Identifier: Apache-2.0
// Instructions and memory of ML-KEM; scripts/bare_tables.py makes a table of them.
#include <ringside/mlkem.h>

#include "board.h"

static uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX];
static uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / sizeof(uint64_t)];

static void measure(rs_mlkem_set_t set, const char *const *names) {
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    const rs_memory_t memory = {workspace, sizeof workspace};
    static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {3, 1, 4, 1, 5}, M[RS_MLKEM_RANDOM_BYTES] = {9, 2, 6};
    uint8_t shared[RS_MLKEM_SHARED_BYTES], again[RS_MLKEM_SHARED_BYTES];
    // each request in a block of its own, so that they share the stack
    begin();
    {
        check(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {ek, sizes->ek}, .dk = {dk, sizes->dk},
                                         .seed = {SEED, sizeof SEED}, .workspace = memory)));
    }
    end(names[0]);
    begin();
    {
        check(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {ek, sizes->ek}, .ct = {ct, sizes->ct},
                                         .shared = {shared, sizeof shared}, .m = {M, sizeof M}, .workspace = memory)));
    }
    end(names[1]);
    begin();
    {
        check(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {dk, sizes->dk}, .ct = {ct, sizes->ct},
                                         .shared = {again, sizeof again}, .workspace = memory)));
    }
    end(names[2]);
    for (size_t i = 0; i < sizeof shared; i++) check(shared[i] == again[i] ? RS_OK : RS_ERR_SELFTEST);
    board_print_number(names[3], sizes->workspace);
}

void board_main(void) {
    static const char *const NAMES[3][4] = {{"keygen-512", "encaps-512", "decaps-512", "workspace-512"},
                                            {"keygen-768", "encaps-768", "decaps-768", "workspace-768"},
                                            {"keygen-1024", "encaps-1024", "decaps-1024", "workspace-1024"}};
    measure(RS_MLKEM_512, NAMES[0]);
    measure(RS_MLKEM_768, NAMES[1]);
    measure(RS_MLKEM_1024, NAMES[2]);
    board_print_number("stack", board_stack_used());
    board_finish(0);
}
