// SPDX-License-Identifier: Apache-2.0
// stream: the files that a tool has to read, in this order. Paths are relative to this file (option -F).
-F ../common/common.f
rtl/rs_stream_pkg.sv
