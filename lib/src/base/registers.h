// SPDX-License-Identifier: Apache-2.0
// Vector registers keep what was computed last. The dynamic linker saves them all on the stack when a function is called for the first
// time, so who handled a secret key wipes them at the end. Where there are no back ends nothing is wiped.
#ifndef RINGSIDE_REGISTERS_H
#define RINGSIDE_REGISTERS_H

void rs_wipe_registers(void); // rs_zeroize does so too

#endif
