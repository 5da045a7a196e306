// SPDX-License-Identifier: Apache-2.0
// lib/tests/model_core.c for Python: a model behind its registers, and its memory.
#include "model_core.h"

#include <stdlib.h>

typedef struct port {
    model_core_t core;
    rs_bus_t bus;
} port_t;

// NULL: no memory. address: where the core sees its memory.
port_t *port_open(const rs_design_t *design, size_t memory_bytes, uint64_t address) {
    port_t *port = calloc(1, sizeof *port);
    if (!port) return NULL;
    model_core_init(&port->core, design, memory_bytes);
    port->core.memory_address = port->core.regions[0].address = address;
    port->core.turned = 1; // benches multiply coefficients, too
    model_core_bus(&port->core, &port->bus);
    return port;
}

void port_close(port_t *port) {
    model_core_free(&port->core);
    free(port);
}

// For the library's driver.
const rs_bus_t *port_bus(const port_t *port) { return &port->bus; }

uint8_t *port_memory(port_t *port) { return port->core.memory; }

// From now on units compute nothing and succeed.
void port_judge(port_t *port) { port->core.judges = 1; }

// Words of a group, as the last program has left them.
const uint64_t *port_group(const port_t *port, uint32_t group) { return port->core.groups[group].words; }

// What hardware could not notice, but would compute wrongly, since the last call.
unsigned port_misuse(port_t *port) {
    const unsigned misuse = port->core.misuse;
    port->core.misuse = 0;
    return misuse;
}

int port_write(port_t *port, uint32_t offset, uint32_t value) { return (int)port->bus.write(port->bus.state, offset, value); }

uint32_t port_read(port_t *port, uint32_t offset) {
    uint32_t value = 0;
    port->bus.read(port->bus.state, offset, &value);
    return value;
}
