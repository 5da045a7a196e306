// SPDX-License-Identifier: Apache-2.0
// Which back end is in use: the only state of the library, a pointer to constants that is read and written as a whole. The freestanding
// core has none of this.
#include "backend/backend.h"

#ifdef RS_BACKENDS
#include <ringside/backend.h>
#include <stdlib.h>

static const rs_backend_t *chosen; // NULL: none has been needed yet

// In use if RINGSIDE_BACKEND names no available back end. Its address distinguishes it from RS_BACKEND_PORTABLE.
static const rs_backend_t REFUSED = RS_PORTABLE;

static const rs_backend_t *choose(void) {
    const char *wanted = getenv("RINGSIDE_BACKEND");
    const rs_backend_t *found = rs_backend_find(wanted && *wanted ? wanted : NULL);
    return found ? found : &REFUSED;
}

const rs_backend_t *rs_backend_current(void) {
    const rs_backend_t *backend = __atomic_load_n(&chosen, __ATOMIC_RELAXED);
    if (backend) return backend;
    const rs_backend_t *first = choose();
    // if another thread has chosen meanwhile, its choice stands and is now in `backend`
    return __atomic_compare_exchange_n(&chosen, &backend, first, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ? first : backend;
}

rs_status_t rs_backend_status(void) { return rs_backend_current() == &REFUSED ? RS_ERR_BACKEND : RS_OK; }

const char *rs_backend_name(void) { return rs_backend_current()->name; }

rs_status_t rs_backend_select(const char *name) {
    const rs_backend_t *found = name ? rs_backend_find(name) : choose();
    if (!found || found == &REFUSED) return RS_ERR_BACKEND;
    __atomic_store_n(&chosen, found, __ATOMIC_RELAXED);
    return RS_OK;
}
#endif
