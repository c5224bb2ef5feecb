// SPDX-License-Identifier: Apache-2.0
// The trace as typed arrays, by row and start, with coarser levels so that a picture of any part costs as
// much as it has pixels. Times are ps from the first start of the profile.
import {contents, forgetTrace, partOf, traceOf} from '../data.js';

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

// The spans of a block and their rows: those of all, or of the rows from `at` on.
function spansOf(block, tracks, at) {
  const {header} = block, {spans} = header;
  const lengths = block.integers(spans.length, spans.count), starts = block.integers(spans.start, spans.count);
  const names = block.integers(spans.name, spans.count), covered = block.integers(spans.covered, spans.count);
  const matched = header.matched && block.integers(header.matched, spans.count);
  const made = {block, start: new Float64Array(spans.count), end: new Float64Array(spans.count), name: new Uint32Array(spans.count),
    covered: new Uint32Array(spans.count), matched: matched && new Uint8Array(spans.count)};
  for (let i = 0; i < spans.count; ++i) {
    made.end[i] = lengths.number(i);
    made.name[i] = names.number(i);
    made.covered[i] = covered.number(i);
    if (matched) made.matched[i] = matched.number(i);
  }
  made.rows = tracks.map((track) => ({track, first: 0, count: 0, levels: []}));
  header.rows.forEach((row, k) => {
    let time = 0;
    for (let i = row.first; i < row.first + row.count; ++i) {
      made.start[i] = time += starts.number(i);
      made.end[i] += time;
    }
    if (made.rows[at + k]) Object.assign(made.rows[at + k], row, {levels: levelsOf(row, made.start, made.end)});
  });
  made.nameOf = (span) => block.string(made.name[span]);
  made.rowOf = (span) => made.rows.findIndex((row) => span >= row.first && span < row.first + row.count);
  return made;
}

// `group`, `name`: of the counter; `most`: its highest value, also elsewhere.
function counterOf(block, place, {group, name, most}) {
  const steps = block.integers(place.time, place.count), values = block.integers(place.value, place.count);
  const counter = {group, name, count: place.count, most: most || 0, time: new Float64Array(place.count), value: new Float64Array(place.count)};
  let at = 0;
  for (let i = 0; i < place.count; ++i) {
    counter.time[i] = at += steps.number(i);
    counter.value[i] = values.number(i);
    counter.most = Math.max(counter.most, counter.value[i]);
  }
  return counter;
}

export function flowsOf(block) {
  const {flows} = block.header;
  const flow = (place) => { const column = block.integers(place, flows.count); return Float64Array.from({length: flows.count}, (_, i) => column.number(i)); };
  return {count: flows.count, all: flows.all, from: flow(flows.from), fromTrack: flow(flows.from_track), to: flow(flows.to), toTrack: flow(flows.to_track)};
}

function whole(block) {
  const {header} = block, {spans} = header;
  const model = {...spansOf(block, header.rows.map((row) => row.track), 0), header, from: header.from, to: header.to, count: spans.count, all: spans.all,
    single: spans.single, named: spans.named, flows: flowsOf(block), counters: header.counters.map((counter) => counterOf(block, counter, counter)), search: '', isReady: header.ready === header.tracks.length};
  // A large trace that is served: windows have what this block has in few pieces.
  model.window = contents.live && spans.min > 0 ? {from: header.from, to: header.to, min: spans.min, first: 0, rows: header.rows.length} : null;
  if (!(model.to > model.from)) { model.from = 0; model.to = Math.max(model.to, 1); }
  return model;
}
// The whole trace, or the tracks of it that a program has prepared: another call gets more of them.
export async function traceModel() {
  const model = await traceOf(whole);
  if (!model.isReady) forgetTrace();
  return model;
}
// The part of a large trace around [from, to] and rows [top, bottom], for pictures with that much time in a
// pixel. What has the text `search` is marked; '': nothing.
export function windowOf(first, from, to, perPixel, top, bottom, search) {
  const around = (to - from) / 2, rows = bottom - top, at = Math.max(0, top - Math.ceil(rows / 4));
  const values = {from: Math.max(0, Math.floor(from - around)), to: Math.ceil(to + around), min: perPixel < 2 ? 0 : Math.floor(perPixel), first: at, rows: bottom - at + Math.ceil(rows / 4)};
  if (search) values.text = search;
  return partOf('trace', values, (block) => ({...first, ...spansOf(block, first.rows.map((row) => row.track), block.header.window.first), window: block.header.window,
    count: block.header.spans.count, search, counters: first.counters.map((counter, i) => counterOf(block, block.header.counters[i], counter))}));
}
// The arrows of a span of a large trace.
export const flowsAt = (track, from, to) => partOf('flows', {track, from: Math.floor(from), to: Math.ceil(to)}, flowsOf);

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
