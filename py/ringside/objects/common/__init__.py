# SPDX-License-Identifier: Apache-2.0
"""Objects that schemes share: parameter sets and tables, keys, SEAL's files, values in files."""
