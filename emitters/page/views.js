// SPDX-License-Identifier: Apache-2.0
// The page of a view: its facts, its tables, the command that prints them, and what the numbers mean.
import {el, commandLine} from './dom.js';
import {contents, answerTo} from './data.js';
import {linkTo, value} from './state.js';
import {TableView} from './table.js';
import {cardsOf} from './cards.js';
import {chartsOf} from './charts.js';
import {timeOf} from './moments.js';

export function factsOf(answer, wanted = () => true) {
  const shown = answer.facts.filter(([head]) => wanted(head));
  if (!shown.length) return null;
  return el('dl', {class: 'facts'}, shown.map(([head, ...facts]) => [
    el('dt', {}, head), el('dd', {}, facts.map((fact, i) => [i ? ', ' : '', el('bdi', {}, fact)]))]));
}

function notesOf(answer) {
  const notes = answer.folded ? [answer.folded, ...answer.notes] : answer.notes;
  if (!notes.length) return null;
  return el('ul', {class: 'notes', 'aria-label': 'Notes'}, notes.map((note) => el('li', {}, note.replace(/^note: /, ''))));
}

// Each table of the answer; those that repeat another one for programs are left out.
function tablesOf(answer) {
  const tables = answer.tables.filter((table) => table.human);
  const views = [];
  const elements = tables.map((table) => {
    if (table.cards) return [tables.length > 1 ? el('h2', {}, table.title) : null, cardsOf(table)];
    const view = new TableView(answer, table, tables.length > 1);
    views.push(view);
    return view.element;
  });
  return {element: el('div', {class: 'tables'}, elements), draw: () => views.forEach((view) => view.draw())};
}

// The kinds of rows that a view has, as links.
function kindsOf(entry, key) {
  if (entry.answers.length < 2) return null;
  const own = entry.answers[0], kinds = Number.isNaN(timeOf(key)) ? entry.answers : [...entry.answers, key];
  return el('p', {class: 'kinds', role: 'navigation', 'aria-label': 'Rows'}, kinds.map((one) =>
    el('a', {href: linkTo(entry.view, one === own ? {} : {show: one}), data: {control: one}, 'aria-current': one === key ? 'true' : null},
      one === own ? entry.view : one.slice(entry.view.length + 1))));
}

function columnsOf(answer) {
  const columns = answer.tables.flatMap((table) => table.columns.map((column) => [table, column]));
  const seen = new Set();
  return el('dl', {}, columns.filter(([, column]) => !seen.has(column.id) && seen.add(column.id)).map(([, column]) => [
      el('dt', {}, column.title, ' ', el('code', {}, column.id), column.written_unit ? ' in ' + column.written_unit : ''),
      el('dd', {}, column.meaning)]));
}
const meaningsOf = (entry, answer) => el('details', {class: 'meanings'}, el('summary', {}, 'What the numbers mean'), el('p', {}, entry.help), columnsOf(answer));

function heading(entry, command) {
  return el('header', {class: 'heading'}, el('h1', {}, entry.view), el('p', {class: 'summary'}, entry.summary),
    command && commandLine(command));
}

export async function viewPage(entry) {
  const show = value('show'), isMoment = contents.live ? !Number.isNaN(timeOf(show)) : entry.moments.includes(show);
  const key = entry.answers.includes(show) || isMoment ? show : entry.answers[0];
  if (!key) {
    return {element: el('div', {}, heading(entry, null), el('p', {class: 'lacks'}, 'This profile has no such data: ' + entry.lacks + '.'),
      el('p', {class: 'help'}, entry.help))};
  }
  return answerPage(entry, key);
}

// The curve above what was held at a time; it is another answer. So is that of more events than a table has.
async function curveOf(entry, key, answer) {
  const isCut = answer.table('timeline')?.left_out > 0, isMoment = !Number.isNaN(timeOf(key)), times = entry.answers.find((one) => one.endsWith(' -at times'));
  return times && (isCut || isMoment) ? chartsOf(await answerTo(times), null, entry, key) : [];
}

async function answerPage(entry, key) {
  const answer = await answerTo(key);
  const tables = tablesOf(answer), curve = await curveOf(entry, key, answer);
  return {
    element: el('div', {}, heading(entry, answer.command), kindsOf(entry, key), factsOf(answer), curve, chartsOf(answer, null, entry, key, curve.length > 0), tables.element, notesOf(answer),
      meaningsOf(entry, answer)),
    draw: tables.draw,
  };
}

const KEYS = [['/', 'to the filter'], ['[ ]', 'to the page before and after'], ['↑ ↓ Enter', 'rows of a table, and all values of one'], ['← →', 'close and open a row of a tree; operands and users in a graph; the cursor on a curve'],
  ['W S A D', 'zoom and move the trace'], ['F', 'fits the chosen span'], ['N P', 'next match of a search, and the one before'], ['J K', 'along an arrow and back'], [', .', 'the span before and after in its row; < > in the row above and below'], ['O', 'closes and opens a group of tracks'], ['Enter', 'in the trace, what ran; in a graph, what a node opens'], ['Backspace', 'in a graph, out again'], ['Esc', 'out of a field; nothing is chosen']];

// What rows and numbers of each view mean. Columns come with its answer, once that is wanted.
export function helpPage() {
  const partOf = (entry) => {
    const columns = el('div', {}), box = el('details', {class: 'meanings', data: {view: entry.view}, on: {toggle: () => {
      if (!box.open || columns.firstChild || !entry.answers.length) return;
      answerTo(entry.answers[0]).then((answer) => columns.replaceChildren(columnsOf(answer)), (error) => columns.replaceChildren(el('p', {class: 'lacks'}, error.message)));
    }}}, el('summary', {}, el('b', {}, entry.view), ' ', entry.summary), el('p', {}, entry.help),
    el('p', {}, entry.answers.length ? el('a', {href: linkTo(entry.view)}, 'its page') : 'This profile has no such data: ' + entry.lacks + '.'), columns);
    return box;
  };
  return {element: el('div', {}, el('header', {class: 'heading'}, el('h1', {}, 'Help'), el('p', {class: 'summary'}, 'what rows and numbers mean, and keys')),
    el('dl', {class: 'facts'}, KEYS.map(([keys, what]) => [el('dt', {}, keys), el('dd', {}, what)])), contents.entries.map(partOf))};
}

// A live page answers any command.
export async function askPage() {
  const line = value('line') || '';
  const input = el('input', {type: 'text', class: 'filter wide', value: line, spellcheck: 'false', placeholder: 'op -n 20, peek NAME, kernels -by op ...', 'aria-label': 'Command'});
  const form = el('form', {class: 'tools', on: {submit: (event) => { event.preventDefault(); location.hash = linkTo('ask', {line: input.value}); }}},
    input, el('button', {type: 'submit'}, 'Ask'));
  const element = el('div', {}, el('header', {class: 'heading'}, el('h1', {}, 'Ask'), el('p', {class: 'summary'}, 'the answer to any command')), form);
  const view = line.trim().split(/\s+/)[0], entry = contents.entries.find((one) => one.view === view) || {view, summary: '', help: '', answers: []};
  if (!view) return {element, draw: () => input.focus()};
  const page = await answerPage(entry, line.trim()).catch((error) => {
    if (error.name === 'AbortError') throw error;
    return {element: el('p', {class: 'lacks', role: 'alert'}, error.message)};
  });
  element.append(page.element);
  return {element, draw: () => page.draw && page.draw()};
}
