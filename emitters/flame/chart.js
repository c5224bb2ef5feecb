// SPDX-License-Identifier: Apache-2.0
// Draws the frames: the zoomed subtree to scale, its ancestors over the full width. The elements: `board`
// for the frames, `legend`, the button `reset`, and `nothing`, which is shown if there is no value.
'use strict';
function flameChart(flame, {board, legend, reset, nothing}) {
const {data, count, textOf, nameOf, parent, end, total, start, amount, share, changeOf, childrenOf} = flame;
const ROW = 21;  // px, as in the stylesheet
const NARROWEST = 1;  // px: narrower frames are merged with their neighbors
const CHARACTER = (() => {  // px, of the mean letter
  const pen = document.createElement('canvas').getContext('2d'), letters = 'abcdefghijklmnopqrstuvwxyz_/0123456789';
  pen.font = '12px ' + getComputedStyle(document.body).fontFamily;
  return pen.measureText(letters).width / letters.length;
})();

// The current view. root: its side of the board, top or bottom; drawn: the boxes by frame; matches: Uint8Array
// by frame, or null.
const view = {zoomed: 0, active: 0, color: 'kind', root: 'top', drawn: new Map(), matches: null};

// ---- colors ------------------------------------------------------------------------------------

const HUES = [212, 28, 148, 268, 48, 338, 182, 92, 2, 236, 312, 68];
let hues = new Map();
function hash(text) {
  let value = 2166136261;
  for (let i = 0; i < text.length; ++i) value = Math.imul(value ^ text.charCodeAt(i), 16777619);
  return value >>> 0;
}
// The largest keys get the most distinct colors.
function chooseHues() {
  hues = new Map();
  if (view.color === 'name' || view.color === 'change') return;
  const sums = new Map();
  for (let i = 0; i < count; ++i) {
    const text = textOf(data[view.color], i);
    if (text) sums.set(text, (sums.get(text) || 0) + data.self[i]);
  }
  const ordered = [...sums].sort((a, b) => b[1] - a[1]);
  ordered.forEach(([text, sum], i) => hues.set(text, {hue: i < HUES.length ? HUES[i] : hash(text) % 360, sum}));
}
function hueOf(frame) {
  if (view.color === 'change') return Math.abs(changeOf(frame)) < 0.01 ? null : changeOf(frame) > 0 ? 4 : 212;
  if (frame === 0) return null;
  if (view.color === 'name') return hash(textOf(data.label, frame)) % 360;
  const known = hues.get(textOf(data[view.color === 'kind' ? 'mostly' : view.color], frame));
  return known ? known.hue : null;
}
// A frame without a kind of its own takes the color of its subtree, but paler.
const isPale = (frame) => view.color === 'kind' && !textOf(data.kind, frame);
function drawLegend() {
  legend.replaceChildren();
  if (view.color === 'change') {
    for (const [text, hue] of [['more than in the base', 4], ['less', 212]]) {
      const entry = document.createElement('span'), box = document.createElement('i');
      box.style.setProperty('--h', hue);
      entry.append(box, text);
      legend.append(entry);
    }
    return;
  }
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

// Returns as much of a text as fits: its end is as specific as its beginning.
function fitted(text, width) {
  const room = Math.floor((width - 6) / CHARACTER);
  if (room < 3) return '';
  const letters = [...text];
  if (letters.length <= room) return text;
  const half = Math.floor((room - 1) / 2);
  return letters.slice(0, half).join('') + '…' + letters.slice(letters.length - (room - 1 - half)).join('');
}
function addBox(frame, left, width, depth, extra) {
  const box = document.createElement('div');
  const hue = hueOf(frame);
  box.className = 'frame' + (extra || '');
  if (hue === null) box.classList.add('plain'); else box.style.setProperty('--h', hue);
  // The more it changed, the stronger the color.
  if (hue !== null && view.color === 'change') {
    const size = Math.abs(changeOf(frame));
    box.style.setProperty('--saturation', 35 + 50 * size + '%');
    box.style.setProperty('--lightness', 'calc(' + (1 - size) + ' * var(--pale) + ' + size + ' * var(--strong))');
  }
  if (hue !== null && isPale(frame)) box.classList.add('pale');
  if (width < 16) box.classList.add('thin');
  if (width < 4) box.classList.add('sliver');
  box.style.left = left + 'px';
  box.style.width = Math.max(width - (width > 2 ? 1 : 0), 0.6) + 'px';
  box.style[view.root] = depth * ROW + 'px';
  box.dataset.frame = frame;
  return box;
}
function addFrame(frame, left, width, depth, extra, into) {
  const box = addBox(frame, left, width, depth, extra + (data.small[frame] ? ' small' : ''));
  box.id = 'frame' + frame;
  box.setAttribute('role', 'treeitem');
  box.setAttribute('aria-level', depth + 1);
  box.setAttribute('aria-label', nameOf(frame) + ', ' + amount(total[frame]) + ', ' + share(total[frame], total[0]));
  box.textContent = fitted(textOf(data.label, frame), width);
  if (view.matches && view.matches[frame]) box.classList.add('match');
  if (frame === view.active) box.classList.add('active');
  view.drawn.set(frame, box);
  into.append(box);
}
// Draws neighbors with a common parent that are too narrow for separate boxes as one box.
function addSmall(run, depth, into) {
  if (run.width < 0.5) return;
  const box = addBox(run.first, run.left, run.width, depth, ' small');
  box.dataset.count = run.count;
  box.dataset.value = run.value;
  box.setAttribute('aria-hidden', 'true');
  box.textContent = fitted('(' + run.count.toLocaleString('en') + ' small)', run.width);
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
      if (view.matches && view.matches[j]) run.matched = true;
    }
  }
  if (run) addSmall(run, depth, into);
}
function draw() {
  const into = document.createDocumentFragment();
  const width = board.clientWidth;
  view.drawn = new Map();
  const above = [];
  for (let i = parent[view.zoomed]; i >= 0; i = parent[i]) above.unshift(i);
  above.forEach((frame, depth) => addFrame(frame, 0, width, depth, ' above', into));
  let rows = above.length + 1;
  if (total[view.zoomed] > 0) {
    const scale = width / total[view.zoomed];
    addFrame(view.zoomed, 0, width, above.length, '', into);
    const stack = [[view.zoomed, above.length + 1]];
    while (stack.length) {
      const [frame, depth] = stack.pop();
      if (end[frame] > frame + 1) rows = Math.max(rows, depth + 1);
      drawChildren(frame, depth, scale, start[view.zoomed], stack, into);
    }
  }
  board.replaceChildren(into);
  board.style.height = rows * ROW + 'px';
  board.classList.toggle('searching', view.matches !== null);
  reset.disabled = view.zoomed === 0;
  nothing.hidden = total[0] > 0;
  board.hidden = !(total[0] > 0);
}

// ---- keys ----------------------------------------------------------------------------------------

// Returns the nearest drawn frame to the left (-1) or right (1) at the same depth.
function beside(frame, step) {
  const level = [...view.drawn.keys()].filter((i) => data.depth[i] === data.depth[frame]).sort((a, b) => a - b);
  return level[level.indexOf(frame) + step];
}
// What keys do: activate(frame) and zoom(frame) are those of the page.
const keysOf = (activate, zoom) => {
  const toParent = () => activate(parent[view.active]);
  const toLargestChild = () => {
    const children = childrenOf(view.active).filter((i) => view.drawn.has(i));
    if (children.length) activate(children.reduce((a, b) => (total[b] > total[a] ? b : a)));
  };
  return {
    ArrowUp: () => (view.root === 'top' ? toParent() : toLargestChild()),
    ArrowDown: () => (view.root === 'top' ? toLargestChild() : toParent()),
    ArrowLeft: () => activate(beside(view.active, -1)),
    ArrowRight: () => activate(beside(view.active, 1)),
    Home: () => activate(0),
    Enter: () => zoom(view.active),
    ' ': () => zoom(view.active),
    Backspace: () => zoom(Math.max(parent[view.zoomed], 0)),
  };
};

return {view, board, draw, chooseHues, drawLegend, keysOf};
}
