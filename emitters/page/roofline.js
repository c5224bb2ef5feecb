// SPDX-License-Identifier: Apache-2.0
// Operations by intensity and rate, below the roofs of the devices; both axes are logarithmic.
import {svg, showTip, hideTip, factTable, el} from './dom.js';
import {amountOf, figure, legendOf} from './axes.js';

const HEIGHT = 380, LEFT = 96, BELOW = 34;

export const hasRoofline = (table) => ['intensity_flops_per_byte', 'flops_per_s'].every((id) => table.column(id) && !table.column(id).isEmpty) && table.rows > 0;

function rowsOf(table, intensity, rate) {
  const rows = [];
  for (let row = 0; row < table.rows; ++row) if (intensity.number(row) > 0 && rate.number(row) > 0) rows.push(row);
  return rows;
}
// The roofs of matrix units and, where they are lower, of vector units, which elementwise work has.
function roofsOf(devices) {
  const bandwidth = devices && devices.column('peak_bandwidth_bytes_per_s'), roofs = new Map();
  for (const [id, units] of [['peak_flops_per_s', ''], ['peak_vector_flops_per_s', ' vector units']]) {
    const peak = devices && devices.column(id);
    for (let row = 0; peak && bandwidth && row < devices.rows; ++row) {
      if (!(peak.number(row) > 0) || !(bandwidth.number(row) > 0)) continue;
      const key = peak.number(row) + ' ' + bandwidth.number(row);
      if (!roofs.has(key)) roofs.set(key, {peak: inOne(peak, row), bandwidth: inOne(bandwidth, row),
        text: peak.human(row) + ', ' + bandwidth.human(row), name: (devices.column('model') || devices.column('device')).human(row) + units});
    }
  }
  return [...roofs.values()];
}
const inOne = (column, row) => Number(column.written(row));  // per second, whatever the column's unit

export function rooflineChart(table, devices, link) {
  const intensity = table.column('intensity_flops_per_byte'), rate = table.column('flops_per_s');
  const name = table.column('name') || table.readers[0], bound = table.column('bound_by'), time = table.column('time_us');
  const rows = rowsOf(table, intensity, rate), roofs = roofsOf(devices);
  if (!rows.length || !roofs.length) return null;
  const bounds = [...new Set(rows.map((row) => bound ? bound.human(row) : '-'))].sort();
  const colorOf = (row) => 'c' + (1 + bounds.indexOf(bound ? bound.human(row) : '-') % 7);
  const xs = rows.map((row) => intensity.number(row)), ys = rows.map((row) => inOne(rate, row));
  const power = (value) => 10 ** Math.floor(Math.log10(value));
  const ridges = roofs.map((roof) => roof.peak / roof.bandwidth);
  const left = power(Math.min(...xs)), right = Math.max(...xs, ...ridges) * 3;
  const foot = power(Math.min(...ys)), top = Math.max(...ys, ...roofs.map((roof) => roof.peak)) * 2;
  let longest = 0;
  for (const row of rows) longest = Math.max(longest, time ? time.number(row) || 0 : 0);
  const draw = (width) => {
    const x = (value) => LEFT + Math.log(value / left) / Math.log(right / left) * (width - LEFT - 16);
    const y = (value) => HEIGHT - BELOW - Math.log(value / foot) / Math.log(top / foot) * (HEIGHT - BELOW - 10);
    const picture = svg('svg', {width, height: HEIGHT});
    for (let at = left; at <= right * 1.01; at *= 10) {
      picture.append(svg('line', {class: 'grid', x1: x(at), x2: x(at), y1: 10, y2: HEIGHT - BELOW}),
        svg('text', {class: 'tick', x: x(at), y: HEIGHT - 18, 'text-anchor': 'middle'}, String(Number(at.toPrecision(1)))));
    }
    const scale = Number(rate.written(rows[0])) / rate.number(rows[0]);
    for (let at = foot; at <= top * 1.01; at *= 10) {
      picture.append(svg('line', {class: 'grid', x1: LEFT, x2: width - 16, y1: y(at), y2: y(at)}),
        svg('text', {class: 'tick', x: LEFT - 6, y: y(at) + 4, 'text-anchor': 'end'}, amountOf(rate, at / scale)));
    }
    picture.append(svg('text', {class: 'tick', x: (LEFT + width) / 2, y: HEIGHT - 3, 'text-anchor': 'middle'}, 'FLOP per byte'));
    for (const roof of roofs) {
      const begin = Math.max(left, foot / roof.bandwidth), ridge = roof.peak / roof.bandwidth;
      picture.append(svg('path', {class: 'roof', d: `M${x(begin)} ${y(begin * roof.bandwidth)}L${x(ridge)} ${y(roof.peak)}L${x(right)} ${y(roof.peak)}`}),
        svg('text', {class: 'tick', x: width - 18, y: y(roof.peak) - 6, 'text-anchor': 'end'}, roof.name + ': ' + roof.text));
    }
    for (const row of rows.sort((a, b) => (time ? time.number(b) - time.number(a) : 0))) {
      const dot = svg('circle', {class: 'dot ' + colorOf(row), cx: x(intensity.number(row)), cy: y(inOne(rate, row)), r: 3 + 9 * Math.sqrt((time ? time.number(row) : 0) / (longest || 1))});
      dot.addEventListener('mousemove', (event) => showTip(event.clientX, event.clientY, el('b', {}, name.human(row)),
        factTable(table.readers.filter((column) => column !== name && !column.isAbsent(row)).map((column) => [column.title, column.human(row)]))));
      dot.addEventListener('mouseleave', hideTip);
      picture.append(dot);
    }
    return picture;
  };
  return figure('Roofline', 'Roofline: ' + rows.length + ' operations below ' + roofs.length + ' roofs', draw,
    legendOf(bounds.map((text, i) => ['bound by ' + text, 'c' + (1 + i % 7)])), link);
}
