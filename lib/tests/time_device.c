// SPDX-License-Identifier: Apache-2.0
// Microseconds of processor time that the driver of the accelerator takes around an operation, minimum of many runs: the core behind
// the bus does nothing and costs nothing. Not a test.
//     time_device [N [limbs]]
#include "time_common.h"

#include "device_calls.h"

#include <ringside/regs.h>

enum { LIMBS_MOST = 8 };

// ---- a core that has always just finished ----------------------------------------------------------------------------------------------
typedef struct idle_core {
    rs_design_t design;
} idle_core_t;

static rs_status_t idle_read(void *state, uint32_t offset, uint32_t *value) {
    const rs_design_t *d = &((const idle_core_t *)state)->design;
    const struct {
        uint32_t offset, value;
    } registers[] = {
        {RS_REG_STATUS, 1u << RS_REG_STATUS_DONE_SHIFT},
        {RS_REG_ID, RS_REG_ID_VALUE},
        {RS_REG_VERSION, RS_REG_VERSION_VALUE},
        {RS_REG_LANES, d->lanes},
        {RS_REG_WORD_BITS, d->word_bits},
        {RS_REG_REDUCTION, (uint32_t)d->reduction},
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
    for (unsigned i = 0; i < sizeof registers / sizeof *registers; i++) {
        if (registers[i].offset == offset) *value = registers[i].value;
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

// ---- what is measured ------------------------------------------------------------------------------------------------------------------
static struct client {
    rs_params_t params;
    const rs_context_t *context;
    rs_device_t *device;
    rs_secret_key_t secret;
    rs_ciphertext_t public_key;
    rs_plaintext_t message;
    rs_plaintext_t decrypted;
    rs_ciphertext_t ciphertext;
    rs_ciphertext_t seeded;
    rs_rng_t rng;
    void *workspace;
    size_t workspace_bytes;
} client;

static void core_public(struct client *c) {
    require(encrypt_one(c->device, RS_ENCRYPT_PK, &c->message, &c->ciphertext, &c->rng,
                        (rs_memory_t){c->workspace, c->workspace_bytes}, RS_DEVICE_RUN));
}
static void core_direct(struct client *c) {
    require(encrypt_one(c->device, RS_ENCRYPT_PK_DIRECT, &c->message, &c->ciphertext, &c->rng,
                        (rs_memory_t){c->workspace, c->workspace_bytes}, RS_DEVICE_RUN));
}
static void core_secret(struct client *c) {
    require(encrypt_one(c->device, RS_ENCRYPT_SK, &c->message, &c->seeded, &c->rng, (rs_memory_t){c->workspace, c->workspace_bytes},
                        RS_DEVICE_RUN));
}
static void decrypt(struct client *c) {
    require(decrypt_one(c->device, &c->ciphertext, c->ciphertext.limb_count, &c->decrypted,
                        (rs_memory_t){c->workspace, c->workspace_bytes}, RS_DEVICE_RUN));
}
static void load_public(struct client *c) {
    require(LOAD(c->device, .public_key = &c->public_key));
}
static void load_secret(struct client *c) {
    require(LOAD(c->device, .secret_key = &c->secret));
}

static void measure(uint32_t n, uint32_t limbs, uint32_t word_bits, int reaches) {
    static const struct {
        const char *name;
        void (*run)(struct client *);
    } OPERATIONS[] = {{"pk", core_public},  {"pk direct", core_direct}, {"sk seeded", core_secret},
                      {"decrypt", decrypt}, {"load pk", load_public},   {"load sk", load_secret}};
    struct client *c = &client;
    uint32_t bits[LIMBS_MOST + 1];
    memset(c, 0, sizeof *c);
    for (uint32_t i = 0; i <= limbs; i++) bits[i] = word_bits - 2;
    require(params_of_bits(&c->params, n, bits, limbs + 1));
    void *memory = allocate(rs_context_size(&c->params));
    require(context_in(&c->context, memory, rs_context_size(&c->params), &c->params));
    idle_core_t core = {{.lanes = 32,
                         .word_bits = word_bits,
                         .reduction = RS_REDUCTION_WLM,
                         .log_n_min = 10,
                         .log_n_max = 17,
                         .groups = 5,
                         .contexts = 2,
                         .slots = 3,
                         .bus_bits = 512,
                         .features = RS_FEATURE_SAMPLER | RS_FEATURE_EXPAND | RS_FEATURE_ON_THE_FLY | RS_FEATURE_REDUCE,
                         .program_depth = 512,
                         .keccak_cores = 8}};
    rs_bus_t bus = {.size = sizeof bus, .state = &core, .read = idle_read, .write = idle_write};
    bus.memory_bytes = rs_device_memory_bytes(&core.design, &c->params, 2, 1);
    bus.memory = allocate(bus.memory_bytes);
    if (reaches) bus.reach = reach_all;
    const size_t poly = n * sizeof(uint64_t);
    c->workspace_bytes = (limbs + 8) * poly;
    c->workspace = allocate(c->workspace_bytes);
    c->secret.ntt = allocate((limbs + 1) * poly);
    c->public_key.data = allocate(2 * (limbs + 1) * poly);
    c->ciphertext.data = allocate(2 * limbs * poly);
    c->seeded.data = allocate(limbs * poly);
    c->decrypted.ntt = allocate(limbs * poly);
    c->message.message = allocate(poly);
    for (uint32_t i = 0; i < n; i++) coefs(&c->message)[i] = (double)rand() - RAND_MAX / 2;
    c->message.form = RS_FORM_COEF;
    c->message.limb_count = limbs;
    c->message.scale = 1 << 30;
    memcpy(c->message.parms_id, rs_context_parms_id(c->context, limbs), RS_PARMS_ID_BYTES);
    c->seeded.seeded = 1;
    c->public_key.seed_type = c->ciphertext.seed_type = c->seeded.seed_type = RS_SEED_SHAKE256;
    rs_rng_os(&c->rng);
    require(rs_keygen_secret(c->context, &c->secret, &c->rng));
    require(keygen_public(c->context, &c->secret, &c->public_key, &c->rng, c->workspace, c->workspace_bytes));
    require(rs_device_open(&c->device, (rs_memory_t){allocate(rs_device_size()), rs_device_size()}, &bus));
    require(LOAD(c->device, .context = c->context));
    load_public(c);
    load_secret(c);
    printf("W = %u, %-28s", word_bits, reaches ? "the core reaches all arrays" : "arrays are copied");
    for (unsigned k = 0; k < sizeof OPERATIONS / sizeof *OPERATIONS; k++) {
        double best = 1e30;
        for (unsigned run = 0; run < 300; run++) {
            const double from = time_of(CLOCK_PROCESS_CPUTIME_ID);
            OPERATIONS[k].run(c);
            keep_best(&best, time_of(CLOCK_PROCESS_CPUTIME_ID) - from);
        }
        printf("  %s %.1f", OPERATIONS[k].name, best);
    }
    printf("\n");
    require(rs_device_close(c->device));
    void *all[] = {memory,         bus.memory,       c->workspace,      c->secret.ntt, c->public_key.data, c->ciphertext.data,
                   c->seeded.data, c->decrypted.ntt, coefs(&c->message)};
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) free(all[i]);
}

int main(int count, char **arguments) {
    const uint32_t n = count > 1 ? (uint32_t)strtoul(arguments[1], NULL, 10) : 8192;
    const uint32_t limbs = count > 2 ? (uint32_t)strtoul(arguments[2], NULL, 10) : 6;
    if (limbs < 1 || limbs > LIMBS_MOST) {
        fprintf(stderr, "limbs: 1 to %d\n", LIMBS_MOST);
        return 1;
    }
    printf("%s, N = %u, %u limbs, us of the driver\n", rs_backend_name(), n, limbs);
    for (int reaches = 0; reaches < 2; reaches++) {
        measure(n, limbs, 32, reaches);
        measure(n, limbs, 54, reaches);
    }
    return 0;
}
