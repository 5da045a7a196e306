// SPDX-License-Identifier: Apache-2.0
// What keys, signing and verification share.
#include "arith/plan.h"
#include "base/checks.h"
#include "papers/bliss/work.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q };
enum { AT_ONCE = 8 }; // compilers unroll inner loops of so many steps, and others not

// Before the plan, in the same memory.
enum { HEADER_BYTES = (sizeof(rs_bliss_t) + 7) / 8 * 8 };

const rs_research_sizes_t *rs_bliss_sizes(void) {
    static const rs_research_sizes_t SIZES = {HEADER_BYTES + RS_PLAN_BYTES(RS_BLISS_LOG_N), sizeof(rs_bliss_work_t)};
    return &SIZES;
}

rs_status_t rs_bliss_init(const rs_bliss_t **scheme, rs_memory_t memory, const char *consent) {
    if (!scheme) return RS_ERR_NULL;
    RS_TRY(rs_check_research(consent));
    RS_TRY(rs_check_memory(memory, rs_bliss_sizes()->memory));
    rs_bliss_t *made = memory.p;
    RS_TRY(rs_plan_init(&made->plan, (rs_memory_t){(uint8_t *)memory.p + HEADER_BYTES, memory.n - HEADER_BYTES}, RS_BLISS_LOG_N, Q,
                        0));
    *scheme = made;
    return RS_OK;
}

rs_status_t rs_bliss_check_memory(const rs_bliss_t *scheme, rs_memory_t workspace) {
    return scheme ? rs_check_memory(workspace, sizeof(rs_bliss_work_t)) : RS_ERR_NULL;
}

void rs_bliss_lift(uint64_t *residues, const int16_t *small) {
    for (size_t i = 0; i < N; i += AT_ONCE) {
        for (size_t k = i; k < i + AT_ONCE; k++) {
            const uint64_t x = (uint64_t)(int64_t)small[k];
            residues[k] = x + (Q & (0 - (x >> 63)));
        }
    }
}

// zeta is -1/2 mod q, so zeta (2a) is -a mod q, and it is even: q - x if the residue x is odd, else 2q - x.
void rs_bliss_commit(const rs_bliss_t *scheme, uint64_t *out, const uint64_t *a_ntt, const int16_t *small) {
    rs_bliss_lift(out, small);
    rs_plan_forward(scheme->plan, out);
    rs_plan_mul(scheme->plan, out, out, a_ntt);
    rs_plan_inverse(scheme->plan, out);
    for (size_t i = 0; i < N; i += AT_ONCE) {
        for (size_t k = i; k < i + AT_ONCE; k++) out[k] = Q + (Q & ((out[k] & 1) - 1)) - out[k];
    }
}

int rs_bliss_has_short_norm(const rs_bliss_signature_t *signature) {
    // 512 * 2100^2 is below 2^32, and so is 512 * 3^2
    uint32_t norm1 = 0, norm2 = 0;
    for (size_t i = 0; i < N; i += AT_ONCE) {
        for (size_t k = i; k < i + AT_ONCE; k++) {
            norm1 += (uint32_t)(signature->z1[k] * signature->z1[k]);
            norm2 += (uint32_t)(signature->z2[k] * signature->z2[k]);
        }
    }
    const uint64_t norm = norm1 + ((uint64_t)norm2 << 2 * RS_BLISS_DROPPED_BITS);
    return norm <= (uint64_t)RS_BLISS_NORM_MAX * RS_BLISS_NORM_MAX;
}

int rs_bliss_is_short(const rs_bliss_signature_t *signature) {
    uint32_t beyond = 0; // its top bit
    for (size_t i = 0; i < N; i++) {
        const int32_t z1 = signature->z1[i], z2 = signature->z2[i];
        beyond |= (uint32_t)(RS_BLISS_Z_MAX - z1) | (uint32_t)(RS_BLISS_Z_MAX + z1);
        beyond |= (uint32_t)(RS_BLISS_Z2_MAX - z2) | (uint32_t)(RS_BLISS_Z2_MAX + z2);
    }
    return !(beyond >> 31) && rs_bliss_has_short_norm(signature);
}
