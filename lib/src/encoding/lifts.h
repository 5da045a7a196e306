// SPDX-License-Identifier: Apache-2.0
// The table that a back end fills for messages on their way into residues, a table for each of its rings (arith/ring.h). All tables give the
// same bits. Arrays are N words each; out may be any of the inputs of the same type. Operands may be secret.
#ifndef RINGSIDE_LIFTS_H
#define RINGSIDE_LIFTS_H

#include "arith/ring.h"

#if defined(RS_BACKENDS) || defined(__wasm__)
// c[j] = forward transform of y[j], + pk[j] times that of inverse u, of polynomials that are small, or NULL where it says so:
// y[j] = errors[j], or with d[j], factor (errors[j] - d[j]); and y[0] has the message, too. Bounds as in rs_lifts_t; u from -1 to 1
typedef struct rs_sweep {
    uint64_t *c[2];
    const uint64_t *pk[2];
    const int8_t *errors[2];
    const int64_t *d[2]; // both NULL, or none
    const double *message; // may be NULL
    const int8_t *u;
    uint64_t inverse;
    uint64_t factor; // reduced, as the inverse is, which it is in CKKS
    uint64_t *scratch; // N words
} rs_sweep_t;
#endif

typedef struct rs_lifts {
    // out = forward transform of message + small, + a b or, if subtract, - a b, as rs_ring_t's fused; the bounds are those below, and small is
    // NULL only if message is. NULL where nothing is gained by it
    void (*fused)(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *small, const uint64_t *a,
                  const uint64_t *b, int subtract);
    // out = message + error: integers as doubles, |message| < 2^61; error may be NULL
    void (*lift_message)(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error);
    // out = message + inverse (error - d): the part of a ciphertext that rounding by the dropped prime leaves; |d| < 2^59.
    // message may be NULL, its bound is as above; inverse is reduced
    void (*lift_rounded)(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                         uint64_t inverse);
    // d = poly + error centred: in [-floor(q/2), floor(q/2)]; d and poly may be the same memory
    void (*centre)(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error);
#if defined(RS_BACKENDS) || defined(__wasm__)
    // NULL, or: out = forward transform of what lift_rounded makes, + a b
    void (*fused_rounded)(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                          uint64_t inverse, const uint64_t *a, const uint64_t *b);
    // NULL, or: one limb of an encryption with a public key
    void (*sweep)(const rs_limb_t *limb, const rs_sweep_t *sweep);
#endif
} rs_lifts_t;

extern const rs_lifts_t RS_LIFTS_PORTABLE;

// The entries of the portable table, for others.
void rs_portable_lift_message(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error);
void rs_portable_lift_rounded(const rs_limb_t *limb, uint64_t *out, const double *message, const int8_t *error, const int64_t *d,
                              uint64_t inverse);
void rs_portable_centre(const rs_limb_t *limb, int64_t *d, const uint64_t *poly, const int8_t *error);

#endif
