// SPDX-License-Identifier: Apache-2.0
// rs_bus_t by memory-mapped registers that the driver polls, and a clock beside each access, which says where a call's time goes.
#ifndef RINGSIDE_SOC_CLOCK_H
#define RINGSIDE_SOC_CLOCK_H

#include "schemes.h"

// memory: that driver and core share, a multiple of 4096. reads_max: of STATUS, until a program is taken for hung.
rs_bus_t clock_bus(uint8_t *memory, size_t bytes, uint64_t reads_max);
// Around a call of the driver; clock_end fills in parts, total, programs, core_cycles and accesses.
void clock_begin(void);
void clock_end(schemes_t *job);

#endif
