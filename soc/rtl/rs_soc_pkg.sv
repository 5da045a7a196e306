// SPDX-License-Identifier: Apache-2.0
// rs_soc_pkg: the SoC's buses: AXI4 of 64 bits in bursts of type INCR, whole beats wide, and AXI4-Lite of 32 bits. What a master drives and receives.
package rs_soc_pkg;
  parameter int unsigned IdBits = 8;

  typedef struct packed {
    logic [IdBits-1:0] id;
    logic [31:0] addr;
    logic [7:0] len;
  } burst_t;

  typedef struct packed {
    logic aw_valid;
    burst_t aw;
    logic w_valid;
    logic [63:0] w_data;
    logic [7:0] w_strb;
    logic w_last;
    logic b_ready;
    logic ar_valid;
    burst_t ar;
    logic r_ready;
  } axi_req_t;

  typedef struct packed {
    logic aw_ready;
    logic w_ready;
    logic b_valid;
    logic [IdBits-1:0] b_id;
    logic [1:0] b_resp;
    logic ar_ready;
    logic r_valid;
    logic [IdBits-1:0] r_id;
    logic [63:0] r_data;
    logic [1:0] r_resp;
    logic r_last;
  } axi_rsp_t;

  typedef struct packed {
    logic aw_valid;
    logic [30:0] aw_addr;
    logic w_valid;
    logic [31:0] w_data;
    logic [3:0] w_strb;
    logic b_ready;
    logic ar_valid;
    logic [30:0] ar_addr;
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
