// SPDX-License-Identifier: Apache-2.0
// A profile of an operation on the processor, alone or with the core: its kernels are functions of the library that the linker wraps (kernels.inc), so the
// library is the one that is used. A kernel's work is without that of kernels inside it. Counting takes some 30 cycles a call.
#include "profile.h"

#include <string.h>

#include "mldsa/expand.h"
#include "mldsa/packing.h"
#include "mlkem/codec.h"
#include "mlkem/ntt.h"
#include "mlkem/sample.h"
#include "offload.h"
#include "papers/bliss/bliss.h"
#include "papers/newhope/newhope.h"
#include "schemes/calls.h"

static profile_t profile; // at a fixed place, while it counts

// ---- kernels -----------------------------------------------------------------------------------------------------------
static unsigned running[8]; // kernels inside each other; the operation is the first one
static unsigned depth;
static instant_t from; // the last of them began or goes on
static int counts; // 0: calls before those that count
static int may_offload; // 0: the software prepares

static void account(void) {
    const instant_t now = machine_now();
    count_t *work = &profile.kernels[running[depth]].work;
    work->cycles += now.cycles - from.cycles;
    work->instructions += now.instructions - from.instructions;
}

static void enter(unsigned kernel) {
    if (!counts) return;
    account();
    running[++depth] = kernel;
    profile.kernels[kernel].calls++;
    from = machine_now();
}

static int is_on_core(unsigned kernel) { return may_offload && JOB->offload >> kernel & 1; }

static void count_core(unsigned kernel) {
    program_t *program = &profile.programs[offload_program()];
    if (!program->length) {
        program->kernel = kernel;
        offload_copy(program);
    }
    if (!counts) return;
    program->runs++;
    profile.core_runs++;
    profile.kernels[kernel].core_cycles += offload_cycles();
}

static void leave(void) {
    if (!counts) return;
    account();
    depth--;
    from = machine_now();
}

#define VOID(kernel, function, parameters, arguments) \
    void __real_##function parameters;                \
    void __wrap_##function parameters;                \
    void __wrap_##function parameters {               \
        enter(KERNEL_##kernel);                       \
        __real_##function arguments;                  \
        leave();                                      \
    }
#define ON_CORE(kernel, function, arguments)       \
    require(core_##function arguments, STEP_CALL); \
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

void beside_begin(void) {
    depth = 0;
    running[0] = KERNEL_REST;
    counts = 1;
    began = from = machine_now();
}

void beside_end(void) {
    if (!counts) return;
    const instant_t now = machine_now();
    account();
    counts = 0;
    profile.total.cycles += now.cycles - began.cycles;
    profile.total.instructions += now.instructions - began.instructions;
    if (JOB->current + 1 == JOB->frame_count) memcpy(given(&JOB->kernels, sizeof profile), &profile, sizeof profile);
}

void beside_prepare(rs_memory_t tables) {
    const rs_bliss_t *bliss = NULL;
    require(rs_bliss_init(&bliss, tables, "research-only"), STEP_CONTEXT);
    JOB->context = (uintptr_t)bliss;
}

// The transforms of NewHope and of BLISS are those that the core can do, and the hashes of BLISS if it has the units for them.
void beside_open(void) {
    const job_t *job = JOB;
    const int is_bliss = job->op >= OP_BLISS_SIGN;
    const uint64_t known = UINT64_C(1) << KERNEL_TRANSFORM | (uint64_t)is_bliss << KERNEL_KECCAK;
    given(&job->kernels, sizeof profile);
    if (job->device) require(RS_ERR_DESIGN, STEP_JOB);
    if (!job->offload) return;
    if (job->offload & ~known || job->op < OP_NEWHOPE_BEGIN) require(RS_ERR_DESIGN, STEP_JOB);
    require(is_bliss ? offload_open(RS_BLISS_LOG_N, RS_BLISS_Q) : offload_open(RS_NEWHOPE_LOG_N, RS_NEWHOPE_Q), STEP_OPEN);
    if (job->offload >> KERNEL_KECCAK & 1) require(offload_open_hashes(), STEP_OPEN);
    may_offload = 1;
}

rs_status_t beside_call(void) {
    const rs_bliss_t *bliss = (const rs_bliss_t *)(uintptr_t)JOB->context;
    if (JOB->op == OP_BLISS_VERIFY) return rs_bliss_verify(bliss, (rs_view_t)IN(2), (rs_view_t)IN(1), (rs_view_t)IN(0), workspace);
    return rs_bliss_sign(RS_REQUEST(rs_bliss_sign_request_t, .scheme = bliss, .secret_key = IN(0), .message = IN(1),
                                    .signature = OUT(0), .seed = IN(2), .workspace = workspace));
}
