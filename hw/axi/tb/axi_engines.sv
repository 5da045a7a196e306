// SPDX-License-Identifier: Apache-2.0
// axi_engines: rs_axi_read and rs_axi_write behind one AXI4 port with the names that AXI models look for.
module axi_engines #(
    parameter  int unsigned BusBits   = 64,
    localparam int unsigned LinesBits = 8
) (
    input  logic                 clk_i,
    input  logic                 rst_ni,
    input  logic                 read_start_i,
    input  logic                 write_start_i,
    input  logic [         63:0] read_addr_i,
    input  logic [         63:0] write_addr_i,
    input  logic [LinesBits-1:0] read_lines_i,
    input  logic [LinesBits-1:0] write_lines_i,
    output logic                 read_busy_o,
    output logic                 write_busy_o,
    output logic [          1:0] error_o,
    output logic                 r_valid_o,
    input  logic                 r_ready_i,
    output logic [  BusBits-1:0] r_o,
    input  logic                 w_valid_i,
    output logic                 w_ready_o,
    input  logic [  BusBits-1:0] w_i,
    output logic                 m_axi_arvalid,
    input  logic                 m_axi_arready,
    output logic [          3:0] m_axi_arid,
    output logic [         63:0] m_axi_araddr,
    output logic [          7:0] m_axi_arlen,
    output logic [          2:0] m_axi_arsize,
    output logic [          1:0] m_axi_arburst,
    input  logic                 m_axi_rvalid,
    output logic                 m_axi_rready,
    input  logic [          3:0] m_axi_rid,
    input  logic [  BusBits-1:0] m_axi_rdata,
    input  logic [          1:0] m_axi_rresp,
    input  logic                 m_axi_rlast,
    output logic                 m_axi_awvalid,
    input  logic                 m_axi_awready,
    output logic [          3:0] m_axi_awid,
    output logic [         63:0] m_axi_awaddr,
    output logic [          7:0] m_axi_awlen,
    output logic [          2:0] m_axi_awsize,
    output logic [          1:0] m_axi_awburst,
    output logic                 m_axi_wvalid,
    input  logic                 m_axi_wready,
    output logic [  BusBits-1:0] m_axi_wdata,
    output logic [BusBits/8-1:0] m_axi_wstrb,
    output logic                 m_axi_wlast,
    input  logic                 m_axi_bvalid,
    output logic                 m_axi_bready,
    input  logic [          3:0] m_axi_bid,
    input  logic [          1:0] m_axi_bresp
);
  rs_axi_pkg::read_req_t read_req;
  rs_axi_pkg::read_rsp_t read_rsp;
  rs_axi_pkg::write_req_t write_req;
  rs_axi_pkg::write_rsp_t write_rsp;
  logic beat_error;  // any so far
  always_ff @(posedge clk_i) begin
    if (!rst_ni) error_o[0] <= 1'b0;
    else if (r_valid_o && r_ready_i && beat_error) error_o[0] <= 1'b1;
  end

  rs_axi_read #(
      .BusBits  (BusBits),
      .LinesBits(LinesBits)
  ) u_read (
      .clk_i,
      .rst_ni,
      .start_i     (read_start_i),
      .clear_i     (1'b0),
      .addr_i      (read_addr_i),
      .lines_i     (read_lines_i),
      .streams_i   (1'b0),
      .pairs_i     (1'b0),
      .run_i       (2'd0),
      .half_i      (1'b0),
      .busy_o      (read_busy_o),
      .asking_o    (),
      .beat_valid_o(r_valid_o),
      .beat_ready_i(r_ready_i),
      .beat_o      (r_o),
      .beat_error_o(beat_error),
      .read_o      (read_req),
      .read_i      (read_rsp),
      .rdata_i     (m_axi_rdata)
  );

  rs_axi_write #(
      .BusBits  (BusBits),
      .LinesBits(LinesBits)
  ) u_write (
      .clk_i,
      .rst_ni,
      .start_i     (write_start_i),
      .clear_i     (1'b0),
      .addr_i      (write_addr_i),
      .lines_i     (write_lines_i),
      .streams_i   (1'b0),
      .pairs_i     (1'b0),
      .run_i       (2'd0),
      .half_i      (1'b0),
      .busy_o      (write_busy_o),
      .drop_o      (),
      .error_o     (error_o[1]),
      .beat_valid_i(w_valid_i),
      .beat_ready_o(w_ready_o),
      .beat_i      (w_i),
      .write_o     (write_req),
      .write_i     (write_rsp),
      .wdata_o     (m_axi_wdata)
  );

  assign {m_axi_arvalid, m_axi_arid, m_axi_araddr, m_axi_arlen, m_axi_rready} = read_req;
  assign read_rsp = {m_axi_arready, m_axi_rvalid, m_axi_rid, m_axi_rresp, m_axi_rlast};
  assign {m_axi_awvalid, m_axi_awid, m_axi_awaddr, m_axi_awlen, m_axi_wvalid, m_axi_wlast, m_axi_bready} = write_req;
  assign write_rsp = {m_axi_awready, m_axi_wready, m_axi_bvalid, m_axi_bid, m_axi_bresp};
  assign {m_axi_arsize, m_axi_awsize} = {2{3'($clog2(BusBits / 8))}};
  assign {m_axi_arburst, m_axi_awburst} = {2{2'b01}};
  assign m_axi_wstrb = '1;
endmodule
