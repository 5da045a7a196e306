// SPDX-License-Identifier: Apache-2.0
// rs_soc_cpu: the processor of the SoC: PicoRV32, RV32IM (pythondata-cpu-picorv32), in the place of Rocket.
// Model:   none; the firmware runs on it
// Params:  none
// Bounds:  begins at 0x1000_0000 of the register port, RAM from 0x8000_0000. irq_i is not used: the firmware polls. It sees no bus
//          errors. s_axi: IDs below 8
// Timing:  one access at a time, no cache: devices and processor see the same RAM
module rs_soc_cpu (
    input logic clk_i,
    input logic rst_ni,
    input logic irq_i,

    // RAM: AXI4, single beats of the processor, whole lines of devices
    output rs_soc_pkg::axi_req_t  m_o,
    input  rs_soc_pkg::axi_rsp_t  m_i,
    // registers and boot ROM: AXI4-Lite
    output rs_soc_pkg::lite_req_t lite_o,
    input  rs_soc_pkg::lite_rsp_t lite_i,
    // devices to RAM: AXI4, whole lines, of which nothing is in a cache
    input  rs_soc_pkg::axi_req_t  s_i,
    output rs_soc_pkg::axi_rsp_t  s_o
);
  logic mem_valid, mem_ready, trap, is_ram, reads, asked_q;
  logic [31:0] mem_addr, mem_wdata, mem_rdata;
  logic [3:0] mem_wstrb;

  picorv32 #(
      .BARREL_SHIFTER (1),
      .ENABLE_FAST_MUL(1),
      .ENABLE_DIV     (1),
      .ENABLE_COUNTERS(1),
      .PROGADDR_RESET (32'h1000_0000)
  ) u_processor (
      .clk         (clk_i),
      .resetn      (rst_ni),
      .trap        (trap),
      .mem_valid   (mem_valid),
      .mem_instr   (),
      .mem_ready   (mem_ready),
      .mem_addr    (mem_addr),
      .mem_wdata   (mem_wdata),
      .mem_wstrb   (mem_wstrb),
      .mem_rdata   (mem_rdata),
      .mem_la_read (),
      .mem_la_write(),
      .mem_la_addr (),
      .mem_la_wdata(),
      .mem_la_wstrb(),
      .pcpi_valid  (),
      .pcpi_insn   (),
      .pcpi_rs1    (),
      .pcpi_rs2    (),
      .pcpi_wr     (1'b0),
      .pcpi_rd     (32'd0),
      .pcpi_wait   (1'b0),
      .pcpi_ready  (1'b0),
      .irq         (32'd0),
      .eoi         (),
      .trace_valid (),
      .trace_data  ()
  );

  // ---- an access of the processor: addresses are taken once, then the answer is waited for ------------------------------------
  logic ar_held_q, ar_mine_q, ar_mine;  // what is offered stays
  logic w_held_q, w_mine_q, w_mine, aw_done_q;  // a burst has both channels until its last beat
  logic aw_said_q, w_said_q, ram_ar, ram_aw, ram_w, ram_r, ram_b;

  assign is_ram = mem_addr[31];
  assign reads = mem_wstrb == '0;
  assign ram_ar = mem_valid && is_ram && reads && !asked_q;
  assign ram_aw = mem_valid && is_ram && !reads && !aw_said_q;
  assign ram_w = mem_valid && is_ram && !reads && !w_said_q;
  assign lite_o.ar_valid = mem_valid && !is_ram && reads && !asked_q;
  assign lite_o.aw_valid = mem_valid && !is_ram && !reads && !aw_said_q;
  assign lite_o.w_valid = mem_valid && !is_ram && !reads && !w_said_q;
  assign {lite_o.ar_addr, lite_o.aw_addr} = {2{mem_addr[30:0]}};
  assign {lite_o.w_data, lite_o.w_strb} = {mem_wdata, mem_wstrb};
  assign {lite_o.r_ready, lite_o.b_ready} = 2'b11;
  assign mem_ready = lite_i.r_valid || lite_i.b_valid || ram_r || ram_b;
  assign mem_rdata = !is_ram ? lite_i.r_data : mem_addr[2] ? m_i.r_data[63:32] : m_i.r_data[31:0];

  always_ff @(posedge clk_i) begin
    if (!rst_ni || mem_ready) begin
      asked_q   <= 1'b0;
      aw_said_q <= 1'b0;
      w_said_q  <= 1'b0;
    end else begin
      if ((ram_ar && ar_mine && m_i.ar_ready) || (lite_o.ar_valid && lite_i.ar_ready)) asked_q <= 1'b1;
      if ((ram_aw && w_mine && m_o.aw_valid && m_i.aw_ready) || (lite_o.aw_valid && lite_i.aw_ready)) aw_said_q <= 1'b1;
      if ((ram_w && w_mine && m_o.w_valid && m_i.w_ready) || (lite_o.w_valid && lite_i.w_ready)) w_said_q <= 1'b1;
    end
  end

  // ---- RAM: the processor's accesses have ID 8, those of devices 0 to 7 ------------------------------------------------------
  localparam logic [7:0] Mine = 8'd8;

  assign ar_mine = ar_held_q ? ar_mine_q : ram_ar;
  assign m_o.ar_valid = ar_mine ? ram_ar : s_i.ar_valid;
  assign m_o.ar.id = ar_mine ? Mine : {5'd0, s_i.ar.id[2:0]};
  assign m_o.ar.addr = ar_mine ? {mem_addr[31:3], 3'd0} : s_i.ar.addr;
  assign m_o.ar.len = ar_mine ? '0 : s_i.ar.len;
  assign s_o.ar_ready = m_i.ar_ready && !ar_mine;
  assign m_o.r_ready = 1'b1;
  assign ram_r = m_i.r_valid && m_i.r_id == Mine;
  assign s_o.r_valid = m_i.r_valid && m_i.r_id != Mine;
  assign s_o.r_id = {5'd0, m_i.r_id[2:0]};
  assign {s_o.r_data, s_o.r_resp, s_o.r_last} = {m_i.r_data, m_i.r_resp, m_i.r_last};

  assign w_mine = w_held_q ? w_mine_q : ram_aw;
  assign m_o.aw_valid = !aw_done_q && (w_mine ? ram_aw : s_i.aw_valid);
  assign m_o.aw.id = w_mine ? Mine : {5'd0, s_i.aw.id[2:0]};
  assign m_o.aw.addr = w_mine ? {mem_addr[31:3], 3'd0} : s_i.aw.addr;
  assign m_o.aw.len = w_mine ? '0 : s_i.aw.len;
  assign s_o.aw_ready = m_i.aw_ready && !w_mine && !aw_done_q;
  assign m_o.w_valid = aw_done_q && (w_mine ? ram_w : s_i.w_valid);
  assign m_o.w_data = w_mine ? {2{mem_wdata}} : s_i.w_data;
  assign m_o.w_strb = !w_mine ? s_i.w_strb : mem_addr[2] ? {mem_wstrb, 4'd0} : {4'd0, mem_wstrb};
  assign m_o.w_last = w_mine || s_i.w_last;
  assign s_o.w_ready = m_i.w_ready && !w_mine && aw_done_q;
  assign m_o.b_ready = 1'b1;
  assign ram_b = m_i.b_valid && m_i.b_id == Mine;
  assign s_o.b_valid = m_i.b_valid && m_i.b_id != Mine;
  assign s_o.b_id = {5'd0, m_i.b_id[2:0]};
  assign s_o.b_resp = m_i.b_resp;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ar_held_q <= 1'b0;
      w_held_q  <= 1'b0;
      aw_done_q <= 1'b0;
    end else begin
      ar_held_q <= m_o.ar_valid && !m_i.ar_ready;
      if (m_o.w_valid && m_i.w_ready && m_o.w_last) begin
        w_held_q  <= 1'b0;
        aw_done_q <= 1'b0;
      end else begin
        w_held_q  <= w_held_q || m_o.aw_valid;
        aw_done_q <= aw_done_q || (m_o.aw_valid && m_i.aw_ready);
      end
    end
    ar_mine_q <= ar_mine;
    w_mine_q  <= w_mine;
  end

`ifndef SYNTHESIS
  always_ff @(posedge clk_i) begin
    if (rst_ni && trap) $fatal(1, "%m: the processor stopped at a trap");
  end
`endif

  logic unused_bits;
  assign unused_bits = ^{irq_i, lite_i, s_i, m_i, mem_addr[1:0]};
endmodule
