// SPDX-License-Identifier: Apache-2.0
// The loops of mlkem/sample.c in vectors of any length (RVV 1.0); that file includes it.
#include <riscv_vector.h>

// Bytes that are 3 apart, as words.
#define THIRDS(p) __riscv_vzext_vf2_u16m2(__riscv_vlse8_v_u8m1(p, 3, vl), vl)

static uint32_t take_uniform(int16_t *f, uint32_t have, const uint8_t *block) {
    for (size_t done = 0, vl; done < UNIFORM_BLOCK && have < RS_MLKEM_N; done += 3 * vl) {
        vl = __riscv_vsetvl_e8m1((UNIFORM_BLOCK - done) / 3);
        const vuint16m2_t low = THIRDS(block + done), middle = THIRDS(block + done + 1), high = THIRDS(block + done + 2);
        const vuint16m2_t upper = __riscv_vsll_vx_u16m2(__riscv_vand_vx_u16m2(middle, 15, vl), 8, vl);
        const vuint16m2_t even = __riscv_vor_vv_u16m2(low, upper, vl);
        const vuint16m2_t odd = __riscv_vor_vv_u16m2(__riscv_vsrl_vx_u16m2(middle, 4, vl), __riscv_vsll_vx_u16m2(high, 4, vl), vl);
        const vuint32m4_t odd_place = __riscv_vsll_vx_u32m4(__riscv_vzext_vf2_u32m4(odd, vl), 16, vl);
        const vuint32m4_t pairs = __riscv_vor_vv_u32m4(__riscv_vzext_vf2_u32m4(even, vl), odd_place, vl);
        const vuint16m4_t x = __riscv_vreinterpret_v_u32m4_u16m4(pairs);
        const vbool4_t accepted = __riscv_vmsltu_vx_u16m4_b4(x, RS_MLKEM_Q, 2 * vl);
        const size_t count = __riscv_vcpop_m_b4(accepted, 2 * vl), room = RS_MLKEM_N - have;
        const size_t taken = count < room ? count : room;
        __riscv_vse16_v_u16m4((uint16_t *)f + have, __riscv_vcompress_vm_u16m4(x, accepted, 2 * vl), taken);
        have += (uint32_t)taken;
    }
    return have;
}

// Weights as in sample.c, in bytes.
static void binomial2(int16_t *f, const uint8_t *bytes) {
    for (size_t done = 0, vl; done < RS_MLKEM_N / 2; done += vl) {
        vl = __riscv_vsetvl_e8m1(RS_MLKEM_N / 2 - done);
        const vuint8m1_t x = __riscv_vle8_v_u8m1(bytes + done, vl);
        const vuint8m1_t odd_bits = __riscv_vand_vx_u8m1(__riscv_vsrl_vx_u8m1(x, 1, vl), 0x55, vl);
        const vuint8m1_t w = __riscv_vadd_vv_u8m1(__riscv_vand_vx_u8m1(x, 0x55, vl), odd_bits, vl);
        const vuint8m1_t more = __riscv_vadd_vx_u8m1(__riscv_vand_vx_u8m1(w, 0x33, vl), 0x44, vl);
        const vuint8m1_t less = __riscv_vand_vx_u8m1(__riscv_vsrl_vx_u8m1(w, 2, vl), 0x33, vl);
        const vuint8m1_t sums = __riscv_vsub_vv_u8m1(more, less, vl); // 4 + the difference in each half
        const vuint16m2_t low = __riscv_vzext_vf2_u16m2(__riscv_vand_vx_u8m1(sums, 15, vl), vl);
        const vuint16m2_t high = __riscv_vzext_vf2_u16m2(__riscv_vsrl_vx_u8m1(sums, 4, vl), vl);
        const vuint32m4_t pairs = __riscv_vor_vv_u32m4(__riscv_vzext_vf2_u32m4(low, vl),
                                                       __riscv_vsll_vx_u32m4(__riscv_vzext_vf2_u32m4(high, vl), 16, vl), vl);
        const vuint16m4_t words = __riscv_vsub_vx_u16m4(__riscv_vreinterpret_v_u32m4_u16m4(pairs), 4, 2 * vl);
        __riscv_vse16_v_u16m4((uint16_t *)f + 2 * done, words, 2 * vl);
    }
}
