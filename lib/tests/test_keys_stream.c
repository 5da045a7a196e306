// SPDX-License-Identifier: Apache-2.0
// Streamed keys: the bytes of a writer that is given the same seeds, any range of them, sinks that fail, refusals, memory that is wiped.
#include "back_ends.h"
#include "fixture.h"

#include <ringside/golden/sample.h>
#include <ringside/lean.h>
#include <ringside/wire.h>

enum { N = 1024, LIMBS = 3, FILE_MAX = 1 << 19, LEAST = RS_KEYS_STREAM_N_BYTES * N + RS_KEYS_STREAM_MORE_BYTES };

static const uint32_t BITS[LIMBS] = {50, 30, 60};
static const uint32_t ELEMENTS[] = {3, 9, 2 * N - 1};

typedef struct file {
    rs_sink_t sink;
    rs_memory_sink_t state;
    uint8_t *bytes;
} file_t;

static void file_init(file_t *file, size_t capacity) {
    file->bytes = (uint8_t *)words(FILE_MAX / 8);
    rs_sink_to_memory(&file->sink, &file->state, file->bytes, capacity);
}

static rs_keys_stream_request_t request_of(const fixture_t *f, const rs_seed_t *master, int galois, file_t *file, size_t memory) {
    return (rs_keys_stream_request_t){.size = sizeof(rs_keys_stream_request_t),
                                      .kind = galois ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS,
                                      .count = galois ? 3 : 0,
                                      .elements = galois ? ELEMENTS : NULL,
                                      .params = &f->params,
                                      .secret = f->secret.ntt,
                                      .master = master,
                                      .sink = &file->sink,
                                      .memory = {words(memory / 8 + 1), memory}};
}

// The same keys by rs_keygen, each component from the seed that is derived for it.
static void write_directly(fixture_t *f, const rs_seed_t *master, int galois, file_t *file) {
    rs_wire_writer_t writer;
    uint8_t packed[N / 4];
    rs_switch_row_t row = {.digit_primes = 1, .special_count = 1, .seed_type = RS_SEED_SHAKE256};
    memcpy(row.bound, rs_context_parms_id(f->context, LIMBS), RS_PARMS_ID_BYTES);
    CHECK_OK(rs_lean_pack_key(f->context, &f->secret, (rs_bytes_t){packed, sizeof packed}, (rs_memory_t){words(N), 8 * N}));
    rs_shake256(row.bound + RS_PARMS_ID_BYTES, 64, packed, sizeof packed);
    rs_ciphertext_t part = {.data = words((size_t)LIMBS * N)};
    REQUIRE_OK(
        rs_wire_writer_open(&writer, RS_REQUEST(rs_wire_write_request_t, .kind = galois ? RS_WIRE_GALOIS_KEYS : RS_WIRE_RELIN_KEYS,
                                                .context = f->context, .sink = &file->sink, .entries = galois ? N : 1,
                                                .components = (galois ? 3 : 1) * (LIMBS - 1), .seeded = 1)));
    for (uint32_t entry = 0, next = 0; entry < (galois ? N : 1); entry++) {
        const int filled = !galois || (next < 3 && ELEMENTS[next] == 2 * entry + 1);
        CHECK_OK(rs_wire_writer_entry(&writer, filled ? LIMBS - 1 : 0));
        for (uint32_t index = 0; filled && index < LIMBS - 1; index++) {
            rs_seed_t seed;
            const uint32_t element = row.element = galois ? ELEMENTS[next] : 0;
            row.index = index;
            CHECK_OK(rs_switch_seed(&seed, master, 0, &row));
            CHECK_OK(rs_rng_deterministic(&f->rng, &f->rng_state, &seed, "insecure-deterministic"));
            part.seeded = 1;
            part.seed_type = RS_SEED_SHAKE256;
            CHECK_OK(keygen_switch(f->context, &f->secret, element, index, &part, &f->rng, f->workspace, f->workspace_bytes));
            CHECK_OK(rs_wire_writer_component(&writer, &part));
        }
        next += (uint32_t)filled;
    }
    CHECK_OK(rs_wire_writer_close(&writer, NULL));
}

RS_TEST(files_are_those_of_a_writer_in_any_memory) {
    const rs_seed_t master = {{1, 2, 3}};
    EACH (k) {
        fixture_t f;
        fixture_init(&f, N, BITS, LIMBS);
        for (int galois = 0; galois < 2; galois++) {
            file_t wanted, found;
            file_init(&wanted, FILE_MAX);
            write_directly(&f, &master, galois, &wanted);
            for (size_t spare = 0; spare <= 3 * LIMBS + 1; spare++) {
                file_init(&found, FILE_MAX);
                const rs_keys_stream_request_t r = request_of(&f, &master, galois, &found, LEAST + 8 * N * spare);
                CHECK_OK(rs_keys_stream(&r));
                CHECK_EQ_U64(found.state.bytes, wanted.state.bytes);
                CHECK_EQ_MEM(found.bytes, wanted.bytes, wanted.state.bytes);
                CHECK(is_zero(r.memory.p, r.memory.n));
            }
        }
    }
}

// A sink that is full after so many bytes; what is missing follows.
RS_TEST(every_range_and_every_broken_link) {
    const rs_seed_t master = {{7}};
    fixture_t f;
    file_t whole, part;
    fixture_init(&f, N, BITS, LIMBS);
    file_init(&whole, FILE_MAX);
    file_init(&part, FILE_MAX);
    rs_keys_stream_request_t r = request_of(&f, &master, 1, &whole, LEAST + 8 * N);
    REQUIRE_OK(rs_keys_stream(&r));
    const uint64_t bytes = whole.state.bytes;
    r.sink = &part.sink;
    for (uint64_t at = 0; at < bytes; at += at < 200 ? 1 : 977) {
        rs_sink_to_memory(&part.sink, &part.state, part.bytes, at);
        r.first = r.bytes = 0;
        CHECK_STATUS(rs_keys_stream(&r), RS_ERR_TOO_SMALL);
        CHECK(is_zero(r.memory.p, r.memory.n));
        const uint64_t sent = part.state.bytes;
        CHECK(sent <= at);
        rs_sink_to_memory(&part.sink, &part.state, part.bytes + sent, FILE_MAX - sent);
        r.first = sent;
        r.bytes = at % 3 ? 0 : bytes - sent;
        CHECK_OK(rs_keys_stream(&r));
        CHECK_EQ_U64(sent + part.state.bytes, bytes);
        if (!CHECK_EQ_MEM(part.bytes, whole.bytes, bytes)) return;
    }
    for (uint64_t at = 0; at < bytes; at += 4999) {
        rs_sink_to_memory(&part.sink, &part.state, part.bytes, FILE_MAX);
        r.first = at;
        r.bytes = bytes - at < 9001 ? bytes - at : 9001;
        CHECK_OK(rs_keys_stream(&r));
        CHECK_EQ_U64(part.state.bytes, r.bytes);
        CHECK_EQ_MEM(part.bytes, whole.bytes + at, r.bytes);
    }
}

RS_TEST(streams_that_are_refused) {
    const rs_seed_t master = {{7}};
    fixture_t f;
    file_t file;
    fixture_init(&f, N, BITS, LIMBS);
    file_init(&file, FILE_MAX);
    const rs_keys_stream_request_t good = request_of(&f, &master, 1, &file, LEAST);
    rs_keys_stream_request_t r;
    rs_params_t other = f.params;
    uint64_t *secret = words(N);
#define REFUSED(status, member, value) \
    r = good;                          \
    r.member = value;                  \
    CHECK_STATUS(rs_keys_stream(&r), status)
    REFUSED(RS_ERR_STRUCT, size, 8);
    REFUSED(RS_ERR_KIND, kind, RS_WIRE_PUBLIC_KEY);
    REFUSED(RS_ERR_OPTION, kind, RS_WIRE_RELIN_KEYS);
    REFUSED(RS_ERR_SEED_TYPE, seed_type, 3);
    REFUSED(RS_ERR_NULL, elements, NULL);
    REFUSED(RS_ERR_NULL, params, NULL);
    REFUSED(RS_ERR_NULL, secret, NULL);
    REFUSED(RS_ERR_NULL, master, NULL);
    REFUSED(RS_ERR_NULL, sink, NULL);
    REFUSED(RS_ERR_COMPRESSION, format.compression, RS_COMPRESSION_ZSTD);
    REFUSED(RS_ERR_VERSION, format.version, 0x305);
    REFUSED(RS_ERR_TOO_SMALL, memory.n, LEAST - 1);
    REFUSED(RS_ERR_LENGTH, first, FILE_MAX);
    REFUSED(RS_ERR_LENGTH, first, UINT64_MAX);
    REFUSED(RS_ERR_LENGTH, bytes, UINT64_MAX);
    const uint32_t bad[][2] = {{2, 3}, {3, 3}, {9, 3}, {3, 2 * N + 1}};
    for (unsigned i = 0; i < 4; i++) {
        r = good;
        r.elements = bad[i];
        r.count = 2;
        CHECK_STATUS(rs_keys_stream(&r), RS_ERR_GALOIS);
    }
    for (size_t i = 0; i < N; i++) secret[i] = i;
    REFUSED(RS_ERR_SECRET_KEY, secret, secret);
    memset(secret, 0, 8 * N);
    REFUSED(RS_ERR_SECRET_KEY, secret, secret);
    CHECK(is_zero(good.memory.p, good.memory.n));
    other.limb_count = 1;
    REFUSED(RS_ERR_NO_SPECIAL, params, &other);
    other.limb_count = LIMBS;
    other.moduli[1]++;
    REFUSED(RS_ERR_MODULUS_NTT, params, &other);
    CHECK_STATUS(rs_keys_stream(NULL), RS_ERR_NULL);
    CHECK_EQ_U64(file.state.bytes, 0);
}

// Keys of two levels, of two masters, elements, rows, indices and secret keys: no public seed twice.
RS_TEST(no_seed_serves_twice) {
    enum { FILES = 5, SEEDS_MAX = 64 };
    static uint8_t seeds[SEEDS_MAX][64];
    unsigned count = 0;
    fixture_t f, g;
    fixture_init(&f, N, BITS, LIMBS);
    fixture_init(&g, N, BITS, LIMBS);
    fixture_seed(&g, 77);
    CHECK_OK(rs_keygen_secret(g.context, &g.secret, &g.rng));
    rs_params_t lower = f.params; // one limb less
    lower.moduli[1] = lower.moduli[2];
    lower.limb_count = 2;
    for (unsigned number = 0; number < FILES; number++) {
        const rs_seed_t master = {{number == 1}};
        file_t file;
        file_init(&file, FILE_MAX);
        rs_keys_stream_request_t r = request_of(number == 2 ? &g : &f, &master, 1, &file, LEAST);
        if (number == 3) r.params = &lower;
        if (number == 4) r.index = 1;
        CHECK_OK(rs_keys_stream(&r));
        const size_t limbs = r.params->limb_count, object = 105 + 8 * limbs * N + 81;
        size_t at = 16 + 40;
        for (uint32_t entry = 0; entry < N; entry++) {
            const uint64_t parts = file.bytes[at];
            at += 8;
            for (uint64_t i = 0; i < parts && count < SEEDS_MAX; i++, at += object) {
                memcpy(seeds[count++], file.bytes + at + object - 64, 64);
            }
        }
        CHECK_EQ_U64(at, file.state.bytes);
    }
    CHECK_EQ_U64(count, 4 * 3 * (LIMBS - 1) + 3);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++) CHECK(memcmp(seeds[i], seeds[k], 64) != 0);
    }
}
