// SPDX-License-Identifier: Apache-2.0
// How errors are passed on, and the check of a workspace.
#ifndef RINGSIDE_BASE_CHECKS_H
#define RINGSIDE_BASE_CHECKS_H

#include <ringside/status.h>

#include "base/bytes.h"

#define RS_TRY(expression)                           \
    do {                                             \
        const rs_status_t try_status = (expression); \
        if (try_status != RS_OK) return try_status;  \
    } while (0)

// A caller's memory for at least `needed` bytes, aligned to 8.
static inline rs_status_t rs_check_workspace(const void *workspace, size_t bytes, size_t needed) {
    if (!needed) return RS_OK;
    if (!workspace) return RS_ERR_NULL;
    if (bytes < needed) return RS_ERR_MEMORY;
    return (uintptr_t)workspace & 7 ? RS_ERR_ALIGNMENT : RS_OK;
}

// Schemes for research want consent by name, so that nobody takes them for others.
static inline rs_status_t rs_check_research(const char *consent) {
    return consent && rs_same_text(consent, "research-only") ? RS_OK : RS_ERR_RESEARCH;
}

#endif
