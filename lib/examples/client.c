// SPDX-License-Identifier: Apache-2.0
// A complete client: make a secret key, encrypt some measurements, save them as files that Microsoft SEAL loads.
//
//     cc client.c $(pkg-config --cflags --libs ringside) -o client && ./client DIRECTORY
//
// writes three files to the directory, which must exist:
//   parameters.seal   for the server: seal::EncryptionParameters
//   message.seal      for the server: seal::Ciphertext, half as long as usual, because one half of it is a seed
//   secret.key        for nobody else: seal::SecretKey
#include <fcntl.h>
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COUNT = 5 };
static const double MEASUREMENTS[COUNT] = {21.5, 21.75, -3.25, 0.0, 19.0};
static const double SCALE = 281474976710656.0; // 2^48, as the middle primes of lee-14: products keep it

static int failed(const char *what, rs_status_t status) {
    if (status != RS_OK) fprintf(stderr, "client: %s: %s\n", what, rs_status_message(status));
    return status != RS_OK;
}

// Everything that is needed, in one place: the library allocates nothing itself.
typedef struct client {
    rs_params_t params;
    const rs_context_t *context;
    rs_rng_t rng;
    rs_secret_key_t secret;
    rs_ciphertext_t ciphertext;
    void *context_memory;
    rs_encrypt_item_t item;
    rs_encrypt_request_t encryption;
    size_t secret_bytes;
} client_t;

static int prepare(client_t *c) {
    // at least 128 bits of security: less would be asked for by name
    if (failed("parameters", rs_params_init(&c->params, RS_REQUEST(rs_params_request_t, .name = "lee-14")))) return 1;
    const size_t context_bytes = rs_context_size(&c->params);
    c->context_memory = malloc(context_bytes);
    if (!c->context_memory) return failed("memory", RS_ERR_NO_MEMORY);
    if (failed("context", rs_context_init(&c->context, RS_REQUEST(rs_context_request_t, .params = &c->params,
                                                                  .memory = {c->context_memory, context_bytes}))))
        return 1;
    rs_rng_os(&c->rng);

    const size_t n = rs_context_n(c->context);
    const uint32_t limbs = rs_params_data_limbs(&c->params);
    c->secret_bytes = c->params.limb_count * n * sizeof(uint64_t);
    c->secret.ntt = malloc(c->secret_bytes);
    c->ciphertext.data = malloc(rs_ciphertext_words(c->context, 2, limbs, 1) * sizeof(uint64_t));
    // N/2 values fit into one ciphertext; the slots behind the last measurement hold 0. The second half is a seed
    c->item = (rs_encrypt_item_t){.values = MEASUREMENTS, .count = COUNT, .scale = SCALE, .ciphertext = &c->ciphertext};
    c->encryption = (rs_encrypt_request_t){.size = sizeof c->encryption,
                                           .kind = RS_ENCRYPT_SK,
                                           .seeded = 1,
                                           .context = c->context,
                                           .secret_key = &c->secret,
                                           .items = &c->item,
                                           .count = 1,
                                           .rng = &c->rng};
    c->encryption.workspace.n = rs_encrypt_workspace(&c->encryption);
    c->encryption.workspace.p = malloc(c->encryption.workspace.n);
    const int complete = c->secret.ntt && c->ciphertext.data && c->encryption.workspace.p;
    return complete ? 0 : failed("memory", RS_ERR_NO_MEMORY);
}

static int encrypt(client_t *c) {
    if (failed("key", rs_keygen_secret(c->context, &c->secret, &c->rng))) return 1;
    return failed("encrypt", rs_encrypt(&c->encryption));
}

// An open file of the directory that did not exist before, as a sink. A secret key is overwritten by nobody.
static int create(const char *directory, const char *name, rs_sink_t *sink, rs_fd_stream_t *stream) {
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s", directory, name) >= sizeof path) return -1;
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (fd < 0) {
        perror(path);
        return -1;
    }
    if (!failed(path, rs_sink_to_fd(sink, stream, fd))) return fd;
    close(fd);
    return -1;
}

static int save(const client_t *c, const char *directory) {
    static const char *const NAMES[] = {"parameters.seal", "message.seal", "secret.key"};
    static rs_fd_stream_t stream; // 64 KiB
    static const rs_wire_kind_t KINDS[] = {RS_WIRE_PARAMS, RS_WIRE_CIPHERTEXT, RS_WIRE_SECRET_KEY};
    for (int i = 0; i < 3; i++) {
        rs_sink_t sink;
        const rs_wire_write_request_t request = {.size = sizeof request,
                                                 .kind = KINDS[i],
                                                 .context = c->context,
                                                 .sink = &sink,
                                                 .ciphertext = &c->ciphertext,
                                                 .secret_key = &c->secret};
        const int fd = create(directory, NAMES[i], &sink, &stream);
        if (fd < 0) return 1;
        rs_status_t status = KINDS[i] == RS_WIRE_SECRET_KEY ? rs_wire_write_secret_key(&request) : rs_wire_write(&request);
        if (status == RS_OK) status = rs_fd_sink_flush(&stream);
        if (close(fd) != 0 && status == RS_OK) status = RS_ERR_IO;
        if (failed(NAMES[i], status)) return 1;
    }
    return 0;
}

// Secrets are wiped before their memory goes back.
static void release(client_t *c) {
    rs_zeroize(c->secret.ntt, c->secret.ntt ? c->secret_bytes : 0);
    free(c->secret.ntt);
    free(c->ciphertext.data);
    free(c->encryption.workspace.p);
    free(c->context_memory);
}

int main(int argc, char **argv) {
    client_t client = {0};
    if (argc != 2) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    const int wrong = prepare(&client) || encrypt(&client) || save(&client, argv[1]);
    if (!wrong) printf("ringside %s: %d values encrypted into %s/message.seal\n", rs_version(), COUNT, argv[1]);
    release(&client);
    return wrong;
}
