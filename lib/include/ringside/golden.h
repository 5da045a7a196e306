// SPDX-License-Identifier: Apache-2.0
// Golden: the steps that tests, benches of RTL and proofs compare with. Nothing here is promised: any commit may change or drop it, and the
// installed shared library does not export it (RS_GOLDEN, base.h). ringside.h has what is promised.
#ifndef RINGSIDE_GOLDEN_H
#define RINGSIDE_GOLDEN_H

#include "golden/ckks.h"
#include "golden/fixed.h"
#include "golden/hash.h"
#include "golden/plan.h"
#include "golden/program.h"
#include "golden/sample.h"
#include "ringside.h"

#endif
