# SPDX-License-Identifier: Apache-2.0
"""AES on a simulated core: its polynomial products there, the rest on the host, bit for bit what the library computes."""
