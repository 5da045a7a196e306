// SPDX-License-Identifier: Apache-2.0
// Prints lib/src/selftest/selftest_answers.inc anew. Use it after a deliberate change of an algorithm only, once the oracle and
// interoperability tests pass:  build/release/lib/tests/print_selftest > lib/src/selftest/selftest_answers.inc
#include <stdio.h>
#include <stdlib.h>

#include "selftest/selftest.h"

int main(void) {
    uint8_t answers[RS_SELFTEST_ANSWERS][RS_SELFTEST_ANSWER_BYTES];
    void *memory = malloc(rs_selftest_size());
    const rs_status_t status = rs_selftest_run(memory, rs_selftest_size(), answers);
    free(memory);
    if (status != RS_OK) {
        fprintf(stderr, "%s\n", rs_status_message(status));
        return 1;
    }
    printf("// SPDX-License-Identifier: Apache-2.0\n// Written by lib/tests/print_selftest.c\n");
    for (unsigned i = 0; i < RS_SELFTEST_ANSWERS; i++) {
        printf("// %s\n{", RS_SELFTEST_NAMES[i]);
        for (unsigned k = 0; k < RS_SELFTEST_ANSWER_BYTES; k++) printf("%s0x%02x", k ? ", " : "", answers[i][k]);
        printf("},\n");
    }
    return 0;
}
