// SPDX-License-Identifier: Apache-2.0
// Calls of ML-DSA on a core: what goes into memory, what comes out of it, the rounds of a signature, and what is wiped.
#include <ringside/device_mldsa.h>

#include <string.h>

#include "base/bytes.h"
#include "base/declassify.h"
#include "machine/fields/call.h"
#include "machine/image.h"
#include "mldsa/expand.h"
#include "mldsa/message.h"
#include "mldsa/on_core/on_core.h"
#include "mldsa/packing.h"
#include "mldsa/rounding.h"
#include "sampling/seed.h"

enum { ROUNDS_MAX = 814 }; // as in sign.c
enum { LATE_MAX = 2 }; // then the processor makes challenges before the core starts: one may be late because caches are cold

// What a device keeps.
typedef struct mldsa_on_core {
    rs_field_state_t base; // pointers of a verification: KEY is 32 bytes before pk, OUTPUT is z
    uint32_t late; // challenges that came too late for the core, without one in time between them
    size_t message; // bytes of M' in memory
    uint8_t tr[RS_MLDSA_TR_BYTES]; // tr of the key that is sealed
    int is_sealed; // there is one
} mldsa_on_core_t;

_Static_assert(sizeof(mldsa_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t), "what ML-DSA keeps has its place in a device");

static const rs_field_scheme_t SCHEME = {.tenant = {rs_fields_forget},
                                         .builds = rs_mldsa_program,
                                         .programs = RS_PROGRAMS_MLDSA,
                                         .operations = RS_MLDSA_OPS,
                                         .log_n = RS_MLDSA_LOG_N,
                                         .pointer_count = RS_POINTER_SCRATCH + 1};

static mldsa_on_core_t *state_of(rs_device_t *d) { return (mldsa_on_core_t *)(void *)d->state; }

static const rs_mldsa_params_t *params_of(rs_device_t *d) { return rs_mldsa_params(state_of(d)->base.set); }

// Polynomial i of a vector.
static uint8_t *raw(rs_device_t *d, rs_mldsa_vector_t vector, uint32_t i) {
    const size_t bytes = rs_design_poly_bytes(&d->design, RS_MLDSA_LOG_POLY);
    return rs_fields_room(d, RS_MLDSA_ROOM + (rs_mldsa_vector_at(params_of(d), vector) + i) * bytes);
}

// The room of calls: what on_core.h says, then polynomials.
static size_t room_bytes(const rs_design_t *design, const rs_mldsa_params_t *p) {
    return RS_MLDSA_ROOM + rs_mldsa_vector_at(p, RS_MLDSA_VECTORS) * rs_design_poly_bytes(design, RS_MLDSA_LOG_POLY);
}

static void wipe_raw(rs_device_t *d) { rs_fields_wipe(d, RS_MLDSA_ROOM, state_of(d)->base.room_bytes - RS_MLDSA_ROOM); }

// s1, s2 and t0 as a key has them.
static void wipe_key(rs_device_t *d) {
    const rs_mldsa_params_t *p = params_of(d);
    rs_fields_wipe(d, RS_MLDSA_AT_S1, p->l * rs_mldsa_eta_bytes(p));
    rs_fields_wipe(d, RS_MLDSA_AT_S2, p->k * rs_mldsa_eta_bytes(p));
    rs_fields_wipe(d, RS_MLDSA_AT_T0, (size_t)p->k * RS_MLDSA_T0_BYTES);
}

// ---- set-up ----------------------------------------------------------------------------------------------------------------
static rs_status_t fits(const rs_design_t *design, rs_mldsa_set_t set) {
    const rs_mldsa_params_t *p = rs_mldsa_params(set);
    if (!p) return RS_ERR_SET;
    RS_TRY(rs_fields_fit(design, RS_MLDSA_LOG_N, p->k, RS_MLDSA_GROUPS_MIN));
    return rs_design_fits_ring(design, RS_MLDSA_LOG_N, RS_MLDSA_Q);
}

static size_t constants_bytes(const rs_design_t *design) { return rs_mldsa_zeros_at(design) + RS_MACHINE_LINE_BYTES; }

size_t rs_device_mldsa_bytes(const rs_design_t *design, rs_mldsa_set_t set) {
    if (!design || fits(design, set) != RS_OK) return 0;
    return constants_bytes(design) + room_bytes(design, rs_mldsa_params(set));
}

rs_status_t rs_device_mldsa_prepare(rs_device_t *device, rs_mldsa_set_t set) {
    if (!device) return RS_ERR_NULL;
    const rs_design_t *design = &device->design;
    RS_TRY(fits(design, set));
    const size_t constants = constants_bytes(design), calls = room_bytes(design, rs_mldsa_params(set));
    RS_TRY(rs_fields_claim(device, &SCHEME, set, constants, calls, constants + calls));
    uint64_t *pointers = state_of(device)->base.pointers;
    pointers[RS_POINTER_SCRATCH] = pointers[RS_POINTER_INPUT] + RS_MLDSA_ROOM;
    rs_machine_wipe(device, rs_mldsa_zeros_at(design), RS_MACHINE_LINE_BYTES);
    return rs_fields_make_programs(device, rs_fields_put_context(device, 0, RS_MLDSA_LOG_POLY, RS_MLDSA_Q, RS_MLDSA_PSI));
}

// ---- programs --------------------------------------------------------------------------------------------------------------
// The program that is loaded runs. RS_ERR_VALUE_RANGE: what it asks about is out of range.
static rs_status_t ask(rs_device_t *d) {
    rs_fields_fill_call(d);
    return rs_fields_ask(d);
}

static rs_status_t run(rs_device_t *d, rs_mldsa_op_t op) {
    RS_TRY(rs_fields_load(d, op));
    return ask(d);
}

// For a message of so many bytes of M', which are in memory, or for mu, which has a program of its own.
static rs_status_t load_for_message(rs_device_t *d, rs_mldsa_op_t op, int has_mu, size_t bytes) {
    if (has_mu) return rs_fields_load(d, op + 1);
    RS_TRY(rs_fields_load(d, op));
    const uint64_t *words = d->program + d->program_first;
    uint32_t index = rs_fields_find(d, RS_OP_HASH);
    for (uint32_t others = op == RS_MLDSA_RECOMPUTE ? 2 : 0; others; others--) { // those of the challenge and of the key
        for (index++; RS_GET_FIELD(OP, words[index]) != RS_OP_HASH;) index++;
    }
    return rs_fields_patch(d, index, rs_mldsa_hash_message(bytes));
}

// There is no call in two halves: a signature's rounds follow one another, and a challenge is made while the core runs.
static rs_status_t ready(const rs_device_t *d, const void *request, size_t bytes, rs_device_mode_t mode) {
    RS_TRY(rs_fields_ready(d, &SCHEME, request, bytes, mode));
    return mode == RS_DEVICE_START ? RS_ERR_OPTION : RS_OK;
}

// ---- key pairs -------------------------------------------------------------------------------------------------------------
// pk and sk as FIPS 204 has them, of their parts in memory. sk NULL: it is not wanted.
static void take_pair(rs_device_t *d, uint8_t *pk, uint8_t *sk) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t eta = rs_mldsa_eta_bytes(p);
    const struct {
        size_t at, bytes;
    } PARTS[] = {{RS_MLDSA_AT_PK, RS_MLDSA_RHO_BYTES}, {RS_MLDSA_AT_K, 32},
                 {RS_MLDSA_AT_TR, RS_MLDSA_TR_BYTES},  {RS_MLDSA_AT_S1, p->l * eta},
                 {RS_MLDSA_AT_S2, p->k * eta},         {RS_MLDSA_AT_T0, (size_t)p->k * RS_MLDSA_T0_BYTES}};
    memcpy(pk, rs_fields_room(d, RS_MLDSA_AT_PK), RS_MLDSA_RHO_BYTES + (size_t)p->k * RS_MLDSA_T1_BYTES);
    for (unsigned i = 0; i < sizeof PARTS / sizeof *PARTS && sk; i++) {
        memcpy(sk, rs_fields_room(d, PARTS[i].at), PARTS[i].bytes);
        sk += PARTS[i].bytes;
    }
}

static rs_status_t make_pair(rs_device_t *d, uint8_t *pk, uint8_t *sk, const uint8_t *xi) {
    const rs_mldsa_params_t *p = params_of(d);
    uint8_t *seed = rs_fields_room(d, RS_MLDSA_AT_SEED);
    memcpy(seed, xi, RS_MLDSA_SEED_BYTES);
    seed[RS_MLDSA_SEED_BYTES] = p->k;
    seed[RS_MLDSA_SEED_BYTES + 1] = p->l;
    const rs_status_t status = run(d, RS_MLDSA_KEYGEN);
    if (status == RS_OK) take_pair(d, pk, sk);
    rs_fields_wipe(d, RS_MLDSA_AT_SEED, RS_MLDSA_AT_MU); // xi and K
    wipe_key(d);
    return status;
}

rs_status_t rs_device_mldsa_keygen(rs_device_t *device, const rs_mldsa_keygen_request_t *request, rs_device_mode_t mode) {
    uint8_t own[RS_MLDSA_SEED_BYTES];
    const uint8_t *xi;
    RS_TRY(ready(device, request, sizeof *request, mode));
    RS_TRY(RS_CHECK_SPAN(request->pk, params_of(device)->sizes.pk));
    RS_TRY(RS_CHECK_SPAN(request->sk, params_of(device)->sizes.sk));
    RS_TRY(rs_machine_settle(device));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_MLDSA_KEYGEN);
    RS_TRY(rs_take_random(&xi, own, request->seed, request->rng, sizeof own));
    const rs_status_t status = make_pair(device, request->pk.p, request->sk.p, xi);
    rs_zeroize(own, sizeof own);
    return status;
}

// ---- messages --------------------------------------------------------------------------------------------------------------
static rs_status_t check_message(const rs_mldsa_message_t *message) {
    return message->form > RS_MLDSA_INTERNAL ? RS_ERR_OPTION : rs_mldsa_check_message(message);
}

// M' into memory if it fits there, else mu; of a signature tr is known. Returns whether mu is there, and the bytes of M'.
static int put_message(rs_device_t *d, const rs_mldsa_message_t *message, const uint8_t *tr, const uint8_t *pk, size_t *bytes) {
    uint8_t own[RS_MLDSA_TR_BYTES];
    rs_sponge_t sponge;
    *bytes = 0;
    if (message->form != RS_MLDSA_MU && message->bytes.n <= RS_MLDSA_MESSAGE_BYTES - RS_MLDSA_HEAD_BYTES_MAX) {
        uint8_t *at = rs_fields_room(d, RS_MLDSA_AT_MESSAGE);
        const size_t head = rs_mldsa_message_head(at, message);
        if (message->bytes.n) memcpy(at + head, message->bytes.p, message->bytes.n);
        if (tr) memcpy(rs_fields_room(d, RS_MLDSA_AT_TR), tr, RS_MLDSA_TR_BYTES);
        *bytes = state_of(d)->message = head + message->bytes.n;
        return 0;
    }
    if (!tr && message->form != RS_MLDSA_MU) {
        rs_shake256(own, sizeof own, pk, params_of(d)->sizes.pk);
        tr = own;
    }
    rs_mldsa_represent(rs_fields_room(d, RS_MLDSA_AT_MU), &sponge, tr, message);
    rs_zeroize(&sponge, sizeof sponge);
    return 1;
}

static void wipe_message(rs_device_t *d) {
    rs_fields_wipe(d, RS_MLDSA_AT_MESSAGE, state_of(d)->message);
    state_of(d)->message = 0;
}

// ---- signatures ------------------------------------------------------------------------------------------------------------
static void put_secret_key(rs_device_t *d, const uint8_t *sk, const uint8_t *rnd) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t s1 = p->l * rs_mldsa_eta_bytes(p), s2 = p->k * rs_mldsa_eta_bytes(p);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_PK), sk, RS_MLDSA_RHO_BYTES);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_K), sk + RS_MLDSA_SK_K, 32);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_K) + 32, rnd, RS_MLDSA_RANDOM_BYTES);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_S1), sk + RS_MLDSA_SK_S1, s1);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_S2), sk + RS_MLDSA_SK_S1 + s1, s2);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_T0), sk + RS_MLDSA_SK_S1 + s1 + s2, (size_t)p->k * RS_MLDSA_T0_BYTES);
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
static int put_hints(rs_device_t *d, uint8_t *out) {
    const rs_mldsa_params_t *p = params_of(d);
    const uint8_t *before = rs_fields_room(d, RS_MLDSA_AT_W1), *after = rs_fields_room(d, RS_MLDSA_AT_HIGH);
    const uint32_t bits = p->w1_bits, step = bits == 4 ? 8 : LANE_BITS / 8, parts = 8 * step / bits;
    const uint32_t row_steps = RS_MLDSA_N / parts;
    uint32_t count = 0;
    for (uint32_t i = 0; i < p->k * row_steps; i++) count += count_ones(differences(before + i * step, after + i * step, bits));
    RS_DECLASSIFY(&count, sizeof count); // whether there are too many
    if (count > p->omega) return 0;
    RS_DECLASSIFY(rs_fields_room(d, RS_MLDSA_AT_W1),
                  (size_t)p->k * rs_mldsa_w1_bytes(p)); // the signature is complete, and public with all its parts
    RS_DECLASSIFY(rs_fields_room(d, RS_MLDSA_AT_HIGH), (size_t)p->k * rs_mldsa_w1_bytes(p));
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

// What the core has left, as bytes: 0 if there are too many hints.
static int take_signature(rs_device_t *d, uint8_t *signature) {
    const rs_mldsa_params_t *p = params_of(d);
    const size_t z = p->l * rs_mldsa_z_bytes(p);
    if (!put_hints(d, signature + p->challenge_bytes + z)) return 0;
    memcpy(signature, rs_fields_room(d, RS_MLDSA_AT_CHALLENGE), p->challenge_bytes);
    memcpy(signature + p->challenge_bytes, rs_fields_room(d, RS_MLDSA_AT_Z), z);
    RS_DECLASSIFY(signature + p->challenge_bytes, z);
    return 1;
}

// One attempt: RS_ERR_VALUE_RANGE if it is refused.
static rs_status_t attempt(rs_device_t *d, uint8_t *signature, uint32_t round) {
    const rs_mldsa_params_t *p = params_of(d);
    uint8_t *challenge = rs_fields_room(d, RS_MLDSA_AT_CHALLENGE), *ball = rs_fields_room(d, RS_MLDSA_AT_BALL);
    uint8_t *c = rs_fields_room(d, RS_MLDSA_AT_C);
    RS_TRY(rs_fields_load(d, RS_MLDSA_COMMIT));
    const uint32_t mask = rs_fields_find(d, RS_OP_DRAW);
    RS_TRY(rs_fields_patch(d, mask, rs_mldsa_draw_mask(d->program[d->program_first + mask], round * p->l)));
    RS_TRY(ask(d));
    RS_DECLASSIFY(challenge, p->challenge_bytes); // also of a round that is refused (mldsa.h)
    RS_DECLASSIFY(ball, RS_MLDSA_BALL_BYTES);
    rs_mldsa_clear_challenge(c, RS_MLDSA_C_SIGNING);
    rs_mldsa_put_challenge(c, RS_MLDSA_C_SIGNING, p, challenge, ball, RS_MLDSA_BALL_BYTES);
    RS_TRY(run(d, RS_MLDSA_RESPOND));
    return take_signature(d, signature) ? RS_OK : RS_ERR_VALUE_RANGE;
}

// The same with the sealed key, by one program that counts hints.
static rs_status_t attempt_sealed(rs_device_t *d, uint8_t *signature, uint32_t round) {
    RS_TRY(rs_fields_load(d, RS_MLDSA_SIGN_SEALED));
    const uint64_t *words = d->program + d->program_first;
    uint32_t mask = 0;
    while (RS_GET_FIELD(OP, words[mask]) != RS_OP_DRAW || RS_GET_FIELD(DRAW, words[mask]) < RS_DRAW_MASK18) mask++;
    RS_TRY(rs_fields_patch(d, mask, rs_mldsa_draw_mask(words[mask], round)));
    RS_TRY(ask(d));
    return take_signature(d, signature) ? RS_OK : RS_ERR_DEVICE_SELFTEST;
}

static rs_status_t set_up(rs_device_t *d, const uint8_t *sk, const rs_mldsa_message_t *message, const uint8_t *rnd) {
    size_t bytes;
    put_secret_key(d, sk, rnd);
    const int has_mu = put_message(d, message, sk + RS_MLDSA_SK_TR, NULL, &bytes);
    RS_TRY(load_for_message(d, RS_MLDSA_SET_UP, has_mu, bytes));
    const rs_status_t status = ask(d);
    return status == RS_ERR_VALUE_RANGE ? RS_ERR_SECRET_KEY : status;
}

static void set_up_sealed(rs_device_t *d, const rs_mldsa_message_t *message, const uint8_t *rnd) {
    rs_sponge_t sponge;
    rs_mldsa_represent(rs_fields_room(d, RS_MLDSA_AT_MU), &sponge, state_of(d)->tr, message);
    rs_zeroize(&sponge, sizeof sponge);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_K) + 32, rnd, RS_MLDSA_RANDOM_BYTES);
}

static rs_status_t sign(rs_device_t *d, const rs_mldsa_sign_request_t *request, const uint8_t *rnd, int is_sealed) {
    if (is_sealed) {
        set_up_sealed(d, &request->message, rnd);
    } else {
        RS_TRY(set_up(d, request->sk.p, &request->message, rnd));
    }
    for (uint32_t round = 0; round < ROUNDS_MAX; round++) {
        const rs_status_t status = (is_sealed ? attempt_sealed : attempt)(d, request->signature.p, round);
        if (request->rounds) *request->rounds = round + 1;
        if (status != RS_ERR_VALUE_RANGE) return status;
    }
    return RS_ERR_ROUNDS;
}

static rs_status_t wipe_signature(rs_device_t *d) {
    const rs_mldsa_params_t *p = params_of(d);
    state_of(d)->is_sealed = 0; // slots are wiped, too
    rs_fields_wipe(d, RS_MLDSA_AT_K, RS_MLDSA_AT_MESSAGE - RS_MLDSA_AT_K);
    wipe_message(d);
    wipe_key(d);
    rs_fields_wipe(d, RS_MLDSA_AT_Z, p->l * rs_mldsa_z_bytes(p));
    rs_fields_wipe(d, RS_MLDSA_AT_HIGH, RS_MLDSA_ROOM - RS_MLDSA_AT_HIGH);
    wipe_raw(d);
    return rs_machine_zeroize(d);
}

static rs_status_t check_sign(rs_device_t *d, const rs_mldsa_sign_request_t *request) {
    if (RS_IS_GIVEN(request->sk)) {
        RS_TRY(RS_CHECK_SPAN(request->sk, params_of(d)->sizes.sk));
    } else if (!rs_fields_is_sealed(&d->design)) {
        return RS_ERR_DESIGN;
    } else if (!state_of(d)->is_sealed) {
        return RS_ERR_DEVICE_NOT_LOADED;
    }
    RS_TRY(RS_CHECK_SPAN(request->signature, params_of(d)->sizes.signature));
    return check_message(&request->message);
}

rs_status_t rs_device_mldsa_sign(rs_device_t *device, const rs_mldsa_sign_request_t *request, rs_device_mode_t mode) {
    uint8_t rnd[RS_MLDSA_RANDOM_BYTES];
    RS_TRY(ready(device, request, sizeof *request, mode));
    RS_TRY(check_sign(device, request));
    RS_TRY(rs_machine_settle(device));
    const int is_sealed = !RS_IS_GIVEN(request->sk);
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, is_sealed ? RS_MLDSA_SIGN_SEALED : RS_MLDSA_SET_UP);
    RS_TRY(rs_mldsa_check_rnd(request));
    RS_TRY(rs_mldsa_take_rnd(rnd, request));
    rs_status_t status = sign(device, request, rnd, is_sealed);
    rs_zeroize(rnd, sizeof rnd);
    if (status != RS_OK) rs_zeroize(request->signature.p, request->signature.n);
    if (!is_sealed) {
        const rs_status_t wiped = wipe_signature(device);
        return status != RS_OK ? status : wiped;
    }
    if (rs_fields_has_no_key(device, status)) {
        status = RS_ERR_DEVICE_NOT_LOADED;
        state_of(device)->is_sealed = 0;
    }
    rs_fields_wipe(device, RS_MLDSA_AT_K, RS_MLDSA_AT_TR - RS_MLDSA_AT_K);
    return status;
}

// ---- sealed ----------------------------------------------------------------------------------------------------------------
// What is bound to the key.
static void put_image(rs_device_t *d, const uint8_t *pk) {
    const rs_mldsa_params_t *p = params_of(d);
    uint8_t *image = raw(d, RS_MLDSA_Y, 0);
    memset(image, 0, RS_VAULT_PART_BYTES);
    memcpy(image, d->bus.memory, rs_design_context_bytes(&d->design, RS_MLDSA_LOG_POLY));
    memcpy(image + rs_mldsa_vault_rho_at(&d->design), pk, RS_MLDSA_RHO_BYTES);
    memcpy(image + rs_mldsa_vault_tr_at(&d->design), state_of(d)->tr, RS_MLDSA_TR_BYTES);
    image[rs_mldsa_vault_sizes_at(&d->design)] = p->k;
    image[rs_mldsa_vault_sizes_at(&d->design) + 1] = p->l;
}

static rs_status_t bind_key(rs_device_t *d, const uint8_t *pk, const uint8_t *xi) {
    uint8_t hash[RS_DIGEST_BYTES], roots[RS_ROOT_BYTES] = {0};
    put_image(d, pk);
    RS_TRY(run(d, RS_MLDSA_SEAL));
    RS_TRY(rs_fields_load(d, RS_MLDSA_SIGN_SEALED));
    rs_fields_bound_hash(hash, raw(d, RS_MLDSA_Y, 0), d->program + d->program_first, d->program_words);
    memcpy(roots, xi, RS_MLDSA_SEED_BYTES);
    const rs_status_t status = rs_fields_put_key(d, roots, hash);
    rs_zeroize(roots, sizeof roots);
    return status;
}

// A pair is made as always; its public half alone stays.
static rs_status_t seal(rs_device_t *d, uint8_t *pk, const uint8_t *xi) {
    mldsa_on_core_t *s = state_of(d);
    s->is_sealed = 0;
    RS_TRY(make_pair(d, pk, NULL, xi));
    memcpy(s->tr, rs_fields_room(d, RS_MLDSA_AT_TR), RS_MLDSA_TR_BYTES);
    const rs_status_t status = bind_key(d, pk, xi);
    wipe_raw(d);
    s->is_sealed = status == RS_OK;
    return status;
}

rs_status_t rs_device_mldsa_seal(rs_device_t *device, const rs_mldsa_keygen_request_t *request) {
    uint8_t own[RS_MLDSA_SEED_BYTES];
    const uint8_t *xi;
    RS_TRY(ready(device, request, sizeof *request, RS_DEVICE_RUN));
    if (!rs_fields_is_sealed(&device->design)) return RS_ERR_DESIGN;
    if (request->sk.p) return RS_ERR_OPTION;
    RS_TRY(RS_CHECK_SPAN(request->pk, params_of(device)->sizes.pk));
    RS_TRY(rs_machine_settle(device));
    RS_TRY(rs_take_random(&xi, own, request->seed, request->rng, sizeof own));
    const rs_status_t status = seal(device, request->pk.p, xi);
    rs_zeroize(own, sizeof own);
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
static int find_hints(rs_device_t *d, const uint8_t *hints, places_t *places) {
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
static void use_hints(rs_device_t *d, const places_t *places) {
    const rs_mldsa_params_t *p = params_of(d);
    const uint32_t bits = p->w1_bits, mask = (1u << bits) - 1, last = p->buckets - 1u, gamma2 = (uint32_t)p->gamma2;
    const size_t bytes = rs_design_residue_bytes(&d->design);
    const uint8_t *w = raw(d, RS_MLDSA_W, 0);
    for (uint32_t i = 0; i < places->count; i++) {
        const uint32_t x = low_half(w + bytes * places->word[i]);
        const uint32_t at = places->part[i] * bits, shift = at % 8;
        uint8_t *to = rs_fields_room(d, RS_MLDSA_AT_W1) + at / 8; // a value of six bits may go on in the next byte
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
    memcpy(rs_fields_room(d, at), data, bytes);
    return state_of(d)->base.pointers[RS_POINTER_INPUT] + at - ahead;
}

static void make_challenge(rs_device_t *d, const uint8_t *stream, size_t given) {
    uint8_t *c = rs_fields_room(d, RS_MLDSA_AT_C);
    rs_mldsa_put_challenge(c, RS_MLDSA_C_VERIFYING, params_of(d), rs_fields_room(d, RS_MLDSA_AT_SEED), stream, given);
    rs_machine_sync_for_device(d, c, RS_MLDSA_ROOM - RS_MLDSA_AT_C);
}

static volatile uint64_t *last_word(rs_device_t *d, size_t line) {
    return (volatile uint64_t *)(void *)rs_fields_room(d, line + RS_MACHINE_LINE_BYTES - sizeof(uint64_t));
}

static int is_stored(rs_device_t *d, size_t at) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST); // what was written before stays before, and the core writes meanwhile
    rs_machine_sync_for_cpu(d, rs_fields_room(d, at), RS_MACHINE_LINE_BYTES);
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
    rs_fields_fill_call(d);
    RS_TRY(rs_machine_begin(d));
    rs_mldsa_clear_challenge(rs_fields_room(d, RS_MLDSA_AT_C), RS_MLDSA_C_VERIFYING);
    for (uint32_t looks = 0; !done && !is_stored(d, SECOND) && looks < LOOKS_MAX; looks++) {
        const rs_status_t status = rs_device_poll(d, &done);
        if (status != RS_OK) return rs_machine_end(d, status);
    }
    memcpy(stream, rs_fields_room(d, RS_MLDSA_AT_BALL), sizeof stream);
    make_challenge(d, stream, sizeof stream);
    const int marked = is_stored(d, RS_MLDSA_AT_MARK);
    *canonical = find_hints(d, hints, places); // while it runs
    const rs_status_t status = rs_fields_wait(d);
    *in_time = !done && !marked && !memcmp(stream, rs_fields_room(d, RS_MLDSA_AT_BALL), sizeof stream);
    return status;
}

static rs_status_t verify(rs_device_t *d, rs_view_t pk, const rs_mldsa_message_t *message, const uint8_t *signature) {
    mldsa_on_core_t *s = state_of(d);
    const rs_mldsa_params_t *p = params_of(d);
    const size_t z = p->l * rs_mldsa_z_bytes(p);
    const uint8_t *hints = signature + p->challenge_bytes + z;
    places_t places;
    size_t bytes;
    s->base.pointers[RS_POINTER_KEY] = place(d, pk.p, pk.n, RS_DIGEST_BYTES, RS_MLDSA_AT_PK);
    s->base.pointers[RS_POINTER_OUTPUT] = place(d, signature + p->challenge_bytes, z, 0, RS_MLDSA_AT_Z);
    memcpy(rs_fields_room(d, RS_MLDSA_AT_SEED), signature, p->challenge_bytes);
    const int has_mu = put_message(d, message, NULL, pk.p, &bytes);
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
        rs_mldsa_clear_challenge(rs_fields_room(d, RS_MLDSA_AT_C), RS_MLDSA_C_VERIFYING);
        make_challenge(d, NULL, 0);
        status = ask(d);
    } else if (in_time) {
        s->late = 0;
    }
    if (status != RS_OK) return status == RS_ERR_VALUE_RANGE ? RS_ERR_SIGNATURE : status;
    use_hints(d, &places);
    RS_TRY(hash_challenge(d));
    uint8_t differences = 0; // without a branch: of a secret message c tilde is secret too
    for (unsigned i = 0; i < p->challenge_bytes; i++) differences |= rs_fields_room(d, RS_MLDSA_AT_CHALLENGE)[i] ^ signature[i];
    RS_DECLASSIFY(&differences, sizeof differences); // what the caller is told
    return differences ? RS_ERR_SIGNATURE : RS_OK;
}

rs_status_t rs_device_mldsa_verify(rs_device_t *device, const rs_mldsa_verify_request_t *request, rs_device_mode_t mode) {
    RS_TRY(ready(device, request, sizeof *request, mode));
    RS_TRY(RS_CHECK_SPAN(request->pk, params_of(device)->sizes.pk));
    RS_TRY(check_message(&request->message));
    RS_TRY(RS_CHECK_SPAN(request->signature, params_of(device)->sizes.signature));
    RS_TRY(rs_machine_settle(device));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_MLDSA_RECOMPUTE);
    const rs_status_t status = verify(device, request->pk, &request->message, request->signature.p);
    // all but the message, and hashes of it, is made of what is public
    rs_fields_wipe(device, RS_MLDSA_AT_MU, RS_MLDSA_MU_BYTES);
    rs_fields_wipe(device, RS_MLDSA_AT_CHALLENGE, RS_MLDSA_AT_TR - RS_MLDSA_AT_CHALLENGE);
    wipe_message(device);
    return status;
}
