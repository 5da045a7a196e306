// SPDX-License-Identifier: Apache-2.0
// tfhe-ntt's transforms of one limb: 32-bit words up to 31 bits of modulus, 64-bit words above. The inverse is followed by
// `normalize` (times 1/N), as Ringside's inverse does it. Protocol: tests/bench/peers/__init__.py.
use std::io::{BufRead, Write};

#[repr(C)]
struct Timespec {
    seconds: i64,
    nanoseconds: i64,
}

extern "C" {
    fn clock_gettime(clock: i32, now: *mut Timespec) -> i32;
}

const CLOCK_MONOTONIC: i32 = 1;
const CLOCK_PROCESS_CPUTIME_ID: i32 = 2;

fn clock(which: i32) -> f64 {
    let mut now = Timespec { seconds: 0, nanoseconds: 0 };
    unsafe { clock_gettime(which, &mut now) };
    1e9 * now.seconds as f64 + now.nanoseconds as f64
}

// Requests are flat: no escapes, no nesting but one array (see worker.h).
fn field<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let quoted = format!("\"{key}\":");
    let start = line.find(&quoted)? + quoted.len();
    let rest = line[start..].trim_start();
    let end = if rest.starts_with('[') { rest.find(']')? } else { rest.find([',', '}'])? };
    Some(rest[..end].trim_matches(['"', '[', ' ']))
}

fn number(line: &str, key: &str) -> u64 {
    field(line, key).and_then(|text| text.parse().ok()).unwrap_or(0)
}

fn bits(q: u64) -> u32 {
    64 - q.leading_zeros()
}

enum Transform {
    Narrow(tfhe_ntt::prime32::Plan, Vec<u32>),
    Wide(tfhe_ntt::prime64::Plan, Vec<u64>),
}

impl Transform {
    fn new(n: usize, q: u64) -> Option<Self> {
        let word = |i: usize| (i as u64 + 1).wrapping_mul(0x9e3779b97f4a7c15) % q;
        Some(if bits(q) <= 31 {
            let plan = tfhe_ntt::prime32::Plan::try_new(n, q as u32)?;
            Transform::Narrow(plan, (0..n).map(|i| word(i) as u32).collect())
        } else {
            let plan = tfhe_ntt::prime64::Plan::try_new(n, q)?;
            Transform::Wide(plan, (0..n).map(word).collect())
        })
    }

    fn forward(&mut self) {
        match self {
            Transform::Narrow(plan, words) => plan.fwd(words),
            Transform::Wide(plan, words) => plan.fwd(words),
        }
    }

    fn inverse(&mut self) {
        match self {
            Transform::Narrow(plan, words) => {
                plan.inv(words);
                plan.normalize(words);
            }
            Transform::Wide(plan, words) => {
                plan.inv(words);
                plan.normalize(words);
            }
        }
    }

    fn words(&self) -> Vec<u64> {
        match self {
            Transform::Narrow(_, words) => words.iter().map(|&word| word.into()).collect(),
            Transform::Wide(_, words) => words.clone(),
        }
    }
}

fn list(values: &[f64]) -> String {
    values.iter().map(|value| format!("{value:.1}")).collect::<Vec<_>>().join(", ")
}

fn time(line: &str, mut call: impl FnMut()) -> String {
    let (runs, batch) = (number(line, "runs").max(1), number(line, "batch").max(1));
    let (mut cpu, mut wall) = (vec![], vec![]);
    for _ in 0..runs {
        let (wall_start, cpu_start) = (clock(CLOCK_MONOTONIC), clock(CLOCK_PROCESS_CPUTIME_ID));
        for _ in 0..batch {
            call();
        }
        cpu.push((clock(CLOCK_PROCESS_CPUTIME_ID) - cpu_start) / batch as f64);
        wall.push((clock(CLOCK_MONOTONIC) - wall_start) / batch as f64);
    }
    format!("{{\"bytes\": 0, \"cpu\": [{}], \"wall\": [{}]}}", list(&cpu), list(&wall))
}

fn check(n: usize, moduli: &[u64]) -> Result<String, String> {
    for &q in moduli {
        let mut transform = Transform::new(n, q).ok_or(format!("no plan for {n} and {q}"))?;
        let before = transform.words();
        transform.forward();
        if transform.words() == before || transform.words().iter().any(|&word| word >= q) {
            return Err("the forward transform did nothing, or did not reduce".into());
        }
        transform.inverse();
        if transform.words() != before {
            return Err("the inverse transform does not undo the forward one".into());
        }
    }
    // its root of unity is another one than Ringside's: no digest to compare
    Ok("{\"value\": 0}".into())
}

fn answer(line: &str, n: usize, moduli: &[u64]) -> Result<String, String> {
    let op = field(line, "op").unwrap_or("");
    if op == "check_ntt" {
        return check(n, moduli);
    }
    let forward = op.starts_with("ntt_forward_");
    if !forward && !op.starts_with("ntt_inverse_") {
        return Ok("{\"absent\": \"tfhe-ntt only transforms\"}".into());
    }
    let wanted: u32 = op[12..].parse().map_err(|_| format!("{op}?"))?;
    let q = *moduli.iter().find(|&&q| bits(q) == wanted).ok_or(format!("no modulus of {wanted} bits"))?;
    let mut transform = Transform::new(n, q).ok_or(format!("no plan for {n} and {q}"))?;
    Ok(if forward { time(line, || transform.forward()) } else { time(line, || transform.inverse()) })
}

fn main() {
    let (mut n, mut moduli) = (0, vec![]);
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("requests are text");
        let reply = if field(&line, "op") == Some("start") {
            n = number(&line, "n") as usize;
            moduli = field(&line, "moduli").unwrap_or("").split(',').filter_map(|q| q.trim().parse().ok()).collect();
            Ok("{\"version\": \"tfhe-ntt 0.7.1\", \"features\": \"avx512\"}".into())
        } else {
            answer(&line, n, &moduli)
        };
        println!("{}", reply.unwrap_or_else(|error| format!("{{\"error\": \"{error}\"}}")));
        std::io::stdout().flush().expect("the harness listens");
    }
}
