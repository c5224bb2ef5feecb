// SPDX-License-Identifier: Apache-2.0
// Draws the frames of the page's profile. Frames are numbers, in depth-first order. The state, zoomed
// frame, search and colours, stands in the address: #zoom=12&search=conv&colour=device.
'use strict';
(() => {
const data = JSON.parse(document.getElementById('profile').textContent);
const count = data.self.length;
const element = (id) => document.getElementById(id);
const chart = element('chart'), tip = element('tip'), detail = element('detail');
const ROW = 21;          // px, as in the style
const NARROWEST = 1;     // px: what is narrower is drawn together with its neighbours
const LABEL_FROM = 26;   // px that a text needs
const textOf = (column, frame) => data.strings[column[frame]];
const nameOf = (frame) => textOf(data.name, frame);

// ---- the tree ----------------------------------------------------------------------------------

const parent = new Int32Array(count), end = new Int32Array(count);
const total = Float64Array.from(data.self), start = new Float64Array(count);
{
  const open = [];
  for (let i = 0; i < count; ++i) {
    while (open.length > data.depth[i]) end[open.pop()] = i;
    parent[i] = open.length ? open[open.length - 1] : -1;
    open.push(i);
  }
  for (const i of open) end[i] = count;
  for (let i = count; --i > 0;) total[parent[i]] += total[i];
  const next = new Float64Array(count);  // where the next child of a frame begins
  for (let i = 0; i < count; ++i) {
    start[i] = i ? next[parent[i]] : 0;
    if (i) next[parent[i]] += total[i];
    next[i] = start[i];
  }
}
const childrenOf = (frame) => {
  const children = [];
  for (let i = frame + 1; i < end[frame]; i = end[i]) children.push(i);
  return children;
};

// ---- numbers -----------------------------------------------------------------------------------

const SCALES = {
  us: [[1e6, 's'], [1e3, 'ms'], [1, 'us']],
  bytes: [[2 ** 40, 'TiB'], [2 ** 30, 'GiB'], [2 ** 20, 'MiB'], [2 ** 10, 'KiB'], [1, 'B']],
};
const COUNTS = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k'], [1, '']];
function human(value, unit) {
  const scales = SCALES[unit] || COUNTS;
  const [size, name] = scales.find(([least]) => Math.abs(value) >= least) || scales[scales.length - 1];
  const scaled = value / size;
  const digits = size === 1 ? 0 : scaled < 10 ? 2 : scaled < 100 ? 1 : 0;
  return scaled.toFixed(digits) + (name.length && SCALES[unit] ? ' ' : '') + name;
}
const amount = (value) => human(value, data.unit) + (SCALES[data.unit] ? '' : ' ' + data.unit);
const share = (part, whole) => (whole > 0 ? (100 * part / whole).toFixed(1) : '0.0') + ' %';

// ---- colours -----------------------------------------------------------------------------------

const HUES = [212, 28, 148, 268, 48, 338, 182, 92, 2, 236, 312, 68];
let colour = 'kind';
let hues = new Map();
function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; ++i) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}
// What counts most gets the colours that differ most.
function chooseHues() {
  hues = new Map();
  if (colour === 'name') return;
  const sums = new Map();
  for (let i = 0; i < count; ++i) {
    const text = textOf(data[colour], i);
    if (text) sums.set(text, (sums.get(text) || 0) + data.self[i]);
  }
  const ordered = [...sums].sort((a, b) => b[1] - a[1]);
  ordered.forEach(([text, sum], i) => hues.set(text, {hue: i < HUES.length ? HUES[i] : hash(text) % 360, sum}));
}
function hueOf(frame) {
  if (frame === 0) return null;
  if (colour === 'name') return hash(textOf(data.label, frame)) % 360;
  const known = hues.get(textOf(data[colour], frame));
  return known ? known.hue : null;
}
function drawLegend() {
  const legend = element('legend');
  legend.replaceChildren();
  const shown = [...hues].filter(([, {sum}]) => sum > 0).slice(0, 8);
  for (const [text, {hue, sum}] of shown) {
    const entry = document.createElement('span'), box = document.createElement('i');
    box.style.setProperty('--h', hue);
    entry.append(box, text + ' ' + share(sum, total[0]));
    entry.title = 'own ' + data.measure + ' of its frames';
    legend.append(entry);
  }
}

// ---- drawing -----------------------------------------------------------------------------------

let zoomed = 0, active = 0, drawn = new Map();
let matches = null;  // Uint8Array by frame, or null

function addBox(frame, left, width, depth, extra) {
  const box = document.createElement('div');
  const hue = hueOf(frame);
  box.className = 'frame' + (extra || '');
  if (hue === null) box.classList.add('plain'); else box.style.setProperty('--h', hue);
  if (width < 16) box.classList.add('thin');
  box.style.left = left + 'px';
  box.style.width = Math.max(width - (width > 2 ? 1 : 0), 0.6) + 'px';
  box.style.top = depth * ROW + 'px';
  box.dataset.frame = frame;
  return box;
}
function addFrame(frame, left, width, depth, extra, into) {
  const box = addBox(frame, left, width, depth, extra + (data.small[frame] ? ' small' : ''));
  box.id = 'frame' + frame;
  box.setAttribute('role', 'treeitem');
  box.setAttribute('aria-level', depth + 1);
  box.setAttribute('aria-label', nameOf(frame) + ', ' + amount(total[frame]) + ', ' + share(total[frame], total[0]));
  if (width >= LABEL_FROM) box.textContent = textOf(data.label, frame);
  if (matches && matches[frame]) box.classList.add('match');
  if (frame === active) box.classList.add('active');
  if (width < 4) box.classList.add('sliver');
  drawn.set(frame, box);
  into.append(box);
}
// Neighbours below one frame that are too narrow for boxes of their own.
function addSmall(run, depth, into) {
  if (run.width < 0.5) return;
  const box = addBox(run.first, run.left, run.width, depth, ' small');
  box.dataset.count = run.count;
  box.dataset.value = run.value;
  box.setAttribute('aria-hidden', 'true');
  if (run.width >= LABEL_FROM * 2) box.textContent = '(' + run.count.toLocaleString('en') + ' small)';
  if (run.matched) box.classList.add('match');
  into.append(box);
}
function drawChildren(frame, depth, scale, origin, stack, into) {
  let run = null;
  for (let i = frame + 1; i < end[frame]; i = end[i]) {
    const left = (start[i] - origin) * scale, width = total[i] * scale;
    if (width >= NARROWEST) {
      if (run) addSmall(run, depth, into);
      run = null;
      addFrame(i, left, width, depth, '', into);
      stack.push([i, depth + 1]);
      continue;
    }
    if (!run) run = {first: i, left, width: 0, count: 0, value: 0, matched: false};
    run.width += width;
    run.value += total[i];
    for (let j = i; j < end[i]; ++j) {
      run.count += 1;
      if (matches && matches[j]) run.matched = true;
    }
  }
  if (run) addSmall(run, depth, into);
}
function draw() {
  const into = document.createDocumentFragment();
  const width = chart.clientWidth;
  drawn = new Map();
  const above = [];
  for (let i = parent[zoomed]; i >= 0; i = parent[i]) above.unshift(i);
  above.forEach((frame, depth) => addFrame(frame, 0, width, depth, ' above', into));
  let rows = above.length + 1;
  if (total[zoomed] > 0) {
    const scale = width / total[zoomed];
    addFrame(zoomed, 0, width, above.length, '', into);
    const stack = [[zoomed, above.length + 1]];
    while (stack.length) {
      const [frame, depth] = stack.pop();
      if (end[frame] > frame + 1) rows = Math.max(rows, depth + 1);
      drawChildren(frame, depth, scale, start[zoomed], stack, into);
    }
  }
  chart.replaceChildren(into);
  chart.style.height = rows * ROW + 'px';
  chart.classList.toggle('searching', matches !== null);
  element('reset').disabled = zoomed === 0;
  element('nothing').hidden = total[0] > 0;
  chart.hidden = !(total[0] > 0);
}
function drawPath() {
  const path = element('path');
  path.replaceChildren();
  if (zoomed === 0) return;
  const frames = [];
  for (let i = zoomed; i >= 0; i = parent[i]) frames.unshift(i);
  const shown = frames.length > 8 ? [frames[0], -1, ...frames.slice(-6)] : frames;
  shown.forEach((frame, i) => {
    if (i) path.append(' › ');
    if (frame < 0) return path.append('…');
    if (frame === zoomed) return path.append(textOf(data.label, frame));
    const link = document.createElement('a');
    link.href = '#zoom=' + frame;
    link.textContent = textOf(data.label, frame);
    link.addEventListener('click', (event) => { event.preventDefault(); zoom(frame); });
    path.append(link);
  });
}

// ---- what a frame is ---------------------------------------------------------------------------

function factsOf(frame) {
  const facts = [['total', amount(total[frame]) + '  ' + share(total[frame], total[0])]];
  if (parent[frame] > 0) facts.push(['of the frame above', share(total[frame], total[parent[frame]])]);
  facts.push(['self', amount(data.self[frame]) + '  ' + share(data.self[frame], total[0])]);
  if (data.runs[frame] !== null) facts.push(['runs', data.runs[frame].toLocaleString('en')]);
  const kind = textOf(data.kind, frame), device = textOf(data.device, frame);
  if (kind && kind !== nameOf(frame)) facts.push([data.view === 'code' ? 'file' : 'type', kind]);
  if (device) facts.push(['device', device]);
  return facts;
}
function showDetail(frame) {
  detail.replaceChildren();
  const name = document.createElement('b');
  name.textContent = nameOf(frame);
  detail.append(name);
  for (const [key, value] of factsOf(frame)) {
    const label = document.createElement('span');
    label.textContent = key;
    detail.append(label, value);
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
            [['total', amount(value) + '  ' + share(value, total[0])], ['', 'zoom in to see them']]);
  } else {
    fillTip(nameOf(frame), factsOf(frame));
  }
  placeTip(x, y);
}

// ---- search ------------------------------------------------------------------------------------

function search(text) {
  const input = element('search'), found = element('found');
  input.classList.remove('wrong');
  matches = null;
  found.textContent = '';
  if (!text) return;
  let pattern = null;
  try { pattern = new RegExp(text, 'i'); } catch (error) {
    input.classList.add('wrong');
    found.textContent = 'no expression';
    return;
  }
  const fits = data.strings.map((one) => pattern.test(one));
  matches = new Uint8Array(count);
  let frames = 0, value = 0, covered = 0;  // a match below a match is no further part of the whole
  for (let i = 1; i < count; ++i) {
    if (data.small[i] || !(fits[data.name[i]] || fits[data.label[i]])) continue;
    matches[i] = 1;
    frames += 1;
    if (i >= covered) { value += total[i]; covered = end[i]; }
  }
  found.textContent = frames.toLocaleString('en') + ' · ' + share(value, total[0]);
}
function goToMatch(step) {
  if (!matches) return;
  for (let k = 1; k <= count; ++k) {
    const i = (active + step * k + count * 2) % count;
    if (!matches[i]) continue;
    if (!drawn.has(i)) zoomed = parent[i] < 0 ? 0 : parent[i];
    if (!drawn.has(i)) { refresh(); }
    return activate(i);
  }
}

// ---- state -------------------------------------------------------------------------------------

function remember() {
  const state = new URLSearchParams();
  if (zoomed) state.set('zoom', zoomed);
  if (element('search').value) state.set('search', element('search').value);
  if (colour !== 'kind') state.set('colour', colour);
  const text = state.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, '', text ? '#' + text : location.pathname + location.search);
}
function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const frame = Number(state.get('zoom'));
  zoomed = Number.isInteger(frame) && frame > 0 && frame < count ? frame : 0;
  element('search').value = state.get('search') || '';
  colour = ['kind', 'device', 'name'].includes(state.get('colour')) ? state.get('colour') : 'kind';
  element('colour').value = colour;
  active = zoomed;
  chooseHues();
  drawLegend();
  search(element('search').value);
  refresh();
}
function refresh() {
  draw();
  drawPath();
  showDetail(active);
  remember();
}
function zoom(frame) {
  zoomed = frame;
  active = frame;
  tip.hidden = true;
  refresh();
}
function activate(frame) {
  const before = drawn.get(active), now = drawn.get(frame);
  if (!now) return;
  if (before) before.classList.remove('active');
  active = frame;
  now.classList.add('active');
  chart.setAttribute('aria-activedescendant', now.id);
  now.scrollIntoView({block: 'nearest'});
  showDetail(frame);
}
// The nearest drawn frame to the left (-1) or right (1) on the same level.
function beside(frame, step) {
  const level = [...drawn.keys()].filter((i) => data.depth[i] === data.depth[frame]).sort((a, b) => a - b);
  return level[level.indexOf(frame) + step];
}

// ---- hands -------------------------------------------------------------------------------------

chart.addEventListener('click', (event) => {
  const box = event.target.closest('.frame');
  if (!box) return;
  const frame = Number(box.dataset.frame);
  zoom(box.dataset.count ? parent[frame] : frame);
});
chart.addEventListener('mousemove', (event) => {
  const box = event.target.closest('.frame');
  if (!box) { tip.hidden = true; return; }
  showTip(box, event.clientX, event.clientY);
});
chart.addEventListener('mouseleave', () => { tip.hidden = true; });
chart.addEventListener('focus', () => { chart.setAttribute('aria-activedescendant', 'frame' + active); });
const KEYS = {
  ArrowUp: () => activate(parent[active]),
  ArrowDown: () => {
    const below = childrenOf(active).filter((i) => drawn.has(i));
    if (below.length) activate(below.reduce((a, b) => (total[b] > total[a] ? b : a)));
  },
  ArrowLeft: () => activate(beside(active, -1)),
  ArrowRight: () => activate(beside(active, 1)),
  Home: () => activate(0),
  Enter: () => zoom(active),
  ' ': () => zoom(active),
  Backspace: () => zoom(Math.max(parent[zoomed], 0)),
};
chart.addEventListener('keydown', (event) => {
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
    chart.focus();
  } else if (!typing && event.key === '/') {
    event.preventDefault();
    element('search').focus();
  } else if (!typing && (event.key === 'n' || event.key === 'p')) {
    goToMatch(event.key === 'n' ? 1 : -1);
  }
});
element('search').addEventListener('input', () => { search(element('search').value); refresh(); });
element('search').addEventListener('keydown', (event) => {
  if (event.key === 'Enter') { goToMatch(1); chart.focus(); }
});
element('colour').addEventListener('change', () => {
  colour = element('colour').value;
  chooseHues();
  drawLegend();
  refresh();
});
element('reset').addEventListener('click', () => zoom(0));
element('theme').addEventListener('click', () => {
  const dark = matchMedia('(prefers-color-scheme: dark)').matches;
  const now = document.documentElement.dataset.theme || (dark ? 'dark' : 'light');
  document.documentElement.dataset.theme = now === 'dark' ? 'light' : 'dark';
});
let width = 0;
new ResizeObserver(() => { if (chart.clientWidth !== width) { width = chart.clientWidth; draw(); } }).observe(chart);
addEventListener('hashchange', recall);

// ---- begin -------------------------------------------------------------------------------------

{
  const kinds = {code: 'by file', scope: 'by operation', graph: 'by operation', op: 'by operation'};
  element('colour').options[0].textContent = kinds[data.view] || 'by type';
  const facts = [amount(total[0]), (count - 1).toLocaleString('en') + ' frames', data.source, ...data.notes];
  element('about').textContent = facts.filter(Boolean).join(' · ');
}
recall();
})();
