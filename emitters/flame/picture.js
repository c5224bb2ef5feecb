// SPDX-License-Identifier: Apache-2.0
// Search and zoom of the picture. The state is in the address: #zoom=12&search=conv.
'use strict';
(() => {
const MARGIN = 12, CHART = 1176, CELL = 6.7;
const root = document.documentElement, detail = document.getElementById('detail');
const reset = document.getElementById('reset'), find = document.getElementById('find');
const frames = [...document.querySelectorAll('.f')].map((group, index) => {
  const rect = group.querySelector('rect');
  const number = (name) => Number(rect.getAttribute(name));
  return {index, group, rect, text: group.querySelector('text'), label: group.dataset.l,
          facts: group.querySelector('title').textContent, x: number('x'), y: number('y'), width: number('width')};
});
if (!frames.length) return;
let zoomed = 0, active = 0, wanted = '';

const NAMESPACE = 'http://www.w3.org/2000/svg';
function write(frame, x, width) {
  const cells = Math.floor((width - 8) / CELL);
  if (cells < 3) { if (frame.text) frame.text.textContent = ''; return; }
  if (!frame.text) {
    frame.text = document.createElementNS(NAMESPACE, 'text');
    frame.text.setAttribute('y', frame.y + 13);
    frame.group.append(frame.text);
  }
  const label = [...frame.label];
  const half = Math.floor((cells - 1) / 2);
  frame.text.textContent = label.length <= cells ? frame.label
      : label.slice(0, half).join('') + '…' + label.slice(label.length - (cells - 1 - half)).join('');
  frame.text.setAttribute('x', x + 4);
}
function place(frame, x, width) {
  frame.rect.setAttribute('x', x);
  frame.rect.setAttribute('width', width);
  write(frame, x, width);
}
function zoom(index) {
  zoomed = index;
  const to = frames[index], scale = CHART / to.width, slack = 0.02;
  for (const frame of frames) {
    const above = frame.y < to.y && frame.x <= to.x + slack && frame.x + frame.width >= to.x + to.width - slack;
    const inside = frame.y >= to.y && frame.x >= to.x - slack && frame.x + frame.width <= to.x + to.width + slack;
    frame.group.style.display = above || inside ? '' : 'none';
    frame.group.classList.toggle('above', above);
    if (above) place(frame, MARGIN, CHART);
    if (inside) place(frame, MARGIN + (frame.x - to.x) * scale, frame.width * scale);
  }
  reset.setAttribute('visibility', index ? 'visible' : 'hidden');
  activate(index);
  remember();
}
const tell = (facts) => { detail.textContent = facts.split('\n').join(' · '); };
function activate(index) {
  frames[active].group.classList.remove('active');
  active = index;
  frames[active].group.classList.add('active');
  tell(frames[active].facts);
}
function search(text) {
  wanted = text;
  let pattern = null;
  try { pattern = text ? new RegExp(text, 'i') : null; } catch (error) { pattern = null; }
  root.classList.toggle('searching', pattern !== null);
  let count = 0, width = 0;
  const covered = [];  // topmost matches: a match below one does not count
  for (const frame of frames) {
    const hit = pattern !== null && frame.index > 0 && (pattern.test(frame.facts.split('\n')[0]) || pattern.test(frame.label));
    frame.group.classList.toggle('match', hit);
    if (!hit) continue;
    count += 1;
    const last = covered[covered.length - 1];
    if (last && frame.x >= last.x - 0.005 && frame.x + frame.width <= last.x + last.width + 0.005) continue;
    covered.push(frame);
    width += frame.width;
  }
  find.textContent = pattern ? count + ' found, ' + (100 * width / CHART).toFixed(1) + ' %' : 'Search';
  reset.setAttribute('x', 1188 - find.getComputedTextLength() - 24);
  remember();
}
function ask() {
  const text = prompt('Search frames (regular expression):', wanted);
  if (text !== null) search(text);
}
function remember() {
  const state = new URLSearchParams();
  if (zoomed) state.set('zoom', zoomed);
  if (wanted) state.set('search', wanted);
  const text = state.toString();
  if (text !== location.hash.slice(1)) history.replaceState(null, '', '#' + text);
}
function recall() {
  const state = new URLSearchParams(location.hash.slice(1));
  const index = Number(state.get('zoom'));
  search(state.get('search') || '');
  zoom(Number.isInteger(index) && index > 0 && index < frames.length ? index : 0);
}
// Returns the frame above (-1) or the first one below (1).
function upOrDown(step) {
  const here = frames[active];
  const order = step < 0 ? [...frames].reverse() : frames;
  const next = order.find((frame) => Math.sign(frame.y - here.y) === step && Math.abs(Math.abs(frame.y - here.y) - 19) < 1 &&
      (step < 0 ? frame.x <= here.x + 0.02 && frame.index < here.index
                : frame.index > here.index && frame.x + frame.width <= here.x + here.width + 0.02));
  if (next && next.group.style.display !== 'none') activate(next.index);
}
function beside(step) {
  const level = frames.filter((frame) => frame.y === frames[active].y && frame.group.style.display !== 'none');
  const next = level[level.indexOf(frames[active]) + step];
  if (next) activate(next.index);
}
document.getElementById('frames').addEventListener('click', (event) => {
  const group = event.target.closest('.f');
  if (group) zoom(frames.findIndex((frame) => frame.group === group));
});
document.getElementById('frames').addEventListener('mouseover', (event) => {
  const group = event.target.closest('.f');
  if (group) tell(group.querySelector('title').textContent);
});
const press = (button, act) => {
  button.addEventListener('click', act);
  button.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    event.stopPropagation();
    act();
  });
};
press(find, ask);
press(reset, () => zoom(0));
const KEYS = {
  ArrowUp: () => upOrDown(-1), ArrowDown: () => upOrDown(1), ArrowLeft: () => beside(-1), ArrowRight: () => beside(1),
  Enter: () => zoom(active), Escape: () => { search(''); zoom(0); }, '/': ask,
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !KEYS[event.key]) return;
  event.preventDefault();
  root.classList.add('keys');
  KEYS[event.key]();
});
addEventListener('hashchange', recall);
find.setAttribute('visibility', 'visible');
recall();
})();
