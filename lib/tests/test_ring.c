// SPDX-License-Identifier: Apache-2.0
// Every ring of every back end that this machine has against the portable one, kernel by kernel.
#include <ringside/ringside.h>

#include "arith/plan.h"
#include "backend/backend.h"
#include "ckks/context.h"
#include "ckks/message.h"
#include "requests.h"
#include "rs_test.h"

enum { NAMES = 7, LOG_N = 11, N = 1 << LOG_N, SIZES = 12 };

static const char *const NAME[NAMES] = {"portable", "fma", "neon", "neonsha3", "avx2", "avx512", "avx512ifma"};
// around the borders of the rings' classes, and the narrowest and widest moduli there may be
static const uint32_t BITS[SIZES] = {14, 17, 18, 30, 31, 32, 47, 48, 49, 50, 51, 60};

static uint64_t words[4][N];
static int8_t small[N];
static int64_t remainders[N];
static double message[N];

static uint64_t next_random(void) {
    static uint64_t state = 1;
    return rs_test_random(&state);
}

// A number below the bound, often one at its ends.
static uint64_t below(uint64_t bound) {
    const uint64_t x = next_random();
    if (x % 8 == 0) return 0;
    if (x % 8 == 1) return bound - 1;
    if (x % 8 == 2) return bound / 2 + (x >> 8) % 2;
    return (x >> 3) % bound;
}

static int64_t signed_below(uint64_t bound) {
    const int64_t x = (int64_t)below(bound);
    return next_random() & 1 ? x : -x;
}

static void fill(uint64_t q) {
    for (unsigned i = 0; i < N; i++) {
        for (unsigned k = 0; k < 4; k++) words[k][i] = below(q);
        small[i] = (int8_t)signed_below(22);
        remainders[i] = signed_below((uint64_t)1 << 59);
        message[i] = (double)(signed_below((uint64_t)1 << 61) & ~INT64_C(0x1ff)); // 52 bits: an integer as double
        if (i % 3 == 0) message[i] = (double)signed_below((uint64_t)1 << 40);
    }
}

// A context with one modulus of each size, made by the back end; NULL if this machine has it not.
static const rs_context_t *context_of(const char *name) {
    const rs_context_t *context = NULL;
    rs_params_t params;
    if (rs_backend_select(name) != RS_OK) {
        printf("(this machine has no %s) ", name);
        return NULL;
    }
    if (!CHECK_OK(params_of_bits(&params, N, BITS, SIZES))) return NULL;
    CHECK_OK(context_in(&context, rs_test_own(malloc(rs_context_size(&params))), rs_context_size(&params), &params));
    return context;
}

typedef void kernel_t(rs_ckks_limb_t l, uint64_t *out);

static void forward(rs_ckks_limb_t l, uint64_t *out) {
    memcpy(out, words[0], sizeof words[0]);
    l.limb->ring->forward(l.limb, out);
}
static void inverse(rs_ckks_limb_t l, uint64_t *out) {
    memcpy(out, words[0], sizeof words[0]);
    l.limb->ring->inverse(l.limb, out);
}
static void there_and_back(rs_ckks_limb_t l, uint64_t *out) {
    forward(l, out);
    l.limb->ring->inverse(l.limb, out);
    CHECK_EQ_MEM(out, words[0], sizeof words[0]);
}
static void mul(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->mul(l.limb, out, words[0], words[1]);
}
static void mul_add(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->mul_add(l.limb, out, words[0], words[1], words[2]);
}
static void mul_add_in_place(rs_ckks_limb_t l, uint64_t *out) {
    memcpy(out, words[0], sizeof words[0]);
    l.limb->ring->mul_add(l.limb, out, out, words[1], out);
}
static void mul_sub(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->mul_sub(l.limb, out, words[0], words[1], words[2]);
}
static void lift_one(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->lift_small(l.limb, out, small, 1);
}
static void lift_times(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->lift_small(l.limb, out, small, words[3][5]);
}
static void lift_times_most(rs_ckks_limb_t l, uint64_t *out) {
    l.limb->ring->lift_small(l.limb, out, small, l.limb->modulus.q - 1);
}
static void lift_message(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->lift_message(l.limb, out, message, NULL);
}
static void lift_message_error(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->lift_message(l.limb, out, message, small);
}
static void lift_rounded(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->lift_rounded(l.limb, out, NULL, small, remainders, words[3][7]);
}
static void lift_rounded_most(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->lift_rounded(l.limb, out, NULL, small, remainders, l.limb->modulus.q - 1);
}
static void lift_rounded_message(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->lift_rounded(l.limb, out, message, small, remainders, words[3][7]);
}
// The whole at once, or by steps.
static void fused(rs_ckks_limb_t l, uint64_t *out, const double *coef, const int8_t *values, int product, int subtract) {
    const rs_message_t given = {coef, 0};
    memcpy(out, words[2], sizeof words[2]);
    rs_message_forward(l, out, given, values, product ? words[0] : NULL, words[1], subtract);
}
static void fused_small(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, NULL, small, 0, 0);
}
static void fused_small_add(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, NULL, small, 1, 0);
}
static void fused_message_add(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, message, small, 1, 0);
}
static void fused_message_subtract(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, message, small, 1, 1);
}
static void fused_message_alone(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, message, NULL, 0, 0);
}
static void fused_poly_add(rs_ckks_limb_t l, uint64_t *out) {
    fused(l, out, NULL, NULL, 1, 0);
}
static void centre(rs_ckks_limb_t l, uint64_t *out) {
    l.lifts->centre(l.limb, (int64_t *)out, words[0], small);
}
static void centre_in_place(rs_ckks_limb_t l, uint64_t *out) {
    memcpy(out, words[0], sizeof words[0]);
    l.lifts->centre(l.limb, (int64_t *)out, out, small);
}

static void compare_limbs(kernel_t *kernel, const rs_limb_t *reference, rs_ckks_limb_t l, const char *name) {
    const rs_ckks_limb_t portable = {reference, &RS_LIFTS_PORTABLE};
    static uint64_t got[N + 1], want[N];
    for (unsigned repeat = 0; repeat < 4; repeat++) {
        fill(reference->modulus.q);
        got[N] = 0xee;
        kernel(portable, want);
        kernel(l, got);
        if (!CHECK_EQ_MEM(got, want, sizeof want)) printf("%s, %u bits\n", name, reference->modulus.bits);
        CHECK_EQ_U64(got[N], 0xee);
    }
}

// What machines of 32 bits use, which is in every build.
static void compare_ring32(kernel_t *kernel, const rs_limb_t *reference) {
    static _Alignas(64) uint64_t table[2 * N];
    rs_limb_t l;
    if (reference->modulus.bits > RS_RING32_BITS) return;
    rs_limb_init(&l, &RS_RING_32, LOG_N, reference->modulus.q, table);
    compare_limbs(kernel, reference, (rs_ckks_limb_t){&l, &RS_LIFTS_PORTABLE}, "ring32");
}

static void compare(kernel_t *kernel) {
    static _Alignas(64) uint64_t tables[SIZES][2 * N];
    rs_limb_t references[SIZES];
    const rs_context_t *context = context_of("portable");
    const unsigned names = context ? NAMES : 0;
    for (unsigned limb = 0; context && limb < SIZES; limb++) {
        rs_limb_init(&references[limb], &RS_RING_PORTABLE, LOG_N, context->limbs[limb].modulus.q, tables[limb]);
        compare_ring32(kernel, &references[limb]);
    }
    // 2^60 / q is 0.9999 above an integer: in half of ring32's largest products the estimated quotient is two short
    rs_limb_t rounded_most;
    static _Alignas(64) uint64_t table[2 * N];
    rs_limb_init(&rounded_most, &RS_RING_PORTABLE, LOG_N, 1025130497, table);
    compare_ring32(kernel, &rounded_most);
    for (unsigned k = 1; k < names; k++) {
        const rs_context_t *other = context_of(NAME[k]);
        for (unsigned limb = 0; other && limb < SIZES; limb++)
            compare_limbs(kernel, &references[limb], rs_ckks_limb(other, limb), NAME[k]);
    }
    CHECK_OK(rs_backend_select(NULL));
}

#define SAME(kernel)         \
    RS_TEST(same_##kernel) { \
        compare(kernel);     \
    }

SAME(forward)
SAME(inverse)
SAME(there_and_back)
SAME(mul)
SAME(mul_add)
SAME(mul_add_in_place)
SAME(mul_sub)
SAME(lift_one)
SAME(lift_times)
SAME(lift_times_most)
SAME(lift_message)
SAME(lift_message_error)
SAME(lift_rounded)
SAME(lift_rounded_most)
SAME(lift_rounded_message)
SAME(fused_small)
SAME(fused_small_add)
SAME(fused_message_add)
SAME(fused_message_subtract)
SAME(fused_message_alone)
SAME(fused_poly_add)
SAME(centre)
SAME(centre_in_place)

// A context keeps the rings of the back end it was made with.
RS_TEST(context_keeps_its_back_end) {
    const rs_context_t *context = context_of("portable");
    REQUIRE(context);
    CHECK_OK(rs_backend_select(NULL));
    for (unsigned limb = 0; limb < SIZES; limb++) {
        const rs_limb_t *l = &context->limbs[limb];
        CHECK(l->ring == rs_backend_choice(&RS_BACKEND_PORTABLE, LOG_N, l->modulus.q).ring);
    }
    for (unsigned i = 0; i < N; i++) CHECK_EQ_U64(rs_twiddle(&context->limbs[0], i) < context->limbs[0].modulus.q, 1);
}
