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
endpackage
