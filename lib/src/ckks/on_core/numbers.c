// SPDX-License-Identifier: Apache-2.0
// Slots in memory: formats, copies, and arrays that the core reads or writes itself.
#include <string.h>

#include "base/bytes.h"
#include "ckks/on_core/on_core.h"

int32_t rs_on_core_limited(int32_t shift) {
    return shift < -65 ? -65 : shift > 64 ? 64 : shift;
}

void rs_on_core_copy_numbers(uint8_t *to, const uint8_t *from, const rs_job_numbers_t *numbers) {
    const size_t size = rs_fixed_format_bytes((rs_fixed_format_t)numbers->format), bytes = rs_on_core_array_bytes(numbers);
    if (RS_LITTLE_ENDIAN) {
        memcpy(to, from, bytes);
    } else {
        for (size_t i = 0; i < bytes; i++) to[i] = from[i / size * size + (size - 1 - i % size)];
    }
}

rs_status_t rs_on_core_set_numbers(const rs_device_t *d, rs_on_core_call_t *call, const rs_fixed_layout_t *layout, int32_t shift) {
    const int32_t most = RS_FIXED_EXPONENT_MAX;
    if (!rs_design_encodes(&d->design)) return RS_ERR_DESIGN;
    if (!rs_on_core(d)->roots) return RS_ERR_DEVICE_EMPTY;
    if (layout->format > RS_FIXED_INT64 || layout->exponent < -most || layout->exponent > most || layout->bound < -most ||
        layout->bound > most)
        return RS_ERR_FIXED_FORMAT;
    if (layout->count < 1 || layout->count > rs_on_core(d)->context->n / 2) return RS_ERR_VALUE_COUNT;
    call->job.numbers = (rs_job_numbers_t){layout->format, layout->is_complex != 0, layout->count, rs_on_core_limited(shift)};
    return RS_OK;
}

void rs_on_core_aim_message(const rs_device_t *d, rs_on_core_call_t *call, const void *values) {
    const size_t bytes = rs_on_core_array_bytes(&call->job.numbers);
    if (bytes % RS_MACHINE_LINE_BYTES || !rs_machine_reaches(d, values, bytes, &call->message_address)) return;
    call->user_message = values;
    call->user_message_bytes = bytes;
}

size_t rs_on_core_aim_frames(const rs_device_t *d, rs_on_core_call_t *call, const rs_device_frame_t *frames, uint32_t count,
                             size_t offset) {
    const size_t bytes = rs_on_core_array_bytes(&call->job.numbers);
    size_t taken = 0;
    call->frames = frames;
    call->job.frames = count;
    for (uint32_t frame = 0; frame < count; frame++) {
        if (bytes % RS_MACHINE_LINE_BYTES == 0 && rs_machine_reaches(d, frames[frame].values, bytes, &call->messages[frame]))
            continue;
        call->messages[frame] = d->bus.memory_address + offset + taken;
        taken += rs_machine_line_bytes(bytes);
    }
    return taken;
}
