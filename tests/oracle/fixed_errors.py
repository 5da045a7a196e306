# SPDX-License-Identifier: Apache-2.0
"""The table of errors in docs/encoding.md, "In fixed point": the library's transforms against exact ones, as Markdown.

PYTHONPATH=tests build/venv/bin/python -m oracle.fixed_errors [log2 N …]       (some minutes for 15)
"""

import sys

import numpy as np

from oracle import fixed_model, test_fixed

WIDTHS = (24, 32, 54, 64)


def row(log_n: int, bits: int) -> str:
    """The worst of eight messages: encode in units of the last bit, decode as log2 of slots' errors at bound 0."""
    fixed = test_fixed.Fixed(log_n, bits)
    worst = np.zeros(4)
    for kind in test_fixed.KINDS:
        re, im = test_fixed.message(kind, fixed.points, test_fixed.largest(bits))
        coded = fixed.transform(re, im, True)
        half = test_fixed.half_of(coded[0]), test_fixed.half_of(coded[1])
        e = test_fixed.errors(coded, fixed_model.exact_transform(re, im, True))
        d = test_fixed.errors(fixed.transform(*half, False), fixed_model.exact_transform(*half, False))
        measured = [np.sqrt((e**2).mean()), np.abs(e).max(), np.sqrt((d**2).mean() * 2), np.abs(d).max()]
        worst = np.maximum(worst, measured)
    decode = np.log2(worst[2:]) - (bits - 2)
    return f"| 2^{log_n} | {bits} | {worst[0]:.2f} | {worst[1]:.1f} | 2^{decode[0]:.1f} | 2^{decode[1]:.1f} |"


def main() -> None:
    print("| N | W | encode, root mean square | encode, largest | decode, root mean square | decode, largest |")
    print("|---|---|---|---|---|---|")
    for log_n in map(int, sys.argv[1:] or ["8", "10", "12", "13", "14", "15"]):
        for bits in WIDTHS:
            print(row(log_n, bits), flush=True)


if __name__ == "__main__":
    main()
