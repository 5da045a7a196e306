# SPDX-License-Identifier: Apache-2.0
"""Parts that commands share: options, output, places."""
