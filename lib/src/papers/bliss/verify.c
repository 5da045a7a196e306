// SPDX-License-Identifier: Apache-2.0
// Verification (the paper's algorithm 3). Everything is public.
#include <string.h>

#include "base/checks.h"
#include "papers/bliss/work.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q, P = RS_BLISS_P, AT_ONCE = 8 };

static rs_status_t verify(const rs_bliss_t *scheme, const uint8_t *signature, rs_view_t message, const uint8_t *public_key,
                          rs_bliss_work_t *work) {
    rs_bliss_signature_t *given = &work->verify.signature;
    uint16_t places[RS_BLISS_KAPPA];
    uint8_t digest[RS_BLISS_DIGEST_BYTES];
    RS_TRY(rs_bliss_unpack_public(work->verify.a, public_key));
    RS_TRY(rs_bliss_unpack_signature(given, signature));
    if (!rs_bliss_has_short_norm(given)) return RS_ERR_SIGNATURE;
    rs_bliss_commit(scheme, work->verify.u, work->verify.a, given->z1);
    // zeta q c = q c mod 2q: zeta is odd
    for (unsigned k = 0; k < RS_BLISS_KAPPA; k++) {
        uint64_t *word = &work->verify.u[given->places[k]];
        *word = rs_bliss_mod_2q((uint32_t)*word + Q);
    }
    for (size_t i = 0; i < N; i += AT_ONCE) {
        for (size_t k = i; k < i + AT_ONCE; k++) {
            const int32_t high = (int32_t)rs_bliss_round((uint32_t)work->verify.u[k]) + given->z2[k]; // -2 to 26
            const int32_t low = high + (P & -(int32_t)((uint32_t)high >> 31)) - P;
            work->verify.high[k] = (uint8_t)(low + (P & -(int32_t)((uint32_t)low >> 31)));
        }
    }
    rs_shake256(digest, sizeof digest, message.p, message.n);
    rs_bliss_challenge(places, work->verify.high, digest);
    return memcmp(places, given->places, sizeof places) ? RS_ERR_SIGNATURE : RS_OK;
}

rs_status_t rs_bliss_verify(const rs_bliss_t *scheme, rs_view_t signature, rs_view_t message, rs_view_t public_key,
                            rs_memory_t workspace) {
    RS_TRY(RS_CHECK_SPAN(signature, RS_BLISS_SIGNATURE_BYTES));
    RS_TRY(RS_CHECK_SPAN(public_key, RS_BLISS_PUBLIC_BYTES));
    if (!message.p && message.n) return RS_ERR_NULL;
    RS_TRY(rs_bliss_check_memory(scheme, workspace));
    return verify(scheme, signature.p, message, public_key.p, workspace.p);
}
