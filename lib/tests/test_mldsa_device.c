// SPDX-License-Identifier: Apache-2.0
// ML-DSA on a core with fields, on the model of the core: keys and signatures are the bytes of the library's own mldsa, rounds that are refused
// included; signatures that are damaged, damaged keys, wiped memory.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mldsa/expand.h"
#include "mldsa/on_core/on_core.h"
#include "rs_test.h"

enum { SETS = 3, MESSAGE = 5000 };

static const rs_mldsa_set_t SET[SETS] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};

typedef struct fixture {
    model_core_t core;
    rs_device_t device;
    rs_mldsa_set_t set;
    int reaches, incoherent; // properties of the core that is opened next
    size_t pk_bytes, sk_bytes, signature_bytes;
    uint64_t workspace[RS_MLDSA_WORKSPACE_MAX / 8];
    uint8_t xi[RS_MLDSA_SEED_BYTES], rnd[RS_MLDSA_RANDOM_BYTES], message[MESSAGE];
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint8_t pk2[RS_MLDSA_PK_BYTES_MAX], sk2[RS_MLDSA_SK_BYTES_MAX], signature2[RS_MLDSA_SIGNATURE_BYTES_MAX];
} fixture_t;

static fixture_t f;

static int opened(rs_mldsa_set_t set, const rs_design_t *design) {
    rs_bus_t bus;
    model_core_init(&f.core, design, 1 << 17);
    f.core.reaches = f.reaches;
    f.core.incoherent = f.incoherent;
    model_core_bus(&f.core, &bus);
    f.set = set;
    f.pk_bytes = rs_mldsa_sizes(set)->pk;
    f.sk_bytes = rs_mldsa_sizes(set)->sk;
    f.signature_bytes = rs_mldsa_sizes(set)->signature;
    return CHECK_OK(open_device(&f.device, &bus)) && CHECK_OK(rs_device_mldsa_prepare(&f.device, set));
}

static void closed(void) {
    close_core(&f.core, &f.device);
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

static rs_mldsa_message_t message_of(size_t bytes) {
    return (rs_mldsa_message_t){.bytes = {f.message, bytes}};
}

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
        closed();
    }
    CHECK(refused > 0);
}

RS_TEST(bytes_are_those_of_the_library) {
    check_bytes();
}

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
        closed();
    }
    f.reaches = 0;
}

// For these messages a round passes all checks but has more hints than omega: found by a core without that check.
RS_TEST(too_many_hints_are_another_round) {
    static const uint8_t MESSAGES[SETS] = {199, 90, 113}; // with 1 behind it for the last set
    for (unsigned i = 0; i < SETS; i++) {
        const uint8_t message[4] = {MESSAGES[i], i == 2};
        if (!opened(SET[i], &FIELDS_DESIGN)) return;
        memset(f.xi, 0, sizeof f.xi);
        memset(f.rnd, 0, sizeof f.rnd);
        f.xi[0] = 7;
        library_makes_pair();
        const rs_mldsa_message_t text = {.bytes = {message, sizeof message}};
        check_text(text, library_signs(f.signature, text));
        closed();
    }
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
    closed();
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
        closed();
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
    closed();
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
        closed();
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
    closed();
    if (!opened(RS_MLDSA_44, &FIELDS_DESIGN)) return;
    CHECK_OK(rs_device_mlkem_prepare(&f.device, RS_MLKEM_512)); // another scheme
    CHECK_STATUS(verify(text), RS_ERR_DEVICE_NOT_LOADED);
    closed();
}
