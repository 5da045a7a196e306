// SPDX-License-Identifier: Apache-2.0
// Bytes, and microseconds of writing and reading a seeded ciphertext in memory: our zstd frames beside those of libzstd at its level 3.
// Not a test.
#include "time_common.h"

enum { RUNS = 100 };

typedef struct timed {
    size_t bytes;
    double save, load; // microseconds
} timed_t;

static timed_t run(const rs_context_t *context, rs_ciphertext_t *ciphertext, rs_compression_t compression, int level, uint8_t *file,
                   size_t capacity) {
    rs_wire_write_request_t request = {.size = sizeof request, .kind = RS_WIRE_CIPHERTEXT, .context = context};
    request.format = (rs_wire_format_t){.compression = compression, .level = level, .codec = rs_host_codec()};
    request.ciphertext = ciphertext;
    timed_t best = {0, 1e30, 1e30};
    for (unsigned i = 0; i < RUNS; i++) {
        rs_sink_t sink;
        rs_memory_sink_t to;
        rs_source_t source;
        rs_memory_source_t from;
        rs_wire_reader_t reader;
        rs_ciphertext_t got = *ciphertext;
        const rs_wire_target_t target = {.size = sizeof target, .kind = RS_WIRE_CIPHERTEXT, .ciphertext = &got};
        const double start = now();
        rs_sink_to_memory(&sink, &to, file, capacity);
        request.sink = &sink;
        require(rs_wire_write(&request));
        const double saved = now();
        rs_source_from_memory(&source, &from, file, to.bytes);
        require(rs_wire_open(&reader, &source, rs_host_codec()));
        require(rs_wire_read_begin(&reader, context, &target));
        require(rs_wire_read_words(&reader, &target));
        require(rs_wire_close(&reader, 1));
        const double loaded = now();
        keep_best(&best.save, saved - start);
        keep_best(&best.load, loaded - saved);
        best.bytes = to.bytes;
    }
    return best;
}

int main(void) {
    static const char *const NAMES[] = {"lee-12", "lee-13", "lee-14", "lee-15", "lee-16"};
    printf("set      plain bytes |  ours    %%  save  load | level 3    %%  save  load | ratio\n");
    for (unsigned k = 0; k < sizeof NAMES / sizeof *NAMES; k++) {
        rs_params_t params;
        rs_context_t *context = context_of(&params, NAMES[k]);
        const uint32_t limbs = rs_params_data_limbs(&params);
        const size_t n = rs_context_n(context), plain = 16 + 65 + 24 + 8 * n * limbs + 81, capacity = plain + plain / 64 + 65536;
        uint8_t *file = allocate(capacity);
        rs_ciphertext_t ciphertext = {.poly_count = 2, .limb_count = limbs, .seeded = 1, .seed_type = RS_SEED_SHAKE256};
        ciphertext.scale = 1048576;
        ciphertext.data = allocate(8 * n * limbs);
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
        free(context);
    }
    return 0;
}
