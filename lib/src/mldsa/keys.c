// SPDX-License-Identifier: Apache-2.0
// Parameter sets and lengths, key pairs, and checks of secret keys (FIPS 204, algorithms 1 and 6).
#include "backend/backend.h"
#include "base/bytes.h"
#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"

// ---- sets ------------------------------------------------------------------------------------------------------------------
// FIPS 204, table 1.
static const rs_mldsa_params_t SETS[] = {
    {.k = 4,
     .l = 4,
     .eta = 2,
     .eta_bits = 3,
     .tau = 39,
     .omega = 80,
     .challenge_bytes = 32,
     .z_bits = 18,
     .w1_bits = 6,
     .buckets = 44,
     .gamma2 = (RS_MLDSA_Q - 1) / 88,
     .beta = 78},
    {.k = 6,
     .l = 5,
     .eta = 4,
     .eta_bits = 4,
     .tau = 49,
     .omega = 55,
     .challenge_bytes = 48,
     .z_bits = 20,
     .w1_bits = 4,
     .buckets = 16,
     .gamma2 = (RS_MLDSA_Q - 1) / 32,
     .beta = 196},
    {.k = 8,
     .l = 7,
     .eta = 2,
     .eta_bits = 3,
     .tau = 60,
     .omega = 75,
     .challenge_bytes = 64,
     .z_bits = 20,
     .w1_bits = 4,
     .buckets = 16,
     .gamma2 = (RS_MLDSA_Q - 1) / 32,
     .beta = 120},
};

const rs_mldsa_params_t *rs_mldsa_params(rs_mldsa_set_t set) {
    switch (set) {
    case RS_MLDSA_44:
        return &SETS[0];
    case RS_MLDSA_65:
        return &SETS[1];
    case RS_MLDSA_87:
        return &SETS[2];
    }
    return NULL;
}

size_t rs_mldsa_pk_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? RS_MLDSA_RHO_BYTES + (size_t)p->k * RS_MLDSA_T1_BYTES : 0;
}

size_t rs_mldsa_sk_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? RS_MLDSA_SK_S1 + (size_t)(p->l + p->k) * rs_mldsa_eta_bytes(p) + (size_t)p->k * RS_MLDSA_T0_BYTES : 0;
}

size_t rs_mldsa_signature_bytes(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? p->challenge_bytes + p->l * rs_mldsa_z_bytes(p) + p->omega + p->k : 0;
}

size_t rs_mldsa_workspace_size(rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? rs_mldsa_space_bytes(rs_mldsa_sign_polys(p)) : 0;
}

// ---- keys ------------------------------------------------------------------------------------------------------------------
static rs_status_t check_workspace(rs_mldsa_set_t set, const void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_backend_status());
    return rs_check_workspace(workspace, workspace_bytes, rs_mldsa_workspace_size(set));
}

// Lines 5 to 10 of algorithm 6, from the packed s1 and s2 in sk: t = A s1 + s2, whose t1 go to pk unless it is NULL, and into the hash
// space->tr. Packed t0 are compared with those in sk if `written` is NULL, or written there. Returns 0 if all of t0 is equal.
static uint8_t derive(rs_mldsa_space_t *space, const rs_mldsa_params_t *p, uint8_t *pk, const uint8_t *sk, uint8_t *written) {
    const size_t eta_bytes = rs_mldsa_eta_bytes(p);
    const uint8_t *s1 = sk + RS_MLDSA_SK_S1;
    const uint8_t *s2 = s1 + p->l * eta_bytes;
    const uint8_t *t0 = s2 + p->k * eta_bytes;
    rs_mldsa_poly_t *t = &space->t, *low = &space->c;
    rs_mldsa_rows_t rows;
    uint8_t differences = 0;
    for (unsigned j = 0; j < p->l; j++) {
        rs_mldsa_unpack_below(&space->polys[j], s1 + j * eta_bytes, p->eta, p->eta_bits);
        rs_mldsa_forward(&space->polys[j]);
    }
    rs_mldsa_rows_init(&rows, space, p, sk, NULL);
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, sk, RS_MLDSA_RHO_BYTES);
    if (pk) memcpy(pk, sk, RS_MLDSA_RHO_BYTES);
    for (unsigned i = 0; i < p->k; i++) {
        rs_mldsa_rows_next(&rows, &space->sum, space->polys);
        rs_mldsa_reduce_sum(t, &space->sum);
        rs_mldsa_inverse(t, RS_MLDSA_SCALE_R);
        rs_mldsa_unpack_below(low, s2 + i * eta_bytes, p->eta, p->eta_bits);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) {
            // the inverse gives less than q / 2 + 2^15
            t->c[n] = rs_mldsa_power2round(&low->c[n], rs_mldsa_canonical(t->c[n] + low->c[n]));
        }
        rs_mldsa_pack(space->packed, t, 10);
        rs_sponge_absorb(&space->sponge, space->packed, RS_MLDSA_T1_BYTES);
        if (pk) memcpy(pk + RS_MLDSA_RHO_BYTES + (size_t)i * RS_MLDSA_T1_BYTES, space->packed, RS_MLDSA_T1_BYTES);
        rs_mldsa_pack_below(space->packed, low, 1 << (RS_MLDSA_DROPPED_BITS - 1), RS_MLDSA_DROPPED_BITS);
        if (written) memcpy(written + (size_t)i * RS_MLDSA_T0_BYTES, space->packed, RS_MLDSA_T0_BYTES);
        for (unsigned n = 0; n < RS_MLDSA_T0_BYTES; n++) differences |= t0[(size_t)i * RS_MLDSA_T0_BYTES + n] ^ space->packed[n];
    }
    rs_sponge_squeeze(&space->sponge, space->tr, RS_MLDSA_TR_BYTES);
    return differences;
}

// Algorithm 6 from its seed on, when all arguments are checked.
static void make(rs_mldsa_space_t *space, const rs_mldsa_params_t *p, uint8_t *pk, uint8_t *sk, const uint8_t *xi) {
    const uint8_t sizes[2] = {p->k, p->l};
    uint8_t *rho = space->seed, *rho_prime = rho + RS_MLDSA_RHO_BYTES, *k = rho_prime + RS_MLDSA_RHO_PRIME_BYTES;
    rs_sponge_init(&space->sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&space->sponge, xi, RS_MLDSA_SEED_BYTES);
    rs_sponge_absorb(&space->sponge, sizes, sizeof sizes);
    rs_sponge_squeeze(&space->sponge, space->seed, sizeof space->seed);
    RS_DECLASSIFY(rho, RS_MLDSA_RHO_BYTES); // it is in the public key
    memcpy(sk, rho, RS_MLDSA_RHO_BYTES);
    memcpy(sk + RS_MLDSA_SK_K, k, 32);
    rs_mldsa_expand_s(sk + RS_MLDSA_SK_S1, space, p, rho_prime);
    (void)derive(space, p, pk, sk, sk + RS_MLDSA_SK_S1 + (size_t)(p->l + p->k) * rs_mldsa_eta_bytes(p));
    memcpy(sk + RS_MLDSA_SK_TR, space->tr, RS_MLDSA_TR_BYTES);
}

static rs_status_t check_pair(rs_mldsa_set_t set, const uint8_t *pk, size_t pk_bytes, const uint8_t *sk, size_t sk_bytes) {
    if (!rs_mldsa_params(set)) return RS_ERR_MLDSA_SET;
    RS_TRY(rs_mldsa_check_array(pk, pk_bytes, rs_mldsa_pk_bytes(set)));
    return rs_mldsa_check_array(sk, sk_bytes, rs_mldsa_sk_bytes(set));
}

rs_status_t rs_mldsa_keygen_seed(rs_mldsa_set_t set, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes, const uint8_t *xi,
                                 size_t xi_bytes, void *workspace, size_t workspace_bytes) {
    RS_TRY(check_pair(set, pk, pk_bytes, sk, sk_bytes));
    RS_TRY(rs_mldsa_check_array(xi, xi_bytes, RS_MLDSA_SEED_BYTES));
    RS_TRY(check_workspace(set, workspace, workspace_bytes));
    make(rs_mldsa_space(workspace), rs_mldsa_params(set), pk, sk, xi);
    rs_zeroize(workspace, rs_mldsa_workspace_size(set));
    return RS_OK;
}

rs_status_t rs_mldsa_keygen(rs_mldsa_set_t set, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes, rs_rng_t *rng,
                            void *workspace, size_t workspace_bytes) {
    RS_TRY(check_pair(set, pk, pk_bytes, sk, sk_bytes));
    if (!rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(check_workspace(set, workspace, workspace_bytes));
    rs_mldsa_space_t *space = rs_mldsa_space(workspace);
    const rs_status_t status = rng->fill(rng->state, space->packed, RS_MLDSA_SEED_BYTES);
    if (status == RS_OK) make(space, rs_mldsa_params(set), pk, sk, space->packed);
    rs_zeroize(workspace, rs_mldsa_workspace_size(set));
    return status;
}

// pk may be NULL.
static rs_status_t check_secret_key(rs_mldsa_set_t set, uint8_t *pk, const uint8_t *sk, void *workspace) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    rs_mldsa_space_t *space = rs_mldsa_space(workspace);
    int32_t wrong = 0;
    for (unsigned i = 0; i < (unsigned)p->l + p->k; i++) {
        rs_mldsa_unpack_below(&space->t, sk + RS_MLDSA_SK_S1 + i * rs_mldsa_eta_bytes(p), p->eta, p->eta_bits);
        wrong |= rs_mldsa_exceeds(&space->t, p->eta + 1);
    }
    wrong |= derive(space, p, pk, sk, NULL);
    for (unsigned i = 0; i < RS_MLDSA_TR_BYTES; i++) wrong |= space->tr[i] ^ sk[RS_MLDSA_SK_TR + i];
    RS_DECLASSIFY(&wrong, sizeof wrong); // what the caller is told
    rs_zeroize(workspace, rs_mldsa_workspace_size(set));
    return wrong ? RS_ERR_MLDSA_KEY : RS_OK;
}

rs_status_t rs_mldsa_public_key(rs_mldsa_set_t set, uint8_t *pk, size_t pk_bytes, const uint8_t *sk, size_t sk_bytes,
                                void *workspace, size_t workspace_bytes) {
    RS_TRY(check_pair(set, pk, pk_bytes, sk, sk_bytes));
    RS_TRY(check_workspace(set, workspace, workspace_bytes));
    const rs_status_t status = check_secret_key(set, pk, sk, workspace);
    if (status != RS_OK) memset(pk, 0, pk_bytes);
    return status;
}

rs_status_t rs_mldsa_check_secret_key(rs_mldsa_set_t set, const uint8_t *sk, size_t sk_bytes, void *workspace,
                                      size_t workspace_bytes) {
    if (!rs_mldsa_params(set)) return RS_ERR_MLDSA_SET;
    RS_TRY(rs_mldsa_check_array(sk, sk_bytes, rs_mldsa_sk_bytes(set)));
    RS_TRY(check_workspace(set, workspace, workspace_bytes));
    return check_secret_key(set, NULL, sk, workspace);
}
