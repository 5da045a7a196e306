// SPDX-License-Identifier: Apache-2.0
// Ringside: the client side of CKKS. Include this.
#ifndef RINGSIDE_RINGSIDE_H
#define RINGSIDE_RINGSIDE_H

#include "base.h"
#include "ckks.h"
#include "client.h"
#include "context.h"
#include "device.h"
#include "device_ckks.h"
#include "device_mldsa.h"
#include "device_mlkem.h"
#include "device_newhope.h"
#include "device_ring.h"
#include "exact.h"
#include "fixed.h"
#include "fndsa.h"
#include "isa.h"
#include "keys.h"
#include "lean.h"
#include "mldsa.h"
#include "mlkem.h"
#include "params.h"
#include "plan.h"
#include "program.h"
#include "regs.h"
#include "research.h"
#include "rng.h"
#include "timing.h"
#include "wire.h"
#include "xof.h"

// The freestanding core ends here.
#ifndef RS_CORE_ONLY
#include "backend.h"
#include "batch.h"
#include "host.h"
#include "pool.h"
#endif

#endif
