// SPDX-License-Identifier: Apache-2.0
#include <ringside/base.h>

#ifndef RS_VERSION // given by the build from pyproject.toml
#define RS_VERSION "unversioned"
#endif

const char *rs_version(void) { return RS_VERSION; }
