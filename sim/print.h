// SPDX-License-Identifier: Apache-2.0
// The models' printf: part of every C++ file of theirs (verilate.py).
#ifndef RINGSIDE_SIM_PRINT_H
#define RINGSIDE_SIM_PRINT_H

#ifdef __cplusplus
extern "C"
#endif
    int rs_sim_print(const char *format, ...);

#endif
