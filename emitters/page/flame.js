// SPDX-License-Identifier: Apache-2.0
// Trees as flame graphs: the frames of emitters/flame/, made of the tables of this page.
import {el, showTip, hideTip, factTable, commandLine, say} from './dom.js';
import {contents, answerTo, changesOf, hasChanges} from './data.js';
import {keep, linkTo, value} from './state.js';
import {TableView} from './table.js';

// A measure's unit and how many of the stored values are one of it.
const UNITS = {ps_as_us: ['us', 1e6], ps_as_ms: ['us', 1e6], ps: ['us', 1e6], us: ['us', 1], B: ['bytes', 1]};

// Sums over a row and all below it. Trees of instructions have no others than their times.
const measuresOf = (table) => table.columns.filter((column) => (column.role === 'total' || (table.name === 'op_profile' && column.id === 'time_us')) && !column.isEmpty && column.number(0) > 0);

// The columns of frames, as emitters/flame/html.cc writes them.
function framesOf(table, column) {
  const [unit, size] = UNITS[column.unit] || [column.title.replace(/^total /, ''), 1], names = table.column('name');
  const rows = [...Array(table.rows).keys()].filter((row) => column.number(row) > 0);
  const data = {view: table.name, measure: column.title, unit, depth: [], self: [], small: [], runs: [], label: [], name: [], kind: [], device: [], mostly: [], strings: ['']};
  const ids = new Map([['', 0]]), own = new Map(), above = [];
  const idOf = (text) => {
    if (!ids.has(text)) { ids.set(text, data.strings.length); data.strings.push(text); }
    return ids.get(text);
  };
  for (const row of rows) {  // a frame's own value is what its parts leave
    const amount = column.number(row) / size;
    above.length = table.depth[row];
    own.set(row, amount);
    const parent = above.findLast((one) => one !== undefined);
    if (parent !== undefined) own.set(parent, Math.max(0, own.get(parent) - amount));
    above.push(row);
  }
  for (const row of rows) {
    const name = row === 0 && table.root ? table.root : names.text(row);
    data.depth.push(table.depth[row]);
    data.self.push(own.get(row));
    data.small.push(0);
    data.runs.push(null);
    data.name.push(idOf(name));
    data.label.push(idOf(table.name === 'scope' ? name.slice(name.lastIndexOf('/') + 1) : name));
    for (const key of ['kind', 'device', 'mostly']) data[key].push(0);
  }
  return data;
}

class FlamePage {
  // `changes`: against the base; null: the profile itself is drawn.
  constructor(trees, {name, entry}, answer, changes) {
    const table = answer.tables[0], measures = measuresOf(table);
    const by = measures.find((column) => column.id === value('by')) || measures[0];
    const choice = (label, key, options, chosen) => el('label', {}, label + ' ', el('select', {data: {control: key}, on: {change: (event) => {
      for (const one of ['zoom', 'search']) keep(one, null);
      keep(key, event.target.value);
      dispatchEvent(new Event('hashchange'));
    }}}, options.map(([id, title]) => el('option', {value: id, selected: id === chosen}, title))));
    this.board = el('div', {class: 'flame', tabindex: 0, role: 'tree', 'aria-label': 'Flame graph. Arrow keys move, Enter zooms, Escape resets.'});
    const parts = {board: this.board, legend: el('div', {class: 'frames'}), reset: el('button', {type: 'button', on: {click: () => this.zoom(0)}}, 'Reset zoom'), nothing: el('p', {hidden: true}, 'No frame has a value.')};
    this.found = el('output', {class: 'count'});
    this.search = el('input', {type: 'search', class: 'filter', placeholder: 'Search (regex)', spellcheck: 'false', 'aria-label': 'Search frames by regular expression', value: value('search') || '',
      on: {input: () => { keep('search', this.search.value); this.find(); this.chart.draw(); }}});
    this.detail = el('div', {class: 'chosen apart', 'aria-live': 'polite'});
    this.table = changes ? null : new TableView(answer, table, false);
    this.element = el('div', {}, el('header', {class: 'heading'}, el('h1', {}, 'Flame graph'),
      el('p', {class: 'summary'}, changes ? 'red takes more than in the base, blue less' : entry.summary), commandLine(changes ? 'flame changes.html -diff -view ' + entry.view : answer.command)),
      el('div', {class: 'tools'}, choice('rows', 'view', trees.map((one) => [one.name, one.name]), name),
        hasChanges(entry.view) ? choice('colors', 'colors', [['name', 'by name'], ['change', 'by change since the base']], changes ? 'change' : 'name') : null,
        choice('root', 'root', [['top', 'at the top (icicle)'], ['bottom', 'at the bottom (flame)']], value('root') === 'bottom' ? 'bottom' : 'top'),
        changes ? null : choice('width', 'by', measures.map((column) => [column.id, column.title.replace(/^total /, '')]), by && by.id), this.search, this.found, parts.reset, changes && el('a', {href: linkTo('diff', {show: 'diff -view ' + entry.view})}, 'table')),
      this.board, parts.nothing, changes ? parts.legend : null, this.detail, this.table && this.table.element, changes && changes.notes.length ? el('ul', {class: 'notes'}, changes.notes.map((note) => el('li', {}, note))) : null);
    if (!by && !changes) { parts.nothing.hidden = false; return; }
    this.flame = flameOf(changes || framesOf(table, by));
    this.chart = flameChart(this.flame, parts);
    const zoomed = Number(value('zoom') || 0);
    Object.assign(this.chart.view, {color: changes ? 'change' : 'name', root: value('root') === 'bottom' ? 'bottom' : 'top', zoomed: zoomed < this.flame.count ? zoomed : 0, active: zoomed < this.flame.count ? zoomed : 0});
    this.find();
    this.listen();
  }
  draw() {
    if (this.table) this.table.draw();
    if (!this.chart) return;
    let width = 0;
    new ResizeObserver(() => { if (this.board.clientWidth !== width) { width = this.board.clientWidth; this.chart.draw(); } }).observe(this.board);
    this.chart.draw();
    this.show(this.chart.view.active);
    if (this.chart.view.root === 'bottom') this.chart.view.drawn.get(this.chart.view.active).scrollIntoView({block: 'nearest'});
  }
  find() {
    this.search.classList.remove('wrong');
    this.chart.view.matches = null;
    this.found.textContent = '';
    if (!this.search.value) return;
    try {
      const {matches, frames, value: sum} = this.flame.findMatches(new RegExp(this.search.value, 'i'));
      this.chart.view.matches = matches;
      this.found.textContent = frames.toLocaleString('en') + ' frames, ' + this.flame.share(sum, this.flame.total[0]);
    } catch (error) { this.search.classList.add('wrong'); }
  }
  show(frame) {
    this.detail.replaceChildren(el('b', {}, el('bdi', {}, this.flame.nameOf(frame))),
      ...this.flame.factsOf(frame).map(([name, text]) => el('span', {}, el('i', {}, name), ' ', text)));
  }
  zoom(frame) {
    Object.assign(this.chart.view, {zoomed: frame, active: frame});
    keep('zoom', frame ? String(frame) : null);
    hideTip();
    this.chart.draw();
    this.show(frame);
  }
  activate(frame) {
    const {view} = this.chart, before = view.drawn.get(view.active), now = view.drawn.get(frame);
    if (!now) return;
    if (before) before.classList.remove('active');
    view.active = frame;
    now.classList.add('active');
    this.board.setAttribute('aria-activedescendant', now.id);
    now.scrollIntoView({block: 'nearest'});
    this.show(frame);
    say(this.flame.nameOf(frame));
  }
  listen() {
    const keys = this.chart.keysOf((frame) => this.activate(frame), (frame) => this.zoom(frame));
    const boxAt = (event) => event.target.closest('.frame');
    this.board.addEventListener('click', (event) => {
      const box = boxAt(event);
      if (box) this.zoom(box.dataset.count ? this.flame.parent[Number(box.dataset.frame)] : Number(box.dataset.frame));
    });
    this.board.addEventListener('mousemove', (event) => {
      const box = boxAt(event);
      if (!box) return hideTip();
      const frame = Number(box.dataset.frame);
      if (box.dataset.count) return showTip(event.clientX, event.clientY, el('b', {}, box.dataset.count + ' frames too narrow to draw'));
      showTip(event.clientX, event.clientY, el('b', {}, this.flame.nameOf(frame)), factTable(this.flame.factsOf(frame)));
    });
    this.board.addEventListener('mouseleave', hideTip);
    this.board.addEventListener('keydown', (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      const act = event.key === 'Escape' ? () => this.zoom(0) : keys[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }
}

// The trees of the page, {name, entry, key}: those of views, and instructions by what they belong to.
export const flameTrees = () => contents.entries.flatMap((entry) => entry.flames.map((key) => ({name: / -by /.test(key) ? key.replace('-by', 'by') : entry.view, entry, key})));
export async function flamePage() {
  const trees = flameTrees(), preferred = ['code', 'scope'].map((name) => trees.find((one) => one.name === name)).find(Boolean);
  const tree = trees.find((one) => one.name === value('view')) || preferred || trees[0];
  const changes = hasChanges(tree.entry.view) && value('colors') === 'change' ? await changesOf(tree.entry.view) : null;
  const page = new FlamePage(trees, tree, await answerTo(tree.key), changes);
  return {element: page.element, draw: () => page.draw()};
}
