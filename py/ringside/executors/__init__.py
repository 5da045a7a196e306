# SPDX-License-Identifier: Apache-2.0
"""Where encryption and decryption run: the processor, or an accelerator."""
