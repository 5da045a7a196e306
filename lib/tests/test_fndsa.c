// SPDX-License-Identifier: Apache-2.0
// FN-DSA (Falcon, provisional): signatures of another implementation, encodings that are not the only one, and the bound on the length, exactly.
#include <ringside/ringside.h>

#include "back_ends.h"
#include "fndsa_samples.h"
#include "rs_test.h"

enum { Q = 12289, N_MAX = 1024, SETS = 2, HEAD = 1 + RS_FNDSA_NONCE_BYTES, COMPRESSED_MAX = HEAD + 3 * N_MAX };

static const uint8_t MESSAGE[] = "Ringside";
enum { MESSAGE_BYTES = sizeof MESSAGE - 1 };

typedef struct bench {
    rs_fndsa_set_t set;
    size_t pk_bytes, signature_bytes, workspace_bytes, key_bytes;
    uint8_t pk[RS_FNDSA_PK_BYTES_MAX], signature[COMPRESSED_MAX];
    uint64_t *workspace;
    void *memory;
    const rs_fndsa_key_t *key;
} bench_t;

static void from_hex(uint8_t *out, size_t bytes, const char *text) {
    REQUIRE(strlen(text) == 2 * bytes);
    for (size_t i = 0; i < bytes; i++) {
        unsigned byte = 0;
        REQUIRE(sscanf(text + 2 * i, "%2x", &byte) == 1);
        out[i] = (uint8_t)byte;
    }
}

static rs_status_t make_key(bench_t *b) {
    return rs_fndsa_key_init(&b->key, (rs_memory_t){b->memory, b->key_bytes}, b->set, (rs_view_t){b->pk, b->pk_bytes});
}

static void open_bench(bench_t *b, unsigned k) {
    const rs_fndsa_set_t set = k ? RS_FNDSA_1024 : RS_FNDSA_512;
    const rs_fndsa_sizes_t *sizes = rs_fndsa_sizes(set);
    *b = (bench_t){.set = set,
                   .pk_bytes = sizes->pk,
                   .signature_bytes = sizes->signature,
                   .workspace_bytes = sizes->workspace,
                   .key_bytes = sizes->key};
    from_hex(b->pk, b->pk_bytes, k ? FNDSA_1024_PK : FNDSA_512_PK);
    from_hex(b->signature, b->signature_bytes, k ? FNDSA_1024_SIGNATURE : FNDSA_512_SIGNATURE);
    b->workspace = rs_test_own(calloc(1, b->workspace_bytes));
    b->memory = rs_test_own(malloc(b->key_bytes));
    CHECK_OK(make_key(b));
}

static rs_status_t verify_text(bench_t *b, uint32_t form, rs_view_t message, size_t bytes) {
    uint8_t *exact = malloc(bytes); // so that a sanitizer sees a byte too far
    if (!exact) abort();
    memcpy(exact, b->signature, bytes);
    const rs_status_t status =
        rs_fndsa_verify(b->key, form, message, (rs_view_t){exact, bytes}, (rs_memory_t){b->workspace, b->workspace_bytes});
    free(exact);
    for (size_t i = 0; i < b->workspace_bytes / 8; i++) {
        if (!CHECK(b->workspace[i] == 0)) break;
    }
    return status;
}

static rs_status_t verify_as(bench_t *b, uint32_t form, size_t bytes) {
    return verify_text(b, form, (rs_view_t){MESSAGE, MESSAGE_BYTES}, bytes);
}

static rs_status_t verify(bench_t *b) { return verify_as(b, RS_FNDSA_PADDED, b->signature_bytes); }

// The last bit that is used is a 1, so the compressed form ends where the zeros begin.
static size_t compressed_bytes(const bench_t *b) {
    size_t bytes = b->signature_bytes;
    while (!b->signature[bytes - 1]) bytes--;
    return bytes;
}

// ---- signatures of another implementation --------------------------------------------------------------------------------
RS_TEST(sizes) {
    CHECK_EQ_U64(rs_fndsa_sizes(RS_FNDSA_512)->pk, RS_FNDSA_512_PK_BYTES);
    CHECK_EQ_U64(rs_fndsa_sizes(RS_FNDSA_1024)->pk, RS_FNDSA_1024_PK_BYTES);
    CHECK_EQ_U64(rs_fndsa_sizes(RS_FNDSA_512)->signature, RS_FNDSA_512_SIGNATURE_BYTES);
    CHECK_EQ_U64(rs_fndsa_sizes(RS_FNDSA_1024)->signature, RS_FNDSA_1024_SIGNATURE_BYTES);
    CHECK_EQ_U64(RS_FNDSA_PK_BYTES_MAX, RS_FNDSA_1024_PK_BYTES);
    CHECK_EQ_U64(RS_FNDSA_SIGNATURE_BYTES_MAX, RS_FNDSA_1024_SIGNATURE_BYTES);
    CHECK(!rs_fndsa_sizes(513));
}

RS_TEST(samples_are_valid_in_both_forms) {
    EACH (i) {
        for (unsigned k = 0; k < SETS; k++) {
            bench_t b;
            open_bench(&b, k);
            const size_t bytes = compressed_bytes(&b);
            REQUIRE(bytes < b.signature_bytes);
            CHECK_OK(verify(&b));
            CHECK_OK(verify_as(&b, RS_FNDSA_COMPRESSED, bytes));
            CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, bytes - 1), RS_ERR_SIGNATURE);
            CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, bytes + 1), RS_ERR_SIGNATURE);
            CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, b.signature_bytes), RS_ERR_SIGNATURE);
            CHECK_STATUS(verify_as(&b, RS_FNDSA_PADDED, bytes), RS_ERR_BYTES);
        }
    }
}

RS_TEST(damaged) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        open_bench(&b, k);
        for (size_t i = 0; i < b.signature_bytes; i++) {
            b.signature[i] ^= 1 << i % 8;
            CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
            b.signature[i] ^= 1 << i % 8;
        }
        CHECK_STATUS(verify_text(&b, RS_FNDSA_PADDED, (rs_view_t){MESSAGE, MESSAGE_BYTES - 1}, b.signature_bytes),
                     RS_ERR_SIGNATURE);
        CHECK_STATUS(verify_text(&b, RS_FNDSA_PADDED, (rs_view_t){NULL, 0}, b.signature_bytes), RS_ERR_SIGNATURE);
        for (size_t i = 1; i < b.pk_bytes; i += 13) {
            b.pk[i] ^= 1 << i % 8;
            const rs_status_t status = make_key(&b);
            if (status != RS_ERR_PUBLIC_KEY && CHECK_OK(status)) CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
            b.pk[i] ^= 1 << i % 8;
        }
        CHECK_OK(make_key(&b));
        CHECK_OK(verify(&b));
    }
}

// ---- keys and signatures of one's own --------------------------------------------------------------------------------------
// s2 is a constant v, so that h = (c - s1) / v makes any s1 the one that is computed.
static void hash_to_point(uint32_t *c, uint32_t n, const uint8_t *nonce) {
    uint8_t text[RS_FNDSA_NONCE_BYTES + MESSAGE_BYTES], stream[4 * N_MAX];
    memcpy(text, nonce, RS_FNDSA_NONCE_BYTES);
    memcpy(text + RS_FNDSA_NONCE_BYTES, MESSAGE, MESSAGE_BYTES);
    rs_shake256(stream, sizeof stream, text, sizeof text);
    for (uint32_t i = 0, at = 0; i < n; at += 2) {
        const uint32_t word = 256u * stream[at] + stream[at + 1];
        if (word < 61445) c[i++] = word % Q;
    }
}

static void put_bits(uint8_t *out, size_t *at, uint32_t value, unsigned bits) {
    while (bits-- > 0) {
        if (value >> bits & 1) out[*at / 8] |= (uint8_t)(0x80 >> *at % 8);
        ++*at;
    }
}

// A coefficient as algorithm 17 writes it, if it is in range, and the way it would write it otherwise.
static void put_coefficient(uint8_t *out, size_t *at, int negative, uint32_t magnitude) {
    put_bits(out, at, negative ? 1 : 0, 1);
    put_bits(out, at, magnitude & 127, 7);
    put_bits(out, at, 0, magnitude >> 7);
    put_bits(out, at, 1, 1);
}

// The signature of s2 = v, -v if `negative`, and other coefficients 0; the last one with a sign if asked for. Its key gives s1.
static void forge(bench_t *b, uint32_t v, int negative, const int32_t *s1, int signed_zero) {
    const uint32_t n = (uint32_t)b->set;
    uint32_t c[N_MAX], inverse = 1;
    size_t at = 8 * HEAD, pk_at = 8;
    memset(b->signature, 0, sizeof b->signature);
    b->signature[0] = n == 512 ? 0x39 : 0x3a;
    for (unsigned i = 0; i < RS_FNDSA_NONCE_BYTES; i++) b->signature[1 + i] = (uint8_t)(7 * i);
    hash_to_point(c, n, b->signature + 1);
    put_coefficient(b->signature, &at, negative, v);
    for (uint32_t i = 1; i < n; i++) put_coefficient(b->signature, &at, signed_zero && i == n - 1, 0);
    const uint32_t value = negative ? Q - v % Q : v % Q;
    while (inverse * value % Q != 1) inverse++;
    memset(b->pk + 1, 0, sizeof b->pk - 1);
    for (uint32_t i = 0; i < n; i++) {
        const int64_t difference = ((int64_t)c[i] - s1[i]) % Q;
        put_bits(b->pk, &pk_at, (uint32_t)((difference + Q) % Q * inverse % Q), 14);
    }
    CHECK_OK(make_key(b));
}

// Coefficients from `first` on whose squares add up to the sum.
static void sum_of_squares(int32_t *s1, uint64_t sum) {
    for (unsigned i = 3; sum; i++) {
        int32_t root = 0;
        while (root < (Q - 1) / 2 && (uint64_t)(root + 1) * (uint64_t)(root + 1) <= sum) root++;
        s1[i] = i % 2 ? root : -root;
        sum -= (uint64_t)root * (uint64_t)root;
    }
}

RS_TEST(bound_on_the_length_is_exact) {
    static const uint64_t BOUND[SETS] = {34034726, 70265242}; // specification v1.2, table 3.3
    for (unsigned k = 0; k < SETS; k++) {
        for (uint32_t v = 1; v < 2048; v = v == 1 ? 2047 : 2048) {
            for (int negative = 0; negative < 2; negative++) {
                bench_t b;
                open_bench(&b, k);
                for (uint64_t above = 0; above < 2; above++) {
                    int32_t s1[N_MAX] = {0};
                    sum_of_squares(s1, BOUND[k] + above - (uint64_t)v * v);
                    forge(&b, v, negative, s1, 0);
                    CHECK_STATUS(verify(&b), above ? RS_ERR_SIGNATURE : RS_OK);
                }
            }
        }
    }
}

RS_TEST(encodings_that_are_refused) {
    static const int32_t S1[N_MAX] = {1, -2, 3};
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        open_bench(&b, k);
        forge(&b, 5, 0, S1, 0);
        CHECK_OK(verify(&b));
        const size_t bytes = compressed_bytes(&b);
        CHECK_OK(verify_as(&b, RS_FNDSA_COMPRESSED, bytes));
        b.signature[bytes] = 1; // behind the end
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        b.signature[bytes] = 0;
        b.signature[b.signature_bytes - 1] = 0x80;
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        b.signature[b.signature_bytes - 1] = 0;
        for (unsigned set = 0; set < 2; set++) { // headers of another set, or another kind
            const uint8_t header = b.signature[0];
            b.signature[0] = (uint8_t)(set ? header - 0x10 : header ^ 3);
            CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
            b.signature[0] = header;
        }
        CHECK_STATUS(verify_as(&b, 2, bytes), RS_ERR_SIGNATURE);
        CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, HEAD), RS_ERR_SIGNATURE);
        CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, HEAD - 1), RS_ERR_SIGNATURE);
        forge(&b, 5, 0, S1, 1); // -0
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        forge(&b, 2048, 0, S1, 0); // short enough, but no signer makes it
        CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        // bits of the last byte that are not used: a signature whose last bit is elsewhere, by the length of v
        for (uint32_t v = 5; v < 1024; v += 128) {
            forge(&b, v, 0, S1, 0);
            const size_t end = compressed_bytes(&b);
            CHECK_OK(verify_as(&b, RS_FNDSA_COMPRESSED, end));
            if (b.signature[end - 1] & 1) continue;
            b.signature[end - 1] |= 1;
            CHECK_STATUS(verify_as(&b, RS_FNDSA_COMPRESSED, end), RS_ERR_SIGNATURE);
            CHECK_STATUS(verify(&b), RS_ERR_SIGNATURE);
        }
    }
}

RS_TEST(keys_that_are_refused) {
    for (unsigned k = 0; k < SETS; k++) {
        bench_t b;
        open_bench(&b, k);
        const uint32_t n = (uint32_t)b.set;
        b.pk[0]++;
        CHECK_STATUS(make_key(&b), RS_ERR_PUBLIC_KEY);
        b.pk[0]--;
        for (uint32_t i = 0; i < n; i += n / 2 - 1) {
            for (uint32_t word = Q - 1; word <= Q; word++) {
                uint8_t saved[RS_FNDSA_PK_BYTES_MAX];
                memcpy(saved, b.pk, sizeof saved);
                for (unsigned bit = 0; bit < 14; bit++) {
                    const size_t at = 8 + 14 * (size_t)i + bit;
                    b.pk[at / 8] = (uint8_t)((b.pk[at / 8] & ~(0x80 >> at % 8)) | (word >> (13 - bit) & 1) << (7 - at % 8));
                }
                CHECK_STATUS(make_key(&b), word < Q ? RS_OK : RS_ERR_PUBLIC_KEY);
                memcpy(b.pk, saved, sizeof saved);
            }
        }
    }
}
