// SPDX-License-Identifier: Apache-2.0
// The key encapsulation (FIPS 203, sections 6 and 7), and the checks of its arguments and keys.
#include <ringside/mlkem.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "mlkem/codec.h"
#include "mlkem/pke.h"

enum { HASH = RS_MLKEM_HASH_BYTES, STACK_BYTES = RS_WAYS_MAX == 1 ? 1536 : 8192 };

// Where the parts of dk begin: s, ek, H(ek), z.
typedef struct dk_parts {
    const uint8_t *s, *ek, *hash, *z;
    size_t ek_bytes;
} dk_parts_t;

static dk_parts_t parts_of(const rs_mlkem_params_t *p, const uint8_t *dk) {
    const size_t vector = rs_mlkem_vector_bytes(p);
    dk_parts_t parts = {.s = dk, .ek = dk + vector, .ek_bytes = vector + HASH};
    parts.hash = parts.ek + parts.ek_bytes;
    parts.z = parts.hash + HASH;
    return parts;
}

static const rs_hash_t *hash_table(void) {
    return rs_backend_current()->samplers->hash;
}

size_t rs_mlkem_workspace_size(rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    return p ? rs_mlkem_pke_workspace(p) : 0;
}

// ---- checks ----------------------------------------------------------------------------------------------------------------
// One argument: it is there and has its length.
static rs_status_t check_bytes(const uint8_t *pointer, size_t bytes, size_t wanted) {
    if (!pointer) return RS_ERR_NULL;
    return bytes == wanted ? RS_OK : RS_ERR_MLKEM_BYTES;
}

static rs_status_t check_memory(rs_mlkem_set_t set, const void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_mlkem_workspace_size(set)));
    return rs_backend_status();
}

rs_status_t rs_mlkem_check_ek(rs_mlkem_set_t set, const uint8_t *ek, size_t ek_bytes) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(ek, ek_bytes, rs_mlkem_ek_bytes(set)));
    int canonical = 1;
    for (uint32_t i = 0; i < p->k; i++) canonical &= rs_mlkem_is_canonical(ek + RS_MLKEM_POLY_BYTES * i);
    return canonical ? RS_OK : RS_ERR_MLKEM_EK;
}

rs_status_t rs_mlkem_check_dk(rs_mlkem_set_t set, const uint8_t *dk, size_t dk_bytes) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(dk, dk_bytes, rs_mlkem_dk_bytes(set)));
    const dk_parts_t parts = parts_of(p, dk);
    uint8_t hash[HASH];
    rs_sponge_hash(RS_SPONGE_SHA3_256, hash, sizeof hash, parts.ek, parts.ek_bytes);
    return memcmp(hash, parts.hash, HASH) == 0 ? RS_OK : RS_ERR_MLKEM_DK; // both are public
}

// The workspace, and the stack below the caller: compilers keep lanes of Keccak and coefficients there when registers run out. The functions
// of this room and what they call take no more of it (lib/src/mlkem/README.md).
static __attribute__((noinline)) void wipe(rs_mlkem_set_t set, void *workspace) {
    uint8_t below[STACK_BYTES];
    rs_zeroize(below, sizeof below);
    rs_zeroize(workspace, rs_mlkem_workspace_size(set));
}

// A call of its own: inlined, GCC may keep what it copies on the stack, where nothing wipes it (test_remains.c).
static __attribute__((noinline)) void copy(uint8_t *to, const uint8_t *from) {
    memcpy(to, from, HASH);
}

// ---- key pairs -------------------------------------------------------------------------------------------------------------
rs_status_t rs_mlkem_keygen_seed(rs_mlkem_set_t set, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes,
                                 const uint8_t *seed, size_t seed_bytes, void *workspace, size_t workspace_bytes) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(ek, ek_bytes, rs_mlkem_ek_bytes(set)));
    RS_TRY(check_bytes(dk, dk_bytes, rs_mlkem_dk_bytes(set)));
    RS_TRY(check_bytes(seed, seed_bytes, RS_MLKEM_SEED_BYTES));
    RS_TRY(check_memory(set, workspace, workspace_bytes));
    const size_t vector = rs_mlkem_vector_bytes(p);
    rs_mlkem_pke_keygen(p, hash_table(), ek, dk, seed, workspace);
    memcpy(dk + vector, ek, ek_bytes);
    rs_sponge_hash(RS_SPONGE_SHA3_256, dk + vector + ek_bytes, HASH, ek, ek_bytes);
    copy(dk + vector + ek_bytes + HASH, seed + HASH); // z
    wipe(set, workspace);
    return RS_OK;
}

// `bytes` fresh bytes; wiped if the source fails.
static rs_status_t fresh(rs_rng_t *rng, uint8_t *out, size_t bytes) {
    if (rng->fill(rng->state, out, bytes) == RS_OK) return RS_OK;
    rs_zeroize(out, bytes);
    return RS_ERR_RNG;
}

rs_status_t rs_mlkem_keygen(rs_mlkem_set_t set, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes, rs_rng_t *rng,
                            void *workspace, size_t workspace_bytes) {
    if (!rs_mlkem_params(set)) return RS_ERR_MLKEM_SET;
    if (!rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(check_bytes(ek, ek_bytes, rs_mlkem_ek_bytes(set)));
    RS_TRY(check_bytes(dk, dk_bytes, rs_mlkem_dk_bytes(set)));
    RS_TRY(check_memory(set, workspace, workspace_bytes));
    uint8_t seed[RS_MLKEM_SEED_BYTES];
    RS_TRY(fresh(rng, seed, sizeof seed));
    const rs_status_t status = rs_mlkem_keygen_seed(set, ek, ek_bytes, dk, dk_bytes, seed, sizeof seed, workspace, workspace_bytes);
    rs_zeroize(seed, sizeof seed);
    return status;
}

// ---- encapsulation and decapsulation -----------------------------------------------------------------------------------------
// (K, r) = G(m || hash of ek), which is 64 bytes.
static void expand(uint8_t *secrets, const uint8_t *m, const uint8_t *hash) {
    uint8_t message[2 * HASH];
    memcpy(message, m, HASH);
    memcpy(message + HASH, hash, HASH);
    rs_sponge_hash(RS_SPONGE_SHA3_512, secrets, 2 * HASH, message, sizeof message);
    rs_zeroize(message, sizeof message);
}

static rs_status_t check_encaps(rs_mlkem_set_t set, const uint8_t *ct, size_t ct_bytes, const uint8_t *shared, size_t shared_bytes,
                                const uint8_t *ek, size_t ek_bytes, const void *workspace, size_t workspace_bytes) {
    if (!rs_mlkem_params(set)) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(ct, ct_bytes, rs_mlkem_ct_bytes(set)));
    RS_TRY(check_bytes(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check_bytes(ek, ek_bytes, rs_mlkem_ek_bytes(set)));
    RS_TRY(check_memory(set, workspace, workspace_bytes));
    return rs_mlkem_check_ek(set, ek, ek_bytes);
}

// Algorithm 17, of arguments that are checked.
static void encaps(rs_mlkem_set_t set, uint8_t *ct, uint8_t *shared, const uint8_t *ek, const uint8_t *m, void *workspace) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    uint8_t secrets[2 * HASH];
    rs_sponge_hash(RS_SPONGE_SHA3_256, secrets, HASH, ek, rs_mlkem_ek_bytes(set));
    expand(secrets, m, secrets);
    rs_mlkem_pke_encrypt(p, hash_table(), ct, NULL, ek, m, secrets + HASH, workspace);
    memcpy(shared, secrets, HASH);
    rs_zeroize(secrets, sizeof secrets);
    wipe(set, workspace);
}

rs_status_t rs_mlkem_encaps_derand(rs_mlkem_set_t set, uint8_t *ct, size_t ct_bytes, uint8_t *shared, size_t shared_bytes,
                                   const uint8_t *ek, size_t ek_bytes, const uint8_t *m, size_t m_bytes, void *workspace,
                                   size_t workspace_bytes) {
    if (!rs_mlkem_params(set)) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(m, m_bytes, RS_MLKEM_RANDOM_BYTES));
    RS_TRY(check_encaps(set, ct, ct_bytes, shared, shared_bytes, ek, ek_bytes, workspace, workspace_bytes));
    encaps(set, ct, shared, ek, m, workspace);
    return RS_OK;
}

rs_status_t rs_mlkem_encaps(rs_mlkem_set_t set, uint8_t *ct, size_t ct_bytes, uint8_t *shared, size_t shared_bytes,
                            const uint8_t *ek, size_t ek_bytes, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!rs_mlkem_params(set)) return RS_ERR_MLKEM_SET;
    if (!rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(check_encaps(set, ct, ct_bytes, shared, shared_bytes, ek, ek_bytes, workspace, workspace_bytes));
    uint8_t m[RS_MLKEM_RANDOM_BYTES];
    RS_TRY(fresh(rng, m, sizeof m));
    encaps(set, ct, shared, ek, m, workspace);
    rs_zeroize(m, sizeof m);
    return RS_OK;
}

rs_status_t rs_mlkem_decaps(rs_mlkem_set_t set, uint8_t *shared, size_t shared_bytes, const uint8_t *dk, size_t dk_bytes,
                            const uint8_t *ct, size_t ct_bytes, void *workspace, size_t workspace_bytes) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_MLKEM_SET;
    RS_TRY(check_bytes(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check_bytes(dk, dk_bytes, rs_mlkem_dk_bytes(set)));
    RS_TRY(check_bytes(ct, ct_bytes, rs_mlkem_ct_bytes(set)));
    RS_TRY(check_memory(set, workspace, workspace_bytes));
    RS_TRY(rs_mlkem_check_dk(set, dk, dk_bytes));
    const dk_parts_t parts = parts_of(p, dk);
    uint8_t m[HASH];
    uint8_t secrets[2 * HASH]; // K' and r'
    uint8_t rejected[HASH]; // J(z || ct)
    rs_mlkem_pke_decrypt(p, m, parts.s, ct, workspace);
    expand(secrets, m, parts.hash);
    rs_sponge_t j;
    rs_sponge_init(&j, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&j, parts.z, HASH);
    rs_sponge_absorb(&j, ct, ct_bytes);
    rs_sponge_squeeze(&j, rejected, sizeof rejected);
    const uint64_t difference = rs_mlkem_pke_encrypt(p, hash_table(), NULL, ct, parts.ek, m, secrets + HASH, workspace);
    const uint8_t reject = (uint8_t)rs_opaque(0 - ((difference | (0 - difference)) >> 63));
    for (uint32_t i = 0; i < HASH; i++) shared[i] = (uint8_t)(secrets[i] ^ (reject & (secrets[i] ^ rejected[i])));
    rs_zeroize(m, sizeof m);
    rs_zeroize(secrets, sizeof secrets);
    rs_zeroize(rejected, sizeof rejected);
    rs_zeroize(&j, sizeof j);
    wipe(set, workspace);
    return RS_OK;
}
