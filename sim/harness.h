// SPDX-License-Identifier: Apache-2.0
// Any Verilated model behind a C interface. Built by py/ringside/sim/verilate.py, which is also its only caller.
//
// A cycle: inputs are applied, everything settles with the clock low, outputs are sampled, the clock rises.
// Values are little-endian arrays of 32-bit words, (bits + 31) / 32 of them per port.
#ifndef RINGSIDE_SIM_HARNESS_H
#define RINGSIDE_SIM_HARNESS_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rs_sim rs_sim_t;

rs_sim_t *rs_sim_open(uint32_t seed); // seed of what registers and memories hold before they are written
void rs_sim_close(rs_sim_t *sim);

uint32_t rs_sim_port_count(void);
const char *rs_sim_port_name(uint32_t port);
uint32_t rs_sim_port_bits(uint32_t port);
uint32_t rs_sim_port_is_output(uint32_t port);

void rs_sim_set(rs_sim_t *sim, uint32_t port, const uint32_t *words);
void rs_sim_get(rs_sim_t *sim, uint32_t port, uint32_t *words); // settled

// Each returns the number of cycles that passed, fewer if the model stopped: see rs_sim_message.
uint64_t rs_sim_step(rs_sim_t *sim, uint64_t cycles);
// Until the port's low 32 bits have this value at a clock edge, which is the last that passes; at most `limit` cycles.
uint64_t rs_sim_wait(rs_sim_t *sim, uint32_t port, uint32_t value, uint64_t limit);
// In cycle c the inputs take the c-th set of words of `in`, and those of the outputs go to the c-th set of `out`.
uint64_t rs_sim_play(rs_sim_t *sim, uint64_t cycles, uint32_t in_count, const uint32_t *in_ports, const uint32_t *in,
                     uint32_t out_count, const uint32_t *out_ports, uint32_t *out);

uint64_t rs_sim_cycles(const rs_sim_t *sim);
// What the model printed, an assertion's text included; empty if nothing. Valid until the next call.
const char *rs_sim_message(const rs_sim_t *sim);
int rs_sim_stopped(const rs_sim_t *sim);

#ifdef __cplusplus
}
#endif
#endif
