// SPDX-License-Identifier: Apache-2.0
// The public functions that mldsa_avx2.c and mldsa_avx512.c have once more.
#ifndef RINGSIDE_MLDSA_VARIANTS_H
#define RINGSIDE_MLDSA_VARIANTS_H

#include <ringside/mldsa.h>

#include "backend/backend.h"
#include "x86/x86.h"

#if defined(RS_X86)
#define RS_MLDSA_VARIANT(isa)                                                                                \
    rs_status_t rs_mldsa_keygen_##isa(const rs_mldsa_keygen_request_t *request);                             \
    rs_status_t rs_mldsa_public_key_##isa(uint32_t set, rs_bytes_t pk, rs_view_t sk, rs_memory_t workspace); \
    rs_status_t rs_mldsa_sign_##isa(const rs_mldsa_sign_request_t *request);                                 \
    rs_status_t rs_mldsa_verify_##isa(const rs_mldsa_verify_request_t *request);
RS_MLDSA_VARIANT(avx2)
RS_MLDSA_VARIANT(avx512)
#endif

// Returns what the function's variant for the back end in use returns, if there is one.
#if defined(RS_X86) && !defined(INSTRUCTIONS)
#define RS_MLDSA_BY_VARIANT(name, ...)                \
    switch (rs_backend_current()->vectors) {          \
    case RS_VECTORS_AVX512:                           \
        return rs_mldsa_##name##_avx512(__VA_ARGS__); \
    case RS_VECTORS_AVX2:                             \
        return rs_mldsa_##name##_avx2(__VA_ARGS__);   \
    default:                                          \
        break;                                        \
    }
#else
#define RS_MLDSA_BY_VARIANT(name, ...)
#endif

#endif
