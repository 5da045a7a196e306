// SPDX-License-Identifier: Apache-2.0
// What the workers in C and C++ share: the line protocol of tests/bench/peers/__init__.py and the clocks.
// A request is one flat JSON object per line, written by the harness (bench/worker.py): no escapes, no nesting but one array.
#ifndef BENCH_WORKER_H
#define BENCH_WORKER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WORKER_LINE_BYTES = 8192, WORKER_NAME_BYTES = 64, WORKER_MODULI_MAX = 64 };

typedef struct worker_set {
    char name[WORKER_NAME_BYTES];
    uint64_t n;
    uint64_t moduli[WORKER_MODULI_MAX];
    uint64_t modulus_count;
    uint64_t special; // 1: the last modulus is the special prime
    uint64_t direct;  // 1: encrypt by public key without the special prime, where a library can
    double scale;
    uint64_t scheme;        // SEAL's number: 1 BFV, 2 CKKS, 3 BGV
    uint64_t plain_modulus; // in BFV and BGV, values are integers modulo it, else 0
} worker_set_t;

typedef struct worker_request {
    char op[WORKER_NAME_BYTES];
    uint64_t runs;  // samples wanted
    uint64_t batch; // calls per sample
    worker_set_t set; // the set of "start"
} worker_request_t;

// One call of an operation: 0 if it went well.
typedef int (*worker_call_t)(void);

static inline const char *worker_find(const char *line, const char *key) {
    char quoted[WORKER_NAME_BYTES + 4];
    snprintf(quoted, sizeof quoted, "\"%s\":", key);
    const char *found = strstr(line, quoted);
    if (!found) return NULL;
    found += strlen(quoted);
    return found + strspn(found, " ");
}

static inline uint64_t worker_number(const char *line, const char *key) {
    const char *text = worker_find(line, key);
    return text ? strtoull(text, NULL, 10) : 0;
}

static inline void worker_text(char *out, const char *line, const char *key) {
    const char *text = worker_find(line, key);
    size_t length = 0;
    if (text && *text == '"') {
        text++;
        length = strcspn(text, "\"");
        if (length >= WORKER_NAME_BYTES) length = WORKER_NAME_BYTES - 1;
        memcpy(out, text, length);
    }
    out[length] = 0;
}

// 0 at the end of the input.
static inline int worker_read(worker_request_t *request) {
    static char line[WORKER_LINE_BYTES];
    if (!fgets(line, sizeof line, stdin)) return 0;
    memset(request, 0, sizeof *request);
    worker_text(request->op, line, "op");
    request->runs = worker_number(line, "runs");
    request->batch = worker_number(line, "batch");
    worker_text(request->set.name, line, "set");
    request->set.n = worker_number(line, "n");
    request->set.special = worker_number(line, "special");
    request->set.direct = worker_number(line, "direct");
    request->set.scheme = worker_number(line, "scheme");
    request->set.plain_modulus = worker_number(line, "plain_modulus");
    const char *scale = worker_find(line, "scale");
    request->set.scale = scale ? strtod(scale, NULL) : 0;
    const char *moduli = worker_find(line, "moduli");
    if (moduli && *moduli == '[') {
        char *next = (char *)moduli + 1;
        while (*next != ']' && request->set.modulus_count < WORKER_MODULI_MAX) {
            request->set.moduli[request->set.modulus_count++] = strtoull(next, &next, 10);
            next += strspn(next, ", ");
        }
    }
    return 1;
}

static inline double worker_clock(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1e9 * (double)now.tv_sec + (double)now.tv_nsec;
}

static inline void worker_say(const char *key, const char *value) {
    printf("{\"%s\": \"%s\"}\n", key, value);
    fflush(stdout);
}

// Values in [-1, 1), the same in every worker: (i * 2654435761 mod 2^32) / 2^31 - 1.
static inline void worker_values(double *values, size_t count) {
    for (size_t i = 0; i < count; i++) values[i] = (double)((uint32_t)i * UINT32_C(2654435761)) / 2147483648.0 - 1;
}

// Integers from -floor(t/2) to floor((t-1)/2), the same in every worker.
static inline void worker_integers(int64_t *values, size_t count, uint64_t t) {
    for (size_t i = 0; i < count; i++)
        values[i] = (int64_t)((uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15) % t) - (int64_t)(t / 2);
}

// Words below q for a transform, the same in every worker: (i + 1) * 0x9e3779b97f4a7c15 mod 2^64, mod q.
static inline void worker_words(uint64_t *words, size_t count, uint64_t q) {
    for (size_t i = 0; i < count; i++) words[i] = (uint64_t)(i + 1) * UINT64_C(0x9e3779b97f4a7c15) % q;
}

// FNV-1a over words: whether two workers' transforms agree.
#define WORKER_DIGEST_START UINT64_C(14695981039346656037)
static inline uint64_t worker_digest(uint64_t digest, const uint64_t *words, size_t count) {
    for (size_t i = 0; i < count; i++) digest = (digest ^ words[i]) * UINT64_C(1099511628211);
    return digest;
}

// Times `runs` samples of `batch` calls each and answers in ns per call. bytes: size of what was made, 0 if it has none.
static inline void worker_time(worker_call_t call, const worker_request_t *request, uint64_t bytes) {
    const uint64_t runs = request->runs ? request->runs : 1, batch = request->batch ? request->batch : 1;
    double *cpu = (double *)calloc(2 * runs, sizeof *cpu);
    if (!cpu) {
        worker_say("error", "no memory for the samples");
        return;
    }
    double *wall = cpu + runs;
    int failed = 0;
    for (uint64_t run = 0; run < runs && !failed; run++) {
        const double wall_start = worker_clock(CLOCK_MONOTONIC), cpu_start = worker_clock(CLOCK_PROCESS_CPUTIME_ID);
        for (uint64_t i = 0; i < batch && !failed; i++) failed = call();
        cpu[run] = (worker_clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / (double)batch;
        wall[run] = (worker_clock(CLOCK_MONOTONIC) - wall_start) / (double)batch;
    }
    if (failed) {
        printf("{\"error\": \"%s failed with %d\"}\n", request->op, failed);
    } else {
        const double *const lists[] = {cpu, wall};
        const char *const names[] = {"cpu", "wall"};
        printf("{\"bytes\": %llu", (unsigned long long)bytes);
        for (int list = 0; list < 2; list++) {
            printf(", \"%s\": [", names[list]);
            for (uint64_t run = 0; run < runs; run++) printf("%s%.1f", run ? ", " : "", lists[list][run]);
            printf("]");
        }
        printf("}\n");
    }
    fflush(stdout);
    free(cpu);
}

#endif
