// SPDX-License-Identifier: Apache-2.0
// The discrete Gaussian of deviation sigma = 215 as x1 + 11 x2, both of variance v = sigma^2 / 122, from a table of 255 rows (Pöppelmann,
// Ducas, Güneysu, CHES 2014). The sum is such a Gaussian up to a relative error of 2^-80, because 2 pi v >= eta^2 (1 + 11^2) with
// eta^2 = ln(2 + 2^81) / pi (sampling/gaussian.c): 2 pi v is 2380, the other side 2181. The table has 126 bits, of which a sample loses 2^-118.
#include "base/bytes.h"
#include "bliss/bliss.h"

enum { ROWS = 255, HALF_BYTES = RS_BLISS_SAMPLE_BYTES / 2, FACTOR = 11 };

typedef struct row {
    uint64_t high;
    uint64_t low;
} row_t;

static const row_t TABLE[ROWS] = {
#include "bliss/gaussian_table.inc"
};

// 1 if the number is not below the row. All words are below 2^63, so a top bit is a borrow.
static inline uint64_t reaches(uint64_t high, uint64_t low, const row_t *row) {
    const uint64_t borrow = (low - row->low) >> 63;
    return 1 ^ ((high - row->high - borrow) >> 63);
}

// How many rows are not above the number.
static inline uint64_t scan(uint64_t high, uint64_t low) {
    uint64_t count = 0;
    for (size_t i = 0; i < ROWS; i++) count += reaches(high, low, &TABLE[i]);
    return count;
}

static inline uint64_t steps(uint64_t high, uint64_t low) {
    uint64_t count = 0;
    for (uint64_t step = (ROWS + 1) / 2; step; step /= 2) count += step & (0 - reaches(high, low, &TABLE[count + step - 1]));
    return count;
}

static inline int32_t half(const uint8_t *bytes, rs_bliss_search_t search) {
    const uint64_t first = rs_load64(bytes);
    const uint64_t high = first & (UINT64_MAX >> 1);
    const uint64_t low = rs_load64(bytes + 8) >> 1;
    const uint64_t sign = rs_opaque(0 - (first >> 63));
    const uint64_t magnitude = search == RS_BLISS_SEARCH_STEPS ? steps(high, low) : scan(high, low);
    return (int32_t)(uint32_t)((magnitude ^ sign) - sign);
}

void rs_bliss_gaussian(int16_t *out, const uint8_t *bytes, size_t count, rs_bliss_search_t search) {
    for (size_t i = 0; i < count; i++, bytes += RS_BLISS_SAMPLE_BYTES) {
        out[i] = (int16_t)(half(bytes, search) + FACTOR * half(bytes + HALF_BYTES, search));
    }
}
