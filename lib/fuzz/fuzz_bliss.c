// SPDX-License-Identifier: Apache-2.0
// Signatures and keys of BLISS-BI from anybody.
//
// Input: one control byte, then data. Bits 0-1: 0 a signature, 1 a public key, 2 a secret key, 3 changes to a valid signature (2 bytes of
// position, 1 byte that flips bits, and so on). Bit 2: the data are first brought to their length, so that mutations get past the check of it.
// Properties, besides what the sanitizers see: of all signatures only the valid one is accepted, and what unpacks packs to the same bytes, so
// that a signature has one encoding; a refused secret key writes nothing.
#include <ringside/ringside.h>

#include <stdlib.h>
#include <string.h>

#include "papers/bliss/bliss.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { WHOLE = 4, MARK = 0x5a };

static uint64_t memory[1 << 12], workspace[1 << 12];
static uint8_t public_key[RS_BLISS_PUBLIC_BYTES], secret_key[RS_BLISS_SECRET_BYTES], valid[RS_BLISS_SIGNATURE_BYTES];
static const uint8_t MESSAGE[] = "message";
static const rs_bliss_t *scheme;

static void require(int holds) {
    if (!holds) abort();
}

static const rs_memory_t ROOM = {workspace, sizeof workspace};

static rs_status_t sign(uint8_t *signature, const uint8_t *key, const rs_seed_t *seed) {
    return rs_bliss_sign(RS_REQUEST(rs_bliss_sign_request_t, .scheme = scheme, .secret_key = {key, RS_BLISS_SECRET_BYTES},
                                    .message = {MESSAGE, sizeof MESSAGE}, .signature = {signature, RS_BLISS_SIGNATURE_BYTES},
                                    .seed = {seed->bytes, sizeof *seed}, .workspace = ROOM));
}

static void start(void) {
    const rs_seed_t seed = {{1}};
    require(sizeof memory >= rs_bliss_sizes()->memory && sizeof workspace >= rs_bliss_sizes()->workspace);
    require(rs_bliss_init(&scheme, (rs_memory_t){memory, sizeof memory}, "research-only") == RS_OK);
    require(rs_bliss_keygen(RS_REQUEST(rs_bliss_keygen_request_t, .scheme = scheme, .public_key = {public_key, sizeof public_key},
                                       .secret_key = {secret_key, sizeof secret_key}, .seed = {seed.bytes, sizeof seed},
                                       .workspace = ROOM)) == RS_OK);
    require(sign(valid, secret_key, &seed) == RS_OK);
}

static rs_status_t verify(const uint8_t *signature, size_t bytes, const uint8_t *key, size_t key_bytes) {
    return rs_bliss_verify(scheme, (rs_view_t){signature, bytes}, (rs_view_t){MESSAGE, sizeof MESSAGE}, (rs_view_t){key, key_bytes},
                           ROOM);
}

static void check_signature(const uint8_t *signature, size_t bytes) {
    const rs_status_t status = verify(signature, bytes, public_key, sizeof public_key);
    if (bytes != sizeof valid) {
        require(status == RS_ERR_BYTES);
        return;
    }
    const int same = memcmp(signature, valid, sizeof valid) == 0;
    require(status == (same ? RS_OK : RS_ERR_SIGNATURE));
    rs_bliss_signature_t read;
    uint8_t packed[RS_BLISS_SIGNATURE_BYTES];
    if (rs_bliss_unpack_signature(&read, signature) != RS_OK) return;
    rs_bliss_pack_signature(packed, &read);
    require(memcmp(packed, signature, sizeof packed) == 0);
}

static void check_secret_key(const uint8_t *key) {
    const rs_seed_t seed = {{2}};
    uint8_t signature[RS_BLISS_SIGNATURE_BYTES];
    memset(signature, MARK, sizeof signature);
    const rs_status_t status = sign(signature, key, &seed);
    for (size_t i = 0; status != RS_OK && i < sizeof signature; i++) require(signature[i] == MARK);
    for (size_t i = 0; i < sizeof workspace / sizeof *workspace; i++) require(!workspace[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (!scheme) start();
    if (size < 1) return 0;
    static const size_t BYTES[4] = {sizeof valid, sizeof public_key, sizeof secret_key, sizeof valid};
    static const uint8_t *const BASE[4] = {valid, public_key, secret_key, valid};
    const unsigned kind = data[0] & 3;
    const size_t given = size - 1, bytes = data[0] & WHOLE || kind >= 2 ? BYTES[kind] : given;
    uint8_t *made = malloc(bytes + 1);
    require(made != NULL);
    data++;
    if (kind == 3) {
        memcpy(made, valid, sizeof valid);
        for (size_t i = 0; i + 3 <= given; i += 3) made[(data[i] | (size_t)data[i + 1] << 8) % sizeof valid] ^= data[i + 2];
    } else {
        const size_t take = given < bytes ? given : bytes;
        if (take) memcpy(made, data, take);
        for (size_t i = take; i < bytes; i++) made[i] = BASE[kind][i];
    }
    if (kind == 1) {
        const rs_status_t status = verify(valid, sizeof valid, made, bytes);
        require(bytes == sizeof public_key || status == RS_ERR_BYTES);
        require(status != RS_OK || memcmp(made, public_key, bytes) == 0);
    } else if (kind == 2) {
        check_secret_key(made);
    } else {
        check_signature(made, bytes);
    }
    free(made);
    return 0;
}
