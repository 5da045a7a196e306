// SPDX-License-Identifier: Apache-2.0
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return size ? fuzz_read(fuzz_keys(data[0]), data, size) : 0;
}
