// SPDX-License-Identifier: Apache-2.0
// What requests of encryptions and decryptions have in common: what they are for, and several items, as many per program as go.
#include <string.h>

#include "schemes/on_core/on_core.h"

rs_status_t rs_on_core_check_loaded(const rs_device_t *d, const rs_context_t *context, const void *public_key,
                                    const void *secret_key, const void *fixed) {
    const rs_on_core_t *s = rs_on_core(d);
    const void *given[] = {public_key, secret_key, fixed};
    if (context && context != s->context) return RS_ERR_MISMATCH;
    for (unsigned i = 0; i < sizeof given / sizeof *given; i++) {
        if (given[i] && given[i] != s->loaded[i]) return RS_ERR_MISMATCH;
    }
    return RS_OK;
}

int rs_on_core_same_layout(const rs_layout_t *a, const rs_layout_t *b) {
    return a == b || (a && b && memcmp(a, b, sizeof *a) == 0);
}

rs_status_t rs_on_core_run(rs_device_t *d, rs_device_mode_t mode, const rs_on_core_items_t *items) {
    rs_status_t status = RS_OK;
    size_t done = 0;
    while (done < items->count && status == RS_OK) {
        uint32_t some = items->count - done < RS_FRAMES_MAX ? (uint32_t)(items->count - done) : RS_FRAMES_MAX;
        status = items->starts(d, items->request, done, &some, mode);
        if (mode != RS_DEVICE_RUN) break;
        while (some > 1 && rs_on_core_is_too_much(status)) {
            some >>= 1;
            status = items->starts(d, items->request, done, &some, mode);
        }
        if (status == RS_OK) status = rs_device_finish(d);
        if (status == RS_OK) done += some;
    }
    for (; done < items->count && mode != RS_DEVICE_PREPARE; done++)
        memcpy(items->status + done * items->bytes, &status, sizeof status);
    return status;
}
