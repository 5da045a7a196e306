// SPDX-License-Identifier: Apache-2.0
// The firmware's output, from a machine with an operating system: what the firmware has to print. With a directory as argument the SEAL
// files of the trace are written there, for a comparison byte by byte.
#include <ringside/ckks.h>
#include <stdio.h>
#include <stdlib.h>

#include "trace.h"

static void print(const char *text) { fputs(text, stdout); }

static rs_status_t save(void *state, const char *set, const char *name, const uint8_t *data, size_t bytes) {
    const char *directory = state;
    char path[4096];
    if ((size_t)snprintf(path, sizeof path, "%s/%s.%s.seal", directory, set, name) >= sizeof path) return RS_ERR_IO;
    FILE *file = fopen(path, "wb");
    if (!file) return RS_ERR_IO;
    const size_t written = fwrite(data, 1, bytes, file);
    return fclose(file) == 0 && written == bytes ? RS_OK : RS_ERR_IO;
}

int main(int argc, char **argv) {
    void *memory = malloc(TRACE_MEMORY_BYTES);
    if (!memory || rs_selftest_size() > TRACE_MEMORY_BYTES) return 1;
    const rs_status_t selftest = rs_selftest(memory, TRACE_MEMORY_BYTES);
    printf("selftest %s\n", rs_status_name(selftest));
    const trace_output_t output = {print, argc > 1 ? save : NULL, argc > 1 ? argv[1] : NULL};
    const rs_status_t trace = trace_run(&output, memory);
    printf("trace %s\n", rs_status_name(trace));
    free(memory);
    return selftest != RS_OK || trace != RS_OK;
}
