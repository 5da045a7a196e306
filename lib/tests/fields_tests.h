// SPDX-License-Identifier: Apache-2.0
// What tests of schemes on the model of a core with fields have in common: random bytes, what is in memory, a program of their own on a device.
#ifndef RS_FIELDS_TESTS_H
#define RS_FIELDS_TESTS_H

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

// The memory of a test's own core.
#define is_there(needle, bytes) is_in_memory(&f.core, needle, bytes)

// A generator whose bytes are known.
static inline rs_status_t give(void *state, uint8_t *out, size_t bytes) {
    memcpy(out, state, bytes);
    return RS_OK;
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
