// SPDX-License-Identifier: Apache-2.0
// Messages on the rings of every back end that this machine has: transforms in one call against the portable ring's. Kernel by kernel: test_lifted.c.
#include <ringside/ringside.h>

#include "arith/plan.h"
#include "back_ends.h"
#include "backend/backend.h"
#include "ckks/context.h"
#include "ckks/message.h"
#include "requests.h"
#include "rs_test.h"

enum { LOG_N = 11, N = 1 << LOG_N, SIZES = 16 };

// around the borders of the rings' classes, and the narrowest and widest moduli there may be
static const uint32_t BITS[SIZES] = {14, 17, 18, 30, 31, 32, 47, 48, 49, 50, 51, 54, 55, 56, 57, 60};

// A context with one modulus of each size, made by the back end.
static const rs_context_t *context_of(const char *name) {
    const rs_context_t *context = NULL;
    rs_params_t params;
    CHECK_OK(rs_backend_select(name));
    if (!CHECK_OK(params_of_bits(&params, N, BITS, SIZES))) return NULL;
    CHECK_OK(context_in(&context, rs_test_own(malloc(rs_context_size(&params))), rs_context_size(&params), &params));
    return context;
}

// A number below the bound, often one at its ends.
static uint64_t below(uint64_t bound) {
    static uint64_t state = 1;
    const uint64_t x = rs_test_random(&state);
    return x % 8 == 0 ? 0 : x % 8 == 1 ? bound - 1 : x % 8 == 2 ? bound / 2 + (x >> 8) % 2 : (x >> 3) % bound;
}

// The whole at once, or by steps.
RS_TEST(transforms_of_messages) {
    static uint64_t words[3][N], got[N + 1], want[N];
    static _Alignas(64) uint64_t table[2 * N];
    static int8_t small[N];
    static double message[N];
    static const struct {
        const double *coef;
        const int8_t *values;
        const uint64_t *product;
        int subtract;
    } CASES[] = {{NULL, small, NULL, 0},        {NULL, small, words[0], 0}, {message, small, words[0], 0},
                 {message, small, words[0], 1}, {message, NULL, NULL, 0},   {NULL, NULL, words[0], 0}};
    EACH (k) {
        const rs_context_t *context = context_of(BACK_END[k]);
        for (unsigned limb = 0; context && limb < SIZES; limb++) {
            const uint64_t q = context->limbs[limb].modulus.q;
            rs_limb_t portable;
            rs_limb_init(&portable, &RS_RING_PORTABLE, LOG_N, q, table);
            for (unsigned i = 0; i < 4 * sizeof CASES / sizeof *CASES; i++) {
                const rs_message_t given = {CASES[i / 4].coef, 0};
                for (unsigned n = 0; n < N; n++) {
                    for (unsigned w = 0; w < 3; w++) words[w][n] = below(q);
                    small[n] = (int8_t)((int)below(43) - 21);
                    const int64_t bound = (int64_t)1 << (n % 3 ? 61 : 40); // 52 bits: an integer as double
                    message[n] = (double)(((int64_t)below(2 * (uint64_t)bound - 1) - bound + 1) & (n % 3 ? ~INT64_C(0x1ff) : -1));
                }
                for (int by_portable = 0; by_portable < 2; by_portable++) {
                    const rs_ckks_limb_t l =
                        by_portable ? (rs_ckks_limb_t){&portable, &RS_LIFTS_PORTABLE} : rs_ckks_limb(context, limb);
                    uint64_t *out = by_portable ? want : got;
                    memcpy(out, words[2], sizeof words[2]);
                    rs_message_forward(l, out, given, CASES[i / 4].values, CASES[i / 4].product, words[1], CASES[i / 4].subtract);
                }
                if (!CHECK_EQ_MEM(got, want, sizeof want)) printf("%s, modulus %u, case %u\n", BACK_END[k], limb, i / 4);
                CHECK_EQ_U64(got[N], 0);
            }
        }
    }
}

// Messages modulo t: lifts, digits, and their sums, for residues and t of every size.
static void compare_integers(const rs_integers_t *table, const rs_limb_t *limb, const rs_modulus_t *t) {
    static uint64_t words[4][N], got[3][N + 1], want[3][N];
    static int64_t w[N], d[N];
    static int8_t error[N];
    const rs_integers_t *const both[2] = {table, &RS_INTEGERS_PORTABLE};
    const uint64_t q = limb->modulus.q;
    const uint32_t bits = (t->bits > limb->modulus.bits ? t->bits : limb->modulus.bits) + 2;
    const uint64_t bound = (uint64_t)1 << (bits - (bits % 2));
    for (unsigned n = 0; n < N; n++) {
        for (unsigned k = 0; k < 4; k++) words[k][n] = k < 2 ? below(q) : k == 2 ? below(t->q) % t->q : below((uint64_t)1 << 63);
        error[n] = (int8_t)((int)below(43) - 21);
        w[n] = (int64_t)below(2 * bound - 1) - (int64_t)(bound - 1);
        d[n] = (int64_t)below(q) - (int64_t)(q / 2);
    }
    const rs_factor_t of_q[2] = {rs_factor(below(q), q), rs_factor(below(q), q)}, of_t = rs_factor(below(t->q) % t->q, t->q);
    for (unsigned k = 0; k < 24; k++) {
        const rs_integer_lift_t lift = {.w = k & 1 ? w : NULL,
                                        .mu = of_q[0],
                                        .error = k & 2 ? error : NULL,
                                        .d = (k & 6) == 6 ? d : NULL,
                                        .factor = of_q[1],
                                        .plus = k & 24 ? words[0] : NULL,
                                        .subtract = k >> 4,
                                        .bits = bits};
        both[0]->lift(limb, got[0], &lift);
        both[1]->lift(limb, want[0], &lift);
        CHECK_EQ_MEM(got[0], want[0], sizeof want[0]);
    }
    for (unsigned k = 0; k < 4; k++) {
        const rs_modulus_t *target = k & 1 ? t : &limb->modulus;
        const rs_digit_t digit = {
            limb->modulus,          *target, of_q[0],
            k & 1 ? of_t : of_q[1], k == 3,  rs_wide_low(rs_wide_divide(rs_wide((uint64_t)1 << (limb->modulus.bits - 1), 0), q))};
        uint64_t near[2];
        for (unsigned j = 0; j < 2; j++) {
            uint64_t *fractions = j ? want[0] : got[0], *sums = j ? want[1] : got[1];
            memcpy(fractions, words[3], sizeof words[3]);
            memcpy(sums, words[k & 1 ? 2 : 1], sizeof words[1]);
            both[j]->digits(&digit, N, words[0], k & 2 ? words[1] : NULL, fractions, sums);
            near[j] = both[j]->collect(target, N, fractions, sums, digit.inverse, (uint64_t)1 << (10 * k + 20)) >> 63;
            memcpy(j ? want[2] : got[2], words[2], sizeof want[2]);
            both[j]->spread(t, N, j ? want[2] : got[2], of_t);
        }
        CHECK_EQ_U64(near[0], near[1]);
        for (unsigned j = 0; j < 3; j++) CHECK_EQ_MEM(got[j], want[j], sizeof want[j]);
    }
    for (uint32_t turn_bits = limb->modulus.bits > 50 ? 64 : 52; turn_bits <= 64; turn_bits += 12) {
        const uint64_t high = words[3][0] & (UINT64_MAX >> (64 - turn_bits));
        for (unsigned j = 0; j < 2; j++) {
            uint64_t *turns = j ? want[0] : got[0];
            memcpy(turns, words[3], sizeof words[3]);
            both[j]->turn(N, turn_bits, turns, words[0], high, words[3][1] << (64 - turn_bits));
            both[j]->settle(&limb->modulus, N, turn_bits, turns);
        }
        CHECK_EQ_MEM(got[0], want[0], sizeof want[0]);
    }
    for (unsigned j = 0; j < 3; j++) CHECK_EQ_U64(got[j][N], 0);
}

RS_TEST(integers) {
    static const uint64_t PLAIN[] = {2,
                                     3,
                                     1024,
                                     65537,
                                     1032193,
                                     ((uint64_t)1 << 40) - 87,
                                     ((uint64_t)1 << 50) - 27,
                                     ((uint64_t)1 << 50) + 1,
                                     ((uint64_t)1 << 58) - 27,
                                     ((uint64_t)1 << 60) - 93};
    EACH (k) {
        const rs_context_t *context = context_of(BACK_END[k]);
        for (unsigned limb = 0; context && limb < SIZES; limb++) {
            for (unsigned i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
                rs_modulus_t t;
                rs_modulus_init(&t, PLAIN[i]);
                compare_integers(rs_backend_integers(rs_backend_current(), LOG_N), &context->limbs[limb], &t);
            }
        }
    }
}

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
