// SPDX-License-Identifier: Apache-2.0
// Encode and decode on every back end: bit for bit what the portable functions give, and these what plain arithmetic gives.
#include <float.h>
#include <ringside/golden.h>

#include "backend/backend.h"
#include "ckks/context.h"
#include "fixture.h"
#include "reference128.h"

enum { NAMES = 3, LOG_N_SMALL = 10, N_SMALL = 1 << LOG_N_SMALL, SPECIALS_MAX = 400 };

static const char *const NAME[NAMES] = {"portable", "avx2", "avx512"};

// The back end's part, selected for contexts to come; NULL if this machine has none.
static const rs_encoding_t *encoding_of(unsigned name) {
    if (rs_backend_select(NAME[name]) == RS_OK) return rs_backend_current()->encoding;
    printf("(this machine has no %s) ", NAME[name]);
    return NULL;
}

// The body for each back end that this machine has.
#define EACH(k, encoding)                \
    for (unsigned k = 0; k < NAMES; k++) \
        for (const rs_encoding_t *encoding = encoding_of(k); encoding; encoding = NULL)

static uint64_t random64(void) {
    static uint64_t state = 1;
    return rs_test_random(&state);
}

static double random_unit(void) { // [-1, 1)
    return (double)(int64_t)random64() * 0x1p-63;
}

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void *allocate(size_t bytes) { return rs_test_own(aligned_alloc(64, (bytes + 127) / 64 * 64)); }

// What of a context the transforms use, for N up to 2^17 without the search for roots of unity.
static rs_context_t *transform_context(uint32_t log_n) {
    const size_t points = (size_t)1 << (log_n - 1);
    rs_context_t *c = rs_test_own(calloc(1, sizeof *c));
    rs_ckks_t *ckks = rs_test_own(calloc(1, sizeof *ckks));
    double *roots = allocate(2 * points * sizeof *roots);
    uint16_t *slots = allocate(points * sizeof *slots);
    rs_fft_roots(roots, roots + points, log_n, slots); // where slots will be
    rs_fft_slots(slots, log_n);
    c->params.log_n = log_n;
    c->n = (uint32_t)1 << log_n;
    *ckks = (rs_ckks_t){.fft = {log_n, roots, roots + points}, .slots = slots};
    c->scheme = ckks;
    return c;
}

RS_TEST(table_of_slots) {
    for (uint32_t log_n = RS_LOG_N_MIN; log_n <= RS_LOG_N_MAX; log_n++) {
        rs_context_t *c = transform_context(log_n);
        for (uint32_t slot = 0; slot < c->n / 2; slot++) {
            uint32_t conjugated;
            const uint32_t position = rs_slot_position(c, slot, &conjugated);
            if (!CHECK_EQ_U64(rs_ckks(c)->slots[slot], position) || !CHECK_EQ_U64(conjugated, slot & 1)) break;
        }
    }
}

// ---- transforms --------------------------------------------------------------------------------
enum { KINDS = 5 };

static double input(unsigned kind, size_t i) {
    switch (kind) {
    case 0: return random_unit();
    case 1: return i & 1 ? -0.0 : 0.0;
    case 2: return from_bits(random64() & 0x800fffffffffffff) * 0x1p3; // subnormal and the smallest normal ones
    case 3: return ldexp(random_unit(), (int)(random64() % 600) - 100); // up to 2^500: finite all the way
    default: return i == 77 ? 1e300 : 0;                                // one-hot
    }
}

RS_TEST(transforms_equal_the_portable_ones) {
    for (uint32_t log_n = RS_LOG_N_MIN; log_n <= RS_LOG_N_MAX; log_n++) {
        rs_context_t *c = transform_context(log_n);
        const size_t n = c->n;
        double *x = allocate(n * sizeof *x), *want = allocate(n * sizeof *want), *memory = allocate((n + 2) * sizeof *memory);
        for (unsigned kind = 0; kind < KINDS; kind++) {
            for (size_t i = 0; i < n; i++) x[i] = input(kind, i);
            for (unsigned direction = 0; direction < 2; direction++) {
                memcpy(want, x, n * sizeof *x);
                if (direction) {
                    rs_fft_portable_forward(&rs_ckks(c)->fft, want, want + n / 2);
                } else {
                    rs_fft_portable_inverse(&rs_ckks(c)->fft, want, want + n / 2, 0x1.23456789abcdep-9);
                }
                for (unsigned k = 1; k < NAMES; k++) {
                    const rs_encoding_t *encoding = encoding_of(k);
                    for (size_t offset = 0; encoding && offset < 2; offset++) { // on cache lines, and off them
                        double *got = memory + offset;
                        memcpy(got, x, n * sizeof *x);
                        got[n] = 7;
                        if (direction) {
                            encoding->forward(&rs_ckks(c)->fft, got, got + n / 2);
                        } else {
                            encoding->inverse(&rs_ckks(c)->fft, got, got + n / 2, 0x1.23456789abcdep-9);
                        }
                        CHECK_EQ_MEM(got, want, n * sizeof *got);
                        CHECK(got[n] == 7);
                    }
                }
            }
        }
    }
}

// ---- rounding, magnitudes ----------------------------------------------------------------------
static size_t special_values(double *x) {
    static const double AROUND[] = {0,      0.5,    1,      1.5,          2.5,     3.5,        1e6 + 0.5,
                                    0x1p31, 0x1p50, 0x1p51, 0x1p51 + 0.5, 0x1p52,  0x1p52 + 1, 0x1p53,
                                    0x1p62, 0x1p63, 0x1p64, 0x1p200,      DBL_MIN, 0x1p-1074,  0x1p1023};
    size_t count = 0;
    for (unsigned i = 0; i < sizeof AROUND / sizeof *AROUND; i++) {
        double low = AROUND[i], high = AROUND[i];
        for (unsigned step = 0; step < 4; step++) {
            x[count++] = low;
            x[count++] = -low;
            x[count++] = high;
            x[count++] = -high;
            low = nextafter(low, -DBL_MAX);
            high = nextafter(high, DBL_MAX);
        }
    }
    x[count++] = DBL_MAX;
    x[count++] = -DBL_MAX;
    return count;
}

static uint64_t largest_of(const double *x, size_t count) {
    uint64_t largest = 0;
    for (size_t i = 0; i < count; i++) largest = bits_of(fabs(x[i])) > largest ? bits_of(fabs(x[i])) : largest;
    return largest;
}

// All points equal: the sums are exact, the differences 0, so the mean stays, as the first coefficient of either half.
RS_TEST(rounding_is_that_of_round) {
    enum { COUNT = 2048 };
    static double x[COUNT];
    const size_t special = special_values(x);
    REQUIRE(special <= SPECIALS_MAX);
    for (size_t i = special; i < COUNT; i++) {
        const int64_t any = (int64_t)random64();
        const double unit = random_unit();
        x[i] =
            i % 3 ? ldexp(unit, (int)((uint64_t)any % 70) * (i % 3 == 1 ? 1 : -1)) : (double)(any >> (i % 52 + 12)) + 0.5; // ties
    }
    rs_context_t *c = transform_context(RS_LOG_N_MIN);
    const size_t n = c->n;
    double *got = allocate(n * sizeof *got);
    EACH (k, encoding) {
        for (size_t i = 0; i < COUNT; i += 2) {
            if (fmax(fabs(x[i]), fabs(x[i + 1])) > 0x1p1000) continue; // their sums are infinite
            for (size_t j = 0; j < n / 2; j++) {
                got[j] = x[i];
                got[j + n / 2] = x[i + 1];
            }
            const double smallest = from_bits(rs_fft_floor(1.0 / (double)n, c->params.log_n));
            const double want[2] = {fabs(x[i]) < smallest ? x[i] * 0 : x[i], fabs(x[i + 1]) < smallest ? x[i + 1] * 0 : x[i + 1]};
            CHECK_EQ_U64(encoding->inverse_rounded(&rs_ckks(c)->fft, got, got + n / 2, 0, 1.0 / (double)n), largest_of(want, 2));
            for (unsigned half = 0; half < 2; half++) {
                const double found = got[half * n / 2];
                if (!CHECK_EQ_U64(bits_of(found), bits_of(round(want[half])))) printf("%a\n", want[half]);
            }
            for (size_t j = 1; j < n / 2; j++) CHECK(got[j] == 0 && got[j + n / 2] == 0);
        }
    }
}

// The transform, then round: at every place, about every magnitude, and infinite ones and NaNs are no smaller than others.
RS_TEST(transform_and_rounding_in_one) {
    for (uint32_t log_n = RS_LOG_N_MIN; log_n <= RS_LOG_N_MAX; log_n++) {
        rs_context_t *c = transform_context(log_n);
        const size_t n = c->n;
        double *x = allocate(n * sizeof *x), *want = allocate(n * sizeof *want), *memory = allocate((n + 2) * sizeof *memory);
        for (unsigned kind = 0; kind < 2 * KINDS; kind++) {
            const int real = kind & 1;
            const double fix = ldexp(1.0, kind < KINDS ? 10 : -(int)log_n);
            for (size_t i = 0; i < n; i++) x[i] = real && i >= n / 2 ? 0 : input(kind / 2, i);
            memcpy(want, x, n * sizeof *x);
            rs_fft_portable_inverse(&rs_ckks(c)->fft, want, want + n / 2, fix);
            const uint64_t largest = largest_of(want, n);
            for (size_t i = 0; i < n; i++) want[i] = round(want[i]);
            for (unsigned k = 0; k < NAMES; k++) {
                const rs_encoding_t *encoding = encoding_of(k);
                for (size_t offset = 0; encoding && offset < 2; offset++) { // on cache lines, and off them
                    double *got = memory + offset;
                    memcpy(got, x, n * sizeof *x);
                    for (size_t i = n / 2; real && i < n; i++) got[i] = NAN; // not read
                    got[n] = 7;
                    CHECK_EQ_U64(encoding->inverse_rounded(&rs_ckks(c)->fft, got, got + n / 2, real, fix), largest);
                    CHECK_EQ_MEM(got, want, n * sizeof *got);
                    CHECK(got[n] == 7);
                }
            }
        }
        EACH (k, encoding) { // sums that are infinite, and then no numbers
            for (size_t i = 0; i < n; i++) memory[i] = i % 8 ? 1 : i % 16 ? -DBL_MAX : DBL_MAX;
            CHECK(encoding->inverse_rounded(&rs_ckks(c)->fft, memory, memory + n / 2, 0, 1.0) >= RS_INFINITY_BITS);
        }
    }
}

RS_TEST(largest_magnitudes) {
    static const double TOPS[] = {3.5, -3.5, INFINITY, -INFINITY, NAN, DBL_MAX, -0x1p-1074, -0.0};
    double x[80];
    EACH (k, encoding) {
        CHECK_EQ_U64(encoding->largest_magnitude(x, 0), 0);
        CHECK_EQ_U64(encoding->largest_magnitude(NULL, 0), 0);
        for (unsigned t = 0; t < sizeof TOPS / sizeof *TOPS; t++) {
            for (size_t count = 1; count < 70; count++) {
                for (size_t at = 0; at < count; at++) {
                    for (size_t i = 0; i < 80; i++) x[i] = i < count ? 0 : NAN; // behind the end: not looked at
                    x[at] = TOPS[t];
                    if (!CHECK_EQ_U64(encoding->largest_magnitude(x, count), bits_of(fabs(TOPS[t])))) return;
                }
            }
        }
    }
}

// ---- digits ------------------------------------------------------------------------------------
// Above and below 50 bits, 20 bits, next to 2^50, and too small for doubles.
static const uint32_t CHAINS[][6] = {
    {60, 48, 48, 48, 48, 48}, {30, 20, 20, 20, 20, 30}, {50, 50, 50, 50, 50, 50}, {60, 60, 60, 60, 60, 60},
    {54, 53, 52, 50, 49, 51}, {20, 60, 50, 20, 48, 55}, {60, 20, 20, 48, 20, 48}, {49, 59, 36, 40, 50, 20},
};
enum { CHAIN_COUNT = sizeof CHAINS / sizeof *CHAINS, LIMBS = 6 };

static const rs_context_t *chain_context(unsigned chain) {
    rs_params_t params;
    const rs_context_t *context = context_with(&params, N_SMALL, CHAINS[chain], LIMBS);
    if (!context) abort();
    return context;
}

// All residues, with extremes among them.
static void random_residues(const rs_context_t *c, uint64_t *poly) {
    for (uint32_t limb = 0; limb < LIMBS; limb++) {
        const uint64_t q = c->limbs[limb].modulus.q;
        const uint64_t special[] = {0, 1, q - 1, q / 2, q / 2 + 1, q / 2 - 1};
        for (size_t i = 0; i < N_SMALL; i++) {
            const uint64_t choice = random64() % 16;
            poly[limb * N_SMALL + i] = choice < 6 ? special[choice] : random64() % q;
        }
    }
}

// The residue of digits by long division, digit by digit.
static uint64_t residue(const rs_context_t *c, const uint64_t *poly, uint32_t digits, uint64_t q, size_t i) {
    test_i128 x = 0;
    for (uint32_t k = digits; k-- > 0;) {
        x = (x * (test_i128)(c->limbs[k].modulus.q % q) + (int64_t)poly[k * N_SMALL + i]) % (test_i128)q;
    }
    return (uint64_t)(x < 0 ? x + (test_i128)q : x);
}

RS_TEST(digits_have_the_residues) {
    static uint64_t residues[LIMBS * N_SMALL], poly[LIMBS * N_SMALL];
    for (unsigned chain = 0; chain < CHAIN_COUNT; chain++) {
        const rs_context_t *c = chain_context(chain);
        const rs_rns_t rns = rs_context_rns(c);
        for (unsigned round = 0; round < 8; round++) {
            random_residues(c, residues);
            EACH (k, encoding) {
                memcpy(poly, residues, sizeof poly);
                for (uint32_t limb = 0; limb < LIMBS; limb++) {
                    const uint64_t q = c->limbs[limb].modulus.q;
                    encoding->make_digit(&rns, poly, limb);
                    for (size_t i = 0; i < N_SMALL; i++) { // balanced, and right: this determines it
                        const int64_t digit = (int64_t)poly[limb * N_SMALL + i];
                        if (!CHECK(-(int64_t)(q / 2) <= digit && digit <= (int64_t)(q / 2))) break;
                        if (!CHECK_EQ_U64(residue(c, poly, limb + 1, q, i), residues[limb * N_SMALL + i])) break;
                    }
                }
            }
        }
    }
}

RS_TEST(other_limbs_agree_or_not) {
    static uint64_t poly[LIMBS * N_SMALL];
    for (unsigned chain = 0; chain < CHAIN_COUNT; chain++) {
        const rs_context_t *c = chain_context(chain);
        const rs_rns_t rns = rs_context_rns(c);
        for (uint32_t digits = 1; digits < LIMBS; digits++) {
            for (uint32_t limb = 0; limb < LIMBS; limb++) { // extremes of both signs, then anything between
                const int64_t half = (int64_t)(c->limbs[limb].modulus.q / 2);
                for (size_t i = 0; i < N_SMALL; i++) {
                    const int64_t special[] = {half, -half, 0, -1, 1};
                    const uint64_t choice = random64() % 10;
                    poly[limb * N_SMALL + i] =
                        (uint64_t)(choice < 5 ? special[choice] : (int64_t)(random64() % (2 * (uint64_t)half + 1)) - half);
                }
            }
            for (uint32_t limb = digits; limb < LIMBS; limb++) {
                const uint64_t q = c->limbs[limb].modulus.q;
                uint64_t *r = poly + limb * N_SMALL;
                for (size_t i = 0; i < N_SMALL; i++) r[i] = residue(c, poly, digits, q, i);
                EACH (k, encoding) {
                    CHECK_EQ_U64(encoding->disagrees(&rns, poly, digits, limb), 0);
                    for (size_t i = 0; i < N_SMALL; i += i < 16 || i >= N_SMALL - 16 ? 1 : 31) {
                        const uint64_t right = r[i];
                        const uint64_t wrong[] = {right ? right - 1 : q - 1, right + 1 < q ? right + 1 : 0, right ? 0 : q / 2,
                                                  right ^ 1};
                        for (unsigned w = 0; w < 4; w++) {
                            r[i] = wrong[w];
                            if (!CHECK_EQ_U64(encoding->disagrees(&rns, poly, digits, limb), 1)) break;
                        }
                        r[i] = right;
                    }
                }
            }
        }
    }
}

// ---- coefficients ------------------------------------------------------------------------------
// A number of up to `bits` bits: any, or next to a tie between doubles, of either sign.
static test_i128 number(uint32_t bits) {
    const uint32_t length = (uint32_t)(random64() % (bits + 1));
    test_u128 x = ((test_u128)random64() << 64 | random64()) >> 1;
    if (length == 0) return 0;
    x = (x >> (127 - length)) | (test_u128)1 << (length - 1);
    if (length > 54 && random64() % 2) {
        const uint32_t below = length - 53; // bits that a double has not
        x = (x >> below << below) + ((test_u128)1 << (below - 1));
        x += (test_u128)(random64() % 3) - 1;
    }
    return random64() % 2 ? (test_i128)x : -(test_i128)x;
}

RS_TEST(coefficients_are_rounded_once) {
    static const double SCALES[] = {0x1p40, 1, 0x1p-1022, 0x1p1023, 3, 1e12, 0x1.fffffffffffffp60, 1.1e308};
    static uint64_t poly[LIMBS * N_SMALL];
    static double want[N_SMALL], got[N_SMALL + 1];
    for (unsigned chain = 0; chain < CHAIN_COUNT; chain++) {
        const rs_context_t *c = chain_context(chain);
        const rs_rns_t rns = rs_context_rns(c);
        for (uint32_t digits = 1; digits <= LIMBS; digits++) {
            for (unsigned s = 0; s < sizeof SCALES / sizeof *SCALES; s++) {
                const int exact = c->total_bits[digits] <= 108; // then the compiler's own conversion is the measure
                random_residues(c, poly);
                for (uint32_t k = 0; k < digits; k++) RS_ENCODING_PORTABLE.make_digit(&rns, poly, k);
                for (size_t i = 0; exact && i < N_SMALL; i++) {
                    test_i128 x = 0;
                    for (uint32_t k = digits; k-- > 0;) x = x * (test_i128)c->limbs[k].modulus.q + (int64_t)poly[k * N_SMALL + i];
                    if (i % 4) { // else the extremes of random_residues
                        x = number(c->total_bits[digits] - 2);
                        test_i128 rest = x;
                        for (uint32_t k = 0; k < digits; k++) {
                            const test_i128 q = (test_i128)c->limbs[k].modulus.q;
                            test_i128 digit = rest % q;
                            if (digit > q / 2) digit -= q;
                            if (digit < -(q / 2)) digit += q;
                            poly[k * N_SMALL + i] = (uint64_t)digit;
                            rest = (rest - digit) / q;
                        }
                        CHECK(rest == 0);
                    }
                    want[i] = (double)x / SCALES[s];
                }
                if (!exact) rs_coefficients_portable(&rns, want, poly, digits, SCALES[s]);
                EACH (k, encoding) {
                    got[N_SMALL] = 7;
                    encoding->coefficients(&rns, got, poly, digits, SCALES[s]);
                    if (!CHECK_EQ_MEM(got, want, sizeof want)) printf("chain %u, %u digits, scale %a\n", chain, digits, SCALES[s]);
                    CHECK(got[N_SMALL] == 7);
                }
            }
        }
    }
}

// ---- encode and decode -------------------------------------------------------------------------
RS_TEST(encode_is_the_same_on_all) {
    static const uint32_t LOG_NS[] = {10, 13, 14, 17};
    for (unsigned l = 0; l < sizeof LOG_NS / sizeof *LOG_NS; l++) {
        const uint32_t n = (uint32_t)1 << LOG_NS[l], bits[] = {60, 60};
        const size_t counts[] = {n / 2, n / 2 - 1, 0, 1, 7};
        rs_params_t params;
        REQUIRE_OK(params_of_bits(&params, n, bits, 2));
        double *values = allocate(n * sizeof *values), *want = allocate(n * sizeof *want), *coef = allocate(n * sizeof *coef);
        void *memory = words(rs_context_size(&params) / 8 + 1);
        for (unsigned kind = 0; kind < 10; kind++) {
            const int is_complex = kind % 2;
            const size_t count = counts[kind / 2];
            const double scale = kind / 2 % 2 ? 1e9 : 0x1p40;
            for (size_t i = 0; i < n; i++) values[i] = i < (is_complex ? 2 : 1) * count ? random_unit() : NAN;
            for (unsigned k = 0; k < NAMES; k++) {
                const rs_context_t *c;
                if (!encoding_of(k)) continue;
                REQUIRE_OK(context_in(&c, memory, rs_context_size(&params), &params));
                rs_plaintext_t message = {.message = coef};
                for (size_t i = 0; i < n; i++) coef[i] = NAN;
                REQUIRE_OK(encode_values(c, &message, values, count, is_complex, scale, 1));
                if (k == 0) { // slots placed one by one, the transform, libm's rounding
                    memset(want, 0, n * sizeof *want);
                    for (uint32_t i = 0; i < count; i++) {
                        uint32_t conjugated;
                        const uint32_t at = rs_slot_position(c, i, &conjugated);
                        want[at] = is_complex ? values[2 * i] : values[i];
                        if (is_complex) want[n / 2 + at] = conjugated ? -values[2 * i + 1] : values[2 * i + 1];
                    }
                    rs_fft_inverse(c, want, want + n / 2, scale / n);
                    for (size_t i = 0; i < n; i++) want[i] = round(want[i]);
                }
                CHECK_EQ_MEM(coef, want, n * sizeof *coef);
                for (size_t i = 0; i < n; i++) coef[i] = NAN;
                REQUIRE_OK(encode_words(c, &message, values, count, is_complex, scale, 1));
                CHECK_EQ_U64(message.form, RS_FORM_WORDS);
                uint64_t wrong = 0;
                for (size_t i = 0; i < n; i++) {
                    int64_t word;
                    memcpy(&word, &coef[i], sizeof word);
                    wrong += word != (int64_t)want[i];
                }
                CHECK_EQ_U64(wrong, 0);
            }
        }
    }
}

// Coefficients from 2^61 on are doubles as before.
RS_TEST(words_that_are_too_small) {
    enum { LOG_N = 10, COUNT = 1 << LOG_N };
    static double values[COUNT / 2], want[COUNT], coef[COUNT];
    const uint32_t bits[] = {60, 60, 60}; // the last one is not for data
    rs_params_t params;
    const rs_context_t *c = context_with(&params, COUNT, bits, 3);
    REQUIRE(c);
    for (unsigned i = 0; i < COUNT / 2; i++) values[i] = 1; // the constant polynomial
    rs_plaintext_t message = {.message = coef}, doubles = {.message = want};
    REQUIRE_OK(encode_words(c, &message, values, COUNT / 2, 0, 0x1.fp60, 2));
    CHECK_EQ_U64(message.form, RS_FORM_WORDS);
    for (unsigned k = 0; k < 3; k++) {
        const double scale = k == 0 ? 0x1p61 : k == 1 ? 0x1p63 : 0x1p90;
        REQUIRE_OK(encode_words(c, &message, values, COUNT / 2, 0, scale, 2));
        REQUIRE_OK(encode_values(c, &doubles, values, COUNT / 2, 0, scale, 2));
        CHECK_EQ_U64(message.form, RS_FORM_COEF);
        CHECK_EQ_MEM(coef, want, sizeof coef);
    }
    CHECK_STATUS(encode_words(c, &message, values, COUNT / 2, 0, 0x1p119, 2), RS_ERR_SCALE);
}

// What rs_encode refuses, wherever it is among the values.
RS_TEST(encode_refuses_on_all) {
    static double values[N_SMALL], coef[N_SMALL];
    const uint32_t bits[] = {50, 50};
    rs_params_t params;
    REQUIRE_OK(params_of_bits(&params, N_SMALL, bits, 2));
    void *memory = words(rs_context_size(&params) / 8 + 1);
    for (unsigned k = 0; k < NAMES; k++) {
        const rs_context_t *c;
        if (!encoding_of(k)) continue;
        REQUIRE_OK(context_in(&c, memory, rs_context_size(&params), &params));
        rs_plaintext_t p = {.message = coef};
        for (size_t at = 0; at < N_SMALL; at += 37) {
            const double bad[] = {NAN, -NAN, INFINITY, -INFINITY};
            memset(values, 0, sizeof values);
            for (unsigned b = 0; b < 4; b++) {
                values[at] = bad[b];
                CHECK_STATUS(encode_values(c, &p, values, N_SMALL / 2, 1, 0x1p30, 1), RS_ERR_NOT_FINITE);
            }
            values[at] = -0x1p40;
            CHECK_STATUS(encode_values(c, &p, values, N_SMALL / 2, 1, 0x1p30, 1), RS_ERR_OVERFLOW);
            for (size_t i = 0; i < N_SMALL; i++) CHECK(coef[i] == 0);
        }
        for (size_t i = 0; i < N_SMALL; i++) values[i] = 1.7e308; // overflows inside the transform
        CHECK_STATUS(encode_values(c, &p, values, N_SMALL / 2, 1, 0x1p30, 1), RS_ERR_OVERFLOW);
    }
}

typedef struct decoding {
    rs_params_t params;
    uint64_t residues[LIMBS * N_SMALL]; // in NTT form
    uint64_t ntt[LIMBS * N_SMALL];
    double values[N_SMALL];
    double want[N_SMALL];
    uint64_t workspace[N_SMALL];
} decoding_t;

// Residues of integers below 2^magnitude_bits, or any residues at all with 0.
static void fill_residues(const rs_context_t *c, decoding_t *d, uint32_t magnitude_bits) {
    if (magnitude_bits == 0) random_residues(c, d->residues);
    for (size_t i = 0; magnitude_bits && i < N_SMALL; i++) {
        const test_i128 x = number(magnitude_bits);
        for (uint32_t limb = 0; limb < LIMBS; limb++) {
            const test_i128 q = (test_i128)c->limbs[limb].modulus.q;
            d->residues[limb * N_SMALL + i] = (uint64_t)((x % q + q) % q);
        }
        d->want[i] = (double)x;
    }
    for (uint32_t limb = 0; limb < LIMBS; limb++) rs_plan_forward(rs_context_plan(c, limb), d->residues + limb * N_SMALL);
}

static rs_status_t decode(const rs_context_t *c, decoding_t *d, uint32_t limbs, double scale, size_t count, int is_complex) {
    rs_plaintext_t p = {.form = RS_FORM_NTT, .ntt = d->ntt, .limb_count = limbs, .scale = scale};
    memcpy(d->ntt, d->residues, sizeof d->ntt);
    memcpy(p.parms_id, rs_context_parms_id(c, limbs), RS_PARMS_ID_BYTES);
    for (size_t i = 0; i < N_SMALL; i++) d->values[i] = 7;
    return decode_values(c, &p, d->values, count, is_complex, d->workspace, sizeof d->workspace);
}

RS_TEST(decode_is_exact_and_the_same_on_all) {
    static decoding_t d;
    static double expected[N_SMALL];
    for (unsigned chain = 0; chain < CHAIN_COUNT; chain++) {
        REQUIRE_OK(params_of_bits(&d.params, N_SMALL, CHAINS[chain], LIMBS));
        void *memory = words(rs_context_size(&d.params) / 8 + 1);
        for (unsigned kind = 0; kind < 32; kind++) {
            const int is_complex = kind & 1;
            const size_t count = kind & 2 ? N_SMALL / 2 : 33;
            const uint32_t limbs = (uint32_t[]){1, 2, LIMBS - 1, LIMBS}[kind >> 2 & 3];
            const double scale = kind & 16 ? 0x1p18 : 1e5;
            for (unsigned size = 0; size < 4; size++) { // within the headroom, twice beyond it, anything
                for (unsigned k = 0; k < NAMES; k++) {
                    const rs_context_t *c;
                    if (!encoding_of(k)) continue;
                    REQUIRE_OK(context_in(&c, memory, rs_context_size(&d.params), &d.params));
                    const uint32_t room = c->total_bits[limbs] - 2; // bits of an integer that so many limbs hold
                    const uint32_t wanted[] = {30, 70, 107, 0};
                    const uint32_t bits = wanted[size] < room ? wanted[size] : room < 107 ? room : 107;
                    if (k == 0) {
                        fill_residues(c, &d, bits);
                        CHECK_OK(decode(c, &d, limbs, scale, count, is_complex));
                        memcpy(expected, d.values, sizeof expected);
                        if (bits == 0) continue;
                        for (size_t i = 0; i < N_SMALL; i++) d.want[i] /= scale;
                        rs_fft_portable_forward(&rs_ckks(c)->fft, d.want, d.want + N_SMALL / 2);
                        for (uint32_t i = 0; i < N_SMALL / 2; i++) {
                            uint32_t conjugated;
                            const uint32_t at = rs_slot_position(c, i, &conjugated);
                            const double im = conjugated ? -d.want[N_SMALL / 2 + at] : d.want[N_SMALL / 2 + at];
                            if (is_complex) {
                                CHECK_EQ_U64(bits_of(expected[2 * i]), bits_of(i < count ? d.want[at] : 7));
                                CHECK_EQ_U64(bits_of(expected[2 * i + 1]), bits_of(i < count ? im : 7));
                            } else {
                                CHECK_EQ_U64(bits_of(expected[i]), bits_of(i < count ? d.want[at] : 7));
                            }
                        }
                    } else {
                        CHECK_OK(decode(c, &d, limbs, scale, count, is_complex));
                        CHECK_EQ_MEM(d.values, expected, sizeof expected);
                    }
                }
            }
        }
    }
}

RS_TEST(decode_refuses_on_all) {
    static decoding_t d;
    static const uint64_t ZERO[LIMBS * N_SMALL];
    REQUIRE_OK(params_of_bits(&d.params, N_SMALL, CHAINS[0], LIMBS));
    void *memory = words(rs_context_size(&d.params) / 8 + 1);
    for (unsigned k = 0; k < NAMES; k++) {
        const rs_context_t *c;
        if (!encoding_of(k)) continue;
        REQUIRE_OK(context_in(&c, memory, rs_context_size(&d.params), &d.params));
        for (uint32_t limbs = 1; limbs <= LIMBS; limbs += LIMBS - 1) {
            fill_residues(c, &d, c->total_bits[limbs] - 2 < 107 ? c->total_bits[limbs] - 2 : 107);
            CHECK_STATUS(decode(c, &d, limbs, 0x1p-1022, N_SMALL / 2, 1), RS_ERR_VALUE_RANGE);
            CHECK_EQ_MEM(d.values, ZERO, sizeof d.values); // what was made before is wiped
            CHECK_EQ_MEM(d.ntt, ZERO, limbs * N_SMALL * sizeof *d.ntt);
            CHECK_EQ_MEM(d.workspace, ZERO, sizeof d.workspace);
            CHECK_STATUS(decode(c, &d, limbs, 0x1p-1022, 0, 0), RS_OK); // no slots: none is out of range
            // 3 - 3 X times 2^1022: infinite, not NaN, where X is far from 1. At the first slot it is near
            for (uint32_t limb = 0; limb < LIMBS; limb++) {
                memset(d.residues + limb * N_SMALL, 0, N_SMALL * sizeof *d.residues);
                d.residues[limb * N_SMALL] = 3;
                d.residues[limb * N_SMALL + 1] = c->limbs[limb].modulus.q - 3;
                rs_plan_forward(rs_context_plan(c, limb), d.residues + limb * N_SMALL);
            }
            CHECK_STATUS(decode(c, &d, limbs, 0x1p-1022, N_SMALL / 2, 1), RS_ERR_VALUE_RANGE);
            CHECK_STATUS(decode(c, &d, limbs, 0x1p-1022, N_SMALL / 2, 0), RS_ERR_VALUE_RANGE);
            CHECK_STATUS(decode(c, &d, limbs, 0x1p-1022, 1, 1), RS_OK);
            CHECK_STATUS(decode(c, &d, limbs, INFINITY, 1, 0), RS_ERR_SCALE);
            CHECK_STATUS(decode(c, &d, limbs, 0x1p20, N_SMALL / 2 + 1, 0), RS_ERR_VALUE_COUNT);
        }
    }
}
