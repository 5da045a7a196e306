// SPDX-License-Identifier: Apache-2.0
// Readings as a SEAL file, piece by piece.
#ifndef SENSOR_CLIENT_H
#define SENSOR_CLIENT_H

#include <ringside/lean.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SENSOR_READINGS = 2048 }; // slots of the set
// Makes the key. Once in a device's life; then keep sensor_key where no other program reads it.
rs_status_t sensor_begin(void);
// The key as SEAL's file, for the one who decrypts.
rs_status_t sensor_send_key(const rs_sink_t *sink);
// Readings in units of 2^-15.
rs_status_t sensor_send(const int16_t readings[SENSOR_READINGS], const rs_sink_t *sink);
// Wipes the key and all that was worked with.
void sensor_end(void);

#ifdef __cplusplus
}
#endif

#endif
