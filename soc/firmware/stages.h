// SPDX-License-Identifier: Apache-2.0
// rs_bus_t by memory-mapped registers, and a clock beside each step of the driver.
#ifndef RINGSIDE_SOC_STAGES_H
#define RINGSIDE_SOC_STAGES_H

#include "job.h"
#include "machine.h"

// The driver waits for interrupts or polls, as the job says. In QEMU, which has no core: registers say the job's design, and nothing happens.
void stages_bus(rs_bus_t *bus);
// Around one call of the driver, or of software, which ends at `now`. end: fills in the job's stages, programs, core_cycles and accesses.
void stages_begin(void);
void stages_end(instant_t now);
// Around what draws a seed.
void stages_seed_begin(void);
void stages_seed_end(void);

#endif
