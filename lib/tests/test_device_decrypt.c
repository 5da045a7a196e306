// SPDX-License-Identifier: Apache-2.0
// Batches of decryptions: programs and driver, on a model of the core. The same residues as as many decryptions by the library.
#include <ringside/golden.h>

#include "ckks/context.h"
#include "device_room.h"

enum { LIMBS = 4, DATA = LIMBS - 1, N = 1024, LOG_N = 10, FRAMES = RS_FRAMES_MAX + 3, POLYS = 3, CIPHERTEXT = POLYS * DATA * N };

static const rs_design_t DESIGN = STREAM_DESIGN;

typedef struct bench {
    fixture_t f;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    rs_ciphertext_t ciphertexts[FRAMES];
    rs_plaintext_t plaintexts[FRAMES];
    rs_decrypt_item_t items[FRAMES];
    uint64_t *data; // CIPHERTEXT words of each frame
    uint64_t *got; // DATA * N words of each
    uint64_t *want; // DATA * N
    rs_memory_t room; // the workspace
} bench_t;

// room: of memory, in limbs of frames; 0: none but for a call.
static void bench_init(bench_t *b, const rs_design_t *design, uint32_t bits, unsigned room) {
    const uint32_t all[LIMBS] = {bits, bits - 3, bits - 1, bits};
    memset(b, 0, sizeof *b);
    fixture_init(&b->f, N, all, LIMBS);
    b->data = words(FRAMES * CIPHERTEXT);
    b->got = words(FRAMES * DATA * N);
    b->want = words(DATA * N);
    b->room = room_of(b->f.context);
    const size_t poly = rs_design_poly_bytes(design, LOG_N);
    model_core_init(&b->core, design, rs_device_memory_bytes(design, &b->f.params, POLYS, 1) + room * poly);
}

static void bench_open(bench_t *b) { OPEN_DEVICE(b, .public_key = NULL); }

static void bench_free(bench_t *b) { close_core(&b->core, &b->device); }

// Any residues, the largest ones among them.
static void set_frame(bench_t *b, unsigned i, uint32_t limbs, uint32_t polys) {
    uint64_t *data = b->data + i * CIPHERTEXT;
    rs_ciphertext_t ciphertext = {.poly_count = polys, .limb_count = limbs, .scale = 1024 + i, .data = data};
    memcpy(ciphertext.parms_id, b->f.context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    for (size_t k = 0; k < (size_t)polys * limbs * N; k++) {
        const uint64_t q = b->f.params.moduli[k / N % limbs], x = (k + 1) * (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        data[k] = x % 7 ? (x >> 3) % q : q - 1;
    }
    b->ciphertexts[i] = ciphertext;
    b->plaintexts[i] = (rs_plaintext_t){.form = RS_FORM_COEF, .ntt = b->got + i * DATA * N};
    b->items[i] = (rs_decrypt_item_t){.ciphertext = &b->ciphertexts[i], .plaintext = &b->plaintexts[i]};
}

static void set_frames(bench_t *b, unsigned count, uint32_t limbs, uint32_t polys) {
    for (unsigned i = 0; i < count; i++) set_frame(b, i, limbs, polys);
}

static rs_status_t decrypt(bench_t *b, size_t count, uint32_t limbs) {
    for (size_t i = 0; i < count; i++) b->items[i].limb_count = limbs;
    return decrypt_items(&b->device, b->items, count, b->room, RS_DEVICE_RUN);
}

static void check_batch(bench_t *b, size_t count, uint32_t limbs, unsigned programs) {
    const fixture_t *f = &b->f;
    const unsigned before = b->core.programs;
    if (!CHECK_OK(decrypt(b, count, limbs))) return;
    CHECK_EQ_U64(b->core.programs - before, programs);
    for (size_t i = 0; i < count; i++) {
        rs_plaintext_t want = {.ntt = b->want};
        const rs_plaintext_t *got = &b->plaintexts[i];
        REQUIRE_OK(fixture_decrypt(f, &b->ciphertexts[i], limbs, &want));
        if (!CHECK_EQ_MEM(got->ntt, want.ntt, (size_t)limbs * N * sizeof *want.ntt)) printf("  frame %zu\n", i);
        CHECK(got->form == RS_FORM_NTT && got->limb_count == limbs && got->scale == want.scale);
        CHECK_EQ_MEM(got->parms_id, want.parms_id, RS_PARMS_ID_BYTES);
    }
}

// ---- the same residues ---------------------------------------------------------------------------------------------------
RS_TEST(every_kind_of_core) {
    static const struct {
        uint32_t word_bits, bits;
        uint32_t groups, contexts, features;
    } CORES[] = {
        {32, 30, 5, 1, 0}, {32, 30, 3, 2, 0}, {54, 50, 4, 4, RS_FEATURE_ON_THE_FLY}, {64, 60, 16, 1, RS_FEATURE_ON_THE_FLY},
        {64, 60, 5, 2, 0},
    };
    for (unsigned k = 0; k < sizeof CORES / sizeof CORES[0]; k++) {
        rs_design_t design = DESIGN;
        design.word_bits = CORES[k].word_bits;
        design.groups = CORES[k].groups;
        design.contexts = CORES[k].contexts;
        design.slots = 0;
        design.features = CORES[k].features;
        OPENED(b, &design, CORES[k].bits, RS_FRAMES_MAX * POLYS * DATA);
        for (uint32_t polys = 2; polys <= POLYS; polys++) {
            for (uint32_t limbs = 1; limbs <= DATA; limbs++) {
                set_frames(&b, FRAMES, limbs, polys);
                check_batch(&b, FRAMES, limbs, 2);
                check_batch(&b, 2, limbs, 1);
                check_batch(&b, RS_FRAMES_MAX, 1, 1); // the first limb
                CHECK(is_zero(b.core.memory + b.device.used, (size_t)RS_FRAMES_MAX * polys * rs_design_poly_bytes(&design, LOG_N)));
            }
        }
        check_batch(&b, 1, DATA, 1);
        check_batch(&b, 0, DATA, 0);
    }
}

// Another number of polynomials or level, and a seed: what cannot go together is divided, or goes alone.
RS_TEST(frames_that_differ) {
    OPENED(b, &DESIGN, 30, RS_FRAMES_MAX * POLYS * DATA);
    set_frames(&b, 6, DATA, 2);
    for (unsigned i = 4; i < 6; i++) set_frame(&b, i, DATA, POLYS);
    check_batch(&b, 6, DATA, 3); // 3 frames, 1, and 2
    set_frames(&b, 4, DATA, 2);
    set_frame(&b, 3, 2, 2);
    check_batch(&b, 4, 2, 3); // 2 frames, 1, and 1
    for (unsigned type = 0; type < 2; type++) {
        set_frames(&b, 4, DATA, 2);
        for (unsigned i = 0; i < 2; i++) {
            b.ciphertexts[i].seeded = 1;
            b.ciphertexts[i].seed_type = type ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB;
            b.ciphertexts[i].seed.bytes[0] = (uint8_t)i;
        }
        check_batch(&b, 4, DATA, 3); // 1, 1, and 2
    }
}

RS_TEST(memory_of_every_kind) {
    const unsigned rooms[] = {RS_FRAMES_MAX * 2 * DATA, RS_FRAMES_MAX * 2 * DATA, 8 * 2 * DATA, 0};
    for (unsigned k = 0; k < 4; k++) {
        BENCH(b, &DESIGN, 30, rooms[k]);
        b.core.incoherent = k == 1;
        b.core.reaches = k == 1;
        bench_open(&b);
        const uint8_t *memory = b.core.incoherent ? b.core.regions[0].shadow : b.core.memory;
        if (k > 1) b.device.bus.memory_bytes = b.device.used + (rooms[k] + 3 * DATA) * rs_design_poly_bytes(&DESIGN, LOG_N);
        set_frames(&b, RS_FRAMES_MAX, DATA, 2);
        check_batch(&b, RS_FRAMES_MAX, DATA, k < 2 ? 1 : k == 2 ? 2 : RS_FRAMES_MAX);
        if (rooms[k]) CHECK(is_zero(memory + b.device.used, rooms[k] * rs_design_poly_bytes(&DESIGN, LOG_N)));
    }
}

// Both halves of a call, and what decodes, are as they were.
RS_TEST(a_batch_between_single_calls) {
    OPENED(b, &DESIGN, 30, 4 * 2 * DATA);
    set_frames(&b, 4, DATA, 2);
    for (unsigned k = 0; k < 2; k++) {
        rs_plaintext_t alone = {.ntt = b.want}, *got = &b.plaintexts[k];
        CHECK_OK(decrypt_one(&b.device, &b.ciphertexts[k], DATA, &alone, b.room, RS_DEVICE_RUN));
        CHECK_OK(decrypt(&b, 4, DATA));
        CHECK_EQ_MEM(got->ntt, alone.ntt, DATA * N * sizeof *alone.ntt);
    }
}

// ---- faults ------------------------------------------------------------------------------------------------------------
RS_TEST(faults_leave_nothing) {
    static const struct {
        rs_fault_t fault;
        rs_status_t status;
    } FAULTS[] = {{RS_FAULT_BUS_READ, RS_ERR_DEVICE_BUS},
                  {RS_FAULT_BUS_WRITE, RS_ERR_DEVICE_BUS},
                  {RS_FAULT_RESIDUE, RS_ERR_DEVICE_RESIDUE},
                  {RS_FAULT_WATCHDOG, RS_ERR_DEVICE_WATCHDOG},
                  {RS_FAULT_ABORTED, RS_ERR_DEVICE_ABORTED}};
    OPENED(b, &DESIGN, 30, 4 * 2 * DATA);
    set_frames(&b, 4, DATA, 2);
    check_batch(&b, 4, DATA, 1);
    const int length = (int)b.device.program_words;
    for (unsigned k = 0; k < sizeof FAULTS / sizeof FAULTS[0]; k++) {
        b.core.inject_pc = length - 3 - (int)k; // some are stored
        b.core.inject_fault = FAULTS[k].fault;
        CHECK_STATUS(decrypt(&b, 4, DATA), FAULTS[k].status);
        CHECK(is_zero(b.core.memory + b.device.used, (size_t)4 * 2 * DATA * 4 * N));
        for (unsigned g = 0; g < DESIGN.groups; g++) CHECK(is_zero((const uint8_t *)b.core.groups[g].words, 8 * N));
    }
    b.core.inject_pc = MODEL_NEVER;
    check_batch(&b, 4, DATA, 1);
    b.data[CIPHERTEXT + 5] = b.f.params.moduli[0]; // a residue of the second frame
    CHECK_STATUS(decrypt(&b, 4, DATA), RS_ERR_DEVICE_RESIDUE);
}

RS_TEST(what_is_refused) {
    OPENED(b, &DESIGN, 30, 4 * 2 * DATA);
    set_frames(&b, 2, DATA, 2);
    CHECK_STATUS(decrypt_items(NULL, b.items, 2, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(decrypt_items(&b.device, NULL, 2, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    for (unsigned k = 0; k < 4; k++) {
        set_frames(&b, 2, DATA, 2);
        if (k == 0) b.items[1].ciphertext = NULL;
        if (k == 1) b.items[1].plaintext = NULL;
        if (k == 2) b.plaintexts[1].ntt = NULL;
        if (k == 3) b.ciphertexts[1].data = NULL;
        CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_NULL);
    }
    set_frames(&b, 2, DATA, 2);
    CHECK_STATUS(decrypt_items(&b.device, b.items, 2, b.room, RS_DEVICE_START), RS_ERR_OPTION); // one at a time
    CHECK_STATUS(decrypt_items(&b.device, b.items, 1, b.room, (rs_device_mode_t)3), RS_ERR_OPTION);
    b.items[1].values = b.got; // to one of both
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_OPTION);
    set_frames(&b, 2, DATA, 2);
    CHECK_STATUS(
        rs_device_decrypt(&b.device, RS_REQUEST(rs_decrypt_request_t, .rng = &b.f.rng, .workspace = b.room), RS_DEVICE_RUN),
        RS_ERR_OPTION);
    CHECK_STATUS(decrypt(&b, 2, DATA + 1), RS_ERR_LEVEL);
    b.room.n--;
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_TOO_SMALL);
    b.room.n++;
    b.ciphertexts[0].poly_count = 1;
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_POLY_COUNT);
    set_frames(&b, 2, DATA, 2);
    b.ciphertexts[0].parms_id[3] ^= 1;
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_MISMATCH);
    set_frames(&b, 2, DATA, 2);
    CHECK_EQ_U64(b.core.programs, 0);
    CHECK_OK(rs_device_forget(&b.device));
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_OK(LOAD(&b.device, .secret_key = &b.f.secret));
    CHECK_OK(decrypt_one(&b.device, &b.ciphertexts[0], DATA, &b.plaintexts[0], b.room, RS_DEVICE_START));
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_DEVICE_BUSY);
    CHECK_OK(rs_device_finish(&b.device));
    b.ciphertexts[1].parms_id[3] ^= 1; // a later one fails by itself
    CHECK_STATUS(decrypt(&b, 2, DATA), RS_ERR_MISMATCH);
    CHECK(b.items[0].status == RS_OK && b.items[1].status == RS_ERR_MISMATCH);
    set_frames(&b, 2, DATA, 2);
    check_batch(&b, 2, DATA, 1);
    b.items[1].limb_count = 1; // no other item's
    CHECK_OK(decrypt_items(&b.device, b.items, 2, b.room, RS_DEVICE_RUN));
    CHECK(b.plaintexts[0].limb_count == DATA && b.plaintexts[1].limb_count == 1);
}

// ---- programs ----------------------------------------------------------------------------------------------------------
static rs_job_t job_of(uint32_t log_n, uint32_t limbs, uint32_t frames) {
    return (rs_job_t){
        .kind = RS_JOB_DECRYPT, .log_n = log_n, .limbs = limbs, .input_limbs = limbs, .poly_count = 2, .frames = frames};
}

// The secret key and the constants of a limb once for all frames; every polynomial of the ciphertexts once.
RS_TEST(one_key_for_all_frames) {
    uint64_t program[512];
    size_t length;
    unsigned ops[64] = {0}, keys = 0;
    const rs_job_t job = job_of(LOG_N, DATA, RS_FRAMES_MAX);
    REQUIRE_OK(rs_program_build(&DESIGN, &job, program, 512, &length));
    for (size_t i = 0; i < length; i++) {
        ops[RS_GET_FIELD(OP, program[i])]++;
        keys += RS_GET_FIELD(OP, program[i]) == RS_OP_LOAD && RS_GET_FIELD(SECRET, program[i]);
    }
    CHECK_EQ_U64(keys, DATA);
    CHECK_EQ_U64(ops[RS_OP_CONSTANTS] + ops[RS_OP_CONTEXT], DATA);
    CHECK_EQ_U64(ops[RS_OP_LOAD], DATA * (2 * RS_FRAMES_MAX + 1));
    CHECK_EQ_U64(ops[RS_OP_MAC], DATA * RS_FRAMES_MAX);
    CHECK_EQ_U64(ops[RS_OP_STORE], DATA * RS_FRAMES_MAX);
    CHECK_EQ_U64(length, DATA * (2 + 4 * RS_FRAMES_MAX) + 1);
}

// A frame takes little more than its two polynomials on the bus. cycles: those of Lee's printed rates at 250 MHz.
RS_TEST(estimates_of_batches) {
    static const struct {
        uint32_t log_n, limbs, frames;
        uint64_t cycles;
    } SETS[] = {{12, 3, 16, 4000}, {13, 6, 16, 20500}, {14, 7, 16, 49251}, {15, 16, 4, 246305}, {16, 31, 2, 984252}};
    rs_design_t design = DESIGN;
    design.word_bits = 64;
    design.lanes = 16;
    design.log_n_max = 16;
    for (unsigned k = 0; k < sizeof SETS / sizeof SETS[0]; k++) {
        uint64_t program[512];
        size_t length = 0;
        const rs_job_t job = job_of(SETS[k].log_n, SETS[k].limbs, SETS[k].frames);
        REQUIRE_OK(rs_program_build(&design, &job, program, 512, &length));
        const uint64_t frame = model_time(&design, SETS[k].log_n, program, length, NULL).cycles / SETS[k].frames;
        const uint64_t least = (uint64_t)SETS[k].limbs * (2 * SETS[k].frames + 1) / SETS[k].frames << (SETS[k].log_n - 3);
        if (!CHECK(frame >= least && frame <= least + least / 6 && frame <= SETS[k].cycles))
            printf("  N = 2^%u: %llu cycles\n", SETS[k].log_n, (unsigned long long)frame);
    }
}

RS_TEST(jobs_that_cannot_be_batches) {
    uint64_t program[512];
    size_t length;
    rs_design_t design = DESIGN;
    rs_job_t job = job_of(LOG_N, DATA, RS_FRAMES_MAX + 1);
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.frames = RS_FRAMES_MAX;
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    CHECK_STATUS(rs_program_build(&design, &job, program, length - 1, &length), RS_ERR_PROGRAM_LENGTH);
    design.groups = 2;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.frames = 1;
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    job.frames = 2;
    design.groups = 3;
    CHECK_OK(rs_program_build(&design, &job, program, 512, &length));
    job.expansion = DATA;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
}
