// SPDX-License-Identifier: Apache-2.0
// Marks for the constant-time test (lib/tests/test_constant_time.c). It marks secrets as undefined memory under valgrind, which then reports
// every branch and index that depends on them. RS_DECLASSIFY lifts the mark where a value is public by design; each use says why.
// Files without one do not include this: ccache has them from a release.
#ifndef RINGSIDE_DECLASSIFY_H
#define RINGSIDE_DECLASSIFY_H

#ifdef RS_CTGRIND
#include <valgrind/memcheck.h>
#define RS_DECLASSIFY(pointer, bytes) ((void)VALGRIND_MAKE_MEM_DEFINED(pointer, bytes))
#else
#define RS_DECLASSIFY(pointer, bytes) ((void)0)
#endif

#endif
