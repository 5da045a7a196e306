// SPDX-License-Identifier: Apache-2.0
#include "sensor_client.h"

#if defined(__ZEPHYR__)
#include <zephyr/random/random.h>
static rs_status_t draw(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    return sys_csrand_get(out, bytes) == 0 ? RS_OK : RS_ERR_RNG;
}
#elif defined(ESP_PLATFORM)
#include <esp_random.h>
// Random only while the radio is on, or between bootloader_random_enable() and _disable().
static rs_status_t draw(void *state, uint8_t *out, size_t bytes) {
    (void)state;
    esp_fill_random(out, bytes);
    return RS_OK;
}
#elif defined(RS_INSECURE_DEMO)
// Whoever knows the counter knows the key.
static rs_status_t draw(void *state, uint8_t *out, size_t bytes) {
    static uint8_t counter;
    (void)state;
    for (size_t i = 0; i < bytes; i++) out[i] = ++counter;
    return RS_OK;
}
#else
#error \
    "Write draw() here: it fills memory from your device's true random number generator. Keys and messages are as secret as it is random."
#endif

enum { LIMBS = 3 };
static const double SCALE = 33554432.0; // 2^25

// Working memory of rs_lean_size() bytes, N/4 bytes of key.
static uint64_t memory[6300];
static uint8_t key[1024];
static rs_params_t params;
static rs_lean_t *lean;
static rs_rng_t rng = {draw, NULL};

rs_status_t sensor_begin(void) {
    rs_status_t status = rs_params_init(&params, RS_REQUEST(rs_params_request_t, .name = "seal-embedded-4096"));
    if (status == RS_OK) status = rs_lean_init(&lean, (rs_memory_t){memory, sizeof memory}, &params, 128);
    return status == RS_OK ? rs_lean_keygen(lean, (rs_bytes_t){key, sizeof key}, &rng) : status;
}

rs_status_t sensor_send_key(const rs_sink_t *sink) {
    return rs_lean_write_secret_key(lean, (rs_view_t){key, sizeof key}, sink, NULL);
}

rs_status_t sensor_send(const int16_t readings[SENSOR_READINGS], const rs_sink_t *sink) {
    const rs_fixed_layout_t layout = {RS_FIXED_INT16, 0, SENSOR_READINGS, -15, 1}; // below 2 in magnitude
    const rs_status_t status = rs_lean_encode(lean, readings, &layout, SCALE, LIMBS);
    if (status != RS_OK) return status;
    return rs_lean_encrypt(lean, RS_REQUEST(rs_lean_encrypt_request_t, .kind = RS_ENCRYPT_SK, .secret_key = {key, sizeof key},
                                            .sink = sink, .rng = &rng));
}

void sensor_end(void) {
    rs_lean_wipe(lean);
    rs_zeroize(key, sizeof key);
}
