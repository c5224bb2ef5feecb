// SPDX-License-Identifier: Apache-2.0
// A table of an answer: sorted, filtered, with only the rows on the screen in the document.
import {el, say, showTip, hideTip, factTable, commandLine, widthOf} from './dom.js';
import {value, keep} from './state.js';
import {orderOf, shapeOf, filterOf} from './rows.js';
import {csvOf, save} from './csv.js';

const ROW = 25;      // px, as in the stylesheet
const AROUND = 12;   // rows drawn above and below those on the screen
const WIDEST = 460;  // px: longer texts are cut
const NARROWEST = 130, BAR = 90, TIGHTER = 8;  // px: of a text, for a bar beside a number, and what cells can spare
const SAMPLED = 400; // rows that widths are taken from
const FEW = 5;       // rows that nobody filters

const indentOf = (depth) => 16 * Math.min(depth, 8) + 5 * Math.max(0, Math.min(depth, 40) - 8);  // px
const isRight = (column) => column.isNumber;
const explained = (column) => [
  el('b', {}, column.title), el('p', {}, column.meaning),
  factTable([['id', column.id], ...(column.written_unit ? [['unit of CSV and JSON', column.written_unit]] : [])]),
];

// Texts of names in trees: the part below the name of the row above.
function nameOf(table, shape, column, row) {
  const name = column.human(row), above = table.tree ? shape.parent[row] : -1;
  if (above < 0 && table.root && row === 0) return table.root;
  if (above < 0 || column.isNumber) return name;
  const parent = column.text(above);
  return parent && name.startsWith(parent + '/') ? name.slice(parent.length + 1) : name;
}

export class TableView {
  // keyed: the keys of this table in the address begin with its name; else it is the only one.
  constructor(answer, table, keyed) {
    Object.assign(this, {answer, table, prefix: keyed ? table.name + '.' : ''});
    this.shape = table.tree ? shapeOf(table) : null;
    this.closed = new Set();
    this.active = -1;
    this.all = value(this.prefix + 'columns') === 'all';
    this.sort = this.sortOf(value(this.prefix + 'sort'));
    this.body = el('tbody');
    this.head = el('thead');
    this.widths = el('colgroup');
    this.count = el('span', {class: 'count'});
    this.search = el('input', {
      type: 'search', class: 'filter', placeholder: 'Filter: text, /regex/, column>1000', spellcheck: 'false', autocomplete: 'off',
      'aria-label': 'Filter the rows of ' + table.title, value: value(this.prefix + 'filter') || '',
      on: {input: () => { keep(this.prefix + 'filter', this.search.value); this.order(); this.draw(); }},
    });
    this.grid = el('table', {class: 'rows', 'aria-label': table.title}, this.widths, this.head, this.body);
    this.scroll = el('div', {class: 'scroll', tabindex: 0, role: 'group', 'aria-label': table.title + ': arrow keys move, Enter shows a row',
      on: {scroll: () => this.draw(), keydown: (event) => this.press(event), mouseleave: hideTip}}, this.grid);
    this.detail = el('div', {class: 'detail', hidden: true});
    this.element = el('section', {class: 'table', data: {table: table.name}}, this.tools(), this.scroll, this.detail, this.below());
    this.order();
    this.heads();
    new ResizeObserver(() => this.draw()).observe(this.scroll);
  }

  tools() {
    const more = this.table.columns.length > this.table.readers.length;
    this.columnsButton = more && el('button', {type: 'button', 'aria-pressed': String(this.all), title: 'Also columns that the terminal leaves out',
      on: {click: () => this.showAll(!this.all)}}, 'all columns');
    const csv = el('button', {type: 'button', title: 'Saves the rows shown, with all columns',
      on: {click: () => save(this.table.name + '.csv', csvOf(this.table, this.table.columns, this.shown))}}, 'CSV');
    if (!this.table.rows) return el('div', {class: 'tools'}, el('h2', {}, this.table.title), this.count);
    const search = this.table.rows > FEW || this.search.value ? this.search : null;
    return el('div', {class: 'tools'}, el('h2', {}, this.table.title), this.count, search, this.columnsButton, csv);
  }
  below() {
    const left = this.table.left_out;
    return left > 0 && el('p', {class: 'left'}, left.toLocaleString('en') + ' more rows are not on this page; ',
      commandLine(this.answer.command));
  }

  columns() { return this.all ? this.table.columns : this.table.readers; }
  showAll(all) {
    this.all = all;
    this.columnsButton.setAttribute('aria-pressed', String(all));
    keep(this.prefix + 'columns', all ? 'all' : null);
    this.heads();
    this.draw();
  }
  sortOf(text) {
    if (!text) return null;
    const column = this.table.column(text.replace(/^-/, ''));
    return column ? {column, descending: text.startsWith('-')} : null;
  }
  // Numbers first descend, texts ascend; the third click restores the order of the answer.
  sortBy(column) {
    const first = column.isNumber, same = this.sort && this.sort.column === column;
    if (!same) this.sort = {column, descending: first};
    else if (this.sort.descending === first) this.sort = {column, descending: !first};
    else this.sort = null;
    keep(this.prefix + 'sort', this.sort ? (this.sort.descending ? '-' : '') + column.id : null);
    say(this.sort ? 'sorted by ' + column.title : 'in the order of the answer');
    this.order();
    this.heads();
    this.draw();
  }

  order() {
    let keeps = null;
    this.search.classList.remove('wrong');
    try { keeps = filterOf(this.search.value, this.table); } catch (error) { this.search.classList.add('wrong'); }
    this.shown = orderOf(this.table, this.shape, keeps, this.sort, this.closed);
    const rows = (count) => count.toLocaleString('en') + (count === 1 ? ' row' : ' rows');
    this.count.textContent = this.shown.length === this.table.rows ? rows(this.table.rows)
        : this.shown.length.toLocaleString('en') + ' of ' + rows(this.table.rows);
    this.drawn = null;
  }

  heads() {
    this.drawn = null;
    const columns = this.columns();
    const ordered = this.sort ? this.sort.column.id : this.table.ordered_by;
    this.bar = columns.find((column) => column.isNumber && (column.id === ordered || (!this.sort && !ordered && column.role === 'self'))) || null;
    this.most = 0;
    if (this.bar) for (let row = 0; row < this.table.rows; ++row) this.most = Math.max(this.most, this.bar.number(row) || 0);
    this.head.replaceChildren(el('tr', {}, columns.map((column) => {
      const mine = this.sort && this.sort.column === column;
      const button = el('button', {type: 'button', on: {
        click: () => this.sortBy(column), mouseleave: hideTip, blur: hideTip,
        mouseenter: (event) => showTip(event.clientX, event.clientY, ...explained(column)),
        focus: () => { const box = button.getBoundingClientRect(); if (button.matches(':focus-visible')) showTip(box.left, box.bottom, ...explained(column)); },
      }}, column.title);
      return el('th', {scope: 'col', class: isRight(column) ? 'right' : null, data: {id: column.id},
        'aria-sort': mine ? (this.sort.descending ? 'descending' : 'ascending') : null}, button);
    })));
    this.wanted = columns.map((column, i) => this.widthOf(column, i));
    this.fit();
  }
  // Tables stand beside each other where there is room.
  around() { return this.element.closest('.tables') || this.element; }
  // Where columns need more than there is room, the longest texts give way.
  fit() {
    const columns = this.columns(), room = Math.max(0, this.around().clientWidth - 2) || Infinity, sum = (widths) => widths.reduce((all, one) => all + one, 0);
    const deepest = this.table.tree ? indentOf(this.table.depth.reduce((most, one) => Math.max(most, one), 0)) : 0;
    let widths = this.wanted;
    if (sum(widths) > room) widths = widths.map((width, i) => columns[i] === this.bar ? width - BAR : width);
    const isTight = sum(widths) > room;
    if (isTight) widths = widths.map((width) => width - TIGHTER);
    this.grid.classList.toggle('tight', isTight);
    for (let most = WIDEST; sum(widths) > room && most >= NARROWEST; most -= 10) {
      widths = widths.map((width, i) => isRight(columns[i]) ? width : Math.min(width, i === 0 ? 1.5 * most + deepest : most));
    }
    this.widths.replaceChildren(...widths.map((width) => {
      const made = el('col');
      made.style.width = width + 'px';
      return made;
    }));
    this.grid.style.width = sum(widths) + 'px';
  }
  widthOf(column, i) {
    let longest = widthOf(column.title) + 14;  // and the arrow of an order
    const step = Math.max(1, Math.floor(this.table.rows / SAMPLED));
    for (let row = 0; row < this.table.rows; row += step) {
      const indent = i === 0 && this.table.tree ? indentOf(this.table.depth[row]) + 22 : 0;
      const text = i === 0 ? nameOf(this.table, this.shape, column, row) : column.human(row);
      longest = Math.max(longest, widthOf(text.slice(0, 200)) + indent);
    }
    return Math.ceil(Math.min(longest, WIDEST) + 22 + (this.bar === column ? BAR : 0));
  }

  draw() {
    if (!this.fits && this.element.isConnected) {
      this.fits = new ResizeObserver(() => this.fit());
      this.fits.observe(this.around());
    }
    const rows = this.shown.length, height = this.scroll.clientHeight || 600;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / ROW) - AROUND);
    const last = Math.min(rows, Math.ceil((this.scroll.scrollTop + height) / ROW) + AROUND);
    if (this.drawn && this.drawn[0] === first && this.drawn[1] === last) return;
    this.drawn = [first, last];
    const columns = this.columns();
    const space = (count) => {
      const row = el('tr', {class: 'space', 'aria-hidden': 'true'}, el('td', {colspan: Math.max(1, columns.length)}));
      row.style.height = count * ROW + 'px';
      return row;
    };
    const made = [];
    if (first > 0) made.push(space(first));
    for (let i = first; i < last; ++i) made.push(this.rowAt(i, columns));
    if (last < rows) made.push(space(rows - last));
    if (rows === 0) made.push(el('tr', {class: 'none'}, el('td', {colspan: Math.max(1, columns.length)}, this.table.rows ? 'no row matches' : 'no rows')));
    this.grid.setAttribute('aria-rowcount', rows + 1);
    this.body.replaceChildren(...made);
    // More rows make the table higher. The observer does not report it if it was as high at the last frame.
    if (this.scroll.clientHeight > height) this.draw();
  }
  rowAt(i, columns) {
    const row = this.shown[i];
    const cells = columns.map((column, at) => this.cellOf(column, at, row));
    return el('tr', {'aria-rowindex': i + 2, class: i === this.active ? 'active' : null, data: {row},
      on: {click: () => { if (!String(getSelection())) this.activate(i, true); }}}, cells);
  }
  cellOf(column, at, row) {
    const {table} = this;
    if (at > 0 || !table.tree) {
      const text = at === 0 ? nameOf(table, this.shape, column, row) : column.human(row);
      const cell = el('td', {class: isRight(column) ? 'right' : null, title: isRight(column) ? null : text,
        data: column.isAbsent(row) ? {} : {value: column.written(row)}}, isRight(column) ? text : el('bdi', {}, text));
      if (column === this.bar && this.most > 0) {
        cell.classList.add('bar');
        cell.style.setProperty('--part', Math.max(0, 100 * column.number(row) / this.most || 0) + '%');
      }
      return cell;
    }
    const hasParts = this.shape.end[row] > row + 1;
    const twist = el('button', {type: 'button', class: 'twist', tabindex: -1, hidden: !hasParts, 'aria-label': 'parts',
      'aria-expanded': String(!this.closed.has(row)), on: {click: (event) => { event.stopPropagation(); this.twist(row); }}});
    const name = nameOf(table, this.shape, column, row);
    const cell = el('td', {class: 'name', title: column.human(row), data: {value: column.written(row) ?? ''}},
      twist, el('bdi', {}, name));
    cell.style.paddingLeft = 10 + indentOf(table.depth[row]) + (hasParts ? 0 : 18) + 'px';
    return cell;
  }
  twist(row) {
    if (!this.closed.delete(row)) this.closed.add(row);
    this.order();
    this.draw();
  }

  // ---- one row --------------------------------------------------------------------------------------

  activate(i, opens) {
    this.active = Math.max(0, Math.min(i, this.shown.length - 1));
    const top = this.active * ROW, head = this.head.offsetHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    if (top + ROW + head > this.scroll.scrollTop + this.scroll.clientHeight) this.scroll.scrollTop = top + ROW + head - this.scroll.clientHeight;
    this.drawn = null;
    this.draw();
    if (opens || !this.detail.hidden) this.showDetail();
    const first = this.columns()[0];
    if (first) say(first.human(this.shown[this.active]));
  }
  showDetail() {
    const row = this.shown[this.active];
    const close = el('button', {type: 'button', on: {click: () => { this.detail.hidden = true; }}}, 'close');
    const facts = this.table.columns.filter((column) => !column.isAbsent(row)).map((column) => el('tr', {},
      el('th', {scope: 'row', title: column.meaning}, column.title), el('td', {}, el('bdi', {}, column.human(row))),
      el('td', {class: 'meaning'}, column.meaning)));
    this.detail.replaceChildren(close, el('table', {}, facts));
    this.detail.hidden = false;
  }
  press(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.scroll.clientHeight / ROW) - 2), row = this.shown[this.active];
    const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity};
    if (event.key in steps) this.activate(this.active + steps[event.key], false);
    else if (event.key === 'Enter' && this.active >= 0) this.showDetail();
    else if (event.key === 'Escape' && !this.detail.hidden) this.detail.hidden = true;
    else if (this.table.tree && row !== undefined && (event.key === 'ArrowLeft' || event.key === 'ArrowRight')) {
      if (this.closed.has(row) === (event.key === 'ArrowRight')) this.twist(row);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
