// SPDX-License-Identifier: Apache-2.0
#include "mldsa/expand.h"

#include "backend/backend.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/packing.h"

enum { SUFFIX_BYTES = 2 }; // two numbers after the seed

static const rs_hash_t *current_hash(void) { return rs_backend_current()->samplers->hash; }

// ---- A -------------------------------------------------------------------------------------------------------------------
// Algorithm 30 on one block of SHAKE128: three bytes without the top bit are a candidate. A is public. Returns how many coefficients there are.
static unsigned take_uniform(int32_t *c, unsigned have, const uint8_t *block, size_t bytes) {
    for (size_t at = 0; at < bytes; at += 24) {
#ifdef INSTRUCTIONS
        if (have + 8 <= RS_MLDSA_N && take_eight(c + have, block + at)) {
            have += 8;
            if (have == RS_MLDSA_N) return have;
            continue;
        }
#endif
        const uint64_t w0 = rs_load64_aligned(block + at);
        const uint64_t w1 = rs_load64_aligned(block + at + 8);
        const uint64_t w2 = rs_load64_aligned(block + at + 16);
        const uint64_t candidates[8] = {w0,       w0 >> 24, w0 >> 48 | w1 << 16, w1 >> 8, w1 >> 32, w1 >> 56 | w2 << 8,
                                        w2 >> 16, w2 >> 40};
#pragma GCC unroll 8
        for (unsigned i = 0; i < 8; i++) {
            const int32_t candidate = (int32_t)(candidates[i] & 0x7fffff);
            if (candidate >= RS_MLDSA_Q) continue;
            c[have++] = candidate;
            if (have == RS_MLDSA_N) return have;
        }
    }
    return have;
}

// The next `count` elements, at most as many as the back end permutes at once.
static void make_elements(rs_mldsa_rows_t *rows, rs_mldsa_poly_t *out, unsigned count) {
    rs_mldsa_space_t *space = rows->space;
    uint8_t numbers[RS_WAYS_MAX][SUFFIX_BYTES] = {{0}};
    unsigned have[RS_WAYS_MAX] = {0};
    for (unsigned i = 0; i < count; i++) {
        numbers[i][0] = (uint8_t)rows->column;
        numbers[i][1] = (uint8_t)rows->row;
        if (++rows->column == rows->p->l) {
            rows->column = 0;
            rows->row++;
        }
    }
    rs_sponges_start(&space->sponges, rows->hash, RS_SPONGE_SHAKE128, rows->rho, RS_MLDSA_RHO_BYTES, numbers[0], SUFFIX_BYTES,
                     count);
    for (unsigned done = 0; done < count;) {
        const size_t bytes = rs_sponges_squeeze(&space->sponges, space->stream[0], RS_MLDSA_STREAM_BYTES);
        for (unsigned i = 0; i < count; i++) {
            if (have[i] == RS_MLDSA_N) continue;
            have[i] = take_uniform(out[i].c, have[i], space->stream[i], bytes);
            done += have[i] == RS_MLDSA_N;
        }
    }
}

// The size of a batch of elements from the next one on.
static unsigned batch_size(const rs_mldsa_rows_t *rows) {
    const unsigned left = (unsigned)rows->p->k * rows->p->l - (rows->row * rows->p->l + rows->column);
    return left < rows->hash->ways ? left : rows->hash->ways;
}

void rs_mldsa_rows_init(rs_mldsa_rows_t *rows, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho,
                        const rs_mldsa_poly_t *kept) {
    *rows = (rs_mldsa_rows_t){.p = p, .hash = current_hash(), .space = space, .rho = rho, .kept = kept};
}

static const rs_mldsa_poly_t *next_element(rs_mldsa_rows_t *rows) {
    if (rows->kept) return rows->kept++;
    if (rows->used == rows->made) {
        rows->used = 0;
        rows->made = batch_size(rows);
        make_elements(rows, rows->space->batch, rows->made);
    }
    return &rows->space->batch[rows->used++];
}

// As many products at once as there are elements.
void rs_mldsa_rows_next(rs_mldsa_rows_t *rows, rs_mldsa_sum_t *sum, const rs_mldsa_poly_t *v) {
    for (unsigned j = 0, count; j < rows->p->l; j += count) {
        count = 1;
        const rs_mldsa_poly_t *a = next_element(rows);
        while (j + count < rows->p->l && (rows->kept || rows->used < rows->made)) {
            (void)next_element(rows);
            count++;
        }
        rs_mldsa_dot(sum, a, &v[j], count, j > 0);
    }
}

void rs_mldsa_expand_a(rs_mldsa_poly_t *out, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho) {
    rs_mldsa_rows_t rows;
    rs_mldsa_rows_init(&rows, space, p, rho, NULL);
    for (unsigned count; (count = batch_size(&rows)); out += count) make_elements(&rows, out, count);
}

// ---- s1, s2 --------------------------------------------------------------------------------------------------------------
// Algorithm 31 on one block of SHAKE256: half-bytes below 15 (eta 2) or 9 (eta 4) are taken.
static unsigned take_bounded(int32_t *c, unsigned have, const uint8_t *block, size_t bytes, unsigned eta) {
    size_t i = 0;
#ifdef INSTRUCTIONS
    for (; i < 2 * bytes && have + 16 <= RS_MLDSA_N; i += 16) have += take_sixteen(c + have, block + i / 2, eta);
#endif
    for (; i < 2 * bytes && have < RS_MLDSA_N; i++) {
        const int32_t half = block[i / 2] >> 4 * (i % 2) & 15;
        int32_t taken = rs_mldsa_sign_mask(half - (eta == 2 ? 15 : 9));
        // which half-bytes are rejected is independent of the values of the others
        RS_DECLASSIFY(&taken, sizeof taken);
        c[have] = (int32_t)eta - (eta == 2 ? half - 5 * (half * 205 >> 10) : half); // half modulo 5: 205 / 1024 is 1 / 5 below 64
        have += taken & 1;
    }
    return have;
}

void rs_mldsa_expand_s(uint8_t *packed, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho_prime) {
    const rs_hash_t *hash = current_hash();
    const unsigned total = (unsigned)p->l + p->k;
    for (unsigned first = 0; first < total; first += hash->ways) {
        const unsigned count = total - first < hash->ways ? total - first : hash->ways;
        uint8_t numbers[RS_WAYS_MAX][SUFFIX_BYTES] = {{0}};
        unsigned have[RS_WAYS_MAX] = {0};
        for (unsigned i = 0; i < count; i++) numbers[i][0] = (uint8_t)(first + i);
        rs_sponges_start(&space->sponges, hash, RS_SPONGE_SHAKE256, rho_prime, RS_MLDSA_RHO_PRIME_BYTES, numbers[0], SUFFIX_BYTES,
                         count);
        for (unsigned done = 0; done < count;) {
            const size_t bytes = rs_sponges_squeeze(&space->sponges, space->stream[0], RS_MLDSA_STREAM_BYTES);
            for (unsigned i = 0; i < count; i++) {
                if (have[i] == RS_MLDSA_N) continue;
                have[i] = take_bounded(space->batch[i].c, have[i], space->stream[i], bytes, p->eta);
                done += have[i] == RS_MLDSA_N;
            }
        }
        for (unsigned i = 0; i < count; i++, packed += rs_mldsa_eta_bytes(p))
            rs_mldsa_pack_below(packed, &space->batch[i], p->eta, p->eta_bits);
    }
}

// ---- y -------------------------------------------------------------------------------------------------------------------
void rs_mldsa_expand_mask(rs_mldsa_poly_t *y, rs_mldsa_space_t *space, const rs_mldsa_params_t *p, const uint8_t *rho_prime,
                          unsigned kappa) {
    const rs_hash_t *hash = current_hash();
    for (unsigned first = 0; first < p->l; first += hash->ways) {
        const unsigned count = p->l - first < hash->ways ? p->l - first : hash->ways;
        uint8_t numbers[RS_WAYS_MAX][SUFFIX_BYTES] = {{0}};
        for (unsigned i = 0; i < count; i++) {
            numbers[i][0] = (uint8_t)(kappa + first + i);
            numbers[i][1] = (uint8_t)((kappa + first + i) >> 8);
        }
        rs_sponges_start(&space->sponges, hash, RS_SPONGE_SHAKE256, rho_prime, RS_MLDSA_RHO_PRIME_BYTES, numbers[0], SUFFIX_BYTES,
                         count);
        for (size_t at = 0; at < rs_mldsa_z_bytes(p);)
            at += rs_sponges_squeeze(&space->sponges, space->stream[0] + at, RS_MLDSA_STREAM_BYTES);
        for (unsigned i = 0; i < count; i++)
            rs_mldsa_unpack_below(&y[first + i], space->stream[i], (int32_t)1 << (p->z_bits - 1), p->z_bits);
    }
}

#ifndef INSTRUCTIONS // the variants on vectors get no small workspace
// ---- one at a time -------------------------------------------------------------------------------------------------------
static void start_stream(rs_sponge_t *sponge, rs_sponge_kind_t kind, rs_view_t seed, unsigned low, unsigned high) {
    const uint8_t numbers[SUFFIX_BYTES] = {(uint8_t)low, (uint8_t)high};
    rs_sponge_init(sponge, kind);
    rs_sponge_absorb(sponge, seed.p, seed.n);
    rs_sponge_absorb(sponge, numbers, sizeof numbers);
}

void rs_mldsa_element(rs_mldsa_poly_t *a, rs_sponge_t *sponge, uint8_t *bytes, const uint8_t *rho, unsigned row, unsigned column) {
    start_stream(sponge, RS_SPONGE_SHAKE128, (rs_view_t){rho, RS_MLDSA_RHO_BYTES}, column, row);
    for (unsigned have = 0; have < RS_MLDSA_N;) {
        rs_sponge_squeeze(sponge, bytes, RS_SPONGES_RATE_MAX);
        have = take_uniform(a->c, have, bytes, RS_SPONGES_RATE_MAX);
    }
}

void rs_mldsa_mask(rs_mldsa_poly_t *y, rs_sponge_t *sponge, uint8_t *bytes, const rs_mldsa_params_t *p, const uint8_t *rho_prime,
                   unsigned kappa) {
    start_stream(sponge, RS_SPONGE_SHAKE256, (rs_view_t){rho_prime, RS_MLDSA_RHO_PRIME_BYTES}, kappa, kappa >> 8);
    rs_sponge_squeeze(sponge, bytes, rs_mldsa_z_bytes(p));
    rs_mldsa_unpack_below(y, bytes, (int32_t)1 << (p->z_bits - 1), p->z_bits);
}

void rs_mldsa_add_column(rs_mldsa_small_t *small, const rs_mldsa_params_t *p, const uint8_t *rho, unsigned column) {
    for (unsigned i = 0; i < p->k; i++) {
        int32_t *w = small->polys[i].c;
        rs_mldsa_element(&small->c, &small->sponge, small->bytes, rho, i, column);
        rs_mldsa_product(&small->c, &small->c, &small->t);
        for (unsigned n = 0; n < RS_MLDSA_N; n++) w[n] = column ? w[n] + small->c.c[n] : small->c.c[n];
    }
}
#endif

// ---- c -------------------------------------------------------------------------------------------------------------------
void rs_mldsa_sample_in_ball(rs_mldsa_poly_t *c, rs_sponge_t *sponge, const rs_mldsa_params_t *p, const uint8_t *challenge,
                             int32_t one) {
    uint8_t block[RS_SHAKE256_RATE_BYTES];
    rs_sponge_init(sponge, RS_SPONGE_SHAKE256);
    rs_sponge_absorb(sponge, challenge, p->challenge_bytes);
    rs_sponge_squeeze(sponge, block, sizeof block);
    uint64_t signs = rs_load64(block);
    size_t at = 8;
    memset(c, 0, sizeof *c);
    for (unsigned i = RS_MLDSA_N - p->tau; i < RS_MLDSA_N; i++, signs >>= 1) {
        unsigned j;
        do {
            if (at == sizeof block) {
                rs_sponge_squeeze(sponge, block, sizeof block);
                at = 0;
            }
            j = block[at++];
        } while (j > i);
        c->c[i] = c->c[j];
        c->c[j] = signs & 1 ? -one : one;
    }
}
