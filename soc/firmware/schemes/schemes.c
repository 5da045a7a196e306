// SPDX-License-Identifier: Apache-2.0
// ML-KEM, ML-DSA and NewHope on the SoC, by the core or by software, measured (schemes.h). The core's constants and programs are made when it is set up.
#include "schemes.h"

#include <ringside/device_mldsa.h>
#include <ringside/device_mlkem.h>
#include <ringside/device_newhope.h>
#include <string.h>

#include "clock.h"
#include "machine.h"

#define JOB ((schemes_t *)JOB_ADDRESS)

enum { SCHEME_WORDS = 1 << 14 }; // words of a scheme's tables

void firmware_main(void);

static _Alignas(64) uint8_t device_memory[RS_DEVICE_BYTES_MAX];
static rs_device_t *device; // NULL: not open
static uint64_t tables[SCHEME_WORDS];
static const rs_newhope_t *exchange; // tables of NewHope's calls

// ---- memory that the host names --------------------------------------------------------------------------------------------
static int inside(const array_t *array) {
    const schemes_t *job = JOB;
    return array->address >= JOB_ADDRESS + sizeof *job && array->address <= job->end && array->bytes <= job->end - array->address;
}

static uint8_t *bytes_of(const array_t *array) {
    return (uint8_t *)(uintptr_t)array->address;
}

static void wipe_secrets(void) {
    schemes_t *job = JOB;
    array_t *arrays[] = {&job->inputs[0],  &job->inputs[1], &job->inputs[2], &job->outputs[0],
                         &job->outputs[1], &job->workspace, &job->shared};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (inside(arrays[i])) rs_zeroize(bytes_of(arrays[i]), (size_t)arrays[i]->bytes);
    }
    if (device && rs_device_close(device) != RS_OK) machine_print("the core could not be wiped\n");
}

static void check(rs_status_t status) {
    if (status == RS_OK) return;
    JOB->status = (uint64_t)status;
    machine_print(rs_status_name(status));
    machine_print("\n");
    wipe_secrets();
    machine_end(END_FAILED);
}

void machine_trapped(void) {
    wipe_secrets();
}

void machine_interrupt(int comes) {
    (void)comes; // the driver polls
}

static void check_job(void) {
    const schemes_t *job = JOB;
    if (job->call >= CALL_COUNT || job->device > 1 || !job->calls || job->calls > CALLS_MAX) check(RS_ERR_FORM);
    const array_t *arrays[] = {&job->inputs[0],  &job->inputs[1], &job->inputs[2], &job->outputs[0],
                               &job->outputs[1], &job->context,   &job->shared,    &job->workspace};
    for (unsigned i = 0; i < sizeof arrays / sizeof *arrays; i++) {
        if (arrays[i]->bytes && !inside(arrays[i])) check(RS_ERR_TOO_SMALL);
    }
}

// ---- calls -----------------------------------------------------------------------------------------------------------------
#define IN(i) bytes_of(&job->inputs[i]), (size_t)job->inputs[i].bytes
#define OUT(i) bytes_of(&job->outputs[i]), (size_t)job->outputs[i].bytes
#define CONTEXT bytes_of(&job->context), (size_t)job->context.bytes
#define WORK bytes_of(&job->workspace), (size_t)job->workspace.bytes

static rs_status_t by_software(const schemes_t *job) {
    const uint32_t set = (uint32_t)job->set;
    const rs_mldsa_message_t message = {.bytes = {IN(1)}, .context = {CONTEXT}};
    switch (job->call) {
    case CALL_MLKEM_KEYGEN:
        return rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {OUT(0)}, .dk = {OUT(1)}, .seed = {IN(0)},
                                          .workspace = {WORK}));
    case CALL_MLKEM_ENCAPS:
        return rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {IN(0)}, .ct = {OUT(0)}, .shared = {OUT(1)},
                                          .m = {IN(1)}, .workspace = {WORK}));
    case CALL_MLKEM_DECAPS:
        return rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {IN(0)}, .ct = {IN(1)}, .shared = {OUT(0)},
                                          .workspace = {WORK}));
    case CALL_MLDSA_KEYGEN:
        return rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {OUT(0)}, .sk = {OUT(1)}, .seed = {IN(0)},
                                          .workspace = {WORK}));
    case CALL_MLDSA_SIGN:
        return rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_GIVEN, .sk = {IN(0)},
                                        .message = message, .signature = {OUT(0)}, .rnd = {IN(2)}, .workspace = {WORK}));
    case CALL_NEWHOPE_SERVER:
        return rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = exchange, .message = {OUT(0)},
                                            .secret = {OUT(1)}, .seed = {IN(0)}, .noise_seed = {IN(1)}, .workspace = {WORK}));
    case CALL_NEWHOPE_CLIENT:
        return rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = exchange, .server_message = {IN(0)},
                                            .message = {OUT(0)}, .shared = {OUT(1)}, .noise_seed = {IN(1)}, .workspace = {WORK}));
    case CALL_NEWHOPE_SHARED:
        return rs_newhope_shared(exchange, (rs_bytes_t){OUT(0)}, (rs_view_t){IN(0)}, (rs_view_t){IN(1)}, (rs_memory_t){WORK});
    default:
        return rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {IN(0)}, .message = message,
                                          .signature = {IN(2)}, .workspace = {WORK}));
    }
}

#define BY_CORE(scheme, call, ...) \
    rs_device_##scheme##_##call(device, RS_REQUEST(rs_##scheme##_##call##_request_t, __VA_ARGS__), RS_DEVICE_RUN)

static rs_status_t by_core(schemes_t *job) {
    const rs_mldsa_message_t message = {(uint32_t)job->form, (uint32_t)job->hash, {IN(1)}, {CONTEXT}};
    uint32_t rounds = 0;
    rs_status_t status;
    switch (job->call) {
    case CALL_MLKEM_KEYGEN:
        return BY_CORE(mlkem, keygen, .ek = {OUT(0)}, .dk = {OUT(1)}, .seed = {IN(0)});
    case CALL_MLKEM_ENCAPS:
        return BY_CORE(mlkem, encaps, .ct = {OUT(0)}, .shared = {OUT(1)}, .ek = {IN(0)}, .m = {IN(1)});
    case CALL_MLKEM_DECAPS:
        return BY_CORE(mlkem, decaps, .shared = {OUT(0)}, .dk = {IN(0)}, .ct = {IN(1)});
    case CALL_MLDSA_KEYGEN:
        return BY_CORE(mldsa, keygen, .pk = {OUT(0)}, .sk = {OUT(1)}, .seed = {IN(0)});
    case CALL_MLDSA_SIGN:
        status = BY_CORE(mldsa, sign, .mode = RS_MLDSA_GIVEN, .signature = {OUT(0)}, .sk = {IN(0)}, .message = message,
                         .rnd = {IN(2)}, .rounds = &rounds);
        job->rounds = rounds;
        return status;
    case CALL_NEWHOPE_SERVER:
        return BY_CORE(newhope, server, .message = {OUT(0)}, .secret = {OUT(1)}, .seed = {IN(0)}, .noise_seed = {IN(1)});
    case CALL_NEWHOPE_CLIENT:
        return BY_CORE(newhope, client, .message = {OUT(0)}, .shared = {OUT(1)}, .server_message = {IN(0)}, .noise_seed = {IN(1)});
    case CALL_NEWHOPE_SHARED:
        return BY_CORE(newhope, shared, .shared = {OUT(0)}, .client_message = {IN(0)}, .secret = {IN(1)});
    default:
        return BY_CORE(mldsa, verify, .pk = {IN(0)}, .message = message, .signature = {IN(2)});
    }
}

static void set_up(schemes_t *job) {
    const rs_bus_t bus = clock_bus(bytes_of(&job->shared), (size_t)job->shared.bytes, job->reads_max);
    check(rs_device_open(&device, (rs_memory_t){device_memory, sizeof device_memory}, &bus));
    if (exchange) {
        check(rs_device_newhope_prepare(device, exchange));
    } else if (job->call < CALL_MLDSA_KEYGEN) {
        check(rs_device_mlkem_prepare(device, (rs_mlkem_set_t)job->set));
    } else {
        check(rs_device_mldsa_prepare(device, (rs_mldsa_set_t)job->set));
    }
}

void firmware_main(void) {
    schemes_t *job = JOB;
    if (job->magic != SCHEMES_MAGIC || job->bytes != sizeof *job || job->phase != PHASE_RUN) {
        machine_print("RS_ERR_MAGIC\n");
        machine_end(END_FAILED);
    }
    check_job();
    if (job->call >= CALL_NEWHOPE_SERVER) {
        check(rs_newhope_init(&exchange, (rs_memory_t){tables, sizeof tables}, (uint32_t)job->set, RS_NEWHOPE_STREAM_SHAKE256,
                              "research-only"));
    }
    if (job->device) {
        clock_begin();
        set_up(job);
        clock_end(job);
        job->setup = job->total;
    }
    for (job->done = 0; job->done < job->calls; job->done++) {
        clock_begin();
        job->answer = (uint64_t)(job->device ? by_core(job) : by_software(job));
        clock_end(job);
        if (!job->done) job->first = job->total;
    }
    job->phase = PHASE_DONE;
    machine_end(END_OK);
}
