# SPDX-License-Identifier: Apache-2.0
"""Contexts as OpenFHE 1.6.1 wrote them, for tests that run without it: N = 1024. Of CKKS FIXEDMANUAL, HYBRID; two have primes of 36, 30 and 30 bits
and the scale 2^30. Of BFV and BGV t = 65537."""

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
# HPSPOVERQ, EXTENDED, BV
_BFV = (
    "eNpjZGBgcGBkYGgAYgYQrcAAATlJyUWVBSX5VlbOYDogsSgxN7UktajYyS0syC+YCaiWARM4MCOLcwAxC4TJBBVifPHPFEgpNLz7DwIMFRB7MQCx"
    "YkxIdrPgsJvxANgu/kO8b4o+mWIzhcGBFaQXqodRA6Le6F7cvC+t2NWzQe1ixOoqNAA085uGjwMDg4ATAT/A+YxY/MyGxwpo/IHVMELNAGEbqDwz"
    "VNwBYUeDGEZcBydnpOamQmKYHXsMM3BDTQYAOQA4NA=="
)
# FLEXIBLEAUTOEXT, a digit for each prime, one special prime
_BGV = (
    "eNpjZGBgcGBkYGgAYgYQrcAAATlJyUWVBSX5VlbOYDogsSgxN7UktajYyT0syC+YCaiWARM4MCOLcwAxC4TJBBVifHAo+9mUBwvjPZL2MEgwMORC"
    "7MUAxIqxINnNgsNuRg0GsLdWr+dhwAEcWEF6oXoYL0Dcy3pHmBGXejZk9TsYweo3tX7DaT47snoDiCA7A07gwAH1CyMDIwNBADTzm4aPAwODgBM2"
    "9WC/ADEzEp8RS5iywVkf7CG0nQOMzwjVx4ykDxS8NlA+M1TMAWFHgxhGWgpOzkjNTYWkIE7sKYiBG2oaAIMaL7o="
)
DEFAULTS = 0


def context_file(kind: int | str) -> bytes:
    """kind: digits of CKKS, 3, 1 or DEFAULTS; or "bfv" or "bgv"."""
    known = {3: _THREE_DIGITS, "ckks": _THREE_DIGITS, 1: _ONE_DIGIT, DEFAULTS: _DEFAULTS, "bfv": _BFV, "bgv": _BGV}
    return zlib.decompress(base64.b64decode(known[kind]))
