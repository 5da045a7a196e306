// SPDX-License-Identifier: Apache-2.0
// rs_regs: registers, by PeakRDL-regblock; rs_regs_axi.sv uses them.
// Made from hw/core/regs.rdl by scripts/generate.py: do not edit.
// The generator's style is not ours, and it drives members of one struct from several processes.
// verilator lint_off GENUNNAMED
// verilator lint_off MULTIDRIVEN
// verilator lint_off UNUSEDPARAM
// verilator lint_off UNUSEDSIGNAL
// verilog_lint: waive-start explicit-parameter-storage-type
// verilog_lint: waive-start generate-label
// verilog_lint: waive-start line-length
// verilog_lint: waive-start parameter-name-style
// verilog_lint: waive-start struct-union-name-style
// verilog_lint: waive-start typedef-structs-unions

module rs_regs (
    input wire clk,
    input wire rst_n,

    input wire s_cpuif_req,
    input wire s_cpuif_req_is_wr,
    input wire [11:0] s_cpuif_addr,
    input wire [31:0] s_cpuif_wr_data,
    input wire [31:0] s_cpuif_wr_biten,
    output wire s_cpuif_req_stall_wr,
    output wire s_cpuif_req_stall_rd,
    output wire s_cpuif_rd_ack,
    output wire s_cpuif_rd_err,
    output wire [31:0] s_cpuif_rd_data,
    output wire s_cpuif_wr_ack,
    output wire s_cpuif_wr_err,

    input  rs_regs_pkg::rs_regs__in_t  hwif_in,
    output rs_regs_pkg::rs_regs__out_t hwif_out
);

  //--------------------------------------------------------------------------
  // CPU Bus interface logic
  //--------------------------------------------------------------------------
  logic cpuif_req;
  logic cpuif_req_is_wr;
  logic [11:0] cpuif_addr;
  logic [31:0] cpuif_wr_data;
  logic [31:0] cpuif_wr_biten;
  logic cpuif_req_stall_wr;
  logic cpuif_req_stall_rd;

  logic cpuif_rd_ack;
  logic cpuif_rd_err;
  logic [31:0] cpuif_rd_data;

  logic cpuif_wr_ack;
  logic cpuif_wr_err;

  assign cpuif_req = s_cpuif_req;
  assign cpuif_req_is_wr = s_cpuif_req_is_wr;
  assign cpuif_addr = s_cpuif_addr;
  assign cpuif_wr_data = s_cpuif_wr_data;
  assign cpuif_wr_biten = s_cpuif_wr_biten;
  assign s_cpuif_req_stall_wr = cpuif_req_stall_wr;
  assign s_cpuif_req_stall_rd = cpuif_req_stall_rd;
  assign s_cpuif_rd_ack = cpuif_rd_ack;
  assign s_cpuif_rd_err = cpuif_rd_err;
  assign s_cpuif_rd_data = cpuif_rd_data;
  assign s_cpuif_wr_ack = cpuif_wr_ack;
  assign s_cpuif_wr_err = cpuif_wr_err;

  logic cpuif_req_masked;
  logic external_pending;

  // Read & write latencies are balanced. Stalls not required
  // except if external
  assign cpuif_req_stall_rd = external_pending;
  assign cpuif_req_stall_wr = external_pending;
  assign cpuif_req_masked   = cpuif_req & !(!cpuif_req_is_wr & cpuif_req_stall_rd) & !(cpuif_req_is_wr & cpuif_req_stall_wr);

  //--------------------------------------------------------------------------
  // Address Decode
  //--------------------------------------------------------------------------
  typedef struct {
    logic ID;
    logic VERSION;
    logic LANES;
    logic WORD_BITS;
    logic REDUCTION;
    logic LOG_N_MIN;
    logic LOG_N_MAX;
    logic GROUPS;
    logic CONTEXTS;
    logic SLOTS;
    logic BUS_BITS;
    logic FEATURES;
    logic PROGRAM_DEPTH;
    logic KECCAK_CORES;
    logic BUSY_PIPE;
    logic CONTROL;
    logic STATUS;
    logic LOG_N;
    logic WATCHDOG;
    logic CYCLES;
    logic PROGRAM_INDEX;
    logic PROGRAM_LO;
    logic PROGRAM_HI;
    logic BUSY[6];
    logic KEY_USE;
    logic FRAME;
    logic POINTER[32];
    logic SEED[16];
    logic PUBLIC_SEED[16];
  } decoded_reg_strb_t;
  decoded_reg_strb_t decoded_reg_strb;
  logic decoded_err;
  logic decoded_req_is_external;

  logic [11:0] decoded_addr;
  logic decoded_req;
  logic decoded_req_is_wr;
  logic [31:0] decoded_wr_data;
  logic [31:0] decoded_wr_biten;

  always_comb begin
    automatic logic is_valid_addr;
    automatic logic is_valid_rw;
    automatic logic is_external;
    is_external = '0;
    is_valid_addr = '0;
    is_valid_rw = '1;  // No valid RW check
    decoded_reg_strb.ID = cpuif_req_masked & (cpuif_addr == 12'h0) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h0);
    decoded_reg_strb.VERSION = cpuif_req_masked & (cpuif_addr == 12'h4) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h4);
    decoded_reg_strb.LANES = cpuif_req_masked & (cpuif_addr == 12'h8) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h8);
    decoded_reg_strb.WORD_BITS = cpuif_req_masked & (cpuif_addr == 12'hc) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'hc);
    decoded_reg_strb.REDUCTION = cpuif_req_masked & (cpuif_addr == 12'h10) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h10);
    decoded_reg_strb.LOG_N_MIN = cpuif_req_masked & (cpuif_addr == 12'h14) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h14);
    decoded_reg_strb.LOG_N_MAX = cpuif_req_masked & (cpuif_addr == 12'h18) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h18);
    decoded_reg_strb.GROUPS = cpuif_req_masked & (cpuif_addr == 12'h1c) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h1c);
    decoded_reg_strb.CONTEXTS = cpuif_req_masked & (cpuif_addr == 12'h20) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h20);
    decoded_reg_strb.SLOTS = cpuif_req_masked & (cpuif_addr == 12'h24) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h24);
    decoded_reg_strb.BUS_BITS = cpuif_req_masked & (cpuif_addr == 12'h28) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h28);
    decoded_reg_strb.FEATURES = cpuif_req_masked & (cpuif_addr == 12'h2c) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h2c);
    decoded_reg_strb.PROGRAM_DEPTH = cpuif_req_masked & (cpuif_addr == 12'h30) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h30);
    decoded_reg_strb.KECCAK_CORES = cpuif_req_masked & (cpuif_addr == 12'h34) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h34);
    decoded_reg_strb.BUSY_PIPE = cpuif_req_masked & (cpuif_addr == 12'h38) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h38);
    decoded_reg_strb.CONTROL = cpuif_req_masked & (cpuif_addr == 12'h40);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h40);
    decoded_reg_strb.STATUS = cpuif_req_masked & (cpuif_addr == 12'h44) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h44);
    decoded_reg_strb.LOG_N = cpuif_req_masked & (cpuif_addr == 12'h48);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h48);
    decoded_reg_strb.WATCHDOG = cpuif_req_masked & (cpuif_addr == 12'h4c);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h4c);
    decoded_reg_strb.CYCLES = cpuif_req_masked & (cpuif_addr == 12'h50) & !cpuif_req_is_wr;
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h50);
    decoded_reg_strb.PROGRAM_INDEX = cpuif_req_masked & (cpuif_addr == 12'h54);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h54);
    decoded_reg_strb.PROGRAM_LO = cpuif_req_masked & (cpuif_addr == 12'h58);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h58);
    decoded_reg_strb.PROGRAM_HI = cpuif_req_masked & (cpuif_addr == 12'h5c);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h5c);
    for (int i0 = 0; i0 < 6; i0++) begin
      decoded_reg_strb.BUSY[i0] = cpuif_req_masked & (cpuif_addr == 12'h60 + (12)'(i0) * 12'h4) & !cpuif_req_is_wr;
      is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h60 + (12)'(i0) * 12'h4);
    end
    decoded_reg_strb.KEY_USE = cpuif_req_masked & (cpuif_addr == 12'h78);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h78);
    decoded_reg_strb.FRAME = cpuif_req_masked & (cpuif_addr == 12'h7c);
    is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h7c);
    for (int i0 = 0; i0 < 32; i0++) begin
      decoded_reg_strb.POINTER[i0] = cpuif_req_masked & (cpuif_addr == 12'h80 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_external |= cpuif_req_masked & (cpuif_addr == 12'h80 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h80 + (12)'(i0) * 12'h4);
    end
    for (int i0 = 0; i0 < 16; i0++) begin
      decoded_reg_strb.SEED[i0] = cpuif_req_masked & (cpuif_addr == 12'h100 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_external |= cpuif_req_masked & (cpuif_addr == 12'h100 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h100 + (12)'(i0) * 12'h4);
    end
    for (int i0 = 0; i0 < 16; i0++) begin
      decoded_reg_strb.PUBLIC_SEED[i0] = cpuif_req_masked & (cpuif_addr == 12'h140 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_external |= cpuif_req_masked & (cpuif_addr == 12'h140 + (12)'(i0) * 12'h4) & cpuif_req_is_wr;
      is_valid_addr |= cpuif_req_masked & (cpuif_addr == 12'h140 + (12)'(i0) * 12'h4);
    end
    decoded_err = ~is_valid_addr & decoded_req;
    decoded_req_is_external = is_external;
  end
  logic external_wr_ack;
  logic external_rd_ack;
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      external_pending <= '0;
    end else begin
      if (decoded_req_is_external & ~external_wr_ack & ~external_rd_ack) external_pending <= '1;
      else if (external_wr_ack | external_rd_ack) external_pending <= '0;
`ifndef SYNTHESIS
      assert_bad_ext_wr_ack :
      assert (!external_wr_ack || (external_pending | decoded_req_is_external))
      else $error("An external wr_ack strobe was asserted when no external request was active");
      assert_bad_ext_rd_ack :
      assert (!external_rd_ack || (external_pending | decoded_req_is_external))
      else $error("An external rd_ack strobe was asserted when no external request was active");
`endif
    end
  end

  // Pass down signals to next stage
  assign decoded_addr = cpuif_addr;
  assign decoded_req = cpuif_req_masked;
  assign decoded_req_is_wr = cpuif_req_is_wr;
  assign decoded_wr_data = cpuif_wr_data;
  assign decoded_wr_biten = cpuif_wr_biten;

  //--------------------------------------------------------------------------
  // Field logic
  //--------------------------------------------------------------------------
  typedef struct {
    struct {
      struct {
        logic next;
        logic load_next;
      } start;
      struct {
        logic next;
        logic load_next;
      } abort;
      struct {
        logic next;
        logic load_next;
      } zeroize;
      struct {
        logic next;
        logic load_next;
      } clear_irq;
      struct {
        logic next;
        logic load_next;
      } bus_reset;
      struct {
        logic next;
        logic load_next;
      } irq_enable;
    } CONTROL;
    struct {
      struct {
        logic [4:0] next;
        logic load_next;
      } value;
    } LOG_N;
    struct {
      struct {
        logic [31:0] next;
        logic load_next;
      } value;
    } WATCHDOG;
    struct {
      struct {
        logic [15:0] next;
        logic load_next;
      } value;
    } PROGRAM_INDEX;
    struct {
      struct {
        logic [31:0] next;
        logic load_next;
      } value;
    } PROGRAM_LO;
    struct {
      struct {
        logic [31:0] next;
        logic load_next;
      } value;
    } PROGRAM_HI;
    struct {
      struct {
        logic next;
        logic load_next;
      } no_encrypt;
      struct {
        logic next;
        logic load_next;
      } no_decrypt;
    } KEY_USE;
    struct {
      struct {
        logic [3:0] next;
        logic load_next;
      } value;
    } FRAME;
  } field_combo_t;
  field_combo_t field_combo;

  typedef struct {
    struct {
      struct {logic value;} start;
      struct {logic value;} abort;
      struct {logic value;} zeroize;
      struct {logic value;} clear_irq;
      struct {logic value;} bus_reset;
      struct {logic value;} irq_enable;
    } CONTROL;
    struct {struct {logic [4:0] value;} value;} LOG_N;
    struct {struct {logic [31:0] value;} value;} WATCHDOG;
    struct {struct {logic [15:0] value;} value;} PROGRAM_INDEX;
    struct {struct {logic [31:0] value;} value;} PROGRAM_LO;
    struct {struct {logic [31:0] value;} value;} PROGRAM_HI;
    struct {
      struct {logic value;} no_encrypt;
      struct {logic value;} no_decrypt;
    } KEY_USE;
    struct {struct {logic [3:0] value;} value;} FRAME;
  } field_storage_t;
  field_storage_t field_storage;

  // Field: rs_regs.CONTROL.start
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.start.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.start.value & ~decoded_wr_biten[0:0]) | (decoded_wr_data[0:0] & decoded_wr_biten[0:0]);
      load_next_c = '1;
    end else begin  // singlepulse clears back to 0
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.CONTROL.start.next = next_c;
    field_combo.CONTROL.start.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.start.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.start.load_next) begin
        field_storage.CONTROL.start.value <= field_combo.CONTROL.start.next;
      end
    end
  end
  assign hwif_out.CONTROL.start.value = field_storage.CONTROL.start.value;
  // Field: rs_regs.CONTROL.abort
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.abort.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.abort.value & ~decoded_wr_biten[1:1]) | (decoded_wr_data[1:1] & decoded_wr_biten[1:1]);
      load_next_c = '1;
    end else begin  // singlepulse clears back to 0
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.CONTROL.abort.next = next_c;
    field_combo.CONTROL.abort.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.abort.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.abort.load_next) begin
        field_storage.CONTROL.abort.value <= field_combo.CONTROL.abort.next;
      end
    end
  end
  assign hwif_out.CONTROL.abort.value = field_storage.CONTROL.abort.value;
  // Field: rs_regs.CONTROL.zeroize
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.zeroize.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.zeroize.value & ~decoded_wr_biten[2:2]) | (decoded_wr_data[2:2] & decoded_wr_biten[2:2]);
      load_next_c = '1;
    end else begin  // singlepulse clears back to 0
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.CONTROL.zeroize.next = next_c;
    field_combo.CONTROL.zeroize.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.zeroize.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.zeroize.load_next) begin
        field_storage.CONTROL.zeroize.value <= field_combo.CONTROL.zeroize.next;
      end
    end
  end
  assign hwif_out.CONTROL.zeroize.value = field_storage.CONTROL.zeroize.value;
  // Field: rs_regs.CONTROL.clear_irq
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.clear_irq.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.clear_irq.value & ~decoded_wr_biten[3:3]) | (decoded_wr_data[3:3] & decoded_wr_biten[3:3]);
      load_next_c = '1;
    end else begin  // singlepulse clears back to 0
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.CONTROL.clear_irq.next = next_c;
    field_combo.CONTROL.clear_irq.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.clear_irq.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.clear_irq.load_next) begin
        field_storage.CONTROL.clear_irq.value <= field_combo.CONTROL.clear_irq.next;
      end
    end
  end
  assign hwif_out.CONTROL.clear_irq.value = field_storage.CONTROL.clear_irq.value;
  // Field: rs_regs.CONTROL.bus_reset
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.bus_reset.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.bus_reset.value & ~decoded_wr_biten[4:4]) | (decoded_wr_data[4:4] & decoded_wr_biten[4:4]);
      load_next_c = '1;
    end else begin  // singlepulse clears back to 0
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.CONTROL.bus_reset.next = next_c;
    field_combo.CONTROL.bus_reset.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.bus_reset.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.bus_reset.load_next) begin
        field_storage.CONTROL.bus_reset.value <= field_combo.CONTROL.bus_reset.next;
      end
    end
  end
  assign hwif_out.CONTROL.bus_reset.value = field_storage.CONTROL.bus_reset.value;
  // Field: rs_regs.CONTROL.irq_enable
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.CONTROL.irq_enable.value;
    load_next_c = '0;
    if (decoded_reg_strb.CONTROL && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.CONTROL.irq_enable.value & ~decoded_wr_biten[8:8]) | (decoded_wr_data[8:8] & decoded_wr_biten[8:8]);
      load_next_c = '1;
    end
    field_combo.CONTROL.irq_enable.next = next_c;
    field_combo.CONTROL.irq_enable.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.CONTROL.irq_enable.value <= 1'h0;
    end else begin
      if (field_combo.CONTROL.irq_enable.load_next) begin
        field_storage.CONTROL.irq_enable.value <= field_combo.CONTROL.irq_enable.next;
      end
    end
  end
  assign hwif_out.CONTROL.irq_enable.value = field_storage.CONTROL.irq_enable.value;
  // Field: rs_regs.LOG_N.value
  always_comb begin
    automatic logic [4:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.LOG_N.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.LOG_N && decoded_req_is_wr && hwif_in.idle) begin  // SW write
      next_c = (field_storage.LOG_N.value.value & ~decoded_wr_biten[4:0]) | (decoded_wr_data[4:0] & decoded_wr_biten[4:0]);
      load_next_c = '1;
    end
    field_combo.LOG_N.value.next = next_c;
    field_combo.LOG_N.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.LOG_N.value.value <= 5'h0;
    end else begin
      if (field_combo.LOG_N.value.load_next) begin
        field_storage.LOG_N.value.value <= field_combo.LOG_N.value.next;
      end
    end
  end
  assign hwif_out.LOG_N.value.value = field_storage.LOG_N.value.value;
  assign hwif_out.LOG_N.value.swmod = decoded_reg_strb.LOG_N && decoded_req_is_wr && |(decoded_wr_biten[4:0]);
  // Field: rs_regs.WATCHDOG.value
  always_comb begin
    automatic logic [31:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.WATCHDOG.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.WATCHDOG && decoded_req_is_wr && hwif_in.idle) begin  // SW write
      next_c = (field_storage.WATCHDOG.value.value & ~decoded_wr_biten[31:0]) | (decoded_wr_data[31:0] & decoded_wr_biten[31:0]);
      load_next_c = '1;
    end
    field_combo.WATCHDOG.value.next = next_c;
    field_combo.WATCHDOG.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.WATCHDOG.value.value <= 32'h10000000;
    end else begin
      if (field_combo.WATCHDOG.value.load_next) begin
        field_storage.WATCHDOG.value.value <= field_combo.WATCHDOG.value.next;
      end
    end
  end
  assign hwif_out.WATCHDOG.value.value = field_storage.WATCHDOG.value.value;
  assign hwif_out.WATCHDOG.value.swmod = decoded_reg_strb.WATCHDOG && decoded_req_is_wr && |(decoded_wr_biten[31:0]);
  // Field: rs_regs.PROGRAM_INDEX.value
  always_comb begin
    automatic logic [15:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.PROGRAM_INDEX.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.PROGRAM_INDEX && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.PROGRAM_INDEX.value.value & ~decoded_wr_biten[15:0]) | (decoded_wr_data[15:0] & decoded_wr_biten[15:0]);
      load_next_c = '1;
    end else if (hwif_in.PROGRAM_INDEX.value.we) begin  // HW Write - we
      next_c = hwif_in.PROGRAM_INDEX.value.next;
      load_next_c = '1;
    end
    field_combo.PROGRAM_INDEX.value.next = next_c;
    field_combo.PROGRAM_INDEX.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.PROGRAM_INDEX.value.value <= 16'h0;
    end else begin
      if (field_combo.PROGRAM_INDEX.value.load_next) begin
        field_storage.PROGRAM_INDEX.value.value <= field_combo.PROGRAM_INDEX.value.next;
      end
    end
  end
  assign hwif_out.PROGRAM_INDEX.value.value = field_storage.PROGRAM_INDEX.value.value;
  assign hwif_out.PROGRAM_INDEX.value.swmod = decoded_reg_strb.PROGRAM_INDEX && decoded_req_is_wr && |(decoded_wr_biten[15:0]);
  // Field: rs_regs.PROGRAM_LO.value
  always_comb begin
    automatic logic [31:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.PROGRAM_LO.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.PROGRAM_LO && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.PROGRAM_LO.value.value & ~decoded_wr_biten[31:0]) | (decoded_wr_data[31:0] & decoded_wr_biten[31:0]);
      load_next_c = '1;
    end else if (hwif_in.PROGRAM_LO.value.hwclr) begin  // HW Clear
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.PROGRAM_LO.value.next = next_c;
    field_combo.PROGRAM_LO.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.PROGRAM_LO.value.value <= 32'h0;
    end else begin
      if (field_combo.PROGRAM_LO.value.load_next) begin
        field_storage.PROGRAM_LO.value.value <= field_combo.PROGRAM_LO.value.next;
      end
    end
  end
  assign hwif_out.PROGRAM_LO.value.value = field_storage.PROGRAM_LO.value.value;
  assign hwif_out.PROGRAM_LO.value.swacc = decoded_reg_strb.PROGRAM_LO;
  // Field: rs_regs.PROGRAM_HI.value
  always_comb begin
    automatic logic [31:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.PROGRAM_HI.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.PROGRAM_HI && decoded_req_is_wr) begin  // SW write
      next_c = (field_storage.PROGRAM_HI.value.value & ~decoded_wr_biten[31:0]) | (decoded_wr_data[31:0] & decoded_wr_biten[31:0]);
      load_next_c = '1;
    end else if (hwif_in.PROGRAM_HI.value.hwclr) begin  // HW Clear
      next_c = '0;
      load_next_c = '1;
    end
    field_combo.PROGRAM_HI.value.next = next_c;
    field_combo.PROGRAM_HI.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.PROGRAM_HI.value.value <= 32'h0;
    end else begin
      if (field_combo.PROGRAM_HI.value.load_next) begin
        field_storage.PROGRAM_HI.value.value <= field_combo.PROGRAM_HI.value.next;
      end
    end
  end
  assign hwif_out.PROGRAM_HI.value.value = field_storage.PROGRAM_HI.value.value;
  assign hwif_out.PROGRAM_HI.value.swmod = decoded_reg_strb.PROGRAM_HI && decoded_req_is_wr && |(decoded_wr_biten[31:0]);
  assign hwif_out.PROGRAM_HI.value.swacc = decoded_reg_strb.PROGRAM_HI;
  // Field: rs_regs.KEY_USE.no_encrypt
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.KEY_USE.no_encrypt.value;
    load_next_c = '0;
    if (decoded_reg_strb.KEY_USE && decoded_req_is_wr) begin  // SW write 1 set
      next_c = field_storage.KEY_USE.no_encrypt.value | (decoded_wr_data[0:0] & decoded_wr_biten[0:0]);
      load_next_c = '1;
    end
    field_combo.KEY_USE.no_encrypt.next = next_c;
    field_combo.KEY_USE.no_encrypt.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.KEY_USE.no_encrypt.value <= 1'h0;
    end else begin
      if (field_combo.KEY_USE.no_encrypt.load_next) begin
        field_storage.KEY_USE.no_encrypt.value <= field_combo.KEY_USE.no_encrypt.next;
      end
    end
  end
  assign hwif_out.KEY_USE.no_encrypt.value = field_storage.KEY_USE.no_encrypt.value;
  // Field: rs_regs.KEY_USE.no_decrypt
  always_comb begin
    automatic logic [0:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.KEY_USE.no_decrypt.value;
    load_next_c = '0;
    if (decoded_reg_strb.KEY_USE && decoded_req_is_wr) begin  // SW write 1 set
      next_c = field_storage.KEY_USE.no_decrypt.value | (decoded_wr_data[1:1] & decoded_wr_biten[1:1]);
      load_next_c = '1;
    end
    field_combo.KEY_USE.no_decrypt.next = next_c;
    field_combo.KEY_USE.no_decrypt.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.KEY_USE.no_decrypt.value <= 1'h0;
    end else begin
      if (field_combo.KEY_USE.no_decrypt.load_next) begin
        field_storage.KEY_USE.no_decrypt.value <= field_combo.KEY_USE.no_decrypt.next;
      end
    end
  end
  assign hwif_out.KEY_USE.no_decrypt.value = field_storage.KEY_USE.no_decrypt.value;
  // Field: rs_regs.FRAME.value
  always_comb begin
    automatic logic [3:0] next_c;
    automatic logic load_next_c;
    next_c = field_storage.FRAME.value.value;
    load_next_c = '0;
    if (decoded_reg_strb.FRAME && decoded_req_is_wr && hwif_in.idle) begin  // SW write
      next_c = (field_storage.FRAME.value.value & ~decoded_wr_biten[3:0]) | (decoded_wr_data[3:0] & decoded_wr_biten[3:0]);
      load_next_c = '1;
    end
    field_combo.FRAME.value.next = next_c;
    field_combo.FRAME.value.load_next = load_next_c;
  end
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      field_storage.FRAME.value.value <= 4'h0;
    end else begin
      if (field_combo.FRAME.value.load_next) begin
        field_storage.FRAME.value.value <= field_combo.FRAME.value.next;
      end
    end
  end
  assign hwif_out.FRAME.value.value = field_storage.FRAME.value.value;
  assign hwif_out.FRAME.value.swmod = decoded_reg_strb.FRAME && decoded_req_is_wr && |(decoded_wr_biten[3:0]);
  for (genvar i0 = 0; i0 < 32; i0++) begin
    // External register: rs_regs.POINTER[]

    assign hwif_out.POINTER[i0].req = decoded_req_is_wr ? decoded_reg_strb.POINTER[i0] : '0;
    assign hwif_out.POINTER[i0].req_is_wr = decoded_req_is_wr;
    assign hwif_out.POINTER[i0].wr_data = decoded_wr_data;
    assign hwif_out.POINTER[i0].wr_biten = decoded_wr_biten;
  end
  for (genvar i0 = 0; i0 < 16; i0++) begin
    // External register: rs_regs.SEED[]

    assign hwif_out.SEED[i0].req = decoded_req_is_wr ? decoded_reg_strb.SEED[i0] : '0;
    assign hwif_out.SEED[i0].req_is_wr = decoded_req_is_wr;
    assign hwif_out.SEED[i0].wr_data = decoded_wr_data;
    assign hwif_out.SEED[i0].wr_biten = decoded_wr_biten;
  end
  for (genvar i0 = 0; i0 < 16; i0++) begin
    // External register: rs_regs.PUBLIC_SEED[]

    assign hwif_out.PUBLIC_SEED[i0].req = decoded_req_is_wr ? decoded_reg_strb.PUBLIC_SEED[i0] : '0;
    assign hwif_out.PUBLIC_SEED[i0].req_is_wr = decoded_req_is_wr;
    assign hwif_out.PUBLIC_SEED[i0].wr_data = decoded_wr_data;
    assign hwif_out.PUBLIC_SEED[i0].wr_biten = decoded_wr_biten;
  end

  //--------------------------------------------------------------------------
  // Write response
  //--------------------------------------------------------------------------
  always_comb begin
    automatic logic wr_ack;
    wr_ack = '0;
    for (int i0 = 0; i0 < 32; i0++) begin
      wr_ack |= hwif_in.POINTER[i0].wr_ack;
    end
    for (int i0 = 0; i0 < 16; i0++) begin
      wr_ack |= hwif_in.SEED[i0].wr_ack;
    end
    for (int i0 = 0; i0 < 16; i0++) begin
      wr_ack |= hwif_in.PUBLIC_SEED[i0].wr_ack;
    end
    external_wr_ack = wr_ack;
  end
  assign cpuif_wr_ack = external_wr_ack | (decoded_req & decoded_req_is_wr & ~decoded_req_is_external);
  // Writes are always granted with no error response
  assign cpuif_wr_err = decoded_err;

  //--------------------------------------------------------------------------
  // Readback
  //--------------------------------------------------------------------------
  logic readback_external_rd_ack_c;
  always_comb begin
    automatic logic rd_ack;
    rd_ack = '0;

    readback_external_rd_ack_c = rd_ack;
  end

  logic readback_external_rd_ack;

  assign readback_external_rd_ack = readback_external_rd_ack_c;

  logic [11:0] rd_mux_addr;
  logic [11:0] pending_rd_addr;
  // Hold read mux address to guarantee it is stable throughout any external accesses
  always_ff @(posedge clk) begin
    if (~rst_n) begin
      pending_rd_addr <= '0;
    end else begin
      if (decoded_req) pending_rd_addr <= decoded_addr;
    end
  end
  assign rd_mux_addr = decoded_req ? decoded_addr : pending_rd_addr;

  logic readback_err;
  logic readback_done;
  logic [31:0] readback_data;
  always_comb begin
    automatic logic [31:0] readback_data_var;
    readback_data_var = '0;
    if (rd_mux_addr == 12'h0) begin
      readback_data_var[31:0] = 32'h52535243;
    end
    if (rd_mux_addr == 12'h4) begin
      readback_data_var[31:0] = 32'h2;
    end
    if (rd_mux_addr == 12'h8) begin
      readback_data_var[31:0] = hwif_in.LANES.value.next;
    end
    if (rd_mux_addr == 12'hc) begin
      readback_data_var[31:0] = hwif_in.WORD_BITS.value.next;
    end
    if (rd_mux_addr == 12'h10) begin
      readback_data_var[31:0] = 32'h1;
    end
    if (rd_mux_addr == 12'h14) begin
      readback_data_var[31:0] = hwif_in.LOG_N_MIN.value.next;
    end
    if (rd_mux_addr == 12'h18) begin
      readback_data_var[31:0] = hwif_in.LOG_N_MAX.value.next;
    end
    if (rd_mux_addr == 12'h1c) begin
      readback_data_var[31:0] = hwif_in.GROUPS.value.next;
    end
    if (rd_mux_addr == 12'h20) begin
      readback_data_var[31:0] = hwif_in.CONTEXTS.value.next;
    end
    if (rd_mux_addr == 12'h24) begin
      readback_data_var[31:0] = hwif_in.SLOTS.value.next;
    end
    if (rd_mux_addr == 12'h28) begin
      readback_data_var[31:0] = hwif_in.BUS_BITS.value.next;
    end
    if (rd_mux_addr == 12'h2c) begin
      readback_data_var[0] = hwif_in.FEATURES.sampler.next;
      readback_data_var[1] = hwif_in.FEATURES.expand.next;
      readback_data_var[2] = hwif_in.FEATURES.on_the_fly.next;
      readback_data_var[3] = hwif_in.FEATURES.reduce.next;
      readback_data_var[4] = hwif_in.FEATURES.stream_factor.next;
      readback_data_var[5] = hwif_in.FEATURES.fixed_point.next;
      readback_data_var[6] = hwif_in.FEATURES.pipe.next;
      readback_data_var[15:8] = hwif_in.FEATURES.stream_lanes.next;
      readback_data_var[18:16] = hwif_in.FEATURES.log_slices.next;
    end
    if (rd_mux_addr == 12'h30) begin
      readback_data_var[31:0] = hwif_in.PROGRAM_DEPTH.value.next;
    end
    if (rd_mux_addr == 12'h34) begin
      readback_data_var[31:0] = hwif_in.KECCAK_CORES.value.next;
    end
    if (rd_mux_addr == 12'h38) begin
      readback_data_var[31:0] = hwif_in.BUSY_PIPE.value.next;
    end
    if (rd_mux_addr == 12'h40) begin
      readback_data_var[8] = field_storage.CONTROL.irq_enable.value;
    end
    if (rd_mux_addr == 12'h44) begin
      readback_data_var[0] = hwif_in.STATUS.busy.next;
      readback_data_var[1] = hwif_in.STATUS.done.next;
      readback_data_var[2] = hwif_in.STATUS.zeroizing.next;
      readback_data_var[3] = hwif_in.STATUS.irq.next;
      readback_data_var[4] = hwif_in.STATUS.error.next;
      readback_data_var[5] = hwif_in.STATUS.bus_hung.next;
      readback_data_var[7:6] = hwif_in.STATUS.alert.next;
      readback_data_var[11:8] = hwif_in.STATUS.cause.next;
      readback_data_var[31:16] = hwif_in.STATUS.pc.next;
    end
    if (rd_mux_addr == 12'h48) begin
      readback_data_var[4:0] = field_storage.LOG_N.value.value;
    end
    if (rd_mux_addr == 12'h4c) begin
      readback_data_var[31:0] = field_storage.WATCHDOG.value.value;
    end
    if (rd_mux_addr == 12'h50) begin
      readback_data_var[31:0] = hwif_in.CYCLES.value.next;
    end
    if (rd_mux_addr == 12'h54) begin
      readback_data_var[15:0] = field_storage.PROGRAM_INDEX.value.value;
    end
    if (rd_mux_addr == 12'h58) begin
      readback_data_var[31:0] = field_storage.PROGRAM_LO.value.value;
    end
    if (rd_mux_addr == 12'h5c) begin
      readback_data_var[31:0] = field_storage.PROGRAM_HI.value.value;
    end
    for (int i0 = 0; i0 < 6; i0++) begin
      if (rd_mux_addr == 12'h60 + (12)'(i0) * 12'h4) begin
        readback_data_var[31:0] = hwif_in.BUSY[i0].value.next;
      end
    end
    if (rd_mux_addr == 12'h78) begin
      readback_data_var[0] = field_storage.KEY_USE.no_encrypt.value;
      readback_data_var[1] = field_storage.KEY_USE.no_decrypt.value;
    end
    if (rd_mux_addr == 12'h7c) begin
      readback_data_var[3:0] = field_storage.FRAME.value.value;
    end
    readback_data = readback_data_var;
    readback_done = decoded_req & ~decoded_req_is_wr & ~decoded_req_is_external;
    readback_err  = decoded_err;
  end

  assign external_rd_ack = readback_external_rd_ack;
  assign cpuif_rd_ack = readback_done | readback_external_rd_ack;
  assign cpuif_rd_data = readback_data;
  assign cpuif_rd_err = readback_err;
endmodule
// verilator lint_on GENUNNAMED
// verilator lint_on MULTIDRIVEN
// verilator lint_on UNUSEDPARAM
// verilator lint_on UNUSEDSIGNAL
