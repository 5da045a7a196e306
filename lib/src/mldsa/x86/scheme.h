// SPDX-License-Identifier: Apache-2.0
// The text of ML-DSA, compiled for the instructions and with the names of one back end; transforms and products are those on vectors.
#include "mldsa/x86/names.h"

#include "mldsa/ring.c"

#include "mldsa/x86/bytes.h"

#include "mldsa/expand.c"
#include "mldsa/keys.c"
#include "mldsa/message.c"
#include "mldsa/packing.c"
#include "mldsa/sign.c"
#include "mldsa/verify.c"
