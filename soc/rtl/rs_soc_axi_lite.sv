// SPDX-License-Identifier: Apache-2.0
// rs_soc_axi_lite: a processor's AXI4 port of 64 bits for registers -> AXI4-Lite of 32 bits.
// Model:   soc/tb/test_rs_soc_axi_lite.py
// Params:  none
// Bounds:  one burst at a time, INCR; a beat of 8 bytes becomes two accesses, of a write those that have bytes to write
// Timing:  one access at a time: registers are not what a transfer waits for
module rs_soc_axi_lite (
    input logic clk_i,
    input logic rst_ni,

    input rs_soc_pkg::axi_req_t s_i,
    output rs_soc_pkg::axi_rsp_t s_o,
    input logic [2:0] s_arsize,  // size of a beat: up to 8 bytes
    input logic [2:0] s_awsize,

    output rs_soc_pkg::lite_req_t m_o,
    input  rs_soc_pkg::lite_rsp_t m_i
);
  typedef enum logic [2:0] {
    Idle,
    ReadAsk,
    ReadWait,
    ReadGive,
    WriteTake,
    WriteAsk,
    WriteWait,
    WriteAnswer
  } state_e;
  localparam int unsigned AddrBits = 31;
  state_e state_q;
  logic [rs_soc_pkg::IdBits-1:0] id_q;
  logic [AddrBits-1:0] addr_q, addr_next;
  logic [7:0] left_q;  // beats after this one
  logic [2:0] size_q;
  logic high_q;  // the upper half of a beat
  logic [63:0] data_q;
  logic [7:0] strb_q;
  logic [1:0] resp_q;
  logic last_q, aw_done_q, w_done_q, aw_done, w_done, half_done;

  assign addr_next = (addr_q | ((AddrBits'(1) << size_q) - 1'b1)) + 1'b1;  // the address of the next beat

  assign s_o.aw_ready = state_q == Idle;
  assign s_o.ar_ready = state_q == Idle && !s_i.aw_valid;
  assign s_o.w_ready = state_q == WriteTake;
  assign s_o.r_valid = state_q == ReadGive;
  assign {s_o.r_id, s_o.r_data, s_o.r_resp, s_o.r_last} = {id_q, data_q, resp_q, left_q == '0};
  assign s_o.b_valid = state_q == WriteAnswer;
  assign {s_o.b_id, s_o.b_resp} = {id_q, resp_q};

  assign m_o.ar_valid = state_q == ReadAsk;
  assign m_o.ar_addr = {addr_q[AddrBits-1:3], high_q, 2'b00};
  assign m_o.r_ready = state_q == ReadWait;
  assign m_o.aw_addr = m_o.ar_addr;
  assign m_o.w_data = high_q ? data_q[63:32] : data_q[31:0];
  assign m_o.w_strb = high_q ? strb_q[7:4] : strb_q[3:0];
  assign m_o.aw_valid = state_q == WriteAsk && m_o.w_strb != '0 && !aw_done_q;
  assign m_o.w_valid = state_q == WriteAsk && m_o.w_strb != '0 && !w_done_q;
  assign m_o.b_ready = state_q == WriteWait;
  assign aw_done = aw_done_q || m_i.aw_ready;
  assign w_done = w_done_q || m_i.w_ready;
  assign half_done = state_q == WriteAsk ? m_o.w_strb == '0 : m_i.b_valid;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q   <= Idle;
      aw_done_q <= 1'b0;
      w_done_q  <= 1'b0;
    end else begin
      unique case (state_q)
        Idle:
        if (s_i.aw_valid) state_q <= WriteTake;
        else if (s_i.ar_valid) state_q <= ReadAsk;
        ReadAsk: if (m_i.ar_ready) state_q <= ReadWait;
        ReadWait: if (m_i.r_valid) state_q <= size_q == 3'd3 && !high_q ? ReadAsk : ReadGive;
        ReadGive: if (s_i.r_ready) state_q <= left_q == '0 ? Idle : ReadAsk;
        WriteTake: if (s_i.w_valid) state_q <= WriteAsk;
        WriteAsk, WriteWait: begin
          if (half_done) state_q <= !high_q ? WriteAsk : last_q ? WriteAnswer : WriteTake;
          else if (state_q == WriteAsk && aw_done && w_done) state_q <= WriteWait;
          aw_done_q <= state_q == WriteAsk && aw_done && !w_done && m_o.w_strb != '0;
          w_done_q  <= state_q == WriteAsk && w_done && !aw_done && m_o.w_strb != '0;
        end
        default: if (s_i.b_ready) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        id_q   <= s_i.aw_valid ? s_i.aw.id : s_i.ar.id;
        addr_q <= s_i.aw_valid ? s_i.aw.addr[AddrBits-1:0] : s_i.ar.addr[AddrBits-1:0];
        size_q <= s_i.aw_valid ? s_awsize : s_arsize;
        left_q <= s_i.ar.len;
        resp_q <= '0;
        high_q <= s_i.ar.addr[2] && s_arsize != 3'd3;
      end
      ReadWait:
      if (m_i.r_valid) begin
        if (size_q == 3'd3) data_q[32*high_q+:32] <= m_i.r_data;
        else data_q <= {m_i.r_data, m_i.r_data};
        resp_q <= resp_q | m_i.r_resp;
        high_q <= 1'b1;
      end
      ReadGive:
      if (s_i.r_ready) begin
        addr_q <= addr_next;
        left_q <= left_q - 1'b1;
        resp_q <= '0;
        high_q <= addr_next[2] && size_q != 3'd3;
      end
      WriteTake: begin
        data_q <= s_i.w_data;
        strb_q <= s_i.w_strb;
        last_q <= s_i.w_last;
        high_q <= 1'b0;
      end
      WriteAsk, WriteWait:
      if (half_done) begin
        if (state_q == WriteWait) resp_q <= resp_q | m_i.b_resp;
        high_q <= 1'b1;
        if (high_q) addr_q <= addr_next;
      end
      default: ;
    endcase
  end

  logic unused_bits;
  assign unused_bits = ^{s_i.aw, s_i.ar};
endmodule
