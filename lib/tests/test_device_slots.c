// SPDX-License-Identifier: Apache-2.0
// Slots in, ciphertext out, and back: the programs with encode and decode and their driver, on a model of the core. The same bits as
// the library's encode, encryption, decryption and decode in fixed point.
#include <ringside/golden.h>

#include "base/bytes.h"
#include "base/doubles.h"
#include "device_room.h"
#include "machine/design.h"

enum { LIMBS = 4, DATA = LIMBS - 1, N = 1024, LOG_N = 10, ARRAY = 8 * N };

static const rs_design_t DESIGN = DESIGN_OF(11, 6, 2, 3, 128, RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ENCODE);

// Everything for one design.
typedef struct bench {
    fixture_t f;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    void *tables;
    const rs_fixed_t *fixed;
    uint8_t *values; // slots in memory, ARRAY bytes
    uint8_t *got_values;
    uint8_t *want_values;
    uint64_t *ntt; // a plaintext
    uint64_t *got; // a ciphertext
    uint64_t *want;
    rs_memory_t room; // the workspace
    uint8_t seed;
} bench_t;

static void bench_init(bench_t *b, const rs_design_t *design, uint32_t bits) {
    const uint32_t all[LIMBS] = {bits, bits, bits, bits};
    memset(b, 0, sizeof *b);
    fixture_init(&b->f, N, all, LIMBS);
    b->tables = words(rs_fixed_size(LOG_N) / 8 + 1);
    CHECK_OK(rs_fixed_init(&b->fixed, b->tables, rs_fixed_size(LOG_N), LOG_N, design->word_bits));
    b->values = (uint8_t *)words(ARRAY / 8);
    b->got_values = (uint8_t *)words(ARRAY / 8);
    b->want_values = (uint8_t *)words(ARRAY / 8);
    b->ntt = words(LIMBS * N);
    b->got = words(2 * LIMBS * N);
    b->want = words(2 * LIMBS * N);
    b->room = room_of(b->f.context);
    model_core_init(&b->core, design, rs_device_memory_bytes(design, &b->f.params, 2, 1));
}

static void bench_open(bench_t *b) {
    OPEN_DEVICE(b, .public_key = &b->f.public_key);
    CHECK_OK(LOAD(&b->device, .fixed = b->fixed));
}

static void bench_free(bench_t *b) { close_core(&b->core, &b->device); }

// Numbers of up to `bits` bits, of both signs where the format has them, doubles with as many more behind the point; in the machine's order.
static void fill_values(bench_t *b, const rs_fixed_layout_t *layout, unsigned bits) {
    const size_t size = rs_fixed_format_bytes(layout->format), count = (size_t)layout->count << layout->is_complex;
    const int is_signed = layout->format != RS_FIXED_UINT8 && layout->format != RS_FIXED_UINT16;
    for (size_t i = 0; i < count; i++) {
        const uint64_t x = (i + b->seed) * UINT64_C(0x9e3779b97f4a7c15) >> (64 - bits);
        const int64_t number = is_signed ? (int64_t)x - ((int64_t)1 << (bits - 1)) : (int64_t)x;
        uint8_t bytes[8];
        rs_store64(bytes, (uint64_t)number);
        if (layout->format == RS_FIXED_BINARY64) rs_store64(bytes, rs_bits_of((double)number + (double)(x * x & 0xffff) * 0x1p-16));
        for (size_t k = 0; k < size; k++) b->values[i * size + k] = bytes[RS_LITTLE_ENDIAN ? k : size - 1 - k];
    }
}

static rs_status_t by_device(bench_t *b, rs_encryption_t kind, const rs_fixed_layout_t *layout, double scale, uint32_t limbs,
                             rs_ciphertext_t *out) {
    const rs_layout_t as = layout_of(layout);
    fixture_seed(&b->f, b->seed);
    return encrypt_slots(&b->device, kind, slots_item(b->values, layout, &as, scale, limbs, out), &b->f.rng, b->room,
                         RS_DEVICE_RUN);
}

static rs_status_t by_library(bench_t *b, rs_encryption_t kind, const rs_fixed_layout_t *layout, double scale, uint32_t limbs,
                              rs_ciphertext_t *out) {
    fixture_t *f = &b->f;
    rs_plaintext_t message = {.ntt = b->ntt};
    const rs_status_t status = encode_fixed(f->context, b->fixed, &message, b->values, layout, scale, limbs);
    if (status != RS_OK) return status;
    fixture_seed(f, b->seed);
    return fixture_encrypt(f, kind, &message, out);
}

static void check_encryption(bench_t *b, rs_encryption_t kind, const rs_fixed_layout_t *layout, double scale, uint32_t limbs,
                             rs_seed_type_t type, uint32_t seeded) {
    rs_ciphertext_t got = {.data = b->got, .seed_type = type, .seeded = seeded};
    rs_ciphertext_t want = {.data = b->want, .seed_type = type, .seeded = seeded};
    b->seed++;
    REQUIRE_OK(by_library(b, kind, layout, scale, limbs, &want));
    if (!CHECK_OK(by_device(b, kind, layout, scale, limbs, &got))) return;
    CHECK_EQ_MEM(got.data, want.data, rs_ciphertext_words(b->f.context, 2, limbs, want.seeded) * sizeof(uint64_t));
    CHECK_EQ_U64(got.limb_count, limbs);
    CHECK_EQ_U64(got.seeded, want.seeded);
    CHECK(got.scale == want.scale);
    CHECK_EQ_MEM(got.parms_id, want.parms_id, RS_PARMS_ID_BYTES);
    if (want.seeded) CHECK_EQ_MEM(&got.seed, &want.seed, sizeof got.seed);
}

// The status.
static rs_status_t check_decoding_of(bench_t *b, const rs_ciphertext_t *ct, uint32_t limbs, const rs_fixed_layout_t *layout) {
    fixture_t *f = &b->f;
    rs_plaintext_t plaintext = {.ntt = b->ntt};
    if (!CHECK_OK(fixture_decrypt(f, ct, limbs, &plaintext))) return RS_ERR_NULL;
    memset(b->want_values, 0x37, ARRAY);
    const rs_status_t status = decode_fixed(f->context, b->fixed, &plaintext, b->want_values, layout);
    memset(b->got_values, 0x5a, ARRAY);
    CHECK_STATUS(decrypt_slots(&b->device, ct, limbs, b->got_values, layout, b->room, RS_DEVICE_RUN), status);
    const size_t bytes = ((size_t)layout->count << layout->is_complex) * rs_fixed_format_bytes(layout->format);
    CHECK_EQ_MEM(b->got_values, b->want_values, bytes);
    for (size_t i = bytes; i < ARRAY; i++) CHECK_EQ_U64(b->got_values[i], 0x5a);
    return status;
}

static void check_decoding(bench_t *b, const rs_ciphertext_t *ct, const rs_fixed_layout_t *layout) {
    (void)check_decoding_of(b, ct, 1, layout);
}

static void check_all(bench_t *b, const rs_fixed_layout_t *layout, double scale) {
    for (uint32_t limbs = 1; limbs <= DATA; limbs++) {
        if (scale * (1 << layout->bound) > 0x1p28 && limbs < 2) continue; // one modulus does not hold them
        check_encryption(b, RS_ENCRYPT_PK_DIRECT, layout, scale, limbs, RS_SEED_SHAKE256, 0);
        if (b->core.design.groups >= 6) check_encryption(b, RS_ENCRYPT_PK, layout, scale, limbs, RS_SEED_SHAKE256, 0);
        check_encryption(b, RS_ENCRYPT_SK, layout, scale, limbs, RS_SEED_BLAKE2XB, limbs & 1);
        check_encryption(b, RS_ENCRYPT_SK, layout, scale, limbs, RS_SEED_SHAKE256, limbs & 1);
    }
}

// ---- the same bits -----------------------------------------------------------------------------------------------------
RS_TEST(every_word_and_number_of_groups_slots_and_contexts) {
    static const struct {
        uint32_t word_bits, bits, lanes;
    } WIDTHS[] = {{32, 30, 32}, {54, 50, 4}, {64, 60, 1}};
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, N / 2, -15, 1};
    for (unsigned w = 0; w < 3; w++) {
        rs_design_t design = DESIGN;
        design.word_bits = WIDTHS[w].word_bits;
        design.lanes = WIDTHS[w].lanes;
        for (design.groups = 4; design.groups <= 7; design.groups++) {
            design.slots = 1 + design.groups % 3;
            design.contexts = 1 + design.groups % 2;
            OPENED(b, &design, WIDTHS[w].bits);
            fill_values(&b, &layout, 16);
            check_all(&b, &layout, 0x1p25);
            check_all(&b, &layout, 0x1.8p25);
        }
    }
}

RS_TEST(every_format) {
    static const unsigned BITS[] = {8, 8, 16, 16, 32, 40, 30}; // bits of the numbers
    rs_design_t design = DESIGN;
    design.word_bits = 54;
    OPENED(b, &design, 50);
    for (uint32_t k = 0; k < 28; k++) {
        const rs_fixed_format_t format = (rs_fixed_format_t)(k / 4);
        const int32_t bits = (int32_t)BITS[format];
        const rs_fixed_layout_t layout = {format, k & 1, k & 2 ? N / 2 : 37, -bits, 1};
        fill_values(&b, &layout, BITS[format]);
        check_encryption(&b, RS_ENCRYPT_PK_DIRECT, &layout, k & 1 ? 0x1p40 : 0x1.23456789abcdep40, 2, RS_SEED_SHAKE256, 0);
        check_encryption(&b, RS_ENCRYPT_SK, &layout, k & 1 ? 0x1.fp20 : 0x1p20, 1, RS_SEED_SHAKE256, 1);
    }
}

// Whole slots come back: at several scales, powers of two or not, and with two limbs of which one is decrypted.
RS_TEST(slots_come_back) {
    static const double SCALES[] = {1, 2, 0.5, 0x1p-3, 1.25, 0x1.fffffffffffffp-1, 0x1.8p-3, 0x1.0000000000001p1};
    static const uint32_t WORDS[] = {32, 54, 54, 54, 54}, GROUPS[] = {3, 2, 2, 3, 4}, BUSES[] = {128, 128, 64, 64, 64},
                          CONTEXTS[] = {2, 2, 2, 3, 1};
    for (unsigned w = 0; w < 5; w++) {
        rs_design_t design = DESIGN;
        design.word_bits = WORDS[w];
        design.groups = GROUPS[w];
        design.bus_bits = BUSES[w]; // with 64 bits, and a context for it, the INTT is in parts
        design.contexts = CONTEXTS[w];
        BENCH(b, &DESIGN, 30);
        model_core_free(&b.core);
        model_core_init(&b.core, &design, rs_device_memory_bytes(&design, &b.f.params, 2, 1));
        CHECK_OK(rs_fixed_init(&b.fixed, b.tables, rs_fixed_size(LOG_N), LOG_N, design.word_bits));
        bench_open(&b);
        const rs_fixed_layout_t in = {RS_FIXED_INT8, 1, N / 2, -7, 1};
        fill_values(&b, &in, 8);
        for (uint32_t limbs = 1; limbs <= 2; limbs++) {
            for (uint32_t seeded = 0; seeded < 2; seeded++) {
                rs_ciphertext_t ct = {.data = b.want, .seed_type = RS_SEED_SHAKE256, .seeded = seeded};
                REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &in, 0x1p24, limbs, &ct));
                const double scale = ct.scale;
                for (unsigned i = 0; i < 8; i++) {
                    ct.scale = scale * SCALES[i];
                    const rs_fixed_layout_t out = {i & 1 ? RS_FIXED_INT32 : RS_FIXED_INT16, i % 4 < 3, i & 2 ? N / 2 : 45, -11, 4};
                    check_decoding(&b, &ct, &out);
                    const rs_fixed_layout_t narrow = {RS_FIXED_INT8, 1, N / 2, -11, 4}; // not all fit
                    check_decoding(&b, &ct, &narrow);
                }
                ct.scale = scale;
                const rs_fixed_layout_t same = {RS_FIXED_INT8, 1, N / 2, -7, 1};
                check_decoding(&b, &ct, &same);
                unsigned far = 0; // the noise is far below half a unit
                for (size_t i = 0; i < N; i++) far += b.got_values[i] != b.values[i];
                CHECK_EQ_U64(far, 0);
            }
        }
    }
}

// Messages too large for the first modulus, at powers of two and other scales; where one limb is enough, and what is out of range.
RS_TEST(slots_of_two_limbs) {
    static const uint32_t WORDS[] = {32, 54, 54, 54, 64}, BITS[] = {30, 50, 54, 36, 60}, GROUPS[] = {4, 5, 6, 4, 5},
                          CONTEXTS[] = {2, 2, 3, 1, 2}, BUSES[] = {128, 64, 128, 128, 512};
    static const double SCALES[] = {1, 0x1.8p0, 0x1p-3, 0x1.fffffffffffffp-1, 0x1.0000000000001p1, 0x1.2345p-7, 0x1p-9, 0x1.1p-12};
    const rs_fixed_layout_t in = {RS_FIXED_INT16, 1, N / 2, -15, 1};
    for (unsigned w = 0; w < 5; w++) {
        rs_design_t design = DESIGN;
        design.word_bits = WORDS[w];
        design.groups = GROUPS[w];
        design.contexts = CONTEXTS[w];
        design.bus_bits = BUSES[w];
        OPENED(b, &design, BITS[w]);
        fill_values(&b, &in, 16);
        const double scale = rs_power_of_two((int)BITS[w] + 8);
        unsigned both = 0, fine = 0;
        for (uint32_t limbs = 2; limbs <= 3; limbs++) {
            rs_ciphertext_t ct = {.data = b.want, .seed_type = RS_SEED_SHAKE256, .seeded = limbs & 1};
            REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &in, scale, limbs, &ct));
            // the constants of limbs change places with those of an encryption
            check_encryption(&b, RS_ENCRYPT_PK_DIRECT, &in, 0x1p20, 2, RS_SEED_SHAKE256, 0);
            REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &in, scale, limbs, &ct));
            for (unsigned i = 0; i < 8; i++) {
                ct.scale = scale * SCALES[i];
                const int32_t bound = 3 + (int32_t)(i > 1 ? 2 * i : i);
                const rs_fixed_layout_t out = {i & 1 ? RS_FIXED_INT64 : RS_FIXED_INT32, i % 4 < 3, i & 2 ? N / 2 : 45, -11, bound};
                fine += check_decoding_of(&b, &ct, 2, &out) == RS_OK;
                both += rs_on_core(&b.device)->call.job.limbs == 2;
                const rs_fixed_layout_t narrow = {RS_FIXED_INT16, 1, N / 2, -11, i & 1 ? 1 : -2}; // not all fit
                (void)check_decoding_of(&b, &ct, 2, &narrow);
                check_decoding(&b, &ct, &out); // one
            }
            ct.scale = scale;
            const rs_fixed_layout_t same = {RS_FIXED_INT16, 1, N / 2, -15, 3};
            CHECK_OK(check_decoding_of(&b, &ct, 2, &same));
            CHECK_EQ_U64(rs_on_core(&b.device)->call.job.limbs, 2);
            unsigned far = 0; // the noise and the roundings are below half a unit
            for (size_t i = 0; i < N; i++) far += memcmp(b.got_values + 2 * i, b.values + 2 * i, 2) != 0;
            CHECK(WORDS[w] == 32 || far == 0);
        }
        CHECK_EQ_U64(both, 16);
        CHECK_EQ_U64(fine, 16);
        // programs that differ in the shift of the second limb alone are two: the scale's mantissa is below that of q_0, or above
        for (unsigned i = 0; i < 4; i++) {
            rs_ciphertext_t two = {.data = b.want, .seed_type = RS_SEED_SHAKE256};
            REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &in, scale, 2, &two));
            two.scale = scale * (i & 1 ? 0x1.fffffffffffffp0 : 0x1.8p0);
            const rs_fixed_layout_t out = {RS_FIXED_INT32, 1, N / 2, -20, 3};
            const int32_t before = rs_on_core(&b.device)->call.job.upper_shift, shift = rs_on_core(&b.device)->call.job.shift;
            CHECK_OK(check_decoding_of(&b, &two, 2, &out));
            CHECK(!i || (rs_on_core(&b.device)->call.job.shift == shift && rs_on_core(&b.device)->call.job.upper_shift != before));
        }
        // where a word has room for q_0 - 1, and where it has not
        rs_ciphertext_t ct = {.data = b.want, .seed_type = RS_SEED_SHAKE256};
        REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &in, rs_power_of_two((int)BITS[w] - 4), 2, &ct));
        for (unsigned i = 0; i < 12; i++) {
            const int32_t bound = 1 + (int32_t)i / 2;
            const rs_fixed_layout_t out = {RS_FIXED_INT32, 1, N / 2, -15, bound};
            ct.scale = rs_power_of_two((int)BITS[w] - 4) * (i & 1 ? 1.3 : 1);
            CHECK_OK(check_decoding_of(&b, &ct, 2, &out));
            CHECK_EQ_U64(rs_on_core(&b.device)->call.job.limbs,
                         ct.scale * rs_power_of_two(bound) > (double)b.f.params.moduli[0] ? 2 : 1);
        }
    }
}

// As programs_are_prepared in test_device.c.
RS_TEST(programs_of_slots_are_prepared) {
    static const rs_encryption_t KINDS[] = {RS_ENCRYPT_PK_DIRECT, RS_ENCRYPT_SK};
    const rs_fixed_layout_t layout = {.format = RS_FIXED_INT16, .count = 17, .bound = 8, .exponent = -7};
    const rs_layout_t as = layout_of(&layout);
    OPENED(b, &DESIGN, 30);
    fill_values(&b, &layout, 15);
    const size_t used = b.device.used;
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
    for (unsigned k = 0; k < sizeof KINDS / sizeof KINDS[0]; k++) {
        CHECK_OK(encrypt_slots(&b.device, KINDS[k], slots_item(b.values, &layout, &as, 0x1p18, DATA, &ct), NULL, b.room,
                               RS_DEVICE_PREPARE));
        const unsigned written = b.core.words_written;
        CHECK(is_zero(b.bus.memory + used, b.bus.memory_bytes - used));
        CHECK_OK(by_device(&b, KINDS[k], &layout, 0x1p18, DATA, &ct));
        CHECK_EQ_U64(b.core.words_written, written);
        memset(b.bus.memory + used, 0, b.bus.memory_bytes - used);
    }
    CHECK_OK(decrypt_slots(&b.device, &ct, 1, b.got_values, &layout, b.room, RS_DEVICE_PREPARE));
    const unsigned written = b.core.words_written;
    CHECK(is_zero(b.got_values, ARRAY));
    CHECK_OK(decrypt_slots(&b.device, &ct, 1, b.got_values, &layout, b.room, RS_DEVICE_RUN));
    CHECK_EQ_U64(b.core.words_written, written);
    CHECK_STATUS(decrypt_slots(&b.device, &ct, 1, NULL, &layout, b.room, RS_DEVICE_PREPARE), RS_ERR_NULL);
    CHECK_STATUS(
        encrypt_slots(&b.device, RS_ENCRYPT_SK, slots_item(NULL, &layout, &as, 1, 1, &ct), NULL, b.room, RS_DEVICE_PREPARE),
        RS_ERR_NULL);
}

RS_TEST(levels_of_a_decoding) {
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, N / 2, -15, 2};
    OPENED(b, &DESIGN, 30);
    fill_values(&b, &layout, 16);
    for (uint32_t limbs = 1; limbs <= 3; limbs++) {
        rs_ciphertext_t ct = {.data = b.want, .seed_type = RS_SEED_SHAKE256};
        REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &layout, 0x1p24, limbs, &ct));
        for (uint32_t asked = 0; asked <= 4; asked++) {
            const rs_status_t want = asked <= limbs && (asked ? asked : limbs) <= 2 ? RS_OK : RS_ERR_LEVEL; // 0: all
            CHECK_STATUS(decrypt_slots(&b.device, &ct, asked, b.got_values, &layout, b.room, RS_DEVICE_RUN), want);
        }
    }
}

// The words of a program for one frame or two that have an operation.
static unsigned count_of(const rs_design_t *design, rs_op_t op, uint32_t frames) {
    uint64_t program[256];
    size_t length = 0;
    unsigned count = 0;
    rs_job_t job = {.kind = RS_JOB_DECRYPT, .log_n = LOG_N, .limbs = 1, .input_limbs = 1, .poly_count = 2, .decodes = 1};
    job.numbers = (rs_job_numbers_t){RS_FIXED_INT8, 0, 1, 0};
    job.frames = frames;
    CHECK_OK(rs_program_build(design, &job, program, 256, &length));
    for (size_t i = 0; i < length; i++) count += RS_GET_FIELD(OP, program[i]) == op;
    return count;
}

// One for each frame, between IFFT and the first LIFTW, and nothing else is different.
RS_TEST(words_of_an_encryption_are_scaled_once) {
    static const rs_job_kind_t KINDS[] = {RS_JOB_ENCRYPT_PK_DIRECT, RS_JOB_ENCRYPT_PK, RS_JOB_ENCRYPT_SK};
    for (unsigned k = 0; k < 3; k++) {
        for (uint32_t frames = 1; frames <= 3; frames++) {
            uint64_t programs[2][512];
            size_t lengths[2], scaled = 0;
            rs_job_t job = {.kind = KINDS[k], .log_n = LOG_N, .limbs = 2, .key_limbs = 3, .message = RS_MESSAGE_SLOTS};
            job.numbers = (rs_job_numbers_t){RS_FIXED_INT8, 0, 1, 0};
            job.expansion = k == 2 ? 2 : 0;
            job.frames = frames;
            for (job.scales = 0; job.scales < 2; job.scales++) {
                CHECK_OK(rs_program_build(&DESIGN, &job, programs[job.scales], 512, &lengths[job.scales]));
            }
            CHECK_EQ_U64(lengths[1], lengths[0] + frames);
            for (size_t i = 0; i < lengths[0]; i++) CHECK(RS_GET_FIELD(OP, programs[0][i]) != RS_OP_SCALEW);
            for (size_t i = 0; i < lengths[1]; i++) {
                if (RS_GET_FIELD(OP, programs[1][i]) != RS_OP_SCALEW) continue;
                const uint64_t group = RS_GET_FIELD(DST, programs[1][i]);
                CHECK_EQ_U64(RS_GET_FIELD(A, programs[1][i]), group);
                size_t before = i, after = i;
                while (RS_GET_FIELD(OP, programs[1][before]) != RS_OP_IFFT) before--;
                while (RS_GET_FIELD(OP, programs[1][after]) != RS_OP_LIFTW) after++;
                CHECK_EQ_U64(RS_GET_FIELD(DST, programs[1][before]), group);
                CHECK_EQ_U64(RS_GET_FIELD(B, programs[1][after]), group);
                scaled++;
            }
            CHECK_EQ_U64(scaled, frames);
        }
    }
}

RS_TEST(only_a_long_inverse_is_in_parts) {
    rs_design_t design = DESIGN;
    design.word_bits = 54;
    design.bus_bits = 64;
    CHECK_EQ_U64(count_of(&design, RS_OP_TWIDDLES, 1), 3);
    CHECK_EQ_U64(count_of(&design, RS_OP_INTT, 1), 3);
    CHECK_EQ_U64(count_of(&design, RS_OP_CONTEXT, 1), 0);
    CHECK_EQ_U64(count_of(&design, RS_OP_TWIDDLES, 2), 0);
    CHECK_EQ_U64(count_of(&design, RS_OP_CONSTANTS, 2), 1);
    CHECK_EQ_U64(count_of(&design, RS_OP_CONTEXT, 2), 1);
    design.bus_bits = 128;
    CHECK_EQ_U64(count_of(&design, RS_OP_TWIDDLES, 1), 0);
    CHECK_EQ_U64(count_of(&design, RS_OP_CONSTANTS, 1), 1);
    design.contexts = 1;
    CHECK_EQ_U64(count_of(&design, RS_OP_CONSTANTS, 1), 0);
}

// ---- memory ------------------------------------------------------------------------------------------------------------
RS_TEST(memory_of_every_kind) {
    for (unsigned k = 0; k < 6; k++) {
        BENCH(b, &DESIGN, 30);
        b.core.incoherent = k & 1;
        b.core.reaches = k >= 2;
        b.core.reach_offset = k >= 4 ? 8 : 0;
        bench_open(&b);
        for (uint32_t count = N / 2 - 1; count <= N / 2; count++) { // the lines are full, or not
            const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, count, -15, 2};
            fill_values(&b, &layout, 16);
            check_all(&b, &layout, 0x1p22);
            check_all(&b, &layout, 0x1.8p22); // what words are multiplied by goes to memory, too
            check_all(&b, &layout, 0x1.9p22);
            const uint8_t *memory = b.core.incoherent ? b.core.regions[0].shadow : b.core.memory;
            CHECK(is_zero(memory + b.device.used, 4 * count)); // the slots are gone
            rs_ciphertext_t ct = {.data = b.want, .seed_type = RS_SEED_SHAKE256};
            REQUIRE_OK(by_library(&b, RS_ENCRYPT_SK, &layout, 0x1p22, 1, &ct));
            check_decoding(&b, &ct, &layout);
            ct.scale *= 1.5;
            check_decoding(&b, &ct, &layout);
            ct.scale *= 1.0009765625;
            check_decoding(&b, &ct, &layout);
            if (!rs_on_core(&b.device)->call.message.slots.own.data)
                CHECK(is_zero(memory + rs_on_core(&b.device)->call.output, 4 * count)); // and what was decoded
        }
    }
}

// ---- several frames ------------------------------------------------------------------------------------------------------
enum { FRAMES = RS_FRAMES_ENCODE + 3, CIPHERTEXT = 2 * DATA * N };

typedef struct frames {
    bench_t b;
    uint8_t *values; // values of all, ARRAY each
    uint64_t *data; // data of all, CIPHERTEXT each at most
    int in_a_row; // ciphertexts lie one behind another
    rs_ciphertext_t ciphertexts[FRAMES];
    rs_encrypt_item_t items[FRAMES];
    rs_decrypt_item_t back[FRAMES];
    double scale; // at which they are encoded
} frames_t;

// little: memory for some at a time.
static void frames_init(frames_t *f, const rs_design_t *design, int little) {
    bench_init(&f->b, design, design->word_bits < 62 ? design->word_bits - 2 : 60);
    const size_t all = rs_device_memory_bytes(design, &f->b.f.params, 2, RS_FRAMES_MAX);
    const size_t one = rs_device_memory_bytes(design, &f->b.f.params, 2, 1);
    model_core_free(&f->b.core);
    model_core_init(&f->b.core, design, little ? one + (all - one) / 4 : all);
    f->values = (uint8_t *)words(FRAMES * ARRAY / 8);
    f->data = words(FRAMES * CIPHERTEXT);
    f->scale = 0x1p22;
}

static void set_frames(frames_t *f, const rs_fixed_layout_t *layout, unsigned bits, uint32_t seeded, size_t stride) {
    for (unsigned i = 0; i < FRAMES; i++) {
        f->b.seed++;
        fill_values(&f->b, layout, bits);
        memcpy(f->values + i * ARRAY, f->b.values, ARRAY);
        f->ciphertexts[i] = (rs_ciphertext_t){.data = f->data + i * stride, .seed_type = RS_SEED_SHAKE256, .seeded = seeded};
        f->items[i].values = f->values + i * ARRAY;
        f->items[i].ciphertext = &f->ciphertexts[i];
    }
    fixture_seed(&f->b.f, f->b.seed);
}

// Their statuses are the call's: of all behind a failure too.
static rs_status_t encrypt_frames(frames_t *f, rs_encryption_t kind, const rs_fixed_layout_t *layout, uint32_t limbs) {
    bench_t *b = &f->b;
    const rs_layout_t as = layout_of(layout);
    for (unsigned i = 0; i < FRAMES; i++) {
        f->items[i] = slots_item(f->items[i].values, layout, &as, f->scale, limbs, f->items[i].ciphertext);
        f->items[i].status = RS_ERR_IO;
    }
    const rs_status_t status = encrypt_items(&b->device, kind, f->items, FRAMES, &b->f.rng, b->room, RS_DEVICE_RUN);
    CHECK_EQ_U64(f->items[FRAMES - 1].status, status == RS_ERR_NULL ? RS_ERR_IO : status);
    return status;
}

static rs_status_t decrypt_frames(frames_t *f, uint32_t limbs, const rs_fixed_layout_t *layout, size_t count) {
    bench_t *b = &f->b;
    const rs_layout_t as = layout_of(layout);
    for (unsigned i = 0; i < FRAMES; i++)
        f->back[i] = (rs_decrypt_item_t){.ciphertext = &f->ciphertexts[i],
                                         .values = f->values + i * ARRAY,
                                         .layout = &as,
                                         .count = layout->count,
                                         .limb_count = limbs};
    const rs_status_t status = decrypt_items(&b->device, f->back, count, b->room, RS_DEVICE_RUN);
    for (unsigned i = 0; i < count; i++) CHECK_EQ_U64(f->back[i].status, status);
    return status;
}

static int seeds_are_wiped(model_core_t *core) {
    int wiped = is_zero((const uint8_t *)&core->registers[RS_REG_SEED / 4], RS_SEED_BYTES);
    for (unsigned f = 1; f < RS_FRAMES_MAX; f++) {
        wiped &= is_zero((const uint8_t *)&core->frame_registers[f][RS_REG_SEED / 4], RS_SEED_BYTES);
    }
    return wiped;
}

// The bits of one call for each frame, with the same randomness.
static void check_frames(frames_t *f, rs_encryption_t kind, const rs_fixed_layout_t *layout, uint32_t limbs, uint32_t seeded) {
    bench_t *b = &f->b;
    const fixture_t *x = &b->f;
    const size_t used = rs_ciphertext_words(x->context, 2, limbs, seeded);
    set_frames(f, layout, 16, seeded, f->in_a_row ? used : CIPHERTEXT);
    if (!CHECK_OK(encrypt_frames(f, kind, layout, limbs))) return;
    CHECK((rs_on_core(&b->device)->call.to.data != NULL) == (b->core.reaches && (f->in_a_row || used == CIPHERTEXT)));
    fixture_seed(&b->f, b->seed);
    for (unsigned i = 0; i < FRAMES; i++) {
        rs_plaintext_t message = {.ntt = b->ntt};
        const rs_ciphertext_t *got = &f->ciphertexts[i];
        rs_ciphertext_t want = {.data = b->want, .seed_type = RS_SEED_SHAKE256, .seeded = seeded};
        REQUIRE_OK(encode_fixed(x->context, b->fixed, &message, f->values + i * ARRAY, layout, f->scale, limbs));
        REQUIRE_OK(fixture_encrypt(&b->f, kind, &message, &want));
        CHECK_EQ_MEM(got->data, want.data, rs_ciphertext_words(x->context, 2, limbs, want.seeded) * sizeof(uint64_t));
        CHECK(got->limb_count == limbs && got->seeded == want.seeded && got->scale == want.scale);
        if (want.seeded) CHECK_EQ_MEM(&got->seed, &want.seed, sizeof want.seed);
    }
}

static void check_decoded_frames(frames_t *f, uint32_t limbs, const rs_fixed_layout_t *layout) {
    bench_t *b = &f->b;
    const fixture_t *x = &b->f;
    const size_t bytes = ((size_t)layout->count << layout->is_complex) * rs_fixed_format_bytes(layout->format);
    memset(f->values, 0x5a, FRAMES * ARRAY);
    if (!CHECK_OK(decrypt_frames(f, limbs, layout, FRAMES))) return;
    for (unsigned i = 0; i < FRAMES; i++) {
        rs_plaintext_t plaintext = {.ntt = b->ntt};
        REQUIRE_OK(fixture_decrypt(x, &f->ciphertexts[i], limbs, &plaintext));
        REQUIRE_OK(decode_fixed(x->context, b->fixed, &plaintext, b->want_values, layout));
        CHECK_EQ_MEM(f->values + i * ARRAY, b->want_values, bytes);
        for (size_t k = bytes; k < ARRAY; k++) CHECK_EQ_U64(f->values[i * ARRAY + k], 0x5a);
    }
}

RS_TEST(frames_side_by_side) {
    for (unsigned k = 0; k < 7; k++) {
        frames_t f;
        rs_design_t design = DESIGN;
        design.contexts = 2 + (k == 1);
        frames_init(&f, &design, k == 4);
        if (k & 1) f.scale = 0x1.2345p22;
        f.b.core.incoherent = k == 2 || k == 5;
        f.b.core.reaches = k >= 2 && k != 4;
        f.in_a_row = k >= 5;
        bench_open(&f.b);
        for (uint32_t count = N / 2 - 1; count <= N / 2; count++) { // the lines are full, or not
            const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, count, -15, 1};
            const rs_fixed_layout_t out = {RS_FIXED_INT32, 0, count, -24, 3};
            const uint8_t *memory = f.b.core.incoherent ? f.b.core.regions[0].shadow : f.b.core.memory;
            const unsigned programs = f.b.core.programs;
            check_frames(&f, RS_ENCRYPT_PK_DIRECT, &layout, DATA, 0);
            CHECK(k == 4 ? f.b.core.programs - programs > 2 : f.b.core.programs - programs == 2);
            check_frames(&f, RS_ENCRYPT_PK, &layout, 2, 0);
            check_frames(&f, RS_ENCRYPT_SK, &layout, 2, 1);
            if (!f.b.core.reaches) CHECK(is_zero(memory + f.b.device.used, 4 * count)); // the slots are gone
            check_frames(&f, RS_ENCRYPT_SK, &layout, 1, 0);
            check_decoded_frames(&f, 1, &out);
            CHECK((rs_on_core(&f.b.device)->call.from.data != NULL) == (f.b.core.reaches && f.in_a_row));
            f.ciphertexts[4].scale *= 2; // not one program's
            check_decoded_frames(&f, 1, &out);
            check_frames(&f, RS_ENCRYPT_PK_DIRECT, &layout, 2, 0); // more limbs than are decoded
            check_decoded_frames(&f, 1, &out);
            for (unsigned i = 0; i < FRAMES; i++) f.ciphertexts[i].scale *= 0x1p12;
            const rs_fixed_layout_t small = {out.format, out.is_complex, out.count, out.exponent, -2};
            check_decoded_frames(&f, 2, &small); // both
            CHECK_EQ_U64(rs_on_core(&f.b.device)->call.job.limbs, 2);
            CHECK(seeds_are_wiped(&f.b.core));
            CHECK_EQ_U64(f.b.core.registers[RS_REG_FRAME / 4], 0);
        }
        bench_free(&f.b);
    }
}

// The streaming unit takes the words that the lanes make: all frames in one program, back by the lanes.
RS_TEST(frames_of_slots_are_streamed) {
    static const uint32_t WORDS[] = {32, 54, 64}, LANES[] = {2, 4, 8}, GROUPS[] = {5, 4, 6}, CONTEXTS[] = {2, 1, 2};
    for (unsigned k = 0; k < 3; k++) {
        rs_design_t design = STREAM_DESIGN;
        design.word_bits = WORDS[k];
        design.groups = GROUPS[k];
        design.contexts = CONTEXTS[k];
        design.features &= ~(uint32_t)(255 << RS_FEATURE_STREAM_LANES_SHIFT);
        design.features |= RS_FEATURE_ENCODE | LANES[k] << RS_FEATURE_STREAM_LANES_SHIFT;
        frames_t f;
        frames_init(&f, &design, k == 1);
        bench_open(&f.b);
        for (unsigned i = 0; i < 4; i++) { // limbs, whole lines, and scales that are powers of two or not
            const rs_fixed_layout_t layout = {i & 1 ? RS_FIXED_INT64 : RS_FIXED_INT16, 1, i & 2 ? N / 2 : 37, -15, 1};
            const rs_fixed_layout_t out = {RS_FIXED_INT32, 0, layout.count, -24, 3};
            const uint32_t limbs = i < DATA ? DATA - i : 2;
            f.scale = i & 1 ? 0x1.2345p22 : 0x1p22;
            const unsigned programs = f.b.core.programs;
            check_frames(&f, RS_ENCRYPT_PK_DIRECT, &layout, limbs, 0);
            CHECK(k == 1 || f.b.core.programs - programs == 1);
            CHECK(f.b.core.registers[RS_REG_BUSY_PIPE / 4] > 0);
            CHECK(is_zero(f.b.core.memory + f.b.device.used, 8 * N)); // the slots are gone
            CHECK(seeds_are_wiped(&f.b.core));
            check_decoded_frames(&f, 1, &out);
            if (design.groups < 6) continue;
            check_frames(&f, RS_ENCRYPT_PK, &layout, 1, 0); // by the lanes
            CHECK_EQ_U64(f.b.core.registers[RS_REG_BUSY_PIPE / 4], 0);
        }
        bench_free(&f.b);
    }
}

// Words go round in the groups: those of a frame are made while an earlier one streams.
RS_TEST(the_program_of_streamed_slots) {
    rs_design_t design = STREAM_DESIGN;
    design.contexts = 2;
    design.features |= RS_FEATURE_ENCODE;
    uint64_t program[512];
    size_t length = 0;
    rs_job_t job = {.kind = RS_JOB_ENCRYPT_PK_DIRECT, .log_n = LOG_N, .limbs = 2, .key_limbs = 3, .message = RS_MESSAGE_FRAME};
    job.numbers = (rs_job_numbers_t){RS_FIXED_INT8, 0, 1, 0};
    job.shift = -9;
    job.scales = 1;
    job.frames = RS_FRAMES_MAX;
    REQUIRE_OK(rs_program_build(&design, &job, program, 512, &length));
    CHECK_EQ_U64(length, RS_FRAMES_MAX * 7 + 4);
    uint32_t frame = 0, made[RS_FRAMES_MAX];
    for (size_t i = 0; i < length; i++) {
        const uint64_t word = program[i];
        if (RS_GET_FIELD(OP, word) == RS_OP_LOADS) made[RS_GET_FIELD(FRAME, word)] = RS_GET_FIELD(DST, word);
        if (RS_GET_FIELD(OP, word) != RS_OP_PIPEM) continue;
        CHECK_EQ_U64(RS_GET_FIELD(FRAME, word), frame);
        CHECK_EQ_U64(RS_GET_FIELD(DST, word), 3 * (frame & 1));
        CHECK_EQ_U64(RS_GET_FIELD(A, word), made[frame]);
        CHECK_EQ_U64(RS_GET_FIELD(WORDS_SHIFT, word), 256 - 9);
        CHECK_EQ_U64(RS_GET_FIELD(LAST_LIMB, word), 1);
        CHECK(!frame || made[frame] != made[frame - 1]);
        frame++;
    }
    CHECK_EQ_U64(frame, RS_FRAMES_MAX);
    job.kind = RS_JOB_ENCRYPT_PK; // words of the special prime's products have no way into a stream beside those of a message
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
    job.kind = RS_JOB_ENCRYPT_PK_DIRECT;
    design.features &= ~(uint32_t)RS_FEATURE_ENCODE;
    CHECK_STATUS(rs_program_build(&design, &job, program, 512, &length), RS_ERR_DESIGN);
}

// Items of other levels, scales, numbers and layouts in one request: the bits of one after the other, and back.
RS_TEST(items_need_not_be_alike) {
    static const rs_fixed_layout_t LAYOUTS[] = {
        {RS_FIXED_INT16, 1, N / 2, -15, 1}, {RS_FIXED_INT16, 1, N / 2 - 1, -15, 1}, {RS_FIXED_INT16, 1, N / 2, -16, 1}};
    frames_t f;
    frames_init(&f, &DESIGN, 0);
    bench_open(&f.b);
    bench_t *b = &f.b;
    set_frames(&f, &LAYOUTS[0], 15, 0, CIPHERTEXT);
    rs_layout_t as[FRAMES];
    for (unsigned i = 0; i < FRAMES; i++) { // each differs in one from one before it
        as[i] = layout_of(&LAYOUTS[i < 6 ? i % 3 : 0]);
        f.items[i] = slots_item(f.values + i * ARRAY, &LAYOUTS[i < 6 ? i % 3 : 0], &as[i], i == 7 ? 0x1p21 : 0x1p22, i == 9 ? 2 : 1,
                                &f.ciphertexts[i]);
    }
    const rs_rng_deterministic_t before = b->f.rng_state;
    CHECK_OK(encrypt_items(&b->device, RS_ENCRYPT_SK, f.items, FRAMES, &b->f.rng, b->room, RS_DEVICE_RUN));
    b->f.rng_state = before;
    for (unsigned i = 0; i < FRAMES; i++) {
        const rs_encrypt_item_t *item = &f.items[i];
        const rs_fixed_layout_t *layout = &LAYOUTS[i < 6 ? i % 3 : 0];
        rs_plaintext_t message = {.ntt = b->ntt};
        rs_ciphertext_t want = {.data = b->want, .seed_type = RS_SEED_SHAKE256};
        REQUIRE_OK(encode_fixed(b->f.context, b->fixed, &message, item->values, layout, item->scale, item->limb_count));
        REQUIRE_OK(fixture_encrypt(&b->f, RS_ENCRYPT_SK, &message, &want));
        CHECK_EQ_MEM(f.ciphertexts[i].data, want.data,
                     rs_ciphertext_words(b->f.context, 2, item->limb_count, 0) * sizeof(uint64_t));
        CHECK(f.ciphertexts[i].scale == item->scale && f.ciphertexts[i].limb_count == item->limb_count);
        f.back[i] = (rs_decrypt_item_t){.ciphertext = &f.ciphertexts[i],
                                        .values = f.values + i * ARRAY,
                                        .layout = &as[i],
                                        .count = layout->count - (i == 8),
                                        .limb_count = 1 + (i == 9)};
    }
    memset(f.values, 0x5a, FRAMES * ARRAY);
    CHECK_OK(decrypt_items(&b->device, f.back, FRAMES, b->room, RS_DEVICE_RUN));
    for (unsigned i = 0; i < FRAMES; i++) {
        rs_fixed_layout_t layout = LAYOUTS[i < 6 ? i % 3 : 0];
        layout.count = f.back[i].count;
        rs_plaintext_t plaintext = {.ntt = b->ntt};
        memset(b->want_values, 0x5a, ARRAY);
        REQUIRE_OK(fixture_decrypt(&b->f, &f.ciphertexts[i], f.back[i].limb_count, &plaintext));
        REQUIRE_OK(decode_fixed(b->f.context, b->fixed, &plaintext, b->want_values, &layout));
        CHECK_EQ_MEM(f.values + i * ARRAY, b->want_values, ARRAY);
    }
    bench_free(b);
}

// One frame's slots do not fit: nothing of any stays.
RS_TEST(a_frame_that_does_not_fit) {
    frames_t f;
    frames_init(&f, &DESIGN, 0);
    bench_open(&f.b);
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, N / 2, -14, 1};
    for (int kind = 0; kind < 3; kind++) {
        set_frames(&f, &layout, 15, 0, CIPHERTEXT);
        CHECK_OK(encrypt_frames(&f, (rs_encryption_t)kind, &layout, 1));
        for (size_t i = 0; i < N; i++)
            ((int16_t *)(void *)(f.values + 3 * ARRAY))[i] = i & 1 ? 0 : INT16_MIN; // outside of the disc
        memset(f.data, 0, FRAMES * CIPHERTEXT * sizeof *f.data);
        CHECK_STATUS(encrypt_frames(&f, (rs_encryption_t)kind, &layout, 1), RS_ERR_VALUE_RANGE);
        CHECK(is_zero((const uint8_t *)f.data, FRAMES * CIPHERTEXT * sizeof *f.data));
        CHECK(is_zero(f.b.core.memory + f.b.device.used, RS_FRAMES_ENCODE * 2 * N));
        CHECK(seeds_are_wiped(&f.b.core));
        for (unsigned g = 0; g < DESIGN.groups; g++) CHECK(is_zero((const uint8_t *)f.b.core.groups[g].words, 8 * N));
    }
    set_frames(&f, &layout, 15, 0, CIPHERTEXT);
    CHECK_OK(encrypt_frames(&f, RS_ENCRYPT_SK, &layout, 1));
    const rs_fixed_layout_t narrow = {RS_FIXED_INT8, 1, N / 2, -14, 4}; // not all fit
    CHECK_STATUS(decrypt_frames(&f, 1, &narrow, FRAMES), RS_ERR_VALUE_RANGE);
    for (unsigned i = 0; i < RS_FRAMES_ENCODE; i++) CHECK(is_zero(f.values + i * ARRAY, N));
    CHECK_OK(decrypt_frames(&f, 1, &narrow, 0));
    f.items[1].values = NULL;
    CHECK_STATUS(encrypt_frames(&f, RS_ENCRYPT_SK, &layout, 1), RS_ERR_NULL);
    bench_free(&f.b);
}

// A number that does not fit a word ends the program: no ciphertext, and nothing of the message stays anywhere.
RS_TEST(what_does_not_fit) {
    OPENED(b, &DESIGN, 30);
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 1, N / 2, -14, 1};
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
    for (int kind = 0; kind < 3; kind++) {
        fill_values(&b, &layout, 15);
        CHECK_OK(by_device(&b, (rs_encryption_t)kind, &layout, 0x1p20, 1, &ct));
        fill_values(&b, &layout, 16); // from -2 to 2 now
        memset(b.got, 0, 2 * N * sizeof *b.got);
        CHECK_STATUS(by_device(&b, (rs_encryption_t)kind, &layout, 0x1p20, 1, &ct), RS_ERR_VALUE_RANGE);
        CHECK_EQ_U64(b.device.report.cause, RS_FAULT_VALUE);
        CHECK(is_zero((const uint8_t *)b.got, 2 * N * sizeof *b.got));
        CHECK(is_zero(b.core.memory + b.device.used, 8 * N));
        for (unsigned g = 0; g < DESIGN.groups; g++) CHECK(is_zero((const uint8_t *)b.core.groups[g].words, 8 * N));
    }
}

RS_TEST(arguments_are_checked) {
    OPENED(b, &DESIGN, 30);
    const rs_fixed_layout_t good = {RS_FIXED_INT16, 1, N / 2, -15, 1};
    rs_ciphertext_t ct = {.data = b.got, .seed_type = RS_SEED_SHAKE256};
    fill_values(&b, &good, 15);
    static const struct {
        rs_fixed_layout_t layout;
        double scale;
        uint32_t limbs;
        rs_status_t status;
    } CASES[] = {
        {{RS_FIXED_BINARY64, 1, 1, 34, 0}, 0x1p20, 1, RS_ERR_DESIGN}, // a shift that an instruction has not
        {{RS_FIXED_BINARY64, 1, 1, -97, 0}, 0x1p20, 1, RS_ERR_DESIGN},
        {{7, 1, 1, 0, 0}, 0x1p20, 1, RS_ERR_LAYOUT},
        {{RS_FIXED_INT8, 1, 1, 1024, 0}, 0x1p20, 1, RS_ERR_LAYOUT},
        {{RS_FIXED_INT8, 1, 1, 0, -1024}, 0x1p20, 1, RS_ERR_LAYOUT},
        {{RS_FIXED_INT8, 1, 0, 0, 0}, 0x1p20, 1, RS_ERR_VALUE_COUNT},
        {{RS_FIXED_INT8, 1, N / 2 + 1, 0, 0}, 0x1p20, 1, RS_ERR_VALUE_COUNT},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, 0x1p20, LIMBS, RS_ERR_LEVEL},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, 0x1p29, 1, RS_ERR_SCALE},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, 0x1p-1023, 1, RS_ERR_SCALE}, // subnormal
        {{RS_FIXED_INT8, 1, 1, 0, 0}, 0, 1, RS_ERR_SCALE},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, -0x1p20, 1, RS_ERR_SCALE},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, NAN, 1, RS_ERR_SCALE},
        {{RS_FIXED_INT8, 1, 1, 0, 0}, INFINITY, 1, RS_ERR_SCALE},
        {{RS_FIXED_INT8, 1, 1, 0, 9}, 0x1p20, 1, RS_ERR_OVERFLOW}, // SEAL's limit
        {{RS_FIXED_INT8, 1, 1, 0, 8}, 0x1.0000000000001p20, 1, RS_ERR_OVERFLOW},
        {{RS_FIXED_INT8, 1, 1, 0, 10}, 0x1p20, 2, RS_ERR_DESIGN}, // a modulus is smaller
        {{RS_FIXED_INT8, 1, 1, 0, 9}, 0x1.0000000000001p20, 2, RS_ERR_DESIGN},
    };
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        for (int kind = 0; kind < 3; kind++) {
            CHECK_STATUS(by_device(&b, (rs_encryption_t)kind, &CASES[i].layout, CASES[i].scale, CASES[i].limbs, &ct),
                         CASES[i].status);
        }
    }
    CHECK_OK(by_device(&b, RS_ENCRYPT_SK, &good, 0x1p20, 1, &ct));
    rs_fixed_layout_t out = good;
    out.count = 0;
    CHECK_STATUS(decrypt_slots(&b.device, &ct, 1, b.got_values, &out, b.room, RS_DEVICE_RUN), RS_ERR_VALUE_COUNT);
    out = (rs_fixed_layout_t){RS_FIXED_BINARY64, 1, 1, 0, 0}; // doubles are loaded, not stored
    CHECK_STATUS(decrypt_slots(&b.device, &ct, 1, b.got_values, &out, b.room, RS_DEVICE_RUN), RS_ERR_LAYOUT);
    CHECK_STATUS(decrypt_slots(&b.device, &ct, 1, NULL, &good, b.room, RS_DEVICE_RUN), RS_ERR_NULL);
    CHECK_STATUS(decrypt_slots(&b.device, &ct, 1, b.got_values, NULL, b.room, RS_DEVICE_RUN), RS_ERR_LAYOUT); // doubles
    CHECK_STATUS(LOAD(NULL, .fixed = b.fixed), RS_ERR_NULL);
    CHECK_STATUS(rs_device_load(&b.device, NULL), RS_ERR_NULL);
    CHECK_OK(LOAD(&b.device, .fixed = NULL)); // all stays
    CHECK_OK(rs_fixed_init(&b.fixed, b.tables, rs_fixed_size(LOG_N), LOG_N, 33));
    CHECK_STATUS(LOAD(&b.device, .fixed = b.fixed), RS_ERR_MISMATCH);
    CHECK_OK(LOAD(&b.device, .context = b.f.context, .secret_key = &b.f.secret)); // forgets the roots
    CHECK_STATUS(by_device(&b, RS_ENCRYPT_SK, &good, 0x1p20, 1, &ct), RS_ERR_DEVICE_NOT_LOADED);
}

// STORE and what reads a group for LIFT share a port, and STORE goes first.
RS_TEST(what_reads_a_group_waits_for_a_store) {
    enum { STORE, LIFTW, LIFT, CENTRE, COUNT };
    const uint64_t words[COUNT] = {
        [STORE] = RS_FIELD(OP, RS_OP_STORE),
        [LIFTW] = RS_FIELD(OP, RS_OP_LIFTW) | RS_FIELD(DST, 1) | RS_FIELD(B, 2),
        [LIFT] = RS_FIELD(OP, RS_OP_LIFT) | RS_FIELD(DST, 1),
        [CENTRE] = RS_FIELD(OP, RS_OP_CENTRE) | RS_FIELD(DST, 1) | RS_FIELD(A, 2),
    };
    for (unsigned k = LIFTW; k < COUNT; k++) {
        const uint64_t both[] = {words[STORE], words[k]};
        rs_span_t alone = {0}, spans[2] = {0};
        model_time(&DESIGN, LOG_N, words + k, 1, &alone);
        const uint64_t store = model_time(&DESIGN, LOG_N, both, 2, spans).active[RS_UNIT_STORE];
        CHECK_EQ_U64(spans[1].end, alone.end + (k == LIFT ? spans[1].start - alone.start : store));
    }
}

RS_TEST(designs_that_do_not_encode) {
    uint64_t program[256];
    size_t length;
    rs_design_t design = DESIGN;
    rs_job_t job = {.kind = RS_JOB_ENCRYPT_PK_DIRECT, .log_n = LOG_N, .limbs = 1, .key_limbs = 2, .message = RS_MESSAGE_SLOTS};
    job.numbers = (rs_job_numbers_t){RS_FIXED_INT8, 0, N / 2, 7};
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    design.groups = 3;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_DESIGN);
    design.groups = 5;
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    job.kind = RS_JOB_ENCRYPT_PK;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_DESIGN);
    design = DESIGN;
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    job.numbers.count = N / 2 + 1;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_VALUE_COUNT);
    job.numbers = (rs_job_numbers_t){RS_FIXED_INT8, 0, 1, 65};
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_LAYOUT);
    job.numbers = (rs_job_numbers_t){RS_FIXED_BINARY64, 0, 1, 0};
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    job.numbers.format++;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_LAYOUT);
    job = (rs_job_t){.kind = RS_JOB_DECRYPT, .log_n = LOG_N, .limbs = 3, .input_limbs = 3, .poly_count = 2, .decodes = 1};
    job.numbers = (rs_job_numbers_t){RS_FIXED_BINARY64, 0, 1, 0};
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_LAYOUT);
    job.numbers.format = RS_FIXED_INT8;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_FORM);
    job.limbs = 2;
    job.upper_shift = 65;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_LAYOUT);
    job.upper_shift = 64;
    design.groups = 3;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_DESIGN);
    design.groups = 4;
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    job.limbs = 1;
    CHECK_OK(rs_program_build(&design, &job, program, 256, &length));
    design.features &= ~(uint32_t)RS_FEATURE_ENCODE;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_DESIGN);
    design.features |= RS_FEATURE_ENCODE | RS_FEATURE_ON_THE_FLY;
    CHECK_STATUS(rs_program_build(&design, &job, program, 256, &length), RS_ERR_DEVICE_DESIGN);
}

// ---- the model ---------------------------------------------------------------------------------------------------------
#define C(number) RS_FIELD(CTX, number)
#define P(number) RS_FIELD(POINTER, number)
#define SHIFT(bits) RS_FIELD(SHIFT, bits)
#define ARRAY_OF(bits) RS_FIELD(NUMBERS, bits)
#define FRAME(number) RS_FIELD(FRAME, number)
#define NTT RS_FIELD(NTT, 1)
#define PART(number) RS_FIELD(PART, number)
#define WHOLE RS_FIELD(WHOLE, 1)
#define ODD RS_FIELD(ODD, 1)
#define ERROR(domain) (I(SAMPLE) | RS_FIELD(DOMAIN, domain))

RS_TEST(instructions_as_text) {
    static const text_case_t CASES[] = {
        {I(IFFT) | D(3) | C(1), "IFFT g3 ctx1"},
        {I(FFT) | D(3), "FFT g3 ctx0"},
        {I(CENTRE) | D(1) | A(2) | SHIFT(250), "CENTRE g1 g2 ctx0 250"},
        {I(CENTRE) | B(6), ".word 0x60015"},
        {I(CENTRE) | D(1) | A(2) | SHIFT(250) | WHOLE, "CENTRE g1 g2 ctx0 250 whole"},
        {I(SCALEW) | D(1) | A(2) | C(3), "SCALEW g1 g2 ctx3"},
        {I(MACW) | D(1) | A(2) | C(3), "MACW g1 g2 ctx3"},
        {I(LIFTW) | D(1) | A(2) | B(3) | SHIFT(4), "LIFTW g1 s2 g3 ctx0 4"},
        {I(LOADS) | D(1) | P(7) | ARRAY_OF(0x1ff070), "LOADS g1 p7 0x1ff070"},
        {I(STORES) | A(1) | P(7), "STORES g1 p7 0x0"},
        {I(ROOTS) | D(1) | P(5) | AT(64), "ROOTS ctx1 [p5 + 0x40]"},
        {I(CONSTANTS) | D(1) | AT(64), "CONSTANTS ctx1 [p0 + 0x40]"},
        {I(TWIDDLES) | D(1) | AT(64) | PART(2), "TWIDDLES ctx1 [p0 + 0x40] part2"},
        {I(INTT) | D(2) | C(1) | PART(3), "INTT g2 ctx1 part3"},
        {I(NTT) | PART(1), ".word 0x4000005"},
        {I(LOADS) | D(1) | P(7) | ARRAY_OF(0x1ff070) | FRAME(3), "LOADS g1 p7 0x1ff070 frame3"},
        {ERROR(2) | D(1) | FRAME(5) | RS_FIELD(TERNARY, 1), "SAMPLE s1 2 ternary frame5"},
        {ERROR(2) | FRAME(10), "SAMPLE s0 2 frame10"},
        {I(SAMPLE) | RS_FIELD(B_MAP, 1), ".word 0x20000000000000e"},
        {I(PIPEKEY) | P(2) | AT(64), "PIPEKEY [p2 + 0x40]"},
        {I(PIPE) | D(3) | A(1) | B(2) | RS_FIELD(LAST_LIMB, 11) | FRAME(5), "PIPE s3 g1 g2 11 frame5"},
        {I(PIPED) | RS_FIELD(LAST_LIMB, 0xfff) | FRAME(15), "PIPED s0 4095 frame15"},
        {I(PIPED) | A(1), ".word 0x101c"},
        {I(DRAIN), "DRAIN"},
        {I(DRAIN) | RS_FIELD(SLICE_DST, 1), ".word 0x10000001d"},
        {I(CONTEXT) | D(1) | AT(64) | ODD, "CONTEXT ctx1 [p0 + 0x40] odd"},
        {I(PIPEM) | D(3) | A(1) | RS_FIELD(LAST_LIMB, 2) | RS_FIELD(WORDS_SHIFT, 250) | RS_FIELD(FRAME, 1),
         "PIPEM s3 g1 2 250 frame1"},
        {I(LIFTW) | RS_FIELD(SLICES, 1), ".word 0x4000000000016"},
    };
    check_texts(CASES, sizeof CASES / sizeof CASES[0]);
}

// Faults that depend on words, and on memory; those of decode: hw/sequencer/tb. Group 0 public, 3 words of a message; context 0 a modulus, 1 roots.
#define NUMBERS ARRAY_OF(RS_FIXED_UINT8 | 7 << 4 | (N / 2 - 1) << 12)
#define INVERSE(place, part) (I(INTT) | D(0) | C(place) | PART(part))
#define TWIDDLES(place, part) \
    (I(TWIDDLES) | D(place) | PART(part) | AT(RS_CONTEXT_HEADER_BYTES + rs_design_part_offset(&DESIGN, LOG_N, part)))
RS_TEST(faults_of_words_in_the_model) {
    const fault_case_t CASES[] = {
        {{I(ROOTS) | D(0)}, RS_FAULT_CONTEXT}, // q is not 1
        {{I(CONTEXT) | D(1) | P(5)}, RS_FAULT_CONTEXT}, // q is
        {{I(CONTEXT) | D(1), I(INTT) | D(0) | C(1)}, RS_FAULT_NONE},
        {{I(CONSTANTS) | D(1), TWIDDLES(1, 1), INVERSE(1, 1), TWIDDLES(1, 2), INVERSE(1, 2), TWIDDLES(1, 3), INVERSE(1, 3)},
         RS_FAULT_NONE},
        {{I(CONSTANTS) | D(1), TWIDDLES(1, 0), INVERSE(0, 1), INVERSE(1, 2), INVERSE(0, 3), I(NTT) | D(0) | C(1)}, RS_FAULT_NONE},
        {{(TWIDDLES(0, 1) & ~RS_FIELD(OFFSET, 0x3ffffff)) | AT(0x80000000)}, RS_FAULT_BUS_READ},
        {{I(LOADS) | D(0) | P(3) | ARRAY_OF(N / 2 << 12)}, RS_FAULT_ILLEGAL},
        {{I(STORES) | A(0) | P(3) | ARRAY_OF(N / 2 << 12)}, RS_FAULT_ILLEGAL},
        {{I(LOADS) | D(0) | P(4)}, RS_FAULT_BUS_READ},
        {{I(LOADS) | D(4) | P(6) | ARRAY_OF(RS_FIXED_BINARY64)}, RS_FAULT_VALUE}, // 0x7ff0…
        {{I(LOADS) | D(4) | P(6) | ARRAY_OF(RS_FIXED_BINARY64 + 1)}, RS_FAULT_ILLEGAL},
        {{I(STORES) | A(3) | P(6) | ARRAY_OF(RS_FIXED_BINARY64)}, RS_FAULT_ILLEGAL},
        {{I(INTT) | D(0), I(CENTRE) | D(4) | A(0) | SHIFT(9)}, RS_FAULT_VALUE},
        {{I(INTT) | D(0), I(CENTRE) | D(4) | A(0) | SHIFT(244)}, RS_FAULT_NONE},
        {{ERROR(2), I(LIFTW) | D(4) | B(3) | SHIFT(31)}, RS_FAULT_VALUE},
    };
    OPENED(b, &DESIGN, 30);
    const uint64_t memory = b.bus.memory_address, used = memory + b.device.used;
    const uint64_t pointers[8] = {memory,      memory + rs_on_core(&b.device)->public_key, used,         used + 8192,
                                  memory - 64, memory + rs_on_core(&b.device)->roots,      used + 16384, 0x80000001u};
    set_pointers(&b.device, pointers, 8, LOG_N);
    for (unsigned i = 0; i < N / 2; i++) b.core.memory[b.device.used + i] = (uint8_t)(i * 37);
    rs_store64(b.core.memory + b.device.used + 16384, UINT64_C(0x7ff) << RS_MANTISSA_BITS);
    const uint64_t first[] = {I(CONTEXT), I(LOAD) | P(1) | NTT, I(ROOTS) | D(1) | P(5), I(LOADS) | D(3) | P(2) | NUMBERS,
                              I(IFFT) | D(3) | C(1)};
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        CHECK_OK(model_new_seed(&b.core, i));
        check_fault(&b.device, first, 5, &CASES[i], i);
    }
}
