# SPDX-License-Identifier: Apache-2.0
"""CKKS: the context, plaintexts, ciphertexts, precision, files and directories."""
