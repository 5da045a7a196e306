// SPDX-License-Identifier: Apache-2.0
// rs_fetch_formal: what rs_fetch gives is what a sealed core's vault shows, of any instruction, for ever, by induction: words come to both at once, a wipe
// makes zeros of the vault's copy alone, and unless the copy's first word is zero, which no hash of a program has, all that runs is in it.
// Assumed: words and wipes come while nothing runs (rs_sequencer, rs_regs_axi), and a word is written to the copy at once (rs_axi_vault_proof).
module rs_fetch_formal #(
    parameter int unsigned ProgramDepth = 4
) (
    input logic        clk_i,
    input logic        rst_ni,
    input logic        we_i,
    input logic [15:0] addr_i,
    input logic [63:0] data_i,
    input logic        wipe_i,
    input logic        start_i,
    input logic [15:0] first_i,
    input logic        stop_i,
    input logic        ready_i,
    input logic [15:0] any_i     // an instruction
);
  logic valid_o, odd_o, past_o;
  logic [63:0] word_o;
  logic [15:0] pc_o;
  rs_fetch #(.ProgramDepth(ProgramDepth)) u_dut (.*);

  logic reset_q = 1'b0;
  logic [15:0] any_q;
  logic [63:0] copy_q, first_q, memory;
  logic runs, shown;
  assign runs   = u_dut.run_q || u_dut.read_q || valid_o;
  assign shown  = first_q != '0;  // the copy's first word
  assign memory = u_dut.u_program.mem_q[any_i[$clog2(ProgramDepth)-1:0]];

  always_ff @(posedge clk_i) begin
    reset_q <= 1'b1;
    any_q   <= any_i;
    assume (rst_ni == reset_q && 32'(any_i) < ProgramDepth);
    if (reset_q) assume (any_i == any_q);
    if (we_i || wipe_i) assume (!runs && !start_i);
    if (start_i) assume (!runs);

    if (!rst_ni || wipe_i) {copy_q, first_q} <= '0;
    else if (we_i) begin
      if (addr_i == any_i) copy_q <= data_i;
      if (addr_i == '0) first_q <= data_i;
    end

    if (reset_q && rst_ni) begin
      if (shown && valid_o && !past_o && pc_o == any_i) assert (word_o == copy_q && odd_o == ^copy_q);

      if (any_i == '0 && shown) assert (first_q == copy_q);
      if (shown) assert (u_dut.length_q != '0);
      assert (32'(u_dut.length_q) <= ProgramDepth);
      if (shown && any_i < u_dut.length_q) assert (memory == copy_q);
      if ((u_dut.read_q || valid_o) && !u_dut.past_q) assert (u_dut.pc_q < u_dut.length_q);
      if (shown && u_dut.read_q && !u_dut.past_q && u_dut.pc_q == any_i) assert (u_dut.rdata == copy_q);
    end
  end
endmodule
