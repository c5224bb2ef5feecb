// SPDX-License-Identifier: Apache-2.0
// Tables as CSV (RFC 4180), with the numbers of `-format csv`.
import {el} from './dom.js';

const quoted = (text) => /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;

export function csvOf(table, columns, rows) {
  const lines = [columns.map((column) => quoted(column.id)).join(',')];
  for (const row of rows) {
    lines.push(columns.map((column) => quoted(column.written(row) ?? '')).join(','));
  }
  return lines.join('\r\n') + '\r\n';
}

export function save(name, text) {
  const link = el('a', {href: URL.createObjectURL(new Blob([text], {type: 'text/csv'})), download: name});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
