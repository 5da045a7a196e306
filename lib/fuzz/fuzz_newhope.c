// SPDX-License-Identifier: Apache-2.0
// Messages of NewHope from anybody.
//
// Input: one control byte, then a message. Bit 0: to the client or to the server; bit 1: the rule of Parse; bit 2: the message is first brought
// to its length, so that mutations get past the check of it; bit 3: its words are brought below q, so that they get past that check too.
// Properties, besides what the sanitizers see: a message is refused exactly if its length is wrong or a word is not below q; then the output is
// untouched. The workspace is left empty.
#include <ringside/ringside.h>

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { N = RS_NEWHOPE_N, Q = RS_NEWHOPE_Q, TO_SERVER = 1, LATER = 2, WHOLE = 4, REDUCED = 8, MARK = 0x5a };

static uint64_t memory[2][1 << 13], workspace[1 << 13];
static const rs_newhope_t *schemes[2]; // by the rule of Parse; made once, because finding a root takes long

static uint32_t word(const uint8_t *packed, size_t i) {
    uint32_t value = 0;
    for (unsigned bit = 0; bit < 14; bit++) value |= (uint32_t)(packed[(14 * i + bit) / 8] >> (14 * i + bit) % 8 & 1) << bit;
    return value;
}

static int all_below_q(const uint8_t *packed) {
    for (size_t i = 0; i < N; i++) {
        if (word(packed, i) >= Q) return 0;
    }
    return 1;
}

static int all_are(const uint8_t *bytes, size_t count, uint8_t value) {
    for (size_t i = 0; i < count; i++) {
        if (bytes[i] != value) return 0;
    }
    return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size < 1) return 0;
    const uint8_t control = *data++;
    const size_t wanted = control & TO_SERVER ? RS_NEWHOPE_CLIENT_BYTES : RS_NEWHOPE_SERVER_BYTES;
    const size_t given = size - 1, bytes = control & WHOLE ? wanted : given;
    uint8_t *message = calloc(1, bytes + 1);
    if (!message || sizeof memory[0] < rs_newhope_sizes()->memory || sizeof workspace < rs_newhope_sizes()->workspace) abort();
    memcpy(message, data, given < bytes ? given : bytes);
    if (control & REDUCED && bytes == wanted) {
        for (size_t i = 0; i < N; i++) {
            if (word(message, i) >= Q) message[(14 * i + 13) / 8] &= (uint8_t)~(1u << (14 * i + 13) % 8); // below 2^13
        }
    }
    const unsigned rule = control & LATER ? 1 : 0;
    const rs_newhope_parse_t parse = rule ? RS_NEWHOPE_PARSE_5Q : RS_NEWHOPE_PARSE_USENIX;
    const rs_memory_t tables = {memory[rule], sizeof memory[rule]}, room = {workspace, sizeof workspace};
    if (!schemes[rule] && rs_newhope_init(&schemes[rule], tables, parse, RS_NEWHOPE_STREAM_CHACHA20, "research-only") != RS_OK)
        abort();
    const rs_newhope_t *scheme = schemes[rule];
    static const uint8_t seed[RS_NEWHOPE_SEED_BYTES] = {1}, noise[RS_NEWHOPE_SEED_BYTES] = {2};
    uint8_t answer[RS_NEWHOPE_CLIENT_BYTES], own[RS_NEWHOPE_SERVER_BYTES], secret[RS_NEWHOPE_SECRET_BYTES];
    uint8_t shared[RS_NEWHOPE_SHARED_BYTES];
    memset(answer, MARK, sizeof answer);
    memset(shared, MARK, sizeof shared);
    rs_status_t status;
    if (control & TO_SERVER) {
        if (rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = scheme, .message = {own, sizeof own},
                                         .secret = {secret, sizeof secret}, .seed = {seed, sizeof seed},
                                         .noise_seed = {noise, sizeof noise}, .workspace = room)) != RS_OK)
            abort();
        status = rs_newhope_shared(scheme, (rs_bytes_t){shared, sizeof shared}, (rs_view_t){message, bytes},
                                   (rs_view_t){secret, sizeof secret}, room);
    } else {
        status = rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = scheme, .server_message = {message, bytes},
                                              .message = {answer, sizeof answer}, .shared = {shared, sizeof shared},
                                              .noise_seed = {noise, sizeof noise}, .workspace = room));
        if (status == RS_OK && !all_below_q(answer)) abort();
        if (status != RS_OK && !all_are(answer, sizeof answer, MARK)) abort();
    }
    const rs_status_t want = bytes != wanted ? RS_ERR_BYTES : all_below_q(message) ? RS_OK : RS_ERR_RESIDUE;
    if (status != want || (status != RS_OK && !all_are(shared, sizeof shared, MARK))) abort();
    if (!all_are((const uint8_t *)workspace, sizeof workspace, 0)) abort();
    free(message);
    return 0;
}
