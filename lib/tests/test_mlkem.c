// SPDX-License-Identifier: Apache-2.0
// ML-KEM: arithmetic against definitions, lengths and errors, implicit rejection, damaged keys, wiped workspaces, back ends. That its bytes
// are those of FIPS 203 is shown in tests/oracle.
#define _POSIX_C_SOURCE 200112L
#include <ringside/ringside.h>

#include "back_ends.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/x86/variants.h"
#include "rs_test.h"

enum { N = RS_MLKEM_N, Q = RS_MLKEM_Q, SETS = 3, GUARD = 0xa5 };

static const uint32_t ZETAS[128] = {
#define LOW(zeta) RS_MLKEM_FACTOR(zeta),
#define HIGH(zeta) RS_MLKEM_FACTOR(zeta),
#include "mlkem/zetas.inc"
#undef LOW
#undef HIGH
};

// R of rs_mlkem_dot and its inverse, and bounds of words: mlkem/ntt.h, and on vectors mlkem/vectors/transforms.h.
enum { TRANSFORMED = 2197, SUMMED = 2797, INVERTED = 1797 };
#ifdef RS_NEON
enum { R = 65536, TRANSFORMED_HERE = TRANSFORMED, SUMMED_HERE = SUMMED, INVERTED_HERE = INVERTED };
#else
enum { R = RS_MLKEM_R, TRANSFORMED_HERE = 15015, SUMMED_HERE = RS_MLKEM_HALF, INVERTED_HERE = RS_MLKEM_HALF };
#endif

static const rs_mlkem_set_t SET[SETS] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {3, 1, 4, 1, 5, 9, 2, 6};
static const uint8_t M[RS_MLKEM_RANDOM_BYTES] = {2, 7, 1, 8, 2, 8};

// First in the file: needs a process in which no back end was chosen.
RS_TEST(unknown_back_end_is_refused) {
    static uint64_t workspace[RS_MLKEM_WORKSPACE_MAX / 8];
    uint8_t ek[800], dk[1632];
    setenv("RINGSIDE_BACKEND", "avx3", 1);
    CHECK_STATUS(
        rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = RS_MLKEM_512, .ek = {ek, sizeof ek}, .dk = {dk, sizeof dk},
                                   .seed = {SEED, sizeof SEED}, .workspace = {workspace, sizeof workspace})),
        RS_ERR_BACKEND);
    unsetenv("RINGSIDE_BACKEND");
    CHECK_OK(rs_backend_select(NULL));
}

static int64_t modulo(int64_t x) { return (x % Q + Q) % Q; }

static int64_t power(int64_t base, uint32_t exponent) {
    int64_t x = 1;
    for (; exponent; exponent--) x = x * base % Q;
    return x;
}

static uint32_t reversed7(uint32_t i) {
    uint32_t x = 0;
    for (uint32_t bit = 0; bit < 7; bit++) x |= (i >> bit & 1) << (6 - bit);
    return x;
}

// ---- arithmetic ------------------------------------------------------------------------------------------------------------
RS_TEST(constants_are_their_formulas) {
    CHECK_EQ_U64((uint32_t)(RS_MLKEM_Q_INVERSE * Q), 1);
    CHECK_EQ_I64(RS_MLKEM_R, modulo(-((int64_t)1 << 32)));
    CHECK_EQ_I64(power(17, 128), Q - 1); // 17 is of order 256
    for (uint32_t i = 0; i < 128; i++) {
        const int64_t zeta = power(17, reversed7(i)), scaled = zeta * RS_MLKEM_R % Q;
        CHECK_EQ_U64(ZETAS[i], (uint32_t)(scaled > Q / 2 ? scaled - Q : scaled) * RS_MLKEM_Q_INVERSE);
    }
}

RS_TEST(products_are_reduced) {
    enum { LARGEST = 917700 };
    for (uint32_t i = 0; i < 128; i++) {
        const int64_t zeta = power(17, reversed7(i));
        for (int32_t a = -LARGEST; a <= LARGEST; a += a >= -32768 && a < 32767 ? 1 : 13) {
            const int32_t got = rs_mlkem_mul(a, ZETAS[i]);
            if (modulo(got - a * zeta) || got < -RS_MLKEM_HALF || got >= RS_MLKEM_HALF) {
                CHECK_EQ_I64(got, a * zeta);
                return;
            }
        }
    }
    for (uint32_t i = 0; i < 128; i++) {
        CHECK_EQ_I64(modulo(rs_mlkem_mul(LARGEST, ZETAS[i])), LARGEST % Q * power(17, reversed7(i)) % Q);
    }
    const int64_t low = -1527054336, high = 1527054336;
    for (int64_t a = low; a <= high; a += a + 997 > high && a < high ? high - a : 997) {
        const int32_t got = rs_mlkem_reduce((int32_t)a);
        if (modulo((int64_t)got * RS_MLKEM_R - a) || got < -RS_MLKEM_HALF || got >= RS_MLKEM_HALF) {
            CHECK_EQ_I64(got, a);
            return;
        }
    }
    for (int32_t a = -32768; a < 32768; a++) CHECK_EQ_I64(rs_mlkem_canonical(a), modulo(a));
}

// Compress and Decompress by their definitions (FIPS 203, section 4.2.1): the nearest integer, halves up; q is odd, so there are no halves.
RS_TEST(compression_is_its_definition) {
    static const struct {
        uint32_t d;
        int32_t largest;
    } KINDS[] = {{1, 32767}, {4, 32767}, {5, 32767}, {10, 3953}, {11, 3953}};
    for (unsigned kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++) {
        const uint32_t d = KINDS[kind].d;
        for (int32_t x = -KINDS[kind].largest; x <= KINDS[kind].largest; x++) {
            const int64_t doubled = 2 * (modulo(x) << d) + Q; // 2 (x 2^d + q / 2)
            CHECK_EQ_U64(rs_mlkem_compress(x, d), (uint64_t)(doubled / (2 * Q)) % ((uint64_t)1 << d));
        }
        for (uint32_t y = 0; y < (uint32_t)1 << d; y++) {
            CHECK_EQ_I64(rs_mlkem_decompress(y, d), (2 * (int64_t)y * Q + ((int64_t)1 << d)) >> (d + 1));
        }
    }
}

static void random_poly(int16_t *f, uint64_t *state, int32_t low, int32_t high) {
    for (unsigned i = 0; i < N; i++) f[i] = (int16_t)(low + (int32_t)(rs_test_random(state) % (uint32_t)(high - low + 1)));
}

// Each residue by its sum: word 2i + b is the sum of f[2j + b] gamma^j, gamma = 17^(2 brv(i) + 1).
RS_TEST(transform_is_its_definition) {
    uint64_t state = 1;
    for (unsigned round = 0; round < 20; round++) {
        int16_t f[N], out[N];
        random_poly(f, &state, round == 0 ? Q : round == 1 ? -Q : -Q, round == 1 ? -Q : Q); // first all as large as can be
        memcpy(out, f, sizeof f);
        rs_mlkem_ntt(out);
        for (uint32_t i = 0; i < N; i++) {
            const int64_t gamma = power(17, 2 * reversed7(i / 2) + 1);
            int64_t sum = 0, x = 1;
            for (uint32_t j = 0; j < N / 2; j++, x = x * gamma % Q) sum += f[2 * j + i % 2] * x;
            CHECK_EQ_I64(modulo(out[i]), modulo(sum));
            CHECK(abs(out[i]) <= TRANSFORMED_HERE);
        }
    }
}

// Sums of negacyclic products through the transform, a given in its form, b transformed; out R^-1 of dot cancelled by R of the inverse.
RS_TEST(products_are_negacyclic) {
    uint64_t state = 2;
    for (uint32_t k = 2; k <= 4; k++) {
        for (unsigned round = 0; round < 10; round++) {
            int16_t a[4 * N], b[4 * N], a_ntt[4 * N];
            int64_t want[N] = {0};
            for (uint32_t j = 0; j < k; j++) {
                random_poly(a + N * j, &state, 0, Q - 1);
                random_poly(b + N * j, &state, round < 5 ? -3 : 0, round < 5 ? 3 : Q - 1);
                for (uint32_t x = 0; x < N; x++) {
                    for (uint32_t y = 0; y < N; y++) {
                        const int64_t product = (int64_t)a[N * j + x] * b[N * j + y];
                        want[(x + y) % N] += x + y < N ? product : -product;
                    }
                }
                memcpy(a_ntt + N * j, a + N * j, N * sizeof *a);
                rs_mlkem_ntt(a_ntt + N * j);
                for (uint32_t i = 0; i < N; i++) a_ntt[N * j + i] = (int16_t)rs_mlkem_canonical(a_ntt[N * j + i]);
                rs_mlkem_ntt(b + N * j);
            }
            rs_mlkem_dot(a_ntt, a_ntt, b, k);
            rs_mlkem_inverse(a_ntt);
            for (uint32_t i = 0; i < N; i++) {
                CHECK_EQ_I64(modulo(a_ntt[i]), modulo(want[i]));
                CHECK(abs(a_ntt[i]) <= INVERTED_HERE);
            }
        }
    }
}

// Words as large as the bounds let them be, of both signs: what wraps or overflows shows as a wrong residue.
RS_TEST(products_at_their_bounds) {
    enum { A = 4095, B = TRANSFORMED_HERE };
    for (uint32_t k = 2; k <= 4; k++) {
        for (int32_t sign = -1; sign <= 1; sign += 2) {
            int16_t a[4 * N] = {0}, b[4 * N] = {0}, out[N];
            for (uint32_t i = 0; i < k * N; i++) {
                a[i] = A;
                b[i] = (int16_t)(sign * B);
            }
            rs_mlkem_dot(out, a, b, k);
            for (uint32_t i = 0; i < N; i++) {
                const int64_t gamma = power(17, 2 * reversed7(i / 2) + 1), product = (int64_t)k * A * B * sign;
                const int64_t want = i % 2 ? 2 * product : product + modulo(product) * gamma;
                CHECK_EQ_I64(modulo((int64_t)out[i] * R), modulo(want));
                CHECK(abs(out[i]) <= SUMMED_HERE);
            }
            for (uint32_t i = 0; i < N; i++) out[i] = (int16_t)(sign * SUMMED_HERE);
            rs_mlkem_inverse(out);
            rs_mlkem_ntt(out);
            for (uint32_t i = 0; i < N; i++) CHECK_EQ_I64(modulo(out[i]), modulo((int64_t)sign * SUMMED_HERE * R));
        }
    }
}

#ifdef RS_X86
// ---- kernels of the back ends ----------------------------------------------------------------------------------------------
enum { PACKED = INVERTED + 2 + RS_MLKEM_HALF };

static void check_residues(const int16_t *got, const int16_t *want, int32_t bound) {
    for (uint32_t i = 0; i < N; i++) {
        if (!CHECK_EQ_U64(rs_mlkem_canonical(got[i]), rs_mlkem_canonical(want[i])) || !CHECK(abs(got[i]) <= bound)) return;
    }
}

// Random words, and all as large as they may be, of one sign and of both.
static void fill_words(int16_t *f, unsigned round, uint64_t *state, int32_t low, int32_t high) {
    random_poly(f, state, low, high);
    for (uint32_t i = 0; i < N && round < 3; i++)
        f[i] = (int16_t)(round == 0 || (round == 2 && rs_test_random(state) & 1) ? high : low);
}

RS_TEST(transforms_of_every_back_end) {
    uint64_t state = 11;
    EACH (b) {
        const rs_mlkem_variant_t *v = rs_mlkem_variant();
        const int32_t transformed = v == &RS_MLKEM_PORTABLE ? TRANSFORMED_HERE : TRANSFORMED;
        for (unsigned round = 0; round < 300; round++) {
            int16_t got[4 * N], want[4 * N], a[4 * N];
            const uint32_t k = 2 + round / 3 % 3;
            fill_words(got, round, &state, -Q, Q);
            memcpy(want, got, sizeof want);
            v->ntt(got);
            rs_mlkem_ntt(want);
            check_residues(got, want, transformed);
            for (uint32_t j = 0; j < k; j++) {
                fill_words(a + N * j, round, &state, 0, 4095);
                fill_words(got + N * j, round, &state, -TRANSFORMED, TRANSFORMED);
            }
            memcpy(want, got, sizeof want);
            v->dot(got, a, got, k); // R^-1 of one and R of the other cancel
            v->inverse(got);
            rs_mlkem_dot(want, a, want, k);
            rs_mlkem_inverse(want);
            check_residues(got, want, INVERTED);
        }
    }
}

RS_TEST(codes_of_every_back_end) {
    uint64_t state = 12;
    EACH (b) {
        const rs_mlkem_variant_t *v = rs_mlkem_variant();
        uint8_t got[RS_MLKEM_POLY_BYTES + 1], want[RS_MLKEM_POLY_BYTES + 1];
        int16_t f[N], g[N];
        static const uint32_t BITS[] = {4, 5, 10, 11};
        for (int32_t first = -32768; first < 32768; first += N) {
            for (int32_t i = 0; i < N; i++) f[i] = (int16_t)(first + i);
            v->encode(got, f);
            rs_mlkem_encode(want, f);
            CHECK_EQ_MEM(got, want, RS_MLKEM_POLY_BYTES);
            if (first >= -7489 && first + N <= 7489) { // bounds of x86/codes.h
                v->to_message(got, f);
                rs_mlkem_to_message(want, f);
                CHECK_EQ_MEM(got, want, N / 8);
            }
        }
        for (unsigned kind = 0; kind < 4; kind++) {
            const uint32_t d = BITS[kind], bytes = N / 8 * d;
            const int32_t bound = v == &RS_MLKEM_PORTABLE ? 3953 : PACKED;
            for (int32_t first = -bound; first <= bound; first += N) {
                for (int32_t i = 0; i < N; i++) f[i] = (int16_t)(first + i <= bound ? first + i : bound);
                got[bytes] = 0x77;
                v->pack(got, f, d);
                CHECK_EQ_U64(got[bytes], 0x77);
                for (uint32_t i = 0; i < N; i++) f[i] = (int16_t)(modulo(f[i]) - Q * (modulo(f[i]) > Q / 2)); // exact in any d
                rs_mlkem_pack(want, f, d);
                CHECK_EQ_MEM(got, want, bytes);
            }
        }
        for (unsigned round = 0; round < 300; round++) {
            uint8_t *bytes = rs_test_own(malloc(RS_MLKEM_POLY_BYTES)); // a sanitizer sees a byte too far
            for (unsigned i = 0; i < RS_MLKEM_POLY_BYTES; i++) bytes[i] = (uint8_t)rs_test_random(&state);
            v->decode(f, bytes);
            rs_mlkem_decode(g, bytes);
            CHECK_EQ_MEM(f, g, sizeof f);
            for (unsigned kind = 0; kind < 4; kind++) {
                const uint8_t *end = bytes + RS_MLKEM_POLY_BYTES - N / 8 * BITS[kind];
                v->unpack(f, end, BITS[kind]);
                rs_mlkem_unpack(g, end, BITS[kind]);
                CHECK_EQ_MEM(f, g, sizeof f);
            }
            v->add_message(f, bytes + RS_MLKEM_POLY_BYTES - N / 8);
            rs_mlkem_add_message(g, bytes + RS_MLKEM_POLY_BYTES - N / 8);
            CHECK_EQ_MEM(f, g, sizeof f);
            for (uint32_t i = 0; i < N; i++) f[i] = (int16_t)(Q - 1 - (int32_t)(rs_test_random(&state) % Q));
            f[round % N] = (int16_t)(round < N ? Q - 1 : f[0]);
            rs_mlkem_encode(bytes, f);
            CHECK(v->is_canonical(bytes));
            bytes[round % N / 2 * 3 + round % 2] |= round % 2 ? 0xf0 : 0xff; // one word from 3329 on
            bytes[round % N / 2 * 3 + 1 + round % 2] |= round % 2 ? 0xff : 0x0f;
            CHECK(!v->is_canonical(bytes));
        }
    }
}

RS_TEST(samples_of_every_back_end) {
    uint64_t state = 13;
    EACH (b) {
        const rs_mlkem_variant_t *v = rs_mlkem_variant();
        const rs_hash_t *hash = rs_backend_current()->samplers->hash;
        static int16_t got[16 * N + 1], want[16 * N];
        for (unsigned round = 0; round < 60; round++) {
            uint8_t seed[RS_MLKEM_HASH_BYTES];
            const uint32_t k = 2 + round % 3;
            for (unsigned i = 0; i < sizeof seed; i++) seed[i] = (uint8_t)rs_test_random(&state);
            got[N * k * k] = 0x7777;
            v->sample_rows(got, hash, seed, k, 0, k, round % 2);
            rs_mlkem_sample_rows(want, &RS_HASH_PORTABLE, seed, k, 0, k, round % 2);
            CHECK_EQ_MEM(got, want, sizeof *got * N * k * k);
            CHECK_EQ_U64((uint64_t)got[N * k * k], 0x7777);
            for (uint32_t eta = 2; eta <= 3; eta++) {
                v->sample_noise(got, hash, seed, round, 2 * k + 1, eta);
                rs_mlkem_sample_noise(want, &RS_HASH_PORTABLE, seed, round, 2 * k + 1, eta);
                CHECK_EQ_MEM(got, want, sizeof *got * N * (2 * k + 1));
            }
        }
    }
}
#endif

// ---- pairs and ciphertexts -------------------------------------------------------------------------------------------------
// All of one set, in memory of exactly their lengths, so that a sanitizer sees a byte too far.
typedef struct kem {
    rs_mlkem_set_t set;
    size_t ek_bytes, dk_bytes, ct_bytes, workspace_bytes;
    uint8_t *ek, *dk, *ct;
    uint8_t shared[RS_MLKEM_SHARED_BYTES];
    uint8_t *workspace;
} kem_t;

// By rng if there is one.
static rs_status_t keygen_by(kem_t *k, const uint8_t *seed, rs_rng_t *rng) {
    return rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = k->set, .ek = {k->ek, k->ek_bytes},
                                      .dk = {k->dk, k->dk_bytes}, .seed = {seed, rng ? 0 : RS_MLKEM_SEED_BYTES}, .rng = rng,
                                      .workspace = {k->workspace, k->workspace_bytes}));
}

static rs_status_t encaps_by(kem_t *k, const uint8_t *m, rs_rng_t *rng) {
    return rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = k->set, .ek = {k->ek, k->ek_bytes},
                                      .ct = {k->ct, k->ct_bytes}, .shared = {k->shared, sizeof k->shared},
                                      .m = {m, rng ? 0 : RS_MLKEM_RANDOM_BYTES}, .rng = rng,
                                      .workspace = {k->workspace, k->workspace_bytes}));
}

static rs_status_t keygen(kem_t *k, const uint8_t *seed) { return keygen_by(k, seed, NULL); }

static rs_status_t encaps(kem_t *k, const uint8_t *m) { return encaps_by(k, m, NULL); }

static rs_status_t decaps(kem_t *k, uint8_t *shared) {
    return rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = k->set, .dk = {k->dk, k->dk_bytes},
                                      .ct = {k->ct, k->ct_bytes}, .shared = {shared, RS_MLKEM_SHARED_BYTES},
                                      .workspace = {k->workspace, k->workspace_bytes}));
}

static rs_status_t check_ek(const kem_t *k) {
    return rs_mlkem_check(k->set, (rs_view_t){k->ek, k->ek_bytes}, (rs_view_t){NULL, 0});
}

static rs_status_t check_dk(const kem_t *k) {
    return rs_mlkem_check(k->set, (rs_view_t){NULL, 0}, (rs_view_t){k->dk, k->dk_bytes});
}

// With a pair and a ciphertext.
static kem_t kem_of(rs_mlkem_set_t set) {
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    kem_t k = {
        .set = set, .ek_bytes = sizes->ek, .dk_bytes = sizes->dk, .ct_bytes = sizes->ct, .workspace_bytes = sizes->workspace};
    k.ek = rs_test_own(malloc(k.ek_bytes));
    k.dk = rs_test_own(malloc(k.dk_bytes));
    k.ct = rs_test_own(malloc(k.ct_bytes));
    k.workspace = rs_test_own(malloc(k.workspace_bytes));
    CHECK_OK(keygen(&k, SEED));
    CHECK_OK(encaps(&k, M));
    return k;
}

RS_TEST(lengths) {
    static const size_t WANT[SETS][3] = {{800, 1632, 768}, {1184, 2400, 1088}, {1568, 3168, 1568}}; // FIPS 203, table 3
    for (unsigned i = 0; i < SETS; i++) {
        const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(SET[i]);
        CHECK_EQ_U64(sizes->ek, WANT[i][0]);
        CHECK_EQ_U64(sizes->dk, WANT[i][1]);
        CHECK_EQ_U64(sizes->ct, WANT[i][2]);
        CHECK(sizes->workspace > 0 && sizes->workspace <= RS_MLKEM_WORKSPACE_MAX);
    }
    CHECK_EQ_U64(rs_mlkem_sizes(RS_MLKEM_1024)->ek, RS_MLKEM_EK_BYTES_MAX);
    CHECK_EQ_U64(rs_mlkem_sizes(RS_MLKEM_1024)->dk, RS_MLKEM_DK_BYTES_MAX);
    CHECK_EQ_U64(rs_mlkem_sizes(RS_MLKEM_1024)->ct, RS_MLKEM_CT_BYTES_MAX);
    static const uint32_t UNKNOWN[] = {0, 1, 513, 2048, (uint32_t)-768};
    for (unsigned i = 0; i < sizeof UNKNOWN / sizeof *UNKNOWN; i++) CHECK(!rs_mlkem_sizes(UNKNOWN[i]));
}

static int is_filled(const uint8_t *bytes, size_t count, uint8_t with) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != with) return 0;
    }
    return 1;
}

RS_TEST(both_sides_agree) {
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]);
        uint8_t shared[RS_MLKEM_SHARED_BYTES];
        CHECK_OK(decaps(&k, shared));
        CHECK_EQ_MEM(shared, k.shared, sizeof shared);
        CHECK_OK(rs_mlkem_check(k.set, (rs_view_t){k.ek, k.ek_bytes}, (rs_view_t){k.dk, k.dk_bytes}));
    }
}

// Pairs and ciphertexts of other bytes each time, on memory at odd addresses.
RS_TEST(any_alignment) {
    uint64_t state = 4;
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]);
        uint8_t *memory = rs_test_own(malloc(k.ek_bytes + k.dk_bytes + k.ct_bytes + 64));
        for (unsigned offset = 0; offset < 8; offset++) {
            uint8_t bytes[1 + RS_MLKEM_SEED_BYTES], shared[1 + RS_MLKEM_SHARED_BYTES];
            for (unsigned b = 0; b < sizeof bytes; b++) bytes[b] = (uint8_t)rs_test_random(&state);
            k.ek = memory + offset;
            k.dk = k.ek + k.ek_bytes + 1;
            k.ct = k.dk + k.dk_bytes + 1;
            CHECK_OK(keygen(&k, bytes + 1));
            CHECK_OK(encaps(&k, bytes + 7));
            CHECK_OK(decaps(&k, shared + 1));
            CHECK_EQ_MEM(shared + 1, k.shared, sizeof k.shared);
        }
    }
}

RS_TEST(back_ends_agree) {
    uint64_t state = 5;
    for (unsigned i = 0; i < SETS; i++) {
        for (unsigned round = 0; round < 10; round++) {
            uint8_t seed[RS_MLKEM_SEED_BYTES];
            for (unsigned b = 0; b < sizeof seed; b++) seed[b] = (uint8_t)rs_test_random(&state);
            CHECK_OK(rs_backend_select("portable"));
            kem_t k = kem_of(SET[i]), other = kem_of(SET[i]);
            CHECK_OK(keygen(&k, seed));
            CHECK_OK(encaps(&k, seed));
            for (unsigned b = 0; b < BACK_ENDS; b++) {
                if (rs_backend_select(BACK_END[b]) != RS_OK) continue;
                uint8_t shared[RS_MLKEM_SHARED_BYTES];
                CHECK_OK(keygen(&other, seed));
                CHECK_EQ_MEM(other.ek, k.ek, k.ek_bytes);
                CHECK_EQ_MEM(other.dk, k.dk, k.dk_bytes);
                CHECK_OK(encaps(&other, seed));
                CHECK_EQ_MEM(other.ct, k.ct, k.ct_bytes);
                CHECK_EQ_MEM(other.shared, k.shared, sizeof k.shared);
                CHECK_OK(decaps(&other, shared));
                CHECK_EQ_MEM(shared, k.shared, sizeof k.shared);
            }
        }
    }
    CHECK_OK(rs_backend_select(NULL));
}

// ---- sources of random bytes -------------------------------------------------------------------------------------------------
typedef struct source {
    const uint8_t *bytes;
    size_t asked;
} source_t;

static rs_status_t fill(void *opaque, uint8_t *out, size_t bytes) {
    source_t *s = opaque;
    s->asked += bytes;
    memcpy(out, s->bytes, bytes);
    return RS_OK;
}

RS_TEST(random_bytes_are_used_as_they_come) {
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]), other = kem_of(SET[i]);
        source_t source = {.bytes = SEED};
        rs_rng_t rng = {fill, &source};
        memset(other.ek, 0, k.ek_bytes);
        memset(other.dk, 0, k.dk_bytes);
        memset(other.ct, 0, k.ct_bytes);
        CHECK_OK(keygen_by(&other, NULL, &rng));
        CHECK_EQ_U64(source.asked, RS_MLKEM_SEED_BYTES);
        CHECK_EQ_MEM(other.ek, k.ek, k.ek_bytes);
        CHECK_EQ_MEM(other.dk, k.dk, k.dk_bytes);
        source = (source_t){.bytes = M};
        CHECK_OK(encaps_by(&other, NULL, &rng));
        CHECK_EQ_U64(source.asked, RS_MLKEM_RANDOM_BYTES);
        CHECK_EQ_MEM(other.ct, k.ct, k.ct_bytes);
        CHECK_EQ_MEM(other.shared, k.shared, sizeof k.shared);
    }
}

// ---- rejection and damage ------------------------------------------------------------------------------------------------------
// FIPS 203, algorithm 18: a ciphertext that re-encryption does not give has the secret SHAKE256(z || ct).
RS_TEST(implicit_rejection) {
    uint64_t state = 6;
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]);
        uint8_t shared[RS_MLKEM_SHARED_BYTES], want[RS_MLKEM_SHARED_BYTES];
        uint8_t *message = rs_test_own(malloc(32 + k.ct_bytes));
        memcpy(message, k.dk + k.dk_bytes - 32, 32);
        for (size_t at = 0; at < k.ct_bytes; at += at == 0 || at + 40 > k.ct_bytes ? 1 : 37) { // first and last bytes, too
            const uint8_t change = (uint8_t)(1u << rs_test_random(&state) % 8);
            k.ct[at] ^= change;
            memcpy(message + 32, k.ct, k.ct_bytes);
            rs_shake256(want, sizeof want, message, 32 + k.ct_bytes);
            CHECK_OK(decaps(&k, shared));
            CHECK_EQ_MEM(shared, want, sizeof want);
            CHECK(memcmp(shared, k.shared, sizeof shared) != 0);
            k.ct[at] ^= change;
        }
        static const uint8_t FILLS[] = {0, 0xff};
        for (unsigned f = 0; f < sizeof FILLS; f++) {
            memset(k.ct, FILLS[f], k.ct_bytes);
            memcpy(message + 32, k.ct, k.ct_bytes);
            rs_shake256(want, sizeof want, message, 32 + k.ct_bytes);
            CHECK_OK(decaps(&k, shared));
            CHECK_EQ_MEM(shared, want, sizeof want);
        }
    }
}

static void put_coefficient(uint8_t *bytes, size_t index, uint32_t value) {
    uint8_t *at = bytes + index / 2 * 3;
    uint32_t pair = at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16;
    const uint32_t shift = index % 2 * 12;
    pair = (pair & ~((uint32_t)0xfff << shift)) | value << shift;
    at[0] = (uint8_t)pair;
    at[1] = (uint8_t)(pair >> 8);
    at[2] = (uint8_t)(pair >> 16);
}

// A coefficient of q or more anywhere is refused, before random bytes are asked for; q - 1 is not.
RS_TEST(damaged_encapsulation_keys) {
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]);
        uint8_t *good = rs_test_own(malloc(k.ek_bytes));
        const size_t coefficients = (k.ek_bytes - 32) / 3 * 2;
        memcpy(good, k.ek, k.ek_bytes);
        source_t source = {.bytes = M};
        rs_rng_t rng = {fill, &source};
        for (size_t c = 0; c < coefficients; c++) {
            put_coefficient(k.ek, c, Q - 1);
            CHECK_OK(check_ek(&k));
            put_coefficient(k.ek, c, c % 2 ? Q : 4095 - (uint32_t)c % 700);
            CHECK_STATUS(check_ek(&k), RS_ERR_PUBLIC_KEY);
            if (c % 50 == 0) {
                CHECK_STATUS(encaps(&k, M), RS_ERR_PUBLIC_KEY);
                CHECK_STATUS(encaps_by(&k, NULL, &rng), RS_ERR_PUBLIC_KEY);
            }
            memcpy(k.ek, good, k.ek_bytes);
        }
        CHECK_EQ_U64(source.asked, 0);
        memset(k.ek + k.ek_bytes - 32, 0xff, 32); // any rho is one
        CHECK_OK(check_ek(&k));
    }
}

// A bit flipped in ek or its hash is refused. One in s or z is not seen, but the secret is another one, of a wrong s or of a rejection.
RS_TEST(damaged_decapsulation_keys) {
    for (unsigned i = 0; i < SETS; i++) {
        kem_t k = kem_of(SET[i]);
        uint8_t shared[RS_MLKEM_SHARED_BYTES];
        const size_t s_bytes = k.ek_bytes - 32, checked = s_bytes + k.ek_bytes + 32;
        for (size_t at = s_bytes; at < checked; at += at < s_bytes + 2 || at + 40 > checked ? 1 : 31) {
            k.dk[at] ^= 0x10;
            memset(shared, GUARD, sizeof shared);
            CHECK_STATUS(check_dk(&k), RS_ERR_SECRET_KEY);
            CHECK_STATUS(decaps(&k, shared), RS_ERR_SECRET_KEY);
            CHECK(is_filled(shared, sizeof shared, GUARD));
            k.dk[at] ^= 0x10;
        }
        k.dk[k.dk_bytes - 1] ^= 1; // z has no part in a good ciphertext
        CHECK_OK(decaps(&k, shared));
        CHECK_EQ_MEM(shared, k.shared, sizeof shared);
        memset(k.dk, 0xff, s_bytes); // words up to 4095 are not refused
        CHECK_OK(check_dk(&k));
        CHECK_OK(decaps(&k, shared));
        CHECK(memcmp(shared, k.shared, sizeof shared) != 0);
    }
}
