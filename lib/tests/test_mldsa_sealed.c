// SPDX-License-Identifier: Apache-2.0
// Sealed signatures (docs/core.md, Sealed signatures) on the model of the core: the library's bytes, what a round that is refused leaves, and what other
// programs get of a key.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mldsa/on_core/on_core.h"

enum { SETS = 3, TRIES = 3, WORDS = SEALED_WORDS };

static const rs_mldsa_set_t SET[SETS] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};

static struct {
    model_core_t core;
    rs_device_t device;
    rs_mldsa_set_t set;
    size_t pk_bytes, sk_bytes, signature_bytes;
    uint64_t workspace[RS_MLDSA_WORKSPACE_MAX / 8];
    uint8_t xi[RS_MLDSA_SEED_BYTES], rnd[RS_MLDSA_RANDOM_BYTES], message[200];
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
    uint8_t pk2[RS_MLDSA_PK_BYTES_MAX], signature2[RS_MLDSA_SIGNATURE_BYTES_MAX];
} f;

static int opened(rs_mldsa_set_t set) {
    rs_bus_t bus;
    const rs_design_t design = sealed_design();
    model_core_init(&f.core, &design, 1 << 17);
    model_core_bus(&f.core, &bus);
    f.set = set;
    f.pk_bytes = rs_mldsa_sizes(set)->pk;
    f.sk_bytes = rs_mldsa_sizes(set)->sk;
    f.signature_bytes = rs_mldsa_sizes(set)->signature;
    return CHECK_OK(open_device(&f.device, &bus)) && CHECK_OK(rs_device_mldsa_prepare(&f.device, set));
}

static rs_status_t seal(size_t bytes) {
    return rs_device_mldsa_seal(&f.device, RS_REQUEST(rs_mldsa_keygen_request_t, .pk = {f.pk2, f.pk_bytes}, .seed = {f.xi, bytes}));
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

static int sealed(rs_mldsa_set_t set, uint64_t *state) {
    if (!opened(set)) return 0;
    fill(f.xi, sizeof f.xi, state);
    library_makes_pair();
    return CHECK_OK(seal(sizeof f.xi));
}

static void closed(void) {
    close_core(&f.core, &f.device);
}

static rs_status_t sign(rs_mldsa_message_t text, uint32_t *rounds) {
    return rs_device_mldsa_sign(&f.device,
                                RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_GIVEN, .message = text,
                                           .signature = {f.signature2, f.signature_bytes}, .rnd = {f.rnd, sizeof f.rnd},
                                           .rounds = rounds),
                                RS_DEVICE_RUN);
}

// rnd of zeros, too: the deterministic signature.
RS_TEST(bytes_are_those_of_the_library) {
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
            CHECK_OK(sign(text, &rounds));
            CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes);
            CHECK_OK(rs_device_mldsa_verify(&f.device,
                                            RS_REQUEST(rs_mldsa_verify_request_t, .pk = {f.pk, f.pk_bytes}, .message = text,
                                                       .signature = {f.signature2, f.signature_bytes}),
                                            RS_DEVICE_RUN));
            refused += rounds - 1;
        }
        closed();
    }
    CHECK(refused > 0);
}

// As in test_mldsa_device: rounds that pass all checks but the number of hints.
RS_TEST(too_many_hints_are_another_round) {
    static const uint8_t MESSAGES[SETS] = {199, 90, 113};
    for (unsigned i = 0; i < SETS; i++) {
        const uint8_t message[4] = {MESSAGES[i], i == 2};
        if (!opened(SET[i])) return;
        memset(f.xi, 0, sizeof f.xi);
        memset(f.rnd, 0, sizeof f.rnd);
        f.xi[0] = 7;
        library_makes_pair();
        CHECK_OK(seal(sizeof f.xi));
        const rs_mldsa_message_t text = {.bytes = {message, sizeof message}};
        CHECK_OK(library_signs(f.signature, text));
        CHECK_OK(sign(text, NULL));
        CHECK_EQ_MEM(f.signature2, f.signature, f.signature_bytes);
        closed();
    }
}

// ---- other programs --------------------------------------------------------------------------------------------------------
// Runs words with pointers as a signature leaves them.
static rs_fault_t run(const uint64_t *words, size_t count) {
    return run_words(&f.device, words, count);
}

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

static uint8_t *results(void) {
    return f.core.memory + rs_mldsa_zeros_at(&f.device.design) + RS_MACHINE_LINE_BYTES;
}

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

static uint64_t without(uint64_t word, uint64_t field) {
    return word & ~field;
}

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
    closed();
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
    closed();
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
    closed();
}

RS_TEST(a_hedged_signature_takes_its_bytes_from_the_generator) {
    uint64_t state = 15;
    const rs_mldsa_message_t text = {.bytes = {f.message, 9}};
    rs_rng_t rng = {.fill = give, .state = f.rnd};
    uint32_t rounds[2];
    if (!sealed(RS_MLDSA_44, &state)) return;
    fill(f.rnd, sizeof f.rnd, &state);
    CHECK_OK(sign(text, &rounds[0]));
    CHECK_OK(rs_device_mldsa_sign(&f.device,
                                  RS_REQUEST(rs_mldsa_sign_request_t, .message = text,
                                             .signature = {f.signature, f.signature_bytes}, .rng = &rng, .rounds = &rounds[1]),
                                  RS_DEVICE_RUN));
    CHECK_EQ_MEM(f.signature, f.signature2, f.signature_bytes);
    CHECK_EQ_U64(rounds[0], rounds[1]);
    closed();
}

RS_TEST(errors) {
    uint64_t state = 13;
    rs_bus_t bus;
    const rs_mldsa_message_t text = {.bytes = {f.message, 3}};
    if (!sealed(RS_MLDSA_44, &state)) return;
    CHECK_STATUS(seal(31), RS_ERR_BYTES);
    CHECK_STATUS(
        rs_device_mldsa_sign(&f.device, RS_REQUEST(rs_mldsa_sign_request_t, .signature = {f.signature2, 5}), RS_DEVICE_RUN),
        RS_ERR_BYTES);
    CHECK_STATUS(sign((rs_mldsa_message_t){.bytes = {NULL, 3}}, NULL), RS_ERR_NULL);
    CHECK_OK(sign(text, NULL));
    // lanes in another order are no key
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX + RS_KEY_LANES - 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_LO, 1));
    CHECK_OK(rs_machine_set(&f.device, RS_REG_PROGRAM_HI, 2));
    CHECK_STATUS(sign(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(sign(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_OK(seal(sizeof f.xi));
    CHECK_OK(sign(text, NULL));
    // an open signature wipes the core
    CHECK_OK(rs_device_mldsa_sign(&f.device,
                                  RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_DETERMINISTIC, .sk = {f.sk, f.sk_bytes},
                                             .message = text, .signature = {f.signature2, f.signature_bytes}),
                                  RS_DEVICE_RUN));
    CHECK_STATUS(sign(text, NULL), RS_ERR_DEVICE_NOT_LOADED);
    closed();
    model_core_init(&f.core, &FIELDS_DESIGN, 1 << 17);
    model_core_bus(&f.core, &bus);
    if (!CHECK_OK(open_device(&f.device, &bus)) || !CHECK_OK(rs_device_mldsa_prepare(&f.device, RS_MLDSA_44))) return;
    CHECK_STATUS(seal(sizeof f.xi), RS_ERR_DESIGN);
    CHECK_STATUS(sign(text, NULL), RS_ERR_DESIGN);
    closed();
}
