// SPDX-License-Identifier: Apache-2.0
// What mouse and keys do in the trace.
import {el, showTip, hideTip, factTable} from '../dom.js';
import {LEFT, RULER} from './picture.js';

function point(page, event) {
  const {item, span} = page.picture.at(event.offsetX, event.offsetY);
  page.pointed = event.offsetX;
  const title = item && event.offsetX < LEFT && (item.row ? page.model.header.tracks[item.row.track].name : item.title);
  if (title) return showTip(event.clientX, event.clientY, el('bdi', {}, title));  // there may be no room for all of it
  if (span < 0) return hideTip();
  showTip(event.clientX, event.clientY, el('b', {}, page.model.nameOf(span)), factTable(page.factsOf(span)));
}
function press(page, event) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const {view, model} = page;
  const at = page.picture.time(Math.max(LEFT, page.pointed || (page.picture.width + LEFT) / 2));
  const keys = {
    w: () => page.zoom(0.7, at), s: () => page.zoom(1 / 0.7, at), a: () => page.move(-0.15), d: () => page.move(0.15),
    ArrowLeft: () => page.move(-0.15), ArrowRight: () => page.move(0.15), ArrowUp: () => page.scroll(-54), ArrowDown: () => page.scroll(54),
    PageUp: () => page.scroll(-400), PageDown: () => page.scroll(400), Home: () => page.show(model.from, model.to), f: () => page.fit(),
    n: () => page.step(1), p: () => page.step(-1), j: () => page.follow(true), k: () => page.follow(false),
    '.': () => page.beside(1), ',': () => page.beside(-1), '>': () => page.beyond(1), '<': () => page.beyond(-1), o: () => page.toggle(page.groupHere()),
    Enter: () => { view.range = view.range || [view.from, view.to]; page.showRange(); page.redraw(); },
    Escape: () => { view.range = null; page.showRange(); page.choose(-1); },
  };
  const act = keys[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}
export function listenTo(page) {
  const {canvas, picture, view} = page;
  let held = null;  // {x, y, time, moves}
  canvas.addEventListener('pointerdown', (event) => {
    held = {x: event.offsetX, y: event.offsetY, time: picture.time(event.offsetX), moves: event.shiftKey || event.button === 1, from: view.from, to: view.to, top: view.top};
    canvas.setPointerCapture(event.pointerId);
    if (event.button === 1) event.preventDefault();
  });
  canvas.addEventListener('pointermove', (event) => {
    if (!held) return point(page, event);
    hideTip();
    if (Math.abs(event.offsetX - held.x) + Math.abs(event.offsetY - held.y) < 4) return;
    held.dragged = true;
    if (held.moves) {
      const shift = (held.x - event.offsetX) / (picture.width - LEFT) * (held.to - held.from);
      view.top = held.top;
      page.scroll(held.y - event.offsetY);
      return page.show(held.from + shift, held.to + shift);
    }
    const time = Math.max(page.model.from, Math.min(picture.time(event.offsetX), page.model.to));
    view.range = [Math.min(held.time, time), Math.max(held.time, time)];
    page.redraw();
  });
  canvas.addEventListener('pointerup', (event) => {
    const dragged = held && held.dragged, moved = held && held.moves;
    held = null;
    if (dragged) return moved ? null : page.showRange();
    const {item, span} = picture.at(event.offsetX, event.offsetY);
    if (item && item.kind === 'group') return page.toggle(item.group);
    if (span < 0 && view.range) { view.range = null; page.showRange(); }
    page.choose(span >= 0 && page.model.covered[span] > 1 ? -1 : span);
  });
  canvas.addEventListener('dblclick', () => page.fit());
  canvas.addEventListener('pointerleave', hideTip);
  canvas.addEventListener('wheel', (event) => {
    event.preventDefault();
    if (event.ctrlKey || event.metaKey || event.offsetY < RULER) return page.zoom(Math.exp(event.deltaY / 300), picture.time(event.offsetX));
    if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) return page.move((event.deltaX || event.deltaY) / 1500);
    page.scroll(event.deltaY);
  }, {passive: false});
  canvas.addEventListener('keydown', (event) => press(page, event));
}
