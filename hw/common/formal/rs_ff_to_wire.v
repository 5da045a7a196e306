// SPDX-License-Identifier: Apache-2.0
// Turns a pipeline without resets and feedback into the function that it computes while all of its registers are enabled (see
// rs_formal.PIPELINE).
(* techmap_celltype = "$dff" *)
module rs_ff_to_wire #(
    parameter WIDTH = 1,
    parameter CLK_POLARITY = 1
) (
    input              CLK,
    input  [WIDTH-1:0] D,
    output [WIDTH-1:0] Q
);
  assign Q = D;
endmodule

(* techmap_celltype = "$dffe" *)
module rs_ff_enabled_to_wire #(
    parameter WIDTH = 1,
    parameter CLK_POLARITY = 1,
    parameter EN_POLARITY = 1
) (
    input              CLK,
    input              EN,
    input  [WIDTH-1:0] D,
    output [WIDTH-1:0] Q
);
  assign Q = D;
endmodule
