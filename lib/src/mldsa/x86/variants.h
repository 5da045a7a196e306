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

#if defined(RS_BACKENDS) && !defined(INSTRUCTIONS)
// The stack below the caller: compilers keep lanes of Keccak and words there when registers run out. No call takes more of it. Small machines,
// which have no stack of this size, are left out.
static __attribute__((noinline, unused)) void wipe_stack(void) {
    uint8_t below[8192];
    rs_zeroize(below, sizeof below);
}
#define RS_MLDSA_WIPE_STACK() wipe_stack()
#else
#define RS_MLDSA_WIPE_STACK() (void)0
#endif

#if defined(RS_X86) && !defined(INSTRUCTIONS)

// Returns what the function's variant for the back end in use returns, if there is one.
#define RS_MLDSA_BY_VARIANT(name, ...)                                                                                  \
    const rs_vectors_t vectors = rs_backend_current()->vectors;                                                         \
    if (vectors != RS_VECTORS_NONE) {                                                                                   \
        const rs_status_t returned =                                                                                    \
            vectors == RS_VECTORS_AVX512 ? rs_mldsa_##name##_avx512(__VA_ARGS__) : rs_mldsa_##name##_avx2(__VA_ARGS__); \
        wipe_stack();                                                                                                   \
        return returned;                                                                                                \
    }
#else
#define RS_MLDSA_BY_VARIANT(name, ...)
#endif

#endif
