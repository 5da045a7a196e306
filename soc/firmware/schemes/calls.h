// SPDX-License-Identifier: Apache-2.0
// Calls of schemes, and what a link has beside those by software: schemes.elf the core (on_core.c), profile.elf BLISS and counters of kernels
// (profile.c).
#ifndef RINGSIDE_SOC_CALLS_H
#define RINGSIDE_SOC_CALLS_H

#include <ringside/research.h>

#include "firmware.h"

enum { TABLE_BYTES = 1 << 17, WORKSPACE_BYTES = 3 << 16 }; // enough for all sets

extern frame_t call; // the one that is made: its description is in the cache by then
extern rs_memory_t workspace; // memory of software

#define BYTES(array) {(void *)(uintptr_t)(array).address, (size_t)(array).bytes}
#define IN(i) BYTES(call.in[i])
#define OUT(i) BYTES(call.out[i])
#define EXCHANGE ((const rs_newhope_t *)(uintptr_t)JOB->context)

// The sum of all stages.
count_t sum(void);

// Tables of BLISS, in phase 0.
void beside_prepare(rs_memory_t tables);
// Before all calls.
void beside_open(void);
// Around one that counts.
void beside_begin(void);
void beside_end(void);
// A call by the core, or of BLISS.
rs_status_t beside_call(void);

#endif
