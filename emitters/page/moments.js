// SPDX-License-Identifier: Apache-2.0
// What was held at a time: which answers about it the page has, and the cursor that chooses one in a chart.
import {el, svg, say, commandLine} from './dom.js';
import {contents} from './data.js';
import {linkTo, value} from './state.js';

const UNITS = {ps: 1, ns: 1e3, us: 1e6, ms: 1e9, s: 1e12};
const STEPS = 60;  // of the cursor from end to end

// The time of `VIEW -at TIME` in ps; NaN: it has none.
export function timeOf(key) {
  const found = /^\S+ -at ([\d.]+)([pnum]?s)?$/.exec(key || '');
  return found ? Number(found[1]) * UNITS[found[2] || 'us'] : NaN;
}
const commandAt = (entry, ps) => entry.view + ' -at ' + Math.round(ps) / 1e6 + 'us';
export const hasMoments = (entry) => contents.live ? entry.answers.some((key) => key.endsWith(' -at times')) : entry.moments.length > 0;

// The answer about a time: a live page requests it, another one has the nearest.
function nearest(entry, ps) {
  if (contents.live) return commandAt(entry, ps);
  return entry.moments.reduce((best, key) => Math.abs(timeOf(key) - ps) < Math.abs(timeOf(best) - ps) ? key : best);
}
function showAt(entry, ps) {
  const key = nearest(entry, ps);
  location.hash = linkTo(entry.view, {show: key, ...(contents.live ? {} : {wanted: Math.round(ps) / 1e6})});
}

// What a page says about its moments. `key`: the answer that it shows.
export function momentHint(entry, key) {
  if (!hasMoments(entry)) return null;
  const wanted = Number(value('wanted')) * 1e6, isOther = wanted && Math.abs(wanted - timeOf(key)) > 0.5;
  const of = contents.live ? '' : ': this page has ' + entry.moments.length + ' moments, and the nearest is shown';
  return el('p', {class: 'summary hint'}, 'A click on the curve, or arrow keys and Enter, show what was held then' + of + '. ',
    isOther ? ['Exactly then: ', commandLine(commandAt(entry, wanted))] : null);
}

// Adds a cursor to a picture of time: x(time) and timeAt(x), in ps; tell(time) is what a reader of it hears.
export function addCursor(picture, entry, key, {first, last, x, timeAt, top, bottom, tell}) {
  const chosen = timeOf(key), line = (name) => svg('line', {class: name, y1: top, y2: bottom});
  const mark = line('moment'), cursor = line('cursor');
  const place = (one, time) => { one.setAttribute('x1', x(time)); one.setAttribute('x2', x(time)); one.removeAttribute('visibility'); };
  for (const one of [mark, cursor]) one.setAttribute('visibility', 'hidden');
  if (chosen >= first && chosen <= last) place(mark, chosen);
  // As coarse as nobody sees a difference: times that are typed are short.
  const grain = Math.max(1, 10 ** Math.floor(Math.log10((last - first) / 1e4 || 1)));
  const clamped = (time) => Math.max(first, Math.min(Math.round(time / grain) * grain, last));
  let at = Number.isNaN(chosen) ? first : clamped(chosen);
  picture.append(mark, cursor);
  picture.setAttribute('role', 'slider');
  picture.setAttribute('tabindex', 0);
  const move = (time) => {
    at = clamped(time);
    place(cursor, at);
    for (const [name, text] of [['min', first], ['max', last], ['now', at]]) picture.setAttribute('aria-value' + name, Math.round(text));
    picture.setAttribute('aria-valuetext', tell(at));
    say(tell(at));
  };
  picture.addEventListener('focus', () => { if (picture.matches(':focus-visible')) move(at); });
  picture.addEventListener('blur', () => cursor.setAttribute('visibility', 'hidden'));
  picture.addEventListener('click', (event) => showAt(entry, clamped(timeAt(event.offsetX))));
  picture.addEventListener('keydown', (event) => {
    const step = (last - first) / STEPS;
    const to = {ArrowLeft: at - step, ArrowRight: at + step, PageDown: at - 10 * step, PageUp: at + 10 * step, Home: first, End: last}[event.key];
    if (event.key === 'Enter') showAt(entry, at);
    else if (to !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) move(to);
    else return;
    event.preventDefault();
  });
}
