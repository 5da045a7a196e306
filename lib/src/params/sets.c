// SPDX-License-Identifier: Apache-2.0
// Named parameter sets.
#include "params/sets.h"

#include "base/bytes.h"

#define LEE "Lee, Duong, Lee 2023, table 1"
#define PRODUCTS "Ringside: for products and rotations, below the limits of the guidelines of 2024"
#define SEAL_EMBEDDED "SEAL-Embedded 1.0 defaults (device primes, special prime of its SEAL adapter)"

// The default scale of a set that is made for products is the size of its middle primes, by which results are divided
// (py/ringside/objects/common/evaluation.py has the rule and its consequences; a test compares).
static const uint64_t PRIMES_27[] = {134012929};
static const uint64_t PRIMES_30[] = {
    1053818881, 1054015489, 1054212097, 1055260673, 1056178177, 1056440321, 1058209793,
    1060175873, 1060700161, 1060765697, 1061093377, 1062469633, 1062535169,
};
// Below 2^28, so that the quotient to the special prime, on which the error of a rotation depends, is small enough.
static const uint64_t PRIMES_LEAN[] = {236175361};
// Primes of the form 2^k - c 2^24 + 1, 53, 52, 51 bits, and the special prime of 54.
static const uint64_t PRIMES_ALOHA[] = {0x1ffffff6000001, 0xffffff3000001, 0x7fffff9000001, 0x3fffffff000001};

// The plain modulus of the sets for integers: the Fermat prime 2^16 + 1, which has slots for every N up to 2^15.
enum { EXACT_T = 65537 };
#define EXACT_SOURCE "SEAL: CoeffModulus::BFVDefault"
#define EXACT(name, log_n, primes)                                                                                   \
    {"bfv-" name, EXACT_SOURCE, log_n, 0, sizeof primes / sizeof *primes, 0, primes, {0}, RS_SCHEME_BFV, EXACT_T}, { \
        "bgv-" name, EXACT_SOURCE, log_n, 0, sizeof primes / sizeof *primes, 0, primes, {0}, RS_SCHEME_BGV, EXACT_T  \
    }
static const uint64_t PRIMES_4096[] = {0xffffee001, 0xffffc4001, 0x1ffffe0001};
static const uint64_t PRIMES_8192[] = {0x7fffffd8001, 0x7fffffc8001, 0xfffffffc001, 0xffffff6c001, 0xfffffebc001};
static const uint64_t PRIMES_16384[] = {
    0xfffffffd8001,  0xfffffffa0001,  0xfffffff00001,  0x1fffffff68001, 0x1fffffff50001,
    0x1ffffffee8001, 0x1ffffffea0001, 0x1ffffffe88001, 0x1ffffffe48001,
};
static const uint64_t PRIMES_32768[] = {
    0x7fffffffe90001, 0x7fffffffbf0001, 0x7fffffffbd0001, 0x7fffffffba0001, 0x7fffffffaa0001, 0x7fffffffa50001,
    0x7fffffff9f0001, 0x7fffffff7e0001, 0x7fffffff770001, 0x7fffffff380001, 0x7fffffff330001, 0x7fffffff2d0001,
    0x7fffffff170001, 0x7fffffff150001, 0x7ffffffef00001, 0xfffffffff70001,
};

static const rs_named_set_t SETS[] = {
    {"lee-12", LEE, 12, 20, 0, 4, NULL, {30, 20, 20, 30}, RS_SCHEME_CKKS, 0},
    {"lee-13", LEE, 13, 20, 0, 7, NULL, {30, 20, 20, 20, 20, 20, 30}, RS_SCHEME_CKKS, 0},
    {"lee-14", LEE, 14, 48, 0, 8, NULL, {60, 48, 48, 48, 48, 48, 48, 60}, RS_SCHEME_CKKS, 0},
    {"lee-15", LEE, 15, 48, 0, 17, NULL, {60, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 60}, RS_SCHEME_CKKS, 0},
    {"lee-16",
     LEE,
     16,
     48,
     0,
     32,
     NULL,
     {60, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48,
      48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 48, 60},
     RS_SCHEME_CKKS,
     0},
    {"eval-12", PRODUCTS, 12, 27, 0, 3, NULL, {30, 27, 32}, RS_SCHEME_CKKS, 0},
    {"eval-13", PRODUCTS, 13, 30, 0, 6, NULL, {38, 30, 30, 30, 30, 54}, RS_SCHEME_CKKS, 0},
    {"lean-12", PRODUCTS "; for the lean client", 12, 26, 1, 2, PRIMES_LEAN, {26, 30}, RS_SCHEME_CKKS, 0},
    {"seal-embedded-1024", SEAL_EMBEDDED, 10, 20, 1, 0, PRIMES_27, {0}, RS_SCHEME_CKKS, 0},
    {"seal-embedded-2048", SEAL_EMBEDDED, 11, 25, 1, 1, PRIMES_27, {27}, RS_SCHEME_CKKS, 0},
    {"seal-embedded-4096", SEAL_EMBEDDED, 12, 25, 3, 1, PRIMES_30, {19}, RS_SCHEME_CKKS, 0},
    {"seal-embedded-8192", SEAL_EMBEDDED, 13, 25, 6, 1, PRIMES_30, {38}, RS_SCHEME_CKKS, 0},
    {"seal-embedded-16384", SEAL_EMBEDDED, 14, 25, 13, 1, PRIMES_30, {48}, RS_SCHEME_CKKS, 0},
    {"aloha-8192",
     "Aloha-HE, DATE 2024: three limbs of its shipped primes and a fourth as special prime",
     13,
     40,
     4,
     0,
     PRIMES_ALOHA,
     {0},
     RS_SCHEME_CKKS,
     0},
    EXACT("12", 12, PRIMES_4096),
    EXACT("13", 13, PRIMES_8192),
    EXACT("14", 14, PRIMES_16384),
    EXACT("15", 15, PRIMES_32768),
    {"bfv-13-30", EXACT_SOURCE "; primes for cores", 13, 0, 0, 7, NULL, {30, 30, 30, 30, 30, 30, 30}, RS_SCHEME_BFV, EXACT_T},

};

enum { COUNT = sizeof SETS / sizeof SETS[0] };

rs_status_t rs_params_set_info(uint32_t index, rs_set_info_t *info) {
    if (!info) return RS_ERR_NULL;
    if (index >= COUNT) return RS_ERR_SET;
    const rs_named_set_t *set = &SETS[index];
    *info = (rs_set_info_t){
        .name = set->name,
        .source = set->source,
        .log_n = set->log_n,
        .limb_count = set->prime_count + set->bit_count,
        .default_scale_bits = set->default_scale_bits,
        .scheme = set->scheme,
        .plain_modulus = set->plain_modulus,
    };
    return RS_OK;
}

const rs_named_set_t *rs_named_set(const char *name) {
    for (uint32_t s = 0; s < COUNT; s++)
        if (rs_same_text(SETS[s].name, name)) return &SETS[s];
    return NULL;
}
