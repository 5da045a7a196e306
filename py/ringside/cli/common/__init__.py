# SPDX-License-Identifier: Apache-2.0
"""What commands share: options, output, places."""
