// SPDX-License-Identifier: Apache-2.0
// Sealed decapsulation (docs/core.md, Sealed fields) on the model of the core: the library's secrets, refusals, and what programs and damaged memory
// get of a key.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mlkem/on_core/on_core.h"

enum { SETS = 3, TRIES = 3 };

static const rs_mlkem_set_t SET[SETS] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};

static struct {
    model_core_t core;
    rs_device_t device;
    rs_mlkem_set_t set;
    size_t ek_bytes, dk_bytes, ct_bytes;
    uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / 8];
    uint8_t seed[RS_MLKEM_SEED_BYTES], m[RS_MLKEM_RANDOM_BYTES];
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX], shared[RS_MLKEM_SHARED_BYTES];
    uint8_t ek2[RS_MLKEM_EK_BYTES_MAX], shared2[RS_MLKEM_SHARED_BYTES];
} f;

static rs_status_t seal(const uint8_t *seed, size_t bytes) {
    return rs_device_mlkem_seal(&f.device, RS_REQUEST(rs_mlkem_keygen_request_t, .ek = {f.ek2, f.ek_bytes}, .seed = {seed, bytes}));
}

static int opened(rs_mlkem_set_t set, uint64_t *state) {
    rs_bus_t bus;
    const rs_design_t design = sealed_design();
    model_core_init(&f.core, &design, 1 << 16);
    model_core_bus(&f.core, &bus);
    f.set = set;
    f.ek_bytes = rs_mlkem_sizes(set)->ek;
    f.dk_bytes = rs_mlkem_sizes(set)->dk;
    f.ct_bytes = rs_mlkem_sizes(set)->ct;
    fill(f.seed, sizeof f.seed, state);
    fill(f.m, sizeof f.m, state);
    CHECK_OK(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = f.set, .ek = {f.ek, f.ek_bytes}, .dk = {f.dk, f.dk_bytes},
                                        .seed = {f.seed, sizeof f.seed}, .workspace = {f.workspace, sizeof f.workspace})));
    CHECK_OK(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = f.set, .ek = {f.ek, f.ek_bytes}, .ct = {f.ct, f.ct_bytes},
                                        .shared = {f.shared, sizeof f.shared}, .m = {f.m, sizeof f.m},
                                        .workspace = {f.workspace, sizeof f.workspace})));
    return CHECK_OK(open_device(&f.device, &bus)) && CHECK_OK(rs_device_mlkem_prepare(&f.device, set)) &&
           CHECK_OK(seal(f.seed, sizeof f.seed));
}

static rs_status_t decaps_of_library(uint8_t *shared) {
    return rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = f.set, .dk = {f.dk, f.dk_bytes}, .ct = {f.ct, f.ct_bytes},
                                      .shared = {shared, RS_MLKEM_SHARED_BYTES}, .workspace = {f.workspace, sizeof f.workspace}));
}

static void closed(void) {
    close_core(&f.core, &f.device);
}

static rs_status_t decaps_to(uint8_t *shared, size_t bytes, rs_device_mode_t mode) {
    return rs_device_mlkem_decaps(&f.device,
                                  RS_REQUEST(rs_mlkem_decaps_request_t, .ct = {f.ct, f.ct_bytes}, .shared = {shared, bytes}), mode);
}

static rs_status_t decaps(void) {
    return decaps_to(f.shared2, sizeof f.shared2, RS_DEVICE_RUN);
}

RS_TEST(secrets_are_those_of_the_library) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 1 + i;
        if (!opened(SET[i], &state)) return;
        CHECK_EQ_MEM(f.ek2, f.ek, f.ek_bytes);
        CHECK(!is_there(f.seed, 16) && !is_there(f.seed + 32, 16) && !is_there(f.dk, 16));
        for (unsigned k = 0; k < TRIES; k++) {
            uint8_t want[RS_MLKEM_SHARED_BYTES];
            if (k) f.ct[rs_test_random(&state) % f.ct_bytes] ^= (uint8_t)(1u << (k & 7));
            CHECK_OK(decaps_of_library(want));
            CHECK(!k == !memcmp(want, f.shared, sizeof want));
            CHECK_OK(decaps());
            CHECK_EQ_MEM(f.shared2, want, sizeof want);
            CHECK(!is_there(f.m, 16) && !is_there(want, 16));
        }
        // what is open runs beside it, and does not touch the key
        CHECK_OK(rs_device_mlkem_encaps(&f.device,
                                        RS_REQUEST(rs_mlkem_encaps_request_t, .ek = {f.ek, f.ek_bytes}, .ct = {f.ct, f.ct_bytes},
                                                   .shared = {f.shared2, sizeof f.shared2}, .m = {f.m, sizeof f.m}),
                                        RS_DEVICE_RUN));
        CHECK_OK(decaps());
        CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
        closed();
    }
}

// Nothing but the choice leaves: neither digests nor what is in memory afterwards has what a program has computed on the way.
RS_TEST(nothing_else_is_in_memory) {
    uint64_t state = 5;
    if (!opened(RS_MLKEM_768, &state)) return;
    for (unsigned k = 0; k < 2; k++) {
        uint8_t refused[RS_MLKEM_SHARED_BYTES], given[RS_MLKEM_SHARED_BYTES];
        memcpy(given, f.shared, sizeof given);
        f.ct[7] ^= 1;
        CHECK_OK(decaps_of_library(refused));
        f.ct[7] ^= (uint8_t)!k;
        CHECK_OK(decaps_to(f.shared2, sizeof f.shared2, RS_DEVICE_START));
        // before the driver wipes: the secret that was chosen is there, the other one is not
        CHECK(is_there(k ? refused : given, 16) && !is_there(k ? given : refused, 16));
        CHECK(!is_there(f.m, 16));
        CHECK_OK(rs_device_finish(&f.device));
    }
    closed();
}

// Runs words with pointers as a decapsulation leaves them.
static rs_fault_t run(const uint64_t *words, size_t count) {
    return run_words(&f.device, words, count);
}

static size_t program(uint64_t *words) {
    const rs_program_key_t key = {{RS_PROGRAMS_MLKEM, (uint32_t)f.set, RS_MLKEM_DECAPS_SEALED}};
    const rs_design_t design = sealed_design();
    size_t length = 0;
    CHECK_OK(rs_mlkem_program(&design, &key, words, SEALED_WORDS, &length));
    return length;
}

RS_TEST(another_program_gets_no_key) {
    uint64_t state = 7, words[SEALED_WORDS];
    if (!opened(RS_MLKEM_512, &state)) return;
    CHECK_OK(decaps());
    const size_t length = program(words);
    CHECK_EQ_U64(run(words, length), RS_FAULT_NONE);
    for (size_t i = 0; i < length; i++) { // even what comes behind END
        words[i] ^= UINT64_C(1) << 63;
        const rs_fault_t fault = run(words, length);
        CHECK(fault == RS_FAULT_SECRET || fault == RS_FAULT_ILLEGAL || fault == RS_FAULT_EMPTY || fault == RS_FAULT_RANGE ||
              fault == RS_FAULT_BUS_READ || fault == RS_FAULT_BUS_WRITE);
        words[i] ^= UINT64_C(1) << 63;
    }
    CHECK_EQ_U64(run(words, length), RS_FAULT_NONE);
    const uint64_t theft[] = {rs_word_key(6, 0), OP(STORED) | A(6) | rs_near(RS_POINTER_INPUT, 0), OP(END)};
    CHECK_EQ_U64(run(theft, 3), RS_FAULT_SECRET);
    CHECK(!is_there(f.seed, 16));
    CHECK_OK(decaps()); // the key is still there
    closed();
}

// Constants, ek and the hash are bound: with another one there is no key.
RS_TEST(other_constants_get_no_key) {
    uint64_t state = 9, words[SEALED_WORDS];
    if (!opened(RS_MLKEM_768, &state)) return;
    const size_t length = program(words);
    static const size_t AT[] = {0, 100, 1000, 1700, 2900, 4095};
    for (unsigned i = 0; i < sizeof AT / sizeof *AT; i++) {
        f.core.seal.vault[AT[i]] ^= 1;
        CHECK_EQ_U64(run(words, length), RS_FAULT_SECRET);
        f.core.seal.vault[AT[i]] ^= 1;
    }
    f.core.misuse = 0; // twiddles that are none
    CHECK_OK(decaps());
    CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
    // lanes in another order, or one alone, are no key
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX + RS_KEY_LANES - 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_LO, 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_HI, 2));
    CHECK_STATUS(decaps(), RS_ERR_DEVICE_NOT_LOADED);
    closed();
}

RS_TEST(errors) {
    uint64_t state = 11;
    rs_bus_t bus;
    if (!opened(RS_MLKEM_512, &state)) return;
    CHECK_STATUS(decaps_to(f.shared2, 31, RS_DEVICE_RUN), RS_ERR_BYTES);
    CHECK_STATUS(decaps_to(NULL, 32, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(seal(f.seed, 63), RS_ERR_BYTES);
    CHECK_OK(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512));
    CHECK_STATUS(decaps(), RS_ERR_DEVICE_NOT_LOADED);
    closed();
    model_core_init(&f.core, &FIELDS_DESIGN, 1 << 16);
    model_core_bus(&f.core, &bus);
    if (!CHECK_OK(open_device(&f.device, &bus)) || !CHECK_OK(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512))) return;
    CHECK_STATUS(seal(f.seed, sizeof f.seed), RS_ERR_DESIGN);
    CHECK_STATUS(decaps(), RS_ERR_DESIGN);
    closed();
}
