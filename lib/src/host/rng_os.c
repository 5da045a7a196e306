// SPDX-License-Identifier: Apache-2.0
// Random seeds from the kernel. Touches secrets: they go to the caller's array only.
#define _DEFAULT_SOURCE
#include <ringside/host.h>

#if defined(_WIN32)
#include <windows.h>

#include <bcrypt.h> // needs windows.h

// The system's preferred generator: no handle, no state.
static size_t fill_some(uint8_t *out, size_t bytes) {
    const ULONG part = bytes < (1u << 30) ? (ULONG)bytes : 1u << 30;
    return BCryptGenRandom(NULL, out, part, BCRYPT_USE_SYSTEM_PREFERRED_RNG) == 0 ? part : 0;
}
#elif defined(__APPLE__)
#include <sys/random.h>

enum { ENTROPY_MAX = 256 }; // bytes of one call

static size_t fill_some(uint8_t *out, size_t bytes) {
    const size_t part = bytes < ENTROPY_MAX ? bytes : ENTROPY_MAX;
    return getentropy(out, part) == 0 ? part : 0;
}
#else
#include <errno.h>
#include <sys/random.h>
#include <sys/types.h>

static size_t fill_some(uint8_t *out, size_t bytes) {
    ssize_t count;
    do {
        count = getrandom(out, bytes, 0); // blocks until the kernel's generator is seeded
    } while (count < 0 && errno == EINTR);
    return count > 0 ? (size_t)count : 0;
}
#endif

// fill_some: at least one byte, or 0 if the generator fails.
static rs_status_t os_fill(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    for (size_t done = 0; done < bytes;) {
        const size_t part = fill_some(out + done, bytes - done);
        if (!part) {
            rs_zeroize(out, bytes);
            return RS_ERR_RNG;
        }
        done += part;
    }
    return RS_OK;
}

void rs_rng_os(rs_rng_t *rng) {
    if (!rng) return;
    rng->fill = os_fill;
    rng->state = NULL;
}
