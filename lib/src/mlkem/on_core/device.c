// SPDX-License-Identifier: Apache-2.0
// Calls of ML-KEM on a core: what goes into memory, what comes out of it, and what is wiped there.
#include <ringside/device_mlkem.h>

#include <string.h>

#include "base/bytes.h"
#include "hash/sponges.h"
#include "machine/fields/call.h"
#include "machine/image.h"
#include "mlkem/on_core/on_core.h"
#include "sampling/seed.h"

// What a device keeps. The results of the call under way go to arrays of the caller's.
typedef struct mlkem_on_core {
    rs_field_state_t base;
    uint8_t *ek, *dk, *ct, *shared;
    const uint8_t *key; // as this side sees it
    rs_buffer_t own; // a key in an array of the caller's, which is neither copied nor wiped; else no bytes
    int sealed; // the core has a key
} mlkem_on_core_t;

_Static_assert(sizeof(mlkem_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what ML-KEM keeps has its place in a device");

static rs_status_t finish(rs_device_t *d, rs_status_t status);
static const rs_field_scheme_t SCHEME = {.tenant = {rs_fields_forget},
                                         .builds = rs_mlkem_program,
                                         .programs = RS_PROGRAMS_MLKEM,
                                         .operations = RS_MLKEM_DECAPS_SEED + 1,
                                         .log_n = RS_MLKEM_LOG_N,
                                         .pointer_count = RS_POINTER_INPUT + 1,
                                         .finish = finish};
static const rs_buffer_t NO_KEY;

static mlkem_on_core_t *state_of(rs_device_t *d) { return (mlkem_on_core_t *)(void *)d->state; }

static const rs_mlkem_params_t *params_of(rs_device_t *d) { return rs_mlkem_params(state_of(d)->base.set); }

// ---- set-up ----------------------------------------------------------------------------------------------------------------
static rs_status_t fits(const rs_design_t *design, rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_SET;
    RS_TRY(rs_fields_fit(design, RS_MLKEM_LOG_N, 2 * (p->k + 1), RS_MLKEM_GROUPS_MIN));
    return rs_design_fits_ring(design, RS_MLKEM_LOG_N, RS_MLKEM_CORE_Q);
}

static size_t memory_bytes(const rs_design_t *design) {
    return rs_mlkem_image_at(design) + (rs_fields_is_sealed(design) ? RS_VAULT_PART_BYTES : 0);
}

size_t rs_device_mlkem_bytes(const rs_design_t *design, rs_mlkem_set_t set) {
    return design && fits(design, set) == RS_OK ? memory_bytes(design) : 0;
}

// (gamma R, R) in the transform's order: gamma = psi^(2 brv(i) + 1).
static void put_z(rs_device_t *d, size_t offset) {
    enum { HALF = 1 << RS_MLKEM_LOG_HALF };
    rs_modulus_t q;
    rs_modulus_init(&q, RS_MLKEM_CORE_Q);
    const uint64_t radix = rs_image_radix(&d->design, &q);
    const int wide = rs_design_residue_bytes(&d->design) == 8;
    uint8_t *image = d->bus.memory + offset;
    uint64_t powers[2][HALF];
    for (uint32_t i = 0; i < HALF; i++) {
        const uint32_t exponent = 2 * rs_bit_reverse(i, RS_MLKEM_LOG_HALF) + 1;
        powers[0][i] = rs_mul_mod(rs_pow_mod(RS_MLKEM_CORE_PSI, exponent, &q), radix, &q);
        powers[1][i] = radix;
    }
    rs_image_put(image, powers[0], 2 * HALF, wide);
    memset(image + 2 * rs_mlkem_half_bytes(&d->design), 0, RS_MACHINE_LINE_BYTES);
    rs_machine_sync_for_device(d, image, 2 * rs_mlkem_half_bytes(&d->design) + RS_MACHINE_LINE_BYTES);
}

rs_status_t rs_device_mlkem_prepare(rs_device_t *device, rs_mlkem_set_t set) {
    if (!device) return RS_ERR_NULL;
    const rs_design_t *design = &device->design;
    RS_TRY(fits(design, set));
    RS_TRY(rs_fields_claim(device, &SCHEME, set, rs_mlkem_constants_bytes(design), RS_MLKEM_ROOM, memory_bytes(design)));
    put_z(device, rs_mlkem_z_at(design));
    return rs_fields_make_programs(device, rs_fields_put_context(device, 0, RS_MLKEM_LOG_HALF, RS_MLKEM_CORE_Q, RS_MLKEM_CORE_PSI));
}

// ---- the end of a call -----------------------------------------------------------------------------------------------------
// The secret of a ciphertext is K where the core made the same ciphertext again, else that of refusal. Nothing depends on which.
static void select_shared(rs_device_t *d, uint8_t *shared) {
    const rs_mlkem_params_t *p = params_of(d);
    const uint8_t *given = rs_fields_room(d, RS_MLKEM_AT_CT), *made = rs_fields_room(d, RS_MLKEM_AT_MADE);
    const uint8_t *k = rs_fields_room(d, RS_MLKEM_AT_SHARED), *refused = k + RS_MACHINE_LINE_BYTES;
    const size_t bytes = (size_t)RS_MLKEM_N / 8 * (p->k * p->du + p->dv);
    uint64_t difference = 0;
    for (size_t i = 0; i < bytes; i += 8)
        difference |= rs_load64_aligned(given + i) ^ rs_load64_aligned(made + i); // a multiple of 32
    const uint8_t refuse = (uint8_t)rs_opaque(0 - ((difference | (0 - difference)) >> 63));
    for (uint32_t i = 0; i < RS_MLKEM_SHARED_BYTES; i++) shared[i] = (uint8_t)(k[i] ^ (refuse & (k[i] ^ refused[i])));
}

static rs_status_t take_results(rs_device_t *d, const mlkem_on_core_t *s, const rs_mlkem_params_t *p) {
    const size_t vector = rs_mlkem_vector_bytes(p);
    const uint8_t *shared = rs_fields_room(d, RS_MLKEM_AT_SHARED);
    switch ((rs_mlkem_op_t)s->base.operation) {
    case RS_MLKEM_KEYGEN:
        memcpy(s->ek, s->key + vector, vector + RS_MLKEM_HASH_BYTES);
        if (s->dk && !s->own.bytes) memcpy(s->dk, s->key, p->sizes.dk);
        break;
    case RS_MLKEM_ENCAPS:
        memcpy(s->ct, rs_fields_room(d, RS_MLKEM_AT_MADE), p->sizes.ct);
        memcpy(s->shared, shared, RS_MLKEM_SHARED_BYTES);
        break;
    case RS_MLKEM_DECAPS: // both hashes are public
        if (memcmp(shared + RS_MACHINE_LINE_BYTES + RS_MLKEM_HASH_BYTES, s->key + 2 * vector + RS_MLKEM_HASH_BYTES,
                   RS_MLKEM_HASH_BYTES) != 0)
            return RS_ERR_SECRET_KEY;
        select_shared(d, s->shared);
        break;
    case RS_MLKEM_DECAPS_SEED: select_shared(d, s->shared); break;
    case RS_MLKEM_SEAL: break;
    case RS_MLKEM_DECAPS_SEALED: memcpy(s->shared, shared, RS_MLKEM_SHARED_BYTES); break;
    }
    return RS_OK;
}

static rs_status_t finish(rs_device_t *d, rs_status_t status) {
    mlkem_on_core_t *s = state_of(d);
    const rs_mlkem_params_t *p = params_of(d);
    const rs_mlkem_op_t op = (rs_mlkem_op_t)s->base.operation;
    const size_t vector = rs_mlkem_vector_bytes(p);
    const int failed = status != RS_OK;
    if (!failed) status = take_results(d, s, p);
    if (status == RS_ERR_VALUE_RANGE) status = RS_ERR_PUBLIC_KEY;
    if (op == RS_MLKEM_DECAPS_SEALED && rs_fields_has_no_key(d, status)) {
        status = RS_ERR_DEVICE_NOT_LOADED;
        s->sealed = 0;
    }
    rs_fields_wipe(d, 0, RS_MLKEM_AT_CT); // seed, message, z
    // the ciphertext of a decapsulation says whether it was refused
    if (op == RS_MLKEM_DECAPS || op == RS_MLKEM_DECAPS_SEED) rs_fields_wipe(d, RS_MLKEM_AT_MADE, p->sizes.ct);
    if (op != RS_MLKEM_KEYGEN) rs_fields_wipe(d, RS_MLKEM_AT_SHARED, RS_MLKEM_AT_DK - RS_MLKEM_AT_SHARED);
    if (s->own.bytes) {
        if (op == RS_MLKEM_KEYGEN && failed) rs_zeroize(s->dk, s->own.bytes);
    } else if (op == RS_MLKEM_KEYGEN || op == RS_MLKEM_DECAPS) {
        rs_fields_wipe(d, RS_MLKEM_AT_DK, vector);
        rs_fields_wipe(d, RS_MLKEM_AT_DK + 2 * vector + 2 * RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES); // z
    }
    return status;
}

// ---- calls -----------------------------------------------------------------------------------------------------------------
static void keep_key_in_memory(rs_device_t *d) {
    mlkem_on_core_t *s = state_of(d);
    s->own = NO_KEY;
    s->key = rs_fields_room(d, RS_MLKEM_AT_DK);
    s->base.pointers[RS_POINTER_KEY] = s->base.pointers[RS_POINTER_INPUT] + RS_MLKEM_AT_DK;
}

// Where dk is: the caller's array if the core reaches that (1), else in memory. The core reads whole lines: ek, which ends in the middle of one, is copied.
static int find_key(rs_device_t *d, const uint8_t *dk, size_t bytes, int written) {
    mlkem_on_core_t *s = state_of(d);
    uint64_t address;
    keep_key_in_memory(d);
    if (!rs_machine_reaches(d, dk, bytes, &address)) return 0;
    s->own = (rs_buffer_t){dk, bytes, written};
    s->key = dk;
    s->base.pointers[RS_POINTER_KEY] = address;
    return 1;
}

static void put_ek(rs_device_t *d, rs_view_t ek) {
    keep_key_in_memory(d);
    memcpy(rs_fields_room(d, rs_mlkem_ek_at(params_of(d))), ek.p, ek.n);
}

// d and the byte that separates ranks.
static void put_seed(rs_device_t *d, const uint8_t *seed) {
    memcpy(rs_fields_room(d, RS_MLKEM_AT_SEED), seed, RS_MLKEM_HASH_BYTES);
    *rs_fields_room(d, RS_MLKEM_AT_SEED + RS_MLKEM_HASH_BYTES) = (uint8_t)params_of(d)->k;
}

rs_status_t rs_device_mlkem_keygen(rs_device_t *device, const rs_mlkem_keygen_request_t *request, rs_device_mode_t mode) {
    uint8_t own[RS_MLKEM_SEED_BYTES];
    const uint8_t *seed;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    mlkem_on_core_t *s = state_of(device);
    const rs_bytes_t ek = request->ek, dk = request->dk;
    RS_TRY(RS_CHECK_SPAN(ek, params_of(device)->sizes.ek));
    RS_TRY(RS_CHECK_SPAN(dk, params_of(device)->sizes.dk));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_MLKEM_KEYGEN);
    RS_TRY(rs_take_random(&seed, own, request->seed, request->rng, sizeof own));
    put_seed(device, seed);
    uint8_t *key = find_key(device, dk.p, dk.n, 1) ? dk.p : rs_fields_room(device, RS_MLKEM_AT_DK);
    memcpy(key + dk.n - RS_MLKEM_HASH_BYTES, seed + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
    rs_zeroize(own, sizeof own);
    s->ek = ek.p;
    s->dk = dk.p;
    return rs_fields_call(device, RS_MLKEM_KEYGEN, s->own, mode);
}

rs_status_t rs_device_mlkem_encaps(rs_device_t *device, const rs_mlkem_encaps_request_t *request, rs_device_mode_t mode) {
    uint8_t own[RS_MLKEM_RANDOM_BYTES];
    const uint8_t *m;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    mlkem_on_core_t *s = state_of(device);
    RS_TRY(RS_CHECK_SPAN(request->ct, params_of(device)->sizes.ct));
    RS_TRY(RS_CHECK_SPAN(request->shared, RS_MLKEM_SHARED_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->ek, params_of(device)->sizes.ek));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_MLKEM_ENCAPS);
    RS_TRY(rs_take_random(&m, own, request->m, request->rng, sizeof own));
    put_ek(device, request->ek);
    memcpy(rs_fields_room(device, RS_MLKEM_AT_M), m, RS_MLKEM_RANDOM_BYTES);
    rs_zeroize(own, sizeof own);
    s->ct = request->ct.p;
    s->shared = request->shared.p;
    return rs_fields_call(device, RS_MLKEM_ENCAPS, NO_KEY, mode);
}

// Which key it is for. RS_ERR_OPTION: two; RS_ERR_DESIGN, RS_ERR_DEVICE_NOT_LOADED: none is given, and none is sealed.
static rs_status_t check_decaps(rs_device_t *d, const rs_mlkem_decaps_request_t *request, rs_mlkem_op_t *op) {
    if (RS_IS_GIVEN(request->dk)) {
        if (RS_IS_GIVEN(request->seed)) return RS_ERR_OPTION;
        *op = RS_MLKEM_DECAPS;
        RS_TRY(RS_CHECK_SPAN(request->dk, params_of(d)->sizes.dk));
    } else if (RS_IS_GIVEN(request->seed)) {
        *op = RS_MLKEM_DECAPS_SEED;
        RS_TRY(RS_CHECK_SPAN(request->seed, RS_MLKEM_SEED_BYTES));
        RS_TRY(RS_CHECK_SPAN(request->ek, params_of(d)->sizes.ek));
    } else {
        *op = RS_MLKEM_DECAPS_SEALED;
        if (!rs_fields_is_sealed(&d->design)) return RS_ERR_DESIGN;
        if (!state_of(d)->sealed) return RS_ERR_DEVICE_NOT_LOADED;
    }
    RS_TRY(RS_CHECK_SPAN(request->shared, RS_MLKEM_SHARED_BYTES));
    return RS_CHECK_SPAN(request->ct, params_of(d)->sizes.ct);
}

rs_status_t rs_device_mlkem_decaps(rs_device_t *device, const rs_mlkem_decaps_request_t *request, rs_device_mode_t mode) {
    rs_mlkem_op_t op;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    RS_TRY(check_decaps(device, request, &op));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, op);
    mlkem_on_core_t *s = state_of(device);
    const rs_view_t dk = request->dk;
    const uint8_t *z = NULL;
    if (op == RS_MLKEM_DECAPS) {
        if (!find_key(device, dk.p, dk.n, 0)) memcpy(rs_fields_room(device, RS_MLKEM_AT_DK), dk.p, dk.n);
        z = dk.p + dk.n - RS_MLKEM_HASH_BYTES;
    } else if (op == RS_MLKEM_DECAPS_SEED) {
        put_seed(device, request->seed.p);
        put_ek(device, request->ek);
        z = request->seed.p + RS_MLKEM_HASH_BYTES;
    }
    if (z) memcpy(rs_fields_room(device, RS_MLKEM_AT_Z), z, RS_MLKEM_HASH_BYTES);
    memcpy(rs_fields_room(device, RS_MLKEM_AT_CT), request->ct.p, request->ct.n);
    s->shared = request->shared.p;
    return rs_fields_call(device, op, op == RS_MLKEM_DECAPS ? s->own : NO_KEY, mode);
}

// ---- sealed ----------------------------------------------------------------------------------------------------------------
// What is bound to the key.
static void put_image(rs_device_t *d, rs_bytes_t ek) {
    uint8_t *image = d->bus.memory + rs_mlkem_image_at(&d->design);
    uint8_t *end = image + rs_mlkem_vault_ek_at(&d->design) + ek.n;
    rs_sponge_t sponge;
    memset(image, 0, RS_VAULT_PART_BYTES);
    memcpy(image, d->bus.memory, rs_mlkem_constants_bytes(&d->design));
    memcpy(end - ek.n, ek.p, ek.n);
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, ek.p, ek.n);
    rs_sponge_squeeze(&sponge, end, RS_MLKEM_HASH_BYTES);
    image[rs_mlkem_vault_rank_at(&d->design, params_of(d))] = (uint8_t)params_of(d)->k;
    rs_machine_sync_for_device(d, image, RS_VAULT_PART_BYTES);
}

// A pair is made as always, and only its public half stays in memory. Then it is bound to what may use it.
static rs_status_t seal(rs_device_t *d, rs_bytes_t ek, const uint8_t *seed) {
    uint8_t hash[RS_MLKEM_HASH_BYTES];
    mlkem_on_core_t *s = state_of(d);
    s->sealed = 0;
    s->ek = ek.p;
    s->dk = NULL;
    put_seed(d, seed);
    keep_key_in_memory(d);
    RS_TRY(rs_fields_call(d, RS_MLKEM_KEYGEN, NO_KEY, RS_DEVICE_RUN));
    put_image(d, ek);
    RS_TRY(rs_fields_call(d, RS_MLKEM_SEAL, NO_KEY, RS_DEVICE_RUN));
    RS_TRY(rs_fields_load(d, RS_MLKEM_DECAPS_SEALED));
    rs_fields_bound_hash(hash, d->bus.memory + rs_mlkem_image_at(&d->design), d->program + d->program_first, d->program_words);
    RS_TRY(rs_fields_put_key(d, seed, hash));
    s->sealed = 1;
    return RS_OK;
}

rs_status_t rs_device_mlkem_seal(rs_device_t *device, const rs_mlkem_keygen_request_t *request) {
    uint8_t own[RS_MLKEM_SEED_BYTES];
    const uint8_t *seed;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, RS_DEVICE_RUN));
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    if (request->dk.p) return RS_ERR_OPTION;
    RS_TRY(RS_CHECK_SPAN(request->ek, params_of(device)->sizes.ek));
    RS_TRY(rs_take_random(&seed, own, request->seed, request->rng, sizeof own));
    const rs_status_t status = seal(device, request->ek, seed);
    rs_zeroize(own, sizeof own);
    return status;
}
