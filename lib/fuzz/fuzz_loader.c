// SPDX-License-Identifier: Apache-2.0
// Reading one kind of object: the target's, RS_FUZZ_KIND.
#include "fuzz_wire.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) { return size ? fuzz_read(RS_FUZZ_KIND, data, size) : 0; }
