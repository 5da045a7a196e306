// SPDX-License-Identifier: Apache-2.0
// One ring Z_q[X]/(X^N + 1): products of polynomials. A context consists of such rings (rs_context_plan); or without a scheme N is a power of
// two from 4 to 2^17, q any prime = 1 mod 2N below 2^61 + 2^57: NewHope's 1024 and 12289, say, or BLISS's and Falcon's 512 and 12289. From 2^60 on,
// where other libraries have primes of keys and Ringside no ciphertexts, every back end computes in plain C.
//
// Every word in and out is fully reduced: [0, q). Arrays are N words of the caller's. Operands may be secret: no branch and no index
// depends on them. None of the functions on a plan checks its arguments.
// Forms: coefficients in natural order; _ntt bit-reversed, out[j] = a(psi^(2 brv(j) + 1)), psi the smallest primitive 2N-th root mod q.
#ifndef RINGSIDE_PLAN_H
#define RINGSIDE_PLAN_H

#include "base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RS_PLAN_LOG_N_MIN = 2, RS_PLAN_LOG_N_MAX = 17, RS_PLAN_BITS_MAX = 61, RS_PLAN_MARGIN_BITS = 57 };

// Modulus, root, tables and the kernels of the back end in use. Read-only once made: any number of threads share it.
typedef struct rs_limb rs_plan_t;

// Bytes of memory that a plan needs; 0 for log2 N outside of 2 to 17.
RS_API size_t rs_plan_size(uint32_t log_n);

// Makes a plan in caller-provided, 8-byte aligned memory. It lives there: keep the memory until the plan is no longer used, and do not
// move it. There is nothing to free. psi 0: the smallest primitive 2N-th root, which takes about N multiplications modulo q to find.
// Else a root of the caller's, which is public: psi^N = -1 mod q, or RS_ERR_MODULUS_NTT. Then q need not be prime: a modulus without such a
// root is taken times a second prime, and results modulo the product are reduced modulo the first. So does ML-KEM where products need more
// than 8 bits of word-level Montgomery: q = 3329 * 769 and psi = 186441, which is 17 mod 3329 (FIPS 203), N = 128.
// RS_ERR_DEGREE; RS_ERR_MODULUS_RANGE unless 2N < q < 2^61 + 2^57, as Lattigo's primes of 61 bits lie on both sides of 2^61; RS_ERR_MODULUS_NTT unless q = 1 mod 2N; RS_ERR_MODULUS_PRIME;
// RS_ERR_NULL, RS_ERR_TOO_SMALL, RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
RS_API RS_MUST_CHECK rs_status_t rs_plan_init(const rs_plan_t **plan, rs_memory_t memory, uint32_t log_n, uint64_t q, uint64_t psi);

RS_API uint32_t rs_plan_n(const rs_plan_t *plan);
RS_API uint64_t rs_plan_modulus(const rs_plan_t *plan);

// In-place negacyclic transforms, coefficients to _ntt and back; the inverse is scaled by N^-1.
RS_API void rs_plan_forward(const rs_plan_t *plan, uint64_t *poly);
RS_API void rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly);
// Word by word: out = a b,  a b + c,  c - a b,  a + b,  a - b. out may be any of the inputs. Products of polynomials are those of their
// _ntt forms.
RS_API void rs_plan_mul(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b);
RS_API void rs_plan_mul_add(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
RS_API void rs_plan_mul_sub(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b, const uint64_t *c);
RS_API void rs_plan_add(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b);
RS_API void rs_plan_sub(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, const uint64_t *b);
// Automorphism X -> X^element of an _ntt form (a permutation, the same for every modulus); element odd, below 2N; out != a.
RS_API void rs_plan_galois(const rs_plan_t *plan, uint64_t *out, const uint64_t *a, uint32_t element);
// Small signed polynomial -> residues, times a factor in [0, q): out = factor * small mod q.
RS_API void rs_plan_lift(const rs_plan_t *plan, uint64_t *out, const int8_t *small, uint64_t factor);

#ifdef __cplusplus
}
#endif

#endif
