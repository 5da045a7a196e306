# SPDX-License-Identifier: Apache-2.0
"""Two contexts as OpenFHE 1.6.1 wrote them, for tests that run without it: N = 1024, primes of 36, 30 and 30 bits, scale 2^30, FIXEDMANUAL, HYBRID."""

from __future__ import annotations

import base64
import zlib

# SetNumLargeDigits(3): a digit for each prime, one special prime
_THREE_DIGITS = (
    "eNpjZGBgcGBkYGgAYgYQrcgAATlJyUWVBSX5VlbOYDogsSgxN7UktajY2ds7OMgvmAmomAETODAji3MAMQuEyQQVYsyob3IIvMnC"
    "HvvvP4ifALEYAxArxoxkNwsOuxkv/P/PD6Q33ivkZ8AOHFhBeqF6GCv+24ME+6czMeBSz4asXoHBASR4yIAfp3p2qNvkGIgAQGu/"
    "afgAzRRwYsQujcFnxBJGbBg67Rwg9Ad7RjRzGKFhaYMUriAxB4QdDeIYiSM4OSM1NxWaJDiwJwkGbqhRAA7FLzg="
)
# SetNumLargeDigits(1): one digit, two special primes
_ONE_DIGIT = (
    "eNpjZGBgcGBkYGgAYgYQrcgAATlJyUWVBSX5VlbOYDogsSgxN7UktajY2ds7OMgvmAmomAETODAji3MAMQuEyQQVYsyob3IIvMnC"
    "HvvvP4ifALEYAxArxoxkNwsOuxkv/P/PD6Q33ivkZ8AOHFhBeqF6GCv+24ME+6czMeBSz4asXoHBASR4yIAfp3p2qNvkGIgAQGu/"
    "afgAzRRwYsQujcFnxBJGbBg67Rwg9Ad7RjRzoAmAwQYpXEF8B4QdDeIYiSM4OSM1NxWaJDiwJwkGbqhRAA4HLzY="
)


def context_file(digits: int) -> bytes:
    return zlib.decompress(base64.b64decode(_ONE_DIGIT if digits == 1 else _THREE_DIGITS))
