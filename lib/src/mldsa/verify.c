// SPDX-License-Identifier: Apache-2.0
// Verification (FIPS 204, algorithms 3, 5 and 8). Everything here is public, but perhaps the message.
#include "backend/backend.h"
#include "base/bytes.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "mldsa/x86/variants.h"

// Algorithm 8 after its mu, which is in space->mu.
static rs_status_t verify(rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *pk, const uint8_t *signature) {
    const int32_t gamma1 = (int32_t)1 << (p->z_bits - 1);
    const uint8_t *packed_z = signature + p->challenge_bytes;
    const uint8_t *packed_hints = packed_z + p->l * rs_mldsa_z_bytes(p);
    const rs_mldsa_params_t *held = RS_MLDSA_HELD(p);
    rs_mldsa_poly_t *z = space->polys, *t = &space->t;
    if (!rs_mldsa_hints_are_canonical(packed_hints, p)) return RS_ERR_SIGNATURE;
    for (unsigned j = 0; j < p->l; j++) {
        rs_mldsa_unpack_below(&z[j], packed_z + j * rs_mldsa_z_bytes(p), gamma1, p->z_bits);
        if (rs_mldsa_exceeds(&z[j], gamma1 - p->beta)) return RS_ERR_SIGNATURE;
        rs_mldsa_forward(&z[j]);
    }
    rs_mldsa_sample_in_ball(&space->c, &space->sponge, p, signature, 1);
    rs_mldsa_forward(&space->c);
    rs_mldsa_rows_t rows;
    rs_mldsa_rows_init(&rows, space, p, pk, NULL);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, space->mu, RS_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        rs_mldsa_rows_next(&rows, &space->sum, z);
        rs_mldsa_unpack(t, pk + RS_MLDSA_RHO_BYTES + (size_t)i * RS_MLDSA_T1_BYTES, 10);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] <<= RS_MLDSA_DROPPED_BITS; // below q
        rs_mldsa_forward(t);
        rs_mldsa_multiply_sub(&space->sum, &space->c,
                              t); // the eighth product; both are below 9 q, and 7 9 + 81 is less than 2^31 / q = 256
        rs_mldsa_reduce_sum(t, &space->sum);
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        rs_mldsa_unpack_hints(space->hints, packed_hints, i, p);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_use_hint(space->hints[n], rs_mldsa_canonical(t->c[n]), held);
        rs_mldsa_pack(space->packed, t, p->w1_bits);
        rs_sponge_absorb(&space->sponge, space->packed, rs_mldsa_w1_bytes(p));
    }
    rs_sponge_squeeze(&space->sponge, space->challenge, p->challenge_bytes);
    uint8_t differences = 0; // without a branch: of a secret message c tilde is secret too
    for (unsigned i = 0; i < p->challenge_bytes; i++) differences |= space->challenge[i] ^ signature[i];
    RS_DECLASSIFY(&differences, sizeof differences); // what the caller is told
    return differences ? RS_ERR_SIGNATURE : RS_OK;
}

rs_status_t rs_mldsa_verify(const rs_mldsa_verify_request_t *r) {
    RS_MLDSA_BY_VARIANT(verify, r)
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mldsa_params_t *p = rs_mldsa_params(r->set);
    if (!p) return RS_ERR_SET;
    RS_TRY(RS_CHECK_SPAN(r->pk, p->sizes.pk));
    RS_TRY(rs_mldsa_check_message(&r->message));
    RS_TRY(RS_CHECK_SPAN(r->signature, p->sizes.signature));
    RS_TRY(rs_backend_status());
    RS_TRY(rs_check_memory(r->workspace, p->sizes.verify_workspace));
    rs_mldsa_space_t *space = rs_mldsa_space(r->workspace.p);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, r->pk.p, r->pk.n);
    rs_sponge_squeeze(&space->sponge, space->tr, RS_MLDSA_TR_BYTES);
    rs_mldsa_represent(space->mu, &space->sponge, space->tr, &r->message);
    const rs_status_t status = verify(space, p, r->pk.p, r->signature.p);
    rs_zeroize(r->workspace.p, p->sizes.verify_workspace);
    return status;
}
