// SPDX-License-Identifier: Apache-2.0
// A client of the freestanding core alone, as ringside::core shows it: the self-test, and no header of the host part.
#include <ringside/ringside.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef RS_CORE_ONLY
#error "the package did not say RS_CORE_ONLY"
#endif
#ifdef RINGSIDE_HOST_H
#error "ringside.h includes the host part"
#endif

int main(void) {
    const size_t bytes = rs_selftest_size();
    void *memory = malloc(bytes);
    const rs_status_t status = memory ? rs_selftest(memory, bytes) : RS_ERR_NO_MEMORY;
    printf("ringside %s: %s\n", rs_version(), rs_status_name(status));
    free(memory);
    return status != RS_OK;
}
