// SPDX-License-Identifier: Apache-2.0
// Turns a pipeline without resets and feedback into the function it computes (see rs_formal.PIPELINE). A register that is not enabled
// may hold anything.
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
module rs_ff_to_choice #(
    parameter WIDTH = 1,
    parameter CLK_POLARITY = 1,
    parameter EN_POLARITY = 1
) (
    input              CLK,
    input              EN,
    input  [WIDTH-1:0] D,
    output [WIDTH-1:0] Q
);
  wire [WIDTH-1:0] anything;  // nobody drives it
  assign Q = EN == EN_POLARITY ? D : anything;
endmodule
