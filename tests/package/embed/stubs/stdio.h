// SPDX-License-Identifier: Apache-2.0
// The compilers here come without a C library.
int printf(const char *format, ...);
