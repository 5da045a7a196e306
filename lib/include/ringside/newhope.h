// SPDX-License-Identifier: Apache-2.0
// NewHope-1024: an unauthenticated key exchange from Ring-LWE, with reconciliation. For research only.
//
// Source: Alkim, Ducas, Pöppelmann, Schwabe, "Post-quantum key exchange: a new hope", USENIX Security 2016; messages and keys are those of
// its reference implementation, byte for byte. N = 1024, q = 12289, noise psi_16 (variance 8), psi = 7.
//
// It is here because accelerators are compared by it. It is meant for passive attackers and secrets of one session only: who chooses messages
// can find the secret of a server that uses it again (Fluhrer 2016), and nothing says who the other party is. Take ML-KEM for anything real.
//
//   server                                                      client
//   seed, s, e;  a = Parse(SHAKE128(seed)),  b = a s + e
//                             (b, seed): 1824 bytes ->          s', e', e'';  u = a s' + e',  v = b s' + e'',  r = HelpRec(v)
//                             <- (u, r): 2048 bytes             shared = SHA3-256(Rec(v, r))
//   shared = SHA3-256(Rec(u s, r))
//
// The two shared keys are equal but for a probability below 2^-60. No branch and no index depends on noise, secret or shared key.
// Messages hold transforms, in the order of exponents: word i is the value at psi^(2i + 1).
#ifndef RINGSIDE_NEWHOPE_H
#define RINGSIDE_NEWHOPE_H

#include "sample.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_NEWHOPE_N = 1024,
    RS_NEWHOPE_Q = 12289,
    RS_NEWHOPE_SEED_BYTES = 32,
    RS_NEWHOPE_POLY_BYTES = 1792, // words of 14 bits, the least significant bit first
    RS_NEWHOPE_HINT_BYTES = 256, // numbers of 2 bits
    RS_NEWHOPE_SERVER_BYTES = 1824, // b, then the seed of a
    RS_NEWHOPE_CLIENT_BYTES = 2048, // u, then the hints r
    RS_NEWHOPE_SECRET_BYTES = 1792, // s, transformed
    RS_NEWHOPE_SHARED_BYTES = 32
};

// How a comes from its seed, by words of 16 bits of SHAKE128's stream. Both parties must take the same.
typedef enum rs_newhope_parse {
    RS_NEWHOPE_PARSE_USENIX = 1, // the low 14 bits, if below q: the published paper
    RS_NEWHOPE_PARSE_5Q = 2 // modulo q, if below 5q: later versions of paper and reference
} rs_newhope_parse_t;

// What noise and the coins of HelpRec are made of, which no message shows: parties need not take the same.
typedef enum rs_newhope_stream {
    RS_NEWHOPE_STREAM_CHACHA20 = 1, // the reference implementation's
    RS_NEWHOPE_STREAM_SHAKE256 = 2 // that of cores with fields (device_newhope.h)
} rs_newhope_stream_t;

// The plan of the ring, and the choices of Parse and stream. Read-only once made: any number of threads share it.
typedef struct rs_newhope rs_newhope_t;

RS_API size_t rs_newhope_size(void);
RS_API size_t rs_newhope_workspace(void);

// Makes the tables in caller-provided, 8-byte aligned memory of rs_newhope_size() bytes, and keeps them there. RS_ERR_RESEARCH unless consent
// is the string "research-only". RS_ERR_OPTION: unknown parse. RS_ERR_NULL, RS_ERR_MEMORY, RS_ERR_ALIGNMENT; RS_ERR_BACKEND (backend.h).
RS_API RS_MUST_CHECK rs_status_t rs_newhope_init(const rs_newhope_t **scheme, void *memory, size_t memory_bytes,
                                                 rs_newhope_parse_t parse, const char *consent);
// The same with a choice of the stream; rs_newhope_init takes ChaCha20. RS_ERR_OPTION: unknown parse or stream.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_init_stream(const rs_newhope_t **scheme, void *memory, size_t memory_bytes,
                                                        rs_newhope_parse_t parse, rs_newhope_stream_t stream, const char *consent);

// All three: workspace is rs_newhope_workspace() bytes, aligned to 8; nothing secret is left in it. Outputs have the sizes above and must not
// overlap inputs. RS_ERR_NULL, RS_ERR_MEMORY, RS_ERR_ALIGNMENT. On an error no output is written, and no seed is drawn for a message that is
// refused.

// The server's message and its secret, for one exchange. Two seeds are drawn from rng: noise, then a. RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_server(const rs_newhope_t *scheme, uint8_t *message, uint8_t *secret, rs_rng_t *rng,
                                                   void *workspace, size_t workspace_bytes);
// The client's answer, and the shared key. One seed is drawn from rng. RS_ERR_LENGTH: the server's message does not have its size;
// RS_ERR_RESIDUE: a word in it is not below q. RS_ERR_RNG.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_client(const rs_newhope_t *scheme, uint8_t *message, uint8_t *shared,
                                                   const uint8_t *server_message, size_t server_message_bytes, rs_rng_t *rng,
                                                   void *workspace, size_t workspace_bytes);
// The server's shared key. RS_ERR_LENGTH: the client's message does not have its size; RS_ERR_RESIDUE: a word in it, or in the secret, is not
// below q.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_shared(const rs_newhope_t *scheme, uint8_t *shared, const uint8_t *client_message,
                                                   size_t client_message_bytes, const uint8_t *secret, void *workspace,
                                                   size_t workspace_bytes);

// The same from given seeds, for tests and comparisons: whoever knows noise_seed knows the keys. Noise comes from ChaCha20 with the key
// noise_seed; polynomial k of the exchange has the 64-bit nonce LE64(k), the coins of HelpRec have LE64(3 * 2^56). With the other stream
// polynomial k comes from SHAKE256(noise_seed || k), k one byte, the coins from that with k = 3. seed is the one in the message. Seeds are
// RS_NEWHOPE_SEED_BYTES.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_server_derand(const rs_newhope_t *scheme, uint8_t *message, uint8_t *secret,
                                                          const uint8_t *seed, const uint8_t *noise_seed, void *workspace,
                                                          size_t workspace_bytes);
RS_API RS_MUST_CHECK rs_status_t rs_newhope_client_derand(const rs_newhope_t *scheme, uint8_t *message, uint8_t *shared,
                                                          const uint8_t *server_message, size_t server_message_bytes,
                                                          const uint8_t *noise_seed, void *workspace, size_t workspace_bytes);

#ifdef __cplusplus
}
#endif

#endif
