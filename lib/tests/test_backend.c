// SPDX-License-Identifier: Apache-2.0
// Every back end that this machine has computes the same bits as the portable functions on one block; choosing among them.
#define _POSIX_C_SOURCE 200112L
#include <pthread.h>
#include <ringside/golden.h>

#include "back_ends.h"
#include "backend/backend.h"
#include "base/bytes.h"
#include "hash/sponges.h"
#include "requests.h"
#include "rs_test.h"
#include "sampling/seed.h"
#include "selftest/selftest.h"

enum { LANES = 25, RATE = RS_SHAKE256_RATE_BYTES, STREAM_BYTES = 40 * RATE, N = 1 << 17, LIMBS = 3 };

static const rs_seed_t SEED = {{3, 1, 4, 1, 5, 9, 2, 6}};

// First in the file: needs a process in which nothing was chosen.
RS_TEST(environment_chooses) {
    const uint32_t bits[] = {40, 40};
    const rs_context_t *context;
    rs_params_t params;
    REQUIRE_OK(params_of_bits(&params, 1024, bits, 2));
    const size_t bytes = rs_context_size(&params);
    void *memory = rs_test_own(malloc(bytes));
    setenv("RINGSIDE_BACKEND", "avx3", 1);
    CHECK_STATUS(context_in(&context, memory, bytes, &params), RS_ERR_BACKEND);
    CHECK(strcmp(rs_backend_name(), "portable") == 0);
    CHECK_STATUS(rs_backend_select(NULL), RS_ERR_BACKEND);
    CHECK_STATUS(rs_backend_select("Portable"), RS_ERR_BACKEND);
    CHECK_STATUS(rs_backend_select(""), RS_ERR_BACKEND);
    CHECK_STATUS(context_in(&context, memory, bytes, &params), RS_ERR_BACKEND); // still
    CHECK_OK(rs_backend_select("portable"));
    CHECK_OK(context_in(&context, memory, bytes, &params));
    CHECK_STATUS(rs_backend_select("avx3"), RS_ERR_BACKEND);
    CHECK_OK(context_in(&context, memory, bytes, &params)); // a refusal changed nothing
    unsetenv("RINGSIDE_BACKEND");
    CHECK_OK(rs_backend_select(NULL));
    const char *best = rs_backend_name();
    for (unsigned k = 0; k < BACK_ENDS; k++) {
        setenv("RINGSIDE_BACKEND", BACK_END[k], 1);
        const rs_status_t status = rs_backend_select(NULL);
        if (status == RS_OK)
            CHECK(strcmp(rs_backend_name(), BACK_END[k]) == 0);
        else
            CHECK_STATUS(status, RS_ERR_BACKEND);
        if (strcmp(best, BACK_END[k]) == 0) { // the best there is: itself available, all after it not
            CHECK_OK(status);
            for (unsigned better = k + 1; better < BACK_ENDS; better++)
                CHECK_STATUS(rs_backend_select(BACK_END[better]), RS_ERR_BACKEND);
        }
    }
    setenv("RINGSIDE_BACKEND", "", 1);
    CHECK_OK(rs_backend_select(NULL));
    CHECK(strcmp(rs_backend_name(), best) == 0);
    unsetenv("RINGSIDE_BACKEND");
}

// Each state of a group on its own, with other contents than its neighbours.
RS_TEST(keccak_permutes_every_state) {
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[LANES * RS_WAYS_MAX];
    uint64_t one[RS_WAYS_MAX][LANES];
    EACH (k) {
        const rs_backend_t *backend = rs_backend_current();
        const unsigned ways = backend->samplers->hash->ways;
        REQUIRE(ways >= 1 && ways <= RS_WAYS_MAX);
        for (unsigned i = 0; i < LANES * ways; i++) {
            one[i % ways][i / ways] = states[i] = (i + 1) * UINT64_C(0x9e3779b97f4a7c15);
        }
        for (unsigned repeat = 0; repeat < 5; repeat++) {
            backend->samplers->hash->keccak(states);
            for (unsigned way = 0; way < ways; way++) rs_keccak_f1600(one[way]);
            for (unsigned i = 0; i < LANES * ways; i++) CHECK_EQ_U64(states[i], one[i % ways][i / ways]);
        }
    }
}

// NIST's SHA-3 examples, one message per state: SHAKE256 of nothing in the even ones, of 1600 bits 0xa3 (two blocks) in the odd ones.
RS_TEST(keccak_nist_examples) {
    static const uint8_t NOTHING[] = {0x46, 0xb9, 0xdd, 0x2b, 0x0b, 0xa8, 0x8d, 0x13,
                                      0x23, 0x3b, 0x3f, 0xeb, 0x74, 0x3e, 0xeb, 0x24};
    static const uint8_t BITS_1600[] = {0xcd, 0x8a, 0x92, 0x0e, 0xd1, 0x41, 0xaa, 0x04,
                                        0x07, 0xa2, 0x2d, 0x59, 0x28, 0x86, 0x52, 0xe9};
    _Alignas(RS_STATES_ALIGNMENT) uint64_t states[LANES * RS_WAYS_MAX];
    EACH (k) {
        const rs_backend_t *backend = rs_backend_current();
        const unsigned ways = backend->samplers->hash->ways;
        for (unsigned way = 0; way < ways; way++) {
            for (unsigned i = 0; i < LANES; i++) states[i * ways + way] = way % 2 && i < RATE / 8 ? 0xa3a3a3a3a3a3a3a3 : 0;
            if (way % 2) continue;
            states[way] = 0x1f;
            states[(RATE / 8 - 1) * ways + way] = (uint64_t)0x80 << 56;
        }
        backend->samplers->hash->keccak(states);
        for (unsigned way = 0; way < ways; way += 2) {
            const uint64_t got[2] = {states[way], states[ways + way]};
            CHECK_EQ_MEM(got, NOTHING, sizeof NOTHING);
        }
        for (unsigned way = 1; way < ways; way += 2) { // bytes 136 to 199, padding
            for (unsigned i = 0; i < 8; i++) states[i * ways + way] ^= 0xa3a3a3a3a3a3a3a3;
            states[8 * ways + way] ^= 0x1f;
            states[(RATE / 8 - 1) * ways + way] ^= (uint64_t)0x80 << 56;
        }
        backend->samplers->hash->keccak(states);
        for (unsigned way = 1; way < ways; way += 2) {
            const uint64_t got[2] = {states[way], states[ways + way]};
            CHECK_EQ_MEM(got, BITS_1600, sizeof BITS_1600);
        }
    }
}

// Every number of messages, with lengths up to the longest that a block takes, by the sponge that takes any message. Nothing is written
// between blocks and behind the last one.
RS_TEST(sponges_side_by_side) {
    enum { BLOCKS = 3, STRIDE = RS_SPONGES_RATE_MAX + 16 };
    static const struct {
        rs_sponge_kind_t kind;
        size_t rate, prefix_bytes, suffix_bytes;
    } SHAPES[] = {{RS_SPONGE_SHAKE128, 168, 32, 2},  {RS_SPONGE_SHAKE256, 136, 32, 1},  {RS_SPONGE_SHAKE256, 136, 64, 2},
                  {RS_SPONGE_SHAKE256, 136, 64, 71}, {RS_SPONGE_SHAKE128, 168, 0, 167}, {RS_SPONGE_SHAKE128, 168, 8, 0}};
    static uint8_t suffixes[RS_WAYS_MAX * RS_SPONGES_RATE_MAX], message[RS_SPONGES_RATE_MAX], want[BLOCKS * RS_SPONGES_RATE_MAX];
    _Alignas(8) static uint8_t got[RS_WAYS_MAX * STRIDE];
    uint64_t random = 3;
    for (size_t i = 0; i < sizeof suffixes; i++) suffixes[i] = (uint8_t)rs_test_random(&random);
    EACH (k) {
        const rs_hash_t *hash = rs_backend_current()->samplers->hash;
        for (uint32_t count = 1; count <= hash->ways; count++) {
            for (size_t shape = 0; shape < sizeof SHAPES / sizeof *SHAPES; shape++) {
                const size_t rate = SHAPES[shape].rate, prefix = SHAPES[shape].prefix_bytes, suffix = SHAPES[shape].suffix_bytes;
                rs_sponges_t sponges;
                rs_sponges_start(&sponges, hash, SHAPES[shape].kind, SEED.bytes, prefix, suffixes, suffix, count);
                for (unsigned block = 0; block < BLOCKS; block++) {
                    memset(got, 0xee, sizeof got);
                    CHECK_EQ_U64(rs_sponges_squeeze(&sponges, got, STRIDE), rate);
                    for (uint32_t way = 0; way < RS_WAYS_MAX; way++) {
                        const size_t written = way < count ? rate : 0;
                        memcpy(message, SEED.bytes, prefix);
                        memcpy(message + prefix, suffixes + way * suffix, suffix);
                        rs_sponge_hash(SHAPES[shape].kind, want, sizeof want, message, prefix + suffix);
                        CHECK_EQ_MEM(got + way * STRIDE, want + block * rate, written);
                        for (size_t i = written; i < STRIDE; i++) {
                            if (!CHECK_EQ_U64(got[way * STRIDE + i], 0xee)) return;
                        }
                    }
                }
            }
        }
    }
}

// Block `counter` of a generator, by the sponge that takes any message.
static void reference_block(uint8_t *out, size_t bytes, uint64_t counter) {
    uint8_t message[RS_SEED_BYTES + 8];
    memcpy(message, SEED.bytes, RS_SEED_BYTES);
    for (unsigned i = 0; i < 8; i++) message[RS_SEED_BYTES + i] = (uint8_t)(counter >> (8 * i));
    rs_shake256(out, bytes, message, sizeof message);
}

// Offsets and lengths on both sides of every block and group of blocks; nothing behind the end is touched.
RS_TEST(private_stream_of_any_length_and_offset) {
    static uint8_t want[STREAM_BYTES], got[STREAM_BYTES + 1];
    for (uint64_t b = 0; b < STREAM_BYTES / RATE; b++) reference_block(want + b * RATE, RATE, ((uint64_t)RS_DOMAIN_E1 << 56) + b);
    EACH (k) {
        for (size_t offset = 0; offset < 3 * RATE; offset += offset % RATE < 2 || offset % RATE > RATE - 3 ? 1 : 19) {
            for (size_t bytes = 0; offset + bytes <= STREAM_BYTES; bytes += bytes % RATE < 2 || bytes % RATE > RATE - 3 ? 1 : 19) {
                got[bytes] = 0xee;
                rs_private_stream(got, bytes, &SEED, RS_DOMAIN_E1, offset);
                if (!CHECK_EQ_MEM(got, want + offset, bytes) || !CHECK_EQ_U64(got[bytes], 0xee)) return;
            }
        }
    }
}

// Groups of every size on both sides of what a back end does at once, at their place and nothing behind it.
RS_TEST(seed_blocks) {
    enum { BLOCKS = 2 * RS_WAYS_MAX + 1 };
    static uint8_t want[BLOCKS * RS_SEED_BLOCK_BYTES], got[BLOCKS * RS_SEED_BLOCK_BYTES + 1];
    for (uint64_t counter = 0; counter < 1000; counter = 7 * counter + 1) {
        for (int type = RS_SEED_BLAKE2XB; type <= RS_SEED_SHAKE256; type++) {
            CHECK_OK(rs_backend_select("portable"));
            for (size_t i = 0; i < BLOCKS; i++) {
                uint8_t *block = want + i * RS_SEED_BLOCK_BYTES;
                const uint64_t message = counter + i;
                if (type == RS_SEED_SHAKE256)
                    reference_block(block, RS_SEED_BLOCK_BYTES, message);
                else
                    rs_blake2xb(block, RS_SEED_BLOCK_BYTES, (const uint8_t *)&message, 8, SEED.bytes, RS_SEED_BYTES);
            }
            EACH (k) {
                for (size_t count = 0; count <= BLOCKS; count++) {
                    const size_t bytes = count * RS_SEED_BLOCK_BYTES;
                    memset(got, 0xee, sizeof got);
                    CHECK_OK(
                        rs_seed_blocks(rs_backend_current()->samplers->hash, got, count, (rs_seed_type_t)type, &SEED, counter));
                    if (!CHECK_EQ_MEM(got, want, bytes) || !CHECK_EQ_U64(got[bytes], 0xee)) return;
                }
                CHECK_OK(rs_seed_block(got, (rs_seed_type_t)type, &SEED, counter));
                CHECK_EQ_MEM(got, want, RS_SEED_BLOCK_BYTES);
            }
        }
    }
}

// The length is hashed too, so each has a stream of its own: lengths around leaves, groups of leaves and their multiples. The back end
// that tests/oracle runs on is compared with hashlib there.
RS_TEST(blake2xb_of_any_length) {
    enum { LONGEST = 64 * 64 + 70 };
    static uint8_t want[LONGEST], got[LONGEST + 1];
    static const uint8_t MESSAGE[8] = {2, 7, 1, 8};
    for (size_t bytes = 1; bytes <= LONGEST; bytes += bytes % 64 < 2 || bytes % 64 > 62 ? 1 : 61) {
        for (size_t key_bytes = 0; key_bytes <= RS_SEED_BYTES; key_bytes += 32) {
            CHECK_OK(rs_backend_select("portable"));
            rs_blake2xb(want, bytes, MESSAGE, sizeof MESSAGE, SEED.bytes, key_bytes);
            for (unsigned k = 0; k < BACK_ENDS; k++) {
                if (rs_backend_select(BACK_END[k]) != RS_OK) continue;
                got[bytes] = 0xee;
                rs_blake2xb(got, bytes, MESSAGE, sizeof MESSAGE, SEED.bytes, key_bytes);
                if (!CHECK_EQ_MEM(got, want, bytes) || !CHECK_EQ_U64(got[bytes], 0xee)) return;
            }
        }
    }
}

static int cbd_value(const uint8_t *x) {
    const int positive = __builtin_popcount(x[0]) + __builtin_popcount(x[1]) + __builtin_popcount(x[2] & 31);
    return positive - __builtin_popcount(x[3]) - __builtin_popcount(x[4]) - __builtin_popcount(x[5] & 31);
}

// Each sampler's inner loop alone, with bytes of every value in every place.
RS_TEST(cbd21_of_any_bytes) {
    enum { VALUES = 3 * 32 + 31 };
    _Alignas(8) uint8_t bytes[6 * VALUES + RS_CBD_SLACK];
    int8_t got[VALUES + 1];
    EACH (k) {
        for (unsigned round = 0; round < 256; round++) {
            for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = (uint8_t)(round + 37 * i);
            if (round >= 254) { // 21 and -21
                for (unsigned i = 0; i < sizeof bytes; i++) bytes[i] = i % 6 / 3 == round % 2 ? 0xff : 0;
            }
            for (size_t count = 0; count <= VALUES; count += count < 33 ? 1 : 19) {
                got[count] = 0x77;
                rs_backend_current()->samplers->cbd21(got, bytes, count);
                for (size_t i = 0; i < count; i++) {
                    if (!CHECK_EQ_I64(got[i], cbd_value(bytes + 6 * i))) return;
                }
                CHECK_EQ_I64(got[count], 0x77);
            }
        }
    }
}

RS_TEST(ternary_of_every_byte) {
    uint8_t bytes[RS_TERNARY_BYTES];
    int8_t got[RS_TERNARY_VALUES + 1];
    EACH (k) {
        for (unsigned first = 0; first < 243; first++) {
            for (unsigned i = 0; i < RS_TERNARY_BYTES; i++) bytes[i] = (uint8_t)((first + i) % 243);
            got[RS_TERNARY_VALUES] = 0x77;
            rs_backend_current()->samplers->ternary(got, bytes);
            for (unsigned i = 0; i < RS_TERNARY_VALUES; i++) {
                static const unsigned POWER[5] = {1, 3, 9, 27, 81};
                if (!CHECK_EQ_I64(got[i], (int)(bytes[i / 5] / POWER[i % 5] % 3) - 1)) return;
            }
            CHECK_EQ_I64(got[RS_TERNARY_VALUES], 0x77);
        }
    }
}

// Words around multiples of q, around the limit and at both ends of their range; one refused word at every place.
RS_TEST(uniform_words) {
    enum { WORDS = 37 };
    static const uint64_t MODULI[] = {
        3,
        12289,
        (1 << 20) - 3,
        ((uint64_t)1 << 40) - 87,
        ((uint64_t)1 << 59) + 21,
        ((uint64_t)9 << 56) - 5,
        UINT64_MAX / 17 + 1,
        ((uint64_t)1 << 60) - 1,
    };
    uint64_t words[WORDS], got[WORDS];
    rs_modulus_t m;
    EACH (k) {
        for (unsigned j = 0; j < sizeof MODULI / sizeof *MODULI; j++) {
            const uint64_t q = MODULI[j], limit = UINT64_MAX - UINT64_MAX % q - 1;
            rs_modulus_init(&m, q);
            for (unsigned refused = 0; refused <= WORDS; refused++) {
                for (unsigned round = 0; round < 40; round++) {
                    for (unsigned i = 0; i < WORDS; i++) {
                        const uint64_t any = (refused + 100 * round + 10007 * i + 1) * UINT64_C(0x9e3779b97f4a7c15);
                        const uint64_t multiple = any - any % q;
                        words[i] = (round + i) % 4 == 0 ? any : (round + i) % 4 == 1 ? multiple : multiple - ((round + i) % 4 == 2);
                        if ((round + i) % 11 == 0) words[i] = limit - 1;
                        if (words[i] >= limit) words[i] = 0;
                        if (i == refused) words[i] = round % 2 ? limit : UINT64_MAX;
                        rs_store64((uint8_t *)(got + i), words[i]);
                    }
                    // to the refused word and from behind it
                    for (size_t begin = 0, end = refused; begin < WORDS; begin = end + 1, end = WORDS) {
                        const size_t count = rs_backend_current()->samplers->uniform(got + begin, WORDS - begin, limit, &m);
                        if (!CHECK_EQ_U64(count, end - begin)) return;
                        for (size_t i = begin; i < end; i++) {
                            if (!CHECK_EQ_U64(got[i], words[i] % q)) return;
                        }
                    }
                    if (refused < WORDS) CHECK_EQ_U64(rs_load64((const uint8_t *)(got + refused)), words[refused]);
                }
            }
        }
    }
}

// SEAL's rule, from the stream's definition.
static void reference_uniform(uint64_t *out, uint32_t n, const uint64_t *moduli, rs_seed_type_t type) {
    uint64_t bulk[RS_SEED_BLOCK_BYTES / 8], spare[RS_SEED_BLOCK_BYTES / 8];
    uint64_t next = LIMBS * (uint64_t)n;
    for (uint64_t i = 0; i < LIMBS * (uint64_t)n; i++) {
        const uint64_t q = moduli[i / n];
        const uint64_t max_multiple = UINT64_MAX - UINT64_MAX % q - 1;
        if (i % 512 == 0) CHECK_OK(rs_seed_block((uint8_t *)bulk, type, &SEED, i / 512));
        uint64_t word = bulk[i % 512];
        for (; word >= max_multiple; next++) {
            CHECK_OK(rs_seed_block((uint8_t *)spare, type, &SEED, next / 512));
            word = spare[next % 512];
        }
        out[i] = word % q;
    }
}

RS_TEST(uniform_polynomials) {
    static uint64_t want[LIMBS * N], got[N + 1];
    static rs_uniform_t state;
    // hardly a word is rejected; one in 64; one in 17, the most that moduli below 2^60 can do
    const uint64_t moduli[LIMBS] = {((uint64_t)1 << 40) - 87, ((uint64_t)9 << 56) - 5, UINT64_MAX / 17 + 1};
    static const uint32_t LOG_N[] = {10, 13, 17}; // less than a group, two groups, many
    for (int type = RS_SEED_BLAKE2XB; type <= RS_SEED_SHAKE256; type++) {
        for (unsigned j = 0; j < sizeof LOG_N / sizeof *LOG_N; j++) {
            const uint32_t log_n = LOG_N[j], n = (uint32_t)1 << log_n;
            CHECK_OK(rs_backend_select("portable"));
            reference_uniform(want, n, moduli, (rs_seed_type_t)type);
            EACH (k) {
                REQUIRE_OK(rs_uniform_init(&state, (rs_seed_type_t)type, &SEED, log_n, LIMBS));
                for (unsigned limb = 0; limb < LIMBS; limb++) {
                    got[n] = 0xeeeeeeee;
                    CHECK_OK(rs_uniform_next(&state, moduli[limb], got));
                    CHECK_EQ_MEM(got, want + limb * n, n * sizeof *got);
                    CHECK_EQ_U64(got[n], 0xeeeeeeee);
                }
            }
        }
    }
}

static size_t reversed(size_t k, size_t n) {
    size_t result = 0;
    for (; n > 1; n >>= 1, k >>= 1) result = 2 * result + (k & 1);
    return result;
}

// Both samplers from their definitions (golden/sample.h).
static void reference_samples(int8_t *cbd, int8_t *ternary, size_t n) {
    static uint8_t stream[6 * N + 2 * RATE];
    const size_t bytes = 6 * n;
    for (size_t b = 0; b * RATE < bytes; b++) reference_block(stream + b * RATE, RATE, ((uint64_t)RS_DOMAIN_U << 56) + b);
    for (size_t k = 0; k < n; k++) cbd[reversed(k, n)] = (int8_t)cbd_value(stream + 6 * k);
    size_t made = 0;
    for (size_t i = 0; i < bytes && made < n; i++) {
        unsigned digits = stream[i];
        for (unsigned k = 0; stream[i] < 243 && k < 5 && made < n; k++, digits /= 3) {
            ternary[reversed(made++, n)] = (int8_t)((int)(digits % 3) - 1);
        }
    }
}

RS_TEST(private_samples) {
    static int8_t want_cbd[N], want_ternary[N], got[N + 1];
    for (size_t n = 2; n <= N; n *= 2) { // the first fill less than a block
        reference_samples(want_cbd, want_ternary, n);
        EACH (k) {
            memset(got, 0x77, sizeof got);
            rs_sample_cbd21(got, n, &SEED, RS_DOMAIN_U);
            CHECK_EQ_MEM(got, want_cbd, n);
            CHECK_EQ_I64(got[n], 0x77);
            rs_sample_ternary(got, n, &SEED, RS_DOMAIN_U);
            CHECK_EQ_MEM(got, want_ternary, n);
            CHECK_EQ_I64(got[n], 0x77);
        }
    }
}

// Keys, encryption and decryption against their known answers.
RS_TEST(selftest_on_every_back_end) {
    void *memory = rs_test_own(malloc(rs_selftest_size()));
    EACH (k) CHECK_OK(rs_selftest(memory, rs_selftest_size()));
}

static void *sample_often(void *want) {
    static __thread int8_t got[1024];
    size_t wrong = 0;
    for (unsigned repeat = 0; repeat < 100; repeat++) {
        rs_sample_cbd21(got, sizeof got, &SEED, RS_DOMAIN_E0);
        wrong += memcmp(got, want, sizeof got) != 0;
    }
    return wrong ? want : NULL;
}

RS_TEST(selecting_while_others_compute) {
    enum { THREADS = 4 };
    static int8_t want[1024];
    pthread_t threads[THREADS];
    CHECK_OK(rs_backend_select("portable"));
    rs_sample_cbd21(want, sizeof want, &SEED, RS_DOMAIN_E0);
    for (unsigned t = 0; t < THREADS; t++) REQUIRE(pthread_create(&threads[t], NULL, sample_often, want) == 0);
    for (unsigned repeat = 0; repeat < 10000; repeat++) rs_ignore(rs_backend_select(BACK_END[repeat % BACK_ENDS]));
    for (unsigned t = 0; t < THREADS; t++) {
        void *wrong = want;
        pthread_join(threads[t], &wrong);
        CHECK(!wrong);
    }
}
