// SPDX-License-Identifier: Apache-2.0
// rs_bus_t by memory-mapped registers and an interrupt, and a clock beside each step of the driver.
#ifndef RINGSIDE_SOC_BUS_H
#define RINGSIDE_SOC_BUS_H

#include "job.h"
#include "machine.h"

// In QEMU, which has no core: registers say the job's design, and nothing happens.
void bus_open(rs_bus_t *bus, const job_t *job);
// Around one call of the driver. end: fills in the driver's stages.
void bus_begin(void);
void bus_end(job_t *job, const rs_device_t *device);
// Around what draws a seed.
void bus_seed_begin(void);
void bus_seed_end(void);

#endif
