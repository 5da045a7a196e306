# SPDX-License-Identifier: Apache-2.0
# The module that the build generates from the C header; cffi's C values have no static types.
from typing import Any

ffi: Any
