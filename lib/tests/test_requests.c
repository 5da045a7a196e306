// SPDX-License-Identifier: Apache-2.0
// What ML-KEM, ML-DSA, FN-DSA, NewHope and BLISS refuse: every size of a request, each member that is missing, has another length or contradicts
// another one, and sources of random bytes that fail. Outputs stay as they are, and nothing is drawn for what is refused.
#include <ringside/ringside.h>

#include "rs_test.h"

enum { PATTERN = 0xa5, TAIL = 16, BYTES_MAX = 256, MEMBERS_MAX = 16 };

// ---- calls ---------------------------------------------------------------------------------------------------------------
// Functions with arguments take them from here.
typedef struct arguments {
    uint32_t set, option;
    void *made;
    const void *scheme, *message;
    rs_bytes_t out;
    rs_view_t in[3];
    rs_memory_t memory;
} arguments_t;

#define CALL(function) \
    static rs_status_t call_##function(const void *r) { return function(r); }
#define CALL_WITH(function, ...)                                \
    static rs_status_t call_##function(const void *arguments) { \
        const arguments_t *a = arguments;                       \
        return function(__VA_ARGS__);                           \
    }
CALL(rs_mlkem_keygen)
CALL(rs_mlkem_encaps)
CALL(rs_mlkem_decaps)
CALL(rs_mldsa_keygen)
CALL(rs_mldsa_sign)
CALL(rs_mldsa_verify)
CALL(rs_newhope_server)
CALL(rs_newhope_client)
CALL(rs_bliss_keygen)
CALL(rs_bliss_sign)
CALL_WITH(rs_mlkem_check, a->set, a->in[0], a->in[1])
CALL_WITH(rs_mldsa_public_key, a->set, a->out, a->in[0], a->memory)
CALL_WITH(rs_mldsa_mu, a->set, a->out, a->in[0], a->message)
CALL_WITH(rs_mldsa_mu_start, a->set, a->made, a->in[0], a->in[1])
CALL_WITH(rs_fndsa_key_init, a->made, a->memory, a->set, a->in[0])
CALL_WITH(rs_fndsa_verify, a->scheme, a->option, a->in[0], a->in[1], a->memory)
CALL_WITH(rs_newhope_init, a->made, a->memory, a->set, a->option, "research-only")
CALL_WITH(rs_newhope_shared, a->scheme, a->out, a->in[0], a->in[1], a->memory)
CALL_WITH(rs_bliss_init, a->made, a->memory, "research-only")
CALL_WITH(rs_bliss_verify, a->scheme, a->in[0], a->in[1], a->in[2], a->memory)

// ---- the operation that is tested ------------------------------------------------------------------------------------------
typedef enum kind {
    IN, // a view of one length
    OUT,
    PERHAPS, // bytes that need not be there
    TEXT, // a view of any length
    SEED, // a view in place of rng, of `value` bytes
    WORK,
    MEMORY, // memory that is kept
    POINTER,
    RNG,
    SIZE,
    WORD // its `value` is refused
} kind_t;

typedef struct member {
    kind_t kind;
    size_t at;
    uint32_t value;
    rs_status_t status;
} member_t;

typedef struct span {
    uint8_t *p;
    size_t n;
} span_t;

static struct {
    const char *name;
    rs_status_t (*call)(const void *request);
    uint8_t *good; // the request that is in order
    size_t bytes;
    rs_status_t fine, other; // statuses of what is in order, and of another length
    unsigned count;
    member_t members[MEMBERS_MAX];
} op;
static unsigned draws, fails; // fails: number of the draw that does, or 0
static _Alignas(8) uint8_t request[BYTES_MAX + TAIL];

static rs_status_t fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, (int)++draws, bytes);
    return draws == fails ? RS_ERR_IO : RS_OK;
}

static rs_rng_t rng = {fill, NULL}, without_fill;
static rs_rng_t *const NO_RNG, *const GOOD_RNG = &rng, *const EMPTY_RNG = &without_fill;

static uint8_t *room(size_t bytes) { return rs_test_own(calloc(1, bytes)); }

#define OPERATION(function, r, status) start(#function, call_##function, &(r), sizeof(r), status)
static void start(const char *name, rs_status_t (*call)(const void *), void *good, size_t bytes, rs_status_t other) {
    memset(&op, 0, sizeof op);
    op.name = name;
    op.call = call;
    op.good = good;
    op.bytes = bytes;
    op.other = other;
}

// bytes: memory that the member gets; bytes of a seed that takes the place of rng in the second half of a check.
static void has(kind_t kind, void *member, size_t bytes) {
    const span_t span = {bytes ? room(bytes) : NULL, bytes};
    op.members[op.count++] = (member_t){.kind = kind, .at = (size_t)((uint8_t *)member - op.good), .value = (uint32_t)bytes};
    if (bytes && kind != SEED) memcpy(member, &span, sizeof span);
}

static void refuses(const uint32_t *word, uint32_t value, rs_status_t status) {
    op.members[op.count++] = (member_t){WORD, (size_t)((const uint8_t *)word - op.good), value, status};
}

static span_t span_of(const member_t *m) {
    span_t span;
    memcpy(&span, op.good + m->at, sizeof span);
    return span;
}

static int are_all(span_t span, int value) {
    for (size_t i = 0; i < span.n; i++) {
        if (span.p[i] != value) return 0;
    }
    return 1;
}

static void prepare(void) {
    memset(request, 0, sizeof request);
    memcpy(request, op.good, op.bytes);
    draws = 0;
    for (const member_t *m = op.members; m < op.members + op.count; m++) {
        if (m->kind == OUT || m->kind == PERHAPS || m->kind == WORK) memset(span_of(m).p, PATTERN, span_of(m).n);
    }
}

// outputs: all their bytes after it, or -1 for a result.
static void expect(rs_status_t want, int outputs, size_t at, const char *what) {
    int holds = CHECK_STATUS(op.call(request), want);
    for (const member_t *m = op.members; m < op.members + op.count; m++) {
        const span_t span = m->kind == OUT || m->kind == PERHAPS || m->kind == WORK ? span_of(m) : (span_t){NULL, 0};
        if (m->kind == OUT) holds &= CHECK(outputs < 0 ? !are_all(span, PATTERN) : are_all(span, outputs));
        if (m->kind == PERHAPS && outputs >= 0) holds &= CHECK(are_all(span, outputs));
        if (m->kind == WORK && outputs < 0) holds &= CHECK(are_all(span, 0));
        if (m->kind == WORK && fails) holds &= CHECK(are_all(span, 0) || are_all(span, PATTERN));
    }
    if (outputs == PATTERN && !fails) holds &= CHECK_EQ_U64(draws, 0);
    if (!holds) printf("    %s: %s of the member at %zu\n", op.name, what, at);
}

static void refuse(size_t at, const void *value, size_t bytes, rs_status_t want, const char *what) {
    prepare();
    memcpy(request + at, value, bytes);
    expect(want, PATTERN, at, what);
}

static void refuse_span(const member_t *m, uint8_t *p, size_t n, rs_status_t want, const char *what) {
    const span_t span = {p, n};
    refuse(m->at, &span, sizeof span, want, what);
}

static void check_sizes(void) {
    for (uint32_t size = 0; size <= op.bytes + TAIL; size++) {
        prepare();
        memcpy(request, &size, sizeof size);
        expect(size < op.bytes ? RS_ERR_STRUCT : RS_OK, size < op.bytes ? PATTERN : -1, size, "size");
        if (size <= op.bytes) continue;
        prepare();
        memcpy(request, &size, sizeof size);
        request[size - 1] = 1; // a member of a newer header
        expect(RS_ERR_STRUCT, PATTERN, size, "tail");
    }
    CHECK_STATUS(op.call(NULL), RS_ERR_NULL);
}

static void check_rng(size_t at, int after) {
    if (memcmp(op.good + at, &GOOD_RNG, sizeof GOOD_RNG)) { // there is a seed, or nothing is to be drawn
        refuse(at, &GOOD_RNG, sizeof GOOD_RNG, RS_ERR_OPTION, "presence");
        return;
    }
    refuse(at, &NO_RNG, sizeof NO_RNG, RS_ERR_NULL, "NULL");
    refuse(at, &EMPTY_RNG, sizeof EMPTY_RNG, RS_ERR_NULL, "fill");
    prepare();
    CHECK_OK(op.call(request));
    for (unsigned left = draws; left; left--) {
        prepare();
        fails = left;
        expect(RS_ERR_RNG, after, at, "failure");
    }
    fails = 0;
}

static void check_member(const member_t *m, int after) {
    if (m->kind == SIZE) check_sizes();
    if (m->kind == RNG) check_rng(m->at, after);
    if (m->kind == POINTER) refuse(m->at, &NO_RNG, sizeof NO_RNG, RS_ERR_NULL, "NULL");
    if (m->kind == WORD) refuse(m->at, &m->value, sizeof m->value, m->status, "value");
    if (m->kind > MEMORY) return;
    const span_t span = span_of(m);
    if (m->kind == SEED && !span.n) { // beside rng, or where nothing is to be drawn
        refuse_span(m, request, 1, RS_ERR_OPTION, "presence");
        return;
    }
    refuse_span(m, NULL, span.n ? span.n : 1, RS_ERR_NULL, "NULL");
    if (m->kind == IN || m->kind == OUT || m->kind == SEED) refuse_span(m, NULL, 0, RS_ERR_NULL, "absence");
    for (unsigned i = 0; i < 3 && m->kind <= SEED && m->kind != TEXT; i++) {
        refuse_span(m, span.p, i ? span.n + 2 * i - 3 : 0, op.other, "length"); // 0, n - 1, n + 1
    }
    if (m->kind < WORK) return;
    refuse_span(m, span.p, span.n - 1, RS_ERR_TOO_SMALL, "length");
    refuse_span(m, span.p + 4, span.n, RS_ERR_ALIGNMENT, "alignment");
}

static void check_all(int after) {
    prepare();
    expect(op.fine, -1, 0, "nothing");
    for (unsigned i = 0; i < op.count; i++) check_member(&op.members[i], after);
    prepare();
    CHECK_STATUS(op.call(request), op.fine); // so that results are there
}

// after: what outputs are when rng has failed. Then the same with seeds.
static void check(int after) {
    unsigned seeds = 0;
    check_all(after);
    for (const member_t *m = op.members; m < op.members + op.count; m++) {
        if (m->kind != SEED || !m->value) continue;
        const span_t span = {room(m->value), m->value};
        memcpy(op.good + m->at, &span, sizeof span);
        seeds++;
    }
    for (const member_t *m = op.members; seeds && m < op.members + op.count; m++) {
        if (m->kind == RNG) memcpy(op.good + m->at, &NO_RNG, sizeof NO_RNG);
    }
    if (seeds) check_all(0);
}

static rs_view_t view_of(rs_bytes_t bytes) { return (rs_view_t){bytes.p, bytes.n}; }

// ---- ML-KEM --------------------------------------------------------------------------------------------------------------
RS_TEST(mlkem) {
    static const uint32_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t set = SETS[i];
        const rs_mlkem_sizes_t *s = rs_mlkem_sizes(set);
        rs_mlkem_keygen_request_t keygen = {.size = sizeof keygen, .set = set, .rng = &rng};
        OPERATION(rs_mlkem_keygen, keygen, RS_ERR_BYTES);
        has(SIZE, &keygen, 0), has(OUT, &keygen.ek, s->ek), has(OUT, &keygen.dk, s->dk), has(SEED, &keygen.seed, 64);
        has(RNG, &keygen.rng, 0), has(WORK, &keygen.workspace, s->workspace), refuses(&keygen.set, 0, RS_ERR_SET);
        check(PATTERN);
        const rs_view_t ek = view_of(keygen.ek), dk = view_of(keygen.dk), none = {NULL, 0};
        rs_mlkem_encaps_request_t encaps = {.size = sizeof encaps, .set = set, .ek = ek, .rng = &rng};
        OPERATION(rs_mlkem_encaps, encaps, RS_ERR_BYTES);
        has(SIZE, &encaps, 0), has(IN, &encaps.ek, 0), has(OUT, &encaps.ct, s->ct), has(OUT, &encaps.shared, 32);
        has(SEED, &encaps.m, 32), has(RNG, &encaps.rng, 0), has(WORK, &encaps.workspace, s->workspace);
        refuses(&encaps.set, 769, RS_ERR_SET);
        check(PATTERN);
        rs_mlkem_decaps_request_t decaps = {.size = sizeof decaps, .set = set, .dk = dk, .ct = view_of(encaps.ct)};
        OPERATION(rs_mlkem_decaps, decaps, RS_ERR_BYTES);
        has(SIZE, &decaps, 0), has(IN, &decaps.dk, 0), has(IN, &decaps.ct, 0), has(OUT, &decaps.shared, 32);
        has(SEED, &decaps.seed, 0), has(SEED, &decaps.ek, 0), has(WORK, &decaps.workspace, s->workspace);
        refuses(&decaps.set, (uint32_t)-768, RS_ERR_SET);
        check(0);
        for (unsigned k = 0; k < 2; k++) {
            arguments_t a = {.set = set, .in = {k ? none : ek, k ? dk : none}};
            OPERATION(rs_mlkem_check, a, RS_ERR_BYTES);
            has(IN, &a.in[k], 0), refuses(&a.set, RS_MLDSA_65, RS_ERR_SET);
            check(0);
        }
        CHECK_OK(rs_mlkem_check(set, ek, dk));
        CHECK_STATUS(rs_mlkem_check(SETS[(i + 1) % 3], ek, dk), RS_ERR_BYTES); // lengths of another set
    }
}

// ---- ML-DSA --------------------------------------------------------------------------------------------------------------
// Messages that are none, of both calls that take one.
static void check_messages(rs_mldsa_sign_request_t r, rs_view_t pk) {
    static const uint8_t B[256];
    static const struct {
        rs_mldsa_message_t message;
        rs_status_t status;
    } WRONG[] = {
        {{RS_MLDSA_PURE, 0, {B, 1}, {B, 256}}, RS_ERR_CONTEXT_STRING},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_256, {B, 32}, {B, 256}}, RS_ERR_CONTEXT_STRING},
        {{RS_MLDSA_DIGEST, 0, {B, 32}, {NULL, 0}}, RS_ERR_PREHASH},
        {{RS_MLDSA_DIGEST, 13, {B, 32}, {NULL, 0}}, RS_ERR_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_384, {B, 32}, {NULL, 0}}, RS_ERR_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHAKE128, {B, 31}, {NULL, 0}}, RS_ERR_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_256, {NULL, 32}, {NULL, 0}}, RS_ERR_NULL},
        {{RS_MLDSA_MU, 0, {B, 32}, {NULL, 0}}, RS_ERR_BYTES},
        {{RS_MLDSA_MU, 0, {NULL, 0}, {NULL, 0}}, RS_ERR_NULL},
        {{RS_MLDSA_MU, 0, {B, 64}, {B, 1}}, RS_ERR_OPTION},
        {{RS_MLDSA_MU, RS_MLDSA_SHA2_256, {B, 64}, {NULL, 0}}, RS_ERR_OPTION},
        {{RS_MLDSA_INTERNAL, 0, {B, 64}, {B, 1}}, RS_ERR_OPTION},
        {{4, 0, {B, 64}, {NULL, 0}}, RS_ERR_OPTION},
    };
    uint8_t mu[RS_MLDSA_MU_BYTES];
    for (unsigned i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        memset(r.signature.p, PATTERN, r.signature.n);
        r.message = WRONG[i].message;
        if (!CHECK_STATUS(rs_mldsa_sign(&r), WRONG[i].status)) printf("    message %u\n", i);
        CHECK(are_all((span_t){r.signature.p, r.signature.n}, PATTERN));
        CHECK_STATUS(rs_mldsa_mu(r.set, (rs_bytes_t){mu, sizeof mu}, pk, &r.message), WRONG[i].status);
    }
}

RS_TEST(mldsa) {
    static const uint32_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    static const uint8_t TEXTS[2][3] = {{1, 2}, {3}};
    static const rs_mldsa_message_t MESSAGE = {RS_MLDSA_PURE, 0, {TEXTS[0], 3}, {TEXTS[1], 3}};
    for (unsigned i = 0; i < 3; i++) {
        const uint32_t set = SETS[i];
        const rs_mldsa_sizes_t *s = rs_mldsa_sizes(set);
        rs_mldsa_keygen_request_t keygen = {.size = sizeof keygen, .set = set, .rng = &rng};
        OPERATION(rs_mldsa_keygen, keygen, RS_ERR_BYTES);
        has(SIZE, &keygen, 0), has(OUT, &keygen.pk, s->pk), has(OUT, &keygen.sk, s->sk), has(SEED, &keygen.seed, 32);
        has(RNG, &keygen.rng, 0), has(WORK, &keygen.workspace, s->verify_workspace), refuses(&keygen.set, 45, RS_ERR_SET);
        check(PATTERN);
        const rs_view_t pk = view_of(keygen.pk), sk = view_of(keygen.sk);
        uint32_t rounds = 1000;
        rs_mldsa_sign_request_t sign = {
            .size = sizeof sign, .set = set, .sk = sk, .message = MESSAGE, .rng = &rng, .rounds = &rounds};
        OPERATION(rs_mldsa_sign, sign, RS_ERR_BYTES);
        has(SIZE, &sign, 0), has(IN, &sign.sk, 0), has(TEXT, &sign.message.bytes, 0), has(TEXT, &sign.message.context, 0);
        has(OUT, &sign.signature, s->signature), has(SEED, &sign.rnd, 0), has(WORK, &sign.workspace, s->small_workspace);
        refuses(&sign.set, 0, RS_ERR_SET), refuses(&sign.reserved, 1, RS_ERR_STRUCT), refuses(&sign.mode, 3, RS_ERR_OPTION);
        refuses(&sign.message.hash, RS_MLDSA_SHA2_256, RS_ERR_OPTION), has(RNG, &sign.rng, 0);
        check_all(0);
        draws = 0, fails = 1;
        CHECK_STATUS(rs_mldsa_sign(&sign), RS_ERR_RNG);
        fails = 0;
        CHECK_EQ_U64(rounds, 0);
        sign.rng = NULL;
        sign.mode = RS_MLDSA_DETERMINISTIC;
        check_all(0);
        sign.mode = RS_MLDSA_GIVEN;
        sign.rnd = (rs_view_t){room(RS_MLDSA_RANDOM_BYTES), RS_MLDSA_RANDOM_BYTES};
        check_all(0);
        CHECK(rounds > 0 && rounds < 1000);
        rs_mldsa_verify_request_t verify = {
            .size = sizeof verify, .set = set, .pk = pk, .message = MESSAGE, .signature = view_of(sign.signature)};
        OPERATION(rs_mldsa_verify, verify, RS_ERR_BYTES);
        has(SIZE, &verify, 0), has(IN, &verify.pk, 0), has(TEXT, &verify.message.bytes, 0), has(TEXT, &verify.message.context, 0);
        has(IN, &verify.signature, 0), has(WORK, &verify.workspace, s->small_verify_workspace);
        refuses(&verify.set, 86, RS_ERR_SET);
        check(0);
        check_messages(sign, pk);
        arguments_t a = {.set = set, .in = {sk}};
        OPERATION(rs_mldsa_public_key, a, RS_ERR_BYTES);
        has(PERHAPS, &a.out, s->pk), has(IN, &a.in[0], 0), has(WORK, &a.memory, s->verify_workspace),
            refuses(&a.set, 0, RS_ERR_SET);
        check(0);
        a = (arguments_t){.set = set, .in = {pk}, .message = &MESSAGE, .made = room(sizeof(rs_sponge_t))};
        OPERATION(rs_mldsa_mu, a, RS_ERR_BYTES);
        has(OUT, &a.out, 64), has(IN, &a.in[0], 0), has(POINTER, &a.message, 0), refuses(&a.set, 0, RS_ERR_SET);
        check(0);
        OPERATION(rs_mldsa_mu_start, a, RS_ERR_BYTES);
        has(IN, &a.in[0], 0), has(TEXT, &a.in[1], 0), has(POINTER, &a.made, 0), refuses(&a.set, 0, RS_ERR_SET);
        check(0);
        CHECK_STATUS(rs_mldsa_mu_start(set, a.made, pk, (rs_view_t){pk.p, 256}), RS_ERR_CONTEXT_STRING);
    }
}

// ---- FN-DSA --------------------------------------------------------------------------------------------------------------
// Zeros are a key, and no signature.
RS_TEST(fndsa) {
    for (uint32_t set = 512; set <= 1024; set *= 2) {
        const rs_fndsa_sizes_t *s = rs_fndsa_sizes(set);
        const rs_fndsa_key_t *key = NULL;
        uint8_t *pk = room(s->pk), *signature = room(s->signature);
        pk[0] = set == 512 ? 9 : 10;
        signature[0] = 0x30 + pk[0];
        arguments_t a = {.set = set, .made = &key, .in = {{pk, s->pk}, {signature, s->signature}}};
        OPERATION(rs_fndsa_key_init, a, RS_ERR_BYTES);
        has(POINTER, &a.made, 0), has(IN, &a.in[0], 0), has(MEMORY, &a.memory, s->key), refuses(&a.set, 513, RS_ERR_SET);
        check(0);
        a = (arguments_t){.scheme = key, .in = {[1] = a.in[1]}};
        OPERATION(rs_fndsa_verify, a, RS_ERR_BYTES);
        op.fine = RS_ERR_SIGNATURE;
        has(POINTER, &a.scheme, 0), has(TEXT, &a.in[0], 0), has(IN, &a.in[1], 0), has(WORK, &a.memory, s->workspace);
        check(0);
    }
}

// ---- zeros -----------------------------------------------------------------------------------------------------------------
// A member left out is never the insecure choice: parameters are checked, what is published is flooded, signatures are hedged. What is weaker
// has a name that is not 0, consent among them (below).
RS_TEST(zero_is_secure) {
    static const uint32_t BITS[] = {30, 30};
    static uint8_t file[1024];
    rs_params_t weak, read;
    rs_params_request_t asked = {.size = sizeof asked, .n = 1024, .bits = BITS, .limb_count = 2};
    CHECK_STATUS(rs_params_init(&weak, &asked), RS_ERR_INSECURE);
    asked.security = RS_SECURITY_UNCHECKED;
    REQUIRE_OK(rs_params_init(&weak, &asked));
    CHECK_STATUS(rs_params_check(&weak, 0), RS_ERR_INSECURE);
    const rs_memory_t memory = {room(1 << 20), 1 << 20};
    const rs_context_t *context = NULL;
    rs_context_request_t tables = {.size = sizeof tables, .params = &weak, .memory = memory};
    CHECK_STATUS(rs_context_init(&context, &tables), RS_ERR_INSECURE);
    rs_lean_t *lean = NULL;
    CHECK_STATUS(rs_lean_init(&lean, memory, &weak, 0), RS_ERR_INSECURE);
    rs_sink_t sink;
    rs_source_t source;
    rs_memory_sink_t written;
    rs_memory_source_t from;
    rs_wire_reader_t reader;
    rs_sink_to_memory(&sink, &written, file, sizeof file);
    REQUIRE_OK(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PARAMS, .params = &weak, .sink = &sink)));
    rs_source_from_memory(&source, &from, file, written.bytes);
    REQUIRE_OK(rs_wire_open(&reader, &source, NULL));
    CHECK_STATUS(rs_wire_read_params(&reader, &read, 0), RS_ERR_INSECURE);
    rs_ignore(rs_wire_close(&reader, 0));
    tables.security = RS_SECURITY_UNCHECKED;
    REQUIRE_OK(rs_context_init(&context, &tables));
    rs_secret_key_t key = {.ntt = (uint64_t *)(void *)room(2 * 1024 * 8)};
    REQUIRE_OK(rs_keygen_secret(context, &key, &rng));
    const rs_publish_t unnamed = {.bits = 8}; // no noise wants its name
    CHECK_STATUS(
        rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = context, .secret_key = &key, .publish = &unnamed, .rng = &rng)),
        RS_ERR_PUBLISH);
    const rs_publish_t named = {.bits = 8, .flood_bits = RS_FLOOD_NONE};
    CHECK_OK(rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = context, .secret_key = &key, .publish = &named)));
    CHECK(RS_MLDSA_HEDGED == 0 && RS_FNDSA_PADDED == 0 && RS_SECURITY_CHECKED == 0 && !RS_COMPRESSION_NONE);
    CHECK(rs_mlkem_sizes(0) == NULL && rs_mldsa_sizes(0) == NULL && rs_fndsa_sizes(0) == NULL && !rs_mldsa_digest_bytes(0));
}

// ---- schemes for research --------------------------------------------------------------------------------------------------
RS_TEST(consent) {
    static const char *const NONE[] = {NULL, "", "research", "research-only ", "insecure-deterministic"};
    const rs_memory_t memory = {room(1 << 16), 1 << 16};
    const rs_newhope_t *newhope = NULL;
    const rs_bliss_t *bliss = NULL;
    for (unsigned k = 0; k < sizeof NONE / sizeof *NONE; k++) {
        CHECK_STATUS(rs_newhope_init(&newhope, memory, 1, 1, NONE[k]), RS_ERR_CONSENT);
        CHECK_STATUS(rs_bliss_init(&bliss, memory, NONE[k]), RS_ERR_CONSENT);
    }
    CHECK(!newhope && !bliss);
}

RS_TEST(newhope) {
    const rs_research_sizes_t *s = rs_newhope_sizes();
    const rs_newhope_t *scheme = NULL;
    arguments_t a = {.set = RS_NEWHOPE_PARSE_5Q, .option = RS_NEWHOPE_STREAM_SHAKE256, .made = &scheme};
    OPERATION(rs_newhope_init, a, RS_OK);
    has(POINTER, &a.made, 0), has(MEMORY, &a.memory, s->memory), refuses(&a.set, 0, RS_ERR_OPTION);
    refuses(&a.set, 3, RS_ERR_OPTION), refuses(&a.option, 0, RS_ERR_OPTION), refuses(&a.option, 3, RS_ERR_OPTION);
    check(0);
    rs_newhope_server_request_t server = {.size = sizeof server, .scheme = scheme, .rng = &rng};
    OPERATION(rs_newhope_server, server, RS_ERR_BYTES);
    has(SIZE, &server, 0), has(POINTER, &server.scheme, 0), has(OUT, &server.message, 1824), has(OUT, &server.secret, 1792);
    has(SEED, &server.seed, 32), has(SEED, &server.noise_seed, 32), has(RNG, &server.rng, 0);
    has(WORK, &server.workspace, s->workspace), refuses(&server.reserved, 1, RS_ERR_STRUCT);
    check(PATTERN);
    rs_newhope_client_request_t client = {
        .size = sizeof client, .scheme = scheme, .server_message = view_of(server.message), .rng = &rng};
    OPERATION(rs_newhope_client, client, RS_ERR_BYTES);
    has(SIZE, &client, 0), has(POINTER, &client.scheme, 0), has(IN, &client.server_message, 0), has(OUT, &client.message, 2048);
    has(OUT, &client.shared, 32), has(SEED, &client.noise_seed, 32), has(RNG, &client.rng, 0);
    has(WORK, &client.workspace, s->workspace), refuses(&client.reserved, 1, RS_ERR_STRUCT);
    check(PATTERN);
    a = (arguments_t){.scheme = scheme, .in = {view_of(client.message), view_of(server.secret)}};
    OPERATION(rs_newhope_shared, a, RS_ERR_BYTES);
    has(POINTER, &a.scheme, 0), has(OUT, &a.out, 32), has(IN, &a.in[0], 0), has(IN, &a.in[1], 0),
        has(WORK, &a.memory, s->workspace);
    check(0);
}

RS_TEST(bliss) {
    static const uint8_t MESSAGE[3];
    const rs_research_sizes_t *s = rs_bliss_sizes();
    const rs_bliss_t *scheme = NULL;
    arguments_t a = {.made = &scheme};
    OPERATION(rs_bliss_init, a, RS_OK);
    has(POINTER, &a.made, 0), has(MEMORY, &a.memory, s->memory);
    check(0);
    rs_bliss_keygen_request_t keygen = {.size = sizeof keygen, .scheme = scheme, .rng = &rng};
    OPERATION(rs_bliss_keygen, keygen, RS_ERR_BYTES);
    has(SIZE, &keygen, 0), has(POINTER, &keygen.scheme, 0), has(OUT, &keygen.public_key, 896), has(OUT, &keygen.secret_key, 1152);
    has(SEED, &keygen.seed, 64), has(RNG, &keygen.rng, 0), has(WORK, &keygen.workspace, s->workspace);
    refuses(&keygen.reserved, 1, RS_ERR_STRUCT);
    check(PATTERN);
    rs_bliss_sign_request_t sign = {.size = sizeof sign, .scheme = scheme, .message = {MESSAGE, sizeof MESSAGE}, .rng = &rng};
    sign.secret_key = view_of(keygen.secret_key);
    OPERATION(rs_bliss_sign, sign, RS_ERR_BYTES);
    has(SIZE, &sign, 0), has(POINTER, &sign.scheme, 0), has(IN, &sign.secret_key, 0), has(TEXT, &sign.message, 0);
    has(OUT, &sign.signature, 1050), has(SEED, &sign.seed, 64), has(RNG, &sign.rng, 0);
    has(WORK, &sign.workspace, s->workspace), refuses(&sign.reserved, 1, RS_ERR_STRUCT);
    check(PATTERN);
    a = (arguments_t){.scheme = scheme, .in = {view_of(sign.signature), sign.message, view_of(keygen.public_key)}};
    OPERATION(rs_bliss_verify, a, RS_ERR_BYTES);
    has(POINTER, &a.scheme, 0), has(IN, &a.in[0], 0), has(TEXT, &a.in[1], 0), has(IN, &a.in[2], 0),
        has(MEMORY, &a.memory, s->workspace);
    check(0);
}
