// SPDX-License-Identifier: Apache-2.0
// Slots by traces. zeta is a root of Phi_m in GF(2^order), r_j runs through representatives of the units modulo m over the powers of 2.
//   encode: a_i = sum of b_j Tr(zeta^(-r_j i)) for i < m, modulo Phi_m: the inverse transform, as m is odd
//   decode: b_j = Tr(beta c(zeta^r_j)), where Tr(beta) = 1, so it is b_j also by itself
#include "scheme/slots.h"

#include <stdlib.h>
#include <string.h>

enum { ORDER_MAX = 16 };
static const uint32_t POLYNOMIAL_8 = 0x11d, POLYNOMIAL_16 = 0x1100b; // primitive

typedef struct field {
    uint32_t order, units;
    uint32_t *log, *exponential;
} field_t;

static int field_init(field_t *field, uint32_t order) {
    field->order = order;
    field->units = (1u << order) - 1;
    field->log = calloc(field->units + 1, sizeof *field->log);
    field->exponential = calloc(field->units, sizeof *field->exponential);
    if (!field->log || !field->exponential) return 0;
    uint32_t x = 1;
    for (uint32_t i = 0; i < field->units; i++) {
        field->exponential[i] = x;
        field->log[x] = i;
        x <<= 1;
        if (x >> order) x ^= order == 8 ? POLYNOMIAL_8 : POLYNOMIAL_16;
    }
    return 1;
}

static uint32_t power_of(const field_t *field, uint64_t exponent) { return field->exponential[exponent % field->units]; }

static unsigned trace(const field_t *field, uint32_t x) {
    uint32_t sum = 0;
    for (uint32_t k = 0; k < field->order; k++) {
        sum ^= x;
        if (x) x = power_of(field, 2 * (uint64_t)field->log[x]);
    }
    return sum & 1;
}

static uint32_t gcd(uint32_t a, uint32_t b) {
    while (b) {
        const uint32_t r = a % b;
        a = b;
        b = r;
    }
    return a;
}

// One number of each orbit of x -> 2 x modulo m: of all (units 0) or of the units; orbit[x] is the index of x's. Returns their number.
static uint32_t orbits(const ltv_ring_t *ring, int units, uint16_t *orbit, uint32_t *first) {
    const uint32_t m = ring->m;
    uint32_t count = 0;
    memset(orbit, 0xff, m * sizeof *orbit);
    for (uint32_t i = units; i < m; i++) {
        if (orbit[i] != UINT16_MAX || (units && gcd(i, m) != 1)) continue;
        uint64_t x = i;
        for (uint32_t k = 0; k < ring->order; k++) {
            orbit[x] = (uint16_t)count;
            x = 2 * x % m;
        }
        first[count++] = i;
    }
    return count;
}

static void fill(ltv_slots_t *slots, const field_t *field, const uint32_t *units, const uint32_t *rows, uint8_t *traces) {
    const uint32_t m = slots->ring->m, n = slots->ring->n, step = field->units / m; // zeta = generator^step
    for (uint32_t e = 0; e < m; e++) traces[e] = (uint8_t)trace(field, power_of(field, (uint64_t)e * step));
    for (uint32_t r = 0; r < slots->row_count; r++) {
        for (uint32_t j = 0; j < slots->ring->slots; j++) {
            const uint64_t bit = traces[(uint64_t)(m - units[j]) * rows[r] % m];
            slots->rows[(size_t)r * slots->words + j / 64] |= bit << (j % 64);
        }
    }
    uint32_t beta = 1;
    while (!trace(field, beta)) beta++;
    for (uint32_t e = 0; e < m; e++) traces[e] = (uint8_t)trace(field, power_of(field, field->log[beta] + (uint64_t)e * step));
    for (uint32_t j = 0; j < slots->ring->slots; j++) {
        for (uint32_t i = 0; i < n; i++) {
            const uint64_t bit = traces[(uint64_t)units[j] * i % m];
            slots->dual[((size_t)j * n + i) / 64] |= bit << (i % 64);
        }
    }
}

int ltv_slots_init(ltv_slots_t *slots, const ltv_ring_t *ring) {
    memset(slots, 0, sizeof *slots);
    slots->ring = ring;
    slots->words = (ring->slots + 63) / 64;
    field_t field = {0, 0, NULL, NULL};
    uint32_t *units = malloc(ring->m * sizeof *units), *rows = malloc(ring->m * sizeof *rows);
    uint16_t *orbit = malloc(ring->m * sizeof *orbit);
    uint8_t *traces = malloc(ring->m);
    slots->row_of = malloc(ring->m * sizeof *slots->row_of);
    slots->dual = calloc((size_t)ring->slots * ring->n / 64, sizeof *slots->dual);
    int done = units && rows && orbit && traces && slots->row_of && slots->dual && field_init(&field, ring->order);
    if (done) {
        orbits(ring, 1, orbit, units);
        slots->row_count = orbits(ring, 0, slots->row_of, rows);
        slots->rows = calloc((size_t)slots->row_count * slots->words, sizeof *slots->rows);
        done = slots->rows != NULL;
    }
    if (done) fill(slots, &field, units, rows, traces);
    free(field.log);
    free(field.exponential);
    free(units);
    free(rows);
    free(orbit);
    free(traces);
    return done;
}

void ltv_slots_free(ltv_slots_t *slots) {
    free(slots->row_of);
    free(slots->rows);
    free(slots->dual);
    memset(slots, 0, sizeof *slots);
}

static unsigned parity(const uint64_t *a, const uint64_t *b, size_t words) {
    uint64_t sum = 0;
    for (size_t w = 0; w < words; w++) sum ^= a[w] & b[w];
    return (unsigned)__builtin_parityll(sum);
}

// Modulo 2 a factor 1 - X^d is a sum with distance d.
static void series(uint8_t *a, size_t n, size_t d, int divide) {
    if (divide) {
        for (size_t i = d; i < n; i++) a[i] ^= a[i - d];
    } else {
        for (size_t i = n; i-- > d;) a[i] ^= a[i - d];
    }
}

int ltv_slots_encode(const ltv_slots_t *slots, const uint8_t *bits, uint8_t *coefficients) {
    const ltv_ring_t *ring = slots->ring;
    const size_t m = ring->m, n = ring->n, count = m - n;
    uint64_t *packed = calloc(slots->words, sizeof *packed);
    uint8_t *values = malloc(slots->row_count), *quotient = malloc(m), *product = calloc(n, 1);
    const int done = packed && values && quotient && product;
    if (done) {
        for (uint32_t j = 0; j < ring->slots; j++) packed[j / 64] |= (uint64_t)(bits[j] & 1) << (j % 64);
        for (uint32_t r = 0; r < slots->row_count; r++) {
            values[r] = (uint8_t)parity(slots->rows + (size_t)r * slots->words, packed, slots->words);
        }
        // the remainder modulo Phi, as in passes.h
        for (size_t i = 0; i < count; i++) quotient[i] = values[slots->row_of[m - 1 - i]];
        for (uint32_t k = 0; k < ring->factor_count; k++) {
            if (ring->factors[k].degree < count) series(quotient, count, ring->factors[k].degree, !ring->factors[k].inverse);
        }
        for (size_t i = 0; i < count; i++) {
            if (count - 1 - i < n) product[count - 1 - i] = quotient[i];
        }
        for (uint32_t k = 0; k < ring->factor_count; k++) {
            if (ring->factors[k].degree < n) series(product, n, ring->factors[k].degree, ring->factors[k].inverse);
        }
        for (size_t i = 0; i < n; i++) coefficients[i] = values[slots->row_of[i]] ^ product[i];
    }
    free(packed);
    free(values);
    free(quotient);
    free(product);
    return done;
}

int ltv_slots_decode(const ltv_slots_t *slots, const uint8_t *coefficients, uint8_t *bits) {
    const size_t n = slots->ring->n, words = n / 64;
    uint64_t *packed = calloc(words, sizeof *packed);
    if (!packed) return 0;
    for (size_t i = 0; i < n; i++) packed[i / 64] |= (uint64_t)(coefficients[i] & 1) << (i % 64);
    for (uint32_t j = 0; j < slots->ring->slots; j++) bits[j] = (uint8_t)parity(slots->dual + j * words, packed, words);
    free(packed);
    return 1;
}
