// SPDX-License-Identifier: Apache-2.0
// Zephyr's function, as its documentation declares it.
#include <stddef.h>

int sys_csrand_get(void *dst, size_t len);
