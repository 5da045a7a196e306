// SPDX-License-Identifier: Apache-2.0
// Keys, encoding, encryption of all kinds, decryption and decoding on fixed seeds and values, over sets of one to seven limbs, odd and
// even log2 N, and messages of one or several words; ML-KEM's three sets, NewHope and BLISS. Freestanding, like the core.
#include "trace.h"

#include <ringside/golden.h>
#include <ringside/mldsa.h>
#include <ringside/mlkem.h>
#include <ringside/research.h>
#include <ringside/wire.h>

#define TRY(expression)                           \
    do {                                          \
        const rs_status_t status_ = (expression); \
        if (status_ != RS_OK) return status_;     \
    } while (0)

enum { HASH_BYTES = 16, VALUE_SPAN = 2000 };

typedef struct trace {
    const trace_output_t *output;
    const char *set;
    uint8_t *memory;
    size_t left;
    const rs_context_t *context;
    size_t n;
    uint32_t limbs;
    uint32_t data_limbs;
    rs_rng_t rng;
    rs_rng_deterministic_t rng_state;
    rs_memory_t workspace;
    double *values;
    double *decoded;
    rs_plaintext_t message;
    rs_plaintext_t decrypted;
    rs_secret_key_t secret;
    rs_ciphertext_t key;
    rs_ciphertext_t ciphertext;
    uint8_t *file;
    size_t file_capacity;
} trace_t;

// Bytes, whatever they mean.
static void report_bytes(const trace_t *t, const char *what, const void *data, size_t bytes) {
    static const char DIGITS[] = "0123456789abcdef";
    uint8_t hash[HASH_BYTES];
    char text[2 * HASH_BYTES + 2];
    rs_blake2b(hash, sizeof hash, data, bytes, NULL, 0);
    for (unsigned i = 0; i < HASH_BYTES; i++) {
        text[2 * i] = DIGITS[hash[i] >> 4];
        text[2 * i + 1] = DIGITS[hash[i] & 15];
    }
    text[2 * HASH_BYTES] = '\n';
    text[2 * HASH_BYTES + 1] = 0;
    t->output->print(t->set);
    t->output->print(" ");
    t->output->print(what);
    t->output->print(" ");
    t->output->print(text);
}

static void little_endian(void *words, size_t bytes) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    uint64_t *word = words;
    for (size_t i = 0; i < bytes / sizeof *word; i++) word[i] = __builtin_bswap64(word[i]);
#else
    (void)words;
    (void)bytes;
#endif
}

// Words or doubles, the lowest byte first on every machine.
static void report(const trace_t *t, const char *what, void *words, size_t bytes) {
    little_endian(words, bytes);
    report_bytes(t, what, words, bytes);
    little_endian(words, bytes);
}

static rs_status_t take(trace_t *t, void *pointer, size_t bytes) {
    void **out = pointer;
    bytes = (bytes + 7) & ~(size_t)7;
    if (bytes > t->left) return RS_ERR_TOO_SMALL;
    *out = t->memory;
    t->memory += bytes;
    t->left -= bytes;
    return RS_OK;
}

static rs_status_t prepare(trace_t *t, const rs_params_t *params) {
    const size_t context_bytes = rs_context_size(params);
    const rs_seed_t seed = {{1, 2, 3}};
    void *context;
    TRY(take(t, &context, context_bytes));
    TRY(rs_context_init(&t->context, RS_REQUEST(rs_context_request_t, .params = params, .security = RS_SECURITY_UNCHECKED,
                                                .memory = {context, context_bytes})));
    t->n = rs_context_n(t->context);
    t->limbs = params->limb_count;
    t->data_limbs = rs_params_data_limbs(params);
    TRY(rs_rng_deterministic(&t->rng, &t->rng_state, &seed, "insecure-deterministic"));
    const size_t words = t->n * sizeof(uint64_t);
    t->workspace.n = rs_encrypt_workspace(RS_REQUEST(rs_encrypt_request_t, .context = t->context, .kind = RS_ENCRYPT_PK));
    TRY(take(t, &t->workspace.p, t->workspace.n));
    TRY(take(t, &t->values, words));
    TRY(take(t, &t->decoded, words));
    TRY(take(t, &t->message.message, words));
    TRY(take(t, &t->decrypted.ntt, t->data_limbs * words));
    TRY(take(t, &t->secret.ntt, t->limbs * words));
    TRY(take(t, &t->key.data, 2 * t->limbs * words));
    TRY(take(t, &t->ciphertext.data, 2 * t->data_limbs * words));
    // the public key's is the longest one
    const rs_ciphertext_t key = {.poly_count = 2, .limb_count = (uint32_t)t->limbs};
    t->file_capacity = (size_t)rs_wire_bytes(
        RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_PUBLIC_KEY, .context = t->context, .ciphertext = &key));
    TRY(take(t, &t->file, t->file_capacity));
    for (uint64_t i = 0; i < t->n; i++) {
        t->values[i] = ((double)(i * i * 7919 % VALUE_SPAN) - VALUE_SPAN / 2) / (VALUE_SPAN / 2);
    }
    // roots, twiddles and FFT tables show in what they transform
    double *re = t->message.message;
    for (size_t i = 0; i < t->n; i++) re[i] = t->values[i];
    rs_fft_forward(t->context, re, re + t->n / 2);
    report(t, "fft", re, words);
    return RS_OK;
}

static rs_status_t keys(trace_t *t) {
    const size_t words = t->limbs * t->n * sizeof(uint64_t);
    TRY(rs_keygen_secret(t->context, &t->secret, &t->rng));
    report(t, "secret-key", t->secret.ntt, words);
    for (uint32_t element = 0; t->limbs > 1 && element <= 3; element += 3) {
        TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .kind = RS_KEY_SWITCH, .element = element, .index = t->limbs / 2 - 1,
                                 .context = t->context, .secret_key = &t->secret, .key = &t->key, .rng = &t->rng,
                                 .workspace = t->workspace)));
        report(t, element ? "galois-key" : "relin-key", t->key.data, 2 * words);
    }
    TRY(rs_keygen(RS_REQUEST(rs_keygen_request_t, .seed_type = RS_SEED_BLAKE2XB, .context = t->context, .secret_key = &t->secret,
                             .key = &t->key, .rng = &t->rng, .workspace = t->workspace)));
    report(t, "public-key", t->key.data, 2 * words);
    return RS_OK;
}

static rs_status_t decrypt(trace_t *t, const rs_ciphertext_t *ciphertext) {
    rs_decrypt_item_t item = {.ciphertext = ciphertext, .plaintext = &t->decrypted};
    return rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = t->context, .secret_key = &t->secret, .items = &item, .count = 1,
                                 .workspace = t->workspace));
}

static rs_status_t encrypt_message(trace_t *t, uint32_t kind, uint32_t seeded) {
    rs_encrypt_item_t item = {.plaintext = &t->message, .ciphertext = &t->ciphertext};
    return rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .seeded = seeded, .seed_type = seeded ? RS_SEED_BLAKE2XB : 0,
                                 .context = t->context, .secret_key = kind ? NULL : &t->secret, .public_key = kind ? &t->key : NULL,
                                 .items = &item, .count = 1, .rng = &t->rng, .workspace = t->workspace));
}

static rs_status_t open_ciphertext(trace_t *t, const char *what) {
    const uint32_t limbs = t->ciphertext.limb_count;
    const size_t words = limbs * t->n * sizeof(uint64_t);
    report(t, what, t->ciphertext.data, (t->ciphertext.seeded ? 1 : 2) * words);
    TRY(decrypt(t, &t->ciphertext));
    report(t, "decrypt", t->decrypted.ntt, words);
    TRY(rs_decode(RS_REQUEST(rs_decode_request_t, .context = t->context, .plaintext = &t->decrypted, .values = t->decoded,
                             .count = (uint32_t)t->n / 2, .layout = &(const rs_layout_t){.is_complex = 1},
                             .workspace = t->workspace)));
    report(t, "decode", t->decoded, t->n * sizeof(double));
    return RS_OK;
}

static rs_status_t encrypt(trace_t *t, double scale, uint32_t limbs) {
    for (int is_complex = 0; limbs == 1 && is_complex < 2; is_complex++) {
        TRY(rs_encode(RS_REQUEST(rs_encode_request_t, .context = t->context, .values = t->values, .count = (uint32_t)t->n / 2,
                                 .words = 1, .layout = &(const rs_layout_t){.is_complex = (uint32_t)is_complex}, .scale = scale,
                                 .limb_count = limbs, .plaintext = &t->message)));
        report(t, is_complex ? "encode-words" : "encode-real-words", t->message.message, t->n * sizeof(int64_t));
    }
    TRY(rs_encode(RS_REQUEST(rs_encode_request_t, .context = t->context, .values = t->values, .count = (uint32_t)t->n / 2,
                             .layout = &(const rs_layout_t){.is_complex = 1}, .scale = scale, .limb_count = limbs,
                             .plaintext = &t->message)));
    report(t, "encode", t->message.message, t->n * sizeof(double));
    for (uint32_t seeded = 0; seeded < 2; seeded++) {
        TRY(encrypt_message(t, RS_ENCRYPT_SK, seeded));
        TRY(open_ciphertext(t, seeded ? "encrypt-sk-seeded" : "encrypt-sk"));
    }
    for (uint32_t kind = RS_ENCRYPT_PK; kind <= RS_ENCRYPT_PK_DIRECT; kind++) {
        TRY(encrypt_message(t, kind, 0));
        TRY(open_ciphertext(t, kind == RS_ENCRYPT_PK ? "encrypt-pk" : "encrypt-pk-direct"));
    }
    return RS_OK;
}

// One SEAL file of what the last encryption left, into t->file; its length.
static rs_status_t write_file(trace_t *t, uint32_t kind, size_t *bytes) {
    rs_sink_t sink;
    rs_memory_sink_t memory;
    const rs_wire_write_request_t request = {
        .size = sizeof request,
        .kind = kind,
        .context = t->context,
        .sink = &sink,
        .plaintext = &t->message, // in coefficients: transformed on the way
        .ciphertext = kind == RS_WIRE_PUBLIC_KEY ? &t->key : &t->ciphertext,
        .secret_key = &t->secret,
        .workspace = t->workspace,
    };
    rs_sink_to_memory(&sink, &memory, t->file, t->file_capacity);
    const rs_status_t status = kind == RS_WIRE_SECRET_KEY ? rs_wire_write_secret_key(&request) : rs_wire_write(&request);
    *bytes = memory.bytes;
    return status;
}

// The ciphertext of a file, decrypted.
static rs_status_t read_ciphertext(trace_t *t, size_t bytes) {
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
    rs_ciphertext_t read = {.data = t->ciphertext.data};
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_CIPHERTEXT, .ciphertext = &read};
    const size_t words = t->ciphertext.limb_count * t->n * sizeof(uint64_t);
    for (size_t i = 0; i < words; i++) ((uint8_t *)read.data)[i] = 0;
    rs_source_from_memory(&source, &memory, t->file, bytes);
    rs_status_t status = rs_wire_open(&reader, &source, NULL);
    if (status == RS_OK) status = rs_wire_read_begin(&reader, t->context, &target);
    if (status == RS_OK) status = rs_wire_read_words(&reader, &target);
    const rs_status_t end = rs_wire_close(&reader, status == RS_OK);
    if (status == RS_OK) status = end;
    if (status != RS_OK) return status;
    TRY(decrypt(t, &read));
    report(t, "read-decrypt", t->decrypted.ntt, words);
    return RS_OK;
}

static rs_status_t files(trace_t *t) {
    static const struct {
        const char *name;
        uint32_t kind;
    } FILES[] = {{"parameters", RS_WIRE_PARAMS},
                 {"secret-key", RS_WIRE_SECRET_KEY},
                 {"public-key", RS_WIRE_PUBLIC_KEY},
                 {"plaintext", RS_WIRE_PLAINTEXT},
                 {"ciphertext", RS_WIRE_CIPHERTEXT}};
    size_t bytes = 0;
    // with a seed, which the public key's file lacks
    TRY(encrypt_message(t, RS_ENCRYPT_SK, 1));
    for (size_t i = 0; i < sizeof FILES / sizeof FILES[0]; i++) {
        TRY(write_file(t, FILES[i].kind, &bytes));
        report_bytes(t, FILES[i].name, t->file, bytes);
        if (t->output->save) TRY(t->output->save(t->output->state, t->set, FILES[i].name, t->file, bytes));
    }
    return read_ciphertext(t, bytes);
}

// ML-KEM: a pair, a ciphertext, its secret and that of a damaged one.
static rs_status_t encapsulate(const trace_output_t *output, uint8_t *memory) {
    static const rs_mlkem_set_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    static const char *const NAMES[] = {"mlkem-512", "mlkem-768", "mlkem-1024"};
    static const uint8_t SEED[RS_MLKEM_SEED_BYTES] = {3, 1, 4}, M[RS_MLKEM_RANDOM_BYTES] = {1, 5, 9};
    uint8_t *workspace = memory, *ek = workspace + RS_MLKEM_WORKSPACE_MAX, *dk = ek + RS_MLKEM_EK_BYTES_MAX;
    uint8_t *ct = dk + RS_MLKEM_DK_BYTES_MAX, *shared = ct + RS_MLKEM_CT_BYTES_MAX;
    for (unsigned i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        const trace_t t = {.output = output, .set = NAMES[i]};
        const rs_mlkem_set_t set = SETS[i];
        const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
        const rs_memory_t room = {workspace, sizes->workspace};
        TRY(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {ek, sizes->ek}, .dk = {dk, sizes->dk},
                                       .seed = {SEED, sizeof SEED}, .workspace = room)));
        report_bytes(&t, "encapsulation-key", ek, sizes->ek);
        report_bytes(&t, "decapsulation-key", dk, sizes->dk);
        TRY(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {ek, sizes->ek}, .ct = {ct, sizes->ct},
                                       .shared = {shared, RS_MLKEM_SHARED_BYTES}, .m = {M, sizeof M}, .workspace = room)));
        report_bytes(&t, "ciphertext", ct, sizes->ct);
        report_bytes(&t, "encaps", shared, RS_MLKEM_SHARED_BYTES);
        for (unsigned damaged = 0; damaged < 2; damaged++) {
            ct[sizes->ct / 2] ^= (uint8_t)damaged;
            TRY(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {dk, sizes->dk}, .ct = {ct, sizes->ct},
                                           .shared = {shared, RS_MLKEM_SHARED_BYTES}, .workspace = room)));
            report_bytes(&t, damaged ? "rejection" : "decaps", shared, RS_MLKEM_SHARED_BYTES);
        }
    }
    return RS_OK;
}

// NewHope: an exchange by both rules of Parse.
static rs_status_t exchange(const trace_output_t *output, uint8_t *memory) {
    static const uint8_t SEEDS[3][RS_NEWHOPE_SEED_BYTES] = {{2, 7}, {1, 8}, {2, 8}};
    const trace_t t = {.output = output, .set = "newhope-1024"};
    const rs_research_sizes_t *sizes = rs_newhope_sizes();
    uint8_t *workspace = memory + sizes->memory / 8 * 8 + 8, *server = workspace + sizes->workspace;
    uint8_t *secret = server + RS_NEWHOPE_SERVER_BYTES, *client = secret + RS_NEWHOPE_SECRET_BYTES;
    uint8_t *shared = client + RS_NEWHOPE_CLIENT_BYTES;
    const rs_memory_t room = {workspace, sizes->workspace};
    const rs_view_t from_server = {server, RS_NEWHOPE_SERVER_BYTES}, from_client = {client, RS_NEWHOPE_CLIENT_BYTES};
    for (int parse = RS_NEWHOPE_PARSE_USENIX; parse <= RS_NEWHOPE_PARSE_5Q; parse++) {
        const rs_newhope_t *scheme;
        TRY(rs_newhope_init(&scheme, (rs_memory_t){memory, sizes->memory}, (uint32_t)parse, RS_NEWHOPE_STREAM_CHACHA20,
                            "research-only"));
        TRY(rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = scheme,
                                         .message = {server, RS_NEWHOPE_SERVER_BYTES}, .secret = {secret, RS_NEWHOPE_SECRET_BYTES},
                                         .seed = {SEEDS[0], sizeof SEEDS[0]}, .noise_seed = {SEEDS[1], sizeof SEEDS[1]},
                                         .workspace = room)));
        report_bytes(&t, "server", server, RS_NEWHOPE_SERVER_BYTES);
        TRY(rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = scheme, .server_message = from_server,
                                         .message = {client, RS_NEWHOPE_CLIENT_BYTES}, .shared = {shared, RS_NEWHOPE_SHARED_BYTES},
                                         .noise_seed = {SEEDS[2], sizeof SEEDS[2]}, .workspace = room)));
        report_bytes(&t, "client", client, RS_NEWHOPE_CLIENT_BYTES);
        TRY(rs_newhope_shared(scheme, (rs_bytes_t){shared, RS_NEWHOPE_SHARED_BYTES}, from_client,
                              (rs_view_t){secret, RS_NEWHOPE_SECRET_BYTES}, room));
        report_bytes(&t, "shared", shared, RS_NEWHOPE_SHARED_BYTES);
    }
    return RS_OK;
}

// BLISS: a pair, and a signature that is verified.
static rs_status_t sign_bliss(const trace_output_t *output, uint8_t *memory) {
    static const uint8_t MESSAGE[] = {3, 1, 4, 1, 5};
    static const rs_seed_t SEED = {{9, 2, 6}};
    const trace_t t = {.output = output, .set = "bliss-bi"};
    const rs_research_sizes_t *sizes = rs_bliss_sizes();
    uint8_t *workspace = memory + sizes->memory / 8 * 8 + 8, *public_key = workspace + sizes->workspace;
    uint8_t *secret_key = public_key + RS_BLISS_PUBLIC_BYTES, *signature = secret_key + RS_BLISS_SECRET_BYTES;
    const rs_bliss_t *scheme;
    const rs_memory_t room = {workspace, sizes->workspace};
    const rs_view_t seed = {SEED.bytes, sizeof SEED}, message = {MESSAGE, sizeof MESSAGE};
    TRY(rs_bliss_init(&scheme, (rs_memory_t){memory, sizes->memory}, "research-only"));
    TRY(rs_bliss_keygen(RS_REQUEST(rs_bliss_keygen_request_t, .scheme = scheme, .public_key = {public_key, RS_BLISS_PUBLIC_BYTES},
                                   .secret_key = {secret_key, RS_BLISS_SECRET_BYTES}, .seed = seed, .workspace = room)));
    TRY(rs_bliss_sign(RS_REQUEST(rs_bliss_sign_request_t, .scheme = scheme, .secret_key = {secret_key, RS_BLISS_SECRET_BYTES},
                                 .message = message, .signature = {signature, RS_BLISS_SIGNATURE_BYTES}, .seed = seed,
                                 .workspace = room)));
    TRY(rs_bliss_verify(scheme, (rs_view_t){signature, RS_BLISS_SIGNATURE_BYTES}, message,
                        (rs_view_t){public_key, RS_BLISS_PUBLIC_BYTES}, room));
    report_bytes(&t, "sign-derand", signature, RS_BLISS_SIGNATURE_BYTES);
    report_bytes(&t, "pair", secret_key, RS_BLISS_SECRET_BYTES);
    return RS_OK;
}

// ML-DSA: a pair, a signature of several rounds with A made anew and one with A kept, and their verification.
static rs_status_t sign(const trace_output_t *output, uint8_t *memory) {
    static const rs_mldsa_set_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    static const char *const NAMES[] = {"mldsa-44", "mldsa-65", "mldsa-87"};
    static const uint8_t XI[RS_MLDSA_SEED_BYTES] = {3, 1, 4}, RND[RS_MLDSA_RANDOM_BYTES] = {1, 5, 9}, MESSAGE[] = "a message";
    uint8_t *pk = memory, *sk = pk + RS_MLDSA_PK_BYTES_MAX, *signature = sk + RS_MLDSA_SK_BYTES_MAX;
    uint8_t *workspace = memory + 16384;
    for (unsigned i = 0; i < sizeof SETS / sizeof *SETS; i++) {
        const trace_t t = {.output = output, .set = NAMES[i]};
        const rs_mldsa_set_t set = SETS[i];
        const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
        const rs_memory_t rooms[] = {{workspace, sizes->workspace}, {workspace, sizes->fast_workspace}};
        const rs_view_t secret_key = {sk, sizes->sk};
        TRY(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pk, sizes->pk}, .sk = {sk, sizes->sk},
                                       .seed = {XI, sizeof XI}, .workspace = rooms[0])));
        TRY(rs_mldsa_public_key(set, (rs_bytes_t){NULL, 0}, secret_key, rooms[0]));
        report_bytes(&t, "verification-key", pk, sizes->pk);
        report_bytes(&t, "signing-key", sk, sizes->sk);
        rs_mldsa_verify_request_t verify = {.size = sizeof verify,
                                            .set = set,
                                            .pk = {pk, sizes->pk},
                                            .message.bytes = {MESSAGE, sizeof MESSAGE},
                                            .signature = {signature, sizes->signature},
                                            .workspace = rooms[0]};
        for (uint8_t fast = 0; fast < 2; fast++) {
            verify.message.context = (rs_view_t){&fast, 1};
            TRY(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_GIVEN, .sk = secret_key,
                                         .message = verify.message, .signature = {signature, sizes->signature},
                                         .rnd = {RND, sizeof RND}, .workspace = rooms[fast])));
            report_bytes(&t, "sign", signature, sizes->signature);
            TRY(rs_mldsa_verify(&verify));
        }
        signature[sizes->signature / 2] ^= 1;
        verify.message.context = (rs_view_t){NULL, 0};
        if (rs_mldsa_verify(&verify) != RS_ERR_SIGNATURE) return RS_ERR_SELFTEST;
    }
    return RS_OK;
}

rs_status_t trace_run(const trace_output_t *output, void *memory) {
    static const char *const SETS[] = {"wide-1024", "seal-embedded-1024", "seal-embedded-2048", "lee-12", "lee-13", "aloha-8192"};
    static const uint32_t WIDE_BITS[] = {50, 40, 45, 36}; // coefficients of several words at a small N
    const double wide_scale = 1180591620717411303424.0; // 2^70: coefficients of several words
    TRY(encapsulate(output, memory));
    TRY(exchange(output, memory));
    TRY(sign_bliss(output, memory));
    TRY(sign(output, memory));
    for (unsigned i = 0; i < TRACE_SETS && i < sizeof SETS / sizeof SETS[0]; i++) {
        rs_params_t params;
        trace_t t = {.output = output, .set = SETS[i], .memory = memory, .left = TRACE_MEMORY_BYTES};
        if (i == 0) {
            TRY(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .n = 1024, .bits = WIDE_BITS,
                                                   .limb_count = sizeof WIDE_BITS / sizeof WIDE_BITS[0],
                                                   .security = RS_SECURITY_UNCHECKED)));
        } else {
            TRY(rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = t.set, .security = RS_SECURITY_UNCHECKED)));
        }
        TRY(prepare(&t, &params));
        TRY(keys(&t));
        TRY(encrypt(&t, 262144.0, 1));
        if (t.data_limbs > 1) TRY(encrypt(&t, 1073741824.0, t.data_limbs));
        if (rs_params_total_bits(&params, t.data_limbs) > 80) TRY(encrypt(&t, wide_scale, t.data_limbs));
        TRY(files(&t));
    }
    return RS_OK;
}
