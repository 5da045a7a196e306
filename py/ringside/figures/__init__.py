# SPDX-License-Identifier: Apache-2.0
"""The one ledger of our figures: questions, answers as they were recorded, and whether what they were made from is still the same."""
