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
    size_t bytes; // written so far; RS_ERR_MEMORY when it would exceed capacity
} rs_memory_sink_t;

RS_API void rs_source_from_memory(rs_source_t *source, rs_memory_source_t *state, const uint8_t *data, size_t bytes);
RS_API void rs_sink_to_memory(rs_sink_t *sink, rs_memory_sink_t *state, uint8_t *data, size_t capacity);

// ---- compression -------------------------------------------------------------------------------------------------------
typedef enum rs_compression { RS_COMPRESSION_NONE = 0, RS_COMPRESSION_ZLIB = 1, RS_COMPRESSION_ZSTD = 2 } rs_compression_t;

// A codec turns a stream of members into a compressed one and back. Its state lives on the host's heap.
typedef struct rs_codec {
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

// ---- writing -----------------------------------------------------------------------------------------------------------
// Versions that can be written: 3.6 and 3.7 (layout of 3.4, without correction factor), and 4.0, 4.1, 4.2, 4.3 and 4.4. Default 3.6:
// every SEAL from 3.6 to 4.4 reads it. A header 4.x is read by SEAL 4.x alone, and by 4.4 (docs/wire-format.md).
typedef struct rs_wire_options {
    uint8_t version_major;
    uint8_t version_minor;
    rs_compression_t compression;
    int level;               // the level of compression; 0: the codec's default
    const rs_codec_t *codec; // NULL: only RS_COMPRESSION_NONE
} rs_wire_options_t;

// 3.6, no compression, no codec.
RS_API void rs_wire_options_default(rs_wire_options_t *options);

// Bytes of an uncompressed object.
RS_API uint64_t rs_wire_params_bytes(const rs_params_t *params);
RS_API uint64_t rs_wire_plaintext_bytes(uint64_t words);
RS_API uint64_t rs_wire_ciphertext_bytes(const rs_wire_options_t *options, uint64_t words, uint32_t seeded);
// `components` over all entries, each of `words` words.
RS_API uint64_t rs_wire_kswitch_bytes(const rs_wire_options_t *options, uint64_t entries, uint64_t components, uint64_t words,
                                      uint32_t seeded);

RS_API RS_MUST_CHECK rs_status_t rs_wire_write_params(const rs_sink_t *sink, const rs_wire_options_t *options,
                                                      const rs_params_t *params);
// Either form; limbs are transformed one at a time. workspace: N words (used for the COEF form only).
RS_API RS_MUST_CHECK rs_status_t rs_wire_write_plaintext(const rs_sink_t *sink, const rs_wire_options_t *options,
                                                         const rs_context_t *context, const rs_plaintext_t *plaintext,
                                                         uint64_t *workspace);
// The only way a secret key leaves the library.
RS_API RS_MUST_CHECK rs_status_t rs_wire_write_secret_key(const rs_sink_t *sink, const rs_wire_options_t *options,
                                                          const rs_context_t *context, const rs_secret_key_t *key);
// Ciphertexts and public keys.
RS_API RS_MUST_CHECK rs_status_t rs_wire_write_ciphertext(const rs_sink_t *sink, const rs_wire_options_t *options,
                                                          const rs_context_t *context, const rs_ciphertext_t *ciphertext);

// Piecewise writing. The struct is the caller's; its members are private. Do not move it between open and close.
typedef struct rs_wire_writer {
    rs_sink_t sink;
    rs_wire_options_t options;
    const rs_context_t *context;
    void *codec_state;
    uint64_t member_bytes;     // written so far, uncompressed
    uint64_t expected;         // member bytes that the header promised; UINT64_MAX: patched in at the end
    uint64_t words;            // still to come: words of the open ciphertext or component,
    uint64_t entries;          // entries,
    uint64_t entry_components; // components of the open entry,
    uint64_t components;       // components of the whole object
    uint32_t position;         // index of the next word in its limb
    uint32_t limb;
    uint32_t limb_count;
    uint32_t seeded;
    uint32_t stage;
    rs_status_t failed;        // first error; every later call returns it
} rs_wire_writer_t;

// A ciphertext whose words are produced on the fly: open with the descriptor (data unused), write all rs_ciphertext_words() words in
// any portions, close (the seed is taken from the descriptor then). close also releases the codec after an error: always call it.
RS_API RS_MUST_CHECK rs_status_t rs_wire_ciphertext_open(rs_wire_writer_t *writer, const rs_sink_t *sink,
                                                         const rs_wire_options_t *options, const rs_context_t *context,
                                                         const rs_ciphertext_t *ciphertext);
RS_API RS_MUST_CHECK rs_status_t rs_wire_ciphertext_words(rs_wire_writer_t *writer, const uint64_t *words, size_t count);
RS_API RS_MUST_CHECK rs_status_t rs_wire_ciphertext_close(rs_wire_writer_t *writer, const rs_ciphertext_t *ciphertext);

// Key-switching keys (SEAL: KSwitchKeys): relinearisation keys are 1 entry, Galois keys N entries, entry (element - 1) / 2 for an
// element. Open with the number of components over all entries (the size of the object follows from it: no patching needed) and
// whether they are all seeded or all full; then per entry rs_wire_kswitch_entry with its number of components (0 or data limbs)
// followed by that many rs_wire_kswitch_component; then close (always).
RS_API RS_MUST_CHECK rs_status_t rs_wire_kswitch_open(rs_wire_writer_t *writer, const rs_sink_t *sink,
                                                      const rs_wire_options_t *options, const rs_context_t *context,
                                                      uint64_t entries, uint64_t components, uint32_t seeded);
RS_API RS_MUST_CHECK rs_status_t rs_wire_kswitch_entry(rs_wire_writer_t *writer, uint64_t components);
RS_API RS_MUST_CHECK rs_status_t rs_wire_kswitch_component(rs_wire_writer_t *writer, const rs_context_t *context,
                                                           const rs_ciphertext_t *component);
RS_API RS_MUST_CHECK rs_status_t rs_wire_kswitch_close(rs_wire_writer_t *writer);

// ---- reading -----------------------------------------------------------------------------------------------------------
typedef enum rs_wire_kind {
    RS_WIRE_UNKNOWN = 0,
    RS_WIRE_PARAMS = 1,
    RS_WIRE_PLAINTEXT = 2,   // a secret key looks the same; with a context: RS_WIRE_SECRET_KEY if at key level with scale 1
    RS_WIRE_SECRET_KEY = 3,
    RS_WIRE_CIPHERTEXT = 4,  // a public key looks the same; with a context: RS_WIRE_PUBLIC_KEY if at key level with scale 1
    RS_WIRE_PUBLIC_KEY = 5,
    RS_WIRE_RELIN_KEYS = 6,
    RS_WIRE_GALOIS_KEYS = 7,
} rs_wire_kind_t;

// What the first bytes of an object tell.
typedef struct rs_wire_info {
    rs_wire_kind_t kind;
    uint8_t version_major;
    uint8_t version_minor;
    rs_compression_t compression;
    uint64_t total_bytes;    // bytes of the file, as its header says
    uint8_t scheme;          // params: 1 BFV, 2 CKKS, 3 BGV
    uint8_t parms_id[RS_PARMS_ID_BYTES];
    uint64_t n;              // 0 where the object does not say (plaintext without context)
    uint64_t limb_count;     // 0 where unknown
    uint64_t poly_count;
    uint64_t words;          // coefficient words stored
    uint32_t ntt;            // in NTT form
    uint32_t seeded;
    double scale;
    uint64_t entries;        // key-switching keys
} rs_wire_info_t;

// The caller's; its members are private. Do not move it between open and close.
typedef struct rs_wire_reader {
    rs_source_t source;
    const rs_codec_t *codec;
    void *codec_state;
    uint64_t members_left;     // uncompressed member bytes still to come; UINT64_MAX if only the codec knows
    uint64_t words;            // still to come: words of the open object or component,
    uint64_t entries;          // entries,
    uint64_t components;       // components of the open entry
    uint32_t components_full;  // components of an entry that is not empty; 0: any number (no context)
    uint32_t n;                // N of the open object or component, as checked
    uint32_t poly_count;
    uint32_t limb_count;
    uint32_t seeded;
    uint32_t checked;          // against a context
    uint32_t stage;
    uint32_t peek_bytes;       // first member bytes, kept for rs_wire_info
    uint32_t peek_position;
    uint8_t peek[192];
    rs_wire_info_t info;
    rs_status_t failed;        // first error; every later call returns it
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

// Plaintext: `begin` fills in the descriptor (form NTT; checked against the context), the caller sets plaintext->ntt to
// limb_count * N words, `words` reads and checks them. A secret key the same way.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_plaintext_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                              rs_plaintext_t *plaintext);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_plaintext_words(rs_wire_reader_t *reader, const rs_context_t *context,
                                                              rs_plaintext_t *plaintext);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_secret_key_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                               rs_secret_key_t *key);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_secret_key_words(rs_wire_reader_t *reader, const rs_context_t *context,
                                                               rs_secret_key_t *key);

// Ciphertext or public key: after `begin` the caller sets ciphertext->data to rs_ciphertext_words() words. public_key: 1 demands key
// level and scale 1, 0 a data level. The seed comes after the words and is filled in by `words`. context NULL (both calls):
// structure only, words pass unchecked; their number is in rs_wire_info.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_ciphertext_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                               int public_key, rs_ciphertext_t *ciphertext);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_ciphertext_words(rs_wire_reader_t *reader, const rs_context_t *context,
                                                               rs_ciphertext_t *ciphertext);

// Key-switching keys: begin, then entry by entry its component count, each component by the two functions that follow. context NULL:
// structure only, as above.
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_kswitch_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                            uint64_t *entries);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_kswitch_entry(rs_wire_reader_t *reader, uint64_t *components);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_kswitch_component_begin(rs_wire_reader_t *reader, const rs_context_t *context,
                                                                      rs_ciphertext_t *component);
RS_API RS_MUST_CHECK rs_status_t rs_wire_read_kswitch_component_words(rs_wire_reader_t *reader, const rs_context_t *context,
                                                                      rs_ciphertext_t *component);

// Copies one object of any kind under other options (version, compression) without needing parameters: re-heads a foreign file.
// Structure is checked, residues are passed through, and so are BFV and BGV objects. RS_ERR_VERSION if the object cannot be said in the
// wanted version (a correction factor other than 1). Key-switching keys whose size is not known beforehand (read compressed, or
// between 3.x and 4.x) need a sink that can patch: RS_ERR_COMPRESSION. buffer: scratch of buffer_bytes >= 4096. Close the reader after.
RS_API RS_MUST_CHECK rs_status_t rs_wire_convert(rs_wire_reader_t *reader, const rs_sink_t *sink, const rs_wire_options_t *options,
                                                 uint8_t *buffer, size_t buffer_bytes);

#ifdef __cplusplus
}
#endif

#endif
