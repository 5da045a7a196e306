// SPDX-License-Identifier: Apache-2.0
// Writes the seed corpus: every sample in a 3.x and a 4.x version, uncompressed, compressed, and to be compressed by the target; a
// recipe for fuzz_zstd_words.
//     make_seeds DIRECTORY
#include "fuzz_wire.h"

static int save(const char *path, uint8_t control, const uint8_t *data, size_t bytes) {
    FILE *file = fopen(path, "wb");
    if (!file) {
        perror(path);
        return 0;
    }
    const int ok = fwrite(&control, 1, 1, file) == 1 && fwrite(data, 1, bytes, file) == bytes;
    if (fclose(file) == 0 && ok) return 1;
    perror(path);
    return 0;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        fprintf(stderr, "usage: make_seeds DIRECTORY\n");
        return 2;
    }
    static const uint8_t versions[2][2] = {{3, 6}, {4, 1}};
    uint8_t *data = malloc(SAMPLE_CAPACITY);
    if (!data) return 1;
    unsigned written = 0;
    for (int v = 0; v < 2; v++) {
        for (sample_t sample = 0; sample < SAMPLE_COUNT; sample++) {
            for (uint8_t variant = 0; variant < 5; variant++) {
                // 0: plain; 1, 2: compressed file; 3, 4: plain, compressed by the target
                const rs_compression_t compression = variant == 1 || variant == 2 ? (rs_compression_t)variant : RS_COMPRESSION_NONE;
                const rs_wire_format_t format = sample_format(versions[v][0], versions[v][1], compression);
                rs_sink_t sink;
                rs_memory_sink_t memory;
                rs_sink_to_memory(&sink, &memory, data, SAMPLE_CAPACITY);
                if (sample_write(sample, &sink, &format) != RS_OK) return 1;
                char path[4096];
                const int length = snprintf(path, sizeof path, "%s/%02d-v%d-%d", argv[1], (int)sample, v, (int)variant);
                if (length < 0 || (size_t)length >= sizeof path) return 1;
                const uint8_t control =
                    (uint8_t)((variant > 2 ? variant - 2 : 0) | (v ? 0 : 8 | 16) | (sample == SAMPLE_GALOIS_SEEDED ? 32 : 0));
                if (!save(path, control, data, memory.bytes)) return 1;
                written++;
            }
        }
    }
    // 30 bits, 48 bits long enough to find words far back, zeros, 60 bits; then nothing is damaged, then two bytes
    static const uint8_t recipe[] = {30, 0, 2, 5, 48, 0, 15, 0, 0, 0, 1, 0, 60, 100, 0, 3, 0, 0, 0, 0, 200, 0, 0, 1, 0, 80, 0, 2};
    char path[4096];
    const int length = snprintf(path, sizeof path, "%s/recipe", argv[1]);
    if (length < 0 || (size_t)length >= sizeof path || !save(path, 3, recipe, sizeof recipe)) return 1;
    written++;
    printf("%u seeds\n", written);
    free(data);
    return 0;
}
