// SPDX-License-Identifier: Apache-2.0
// Verification (FIPS 204, algorithms 3, 5 and 8). Everything here is public, but perhaps the message.
#include "backend/backend.h"
#include "base/bytes.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"

size_t rs_mldsa_verify_workspace_size(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? rs_mldsa_space_bytes(p->l) : 0; // z
}

// Algorithm 8 after its mu, which is in space->mu.
static rs_status_t verify_checked(rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *pk,
                                  const uint8_t *signature) {
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
        rs_mldsa_unpack(t, pk + RS_MLDSA_RHO_BYTES + (size_t)i * RS_MLDSA_T1_BYTES, 10);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] <<= RS_MLDSA_DROPPED_BITS; // below q
        rs_mldsa_forward(t);
        rs_mldsa_multiply_sub(&space->sum, &space->c,
                              t); // the eighth product; both are below 9 q, and 7 9 + 81 is less than 2^31 / q = 256
        rs_mldsa_reduce_sum(t, &space->sum);
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        rs_mldsa_unpack_hints(space->hints, packed_hints, i, p);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) t->c[n] = rs_mldsa_use_hint(space->hints[n], rs_mldsa_canonical(t->c[n]), p);
        rs_mldsa_pack(space->packed, t, p->w1_bits);
        rs_sponge_absorb(&space->sponge, space->packed, rs_mldsa_w1_bytes(p));
    }
    rs_sponge_squeeze(&space->sponge, space->challenge, p->challenge_bytes);
    uint8_t differences = 0; // without a branch: of a secret message c tilde is secret too
    for (unsigned i = 0; i < p->challenge_bytes; i++) differences |= space->challenge[i] ^ signature[i];
    RS_DECLASSIFY(&differences, sizeof differences); // what the caller is told
    return differences ? RS_ERR_SIGNATURE : RS_OK;
}

static rs_status_t verify(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, const rs_mldsa_message_t *message,
                          const uint8_t *signature, size_t signature_bytes, void *workspace, size_t workspace_bytes) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    if (!p) return RS_ERR_MLDSA_SET;
    RS_TRY(rs_mldsa_check_array(pk, pk_bytes, rs_mldsa_pk_bytes(set)));
    RS_TRY(rs_mldsa_check_message(message));
    RS_TRY(rs_mldsa_check_array(signature, signature_bytes, rs_mldsa_signature_bytes(set)));
    RS_TRY(rs_backend_status());
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_mldsa_verify_workspace_size(set)));
    rs_mldsa_space_t *space = rs_mldsa_space(workspace);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, pk, pk_bytes);
    rs_sponge_squeeze(&space->sponge, space->tr, RS_MLDSA_TR_BYTES);
    rs_mldsa_represent(space->mu, &space->sponge, space->tr, message);
    const rs_status_t status = verify_checked(space, p, pk, signature);
    rs_zeroize(workspace, rs_mldsa_verify_workspace_size(set));
    return status;
}

rs_status_t rs_mldsa_verify(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, const uint8_t *message, size_t message_bytes,
                            const uint8_t *context, size_t context_bytes, const uint8_t *signature, size_t signature_bytes,
                            void *workspace, size_t workspace_bytes) {
    const rs_mldsa_message_t m = {RS_MLDSA_PURE, 0, {message, message_bytes}, {context, context_bytes}};
    return verify(set, pk, pk_bytes, &m, signature, signature_bytes, workspace, workspace_bytes);
}

rs_status_t rs_mldsa_verify_prehash(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, rs_mldsa_prehash_t hash,
                                    const uint8_t *digest, size_t digest_bytes, const uint8_t *context, size_t context_bytes,
                                    const uint8_t *signature, size_t signature_bytes, void *workspace, size_t workspace_bytes) {
    const rs_mldsa_message_t m = {RS_MLDSA_DIGEST, hash, {digest, digest_bytes}, {context, context_bytes}};
    return verify(set, pk, pk_bytes, &m, signature, signature_bytes, workspace, workspace_bytes);
}

rs_status_t rs_mldsa_verify_internal(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, const uint8_t *message,
                                     size_t message_bytes, const uint8_t *signature, size_t signature_bytes, void *workspace,
                                     size_t workspace_bytes) {
    const rs_mldsa_message_t m = {RS_MLDSA_INTERNAL, 0, {message, message_bytes}, {NULL, 0}};
    return verify(set, pk, pk_bytes, &m, signature, signature_bytes, workspace, workspace_bytes);
}

rs_status_t rs_mldsa_verify_mu(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, const uint8_t *mu, size_t mu_bytes,
                               const uint8_t *signature, size_t signature_bytes, void *workspace, size_t workspace_bytes) {
    const rs_mldsa_message_t m = {RS_MLDSA_MU, 0, {mu, mu_bytes}, {NULL, 0}};
    return verify(set, pk, pk_bytes, &m, signature, signature_bytes, workspace, workspace_bytes);
}
