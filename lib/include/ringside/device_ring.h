// SPDX-License-Identifier: Apache-2.0
// The ring of descriptors (docs/core.md): programs that follow each other without the host. Programs are written once, then descriptors are posted:
// where a program begins, N, and its pointers. The core runs them in order, and one interrupt comes when all have run.
//
//   rs_device_ring_open    programs into the core, an empty ring into memory
//   rs_device_ring_post    as often as wanted, also while others run
//   rs_device_ring_poll    how many have run
//   rs_device_ring_wait    until all have
//   rs_device_ring_close   and the device takes other calls again
//
// Contexts and polynomials are the caller's, in rs_device_memory. Where the core and this side do not see memory coherently, the caller hands them over
// by the bus's own functions: inputs before the post, results when they are there. Descriptors are handed over here.
#ifndef RINGSIDE_DEVICE_RING_H
#define RINGSIDE_DEVICE_RING_H

#include "device.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    RS_DESCRIPTOR_BYTES = 64,
    RS_DESCRIPTOR_POINTERS = 8,
    RS_RING_LOG_MAX = 15 // log2 of the most descriptors
};

// One run of a program. first: index of its first instruction, which counts from the words that the ring was opened with. pointers: as the core sees
// them, multiples of 64; those that the program does not use are 0.
typedef struct rs_descriptor {
    uint32_t first;
    uint32_t log_n;
    uint64_t pointers[RS_DESCRIPTOR_POINTERS];
} rs_descriptor_t;

// Memory of the caller, not to be changed while the ring is open.
typedef struct rs_device_ring {
    rs_device_t *device; // NULL: the ring is closed
    uint8_t *lines; // descriptors, in the bus's memory
    uint32_t log_size;
    uint32_t posted; // since it was opened
    uint32_t done; // as far as this side knows
} rs_device_ring_t;

// words: programs behind each other, each with its END. offset: of 2^log_size descriptors from the beginning of rs_device_memory, a multiple of 64. Until the ring
// is closed, the device takes no other calls (RS_ERR_DEVICE_BUSY) but those for its memory and report. RS_ERR_DESIGN: the core has no ring: it answers
// its registers with an error, or keeps nothing there; or no ring has so many descriptors. RS_ERR_PROGRAM_LENGTH, RS_ERR_ALIGNMENT, RS_ERR_DEVICE_MEMORY.
RS_API RS_MUST_CHECK rs_status_t rs_device_ring_open(rs_device_ring_t *ring, rs_device_t *device, size_t offset, uint32_t log_size,
                                                     const uint64_t *words, uint32_t length);

// As many of them as have room, in order, with one write of a register: *posted of `count`. Nothing is posted if one of them is wrong: RS_ERR_DESIGN_DEGREE,
// RS_ERR_PROGRAM_LENGTH (first), RS_ERR_ALIGNMENT (a pointer). Statuses of rs_device_ring_poll.
RS_API RS_MUST_CHECK rs_status_t rs_device_ring_post(rs_device_ring_t *ring, const rs_descriptor_t *descriptors, uint32_t count,
                                                     uint32_t *posted);

// *done: how many have run since the ring was opened; NULL: not asked for. If a program ended by a fault, its status, and *done is the number of its descriptor,
// from 0 on; the report says cause and instruction. RS_ERR_DEVICE_BUS: memory answered the core's read of the descriptor with an error. After any error the
// ring is closed and the core wiped. RS_ERR_DEVICE_NOT_LOADED: the ring is not open.
RS_API RS_MUST_CHECK rs_status_t rs_device_ring_poll(rs_device_ring_t *ring, uint32_t *done);

// Until all that were posted have run. The report is about the last program. The time limit (rs_bus_t) is for each program where the driver polls; where
// it waits for the interrupt, which comes after the last one, for all of them. Statuses of rs_device_ring_poll.
RS_API RS_MUST_CHECK rs_status_t rs_device_ring_wait(rs_device_ring_t *ring);

// What runs is aborted, what was not run is dropped, and the core is wiped. RS_ERR_DEVICE_UNWIPED, RS_ERR_DEVICE_STALL.
RS_API RS_MUST_CHECK rs_status_t rs_device_ring_close(rs_device_ring_t *ring);

#ifdef __cplusplus
}
#endif

#endif
