// SPDX-License-Identifier: Apache-2.0
// Attacks on a key that is sealed in slot 0, by whoever has the bus: programs of his own, in slot 1 or in slot 0 when it has been written anew, after
// decapsulations and rounds of signatures by the bound program (docs/core.md, Sealed fields). On two models of the core with different keys and equal
// public memory: what such programs leave, and how they end, is equal in both.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "mldsa/on_core/on_core.h"
#include "mlkem/on_core/on_core.h"

enum { WORLDS = 2, VICTIM = 0, THIEF = 1, OPS_MAX = 40, GROUPS = 4, MEMORY = 1 << 17 };
enum { PUBLIC = 0, CIPHERTEXT = 2 * RS_VAULT_PART_BYTES, SECRETS = 3 * RS_VAULT_PART_BYTES };
enum { AT_CT = 0, AT_OWN = 1024, AT_X = 2048, AT_OUT = 2304, CT_BYTES = 640 }; // thief: places behind RS_POINTER_INPUT

typedef struct world {
    model_core_t core;
    rs_device_t device;
} world_t;

static struct {
    world_t worlds[WORLDS];
    uint64_t bound[SEALED_WORDS]; // the victim's program
    uint8_t seeds[WORLDS][RS_ROOT_BYTES], own[RS_ROOT_BYTES];
    uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / 8];
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX], pk[RS_MLDSA_PK_BYTES_MAX];
} f;

#define FOR_WORLDS(w) for (world_t *w = f.worlds; w < f.worlds + WORLDS; w++)

// ---- victims ---------------------------------------------------------------------------------------------------------------
static void put_key(world_t *w, uint32_t slot, const uint8_t *roots, const uint64_t *words) {
    uint8_t image[RS_ROOT_BYTES + RS_DIGEST_BYTES];
    memcpy(image, roots, RS_ROOT_BYTES);
    rs_fields_bound_hash(image + RS_ROOT_BYTES, w->core.seal.vault, words, SEALED_WORDS);
    CHECK_OK(rs_machine_set(&w->device, RS_REG_PROGRAM_INDEX, RS_KEY_INDEX + 16 * slot));
    for (unsigned lane = 0; lane < RS_KEY_LANES; lane++) {
        CHECK_OK(rs_machine_set(&w->device, RS_REG_PROGRAM_LO, rs_load32(image + 8 * lane)));
        CHECK_OK(rs_machine_set(&w->device, RS_REG_PROGRAM_HI, rs_load32(image + 8 * lane + 4)));
    }
}

// The same constants and memory; slots differ, but for z: the secrets of refused ciphertexts, which are public, are equal.
static int opened(int signs, uint64_t *state) {
    const rs_design_t design = sealed_design();
    const rs_program_key_t kem = {{RS_PROGRAMS_MLKEM, RS_MLKEM_512, RS_MLKEM_DECAPS_SEALED}};
    const rs_program_key_t dsa = {{RS_PROGRAMS_MLDSA, RS_MLDSA_44, RS_MLDSA_SIGN_SEALED}};
    size_t length = 0;
    fill(f.seeds[0], sizeof f.seeds[0], state);
    fill(f.seeds[1], sizeof f.seeds[1], state);
    fill(f.own, sizeof f.own, state);
    memcpy(f.seeds[1] + 32, f.seeds[0] + 32, 32);
    memset(f.bound, 0, sizeof f.bound);
    if (!CHECK_OK(signs ? rs_mldsa_program(&design, &dsa, f.bound, SEALED_WORDS, &length)
                        : rs_mlkem_program(&design, &kem, f.bound, SEALED_WORDS, &length)))
        return 0;
    FOR_WORLDS(w) {
        rs_bus_t bus;
        model_core_init(&w->core, &design, MEMORY);
        model_core_bus(&w->core, &bus);
        if (!CHECK_OK(open_device(&w->device, &bus))) return 0;
        if (signs) {
            CHECK_OK(rs_device_mldsa_prepare(&w->device, RS_MLDSA_44));
            CHECK_OK(rs_device_mldsa_seal(&w->device,
                                          RS_REQUEST(rs_mldsa_keygen_request_t, .pk = {f.pk, rs_mldsa_sizes(RS_MLDSA_44)->pk},
                                                     .seed = {f.seeds[0], RS_MLDSA_SEED_BYTES})));
        } else {
            CHECK_OK(rs_device_mlkem_prepare(&w->device, RS_MLKEM_512));
            CHECK_OK(rs_device_mlkem_seal(&w->device,
                                          RS_REQUEST(rs_mlkem_keygen_request_t, .ek = {f.ek, rs_mlkem_sizes(RS_MLKEM_512)->ek},
                                                     .seed = {f.seeds[0], RS_MLKEM_SEED_BYTES})));
        }
        put_key(w, VICTIM, f.seeds[w - f.worlds], f.bound);
    }
    return 1;
}

static void closed(void) {
    FOR_WORLDS(w) {
        CHECK_OK(rs_device_close(&w->device));
        model_core_free(&w->core);
    }
}

static uint8_t *input(world_t *w, size_t at) {
    const uint32_t *pointer = w->core.registers + (RS_REG_POINTER + 8 * RS_POINTER_INPUT) / 4;
    return w->core.memory + (((uint64_t)pointer[1] << 32 | pointer[0]) - w->core.regions[0].address) + at;
}

// A ciphertext that nobody has made: refused, and what was decrypted depends on the key.
static void decapsulate(uint64_t *state) {
    uint8_t shared[WORLDS][RS_MLKEM_SHARED_BYTES];
    fill(f.ct, sizeof f.ct, state);
    FOR_WORLDS(w) {
        put_key(w, VICTIM, f.seeds[w - f.worlds], f.bound);
        CHECK_OK(rs_device_mlkem_decaps(&w->device,
                                        RS_REQUEST(rs_mlkem_decaps_request_t, .ct = {f.ct, rs_mlkem_sizes(RS_MLKEM_512)->ct},
                                                   .shared = {shared[w - f.worlds], sizeof shared[0]}),
                                        RS_DEVICE_RUN));
    }
    CHECK_EQ_MEM(shared[0], shared[1], sizeof shared[0]);
    CHECK(memcmp(f.worlds[0].core.seal.vault + SECRETS, f.worlds[1].core.seal.vault + SECRETS, RS_VAULT_PART_BYTES) != 0);
}

// Rounds of a signature, up to one that both refuse. What leaves before that is public: both get that of the first one.
static void sign(uint64_t *state) {
    rs_fault_t faults[WORLDS] = {RS_FAULT_NONE};
    size_t mask = 0;
    while (RS_GET_FIELD(OP, f.bound[mask]) != RS_OP_DRAW || RS_GET_FIELD(DRAW, f.bound[mask]) != RS_DRAW_MASK18) mask++;
    FOR_WORLDS(w) {
        put_key(w, VICTIM, f.seeds[w - f.worlds], f.bound);
        // pointers as a signature leaves them
        uint8_t signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
        CHECK_OK(rs_device_mldsa_sign(&w->device,
                                      RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_DETERMINISTIC,
                                                 .message = {.bytes = {(const uint8_t *)"a", 1}},
                                                 .signature = {signature, rs_mldsa_sizes(RS_MLDSA_44)->signature}),
                                      RS_DEVICE_RUN));
    }
    uint32_t round = (uint32_t)rs_test_random(state) % 500;
    do {
        FOR_WORLDS(w) {
            uint64_t words[SEALED_WORDS];
            memcpy(words, f.bound, sizeof words);
            words[mask] = rs_mldsa_draw_mask(words[mask], round);
            faults[w - f.worlds] = run_words(&w->device, words, SEALED_WORDS);
        }
        round++;
    } while (faults[0] != RS_FAULT_VALUE || faults[1] != RS_FAULT_VALUE);
    memcpy(f.worlds[1].core.memory, f.worlds[0].core.memory, MEMORY);
    CHECK(memcmp(f.worlds[0].core.seal.vault + SECRETS, f.worlds[1].core.seal.vault + SECRETS, RS_VAULT_PART_BYTES) != 0);
}

// ---- a program of the thief ------------------------------------------------------------------------------------------------
static const rs_polys_t POLY = {0, 8, 0, 1, RS_POLYS_COEFFICIENTS};

static rs_polys_t poly(uint32_t group) {
    rs_polys_t one = POLY;
    one.group = group;
    return one;
}

static uint64_t context(void) {
    return OP(CONTEXT) | RS_FIELD(POINTER, RS_POINTER_CONTEXTS) | RS_FIELD(LOG_SIZE, 7);
}

static uint64_t stored(uint32_t digest) {
    return OP(STORED) | A(digest) | rs_near(RS_POINTER_INPUT, AT_OUT);
}

// A choice of his own, that says "equal" of any ciphertext: the hash of the message in line 0 of the vault's secrets leaves, whatever it is.
static const uint32_t CHOICE_WORDS = 12;

static size_t put_choice(uint64_t *words, uint64_t message) {
    const uint64_t program[] = {
        message,
        rs_word_loadf(poly(2), 0, RS_LOAD_PLAIN, 20, RS_POINTER_INPUT, AT_CT),
        rs_word_storef(poly(2), 0, RS_STORE_PLAIN, 20, RS_FIELDS_VAULT, CIPHERTEXT),
        rs_word_storef(poly(1), 0, RS_STORE_PLAIN, 1, RS_FIELDS_VAULT, SECRETS),
        rs_word_storef(poly(2), 0, RS_STORE_PLAIN, 20, RS_FIELDS_VAULT, SECRETS + RS_VAULT_MADE * RS_ISA_LINE_BYTES),
        rs_word_hash(3, RS_HASH_SHA3_256, 1, RS_FIELDS_VAULT, CIPHERTEXT, CT_BYTES),
        rs_word_hash_behind(2, RS_HASH_SHAKE256, 1, 7, RS_FIELDS_VAULT, CIPHERTEXT, CT_BYTES),
        OP(LOADD) | DST(4) | rs_near(RS_POINTER_INPUT, AT_X),
        rs_word_hash(0, RS_HASH_SHA3_512, 2, RS_FIELDS_VAULT, SECRETS, RS_DIGEST_BYTES) | rs_appended(4),
        rs_word_hash(6, RS_HASH_SHA3_256, 1, RS_FIELDS_VAULT, SECRETS + RS_VAULT_MADE * RS_ISA_LINE_BYTES, CT_BYTES),
        rs_word_hash(1, RS_HASH_SHA3_256, 1, RS_POINTER_INPUT, 0, 0),
        rs_word_choice(0, 3, 6, 2),
    };
    memcpy(words, program, sizeof program);
    return sizeof program / sizeof *program;
}

static size_t theft(uint64_t *words, uint32_t slot, uint64_t message) {
    memset(words, 0, SEALED_WORDS * sizeof *words);
    words[0] = rs_word_key(6, slot);
    words[1] = context();
    words[2 + CHOICE_WORDS] = stored(0);
    return 3 + put_choice(words + 2, message);
}

static uint64_t message_of(rs_pointer_t pointer, size_t at) {
    return rs_word_loadf(poly(1), 0, RS_LOAD_PLAIN, 1, pointer, at) | (pointer == RS_FIELDS_VAULT ? FLAG(SECRET) : 0);
}

// Fault of the words with a key of the thief's for them, and where; that both worlds are equal.
static rs_fault_t attack(const uint64_t *words, uint32_t slot, uint32_t *pc) {
    rs_fault_t faults[WORLDS];
    uint32_t status[WORLDS] = {0};
    FOR_WORLDS(w) {
        put_key(w, slot, f.own, words);
        faults[w - f.worlds] = run_words(&w->device, words, SEALED_WORDS);
        CHECK_OK(rs_machine_get(&w->device, RS_REG_STATUS, status + (w - f.worlds)));
    }
    CHECK_EQ_U64(faults[0], faults[1]);
    CHECK_EQ_U64(status[0], status[1]);
    CHECK(!memcmp(f.worlds[0].core.memory, f.worlds[1].core.memory, MEMORY));
    CHECK(!memcmp(f.worlds[0].core.seal.vault, f.worlds[1].core.seal.vault, SECRETS));
    if (pc) *pc = RS_REG_PART(STATUS_PC, status[0]);
    return faults[0];
}

static void stop_a_program(void) {
    static const uint64_t WORDS[] = {OP(LOADD) | DST(0) | RS_FIELD(POINTER, RS_POINTER_INPUT), OP(END)};
    FOR_WORLDS(w) {
        w->core.never_done = 1;
        w->device.program_words = 0;
        CHECK_OK(rs_machine_write_program(&w->device, WORDS, 2));
        CHECK_OK(rs_machine_set(&w->device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_START)));
        CHECK_OK(rs_machine_set(&w->device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_ABORT)));
        w->core.never_done = 0;
    }
}

// ---- what is known to be tried ---------------------------------------------------------------------------------------------
// The hash of a message that the bound program has left would say it, bit by bit if a public mask is multiplied in front: the key in some thousand calls.
RS_TEST(a_message_does_not_leave_by_another_program) {
    uint64_t state = 3, words[SEALED_WORDS];
    uint32_t pc = 0;
    if (!opened(0, &state)) return;
    for (unsigned stops = 0; stops < 2; stops++) {
        for (uint32_t slot = 0; slot < RS_KEY_SLOTS; slot++) {
            decapsulate(&state);
            FOR_WORLDS(w) fill(input(w, 0), AT_OUT + 64, &(uint64_t){7});
            if (stops) stop_a_program();
            theft(words, slot, message_of(RS_FIELDS_VAULT, SECRETS));
            CHECK_EQ_U64(attack(words, slot, &pc), RS_FAULT_SECRET);
            CHECK_EQ_U64(pc, 2);
            // what it has written itself it may choose, and have
            theft(words, slot, message_of(RS_POINTER_INPUT, AT_OWN));
            CHECK_EQ_U64(attack(words, slot, NULL), RS_FAULT_NONE);
            uint8_t want[64];
            rs_sponge_t sponge;
            rs_sponge_init(&sponge, RS_SPONGE_SHA3_512);
            rs_sponge_absorb(&sponge, input(f.worlds, AT_OWN), RS_DIGEST_BYTES);
            rs_sponge_absorb(&sponge, input(f.worlds, AT_X), RS_DIGEST_BYTES);
            rs_sponge_squeeze(&sponge, want, sizeof want);
            CHECK_EQ_MEM(input(f.worlds, AT_OUT), want, RS_DIGEST_BYTES);
            // nor is that the next program's
            theft(words, slot, message_of(RS_FIELDS_VAULT, SECRETS));
            CHECK_EQ_U64(attack(words, slot, NULL), RS_FAULT_SECRET);
        }
    }
    // a choice whose hash has a line of somebody else's behind the message; a second key in one program
    theft(words, THIEF, message_of(RS_POINTER_INPUT, AT_OWN));
    words[10] += RS_FIELD(BYTES, RS_ISA_LINE_BYTES);
    CHECK_EQ_U64(attack(words, THIEF, &pc), RS_FAULT_SECRET);
    CHECK_EQ_U64(pc, 10);
    theft(words, THIEF, rs_word_key(6, THIEF));
    CHECK_EQ_U64(attack(words, THIEF, &pc), RS_FAULT_SECRET);
    CHECK_EQ_U64(pc, 2);
    closed();
}

// Every instruction that reads the vault, at every line of its secrets.
static void read_everything(void) {
    uint64_t words[SEALED_WORDS];
    for (uint32_t line = 0; line < RS_VAULT_LINES; line++) {
        const size_t at = SECRETS + line * RS_ISA_LINE_BYTES;
        const uint64_t reads[] = {
            rs_word_loadf(poly(1), 0, RS_LOAD_PLAIN, 1, RS_FIELDS_VAULT, at) | FLAG(SECRET),
            OP(LOADD) | rs_near(RS_FIELDS_VAULT, at),
            rs_word_hash(0, RS_HASH_SHAKE256, 2, RS_FIELDS_VAULT, at, 1),
            rs_word_hash(0, RS_HASH_SHA3_512, 2, RS_FIELDS_VAULT, at, RS_DIGEST_BYTES) | rs_appended(4),
            rs_word_hash_behind(0, RS_HASH_SHAKE256, 2, 6, RS_FIELDS_VAULT, at, 33),
            rs_word_hash(0, RS_HASH_SHA3_256, 2, RS_FIELDS_VAULT, at, 32) | FLAG(SKIP),
        };
        for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
            memset(words, 0, sizeof words);
            words[0] = rs_word_key(6, THIEF);
            words[1] = context();
            words[2] = OP(LOADD) | DST(4) | rs_near(RS_POINTER_INPUT, AT_X);
            words[3] = reads[i];
            words[4] = stored(0);
            uint32_t pc = 0;
            if (!CHECK_EQ_U64(attack(words, THIEF, &pc), RS_FAULT_SECRET) || !CHECK_EQ_U64(pc, 3)) return;
        }
    }
}

RS_TEST(nothing_reads_what_a_decapsulation_left) {
    uint64_t state = 5;
    if (!opened(0, &state)) return;
    decapsulate(&state);
    read_everything();
    closed();
}

// c tilde, w1, t0 and high parts of a round that was refused.
RS_TEST(nothing_reads_what_a_signature_left) {
    uint64_t state = 6;
    if (!opened(1, &state)) return;
    sign(&state);
    read_everything();
    closed();
}

// A key that was written into the victim's slot is the thief's alone.
RS_TEST(a_new_key_in_the_slot_gets_nothing_of_the_old_one) {
    uint64_t state = 8, words[SEALED_WORDS];
    if (!opened(1, &state)) return;
    sign(&state);
    for (size_t line = 0; line < RS_VAULT_LINES; line += RS_VAULT_MADE) {
        theft(words, VICTIM, message_of(RS_FIELDS_VAULT, SECRETS + line * RS_ISA_LINE_BYTES));
        CHECK_EQ_U64(attack(words, VICTIM, NULL), RS_FAULT_SECRET);
    }
    closed();
}

// ---- what nobody has thought of --------------------------------------------------------------------------------------------
static uint32_t below(uint64_t *state, uint32_t n) {
    return (uint32_t)(rs_test_random(state) % n);
}

static uint64_t place(uint64_t *state) {
    static const uint16_t LINES[] = {0, 0, 0, 1, 6, 7, 8, 8, 9, 17, 24, 63};
    const uint32_t line = below(state, 4) ? LINES[below(state, sizeof LINES / sizeof *LINES)] : below(state, RS_VAULT_LINES);
    switch (below(state, 8)) {
    case 0:
        return rs_near(RS_POINTER_INPUT, (size_t)below(state, 36) * RS_ISA_LINE_BYTES);
    case 1:
        return rs_near(RS_FIELDS_VAULT, CIPHERTEXT + (below(state, 2) ? 0 : line * RS_ISA_LINE_BYTES));
    case 2:
        return rs_near(RS_FIELDS_VAULT, PUBLIC + line * RS_ISA_LINE_BYTES);
    default:
        return rs_near(RS_FIELDS_VAULT, SECRETS + line * RS_ISA_LINE_BYTES);
    }
}

static uint64_t any_instruction(uint64_t *state) {
    static const uint8_t WIDTHS[] = {1, 1, 4, 6, 10, 12, 13, 20};
    static const uint8_t HALVES[] = {1, 1, 2, 4};
    static const uint16_t BYTES[] = {0, 1, 32, 32, 33, 64, 96, 256, 640, 832};
    const uint32_t g = below(state, GROUPS), h = below(state, GROUPS), d = below(state, 8), e = below(state, 8);
    const uint32_t width = WIDTHS[below(state, sizeof WIDTHS)];
    const rs_polys_t some = {g, 8, 0, 1 + (below(state, 4) ? 0 : below(state, 3)), RS_POLYS_COEFFICIENTS};
    const uint64_t slices = RS_FIELD(LOG_SIZE, 7) | RS_FIELD(SLICES, 1);
    const uint64_t bytes = BYTES[below(state, sizeof BYTES / sizeof *BYTES)];
    switch (below(state, 16)) {
    case 0:
    case 1:
        return rs_word_loadf(some, 0, (rs_grow_t)below(state, 3), width, RS_POINTER_INPUT, 0) + place(state) -
               rs_near(RS_POINTER_INPUT, 0) + (below(state, 5) ? FLAG(SECRET) : 0);
    case 2:
    case 3:
        return rs_word_storef(some, 0, (rs_shrink_t)below(state, 6), width, RS_POINTER_INPUT, 0) + place(state) -
               rs_near(RS_POINTER_INPUT, 0);
    case 4:
    case 5:
        return (rs_word_hash(d, (rs_hash_kind_t)(below(state, 5)), HALVES[below(state, 4)], RS_POINTER_INPUT, 0, bytes) -
                rs_near(RS_POINTER_INPUT, 0)) +
               place(state) + (below(state, 2) ? rs_appended(e) : 0) + (below(state, 5) ? 0 : FLAG(SKIP));
    case 6:
        return rs_word_hash_behind(d, (rs_hash_kind_t)(below(state, 5)), HALVES[below(state, 4)], e, RS_POINTER_INPUT, 0, bytes) -
               rs_near(RS_POINTER_INPUT, 0) + place(state);
    case 7:
        return OP(LOADD) | DST(d & 6) | place(state);
    case 8:
    case 9:
        return OP(STORED) | A(d & 6) | place(state);
    case 10:
        return rs_word_draw(some, 0, (rs_draw_t)below(state, 16), d, below(state, 3), below(state, 4));
    case 11:
        return (below(state, 2) ? OP(ADD) : OP(SUB)) | DST(g) | A(h) | slices;
    case 12:
        return OP(MUL) | DST(g) | A(h) | B(below(state, GROUPS)) | slices;
    case 13:
        return (below(state, 2) ? OP(NTT) | DST(g) : OP(SCALE) | DST(g) | A(h)) | slices;
    case 14:
        return below(state, 4) ? rs_word_choice(d, e, below(state, 8), below(state, 8)) : rs_word_key(d & 6, below(state, 2));
    default:
        return rs_word_norm(poly(g), 0, (rs_norm_t)below(state, 6), below(state, 20), below(state, 100));
    }
}

// A choice or a round, with instructions changed, left out or added; or nothing but such.
static void any_program(uint64_t *words, uint32_t slot, int signs, uint64_t *state) {
    size_t length = 3;
    const size_t line = below(state, 2) ? 0 : below(state, RS_VAULT_LINES);
    if (below(state, 4)) {
        length = theft(words, slot,
                       below(state, 2) ? message_of(RS_FIELDS_VAULT, SECRETS + line * RS_ISA_LINE_BYTES)
                                       : message_of(RS_POINTER_INPUT, AT_OWN));
    } else if (signs && below(state, 2)) {
        memcpy(words, f.bound, SEALED_WORDS * sizeof *words);
        words[0] = rs_word_key(6, slot);
        for (length = SEALED_WORDS; !words[length - 1]; length--) {
        }
    } else {
        theft(words, slot, 0);
        memset(words + 2, 0, (SEALED_WORDS - 2) * sizeof *words);
    }
    for (uint32_t changes = below(state, length > 3 ? 5 : OPS_MAX); changes; changes--) {
        const size_t at = 1 + below(state, (uint32_t)length);
        const uint32_t way = length > 3 ? below(state, 4) : 1;
        if (way == 0) { // left out
            memmove(words + at, words + at + 1, (SEALED_WORDS - at - 1) * sizeof *words);
        } else {
            if (way != 3 && length + 1 < SEALED_WORDS) { // added
                memmove(words + at + 1, words + at, (SEALED_WORDS - at - 1) * sizeof *words);
                length++;
            }
            words[at] = any_instruction(state);
        }
    }
    words[SEALED_WORDS - 1] = OP(END);
}

static void try_programs(int signs, unsigned count, uint64_t state) {
    uint64_t words[SEALED_WORDS];
    unsigned causes[16] = {0};
    if (!opened(signs, &state)) return;
    for (unsigned i = 0; i < count && !rs_test_failures; i++) {
        const uint32_t slot = below(&state, RS_KEY_SLOTS);
        if (i % (signs ? 16 : 2) == 0) (signs ? sign : decapsulate)(&state);
        if (i % 16 == 0) FOR_WORLDS(w) fill(input(w, 0), AT_OUT, &(uint64_t){i + 1});
        if (!below(&state, 16)) stop_a_program();
        any_program(words, slot, signs, &state);
        causes[attack(words, slot, NULL)]++;
        if (rs_test_failures) fprintf(stderr, "program %u\n", i);
    }
    CHECK(causes[RS_FAULT_NONE] > count / 50 && causes[RS_FAULT_SECRET] > count / 20);
    closed();
}

static unsigned programs(unsigned few, unsigned many) {
    return getenv("RINGSIDE_SOAK") ? many : few;
}

RS_TEST(any_program_after_a_decapsulation) {
    try_programs(0, programs(1000, 100000), 11);
}

RS_TEST(any_program_after_a_signature) {
    try_programs(1, programs(500, 30000), 12);
}
