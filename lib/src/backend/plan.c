// SPDX-License-Identifier: Apache-2.0
// Plans (plan.h): those of a ring of its own are made for the back end in use.
#include <ringside/golden/plan.h>

#include "arith/plan.h"
#include "backend/backend.h"
#include "base/bytes.h"
#include "base/checks.h"

size_t rs_plan_size(uint32_t log_n) {
    if (log_n < RS_PLAN_LOG_N_MIN || log_n > RS_PLAN_LOG_N_MAX) return 0;
    return RS_PLAN_BYTES(log_n);
}

rs_status_t rs_plan_init(const rs_plan_t **plan, rs_memory_t memory, uint32_t log_n, uint64_t q, uint64_t psi) {
    if (!plan) return RS_ERR_NULL;
    const size_t needed = rs_plan_size(log_n);
    if (!needed) return RS_ERR_DEGREE;
    const uint64_t end = ((uint64_t)1 << RS_PLAN_BITS_MAX) + ((uint64_t)1 << RS_PLAN_MARGIN_BITS);
    RS_TRY((psi ? rs_limb_check_any : rs_limb_check)(log_n, q, end));
    RS_TRY(rs_check_memory(memory, needed));
    RS_TRY(rs_backend_status());
    rs_plan_t *made = memory.p;
    const rs_ring_t *ring = q >> RS_RING_BITS_MAX ? &RS_RING_WIDE : rs_backend_choice(rs_backend_current(), log_n, q).ring;
    void *table = (void *)rs_align_line((uintptr_t)made + sizeof *made);
    if (psi) {
        RS_TRY(rs_limb_init_root(made, ring, log_n, q, psi, table));
    } else {
        rs_limb_init(made, ring, log_n, q, table);
    }
    *plan = made;
    return RS_OK;
}

uint32_t rs_plan_n(const rs_plan_t *plan) { return (uint32_t)1 << plan->log_n; }

uint64_t rs_plan_modulus(const rs_plan_t *plan) { return plan->modulus.q; }

uint64_t rs_plan_root(const rs_plan_t *plan) { return plan->root; }

void rs_plan_forward(const rs_plan_t *plan, uint64_t *poly) { plan->ring->forward(plan, poly); }

void rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly) { plan->ring->inverse(plan, poly); }

void rs_plan_mul(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b) { plan->ring->mul(plan, out, a, b); }

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

void rs_plan_galois(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, uint32_t element) {
    for (uint32_t j = 0; j < rs_plan_n(plan); j++) out[j] = a[rs_galois_word(j, element, plan->log_n)];
}

void rs_plan_lift(const rs_plan_t *plan, uint64_t *out, const int8_t *small, uint64_t factor) {
    plan->ring->lift_small(plan, out, small, factor);
}
