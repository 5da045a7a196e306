// SPDX-License-Identifier: Apache-2.0
// Encoded messages on their way into residues.
#ifndef RINGSIDE_MESSAGE_H
#define RINGSIDE_MESSAGE_H

#include "ckks/context_internal.h"

// N integer-valued doubles, and whether some of them do not fit words. Only this may show in the time that a function takes.
typedef struct rs_message {
    const double *coef; // NULL: no message
    int wide;           // some |coef[i]| >= 2^61
} rs_message_t;

// 1 if some |message[i]| >= 2^61, which says which arithmetic the scale needs. n: coefficients.
int rs_message_is_wide(const double *message, size_t n);
rs_message_t rs_message(const rs_context_t *context, const double *coef);
// rs_ring_t's lift_message and lift_rounded for messages of any size, or none.
void rs_message_lift(const rs_limb_t *limb, uint64_t *out, rs_message_t message, const int8_t *error);
void rs_message_lift_rounded(const rs_limb_t *limb, uint64_t *out, rs_message_t message, const int8_t *error, const int64_t *d,
                             uint64_t inverse);

// The forward transform of message + small, without a NULL; + a b or, if subtract, - a b, unless a is NULL. Without either, of out.
void rs_message_forward(const rs_limb_t *limb, uint64_t *out, rs_message_t message, const int8_t *small, const uint64_t *a,
                        const uint64_t *b, int subtract);

// encrypt.c: c0 = NTT(error + message) - a o s.
void rs_secret_limb(const rs_limb_t *limb, uint64_t *c0, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error,
                    rs_message_t message);

#endif
