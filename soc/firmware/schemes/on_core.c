// SPDX-License-Identifier: Apache-2.0
// Calls of schemes by the core, whose constants and programs are made when it is set up.
#include <ringside/device_mldsa.h>
#include <ringside/device_mlkem.h>
#include <ringside/device_newhope.h>

#include "calls.h"
#include "stages.h"

void beside_prepare(rs_memory_t tables) {
    (void)tables;
    require(RS_ERR_FORM, STEP_JOB);
}

void beside_begin(void) {}

void beside_end(void) {}

#define BY_CORE(scheme, name, ...) \
    rs_device_##scheme##_##name(device, RS_REQUEST(rs_##scheme##_##name##_request_t, __VA_ARGS__), RS_DEVICE_RUN)

rs_status_t beside_call(void) {
    const rs_mldsa_message_t message = {(uint32_t)call.form, (uint32_t)call.hash, IN(1), BYTES(call.context)};
    uint32_t rounds = 0;
    rs_status_t status;
    switch (JOB->op) {
    case OP_MLKEM_KEYGEN: return BY_CORE(mlkem, keygen, .ek = OUT(0), .dk = OUT(1), .seed = IN(0));
    case OP_MLKEM_ENCAPS: return BY_CORE(mlkem, encaps, .ct = OUT(0), .shared = OUT(1), .ek = IN(0), .m = IN(1));
    case OP_MLKEM_DECAPS: return BY_CORE(mlkem, decaps, .shared = OUT(0), .dk = IN(0), .ct = IN(1));
    case OP_MLDSA_KEYGEN: return BY_CORE(mldsa, keygen, .pk = OUT(0), .sk = OUT(1), .seed = IN(0));
    case OP_MLDSA_SIGN:
        status = BY_CORE(mldsa, sign, .mode = RS_MLDSA_GIVEN, .signature = OUT(0), .sk = IN(0), .message = message, .rnd = IN(2),
                         .rounds = &rounds);
        JOB->rounds = rounds;
        return status;
    case OP_MLDSA_VERIFY: return BY_CORE(mldsa, verify, .pk = IN(0), .message = message, .signature = IN(2));
    case OP_NEWHOPE_BEGIN: return BY_CORE(newhope, server, .message = OUT(0), .secret = OUT(1), .seed = IN(0), .noise_seed = IN(1));
    case OP_NEWHOPE_CLIENT:
        return BY_CORE(newhope, client, .message = OUT(0), .shared = OUT(1), .server_message = IN(0), .noise_seed = IN(1));
    default: return BY_CORE(newhope, shared, .shared = OUT(0), .client_message = IN(0), .secret = IN(1));
    }
}

static void set_up(void) {
    device = opened(scratch_memory);
    if (JOB->op >= OP_NEWHOPE_BEGIN) {
        require(rs_device_newhope_prepare(device, EXCHANGE), STEP_OPEN);
    } else if (JOB->op < OP_MLDSA_KEYGEN) {
        require(rs_device_mlkem_prepare(device, (rs_mlkem_set_t)JOB->set), STEP_OPEN);
    } else {
        require(rs_device_mldsa_prepare(device, (rs_mldsa_set_t)JOB->set), STEP_OPEN);
    }
}

void beside_open(void) {
    if (!JOB->device) return;
    stages_begin();
    set_up();
    stages_end(machine_now());
    JOB->setup = sum();
}
