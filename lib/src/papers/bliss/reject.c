// SPDX-License-Identifier: Apache-2.0
// The rejection of BLISS in one comparison. The paper takes exp(-x / 2 sigma^2) bit by bit of x, each a coin of its own, and 1 / cosh by a
// loop of such coins; time and branches of that tell x (Espitau et al., CCS 2017). Here the same exponentials of single bits are multiplied:
// with t = |inner| / sigma^2 the probability is exp(-x / 2 sigma^2) / cosh(t) = 2 E1 / (1 + E2), E1 = exp(-x / 2 sigma^2 - t), E2 = exp(-2t),
// so a uniform number u in [0, 1) is accepted if u (1 + E2) < 2 E1.
#include "arith/wide.h"
#include "papers/bliss/bliss.h"

enum { ONE_BITS = RS_BLISS_UNIFORM_BITS, EXP_BITS = 23, INNER_MAX = (1 << 21) - 1 };

static const uint64_t EXP[EXP_BITS] = {
#include "papers/bliss/exp_table.inc"
};

// a b / 2^62; both at most 2^62.
static inline uint64_t product(uint64_t a, uint64_t b) { return rs_wide_shift(rs_wide_mul(a, b), ONE_BITS); }

// 2^62 exp(-x / 2 sigma^2), x < 2^23, at most 2^-57 off. Each factor is a row or 1.
static uint64_t exponential(uint32_t x) {
    const uint64_t one = (uint64_t)1 << ONE_BITS;
    uint64_t result = one;
    for (unsigned i = 0; i < EXP_BITS; i++) {
        const uint64_t mask = 0 - (uint64_t)(x >> i & 1);
        result = product(result, one ^ ((one ^ EXP[i]) & mask));
    }
    return result;
}

uint32_t rs_bliss_accepts(uint64_t uniform, int32_t norm, int32_t inner) {
    const uint32_t x = (uint32_t)(RS_BLISS_PRODUCT_NORM_MAX - norm);
    const uint32_t sign = 0 - ((uint32_t)inner >> 31);
    uint32_t magnitude = ((uint32_t)inner ^ sign) - sign;
    // At 2^21 both exponentials are 0 in 62 bits.
    const uint32_t beyond = 0 - ((INNER_MAX - magnitude) >> 31);
    magnitude ^= (magnitude ^ INNER_MAX) & beyond;
    const uint64_t first = exponential(x + 2 * magnitude); // |inner| / sigma^2 is 2 |inner| / (2 sigma^2)
    const uint64_t second = exponential(4 * magnitude);
    return (uint32_t)((uniform + product(uniform, second) - 2 * first) >> 63);
}
