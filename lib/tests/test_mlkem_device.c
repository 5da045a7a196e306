// SPDX-License-Identifier: Apache-2.0
// ML-KEM on a core with fields, on the model of the core: the bytes of the library's own mlkem, refusals, damaged keys, wiped memory. Sealed
// decapsulation (docs/core.md, Sealed fields): what programs and damaged memory get of a key.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mlkem/on_core/on_core.h"
#include "rs_test.h"

enum { SETS = 3, PAIRS = 3, TRIES = 3 };

static const rs_mlkem_set_t SET[SETS] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};

static struct {
    model_core_t core;
    rs_device_t device;
    rs_mlkem_set_t set;
    size_t ek_bytes, dk_bytes, ct_bytes;
    int reaches, incoherent; // properties of the core that is opened next
    uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / 8];
    uint8_t seed[RS_MLKEM_SEED_BYTES], m[RS_MLKEM_RANDOM_BYTES];
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], dk[RS_MLKEM_DK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX], shared[RS_MLKEM_SHARED_BYTES];
    uint8_t ek2[RS_MLKEM_EK_BYTES_MAX], dk2[RS_MLKEM_DK_BYTES_MAX], ct2[RS_MLKEM_CT_BYTES_MAX], shared2[RS_MLKEM_SHARED_BYTES];
} f;

// The end of a test, or of what it has opened before.
static void closed(void) { close_core(&f.core, &f.device); }

static int opened(rs_mlkem_set_t set, const rs_design_t *design) {
    rs_test_over();
    rs_test_close = closed;
    model_core_init(&f.core, design, 1 << 16);
    f.core.reaches = f.reaches;
    f.core.incoherent = f.incoherent;
    f.set = set;
    f.ek_bytes = rs_mlkem_sizes(set)->ek;
    f.dk_bytes = rs_mlkem_sizes(set)->dk;
    f.ct_bytes = rs_mlkem_sizes(set)->ct;
    return CHECK_OK(open_core(&f.core, &f.device)) && CHECK_OK(rs_device_mlkem_prepare(&f.device, set));
}

// A pair, a ciphertext and its secret by the library.
static void make(uint64_t *state) {
    fill(f.seed, sizeof f.seed, state);
    fill(f.m, sizeof f.m, state);
    CHECK_OK(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = f.set, .ek = {f.ek, f.ek_bytes}, .dk = {f.dk, f.dk_bytes},
                                        .seed = {f.seed, sizeof f.seed}, .workspace = {f.workspace, sizeof f.workspace})));
    CHECK_OK(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = f.set, .ek = {f.ek, f.ek_bytes}, .ct = {f.ct, f.ct_bytes},
                                        .shared = {f.shared, sizeof f.shared}, .m = {f.m, sizeof f.m},
                                        .workspace = {f.workspace, sizeof f.workspace})));
}

static rs_status_t decaps_of_library(uint8_t *shared) {
    return rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = f.set, .dk = {f.dk, f.dk_bytes}, .ct = {f.ct, f.ct_bytes},
                                      .shared = {shared, RS_MLKEM_SHARED_BYTES}, .workspace = {f.workspace, sizeof f.workspace}));
}

// The core's requests.
static rs_mlkem_keygen_request_t keygen_request(void) {
    return (rs_mlkem_keygen_request_t){sizeof(rs_mlkem_keygen_request_t), f.set, .ek = {f.ek2, f.ek_bytes},
                                       .dk = {f.dk2, f.dk_bytes}, .seed = {f.seed, sizeof f.seed}};
}

static rs_mlkem_decaps_request_t decaps_request(void) {
    return (rs_mlkem_decaps_request_t){sizeof(rs_mlkem_decaps_request_t), f.set, .dk = {f.dk, f.dk_bytes}, .ct = {f.ct, f.ct_bytes},
                                       .shared = {f.shared2, sizeof f.shared2}};
}

static rs_status_t keygen(rs_device_mode_t mode) {
    const rs_mlkem_keygen_request_t request = keygen_request();
    return rs_device_mlkem_keygen(&f.device, &request, mode);
}

static rs_status_t encaps(const uint8_t *ek) {
    return rs_device_mlkem_encaps(&f.device,
                                  RS_REQUEST(rs_mlkem_encaps_request_t, .set = f.set, .ek = {ek, f.ek_bytes},
                                             .ct = {f.ct2, f.ct_bytes}, .shared = {f.shared2, sizeof f.shared2},
                                             .m = {f.m, sizeof f.m}),
                                  RS_DEVICE_RUN);
}

static rs_status_t decaps(rs_device_mode_t mode) {
    const rs_mlkem_decaps_request_t request = decaps_request();
    return rs_device_mlkem_decaps(&f.device, &request, mode);
}

static rs_status_t decaps_by_seed(void) {
    rs_mlkem_decaps_request_t request = decaps_request();
    request.dk = (rs_view_t){NULL, 0};
    request.seed = (rs_view_t){f.seed, sizeof f.seed};
    request.ek = (rs_view_t){f.ek, f.ek_bytes};
    return rs_device_mlkem_decaps(&f.device, &request, RS_DEVICE_RUN);
}

static void check_bytes(void) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 1 + i;
        uint32_t instructions[4] = {0};
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        for (unsigned pair = 0; pair < PAIRS; pair++) {
            make(&state);
            CHECK_OK(keygen(RS_DEVICE_RUN));
            CHECK_EQ_MEM(f.ek2, f.ek, f.ek_bytes);
            CHECK_EQ_MEM(f.dk2, f.dk, f.dk_bytes);
            const uint32_t keygens = rs_device_report(&f.device)->instructions;
            CHECK_OK(encaps(f.ek));
            CHECK_EQ_MEM(f.ct2, f.ct, f.ct_bytes);
            CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
            const uint32_t encapsulations = rs_device_report(&f.device)->instructions;
            uint32_t counts[2][2]; // instructions for a ciphertext of ours, and for nobody's
            for (unsigned wrong = 0; wrong < 2; wrong++) {
                uint8_t want[RS_MLKEM_SHARED_BYTES];
                if (wrong) f.ct[rs_test_random(&state) % f.ct_bytes] ^= (uint8_t)(1u << (pair & 7));
                CHECK_OK(decaps_of_library(want));
                CHECK(!wrong == !memcmp(want, f.shared, sizeof want));
                CHECK_OK(decaps(RS_DEVICE_RUN));
                CHECK_EQ_MEM(f.shared2, want, sizeof want);
                counts[wrong][0] = rs_device_report(&f.device)->instructions;
                CHECK_OK(decaps_by_seed());
                CHECK_EQ_MEM(f.shared2, want, sizeof want);
                counts[wrong][1] = rs_device_report(&f.device)->instructions;
            }
            CHECK_EQ_MEM(counts[0], counts[1], sizeof counts[0]);
            const uint32_t all[4] = {keygens, encapsulations, counts[0][0], counts[0][1]};
            if (pair) CHECK_EQ_MEM(all, instructions, sizeof all);
            memcpy(instructions, all, sizeof all);
        }
    }
}

RS_TEST(bytes_are_those_of_the_library) { check_bytes(); }

RS_TEST(keys_are_checked) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 7 + i;
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        make(&state);
        memcpy(f.ek2, f.ek, f.ek_bytes);
        const size_t at = f.ek_bytes - RS_MLKEM_HASH_BYTES - 3; // the last two coefficients
        const uint32_t pair = (uint32_t)(RS_MLKEM_Q - 1) | (uint32_t)(RS_MLKEM_Q - 1) << 12, wrong = pair + (1u << 12);
        for (unsigned byte = 0; byte < 3; byte++) f.ek2[at + byte] = (uint8_t)(pair >> 8 * byte);
        CHECK_OK(encaps(f.ek2));
        for (unsigned byte = 0; byte < 3; byte++) f.ek2[at + byte] = (uint8_t)(wrong >> 8 * byte);
        CHECK_STATUS(encaps(f.ek2), RS_ERR_PUBLIC_KEY);
        CHECK_EQ_U64(rs_device_report(&f.device)->cause, RS_FAULT_VALUE);
        f.dk[f.dk_bytes - RS_MLKEM_HASH_BYTES - 1] ^= 1; // H(ek)
        CHECK_STATUS(decaps(RS_DEVICE_RUN), RS_ERR_SECRET_KEY);
        f.dk[f.dk_bytes - RS_MLKEM_HASH_BYTES - 1] ^= 1;
        CHECK_OK(decaps(RS_DEVICE_RUN));
        CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
    }
}

RS_TEST(secrets_are_wiped) {
    enum { PART = 16 };
    uint64_t state = 11;
    if (!opened(RS_MLKEM_768, &FIELDS_DESIGN)) return;
    make(&state);
    CHECK_OK(keygen(RS_DEVICE_START));
    CHECK(is_there(f.seed, PART) && is_there(f.dk, PART)); // the search finds what is there
    CHECK_OK(rs_device_finish(&f.device));
    CHECK(!is_there(f.seed, PART) && !is_there(f.seed + 32, PART) && !is_there(f.dk, PART));
    CHECK_OK(encaps(f.ek));
    CHECK(!is_there(f.m, PART) && !is_there(f.shared, PART));
    CHECK_OK(decaps(RS_DEVICE_RUN));
    CHECK_OK(decaps_by_seed());
    CHECK(!is_there(f.m, PART) && !is_there(f.shared, PART) && !is_there(f.dk, PART) && !is_there(f.seed, PART));
    for (unsigned i = 0; i < RS_DIGESTS; i++) {
        static const uint8_t NONE[RS_DIGEST_BYTES];
        if (i != 2 && i != 3 && i != 4 && i != 5) CHECK_EQ_MEM(f.core.digests[i], NONE, sizeof NONE); // rho and H(ek) are public
    }
    f.core.inject_pc = 20;
    f.core.inject_fault = RS_FAULT_BUS_READ;
    CHECK_STATUS(decaps(RS_DEVICE_RUN), RS_ERR_DEVICE_BUS);
    CHECK(!is_there(f.m, PART) && !is_there(f.dk, PART));
}

// They are neither copied nor wiped, whether caches have to be cleaned or not.
RS_TEST(keys_stay_where_the_core_reaches_them) {
    enum { PART = 16 };
    uint64_t state = 12;
    f.reaches = 1;
    for (f.incoherent = 0; f.incoherent < 2; f.incoherent++) check_bytes();
    f.incoherent = 0;
    if (opened(RS_MLKEM_768, &FIELDS_DESIGN)) {
        make(&state);
        uint8_t kept[RS_MLKEM_DK_BYTES_MAX];
        memcpy(kept, f.dk, f.dk_bytes);
        CHECK_OK(decaps(RS_DEVICE_START));
        CHECK(!is_there(f.dk, PART));
        CHECK_OK(rs_device_finish(&f.device));
        CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
        CHECK_EQ_MEM(f.dk, kept, f.dk_bytes);
        f.core.inject_pc = 20;
        f.core.inject_fault = RS_FAULT_BUS_READ;
        CHECK_STATUS(keygen(RS_DEVICE_RUN), RS_ERR_DEVICE_BUS);
        memset(kept, 0, sizeof kept);
        CHECK_EQ_MEM(f.dk2, kept, f.dk_bytes);
        // nor is z left in dk by a call that does not begin
        f.core.inject_pc = MODEL_NEVER;
        CHECK_OK(decaps(RS_DEVICE_RUN));
        f.core.bus_error_after = 0;
        CHECK_STATUS(keygen(RS_DEVICE_START), RS_ERR_IO);
        f.core.bus_error_after = MODEL_NEVER;
        CHECK_EQ_MEM(f.dk2, kept, f.dk_bytes);
    }
    f.reaches = 0;
}

RS_TEST(a_program_is_loaded_once) {
    uint64_t state = 13;
    if (!opened(RS_MLKEM_512, &FIELDS_DESIGN)) return;
    make(&state);
    const unsigned programs = f.core.programs;
    CHECK_OK(decaps(RS_DEVICE_PREPARE));
    const unsigned written = f.core.words_written;
    CHECK_OK(decaps(RS_DEVICE_RUN));
    CHECK_OK(decaps(RS_DEVICE_RUN));
    CHECK_EQ_U64(f.core.words_written, written);
    CHECK_EQ_U64(f.core.programs, programs + 2);
}

RS_TEST(errors) {
    rs_design_t small = FIELDS_DESIGN;
    uint64_t state = 17;
    CHECK_EQ_U64(rs_device_mlkem_bytes(&FIELDS_DESIGN, (rs_mlkem_set_t)7), 0);
    CHECK(rs_device_mlkem_bytes(&FIELDS_DESIGN, RS_MLKEM_1024) > RS_MLKEM_ROOM);
    small.features &= ~(uint32_t)RS_FEATURE_FIELDS;
    CHECK_EQ_U64(rs_device_mlkem_bytes(&small, RS_MLKEM_512), 0);
    model_core_init(&f.core, &small, 1 << 16);
    REQUIRE_OK(open_core(&f.core, &f.device));
    CHECK_STATUS(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512), RS_ERR_DESIGN);
    CHECK_OK(rs_device_close(&f.device));
    model_core_free(&f.core);
    small = FIELDS_DESIGN;
    small.groups = RS_MLKEM_GROUPS_MIN; // columns wait for groups
    if (!opened(RS_MLKEM_1024, &small)) return;
    make(&state);
    CHECK_OK(keygen(RS_DEVICE_RUN));
    CHECK_EQ_MEM(f.ek2, f.ek, f.ek_bytes);
    CHECK_OK(encaps(f.ek));
    CHECK_EQ_MEM(f.ct2, f.ct, f.ct_bytes);
    CHECK_OK(decaps(RS_DEVICE_RUN));
    CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
    rs_rng_t rng = {.fill = give, .state = f.seed};
    memset(f.ek2, 0, f.ek_bytes);
    rs_mlkem_keygen_request_t request = keygen_request();
    request.seed = (rs_view_t){NULL, 0};
    request.rng = &rng;
    CHECK_OK(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN));
    CHECK_EQ_MEM(f.ek2, f.ek, f.ek_bytes);
    CHECK_EQ_MEM(f.dk2, f.dk, f.dk_bytes);
    request.rng = NULL; // neither seed nor generator; both; another length, set, size or mode
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN), RS_ERR_NULL);
    request = keygen_request();
    request.rng = &rng;
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN), RS_ERR_OPTION);
    request = keygen_request();
    request.ek.n--;
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN), RS_ERR_BYTES);
    request = keygen_request();
    request.set = RS_MLKEM_512;
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN), RS_ERR_MISMATCH);
    request.set = 0; // the one that is prepared
    request.size--;
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN), RS_ERR_STRUCT);
    request.size++;
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, &request, (rs_device_mode_t)3), RS_ERR_OPTION);
    CHECK_OK(rs_device_mlkem_keygen(&f.device, &request, RS_DEVICE_RUN));
    CHECK_STATUS(rs_device_mlkem_keygen(&f.device, NULL, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(rs_device_mlkem_prepare(&f.device, (rs_mlkem_set_t)7), RS_ERR_SET);
    rs_mlkem_decaps_request_t opened = decaps_request();
    opened.seed = (rs_view_t){f.seed, sizeof f.seed};
    CHECK_STATUS(rs_device_mlkem_decaps(&f.device, &opened, RS_DEVICE_RUN), RS_ERR_OPTION);
    opened = decaps_request();
    opened.shared.p = NULL;
    CHECK_STATUS(rs_device_mlkem_decaps(&f.device, &opened, RS_DEVICE_RUN), RS_ERR_NULL);
    opened = decaps_request();
    opened.dk.p = NULL; // that is not the sealed key
    CHECK_STATUS(rs_device_mlkem_decaps(&f.device, &opened, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(rs_device_finish(&f.device), RS_ERR_DEVICE_NOT_LOADED);
}

// ---- sealed keys -----------------------------------------------------------------------------------------------------------
static rs_status_t seal(const uint8_t *seed, size_t bytes) {
    return rs_device_mlkem_seal(&f.device, RS_REQUEST(rs_mlkem_keygen_request_t, .ek = {f.ek2, f.ek_bytes}, .seed = {seed, bytes}));
}

static int sealed(rs_mlkem_set_t set, uint64_t *state) {
    const rs_design_t design = sealed_design();
    if (!opened(set, &design)) return 0;
    make(state);
    return CHECK_OK(seal(f.seed, sizeof f.seed));
}

static rs_status_t decaps_to(uint8_t *shared, size_t bytes, rs_device_mode_t mode) {
    return rs_device_mlkem_decaps(&f.device,
                                  RS_REQUEST(rs_mlkem_decaps_request_t, .ct = {f.ct, f.ct_bytes}, .shared = {shared, bytes}), mode);
}

static rs_status_t decaps_sealed(void) { return decaps_to(f.shared2, sizeof f.shared2, RS_DEVICE_RUN); }

RS_TEST(secrets_are_those_of_the_library) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 1 + i;
        if (!sealed(SET[i], &state)) return;
        CHECK_EQ_MEM(f.ek2, f.ek, f.ek_bytes);
        CHECK(!is_there(f.seed, 16) && !is_there(f.seed + 32, 16) && !is_there(f.dk, 16));
        for (unsigned k = 0; k < TRIES; k++) {
            uint8_t want[RS_MLKEM_SHARED_BYTES];
            if (k) f.ct[rs_test_random(&state) % f.ct_bytes] ^= (uint8_t)(1u << (k & 7));
            CHECK_OK(decaps_of_library(want));
            CHECK(!k == !memcmp(want, f.shared, sizeof want));
            CHECK_OK(decaps_sealed());
            CHECK_EQ_MEM(f.shared2, want, sizeof want);
            CHECK(!is_there(f.m, 16) && !is_there(want, 16));
        }
        // what is open runs beside it, and does not touch the key
        CHECK_OK(encaps(f.ek));
        memcpy(f.ct, f.ct2, f.ct_bytes);
        CHECK_OK(decaps_sealed());
        CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
    }
}

// Nothing but the choice leaves: neither digests nor what is in memory afterwards has what a program has computed on the way.
RS_TEST(nothing_else_is_in_memory) {
    uint64_t state = 5;
    if (!sealed(RS_MLKEM_768, &state)) return;
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
}

// Runs words with pointers as a decapsulation leaves them.
static rs_fault_t run(const uint64_t *words, size_t count) { return run_words(&f.device, words, count); }

static size_t program(uint64_t *words) {
    const rs_program_key_t key = {{RS_PROGRAMS_MLKEM, (uint32_t)f.set, RS_MLKEM_DECAPS_SEALED}};
    const rs_design_t design = sealed_design();
    size_t length = 0;
    CHECK_OK(rs_mlkem_program(&design, &key, words, SEALED_WORDS, &length));
    return length;
}

RS_TEST(another_program_gets_no_key) {
    uint64_t state = 7, words[SEALED_WORDS];
    if (!sealed(RS_MLKEM_512, &state)) return;
    CHECK_OK(decaps_sealed());
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
    CHECK_OK(decaps_sealed()); // the key is still there
}

// Constants, ek and the hash are bound: with another one there is no key.
RS_TEST(other_constants_get_no_key) {
    uint64_t state = 9, words[SEALED_WORDS];
    if (!sealed(RS_MLKEM_768, &state)) return;
    const size_t length = program(words);
    static const size_t AT[] = {0, 100, 1000, 1700, 2900, 4095};
    for (unsigned i = 0; i < sizeof AT / sizeof *AT; i++) {
        f.core.seal.vault[AT[i]] ^= 1;
        CHECK_EQ_U64(run(words, length), RS_FAULT_SECRET);
        f.core.seal.vault[AT[i]] ^= 1;
    }
    f.core.misuse = 0; // twiddles that are none
    CHECK_OK(decaps_sealed());
    CHECK_EQ_MEM(f.shared2, f.shared, sizeof f.shared);
    // lanes in another order, or one alone, are no key
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX + RS_KEY_LANES - 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_LO, 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_HI, 2));
    CHECK_STATUS(decaps_sealed(), RS_ERR_DEVICE_NOT_LOADED);
}

RS_TEST(errors_of_sealed_keys) {
    uint64_t state = 11;
    if (!sealed(RS_MLKEM_512, &state)) return;
    CHECK_STATUS(decaps_to(f.shared2, 31, RS_DEVICE_RUN), RS_ERR_BYTES);
    CHECK_STATUS(decaps_to(NULL, 32, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(seal(f.seed, 63), RS_ERR_BYTES);
    CHECK_OK(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512));
    CHECK_STATUS(decaps_sealed(), RS_ERR_DEVICE_NOT_LOADED);
    if (!opened(RS_MLKEM_512, &FIELDS_DESIGN)) return;
    CHECK_STATUS(seal(f.seed, sizeof f.seed), RS_ERR_DESIGN);
    CHECK_STATUS(decaps_sealed(), RS_ERR_DESIGN);
}
