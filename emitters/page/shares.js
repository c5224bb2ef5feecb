// SPDX-License-Identifier: Apache-2.0
// What a whole is made of, as one bar per whole: memory by what holds it at the peak, time by operation.
import {el, showTip, hideTip, factTable} from './dom.js';

const MOST = 7;  // parts with a color of their own

// The columns of a table whose rows are parts: {whole, part, size}; null: it has none.
export function sharesIn(table) {
  if (!table.rows || table.tree || table.column('status')) return null;  // a comparison has no whole
  const find = (...ids) => ids.map((id) => table.column(id)).find(Boolean);
  if (table.name === 'active_allocations') return {wholes: ['host', 'allocator'], part: find('op'), size: find('total_bytes'), title: table.title[0].toUpperCase() + table.title.slice(1) + ' of '};
  if (table.name === 'program_buffers') return {wholes: ['program'], part: find('op', 'instruction'), size: find('allocated_bytes'), title: 'Buffers at the peak of '};
  if (table.name === 'with_idle') return {wholes: ['side'], part: find('op'), size: find('time_us'), title: 'Self time on: '};
  if (table.name === 'kernels') return {wholes: [], part: table.readers.find((column) => !column.isNumber), size: find('time_us'), title: 'Time by kernel'};
  if (table.name === 'hlo') return {wholes: [], part: find('instruction'), size: find('time_us'), title: 'Time by instruction'};
  if (table.name === 'op') return {wholes: [], part: find('name'), size: find('time_us'), title: 'Time by type of operation'};
  return null;
}

export function sharesCharts(table, link) {
  const {wholes, part, size, title} = sharesIn(table);
  if (!part || !size) return [];
  const columns = wholes.map((id) => table.column(id)).filter((column) => column && !column.isBlank()), byWhole = new Map();
  for (let row = 0; row < table.rows; ++row) {
    if (!(size.number(row) > 0)) continue;
    const whole = columns.map((column) => column.human(row)).join(' ');
    if (!byWhole.has(whole)) byWhole.set(whole, []);
    byWhole.get(whole).push(row);
  }
  return [...byWhole].slice(0, 8).map(([whole, rows]) => {
    rows.sort((a, b) => size.number(b) - size.number(a));
    const name = (row) => part.text(row) || table.column('instruction')?.text(row) || '(unknown)';
    const bars = rows.map((row, i) => {
      const bar = el('span', {class: i < MOST ? 'c' + (i % 8 + 1) : 'c7', data: {row}, on: {mouseleave: hideTip,
        mousemove: (event) => showTip(event.clientX, event.clientY, el('b', {}, el('bdi', {}, name(row))), factTable(table.readers.filter((column) => !column.isAbsent(row)).map((column) => [column.title, column.human(row)])))}},
      i < MOST ? el('span', {}, el('bdi', {}, name(row)), ' ', size.human(row)) : null);
      bar.style.flex = size.number(row) + ' 1 0';
      return bar;
    });
    return el('figure', {class: 'chart'}, el('figcaption', {}, el('h2', {}, title + whole), link ? el('a', {href: link}, 'table') : null),
      el('div', {class: 'shares', role: 'img', 'aria-label': title + whole + ': ' + rows.slice(0, MOST).map((row) => name(row) + ' ' + size.human(row)).join(', ')}, bars));
  });
}
