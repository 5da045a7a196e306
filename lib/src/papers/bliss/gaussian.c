// SPDX-License-Identifier: Apache-2.0
// The discrete Gaussian of deviation sigma = 215 by rejection, as in the BLISS paper (algorithms 10 to 12), with steps of 128 instead of 254 so
// that fewer are refused, and with one comparison in place of its coins, whose number tells what they decide. z = 128 x + y, x >= 0 of the base
// distribution P(x) ~ exp(-(128 x)^2 / 2 sigma^2), y uniform below 128, is kept with the probability exp(-y (y + 256 x) / 2 sigma^2), and gets a
// random sign; 0 is kept with one of the signs alone. 0.808 of all candidates are kept.
//
// Every candidate takes the same steps, whatever it is. That one is refused is public: candidates are independent, so it tells nothing about others.
//
// Precision: a kept value z has the probability P'(z) that tables and polynomial say. The Rényi divergence of order 256 of P' from the exact
// distribution P is 1 + 2^-85.7 (tests/oracle/test_bliss.py computes it from P' exactly). 2^64 signatures take 2^74.3 samples, so whoever
// forges with a probability e where y has P' does so with e^(256/255) / 1.0004 where it has P (Bai, Langlois, Lepoint, Stehlé, Steinfeld,
// ASIACRYPT 2015).
#include "arith/wide.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "papers/bliss/bliss.h"

// Base: the first rows count units of 2^-63, the others of 2^-95, where 40 bits are zero.
enum { COARSE_ROWS = 12, ROWS = 17, FINE_BITS = 32, RARE_BITS = 63 - 40 };
enum { STEP_BITS = 7, COIN_BITS = 56, DEGREE = 10, LOG_BITS = 79, CANDIDATES = RS_BLISS_DRAW_CANDIDATES };
// round(2^79 / (2 sigma^2 ln 2))
static const uint64_t LOG = 0x82e7c78979257a82;

static const uint64_t TAIL[ROWS] = {
#include "papers/bliss/gaussian_table.inc"
};

static const uint64_t POWER[DEGREE + 1] = {
#include "papers/bliss/power_table.inc"
};

// How many rows are above the number; all are below 2^63, so a top bit is a borrow.
static inline uint64_t base(uint64_t number, uint64_t more) {
    const uint64_t fine = (number & (((uint64_t)1 << RARE_BITS) - 1)) << FINE_BITS | more;
    const uint64_t is_rare = ((number >> RARE_BITS) - 1) >> 63;
    uint64_t count = 0, rare = 0;
    for (unsigned i = 0; i < COARSE_ROWS; i++) count += (number - TAIL[i]) >> 63;
    for (unsigned i = COARSE_ROWS; i < ROWS; i++) rare += (fine - TAIL[i]) >> 63;
    return count + (rare & (0 - is_rare));
}

// 2^56 exp(-n / 2 sigma^2), n < 2^20: 2^-f / 2^whole. The relative error is below 2^-50.
static inline uint64_t probability(uint64_t n) {
    const rs_wide_t log = rs_wide_mul(n, LOG);
    const uint64_t f = rs_wide_shift(log, LOG_BITS - 64);
    const uint64_t whole = rs_wide_shift(log, LOG_BITS); // at most 9
    uint64_t result = POWER[DEGREE];
    for (unsigned k = DEGREE; k-- > 0;) result = POWER[k] - rs_wide_high(rs_wide_mul(f, result));
    // shifts by secret numbers are loops or branches on machines of 32 bits
    for (unsigned i = 0; i < 4; i++) result ^= (result ^ result >> (1 << i)) & rs_opaque(0 - (whole >> i & 1));
    return result >> (63 - COIN_BITS);
}

// 1 if the candidate is kept.
static inline uint64_t candidate(int16_t *z, uint64_t first, uint64_t second, uint64_t more) {
    const uint64_t x = base(first >> 1, more);
    const uint64_t y = second & (((uint64_t)1 << STEP_BITS) - 1);
    const uint64_t sign = second >> STEP_BITS & 1;
    const uint64_t magnitude = (x << STEP_BITS) + y, mask = rs_opaque(0 - sign);
    const uint64_t kept = ((second >> (64 - COIN_BITS)) - probability(y * (magnitude + (x << STEP_BITS)))) >> 63;
    *z = (int16_t)(uint16_t)((magnitude ^ mask) - mask);
    return kept & ~(sign & (magnitude - 1) >> 63);
}

size_t rs_bliss_gaussian(int16_t *out, size_t room, const uint8_t *bytes) {
    int16_t z[CANDIDATES];
    uint8_t kept[CANDIDATES];
    size_t count = 0;
    for (size_t i = 0; i < CANDIDATES; i += 2, bytes += RS_BLISS_PAIR_BYTES) {
        const uint64_t more = rs_load64_aligned(bytes + 32);
        kept[i] = (uint8_t)candidate(&z[i], rs_load64_aligned(bytes), rs_load64_aligned(bytes + 8), more & UINT32_MAX);
        kept[i + 1] = (uint8_t)candidate(&z[i + 1], rs_load64_aligned(bytes + 16), rs_load64_aligned(bytes + 24), more >> 32);
    }
    RS_DECLASSIFY(kept, sizeof kept); // above
    for (size_t i = 0; i < CANDIDATES && count < room; i++) {
        out[count] = z[i];
        count += kept[i];
    }
    rs_zeroize(z, sizeof z);
    return count;
}
