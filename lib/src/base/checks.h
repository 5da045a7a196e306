// SPDX-License-Identifier: Apache-2.0
// How errors are passed on, and the check of a workspace.
#ifndef RINGSIDE_BASE_CHECKS_H
#define RINGSIDE_BASE_CHECKS_H

#include <ringside/base.h>

#include "base/bytes.h"

#define RS_TRY(expression)                           \
    do {                                             \
        const rs_status_t try_status = (expression); \
        if (try_status != RS_OK) return try_status;  \
    } while (0)

// A caller's memory for at least `needed` bytes, aligned to 8.
static inline rs_status_t rs_check_memory(rs_memory_t memory, size_t needed) {
    if (!needed) return RS_OK;
    if (!memory.p) return RS_ERR_NULL;
    if (memory.n < needed) return RS_ERR_TOO_SMALL;
    return (uintptr_t)memory.p & 7 ? RS_ERR_ALIGNMENT : RS_OK;
}

// A request whose struct has `bytes` bytes here. A longer one comes from a newer header: what this library does not know must be 0.
static inline rs_status_t rs_check_request(const void *request, uint32_t size, size_t bytes) {
    const uint8_t *const p = request;
    if (size < bytes) return RS_ERR_STRUCT;
    for (size_t i = bytes; i < size; i++)
        if (p[i]) return RS_ERR_STRUCT;
    return RS_OK;
}

// RS_TRY(RS_CHECK_REQUEST(request)): the check of a request at the beginning of each function that takes one.
#define RS_CHECK_REQUEST(request) ((request) ? rs_check_request(request, (request)->size, sizeof *(request)) : RS_ERR_NULL)

// A span of the caller's that has `wanted` bytes: RS_ERR_NULL, RS_ERR_BYTES. IS_GIVEN: one that need not be there is there.
#define RS_CHECK_SPAN(span, wanted) (!(span).p ? RS_ERR_NULL : (span).n == (wanted) ? RS_OK : RS_ERR_BYTES)
#define RS_IS_GIVEN(span) ((span).p || (span).n)

// Schemes for research want consent by name, so that nobody takes them for others.
static inline rs_status_t rs_check_research(const char *consent) {
    return consent && rs_same_text(consent, "research-only") ? RS_OK : RS_ERR_CONSENT;
}

#endif
