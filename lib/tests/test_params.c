// SPDX-License-Identifier: Apache-2.0
// Parameters: good, bad and extreme.
#include <ringside/ringside.h>

#include "requests.h"
#include "rs_test.h"

RS_TEST(named_sets_are_valid_and_secure) {
    rs_set_info_t info;
    uint32_t sets = 0;
    for (; rs_params_set_info(sets, &info) == RS_OK; sets++) {
        rs_params_t params;
        CHECK_OK(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = info.name)));
        CHECK_EQ_U64(params.log_n, info.log_n);
        CHECK_EQ_U64(params.limb_count, info.limb_count);
        CHECK(rs_params_total_bits(&params, params.limb_count) <= rs_security_bits(RS_SECURITY_CHECKED, params.log_n, 128));
        CHECK(info.default_scale_bits < rs_params_total_bits(&params, rs_params_data_limbs(&params)));
        CHECK(info.source && *info.source);
    }
    CHECK(sets >= 11);
    CHECK_STATUS(rs_params_set_info(sets, &info), RS_ERR_SET);
    CHECK_STATUS(rs_params_set_info(0, NULL), RS_ERR_NULL);
    rs_params_t params;
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-17")), RS_ERR_SET);
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "")), RS_ERR_SET);
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-1")), RS_ERR_SET);
    CHECK_STATUS(rs_params_init(NULL, RS_REQUEST(rs_params_request_t, .name = "lee-12")), RS_ERR_NULL);
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-14", .security = 192)),
                 RS_ERR_INSECURE); // 408 bits, 305 allowed
}

RS_TEST(bad_degrees) {
    const uint32_t bits[1] = {30};
    rs_params_t params;
    const uint32_t bad[] = {0, 1, 256, 511, 513, 1000, 1023, 1025, 3072, 262144, UINT32_MAX};
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++) CHECK_STATUS(params_of_bits(&params, bad[i], bits, 1), RS_ERR_DEGREE);
}

RS_TEST(bad_moduli) {
    rs_params_t params;
    const uint64_t composite = UINT64_C(2048) * 3 + 1; // 6145 = 5 * 1229, 1 mod 2048
    const uint64_t not_ntt = 1000003;                  // prime
    const uint64_t too_large = (UINT64_C(1) << 60) + 1;
    const uint64_t good = 12289;
    CHECK_STATUS(params_of_moduli(&params, 1024, &composite, 1), RS_ERR_MODULUS_PRIME);
    CHECK_STATUS(params_of_moduli(&params, 1024, &not_ntt, 1), RS_ERR_MODULUS_NTT);
    CHECK_STATUS(params_of_moduli(&params, 1024, &too_large, 1), RS_ERR_MODULUS_RANGE);
    const uint64_t small[] = {0, 1, 2, 2048};
    for (unsigned i = 0; i < 4; i++) CHECK_STATUS(params_of_moduli(&params, 1024, &small[i], 1), RS_ERR_MODULUS_RANGE);
    const uint64_t twice[] = {good, 18433, good};
    CHECK_STATUS(params_of_moduli(&params, 1024, twice, 3), RS_ERR_MODULUS_TWICE);
    CHECK_STATUS(params_of_moduli(&params, 1024, twice, 2), RS_OK);
    CHECK_STATUS(params_of_moduli(&params, 1024, &good, 0), RS_ERR_LIMB_COUNT);
    CHECK_STATUS(params_of_moduli(&params, 1024, &good, 65), RS_ERR_LIMB_COUNT);
    CHECK_STATUS(params_of_moduli(&params, 1024, NULL, 1), RS_ERR_NULL);
    CHECK_STATUS(
        rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 1024, .moduli = &good, .limb_count = 1, .security = 100)),
        RS_ERR_SECURITY_LEVEL);
}

RS_TEST(requests_that_contradict_themselves) {
    const uint32_t bits[1] = {30};
    const uint64_t modulus = 12289;
    const rs_params_request_t good = {
        .size = sizeof good, .security = RS_SECURITY_UNCHECKED, .n = 1024, .bits = bits, .limb_count = 1};
    rs_params_t params;
    rs_params_request_t request = {.size = sizeof request};
    CHECK_STATUS(rs_params_init(&params, NULL), RS_ERR_NULL);
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_NULL); // neither name, moduli nor bits
    request.name = "lee-12";
    CHECK_OK(rs_params_init(&params, &request));
    request.n = 4096;
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_OPTION);
    request = good;
    request.moduli = &modulus;
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_OPTION);
    request = good;
    request.plain_modulus = 65537;
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_OPTION);
    request = good;
    request.scheme = RS_SCHEME_BFV;
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_PLAIN_MODULUS);
    request = good;
    request.security = RS_SECURITY_DEFAULT; // zero is no way to be insecure
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_INSECURE);
    request = good;
    request.size--;
    CHECK_STATUS(rs_params_init(&params, &request), RS_ERR_STRUCT);

    REQUIRE_OK(rs_params_init(&params, &good));
    CHECK_STATUS(rs_params_check(&params, 0), RS_ERR_INSECURE);
    CHECK_OK(rs_params_check(&params, RS_SECURITY_UNCHECKED));
    params.reserved[3] = 1;
    CHECK_STATUS(rs_params_check(&params, RS_SECURITY_UNCHECKED), RS_ERR_STRUCT);
    params.reserved[3] = 0;
    params.special_limbs = 1;
    CHECK_STATUS(rs_params_check(&params, RS_SECURITY_UNCHECKED), RS_ERR_STRUCT);
}

RS_TEST(prime_choice_at_the_edges) {
    rs_params_t params;
    uint32_t bits[65];
    for (unsigned i = 0; i < 65; i++) bits[i] = 60;
    CHECK_OK(params_of_bits(&params, 131072, bits, 64));
    CHECK_EQ_U64(rs_params_total_bits(&params, 64), 64 * 60);
    CHECK_STATUS(params_of_bits(&params, 131072, bits, 65), RS_ERR_LIMB_COUNT);
    bits[0] = 61;
    CHECK_STATUS(params_of_bits(&params, 1024, bits, 1), RS_ERR_MODULUS_RANGE);
    bits[0] = 0;
    CHECK_STATUS(params_of_bits(&params, 1024, bits, 1), RS_ERR_MODULUS_RANGE);
    bits[0] = UINT32_MAX;
    CHECK_STATUS(params_of_bits(&params, 1024, bits, 1), RS_ERR_MODULUS_RANGE);
    // Exactly five primes of 20 bits are 1 mod 2^14.
    for (unsigned i = 0; i < 6; i++) bits[i] = 20;
    CHECK_OK(params_of_bits(&params, 8192, bits, 5));
    CHECK_EQ_U64(params.moduli[0], 557057);
    CHECK_EQ_U64(params.moduli[4], 1032193);
    CHECK_STATUS(params_of_bits(&params, 8192, bits, 6), RS_ERR_PRIMES);
    // A failing call leaves the output alone.
    const rs_params_t before = params;
    CHECK_STATUS(params_of_bits(&params, 8192, bits, 6), RS_ERR_PRIMES);
    CHECK_EQ_MEM(&params, &before, sizeof params);
}

RS_TEST(security_table) {
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 12, 128), 109);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 15, 256), 476);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 16, 128), 1747); // where the standard has no row, the guidelines' one
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 16, 192), 1199);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 16, 256), 929);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 17, 128), 3523);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 9, 128), 0);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 18, 128), 0);
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_CHECKED, 12, 100), 0);
    rs_params_t params;
    const uint32_t bits[] = {55, 54}; // 109 bits at N = 4096: just secure
    CHECK_OK(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 4096, .bits = bits, .limb_count = 2)));
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_CHECKED), 128);
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 2048, .bits = bits, .limb_count = 2)),
                 RS_ERR_INSECURE);
    CHECK_OK(params_of_bits(&params, 2048, bits, 2));
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_CHECKED), 0);
    CHECK_OK(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 131072, .bits = bits, .limb_count = 2, .security = 256)));
    uint32_t many[30]; // 1764 bits: above 1747, the limit for N = 2^16
    for (unsigned i = 0; i < 30; i++) many[i] = i < 6 ? 54 : 60;
    CHECK_STATUS(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 65536, .bits = many, .limb_count = 30)),
                 RS_ERR_INSECURE);
    CHECK_OK(
        rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 131072, .bits = many, .limb_count = 30, .security = 256)));
}

RS_TEST(security_by_either_table) {
    rs_params_t params;
    for (uint32_t log_n = 10; log_n <= 17; log_n++) { // the guidelines are the stricter ones, wherever both have a number
        for (uint32_t security = 128; security <= 256; security += 64) {
            const uint32_t old = rs_security_bits(RS_SECURITY_STANDARD_2018, log_n, security);
            const uint32_t new = rs_security_bits(RS_SECURITY_GUIDELINES_2024, log_n, security);
            CHECK(log_n > 15 ? old == 0 && new > 0 : old > 0 && (new < old || (log_n == 10 && security > 128)));
        }
        CHECK_EQ_U64(rs_security_bits((rs_security_table_t)3, log_n, 128), 0);
        CHECK_EQ_U64(rs_security_bits((rs_security_table_t)-1, log_n, 128), 0);
        CHECK_EQ_U64(rs_security_bits(RS_SECURITY_GUIDELINES_2024, log_n, 129), 0);
    }
    CHECK_EQ_U64(rs_security_bits(RS_SECURITY_GUIDELINES_2024, 18, 128), 0);
    REQUIRE_OK(rs_params_init(
        &params, RS_REQUEST(rs_params_request_t, .name = "seal-embedded-4096"))); // 109 bits: on one limit, over the other
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_STANDARD_2018), 128);
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_GUIDELINES_2024), 0);
    REQUIRE_OK(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "lee-16"))); // SEAL has no row for it
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_STANDARD_2018), 0);
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_GUIDELINES_2024), 128);
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_CHECKED), 128);
    const uint32_t bits[] = {54, 52}; // 106 bits: on the newer limit, not over it
    REQUIRE_OK(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 4096, .bits = bits, .limb_count = 2)));
    CHECK_EQ_U64(rs_params_security(&params, RS_SECURITY_GUIDELINES_2024), 128);
}

RS_TEST(context_checks_its_memory) {
    rs_params_t params;
    const uint32_t bits[] = {40, 30};
    const rs_context_t *context;
    REQUIRE_OK(params_of_bits(&params, 1024, bits, 2));
    const size_t size = rs_context_size(&params);
    uint8_t *memory = rs_test_own(malloc(size + 8));
    CHECK_STATUS(context_in(&context, memory, size - 1, &params), RS_ERR_TOO_SMALL);
    CHECK_STATUS(context_in(&context, memory + 1, size, &params), RS_ERR_ALIGNMENT);
    CHECK_STATUS(context_in(&context, NULL, size, &params), RS_ERR_NULL);
    CHECK_STATUS(rs_context_init(&context, RS_REQUEST(rs_context_request_t, .params = &params, .memory = {memory, size})),
                 RS_ERR_INSECURE);
    REQUIRE_OK(context_in(&context, memory, size, &params));
    CHECK_EQ_U64(rs_context_n(context), 1024);
    CHECK(rs_context_parms_id(context, 0) == NULL);
    CHECK(rs_context_parms_id(context, 3) == NULL);
    CHECK_EQ_U64(rs_context_find_id(context, rs_context_parms_id(context, 2)), 2);
    CHECK(rs_context_plan(context, 1) && !rs_context_plan(context, 2));
    params.moduli[1]++;
    CHECK_EQ_U64(rs_context_size(&params), 0);
    CHECK_STATUS(context_in(&context, memory, size, &params), RS_ERR_MODULUS_NTT);
}

RS_TEST(every_status_has_a_name_and_a_sentence) {
    const char *sentences[128];
    unsigned known = 0;
    for (int i = 0; i < 2000; i++) {
        const char *name = rs_status_name((rs_status_t)i);
        if (strcmp(name, "RS_ERR_UNKNOWN") == 0) continue;
        CHECK(strncmp(name, i ? "RS_ERR_" : "RS_OK", i ? 7 : 5) == 0);
        sentences[known] = rs_status_message((rs_status_t)i);
        CHECK(strlen(sentences[known]) >= 7);
        for (unsigned k = 0; k < known; k++) CHECK(strcmp(sentences[k], sentences[known]) != 0);
        known++;
    }
    CHECK_EQ_U64(known, 86); // as many as rs_status_t has
    CHECK(strcmp(rs_status_name((rs_status_t)-1), "RS_ERR_UNKNOWN") == 0);
}

RS_TEST(selftest_passes_and_checks_its_memory) {
    const size_t size = rs_selftest_size();
    uint64_t *memory = rs_test_own(malloc(size + 8));
    CHECK_OK(rs_selftest(memory, size));
    CHECK_STATUS(rs_selftest(memory, size - 1), RS_ERR_TOO_SMALL);
    CHECK_STATUS(rs_selftest(NULL, size), RS_ERR_NULL);
    CHECK_STATUS(rs_selftest((uint8_t *)memory + 4, size), RS_ERR_ALIGNMENT);
}
