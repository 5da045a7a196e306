// SPDX-License-Identifier: Apache-2.0
// The lean client against the library: equal seeds give equal files, bit by bit; what it refuses; what it leaves in memory.
#include "fixture.h"

#include "arith/ring.h"
#include "lean/lean.h"

enum { SEED = 5, VALUES_MAX = 1 << 13, FILE_MAX = 1 << 23 };

typedef struct set {
    uint32_t n;
    uint32_t limb_count;
    uint32_t bits[6];
} set_t;

static const set_t SETS[] = {
    {1024, 1, {27}},          {1024, 2, {20, 30}},
    {2048, 3, {18, 30, 24}},  {4096, 4, {30, 30, 30, 30}},
    {4096, 3, {30, 20, 17}},  {8192, 6, {30, 29, 28, 20, 30, 30}},
    {16384, 3, {30, 30, 30}},
};
enum { SET_COUNT = sizeof SETS / sizeof SETS[0], SMALL = 1, EMBEDDED = 3 };
static const rs_hash_t *const TABLES[] = {&RS_HASH_PORTABLE, &RS_HASH_INTERLEAVED};

typedef struct file {
    uint8_t *bytes;
    rs_memory_sink_t memory;
    rs_sink_t sink;
} lean_file_t;

static void file_init(lean_file_t *file) {
    file->bytes = rs_test_own(malloc(FILE_MAX));
    rs_sink_to_memory(&file->sink, &file->memory, file->bytes, FILE_MAX);
}

static void file_again(lean_file_t *file) { rs_sink_to_memory(&file->sink, &file->memory, file->bytes, FILE_MAX); }

// A fixture with its lean client and the fixed-point tables of the reference.
typedef struct both {
    fixture_t f;
    rs_lean_t *lean;
    size_t size;
    const rs_fixed_t *fixed;
    uint8_t *key;
    int16_t values[VALUES_MAX];
    rs_fixed_layout_t layout;
    double scale;
    lean_file_t ours, theirs;
    rs_wire_format_t format;
} both_t;

static rs_view_t key_of(const both_t *b) { return (rs_view_t){b->key, b->f.n / 4}; }

static rs_status_t lean_decrypt_bytes(both_t *b, const uint8_t *bytes, size_t count) {
    rs_memory_source_t memory;
    rs_source_t source;
    rs_source_from_memory(&source, &memory, bytes, count);
    return rs_lean_decrypt(b->lean, key_of(b), &source);
}

// A ciphertext in a file of whole size.
static rs_status_t lean_decrypt(both_t *b, const lean_file_t *file) {
    return lean_decrypt_bytes(b, file->bytes, file->memory.bytes);
}

static rs_status_t pack_key(both_t *b) {
    return rs_lean_pack_key(b->f.context, &b->f.secret, (rs_bytes_t){b->key, b->f.n / 4}, fixture_room(&b->f));
}

// t: of BFV and BGV
static both_t *both_of(const set_t *set, uint32_t scheme, uint64_t t) {
    both_t *b = rs_test_own(calloc(1, sizeof *b));
    rs_params_t params;
    CHECK_OK(
        rs_params_init(&params, RS_REQUEST(rs_params_request_t, .security = RS_SECURITY_UNCHECKED, .scheme = scheme, .n = set->n,
                                           .bits = set->bits, .limb_count = set->limb_count, .plain_modulus = t)));
    fixture_of(&b->f, &params);
    const size_t fixed = rs_fixed_size(b->f.params.log_n);
    b->size = rs_lean_size(&b->f.params);
    CHECK_OK(rs_fixed_init(&b->fixed, words(fixed / 8 + 1), fixed, b->f.params.log_n, 32));
    CHECK_OK(rs_lean_init(&b->lean, (rs_memory_t){words(b->size / 8 + 1), b->size}, &b->f.params, RS_SECURITY_UNCHECKED));
    b->key = (uint8_t *)words(set->n / 32);
    CHECK_EQ_U64(rs_lean_key_bytes(&b->f.params), set->n / 4);
    CHECK_OK(pack_key(b));
    uint64_t random = set->n + set->limb_count;
    for (uint32_t i = 0; i < set->n / 2; i++) b->values[i] = (int16_t)rs_test_random(&random);
    b->layout = (rs_fixed_layout_t){RS_FIXED_INT16, 0, set->n / 2, -15, 1};
    b->scale = 4096;
    file_init(&b->ours);
    file_init(&b->theirs);
    return b;
}

static both_t *both(const set_t *set) { return both_of(set, RS_SCHEME_CKKS, 0); }

// The library's file of a ciphertext or a public key.
static rs_status_t write_as(const both_t *b, rs_wire_kind_t kind, const rs_sink_t *sink, const rs_ciphertext_t *ciphertext) {
    return rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = kind, .context = b->f.context, .sink = sink,
                                    .format = b->format, .ciphertext = ciphertext));
}

// The library's file of the values; its plaintext has form NTT.
static rs_status_t reference(both_t *b, rs_encryption_t kind, uint32_t limbs, uint8_t seed) {
    fixture_t *f = &b->f;
    rs_plaintext_t message = {.ntt = words((size_t)limbs * f->n)};
    rs_ciphertext_t ct = {.data = words(2 * (size_t)limbs * f->n), .seeded = kind == RS_ENCRYPT_SK, .seed_type = RS_SEED_SHAKE256};
    const rs_status_t status = encode_fixed(f->context, b->fixed, &message, b->values, &b->layout, b->scale, limbs);
    if (status != RS_OK) return status;
    fixture_seed(f, seed);
    CHECK_OK(fixture_encrypt(f, kind, &message, &ct));
    file_again(&b->theirs);
    CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
    return RS_OK;
}

static rs_status_t read_key(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *out) {
    const fixture_t *f = state;
    const uint64_t *at = f->public_key.data + ((size_t)poly * f->params.limb_count + limb) * f->n + first;
    for (uint32_t i = 0; i < count; i++) out[i] = (uint32_t)at[i];
    return RS_OK;
}

static rs_status_t encrypt(both_t *b, rs_encryption_t kind, const rs_lean_public_key_t *key, const rs_sink_t *sink, rs_rng_t *rng) {
    return rs_lean_encrypt(b->lean, RS_REQUEST(rs_lean_encrypt_request_t, .kind = kind, .secret_key = key_of(b), .public_key = key,
                                               .sink = sink, .format = &b->format, .rng = rng));
}

static rs_status_t encode_encrypt(both_t *b, uint32_t limbs, rs_encryption_t kind, const rs_lean_public_key_t *key,
                                  const rs_sink_t *sink, rs_rng_t *rng) {
    const rs_status_t status = rs_lean_encode(b->lean, b->values, &b->layout, b->scale, limbs);
    return status == RS_OK ? encrypt(b, kind, key, sink, rng) : status;
}

static rs_status_t lean_file(both_t *b, rs_encryption_t kind, uint32_t limbs, uint8_t seed) {
    const rs_lean_public_key_t key = {read_key, &b->f};
    fixture_seed(&b->f, seed);
    file_again(&b->ours);
    return encode_encrypt(b, limbs, kind, &key, &b->ours.sink, &b->f.rng);
}

static int is_wiped(const both_t *b) {
    return is_zero(b->lean->x, 12 * (size_t)b->f.n) && is_zero(b->lean->keccak, sizeof b->lean->keccak);
}

static void compare_files(both_t *b, rs_encryption_t kind, uint32_t limbs, uint8_t seed) {
    REQUIRE_OK(reference(b, kind, limbs, seed));
    REQUIRE_OK(lean_file(b, kind, limbs, seed));
    REQUIRE(b->ours.memory.bytes == b->theirs.memory.bytes);
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
    CHECK(is_wiped(b));
    CHECK_STATUS(encrypt(b, RS_ENCRYPT_SK, NULL, &b->ours.sink, &b->f.rng), RS_ERR_SEQUENCE);
}

// ---- equal bits --------------------------------------------------------------------------------------------------------
RS_TEST(roots_are_the_nearest_words) {
    for (uint32_t log_n = RS_LEAN_LOG_N_MIN; log_n <= RS_LEAN_LOG_N_MAX; log_n++) {
        const rs_fixed_t *fixed;
        const size_t bytes = rs_fixed_size(log_n);
        REQUIRE_OK(rs_fixed_init(&fixed, words(bytes / 8 + 1), bytes, log_n, 32));
        for (uint32_t stage = 0; stage + 1 < log_n; stage++) {
            for (uint32_t block = 0; block < (uint32_t)1 << stage; block += 2) {
                const rs_fixed_root_t want = rs_fixed_root(fixed, stage, block);
                uint32_t re, im;
                rs_lean_encode_root(stage, block, &re, &im);
                CHECK_EQ_U64(re, want.re);
                CHECK_EQ_U64(im, want.im);
            }
        }
    }
}

RS_TEST(files_of_the_secret_key_are_the_librarys) {
    for (unsigned i = 0; i < SET_COUNT; i++) {
        both_t *b = both(&SETS[i]);
        for (uint32_t limbs = 1; limbs <= b->f.data_limbs; limbs++) {
            b->scale = i == 2 || i == 4 || i == SMALL ? 1000 + limbs : i & 1 ? 16777216 : 12345678.5;
            for (uint8_t seed = 1; seed <= 3; seed++) {
                b->lean->hash = TABLES[seed % 2];
                compare_files(b, RS_ENCRYPT_SK, limbs, seed);
            }
        }
    }
}

RS_TEST(files_of_the_public_key_are_the_librarys) {
    for (unsigned i = 0; i < SET_COUNT; i++) {
        both_t *b = both(&SETS[i]);
        for (uint32_t limbs = 1; limbs <= b->f.data_limbs; limbs++) {
            compare_files(b, RS_ENCRYPT_PK, limbs, (uint8_t)(10 + i));
            if (limbs == 1 || limbs == b->f.data_limbs) compare_files(b, RS_ENCRYPT_PK_DIRECT, limbs, (uint8_t)(40 + i));
        }
    }
}

// ---- BFV and BGV -------------------------------------------------------------------------------------------------------
typedef struct exact_case {
    unsigned set;
    uint64_t t;
    uint32_t packing;
} exact_case_t;
static const exact_case_t EXACT[] = {
    {0, 12289, 0}, {1, 5, 1}, {1, 2, 1}, {2, 40961, 0}, {3, 65537, 0}, {3, (1 << 26) - 1, 1}, {5, 786433, 0}, {6, 1024, 1},
};
enum { EXACT_COUNT = sizeof EXACT / sizeof EXACT[0] };

// The library's file of integers, and the client's, which takes them in pieces from the last to the first.
static void compare_integers(both_t *b, rs_encryption_t kind, uint32_t packing, uint8_t seed) {
    fixture_t *f = &b->f;
    const uint32_t n = f->n, limbs = f->data_limbs;
    const int64_t t = (int64_t)f->params.plain_modulus;
    int64_t *values = (int64_t *)words(n), *got = (int64_t *)words(n);
    int16_t *piece = (int16_t *)words(n);
    const int small = t < 65536; // 16 bits for what fits
    uint64_t random = seed;
    for (uint32_t i = 0; i < n; i++)
        values[i] = i == 1 ? (t - 1) / 2 : i == 2 ? -(t / 2) : (int64_t)(rs_test_random(&random) % (uint64_t)t) - t / 2;
    rs_ciphertext_t ct = {.data = words(2 * (size_t)limbs * n)};
    const rs_layout_t layout = {.packing = packing};
    rs_encrypt_item_t item = {.values = values, .layout = &layout, .count = n - 3, .ciphertext = &ct};
    fixture_seed(f, seed);
    REQUIRE_OK(FIXTURE_ENCRYPT(f, item, .kind = kind, .seeded = kind == RS_ENCRYPT_SK));
    file_again(&b->theirs);
    CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));

    const uint32_t cut = n / 2 + 5;
    for (uint32_t i = 0; i < n; i++) piece[i] = (int16_t)values[i];
    const rs_fixed_layout_t wide = {.format = RS_FIXED_INT64}, narrow = {.format = RS_FIXED_INT16};
    rs_fixed_layout_t how = small ? narrow : wide;
    how.count = n - 3 - cut;
    CHECK_OK(rs_lean_put(b->lean, small ? (void *)(piece + cut) : (void *)(values + cut), &how, cut, packing));
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, !packing),
                 packing && b->lean->plain_root == 0 ? RS_ERR_BATCHING : RS_ERR_SEQUENCE);
    how = wide;
    how.count = cut;
    CHECK_OK(rs_lean_put(b->lean, values, &how, 0, packing));
    const rs_lean_public_key_t key = {read_key, f};
    fixture_seed(f, seed);
    file_again(&b->ours);
    REQUIRE_OK(encrypt(b, kind, &key, &b->ours.sink, &f->rng));
    REQUIRE(b->ours.memory.bytes == b->theirs.memory.bytes);
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
    CHECK(is_wiped(b));
    // back: slots if t has them; more limbs than one in BFV, where rounding is sure to leave room
    if (packing && b->lean->plain_root) return;
    const double moves = (double)t * (n + 1) / 2 / (double)f->params.moduli[0];
    how.count = n;
    values[n - 3] = values[n - 2] = values[n - 1] = 0;
    const int decrypts = limbs == 1 || (f->params.scheme == RS_SCHEME_BFV && moves <= 0.375);
    CHECK_STATUS(lean_decrypt(b, &b->ours), decrypts ? RS_OK : RS_ERR_LEVEL);
    if (!decrypts) return;
    CHECK_OK(rs_lean_decode(b->lean, got, &how));
    CHECK_EQ_MEM(got, values, n * sizeof *got);
    CHECK(is_wiped(b));
}

RS_TEST(files_of_integers_are_the_librarys) {
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        for (unsigned i = 0; i < EXACT_COUNT; i++) {
            both_t *b = both_of(&SETS[EXACT[i].set], scheme, EXACT[i].t);
            CHECK_EQ_U64(b->lean->plain_root != 0, !EXACT[i].packing);
            for (uint32_t kind = 0; kind < 3; kind++) compare_integers(b, kind, EXACT[i].packing, (uint8_t)(i + kind));
            if (!EXACT[i].packing) compare_integers(b, RS_ENCRYPT_SK, 1, (uint8_t)i);
        }
    }
}

// A server's answers at one limb, not seeded, with a correction factor; BFV in NTT form, too.
RS_TEST(integers_from_a_server) {
    for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme += 2) {
        both_t *b = both_of(&SETS[SMALL], scheme, 12289);
        fixture_t *f = &b->f;
        const uint32_t n = f->n;
        int64_t *values = (int64_t *)words(n), *got = (int64_t *)words(n);
        for (uint32_t i = 0; i < n; i++) values[i] = (int64_t)(i * i % 12289) - 6144;
        for (uint32_t ntt = 0; ntt < (scheme == RS_SCHEME_BFV ? 2u : 1u); ntt++) {
            rs_ciphertext_t ct = {.data = words(2 * (size_t)n)};
            rs_encrypt_item_t item = {.values = values, .count = n, .ciphertext = &ct};
            REQUIRE_OK(FIXTURE_ENCRYPT(f, item, .kind = RS_ENCRYPT_PK, .ntt = ntt));
            const uint64_t factor = scheme == RS_SCHEME_BGV ? 777 : 1;
            ct.correction_factor = factor;
            b->format.version = 0x403;
            file_again(&b->theirs);
            CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
            rs_fixed_layout_t how = {.format = RS_FIXED_INT64, .count = n};
            CHECK_OK(lean_decrypt(b, &b->theirs));
            CHECK_OK(rs_lean_decode(b->lean, got, &how));
            for (uint32_t i = 0; i < n; i++)
                CHECK_EQ_U64((uint64_t)((got[i] + 12289) * (int64_t)factor % 12289), (uint64_t)(values[i] + 12289) % 12289);
            // a format that does not hold the values
            how.format = RS_FIXED_INT8;
            CHECK_OK(lean_decrypt(b, &b->theirs));
            CHECK_STATUS(rs_lean_decode(b->lean, got, &how), RS_ERR_VALUE_RANGE);
            CHECK(is_zero(got, n));
        }
    }
}

// Adds to c0 what moves every message by num/den of its step, with the sign of random bits: the number is (num q - r) / (den t).
static void add_noise(const both_t *b, rs_ciphertext_t *ct, uint64_t num, uint64_t den, uint64_t *random) {
    const fixture_t *f = &b->f;
    const uint64_t dt = den * f->params.plain_modulus;
    uint64_t r = num;
    for (uint32_t i = 0; i < ct->limb_count; i++) r = r * (f->params.moduli[i] % dt) % dt;
    const uint64_t signs = rs_test_random(random);
    for (uint32_t i = 0; i < ct->limb_count; i++) {
        const rs_modulus_t *m = &rs_context_plan(f->context, i)->modulus;
        const uint64_t e = rs_mul_mod(m->q - rs_reduce(r, m), rs_inverse_mod(rs_reduce(dt, m), m), m);
        uint64_t *c0 = ct->data + (size_t)i * f->n;
        for (uint32_t k = 0; k < f->n; k++) c0[k] = signs >> k % 64 & 1 ? rs_sub_mod(c0[k], e, m->q) : rs_add_mod(c0[k], e, m->q);
    }
}

// Noise up to what rounding certainly leaves of a half, and as far beyond the half, where both take the next message.
static void compare_answers(const set_t *set, uint64_t t, uint64_t most) {
    enum { DEN = 64 };
    both_t *b = both_of(set, RS_SCHEME_BFV, t);
    fixture_t *f = &b->f;
    const uint32_t n = f->n, packing = b->lean->plain_root == 0;
    int64_t *values = (int64_t *)words(n), *got = (int64_t *)words(n), *wanted = (int64_t *)words(n);
    const rs_layout_t layout = {.packing = packing};
    const rs_fixed_layout_t how = {.format = RS_FIXED_INT64, .count = n};
    uint64_t random = n + t;
    for (uint32_t i = 0; i < n; i++) values[i] = (int64_t)(rs_test_random(&random) % t) - (int64_t)(t / 2);
    for (uint32_t limbs = 1; limbs <= f->data_limbs; limbs++) {
        const uint64_t NOISE[] = {0, 1, most - 1, DEN - most + 1, DEN};
        for (unsigned k = 0; k < sizeof NOISE / sizeof NOISE[0]; k++) {
            rs_ciphertext_t ct = {.data = words(2 * (size_t)limbs * n)};
            rs_encrypt_item_t item = {.values = values, .layout = &layout, .count = n, .ciphertext = &ct, .limb_count = limbs};
            REQUIRE_OK(FIXTURE_ENCRYPT(f, item, .kind = RS_ENCRYPT_PK));
            add_noise(b, &ct, NOISE[k], DEN, &random);
            rs_decrypt_item_t result = {.ciphertext = &ct, .values = wanted, .layout = &layout, .count = n};
            REQUIRE_OK(FIXTURE_DECRYPT(f, result, .margin_bits = 30));
            CHECK_EQ_U64(memcmp(wanted, values, n * sizeof *values) == 0, NOISE[k] < DEN / 2);
            file_again(&b->theirs);
            CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
            CHECK_OK(lean_decrypt(b, &b->theirs));
            CHECK_OK(rs_lean_decode(b->lean, got, &how));
            CHECK_EQ_MEM(got, wanted, n * sizeof *got);
        }
    }
}

RS_TEST(answers_of_any_level) {
    compare_answers(&SETS[2], 2, 31); // the rest of 64, less 64 t (1 + N) / (2 q_0)
    compare_answers(&SETS[2], 91, 8); // nearly as much as may be: q_0 has 18 bits
    compare_answers(&SETS[EMBEDDED], 65537, 24);
    compare_answers(&SETS[5], 65537, 15);
    compare_answers(&SETS[6], 40961, 11);
}

// c0 = x or x - 1, c1 = 0: x q_0 / q is 1 / (2 q_1) above a number and a half, whose upper neighbour is the first that rounds to message 1.
RS_TEST(answers_are_rounded_exactly) {
    both_t *b = both_of(&SETS[2], RS_SCHEME_BFV, 91);
    fixture_t *f = &b->f;
    const uint64_t *q = f->params.moduli, least = (q[0] + 2 * 91 - 1) / (2 * 91), x = ((2 * least - 1) * q[1] + 1) / 2;
    rs_ciphertext_t ct = {.data = words(4 * (size_t)f->n)};
    int64_t *values = (int64_t *)words(f->n);
    const rs_layout_t layout = {.packing = 1};
    const rs_fixed_layout_t how = {.format = RS_FIXED_INT64, .count = f->n};
    rs_encrypt_item_t item = {.values = values, .layout = &layout, .count = f->n, .ciphertext = &ct};
    REQUIRE_OK(FIXTURE_ENCRYPT(f, item, .kind = RS_ENCRYPT_PK));
    memset(ct.data, 0, 32 * (size_t)f->n);
    for (uint32_t i = 0; i < 2 * f->n; i++) ct.data[i] = (x - (i & 1)) % q[i / f->n];
    CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
    CHECK_OK(lean_decrypt(b, &b->theirs));
    CHECK_OK(rs_lean_decode(b->lean, values, &how));
    for (uint32_t i = 0; i < f->n; i++) CHECK_EQ_U64((uint64_t)values[i], !(i & 1));
    both_t *tight = both_of(&SETS[2], RS_SCHEME_BFV, 95); // 91 was nearly too much
    const rs_fixed_layout_t none = {.format = RS_FIXED_INT64};
    CHECK_OK(rs_lean_put(tight->lean, NULL, &none, 0, 1));
    CHECK_OK(encrypt(tight, RS_ENCRYPT_SK, NULL, &tight->ours.sink, &tight->f.rng));
    CHECK_STATUS(lean_decrypt(tight, &tight->ours), RS_ERR_LEVEL);
}

RS_TEST(answers_that_are_refused) {
    both_t *b = both_of(&SETS[EMBEDDED], RS_SCHEME_BFV, 65537);
    fixture_t *f = &b->f;
    const uint32_t n = f->n;
    int64_t *values = (int64_t *)words(n);
    rs_ciphertext_t ct = {.data = words(6 * (size_t)n)};
    rs_encrypt_item_t item = {.values = values, .count = n, .ciphertext = &ct};
    for (unsigned k = 0; k < 3; k++) { // a seed for BLAKE2Xb; NTT form; a residue of the last limb
        const rs_seed_type_t type = k ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB;
        REQUIRE_OK(FIXTURE_ENCRYPT(f, item, .seed_type = type, .seeded = k < 2, .ntt = k == 1));
        file_again(&b->theirs);
        CHECK_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
        const size_t bytes = b->theirs.memory.bytes;
        if (k == 2) {
            CHECK_OK(lean_decrypt_bytes(b, b->theirs.bytes, bytes));
            CHECK_STATUS(lean_decrypt_bytes(b, b->theirs.bytes, bytes - 1), RS_ERR_TRUNCATED);
            CHECK(is_wiped(b));
            b->theirs.bytes[bytes - 5] = 0x80;
        }
        CHECK_STATUS(lean_decrypt_bytes(b, b->theirs.bytes, bytes), k == 0   ? RS_ERR_SEEDED
                                                                    : k == 1 ? RS_ERR_LEVEL
                                                                             : RS_ERR_RESIDUE);
        CHECK(is_wiped(b));
    }
}

RS_TEST(integers_that_are_refused) {
    both_t *b = both_of(&SETS[EMBEDDED], RS_SCHEME_BFV, 65537), *ckks = both(&SETS[SMALL]);
    int64_t values[4] = {0, 1, 32769, 3};
    rs_fixed_layout_t how = {.format = RS_FIXED_INT64, .count = 4};
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, 0), RS_ERR_VALUE_RANGE);
    CHECK(is_wiped(b));
    values[2] = INT64_MIN;
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, 0), RS_ERR_VALUE_RANGE);
    values[2] = -32768;
    CHECK_OK(rs_lean_put(b->lean, values, &how, b->f.n - 4, 0));
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, b->f.n - 3, 0), RS_ERR_VALUE_COUNT);
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, UINT32_MAX, 0), RS_ERR_VALUE_COUNT);
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, 2), RS_ERR_OPTION);
    CHECK_STATUS(rs_lean_put(ckks->lean, values, &how, 0, 0), RS_ERR_SCHEME);
    CHECK_STATUS(rs_lean_encode(b->lean, b->values, &b->layout, 4096, 1), RS_ERR_SCHEME);
    how.format = RS_FIXED_BINARY64;
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, 0), RS_ERR_LAYOUT);
    how = (rs_fixed_layout_t){.format = RS_FIXED_INT64, .count = 4, .exponent = 1};
    CHECK_STATUS(rs_lean_put(b->lean, values, &how, 0, 0), RS_ERR_LAYOUT);
    rs_params_t params = b->f.params;
    params.plain_modulus = (uint64_t)1 << 26;
    CHECK_EQ_U64(rs_lean_size(&params), 0);
}

RS_TEST(many_seeds_give_the_librarys_files) {
    both_t *b = both(&SETS[SMALL]);
    for (unsigned seed = 0; seed < 100; seed++) {
        b->lean->hash = TABLES[seed % 2];
        compare_files(b, RS_ENCRYPT_SK, 1, (uint8_t)seed);
        compare_files(b, RS_ENCRYPT_PK, 1, (uint8_t)seed);
    }
}

RS_TEST(every_version_and_format_of_numbers) {
    both_t *b = both(&SETS[SMALL]);
    static const uint32_t VERSIONS[] = {0, 0x306, 0x307, 0x400, 0x404};
    for (unsigned i = 0; i < sizeof VERSIONS / sizeof VERSIONS[0]; i++) {
        b->format.version = VERSIONS[i];
        compare_files(b, RS_ENCRYPT_SK, 1, 7);
    }
    static const rs_fixed_layout_t LAYOUTS[] = {
        {RS_FIXED_INT8, 0, 100, -7, 1}, {RS_FIXED_INT8, 1, 512, -8, 2},  {RS_FIXED_UINT16, 0, 512, -16, 1},
        {RS_FIXED_INT16, 0, 0, -15, 1}, {RS_FIXED_INT32, 0, 77, -31, 1},
    };
    for (unsigned i = 0; i < sizeof LAYOUTS / sizeof LAYOUTS[0]; i++) {
        b->layout = LAYOUTS[i];
        compare_files(b, RS_ENCRYPT_SK, 1, 7);
    }
}

RS_TEST(keys_are_the_librarys) {
    for (unsigned i = 0; i < SET_COUNT; i++) {
        both_t *b = both(&SETS[i]);
        uint8_t *key = (uint8_t *)words(b->f.n / 32);
        fixture_seed(&b->f, 1); // that of the fixture's key
        CHECK_OK(rs_lean_keygen(b->lean, (rs_bytes_t){key, b->f.n / 4}, &b->f.rng));
        CHECK_EQ_MEM(key, b->key, b->f.n / 4);
        CHECK(is_wiped(b));
        CHECK_OK(rs_wire_write_secret_key(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_SECRET_KEY, .context = b->f.context,
                                                     .sink = &b->theirs.sink, .secret_key = &b->f.secret)));
        CHECK_OK(rs_lean_write_secret_key(b->lean, (rs_view_t){key, b->f.n / 4}, &b->ours.sink, NULL));
        REQUIRE(b->ours.memory.bytes == b->theirs.memory.bytes);
        CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
        CHECK(is_wiped(b));
    }
}

RS_TEST(public_key_from_a_file) {
    both_t *b = both(&SETS[EMBEDDED]);
    lean_file_t pk;
    file_init(&pk);
    rs_lean_public_key_t key;
    rs_lean_key_file_t state;
    REQUIRE_OK(write_as(b, RS_WIRE_PUBLIC_KEY, &pk.sink, &b->f.public_key));
    REQUIRE_OK(rs_lean_public_key_file(&key, &state, b->lean, (rs_view_t){pk.bytes, pk.memory.bytes}));
    REQUIRE_OK(reference(b, RS_ENCRYPT_PK, 3, 9));
    REQUIRE_OK(rs_lean_encode(b->lean, b->values, &b->layout, b->scale, 3));
    fixture_seed(&b->f, 9);
    REQUIRE_OK(encrypt(b, RS_ENCRYPT_PK, &key, &b->ours.sink, &b->f.rng));
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
    // what is not such a file
    CHECK_STATUS(rs_lean_public_key_file(&key, &state, b->lean, (rs_view_t){pk.bytes, pk.memory.bytes - 1}), RS_ERR_TRUNCATED);
    CHECK_STATUS(rs_lean_public_key_file(&key, &state, b->lean, (rs_view_t){pk.bytes + 1, pk.memory.bytes - 1}), RS_ERR_MAGIC);
    CHECK_STATUS(rs_lean_public_key_file(&key, &state, b->lean, (rs_view_t){b->ours.bytes, b->ours.memory.bytes}), RS_ERR_MISMATCH);
    pk.bytes[5] = RS_COMPRESSION_ZLIB;
    CHECK_STATUS(rs_lean_public_key_file(&key, &state, b->lean, (rs_view_t){pk.bytes, pk.memory.bytes}), RS_ERR_COMPRESSION);
    pk.bytes[5] = 0;
    pk.bytes[pk.memory.bytes - 1] = 1; // a residue too large
    REQUIRE_OK(rs_lean_encode(b->lean, b->values, &b->layout, b->scale, 1));
    CHECK_OK(encrypt(b, RS_ENCRYPT_PK, &key, &b->ours.sink, &b->f.rng)); // not read
    pk.bytes[pk.memory.bytes - 8 * 4096 * 3 - 1] = 1; // in limb 0 of a
    file_again(&b->ours);
    REQUIRE_OK(rs_lean_encode(b->lean, b->values, &b->layout, b->scale, 1));
    CHECK_STATUS(encrypt(b, RS_ENCRYPT_PK, &key, &b->ours.sink, &b->f.rng), RS_ERR_RESIDUE);
    CHECK(is_wiped(b));
}

// ---- switching keys ----------------------------------------------------------------------------------------------------
static const uint8_t MASTER[RS_SEED_BYTES] = {77, 1, 2, 3};

// The library's file, row by row from seeds of the rule.
static void reference_keys(both_t *b, const uint32_t *elements, uint32_t count) {
    fixture_t *f = &b->f;
    const uint32_t rows = f->data_limbs, galois = elements[0] != 0, limbs = f->params.limb_count;
    rs_switch_row_t row = {.digit_primes = 1, .special_count = 1, .seed_type = RS_SEED_SHAKE256};
    rs_ciphertext_t key = {.data = words((size_t)limbs * f->n)};
    rs_wire_writer_t writer;
    rs_seed_t master, seed;
    memcpy(master.bytes, MASTER, sizeof MASTER);
    memcpy(row.bound, rs_context_parms_id(f->context, limbs), RS_PARMS_ID_BYTES);
    rs_shake256(row.bound + RS_PARMS_ID_BYTES, RS_SEED_BYTES, b->key, f->n / 4);
    file_again(&b->theirs);
    REQUIRE_OK(
        rs_wire_writer_open(&writer, RS_REQUEST(rs_wire_write_request_t, .kind = galois ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS,
                                                .context = f->context, .sink = &b->theirs.sink, .format = b->format,
                                                .entries = galois ? f->n : 1, .components = (uint64_t)count * rows, .seeded = 1)));
    for (uint32_t entry = 0, next = 0; entry < (galois ? f->n : 1); entry++) {
        const int filled = !galois || (next < count && elements[next] == 2 * entry + 1);
        CHECK_OK(rs_wire_writer_entry(&writer, filled ? rows : 0));
        row.element = filled ? elements[next++] : 0;
        for (row.index = 0; filled && row.index < rows; row.index++) {
            CHECK_OK(rs_switch_seed(&seed, &master, 0, &row));
            CHECK_OK(rs_rng_deterministic(&f->rng, &f->rng_state, &seed, "insecure-deterministic"));
            CHECK_OK(rs_keygen(RS_REQUEST(rs_keygen_request_t, .kind = RS_KEY_SWITCH, .element = row.element, .index = row.index,
                                          .seeded = 1, .context = f->context, .secret_key = &f->secret, .key = &key, .rng = &f->rng,
                                          .workspace = fixture_room(f))));
            CHECK_OK(rs_wire_writer_component(&writer, &key));
        }
    }
    REQUIRE_OK(rs_wire_writer_close(&writer, NULL));
}

static rs_lean_keys_request_t keys_request(const both_t *b, const uint32_t *elements, uint32_t count) {
    return (rs_lean_keys_request_t){.size = sizeof(rs_lean_keys_request_t),
                                    .count = count,
                                    .elements = elements,
                                    .secret_key = key_of(b),
                                    .master = {MASTER, sizeof MASTER},
                                    .sink = &b->ours.sink,
                                    .format = &b->format};
}

// In small memory, or in that of a client for all.
static rs_lean_t *keys_client(const both_t *b, int small) {
    rs_lean_t *lean = b->lean;
    const size_t size = RS_LEAN_KEYS_BYTES(b->f.params.log_n);
    if (small) CHECK_OK(rs_lean_init(&lean, (rs_memory_t){words(size / 8 + 1), size}, &b->f.params, RS_SECURITY_UNCHECKED));
    return lean;
}

static int keys_are_wiped(const rs_lean_t *lean) {
    return is_zero(lean->x, (size_t)(lean->low - lean->x) * 4) && is_zero(lean->keccak, sizeof lean->keccak);
}

static void compare_keys(both_t *b, const uint32_t *elements, uint32_t count) {
    reference_keys(b, elements, count);
    for (int small = 0; small < 2; small++) {
        rs_lean_t *lean = keys_client(b, small);
        const rs_lean_keys_request_t request = keys_request(b, elements, count);
        file_again(&b->ours);
        REQUIRE_OK(rs_lean_write_switch_keys(lean, &request));
        REQUIRE(b->ours.memory.bytes == b->theirs.memory.bytes);
        CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
        CHECK(keys_are_wiped(lean));
    }
}

RS_TEST(switch_keys_are_the_librarys) {
    for (unsigned i = 1; i < SET_COUNT; i++) {
        if (i == 4) continue; // whose special prime is too small
        for (uint32_t scheme = RS_SCHEME_BFV; scheme <= RS_SCHEME_BGV; scheme++) {
            if (SETS[i].n > 4096 && scheme != RS_SCHEME_CKKS) continue;
            both_t *b = both_of(&SETS[i], scheme, scheme == RS_SCHEME_CKKS ? 0 : 257);
            const uint32_t n = b->f.n, NONE = 0, elements[] = {3, 5, n + 1, 2 * n - 1}, identity = 1;
            b->format.version = i & 1 ? 0x404 : 0;
            compare_keys(b, &NONE, 1);
            compare_keys(b, elements + (n > 4096 ? 2 : 0), n > 4096 ? 1 : 4);
            if (n < 4096) compare_keys(b, &identity, 1);
        }
    }
}

// What a client for keys alone can do, and what not.
RS_TEST(a_client_for_keys) {
    both_t *b = both(&SETS[6]);
    rs_lean_t *lean = keys_client(b, 1), *whole = b->lean;
    uint8_t *key = (uint8_t *)words(b->f.n / 32);
    fixture_seed(&b->f, 1);
    CHECK_OK(rs_lean_keygen(lean, (rs_bytes_t){key, b->f.n / 4}, &b->f.rng));
    CHECK_EQ_MEM(key, b->key, b->f.n / 4);
    CHECK_OK(rs_lean_write_secret_key(lean, key_of(b), &b->ours.sink, NULL));
    CHECK_OK(rs_lean_write_secret_key(whole, key_of(b), &b->theirs.sink, NULL));
    CHECK_EQ_U64(b->ours.memory.bytes, b->theirs.memory.bytes);
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
    CHECK(keys_are_wiped(lean));
    const rs_fixed_layout_t none = {.format = RS_FIXED_INT64};
    b->lean = lean;
    CHECK_STATUS(rs_lean_encode(lean, b->values, &b->layout, b->scale, 1), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_lean_put(lean, NULL, &none, 0, 1), RS_ERR_TOO_SMALL);
    CHECK_STATUS(lean_decrypt(b, &b->theirs), RS_ERR_TOO_SMALL);
    CHECK_STATUS(encrypt(b, RS_ENCRYPT_SK, NULL, &b->ours.sink, &b->f.rng), RS_ERR_SEQUENCE);
    rs_lean_wipe(lean);
    CHECK(is_zero(lean, RS_LEAN_KEYS_BYTES(14)));
}

static void check_range(both_t *b, rs_lean_t *lean, rs_lean_keys_request_t *request, uint64_t first, uint64_t bytes) {
    const uint64_t total = b->theirs.memory.bytes, wanted = bytes ? bytes : total - first;
    request->first = first;
    request->bytes = bytes;
    file_again(&b->ours);
    REQUIRE_OK(rs_lean_write_switch_keys(lean, request));
    REQUIRE(b->ours.memory.bytes == wanted);
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes + first, wanted);
}

RS_TEST(any_range_of_switch_keys) {
    both_t *b = both(&SETS[2]);
    const uint32_t elements[] = {5, 11};
    rs_lean_t *lean = keys_client(b, 1);
    rs_lean_keys_request_t request = keys_request(b, elements, 2);
    uint64_t random = 5;
    reference_keys(b, elements, 2);
    const uint64_t total = b->theirs.memory.bytes, row = 105 + 81 + 8 * 3 * 2048, begin = 16 + 40 + 3 * 8;
    for (uint64_t part = 0; part < total;) { // as a link that breaks leaves it
        const uint64_t bytes = 1 + rs_test_random(&random) % 30000;
        check_range(b, lean, &request, part, part + bytes < total ? bytes : 0);
        part += bytes;
    }
    const uint64_t EDGES[] = {
        0, 16, 56, begin, begin + 105, begin + 105 + 8 * 2048, begin + row - 81, begin + row, begin + 2 * row};
    for (unsigned i = 0; i < sizeof EDGES / sizeof EDGES[0]; i++) {
        for (uint64_t at = EDGES[i] ? EDGES[i] - 1 : 0; at <= EDGES[i] + 1; at++) {
            for (uint64_t bytes = 1; bytes < 200; bytes += 80 + at % 2) check_range(b, lean, &request, at, bytes);
        }
    }
    check_range(b, lean, &request, 0, total);
    check_range(b, lean, &request, total - 1, 1);
    CHECK(keys_are_wiped(lean));
    CHECK_STATUS((request.first = total, rs_lean_write_switch_keys(lean, &request)), RS_ERR_LENGTH);
    CHECK_STATUS((request.first = UINT64_MAX, rs_lean_write_switch_keys(lean, &request)), RS_ERR_LENGTH);
    CHECK_STATUS((request.first = 2, request.bytes = total - 1, rs_lean_write_switch_keys(lean, &request)), RS_ERR_LENGTH);
    CHECK_STATUS((request.bytes = UINT64_MAX, rs_lean_write_switch_keys(lean, &request)), RS_ERR_LENGTH);
}

// Fresh masters: nothing in common; the same as from a master that is given.
RS_TEST(switch_keys_of_an_rng) {
    both_t *b = both(&SETS[1]);
    const uint32_t element = 3;
    rs_lean_keys_request_t request = keys_request(b, &element, 1);
    uint8_t master[RS_SEED_BYTES];
    request.master = (rs_view_t){NULL, 0};
    request.rng = &b->f.rng;
    fixture_seed(&b->f, 8);
    REQUIRE_OK(rs_lean_write_switch_keys(b->lean, &request));
    request.sink = &b->theirs.sink;
    REQUIRE_OK(rs_lean_write_switch_keys(b->lean, &request));
    REQUIRE(b->ours.memory.bytes == b->theirs.memory.bytes);
    CHECK(memcmp(b->ours.bytes + 300, b->theirs.bytes + 300, 64) != 0); // in its words
    fixture_seed(&b->f, 8);
    CHECK_OK(b->f.rng.fill(b->f.rng.state, master, sizeof master));
    request.rng = NULL;
    request.master = (rs_view_t){master, sizeof master};
    file_again(&b->theirs);
    REQUIRE_OK(rs_lean_write_switch_keys(b->lean, &request));
    CHECK_EQ_MEM(b->ours.bytes, b->theirs.bytes, b->ours.memory.bytes);
}

static rs_status_t fill_never(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, 1, bytes);
    return RS_ERR_RNG;
}

RS_TEST(switch_keys_that_are_refused) {
    both_t *b = both(&SETS[2]), *one = both(&SETS[0]), *low = both(&SETS[4]);
    const uint32_t n = b->f.n, good[] = {3, 5}, OLD = 0;
    const struct {
        rs_status_t status;
        uint32_t count, elements[2];
    } CASES[] = {
        {RS_ERR_GALOIS, 0, {3, 5}}, {RS_ERR_GALOIS, 1, {2}},         {RS_ERR_GALOIS, 2, {0, 3}}, {RS_ERR_GALOIS, 2, {5, 3}},
        {RS_ERR_GALOIS, 2, {3, 3}}, {RS_ERR_GALOIS, 1, {2 * n + 1}}, {RS_ERR_GALOIS, 2, {0, 0}}, {RS_ERR_GALOIS, 1, {UINT32_MAX}},
    };
    rs_lean_keys_request_t request;
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        request = keys_request(b, CASES[i].elements, CASES[i].count);
        CHECK_STATUS(rs_lean_write_switch_keys(b->lean, &request), CASES[i].status);
    }
    request = keys_request(one, &OLD, 1);
    CHECK_STATUS(rs_lean_write_switch_keys(one->lean, &request), RS_ERR_NO_SPECIAL);
    request = keys_request(low, &OLD, 1);
    CHECK_STATUS(rs_lean_write_switch_keys(low->lean, &request), RS_ERR_NO_SPECIAL);
#define REFUSED(wanted, ...)                                                \
    do {                                                                    \
        request = keys_request(b, good, 2);                                 \
        __VA_ARGS__;                                                        \
        CHECK_STATUS(rs_lean_write_switch_keys(b->lean, &request), wanted); \
    } while (0)
    const rs_wire_format_t compressed = {.compression = RS_COMPRESSION_ZLIB}, old = {.version = 0x305};
    rs_rng_t never = {fill_never, NULL};
    rs_sink_t nowhere = {NULL, NULL, NULL};
    REFUSED(RS_ERR_STRUCT, request.size = 8);
    REFUSED(RS_ERR_NULL, request.elements = NULL);
    REFUSED(RS_ERR_NULL, request.sink = NULL);
    REFUSED(RS_ERR_NULL, request.sink = &nowhere);
    REFUSED(RS_ERR_NULL, request.secret_key.p = NULL);
    REFUSED(RS_ERR_BYTES, request.secret_key.n--);
    REFUSED(RS_ERR_BYTES, request.master.n--);
    REFUSED(RS_ERR_NULL, request.master = ((rs_view_t){NULL, 0}));
    REFUSED(RS_ERR_OPTION, request.rng = &b->f.rng);
    REFUSED(RS_ERR_OPTION, request.master = ((rs_view_t){NULL, 0}), request.rng = &b->f.rng, request.first = 1);
    REFUSED(RS_ERR_RNG, request.master = ((rs_view_t){NULL, 0}), request.rng = &never);
    REFUSED(RS_ERR_COMPRESSION, request.format = &compressed);
    REFUSED(RS_ERR_VERSION, request.format = &old);
    CHECK_STATUS(rs_lean_write_switch_keys(NULL, &request), RS_ERR_NULL);
    CHECK_STATUS(rs_lean_write_switch_keys(b->lean, NULL), RS_ERR_NULL);
    b->key[7] = 0xff;
    REFUSED(RS_ERR_SECRET_KEY, (void)0);
    CHECK_EQ_U64(b->ours.memory.bytes, 0); // not a byte was written
    CHECK(is_wiped(b));
}

// ---- decryption --------------------------------------------------------------------------------------------------------
static void compare_decryption(both_t *b, rs_encryption_t kind, rs_seed_type_t type, uint32_t limbs) {
    fixture_t *f = &b->f;
    rs_plaintext_t message = {.ntt = words((size_t)limbs * f->n)}, result = {.ntt = words(f->n)};
    rs_ciphertext_t ct = {.data = words(2 * (size_t)limbs * f->n), .seeded = kind == RS_ENCRYPT_SK, .seed_type = type};
    int16_t *ours = rs_test_own(malloc(f->n)), *theirs = rs_test_own(malloc(f->n));
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, f->n / 2, -8, 7};
    REQUIRE_OK(encode_fixed(f->context, b->fixed, &message, b->values, &b->layout, b->scale, limbs));
    REQUIRE_OK(fixture_encrypt(f, kind, &message, &ct));
    file_again(&b->theirs);
    REQUIRE_OK(write_as(b, RS_WIRE_CIPHERTEXT, &b->theirs.sink, &ct));
    REQUIRE_OK(fixture_decrypt(f, &ct, 1, &result));
    const rs_status_t status = decode_fixed(f->context, b->fixed, &result, theirs, &layout);
    REQUIRE_OK(lean_decrypt(b, &b->theirs));
    CHECK_STATUS(rs_lean_decode(b->lean, ours, &layout), status);
    CHECK_EQ_MEM(ours, theirs, f->n);
    CHECK(is_wiped(b));
    CHECK_STATUS(rs_lean_decode(b->lean, ours, &layout), RS_ERR_SEQUENCE);
}

RS_TEST(decryption_is_the_librarys) {
    for (unsigned i = 0; i < SET_COUNT; i++) {
        both_t *b = both(&SETS[i]);
        for (uint32_t limbs = 1; limbs <= b->f.data_limbs; limbs++) {
            b->scale = limbs & 1 ? 65536 : 54321.5;
            if (i == 2 || i == 4) b->scale = limbs & 1 ? 4096 : 3333.25;
            compare_decryption(b, RS_ENCRYPT_SK, limbs & 1 ? RS_SEED_SHAKE256 : RS_SEED_BLAKE2XB, limbs);
            compare_decryption(b, RS_ENCRYPT_PK, RS_SEED_SHAKE256, limbs);
        }
    }
}

RS_TEST(damaged_ciphertexts_are_refused) {
    both_t *b = both(&SETS[EMBEDDED]);
    uint64_t random = 3;
    REQUIRE_OK(reference(b, RS_ENCRYPT_SK, 3, 1));
    const size_t bytes = b->theirs.memory.bytes;
    uint8_t *copy = rs_test_own(malloc(bytes));
    for (unsigned i = 0; i < 200; i++) {
        memcpy(copy, b->theirs.bytes, bytes);
        const size_t at = i < 150 ? i : rs_test_random(&random) % bytes;
        copy[at] ^= (uint8_t)(1 << i % 8);
        const rs_status_t status = lean_decrypt_bytes(b, copy, bytes);
        CHECK(strcmp(rs_status_name(status), "RS_ERR_UNKNOWN") != 0);
        CHECK(status == RS_OK || is_wiped(b));
        if (at < 16 && at != 4 && at != 5) CHECK(status != RS_OK);
    }
    for (size_t length = 0; length < bytes; length += 1 + length / 3) {
        CHECK(lean_decrypt_bytes(b, b->theirs.bytes, length) != RS_OK);
        CHECK(is_wiped(b));
    }
    CHECK_OK(lean_decrypt_bytes(b, b->theirs.bytes, bytes));
}

// ---- rejection -----------------------------------------------------------------------------------------------------------
// Words that have to be replaced occur once in 2^34; here a quarter of them is (--wrap in CMakeLists.txt).
static int rejecting;
uint64_t __real_rs_lean_limit(uint32_t q);
uint64_t __wrap_rs_lean_limit(uint32_t q);
uint64_t __wrap_rs_lean_limit(uint32_t q) { return rejecting ? (uint64_t)3 << 62 : __real_rs_lean_limit(q); }

RS_TEST(rejected_words_are_replaced_in_order) {
    enum { BLOCK_WORDS = RS_SEED_BLOCK_BYTES / 8 };
    both_t *b = both(&SETS[1]);
    const uint32_t limbs = 3, count = limbs * b->f.n;
    const rs_seed_t seed = {{SEED}};
    uint64_t *stream = words(2 * count);
    for (uint32_t k = 0; k < 2 * count / BLOCK_WORDS; k++) {
        CHECK_OK(rs_seed_block((uint8_t *)(stream + k * BLOCK_WORDS), RS_SEED_SHAKE256, &seed, k));
    }
    rs_lean_uniform_t u;
    rs_lean_uniform_start(b->lean, &u, &seed, limbs);
    rejecting = 1;
    u.limit = __wrap_rs_lean_limit(3);
    uint32_t spare = count, replaced = 0;
    for (uint32_t i = 0; i < count;) {
        rs_lean_uniform_next(b->lean, &u);
        for (uint32_t k = 0; k < u.count; k++, i++) {
            uint64_t want = stream[i];
            if (want >= u.limit) replaced++;
            while (want >= u.limit) want = stream[spare++];
            CHECK_EQ_U64(rs_load64(u.piece + 8 * k), want);
        }
    }
    CHECK(replaced > count / 5);
    // and decryption, which expands by itself, undoes such an encryption
    int16_t *values = rs_test_own(malloc(2 * VALUES_MAX));
    for (unsigned i = 1; i <= EMBEDDED; i += EMBEDDED - 1) {
        both_t *c = both(&SETS[i]);
        c->scale = 65536;
        REQUIRE_OK(lean_file(c, RS_ENCRYPT_SK, 1, 3));
        REQUIRE_OK(reference(c, RS_ENCRYPT_SK, 1, 3));
        CHECK(memcmp(c->ours.bytes, c->theirs.bytes, c->ours.memory.bytes) != 0);
        REQUIRE_OK(lean_decrypt(c, &c->ours));
        c->layout.exponent = -8;
        c->layout.bound = 2;
        REQUIRE_OK(rs_lean_decode(c->lean, values, &c->layout));
        for (uint32_t k = 0; k < c->f.n / 2; k++) CHECK(abs(values[k] - c->values[k] / 128) <= 2);
    }
    // ranges of keys do not depend on where they begin
    both_t *d = both(&SETS[2]);
    const uint32_t element = 3;
    rs_lean_keys_request_t request = keys_request(d, &element, 1);
    request.sink = &d->theirs.sink;
    REQUIRE_OK(rs_lean_write_switch_keys(d->lean, &request));
    request.sink = &d->ours.sink;
    for (uint64_t first = 5000; first < d->theirs.memory.bytes; first += 9001) check_range(d, d->lean, &request, first, 700);
    rejecting = 0;
}

// ---- what is refused -----------------------------------------------------------------------------------------------------
RS_TEST(parameters_that_do_not_fit_are_refused) {
    static const struct {
        set_t set;
        rs_status_t status;
    } CASES[] = {
        {{512, 1, {27}}, RS_ERR_DESIGN_DEGREE},
        {{32768, 2, {30, 30}}, RS_ERR_DESIGN_DEGREE},
        {{4096, 2, {30, 31}}, RS_ERR_DESIGN_MODULUS},
        {{4096, 2, {60, 30}}, RS_ERR_DESIGN_MODULUS},
    };
    uint64_t *memory = words(1 << 17);
    rs_lean_t *lean;
    rs_params_t params;
    for (unsigned i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
        REQUIRE_OK(params_of_bits(&params, CASES[i].set.n, CASES[i].set.bits, CASES[i].set.limb_count));
        CHECK_EQ_U64(rs_lean_size(&params), 0);
        CHECK_EQ_U64(rs_lean_key_bytes(&params), 0);
        CHECK_STATUS(rs_lean_init(&lean, (rs_memory_t){memory, 1 << 20}, &params, RS_SECURITY_UNCHECKED), CASES[i].status);
    }
    REQUIRE_OK(params_of_bits(&params, 4096, SETS[EMBEDDED].bits, 4));
    const size_t size = rs_lean_size(&params);
    CHECK(size >= 3 * 16384 && size < 3 * 16384 + 1024);
    const rs_memory_t little = {memory, RS_LEAN_KEYS_BYTES(12) - 1};
    CHECK_STATUS(rs_lean_init(&lean, little, &params, RS_SECURITY_UNCHECKED), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_lean_init(&lean, (rs_memory_t){(uint8_t *)memory + 4, size}, &params, RS_SECURITY_UNCHECKED), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_lean_init(&lean, (rs_memory_t){memory, size}, &params, 256), RS_ERR_INSECURE);
    CHECK_STATUS(rs_lean_init(NULL, (rs_memory_t){memory, size}, &params, RS_SECURITY_UNCHECKED), RS_ERR_NULL);
    params.moduli[0] += 2;
    CHECK(rs_lean_init(&lean, (rs_memory_t){memory, size}, &params, RS_SECURITY_UNCHECKED) != RS_OK);
    params.moduli[0] -= 2;
    CHECK_OK(rs_lean_init(&lean, (rs_memory_t){memory, size}, &params, RS_SECURITY_UNCHECKED));
    rs_lean_wipe(lean);
    CHECK(is_zero(memory, size));
}

RS_TEST(messages_and_keys_that_do_not_fit_are_refused) {
    both_t *b = both(&SETS[EMBEDDED]);
    rs_lean_t *lean = b->lean;
    const rs_fixed_layout_t *layout = &b->layout;
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 1 << 24, 0), RS_ERR_LEVEL);
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 1 << 24, 4), RS_ERR_LEVEL);
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 0, 3), RS_ERR_SCALE);
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, -1, 3), RS_ERR_SCALE);
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, NAN, 3), RS_ERR_SCALE);
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 1 << 30, 1), RS_ERR_SCALE);
    CHECK_OK(rs_lean_encode(lean, b->values, layout, 1 << 29, 3));
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, (1 << 29) + 1, 3), RS_ERR_SCALE); // times 2^bound: more than 2^30
    b->layout.bound = -1;
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 1 << 24, 3), RS_ERR_VALUE_RANGE);
    CHECK(is_wiped(b));
    b->layout.bound = 1;
    b->layout.count++;
    CHECK_STATUS(rs_lean_encode(lean, b->values, layout, 1 << 24, 3), RS_ERR_VALUE_COUNT);
    b->layout.count = 1;
    b->values[0] = 32767;
    double one = INFINITY;
    b->layout.format = RS_FIXED_BINARY64;
    CHECK_STATUS(rs_lean_encode(lean, &one, layout, 1 << 24, 3), RS_ERR_NOT_FINITE);
    CHECK_STATUS(rs_lean_encode(lean, NULL, layout, 1 << 24, 3), RS_ERR_NULL);

    both_t *c = both(&SETS[4]); // 30, 20 and 17 bits
    for (uint32_t i = 0; i < c->f.n / 2; i++) c->values[i] = 32767;
    c->scale = 400000000;
    CHECK_STATUS(reference(c, RS_ENCRYPT_SK, 1, 1), RS_ERR_OVERFLOW);
    CHECK_STATUS(lean_file(c, RS_ENCRYPT_SK, 1, 1), RS_ERR_OVERFLOW);
    CHECK(is_wiped(c));

    const uint8_t kept = b->key[5];
    b->key[5] = 0x0c;
    both_t *d = b;
    d->layout = (rs_fixed_layout_t){RS_FIXED_INT16, 0, 8, -15, 1};
    CHECK_STATUS(lean_file(d, RS_ENCRYPT_SK, 3, 1), RS_ERR_SECRET_KEY);
    CHECK_STATUS(rs_lean_write_secret_key(lean, key_of(b), &b->ours.sink, &b->format), RS_ERR_SECRET_KEY);
    memset(b->key, 0x55, b->f.n / 4); // the polynomial 0
    CHECK_STATUS(lean_file(d, RS_ENCRYPT_SK, 3, 1), RS_ERR_SECRET_KEY);
    b->key[5] = kept;
    b->f.secret.ntt[3] ^= 1;
    CHECK_STATUS(pack_key(b), RS_ERR_SECRET_KEY);
    CHECK(is_zero(b->key, b->f.n / 4));
}

typedef struct failing {
    size_t calls, fails_at;
    rs_status_t status;
} failing_t;

static rs_status_t fail_later(void *state, const uint8_t *data, size_t bytes) {
    failing_t *f = state;
    (void)data;
    (void)bytes;
    return f->calls++ == f->fails_at ? f->status : RS_OK;
}

RS_TEST(a_failing_sink_ends_the_work_with_its_error) {
    both_t *b = both(&SETS[EMBEDDED]);
    failing_t state = {0, SIZE_MAX, RS_ERR_DISK_FULL};
    const rs_sink_t sink = {fail_later, NULL, &state};
    const rs_lean_public_key_t key = {read_key, &b->f};
    for (unsigned secret = 0; secret < 2; secret++) {
        size_t all = 0;
        for (size_t at = SIZE_MAX;; at = at == SIZE_MAX ? 0 : at < 6 ? at + 1 : at + all / 6) {
            state = (failing_t){0, at, at & 1 ? RS_ERR_IO : RS_ERR_DISK_FULL};
            if (at != SIZE_MAX && at >= all) break;
            REQUIRE_OK(rs_lean_encode(b->lean, b->values, &b->layout, b->scale, 2));
            const rs_status_t status = encrypt(b, secret ? RS_ENCRYPT_SK : RS_ENCRYPT_PK, &key, &sink, &b->f.rng);
            CHECK_STATUS(status, at == SIZE_MAX ? RS_OK : state.status);
            CHECK_EQ_U64(state.calls, at == SIZE_MAX ? state.calls : at + 1); // nothing is written after the error
            if (at == SIZE_MAX) all = state.calls;
            CHECK(is_wiped(b));
            CHECK(b->lean->stage == RS_LEAN_EMPTY);
        }
    }
    both_t *c = both(&SETS[1]);
    const uint32_t element = 5;
    rs_lean_keys_request_t request = keys_request(c, &element, 1);
    request.sink = &sink;
    state = (failing_t){0, SIZE_MAX, RS_ERR_IO};
    REQUIRE_OK(rs_lean_write_switch_keys(c->lean, &request));
    for (size_t at = 0, all = state.calls; at < all; at += 1 + at / 8) {
        state = (failing_t){0, at, at & 1 ? RS_ERR_IO : RS_ERR_DISK_FULL};
        CHECK_STATUS(rs_lean_write_switch_keys(c->lean, &request), state.status);
        CHECK_EQ_U64(state.calls, at + 1);
        CHECK(is_wiped(c));
    }
}

static rs_status_t fail_read(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *out) {
    memset(out, 0, count * sizeof *out);
    (void)state;
    (void)first;
    return poly == 1 && limb == 0 ? RS_ERR_IO : RS_OK;
}

RS_TEST(other_errors_end_the_work_too) {
    both_t *b = both(&SETS[EMBEDDED]);
    rs_rng_t none = {rs_test_no_rng, NULL};
    const rs_lean_public_key_t key = {fail_read, NULL};
    CHECK_STATUS(rs_lean_keygen(b->lean, (rs_bytes_t){b->key, b->f.n / 4}, &none), RS_ERR_RNG);
    CHECK_STATUS(rs_lean_keygen(b->lean, (rs_bytes_t){b->key, b->f.n / 4 + 1}, &none), RS_ERR_BYTES);
    CHECK_STATUS(encode_encrypt(b, 2, RS_ENCRYPT_SK, NULL, &b->ours.sink, &none), RS_ERR_RNG);
    CHECK(is_wiped(b) && b->ours.memory.bytes == 0);
    CHECK_STATUS(encode_encrypt(b, 2, RS_ENCRYPT_PK, &key, &b->ours.sink, &b->f.rng), RS_ERR_IO);
    CHECK(is_wiped(b));
    CHECK_STATUS(encode_encrypt(b, 2, (rs_encryption_t)3, &key, &b->ours.sink, &b->f.rng), RS_ERR_FORM);
    CHECK_STATUS(encode_encrypt(b, 2, RS_ENCRYPT_PK, NULL, &b->ours.sink, &b->f.rng), RS_ERR_NULL);
    // A request that says nothing more is one with the secret key, which it lacks.
    rs_lean_encrypt_request_t request = {.size = sizeof request, .sink = &b->ours.sink, .rng = &b->f.rng};
    CHECK_STATUS(rs_lean_encrypt(b->lean, &request), RS_ERR_NULL);
    request.secret_key = (rs_view_t){b->key, b->f.n / 4 - 1};
    CHECK_STATUS(rs_lean_encrypt(b->lean, &request), RS_ERR_BYTES);
    request.size -= 4;
    CHECK_STATUS(rs_lean_encrypt(b->lean, &request), RS_ERR_STRUCT);
    CHECK(is_wiped(b));
    b->format.compression = RS_COMPRESSION_ZLIB;
    CHECK_STATUS(encode_encrypt(b, 2, RS_ENCRYPT_SK, NULL, &b->ours.sink, &b->f.rng), RS_ERR_COMPRESSION);
    b->format.compression = RS_COMPRESSION_NONE;
    b->format.version = 0x302;
    CHECK_STATUS(encode_encrypt(b, 2, RS_ENCRYPT_SK, NULL, &b->ours.sink, &b->f.rng), RS_ERR_VERSION);
    CHECK(is_wiped(b));
}
