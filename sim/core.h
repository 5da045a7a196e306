// SPDX-License-Identifier: Apache-2.0
// A Verilated rs_core with its memory behind a C interface: registers, interrupt, AXI memory, trace.
// Built by py/ringside/sim/verilate.py, used by py/ringside/sim/core.py. The library (rs_bus_t) calls rs_core_read, rs_core_write and
// rs_core_wait directly: no Python between driver and model.
#ifndef RINGSIDE_SIM_CORE_H
#define RINGSIDE_SIM_CORE_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RS_CORE_UNITS 9 // those of hw/sequencer/isa.toml; a core without fields has seven

typedef struct rs_core rs_core_t;

// When the memory takes the address and the data of a write.
typedef enum rs_core_slave {
    RS_CORE_ADDRESS_FIRST, // a beat only when the address of its burst was taken
    RS_CORE_ANY, // whatever comes
    RS_CORE_TOGETHER, // an address only in the cycle in which the first beat of its burst is taken
    RS_CORE_DATA_FIRST // an address only when all beats of its burst were taken
} rs_core_slave_t;

typedef struct rs_core_options {
    uint64_t memory_bytes;
    uint64_t memory_address; // address of the first byte, as the core sees it
    uint64_t error_address; // accesses to these bytes are answered with SLVERR, those outside the memory with DECERR
    uint64_t error_bytes;
    uint64_t wait_cycles; // rs_core_wait gives up after so many
    uint32_t latency; // cycles from an address to its first beat, and from the last beat written to the response; 1 at least
    uint32_t bandwidth; // thousandths of a byte per cycle in each direction at each port; 0: what the bus can carry
    uint32_t overhead; // bytes besides its data that a burst takes of the bandwidth: headers of packets
    uint32_t outstanding; // bursts of each direction that a port accepts at a time
    uint32_t stall; // cycles of 256 in which a channel pauses, at random
    uint32_t slave; // rs_core_slave_t
    uint32_t seed; // seed of pauses, and of what registers and memories hold before they are written; 0: zeros
    int32_t failed_status; // what the calls return when the model stopped or a register access was refused ...
    int32_t timeout_status; // ... and when the interrupt does not come; 0 is success
} rs_core_options_t;

// One program, or those of a ring: from the register write that started it (the last one before) to the interrupt.
typedef struct rs_core_job {
    uint64_t start; // cycles since the model was made
    uint64_t end;
    uint64_t busy[RS_CORE_UNITS]; // cycles that a unit ran an instruction
    uint64_t active[RS_CORE_UNITS]; // cycles that it moved data
    uint64_t idle; // cycles without a busy unit
    uint64_t overlap; // cycles with two or more
    uint64_t read_beats; // beats of all ports
    uint64_t write_beats;
    uint64_t first_event; // in rs_core_events
    uint64_t event_count;
} rs_core_job_t;

typedef struct rs_core_event { // an instruction's run, first and last cycle
    uint64_t start;
    uint64_t end;
    uint32_t unit;
    uint32_t pc;
} rs_core_event_t;

rs_core_t *rs_core_open(const rs_core_options_t *options); // in reset until rs_core_reset
void rs_core_close(rs_core_t *core); // wipes the memory
void rs_core_reset(rs_core_t *core);
uint8_t *rs_core_memory(rs_core_t *core);
uint32_t rs_core_bus_bytes(void);
uint32_t rs_core_ports(void);
void rs_core_set_error(rs_core_t *core, uint64_t address, uint64_t bytes);

// A memory that stops at one port: after so many more handshakes on a channel (0 AR, 1 R, 2 AW, 3 W, 4 B; of port 1 five more) nothing is
// taken or answered there any more.
void rs_core_kill_bus(rs_core_t *core, uint32_t channel, uint64_t handshakes);
void rs_core_revive_bus(rs_core_t *core); // it goes on where it stopped, at all ports
void rs_core_reset_bus(rs_core_t *core, int on); // from on to off it is in reset: it forgets all that is under way
int rs_core_bus_is_dead(const rs_core_t *core);

// Signals that a Verilator configuration file has made public, in modules whose path has this text: their bytes, and how many of these are
// not zero.
uint64_t rs_core_look(rs_core_t *core, const char *path, uint64_t *not_zero);

// All public signals of the model with its inputs at zero, in an order of its own, which is the same for all instances of a model: their bytes
// to `data`, unless that is null. Returns how many bytes these are. Names, where wanted: a line "path bytes" for each signal.
uint64_t rs_core_state(rs_core_t *core, uint8_t *data, char **names); // names: valid until the next call

// The callbacks of rs_bus_t; state is the rs_core_t.
int rs_core_read(void *state, uint32_t offset, uint32_t *value);
int rs_core_write(void *state, uint32_t offset, uint32_t value);
int rs_core_wait(void *state); // until the interrupt; adds a job

// Valid until the next call of rs_core_wait, rs_core_forget or rs_core_close.
uint64_t rs_core_jobs(const rs_core_t *core, const rs_core_job_t **jobs);
uint64_t rs_core_events(const rs_core_t *core, const rs_core_event_t **events);
void rs_core_forget(rs_core_t *core); // jobs and events so far

uint64_t rs_core_cycles(const rs_core_t *core);
// What the model printed, and which rule of AXI it broke; empty if all is well. Valid until the next call.
const char *rs_core_message(const rs_core_t *core);
int rs_core_stopped(const rs_core_t *core);

#ifdef __cplusplus
}
#endif
#endif
