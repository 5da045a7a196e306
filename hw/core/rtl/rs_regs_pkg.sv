// SPDX-License-Identifier: Apache-2.0
// rs_regs_pkg: registers, by PeakRDL-regblock; rs_regs_axi.sv uses them.
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

package rs_regs_pkg;

  localparam RS_REGS_DATA_WIDTH = 32;
  localparam RS_REGS_MIN_ADDR_WIDTH = 12;
  localparam RS_REGS_SIZE = 'h180;

  typedef struct {logic [31:0] next;} rs_regs__LANES__value__in_t;

  typedef struct {rs_regs__LANES__value__in_t value;} rs_regs__LANES__in_t;

  typedef struct {logic [31:0] next;} rs_regs__WORD_BITS__value__in_t;

  typedef struct {rs_regs__WORD_BITS__value__in_t value;} rs_regs__WORD_BITS__in_t;

  typedef struct {logic [31:0] next;} rs_regs__LOG_N_MIN__value__in_t;

  typedef struct {rs_regs__LOG_N_MIN__value__in_t value;} rs_regs__LOG_N_MIN__in_t;

  typedef struct {logic [31:0] next;} rs_regs__LOG_N_MAX__value__in_t;

  typedef struct {rs_regs__LOG_N_MAX__value__in_t value;} rs_regs__LOG_N_MAX__in_t;

  typedef struct {logic [31:0] next;} rs_regs__GROUPS__value__in_t;

  typedef struct {rs_regs__GROUPS__value__in_t value;} rs_regs__GROUPS__in_t;

  typedef struct {logic [31:0] next;} rs_regs__CONTEXTS__value__in_t;

  typedef struct {rs_regs__CONTEXTS__value__in_t value;} rs_regs__CONTEXTS__in_t;

  typedef struct {logic [31:0] next;} rs_regs__SLOTS__value__in_t;

  typedef struct {rs_regs__SLOTS__value__in_t value;} rs_regs__SLOTS__in_t;

  typedef struct {logic [31:0] next;} rs_regs__BUS_BITS__value__in_t;

  typedef struct {rs_regs__BUS_BITS__value__in_t value;} rs_regs__BUS_BITS__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__sampler__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__expand__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__on_the_fly__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__reduce__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__stream_factor__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__fixed_point__in_t;

  typedef struct {logic next;} rs_regs__FEATURES__pipe__in_t;

  typedef struct {logic [7:0] next;} rs_regs__FEATURES__stream_lanes__in_t;

  typedef struct {logic [2:0] next;} rs_regs__FEATURES__log_slices__in_t;

  typedef struct {
    rs_regs__FEATURES__sampler__in_t sampler;
    rs_regs__FEATURES__expand__in_t expand;
    rs_regs__FEATURES__on_the_fly__in_t on_the_fly;
    rs_regs__FEATURES__reduce__in_t reduce;
    rs_regs__FEATURES__stream_factor__in_t stream_factor;
    rs_regs__FEATURES__fixed_point__in_t fixed_point;
    rs_regs__FEATURES__pipe__in_t pipe;
    rs_regs__FEATURES__stream_lanes__in_t stream_lanes;
    rs_regs__FEATURES__log_slices__in_t log_slices;
  } rs_regs__FEATURES__in_t;

  typedef struct {logic [31:0] next;} rs_regs__PROGRAM_DEPTH__value__in_t;

  typedef struct {rs_regs__PROGRAM_DEPTH__value__in_t value;} rs_regs__PROGRAM_DEPTH__in_t;

  typedef struct {logic [31:0] next;} rs_regs__KECCAK_CORES__value__in_t;

  typedef struct {rs_regs__KECCAK_CORES__value__in_t value;} rs_regs__KECCAK_CORES__in_t;

  typedef struct {logic [31:0] next;} rs_regs__BUSY_PIPE__value__in_t;

  typedef struct {rs_regs__BUSY_PIPE__value__in_t value;} rs_regs__BUSY_PIPE__in_t;

  typedef struct {logic next;} rs_regs__STATUS__busy__in_t;

  typedef struct {logic next;} rs_regs__STATUS__done__in_t;

  typedef struct {logic next;} rs_regs__STATUS__zeroizing__in_t;

  typedef struct {logic next;} rs_regs__STATUS__irq__in_t;

  typedef struct {logic next;} rs_regs__STATUS__error__in_t;

  typedef struct {logic next;} rs_regs__STATUS__bus_hung__in_t;

  typedef struct {logic [1:0] next;} rs_regs__STATUS__alert__in_t;

  typedef struct {logic [3:0] next;} rs_regs__STATUS__cause__in_t;

  typedef struct {logic [15:0] next;} rs_regs__STATUS__pc__in_t;

  typedef struct {
    rs_regs__STATUS__busy__in_t busy;
    rs_regs__STATUS__done__in_t done;
    rs_regs__STATUS__zeroizing__in_t zeroizing;
    rs_regs__STATUS__irq__in_t irq;
    rs_regs__STATUS__error__in_t error;
    rs_regs__STATUS__bus_hung__in_t bus_hung;
    rs_regs__STATUS__alert__in_t alert;
    rs_regs__STATUS__cause__in_t cause;
    rs_regs__STATUS__pc__in_t pc;
  } rs_regs__STATUS__in_t;

  typedef struct {logic [31:0] next;} rs_regs__CYCLES__value__in_t;

  typedef struct {rs_regs__CYCLES__value__in_t value;} rs_regs__CYCLES__in_t;

  typedef struct {
    logic [15:0] next;
    logic we;
  } rs_regs__PROGRAM_INDEX__value__in_t;

  typedef struct {rs_regs__PROGRAM_INDEX__value__in_t value;} rs_regs__PROGRAM_INDEX__in_t;

  typedef struct {logic hwclr;} rs_regs__PROGRAM_LO__value__in_t;

  typedef struct {rs_regs__PROGRAM_LO__value__in_t value;} rs_regs__PROGRAM_LO__in_t;

  typedef struct {logic hwclr;} rs_regs__PROGRAM_HI__value__in_t;

  typedef struct {rs_regs__PROGRAM_HI__value__in_t value;} rs_regs__PROGRAM_HI__in_t;

  typedef struct {logic [31:0] next;} rs_regs__BUSYx__value__in_t;

  typedef struct {rs_regs__BUSYx__value__in_t value;} rs_regs__BUSYx__in_t;

  typedef struct {logic wr_ack;} rs_regs__POINTERx__in_t;

  typedef struct {logic wr_ack;} rs_regs__SEEDx__in_t;

  typedef struct {logic wr_ack;} rs_regs__PUBLIC_SEEDx__in_t;

  typedef struct {
    logic idle;
    rs_regs__LANES__in_t LANES;
    rs_regs__WORD_BITS__in_t WORD_BITS;
    rs_regs__LOG_N_MIN__in_t LOG_N_MIN;
    rs_regs__LOG_N_MAX__in_t LOG_N_MAX;
    rs_regs__GROUPS__in_t GROUPS;
    rs_regs__CONTEXTS__in_t CONTEXTS;
    rs_regs__SLOTS__in_t SLOTS;
    rs_regs__BUS_BITS__in_t BUS_BITS;
    rs_regs__FEATURES__in_t FEATURES;
    rs_regs__PROGRAM_DEPTH__in_t PROGRAM_DEPTH;
    rs_regs__KECCAK_CORES__in_t KECCAK_CORES;
    rs_regs__BUSY_PIPE__in_t BUSY_PIPE;
    rs_regs__STATUS__in_t STATUS;
    rs_regs__CYCLES__in_t CYCLES;
    rs_regs__PROGRAM_INDEX__in_t PROGRAM_INDEX;
    rs_regs__PROGRAM_LO__in_t PROGRAM_LO;
    rs_regs__PROGRAM_HI__in_t PROGRAM_HI;
    rs_regs__BUSYx__in_t BUSY[6];
    rs_regs__POINTERx__in_t POINTER[32];
    rs_regs__SEEDx__in_t SEED[16];
    rs_regs__PUBLIC_SEEDx__in_t PUBLIC_SEED[16];
  } rs_regs__in_t;

  typedef struct {logic value;} rs_regs__CONTROL__start__out_t;

  typedef struct {logic value;} rs_regs__CONTROL__abort__out_t;

  typedef struct {logic value;} rs_regs__CONTROL__zeroize__out_t;

  typedef struct {logic value;} rs_regs__CONTROL__clear_irq__out_t;

  typedef struct {logic value;} rs_regs__CONTROL__bus_reset__out_t;

  typedef struct {logic value;} rs_regs__CONTROL__irq_enable__out_t;

  typedef struct {
    rs_regs__CONTROL__start__out_t start;
    rs_regs__CONTROL__abort__out_t abort;
    rs_regs__CONTROL__zeroize__out_t zeroize;
    rs_regs__CONTROL__clear_irq__out_t clear_irq;
    rs_regs__CONTROL__bus_reset__out_t bus_reset;
    rs_regs__CONTROL__irq_enable__out_t irq_enable;
  } rs_regs__CONTROL__out_t;

  typedef struct {
    logic [4:0] value;
    logic swmod;
  } rs_regs__LOG_N__value__out_t;

  typedef struct {rs_regs__LOG_N__value__out_t value;} rs_regs__LOG_N__out_t;

  typedef struct {
    logic [31:0] value;
    logic swmod;
  } rs_regs__WATCHDOG__value__out_t;

  typedef struct {rs_regs__WATCHDOG__value__out_t value;} rs_regs__WATCHDOG__out_t;

  typedef struct {
    logic [15:0] value;
    logic swmod;
  } rs_regs__PROGRAM_INDEX__value__out_t;

  typedef struct {rs_regs__PROGRAM_INDEX__value__out_t value;} rs_regs__PROGRAM_INDEX__out_t;

  typedef struct {
    logic [31:0] value;
    logic swacc;
  } rs_regs__PROGRAM_LO__value__out_t;

  typedef struct {rs_regs__PROGRAM_LO__value__out_t value;} rs_regs__PROGRAM_LO__out_t;

  typedef struct {
    logic [31:0] value;
    logic swmod;
    logic swacc;
  } rs_regs__PROGRAM_HI__value__out_t;

  typedef struct {rs_regs__PROGRAM_HI__value__out_t value;} rs_regs__PROGRAM_HI__out_t;

  typedef struct {logic value;} rs_regs__KEY_USE__no_encrypt__out_t;

  typedef struct {logic value;} rs_regs__KEY_USE__no_decrypt__out_t;

  typedef struct {
    rs_regs__KEY_USE__no_encrypt__out_t no_encrypt;
    rs_regs__KEY_USE__no_decrypt__out_t no_decrypt;
  } rs_regs__KEY_USE__out_t;

  typedef struct {
    logic [3:0] value;
    logic swmod;
  } rs_regs__FRAME__value__out_t;

  typedef struct {rs_regs__FRAME__value__out_t value;} rs_regs__FRAME__out_t;

  typedef struct packed {logic [31:0] value;} rs_regs__POINTERx__fields__out_t;

  typedef struct {
    logic req;
    logic req_is_wr;
    rs_regs__POINTERx__fields__out_t wr_data;
    rs_regs__POINTERx__fields__out_t wr_biten;
  } rs_regs__POINTERx__out_t;

  typedef struct packed {logic [31:0] value_sec;} rs_regs__SEEDx__fields__out_t;

  typedef struct {
    logic req;
    logic req_is_wr;
    rs_regs__SEEDx__fields__out_t wr_data;
    rs_regs__SEEDx__fields__out_t wr_biten;
  } rs_regs__SEEDx__out_t;

  typedef struct packed {logic [31:0] value;} rs_regs__PUBLIC_SEEDx__fields__out_t;

  typedef struct {
    logic req;
    logic req_is_wr;
    rs_regs__PUBLIC_SEEDx__fields__out_t wr_data;
    rs_regs__PUBLIC_SEEDx__fields__out_t wr_biten;
  } rs_regs__PUBLIC_SEEDx__out_t;

  typedef struct {
    rs_regs__CONTROL__out_t CONTROL;
    rs_regs__LOG_N__out_t LOG_N;
    rs_regs__WATCHDOG__out_t WATCHDOG;
    rs_regs__PROGRAM_INDEX__out_t PROGRAM_INDEX;
    rs_regs__PROGRAM_LO__out_t PROGRAM_LO;
    rs_regs__PROGRAM_HI__out_t PROGRAM_HI;
    rs_regs__KEY_USE__out_t KEY_USE;
    rs_regs__FRAME__out_t FRAME;
    rs_regs__POINTERx__out_t POINTER[32];
    rs_regs__SEEDx__out_t SEED[16];
    rs_regs__PUBLIC_SEEDx__out_t PUBLIC_SEED[16];
  } rs_regs__out_t;
endpackage
// verilator lint_on GENUNNAMED
// verilator lint_on MULTIDRIVEN
// verilator lint_on UNUSEDPARAM
// verilator lint_on UNUSEDSIGNAL
