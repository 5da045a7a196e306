// SPDX-License-Identifier: Apache-2.0
// Driver of the accelerator core: registers, memory, and the operations made of programs.
#include "device/driver.h"

#include <ringside/kernels.h>
#include <ringside/regs.h>

#include "base/bytes.h"
#include "base/doubles.h"
#include "ckks/checks.h"
#include "ckks/message.h"
#include "device/design.h"
#include "device/image.h"

enum {
    WIPE_READS = 1000000,  // of STATUS until a wipe must be over: it takes the core at most 2^17 cycles
    READ_CYCLES = 2,       // a read of a register takes at least 3 (hw/core/rtl/rs_regs_axi.sv); a division by 2 is a shift
    DRAIN_CYCLES = 4096,   // from the watchdog to the end of the program, at most (docs/core.md)
    ADDRESS_ALIGNMENT = 4096,
    LINE_BYTES = 64
};

#define BIT(field) (1u << RS_REG_##field##_SHIFT)
#define PART(field, value) ((value) >> RS_REG_##field##_SHIFT & ((1u << RS_REG_##field##_BITS) - 1))

// ---- registers ---------------------------------------------------------------------------------------------------------
static rs_status_t get(const rs_device_t *d, uint32_t offset, uint32_t *value) {
    return d->bus.read(d->bus.state, offset, value);
}

static rs_status_t set(const rs_device_t *d, uint32_t offset, uint32_t value) {
    return d->bus.write(d->bus.state, offset, value);
}

static rs_status_t set_pointer(const rs_device_t *d, rs_pointer_t pointer, uint64_t address) {
    RS_TRY(set(d, RS_REG_POINTER + 8 * (uint32_t)pointer, (uint32_t)address));
    return set(d, RS_REG_POINTER + 8 * (uint32_t)pointer + 4, (uint32_t)(address >> 32));
}

static rs_status_t set_seed(const rs_device_t *d, uint32_t offset, const rs_seed_t *seed) {
    for (uint32_t i = 0; i < RS_SEED_BYTES; i += 4) RS_TRY(set(d, offset + i, rs_load32(seed->bytes + i)));
    return RS_OK;
}

// ---- time --------------------------------------------------------------------------------------------------------------
static rs_patience_t patience(const rs_device_t *d, uint64_t reads) {
    rs_patience_t p = {0, 0, reads};
    if (d->bus.now && d->bus.time_limit) {
        p.ticks = d->bus.time_limit;
        p.start = d->bus.now(d->bus.state);
    }
    return p;
}

// Whether to go on after one more read.
static int patient(const rs_device_t *d, rs_patience_t *p) {
    if (p->ticks) return d->bus.now(d->bus.state) - p->start < p->ticks;
    return p->reads && --p->reads;
}

// For a program: not before the core's own watchdog, unless the caller says so.
static rs_status_t program_patience(rs_device_t *d) {
    uint64_t reads = d->bus.time_limit;
    if (!reads) {
        uint32_t watchdog;
        RS_TRY(get(d, RS_REG_WATCHDOG, &watchdog));
        reads = ((watchdog ? (uint64_t)watchdog : UINT64_C(1) << 32) + DRAIN_CYCLES) / READ_CYCLES + 1;
    }
    d->call.patience = patience(d, reads);
    return RS_OK;
}

// Wipes the core; a program that runs is aborted. RS_ERR_DEVICE_HUNG: it is wiped, but memory does not answer.
static rs_status_t zeroize(const rs_device_t *d) {
    uint32_t status;
    RS_TRY(set(d, RS_REG_CONTROL, BIT(CONTROL_ZEROIZE)));
    rs_patience_t p = patience(d, WIPE_READS);
    do {
        RS_TRY(get(d, RS_REG_STATUS, &status));
        if (!(status & (BIT(STATUS_BUSY) | BIT(STATUS_ZEROIZING))))
            return status & BIT(STATUS_BUS_HUNG) ? RS_ERR_DEVICE_HUNG : RS_OK;
    } while (patient(d, &p));
    return RS_ERR_DEVICE_BUSY;
}

// ---- programs ----------------------------------------------------------------------------------------------------------
static int same_numbers(const rs_job_numbers_t *a, const rs_job_numbers_t *b) {
    return a->format == b->format && a->is_complex == b->is_complex && a->count == b->count && a->shift == b->shift;
}

static int same_job(const rs_job_t *a, const rs_job_t *b) {
    return a->kind == b->kind && a->log_n == b->log_n && a->limbs == b->limbs && a->key_limbs == b->key_limbs &&
           a->input_limbs == b->input_limbs && a->poly_count == b->poly_count && a->message == b->message &&
           a->expansion == b->expansion && a->store_expanded == b->store_expanded && a->wide_input == b->wide_input &&
           a->wide_output == b->wide_output && a->decodes == b->decodes && a->shift == b->shift && a->frames == b->frames &&
           same_numbers(&a->numbers, &b->numbers);
}

// A program that was built before, or a new one behind those that are kept; if there is no room they all go. NULL: it cannot be built.
static rs_status_t find_program(rs_device_t *d, const rs_job_t *job, const rs_device_program_t **found) {
    for (uint32_t i = 0; i < d->kept; i++) {
        *found = &d->programs[i];
        if (same_job(&(*found)->job, job)) return RS_OK;
    }
    if (d->kept == RS_DEVICE_PROGRAMS) d->kept = 0;
    for (;;) {
        const rs_device_program_t *before = d->kept ? &d->programs[d->kept - 1] : NULL;
        const size_t first = before ? before->first + before->words : 0;
        size_t words;
        const rs_status_t status = rs_program_build(&d->design, job, d->program + first, RS_PROGRAM_WORDS_MAX - first, &words);
        if (status == RS_ERR_PROGRAM_LENGTH && d->kept) {
            d->kept = 0; // perhaps it fits alone
            continue;
        }
        RS_TRY(status);
        d->programs[d->kept] = (rs_device_program_t){*job, (uint32_t)first, (uint32_t)words};
        *found = &d->programs[d->kept++];
        return RS_OK;
    }
}

// The core keeps its program: a job equal to the last one needs no loading.
static rs_status_t load_program(rs_device_t *d, const rs_job_t *job) {
    const rs_device_program_t *found;
    if (d->program_words && same_job(&d->job, job)) return RS_OK;
    d->program_words = 0;
    RS_TRY(find_program(d, job, &found));
    RS_TRY(set(d, RS_REG_PROGRAM_INDEX, 0));
    for (uint32_t i = found->first; i < found->first + found->words; i++) {
        RS_TRY(set(d, RS_REG_PROGRAM_LO, (uint32_t)d->program[i]));
        RS_TRY(set(d, RS_REG_PROGRAM_HI, (uint32_t)(d->program[i] >> 32)));
    }
    d->job = *job;
    d->program_first = found->first;
    d->program_words = found->words;
    return RS_OK;
}

// Of a program that ended with `cause`.
static rs_status_t fault_status(const rs_device_t *d, rs_fault_t cause) {
    uint32_t key_use;
    switch (cause) {
    case RS_FAULT_NONE:
        return RS_OK;
    case RS_FAULT_BUS_READ:
    case RS_FAULT_BUS_WRITE:
        return RS_ERR_DEVICE_BUS;
    case RS_FAULT_RESIDUE:
        return RS_ERR_DEVICE_RESIDUE;
    case RS_FAULT_WATCHDOG:
        return RS_ERR_DEVICE_WATCHDOG;
    case RS_FAULT_ABORTED:
        return RS_ERR_DEVICE_ABORTED;
    case RS_FAULT_SECRET: // no program of the library stores secrets where nothing is forbidden
        RS_TRY(get(d, RS_REG_KEY_USE, &key_use));
        return key_use ? RS_ERR_DEVICE_KEY_USE : RS_ERR_DEVICE_PROGRAM;
    case RS_FAULT_VALUE:
        return RS_ERR_FIXED_RANGE;
    default: // the library makes no program that a core of this version refuses
        return RS_ERR_DEVICE_PROGRAM;
    }
}

static rs_status_t read_report(rs_device_t *d, uint32_t status) {
    uint32_t cycles;
    d->report.cause = (rs_fault_t)PART(STATUS_CAUSE, status);
    d->report.pc = PART(STATUS_PC, status);
    d->report.instructions = (uint32_t)d->program_words;
    RS_TRY(get(d, RS_REG_CYCLES, &cycles));
    d->report.cycles = cycles;
    for (uint32_t u = 0; u < RS_REG_BUSY_COUNT; u++) RS_TRY(get(d, RS_REG_BUSY + 4 * u, &d->report.unit_cycles[u]));
    d->report.unit_cycles[RS_UNIT_PIPE] = 0;
    if (d->design.features & RS_FEATURE_PIPE) RS_TRY(get(d, RS_REG_BUSY_PIPE, &d->report.unit_cycles[RS_UNIT_PIPE]));
    return RS_OK;
}

static uint32_t irq_enable(const rs_device_t *d) {
    return d->bus.wait ? BIT(CONTROL_IRQ_ENABLE) : 0;
}

static rs_status_t start_core(rs_device_t *d) {
    RS_TRY(program_patience(d));
    // what this side wrote to memory must arrive before the start
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    RS_TRY(set(d, RS_REG_CONTROL, irq_enable(d) | BIT(CONTROL_CLEAR_IRQ)));
    return set(d, RS_REG_CONTROL, irq_enable(d) | BIT(CONTROL_START));
}

// Also if a poll has seen the end: what waits for interrupts shall see each of them.
static rs_status_t wait_for_core(rs_device_t *d) {
    uint32_t status;
    for (;;) {
        if (d->bus.wait) RS_TRY(d->bus.wait(d->bus.state));
        RS_TRY(get(d, RS_REG_STATUS, &status));
        if (status & BIT(STATUS_ERROR)) return RS_ERR_DEVICE_BUSY;
        if (status & BIT(STATUS_DONE)) break;
        if (!patient(d, &d->call.patience)) return RS_ERR_DEVICE_BUSY;
    }
    RS_TRY(set(d, RS_REG_CONTROL, BIT(CONTROL_CLEAR_IRQ)));
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    RS_TRY(read_report(d, status));
    return fault_status(d, d->report.cause);
}

// ---- memory ------------------------------------------------------------------------------------------------------------
// contexts | keys, in the order of their loading | input of a call | output of a call
static size_t poly_bytes(const rs_device_t *d) {
    return rs_design_poly_bytes(&d->design, d->context->params.log_n);
}

// Polynomials in whose place these bytes fit.
static size_t polys_for(const rs_device_t *d, size_t bytes) {
    size_t polys = 0;
    for (size_t at = 0; at < bytes; at += poly_bytes(d)) polys++;
    return polys;
}

static size_t key_limbs(const rs_device_t *d) {
    return d->context->params.limb_count;
}

static void sync_for_device(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_device && bytes) d->bus.sync_for_device(d->bus.state, data, bytes);
}

static void sync_for_cpu(const rs_device_t *d, const void *data, size_t bytes) {
    if (d->bus.sync_for_cpu && bytes) d->bus.sync_for_cpu(d->bus.state, data, bytes);
}

// Zeros in memory itself, not only in a cache.
static void wipe(const rs_device_t *d, size_t offset, size_t bytes) {
    rs_zeroize(d->bus.memory + offset, bytes);
    sync_for_device(d, d->bus.memory + offset, bytes);
}

static uint8_t *poly_at(const rs_device_t *d, size_t offset, size_t index) {
    return d->bus.memory + offset + index * poly_bytes(d);
}

// ---- calls ------------------------------------------------------------------------------------------------------------
typedef rs_device_call_t call_t;

static rs_status_t end(rs_device_t *d, rs_status_t started);

static uint32_t frames_of(const call_t *call) {
    return call->frames ? call->job.frames : 1;
}

// Those of frames above 0; what is written next is frame 0's.
static rs_status_t write_frames(const rs_device_t *d, const call_t *call) {
    if (!call->frames) return RS_OK;
    for (uint32_t frame = frames_of(call); frame-- > 1;) {
        RS_TRY(set(d, RS_REG_FRAME, frame));
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->messages[frame]));
        if (call->private_seed) RS_TRY(set_seed(d, RS_REG_SEED, &call->private_seed[frame]));
        if (call->public_seed) RS_TRY(set_seed(d, RS_REG_PUBLIC_SEED, &call->public_seed[frame]));
    }
    return set(d, RS_REG_FRAME, 0);
}

static rs_status_t wipe_seeds(const rs_device_t *d, const call_t *call) {
    static const rs_seed_t NO_SEED;
    for (uint32_t frame = frames_of(call); frame-- > 0;) {
        if (call->frames) RS_TRY(set(d, RS_REG_FRAME, frame));
        RS_TRY(set_seed(d, RS_REG_SEED, &NO_SEED));
    }
    return RS_OK;
}

static rs_status_t write_inputs(rs_device_t *d, const call_t *call) {
    RS_TRY(load_program(d, &call->job));
    RS_TRY(set(d, RS_REG_LOG_N, call->job.log_n));
    RS_TRY(write_frames(d, call));
    const uint64_t memory = d->bus.memory_address;
    const size_t contexts = call->first_limb * rs_design_context_bytes(&d->design, call->job.log_n);
    RS_TRY(set_pointer(d, RS_POINTER_CONTEXTS, memory + contexts));
    RS_TRY(set_pointer(d, RS_POINTER_KEY, memory + call->key));
    RS_TRY(set_pointer(d, RS_POINTER_INPUT, call->user_input ? call->input_address : memory + call->input));
    RS_TRY(set_pointer(d, RS_POINTER_OUTPUT, call->user_output ? call->output_address : memory + call->output));
    RS_TRY(set_pointer(d, RS_POINTER_SCRATCH, memory + call->output));
    if (call->stream_bytes) {
        RS_TRY(set_pointer(d, RS_POINTER_INPUT, memory + d->stream_key));
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->messages[0]));
    }
    if (call->job.numbers.count) {
        RS_TRY(set_pointer(d, RS_POINTER_ROOTS, memory + d->roots));
        RS_TRY(set_pointer(d, RS_POINTER_FACTOR, 0));
        const size_t message = call->job.decodes ? call->output : call->input;
        const uint64_t alone = call->user_message ? call->message_address : memory + message;
        RS_TRY(set_pointer(d, RS_POINTER_MESSAGE, call->frames ? call->messages[0] : alone));
    }
    if (call->private_seed) RS_TRY(set_seed(d, RS_REG_SEED, call->private_seed));
    if (call->public_seed) RS_TRY(set_seed(d, RS_REG_PUBLIC_SEED, call->public_seed));
    return RS_OK;
}

static size_t array_bytes(const rs_job_numbers_t *numbers) {
    return ((size_t)numbers->count << numbers->is_complex) * rs_fixed_format_bytes((rs_fixed_format_t)numbers->format);
}

static size_t line_bytes(size_t bytes) {
    return (bytes + LINE_BYTES - 1) / LINE_BYTES * LINE_BYTES;
}

// Whether it is in the bus's memory, behind all that stays, as the core sees it.
static int is_own(const rs_device_t *d, uint64_t address) {
    return address - d->bus.memory_address < d->bus.memory_bytes;
}

// Whether the core can reach an array of words itself, which are little-endian for it.
static int reaches(const rs_device_t *d, const void *words, size_t bytes, uint64_t *address) {
    return RS_LITTLE_ENDIAN && d->bus.reach && d->bus.reach(d->bus.state, words, bytes, address) && *address % LINE_BYTES == 0;
}

// After a failure everything secret that the core holds is wiped. The first error is the one that is reported, unless memory is why: then
// only the caller can help.
static rs_status_t failed(rs_device_t *d, rs_status_t status) {
    d->program_words = 0;
    const rs_status_t wiped = zeroize(d);
    if (rs_design_encodes(&d->design)) (void)set(d, RS_REG_FRAME, 0); // as every call finds it
    return wiped == RS_ERR_DEVICE_HUNG ? RS_ERR_DEVICE_HUNG : status;
}

// The arrays of frames that the core reaches itself.
static void sync_values(const rs_device_t *d, const call_t *call, void (*sync)(const rs_device_t *, const void *, size_t)) {
    const int slots = call->frames && !call->stream_bytes;
    for (uint32_t frame = 0; slots && frame < frames_of(call); frame++) {
        if (!is_own(d, call->messages[frame])) sync(d, call->frames[frame].values, array_bytes(&call->job.numbers));
    }
}

// Starts the program of a call. The device's copy of the call is what runs; it holds no pointers to seeds.
static rs_status_t start(rs_device_t *d, const call_t *call) {
    rs_status_t status = write_inputs(d, call);
    // what the core reads, and what it writes: nothing of that may leave a cache later
    sync_for_device(d, d->bus.memory + call->input, call->end - call->input);
    sync_for_device(d, call->user_input, call->user_input_bytes);
    sync_for_device(d, call->user_output, call->user_output_bytes);
    sync_for_device(d, call->user_message, call->user_message_bytes);
    sync_values(d, call, sync_for_device);
    d->call = *call;
    if (call->message == &call->described) d->call.message = &d->call.described;
    d->call.private_set = call->private_seed != NULL;
    d->call.private_seed = d->call.public_seed = NULL;
    d->call.under_way = 1;
    if (status == RS_OK) status = start_core(d);
    return status;
}

// Waits for it. In any case the private seed is wiped afterwards.
static rs_status_t finish(rs_device_t *d, rs_status_t started) {
    const call_t *call = &d->call;
    rs_status_t status = started;
    if (status == RS_OK) status = wait_for_core(d);
    sync_for_cpu(d, d->bus.memory + call->output, call->end - call->output);
    sync_for_cpu(d, call->user_output, call->user_output_bytes);
    if (call->values) sync_for_cpu(d, call->user_message, call->user_message_bytes);
    if (call->job.decodes) sync_values(d, call, sync_for_cpu);
    if (status == RS_OK && call->private_set) status = wipe_seeds(d, call);
    d->call.under_way = 0;
    return status == RS_OK ? RS_OK : failed(d, status);
}

// ---- room in memory ---------------------------------------------------------------------------------------------------
// A message and a ciphertext for the streaming unit.
static size_t stream_frame_bytes(uint32_t log_n, uint32_t limbs) {
    return ((size_t)1 + 2 * limbs) * (size_t)8 << log_n;
}

// The key image of all limbs, in whole polynomials.
static size_t stream_image_bytes(const rs_design_t *design, const rs_params_t *params) {
    const size_t poly = rs_design_poly_bytes(design, params->log_n);
    const size_t image = params->limb_count * rs_design_stream_key_bytes(design, params->log_n);
    return (image + poly - 1) & ~(poly - 1); // a power of two
}

size_t rs_device_memory_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count) {
    if (rs_design_fits(design, params) != RS_OK) return 0;
    const size_t limbs = params->limb_count;
    const size_t in = poly_count > 3 ? poly_count : 3; // residues made here: of the message, of u, of an error
    // one more for the words of a message, and one for roots
    const size_t polys = limbs * (2 + 1 + in + 2) + 1 + (size_t)rs_design_encodes(design);
    // of 64 bytes, to which a key image is filled up with whole polynomials
    const size_t images = rs_design_streams(design) ? stream_image_bytes(design, params) : 0;
    return limbs * rs_design_context_bytes(design, params->log_n) + polys * rs_design_poly_bytes(design, params->log_n) + images;
}

size_t rs_device_frames_bytes(const rs_design_t *design, const rs_params_t *params, uint32_t poly_count) {
    const size_t bytes = rs_device_memory_bytes(design, params, poly_count);
    if (!bytes || !(rs_design_encodes(design) || rs_design_streams(design))) return bytes;
    const size_t streamed = rs_design_streams(design) ? RS_FRAMES_MAX * stream_frame_bytes(params->log_n, params->limb_count) : 0;
    // slots that are no longer than a polynomial of words, and a ciphertext or the first limbs of one
    const size_t poly = rs_design_poly_bytes(design, params->log_n), words = (size_t)8 << params->log_n;
    const size_t limbs = 2 * params->limb_count > poly_count ? 2 * params->limb_count : poly_count;
    const size_t encoded = rs_design_encodes(design) ? RS_FRAMES_ENCODE * (words + limbs * poly) : 0;
    return bytes + (streamed > encoded ? streamed : encoded);
}

static void wipe_secret_key(rs_device_t *d) {
    if (d->secret_key) wipe(d, d->secret_key, key_limbs(d) * poly_bytes(d));
    d->secret_key = 0;
}

void rs_device_forget(rs_device_t *d) {
    wipe_secret_key(d);
    d->context = NULL;
    d->public_key = 0;
    d->stream_key = 0;
    d->secret_place = 0;
    d->roots = 0;
    d->used = 0;
}

// Room for a key; a key of this kind that was there is overwritten.
static rs_status_t place(rs_device_t *d, size_t *key, size_t polys) {
    if (*key) return RS_OK;
    if (d->bus.memory_bytes - d->used < polys * poly_bytes(d)) return RS_ERR_DEVICE_MEMORY;
    *key = d->used;
    d->used += polys * poly_bytes(d);
    return RS_OK;
}

// Room for a call's polynomials.
static rs_status_t prepare(rs_device_t *d, call_t *call, size_t in, size_t out) {
    call->job.log_n = d->context->params.log_n;
    call->input = d->used;
    call->output = call->input + in * poly_bytes(d);
    call->end = call->output + out * poly_bytes(d);
    return call->end <= d->bus.memory_bytes ? RS_OK : RS_ERR_DEVICE_MEMORY;
}

// The constants of a limb's context, or of its key image.
static void put_header(const rs_device_t *d, uint32_t limb, uint32_t drop, size_t offset) {
    rs_device_image_header(&d->design, d->context, limb, drop, d->bus.memory + offset);
    sync_for_device(d, d->bus.memory + offset, RS_CONTEXT_HEADER_BYTES);
}

// The constants of every context and key image up to `drop`, the number of limbs if none is dropped.
static void set_drop(rs_device_t *d, uint32_t drop) {
    if (d->drop == drop) return;
    const size_t bytes = rs_design_context_bytes(&d->design, d->context->params.log_n);
    const size_t image = rs_design_stream_key_bytes(&d->design, d->context->params.log_n);
    for (uint32_t limb = 0; limb <= drop && limb < key_limbs(d); limb++) {
        put_header(d, limb, drop, limb * bytes);
        if (d->stream_key) put_header(d, limb, drop, d->stream_key + limb * image);
    }
    d->drop = drop;
}

// ---- opening and loading -----------------------------------------------------------------------------------------------
static rs_status_t read_design(rs_device_t *d) {
    uint32_t reduction;
    const struct {
        uint32_t offset;
        uint32_t *value;
    } registers[] = {
        {RS_REG_LANES, &d->design.lanes},
        {RS_REG_WORD_BITS, &d->design.word_bits},
        {RS_REG_REDUCTION, &reduction},
        {RS_REG_LOG_N_MIN, &d->design.log_n_min},
        {RS_REG_LOG_N_MAX, &d->design.log_n_max},
        {RS_REG_GROUPS, &d->design.groups},
        {RS_REG_CONTEXTS, &d->design.contexts},
        {RS_REG_SLOTS, &d->design.slots},
        {RS_REG_BUS_BITS, &d->design.bus_bits},
        {RS_REG_FEATURES, &d->design.features},
        {RS_REG_PROGRAM_DEPTH, &d->design.program_depth},
        {RS_REG_KECCAK_CORES, &d->design.keccak_cores},
    };
    for (unsigned i = 0; i < sizeof registers / sizeof registers[0]; i++) RS_TRY(get(d, registers[i].offset, registers[i].value));
    d->design.reduction = (rs_reduction_t)reduction;
    if (!(d->design.features & RS_FEATURE_SAMPLER)) d->design.slots = 0; // without a sampler nothing fills them
    return rs_design_check(&d->design);
}

rs_status_t rs_device_open(rs_device_t *device, const rs_bus_t *bus) {
    uint32_t id;
    uint32_t version;
    if (!device || !bus || !bus->read || !bus->write || !bus->memory) return RS_ERR_NULL;
    memset(device, 0, sizeof *device);
    device->bus = *bus;
    if (bus->memory_address % ADDRESS_ALIGNMENT) return RS_ERR_DEVICE_ADDRESS;
    RS_TRY(get(device, RS_REG_ID, &id));
    if (id != RS_REG_ID_VALUE) return RS_ERR_DEVICE_ABSENT;
    RS_TRY(get(device, RS_REG_VERSION, &version));
    if (version != RS_REG_VERSION_VALUE) return RS_ERR_DEVICE_VERSION;
    RS_TRY(read_design(device));
    return zeroize(device);
}

rs_status_t rs_device_reset_bus(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(set(device, RS_REG_CONTROL, BIT(CONTROL_BUS_RESET)));
    return zeroize(device);
}

rs_status_t rs_device_close(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way) (void)end(device, RS_ERR_DEVICE_ABORTED); // the status of the wipe below says how it went
    rs_device_forget(device);
    const rs_status_t status = zeroize(device);
    memset(device, 0, sizeof *device);
    return status;
}

rs_status_t rs_device_load_context(rs_device_t *device, const rs_context_t *context) {
    if (!device || !context) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    RS_TRY(rs_design_fits(&device->design, &context->params));
    const size_t bytes = rs_design_context_bytes(&device->design, context->params.log_n);
    const uint32_t limbs = context->params.limb_count;
    if (device->bus.memory_bytes / bytes < limbs) return RS_ERR_DEVICE_MEMORY;
    rs_device_forget(device);
    device->context = context;
    device->drop = limbs;
    device->used = limbs * bytes;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_context(&device->design, context, limb, limbs, device->bus.memory + limb * bytes);
    }
    sync_for_device(device, device->bus.memory, limbs * bytes);
    return RS_OK;
}

// The image for the streaming unit. Without room for it the lanes encrypt.
static void load_stream_key(rs_device_t *d, const rs_ciphertext_t *key) {
    const uint32_t limbs = d->context->params.limb_count;
    const size_t bytes = rs_design_stream_key_bytes(&d->design, d->context->params.log_n), n = d->context->n;
    if (place(d, &d->stream_key, polys_for(d, limbs * bytes)) != RS_OK) return;
    uint8_t *image = d->bus.memory + d->stream_key;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_stream_key(&d->design, d->context, limb, d->drop, image + limb * bytes, key->data + limb * n,
                                   key->data + (limbs + limb) * n);
    }
    sync_for_device(d, image, limbs * bytes);
}

rs_status_t rs_device_load_public_key(rs_device_t *device, const rs_ciphertext_t *key) {
    if (!device || !key || !key->data) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_check_public_key(device->context, key));
    const size_t limbs = key_limbs(device);
    RS_TRY(place(device, &device->public_key, 2 * limbs));
    for (size_t i = 0; i < 2 * limbs; i++) {
        rs_device_image_write(&device->design, device->context, (uint32_t)(i % limbs), poly_at(device, device->public_key, i),
                              key->data + i * device->context->n, 0);
    }
    sync_for_device(device, poly_at(device, device->public_key, 0), 2 * limbs * poly_bytes(device));
    if (rs_design_streams(&device->design)) load_stream_key(device, key);
    return RS_OK;
}

rs_status_t rs_device_load_secret_key(rs_device_t *device, const rs_secret_key_t *key) {
    if (!device || !key || !key->ntt) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    const uint32_t limbs = device->context->params.limb_count;
    RS_TRY(rs_check_id(device->context, key->parms_id, limbs));
    RS_TRY(place(device, &device->secret_place, limbs));
    device->secret_key = device->secret_place;
    for (uint32_t limb = 0; limb < limbs; limb++) {
        rs_device_image_write(&device->design, device->context, limb, poly_at(device, device->secret_key, limb),
                              key->ntt + (size_t)limb * device->context->n, 1);
    }
    sync_for_device(device, poly_at(device, device->secret_key, 0), limbs * poly_bytes(device));
    return RS_OK;
}

rs_status_t rs_device_forget_secret_key(rs_device_t *device) {
    if (!device || !device->bus.write) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->secret_key) return RS_OK;
    wipe_secret_key(device);
    device->program_words = 0;
    return zeroize(device);
}

rs_status_t rs_device_load_roots(rs_device_t *device, const rs_fixed_t *fixed) {
    if (!device || !fixed) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    if (!rs_design_encodes(&device->design)) return RS_ERR_DESIGN;
    if (rs_fixed_n(fixed) != device->context->n || rs_fixed_word_bits(fixed) != device->design.word_bits) return RS_ERR_MISMATCH;
    RS_TRY(place(device, &device->roots, 1)); // half of its words, and 64 bytes
    rs_device_image_roots(&device->design, fixed, device->bus.memory + device->roots);
    sync_for_device(device, device->bus.memory + device->roots, poly_bytes(device));
    return RS_OK;
}

// ---- inputs of an encryption -------------------------------------------------------------------------------------------
// A limb of residues, and u, e0, e1 for designs without slots.
size_t rs_device_workspace(const rs_context_t *context) {
    return context->n * (sizeof(uint64_t) + 3);
}

typedef int64_t __attribute__((may_alias)) word_t;

static size_t word_bytes(const rs_device_t *d) {
    return d->context->n * sizeof(uint64_t);
}

// The message as words, looked at and written piece by piece, because on a small processor each pass over memory counts.
// 1 if they are words. 0: some are 2^61 and more, as the library's own fast path has it, or there is no room; then nothing is left there.
static int put_words(const rs_device_t *d, size_t offset, const double *message) {
    enum { PIECE = 16 }; // divides every N
    static const double NOTHING[PIECE];
    uint8_t *words = d->bus.memory + offset;
    if (d->bus.memory_bytes - offset < word_bytes(d)) return 0;
    int wide = 0;
    for (size_t i = 0; i < d->context->n; i += PIECE, words += PIECE * sizeof(uint64_t)) {
        wide |= rs_message_is_wide(message + i, PIECE);
        const double *piece = wide ? NOTHING : message + i;
        if (RS_LITTLE_ENDIAN && (uintptr_t)words % sizeof(word_t) == 0) { // rs_store64 writes bytes on machines that want alignment
            word_t *to = (word_t *)(void *)words;
            for (unsigned k = 0; k < PIECE; k++) to[k] = (int64_t)piece[k];
        } else {
            for (unsigned k = 0; k < PIECE; k++) rs_store64(words + sizeof(word_t) * k, (uint64_t)(int64_t)piece[k]);
        }
    }
    if (wide) wipe(d, offset, word_bytes(d));
    return !wide;
}

static const void *words_of(const rs_plaintext_t *plaintext) {
    return plaintext->form == RS_FORM_WORDS ? plaintext->coef : NULL;
}

// The caller's words: the core reads them itself if they are all that it has to read (alone) and it reaches them; else a copy.
static int take_words(const rs_device_t *d, call_t *call, const uint64_t *words, int alone) {
    if (alone && reaches(d, words, word_bytes(d), &call->input_address)) {
        call->user_input = words;
        call->user_input_bytes = word_bytes(d);
        return 1;
    }
    if (d->bus.memory_bytes - d->used < word_bytes(d)) return 0;
    rs_device_image_put(d->bus.memory + d->used, words, d->context->n, 1);
    return 1;
}

// ---- slots in memory ----
static int32_t limited(int32_t shift) { // what is beyond changes nothing more
    return shift < -65 ? -65 : shift > 64 ? 64 : shift;
}

// Between the machine's order and little-endian memory.
static void copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers) {
    const size_t size = rs_fixed_format_bytes((rs_fixed_format_t)numbers->format), bytes = array_bytes(numbers);
    if (RS_LITTLE_ENDIAN) {
        memcpy(to, from, bytes);
    } else {
        for (size_t i = 0; i < bytes; i++) to[i] = from[i / size * size + (size - 1 - i % size)];
    }
}

static rs_status_t set_numbers(const rs_device_t *d, call_t *call, const rs_fixed_layout_t *layout, int32_t shift) {
    const int32_t most = RS_FIXED_EXPONENT_MAX;
    if (!rs_design_encodes(&d->design)) return RS_ERR_DESIGN;
    if (!d->roots) return RS_ERR_DEVICE_EMPTY;
    if (layout->format > RS_FIXED_INT64 || layout->exponent < -most || layout->exponent > most || layout->bound < -most ||
        layout->bound > most)
        return RS_ERR_FIXED_FORMAT;
    if (layout->count < 1 || layout->count > d->context->n / 2) return RS_ERR_VALUE_COUNT;
    call->job.numbers = (rs_job_numbers_t){layout->format, layout->is_complex != 0, layout->count, limited(shift)};
    return RS_OK;
}

// The core uses the caller's array, if it can and that fills lines.
static void aim_message(const rs_device_t *d, call_t *call, const void *values) {
    const size_t bytes = array_bytes(&call->job.numbers);
    if (bytes % LINE_BYTES || !reaches(d, values, bytes, &call->message_address)) return;
    call->user_message = values;
    call->user_message_bytes = bytes;
}

// What a call encrypts: a plaintext, or slots that the core encodes.
typedef struct source {
    const rs_plaintext_t *plaintext;
    const void *values; // NULL: a plaintext
    const rs_fixed_layout_t *layout;
    int32_t log2_scale;
    uint32_t limbs;
    const rs_device_frame_t *frames; // slots of several frames, more than one, and where they go; NULL: one
    uint32_t count;
} source_t;

static rs_status_t check_slots(const rs_device_t *d, call_t *call, const source_t *source) {
    const rs_context_t *context = d->context;
    const uint32_t limbs = source->limbs;
    const int32_t word_bits = (int32_t)d->design.word_bits;
    if (!source->values || !source->layout) return RS_ERR_NULL;
    if (limbs < 1 || limbs > context->data_limbs) return RS_ERR_LEVEL;
    RS_TRY(set_numbers(d, call, source->layout, word_bits - 1 - source->layout->bound + source->layout->exponent));
    if (source->log2_scale < -1022 || source->log2_scale > 1023 || source->log2_scale + 1 >= (int32_t)context->total_bits[limbs])
        return RS_ERR_SCALE;
    const int32_t largest = source->log2_scale + source->layout->bound; // log2 of a coefficient
    if (largest > (int32_t)context->total_bits[limbs] - 2) return RS_ERR_OVERFLOW;
    for (uint32_t i = 0; i < limbs; i++) {
        if (largest > (int32_t)context->limbs[i].modulus.bits - 1) return RS_ERR_DESIGN;
    }
    call->job.shift = limited(largest - (word_bits - 1));
    call->described.limb_count = limbs;
    call->described.scale = rs_power_of_two(source->log2_scale);
    call->message = &call->described;
    return RS_OK;
}

// 0: there is no room.
static int put_slots(const rs_device_t *d, call_t *call, const void *values) {
    const size_t bytes = array_bytes(&call->job.numbers);
    aim_message(d, call, values);
    if (call->user_message) return 1;
    if (d->bus.memory_bytes - d->used < word_bytes(d)) return 0;
    memset(d->bus.memory + d->used, 0, line_bytes(bytes));
    copy_numbers(d->bus.memory + d->used, values, &call->job.numbers);
    return 1;
}

// Both rows of an encryption that is divided by P, limb `drop`, at the end: P message + floor(P/2), and floor(P/2). words: the message's;
// NULL: they are at the input's beginning. 0: some products do not fit into words, or there is no room; then nothing is left there. Only that
// is public.
static int make_dividends(const rs_device_t *d, uint32_t drop, const uint64_t *words) {
    const rs_modulus_t *m = &d->context->limbs[drop].modulus;
    const unsigned bits = 62 - m->bits; // of a message that fits: P message is below 2^62, floor(P/2) below 2^60
    uint8_t *row0 = d->bus.memory + d->used;
    uint8_t *row1 = row0 + word_bytes(d);
    const uint8_t *from = words ? (const uint8_t *)words : row0;
    const int room = d->bus.memory_bytes - d->used >= 2 * word_bytes(d);
    const int aligned = rs_is_aligned(row0) && rs_is_aligned(from);
    uint64_t wide = 0;
    for (size_t at = 0; room && at < word_bytes(d); at += sizeof(word_t)) {
        const uint64_t word = aligned ? rs_load64_aligned(from + at) : rs_load64(from + at);
        const uint64_t product = word * m->q + (m->q >> 1);
        wide |= (word + (UINT64_C(1) << bits)) >> (bits + 1);
        if (aligned) {
            rs_store64_aligned(row0 + at, product);
            rs_store64_aligned(row1 + at, m->q >> 1);
        } else {
            rs_store64(row0 + at, product);
            rs_store64(row1 + at, m->q >> 1);
        }
    }
    RS_DECLASSIFY(&wide, sizeof wide);
    if (room && !wide) return 1;
    if (room || !words) wipe(d, d->used, word_bytes(d));
    return 0;
}

// Where the slots of frames are: the callers' arrays, if the core reaches them and they fill lines, else room for them in memory from
// `offset` on. Bytes that they take there.
static size_t aim_frames(const rs_device_t *d, call_t *call, const rs_device_frame_t *frames, uint32_t count, size_t offset) {
    const size_t bytes = array_bytes(&call->job.numbers);
    size_t taken = 0;
    call->frames = frames;
    call->job.frames = count;
    for (uint32_t frame = 0; frame < count; frame++) {
        if (bytes % LINE_BYTES == 0 && reaches(d, frames[frame].values, bytes, &call->messages[frame])) continue;
        call->messages[frame] = d->bus.memory_address + offset + taken;
        taken += line_bytes(bytes);
    }
    return taken;
}

// The slots of all frames. 0: there is no room.
static int put_frames(const rs_device_t *d, call_t *call, const source_t *source) {
    const size_t bytes = array_bytes(&call->job.numbers);
    call->secret_bytes = aim_frames(d, call, source->frames, source->count, d->used);
    if (d->bus.memory_bytes - d->used < call->secret_bytes) return 0;
    for (uint32_t frame = 0; frame < source->count; frame++) {
        if (!is_own(d, call->messages[frame])) continue;
        uint8_t *lines = d->bus.memory + (call->messages[frame] - d->bus.memory_address);
        memset(lines, 0, line_bytes(bytes));
        copy_numbers(lines, source->frames[frame].values, &call->job.numbers);
    }
    return 1;
}

// As what the message comes in. Words are in place then; if the operation does not start, drop_message removes them.
static rs_job_message_t message_form(const rs_device_t *d, call_t *call, const rs_plaintext_t *plaintext, int divided, int alone) {
    if (!d->design.slots || plaintext->form == RS_FORM_NTT) return RS_MESSAGE_NONE;
    if (!(d->design.features & RS_FEATURE_REDUCE)) return RS_MESSAGE_RESIDUES;
    const uint64_t *words = words_of(plaintext);
    if (words && divided && RS_LITTLE_ENDIAN)
        return make_dividends(d, plaintext->limb_count, words) ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES;
    int ready = words ? take_words(d, call, words, alone && !divided) : put_words(d, d->used, plaintext->coef);
    if (ready && divided) ready = make_dividends(d, plaintext->limb_count, NULL);
    return ready ? RS_MESSAGE_WORDS : RS_MESSAGE_RESIDUES;
}

static rs_status_t drop_message(const rs_device_t *d, const call_t *call, rs_status_t status) {
    if (status != RS_OK && call->frames) wipe(d, d->used, call->secret_bytes);
    if (call->frames) return status;
    const int taken = call->user_input || call->user_message; // the caller's, not a copy
    if (status != RS_OK && call->job.message >= RS_MESSAGE_WORDS && !taken) wipe(d, d->used, word_bytes(d));
    return status;
}

int rs_device_reads_words(const rs_device_t *device, rs_encryption_t kind) {
    if (!device || !device->design.slots || !(device->design.features & RS_FEATURE_REDUCE)) return 0;
    const uint32_t narrow = 32; // wider special primes leave no room for the message beside them (make_dividends)
    return kind != RS_ENCRYPT_PK || rs_design_rounds(&device->design) || device->design.word_bits <= narrow;
}

// Words are a form that only devices take.
static rs_status_t check_plaintext(const rs_context_t *context, const rs_plaintext_t *plaintext) {
    if (!plaintext) return RS_ERR_NULL;
    rs_plaintext_t seen = *plaintext;
    if (seen.form == RS_FORM_WORDS) seen.form = RS_FORM_COEF;
    return rs_check_plaintext(context, &seen);
}

static rs_status_t check_source(const rs_device_t *d, call_t *call, const source_t *source) {
    if (!source->plaintext) return check_slots(d, call, source);
    call->message = source->plaintext;
    return check_plaintext(d->context, source->plaintext);
}

// Polynomials of the input before row 1.
static uint32_t row_polys(const rs_device_t *d, const call_t *call) {
    if (call->frames) return (uint32_t)polys_for(d, call->secret_bytes);
    const uint32_t limbs = call->job.limbs;
    return call->job.message >= RS_MESSAGE_WORDS && limbs < RS_MESSAGE_POLYS ? RS_MESSAGE_POLYS : limbs;
}

// Bytes of the input that hold the message, what it is encrypted with, or both.
static size_t secret_bytes(const rs_device_t *d, const call_t *call, int dividends) {
    if (call->frames) return call->secret_bytes;
    if (dividends || (!d->design.slots && call->job.kind != RS_JOB_ENCRYPT_SK)) return call->output - call->input;
    if (!d->design.slots || call->job.message == RS_MESSAGE_RESIDUES) return call->job.limbs * poly_bytes(d);
    if (call->job.message == RS_MESSAGE_SLOTS) return call->user_message ? 0 : line_bytes(array_bytes(&call->job.numbers));
    return call->job.message == RS_MESSAGE_WORDS && !call->user_input ? word_bytes(d) : 0;
}

// Bytes of the workspace that a start writes to.
static size_t workspace_used(const rs_device_t *d, const call_t *call) {
    if (!d->design.slots) return rs_device_workspace(d->context);
    const int expands_here = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.expansion;
    return call->job.message == RS_MESSAGE_RESIDUES || expands_here ? d->context->n * sizeof(uint64_t) : 0;
}

// A limb of the message, in doubles or words, with an error or without.
static void lift(const rs_device_t *d, uint32_t limb, uint64_t *residues, const rs_plaintext_t *plaintext, const int8_t *error) {
    const void *words = words_of(plaintext);
    if (!words) {
        rs_lift_message(d->context, limb, residues, plaintext->coef, error);
        return;
    }
    const rs_modulus_t *m = &d->context->limbs[limb].modulus;
    rs_lift_fixed(d->context, limb, residues, words, 0);
    for (uint32_t k = 0; error && k < d->context->n; k++) {
        residues[k] = rs_add_mod(residues[k], rs_reduce_signed(error[k], m), m->q);
    }
}

// Row 0 of the input: the message, in designs without slots plus an error. Without message and error nothing is needed.
static void put_message(const rs_device_t *d, const call_t *call, const rs_plaintext_t *plaintext, const int8_t *error,
                        uint64_t *residues) {
    const int message = plaintext->form != RS_FORM_NTT;
    if (!message && !error) return;
    if (call->job.message >= RS_MESSAGE_WORDS) return; // they are there
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        if (message) {
            lift(d, limb, residues, plaintext, error);
        } else {
            rs_lift_small(d->context, limb, residues, error, 1);
        }
        rs_device_image_write(&d->design, d->context, limb, poly_at(d, call->input, limb), residues, 0);
    }
}

// times_radix: for u, of which there are products.
static void put_small(const rs_device_t *d, const call_t *call, uint32_t row, const int8_t *small, int times_radix,
                      uint64_t *residues) {
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        const uint64_t factor = times_radix ? rs_device_image_radix(&d->design, &d->context->limbs[limb].modulus) : 1;
        rs_lift_small(d->context, limb, residues, small, factor);
        rs_device_image_write(&d->design, d->context, limb, poly_at(d, call->input, row * call->job.limbs + limb), residues, 0);
    }
}

// Both rows of an encryption that is divided by P at the end: P message + floor(P/2), and floor(P/2).
static void put_dividends(const rs_device_t *d, const call_t *call, const rs_plaintext_t *plaintext, uint64_t *residues) {
    const uint32_t drop = call->job.limbs;
    const uint64_t p = d->context->limbs[drop].modulus.q;
    for (uint32_t i = 0; i < 2 * (drop + 1); i++) {
        const uint32_t limb = i % (drop + 1);
        const rs_modulus_t *m = &d->context->limbs[limb].modulus;
        const rs_factor_t factor = rs_factor(rs_reduce(p, m), m->q);
        const uint64_t half = rs_reduce(p / 2, m);
        const int has_message = i < drop && plaintext->form != RS_FORM_NTT;
        if (has_message) lift(d, limb, residues, plaintext, NULL);
        for (uint32_t k = 0; k < d->context->n; k++) {
            residues[k] = has_message ? rs_add_mod(rs_mul_factor(residues[k], factor, m->q), half, m->q) : half;
        }
        rs_device_image_write(&d->design, d->context, limb, poly_at(d, call->input, i), residues, 0);
    }
}

// Row 1 of the input: c1 from its seed, where the core has no such unit. copy: NULL, or limbs * N words that are wanted too.
static rs_status_t put_expansion(const rs_device_t *d, const call_t *call, uint32_t row_limbs, uint32_t first, rs_seed_type_t type,
                                 const rs_seed_t *seed, uint64_t *copy, uint64_t *residues) {
    rs_uniform_t uniform;
    const size_t n = d->context->n;
    RS_TRY(rs_uniform_init(&uniform, type, seed, call->job.log_n, row_limbs));
    for (uint32_t limb = 0; limb < call->job.limbs; limb++) {
        RS_TRY(rs_uniform_next(&uniform, d->context->limbs[limb].modulus.q, residues));
        rs_device_image_write(&d->design, d->context, limb, poly_at(d, call->input, first + limb), residues, 0);
        if (copy) memcpy(copy + limb * n, residues, n * sizeof *residues);
    }
    return RS_OK;
}

static int expands(const rs_device_t *d, rs_seed_type_t type) {
    return (d->design.features & RS_FEATURE_EXPAND) && type == RS_SEED_SHAKE256;
}

// The core writes into the caller's array, if it can.
static void aim_output(const rs_device_t *d, call_t *call, uint64_t *polys, size_t count) {
    const size_t bytes = count * d->context->n * sizeof *polys;
    if (!reaches(d, polys, bytes, &call->output_address)) return;
    call->user_output = polys;
    call->user_output_bytes = bytes;
    call->job.wide_output = 1;
}

// The message of a streamed frame at `offset`, all magnitudes below `bound`. 0: some are not, which is all that anybody learns.
static int put_streamed(const rs_device_t *d, size_t offset, const rs_plaintext_t *plaintext, uint64_t bound) {
    uint8_t *words = d->bus.memory + offset;
    uint64_t over = 0;
    if (plaintext->form == RS_FORM_NTT) { // added afterwards
        memset(words, 0, word_bytes(d));
        return 1;
    }
    if (words_of(plaintext)) {
        rs_device_image_put(words, words_of(plaintext), d->context->n, 1);
    } else if (!put_words(d, offset, plaintext->coef)) {
        return 0;
    }
    for (size_t at = 0; at < word_bytes(d); at += sizeof(word_t)) {
        const uint64_t word = rs_load64(words + at), sign = 0 - (word >> 63);
        over |= bound - 1 - ((word ^ sign) - sign); // magnitudes are at most 2^63, bounds below: negative if too large
    }
    over >>= 63;
    RS_DECLASSIFY(&over, sizeof over);
    return !over;
}

// From the first one on.
static void get_polys(const rs_device_t *d, const call_t *call, uint64_t *polys, size_t first, size_t count) {
    if (call->user_output) return;
    for (size_t i = 0; i < count; i++) {
        rs_device_image_read(&d->design, d->context, polys + i * d->context->n, poly_at(d, call->output, first + i));
    }
}

// A message in NTT form is added to c0 here.
static void add_ntt_message(const rs_device_t *d, const rs_plaintext_t *plaintext, uint64_t *c0) {
    if (plaintext->form != RS_FORM_NTT) return;
    for (uint32_t limb = 0; limb < plaintext->limb_count; limb++) {
        const size_t at = (size_t)limb * d->context->n;
        rs_poly_add(d->context, limb, c0 + at, c0 + at, plaintext->ntt + at);
    }
}

// ---- the end of an operation -------------------------------------------------------------------------------------------
static void end_encryption(const rs_device_t *d) {
    const call_t *call = &d->call;
    const uint32_t rows = call->job.kind == RS_JOB_ENCRYPT_SK && !call->job.store_expanded ? 1 : 2; // that the core writes
    const size_t polys = (size_t)rows * call->job.limbs;
    for (uint32_t frame = 0; frame < frames_of(call); frame++) {
        rs_ciphertext_t *ciphertext = call->frames ? call->frames[frame].ciphertext : call->ciphertext;
        get_polys(d, call, ciphertext->data, frame * polys, polys);
        add_ntt_message(d, call->message, ciphertext->data);
        rs_describe_ciphertext(d->context, ciphertext, call->message);
        if (call->job.kind == RS_JOB_ENCRYPT_SK) {
            ciphertext->seed = call->seeds[frame];
        } else {
            ciphertext->seeded = 0;
        }
    }
}

// Messages go, and after a failure all that the core has written.
static void end_stream(const rs_device_t *d, rs_status_t status) {
    const call_t *call = &d->call;
    const size_t words = 2 * (size_t)call->job.limbs * d->context->n;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        const rs_device_frame_t *frame = &call->frames[i];
        const size_t message = call->input + i * call->stream_bytes;
        if (status == RS_OK) {
            rs_device_image_get(frame->ciphertext->data, d->bus.memory + message + word_bytes(d), words, 1);
            add_ntt_message(d, frame->plaintext, frame->ciphertext->data);
            rs_describe_ciphertext(d->context, frame->ciphertext, frame->plaintext);
            frame->ciphertext->seeded = 0;
        }
        wipe(d, message, status == RS_OK ? word_bytes(d) : call->stream_bytes);
    }
}

static void end_decryption(const rs_device_t *d, rs_status_t status) {
    const call_t *call = &d->call;
    rs_plaintext_t *plaintext = call->plaintext;
    if (status == RS_OK) {
        get_polys(d, call, plaintext->ntt, 0, call->job.limbs);
        memcpy(plaintext->parms_id, d->context->ids[call->job.limbs - 1], RS_PARMS_ID_BYTES);
        plaintext->form = RS_FORM_NTT;
        plaintext->limb_count = call->job.limbs;
        plaintext->scale = call->scale;
    } else if (call->user_output) {
        rs_zeroize(call->user_output, call->user_output_bytes);
    }
    if (!call->user_output) wipe(d, call->output, call->end - call->output);
}

static void end_decoding(const rs_device_t *d, rs_status_t status) {
    const call_t *call = &d->call;
    for (uint32_t frame = 0; frame < frames_of(call); frame++) {
        void *values = call->frames ? call->frames[frame].values : call->values;
        const int own = call->frames ? is_own(d, call->messages[frame]) : !call->user_message;
        const uint64_t offset = call->frames ? call->messages[frame] - d->bus.memory_address : call->output;
        if (status != RS_OK) {
            rs_zeroize(values, array_bytes(&call->job.numbers));
        } else if (own) {
            copy_numbers(values, d->bus.memory + offset, &call->job.numbers);
        }
    }
    if (call->frames || !call->user_message) wipe(d, call->output, call->end - call->output);
}

// started: how the start went. Nothing is under way afterwards, and nothing secret is left.
static rs_status_t end(rs_device_t *d, rs_status_t started) {
    const rs_status_t status = finish(d, started);
    const call_t *call = &d->call;
    if (call->secret_bytes) wipe(d, call->input, call->secret_bytes);
    if (call->plaintext) end_decryption(d, status);
    if (call->values) end_decoding(d, status);
    if (call->ciphertext && status == RS_OK) end_encryption(d);
    if (call->stream_bytes) end_stream(d, status);
    return status;
}

static rs_status_t begin(rs_device_t *d, const call_t *call) {
    const rs_status_t status = start(d, call);
    return status == RS_OK ? RS_OK : end(d, status);
}

rs_status_t rs_device_poll(rs_device_t *device, int *done) {
    uint32_t status;
    if (!device || !done) return RS_ERR_NULL;
    if (!device->call.under_way) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(get(device, RS_REG_STATUS, &status));
    *done = (status & (BIT(STATUS_DONE) | BIT(STATUS_ERROR))) != 0;
    return RS_OK;
}

rs_status_t rs_device_finish(rs_device_t *device) {
    if (!device) return RS_ERR_NULL;
    return device->call.under_way ? end(device, RS_OK) : RS_ERR_DEVICE_EMPTY;
}

// ---- operations --------------------------------------------------------------------------------------------------------
static rs_status_t start_public(rs_device_t *device, const source_t *source, rs_encryption_t kind, rs_ciphertext_t *ciphertext,
                                rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data || !rng || !rng->fill) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    const rs_context_t *context = device->context;
    if (!context || !device->public_key) return RS_ERR_DEVICE_EMPTY;
    call_t call = {.key = device->public_key, .ciphertext = ciphertext};
    RS_TRY(check_source(device, &call, source));
    if (kind != RS_ENCRYPT_PK && kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const int sampler = device->design.slots != 0;
    const int rounded = kind == RS_ENCRYPT_PK && context->params.limb_count > 1;
    const int divided = rounded && !rs_design_rounds(&device->design);
    const rs_plaintext_t *plaintext = call.message;
    call.job.kind = rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call.job.limbs = plaintext->limb_count;
    call.job.key_limbs = context->params.limb_count;
    if (source->values) {
        call.job.message = RS_MESSAGE_SLOTS;
        const int put = source->frames ? put_frames(device, &call, source) : put_slots(device, &call, source->values);
        if (!put) return RS_ERR_DEVICE_MEMORY;
    } else {
        call.job.message = message_form(device, &call, plaintext, divided, 1);
    }
    const int dividends = divided && call.job.message != RS_MESSAGE_WORDS; // made here, as residues
    const uint32_t limbs = call.job.limbs;
    const uint32_t in = divided ? 2 * (limbs + 1) : sampler ? row_polys(device, &call) : 3 * limbs;
    if (!call.frames) aim_output(device, &call, ciphertext->data, 2 * (size_t)limbs);
    rs_status_t status = prepare(device, &call, in, frames_of(&call) * 2 * limbs + (divided ? 2 : 0));
    if (status == RS_OK) status = load_program(device, &call.job); // what cannot be done is refused before a seed is drawn
    rs_seed_t seeds[RS_FRAMES_ENCODE];
    for (uint32_t i = 0; status == RS_OK && i < frames_of(&call); i++) status = rs_fresh_seed(rng, &seeds[i]);
    if (status != RS_OK) rs_zeroize(seeds, sizeof seeds);
    if (status != RS_OK) return drop_message(device, &call, status);
    set_drop(device, rounded ? limbs : call.job.key_limbs);
    int8_t *error = NULL;
    if (sampler) {
        call.private_seed = seeds;
    } else {
        int8_t *u = (int8_t *)workspace + n * sizeof(uint64_t);
        int8_t *e1 = u + n;
        error = u + 2 * n;
        rs_sample_ternary(u, n, seeds, RS_DOMAIN_U);
        rs_sample_cbd21(error, n, seeds, RS_DOMAIN_E0);
        rs_sample_cbd21(e1, n, seeds, RS_DOMAIN_E1);
        put_small(device, &call, 1, u, 1, workspace);
        put_small(device, &call, 2, e1, 0, workspace);
    }
    if (dividends) {
        put_dividends(device, &call, plaintext, workspace);
    } else {
        put_message(device, &call, plaintext, error, workspace);
    }
    call.secret_bytes = secret_bytes(device, &call, dividends);
    status = begin(device, &call);
    rs_zeroize(seeds, sizeof seeds);
    rs_zeroize(workspace, dividends ? n * sizeof(uint64_t) : workspace_used(device, &call));
    return status;
}

// Plaintexts that the streaming unit encrypts at once. RS_ERR_DESIGN: not these, or not so many; then nothing is left of them.
static rs_status_t start_stream(rs_device_t *d, const rs_device_frame_t *frames, uint32_t count, rs_encryption_t kind,
                                rs_rng_t *rng) {
    const rs_context_t *context = d->context;
    const int rounded = kind == RS_ENCRYPT_PK && context->params.limb_count > 1;
    const uint32_t limbs = frames->plaintext->limb_count;
    if (!d->stream_key) return RS_ERR_DESIGN;
    call_t call = {.key = d->public_key, .frames = frames, .stream_bytes = stream_frame_bytes(context->params.log_n, limbs)};
    call.job.kind = rounded ? RS_JOB_ENCRYPT_PK : RS_JOB_ENCRYPT_PK_DIRECT;
    call.job.message = RS_MESSAGE_FRAME;
    call.job.limbs = limbs;
    call.job.key_limbs = context->params.limb_count;
    call.job.frames = count;
    RS_TRY(prepare(d, &call, polys_for(d, count * call.stream_bytes), 0));
    RS_TRY(load_program(d, &call.job));
    call.output = call.input; // the core writes there
    uint64_t bound = UINT64_MAX >> 1;
    for (uint32_t i = 0; i < limbs; i++) {
        if (context->limbs[i].modulus.q < bound) bound = context->limbs[i].modulus.q;
    }
    rs_seed_t seeds[RS_FRAMES_MAX];
    rs_status_t status = RS_OK;
    for (uint32_t i = 0; i < count && status == RS_OK; i++) {
        const size_t offset = call.input + i * call.stream_bytes;
        call.messages[i] = d->bus.memory_address + offset;
        if (frames[i].plaintext->limb_count != limbs || !put_streamed(d, offset, frames[i].plaintext, bound))
            status = RS_ERR_DESIGN;
    }
    for (uint32_t i = 0; i < count && status == RS_OK; i++) status = rs_fresh_seed(rng, &seeds[i]);
    if (status == RS_OK) {
        set_drop(d, rounded ? limbs : call.job.key_limbs);
        call.private_seed = seeds;
        status = begin(d, &call);
    } else {
        wipe(d, call.input, count * call.stream_bytes);
    }
    rs_zeroize(seeds, sizeof seeds);
    return status;
}

rs_status_t rs_device_encrypt_public_start(rs_device_t *device, const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                           rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const source_t source = {.plaintext = plaintext};
    if (!plaintext) return RS_ERR_NULL;
    return start_public(device, &source, kind, ciphertext, rng, workspace, workspace_bytes);
}

rs_status_t rs_device_encode_encrypt_public(rs_device_t *device, const void *values, const rs_fixed_layout_t *layout,
                                            int32_t log2_scale, uint32_t limb_count, rs_encryption_t kind,
                                            rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const source_t source = {NULL, values, layout, log2_scale, limb_count, NULL, 0};
    RS_TRY(start_public(device, &source, kind, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_device_encrypt_public(rs_device_t *device, const rs_plaintext_t *plaintext, rs_encryption_t kind,
                                     rs_ciphertext_t *ciphertext, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const rs_device_frame_t frame = {NULL, ciphertext, plaintext};
    return rs_device_encrypt_public_frames(device, &frame, 1, kind, rng, workspace, workspace_bytes);
}

static rs_status_t start_secret(rs_device_t *device, const source_t *source, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                void *workspace, size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data || !rng || !rng->fill) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    const rs_context_t *context = device->context;
    if (!context || !device->secret_key) return RS_ERR_DEVICE_EMPTY;
    call_t call = {.key = device->secret_key, .ciphertext = ciphertext};
    RS_TRY(check_source(device, &call, source));
    if (ciphertext->seed_type != RS_SEED_BLAKE2XB && ciphertext->seed_type != RS_SEED_SHAKE256) return RS_ERR_SEED_TYPE;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const int sampler = device->design.slots != 0;
    const int expand = expands(device, ciphertext->seed_type);
    const rs_plaintext_t *plaintext = call.message;
    call.job.kind = RS_JOB_ENCRYPT_SK;
    call.job.limbs = plaintext->limb_count;
    if (source->values) {
        call.job.message = RS_MESSAGE_SLOTS;
        const int put = source->frames ? put_frames(device, &call, source) : put_slots(device, &call, source->values);
        if (!put) return RS_ERR_DEVICE_MEMORY;
    } else {
        call.job.message = message_form(device, &call, plaintext, 0, expand);
    }
    call.job.expansion = expand ? call.job.limbs : 0;
    call.job.store_expanded = expand && !ciphertext->seeded;
    const uint32_t rows = call.job.store_expanded ? 2 : 1; // that the core writes
    if (!call.frames) aim_output(device, &call, ciphertext->data, (size_t)rows * call.job.limbs);
    const uint32_t in = row_polys(device, &call) + (call.frames ? 0 : call.job.limbs);
    rs_status_t status = prepare(device, &call, in, (call.frames ? source->count * rows : 2) * call.job.limbs);
    if (status == RS_OK) status = load_program(device, &call.job);
    rs_seed_t seeds[RS_FRAMES_ENCODE];
    for (uint32_t i = 0; status == RS_OK && i < frames_of(&call); i++) status = rs_fresh_seeds(rng, &seeds[i], &call.seeds[i]);
    if (status != RS_OK) rs_zeroize(seeds, sizeof seeds);
    if (status != RS_OK) return drop_message(device, &call, status);
    uint64_t *c1 = ciphertext->seeded ? NULL : ciphertext->data + call.job.limbs * n;
    if (expand) {
        call.public_seed = call.seeds;
    } else {
        status = put_expansion(device, &call, call.job.limbs, row_polys(device, &call), ciphertext->seed_type, call.seeds, c1,
                               workspace);
    }
    int8_t *error = NULL;
    if (sampler) {
        call.private_seed = seeds;
    } else {
        error = (int8_t *)workspace + n * sizeof(uint64_t);
        rs_sample_cbd21(error, n, seeds, RS_DOMAIN_E0);
    }
    call.secret_bytes = secret_bytes(device, &call, 0);
    if (status == RS_OK) {
        put_message(device, &call, plaintext, error, workspace);
        status = begin(device, &call);
    }
    rs_zeroize(seeds, sizeof seeds);
    rs_zeroize(workspace, workspace_used(device, &call));
    return drop_message(device, &call, status);
}

rs_status_t rs_device_encrypt_secret_start(rs_device_t *device, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                           rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const source_t source = {.plaintext = plaintext};
    if (!plaintext) return RS_ERR_NULL;
    return start_secret(device, &source, ciphertext, rng, workspace, workspace_bytes);
}

rs_status_t rs_device_encode_encrypt_secret(rs_device_t *device, const void *values, const rs_fixed_layout_t *layout,
                                            int32_t log2_scale, uint32_t limb_count, rs_ciphertext_t *ciphertext, rs_rng_t *rng,
                                            void *workspace, size_t workspace_bytes) {
    const source_t source = {NULL, values, layout, log2_scale, limb_count, NULL, 0};
    RS_TRY(start_secret(device, &source, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_device_encrypt_secret(rs_device_t *device, const rs_plaintext_t *plaintext, rs_ciphertext_t *ciphertext,
                                     rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_device_encrypt_secret_start(device, plaintext, ciphertext, rng, workspace, workspace_bytes));
    return rs_device_finish(device);
}

// Where a decryption goes: a plaintext, or slots.
typedef struct target {
    rs_plaintext_t *plaintext;
    void *values; // NULL: a plaintext
    const rs_fixed_layout_t *layout;
    uint32_t limbs;
    const rs_device_frame_t *frames; // several frames, more than one; NULL: one
    uint32_t count;
} target_t;

static rs_status_t aim_values(const rs_device_t *d, call_t *call, const target_t *target) {
    if (!target->values || !target->layout) return RS_ERR_NULL;
    const int32_t word_bits = (int32_t)d->design.word_bits;
    const rs_plaintext_t decrypted = {.scale = call->scale};
    rs_fixed_scale_t scale;
    RS_TRY(set_numbers(d, call, target->layout, target->layout->bound - target->layout->exponent - (word_bits - 2)));
    RS_TRY(rs_decode_fixed_scale(d->context, d->design.word_bits, &decrypted, 0, target->layout->bound, &scale));
    call->job.decodes = 1;
    if (scale.factor) return RS_ERR_DESIGN; // the scale is no power of two: nothing in the core multiplies there
    call->job.shift = limited(scale.shift);
    call->values = target->values;
    if (!target->frames) aim_message(d, call, target->values);
    return RS_OK;
}

// Frames that one program decrypts: what it does to the first one it does to all.
static int are_alike(const rs_device_frame_t *frames, uint32_t count) {
    const rs_ciphertext_t *first = frames[0].ciphertext;
    for (uint32_t i = 0; i < count; i++) {
        const rs_ciphertext_t *one = frames[i].ciphertext;
        if (one->seeded || one->poly_count != first->poly_count || one->limb_count != first->limb_count ||
            one->scale != first->scale || memcmp(one->parms_id, first->parms_id, RS_PARMS_ID_BYTES) != 0)
            return 0;
    }
    return 1;
}

// Their first limbs, one frame's polynomials after the other's; and where their slots go, behind all these.
static rs_status_t prepare_frames(rs_device_t *d, call_t *call, const target_t *target) {
    const uint32_t polys = call->job.poly_count;
    const size_t output = d->used + (size_t)target->count * polys * poly_bytes(d);
    call->job.input_limbs = 1;
    const size_t bytes = aim_frames(d, call, target->frames, target->count, output);
    RS_TRY(prepare(d, call, (size_t)target->count * polys, polys_for(d, bytes)));
    RS_TRY(load_program(d, &call->job));
    for (uint32_t i = 0; i < target->count; i++) {
        const rs_ciphertext_t *ciphertext = target->frames[i].ciphertext;
        for (uint32_t j = 0; j < polys; j++) {
            const uint64_t *poly = ciphertext->data + (size_t)j * ciphertext->limb_count * d->context->n;
            rs_device_image_write(&d->design, d->context, 0, poly_at(d, call->input, (size_t)i * polys + j), poly, 0);
        }
    }
    return RS_OK;
}

static rs_status_t start_decryption(rs_device_t *device, const rs_ciphertext_t *ciphertext, const target_t *target, void *workspace,
                                    size_t workspace_bytes) {
    if (!device || !ciphertext || !ciphertext->data) return RS_ERR_NULL;
    rs_plaintext_t *plaintext = target->plaintext;
    const uint32_t limb_count = target->limbs;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    const rs_context_t *context = device->context;
    if (!context || !device->secret_key) return RS_ERR_DEVICE_EMPTY;
    RS_TRY(rs_check_id(context, ciphertext->parms_id, ciphertext->limb_count));
    const uint32_t polys = ciphertext->poly_count;
    if (polys < 2 || polys > RS_POLYS_MAX || (ciphertext->seeded && polys != 2)) return RS_ERR_POLY_COUNT;
    if (limb_count < 1 || limb_count > ciphertext->limb_count) return RS_ERR_LEVEL;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(context)));
    const size_t n = context->n;
    const uint32_t limbs = ciphertext->limb_count;
    const int expand = ciphertext->seeded && expands(device, ciphertext->seed_type);
    call_t call = {.key = device->secret_key, .plaintext = plaintext, .scale = ciphertext->scale};
    call.job.kind = RS_JOB_DECRYPT;
    call.job.limbs = limb_count;
    call.job.input_limbs = limbs;
    call.job.poly_count = polys;
    call.job.expansion = expand ? limbs : 0;
    if (target->frames) {
        if (!are_alike(target->frames, target->count)) return RS_ERR_DESIGN; // not at once
        RS_TRY(aim_values(device, &call, target));
        RS_TRY(prepare_frames(device, &call, target));
        return begin(device, &call);
    }
    if (expand) call.public_seed = &ciphertext->seed;
    const uint32_t given = ciphertext->seeded ? 1 : polys; // polynomials in ciphertext->data
    const size_t bytes = (size_t)given * limbs * n * sizeof *ciphertext->data;
    const int mixed = ciphertext->seeded && !expand; // c1 is made here
    if (!mixed && reaches(device, ciphertext->data, bytes, &call.input_address)) {
        call.user_input = ciphertext->data;
        call.user_input_bytes = bytes;
        call.job.wide_input = 1;
    }
    if (plaintext) {
        aim_output(device, &call, plaintext->ntt, limb_count);
    } else {
        RS_TRY(aim_values(device, &call, target));
    }
    RS_TRY(prepare(device, &call, (size_t)polys * limbs, plaintext ? limb_count : RS_MESSAGE_POLYS));
    RS_TRY(load_program(device, &call.job));
    for (uint32_t j = 0; !call.user_input && j < given; j++) {
        for (uint32_t limb = 0; limb < limb_count; limb++) {
            const size_t i = (size_t)j * limbs + limb;
            rs_device_image_write(&device->design, context, limb, poly_at(device, call.input, i), ciphertext->data + i * n, 0);
        }
    }
    if (mixed) {
        RS_TRY(put_expansion(device, &call, limbs, limbs, ciphertext->seed_type, &ciphertext->seed, NULL, workspace));
    }
    return begin(device, &call);
}

rs_status_t rs_device_decrypt_start(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                                    rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    const target_t target = {.plaintext = plaintext, .limbs = limb_count};
    if (!plaintext || !plaintext->ntt) return RS_ERR_NULL;
    return start_decryption(device, ciphertext, &target, workspace, workspace_bytes);
}

rs_status_t rs_device_decrypt_decode(rs_device_t *device, const rs_ciphertext_t *ciphertext, void *values,
                                     const rs_fixed_layout_t *layout, void *workspace, size_t workspace_bytes) {
    const target_t target = {NULL, values, layout, 1, NULL, 0};
    RS_TRY(start_decryption(device, ciphertext, &target, workspace, workspace_bytes));
    return rs_device_finish(device);
}

// ---- several frames ----------------------------------------------------------------------------------------------------
typedef struct batch {
    rs_status_t (*start)(rs_device_t *device, const struct batch *batch, const rs_device_frame_t *frames, uint32_t count);
    const rs_fixed_layout_t *layout;
    int32_t log2_scale;
    uint32_t limbs;
    rs_encryption_t kind;
    rs_rng_t *rng;
    void *workspace;
    size_t workspace_bytes;
} batch_t;

static source_t source_of(const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    return (source_t){NULL, frames->values, batch->layout, batch->log2_scale, batch->limbs, count > 1 ? frames : NULL, count};
}

static rs_status_t start_public_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    const source_t source = source_of(batch, frames, count);
    return start_public(device, &source, batch->kind, frames->ciphertext, batch->rng, batch->workspace, batch->workspace_bytes);
}

static rs_status_t start_secret_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, uint32_t count) {
    const source_t source = source_of(batch, frames, count);
    for (uint32_t i = 0; i < count; i++) {
        const rs_ciphertext_t *one = frames[i].ciphertext;
        if (one->seeded != frames->ciphertext->seeded || one->seed_type != frames->ciphertext->seed_type) return RS_ERR_DESIGN;
    }
    return start_secret(device, &source, frames->ciphertext, batch->rng, batch->workspace, batch->workspace_bytes);
}

static rs_status_t start_decoding_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames,
                                         uint32_t count) {
    const target_t target = {NULL, frames->values, batch->layout, 1, count > 1 ? frames : NULL, count};
    return start_decryption(device, frames->ciphertext, &target, batch->workspace, batch->workspace_bytes);
}

// What fewer frames may be spared.
static int is_too_much(rs_status_t status) {
    return status == RS_ERR_PROGRAM_LENGTH || status == RS_ERR_DESIGN || status == RS_ERR_DEVICE_MEMORY;
}

// As many at a time as go. What starts fewer of them has changed nothing but memory that no one else uses.
static rs_status_t run_frames(rs_device_t *device, const batch_t *batch, const rs_device_frame_t *frames, size_t count) {
    if (!device || (!frames && count)) return RS_ERR_NULL;
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].values || !frames[i].ciphertext || !frames[i].ciphertext->data) return RS_ERR_NULL;
    }
    while (count) {
        uint32_t some = count < RS_FRAMES_ENCODE ? (uint32_t)count : RS_FRAMES_ENCODE;
        rs_status_t status = batch->start(device, batch, frames, some);
        while (some > 1 && is_too_much(status)) {
            some >>= 1;
            status = batch->start(device, batch, frames, some);
        }
        RS_TRY(status);
        RS_TRY(rs_device_finish(device));
        frames += some;
        count -= some;
    }
    return RS_OK;
}

rs_status_t rs_device_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                            rs_encryption_t kind, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    if (!device || (!frames && count) || !rng || !rng->fill) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context || !device->public_key) return RS_ERR_DEVICE_EMPTY;
    if (kind != RS_ENCRYPT_PK && kind != RS_ENCRYPT_PK_DIRECT) return RS_ERR_FORM;
    RS_TRY(rs_check_workspace(workspace, workspace_bytes, rs_device_workspace(device->context)));
    for (size_t i = 0; i < count; i++) {
        if (!frames[i].plaintext || !frames[i].ciphertext || !frames[i].ciphertext->data) return RS_ERR_NULL;
        RS_TRY(check_plaintext(device->context, frames[i].plaintext));
    }
    while (count) {
        uint32_t some = count < RS_FRAMES_MAX ? (uint32_t)count : RS_FRAMES_MAX;
        rs_status_t status = start_stream(device, frames, some, kind, rng);
        while (some > 1 && is_too_much(status)) {
            some >>= 1;
            status = start_stream(device, frames, some, kind, rng);
        }
        if (is_too_much(status)) {
            status = rs_device_encrypt_public_start(device, frames->plaintext, kind, frames->ciphertext, rng, workspace,
                                                    workspace_bytes);
        }
        RS_TRY(status);
        RS_TRY(rs_device_finish(device));
        frames += some;
        count -= some;
    }
    return RS_OK;
}

rs_status_t rs_device_encode_encrypt_public_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                   const rs_fixed_layout_t *layout, int32_t log2_scale, uint32_t limb_count,
                                                   rs_encryption_t kind, rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {start_public_frames, layout, log2_scale, limb_count, kind, rng, workspace, workspace_bytes};
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_encode_encrypt_secret_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                                   const rs_fixed_layout_t *layout, int32_t log2_scale, uint32_t limb_count,
                                                   rs_rng_t *rng, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {start_secret_frames, layout, log2_scale, limb_count, RS_ENCRYPT_SK, rng, workspace, workspace_bytes};
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_decrypt_decode_frames(rs_device_t *device, const rs_device_frame_t *frames, size_t count,
                                            const rs_fixed_layout_t *layout, void *workspace, size_t workspace_bytes) {
    const batch_t batch = {
        .start = start_decoding_frames, .layout = layout, .workspace = workspace, .workspace_bytes = workspace_bytes};
    return run_frames(device, &batch, frames, count);
}

rs_status_t rs_device_decrypt(rs_device_t *device, const rs_ciphertext_t *ciphertext, uint32_t limb_count,
                              rs_plaintext_t *plaintext, void *workspace, size_t workspace_bytes) {
    RS_TRY(rs_device_decrypt_start(device, ciphertext, limb_count, plaintext, workspace, workspace_bytes));
    return rs_device_finish(device);
}

rs_status_t rs_device_transform(rs_device_t *device, uint32_t limb, int inverse, uint64_t *poly) {
    if (!device || !poly) return RS_ERR_NULL;
    if (device->call.under_way) return RS_ERR_DEVICE_BUSY;
    if (!device->context) return RS_ERR_DEVICE_EMPTY;
    if (limb >= device->context->params.limb_count) return RS_ERR_LEVEL;
    for (uint32_t i = 0; i < device->context->n; i++) {
        if (poly[i] >= device->context->limbs[limb].modulus.q) return RS_ERR_RESIDUE;
    }
    call_t call = {.first_limb = limb};
    call.job.kind = inverse ? RS_JOB_INTT : RS_JOB_NTT;
    call.job.limbs = 1;
    RS_TRY(prepare(device, &call, 1, 1));
    rs_device_image_write(&device->design, device->context, limb, poly_at(device, call.input, 0), poly, 0);
    call.secret_bytes = call.end - call.input;
    RS_TRY(begin(device, &call));
    const rs_status_t status = finish(device, RS_OK);
    if (status == RS_OK) get_polys(device, &call, poly, 0, 1);
    wipe(device, call.input, call.secret_bytes);
    return status;
}
