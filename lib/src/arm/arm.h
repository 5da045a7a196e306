// SPDX-License-Identifier: Apache-2.0
// The back ends of AArch64: RS_ARM says whether this build has them. Each file of arm/ is empty where it has not.
#ifndef RINGSIDE_ARM_H
#define RINGSIDE_ARM_H

#include "arith/ring.h"
#include "base/neon.h"
#include "encoding/lifts.h"
#include "hash/hash.h"
#include "sampling/samplers.h"

#if defined(RS_BACKENDS) && defined(RS_NEON)
#define RS_ARM 1
// Whether this machine has FEAT_SHA3: 1 or 0.
int rs_sha3_available(void);
extern const rs_hash_t RS_HASH_SHA3;
extern const rs_samplers_t RS_SAMPLERS_SHA3;
// For moduli up to the bits of the name.
extern const rs_ring_t RS_RING_NEON_48;
extern const rs_ring_t RS_RING_NEON_50;
extern const rs_lifts_t RS_LIFTS_NEON_48;
extern const rs_lifts_t RS_LIFTS_NEON_50;
#endif

#endif
