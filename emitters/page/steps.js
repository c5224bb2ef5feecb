// SPDX-License-Identifier: Apache-2.0
// Steps as bars, each stacked by what its time went into.
import {svg, showTip, hideTip, factTable, el, widthOf} from './dom.js';
import {amountOf, figure, gridOf, legendOf, ticksTo} from './axes.js';

// The parts of a step and their colors; a part without a value in any step is left out.
const PARTS = [['compute_us', 'c1'], ['host_us', 'c2'], ['stalled_us', 'c8'], ['input_us', 'c3'], ['output_us', 'c5'],
  ['collectives_us', 'c4'], ['device_to_device_us', 'c6'], ['other_us', 'c7']];
const HEIGHT = 190, LEFT = 58, LINE = 14, BELOW = 22, LEAST = 3;

function isUsed(column) {
  for (let row = 0; row < column.rows; ++row) if (column.number(row) > 0) return true;
  return false;
}
const partsOf = (table) => PARTS.map(([id, color]) => ({column: table.column(id), color})).filter(({column}) => column && isUsed(column));
export const hasSteps = (table) => table.rows > 0 && Boolean(table.column('duration_us')) && partsOf(table).length > 1;
export const hasDurations = (table) => table.rows > 1 && table.name === 'steps' && Boolean(table.column('duration_us')) && !table.column('device');

// The rows from left to right: of a pod, the hosts of a step stand beside each other.
function orderOfBars(table) {
  const rows = [...Array(table.rows).keys()], host = table.column('host'), index = table.column('index');
  const numbers = index && new Set(rows.map((row) => index.number(row)));
  const isPod = host && index && numbers.size < rows.length;  // else the host is the slowest one of each step
  return {rows: isPod ? rows.sort((a, b) => index.number(a) - index.number(b) || a - b) : rows, host: isPod ? host : null};
}
// Rows that bars stand for: all, or where they are too many the longest of neighbors.
function barsOf(rows, duration, most) {
  const each = Math.ceil(rows.length / most), bars = [];
  for (let i = 0; i < rows.length; i += each) {
    bars.push(rows.slice(i, i + each).reduce((longest, row) => duration.number(row) > duration.number(longest) ? row : longest));
  }
  return {bars, each};
}

export function stepChart(table, title, link) {
  const duration = table.column('duration_us'), parts = partsOf(table);
  const name = table.column('step_name') || table.column('name') || table.column('step');
  const stacked = parts.length > 1 ? parts : [{column: duration, color: 'c1'}];
  const {rows, host} = orderOfBars(table), nameOf = (row) => (host ? host.human(row) + ' · ' : '') + name.human(row);
  let most = 0;
  for (let row = 0; row < table.rows; ++row) most = Math.max(most, duration.number(row) || 0);
  const tell = (event, row, each) => showTip(event.clientX, event.clientY, el('b', {}, (each > 1 ? 'longest of ' + each + ' steps: ' : '') + nameOf(row)),
    factTable([[duration.title, duration.human(row)], ...(parts.length > 1 ? parts.map(({column}) => [column.title, column.human(row)]) : [])]));
  const draw = (width) => {
    const {bars, each} = barsOf(rows, duration, Math.max(1, Math.floor((width - LEFT) / LEAST)));
    const place = (width - LEFT - 4) / bars.length, bar = Math.min(90, Math.max(1, place * 0.8));
    const hasNames = host && Math.max(...bars.map((row) => widthOf(host.human(row), 11.5))) < place - 6;
    const foot = HEIGHT - BELOW - (hasNames ? LINE : 0), y = (value) => foot - value / most * (foot - 10);
    const picture = svg('svg', {width, height: HEIGHT});
    picture.append(...gridOf(ticksTo(most, 4), y, LEFT, width, (tick) => amountOf(duration, tick)).flat());
    const every = Math.ceil(70 / place), hosts = host ? new Set(bars.map((row) => host.textId(row))).size : 1;
    bars.forEach((row, i) => {
      const x = LEFT + place * i + (place - bar) / 2;
      let below = 0;
      const group = svg('g', {class: 'bar', 'data-row': row});
      for (const {column, color} of stacked) {
        const value = column.number(row) || 0;
        if (value <= 0) continue;
        group.append(svg('rect', {class: color, x, width: bar, y: y(below + value), height: Math.max(0.5, y(below) - y(below + value))}));
        below += value;
      }
      group.append(svg('rect', {class: 'catch', x: LEFT + place * i, width: place, y: 0, height: foot}));
      group.addEventListener('mousemove', (event) => tell(event, row, each));
      group.addEventListener('mouseleave', hideTip);
      picture.append(group);
      if (hasNames) picture.append(svg('text', {class: 'tick', x: x + bar / 2, y: foot + LINE, 'text-anchor': 'middle'}, host.human(row)));
      const isNew = !host || i === 0 || name.human(row) !== name.human(bars[i - 1]);
      if (host && isNew && i > 0) picture.append(svg('line', {class: 'grid', x1: LEFT + place * i, x2: LEFT + place * i, y1: 10, y2: foot}));
      if (host ? isNew && place * hosts > 40 : i % every === 0) picture.append(svg('text', {class: 'tick', x: LEFT + place * (i + hosts / 2), y: HEIGHT - 6, 'text-anchor': 'middle'}, name.human(row).slice(-12)));
    });
    return picture;
  };
  return figure(title, title + ': ' + table.rows + ' steps, the longest ' + amountOf(duration, most), draw,
    parts.length > 1 ? legendOf(parts.map(({column, color}) => [column.title, color])) : null, link);
}
