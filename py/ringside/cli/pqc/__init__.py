# SPDX-License-Identifier: Apache-2.0
"""Commands of post-quantum schemes: `ringside kem` and `ringside sign`."""
