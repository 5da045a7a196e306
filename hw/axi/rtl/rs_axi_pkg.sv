// SPDX-License-Identifier: Apache-2.0
// rs_axi_pkg: AXI4 between the core's modules: what a master says and hears on the channels of reads and of writes. Data are ports beside
//             them, as wide as the bus. All bursts are INCR, of beats as wide as the bus, with all strobes.
package rs_axi_pkg;
  parameter int unsigned AddrBits = 64;
  parameter int unsigned IdBits = 4;

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic [AddrBits-1:0] addr;
    logic [7:0] len;
  } burst_t;

  typedef struct packed {
    logic   ar_valid;
    burst_t ar;
    logic   r_ready;
  } read_req_t;

  typedef struct packed {
    logic ar_ready;
    logic r_valid;
    logic [IdBits-1:0] r_id;
    logic [1:0] r_resp;
    logic r_last;
  } read_rsp_t;

  typedef struct packed {
    logic   aw_valid;
    burst_t aw;
    logic   w_valid;
    logic   w_last;
    logic   b_ready;
  } write_req_t;

  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    logic [IdBits-1:0] b_id;
    logic [1:0] b_resp;
  } write_rsp_t;

  // AXI4-Lite, to the registers
  parameter int unsigned LiteAddrBits = 12;

  typedef struct packed {
    logic aw_valid;
    logic [LiteAddrBits-1:0] aw_addr;
    logic [2:0] aw_prot;
    logic w_valid;
    logic [31:0] w_data;
    logic [3:0] w_strb;
    logic b_ready;
    logic ar_valid;
    logic [LiteAddrBits-1:0] ar_addr;
    logic [2:0] ar_prot;
    logic r_ready;
  } lite_req_t;

  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    logic [1:0] b_resp;
    logic ar_ready;
    logic r_valid;
    logic [31:0] r_data;
    logic [1:0] r_resp;
  } lite_rsp_t;
endpackage
