// SPDX-License-Identifier: Apache-2.0
// Random seeds from the kernel. Touches secrets: they go to the caller's array only.
#define _DEFAULT_SOURCE
#include <ringside/host.h>

#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

static rs_status_t os_fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    size_t done = 0;
    while (done < bytes) {
        const ssize_t count = getrandom(out + done, bytes - done, 0); // blocks until the kernel's generator is seeded
        if (count > 0) {
            done += (size_t)count;
        } else if (count == 0 || errno != EINTR) {
            rs_zeroize(out, bytes);
            return RS_ERR_RNG;
        }
    }
    return RS_OK;
}

void rs_rng_os(rs_rng_t *rng) {
    if (!rng) return;
    rng->fill = os_fill;
    rng->state = NULL;
}
