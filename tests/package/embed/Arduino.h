// SPDX-License-Identifier: Apache-2.0
// What the sketch calls of Arduino's core.
#include <stddef.h>
#include <stdint.h>

enum { A0 = 14 };
int analogRead(uint8_t pin);
struct SerialPort {
    void begin(unsigned long baud);
    size_t write(const uint8_t *data, size_t bytes);
    void println(const char *text);
};
extern SerialPort Serial;
