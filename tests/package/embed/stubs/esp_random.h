// SPDX-License-Identifier: Apache-2.0
// ESP-IDF's function, as its documentation declares it.
#include <stddef.h>

void esp_fill_random(void *buf, size_t len);
