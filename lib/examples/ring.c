// SPDX-License-Identifier: Apache-2.0
// One ring without CKKS: the product of two polynomials in Z_12289[X]/(X^1024 + 1), the ring of NewHope.
//
//     cc ring.c $(pkg-config --cflags --libs ringside) -o ring && ./ring
#include <ringside/plan.h>
#include <stdio.h>
#include <stdlib.h>

enum { LOG_N = 10, N = 1 << LOG_N, Q = 12289 };

int main(void) {
    static uint64_t a[N], b[N];
    const rs_plan_t *plan;
    const size_t bytes = rs_plan_size(LOG_N);
    void *memory = malloc(bytes);
    const rs_status_t status = memory ? rs_plan_init(&plan, (rs_memory_t){memory, bytes}, LOG_N, Q, 0) : RS_ERR_NO_MEMORY;
    if (status != RS_OK) {
        fprintf(stderr, "ring: %s\n", rs_status_message(status));
        free(memory);
        return 1;
    }
    a[0] = 3;
    a[N - 1] = 5; // 3 + 5 X^1023
    b[1] = 7;     // 7 X
    rs_plan_forward(plan, a);
    rs_plan_forward(plan, b);
    rs_plan_mul(plan, a, a, b);
    rs_plan_inverse(plan, a);
    // X^1024 is -1: the product is -35 + 21 X
    printf("%d + %d X\n", (int)a[0] - Q, (int)a[1]);
    free(memory);
    return a[0] == Q - 35 && a[1] == 21 ? 0 : 1;
}
