// SPDX-License-Identifier: Apache-2.0
// Calls of ML-KEM on a core: what goes into memory, what comes out of it, and what is wiped there.
#include <ringside/mlkem_device.h>

#include <string.h>

#include "base/bytes.h"
#include "hash/sponges.h"
#include "machine/image.h"
#include "mlkem/on_core/on_core.h"

// What a device keeps. The results of the call under way go to arrays of the caller's.
typedef struct mlkem_on_core {
    rs_mlkem_set_t set; // 0: none is prepared
    size_t constants, room; // offsets in memory
    rs_mlkem_op_t op;
    uint8_t *ek, *dk, *ct, *shared;
    uint64_t key; // where the core has the key
    const uint8_t *key_bytes; // and this side
    size_t key_size;
    int key_is_callers; // an array of the caller's, which is neither copied nor wiped
    rs_status_t answer; // the answer of a call that the core has completed
    int sealed; // the core has a key
} mlkem_on_core_t;

_Static_assert(sizeof(mlkem_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what ML-KEM keeps has its place in a device");

static void forget(rs_device_t *d);
static const rs_tenant_t TENANT = {forget};

static mlkem_on_core_t *state_of(rs_device_t *d) {
    return (mlkem_on_core_t *)(void *)d->state;
}

static uint8_t *room(const rs_device_t *d, size_t at) {
    return d->bus.memory + ((const mlkem_on_core_t *)(const void *)d->state)->room + at;
}

static void wipe(const rs_device_t *d, size_t at, size_t bytes) {
    rs_machine_wipe(d, ((const mlkem_on_core_t *)(const void *)d->state)->room + at, bytes);
}

static void forget(rs_device_t *d) {
    if (state_of(d)->set) wipe(d, 0, RS_MLKEM_ROOM);
}

// ---- set-up ----------------------------------------------------------------------------------------------------------------
static rs_status_t fits(const rs_design_t *design, rs_mlkem_set_t set) {
    const rs_mlkem_params_t *p = rs_mlkem_params(set);
    if (!p) return RS_ERR_MLKEM_SET;
    RS_TRY(rs_fields_fit(design, RS_MLKEM_LOG_N, 2 * (p->k + 1), RS_MLKEM_GROUPS_MIN));
    return rs_design_fits_ring(design, RS_MLKEM_LOG_N, RS_MLKEM_CORE_Q);
}

static size_t memory_bytes(const rs_design_t *design) {
    return rs_mlkem_image_at(design) + (rs_fields_is_sealed(design) ? RS_VAULT_PART_BYTES : 0);
}

size_t rs_mlkem_device_memory_bytes(const rs_design_t *design, rs_mlkem_set_t set) {
    if (!design || fits(design, set) != RS_OK) return 0;
    return memory_bytes(design);
}

static rs_program_key_t key_of(rs_mlkem_set_t set, rs_mlkem_op_t op) {
    return (rs_program_key_t){{RS_PROGRAMS_MLKEM, (uint32_t)set, (uint32_t)op}};
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

rs_status_t rs_mlkem_device_prepare(rs_device_t *device, rs_mlkem_set_t set) {
    if (!device) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(fits(&device->design, set));
    RS_TRY(rs_machine_settle(device));
    const size_t constants = rs_mlkem_constants_bytes(&device->design);
    if (device->bus.memory_bytes < memory_bytes(&device->design)) return RS_ERR_DEVICE_MEMORY;
    if ((uintptr_t)device->bus.memory % sizeof(uint64_t)) return RS_ERR_ALIGNMENT;
    rs_machine_claim(device, &TENANT);
    RS_TRY(rs_fields_put_context(device, 0, RS_MLKEM_LOG_HALF, RS_MLKEM_CORE_Q, RS_MLKEM_CORE_PSI));
    put_z(device, rs_mlkem_z_at(&device->design));
    device->used = memory_bytes(&device->design);
    for (uint32_t op = RS_MLKEM_KEYGEN; op <= RS_MLKEM_DECAPS_SEED; op++) {
        const rs_program_key_t key = key_of(set, (rs_mlkem_op_t)op);
        RS_TRY(rs_machine_load_program(device, &key, rs_mlkem_program));
    }
    *state_of(device) = (mlkem_on_core_t){.set = set, .room = constants};
    memset(room(device, 0), 0, RS_MLKEM_ROOM);
    return RS_OK;
}

// ---- the end of a call -----------------------------------------------------------------------------------------------------
// The secret of a ciphertext is K where the core made the same ciphertext again, else that of refusal. Nothing depends on which.
static void select_shared(const rs_device_t *d, const mlkem_on_core_t *s, const rs_mlkem_params_t *p) {
    const uint8_t *given = room(d, RS_MLKEM_AT_CT), *made = room(d, RS_MLKEM_AT_MADE), *k = room(d, RS_MLKEM_AT_SHARED);
    const uint8_t *refused = k + RS_MACHINE_LINE_BYTES;
    const size_t bytes = (size_t)RS_MLKEM_N / 8 * (p->k * p->du + p->dv);
    uint64_t difference = 0;
    for (size_t i = 0; i < bytes; i += 8)
        difference |= rs_load64_aligned(given + i) ^ rs_load64_aligned(made + i); // a multiple of 32
    const uint8_t refuse = (uint8_t)rs_opaque(0 - ((difference | (0 - difference)) >> 63));
    for (uint32_t i = 0; i < RS_MLKEM_SHARED_BYTES; i++) s->shared[i] = (uint8_t)(k[i] ^ (refuse & (k[i] ^ refused[i])));
}

static void take_results(const rs_device_t *d, mlkem_on_core_t *s, const rs_mlkem_params_t *p) {
    const size_t vector = rs_mlkem_vector_bytes(p);
    switch (s->op) {
    case RS_MLKEM_KEYGEN:
        memcpy(s->ek, s->key_bytes + vector, vector + RS_MLKEM_HASH_BYTES);
        if (s->dk && !s->key_is_callers) memcpy(s->dk, s->key_bytes, rs_mlkem_dk_bytes(s->set));
        break;
    case RS_MLKEM_ENCAPS:
        memcpy(s->ct, room(d, RS_MLKEM_AT_MADE), rs_mlkem_ct_bytes(s->set));
        memcpy(s->shared, room(d, RS_MLKEM_AT_SHARED), RS_MLKEM_SHARED_BYTES);
        break;
    case RS_MLKEM_DECAPS: // both hashes are public
        if (memcmp(room(d, RS_MLKEM_AT_SHARED + RS_MACHINE_LINE_BYTES + RS_MLKEM_HASH_BYTES),
                   s->key_bytes + 2 * vector + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES) != 0) {
            s->answer = RS_ERR_MLKEM_DK;
            break;
        }
        select_shared(d, s, p);
        break;
    case RS_MLKEM_DECAPS_SEED:
        select_shared(d, s, p);
        break;
    case RS_MLKEM_SEAL:
        break;
    case RS_MLKEM_DECAPS_SEALED:
        memcpy(s->shared, room(d, RS_MLKEM_AT_SHARED), RS_MLKEM_SHARED_BYTES);
        break;
    }
}

static void finish(rs_device_t *d, rs_status_t status) {
    mlkem_on_core_t *s = state_of(d);
    const rs_mlkem_params_t *p = rs_mlkem_params(s->set);
    s->answer = status == RS_ERR_FIXED_RANGE ? RS_ERR_MLKEM_EK : status;
    // the slot was wiped, or holds a key of somebody else's
    if (s->op == RS_MLKEM_DECAPS_SEALED && status != RS_OK && d->report.cause == RS_FAULT_SECRET) {
        s->answer = RS_ERR_DEVICE_EMPTY;
        s->sealed = 0;
    }
    if (status == RS_OK) take_results(d, s, p);
    wipe(d, 0, RS_MLKEM_AT_CT); // seed, message, z
    // the ciphertext of a decapsulation says whether it was refused
    if (s->op == RS_MLKEM_DECAPS || s->op == RS_MLKEM_DECAPS_SEED) wipe(d, RS_MLKEM_AT_MADE, rs_mlkem_ct_bytes(s->set));
    if (s->op != RS_MLKEM_KEYGEN) wipe(d, RS_MLKEM_AT_SHARED, RS_MLKEM_AT_DK - RS_MLKEM_AT_SHARED);
    if (s->key_is_callers) {
        if (s->op == RS_MLKEM_KEYGEN && status != RS_OK) rs_zeroize(s->dk, rs_mlkem_dk_bytes(s->set));
    } else if (s->op == RS_MLKEM_KEYGEN || s->op == RS_MLKEM_DECAPS) {
        wipe(d, RS_MLKEM_AT_DK, rs_mlkem_vector_bytes(p));
        wipe(d, RS_MLKEM_AT_DK + 2 * rs_mlkem_vector_bytes(p) + 2 * RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES); // z
    }
}

// ---- the start of a call ---------------------------------------------------------------------------------------------------
static rs_status_t ready(const rs_device_t *d) {
    if (!d) return RS_ERR_NULL;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    const mlkem_on_core_t *s = (const mlkem_on_core_t *)(const void *)d->state;
    return d->tenant == &TENANT && s->set ? RS_OK : RS_ERR_DEVICE_EMPTY;
}

static rs_status_t check(const uint8_t *pointer, size_t bytes, size_t wanted) {
    if (!pointer) return RS_ERR_NULL;
    return bytes == wanted ? RS_OK : RS_ERR_MLKEM_BYTES;
}

static rs_status_t begin(rs_device_t *d, rs_mlkem_op_t op) {
    mlkem_on_core_t *s = state_of(d);
    const rs_program_key_t key = key_of(s->set, op);
    s->op = op;
    s->answer = RS_OK;
    rs_status_t status = rs_machine_settle(d);
    if (status == RS_OK) status = rs_machine_load_program(d, &key, rs_mlkem_program);
    if (status != RS_OK) {
        wipe(d, 0, RS_MLKEM_ROOM);
        if (s->key_is_callers && op == RS_MLKEM_KEYGEN) rs_zeroize(s->dk, s->key_size); // z
        return status;
    }
    rs_call_t *call = &d->call;
    *call = (rs_call_t){.log_n = RS_MLKEM_LOG_N, .pointer_count = RS_POINTER_INPUT + 1, .finish = finish};
    for (uint32_t i = 0; i < call->pointer_count; i++) call->pointers[i] = d->bus.memory_address + s->constants;
    call->pointers[RS_POINTER_INPUT] = d->bus.memory_address + s->room;
    call->pointers[RS_POINTER_KEY] = s->key;
    const size_t image = op == RS_MLKEM_SEAL ? RS_VAULT_PART_BYTES : 0;
    rs_call_reaches(call, room(d, 0), RS_MLKEM_ROOM + image, 1);
    if (s->key_is_callers) rs_call_reaches(call, s->key_bytes, s->key_size, op == RS_MLKEM_KEYGEN);
    return rs_machine_begin(d);
}

static void keep_key_in_memory(rs_device_t *d) {
    mlkem_on_core_t *s = state_of(d);
    s->key_is_callers = 0;
    s->key_bytes = room(d, RS_MLKEM_AT_DK);
    s->key = d->bus.memory_address + s->room + RS_MLKEM_AT_DK;
}

// Where dk is: the caller's array if the core reaches that (1), else in memory. The core reads whole lines: ek, which ends in the middle of one, is copied.
static int find_key(rs_device_t *d, const uint8_t *dk, size_t bytes) {
    mlkem_on_core_t *s = state_of(d);
    uint64_t address;
    keep_key_in_memory(d);
    if (!rs_machine_reaches(d, dk, bytes, &address)) return 0;
    s->key_is_callers = 1;
    s->key_bytes = dk;
    s->key = address;
    s->key_size = bytes;
    return 1;
}

static void put_ek(rs_device_t *d, const uint8_t *ek, size_t bytes) {
    mlkem_on_core_t *s = state_of(d);
    keep_key_in_memory(d);
    memcpy(room(d, rs_mlkem_ek_at(rs_mlkem_params(s->set))), ek, bytes);
}

// d and the byte that separates ranks.
static void put_seed(const rs_device_t *d, rs_mlkem_set_t set, const uint8_t *seed) {
    memcpy(room(d, RS_MLKEM_AT_SEED), seed, RS_MLKEM_HASH_BYTES);
    *room(d, RS_MLKEM_AT_SEED + RS_MLKEM_HASH_BYTES) = (uint8_t)rs_mlkem_params(set)->k;
}

rs_status_t rs_mlkem_device_keygen_start(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes,
                                         const uint8_t *seed, size_t seed_bytes) {
    RS_TRY(ready(device));
    mlkem_on_core_t *s = state_of(device);
    RS_TRY(check(ek, ek_bytes, rs_mlkem_ek_bytes(s->set)));
    RS_TRY(check(dk, dk_bytes, rs_mlkem_dk_bytes(s->set)));
    RS_TRY(check(seed, seed_bytes, RS_MLKEM_SEED_BYTES));
    put_seed(device, s->set, seed);
    uint8_t *key = find_key(device, dk, dk_bytes) ? dk : room(device, RS_MLKEM_AT_DK);
    memcpy(key + dk_bytes - RS_MLKEM_HASH_BYTES, seed + RS_MLKEM_HASH_BYTES, RS_MLKEM_HASH_BYTES);
    s->ek = ek;
    s->dk = dk;
    return begin(device, RS_MLKEM_KEYGEN);
}

rs_status_t rs_mlkem_device_encaps_start(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared, size_t shared_bytes,
                                         const uint8_t *ek, size_t ek_bytes, const uint8_t *m, size_t m_bytes) {
    RS_TRY(ready(device));
    mlkem_on_core_t *s = state_of(device);
    RS_TRY(check(m, m_bytes, RS_MLKEM_RANDOM_BYTES));
    RS_TRY(check(ct, ct_bytes, rs_mlkem_ct_bytes(s->set)));
    RS_TRY(check(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check(ek, ek_bytes, rs_mlkem_ek_bytes(s->set)));
    put_ek(device, ek, ek_bytes);
    memcpy(room(device, RS_MLKEM_AT_M), m, RS_MLKEM_RANDOM_BYTES);
    s->ct = ct;
    s->shared = shared;
    return begin(device, RS_MLKEM_ENCAPS);
}

static rs_status_t start_decaps(rs_device_t *d, rs_mlkem_op_t op, uint8_t *shared, const uint8_t *z, const uint8_t *ct) {
    mlkem_on_core_t *s = state_of(d);
    memcpy(room(d, RS_MLKEM_AT_Z), z, RS_MLKEM_HASH_BYTES);
    memcpy(room(d, RS_MLKEM_AT_CT), ct, rs_mlkem_ct_bytes(s->set));
    s->shared = shared;
    return begin(d, op);
}

rs_status_t rs_mlkem_device_decaps_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *dk,
                                         size_t dk_bytes, const uint8_t *ct, size_t ct_bytes) {
    RS_TRY(ready(device));
    const mlkem_on_core_t *s = state_of(device);
    RS_TRY(check(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check(dk, dk_bytes, rs_mlkem_dk_bytes(s->set)));
    RS_TRY(check(ct, ct_bytes, rs_mlkem_ct_bytes(s->set)));
    if (!find_key(device, dk, dk_bytes)) memcpy(room(device, RS_MLKEM_AT_DK), dk, dk_bytes);
    return start_decaps(device, RS_MLKEM_DECAPS, shared, dk + dk_bytes - RS_MLKEM_HASH_BYTES, ct);
}

rs_status_t rs_mlkem_device_decaps_seed_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *seed,
                                              size_t seed_bytes, const uint8_t *ek, size_t ek_bytes, const uint8_t *ct,
                                              size_t ct_bytes) {
    RS_TRY(ready(device));
    const mlkem_on_core_t *s = state_of(device);
    RS_TRY(check(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check(seed, seed_bytes, RS_MLKEM_SEED_BYTES));
    RS_TRY(check(ek, ek_bytes, rs_mlkem_ek_bytes(s->set)));
    RS_TRY(check(ct, ct_bytes, rs_mlkem_ct_bytes(s->set)));
    put_seed(device, s->set, seed);
    put_ek(device, ek, ek_bytes);
    return start_decaps(device, RS_MLKEM_DECAPS_SEED, shared, seed + RS_MLKEM_HASH_BYTES, ct);
}

// ---- sealed ----------------------------------------------------------------------------------------------------------------
// A pair is made as always; only its public half stays in memory.
static rs_status_t make_public(rs_device_t *d, uint8_t *ek, const uint8_t *seed) {
    mlkem_on_core_t *s = state_of(d);
    put_seed(d, s->set, seed);
    keep_key_in_memory(d);
    s->ek = ek;
    s->dk = NULL;
    RS_TRY(begin(d, RS_MLKEM_KEYGEN));
    return rs_mlkem_device_finish(d);
}

// What is bound to the key.
static void put_image(const rs_device_t *d, const rs_mlkem_params_t *p, const uint8_t *ek, size_t ek_bytes) {
    uint8_t *image = d->bus.memory + rs_mlkem_image_at(&d->design);
    uint8_t *end = image + rs_mlkem_vault_ek_at(&d->design) + ek_bytes;
    rs_sponge_t sponge;
    memset(image, 0, RS_VAULT_PART_BYTES);
    memcpy(image, d->bus.memory, rs_mlkem_constants_bytes(&d->design));
    memcpy(end - ek_bytes, ek, ek_bytes);
    rs_sponge_init(&sponge, RS_SPONGE_SHA3_256);
    rs_sponge_absorb(&sponge, ek, ek_bytes);
    rs_sponge_squeeze(&sponge, end, RS_MLKEM_HASH_BYTES);
    image[rs_mlkem_vault_rank_at(&d->design, p)] = (uint8_t)p->k;
}

rs_status_t rs_mlkem_device_seal(rs_device_t *device, uint8_t *ek, size_t ek_bytes, const uint8_t *seed, size_t seed_bytes) {
    uint8_t hash[RS_MLKEM_HASH_BYTES];
    RS_TRY(ready(device));
    mlkem_on_core_t *s = state_of(device);
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    RS_TRY(check(ek, ek_bytes, rs_mlkem_ek_bytes(s->set)));
    RS_TRY(check(seed, seed_bytes, RS_MLKEM_SEED_BYTES));
    s->sealed = 0;
    RS_TRY(make_public(device, ek, seed));
    put_image(device, rs_mlkem_params(s->set), ek, ek_bytes);
    RS_TRY(begin(device, RS_MLKEM_SEAL));
    RS_TRY(rs_mlkem_device_finish(device));
    const rs_program_key_t key = key_of(s->set, RS_MLKEM_DECAPS_SEALED);
    RS_TRY(rs_machine_load_program(device, &key, rs_mlkem_program));
    const uint8_t *image = device->bus.memory + rs_mlkem_image_at(&device->design);
    rs_fields_bound_hash(hash, image, device->program + device->program_first, device->program_words);
    RS_TRY(rs_fields_put_key(device, seed, hash));
    s->sealed = 1;
    return RS_OK;
}

rs_status_t rs_mlkem_device_decaps_sealed_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *ct,
                                                size_t ct_bytes) {
    RS_TRY(ready(device));
    mlkem_on_core_t *s = state_of(device);
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    if (!s->sealed) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(check(shared, shared_bytes, RS_MLKEM_SHARED_BYTES));
    RS_TRY(check(ct, ct_bytes, rs_mlkem_ct_bytes(s->set)));
    memcpy(room(device, RS_MLKEM_AT_CT), ct, ct_bytes);
    s->shared = shared;
    return begin(device, RS_MLKEM_DECAPS_SEALED);
}

rs_status_t rs_mlkem_device_decaps_sealed(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *ct,
                                          size_t ct_bytes) {
    RS_TRY(rs_mlkem_device_decaps_sealed_start(device, shared, shared_bytes, ct, ct_bytes));
    return rs_mlkem_device_finish(device);
}

// ---- whole calls -----------------------------------------------------------------------------------------------------------
rs_status_t rs_mlkem_device_finish(rs_device_t *device) {
    if (!device) return RS_ERR_NULL;
    if (device->tenant != &TENANT || !device->under_way) return RS_ERR_DEVICE_EMPTY;
    const rs_status_t status = rs_device_finish(device);
    const int refused = state_of(device)->answer == RS_ERR_DEVICE_EMPTY;
    return status == RS_OK || status == RS_ERR_FIXED_RANGE || refused ? state_of(device)->answer : status;
}

rs_status_t rs_mlkem_device_keygen_seed(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes,
                                        const uint8_t *seed, size_t seed_bytes) {
    RS_TRY(rs_mlkem_device_keygen_start(device, ek, ek_bytes, dk, dk_bytes, seed, seed_bytes));
    return rs_mlkem_device_finish(device);
}

static rs_status_t fresh(rs_rng_t *rng, uint8_t *out, size_t bytes) {
    if (!rng || !rng->fill) return RS_ERR_NULL;
    if (rng->fill(rng->state, out, bytes) == RS_OK) return RS_OK;
    rs_zeroize(out, bytes);
    return RS_ERR_RNG;
}

rs_status_t rs_mlkem_device_keygen(rs_device_t *device, uint8_t *ek, size_t ek_bytes, uint8_t *dk, size_t dk_bytes, rs_rng_t *rng) {
    uint8_t seed[RS_MLKEM_SEED_BYTES];
    RS_TRY(ready(device));
    RS_TRY(fresh(rng, seed, sizeof seed));
    const rs_status_t status = rs_mlkem_device_keygen_seed(device, ek, ek_bytes, dk, dk_bytes, seed, sizeof seed);
    rs_zeroize(seed, sizeof seed);
    return status;
}

rs_status_t rs_mlkem_device_encaps_derand(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared, size_t shared_bytes,
                                          const uint8_t *ek, size_t ek_bytes, const uint8_t *m, size_t m_bytes) {
    RS_TRY(rs_mlkem_device_encaps_start(device, ct, ct_bytes, shared, shared_bytes, ek, ek_bytes, m, m_bytes));
    return rs_mlkem_device_finish(device);
}

rs_status_t rs_mlkem_device_encaps(rs_device_t *device, uint8_t *ct, size_t ct_bytes, uint8_t *shared, size_t shared_bytes,
                                   const uint8_t *ek, size_t ek_bytes, rs_rng_t *rng) {
    uint8_t m[RS_MLKEM_RANDOM_BYTES];
    RS_TRY(ready(device));
    RS_TRY(fresh(rng, m, sizeof m));
    const rs_status_t status = rs_mlkem_device_encaps_derand(device, ct, ct_bytes, shared, shared_bytes, ek, ek_bytes, m, sizeof m);
    rs_zeroize(m, sizeof m);
    return status;
}

rs_status_t rs_mlkem_device_decaps(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *dk, size_t dk_bytes,
                                   const uint8_t *ct, size_t ct_bytes) {
    RS_TRY(rs_mlkem_device_decaps_start(device, shared, shared_bytes, dk, dk_bytes, ct, ct_bytes));
    return rs_mlkem_device_finish(device);
}

rs_status_t rs_mlkem_device_decaps_seed(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *seed,
                                        size_t seed_bytes, const uint8_t *ek, size_t ek_bytes, const uint8_t *ct, size_t ct_bytes) {
    RS_TRY(rs_mlkem_device_decaps_seed_start(device, shared, shared_bytes, seed, seed_bytes, ek, ek_bytes, ct, ct_bytes));
    return rs_mlkem_device_finish(device);
}
