# SPDX-License-Identifier: Apache-2.0
"""A Liberty file with few cells and round numbers, and RTLIL of a small part."""

from pathlib import Path

from ringside.synth import yosys

VOLTS = 2.0
# Two gates and a flip-flop, with round numbers: pF, ns, so pJ.
TABLE = 'index_1 ("0.01, 0.03"); index_2 ("0.1, 0.2"); values ("{0}, {1}", "{2}, {3}");'
LIBRARY = """
/* a comment */
library (tiny) {
  delay_model : table_lookup;
  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW"; capacitive_load_unit (1, pf);
  nom_voltage : 2.0; nom_temperature : 25;
  slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80; slew_lower_threshold_pct_fall : 20;
  slew_upper_threshold_pct_fall : 80; input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;
  output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;
  lu_table_template (delay) { variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;
    index_1 ("1, 2"); index_2 ("1, 2"); }
  power_lut_template (energy) { variable_1 : total_output_net_capacitance; variable_2 : input_transition_time;
    index_1 ("1, 2"); index_2 ("1, 2"); }
%s}
"""


def arcs(related: str, kind: str = "combinational") -> str:
    """Delay: 0.1 ns into one input of 0.01 pF, 0.1 ns more for each further one."""
    table = TABLE.format(0.1, 0.1, 0.3, 0.3)
    delays = " ".join(
        f"{name} (delay) {{ {table} }}" for name in ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
    )
    return "".join(
        f'timing () {{ related_pin : "{pin}"; timing_type : {kind}; {delays} }}\n' for pin in related.split()
    )


def output(function: str, related: str, energy: str = "", kind: str = "combinational") -> str:
    return f'pin (Y) {{ direction : output; capacitance : 0; function : "{function}"; {arcs(related, kind)} {energy} }}'


def inputs(*names: str) -> str:
    return "".join(f"pin ({name}) {{ direction : input; capacitance : 0.01; }}\n" for name in names)


INVERTER = f"cell (INV) {{ area : 2; cell_leakage_power : 1; {inputs('A')} {output('!A', 'A')} }}\n"
NAND = f"cell (NAND2) {{ area : 4\n cell_leakage_power : 3;\n {inputs('A', 'B')} {output('!(A B)', 'A B')} }}\n"
# ABC takes no library without them
OTHERS = (
    f"cell (BUF) {{ area : 3; {inputs('A')} {output('A', 'A')} }}\n"
    f"cell (NOR2) {{ area : 4.5; {inputs('A', 'B')} {output('!(A + B)', 'A B')} }}\n"
)
EDGES = " ".join(f'{edge}_constraint (scalar) {{ values ("0.5"); }}' for edge in ("rise", "fall"))
CHECK = f'timing () {{ related_pin : "C"; timing_type : setup_rising; {EDGES} }}'
FLOP = (
    f'cell (DFF) {{ area : 20; cell_leakage_power : 5; ff (IQ, IQN) {{ next_state : "D"; clocked_on : "C"; }}\n'
    "pin (C) { direction : input; capacitance : 0.02; clock : true; internal_power () "
    '{ rise_power (scalar) { values ("0.3"); } fall_power (scalar) { values ("0.1"); } } }\n'
    f"pin (D) {{ direction : input; capacitance : 0.01; {CHECK} }} {output('IQ', 'C', kind='rising_edge')} }}\n"
)


def write(path: Path, cells: str = INVERTER + NAND + OTHERS + FLOP) -> Path:
    path.write_text(LIBRARY % cells, encoding="utf-8")
    return path


def rtlil(tmp_path: Path, verilog: str) -> str:
    (tmp_path / "part.v").write_text(verilog, encoding="utf-8")
    yosys.run([f"read_verilog {tmp_path}/part.v", "proc", f"write_rtlil {tmp_path}/part.il"])
    return (tmp_path / "part.il").read_text(encoding="utf-8")
