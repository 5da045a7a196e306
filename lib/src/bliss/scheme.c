// SPDX-License-Identifier: Apache-2.0
// What keys, signing and verification share.
#include "base/checks.h"
#include "bliss/work.h"

enum { N = RS_BLISS_N, Q = RS_BLISS_Q };

// Before the plan, in the same memory.
enum { HEADER_BYTES = (sizeof(rs_bliss_t) + 7) / 8 * 8 };

size_t rs_bliss_size(void) {
    return HEADER_BYTES + rs_plan_size(RS_BLISS_LOG_N);
}

size_t rs_bliss_workspace(void) {
    return sizeof(rs_bliss_work_t);
}

rs_status_t rs_bliss_init(const rs_bliss_t **scheme, void *memory, size_t memory_bytes, rs_bliss_search_t search,
                          const char *consent) {
    if (!scheme) return RS_ERR_NULL;
    RS_TRY(rs_check_research(consent));
    if (search != RS_BLISS_SEARCH_SCAN && search != RS_BLISS_SEARCH_STEPS) return RS_ERR_VARIANT;
    RS_TRY(rs_check_workspace(memory, memory_bytes, rs_bliss_size()));
    rs_bliss_t *made = memory;
    made->search = search;
    RS_TRY(rs_plan_init(&made->plan, (uint8_t *)memory + HEADER_BYTES, memory_bytes - HEADER_BYTES, RS_BLISS_LOG_N, Q));
    *scheme = made;
    return RS_OK;
}

rs_status_t rs_bliss_check_memory(const rs_bliss_t *scheme, const void *workspace, size_t workspace_bytes) {
    return scheme ? rs_check_workspace(workspace, workspace_bytes, rs_bliss_workspace()) : RS_ERR_NULL;
}

void rs_bliss_lift(uint64_t *residues, const int16_t *small) {
    for (size_t i = 0; i < N; i++) {
        const uint32_t x = (uint32_t)(int32_t)small[i];
        residues[i] = x + (Q & (0 - (x >> 31)));
    }
}

// zeta is -1/2 mod q, so zeta (2a) is -a mod q, and it is even.
void rs_bliss_commit(const rs_bliss_t *scheme, uint64_t *out, const uint64_t *a_ntt, const int16_t *small) {
    rs_bliss_lift(out, small);
    rs_plan_forward(scheme->plan, out);
    rs_plan_mul(scheme->plan, out, out, a_ntt);
    rs_plan_inverse(scheme->plan, out);
    for (size_t i = 0; i < N; i++) {
        const uint32_t negated = Q - (uint32_t)out[i]; // 1 to q
        out[i] = rs_bliss_mod_2q(negated + (Q & (0 - (negated & 1))));
    }
}

int rs_bliss_is_short(const rs_bliss_signature_t *signature) {
    uint64_t norm = 0; // 2 * 512 * 2100^2 is more than 32 bits hold
    for (size_t i = 0; i < N; i++) {
        const int32_t z1 = signature->z1[i], z2 = signature->z2[i] * (1 << RS_BLISS_DROPPED_BITS);
        if (z1 > RS_BLISS_Z_MAX || z1 < -RS_BLISS_Z_MAX || z2 > RS_BLISS_Z_MAX || z2 < -RS_BLISS_Z_MAX) return 0;
        norm += (uint32_t)(z1 * z1 + z2 * z2);
    }
    return norm <= (uint64_t)RS_BLISS_NORM_MAX * RS_BLISS_NORM_MAX;
}
