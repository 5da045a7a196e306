// SPDX-License-Identifier: Apache-2.0
// Kernels of a profile on the core, in place of the library's functions: the same words at the same place.
#ifndef RINGSIDE_SOC_OFFLOAD_H
#define RINGSIDE_SOC_OFFLOAD_H

#include <ringside/device.h>
#include <ringside/plan.h>

#include "firmware.h"
#include "papers/bliss/bliss.h"
#include "profile.h"

// Finds the core, and makes what its programs need of the ring Z_q[X]/(X^N + 1): before what is counted. RS_ERR_DESIGN_DEGREE,
// RS_ERR_DEVICE_ABSENT and others of rs_device_open.
RS_MUST_CHECK rs_status_t offload_open(uint32_t log_n, uint64_t q);
// What draws and hashes need. RS_ERR_DESIGN: the core has no unit SPONGE.
RS_MUST_CHECK rs_status_t offload_open_hashes(void);
// Cycles of the last program, from its start to its interrupt.
uint64_t offload_cycles(void);
// Which it was, PROGRAM_…, and what it was.
unsigned offload_program(void);
void offload_copy(program_t *program);

// As the functions of plan.h. RS_ERR_MISMATCH: a plan of another ring; RS_ERR_ALIGNMENT: words that do not begin on a line of 64 bytes; and
// RS_ERR_DEVICE_BUSY, RS_ERR_DEVICE_PROGRAM.
RS_MUST_CHECK rs_status_t core_rs_plan_forward(const rs_plan_t *plan, uint64_t *poly);
RS_MUST_CHECK rs_status_t core_rs_plan_inverse(const rs_plan_t *plan, uint64_t *poly);

// As the functions of the library. The same errors; RS_ERR_RNG: a second part of a hash is asked for; RS_ERR_LENGTH: a message of more than 256
// bytes, or a digest of more than 64.
RS_MUST_CHECK rs_status_t core_rs_bliss_commit(const rs_bliss_t *scheme, uint64_t *out, const uint64_t *a_ntt,
                                               const int16_t *small);
RS_MUST_CHECK rs_status_t core_rs_bliss_draw(uint8_t *out, const uint8_t *seed, unsigned first, unsigned count);
RS_MUST_CHECK rs_status_t core_rs_shake256(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes);
RS_MUST_CHECK rs_status_t core_rs_bliss_hash(uint8_t *out, const uint8_t *text, size_t part);

#endif
