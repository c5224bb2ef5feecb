// SPDX-License-Identifier: Apache-2.0
// Rows with sentences, as cards: findings with their evidence, cost and command.
import {el, commandLine} from './dom.js';

function cardOf(table, row, rank) {
  const long = table.columns.filter((column) => column.long && !column.isAbsent(row) && column.text(row));
  const short = table.readers.filter((column) => !column.long && !column.isAbsent(row));
  const facts = short.map((column) => el('span', {class: 'fact', title: column.meaning, data: {id: column.id, value: column.written(row)}},
    el('i', {}, column.title), ' ', el('bdi', {}, column.human(row))));
  const texts = long.map((column, i) => {
    const text = column.text(row), data = {id: column.id, value: text};
    if (i === 0) return el('h3', {data}, text);
    if (column.long === 'verbatim') return el('p', {class: 'verbatim', data}, commandLine(text));
    return el('p', {data, title: column.meaning}, column.label ? el('i', {}, column.label + ' ') : null, text);
  });
  const severity = table.column('severity');
  return el('article', {class: 'card', data: {row, severity: severity ? severity.text(row) : ''}, 'aria-label': 'finding ' + rank},
    texts[0], el('p', {class: 'facts'}, facts), texts.slice(1));
}

export function cardsOf(table, most = Infinity) {
  const cards = [];
  for (let row = 0; row < Math.min(table.rows, most); ++row) cards.push(cardOf(table, row, row + 1));
  return el('section', {class: 'cards', data: {table: table.name}},
    cards.length ? cards : el('p', {class: 'none'}, 'none'));
}
