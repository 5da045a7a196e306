// SPDX-License-Identifier: Apache-2.0
// RS_NEON: whether this build has vectors of AArch64, which all its processors have; a compiler may be told to leave them alone.
#ifndef RINGSIDE_NEON_H
#define RINGSIDE_NEON_H

#if defined(__aarch64__) && defined(__ARM_NEON) && !defined(__AARCH64EB__)
#define RS_NEON 1
#endif

#endif
