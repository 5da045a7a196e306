// SPDX-License-Identifier: Apache-2.0
// Verification (FIPS 204, algorithms 3, 5 and 8). Everything here is public, but perhaps the message.
#include "backend/backend.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "mldsa/x86/variants.h"

// Row i of t1 2^13, transformed.
static void load_t1(rs_mldsa_poly_t *t, const uint8_t *pk, unsigned i) {
    rs_mldsa_unpack(t, pk + RS_MLDSA_RHO_BYTES + (size_t)i * RS_MLDSA_T1_BYTES, 10);
    for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] <<= RS_MLDSA_DROPPED_BITS; // below q
    rs_mldsa_forward(t);
}

typedef struct high_part {
    const rs_mldsa_params_t *p;
    const uint8_t *packed_hints;
    unsigned row;
    uint8_t *hints, *packed; // room: N bytes, and a packed w1
} high_part_t;

// Lines 9 to 12 of algorithm 8: the high part of a row, moved by its hints, goes into the hash.
static void absorb_high_part(rs_sponge_t *sponge, rs_mldsa_poly_t *t, high_part_t of) {
    const rs_mldsa_params_t *p = of.p, *held = RS_MLDSA_HELD(p);
    rs_mldsa_unpack_hints(of.hints, of.packed_hints, of.row, p);
    for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_use_hint(of.hints[n], rs_mldsa_canonical(t->c[n]), held);
    rs_mldsa_pack(of.packed, t, p->w1_bits);
    rs_sponge_absorb(sponge, of.packed, rs_mldsa_w1_bytes(p));
}

// Without a branch: of a secret message c tilde is secret too.
static rs_status_t compared(const uint8_t *challenge, const uint8_t *signature, const rs_mldsa_params_t *p) {
    uint8_t differences = 0;
    for (unsigned i = 0; i < p->challenge_bytes; i++) differences |= challenge[i] ^ signature[i];
    RS_DECLASSIFY(&differences, sizeof differences); // what the caller is told
    return differences ? RS_ERR_SIGNATURE : RS_OK;
}

// Algorithm 8 after its mu, which is in space->mu.
static rs_status_t verify(rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *pk, const uint8_t *signature) {
    const int32_t gamma1 = (int32_t)1 << (p->z_bits - 1);
    const uint8_t *packed_z = signature + p->challenge_bytes;
    const uint8_t *packed_hints = packed_z + p->l * rs_mldsa_z_bytes(p);
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
        load_t1(t, pk, i);
        rs_mldsa_multiply_sub(&space->sum, &space->c,
                              t); // the eighth product; both are below 9 q, and 7 9 + 81 is less than 2^31 / q = 256
        rs_mldsa_reduce_sum(t, &space->sum);
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        absorb_high_part(&space->sponge, t, (high_part_t){p, packed_hints, i, space->hints, space->packed});
    }
    rs_sponge_squeeze(&space->sponge, space->challenge, p->challenge_bytes);
    return compared(space->challenge, signature, p);
}

// The same in a small workspace, column by column.
static rs_status_t verify_small(rs_mldsa_small_t *small, const rs_mldsa_params_t *p, const uint8_t *pk, const uint8_t *signature) {
    const int32_t gamma1 = (int32_t)1 << (p->z_bits - 1);
    const uint8_t *packed_z = signature + p->challenge_bytes;
    const uint8_t *packed_hints = packed_z + p->l * rs_mldsa_z_bytes(p);
    rs_mldsa_poly_t *t = &small->t;
    if (!rs_mldsa_hints_are_canonical(packed_hints, p)) return RS_ERR_SIGNATURE;
    for (unsigned j = 0; j < p->l; j++) {
        rs_mldsa_unpack_below(t, packed_z + j * rs_mldsa_z_bytes(p), gamma1, p->z_bits);
        if (rs_mldsa_exceeds(t, gamma1 - p->beta)) return RS_ERR_SIGNATURE;
        rs_mldsa_forward(t);
        rs_mldsa_add_column(small, p, pk, j);
    }
    rs_mldsa_sample_in_ball(&small->c, &small->sponge, p, signature, 1);
    rs_mldsa_forward(&small->c);
    rs_sponge_init(&small->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&small->sponge, small->mu, RS_MLDSA_MU_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        load_t1(t, pk, i);
        rs_mldsa_product(t, &small->c, t);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_reduce(small->polys[i].c[n] - t->c[n]); // below 8 q
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        absorb_high_part(&small->sponge, t, (high_part_t){p, packed_hints, i, small->bytes + RS_MLDSA_N, small->bytes});
    }
    rs_sponge_squeeze(&small->sponge, small->challenge, p->challenge_bytes);
    return compared(small->challenge, signature, p);
}

rs_status_t rs_mldsa_verify(const rs_mldsa_verify_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mldsa_params_t *p = rs_mldsa_params(r->set);
    if (!p) return RS_ERR_SET;
    const int is_small = rs_mldsa_is_small(r->workspace, p->sizes.verify_workspace);
    if (!is_small) {
        RS_MLDSA_BY_VARIANT(verify, r)
    }
    RS_TRY(RS_CHECK_SPAN(r->pk, p->sizes.pk));
    RS_TRY(rs_mldsa_check_message(&r->message));
    RS_TRY(RS_CHECK_SPAN(r->signature, p->sizes.signature));
    RS_TRY(rs_backend_status());
    const size_t bytes = is_small ? p->sizes.small_verify_workspace : p->sizes.verify_workspace;
    RS_TRY(rs_check_memory(r->workspace, bytes));
    rs_mldsa_space_t *space = rs_mldsa_space(r->workspace.p);
    rs_mldsa_small_t *small = r->workspace.p;
    rs_sponge_t *sponge = is_small ? &small->sponge : &space->sponge;
    uint8_t *tr = is_small ? small->seed : space->tr, *mu = is_small ? small->mu : space->mu;
    rs_sponge_init(sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(sponge, r->pk.p, r->pk.n);
    rs_sponge_squeeze(sponge, tr, RS_MLDSA_TR_BYTES);
    rs_mldsa_represent(mu, sponge, tr, &r->message);
    const rs_status_t status =
        is_small ? verify_small(small, p, r->pk.p, r->signature.p) : verify(space, p, r->pk.p, r->signature.p);
    rs_zeroize(r->workspace.p, bytes);
    return status;
}
