// SPDX-License-Identifier: Apache-2.0
// ML-DSA compiled for AVX-512.
#include "x86/x86.h"

#ifdef RS_X86
#define INSTRUCTIONS(name) rs_mldsa_##name##_avx512
#define WORDS "mldsa/vectors/words_avx512.h"
#include "base/bytes.h"
#include "base/declassify.h"
#include "mldsa/x86/variants.h"
#include "x86/avx2.h"
#include "x86/avx512.h"

#ifdef __clang__
#pragma clang attribute push(AVX512, apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512vl,avx512bw,bmi")
#endif
#include "mldsa/x86/scheme.h"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
