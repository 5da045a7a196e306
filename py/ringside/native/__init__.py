# SPDX-License-Identifier: Apache-2.0
"""The C library: loading, memory and status codes, its streams of SEAL files, and files that are written whole or not at all."""
