// SPDX-License-Identifier: Apache-2.0
// Calls of NewHope on a core: what goes into memory, what comes out of it, and what is wiped there.
#include <ringside/device_newhope.h>

#include <string.h>

#include "base/bytes.h"
#include "machine/fields/call.h"
#include "machine/image.h"
#include "papers/newhope/on_core/on_core.h"
#include "sampling/seed.h"

enum { N = RS_NEWHOPE_N, POLY_BYTES = RS_NEWHOPE_POLY_BYTES, SEED_BYTES = RS_NEWHOPE_SEED_BYTES };

// What a device keeps. The results of the call under way go to arrays of the caller's. The set is the rule of Parse.
typedef struct newhope_on_core {
    rs_field_state_t base;
    uint8_t *message, *secret, *shared;
    uint8_t hints[RS_NEWHOPE_HINT_BYTES]; // hints of a client's message
} newhope_on_core_t;

_Static_assert(sizeof(newhope_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t),
               "what NewHope keeps has its place in a device");

static rs_status_t finish(rs_device_t *d, rs_status_t status);
static const rs_field_scheme_t SCHEME = {.tenant = {rs_fields_forget},
                                         .builds = rs_newhope_program,
                                         .programs = RS_PROGRAMS_NEWHOPE,
                                         .operations = RS_NEWHOPE_FINISH + 1,
                                         .log_n = RS_NEWHOPE_LOG_N,
                                         .pointer_count = RS_POINTER_INPUT + 1,
                                         .finish = finish};

static newhope_on_core_t *state_of(rs_device_t *d) { return (newhope_on_core_t *)(void *)d->state; }

// ---- set-up ----------------------------------------------------------------------------------------------------------------
// v has words of 4 bytes.
static rs_status_t fits(const rs_design_t *design) {
    RS_TRY(rs_fields_fit(design, RS_NEWHOPE_LOG_N, 1, RS_NEWHOPE_GROUPS_MIN));
    if (rs_design_residue_bytes(design) != sizeof(uint32_t)) return RS_ERR_DESIGN_MODULUS;
    return rs_design_fits_ring(design, RS_NEWHOPE_LOG_N, RS_NEWHOPE_Q);
}

// The plan of the core's root, and a table as words, stand where calls have their room later.
static size_t plan_bytes(void) { return (rs_plan_size(RS_NEWHOPE_LOG_N) + 7) / 8 * 8; }

static size_t memory_bytes(const rs_design_t *design) {
    const size_t set_up = plan_bytes() + N * sizeof(uint64_t);
    return rs_newhope_constants_bytes(design) + (set_up > RS_NEWHOPE_ROOM ? set_up : RS_NEWHOPE_ROOM);
}

size_t rs_device_newhope_bytes(const rs_design_t *design) { return design && fits(design) == RS_OK ? memory_bytes(design) : 0; }

// factor root^k, k = 0 …: at place k, or at place brv(k).
static void fill(uint64_t *words, uint64_t root, uint64_t factor, int reversed, const rs_modulus_t *q) {
    for (uint32_t k = 0; k < N; k++) {
        words[reversed ? rs_bit_reverse(k, RS_NEWHOPE_LOG_N) : k] = factor;
        factor = rs_mul_mod(factor, root, q);
    }
}

static void put_tables(rs_device_t *d, const rs_plan_t *plan, uint64_t *words) {
    const rs_design_t *design = &d->design;
    const rs_modulus_t *q = &plan->modulus;
    const uint64_t back = RS_NEWHOPE_CORE_PSI, psi = rs_pow_mod(back, 2 * N - 1, q);
    const uint64_t inverse = rs_pow_mod(N, RS_NEWHOPE_Q - 2, q);
    const struct {
        uint64_t root, factor;
        int reversed;
    } TABLES[RS_NEWHOPE_TABLES] = {
        [RS_NEWHOPE_TWIST] = {psi, 1, 1},
        [RS_NEWHOPE_UNTWIST] = {back, N, 0},
        [RS_NEWHOPE_TWIST_BACK] = {psi, rs_mul_mod(inverse, rs_image_radix(design, q), q), 0},
        [RS_NEWHOPE_UNTWIST_BACK] = {back, 1, 1},
    };
    for (unsigned i = 0; i < RS_NEWHOPE_TABLES; i++) {
        fill(words, TABLES[i].root, TABLES[i].factor, TABLES[i].reversed, q);
        rs_image_write(design, plan, d->bus.memory + rs_newhope_table_at(design, (rs_newhope_table_t)i), words, 1);
    }
}

static rs_status_t put_constants(rs_device_t *d) {
    const rs_design_t *design = &d->design;
    const size_t constants = rs_newhope_constants_bytes(design);
    const rs_plan_t *plan;
    uint8_t *scratch = d->bus.memory + constants;
    RS_TRY(rs_plan_init(&plan, (rs_memory_t){scratch, plan_bytes()}, RS_NEWHOPE_LOG_N, RS_NEWHOPE_Q, RS_NEWHOPE_CORE_PSI));
    rs_image_context(design, plan, rs_image_radix(design, &plan->modulus), 1, d->bus.memory);
    put_tables(d, plan, (uint64_t *)(void *)(scratch + plan_bytes()));
    memset(d->bus.memory + rs_newhope_zeros_at(design), 0, RS_MACHINE_LINE_BYTES);
    rs_machine_sync_for_device(d, d->bus.memory, constants);
    return RS_OK;
}

rs_status_t rs_device_newhope_prepare(rs_device_t *device, const rs_newhope_t *scheme) {
    if (!device || !scheme) return RS_ERR_NULL;
    const rs_design_t *design = &device->design;
    if (rs_newhope_stream_of(scheme) != RS_NEWHOPE_STREAM_SHAKE256) return RS_ERR_OPTION;
    RS_TRY(fits(design));
    RS_TRY(rs_fields_claim(device, &SCHEME, rs_newhope_parse_of(scheme), rs_newhope_constants_bytes(design), RS_NEWHOPE_ROOM,
                           memory_bytes(design)));
    state_of(device)->base.pointers[RS_POINTER_KEY] = device->bus.memory_address;
    return rs_fields_make_programs(device, put_constants(device));
}

// ---- the end of a call -----------------------------------------------------------------------------------------------------
static void take_results(rs_device_t *d, const newhope_on_core_t *s) {
    const uint8_t *v = rs_fields_room(d, RS_NEWHOPE_AT_V);
    uint8_t bits[RS_NEWHOPE_SHARED_BYTES];
    if (s->base.operation != RS_NEWHOPE_FINISH) memcpy(s->message, rs_fields_room(d, RS_NEWHOPE_AT_MADE), POLY_BYTES);
    switch ((rs_newhope_op_t)s->base.operation) {
    case RS_NEWHOPE_SERVER:
        memcpy(s->message + POLY_BYTES, rs_fields_room(d, RS_NEWHOPE_AT_SEEDS + SEED_BYTES), SEED_BYTES);
        memcpy(s->secret, rs_fields_room(d, RS_NEWHOPE_AT_SECRET), POLY_BYTES);
        break;
    case RS_NEWHOPE_CLIENT:
        rs_newhope_hints_core(s->message + POLY_BYTES, v, rs_fields_room(d, RS_NEWHOPE_AT_COINS));
        rs_newhope_reconcile_core(bits, v, s->message + POLY_BYTES);
        rs_newhope_share(s->shared, bits);
        break;
    case RS_NEWHOPE_FINISH:
        rs_newhope_reconcile_core(bits, v, s->hints);
        rs_newhope_share(s->shared, bits);
        break;
    }
}

static rs_status_t finish(rs_device_t *d, rs_status_t status) {
    const newhope_on_core_t *s = state_of(d);
    if (status == RS_OK) take_results(d, s);
    rs_fields_wipe(d, 0, RS_NEWHOPE_AT_THEIRS); // seeds, coins
    rs_fields_wipe(d, RS_NEWHOPE_AT_SECRET, POLY_BYTES);
    if (s->base.operation != RS_NEWHOPE_SERVER) rs_fields_wipe(d, RS_NEWHOPE_AT_V, RS_NEWHOPE_V_BYTES);
    return status;
}

// ---- calls -----------------------------------------------------------------------------------------------------------------
// A polynomial that was given, to its place; RS_ERR_RESIDUE, and nothing stays.
static rs_status_t put_packed(rs_device_t *d, size_t at, const uint8_t *packed) {
    memcpy(rs_fields_room(d, at), packed, POLY_BYTES);
    const rs_status_t status = rs_newhope_check_packed(rs_fields_room(d, at));
    if (status != RS_OK) rs_fields_wipe(d, at, POLY_BYTES);
    return status;
}

static void put_seeds(rs_device_t *d, const uint8_t *noise_seed, const uint8_t *seed) {
    memcpy(rs_fields_room(d, RS_NEWHOPE_AT_SEEDS), noise_seed, SEED_BYTES);
    memcpy(rs_fields_room(d, RS_NEWHOPE_AT_SEEDS + SEED_BYTES), seed, SEED_BYTES);
    memcpy(rs_fields_room(d, RS_NEWHOPE_AT_COINS), noise_seed, SEED_BYTES);
    *rs_fields_room(d, RS_NEWHOPE_AT_COINS + SEED_BYTES) = RS_NEWHOPE_COINS;
}

static rs_status_t call(rs_device_t *d, rs_newhope_op_t op, rs_device_mode_t mode) {
    return rs_fields_call(d, op, (rs_buffer_t){NULL, 0, 0}, mode);
}

// Given seeds, or a fresh one as rs_newhope_server and _client draw it: of 64 bytes the first 32. own is wiped by the caller.
static rs_status_t seed_of(const uint8_t **seed, rs_seed_t *own, rs_view_t given, rs_rng_t *rng) {
    RS_TRY(rs_check_random(given, rng, SEED_BYTES));
    *seed = given.p ? given.p : own->bytes;
    return given.p ? RS_OK : rs_fresh_seed(rng, own);
}

rs_status_t rs_device_newhope_server(rs_device_t *device, const rs_newhope_server_request_t *request, rs_device_mode_t mode) {
    rs_seed_t own[2];
    const uint8_t *noise_seed, *seed;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    RS_TRY(RS_CHECK_SPAN(request->message, RS_NEWHOPE_SERVER_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->secret, RS_NEWHOPE_SECRET_BYTES));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_NEWHOPE_SERVER);
    RS_TRY(seed_of(&noise_seed, &own[0], request->noise_seed, request->rng));
    const rs_status_t status = seed_of(&seed, &own[1], request->seed, request->rng);
    if (status == RS_OK) put_seeds(device, noise_seed, seed);
    rs_zeroize(own, sizeof own);
    RS_TRY(status);
    newhope_on_core_t *s = state_of(device);
    s->message = request->message.p;
    s->secret = request->secret.p;
    return call(device, RS_NEWHOPE_SERVER, mode);
}

rs_status_t rs_device_newhope_client(rs_device_t *device, const rs_newhope_client_request_t *request, rs_device_mode_t mode) {
    rs_seed_t own;
    const uint8_t *noise_seed;
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    RS_TRY(RS_CHECK_SPAN(request->message, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->shared, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->server_message, RS_NEWHOPE_SERVER_BYTES));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_NEWHOPE_CLIENT);
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_THEIRS, request->server_message.p));
    RS_TRY(seed_of(&noise_seed, &own, request->noise_seed, request->rng));
    put_seeds(device, noise_seed, request->server_message.p + POLY_BYTES);
    rs_zeroize(&own, sizeof own);
    newhope_on_core_t *s = state_of(device);
    s->message = request->message.p;
    s->shared = request->shared.p;
    return call(device, RS_NEWHOPE_CLIENT, mode);
}

rs_status_t rs_device_newhope_shared(rs_device_t *device, const rs_newhope_shared_request_t *request, rs_device_mode_t mode) {
    RS_TRY(RS_FIELDS_READY(device, &SCHEME, request, mode));
    RS_TRY(RS_CHECK_SPAN(request->shared, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->client_message, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(RS_CHECK_SPAN(request->secret, RS_NEWHOPE_SECRET_BYTES));
    if (mode == RS_DEVICE_PREPARE) return rs_fields_load(device, RS_NEWHOPE_FINISH);
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_THEIRS, request->client_message.p));
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_SECRET, request->secret.p));
    newhope_on_core_t *s = state_of(device);
    memcpy(s->hints, request->client_message.p + POLY_BYTES, sizeof s->hints);
    s->shared = request->shared.p;
    return call(device, RS_NEWHOPE_FINISH, mode);
}
