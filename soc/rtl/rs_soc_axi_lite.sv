// SPDX-License-Identifier: Apache-2.0
// rs_soc_axi_lite: a processor's AXI4 port of 64 bits for registers -> AXI4-Lite of 32 bits.
// Model:   soc/tb/test_rs_soc_axi_lite.py
// Params:  IdBits: of the processor's port
// Bounds:  one burst at a time, INCR; a beat of 8 bytes becomes two accesses, of a write those that have bytes to write
// Timing:  one access at a time: registers are not what a transfer waits for
module rs_soc_axi_lite #(
    parameter  int unsigned IdBits   = 4,
    localparam int unsigned AddrBits = 31
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                s_arvalid,
    output logic                s_arready,
    input  logic [  IdBits-1:0] s_arid,
    input  logic [AddrBits-1:0] s_araddr,
    input  logic [         7:0] s_arlen,
    input  logic [         2:0] s_arsize,
    output logic                s_rvalid,
    input  logic                s_rready,
    output logic [  IdBits-1:0] s_rid,
    output logic [        63:0] s_rdata,
    output logic [         1:0] s_rresp,
    output logic                s_rlast,
    input  logic                s_awvalid,
    output logic                s_awready,
    input  logic [  IdBits-1:0] s_awid,
    input  logic [AddrBits-1:0] s_awaddr,
    input  logic [         2:0] s_awsize,
    input  logic                s_wvalid,
    output logic                s_wready,
    input  logic [        63:0] s_wdata,
    input  logic [         7:0] s_wstrb,
    input  logic                s_wlast,
    output logic                s_bvalid,
    input  logic                s_bready,
    output logic [  IdBits-1:0] s_bid,
    output logic [         1:0] s_bresp,

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
  state_e state_q;
  logic [IdBits-1:0] id_q;
  logic [AddrBits-1:0] addr_q, addr_next;
  logic [7:0] left_q;  // beats after this one
  logic [2:0] size_q;
  logic high_q;  // the upper half of a beat
  logic [63:0] data_q;
  logic [7:0] strb_q;
  logic [1:0] resp_q;
  logic last_q, aw_done_q, w_done_q, aw_done, w_done, half_done;

  assign addr_next = (addr_q | ((AddrBits'(1) << size_q) - 1'b1)) + 1'b1;  // of the next beat

  assign s_awready = state_q == Idle;
  assign s_arready = state_q == Idle && !s_awvalid;
  assign s_wready = state_q == WriteTake;
  assign s_rvalid = state_q == ReadGive;
  assign {s_rid, s_rdata, s_rresp, s_rlast} = {id_q, data_q, resp_q, left_q == '0};
  assign s_bvalid = state_q == WriteAnswer;
  assign {s_bid, s_bresp} = {id_q, resp_q};

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
        if (s_awvalid) state_q <= WriteTake;
        else if (s_arvalid) state_q <= ReadAsk;
        ReadAsk: if (m_i.ar_ready) state_q <= ReadWait;
        ReadWait: if (m_i.r_valid) state_q <= size_q == 3'd3 && !high_q ? ReadAsk : ReadGive;
        ReadGive: if (s_rready) state_q <= left_q == '0 ? Idle : ReadAsk;
        WriteTake: if (s_wvalid) state_q <= WriteAsk;
        WriteAsk, WriteWait: begin
          if (half_done) state_q <= !high_q ? WriteAsk : last_q ? WriteAnswer : WriteTake;
          else if (state_q == WriteAsk && aw_done && w_done) state_q <= WriteWait;
          aw_done_q <= state_q == WriteAsk && aw_done && !w_done && m_o.w_strb != '0;
          w_done_q  <= state_q == WriteAsk && w_done && !aw_done && m_o.w_strb != '0;
        end
        default: if (s_bready) state_q <= Idle;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    unique case (state_q)
      Idle: begin
        id_q   <= s_awvalid ? s_awid : s_arid;
        addr_q <= s_awvalid ? s_awaddr : s_araddr;
        size_q <= s_awvalid ? s_awsize : s_arsize;
        left_q <= s_arlen;
        resp_q <= '0;
        high_q <= s_araddr[2] && s_arsize != 3'd3;
      end
      ReadWait:
      if (m_i.r_valid) begin
        if (size_q == 3'd3) data_q[32*high_q+:32] <= m_i.r_data;
        else data_q <= {m_i.r_data, m_i.r_data};
        resp_q <= resp_q | m_i.r_resp;
        high_q <= 1'b1;
      end
      ReadGive:
      if (s_rready) begin
        addr_q <= addr_next;
        left_q <= left_q - 1'b1;
        resp_q <= '0;
        high_q <= addr_next[2] && size_q != 3'd3;
      end
      WriteTake: begin
        data_q <= s_wdata;
        strb_q <= s_wstrb;
        last_q <= s_wlast;
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
endmodule
