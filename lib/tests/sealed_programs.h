// SPDX-License-Identifier: Apache-2.0
// What tests of sealed keys on the model of the core have in common: a program of their own on a device, and what is in memory behind it.
#ifndef RS_SEALED_PROGRAMS_H
#define RS_SEALED_PROGRAMS_H

#include "machine/machine.h"
#include "model_core.h"
#include "rs_test.h"

enum { SEALED_WORDS = 256 };

static inline void fill(uint8_t *out, size_t bytes, uint64_t *state) {
    for (size_t i = 0; i < bytes; i++) out[i] = (uint8_t)rs_test_random(state);
}

static inline int is_in_memory(const model_core_t *core, const void *needle, size_t bytes) {
    for (size_t at = 0; at + bytes <= core->memory_bytes; at++) {
        if (!memcmp(core->memory + at, needle, bytes)) return 1;
    }
    return 0;
}

// Runs words with the pointers that are there.
static inline rs_fault_t run_words(rs_device_t *device, const uint64_t *words, size_t count) {
    uint32_t status = 0;
    device->program_words = 0;
    CHECK_OK(rs_machine_write_program(device, words, count));
    CHECK_OK(rs_machine_set(device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_START) | RS_REG_BIT(CONTROL_IRQ_ENABLE)));
    CHECK_OK(device->bus.wait(device->bus.state));
    CHECK_OK(rs_machine_get(device, RS_REG_STATUS, &status));
    CHECK_OK(rs_machine_set(device, RS_REG_CONTROL, RS_REG_BIT(CONTROL_CLEAR_IRQ)));
    return (rs_fault_t)RS_REG_PART(STATUS_CAUSE, status);
}

#endif
