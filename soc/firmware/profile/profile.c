// SPDX-License-Identifier: Apache-2.0
// A profile of an operation on the processor, alone or with the core: its kernels are functions of the library that the linker wraps (kernels.inc), so the
// library is the one that is used. A kernel's work is without that of kernels inside it. Counting takes some 30 cycles a call.
#include "profile.h"

#include <ringside/mldsa.h>
#include <ringside/mlkem.h>
#include <ringside/plan.h>
#include <ringside/research.h>
#include <string.h>

#include "machine.h"
#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/sample.h"
#include "offload.h"
#include "papers/bliss/bliss.h"
#include "papers/newhope/newhope.h"

#define PROFILE ((profile_t *)JOB_ADDRESS)

void firmware_main(void);

static void check(rs_status_t status) {
    if (status == RS_OK) return;
    PROFILE->status = (uint64_t)status;
    machine_print(rs_status_name(status));
    machine_print("\n");
    machine_end(END_FAILED);
}

// ---- kernels -----------------------------------------------------------------------------------------------------------
static unsigned running[8]; // kernels inside each other; the operation is the first one
static unsigned depth;
static instant_t since; // the last of them began or goes on
static int counts; // 0: what is prepared is not counted
static int may_offload; // 0: the software prepares

static void account(void) {
    const instant_t now = machine_now();
    count_t *work = &PROFILE->kernels[running[depth]].work;
    work->cycles += now.cycles - since.cycles;
    work->instructions += now.instructions - since.instructions;
}

static void enter(unsigned kernel) {
    if (!counts) return;
    account();
    running[++depth] = kernel;
    PROFILE->kernels[kernel].calls++;
    since = machine_now();
}

static int is_on_core(unsigned kernel) {
    return may_offload && PROFILE->offload >> kernel & 1;
}

static void count_core(unsigned kernel) {
    program_t *program = &PROFILE->programs[offload_program()];
    if (!program->length) {
        program->kernel = kernel;
        offload_copy(program);
    }
    if (!counts) return;
    program->runs++;
    PROFILE->core_runs++;
    PROFILE->kernels[kernel].core_cycles += offload_cycles();
}

static void leave(void) {
    if (!counts) return;
    account();
    depth--;
    since = machine_now();
}

#define VOID(kernel, function, parameters, arguments) \
    void __real_##function parameters;                \
    void __wrap_##function parameters;                \
    void __wrap_##function parameters {               \
        enter(KERNEL_##kernel);                       \
        __real_##function arguments;                  \
        leave();                                      \
    }
#define ON_CORE(kernel, function, arguments) \
    check(core_##function arguments);        \
    count_core(KERNEL_##kernel);
#define VCORE(kernel, function, parameters, arguments) \
    void __real_##function parameters;                 \
    void __wrap_##function parameters;                 \
    void __wrap_##function parameters {                \
        enter(KERNEL_##kernel);                        \
        if (is_on_core(KERNEL_##kernel)) {             \
            ON_CORE(kernel, function, arguments)       \
        } else {                                       \
            __real_##function arguments;               \
        }                                              \
        leave();                                       \
    }
#define VWHOLE(kernel, function, parameters, arguments) \
    void __real_##function parameters;                  \
    void __wrap_##function parameters;                  \
    void __wrap_##function parameters {                 \
        if (is_on_core(KERNEL_##kernel)) {              \
            enter(KERNEL_##kernel);                     \
            ON_CORE(kernel, function, arguments)        \
            leave();                                    \
        } else {                                        \
            __real_##function arguments;                \
        }                                               \
    }
#define VALUE(kernel, type, function, parameters, arguments) \
    type __real_##function parameters;                       \
    type __wrap_##function parameters;                       \
    type __wrap_##function parameters {                      \
        enter(KERNEL_##kernel);                              \
        const type value = __real_##function arguments;      \
        leave();                                             \
        return value;                                        \
    }
#include "kernels.inc"

static instant_t began;

static void begin(void) {
    depth = 0;
    running[0] = KERNEL_REST;
    counts = may_offload = 1;
    began = since = machine_now();
}

static void end(void) {
    const instant_t now = machine_now();
    account();
    counts = may_offload = 0;
    PROFILE->total.cycles += now.cycles - began.cycles;
    PROFILE->total.instructions += now.instructions - began.instructions;
}

// ---- what comes out ----------------------------------------------------------------------------------------------------
static rs_sponge_t outputs;

void machine_trapped(void) {
}

void machine_interrupt(int comes) {
    (void)comes; // the driver polls
}

static void output(const uint8_t *bytes, size_t count) {
    rs_sponge_absorb(&outputs, bytes, count);
}

// ---- operations --------------------------------------------------------------------------------------------------------
enum { KEY_BYTES = 5000, MESSAGE_BYTES = 32, SEED_BYTES = 32, SEEDS = 4 };

static _Alignas(64) uint8_t workspace[192 * 1024];
static const rs_memory_t ROOM = {workspace, sizeof workspace};
static uint8_t first_key[KEY_BYTES], second_key[KEY_BYTES], third[KEY_BYTES];
static uint8_t shared[2][32];
static _Alignas(64) uint8_t tables[64 * 1024];
static uint8_t seeds[SEEDS * SEED_BYTES]; // seeds of a run

static void run_mlkem(uint64_t operation) {
    const rs_mlkem_set_t set = (rs_mlkem_set_t)PROFILE->set;
    const rs_mlkem_sizes_t *sizes = rs_mlkem_sizes(set);
    const size_t ek = sizes->ek, dk = sizes->dk, ct = sizes->ct;
    if (operation == STEP_FIRST) begin();
    check(rs_mlkem_keygen(RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = {first_key, ek}, .dk = {second_key, dk},
                                     .seed = {seeds, RS_MLKEM_SEED_BYTES}, .workspace = ROOM)));
    if (operation == STEP_FIRST) {
        end();
        output(first_key, ek);
        output(second_key, dk);
        return;
    }
    if (operation == STEP_SECOND) begin();
    check(rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = {first_key, ek}, .ct = {third, ct},
                                     .shared = {shared[0], sizeof shared[0]},
                                     .m = {seeds + RS_MLKEM_SEED_BYTES, RS_MLKEM_RANDOM_BYTES}, .workspace = ROOM)));
    if (operation == STEP_SECOND) {
        end();
        output(third, ct);
        output(shared[0], sizeof shared[0]);
        return;
    }
    begin();
    check(rs_mlkem_decaps(RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = {second_key, dk}, .ct = {third, ct},
                                     .shared = {shared[1], sizeof shared[1]}, .workspace = ROOM)));
    end();
    output(shared[1], sizeof shared[1]);
}

static void run_mldsa(uint64_t operation) {
    const rs_mldsa_set_t set = (rs_mldsa_set_t)PROFILE->set;
    const rs_mldsa_sizes_t *sizes = rs_mldsa_sizes(set);
    const size_t pk = sizes->pk, sk = sizes->sk, signature = sizes->signature;
    const rs_mldsa_message_t message = {.bytes = {seeds + SEED_BYTES, MESSAGE_BYTES}};
    if (operation == STEP_FIRST) begin();
    check(rs_mldsa_keygen(RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = {first_key, pk}, .sk = {second_key, sk},
                                     .seed = {seeds, RS_MLDSA_SEED_BYTES}, .workspace = ROOM)));
    if (operation == STEP_FIRST) {
        end();
        output(first_key, pk);
        output(second_key, sk);
        return;
    }
    if (operation == STEP_SECOND) begin();
    check(rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_DETERMINISTIC, .sk = {second_key, sk},
                                   .message = message, .signature = {third, signature}, .workspace = ROOM)));
    if (operation == STEP_SECOND) {
        end();
        output(third, signature);
        return;
    }
    begin();
    check(rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = {first_key, pk}, .message = message,
                                     .signature = {third, signature}, .workspace = ROOM)));
    end();
    output(third, signature);
}

// The server's work is before and after the client's: both count.
static void run_newhope(uint64_t operation) {
    const rs_newhope_t *scheme = NULL;
    const int is_client = operation == STEP_SECOND;
    check(rs_newhope_init(&scheme, (rs_memory_t){tables, sizeof tables}, RS_NEWHOPE_PARSE_USENIX, RS_NEWHOPE_STREAM_CHACHA20,
                          "research-only"));
    if (!is_client) begin();
    check(
        rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = scheme, .message = {first_key, RS_NEWHOPE_SERVER_BYTES},
                                     .secret = {second_key, RS_NEWHOPE_SECRET_BYTES}, .seed = {seeds, SEED_BYTES},
                                     .noise_seed = {seeds + SEED_BYTES, SEED_BYTES}, .workspace = ROOM)));
    if (!is_client) end();
    if (is_client) begin();
    check(rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = scheme,
                                       .server_message = {first_key, RS_NEWHOPE_SERVER_BYTES},
                                       .message = {third, RS_NEWHOPE_CLIENT_BYTES}, .shared = {shared[0], sizeof shared[0]},
                                       .noise_seed = {seeds + 2 * SEED_BYTES, SEED_BYTES}, .workspace = ROOM)));
    if (is_client) end();
    output(first_key, RS_NEWHOPE_SERVER_BYTES);
    output(third, RS_NEWHOPE_CLIENT_BYTES);
    if (!is_client) begin();
    check(rs_newhope_shared(scheme, (rs_bytes_t){shared[1], sizeof shared[1]}, (rs_view_t){third, RS_NEWHOPE_CLIENT_BYTES},
                            (rs_view_t){second_key, RS_NEWHOPE_SECRET_BYTES}, ROOM));
    if (!is_client) end();
    output(shared[1], sizeof shared[1]);
}

static void verify_bliss(const rs_bliss_t *scheme, rs_view_t message) {
    check(rs_bliss_verify(scheme, (rs_view_t){third, RS_BLISS_SIGNATURE_BYTES}, message,
                          (rs_view_t){first_key, RS_BLISS_PUBLIC_BYTES}, ROOM));
}

// Seeds of the library have 64 bytes. The second verification counts: what signs has brought the software's functions into the caches, but not
// the driver of the core.
static void run_bliss(uint64_t operation) {
    const rs_bliss_t *scheme = NULL;
    const rs_view_t message = {seeds + 3 * SEED_BYTES, MESSAGE_BYTES};
    check(rs_bliss_init(&scheme, (rs_memory_t){tables, sizeof tables}, "research-only"));
    check(rs_bliss_keygen(RS_REQUEST(rs_bliss_keygen_request_t, .scheme = scheme, .public_key = {first_key, RS_BLISS_PUBLIC_BYTES},
                                     .secret_key = {second_key, RS_BLISS_SECRET_BYTES}, .seed = {seeds, RS_SEED_BYTES},
                                     .workspace = ROOM)));
    if (operation == STEP_FIRST) begin();
    check(rs_bliss_sign(RS_REQUEST(rs_bliss_sign_request_t, .scheme = scheme, .secret_key = {second_key, RS_BLISS_SECRET_BYTES},
                                   .message = message, .signature = {third, RS_BLISS_SIGNATURE_BYTES},
                                   .seed = {seeds + SEED_BYTES, RS_SEED_BYTES}, .workspace = ROOM)));
    if (operation == STEP_FIRST) end();
    output(third, RS_BLISS_SIGNATURE_BYTES);
    if (operation == STEP_FIRST) return;
    may_offload = 1;
    verify_bliss(scheme, message);
    begin();
    verify_bliss(scheme, message);
    end();
}

// The transforms of NewHope and of BLISS are those that the core can do, and the hashes of BLISS if it has the units for them.
static void open_core(const profile_t *p) {
    const uint64_t known = UINT64_C(1) << KERNEL_TRANSFORM | (uint64_t)(p->scheme == SCHEME_BLISS) << KERNEL_KECCAK;
    if (p->offload & ~known || (p->scheme != SCHEME_NEWHOPE && p->scheme != SCHEME_BLISS)) check(RS_ERR_DESIGN);
    check(p->scheme == SCHEME_NEWHOPE ? offload_open(RS_NEWHOPE_LOG_N, RS_NEWHOPE_Q) : offload_open(RS_BLISS_LOG_N, RS_BLISS_Q));
    if (p->offload >> KERNEL_KECCAK & 1) check(offload_open_hashes());
}

void firmware_main(void) {
    static void (*const SCHEMES[])(uint64_t operation) = {run_mlkem, run_mldsa, run_newhope, run_bliss};
    profile_t *p = PROFILE;
    if (p->magic != PROFILE_MAGIC || p->bytes != sizeof *p || p->scheme >= SCHEME_COUNT || p->operation >= STEP_COUNT_OF_SCHEME)
        check(RS_ERR_MAGIC);
    if (p->offload) open_core(p);
    rs_sponge_init(&outputs, RS_SPONGE_SHA3_256);
    for (p->done = 0; p->done < p->runs; p->done++) {
        uint8_t text[RS_SEED_BYTES + sizeof p->done];
        memcpy(text, p->seed.bytes, RS_SEED_BYTES);
        memcpy(text + RS_SEED_BYTES, &p->done, sizeof p->done);
        rs_shake256(seeds, sizeof seeds, text, sizeof text);
        SCHEMES[p->scheme](p->operation);
    }
    rs_sponge_squeeze(&outputs, p->digest, sizeof p->digest);
    p->phase = PHASE_DONE;
    machine_end(END_OK);
}
