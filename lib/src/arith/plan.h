// SPDX-License-Identifier: Apache-2.0
// Making a limb: the plan of one ring Z_q[X]/(X^N + 1). A context has one for each modulus; plan.h offers a single one.
#ifndef RINGSIDE_ARITH_PLAN_H
#define RINGSIDE_ARITH_PLAN_H

#include <ringside/base.h>

#include "arith/ring.h"

// Tables begin on cache lines, wherever the caller's memory does.
enum { RS_LINE_BYTES = 64 };

static inline uintptr_t rs_align_line(uintptr_t address) { return (address + RS_LINE_BYTES - 1) & ~(uintptr_t)(RS_LINE_BYTES - 1); }

// RS_ERR_MODULUS_RANGE unless 2N < q < end, RS_ERR_MODULUS_NTT unless q = 1 mod 2N. Public arguments.
RS_MUST_CHECK rs_status_t rs_limb_check_any(uint32_t log_n, uint64_t q, uint64_t end);
// The same, and RS_ERR_MODULUS_PRIME.
RS_MUST_CHECK rs_status_t rs_limb_check(uint32_t log_n, uint64_t q, uint64_t end);
// N twiddles and N quotients, as wide as those of the widest ring.
#define RS_LIMB_TABLE_BYTES(log_n) (((size_t)2 << (log_n)) * sizeof(uint64_t))
size_t rs_limb_table_bytes(uint32_t log_n);
// rs_plan_size as a constant, of a log_n that there can be.
#define RS_PLAN_BYTES(log_n) (sizeof(rs_limb_t) + RS_LINE_BYTES + RS_LIMB_TABLE_BYTES(log_n))
// 2 <= log_n <= 17, a modulus that passed the check, a ring for it, and memory for the table.
void rs_limb_init(rs_limb_t *limb, const rs_ring_t *ring, uint32_t log_n, uint64_t q, void *table);
// With this root, of any modulus = 1 mod 2N: 2N is its order modulo each prime of q, or RS_ERR_MODULUS_NTT.
RS_MUST_CHECK rs_status_t rs_limb_init_root(rs_limb_t *limb, const rs_ring_t *ring, uint32_t log_n, uint64_t q, uint64_t root,
                                            void *table);

#endif
