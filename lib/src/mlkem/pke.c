// SPDX-License-Identifier: Apache-2.0
// Key generation, encryption and decryption of K-PKE, row by row of the matrix.
#include "mlkem/pke.h"

#include "base/bytes.h"
#include "base/declassify.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/sample.h"

typedef struct workspace {
    int16_t *vector;
    int16_t *matrix;
    int16_t *noise;
    uint32_t rows;
} workspace_t;

static workspace_t parts_of(const rs_mlkem_params_t *p, void *memory) {
    workspace_t w = {.vector = memory, .rows = RS_MLKEM_ROWS(p->k)};
    w.matrix = w.vector + RS_MLKEM_N * p->k;
    w.noise = w.matrix + RS_MLKEM_N * p->k * w.rows;
    if (RS_WAYS_MAX > 1) {
        w.noise = w.matrix;
        w.matrix = w.noise + RS_MLKEM_N * (w.rows + 1);
    }
    return w;
}

void rs_mlkem_pke_keygen(const rs_mlkem_params_t *p, const rs_hash_t *hash, uint8_t *ek, uint8_t *s, const uint8_t *d,
                         void *memory) {
    const workspace_t w = parts_of(p, memory);
    uint8_t *rho_of_ek = ek + rs_mlkem_vector_bytes(p);
    uint8_t seeds[2 * RS_MLKEM_HASH_BYTES]; // d || k, then rho || sigma
    const uint8_t *sigma = seeds + RS_MLKEM_HASH_BYTES;
    memcpy(seeds, d, RS_MLKEM_HASH_BYTES);
    seeds[RS_MLKEM_HASH_BYTES] = (uint8_t)p->k;
    rs_sponge_hash(RS_SPONGE_SHA3_512, seeds, sizeof seeds, seeds, RS_MLKEM_HASH_BYTES + 1);
    RS_DECLASSIFY(seeds, RS_MLKEM_HASH_BYTES); // rho is part of ek
    memcpy(rho_of_ek, seeds, RS_MLKEM_HASH_BYTES);

    const int together = RS_WAYS_MAX > 1;
    rs_mlkem_sample_noise(w.vector, hash, sigma, 0, together ? 2 * p->k : p->k, p->eta1);
    for (uint32_t i = 0; i < p->k; i++) {
        rs_mlkem_ntt(w.vector + RS_MLKEM_N * i);
        rs_mlkem_encode(s + RS_MLKEM_POLY_BYTES * i, w.vector + RS_MLKEM_N * i);
    }
    for (uint32_t first = 0; first < p->k; first += w.rows) {
        if (!together) rs_mlkem_sample_noise(w.noise, hash, sigma, p->k + first, w.rows, p->eta1);
        rs_mlkem_sample_rows(w.matrix, hash, rho_of_ek, p->k, first, w.rows, 0);
        for (uint32_t row = 0; row < w.rows; row++, ek += RS_MLKEM_POLY_BYTES) {
            int16_t *a = w.matrix + RS_MLKEM_N * p->k * row, *e = w.noise + RS_MLKEM_N * row;
            rs_mlkem_ntt(e);
            rs_mlkem_dot(a, a, w.vector, p->k);
            rs_mlkem_add_scaled(a, e); // at most RS_MLKEM_HALF + 3 + 7 RS_MLKEM_HALF
            rs_mlkem_encode(ek, a);
        }
    }
    rs_zeroize(seeds, sizeof seeds);
}

static void add(int16_t *a, const int16_t *b) {
    for (uint32_t i = 0; i < RS_MLKEM_N; i++) a[i] = (int16_t)(a[i] + b[i]);
}

// Packs f as the next part of a ciphertext: to *ct, or, if that is NULL, to room. Compares with *other, unless that is NULL.
static uint64_t put(const int16_t *f, uint32_t d, uint8_t **ct, const uint8_t **other, uint8_t *room) {
    const size_t bytes = RS_MLKEM_N / 8 * d;
    uint8_t *to = *ct ? *ct : room;
    uint64_t difference = 0;
    rs_mlkem_pack(to, f, d);
    if (*ct) *ct += bytes;
    if (*other) {
        for (size_t i = 0; i < bytes; i++) difference |= (uint64_t)(to[i] ^ (*other)[i]);
        *other += bytes;
    }
    return difference;
}

uint64_t rs_mlkem_pke_encrypt(const rs_mlkem_params_t *p, const rs_hash_t *hash, uint8_t *ct, const uint8_t *other,
                              const uint8_t *ek, const uint8_t *m, const uint8_t *r, void *memory) {
    const workspace_t w = parts_of(p, memory);
    const uint8_t *rho = ek + rs_mlkem_vector_bytes(p);
    uint64_t difference = 0;
    const int together = RS_WAYS_MAX > 1 && p->eta1 == RS_MLKEM_ETA2;
    rs_mlkem_sample_noise(w.vector, hash, r, 0, together ? 2 * p->k + 1 : p->k, p->eta1);
    for (uint32_t i = 0; i < p->k; i++) rs_mlkem_ntt(w.vector + RS_MLKEM_N * i);
    for (uint32_t first = 0; first < p->k; first += w.rows) {
        if (!together) rs_mlkem_sample_noise(w.noise, hash, r, p->k + first, w.rows, RS_MLKEM_ETA2);
        rs_mlkem_sample_rows(w.matrix, hash, rho, p->k, first, w.rows, 1);
        for (uint32_t row = 0; row < w.rows; row++) {
            int16_t *u = w.matrix + RS_MLKEM_N * p->k * row, *e = w.noise + RS_MLKEM_N * row;
            rs_mlkem_dot(u, u, w.vector, p->k);
            rs_mlkem_inverse(u);
            add(u, e);
            difference |= put(u, p->du, &ct, &other, (uint8_t *)e);
        }
    }
    int16_t *v = w.matrix;
    for (uint32_t i = 0; i < p->k; i++) rs_mlkem_decode(v + RS_MLKEM_N * i, ek + RS_MLKEM_POLY_BYTES * i);
    rs_mlkem_dot(v, v, w.vector, p->k);
    rs_mlkem_inverse(v);
    if (!together) rs_mlkem_sample_noise(w.noise, hash, r, 2 * p->k, 1, RS_MLKEM_ETA2);
    add(v, together ? w.noise + RS_MLKEM_N * p->k : w.noise);
    rs_mlkem_add_message(v, m); // at most 2 RS_MLKEM_HALF + 2 = 3332
    return difference | put(v, p->dv, &ct, &other, (uint8_t *)w.noise);
}

void rs_mlkem_pke_decrypt(const rs_mlkem_params_t *p, uint8_t *m, const uint8_t *s, const uint8_t *ct, void *memory) {
    const workspace_t w = parts_of(p, memory);
    const size_t part_bytes = RS_MLKEM_N / 8 * p->du;
    int16_t *u = w.vector, *product = w.matrix, *v = w.noise;
    for (uint32_t i = 0; i < p->k; i++) {
        rs_mlkem_unpack(u + RS_MLKEM_N * i, ct + part_bytes * i, p->du);
        rs_mlkem_ntt(u + RS_MLKEM_N * i);
        rs_mlkem_decode(product + RS_MLKEM_N * i, s + RS_MLKEM_POLY_BYTES * i);
    }
    rs_mlkem_dot(product, product, u, p->k);
    rs_mlkem_inverse(product);
    rs_mlkem_unpack(v, ct + part_bytes * p->k, p->dv);
    for (uint32_t i = 0; i < RS_MLKEM_N; i++) v[i] = (int16_t)(v[i] - product[i]); // -RS_MLKEM_HALF to q + RS_MLKEM_HALF
    rs_mlkem_to_message(m, v);
}
