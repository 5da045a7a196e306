// SPDX-License-Identifier: Apache-2.0
// rs_core_fields: SPONGE and PACK of rs_core, and their share of the bus.
// Model:   lib/tests/model_core.c
// Params:  C: rs_core
// Bounds:  of its parts
// Timing:  of its parts
module rs_core_fields
  import rs_isa_pkg::*;
#(
    parameter rs_core_pkg::config_t C = rs_core_pkg::Smallest,
    localparam int unsigned W = C.W,
    localparam int unsigned V = rs_core_pkg::chunk(C),
    localparam int unsigned BusBits = C.BusBits
) (
    input logic clk_i,
    input logic rst_ni,
    input logic units_rst_ni,  // with a reset of the interconnect
    input rs_core_pkg::command_t command_i,
    output rs_core_pkg::result_t result_o,
    input rs_core_pkg::log_n_t log_n_i,
    input logic wipe_i,
    output logic wiping_o,
    input rs_core_pkg::word_t written_i,
    input logic bound_i,  // what is bound to a key changes, or may
    output logic idle_o,
    output logic alert_o,  // a flip-flop of control has flipped: in the cycle before
    input logic [Units-1:0][W-1:0] q_i,
    // groups
    output rs_core_pkg::writer_t sponge_o,
    output rs_core_pkg::size_t sponge_size_o,
    output logic [V-1:0][W-1:0] sponge_data_o,
    output rs_core_pkg::writer_t pack_o,
    output rs_core_pkg::size_t pack_size_o,
    output logic [V-1:0][W-1:0] pack_data_o,
    output rs_core_pkg::reader_t get_o,
    input logic get_ready_i,
    input logic [V-1:0][W-1:0] get_data_i,
    // memory
    output rs_axi_pkg::read_req_t read_o,
    input rs_axi_pkg::read_rsp_t read_i,
    input logic [BusBits-1:0] rdata_i,
    output rs_axi_pkg::write_req_t write_o,
    input rs_axi_pkg::write_rsp_t write_i,
    output logic [BusBits-1:0] wdata_o
);
  for (genvar u = 0; u < Units; u++) begin : gen_unit
    if (!C.Fields || (u != int'(UNIT_SPONGE) && u != int'(UNIT_PACK))) begin : gen_other
      assign {result_o.done[u], result_o.fault[u], result_o.active[u]} = '0;
    end
  end

  if (C.Fields) begin : gen_fields
    localparam int unsigned SpongeWords = rs_core_pkg::sponge_words(C);
    localparam int unsigned Words = C.FieldWords;
    localparam int unsigned LogNMax = C.LogNMax;
    localparam int unsigned LogSizeMax = rs_core_pkg::field_log_max(C);
    rs_axi_pkg::read_req_t sponge_read_req, pack_read_req;
    rs_axi_pkg::read_rsp_t sponge_read_rsp, pack_read_rsp;
    rs_axi_pkg::write_req_t sponge_write_req, pack_write_req;
    rs_axi_pkg::write_rsp_t sponge_write_rsp, pack_write_rsp;
    logic [BusBits-1:0] sponge_wdata, pack_wdata;
    logic sponge_idle, pack_idle, sponge_wiping, pack_wiping, sponge_alert, pack_alert;
    logic [LogNMax-1:0] sponge_pos, pack_pos, get_pos;
    logic [SpongeWords-1:0][W-1:0] sponge_data;
    logic [Words-1:0][W-1:0] pack_data;

    rs_sponge_unit #(
        .W             (W),
        .LogNMax       (LogNMax),
        .LogSizeMin    (rs_core_pkg::log_size_min(C)),
        .LogSizeMax    (LogSizeMax),
        .RoundsPerCycle(C.FieldRounds),
        .Words         (SpongeWords),
        .BusBits       (BusBits),
        .Outstanding   (C.Outstanding),
        .Sealed        (C.Sealed)
    ) u_sponge (
        .clk_i,
        .rst_ni        (units_rst_ni),
        .start_i       (command_i.start[UNIT_SPONGE]),
        .instr_i       (command_i.instr[UNIT_SPONGE]),
        .clear_i       (command_i.clear),
        .addr_i        (command_i.addr[3]),
        .log_n_i       (log_n_i[rs_core_pkg::Memory]),
        .q_i           (q_i[UNIT_SPONGE]),
        .done_o        (result_o.done[UNIT_SPONGE]),
        .fault_o       (result_o.fault[UNIT_SPONGE]),
        .alert_o       (sponge_alert),
        .idle_o        (sponge_idle),
        .active_o      (result_o.active[UNIT_SPONGE]),
        .wipe_i,
        .wiping_o      (sponge_wiping),
        .bound_i,
        .key_we_i      (C.Sealed && written_i.valid && written_i.index[15]),
        .key_index_i   (written_i.index[14:0]),
        .key_data_i    (written_i.data),
        .group_o       (sponge_o.group),
        .ntt_o         (sponge_o.ntt),
        .size_o        (sponge_size_o),
        .put_valid_o   (sponge_o.valid),
        .put_pos_o     (sponge_pos),
        .put_data_sec_o(sponge_data),
        .read_o        (sponge_read_req),
        .read_i        (sponge_read_rsp),
        .rdata_i,
        .write_o       (sponge_write_req),
        .write_i       (sponge_write_rsp),
        .wdata_o       (sponge_wdata)
    );
    assign {sponge_o.word, sponge_o.is_real} = '0;
    assign sponge_o.pos = rs_core_pkg::PosBits'(sponge_pos);
    assign sponge_data_o = (V * W)'(sponge_data);

    rs_pack_unit #(
        .W          (W),
        .LogNMax    (LogNMax),
        .LogSizeMin (rs_core_pkg::log_size_min(C)),
        .LogSizeMax (LogSizeMax),
        .Words      (Words),
        .V          (V),
        .BusBits    (BusBits),
        .Outstanding(C.Outstanding),
        .Sealed     (C.Sealed)
    ) u_pack (
        .clk_i,
        .rst_ni        (units_rst_ni),
        .start_i       (command_i.start[UNIT_PACK]),
        .instr_i       (command_i.instr[UNIT_PACK]),
        .clear_i       (command_i.clear),
        .addr_i        (command_i.addr[4]),
        .log_n_i       (log_n_i[rs_core_pkg::Memory]),
        .q_i           (q_i[UNIT_PACK]),
        .done_o        (result_o.done[UNIT_PACK]),
        .fault_o       (result_o.fault[UNIT_PACK]),
        .alert_o       (pack_alert),
        .idle_o        (pack_idle),
        .active_o      (result_o.active[UNIT_PACK]),
        .wipe_i,
        .wiping_o      (pack_wiping),
        .group_o       (pack_o.group),
        .ntt_o         (pack_o.ntt),
        .size_o        (pack_size_o),
        .put_valid_o   (pack_o.valid),
        .put_pos_o     (pack_pos),
        .put_data_sec_o(pack_data),
        .get_req_o     (get_o.req),
        .get_ready_i,
        .get_pos_o     (get_pos),
        .get_data_sec_i(get_data_i),
        .read_o        (pack_read_req),
        .read_i        (pack_read_rsp),
        .rdata_i,
        .write_o       (pack_write_req),
        .write_i       (pack_write_rsp),
        .wdata_o       (pack_wdata)
    );
    assign {pack_o.word, pack_o.is_real} = '0;
    assign pack_o.pos = rs_core_pkg::PosBits'(pack_pos);
    assign pack_data_o = (V * W)'(pack_data);
    assign {get_o.group, get_o.ntt, get_o.pos} = {pack_o.group, pack_o.ntt, rs_core_pkg::PosBits'(get_pos)};

    // the outer one, with LOAD and STORE, has the highest bit of an ID
    rs_axi_share #(
        .BusBits(BusBits),
        .IdBit  (rs_axi_pkg::IdBits - 2)
    ) u_share (
        .clk_i,
        .rst_ni   (units_rst_ni),
        .s_read_i ({pack_read_req, sponge_read_req}),
        .s_read_o ({pack_read_rsp, sponge_read_rsp}),
        .s_write_i({pack_write_req, sponge_write_req}),
        .s_write_o({pack_write_rsp, sponge_write_rsp}),
        .s_wdata_i({pack_wdata, sponge_wdata}),
        .m_read_o (read_o),
        .m_read_i (read_i),
        .m_write_o(write_o),
        .m_write_i(write_i),
        .m_wdata_o(wdata_o)
    );

    assign wiping_o = sponge_wiping || pack_wiping;
    assign idle_o   = sponge_idle && pack_idle;
    always_ff @(posedge clk_i) alert_o <= rst_ni && (sponge_alert || pack_alert);
  end else begin : gen_none
    assign {sponge_o, sponge_size_o, sponge_data_o, pack_o, pack_size_o, pack_data_o, get_o, read_o, write_o, wdata_o} = '0;
    assign {wiping_o, idle_o, alert_o} = 3'b010;

    logic unused_ports;
    assign unused_ports = ^{clk_i, rst_ni, units_rst_ni, wipe_i, bound_i, get_ready_i, get_data_i, read_i, rdata_i, write_i};
  end

  logic unused_bits;
  assign unused_bits = ^{command_i, log_n_i, q_i, written_i};
endmodule
