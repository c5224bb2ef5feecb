// SPDX-License-Identifier: Apache-2.0
// Which rows of a table are shown, and in which order.

const COMPARISON = /^([\w%]+)(>=|<=|!=|>|<|=)(.+)$/;
const TESTS = {
  '>': (a, b) => a > b, '<': (a, b) => a < b, '>=': (a, b) => a >= b, '<=': (a, b) => a <= b,
  '=': (a, b) => a === b, '!=': (a, b) => a !== b,
};

// One word of a filter: COLUMN>NUMBER in the unit of JSON, /EXPRESSION/, or a part of any text.
function testOf(word, table) {
  const compared = COMPARISON.exec(word);
  const column = compared && table.columns.find((one) => one.id === compared[1] || one.title === compared[1]);
  if (column) {
    const holds = TESTS[compared[2]], wanted = compared[3];
    if (column.isNumber) return (row) => !column.isAbsent(row) && holds(Number(column.written(row)), Number(wanted));
    return (row) => holds(column.text(row), wanted);
  }
  let matches;
  if (word.length > 2 && word.startsWith('/') && word.endsWith('/')) {
    const pattern = new RegExp(word.slice(1, -1), 'i');
    matches = (text) => pattern.test(text);
  } else {
    const part = word.toLowerCase();
    matches = (text) => text.toLowerCase().includes(part);
  }
  const texts = table.columns.filter((one) => !one.isNumber && one.type !== 'boolean');
  const known = new Map();  // by text: many rows share one
  return (row) => texts.some((one) => {
    const id = one.textId(row);
    if (id < 0) return false;
    if (!known.has(id)) known.set(id, matches(one.answer.string(id)));
    return known.get(id);
  });
}

// Throws where an expression is none.
export function filterOf(text, table) {
  const tests = text.trim().split(/\s+/).filter(Boolean).map((word) => testOf(word, table));
  return tests.length ? (row) => tests.every((test) => test(row)) : null;
}

function comparison(column, descending) {
  const sign = descending ? -1 : 1;
  if (column.isNumber || column.type === 'boolean') {
    return (a, b) => {
      const x = column.number(a), y = column.number(b);
      if (Number.isNaN(x) || Number.isNaN(y)) return Number.isNaN(x) - Number.isNaN(y) || a - b;
      return sign * (x - y) || a - b;
    };
  }
  return (a, b) => {
    const x = column.text(a), y = column.text(b);
    if (x === null || y === null) return (x === null) - (y === null) || a - b;
    return sign * (x < y ? -1 : x > y ? 1 : 0) || a - b;
  };
}

// The row above each row of a tree, and the row after its subtree.
export function shapeOf(table) {
  const parent = new Int32Array(table.rows).fill(-1), end = new Int32Array(table.rows), open = [];
  for (let row = 0; row < table.rows; ++row) {
    while (open.length > table.depth[row]) end[open.pop()] = row;
    if (open.length) parent[row] = open[open.length - 1];
    open.push(row);
  }
  for (const row of open) end[row] = table.rows;
  return {parent, end};
}

function orderOfTree(table, shape, keeps, compare, closed) {
  const shown = new Uint8Array(table.rows);
  for (let row = table.rows; row-- > 0;) {
    if (!keeps || keeps(row)) shown[row] = 1;
    if (shown[row] && shape.parent[row] >= 0) shown[shape.parent[row]] = 1;
  }
  const order = [];
  const childrenOf = (first, last) => {
    const children = [];
    for (let row = first; row < last; row = shape.end[row]) if (shown[row]) children.push(row);
    if (compare) children.sort(compare);
    return children.reverse();
  };
  const open = childrenOf(0, table.rows);
  while (open.length) {
    const row = open.pop();
    order.push(row);
    if (keeps === null && closed.has(row)) continue;
    for (const child of childrenOf(row + 1, shape.end[row])) open.push(child);
  }
  return order;
}

// sort: {column, descending} or null, the order of the answer. closed: rows of a tree whose parts are hidden.
export function orderOf(table, shape, keeps, sort, closed) {
  const compare = sort ? comparison(sort.column, sort.descending) : null;
  if (table.tree) return orderOfTree(table, shape, keeps, compare, closed);
  const order = [];
  for (let row = 0; row < table.rows; ++row) if (!keeps || keeps(row)) order.push(row);
  return compare ? order.sort(compare) : order;
}
