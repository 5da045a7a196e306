// SPDX-License-Identifier: Apache-2.0
// Ringside: the client side of CKKS. Include this.
#ifndef RINGSIDE_RINGSIDE_H
#define RINGSIDE_RINGSIDE_H

#include "bliss.h"
#include "chacha20.h"
#include "ckks.h"
#include "ckks_device.h"
#include "context.h"
#include "device.h"
#include "device_ring.h"
#include "fixed.h"
#include "fndsa.h"
#include "isa.h"
#include "kernels.h"
#include "lean.h"
#include "mldsa.h"
#include "mldsa_device.h"
#include "mlkem.h"
#include "mlkem_device.h"
#include "newhope.h"
#include "newhope_device.h"
#include "params.h"
#include "plan.h"
#include "program.h"
#include "publish.h"
#include "regs.h"
#include "rlwe.h"
#include "sample.h"
#include "status.h"
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
