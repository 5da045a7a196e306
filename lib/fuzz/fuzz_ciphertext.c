// SPDX-License-Identifier: Apache-2.0
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    return fuzz_read(RS_WIRE_CIPHERTEXT, data, size);
}
