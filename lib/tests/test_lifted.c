// SPDX-License-Identifier: Apache-2.0
// Whole steps of every ring of every back end, for all N and random primes, against the portable functions one by one: transforms that begin with
// lifts and end with products, and the kernels that they consist of. Then the same under each rounding mode, with subnormals flushed.
#include <fenv.h>
#include <ringside/ringside.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

#include "arith/plan.h"
#include "back_ends.h"
#include "backend/backend.h"
#include "rs_test.h"

enum { LOG_N_MIN = 9, WORDS_MAX = 1 << 17 };
#ifdef __SANITIZE_ADDRESS__
enum { LOG_N_TESTED = 13 };
#else
enum { LOG_N_TESTED = 17 };
#endif
// Random primes of up to so many bits, at least one of each kind of ring.
enum { SIZES = 8 };
static const uint32_t BITS[SIZES] = {30, 31, 47, 48, 49, 50, 55, 60};

static _Alignas(64) uint64_t a[WORDS_MAX], b[WORDS_MAX], poly[WORDS_MAX], got[WORDS_MAX + 1], want[WORDS_MAX];
static _Alignas(64) uint64_t table[2 * WORDS_MAX], portable_table[2 * WORDS_MAX];
static _Alignas(64) uint64_t other[WORDS_MAX], scratch[WORDS_MAX];
static int8_t small[WORDS_MAX], ternary[WORDS_MAX];
static int64_t d[WORDS_MAX];
static double message[WORDS_MAX];
static const uint64_t GUARD = 0xeeeeeeeeeeeeeeee;

static uint64_t next_random(void) {
    static uint64_t state = 3;
    return rs_test_random(&state);
}

// Often at the ends, and where rounding decides.
static uint64_t below(uint64_t bound) {
    const uint64_t x = next_random();
    return x % 8 == 0 ? 0 : x % 8 == 1 ? bound - 1 : x % 8 == 2 ? bound / 2 + (x >> 8) % 2 : (x >> 3) % bound;
}

static int64_t signed_below(uint64_t bound) {
    const int64_t x = (int64_t)below(bound);
    return next_random() & 1 ? x : -x;
}

static void fill(size_t n, uint64_t q) {
    for (size_t i = 0; i < n; i++) {
        a[i] = below(q);
        b[i] = below(q);
        poly[i] = below(q);
        small[i] = (int8_t)signed_below(22);
        d[i] = signed_below((uint64_t)1 << 59);
        message[i] = i % 3 ? (double)(signed_below((uint64_t)1 << 61) & ~INT64_C(0x1ff)) : (double)signed_below((uint64_t)1 << 50);
    }
}

typedef struct sides {
    rs_limb_t limb;
    rs_limb_t portable;
    const rs_lifts_t *lifts;
    size_t n;
    const char *name;
} sides_t;

static void same(const sides_t *s, const char *what) {
    if (!CHECK(!memcmp(got, want, s->n * sizeof *got))) {
        printf("%s of %s, N = 2^%u, q = %" PRIu64 "\n", what, s->name, s->limb.log_n, s->limb.modulus.q);
    }
    CHECK_EQ_U64(got[s->n], GUARD);
}

// What the portable functions make of `want`: its transform, and a product.
static void finish(const sides_t *s, int product, int subtract) {
    s->portable.ring->forward(&s->portable, want);
    if (product) (subtract ? s->portable.ring->mul_sub : s->portable.ring->mul_add)(&s->portable, want, a, b, want);
}

// A call by this ring and by the portable one: `out` is where it puts its result.
#define BOTH(what, call)                                                        \
    do {                                                                        \
        for (int portable = 1; portable >= 0; portable--) {                     \
            const rs_limb_t *l = portable ? &s->portable : &s->limb;            \
            const rs_lifts_t *lifts = portable ? &RS_LIFTS_PORTABLE : s->lifts; \
            const rs_ring_t *ring = l->ring;                                    \
            uint64_t *out = portable ? want : got;                              \
            (void)ring, (void)lifts;                                            \
            call;                                                               \
        }                                                                       \
        same(s, what);                                                          \
    } while (0)

static void check_pointwise(const sides_t *s) {
    const uint64_t factors[] = {1, s->limb.modulus.q - 1, below(s->limb.modulus.q)};
    const size_t bytes = s->n * sizeof *got;
    BOTH("mul", ring->mul(l, out, a, b));
    BOTH("mul_add", ring->mul_add(l, out, a, b, poly));
    BOTH("mul_add in place", (memcpy(out, poly, bytes), ring->mul_add(l, out, out, b, out)));
    BOTH("mul_sub", ring->mul_sub(l, out, a, b, poly));
    for (unsigned k = 0; k < 3; k++) BOTH("lift_small", ring->lift_small(l, out, small, factors[k]));
    BOTH("lift_message", lifts->lift_message(l, out, message, NULL));
    BOTH("lift_message with errors", lifts->lift_message(l, out, message, small));
    for (unsigned k = 1; k < 3; k++) BOTH("lift_rounded", lifts->lift_rounded(l, out, NULL, small, d, factors[k]));
    BOTH("lift_rounded with a message", lifts->lift_rounded(l, out, message, small, d, factors[2]));
    BOTH("centre", lifts->centre(l, (int64_t *)out, poly, small));
    BOTH("centre in place", (memcpy(out, poly, bytes), lifts->centre(l, (int64_t *)out, (uint64_t *)out, small)));
}

static void check_transforms(const sides_t *s) {
    const size_t bytes = s->n * sizeof *got;
    BOTH("inverse", (memcpy(out, poly, bytes), ring->inverse(l, out)));
    BOTH("inverse of a product", rs_ring_inverse(l, out, a, b));
    BOTH("inverse of a product in place", (memcpy(out, a, bytes), rs_ring_inverse(l, out, out, b)));
    BOTH("forward alone", (memcpy(out, poly, bytes), ring->forward(l, out)));
    BOTH("forward and inverse", ring->inverse(l, out));
    CHECK(!memcmp(want, poly, bytes));
    for (int product = 0; product < 3; product++) {
        const uint64_t *factor = product ? a : NULL;
        const int subtract = product == 2;
        memcpy(got, poly, bytes);
        memcpy(want, poly, bytes);
        rs_ring_forward(&s->limb, got, NULL, factor, b, subtract);
        finish(s, product, subtract);
        same(s, "forward");
        rs_ring_forward(&s->limb, got, small, factor, b, subtract);
        rs_portable_lift_small(&s->portable, want, small, 1);
        finish(s, product, subtract);
        same(s, "forward of small");
        if (s->lifts->fused) {
            s->lifts->fused(&s->limb, got, message, small, factor, b, subtract);
            rs_portable_lift_message(&s->portable, want, message, small);
            finish(s, product, subtract);
            same(s, "forward of a message");
        }
    }
    const uint64_t factor = below(s->limb.modulus.q);
    for (int with = 0; s->lifts->fused_rounded && with < 2; with++) {
        s->lifts->fused_rounded(&s->limb, got, with ? message : NULL, small, d, factor, a, b);
        rs_portable_lift_rounded(&s->portable, want, with ? message : NULL, small, d, factor);
        finish(s, 1, 0);
        same(s, "forward of a rounded message");
    }
    for (int one = 0; s->limb.ring->scaled && one < 2; one++) {
        s->limb.ring->scaled(&s->limb, got, small, one ? 1 : factor);
        rs_portable_lift_small(&s->portable, want, small, one ? 1 : factor);
        finish(s, 0, 0);
        same(s, "forward of scaled ones");
    }
}

// What lift_rounded or lift_message makes, transformed, + a NTT(inverse ternary): `want`, by the portable functions one by one.
static void want_swept(const sides_t *s, int rounded, const double *with, const uint64_t *key, uint64_t inverse, uint64_t factor) {
    const rs_limb_t *l = &s->portable;
    rs_portable_lift_small(l, scratch, ternary, inverse);
    l->ring->forward(l, scratch);
    if (rounded) {
        rs_portable_lift_rounded(l, want, with, small, d, factor);
    } else if (with) {
        rs_portable_lift_message(l, want, with, small);
    } else {
        rs_portable_lift_small(l, want, small, 1);
    }
    l->ring->forward(l, want);
    l->ring->mul_add(l, want, key, scratch, want);
}

// One limb of an encryption with a public key in one sweep, with and without rounding and a message.
static void check_sweep(const sides_t *s) {
    for (unsigned turn = 0; s->lifts->sweep && turn < 4; turn++) {
        const int rounded = turn & 1;
        const double *with = turn & 2 ? message : NULL;
        const uint64_t inverse = below(s->limb.modulus.q), factor = below(s->limb.modulus.q);
        for (size_t i = 0; i < s->n; i++) ternary[i] = (int8_t)((int)(next_random() % 3) - 1);
        for (unsigned j = 0; j < 2; j++) {
            const rs_sweep_t sweep = {.c = {j ? other : got, j ? got : other},
                                      .pk = {j ? b : a, j ? a : b},
                                      .errors = {small, small},
                                      .d = {rounded ? d : NULL, rounded ? d : NULL},
                                      .message = with,
                                      .u = ternary,
                                      .inverse = inverse,
                                      .factor = factor,
                                      .scratch = scratch};
            s->lifts->sweep(&s->limb, &sweep);
            want_swept(s, rounded, j ? NULL : with, a, inverse, factor);
            same(s, j ? "second part of a sweep" : "first part of a sweep");
        }
    }
}

// A prime = 1 mod 2N of `bits` bits, or of fewer for one in four, but above 2^17, or the largest one.
static uint64_t random_prime(uint32_t bits, uint32_t log_n, unsigned turn) {
    const uint32_t taken = next_random() % 4 || bits == 30 ? bits : 20 + (uint32_t)(next_random() % (bits - 20));
    const uint64_t top = (uint64_t)1 << (taken < log_n + 4 ? log_n + 4 : taken);
    uint64_t q = (turn ? top - next_random() % (top / 2) : top) >> (log_n + 1) << (log_n + 1) | 1;
    do q -= (uint64_t)2 << log_n;
    while (!rs_is_prime(q));
    return q;
}

static sides_t sides_of(const char *name, const rs_ring_t *ring, const rs_lifts_t *lifts, uint32_t log_n, uint64_t q) {
    sides_t s = {.n = (size_t)1 << log_n, .name = name, .lifts = lifts};
    rs_limb_init(&s.limb, ring, log_n, q, table);
    rs_limb_init(&s.portable, &RS_RING_PORTABLE, log_n, q, portable_table);
    fill(s.n, q);
    got[s.n] = GUARD;
    return s;
}

static sides_t chosen(const char *name, uint32_t log_n, uint64_t q) {
    const rs_ring_choice_t choice = rs_backend_choice(rs_backend_current(), log_n, q);
    return sides_of(name, choice.ring, choice.lifts, log_n, q);
}

static void check_ring(sides_t s) {
    check_pointwise(&s);
    check_transforms(&s);
    check_sweep(&s);
}

// Up to 2^17, or what RS_TEST_LOG_N says, for emulated machines.
RS_TEST(every_degree) {
    const char *limit = getenv("RS_TEST_LOG_N");
    const uint32_t log_n_max = limit ? (uint32_t)atoi(limit) : LOG_N_TESTED;
    CHECK(log_n_max >= LOG_N_MIN && log_n_max <= LOG_N_TESTED);
    EACH (k) {
        if (strcmp(BACK_END[k], "portable") == 0) continue;
        for (uint32_t log_n = LOG_N_MIN; log_n <= log_n_max && !rs_test_failures; log_n++) {
            const unsigned turns = log_n < 12 ? 4 : log_n < 16 ? 2 : 1;
            for (unsigned i = 0; i < SIZES * turns; i++) {
                check_ring(chosen(BACK_END[k], log_n, random_prime(BITS[i % SIZES], log_n, (i / SIZES + log_n) % 2)));
            }
        }
    }
}

// Around the borders of the rings' classes, and the narrowest and widest moduli there may be; and what machines of 32 bits use, which is in every build.
RS_TEST(every_class_of_moduli) {
    enum { LOG_N = 11 };
    static const uint32_t CLASSES[] = {14, 17, 18, 30, 31, 32, 47, 48, 49, 50, 51, 55, 56, 57, 60};
    for (unsigned i = 0; i < 4 * sizeof CLASSES / sizeof *CLASSES; i++) {
        uint64_t q = ((uint64_t)1 << CLASSES[i / 4]) + 1;
        do q -= (uint64_t)2 << LOG_N;
        while (!rs_is_prime(q));
        for (unsigned k = 0; k < BACK_ENDS; k++) {
            if (rs_backend_select(BACK_END[k]) == RS_OK) check_ring(chosen(BACK_END[k], LOG_N, q));
        }
        if (CLASSES[i / 4] <= RS_RING32_BITS) check_ring(sides_of("ring32", &RS_RING_32, &RS_LIFTS_PORTABLE, LOG_N, q));
        // 2^60 / q is 0.9999 above an integer: in half of ring32's largest products the estimated quotient is two short
        if (i < 4) check_ring(sides_of("ring32", &RS_RING_32, &RS_LIFTS_PORTABLE, LOG_N, 1025130497));
    }
    CHECK_OK(rs_backend_select(NULL));
}

// ---- what callers may have set -----------------------------------------------------------------------------------------
// Calls of their own: a compiler may move arithmetic across what it can see to change the mode.
__attribute__((noinline)) static void flush_subnormals(int on) {
#ifdef __SSE2__
    _mm_setcsr(on ? _mm_getcsr() | 0x8040 : _mm_getcsr() & ~0x8040u); // FTZ, DAZ
#else
    (void)on;
#endif
}

__attribute__((noinline)) static void set_rounding(int mode) { REQUIRE(fesetround(mode) == 0); }

// The back end `fma` is for tests: below 2^48 it is the ring of small cores, whose caller rounds to nearest.
RS_TEST(rounding_modes_do_not_count) {
    static const int MODES[] = {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO, FE_TONEAREST};
    EACH (k) {
        if (strcmp(BACK_END[k], "fma") == 0) continue;
        for (unsigned i = 0; i < SIZES * 4; i++) {
            const uint32_t log_n = 10 + i % 2;
            const sides_t s = chosen(BACK_END[k], log_n, random_prime(BITS[i % SIZES], log_n, i / SIZES));
            set_rounding(MODES[i / SIZES]);
            flush_subnormals(1);
            check_pointwise(&s);
            check_transforms(&s);
            const int mode = fegetround();
            flush_subnormals(0);
            set_rounding(FE_TONEAREST);
            CHECK(mode == MODES[i / SIZES]); // what was there before is there again
        }
    }
}
