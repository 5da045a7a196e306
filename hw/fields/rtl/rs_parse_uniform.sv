// SPDX-License-Identifier: Apache-2.0
// rs_parse_uniform: a public uniform polynomial from a stream of bytes: candidates of the stream, of which those below a bound are kept.
// Model:   FIPS 203, algorithm 7; FIPS 204, algorithm 30; NewHope's and Falcon's likewise (rs_field_pkg::parse_e)
// Params:  BeatLanes: lanes of 64 bits per beat; Candidates C: per cycle; Words V: per row, at most C; CoefBits: width of the count
// Bounds:  coefs_i is a positive multiple of V. kind_i is held from start_i to done_o. data_o[0] is the first one of a row
// Timing:  public data only: time depends on the stream. C candidates per cycle, of 12, 16 or 24 bits, as far as beats come; with V < C at
//          most V residues per cycle. A row leaves six cycles after the beat that completes it

module rs_parse_uniform #(
    parameter  int unsigned BeatLanes  = 1,
    parameter  int unsigned Candidates = 4,
    parameter  int unsigned Words      = 4,
    parameter  int unsigned CoefBits   = 11,
    localparam int unsigned ParseBits  = rs_field_pkg::ParseBits
) (
    input  logic                                                clk_i,
    input  logic                                                rst_ni,
    input  logic                                                clear_i,  // stops
    input  logic                                                start_i,  // what was under way is lost
    input  rs_field_pkg::parse_e                                kind_i,
    input  logic                 [ CoefBits-1:0]                coefs_i,  // read with start_i
    // beats (rs_sponge)
    input  logic                                                valid_i,
    output logic                                                ready_o,
    input  logic                                                half_i,   // the high lane is none
    input  logic                 [BeatLanes-1:0][         63:0] data_i,
    output logic                                                valid_o,  // a row, for one cycle: nothing holds it up
    output logic                 [    Words-1:0][ParseBits-1:0] data_o,
    output logic                                                done_o    // the cycle after the last row
);
  import rs_field_pkg::*;

  localparam int unsigned GroupBits = 24 * Candidates;
  localparam int unsigned GrainBits = 4 * Candidates;
  localparam int unsigned BeatBits = 64 * BeatLanes;
  localparam int unsigned InGrains = BeatBits / GrainBits;
  localparam int unsigned GiveBits = $clog2(InGrains + 1);

  if (64 % GrainBits != 0 || Words == 0 || Words > Candidates) begin : gen_illegal
    $fatal(1, "%m: Candidates must be a power of two up to 16, Words 1 to Candidates");
  end

  typedef logic [ParseBits-1:0] word_t;

  logic run_q, done_q, stop;
  logic [CoefBits-1:0] left_q;  // residues that are to come
  logic group_valid, group_ready, row_valid;
  logic [GroupBits-1:0] group;
  logic [2:0] take;  // grains: 3, 4 or 6
  logic step;
  logic raw_valid_q, judged_valid_q, ready;
  logic [Candidates-1:0][15:0] pairs;
  logic [Candidates-1:0][23:0] raw_q;
  logic [Candidates-1:0] accept_q;
  word_t [Candidates-1:0] judged_q, residue;

  assign stop = clear_i || start_i || done_q;
  always_comb begin
    unique case (kind_i)
      PARSE_12: take = 3'd3;
      PARSE_23: take = 3'd6;
      default:  take = 3'd4;
    endcase
  end

  rs_field_gear #(
      .InBits   (BeatBits),
      .OutBits  (GroupBits),
      .GrainBits(GrainBits),
      .Takes    (7'b101_1000)  // 3, 4, 6
  ) u_gear (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .give_i    (half_i ? GiveBits'(InGrains / 2) : GiveBits'(InGrains)),
      .take_i    (take),
      .valid_i   (valid_i && run_q),
      .ready_o,
      .data_sec_i(data_i),
      .valid_o   (group_valid),
      .ready_i   (group_ready),
      .data_sec_o(group)
  );
  assign group_ready = step;
  // all wait together
  assign step = ready || !judged_valid_q;

  // ---- candidates ------------------------------------------------------------------------------------------------------------------
  for (genvar i = 0; i < Candidates; i++) begin : gen_candidate
    word_t twice, once;
    logic fits;

    assign pairs[i] = group[16*i+:16];
    always_comb begin
      unique case (kind_i)
        PARSE_12: fits = raw_q[i][11:0] < 12'd3329;
        PARSE_23: fits = raw_q[i][22:0] < 23'd8380417;
        PARSE_14: fits = raw_q[i][13:0] < 14'd12289;
        default:  fits = raw_q[i][15:0] < 16'd61445;
      endcase
    end

    always_ff @(posedge clk_i) begin
      if (step) begin
        unique case (kind_i)
          PARSE_12: raw_q[i] <= 24'(group[12*i+:12]);
          PARSE_23: raw_q[i] <= 24'(group[24*i+:23]);
          PARSE_14: raw_q[i] <= 24'(pairs[i][13:0]);
          PARSE_16: raw_q[i] <= 24'(pairs[i]);
          default:  raw_q[i] <= 24'({pairs[i][7:0], pairs[i][15:8]});
        endcase
        accept_q[i] <= fits;
        // below 5 q: first 4 q, here, then 2 q and q
        if ((kind_i == PARSE_16 || kind_i == PARSE_16_BIG) && raw_q[i][15:0] >= 16'd49156) begin
          judged_q[i] <= word_t'(raw_q[i]) - word_t'(49156);
        end else begin
          judged_q[i] <= word_t'(raw_q[i]);
        end
      end
    end

    always_comb begin
      twice = judged_q[i];
      if (judged_q[i][15:0] >= 16'd24578) twice = judged_q[i] - word_t'(24578);
      once = twice;
      if (twice[15:0] >= 16'd12289) once = twice - word_t'(12289);
    end
    assign residue[i] = kind_i == PARSE_16 || kind_i == PARSE_16_BIG ? once : judged_q[i];
  end

  rs_field_compact #(
      .Bits(ParseBits),
      .In  (Candidates),
      .Out (Words)
  ) u_compact (
      .clk_i,
      .rst_ni,
      .clear_i   (stop),
      .valid_i   (judged_valid_q),
      .ready_o   (ready),
      .accept_i  (accept_q),
      .data_sec_i(residue),
      .valid_o   (row_valid),
      .data_sec_o(data_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i || start_i) begin
      run_q  <= rst_ni && !clear_i;
      done_q <= 1'b0;
      left_q <= coefs_i;
    end else begin
      if (valid_o) left_q <= left_q - CoefBits'(Words);
      done_q <= valid_o && left_q == CoefBits'(Words);
      if (valid_o && left_q == CoefBits'(Words)) run_q <= 1'b0;
    end
    if (!rst_ni || stop) begin
      raw_valid_q    <= 1'b0;
      judged_valid_q <= 1'b0;
    end else if (step) begin
      raw_valid_q    <= group_valid;
      judged_valid_q <= raw_valid_q;
    end
  end

  // one bit of 24 is dropped
  logic unused;
  assign unused  = ^group;

  assign valid_o = row_valid && run_q;
  assign done_o  = done_q;
endmodule
