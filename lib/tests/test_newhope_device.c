// SPDX-License-Identifier: Apache-2.0
// NewHope on a core with fields, on the model of the core: the bytes of the library's own newhope, either side with either, refusals, wiped memory.
#include <ringside/ringside.h>

#include "fields_design.h"
#include "fields_tests.h"
#include "papers/newhope/on_core/on_core.h"
#include "rs_test.h"

enum {
    SERVER = RS_NEWHOPE_SERVER_BYTES,
    CLIENT = RS_NEWHOPE_CLIENT_BYTES,
    SECRET = RS_NEWHOPE_SECRET_BYTES,
    SHARED = RS_NEWHOPE_SHARED_BYTES,
    SEED = RS_NEWHOPE_SEED_BYTES,
    MEMORY = 1 << 17
};

typedef struct fixture {
    model_core_t core;
    rs_device_t device;
    const rs_newhope_t *scheme;
    uint64_t tables[1 << 14], workspace[1 << 12];
    uint8_t seed[SEED], server_noise[SEED], client_noise[SEED];
    uint8_t server[SERVER], secret[SECRET], client[CLIENT], shared[SHARED]; // the library's
    uint8_t server2[SERVER], secret2[SECRET], client2[CLIENT], shared2[SHARED]; // the core's
} fixture_t;

static fixture_t f;

static rs_design_t design_of(uint32_t groups) {
    rs_design_t design = FIELDS_DESIGN;
    design.groups = groups;
    return design;
}

static void make_scheme(rs_newhope_parse_t parse, rs_newhope_stream_t stream) {
    REQUIRE_OK(rs_newhope_init(&f.scheme, (rs_memory_t){f.tables, sizeof f.tables}, parse, stream, "research-only"));
}

// The end of a test, or of what it has opened before.
static void closed(void) { close_core(&f.core, &f.device); }

static int opened(rs_newhope_parse_t parse, uint32_t groups, int incoherent) {
    const rs_design_t design = design_of(groups);
    rs_test_over();
    rs_test_close = closed;
    make_scheme(parse, RS_NEWHOPE_STREAM_SHAKE256);
    model_core_init(&f.core, &design, MEMORY);
    f.core.turned = 1;
    f.core.incoherent = incoherent;
    return CHECK_OK(open_core(&f.core, &f.device)) && CHECK_OK(rs_device_newhope_prepare(&f.device, f.scheme));
}

// Calls of the library.
static rs_status_t library_serves(void) {
    return rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = f.scheme, .message = {f.server, SERVER},
                                        .secret = {f.secret, SECRET}, .seed = {f.seed, SEED}, .noise_seed = {f.server_noise, SEED},
                                        .workspace = {f.workspace, sizeof f.workspace}));
}

static rs_status_t library_answers(const uint8_t *server) {
    return rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = f.scheme, .server_message = {server, SERVER},
                                        .message = {f.client, CLIENT}, .shared = {f.shared, SHARED},
                                        .noise_seed = {f.client_noise, SEED}, .workspace = {f.workspace, sizeof f.workspace}));
}

static rs_status_t library_shares(uint8_t *shared, const uint8_t *client) {
    return rs_newhope_shared(f.scheme, (rs_bytes_t){shared, SHARED}, (rs_view_t){client, CLIENT}, (rs_view_t){f.secret, SECRET},
                             (rs_memory_t){f.workspace, sizeof f.workspace});
}

// An exchange by the library.
static void make(uint64_t *state) {
    fill(f.seed, SEED, state);
    fill(f.server_noise, SEED, state);
    fill(f.client_noise, SEED, state);
    CHECK_OK(library_serves());
    CHECK_OK(library_answers(f.server));
}

static rs_newhope_server_request_t server_request(rs_rng_t *rng) {
    rs_newhope_server_request_t request = {.size = sizeof request, .message = {f.server2, SERVER}, .secret = {f.secret2, SECRET}};
    if (rng) {
        request.rng = rng;
    } else {
        request.seed = (rs_view_t){f.seed, SEED};
        request.noise_seed = (rs_view_t){f.server_noise, SEED};
    }
    return request;
}

static rs_status_t server_in(rs_device_mode_t mode) {
    const rs_newhope_server_request_t request = server_request(NULL);
    return rs_device_newhope_server(&f.device, &request, mode);
}

static rs_status_t server(void) { return server_in(RS_DEVICE_RUN); }

static rs_status_t server_by(rs_rng_t *rng) {
    const rs_newhope_server_request_t request = server_request(rng);
    return rs_device_newhope_server(&f.device, &request, RS_DEVICE_RUN);
}

// rng NULL: of f.client_noise.
static rs_newhope_client_request_t client_request(const uint8_t *message, rs_rng_t *rng) {
    rs_newhope_client_request_t request = {.size = sizeof request,
                                           .server_message = {message, SERVER},
                                           .message = {f.client2, CLIENT},
                                           .shared = {f.shared2, SHARED},
                                           .rng = rng};
    if (!rng) request.noise_seed = (rs_view_t){f.client_noise, SEED};
    return request;
}

static rs_status_t client_by(const uint8_t *message, rs_rng_t *rng) {
    const rs_newhope_client_request_t request = client_request(message, rng);
    return rs_device_newhope_client(&f.device, &request, RS_DEVICE_RUN);
}

static rs_status_t client(const uint8_t *message) { return client_by(message, NULL); }

static rs_newhope_shared_request_t shared_request(const uint8_t *message, const uint8_t *secret) {
    return (rs_newhope_shared_request_t){.size = sizeof(rs_newhope_shared_request_t),
                                         .client_message = {message, CLIENT},
                                         .secret = {secret, SECRET},
                                         .shared = {f.shared2, SHARED}};
}

static rs_status_t shared(const uint8_t *message, const uint8_t *secret) {
    const rs_newhope_shared_request_t request = shared_request(message, secret);
    return rs_device_newhope_shared(&f.device, &request, RS_DEVICE_RUN);
}

static void check_bytes(rs_newhope_parse_t parse, uint32_t groups, int incoherent) {
    uint64_t state = 3 + (uint64_t)parse;
    if (!opened(parse, groups, incoherent)) return;
    for (unsigned k = 0; k < 3; k++) {
        make(&state);
        CHECK_OK(server());
        CHECK_EQ_MEM(f.server2, f.server, SERVER);
        CHECK_EQ_MEM(f.secret2, f.secret, SECRET);
        CHECK_OK(client(f.server));
        CHECK_EQ_MEM(f.client2, f.client, CLIENT);
        CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
        memset(f.shared2, 0, SHARED);
        CHECK_OK(shared(f.client, f.secret));
        CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
    }
}

RS_TEST(bytes_are_those_of_the_library) {
    check_bytes(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0);
    check_bytes(RS_NEWHOPE_PARSE_5Q, RS_NEWHOPE_GROUPS_MIN, 1);
}

// The streams of noise differ, and nobody but their owner sees them.
RS_TEST(sides_with_other_streams_agree) {
    uint64_t state = 5;
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    make_scheme(RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_CHACHA20); // the library, from here on
    for (unsigned k = 0; k < 3; k++) {
        uint8_t found[SHARED];
        make(&state);
        CHECK_OK(client(f.server));
        CHECK(memcmp(f.client2, f.client, CLIENT) != 0);
        CHECK_OK(library_shares(found, f.client2));
        CHECK_EQ_MEM(found, f.shared2, SHARED);
        CHECK_OK(server());
        CHECK_OK(library_answers(f.server2));
        CHECK_OK(shared(f.client, f.secret2));
        CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
    }
}

// Any v and hints, also such as no exchange has.
RS_TEST(any_message_is_reconciled_alike) {
    uint64_t state = 6;
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    for (unsigned k = 0; k < 6; k++) {
        make(&state);
        fill(f.client + RS_NEWHOPE_POLY_BYTES, RS_NEWHOPE_HINT_BYTES, &state);
        if (k & 1) memset(f.client, 0, RS_NEWHOPE_POLY_BYTES);
        CHECK_OK(library_shares(f.shared, f.client));
        CHECK_OK(shared(f.client, f.secret));
        CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
    }
}

// Word i of a packed polynomial.
static void put_word(uint8_t *packed, size_t i, uint32_t word) {
    for (unsigned bit = 0; bit < 14; bit++) {
        const size_t at = 14 * i + bit;
        packed[at / 8] = (uint8_t)((packed[at / 8] & ~(1u << at % 8)) | (word >> bit & 1) << at % 8);
    }
}

RS_TEST(words_of_q_and_more_are_refused) {
    static const size_t PLACE[] = {0, 1, 2, 3, 511, 1020, 1023};
    uint64_t state = 7;
    uint8_t none[SHARED] = {0}, kept[RS_NEWHOPE_POLY_BYTES];
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    for (size_t i = 0; i < sizeof PLACE / sizeof *PLACE; i++) {
        for (unsigned what = 0; what < 3; what++) {
            make(&state);
            uint8_t *packed = what == 0 ? f.server : what == 1 ? f.client : f.secret;
            memcpy(kept, packed, sizeof kept);
            for (unsigned k = 0; k < 3; k++) {
                memset(f.shared2, 0, SHARED);
                put_word(packed, PLACE[i], k == 0 ? RS_NEWHOPE_Q - 1 : k == 1 ? RS_NEWHOPE_Q : 0x3fff);
                CHECK_STATUS(what == 0 ? client(f.server) : shared(f.client, f.secret), k ? RS_ERR_RESIDUE : RS_OK);
                CHECK(!k == (memcmp(f.shared2, none, SHARED) != 0));
            }
            memcpy(packed, kept, sizeof kept);
        }
    }
    CHECK_OK(shared(f.client, f.secret)); // the core goes on
    CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
}

static void check_clean(void) {
    enum { PART = 16 };
    static const uint8_t NONE[RS_NEWHOPE_V_BYTES];
    const uint8_t *room = f.core.memory + rs_newhope_constants_bytes(&f.device.design);
    CHECK(!is_there(f.server_noise, PART) && !is_there(f.client_noise, PART));
    CHECK(!is_there(f.secret, PART) && !is_there(f.shared, PART));
    CHECK_EQ_MEM(room + RS_NEWHOPE_AT_V, NONE, sizeof NONE);
    CHECK_EQ_MEM(room + RS_NEWHOPE_AT_COINS, NONE, RS_MACHINE_LINE_BYTES);
    for (unsigned i = 0; i < RS_DIGESTS; i++) CHECK_EQ_MEM(f.core.digests[i], NONE, RS_DIGEST_BYTES);
}

RS_TEST(secrets_are_wiped) {
    enum { PART = 16 };
    uint64_t state = 11;
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    make(&state);
    CHECK_OK(server_in(RS_DEVICE_START));
    CHECK(is_there(f.server_noise, PART) && is_there(f.secret, PART)); // the search finds what is there
    CHECK_OK(rs_device_finish(&f.device));
    check_clean();
    CHECK_OK(client(f.server));
    check_clean();
    CHECK_OK(shared(f.client, f.secret));
    check_clean();
    put_word(f.secret, 5, RS_NEWHOPE_Q);
    CHECK_STATUS(shared(f.client, f.secret), RS_ERR_RESIDUE);
    check_clean();
    put_word(f.server, 5, RS_NEWHOPE_Q);
    CHECK_STATUS(client(f.server), RS_ERR_RESIDUE);
    check_clean();
    f.core.inject_pc = 12;
    f.core.inject_fault = RS_FAULT_BUS_READ;
    make(&state);
    CHECK_STATUS(client(f.server), RS_ERR_DEVICE_BUS);
    CHECK(!is_there(f.client_noise, PART));
}

RS_TEST(a_program_is_loaded_once) {
    uint64_t state = 13;
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    make(&state);
    CHECK_OK(client(f.server));
    const unsigned written = f.core.words_written;
    CHECK_OK(client(f.server));
    CHECK_EQ_U64(f.core.words_written, written);
}

static rs_status_t give_all(void *state, uint8_t *out, size_t bytes) {
    memset(out, *(uint8_t *)state, bytes);
    return RS_OK;
}

static rs_status_t refuse(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, 1, bytes);
    return RS_ERR_IO;
}

RS_TEST(errors) {
    rs_design_t design = design_of(FIELDS_DESIGN.groups);
    uint64_t state = 17;
    uint8_t byte = 9;
    rs_rng_t rng = {.fill = give_all, .state = &byte}, failing = {.fill = refuse};
    CHECK(rs_device_newhope_bytes(&design) > RS_NEWHOPE_ROOM);
    CHECK_EQ_U64(rs_device_newhope_bytes(NULL), 0);
    design.log_n_min = RS_NEWHOPE_LOG_N + 1;
    CHECK_EQ_U64(rs_device_newhope_bytes(&design), 0);
    design = design_of(FIELDS_DESIGN.groups);
    design.word_bits = 40;
    CHECK_EQ_U64(rs_device_newhope_bytes(&design), 0);
    design = design_of(RS_NEWHOPE_GROUPS_MIN - 1);
    CHECK_EQ_U64(rs_device_newhope_bytes(&design), 0);
    design = design_of(FIELDS_DESIGN.groups);
    design.features &= ~(uint32_t)RS_FEATURE_FIELDS;
    make_scheme(RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_SHAKE256);
    model_core_init(&f.core, &design, MEMORY);
    REQUIRE_OK(open_core(&f.core, &f.device));
    CHECK_STATUS(rs_device_newhope_prepare(&f.device, f.scheme), RS_ERR_DESIGN);
    CHECK_STATUS(server(), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_OK(rs_device_close(&f.device));
    model_core_free(&f.core);
    design = design_of(FIELDS_DESIGN.groups);
    model_core_init(&f.core, &design, rs_device_newhope_bytes(&design) - 64);
    REQUIRE_OK(open_core(&f.core, &f.device));
    CHECK_STATUS(rs_device_newhope_prepare(&f.device, f.scheme), RS_ERR_DEVICE_MEMORY);
    CHECK_OK(rs_device_close(&f.device));
    model_core_free(&f.core);
    if (!opened(RS_NEWHOPE_PARSE_USENIX, FIELDS_DESIGN.groups, 0)) return;
    CHECK_STATUS(rs_device_newhope_prepare(NULL, f.scheme), RS_ERR_NULL);
    CHECK_STATUS(rs_device_newhope_prepare(&f.device, NULL), RS_ERR_NULL);
    make_scheme(RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_CHACHA20);
    CHECK_STATUS(rs_device_newhope_prepare(&f.device, f.scheme), RS_ERR_OPTION);
    make_scheme(RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_SHAKE256);
    make(&state);
    CHECK_STATUS(server_by(&failing), RS_ERR_RNG);
    CHECK_STATUS(client_by(f.server, &failing), RS_ERR_RNG);
    rs_newhope_server_request_t first = server_request(&rng);
    first.noise_seed = (rs_view_t){f.server_noise, SEED};
    CHECK_STATUS(rs_device_newhope_server(&f.device, &first, RS_DEVICE_RUN), RS_ERR_OPTION);
    first.rng = NULL;
    CHECK_STATUS(rs_device_newhope_server(&f.device, &first, RS_DEVICE_RUN), RS_ERR_NULL);
    first = server_request(&rng);
    first.message.n--;
    CHECK_STATUS(rs_device_newhope_server(&f.device, &first, RS_DEVICE_RUN), RS_ERR_BYTES);
    first.message.p = NULL;
    CHECK_STATUS(rs_device_newhope_server(&f.device, &first, RS_DEVICE_RUN), RS_ERR_NULL);
    rs_newhope_client_request_t second = client_request(f.server, &rng);
    second.server_message.n++;
    CHECK_STATUS(rs_device_newhope_client(&f.device, &second, RS_DEVICE_RUN), RS_ERR_BYTES);
    rs_newhope_shared_request_t third = shared_request(f.client, f.secret);
    third.client_message.n--;
    CHECK_STATUS(rs_device_newhope_shared(&f.device, &third, RS_DEVICE_RUN), RS_ERR_BYTES);
    CHECK_STATUS(shared(f.client, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_device_finish(&f.device), RS_ERR_DEVICE_NOT_LOADED);
    CHECK_STATUS(rs_device_finish(NULL), RS_ERR_NULL);
    // drawn seeds: noise first
    memset(f.seed, byte, SEED);
    memset(f.server_noise, byte, SEED);
    CHECK_OK(library_serves());
    CHECK_OK(server_by(&rng));
    CHECK_EQ_MEM(f.server2, f.server, SERVER);
    CHECK_OK(client_by(f.server, &rng));
    CHECK_OK(library_shares(f.shared, f.client2));
    CHECK_EQ_MEM(f.shared2, f.shared, SHARED);
    CHECK_OK(server_in(RS_DEVICE_START));
    CHECK_STATUS(server(), RS_ERR_DEVICE_BUSY);
    CHECK_OK(rs_device_finish(&f.device));
}
