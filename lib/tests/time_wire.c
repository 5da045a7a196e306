// SPDX-License-Identifier: Apache-2.0
// Bytes, and microseconds of writing and reading a seeded ciphertext in memory: our zstd frames beside those of libzstd at its level 3.
// Not a test.
#define _POSIX_C_SOURCE 199309L
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { RUNS = 100 };

typedef struct timed {
    size_t bytes;
    double save, load; // microseconds
} timed_t;

static double microseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static void demand(rs_status_t status) {
    if (status == RS_OK) return;
    printf("%s\n", rs_status_message(status));
    exit(1);
}

static timed_t run(const rs_context_t *context, rs_ciphertext_t *ciphertext, rs_compression_t compression, int level, uint8_t *file,
                   size_t capacity) {
    rs_wire_options_t options;
    rs_wire_options_default(&options);
    options.compression = compression;
    options.level = level;
    options.codec = rs_host_codec();
    timed_t best = {0, 1e30, 1e30};
    for (unsigned i = 0; i < RUNS; i++) {
        rs_sink_t sink;
        rs_memory_sink_t to;
        rs_source_t source;
        rs_memory_source_t from;
        rs_wire_reader_t reader;
        rs_ciphertext_t got = *ciphertext;
        const double start = microseconds();
        rs_sink_to_memory(&sink, &to, file, capacity);
        demand(rs_wire_write_ciphertext(&sink, &options, context, ciphertext));
        const double saved = microseconds();
        rs_source_from_memory(&source, &from, file, to.bytes);
        demand(rs_wire_open(&reader, &source, rs_host_codec()));
        demand(rs_wire_read_ciphertext_begin(&reader, context, 0, &got));
        demand(rs_wire_read_ciphertext_words(&reader, context, &got));
        demand(rs_wire_close(&reader, 1));
        const double loaded = microseconds();
        if (saved - start < best.save) best.save = saved - start;
        if (loaded - saved < best.load) best.load = loaded - saved;
        best.bytes = to.bytes;
    }
    return best;
}

int main(void) {
    static const char *const NAMES[] = {"lee-12", "lee-13", "lee-14", "lee-15", "lee-16"};
    printf("set      plain bytes |  ours    %%  save  load | level 3    %%  save  load | ratio\n");
    for (unsigned k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        rs_params_t params;
        const rs_context_t *context;
        demand(rs_params_named(&params, NAMES[k], 128));
        void *memory = malloc(rs_context_size(&params));
        demand(rs_context_init(&context, memory, rs_context_size(&params), &params, 128));
        const uint32_t limbs = rs_params_data_limbs(&params);
        const size_t n = rs_context_n(context), plain = 16 + 65 + 24 + 8 * n * limbs + 81, capacity = plain + plain / 64 + 65536;
        uint8_t *file = malloc(capacity);
        rs_ciphertext_t ciphertext = {.poly_count = 2, .limb_count = limbs, .seeded = 1, .seed_type = RS_SEED_SHAKE256};
        ciphertext.scale = 1048576;
        ciphertext.data = malloc(8 * n * limbs);
        for (unsigned i = 0; i < RS_PARMS_ID_BYTES; i++) ciphertext.parms_id[i] = rs_context_parms_id(context, limbs)[i];
        rs_uniform_t uniform;
        const rs_seed_t seed = {{1}};
        rs_ignore(rs_uniform_init(&uniform, RS_SEED_SHAKE256, &seed, params.log_n, limbs));
        for (uint32_t i = 0; i < limbs; i++) rs_ignore(rs_uniform_next(&uniform, params.moduli[i], ciphertext.data + i * n));
        const timed_t ours = run(context, &ciphertext, RS_COMPRESSION_ZSTD, 0, file, capacity);
        const timed_t theirs = run(context, &ciphertext, RS_COMPRESSION_ZSTD, 3, file, capacity);
        const timed_t none = run(context, &ciphertext, RS_COMPRESSION_NONE, 0, file, capacity);
        const double percent = 100.0 / (double)plain;
        printf("%-8s %11zu | %8zu %4.1f %5.0f %5.0f | %8zu %4.1f %6.0f %6.0f | %.1f  none %.0f %.0f\n", NAMES[k], plain, ours.bytes,
               percent * (double)ours.bytes, ours.save, ours.load, theirs.bytes, percent * (double)theirs.bytes, theirs.save,
               theirs.load, (theirs.save + theirs.load) / (ours.save + ours.load), none.save, none.load);
        free(ciphertext.data);
        free(file);
        free(memory);
    }
    return 0;
}
