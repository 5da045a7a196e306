// SPDX-License-Identifier: Apache-2.0
// Memory and instructions of a relinearisation and a rotation key by a client for keys alone (lean.h); scripts/bare_tables.py makes a table of them.
// The hash of the rotation key's file, its second half made again as after a link that broke, is for tests/bare/test_keys_cost.py.
#include <ringside/lean.h>

#include "board.h"

enum { SETS = 3, LIMBS_MAX = 5 };
static const struct {
    uint32_t n, limb_count, bits[LIMBS_MAX];
    const char *names[4]; // as printed
} SET[SETS] = {
    {4096, 4, {27, 26, 26, 30}, {"memory-4096", "relin-4096", "rotation-4096", "bytes-4096"}},
    {8192, 5, {29, 28, 28, 28, 30}, {"memory-8192", "relin-8192", "rotation-8192", "bytes-8192"}},
    {16384, 3, {30, 30, 30}, {"memory-16384", "relin-16384", "rotation-16384", "bytes-16384"}},
};
static const uint32_t RELINEARISATION = 0, ROTATION = 3;

static uint64_t memory[RS_LEAN_KEYS_BYTES(14) / sizeof(uint64_t)];
static uint8_t key[4096];
static rs_params_t params;
static rs_sponge_t sponge;

static rs_status_t send(void *state, const uint8_t *data, size_t bytes) {
    (void)data;
    *(size_t *)state += bytes;
    return RS_OK;
}

static rs_status_t absorb(void *state, const uint8_t *data, size_t bytes) {
    rs_sponge_absorb(state, data, bytes);
    return RS_OK;
}

static void write(rs_lean_t *lean, const uint32_t *element, const rs_sink_t *sink, uint64_t first, uint64_t bytes) {
    static const uint8_t MASTER[RS_SEED_BYTES] = {1, 2, 3}; // a device has random ones
    check(rs_lean_write_switch_keys(
        lean, RS_REQUEST(rs_lean_keys_request_t, .count = 1, .elements = element, .secret_key = {key, rs_lean_key_bytes(&params)},
                         .master = {MASTER, sizeof MASTER}, .sink = sink, .first = first, .bytes = bytes)));
}

static void print_hash(void) {
    uint8_t hash[16];
    rs_sponge_squeeze(&sponge, hash, sizeof hash);
    board_print("hash ");
    for (unsigned i = 0; i < sizeof hash; i++) {
        const char digits[3] = {"0123456789abcdef"[hash[i] >> 4], "0123456789abcdef"[hash[i] & 15], 0};
        board_print(digits);
    }
    board_print("\n");
}

void board_main(void) {
    size_t sent = 0;
    const rs_sink_t radio = {send, NULL, &sent}, hashing = {absorb, NULL, &sponge};
    for (unsigned i = 0; i < sizeof key; i++) key[i] = "\x41\x94\x26\x58\x65"[i % 5]; // any coefficients
    for (unsigned i = 0; i < SETS; i++) {
        rs_lean_t *lean;
        check(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = SET[i].n, .bits = SET[i].bits,
                                                 .limb_count = SET[i].limb_count, .security = 128)));
        const size_t size = RS_LEAN_KEYS_BYTES(params.log_n);
        check(rs_lean_init(&lean, (rs_memory_t){memory, size}, &params, 128));
        board_print_number(SET[i].names[0], size);
        begin();
        write(lean, &RELINEARISATION, &radio, 0, 0);
        end(SET[i].names[1]);
        board_print_number(SET[i].names[3], sent);
        sent = 0;
        begin();
        write(lean, &ROTATION, &radio, 0, 0);
        end(SET[i].names[2]);
        rs_sponge_init(&sponge, RS_SPONGE_SHAKE256);
        write(lean, &ROTATION, &hashing, 0, sent / 2);
        write(lean, &ROTATION, &hashing, sent / 2, 0);
        print_hash();
        sent = 0;
        rs_lean_wipe(lean);
    }
    board_print_number("parameters", sizeof params);
    board_print_number("stack", board_stack_used());
    board_finish(0);
}
