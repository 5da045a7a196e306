# SPDX-License-Identifier: Apache-2.0
"""The system on a chip of soc/: a processor with the accelerator beside it, built, loaded with firmware and run in simulation.

Needs the source tree, Rocket from its Python package, a compiler for RISC-V and QEMU: `make soc` brings them.
"""
