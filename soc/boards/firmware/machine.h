// SPDX-License-Identifier: Apache-2.0
// A LiteX SoC: what the bring-up needs beside board.h of lib/bare.
#ifndef RINGSIDE_BOARD_MACHINE_H
#define RINGSIDE_BOARD_MACHINE_H

#include <stddef.h>

// The caches hold no words of memory that others have changed. Nothing, where they are coherent.
void machine_forget_caches(void);

#endif
