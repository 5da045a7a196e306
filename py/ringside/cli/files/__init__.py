# SPDX-License-Identifier: Apache-2.0
"""Commands about keys, encryption and files."""
