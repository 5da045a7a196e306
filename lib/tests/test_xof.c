// SPDX-License-Identifier: Apache-2.0
// Hashes against their standards' vectors, and the constants against their definitions.
#include <ringside/golden.h>

#include "hash/hash.h"
#include "rs_test.h"

static void from_hex(uint8_t *out, const char *hex) {
    for (size_t i = 0; hex[2 * i]; i++) {
        const char byte[3] = {hex[2 * i], hex[2 * i + 1], 0};
        out[i] = (uint8_t)strtoul(byte, NULL, 16);
    }
}

// FIPS 202, algorithm 5: rc(t) from the LFSR x^8 + x^6 + x^5 + x^4 + 1.
static unsigned lfsr_bit(unsigned t) {
    unsigned r = 1;
    for (unsigned i = 0; i < t % 255; i++) {
        r <<= 1;
        if (r & 0x100) r ^= 0x171;
    }
    return r & 1;
}

// Keccak-f written from the definition of its five steps, lane by lane.
static void keccak_by_definition(uint64_t *state) {
    for (unsigned round = 0; round < 24; round++) {
        uint64_t column[5], moved[25];
        for (unsigned x = 0; x < 5; x++) {
            column[x] = 0;
            for (unsigned y = 0; y < 5; y++) column[x] ^= state[x + 5 * y];
        }
        for (unsigned i = 0; i < 25; i++) {
            const uint64_t right = column[(i % 5 + 1) % 5];
            state[i] ^= column[(i % 5 + 4) % 5] ^ (right << 1 | right >> 63);
        }
        unsigned x = 1, y = 0;
        moved[0] = state[0];
        for (unsigned t = 0; t < 24; t++) { // rho and pi along their orbit
            const unsigned offset = (t + 1) * (t + 2) / 2 % 64;
            const uint64_t lane = state[x + 5 * y];
            const unsigned new_y = (2 * x + 3 * y) % 5;
            x = y;
            y = new_y;
            moved[x + 5 * y] = offset ? lane << offset | lane >> (64 - offset) : lane;
        }
        for (unsigned i = 0; i < 25; i++) state[i] = moved[i] ^ (~moved[i / 5 * 5 + (i + 1) % 5] & moved[i / 5 * 5 + (i + 2) % 5]);
        for (unsigned j = 0; j <= 6; j++) state[0] ^= (uint64_t)lfsr_bit(j + 7 * round) << ((1u << j) - 1);
    }
}

RS_TEST(keccak_equals_its_definition) {
    uint64_t a[25], b[25];
    for (unsigned i = 0; i < 25; i++) a[i] = b[i] = i * UINT64_C(0x9e3779b97f4a7c15);
    for (unsigned repeat = 0; repeat < 5; repeat++) {
        rs_keccak_f1600(a);
        keccak_by_definition(b);
        for (unsigned i = 0; i < 25; i++) {
            // chi of the reference uses row neighbours: i/5*5 + (i+k)%5 is right only because rows have five lanes
            CHECK_EQ_U64(a[i], b[i]);
        }
    }
}

// NIST, SHA-3 examples: SHAKE256 of the empty message and of 1600 bits 0xa3, first 32 bytes of output.
RS_TEST(shake256_nist_examples) {
    uint8_t out[512], want[32], message[200];
    from_hex(want, "46b9dd2b0ba88d13233b3feb743eeb243fcd52ea62b81b82b50c27646ed5762f");
    rs_shake256(out, 32, NULL, 0);
    CHECK_EQ_MEM(out, want, 32);
    memset(message, 0xa3, sizeof message);
    from_hex(want, "cd8a920ed141aa0407a22d59288652e9d9f1a7ee0c1e7c1ca699424da84a904d");
    rs_shake256(out, 512, message, sizeof message);
    CHECK_EQ_MEM(out, want, 32);
}

// RFC 7693 appendix A, and the keyed and empty cases of the BLAKE2 reference vectors (blake2b-kat.txt).
RS_TEST(blake2b_vectors) {
    uint8_t out[64], want[64], key[64];
    from_hex(want, "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d17d87c5392aab792dc252d5de4533cc9518d38aa8dbf1"
                   "925ab92386edd4009923");
    rs_blake2b(out, 64, (const uint8_t *)"abc", 3, NULL, 0);
    CHECK_EQ_MEM(out, want, 64);
    for (unsigned i = 0; i < 64; i++) key[i] = (uint8_t)i;
    from_hex(want,
             "10ebb67700b1868efb4417987acf4690ae9d972fb7a590c2f02871799aaa4786b5e996e8f0f4eb981fc214b005f42d2ff4233499391653df"
             "7aefcbc13fc51568");
    rs_blake2b(out, 64, NULL, 0, key, 64);
    CHECK_EQ_MEM(out, want, 64);
}

// RFC 8439: sections 2.3.2 (a block) and 2.4.2 (a text of 114 bytes under a stream from counter 1), appendix A.1 (test vectors 1 and 2).
RS_TEST(chacha20_vectors) {
    static const char TEXT[] =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.";
    uint8_t key[32], nonce[12], out[114], want[114];
    for (unsigned i = 0; i < sizeof key; i++) key[i] = (uint8_t)i;
    from_hex(nonce, "000000090000004a00000000");
    from_hex(want, "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4ed2826446079faa0914c2d705d98b02a2b5129cd1de164e"
                   "b9cbd083e8a2503c4e");
    rs_chacha20_stream(out, 64, key, nonce, 1);
    CHECK_EQ_MEM(out, want, 64);
    from_hex(nonce, "000000000000004a00000000");
    from_hex(want, "6e2e359a2568f98041ba0728dd0d6981e97e7aec1d4360c20a27afccfd9fae0bf91b65c5524733ab8f593dabcd62b3571639d624e65152"
                   "ab8f530c359f0861d807ca0dbf500d6a6156a38e088a22b65e52bc514d16ccf806818ce91ab77937365af90bbf74a35be6b40b8eedf278"
                   "5e42874d");
    rs_chacha20_stream(out, sizeof out, key, nonce, 1);
    for (unsigned i = 0; i < sizeof out; i++) out[i] ^= (uint8_t)TEXT[i];
    CHECK_EQ_MEM(out, want, sizeof out);
    memset(key, 0, sizeof key);
    memset(nonce, 0, sizeof nonce);
    for (uint32_t counter = 0; counter < 2; counter++) {
        from_hex(want,
                 counter
                     ? "9f07e7be5551387a98ba977c732d080dcb0f29a048e3656912c6533e32ee7aed29b721769ce64e43d57133b074d839d531ed1f28"
                       "510afb45ace10a1f4b794d6f"
                     : "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7da41597c5157488d7724e03fb8d84a376a43b8f4"
                       "1518a11cc387b669b2ee6586");
        rs_chacha20_stream(out, 64, key, nonce, counter);
        CHECK_EQ_MEM(out, want, 64);
    }
}

RS_TEST(output_lengths_are_respected) {
    uint8_t message[300], long_out[600], out[601];
    for (unsigned i = 0; i < sizeof message; i++) message[i] = (uint8_t)(i * 7);
    for (size_t in = 0; in <= sizeof message; in += 17) {
        rs_shake256(long_out, sizeof long_out, message, in);
        for (size_t n = 0; n < sizeof long_out; n += 29) { // a prefix of the longer output, and nothing behind it
            memset(out, 0xee, sizeof out);
            rs_shake256(out, n, message, in);
            CHECK_EQ_MEM(out, long_out, n);
            CHECK_EQ_U64(out[n], 0xee);
        }
    }
    for (size_t n = 1; n < 300; n += 13) { // BLAKE2Xb binds its length: outputs of different lengths differ from the start
        memset(out, 0xee, sizeof out);
        rs_blake2xb(out, n, message, 8, message, 64);
        CHECK_EQ_U64(out[n], 0xee);
        rs_blake2xb(long_out, n + 1, message, 8, message, 64);
        if (n >= 8) CHECK(memcmp(out, long_out, n) != 0);
    }
}

RS_TEST(interleaved_lanes_give_the_same_stream) {
    uint8_t want[3 * RS_SHAKE256_RATE_BYTES], got[RS_SHAKE256_RATE_BYTES], message[RS_SEED_BYTES + 8] = {0};
    uint64_t state[25], random = 1;
    for (unsigned i = 0; i < 200; i++) {
        for (unsigned k = 0; k < sizeof message; k++) message[k] = (uint8_t)rs_test_random(&random);
        uint64_t counter = 0;
        for (unsigned k = 0; k < 8; k++) counter |= (uint64_t)message[RS_SEED_BYTES + k] << 8 * k;
        rs_shake256(want, sizeof want, message, sizeof message);
        RS_HASH_INTERLEAVED.keccak_start(state, message, counter);
        for (unsigned block = 0; block < 3; block++) {
            RS_HASH_INTERLEAVED.keccak(state);
            RS_HASH_INTERLEAVED.keccak_squeeze(got, sizeof got, state);
            CHECK_EQ_MEM(got, want + block * sizeof got, sizeof got);
        }
    }
}

RS_TEST(seed_blocks_refuse_nonsense) {
    uint8_t block[RS_SEED_BLOCK_BYTES];
    const rs_seed_t seed = {{1}};
    CHECK_STATUS(rs_seed_block(NULL, RS_SEED_SHAKE256, &seed, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_seed_block(block, RS_SEED_SHAKE256, NULL, 0), RS_ERR_NULL);
    CHECK_STATUS(rs_seed_block(block, (rs_seed_type_t)0, &seed, 0), RS_ERR_SEED_TYPE);
    CHECK_STATUS(rs_seed_block(block, (rs_seed_type_t)3, &seed, 0), RS_ERR_SEED_TYPE);
}
