// SPDX-License-Identifier: Apache-2.0
// Encoded messages on their way into residues.
#ifndef RINGSIDE_MESSAGE_H
#define RINGSIDE_MESSAGE_H

#include "ckks/context.h"

// A limb, and how messages get there.
typedef struct rs_ckks_limb {
    const rs_limb_t *limb;
    const rs_lifts_t *lifts;
} rs_ckks_limb_t;

static inline rs_ckks_limb_t rs_ckks_limb(const rs_context_t *context, uint32_t limb) {
    return (rs_ckks_limb_t){&context->limbs[limb], rs_ckks(context)->lifts[limb]};
}

// N integer-valued doubles, and whether some of them do not fit words. Only this may show in the time that a function takes.
typedef struct rs_message {
    const double *coef; // NULL: no message
    int wide;           // some |coef[i]| >= 2^61
} rs_message_t;

// 1 if some |message[i]| >= 2^61, which says which arithmetic the scale needs. n: coefficients.
int rs_message_is_wide(const rs_encoding_t *encoding, const double *message, size_t n);
rs_message_t rs_message(const rs_context_t *context, const double *coef);
// rs_lifts_t's lift_message and lift_rounded for messages of any size, or none.
void rs_message_lift(rs_ckks_limb_t limb, uint64_t *out, rs_message_t message, const int8_t *error);
void rs_message_lift_rounded(rs_ckks_limb_t limb, uint64_t *out, rs_message_t message, const int8_t *error, const int64_t *d,
                             uint64_t inverse);

// The forward transform of message + small, without a NULL; + a b or, if subtract, - a b, unless a is NULL. Without either, of out.
void rs_message_forward(rs_ckks_limb_t limb, uint64_t *out, rs_message_t message, const int8_t *small, const uint64_t *a,
                        const uint64_t *b, int subtract);

#endif
