// SPDX-License-Identifier: Apache-2.0
// The controls around the chart. The state (zoomed frame, search and colors) is in the address:
// #zoom=12&search=conv&color=device.
'use strict';
(() => {
const element = (id) => document.getElementById(id);
const flame = flameOf(JSON.parse(element('profile').textContent));
const chart = flameChart(flame, {board: element('chart'), legend: element('legend'), reset: element('reset'), nothing: element('nothing')});
const {data, count, textOf, nameOf, parent, total, childrenOf, amount, share, findMatches, factsOf} = flame;
const {view} = chart;
const tip = element('tip'), detail = element('detail');
// The first one is the default.
const COLORS = data.base ? ['change', 'kind', 'device', 'name'] : ['kind', 'device', 'name'];

function drawPath() {
  const path = element('path');
  path.replaceChildren();
  if (view.zoomed === 0) return;
  const frames = [];
  for (let i = view.zoomed; i >= 0; i = parent[i]) frames.unshift(i);
  const shown = frames.length > 8 ? [frames[0], -1, ...frames.slice(-6)] : frames;
  shown.forEach((frame, i) => {
    if (i) path.append(' › ');
    if (frame < 0) return path.append('…');
    if (frame === view.zoomed) return path.append(textOf(data.label, frame));
    const link = document.createElement('a');
    link.href = '#zoom=' + frame;
    link.textContent = textOf(data.label, frame);
    link.addEventListener('click', (event) => { event.preventDefault(); zoom(frame); });
    path.append(link);
  });
}

// ---- details ------------------------------------------------------------------------------------

function showDetail(frame) {
  detail.replaceChildren();
  const name = document.createElement('b');
  name.textContent = nameOf(frame);
  detail.append(name);
  for (const [key, value] of factsOf(frame)) {
    const label = document.createElement('span');
    label.textContent = key;
    const fact = document.createElement('em');
    fact.append(label, value);
    detail.append(fact, ' ');
  }
}
function fillTip(title, facts) {
  const name = document.createElement('b'), table = document.createElement('table');
  name.textContent = title;
  for (const [key, value] of facts) {
    const row = table.insertRow();
    row.insertCell().textContent = key;
    row.insertCell().textContent = value;
  }
  tip.replaceChildren(name, table);
}
function placeTip(x, y) {
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const left = Math.min(x + 14, innerWidth - box.width - 8);
  const below = y + 18 + box.height < innerHeight;
  tip.style.left = Math.max(left, 8) + 'px';
  tip.style.top = Math.max(below ? y + 18 : y - box.height - 10, 8) + 'px';
}
function showTip(box, x, y) {
  const frame = Number(box.dataset.frame);
  if (box.dataset.count) {
    const value = Number(box.dataset.value);
    fillTip(Number(box.dataset.count).toLocaleString('en') + ' frames too narrow to draw',
            [['total', amount(value) + ', ' + share(value, total[0])], ['', 'zoom in to see them']]);
  } else {
    fillTip(nameOf(frame), factsOf(frame));
  }
  placeTip(x, y);
}

// ---- search ------------------------------------------------------------------------------------

function search(text) {
  const input = element('search'), found = element('found');
  input.classList.remove('wrong');
  view.matches = null;
  found.textContent = '';
  if (!text) return;
  let pattern = null;
  try { pattern = new RegExp(text, 'i'); } catch (error) {
    input.classList.add('wrong');
    found.textContent = 'no expression';
    return;
  }
  const result = findMatches(pattern);
  view.matches = result.matches;
  found.textContent = result.frames.toLocaleString('en') + ' · ' + share(result.value, total[0]);
}
function goToMatch(step) {
  if (!view.matches) return;
  for (let k = 1; k <= count; ++k) {
    const i = (view.active + step * k + count * 2) % count;
    if (!view.matches[i]) continue;
    if (!view.drawn.has(i)) { view.zoomed = Math.max(parent[i], 0); refresh(); }
    if (!view.drawn.has(i)) { view.zoomed = i; refresh(); }
    return activate(i);
  }
}

// ---- state -------------------------------------------------------------------------------------

function remember() {
  const state = new URLSearchParams();
  if (view.zoomed) state.set('zoom', view.zoomed);
  if (element('search').value) state.set('search', element('search').value);
  if (view.color !== COLORS[0]) state.set('color', view.color);
  const text = state.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
}
function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const frame = Number(state.get('zoom'));
  view.zoomed = Number.isInteger(frame) && frame > 0 && frame < count ? frame : 0;
  element('search').value = state.get('search') || '';
  view.color = COLORS.includes(state.get('color')) ? state.get('color') : COLORS[0];
  element('color').value = view.color;
  view.active = view.zoomed;
  chart.chooseHues();
  chart.drawLegend();
  search(element('search').value);
  refresh();
}
function refresh() {
  chart.draw();
  drawPath();
  showDetail(view.active);
  remember();
}
function zoom(frame) {
  view.zoomed = frame;
  view.active = frame;
  tip.hidden = true;
  refresh();
}
function activate(frame) {
  const before = view.drawn.get(view.active), now = view.drawn.get(frame);
  if (!now) return;
  if (before) before.classList.remove('active');
  view.active = frame;
  now.classList.add('active');
  chart.board.setAttribute('aria-activedescendant', now.id);
  now.scrollIntoView({block: 'nearest'});
  showDetail(frame);
}
// ---- input -------------------------------------------------------------------------------------

chart.board.addEventListener('click', (event) => {
  const box = event.target.closest('.frame');
  if (!box) return;
  const frame = Number(box.dataset.frame);
  zoom(box.dataset.count ? parent[frame] : frame);
});
chart.board.addEventListener('mousemove', (event) => {
  const box = event.target.closest('.frame');
  if (!box) { tip.hidden = true; return; }
  showTip(box, event.clientX, event.clientY);
});
chart.board.addEventListener('mouseleave', () => { tip.hidden = true; });
chart.board.addEventListener('focus', () => { chart.board.setAttribute('aria-activedescendant', 'frame' + view.active); });
const KEYS = chart.keysOf(activate, zoom);
chart.board.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  KEYS[event.key]();
});
document.addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const typing = event.target === element('search');
  if (event.key === 'Escape') {
    if (typing && element('search').value) { element('search').value = ''; search(''); }
    else zoom(0);
    refresh();
    chart.board.focus();
  } else if (!typing && event.key === '/') {
    event.preventDefault();
    element('search').focus();
  } else if (!typing && (event.key === 'n' || event.key === 'p')) {
    goToMatch(event.key === 'n' ? 1 : -1);
  }
});
element('search').addEventListener('input', () => { search(element('search').value); refresh(); });
element('search').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') { goToMatch(1); chart.board.focus(); }
});
element('color').addEventListener('change', () => {
  view.color = element('color').value;
  chart.chooseHues();
  chart.drawLegend();
  refresh();
});
element('reset').addEventListener('click', () => zoom(0));
element('theme').addEventListener('click', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme || (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
});
let width = 0;
new ResizeObserver(() => { if (chart.board.clientWidth !== width) { width = chart.board.clientWidth; chart.draw(); } }).observe(chart.board);
addEventListener('hashchange', recall);

// ---- start -------------------------------------------------------------------------------------

{
  const kinds = {code: 'by file', scope: 'by operation', graph: 'by operation', op: 'by operation'};
  element('color').querySelector('[value=change]').hidden = !data.base;
  element('color').options[0].textContent = kinds[data.view] || 'by type';
  const facts = [amount(total[0]), (count - 1).toLocaleString('en') + ' frames', data.source];
  element('about').textContent = facts.filter(Boolean).join(' · ');
  element('notes').hidden = data.notes.length === 0;
  element('notes').firstElementChild.textContent = data.notes.length === 1 ? '1 note' : data.notes.length + ' notes';
  for (const note of data.notes) element('notes').append(Object.assign(document.createElement('p'), {textContent: note}));
}
recall();
})();
