// SPDX-License-Identifier: Apache-2.0
// How large a modulus is, and how large it may be: two published tables of the largest log2 Q for a ternary secret and classical attacks.
//
// The library's errors have a standard deviation of 3.24 (CBD 21). Both tables assume less, 3.2 and 3.19, so the library is on their
// safe side. Cells without a number in the source are 0: nothing is interpolated.
#include <ringside/params.h>

#include "arith/wide.h"

enum {
    TABLES = RS_SECURITY_GUIDELINES_2024 + 1,
    FIRST_ROW = 10,
    ROWS = 8,
    COLUMNS = 3
}; // log2 N = 10 ... 17; 128, 192 and 256 bits

static const uint16_t MAX_BITS[TABLES][ROWS][COLUMNS] = {
    // Albrecht, Chase, Chen, Ding, Goldwasser et al., "Homomorphic Encryption Standard", 2018 (ePrint 2019/939), table 1: the numbers
    // that SEAL checks. It ends at 2^15.
    [RS_SECURITY_STANDARD_2018] =
        {
            {27, 19, 14},
            {54, 37, 29},
            {109, 75, 58},
            {218, 152, 118},
            {438, 305, 237},
            {881, 611, 476},
            {0, 0, 0},
            {0, 0, 0},
        },
    // Bossuat, Cammarota, Chillotti, Curtis, Dai, Gong et al., "Security Guidelines for Implementing Homomorphic Encryption", 2024
    // (ePrint 2024/463), table 5.2. At 2^10 it has 128 bits only.
    [RS_SECURITY_GUIDELINES_2024] =
        {
            {26, 0, 0},
            {53, 36, 27},
            {106, 73, 56},
            {214, 147, 114},
            {430, 297, 230},
            {868, 597, 462},
            {1747, 1199, 929},
            {3523, 2411, 1866},
        },
};

uint32_t rs_params_data_limbs(const rs_params_t *params) {
    return params->limb_count > 1 ? params->limb_count - 1 : params->limb_count;
}

uint32_t rs_params_total_bits(const rs_params_t *params, uint32_t limb_count) {
    uint64_t product[RS_LIMBS_MAX + 1] = {1};
    uint32_t words = 1;
    if (limb_count > params->limb_count) limb_count = params->limb_count;
    for (uint32_t i = 0; i < limb_count; i++) {
        uint64_t carry = 0;
        for (uint32_t w = 0; w < words; w++) {
            const rs_wide_t t = rs_wide_add(rs_wide_mul(product[w], params->moduli[i]), rs_wide(0, carry));
            product[w] = rs_wide_low(t);
            carry = rs_wide_high(t);
        }
        if (carry) product[words++] = carry;
    }
    return 64 * words - (uint32_t)__builtin_clzll(product[words - 1]);
}

uint32_t rs_security_bits(rs_security_table_t table, uint32_t log_n, uint32_t security) {
    if ((uint32_t)table >= TABLES || log_n < FIRST_ROW || log_n >= FIRST_ROW + ROWS) return 0;
    if (table == RS_SECURITY_CHECKED) table = log_n <= 15 ? RS_SECURITY_STANDARD_2018 : RS_SECURITY_GUIDELINES_2024;
    const uint16_t *row = MAX_BITS[table][log_n - FIRST_ROW];
    return security == 128 ? row[0] : security == 192 ? row[1] : security == 256 ? row[2] : 0;
}

uint32_t rs_params_security(const rs_params_t *params, rs_security_table_t table) {
    const uint32_t bits = rs_params_total_bits(params, params->limb_count);
    for (uint32_t security = 256; security >= 128; security -= 64) {
        if (bits <= rs_security_bits(table, params->log_n, security)) return security;
    }
    return 0;
}
