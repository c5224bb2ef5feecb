// SPDX-License-Identifier: Apache-2.0
// The answers of the page. Each is compressed, and read only when it is shown; its columns are decoded only
// when a row of them is needed. The format is that of emitters/page/answer.cc.
import {humanInteger, humanReal, writtenInteger, writtenReal} from './units.js';

export const contents = JSON.parse(document.getElementById('contents').textContent);

const EMPTY = 0xFFFFFFFF;

// Integers of a column: the number of row i is base + stored[i].
class Integers {
  constructor(place, rows, data) {
    this.absent = place.base === undefined;
    this.base = this.absent ? 0n : BigInt(place.base);
    this.width = place.width;
    this.stored = null;
    if (this.width === 0) return;
    const bytes = data.subarray(place.at, place.at + rows * this.width);
    if (this.width === 8) {
      this.stored = new BigUint64Array(rows);
      for (let row = 0; row < rows; ++row) {
        let value = 0n;
        for (let byte = 7; byte >= 0; --byte) value = value << 8n | BigInt(bytes[byte * rows + row]);
        this.stored[row] = value;
      }
      this.none = 0xFFFFFFFFFFFFFFFFn;
    } else {
      this.stored = new Uint32Array(rows);
      for (let byte = 0; byte < this.width; ++byte) {
        const plane = byte * rows, shift = 8 * byte;
        for (let row = 0; row < rows; ++row) this.stored[row] |= bytes[plane + row] << shift;
      }
      this.none = this.width === 4 ? EMPTY : 2 ** (8 * this.width) - 1;
    }
  }
  isAbsent(row) { return this.absent || (this.stored !== null && this.stored[row] === this.none); }
  // Exact; null: absent.
  integer(row) {
    if (this.isAbsent(row)) return null;
    return this.stored === null ? this.base : this.base + BigInt(this.stored[row]);
  }
  // For orders and pictures; NaN: absent.
  number(row) {
    if (this.isAbsent(row)) return NaN;
    return Number(this.base) + (this.stored === null ? 0 : Number(this.stored[row]));
  }
}

class Column {
  constructor(declared, rows, answer) {
    Object.assign(this, declared);
    this.divisor = BigInt(declared.divisor || 1);
    this.rows = rows;
    this.answer = answer;
    this.isNumber = this.type === 'integer' || this.type === 'real';
    this.isEmpty = declared.values.width === 0 && declared.values.base === undefined;
    this.cells = null;
  }
  read() {
    if (this.cells) return this.cells;
    const {data} = this.answer, place = this.values;
    if (this.type !== 'real') return this.cells = new Integers(place, this.rows, data);
    if (this.isEmpty) return this.cells = new Float64Array(this.rows).fill(NaN);
    const bytes = new Uint8Array(8 * this.rows);
    for (let byte = 0; byte < 8; ++byte) {
      for (let row = 0; row < this.rows; ++row) bytes[8 * row + byte] = data[place.at + byte * this.rows + row];
    }
    return this.cells = new Float64Array(bytes.buffer);
  }
  isAbsent(row) { return this.type === 'real' ? Number.isNaN(this.read()[row]) : this.read().isAbsent(row); }
  // No row has a value, or only empty texts: the terminal leaves out such columns.
  isBlank() {
    if (this.isEmpty || this.isNumber || this.type === 'boolean') return this.isEmpty;
    for (let row = 0; row < this.rows; ++row) if (this.text(row)) return false;
    return true;
  }
  // For orders and pictures, in the unit of the stored values; NaN: absent or no number.
  number(row) {
    if (this.type === 'real') return this.read()[row];
    return this.isNumber || this.type === 'boolean' ? this.read().number(row) / Number(this.divisor) : NaN;
  }
  // The number of the text; equal texts have equal numbers.
  textId(row) { return this.isAbsent(row) ? -1 : Number(this.read().integer(row)); }
  text(row) {
    if (this.isAbsent(row)) return null;
    if (this.type === 'boolean') return this.read().integer(row) ? 'yes' : 'no';
    return this.isNumber ? this.human(row) : this.answer.string(this.textId(row));
  }
  // As the terminal shows it.
  human(row) {
    if (this.isAbsent(row)) return '-';
    if (this.role === 'folded_rows') return this.read().integer(row) > 1n ? 'x' + this.read().integer(row) : '';
    if (this.type === 'integer') return humanInteger(this.read().integer(row), this.unit, this.divisor);
    if (this.type === 'real') return humanReal(this.read()[row], this.unit);
    const text = this.text(row);
    return this.type === 'list' ? text.split('\n').join(', ') : text;
  }
  // As JSON and CSV have it; null: absent.
  written(row) {
    if (this.isAbsent(row)) return null;
    if (this.type === 'integer') return writtenInteger(this.read().integer(row), this.unit, this.divisor);
    if (this.type === 'real') return writtenReal(this.read()[row], this.unit);
    if (this.type === 'boolean') return this.read().integer(row) ? 'true' : 'false';
    const text = this.text(row);
    return this.type === 'list' ? text.split('\n').join('|') : text;
  }
}

class Table {
  constructor(declared, answer) {
    Object.assign(this, declared);
    this.columns = declared.columns.map((column) => new Column(column, this.rows, answer));
    const shown = declared.readers.map((i) => this.columns[i]);
    this.readers = this.rows ? shown.filter((column) => !column.isBlank()) : shown;
    this.tree = declared.depth !== undefined;
    if (this.tree) {
      const depths = new Integers(declared.depth, this.rows, answer.data);
      this.depth = Uint32Array.from({length: this.rows}, (_, row) => depths.number(row));
    }
  }
  column(id) { return this.columns.find((column) => column.id === id); }
}

// What emitters/page/block.h writes: a header and the columns it places.
class Block {
  constructor(bytes) {
    const length = new DataView(bytes.buffer).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    this.data = bytes.subarray(4 + length);
    this.kept = new Map();
    this.starts = null;
  }
  integers(place, rows) { return new Integers(place, rows, this.data); }
  string(id) {
    if (this.kept.has(id)) return this.kept.get(id);
    const {strings, lengths, texts} = this.header;
    if (!this.starts) {
      const sizes = this.integers(lengths, strings);
      this.starts = new Float64Array(strings + 1);
      this.starts[0] = texts;
      for (let i = 0; i < strings; ++i) this.starts[i + 1] = this.starts[i] + sizes.number(i);
    }
    const text = new TextDecoder().decode(this.data.subarray(this.starts[id], this.starts[id + 1]));
    this.kept.set(id, text);
    return text;
  }
}

class Answer extends Block {
  constructor(bytes) {
    super(bytes);
    for (const key of ['view', 'command', 'facts', 'notes', 'folded']) this[key] = this.header[key];
    this.tables = this.header.tables.map((table) => new Table(table, this));
  }
  table(name) { return this.tables.find((table) => table.name === name); }
}

async function inflated(compressed) {
  const stream = new Blob([compressed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
function fromBase64(text) {
  const binary = atob(text), bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

// Requests of the page that is shown: they end when it is left.
let asking = new AbortController();
const blocks = new Map(), unanswered = new Set();
export function leave() {
  for (const key of unanswered) blocks.delete(key);
  unanswered.clear();
  asking.abort();
  asking = new AbortController();
}
// Asks the server that a live page came from.
async function fetched(address) {
  let reply;
  try {
    reply = await fetch(address, {signal: asking.signal});
  } catch (error) {
    throw error.name === 'AbortError' ? error : new Error('tfprof serve does not answer any more: start it again, and open the address that it prints');
  }
  if (reply.ok) return new Uint8Array(await reply.arrayBuffer());
  const {error, hint} = await reply.json();
  throw new Error(error + (hint ? ': ' + hint : ''));
}

// A block of the page, made from its bytes once; null: the page lacks it.
function blockOf(key, make) {
  const at = contents.answers.indexOf(key);
  if (at < 0 && !contents.live) return Promise.resolve(null);
  if (!blocks.has(key)) {
    const bytes = contents.live ? fetched(key === 'timeline' ? 'trace' : 'block?line=' + encodeURIComponent(key)) : Promise.resolve(fromBase64(document.getElementById('answer' + at).textContent));
    const block = bytes.then(inflated).then(make);
    blocks.set(key, block);
    unanswered.add(key);
    block.then(() => unanswered.delete(key), () => {
      if (blocks.get(key) !== block) return;  // it was left, and asked again
      blocks.delete(key);
      unanswered.delete(key);
    });
  }
  return blocks.get(key);
}
export const answerTo = (key) => blockOf(key, (bytes) => new Answer(bytes));
// A block that only a live page can ask for: `of` is trace or range.
export const partOf = (of, values, make) => fetched(of + '?' + new URLSearchParams(values)).then(inflated).then((bytes) => make(new Block(bytes)));
// What a live page finds in all spans of its trace.
export const searchIn = (values) => fetched('search?' + new URLSearchParams(values)).then((bytes) => JSON.parse(new TextDecoder().decode(bytes)));
// How a tree changed since the base, as emitters/flame/ has it; null: there is no base.
export const changesOf = (view) => blockOf('flame changes.html -diff -view ' + view, (bytes) => JSON.parse(new TextDecoder().decode(bytes)));
export const hasChanges = (view) => contents.answers.includes('flame changes.html -diff -view ' + view);
export const traceOf = (make) => blockOf('timeline', (bytes) => make(new Block(bytes)));
export const forgetTrace = () => blocks.delete('timeline');
