// SPDX-License-Identifier: Apache-2.0
// Plans for a ring of their own (plan.h), by the back end in use.
#include <ringside/plan.h>

#include "arith/plan.h"
#include "backend/backend.h"
#include "base/checks.h"

size_t rs_plan_size(uint32_t log_n) {
    if (log_n < RS_PLAN_LOG_N_MIN || log_n > RS_PLAN_LOG_N_MAX) return 0;
    return RS_PLAN_BYTES(log_n);
}

// check: whether there can be a plan for this modulus.
static rs_status_t check_init(const rs_plan_t **plan, void *memory, size_t memory_bytes, uint32_t log_n, uint64_t q,
                              rs_status_t (*check)(uint32_t, uint64_t)) {
    if (!plan) return RS_ERR_NULL;
    const size_t needed = rs_plan_size(log_n);
    if (!needed) return RS_ERR_PLAN_DEGREE;
    RS_TRY(check(log_n, q));
    RS_TRY(rs_check_workspace(memory, memory_bytes, needed));
    return rs_backend_status();
}

static void *table_of(rs_plan_t *plan) {
    return (void *)rs_align_line((uintptr_t)plan + sizeof *plan);
}

rs_status_t rs_plan_init(const rs_plan_t **plan, void *memory, size_t memory_bytes, uint32_t log_n, uint64_t q) {
    RS_TRY(check_init(plan, memory, memory_bytes, log_n, q, rs_limb_check));
    rs_limb_init(memory, rs_backend_choice(rs_backend_current(), log_n, q).ring, log_n, q, table_of(memory));
    *plan = memory;
    return RS_OK;
}

rs_status_t rs_plan_init_root(const rs_plan_t **plan, void *memory, size_t memory_bytes, uint32_t log_n, uint64_t q, uint64_t psi) {
    RS_TRY(check_init(plan, memory, memory_bytes, log_n, q, rs_limb_check_any));
    const rs_ring_t *ring = rs_backend_choice(rs_backend_current(), log_n, q).ring;
    RS_TRY(rs_limb_init_root(memory, ring, log_n, q, psi, table_of(memory)));
    *plan = memory;
    return RS_OK;
}

uint32_t rs_plan_n(const rs_plan_t *plan) {
    return (uint32_t)1 << plan->log_n;
}

uint64_t rs_plan_modulus(const rs_plan_t *plan) {
    return plan->modulus.q;
}

uint64_t rs_plan_root(const rs_plan_t *plan) {
    return plan->root;
}

void rs_plan_forward(const rs_plan_t *plan, uint64_t *poly) {
    plan->ring->forward(plan, poly);
}

void rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly) {
    plan->ring->inverse(plan, poly);
}

void rs_plan_mul(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    plan->ring->mul(plan, out, a, b);
}

void rs_plan_mul_add(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    plan->ring->mul_add(plan, out, a, b, c);
}

void rs_plan_mul_sub(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c) {
    plan->ring->mul_sub(plan, out, a, b, c);
}

void rs_plan_add(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const uint64_t q = plan->modulus.q;
    for (uint32_t i = 0; i < rs_plan_n(plan); i++) out[i] = rs_add_mod(a[i], b[i], q);
}

void rs_plan_sub(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b) {
    const uint64_t q = plan->modulus.q;
    for (uint32_t i = 0; i < rs_plan_n(plan); i++) out[i] = rs_sub_mod(a[i], b[i], q);
}
