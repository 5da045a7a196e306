// SPDX-License-Identifier: Apache-2.0
// Wide discrete Gaussians by rejection, as that of BLISS (papers/bliss/gaussian.c), for any power of two as the deviation.
//
// With K = 2^(bits - 1), so that the deviation is 2 K, a candidate is K (x + v): x >= 0 has P(x) ~ exp(-x^2 / 8), by a table of its distribution function
// with 126 bits; v is a uniform multiple of 1/K below 1. It is kept with the probability exp(-v (v + 2 x) / 8), and gets a random sign; 0 is kept with one
// of the signs alone. 0.834 of all candidates are kept. That one is refused is public: candidates are independent, so it tells nothing about others.
//
// Precision: w = v (v + 2 x) / 64 < 53/64 is exact. The power series of exp(-w / 4) to w^16 is off by less than 2^-86.9, and five squarings make that
// 2^-81.9 of exp(-8 w); rounding adds 2^-85. P(x) is off by 2^-126. So a value's probability has a relative error below 2^-80 up to 8 deviations, and the
// statistical distance from the ideal is below 2^-81 (tests/oracle/test_gaussian.py computes both from the tables, exactly).
#include "sampling/gaussian.h"

#include "arith/wide.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "sampling/samplers.h"

// Five blocks of the stream are 17 candidates.
enum { CANDIDATES = 17 * RS_WAYS_MAX, SQUARINGS = 5 };

typedef struct row {
    uint64_t high;
    uint64_t low;
} row_t;

static const row_t BASE[] = {
#include "sampling/gaussian_base.inc"
};

static const row_t SERIES[] = {
#include "sampling/gaussian_series.inc"
};

// How many rows of the table are not above 126 bits. All words are below 2^63, so a top bit is a borrow.
static inline uint64_t base(uint64_t high, uint64_t low) {
    uint64_t x = 0;
    for (size_t i = 0; i < sizeof BASE / sizeof *BASE; i++) {
        const uint64_t borrow = (low - BASE[i].low) >> 63;
        x += 1 ^ ((high - BASE[i].high - borrow) >> 63);
    }
    return x;
}

// a b / 2^128, less than 3 below it.
static inline rs_wide_t product(rs_wide_t a, rs_wide_t b) {
    const uint64_t one = rs_wide_high(rs_wide_mul(rs_wide_high(a), rs_wide_low(b)));
    const uint64_t other = rs_wide_high(rs_wide_mul(rs_wide_low(a), rs_wide_high(b)));
    return rs_wide_add(rs_wide_mul(rs_wide_high(a), rs_wide_high(b)), rs_wide_add(rs_wide(0, one), rs_wide(0, other)));
}

// 2^96 exp(-8 w), w in units of 2^-128. The series has 127 bits after the point; squarings leave 126, 124, 120, 112, 96.
static inline rs_wide_t probability(rs_wide_t w) {
    size_t k = sizeof SERIES / sizeof *SERIES - 1;
    rs_wide_t result = rs_wide(SERIES[k].high, SERIES[k].low);
    while (k-- > 0) {
        const rs_wide_t less = product(w, result); // a - b = ~(~a + b)
        const rs_wide_t sum = rs_wide_add(rs_wide(~SERIES[k].high, ~SERIES[k].low), less);
        result = rs_wide(~rs_wide_high(sum), ~rs_wide_low(sum));
    }
    for (unsigned i = 0; i < SQUARINGS; i++) result = product(result, result);
    return result;
}

uint64_t rs_gaussian_candidate(int64_t *out, const uint8_t *bytes, uint32_t bits) {
    const uint64_t first = rs_load64_aligned(bytes), sign = first >> 63;
    const uint64_t x = base(first & (UINT64_MAX >> 1), rs_load64_aligned(bytes + 8) >> 1);
    const uint64_t v = rs_load64_aligned(bytes + 16) & (UINT64_MAX << (65 - bits)); // its low bits, at least 8, are 0
    const rs_wide_t limit = probability(rs_wide_mul(v, (v >> 6) + (x << 59)));
    const uint64_t borrow = ((rs_load64_aligned(bytes + 24) >> 1) - (rs_wide_low(limit) >> 1)) >> 63;
    const uint64_t kept = ((rs_load64_aligned(bytes + 32) >> 32) - rs_wide_high(limit) - borrow) >> 63;
    const uint64_t magnitude = (x << (bits - 1)) + (v >> (65 - bits)), mask = rs_opaque(0 - sign);
    *out = (int64_t)((magnitude ^ mask) - mask);
    return kept & ~(sign & (magnitude - 1) >> 63);
}

void rs_draw_gaussian(const rs_hash_t *hash, int64_t *out, size_t n, const rs_seed_t *seed, rs_domain_t domain, uint32_t bits) {
    _Alignas(8) uint8_t bytes[CANDIDATES * RS_GAUSSIAN_BYTES];
    int64_t x[CANDIDATES];
    uint8_t kept[CANDIDATES];
    uint64_t offset = 0;
    for (size_t done = 0; done < n; offset += sizeof bytes) {
        rs_draw_stream(hash, bytes, sizeof bytes, seed, domain, offset);
        for (size_t i = 0; i < CANDIDATES; i++)
            kept[i] = (uint8_t)rs_gaussian_candidate(&x[i], bytes + i * RS_GAUSSIAN_BYTES, bits);
        RS_DECLASSIFY(kept, sizeof kept); // above
        for (size_t i = 0; i < CANDIDATES && done < n; i++) {
            out[done] = x[i];
            done += kept[i];
        }
    }
    rs_zeroize(bytes, sizeof bytes);
    rs_zeroize(x, sizeof x);
}
