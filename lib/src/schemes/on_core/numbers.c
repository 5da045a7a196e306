// SPDX-License-Identifier: Apache-2.0
// Slots in memory: formats, copies, and arrays that the core reads or writes itself.
#include <string.h>

#include "base/bytes.h"
#include "schemes/on_core/on_core.h"

int32_t rs_on_core_limited(int32_t shift) { return shift < -65 ? -65 : shift > 64 ? 64 : shift; }

void rs_on_core_copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers) {
    const size_t size = rs_fixed_format_bytes(numbers->format), bytes = rs_on_core_array_bytes(numbers);
    if (RS_LITTLE_ENDIAN) {
        memcpy(to, from, bytes);
    } else {
        for (size_t i = 0; i < bytes; i++) to[i] = from[i / size * size + (size - 1 - i % size)];
    }
}

rs_status_t rs_on_core_set_numbers(const rs_device_t *d, rs_on_core_call_t *call, const rs_layout_t *layout, uint32_t count,
                                   int32_t shift) {
    const int32_t most = RS_FIXED_EXPONENT_MAX;
    const uint32_t formats = 1 + (call->decrypts ? RS_FIXED_INT64 : RS_FIXED_BINARY64);
    if (!rs_design_encodes(&d->design)) return RS_ERR_DESIGN;
    if (!rs_on_core(d)->roots) return RS_ERR_DEVICE_NOT_LOADED;
    if (!layout || !layout->format || layout->format > formats || layout->packing || layout->exponent < -most ||
        layout->exponent > most || layout->bound < -most || layout->bound > most)
        return RS_ERR_LAYOUT;
    // a double would lose more by what is beyond
    if (layout->format - 1 == RS_FIXED_BINARY64 && shift != rs_on_core_limited(shift)) return RS_ERR_DESIGN;
    if (count < 1 || count > rs_on_core(d)->context->n / 2) return RS_ERR_VALUE_COUNT;
    call->job.numbers = (rs_job_numbers_t){layout->format - 1, layout->is_complex != 0, count, rs_on_core_limited(shift)};
    return RS_OK;
}

void rs_on_core_aim_message(const rs_device_t *d, rs_on_core_call_t *call, const void *values) {
    rs_own_array_t own = {values, rs_on_core_array_bytes(&call->job.numbers), 0};
    if (own.bytes % RS_MACHINE_LINE_BYTES == 0 && rs_machine_reaches(d, values, own.bytes, &own.address))
        call->message.slots.own = own;
}

const void *rs_on_core_values(const rs_on_core_call_t *call, uint32_t i) {
    return call->encrypts ? call->encrypts[i].values : call->decrypts[i].values;
}

size_t rs_on_core_aim_frames(const rs_device_t *d, rs_on_core_call_t *call, size_t offset) {
    const size_t bytes = rs_on_core_array_bytes(&call->job.numbers);
    uint64_t *at = call->message.slots.at;
    size_t taken = 0;
    for (uint32_t i = 0; i < call->job.frames; i++) {
        if (bytes % RS_MACHINE_LINE_BYTES == 0 && rs_machine_reaches(d, rs_on_core_values(call, i), bytes, &at[i])) continue;
        at[i] = d->bus.memory_address + offset + taken;
        taken += rs_machine_line_bytes(bytes);
    }
    return taken;
}
