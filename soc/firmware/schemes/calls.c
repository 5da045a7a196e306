// SPDX-License-Identifier: Apache-2.0
// Calls of ML-KEM, ML-DSA and NewHope by software, or by what the link has beside it (calls.h), measured (job.h).
#include "calls.h"

#include <ringside/mldsa.h>
#include <ringside/mlkem.h>

#include "stages.h"

frame_t call;
rs_memory_t workspace;

static void check_job(void) {
    const uint64_t op = JOB->op;
    if (op <= OP_DECRYPT || op >= OP_COUNT || JOB->device > 1 || (JOB->device && op >= OP_NEWHOPE_SERVER))
        require(RS_ERR_FORM, STEP_JOB);
}

void job_prepare(void) {
    job_t *job = JOB;
    check_job();
    if (job->op < OP_NEWHOPE_BEGIN) return;
    const rs_memory_t tables = {take(TABLE_BYTES), TABLE_BYTES};
    const rs_newhope_t *exchange = NULL;
    if (job->op >= OP_BLISS_SIGN) {
        beside_prepare(tables);
        return;
    }
    require(rs_newhope_init(&exchange, tables, (uint32_t)job->set, (uint32_t)job->stream, "research-only"), STEP_CONTEXT);
    job->context = (uintptr_t)exchange;
}

static rs_status_t by_software(void) {
    const uint32_t set = (uint32_t)JOB->set;
    const rs_mldsa_message_t message = {(uint32_t)call.form, (uint32_t)call.hash, IN(1), BYTES(call.context)};
    rs_status_t status;
    switch (JOB->op) {
    case OP_MLKEM_KEYGEN:
        return rs_mlkem_keygen(
            RS_REQUEST(rs_mlkem_keygen_request_t, .set = set, .ek = OUT(0), .dk = OUT(1), .seed = IN(0), .workspace = workspace));
    case OP_MLKEM_ENCAPS:
        return rs_mlkem_encaps(RS_REQUEST(rs_mlkem_encaps_request_t, .set = set, .ek = IN(0), .ct = OUT(0), .shared = OUT(1),
                                          .m = IN(1), .workspace = workspace));
    case OP_MLKEM_DECAPS:
        return rs_mlkem_decaps(
            RS_REQUEST(rs_mlkem_decaps_request_t, .set = set, .dk = IN(0), .ct = IN(1), .shared = OUT(0), .workspace = workspace));
    case OP_MLDSA_KEYGEN:
        return rs_mldsa_keygen(
            RS_REQUEST(rs_mldsa_keygen_request_t, .set = set, .pk = OUT(0), .sk = OUT(1), .seed = IN(0), .workspace = workspace));
    case OP_MLDSA_SIGN:
        return rs_mldsa_sign(RS_REQUEST(rs_mldsa_sign_request_t, .set = set, .mode = RS_MLDSA_GIVEN, .sk = IN(0),
                                        .message = message, .signature = OUT(0), .rnd = IN(2), .workspace = workspace));
    case OP_MLDSA_VERIFY:
        return rs_mldsa_verify(RS_REQUEST(rs_mldsa_verify_request_t, .set = set, .pk = IN(0), .message = message,
                                          .signature = IN(2), .workspace = workspace));
    case OP_NEWHOPE_BEGIN:
    case OP_NEWHOPE_SERVER:
        status = rs_newhope_server(RS_REQUEST(rs_newhope_server_request_t, .scheme = EXCHANGE, .message = OUT(0), .secret = OUT(1),
                                              .seed = IN(0), .noise_seed = IN(1), .workspace = workspace));
        if (status != RS_OK || JOB->op == OP_NEWHOPE_BEGIN) return status;
        return rs_newhope_shared(EXCHANGE, (rs_bytes_t)OUT(2), (rs_view_t)IN(2), (rs_view_t)OUT(1), workspace);
    case OP_NEWHOPE_CLIENT:
        return rs_newhope_client(RS_REQUEST(rs_newhope_client_request_t, .scheme = EXCHANGE, .server_message = IN(0),
                                            .message = OUT(0), .shared = OUT(1), .noise_seed = IN(1), .workspace = workspace));
    default: return rs_newhope_shared(EXCHANGE, (rs_bytes_t)OUT(0), (rs_view_t)IN(0), (rs_view_t)IN(1), workspace);
    }
}

__attribute__((noinline)) count_t sum(void) {
    count_t all = {0};
    for (unsigned i = 0; i < STAGE_COUNT; i++) {
        all.cycles += JOB->stages[i].cycles;
        all.instructions += JOB->stages[i].instructions;
    }
    return all;
}

void job_run(void) {
    job_t *job = JOB;
    const int is_beside = job->device || job->op >= OP_BLISS_SIGN;
    check_job();
    if (!job->device) workspace = (rs_memory_t){take(WORKSPACE_BYTES), WORKSPACE_BYTES};
    beside_open();
    for (uint64_t i = 0; i < job->frame_count; i++) {
        call = *work_on(i);
        if (i >= job->singles) beside_begin();
        stages_begin();
        const rs_status_t answer = is_beside ? beside_call() : by_software();
        stages_end(machine_now());
        beside_end();
        frame_at(i)->answer = (uint64_t)answer;
        if (!i) job->first = sum();
        job->done = i + 1;
    }
}
