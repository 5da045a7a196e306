// SPDX-License-Identifier: Apache-2.0
// Constant time: no branch and no memory index depends on a secret.
//
// Built with RS_CTGRIND and run under valgrind's memcheck (tests/constant_time). Secrets are marked as undefined memory: seeds, secret
// keys, message values, plaintext coefficients. Memcheck follows the mark through all arithmetic and reports every jump and every
// address that depends on it (Langley 2010, "ctgrind"). What the code under test makes public on purpose it declassifies itself
// (RS_DECLASSIFY in lib/src, each with its reason); here only the seed of c1 is public, as soon as it is drawn.
// The same goes for the compiled release code: same compiler, same optimisation.
//
// Not seen by memcheck: instructions whose time depends on their operands (divisions: tests/constant_time/test_variable_latency.py;
// subnormal numbers: test_subnormals.c), and caches under speculation. See docs/threat-model.md.
//
// The tests control_… leak deliberately, and demand that memcheck notices.
#include <ringside/golden.h>
#include <valgrind/memcheck.h>

#include "fields_design.h"
#include "fixture.h"
#include "lean/lean.h"
#include "machine/machine.h"
#include "mldsa/on_core/on_core.h"
#include "mlkem/on_core/on_core.h"
#include "papers/newhope/on_core/on_core.h"

#ifndef RS_CTGRIND
#error "configure with -DRS_CTGRIND=ON: without it the library does not declassify anything"
#endif

// ---- marks -------------------------------------------------------------------------------------
static void make_secret(void *memory, size_t bytes) { (void)VALGRIND_MAKE_MEM_UNDEFINED(memory, bytes); }

static void make_public(void *memory, size_t bytes) { (void)VALGRIND_MAKE_MEM_DEFINED(memory, bytes); }

// Whether some bit of the memory depends on a secret: guards against tests that test nothing.
static int is_secret(const void *memory, size_t bytes) {
    const uint8_t *p = memory;
    uint8_t bits[256];
    for (size_t done = 0; done < bytes; done += sizeof bits) {
        const size_t take = bytes - done < sizeof bits ? bytes - done : sizeof bits;
        if (VALGRIND_GET_VBITS(p + done, bits, take) != 1) return 0; // not under valgrind
        for (size_t i = 0; i < take; i++) {
            if (bits[i]) return 1;
        }
    }
    return 0;
}

// ---- setting -----------------------------------------------------------------------------------
typedef struct secret_rng {
    rs_rng_t inner;
    rs_rng_deterministic_t inner_state;
    unsigned fills;
    unsigned public_fills; // bit k: fill k is a public seed
} secret_rng_t;

typedef struct setting {
    fixture_t f; // its keys are public at first
    secret_rng_t rng_state;
    uint32_t limbs;
    double scale;
    rs_memory_t room; // the workspace
    double *values;
    double *decoded;
    rs_plaintext_t message;
    rs_plaintext_t decrypted;
    rs_ciphertext_t ciphertext;
} setting_t;

static rs_status_t fill_secret(void *opaque, uint8_t *out, size_t bytes) {
    secret_rng_t *state = opaque;
    const rs_status_t status = state->inner.fill(state->inner.state, out, bytes);
    if (!(state->public_fills >> state->fills++ & 1)) make_secret(out, bytes);
    return status;
}

static void start_rng(setting_t *s, unsigned public_fills) {
    const rs_seed_t seed = {{7}};
    CHECK_OK(rs_rng_deterministic(&s->rng_state.inner, &s->rng_state.inner_state, &seed, "insecure-deterministic"));
    s->rng_state.fills = 0;
    s->rng_state.public_fills = public_fills;
    s->f.rng = (rs_rng_t){fill_secret, &s->rng_state};
}

enum { NO_PUBLIC_SEED = 0, SECOND_SEED_PUBLIC = 2 };

static void *allocate(size_t bytes) { return rs_test_own(calloc(1, bytes + 8)); }

// Everything up to encrypted messages, with all memory public again.
static void open_setting(setting_t *s, uint32_t n, const uint32_t *bits, uint32_t limbs, double scale) {
    memset(s, 0, sizeof *s);
    fixture_init(&s->f, n, bits, limbs);
    s->limbs = limbs;
    s->scale = scale;
    s->room = fixture_room(&s->f);
    s->values = doubles(n);
    s->decoded = doubles(n);
    for (uint32_t i = 0; i < n; i++) s->values[i] = ((int)(i * 37 % 1000) - 500) / 500.0;
    s->message.message = doubles(n);
    s->decrypted.ntt = words((size_t)limbs * n);
    s->ciphertext = (rs_ciphertext_t){.data = words((size_t)2 * limbs * n), .seed_type = RS_SEED_SHAKE256};
}

static size_t key_bytes(const setting_t *s) { return (size_t)s->limbs * s->f.n * sizeof(uint64_t); }

static void make_keys(setting_t *s) {
    start_rng(s, SECOND_SEED_PUBLIC);
    s->rng_state.public_fills = ~0u;
    CHECK_OK(rs_keygen_secret(s->f.context, &s->f.secret, &s->f.rng));
    CHECK_OK(keygen_public(s->f.context, &s->f.secret, &s->f.public_key, &s->f.rng, s->f.workspace, s->f.workspace_bytes));
}

static void encode_message(setting_t *s, int is_complex) {
    const size_t count = s->f.n / 2;
    CHECK_OK(encode_words(s->f.context, &s->message, s->values, count, is_complex, s->scale, s->f.data_limbs));
    CHECK_OK(encode_values(s->f.context, &s->message, s->values, count, is_complex, s->scale, s->f.data_limbs));
}

// ---- operations --------------------------------------------------------------------------------
static void keys(setting_t *s) {
    start_rng(s, NO_PUBLIC_SEED);
    CHECK_OK(rs_keygen_secret(s->f.context, &s->f.secret, &s->f.rng));
    CHECK(is_secret(s->f.secret.ntt, 8));
    CHECK(is_secret(s->f.secret.ntt + (size_t)s->limbs * s->f.n - 1, 8));
    CHECK_OK(rs_key_check(s->f.context, &s->f.secret, NULL, s->room));
    rs_seed_t seed;
    CHECK_OK(s->f.rng.fill(s->f.rng.state, seed.bytes, sizeof seed));
    rs_sample_sparse((int8_t *)s->f.public_key.data, s->f.n, 32, &seed);
    CHECK(is_secret(s->f.public_key.data, s->f.n));
    for (uint32_t seeded = 0; seeded < 2; seeded++) {
        start_rng(s, SECOND_SEED_PUBLIC);
        s->f.public_key.seeded = seeded;
        s->f.public_key.seed_type = seeded ? RS_SEED_BLAKE2XB : RS_SEED_SHAKE256;
        CHECK_OK(keygen_public(s->f.context, &s->f.secret, &s->f.public_key, &s->f.rng, s->f.workspace, s->f.workspace_bytes));
        CHECK(is_secret(s->f.public_key.data, key_bytes(s)));
        CHECK_OK(rs_key_check(s->f.context, &s->f.secret, &s->f.public_key, s->room));
        if (!seeded) CHECK(!is_secret(s->f.public_key.data + (size_t)s->limbs * s->f.n, key_bytes(s)));
        for (uint32_t element = 0; s->limbs > 1 && element <= 3; element += 3) {
            start_rng(s, SECOND_SEED_PUBLIC);
            s->f.public_key.seeded = seeded;
            CHECK_OK(keygen_switch(s->f.context, &s->f.secret, element, 0, &s->f.public_key, &s->f.rng, s->f.workspace,
                                   s->f.workspace_bytes));
            CHECK(is_secret(s->f.public_key.data, key_bytes(s)));
        }
    }
}

static void encode(setting_t *s) {
    const size_t bytes = s->f.n * sizeof(double);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        make_secret(s->values, bytes);
        encode_message(s, is_complex);
        CHECK(is_secret(coefs(&s->message), bytes));
        uint64_t *limb = s->f.workspace;
        for (uint32_t i = 0; i < s->f.data_limbs; i++) {
            CHECK_OK(rs_plaintext_limb(s->f.context, &s->message, i, limb));
            CHECK(is_secret(limb, s->f.n * sizeof *limb));
        }
    }
    // What is refused: only that it is refused is public.
    make_public(s->values, bytes);
    s->values[3] = 1e300;
    make_secret(s->values, bytes);
    const rs_status_t status = encode_values(s->f.context, &s->message, s->values, s->f.n / 2, 0, s->scale, s->f.data_limbs);
    CHECK_STATUS(status, RS_ERR_OVERFLOW);
}

static void check_ciphertext(setting_t *s, uint32_t polys) {
    const size_t words = (size_t)s->f.data_limbs * s->f.n;
    for (uint32_t j = 0; j < polys; j++) {
        CHECK(is_secret(s->ciphertext.data + j * words, words * sizeof(uint64_t)));
    }
}

static void encrypt_with_public_key(setting_t *s) {
    static const rs_encryption_t KINDS[] = {RS_ENCRYPT_PK, RS_ENCRYPT_PK_DIRECT};
    make_keys(s);
    make_secret(s->values, s->f.n * sizeof(double));
    encode_message(s, 1);
    rs_plaintext_t ntt_form = s->message;
    ntt_form.form = RS_FORM_NTT;
    ntt_form.ntt = s->decrypted.ntt;
    for (uint32_t i = 0; i < s->f.data_limbs; i++) {
        CHECK_OK(rs_plaintext_limb(s->f.context, &s->message, i, ntt_form.ntt + (size_t)i * s->f.n));
    }
    for (unsigned k = 0; k < 4; k++) {
        start_rng(s, NO_PUBLIC_SEED);
        memset(s->ciphertext.data, 0, key_bytes(s));
        CHECK_OK(fixture_encrypt(&s->f, KINDS[k % 2], k < 2 ? &s->message : &ntt_form, &s->ciphertext));
        check_ciphertext(s, 2);
    }
}

static void encrypt_with_secret_key(setting_t *s) {
    make_keys(s);
    make_secret(s->f.secret.ntt, key_bytes(s));
    make_secret(s->values, s->f.n * sizeof(double));
    encode_message(s, 0);
    for (uint32_t seeded = 0; seeded < 2; seeded++) {
        start_rng(s, SECOND_SEED_PUBLIC);
        s->ciphertext.seeded = seeded;
        s->ciphertext.seed_type = seeded ? RS_SEED_BLAKE2XB : RS_SEED_SHAKE256;
        CHECK_OK(fixture_encrypt(&s->f, RS_ENCRYPT_SK, &s->message, &s->ciphertext));
        check_ciphertext(s, 1);
    }
}

// Without secrets, so that the ciphertext is public: as it comes from a server.
static void make_ciphertext(setting_t *s) {
    make_keys(s);
    encode_message(s, 1);
    CHECK_OK(fixture_encrypt(&s->f, RS_ENCRYPT_SK, &s->message, &s->ciphertext));
    make_secret(s->f.secret.ntt, key_bytes(s));
}

static void decrypt(setting_t *s) {
    for (uint32_t seeded = 0; seeded < 2; seeded++) {
        make_public(s->f.secret.ntt, key_bytes(s));
        s->ciphertext.seeded = seeded;
        make_ciphertext(s);
        for (uint32_t limbs = 1; limbs <= s->f.data_limbs; limbs++) {
            CHECK_OK(fixture_decrypt(&s->f, &s->ciphertext, limbs, &s->decrypted));
            CHECK(is_secret(s->decrypted.ntt, limbs * s->f.n * sizeof(uint64_t)));
        }
    }
}

static void decode(setting_t *s) {
    make_ciphertext(s);
    for (int is_complex = 0; is_complex < 2; is_complex++) {
        CHECK_OK(fixture_decrypt(&s->f, &s->ciphertext, s->f.data_limbs, &s->decrypted));
        CHECK_OK(
            decode_values(s->f.context, &s->decrypted, s->decoded, s->f.n / 2, is_complex, s->f.workspace, s->f.workspace_bytes));
        CHECK(is_secret(s->decoded, s->f.n / 2 * sizeof(double)));
    }
    make_public(s->decoded, s->f.n * sizeof(double));
    for (uint32_t i = 0; i < s->f.n; i++) CHECK_NEAR(s->decoded[i], s->values[i], 0.25);
}

// A message far above the scale takes the long way through decode.
static void decode_large(setting_t *s) {
    make_secret(s->decrypted.ntt, key_bytes(s)); // random residues: all of [0, Q)
    make_public(s->decrypted.ntt, key_bytes(s));
    for (uint32_t limb = 0; limb < s->f.data_limbs; limb++) {
        for (uint32_t i = 0; i < s->f.n; i++) {
            s->decrypted.ntt[(size_t)limb * s->f.n + i] = (i + 1) * 0x9e3779b97f4a7c15u % s->f.params.moduli[limb];
        }
    }
    make_secret(s->decrypted.ntt, key_bytes(s));
    s->decrypted.form = RS_FORM_NTT;
    s->decrypted.limb_count = s->f.data_limbs;
    s->decrypted.scale = 2.0;
    memcpy(s->decrypted.parms_id, rs_context_parms_id(s->f.context, s->f.data_limbs), RS_PARMS_ID_BYTES);
    CHECK_OK(decode_values(s->f.context, &s->decrypted, s->decoded, s->f.n / 2, 1, s->f.workspace, s->f.workspace_bytes));
    CHECK(is_secret(s->decoded, s->f.n * sizeof(double)));
}

// There and back in fixed point: doubles and integers in, doubles and integers out, from one limb and from two.
static void fixed_point(setting_t *s) {
    static const uint32_t WIDTHS[] = {32, 54, 64}; // one for each class of arithmetic (encoding/fixed.c)
    const size_t size = rs_fixed_size(s->f.params.log_n);
    void *memory = allocate(size);
    int16_t *numbers = allocate(s->f.n * sizeof *numbers);
    for (unsigned k = 0; k < 3; k++) {
        const rs_fixed_t *fixed;
        CHECK_OK(rs_fixed_init(&fixed, memory, size, s->f.params.log_n, WIDTHS[k]));
        for (uint32_t limbs = 1; limbs <= 2 && limbs <= s->f.data_limbs; limbs++) {
            rs_fixed_layout_t doubles = {RS_FIXED_BINARY64, 1, s->f.n / 2, 0, 1};
            make_secret(s->values, s->f.n * sizeof(double));
            double beyond = 1; // at such a scale the second limb is read
            while (beyond < (double)s->f.params.moduli[0]) beyond *= 2;
            CHECK_OK(encode_fixed(s->f.context, fixed, &s->decrypted, s->values, &doubles, limbs & 1 ? 1.3e9 : beyond, limbs));
            for (uint32_t i = 0; i < limbs; i++) CHECK(is_secret(s->decrypted.ntt + (size_t)i * s->f.n, s->f.n * sizeof(uint64_t)));
            CHECK_OK(decode_fixed(s->f.context, fixed, &s->decrypted, s->decoded, &doubles));
            CHECK(is_secret(s->decoded, s->f.n * sizeof(double)));
            make_public(s->decoded, s->f.n * sizeof(double));
            make_public(s->values, s->f.n * sizeof(double));
            for (uint32_t i = 0; i < s->f.n; i++) CHECK_NEAR(s->decoded[i], s->values[i], 0.0001);

            rs_fixed_layout_t integers = {RS_FIXED_INT16, 0, s->f.n / 2, -14, 3};
            for (uint32_t i = 0; i < s->f.n / 2; i++) numbers[i] = (int16_t)(i * 7919);
            make_secret(numbers, s->f.n / 2 * sizeof *numbers);
            CHECK_OK(
                encode_fixed(s->f.context, fixed, &s->decrypted, numbers, &integers, limbs & 1 ? 0x1p28 : beyond * 0.3, limbs));
            s->decrypted.scale *= 1.25; // so that digits are scaled by a product
            integers.exponent++;
            CHECK_OK(decode_fixed(s->f.context, fixed, &s->decrypted, numbers, &integers));
            CHECK(is_secret(numbers, s->f.n / 2 * sizeof *numbers));
        }
        // What is refused: only that it is refused is public.
        rs_fixed_layout_t narrow = {RS_FIXED_BINARY64, 0, s->f.n / 2, 0, -1};
        make_secret(s->values, s->f.n * sizeof(double));
        CHECK_STATUS(encode_fixed(s->f.context, fixed, &s->decrypted, s->values, &narrow, 0x1p30, 1), RS_ERR_VALUE_RANGE);
    }
}

static rs_status_t read_public_key(void *state, uint32_t poly, uint32_t limb, uint32_t first, uint32_t count, uint32_t *words) {
    const setting_t *s = state;
    for (uint32_t i = 0; i < count; i++) {
        words[i] = (uint32_t)s->f.public_key.data[((size_t)poly * s->limbs + limb) * s->f.n + first + i];
    }
    return RS_OK;
}

// The lean client (lean.h), by either Keccak: keys, encryption, decryption.
static void lean(setting_t *s) {
    static const rs_hash_t *const TABLES[] = {&RS_HASH_PORTABLE, &RS_HASH_INTERLEAVED};
    const size_t size = rs_lean_size(&s->f.params), key_size = rs_lean_key_bytes(&s->f.params), capacity = 2 * key_bytes(s) + 4096;
    uint8_t *key = allocate(key_size), *file = allocate(capacity);
    const rs_view_t key_view = {key, key_size};
    int16_t *numbers = allocate(s->f.n * sizeof *numbers);
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, s->f.n / 2, -15, 1};
    rs_fixed_layout_t decoded = {RS_FIXED_INT16, 0, s->f.n / 2, -9, 1};
    for (unsigned k = 0; k < 2; k++) {
        rs_lean_t *lean;
        rs_sink_t sink;
        rs_source_t source;
        rs_memory_sink_t written;
        rs_memory_source_t read;
        CHECK_OK(rs_lean_init(&lean, (rs_memory_t){allocate(size), size}, &s->f.params, RS_SECURITY_UNCHECKED));
        lean->hash = TABLES[k];
        start_rng(s, NO_PUBLIC_SEED);
        CHECK_OK(rs_lean_keygen(lean, (rs_bytes_t){key, key_size}, &s->f.rng));
        CHECK(is_secret(key, 8) && is_secret(key + key_size - 8, 8));
        rs_sink_to_memory(&sink, &written, file, capacity);
        CHECK_OK(rs_lean_write_secret_key(lean, key_view, &sink, NULL));
        CHECK(is_secret(file + written.bytes - 8, 8));
        make_keys(s);
        make_secret(s->f.secret.ntt, key_bytes(s));
        CHECK_OK(rs_lean_pack_key(s->f.context, &s->f.secret, (rs_bytes_t){key, key_size}, s->room));
        CHECK(is_secret(key, 8));
        make_public(s->f.secret.ntt, key_bytes(s));

        for (uint32_t i = 0; i < s->f.n / 2; i++) numbers[i] = (int16_t)(i * 7919);
        make_secret(numbers, s->f.n * sizeof *numbers);
        CHECK_OK(rs_lean_encode(lean, numbers, &layout, k ? s->scale : s->scale * 0.7, s->f.data_limbs));
        CHECK(is_secret(lean->m, s->f.n * sizeof *lean->m));
        start_rng(s, SECOND_SEED_PUBLIC);
        rs_sink_to_memory(&sink, &written, file, capacity);
        CHECK_OK(rs_lean_encrypt(lean, RS_REQUEST(rs_lean_encrypt_request_t, .kind = RS_ENCRYPT_SK, .secret_key = key_view,
                                                  .sink = &sink, .rng = &s->f.rng)));
        CHECK(is_secret(file + written.bytes / 2, 8));
        make_public(file, capacity); // as the one who decrypts gets it
        rs_source_from_memory(&source, &read, file, written.bytes);
        CHECK_OK(rs_lean_decrypt(lean, key_view, &source));
        CHECK(is_secret(lean->m, s->f.n * sizeof *lean->m));
        CHECK_OK(rs_lean_decode(lean, numbers, &decoded));
        CHECK(is_secret(numbers, s->f.n / 2 * sizeof *numbers));

        const uint32_t elements[] = {0, 3};
        uint8_t *master = allocate(RS_SEED_BYTES);
        make_secret(master, RS_SEED_BYTES);
        for (unsigned galois = 0; galois < 2 && s->limbs > 1; galois++) {
            const size_t needed = RS_LEAN_KEYS_BYTES(s->f.params.log_n);
            rs_lean_t *small;
            CHECK_OK(rs_lean_init(&small, (rs_memory_t){allocate(needed), needed}, &s->f.params, RS_SECURITY_UNCHECKED));
            rs_lean_keys_request_t keys = {.size = sizeof keys, .count = 1, .elements = elements + galois, .sink = &sink};
            keys.secret_key = key_view;
            keys.master = (rs_view_t){master, RS_SEED_BYTES};
            keys.bytes = 16 + 40 + 8 * (galois + 1) + 105 + 16 * s->f.n;
            rs_sink_to_memory(&sink, &written, file, capacity);
            CHECK_OK(rs_lean_write_switch_keys(k ? small : lean, &keys));
            CHECK(is_secret(file + written.bytes - 8, 8));
            make_public(file, capacity);
        }

        const rs_lean_public_key_t source_of_key = {read_public_key, s};
        CHECK_OK(rs_lean_encode(lean, numbers, &layout, s->scale, s->f.data_limbs));
        for (rs_encryption_t kind = RS_ENCRYPT_PK; kind <= RS_ENCRYPT_PK_DIRECT; kind++) {
            CHECK_OK(rs_lean_encode(lean, numbers, &layout, s->scale, s->f.data_limbs));
            start_rng(s, NO_PUBLIC_SEED);
            rs_sink_to_memory(&sink, &written, file, capacity);
            CHECK_OK(rs_lean_encrypt(lean, RS_REQUEST(rs_lean_encrypt_request_t, .kind = kind, .public_key = &source_of_key,
                                                      .sink = &sink, .rng = &s->f.rng)));
            CHECK(is_secret(file + written.bytes / 2, 8) && is_secret(file + written.bytes - 8, 8));
        }
    }
}

// For others to see, with noise and without: the values are public at last, but not on the way.
static void publish(setting_t *s) {
    make_ciphertext(s);
    const size_t size = 2 * decrypt_bytes(s->f.context);
    void *workspace = allocate(size);
    for (uint32_t flood_bits = 0; flood_bits <= 6; flood_bits += 6) {
        const rs_publish_t how = {.bits = 4, .flood_bits = flood_bits ? flood_bits : RS_FLOOD_NONE};
        start_rng(s, NO_PUBLIC_SEED);
        CHECK_OK(fixture_decrypt(&s->f, &s->ciphertext, s->f.data_limbs, &s->decrypted));
        CHECK_OK(decode_public(s->f.context, &s->decrypted, s->decoded, s->f.n / 2, 1, &how, &s->f.rng, workspace, size));
        CHECK(is_secret(s->decoded, s->f.n / 2 * sizeof(double)));
    }
}

// Files that hold secrets, uncompressed: compression is not constant-time, and docs/threat-model.md says so.
static void write_secrets(setting_t *s) {
    const size_t capacity = key_bytes(s) + 4096;
    uint8_t *file = allocate(capacity);
    rs_sink_t sink;
    rs_memory_sink_t state;
    rs_wire_write_request_t request = {.size = sizeof request, .kind = RS_WIRE_SECRET_KEY, .context = s->f.context, .sink = &sink};
    request.secret_key = &s->f.secret;
    request.plaintext = &s->message;
    request.workspace = s->room;
    make_keys(s);
    make_secret(s->f.secret.ntt, key_bytes(s));
    rs_sink_to_memory(&sink, &state, file, capacity);
    CHECK_OK(rs_wire_write_secret_key(&request));
    CHECK(is_secret(file, state.bytes));
    make_secret(s->values, s->f.n * sizeof(double));
    encode_message(s, 0);
    rs_sink_to_memory(&sink, &state, file, capacity);
    request.kind = RS_WIRE_PLAINTEXT;
    CHECK_OK(rs_wire_write(&request));
    CHECK(is_secret(file, state.bytes));
}

static void read_secrets(setting_t *s) {
    const size_t capacity = key_bytes(s) + 4096;
    uint8_t *file = allocate(capacity);
    rs_sink_t sink;
    rs_memory_sink_t sink_state;
    rs_source_t source;
    rs_memory_source_t source_state;
    rs_wire_reader_t reader;
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_SECRET_KEY, .secret_key = &s->f.secret};
    make_keys(s);
    rs_sink_to_memory(&sink, &sink_state, file, capacity);
    CHECK_OK(rs_wire_write_secret_key(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_SECRET_KEY, .context = s->f.context,
                                                 .sink = &sink, .secret_key = &s->f.secret)));
    make_secret(file + sink_state.bytes - key_bytes(s), key_bytes(s)); // the words come last
    rs_source_from_memory(&source, &source_state, file, sink_state.bytes);
    CHECK_OK(rs_wire_open(&reader, &source, NULL));
    CHECK_OK(rs_wire_read_begin(&reader, s->f.context, &target));
    CHECK_OK(rs_wire_read_words(&reader, &target));
    CHECK_OK(rs_wire_close(&reader, 1));
    CHECK(is_secret(s->f.secret.ntt, key_bytes(s)));
}

// ML-DSA: xi, rnd and the message are secret. rho is public at once; t1 and tr are when the caller publishes them; an accepted signature is.
static void sign_messages(rs_mldsa_set_t set) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    const size_t pk_bytes = sizes->pk, sk_bytes = sizes->sk, signature_bytes = sizes->signature;
    uint8_t *pk = allocate(pk_bytes), *other = allocate(pk_bytes), *sk = allocate(sk_bytes), *signature = allocate(signature_bytes);
    uint8_t xi[RS_MLDSA_SEED_BYTES] = {1, 2, 3}, rnd[RS_MLDSA_RANDOM_BYTES] = {4, 5, 6}, message[40] = "to be kept secret";
    const rs_memory_t fast = {allocate(sizes->fast_workspace), sizes->fast_workspace}, workspace = {fast.p, sizes->workspace};
    const size_t bytes[] = {sizes->workspace, sizes->fast_workspace, sizes->small_workspace};
    const rs_view_t secret_key = {sk, sk_bytes};
    const rs_mldsa_message_t text = {.bytes = {message, sizeof message}};
    make_secret(xi, sizeof xi);
    CHECK_OK(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pk, pk_bytes}, .sk = {sk, sk_bytes},
                                        .seed = {xi, sizeof xi}, .workspace = workspace)));
    CHECK(!is_secret(pk, 32));
    CHECK(is_secret(pk + 32, pk_bytes - 32));
    CHECK(is_secret(sk + 32, 32));
    CHECK(is_secret(sk + 128, 32));
    CHECK(is_secret(sk + sk_bytes - 32, 32));
    make_public(pk, pk_bytes);
    make_public(sk + 64, 64); // tr
    CHECK_OK(rs_mldsa_public_key(set, (rs_bytes_t){NULL, 0}, secret_key, workspace));
    CHECK_OK(rs_mldsa_public_key(set, (rs_bytes_t){other, pk_bytes}, secret_key, workspace));
    make_secret(message, sizeof message);
    rs_mldsa_sign_request_t sign = {.size = sizeof sign,
                                    .set = set,
                                    .mode = RS_MLDSA_GIVEN,
                                    .sk = secret_key,
                                    .message = text,
                                    .signature = {signature, signature_bytes},
                                    .rnd = {rnd, sizeof rnd}};
    for (unsigned round = 0; round < 6; round++) {
        rnd[0] = (uint8_t)round;
        make_secret(rnd, sizeof rnd);
        sign.workspace = (rs_memory_t){fast.p, bytes[round % 3]};
        CHECK_OK(rs_mldsa_sign(&sign));
        CHECK(!is_secret(signature, signature_bytes));
    }
    CHECK_OK(rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {pk, pk_bytes}, .message = text,
                                        .signature = {signature, signature_bytes}, .workspace = workspace)));
    // a key that is refused: only that it is
    sk[128] = 0xff;
    make_secret(sk + 128, 1);
    CHECK_STATUS(rs_mldsa_sign(&sign), RS_ERR_SECRET_KEY);
}

// A row of a key over rings of the caller's, one of them wide: an error factor, a secret that it leads from.
static void key_row(setting_t *s) {
    enum { WIDE_PRIME_LIMBS = 1 };
    static const uint64_t WIDE = 1152921504607338497; // above 2^60
    const uint32_t count = s->limbs + WIDE_PRIME_LIMBS, log_n = s->f.params.log_n, n = s->f.n;
    const size_t bytes = (size_t)count * n * sizeof(uint64_t), plan_bytes = rs_plan_size(log_n);
    const rs_plan_t *rings[RS_LIMBS_MAX];
    uint64_t *to = allocate(bytes), *from = allocate(bytes), *b = allocate(bytes), *a = allocate(bytes);
    uint64_t factors[RS_LIMBS_MAX];
    rs_seed_t seed;
    for (uint32_t i = 0; i < s->limbs; i++) rings[i] = rs_context_plan(s->f.context, i);
    CHECK_OK(rs_plan_init(&rings[s->limbs], (rs_memory_t){allocate(plan_bytes), plan_bytes}, log_n, WIDE, 0));
    for (uint32_t i = 0; i < count; i++) factors[i] = 1 + i;
    for (size_t i = 0; i < (size_t)count * n; i++) to[i] = from[i] = i % 4099;
    make_secret(to, bytes);
    make_secret(from, bytes);
    for (uint64_t factor = 1; factor < 4; factor += 2) {
        start_rng(s, SECOND_SEED_PUBLIC);
        CHECK_OK(rs_keygen_row(RS_REQUEST(rs_keygen_row_request_t, .ring_count = count, .count = count, .error_factor = factor,
                                          .rings = rings, .to = to, .from = from, .factors = factors, .b = b, .a = a, .seed = &seed,
                                          .rng = &s->f.rng, .workspace = s->room)));
        CHECK(is_secret(b, 8) && is_secret(b + (size_t)count * n - 1, 8) && !is_secret(a, bytes));
    }
}

// A key-switching key from a secret master, with all tables kept and with none: the key's residues and the master are secret.
static void key_stream(setting_t *s) {
    static const uint32_t ELEMENT = 3;
    if (s->limbs < 2) return;
    const size_t least = RS_KEYS_STREAM_BYTES(s->f.params.log_n), capacity = 8 * key_bytes(s) + 16 * s->f.n;
    const size_t most = least + (size_t)RS_KEYS_STREAM_LIMB_N_BYTES * s->limbs * s->f.n;
    uint8_t *file = allocate(capacity);
    rs_seed_t *master = allocate(sizeof *master);
    rs_sink_t sink;
    rs_memory_sink_t written;
    make_keys(s);
    make_secret(s->f.secret.ntt, key_bytes(s));
    make_secret(master, sizeof *master);
    for (unsigned k = 0; k < 4; k++) {
        const size_t bytes = k & 1 ? most : least;
        rs_sink_to_memory(&sink, &written, file, capacity);
        CHECK_OK(rs_keys_stream(RS_REQUEST(rs_keys_stream_request_t, .kind = k < 2 ? RS_WIRE_RELIN_KEYS : RS_WIRE_GALOIS_KEYS,
                                           .count = k < 2 ? 0 : 1, .elements = k < 2 ? NULL : &ELEMENT, .params = &s->f.params,
                                           .secret = s->f.secret.ntt, .master = master, .sink = &sink,
                                           .memory = {allocate(bytes), bytes})));
        CHECK(is_secret(file + written.bytes / 2, 8) || is_secret(file + written.bytes / 4, 8));
        make_public(file, capacity);
    }
    make_public(s->f.secret.ntt, key_bytes(s));
}

// ---- tests -------------------------------------------------------------------------------------
// Odd and even log2 N; messages of one word, of more than one word per coefficient (scale 2^70), and a set with a single limb.
static const uint32_t BITS[] = {50, 30, 45, 14, 60};
static const uint32_t BITS_2048[] = {60, 60, 30}, NARROW[] = {30, 26, 30};

// A test of what valgrind has nothing to say of.
#define SILENT_TEST(name, ...)                           \
    RS_TEST(name) {                                      \
        const unsigned before = VALGRIND_COUNT_ERRORS;   \
        CHECK(RUNNING_ON_VALGRIND);                      \
        __VA_ARGS__;                                     \
        CHECK_EQ_U64(VALGRIND_COUNT_ERRORS - before, 0); \
    }

static void run(void (*operation)(setting_t *s), uint32_t n, const uint32_t *bits, uint32_t limbs, double scale) {
    setting_t s;
    open_setting(&s, n, bits, limbs, scale);
    operation(&s);
}

static void run_all(void (*operation)(setting_t *s)) {
    run(operation, 1024, BITS, 5, 1073741824.0);
    run(operation, 2048, BITS_2048, 3, 1180591620717411303424.0);
    run(operation, 1024, BITS, 1, 1048576.0);
}

SILENT_TEST(mldsa, sign_messages(RS_MLDSA_44); sign_messages(RS_MLDSA_65); sign_messages(RS_MLDSA_87))
SILENT_TEST(keygen, run_all(keys))
SILENT_TEST(key_rows, run_all(key_row))
SILENT_TEST(key_streams, run_all(key_stream))
SILENT_TEST(encode, run_all(encode))
SILENT_TEST(encrypt_public, run_all(encrypt_with_public_key))
SILENT_TEST(encrypt_secret, run_all(encrypt_with_secret_key))
SILENT_TEST(decrypt, run_all(decrypt))
SILENT_TEST(decode, run_all(decode))
SILENT_TEST(encode_and_decode_fixed, run_all(fixed_point))
SILENT_TEST(lean_client, run(lean, 1024, NARROW, 3, 1048576.0); run(lean, 2048, NARROW, 1, 1048576.0))
SILENT_TEST(publish, run_all(publish))
SILENT_TEST(decode_large, run_all(decode_large))
SILENT_TEST(write_secrets, run_all(write_secrets))
SILENT_TEST(read_secrets, run_all(read_secrets))

// ---- BFV and BGV -------------------------------------------------------------------------------
static rs_status_t encrypt_integers(setting_t *s, uint32_t kind, uint32_t seeded, uint32_t ntt, const rs_layout_t *layout) {
    const rs_encrypt_item_t item = {.values = s->values, .layout = layout, .count = s->f.n, .ciphertext = &s->ciphertext};
    return FIXTURE_ENCRYPT(&s->f, item, .kind = kind, .seeded = seeded, .ntt = ntt);
}

static void decrypt_integers(setting_t *s, uint32_t margin_bits, uint32_t limbs, const rs_layout_t *layout) {
    const size_t bytes = s->f.n * sizeof(uint64_t);
    const rs_decrypt_item_t item = {
        .ciphertext = &s->ciphertext, .values = s->decoded, .layout = layout, .count = s->f.n, .limb_count = limbs};
    CHECK_OK(FIXTURE_DECRYPT(&s->f, item, .margin_bits = margin_bits));
    CHECK(is_secret(s->decoded, bytes));
    make_public(s->decoded, bytes);
    CHECK_EQ_MEM(s->decoded, s->values, bytes);
}

// Keys, every way of encryption, and of decryption; then the budget.
static void integers(uint32_t scheme, uint64_t t) {
    static const uint32_t BITS[] = {40, 36, 41};
    enum { LIMBS = 3, SIZE = 1024 };
    const rs_layout_t layouts[2] = {{.packing = t != 65537}, {.packing = t != 65537, .format = 1}};
    setting_t s = {.limbs = LIMBS};
    rs_params_t params;
    CHECK_OK(params_of_scheme(&params, scheme, SIZE, BITS, LIMBS, t));
    fixture_of(&s.f, &params);
    s.room = fixture_room(&s.f);
    s.ciphertext.data = allocate(2 * key_bytes(&s));
    s.values = allocate(SIZE * sizeof(uint64_t));
    s.decoded = allocate(SIZE * sizeof(uint64_t));
    keys(&s);
    s.f.public_key.seeded = 0;
    for (unsigned k = 0; k < 12; k++) {
        const uint32_t kind = k % 3, ntt = scheme == RS_SCHEME_BFV && k >= 6, seeded = kind == RS_ENCRYPT_SK && k % 2;
        uint64_t *values = (uint64_t *)(void *)s.values;
        uint32_t budget = 0;
        make_public(s.f.secret.ntt, key_bytes(&s));
        make_keys(&s);
        for (uint32_t i = 0; i < SIZE; i++) values[i] = i * 37 % (t / 2);
        for (unsigned secret = 0; secret < 2; secret++) { // last without secrets: a ciphertext as it comes from a server
            start_rng(&s, secret ? ~0u : kind == RS_ENCRYPT_SK ? SECOND_SEED_PUBLIC : NO_PUBLIC_SEED);
            if (!secret) make_secret(values, SIZE * sizeof *values);
            if (!secret && kind == RS_ENCRYPT_SK) make_secret(s.f.secret.ntt, key_bytes(&s));
            CHECK_OK(encrypt_integers(&s, kind, seeded, ntt, &layouts[k / 3 % 2]));
            CHECK(is_secret(s.ciphertext.data, key_bytes(&s)) == !secret);
            make_public(values, SIZE * sizeof *values);
            make_public(s.f.secret.ntt, key_bytes(&s));
        }
        make_secret(s.f.secret.ntt, key_bytes(&s));
        decrypt_integers(&s, 0, 0, &layouts[0]);
        decrypt_integers(&s, 2, 0, &layouts[1]);
        if (scheme == RS_SCHEME_BGV) decrypt_integers(&s, 2, 1, &layouts[0]);
        CHECK_OK(rs_noise_budget(s.f.context, &s.f.secret, &s.ciphertext, "owner", &budget, s.room));
        CHECK(budget > 1);
    }
    // What is refused: only that it is refused is public.
    ((uint64_t *)(void *)s.values)[3] = t;
    make_secret(s.values, SIZE * sizeof(uint64_t));
    CHECK_STATUS(encrypt_integers(&s, RS_ENCRYPT_PK, 0, 0, &layouts[1]), RS_ERR_VALUE_RANGE);
}

SILENT_TEST(bfv, integers(RS_SCHEME_BFV, 65537); integers(RS_SCHEME_BFV, 1000))
SILENT_TEST(bgv, integers(RS_SCHEME_BGV, 65537); integers(RS_SCHEME_BGV, 1000))

// ---- schemes beside CKKS -----------------------------------------------------------------------
// Seeds of noise are secret, and the server's secret. Messages depend on them, so they are public only when they have been sent.
static void newhope(rs_newhope_stream_t stream) {
    const size_t bytes = rs_newhope_sizes()->memory;
    const rs_memory_t memory = {allocate(bytes), bytes};
    const rs_memory_t workspace = {allocate(rs_newhope_sizes()->workspace), rs_newhope_sizes()->workspace};
    const rs_newhope_t *scheme = NULL;
    uint8_t *server = allocate(RS_NEWHOPE_SERVER_BYTES), *secret = allocate(RS_NEWHOPE_SECRET_BYTES);
    uint8_t *client = allocate(RS_NEWHOPE_CLIENT_BYTES), *shared = allocate(2 * RS_NEWHOPE_SHARED_BYTES);
    setting_t s = {0};
    CHECK_OK(rs_newhope_init(&scheme, memory, RS_NEWHOPE_PARSE_USENIX, stream, "research-only"));
    start_rng(&s, SECOND_SEED_PUBLIC);
    CHECK_OK(
        rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = scheme, .message = {server, RS_NEWHOPE_SERVER_BYTES},
                                     .secret = {secret, RS_NEWHOPE_SECRET_BYTES}, .rng = &s.f.rng, .workspace = workspace)));
    CHECK(is_secret(server, RS_NEWHOPE_POLY_BYTES) && is_secret(secret, RS_NEWHOPE_SECRET_BYTES));
    make_public(server, RS_NEWHOPE_SERVER_BYTES);
    CHECK_OK(rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = scheme,
                                          .server_message = {server, RS_NEWHOPE_SERVER_BYTES},
                                          .message = {client, RS_NEWHOPE_CLIENT_BYTES}, .shared = {shared, RS_NEWHOPE_SHARED_BYTES},
                                          .rng = &s.f.rng, .workspace = workspace)));
    CHECK(is_secret(client, RS_NEWHOPE_POLY_BYTES) && is_secret(client + RS_NEWHOPE_POLY_BYTES, RS_NEWHOPE_HINT_BYTES));
    CHECK(is_secret(shared, RS_NEWHOPE_SHARED_BYTES));
    make_public(client, RS_NEWHOPE_CLIENT_BYTES);
    CHECK_OK(rs_newhope_shared(scheme, (rs_bytes_t){shared + RS_NEWHOPE_SHARED_BYTES, RS_NEWHOPE_SHARED_BYTES},
                               (rs_view_t){client, RS_NEWHOPE_CLIENT_BYTES}, (rs_view_t){secret, RS_NEWHOPE_SECRET_BYTES},
                               workspace));
    CHECK(is_secret(shared + RS_NEWHOPE_SHARED_BYTES, RS_NEWHOPE_SHARED_BYTES));
    make_public(shared, 2 * RS_NEWHOPE_SHARED_BYTES);
    CHECK_EQ_MEM(shared, shared + RS_NEWHOPE_SHARED_BYTES, RS_NEWHOPE_SHARED_BYTES);
}

static void newhope_of_streams(void) {
    newhope(RS_NEWHOPE_STREAM_CHACHA20);
    newhope(RS_NEWHOPE_STREAM_SHAKE256);
}

// Seeds and f, g of the key are secret; a public key, and a signature once it has been accepted, are not.
static void bliss(void) {
    const size_t bytes = rs_bliss_sizes()->memory;
    const rs_memory_t memory = {allocate(bytes), bytes};
    const rs_memory_t workspace = {allocate(rs_bliss_sizes()->workspace), rs_bliss_sizes()->workspace};
    const rs_bliss_t *scheme = NULL;
    uint8_t *public_key = allocate(RS_BLISS_PUBLIC_BYTES), *secret_key = allocate(RS_BLISS_SECRET_BYTES);
    uint8_t *signature = allocate(RS_BLISS_SIGNATURE_BYTES), message[3] = {1, 2, 3};
    setting_t s = {0};
    const rs_view_t text = {message, sizeof message};
    CHECK_OK(rs_bliss_init(&scheme, memory, "research-only"));
    start_rng(&s, NO_PUBLIC_SEED);
    for (unsigned i = 0; i < 4; i++) {
        CHECK_OK(rs_bliss_keygen(
            RS_REQUEST(rs_bliss_keygen_request_t, .scheme = scheme, .public_key = {public_key, RS_BLISS_PUBLIC_BYTES},
                       .secret_key = {secret_key, RS_BLISS_SECRET_BYTES}, .rng = &s.f.rng, .workspace = workspace)));
        CHECK(is_secret(secret_key, RS_BLISS_SECRET_BYTES) && is_secret(public_key, RS_BLISS_PUBLIC_BYTES));
        make_public(public_key, RS_BLISS_PUBLIC_BYTES);
        make_public(secret_key + RS_BLISS_SECRET_BYTES - RS_BLISS_PUBLIC_BYTES, RS_BLISS_PUBLIC_BYTES);
        CHECK_OK(rs_bliss_sign(RS_REQUEST(
            rs_bliss_sign_request_t, .scheme = scheme, .secret_key = {secret_key, RS_BLISS_SECRET_BYTES}, .message = text,
            .signature = {signature, RS_BLISS_SIGNATURE_BYTES}, .rng = &s.f.rng, .workspace = workspace)));
        CHECK(!is_secret(signature, RS_BLISS_SIGNATURE_BYTES));
        CHECK_OK(rs_bliss_verify(scheme, (rs_view_t){signature, RS_BLISS_SIGNATURE_BYTES}, text,
                                 (rs_view_t){public_key, RS_BLISS_PUBLIC_BYTES}, workspace));
    }
}

SILENT_TEST(newhope_exchange, newhope_of_streams())
SILENT_TEST(bliss_sign, bliss())

// ML-KEM: d, z and m are secret. What of the outputs is public, the caller publishes: ek and its hash, and ciphertexts.
static void encapsulate(rs_mlkem_set_t set) {
    enum { SHARED = RS_MLKEM_SHARED_BYTES, HASH = 32 };
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    const size_t ek_bytes = sizes->ek, dk_bytes = sizes->dk, ct_bytes = sizes->ct, s_bytes = ek_bytes - HASH;
    uint8_t *ek = allocate(ek_bytes), *dk = allocate(dk_bytes), *ct = allocate(ct_bytes);
    const rs_memory_t workspace = {allocate(sizes->workspace), sizes->workspace};
    uint8_t seed[RS_MLKEM_SEED_BYTES] = {1, 2, 3}, m[RS_MLKEM_RANDOM_BYTES] = {4, 5, 6}, shared[SHARED], other[SHARED];
    make_secret(seed, sizeof seed);
    CHECK_OK(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {ek, ek_bytes}, .dk = {dk, dk_bytes},
                                        .seed = {seed, sizeof seed}, .workspace = workspace)));
    CHECK(is_secret(ek, s_bytes));
    CHECK(is_secret(dk, s_bytes));
    CHECK(is_secret(dk + dk_bytes - HASH, HASH));
    make_public(ek, ek_bytes);
    make_public(dk + s_bytes, ek_bytes + HASH);
    make_secret(m, sizeof m);
    CHECK_OK(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {ek, ek_bytes}, .ct = {ct, ct_bytes},
                                        .shared = {shared, SHARED}, .m = {m, sizeof m}, .workspace = workspace)));
    CHECK(is_secret(ct, ct_bytes));
    CHECK(is_secret(shared, SHARED));
    make_public(ct, ct_bytes);
    make_public(shared, SHARED);
    for (unsigned damaged = 0; damaged < 2; damaged++) {
        ct[ct_bytes - 1] ^= (uint8_t)damaged;
        memset(other, 0, SHARED);
        CHECK_OK(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {dk, dk_bytes}, .ct = {ct, ct_bytes},
                                            .shared = {other, SHARED}, .workspace = workspace)));
        CHECK(is_secret(other, SHARED));
        make_public(other, SHARED);
        CHECK((memcmp(shared, other, SHARED) != 0) == damaged);
    }
}

SILENT_TEST(mlkem, encapsulate(RS_MLKEM_512); encapsulate(RS_MLKEM_768); encapsulate(RS_MLKEM_1024))

// ML-KEM and ML-DSA on a core: what the driver does with keys, and with what the core answers. In the core's place stands one that ends at once and leaves
// secrets in memory.
typedef struct stand_in {
    uint32_t registers[0x200 / 4];
    uint8_t *room;
    void (*ends)(struct stand_in *core);
    const rs_mlkem_params_t *p;
    size_t challenge_bytes;
    unsigned programs;
} stand_in_t;

// For decapsulation also the hash of ek, which is public.
static void mlkem_ends(stand_in_t *core) {
    uint8_t *shared = core->room + RS_MLKEM_AT_SHARED;
    make_secret(core->room + RS_MLKEM_AT_MADE, RS_MLKEM_AT_DK - RS_MLKEM_AT_MADE);
    memcpy(shared + RS_MACHINE_LINE_BYTES + RS_MLKEM_HASH_BYTES,
           core->room + rs_mlkem_ek_at(core->p) + rs_mlkem_vector_bytes(core->p) + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
}

// K, and s1, s2 and t0 of a new key.
static void mldsa_makes_keys(stand_in_t *core) {
    make_secret(core->room + RS_MLDSA_AT_K, 32);
    make_secret(core->room + RS_MLDSA_AT_S1, RS_MLDSA_AT_Z - RS_MLDSA_AT_S1);
}

// What each of the three programs of a signature leaves.
static void mldsa_signs(stand_in_t *core) {
    const struct {
        size_t at, end;
    } LEFT[] = {{RS_MLDSA_AT_MU, RS_MLDSA_AT_W1},
                {RS_MLDSA_AT_W1, RS_MLDSA_AT_TR}, // w1 and the challenge
                {RS_MLDSA_AT_Z, RS_MLDSA_AT_BALL}}; // z and the high parts
    const unsigned n = core->programs++ % 3;
    make_secret(core->room + LEFT[n].at, LEFT[n].end - LEFT[n].at);
    if (n == 1) make_secret(core->room + RS_MLDSA_AT_BALL, RS_MLDSA_BALL_BYTES);
}

// The hash of a secret message. w, and with it w1, is what anybody finds.
static void mldsa_verifies(stand_in_t *core) {
    make_secret(core->room + RS_MLDSA_AT_MU, RS_MLDSA_MU_BYTES);
    make_secret(core->room + RS_MLDSA_AT_CHALLENGE, core->challenge_bytes);
    core->programs++;
}

static rs_status_t stand_in_read(void *state, uint32_t offset, uint32_t *value) {
    *value = ((stand_in_t *)state)->registers[offset / 4];
    return RS_OK;
}

static rs_status_t stand_in_write(void *state, uint32_t offset, uint32_t value) {
    stand_in_t *core = state;
    if (offset != RS_REG_CONTROL) core->registers[offset / 4] = value;
    if (offset != RS_REG_CONTROL || !(value & RS_REG_BIT(CONTROL_START))) return RS_OK;
    core->ends(core);
    core->registers[RS_REG_STATUS / 4] = RS_REG_BIT(STATUS_DONE);
    return RS_OK;
}

// Returns its memory of so many bytes.
static uint8_t *open_stand_in(stand_in_t *core, rs_device_t *device, size_t bytes) {
    const rs_design_t design = sealed_design();
    const uint32_t facts[][2] = {{RS_REG_ID, RS_REG_ID_VALUE},
                                 {RS_REG_VERSION, RS_REG_VERSION_VALUE},
                                 {RS_REG_LANES, design.lanes},
                                 {RS_REG_WORD_BITS, design.word_bits},
                                 {RS_REG_REDUCTION, RS_REG_REDUCTION_VALUE},
                                 {RS_REG_LOG_N_MIN, design.log_n_min},
                                 {RS_REG_LOG_N_MAX, design.log_n_max},
                                 {RS_REG_GROUPS, design.groups},
                                 {RS_REG_CONTEXTS, design.contexts},
                                 {RS_REG_BUS_BITS, design.bus_bits},
                                 {RS_REG_FEATURES, design.features},
                                 {RS_REG_PROGRAM_DEPTH, design.program_depth},
                                 {RS_REG_KECCAK_CORES, design.keccak_cores},
                                 {RS_REG_WATCHDOG, 1u << 28}};
    *core = (stand_in_t){.programs = 0};
    for (size_t i = 0; i < sizeof facts / sizeof *facts; i++) core->registers[facts[i][0] / 4] = facts[i][1];
    rs_bus_t bus = {.size = sizeof bus, .state = core, .read = stand_in_read, .write = stand_in_write, .memory = allocate(bytes)};
    bus.memory_bytes = bytes;
    bus.memory_address = 1 << 20;
    rs_device_t *opened;
    CHECK_OK(rs_device_open(&opened, (rs_memory_t){device, sizeof *device}, &bus));
    return bus.memory;
}

static void decapsulate_on_core(rs_mlkem_set_t set) {
    enum { SHARED = RS_MLKEM_SHARED_BYTES };
    static rs_device_t device;
    stand_in_t core;
    const size_t ek_bytes = rs_mlkem_sizes(set)->ek, dk_bytes = rs_mlkem_sizes(set)->dk, ct_bytes = rs_mlkem_sizes(set)->ct;
    uint8_t *ek = allocate(ek_bytes), *dk = allocate(dk_bytes), *ct = allocate(ct_bytes);
    uint8_t seed[RS_MLKEM_SEED_BYTES] = {1, 2, 3}, m[RS_MLKEM_RANDOM_BYTES] = {4}, shared[SHARED];
    const rs_design_t design = sealed_design();
    core.room = open_stand_in(&core, &device, rs_device_mlkem_bytes(&design, set)) + rs_mlkem_constants_bytes(&design);
    core.ends = mlkem_ends;
    core.p = rs_mlkem_params(set);
    CHECK_OK(rs_device_mlkem_prepare(&device, set));
    make_secret(seed, sizeof seed);
    make_secret(m, sizeof m);
    make_secret(dk, ek_bytes - RS_MLKEM_HASH_BYTES);
    make_secret(dk + dk_bytes - RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
    rs_mlkem_decaps_request_t decaps = {
        .size = sizeof decaps, .dk = {dk, dk_bytes}, .ct = {ct, ct_bytes}, .shared = {shared, SHARED}};
    CHECK_OK(rs_device_mlkem_decaps(&device, &decaps, RS_DEVICE_RUN));
    CHECK(is_secret(shared, SHARED));
    memset(shared, 0, SHARED);
    decaps.dk = (rs_view_t){NULL, 0};
    decaps.seed = (rs_view_t){seed, sizeof seed};
    decaps.ek = (rs_view_t){ek, ek_bytes};
    CHECK_OK(rs_device_mlkem_decaps(&device, &decaps, RS_DEVICE_RUN));
    CHECK(is_secret(shared, SHARED));
    CHECK_OK(rs_device_mlkem_encaps(&device,
                                    RS_REQUEST(rs_mlkem_encaps_request_t, .ek = {ek, ek_bytes}, .ct = {ct, ct_bytes},
                                               .shared = {shared, SHARED}, .m = {m, sizeof m}),
                                    RS_DEVICE_RUN));
    make_public(ct, ct_bytes);
    rs_mlkem_keygen_request_t keygen = {
        .size = sizeof keygen, .ek = {ek, ek_bytes}, .dk = {dk, dk_bytes}, .seed = {seed, sizeof seed}};
    CHECK_OK(rs_device_mlkem_keygen(&device, &keygen, RS_DEVICE_RUN));
    keygen.dk = (rs_bytes_t){NULL, 0};
    CHECK_OK(rs_device_mlkem_seal(&device, &keygen));
    memset(shared, 0, SHARED);
    decaps.seed = decaps.ek = (rs_view_t){NULL, 0};
    CHECK_OK(rs_device_mlkem_decaps(&device, &decaps, RS_DEVICE_RUN));
    CHECK(is_secret(shared, SHARED));
    make_public(core.registers, sizeof core.registers);
    CHECK_OK(rs_device_close(&device));
}

SILENT_TEST(mlkem_on_core, decapsulate_on_core(RS_MLKEM_512); decapsulate_on_core(RS_MLKEM_768); decapsulate_on_core(RS_MLKEM_1024))

// The secret, our polynomial of the message, the coins, and v.
static void newhope_ends(stand_in_t *core) {
    make_secret(core->room + RS_NEWHOPE_AT_SECRET, RS_NEWHOPE_POLY_BYTES);
    make_secret(core->room + RS_NEWHOPE_AT_MADE, RS_NEWHOPE_POLY_BYTES);
    make_secret(core->room + RS_NEWHOPE_AT_COINS, RS_NEWHOPE_COIN_BYTES);
    make_secret(core->room + RS_NEWHOPE_AT_V, RS_NEWHOPE_V_BYTES);
}

static void exchange_on_core(void) {
    enum { SERVER = RS_NEWHOPE_SERVER_BYTES, CLIENT = RS_NEWHOPE_CLIENT_BYTES, SHARED = RS_NEWHOPE_SHARED_BYTES };
    enum { SECRET = RS_NEWHOPE_SECRET_BYTES, SEED = RS_NEWHOPE_SEED_BYTES };
    static rs_device_t device;
    stand_in_t core;
    const rs_design_t design = sealed_design();
    const rs_newhope_t *scheme = NULL;
    const size_t bytes = rs_newhope_sizes()->memory;
    uint8_t *server = allocate(SERVER), *secret = allocate(SECRET), *client = allocate(CLIENT), *shared = allocate(SHARED);
    uint8_t seed[SEED] = {1}, noise[SEED] = {2};
    CHECK_OK(rs_newhope_init(&scheme, (rs_memory_t){allocate(bytes), bytes}, RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_SHAKE256,
                             "research-only"));
    uint8_t *memory = open_stand_in(&core, &device, rs_device_newhope_bytes(&design));
    core.room = memory + rs_newhope_constants_bytes(&design);
    core.ends = newhope_ends;
    CHECK_OK(rs_device_newhope_prepare(&device, scheme));
    make_secret(noise, sizeof noise);
    CHECK_OK(rs_device_newhope_server(&device,
                                      RS_REQUEST(rs_newhope_server_request_t, .message = {server, SERVER},
                                                 .secret = {secret, SECRET}, .seed = {seed, SEED}, .noise_seed = {noise, SEED}),
                                      RS_DEVICE_RUN));
    CHECK(is_secret(server, RS_NEWHOPE_POLY_BYTES) && is_secret(secret, SECRET));
    make_public(server, SERVER);
    CHECK_OK(
        rs_device_newhope_client(&device,
                                 RS_REQUEST(rs_newhope_client_request_t, .server_message = {server, SERVER},
                                            .message = {client, CLIENT}, .shared = {shared, SHARED}, .noise_seed = {noise, SEED}),
                                 RS_DEVICE_RUN));
    CHECK(is_secret(client, CLIENT) && is_secret(shared, SHARED));
    make_public(client, CLIENT);
    memset(shared, 0, SHARED);
    CHECK_OK(rs_device_newhope_shared(&device,
                                      RS_REQUEST(rs_newhope_shared_request_t, .client_message = {client, CLIENT},
                                                 .secret = {secret, SECRET}, .shared = {shared, SHARED}),
                                      RS_DEVICE_RUN));
    CHECK(is_secret(shared, SHARED));
    make_public(core.registers, sizeof core.registers);
    CHECK_OK(rs_device_close(&device));
}

SILENT_TEST(newhope_on_core, exchange_on_core())

static void sign_on_core(rs_mldsa_set_t set) {
    static rs_device_t device;
    stand_in_t core;
    const rs_design_t design = sealed_design();
    const size_t pk_bytes = rs_mldsa_sizes(set)->pk, sk_bytes = rs_mldsa_sizes(set)->sk, bytes = rs_mldsa_sizes(set)->signature;
    uint8_t *pk = allocate(pk_bytes), *sk = allocate(sk_bytes), *signature = allocate(bytes);
    uint8_t xi[RS_MLDSA_SEED_BYTES] = {1, 2, 3}, rnd[RS_MLDSA_RANDOM_BYTES] = {4}, message[40] = "to be kept secret";
    const rs_mldsa_message_t text = {.bytes = {message, sizeof message}};
    uint8_t *memory = open_stand_in(&core, &device, rs_device_mldsa_bytes(&design, set));
    core.room = memory + rs_mldsa_zeros_at(&design) + RS_MACHINE_LINE_BYTES;
    core.challenge_bytes = rs_mldsa_params(set)->challenge_bytes;
    core.ends = mldsa_signs;
    CHECK_OK(rs_device_mldsa_prepare(&device, set));
    make_secret(xi, sizeof xi);
    make_secret(rnd, sizeof rnd);
    make_secret(message, sizeof message);
    make_secret(sk + 32, sk_bytes - 32);
    CHECK_OK(rs_device_mldsa_sign(&device,
                                  RS_REQUEST(rs_mldsa_sign_request_t, .mode = RS_MLDSA_GIVEN, .sk = {sk, sk_bytes}, .message = text,
                                             .signature = {signature, bytes}, .rnd = {rnd, sizeof rnd}),
                                  RS_DEVICE_RUN));
    CHECK_EQ_U64(core.programs, 3);
    CHECK(!is_secret(signature, bytes));
    CHECK(!is_secret(core.room + RS_MLDSA_AT_K, 64)); // zeros
    core.ends = mldsa_makes_keys;
    CHECK_OK(rs_device_mldsa_keygen(
        &device, RS_REQUEST(rs_mldsa_keygen_request_t, .pk = {pk, pk_bytes}, .sk = {sk, sk_bytes}, .seed = {xi, sizeof xi}),
        RS_DEVICE_RUN));
    CHECK(is_secret(sk, sk_bytes));
    make_public(pk, pk_bytes);
    core.ends = mldsa_verifies;
    core.programs = 0;
    const rs_mldsa_verify_request_t verify = {
        .size = sizeof verify, .pk = {pk, pk_bytes}, .message = text, .signature = {signature, bytes}};
    CHECK_OK(rs_device_mldsa_verify(&device, &verify, RS_DEVICE_RUN)); // both challenges are zeros
    signature[0] ^= 1;
    CHECK_STATUS(rs_device_mldsa_verify(&device, &verify, RS_DEVICE_RUN), RS_ERR_SIGNATURE);
    CHECK_EQ_U64(core.programs, 6); // each time one more, because this core does not wait for a challenge
    make_public(core.registers, sizeof core.registers);
    CHECK_OK(rs_device_close(&device));
}

SILENT_TEST(mldsa_on_core, sign_on_core(RS_MLDSA_44); sign_on_core(RS_MLDSA_65); sign_on_core(RS_MLDSA_87))

// ---- controls ----------------------------------------------------------------------------------
__attribute__((noinline)) static int leaky_equal(const uint8_t *a, const uint8_t *b, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) return 0; // stops at the first difference
    }
    return 1;
}

__attribute__((noinline)) static uint8_t leaky_lookup(const uint8_t *table, const uint8_t *index) { return table[*index]; }

static volatile int sink; // keeps the calls alive

RS_TEST(control_branch) {
    uint8_t secret[16] = {1, 2, 3};
    const uint8_t guess[16] = {1, 2, 3};
    make_secret(secret, sizeof secret);
    const unsigned before = VALGRIND_COUNT_ERRORS;
    int equal = leaky_equal(secret, guess, sizeof secret);
    make_public(&equal, sizeof equal);
    sink = equal;
    CHECK(VALGRIND_COUNT_ERRORS > before);
}

RS_TEST(control_index) {
    uint8_t table[256] = {0};
    uint8_t secret = 3;
    make_secret(&secret, sizeof secret);
    const unsigned before = VALGRIND_COUNT_ERRORS;
    uint8_t found = leaky_lookup(table, &secret);
    make_public(&found, sizeof found);
    sink = found;
    CHECK(VALGRIND_COUNT_ERRORS > before);
}

// The library's own sampler of public polynomials rejects by value: given a secret seed it must be noticed.
RS_TEST(control_library) {
    rs_seed_t seed = {{1}};
    rs_uniform_t uniform;
    uint64_t *words = allocate(1024 * sizeof *words);
    make_secret(&seed, sizeof seed);
    const unsigned before = VALGRIND_COUNT_ERRORS;
    CHECK_OK(rs_uniform_init(&uniform, RS_SEED_SHAKE256, &seed, 10, 1));
    CHECK_OK(rs_uniform_next(&uniform, 12289, words));
    CHECK(VALGRIND_COUNT_ERRORS > before);
}
