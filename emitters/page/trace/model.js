// SPDX-License-Identifier: Apache-2.0
// The trace as typed arrays, by row and start, with coarser levels so that a picture of any part costs as
// much as it has pixels. Times are ps from the first start of the profile.
import {partOf, traceOf} from '../data.js';

const EACH = 32;  // spans of one level that a span of the next one covers

// Level 0 are the spans of a row; an entry of level k covers 32 of level k - 1, from `start` to `end`.
function levelsOf(row, start, end) {
  const levels = [];
  let from = start.subarray(row.first, row.first + row.count), to = end.subarray(row.first, row.first + row.count);
  while (from.length > 4 * EACH) {
    const count = Math.ceil(from.length / EACH), begin = new Float64Array(count), last = new Float64Array(count);
    for (let i = 0; i < count; ++i) {
      begin[i] = from[i * EACH];
      last[i] = to[Math.min((i + 1) * EACH, from.length) - 1];
    }
    levels.push({begin, last});
    from = begin;
    to = last;
  }
  return levels;
}

// `first`: the model of the first window, which has the counters and arrows of all.
function make(block, first) {
  const {header} = block, {spans} = header;
  const lengths = block.integers(spans.length, spans.count), starts = block.integers(spans.start, spans.count);
  const names = block.integers(spans.name, spans.count), matched = header.matched && block.integers(header.matched, spans.count);
  const model = {block, header, count: spans.count, all: spans.all, named: spans.named, start: new Float64Array(spans.count), end: new Float64Array(spans.count),
    name: new Uint32Array(spans.count), covered: new Uint32Array(spans.count), from: header.from, to: header.to, window: header.window || null, search: '', matched: matched && new Uint8Array(spans.count)};
  const covered = block.integers(spans.covered, spans.count);
  for (let i = 0; i < spans.count; ++i) {
    model.end[i] = lengths.number(i);
    model.name[i] = names.number(i);
    model.covered[i] = covered.number(i);
    if (matched) model.matched[i] = matched.number(i);
  }
  model.rows = header.rows.map((row) => {
    let at = 0;
    for (let i = row.first; i < row.first + row.count; ++i) {
      at += starts.number(i);
      model.start[i] = at;
      model.end[i] += at;
    }
    return {...row, levels: levelsOf(row, model.start, model.end)};
  });
  if (first) Object.assign(model, {counters: first.counters, flows: first.flows});
  else addFlowsAndCounters(model, block);
  if (!(model.to > model.from)) { model.from = 0; model.to = Math.max(model.to, 1); }
  model.nameOf = (span) => block.string(model.name[span]);
  model.rowOf = (span) => model.rows.findIndex((row) => span >= row.first && span < row.first + row.count);
  return model;
}

function addFlowsAndCounters(model, block) {
  const {header} = block, {flows} = header;
  model.counters = header.counters.filter((counter) => counter.count > 0).map((counter) => {
    const steps = block.integers(counter.time, counter.count), values = block.integers(counter.value, counter.count);
    const time = new Float64Array(counter.count), value = new Float64Array(counter.count);
    let at = 0, most = 0;
    for (let i = 0; i < counter.count; ++i) {
      time[i] = at += steps.number(i);
      value[i] = values.number(i);
      most = Math.max(most, value[i]);
    }
    return {...counter, time, value, most};
  });
  const flow = (place) => { const column = block.integers(place, flows.count); return Float64Array.from({length: flows.count}, (_, i) => column.number(i)); };
  model.flows = {count: flows.count, from: flow(flows.from), fromTrack: flow(flows.from_track), to: flow(flows.to), toTrack: flow(flows.to_track)};
}
export const traceModel = () => traceOf((block) => make(block, null));
// The part of a large trace around [from, to], for pictures with that much time in a pixel. What has the text
// `search` is marked; '': nothing.
export function windowOf(first, from, to, perPixel, search) {
  const values = {from: Math.max(0, Math.floor(from - (to - from))), to: Math.ceil(to + (to - from)), min: perPixel < 2 ? 0 : Math.floor(perPixel)};
  if (search) values.text = search;
  return partOf('trace', values, (block) => Object.assign(make(block, first), {search}));
}

// The first index in [low, high) whose value is above `limit`.
export function firstAbove(values, limit, low, high) {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Calls each(from, to, span) for what a row has in [from, to], in order. Runs of spans that are together
// shorter than `least` are one, with span -1.
export function eachIn(model, row, from, to, least, each) {
  const {start, end} = model, last = row.first + row.count;
  let i = firstAbove(end, from, row.first, last);
  while (i < last && start[i] <= to) {
    let level = row.levels.length;
    const at = i - row.first;
    let size = EACH ** level, covered = 1, until = end[i];
    for (; level > 0; --level, size /= EACH) {
      const k = at / size;
      if (!Number.isInteger(k)) continue;
      const {begin, last: ends} = row.levels[level - 1];
      if (ends[k] - begin[k] < least) { covered = Math.min(size, row.count - at); until = ends[k]; break; }
    }
    if (covered === 1 && end[i] - start[i] < least) {
      let next = i + 1;
      while (next < last && next < i + EACH && (next - row.first) % EACH !== 0 && end[next] - start[i] < least) until = end[next++];
      covered = next - i;
    }
    each(start[i], until, covered === 1 && model.covered[i] === 1 ? i : -1, i, i + covered);
    i += covered;
  }
}
