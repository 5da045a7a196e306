// SPDX-License-Identifier: Apache-2.0
// Secret and public keys, and keys that switch from one secret to another: relinearisation and automorphisms.
#include <ringside/golden/sample.h>
#include <ringside/keys.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "base/registers.h"
#include "rlwe/checks.h"

rs_status_t rs_check_public_key(const rs_context_t *context, const rs_ciphertext_t *key) {
    if (key->limb_count != context->params.limb_count) return RS_ERR_MISMATCH;
    RS_TRY(rs_check_ciphertext(context, key));
    if (key->seeded) return RS_ERR_SEEDED;
    if (key->form) return RS_ERR_NOT_NTT;
    return key->poly_count == 2 ? RS_OK : RS_ERR_POLY_COUNT;
}

rs_status_t rs_check_secret(const rs_context_t *context, const rs_secret_key_t *key) {
    if (!context || !key || !key->ntt) return RS_ERR_NULL;
    RS_TRY(rs_check_id(context, key->parms_id, context->params.limb_count));
    return key->reserved[0] | key->reserved[1] ? RS_ERR_STRUCT : RS_OK;
}

rs_status_t rs_keygen_secret(const rs_context_t *context, rs_secret_key_t *key, rs_rng_t *rng) {
    if (!context || !key || !key->ntt || !rng || !rng->fill) return RS_ERR_NULL;
    rs_seed_t seed;
    RS_TRY(rs_fresh_seed(rng, &seed));
    const size_t n = context->n;
    const uint32_t limbs = context->params.limb_count;
    // The ternary coefficients wait as bytes at the start of the last limb, which is lifted last and from its end: word i overwrites
    // bytes 8i … 8i+7, and only bytes below i are still needed.
    uint64_t *last = key->ntt + (limbs - 1) * n;
    int8_t *ternary = (int8_t *)last;
    rs_sample_ternary(ternary, n, &seed, RS_DOMAIN_S);
    rs_zeroize(&seed, sizeof seed);
    for (uint32_t limb = 0; limb + 1 < limbs; limb++) rs_plan_lift(&context->limbs[limb], key->ntt + limb * n, ternary, 1);
    const uint64_t q = context->limbs[limbs - 1].modulus.q;
    for (size_t i = n; i-- > 0;) {
        const uint64_t x = (uint64_t)(int64_t)ternary[i];
        last[i] = x + (q & (0 - (x >> 63)));
    }
    for (uint32_t limb = 0; limb < limbs; limb++) rs_plan_forward(&context->limbs[limb], key->ntt + limb * n);
    rs_wipe_registers();
    *key = (rs_secret_key_t){.ntt = key->ntt};
    memcpy(key->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    return RS_OK;
}

// 0 … 2 bound for the residues of -bound … bound; more for any other.
static uint64_t small_class(uint64_t x, uint64_t bound, uint64_t q) { return rs_csub(x + bound, q); }

static uint64_t ternary_class(uint64_t x, uint64_t q) { return small_class(x, 1, q); }

static rs_status_t check_ternary(const rs_context_t *context, const rs_secret_key_t *key, void *workspace) {
    const size_t n = context->n;
    uint64_t *first = workspace;
    uint64_t *other = first + n;
    uint64_t wrong = 0;
    uint64_t set = 0;
    memcpy(first, key->ntt, n * sizeof *first);
    rs_plan_inverse(&context->limbs[0], first);
    for (size_t i = 0; i < n; i++) {
        const uint64_t class = ternary_class(first[i], context->limbs[0].modulus.q);
        wrong |= (2 - class) >> 63;
        set |= class ^ 1;
    }
    wrong |= 1 ^ ((set | (0 - set)) >> 63); // with s = 0 every ciphertext shows its message
    for (uint32_t limb = 1; limb < context->params.limb_count; limb++) {
        memcpy(other, key->ntt + limb * n, n * sizeof *other);
        rs_plan_inverse(&context->limbs[limb], other);
        for (size_t i = 0; i < n; i++) {
            wrong |= ternary_class(first[i], context->limbs[0].modulus.q) ^ ternary_class(other[i], context->limbs[limb].modulus.q);
        }
    }
    rs_zeroize(workspace, 2 * n * sizeof(uint64_t));
    RS_DECLASSIFY(&wrong, sizeof wrong);
    return wrong ? RS_ERR_SECRET_KEY : RS_OK;
}

// ---- rows of keys ------------------------------------------------------------------------------------------------------
// One ring's residues and one error polynomial.
static size_t row_workspace(size_t n) { return n * (sizeof(uint64_t) + sizeof(int8_t)); }

size_t rs_keygen_workspace(const rs_keygen_request_t *request) { return request->context ? row_workspace(request->context->n) : 0; }

static rs_status_t check_seed_type(uint32_t type) {
    return !type || type == RS_SEED_BLAKE2XB || type == RS_SEED_SHAKE256 ? RS_OK : RS_ERR_SEED_TYPE;
}

static uint32_t seed_type_of(uint32_t type) { return type ? type : RS_SEED_SHAKE256; }

void rs_row_zero(const rs_limb_t *l, uint64_t *b, const uint64_t *a_ntt, const uint64_t *s_ntt, const int8_t *error,
                 uint64_t factor) {
    if (factor != 1) l->ring->lift_small(l, b, error, factor);
    rs_ring_forward(l, b, factor == 1 ? error : NULL, a_ntt, s_ntt, 1);
}

void rs_row_carry(const rs_limb_t *limb, uint64_t *b, const uint64_t *from, uint64_t factor) {
    const uint64_t q = limb->modulus.q;
    const rs_factor_t f = rs_factor(factor, q);
    for (size_t i = 0; i < (size_t)1 << limb->log_n; i++) b[i] = rs_add_mod(b[i], rs_mul_factor(from[i], f, q), q);
}

// The encryption of zero of a checked request. The private seed is wiped, the workspace is not.
static rs_status_t zero_row(const rs_keygen_row_request_t *r, rs_seed_t *private_seed, const rs_seed_t *public_seed) {
    const uint32_t log_n = r->rings[0]->log_n;
    const size_t n = (size_t)1 << log_n;
    uint64_t *scratch = r->workspace.p;
    int8_t *error = (int8_t *)(scratch + n);
    rs_sample_cbd21(error, n, private_seed, RS_DOMAIN_E0);
    rs_zeroize(private_seed, sizeof *private_seed);
    rs_uniform_t uniform;
    rs_status_t status = rs_uniform_init(&uniform, seed_type_of(r->seed_type), public_seed, log_n, r->ring_count);
    for (uint32_t i = 0; status == RS_OK && i < r->ring_count; i++) {
        const rs_limb_t *ring = r->rings[i];
        uint64_t *a = r->a ? r->a + i * n : scratch;
        status = rs_uniform_next(&uniform, ring->modulus.q, a);
        if (status != RS_OK) break;
        const uint64_t factor = r->error_factor ? rs_reduce(r->error_factor, &ring->modulus) : 1;
        rs_row_zero(ring, r->b + i * n, a, r->to + i * n, error, factor);
    }
    return status;
}

static rs_status_t check_row(const rs_keygen_row_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (r->ring_count < 1 || r->ring_count > RS_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    if (!r->rings || !r->to || !r->b || (!r->a && !r->seed) || !r->rng || !r->rng->fill) return RS_ERR_NULL;
    if (r->count && (!r->from || !r->factors)) return RS_ERR_NULL;
    if (r->reserved) return RS_ERR_STRUCT;
    if (r->count > r->ring_count || r->first > r->ring_count - r->count) return RS_ERR_LEVEL;
    for (uint32_t i = 0; i < r->ring_count; i++) {
        const rs_limb_t *ring = r->rings[i];
        if (!ring) return RS_ERR_NULL;
        if (ring->log_n < RS_LOG_N_MIN || ring->log_n != r->rings[0]->log_n) return RS_ERR_DEGREE;
        if (i - r->first < r->count && r->factors[i - r->first] >= ring->modulus.q) return RS_ERR_RESIDUE;
    }
    RS_TRY(check_seed_type(r->seed_type));
    return rs_check_memory(r->workspace, row_workspace((size_t)1 << r->rings[0]->log_n));
}

rs_status_t rs_keygen_row(const rs_keygen_row_request_t *request) {
    RS_TRY(check_row(request));
    rs_seed_t private_seed;
    rs_seed_t public_seed;
    RS_TRY(rs_fresh_seeds(request->rng, &private_seed, &public_seed));
    const rs_status_t status = zero_row(request, &private_seed, &public_seed);
    rs_zeroize(request->workspace.p, row_workspace((size_t)1 << request->rings[0]->log_n)); // the error, whatever the status
    RS_TRY(status);
    for (uint32_t i = 0; i < request->count; i++) {
        const rs_limb_t *ring = request->rings[request->first + i];
        const size_t n = (size_t)1 << ring->log_n;
        rs_row_carry(ring, request->b + (request->first + i) * n, request->from + i * n, request->factors[i]);
    }
    if (request->seed) *request->seed = public_seed;
    return RS_OK;
}

// Any special prime is taken, as by SEAL: how far a small one throws results off depends on their scale, which a key does not know.
// The lean client, whose user has nobody to ask, refuses those far below the others; `ringside keygen` what ruins values at the scale.
static rs_status_t check_keygen(const rs_keygen_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    RS_TRY(rs_check_secret(r->context, r->secret_key));
    if (!r->key || !r->key->data || !r->rng || !r->rng->fill) return RS_ERR_NULL;
    RS_TRY(check_seed_type(r->seed_type));
    if (r->kind > RS_KEY_SWITCH || r->seeded > 1) return RS_ERR_OPTION;
    if (r->kind == RS_KEY_SWITCH) {
        const uint32_t limbs = r->context->params.limb_count;
        if (limbs < 2) return RS_ERR_NO_SPECIAL;
        if (r->index >= limbs - 1) return RS_ERR_LEVEL;
        if (r->element && (!(r->element & 1) || r->element >= 2 * r->context->n)) return RS_ERR_GALOIS;
    } else if (r->element || r->index) {
        return RS_ERR_OPTION;
    }
    return rs_check_memory(r->workspace, rs_keygen_workspace(r));
}

// Adds P s' to limb `index` of b. from: N words for s'.
static void carry_source(const rs_keygen_request_t *r, uint64_t *from) {
    const rs_context_t *context = r->context;
    const rs_limb_t *limb = &context->limbs[r->index];
    const uint64_t *s = r->secret_key->ntt + (size_t)r->index * context->n;
    if (r->element) {
        rs_plan_galois(limb, from, s, r->element);
    } else {
        rs_plan_mul(limb, from, s, s);
    }
    const uint64_t special = context->limbs[context->params.limb_count - 1].modulus.q;
    rs_row_carry(limb, r->key->data + (size_t)r->index * context->n, from, rs_reduce(special, &limb->modulus));
}

rs_status_t rs_keygen(const rs_keygen_request_t *request) {
    RS_TRY(check_keygen(request));
    const rs_context_t *context = request->context;
    rs_ciphertext_t *key = request->key;
    const uint32_t limbs = context->params.limb_count;
    const rs_plan_t *rings[RS_LIMBS_MAX];
    for (uint32_t limb = 0; limb < limbs; limb++) rings[limb] = &context->limbs[limb];
    const rs_keygen_row_request_t row = {
        .ring_count = limbs,
        .seed_type = request->seed_type,
        .error_factor = context->params.scheme == RS_SCHEME_BGV ? context->params.plain_modulus : 1,
        .rings = rings,
        .to = request->secret_key->ntt,
        .b = key->data,
        .a = request->seeded ? NULL : key->data + (size_t)limbs * context->n,
        .workspace = request->workspace,
    };
    rs_seed_t private_seed;
    rs_seed_t public_seed;
    RS_TRY(rs_fresh_seeds(request->rng, &private_seed, &public_seed));
    memset(key->parms_id, 0, sizeof key->parms_id);
    const rs_status_t status = zero_row(&row, &private_seed, &public_seed);
    if (status == RS_OK && request->kind == RS_KEY_SWITCH) carry_source(request, request->workspace.p);
    rs_zeroize(request->workspace.p, rs_keygen_workspace(request)); // the error, whatever the status
    RS_TRY(status);
    *key = (rs_ciphertext_t){.poly_count = 2,
                             .limb_count = limbs,
                             .seeded = request->seeded,
                             .seed_type = seed_type_of(request->seed_type),
                             .seed = public_seed,
                             .scale = 1.0,
                             .data = key->data,
                             .correction_factor = context->params.scheme != RS_SCHEME_CKKS};
    memcpy(key->parms_id, context->ids[limbs - 1], RS_PARMS_ID_BYTES);
    return RS_OK;
}

static rs_status_t check_pair(const rs_context_t *context, const rs_secret_key_t *secret, const rs_ciphertext_t *key,
                              void *workspace) {
    const uint64_t bound = 21; // bound of the centred binomial distribution
    const size_t n = context->n;
    const uint32_t limbs = context->params.limb_count;
    uint64_t *classes = workspace; // residue classes of the errors, modulo the first limb
    uint64_t *error = classes + n;
    rs_uniform_t uniform;
    rs_status_t status = RS_OK;
    if (key->seeded) status = rs_uniform_init(&uniform, key->seed_type, &key->seed, context->params.log_n, limbs);
    uint64_t wrong = 0;
    uint64_t set = 0;
    for (uint32_t limb = 0; status == RS_OK && limb < limbs; limb++) {
        const uint64_t q = context->limbs[limb].modulus.q;
        const uint64_t *a = key->seeded ? error : key->data + (size_t)(limbs + limb) * n;
        if (key->seeded) status = rs_uniform_next(&uniform, q, error);
        if (status != RS_OK) break;
        rs_plan_mul_add(&context->limbs[limb], error, a, secret->ntt + (size_t)limb * n, key->data + (size_t)limb * n);
        rs_plan_inverse(&context->limbs[limb], error);
        const rs_factor_t inverse = rs_factor(rs_inverse_mod(rs_error_factor(context, limb), &context->limbs[limb].modulus), q);
        for (size_t i = 0; i < n; i++) {
            const uint64_t class = small_class(rs_mul_factor(error[i], inverse, q), bound, q);
            if (limb == 0) {
                classes[i] = class;
                wrong |= (2 * bound - class) >> 63;
                set |= class ^ bound;
            }
            wrong |= classes[i] ^ class;
        }
    }
    wrong |= 1 ^ ((set | (0 - set)) >> 63); // without an error s would follow from b and a
    rs_zeroize(workspace, 2 * n * sizeof(uint64_t));
    RS_TRY(status);
    RS_DECLASSIFY(&wrong, sizeof wrong);
    return wrong ? RS_ERR_KEY_PAIR : RS_OK;
}

rs_status_t rs_key_check(const rs_context_t *context, const rs_secret_key_t *secret_key, const rs_ciphertext_t *public_key,
                         rs_memory_t workspace) {
    RS_TRY(rs_check_secret(context, secret_key));
    if (public_key) {
        if (!public_key->data) return RS_ERR_NULL;
        RS_TRY(rs_check_ciphertext(context, public_key));
        if (public_key->limb_count != context->params.limb_count) return RS_ERR_MISMATCH;
        if (public_key->form) return RS_ERR_NOT_NTT;
        if (public_key->poly_count != 2) return RS_ERR_POLY_COUNT;
    }
    RS_TRY(rs_check_memory(workspace, 2 * (size_t)context->n * sizeof(uint64_t)));
    return public_key ? check_pair(context, secret_key, public_key, workspace.p) : check_ternary(context, secret_key, workspace.p);
}

rs_status_t rs_galois_element(const rs_context_t *context, int32_t steps, uint32_t *element) {
    if (!context || !element) return RS_ERR_NULL;
    const uint32_t n = context->n;
    const int32_t slots = (int32_t)(n / 2);
    if (steps <= -slots || steps >= slots) return RS_ERR_GALOIS;
    if (steps == 0) {
        *element = 2 * n - 1;
        return RS_OK;
    }
    uint32_t power = 1;
    for (uint32_t i = (uint32_t)(steps > 0 ? steps : steps + slots); i > 0; i--) power = (power * 3) & (2 * n - 1);
    *element = power;
    return RS_OK;
}

uint32_t rs_galois_powers_of_two(const rs_context_t *context, uint32_t *elements, uint32_t capacity) {
    const uint32_t count = 2 * context->params.log_n - 2; // conjugation, +-2^i for 2^i < N/4, N/4 (its own inverse)
    for (uint32_t i = 0; i < count; i++) {
        uint32_t element = 0;
        const int32_t magnitude = i ? (int32_t)1 << ((i - 1) / 2) : 0;
        rs_ignore(rs_galois_element(context, i & 1 ? magnitude : -magnitude, &element)); // in range
        if (i < capacity) elements[i] = element;
    }
    return count;
}
