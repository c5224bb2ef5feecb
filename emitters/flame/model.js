// SPDX-License-Identifier: Apache-2.0
// A profile as a tree of frames. A frame is an index in depth-first order. `data` has columns by frame
// (emitters/flame/html.cc); the page of all answers makes them of its tables.
'use strict';
function flameOf(data) {
const count = data.self.length;
const textOf = (column, frame) => data.strings[column[frame]];
const nameOf = (frame) => textOf(data.name, frame);

// ---- the tree ----------------------------------------------------------------------------------

const parent = new Int32Array(count), end = new Int32Array(count);
const total = Float64Array.from(data.self), start = new Float64Array(count);
{
  const open = [];
  for (let i = 0; i < count; ++i) {
    while (open.length > data.depth[i]) end[open.pop()] = i;
    parent[i] = open.length ? open[open.length - 1] : -1;
    open.push(i);
  }
  for (const i of open) end[i] = count;
  for (let i = count; --i > 0;) total[parent[i]] += total[i];
  const next = new Float64Array(count);  // where the next child of a frame begins
  for (let i = 0; i < count; ++i) {
    start[i] = i ? next[parent[i]] : 0;
    if (i) next[parent[i]] += total[i];
    next[i] = start[i];
  }
}
const childrenOf = (frame) => {
  const children = [];
  for (let i = frame + 1; i < end[frame]; i = end[i]) children.push(i);
  return children;
};

// ---- numbers -----------------------------------------------------------------------------------

const SCALES = {
  us: [[1e6, 's'], [1e3, 'ms'], [1, 'us'], [1e-3, 'ns']],
  bytes: [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']],
};
const COUNTS = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
function human(value, unit) {
  const scales = SCALES[unit] || COUNTS;
  const [size, name] =
      scales.find(([least]) => Math.abs(value) >= least) || scales.find(([least]) => least === 1);
  const scaled = value / size;
  const digits = size === 1 && Number.isInteger(value) ? 0 : scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
  return scaled.toFixed(digits) + (name.length && SCALES[unit] ? ' ' : '') + name;
}
const amount = (value) => human(value, data.unit) + (SCALES[data.unit] ? '' : ' ' + data.unit);
// Returns "12.3 %"; a value above 0 never shows as 0.0.
function share(part, whole) {
  const percent = whole > 0 ? 100 * part / whole : 0;
  return (percent > 0 && percent < 0.05 ? '< 0.1' : percent.toFixed(1)) + ' %';
}

const signed = (value, write) => (value > 0 ? '+' : '') + write(value);
// Returns how much a total changed: 1 doubled or new, -1 halved or less, 0 the same.
function changeOf(frame) {
  const more = Math.max(total[frame], data.base[frame]);
  return more > 0 ? Math.max(-1, Math.min(1, 2 * (total[frame] - data.base[frame]) / more)) : 0;
}

// ---- search ------------------------------------------------------------------------------------

// Returns, by frame, if its name or label matches, with the number of matches and their total, in
// which a match inside another match does not count again.
function findMatches(pattern) {
  const fits = data.strings.map((text) => pattern.test(text));
  const matches = new Uint8Array(count);
  let frames = 0, value = 0, covered = 0;
  for (let i = 1; i < count; ++i) {
    if (data.small[i] || !(fits[data.name[i]] || fits[data.label[i]])) continue;
    matches[i] = 1;
    frames += 1;
    if (i >= covered) { value += total[i]; covered = end[i]; }
  }
  return {matches, frames, value};
}

// ---- facts of a frame --------------------------------------------------------------------------

function factsOf(frame) {
  const facts = [['total', amount(total[frame]) + ', ' + share(total[frame], total[0])]];
  if (parent[frame] > 0) facts.push(['of the frame above', share(total[frame], total[parent[frame]])]);
  facts.push(['self', amount(data.self[frame]) + ', ' + share(data.self[frame], total[0])]);
  if (data.base) {
    const change = total[frame] - data.base[frame];
    const percent = data.base[frame] > 0 ? ', ' + signed(100 * change / data.base[frame], (value) => value.toFixed(1)) + ' %' : '';
    facts.push(['base', amount(data.base[frame])], ['change', signed(change, amount) + percent]);
  }
  if (data.runs[frame] !== null) facts.push(['runs', data.runs[frame].toLocaleString('en')]);
  const kind = textOf(data.kind, frame), device = textOf(data.device, frame);
  const mostly = textOf(data.mostly, frame);
  if (kind && kind !== nameOf(frame)) facts.push([data.view === 'code' ? 'file' : 'type', kind]);
  if (!kind && mostly) facts.push(['mostly', mostly]);
  if (device) facts.push(['device', device]);
  return facts;
}

return {data, count, textOf, nameOf, parent, end, total, start, childrenOf, amount, share, changeOf, findMatches, factsOf};
}
