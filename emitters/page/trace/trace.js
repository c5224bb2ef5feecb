// SPDX-License-Identifier: Apache-2.0
// The page of the trace: search, the chosen span, and what ran in a range.
import {contents, searchIn} from '../data.js';
import {el, say, commandLine} from '../dom.js';
import {keep, linkTo, value} from '../state.js';
import {TableView} from '../table.js';
import {firstAbove, flowsAt, traceModel, windowOf} from './model.js';
import {LEFT, RULER, TracePicture, layoutOf, rowsBetween, timeText} from './picture.js';
import {ranIn, ranInAll} from './ranges.js';
import {listenTo} from './input.js';

const written = (ps) => String(Math.round(ps) / 1e6);  // us, as in the address and in commands
const LEAST = 1000;  // ps on the screen at most zoom
const NAMED = 4;     // arrows of the chosen span that are named

class TracePage {
  constructor(model) {
    this.model = model;
    this.first = model;  // of a large trace: its first window
    this.view = {from: model.from, to: model.to, top: 0, closed: new Set(), matches: null, chosen: -1, range: null};
    this.view.layout = layoutOf(model, this.view.closed);
    this.canvas = el('canvas', {class: 'trace', tabindex: 0, role: 'application',
      'aria-label': 'Trace: W and S zoom, A and D move, arrow keys scroll, drag selects a range, Enter shows what ran'});
    this.picture = new TracePicture(this.canvas, model, this.view);
    this.detail = el('div', {class: 'chosen', 'aria-live': 'polite'});
    this.ran = el('div', {class: 'ran'});
    this.found = el('output', {class: 'count'});
    this.search = el('input', {type: 'search', class: 'filter', placeholder: 'Search names: text or /regex/', spellcheck: 'false', 'aria-label': 'Search the names of spans',
      value: value('search') || '', on: {input: () => { keep('search', this.search.value); this.find(); this.redraw(); },
        keydown: (event) => { if (event.key === 'Enter') { this.step(event.shiftKey ? -1 : 1); event.preventDefault(); } }}});
    this.summary = el('p', {class: 'summary'}, this.about());
    const button = (text, title, act) => el('button', {type: 'button', title, on: {click: act}}, text);
    this.element = el('div', {class: 'tracepage'},
      el('header', {class: 'heading'}, el('h1', {}, 'Trace'), this.summary,
        commandLine(contents.timeline)),
      el('div', {class: 'tools'}, this.search, this.found, button('‹', 'Match before (shift Enter)', () => this.step(-1)), button('›', 'Next match (Enter)', () => this.step(1)),
        button('whole trace', 'Home', () => this.show(this.model.from, this.model.to)),
        el('a', {href: linkTo('events')}, 'table'),
        el('span', {class: 'keys'}, el('kbd', {}, 'W'), el('kbd', {}, 'S'), ' zoom ', el('kbd', {}, 'A'), el('kbd', {}, 'D'), ' move ', el('kbd', {}, 'F'), ' fit chosen ', el('kbd', {}, 'J'), el('kbd', {}, 'K'), ' along arrows, drag: what ran')),
      this.canvas, this.detail, this.ran);
    listenTo(this);
    this.recall();
  }
  about() {
    const {first: model} = this, count = (n, what) => n.toLocaleString('en') + ' ' + what;
    const named = model.named ? count(model.named, 'that findings name and the longest others') : 'the longest';
    const single = model.window || model.single === model.all ? '' : `, ${model.single.toLocaleString('en')} of them one by one, ${named}`;
    const spans = count(model.all, 'spans') + single + (model.window || single ? ', short neighbors drawn as one' : '');
    const arrows = !model.window && model.flows.count < model.flows.all ? model.flows.count.toLocaleString('en') + ' of ' : '';
    if (!model.isReady) return `${count(model.all, 'spans')} on ${model.header.ready} of ${count(model.header.tracks.length, 'tracks')} so far: the program prepares the others`;
    return [spans, count(model.header.tracks.length, 'tracks'), arrows + count(model.flows.all, 'arrows'), timeText(model.to - model.from)].join(', ');
  }

  // ---- state ------------------------------------------------------------------------------------------

  recall() {
    const time = (key) => value(key) === null || value(key) === '' ? NaN : Number(value(key)) * 1e6;
    if (time('to') > time('from')) Object.assign(this.view, {from: time('from'), to: time('to')});
    if (time('end') > time('begin')) this.view.range = [time('begin'), time('end')];
    this.recallChosen();
    this.find();
    this.showChosen();
    if (this.view.range) this.showRange();
  }
  recallChosen() {
    const chosen = Number(value('span') ?? -1);
    if (!this.model.window && Number.isInteger(chosen) && chosen < this.model.count) this.view.chosen = chosen;
  }
  remember() {
    const {view, model} = this, whole = view.from === model.from && view.to === model.to;
    keep('from', whole ? null : written(view.from));
    keep('to', whole ? null : written(view.to));
  }

  show(from, to) {
    const {model, view} = this, length = Math.max(LEAST, Math.min(to - from, model.to - model.from));
    view.from = Math.max(model.from, Math.min(from, model.to - length));
    view.to = view.from + length;
    this.redraw();
    clearTimeout(this.later);
    this.later = setTimeout(() => { if (this.canvas.isConnected) this.remember(); }, 200);
    this.refine();
  }
  // Requests what a large trace has in this part, unless it is here.
  async refine() {
    const {view, model, first} = this, {window} = model;
    if (!window || this.refining) return;
    const perPixel = (view.to - view.from) / Math.max(200, this.canvas.clientWidth - LEFT);
    const search = this.search.value === this.taken ? this.taken : '';
    const [top, bottom] = rowsBetween(view.layout, view.top, view.top + this.canvas.clientHeight);
    const covers = window.from <= view.from && window.to >= view.to && window.first <= top && window.first + window.rows >= bottom;
    if (covers && window.min <= 2 * perPixel && model.search === search) return;
    this.refining = true;
    if (!covers) this.adopt(first);  // meanwhile
    try {
      const made = await windowOf(first, view.from, view.to, perPixel, top, bottom, search);
      if (first === this.first) this.adopt(made);
    } catch (error) { if (error.name !== 'AbortError') say(error.message); return; } finally { this.refining = false; }
    this.refine();  // the view may have moved on
  }
  adopt(model) {
    const {view} = this;
    this.model = this.picture.model = model;
    view.chosen = -1;
    if (this.kept) {  // the chosen span, which has other numbers in other windows
      const at = this.firstWith(this.kept.start, this.kept.row) + this.kept.nth, {first, count} = model.rows[this.kept.row];
      if (at < first + count && model.start[at] === this.kept.start && model.covered[at] === 1) view.chosen = at;
    }
    view.layout = layoutOf(model, view.closed);
    this.match();
    this.showChosen();
    this.redraw();
    if (this.awaited && model !== this.first) this.arrive();
  }
  // The first span of a row that begins at `start` or later: spans without length may begin together.
  firstWith(start, rowAt) {
    const {first, count} = this.model.rows[rowAt];
    return firstAbove(this.model.start, start - 0.5, first, first + count);
  }
  zoom(factor, at) {
    const {from, to} = this.view;
    this.show(at - (at - from) * factor, at + (to - at) * factor);
  }
  move(part) {
    const length = this.view.to - this.view.from;
    this.show(this.view.from + part * length, this.view.to + part * length);
  }
  scroll(px) {
    const {view} = this;
    view.top = Math.max(0, Math.min(view.top + px, view.layout.height + RULER - this.canvas.clientHeight));
    this.redraw();
    this.refine();
  }
  redraw() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => { this.frame = 0; this.picture.draw(); });
  }
  draw() {
    new ResizeObserver(() => this.picture.draw()).observe(this.canvas);
    this.refine();
    matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => this.redraw());
    this.canvas.focus();
    this.takeMore();
  }
  // Shows the tracks that the program has prepared meanwhile.
  async takeMore() {
    if (this.first.isReady) return;
    while (!this.first.isReady && this.canvas.isConnected) {
      const {view, first: before} = this, model = await traceModel().catch(() => null);
      if (!model) return;  // the page was left
      if (view.from === before.from && view.to === before.to) Object.assign(view, {from: model.from, to: model.to});
      this.first = model;
      this.adopt(model);
      this.summary.textContent = this.about();
      this.refine();
    }
    this.recallChosen();
    this.find();
  }

  // ---- search -----------------------------------------------------------------------------------------

  find() {
    this.search.classList.remove('wrong');
    this.match();
    const {model, view} = this;
    this.found.textContent = '';
    if (model.window) return this.findInAll();
    if (!view.matches) return;
    let count = 0;
    for (let i = 0; i < model.count; ++i) count += model.covered[i] === 1 && view.matches[model.name[i]];
    this.found.textContent = count.toLocaleString('en') + ' spans';
  }
  // Of a large trace, most spans are not here.
  findInAll() {
    clearTimeout(this.searching);
    this.searching = setTimeout(async () => {
      const text = this.search.value;
      if (!text || !this.view.matches) return this.refine();
      try {
        const {count} = await searchIn({text});
        if (text !== this.search.value) return;
        this.found.textContent = count.toLocaleString('en') + ' spans';
        this.taken = text;  // the program's expressions are others than those of the browser
      } catch (error) {
        if (error.name === 'AbortError' || text !== this.search.value) return;
        this.search.classList.add('wrong');
        this.match();
        this.redraw();
      }
      this.refine();
    }, 150);
  }
  match() {
    const {model, view} = this, text = this.search.value;
    view.matches = null;
    if (!text || this.search.classList.contains('wrong')) return;
    let matches;
    try {
      const pattern = text.length > 2 && text.startsWith('/') && text.endsWith('/') ? new RegExp(text.slice(1, -1), 'i') : null;
      matches = pattern ? (name) => pattern.test(name) : (name) => name.toLowerCase().includes(text.toLowerCase());
    } catch (error) { return this.search.classList.add('wrong'); }
    view.matches = Uint8Array.from({length: model.block.header.strings}, (_, id) => matches(model.block.string(id)) ? 1 : 0);
  }
  step(by) {
    const {model, view} = this;
    if (!view.matches) return;
    if (model.window) return this.stepInAll(by);
    for (let k = 1; k <= model.count; ++k) {
      const i = (Math.max(view.chosen, 0) + by * k + 2 * model.count) % model.count;
      if (model.covered[i] > 1 || !view.matches[model.name[i]]) continue;
      this.choose(i);
      return this.reveal(model.rowOf(i), model.start[i], model.end[i]);
    }
  }
  async stepInAll(by) {
    const {row, start, nth, length} = await searchIn({text: this.search.value, ...this.kept, ...(by < 0 ? {back: ''} : {})}).catch(() => ({}));
    if (row === undefined) return;  // none, or another page is shown
    this.kept = {row, start, nth};
    this.reveal(row, start, start + length);
    this.adopt(this.model);  // it may be here
  }
  reveal(rowAt, start, end) {
    const {model, view} = this, row = model.rows[rowAt], group = model.header.tracks[row.track].group;
    if (view.closed.delete(group)) view.layout = layoutOf(model, view.closed);
    const item = view.layout.items.find((one) => one.row === row), height = this.canvas.clientHeight - RULER;
    if (item.top < view.top || item.top + item.height > view.top + height) view.top = Math.max(0, item.top - height / 2);
    const own = end - start, isNarrow = model.window && 2 * own < (view.to - view.from) / this.canvas.clientWidth;
    const length = isNarrow ? 100 * own : view.to - view.from;
    if (isNarrow || end < view.from || start > view.to || own > length) this.show(start - length / 2, start + length / 2);
    this.redraw();
  }

  // ---- one span, and a range ----------------------------------------------------------------------------

  choose(span) {
    this.view.chosen = span;
    const row = span < 0 ? -1 : this.model.rowOf(span), start = this.model.start[span];
    this.kept = span < 0 ? null : {row, start, nth: span - this.firstWith(start, row)};
    keep('span', span < 0 || this.model.window ? null : String(span));
    this.showChosen();
    this.redraw();
  }
  factsOf(span) {
    const {model} = this, track = model.header.tracks[model.rows[model.rowOf(span)].track];
    const together = model.covered[span] > 1 ? [['spans', model.covered[span].toLocaleString('en') + ' drawn together; the name is that of the longest']] : [];
    return [...together, ['start', timeText(model.start[span])], ['duration', timeText(model.end[span] - model.start[span])],
      ['track', track.name], ['ran on', model.header.groups[track.group].name]];
  }
  showChosen() {
    const span = this.view.chosen;
    this.detail.replaceChildren();
    if (span < 0) return;
    if (this.model.window) this.askForArrows(span);
    this.detail.append(el('b', {}, el('bdi', {}, this.model.nameOf(span))), ...this.factsOf(span).map(([name, text]) => el('span', {}, el('i', {}, name), ' ', el('bdi', {}, text))),
      ...this.arrowLinks(), commandLine('events -where start_us=' + written(this.model.start[span])));
  }
  // Where the arrows of the chosen span lead and come from.
  arrowLinks() {
    const {model, picture} = this, arrows = picture.arrowsOf();
    const nameAt = ({track, time}) => { const i = picture.spanAt(track, time); return i >= 0 && model.covered[i] === 1 ? model.nameOf(i) : model.header.tracks[track].name; };
    return [['leads to', arrows.filter((arrow) => arrow.out)], ['follows', arrows.filter((arrow) => !arrow.out)]].filter(([, some]) => some.length).map(([what, some]) =>
      el('span', {class: 'arrows'}, el('i', {}, what), some.slice(0, NAMED).map(({other}) => el('button', {type: 'button', title: 'Goes to ' + nameAt(other) + ' on ' + model.header.tracks[other.track].name,
        on: {click: () => this.goTo(other)}}, el('bdi', {}, nameAt(other)))), some.length > NAMED ? ' and ' + (some.length - NAMED) + ' more' : null));
  }
  follow(out) {
    const arrow = this.picture.arrowsOf().find((one) => one.out === out);
    if (arrow) this.goTo(arrow.other);
  }
  // Chooses the span of a track at a time, as soon as it is here.
  goTo({track, time}) {
    const {model, view} = this, length = Math.min(view.to - view.from, 1e8);
    this.awaited = {track, time};
    if (this.arrive() || !model.window) return;
    this.reveal(model.rows.findIndex((row) => row.track === track), view.from, view.to);
    this.show(time - length / 2, time + length / 2);
  }
  arrive() {
    const {model, awaited} = this, span = this.picture.spanAt(awaited.track, awaited.time);
    if (span < 0 || model.covered[span] > 1) return false;
    this.awaited = null;
    this.take(span);
    return true;
  }
  // The arrows of a large trace come with the span that is chosen.
  askForArrows(span) {
    const {model, view} = this, {track} = model.rows[model.rowOf(span)], start = model.start[span], end = model.end[span], key = [track, start, end].join();
    if (this.arrowsOf === key) return;
    this.arrowsOf = key;
    view.flows = null;
    flowsAt(track, start, end).then((flows) => { if (this.arrowsOf === key) { view.flows = flows; this.showChosen(); this.redraw(); } }, () => { this.arrowsOf = ''; });
  }
  showRange() {
    const {view} = this;
    keep('begin', view.range ? written(view.range[0]) : null);
    keep('end', view.range ? written(view.range[1]) : null);
    if (!view.range) return this.ran.replaceChildren();
    if (this.model.window) {
      const {range} = view;
      return ranInAll(this.model, ...range).then((table) => { if (view.range === range) this.showRan(table); }, (error) => say(error.message));
    }
    this.showRan(ranIn(this.model, ...view.range));
  }
  showRan(table) {
    const {view} = this, made = new TableView({command: ''}, table, true);
    // Their events, as far as a condition selects them.
    this.ran.replaceChildren(made.element, el('p', {class: 'left'}, 'events that begin in it: ',
      commandLine('events -where ' + "'start_us >= " + written(view.range[0]) + ' and start_us < ' + written(view.range[1]) + "'")));
    made.draw();
    say(table.rows + ' names ran in ' + timeText(view.range[1] - view.range[0]));
  }
  fit() {
    const {model, view} = this;
    if (view.chosen >= 0) {
      const length = Math.max(LEAST, model.end[view.chosen] - model.start[view.chosen]);
      this.show(model.start[view.chosen] - length / 8, model.end[view.chosen] + length / 8);
    } else if (view.range) this.show(...view.range);
  }
  // Chooses the next single span of the row of the chosen one; without it, the first on the screen.
  beside(by) {
    const {model, view} = this, row = view.chosen < 0 ? this.rowHere() : model.rows[model.rowOf(view.chosen)];
    if (!row) return;
    const last = row.first + row.count;
    let i = view.chosen < 0 ? firstAbove(model.end, view.from, row.first, last) : view.chosen + by;
    while (i >= row.first && i < last && model.covered[i] > 1) i += by;
    this.take(i >= row.first && i < last ? i : -1);
  }
  // Chooses what the next row has there.
  beyond(by) {
    const {model, view} = this, rows = view.layout.items.filter((item) => item.kind === 'row').map((item) => item.row);
    if (view.chosen < 0) return this.beside(1);
    const time = (Math.max(model.start[view.chosen], view.from) + Math.min(model.end[view.chosen], view.to)) / 2;
    for (let k = rows.indexOf(model.rows[model.rowOf(view.chosen)]) + by; k >= 0 && k < rows.length; k += by) {
      const i = this.picture.spanIn(rows[k], time);
      if (i >= 0 && model.covered[i] === 1) return this.take(i);
    }
  }
  take(span) {
    if (span < 0) return;
    const {model} = this;
    this.choose(span);
    this.reveal(model.rowOf(span), model.start[span], model.end[span]);
    say(model.nameOf(span));
  }
  // The first row on the screen with spans, and the group of the chosen span or of this row.
  rowHere() {
    const {view} = this, shown = view.layout.items.filter((item) => item.kind === 'row' && item.row.count);
    return (shown.find((item) => item.top >= view.top) || shown[0])?.row;
  }
  groupHere() {
    const {model, view} = this;
    const row = view.chosen >= 0 ? model.rows[model.rowOf(view.chosen)] : this.rowHere();
    return row ? model.header.tracks[row.track].group : [...view.closed].at(-1) ?? 0;
  }
  // Opens or closes a group of tracks.
  toggle(group) {
    const {view} = this;
    if (!view.closed.delete(group)) view.closed.add(group);
    view.layout = layoutOf(this.model, view.closed);
    this.scroll(0);
  }
}

export async function tracePage() {
  const page = new TracePage(await traceModel());
  return {element: page.element, draw: () => page.draw()};
}
