// SPDX-License-Identifier: Apache-2.0
// Values over time, a line of curves per device or allocator.
import {svg, showTip, hideTip, factTable, el} from './dom.js';
import {amountOf, figure, legendOf, ticksBetween} from './axes.js';
import {addCursor, hasMoments, momentHint} from './moments.js';

const LEFT = 118, BELOW = 20, GAP = 10;

// What is drawn over time: the columns of values, the first one filled, and what distinguishes series.
const KINDS = [
  {by: ['device'], values: ['busy_pct'], height: 34},
  {by: ['allocator'], values: ['in_use_bytes', 'heap_bytes'], height: 110, moments: true},
];
export function kindOf(table) {
  if (!table.rows || !table.column('start_us')) return null;
  return KINDS.find((kind) => table.column(kind.values[0]) && !table.column(kind.values[0]).isEmpty) || null;
}

function seriesOf(table, kind) {
  const by = [table.column('host'), ...kind.by.map((id) => table.column(id))].filter(Boolean);
  const series = new Map();
  for (let row = 0; row < table.rows; ++row) {
    const key = by.map((column) => column.textId(row)).join();
    if (!series.has(key)) series.set(key, {name: by[by.length - 1].human(row), full: by.map((column) => column.human(row)).join(' '), rows: []});
    series.get(key).rows.push(row);
  }
  return [...series.values()];
}

// `entry`, `key`: of the page, and the answer that it shows; null: another page shows the chart.
export function curveChart(table, kind, title, link, entry, key) {
  const start = table.column('start_us'), length = table.column('duration_us');
  const columns = kind.values.map((id) => table.column(id)).filter((column) => column && !column.isEmpty);
  const series = seriesOf(table, kind);
  let first = Infinity, last = 0;
  const endOf = (one, i) => length ? start.number(one.rows[i]) + length.number(one.rows[i]) : start.number(one.rows[Math.min(i + 1, one.rows.length - 1)]);
  for (const one of series) {
    one.most = 0;
    one.rows.forEach((row, i) => {
      first = Math.min(first, start.number(row));
      last = Math.max(last, endOf(one, i));
      for (const column of columns) one.most = Math.max(one.most, column.number(row) || 0);
    });
    if (columns[0].unit === 'fraction') one.most = 1;
    if (columns[0].unit === '%') one.most = 100;
  }
  const moments = kind.moments && entry && hasMoments(entry);
  // The row of a series that holds at a time.
  const rowAt = (one, time) => {
    const after = one.rows.findIndex((row) => start.number(row) > time);
    return one.rows[(after < 0 ? one.rows.length : Math.max(after, 1)) - 1];
  };
  const draw = (width) => {
    const height = series.length * (kind.height + GAP) + BELOW + 4, x = (time) => LEFT + (time - first) / (last - first || 1) * (width - LEFT - 8);
    const timeAt = (px) => first + (px - LEFT) / (width - LEFT - 8) * (last - first);
    const picture = svg('svg', {width, height});
    for (const tick of ticksBetween(first, last, Math.max(2, width / 160))) {
      picture.append(svg('line', {class: 'grid', x1: x(tick), x2: x(tick), y1: 0, y2: height - BELOW}),
        svg('text', {class: 'tick', x: x(tick), y: height - 5, 'text-anchor': x(tick) > width - 30 ? 'end' : 'middle'}, amountOf(start, tick)));
    }
    series.forEach((one, i) => {
      const top = 4 + i * (kind.height + GAP), foot = top + kind.height, y = (value) => foot - (value || 0) / (one.most || 1) * kind.height;
      columns.forEach((column, k) => {
        let path = '';
        one.rows.forEach((row, j) => { path += (j || k === 0 ? 'L' : 'M') + x(start.number(row)) + ' ' + y(column.number(row)) + 'L' + x(endOf(one, j)) + ' ' + y(column.number(row)); });
        picture.append(svg('path', {class: k === 0 ? 'area' : 'line', d: k === 0 ? 'M' + x(start.number(one.rows[0])) + ' ' + foot + path + 'L' + x(endOf(one, one.rows.length - 1)) + ' ' + foot + 'Z' : path}));
      });
      const label = svg('text', {class: 'tick', x: LEFT - 8, y: top + kind.height / 2 + (kind.height > 60 ? -2 : 4), 'text-anchor': 'end'}, one.name.slice(-16));
      label.append(svg('title', {}, one.full));
      picture.append(svg('line', {class: 'foot', x1: LEFT, x2: width, y1: foot, y2: foot}), label);
      if (kind.height > 60) picture.append(svg('text', {class: 'tick', x: LEFT - 8, y: top + 10, 'text-anchor': 'end'}, amountOf(columns[0], one.most)));
      const catcher = svg('rect', {class: 'catch', x: LEFT, width: Math.max(0, width - LEFT), y: top, height: kind.height});
      catcher.addEventListener('mousemove', (event) => {
        const j = rowAt(one, timeAt(event.offsetX));
        showTip(event.clientX, event.clientY, el('b', {}, one.full), factTable([[start.title, start.human(j)], ...columns.map((column) => [column.title, column.human(j)])]));
      });
      catcher.addEventListener('mouseleave', hideTip);
      picture.append(catcher);
    });
    if (moments) {
      addCursor(picture, entry, key, {first, last, x, timeAt, top: 0, bottom: height - BELOW,
        tell: (time) => [amountOf(start, time), ...series.map((one) => one.full + ' ' + columns[0].human(rowAt(one, time)))].join(', ')});
    }
    return picture;
  };
  const legend = columns.length > 1 ? legendOf(columns.map((column, k) => [column.title, k ? 'stroke' : 'c1'])) : null;
  return figure(title, title + ': ' + columns[0].title + ' of ' + series.map((one) => one.full).join(', ') + (moments ? '; arrow keys move, Enter shows what was held then' : ''), draw,
    [legend, moments ? momentHint(entry, key) : null], link);
}
