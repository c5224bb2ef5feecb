// SPDX-License-Identifier: Apache-2.0
// Scales of charts, and figures that are drawn again when their width changes.
import {el, svg} from './dom.js';
import {humanInteger, humanReal} from './units.js';

// A number in the unit of a column's stored values, as the terminal prints it.
export function amountOf(column, number) {
  if (Number.isNaN(number)) return '-';
  return column.type === 'real' ? humanReal(number, column.unit) : humanInteger(BigInt(Math.round(number)), column.unit);
}

// Round values from 0 to at most `most`, about `count` of them. Bytes step in powers of 2.
export const ticksTo = (most, count, unit) => ticksBetween(0, most, count, unit);
export function ticksBetween(least, most, count, unit) {
  if (!(most > least)) return [least];
  const base = unit === 'B' ? 2 : 10;
  const rough = (most - least) / count, power = base ** Math.floor(Math.log(rough) / Math.log(base));
  const step = base === 2 ? (power >= rough ? power : power * 2) : power * [1, 2, 5, 10].find((factor) => power * factor >= rough);
  const ticks = [];
  for (let k = Math.ceil(least / step); k * step <= most + step / 1e4; ++k) ticks.push(k * step);
  return ticks;
}

// A figure with its heading; draw(width) makes the picture. `more`: what is below it, such as a legend.
export function figure(title, name, draw, more, link) {
  const board = el('div', {class: 'board'});
  const heading = el('figcaption', {}, el('h2', {}, title), link ? el('a', {href: link}, 'table') : null);
  let width = 0;
  new ResizeObserver(() => {
    if (board.clientWidth === width || !board.clientWidth) return;
    width = board.clientWidth;
    const picture = draw(width);
    if (!picture.hasAttribute('role')) picture.setAttribute('role', 'img');
    picture.setAttribute('aria-label', name);
    board.replaceChildren(picture);
  }).observe(board);
  return el('figure', {class: 'chart'}, heading, board, more);
}

export function legendOf(entries) {
  return el('div', {class: 'legend'}, entries.map(([name, color]) => el('span', {}, el('i', {class: color}), name)));
}

// Horizontal lines with the amounts of a vertical axis.
export function gridOf(ticks, y, left, right, write) {
  return ticks.map((tick) => [
    svg('line', {class: 'grid', x1: left, x2: right, y1: y(tick), y2: y(tick)}),
    svg('text', {class: 'tick', x: left - 6, y: y(tick) + 4, 'text-anchor': 'end'}, write(tick))]);
}
