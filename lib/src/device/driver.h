// SPDX-License-Identifier: Apache-2.0
// What the self-test needs of the driver, besides device.h.
#ifndef RINGSIDE_DRIVER_H
#define RINGSIDE_DRIVER_H

#include <ringside/device.h>

// Wipes the secret key and forgets all that was loaded.
void rs_device_forget(rs_device_t *device);

#endif
