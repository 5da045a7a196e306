# SPDX-License-Identifier: Apache-2.0
"""What a design costs on an FPGA: Yosys, part by part; asic/ has the same for an ASIC. It needs the package pyosys."""
