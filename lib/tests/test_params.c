// SPDX-License-Identifier: Apache-2.0
// Parameters: good, bad and extreme.
#include <ringside/ringside.h>

#include "rs_test.h"

RS_TEST(named_sets_are_valid_and_secure) {
    CHECK(rs_params_set_count() >= 11);
    for (uint32_t i = 0; i < rs_params_set_count(); i++) {
        rs_set_info_t info;
        rs_params_t params;
        REQUIRE_OK(rs_params_set_info(i, &info));
        CHECK_OK(rs_params_named(&params, info.name, 128));
        CHECK_EQ_U64(params.log_n, info.log_n);
        CHECK_EQ_U64(params.limb_count, info.limb_count);
        CHECK(rs_params_total_bits(&params, params.limb_count) <= rs_security_max_bits(params.log_n, 128));
        CHECK(info.default_scale_bits < rs_params_total_bits(&params, rs_params_data_limbs(&params)));
        CHECK(info.source && *info.source);
    }
    rs_set_info_t info;
    rs_params_t params;
    CHECK_STATUS(rs_params_set_info(rs_params_set_count(), &info), RS_ERR_SET_NAME);
    CHECK_STATUS(rs_params_named(&params, "lee-17", 128), RS_ERR_SET_NAME);
    CHECK_STATUS(rs_params_named(&params, "", 128), RS_ERR_SET_NAME);
    CHECK_STATUS(rs_params_named(&params, "lee-1", 128), RS_ERR_SET_NAME);
    CHECK_STATUS(rs_params_named(NULL, "lee-12", 128), RS_ERR_NULL);
    CHECK_STATUS(rs_params_named(&params, "lee-14", 192), RS_ERR_INSECURE); // 408 bits, 305 allowed
}

RS_TEST(bad_degrees) {
    const uint32_t bits[1] = {30};
    rs_params_t params;
    const uint32_t bad[] = {0, 1, 256, 511, 513, 1000, 1023, 1025, 3072, 262144, UINT32_MAX};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_STATUS(rs_params_from_bits(&params, bad[i], bits, 1, 0), RS_ERR_DEGREE);
}

RS_TEST(bad_moduli) {
    rs_params_t params;
    const uint64_t composite = UINT64_C(2048) * 3 + 1; // 6145 = 5 * 1229, 1 mod 2048
    const uint64_t not_ntt = 1000003;                  // prime
    const uint64_t too_large = (UINT64_C(1) << 60) + 1;
    const uint64_t good = 12289;
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &composite, 1, 0), RS_ERR_MODULUS_PRIME);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &not_ntt, 1, 0), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &too_large, 1, 0), RS_ERR_MODULUS_RANGE);
    const uint64_t small[] = {0, 1, 2, 2048};
    for (unsigned i = 0; i < 4; i++) CHECK_STATUS(rs_params_from_moduli(&params, 1024, &small[i], 1, 0), RS_ERR_MODULUS_RANGE);
    const uint64_t twice[] = {good, 18433, good};
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, twice, 3, 0), RS_ERR_MODULUS_TWICE);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, twice, 2, 0), RS_OK);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &good, 0, 0), RS_ERR_LIMB_COUNT);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &good, 65, 0), RS_ERR_LIMB_COUNT);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, NULL, 1, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_params_from_moduli(&params, 1024, &good, 1, 100), RS_ERR_SECURITY_LEVEL);
}

RS_TEST(prime_choice_at_the_edges) {
    rs_params_t params;
    uint32_t bits[65];
    for (unsigned i = 0; i < 65; i++) bits[i] = 60;
    CHECK_OK(rs_params_from_bits(&params, 131072, bits, 64, 0));
    CHECK_EQ_U64(rs_params_total_bits(&params, 64), 64 * 60);
    CHECK_STATUS(rs_params_from_bits(&params, 131072, bits, 65, 0), RS_ERR_LIMB_COUNT);
    bits[0] = 61;
    CHECK_STATUS(rs_params_from_bits(&params, 1024, bits, 1, 0), RS_ERR_MODULUS_RANGE);
    bits[0] = 0;
    CHECK_STATUS(rs_params_from_bits(&params, 1024, bits, 1, 0), RS_ERR_MODULUS_RANGE);
    bits[0] = UINT32_MAX;
    CHECK_STATUS(rs_params_from_bits(&params, 1024, bits, 1, 0), RS_ERR_MODULUS_RANGE);
    // Exactly five primes of 20 bits are 1 mod 2^14.
    for (unsigned i = 0; i < 6; i++) bits[i] = 20;
    CHECK_OK(rs_params_from_bits(&params, 8192, bits, 5, 0));
    CHECK_EQ_U64(params.moduli[0], 557057);
    CHECK_EQ_U64(params.moduli[4], 1032193);
    CHECK_STATUS(rs_params_from_bits(&params, 8192, bits, 6, 0), RS_ERR_PRIMES);
    // A failing call leaves the output alone.
    const rs_params_t before = params;
    CHECK_STATUS(rs_params_from_bits(&params, 8192, bits, 6, 0), RS_ERR_PRIMES);
    CHECK_EQ_MEM(&params, &before, sizeof params);
}

RS_TEST(security_table) {
    CHECK_EQ_U64(rs_security_max_bits(12, 128), 109);
    CHECK_EQ_U64(rs_security_max_bits(15, 256), 476);
    CHECK_EQ_U64(rs_security_max_bits(16, 128), 1747); // where the standard has no row, the guidelines' one
    CHECK_EQ_U64(rs_security_max_bits(16, 192), 1199);
    CHECK_EQ_U64(rs_security_max_bits(16, 256), 929);
    CHECK_EQ_U64(rs_security_max_bits(17, 128), 3523);
    CHECK_EQ_U64(rs_security_max_bits(9, 128), 0);
    CHECK_EQ_U64(rs_security_max_bits(18, 128), 0);
    CHECK_EQ_U64(rs_security_max_bits(12, 100), 0);
    rs_params_t params;
    const uint32_t bits[] = {55, 54}; // 109 bits at N = 4096: just secure
    CHECK_OK(rs_params_from_bits(&params, 4096, bits, 2, 128));
    CHECK_EQ_U64(rs_params_security(&params), 128);
    CHECK_STATUS(rs_params_from_bits(&params, 2048, bits, 2, 128), RS_ERR_INSECURE);
    CHECK_OK(rs_params_from_bits(&params, 2048, bits, 2, 0));
    CHECK_EQ_U64(rs_params_security(&params), 0);
    CHECK_OK(rs_params_from_bits(&params, 131072, bits, 2, 256));
    uint32_t many[30]; // 1764 bits: above 1747, the limit for N = 2^16
    for (unsigned i = 0; i < 30; i++) many[i] = i < 6 ? 54 : 60;
    CHECK_STATUS(rs_params_from_bits(&params, 65536, many, 30, 128), RS_ERR_INSECURE);
    CHECK_OK(rs_params_from_bits(&params, 131072, many, 30, 256));
}

RS_TEST(security_by_either_table) {
    rs_params_t params;
    for (uint32_t log_n = 10; log_n <= 17; log_n++) { // the guidelines are the stricter ones, wherever both have a number
        for (uint32_t security = 128; security <= 256; security += 64) {
            const uint32_t old = rs_security_table_bits(RS_SECURITY_STANDARD_2018, log_n, security);
            const uint32_t new = rs_security_table_bits(RS_SECURITY_GUIDELINES_2024, log_n, security);
            CHECK(log_n > 15 ? old == 0 && new > 0 : old > 0 && (new < old || (log_n == 10 && security > 128)));
        }
        CHECK_EQ_U64(rs_security_table_bits(RS_SECURITY_TABLE_COUNT, log_n, 128), 0);
        CHECK_EQ_U64(rs_security_table_bits((rs_security_table_t)-1, log_n, 128), 0);
        CHECK_EQ_U64(rs_security_table_bits(RS_SECURITY_GUIDELINES_2024, log_n, 129), 0);
    }
    CHECK_EQ_U64(rs_security_table_bits(RS_SECURITY_GUIDELINES_2024, 18, 128), 0);
    REQUIRE_OK(rs_params_named(&params, "seal-embedded-4096", 128)); // 109 bits: on one limit, over the other
    CHECK_EQ_U64(rs_params_security_by(&params, RS_SECURITY_STANDARD_2018), 128);
    CHECK_EQ_U64(rs_params_security_by(&params, RS_SECURITY_GUIDELINES_2024), 0);
    REQUIRE_OK(rs_params_named(&params, "lee-16", 128)); // SEAL has no row for it
    CHECK_EQ_U64(rs_params_security_by(&params, RS_SECURITY_STANDARD_2018), 0);
    CHECK_EQ_U64(rs_params_security_by(&params, RS_SECURITY_GUIDELINES_2024), 128);
    CHECK_EQ_U64(rs_params_security(&params), 128);
    const uint32_t bits[] = {54, 52}; // 106 bits: on the newer limit, not over it
    REQUIRE_OK(rs_params_from_bits(&params, 4096, bits, 2, 128));
    CHECK_EQ_U64(rs_params_security_by(&params, RS_SECURITY_GUIDELINES_2024), 128);
}

RS_TEST(context_checks_its_memory) {
    rs_params_t params;
    const uint32_t bits[] = {40, 30};
    const rs_context_t *context;
    REQUIRE_OK(rs_params_from_bits(&params, 1024, bits, 2, 0));
    const size_t size = rs_context_size(&params);
    uint8_t *memory = rs_test_own(malloc(size + 8));
    CHECK_STATUS(rs_context_init(&context, memory, size - 1, &params, 0), RS_ERR_MEMORY);
    CHECK_STATUS(rs_context_init(&context, memory + 1, size, &params, 0), RS_ERR_ALIGNMENT);
    CHECK_STATUS(rs_context_init(&context, NULL, size, &params, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_context_init(&context, memory, size, &params, 128), RS_ERR_INSECURE);
    REQUIRE_OK(rs_context_init(&context, memory, size, &params, 0));
    CHECK_EQ_U64(rs_context_n(context), 1024);
    CHECK(rs_context_parms_id(context, 0) == NULL);
    CHECK(rs_context_parms_id(context, 3) == NULL);
    CHECK_EQ_U64(rs_context_find_id(context, rs_context_parms_id(context, 2)), 2);
    CHECK_EQ_U64(rs_context_root(context, 2), 0);
    params.moduli[1]++;
    CHECK_EQ_U64(rs_context_size(&params), 0);
    CHECK_STATUS(rs_context_init(&context, memory, size, &params, 0), RS_ERR_MODULUS_NTT);
}

RS_TEST(every_status_has_a_name_and_a_sentence) {
    for (int i = 0; i < RS_STATUS_COUNT; i++) {
        CHECK(strncmp(rs_status_name((rs_status_t)i), i ? "RS_ERR_" : "RS_OK", i ? 7 : 5) == 0);
        CHECK(strcmp(rs_status_name((rs_status_t)i), "RS_ERR_UNKNOWN") != 0);
        CHECK(strlen(rs_status_message((rs_status_t)i)) >= 7);
        for (int k = 0; k < i; k++) CHECK(strcmp(rs_status_message((rs_status_t)i), rs_status_message((rs_status_t)k)) != 0);
    }
    CHECK(strcmp(rs_status_name((rs_status_t)RS_STATUS_COUNT), "RS_ERR_UNKNOWN") == 0);
    CHECK(strcmp(rs_status_name((rs_status_t)-1), "RS_ERR_UNKNOWN") == 0);
}

RS_TEST(selftest_passes_and_checks_its_memory) {
    const size_t size = rs_selftest_size();
    uint64_t *memory = rs_test_own(malloc(size + 8));
    CHECK_OK(rs_selftest(memory, size));
    CHECK_STATUS(rs_selftest(memory, size - 1), RS_ERR_MEMORY);
    CHECK_STATUS(rs_selftest(NULL, size), RS_ERR_NULL);
    CHECK_STATUS(rs_selftest((uint8_t *)memory + 4, size), RS_ERR_ALIGNMENT);
}
