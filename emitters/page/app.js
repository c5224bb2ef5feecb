// SPDX-License-Identifier: Apache-2.0
// The pages, their navigation and the keys that work everywhere.
import {el, hideTip, say} from './dom.js';
import {contents, leave} from './data.js';
import {linkTo, place} from './state.js';
import {askPage, helpPage, viewPage} from './views.js';
import {overviewPage} from './overview.js';
import {tracePage} from './trace/trace.js';
import {flamePage, flameTrees} from './flame.js';

const main = document.getElementById('main'), nav = document.getElementById('nav');

// ---- the pages -----------------------------------------------------------------------------------------

const pages = new Map();  // by name: {title, hint, lacks, make}; `lacks`: why it has nothing to show
pages.set('', {title: 'Overview', hint: 'The profile on one page', lacks: '', make: overviewPage});
if (contents.timeline) {
  pages.set('trace', {title: 'Trace', hint: 'Everything that ran, on a time axis', lacks: '', make: tracePage});
}
if (flameTrees().length) pages.set('flame', {title: 'Flame graph', hint: 'Trees of scopes and calls, as wide as their cost', lacks: '', make: flamePage});
if (contents.live) pages.set('ask', {title: 'Ask', hint: 'The answer to any command', lacks: '', make: askPage});
pages.set('help', {title: 'Help', hint: 'What rows and numbers mean, and keys', lacks: '', make: helpPage});
// Views by what they answer; those that none names are in the last group.
const GROUPS = [
  ['where time goes', ['advise', 'summary', 'overview', 'steps', 'input', 'tfdata', 'pod', 'jobs', 'compile']],
  ['operations', ['op', 'op_stats', 'top', 'kernels', 'hlo', 'critical_path', 'roofline', 'scope', 'graph', 'code']],
  ['devices and memory', ['utilization', 'memory', 'launch', 'sync', 'transfers', 'collectives']],
  ['what changed', ['diff']],
  ['what was recorded', ['info', 'events', 'planes', 'ls']],
];
const grouped = GROUPS.map(([title, views]) => [title, views.map((view) => contents.entries.find((entry) => entry.view === view)).filter(Boolean)]);
grouped.at(-1)[1].push(...contents.entries.filter((entry) => !GROUPS.some(([, views]) => views.includes(entry.view))));
for (const entry of grouped.flatMap(([, entries]) => entries)) {
  pages.set(entry.view, {title: entry.view, hint: entry.summary, lacks: entry.lacks || (entry.empty ? 'its tables have no rows' : ''), make: () => viewPage(entry)});
}
const names = [...pages.keys()];

// A page whose answer cannot be made says why.
async function makeOf(page) {
  try {
    return await page.make();
  } catch (error) {
    if (error.name === 'AbortError') return null;
    if (!contents.live) throw error;
    return {element: el('div', {}, el('header', {class: 'heading'}, el('h1', {}, page.title)), el('p', {class: 'lacks', role: 'alert'}, error.message))};
  }
}

// Says what the page waits for, and for how long, until there is something else. A program may have to read a
// large profile first.
function waiting(page) {
  const begin = performance.now(), time = el('span', {}), draw = () => { time.textContent = ((performance.now() - begin) / 1000).toFixed(0) + ' s'; };
  return setInterval(() => {
    if (!time.isConnected) main.replaceChildren(el('header', {class: 'heading'}, el('h1', {}, page.title), el('p', {class: 'summary waiting', role: 'status'}, contents.live ? 'the program makes this answer: ' : 'unpacking: ', time)));
    draw();
  }, 500);
}

let shown = 0;
async function show() {
  const turn = ++shown;
  leave();
  hideTip();
  const name = pages.has(place().page) ? place().page : '';
  for (const link of nav.querySelectorAll('a')) {
    if (link.dataset.page === name) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const timer = waiting(pages.get(name));
  const made = await makeOf(pages.get(name)).finally(() => clearInterval(timer));
  if (turn !== shown || !made) return;  // another page was opened meanwhile
  document.title = pages.get(name).title + ' · ' + contents.title;
  const control = document.activeElement?.dataset.control;  // it is made again
  main.replaceChildren(made.element);
  Object.assign(main.dataset, {page: name, at: location.hash});
  if (made.draw) made.draw();
  main.scrollTop = 0;
  if (control) main.querySelector(`[data-control="${CSS.escape(control)}"]`)?.focus();
  say(pages.get(name).title);
}

// ---- the navigation ------------------------------------------------------------------------------------

function drawNav() {
  const linkOf = ([name, page]) => el('a', {href: linkTo(name), title: page.lacks ? page.lacks : page.hint, data: {page: name},
    class: page.lacks ? 'lacks' : null}, page.title);
  const isView = (name) => contents.entries.some((entry) => entry.view === name);
  const usable = [...pages].filter(([, page]) => !page.lacks), others = [...pages].filter(([, page]) => page.lacks);
  const theme = el('button', {type: 'button', title: 'Light or dark', 'aria-label': 'Switch between light and dark', on: {click: switchTheme}}, '◐');
  nav.replaceChildren(
    el('div', {class: 'profile'}, el('b', {title: contents.opened}, el('bdi', {}, contents.title.split(/(?<=[._/-])/).map((part) => [part, el('wbr')]))), theme),
    ...(contents.others ? [el('a', {href: '../', title: 'The list of all that is served'}, '‹ other profiles')] : []),
    el('div', {class: 'links'}, usable.filter(([name]) => !isView(name)).map(linkOf), grouped.map(([title, entries]) => {
      const links = usable.filter(([name]) => entries.some((entry) => entry.view === name)).map(linkOf);
      return links.length ? [el('p', {class: 'group'}, title), links] : null;
    }),
      others.length ? el('details', {}, el('summary', {}, 'not in this profile'), others.map(linkOf)) : null),
    el('p', {class: 'keys'}, el('kbd', {}, '/'), ' filter ', el('kbd', {}, '['), el('kbd', {}, ']'), ' pages'),
    el('p', {class: 'program'}, contents.program));
}
function switchTheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches, root = document.documentElement;
  const now = root.dataset.theme || (dark ? 'dark' : 'light');
  root.dataset.theme = now === 'dark' ? 'light' : 'dark';
}

// ---- keys ------------------------------------------------------------------------------------------------

function step(by) {
  const usable = names.filter((name) => !pages.get(name).lacks);
  const at = usable.indexOf(main.dataset.page);
  location.hash = linkTo(usable[(at + by + usable.length) % usable.length]);
}
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);
  if (event.key === 'Escape' && typing) return event.target.blur();
  if (typing) return;
  const filter = main.querySelector('.filter');
  if (event.key === '/' && filter) { event.preventDefault(); filter.focus(); }
  if (event.key === '[') step(-1);
  if (event.key === ']') step(1);
});
addEventListener('hashchange', show);

drawNav();
show();
