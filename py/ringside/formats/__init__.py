# SPDX-License-Identifier: Apache-2.0
"""Files of other libraries as numbers and arrays of residues: no keys, no mathematics of schemes. ringside.exchange makes objects of them."""
