# SPDX-License-Identifier: Apache-2.0
"""The server's polynomial products on Ringside's accelerator: programs, what they compute in RTL simulation, and how long they take."""
