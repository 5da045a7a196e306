# SPDX-License-Identifier: Apache-2.0
"""Clients of programs that HEIR compiled (docs/tutorials/heir.md)."""
