// SPDX-License-Identifier: Apache-2.0
// NewHope and BLISS, by which accelerators are compared. For research only: rs_newhope_init and rs_bliss_init want consent by name.
//
// Each array comes with its length, which must be exactly the one that is said here: RS_ERR_BYTES. Outputs must not overlap inputs; after an
// error they are as they were. Workspace: 8-byte aligned, wiped before return. RS_ERR_NULL, RS_ERR_TOO_SMALL, RS_ERR_ALIGNMENT;
// RS_ERR_BACKEND (backend.h). In requests: exactly one of rng and the seeds is given (RS_ERR_NULL without, RS_ERR_OPTION with both); seeds are
// for tests and comparisons. RS_ERR_RNG; nothing is drawn for what is refused. reserved is 0, or RS_ERR_STRUCT.
#ifndef RINGSIDE_RESEARCH_H
#define RINGSIDE_RESEARCH_H

#include "rng.h"

#ifdef __cplusplus
extern "C" {
#endif

// Bytes that a scheme's init needs, and a call of it.
typedef struct rs_research_sizes {
    uint32_t memory, workspace;
} rs_research_sizes_t;

// ---- NewHope-1024: an unauthenticated key exchange from Ring-LWE, with reconciliation --------------------------------------------
//
// Source: Alkim, Ducas, Pöppelmann, Schwabe, "Post-quantum key exchange: a new hope", USENIX Security 2016; messages and keys are those of
// its reference implementation, byte for byte. N = 1024, q = 12289, noise psi_16 (variance 8), psi = 7.
//
// It is meant for passive attackers and secrets of one session only: who chooses messages can find the secret of a server that uses it again
// (Fluhrer 2016), and nothing says who the other party is. Take ML-KEM for anything real.
//
//   server                                                      client
//   seed, s, e;  a = Parse(SHAKE128(seed)),  b = a s + e
//                             (b, seed): 1824 bytes ->          s', e', e'';  u = a s' + e',  v = b s' + e'',  r = HelpRec(v)
//                             <- (u, r): 2048 bytes             shared = SHA3-256(Rec(v, r))
//   shared = SHA3-256(Rec(u s, r))
//
// The two shared keys are equal but for a probability below 2^-60. No branch and no index depends on noise, secret or shared key.
// Messages hold transforms, in the order of exponents: word i is the value at psi^(2i + 1).
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

RS_API const rs_research_sizes_t *rs_newhope_sizes(void);

// Makes the tables in caller-provided, 8-byte aligned memory, and keeps them there. RS_ERR_CONSENT unless consent is the string "research-only".
// RS_ERR_OPTION: no rs_newhope_parse_t, or no rs_newhope_stream_t.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_init(const rs_newhope_t **scheme, rs_memory_t memory, uint32_t parse, uint32_t stream,
                                                 const char *consent);

// Whoever knows noise_seed knows the keys. Noise comes from ChaCha20 with the key noise_seed; polynomial k of the exchange has the 64-bit nonce
// LE64(k), the coins of HelpRec have LE64(3 * 2^56). With the other stream polynomial k comes from SHAKE256(noise_seed || k), k one byte, the coins
// from that with k = 3. Two seeds of 64 bytes are drawn from rng, of which the first halves are used: noise, then a; a client draws one.
typedef struct rs_newhope_server_request {
    uint32_t size;
    uint32_t reserved;
    const rs_newhope_t *scheme;
    rs_bytes_t message;
    rs_bytes_t secret RS_SECRET; // for one exchange
    rs_view_t seed; // RS_NEWHOPE_SEED_BYTES: the one in the message
    rs_view_t noise_seed RS_SECRET; // RS_NEWHOPE_SEED_BYTES
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_newhope_server_request_t;

typedef struct rs_newhope_client_request {
    uint32_t size;
    uint32_t reserved;
    const rs_newhope_t *scheme;
    rs_view_t server_message;
    rs_bytes_t message;
    rs_bytes_t shared RS_SECRET;
    rs_view_t noise_seed RS_SECRET;
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_newhope_client_request_t;

// The server's message and its secret.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_server(const rs_newhope_server_request_t *request);
// The client's answer, and the shared key. RS_ERR_RESIDUE: a word of the server's message is not below q.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_client(const rs_newhope_client_request_t *request);
// The server's shared key. RS_ERR_RESIDUE: a word of the client's message, or of the secret, is not below q.
RS_API RS_MUST_CHECK rs_status_t rs_newhope_shared(const rs_newhope_t *scheme, rs_bytes_t shared, rs_view_t client_message,
                                                   rs_view_t secret, rs_memory_t workspace);

// ---- BLISS-BI: signatures from Ring-LWE with a bimodal Gaussian --------------------------------------------------------------------
//
// Sources: Ducas, Durmus, Lepoint, Lyubashevsky, "Lattice Signatures and Bimodal Gaussians", CRYPTO 2013 (BLISS, parameter set I); Ducas,
// "Accelerating BLISS: the geometry of ternary polynomials", ePrint 2014/874 (BLISS-B: the sparse product is made short, so that the
// repetition rate falls to 1.21). N = 512, q = 12289, sigma = 215, keys of 154 entries +-1, kappa = 23, d = 10, p = 24.
//
// Practical attacks on implementations found whole keys: by caches (Groot Bruinderink, Hülsing, Lange, Yarom, CHES 2016), by branches and by
// power (Espitau, Fouque, Gérard, Tibouchi, CCS 2017). What they used is not here: no branch and no index of this code depends on the key, on y,
// or on the numbers that rejection compares. That is no claim about power or faults. Take ML-DSA for anything real.
//
//   key        f, g ternary, f invertible;  s1 = f, s2 = 2g + 1;  public a = s2 / s1 mod q
//   sign       y1, y2 Gaussian;  u = zeta (2a) y1 + y2 mod 2q;  c = H(round(u) mod p, message), 23 ones
//              (v1, v2) = (s1, s2) c', c' = c mod 2 chosen greedily;  z = y + (-1)^b v, kept with probability
//              1 / (M exp(-|v|^2 / 2 sigma^2) cosh(<z, v> / sigma^2)), or else all anew
//              z2' = round(u) - round(u - z2) mod p, from -p/2 to p/2;  signature (z1, z2', c)
//   verify     |(z1, 2^d z2')| <= 12872, each |coefficient| <= 2100, and H(round(zeta (2a) z1 + zeta q c) + z2' mod p, message) = c
//
// Here round(x) = floor(x / 2^d + 1/2), and zeta (q - 2) = 1 mod 2q. Encodings and H are Ringside's own: no other program reads them.
//   public key   a, transformed: word i is the value at psi^(2i + 1), psi = 49; 512 words of 14 bits
//   secret key   f, g: two arrays of 512 digits of 2 bits (0, 1, and 2 for -1); the public key
//   signature    z1: 512 words z1 + 2100 of 13 bits;  z2': 512 words z2' + 2 of 3 bits;  the 23 places of c in the order of H, 9 bits each;
//                a bit 0. The least significant bit is always the first. A signature has one encoding, so its bytes can be compared.
//   H            SHAKE256(round(u) mod p, 512 words of 5 bits || SHAKE256(message), 64 bytes): each two bytes are a word, least byte first,
//                whose low 9 bits are a place of c unless it has come before
enum {
    RS_BLISS_N = 512,
    RS_BLISS_Q = 12289,
    RS_BLISS_PUBLIC_BYTES = 896,
    RS_BLISS_SECRET_BYTES = 1152,
    RS_BLISS_SIGNATURE_BYTES = 1050
};

// The plan of the ring. Read-only once made: any number of threads share it.
typedef struct rs_bliss rs_bliss_t;

RS_API const rs_research_sizes_t *rs_bliss_sizes(void);

// Makes the tables in caller-provided, 8-byte aligned memory, and keeps them there. RS_ERR_CONSENT unless consent is the string "research-only".
RS_API RS_MUST_CHECK rs_status_t rs_bliss_init(const rs_bliss_t **scheme, rs_memory_t memory, const char *consent);

typedef struct rs_bliss_keygen_request {
    uint32_t size;
    uint32_t reserved;
    const rs_bliss_t *scheme;
    rs_bytes_t public_key;
    rs_bytes_t secret_key RS_SECRET;
    rs_view_t seed RS_SECRET; // RS_SEED_BYTES
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_bliss_keygen_request_t;

typedef struct rs_bliss_sign_request {
    uint32_t size;
    uint32_t reserved;
    const rs_bliss_t *scheme;
    rs_view_t secret_key RS_SECRET;
    rs_view_t message; // may be NULL if it has no bytes
    rs_bytes_t signature;
    rs_view_t seed RS_SECRET; // RS_SEED_BYTES. Two messages signed with one seed give the key away
    rs_rng_t *rng;
    rs_memory_t workspace;
} rs_bliss_sign_request_t;

// A pair of keys, from one seed. RS_ERR_RNG: also if 64 keys in a row are not invertible, with a probability below 2^-250.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_keygen(const rs_bliss_keygen_request_t *request);
// The signature of a message, from one seed. RS_ERR_SECRET_KEY: f or g does not have 154 entries +-1; RS_ERR_RESIDUE: a word of the key is not
// below q. RS_ERR_RNG: also if 128 attempts in a row are rejected, with a probability below 2^-300. The number of attempts is public: it is
// independent of the key.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_sign(const rs_bliss_sign_request_t *request);
// RS_OK if the signature is the message's. RS_ERR_RESIDUE: a word of the key is not below q; RS_ERR_SIGNATURE: anything else is wrong. All
// operands are public.
RS_API RS_MUST_CHECK rs_status_t rs_bliss_verify(const rs_bliss_t *scheme, rs_view_t signature, rs_view_t message,
                                                 rs_view_t public_key, rs_memory_t workspace);

#ifdef __cplusplus
}
#endif

#endif
