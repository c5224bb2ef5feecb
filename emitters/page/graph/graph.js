// SPDX-License-Identifier: Apache-2.0
// A graph as boxes from left to right: a small one as a whole, of a large one what is around a node.
import {el, svg, say, showTip, hideTip, factTable, widthOf} from '../dom.js';
import {answerTo, contents} from '../data.js';
import {keep, linkTo, value} from '../state.js';
import {around, graphOf, heaviestOf, layersOf, markPaths, scopesOf} from './model.js';

const WIDTH = 200, HEIGHT = 38, ACROSS = 44, DOWN = 12;
const WHOLE = 40, MOST = 150;  // nodes
const OF = ['host', 'program'];  // names are unique within these

// The node where a group ends: its root, which nothing else reads.
const outOf = (group) => group.nodes.findLast((node) => !node.after.length) || group.nodes[0];
const shortened = (text, most) => text.length <= most ? text : '…' + text.slice(1 - most);
const begun = (text, most) => text.length <= most ? text : text.slice(0, most - 1) + '…';
// As much of a text as a box has room for: its end, or with `begun` its begin.
function fitted(text, size, cut = shortened) {
  for (let most = text.length;;) {
    const shown = cut(text, most), width = widthOf(shown, size);
    if (most <= 1 || width <= WIDTH - 14) return shown;
    most = Math.min(most - 1, Math.ceil(most * (WIDTH - 14) / width));
  }
}

class GraphFigure {
  // `by`: what its nodes can be, of which one is chosen; empty: no choice.
  constructor(view, table, graph, title, by) {
    this.by = by;
    this.view = view;
    this.graph = graph;
    this.table = table;
    this.key = table.name + '.node';
    const wanted = OF.map((id) => [table.column(id), value(table.name + '.' + id)]).filter(([column, text]) => column && text !== null);
    const named = this.graph.nodes[Number(value(this.key) ?? -1)] ||
      this.graph.nodes.find((node) => node.name === value(table.name + '.named') && wanted.every(([column, text]) => column.text(node.row) === text));
    this.group = this.graph.groups.find((group) => group.nodes.includes(named)) || this.heaviestGroup();
    this.node = named && this.group.nodes.includes(named) ? named : heaviestOf(this.group.nodes);
    this.steps = Number(value(table.name + '.around')) || 2;
    this.board = el('div', {class: 'board graph'});
    this.count = el('output', {class: 'count'});
    this.element = el('figure', {class: 'chart'}, el('figcaption', {}, el('h2', {}, title), this.tools()), this.board);
    this.paths = new Map();
    this.draw();
    if (table.name !== 'stages') answerTo('critical_path').then((answer) => { this.paths = markPaths(graph, answer); if (this.paths.size) this.draw(); }, () => {});
  }
  heaviestGroup() {
    if (this.graph.top) return this.graph.top;
    const sum = (group) => group.nodes.reduce((all, node) => all + node.weight, 0);
    return this.graph.groups.reduce((best, group) => sum(group) > sum(best) || (sum(group) === sum(best) && group.nodes.length > best.nodes.length) ? group : best);
  }
  tools() {
    const {groups} = this.graph;
    const chooser = groups.length > 1 ? el('label', {}, 'of ', el('select', {on: {change: (event) => {
      this.group = groups[event.target.selectedIndex];
      this.choose(heaviestOf(this.group.nodes));
    }}}, groups.map((group) => el('option', {selected: group === this.group}, group.title + ' (' + group.nodes.length + ')')))) : null;
    const find = el('input', {type: 'search', class: 'filter', placeholder: 'Node with this text', spellcheck: 'false', 'aria-label': 'Goes to the first node with this text', on: {
      change: () => {
        const text = find.value.toLowerCase(), found = text && this.group.nodes.find((node) => node.name.toLowerCase().includes(text));
        find.classList.toggle('wrong', Boolean(text) && !found);
        if (found) this.choose(found);
      }}});
    const by = (label, change) => el('button', {type: 'button', on: {click: () => {
      this.steps = Math.max(1, Math.min(9, this.steps + change));
      keep(this.table.name + '.around', this.steps === 2 ? null : String(this.steps));
      this.draw();
    }}}, label);
    this.further = [by('fewer', -1), by('more', 1)];
    this.ways = el('span', {class: 'ways'});
    this.chooser = chooser && chooser.querySelector('select');
    const kinds = this.by.length ? el('label', {}, 'by ', el('select', {data: {control: 'graph.by'}, on: {change: (event) => {
      keep('graph.by', event.target.value);
      dispatchEvent(new Event('hashchange'));
    }}}, this.by.map((one) => el('option', {value: one, selected: one === (value('graph.by') || this.by[0])}, one)))) : null;
    return [kinds, chooser, find, ...this.further, this.ways, this.count];
  }
  // Into what the chosen node fuses or calls, and out to what calls this.
  drawWays() {
    const way = (text, title, node) => el('button', {type: 'button', title, on: {click: () => this.choose(node)}}, text);
    const {node, group} = this, opcode = ['opcode', 'category'].map((id) => this.table.column(id)).find(Boolean), all = this.view + ' -all';
    const elsewhere = !this.table.column('called') && opcode && /fusion/.test(opcode.text(node.row)) && contents.answers.includes(all);
    const of = OF.map((id) => [id, this.table.column(id)]).filter(([, column]) => column && !column.isAbsent(node.row));
    const link = {show: all, 'instructions.named': node.name, ...Object.fromEntries(of.map(([id, column]) => ['instructions.' + id, column.text(node.row)]))};
    const path = this.paths.get(node.on ? node.on.program : [...this.paths.keys()][0]), steps = [];
    const toward = (text, title, by) => path && path.has(by) && steps.push(way(text, title, path.get(by)));
    if (node.on) {
      toward('‹ path', 'The node before this one on the critical path', node.on.position - 1);
      toward('path ›', 'The next node of the critical path', node.on.position + 1);
    } else toward('critical path', 'The first node of the critical path', 1);
    if (path) steps.push(el('a', {href: linkTo('critical_path')}, 'as a table'));
    this.ways.replaceChildren(...(group.caller ? [way('‹ ' + shortened(group.caller.name, 30), 'What calls these instructions', group.caller)] : []),
      ...node.opens.map((opened) => way('open ' + shortened(opened.nodes[0].group.title.split(' · ').pop(), 30), 'What ' + node.name + ' fuses or calls', outOf(opened))),
      ...(elsewhere ? [el('a', {href: linkTo(this.view, link)}, 'open ' + shortened(node.name, 30))] : []), ...steps);
  }
  choose(node) {
    this.node = node;
    this.group = node.group;
    keep(this.key, String(node.row));
    this.draw();
    const chosen = this.board.querySelector('.chosen');
    if (chosen) chosen.focus({preventScroll: true});
    say(node.name + ': ' + node.before.length + ' operands, ' + node.after.length + ' users');
  }
  factsOf(node) {
    return this.table.readers.filter((column) => !column.isAbsent(node.row)).map((column) => [column.title, column.human(node.row)]);
  }
  draw() {
    this.drawWays();
    if (this.chooser) this.chooser.selectedIndex = this.graph.groups.indexOf(this.group);
    const {group} = this, whole = group.nodes.length <= WHOLE;
    const shown = whole ? new Set(group.nodes) : around(this.node, this.steps, MOST);
    for (const button of this.further) button.hidden = whole;
    this.count.textContent = whole ? group.nodes.length + ' nodes' : shown.size + ' of ' + group.nodes.length.toLocaleString('en') + ' nodes, ' + this.steps + ' around';
    const columns = layersOf(shown), tallest = Math.max(...columns.map((nodes) => nodes.length));
    const height = tallest * (HEIGHT + DOWN) + DOWN, width = columns.length * (WIDTH + ACROSS);
    const place = new Map();
    columns.forEach((nodes, x) => nodes.forEach((node, y) => place.set(node,
      {x: x * (WIDTH + ACROSS) + 4, y: (height - nodes.length * (HEIGHT + DOWN)) / 2 + y * (HEIGHT + DOWN) + DOWN / 2})));
    const picture = svg('svg', {width, height, role: 'group', 'aria-label': 'Graph: ' + shown.size + ' nodes around ' + this.node.name});
    for (const [node, to] of place) {
      for (const from of node.before) {
        const a = place.get(from);
        if (!a) continue;
        const x = a.x + WIDTH, y = a.y + HEIGHT / 2, end = to.y + HEIGHT / 2, bend = Math.max(18, (to.x - x) / 2);
        const isOnPath = from.on && node.on && from.on.program === node.on.program && from.on.position + 1 === node.on.position;
        picture.append(svg('path', {class: 'edge' + (isOnPath ? ' critical' : node === this.node || from === this.node ? ' near' : ''), d: `M${x} ${y}C${x + bend} ${y} ${to.x - bend} ${end} ${to.x} ${end}`}));
      }
    }
    const most = Math.max(...[...shown].map((node) => node.weight), 0);
    for (const [node, {x, y}] of place) picture.append(this.box(node, x, y, most));
    this.board.replaceChildren(picture);
    const {x, y} = place.get(this.node) || {x: 0, y: 0};
    requestAnimationFrame(() => this.board.scrollTo(x - this.board.clientWidth / 2 + WIDTH / 2, y - this.board.clientHeight / 2 + HEIGHT / 2));
  }
  box(node, x, y, most) {
    const {table} = this, {weight} = this.graph, state = table.column('state'), mark = state && state.text(node.row);
    const kind = ['opcode', 'type'].map((id) => table.column(id)).find(Boolean);
    const below = [kind && kind.text(node.row), node.opens.length ? '⊞' : null, weight && !weight.isAbsent(node.row) ? weight.human(node.row) : null, mark, node.on ? 'path ' + node.on.position : null].filter(Boolean).join(' · ');
    const group = svg('g', {class: 'node' + (node === this.node ? ' chosen' : '') + (mark ? ' marked' : '') + (node.on ? ' critical' : ''), tabindex: 0, role: 'button', transform: `translate(${x} ${y})`,
      'data-row': node.row, 'aria-label': node.name + (below ? ', ' + below : '')});
    const fill = svg('rect', {class: 'fill', width: WIDTH, height: HEIGHT, rx: 5});
    fill.style.opacity = most > 0 ? 0.35 * node.weight / most : 0;
    group.append(svg('rect', {class: 'back', width: WIDTH, height: HEIGHT, rx: 5}), fill,
      svg('text', {class: 'title', x: 8, y: 16}, fitted(node.name, 12)), svg('text', {class: 'tick', x: 8, y: 31}, fitted(below, 11.5, begun)));
    const hidden = [node.before, node.after].map((nodes) => nodes.length);
    const tell = (left, top) => showTip(left, top, el('b', {}, el('bdi', {}, node.name)), factTable([['operands', hidden[0]], ['users', hidden[1]], ...this.factsOf(node).slice(0, 12)]));
    group.addEventListener('mousemove', (event) => tell(event.clientX, event.clientY));
    group.addEventListener('mouseleave', hideTip);
    const opened = node.opens[0], out = node.group.caller;
    group.addEventListener('click', () => { hideTip(); this.choose(node === this.node && opened ? outOf(opened) : node); });
    group.addEventListener('keydown', (event) => {
      const next = {Enter: opened ? outOf(opened) : node, Backspace: out, ArrowLeft: node.before[0], ArrowRight: node.after[0]}[event.key];
      if (!next) return;
      event.preventDefault();
      this.choose(next);
    });
    return group;
  }
}

export function graphChart(view, table, title) {
  const graph = graphOf(table), scopes = contents.entries.find((entry) => entry.view === 'scope');
  if (!graph.groups.length) return null;
  const by = table.name === 'graph' && scopes && scopes.answers.length ? ['node', 'scope'] : [];
  if (value('graph.by') !== 'scope' || !by.length) return new GraphFigure(view, table, graph, title, by).element;
  const place = el('div');
  answerTo(scopes.answers[0]).then((answer) => {
    const tree = answer.tables[0], grouped = scopesOf(graph, tree);
    place.append(new GraphFigure(view, tree, grouped, title, by).element);
  }, () => {});
  return place;
}
