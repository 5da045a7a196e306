// SPDX-License-Identifier: Apache-2.0
// rs_keccak_chi: a lane of chi, with what theta adds to the three lanes that it comes from.
// Model:   FIPS 202, section 3.2
// Timing:  combinational
//
// A bit depends on six: a LUT. FPGAs of LUTs with six inputs keep it a module of its own, because synthesis would make the sums of theta
// first, for some of the bits, and take a fifth more LUTs for the round.

`ifndef RS_MUL_CELLS
`ifndef RS_MUL_TILE_B (* keep_hierarchy *)
`endif
`endif
module rs_keccak_chi (
    input  logic [ 2:0][63:0] lane_i,   // as pi brings them: this one, the next one in the row and the one after that
    input  logic [ 2:0][63:0] theta_i,  // what is added to each
    output logic [63:0]       lane_o
);

  assign lane_o = lane_i[0] ^ theta_i[0] ^ (~(lane_i[1] ^ theta_i[1]) & (lane_i[2] ^ theta_i[2]));

endmodule
