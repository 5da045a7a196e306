// SPDX-License-Identifier: Apache-2.0
// BFV and BGV by the accelerator, on a model of the core: the same bits as by the library for every kind of design, and what is refused.
#include <ringside/golden.h>

#include "device_room.h"

enum { LIMBS = 4, DATA = LIMBS - 1, N = 1024, FRAMES = 5, T = 65537 };

static const rs_design_t DESIGN = DESIGN_OF(11, 5, 2, 3, 128, RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ON_THE_FLY);

typedef struct bench {
    fixture_t f;
    model_core_t core;
    rs_bus_t bus;
    rs_device_t device;
    rs_memory_t room;
    uint64_t *values;
    uint64_t *got;
    rs_ciphertext_t by_device, by_library;
    uint8_t seed;
} bench_t;

typedef struct way {
    uint32_t kind, limbs, seeded, seed_type, ntt, packing;
} way_t;

static int bench_init(bench_t *b, uint32_t scheme, const uint32_t *bits, uint32_t limbs, uint64_t t) {
    rs_params_t params;
    memset(b, 0, sizeof *b);
    if (!CHECK_OK(params_of_scheme(&params, scheme, N, bits, limbs, t))) return 0;
    fixture_of(&b->f, &params);
    b->room = room_of(b->f.context);
    b->values = words(N);
    b->got = words(FRAMES * N);
    b->by_device.data = words(3 * LIMBS * N);
    b->by_library.data = words(3 * LIMBS * N);
    return 1;
}

// frames: with room for so many ciphertexts in a program.
static void bench_open(bench_t *b, const rs_design_t *design, size_t frames) {
    const size_t more = (frames - 1) * 3 * DATA * rs_design_poly_bytes(design, b->f.params.log_n);
    model_core_init(&b->core, design, rs_device_memory_bytes(design, &b->f.params, 3, 1) + more);
    OPEN_DEVICE(b, .public_key = &b->f.public_key);
}

static void bench_free(bench_t *b) { close_core(&b->core, &b->device); }

static void fill_values(bench_t *b) {
    const uint64_t t = b->f.params.plain_modulus;
    for (uint64_t i = 0; i < N; i++) b->values[i] = (i * i * 977 + b->seed + (i == 1 ? t - 1 : 0)) % t - t / 2;
}

static rs_encrypt_item_t item_of(const bench_t *b, const way_t *way, const rs_layout_t *layout, rs_ciphertext_t *to) {
    return (rs_encrypt_item_t){.values = b->values, .layout = layout, .count = N, .limb_count = way->limbs, .ciphertext = to};
}

static rs_status_t by_device(bench_t *b, const way_t *way) {
    const rs_layout_t layout = {.packing = way->packing};
    rs_encrypt_item_t item = item_of(b, way, &layout, &b->by_device);
    fixture_seed(&b->f, b->seed);
    return rs_device_encrypt(&b->device,
                             RS_REQUEST(rs_encrypt_request_t, .kind = way->kind, .seeded = way->seeded, .seed_type = way->seed_type,
                                        .ntt = way->ntt, .items = &item, .count = 1, .rng = &b->f.rng, .workspace = b->room),
                             RS_DEVICE_RUN);
}

static rs_status_t by_library(bench_t *b, const way_t *way) {
    const rs_layout_t layout = {.packing = way->packing};
    fixture_seed(&b->f, b->seed);
    return FIXTURE_ENCRYPT(&b->f, item_of(b, way, &layout, &b->by_library), .kind = way->kind, .seeded = way->seeded,
                           .seed_type = way->seed_type, .ntt = way->ntt);
}

static rs_status_t back_by_device(bench_t *b, const rs_decrypt_item_t *item, uint32_t margin_bits) {
    rs_decrypt_item_t one = *item;
    memset(b->got, 0x55, N * sizeof *b->got);
    const rs_status_t status = rs_device_decrypt(
        &b->device, RS_REQUEST(rs_decrypt_request_t, .margin_bits = margin_bits, .items = &one, .count = 1, .workspace = b->room),
        RS_DEVICE_RUN);
    const int rounds = rs_on_core(&b->device)->gamma && !margin_bits;
    CHECK_EQ_U64(job_in_core(&b->device).phase & RS_PHASE_ROUNDED, rounds ? RS_PHASE_ROUNDED : 0);
    CHECK_EQ_U64(job_in_core(&b->device).phase & RS_PHASE_SWITCHED,
                 rounds && rs_exact_switches(b->f.context, one.ciphertext, 0) ? RS_PHASE_SWITCHED : 0);
    return status;
}

// The device comes back to the values: with a margin, where the processor rounds, and without, where the core may; as values and as a plaintext.
static void check_back(bench_t *b, const way_t *way) {
    const rs_layout_t layout = {.packing = way->packing};
    rs_plaintext_t plaintext = {.message = b->got};
    rs_decrypt_item_t item = {.ciphertext = &b->by_device, .values = b->got, .layout = &layout, .count = N};
    for (uint32_t margin = 0; margin <= (way->limbs > 1 ? 2 : 0); margin += 2) {
        REQUIRE_OK(back_by_device(b, &item, margin));
        CHECK_EQ_MEM(b->got, b->values, N * sizeof *b->got);
    }
    b->by_device.correction_factor = b->f.params.scheme == RS_SCHEME_BGV ? 3 : 1; // another message then
    REQUIRE_OK(back_by_device(b, &item, 0));
    item.values = b->values;
    REQUIRE_OK(FIXTURE_DECRYPT(&b->f, item, .size = 0));
    CHECK_EQ_MEM(b->got, b->values, N * sizeof *b->got);
    item = (rs_decrypt_item_t){.ciphertext = &b->by_device, .plaintext = &plaintext};
    REQUIRE_OK(back_by_device(b, &item, 0));
    CHECK_EQ_U64(plaintext.form, RS_FORM_WORDS);
    plaintext.message = b->values;
    REQUIRE_OK(FIXTURE_DECRYPT(&b->f, item, .size = 0));
    CHECK_EQ_MEM(b->got, b->values, N * sizeof *b->got);
}

// Both ways there give the same bits.
static void check_way(bench_t *b, way_t way) {
    b->seed++;
    fill_values(b);
    REQUIRE_OK(by_library(b, &way));
    REQUIRE_OK(by_device(b, &way));
    CHECK_EQ_MEM(b->by_device.data, b->by_library.data,
                 rs_ciphertext_words(b->f.context, 2, way.limbs, way.seeded) * sizeof(uint64_t));
    CHECK_EQ_U64(b->by_device.form, b->by_library.form);
    const rs_design_t *design = &b->device.design;
    const uint32_t groups = way.kind == RS_ENCRYPT_PK ? 6 : 4; // with which the core makes the message
    CHECK_EQ_U64(job_in_core(&b->device).message == RS_MESSAGE_INTEGERS, !way.packing && design->slots && design->groups >= groups);
    CHECK_EQ_U64(b->by_device.correction_factor, 1);
    CHECK_EQ_U64(b->by_device.seeded, way.seeded);
    CHECK_EQ_MEM(b->by_device.parms_id, b->by_library.parms_id, RS_PARMS_ID_BYTES);
    if (way.seeded) CHECK_EQ_MEM(&b->by_device.seed, &b->by_library.seed, sizeof b->by_device.seed);
    CHECK(is_zero(b->room.p, b->room.n));
    check_back(b, &way);
}

static void check_design(bench_t *b, const rs_design_t *design) {
    const int bfv = b->f.params.scheme == RS_SCHEME_BFV;
    bench_open(b, design, 1);
    for (uint32_t limbs = 1; limbs <= b->f.data_limbs; limbs += 2) {
        for (uint32_t ntt = 0; ntt <= (uint32_t)bfv; ntt++) {
            const uint32_t type = limbs > 1 ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB;
            check_way(b, (way_t){RS_ENCRYPT_SK, limbs, 1, RS_SEED_SHAKE256, ntt, 0});
            check_way(b, (way_t){RS_ENCRYPT_PK_DIRECT, limbs, 0, 0, ntt, 1});
            check_row(&b->f, &b->device, b->room, b->seed, (row_t){ntt ? 5 : 0, limbs - 1, ntt, type});
            check_row(&b->f, &b->device, b->room, b->seed, (row_t){2 * N - 1, 0, 1, RS_SEED_SHAKE256});
            check_way(b, (way_t){RS_ENCRYPT_SK, limbs, 0, type, ntt, 0}); // after a public key: constants change twice
            if (can_round(design)) check_way(b, (way_t){RS_ENCRYPT_PK, limbs, 0, 0, ntt, 0});
        }
    }
    bench_free(b);
}

RS_TEST(every_number_of_groups_slots_and_contexts) {
    static const uint32_t BITS[LIMBS] = {30, 30, 30, 30};
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        bench_t b;
        if (!bench_init(&b, scheme, BITS, LIMBS, T)) continue;
        rs_design_t design = DESIGN;
        for (design.groups = 2; design.groups <= 6; design.groups++) {
            for (design.slots = 0; design.slots <= 3; design.slots++) {
                design.contexts = 1 + (design.groups + design.slots) % 3;
                design.features = DESIGN.features & ~(design.slots ? 0u : RS_FEATURE_SAMPLER);
                if (design.contexts != 2) design.features |= RS_FEATURE_STREAM_FACTOR;
                check_design(&b, &design);
            }
        }
    }
}

RS_TEST(every_word_and_plain_modulus) {
    static const struct {
        uint32_t word_bits, bits[LIMBS];
        uint64_t t;
    } CASES[] = {
        {28, {28, 28, 28, 28}, T}, {54, {50, 54, 54, 54}, T},     {64, {60, 60, 60, 60}, 786433},
        {32, {31, 32, 32, 32}, T}, {54, {43, 43, 43, 43}, 12289},
    };
    for (unsigned i = 0; i < 2 * sizeof CASES / sizeof *CASES; i++) {
        bench_t b;
        rs_design_t design = DESIGN;
        design.word_bits = CASES[i / 2].word_bits;
        design.groups = 2 + (i & 1) * 4;
        if (bench_init(&b, i & 1 ? RS_SCHEME_BGV : RS_SCHEME_BFV, CASES[i / 2].bits, LIMBS, CASES[i / 2].t))
            check_design(&b, &design);
    }
}

// Answers of a server: three polynomials, a factor, other forms, and several in a program.
RS_TEST(answers) {
    static const uint32_t BITS[LIMBS] = {30, 30, 30, 30};
    for (uint32_t k = 0; k < 8; k++) {
        bench_t b;
        rs_ciphertext_t answers[FRAMES];
        rs_decrypt_item_t items[FRAMES];
        const uint32_t scheme = k & 1 ? RS_SCHEME_BGV : RS_SCHEME_BFV, polys = 2 + (k >> 1 & 1);
        rs_design_t design = DESIGN;
        design.groups = k & 4 ? 2 : 4;
        if (!bench_init(&b, scheme, BITS, LIMBS, T)) continue;
        bench_open(&b, &design, FRAMES);
        for (unsigned i = 0; i < FRAMES; i++) {
            uint64_t *data = words((size_t)polys * DATA * N);
            for (size_t at = 0; at < (size_t)polys * DATA * N; at++)
                data[at] = (at + 1) * (i + 1) * UINT64_C(0x9e3779b97f4a7c15) % b.f.params.moduli[at / N % DATA];
            answers[i] =
                (rs_ciphertext_t){.poly_count = polys, .limb_count = DATA, .scale = 1.0, .data = data, .correction_factor = 1};
            answers[i].form = scheme == RS_SCHEME_BFV && polys == 3 ? RS_FORM_COEF : RS_FORM_NTT; // not switched by the library
            if (scheme == RS_SCHEME_BGV) answers[i].correction_factor = 5 + i;
            memcpy(answers[i].parms_id, rs_context_parms_id(b.f.context, DATA), RS_PARMS_ID_BYTES);
            items[i] = (rs_decrypt_item_t){.ciphertext = &answers[i], .values = b.got + i * N, .count = N};
        }
        CHECK_OK(rs_device_decrypt(
            &b.device, RS_REQUEST(rs_decrypt_request_t, .items = items, .count = FRAMES, .workspace = b.room), RS_DEVICE_RUN));
        for (unsigned i = 0; i < FRAMES; i++) {
            rs_decrypt_item_t item = items[i];
            item.values = b.values;
            CHECK_OK(FIXTURE_DECRYPT(&b.f, item, .size = 0));
            CHECK_EQ_MEM(b.got + i * N, b.values, N * sizeof *b.values);
        }
        CHECK_EQ_U64(job_in_core(&b.device).frames, design.groups > 2 ? FRAMES : 0);
        // phases anywhere are near a half somewhere: nothing is told then
        CHECK_EQ_U64(rs_device_decrypt(
                         &b.device,
                         RS_REQUEST(rs_decrypt_request_t, .margin_bits = 3, .items = items, .count = FRAMES, .workspace = b.room),
                         RS_DEVICE_RUN),
                     RS_ERR_NOISE);
        CHECK(is_zero(b.got, (design.groups > 2 ? FRAMES : 1) * N * sizeof *b.got));
        bench_free(&b);
    }
}

// Frames of the streaming unit: the library's bits for each, in one program. One that is wrong, FRAMES for none, is named.
static void check_streamed(bench_t *b, uint32_t kind, uint32_t limbs, unsigned programs, unsigned wrong) {
    rs_ciphertext_t got[FRAMES];
    rs_encrypt_item_t items[FRAMES];
    const way_t way = {kind, limbs, 0, 0, b->f.params.scheme == RS_SCHEME_BFV, 1};
    const rs_layout_t layout = {.packing = way.packing};
    const size_t size = 2 * (size_t)limbs * N;
    uint64_t *data = words(FRAMES * size), *values = words(FRAMES * N);
    const unsigned before = b->core.programs;
    b->seed++;
    for (unsigned i = 0; i < FRAMES; i++) {
        fill_values(b);
        b->values[i] = i & 1 ? (b->f.params.plain_modulus - 1) / 2 : 0;
        memcpy(values + i * N, b->values, N * sizeof *values);
        got[i] = (rs_ciphertext_t){.data = data + i * size};
        items[i] = item_of(b, &way, &layout, &got[i]);
        items[i].values = values + i * N;
    }
    if (wrong < FRAMES) values[wrong * N + 5] = b->f.params.plain_modulus;
    fixture_seed(&b->f, b->seed);
    const rs_status_t status = rs_device_encrypt(&b->device,
                                                 RS_REQUEST(rs_encrypt_request_t, .kind = kind, .ntt = way.ntt, .items = items,
                                                            .count = FRAMES, .rng = &b->f.rng, .workspace = b->room),
                                                 RS_DEVICE_RUN);
    CHECK_EQ_U64(status, wrong < FRAMES ? RS_ERR_VALUE_RANGE : RS_OK);
    CHECK(is_zero(b->room.p, b->room.n));
    for (unsigned i = 0; i < FRAMES; i++) CHECK_EQ_U64(items[i].status, i < wrong ? RS_OK : RS_ERR_VALUE_RANGE);
    if (status != RS_OK) return;
    CHECK_EQ_U64(b->core.programs - before, programs);
    CHECK_EQ_U64(b->core.registers[RS_REG_BUSY_PIPE / 4] > 0, programs == 1);
    if (programs == 1) CHECK(is_zero(b->core.memory + b->device.used, N * sizeof *values)); // the first message
    fixture_seed(&b->f, b->seed);
    for (unsigned i = 0; i < FRAMES; i++) {
        items[i].ciphertext = &b->by_library;
        REQUIRE_OK(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .ntt = way.ntt, .context = b->f.context,
                                         .public_key = &b->f.public_key, .items = &items[i], .count = 1, .rng = &b->f.rng,
                                         .workspace = {b->f.workspace, b->f.workspace_bytes})));
        CHECK_EQ_MEM(got[i].data, b->by_library.data, size * sizeof *data);
        CHECK(got[i].form == RS_FORM_NTT && got[i].limb_count == limbs && got[i].correction_factor == 1);
    }
}

RS_TEST(frames_of_the_streaming_unit) {
    static const struct {
        uint32_t word_bits, bits[LIMBS];
        uint64_t t;
        unsigned programs;
    } CASES[] = {
        {32, {30, 28, 29, 30}, T, 1}, {54, {50, 43, 54, 54}, 12289, 1},         {64, {60, 50, 60, 60}, UINT64_C(1) << 45, 1},
        {32, {30, 28, 29, 30}, 4, 1}, {32, {30, 28, 29, 30}, 50000017, FRAMES}, // messages beyond a modulus: by the lanes
    };
    for (unsigned i = 0; i < 2 * sizeof CASES / sizeof *CASES; i++) {
        bench_t b;
        rs_design_t design = STREAM_DESIGN;
        const unsigned programs = CASES[i / 2].programs;
        design.word_bits = CASES[i / 2].word_bits;
        if (!bench_init(&b, i & 1 ? RS_SCHEME_BGV : RS_SCHEME_BFV, CASES[i / 2].bits, LIMBS, CASES[i / 2].t)) continue;
        bench_open(&b, &design, 2 * FRAMES);
        for (uint32_t limbs = DATA; limbs >= (CASES[i / 2].t >> 40 ? 2 : 1); limbs--) {
            check_streamed(&b, RS_ENCRYPT_PK, limbs, programs, limbs);
            check_streamed(&b, RS_ENCRYPT_PK, limbs, programs, FRAMES);
            // a lane's program and its constants in between
            if (programs == 1) check_way(&b, (way_t){RS_ENCRYPT_SK, limbs, 1, RS_SEED_SHAKE256, 0, 1});
            check_streamed(&b, RS_ENCRYPT_PK_DIRECT, limbs, programs, FRAMES);
        }
        bench_free(&b);
    }
}

// c0 = phase - c1 s with any c1, the phase 40 of q/q_0 from a half: five standard deviations of what is rounded, where digits are counted. Levels take turns.
RS_TEST(switched_near_a_half) {
    static const uint32_t BITS[LIMBS] = {30, 30, 30, 30};
    const uint64_t m = 12345;
    const rs_layout_t layout = {.packing = 1};
    bench_t b;
    if (!bench_init(&b, RS_SCHEME_BFV, BITS, LIMBS, T)) return;
    bench_open(&b, &DESIGN, 1);
    b.by_device =
        (rs_ciphertext_t){.poly_count = 2, .scale = 1.0, .form = RS_FORM_COEF, .data = b.by_device.data, .correction_factor = 1};
    for (unsigned round = 0; round < 6; round++) {
        const uint64_t *q = b.f.params.moduli, up = round & 1;
        const uint32_t limbs = b.by_device.limb_count = round / 2 == 1 ? 2 : DATA;
        memcpy(b.by_device.parms_id, rs_context_parms_id(b.f.context, limbs), RS_PARMS_ID_BYTES);
        const uint64_t phase = q[0] * (2 * m + 1) / (2 * T) + (up ? 41 : (uint64_t)-40);
        for (uint32_t i = 0; i < limbs; i++) {
            uint64_t *c0 = b.by_device.data + i * N, *c1 = c0 + limbs * N;
            const rs_plan_t *plan = rs_context_plan(b.f.context, i);
            for (size_t k = 0; k < N; k++) b.got[k] = c1[k] = (k + 1) * (i + 1) * (round + 1) * UINT64_C(0x9e3779b97f4a7c15) % q[i];
            rs_plan_forward(plan, b.got);
            rs_plan_mul(plan, b.got, b.got, b.f.secret.ntt + i * N);
            rs_plan_inverse(plan, b.got);
            for (size_t k = 0; k < N; k++) c0[k] = i ? 0 : phase * (q[1] % q[0]) % q[0] * (limbs > 2 ? q[2] % q[0] : 1) % q[0];
            rs_plan_sub(plan, c0, c0, b.got);
        }
        const rs_decrypt_item_t item = {.ciphertext = &b.by_device, .values = b.got, .layout = &layout, .count = N};
        CHECK_OK(back_by_device(&b, &item, 0));
        for (size_t k = 0; k < N; k++) CHECK_EQ_U64(b.got[k], m + up);
    }
    bench_free(&b);
}

RS_TEST(what_is_refused) {
    static const uint32_t BITS[LIMBS] = {30, 30, 30, 30};
    bench_t b;
    if (!bench_init(&b, RS_SCHEME_BGV, BITS, LIMBS, T)) return;
    bench_open(&b, &DESIGN, 1);
    way_t way = {RS_ENCRYPT_SK, DATA, 1, RS_SEED_SHAKE256, 0, 0};
    fill_values(&b);
    b.values[3] = T;
    CHECK_EQ_U64(by_device(&b, &way), RS_ERR_VALUE_RANGE);
    b.values[3] = 0;
    way.ntt = 1;
    CHECK_EQ_U64(by_device(&b, &way), RS_ERR_OPTION);
    way.ntt = 0;
    way.limbs = LIMBS;
    CHECK_EQ_U64(by_device(&b, &way), RS_ERR_LEVEL);
    way.limbs = DATA;
    CHECK_OK(by_device(&b, &way));
    rs_decrypt_item_t item = {.ciphertext = &b.by_device, .values = b.got, .count = N};
    b.by_device.correction_factor = T;
    CHECK_EQ_U64(decrypt_items(&b.device, &item, 1, b.room, RS_DEVICE_RUN), RS_ERR_CORRECTION);
    b.by_device.correction_factor = 1;
    item.count = N + 1;
    CHECK_EQ_U64(decrypt_items(&b.device, &item, 1, b.room, RS_DEVICE_RUN), RS_ERR_VALUE_COUNT);
    item.count = N;
    const size_t secret = rs_on_core(&b.device)->secret_place, both = 2 * LIMBS * rs_design_poly_bytes(&DESIGN, b.f.params.log_n);
    CHECK(!is_zero(b.device.bus.memory + secret + both / 2, both / 2));
    CHECK_OK(rs_device_forget(&b.device));
    CHECK(is_zero(b.device.bus.memory + secret, both)); // s, and its image that encrypts
    CHECK_EQ_U64(decrypt_items(&b.device, &item, 1, b.room, RS_DEVICE_RUN), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_EQ_U64(by_device(&b, &way), RS_ERR_DEVICE_NOT_LOADED);
    bench_free(&b);
}
