// SPDX-License-Identifier: Apache-2.0
// Key-switching keys as a function of a master seed, in the memory of one ring: a limb's tables are made when its words are due,
// unless there is room to keep them, and any range of bytes can be made alone.
#include <ringside/golden/hash.h>

#include "arith/plan.h"
#include "base/declassify.h"
#include "base/registers.h"
#include "rlwe/checks.h"
#include "sampling/seed.h"
#include "seal/wire_internal.h"

static uint32_t seed_type_of(const rs_keys_stream_request_t *request) {
    return request->seed_type ? request->seed_type : RS_SEED_SHAKE256;
}

typedef struct stream {
    const rs_keys_stream_request_t *request;
    rs_wire_out_t writer;
    rs_wire_range_t range;
    rs_wire_keys_t file;
    uint32_t n, limbs, kept_secrets, kept_tables; // limbs, from the first on, that there is room for
    uint8_t bound[RS_SWITCH_BOUND_BYTES];
    rs_limb_t rings[RS_LIMBS_MAX]; // limbs without a kept table have no more than their roots
    void *table;
    int8_t *small, *error; // coefficients of the key, and of a component's error
    uint64_t *secret, *a, *b, *secrets, *tables; // secrets: NTT of the key
} stream_t;

// Whether the next bytes are of no interest; then they are passed over.
static int passed(stream_t *t, uint64_t bytes) {
    if (t->range.at < t->range.end && t->range.at + bytes > t->range.first) return 0;
    t->range.at += bytes;
    t->writer.member_bytes += bytes;
    return 1;
}

// ---- seeds ---------------------------------------------------------------------------------------------------------------
// Seeds of row `index` of the key for an element: private and public.
static rs_status_t component_seeds(const stream_t *t, uint32_t element, uint32_t index, rs_seed_t seeds[2]) {
    rs_switch_row_t row = {
        .element = element, .index = index, .digit_primes = 1, .special_count = 1, .seed_type = seed_type_of(t->request)};
    memcpy(row.bound, t->bound, sizeof row.bound);
    return rs_switch_seeds(&seeds[0], &seeds[1], t->request->master, t->request->index, &row);
}

// ---- limbs ---------------------------------------------------------------------------------------------------------------
static rs_status_t load_ring(stream_t *t, uint32_t limb, const rs_limb_t **ring) {
    const rs_params_t *params = t->request->params;
    const uint64_t q = params->moduli[limb];
    const rs_ring_t *kernels = rs_backend_choice(rs_backend_current(), params->log_n, q).ring;
    rs_limb_t *l = &t->rings[limb];
    const int is_kept = limb < t->kept_tables;
    *ring = l;
    if (!l->root) {
        rs_limb_init(l, kernels, params->log_n, q, is_kept ? t->tables + (size_t)limb * 2 * t->n : t->table);
        return RS_OK;
    }
    return is_kept ? RS_OK : rs_limb_init_root(l, kernels, params->log_n, q, l->root, t->table);
}

static const uint64_t *secret_in(const stream_t *t, uint32_t limb) {
    if (limb < t->kept_secrets) return t->secrets + (size_t)limb * t->n;
    rs_ring_forward(&t->rings[limb], t->secret, t->small, NULL, NULL, 0);
    return t->secret;
}

// The key's coefficients, its digest for seeds, and its residues in as many limbs as there is memory for.
static rs_status_t load_secret(stream_t *t) {
    const rs_keys_stream_request_t *r = t->request;
    const size_t n = t->n;
    const rs_limb_t *ring;
    RS_TRY(load_ring(t, 0, &ring));
    const uint64_t q = ring->modulus.q;
    uint64_t wrong = 0, set = 0;
    uint8_t *packed = (uint8_t *)t->a;
    memcpy(t->b, r->secret, 8 * n);
    rs_plan_inverse(ring, t->b);
    for (size_t i = 0; i < n; i++) {
        const uint64_t class = rs_csub(t->b[i] + 1, q); // 0, 1, 2 for -1, 0, 1
        wrong |= (2 - class) >> 63;
        set |= class ^ 1;
        t->small[i] = (int8_t)((int)(class & 3) - 1);
        packed[i / 4] = (uint8_t)((i & 3 ? packed[i / 4] : 0) | class << 2 * (i & 3)); // as lean.h has keys
    }
    wrong |= 1 ^ ((set | (0 - set)) >> 63); // with s = 0 the keys are of no use, and show it
    RS_DECLASSIFY(&wrong, sizeof wrong);
    if (wrong) return RS_ERR_SECRET_KEY;
    memcpy(t->bound, t->file.members.parms_id, RS_PARMS_ID_BYTES);
    rs_shake256(t->bound + RS_PARMS_ID_BYTES, RS_SEED_BYTES, packed, n / 4);
    for (uint32_t limb = 0; limb < t->kept_secrets; limb++) {
        RS_TRY(load_ring(t, limb, &ring));
        rs_ring_forward(ring, t->secrets + limb * n, t->small, NULL, NULL, 0);
    }
    return RS_OK;
}

// Words of one limb of a component's b.
static rs_status_t put_limb(stream_t *t, uint32_t limb, uint32_t element, int carries) {
    const rs_params_t *params = t->request->params;
    const rs_limb_t *ring;
    RS_TRY(load_ring(t, limb, &ring));
    const rs_modulus_t *m = &ring->modulus;
    const uint64_t *s = secret_in(t, limb);
    rs_row_zero(ring, t->b, t->a, s, t->error, params->scheme == RS_SCHEME_BGV ? rs_reduce(params->plain_modulus, m) : 1);
    if (carries) {
        if (element) {
            rs_plan_galois(ring, t->a, s, element);
        } else {
            rs_plan_mul(ring, t->a, s, s);
        }
        rs_row_carry(ring, t->b, t->a, rs_reduce(params->moduli[params->limb_count - 1], m));
    }
    return rs_wire_emit_words(&t->writer, t->b, t->n);
}

static rs_status_t put_component(stream_t *t, uint32_t element, uint32_t index) {
    const rs_keys_stream_request_t *r = t->request;
    const uint64_t bytes = t->file.row_bytes;
    if (passed(t, bytes)) return RS_OK;
    rs_seed_t seeds[2];
    rs_uniform_t uniform;
    RS_TRY(component_seeds(t, element, index, seeds));
    rs_sample_cbd21(t->error, t->n, &seeds[0], RS_DOMAIN_E0);
    rs_zeroize(&seeds[0], sizeof seeds[0]);
    RS_TRY(rs_wire_emit_nested(&t->writer, bytes));
    RS_TRY(rs_wire_emit_members(&t->writer, &t->file.members));
    RS_TRY(rs_uniform_init(&uniform, seed_type_of(r), &seeds[1], r->params->log_n, t->limbs));
    for (uint32_t limb = 0; limb < t->limbs; limb++) {
        // a limb before the range may have taken replacement words, which those behind it do not take then
        if (t->range.at < t->range.end) RS_TRY(rs_uniform_next(&uniform, r->params->moduli[limb], t->a));
        if (!passed(t, 8 * (uint64_t)t->n)) RS_TRY(put_limb(t, limb, element, limb == index));
    }
    return rs_wire_emit_seed(&t->writer, (uint8_t)seed_type_of(r), seeds[1].bytes);
}

static rs_status_t put_entries(stream_t *t) {
    const rs_keys_stream_request_t *r = t->request;
    const int galois = r->kind == RS_WIRE_GALOIS_KEYS;
    uint32_t next = 0;
    RS_TRY(rs_wire_emit(&t->writer, t->file.members.parms_id, RS_PARMS_ID_BYTES));
    RS_TRY(rs_wire_emit_u64(&t->writer, t->file.entries));
    for (uint64_t entry = 0; entry < t->file.entries; entry++) {
        const int filled = !galois || (next < r->count && r->elements[next] == 2 * entry + 1);
        RS_TRY(rs_wire_emit_u64(&t->writer, filled ? t->limbs - 1 : 0));
        for (uint32_t index = 0; filled && index < t->limbs - 1; index++) {
            RS_TRY(put_component(t, galois ? r->elements[next] : 0, index));
        }
        next += (uint32_t)filled;
    }
    return RS_OK;
}

// ---- requests ------------------------------------------------------------------------------------------------------------
static rs_status_t check_stream(const rs_keys_stream_request_t *r) {
    RS_TRY(RS_CHECK_REQUEST(r));
    if (!r->params || !r->secret || !r->master || !r->sink || !r->sink->write) return RS_ERR_NULL;
    RS_TRY(rs_params_check(r->params, RS_SECURITY_UNCHECKED));
    if (r->params->limb_count < 2) return RS_ERR_NO_SPECIAL;
    if (r->seed_type && r->seed_type != RS_SEED_BLAKE2XB && r->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    if (r->format.compression != RS_COMPRESSION_NONE) return RS_ERR_COMPRESSION;
    if (!rs_wire_has_entries(r->kind)) return RS_ERR_KIND;
    if (r->kind == RS_WIRE_RELIN_KEYS && r->count) return RS_ERR_OPTION;
    if (r->count && !r->elements) return RS_ERR_NULL;
    return RS_OK;
}

static void lay_out(stream_t *t) {
    const rs_memory_t memory = t->request->memory;
    const size_t n = t->n;
    uint8_t *const start = memory.p;
    t->table = (void *)rs_align_line((uintptr_t)start);
    t->b = (uint64_t *)t->table + 2 * n;
    t->a = t->b + n;
    t->secret = t->a + n;
    t->small = (int8_t *)(t->secret + n);
    t->error = t->small + n;
    t->secrets = (uint64_t *)(void *)(t->error + n);
    size_t left = (memory.n - (size_t)((uint8_t *)t->secrets - start)) >> (3 + t->request->params->log_n); // polynomials
    t->kept_secrets = left < t->limbs ? (uint32_t)left : t->limbs; // a transform saved by one, a table by two
    left = (left - t->kept_secrets) / 2;
    t->kept_tables = left < t->limbs ? (uint32_t)left : t->limbs;
    t->tables = t->secrets + t->kept_secrets * n;
}

rs_status_t rs_keys_stream(const rs_keys_stream_request_t *request) {
    RS_TRY(check_stream(request));
    const rs_params_t *params = request->params;
    stream_t t = {.request = request, .n = (uint32_t)1 << params->log_n, .limbs = params->limb_count};
    RS_TRY(rs_wire_describe_keys(params, rs_wire_version(&request->format), request->kind == RS_WIRE_GALOIS_KEYS, request->elements,
                                 request->count, &t.file));
    RS_TRY(rs_check_memory(request->memory, RS_KEYS_STREAM_BYTES(params->log_n)));
    const uint64_t whole = t.file.total_bytes;
    if (request->first > whole || request->bytes > whole - request->first) return RS_ERR_LENGTH;
    t.range = (rs_wire_range_t){request->sink, 0, request->first, request->bytes ? request->first + request->bytes : whole};
    lay_out(&t);
    const rs_sink_t sink = {.write = rs_wire_range_write, .state = &t.range};
    rs_status_t status = load_secret(&t);
    if (status == RS_OK) status = rs_wire_begin(&t.writer, &sink, &request->format, whole - RS_WIRE_HEADER_BYTES);
    if (status == RS_OK) status = put_entries(&t);
    if (status == RS_OK) status = rs_wire_finish(&t.writer);
    rs_zeroize(request->memory.p, request->memory.n);
    rs_zeroize(&t, sizeof t);
    rs_wipe_registers();
    return status;
}
