// SPDX-License-Identifier: Apache-2.0
// A context of any scheme.
#include "ckks/context.h"
#include "base/checks.h"
#include "exact/context.h"

static int is_ckks(const rs_params_t *params) { return params->scheme == RS_SCHEME_CKKS; }

size_t rs_context_size(const rs_params_t *params) {
    if (rs_params_check(params, RS_SECURITY_UNCHECKED) != RS_OK) return 0;
    return (is_ckks(params) ? rs_ckks_context_size : rs_exact_context_size)(params);
}

rs_status_t rs_context_init(const rs_context_t **context, const rs_context_request_t *request) {
    RS_TRY(RS_CHECK_REQUEST(request));
    const rs_params_t *params = request->params;
    if (!context || !params) return RS_ERR_NULL;
    RS_TRY(rs_params_check(params, request->security));
    RS_TRY(rs_check_memory(request->memory, rs_context_size(params)));
    RS_TRY(rs_backend_status());
    return (is_ckks(params) ? rs_ckks_context_init : rs_exact_context_init)(context, params, request->memory.p);
}
