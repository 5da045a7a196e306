// SPDX-License-Identifier: Apache-2.0
// Microsoft SEAL's file format: read and write without SEAL (docs/wire-format.md).
//
// Both directions stream: an object is written from, or read into, the caller's array with no second copy. The core knows
// compression only through a codec that the host supplies (host.h: zlib and zstd); without one, compressed files are refused.
// Every length, count, level, residue and scale of a file is checked before use. On an error nothing but the array handed in for
// the words has been touched (and that is wiped), and the reader holds no resources after rs_wire_close().
#ifndef RINGSIDE_WIRE_H
#define RINGSIDE_WIRE_H

#include "client.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- byte streams ------------------------------------------------------------------------------------------------------
// read: up to `bytes` bytes, *got < bytes only at the end of the data.
typedef struct rs_source {
    rs_status_t (*read)(void *state, uint8_t *out, size_t bytes, size_t *got);
    void *state;
} rs_source_t;

// write: all bytes or an error. patch: overwrite bytes already written at `offset` from the start of the object; NULL if the sink
// cannot (then compressed objects, whose size is only known at the end, are refused with RS_ERR_COMPRESSION). A sink takes one object.
typedef struct rs_sink {
    rs_status_t (*write)(void *state, const uint8_t *data, size_t bytes);
    rs_status_t (*patch)(void *state, uint64_t offset, const uint8_t *data, size_t bytes);
    void *state;
} rs_sink_t;

typedef struct rs_memory_source {
    const uint8_t *data;
    size_t bytes;
    size_t position;
} rs_memory_source_t;

typedef struct rs_memory_sink {
    uint8_t *data;
    size_t capacity;
    size_t bytes; // written so far; RS_ERR_TOO_SMALL when it would exceed capacity
} rs_memory_sink_t;

RS_API void rs_source_from_memory(rs_source_t *source, rs_memory_source_t *state, const uint8_t *data, size_t bytes);
RS_API void rs_sink_to_memory(rs_sink_t *sink, rs_memory_sink_t *state, uint8_t *data, size_t capacity);

// ---- compression -------------------------------------------------------------------------------------------------------
typedef enum rs_compression {
    RS_COMPRESSION_NONE = 0,
    RS_COMPRESSION_ZLIB = 1,
    RS_COMPRESSION_ZSTD = 2,
    RS_COMPRESSION_MAX = 0x7fffffff
} rs_compression_t;

// A codec turns a stream of members into a compressed one and back. Its state lives on the host's heap.
typedef struct rs_codec {
    uint32_t size; // sizeof(rs_codec_t), as that of a request
    uint32_t reserved;
    // level: 0 for the codec's default.
    rs_status_t (*write_begin)(void **state, rs_compression_t compression, int level, const rs_sink_t *inner);
    rs_status_t (*write)(void *state, const uint8_t *data, size_t bytes);
    // The same at the default level for public words of residues, of which no modulus has 49 to 56 bits; NULL: like everything else.
    rs_status_t (*write_begin_words)(void **state, rs_compression_t compression, const rs_sink_t *inner);
    // Flushes, frees the state, and says how many bytes went to the inner sink.
    rs_status_t (*write_end)(void *state, uint64_t *compressed_bytes);
    // compressed_bytes: exactly this many bytes of the inner source belong to the stream.
    rs_status_t (*read_begin)(void **state, rs_compression_t compression, const rs_source_t *inner, uint64_t compressed_bytes);
    rs_status_t (*read)(void *state, uint8_t *out, size_t bytes, size_t *got);
    // Frees the state. RS_ERR_TRAILING if compressed bytes or decompressed bytes are left and `check` is set.
    rs_status_t (*read_end)(void *state, int check);
} rs_codec_t;

// ---- objects -----------------------------------------------------------------------------------------------------------
typedef enum rs_wire_kind {
    RS_WIRE_UNKNOWN = 0,
    RS_WIRE_PARAMS = 1,
    RS_WIRE_PLAINTEXT = 2,   // a secret key looks the same; with a context: RS_WIRE_SECRET_KEY if at key level with scale 1
    RS_WIRE_SECRET_KEY = 3,
    RS_WIRE_CIPHERTEXT = 4,  // a public key looks the same; with a context: RS_WIRE_PUBLIC_KEY if at key level with scale 1
    RS_WIRE_PUBLIC_KEY = 5,
    RS_WIRE_RELIN_KEYS =
        6,  // key-switching keys (SEAL: KSwitchKeys); relinearisation keys are one entry for s^2, and one for each power
                             // that follows,
    RS_WIRE_GALOIS_KEYS = 7, // Galois keys N entries, entry (element - 1) / 2 for an element
    RS_WIRE_KIND_MAX = 0x7fffffff
} rs_wire_kind_t;

// ---- writing -----------------------------------------------------------------------------------------------------------
// How an object is written. Zero: version 3.6, which every SEAL from 3.6 to 4.4 reads, without compression.
// Versions that can be written: 3.6 and 3.7 (layout of 3.4, without correction factor), and 4.0, 4.1, 4.2, 4.3 and 4.4. A header 4.x is
// read by SEAL 4.x alone, and by 4.4 (docs/wire-format.md).
typedef struct rs_wire_format {
    uint32_t version; // major << 8 | minor; 0: 3.6
    uint32_t compression; // rs_compression_t
    int32_t level; // compression's; 0: the codec's default
    uint32_t reserved;
    const rs_codec_t *codec; // NULL: only RS_COMPRESSION_NONE
} rs_wire_format_t;

typedef struct rs_wire_write_request {
    uint32_t size;
    uint32_t kind; // rs_wire_kind_t: keys are at key level with scale 1, data below it (RS_ERR_LEVEL, RS_ERR_SCALE)
    const rs_context_t *context; // the object's; its parameters are written where params is NULL
    const rs_sink_t *sink;
    rs_wire_format_t format;
    const rs_params_t *params; // what is written: one of these
    const rs_plaintext_t *plaintext; // either form
    const rs_ciphertext_t *ciphertext; // a public key, too
    const rs_secret_key_t *secret_key;
    uint64_t entries; // or key-switching keys: 1 to 14 for relinearisation, N of Galois,
    uint64_t components; // the components of all entries together,
    uint32_t seeded; // and whether all of them are seeded or all are full
    uint32_t reserved;
    rs_memory_t workspace; // N words, for a plaintext of coefficients alone, whose limbs are transformed one at a time
} rs_wire_write_request_t;

// Bytes of the object without compression; 0 if the request says too little. It needs neither sink nor words, and the parameters will do in
// place of a context.
RS_API uint64_t rs_wire_bytes(const rs_wire_write_request_t *request);
// Writes parameters, a plaintext, a ciphertext or a public key. RS_ERR_KIND: anything else.
RS_API RS_MUST_CHECK rs_status_t rs_wire_write(const rs_wire_write_request_t *request);
// The only way a secret key leaves the library. RS_ERR_KIND: anything else.
RS_API RS_MUST_CHECK rs_status_t rs_wire_write_secret_key(const rs_wire_write_request_t *request);

// Piecewise writing, for words that are produced on the fly. The struct is the caller's. Do not move it between open and close.
typedef struct rs_wire_writer {
    uint64_t private_words[32];
} rs_wire_writer_t;

// A ciphertext, public key or plaintext: open with its descriptor (no words), write all its words in any portions.
// Key-switching keys: open with entries, components and seeded (the size of the object follows from them: no patching needed); then per
// entry rs_wire_writer_entry with its number of components (0 or data limbs), followed by that many rs_wire_writer_component.
// Then close, which also releases the codec after an error: always call it. ciphertext: the descriptor whose seed ends the object; NULL
// where there is none.
RS_API RS_MUST_CHECK rs_status_t rs_wire_writer_open(rs_wire_writer_t *writer, const rs_wire_write_request_t *request);
RS_API RS_MUST_CHECK rs_status_t rs_wire_writer_words(rs_wire_writer_t *writer, const uint64_t *words, size_t count);
RS_API RS_MUST_CHECK rs_status_t rs_wire_writer_entry(rs_wire_writer_t *writer, uint64_t components);
RS_API RS_MUST_CHECK rs_status_t rs_wire_writer_component(rs_wire_writer_t *writer, const rs_ciphertext_t *component);
RS_API RS_MUST_CHECK rs_status_t rs_wire_writer_close(rs_wire_writer_t *writer, const rs_ciphertext_t *ciphertext);

// Key-switching keys in the memory of one ring and without a context, as a function of a master seed: components are seeded, and the seeds of
// each are derived from the master, bound to the parameters, the secret key, the Galois element, the row and `index` (rs_switch_seed). So
// equal requests give equal bytes, any range of which can be made again, and nothing is used for two keys. Not compressed.
typedef struct rs_keys_stream_request {
    uint32_t size;
    uint32_t kind; // RS_WIRE_RELIN_KEYS, RS_WIRE_GALOIS_KEYS
    uint32_t seed_type; // rs_seed_type_t; 0: SHAKE256
    uint32_t count; // Galois keys: how many,
    const uint32_t *elements; // and their elements, ascending
    const rs_params_t *params;
    const uint64_t *secret RS_SECRET; // N residues of the key modulo the first prime, NTT form: the first words of rs_secret_key_t
    const rs_seed_t *master RS_SECRET; // fresh, or the one of a file whose bytes are wanted again
    uint64_t index; // number of the file, among several of one master that are alike in all else
    uint64_t first; // the range: the first byte of the file that is written,
    uint64_t bytes; // and how many are; 0: all that follow
    const rs_sink_t *sink;
    rs_wire_format_t format; // RS_COMPRESSION_NONE
    rs_memory_t memory; // RS_KEYS_STREAM_BYTES; with up to RS_KEYS_STREAM_LIMB_N_BYTES times N more for each limb it is faster
} rs_keys_stream_request_t;

// Tables, words and coefficients of a ring with N = 2^log_n, and a cache line: 1.3 MiB at 2^15. LIMB: the key's residues, which are kept first, and tables.
enum { RS_KEYS_STREAM_N_BYTES = 42, RS_KEYS_STREAM_LIMB_N_BYTES = 24, RS_KEYS_STREAM_MORE_BYTES = 64 };
#define RS_KEYS_STREAM_BYTES(log_n) (((size_t)RS_KEYS_STREAM_N_BYTES << (log_n)) + RS_KEYS_STREAM_MORE_BYTES)
// RS_ERR_NO_SPECIAL, RS_ERR_GALOIS (elements), RS_ERR_SECRET_KEY (not ternary, or zero), RS_ERR_LENGTH (range behind the end), RS_ERR_COMPRESSION,
// RS_ERR_KIND, what rs_params_check returns, and what the sink does. The memory is wiped in every case.
RS_API RS_MUST_CHECK rs_status_t rs_keys_stream(const rs_keys_stream_request_t *request);

// ---- reading -----------------------------------------------------------------------------------------------------------
// What the first bytes of an object tell.
typedef struct rs_wire_info {
    uint32_t kind; // rs_wire_kind_t
    uint32_t version; // major << 8 | minor
    uint32_t compression; // rs_compression_t
    uint32_t scheme; // params: 1 BFV, 2 CKKS, 3 BGV
    uint64_t total_bytes; // bytes of the file, as its header says
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint64_t n; // 0 where the object does not say (plaintext without context)
    uint64_t limb_count; // 0 where unknown
    uint64_t poly_count;
    uint64_t
        words; // coefficient words stored; of key-switching keys those of the first component, and then of the one that was begun
    uint32_t ntt; // in NTT form
    uint32_t seeded;
    double scale;
    uint64_t entries; // key-switching keys
    uint64_t correction_factor; // a ciphertext's; 1 in files of 3.x, which cannot say it
    uint64_t reserved; // 0
} rs_wire_info_t;

// Where a plaintext, a secret key, a ciphertext, a public key, or a component of key-switching keys goes.
typedef struct rs_wire_target {
    uint32_t size;
    uint32_t kind; // rs_wire_kind_t
    rs_plaintext_t *plaintext; // one of these
    rs_ciphertext_t *ciphertext;
    rs_secret_key_t *secret_key;
} rs_wire_target_t;

// The caller's. Do not move it between open and close.
typedef struct rs_wire_reader {
    uint64_t private_words[80];
} rs_wire_reader_t;

// Reads the 16-byte header and the first members; recognises the kind (RS_WIRE_UNKNOWN is no error yet: the reading functions say
// what is wrong). codec may be NULL. Always close afterwards, whatever it returned.
RS_API RS_MUST_CHECK rs_status_t rs_wire_open(rs_wire_reader_t *reader, const rs_source_t *source, const rs_codec_t *codec);
// context may be NULL; with it, kind is told apart further and n, limb_count are filled in from the parms_id.
RS_API RS_MUST_CHECK rs_status_t rs_wire_info(const rs_wire_reader_t *reader, const rs_context_t *context, rs_wire_info_t *info);
// Releases the codec and wipes what was kept. check 1: returns the first error, if any, or checks that the object was read to its
// end and that the source ends there too. check 2: the same, but the source may go on (another object follows). check 0: RS_OK.
RS_API RS_MUST_CHECK rs_status_t rs_wire_close(rs_wire_reader_t *reader, int check);

// Parameters, fully checked by rs_params_check with the given security level.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_params(rs_wire_reader_t *reader, rs_params_t *params, uint32_t security);

// `begin` fills in the target's descriptor, checked against the context and the kind: keys have key level and scale 1, data a
// data level. Then the caller sets the pointer to its words (secret key, and plaintext in form NTT: limb_count * N; plaintext of BFV and BGV:
// `message`, N; ciphertext: rs_ciphertext_words()), and `words` reads and checks them; a seed comes after the words and is filled in then. The context must stay
// until then. context NULL, for ciphertexts and key-switching keys: structure only, words pass unchecked; their number is in rs_wire_info.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                    const rs_wire_target_t *target);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_words(rs_wire_reader_t *reader, const rs_wire_target_t *target);
// Key-switching keys: `entries` first; then entry by entry its component count, and each component by begin and words with the same
// context and kind. RS_ERR_KIND: relinearisation keys, where Galois keys are wanted, or the reverse.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_entries(rs_wire_reader_t *reader, const rs_context_t *context, uint32_t kind,
                                                      uint64_t *entries);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_entry(rs_wire_reader_t *reader, uint64_t *components);

// Copies one object of any kind in another format (version, compression) without needing parameters: re-heads a foreign file.
// Structure is checked, residues are passed through, and so are BFV and BGV objects. RS_ERR_VERSION if the object cannot be said in the
// wanted version (a correction factor other than 1). Key-switching keys whose size is not known beforehand (read compressed, or
// between 3.x and 4.x) need a sink that can patch: RS_ERR_COMPRESSION. buffer: scratch of at least 4096 bytes. Close the reader after.
RS_API RS_MUST_CHECK rs_status_t rs_wire_convert(rs_wire_reader_t *reader, const rs_sink_t *sink, const rs_wire_format_t *format,
                                                 rs_memory_t buffer);

#ifdef __cplusplus
}
#endif

#endif
