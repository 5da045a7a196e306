// SPDX-License-Identifier: Apache-2.0
// Set-up, and the secret key.
#include "lean/lean.h"

#include "base/declassify.h"
#include "base/registers.h"
#include "params/plain.h"
#include "sampling/samplers.h"
#include "sampling/seed.h"

static rs_status_t check(const rs_params_t *params) {
    if (params->log_n < RS_LEAN_LOG_N_MIN || params->log_n > RS_LEAN_LOG_N_MAX) return RS_ERR_DESIGN_DEGREE;
    if (params->limb_count < 1 || params->limb_count > RS_LEAN_LIMBS_MAX) return RS_ERR_LIMB_COUNT;
    for (uint32_t i = 0; i < params->limb_count; i++) {
        if (params->moduli[i] >> RS_LEAN_MODULUS_BITS) return RS_ERR_DESIGN_MODULUS;
    }
    return params->plain_modulus >> RS_LEAN_PLAIN_BITS ? RS_ERR_DESIGN_MODULUS : RS_OK;
}

// Words of x, y and m.
static size_t poly_words(const rs_lean_t *lean) {
    return ((size_t)2 << lean->log_block) + (rs_lean_n(lean) >> (lean->keys_only ? 2 : 0));
}

_Static_assert(sizeof(rs_lean_t) <= 512 && RS_LEAN_LOG_BLOCK == 12, "RS_LEAN_KEYS_BYTES suffices");

static size_t table_words(uint32_t log_n) { return (size_t)1 << (log_n + 1) / 2; }

size_t rs_lean_size(const rs_params_t *params) {
    if (!params || check(params) != RS_OK) return 0;
    return sizeof(rs_lean_t) + (2 * table_words(params->log_n) + ((size_t)3 << params->log_n)) * sizeof(uint32_t);
}

rs_status_t rs_lean_init(rs_lean_t **lean, rs_memory_t memory, const rs_params_t *params, uint32_t security) {
    if (!lean || !params) return RS_ERR_NULL;
    RS_TRY(rs_params_check(params, security));
    RS_TRY(check(params));
    const size_t whole = rs_lean_size(params), least = RS_LEAN_KEYS_BYTES(params->log_n), size = memory.n < whole ? least : whole;
    RS_TRY(rs_check_memory(memory, size));
    rs_lean_t *made = memory.p;
    memset(made, 0, size);
    made->params = params;
    made->hash = &RS_HASH_SINGLE;
    made->log_n = params->log_n;
    made->keys_only = size < whole;
    made->log_block = made->keys_only && params->log_n > RS_LEAN_LOG_BLOCK ? (uint32_t)RS_LEAN_LOG_BLOCK : params->log_n;
    made->x = (uint32_t *)(void *)(made + 1); // 8-byte aligned: x and y take numbers of 64 bits, too
    made->y = made->x + ((size_t)1 << made->log_block);
    made->m = (int32_t *)(made->y + ((size_t)1 << made->log_block));
    made->low = made->x + poly_words(made);
    made->high = made->low + table_words(params->log_n);
    for (uint32_t i = 0; i < params->limb_count; i++) made->roots[i] = rs_lean_root((uint32_t)params->moduli[i], params->log_n);
    if (rs_plain_has_slots(params)) made->plain_root = rs_lean_root((uint32_t)params->plain_modulus, params->log_n);
    *lean = made;
    return RS_OK;
}

void rs_lean_wipe(rs_lean_t *lean) {
    if (lean) rs_zeroize(lean, sizeof *lean + (2 * table_words(lean->log_n) + poly_words(lean)) * sizeof(uint32_t));
}

void rs_lean_wipe_words(uint32_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) *(volatile uint32_t *)(words + i) = 0;
    rs_wipe_registers();
}

// What was called before has left words of streams there, where compilers spill the state of Keccak.
static __attribute__((noinline)) void wipe_stack(void) {
    volatile uint32_t words[256 + 128 * RS_WAYS_MAX];
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) words[i] = 0;
}

void rs_lean_clear(rs_lean_t *lean) {
    wipe_stack();
    rs_lean_wipe_words(lean->x, poly_words(lean));
    rs_zeroize(lean->keccak, sizeof lean->keccak);
    lean->stage = RS_LEAN_EMPTY;
}

// ---- the secret key ------------------------------------------------------------------------------------------------------
size_t rs_lean_key_bytes(const rs_params_t *params) { return rs_lean_size(params) ? ((size_t)1 << params->log_n) / 4 : 0; }

rs_status_t rs_lean_check_key(const rs_lean_t *lean, rs_view_t key) {
    uint8_t threes = 0, others = 0;
    RS_TRY(RS_CHECK_SPAN(key, rs_lean_key_bytes(lean->params)));
    for (size_t i = 0; i < key.n; i++) {
        threes |= key.p[i] & key.p[i] >> 1 & 0x55;
        others |= key.p[i] ^ 0x55;
    }
    uint32_t good = (uint32_t)(threes == 0) & (uint32_t)(others != 0);
    RS_DECLASSIFY(&good, sizeof good); // public: it becomes the status
    return good ? RS_OK : RS_ERR_SECRET_KEY;
}

void rs_lean_key_block(const rs_lean_t *lean, uint32_t *x, const uint8_t *key, uint32_t factor, uint32_t block,
                       const rs_lean_mod_t *modulus) {
    const rs_lean_mod_t m = *modulus;
    const uint32_t n = rs_lean_n(lean), size = (uint32_t)1 << lean->log_block, w = rs_lean_block_root(lean, block, &m);
    for (uint32_t i = 0; i < size; i++) {
        uint32_t at = n - size + i, sum = rs_lean_key_word(key, at, factor, m.q);
        while (at >= size) {
            at -= size;
            sum = rs_lean_csub(rs_lean_mul(sum, w, &m) + rs_lean_key_word(key, at, factor, m.q), 2 * m.q);
        }
        x[i] = sum;
    }
    rs_lean_forward(lean, x, block, &m);
}

static void pack(uint8_t *key, const int8_t *values, uint32_t n) {
    for (uint32_t i = 0; i < n; i += 4) {
        uint32_t byte = 0;
        for (uint32_t k = 0; k < 4; k++) byte |= (uint32_t)(values[i + k] + 1) << 2 * k;
        key[i / 4] = (uint8_t)byte;
    }
}

rs_status_t rs_lean_keygen(rs_lean_t *lean, rs_bytes_t key, rs_rng_t *rng) {
    if (!lean || !rng || !rng->fill) return RS_ERR_NULL;
    rs_seed_t seed;
    RS_TRY(RS_CHECK_SPAN(key, rs_lean_key_bytes(lean->params)));
    RS_TRY(rs_fresh_seed(rng, &seed));
    int8_t *values = (int8_t *)lean->x;
    rs_draw_ternary(&RS_SAMPLERS_PORTABLE, values, rs_lean_n(lean), &seed, RS_DOMAIN_S);
    rs_zeroize(&seed, sizeof seed);
    pack(key.p, values, rs_lean_n(lean));
    rs_lean_clear(lean);
    return RS_OK;
}

rs_status_t rs_lean_pack_key(const rs_context_t *context, const rs_secret_key_t *secret, rs_bytes_t key, rs_memory_t workspace) {
    if (!context || !secret || !secret->ntt) return RS_ERR_NULL;
    const rs_params_t *params = rs_context_params(context);
    const size_t n = rs_context_n(context);
    if (rs_context_find_id(context, secret->parms_id) != params->limb_count) return RS_ERR_MISMATCH;
    RS_TRY(RS_CHECK_SPAN(key, n / 4));
    RS_TRY(rs_check_memory(workspace, n * sizeof(uint64_t)));
    uint64_t *poly = workspace.p;
    const uint64_t q = params->moduli[0];
    uint64_t wrong = 0, others = 0;
    memcpy(poly, secret->ntt, n * sizeof *poly);
    rs_plan_inverse(rs_context_plan(context, 0), poly);
    for (size_t i = 0; i < n; i += 4) {
        uint64_t byte = 0;
        for (size_t k = 0; k < 4; k++) {
            const uint64_t up = poly[i + k] + 1; // 1, 2, or q for -1
            const uint64_t minus = rs_opaque(((up ^ q) - 1) >> 63);
            const uint64_t pair = up & (minus - 1);
            wrong |= pair >> 2 | (pair & pair >> 1);
            others |= pair ^ 1;
            byte |= (pair & 3) << 2 * k;
        }
        key.p[i / 4] = (uint8_t)byte;
    }
    rs_zeroize(poly, n * sizeof *poly);
    uint32_t good = (uint32_t)(wrong == 0) & (uint32_t)(others != 0);
    RS_DECLASSIFY(&good, sizeof good); // public: it becomes the status
    if (!good) rs_zeroize(key.p, key.n);
    return good ? RS_OK : RS_ERR_SECRET_KEY;
}

// Not inline: the members are off the stack when streams are drawn.
__attribute__((noinline)) rs_status_t rs_lean_open(const rs_lean_t *lean, rs_wire_out_t *writer, const rs_sink_t *sink,
                                                   const rs_wire_format_t *format, uint32_t kind, uint32_t seeded) {
    static const rs_wire_format_t USUAL = {0};
    const int key = kind == RS_WIRE_SECRET_KEY;
    const uint32_t limb_count = key ? lean->params->limb_count : lean->limb_count;
    rs_wire_members_t members = {
        .ntt = kind != RS_WIRE_CIPHERTEXT || !rs_lean_is_bfv(lean),
        .seeded = seeded,
        .poly_count = key ? 1 : 2,
        .n = rs_lean_n(lean),
        .limb_count = limb_count,
        .scale = key ? 1.0 : lean->scale,
        .correction = 1,
        .words = ((uint64_t)limb_count << lean->log_n) * (key || seeded ? 1 : 2),
    };
    if (!format) format = &USUAL;
    RS_TRY(rs_params_id(lean->params, limb_count, members.parms_id));
    const uint64_t bytes = rs_wire_object_bytes(rs_wire_version(format), &members);
    RS_TRY(rs_wire_begin(writer, sink, format, bytes - RS_WIRE_HEADER_BYTES));
    return rs_wire_emit_members(writer, &members);
}

rs_status_t rs_lean_emit_words(const rs_lean_t *lean, rs_wire_out_t *writer, const rs_lean_mod_t *m) {
    _Alignas(8) uint8_t bytes[128];
    for (uint32_t i = 0; i < (uint32_t)1 << lean->log_block; i += sizeof bytes / 8) {
        for (uint32_t k = 0; k < sizeof bytes / 8; k++) rs_store64_aligned(bytes + 8 * k, rs_lean_full(lean->x[i + k], m->q));
        rs_ignore(rs_wire_emit(writer, bytes, sizeof bytes));
    }
    rs_zeroize(bytes, sizeof bytes);
    return writer->failed;
}

rs_status_t rs_lean_write_secret_key(rs_lean_t *lean, rs_view_t key, const rs_sink_t *sink, const rs_wire_format_t *format) {
    if (!lean || !sink) return RS_ERR_NULL;
    RS_TRY(rs_lean_check_format(format));
    RS_TRY(rs_lean_check_key(lean, key));
    rs_wire_out_t writer;
    RS_TRY(rs_lean_open(lean, &writer, sink, format, RS_WIRE_SECRET_KEY, 0));
    for (uint32_t limb = 0; limb < lean->params->limb_count && writer.failed == RS_OK; limb++) {
        const rs_lean_mod_t m = rs_lean_load_limb(lean, limb);
        for (uint32_t block = 0; block < rs_lean_blocks(lean); block++) {
            rs_lean_key_block(lean, lean->x, key.p, 1, block, &m);
            rs_ignore(rs_lean_emit_words(lean, &writer, &m));
        }
    }
    rs_lean_clear(lean);
    return rs_wire_finish(&writer);
}
