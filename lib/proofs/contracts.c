// SPDX-License-Identifier: Apache-2.0
// What test_contracts.py proves: the functions of modarith.h one by one, then the butterflies of ntt.c, in which calls of a product or
// a reduction stand for their proved contracts.
#include "arith/modarith.h"

uint64_t csub(uint64_t x, uint64_t bound) { return rs_csub(x, bound); }

uint64_t add_mod(uint64_t a, uint64_t b, uint64_t q) { return rs_add_mod(a, b, q); }

uint64_t sub_mod(uint64_t a, uint64_t b, uint64_t q) { return rs_sub_mod(a, b, q); }

uint64_t neg_mod(uint64_t a, uint64_t q) { return rs_neg_mod(a, q); }

uint64_t reduce_lazy(uint64_t x, uint64_t q, uint64_t ratio64) {
    const rs_modulus_t m = {.q = q, .ratio64 = ratio64};
    return rs_reduce_lazy(x, &m);
}

uint64_t reduce(uint64_t x, uint64_t q, uint64_t ratio64) {
    const rs_modulus_t m = {.q = q, .ratio64 = ratio64};
    return rs_reduce(x, &m);
}

uint64_t mul_lazy(uint64_t x, uint64_t value, uint64_t quotient, uint64_t q) {
    return rs_mul_lazy(x, (rs_factor_t){value, quotient}, q);
}

uint64_t mul_factor(uint64_t x, uint64_t value, uint64_t quotient, uint64_t q) {
    return rs_mul_factor(x, (rs_factor_t){value, quotient}, q);
}

uint64_t contract_mul_lazy(uint64_t x, rs_factor_t f, uint64_t q);
uint64_t contract_reduce_lazy(uint64_t x, const rs_modulus_t *m);
#define rs_mul_lazy contract_mul_lazy
#define rs_reduce_lazy contract_reduce_lazy
#include "arith/ntt.c"

void forward(uint64_t *x, rs_factor_t w1, rs_factor_t w2, rs_factor_t w3, const rs_modulus_t *m) {
    forward4(x, 1, w1, w2, w3, m, 0);
}

void forward_reduced(uint64_t *x, rs_factor_t w1, rs_factor_t w2, rs_factor_t w3, const rs_modulus_t *m) {
    forward4(x, 1, w1, w2, w3, m, 1);
}

void inverse(uint64_t *x, uint64_t q, rs_factor_t w1, rs_factor_t w2, rs_factor_t w3) { inverse4(x, 1, w2, w3, w1, q); }
