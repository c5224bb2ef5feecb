// SPDX-License-Identifier: Apache-2.0
// What ran in a range of the trace, by name: a table as TableView takes them.
import {humanInteger, writtenInteger} from '../units.js';
import {partOf} from '../data.js';
import {firstAbove} from './model.js';

function numberColumn(id, title, unit, meaning, values) {
  const big = (row) => BigInt(Math.round(values[row]));
  return {id, title, unit, meaning, type: 'integer', role: 'plain', written_unit: unit === 'ps_as_us' ? 'us' : unit, isNumber: true, isEmpty: false,
    rows: values.length, isAbsent: () => false, number: (row) => values[row], human: (row) => humanInteger(big(row), unit),
    written: (row) => writtenInteger(big(row), unit), text: (row) => humanInteger(big(row), unit)};
}
// Numbers of texts are those of all columns of a table, as in answers.
function textColumn(id, title, meaning, texts, strings) {
  const first = strings.length;
  for (const text of texts) strings.push(text);
  return {id, title, meaning, unit: '', type: 'text', role: 'plain', isNumber: false, isEmpty: false, rows: texts.length, isAbsent: () => false,
    number: () => NaN, human: (row) => texts[row], written: (row) => texts[row], text: (row) => texts[row], textId: (row) => first + row,
    answer: {string: (number) => strings[number]}};
}

// The same of a large trace, whose spans are not all here.
export function ranInAll(model, from, to) {
  return partOf('range', {from: Math.max(0, Math.floor(from)), to: Math.ceil(to)}, (block) => {
    const {header} = block, column = (key) => block.integers(header[key], header.count);
    const names = column('name'), groups = column('group'), counts = column('spans'), times = column('time'), longest = column('longest');
    return tableOf(Array.from({length: header.count}, (_, row) => ({name: block.string(names.number(row)), group: model.header.groups[groups.number(row)].name,
      count: counts.number(row), time: times.number(row), longest: longest.number(row)})));
  });
}
// Spans of all rows that overlap [from, to]; those that reach beyond it count with their part inside. Of a trace
// that was cut, those that are on the page: the title has the number of the others.
export function ranIn(model, from, to) {
  const groups = new Map();
  let others = 0;
  for (const row of model.rows) {
    const track = model.header.tracks[row.track], group = model.header.groups[track.group].name, last = row.first + row.count;
    for (let i = firstAbove(model.end, from, row.first, last); i < last && model.start[i] < to; ++i) {
      if (model.covered[i] > 1) { others += model.covered[i]; continue; }
      const key = track.group + ' ' + model.name[i];
      let sums = groups.get(key);
      if (!sums) groups.set(key, sums = {name: model.nameOf(i), group, count: 0, time: 0, longest: 0});
      sums.count += 1;
      sums.time += Math.min(model.end[i], to) - Math.max(model.start[i], from);
      sums.longest = Math.max(sums.longest, model.end[i] - model.start[i]);
    }
  }
  const title = 'Ran in this range' + (others ? ', without ' + others.toLocaleString('en') + ' short spans that are drawn together' : '');
  return tableOf([...groups.values()].sort((a, b) => b.time - a.time), title);
}

function tableOf(rows, title = 'Ran in this range') {
  const strings = [], columns = [
    textColumn('name', 'name', 'Name of the spans.', rows.map((one) => one.name), strings),
    textColumn('process', 'ran on', 'Group of their tracks: a device or a process.', rows.map((one) => one.group), strings),
    numberColumn('count', 'spans', 'count', 'Spans of that name that overlap the range.', rows.map((one) => one.count)),
    numberColumn('time_us', 'time in range', 'ps_as_us', 'Sum of their parts within the range, also where they overlap.', rows.map((one) => one.time)),
    numberColumn('max_us', 'longest', 'ps_as_us', 'The longest of them, also outside of the range.', rows.map((one) => one.longest)),
  ];
  return {name: 'range', title, rows: rows.length, left_out: 0, ordered_by: 'time_us', tree: false, human: true, columns, readers: columns,
    column: (id) => columns.find((column) => column.id === id)};
}
