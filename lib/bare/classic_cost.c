// SPDX-License-Identifier: Apache-2.0
// Instructions of NewHope-1024 and BLISS-BI, and of the kernels in them (tests/classic_shares.h); scripts/bare_tables.py makes a table of them.
#include "board.h"
#include "classic_shares.h"

enum { MEMORY_BYTES = 1 << 17 };

static uint64_t memory[MEMORY_BYTES / sizeof(uint64_t)], workspace[1 << 12];
static classic_t classic;

static const char *const NAME[CLASSIC_OPERATIONS][CLASSIC_PARTS] = {
    {"server-whole", "server-ntt", "server-keccak", "server-chacha", "server-samplers"},
    {"client-whole", "client-ntt", "client-keccak", "client-chacha", "client-samplers"},
    {"keypair-whole", "keypair-ntt", "keypair-keccak", NULL, NULL},
    {"sign-whole", "sign-ntt", "sign-keccak", NULL, "sign-samplers"},
    {"verify-whole", "verify-ntt", "verify-keccak", NULL, NULL},
};

void board_main(void) {
    if (classic_memory_bytes() > sizeof memory || classic_workspace_bytes() > sizeof workspace) check(RS_ERR_TOO_SMALL);
    check(classic_open(&classic, (uint8_t *)memory, workspace));
    for (classic_operation_t operation = CLASSIC_SERVER; operation < CLASSIC_OPERATIONS; operation++) {
        for (classic_part_t part = CLASSIC_WHOLE; part < CLASSIC_PARTS; part++) {
            if (!NAME[operation][part]) continue;
            uint64_t least = UINT64_MAX; // the least of signatures by several seeds: one attempt
            for (unsigned run = 0; run < (operation == CLASSIC_SIGN && part == CLASSIC_WHOLE ? CLASSIC_SEEDS : 1u); run++) {
                const uint64_t from = board_instructions();
                check(classic_do(&classic, operation, part));
                const uint64_t taken = board_instructions() - from;
                if (taken < least) least = taken;
            }
            board_print_number(NAME[operation][part], (size_t)least);
        }
    }
    board_finish(0);
}
