// SPDX-License-Identifier: Apache-2.0
// ML-DSA compiled for AVX2.
#include "x86/x86.h"

#ifdef RS_X86
#define INSTRUCTIONS(name) rs_mldsa_##name##_avx2
#define WORDS "mldsa/vectors/words_avx2.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/x86/variants.h"
#include "x86/avx2.h"

#ifdef __clang__
#pragma clang attribute push(AVX2, apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#include "mldsa/x86/scheme.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
