// SPDX-License-Identifier: Apache-2.0
// The first page: where the time of a step goes, what is most expensive, and what to do about it.
import {el, commandLine} from './dom.js';
import {contents, answerTo} from './data.js';
import {linkTo} from './state.js';
import {chartsOf} from './charts.js';
import {factsOf} from './views.js';
import {TableView} from './table.js';

const ownAnswer = (view) => {
  const entry = contents.entries.find((one) => one.view === view);
  if (!entry || !entry.answers.length) return Promise.resolve(null);
  return answerTo(entry.answers[0]).catch((error) => {
    if (error.name === 'AbortError') throw error;
    return null;  // its own page says why
  });
};

// The first rows, as bars with a link each: the answer has the largest first.
function barsOf(title, table, name, value, link, hrefOf) {
  if (!table || !name || !value) return null;
  const rows = [...Array(table.rows).keys()].filter((row) => value.number(row) > 0).slice(0, 8);
  if (!rows.length) return null;
  const most = Math.max(...rows.map((row) => value.number(row)));
  return el('figure', {class: 'bars'}, el('figcaption', {}, el('h2', {}, title), el('a', {href: link}, 'table')),
    el('ul', {}, rows.map((row) => {
      const bar = el('i');
      bar.style.width = 100 * value.number(row) / most + '%';
      const label = el('bdi', {title: name.human(row)}, name.human(row));
      return el('li', {}, hrefOf ? el('a', {class: 'what', href: hrefOf(row)}, label) : el('span', {class: 'what'}, label),
        el('span', {class: 'much', data: {value: value.written(row)}}, value.human(row)), bar);
    })));
}

function findingsOf(advise) {
  const table = advise && advise.tables[0];
  if (!table || !table.rows) return null;
  const severity = table.column('severity'), finding = table.column('finding'), cost = table.column('cost_us');
  const items = [...Array(Math.min(table.rows, 6)).keys()].map((row) => el('li', {data: {severity: severity.text(row)}},
    el('span', {class: 'severity'}, severity.text(row)), el('a', {href: linkTo('advise')}, finding.text(row)),
    cost.isAbsent(row) ? null : el('span', {class: 'much', title: cost.meaning, data: {value: cost.written(row)}}, cost.human(row) + ' a step')));
  return el('section', {class: 'findings'}, el('div', {class: 'tools'}, el('h2', {}, 'Findings'), el('a', {href: linkTo('advise')}, table.rows > 6 ? 'all ' + table.rows : 'evidence')), el('ol', {}, items));
}

export async function overviewPage() {
  const views = ['summary', 'overview', 'advise', 'steps', 'utilization', 'info'];
  const [summary, overview, advise, steps, utilization, info] = await Promise.all(views.map(ownAnswer));
  const stepCharts = [[overview, 'overview'], [steps, 'steps']].map(([answer, view]) => answer ? chartsOf(answer, linkTo(view)) : []).find((charts) => charts.length) || [];
  const recorded = info ? ['sources', 'contents'].map((name) => info.table(name)).filter(Boolean).map((table) => new TableView(info, table, true)) : [];
  const operations = summary && summary.table('operations'), wall = summary && summary.table('wall');
  return {element: el('div', {},
    el('header', {class: 'heading'}, el('h1', {}, contents.title), el('p', {class: 'summary'}, 'the profile on one page'),
      summary ? commandLine(summary.command) : null),
    el('div', {class: 'abreast'}, el('div', {}, summary ? factsOf(summary, (head) => !head.startsWith('finding')) : null, contents.left_out.length ? el('ul', {class: 'notes', 'aria-label': 'What the page lacks'}, contents.left_out.map((sentence) => el('li', {}, sentence))) : null),
      findingsOf(advise)),
    el('div', {class: 'abreast'}, stepCharts, utilization ? chartsOf(utilization, linkTo('utilization')) : null),
    el('div', {class: 'beside'},
      wall && barsOf('Where wall time goes', wall, wall.column('part'), wall.column('wall_us'), linkTo('summary'), null),
      operations && barsOf('Most expensive operations', operations, operations.column('name'), operations.column('time_us'), linkTo('op'),
        (row) => linkTo('op', {filter: operations.column('name').text(row)}))),
    recorded.length ? el('div', {class: 'beside wide'}, recorded.map((view) => view.element)) : null),
  draw: () => recorded.forEach((view) => view.draw())};
}
