# SPDX-License-Identifier: Apache-2.0
"""Contexts as OpenFHE 1.6.1 wrote them, for tests that run without it: N = 1024, FIXEDMANUAL, HYBRID. Two have primes of 36, 30 and 30 bits and the
scale 2^30."""

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
# OpenFHE's defaults: a first prime of 60 bits, one of 50 for a depth of 1, a digit for each, and so two special primes
_DEFAULTS = (
    "eNpjZGBgcGBkYGgAYgYQrcgAATlJyUWVBSX5VlbOYDogsSgxN7UktajY2ds7OMgvmAmomAETODAji3MAMQuEyQQVYvzx/+P//8wC9cwg1QwM+RCLMQCx"
    "YkxIdrPgsJvxwH8Q4D/E+6bokyk2UxgcWEF6oXoYLRjADBbmqaWXGbACBzaoXUYMRACgI79p+AB9K+BEjL+YkMSQ5dgwdNo5QOgP9oyoYcEA49tA+cxQ"
    "MQeEHQ3iGJEdnJyRmpsKjWJ27FHMwA01CgCTVjEa"
)
DEFAULTS = 0


def context_file(digits: int) -> bytes:
    """digits: 3, 1 or DEFAULTS."""
    return zlib.decompress(base64.b64decode({3: _THREE_DIGITS, 1: _ONE_DIGIT, DEFAULTS: _DEFAULTS}[digits]))
