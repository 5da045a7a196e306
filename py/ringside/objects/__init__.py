# SPDX-License-Identifier: Apache-2.0
"""Objects that a user holds: parameters, context, keys, plaintexts, ciphertexts, and the files and directories that they are kept in."""
