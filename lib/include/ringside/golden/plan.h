// SPDX-License-Identifier: Apache-2.0
// Golden: what a plan (plan.h) was made with.
#ifndef RINGSIDE_GOLDEN_PLAN_H
#define RINGSIDE_GOLDEN_PLAN_H

#include "../plan.h"

#ifdef __cplusplus
extern "C" {
#endif

RS_GOLDEN uint64_t rs_plan_root(const rs_plan_t *plan); // psi

#ifdef __cplusplus
}
#endif

#endif
