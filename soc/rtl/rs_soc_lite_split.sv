// SPDX-License-Identifier: Apache-2.0
// rs_soc_lite_split: one AXI4-Lite master, several slaves by address; where there is none, DECERR.
// Model:   soc/tb/test_rs_soc_lite_split.py
// Params:  Slaves; Bases, Masks: slave k has the addresses with (address & Masks[k]) == Bases[k]; Patience: cycles
// Bounds:  one access of each direction at a time, as the master makes them; address and data of a write may come apart
// Timing:  combinational, but for the first cycle of an access
//
// A slave that does not complete an access within Patience cycles is given up until the next reset: this access and all others to its
// addresses end with DECERR, so that a processor gets its fault and does not hang.
module rs_soc_lite_split #(
    parameter int unsigned                    Slaves   = 2,
    parameter int unsigned                    Patience = 1 << 16,
    parameter logic        [Slaves-1:0][30:0] Bases    = '0,
    parameter logic        [Slaves-1:0][30:0] Masks    = '0
) (
    input logic clk_i,
    input logic rst_ni,

    input rs_soc_pkg::lite_req_t s_i,
    output rs_soc_pkg::lite_rsp_t s_o,
    output rs_soc_pkg::lite_req_t [Slaves-1:0] m_o,
    input rs_soc_pkg::lite_rsp_t [Slaves-1:0] m_i
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

  function automatic logic [All-1:0] owner(input logic [30:0] addr);
    logic [All-1:0] found;
    found = '0;
    for (int unsigned k = 0; k < Slaves; k++) found[k] = (addr & Masks[k]) == Bases[k] && !dead_q[k];
    found[Slaves] = found[Slaves-1:0] == '0;
    return found;
  endfunction

  rs_soc_pkg::lite_req_t [All-1:0] out;
  rs_soc_pkg::lite_rsp_t [All-1:0] in;

  rs_soc_lite_error u_error (
      .clk_i,
      .rst_ni,
      .s_i(out[Slaves]),
      .s_o(in[Slaves])
  );
  assign in[Slaves-1:0] = m_i;
  assign m_o = out[Slaves-1:0];

  for (genvar k = 0; k < All; k++) begin : gen_slave
    // addresses and data of the master go to all
    always_comb begin
      out[k] = s_i;
      if (!write_q[k]) {out[k].aw_valid, out[k].w_valid, out[k].b_ready} = '0;
      if (!read_q[k]) {out[k].ar_valid, out[k].r_ready} = '0;
    end
    assign {awready[k], wready[k], bvalid[k], bresp[k]} = {in[k].aw_ready, in[k].w_ready, in[k].b_valid, in[k].b_resp};
    assign {arready[k], rvalid[k], rdata[k], rresp[k]}  = {in[k].ar_ready, in[k].r_valid, in[k].r_data, in[k].r_resp};
  end

  assign s_o.aw_ready = (write_q & awready) != '0 || (write_lost_q && !aw_taken_q);
  assign s_o.w_ready  = (write_q & wready) != '0 || (write_lost_q && !w_taken_q);
  assign s_o.b_valid  = (write_q & bvalid) != '0 || (write_lost_q && aw_taken_q && w_taken_q);
  assign s_o.ar_ready = (read_q & arready) != '0 || (read_lost_q && !ar_taken_q);
  assign s_o.r_valid  = (read_q & rvalid) != '0 || (read_lost_q && ar_taken_q);

  always_comb begin
    s_o.b_resp = {2{write_lost_q}};
    s_o.r_resp = {2{read_lost_q}};
    s_o.r_data = '0;
    for (int unsigned k = 0; k < All; k++) begin
      if (write_q[k]) s_o.b_resp |= bresp[k];
      if (read_q[k]) s_o.r_resp |= rresp[k];
      if (read_q[k]) s_o.r_data |= rdata[k];
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
      aw_taken_q   <= (aw_taken_q || (s_i.aw_valid && s_o.aw_ready)) && !(s_o.b_valid && s_i.b_ready);
      w_taken_q    <= (w_taken_q || (s_i.w_valid && s_o.w_ready)) && !(s_o.b_valid && s_i.b_ready);
      ar_taken_q   <= (ar_taken_q || (s_i.ar_valid && s_o.ar_ready)) && !(s_o.r_valid && s_i.r_ready);
      if (s_o.b_valid && s_i.b_ready) begin
        write_q      <= '0;
        write_lost_q <= 1'b0;
      end else if (write_q != '0 && write_time_q == TimeBits'(Patience - 1)) begin
        dead_q       <= dead_q | write_q[Slaves-1:0];
        write_q      <= '0;
        write_lost_q <= 1'b1;
      end else if (write_q == '0 && !write_lost_q) begin
        write_q <= s_i.aw_valid ? owner(s_i.aw_addr) : '0;
      end
      if (s_o.r_valid && s_i.r_ready) begin
        read_q      <= '0;
        read_lost_q <= 1'b0;
      end else if (read_q != '0 && read_time_q == TimeBits'(Patience - 1)) begin
        dead_q      <= dead_q | read_q[Slaves-1:0];
        read_q      <= '0;
        read_lost_q <= 1'b1;
      end else if (read_q == '0 && !read_lost_q) begin
        read_q <= s_i.ar_valid ? owner(s_i.ar_addr) : '0;
      end
    end
  end
endmodule
