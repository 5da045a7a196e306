// SPDX-License-Identifier: Apache-2.0
// The compiler's own 128-bit integers: what tests compute with beside the library, whatever its products are made of (wide.h).
#ifndef REFERENCE128_H
#define REFERENCE128_H

__extension__ typedef unsigned __int128 test_u128;
__extension__ typedef __int128 test_i128;

#endif
