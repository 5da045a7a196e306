// SPDX-License-Identifier: Apache-2.0
// How long the library's operations take, in microseconds: the best of many runs. Not a test.
//     time client [SET ...]                  a client's operations, without and with threads, and files; on each back end
//     time exact [SET ...]                   what a client of BFV and BGV does, t of 20 bits; on each back end
//     time values [SET ...]                  encode for values of several kinds, which are secret: the times should not differ
//     time device [N [LIMBS]]                processor time of the accelerator's driver around an operation; its core costs nothing
//     time ntt | samplers | mlkem | mldsa | classic
#define _POSIX_C_SOURCE 200809L
#include <ringside/golden.h>
#include <ringside/regs.h>
#include <string.h>
#include <time.h>

#include "classic_shares.h"
#include "device_calls.h"
#include "ntt_kernels.h"
#include "requests.h"

typedef struct row {
    const char *name;
    void (*run)(void);
} row_t;

#define COUNT(rows) (sizeof rows / sizeof *rows)

static void *taken[64]; // freed when the next client is opened
static unsigned taken_count;

static void *allocate(size_t bytes) {
    if (taken_count == COUNT(taken)) exit(1);
    void *p = taken[taken_count++] = aligned_alloc(64, (bytes + 127) & ~(size_t)63);
    if (!p) exit(1);
    return memset(p, 0, bytes);
}

static void require(rs_status_t status) {
    if (status == RS_OK) return;
    fprintf(stderr, "%s\n", rs_status_message(status));
    exit(1);
}

static clockid_t clock_used = CLOCK_MONOTONIC;

static double now(void) {
    struct timespec t;
    clock_gettime(clock_used, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static double once(void (*run)(void)) {
    const double from = now();
    run();
    return now() - from;
}

static double best_of(void (*run)(void), unsigned runs_max) {
    double best = 1e30;
    const double end = now() + 60e3;
    for (unsigned k = 0; k < 5 || (k < runs_max && now() < end); k++) {
        const double taken = once(run);
        if (taken < best) best = taken;
    }
    return best;
}

static void print_rows(const row_t *rows, size_t count) {
    for (size_t k = 0; k < count; k++) printf(" %s %.1f", rows[k].name, best_of(rows[k].run, 2000));
    printf("\n");
}

// For each back end that this machine has: for (unsigned k = 0; (name = next_back_end(&k));)
static const char *next_back_end(unsigned *k) {
    static const char *const NAMES[] = {"portable", "avx2", "avx512", "avx512ifma"};
    while (*k < COUNT(NAMES)) {
        const char *name = NAMES[(*k)++];
        if (rs_backend_select(name) == RS_OK) return name;
    }
    return NULL;
}

static char *const LEE[] = {"lee-12", "lee-13", "lee-14", "lee-15", "lee-16", NULL};
static char *const EXACT[] = {"bfv-12", "bfv-13", "bfv-14", "bfv-15", "bgv-12", "bgv-13", "bgv-14", "bgv-15", NULL};

static void on_sets(void (*measure)(const char *), char *const *sets) {
    for (char *const *set = sets; *set; set++) {
        const char *name;
        for (unsigned k = 0; (name = next_back_end(&k));) {
            printf("%-8s %s", name, *set);
            measure(*set);
        }
    }
}

// ---- a client --------------------------------------------------------------------------------------------------------------------------
enum { FRAMES = 16, THREADS = 2 };

static struct client {
    rs_params_t params;
    const rs_context_t *context;
    size_t n;
    uint32_t limbs; // limbs of data
    double scale;
    double *values, *decoded;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key, full, last, seeded; // last: one limb
    rs_plaintext_t encoded, decrypted;
    rs_rng_t rng;
    rs_memory_t memory, workspace;
    rs_device_t *device;
    rs_encrypt_item_t frames[FRAMES];
    rs_decrypt_item_t results[FRAMES];
    rs_ciphertext_t ciphertexts[FRAMES];
    uint8_t *file;
    size_t file_bytes;
} c;

static void make_context(void) {
    require(context_in(&c.context, c.memory.p, c.memory.n, &c.params));
}
static void make_keys(void) {
    require(rs_keygen_secret(c.context, &c.secret, &c.rng));
    require(keygen_public(c.context, &c.secret, &c.public_key, &c.rng, c.workspace.p, c.workspace.n));
}
static void check_pair(void) {
    require(rs_key_check(c.context, &c.secret, &c.public_key, c.workspace));
}
static void encode(void) {
    require(encode_values(c.context, &c.encoded, c.values, c.n / 2, 0, c.scale, c.limbs));
}
static void encrypt_encoded(void) {
    require(encrypt_public(c.context, &c.public_key, &c.encoded, RS_ENCRYPT_PK, &c.full, &c.rng, c.workspace.p, c.workspace.n));
}
static void encode_encrypt_public(void) {
    encode();
    encrypt_encoded();
}
static void encode_encrypt_secret(void) {
    encode();
    require(encrypt_secret(c.context, &c.secret, &c.encoded, &c.seeded, &c.rng, c.workspace.p, c.workspace.n));
}
static void decode(void) {
    require(decode_values(c.context, &c.decrypted, c.decoded, c.n / 2, 0, c.workspace.p, c.workspace.n));
}
static void decrypt_decode(const rs_ciphertext_t *ciphertext, uint32_t limbs) {
    require(decrypt_limbs(c.context, &c.secret, ciphertext, limbs, &c.decrypted, c.workspace.p, c.workspace.n));
    decode();
}
static void decrypt_full(void) {
    decrypt_decode(&c.full, c.limbs);
}
static void decrypt_fewest(void) {
    decrypt_decode(&c.full, rs_limbs_needed(c.context, c.limbs, c.scale, 1.0, 20));
}
static void decrypt_last(void) {
    decrypt_decode(&c.last, 1);
}
static void transform(void) {
    rs_plan_forward(rs_context_plan(c.context, c.limbs > 1), c.full.data);
}
static void transform_back(void) {
    rs_plan_inverse(rs_context_plan(c.context, c.limbs > 1), c.full.data);
}
static void transform_first(void) {
    rs_plan_forward(rs_context_plan(c.context, 0), c.full.data);
}
static void fft_inverse(void) {
    rs_fft_inverse(c.context, coefs(&c.encoded), coefs(&c.encoded) + c.n / 2, 0x1p-10);
}
static void fft_forward(void) {
    rs_fft_forward(c.context, coefs(&c.encoded), coefs(&c.encoded) + c.n / 2);
}

// Frames of a batch, on one thread and on several. Decryption takes what was encrypted last.
static const rs_pool_t *pool;

static void batch_encrypt(void) {
    rs_encrypt_request_t in = {.size = sizeof in, .kind = RS_ENCRYPT_PK, .context = c.context, .public_key = &c.public_key};
    in.items = c.frames;
    in.count = FRAMES;
    in.rng = &c.rng;
    in.workspace = c.workspace;
    require(rs_encrypt_batch(&in, pool));
}
static void batch_decrypt(void) {
    rs_decrypt_request_t out = {.size = sizeof out, .context = c.context, .secret_key = &c.secret, .items = c.results};
    out.count = FRAMES;
    out.workspace = c.workspace;
    require(rs_decrypt_batch(&out, pool));
}

// A seeded ciphertext as a file in memory.
static rs_wire_format_t format;

static void save(void) {
    rs_sink_t sink;
    rs_memory_sink_t to;
    rs_sink_to_memory(&sink, &to, c.file, 16 * c.n * c.limbs + 65536);
    require(rs_wire_write(RS_REQUEST(rs_wire_write_request_t, .kind = RS_WIRE_CIPHERTEXT, .sink = &sink, .format = format,
                                     .context = c.context, .ciphertext = &c.seeded)));
    c.file_bytes = to.bytes;
}
static void load(void) {
    rs_source_t source;
    rs_memory_source_t from;
    rs_wire_reader_t reader;
    const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_CIPHERTEXT, .ciphertext = &c.seeded};
    rs_source_from_memory(&source, &from, c.file, c.file_bytes);
    require(rs_wire_open(&reader, &source, rs_host_codec()));
    require(rs_wire_read_begin(&reader, c.context, &target));
    require(rs_wire_read_words(&reader, &target));
    require(rs_wire_close(&reader, 1));
}

// Everything for c.params.
static void open_client(void) {
    while (taken_count) free(taken[--taken_count]);
    c.memory = (rs_memory_t){allocate(rs_context_size(&c.params)), rs_context_size(&c.params)};
    make_context();
    c.n = rs_context_n(c.context);
    c.limbs = rs_params_data_limbs(&c.params);
    const size_t poly = c.n * sizeof(uint64_t), limbs = c.params.limb_count;
    c.values = allocate(poly);
    c.decoded = allocate(poly);
    for (size_t i = 0; i < c.n / 2; i++) c.values[i] = (double)rand() / RAND_MAX * 2 - 1;
    c.workspace.n = THREADS * (limbs + 8) * poly + (1 << 20);
    c.workspace.p = allocate(c.workspace.n);
    c.secret.ntt = allocate(limbs * poly);
    c.encoded.message = allocate(poly);
    c.decrypted.ntt = allocate(limbs * poly);
    rs_ciphertext_t *const all[] = {&c.public_key, &c.full, &c.last, &c.seeded};
    for (unsigned k = 0; k < 4; k++) *all[k] = (rs_ciphertext_t){.data = allocate(2 * limbs * poly), .seeded = k == 3};
    for (unsigned k = 0; k < FRAMES; k++) {
        c.ciphertexts[k].data = allocate(2 * limbs * poly);
        c.frames[k] = (rs_encrypt_item_t){.values = c.values, .count = (uint32_t)c.n / 2, .ciphertext = &c.ciphertexts[k]};
        c.frames[k].scale = 0x1p30;
        c.results[k] = (rs_decrypt_item_t){.ciphertext = &c.ciphertexts[k], .values = c.decoded, .count = (uint32_t)c.n / 2};
    }
    rs_rng_os(&c.rng);
    make_keys();
}

static void client(const char *set) {
    static const row_t OPERATIONS[] = {
        {"keygen", make_keys},
        {"key pair", check_pair},
        {"encode", encode},
        {"enc pk", encrypt_encoded},
        {"e+e pk", encode_encrypt_public},
        {"e+e sk", encode_encrypt_secret},
        {"full", decrypt_full},
        {"fewest", decrypt_fewest},
        {"1 limb", decrypt_last},
        {"ntt 1", transform},
        {"intt 1", transform_back},
        {"ntt 0", transform_first},
        {"ifft", fft_inverse},
        {"fft", fft_forward},
        {"context", make_context},
    };
    static const struct {
        const char *name;
        rs_compression_t compression;
        int level; // 0: our frames
    } FILES[] = {{"plain", RS_COMPRESSION_NONE, 0}, {"zstd", RS_COMPRESSION_ZSTD, 0}, {"libzstd", RS_COMPRESSION_ZSTD, 3}};
    require(rs_params_init(&c.params, RS_REQUEST(rs_params_request_t, .name = set, .security = RS_SECURITY_UNCHECKED)));
    c.scale = c.params.log_n < 14 ? 0x1p20 : 0x1p40;
    open_client();
    require(encode_values(c.context, &c.encoded, c.values, c.n / 2, 0, 0x1p20, 1));
    require(encrypt_secret(c.context, &c.secret, &c.encoded, &c.last, &c.rng, c.workspace.p, c.workspace.n));
    for (unsigned k = 0; k < COUNT(OPERATIONS); k++) {
        encode_encrypt_public();
        printf(" %s %.1f", OPERATIONS[k].name, best_of(OPERATIONS[k].run, 2000));
    }
    encode_encrypt_public();
    for (uint32_t limbs = 1; limbs <= c.limbs; limbs += c.limbs > 1 ? c.limbs - 1 : 1) {
        require(decrypt_limbs(c.context, &c.secret, &c.full, limbs, &c.decrypted, c.workspace.p, c.workspace.n));
        printf(" decode %u %.1f", limbs, best_of(decode, 2000));
    }
    rs_pool_t threads;
    require(rs_pool_create(&threads, THREADS));
    for (pool = NULL;; pool = &threads) {
        printf(" batch of %d on %d: e+e pk %.1f", FRAMES, pool ? THREADS : 1, best_of(batch_encrypt, 20) / FRAMES);
        printf(" full %.1f", best_of(batch_decrypt, 20) / FRAMES);
        if (pool) break;
    }
    rs_pool_destroy(&threads);
    c.file = allocate(16 * c.n * c.limbs + 65536);
    encode_encrypt_secret();
    for (unsigned k = 0; k < COUNT(FILES); k++) {
        format = (rs_wire_format_t){.compression = FILES[k].compression, .level = FILES[k].level, .codec = rs_host_codec()};
        const double saved = best_of(save, 100);
        printf(" %s: %zu bytes save %.1f load %.1f", FILES[k].name, c.file_bytes, saved, best_of(load, 100));
    }
    printf("\n");
}

// ---- BFV and BGV -----------------------------------------------------------------------------------------------------------------------
static void exact_encrypt(uint32_t kind, rs_ciphertext_t *out) {
    const int secret = kind == RS_ENCRYPT_SK;
    rs_encrypt_item_t item = {.values = c.values, .count = (uint32_t)c.n, .ciphertext = out};
    require(rs_encrypt(RS_REQUEST(rs_encrypt_request_t, .kind = kind, .seeded = (uint32_t)secret, .context = c.context,
                                  .secret_key = secret ? &c.secret : NULL, .public_key = secret ? NULL : &c.public_key,
                                  .items = &item, .count = 1, .rng = &c.rng, .workspace = c.workspace)));
}
static void exact_public(void) {
    exact_encrypt(RS_ENCRYPT_PK, &c.full);
}
static void exact_secret(void) {
    exact_encrypt(RS_ENCRYPT_SK, &c.seeded);
}
static void exact_decrypt(uint32_t margin_bits) {
    rs_decrypt_item_t item = {.values = c.decoded, .count = (uint32_t)c.n, .ciphertext = &c.full};
    require(rs_decrypt(RS_REQUEST(rs_decrypt_request_t, .margin_bits = margin_bits, .context = c.context, .secret_key = &c.secret,
                                  .items = &item, .count = 1, .workspace = c.workspace)));
}
static void decrypt_usual(void) {
    exact_decrypt(0);
}
static void decrypt_margin(void) {
    exact_decrypt(2);
}

static void exact(const char *set) {
    static const row_t ROWS[] = {{"keygen", make_keys},
                                 {"e+e pk", exact_public},
                                 {"e+e sk", exact_secret},
                                 {"decrypt", decrypt_usual},
                                 {"with a margin", decrypt_margin}};
    require(rs_params_init(&c.params,
                           RS_REQUEST(rs_params_request_t, .name = set, .plain_bits = 20, .security = RS_SECURITY_UNCHECKED)));
    open_client();
    for (size_t i = 0; i < c.n; i++) ((int64_t *)(void *)c.values)[i] = (int64_t)(i * 7919 % 500009) - 250000;
    exact_public();
    print_rows(ROWS, COUNT(ROWS));
}

// ---- values of several kinds -----------------------------------------------------------------------------------------------------------
// The kinds take turns, so that the machine's moods meet all of them.
static double value(unsigned kind, uint64_t *state) {
    const uint64_t random = *state = *state * 6364136223846793005u + 1442695040888963407u;
    const double unit = (double)(int64_t)random * 0x1p-63, sizes[] = {1, 0, 1e-307, 0, 1e-30};
    uint64_t bits = random & 0x800fffffffffffff; // subnormal
    if (kind != 3 && kind < 5) return sizes[kind] * unit;
    if (kind == 5) bits |= (random >> 20) % 1023 << 52; // any exponent below 0
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static void encode_one_limb(void) {
    require(encode_values(c.context, &c.encoded, c.values, c.n / 2, 1, 0x1p20, 1));
}

static void values(const char *set) {
    enum { KINDS = 6, RUNS = 400 };
    static const char *const KIND[KINDS] = {"ordinary", "zero", "1e-307", "subnormal", "1e-30", "mixed"};
    require(rs_params_init(&c.params, RS_REQUEST(rs_params_request_t, .name = set, .security = RS_SECURITY_UNCHECKED)));
    open_client();
    double *all[KINDS], best[KINDS];
    uint64_t state = 1;
    for (unsigned kind = 0; kind < KINDS; kind++) {
        best[kind] = 1e30;
        all[kind] = allocate(c.n * sizeof(double));
        for (size_t i = 0; i < c.n; i++) all[kind][i] = value(kind, &state);
    }
    for (unsigned k = 0; k < RUNS * KINDS; k++) {
        c.values = all[k % KINDS];
        const double taken = once(encode_one_limb);
        if (taken < best[k % KINDS]) best[k % KINDS] = taken;
    }
    for (unsigned kind = 0; kind < KINDS; kind++) printf(" %s %.1f", KIND[kind], best[kind]);
    printf("\n");
}

// ---- a device whose core has always just finished --------------------------------------------------------------------------------------
static rs_status_t idle_read(void *state, uint32_t offset, uint32_t *value) {
    const rs_design_t *d = state;
    const uint32_t registers[][2] = {
        {RS_REG_STATUS, 1u << RS_REG_STATUS_DONE_SHIFT},
        {RS_REG_ID, RS_REG_ID_VALUE},
        {RS_REG_VERSION, RS_REG_VERSION_VALUE},
        {RS_REG_LANES, d->lanes},
        {RS_REG_WORD_BITS, d->word_bits},
        {RS_REG_REDUCTION, RS_REG_REDUCTION_VALUE},
        {RS_REG_LOG_N_MIN, d->log_n_min},
        {RS_REG_LOG_N_MAX, d->log_n_max},
        {RS_REG_GROUPS, d->groups},
        {RS_REG_CONTEXTS, d->contexts},
        {RS_REG_SLOTS, d->slots},
        {RS_REG_BUS_BITS, d->bus_bits},
        {RS_REG_FEATURES, d->features},
        {RS_REG_PROGRAM_DEPTH, d->program_depth},
        {RS_REG_KECCAK_CORES, d->keccak_cores},
    };
    *value = 0;
    for (unsigned i = 0; i < COUNT(registers); i++) {
        if (registers[i][0] == offset) *value = registers[i][1];
    }
    return RS_OK;
}

static rs_status_t idle_write(void *state, uint32_t offset, uint32_t value) {
    (void)state;
    (void)offset;
    (void)value;
    return RS_OK;
}

static int reach_all(void *state, const void *data, size_t bytes, uint64_t *address) {
    (void)state;
    (void)bytes;
    *address = (uint64_t)(uintptr_t)data;
    return 1;
}

static void core_public(void) {
    require(encrypt_one(c.device, RS_ENCRYPT_PK, &c.encoded, &c.full, &c.rng, c.workspace, RS_DEVICE_RUN));
}
static void core_direct(void) {
    require(encrypt_one(c.device, RS_ENCRYPT_PK_DIRECT, &c.encoded, &c.full, &c.rng, c.workspace, RS_DEVICE_RUN));
}
static void core_secret(void) {
    require(encrypt_one(c.device, RS_ENCRYPT_SK, &c.encoded, &c.seeded, &c.rng, c.workspace, RS_DEVICE_RUN));
}
static void core_decrypt(void) {
    require(decrypt_one(c.device, &c.full, c.full.limb_count, &c.decrypted, c.workspace, RS_DEVICE_RUN));
}
static void load_public(void) {
    require(LOAD(c.device, .public_key = &c.public_key));
}
static void load_secret(void) {
    require(LOAD(c.device, .secret_key = &c.secret));
}

static void device(uint32_t n, uint32_t limbs, uint32_t word_bits, int reaches) {
    static const row_t OPERATIONS[] = {{"pk", core_public},       {"pk direct", core_direct}, {"sk seeded", core_secret},
                                       {"decrypt", core_decrypt}, {"load pk", load_public},   {"load sk", load_secret}};
    uint32_t bits[RS_LIMBS_MAX];
    for (uint32_t i = 0; i <= limbs; i++) bits[i] = word_bits - 2;
    require(params_of_bits(&c.params, n, bits, limbs + 1));
    open_client();
    rs_design_t design = {.lanes = 32, .word_bits = word_bits, .log_n_min = 10, .log_n_max = 17, .groups = 5, .contexts = 2};
    design.slots = 3;
    design.bus_bits = 512;
    design.features = RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ON_THE_FLY | RS_FEATURE_REDUCE;
    design.program_depth = 512;
    design.keccak_cores = 8;
    rs_bus_t bus = {.size = sizeof bus, .state = &design, .read = idle_read, .write = idle_write};
    bus.memory_bytes = rs_device_memory_bytes(&design, &c.params, 2, 1);
    bus.memory = allocate(bus.memory_bytes);
    if (reaches) bus.reach = reach_all;
    require(encode_values(c.context, &c.encoded, c.values, n / 2, 0, 0x1p20, limbs));
    require(rs_device_open(&c.device, (rs_memory_t){allocate(rs_device_size()), rs_device_size()}, &bus));
    require(LOAD(c.device, .context = c.context));
    load_public();
    load_secret();
    printf("W = %u, %-28s", word_bits, reaches ? "the core reaches all arrays" : "arrays are copied");
    print_rows(OPERATIONS, COUNT(OPERATIONS));
    require(rs_device_close(c.device));
}

// ---- transforms and samplers -----------------------------------------------------------------------------------------------------------
static _Alignas(64) uint64_t table[2 << LOG_N_MAX], poly[1 << LOG_N_MAX];
static const kernel_t *kernel;
static rs_limb_t limb;
static uint32_t log_n;
static const rs_seed_t SEED = {{1, 2, 3}};

static void forward(void) {
    kernel_forward(kernel, &limb, poly);
}
static void inverse(void) {
    kernel_inverse(kernel, &limb, poly);
}

static void ntt(void) {
    static const row_t BOTH[] = {{"forward", forward}, {"inverse", inverse}};
    for (kernel = KERNELS; kernel < KERNELS + KERNEL_COUNT; kernel++) {
        if (!kernel->runs()) continue;
        for (log_n = LOG_N_MIN; log_n <= LOG_N_MAX; log_n++) {
            const uint64_t q = prime_from((uint64_t)1 << kernel->modulus_bits, -1, log_n);
            limb_init(&limb, q, log_n, kernel, table);
            for (size_t i = 0; i < (size_t)1 << log_n; i++) {
                const uint64_t word = i * 0x9e3779b97f4a7c15 % q;
                if (kernel->word_bits == 64) {
                    poly[i] = word;
                } else {
                    ((uint32_t *)(void *)poly)[i] = (uint32_t)word;
                }
            }
            printf("%-10s %2u bits, N = 2^%u:", kernel->name, kernel->modulus_bits, log_n);
            print_rows(BOTH, COUNT(BOTH));
        }
    }
}

static void cbd21(void) {
    rs_sample_cbd21((int8_t *)poly, (size_t)1 << log_n, &SEED, RS_DOMAIN_E0);
}
static void ternary(void) {
    rs_sample_ternary((int8_t *)poly, (size_t)1 << log_n, &SEED, RS_DOMAIN_U);
}
static void uniform(rs_seed_type_t type) {
    static rs_uniform_t state;
    rs_ignore(rs_uniform_init(&state, type, &SEED, log_n, 1));
    rs_ignore(rs_uniform_next(&state, ((uint64_t)1 << 50) - 27, poly));
}
static void shake256(void) {
    uniform(RS_SEED_SHAKE256);
}
static void blake2xb(void) {
    uniform(RS_SEED_BLAKE2XB);
}

static void samplers(void) {
    static const row_t ROWS[] = {{"cbd21", cbd21}, {"ternary", ternary}, {"SHAKE256", shake256}, {"BLAKE2Xb", blake2xb}};
    const char *name;
    for (unsigned k = 0; (name = next_back_end(&k));) {
        for (log_n = 12; log_n <= 15; log_n++) {
            printf("%-8s N = 2^%u:", name, log_n);
            print_rows(ROWS, COUNT(ROWS));
        }
    }
}

// ---- schemes beside CKKS ---------------------------------------------------------------------------------------------------------------
static uint32_t set;
static uint8_t pk[RS_MLDSA_PK_BYTES_MAX], sk[RS_MLDSA_SK_BYTES_MAX], sent[RS_MLDSA_SIGNATURE_BYTES_MAX], shared[32];
static rs_memory_t room;

static void kem_keygen(void) {
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    require(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {pk, sizes->ek}, .dk = {sk, sizes->dk},
                                       .seed = {SEED.bytes, RS_MLKEM_SEED_BYTES}, .workspace = room)));
}
static void kem_encaps(void) {
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    require(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {pk, sizes->ek}, .ct = {sent, sizes->ct},
                                       .shared = {shared, 32}, .m = {SEED.bytes, 32}, .workspace = room)));
}
static void kem_decaps(void) {
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    require(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {sk, sizes->dk}, .ct = {sent, sizes->ct},
                                       .shared = {shared, 32}, .workspace = room)));
}

static void mlkem(void) {
    static const row_t ROWS[] = {{"keygen", kem_keygen}, {"encaps", kem_encaps}, {"decaps", kem_decaps}};
    static const uint32_t SETS[] = {RS_MLKEM_512, RS_MLKEM_768, RS_MLKEM_1024};
    const char *name;
    for (unsigned k = 0; (name = next_back_end(&k));) {
        for (unsigned i = 0; i < COUNT(SETS); i++) {
            set = SETS[i];
            room.n = rs_mlkem_sizes(set)->workspace;
            printf("%-8s %4u:", name, set);
            print_rows(ROWS, COUNT(ROWS));
        }
    }
}

static uint16_t message;

static void dsa_keygen(void) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    require(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {pk, sizes->pk}, .sk = {sk, sizes->sk},
                                       .seed = {SEED.bytes, RS_MLDSA_SEED_BYTES}, .workspace = room)));
}
static void dsa_sign(void) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    require(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_DETERMINISTIC, .sk = {sk, sizes->sk},
                                     .message.bytes = {(const uint8_t *)&message, sizeof message},
                                     .signature = {sent, sizes->signature}, .workspace = room)));
}
static void dsa_verify(void) {
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    require(rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {pk, sizes->pk},
                                       .message.bytes = {(const uint8_t *)&message, sizeof message},
                                       .signature = {sent, sizes->signature}, .workspace = room)));
}

// Signatures: of one round (the best), and the mean of as many messages, each at its best of a few runs; without and with A kept.
static void mldsa(void) {
    enum { MESSAGES = 200 };
    static const uint32_t SETS[] = {RS_MLDSA_44, RS_MLDSA_65, RS_MLDSA_87};
    const char *name;
    for (unsigned k = 0; (name = next_back_end(&k));) {
        for (unsigned i = 0; i < COUNT(SETS); i++) {
            set = SETS[i];
            room.n = rs_mldsa_sizes(set)->workspace;
            printf("%-8s %u: keygen %.1f", name, set, best_of(dsa_keygen, 500));
            for (unsigned kept = 0; kept < 2; kept++) {
                double sum = 0, least = 1e30;
                if (kept) room.n = rs_mldsa_sizes(set)->fast_workspace;
                for (message = 0; message < MESSAGES; message++) {
                    const double taken = best_of(dsa_sign, 5);
                    sum += taken;
                    if (taken < least) least = taken;
                }
                message--; // the signature's
                printf(" %sone round %.1f mean %.1f", kept ? "A kept: " : "", least, sum / MESSAGES);
            }
            printf(" verify %.1f\n", best_of(dsa_verify, 500));
        }
    }
}

static classic_t both;
static classic_operation_t operation;
static classic_part_t part;

static void classic_part(void) {
    require(classic_do(&both, operation, part));
}

// A whole operation of NewHope-1024 or BLISS-BI, and percent of it; a signature is that of one attempt, 1.213 are the mean. Samplers without the streams.
static void classic(void) {
    static const char *const OPERATION[] = {"NewHope server", "NewHope client", "BLISS key pair", "BLISS sign", "BLISS verify"};
    const char *name;
    uint8_t *memory = allocate(classic_memory_bytes());
    void *workspace = allocate(classic_workspace_bytes());
    for (unsigned k = 0; (name = next_back_end(&k));) {
        require(classic_open(&both, memory, workspace));
        for (operation = CLASSIC_SERVER; operation < CLASSIC_OPERATIONS; operation++) {
            double us[CLASSIC_PARTS];
            for (part = CLASSIC_WHOLE; part < CLASSIC_PARTS; part++) us[part] = best_of(classic_part, 400);
            if (operation == CLASSIC_KEYPAIR || operation == CLASSIC_VERIFY) us[CLASSIC_SAMPLERS] = 0;
            if (operation <= CLASSIC_CLIENT) us[CLASSIC_SAMPLERS] -= us[CLASSIC_CHACHA] + us[CLASSIC_KECCAK];
            const double percent = 100 / us[CLASSIC_WHOLE];
            printf("%-8s %-14s %.1f: NTT %.1f Keccak %.1f ChaCha %.1f samplers %.1f\n", name, OPERATION[operation],
                   us[CLASSIC_WHOLE], us[CLASSIC_NTT] * percent, us[CLASSIC_KECCAK] * percent, us[CLASSIC_CHACHA] * percent,
                   us[CLASSIC_SAMPLERS] * percent);
        }
    }
}

int main(int count, char **words) {
    static const row_t ROWS[] = {{"ntt", ntt}, {"samplers", samplers}, {"mlkem", mlkem}, {"mldsa", mldsa}, {"classic", classic}};
    const char *what = count > 1 ? words[1] : "";
    static uint64_t memory[1 << 15];
    room.p = memory;
    char *const *sets = count > 2 ? words + 2 : NULL;
    if (!strcmp(what, "client")) return on_sets(client, sets ? sets : LEE), 0;
    if (!strcmp(what, "values")) return on_sets(values, sets ? sets : LEE), 0;
    if (!strcmp(what, "exact")) return on_sets(exact, sets ? sets : EXACT), 0;
    for (unsigned k = 0; k < COUNT(ROWS); k++) {
        if (!strcmp(what, ROWS[k].name)) return ROWS[k].run(), 0;
    }
    const uint32_t n = count > 2 ? (uint32_t)strtoul(words[2], NULL, 10) : 8192;
    const uint32_t limbs = count > 3 ? (uint32_t)strtoul(words[3], NULL, 10) : 6;
    if (strcmp(what, "device") || limbs < 1 || limbs >= RS_LIMBS_MAX) {
        return fprintf(stderr,
                       "time client|exact|values [SET ...] | device [N [LIMBS]] | ntt | samplers | mlkem | mldsa | classic\n"),
               2;
    }
    clock_used = CLOCK_PROCESS_CPUTIME_ID;
    for (unsigned k = 0; k < 4; k++) device(n, limbs, k & 1 ? 54 : 32, k / 2);
    return 0;
}
