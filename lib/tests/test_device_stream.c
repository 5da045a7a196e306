// SPDX-License-Identifier: Apache-2.0
// Batches of frames through the streaming unit: key image, programs and driver, on a model of the core. The same bits as as many single
// encryptions by the library.
#include <ringside/golden.h>

#include "ckks/context.h"
#include "device_room.h"

enum { LIMBS = 4, DATA = LIMBS - 1, N = 1024, LOG_N = 10, FRAMES = RS_FRAMES_MAX + 3, CIPHERTEXT = 2 * LIMBS * N };

static const rs_design_t DESIGN = STREAM_DESIGN;

typedef enum sizes { SMALL, LARGE, TOO_LARGE } sizes_t; // sizes of coefficients, beside a modulus

typedef struct bench {
    fixture_t f;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    rs_form_t forms[FRAMES];
    rs_plaintext_t plaintexts[FRAMES]; // for the device
    rs_plaintext_t doubles[FRAMES]; // the same for the library
    rs_ciphertext_t ciphertexts[FRAMES];
    rs_encrypt_item_t items[FRAMES];
    uint64_t *messages; // messages of all frames, N each
    double *coefs;
    uint64_t *ntt; // LIMBS * N
    uint64_t *data;
    uint64_t *want;
    rs_memory_t room; // the workspace
    uint8_t seed;
} bench_t;

// bits: of the moduli. room: of memory, in frames; 0: none but for a call.
static void bench_init(bench_t *b, const rs_design_t *design, uint32_t bits, unsigned room) {
    const uint32_t all[LIMBS] = {bits, bits - 3, bits - 1, bits};
    memset(b, 0, sizeof *b);
    fixture_init(&b->f, N, all, LIMBS);
    b->messages = words(FRAMES * N);
    b->coefs = (double *)(void *)words(FRAMES * N);
    b->ntt = words(LIMBS * N);
    b->data = words(FRAMES * CIPHERTEXT);
    b->want = words(CIPHERTEXT);
    b->room = room_of(b->f.context);
    const size_t all_bytes = rs_device_memory_bytes(design, &b->f.params, 2, RS_FRAMES_MAX);
    const size_t one = rs_device_memory_bytes(design, &b->f.params, 2, 1);
    model_core_init(&b->core, design, one + (all_bytes - one) / RS_FRAMES_MAX * room);
}

static void bench_open(bench_t *b) { OPEN_DEVICE(b, .public_key = &b->f.public_key); }

static void bench_free(bench_t *b) { close_core(&b->core, &b->device); }

// Messages of frame i: coefficients in doubles, in words, or a plaintext in NTT form.
static void set_frame(bench_t *b, unsigned i, uint32_t limbs, rs_form_t form, sizes_t size) {
    uint64_t q = UINT64_MAX;
    for (uint32_t k = 0; k < limbs; k++) q = b->f.params.moduli[k] < q ? b->f.params.moduli[k] : q;
    const uint64_t exact = q < (uint64_t)1 << 52 ? q : (uint64_t)1 << 52; // doubles hold these magnitudes
    for (size_t k = 0; k < N; k++) {
        const uint64_t x = (k + i + b->seed) * UINT64_C(0x9e3779b97f4a7c15) >> 12;
        int64_t m = (int64_t)(x % (size == SMALL ? 2001 : 2 * exact - 1)) - (int64_t)(size == SMALL ? 1000 : exact - 1);
        if (size != SMALL && k < 2) m = k ? (int64_t)(exact - 1) : -(int64_t)(exact - 1);
        if (size == TOO_LARGE && k == 5) m = (int64_t)q;
        b->messages[i * N + k] = (uint64_t)m;
        b->coefs[i * N + k] = (double)m;
    }
    rs_plaintext_t plaintext = {.form = RS_FORM_COEF, .limb_count = limbs, .scale = 1024 + i, .message = b->coefs + i * N};
    memcpy(plaintext.parms_id, b->f.context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    b->doubles[i] = plaintext;
    if (form == RS_FORM_WORDS) plaintext.message = (double *)(void *)(b->messages + i * N);
    if (form == RS_FORM_NTT) {
        for (size_t k = 0; k < LIMBS * N; k++) b->ntt[k] = k % 1000;
        plaintext.ntt = b->ntt;
        b->doubles[i].ntt = b->ntt;
        b->doubles[i].form = form;
    }
    plaintext.form = form;
    b->plaintexts[i] = plaintext;
    b->ciphertexts[i] = (rs_ciphertext_t){.data = b->data + i * CIPHERTEXT, .seeded = 1};
    b->items[i] = (rs_encrypt_item_t){.ciphertext = &b->ciphertexts[i], .plaintext = &b->plaintexts[i]};
}

static rs_status_t encrypt(bench_t *b, rs_encryption_t kind, size_t count) {
    fixture_seed(&b->f, ++b->seed);
    return encrypt_items(&b->device, kind, b->items, count, &b->f.rng, b->room, RS_DEVICE_RUN);
}

static void check_results(bench_t *b, rs_encryption_t kind, size_t count) {
    const fixture_t *f = &b->f;
    fixture_seed(&b->f, b->seed);
    for (size_t i = 0; i < count; i++) {
        rs_ciphertext_t want = {.data = b->want};
        const rs_ciphertext_t *got = &b->ciphertexts[i];
        REQUIRE_OK(fixture_encrypt(&b->f, kind, &b->doubles[i], &want));
        CHECK_EQ_MEM(got->data, want.data, rs_ciphertext_words(f->context, 2, want.limb_count, 0) * sizeof(uint64_t));
        CHECK(got->limb_count == want.limb_count && got->scale == want.scale && got->poly_count == 2 && !got->seeded);
        CHECK_EQ_MEM(got->parms_id, want.parms_id, RS_PARMS_ID_BYTES);
    }
}

static void check_batch(bench_t *b, rs_encryption_t kind, size_t count, unsigned programs) {
    const unsigned before = b->core.programs;
    if (!CHECK_OK(encrypt(b, kind, count))) return;
    CHECK_EQ_U64(b->core.programs - before, programs);
    check_results(b, kind, count);
}

static void check_seeds_are_wiped(const bench_t *b) {
    CHECK(is_zero((const uint8_t *)&b->core.registers[RS_REG_SEED / 4], RS_SEED_BYTES));
    for (unsigned f = 1; f < RS_FRAMES_MAX; f++) {
        CHECK(is_zero((const uint8_t *)&b->core.frame_registers[f][RS_REG_SEED / 4], RS_SEED_BYTES));
    }
    CHECK_EQ_U64(b->core.registers[RS_REG_FRAME / 4], 0);
}

// ---- the same bits -----------------------------------------------------------------------------------------------------
RS_TEST(every_kind_of_core) {
    static const struct {
        uint32_t word_bits, bits;
        uint32_t lanes, groups, slots;
    } CORES[] = {
        {32, 30, 2, 5, 6}, {32, 30, 4, 5, 3}, {54, 50, 4, 8, 6}, {64, 60, 2, 6, 5}, {64, 60, 2, 5, 6},
    };
    for (unsigned k = 0; k < sizeof CORES / sizeof CORES[0]; k++) {
        rs_design_t design = DESIGN;
        design.word_bits = CORES[k].word_bits;
        design.groups = CORES[k].groups;
        design.slots = CORES[k].slots;
        design.features &= ~(uint32_t)(255 << RS_FEATURE_STREAM_LANES_SHIFT);
        design.features |= CORES[k].lanes << RS_FEATURE_STREAM_LANES_SHIFT;
        OPENED(b, &design, CORES[k].bits, RS_FRAMES_MAX);
        for (uint32_t limbs = DATA; limbs >= 1; limbs--) { // each with constants of its own
            const rs_form_t forms[3] = {RS_FORM_COEF, RS_FORM_WORDS, RS_FORM_NTT};
            for (unsigned i = 0; i < FRAMES; i++) set_frame(&b, i, limbs, forms[i % 3], i & 1 ? LARGE : SMALL);
            check_batch(&b, RS_ENCRYPT_PK, limbs == DATA ? FRAMES : 3, limbs == DATA ? 2 : 1);
            check_batch(&b, RS_ENCRYPT_PK_DIRECT, limbs == 2 ? FRAMES : 4, limbs == 2 ? 2 : 1);
        }
        check_batch(&b, RS_ENCRYPT_PK, 1, 1);
        check_batch(&b, RS_ENCRYPT_PK, 0, 0);
        check_seeds_are_wiped(&b);
    }
}

// One call of one frame is streamed too, and the halves of a call are done by the lanes.
RS_TEST(single_calls) {
    OPENED(b, &DESIGN, 30, 0);
    for (unsigned kind = 0; kind < 2; kind++) {
        const rs_encryption_t kinds[2] = {RS_ENCRYPT_PK, RS_ENCRYPT_PK_DIRECT};
        set_frame(&b, 0, DATA, RS_FORM_COEF, LARGE);
        fixture_seed(&b.f, ++b.seed);
        CHECK_OK(encrypt_one(&b.device, kinds[kind], &b.plaintexts[0], &b.ciphertexts[0], &b.f.rng, b.room, RS_DEVICE_RUN));
        CHECK(b.core.registers[RS_REG_BUSY_PIPE / 4] > 0);
        CHECK(b.device.report.unit_cycles[RS_UNIT_PIPE] > 0);
        check_results(&b, kinds[kind], 1);
        fixture_seed(&b.f, ++b.seed);
        CHECK_OK(encrypt_one(&b.device, kinds[kind], &b.plaintexts[0], &b.ciphertexts[0], &b.f.rng, b.room, RS_DEVICE_START));
        CHECK_OK(rs_device_finish(&b.device));
        CHECK_EQ_U64(b.core.registers[RS_REG_BUSY_PIPE / 4], 0);
        check_results(&b, kinds[kind], 1);
    }
}

// Levels that differ, and coefficients that are not below a modulus: what cannot be streamed together is divided, or goes by the lanes.
RS_TEST(frames_that_differ) {
    OPENED(b, &DESIGN, 30, RS_FRAMES_MAX);
    for (unsigned i = 0; i < 6; i++) set_frame(&b, i, i < 4 ? 3 : 2, RS_FORM_COEF, SMALL);
    check_batch(&b, RS_ENCRYPT_PK, 6, 3); // 3 frames, 1, and 2
    for (unsigned form = 0; form < 2; form++) {
        for (unsigned i = 0; i < 4; i++) set_frame(&b, i, 2, form ? RS_FORM_WORDS : RS_FORM_COEF, i == 0 ? TOO_LARGE : LARGE);
        check_batch(&b, RS_ENCRYPT_PK, 4, 2); // the lanes one, then three at once
        CHECK(b.core.registers[RS_REG_BUSY_PIPE / 4] > 0);
        set_frame(&b, 1, 2, form ? RS_FORM_WORDS : RS_FORM_COEF, TOO_LARGE);
        b.coefs[N + 7] = 0x1p61; // not even words
        b.messages[N + 7] = UINT64_C(1) << 61;
        check_batch(&b, RS_ENCRYPT_PK, 2, 2);
        CHECK_EQ_U64(b.core.registers[RS_REG_BUSY_PIPE / 4], 0);
        for (unsigned i = 0; i < 2; i++) CHECK(is_zero(b.core.memory + b.device.used + i * 5 * 8 * N, 8 * N)); // messages are gone
    }
}

RS_TEST(memory_of_every_kind) {
    for (unsigned k = 0; k < 4; k++) {
        BENCH(b, &DESIGN, 30, k == 2 ? 2 : k == 3 ? 0 : RS_FRAMES_MAX);
        b.core.incoherent = k == 1;
        b.core.reaches = k == 1;
        bench_open(&b);
        for (unsigned i = 0; i < 8; i++) set_frame(&b, i, 2, RS_FORM_COEF, LARGE);
        const uint8_t *memory = b.core.incoherent ? b.core.regions[0].shadow : b.core.memory;
        const unsigned before = b.core.programs;
        CHECK_OK(encrypt(&b, RS_ENCRYPT_PK, 8));
        CHECK(k < 2 ? b.core.programs - before == 1 : b.core.programs - before > 1);
        check_results(&b, RS_ENCRYPT_PK, 8);
        for (unsigned i = 0; k < 2 && i < 8; i++)
            CHECK(is_zero(memory + b.device.used + i * 5 * 8 * N, 8 * N)); // messages are gone
    }
}

// Without room for the key image the lanes encrypt.
RS_TEST(no_room_for_the_key_image) {
    OPENED(b, &DESIGN, 30, RS_FRAMES_MAX);
    const size_t contexts = LIMBS * rs_design_context_bytes(&DESIGN, LOG_N);
    const size_t image = LIMBS * rs_design_stream_key_bytes(&DESIGN, LOG_N);
    b.device.bus.memory_bytes = contexts + 2 * LIMBS * rs_design_poly_bytes(&DESIGN, LOG_N) + image - 1;
    CHECK_OK(LOAD(&b.device, .context = b.f.context));
    CHECK_OK(LOAD(&b.device, .public_key = &b.f.public_key));
    CHECK_EQ_U64(rs_on_core(&b.device)->stream_key, 0);
    for (unsigned i = 0; i < 2; i++) set_frame(&b, i, 2, RS_FORM_COEF, SMALL);
    check_batch(&b, RS_ENCRYPT_PK, 2, 2);
}

// ---- faults ------------------------------------------------------------------------------------------------------------
// Nothing of any frame stays, in the core or in memory, and the next call works.
static void check_failure(bench_t *b, rs_status_t wanted) {
    CHECK_STATUS(encrypt(b, RS_ENCRYPT_PK, 4), wanted);
    CHECK(is_zero(b->core.memory + b->device.used, 4 * 5 * 8 * N));
    check_seeds_are_wiped(b);
    for (unsigned g = 0; g < DESIGN.groups; g++) CHECK(is_zero((const uint8_t *)b->core.groups[g].words, 8 * N));
    for (unsigned s = 0; s < DESIGN.slots; s++) CHECK(is_zero((const uint8_t *)b->core.slots[s], N));
}

RS_TEST(faults_leave_nothing) {
    static const struct {
        rs_fault_t fault;
        rs_status_t status;
    } FAULTS[] = {{RS_FAULT_BUS_READ, RS_ERR_DEVICE_BUS},
                  {RS_FAULT_BUS_WRITE, RS_ERR_DEVICE_BUS},
                  {RS_FAULT_WATCHDOG, RS_ERR_DEVICE_WATCHDOG},
                  {RS_FAULT_VALUE, RS_ERR_VALUE_RANGE},
                  {RS_FAULT_ABORTED, RS_ERR_DEVICE_ABORTED}};
    OPENED(b, &DESIGN, 30, RS_FRAMES_MAX);
    for (unsigned i = 0; i < 4; i++) set_frame(&b, i, 2, RS_FORM_COEF, SMALL);
    check_batch(&b, RS_ENCRYPT_PK, 4, 1);
    const int length = (int)b.device.program_words;
    for (unsigned k = 0; k < sizeof FAULTS / sizeof FAULTS[0]; k++) {
        b.core.inject_pc = length - 3 - (int)k; // the last frames have been begun, the first are done
        b.core.inject_fault = FAULTS[k].fault;
        check_failure(&b, FAULTS[k].status);
    }
    b.core.inject_pc = MODEL_NEVER;
    check_batch(&b, RS_ENCRYPT_PK, 4, 1);
    // a word of the key, and constants
    uint8_t *image = b.core.memory + rs_on_core(&b.device)->stream_key + rs_design_stream_key_bytes(&DESIGN, LOG_N);
    uint8_t *last = image + rs_design_stream_key_bytes(&DESIGN, LOG_N) - 8; // the last word of limb 1
    last[3] ^= 0x80;
    check_failure(&b, RS_ERR_DEVICE_RESIDUE);
    last[3] ^= 0x80;
    image[0] ^= 1;
    check_failure(&b, RS_ERR_DEVICE_PROGRAM);
    image[0] ^= 1;
    check_batch(&b, RS_ENCRYPT_PK, 4, 1);
    b.core.registers[RS_REG_KEY_USE / 4] = 1u << RS_REG_KEY_USE_NO_ENCRYPT_SHIFT;
    check_failure(&b, RS_ERR_DEVICE_KEY_USE);
}

RS_TEST(what_is_refused) {
    OPENED(b, &DESIGN, 30, 2);
    for (unsigned i = 0; i < 2; i++) set_frame(&b, i, 2, RS_FORM_COEF, SMALL);
    b.items[1].ciphertext = NULL;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, 2), RS_ERR_NULL);
    set_frame(&b, 1, 2, RS_FORM_COEF, SMALL);
    b.items[1].plaintext = NULL;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, 2), RS_ERR_NULL);
    set_frame(&b, 1, 2, RS_FORM_COEF, SMALL);
    b.plaintexts[1].limb_count = LIMBS;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, 2), RS_ERR_MISMATCH);
    set_frame(&b, 1, 2, RS_FORM_COEF, SMALL);
    CHECK_STATUS(encrypt(&b, (rs_encryption_t)9, 2), RS_ERR_FORM);
    b.room.n--;
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, 2), RS_ERR_TOO_SMALL);
    b.room.n++;
    CHECK_EQ_U64(b.core.programs, 0);
    CHECK_OK(encrypt_one(&b.device, RS_ENCRYPT_PK, &b.plaintexts[0], &b.ciphertexts[0], &b.f.rng, b.room, RS_DEVICE_START));
    CHECK_STATUS(encrypt(&b, RS_ENCRYPT_PK, 2), RS_ERR_DEVICE_BUSY);
    CHECK_OK(rs_device_finish(&b.device));
    check_batch(&b, RS_ENCRYPT_PK, 2, 1);
}

// ---- programs ----------------------------------------------------------------------------------------------------------
static rs_job_t job_of(rs_job_kind_t kind, uint32_t log_n, uint32_t limbs, uint32_t frames) {
    return (rs_job_t){
        .kind = kind, .log_n = log_n, .limbs = limbs, .key_limbs = limbs + 1, .message = RS_MESSAGE_FRAME, .frames = frames};
}

// One context, one PIPEKEY, one DRAIN at the end; the frames in order, in two sets of slots and groups.
RS_TEST(one_context_and_two_sets) {
    uint64_t program[512];
    size_t length = 0;
    for (unsigned kind = 0; kind < 2; kind++) {
        const rs_job_t job = job_of(kind ? RS_JOB_ENCRYPT_PK_DIRECT : RS_JOB_ENCRYPT_PK, LOG_N, DATA, RS_FRAMES_MAX);
        REQUIRE_OK(rs_program_build(&DESIGN, &job, program, 512, &length));
        CHECK_EQ_U64(length, RS_FRAMES_MAX * (kind ? 4 : 14) + (kind ? 3 : 4));
        uint32_t frame = 0, begun = 0;
        for (size_t i = 0; i < length; i++) {
            const uint64_t word = program[i];
            const uint32_t op = RS_GET_FIELD(OP, word), slot = RS_GET_FIELD(DST, word);
            const uint32_t of = RS_GET_FIELD(FRAME, word);
            CHECK(op != RS_OP_CONTEXT || RS_GET_FIELD(ASIDE, word));
            CHECK(op != RS_OP_DRAIN || (i == length - 2 && frame == RS_FRAMES_MAX));
            if (op == RS_OP_SAMPLE) {
                CHECK(of < frame + 2); // the frame before the last one has been given to PIPE
                CHECK_EQ_U64(slot / 3, of & 1);
                begun = of + 1 > begun ? of + 1 : begun;
            }
            if (op != (kind ? RS_OP_PIPED : RS_OP_PIPE)) continue;
            CHECK_EQ_U64(of, frame);
            CHECK_EQ_U64(slot, 3 * (frame & 1));
            CHECK_EQ_U64(RS_GET_FIELD(LAST_LIMB, word), DATA - 1);
            if (!kind) CHECK(RS_GET_FIELD(A, word) == 2 * (frame & 1) && RS_GET_FIELD(B, word) == 2 * (frame & 1) + 1);
            frame++;
        }
        CHECK_EQ_U64(begun, RS_FRAMES_MAX);
    }
}

// The lanes' part of a frame hides behind the stream of another one, but for the shortest.
RS_TEST(estimates_of_batches) {
    static const struct {
        uint32_t log_n, limbs;
        uint64_t cycles; // cycles of a frame
    } SETS[] = {{12, 3, 8192}, {13, 6, 24576}, {14, 7, 57344}, {15, 16, 262144}, {16, 31, 1015808}};
    rs_design_t design = DESIGN;
    design.word_bits = 64;
    design.lanes = 16;
    design.log_n_max = 16;
    for (unsigned k = 0; k < sizeof SETS / sizeof SETS[0]; k++) {
        uint64_t program[512], cycles[2];
        for (uint32_t i = 0; i < 2; i++) {
            const rs_job_t job = job_of(RS_JOB_ENCRYPT_PK, SETS[k].log_n, SETS[k].limbs, i ? 16 : 4);
            size_t length = 0;
            REQUIRE_OK(rs_program_build(&design, &job, program, 512, &length));
            cycles[i] = model_time(&design, SETS[k].log_n, program, length, NULL).cycles;
        }
        const uint64_t frame = (cycles[1] - cycles[0]) / 12;
        if (!CHECK(frame <= SETS[k].cycles + SETS[k].cycles / (k ? 100 : 20)))
            printf("  N = 2^%u: %llu cycles\n", SETS[k].log_n, (unsigned long long)frame);
        const uint64_t least = (SETS[k].limbs << SETS[k].log_n) / 2;
        CHECK(frame >= least);
    }
}

RS_TEST(jobs_that_cannot_be_streamed) {
    uint64_t program[512];
    size_t length;
    rs_design_t design = DESIGN;
    rs_job_t job = job_of(RS_JOB_ENCRYPT_PK, LOG_N, DATA, RS_FRAMES_MAX + 1);
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.frames = RS_FRAMES_MAX;
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    CHECK_STATUS(rs_program_build(&design, &job, program, length - 1, &length), RS_ERR_PROGRAM_LENGTH);
    design.groups = 4;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.kind = RS_JOB_ENCRYPT_PK_DIRECT;
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    design.slots = 2;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    design = DESIGN;
    design.features &= ~(uint32_t)RS_FEATURE_PIPE;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.coefficients = 1; // integers in that form
    CHECK_STATUS(rs_program_build(&DESIGN, &job, program, 512, &length), RS_ERR_DESIGN);
    job.coefficients = 0;
    job.kind = RS_JOB_ENCRYPT_SK;
    CHECK_STATUS(rs_program_build(&DESIGN, &job, program, 512, &length), RS_ERR_FORM);
}

// ---- faults of PIPED that depend on memory; those of decode: hw/sequencer/tb ------------------------------------------------
#define SAMPLED(slot, domain) (I(SAMPLE) | D(slot) | RS_FIELD(DOMAIN, domain))

// Slots 0, 1, 2: u, e0, e1 of frame 0; a key image is named.
RS_TEST(faults_of_memory) {
    const fault_case_t CASES[] = {
        {{I(PIPED), I(DRAIN)}, RS_FAULT_NONE},
        {{I(PIPED) | RS_FIELD(LAST_LIMB, DATA - 1), I(DRAIN)}, RS_FAULT_NONE},
        {{I(PIPED)}, RS_FAULT_ILLEGAL}, // nobody waits for the results
        {{I(PIPED) | RS_FIELD(FRAME, 4)}, RS_FAULT_BUS_READ}, // its pointer,
        {{I(PIPED) | RS_FIELD(LAST_LIMB, DATA + 20)}, RS_FAULT_BUS_WRITE}, // behind the end of memory
    };
    OPENED(b, &DESIGN, 30, 1);
    const uint64_t memory = b.bus.memory_address;
    const uint64_t pointers[3] = {memory, memory, memory + rs_on_core(&b.device)->stream_key};
    const uint64_t first[] = {SAMPLED(0, RS_DOMAIN_U) | SET(TERNARY), SAMPLED(1, RS_DOMAIN_E0), SAMPLED(2, RS_DOMAIN_E1),
                              I(PIPEKEY) | RS_FIELD(POINTER, RS_POINTER_INPUT)};
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        for (uint32_t frame = 0; frame <= 4; frame += 4) { // pointer 7 of frame 4 is behind memory
            const uint64_t at = frame ? 64 : memory + b.device.used;
            CHECK_OK(b.bus.write(&b.core, RS_REG_FRAME, frame));
            CHECK_OK(b.bus.write(&b.core, RS_REG_POINTER + 56, (uint32_t)at));
            CHECK_OK(b.bus.write(&b.core, RS_REG_POINTER + 60, (uint32_t)(at >> 32)));
        }
        CHECK_OK(b.bus.write(&b.core, RS_REG_FRAME, 0));
        CHECK_OK(model_new_seed(&b.core, i));
        set_pointers(&b.device, pointers, 3, LOG_N);
        check_fault(&b.device, first, 4, &CASES[i], i);
    }
}
