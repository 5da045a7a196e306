// SPDX-License-Identifier: Apache-2.0
// Calls of NewHope on a core: what goes into memory, what comes out of it, and what is wiped there.
#include <ringside/newhope_device.h>

#include <string.h>

#include "base/bytes.h"
#include "machine/image.h"
#include "newhope/on_core/on_core.h"
#include "sampling/seed.h"

enum { N = RS_NEWHOPE_N, POLY_BYTES = RS_NEWHOPE_POLY_BYTES, SEED_BYTES = RS_NEWHOPE_SEED_BYTES };

// What a device keeps. The results of the call under way go to arrays of the caller's.
typedef struct newhope_on_core {
    rs_newhope_parse_t parse; // 0: none is prepared
    size_t room; // offset in memory
    rs_newhope_op_t op;
    uint8_t *message, *secret, *shared;
    uint8_t hints[RS_NEWHOPE_HINT_BYTES]; // hints of a client's message
} newhope_on_core_t;

_Static_assert(sizeof(newhope_on_core_t) <= RS_DEVICE_STATE_WORDS * sizeof(uint64_t),
               "what NewHope keeps has its place in a device");

static void forget(rs_device_t *d);
static const rs_tenant_t TENANT = {forget};

static newhope_on_core_t *state_of(rs_device_t *d) {
    return (newhope_on_core_t *)(void *)d->state;
}

static uint8_t *room(const rs_device_t *d, size_t at) {
    return d->bus.memory + ((const newhope_on_core_t *)(const void *)d->state)->room + at;
}

static void wipe(const rs_device_t *d, size_t at, size_t bytes) {
    rs_machine_wipe(d, ((const newhope_on_core_t *)(const void *)d->state)->room + at, bytes);
}

static void forget(rs_device_t *d) {
    if (state_of(d)->parse) wipe(d, 0, RS_NEWHOPE_ROOM);
}

// ---- set-up ----------------------------------------------------------------------------------------------------------------
// v has words of 4 bytes.
static rs_status_t fits(const rs_design_t *design) {
    RS_TRY(rs_fields_fit(design, RS_NEWHOPE_LOG_N, 1, RS_NEWHOPE_GROUPS_MIN));
    if (rs_design_residue_bytes(design) != sizeof(uint32_t)) return RS_ERR_DESIGN_WIDTH;
    return rs_design_fits_ring(design, RS_NEWHOPE_LOG_N, RS_NEWHOPE_Q);
}

// The plan of the core's root, and a table as words, stand where calls have their room later.
static size_t plan_bytes(void) {
    return (rs_plan_size(RS_NEWHOPE_LOG_N) + 7) / 8 * 8;
}

static size_t memory_bytes(const rs_design_t *design) {
    const size_t set_up = plan_bytes() + N * sizeof(uint64_t);
    return rs_newhope_constants_bytes(design) + (set_up > RS_NEWHOPE_ROOM ? set_up : RS_NEWHOPE_ROOM);
}

size_t rs_newhope_device_memory_bytes(const rs_design_t *design) {
    return design && fits(design) == RS_OK ? memory_bytes(design) : 0;
}

static rs_program_key_t key_of(rs_newhope_parse_t parse, rs_newhope_op_t op) {
    return (rs_program_key_t){{RS_PROGRAMS_NEWHOPE, (uint32_t)parse, (uint32_t)op}};
}

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

rs_status_t rs_newhope_device_prepare(rs_device_t *device, const rs_newhope_t *scheme) {
    if (!device || !scheme) return RS_ERR_NULL;
    if (device->under_way) return RS_ERR_DEVICE_BUSY;
    if (rs_newhope_stream_of(scheme) != RS_NEWHOPE_STREAM_SHAKE256) return RS_ERR_OPTION;
    RS_TRY(fits(&device->design));
    RS_TRY(rs_machine_settle(device));
    if (device->bus.memory_bytes < memory_bytes(&device->design)) return RS_ERR_DEVICE_MEMORY;
    if ((uintptr_t)device->bus.memory % sizeof(uint64_t)) return RS_ERR_ALIGNMENT;
    rs_machine_claim(device, &TENANT);
    RS_TRY(put_constants(device));
    device->used = memory_bytes(&device->design);
    const rs_newhope_parse_t parse = rs_newhope_parse_of(scheme);
    for (uint32_t op = RS_NEWHOPE_SERVER; op <= RS_NEWHOPE_FINISH; op++) {
        const rs_program_key_t key = key_of(parse, (rs_newhope_op_t)op);
        RS_TRY(rs_machine_load_program(device, &key, rs_newhope_program));
    }
    *state_of(device) = (newhope_on_core_t){.parse = parse, .room = rs_newhope_constants_bytes(&device->design)};
    memset(room(device, 0), 0, RS_NEWHOPE_ROOM);
    return RS_OK;
}

// ---- the end of a call -----------------------------------------------------------------------------------------------------
static void take_results(const rs_device_t *d, const newhope_on_core_t *s) {
    const uint8_t *v = room(d, RS_NEWHOPE_AT_V);
    uint8_t bits[RS_NEWHOPE_SHARED_BYTES];
    if (s->op != RS_NEWHOPE_FINISH) memcpy(s->message, room(d, RS_NEWHOPE_AT_MADE), POLY_BYTES);
    switch (s->op) {
    case RS_NEWHOPE_SERVER:
        memcpy(s->message + POLY_BYTES, room(d, RS_NEWHOPE_AT_SEEDS + SEED_BYTES), SEED_BYTES);
        memcpy(s->secret, room(d, RS_NEWHOPE_AT_SECRET), POLY_BYTES);
        break;
    case RS_NEWHOPE_CLIENT:
        rs_newhope_hints_core(s->message + POLY_BYTES, v, room(d, RS_NEWHOPE_AT_COINS));
        rs_newhope_reconcile_core(bits, v, s->message + POLY_BYTES);
        rs_newhope_share(s->shared, bits);
        break;
    case RS_NEWHOPE_FINISH:
        rs_newhope_reconcile_core(bits, v, s->hints);
        rs_newhope_share(s->shared, bits);
        break;
    }
}

static void finish(rs_device_t *d, rs_status_t status) {
    const newhope_on_core_t *s = state_of(d);
    if (status == RS_OK) take_results(d, s);
    wipe(d, 0, RS_NEWHOPE_AT_THEIRS); // seeds, coins
    wipe(d, RS_NEWHOPE_AT_SECRET, POLY_BYTES);
    if (s->op != RS_NEWHOPE_SERVER) wipe(d, RS_NEWHOPE_AT_V, RS_NEWHOPE_V_BYTES);
}

// ---- the start of a call ---------------------------------------------------------------------------------------------------
static rs_status_t ready(const rs_device_t *d) {
    if (!d) return RS_ERR_NULL;
    if (d->under_way) return RS_ERR_DEVICE_BUSY;
    const newhope_on_core_t *s = (const newhope_on_core_t *)(const void *)d->state;
    return d->tenant == &TENANT && s->parse ? RS_OK : RS_ERR_DEVICE_EMPTY;
}

static rs_status_t check(const uint8_t *pointer, size_t bytes, size_t wanted) {
    if (!pointer) return RS_ERR_NULL;
    return bytes == wanted ? RS_OK : RS_ERR_LENGTH;
}

static rs_status_t begin(rs_device_t *d, rs_newhope_op_t op) {
    newhope_on_core_t *s = state_of(d);
    const rs_program_key_t key = key_of(s->parse, op);
    s->op = op;
    rs_status_t status = rs_machine_settle(d);
    if (status == RS_OK) status = rs_machine_load_program(d, &key, rs_newhope_program);
    if (status != RS_OK) {
        wipe(d, 0, RS_NEWHOPE_ROOM);
        return status;
    }
    rs_call_t *call = &d->call;
    *call = (rs_call_t){.log_n = RS_NEWHOPE_LOG_N, .pointer_count = RS_POINTER_INPUT + 1, .finish = finish};
    for (uint32_t i = 0; i < call->pointer_count; i++) call->pointers[i] = d->bus.memory_address;
    call->pointers[RS_POINTER_INPUT] = d->bus.memory_address + s->room;
    rs_call_reaches(call, room(d, 0), RS_NEWHOPE_ROOM, 1);
    return rs_machine_begin(d);
}

// A polynomial that was given, to its place; RS_ERR_RESIDUE, and nothing stays.
static rs_status_t put_packed(const rs_device_t *d, size_t at, const uint8_t *packed) {
    memcpy(room(d, at), packed, POLY_BYTES);
    const rs_status_t status = rs_newhope_check_packed(room(d, at));
    if (status != RS_OK) wipe(d, at, POLY_BYTES);
    return status;
}

static void put_noise_seed(const rs_device_t *d, const uint8_t *noise_seed) {
    memcpy(room(d, RS_NEWHOPE_AT_SEEDS), noise_seed, SEED_BYTES);
    memcpy(room(d, RS_NEWHOPE_AT_COINS), noise_seed, SEED_BYTES);
    *room(d, RS_NEWHOPE_AT_COINS + SEED_BYTES) = RS_NEWHOPE_COINS;
}

rs_status_t rs_newhope_device_server_start(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *secret,
                                           size_t secret_bytes, const uint8_t *seed, size_t seed_bytes, const uint8_t *noise_seed,
                                           size_t noise_bytes) {
    RS_TRY(ready(device));
    RS_TRY(check(message, message_bytes, RS_NEWHOPE_SERVER_BYTES));
    RS_TRY(check(secret, secret_bytes, RS_NEWHOPE_SECRET_BYTES));
    RS_TRY(check(seed, seed_bytes, SEED_BYTES));
    RS_TRY(check(noise_seed, noise_bytes, SEED_BYTES));
    newhope_on_core_t *s = state_of(device);
    put_noise_seed(device, noise_seed);
    memcpy(room(device, RS_NEWHOPE_AT_SEEDS + SEED_BYTES), seed, SEED_BYTES);
    s->message = message;
    s->secret = secret;
    return begin(device, RS_NEWHOPE_SERVER);
}

rs_status_t rs_newhope_device_client_start(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *shared,
                                           size_t shared_bytes, const uint8_t *server_message, size_t server_message_bytes,
                                           const uint8_t *noise_seed, size_t noise_bytes) {
    RS_TRY(ready(device));
    RS_TRY(check(message, message_bytes, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(check(shared, shared_bytes, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(check(server_message, server_message_bytes, RS_NEWHOPE_SERVER_BYTES));
    RS_TRY(check(noise_seed, noise_bytes, SEED_BYTES));
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_THEIRS, server_message));
    newhope_on_core_t *s = state_of(device);
    put_noise_seed(device, noise_seed);
    memcpy(room(device, RS_NEWHOPE_AT_SEEDS + SEED_BYTES), server_message + POLY_BYTES, SEED_BYTES);
    s->message = message;
    s->shared = shared;
    return begin(device, RS_NEWHOPE_CLIENT);
}

rs_status_t rs_newhope_device_shared_start(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *client_message,
                                           size_t client_message_bytes, const uint8_t *secret, size_t secret_bytes) {
    RS_TRY(ready(device));
    RS_TRY(check(shared, shared_bytes, RS_NEWHOPE_SHARED_BYTES));
    RS_TRY(check(client_message, client_message_bytes, RS_NEWHOPE_CLIENT_BYTES));
    RS_TRY(check(secret, secret_bytes, RS_NEWHOPE_SECRET_BYTES));
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_THEIRS, client_message));
    RS_TRY(put_packed(device, RS_NEWHOPE_AT_SECRET, secret));
    newhope_on_core_t *s = state_of(device);
    memcpy(s->hints, client_message + POLY_BYTES, sizeof s->hints);
    s->shared = shared;
    return begin(device, RS_NEWHOPE_FINISH);
}

// ---- whole calls -----------------------------------------------------------------------------------------------------------
rs_status_t rs_newhope_device_finish(rs_device_t *device) {
    if (!device) return RS_ERR_NULL;
    if (device->tenant != &TENANT || !device->under_way) return RS_ERR_DEVICE_EMPTY;
    return rs_device_finish(device);
}

rs_status_t rs_newhope_device_server_derand(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *secret,
                                            size_t secret_bytes, const uint8_t *seed, size_t seed_bytes, const uint8_t *noise_seed,
                                            size_t noise_bytes) {
    RS_TRY(rs_newhope_device_server_start(device, message, message_bytes, secret, secret_bytes, seed, seed_bytes, noise_seed,
                                          noise_bytes));
    return rs_newhope_device_finish(device);
}

rs_status_t rs_newhope_device_server(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *secret,
                                     size_t secret_bytes, rs_rng_t *rng) {
    rs_seed_t noise_seed, seed;
    RS_TRY(ready(device));
    if (!rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(rs_fresh_seeds(rng, &noise_seed, &seed));
    const rs_status_t status = rs_newhope_device_server_derand(device, message, message_bytes, secret, secret_bytes, seed.bytes,
                                                               SEED_BYTES, noise_seed.bytes, SEED_BYTES);
    rs_zeroize(&noise_seed, sizeof noise_seed);
    return status;
}

rs_status_t rs_newhope_device_client_derand(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *shared,
                                            size_t shared_bytes, const uint8_t *server_message, size_t server_message_bytes,
                                            const uint8_t *noise_seed, size_t noise_bytes) {
    RS_TRY(rs_newhope_device_client_start(device, message, message_bytes, shared, shared_bytes, server_message,
                                          server_message_bytes, noise_seed, noise_bytes));
    return rs_newhope_device_finish(device);
}

rs_status_t rs_newhope_device_client(rs_device_t *device, uint8_t *message, size_t message_bytes, uint8_t *shared,
                                     size_t shared_bytes, const uint8_t *server_message, size_t server_message_bytes,
                                     rs_rng_t *rng) {
    rs_seed_t noise_seed;
    RS_TRY(ready(device));
    if (!rng || !rng->fill) return RS_ERR_NULL;
    RS_TRY(rs_fresh_seed(rng, &noise_seed));
    const rs_status_t status = rs_newhope_device_client_derand(device, message, message_bytes, shared, shared_bytes, server_message,
                                                               server_message_bytes, noise_seed.bytes, SEED_BYTES);
    rs_zeroize(&noise_seed, sizeof noise_seed);
    return status;
}

rs_status_t rs_newhope_device_shared(rs_device_t *device, uint8_t *shared, size_t shared_bytes, const uint8_t *client_message,
                                     size_t client_message_bytes, const uint8_t *secret, size_t secret_bytes) {
    RS_TRY(
        rs_newhope_device_shared_start(device, shared, shared_bytes, client_message, client_message_bytes, secret, secret_bytes));
    return rs_newhope_device_finish(device);
}
