// SPDX-License-Identifier: Apache-2.0
// A sensor with a secret key: readings become a SEAL file, which leaves the device piece by piece and is nowhere in memory as a whole
// (docs/microcontrollers.md). The program prints the file as hexadecimal digits, before it that of the key, and what it took of memory and, if
// QEMU counts them, of instructions. tests/bare/test_sensor.py gives both files to SEAL.
//
// With RS_COUNTS the readings are 4096 counts, exact in BFV, which come in two pieces.
#include <ringside/lean.h>

#include "board.h"

enum { READINGS = 2048, LIMBS = 3, LOG2_SCALE = 25, LINE_BYTES = 34 };
// N = 4096, three primes of 30 bits and a special one
#ifdef RS_COUNTS
static const uint32_t BITS[] = {30, 30, 30, 19};
static const rs_params_request_t SET = {
    .size = sizeof SET, .scheme = RS_SCHEME_BFV, .n = 4096, .bits = BITS, .limb_count = LIMBS + 1, .plain_modulus = 65537};
#else
static const rs_params_request_t SET = {.size = sizeof SET, .name = "seal-embedded-4096"};
#endif

// What a device keeps: 50 KiB of working memory, its key, and the readings.
static uint64_t memory[6300];
static uint8_t key[1024];
static int16_t readings[READINGS];
static rs_params_t params;

#ifndef RS_INSECURE_DEMO
#error \
    "insecure_counter stands in for a true random number generator: write one for your device in its place, and take these lines out"
#endif
// Stands in for a true random number generator: this machine has none. Whoever knows it knows the key.
static rs_status_t insecure_counter(void *state, uint8_t *out, size_t bytes) {
    uint8_t *next = state;
    for (size_t i = 0; i < bytes; i++) out[i] = ++*next;
    return RS_OK;
}

// Stands in for a radio.
typedef struct radio {
    size_t sent;
    int is_on;
} radio_t;

static rs_status_t send(void *state, const uint8_t *data, size_t bytes) {
    radio_t *radio = state;
    radio->sent += bytes;
    for (size_t done = 0; radio->is_on && done < bytes; done += LINE_BYTES) {
        char line[2 * LINE_BYTES + 2];
        char *digit = line;
        for (size_t i = done; i < bytes && i < done + LINE_BYTES; i++) {
            *digit++ = "0123456789abcdef"[data[i] >> 4];
            *digit++ = "0123456789abcdef"[data[i] & 15];
        }
        *digit++ = '\n';
        *digit = 0;
        board_print(line);
    }
    return RS_OK;
}

// A ramp with a ripple, in units of 2^-15.
static void measure(void) {
    for (int i = 0; i < READINGS; i++) readings[i] = (int16_t)((i - READINGS / 2) * 24 + i % 7 * 100);
}

static void encode(rs_lean_t *lean) {
#ifdef RS_COUNTS
    const rs_fixed_layout_t layout = {.format = RS_FIXED_INT16, .count = READINGS};
    for (uint32_t first = 0; first < 2 * READINGS; first += READINGS) check(rs_lean_put(lean, readings, &layout, first, 0));
#else
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, READINGS, -15, 1}; // slots below 2 in magnitude
    check(rs_lean_encode(lean, readings, &layout, (double)(1 << LOG2_SCALE), LIMBS));
#endif
}

// Stands in for a public key in flash: what the words are does not change what is counted.
static rs_status_t read_key(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *words) {
    (void)state;
    (void)poly;
    (void)limb;
    for (uint32_t i = 0; i < count; i++) words[i] = first + i;
    return RS_OK;
}

static void encrypt(rs_lean_t *lean, radio_t *radio, rs_rng_t *rng, uint32_t kind, const char *title) {
    const rs_sink_t sink = {send, NULL, radio};
    const rs_lean_public_key_t public_key = {read_key, NULL};
    const rs_lean_encrypt_request_t request = {.size = sizeof request,
                                               .kind = kind,
                                               .secret_key = {key, sizeof key},
                                               .public_key = &public_key,
                                               .sink = &sink,
                                               .rng = rng};
    const uint64_t before = board_instructions();
    encode(lean);
    const uint64_t between = board_instructions();
    check(rs_lean_encrypt(lean, &request));
    if (!title) return;
    board_print_number("encode-instructions", (size_t)(between - before));
    board_print_number(title, (size_t)(board_instructions() - before));
}

static void export_key(rs_lean_t *lean, radio_t *radio) {
    const rs_sink_t sink = {send, NULL, radio};
    check(rs_lean_write_secret_key(lean, (rs_view_t){key, sizeof key}, &sink, NULL));
}

void board_main(void) {
    uint8_t counter = 0;
    rs_rng_t rng = {insecure_counter, &counter};
    rs_lean_t *lean;
    radio_t radio = {0, 0};

    const uint64_t before = board_instructions();
    check(rs_params_init(&params, &SET));
    check(rs_lean_init(&lean, (rs_memory_t){memory, sizeof memory}, &params, 128));
    check(rs_lean_keygen(lean, (rs_bytes_t){key, sizeof key}, &rng));
    board_print_number("start-instructions", (size_t)(board_instructions() - before));
    board_print_number("start-stack", board_stack_used());
    measure();
    encrypt(lean, &radio, &rng, RS_ENCRYPT_SK, "encrypt-instructions");
    board_print_number("sent", radio.sent);
    radio.is_on = 1;
    board_print("key-file\n"); // once, for those who decrypt: a device in the field does not do this
    export_key(lean, &radio);
    board_print("end\nfile\n");
    encrypt(lean, &radio, &rng, RS_ENCRYPT_SK, NULL);
    board_print("end\n");
    board_print_number("memory", rs_lean_size(&params));
    board_print_number("key", rs_lean_key_bytes(&params));
    board_print_number("parameters", sizeof params);
    board_print_number("readings", sizeof readings);
    board_print_number("stack", board_stack_used());
    radio.is_on = 0;
    encrypt(lean, &radio, &rng, RS_ENCRYPT_PK, "public-instructions");
    board_print_number("public-stack", board_stack_used());
    rs_lean_wipe(lean);
    board_finish(0);
}
