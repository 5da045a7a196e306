// SPDX-License-Identifier: Apache-2.0
// core: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../dma/dma.f
-F ../memory/memory.f
-F ../compute/compute.f
-F ../sampler/sampler.f
-F ../lift/lift.f
-F ../pipe/pipe.f
-F ../fields/fields.f
rtl/rs_regs_pkg.sv
rtl/rs_core_pkg.sv
rtl/rs_contexts.sv
rtl/rs_wipe.sv
rtl/rs_regs.sv
rtl/rs_seeds.sv
rtl/rs_regs_axi.sv
rtl/rs_ring_pkg.sv
rtl/rs_ring.sv
rtl/rs_core_control.sv
rtl/rs_core_compute.sv
rtl/rs_core_sampler.sv
rtl/rs_core_bus.sv
rtl/rs_core_fields.sv
rtl/rs_core.sv
