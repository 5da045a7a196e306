// SPDX-License-Identifier: Apache-2.0
#include "sensor_client.h"

static int16_t readings[SENSOR_READINGS];

// In place of a radio.
static rs_status_t toSerial(void *, const uint8_t *data, size_t bytes) { return Serial.write(data, bytes) == bytes ? RS_OK : RS_ERR_IO; }

void setup() {
    Serial.begin(115200);
    if (sensor_begin() != RS_OK) return;
    const rs_sink_t sink = {toSerial, nullptr, nullptr};
    for (int i = 0; i < SENSOR_READINGS; i++) readings[i] = analogRead(A0);
    const rs_status_t status = sensor_send(readings, &sink);
    if (status != RS_OK) Serial.println(rs_status_message(status));
}

void loop() {}
