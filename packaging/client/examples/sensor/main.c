// SPDX-License-Identifier: Apache-2.0
// Zephyr, ESP-IDF and others with printf. Arduino has sensor.ino.
#ifndef ARDUINO
#include <stdio.h>

#include "sensor_client.h"

// In place of a radio: hexadecimal digits.
static rs_status_t print(void *state, const uint8_t *data, size_t bytes) {
    (void)state;
    for (size_t i = 0; i < bytes; i++) printf("%02x", data[i]);
    return RS_OK;
}

static rs_status_t run(void) {
    static int16_t readings[SENSOR_READINGS];
    const rs_sink_t console = {print, NULL, NULL};
    for (int i = 0; i < SENSOR_READINGS; i++) readings[i] = (int16_t)(16 * (i - SENSOR_READINGS / 2)); // a ramp
    rs_status_t status = sensor_begin();
    if (status == RS_OK) status = sensor_send_key(&console); // once, to the one who decrypts, over a line that nobody else reads
    printf("\n");
    if (status == RS_OK) status = sensor_send(readings, &console);
    printf("\n%s\n", rs_status_message(status));
    sensor_end();
    return status;
}

#ifdef ESP_PLATFORM
void app_main(void) { (void)run(); }
#else
int main(void) { return run() == RS_OK ? 0 : 1; }
#endif
#endif
