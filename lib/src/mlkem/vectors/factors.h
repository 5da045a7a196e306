// SPDX-License-Identifier: Apache-2.0
// Constants of transforms.h, computed by the compiler. Products of 16-bit words are reduced by Montgomery's method, R = 2^16: a factor c is
// c R mod q, centred, and beside it its product by q^-1 modulo R.
#ifndef RINGSIDE_MLKEM_FACTORS_H
#define RINGSIDE_MLKEM_FACTORS_H

#include "mlkem/zq.h"

enum {
    RS_MLKEM_WORD = 65536, // R
    RS_MLKEM_WORD_INVERSE = -3327, // q^-1 modulo R
};

#define CENTRED_FACTOR(c) ((int32_t)RS_MLKEM_CENTRED((c) % RS_MLKEM_Q * RS_MLKEM_WORD))
#define QUOTIENT(c) ((int16_t)(uint16_t)((uint32_t)CENTRED_FACTOR(c) * (uint32_t)RS_MLKEM_WORD_INVERSE))
// 17^brv(i), brv the reversal of 7 bits (FIPS 203, appendix A): a factor for each bit of i.
#define BIT(i, bit, root) (((i) >> (bit) & 1) ? (root) : 1)
#define ZETA_LOW(i) (BIT(i, 6, 17) * BIT(i, 5, 289) % RS_MLKEM_Q * BIT(i, 4, 296) % RS_MLKEM_Q)
#define ZETA_HIGH(i) (BIT(i, 3, 1062) * BIT(i, 2, 2642) % RS_MLKEM_Q * BIT(i, 1, 2580) % RS_MLKEM_Q * BIT(i, 0, 1729) % RS_MLKEM_Q)
#define ZETA(i) (ZETA_LOW(i) * ZETA_HIGH(i) % RS_MLKEM_Q)

#define FOUR(f, t, i) f(t, i), f(t, (i) + 1), f(t, (i) + 2), f(t, (i) + 3)
#define SIXTEEN(f, t, i) FOUR(f, t, i), FOUR(f, t, (i) + 4), FOUR(f, t, (i) + 8), FOUR(f, t, (i) + 12)
#define SIXTY_FOUR(f, t, i) SIXTEEN(f, t, i), SIXTEEN(f, t, (i) + 16), SIXTEEN(f, t, (i) + 32), SIXTEEN(f, t, (i) + 48)
#define ROW(f, t) {SIXTY_FOUR(f, t, 0), SIXTY_FOUR(f, t, 64)}

typedef struct factors {
    int16_t first[32]; // zeta number i
    int16_t lanes[4][128]; // layers between words 16, 8, 4, 2 apart: butterfly i's
} factors_t;

// The inverse transform takes a layer's zetas from the last to the first.
#define FORWARD_ZETA(t, i) ZETA(128 / (t) + (i) / (t))
#define INVERSE_ZETA(t, i) ZETA(256 / (t) - 1 - (i) / (t))
#define FIRST_FACTOR(t, i) CENTRED_FACTOR(ZETA(i))
#define FIRST_QUOTIENT(t, i) QUOTIENT(ZETA(i))
#define FORWARD_FACTOR(t, i) CENTRED_FACTOR(FORWARD_ZETA(t, i))
#define FORWARD_QUOTIENT(t, i) QUOTIENT(FORWARD_ZETA(t, i))
#define INVERSE_FACTOR(t, i) CENTRED_FACTOR(INVERSE_ZETA(t, i))
#define INVERSE_QUOTIENT(t, i) QUOTIENT(INVERSE_ZETA(t, i))
#define FACTORS(first, lanes)                                                                                          \
    {                                                                                                                  \
        {SIXTEEN(first, 1, 0), SIXTEEN(first, 1, 16)}, { ROW(lanes, 16), ROW(lanes, 8), ROW(lanes, 4), ROW(lanes, 2) } \
    }
static const factors_t FORWARD[2] = {FACTORS(FIRST_FACTOR, FORWARD_FACTOR), FACTORS(FIRST_QUOTIENT, FORWARD_QUOTIENT)};
static const factors_t INVERSE[2] = {FACTORS(FIRST_FACTOR, INVERSE_FACTOR), FACTORS(FIRST_QUOTIENT, INVERSE_QUOTIENT)};

// 1 at even words; at odd ones what X^2 is there, gamma and -gamma in turns.
#define SQUARE(i) ((i) % 2 == 0 ? 1 : (i) % 4 == 1 ? ZETA(64 + (i) / 4) : RS_MLKEM_Q - ZETA(64 + (i) / 4))
#define SQUARE_FACTOR(t, i) CENTRED_FACTOR(SQUARE((t) + (i)))
#define SQUARE_QUOTIENT(t, i) QUOTIENT(SQUARE((t) + (i)))
static const int16_t SQUARES[2][2][128] = {{ROW(SQUARE_FACTOR, 0), ROW(SQUARE_FACTOR, 128)},
                                           {ROW(SQUARE_QUOTIENT, 0), ROW(SQUARE_QUOTIENT, 128)}};

#endif
