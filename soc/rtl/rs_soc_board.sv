// SPDX-License-Identifier: Apache-2.0
// rs_soc_board: what a simulated board has beside memory: a boot ROM that jumps to memory, a console, an end.
// Model:   none; soc/tb/test_rs_soc_board.py says what is where
// Params:  Entry: where the ROM jumps to
// Bounds:  0x0000 to 0x0fff ROM (three instructions, then loops); 0x1000 console: a byte per write; 0x1004 end: exit code;
//          0x1008, 0x100c: cycles since reset, lower and upper half; 0x1010: resets since power came. One access of each direction at a
//          time
// Timing:  the answer one cycle after the access
module rs_soc_board #(
    parameter logic [31:0] Entry = 32'h8000_0000
) (
    input logic clk_i,
    input logic rst_ni,

    input  rs_soc_pkg::lite_req_t s_i,
    output rs_soc_pkg::lite_rsp_t s_o,

    output logic        console_valid_o,
    output logic [ 7:0] console_o,
    output logic        end_valid_o,
    output logic [31:0] end_o
);
  localparam logic [31:0] Lui = {1'b0, Entry[31:13], 12'h2b7};  // lui t0, Entry / 2: no sign that RV64 would extend
  localparam logic [31:0] Slli = 32'h0012_9293;  // slli t0, t0, 1
  localparam logic [31:0] Jr = 32'h0002_8067;  // jr t0
  localparam logic [31:0] Loop = 32'h0000_006f;  // j .

  if (Entry[12:0] != '0) begin : gen_illegal
    $fatal(1, "%m: Entry %h is not a multiple of 8 KiB", Entry);
  end

  logic [63:0] cycle_q;
  logic [ 7:0] resets_q;
  logic b_valid_q, r_valid_q, up_q, written;
  logic [31:0] r_data_q;

  assign written = s_i.aw_valid && s_i.w_valid && !b_valid_q;
  assign {s_o.aw_ready, s_o.w_ready} = {written, written};
  assign s_o.ar_ready = !r_valid_q;
  assign {s_o.b_valid, s_o.b_resp} = {b_valid_q, 2'b00};
  assign {s_o.r_valid, s_o.r_resp, s_o.r_data} = {r_valid_q, 2'b00, r_data_q};
  assign console_valid_o = written && s_i.aw_addr[12:0] == 13'h1000;
  assign console_o = s_i.w_data[7:0];
  assign end_valid_o = written && s_i.aw_addr[12:0] == 13'h1004;
  assign end_o = s_i.w_data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      b_valid_q <= 1'b0;
      r_valid_q <= 1'b0;
      cycle_q   <= '0;
    end else begin
      b_valid_q <= b_valid_q ? !s_i.b_ready : written;
      r_valid_q <= r_valid_q ? !s_i.r_ready : s_i.ar_valid;
      cycle_q   <= cycle_q + 1'b1;
    end
  end

  // no reset, on purpose
  initial {resets_q, up_q} = '0;
  always_ff @(posedge clk_i) begin
    up_q     <= rst_ni;
    resets_q <= resets_q + 8'(rst_ni && !up_q);
  end

  always_ff @(posedge clk_i) begin
    if (!r_valid_q) begin
      unique case (s_i.ar_addr[12:2])
        11'h000: r_data_q <= Lui;
        11'h001: r_data_q <= Slli;
        11'h002: r_data_q <= Jr;
        11'h402: r_data_q <= cycle_q[31:0];
        11'h403: r_data_q <= cycle_q[63:32];
        11'h404: r_data_q <= 32'(resets_q);
        default: r_data_q <= s_i.ar_addr[12] ? '0 : Loop;
      endcase
    end
  end

  logic unused_bits;
  assign unused_bits = ^s_i;
endmodule
