// SPDX-License-Identifier: Apache-2.0
// In place of codec.c where the library is built without zlib and zstd (-DRS_CODEC=OFF): compressed files are refused.
#include <ringside/host.h>

const rs_codec_t *rs_host_codec(void) { return NULL; }
