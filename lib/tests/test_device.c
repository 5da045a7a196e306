// SPDX-License-Identifier: Apache-2.0
// Programs and driver of the accelerator, on a model of the core: the same bits as ckks.h for every design, and what must be refused.
#include <ringside/golden.h>

#include "arith/modarith.h"
#include "device_room.h"
#include "reference128.h"
#include "schemes/on_core/on_core.h"

enum { LIMBS = 4, DATA = LIMBS - 1, N = 1024 };

static const rs_design_t DESIGN = DESIGN_OF(11, 5, 2, 3, 128, RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ON_THE_FLY);

// Everything for one design: keys, a message, a core with both keys loaded.
typedef struct bench {
    fixture_t f;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    rs_plaintext_t message;
    const rs_plaintext_t *given; // to the device, in place of the message; NULL: the message
    uint64_t *got;
    uint64_t *want;
    rs_ciphertext_t ct; // a ciphertext in got
    rs_memory_t room; // the workspace
    uint8_t seed; // another one for every encryption: what the last one left in memory must not look right
} bench_t;

static void bench_bits(bench_t *b, uint32_t n, const uint32_t *bits, uint32_t limbs) {
    memset(b, 0, sizeof *b);
    fixture_init(&b->f, n, bits, limbs);
    b->message.message = doubles(n);
    for (uint32_t i = 0; i < n; i++) coefs(&b->message)[i] = (double)(i * 71 % 1999) - 999;
    b->message.form = RS_FORM_COEF;
    b->message.scale = 0x1p12;
    b->got = words(4 * (size_t)limbs * n);
    b->want = words(4 * (size_t)limbs * n);
    b->ct = (rs_ciphertext_t){.data = b->got, .seed_type = RS_SEED_SHAKE256};
    b->room = room_of(b->f.context);
}

static void bench_keys(bench_t *b, uint32_t n, uint32_t bits, uint32_t limbs) {
    const uint32_t all[LIMBS] = {bits, bits, bits, bits};
    bench_bits(b, n, all, limbs);
}

static void bench_open(bench_t *b) { OPEN_DEVICE(b, .public_key = &b->f.public_key); }

static void bench_core(bench_t *b, const rs_design_t *design) {
    model_core_init(&b->core, design, rs_device_memory_bytes(design, &b->f.params, 3, 1));
    bench_open(b);
}

static void bench_free(bench_t *b) { close_core(&b->core, &b->device); }

static void set_level(bench_t *b, uint32_t limbs) {
    b->message.limb_count = limbs;
    memcpy(b->message.parms_id, rs_context_parms_id(b->f.context, limbs), RS_PARMS_ID_BYTES);
}

static void bench_init(bench_t *b, const rs_design_t *design) {
    bench_keys(b, N, 30, LIMBS);
    bench_core(b, design);
    set_level(b, DATA);
}

static rs_status_t encrypt(bench_t *b, rs_encryption_t kind, rs_ciphertext_t *out) {
    return encrypt_one(&b->device, kind, b->given ? b->given : &b->message, out, &b->f.rng, b->room, RS_DEVICE_RUN);
}

static rs_status_t encrypt_by_library(bench_t *b, rs_encryption_t kind, rs_ciphertext_t *out) {
    return fixture_encrypt(&b->f, kind, &b->message, out);
}

static void check_decryption(bench_t *b, const rs_ciphertext_t *ct, uint32_t limbs) {
    rs_plaintext_t got = {.ntt = b->got}, want = {.ntt = b->want};
    REQUIRE_OK(fixture_decrypt(&b->f, ct, limbs, &want));
    REQUIRE_OK(decrypt_one(&b->device, ct, limbs, &got, b->room, RS_DEVICE_RUN));
    CHECK_EQ_MEM(b->got, b->want, limbs * b->f.n * sizeof(uint64_t));
    CHECK_EQ_U64(got.limb_count, limbs);
    CHECK_EQ_U64(got.form, RS_FORM_NTT);
    CHECK(got.scale == want.scale);
    CHECK_EQ_MEM(got.parms_id, want.parms_id, RS_PARMS_ID_BYTES);
}

// Encrypts at a level by both. got->data: the caller's.
static void check_encryption(bench_t *b, rs_encryption_t kind, uint32_t limbs, rs_ciphertext_t *got) {
    const uint32_t seeded = kind == RS_ENCRYPT_SK && got->seeded;
    rs_ciphertext_t want = *got;
    want.data = words(2 * limbs * b->f.n);
    b->seed++;
    set_level(b, limbs);
    fixture_seed(&b->f, b->seed);
    CHECK_OK(encrypt_by_library(b, kind, &want));
    fixture_seed(&b->f, b->seed);
    if (CHECK_OK(encrypt(b, kind, got))) {
        CHECK_EQ_MEM(got->data, want.data, rs_ciphertext_words(b->f.context, 2, limbs, seeded) * sizeof(uint64_t));
        CHECK_EQ_U64(got->seeded, seeded);
        CHECK_EQ_U64(got->limb_count, limbs);
        CHECK_EQ_U64(got->poly_count, 2);
        CHECK(got->scale == want.scale);
        CHECK_EQ_MEM(got->parms_id, want.parms_id, RS_PARMS_ID_BYTES);
        if (seeded) CHECK_EQ_MEM(&got->seed, &want.seed, sizeof got->seed);
    }
}

// And decrypts by both.
static void check_kind(bench_t *b, rs_encryption_t kind, uint32_t limbs, rs_seed_type_t type, uint32_t seeded) {
    rs_ciphertext_t ct = {.data = words(2 * limbs * b->f.n), .seed_type = type, .seeded = seeded};
    check_encryption(b, kind, limbs, &ct);
    check_decryption(b, &ct, limbs);
    if (limbs > 1) check_decryption(b, &ct, limbs - 1);
}

static void check_design(bench_t *b, uint32_t levels) {
    const rs_design_t *design = &b->core.design;
    for (uint32_t limbs = 1; limbs <= levels; limbs++) {
        check_kind(b, RS_ENCRYPT_PK_DIRECT, limbs, RS_SEED_SHAKE256, 0);
        check_kind(b, RS_ENCRYPT_SK, limbs, RS_SEED_SHAKE256, limbs & 1);
        // between kinds that want other constants
        check_row(&b->f, &b->device, b->room, ++b->seed, (row_t){0, limbs - 1, limbs & 1, RS_SEED_SHAKE256});
        check_row(&b->f, &b->device, b->room, ++b->seed, (row_t){b->f.n + 3, limbs - 1, ~limbs & 1, RS_SEED_SHAKE256});
        if (can_round(design)) check_kind(b, RS_ENCRYPT_PK, limbs, RS_SEED_SHAKE256, 0);
    }
}

// ---- the same bits -----------------------------------------------------------------------------------------------------
RS_TEST(every_number_of_groups_slots_and_contexts) {
    bench_t b;
    rs_design_t design = DESIGN;
    bench_keys(&b, N, 30, LIMBS);
    for (design.groups = 2; design.groups <= 7; design.groups++) {
        for (design.slots = 0; design.slots <= 4; design.slots++) {
            for (design.contexts = 1; design.contexts <= 3; design.contexts++) {
                design.features = DESIGN.features & ~(design.slots ? 0u : RS_FEATURE_SAMPLER);
                if (design.contexts != 2) design.features |= RS_FEATURE_STREAM_FACTOR;
                bench_core(&b, &design);
                check_design(&b, DATA);
                bench_free(&b);
            }
        }
    }
}

RS_TEST(every_word_and_number_of_lanes) {
    static const struct {
        uint32_t word_bits, bits;
    } WIDTHS[] = {{32, 32}, {32, 27}, {54, 50}, {64, 60}, {28, 28}};
    static const uint32_t LANES[] = {1, 2, 4, 32, 64};
    for (unsigned w = 0; w < sizeof WIDTHS / sizeof WIDTHS[0]; w++) {
        bench_t b;
        bench_keys(&b, w & 1 ? 2 * N : N, WIDTHS[w].bits, LIMBS);
        for (unsigned k = 0; k < 2 * 5; k++) {
            rs_design_t design = DESIGN;
            design.word_bits = WIDTHS[w].word_bits;
            design.lanes = LANES[k / 2];
            design.groups = 2 + (w + k / 2) % 4;
            design.features = RS_FEATURE_SAMPLER | (k & 1 ? RS_FEATURE_ON_THE_FLY : 0);
            bench_core(&b, &design);
            check_design(&b, 1);
            bench_free(&b);
        }
    }
}

RS_TEST(sets_of_one_to_four_limbs) {
    for (uint32_t limbs = 1; limbs <= LIMBS; limbs++) {
        bench_t b;
        bench_keys(&b, N, 30, limbs);
        rs_design_t design = DESIGN;
        for (design.groups = 2; design.groups <= 5; design.groups++) {
            bench_core(&b, &design);
            for (uint32_t level = 1; level <= b.f.data_limbs; level++) {
                for (int kind = 0; kind < 3; kind++) check_kind(&b, (rs_encryption_t)kind, level, RS_SEED_SHAKE256, 1);
            }
            bench_free(&b);
        }
    }
}

// Arrays that the core reads and writes itself, and memory that is not coherent.
RS_TEST(memory_of_every_kind) {
    static const struct {
        uint32_t word_bits, bits, groups;
        int slots, incoherent, reaches;
        uint64_t offset;
    } CASES[] = {
        {32, 30, 5, 3, 1, 0, 0}, {32, 30, 5, 3, 1, 1, 0}, {32, 30, 2, 1, 1, 1, 0}, {32, 30, 5, 3, 0, 1, 8},
        {54, 50, 5, 3, 1, 1, 0}, {54, 50, 2, 0, 1, 1, 0}, {64, 60, 3, 2, 0, 1, 0},
    };
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        bench_t b;
        rs_design_t design = DESIGN;
        design.word_bits = CASES[i].word_bits;
        design.groups = CASES[i].groups;
        design.slots = (uint32_t)CASES[i].slots;
        if (!design.slots) design.features &= ~(uint32_t)RS_FEATURE_SAMPLER;
        bench_keys(&b, N, CASES[i].bits, LIMBS);
        model_core_init(&b.core, &design, rs_device_memory_bytes(&design, &b.f.params, 3, 1));
        b.core.incoherent = CASES[i].incoherent;
        b.core.reaches = CASES[i].reaches;
        b.core.reach_offset = CASES[i].offset;
        bench_open(&b);
        check_design(&b, DATA);
        check_kind(&b, RS_ENCRYPT_SK, DATA, RS_SEED_BLAKE2XB, 1); // c1 is made by the driver
        CHECK_EQ_U64(b.core.reached > 0, CASES[i].reaches);
        const size_t key = rs_on_core(&b.device)->secret_key, bytes = LIMBS * rs_design_poly_bytes(&design, 10);
        const uint8_t *seen = CASES[i].incoherent ? b.core.regions[0].shadow : b.core.memory;
        unsigned some = 0;
        for (size_t k = 0; k < bytes; k++) some |= seen[key + k];
        CHECK(some != 0);
        CHECK_OK(rs_device_forget(&b.device));
        some = 0;
        for (size_t k = 0; k < bytes; k++) some |= seen[key + k];
        CHECK_EQ_U64(some, 0);
        bench_free(&b);
    }
}

// A core that reduces messages: those that fit words come in once, larger ones as residues; with one limb, and c1 from the driver.
RS_TEST(messages_as_words) {
    static const double SIZES[] = {0x1p3, 0x1p34, 0x1p35, 0x1p40, 0x1p61, 0x1p62, 0x1p75};
    rs_design_t design = DESIGN;
    design.features |= RS_FEATURE_REDUCE;
    for (design.word_bits = 32; design.word_bits <= 64; design.word_bits += 32) {
        bench_t b;
        bench_keys(&b, N, design.word_bits - 4, LIMBS);
        for (design.groups = 2; design.groups <= 5; design.groups += 3) {
            bench_core(&b, &design);
            for (unsigned i = 0; i < sizeof SIZES / sizeof SIZES[0]; i++) {
                for (uint32_t k = 0; k < N; k++) {
                    const double value = (double)(k * 71 % 1999) - 999; // integers, below SIZES[i]
                    coefs(&b.message)[k] = SIZES[i] < 1024 ? (double)(k % 15) - 7 : value * (SIZES[i] / 1024);
                }
                for (uint32_t limbs = 1; limbs <= DATA; limbs += DATA - 1) {
                    for (int kind = 0; kind < 3; kind++) {
                        const rs_seed_type_t type = kind == RS_ENCRYPT_SK ? RS_SEED_BLAKE2XB : RS_SEED_SHAKE256;
                        rs_ciphertext_t ct = {.data = b.got, .seed_type = type, .seeded = 1};
                        const int divided = kind == RS_ENCRYPT_PK && design.groups < 5;
                        check_encryption(&b, (rs_encryption_t)kind, limbs, &ct);
                        // P times them has to fit too: P has 28 bits, or 60
                        const double most = divided ? design.word_bits > 32 ? 0x1p2 : 0x1p34 : 0x1p61;
                        CHECK_EQ_U64(job_in_core(&b.device).message, SIZES[i] <= most ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES);
                    }
                }
            }
            bench_free(&b);
        }
    }
}

// The same message in words: of every size that fits, for cores that reduce them or do not, that reach them or do not.
RS_TEST(messages_given_as_words) {
    static const struct {
        uint32_t groups, slots, features;
        int reaches;
    } CASES[] = {{5, 3, RS_FEATURE_REDUCE, 0},
                 {5, 3, RS_FEATURE_REDUCE, 1},
                 {2, 1, RS_FEATURE_REDUCE, 1},
                 {5, 3, 0, 1},
                 {2, 2, 0, 0},
                 {3, 0, 0, 1}};
    bench_t b;
    bench_keys(&b, N, 30, LIMBS);
    int64_t *numbers = (int64_t *)(void *)words(N);
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        rs_design_t design = DESIGN;
        design.groups = CASES[i].groups;
        design.slots = CASES[i].slots;
        design.features |= CASES[i].features;
        if (!design.slots) design.features &= ~(uint32_t)RS_FEATURE_SAMPLER;
        model_core_init(&b.core, &design, rs_device_memory_bytes(&design, &b.f.params, 3, 1));
        b.core.reaches = CASES[i].reaches;
        bench_open(&b);
        for (int kind = 0; kind < 3; kind++) {
            const int divided = kind == RS_ENCRYPT_PK && design.groups < 5;
            if (kind == RS_ENCRYPT_PK && !can_round(&design)) continue;
            CHECK_EQ_U64(rs_device_reads_words(&b.device, (rs_encryption_t)kind), CASES[i].features != 0);
            for (int wide = 0; wide < 2; wide++) {
                for (uint32_t k = 0; k < N; k++) {
                    coefs(&b.message)[k] = ((double)(k * 71 % 1999) - 999) * (wide ? 0x1p51 : 1); // below 2^61
                    numbers[k] = (int64_t)coefs(&b.message)[k];
                }
                rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256, .seeded = 1};
                rs_plaintext_t in_words = b.message;
                in_words.form = RS_FORM_WORDS;
                in_words.message = (double *)(void *)numbers;
                in_words.limb_count = DATA;
                memcpy(in_words.parms_id, rs_context_parms_id(b.f.context, DATA), RS_PARMS_ID_BYTES);
                b.given = &in_words;
                check_encryption(&b, (rs_encryption_t)kind, DATA, &ct);
                const int words = CASES[i].features && !(divided && wide);
                CHECK_EQ_U64(job_in_core(&b.device).message == RS_MESSAGE_WORDS, words);
                CHECK_EQ_U64((const void *)rs_on_core(&b.device)->call.from.data == (const void *)numbers,
                             words && !divided && CASES[i].reaches);
                b.given = NULL;
            }
        }
        bench_free(&b);
    }
    CHECK_EQ_U64(rs_device_reads_words(NULL, RS_ENCRYPT_SK), 0);
}

// Only devices take words, and nothing takes a form that does not exist.
RS_TEST(words_are_for_devices) {
    BENCH(b, &DESIGN);
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256, .seeded = 1};
    b.message.form = RS_FORM_WORDS;
    for (int kind = 0; kind < 3; kind++) CHECK_STATUS(encrypt_by_library(&b, (rs_encryption_t)kind, &ct), RS_ERR_FORM);
    CHECK_STATUS(rs_plaintext_limb(b.f.context, &b.message, 0, b.want), RS_ERR_FORM);
    b.message.form = (rs_form_t)3;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_SK, &ct), RS_ERR_FORM);
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &ct), RS_ERR_FORM);
}

// The words are in memory before the operation starts: if it does not, they go.
RS_TEST(words_of_what_does_not_start_are_wiped) {
    rs_design_t design = DESIGN;
    design.features |= RS_FEATURE_REDUCE;
    bench_t b;
    bench_init(&b, &design);
    rs_rng_t none = {rs_test_no_rng, NULL};
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256, .seeded = 1};
    const uint8_t *input = b.core.memory + b.device.used;
    CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_SK, &b.message, &ct, &none, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    CHECK_EQ_U64(job_in_core(&b.device).message, RS_MESSAGE_WORDS);
    for (size_t i = 0; i < 8 * N; i++) CHECK_EQ_U64(input[i], 0);
    CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK_DIRECT, &b.message, &ct, &none, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    for (size_t i = 0; i < 8 * N; i++) CHECK_EQ_U64(input[i], 0);
    coefs(&b.message)[N - 1] = 0x1p61; // the last one does not fit: nothing stays of the others either
    CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_SK, &b.message, &ct, &none, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    CHECK_EQ_U64(job_in_core(&b.device).message, RS_MESSAGE_RESIDUES);
    for (size_t i = 0; i < 8 * N; i++) CHECK_EQ_U64(input[i], 0);
    bench_free(&b);
    design.groups = 2; // P times the words, and the last one too large for that
    bench_core(&b, &design);
    input = b.core.memory + b.device.used;
    for (coefs(&b.message)[N - 1] = 0; coefs(&b.message)[N - 1] < 0x1p60; coefs(&b.message)[N - 1] += 0x1p59) {
        CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK, &b.message, &ct, &none, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
        CHECK_EQ_U64(job_in_core(&b.device).message, coefs(&b.message)[N - 1] == 0 ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES);
        for (size_t i = 0; i < 8 * N; i++) CHECK_EQ_U64(input[i], 0);
    }
    bench_free(&b);
}

// Public keys are the library's arrays in the words of the design.
RS_TEST(keys_in_memory_are_arrays) {
    rs_design_t design = DESIGN;
    for (unsigned i = 0; i < 2; i++) {
        design.word_bits = i ? 54 : 32;
        BENCH(b, &design);
        const size_t words = (size_t)LIMBS * N, bytes = i ? 8 : 4;
        for (size_t k = 0; k < 2 * words; k++) {
            uint64_t word = 0;
            memcpy(&word, b.core.memory + rs_on_core(&b.device)->public_key + bytes * k, bytes);
            if (!CHECK_EQ_U64(word, b.f.public_key.data[k])) break;
        }
    }
}

RS_TEST(seeds_that_the_core_cannot_expand) {
    rs_design_t design = DESIGN;
    for (int expand = 0; expand < 2; expand++) {
        design.features = RS_FEATURE_SAMPLER | (expand ? RS_FEATURE_EXPAND : 0);
        BENCH(b, &design);
        for (uint32_t seeded = 0; seeded < 2; seeded++) {
            check_kind(&b, RS_ENCRYPT_SK, DATA, RS_SEED_BLAKE2XB, seeded);
            check_kind(&b, RS_ENCRYPT_SK, DATA, RS_SEED_SHAKE256, seeded);
        }
    }
}

RS_TEST(messages_in_ntt_form_are_added) {
    static const uint32_t SLOTS[] = {0, 3, 3}, GROUPS[] = {5, 5, 3};
    for (unsigned k = 0; k < 3; k++) {
        rs_design_t design = DESIGN;
        design.slots = SLOTS[k];
        design.groups = GROUPS[k];
        BENCH(b, &design);
        uint64_t *ntt = words(DATA * N);
        for (uint32_t l = 0; l < DATA; l++) REQUIRE_OK(rs_plaintext_limb(b.f.context, &b.message, l, ntt + l * N));
        double *coef = coefs(&b.message);
        b.message.form = RS_FORM_NTT;
        b.message.ntt = ntt;
        b.message.message = NULL;
        for (int kind = 0; kind < 3; kind++) {
            if (kind != RS_ENCRYPT_PK || can_round(&design)) check_kind(&b, (rs_encryption_t)kind, DATA, RS_SEED_SHAKE256, 0);
        }
        b.message.message = coef;
    }
}

RS_TEST(longer_ciphertexts_are_decrypted) {
    static const uint32_t GROUPS[] = {2, 3, 4};
    for (unsigned k = 0; k < 3; k++) {
        rs_design_t design = DESIGN;
        design.groups = GROUPS[k];
        BENCH(b, &design);
        rs_ciphertext_t ct = {.data = words(3 * DATA * N), .poly_count = 3, .limb_count = DATA, .scale = 1};
        memcpy(ct.parms_id, rs_context_parms_id(b.f.context, DATA), RS_PARMS_ID_BYTES);
        for (uint32_t i = 0; i < 3 * DATA * N; i++)
            ct.data[i] = (i * UINT64_C(0x9e3779b97f4a7c15) >> 30) % b.f.params.moduli[i / N % DATA];
        for (uint32_t limbs = 1; limbs <= DATA; limbs++) check_decryption(&b, &ct, limbs);
    }
}

RS_TEST(transforms_of_every_limb) {
    BENCH(b, &DESIGN);
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        const uint64_t q = b.f.params.moduli[limb];
        for (uint32_t i = 0; i < N; i++) b.got[i] = b.want[i] = (q - 1) / (i + 1);
        rs_plan_forward(rs_context_plan(b.f.context, limb), b.want);
        CHECK_OK(rs_device_transform(&b.device, limb, 0, b.got));
        CHECK_EQ_MEM(b.got, b.want, N * sizeof(uint64_t));
        rs_plan_inverse(rs_context_plan(b.f.context, limb), b.want);
        CHECK_OK(rs_device_transform(&b.device, limb, 1, b.got));
        CHECK_EQ_MEM(b.got, b.want, N * sizeof(uint64_t));
        b.got[7] = q;
        CHECK_STATUS(rs_device_transform(&b.device, limb, 0, b.got), RS_ERR_RESIDUE);
    }
    CHECK_STATUS(rs_device_transform(&b.device, LIMBS, 0, b.got), RS_ERR_LEVEL);
}

// What ROUND and MSUBC rest on: e - d = k P - V with k = [V + e + floor(P/2) >= P], at the corners of V and e, and that the program's
// c = pk NTT(P^-1 u) + NTT(k + m - P^-1 V) is what rs_pk_limb computes. u = 1, so that pk alone decides V.
RS_TEST(rounding_identity) {
    fixture_t f;
    const uint32_t bits[2] = {40, 41};
    fixture_init(&f, N, bits, 2);
    const uint64_t p = f.params.moduli[1], q = f.params.moduli[0];
    const uint64_t inverse = rs_drop_inverse(f.context, 1, 0);
    uint64_t *v = words(N), *pk = words(N), *scratch = words(N), *c = words(N), *want = words(N), *u_ntt = words(N);
    int64_t *d = rs_test_own(calloc(N, sizeof *d));
    double *message = doubles(N);
    int8_t u[N] = {1}, e[N];
    for (uint32_t i = 0; i < N; i++) {
        const uint64_t corner[] = {0, p - 1, p / 2, p / 2 + 1, p - p / 2 - 22, 21};
        e[i] = (int8_t)(i % 43) - 21;
        v[i] = (corner[i % 6] + i / 43) % p;
        message[i] = (double)(i * 7 % 1000) - 500;
    }
    memcpy(pk, v, N * sizeof *v);
    rs_plan_forward(rs_context_plan(f.context, 1), pk);
    rs_pk_remainder(f.context, 1, d, pk, u, e, scratch);
    memcpy(pk, f.public_key.data, N * sizeof *pk);
    rs_plan_lift(rs_context_plan(f.context, 0), u_ntt, u, inverse);
    rs_plan_forward(rs_context_plan(f.context, 0), u_ntt);
    rs_lift_message(f.context, 0, want, message, NULL);
    unsigned ones = 0;
    for (uint32_t i = 0; i < N; i++) {
        const int64_t k = (int64_t)v[i] + e[i] + (int64_t)(p / 2) >= (int64_t)p;
        ones += (unsigned)k;
        CHECK_EQ_I64(e[i] - d[i], k * (int64_t)p - (int64_t)v[i]);
        const uint64_t x = (uint64_t)((test_u128)(v[i] % q) * inverse % q);
        want[i] = (want[i] + (uint64_t)k + q - x) % q;
    }
    CHECK(ones > 100 && ones < N - 100);
    rs_plan_forward(rs_context_plan(f.context, 0), want);
    rs_plan_mul_add(rs_context_plan(f.context, 0), want, pk, u_ntt, want);
    rs_pk_limb(f.context, 1, 0, c, pk, u_ntt, e, d, message);
    CHECK_EQ_MEM(c, want, N * sizeof *c);
}

// The same of primes that differ in width: P wider or narrower than what it divides, a message that is wide itself, and primes so
// narrow that some coefficients lie where rounding turns.
RS_TEST(division_by_wider_and_narrower_primes) {
    static const uint32_t BITS[][LIMBS] = {{60, 40, 24, 51}, {24, 60, 50, 23}, {25, 31, 40, 60}, {30, 14, 15, 16}};
    rs_design_t design = DESIGN;
    design.word_bits = 60;
    for (unsigned k = 0; k < sizeof BITS / sizeof BITS[0]; k++) {
        for (design.groups = 2; design.groups <= 4; design.groups++) {
            bench_t b;
            bench_bits(&b, N, BITS[k], LIMBS);
            for (uint32_t i = 0; i < N; i++) coefs(&b.message)[i] *= k == 1 ? 0x1p80 : 1;
            bench_core(&b, &design);
            b.seed = (uint8_t)(20 * design.groups);
            for (uint32_t limbs = 1; limbs <= DATA; limbs++) check_kind(&b, RS_ENCRYPT_PK, limbs, RS_SEED_SHAKE256, 0);
            bench_free(&b);
        }
    }
}

// ---- order -------------------------------------------------------------------------------------------------------------
static rs_job_t job_of(rs_job_kind_t kind, uint32_t log_n, uint32_t limbs) {
    const int secret = kind == RS_JOB_ENCRYPT_SK;
    return (rs_job_t){.kind = kind,
                      .log_n = log_n,
                      .limbs = limbs,
                      .key_limbs = limbs + 1,
                      .input_limbs = limbs,
                      .poly_count = 2,
                      .message = 1,
                      .expansion = secret ? limbs : 0};
}

// Where memory is fast enough the lanes hardly wait: N = 2^13, 32 lanes, 512 bits. Over what the COMPUTE unit has to do. With three free
// groups or fewer a lift has to wait for a group, and the lanes for the lift.
RS_TEST(lanes_are_busy) {
    static const struct {
        rs_job_kind_t kind;
        uint32_t groups, slots;
        double bar;
    } CASES[] = {
        {RS_JOB_ENCRYPT_PK_DIRECT, 2, 2, 1.31}, {RS_JOB_ENCRYPT_PK_DIRECT, 3, 2, 1.23}, {RS_JOB_ENCRYPT_PK_DIRECT, 3, 3, 1.23},
        {RS_JOB_ENCRYPT_PK_DIRECT, 4, 2, 1.05}, {RS_JOB_ENCRYPT_PK_DIRECT, 4, 3, 1.05}, {RS_JOB_ENCRYPT_PK_DIRECT, 5, 3, 1.05},
        {RS_JOB_ENCRYPT_PK, 2, 2, 1.28},        {RS_JOB_ENCRYPT_PK, 3, 2, 1.14},        {RS_JOB_ENCRYPT_PK, 3, 3, 1.14},
        {RS_JOB_ENCRYPT_PK, 4, 2, 1.05},        {RS_JOB_ENCRYPT_PK, 4, 3, 1.05},        {RS_JOB_ENCRYPT_PK, 5, 3, 1.19},
        {RS_JOB_ENCRYPT_PK, 6, 3, 1.05},        {RS_JOB_ENCRYPT_PK, 7, 3, 1.05},
    };
    enum { LOG_N = 13, MANY = 8, CAPACITY = 512 };
    for (unsigned k = 0; k < sizeof CASES / sizeof CASES[0]; k++) {
        rs_design_t design = DESIGN;
        uint64_t program[CAPACITY], lanes[CAPACITY] = {0};
        size_t length, lane_length = 0;
        design.lanes = 32;
        design.bus_bits = 512;
        design.keccak_cores = 8;
        design.log_n_max = LOG_N;
        design.groups = CASES[k].groups;
        design.slots = CASES[k].slots;
        const rs_job_t job = job_of(CASES[k].kind, LOG_N, MANY);
        REQUIRE_OK(rs_program_build(&design, &job, program, CAPACITY, &length));
        for (size_t i = 0; i < length; i++) {
            if (rs_op_info(program[i])->unit == RS_UNIT_COMPUTE) lanes[lane_length++] = program[i];
        }
        const uint64_t compute = model_time(&design, LOG_N, lanes, lane_length, NULL).cycles;
        const double ratio = (double)model_time(&design, LOG_N, program, length, NULL).cycles / (double)compute;
        if (!CHECK(ratio >= 1 && ratio <= CASES[k].bar)) printf("  case %u: %zu instructions, %.3f\n", k, length, ratio);
    }
}

// Memory is not in the core's scoreboard: what waits for a STORE to SCRATCH is its group. So the first LOAD from SCRATCH, in the order
// of the program, goes into the group that the last STORE to it reads.
RS_TEST(nothing_is_loaded_before_it_is_stored) {
    uint64_t program[512];
    size_t length;
    rs_design_t design = DESIGN;
    for (design.groups = 2; design.groups <= 4; design.groups++) {
        for (design.slots = 1; design.slots <= 3; design.slots++) {
            for (design.contexts = 2; design.contexts <= 3; design.contexts++) {
                for (uint32_t limbs = 1; limbs <= 8; limbs++) {
                    const rs_job_t job = job_of(RS_JOB_ENCRYPT_PK, 10, limbs);
                    uint32_t stored = 0, loaded = 0, last = 0;
                    REQUIRE_OK(rs_program_build(&design, &job, program, 512, &length));
                    for (size_t i = 0; i < length; i++) {
                        const uint64_t word = program[i];
                        const uint32_t op = RS_GET_FIELD(OP, word);
                        if (!(rs_op_info(word)->uses & RS_USES_MEMORY) || RS_GET_FIELD(POINTER, word) != RS_POINTER_SCRATCH)
                            continue;
                        if (op == RS_OP_STORE) {
                            CHECK_EQ_U64(loaded, 0);
                            last = RS_GET_FIELD(A, word);
                            stored++;
                        } else {
                            CHECK_EQ_U64(op, RS_OP_LOAD);
                            if (!loaded++) CHECK_EQ_U64(RS_GET_FIELD(DST, word), last);
                        }
                    }
                    CHECK_EQ_U64(stored, 2 * limbs + 2);
                    CHECK_EQ_U64(loaded, 4 * limbs);
                }
            }
        }
    }
}

// ---- what must not go wrong ----------------------------------------------------------------------------------------------
enum { UNTOUCHED = 0x55 };

// Message, samples of designs without slots, and private seed are gone after a call.
static void check_wiped(bench_t *b, rs_encryption_t kind) {
    const rs_design_t *design = &b->core.design;
    const uint32_t limbs = b->message.limb_count;
    uint32_t polys = (design->slots || kind == RS_ENCRYPT_SK ? 1 : 3) * limbs;
    if (kind == RS_ENCRYPT_PK && design->groups < 5) polys = 2 * (limbs + 1);
    CHECK(is_zero(b->core.memory + b->device.used, polys * rs_design_poly_bytes(design, b->f.params.log_n)));
    CHECK(is_zero((const uint8_t *)&b->core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
    // the workspace is wiped where something was written: a limb's residues, and samples of designs without slots
    const uint8_t *workspace = b->room.p;
    const size_t residues = 8 * (size_t)b->f.n;
    CHECK(is_zero(workspace, design->slots ? residues : b->room.n));
    for (size_t i = residues; design->slots && i < b->room.n; i++) CHECK_EQ_U64(workspace[i], UNTOUCHED);
}

static int wrote_message;

static rs_status_t look_and_write(void *state, uint32_t offset, uint32_t value) {
    bench_t *b = state;
    if (offset == RS_REG_CONTROL && value & 1u << RS_REG_CONTROL_START_SHIFT) {
        wrote_message = !is_zero(b->core.memory + b->device.used, N);
    }
    return b->bus.write(&b->core, offset, value);
}

static rs_status_t pass_read(void *state, uint32_t offset, uint32_t *value) {
    bench_t *b = state;
    return b->bus.read(&b->core, offset, value);
}

RS_TEST(secrets_are_wiped) {
    for (uint32_t k = 0; k < 3; k++) {
        bench_t b;
        rs_design_t design = DESIGN;
        const uint32_t slots = k ? 3 : 0;
        design.slots = slots;
        if (k == 2) design.groups = 2;
        bench_init(&b, &design);
        b.device.bus.read = pass_read;
        b.device.bus.write = look_and_write;
        b.device.bus.wait = NULL;
        b.device.bus.state = &b;
        rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
        for (int kind = 0; kind < 3; kind++) {
            if (kind == RS_ENCRYPT_PK && !slots) continue;
            wrote_message = 0;
            memset(b.room.p, UNTOUCHED, b.room.n);
            CHECK_OK(encrypt(&b, (rs_encryption_t)kind, &ct));
            CHECK(wrote_message);
            check_wiped(&b, (rs_encryption_t)kind);
            b.core.inject_pc = 7;
            b.core.inject_fault = RS_FAULT_BUS_READ;
            CHECK_STATUS(encrypt(&b, (rs_encryption_t)kind, &ct), RS_ERR_DEVICE_BUS);
            check_wiped(&b, (rs_encryption_t)kind);
            b.core.inject_pc = MODEL_NEVER;
        }
        // the key: overwritten when it is forgotten, by another context, and on close
        uint8_t *key = b.core.memory + rs_on_core(&b.device)->secret_key;
        const size_t bytes = LIMBS * rs_design_poly_bytes(&design, 10);
        CHECK(!is_zero(key, bytes));
        const size_t used = b.device.used;
        CHECK_OK(rs_device_forget(&b.device));
        CHECK_OK(rs_device_forget(&b.device));
        CHECK(is_zero(key, bytes));
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_SK, &ct), RS_ERR_DEVICE_NOT_LOADED);
        if (slots) CHECK_OK(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &ct)); // the public key stays
        CHECK_OK(LOAD(&b.device, .secret_key = &b.f.secret));
        CHECK(b.device.used == used && !is_zero(key, bytes)); // in the same place
        CHECK_OK(encrypt(&b, RS_ENCRYPT_SK, &ct));
        CHECK_OK(LOAD(&b.device, .context = b.f.context));
        CHECK(is_zero(key, bytes));
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_SK, &ct), RS_ERR_DEVICE_NOT_LOADED);
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &ct), RS_ERR_DEVICE_NOT_LOADED);
        CHECK_OK(LOAD(&b.device, .secret_key = &b.f.secret));
        key = b.core.memory + rs_on_core(&b.device)->secret_key;
        CHECK(!is_zero(key, bytes));
        CHECK_OK(rs_device_close(&b.device));
        CHECK(is_zero(key, bytes));
        model_core_free(&b.core);
    }
}

RS_TEST(faults_have_meanings_and_pass) {
    static const rs_status_t MEANING[RS_FAULT_COUNT] = {
        [RS_FAULT_NONE] = RS_OK,
        [RS_FAULT_ILLEGAL] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_RANGE] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_ALIGN] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_LOG_N] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_EMPTY] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_SECRET] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_BUS_READ] = RS_ERR_DEVICE_BUS,
        [RS_FAULT_BUS_WRITE] = RS_ERR_DEVICE_BUS,
        [RS_FAULT_RESIDUE] = RS_ERR_DEVICE_RESIDUE,
        [RS_FAULT_CONTEXT] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_WATCHDOG] = RS_ERR_DEVICE_WATCHDOG,
        [RS_FAULT_PROGRAM] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_ABORTED] = RS_ERR_DEVICE_ABORTED,
        [RS_FAULT_WIDE] = RS_ERR_DEVICE_PROGRAM,
        [RS_FAULT_VALUE] = RS_ERR_VALUE_RANGE,
    };
    BENCH(b, &DESIGN);
    for (int fault = 1; fault < RS_FAULT_COUNT; fault++) {
        b.core.inject_pc = fault;
        b.core.inject_fault = (rs_fault_t)fault;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), MEANING[fault]);
        CHECK_EQ_U64(b.device.report.cause, fault);
        CHECK_EQ_U64(b.device.report.pc, fault);
        b.core.inject_pc = MODEL_NEVER;
        check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0); // and goes on
    }
    // someone else writes into the memory
    uint8_t *key = b.core.memory + rs_on_core(&b.device)->public_key;
    memset(key, 0xff, 8);
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &b.ct), RS_ERR_DEVICE_RESIDUE);
    CHECK_OK(LOAD(&b.device, .public_key = &b.f.public_key));
    b.core.memory[0] ^= 1; // the modulus of the first context, now even
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &b.ct), RS_ERR_DEVICE_PROGRAM);
    CHECK_EQ_U64(b.device.report.cause, RS_FAULT_CONTEXT);
    b.core.memory[0] ^= 1;
    check_kind(&b, RS_ENCRYPT_PK_DIRECT, DATA, RS_SEED_SHAKE256, 0);
    b.core.registers[RS_REG_WATCHDOG / 4] = 5 * MODEL_INSTRUCTION_CYCLES;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &b.ct), RS_ERR_DEVICE_WATCHDOG);
}

// A core that may not encrypt, or may not decrypt, says so, and not that it and the library do not belong together.
RS_TEST(forbidden_use_of_keys_has_its_own_status) {
    enum { NO_ENCRYPT = 1 << RS_REG_KEY_USE_NO_ENCRYPT_SHIFT, NO_DECRYPT = 1 << RS_REG_KEY_USE_NO_DECRYPT_SHIFT };
    for (uint32_t use = 0; use <= (NO_ENCRYPT | NO_DECRYPT); use++) {
        BENCH(b, &DESIGN);
        b.core.registers[RS_REG_KEY_USE / 4] = use;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK_DIRECT, &b.ct), use & NO_ENCRYPT ? RS_ERR_DEVICE_KEY_USE : RS_OK);
        CHECK_EQ_U64(b.device.report.cause, use & NO_ENCRYPT ? RS_FAULT_SECRET : RS_FAULT_NONE);
        rs_plaintext_t plaintext = {.ntt = b.want};
        CHECK_STATUS(row_by_device(&b.device, (row_t){3, 0, 1, 0}, &b.ct, &b.f.rng, b.room, RS_DEVICE_RUN),
                     use & NO_ENCRYPT ? RS_ERR_DEVICE_KEY_USE : RS_OK);
        REQUIRE_OK(encrypt_by_library(&b, RS_ENCRYPT_PK_DIRECT, &b.ct));
        CHECK_STATUS(decrypt_one(&b.device, &b.ct, DATA, &plaintext, b.room, RS_DEVICE_RUN),
                     use & NO_DECRYPT ? RS_ERR_DEVICE_KEY_USE : RS_OK);
    }
}

static uint64_t fake_time;

static uint64_t fake_now(void *state) {
    (void)state;
    return fake_time += 10;
}

// A core that does not end: the driver gives up, wipes once, and says what helps. Then it works again.
RS_TEST(waits_have_a_limit) {
    enum { WATCHDOG = 1 << 14, MORE = 100 }; // reads besides those of the wait
    static const struct {
        int waits; // with wait(), which returns without an interrupt
        int clock;
        uint64_t limit;
        unsigned reads; // reads of STATUS, about
    } CASES[] = {
        {0, 0, 0, (WATCHDOG + 4096) / 2},
        {1, 0, 0, (WATCHDOG + 4096) / 2},
        {0, 0, 500, 500},
        {1, 0, 500, 500},
        {0, 1, 0, (WATCHDOG + 4096) / 2},
        {1, 1, 20000, 2000},
        {0, 1, 20000, 2000},
    };
    BENCH(b, &DESIGN);
    b.core.registers[RS_REG_WATCHDOG / 4] = WATCHDOG;
    const rs_bus_t bus = b.device.bus;
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        b.device.bus.wait = CASES[i].waits ? bus.wait : NULL;
        b.device.bus.now = CASES[i].clock ? fake_now : NULL;
        b.device.bus.time_limit = CASES[i].limit;
        fake_time = UINT64_MAX - 3000; // it wraps
        for (int dead = 0; dead < 2; dead++) {
            b.core.never_done = 1;
            b.core.bus_dead = dead;
            b.core.reads = b.core.zeroizes = 0;
            CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), dead ? RS_ERR_DEVICE_STALL : RS_ERR_DEVICE_BUSY);
            CHECK(b.core.reads >= CASES[i].reads - 1 && b.core.reads < CASES[i].reads + MORE);
            CHECK_EQ_U64(b.core.zeroizes, 1);
            b.core.never_done = b.core.bus_dead = 0;
            if (dead) CHECK_OK(rs_device_reset_bus(&b.device));
            check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
        }
        // not even a wipe ends: it is told, and tried again before anything else
        b.core.never_done = b.core.never_idle = 1;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DEVICE_UNWIPED);
        const unsigned programs = b.core.programs;
        b.core.zeroizes = 0;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DEVICE_UNWIPED);
        CHECK_STATUS(rs_device_transform(&b.device, 0, 0, b.got), RS_ERR_DEVICE_UNWIPED);
        CHECK_EQ_U64(b.core.zeroizes, 2);
        CHECK_EQ_U64(b.core.programs, programs);
        b.core.never_done = b.core.never_idle = 0;
        CHECK_OK(b.bus.write(&b.core, RS_REG_CONTROL, 1u << RS_REG_CONTROL_ABORT_SHIFT));
        check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    }
    b.device.bus = bus;
}

// A program of somebody else runs while the driver writes its operands, and has ended when it starts its own: that has operands which were
// ignored, so what comes out of it is not given out.
RS_TEST(operands_that_the_core_ignores) {
    BENCH(b, &DESIGN);
    for (int accesses = 8; accesses < 40; accesses += 4) {
        b.core.foreign = accesses;
        const unsigned zeroizes = b.core.zeroizes;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DEVICE_BUSY);
        CHECK_EQ_U64(b.core.zeroizes, zeroizes + 1);
        check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    }
}

// Memory that does not answer: one status for whatever is called, until the bus is reset. Keys and context stay.
RS_TEST(a_bus_that_hangs) {
    rs_device_t again;
    BENCH(b, &DESIGN);
    b.core.bus_dead = 1;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DEVICE_STALL);
    CHECK_EQ_U64(b.device.report.cause, RS_FAULT_WATCHDOG);
    CHECK(is_zero((const uint8_t *)&b.core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
    b.core.bus_dead = 0; // too late: the core waits for old answers
    const unsigned programs = b.core.programs;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DEVICE_STALL);
    CHECK_STATUS(open_device(&again, &b.bus), RS_ERR_DEVICE_STALL);
    CHECK_STATUS(rs_device_forget(&b.device), RS_ERR_DEVICE_STALL);
    CHECK_EQ_U64(b.core.programs, programs);
    CHECK_OK(LOAD(&b.device, .secret_key = &b.f.secret)); // the bus is not needed for that
    CHECK_OK(rs_device_reset_bus(&again)); // one that could not be opened
    CHECK_OK(open_device(&again, &b.bus));
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    CHECK_OK(rs_device_reset_bus(&b.device)); // a bus that does not hang: nothing happens
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    CHECK_STATUS(rs_device_reset_bus(NULL), RS_ERR_NULL);
}

RS_TEST(a_bus_that_fails_at_any_access) {
    BENCH(b, &DESIGN);
    int accesses = 0, started = 0;
    for (;; accesses++) {
        fixture_seed(&b.f, 5);
        b.core.bus_error_after = accesses;
        const rs_status_t status = encrypt(&b, RS_ENCRYPT_PK, &b.ct);
        const size_t input = b.device.used;
        b.core.bus_error_after = MODEL_NEVER;
        CHECK(is_zero(b.core.memory + input, DATA * rs_design_poly_bytes(&DESIGN, 10)));
        if (status == RS_OK) break;
        // it fails again when the core is to be wiped; but while a program is written there is nothing secret to wipe
        started += status == RS_ERR_DEVICE_UNWIPED;
        if (status != RS_ERR_DEVICE_UNWIPED) REQUIRE(CHECK_STATUS(status, RS_ERR_IO));
    }
    CHECK(started > 40 && accesses > 150 && accesses < 400); // registers, seeds, start, report, seeds again
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    int unwiped = 0;
    for (accesses = 0;; accesses++) { // opening
        rs_device_t device;
        b.core.bus_error_after = accesses;
        const rs_status_t status = open_device(&device, &b.bus);
        b.core.bus_error_after = MODEL_NEVER;
        if (status == RS_OK) break;
        unwiped += status == RS_ERR_DEVICE_UNWIPED;
        if (!unwiped) REQUIRE(CHECK_STATUS(status, RS_ERR_IO));
    }
    CHECK(accesses > 12 && accesses < 40);
    CHECK(unwiped > 1 && unwiped < 4); // the last accesses are those of the wipe
}

// A core that cannot be wiped when its device is closed: the device stays open until it can.
RS_TEST(close_tries_again) {
    bench_t b;
    bench_init(&b, &DESIGN);
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
    CHECK_OK(encrypt(&b, RS_ENCRYPT_SK, &ct));
    b.core.bus_error_after = 0;
    CHECK_STATUS(rs_device_forget(&b.device), RS_ERR_DEVICE_UNWIPED);
    CHECK_STATUS(rs_device_forget(&b.device), RS_ERR_DEVICE_UNWIPED); // there is no key any more, but the core
    CHECK_STATUS(rs_device_close(&b.device), RS_ERR_DEVICE_UNWIPED);
    b.core.bus_error_after = MODEL_NEVER;
    b.core.zeroizes = 0;
    CHECK_OK(rs_device_close(&b.device));
    CHECK_EQ_U64(b.core.zeroizes, 1);
    CHECK_STATUS(rs_device_close(&b.device), RS_ERR_NULL); // it is closed
    model_core_free(&b.core);
}

// A program serves a job that is the same in every field: another value of any one of them is another program.
RS_TEST(every_field_of_a_job_counts) {
    const rs_job_t job = {.kind = RS_JOB_DECRYPT, .log_n = 10, .limbs = 2, .input_limbs = 3, .poly_count = 2, .frames = 1};
    const size_t field_bytes = sizeof job.log_n;
    rs_job_t other = job;
    const rs_program_key_t key = rs_on_core_key(&job), same = rs_on_core_key(&other);
    CHECK(rs_machine_same_key(&key, &same));
    for (size_t at = 0; at < sizeof job; at += field_bytes) {
        for (unsigned bit = 0; bit < 8 * field_bytes; bit++) {
            other = job;
            ((uint8_t *)&other)[at + bit / 8] ^= (uint8_t)(1u << bit % 8);
            const rs_program_key_t another = rs_on_core_key(&other);
            CHECK(!rs_machine_same_key(&key, &another));
        }
    }
}

RS_TEST(programs_are_kept_and_reported) {
    BENCH(b, &DESIGN);
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    const unsigned written = b.core.words_written;
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK_EQ_U64(b.core.words_written, written);
    const rs_device_report_t *r = &b.device.report;
    CHECK_EQ_U64(r->cause, RS_FAULT_NONE);
    CHECK_EQ_U64(r->pc, r->instructions - 1); // END
    CHECK_EQ_U64(r->cycles, (uint64_t)MODEL_INSTRUCTION_CYCLES * (r->instructions - 1));
    uint64_t units = 0;
    for (unsigned u = 0; u < RS_UNIT_COUNT; u++) units += r->unit_cycles[u];
    CHECK_EQ_U64(units, r->cycles);
    CHECK_EQ_U64(r->unit_cycles[RS_UNIT_STORE], 2 * DATA * MODEL_INSTRUCTION_CYCLES);
    CHECK_EQ_U64(r->unit_cycles[RS_UNIT_SAMPLE], 3 * MODEL_INSTRUCTION_CYCLES); // u, e0, e1, once for all limbs
    set_level(&b, DATA - 1); // another job
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK(b.core.words_written > written);
    // a trace has a line per instruction
    char line[128];
    unsigned lines = 0, samples = 0;
    b.core.trace = tmpfile();
    REQUIRE(b.core.trace != NULL);
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    rewind(b.core.trace);
    for (; fgets(line, sizeof line, b.core.trace); lines++) samples += strstr(line, " SAMPLE s0 1 ternary\n") != NULL;
    fclose(b.core.trace);
    b.core.trace = NULL;
    CHECK_EQ_U64(lines, r->instructions - 1);
    CHECK_EQ_U64(samples, 1);
    // wait() may return early, or not exist
    b.core.wakes = 3;
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    CHECK_EQ_U64(b.core.wakes, 0);
    b.device.bus.wait = NULL;
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
}

// A bit flips while a program runs: the core ends it.
static rs_status_t wait_for_alert(void *state) {
    rs_bus_t bus;
    model_core_bus(state, &bus);
    return bus.write(bus.state, RS_REG_CONTROL, 1u << RS_REG_CONTROL_ABORT_SHIFT | 1u << RS_REG_CONTROL_IRQ_ENABLE_SHIFT);
}

RS_TEST(alerts) {
    BENCH(b, &DESIGN);
    const rs_bus_t bus = b.device.bus;
    for (uint32_t alert = 0; alert < 3; alert++) {
        const rs_status_t status = alert ? RS_ERR_DEVICE_ALERT : RS_ERR_DEVICE_ABORTED;
        b.core.never_done = 1;
        b.core.alert = alert;
        b.core.reads = 0;
        b.device.bus.wait = wait_for_alert;
        CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), status);
        CHECK(b.core.reads < 10); // a fatal one wipes for ever: nobody waits for its end
        b.device.bus = bus;
        b.core.never_done = 0;
        // a core that is wiped for good says so at each call, and to who opens it; after a reset it is as new
        if (alert > 1) CHECK_STATUS(rs_device_forget(&b.device), RS_ERR_DEVICE_ALERT);
        if (alert > 1) CHECK_STATUS(open_device(&b.device, &bus), RS_ERR_DEVICE_ALERT);
        if (alert < 2) check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    }
    b.core.alert = 0;
    CHECK_OK(open_device(&b.device, &bus));
}

// A job that comes again is loaded, not built; of more kinds than there is room for some are built again.
RS_TEST(programs_of_several_kinds_are_kept) {
    BENCH(b, &DESIGN);
    static const rs_encryption_t KINDS[] = {RS_ENCRYPT_PK, RS_ENCRYPT_SK, RS_ENCRYPT_PK_DIRECT};
    uint64_t built[RS_PROGRAM_WORDS_MAX] = {0};
    for (int again = 0; again < 2; again++) {
        for (int i = 0; i < 3; i++) check_kind(&b, KINDS[i], DATA, RS_SEED_SHAKE256, 0);
        CHECK_EQ_U64(b.device.kept, 5); // three encryptions, one decryption of each level
        if (!again) memcpy(built, b.device.program, sizeof built);
    }
    CHECK_EQ_MEM(built, b.device.program, sizeof built);
    for (uint32_t limbs = 1; limbs <= DATA; limbs++) {
        for (int i = 0; i < 3; i++) check_kind(&b, KINDS[i], limbs, RS_SEED_SHAKE256, 0);
        CHECK(b.device.kept >= 1 && b.device.kept <= RS_DEVICE_PROGRAMS);
    }
    // no room behind the others: it is built alone
    b.device.kept = 1;
    b.device.programs[0].first = 0;
    b.device.programs[0].words = RS_PROGRAM_WORDS_MAX - 1;
    b.device.programs[0].key.words[0] = 0;
    b.device.program_words = 0;
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK_EQ_U64(b.device.kept, 1);
    CHECK_EQ_U64(b.device.program_first, 0);
}

// A set-up makes and loads the program of a call to come: the call finds it, and the set-up leaves neither a message nor a seed.
RS_TEST(programs_are_prepared) {
    static const rs_encryption_t KINDS[] = {RS_ENCRYPT_PK, RS_ENCRYPT_PK_DIRECT, RS_ENCRYPT_SK};
    for (unsigned words_too = 0; words_too < 2; words_too++) {
        BENCH(b, &DESIGN);
        rs_plaintext_t in_words = {.form = RS_FORM_WORDS};
        if (words_too) {
            in_words = b.message;
            in_words.form = RS_FORM_WORDS;
            for (uint32_t i = 0; i < b.f.n; i++) {
                const int64_t word = (int64_t)coefs(&b.message)[i];
                memcpy(&coefs(&b.message)[i], &word, sizeof word);
            }
        }
        const size_t used = b.device.used;
        memcpy(in_words.parms_id, b.message.parms_id, RS_PARMS_ID_BYTES);
        in_words.limb_count = b.message.limb_count;
        if (words_too) b.given = &in_words;
        for (unsigned k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
            rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
            const rs_plaintext_t *message = b.given ? b.given : &b.message;
            const rs_rng_deterministic_t drawn = b.f.rng_state;
            const unsigned programs = b.core.programs, before = b.core.words_written;
            CHECK_OK(encrypt_one(&b.device, KINDS[k], message, &ct, NULL, b.room, RS_DEVICE_PREPARE));
            const unsigned written = b.core.words_written;
            CHECK(written > before);
            CHECK_EQ_U64(b.core.programs, programs);
            CHECK_EQ_MEM(&drawn, &b.f.rng_state, sizeof drawn);
            CHECK(is_zero(b.bus.memory + used, b.bus.memory_bytes - used));
            CHECK_EQ_U64(b.device.under_way, 0);
            CHECK_OK(encrypt(&b, KINDS[k], &ct));
            CHECK_EQ_U64(b.core.words_written, written);
            memset(b.bus.memory + used, 0, b.bus.memory_bytes - used); // ciphertexts
        }
        // as a call is refused, so is its preparation
        rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256}, none = {.data = NULL};
        CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK, NULL, &ct, NULL, b.room, RS_DEVICE_PREPARE), RS_ERR_NULL);
        CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK, &b.message, NULL, NULL, b.room, RS_DEVICE_PREPARE), RS_ERR_NULL);
        CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK, &b.message, &none, NULL, b.room, RS_DEVICE_PREPARE), RS_ERR_NULL);
        CHECK_STATUS(encrypt_one(&b.device, (rs_encryption_t)9, &b.message, &ct, NULL, b.room, RS_DEVICE_PREPARE), RS_ERR_FORM);
        CHECK_STATUS(encrypt_one(&b.device, RS_ENCRYPT_PK, &b.message, &ct, NULL, (rs_memory_t){b.room.p, 8}, RS_DEVICE_PREPARE),
                     RS_ERR_TOO_SMALL);
    }
}

RS_TEST(decryptions_are_prepared) {
    BENCH(b, &DESIGN);
    rs_plaintext_t out = {.ntt = b.want}, none = {.ntt = NULL};
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    const unsigned programs = b.core.programs;
    CHECK_STATUS(decrypt_one(&b.device, &b.ct, DATA, &none, b.room, RS_DEVICE_PREPARE), RS_ERR_NULL);
    CHECK_STATUS(decrypt_one(&b.device, &b.ct, DATA + 1, &out, b.room, RS_DEVICE_PREPARE), RS_ERR_LEVEL);
    CHECK_OK(decrypt_one(&b.device, &b.ct, DATA, &out, b.room, RS_DEVICE_PREPARE));
    const unsigned written = b.core.words_written;
    CHECK_EQ_U64(b.core.programs, programs);
    CHECK(is_zero(b.want, DATA * b.f.n * sizeof(uint64_t)));
    CHECK_OK(decrypt_one(&b.device, &b.ct, DATA, &out, b.room, RS_DEVICE_RUN));
    CHECK_EQ_U64(b.core.words_written, written);
}

static unsigned pointer_writes;
static rs_status_t (*plain_write)(void *state, uint32_t offset, uint32_t value);

static rs_status_t counting_write(void *state, uint32_t offset, uint32_t value) {
    pointer_writes += offset >= RS_REG_POINTER && offset < RS_REG_POINTER + 8 * RS_POINTERS;
    return plain_write(state, offset, value);
}

// Pointers that stand in the core are not written again; after whatever has wiped it they are.
RS_TEST(pointers_are_kept) {
    BENCH(b, &DESIGN);
    plain_write = b.device.bus.write;
    b.device.bus.write = counting_write;
    pointer_writes = 0;
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    const unsigned all = pointer_writes;
    CHECK(all >= 2 * RS_POINTER_ROOTS);
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK_EQ_U64(pointer_writes, all);
    set_level(&b, DATA - 1); // other places
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK(pointer_writes > all && pointer_writes < 2 * all);
    CHECK_OK(rs_device_reset_bus(&b.device));
    pointer_writes = 0;
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &b.ct));
    CHECK_EQ_U64(pointer_writes, all);
    // a write that fails leaves a register that nobody knows
    set_level(&b, DATA);
    for (int at = 0; at < 8; at++) {
        b.core.bus_error_after = at;
        CHECK(encrypt(&b, RS_ENCRYPT_PK, &b.ct) != RS_OK);
        b.core.bus_error_after = MODEL_NEVER;
        check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    }
}

static rs_status_t encrypt_start(bench_t *b, rs_encryption_t kind, rs_ciphertext_t *out) {
    return encrypt_one(&b->device, kind, &b->message, out, &b->f.rng, b->room, RS_DEVICE_START);
}

// Between start and finish the caller's message and workspace are its own again, and the device takes nothing else.
RS_TEST(calls_in_two_halves) {
    bench_t b;
    int done;
    bench_init(&b, &DESIGN);
    double *message = doubles(N);
    memcpy(message, coefs(&b.message), N * sizeof *message);
    CHECK_STATUS(rs_device_poll(&b.device, &done), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(rs_device_finish(&b.device), RS_ERR_DEVICE_NOT_LOADED);
    for (int kind = 0; kind < 3; kind++) {
        const size_t polys = kind == RS_ENCRYPT_SK ? DATA : 2 * DATA;
        rs_ciphertext_t want = {.data = b.want, .seed_type = RS_SEED_SHAKE256, .seeded = kind == RS_ENCRYPT_SK};
        rs_ciphertext_t got = {.data = b.got, .seed_type = RS_SEED_SHAKE256, .seeded = kind == RS_ENCRYPT_SK};
        memcpy(coefs(&b.message), message, N * sizeof *message);
        fixture_seed(&b.f, 7);
        CHECK_OK(encrypt_by_library(&b, (rs_encryption_t)kind, &want));
        fixture_seed(&b.f, 7);
        CHECK_OK(encrypt_start(&b, (rs_encryption_t)kind, &got));
        memset(coefs(&b.message), 0x33, N * sizeof *message);
        memset(b.room.p, 0x33, b.room.n);
        CHECK_STATUS(encrypt_start(&b, RS_ENCRYPT_SK, &got), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(encrypt_start(&b, RS_ENCRYPT_PK, &got), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(rs_device_transform(&b.device, 0, 0, b.want), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(LOAD(&b.device, .context = b.f.context), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(LOAD(&b.device, .public_key = &b.f.public_key), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(LOAD(&b.device, .secret_key = &b.f.secret), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(rs_device_forget(&b.device), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(rs_device_reset_bus(&b.device), RS_ERR_DEVICE_BUSY);
        CHECK_STATUS(rs_device_self_test(&b.device, b.room.p, b.room.n), RS_ERR_DEVICE_BUSY);
        CHECK_OK(rs_device_poll(&b.device, &done));
        CHECK_EQ_U64(done, 1);
        b.core.wakes = 2; // wait() returns early
        CHECK_OK(rs_device_finish(&b.device));
        CHECK_STATUS(rs_device_finish(&b.device), RS_ERR_DEVICE_NOT_LOADED);
        CHECK_EQ_MEM(b.got, b.want, polys * N * sizeof(uint64_t));
        CHECK_EQ_MEM(&got.seed, &want.seed, sizeof got.seed);
        CHECK_EQ_U64(got.limb_count, want.limb_count);
        CHECK(got.scale == want.scale);
        CHECK(is_zero(b.core.memory + b.device.used, N * sizeof(uint64_t)));
        rs_plaintext_t plaintext = {.ntt = b.want}, again = {.ntt = b.want + DATA * N};
        CHECK_STATUS(decrypt_one(&b.device, &got, DATA, &plaintext, (rs_memory_t){b.room.p, b.room.n - 1}, RS_DEVICE_START),
                     RS_ERR_TOO_SMALL);
        CHECK_OK(decrypt_one(&b.device, &got, DATA, &plaintext, b.room, RS_DEVICE_START));
        CHECK_STATUS(decrypt_one(&b.device, &got, DATA, &again, b.room, RS_DEVICE_START), RS_ERR_DEVICE_BUSY);
        CHECK_OK(rs_device_finish(&b.device));
        REQUIRE_OK(fixture_decrypt(&b.f, &got, DATA, &again));
        CHECK_EQ_MEM(plaintext.ntt, again.ntt, DATA * N * sizeof(uint64_t));
        CHECK_EQ_U64(plaintext.limb_count, DATA);
    }
    // it never ends: the poll says so, the finish gives up, and the next call goes on
    rs_ciphertext_t ct = {.data = b.got};
    memcpy(coefs(&b.message), message, N * sizeof *message);
    b.core.registers[RS_REG_WATCHDOG / 4] = 100;
    b.core.never_done = 1;
    CHECK_OK(encrypt_start(&b, RS_ENCRYPT_PK, &ct));
    CHECK_OK(rs_device_poll(&b.device, &done));
    CHECK_EQ_U64(done, 0);
    CHECK_STATUS(rs_device_finish(&b.device), RS_ERR_DEVICE_BUSY);
    CHECK(is_zero(b.core.memory + b.device.used, N * sizeof(uint64_t)));
    CHECK(is_zero((const uint8_t *)&b.core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
    b.core.never_done = 0;
    b.core.registers[RS_REG_WATCHDOG / 4] = 0;
    check_kind(&b, RS_ENCRYPT_PK, DATA, RS_SEED_SHAKE256, 0);
    // closed in the middle: nothing secret stays
    set_level(&b, DATA);
    CHECK_OK(encrypt_start(&b, RS_ENCRYPT_PK, &ct));
    const size_t used = b.device.used;
    CHECK(!is_zero(b.core.memory + used, N * sizeof(uint64_t)));
    CHECK_OK(rs_device_close(&b.device));
    CHECK(is_zero(b.core.memory + used, N * sizeof(uint64_t)));
    CHECK(is_zero((const uint8_t *)&b.core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
    model_core_free(&b.core);
}

// ---- rows of switching keys ----------------------------------------------------------------------------------------------
// What is refused leaves the row as it is, and draws nothing.
RS_TEST(rows_that_are_refused) {
    static const struct {
        row_t row;
        rs_status_t status;
    } CASES[] = {{{2, 0, 1, 0}, RS_ERR_GALOIS},         {{2 * N + 1, 0, 1, 0}, RS_ERR_GALOIS}, {{0, DATA, 1, 0}, RS_ERR_LEVEL},
                 {{3, UINT32_MAX, 1, 0}, RS_ERR_LEVEL}, {{3, 0, 2, 0}, RS_ERR_OPTION},         {{3, 0, 1, 9}, RS_ERR_SEED_TYPE}};
    const row_t row = {3, 1, 1, 0};
    BENCH(b, &DESIGN);
    memset(&b.ct, UNTOUCHED, sizeof b.ct);
    b.ct.data = b.got;
    const rs_ciphertext_t before = b.ct;
    const rs_rng_deterministic_t drawn = b.f.rng_state;
    rs_rng_t none = {rs_test_no_rng, NULL}, empty = {NULL, NULL};
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++)
        CHECK_STATUS(row_by_device(&b.device, CASES[i].row, &b.ct, &b.f.rng, b.room, RS_DEVICE_RUN), CASES[i].status);
    CHECK_STATUS(row_by_device(NULL, row, &b.ct, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(row_by_device(&b.device, row, NULL, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(row_by_device(&b.device, row, &b.ct, &empty, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(row_by_device(&b.device, row, &b.ct, &none, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    CHECK_STATUS(row_by_device(&b.device, row, &b.ct, &b.f.rng, (rs_memory_t){b.room.p, b.room.n - 1}, RS_DEVICE_RUN),
                 RS_ERR_TOO_SMALL);
    CHECK_STATUS(row_by_device(&b.device, row, &b.ct, &b.f.rng, b.room, (rs_device_mode_t)9), RS_ERR_OPTION);
    CHECK_STATUS(rs_device_keygen_switch(&b.device, NULL, RS_DEVICE_RUN), RS_ERR_NULL);
    rs_keygen_request_t other = {.size = sizeof other, .kind = RS_KEY_PUBLIC, .key = &b.ct, .rng = &b.f.rng, .workspace = b.room};
    CHECK_STATUS(rs_device_keygen_switch(&b.device, &other, RS_DEVICE_RUN), RS_ERR_OPTION);
    const rs_secret_key_t another = b.f.secret;
    other.kind = RS_KEY_SWITCH;
    other.secret_key = &another;
    CHECK_STATUS(rs_device_keygen_switch(&b.device, &other, RS_DEVICE_RUN), RS_ERR_MISMATCH);
    CHECK_OK(row_by_device(&b.device, row, &b.ct, NULL, b.room, RS_DEVICE_PREPARE));
    CHECK_EQ_MEM(&b.ct, &before, sizeof before);
    CHECK_EQ_MEM(&b.f.rng_state, &drawn, sizeof drawn);
    CHECK_EQ_U64(b.core.programs, 0);
    CHECK(is_zero(b.core.memory + b.device.used, b.bus.memory_bytes - b.device.used));
    CHECK_OK(rs_device_forget(&b.device));
    CHECK_STATUS(row_by_device(&b.device, row, &b.ct, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_DEVICE_NOT_LOADED);
    bench_t one;
    bench_keys(&one, N, 30, 1);
    bench_core(&one, &DESIGN);
    CHECK_STATUS(row_by_device(&one.device, row, &b.ct, &b.f.rng, one.room, RS_DEVICE_RUN), RS_ERR_NO_SPECIAL);
    bench_free(&one);
}

// Another element's row, another key's, another set's; after a call that ended in the middle, which leaves neither s(X^g) nor a key.
RS_TEST(rows_one_after_another) {
    BENCH(b, &DESIGN);
    const row_t row = {3, 1, 1, RS_SEED_SHAKE256};
    const size_t image = rs_design_poly_bytes(&DESIGN, b.f.params.log_n);
    uint8_t *target = b.core.memory + b.device.used;
    rs_ciphertext_t key = {.data = b.got};
    int done;
    for (int again = 0; again < 2; again++) {
        check_row(&b.f, &b.device, b.room, 1, row);
        CHECK(is_zero(target, image));
        check_row(&b.f, &b.device, b.room, 2, (row_t){2 * N - 1, 2, 1, RS_SEED_SHAKE256});
        check_row(&b.f, &b.device, b.room, 3, (row_t){0, 1, 0, RS_SEED_BLAKE2XB});
        REQUIRE_OK(rs_keygen_secret(b.f.context, &b.f.secret, &b.f.rng));
        REQUIRE_OK(LOAD(&b.device, .secret_key = &b.f.secret));
    }
    for (int how = 0; how < 3; how++) {
        memset(key.parms_id, UNTOUCHED, sizeof key.parms_id);
        b.core.never_done = how == 0;
        b.core.registers[RS_REG_WATCHDOG / 4] = how == 0 ? 100 : 0;
        b.core.inject_pc = how == 1 ? 8 : MODEL_NEVER;
        b.core.inject_fault = RS_FAULT_BUS_READ;
        REQUIRE_OK(row_by_device(&b.device, row, &key, &b.f.rng, b.room, RS_DEVICE_START));
        CHECK(!is_zero(target, image));
        CHECK_STATUS(row_by_device(&b.device, row, &key, &b.f.rng, b.room, RS_DEVICE_START), RS_ERR_DEVICE_BUSY);
        CHECK_OK(rs_device_poll(&b.device, &done));
        CHECK_EQ_U64(done, how != 0);
        if (how == 2) break;
        CHECK(rs_device_finish(&b.device) != RS_OK);
        CHECK(is_zero(key.parms_id, sizeof key.parms_id));
        CHECK(is_zero(target, image));
        CHECK(is_zero((const uint8_t *)&b.core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
        b.core.never_done = 0;
        b.core.inject_pc = MODEL_NEVER;
        b.core.registers[RS_REG_WATCHDOG / 4] = 0;
        check_row(&b.f, &b.device, b.room, 4, row);
    }
    CHECK_OK(rs_device_finish(&b.device));
    bench_t other;
    bench_keys(&other, N, 29, 2);
    REQUIRE_OK(LOAD(&b.device, .context = other.f.context, .secret_key = &other.f.secret));
    check_row(&other.f, &b.device, other.room, 5, (row_t){5, 0, 1, RS_SEED_SHAKE256});
    check_row(&other.f, &b.device, other.room, 6, (row_t){0, 0, 1, RS_SEED_SHAKE256});
    // closed in the middle
    REQUIRE_OK(row_by_device(&b.device, (row_t){5, 0, 1, 0}, &key, &b.f.rng, other.room, RS_DEVICE_START));
    target = b.core.memory + b.device.used;
    CHECK(!is_zero(target, image));
    CHECK_OK(rs_device_close(&b.device));
    CHECK(is_zero(target, image));
    model_core_bus(&b.core, &b.bus);
    CHECK_OK(open_device(&b.device, &b.bus));
}

RS_TEST(jobs_that_differ_in_one_field_are_told_apart) {
    BENCH(b, &DESIGN);
    uint64_t *data[4], *ntt = words(DATA * N);
    for (int i = 0; i < 4; i++) data[i] = words(3 * DATA * N);
    for (int i = 0; i < 32; i++) { // c1 in the output or not, by the core or by the library: each after each
        const int k = i & 1 ? i >> 3 : i >> 1;
        rs_ciphertext_t ct = {.data = data[0], .seed_type = k & 2 ? RS_SEED_BLAKE2XB : RS_SEED_SHAKE256, .seeded = (uint32_t)k & 1};
        check_encryption(&b, RS_ENCRYPT_SK, DATA, &ct);
    }
    set_level(&b, DATA);
    for (uint32_t l = 0; l < DATA; l++) REQUIRE_OK(rs_plaintext_limb(b.f.context, &b.message, l, ntt + l * N));
    b.message.ntt = ntt;
    for (int i = 0; i < 3; i++) { // without and with a message for the core
        rs_ciphertext_t ct = {.data = data[0]};
        b.message.form = i == 1 ? RS_FORM_COEF : RS_FORM_NTT;
        check_encryption(&b, RS_ENCRYPT_PK_DIRECT, DATA, &ct);
    }
    rs_ciphertext_t cts[4] = {{.seeded = 1}, {.seeded = 0}, {.seeded = 0}, {.seeded = 0}};
    for (int i = 0; i < 4; i++) { // seeded, expanded, longer, of a lower level
        cts[i].data = data[i];
        cts[i].seed_type = RS_SEED_SHAKE256;
        check_encryption(&b, RS_ENCRYPT_SK, i == 3 ? DATA - 1 : DATA, &cts[i]);
    }
    cts[2].poly_count = 3;
    for (uint32_t i = 0; i < DATA * N; i++) data[2][2 * DATA * N + i] = i;
    for (int i = 0; i < 16; i++) { // each after each
        check_decryption(&b, &cts[i / 4], 1);
        check_decryption(&b, &cts[i % 4], 1);
    }
}

RS_TEST(self_test_finds_every_wrong_result) {
    static const uint32_t GROUPS[] = {2, 5, 2, 5, 6};
    for (unsigned k = 0; k < 5; k++) { // one streams, the last one encodes
        model_core_t core;
        rs_device_t device;
        rs_design_t design = DESIGN;
        design.groups = GROUPS[k];
        design.slots = k ? 3 : 0;
        if (k == 3) design.features |= RS_FEATURE_PIPE;
        if (k == 4) design.features = RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ENCODE;
        model_core_init(&core, &design, 1 << 20);
        REQUIRE_OK(open_core(&core, &device));
        const size_t bytes = rs_device_self_test_size(&device.design);
        void *memory = words(bytes / 8);
        CHECK_OK(rs_device_self_test(&device, memory, bytes));
        CHECK_EQ_U64(core.misuse, 0);
        // every kind encrypted and decrypted, and two rows of keys, for three schemes, at two scales encoded and decoded, and two limbs decoded
        static const unsigned PROGRAMS[] = {18, 24, 24, 26, 38};
        CHECK_EQ_U64(core.programs, PROGRAMS[k]);
        CHECK(is_zero(memory, bytes));
        CHECK(!rs_on_core(&device)->context);
        unsigned found = 0;
        for (core.corrupt_pc = 0; core.corrupt_pc < 40; core.corrupt_pc++) {
            core.corrupted = 0;
            const rs_status_t status = rs_device_self_test(&device, memory, bytes);
            CHECK_STATUS(status, core.corrupted ? RS_ERR_DEVICE_SELFTEST : RS_OK);
            found += status != RS_OK;
        }
        CHECK(found > 20);
        CHECK_STATUS(rs_device_self_test(&device, memory, bytes - 1), RS_ERR_TOO_SMALL);
        CHECK_STATUS(rs_device_self_test(&device, NULL, bytes), RS_ERR_NULL);
        model_core_free(&core);
    }
}

// ---- refusals ----------------------------------------------------------------------------------------------------------
RS_TEST(open_refuses) {
    static const struct {
        uint32_t offset, value;
        rs_status_t status;
    } CASES[] = {
        {RS_REG_ID, 0, RS_ERR_DEVICE_ABSENT},
        {RS_REG_ID, UINT32_MAX, RS_ERR_DEVICE_ABSENT},
        {RS_REG_VERSION, RS_REG_VERSION_VALUE - 1, RS_ERR_DEVICE_VERSION}, // an older core
        {RS_REG_VERSION, RS_REG_VERSION_VALUE + 1, RS_ERR_DEVICE_VERSION},
        {RS_REG_LANES, 0, RS_ERR_DEVICE_DESIGN},
        {RS_REG_LANES, 3, RS_ERR_DEVICE_DESIGN},
        {RS_REG_WORD_BITS, 65, RS_ERR_DEVICE_DESIGN},
        {RS_REG_REDUCTION, RS_REG_REDUCTION_VALUE - 1, RS_ERR_DEVICE_DESIGN}, // a core that divides by another method
        {RS_REG_REDUCTION, RS_REG_REDUCTION_VALUE + 1, RS_ERR_DEVICE_DESIGN},
        {RS_REG_LOG_N_MAX, 9, RS_ERR_DEVICE_DESIGN},
        {RS_REG_LOG_N_MAX, 99, RS_ERR_DEVICE_DESIGN},
        {RS_REG_GROUPS, 1, RS_ERR_DEVICE_DESIGN},
        {RS_REG_GROUPS, 17, RS_ERR_DEVICE_DESIGN},
        {RS_REG_CONTEXTS, 0, RS_ERR_DEVICE_DESIGN},
        {RS_REG_SLOTS, 7, RS_ERR_DEVICE_DESIGN},
        {RS_REG_BUS_BITS, 0, RS_ERR_DEVICE_DESIGN},
        {RS_REG_PROGRAM_DEPTH, 0, RS_ERR_DEVICE_DESIGN},
        {RS_REG_STATUS, 1u << RS_REG_STATUS_BUSY_SHIFT, RS_ERR_DEVICE_UNWIPED},
    };
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    model_core_init(&core, &DESIGN, 4096);
    model_core_bus(&core, &bus);
    CHECK_OK(open_device(&device, &bus));
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        uint32_t *reg = &core.registers[CASES[i].offset / 4];
        const uint32_t old = *reg;
        *reg = CASES[i].value;
        CHECK_STATUS(open_device(&device, &bus), CASES[i].status);
        *reg = old;
    }
    CHECK_STATUS(open_device(NULL, &bus), RS_ERR_NULL);
    rs_device_t *opened;
    CHECK_STATUS(rs_device_open(NULL, (rs_memory_t){&device, sizeof device}, &bus), RS_ERR_NULL);
    CHECK_STATUS(rs_device_open(&opened, (rs_memory_t){&device, rs_device_size() - 1}, &bus), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_device_open(&opened, (rs_memory_t){(uint8_t *)&device + 1, rs_device_size()}, &bus), RS_ERR_ALIGNMENT);
    CHECK_STATUS(open_device(&device, NULL), RS_ERR_NULL);
    rs_bus_t bad = bus;
    bad.memory_address += 64;
    CHECK_STATUS(open_device(&device, &bad), RS_ERR_DEVICE_ADDRESS);
    bad = bus;
    bad.size--;
    CHECK_STATUS(open_device(&device, &bad), RS_ERR_STRUCT);
    bad = bus;
    bad.memory = NULL;
    CHECK_STATUS(open_device(&device, &bad), RS_ERR_NULL);
    CHECK_STATUS(rs_device_close(NULL), RS_ERR_NULL);
    model_core_free(&core);
}

RS_TEST(designs_that_do_not_fit) {
    bench_t b;
    bench_keys(&b, N, 31, LIMBS);
    rs_design_t design = DESIGN;
    CHECK_OK(rs_design_fits(&design, &b.f.params));
    design.word_bits = 31;
    CHECK_OK(rs_design_fits(&design, &b.f.params));
    design.word_bits = 30;
    CHECK_STATUS(rs_design_fits(&design, &b.f.params), RS_ERR_DESIGN_MODULUS);
    CHECK_EQ_U64(rs_device_memory_bytes(&design, &b.f.params, 2, 1), 0);
    design = DESIGN;
    design.log_n_min = 11;
    CHECK_STATUS(rs_design_fits(&design, &b.f.params), RS_ERR_DESIGN_DEGREE);
    design = DESIGN;
    rs_params_t params = b.f.params;
    params.moduli[1] += 2;
    CHECK_STATUS(rs_design_fits(&design, &params), RS_ERR_DESIGN_MODULUS);
}

RS_TEST(programs_that_cannot_be_made) {
    uint64_t program[512];
    size_t length = 0;
    rs_design_t design = DESIGN;
    rs_job_t job = job_of(RS_JOB_ENCRYPT_PK, 10, 3);
    REQUIRE_OK(rs_program_build(&design, &job, program, 512, &length));
    CHECK_OK(rs_program_build(&design, &job, program, length, &length));
    CHECK_STATUS(rs_program_build(&design, &job, program, length - 1, &length), RS_ERR_PROGRAM_LENGTH);
    design.program_depth = (uint32_t)length - 1;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_PROGRAM_LENGTH);
    CHECK_STATUS(rs_program_build(NULL, &job, program, 512, &length), RS_ERR_NULL);
    design = DESIGN;
    design.contexts = 1; // enough for five groups
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    for (design.groups = 2; design.groups < 5; design.groups++) {
        CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    }
    CHECK(strstr(rs_status_message(RS_ERR_DESIGN), "two contexts") != NULL);
    for (design = DESIGN, design.slots = 0; design.groups >= 2; design.groups--) {
        CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    }
    design = DESIGN;
    job.log_n = 12;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN_DEGREE);
    job = job_of(RS_JOB_ENCRYPT_PK, 10, 3);
    job.key_limbs = 3; // no special prime behind the limbs
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_LEVEL);
    job = job_of(RS_JOB_ENCRYPT_PK_DIRECT, 10, 0);
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_LEVEL);
    job = job_of(RS_JOB_DECRYPT, 10, 3);
    job.poly_count = 1;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_POLY_COUNT);
    job.poly_count = 2;
    job.input_limbs = 2;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_LEVEL);
    job = job_of(RS_JOB_ENCRYPT_SK, 10, 3);
    design.features = RS_FEATURE_SAMPLER;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.kind = 77;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.expansion = 0;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_FORM);
    // a device refuses before it draws a seed
    design = DESIGN;
    design.groups = 3;
    design.contexts = 1;
    BENCH(b, &design);
    set_level(&b, 1);
    const uint64_t drawn = b.f.rng_state.offset;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &b.ct), RS_ERR_DESIGN);
    CHECK_EQ_U64(b.f.rng_state.offset, drawn);
}

RS_TEST(arguments_and_memory_are_checked) {
    bench_t b, other;
    bench_init(&b, &DESIGN);
    bench_keys(&other, N, 31, LIMBS);
    rs_device_t *d = &b.device;
    rs_rng_t broken = {rs_test_no_rng, NULL};
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
    rs_plaintext_t out = {.ntt = b.want};
    CHECK_STATUS(LOAD(d, .public_key = &other.f.public_key), RS_ERR_MISMATCH);
    CHECK_STATUS(LOAD(d, .secret_key = &other.f.secret), RS_ERR_MISMATCH);
    rs_ciphertext_t seeded = b.f.public_key;
    seeded.seeded = 1;
    CHECK_STATUS(LOAD(d, .public_key = &seeded), RS_ERR_SEEDED);
    CHECK_STATUS(encrypt_one(d, (rs_encryption_t)9, &b.message, &ct, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_FORM);
    CHECK_STATUS(encrypt_one(d, RS_ENCRYPT_PK, &b.message, &ct, &broken, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    CHECK_STATUS(encrypt_one(d, RS_ENCRYPT_SK, &b.message, &ct, &broken, b.room, RS_DEVICE_RUN), RS_ERR_RNG);
    CHECK_STATUS(encrypt_one(d, RS_ENCRYPT_PK, &b.message, &ct, &b.f.rng, (rs_memory_t){b.room.p, b.room.n - 1}, RS_DEVICE_RUN),
                 RS_ERR_TOO_SMALL);
    CHECK_STATUS(
        encrypt_one(d, RS_ENCRYPT_SK, &b.message, &ct, &b.f.rng, (rs_memory_t){(uint8_t *)b.room.p + 1, b.room.n}, RS_DEVICE_RUN),
        RS_ERR_ALIGNMENT);
    // what a request names is what is loaded; a message comes in one way; a start takes one item
    rs_encrypt_item_t items[2] = {{.plaintext = &b.message, .ciphertext = &ct}, {.plaintext = &b.message, .ciphertext = &ct}};
    const rs_encrypt_request_t good = {.size = sizeof good,
                                       .kind = RS_ENCRYPT_PK_DIRECT,
                                       .context = b.f.context,
                                       .public_key = &b.f.public_key,
                                       .secret_key = &b.f.secret,
                                       .items = items,
                                       .count = 1,
                                       .rng = &b.f.rng,
                                       .workspace = b.room};
    CHECK_OK(rs_device_encrypt(d, &good, RS_DEVICE_RUN));
    for (unsigned k = 0; k < 8; k++) {
        rs_encrypt_request_t bad = good;
        rs_device_mode_t mode = RS_DEVICE_RUN;
        if (k == 0) bad.context = other.f.context;
        if (k == 1) bad.public_key = &other.f.public_key;
        if (k == 2) bad.secret_key = &other.f.secret;
        if (k == 3) bad.seeded = 1;
        if (k == 4) items[0].values = b.want;
        if (k == 5) bad.count = 2;
        if (k == 5 || k == 6) mode = k == 5 ? RS_DEVICE_START : (rs_device_mode_t)3;
        if (k == 7) bad.size--;
        items[0].status = RS_ERR_IO;
        const unsigned programs = b.core.programs;
        CHECK_STATUS(rs_device_encrypt(d, &bad, mode), k < 3 ? RS_ERR_MISMATCH : k < 7 ? RS_ERR_OPTION : RS_ERR_STRUCT);
        CHECK_EQ_U64(items[0].status, RS_ERR_IO); // refused before work
        CHECK_EQ_U64(b.core.programs, programs);
        items[0].values = NULL;
    }
    rs_plaintext_t wrong = b.message;
    wrong.limb_count = 1;
    CHECK_STATUS(encrypt_one(d, RS_ENCRYPT_PK, &wrong, &ct, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_MISMATCH);
    ct.seed_type = (rs_seed_type_t)9;
    CHECK_STATUS(encrypt_one(d, RS_ENCRYPT_SK, &b.message, &ct, &b.f.rng, b.room, RS_DEVICE_RUN), RS_ERR_SEED_TYPE);
    ct.seed_type = RS_SEED_SHAKE256;
    REQUIRE_OK(encrypt_one(d, RS_ENCRYPT_SK, &b.message, &ct, &b.f.rng, b.room, RS_DEVICE_RUN));
    CHECK_STATUS(decrypt_one(d, &ct, DATA + 1, &out, b.room, RS_DEVICE_RUN), RS_ERR_LEVEL);
    CHECK_OK(decrypt_one(d, &ct, 0, &out, b.room, RS_DEVICE_RUN)); // all
    CHECK_EQ_U64(out.limb_count, DATA);
    ct.poly_count = 1;
    CHECK_STATUS(decrypt_one(d, &ct, 1, &out, b.room, RS_DEVICE_RUN), RS_ERR_POLY_COUNT);
    ct.poly_count = 3;
    ct.seeded = 1;
    CHECK_STATUS(decrypt_one(d, &ct, 1, &out, b.room, RS_DEVICE_RUN), RS_ERR_POLY_COUNT);
    ct = (rs_ciphertext_t){.data = b.got, .seed_type = RS_SEED_SHAKE256};
    // memory that ends within the contexts, the keys, the buffers
    const size_t context = LIMBS * rs_design_context_bytes(&DESIGN, 10), poly = rs_design_poly_bytes(&DESIGN, 10);
    const struct {
        size_t bytes;
        rs_status_t statuses[4];
    } cases[] = {
        {context - 1, {RS_ERR_DEVICE_MEMORY, RS_ERR_DEVICE_NOT_LOADED, RS_ERR_DEVICE_NOT_LOADED, RS_ERR_DEVICE_NOT_LOADED}},
        {context + 8 * poly - 1, {RS_OK, RS_ERR_DEVICE_MEMORY, RS_OK, RS_ERR_DEVICE_NOT_LOADED}},
        {context + 12 * poly - 1, {RS_OK, RS_OK, RS_ERR_DEVICE_MEMORY, RS_ERR_DEVICE_MEMORY}},
        {context + 12 * poly, {RS_OK, RS_OK, RS_OK, RS_ERR_DEVICE_MEMORY}},
        {context + (12 + 9) * poly - 1, {RS_OK, RS_OK, RS_OK, RS_ERR_DEVICE_MEMORY}},
        {context + (12 + 9) * poly, {RS_OK, RS_OK, RS_OK, RS_OK}},
    };
    for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rs_device_t small;
        rs_bus_t bus = b.bus;
        bus.memory_bytes = cases[i].bytes;
        REQUIRE_OK(open_device(&small, &bus));
        CHECK_STATUS(LOAD(&small, .context = b.f.context), cases[i].statuses[0]);
        CHECK_STATUS(LOAD(&small, .public_key = &b.f.public_key), cases[i].statuses[1]);
        CHECK_STATUS(LOAD(&small, .secret_key = &b.f.secret), cases[i].statuses[2]);
        CHECK_STATUS(encrypt_one(&small, RS_ENCRYPT_PK, &b.message, &ct, &b.f.rng, b.room, RS_DEVICE_RUN), cases[i].statuses[3]);
    }
    bench_free(&b);
}

RS_TEST(memory_for_what_is_divided) {
    rs_design_t design = DESIGN;
    design.groups = 2;
    BENCH(b, &design);
    rs_ciphertext_t ct = {.data = b.got};
    const size_t needed = b.device.used + (2 * (DATA + 1) + 2 * DATA + 2) * rs_design_poly_bytes(&design, 10);
    CHECK(needed <= b.bus.memory_bytes);
    b.device.bus.memory_bytes = needed - 1;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, &ct), RS_ERR_DEVICE_MEMORY);
    b.device.bus.memory_bytes = needed;
    CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, &ct));
}

// ---- instructions ------------------------------------------------------------------------------------------------------
RS_TEST(instructions_as_text) {
    static const text_case_t CASES[] = {
        {I(END), "END"},
        {I(LOAD) | D(12) | RS_FIELD(CTX, 1) | RS_FIELD(POINTER, 15) | AT(0xffffffc0) | SET(WIDE) | SET(NTT) | SET(SECRET),
         "LOAD g12 ctx1 [p15 + 0xffffffc0] wide ntt secret"},
        {I(STORE) | A(3) | SET(NTT), "STORE g3 [p0 + 0x0] ntt"},
        {I(CONTEXT) | D(1) | AT(64), "CONTEXT ctx1 [p0 + 0x40]"},
        {I(MAC) | D(2) | A(0) | B(1) | RS_FIELD(CTX, 15), "MAC g2 g0 g1 ctx15"},
        {I(SAMPLE) | D(1) | RS_FIELD(DOMAIN, 2) | SET(TERNARY), "SAMPLE s1 2 ternary"},
        {I(LIFT) | D(4) | A(1) | SET(ADD) | SET(FACTOR), "LIFT g4 s1 ctx0 add factor"},
        {I(ROUND) | D(1) | A(4), "ROUND s1 g4 ctx0"},
        {I(LIFTON) | D(4) | A(1) | B(2) | SET(ADD), "LIFTON g4 s1 g2 ctx0 add"},
        {I(EXPAND) | D(4) | RS_FIELD(LIMBS, 3), "EXPAND g4 ctx0 3"},
        {63, ".word 0x3f"},
        {I(MUL) | SET(NTT), ".word 0x2000007"}, // a bit that it does not use
    };
    char text[80];
    check_texts(CASES, sizeof CASES / sizeof CASES[0]);
    memset(text, 'x', sizeof text);
    CHECK_EQ_U64(rs_instruction_text(I(STORE), text, 5), strlen("STORE g0 [p0 + 0x0]"));
    CHECK_EQ_MEM(text, "STOR", 5);
    CHECK_EQ_U64(text[5], 'x');
    CHECK_EQ_U64(rs_instruction_text(I(END), NULL, 0), 3);
}

// The model's faults that depend on memory, and on pointers; those of decode: hw/sequencer/tb. Group 0 public, context 0 loaded.
RS_TEST(faults_of_memory_in_the_model) {
    const fault_case_t CASES[] = {
        {{I(STORE) | A(0) | SET(NTT) | RS_FIELD(POINTER, 3)}, RS_FAULT_NONE},
        {{I(CONSTANTS) | D(1) | RS_FIELD(POINTER, RS_POINTER_INPUT)}, RS_FAULT_CONTEXT},
        {{I(CONSTANTS) | D(1) | AT(0x80000000)}, RS_FAULT_BUS_READ},
        // pointers that are not set: neither half, or one of them; no offset makes up for that
        {{I(LOAD) | D(0) | RS_FIELD(POINTER, 7)}, RS_FAULT_ALIGN},
        {{I(LOAD) | D(0) | RS_FIELD(POINTER, 7) | AT(64)}, RS_FAULT_ALIGN},
        {{I(LOAD) | D(0) | RS_FIELD(POINTER, 15)}, RS_FAULT_ALIGN},
        {{I(LOAD) | D(0) | RS_FIELD(POINTER, 5)}, RS_FAULT_ALIGN},
        {{I(LOAD) | D(0) | RS_FIELD(POINTER, 6)}, RS_FAULT_ALIGN},
        {{I(STORE) | A(0) | RS_FIELD(POINTER, 6)}, RS_FAULT_ALIGN},
        {{I(LOAD) | D(0) | AT(0x80000000)}, RS_FAULT_BUS_READ},
        {{I(STORE) | A(0) | SET(NTT) | RS_FIELD(POINTER, 3) | AT(0x80000000)}, RS_FAULT_BUS_WRITE},
        {{I(CONTEXT) | D(1) | RS_FIELD(POINTER, RS_POINTER_INPUT)}, RS_FAULT_CONTEXT},
        {{I(STREAM) | RS_FIELD(POINTER, RS_POINTER_INPUT), I(LOAD) | D(0)}, RS_FAULT_WATCHDOG},
        {{I(STREAM) | RS_FIELD(POINTER, RS_POINTER_INPUT)}, RS_FAULT_WATCHDOG},
    };
    BENCH(b, &DESIGN);
    const uint64_t memory = b.bus.memory_address;
    // contexts, the key, zeros, results; below, one half is missing
    const uint64_t results = memory + b.device.used, zeros = results + rs_design_poly_bytes(&DESIGN, 10);
    const uint64_t pointers[4] = {memory, memory + rs_on_core(&b.device)->public_key, zeros, results};
    set_pointers(&b.device, pointers, 4, 10);
    CHECK_OK(b.bus.write(&b.core, RS_REG_POINTER + 8 * 5, (uint32_t)memory));
    CHECK_OK(b.bus.write(&b.core, RS_REG_POINTER + 8 * 6 + 4, (uint32_t)(memory >> 32)));
    const uint64_t first[] = {I(CONTEXT), I(LOAD) | RS_FIELD(POINTER, RS_POINTER_KEY) | SET(NTT)};
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        CHECK_OK(model_new_seed(&b.core, i));
        check_fault(&b.device, first, 2, &CASES[i], i);
    }
    CHECK_EQ_U64(run_words(&b.device, first, 2), RS_FAULT_PROGRAM); // no END
    CHECK_OK(b.bus.write(&b.core, RS_REG_LOG_N, 12));
    CHECK_OK(b.bus.write(&b.core, RS_REG_CONTROL, 1u << RS_REG_CONTROL_START_SHIFT));
    CHECK_EQ_U64(b.core.registers[RS_REG_STATUS / 4] >> RS_REG_STATUS_CAUSE_SHIFT & 15, RS_FAULT_LOG_N);
}

// ---- tables of streaming transforms -------------------------------------------------------------------------------------
static uint64_t table_word(const rs_design_t *design, const uint8_t *image, size_t index) {
    uint64_t word = 0;
    for (unsigned i = 0, bytes = design->word_bits > 32 ? 8 : 4; i < bytes; i++)
        word |= (uint64_t)image[bytes * index + i] << 8 * i;
    return word;
}

static void check_stream_tables(uint32_t word_bits, uint32_t bits, uint32_t log_n, uint32_t log_n_max) {
    rs_design_t design = DESIGN;
    design.word_bits = word_bits;
    design.log_n_max = log_n_max;
    rs_params_t params;
    const rs_context_t *context = context_with(&params, 1u << log_n, &(uint32_t){bits}, 1);

    const uint64_t q = params.moduli[0];
    const uint32_t h = log_n_max / 2;
    const size_t low = (size_t)1 << h, high = (size_t)1 << (log_n - h);
    const size_t size = rs_design_stream_bytes(&design, log_n);
    CHECK_EQ_U64(size % 64, 0);
    CHECK(size >= (low + high) * (word_bits > 32 ? 8 : 4) && size < (low + high) * (word_bits > 32 ? 8 : 4) + 64);
    uint8_t *image = rs_test_own(malloc(size + 1));
    memset(image, 0xa5, size + 1);
    rs_device_image_stream(&design, context, 0, image);
    CHECK_EQ_U64(image[size], 0xa5);
    for (size_t i = low + high; i < size / (word_bits > 32 ? 8 : 4); i++) CHECK_EQ_U64(table_word(&design, image, i), 0);

    uint64_t radix = 1, power = 1;
    for (uint32_t i = 0; i < (word_bits + 10) / 11 * 11; i++) radix = (uint64_t)((test_u128)radix * 2 % q);
    for (size_t k = 0; k < (size_t)1 << log_n; k++) { // psi^k = w[brv(k)]
        size_t j = 0;
        for (uint32_t i = 0; i < log_n; i++) j |= (k >> i & 1) << (log_n - 1 - i);
        const uint64_t a = table_word(&design, image, j % low), b = table_word(&design, image, low + j / low);
        CHECK(a < q && b < q);
        const uint64_t product = (uint64_t)((test_u128)a * b % q);
        const uint64_t want = (uint64_t)((test_u128)power * radix % q);
        if (!CHECK_EQ_U64(product, (uint64_t)((test_u128)want * radix % q))) break;
        power = (uint64_t)((test_u128)power * rs_plan_root(rs_context_plan(context, 0)) % q);
    }
}

RS_TEST(stream_tables) {
    check_stream_tables(64, 60, 12, 16);
    check_stream_tables(64, 48, 10, 13);
    check_stream_tables(54, 50, 11, 11);
    check_stream_tables(32, 30, 10, 12);
    check_stream_tables(32, 27, 13, 13);
}
