// SPDX-License-Identifier: Apache-2.0
// Parameter sets and lengths, key pairs, and checks of secret keys (FIPS 204, algorithms 1 and 6).
#include "backend/backend.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "mldsa/x86/variants.h"
#include "sampling/seed.h"

// ---- sets ------------------------------------------------------------------------------------------------------------------
// Bytes of a workspace with so many polynomials, wherever it begins.
#define SPACE(polys) (sizeof(rs_mldsa_space_t) + (polys) * sizeof(rs_mldsa_poly_t) + RS_STATES_ALIGNMENT - 8)
// A verification, and the making of a key, has l polynomials; a signature s1, s2, t0, y, w, and A where it is kept.
#define SMALL(polys) (sizeof(rs_mldsa_small_t) + (polys) * sizeof(rs_mldsa_poly_t))
#define SIZES(set, k, l)                                     \
    {.pk = RS_MLDSA_##set##_PK_BYTES,                        \
     .sk = RS_MLDSA_##set##_SK_BYTES,                        \
     .signature = RS_MLDSA_##set##_SIGNATURE_BYTES,          \
     .workspace = SPACE(2 * (l) + 3 * (k)),                  \
     .verify_workspace = SPACE(l),                           \
     .fast_workspace = SPACE(2 * (l) + 3 * (k) + (k) * (l)), \
     .small_workspace = SMALL((k) + 1),                      \
     .small_verify_workspace = SMALL(k)}

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
     .beta = 78,
     .sizes = SIZES(44, 4, 4)},
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
     .beta = 196,
     .sizes = SIZES(65, 6, 5)},
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
     .beta = 120,
     .sizes = SIZES(87, 8, 7)},
};

const rs_mldsa_params_t *rs_mldsa_params(uint32_t set) {
    switch (set) {
    case RS_MLDSA_44: return &SETS[0];
    case RS_MLDSA_65: return &SETS[1];
    case RS_MLDSA_87: return &SETS[2];
    }
    return NULL;
}

const rs_mldsa_sizes_t *rs_mldsa_sizes(uint32_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    return p ? &p->sizes : NULL;
}

// ---- keys ------------------------------------------------------------------------------------------------------------------
static rs_status_t check_workspace(const rs_mldsa_params_t *p, rs_memory_t workspace) {
    RS_TRY(rs_backend_status());
    return rs_check_memory(workspace, p->sizes.verify_workspace);
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
            // the inverse gives less than 3 q / 4
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

rs_status_t rs_mldsa_keygen(const rs_mldsa_keygen_request_t *r) {
    RS_MLDSA_BY_VARIANT(keygen, r)
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mldsa_params_t *p = rs_mldsa_params(r->set);
    if (!p) return RS_ERR_SET;
    RS_TRY(RS_CHECK_SPAN(r->pk, p->sizes.pk));
    RS_TRY(RS_CHECK_SPAN(r->sk, p->sizes.sk));
    RS_TRY(rs_check_random(r->seed, r->rng, RS_MLDSA_SEED_BYTES));
    RS_TRY(check_workspace(p, r->workspace));
    rs_mldsa_space_t *space = rs_mldsa_space(r->workspace.p);
    const uint8_t *xi = r->seed.p ? r->seed.p : space->packed;
    const rs_status_t status = r->seed.p ? RS_OK : rs_fresh_bytes(r->rng, space->packed, RS_MLDSA_SEED_BYTES);
    if (status == RS_OK) make(space, p, r->pk.p, r->sk.p, xi);
    rs_zeroize(r->workspace.p, p->sizes.verify_workspace);
    return status;
}

rs_status_t rs_mldsa_public_key(uint32_t set, rs_bytes_t pk, rs_view_t sk, rs_memory_t workspace) {
    RS_MLDSA_BY_VARIANT(public_key, set, pk, sk, workspace)
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    if (!p) return RS_ERR_SET;
    if (RS_IS_GIVEN(pk)) RS_TRY(RS_CHECK_SPAN(pk, p->sizes.pk));
    RS_TRY(RS_CHECK_SPAN(sk, p->sizes.sk));
    RS_TRY(check_workspace(p, workspace));
    rs_mldsa_space_t *space = rs_mldsa_space(workspace.p);
    int32_t wrong = 0;
    for (unsigned i = 0; i < (unsigned)p->l + p->k; i++) {
        rs_mldsa_unpack_below(&space->t, sk.p + RS_MLDSA_SK_S1 + i * rs_mldsa_eta_bytes(p), p->eta, p->eta_bits);
        wrong |= rs_mldsa_exceeds(&space->t, p->eta + 1);
    }
    wrong |= derive(space, p, pk.p, sk.p, NULL);
    for (unsigned i = 0; i < RS_MLDSA_TR_BYTES; i++) wrong |= space->tr[i] ^ sk.p[RS_MLDSA_SK_TR + i];
    RS_DECLASSIFY(&wrong, sizeof wrong); // what the caller is told
    rs_zeroize(workspace.p, p->sizes.verify_workspace);
    if (wrong && pk.p) memset(pk.p, 0, pk.n);
    return wrong ? RS_ERR_SECRET_KEY : RS_OK;
}
