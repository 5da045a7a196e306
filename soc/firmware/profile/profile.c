// SPDX-License-Identifier: Apache-2.0
// A profile of an operation on the processor, alone or with the core: its kernels are functions of the library that the linker wraps (kernels.inc), so the
// library is the one that is used. A kernel's work is without that of kernels inside it. Counting takes some 30 cycles a call.
#include "profile.h"

#include <ringside/bliss.h>
#include <ringside/mldsa.h>
#include <ringside/mlkem.h>
#include <ringside/newhope.h>
#include <ringside/plan.h>
#include <string.h>

#include "bliss/bliss.h"
#include "machine.h"
#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/sample.h"
#include "newhope/newhope.h"
#include "offload.h"

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
static uint8_t first_key[KEY_BYTES], second_key[KEY_BYTES], third[KEY_BYTES];
static uint8_t shared[2][32];
static _Alignas(64) uint8_t tables[64 * 1024];
static uint8_t seeds[SEEDS * SEED_BYTES]; // seeds of a run

static void run_mlkem(uint64_t operation) {
    const rs_mlkem_set_t set = (rs_mlkem_set_t)PROFILE->set;
    const size_t ek = rs_mlkem_ek_bytes(set), dk = rs_mlkem_dk_bytes(set), ct = rs_mlkem_ct_bytes(set);
    if (operation == STEP_FIRST) begin();
    check(rs_mlkem_keygen_seed(set, first_key, ek, second_key, dk, seeds, RS_MLKEM_SEED_BYTES, workspace, sizeof workspace));
    if (operation == STEP_FIRST) {
        end();
        output(first_key, ek);
        output(second_key, dk);
        return;
    }
    if (operation == STEP_SECOND) begin();
    check(rs_mlkem_encaps_derand(set, third, ct, shared[0], sizeof shared[0], first_key, ek, seeds + RS_MLKEM_SEED_BYTES,
                                 RS_MLKEM_RANDOM_BYTES, workspace, sizeof workspace));
    if (operation == STEP_SECOND) {
        end();
        output(third, ct);
        output(shared[0], sizeof shared[0]);
        return;
    }
    begin();
    check(rs_mlkem_decaps(set, shared[1], sizeof shared[1], second_key, dk, third, ct, workspace, sizeof workspace));
    end();
    output(shared[1], sizeof shared[1]);
}

static void run_mldsa(uint64_t operation) {
    const rs_mldsa_set_t set = (rs_mldsa_set_t)PROFILE->set;
    const size_t pk = rs_mldsa_pk_bytes(set), sk = rs_mldsa_sk_bytes(set), signature = rs_mldsa_signature_bytes(set);
    const uint8_t *message = seeds + SEED_BYTES;
    if (operation == STEP_FIRST) begin();
    check(rs_mldsa_keygen_seed(set, first_key, pk, second_key, sk, seeds, RS_MLDSA_SEED_BYTES, workspace, sizeof workspace));
    if (operation == STEP_FIRST) {
        end();
        output(first_key, pk);
        output(second_key, sk);
        return;
    }
    if (operation == STEP_SECOND) begin();
    check(rs_mldsa_sign_deterministic(set, third, signature, second_key, sk, message, MESSAGE_BYTES, NULL, 0, workspace,
                                      sizeof workspace));
    if (operation == STEP_SECOND) {
        end();
        output(third, signature);
        return;
    }
    begin();
    check(rs_mldsa_verify(set, first_key, pk, message, MESSAGE_BYTES, NULL, 0, third, signature, workspace, sizeof workspace));
    end();
    output(third, signature);
}

// The server's work is before and after the client's: both count.
static void run_newhope(uint64_t operation) {
    const rs_newhope_t *scheme = NULL;
    const int is_client = operation == STEP_SECOND;
    check(rs_newhope_init(&scheme, tables, sizeof tables, RS_NEWHOPE_PARSE_USENIX, "research-only"));
    if (!is_client) begin();
    check(rs_newhope_server_derand(scheme, first_key, second_key, seeds, seeds + SEED_BYTES, workspace, sizeof workspace));
    if (!is_client) end();
    if (is_client) begin();
    check(rs_newhope_client_derand(scheme, third, shared[0], first_key, RS_NEWHOPE_SERVER_BYTES, seeds + 2 * SEED_BYTES, workspace,
                                   sizeof workspace));
    if (is_client) end();
    output(first_key, RS_NEWHOPE_SERVER_BYTES);
    output(third, RS_NEWHOPE_CLIENT_BYTES);
    if (!is_client) begin();
    check(rs_newhope_shared(scheme, shared[1], third, RS_NEWHOPE_CLIENT_BYTES, second_key, workspace, sizeof workspace));
    if (!is_client) end();
    output(shared[1], sizeof shared[1]);
}

static void verify_bliss(const rs_bliss_t *scheme, const uint8_t *message) {
    check(rs_bliss_verify(scheme, third, RS_BLISS_SIGNATURE_BYTES, message, MESSAGE_BYTES, first_key, RS_BLISS_PUBLIC_BYTES,
                          workspace, sizeof workspace));
}

// Seeds of the library have 64 bytes. The second verification counts: what signs has brought the software's functions into the caches, but not
// the driver of the core.
static void run_bliss(uint64_t operation) {
    const rs_bliss_t *scheme = NULL;
    rs_seed_t seed;
    const uint8_t *message = seeds + 3 * SEED_BYTES;
    check(rs_bliss_init(&scheme, tables, sizeof tables, "research-only"));
    memcpy(seed.bytes, seeds, sizeof seed.bytes);
    check(rs_bliss_keypair_derand(scheme, first_key, second_key, &seed, workspace, sizeof workspace));
    memcpy(seed.bytes, seeds + SEED_BYTES, sizeof seed.bytes);
    if (operation == STEP_FIRST) begin();
    check(rs_bliss_sign_derand(scheme, third, message, MESSAGE_BYTES, second_key, &seed, workspace, sizeof workspace));
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
