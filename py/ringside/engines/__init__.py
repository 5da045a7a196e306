# SPDX-License-Identifier: Apache-2.0
"""The kinds of hardware that there are, and the named designs made from them."""
