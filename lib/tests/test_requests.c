// SPDX-License-Identifier: Apache-2.0
// What ML-KEM, ML-DSA, FN-DSA, NewHope and BLISS refuse: every size of a request, every member that is missing, has another length or contradicts
// another one, and sources of random bytes that fail. Outputs stay as they are, and nothing is drawn for what is refused.
#include <ringside/ringside.h>

#include <stddef.h>

#include "fixture.h"
#include "fndsa_samples.h"

enum { PATTERN = 0xa5, TAIL = 16, REQUEST_MAX = 256, FIELDS_MAX = 8, FAULTS_MAX = 6 };

// ---- tables --------------------------------------------------------------------------------------------------------------
typedef enum kind {
    NONE,
    IN, // a view of one length
    OUT,
    OUT_OR_NOT, // bytes that need not be there
    TEXT, // a view of any length
    SEED, // a view in place of rng
    WORK,
    MEMORY, // workspace that is kept
    POINTER
} kind_t;

typedef struct field {
    kind_t kind;
    size_t at;
} field_t;

// A word of the request with a value that it may not have.
typedef struct fault {
    size_t at;
    uint32_t value;
    rs_status_t status;
} fault_t;

// `bytes` of the struct, which begins with its size if `has_size`; rng: its offset, or 0; other: the status of another length.
typedef struct operation {
    const char *name;
    rs_status_t (*call)(const void *request);
    size_t bytes, has_size, rng;
    rs_status_t other;
    field_t fields[FIELDS_MAX];
    fault_t faults[FAULTS_MAX];
} operation_t;

typedef struct span {
    uint8_t *p;
    size_t n;
} span_t;

// ---- one call ------------------------------------------------------------------------------------------------------------
static unsigned draws, fails;

static rs_status_t fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    memset(out, (int)++draws, bytes);
    return fails ? RS_ERR_IO : RS_OK;
}

static rs_rng_t rng = {fill, NULL}, without_fill;
static rs_rng_t *const RNG = &rng, *const EMPTY = &without_fill, *const NO_RNG = NULL;
static _Alignas(8) uint8_t request[REQUEST_MAX + TAIL];
static const operation_t *op;
static const uint8_t *good; // the request of op that is in order

static span_t span_of(const field_t *f) {
    span_t span;
    memcpy(&span, good + f->at, sizeof span);
    return span;
}

static int are_all(span_t span, uint8_t value) {
    for (size_t i = 0; i < span.n; i++) {
        if (span.p[i] != value) return 0;
    }
    return 1;
}

static void begin(void) {
    memset(request, 0, sizeof request);
    memcpy(request, good, op->bytes);
    draws = 0;
    for (const field_t *f = op->fields; f->kind; f++) {
        if (f->kind == OUT || f->kind == OUT_OR_NOT || f->kind == WORK) memset(span_of(f).p, PATTERN, span_of(f).n);
    }
}

// outputs: all their bytes, or a negative number for a result.
static void expect(rs_status_t want, const char *what, size_t where, int outputs) {
    int holds = CHECK_STATUS(op->call(request), want);
    for (const field_t *f = op->fields; f->kind; f++) {
        if (f->kind == OUT || (f->kind == OUT_OR_NOT && want != RS_OK)) {
            holds &= CHECK(outputs < 0 ? !are_all(span_of(f), PATTERN) : are_all(span_of(f), (uint8_t)outputs));
        }
        if (f->kind == WORK && outputs < 0) holds &= CHECK(are_all(span_of(f), 0));
        if (f->kind == WORK && fails) holds &= CHECK(are_all(span_of(f), 0) || are_all(span_of(f), PATTERN));
    }
    if (outputs == PATTERN && !fails) holds &= CHECK_EQ_U64(draws, 0);
    if (!holds) printf("    %s: %s of the member at %zu\n", op->name, what, where);
}

static void refuse(size_t at, const void *value, size_t bytes, rs_status_t want, const char *what) {
    begin();
    memcpy(request + at, value, bytes);
    expect(want, what, at, PATTERN);
}

static void refuse_span(const field_t *f, uint8_t *p, size_t n, rs_status_t want, const char *what) {
    const span_t span = {p, n};
    refuse(f->at, &span, sizeof span, want, what);
}

static void check_sizes(void) {
    for (uint32_t size = 0; size <= op->bytes + TAIL; size++) {
        begin();
        memcpy(request, &size, sizeof size);
        expect(size < op->bytes ? RS_ERR_STRUCT : RS_OK, "size", size, size < op->bytes ? PATTERN : -1);
        if (size <= op->bytes) continue;
        request[size - 1] = 1; // a member of a newer header
        draws = 0;
        if (!CHECK_STATUS(op->call(request), RS_ERR_STRUCT)) printf("    %s: a tail of %u bytes\n", op->name, size);
        CHECK_EQ_U64(draws, 0);
    }
    CHECK_STATUS(op->call(NULL), RS_ERR_NULL);
}

static void check_field(const field_t *f) {
    const span_t span = span_of(f);
    const int has_length = f->kind == IN || f->kind == OUT || f->kind == OUT_OR_NOT || (f->kind == SEED && span.n);
    if (f->kind == POINTER) {
        refuse(f->at, &NO_RNG, sizeof NO_RNG, RS_ERR_NULL, "NULL");
        return;
    }
    if (f->kind == SEED && !span.n) { // beside rng, or where there is no such member
        refuse_span(f, request, 1, RS_ERR_OPTION, "presence");
        return;
    }
    refuse_span(f, NULL, span.n ? span.n : 1, RS_ERR_NULL, "NULL");
    if (has_length && f->kind != OUT_OR_NOT) refuse_span(f, NULL, 0, RS_ERR_NULL, "absence");
    if (has_length) {
        refuse_span(f, span.p, span.n - 1, op->other, "length");
        refuse_span(f, span.p, span.n + 1, op->other, "length");
        refuse_span(f, span.p, 0, op->other, "length");
    }
    if (f->kind == WORK || f->kind == MEMORY) {
        refuse_span(f, span.p, span.n - 1, RS_ERR_MEMORY, "length");
        refuse_span(f, span.p + 4, span.n, RS_ERR_ALIGNMENT, "alignment");
    }
}

// after_rng: what outputs are when rng has failed.
static void check(const operation_t *operation, const void *in_order, int after_rng) {
    op = operation;
    good = in_order;
    begin();
    expect(RS_OK, "nothing", 0, -1);
    if (op->has_size) check_sizes();
    for (const field_t *f = op->fields; f->kind; f++) check_field(f);
    for (const fault_t *f = op->faults; f->status; f++) refuse(f->at, &f->value, sizeof f->value, f->status, "value");
    if (!op->rng) return;
    if (memcmp(good + op->rng, &RNG, sizeof RNG)) {
        refuse(op->rng, &RNG, sizeof RNG, RS_ERR_OPTION, "presence");
        return;
    }
    refuse(op->rng, &NO_RNG, sizeof NO_RNG, RS_ERR_NULL, "NULL");
    refuse(op->rng, &EMPTY, sizeof EMPTY, RS_ERR_NULL, "fill");
    begin();
    fails = 1;
    expect(RS_ERR_RNG, "failure", op->rng, after_rng);
    fails = 0;
}

static uint8_t *room(size_t bytes) {
    return rs_test_own(calloc(1, bytes));
}

#define SPAN(bytes) {room(bytes), bytes}
#define AT(member) offsetof(REQUEST, member)
#define CALL_OF(function)                               \
    static rs_status_t call_##function(const void *r) { \
        return function(r);                             \
    }
#define OPERATION(function, other_, ...) \
    {.name = #function,                  \
     .call = call_##function,            \
     .bytes = sizeof(REQUEST),           \
     .has_size = 1,                      \
     .rng = AT(rng),                     \
     .other = other_,                    \
     __VA_ARGS__}
#define ARGUMENTS(function, other_, ...) \
    {.name = #function, .call = call_##function, .bytes = sizeof(REQUEST), .other = other_, __VA_ARGS__}

// ---- ML-KEM --------------------------------------------------------------------------------------------------------------
CALL_OF(rs_mlkem_keygen)
CALL_OF(rs_mlkem_encaps)
CALL_OF(rs_mlkem_decaps)

typedef struct mlkem_check {
    uint32_t set, reserved;
    rs_view_t ek, dk;
} mlkem_check_t;

static rs_status_t call_rs_mlkem_check(const void *arguments) {
    const mlkem_check_t *a = arguments;
    return rs_mlkem_check(a->set, a->ek, a->dk);
}

#define UNKNOWN_SETS(status)                        \
    {AT(set), 0, status}, {AT(set), 769, status}, { \
        AT(set), (uint32_t)-768, status             \
    }
#define REQUEST rs_mlkem_keygen_request_t
static const operation_t MLKEM_KEYGEN = OPERATION(
    rs_mlkem_keygen, RS_ERR_MLKEM_BYTES, .fields = {{OUT, AT(ek)}, {OUT, AT(dk)}, {SEED, AT(seed)}, {WORK, AT(workspace)}},
    .faults = {UNKNOWN_SETS(RS_ERR_MLKEM_SET), {AT(set), RS_MLDSA_65, RS_ERR_MLKEM_SET}});
#undef REQUEST
#define REQUEST rs_mlkem_encaps_request_t
static const operation_t MLKEM_ENCAPS =
    OPERATION(rs_mlkem_encaps, RS_ERR_MLKEM_BYTES,
              .fields = {{IN, AT(ek)}, {OUT, AT(ct)}, {OUT, AT(shared)}, {SEED, AT(m)}, {WORK, AT(workspace)}},
              .faults = {UNKNOWN_SETS(RS_ERR_MLKEM_SET)});
#undef REQUEST
#define REQUEST rs_mlkem_decaps_request_t
static const operation_t MLKEM_DECAPS = {
    .name = "rs_mlkem_decaps",
    .call = call_rs_mlkem_decaps,
    .bytes = sizeof(REQUEST),
    .has_size = 1,
    .other = RS_ERR_MLKEM_BYTES,
    .fields = {{IN, AT(dk)}, {IN, AT(ct)}, {OUT, AT(shared)}, {SEED, AT(seed)}, {SEED, AT(ek)}, {WORK, AT(workspace)}},
    .faults = {UNKNOWN_SETS(RS_ERR_MLKEM_SET)}};
#undef REQUEST
#define REQUEST mlkem_check_t
static const operation_t MLKEM_CHECK_EK =
    ARGUMENTS(rs_mlkem_check, RS_ERR_MLKEM_BYTES, .fields = {{IN, AT(ek)}}, .faults = {UNKNOWN_SETS(RS_ERR_MLKEM_SET)});
static const operation_t MLKEM_CHECK_DK = ARGUMENTS(rs_mlkem_check, RS_ERR_MLKEM_BYTES, .fields = {{IN, AT(dk)}});
#undef REQUEST

RS_TEST(mlkem) {
    static const uint32_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    for (unsigned i = 0; i < 3; i++) {
        const rs_mlkem_sizes_t *s = rs_mlkem_sizes(SETS[i]);
        const rs_memory_t workspace = SPAN(s->workspace);
        rs_mlkem_keygen_request_t keygen = {sizeof keygen, SETS[i], SPAN(s->ek), SPAN(s->dk), .rng = &rng, .workspace = workspace};
        check(&MLKEM_KEYGEN, &keygen, PATTERN);
        keygen.rng = NULL;
        keygen.seed = (rs_view_t)SPAN(RS_MLKEM_SEED_BYTES);
        check(&MLKEM_KEYGEN, &keygen, 0);
        CHECK_OK(rs_mlkem_keygen(&keygen));
        const rs_view_t ek = {keygen.ek.p, keygen.ek.n}, dk = {keygen.dk.p, keygen.dk.n};
        rs_mlkem_encaps_request_t encaps = {
            sizeof encaps, SETS[i], ek, SPAN(s->ct), SPAN(RS_MLKEM_SHARED_BYTES), .rng = &rng, .workspace = workspace};
        check(&MLKEM_ENCAPS, &encaps, PATTERN);
        encaps.rng = NULL;
        encaps.m = (rs_view_t)SPAN(RS_MLKEM_RANDOM_BYTES);
        check(&MLKEM_ENCAPS, &encaps, 0);
        CHECK_OK(rs_mlkem_encaps(&encaps));
        const rs_mlkem_decaps_request_t decaps = {
            sizeof decaps, SETS[i], dk, {encaps.ct.p, s->ct}, SPAN(RS_MLKEM_SHARED_BYTES), .workspace = workspace};
        check(&MLKEM_DECAPS, &decaps, 0);
        check(&MLKEM_CHECK_EK, &(const mlkem_check_t){SETS[i], 0, ek, {NULL, 0}}, 0);
        check(&MLKEM_CHECK_DK, &(const mlkem_check_t){SETS[i], 0, {NULL, 0}, dk}, 0);
        CHECK_OK(rs_mlkem_check(SETS[i], ek, dk));
        CHECK_STATUS(rs_mlkem_check(SETS[(i + 1) % 3], ek, dk), RS_ERR_MLKEM_BYTES); // lengths of another set
    }
}

// ---- ML-DSA --------------------------------------------------------------------------------------------------------------
CALL_OF(rs_mldsa_keygen)
CALL_OF(rs_mldsa_sign)
CALL_OF(rs_mldsa_verify)

typedef struct mldsa_call {
    uint32_t set, reserved;
    rs_bytes_t out; // pk of a secret key, mu
    rs_view_t key, context;
    const rs_mldsa_message_t *message;
    rs_sponge_t *sponge;
    rs_memory_t workspace;
} mldsa_call_t;

static rs_status_t call_rs_mldsa_public_key(const void *arguments) {
    const mldsa_call_t *a = arguments;
    return rs_mldsa_public_key(a->set, a->out, a->key, a->workspace);
}

static rs_status_t call_rs_mldsa_mu(const void *arguments) {
    const mldsa_call_t *a = arguments;
    return rs_mldsa_mu(a->set, a->out, a->key, a->message);
}

static rs_status_t call_rs_mldsa_mu_start(const void *arguments) {
    const mldsa_call_t *a = arguments;
    return rs_mldsa_mu_start(a->set, a->sponge, a->key, a->context);
}

#undef UNKNOWN_SETS
#define UNKNOWN_SETS                  \
    {AT(set), 0, RS_ERR_MLDSA_SET}, { \
        AT(set), 45, RS_ERR_MLDSA_SET \
    }
#define REQUEST rs_mldsa_keygen_request_t
static const operation_t MLDSA_KEYGEN =
    OPERATION(rs_mldsa_keygen, RS_ERR_MLDSA_BYTES,
              .fields = {{OUT, AT(pk)}, {OUT, AT(sk)}, {SEED, AT(seed)}, {WORK, AT(workspace)}}, .faults = {UNKNOWN_SETS});
#undef REQUEST
#define REQUEST rs_mldsa_sign_request_t
static const operation_t MLDSA_SIGN = OPERATION(rs_mldsa_sign, RS_ERR_MLDSA_BYTES,
                                                .fields = {{IN, AT(sk)},
                                                           {TEXT, AT(message.bytes)},
                                                           {TEXT, AT(message.context)},
                                                           {OUT, AT(signature)},
                                                           {SEED, AT(rnd)},
                                                           {WORK, AT(workspace)}},
                                                .faults = {UNKNOWN_SETS,
                                                           {AT(reserved), 1, RS_ERR_STRUCT},
                                                           {AT(mode), 3, RS_ERR_OPTION},
                                                           {AT(message.form), 4, RS_ERR_OPTION},
                                                           {AT(message.hash), RS_MLDSA_SHA2_256, RS_ERR_OPTION}});
#undef REQUEST
#define REQUEST rs_mldsa_verify_request_t
static const operation_t MLDSA_VERIFY = {
    .name = "rs_mldsa_verify",
    .call = call_rs_mldsa_verify,
    .bytes = sizeof(REQUEST),
    .has_size = 1,
    .other = RS_ERR_MLDSA_BYTES,
    .fields = {{IN, AT(pk)}, {TEXT, AT(message.bytes)}, {TEXT, AT(message.context)}, {IN, AT(signature)}, {WORK, AT(workspace)}},
    .faults = {UNKNOWN_SETS, {AT(message.form), (uint32_t)-1, RS_ERR_OPTION}}};
#undef REQUEST
#define REQUEST mldsa_call_t
static const operation_t MLDSA_PUBLIC_KEY =
    ARGUMENTS(rs_mldsa_public_key, RS_ERR_MLDSA_BYTES, .fields = {{OUT_OR_NOT, AT(out)}, {IN, AT(key)}, {WORK, AT(workspace)}},
              .faults = {UNKNOWN_SETS});
static const operation_t MLDSA_MU = ARGUMENTS(
    rs_mldsa_mu, RS_ERR_MLDSA_BYTES, .fields = {{OUT, AT(out)}, {IN, AT(key)}, {POINTER, AT(message)}}, .faults = {UNKNOWN_SETS});
static const operation_t MLDSA_MU_START =
    ARGUMENTS(rs_mldsa_mu_start, RS_ERR_MLDSA_BYTES, .fields = {{IN, AT(key)}, {TEXT, AT(context)}, {POINTER, AT(sponge)}},
              .faults = {UNKNOWN_SETS});
#undef REQUEST

// Messages that are none, of both calls that take one.
static void check_messages(const rs_mldsa_sign_request_t *sign) {
    static const uint8_t BYTES[256];
    static const struct {
        rs_mldsa_message_t message;
        rs_status_t status;
    } WRONG[] = {
        {{RS_MLDSA_PURE, 0, {BYTES, 1}, {BYTES, 256}}, RS_ERR_MLDSA_CONTEXT},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_256, {BYTES, 32}, {BYTES, 256}}, RS_ERR_MLDSA_CONTEXT},
        {{RS_MLDSA_DIGEST, 0, {BYTES, 32}, {NULL, 0}}, RS_ERR_MLDSA_PREHASH},
        {{RS_MLDSA_DIGEST, 13, {BYTES, 32}, {NULL, 0}}, RS_ERR_MLDSA_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_384, {BYTES, 32}, {NULL, 0}}, RS_ERR_MLDSA_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHAKE128, {BYTES, 31}, {NULL, 0}}, RS_ERR_MLDSA_PREHASH},
        {{RS_MLDSA_DIGEST, RS_MLDSA_SHA2_256, {NULL, 32}, {NULL, 0}}, RS_ERR_NULL},
        {{RS_MLDSA_MU, 0, {BYTES, 32}, {NULL, 0}}, RS_ERR_MLDSA_BYTES},
        {{RS_MLDSA_MU, 0, {NULL, 0}, {NULL, 0}}, RS_ERR_NULL},
        {{RS_MLDSA_MU, 0, {BYTES, 64}, {BYTES, 1}}, RS_ERR_OPTION},
        {{RS_MLDSA_MU, RS_MLDSA_SHA2_256, {BYTES, 64}, {NULL, 0}}, RS_ERR_OPTION},
        {{RS_MLDSA_INTERNAL, 0, {BYTES, 64}, {BYTES, 1}}, RS_ERR_OPTION},
        {{4, 0, {BYTES, 64}, {NULL, 0}}, RS_ERR_OPTION},
    };
    rs_mldsa_sign_request_t r = *sign;
    for (unsigned i = 0; i < sizeof WRONG / sizeof *WRONG; i++) {
        uint8_t mu[RS_MLDSA_MU_BYTES] = {PATTERN};
        memset(r.signature.p, PATTERN, r.signature.n);
        r.message = WRONG[i].message;
        const int holds = CHECK_STATUS(rs_mldsa_sign(&r), WRONG[i].status);
        if (!holds) printf("    message %u\n", i);
        CHECK(are_all((span_t){r.signature.p, r.signature.n}, PATTERN));
        CHECK_STATUS(rs_mldsa_mu(r.set, (rs_bytes_t){mu, sizeof mu}, (rs_view_t){r.sk.p, rs_mldsa_sizes(r.set)->pk}, &r.message),
                     WRONG[i].status);
    }
}

RS_TEST(mldsa) {
    static const uint32_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    static const uint8_t TEXTS[2][3] = {{1, 2}, {3}};
    static const rs_mldsa_message_t MESSAGE = {RS_MLDSA_PURE, 0, {TEXTS[0], 3}, {TEXTS[1], 3}};
    for (unsigned i = 0; i < 3; i++) {
        const rs_mldsa_sizes_t *s = rs_mldsa_sizes(SETS[i]);
        const rs_memory_t workspace = SPAN(s->workspace);
        rs_mldsa_keygen_request_t keygen = {sizeof keygen, SETS[i], SPAN(s->pk), SPAN(s->sk), .rng = &rng, .workspace = workspace};
        check(&MLDSA_KEYGEN, &keygen, PATTERN);
        keygen.rng = NULL;
        keygen.seed = (rs_view_t)SPAN(RS_MLDSA_SEED_BYTES);
        check(&MLDSA_KEYGEN, &keygen, 0);
        CHECK_OK(rs_mldsa_keygen(&keygen));
        const rs_view_t pk = {keygen.pk.p, keygen.pk.n}, sk = {keygen.sk.p, keygen.sk.n};
        uint32_t rounds = 1000;
        rs_mldsa_sign_request_t sign = {.size = sizeof sign,
                                        .set = SETS[i],
                                        .sk = sk,
                                        .message = MESSAGE,
                                        .signature = SPAN(s->signature),
                                        .rng = &rng,
                                        .rounds = &rounds,
                                        .workspace = workspace};
        check(&MLDSA_SIGN, &sign, 0);
        CHECK_EQ_U64(rounds, 0); // rng has failed
        sign.rng = NULL;
        sign.mode = RS_MLDSA_DETERMINISTIC;
        check(&MLDSA_SIGN, &sign, 0);
        sign.mode = RS_MLDSA_GIVEN;
        sign.rnd = (rs_view_t)SPAN(RS_MLDSA_RANDOM_BYTES);
        check(&MLDSA_SIGN, &sign, 0);
        check_messages(&sign);
        CHECK_OK(rs_mldsa_sign(&sign));
        CHECK(rounds > 0 && rounds < 1000);
        const rs_mldsa_verify_request_t verify = {
            sizeof verify, SETS[i], pk, MESSAGE, {sign.signature.p, sign.signature.n}, SPAN(s->verify_workspace)};
        check(&MLDSA_VERIFY, &verify, 0);
        mldsa_call_t call = {.set = SETS[i], .out = SPAN(s->pk), .key = sk, .workspace = workspace};
        check(&MLDSA_PUBLIC_KEY, &call, 0);
        call = (mldsa_call_t){.set = SETS[i], .out = SPAN(RS_MLDSA_MU_BYTES), .key = pk, .message = &MESSAGE};
        check(&MLDSA_MU, &call, 0);
        call = (mldsa_call_t){.set = SETS[i], .key = pk, .sponge = rs_test_own(malloc(sizeof(rs_sponge_t)))};
        check(&MLDSA_MU_START, &call, 0);
        CHECK_STATUS(rs_mldsa_mu_start(SETS[i], call.sponge, pk, (rs_view_t){pk.p, 256}), RS_ERR_MLDSA_CONTEXT);
    }
}

// ---- FN-DSA --------------------------------------------------------------------------------------------------------------
typedef struct fndsa_call {
    uint32_t set, form;
    const rs_fndsa_key_t **made;
    const rs_fndsa_key_t *key;
    rs_view_t pk, message, signature;
    rs_memory_t memory;
} fndsa_call_t;

static rs_status_t call_rs_fndsa_key_init(const void *arguments) {
    const fndsa_call_t *a = arguments;
    return rs_fndsa_key_init(a->made, a->memory, a->set, a->pk);
}

static rs_status_t call_rs_fndsa_verify(const void *arguments) {
    const fndsa_call_t *a = arguments;
    return rs_fndsa_verify(a->key, a->form, a->message, a->signature, a->memory);
}

#define REQUEST fndsa_call_t
static const operation_t FNDSA_KEY =
    ARGUMENTS(rs_fndsa_key_init, RS_ERR_FNDSA_BYTES, .fields = {{POINTER, AT(made)}, {IN, AT(pk)}, {MEMORY, AT(memory)}},
              .faults = {{AT(set), 0, RS_ERR_FNDSA_SET}, {AT(set), 513, RS_ERR_FNDSA_SET}});
static const operation_t FNDSA_VERIFY =
    ARGUMENTS(rs_fndsa_verify, RS_ERR_FNDSA_BYTES,
              .fields = {{POINTER, AT(key)}, {TEXT, AT(message)}, {IN, AT(signature)}, {WORK, AT(memory)}},
              .faults = {{AT(form), 2, RS_ERR_SIGNATURE}});
#undef REQUEST

static void from_hex(span_t out, const char *text) {
    for (size_t i = 0; i < out.n; i++) {
        unsigned byte = 0;
        REQUIRE(sscanf(text + 2 * i, "%2x", &byte) == 1);
        out.p[i] = (uint8_t)byte;
    }
}

RS_TEST(fndsa) {
    static const uint8_t MESSAGE[] = "Ringside";
    for (unsigned k = 0; k < 2; k++) {
        const uint32_t set = k ? RS_FNDSA_1024 : RS_FNDSA_512;
        const rs_fndsa_sizes_t *s = rs_fndsa_sizes(set);
        const span_t pk = SPAN(s->pk), signature = SPAN(s->signature);
        from_hex(pk, k ? FNDSA_1024_PK : FNDSA_512_PK);
        from_hex(signature, k ? FNDSA_1024_SIGNATURE : FNDSA_512_SIGNATURE);
        const rs_fndsa_key_t *key = NULL;
        fndsa_call_t call = {.set = set, .made = &key, .pk = {pk.p, pk.n}, .memory = SPAN(s->key)};
        check(&FNDSA_KEY, &call, 0);
        call = (fndsa_call_t){.key = key,
                              .message = {MESSAGE, sizeof MESSAGE - 1},
                              .signature = {signature.p, signature.n},
                              .memory = SPAN(s->workspace)};
        check(&FNDSA_VERIFY, &call, 0);
    }
}

// ---- NewHope -------------------------------------------------------------------------------------------------------------
CALL_OF(rs_newhope_server)
CALL_OF(rs_newhope_client)

typedef struct research_call {
    uint32_t parse, stream;
    const rs_newhope_t **newhope;
    const rs_bliss_t **bliss;
    const void *scheme;
    rs_bytes_t out;
    rs_view_t in[2], message;
    rs_memory_t memory;
} research_call_t;

static rs_status_t call_rs_newhope_init(const void *arguments) {
    const research_call_t *a = arguments;
    return rs_newhope_init(a->newhope, a->memory, a->parse, a->stream, "research-only");
}

static rs_status_t call_rs_newhope_shared(const void *arguments) {
    const research_call_t *a = arguments;
    return rs_newhope_shared(a->scheme, a->out, a->in[0], a->in[1], a->memory);
}

#define REQUEST rs_newhope_server_request_t
static const operation_t NEWHOPE_SERVER = OPERATION(rs_newhope_server, RS_ERR_LENGTH,
                                                    .fields = {{POINTER, AT(scheme)},
                                                               {OUT, AT(message)},
                                                               {OUT, AT(secret)},
                                                               {SEED, AT(seed)},
                                                               {SEED, AT(noise_seed)},
                                                               {WORK, AT(workspace)}},
                                                    .faults = {{AT(reserved), 1, RS_ERR_STRUCT}});
#undef REQUEST
#define REQUEST rs_newhope_client_request_t
static const operation_t NEWHOPE_CLIENT = OPERATION(rs_newhope_client, RS_ERR_LENGTH,
                                                    .fields = {{POINTER, AT(scheme)},
                                                               {IN, AT(server_message)},
                                                               {OUT, AT(message)},
                                                               {OUT, AT(shared)},
                                                               {SEED, AT(noise_seed)},
                                                               {WORK, AT(workspace)}},
                                                    .faults = {{AT(reserved), 1, RS_ERR_STRUCT}});
#undef REQUEST
#define REQUEST research_call_t
static const operation_t NEWHOPE_INIT = ARGUMENTS(rs_newhope_init, RS_OK, .fields = {{POINTER, AT(newhope)}, {MEMORY, AT(memory)}},
                                                  .faults = {{AT(parse), 0, RS_ERR_OPTION},
                                                             {AT(parse), 3, RS_ERR_OPTION},
                                                             {AT(stream), 0, RS_ERR_OPTION},
                                                             {AT(stream), 3, RS_ERR_OPTION}});
static const operation_t NEWHOPE_SHARED =
    ARGUMENTS(rs_newhope_shared, RS_ERR_LENGTH,
              .fields = {{POINTER, AT(scheme)}, {OUT, AT(out)}, {IN, AT(in[0])}, {IN, AT(in[1])}, {WORK, AT(memory)}});
#undef REQUEST

RS_TEST(newhope) {
    const rs_newhope_t *scheme = NULL;
    research_call_t call = {.parse = RS_NEWHOPE_PARSE_USENIX,
                            .stream = RS_NEWHOPE_STREAM_CHACHA20,
                            .newhope = &scheme,
                            .memory = SPAN(rs_newhope_sizes()->memory)};
    check(&NEWHOPE_INIT, &call, 0);
    const rs_memory_t workspace = SPAN(rs_newhope_sizes()->workspace);
    rs_newhope_server_request_t server = {
        sizeof server,         0, scheme, SPAN(RS_NEWHOPE_SERVER_BYTES), SPAN(RS_NEWHOPE_SECRET_BYTES), .rng = &rng,
        .workspace = workspace};
    check(&NEWHOPE_SERVER, &server, PATTERN);
    server.rng = NULL;
    server.seed = (rs_view_t)SPAN(RS_NEWHOPE_SEED_BYTES);
    server.noise_seed = (rs_view_t)SPAN(RS_NEWHOPE_SEED_BYTES);
    check(&NEWHOPE_SERVER, &server, 0);
    CHECK_OK(rs_newhope_server(&server));
    rs_newhope_client_request_t client = {.size = sizeof client,
                                          .scheme = scheme,
                                          .server_message = {server.message.p, server.message.n},
                                          .message = SPAN(RS_NEWHOPE_CLIENT_BYTES),
                                          .shared = SPAN(RS_NEWHOPE_SHARED_BYTES),
                                          .rng = &rng,
                                          .workspace = workspace};
    check(&NEWHOPE_CLIENT, &client, PATTERN);
    client.rng = NULL;
    client.noise_seed = (rs_view_t)SPAN(RS_NEWHOPE_SEED_BYTES);
    check(&NEWHOPE_CLIENT, &client, 0);
    CHECK_OK(rs_newhope_client(&client));
    call = (research_call_t){.scheme = scheme,
                             .out = SPAN(RS_NEWHOPE_SHARED_BYTES),
                             .in = {{client.message.p, client.message.n}, {server.secret.p, server.secret.n}},
                             .memory = workspace};
    check(&NEWHOPE_SHARED, &call, 0);
}

// ---- BLISS ---------------------------------------------------------------------------------------------------------------
CALL_OF(rs_bliss_keygen)
CALL_OF(rs_bliss_sign)

static rs_status_t call_rs_bliss_init(const void *arguments) {
    const research_call_t *a = arguments;
    return rs_bliss_init(a->bliss, a->memory, "research-only");
}

static rs_status_t call_rs_bliss_verify(const void *arguments) {
    const research_call_t *a = arguments;
    return rs_bliss_verify(a->scheme, a->in[0], a->message, a->in[1], a->memory);
}

#define REQUEST rs_bliss_keygen_request_t
static const operation_t BLISS_KEYGEN = OPERATION(
    rs_bliss_keygen, RS_ERR_LENGTH,
    .fields = {{POINTER, AT(scheme)}, {OUT, AT(public_key)}, {OUT, AT(secret_key)}, {SEED, AT(seed)}, {WORK, AT(workspace)}},
    .faults = {{AT(reserved), 1, RS_ERR_STRUCT}});
#undef REQUEST
#define REQUEST rs_bliss_sign_request_t
static const operation_t BLISS_SIGN = OPERATION(rs_bliss_sign, RS_ERR_LENGTH,
                                                .fields = {{POINTER, AT(scheme)},
                                                           {IN, AT(secret_key)},
                                                           {TEXT, AT(message)},
                                                           {OUT, AT(signature)},
                                                           {SEED, AT(seed)},
                                                           {WORK, AT(workspace)}},
                                                .faults = {{AT(reserved), 1, RS_ERR_STRUCT}});
#undef REQUEST
#define REQUEST research_call_t
static const operation_t BLISS_INIT = ARGUMENTS(rs_bliss_init, RS_OK, .fields = {{POINTER, AT(bliss)}, {MEMORY, AT(memory)}});
static const operation_t BLISS_VERIFY =
    ARGUMENTS(rs_bliss_verify, RS_ERR_LENGTH,
              .fields = {{POINTER, AT(scheme)}, {IN, AT(in[0])}, {IN, AT(in[1])}, {TEXT, AT(message)}, {MEMORY, AT(memory)}});
#undef REQUEST

RS_TEST(bliss) {
    static const uint8_t MESSAGE[3] = {1, 2, 3};
    const rs_bliss_t *scheme = NULL;
    research_call_t call = {.bliss = &scheme, .memory = SPAN(rs_bliss_sizes()->memory)};
    check(&BLISS_INIT, &call, 0);
    const rs_memory_t workspace = SPAN(rs_bliss_sizes()->workspace);
    rs_bliss_keygen_request_t keygen = {
        sizeof keygen, 0, scheme, SPAN(RS_BLISS_PUBLIC_BYTES), SPAN(RS_BLISS_SECRET_BYTES), .rng = &rng, .workspace = workspace};
    check(&BLISS_KEYGEN, &keygen, PATTERN);
    keygen.rng = NULL;
    keygen.seed = (rs_view_t)SPAN(RS_SEED_BYTES);
    check(&BLISS_KEYGEN, &keygen, 0);
    CHECK_OK(rs_bliss_keygen(&keygen));
    rs_bliss_sign_request_t sign = {.size = sizeof sign,
                                    .scheme = scheme,
                                    .secret_key = {keygen.secret_key.p, keygen.secret_key.n},
                                    .message = {MESSAGE, sizeof MESSAGE},
                                    .signature = SPAN(RS_BLISS_SIGNATURE_BYTES),
                                    .rng = &rng,
                                    .workspace = workspace};
    check(&BLISS_SIGN, &sign, PATTERN);
    sign.rng = NULL;
    sign.seed = (rs_view_t)SPAN(RS_SEED_BYTES);
    check(&BLISS_SIGN, &sign, 0);
    CHECK_OK(rs_bliss_sign(&sign));
    call = (research_call_t){.scheme = scheme,
                             .in = {{sign.signature.p, sign.signature.n}, {keygen.public_key.p, keygen.public_key.n}},
                             .message = sign.message,
                             .memory = workspace};
    check(&BLISS_VERIFY, &call, 0);
}
