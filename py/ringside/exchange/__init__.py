# SPDX-License-Identifier: Apache-2.0
"""Objects of Ringside in files of Lattigo and OpenFHE, and back (docs/openfhe-lattigo.md)."""
