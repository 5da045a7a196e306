// SPDX-License-Identifier: Apache-2.0
// Encode and decode meet no subnormal numbers, whatever the values (docs/encoding.md, "Numbers too small to matter").
//
// The processor's sticky flags tell: of x86-64 "denormal operand" and "underflow", of others underflow alone.
#include <fenv.h>
#include <ringside/golden.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "backend/backend.h"
#include "base/doubles.h"
#include "ckks/context.h"
#include "encoding/encoding.h"
#include "fixture.h"

enum { NAMES = 3, LIMBS = 3, KINDS = 9 };

static const char *const NAME[NAMES] = {"portable", "avx2", "avx512"};

static uint64_t random64(void) {
    static uint64_t state = 5;
    return rs_test_random(&state);
}

static double random_unit(void) { // [-1, 1)
    return (double)(int64_t)random64() * 0x1p-63;
}

// A call of its own: a compiler may move arithmetic across what it can see to read or write the flags.
__attribute__((noinline)) static void clear_flags(void) {
    feclearexcept(FE_ALL_EXCEPT);
#ifdef __SSE2__
    _mm_setcsr(_mm_getcsr() & ~0x3fu);
#endif
}

__attribute__((noinline)) static int met_subnormals(void) {
#ifdef __SSE2__
    return (_mm_getcsr() & 0x12) != 0; // DE, UE
#else
    return fetestexcept(FE_UNDERFLOW) != 0;
#endif
}

// The smallest magnitude that counts.
static double floor_of(double scale) { return ldexp(0x1p-80, -ilogb(scale)); }

static double value(unsigned kind, double scale, size_t i) {
    switch (kind) {
    case 0: // subnormal
        return rs_from_bits(random64() & 0x800fffffffffffff);
    case 1: return 1e-307 * random_unit();
    case 2: // any exponent up to 0
        return rs_from_bits((random64() & 0x800fffffffffffff) | random64() % 1024 << 52);
    case 3: // just above the floor, so that differences are far below it
        return floor_of(scale) * (1 + (double)(random64() % 4) * 0x1p-52);
    case 4: // few subnormal ones
        return i % 16 ? random_unit() : rs_from_bits(random64() & 0x800fffffffffffff);
    case 5: // cancels almost everywhere
        return (1.0 / 3) * (i & 1 ? 1 + 0x1p-52 : 1);
    case 6: return i == 77 ? 1.0 / 3 : i == 78 ? 0x1p-1074 : 0;
    case 7: // from the floor on
        return ldexp(0.5 + random_unit() / 4, (int)(random64() % 90) + ilogb(floor_of(scale)) + 2);
    default: return i & 1 ? -0.0 : 0.0;
    }
}

typedef struct subject {
    rs_params_t params;
    void *memory;
    size_t n;
    double *values;
    double *coef;
    double *want;
} subject_t;

static void open_subject(subject_t *s, uint32_t log_n, uint32_t first_bits) {
    const uint32_t bits[LIMBS] = {first_bits, 60, 60};
    s->n = (size_t)1 << log_n;
    REQUIRE_OK(params_of_bits(&s->params, (uint32_t)s->n, bits, LIMBS));
    s->memory = words(rs_context_size(&s->params) / 8 + 1);
    s->values = doubles(s->n);
    s->coef = doubles(s->n);
    s->want = doubles(s->n);
}

// A context on the named back end; NULL where the machine has none.
static const rs_context_t *context_on(subject_t *s, unsigned name) {
    const rs_context_t *c = NULL;
    if (rs_backend_select(NAME[name]) != RS_OK) {
        printf("(this machine has no %s) ", NAME[name]);
        return NULL;
    }
    CHECK_OK(context_in(&c, s->memory, rs_context_size(&s->params), &s->params));
    return c;
}

// The proof in docs/encoding.md covers these sizes and scales.
static const struct {
    uint32_t log_n;
    double scale;
} SETTINGS[] = {{10, 0x1p20}, {10, 1e30}, {13, 12345.678}, {14, 0x1p40}, {14, 0x1p100}, {15, 0x1p57}};
enum { SETTING_COUNT = sizeof SETTINGS / sizeof *SETTINGS };

RS_TEST(encode_meets_no_subnormals) {
    for (unsigned k = 0; k < SETTING_COUNT; k++) {
        subject_t s;
        const double scale = SETTINGS[k].scale;
        open_subject(&s, SETTINGS[k].log_n, 60);
        for (unsigned name = 0; name < NAMES; name++) {
            const rs_context_t *c = context_on(&s, name);
            for (unsigned kind = 0; c && kind < KINDS; kind++) {
                rs_plaintext_t p = {.message = s.coef};
                for (size_t i = 0; i < s.n; i++) s.values[i] = value(kind, scale, i);
                clear_flags();
                const rs_status_t status = encode_values(c, &p, s.values, s.n / 2, 1, scale, LIMBS - 1);
                const int met = met_subnormals();
                CHECK_OK(status);
                if (!CHECK(!met)) printf("kind %u at N = %zu, %s\n", kind, s.n, NAME[name]);
            }
        }
    }
}

RS_TEST(decode_meets_no_subnormals) {
    for (unsigned k = 0; k < SETTING_COUNT; k++) {
        subject_t s;
        const double scale = SETTINGS[k].scale;
        open_subject(&s, SETTINGS[k].log_n, 60);
        uint64_t *residues = words(2 * s.n), *workspace = words(s.n);
        for (unsigned name = 0; name < NAMES; name++) {
            const rs_context_t *c = context_on(&s, name);
            for (unsigned kind = 0; c && kind < 4; kind++) {
                rs_plaintext_t p = {.form = RS_FORM_NTT, .ntt = residues, .limb_count = 2, .scale = scale};
                memcpy(p.parms_id, rs_context_parms_id(c, 2), RS_PARMS_ID_BYTES);
                for (uint32_t limb = 0; limb < 2; limb++) {
                    const uint64_t q = c->limbs[limb].modulus.q;
                    uint64_t state = 9; // the same integers in both
                    for (size_t i = 0; i < s.n; i++) {
                        const uint64_t r = rs_test_random(&state);
                        const uint64_t magnitude = (uint64_t[]){r & 1, 1, r >> 34, i == 5}[kind];
                        residues[limb * s.n + i] = r >> 33 & 1 && magnitude ? q - magnitude : magnitude;
                    }
                    rs_plan_forward(rs_context_plan(c, limb), residues + limb * s.n);
                }
                clear_flags();
                const rs_status_t status = decode_values(c, &p, s.values, s.n / 2, 1, workspace, s.n * 8);
                const int met = met_subnormals();
                CHECK_OK(status);
                if (!CHECK(!met)) printf("kind %u at N = %zu, %s\n", kind, s.n, NAME[name]);
            }
        }
    }
}

// The flags would tell.
RS_TEST(subnormal_numbers_set_flags) {
    volatile double x = 0x1p-1074;
    volatile double y;
    clear_flags();
    CHECK(!met_subnormals());
    y = x + 1.0;
    CHECK(met_subnormals());
    clear_flags();
    x = 0x1.8p-1022;
    y = x * 0x1.5555555555555p-1;
    CHECK(!met_subnormals());
    y = x * 0x1.5555555555555p-2;
    CHECK(met_subnormals());
    (void)y;
}

// Values below the floor encode as zeros, values from it on as themselves: with N/2 of them at a time, and a scale whose power of two is
// above it, the largest coefficient is far from 1/2 either way, so the transform itself has to show it.
RS_TEST(values_below_the_floor_are_zeros) {
    static const double SCALES[] = {0x1p-1000, 0x1p-20, 1, 1e9, 0x1p40, 0x1.fffffffffffffp57, 0x1p943, 0x1p1000};
    subject_t s;
    open_subject(&s, 11, 60);
    for (unsigned k = 0; k < sizeof SCALES / sizeof *SCALES; k++) {
        const double fix = SCALES[k] / (double)s.n;
        const double at_floor = fmax(floor_of(SCALES[k]), 0x1p-1022);
        const double below = nextafter(at_floor, 0);
        for (unsigned name = 0; name < NAMES; name++) {
            const rs_context_t *c = context_on(&s, name);
            for (unsigned pattern = 0; c && pattern < 4; pattern++) {
                for (size_t i = 0; i < s.n; i++) {
                    const double small = (pattern & 1 ? below : 0x1p-1074) * (i % 3 ? 1 : -1);
                    const double large = at_floor * (i % 5 ? 1 : -1);
                    const int is_small = pattern & 2 ? i % 2 == 0 : random64() & 1;
                    s.coef[i] = is_small ? small : large;
                    s.want[i] = is_small ? copysign(0, small) : large;
                }
                rs_fft_inverse(c, s.coef, s.coef + s.n / 2, fix);
                rs_fft_inverse(c, s.want, s.want + s.n / 2, fix);
                CHECK_EQ_MEM(s.coef, s.want, s.n * sizeof *s.coef);
                CHECK(s.coef[0] != 0 || SCALES[k] < 1); // the others did count
            }
        }
    }
}
