// SPDX-License-Identifier: Apache-2.0
// The workspace: what keys, signing and verification need, one at a time.
#ifndef RINGSIDE_BLISS_WORK_H
#define RINGSIDE_BLISS_WORK_H

#include "papers/bliss/bliss.h"

typedef union rs_bliss_work {
    struct {
        uint64_t f[RS_BLISS_N];
        uint64_t s2[RS_BLISS_N];
        uint64_t keys[RS_BLISS_N];
        uint8_t bytes[8 * RS_BLISS_N];
        int16_t small[RS_BLISS_N];
        int8_t ternary[2][RS_BLISS_N]; // f, g
    } key;
    struct {
        uint64_t a[RS_BLISS_N];
        uint64_t u[RS_BLISS_N];
        uint8_t bytes[RS_BLISS_DRAWS_MAX * RS_BLISS_DRAW_BYTES]; // whole lines, for a core
        uint8_t seed[RS_BLISS_DRAW_SEED_BYTES];
        int16_t z[2 * RS_BLISS_N]; // y, then z
        int16_t product[2 * RS_BLISS_N]; // (s1, s2) c'
        int16_t s[2][2 * RS_BLISS_N]; // -s, s: X^k s are N numbers from N - k on
        uint8_t high[RS_BLISS_N];
        int8_t ternary[RS_BLISS_N];
        rs_bliss_signature_t signature;
    } sign;
    struct {
        uint64_t a[RS_BLISS_N];
        uint64_t u[RS_BLISS_N];
        uint8_t high[RS_BLISS_N];
        rs_bliss_signature_t signature;
    } verify;
} rs_bliss_work_t;

#endif
