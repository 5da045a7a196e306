// SPDX-License-Identifier: Apache-2.0
// The key encapsulation (FIPS 203, sections 6 and 7), and the checks of its arguments and keys.
#include <ringside/mlkem.h>

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/checks.h"
#include "mlkem/codec.h"
#include "mlkem/pke.h"
#include "mlkem/x86/variants.h"
#include "sampling/seed.h"

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

#ifdef RS_X86
const rs_mlkem_variant_t RS_MLKEM_PORTABLE = {RS_MLKEM_PARTS(RS_MLKEM_ENTRY)};
#endif

static const rs_hash_t *hash_table(void) { return rs_backend_current()->samplers->hash; }

// ---- checks ----------------------------------------------------------------------------------------------------------------
static rs_status_t check_memory(const rs_mlkem_params_t *p, rs_memory_t workspace) {
    RS_TRY(rs_check_memory(workspace, p->sizes.workspace));
    return rs_backend_status();
}

static rs_status_t check_ek(const rs_mlkem_params_t *p, rs_view_t ek) {
    RS_TRY(RS_CHECK_SPAN(ek, p->sizes.ek));
    int canonical = 1;
    for (uint32_t i = 0; i < p->k; i++) canonical &= RS_MLKEM_BY_VARIANT(is_canonical)(ek.p + RS_MLKEM_POLY_BYTES * i);
    return canonical ? RS_OK : RS_ERR_PUBLIC_KEY;
}

static rs_status_t check_dk(const rs_mlkem_params_t *p, rs_view_t dk) {
    RS_TRY(RS_CHECK_SPAN(dk, p->sizes.dk));
    const dk_parts_t parts = parts_of(p, dk.p);
    uint8_t hash[HASH];
    rs_sponge_hash(RS_SPONGE_SHA3_256, hash, sizeof hash, parts.ek, parts.ek_bytes);
    return memcmp(hash, parts.hash, HASH) == 0 ? RS_OK : RS_ERR_SECRET_KEY; // both are public
}

rs_status_t rs_mlkem_check(uint32_t set, rs_view_t ek, rs_view_t dk) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_SET;
    if (!RS_IS_GIVEN(ek) && !RS_IS_GIVEN(dk)) return RS_ERR_NULL;
    if (RS_IS_GIVEN(ek)) RS_TRY(check_ek(p, ek));
    return RS_IS_GIVEN(dk) ? check_dk(p, dk) : RS_OK;
}

// The workspace, and the stack below the caller: compilers keep lanes of Keccak and coefficients there when registers run out. The functions
// of this room and what they call take no more of it (lib/src/mlkem/README.md).
static __attribute__((noinline)) void wipe(const rs_mlkem_params_t *p, void *workspace) {
    uint8_t below[STACK_BYTES];
    rs_zeroize(below, sizeof below);
    rs_zeroize(workspace, p->sizes.workspace);
}

// A call of its own: inlined, GCC may keep what it copies on the stack, where nothing wipes it (test_remains.c).
static __attribute__((noinline)) void copy(uint8_t *to, const uint8_t *from) { memcpy(to, from, HASH); }

// ---- key pairs -------------------------------------------------------------------------------------------------------------
rs_status_t rs_mlkem_keygen(const rs_mlkem_keygen_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mlkem_params_t *p = rs_mlkem_params(r->set);
    if (!p) return RS_ERR_SET;
    RS_TRY(RS_CHECK_SPAN(r->ek, p->sizes.ek));
    RS_TRY(RS_CHECK_SPAN(r->dk, p->sizes.dk));
    RS_TRY(rs_check_random(r->seed, r->rng, RS_MLKEM_SEED_BYTES));
    RS_TRY(check_memory(p, r->workspace));
    uint8_t drawn[RS_MLKEM_SEED_BYTES];
    const uint8_t *seed = r->seed.p ? r->seed.p : drawn;
    if (!r->seed.p) RS_TRY(rs_fresh_bytes(r->rng, drawn, sizeof drawn));
    uint8_t *ek_in_dk = r->dk.p + rs_mlkem_vector_bytes(p), *hash = ek_in_dk + p->sizes.ek;
    RS_MLKEM_BY_VARIANT(pke_keygen)(p, hash_table(), r->ek.p, r->dk.p, seed, r->workspace.p);
    memcpy(ek_in_dk, r->ek.p, p->sizes.ek);
    rs_sponge_hash(RS_SPONGE_SHA3_256, hash, HASH, r->ek.p, p->sizes.ek);
    copy(hash + HASH, seed + HASH); // z
    rs_zeroize(drawn, sizeof drawn);
    wipe(p, r->workspace.p);
    return RS_OK;
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

rs_status_t rs_mlkem_encaps(const rs_mlkem_encaps_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mlkem_params_t *p = rs_mlkem_params(r->set);
    if (!p) return RS_ERR_SET;
    RS_TRY(RS_CHECK_SPAN(r->ct, p->sizes.ct));
    RS_TRY(RS_CHECK_SPAN(r->shared, RS_MLKEM_SHARED_BYTES));
    RS_TRY(rs_check_random(r->m, r->rng, RS_MLKEM_RANDOM_BYTES));
    RS_TRY(check_memory(p, r->workspace));
    RS_TRY(check_ek(p, r->ek));
    uint8_t drawn[RS_MLKEM_RANDOM_BYTES];
    uint8_t secrets[2 * HASH];
    const uint8_t *m = r->m.p ? r->m.p : drawn;
    if (!r->m.p) RS_TRY(rs_fresh_bytes(r->rng, drawn, sizeof drawn));
    rs_sponge_hash(RS_SPONGE_SHA3_256, secrets, HASH, r->ek.p, p->sizes.ek);
    expand(secrets, m, secrets);
    RS_MLKEM_BY_VARIANT(pke_encrypt)(p, hash_table(), r->ct.p, NULL, r->ek.p, m, secrets + HASH, r->workspace.p);
    memcpy(r->shared.p, secrets, HASH);
    rs_zeroize(secrets, sizeof secrets);
    rs_zeroize(drawn, sizeof drawn);
    wipe(p, r->workspace.p);
    return RS_OK;
}

rs_status_t rs_mlkem_decaps(const rs_mlkem_decaps_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    const rs_mlkem_params_t *p = rs_mlkem_params(r->set);
    if (!p) return RS_ERR_SET;
    if (RS_IS_GIVEN(r->seed) || RS_IS_GIVEN(r->ek)) return RS_ERR_OPTION;
    RS_TRY(RS_CHECK_SPAN(r->shared, RS_MLKEM_SHARED_BYTES));
    RS_TRY(RS_CHECK_SPAN(r->ct, p->sizes.ct));
    RS_TRY(check_memory(p, r->workspace));
    RS_TRY(check_dk(p, r->dk));
    const dk_parts_t parts = parts_of(p, r->dk.p);
    uint8_t m[HASH];
    uint8_t secrets[2 * HASH]; // K' and r'
    uint8_t rejected[HASH]; // J(z || ct)
    RS_MLKEM_BY_VARIANT(pke_decrypt)(p, m, parts.s, r->ct.p, r->workspace.p);
    expand(secrets, m, parts.hash);
    rs_sponge_t j;
    rs_sponge_init(&j, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(&j, parts.z, HASH);
    rs_sponge_absorb(&j, r->ct.p, r->ct.n);
    rs_sponge_squeeze(&j, rejected, sizeof rejected);
    const uint64_t difference =
        RS_MLKEM_BY_VARIANT(pke_encrypt)(p, hash_table(), NULL, r->ct.p, parts.ek, m, secrets + HASH, r->workspace.p);
    const uint8_t reject = (uint8_t)rs_opaque(0 - ((difference | (0 - difference)) >> 63));
    for (uint32_t i = 0; i < HASH; i++) r->shared.p[i] = (uint8_t)(secrets[i] ^ (reject & (secrets[i] ^ rejected[i])));
    rs_zeroize(m, sizeof m);
    rs_zeroize(secrets, sizeof secrets);
    rs_zeroize(rejected, sizeof rejected);
    rs_zeroize(&j, sizeof j);
    wipe(p, r->workspace.p);
    return RS_OK;
}
