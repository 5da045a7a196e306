// SPDX-License-Identifier: Apache-2.0
// rs_fetch: program memory, and its instructions one after the other, one ahead.
// Params:  ProgramDepth
// Bounds:  we_i not while running; a program is written from address 0 on, and what follows a gap does not count
// Timing:  an instruction every two cycles
module rs_fetch #(
    parameter int unsigned ProgramDepth = 512
) (
    input  logic        clk_i,
    input  logic        rst_ni,
    input  logic        we_i,
    input  logic [15:0] addr_i,
    input  logic [63:0] data_i,
    input  logic        start_i,
    input  logic [15:0] first_i,  // at this instruction
    input  logic        stop_i,
    output logic        valid_o,
    input  logic        ready_i,
    output logic [63:0] word_o,
    output logic        odd_o,    // its parity, of what the memory gave
    output logic [15:0] pc_o,
    output logic        past_o    // there is no word: past the end
);

  if (ProgramDepth < 2 || ProgramDepth > 65535) begin : gen_illegal
    $fatal(1, "%m: ProgramDepth %0d is not 2 to 65535", ProgramDepth);
  end

  localparam int unsigned AddrBits = $clog2(ProgramDepth);

  logic run_q, read_q, valid_q, past_q, odd_q, write, fetch;
  logic [15:0] length_q, next_q, pc_q;
  logic [63:0] word_q, rdata;

  assign write = we_i && 32'(addr_i) < ProgramDepth;
  assign fetch = run_q && !read_q && (!valid_q || ready_i);

  rs_ram_1rw #(
      .Width(64),
      .Depth(ProgramDepth)
  ) u_program (
      .clk_i,
      .req_i  (write || (fetch && next_q < length_q)),
      .we_i   (write),
      .addr_i (write ? addr_i[AddrBits-1:0] : next_q[AddrBits-1:0]),
      .wdata_i(data_i),
      .rdata_o(rdata)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      length_q <= '0;
    end else if (write) begin
      if (addr_i == '0) length_q <= 16'd1;
      else if (addr_i == length_q) length_q <= length_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni || stop_i) begin
      run_q   <= 1'b0;
      read_q  <= 1'b0;
      valid_q <= 1'b0;
    end else if (start_i) begin
      run_q <= 1'b1;
    end else begin
      read_q <= fetch;
      if (read_q) valid_q <= 1'b1;
      else if (ready_i) valid_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) next_q <= first_i;
    else if (fetch) next_q <= next_q + 1'b1;
    if (fetch) begin
      pc_q   <= next_q;
      past_q <= next_q >= length_q;
    end
    if (read_q) begin
      word_q <= rdata;
      odd_q  <= ^rdata;
    end
  end

  assign valid_o = valid_q;
  assign word_o  = word_q;
  assign odd_o   = odd_q;
  assign pc_o    = pc_q;
  assign past_o  = past_q;

endmodule
