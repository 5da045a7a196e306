// SPDX-License-Identifier: Apache-2.0
// What to see first on a board (docs/bring-up.md): the serial line, the core's registers, the memory that both sides share, the core's own
// tests. Each step prints a line, and the first that fails ends it.
#include <ringside/device_ckks.h>
#include <ringside/regs.h>
#include <ringside/ringside.h>

#include "board.h"
#include "litex.h"
#include "machine.h"

#ifndef BOARD_SHARED_BYTES // a simulated board has less, because each word of it takes time
#define BOARD_SHARED_BYTES (4 << 20)
#define BOARD_WORK_BYTES (4 << 20)
#endif
#ifndef BOARD_TESTS_LIBRARY // a simulated board leaves it to QEMU: on Rocket it takes more time than all the rest
#define BOARD_TESTS_LIBRARY 1
#endif

enum { SHARED_BYTES = BOARD_SHARED_BYTES, WORK_BYTES = BOARD_WORK_BYTES };

extern uint8_t free_start[];

static uint64_t device_memory[RS_DEVICE_BYTES_MAX / sizeof(uint64_t)];

#define REGISTER(offset) (*(volatile uint32_t *)(uintptr_t)(BOARD_CORE + (offset)))

static rs_status_t read_register(void *nothing, uint32_t offset, uint32_t *value) {
    (void)nothing;
    *value = REGISTER(offset);
    return RS_OK;
}

static rs_status_t write_register(void *nothing, uint32_t offset, uint32_t value) {
    (void)nothing;
    REGISTER(offset) = value;
    return RS_OK;
}

// What this side writes goes to memory at once.
static void before_core(void *nothing, const void *data, size_t bytes) {
    (void)nothing;
    (void)data;
    (void)bytes;
    __asm__ volatile("fence" ::: "memory");
}

static void after_core(void *nothing, const void *data, size_t bytes) {
    (void)nothing;
    (void)data;
    (void)bytes;
    machine_forget_caches();
}

static void check(const char *what, rs_status_t status) {
    board_print(what);
    board_print(": ");
    board_print(status == RS_OK ? "ok" : rs_status_name(status));
    board_print("\n");
    if (status != RS_OK) board_finish(EXIT_SELFTEST);
}

// A register that does not answer, or another device at its address.
static rs_status_t check_registers(void) {
    const uint32_t id = REGISTER(RS_REG_ID);
    const uint32_t version = REGISTER(RS_REG_VERSION);
    board_print_number("ID", id);
    board_print_number("VERSION", version);
    board_print_number("LANES", REGISTER(RS_REG_LANES));
    return id == RS_REG_ID_VALUE && version == RS_REG_VERSION_VALUE ? RS_OK : RS_ERR_DEVICE_ABSENT;
}

// Each word holds its own address, then its complement: stuck and swapped address lines show.
static rs_status_t check_memory(void) {
    volatile uint32_t *words = (volatile uint32_t *)(void *)free_start;
    const size_t count = (SHARED_BYTES + WORK_BYTES) / sizeof *words;
    for (uint32_t turn = 0; turn < 2; turn++) {
        const uint32_t flip = 0 - turn;
        for (size_t i = 0; i < count; i++) words[i] = (uint32_t)(uintptr_t)&words[i] ^ flip;
        machine_forget_caches();
        for (size_t i = 0; i < count; i++) {
            if (words[i] == ((uint32_t)(uintptr_t)&words[i] ^ flip)) continue;
            board_print_number("wrong at word", i);
            return RS_ERR_DEVICE_BUS;
        }
    }
    return RS_OK;
}

void board_main(void) {
    board_print("ringside ");
    board_print(rs_version());
    board_print(", bring-up\n");
    check("registers", check_registers());
    check("memory", check_memory());
    uint8_t *shared = free_start;
    uint8_t *work = free_start + SHARED_BYTES;
    if (BOARD_TESTS_LIBRARY) check("library", rs_selftest_size() <= WORK_BYTES ? rs_selftest(work, WORK_BYTES) : RS_ERR_TOO_SMALL);
    const rs_bus_t bus = {
        .size = sizeof bus,
        .read = read_register,
        .write = write_register,
        .memory = shared,
        .memory_address = (uintptr_t)shared,
        .memory_bytes = SHARED_BYTES,
        .sync_for_device = BOARD_COHERENT ? NULL : before_core,
        .sync_for_cpu = BOARD_COHERENT ? NULL : after_core,
    };
    rs_device_t *device;
    check("open", rs_device_open(&device, (rs_memory_t){device_memory, sizeof device_memory}, &bus));
    const size_t bytes = rs_device_self_test_size(rs_device_design(device));
    check("core", bytes && bytes <= WORK_BYTES ? rs_device_self_test(device, work, WORK_BYTES) : RS_ERR_TOO_SMALL);
    board_print_number("cycles of the last program", (size_t)rs_device_report(device)->cycles);
    check("close", rs_device_close(device));
    board_finish(0);
}
