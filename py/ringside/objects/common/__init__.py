# SPDX-License-Identifier: Apache-2.0
"""What schemes share: parameter sets and tables, keys, SEAL's files, values in files."""
