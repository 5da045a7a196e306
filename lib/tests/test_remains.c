// SPDX-License-Identifier: Apache-2.0
// After each operation the process's whole memory is searched for what it must not leave: words of the secret key, its coefficients,
// seeds of keys and errors. Heap, stacks and static data are searched, also what was freed; registers are not.
#define _GNU_SOURCE
#include "back_ends.h"
#include "fixture.h"

#include "mldsa/packing.h"
#include "mlkem/ntt.h"
#include "mlkem/sample.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    N = 4096,
    LIMBS = 3,
    SLOTS = 1 << 16, // slots of the hash table
    WINDOW = 32, // coefficients that are looked for together: 3^32 < 2^51
    DEPTH_BYTES = 64 * 1024, // stack above the operation: the search's own frames overwrite this, and nothing below it
    MAPS_BYTES = 64 * 1024,
    PAGE_BYTES = 4096,
};

static const uint32_t BITS[LIMBS] = {60, 48, 60};
static const uint64_t MASK = UINT64_C(0x5bd1e9955bd1e995);
static const uint64_t WINDOW_TAG = UINT64_C(1) << 63;

// ---- what is looked for: a set of words that itself holds none of them ---------------------------------------------------
static uint64_t looked_for[SLOTS];
static uint64_t three_power; // 3^WINDOW

static uint64_t *slot_of(uint64_t masked) {
    size_t slot = masked * UINT64_C(0x9e3779b97f4a7c15) >> 48;
    while (looked_for[slot] && looked_for[slot] != masked) slot = (slot + 1) % SLOTS;
    return &looked_for[slot];
}

static void look_for(uint64_t word) {
    if (word >> 40) *slot_of(word ^ MASK) = word ^ MASK; // smaller ones are found by chance
}

static void look_for_bytes(const void *bytes, size_t count) {
    for (size_t i = 0; i + 8 <= count; i += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)bytes + i, 8);
        look_for(word);
    }
}

static int is_looked_for(uint64_t word) { return word >> 40 && *slot_of(word ^ MASK) != 0; }

// The last coefficients -1, 0, 1 as a number to the base 3.
typedef struct run {
    size_t length;
    uint64_t value;
} run_t;

// digit: 0, 1, 2 for 0, 1, -1; 3 for anything else. True at the end of a window.
static int run_step(run_t *run, unsigned digit) {
    run->length = digit < 3 ? run->length + 1 : 0;
    run->value = digit < 3 ? (run->value * 3 + digit) % three_power : 0;
    return run->length >= WINDOW;
}

static unsigned digit_of_byte(uint8_t byte) { return byte < 2 ? byte : byte == 0xff ? 2 : 3; }

static unsigned digit_of_residue(const rs_params_t *params, uint64_t word) {
    unsigned digit = word < 2 ? (unsigned)word : word == UINT64_MAX ? 2 : 3;
    for (uint32_t limb = 0; limb < params->limb_count; limb++) digit = word == params->moduli[limb] - 1 ? 2 : digit;
    return digit;
}

// The key's residues, and every 32 coefficients that begin at a multiple of 32: any 63 neighbours contain such a window.
static void look_for_key(const fixture_t *f) {
    uint64_t *coefficients = words(N);
    three_power = 1;
    for (unsigned i = 0; i < WINDOW; i++) three_power *= 3;
    for (size_t i = 0; i < LIMBS * (size_t)N; i++) look_for(f->secret.ntt[i]);
    memcpy(coefficients, f->secret.ntt, 8 * N);
    rs_plan_inverse(rs_context_plan(f->context, 0), coefficients);
    run_t run = {0};
    for (size_t i = 0; i < N; i++) {
        if (run_step(&run, digit_of_residue(&f->params, coefficients[i])) && i % WINDOW == WINDOW - 1)
            look_for(run.value | WINDOW_TAG);
    }
    CHECK_EQ_U64(run.length, N);
    rs_zeroize(coefficients, 8 * N);
}

// Its seeds are looked for, too.
static rs_status_t fill_noted(void *state, uint8_t *out, size_t bytes) {
    for (size_t i = 0; i < bytes; i += 8) {
        uint64_t word = rs_test_random(state);
        memcpy(out + i, &word, 8);
        look_for(word);
    }
    return RS_OK;
}

static void forgive(const rs_seed_t *public_seed) {
    for (size_t i = 0; i < sizeof *public_seed; i += 8) {
        uint64_t word;
        memcpy(&word, (const uint8_t *)public_seed + i, 8);
        if (is_looked_for(word)) *slot_of(word ^ MASK) = 1; // a tombstone: it equals no masked word
    }
}

// ---- the search ----------------------------------------------------------------------------------------------------------
typedef struct found {
    size_t words, windows;
    char first[160];
} found_t;

static void note(found_t *found, size_t *count, const char *what, const uint8_t *at, const char *map) {
    if (found->words + found->windows == 0)
        snprintf(found->first, sizeof found->first, "%s at %p in %.100s", what, (const void *)at, map);
    ++*count;
}

static void search_region(const fixture_t *f, const uint8_t *from, const uint8_t *end, const char *map, found_t *found) {
    const uint8_t *const key = (const uint8_t *)f->secret.ntt, *const key_end = key + 8 * LIMBS * (size_t)N;
    static const uint8_t zeros[PAGE_BYTES];
    run_t bytes = {0}, residues[8] = {{0}};
    for (const uint8_t *at = from; at < end; at++) {
        if (at == key) at = key_end; // where it belongs
        if ((uintptr_t)at % PAGE_BYTES == 0 && end - at >= PAGE_BYTES && memcmp(at, zeros, PAGE_BYTES) == 0) {
            at += PAGE_BYTES - 1; // most of a thread's stack
            continue;
        }
        if (run_step(&bytes, digit_of_byte(*at)) && is_looked_for(bytes.value | WINDOW_TAG))
            note(found, &found->windows, "coefficients", at, map);
        if (end - at < 8) continue;
        uint64_t word;
        memcpy(&word, at, 8);
        run_t *const run = &residues[(uintptr_t)at % 8];
        if (run_step(run, digit_of_residue(&f->params, word)) && is_looked_for(run->value | WINDOW_TAG))
            note(found, &found->windows, "coefficients' residues", at, map);
        if (is_looked_for(word)) note(found, &found->words, "a word", at, map);
    }
}

// All memory that can be written to.
static found_t search(const fixture_t *f) {
    static char maps[MAPS_BYTES];
    found_t found = {0};
    const int fd = open("/proc/self/maps", O_RDONLY);
    size_t bytes = 0;
    for (ssize_t got; (got = read(fd, maps + bytes, sizeof maps - 1 - bytes)) > 0;) bytes += (size_t)got;
    close(fd);
    CHECK(bytes > 0 && bytes < sizeof maps - 1);
    for (char *line = strtok(maps, "\n"); line; line = strtok(NULL, "\n")) {
        char *rest;
        const uintptr_t from = strtoull(line, &rest, 16), end = strtoull(rest + 1, &rest, 16);
        if (rest[2] == 'w') search_region(f, (const uint8_t *)from, (const uint8_t *)end, line, &found);
    }
    return found;
}

// ---- operations ----------------------------------------------------------------------------------------------------------
typedef struct bench {
    fixture_t f;
    rs_ciphertext_t ciphertext;
    rs_plaintext_t plaintext;
    rs_wire_format_t format;
    int file, other_file;
} bench_t;

static void run_keygen(bench_t *b) { CHECK_OK(rs_keygen_secret(b->f.context, &b->f.secret, &b->f.rng)); }

static void run_check(bench_t *b) { CHECK_OK(rs_key_check(b->f.context, &b->f.secret, NULL, fixture_room(&b->f))); }

static void run_keygen_public(bench_t *b) {
    fixture_t *f = &b->f;
    CHECK_OK(keygen_public(f->context, &f->secret, &f->public_key, &f->rng, f->workspace, f->workspace_bytes));
    forgive(&f->public_key.seed);
}

static void run_pair_check(bench_t *b) {
    CHECK_OK(rs_key_check(b->f.context, &b->f.secret, &b->f.public_key, fixture_room(&b->f)));
}

static void run_keygen_switch(bench_t *b) {
    fixture_t *f = &b->f;
    rs_ciphertext_t key = {.data = words(2 * LIMBS * (size_t)N), .seed_type = RS_SEED_SHAKE256};
    for (uint32_t element = 0; element < 6; element += 5) { // relinearisation, and a Galois key
        CHECK_OK(keygen_switch(f->context, &f->secret, element, 1, &key, &f->rng, f->workspace, f->workspace_bytes));
        forgive(&key.seed);
    }
}

// Over the context's rings, from the key to itself, as a library with a digit of all primes has it.
static void run_row(bench_t *b) {
    fixture_t *f = &b->f;
    const rs_plan_t *rings[LIMBS];
    const uint64_t factors[LIMBS] = {1, 2, 3};
    rs_seed_t seed;
    for (uint32_t i = 0; i < LIMBS; i++) rings[i] = rs_context_plan(f->context, i);
    CHECK_OK(rs_keygen_row(RS_REQUEST(rs_keygen_row_request_t, .ring_count = LIMBS, .count = LIMBS, .error_factor = 3,
                                      .rings = rings, .to = f->secret.ntt, .from = f->secret.ntt, .factors = factors,
                                      .b = words(LIMBS * (size_t)N), .seed = &seed, .rng = &f->rng, .workspace = fixture_room(f))));
    forgive(&seed);
}

// state: how many pieces it takes before it is full.
static rs_status_t forgive_last(void *state, const uint8_t *data, size_t bytes) {
    unsigned *left = state;
    if (bytes == RS_SEED_BYTES) forgive((const rs_seed_t *)(const void *)data); // a public seed is the last piece of a component
    return (*left)-- ? RS_OK : RS_ERR_IO;
}

static void look_for_streams(const uint8_t *seed) {
    static const rs_domain_t DOMAINS[] = {RS_DOMAIN_U, RS_DOMAIN_E0, RS_DOMAIN_E1, RS_DOMAIN_S};
    uint8_t stream[2 * RS_SHAKE256_RATE_BYTES];
    for (unsigned i = 0; i < 4; i++) {
        rs_private_stream(stream, sizeof stream, (const rs_seed_t *)seed, DOMAINS[i], 0);
        look_for_bytes(stream, sizeof stream);
    }
    rs_zeroize(stream, sizeof stream);
}

// The private seeds of a key's rows, and what they become.
static void look_for_rows(const fixture_t *f, const rs_seed_t *master, rs_view_t key, uint32_t element) {
    rs_switch_row_t row = {.element = element, .digit_primes = 1, .special_count = 1, .seed_type = RS_SEED_SHAKE256};
    rs_seed_t seed;
    memcpy(row.bound, rs_context_parms_id(f->context, LIMBS), RS_PARMS_ID_BYTES);
    rs_shake256(row.bound + RS_PARMS_ID_BYTES, RS_SEED_BYTES, key.p, key.n);
    for (row.index = 0; row.index < LIMBS - 1; row.index++) {
        CHECK_OK(rs_switch_seed(&seed, master, 0, &row));
        look_for_bytes(&seed, sizeof seed);
        rs_private_stream(seed.bytes, sizeof seed, &seed, RS_DOMAIN_RNG, 0);
        look_for_bytes(&seed, sizeof seed);
        look_for_streams(seed.bytes);
    }
    rs_zeroize(&row, sizeof row);
    rs_zeroize(&seed, sizeof seed);
}

// With all tables kept and with none, to the end and to a sink that fails on the way.
static void run_stream(bench_t *b) {
    static const uint32_t ELEMENT = 5;
    fixture_t *f = &b->f;
    uint8_t packed[N / 4];
    rs_seed_t master;
    unsigned left;
    const rs_sink_t sink = {.write = forgive_last, .state = &left};
    rs_ignore(fill_noted(f->rng.state, master.bytes, sizeof master));
    CHECK_OK(rs_lean_pack_key(f->context, &f->secret, (rs_bytes_t){packed, sizeof packed}, fixture_room(f)));
    look_for_rows(f, &master, (rs_view_t){packed, sizeof packed}, ELEMENT);
    rs_zeroize(packed, sizeof packed);
    for (unsigned k = 0; k < 4; k++) {
        const size_t bytes = RS_KEYS_STREAM_BYTES(f->params.log_n) + (k & 1) * (size_t)RS_KEYS_STREAM_LIMB_N_BYTES * LIMBS * N;
        left = k < 2 ? UINT32_MAX : 16; // or full among the first words
        CHECK_STATUS(rs_keys_stream(RS_REQUEST(rs_keys_stream_request_t, .kind = RS_WIRE_GALOIS_KEYS, .count = 1,
                                               .elements = &ELEMENT, .params = &f->params, .secret = f->secret.ntt,
                                               .master = &master, .sink = &sink, .memory = {words(bytes / 8), bytes})),
                     k < 2 ? RS_OK : RS_ERR_IO);
    }
    rs_zeroize(&master, sizeof master);
}

static void run_encrypt(bench_t *b) {
    fixture_t *f = &b->f;
    for (uint32_t both = 0; both < 2; both++) {
        b->ciphertext.seeded = !both;
        CHECK_OK(fixture_encrypt(f, RS_ENCRYPT_SK, &b->plaintext, &b->ciphertext));
        forgive(&b->ciphertext.seed);
    }
}

static void run_decrypt(bench_t *b) {
    fixture_t *f = &b->f;
    CHECK_OK(fixture_decrypt(f, &b->ciphertext, f->data_limbs, &b->plaintext));
}

// On threads, whose stacks stay when they have ended.
static void run_batch(bench_t *b) {
    enum { FRAMES = 4 };
    fixture_t *f = &b->f;
    double values[FRAMES][4] = {{1}, {2}, {3}, {4}};
    rs_encrypt_item_t frames[FRAMES];
    rs_decrypt_item_t results[FRAMES];
    rs_ciphertext_t ciphertexts[FRAMES];
    for (unsigned i = 0; i < FRAMES; i++) {
        ciphertexts[i] = (rs_ciphertext_t){.data = words(2 * LIMBS * (size_t)N)};
        frames[i] = (rs_encrypt_item_t){.values = values[i], .count = 4, .scale = 0x1p40, .ciphertext = &ciphertexts[i]};
        results[i] = (rs_decrypt_item_t){.ciphertext = &ciphertexts[i], .values = values[i], .count = 4};
    }
    rs_pool_t pool;
    REQUIRE_OK(rs_pool_create(&pool, 2));
    rs_encrypt_request_t in = {
        .size = sizeof in, .context = f->context, .secret_key = &f->secret, .items = frames, .count = FRAMES, .rng = &f->rng};
    rs_decrypt_request_t out = {
        .size = sizeof out, .context = f->context, .secret_key = &f->secret, .items = results, .count = FRAMES};
    in.workspace.n = rs_encrypt_batch_workspace(&in, &pool);
    in.workspace.p = words(in.workspace.n / 8);
    CHECK_OK(rs_encrypt_batch(&in, &pool));
    for (unsigned i = 0; i < FRAMES; i++) forgive(&ciphertexts[i].seed);
    out.workspace.n = rs_decrypt_batch_workspace(&out, &pool);
    out.workspace.p = words(out.workspace.n / 8);
    CHECK_OK(rs_decrypt_batch(&out, &pool));
    CHECK_NEAR(values[3][0], 4, 1e-3);
    rs_pool_destroy(&pool);
}

static void run_save(bench_t *b) {
    rs_fd_stream_t stream;
    rs_sink_t sink;
    REQUIRE(ftruncate(b->file, 0) == 0 && lseek(b->file, 0, SEEK_SET) == 0);
    CHECK_OK(rs_sink_to_fd(&sink, &stream, b->file));
    CHECK_OK(rs_wire_write_secret_key(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_SECRET_KEY, .context = b->f.context,
                                                 .sink = &sink, .format = b->format, .secret_key = &b->f.secret)));
    CHECK_OK(rs_fd_sink_flush(&stream));
}

static void open_key(bench_t *b, rs_wire_reader_t *reader, rs_source_t *source, rs_fd_stream_t *stream) {
    CHECK(lseek(b->file, 0, SEEK_SET) == 0);
    rs_source_from_fd(source, stream, b->file);
    CHECK_OK(rs_wire_open(reader, source, b->format.codec));
}

static void run_load(bench_t *b) {
    rs_fd_stream_t stream;
    rs_source_t source;
    rs_wire_reader_t reader;
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_SECRET_KEY, .secret_key = &b->f.secret};
    open_key(b, &reader, &source, &stream);
    CHECK_OK(rs_wire_read_begin(&reader, b->f.context, &target));
    CHECK_OK(rs_wire_read_words(&reader, &target));
    CHECK_OK(rs_wire_close(&reader, 1));
}

static void run_convert(bench_t *b) {
    _Alignas(8) static uint8_t buffer[4096];
    rs_fd_stream_t stream, out;
    rs_source_t source;
    rs_sink_t sink;
    rs_wire_reader_t reader;
    open_key(b, &reader, &source, &stream);
    REQUIRE(ftruncate(b->other_file, 0) == 0 && lseek(b->other_file, 0, SEEK_SET) == 0);
    CHECK_OK(rs_sink_to_fd(&sink, &out, b->other_file));
    CHECK_OK(rs_wire_convert(&reader, &sink, &b->format, (rs_memory_t){buffer, sizeof buffer}));
    CHECK_OK(rs_wire_close(&reader, 1));
    CHECK_OK(rs_fd_sink_flush(&out));
}

static void run_close(bench_t *b) { rs_zeroize(b->f.secret.ntt, 8 * LIMBS * (size_t)N); }

// The operation runs far down the stack.
static __attribute__((noinline)) void run_below(void (*operation)(bench_t *), bench_t *b) {
    uint8_t above[DEPTH_BYTES];
    __asm__ volatile("" : : "r"(above) : "memory");
    operation(b);
    __asm__ volatile("" : : "r"(above) : "memory");
}

static void check_leaves_nothing(const char *name, void (*operation)(bench_t *), bench_t *b) {
    run_below(operation, b);
    if (operation == run_keygen) look_for_key(&b->f);
    const found_t found = search(&b->f);
    if (!CHECK_EQ_U64(found.words + found.windows, 0))
        printf("after %s (%s): %zu words and %zu windows of coefficients, first %s\n", name, rs_backend_name(), found.words,
               found.windows, found.first);
}

// libzstd's frames are what a secret key gets; files of others may hold the frames of zstd_words.h.
static rs_status_t begin_words(void **state, rs_compression_t compression, int level, const rs_sink_t *inner) {
    (void)level;
    return rs_host_codec()->write_begin_words(state, compression, inner);
}

static void check_files(bench_t *b) {
    rs_codec_t codec_of_words = *rs_host_codec();
    codec_of_words.write_begin = begin_words;
    static const struct {
        const char *name;
        rs_compression_t compression;
        int words;
    } MODES[] = {{"none", RS_COMPRESSION_NONE, 0},
                 {"zlib", RS_COMPRESSION_ZLIB, 0},
                 {"zstd", RS_COMPRESSION_ZSTD, 0},
                 {"words", RS_COMPRESSION_ZSTD, 1}};
    for (unsigned i = 0; i < sizeof MODES / sizeof MODES[0]; i++) {
        b->format.compression = MODES[i].compression;
        b->format.codec = MODES[i].words ? &codec_of_words : rs_host_codec();
        char name[32];
        snprintf(name, sizeof name, "save %s", MODES[i].name);
        check_leaves_nothing(name, run_save, b);
        snprintf(name, sizeof name, "load %s", MODES[i].name);
        check_leaves_nothing(name, run_load, b);
        snprintf(name, sizeof name, "convert %s", MODES[i].name);
        check_leaves_nothing(name, run_convert, b);
    }
}

static void check_back_end(uint64_t state) {
    bench_t b = {.file = memfd_create("key", 0), .other_file = memfd_create("converted", 0)};
    fixture_t *f = &b.f;
    fixture_init(f, N, BITS, LIMBS);
    f->rng = (rs_rng_t){fill_noted, &state};
    b.ciphertext = (rs_ciphertext_t){.data = words(2 * LIMBS * (size_t)N), .seed_type = RS_SEED_SHAKE256};
    b.plaintext =
        (rs_plaintext_t){.form = RS_FORM_NTT, .limb_count = f->data_limbs, .scale = 0x1p40, .ntt = words(LIMBS * (size_t)N)};
    memcpy(b.plaintext.parms_id, rs_context_parms_id(f->context, f->data_limbs), RS_PARMS_ID_BYTES);
    check_leaves_nothing("keygen", run_keygen, &b);
    check_leaves_nothing("check", run_check, &b);
    check_leaves_nothing("public key", run_keygen_public, &b);
    check_leaves_nothing("pair check", run_pair_check, &b);
    check_leaves_nothing("switching keys", run_keygen_switch, &b);
    check_leaves_nothing("row", run_row, &b);
    check_leaves_nothing("stream", run_stream, &b);
    check_leaves_nothing("encrypt", run_encrypt, &b);
    check_leaves_nothing("decrypt", run_decrypt, &b);
    check_leaves_nothing("batch", run_batch, &b);
    check_files(&b);
    check_leaves_nothing("close", run_close, &b);
    close(b.file);
    close(b.other_file);
    memset(looked_for, 0, sizeof looked_for);
}

RS_TEST(operations_leave_no_secret) {
    EACH (k) check_back_end(k);
}

// ---- the lean client -------------------------------------------------------------------------------------------------------
// Looked for: seeds, the first bytes of all streams of noise, neighbouring residues of the key, as the client keeps them.
typedef struct lean_bench {
    bench_t b;
    rs_lean_t *lean;
} lean_bench_t;

static rs_status_t read_key(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *out) {
    const fixture_t *f = state;
    for (uint32_t i = 0; i < count; i++) out[i] = (uint32_t)f->public_key.data[((size_t)poly * LIMBS + limb) * N + first + i];
    return RS_OK;
}

// Keeps what looks like a seed: the last piece of a seeded file, and public.
static rs_status_t drop(void *state, const uint8_t *data, size_t bytes) {
    if (bytes == RS_SEED_BYTES) memcpy(state, data, bytes);
    return RS_OK;
}

// As fill_noted, and what is made of the seed.
static rs_status_t fill_noted_streams(void *state, uint8_t *out, size_t bytes) {
    rs_ignore(fill_noted(state, out, bytes));
    look_for_streams(out);
    return RS_OK;
}

// In the form of the last limb's transform, from the place that the search leaves out.
static void look_for_residues(const fixture_t *f) {
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        for (uint32_t i = 0; i < N; i += 2) {
            const uint64_t *pair = f->secret.ntt + limb * N + i;
            look_for(pair[0] | pair[1] << 32);
        }
    }
}

static void run_lean(bench_t *b) {
    lean_bench_t *l = (lean_bench_t *)(void *)b;
    static const int16_t VALUES[] = {1, -2, 3};
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, 3, -15, 1};
    const rs_lean_public_key_t pk = {read_key, &b->f};
    rs_seed_t public_seed;
    const rs_sink_t sink = {drop, NULL, &public_seed};
    uint8_t *key = (uint8_t *)(b->f.secret.ntt + LIMBS * (size_t)N) - N / 4; // where the search does not go
    CHECK_OK(rs_lean_encode(l->lean, VALUES, &layout, 0x1p25, 2));
    rs_lean_encrypt_request_t request = {.size = sizeof request, .kind = RS_ENCRYPT_PK, .sink = &sink, .rng = &b->f.rng};
    request.public_key = &pk;
    request.secret_key = (rs_view_t){key, N / 4};
    CHECK_OK(rs_lean_encrypt(l->lean, &request));
    CHECK_OK(rs_lean_keygen(l->lean, (rs_bytes_t){key, N / 4}, &b->f.rng));
    CHECK_OK(rs_lean_write_secret_key(l->lean, request.secret_key, &sink, NULL));
    CHECK_OK(rs_lean_encode(l->lean, VALUES, &layout, 0x1p25, 2));
    request.kind = RS_ENCRYPT_SK;
    CHECK_OK(rs_lean_encrypt(l->lean, &request));
    forgive(&public_seed);
    const uint32_t elements[] = {0, 3};
    uint8_t *master = key - RS_SEED_BYTES; // out of the search, too
    rs_ignore(fill_noted_streams(b->f.rng.state, master, RS_SEED_BYTES));
    for (unsigned i = 0; i < 2; i++) {
        rs_lean_keys_request_t keys = {.size = sizeof keys, .count = 1, .elements = elements + i, .sink = &sink};
        keys.secret_key = request.secret_key;
        keys.rng = &b->f.rng;
        CHECK_OK(rs_lean_write_switch_keys(l->lean, &keys));
        keys.rng = NULL;
        keys.master = (rs_view_t){master, RS_SEED_BYTES};
        look_for_rows(&b->f, (const rs_seed_t *)master, keys.secret_key, elements[i]);
        CHECK_OK(rs_lean_write_switch_keys(l->lean, &keys));
    }
}

RS_TEST(the_lean_client_leaves_no_secret) {
    static const uint32_t NARROW[LIMBS] = {30, 30, 30};
    lean_bench_t l = {.lean = NULL};
    fixture_t *f = &l.b.f;
    uint64_t state = 77;
    fixture_init(f, N, NARROW, LIMBS);
    const size_t size = rs_lean_size(&f->params);
    REQUIRE_OK(rs_lean_init(&l.lean, (rs_memory_t){words(size / 8 + 1), size}, &f->params, RS_SECURITY_UNCHECKED));
    look_for_key(f);
    look_for_residues(f);
    f->rng = (rs_rng_t){fill_noted_streams, &state};
    check_leaves_nothing("lean client", run_lean, &l.b);
    memset(looked_for, 0, sizeof looked_for);
}

// ---- ML-KEM ----------------------------------------------------------------------------------------------------------------
// Everything secret is kept at one place, f.secret.ntt, which the search leaves out: what the operations get and give, and what the test
// computes beside them.
typedef struct mlkem_home {
    uint8_t seed[RS_MLKEM_SEED_BYTES], m[RS_MLKEM_RANDOM_BYTES], shared[RS_MLKEM_SHARED_BYTES], again[RS_MLKEM_SHARED_BYTES];
    uint8_t dk[RS_MLKEM_DK_BYTES_MAX];
    uint8_t text[2 * RS_MLKEM_HASH_BYTES], expanded[2 * RS_MLKEM_HASH_BYTES];
    int16_t small[RS_MLKEM_N];
} mlkem_home_t;

static struct {
    bench_t b;
    rs_mlkem_set_t set;
    const rs_mlkem_sizes_t *sizes;
    uint8_t ek[RS_MLKEM_EK_BYTES_MAX], ct[RS_MLKEM_CT_BYTES_MAX];
} kem;

static mlkem_home_t *home_of(const bench_t *b) { return (mlkem_home_t *)(void *)b->f.secret.ntt; }

// Noise in the transform's form, and the first bytes that it is made of: of `seed`, with these numbers.
static void look_for_noise(mlkem_home_t *home, const uint8_t *seed, unsigned first, unsigned count, unsigned eta) {
    uint8_t message[RS_MLKEM_HASH_BYTES + 1], stream[64];
    memcpy(message, seed, RS_MLKEM_HASH_BYTES);
    for (unsigned nonce = first; nonce < first + count; nonce++) {
        message[RS_MLKEM_HASH_BYTES] = (uint8_t)nonce;
        rs_shake256(stream, sizeof stream, message, sizeof message);
        look_for_bytes(stream, sizeof stream);
        rs_mlkem_sample_noise(home->small, &RS_HASH_PORTABLE, seed, nonce, 1, eta);
        rs_mlkem_ntt(home->small);
        look_for_bytes(home->small, sizeof home->small);
    }
    rs_zeroize(message, sizeof message);
    rs_zeroize(stream, sizeof stream);
}

static void run_mlkem_keygen(bench_t *b) {
    mlkem_home_t *home = home_of(b);
    CHECK_OK(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = kem.set, .ek = {kem.ek, kem.sizes->ek},
                                        .dk = {home->dk, kem.sizes->dk}, .seed = {home->seed, sizeof home->seed},
                                        .workspace = fixture_room(&b->f))));
}

static void run_mlkem_encaps(bench_t *b) {
    mlkem_home_t *home = home_of(b);
    CHECK_OK(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = kem.set, .ek = {kem.ek, kem.sizes->ek},
                                        .ct = {kem.ct, kem.sizes->ct}, .shared = {home->shared, sizeof home->shared},
                                        .m = {home->m, sizeof home->m}, .workspace = fixture_room(&b->f))));
}

static void run_mlkem_decaps(bench_t *b) {
    mlkem_home_t *home = home_of(b);
    CHECK_OK(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = kem.set, .dk = {home->dk, kem.sizes->dk},
                                        .ct = {kem.ct, kem.sizes->ct}, .shared = {home->again, sizeof home->again},
                                        .workspace = fixture_room(&b->f))));
    CHECK_EQ_MEM(home->again, home->shared, sizeof home->again);
}

// What is secret of a key: d, z, sigma, s; of an encapsulation: m, the shared secret, the coins, r,
// e, and what a rejection would give.
static __attribute__((noinline)) void look_for_mlkem(unsigned rank) {
    mlkem_home_t *home = home_of(&kem.b);
    const unsigned eta = rank == 2 ? 3 : 2;
    look_for_bytes(home->seed, sizeof home->seed);
    look_for_bytes(home->m, sizeof home->m);
    look_for_bytes(home->shared, sizeof home->shared);
    look_for_bytes(home->dk, RS_MLKEM_POLY_BYTES * rank);
    memcpy(home->text, home->seed, RS_MLKEM_HASH_BYTES);
    home->text[RS_MLKEM_HASH_BYTES] = (uint8_t)rank;
    rs_sponge_hash(RS_SPONGE_SHA3_512, home->expanded, sizeof home->expanded, home->text, RS_MLKEM_HASH_BYTES + 1);
    look_for_bytes(home->expanded + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES); // sigma; rho is public
    look_for_noise(home, home->expanded + RS_MLKEM_HASH_BYTES, 0, 2 * rank, eta);
    memcpy(home->text, home->m, RS_MLKEM_HASH_BYTES);
    rs_sponge_hash(RS_SPONGE_SHA3_256, home->text + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES, kem.ek, kem.sizes->ek);
    rs_sponge_hash(RS_SPONGE_SHA3_512, home->expanded, sizeof home->expanded, home->text, sizeof home->text);
    CHECK_EQ_MEM(home->expanded, home->shared, sizeof home->shared);
    look_for_bytes(home->expanded + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
    look_for_noise(home, home->expanded + RS_MLKEM_HASH_BYTES, 0, rank, eta);
    look_for_noise(home, home->expanded + RS_MLKEM_HASH_BYTES, rank, rank + 1, RS_MLKEM_ETA2);
    rs_sponge_t j;
    rs_sponge_init(&j, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&j, home->seed + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
    rs_sponge_absorb(&j, kem.ct, kem.sizes->ct);
    rs_sponge_squeeze(&j, home->expanded, RS_MLKEM_SHARED_BYTES);
    look_for_bytes(home->expanded, RS_MLKEM_SHARED_BYTES);
    rs_zeroize(&j, sizeof j);
}

// What the test's own calls left on the stack.
static __attribute__((noinline)) void wipe_stack(void) {
    uint8_t below[4 * DEPTH_BYTES];
    rs_zeroize(below, sizeof below);
}

static void check_mlkem(unsigned rank, uint64_t state) {
    static const rs_mlkem_set_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    static void (*const OPERATIONS[])(bench_t *) = {run_mlkem_keygen, run_mlkem_encaps, run_mlkem_decaps};
    static const char *const NAMES[] = {"ML-KEM keygen", "ML-KEM encaps", "ML-KEM decaps"};
    memset(&kem, 0, sizeof kem);
    kem.set = SETS[rank - 2];
    kem.sizes = rs_mlkem_sizes(kem.set);
    kem.b.f.secret.ntt = words(LIMBS * (size_t)N);
    kem.b.f.workspace_bytes = kem.sizes->workspace;
    kem.b.f.workspace = words(kem.b.f.workspace_bytes / 8);
    three_power = 1; // no coefficients are looked for
    mlkem_home_t *home = home_of(&kem.b);
    for (unsigned i = 0; i < sizeof home->seed; i++) home->seed[i] = (uint8_t)rs_test_random(&state);
    for (unsigned i = 0; i < sizeof home->m; i++) home->m[i] = (uint8_t)rs_test_random(&state);
    for (unsigned i = 0; i < 3; i++) run_below(OPERATIONS[i], &kem.b);
    look_for_mlkem(rank);
    wipe_stack();
    for (unsigned i = 0; i < 3; i++) check_leaves_nothing(NAMES[i], OPERATIONS[i], &kem.b);
    memset(looked_for, 0, sizeof looked_for);
    rs_zeroize(home, sizeof *home);
}

static void check_mlkem_sets(uint64_t number) {
    for (unsigned rank = 2; rank <= 4; rank++) check_mlkem(rank, 10 * number + rank);
}

RS_TEST(mlkem_leaves_no_secret) {
    EACH (k) check_mlkem_sets(k);
}

// ---- ML-DSA ----------------------------------------------------------------------------------------------------------------
// As above: everything secret is at f.secret.ntt, what the test computes too.
typedef struct mldsa_home {
    uint8_t xi[RS_MLDSA_SEED_BYTES], rnd[RS_MLDSA_RANDOM_BYTES], sk[RS_MLDSA_SK_BYTES_MAX];
    uint8_t text[RS_MLDSA_SEED_BYTES + 2], expanded[128];
    uint8_t nonce_text[32 + RS_MLDSA_RANDOM_BYTES + RS_MLDSA_MU_BYTES], rho_prime[64 + 2], stream[RS_MLDSA_Z_BYTES_MAX];
    rs_mldsa_poly_t poly;
} mldsa_home_t;

static struct {
    bench_t b;
    const rs_mldsa_params_t *p;
    rs_mldsa_set_t set;
    uint8_t pk[RS_MLDSA_PK_BYTES_MAX], again[RS_MLDSA_PK_BYTES_MAX], signature[RS_MLDSA_SIGNATURE_BYTES_MAX];
} dsa;

static const uint8_t TEXT[] = "a message";
static const rs_mldsa_message_t MESSAGE = {.bytes = {TEXT, sizeof TEXT}};

static mldsa_home_t *mldsa_home_of(const bench_t *b) { return (mldsa_home_t *)(void *)b->f.secret.ntt; }

static void run_mldsa_keygen(bench_t *b) {
    mldsa_home_t *home = mldsa_home_of(b);
    CHECK_OK(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = dsa.set, .pk = {dsa.pk, dsa.p->sizes.pk},
                                        .sk = {home->sk, dsa.p->sizes.sk}, .seed = {home->xi, sizeof home->xi},
                                        .workspace = fixture_room(&b->f))));
}

static void run_mldsa_check(bench_t *b) {
    CHECK_OK(rs_mldsa_public_key(dsa.set, (rs_bytes_t){dsa.again, dsa.p->sizes.pk},
                                 (rs_view_t){mldsa_home_of(b)->sk, dsa.p->sizes.sk}, fixture_room(&b->f)));
    CHECK_EQ_MEM(dsa.again, dsa.pk, dsa.p->sizes.pk);
}

static void run_mldsa_sign(bench_t *b) {
    mldsa_home_t *home = mldsa_home_of(b);
    CHECK_OK(
        rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = dsa.set, .mode = RS_MLDSA_GIVEN, .sk = {home->sk, dsa.p->sizes.sk},
                                 .message = MESSAGE, .signature = {dsa.signature, dsa.p->sizes.signature},
                                 .rnd = {home->rnd, sizeof home->rnd}, .workspace = fixture_room(&b->f))));
}

// A polynomial as it is signed with: its transform.
static void look_for_transform(mldsa_home_t *home) {
    rs_mldsa_forward(&home->poly);
    look_for_bytes(&home->poly, sizeof home->poly);
}

// What is secret of a key: xi, rho', K, s1, s2, t0; of a signature: rho'' and the masks y, of rounds that were refused and the one that was
// not. It is the last of the first ROUNDS; later ones are not there.
static __attribute__((noinline)) void look_for_mldsa(void) {
    enum { ROUNDS = 4 };
    mldsa_home_t *home = mldsa_home_of(&dsa.b);
    const rs_mldsa_params_t *p = dsa.p;
    const size_t eta_bytes = rs_mldsa_eta_bytes(p);
    look_for_bytes(home->xi, sizeof home->xi);
    memcpy(home->text, home->xi, sizeof home->xi);
    home->text[sizeof home->xi] = p->k;
    home->text[sizeof home->xi + 1] = p->l;
    rs_shake256(home->expanded, sizeof home->expanded, home->text, sizeof home->text);
    CHECK_EQ_MEM(home->expanded + 96, home->sk + RS_MLDSA_SK_K, 32);
    look_for_bytes(home->expanded + 32, 96); // rho is public
    look_for_bytes(home->sk + RS_MLDSA_SK_S1, p->sizes.sk - RS_MLDSA_SK_S1);
    const uint8_t *packed = home->sk + RS_MLDSA_SK_S1;
    for (unsigned i = 0; i < (unsigned)p->l + p->k; i++, packed += eta_bytes) {
        rs_mldsa_unpack_below(&home->poly, packed, p->eta, p->eta_bits);
        look_for_transform(home);
    }
    for (unsigned i = 0; i < p->k; i++, packed += RS_MLDSA_T0_BYTES) {
        rs_mldsa_unpack_below(&home->poly, packed, 4096, RS_MLDSA_DROPPED_BITS);
        look_for_transform(home);
    }
    memcpy(home->nonce_text, home->sk + RS_MLDSA_SK_K, 32);
    memcpy(home->nonce_text + 32, home->rnd, sizeof home->rnd);
    CHECK_OK(
        rs_mldsa_mu(dsa.set, (rs_bytes_t){home->nonce_text + 64, RS_MLDSA_MU_BYTES}, (rs_view_t){dsa.pk, p->sizes.pk}, &MESSAGE));
    rs_shake256(home->rho_prime, 64, home->nonce_text, sizeof home->nonce_text);
    look_for_bytes(home->rho_prime, 64);
    for (unsigned kappa = 0; kappa < ROUNDS * (unsigned)p->l; kappa++) {
        home->rho_prime[64] = (uint8_t)kappa;
        rs_shake256(home->stream, rs_mldsa_z_bytes(p), home->rho_prime, sizeof home->rho_prime);
        look_for_bytes(home->stream, rs_mldsa_z_bytes(p));
        rs_mldsa_unpack_below(&home->poly, home->stream, 1 << (p->z_bits - 1), p->z_bits);
        look_for_transform(home);
    }
}

static void check_mldsa(rs_mldsa_set_t set, uint64_t state) {
    memset(&dsa, 0, sizeof dsa);
    dsa.set = set;
    dsa.p = rs_mldsa_params(set);
    dsa.b.f.secret.ntt = words(LIMBS * (size_t)N);
    const rs_mldsa_sizes_t *s = &dsa.p->sizes;
    const size_t sizes[] = {s->small_workspace, s->workspace, s->fast_workspace};
    dsa.b.f.workspace = words(s->fast_workspace / 8);
    three_power = 1; // no coefficients are looked for
    mldsa_home_t *home = mldsa_home_of(&dsa.b);
    for (unsigned i = 0; i < sizeof home->xi; i++) home->xi[i] = (uint8_t)rs_test_random(&state);
    for (unsigned i = 0; i < sizeof home->rnd; i++) home->rnd[i] = (uint8_t)rs_test_random(&state);
    dsa.b.f.workspace_bytes = s->verify_workspace;
    run_below(run_mldsa_keygen, &dsa.b);
    look_for_mldsa();
    wipe_stack();
    check_leaves_nothing("ML-DSA keygen", run_mldsa_keygen, &dsa.b);
    check_leaves_nothing("ML-DSA check", run_mldsa_check, &dsa.b);
    for (unsigned i = 0; i < 3; i++) {
        dsa.b.f.workspace_bytes = sizes[i];
        check_leaves_nothing("ML-DSA sign", run_mldsa_sign, &dsa.b);
    }
    memset(looked_for, 0, sizeof looked_for);
    rs_zeroize(home, sizeof *home);
}

static void check_mldsa_sets(uint64_t number) {
    static const rs_mldsa_set_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    for (unsigned k = 0; k < 3; k++) check_mldsa(SETS[k], 10 * number + k);
}

RS_TEST(mldsa_leaves_no_secret) {
    EACH (k) check_mldsa_sets(k);
}

// ---- operations that fail in the middle -----------------------------------------------------------------------------------
static unsigned calls_left = UINT32_MAX; // until the expansion of a seed fails

rs_status_t __real_rs_uniform_init(rs_uniform_t *state, rs_seed_type_t type, const rs_seed_t *seed, uint32_t log_n, uint32_t limbs);
rs_status_t __wrap_rs_uniform_init(rs_uniform_t *state, rs_seed_type_t type, const rs_seed_t *seed, uint32_t log_n, uint32_t limbs);
rs_status_t __real_rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out);
rs_status_t __wrap_rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out);

rs_status_t __wrap_rs_uniform_init(rs_uniform_t *state, rs_seed_type_t type, const rs_seed_t *seed, uint32_t log_n,
                                   uint32_t limbs) {
    return calls_left-- ? __real_rs_uniform_init(state, type, seed, log_n, limbs) : RS_ERR_SEED_TYPE;
}

rs_status_t __wrap_rs_uniform_next(rs_uniform_t *state, uint64_t q, uint64_t *out) {
    return calls_left-- ? __real_rs_uniform_next(state, q, out) : RS_ERR_SEED_TYPE;
}

static rs_status_t fail_public(fixture_t *f) {
    return keygen_public(f->context, &f->secret, &f->public_key, &f->rng, f->workspace, f->workspace_bytes);
}

static rs_status_t fail_switch(fixture_t *f) {
    return keygen_switch(f->context, &f->secret, 0, 0, &f->public_key, &f->rng, f->workspace, f->workspace_bytes);
}

static rs_status_t fail_pair_check(fixture_t *f) { return rs_key_check(f->context, &f->secret, &f->public_key, fixture_room(f)); }

static rs_status_t fail_encrypt(fixture_t *f) {
    rs_plaintext_t plaintext = {.form = RS_FORM_NTT, .limb_count = f->data_limbs, .scale = 0x1p40, .ntt = f->secret.ntt};
    memcpy(plaintext.parms_id, rs_context_parms_id(f->context, f->data_limbs), RS_PARMS_ID_BYTES);
    return fixture_encrypt(f, RS_ENCRYPT_SK, &plaintext, &f->public_key);
}

// The workspace holds an error polynomial when the expansion of the public seed fails, at whatever limb.
RS_TEST(failures_leave_nothing_in_the_workspace) {
    enum { UNTOUCHED = 0xa5 };
    rs_status_t (*const operations[])(fixture_t *) = {fail_pair_check, fail_public, fail_switch, fail_encrypt};
    fixture_t f;
    fixture_init(&f, 1024, BITS, LIMBS);
    for (unsigned i = 0; i < sizeof operations / sizeof operations[0]; i++) {
        f.public_key.seeded = 1;
        unsigned failed = 0;
        for (; failed <= LIMBS + 1; failed++) {
            memset(f.workspace, UNTOUCHED, f.workspace_bytes);
            calls_left = failed;
            const rs_status_t status = operations[i](&f);
            calls_left = UINT32_MAX;
            if (status == RS_OK) break;
            CHECK_STATUS(status, RS_ERR_SEED_TYPE);
            const uint8_t *bytes = f.workspace;
            size_t left = 0;
            for (size_t at = 0; at < f.workspace_bytes; at++) left += bytes[at] != 0 && bytes[at] != UNTOUCHED;
            CHECK_EQ_U64(left, 0);
        }
        CHECK(failed >= f.data_limbs + 1); // before the first limb, and at each
    }
}

// ---- the search itself ---------------------------------------------------------------------------------------------------
// What the search finds where something is left: on the heap after free, below the stack's end, in static memory, at any address.
static void leave_on_stack(bench_t *b) {
    uint64_t copy[16];
    memcpy(copy, b->f.secret.ntt + 100, sizeof copy);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

static void leave_on_heap(bench_t *b) {
    uint8_t *copy = rs_test_own(malloc(1001));
    memcpy(copy + 501, b->f.secret.ntt + N, 500);
    __asm__ volatile("" : : "r"(copy) : "memory");
}

static int8_t left[N];

static void leave_coefficients(bench_t *b) {
    uint64_t *coefficients = words(N);
    memcpy(coefficients, b->f.secret.ntt, 8 * N);
    rs_plan_inverse(rs_context_plan(b->f.context, 0), coefficients);
    for (size_t i = 0; i < 64; i++) left[i] = (int8_t)(coefficients[i] < 2 ? (int)coefficients[i] : -1);
    rs_zeroize(coefficients, 8 * N);
}

RS_TEST(the_search_finds_what_is_left) {
    bench_t b = {0};
    uint64_t state = 7;
    fixture_init(&b.f, N, BITS, LIMBS);
    b.f.rng = (rs_rng_t){fill_noted, &state};
    check_leaves_nothing("keygen", run_keygen, &b);
    run_below(leave_on_stack, &b);
    CHECK(search(&b.f).words >= 16);
    run_below(leave_on_heap, &b);
    CHECK(search(&b.f).words >= 60);
    run_below(leave_coefficients, &b);
    CHECK(search(&b.f).windows > 0);
    memset(left, 0, sizeof left);
}
