// SPDX-License-Identifier: Apache-2.0
// rs_soc_lite_split: one AXI4-Lite master, several slaves by address; where there is none, DECERR.
// Model:   soc/tb/test_rs_soc_lite_split.py
// Params:  Slaves; AddrBits; Bases, Masks: slave k has the addresses with (address & Masks[k]) == Bases[k]; Patience: cycles
// Bounds:  one access of each direction at a time, as the master makes them; address and data of a write may come apart
// Timing:  combinational, but for the first cycle of an access
//
// A slave that does not complete an access within Patience cycles is given up until the next reset: this access and all others to its
// addresses end with DECERR, so that a processor gets its fault and does not hang.
module rs_soc_lite_split #(
    parameter int unsigned                            Slaves   = 2,
    parameter int unsigned                            AddrBits = 31,
    parameter int unsigned                            Patience = 1 << 16,
    parameter logic        [Slaves-1:0][AddrBits-1:0] Bases    = '0,
    parameter logic        [Slaves-1:0][AddrBits-1:0] Masks    = '0
) (
    input logic clk_i,
    input logic rst_ni,

    input  logic                s_awvalid,
    output logic                s_awready,
    input  logic [AddrBits-1:0] s_awaddr,
    input  logic                s_wvalid,
    output logic                s_wready,
    output logic                s_bvalid,
    input  logic                s_bready,
    output logic [         1:0] s_bresp,
    input  logic                s_arvalid,
    output logic                s_arready,
    input  logic [AddrBits-1:0] s_araddr,
    output logic                s_rvalid,
    input  logic                s_rready,
    output logic [        31:0] s_rdata,
    output logic [         1:0] s_rresp,

    // addresses and data of the master go to all slaves
    output logic [Slaves-1:0]       m_awvalid,
    input  logic [Slaves-1:0]       m_awready,
    output logic [Slaves-1:0]       m_wvalid,
    input  logic [Slaves-1:0]       m_wready,
    input  logic [Slaves-1:0]       m_bvalid,
    output logic [Slaves-1:0]       m_bready,
    input  logic [Slaves-1:0][ 1:0] m_bresp,
    output logic [Slaves-1:0]       m_arvalid,
    input  logic [Slaves-1:0]       m_arready,
    input  logic [Slaves-1:0]       m_rvalid,
    output logic [Slaves-1:0]       m_rready,
    input  logic [Slaves-1:0][31:0] m_rdata,
    input  logic [Slaves-1:0][ 1:0] m_rresp
);
  localparam int unsigned All = Slaves + 1;  // the last one: errors

  logic [All-1:0] write_q, read_q;  // who has the access, one bit; none between accesses
  logic [All-1:0] awready, wready, bvalid, arready, rvalid;
  logic [All-1:0][1:0] bresp, rresp;
  logic [All-1:0][31:0] rdata;

  localparam int unsigned TimeBits = $clog2(Patience + 1);
  logic [TimeBits-1:0] write_time_q, read_time_q;
  logic [Slaves-1:0] dead_q;
  logic aw_taken_q, w_taken_q, ar_taken_q;
  logic write_lost_q, read_lost_q;  // no slave has this access any more: it ends here

  function automatic logic [All-1:0] owner(input logic [AddrBits-1:0] addr);
    logic [All-1:0] found;
    found = '0;
    for (int unsigned k = 0; k < Slaves; k++) found[k] = (addr & Masks[k]) == Bases[k] && !dead_q[k];
    found[Slaves] = found[Slaves-1:0] == '0;
    return found;
  endfunction

  rs_soc_lite_error u_error (
      .clk_i,
      .rst_ni,
      .s_awvalid(s_awvalid && write_q[Slaves]),
      .s_awready(awready[Slaves]),
      .s_wvalid (s_wvalid && write_q[Slaves]),
      .s_wready (wready[Slaves]),
      .s_bvalid (bvalid[Slaves]),
      .s_bready (s_bready),
      .s_bresp  (bresp[Slaves]),
      .s_arvalid(s_arvalid && read_q[Slaves]),
      .s_arready(arready[Slaves]),
      .s_rvalid (rvalid[Slaves]),
      .s_rready (s_rready),
      .s_rdata  (rdata[Slaves]),
      .s_rresp  (rresp[Slaves])
  );

  assign {awready[Slaves-1:0], wready[Slaves-1:0], bvalid[Slaves-1:0]} = {m_awready, m_wready, m_bvalid};
  assign {arready[Slaves-1:0], rvalid[Slaves-1:0]} = {m_arready, m_rvalid};
  assign bresp[Slaves-1:0] = m_bresp;
  assign rresp[Slaves-1:0] = m_rresp;
  assign rdata[Slaves-1:0] = m_rdata;

  assign m_awvalid = s_awvalid ? write_q[Slaves-1:0] : '0;
  assign m_wvalid = s_wvalid ? write_q[Slaves-1:0] : '0;
  assign m_bready = s_bready ? write_q[Slaves-1:0] : '0;
  assign m_arvalid = s_arvalid ? read_q[Slaves-1:0] : '0;
  assign m_rready = s_rready ? read_q[Slaves-1:0] : '0;
  assign s_awready = (write_q & awready) != '0 || (write_lost_q && !aw_taken_q);
  assign s_wready = (write_q & wready) != '0 || (write_lost_q && !w_taken_q);
  assign s_bvalid = (write_q & bvalid) != '0 || (write_lost_q && aw_taken_q && w_taken_q);
  assign s_arready = (read_q & arready) != '0 || (read_lost_q && !ar_taken_q);
  assign s_rvalid = (read_q & rvalid) != '0 || (read_lost_q && ar_taken_q);

  always_comb begin
    s_bresp = {2{write_lost_q}};
    s_rresp = {2{read_lost_q}};
    s_rdata = '0;
    for (int unsigned k = 0; k < All; k++) begin
      if (write_q[k]) s_bresp |= bresp[k];
      if (read_q[k]) s_rresp |= rresp[k];
      if (read_q[k]) s_rdata |= rdata[k];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      write_q      <= '0;
      read_q       <= '0;
      write_lost_q <= 1'b0;
      read_lost_q  <= 1'b0;
      aw_taken_q   <= 1'b0;
      w_taken_q    <= 1'b0;
      ar_taken_q   <= 1'b0;
      dead_q       <= '0;
    end else begin
      write_time_q <= write_q == '0 ? '0 : write_time_q + 1'b1;
      read_time_q  <= read_q == '0 ? '0 : read_time_q + 1'b1;
      aw_taken_q   <= (aw_taken_q || (s_awvalid && s_awready)) && !(s_bvalid && s_bready);
      w_taken_q    <= (w_taken_q || (s_wvalid && s_wready)) && !(s_bvalid && s_bready);
      ar_taken_q   <= (ar_taken_q || (s_arvalid && s_arready)) && !(s_rvalid && s_rready);
      if (s_bvalid && s_bready) begin
        write_q      <= '0;
        write_lost_q <= 1'b0;
      end else if (write_q != '0 && write_time_q == TimeBits'(Patience - 1)) begin
        dead_q       <= dead_q | write_q[Slaves-1:0];
        write_q      <= '0;
        write_lost_q <= 1'b1;
      end else if (write_q == '0 && !write_lost_q) begin
        write_q <= s_awvalid ? owner(s_awaddr) : '0;
      end
      if (s_rvalid && s_rready) begin
        read_q      <= '0;
        read_lost_q <= 1'b0;
      end else if (read_q != '0 && read_time_q == TimeBits'(Patience - 1)) begin
        dead_q      <= dead_q | read_q[Slaves-1:0];
        read_q      <= '0;
        read_lost_q <= 1'b1;
      end else if (read_q == '0 && !read_lost_q) begin
        read_q <= s_arvalid ? owner(s_araddr) : '0;
      end
    end
  end
endmodule
