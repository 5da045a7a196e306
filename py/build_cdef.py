# SPDX-License-Identifier: Apache-2.0
"""Turn the public C headers into `_cdef.py`, the out-of-line ABI-mode cffi declarations.

    python build_cdef.py [--cc CC] [--header HEADER] [--module MODULE] INCLUDE_DIR OUT

The headers are preprocessed with RS_CDEF defined, which makes them leave out system includes,
attributes and inline functions; what is left are typedefs, structs, enums and prototypes. Only
enums carry constants over: a #define is gone after preprocessing.
"""

import argparse
import subprocess
import sys
from pathlib import Path

import cffi

HEADER = "ringside/ringside.h"
MODULE = "ringside.native._cdef"


def preprocess(cc: str, include: Path, header: str) -> str:
    """The header after the preprocessor, without line markers, pragmas and extern "C"."""
    # -nostdinc makes a system include that RS_CDEF does not guard an error instead of 3000 lines
    command = [cc, "-E", "-P", "-nostdinc", "-std=c11", "-DRS_CDEF", "-I", str(include)]
    done = subprocess.run([*command, str(include / header)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(
            f"{done.stderr}build_cdef: preprocessing {header} failed; "
            "system includes must stand inside `#ifndef RS_CDEF`"
        )
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("#"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--cc", default="cc", help="C compiler that preprocesses")
    parser.add_argument("--header", default=HEADER, help=f"the header, below INCLUDE_DIR; default {HEADER}")
    parser.add_argument("--module", default=MODULE, help=f"name of the module to write; default {MODULE}")
    parser.add_argument("include", type=Path, help="directory that holds the header")
    parser.add_argument("out", type=Path, help="the Python module to write")
    options = parser.parse_args()

    ffi = cffi.FFI()
    ffi.set_source(options.module, None)
    try:
        ffi.cdef(preprocess(options.cc, options.include, options.header))
    except (cffi.CDefError, cffi.FFIError) as error:
        sys.exit(f"build_cdef: cffi cannot read the preprocessed {options.header}:\n{error}")
    options.out.parent.mkdir(parents=True, exist_ok=True)
    ffi.emit_python_code(str(options.out))


if __name__ == "__main__":
    main()
