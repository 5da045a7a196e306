// SPDX-License-Identifier: Apache-2.0
// The library as a C program calls it: all memory is the caller's and used again. Protocol: tests/bench/peers/__init__.py.
#include <math.h>
#include <ringside/ringside.h>

#include "../worker.h"

enum { FRAMES = 16, THREADS_MAX = 2 };

typedef struct client {
    worker_set_t set;
    rs_params_t params;
    const rs_context_t *context;
    void *context_memory, *other_context_memory;
    size_t context_bytes;
    size_t limbs;           // limbs of a fresh ciphertext
    uint32_t few_limbs;     // enough for values up to 1
    rs_encryption_t kind;
    rs_rng_t rng;
    rs_secret_key_t secret, other_secret;
    rs_ciphertext_t public, other_public, component;
    rs_plaintext_t message, decrypted;
    rs_ciphertext_t fresh, low, seeded, loaded;
    double *values, *decoded; // int64_t in BFV and BGV
    uint32_t count;         // how many values
    rs_memory_t workspace;
    uint8_t *file;
    size_t file_capacity, file_bytes;
    rs_encrypt_item_t items[FRAMES];
    rs_ciphertext_t ciphertexts[FRAMES];
    rs_memory_t batch_workspace;
} client_t;

static client_t client;
static uint64_t *transform_words;
static uint32_t transform_limb;

static void *allocate(size_t bytes) {
    void *memory = aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!memory) {
        fprintf(stderr, "no memory for %zu bytes\n", bytes);
        exit(1);
    }
    return memory;
}

static uint64_t *allocate_limbs(size_t limbs) { return allocate(limbs * client.set.n * sizeof(uint64_t)); }

static rs_ciphertext_t allocate_ciphertext(size_t limbs) { return (rs_ciphertext_t){.data = allocate_limbs(2 * limbs)}; }

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

#define OPERATION(name, call) \
    static int op_##name(void) { return call; }

// ---- operations ---------------------------------------------------------------------------------------------------------
static int make_context(const rs_context_t **context, void *memory) {
    return (int)rs_context_init(context, RS_REQUEST(rs_context_request_t, .params = &client.params,
                                                    .security = RS_SECURITY_UNCHECKED, .memory = {memory, client.context_bytes}));
}

static int op_context(void) {
    const rs_context_t *context;
    return make_context(&context, client.other_context_memory);
}

static int make_keys(rs_secret_key_t *secret, rs_ciphertext_t *public) {
    const rs_status_t status = rs_keygen_secret(client.context, secret, &client.rng);
    if (status != RS_OK) return (int)status;
    return (int)rs_keygen(RS_REQUEST(rs_keygen_request_t, .context = client.context, .secret_key = secret, .key = public,
                                     .rng = &client.rng, .workspace = client.workspace));
}

OPERATION(keygen, make_keys(&client.other_secret, &client.other_public))

static int make_component(uint32_t element, uint32_t index) {
    return (int)rs_keygen(RS_REQUEST(rs_keygen_request_t, .kind = RS_KEY_SWITCH, .element = element, .index = index, .seeded = 1,
                                     .context = client.context, .secret_key = &client.secret, .key = &client.component,
                                     .rng = &client.rng, .workspace = client.workspace));
}

// All components of one key, one after the other in the same memory, as they are written to a file.
static int make_switch_key(uint32_t element) {
    for (uint32_t index = 0; index < client.limbs; index++) {
        const int failed = make_component(element, index);
        if (failed) return failed;
    }
    return 0;
}

static int op_evaluation_keys(void) {
    uint32_t elements[64] = {0}; // the first is s^2: relinearisation
    const uint32_t count = 1 + rs_galois_powers_of_two(client.context, elements + 1, 63);
    for (uint32_t i = 0; i < count; i++) {
        const int failed = make_switch_key(elements[i]);
        if (failed) return failed;
    }
    return 0;
}

static rs_status_t drop(void *state, const uint8_t *data, size_t bytes) {
    (void)state;
    (void)data;
    (void)bytes;
    return RS_OK;
}

static const rs_sink_t NOWHERE = {.write = drop};

// A file of Galois keys: six, or of a large ring one.
enum { KEY_FILE_KEYS = 6 };
static const uint32_t KEY_FILE_ELEMENTS[KEY_FILE_KEYS] = {3, 5, 7, 9, 11, 13};

static uint32_t key_file_count(void) { return client.params.log_n > 15 ? 1 : KEY_FILE_KEYS; }

// Uncompressed, its components made in memory.
static int op_key_file(void) {
    rs_wire_writer_t writer;
    const uint32_t rows = (uint32_t)client.limbs, count = key_file_count();
    rs_status_t status = rs_wire_writer_open(
        &writer, RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_GALOIS_KEYS, .context = client.context, .sink = &NOWHERE,
                            .entries = (uint32_t)client.set.n, .components = count * rows, .seeded = 1));
    for (uint32_t entry = 0, next = 0; status == RS_OK && entry < client.set.n; entry++) {
        const int filled = next < count && KEY_FILE_ELEMENTS[next] == 2 * entry + 1;
        status = rs_wire_writer_entry(&writer, filled ? rows : 0);
        for (uint32_t index = 0; filled && status == RS_OK && index < rows; index++) {
            status = (rs_status_t)make_component(2 * entry + 1, index);
            if (status == RS_OK) status = rs_wire_writer_component(&writer, &client.component);
        }
        next += (uint32_t)filled;
    }
    const rs_status_t closed = rs_wire_writer_close(&writer, NULL);
    return (int)(status == RS_OK ? closed : status);
}

// The same streamed, in the memory that the bars allow, with the secret key's part beside.
static int stream_keys(const uint64_t *secret) {
    const uint32_t log_n = client.params.log_n;
    const size_t room = (size_t)3 << (log_n > 15 ? 21 : 20), least = RS_KEYS_STREAM_BYTES(log_n);
    const size_t most = least + ((size_t)RS_KEYS_STREAM_LIMB_N_BYTES * client.params.limb_count << log_n);
    static rs_memory_t memory;
    rs_seed_t master;
    rs_rng_t rng;
    if (!memory.p) {
        memory.n = larger(least, room < most ? room : most);
        memory.p = allocate(memory.n);
    }
    rs_rng_os(&rng);
    rs_status_t status = rng.fill(rng.state, master.bytes, sizeof master);
    if (status == RS_OK) {
        status = rs_keys_stream(RS_REQUEST(rs_keys_stream_request_t, .kind = RS_WIRE_GALOIS_KEYS, .count = key_file_count(),
                                           .elements = KEY_FILE_ELEMENTS, .params = &client.params, .secret = secret,
                                           .master = &master, .sink = &NOWHERE, .memory = memory));
    }
    return (int)status;
}

OPERATION(key_file_streamed, stream_keys(client.secret.ntt))

// All that a device keeps for it: parameters, the key modulo the first prime, the memory.
static int op_stream_session(void) {
    rs_params_t first = client.params;
    first.limb_count = 1;
    const size_t bytes = rs_context_size(&first);
    void *memory = allocate(bytes);
    rs_secret_key_t secret = {.ntt = allocate_limbs(1)};
    const rs_context_t *context;
    rs_rng_os(&client.rng);
    rs_status_t status = rs_context_init(
        &context, RS_REQUEST(rs_context_request_t, .params = &first, .security = RS_SECURITY_UNCHECKED, .memory = {memory, bytes}));
    if (status == RS_OK) status = rs_keygen_secret(context, &secret, &client.rng);
    free(memory);
    return status == RS_OK ? stream_keys(secret.ntt) : (int)status;
}

static int encode(uint32_t limbs) {
    return (int)rs_encode(RS_REQUEST(rs_encode_request_t, .context = client.context, .values = client.values, .count = client.count,
                                     .scale = client.set.scale, .limb_count = limbs, .plaintext = &client.message));
}

// To NTT form, where SEAL's encode ends.
static int op_encode(void) {
    int failed = encode((uint32_t)client.limbs);
    for (uint32_t limb = 0; limb < client.limbs && !failed; limb++) {
        failed = (int)rs_plaintext_limb(client.context, &client.message, limb, client.decrypted.ntt + limb * client.set.n);
    }
    return failed;
}

static rs_encrypt_item_t item_of(uint32_t limbs, rs_ciphertext_t *out) {
    return (rs_encrypt_item_t){
        .values = client.values, .count = client.count, .scale = client.set.scale, .limb_count = limbs, .ciphertext = out};
}

static rs_encrypt_request_t encryption_of(rs_encrypt_item_t *items, size_t count, uint32_t kind) {
    return (rs_encrypt_request_t){.size = sizeof(rs_encrypt_request_t),
                                  .kind = kind,
                                  .seeded = kind == RS_ENCRYPT_SK,
                                  .context = client.context,
                                  .secret_key = kind == RS_ENCRYPT_SK ? &client.secret : NULL,
                                  .public_key = kind == RS_ENCRYPT_SK ? NULL : &client.public,
                                  .items = items,
                                  .count = count,
                                  .rng = &client.rng,
                                  .workspace = client.workspace};
}

static int encrypt(uint32_t kind, uint32_t limbs, rs_ciphertext_t *out) {
    rs_encrypt_item_t item = item_of(limbs, out);
    const rs_encrypt_request_t request = encryption_of(&item, 1, kind);
    return (int)rs_encrypt(&request);
}

OPERATION(encode_encrypt_pk, encrypt(client.kind, (uint32_t)client.limbs, &client.fresh))
OPERATION(encode_encrypt_sk_seeded, encrypt(RS_ENCRYPT_SK, (uint32_t)client.limbs, &client.seeded))

static rs_decrypt_item_t result_of(const rs_ciphertext_t *ciphertext, uint32_t limbs) {
    return (rs_decrypt_item_t){.ciphertext = ciphertext, .values = client.decoded, .count = client.count, .limb_count = limbs};
}

static int decrypt_decode(const rs_ciphertext_t *ciphertext, uint32_t limbs) {
    rs_decrypt_item_t item = result_of(ciphertext, limbs);
    return (int)rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .context = client.context, .secret_key = &client.secret, .items = &item,
                                      .count = 1, .workspace = client.workspace));
}

OPERATION(decrypt_decode_1limb, decrypt_decode(&client.low, 1))
OPERATION(decrypt_decode_full, decrypt_decode(&client.fresh, client.fresh.limb_count))
// The phase of a fresh ciphertext of BGV, message and noise, is below half of the first modulus.
OPERATION(decrypt_decode_few, decrypt_decode(&client.fresh, 1))
OPERATION(decrypt_decode_max_abs, decrypt_decode(&client.fresh, client.few_limbs))

// Noise of 2^40 is added; the operation has a workspace of its own, because sessions, whose memory is measured, do without it.
static int op_decrypt_decode_flooded(void) {
    static rs_memory_t workspace;
    rs_decrypt_item_t item = result_of(&client.low, 1);
    rs_decrypt_request_t request = {.size = sizeof request,
                                    .context = client.context,
                                    .secret_key = &client.secret,
                                    .items = &item,
                                    .count = 1,
                                    .publish = &(rs_publish_t){.bits = 20, .flood_bits = 40},
                                    .rng = &client.rng};
    if (!workspace.p) {
        workspace.n = rs_decrypt_workspace(&request);
        workspace.p = allocate(workspace.n);
    }
    request.workspace = workspace;
    return (int)rs_decrypt(&request);
}

static int save(const rs_ciphertext_t *ciphertext) {
    rs_sink_t sink;
    rs_memory_sink_t memory;
    const rs_wire_format_t format = {.compression = RS_COMPRESSION_ZSTD, .codec = rs_host_codec()};
    rs_sink_to_memory(&sink, &memory, client.file, client.file_capacity);
    const rs_status_t status =
        rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_CIPHERTEXT, .context = client.context, .sink = &sink,
                                 .format = format, .ciphertext = ciphertext));
    client.file_bytes = memory.bytes;
    return (int)status;
}

// SEAL's load expands the seed; so that both end with the same, this one does too.
static int load(void) {
    rs_source_t source;
    rs_memory_source_t memory;
    rs_wire_reader_t reader;
    rs_source_from_memory(&source, &memory, client.file, client.file_bytes);
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_CIPHERTEXT, .ciphertext = &client.loaded};
    rs_status_t status = rs_wire_open(&reader, &source, rs_host_codec());
    if (status == RS_OK) status = rs_wire_read_begin(&reader, client.context, &target);
    if (status == RS_OK) status = rs_wire_read_words(&reader, &target);
    const rs_status_t closed = rs_wire_close(&reader, status == RS_OK);
    if (status == RS_OK) status = closed;
    return (int)(status == RS_OK ? rs_expand(client.context, &client.loaded) : status);
}

static int op_save_load_seeded(void) {
    const int failed = save(&client.seeded);
    return failed ? failed : load();
}

// A cell of a table.
static int op_encode_encrypt_save(void) {
    const int failed = op_encode_encrypt_pk();
    return failed ? failed : save(&client.fresh);
}

// The same frame sixteen times, by the public key. Threads begin and end with the batch: they take the affinity of their moment.
static int encrypt_batch(uint32_t threads) {
    rs_pool_t pool;
    const rs_status_t created = rs_pool_create(&pool, threads);
    if (created != RS_OK) return (int)created;
    rs_encrypt_request_t request = encryption_of(client.items, FRAMES, client.kind);
    request.workspace = client.batch_workspace;
    const rs_status_t status = rs_encrypt_batch(&request, &pool);
    rs_pool_destroy(&pool);
    return (int)status;
}

static int prepare_batch(void) {
    if (client.batch_workspace.p) return 0;
    for (size_t i = 0; i < FRAMES; i++) {
        client.ciphertexts[i] = allocate_ciphertext(client.limbs);
        client.items[i] = item_of((uint32_t)client.limbs, &client.ciphertexts[i]);
    }
    const rs_pool_t widest = {.threads = THREADS_MAX};
    const rs_encrypt_request_t request = encryption_of(client.items, FRAMES, client.kind);
    client.batch_workspace.n = rs_encrypt_batch_workspace(&request, &widest);
    client.batch_workspace.p = allocate(client.batch_workspace.n);
    return 0;
}

OPERATION(batch_one_thread, encrypt_batch(1))
OPERATION(batch_two_threads, encrypt_batch(2))

static int op_ntt_forward(void) {
    rs_plan_forward(rs_context_plan(client.context, transform_limb), transform_words);
    return 0;
}

static int op_ntt_inverse(void) {
    rs_plan_inverse(rs_context_plan(client.context, transform_limb), transform_words);
    return 0;
}

// ---- set-up -------------------------------------------------------------------------------------------------------------
static int start(const worker_set_t *set) {
    memset(&client, 0, sizeof client);
    client.set = *set;
    const rs_status_t status =
        rs_params_init(&client.params, RS_REQUEST(rs_params_request_t, .n = (uint32_t)set->n, .moduli = set->moduli,
                                                  .limb_count = (uint32_t)set->modulus_count, .scheme = (uint32_t)set->scheme,
                                                  .plain_modulus = set->plain_modulus, .security = RS_SECURITY_UNCHECKED));
    if (status != RS_OK) return (int)status;
    client.count = (uint32_t)(set->plain_modulus ? set->n : set->n / 2);
    client.values = allocate(client.count * sizeof(double));
    client.decoded = allocate(client.count * sizeof(double));
    if (set->plain_modulus) {
        client.set.scale = 0;
        worker_integers((int64_t *)(void *)client.values, client.count, set->plain_modulus);
    } else {
        worker_values(client.values, client.count);
    }
    memset(client.decoded, 0, client.count * sizeof(double));
    return 0;
}

static int open_context(void) {
    if (client.context) return 0;
    client.context_bytes = rs_context_size(&client.params);
    client.context_memory = allocate(client.context_bytes);
    return make_context(&client.context, client.context_memory);
}

// What one encryption and one decryption need.
static int open_session(void) {
    const int failed = open_context();
    if (failed) return failed;
    const size_t all = client.params.limb_count;
    client.limbs = rs_params_data_limbs(&client.params);
    client.kind = client.set.direct ? RS_ENCRYPT_PK_DIRECT : RS_ENCRYPT_PK;
    client.few_limbs = rs_limbs_needed(client.context, (uint32_t)client.limbs, client.set.scale, 1.0, 20);
    if (!client.few_limbs) client.few_limbs = (uint32_t)client.limbs;
    rs_rng_os(&client.rng);
    rs_encrypt_item_t item = item_of((uint32_t)client.limbs, NULL);
    rs_decrypt_item_t result = result_of(NULL, (uint32_t)client.limbs);
    const rs_encrypt_request_t by_key[2] = {encryption_of(&item, 1, RS_ENCRYPT_SK), encryption_of(&item, 1, client.kind)};
    size_t bytes = rs_keygen_workspace(RS_REQUEST(rs_keygen_request_t, .context = client.context));
    for (int i = 0; i < 2; i++) bytes = larger(bytes, rs_encrypt_workspace(&by_key[i]));
    bytes = larger(bytes,
                   rs_decrypt_workspace(RS_REQUEST(rs_decrypt_request_t, .context = client.context, .items = &result, .count = 1)));
    client.workspace = (rs_memory_t){allocate(bytes), bytes};
    client.secret.ntt = allocate_limbs(all);
    client.public = allocate_ciphertext(all);
    client.fresh = allocate_ciphertext(client.limbs);
    client.message.message = allocate(client.set.n * sizeof(double));
    client.decrypted.ntt = allocate_limbs(client.limbs);
    return make_keys(&client.secret, &client.public);
}

static int prepare(void) {
    if (client.seeded.data) return 0;
    const int failed = open_session();
    if (failed) return failed;
    const size_t all = client.params.limb_count;
    client.other_context_memory = allocate(client.context_bytes);
    client.other_secret.ntt = allocate_limbs(all);
    client.other_public = allocate_ciphertext(all);
    client.component = allocate_ciphertext(all);
    client.low = allocate_ciphertext(1);
    client.seeded = allocate_ciphertext(client.limbs);
    client.loaded = allocate_ciphertext(client.limbs);
    client.file_capacity = 2 * client.limbs * client.set.n * sizeof(uint64_t) + 65536;
    client.file = allocate(client.file_capacity);
    int status = encrypt(client.kind, 1, &client.low);
    if (!status) status = op_encode_encrypt_pk();
    if (!status) status = op_encode_encrypt_sk_seeded();
    return status ? status : op_save_load_seeded();
}

static int op_session(void) {
    int failed = open_session();
    if (!failed) failed = op_encode_encrypt_pk();
    return failed ? failed : op_decrypt_decode_full();
}

static int check_integers(void) {
    const uint32_t limbs[] = {0, client.set.scheme == 3 ? 1 : 0};
    int wrong = 0;
    for (int way = 0; way < 2; way++) {
        const int failed = decrypt_decode(&client.fresh, limbs[way]);
        if (failed) return failed;
        wrong |= memcmp(client.decoded, client.values, client.count * sizeof *client.values) != 0;
    }
    const int failed = decrypt_decode(&client.seeded, 0);
    if (failed) return failed;
    wrong |= memcmp(client.decoded, client.values, client.count * sizeof *client.values) != 0;
    printf("{\"value\": %d}\n", wrong);
    return 0;
}

static int check(void) {
    const struct {
        const rs_ciphertext_t *ciphertext;
        uint32_t limbs;
    } ways[] = {
        {&client.fresh, client.fresh.limb_count},
        {&client.fresh, client.few_limbs},
        {&client.low, 1},
        {&client.loaded, client.loaded.limb_count},
    };
    double largest = 0;
    for (size_t way = 0; way < sizeof ways / sizeof *ways; way++) {
        const int failed = decrypt_decode(ways[way].ciphertext, ways[way].limbs);
        if (failed) return failed;
        for (size_t i = 0; i < client.set.n / 2; i++) largest = fmax(largest, fabs(client.decoded[i] - client.values[i]));
    }
    printf("{\"value\": %.17g}\n", largest);
    return 0;
}

static int prepare_transform(uint32_t limb) {
    const int failed = open_context();
    if (failed) return failed;
    if (!transform_words) transform_words = allocate_limbs(1);
    transform_limb = limb;
    worker_words(transform_words, client.set.n, client.set.moduli[limb]);
    return 0;
}

static int check_ntt(void) {
    uint64_t digest = WORKER_DIGEST_START;
    uint64_t *before = allocate_limbs(1);
    for (uint32_t limb = 0; limb < client.set.modulus_count; limb++) {
        const int failed = prepare_transform(limb);
        if (failed) return failed;
        memcpy(before, transform_words, client.set.n * sizeof *before);
        op_ntt_forward();
        digest = worker_digest(digest, transform_words, client.set.n);
        op_ntt_inverse();
        if (memcmp(before, transform_words, client.set.n * sizeof *before) != 0) {
            worker_say("error", "the inverse transform does not undo the forward one");
        }
    }
    free(before);
    printf("{\"value\": 0, \"digest\": \"%016llx\"}\n", (unsigned long long)digest);
    return 0;
}

// ---- requests -----------------------------------------------------------------------------------------------------------
static const struct {
    const char *name;
    worker_call_t call;
} OPERATIONS[] = {
    {"context", op_context},
    {"keygen", op_keygen},
    {"evaluation_keys", op_evaluation_keys},
    {"key_file", op_key_file},
    {"key_file_streamed", op_key_file_streamed},
    {"encode", op_encode},
    {"encode_encrypt_pk", op_encode_encrypt_pk},
    {"encode_encrypt_sk_seeded", op_encode_encrypt_sk_seeded},
    {"decrypt_decode_1limb", op_decrypt_decode_1limb},
    {"decrypt_decode_flooded", op_decrypt_decode_flooded},
    {"decrypt_decode_full", op_decrypt_decode_full},
    {"decrypt_decode", op_decrypt_decode_full},
    {"decrypt_decode_few", op_decrypt_decode_few},
    {"decrypt_decode_max_abs", op_decrypt_decode_max_abs},
    {"save_load_seeded", op_save_load_seeded},
    {"encode_encrypt_save", op_encode_encrypt_save},
    {"batch16_threads1", op_batch_one_thread},
    {"batch16_threads2", op_batch_two_threads},
};

static worker_call_t find_operation(const char *name) {
    for (size_t i = 0; i < sizeof OPERATIONS / sizeof *OPERATIONS; i++) {
        if (strcmp(OPERATIONS[i].name, name) == 0) return OPERATIONS[i].call;
    }
    return NULL;
}

// Limb whose modulus has the bits that end the operation's name.
static uint32_t limb_of(const char *op) {
    const uint64_t bits = strtoull(strrchr(op, '_') + 1, NULL, 10);
    for (uint32_t limb = 0; limb < client.set.modulus_count; limb++) {
        if (client.set.moduli[limb] >> (bits - 1) == 1) return limb;
    }
    return 0;
}

static int answer(const worker_request_t *request) {
    const char *op = request->op;
    const int is_forward = strncmp(op, "ntt_forward_", 12) == 0;
    if (strcmp(op, "start") == 0) {
        const int failed = start(&request->set);
        if (!failed) {
            printf("{\"version\": \"Ringside %s\", \"compiler\": \"%s\", \"backend\": \"%s\"}\n", rs_version(), __VERSION__,
                   rs_backend_name());
        }
        return failed;
    }
    if (strcmp(op, "check_ntt") == 0) return check_ntt();
    if (is_forward || strncmp(op, "ntt_inverse_", 12) == 0) {
        const int failed = prepare_transform(limb_of(op));
        if (!failed) worker_time(is_forward ? op_ntt_forward : op_ntt_inverse, request, 0);
        return failed;
    }
    const int streams = strcmp(op, "stream_session") == 0;
    if (streams || strcmp(op, "session") == 0) {
        worker_time(streams ? op_stream_session : op_session, request, 0);
        return 0;
    }
    const worker_call_t call = find_operation(op);
    if (!call && strcmp(op, "check") != 0) {
        worker_say("absent", "the library has no such operation yet");
        return 0;
    }
    int failed = prepare();
    if (!failed && strncmp(op, "batch", 5) == 0) failed = prepare_batch();
    if (failed) return failed;
    if (!call) return client.set.plain_modulus ? check_integers() : check();
    const int saves = call == op_save_load_seeded || call == op_encode_encrypt_save;
    if (saves) failed = call(); // so many bytes
    if (!failed) worker_time(call, request, saves ? client.file_bytes : 0);
    return failed;
}

int main(void) {
    worker_request_t request;
    while (worker_read(&request)) {
        const int failed = answer(&request);
        if (failed) worker_say("error", rs_status_message((rs_status_t)failed));
        fflush(stdout);
    }
    return 0;
}
