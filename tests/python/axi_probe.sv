// SPDX-License-Identifier: Apache-2.0
// axi_probe: stands in for rs_core in tests of sim/core.cpp: makes one AXI burst as its registers say, in order or with a fault.
// Registers: 0 address, 4 length (beats - 1), 8 mode (bit 0: write; bits 7:4: fault, see below), 64 go and clear interrupt,
//            16 (read) low word of the last beat read, 20 (read) worst response, 24 (read) beats, 28 (read) register accesses so far.
// Faults:    1 valid falls, 2 address changes, 3 FIXED burst, 4 last too early, 5 data change, 6 refuses the register access,
//            7 takes the next register access after 1500 cycles.
module axi_probe (
    input  logic         clk_i,
    input  logic         rst_ni,
    input  logic         s_axil_awvalid,
    output logic         s_axil_awready,
    input  logic [ 11:0] s_axil_awaddr,
    input  logic [  2:0] s_axil_awprot,
    input  logic         s_axil_wvalid,
    output logic         s_axil_wready,
    input  logic [ 31:0] s_axil_wdata,
    input  logic [  3:0] s_axil_wstrb,
    output logic         s_axil_bvalid,
    input  logic         s_axil_bready,
    output logic [  1:0] s_axil_bresp,
    input  logic         s_axil_arvalid,
    output logic         s_axil_arready,
    input  logic [ 11:0] s_axil_araddr,
    input  logic [  2:0] s_axil_arprot,
    output logic         s_axil_rvalid,
    input  logic         s_axil_rready,
    output logic [ 31:0] s_axil_rdata,
    output logic [  1:0] s_axil_rresp,
    output logic         m_axi_arvalid,
    input  logic         m_axi_arready,
    output logic [ 63:0] m_axi_araddr,
    output logic [  7:0] m_axi_arlen,
    output logic [  2:0] m_axi_arsize,
    output logic [  1:0] m_axi_arburst,
    output logic [  3:0] m_axi_arid,
    input  logic         m_axi_rvalid,
    output logic         m_axi_rready,
    input  logic [127:0] m_axi_rdata,
    input  logic [  1:0] m_axi_rresp,
    input  logic         m_axi_rlast,
    input  logic [  3:0] m_axi_rid,
    output logic         m_axi_awvalid,
    input  logic         m_axi_awready,
    output logic [ 63:0] m_axi_awaddr,
    output logic [  7:0] m_axi_awlen,
    output logic [  2:0] m_axi_awsize,
    output logic [  1:0] m_axi_awburst,
    output logic [  3:0] m_axi_awid,
    output logic         m_axi_wvalid,
    input  logic         m_axi_wready,
    output logic [127:0] m_axi_wdata,
    output logic [ 15:0] m_axi_wstrb,
    output logic         m_axi_wlast,
    input  logic         m_axi_bvalid,
    output logic         m_axi_bready,
    input  logic [  1:0] m_axi_bresp,
    input  logic [  3:0] m_axi_bid,
    output logic         irq_o,
    output logic [  6:0] trace_busy_o,
    output logic [111:0] trace_pc_o,
    output logic [  6:0] trace_active_o
);
  logic [31:0] address_q, word_q, age_q, accesses_q;
  logic [10:0] waited_q;
  logic [7:0] length_q, mode_q, beats_q, sent_q;
  logic [1:0] response_q;
  logic irq_q, ask_q, data_q, answer_q, bvalid_q, rvalid_q;
  logic [31:0] rdata_q;
  logic [3:0] fault;
  logic is_write;

  assign is_write = mode_q[0];
  assign fault = mode_q[7:4];

  // ---- registers: one access at a time, answered in the next cycle
  logic take_write, late;
  assign late = fault == 7 && waited_q < 1500;
  assign take_write = s_axil_awvalid && s_axil_wvalid && !bvalid_q && !late;
  assign s_axil_awready = take_write;
  assign s_axil_wready = take_write;
  assign s_axil_bvalid = bvalid_q;
  assign s_axil_bresp = fault == 6 ? 2'd2 : 2'd0;
  assign s_axil_arready = s_axil_arvalid && !rvalid_q && !late;
  assign s_axil_rvalid = rvalid_q;
  assign s_axil_rdata = rdata_q;
  assign s_axil_rresp = s_axil_bresp;

  // ---- the burst
  logic [31:0] shown_address;
  logic shown, ask_taken, read_beat, write_beat;
  assign shown_address = address_q + (fault == 2 && age_q[0] ? 32'd16 : 32'd0);
  assign shown = ask_q && !(fault == 1 && age_q[0]);
  assign m_axi_arvalid = shown && !is_write;
  assign m_axi_awvalid = shown && is_write;
  assign m_axi_araddr = {32'd0, shown_address};
  assign m_axi_awaddr = {32'd0, shown_address};
  assign m_axi_arlen = length_q;
  assign m_axi_awlen = length_q;
  assign m_axi_arsize = 3'd4;
  assign m_axi_awsize = 3'd4;
  assign m_axi_arburst = fault == 3 ? 2'd0 : 2'd1;
  assign m_axi_awburst = m_axi_arburst;
  assign m_axi_arid = 4'd0;
  assign m_axi_awid = 4'd0;
  assign ask_taken = is_write ? m_axi_awvalid && m_axi_awready : m_axi_arvalid && m_axi_arready;
  assign m_axi_rready = 1'b1;
  assign m_axi_bready = 1'b1;
  assign read_beat = m_axi_rvalid;
  assign write_beat = m_axi_wvalid && m_axi_wready;
  assign m_axi_wvalid = data_q;
  assign m_axi_wdata = {4{24'hbea700, sent_q}} ^ {127'd0, fault == 5 && age_q[0]};
  assign m_axi_wstrb = 16'hffff;
  assign m_axi_wlast = sent_q == length_q || (fault == 4 && sent_q == 0);
  assign irq_o = irq_q;
  assign trace_busy_o = {5'd0, is_write && (ask_q || data_q || answer_q), !is_write && (ask_q || answer_q)};
  assign trace_active_o = {5'd0, write_beat, read_beat};
  assign trace_pc_o = {80'd0, 16'h0042, 16'h0017};

  always_ff @(posedge clk_i) begin
    age_q <= age_q + 1;
    accesses_q <= accesses_q + {31'd0, s_axil_arready} + {31'd0, take_write};
    if (late && (s_axil_arvalid || s_axil_awvalid)) waited_q <= waited_q + 1;
    if (s_axil_bready) bvalid_q <= 1'b0;
    if (s_axil_rready) rvalid_q <= 1'b0;
    if (s_axil_arready) begin
      rvalid_q <= 1'b1;
      case (s_axil_araddr)
        12'd16:  rdata_q <= word_q;
        12'd20:  rdata_q <= {30'd0, response_q};
        12'd24:  rdata_q <= {24'd0, beats_q};
        12'd28:  rdata_q <= accesses_q;
        default: rdata_q <= address_q;
      endcase
    end
    if (take_write) begin
      bvalid_q <= 1'b1;
      case (s_axil_awaddr)
        12'd0:   address_q <= s_axil_wdata;
        12'd4:   length_q <= s_axil_wdata[7:0];
        12'd8:   mode_q <= s_axil_wdata[7:0];
        12'd64: begin
          ask_q <= 1'b1;
          data_q <= is_write;
          answer_q <= 1'b1;
          sent_q <= '0;
          beats_q <= '0;
          response_q <= '0;
          irq_q <= 1'b0;
        end
        default: ;
      endcase
    end
    if (ask_taken) ask_q <= 1'b0;
    if (write_beat) begin
      sent_q <= sent_q + 1;
      if (sent_q == length_q) data_q <= 1'b0;
    end
    if (read_beat) begin
      beats_q <= beats_q + 1;
      word_q  <= m_axi_rdata[31:0];
      if (m_axi_rresp > response_q) response_q <= m_axi_rresp;
    end
    if (m_axi_bvalid) response_q <= m_axi_bresp;
    if (m_axi_bvalid || (read_beat && m_axi_rlast)) begin
      answer_q <= 1'b0;
      irq_q <= 1'b1;
    end
    if (!rst_ni) {irq_q, ask_q, data_q, answer_q, bvalid_q, rvalid_q, mode_q, age_q, accesses_q, waited_q} <= '0;
  end
endmodule
