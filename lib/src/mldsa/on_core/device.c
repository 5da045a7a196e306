// SPDX-License-Identifier: Apache-2.0
// Calls of ML-DSA on a core: what goes into memory, what comes out of it, the rounds of a signature, and what is wiped.
#include <ringside/mldsa_device.h>

#include <string.h>

#include "base/bytes.h"
#include "machine/image.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/on_core/on_core.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"

enum { ROUNDS_MAX = 814 }; // as in sign.c
enum { LATE_MAX = 2 }; // then the processor makes challenges before the core starts: one may be late because caches are cold

// What a device keeps.
typedef struct mldsa_on_core {
    rs_mldsa_set_t set; // 0: none is prepared
    size_t room, raw; // offsets in memory
    uint64_t key, z; // addresses of a verification: 32 bytes before pk, and z
    uint32_t late; // challenges that came too late for the core, without one in time between them
    size_t message; // bytes of M' in memory
    uint8_t tr[RS_MLDSA_TR_BYTES]; // tr of the key that is sealed
    int is_sealed; // there is one
} mldsa_on_core_t;

_Static_assert(sizeof(mldsa_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what ML-DSA keeps has its place in a device");

static void forget(rs_device_t *d);
static const rs_tenant_t TENANT = {forget};

static const mldsa_on_core_t *state_of(const rs_device_t *d) {
    return (const mldsa_on_core_t *)(const void *)d->state;
}

static const rs_mldsa_params_t *params_of(const rs_device_t *d) {
    return rs_mldsa_params(state_of(d)->set);
}

static uint8_t *room(const rs_device_t *d, size_t at) {
    return d->bus.memory + state_of(d)->room + at;
}

// Polynomial i of a vector.
static uint8_t *raw(const rs_device_t *d, rs_mldsa_vector_t vector, uint32_t i) {
    const size_t bytes = rs_design_poly_bytes(&d->design, RS_MLDSA_LOG_POLY);
    return d->bus.memory + state_of(d)->raw + (rs_mldsa_vector_at(params_of(d), vector) + i) * bytes;
}

static size_t raw_bytes(const rs_design_t *design, const rs_mldsa_params_t *p) {
    return rs_mldsa_vector_at(p, RS_MLDSA_VECTORS) * rs_design_poly_bytes(design, RS_MLDSA_LOG_POLY);
}

static void wipe_at(const rs_device_t *d, size_t at, size_t bytes) {
    rs_machine_wipe(d, state_of(d)->room + at, bytes);
}

static void wipe_raw(const rs_device_t *d) {
    rs_machine_wipe(d, state_of(d)->raw, raw_bytes(&d->design, params_of(d)));
}

static void wipe(const rs_device_t *d) {
    wipe_at(d, 0, RS_MLDSA_ROOM);
    wipe_raw(d);
}

// s1, s2 and t0 as a key has them.
static void wipe_key(const rs_device_t *d) {
    const rs_mldsa_params_t *p = params_of(d);
    wipe_at(d, RS_MLDSA_AT_S1, p->l * rs_mldsa_eta_bytes(p));
    wipe_at(d, RS_MLDSA_AT_S2, p->k * rs_mldsa_eta_bytes(p));
    wipe_at(d, RS_MLDSA_AT_T0, (size_t)p->k * RS_MLDSA_T0_BYTES);
}

static void forget(rs_device_t *d) {
    if (state_of(d)->set) wipe(d);
}

// ---- set-up ----------------------------------------------------------------------------------------------------------------
static rs_status_t fits(const rs_design_t *design, rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    if (!p) return RS_ERR_MLDSA_SET;
    RS_TRY(rs_fields_fit(design, RS_MLDSA_LOG_N, p->k, RS_MLDSA_GROUPS_MIN));
    return rs_design_fits_ring(design, RS_MLDSA_LOG_N, RS_MLDSA_Q);
}

static size_t constants_bytes(const rs_design_t *design) {
    return rs_mldsa_zeros_at(design) + RS_MACHINE_LINE_BYTES;
}

size_t rs_mldsa_device_memory_bytes(const rs_design_t *design, rs_mldsa_set_t set) {
    if (!design || fits(design, set) != RS_OK) return 0;
    return constants_bytes(design) + RS_MLDSA_ROOM + raw_bytes(design, rs_mldsa_params(set));
}

static rs_program_key_t key_of(const rs_device_t *d, rs_mldsa_op_t op) {
    return (rs_program_key_t){{RS_PROGRAMS_MLDSA, (uint32_t)state_of(d)->set, (uint32_t)op}};
}

rs_status_t rs_mldsa_device_prepare(rs_device_t *device, rs_mldsa_set_t set) {
    if (!device) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(fits(&device->design, set));
    RS_TRY(rs_machine_settle(device));
    if (device->bus.memory_bytes < rs_mldsa_device_memory_bytes(&device->design, set)) return RS_ERR_DEVICE_MEMORY;
    if ((uintptr_t)device->bus.memory % sizeof(uint64_t)) return RS_ERR_ALIGNMENT;
    rs_machine_claim(device, &TENANT);
    RS_TRY(rs_fields_put_context(device, 0, RS_MLDSA_LOG_POLY, RS_MLDSA_Q, RS_MLDSA_PSI));
    rs_machine_wipe(device, rs_mldsa_zeros_at(&device->design), RS_MACHINE_LINE_BYTES);
    *(mldsa_on_core_t *)(void *)device->state = (mldsa_on_core_t){
        .set = set, .room = constants_bytes(&device->design), .raw = constants_bytes(&device->design) + RS_MLDSA_ROOM};
    device->used = rs_mldsa_device_memory_bytes(&device->design, set);
    wipe(device);
    for (uint32_t op = 0; op < RS_MLDSA_OPS; op++) {
        const rs_program_key_t key = key_of(device, (rs_mldsa_op_t)op);
        const rs_status_t status = rs_machine_load_program(device, &key, rs_mldsa_program);
        if (status != RS_OK) {
            rs_machine_forget(device);
            return status;
        }
    }
    return RS_OK;
}

// ---- programs --------------------------------------------------------------------------------------------------------------
static rs_status_t load(rs_device_t *d, rs_mldsa_op_t op) {
    const rs_program_key_t key = key_of(d, op);
    return rs_machine_load_program(d, &key, rs_mldsa_program);
}

// What the program that is loaded reaches.
static rs_call_t *prepare_call(rs_device_t *d) {
    rs_call_t *call = &d->call;
    *call = (rs_call_t){.log_n = RS_MLDSA_LOG_N, .pointer_count = RS_POINTER_SCRATCH + 1};
    call->pointers[RS_POINTER_CONTEXTS] = d->bus.memory_address;
    call->pointers[RS_POINTER_KEY] = state_of(d)->key;
    call->pointers[RS_POINTER_INPUT] = d->bus.memory_address + state_of(d)->room;
    call->pointers[RS_POINTER_OUTPUT] = state_of(d)->z;
    call->pointers[RS_POINTER_SCRATCH] = d->bus.memory_address + state_of(d)->raw;
    rs_call_reaches(call, room(d, 0), RS_MLDSA_ROOM + raw_bytes(&d->design, params_of(d)), 1);
    return call;
}

// It runs. RS_ERR_FIXED_RANGE: what it asks about is out of range.
static rs_status_t ask(rs_device_t *d) {
    prepare_call(d);
    return rs_fields_ask(d);
}

static rs_status_t run(rs_device_t *d, rs_mldsa_op_t op) {
    RS_TRY(load(d, op));
    return ask(d);
}

// For a message of so many bytes of M', which are in memory, or for mu, which has a program of its own.
static rs_status_t load_for_message(rs_device_t *d, rs_mldsa_op_t op, int has_mu, size_t bytes) {
    if (has_mu) return load(d, (rs_mldsa_op_t)(op + 1));
    RS_TRY(load(d, op));
    const uint64_t *words = d->program + d->program_first;
    uint32_t index = rs_fields_find(d, RS_OP_HASH);
    for (uint32_t others = op == RS_MLDSA_RECOMPUTE ? 2 : 0; others; others--) { // those of the challenge and of the key
        for (index++; RS_GET_FIELD(OP, words[index]) != RS_OP_HASH;) index++;
    }
    return rs_fields_patch(d, index, rs_mldsa_hash_message(bytes));
}

static rs_status_t ready(const rs_device_t *d) {
    if (!d) return RS_ERR_NULL;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    return d->tenant == &TENANT && state_of(d)->set ? RS_OK : RS_ERR_DEVICE_EMPTY;
}

// ---- key pairs -------------------------------------------------------------------------------------------------------------
// pk and sk as FIPS 204 has them, of their parts in memory.
static void take_pair(const rs_device_t *d, uint8_t *pk, uint8_t *sk) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t eta = rs_mldsa_eta_bytes(p);
    const struct {
        size_t at, bytes;
    } PARTS[] = {{RS_MLDSA_AT_PK, RS_MLDSA_RHO_BYTES}, {RS_MLDSA_AT_K, 32},
                 {RS_MLDSA_AT_TR, RS_MLDSA_TR_BYTES},  {RS_MLDSA_AT_S1, p->l * eta},
                 {RS_MLDSA_AT_S2, p->k * eta},         {RS_MLDSA_AT_T0, (size_t)p->k * RS_MLDSA_T0_BYTES}};
    memcpy(pk, room(d, RS_MLDSA_AT_PK), RS_MLDSA_RHO_BYTES + (size_t)p->k * RS_MLDSA_T1_BYTES);
    for (unsigned i = 0; i < sizeof PARTS / sizeof *PARTS; i++) {
        memcpy(sk, room(d, PARTS[i].at), PARTS[i].bytes);
        sk += PARTS[i].bytes;
    }
}

rs_status_t rs_mldsa_device_keygen_seed(rs_device_t *device, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes,
                                        const uint8_t *xi, size_t xi_bytes) {
    RS_TRY(ready(device));
    const rs_mldsa_params_t *p = params_of(device);
    const rs_mldsa_set_t set = state_of(device)->set;
    RS_TRY(rs_mldsa_check_array(pk, pk_bytes, rs_mldsa_pk_bytes(set)));
    RS_TRY(rs_mldsa_check_array(sk, sk_bytes, rs_mldsa_sk_bytes(set)));
    RS_TRY(rs_mldsa_check_array(xi, xi_bytes, RS_MLDSA_SEED_BYTES));
    RS_TRY(rs_machine_settle(device));
    memcpy(room(device, RS_MLDSA_AT_SEED), xi, xi_bytes);
    room(device, RS_MLDSA_AT_SEED)[RS_MLDSA_SEED_BYTES] = p->k;
    room(device, RS_MLDSA_AT_SEED)[RS_MLDSA_SEED_BYTES + 1] = p->l;
    const rs_status_t status = run(device, RS_MLDSA_KEYGEN);
    if (status == RS_OK) take_pair(device, pk, sk);
    wipe_at(device, RS_MLDSA_AT_SEED, RS_MLDSA_AT_MU); // xi and K
    wipe_key(device);
    return status;
}

static rs_status_t fresh(rs_rng_t *rng, uint8_t *out, size_t bytes) {
    if (!rng || !rng->fill) return RS_ERR_NULL;
    if (rng->fill(rng->state, out, bytes) == RS_OK) return RS_OK;
    rs_zeroize(out, bytes);
    return RS_ERR_RNG;
}

rs_status_t rs_mldsa_device_keygen(rs_device_t *device, uint8_t *pk, size_t pk_bytes, uint8_t *sk, size_t sk_bytes, rs_rng_t *rng) {
    uint8_t xi[RS_MLDSA_SEED_BYTES];
    RS_TRY(ready(device));
    RS_TRY(fresh(rng, xi, sizeof xi));
    const rs_status_t status = rs_mldsa_device_keygen_seed(device, pk, pk_bytes, sk, sk_bytes, xi, sizeof xi);
    rs_zeroize(xi, sizeof xi);
    return status;
}

// ---- messages --------------------------------------------------------------------------------------------------------------
static rs_mldsa_message_t message_of(const rs_mldsa_text_t *text) {
    static const rs_mldsa_form_t FORM[] = {RS_MLDSA_PURE, RS_MLDSA_DIGEST, RS_MLDSA_INTERNAL, RS_MLDSA_MU};
    return (rs_mldsa_message_t){FORM[text->form], text->hash, {text->bytes, text->count}, {text->context, text->context_bytes}};
}

static rs_status_t check_text(const rs_mldsa_text_t *text) {
    if (!text) return RS_ERR_NULL;
    if ((unsigned)text->form > RS_MLDSA_MESSAGE_MU) return RS_ERR_MLDSA_PREHASH;
    const rs_mldsa_message_t message = message_of(text);
    return rs_mldsa_check_message(&message);
}

// M' into memory if it fits there, else mu; of a signature tr is known. Returns whether mu is there, and the bytes of M'.
static int put_message(rs_device_t *d, const rs_mldsa_text_t *text, const uint8_t *tr, const uint8_t *pk, size_t *bytes) {
    const rs_mldsa_message_t message = message_of(text);
    uint8_t own[RS_MLDSA_TR_BYTES];
    rs_sponge_t sponge;
    *bytes = 0;
    if (message.form != RS_MLDSA_MU && message.bytes.n <= RS_MLDSA_MESSAGE_BYTES - RS_MLDSA_HEAD_BYTES_MAX) {
        uint8_t *at = room(d, RS_MLDSA_AT_MESSAGE);
        const size_t head = rs_mldsa_message_head(at, &message);
        if (message.bytes.n) memcpy(at + head, message.bytes.p, message.bytes.n);
        if (tr) memcpy(room(d, RS_MLDSA_AT_TR), tr, RS_MLDSA_TR_BYTES);
        *bytes = ((mldsa_on_core_t *)(void *)d->state)->message = head + message.bytes.n;
        return 0;
    }
    if (!tr && message.form != RS_MLDSA_MU) {
        rs_shake256(own, sizeof own, pk, rs_mldsa_pk_bytes(state_of(d)->set));
        tr = own;
    }
    rs_mldsa_represent(room(d, RS_MLDSA_AT_MU), &sponge, tr, &message);
    rs_zeroize(&sponge, sizeof sponge);
    return 1;
}

static void wipe_message(rs_device_t *d) {
    wipe_at(d, RS_MLDSA_AT_MESSAGE, state_of(d)->message);
    ((mldsa_on_core_t *)(void *)d->state)->message = 0;
}

// ---- signatures ------------------------------------------------------------------------------------------------------------
static void put_secret_key(const rs_device_t *d, const uint8_t *sk, const uint8_t *rnd) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t s1 = p->l * rs_mldsa_eta_bytes(p), s2 = p->k * rs_mldsa_eta_bytes(p);
    memcpy(room(d, RS_MLDSA_AT_PK), sk, RS_MLDSA_RHO_BYTES);
    memcpy(room(d, RS_MLDSA_AT_K), sk + RS_MLDSA_SK_K, 32);
    memcpy(room(d, RS_MLDSA_AT_K) + 32, rnd, RS_MLDSA_RANDOM_BYTES);
    memcpy(room(d, RS_MLDSA_AT_S1), sk + RS_MLDSA_SK_S1, s1);
    memcpy(room(d, RS_MLDSA_AT_S2), sk + RS_MLDSA_SK_S1 + s1, s2);
    memcpy(room(d, RS_MLDSA_AT_T0), sk + RS_MLDSA_SK_S1 + s1 + s2, (size_t)p->k * RS_MLDSA_T0_BYTES);
}

enum { LANE_BITS = 24 }; // four parts of six bits

// The lowest bits of the high parts that differ: 16 of them in eight bytes, or four in three.
static uint64_t differences(const uint8_t *before, const uint8_t *after, uint32_t bits) {
    if (bits == 4) {
        uint64_t x = rs_load64_aligned(before) ^ rs_load64_aligned(after);
        x |= x >> 2;
        x |= x >> 1;
        return x & UINT64_C(0x1111111111111111);
    }
    uint64_t x = 0;
    for (uint32_t i = 0; i < LANE_BITS / 8; i++) x |= (uint64_t)(before[i] ^ after[i]) << 8 * i;
    x |= x >> 3;
    x |= x >> 2 | x >> 1;
    return x & 0x041041;
}

static uint32_t count_ones(uint64_t x) { // none of them side by side
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
    return (uint32_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

// Hints are where the high parts of w - c s2, which are those of w, and of w - c s2 + c t0 differ (algorithm 39). All is public but the
// positions of a round that is refused, which no memory access tells apart: 0 if they are too many.
static int put_hints(const rs_device_t *d, uint8_t *out) {
    const rs_mldsa_params_t *p = params_of(d);
    const uint8_t *before = room(d, RS_MLDSA_AT_W1), *after = room(d, RS_MLDSA_AT_HIGH);
    const uint32_t bits = p->w1_bits, step = bits == 4 ? 8 : LANE_BITS / 8, parts = 8 * step / bits;
    const uint32_t row_steps = RS_MLDSA_N / parts;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->k * row_steps; i++) count += count_ones(differences(before + i * step, after + i * step, bits));
    RS_DECLASSIFY(&count, sizeof count); // whether there are too many
    if (count > p->omega) return 0;
    RS_DECLASSIFY(room(d, RS_MLDSA_AT_W1),
                  (size_t)p->k * rs_mldsa_w1_bytes(p)); // the signature is complete, and public with all its parts
    RS_DECLASSIFY(room(d, RS_MLDSA_AT_HIGH), (size_t)p->k * rs_mldsa_w1_bytes(p));
    memset(out, 0, (size_t)p->omega + p->k);
    count = 0;
    for (uint32_t row = 0; row < p->k; row++) {
        for (uint32_t i = 0; i < row_steps; i++, before += step, after += step) {
            uint64_t ones = differences(before, after, bits);
            for (uint32_t part = 0; ones; part++, ones >>= bits) {
                if (ones & 1) out[count++] = (uint8_t)(i * parts + part);
            }
        }
        out[p->omega + row] = (uint8_t)count;
    }
    return 1;
}

// One attempt: RS_ERR_FIXED_RANGE if it is refused.
static rs_status_t attempt(rs_device_t *d, uint8_t *signature, uint32_t round) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t z = p->l * rs_mldsa_z_bytes(p);
    RS_TRY(load(d, RS_MLDSA_COMMIT));
    const uint32_t mask = rs_fields_find(d, RS_OP_DRAW);
    RS_TRY(rs_fields_patch(d, mask, rs_mldsa_draw_mask(d->program[d->program_first + mask], round * p->l)));
    RS_TRY(ask(d));
    RS_DECLASSIFY(room(d, RS_MLDSA_AT_CHALLENGE), p->challenge_bytes); // also of a round that is refused (mldsa.h)
    RS_DECLASSIFY(room(d, RS_MLDSA_AT_BALL), RS_MLDSA_BALL_BYTES);
    rs_mldsa_clear_challenge(room(d, RS_MLDSA_AT_C), RS_MLDSA_C_SIGNING);
    rs_mldsa_put_challenge(room(d, RS_MLDSA_AT_C), RS_MLDSA_C_SIGNING, p, room(d, RS_MLDSA_AT_CHALLENGE), room(d, RS_MLDSA_AT_BALL),
                           RS_MLDSA_BALL_BYTES);
    RS_TRY(run(d, RS_MLDSA_RESPOND));
    if (!put_hints(d, signature + p->challenge_bytes + z)) return RS_ERR_FIXED_RANGE;
    memcpy(signature, room(d, RS_MLDSA_AT_CHALLENGE), p->challenge_bytes);
    memcpy(signature + p->challenge_bytes, room(d, RS_MLDSA_AT_Z), z);
    RS_DECLASSIFY(signature + p->challenge_bytes, z);
    return RS_OK;
}

static rs_status_t sign(rs_device_t *d, uint8_t *signature, const uint8_t *sk, const rs_mldsa_text_t *text, const uint8_t *rnd,
                        uint32_t *rounds) {
    size_t bytes;
    put_secret_key(d, sk, rnd);
    const int has_mu = put_message(d, text, sk + RS_MLDSA_SK_TR, NULL, &bytes);
    rs_status_t status = load_for_message(d, RS_MLDSA_SET_UP, has_mu, bytes);
    if (status == RS_OK) status = ask(d);
    if (status != RS_OK) return status == RS_ERR_FIXED_RANGE ? RS_ERR_MLDSA_KEY : status;
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        status = attempt(d, signature, round);
        if (rounds) *rounds = round + 1;
        if (status != RS_ERR_FIXED_RANGE) return status;
    }
    return RS_ERR_MLDSA_ROUNDS;
}

rs_status_t rs_mldsa_device_sign_derand(rs_device_t *device, uint8_t *signature, size_t signature_bytes, const uint8_t *sk,
                                        size_t sk_bytes, const rs_mldsa_text_t *text, const uint8_t *rnd, size_t rnd_bytes,
                                        uint32_t *rounds) {
    RS_TRY(ready(device));
    const rs_mldsa_set_t set = state_of(device)->set;
    RS_TRY(rs_mldsa_check_array(signature, signature_bytes, rs_mldsa_signature_bytes(set)));
    RS_TRY(rs_mldsa_check_array(sk, sk_bytes, rs_mldsa_sk_bytes(set)));
    RS_TRY(check_text(text));
    RS_TRY(rs_mldsa_check_array(rnd, rnd_bytes, RS_MLDSA_RANDOM_BYTES));
    RS_TRY(rs_machine_settle(device));
    const rs_status_t status = sign(device, signature, sk, text, rnd, rounds);
    if (status != RS_OK) rs_zeroize(signature, signature_bytes);
    const rs_mldsa_params_t *p = params_of(device);
    ((mldsa_on_core_t *)(void *)device->state)->is_sealed = 0; // slots are wiped, too
    wipe_at(device, RS_MLDSA_AT_K, RS_MLDSA_AT_MESSAGE - RS_MLDSA_AT_K);
    wipe_message(device);
    wipe_key(device);
    wipe_at(device, RS_MLDSA_AT_Z, p->l * rs_mldsa_z_bytes(p));
    wipe_at(device, RS_MLDSA_AT_HIGH, RS_MLDSA_ROOM - RS_MLDSA_AT_HIGH);
    wipe_raw(device);
    const rs_status_t wiped = rs_machine_zeroize(device);
    return status != RS_OK ? status : wiped;
}

rs_status_t rs_mldsa_device_sign(rs_device_t *device, uint8_t *signature, size_t signature_bytes, const uint8_t *sk,
                                 size_t sk_bytes, const rs_mldsa_text_t *text, rs_rng_t *rng, uint32_t *rounds) {
    uint8_t rnd[RS_MLDSA_RANDOM_BYTES];
    RS_TRY(ready(device));
    RS_TRY(fresh(rng, rnd, sizeof rnd));
    const rs_status_t status =
        rs_mldsa_device_sign_derand(device, signature, signature_bytes, sk, sk_bytes, text, rnd, sizeof rnd, rounds);
    rs_zeroize(rnd, sizeof rnd);
    return status;
}

// ---- sealed ----------------------------------------------------------------------------------------------------------------
// What is bound to the key.
static void put_image(const rs_device_t *d, const uint8_t *pk) {
    const rs_mldsa_params_t *p = params_of(d);
    uint8_t *image = raw(d, RS_MLDSA_Y, 0);
    memset(image, 0, RS_VAULT_PART_BYTES);
    memcpy(image, d->bus.memory, rs_design_context_bytes(&d->design, RS_MLDSA_LOG_POLY));
    memcpy(image + rs_mldsa_vault_rho_at(&d->design), pk, RS_MLDSA_RHO_BYTES);
    memcpy(image + rs_mldsa_vault_tr_at(&d->design), state_of(d)->tr, RS_MLDSA_TR_BYTES);
    image[rs_mldsa_vault_sizes_at(&d->design)] = p->k;
    image[rs_mldsa_vault_sizes_at(&d->design) + 1] = p->l;
}

// A pair is made as always; its public half alone stays.
static rs_status_t make_public(rs_device_t *d, uint8_t *pk, const uint8_t *xi) {
    const rs_mldsa_params_t *p = params_of(d);
    memcpy(room(d, RS_MLDSA_AT_SEED), xi, RS_MLDSA_SEED_BYTES);
    room(d, RS_MLDSA_AT_SEED)[RS_MLDSA_SEED_BYTES] = p->k;
    room(d, RS_MLDSA_AT_SEED)[RS_MLDSA_SEED_BYTES + 1] = p->l;
    const rs_status_t status = run(d, RS_MLDSA_KEYGEN);
    if (status == RS_OK) {
        memcpy(pk, room(d, RS_MLDSA_AT_PK), rs_mldsa_pk_bytes(state_of(d)->set));
        memcpy(((mldsa_on_core_t *)(void *)d->state)->tr, room(d, RS_MLDSA_AT_TR), RS_MLDSA_TR_BYTES);
    }
    wipe_at(d, RS_MLDSA_AT_SEED, RS_MLDSA_AT_MU); // xi and K
    wipe_key(d);
    return status;
}

static rs_status_t bind_key(rs_device_t *d, const uint8_t *pk, const uint8_t *xi) {
    uint8_t hash[RS_DIGEST_BYTES], roots[RS_ROOT_BYTES] = {0};
    put_image(d, pk);
    RS_TRY(run(d, RS_MLDSA_SEAL));
    RS_TRY(load(d, RS_MLDSA_SIGN_SEALED));
    rs_fields_bound_hash(hash, raw(d, RS_MLDSA_Y, 0), d->program + d->program_first, d->program_words);
    memcpy(roots, xi, RS_MLDSA_SEED_BYTES);
    const rs_status_t status = rs_fields_put_key(d, roots, hash);
    rs_zeroize(roots, sizeof roots);
    return status;
}

rs_status_t rs_mldsa_device_seal(rs_device_t *device, uint8_t *pk, size_t pk_bytes, const uint8_t *xi, size_t xi_bytes) {
    RS_TRY(ready(device));
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    RS_TRY(rs_mldsa_check_array(pk, pk_bytes, rs_mldsa_pk_bytes(state_of(device)->set)));
    RS_TRY(rs_mldsa_check_array(xi, xi_bytes, RS_MLDSA_SEED_BYTES));
    RS_TRY(rs_machine_settle(device));
    mldsa_on_core_t *s = (mldsa_on_core_t *)(void *)device->state;
    s->is_sealed = 0;
    RS_TRY(make_public(device, pk, xi));
    const rs_status_t status = bind_key(device, pk, xi);
    wipe_raw(device);
    s->is_sealed = status == RS_OK;
    return status;
}

// One attempt: RS_ERR_FIXED_RANGE if it is refused.
static rs_status_t attempt_sealed(rs_device_t *d, uint8_t *signature, uint32_t round) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t z = p->l * rs_mldsa_z_bytes(p);
    RS_TRY(load(d, RS_MLDSA_SIGN_SEALED));
    const uint64_t *words = d->program + d->program_first;
    uint32_t mask = 0;
    while (RS_GET_FIELD(OP, words[mask]) != RS_OP_DRAW || RS_GET_FIELD(DRAW, words[mask]) < RS_DRAW_MASK18) mask++;
    RS_TRY(rs_fields_patch(d, mask, rs_mldsa_draw_mask(words[mask], round)));
    RS_TRY(ask(d));
    if (!put_hints(d, signature + p->challenge_bytes + z)) return RS_ERR_DEVICE_SELFTEST; // the core has counted them
    memcpy(signature, room(d, RS_MLDSA_AT_CHALLENGE), p->challenge_bytes);
    memcpy(signature + p->challenge_bytes, room(d, RS_MLDSA_AT_Z), z);
    return RS_OK;
}

static rs_status_t sign_sealed(rs_device_t *d, uint8_t *signature, const rs_mldsa_text_t *text, const uint8_t *rnd,
                               uint32_t *rounds) {
    const rs_mldsa_message_t message = message_of(text);
    rs_sponge_t sponge;
    rs_mldsa_represent(room(d, RS_MLDSA_AT_MU), &sponge, state_of(d)->tr, &message);
    rs_zeroize(&sponge, sizeof sponge);
    memcpy(room(d, RS_MLDSA_AT_K) + 32, rnd, RS_MLDSA_RANDOM_BYTES);
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        const rs_status_t status = attempt_sealed(d, signature, round);
        if (rounds) *rounds = round + 1;
        if (status != RS_ERR_FIXED_RANGE) return status;
    }
    return RS_ERR_MLDSA_ROUNDS;
}

rs_status_t rs_mldsa_device_sign_sealed_derand(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                               const rs_mldsa_text_t *text, const uint8_t *rnd, size_t rnd_bytes,
                                               uint32_t *rounds) {
    RS_TRY(ready(device));
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    mldsa_on_core_t *s = (mldsa_on_core_t *)(void *)device->state;
    if (!s->is_sealed) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_mldsa_check_array(signature, signature_bytes, rs_mldsa_signature_bytes(s->set)));
    RS_TRY(check_text(text));
    RS_TRY(rs_mldsa_check_array(rnd, rnd_bytes, RS_MLDSA_RANDOM_BYTES));
    RS_TRY(rs_machine_settle(device));
    rs_status_t status = sign_sealed(device, signature, text, rnd, rounds);
    if (status != RS_OK) rs_zeroize(signature, signature_bytes);
    // the slot was wiped, or holds a key of somebody else's
    if (status != RS_OK && device->report.cause == RS_FAULT_SECRET) {
        status = RS_ERR_DEVICE_EMPTY;
        s->is_sealed = 0;
    }
    wipe_at(device, RS_MLDSA_AT_K, RS_MLDSA_AT_TR - RS_MLDSA_AT_K);
    return status;
}

rs_status_t rs_mldsa_device_sign_sealed(rs_device_t *device, uint8_t *signature, size_t signature_bytes,
                                        const rs_mldsa_text_t *text, rs_rng_t *rng, uint32_t *rounds) {
    uint8_t rnd[RS_MLDSA_RANDOM_BYTES];
    RS_TRY(ready(device));
    RS_TRY(fresh(rng, rnd, sizeof rnd));
    const rs_status_t status =
        rs_mldsa_device_sign_sealed_derand(device, signature, signature_bytes, text, rnd, sizeof rnd, rounds);
    rs_zeroize(rnd, sizeof rnd);
    return status;
}

// ---- verification ----------------------------------------------------------------------------------------------------------
enum { HINTS_MAX = 80 }; // omega at most

// Where the coefficients of w with hints are: words of its array in memory, and packed high parts.
typedef struct places {
    uint16_t word[HINTS_MAX], part[HINTS_MAX];
    uint32_t count;
} places_t;

// 0: the hints are not as FIPS 204 has them.
static int find_hints(const rs_device_t *d, const uint8_t *hints, places_t *places) {
    const rs_mldsa_params_t *p = params_of(d);
    if (!rs_mldsa_hints_are_canonical(hints, p)) return 0;
    places->count = hints[p->omega + p->k - 1];
    for (uint32_t row = 0, i = 0; row < p->k; row++) {
        const uint32_t log = rs_mldsa_block(p, RS_MLDSA_W, row & ~3u), block = row >> log << log;
        const uint32_t first = block * RS_MLDSA_N + rs_bit_reverse(row - block, log ? log : 1);
        for (; i < hints[p->omega + row]; i++) {
            places->word[i] = (uint16_t)(first + ((uint32_t)hints[i] << log));
            places->part[i] = (uint16_t)(row * RS_MLDSA_N + hints[i]);
        }
    }
    return 1;
}

// The low half of a residue in memory.
static inline uint32_t low_half(const uint8_t *residue) {
    uint32_t x;
    __builtin_memcpy(&x, __builtin_assume_aligned(residue, sizeof x), sizeof x);
    return RS_LITTLE_ENDIAN ? x : __builtin_bswap32(x);
}

// Algorithm 40 where there are hints: one up if w is above the middle of its high part, else one down. The low part is w less the middle.
static void use_hints(const rs_device_t *d, const places_t *places) {
    const rs_mldsa_params_t *p = params_of(d);
    const uint32_t bits = p->w1_bits, mask = (1u << bits) - 1, last = p->buckets - 1u, gamma2 = (uint32_t)p->gamma2;
    const size_t bytes = rs_design_residue_bytes(&d->design);
    const uint8_t *w = raw(d, RS_MLDSA_W, 0);
    for (uint32_t i = 0; i < places->count; i++) {
        const uint32_t x = low_half(w + bytes * places->word[i]);
        const uint32_t at = places->part[i] * bits, shift = at % 8;
        uint8_t *to = room(d, RS_MLDSA_AT_W1) + at / 8; // a value of six bits may go on in the next byte
        const uint32_t two = to[0] | (uint32_t)to[1] << 8, high = two >> shift & mask;
        const int up = x - 2 * gamma2 * high - 1 < gamma2;
        const uint32_t made = up ? (high == last ? 0 : high + 1) : (high ? high - 1 : last);
        const uint32_t put = (two & ~(mask << shift)) | made << shift;
        to[0] = (uint8_t)put;
        to[1] = (uint8_t)(put >> 8);
    }
}

// c tilde of mu and w1. The core keeps the program before it but for these words, because to load one takes as long as to run one.
static rs_status_t hash_challenge(rs_device_t *d) {
    uint64_t words[RS_MLDSA_CHALLENGE_WORDS];
    rs_mldsa_challenge_words(params_of(d), words);
    RS_TRY(rs_fields_overlay(d, RS_MLDSA_OVERLAY, words, RS_MLDSA_CHALLENGE_WORDS));
    RS_TRY(rs_fields_ask(d)); // what it reaches is as before
    return rs_fields_overlay(d, RS_MLDSA_OVERLAY, d->program + d->program_first + RS_MLDSA_OVERLAY, RS_MLDSA_CHALLENGE_WORDS);
}

// Where the core finds bytes: the caller's own, if it reaches them and they are `ahead` bytes behind the beginning of a line, else a copy.
static uint64_t place(rs_device_t *d, const uint8_t *data, size_t bytes, size_t ahead, size_t at) {
    uint64_t address;
    if (RS_LITTLE_ENDIAN && d->bus.reach && d->bus.reach(d->bus.state, data, bytes, &address) &&
        address % RS_MACHINE_LINE_BYTES == ahead) {
        rs_machine_sync_for_device(d, data, bytes);
        return address - ahead;
    }
    memcpy(room(d, at), data, bytes);
    return d->bus.memory_address + state_of(d)->room + at - ahead;
}

static void make_challenge(const rs_device_t *d, const uint8_t *stream, size_t given) {
    uint8_t *c = room(d, RS_MLDSA_AT_C);
    rs_mldsa_put_challenge(c, RS_MLDSA_C_VERIFYING, params_of(d), room(d, RS_MLDSA_AT_SEED), stream, given);
    rs_machine_sync_for_device(d, c, RS_MLDSA_ROOM - RS_MLDSA_AT_C);
}

static volatile uint64_t *last_word(const rs_device_t *d, size_t line) {
    return (volatile uint64_t *)(void *)room(d, line + RS_MACHINE_LINE_BYTES - sizeof(uint64_t));
}

static int is_stored(const rs_device_t *d, size_t at) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // what was written before stays before, and the core writes meanwhile
    rs_machine_sync_for_cpu(d, room(d, at), RS_MACHINE_LINE_BYTES);
    return *last_word(d, at) != 0; // a line comes in order
}

// RECOMPUTE, and beside it the challenge: the core has it hashed first, and asks for it late. Whether it got it shows afterwards: the mark was not there
// yet, and what the challenge was made of is what the core stored.
static rs_status_t recompute(rs_device_t *d, const uint8_t *hints, places_t *places, int *canonical, int *in_time) {
    enum { LOOKS_MAX = 4096, SECOND = RS_MLDSA_AT_BALL + RS_MACHINE_LINE_BYTES };
    uint8_t stream[RS_MLDSA_BALL_BYTES];
    int done = 0;
    *in_time = 0;
    *last_word(d, SECOND) = 0;
    *last_word(d, RS_MLDSA_AT_MARK) = 0;
    prepare_call(d);
    RS_TRY(rs_machine_begin(d));
    rs_mldsa_clear_challenge(room(d, RS_MLDSA_AT_C), RS_MLDSA_C_VERIFYING);
    for (uint32_t looks = 0; !done && !is_stored(d, SECOND) && looks < LOOKS_MAX; looks++) {
        const rs_status_t status = rs_device_poll(d, &done);
        if (status != RS_OK) return rs_machine_end(d, status);
    }
    memcpy(stream, room(d, RS_MLDSA_AT_BALL), sizeof stream);
    make_challenge(d, stream, sizeof stream);
    const int marked = is_stored(d, RS_MLDSA_AT_MARK);
    *canonical = find_hints(d, hints, places); // while it runs
    const rs_status_t status = rs_fields_wait(d);
    *in_time = !done && !marked && !memcmp(stream, room(d, RS_MLDSA_AT_BALL), sizeof stream);
    return status;
}

static rs_status_t verify(rs_device_t *d, const uint8_t *pk, const rs_mldsa_text_t *text, const uint8_t *signature) {
    mldsa_on_core_t *s = (mldsa_on_core_t *)(void *)d->state;
    const rs_mldsa_params_t *p = params_of(d);
    const size_t z = p->l * rs_mldsa_z_bytes(p), pk_bytes = rs_mldsa_pk_bytes(s->set);
    const uint8_t *hints = signature + p->challenge_bytes + z;
    places_t places;
    size_t bytes;
    s->key = place(d, pk, pk_bytes, RS_DIGEST_BYTES, RS_MLDSA_AT_PK);
    s->z = place(d, signature + p->challenge_bytes, z, 0, RS_MLDSA_AT_Z);
    memcpy(room(d, RS_MLDSA_AT_SEED), signature, p->challenge_bytes);
    const int has_mu = put_message(d, text, NULL, pk, &bytes);
    RS_TRY(load_for_message(d, RS_MLDSA_RECOMPUTE, has_mu, bytes));
    int in_time = 0, canonical = 1;
    rs_status_t status = RS_OK;
    if (s->late < LATE_MAX) {
        status = recompute(d, hints, &places, &canonical, &in_time);
    } else {
        canonical = find_hints(d, hints, &places);
    }
    if (status == RS_OK && !canonical) return RS_ERR_SIGNATURE;
    if (status == RS_OK && !in_time) {
        s->late += s->late < LATE_MAX;
        rs_mldsa_clear_challenge(room(d, RS_MLDSA_AT_C), RS_MLDSA_C_VERIFYING);
        make_challenge(d, NULL, 0);
        status = ask(d);
    } else if (in_time) {
        s->late = 0;
    }
    if (status != RS_OK) return status == RS_ERR_FIXED_RANGE ? RS_ERR_SIGNATURE : status;
    use_hints(d, &places);
    RS_TRY(hash_challenge(d));
    uint8_t differences = 0; // without a branch: of a secret message c tilde is secret too
    for (unsigned i = 0; i < p->challenge_bytes; i++) differences |= room(d, RS_MLDSA_AT_CHALLENGE)[i] ^ signature[i];
    RS_DECLASSIFY(&differences, sizeof differences); // what the caller is told
    return differences ? RS_ERR_SIGNATURE : RS_OK;
}

rs_status_t rs_mldsa_device_verify(rs_device_t *device, const uint8_t *pk, size_t pk_bytes, const rs_mldsa_text_t *text,
                                   const uint8_t *signature, size_t signature_bytes) {
    RS_TRY(ready(device));
    const rs_mldsa_set_t set = state_of(device)->set;
    RS_TRY(rs_mldsa_check_array(pk, pk_bytes, rs_mldsa_pk_bytes(set)));
    RS_TRY(check_text(text));
    RS_TRY(rs_mldsa_check_array(signature, signature_bytes, rs_mldsa_signature_bytes(set)));
    RS_TRY(rs_machine_settle(device));
    const rs_status_t status = verify(device, pk, text, signature);
    // all but the message, and hashes of it, is made of what is public
    wipe_at(device, RS_MLDSA_AT_MU, RS_MLDSA_MU_BYTES);
    wipe_at(device, RS_MLDSA_AT_CHALLENGE, RS_MLDSA_AT_TR - RS_MLDSA_AT_CHALLENGE);
    wipe_message(device);
    return status;
}
