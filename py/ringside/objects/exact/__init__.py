# SPDX-License-Identifier: Apache-2.0
"""BFV and BGV: integers modulo a plain modulus."""
