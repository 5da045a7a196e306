// SPDX-License-Identifier: Apache-2.0
"use strict";
(async () => {
  const began = performance.now();
  const told = JSON.parse(document.getElementById("data").textContent);
  const at = id => document.getElementById(id);
  const make = (tag, attributes = {}, text) => {
    const svg = ["g", "line", "rect", "text"].includes(tag);
    const node = svg ? document.createElementNS("http://www.w3.org/2000/svg", tag) : document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    if (text !== undefined) node.textContent = text;
    return node;
  };
  // ---- turns: no task is long, whatever the number of designs
  const TURN = 16, FRAME_SLOW = 40, FRAME_FAST = 22;  // ms
  const channel = new MessageChannel(), resting = [];
  channel.port1.onmessage = () => resting.shift()();
  const breathe = () => new Promise(done => { resting.push(done); channel.port2.postMessage(0); });
  const frame = () => new Promise(done => requestAnimationFrame(done));
  // work(from, to) until count; false if it is not wanted any more
  const inTurns = async (count, step, work, wanted = () => true) => {
    let until = performance.now() + TURN;
    for (let k = 0; k < count; k += step) {
      work(k, Math.min(k + step, count));
      if (performance.now() < until) continue;
      await breathe();
      if (!wanted()) return false;
      until = performance.now() + TURN;
    }
    return wanted();
  };
  // The same on a canvas. What it takes shows in the time between frames alone, so that the next part is as large as fits one.
  let part = 120;
  const inFrames = async (count, work, wanted) => {
    let last = await frame();
    for (let k = 0; k < count;) {
      const stop = Math.min(k + part, count);
      work(k, stop);
      k = stop;
      const now = await frame();
      if (!wanted()) return false;
      if (now - last > FRAME_SLOW) part = Math.max(30, part >> 1);
      else if (now - last < FRAME_FAST) part = Math.min(4000, part + (part >> 1));
      last = now;
    }
    return true;
  };

  // ---- the columns
  const STEP = 1 << 14;
  const raw = new Uint8Array(told.blob.length / 4 * 3);
  let filled = 0;
  await inTurns(told.blob.length, 1 << 16, (from, to) => {
    const piece = atob(told.blob.slice(from, to));
    for (let k = 0; k < piece.length; k++) raw[filled + k] = piece.charCodeAt(k);
    filled += piece.length;
  });
  told.blob = "";
  const stream = new Blob([raw.subarray(0, filled)]).stream().pipeThrough(new DecompressionStream("gzip"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const n = told.count;
  let place = 0;
  const columns = [];
  for (const axis of told.axes) {
    const codes = bytes.subarray(place, place += n);
    const numbers = axis.values.every(v => typeof v === "number");
    const value = numbers ? Float64Array.from(axis.values) : Float64Array.from(axis.values, (_, i) => i);
    const seen = new Uint8Array(value.length);
    await inTurns(n, STEP, (from, to) => { for (let i = from; i < to; i++) seen[codes[i]] = 1; });
    const there = value.filter((_, i) => seen[i]);
    columns.push({name: axis.name, field: axis.field, axis, unit: "", labels: numbers ? null : axis.values.map(String), few: axis.values.length, codes, value,
      get: i => value[codes[i]], raw: i => axis.values[codes[i]], min: Math.min(...there), max: Math.max(...there),
      log: numbers && value.every(v => v > 0) && Math.max(...value) / Math.min(...value) > 8});
  }
  for (const cost of told.costs) {
    const low = bytes.subarray(place, place += n), high = bytes.subarray(place, place += n);
    const values = new Float64Array(n), c = {name: cost.name, unit: cost.unit, labels: null, few: 0, values, get: i => values[i], raw: i => values[i], min: Infinity, max: -Infinity, log: cost.high - cost.low > 2};
    await inTurns(n, STEP, (from, to) => {
      for (let i = from; i < to; i++) {
        const step = low[i] | high[i] << 8, v = step > told.steps ? NaN : Math.exp(cost.low + step / told.steps * (cost.high - cost.low));
        values[i] = v;
        if (v < c.min) c.min = v;
        if (v > c.max) c.max = v;
      }
    });
    columns.push(c);
  }
  const source = bytes.subarray(place, place += n);
  for (const c of columns) {
    if (!(c.max > c.min)) { c.max = c.min + 1; c.log = false; }
    c.scale = c.log ? v => Math.log(v / c.min) / Math.log(c.max / c.min) : v => (v - c.min) / (c.max - c.min);
    c.back = c.log ? t => c.min * Math.pow(c.max / c.min, t) : t => c.min + t * (c.max - c.min);
  }
  const byName = Object.fromEntries(columns.map(c => [c.name, c]));
  const spread = new Float32Array(n);
  let seed = 12345;
  const order = new Uint32Array(n);
  for (let i = 0; i < n; i++) order[i] = i;
  await breathe();
  for (let i = n - 1; i > 0; i--) {  // the file is sorted, so that it is short
    seed = Math.imul(seed, 1664525) + 1013904223 >>> 0;
    const j = seed % (i + 1), t = order[i];
    order[i] = order[j]; order[j] = t;
    spread[i] = (seed >>> 8) / 16777216 - 0.5;
  }
  const text = (c, v) => Number.isNaN(v) ? "–" : c.labels ? c.labels[v] : Math.abs(v) >= 1e6 ? v.toExponential(3) : v >= 1000 ? Math.round(v).toLocaleString("en") : +v.toPrecision(4) + "";

  const titled = c => c.name + (c.unit && c.unit.toLowerCase() !== c.name ? `, ${c.unit}` : "") + (c.log ? " (logarithmic)" : "");
  // round values between the ends of a column, some `about` of them
  const ticks = (c, about) => {
    const found = [];
    if (c.log && c.max / c.min >= 5) {
      const digits = c.max / c.min > 10 ** about ? [1] : c.max / c.min > 10 ? [1, 2, 5] : [1, 1.5, 2, 3, 4, 5, 7];
      for (let ten = 10 ** Math.floor(Math.log10(c.min)); ten <= c.max; ten *= 10) found.push(...digits.map(digit => digit * ten));
    } else {
      const rough = (c.max - c.min) / about, ten = 10 ** Math.floor(Math.log10(rough)), step = ten * [1, 2, 5, 10].find(digit => digit * ten >= rough);
      for (let k = Math.ceil(c.min / step); k * step <= c.max; k++) found.push(k * step);
    }
    return found.filter(v => v >= c.min && v <= c.max);
  };
  const brief = v => Math.abs(v) >= 1e5 ? v.toLocaleString("en", {notation: "compact"}) : (+v.toPrecision(6)).toLocaleString("en");

  // ---- state, which is in the address too
  const goals = [...told.objectives.minimise, ...told.objectives.maximise];
  const varied = columns.filter(c => !c.axis || c.axis.values.length > 1);
  const state = {axes: [...goals, ...varied.filter(c => c.axis).map(c => c.name).slice(0, 8)], turned: [], limits: {}, x: goals[0], y: goals[1] || "lut", chosen: told.front[0] ?? 0, compare: [], sort: goals[0]};
  try { Object.assign(state, JSON.parse(decodeURIComponent(location.hash.slice(1)))); } catch { /* an address of its own */ }
  state.axes = state.axes.filter(name => byName[name]);
  if (!byName[state.x]) state.x = goals[0];
  if (!byName[state.y]) state.y = columns[columns.length - 1].name;
  const keep = () => history.replaceState(null, "", "#" + encodeURIComponent(JSON.stringify(state)));

  // ---- what is selected
  let selected = order;
  const isSelected = i => Object.entries(state.limits).every(([name, [low, high]]) => !byName[name] || (byName[name].get(i) >= low && byName[name].get(i) <= high));
  const select = () => {
    let found = order, count = n;
    for (const [name, [low, high]] of Object.entries(state.limits)) {
      const c = byName[name];
      if (!c) continue;
      const kept = new Uint32Array(count);
      let more = 0;
      if (c.codes) {
        const inside = Uint8Array.from(c.value, v => v >= low && v <= high), codes = c.codes;
        for (let k = 0; k < count; k++) if (inside[codes[found[k]]]) kept[more++] = found[k];
      } else {
        const values = c.values;
        for (let k = 0; k < count; k++) { const v = values[found[k]]; if (v >= low && v <= high) kept[more++] = found[k]; }
      }
      found = kept; count = more;
    }
    selected = found.subarray(0, count);
    at("count").textContent = `${count.toLocaleString("en")} of ${n.toLocaleString("en")} designs selected`;
    at("count").dataset.count = count;
  };

  // ---- drawing, in turns that leave the page free
  const colour = name => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const LINES = 9000, FRONT_LINES = 400;
  let turn = 0;
  const fit = canvas => {
    const ratio = Math.min(devicePixelRatio || 1, 2), box = canvas.getBoundingClientRect();
    canvas.width = box.width * ratio; canvas.height = box.height * ratio;
    const paint = canvas.getContext("2d");
    paint.setTransform(ratio, 0, 0, ratio, 0, 0);
    paint.clearRect(0, 0, box.width, box.height);
    return [paint, box.width, box.height];
  };
  const across = (k, width) => state.axes.length < 2 ? width / 2 : EDGE + k * (width - 2 * EDGE) / (state.axes.length - 1);
  const AXIS_LEAST = 72, EDGE = 66, TOP = 46, BOTTOM = 24;
  const up = (c, v, height) => { const t = c.scale(v); return TOP + (state.turned.includes(c.name) ? t : 1 - t) * (height - TOP - BOTTOM); };
  const front = new Set(told.front);
  const line = (paint, shown, i, width, height) => {
    shown.forEach((c, k) => {
      const v = c.get(i);
      const y = up(c, Number.isNaN(v) ? c.min : v, height) + (c.few ? spread[i] * Math.min(24, 200 / c.few) : 0);
      k ? paint.lineTo(across(k, width), y) : paint.moveTo(across(k, width), y);
    });
  };
  const draw = async () => {
    const mine = ++turn;
    at("wide").style.minWidth = `${2 * EDGE + AXIS_LEAST * (state.axes.length - 1)}px`;  // a narrow screen scrolls
    const [paint, width, height] = fit(at("lines"));
    drawAxes(width, height);
    const shown = state.axes.map(name => byName[name]);
    paint.lineWidth = 1;
    const many = Math.min(selected.length, LINES);
    paint.strokeStyle = colour("--series-0");
    paint.globalAlpha = Math.max(0.06, Math.min(0.7, 300 / Math.max(many, 1)));
    const wanted = () => mine === turn;
    const lines = (from, to) => {
      for (let k = from; k < to;) {
        paint.beginPath();
        for (const stop = Math.min(k + 50, to); k < stop; k++) line(paint, shown, selected[k], width, height);
        paint.stroke();
      }
    };
    if (!await inFrames(many, lines, wanted) || !await drawScatter(wanted)) return;
    const bright = (list, name, wide) => {
      paint.globalAlpha = 0.9; paint.lineWidth = wide; paint.strokeStyle = colour(name);
      paint.beginPath(); list.forEach(i => line(paint, shown, i, width, height)); paint.stroke();
    };
    bright(told.front.filter(isSelected).slice(0, FRONT_LINES), "--series-1", 1.2);
    bright([state.chosen], "--series-2", 3);
    await frame();
    if (!wanted() || (rowsOld && !await listRows(wanted))) return;
    document.body.dataset.ready = Math.round(performance.now() - began);
  };
  const drawAxes = (width, height) => {
    const svg = at("axes");
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    svg.replaceChildren();
    state.axes.forEach((name, k) => {
      const c = byName[name], x = across(k, width), g = make("g");
      g.append(make("line", {class: "rail", x1: x, x2: x, y1: TOP, y2: height - BOTTOM}));
      const title = make("text", {class: "grip", x, y: k % 2 ? 14 : 28, "text-anchor": "middle"}, name);
      g.append(title);
      if (!c.few || c.few > 8) for (const v of ticks(c, 5)) g.append(make("line", {class: "rail", x1: x - 3, x2: x + 3, y1: up(c, v, height), y2: up(c, v, height)}));
      const ends = state.turned.includes(name) ? [c.min, c.max] : [c.max, c.min];
      const marks = c.few && c.few <= 8 ? c.axis.values.map((v, i) => c.labels ? i : v) : ends;
      for (const v of marks) g.append(make("text", {class: "soft", x: x + 5, y: up(c, v, height) + 4}, text(c, v)));
      if (state.limits[name]) {
        const [a, b] = state.limits[name].map(v => up(c, Math.min(Math.max(v, c.min), c.max), height));
        g.append(make("rect", {class: "limit", x: x - 8, width: 16, y: Math.min(a, b) - 4, height: Math.abs(a - b) + 8}));
      }
      const hit = make("rect", {class: "hit", x: x - 16, width: 32, y: TOP - 8, height: height - TOP - BOTTOM + 16, "data-axis": name});
      hit.addEventListener("pointerdown", event => brush(event, c, height));
      g.append(hit);
      title.addEventListener("pointerdown", event => {
        event.preventDefault();
        const moved = e => { const box = svg.getBoundingClientRect(); const to = Math.round((e.clientX - box.left - EDGE) / (width - 2 * EDGE) * (state.axes.length - 1)); move(name, Math.max(0, Math.min(state.axes.length - 1, to))); };
        addEventListener("pointerup", moved, {once: true});
      });
      svg.append(g);
    });
  };
  const move = (name, to) => { state.axes.splice(state.axes.indexOf(name), 1); state.axes.splice(to, 0, name); keep(); listFields(); draw(); };
  const brush = (event, c, height) => {
    event.preventDefault();
    const box = at("axes").getBoundingClientRect();
    const value = e => { let t = 1 - (e.clientY - box.top - TOP) / (height - TOP - BOTTOM); if (state.turned.includes(c.name)) t = 1 - t; return c.back(Math.max(-0.03, Math.min(1.03, t))); };
    const first = value(event), y0 = event.clientY;
    const dragged = e => {
      if (Math.abs(e.clientY - y0) < 4) delete state.limits[c.name];
      else state.limits[c.name] = [Math.min(first, value(e)), Math.max(first, value(e))];
      later();
    };
    addEventListener("pointermove", dragged);
    addEventListener("pointerup", e => { removeEventListener("pointermove", dragged); dragged(e); listFields(); }, {once: true});
  };
  let waiting = false;
  const later = () => { if (!waiting) { waiting = true; requestAnimationFrame(() => { waiting = false; refresh(); }); } };
  let rowsOld = true;
  const refresh = () => { select(); keep(); rowsOld = true; draw(); };

  // ---- the front of two costs
  const frontOf = async (a, b, wanted) => {
    const sign = c => told.objectives.maximise.includes(c.name) ? -1 : 1, sa = sign(a), sb = sign(b);
    // what a point of an earlier part of the first axis beats need not be sorted
    const PARTS = 512, least = new Float64Array(PARTS).fill(Infinity), parts = new Uint16Array(selected.length), mine = selected;
    const there = await inTurns(mine.length, 4096, (from, to) => {
      for (let k = from; k < to; k++) {
        const i = mine[k], u = a.get(i), v = sb * b.get(i);
        if (Number.isNaN(u) || Number.isNaN(v)) { parts[k] = PARTS; continue; }
        const t = Math.min(Math.max(a.scale(u), 0), 1), p = Math.min(PARTS - 1, Math.floor((sa > 0 ? t : 1 - t) * PARTS));
        parts[k] = p;
        if (v < least[p]) least[p] = v;
      }
    }, wanted);
    if (!there) return null;
    const before = new Float64Array(PARTS).fill(Infinity);
    for (let k = 1; k < PARTS; k++) before[k] = Math.min(before[k - 1], least[k - 1]);
    const list = [];
    const all = await inTurns(mine.length, 4096, (from, to) => {
      for (let k = from; k < to; k++) if (parts[k] < PARTS && sb * b.get(mine[k]) < before[parts[k]]) list.push(mine[k]);
    }, wanted);
    if (!all) return null;
    list.sort((i, j) => sa * (a.get(i) - a.get(j)) || sb * (b.get(i) - b.get(j)));
    let best = Infinity;
    return list.filter(i => { const v = sb * b.get(i); if (v < best) { best = v; return true; } return false; });
  };
  let walked = [];
  const verified = Object.keys(told.points).map(Number).filter(i => source[i] === 2);
  at("verified").hidden = !verified.length;
  const POINTS = 20000, FEW = 5000, LEFT = 64, RIGHT = 22, ABOVE = 26, BELOW = 46;
  const drawScatter = async wanted => {
    const [paint, width, height] = fit(at("scatter")), a = byName[state.x], b = byName[state.y];
    const ax = v => LEFT + a.scale(v) * (width - LEFT - RIGHT), by = v => height - BELOW - b.scale(v) * (height - ABOVE - BELOW);
    const px = i => ax(a.get(i)), py = i => by(b.get(i));
    const round = (i, radius) => { paint.moveTo(px(i) + radius, py(i)); paint.arc(px(i), py(i), radius, 0, 7); };
    paint.font = "12px system-ui, sans-serif"; paint.lineWidth = 1;
    const rule = (x0, y0, x1, y1, name) => { paint.strokeStyle = colour(name); paint.beginPath(); paint.moveTo(x0, y0); paint.lineTo(x1, y1); paint.stroke(); };
    paint.fillStyle = colour("--ink");
    paint.textAlign = "center";
    for (const v of ticks(a, width / 90)) { rule(ax(v), ABOVE, ax(v), height - BELOW + 5, "--line"); paint.fillText(brief(v), ax(v), height - BELOW + 18); }
    paint.textAlign = "right";
    for (const v of ticks(b, height / 50)) { rule(LEFT - 5, by(v), width - RIGHT, by(v), "--line"); paint.fillText(brief(v), LEFT - 8, by(v) + 4); }
    rule(LEFT, ABOVE, LEFT, height - BELOW, "--soft"); rule(LEFT, height - BELOW, width - RIGHT, height - BELOW, "--soft");
    paint.fillText(titled(a), width - RIGHT, height - 8);
    paint.textAlign = "left"; paint.fillText(titled(b), 8, 14);
    const some = selected.subarray(0, POINTS);
    const few = some.length <= FEW, radius = some.length <= 500 ? 4 : 2.5;
    paint.fillStyle = colour("--series-0"); paint.globalAlpha = few ? 0.7 : 0.4;
    const dots = (from, to) => {
      paint.beginPath();
      for (let k = from; k < to; k++) few ? round(some[k], radius) : paint.fillRect(px(some[k]) - 1.5, py(some[k]) - 1.5, 3, 3);
      paint.fill();
    };
    if (!await inFrames(some.length, dots, wanted)) return false;
    const found = await frontOf(a, b, wanted);
    if (!found) return false;
    walked = found;
    paint.globalAlpha = 1; paint.fillStyle = paint.strokeStyle = colour("--series-1");
    paint.beginPath();
    walked.forEach((i, k) => k ? paint.lineTo(px(i), py(i)) : paint.moveTo(px(i), py(i)));
    paint.lineWidth = 1.5; paint.stroke();
    paint.beginPath(); walked.forEach(i => round(i, 5)); paint.fill();
    paint.fillStyle = colour("--series-2");
    for (const i of verified) {
      paint.beginPath(); paint.moveTo(px(i), py(i) - 6); paint.lineTo(px(i) + 6, py(i)); paint.lineTo(px(i), py(i) + 6); paint.lineTo(px(i) - 6, py(i)); paint.fill();
    }
    paint.strokeStyle = colour("--ink"); paint.lineWidth = 2;
    paint.beginPath(); paint.arc(px(state.chosen), py(state.chosen), 8, 0, 7); paint.stroke();
    at("scatter").onclick = event => {
      const box = at("scatter").getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
      let best = Infinity, found = state.chosen;
      for (const i of selected) { const d = (px(i) - x) ** 2 + (py(i) - y) ** 2; if (d < best) { best = d; found = i; } }
      choose(found);
    };
    return true;
  };
  at("scatter").addEventListener("keydown", event => {
    const step = {ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1}[event.key];
    if (!step || !walked.length) return;
    event.preventDefault();
    choose(walked[(walked.indexOf(state.chosen) + step + walked.length) % walked.length]);
  });

  // ---- one design, several designs
  const choose = i => { state.chosen = i; keep(); card(); draw(); };
  const toml = i => {
    const fields = {...told.base}, system = [];
    for (const c of columns) if (c.axis) { if (c.axis.system) system.push(`# ${c.name} = ${c.raw(i)}, of the system`); else fields[c.field] = c.raw(i); }
    fields.name = `${told.name}-${i}`; fields.source = "ringside explore"; fields.status = "research";
    const tables = {};
    for (const [field, where] of Object.entries(told.places)) {
      const [table, key] = where.split(".");
      (tables[table] ||= []).push(`${key} = ${JSON.stringify(fields[field])}`);
    }
    return [...system, ...Object.entries(tables).map(([name, lines]) => `[${name}]\n${lines.join("\n")}\n`)].join("\n");
  };
  const save = (name, kind, ...content) => {
    const link = make("a", {href: URL.createObjectURL(new Blob(content, {type: kind})), download: name});
    link.click(); setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const factRow = (table, name, ...cells) => { const row = make("tr"); row.append(make("td", {}, name), ...cells.map(cell => make("td", {}, cell))); table.append(row); };
  const card = () => {
    const i = state.chosen, box = at("card"), known = told.points[i], facts = make("table");
    box.replaceChildren();
    for (const c of columns) {
      const rtl = known && known.rtl && known.rtl[c.name];
      const mark = c.axis ? "" : rtl !== undefined ? `${rtl.toLocaleString("en")} in ${c.name === "cycles" ? "RTL" : "synthesis"}, model ${known.residual[c.name] >= 0 ? "+" : ""}${known.residual[c.name]} %` : source[i] === 1 ? "model, corrected by what was verified beside it" : "model";
      factRow(facts, c.name, c.labels ? c.labels[c.get(i)] : text(c, c.get(i)) + (c.unit ? " " + c.unit : ""), mark);
    }
    const tomlButton = make("button", {type: "button", id: "toml"}, "Design as TOML"), add = make("button", {type: "button"}, "Compare");
    tomlButton.onclick = () => save(`${told.name}-${i}.toml`, "application/toml", toml(i));
    add.onclick = () => compare(i);
    const tools = make("p", {class: "tools"}); tools.append(tomlButton, add);
    box.append(make("p", {}, (front.has(i) ? "On the front. " : "") + (known && known.error ? `Failed in RTL: ${known.error}` : "")), tools);
    if (known && known.blocks) {
      box.append(make("h4", {}, "LUTs of its blocks, by the model"));
      const most = Math.max(...Object.values(known.blocks));
      for (const [name, size] of Object.entries(known.blocks).slice(0, 12)) {
        const row = make("div", {class: "block"}), bar = make("i", {style: `width:${Math.max(1, 100 * size / most)}%`});
        row.append(make("span", {}, name), make("span"), make("span", {}, size.toLocaleString("en")));
        row.children[1].append(bar); box.append(row);
      }
    }
    box.append(facts);
  };
  const compare = i => {
    state.compare = state.compare.includes(i) ? state.compare.filter(j => j !== i) : [...state.compare, i].slice(-4);
    keep(); showCompare();
  };
  const showCompare = () => {
    const box = at("compare");
    if (!state.compare.length) return;
    const table = make("table"), head = make("tr");
    head.append(make("th", {}, "field"), ...state.compare.map(i => make("th", {}, `design ${i}`)));
    table.append(head);
    for (const c of columns) {
      const first = c.get(state.compare[0]);
      if (c.axis && state.compare.every(i => c.get(i) === first)) continue;
      factRow(table, c.name, ...state.compare.map((i, k) => text(c, c.get(i)) + (k && !c.axis ? ` (× ${(c.get(i) / first).toPrecision(3)})` : "")));
    }
    box.replaceChildren(table);
  };

  // ---- number fields for every axis, and the table
  const listFields = () => {
    const box = at("fields");
    box.replaceChildren();
    for (const c of varied) {
      const set = make("fieldset"), limits = state.limits[c.name] || [c.min, c.max];
      set.append(make("legend", {}, c.name));
      const shown = make("input", {type: "checkbox", "aria-label": `show ${c.name}`});
      shown.checked = state.axes.includes(c.name);
      shown.onchange = () => { shown.checked ? state.axes.push(c.name) : state.axes.splice(state.axes.indexOf(c.name), 1); keep(); draw(); };
      const inputs = [0, 1].map(k => {
        const known = {"aria-label": `${c.name} ${k ? "at most" : "at least"}`, "data-field": `${c.name}:${k}`};
        const input = c.labels ? make("select", known) : make("input", {...known, type: "number", step: "any", value: +limits[k].toPrecision(6)});
        if (c.labels) {
          input.append(...c.labels.map((label, i) => make("option", {value: i}, label)));
          input.value = Math.max(0, Math.min(c.labels.length - 1, Math[k ? "floor" : "ceil"](limits[k])));
        }
        input.onchange = () => {
          // what nobody typed is exact, though its field shows six digits
          const now = [0, 1].map(j => inputs[j].value === inputs[j].defaultValue ? limits[j] : +inputs[j].value);
          if (now[0] <= c.min && now[1] >= c.max) delete state.limits[c.name]; else state.limits[c.name] = now;
          refresh();
        };
        return input;
      });
      const button = (label, name, act) => { const b = make("button", {type: "button", "aria-label": `${name} ${c.name}`}, label); b.onclick = act; return b; };
      set.append(shown, inputs[0], inputs[1],
        button("←", "move to the left:", () => move(c.name, Math.max(0, state.axes.indexOf(c.name) - 1))),
        button("→", "move to the right:", () => move(c.name, state.axes.indexOf(c.name) + 1)),
        button("⇅", "turn", () => { state.turned = state.turned.includes(c.name) ? state.turned.filter(x => x !== c.name) : [...state.turned, c.name]; keep(); draw(); }));
      box.append(set);
    }
  };
  const ROWS = 60;
  let rowsShown = ROWS, rowsTurn = 0;
  const listRows = async (still = () => true) => {
    rowsOld = false;
    const mine = ++rowsTurn, wanted = () => mine === rowsTurn && still();
    const by = byName[state.sort] || columns[0], box = at("rows"), table = make("table"), head = make("tr");
    const sign = told.objectives.maximise.includes(by.name) ? -1 : 1, compare2 = (i, j) => sign * (by.get(i) - by.get(j)) || i - j;
    let best = [], limit = Infinity;  // the best ones, without sorting all
    const shrink = () => { best.sort(compare2); best.length = Math.min(best.length, rowsShown); if (best.length === rowsShown) limit = sign * by.get(best[rowsShown - 1]); };
    const from = selected;
    const whole = await inTurns(from.length, 4096, (k, to) => {
      for (; k < to; k++) if (sign * by.get(from[k]) <= limit) { best.push(from[k]); if (best.length > 4 * rowsShown) shrink(); }
    }, wanted);
    if (!whole) { rowsOld = true; return false; }
    shrink();
    head.append(make("th", {scope: "col"}, "design"));
    const order2 = [...columns.filter(c => !c.axis), ...varied.filter(c => c.axis)];
    for (const c of order2) {
      const cell = make("th", {scope: "col", "aria-sort": c === by ? "ascending" : "none"}), b = make("button", {type: "button"}, c.name);
      b.onclick = () => { state.sort = c.name; keep(); listRows(); };
      cell.append(b); head.append(cell);
    }
    table.append(head);
    const filled = await inTurns(best.length, 5, (k, to) => {
      for (const i of best.slice(k, to)) {
        const row = make("tr"), cell = make("td"), mark = (front.has(i) ? " ●" : "") + (source[i] === 2 ? " ◆" : "");
        const open = make("button", {type: "button"}, `${i}${mark}`), add = make("button", {type: "button", "aria-label": `compare design ${i}`}, "Compare");
        open.onclick = () => choose(i); add.onclick = () => compare(i);
        cell.append(open, add); row.append(cell, ...order2.map(c => make("td", {}, text(c, c.get(i))))); table.append(row);
      }
    }, wanted);
    if (!filled) { rowsOld = true; return false; }
    box.replaceChildren(make("p", {class: "note"}, `${best.length} of ${from.length.toLocaleString("en")}, sorted by ${by.name}; ● is on the front, ◆ was verified`), table);
    if (best.length < from.length) {
      const more = make("button", {type: "button", id: "more"}, "More rows");
      more.onclick = () => { rowsShown += ROWS; listRows(); };
      box.append(more);
    }
    return true;
  };
  at("clear").onclick = () => { state.limits = {}; listFields(); refresh(); };
  at("csv").onclick = async () => {
    const mine = selected, lines = [columns.map(c => c.name).join(",") + "\n"];
    await inTurns(mine.length, 500, (k, to) => lines.push(Array.from(mine.subarray(k, to), i => columns.map(c => c.raw(i)).join(",") + "\n").join("")));
    save(`${told.name}.csv`, "text/csv", ...lines);
  };
  const isDark = () => document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  const nameTheme = () => { at("theme").textContent = isDark() ? "Light colours" : "Dark colours"; };
  at("theme").onclick = () => { document.documentElement.dataset.theme = isDark() ? "light" : "dark"; nameTheme(); draw(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { nameTheme(); draw(); });
  nameTheme();
  for (const id of ["x", "y"]) {
    at(id).append(...columns.filter(c => !c.labels).map(c => make("option", {value: c.name}, c.name)));
    at(id).value = state[id];
    at(id).onchange = () => { state[id] = at(id).value; keep(); draw(); };
  }
  addEventListener("resize", () => draw());
  addEventListener("hashchange", () => location.reload());
  window.explored = {toml, columns, state, selected: () => selected};
  select(); listFields(); card(); showCompare(); draw();
})();
