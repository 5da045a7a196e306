// SPDX-License-Identifier: Apache-2.0
// ML-DSA on a core with fields, on the model of the core: keys and signatures are the bytes of the library's own mldsa, rounds that are refused
// included; signatures that are damaged, damaged keys, wiped memory. Sealed signatures (docs/core.md, Sealed signatures): what a round that is
// refused leaves, and what other programs get of a key.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mldsa/expand.h"
#include "mldsa/on_core/on_core.h"
#include "rs_test.h"

enum { SETS = 3, MESSAGE = 5000, TRIES = 3, WORDS = SEALED_WORDS };

static const rs_mldsa_set_t SET[SETS] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};

static struct {
    model_core_t core;
    rs_device_t device;
    rs_mldsa_set_t set;
    int reaches, incoherent; // properties of the core that is opened next
    size_t pk_bytes, sk_bytes, signature_bytes;
    uint64_t workspace[RS_MLDSA_WORKSPACE_MAX / 8];
    uint8_t xi[RS_MLDSA_SEED_BYTES], rnd[RS_MLDSA_RANDOM_BYTES], message[MESSAGE];
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint8_t pk2[RS_MLDSA_PK_BYTES_MAX], sk2[RS_MLDSA_SK_BYTES_MAX], signature2[RS_MLDSA_SIGNATURE_BYTES_MAX];
} f;

// The end of a test, or of what it has opened before.
static void closed(void) { close_core(&f.core, &f.device); }

static int opened(rs_mldsa_set_t set, const rs_design_t *design) {
    rs_test_over();
    rs_test_close = closed;
    model_core_init(&f.core, design, 1 << 17);
    f.core.reaches = f.reaches;
    f.core.incoherent = f.incoherent;
    f.set = set;
    f.pk_bytes = rs_mldsa_sizes(set)->pk;
    f.sk_bytes = rs_mldsa_sizes(set)->sk;
    f.signature_bytes = rs_mldsa_sizes(set)->signature;
    return CHECK_OK(open_core(&f.core, &f.device)) && CHECK_OK(rs_device_mldsa_prepare(&f.device, set));
}

// The library's own pair, and its signature of a message.
static void library_makes_pair(void) {
    CHECK_OK(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = f.set, .pk = {f.pk, f.pk_bytes}, .sk = {f.sk, f.sk_bytes},
                                        .seed = {f.xi, sizeof f.xi}, .workspace = {f.workspace, sizeof f.workspace})));
}

static rs_status_t library_signs(uint8_t *signature, rs_mldsa_message_t message) {
    return rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = f.set, .mode = RS_MLDSA_GIVEN, .sk = {f.sk, f.sk_bytes},
                                    .message = message, .signature = {signature, f.signature_bytes}, .rnd = {f.rnd, sizeof f.rnd},
                                    .workspace = {f.workspace, sizeof f.workspace}));
}

static void make_pair(uint64_t *state) {
    fill(f.xi, sizeof f.xi, state);
    fill(f.rnd, sizeof f.rnd, state);
    fill(f.message, sizeof f.message, state);
    library_makes_pair();
}

static rs_mldsa_verify_request_t verify_request(rs_mldsa_message_t message) {
    return (rs_mldsa_verify_request_t){sizeof(rs_mldsa_verify_request_t), f.set,    {f.pk, f.pk_bytes}, message,
                                       {f.signature2, f.signature_bytes}, {NULL, 0}};
}

static rs_status_t verify(rs_mldsa_message_t message) {
    const rs_mldsa_verify_request_t request = verify_request(message);
    return rs_device_mldsa_verify(&f.device, &request, RS_DEVICE_RUN);
}

static rs_status_t keygen(void) {
    return rs_device_mldsa_keygen(&f.device,
                                  RS_REQUEST(rs_mldsa_keygen_request_t, .set = f.set, .pk = {f.pk2, f.pk_bytes},
                                             .sk = {f.sk2, f.sk_bytes}, .seed = {f.xi, sizeof f.xi}),
                                  RS_DEVICE_RUN);
}

// With f.rnd.
static rs_mldsa_sign_request_t sign_request(rs_mldsa_message_t message, uint8_t *signature) {
    return (rs_mldsa_sign_request_t){sizeof(rs_mldsa_sign_request_t),
                                     f.set,
                                     .mode = RS_MLDSA_GIVEN,
                                     .sk = {f.sk, f.sk_bytes},
                                     .message = message,
                                     .signature = {signature, f.signature_bytes},
                                     .rnd = {f.rnd, sizeof f.rnd}};
}

static rs_status_t sign(rs_mldsa_message_t message) {
    const rs_mldsa_sign_request_t request = sign_request(message, f.signature);
    return rs_device_mldsa_sign(&f.device, &request, RS_DEVICE_RUN);
}

static rs_mldsa_message_t message_of(size_t bytes) { return (rs_mldsa_message_t){.bytes = {f.message, bytes}}; }

// The signature of the library, and both ways of the core.
static void check_text(rs_mldsa_message_t text, rs_status_t made) {
    uint32_t rounds = 0;
    CHECK_OK(made);
    memset(f.signature2, 0, sizeof f.signature2);
    rs_mldsa_sign_request_t request = sign_request(text, f.signature2);
    request.rounds = &rounds;
    CHECK_OK(rs_device_mldsa_sign(&f.device, &request, RS_DEVICE_RUN));
    CHECK(rounds > 0);
    CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes);
    CHECK_OK(verify(text));
}

static void check_bytes(void) {
    unsigned refused = 0;
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 1 + i;
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        for (unsigned pair = 0; pair < 3; pair++) {
            make_pair(&state);
            CHECK_OK(keygen());
            CHECK_EQ_MEM(f.pk2, f.pk, f.pk_bytes);
            CHECK_EQ_MEM(f.sk2, f.sk, f.sk_bytes);
            const uint8_t context[] = "context";
            const rs_mldsa_message_t text = {.context = {context, pair}, .bytes = {f.message, 200 * pair}};
            const unsigned programs = f.core.programs;
            check_text(text, library_signs(f.signature, text));
            refused += f.core.programs - programs > 5; // set-up, two of a round, two of the verification
        }
    }
    CHECK(refused > 0);
}

RS_TEST(bytes_are_those_of_the_library) { check_bytes(); }

// z is read where the signature is.
RS_TEST(arrays_stay_where_the_core_reaches_them) {
    f.reaches = 1;
    for (f.incoherent = 0; f.incoherent < 2; f.incoherent++) check_bytes();
    f.incoherent = 0;
    uint64_t state = 3;
    if (opened(RS_MLDSA_65, &FIELDS_DESIGN)) {
        make_pair(&state);
        const rs_mldsa_message_t text = message_of(9);
        CHECK_OK(library_signs(f.signature2, text));
        CHECK_OK(verify(text));
        CHECK(!is_there(f.signature2 + 48, 16) && is_there(f.signature2, 16));
    }
    f.reaches = 0;
}

RS_TEST(forms_of_messages) {
    uint64_t state = 5;
    if (!opened(RS_MLDSA_44, &FIELDS_DESIGN)) return;
    make_pair(&state);
    const rs_mldsa_message_t longer = message_of(MESSAGE); // the processor hashes it
    check_text(longer, library_signs(f.signature, longer));
    const rs_mldsa_message_t mu = {.form = RS_MLDSA_MU, .bytes = {f.message, RS_MLDSA_MU_BYTES}};
    check_text(mu, library_signs(f.signature, mu));
    const rs_mldsa_message_t internal = {.form = RS_MLDSA_INTERNAL, .bytes = {f.message, 77}};
    check_text(internal, library_signs(f.signature, internal));
    const rs_mldsa_message_t digest = {.form = RS_MLDSA_DIGEST, .hash = RS_MLDSA_SHA2_512, .bytes = {f.message, 64}};
    check_text(digest, library_signs(f.signature, digest));
    const rs_mldsa_message_t pure = message_of(64);
    CHECK_STATUS(verify(pure), RS_ERR_SIGNATURE);
}

// Every verdict is the library's, of signatures with one wrong bit.
RS_TEST(damaged_signatures) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 9 + i;
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        make_pair(&state);
        const rs_mldsa_message_t text = message_of(10);
        CHECK_OK(library_signs(f.signature, text));
        for (unsigned n = 0; n < 12; n++) {
            memcpy(f.signature2, f.signature, f.signature_bytes);
            // the challenge, z, its top bits, which make it too large, the hints
            const size_t hints = f.signature_bytes - 70, at = n % 4 == 0   ? n
                                                              : n % 4 == 3 ? hints + n
                                                                           : 64 + rs_test_random(&state) % 2000;
            f.signature2[at] ^= (uint8_t)(1u << (n % 8));
            const rs_status_t want = rs_mldsa_verify(
                RS_REQUEST(rs_mldsa_verify_request_t, .set = f.set, .pk = {f.pk, f.pk_bytes}, .message.bytes = {f.message, 10},
                           .signature = {f.signature2, f.signature_bytes}, .workspace = {f.workspace, sizeof f.workspace}));
            CHECK_EQ_U64(verify(text), want);
        }
        memcpy(f.signature2, f.signature, f.signature_bytes);
        memset(f.signature2 + 64, 0, 640); // z = gamma1
        CHECK_STATUS(verify(text), RS_ERR_SIGNATURE);
        CHECK_EQ_U64(rs_device_report(&f.device)->cause, RS_FAULT_VALUE);
        memcpy(f.signature2, f.signature, f.signature_bytes);
        CHECK_OK(verify(text));
    }
}

RS_TEST(keys_are_checked_and_secrets_wiped) {
    enum { PART = 16 };
    uint64_t state = 21;
    if (!opened(RS_MLDSA_65, &FIELDS_DESIGN)) return;
    make_pair(&state);
    const rs_mldsa_message_t text = message_of(10);
    f.sk[RS_MLDSA_SK_S1] |= 0x0f; // eta - 15
    CHECK_STATUS(sign(text), RS_ERR_SECRET_KEY);
    make_pair(&state);
    CHECK_OK(keygen());
    CHECK(!is_there(f.xi, PART) && !is_there(f.sk + 32, PART) && !is_there(f.sk + RS_MLDSA_SK_S1, PART));
    for (unsigned i = 2; i < 6; i++) {
        static const uint8_t NONE[RS_DIGEST_BYTES];
        CHECK_EQ_MEM(f.core.digests[i], NONE, sizeof NONE);
    }
    const unsigned zeroizes = f.core.zeroizes;
    CHECK_OK(sign(text));
    CHECK_EQ_U64(f.core.zeroizes, zeroizes + 1);
    CHECK(!is_there(f.rnd, PART) && !is_there(f.sk + 32, PART) && !is_there(f.sk + RS_MLDSA_SK_S1, PART));
    f.core.inject_pc = 5;
    f.core.inject_fault = RS_FAULT_BUS_READ;
    CHECK_STATUS(sign(text), RS_ERR_DEVICE_BUS);
    CHECK(!is_there(f.rnd, PART) && !is_there(f.sk + RS_MLDSA_SK_S1, PART));
}

// Nothing of a signature stays in memory but constants, rho and tr: no challenge, y, w, z or hint of a refused round,
// no part of the message.
RS_TEST(nothing_of_a_signature_stays) {
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 40 + i;
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        const uint8_t *room = f.core.memory + rs_mldsa_zeros_at(&FIELDS_DESIGN) + 64;
        make_pair(&state);
        const rs_mldsa_message_t text = message_of(300);
        for (unsigned fails = 0; fails < 2; fails++) {
            f.core.inject_pc = 5;
            f.core.inject_fault = fails ? RS_FAULT_BUS_READ : RS_FAULT_NONE;
            CHECK_STATUS(sign(text), fails ? RS_ERR_DEVICE_BUS : RS_OK);
            size_t left = 0;
            for (const uint8_t *at = room; at < f.core.memory + f.core.memory_bytes; at++) {
                const size_t offset = (size_t)(at - room);
                const int is_open = (offset >= RS_MLDSA_AT_TR && offset < RS_MLDSA_AT_TR + RS_MLDSA_TR_BYTES) ||
                                    (offset >= RS_MLDSA_AT_PK && offset < RS_MLDSA_AT_PK + RS_MLDSA_RHO_BYTES);
                left += *at && !is_open;
            }
            CHECK_EQ_U64(left, 0);
        }
        f.core.inject_fault = RS_FAULT_NONE;
        CHECK_OK(library_signs(f.signature2, message_of(300)));
        CHECK_OK(verify(text));
        CHECK(!is_there(f.message, 16)); // which may be secret
    }
}

// SampleInBall in fields is the library's, however much of the stream was given.
RS_TEST(challenges_in_fields) {
    static const size_t GIVEN[] = {RS_MLDSA_BALL_BYTES, 40, 8, 0};
    uint64_t state = 50;
    for (unsigned i = 0; i < SETS * 40; i++) {
        const rs_mldsa_params_t *p = rs_mldsa_params(SET[i % SETS]);
        uint8_t challenge[RS_MLDSA_CHALLENGE_BYTES_MAX], stream[RS_MLDSA_BALL_BYTES];
        _Alignas(8) uint8_t made[RS_MLDSA_N * 20 / 8];
        rs_mldsa_poly_t want;
        rs_sponge_t sponge;
        fill(challenge, sizeof challenge, &state);
        rs_mldsa_sample_in_ball(&want, &sponge, p, challenge, 1);
        rs_shake256(stream, sizeof stream, challenge, p->challenge_bytes);
        for (unsigned g = 0; g < sizeof GIVEN / sizeof *GIVEN; g++) {
            for (unsigned signing = 0; signing < 2; signing++) {
                const rs_mldsa_fields_t fields = signing ? RS_MLDSA_C_SIGNING : RS_MLDSA_C_VERIFYING;
                memset(made, 0xff, sizeof made);
                rs_mldsa_clear_challenge(made, fields);
                rs_mldsa_put_challenge(made, fields, p, challenge, stream, GIVEN[g]);
                unsigned wrong = 0;
                for (unsigned n = 0; n < RS_MLDSA_N; n++) {
                    const unsigned at = n * fields.bits;
                    const uint32_t three = made[at / 8] | (uint32_t)made[at / 8 + 1] << 8 | (uint32_t)made[at / 8 + 2] << 16;
                    const uint32_t x = three >> at % 8 & ((1u << fields.bits) - 1);
                    wrong += (int32_t)x != (1 - want.c[n]) * (1 << fields.power);
                }
                CHECK_EQ_U64(wrong, 0);
            }
        }
    }
}

RS_TEST(errors) {
    rs_design_t small = FIELDS_DESIGN;
    uint64_t state = 33;
    CHECK_EQ_U64(rs_device_mldsa_bytes(&FIELDS_DESIGN, (rs_mldsa_set_t)7), 0);
    small.groups = RS_MLDSA_GROUPS_MIN; // columns wait for groups
    if (!opened(RS_MLDSA_87, &small)) return;
    make_pair(&state);
    CHECK_OK(keygen());
    CHECK_EQ_MEM(f.sk2, f.sk, f.sk_bytes);
    const rs_mldsa_message_t text = message_of(10);
    check_text(text, library_signs(f.signature, text));
    rs_rng_t rng = {.fill = give, .state = f.rnd};
    memset(f.signature2, 0, sizeof f.signature2);
    // modes: each takes its own randomness, and no other
    static const rs_status_t WANTED[4][4] = {{RS_ERR_NULL, RS_ERR_OPTION, RS_OK, RS_ERR_OPTION},
                                             {RS_ERR_NULL, RS_OK, RS_ERR_OPTION, RS_ERR_OPTION},
                                             {RS_OK, RS_ERR_OPTION, RS_ERR_OPTION, RS_ERR_OPTION},
                                             {RS_ERR_OPTION, RS_ERR_OPTION, RS_ERR_OPTION, RS_ERR_OPTION}};
    for (uint32_t mode = 0; mode < 4; mode++) {
        rs_mldsa_sign_request_t request = sign_request(text, f.signature2);
        request.mode = mode;
        for (unsigned has = 0; has < 4; has++) {
            request.rnd = has & 1 ? (rs_view_t){f.rnd, sizeof f.rnd} : (rs_view_t){NULL, 0};
            request.rng = has & 2 ? &rng : NULL;
            const rs_status_t status = rs_device_mldsa_sign(&f.device, &request, RS_DEVICE_RUN);
            CHECK_EQ_U64(status, WANTED[mode][has]);
            if (status != RS_OK) continue;
            CHECK(!memcmp(f.signature2, f.signature, f.signature_bytes) == (mode != RS_MLDSA_DETERMINISTIC));
            CHECK_OK(verify(text));
        }
    }
    CHECK_OK(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = f.set, .mode = RS_MLDSA_DETERMINISTIC,
                                      .sk = {f.sk, f.sk_bytes}, .message = text, .signature = {f.signature, f.signature_bytes},
                                      .workspace = {f.workspace, sizeof f.workspace})));
    CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes); // the deterministic one
    rs_mldsa_verify_request_t request = verify_request(text);
    request.pk.n--;
    CHECK_STATUS(rs_device_mldsa_verify(&f.device, &request, RS_DEVICE_RUN), RS_ERR_BYTES);
    request.pk.n++;
    request.message.form = RS_MLDSA_INTERNAL + 1;
    CHECK_STATUS(rs_device_mldsa_verify(&f.device, &request, RS_DEVICE_RUN), RS_ERR_OPTION);
    request.message = text;
    CHECK_STATUS(rs_device_mldsa_verify(&f.device, &request, RS_DEVICE_START), RS_ERR_OPTION);
    const unsigned programs = f.core.programs;
    CHECK_OK(rs_device_mldsa_verify(&f.device, &request, RS_DEVICE_PREPARE));
    CHECK_EQ_U64(f.core.programs, programs);
    CHECK_STATUS(rs_device_mldsa_verify(&f.device, NULL, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(rs_device_mldsa_keygen(&f.device,
                                        RS_REQUEST(rs_mldsa_keygen_request_t, .pk = {f.pk, f.pk_bytes}, .sk = {f.sk, f.sk_bytes}),
                                        RS_DEVICE_RUN),
                 RS_ERR_NULL);
    CHECK_STATUS(rs_device_mldsa_prepare(&f.device, (rs_mldsa_set_t)7), RS_ERR_SET);
    CHECK_STATUS(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512), RS_ERR_DESIGN); // which needs more groups
    if (!opened(RS_MLDSA_44, &FIELDS_DESIGN)) return;
    CHECK_OK(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512)); // another scheme
    CHECK_STATUS(verify(text), RS_ERR_DEVICE_NOT_LOADED);
}

// ---- sealed keys -----------------------------------------------------------------------------------------------------------
static rs_status_t seal(size_t bytes) {
    return rs_device_mldsa_seal(&f.device, RS_REQUEST(rs_mldsa_keygen_request_t, .pk = {f.pk2, f.pk_bytes}, .seed = {f.xi, bytes}));
}

static int sealed(rs_mldsa_set_t set, uint64_t *state) {
    const rs_design_t design = sealed_design();
    if (!opened(set, &design)) return 0;
    fill(f.xi, sizeof f.xi, state);
    library_makes_pair();
    return CHECK_OK(seal(sizeof f.xi));
}

static rs_status_t sign_sealed(rs_mldsa_message_t text, uint32_t *rounds) {
    return rs_device_mldsa_sign(&f.device,
                                RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_GIVEN, .message = text,
                                           .signature = {f.signature2, f.signature_bytes}, .rnd = {f.rnd, sizeof f.rnd},
                                           .rounds = rounds),
                                RS_DEVICE_RUN);
}

// For these messages a round passes all checks but has more hints than omega: found by a core without that check.
RS_TEST(too_many_hints_are_another_round) {
    static const uint8_t MESSAGES[SETS] = {199, 90, 113}; // with 1 behind it for the last set
    const rs_design_t designs[2] = {FIELDS_DESIGN, sealed_design()};
    for (unsigned i = 0; i < 2 * SETS; i++) {
        const uint8_t message[4] = {MESSAGES[i / 2], i / 2 == 2};
        const rs_mldsa_message_t text = {.bytes = {message, sizeof message}};
        if (!opened(SET[i / 2], &designs[i % 2])) return;
        memset(f.xi, 0, sizeof f.xi);
        memset(f.rnd, 0, sizeof f.rnd);
        f.xi[0] = 7;
        library_makes_pair();
        if (i % 2) {
            CHECK_OK(seal(sizeof f.xi));
            CHECK_OK(library_signs(f.signature, text));
            CHECK_OK(sign_sealed(text, NULL));
            CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes);
        } else {
            check_text(text, library_signs(f.signature, text));
        }
    }
}

// rnd of zeros, too: the deterministic signature.
RS_TEST(sealed_bytes_are_those_of_the_library) {
    unsigned refused = 0;
    for (unsigned i = 0; i < SETS; i++) {
        uint64_t state = 1 + i;
        if (!sealed(SET[i], &state)) return;
        CHECK_EQ_MEM(f.pk2, f.pk, f.pk_bytes);
        CHECK(!is_there(f.xi, 16) && !is_there(f.sk + 32, 16) && !is_there(f.sk + 128, 16));
        for (unsigned k = 0; k < TRIES; k++) {
            uint32_t rounds = 0;
            fill(f.message, sizeof f.message, &state);
            memset(f.rnd, 0, sizeof f.rnd);
            if (k) fill(f.rnd, sizeof f.rnd, &state);
            const rs_mldsa_message_t text = {.context = {f.message, k}, .bytes = {f.message, 60 * k}};
            CHECK_OK(library_signs(f.signature, text));
            CHECK_OK(sign_sealed(text, &rounds));
            CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes);
            CHECK_OK(rs_device_mldsa_verify(&f.device,
                                            RS_REQUEST(rs_mldsa_verify_request_t, .pk = {f.pk, f.pk_bytes}, .message = text,
                                                       .signature = {f.signature2, f.signature_bytes}),
                                            RS_DEVICE_RUN));
            refused += rounds - 1;
        }
    }
    CHECK(refused > 0);
}

// ---- other programs --------------------------------------------------------------------------------------------------------
// Runs words with pointers as a signature leaves them.
static rs_fault_t run(const uint64_t *words, size_t count) { return run_words(&f.device, words, count); }

static size_t program(uint64_t *words) {
    const rs_program_key_t key = {{RS_PROGRAMS_MLDSA, (uint32_t)f.set, RS_MLDSA_SIGN_SEALED}};
    const rs_design_t design = sealed_design();
    size_t length = 0;
    CHECK_OK(rs_mldsa_program(&design, &key, words, WORDS, &length));
    return length;
}

// The key is for these words, as if they had been bound by mistake.
static void bind(const uint64_t *words, size_t count) {
    uint8_t hash[RS_DIGEST_BYTES], roots[RS_ROOT_BYTES] = {0};
    memcpy(roots, f.xi, sizeof f.xi);
    rs_fields_bound_hash(hash, f.core.seal.vault, words, count);
    CHECK_OK(rs_fields_put_key(&f.device, roots, hash));
}

// Instruction number `index` of those with this operation.
static size_t find(const uint64_t *words, uint32_t op, uint32_t index) {
    for (size_t i = 0;; i++) {
        if (RS_GET_FIELD(OP, words[i]) == op && !index--) return i;
    }
}

static void take_out(uint64_t *words, size_t at) {
    memmove(words + at, words + at + 1, (WORDS - at - 1) * sizeof *words);
    words[WORDS - 1] = OP(END);
}

static void put_in(uint64_t *words, size_t at, uint64_t word) {
    memmove(words + at + 1, words + at, (WORDS - at - 1) * sizeof *words);
    words[at] = word;
}

static uint8_t *results(void) { return f.core.memory + rs_mldsa_zeros_at(&f.device.design) + RS_MACHINE_LINE_BYTES; }

enum { FIRST_RESULT = RS_MLDSA_AT_W1, RESULTS = RS_MLDSA_ROOM - RS_MLDSA_AT_W1 };

// A round of these words with a key for them: the fault, and that nothing has come into memory with it.
static rs_fault_t attack(const uint64_t *words) {
    memset(results() + FIRST_RESULT, 0, RESULTS);
    bind(words, WORDS);
    const rs_fault_t fault = run(words, WORDS);
    for (size_t i = 0; i < RESULTS && fault != RS_FAULT_NONE; i++) {
        if (!CHECK_EQ_U64(results()[FIRST_RESULT + i], 0)) break;
    }
    return fault;
}

static uint64_t without(uint64_t word, uint64_t field) { return word & ~field; }

RS_TEST(another_program_gets_no_key) {
    uint64_t state = 7, words[WORDS];
    if (!sealed(RS_MLDSA_44, &state)) return;
    const size_t length = program(words), mask = find(words, RS_OP_DRAW, 1);
    CHECK_EQ_U64(length, WORDS);
    CHECK(RS_GET_FIELD(DRAW, words[mask]) == RS_DRAW_MASK18);
    for (size_t i = 0; i < length; i++) { // even what comes behind END
        words[i] ^= UINT64_C(1) << 62;
        const rs_fault_t fault = run(words, length);
        CHECK(fault != RS_FAULT_NONE && (i == mask || fault != RS_FAULT_VALUE)); // the round is not bound
        words[i] ^= UINT64_C(1) << 62;
    }
    rs_fault_t fault = run(words, length);
    CHECK(fault == RS_FAULT_NONE || fault == RS_FAULT_VALUE);
    // rounds are whole ones: no number overlaps with those of another one
    words[mask] = rs_mldsa_draw_mask(words[mask], RS_SIGN_ROUNDS);
    CHECK_EQ_U64(run(words, length), RS_FAULT_SECRET);
    words[mask] = rs_mldsa_draw_mask(words[mask], RS_SIGN_ROUNDS - 1);
    fault = run(words, length);
    CHECK(fault == RS_FAULT_NONE || fault == RS_FAULT_VALUE);
    // constants, rho and tr are bound
    static const size_t AT[] = {0, 100, 1000, 1100, 1160, 1216, 1217, 4095};
    for (unsigned i = 0; i < sizeof AT / sizeof *AT; i++) {
        f.core.seal.vault[AT[i]] ^= 1;
        CHECK_EQ_U64(run(words, length), RS_FAULT_SECRET);
        f.core.seal.vault[AT[i]] ^= 1;
    }
}

// All of them are refused by SECRET, whatever the round is: of a key that was bound to them by mistake they tell nothing.
RS_TEST(programs_tell_nothing) {
    uint64_t state = 9, own[WORDS], words[WORDS];
    if (!sealed(RS_MLDSA_44, &state)) return;
    const uint64_t out = rs_near(RS_POINTER_INPUT, RS_MLDSA_AT_Z);
    program(own);
    const size_t norm = find(own, RS_OP_NORM, 0), mask = find(own, RS_OP_DRAW, 1), z = find(own, RS_OP_STOREF, 3);
    const size_t stored = find(own, RS_OP_STORED, 3);
    size_t ball = mask;
    while (RS_GET_FIELD(OP, own[ball]) != RS_OP_DRAW || RS_GET_FIELD(DRAW, own[ball]) != RS_DRAW_BALL) ball++;
    CHECK(RS_GET_FIELD(POINTER, own[z]) == RS_POINTER_INPUT && RS_GET_FIELD(POINTER, own[stored]) == RS_POINTER_INPUT);
    rs_fault_t fault = attack(own);
    CHECK(fault == RS_FAULT_NONE || fault == RS_FAULT_VALUE);
#define ATTACK(at, change)                                                                                   \
    do {                                                                                                     \
        memcpy(words, own, sizeof words);                                                                    \
        const size_t i = at;                                                                                 \
        (void)i;                                                                                             \
        change;                                                                                              \
        if (!CHECK_EQ_U64(attack(words), RS_FAULT_SECRET)) fprintf(stderr, "attack in line %d\n", __LINE__); \
    } while (0)
    // without one of the checks, with a weaker one, of fewer polynomials, or of another group
    for (uint32_t k = 0; k < 4; k++) ATTACK(find(own, RS_OP_NORM, k), take_out(words, i));
    ATTACK(norm, words[i] = without(own[i], RS_FIELD(MARGIN, 255)) | RS_FIELD(MARGIN, 77));
    ATTACK(norm, words[i] = without(own[i], RS_FIELD(POWER, 31)) | RS_FIELD(POWER, 18));
    ATTACK(norm, words[i] = without(own[i], RS_FIELD(POLYS, 15)));
    ATTACK(norm, words[i] = without(own[i], RS_FIELD(POLYS, 15)) | RS_FIELD(POLYS, 2) | RS_FIELD(SLICE_DST, 1));
    ATTACK(find(own, RS_OP_NORM, 2), words[i] = without(own[i], RS_FIELD(MARGIN, 255)));
    ATTACK(find(own, RS_OP_NORM, 3), words[i] = without(own[i], RS_FIELD(MARGIN, 255)) | RS_FIELD(MARGIN, 81));
    ATTACK(norm, put_in(words, i + 1, own[find(own, RS_OP_ADD, 1)])); // z and once more c s1
    // z before its checks, y, w, s1, c, and words of them
    ATTACK(norm, put_in(words, i, own[z]));
    ATTACK(find(own, RS_OP_NORM, 3), put_in(words, i, own[z]));
    ATTACK(mask, put_in(words, i + 1, own[z]));
    ATTACK(z, words[i] = own[i] ^ (A(RS_GET_FIELD(A, own[i])) ^ A(RS_GET_FIELD(DST, own[find(own, RS_OP_DRAW, 0)]))));
    ATTACK(ball, put_in(words, i + 1, own[z] ^ (A(RS_GET_FIELD(A, own[z])) ^ A(RS_GET_FIELD(DST, own[ball])))));
    ATTACK(z, words[i] = own[i + 1] ^ RS_FIELD(SHRINK, RS_STORE_HIGH ^ RS_STORE_PLAIN)); // all of w - c s2
    ATTACK(z, words[i] = own[i + 1] ^ RS_FIELD(FIELD_WIDTH_OUT, rs_width_index(6) ^ rs_width_index(4)));
    ATTACK(z, words[i] = OP(STORE) | A(RS_GET_FIELD(A, own[i])) | RS_FIELD(POINTER, RS_POINTER_INPUT) | RS_FIELD(LOG_SIZE, 8));
    // c tilde, seeds and roots
    ATTACK(z, put_in(words, i, own[stored]));
    ATTACK(ball, words[i] = OP(STORED) | A(2) | out);
    ATTACK(mask, words[i] = OP(STORED) | A(4) | out);
    ATTACK(1, put_in(words, i, OP(STORED) | A(6) | out));
    // something else in the place of t and w
    const size_t low = find(own, RS_OP_STOREF, 0);
    ATTACK(low, words[i] = own[i] ^ (A(RS_GET_FIELD(A, own[i])) ^ A(RS_GET_FIELD(DST, own[find(own, RS_OP_DRAW, 0)]))));
    ATTACK(low + 3, words[i] = own[i] ^ (A(RS_GET_FIELD(A, own[i])) ^ A(RS_GET_FIELD(DST, own[find(own, RS_OP_DRAW, 0)]))));
    CHECK(RS_GET_FIELD(OP, own[low + 3]) == RS_OP_STOREF);
    // another mask for one challenge, the same mask with another challenge, a challenge of the caller's
    ATTACK(find(own, RS_OP_ADD, 1), put_in(words, i, own[mask]));
    ATTACK(mask, put_in(words, i, without(own[i], DST(15)) | DST(RS_GET_FIELD(DST, own[ball]))));
    ATTACK(ball - 2, words[i] = OP(LOADD) | rs_near(RS_POINTER_INPUT, RS_MLDSA_AT_MU));
    ATTACK(ball, words[i] = without(own[i], RS_FIELD(SEED_DIGEST, 15)) | RS_FIELD(SEED_DIGEST, 0));
    ATTACK(ball, put_in(words, i, OP(STORED) | rs_near(RS_FIELDS_VAULT, 3 * RS_VAULT_PART_BYTES + 7 * 64)));
    ATTACK(ball, put_in(words, i, own[find(own, RS_OP_STOREF, 1)]));
    // a matrix, constants, or high parts from outside
    ATTACK(mask + 2, words[i] = without(own[i], RS_FIELD(SEED_DIGEST, 15)) | RS_FIELD(SEED_DIGEST, 0));
    ATTACK(find(own, RS_OP_CONTEXT, 0), words[i] = own[i] ^ RS_FIELD(POINTER, RS_VAULT_POINTER));
    ATTACK(find(own, RS_OP_LOADF, 1), words[i] = without(own[i], RS_FIELD(POINTER, 15) | RS_FIELD(NEAR, 511)) | out);
    // a challenge times R, a key without R
    ATTACK(find(own, RS_OP_SCALE, 0), take_out(words, i));
    ATTACK(ball, put_in(words, i + 1,
                        (own[find(own, RS_OP_SCALE, 0)] & ~(DST(15) | A(15) | RS_FIELD(SLICES, 63))) |
                            DST(RS_GET_FIELD(DST, own[ball])) | A(RS_GET_FIELD(DST, own[ball]))));
#undef ATTACK
    f.core.misuse = 0; // they are no ring's
}

// Nothing of a round that is refused comes into memory, and its end is the same, whatever check it was.
RS_TEST(a_refused_round_shows_nothing) {
    uint64_t state = 11, words[WORDS];
    uint32_t refused = 0, status = 0;
    if (!sealed(RS_MLDSA_87, &state)) return;
    const size_t length = program(words), mask = find(words, RS_OP_DRAW, 1), z = find(words, RS_OP_STOREF, 3);
    for (uint32_t round = 0; round < 12; round++) {
        words[mask] = rs_mldsa_draw_mask(words[mask], round);
        memset(results() + FIRST_RESULT, 0, RESULTS);
        const rs_fault_t fault = run(words, length);
        CHECK(fault == RS_FAULT_NONE || fault == RS_FAULT_VALUE);
        if (fault == RS_FAULT_NONE) continue;
        refused++;
        CHECK_OK(rs_machine_get(&f.device, RS_REG_STATUS, &status));
        CHECK_EQ_U64(RS_REG_PART(STATUS_PC, status), z);
        for (size_t i = 0; i < RESULTS; i++) {
            if (!CHECK_EQ_U64(results()[FIRST_RESULT + i], 0)) break;
        }
    }
    CHECK(refused > 0);
}

RS_TEST(a_hedged_signature_takes_its_bytes_from_the_generator) {
    uint64_t state = 15;
    const rs_mldsa_message_t text = {.bytes = {f.message, 9}};
    rs_rng_t rng = {.fill = give, .state = f.rnd};
    uint32_t rounds[2];
    if (!sealed(RS_MLDSA_44, &state)) return;
    fill(f.rnd, sizeof f.rnd, &state);
    CHECK_OK(sign_sealed(text, &rounds[0]));
    CHECK_OK(rs_device_mldsa_sign(&f.device,
                                  RS_REQUEST(rs_mldsa_sign_request_t, .message = text,
                                             .signature = {f.signature, f.signature_bytes}, .rng = &rng, .rounds = &rounds[1]),
                                  RS_DEVICE_RUN));
    CHECK_EQ_MEM(f.signature, f.signature2, f.signature_bytes);
    CHECK_EQ_U64(rounds[0], rounds[1]);
}

RS_TEST(errors_of_sealed_keys) {
    uint64_t state = 13;
    const rs_mldsa_message_t text = {.bytes = {f.message, 3}};
    if (!sealed(RS_MLDSA_44, &state)) return;
    CHECK_STATUS(seal(31), RS_ERR_BYTES);
    CHECK_STATUS(
        rs_device_mldsa_sign(&f.device, RS_REQUEST(rs_mldsa_sign_request_t, .signature = {f.signature2, 5}), RS_DEVICE_RUN),
        RS_ERR_BYTES);
    CHECK_STATUS(sign_sealed((rs_mldsa_message_t){.bytes = {NULL, 3}}, NULL), RS_ERR_NULL);
    CHECK_OK(sign_sealed(text, NULL));
    // lanes in another order are no key
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX + RS_KEY_LANES - 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_LO, 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_HI, 2));
    CHECK_STATUS(sign_sealed(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(sign_sealed(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_OK(seal(sizeof f.xi));
    CHECK_OK(sign_sealed(text, NULL));
    // an open signature wipes the core
    CHECK_OK(rs_device_mldsa_sign(&f.device,
                                  RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_DETERMINISTIC, .sk = {f.sk, f.sk_bytes},
                                             .message = text, .signature = {f.signature2, f.signature_bytes}),
                                  RS_DEVICE_RUN));
    CHECK_STATUS(sign_sealed(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    if (!opened(RS_MLDSA_44, &FIELDS_DESIGN)) return;
    CHECK_STATUS(seal(sizeof f.xi), RS_ERR_DESIGN);
    CHECK_STATUS(sign_sealed(text, NULL), RS_ERR_DESIGN);
}
