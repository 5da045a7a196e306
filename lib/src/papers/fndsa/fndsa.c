// SPDX-License-Identifier: Apache-2.0
// Falcon's verification (specification v1.2, section 3.10). Everything is public.
#include <ringside/fndsa.h>
#include <ringside/plan.h>
#include <ringside/xof.h>

#include "arith/plan.h"
#include "base/bytes.h"
#include "base/checks.h"

enum { Q = 12289, COEFFICIENT_BITS = 14, HEADER_BYTES = 1, SIGNATURE_HEADER = 0x30, LOW_BITS = 7, LIMIT = 2048 };

typedef struct set {
    rs_fndsa_sizes_t sizes;
    uint32_t log_n;
    uint32_t n;
    uint64_t bound; // floor(beta^2): the largest squared length (table 3.3)
} set_t;

struct rs_fndsa_key {
    const set_t *set;
    const rs_plan_t *plan;
    uint64_t *h; // transformed
};

// A workspace holds s2, then s1; c; the sponge.
#define SIZES(n, log_n)                                                             \
    {.pk = RS_FNDSA_##n##_PK_BYTES,                                                 \
     .signature = RS_FNDSA_##n##_SIGNATURE_BYTES,                                   \
     .key = sizeof(rs_fndsa_key_t) + (n) * sizeof(uint64_t) + RS_PLAN_BYTES(log_n), \
     .workspace = 2 * (n) * sizeof(uint64_t) + sizeof(rs_sponge_t)}

static const set_t SETS[] = {
    {.sizes = SIZES(512, 9), .log_n = 9, .n = 512, .bound = 34034726},
    {.sizes = SIZES(1024, 10), .log_n = 10, .n = 1024, .bound = 70265242},
};

static const set_t *find(uint32_t set) { return set == RS_FNDSA_512 ? &SETS[0] : set == RS_FNDSA_1024 ? &SETS[1] : NULL; }

const rs_fndsa_sizes_t *rs_fndsa_sizes(uint32_t set) {
    const set_t *s = find(set);
    return s ? &s->sizes : NULL;
}

// ---- keys ----------------------------------------------------------------------------------------------------------------
// Section 3.11.4: log2 n, then words of 14 bits, the highest bit first.
static rs_status_t decode_key(uint64_t *h, const set_t *s, const uint8_t *pk) {
    if (pk[0] != s->log_n) return RS_ERR_PUBLIC_KEY;
    const uint8_t *at = pk + HEADER_BYTES;
    uint32_t held = 0;
    unsigned count = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        for (; count < COEFFICIENT_BITS; count += 8) held = held << 8 | *at++; // fewer than 14 + 8 bits are of use
        count -= COEFFICIENT_BITS;
        h[i] = held >> count & ((1u << COEFFICIENT_BITS) - 1);
        if (h[i] >= Q) return RS_ERR_PUBLIC_KEY;
    }
    return RS_OK;
}

rs_status_t rs_fndsa_key_init(const rs_fndsa_key_t **key, rs_memory_t memory, uint32_t set, rs_view_t pk) {
    const set_t *s = find(set);
    if (!s) return RS_ERR_SET;
    if (!key) return RS_ERR_NULL;
    RS_TRY(RS_CHECK_SPAN(pk, s->sizes.pk));
    RS_TRY(rs_check_memory(memory, s->sizes.key));
    rs_fndsa_key_t *made = memory.p;
    *made = (rs_fndsa_key_t){.set = s, .h = (uint64_t *)(made + 1)};
    RS_TRY(rs_plan_init(&made->plan, (rs_memory_t){made->h + s->n, RS_PLAN_BYTES(s->log_n)}, s->log_n, Q, 0));
    RS_TRY(decode_key(made->h, s, pk.p));
    rs_plan_forward(made->plan, made->h);
    *key = made;
    return RS_OK;
}

// ---- signatures ------------------------------------------------------------------------------------------------------------
typedef struct bits {
    const uint8_t *at, *end;
    unsigned used; // bits of the byte at `at` that are used
} bits_t;

// The next bit, the highest one of a byte first; -1 at the end.
static int next_bit(bits_t *b) {
    if (b->at == b->end) return -1;
    const int bit = *b->at >> (7 - b->used) & 1;
    b->used = (b->used + 1) & 7;
    if (!b->used) b->at++;
    return bit;
}

// Algorithm 18: per coefficient its sign, the low seven bits of its magnitude, and the rest in unary; then nothing but zeros, as many as the
// form has. A value has one encoding: 0 has no sign, and there is no byte too many. Residues modulo q to s2, their squares to *norm.
static int decompress(uint64_t *s2, uint64_t *norm, const set_t *s, uint32_t form, const uint8_t *in, size_t in_bytes) {
    bits_t bits = {in, in + in_bytes, 0};
    *norm = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        const int is_negative = next_bit(&bits);
        uint32_t value = 0;
        for (unsigned k = 0; k < LOW_BITS; k++) {
            const int bit = next_bit(&bits);
            if (bit < 0) return 0;
            value = value << 1 | (uint32_t)bit;
        }
        int bit;
        while ((bit = next_bit(&bits)) == 0) {
            value += 1u << LOW_BITS;
            if (value >= LIMIT) return 0;
        }
        if (bit < 0 || (is_negative && !value)) return 0;
        s2[i] = is_negative ? Q - value : value;
        *norm += (uint64_t)value * value;
    }
    while (bits.used) {
        if (next_bit(&bits)) return 0;
    }
    if (form == RS_FNDSA_COMPRESSED) return bits.at == bits.end;
    for (; bits.at < bits.end; bits.at++) {
        if (*bits.at) return 0;
    }
    return 1;
}

// Algorithm 3: words of 16 bits below 5 q, the high byte first, modulo q.
static void hash_to_point(uint64_t *c, const set_t *s, rs_sponge_t *sponge, const uint8_t *nonce, rs_view_t message) {
    uint8_t block[RS_SHAKE256_RATE_BYTES];
    rs_sponge_init(sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(sponge, nonce, RS_FNDSA_NONCE_BYTES);
    rs_sponge_absorb(sponge, message.p, message.n);
    for (uint32_t i = 0; i < s->n;) {
        rs_sponge_squeeze(sponge, block, sizeof block);
        for (unsigned at = 0; at < sizeof block && i < s->n; at += 2) {
            uint32_t word = (uint32_t)block[at] << 8 | block[at + 1];
            if (word >= 5 * Q) continue;
            while (word >= Q) word -= Q;
            c[i++] = word;
        }
    }
    rs_zeroize(block, sizeof block);
}

rs_status_t rs_fndsa_verify(const rs_fndsa_key_t *key, uint32_t form, rs_view_t message, rs_view_t signature,
                            rs_memory_t workspace) {
    if (!key || !signature.p || (!message.p && message.n)) return RS_ERR_NULL;
    const set_t *s = key->set;
    if (form == RS_FNDSA_PADDED && signature.n != s->sizes.signature) return RS_ERR_BYTES;
    RS_TRY(rs_check_memory(workspace, s->sizes.workspace));
    if (form != RS_FNDSA_PADDED && form != RS_FNDSA_COMPRESSED) return RS_ERR_SIGNATURE;
    const size_t head = HEADER_BYTES + RS_FNDSA_NONCE_BYTES;
    if (signature.n < head || signature.p[0] != SIGNATURE_HEADER + s->log_n) return RS_ERR_SIGNATURE;
    uint64_t *s1 = workspace.p, *c = s1 + s->n;
    rs_sponge_t *sponge = (rs_sponge_t *)(void *)(c + s->n);
    uint64_t norm;
    int is_valid = decompress(s1, &norm, s, form, signature.p + head, signature.n - head);
    if (is_valid) {
        hash_to_point(c, s, sponge, signature.p + HEADER_BYTES, message);
        rs_plan_forward(key->plan, s1);
        rs_plan_mul(key->plan, s1, s1, key->h);
        rs_plan_inverse(key->plan, s1);
        rs_plan_sub(key->plan, s1, c, s1);
        for (uint32_t i = 0; i < s->n; i++) {
            const uint64_t magnitude = s1[i] > Q / 2 ? Q - s1[i] : s1[i];
            norm += magnitude * magnitude; // below 2^36 in all
        }
        is_valid = norm <= s->bound;
    }
    rs_zeroize(workspace.p, s->sizes.workspace);
    return is_valid ? RS_OK : RS_ERR_SIGNATURE;
}
