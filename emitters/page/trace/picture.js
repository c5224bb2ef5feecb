// SPDX-License-Identifier: Apache-2.0
// Draws the trace on a canvas: a ruler, groups with their tracks, counters, the arrows of the chosen span.
import {humanInteger} from '../units.js';
import {ticksBetween} from '../axes.js';
import {eachIn, firstAbove} from './model.js';

export const LEFT = 210;   // px of the names of tracks
export const RULER = 26;
const ROW = 18, HEAD = 22, COUNTER = 44;
const MOST_ARROWS = 200;  // of one span
const NARROW = 1;  // px: what is shorter is drawn with its neighbors

export const timeText = (ps) => humanInteger(BigInt(Math.round(ps)), 'ps');

// What is drawn from top to bottom: {kind: 'group' | 'row' | 'counter', top, height, ...}. Rows [first, last) of
// the model are drawn in it.
export function layoutOf(model, closed) {
  const items = [];
  let top = 0;
  const put = (item, height) => { items.push({...item, top, height}); top += height; };
  model.header.groups.forEach((group, g) => {
    const rows = model.rows.filter((row) => model.header.tracks[row.track].group === g), first = rows.length ? model.rows.indexOf(rows[0]) : 0;
    const counters = [...model.counters.keys()].filter((c) => model.counters[c].group === g && model.counters[c].most > 0);
    if (!rows.length && !counters.length) return;
    put({kind: 'group', group: g, title: group.name + (group.label ? ' ' + group.label : ''), rows, first, last: closed.has(g) ? first + rows.length : first}, HEAD);
    if (closed.has(g)) return;
    let track = -1;
    rows.forEach((row, i) => {
      put({kind: 'row', row, title: row.track === track ? '' : model.header.tracks[row.track].name, first: first + i, last: first + i + 1}, ROW);
      track = row.track;
    });
    for (const counter of counters) put({kind: 'counter', counter: model.counters[counter], title: model.counters[counter].name}, COUNTER);
  });
  return {items, height: top};
}

// The rows that are drawn in [top, bottom] of a layout: [first, last).
export function rowsBetween(layout, top, bottom) {
  const drawn = layout.items.filter((item) => item.first < item.last && item.top + item.height > top && item.top < bottom);
  return drawn.length ? [drawn[0].first, drawn.at(-1).last] : [0, 0];
}

const hues = new Map();  // by name: numbers of names differ between windows
function hueOf(model, span) {
  const name = model.nameOf(span);
  if (!hues.has(name)) {
    let value = 2166136261;
    for (const c of name.replace(/\d+/g, '')) value = Math.imul(value ^ c.codePointAt(0), 16777619);
    hues.set(name, (value >>> 0) % 360);
  }
  return hues.get(name);
}

// view: {from, to, top, closed, matches (Uint8Array by name, or null), chosen (span or -1), range, layout, flows
// (of the chosen span of a large trace)}
export class TracePicture {
  constructor(canvas, model, view) {
    Object.assign(this, {canvas, model, view, pen: canvas.getContext('2d')});
  }
  x(time) { return LEFT + (time - this.view.from) / (this.view.to - this.view.from) * (this.width - LEFT); }
  time(x) { return this.view.from + (x - LEFT) / (this.width - LEFT) * (this.view.to - this.view.from); }

  draw() {
    const {canvas, pen, view} = this, scale = devicePixelRatio || 1;
    this.width = canvas.clientWidth;
    this.height = canvas.clientHeight;
    if (canvas.width !== this.width * scale) canvas.width = this.width * scale;
    if (canvas.height !== this.height * scale) canvas.height = this.height * scale;
    pen.setTransform(scale, 0, 0, scale, 0, 0);
    const style = getComputedStyle(canvas);
    const read = (name) => style.getPropertyValue('--' + name).trim();
    this.ink = {page: read('page'), panel: read('panel'), ink: read('ink'), soft: read('soft'), line: read('line'), accent: read('accent'),
      match: read('match'), frame: read('frame-ink'), fill: read('saturation') + ' ' + read('lightness'), area: read('c1')};
    this.font = style.fontFamily;
    pen.fillStyle = this.ink.page;
    pen.fillRect(0, 0, this.width, this.height);
    this.ticks = ticksBetween(view.from, view.to, Math.max(2, (this.width - LEFT) / 130));
    pen.fillStyle = this.ink.line;
    for (const tick of this.ticks) pen.fillRect(Math.round(this.x(tick)), RULER, 1, this.height);
    pen.save();
    pen.beginPath();
    pen.rect(0, RULER, this.width, this.height - RULER);
    pen.clip();
    for (const item of view.layout.items) {
      const y = RULER + item.top - view.top;
      if (y > this.height || y + item.height < RULER) continue;
      this[item.kind](item, y);
    }
    this.arrows();
    pen.restore();
    this.range();
    this.ruler();
  }

  label(text, y, bold, indent, end = LEFT) {
    const {pen} = this;
    if (!text) return;
    pen.save();
    pen.beginPath();
    pen.rect(0, y - 14, end - 8, 20);
    pen.clip();
    pen.font = (bold ? '600 12px ' : '11.5px ') + this.font;
    pen.fillStyle = bold ? this.ink.ink : this.ink.soft;
    const room = end - 10 - indent, wide = pen.measureText(text).width;
    pen.fillText(wide <= room ? text : text.slice(0, Math.max(1, Math.floor(text.length * room / wide) - 1)) + '…', indent, y);
    pen.restore();
  }
  gutter(y, height) {
    this.pen.fillStyle = this.ink.page;
    this.pen.fillRect(0, y, LEFT, height);
  }
  group(item, y) {
    const {pen} = this;
    pen.fillStyle = this.ink.panel;
    pen.fillRect(0, y, this.width, item.height);
    pen.fillStyle = this.ink.line;
    pen.fillRect(0, y, this.width, 1);
    const isClosed = this.view.closed.has(item.group);
    this.label((isClosed ? '▸ ' : '▾ ') + item.title, y + 15, true, 8, isClosed ? LEFT : this.width);
    if (!isClosed) return;
    for (const row of item.rows) this.spans(row, y + 4, item.height - 8, false);
  }
  row(item, y) {
    this.spans(item.row, y + 1, item.height - 2, true);
    this.gutter(y, item.height);
    this.label(item.title, y + 13, false, 20);
  }
  spans(row, y, height, named) {
    const {pen, model, view} = this, perPixel = (view.to - view.from) / (this.width - LEFT);
    pen.font = '11px ' + this.font;
    eachIn(model, row, view.from, view.to, NARROW * perPixel, (from, to, span, first, next) => {
      const left = Math.max(LEFT, this.x(from)), width = Math.max(0.6, this.x(to) - left - (span >= 0 ? 0.5 : 0));
      const fits = this.fits(span, first, next);
      pen.globalAlpha = view.matches && !fits ? 0.25 : 1;
      pen.fillStyle = `hsl(${hueOf(model, first)} ${this.ink.fill})`;
      pen.fillRect(left, y, width, height);
      if (view.matches && fits) { pen.fillStyle = this.ink.match; pen.fillRect(left, y + height - 2, Math.max(width, 1.5), 2); }
      if (span >= 0 && span === view.chosen) { pen.strokeStyle = this.ink.accent; pen.lineWidth = 2; pen.strokeRect(left + 1, y + 1, Math.max(1, width - 2), height - 2); }
      if (named && span >= 0 && width > 28) this.name(model.nameOf(span), left, y, width, height);
      pen.globalAlpha = 1;
    });
  }
  fits(span, first, next) {
    const {model, view} = this;
    if (!view.matches) return true;
    for (let i = first; i < next; ++i) if (model.matched ? model.matched[i] : view.matches[model.name[i]]) return true;
    return false;
  }
  name(text, left, y, width, height) {
    const {pen} = this, most = Math.floor((width - 6) / 5.6);
    const shown = text.length <= most ? text : most < 5 ? '' : text.slice(0, most - 1) + '…';
    pen.fillStyle = this.ink.frame;
    pen.fillText(shown, left + 3, y + height / 2 + 4, width - 6);
  }
  counter(item, y) {
    const {pen} = this, {time, value, most, count} = item.counter, height = item.height - 8, foot = y + item.height - 3;
    let at = Math.max(0, firstAbove(time, this.view.from, 0, count) - 1);
    pen.beginPath();
    pen.moveTo(LEFT, foot);
    for (let x = LEFT; x < this.width && at < count; ++x) {
      const next = firstAbove(time, this.time(x + 1), at, count);
      if (time[at] <= this.time(x + 1)) {
        let high = value[Math.max(at, next - 1)];
        if (next - at < 64) for (let i = at; i < next; ++i) high = Math.max(high, value[i]);
        const level = foot - (most > 0 ? high / most * height : 0);
        pen.lineTo(x, level);
        pen.lineTo(x + 1, level);
      }
      at = Math.max(at, next - 1);
    }
    pen.lineTo(this.width, foot);
    pen.closePath();
    pen.globalAlpha = 0.55;
    pen.fillStyle = this.ink.area;
    pen.fill();
    pen.globalAlpha = 1;
    this.gutter(y, item.height);
    this.label(item.title, y + 18, false, 20);
    this.label('up to ' + humanInteger(BigInt(Math.round(most)), 'B'), y + 34, false, 20);
  }

  // The span of a row at a time; -1: none.
  spanIn(row, time) {
    const {first, count} = row, i = firstAbove(this.model.start, time, first, first + count) - 1;
    return i >= first && this.model.end[i] >= time ? i : -1;
  }
  // The innermost span of a track at a time; -1: none.
  spanAt(track, time) {
    return this.model.rows.filter((row) => row.track === track).reduce((found, row) => Math.max(found, this.spanIn(row, time)), -1);
  }
  // The place of the innermost span of a track at a time; null: not on the screen.
  placeAt(track, time) {
    let found = null;
    for (const item of this.view.layout.items) {
      if (item.kind !== 'row' || item.row.track !== track) continue;
      if (!found || this.spanIn(item.row, time) >= 0) found = {x: this.x(time), y: RULER + item.top - this.view.top + item.height / 2};
    }
    return found;
  }
  // The arrows of the chosen span, with their ends, {track, time}.
  arrowsOf() {
    const {model, view} = this, span = view.chosen, flows = model.window ? view.flows : model.flows;
    if (span < 0 || !flows) return [];  // none is chosen, or they are not here yet
    const track = model.rows[model.rowOf(span)].track, start = model.start[span], end = model.end[span], arrows = [];
    for (let i = 0; i < flows.count && arrows.length < MOST_ARROWS; ++i) {
      const leaves = flows.fromTrack[i] === track && flows.from[i] >= start && flows.from[i] <= end;
      const enters = flows.toTrack[i] === track && flows.to[i] >= start && flows.to[i] <= end;
      if (!leaves && !enters) continue;
      const from = {track: flows.fromTrack[i], time: flows.from[i]}, to = {track: flows.toTrack[i], time: flows.to[i]};
      arrows.push({from, to, out: leaves, other: leaves ? to : from});
    }
    return arrows;
  }
  arrows() {
    const {pen} = this;
    pen.strokeStyle = this.ink.match;
    pen.fillStyle = this.ink.match;
    pen.lineWidth = 1.5;
    for (const {from, to} of this.arrowsOf()) {
      const a = this.placeAt(from.track, from.time), b = this.placeAt(to.track, to.time);
      if (!a || !b) continue;
      const bend = Math.max(20, Math.abs(b.x - a.x) / 3);
      pen.beginPath();
      pen.moveTo(a.x, a.y);
      pen.bezierCurveTo(a.x + bend, a.y, b.x - bend, b.y, b.x, b.y);
      pen.stroke();
      pen.beginPath();
      pen.moveTo(b.x, b.y);
      pen.lineTo(b.x - 7, b.y - 4);
      pen.lineTo(b.x - 7, b.y + 4);
      pen.fill();
    }
  }
  range() {
    const {pen, view} = this;
    if (!view.range) return;
    const left = Math.max(LEFT, this.x(view.range[0])), right = Math.min(this.width, this.x(view.range[1]));
    if (right < LEFT || left > this.width) return;
    pen.globalAlpha = 0.13;
    pen.fillStyle = this.ink.accent;
    pen.fillRect(left, RULER, right - left, this.height);
    pen.globalAlpha = 1;
    pen.fillRect(left, 0, 1, this.height);
    pen.fillRect(right - 1, 0, 1, this.height);
  }
  ruler() {
    const {pen, view} = this;
    pen.fillStyle = this.ink.panel;
    pen.fillRect(0, 0, this.width, RULER);
    pen.fillStyle = this.ink.line;
    pen.fillRect(0, RULER - 1, this.width, 1);
    pen.font = '11.5px ' + this.font;
    pen.fillStyle = this.ink.soft;
    for (const tick of this.ticks) {
      pen.fillRect(Math.round(this.x(tick)), RULER - 7, 1, 6);
      pen.fillText(timeText(tick), this.x(tick) + 4, 15);
    }
    pen.fillStyle = this.ink.panel;
    pen.fillRect(0, 0, LEFT, RULER - 1);
    pen.fillStyle = this.ink.ink;
    pen.fillText(timeText(view.to - view.from) + ' shown', 8, 16);
    if (view.range) {
      pen.fillStyle = this.ink.accent;
      pen.fillText(timeText(view.range[1] - view.range[0]), Math.max(LEFT, this.x(view.range[0])) + 4, RULER + 13);
    }
  }

  // What is at a point: {item, span}.
  at(x, y) {
    const {model, view} = this, item = view.layout.items.find((one) => y - RULER + view.top >= one.top && y - RULER + view.top < one.top + one.height);
    if (!item || y < RULER) return {item: null, span: -1};
    if (item.kind !== 'row' || x < LEFT) return {item, span: -1};
    const {first, count} = item.row, time = this.time(x), slack = (view.to - view.from) / (this.width - LEFT) * 2;
    const i = firstAbove(model.start, time + slack, first, first + count) - 1;
    return {item, span: i >= first && model.end[i] + slack >= time ? i : -1};
  }
}
