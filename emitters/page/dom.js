// SPDX-License-Identifier: Apache-2.0
// Elements. All texts of a profile become text nodes: none of them is ever parsed as markup.
import {contents} from './data.js';

// Makes an element. Properties: class, data (an object), on (handlers by event), others are attributes;
// false and null leave one out.
export function el(tag, properties, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties || {})) {
    if (value === false || value === null || value === undefined) continue;
    if (name === 'class') made.className = value;
    else if (name === 'data') Object.assign(made.dataset, value);
    else if (name === 'on') for (const [event, act] of Object.entries(value)) made.addEventListener(event, act);
    else made.setAttribute(name, value === true ? '' : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

const SVG = 'http://www.w3.org/2000/svg';
export function svg(tag, attributes, ...children) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== false) made.setAttribute(name, value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null));
  return made;
}

// The width of a text in px, in the font of the page.
const pen = document.createElement('canvas').getContext('2d');
let family = null, penSize = 0;
export function widthOf(text, size = 13.5) {
  family ??= getComputedStyle(document.body).fontFamily;
  if (size !== penSize) pen.font = (penSize = size) + 'px ' + family;
  return pen.measureText(text).width;
}

// Tells screen readers what changed.
export function say(text) { document.getElementById('said').textContent = text; }

async function copyText(text, button) {
  try {
    await navigator.clipboard.writeText(text);
  } catch (refused) {  // a page on disk may not
    const area = el('textarea', {class: 'unseen'});
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand('copy');
    area.remove();
  }
  const before = button.textContent;
  button.textContent = 'copied';
  say('copied');
  setTimeout(() => { button.textContent = before; }, 1200);
}

// The line of a shell that runs a command about this profile.
const shellCommand = (command) => contents.opened + " -c '" + command.replaceAll("'", "'\\''") + "'";

// A command with a button that copies it, as a line of a shell.
export function commandLine(command) {
  const copied = shellCommand(command);
  const button = el('button', {type: 'button', class: 'copy', title: 'Copies: ' + copied}, 'copy');
  button.addEventListener('click', () => copyText(copied, button));
  return el('span', {class: 'command'}, el('code', {title: 'Prints these numbers in a terminal: ' + command}, command), button);
}

// ---- what appears beside the pointer ------------------------------------------------------------------

export function hideTip() { document.getElementById('tip').hidden = true; }
export function showTip(x, y, ...children) {
  const tip = document.getElementById('tip');
  tip.replaceChildren(...children);
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  const below = y + 18 + box.height < innerHeight;
  tip.style.left = Math.max(8, Math.min(x + 14, innerWidth - box.width - 8)) + 'px';
  tip.style.top = Math.max(8, below ? y + 18 : y - box.height - 10) + 'px';
}
// Names with their values, as rows.
export function factTable(facts) {
  return el('table', {}, facts.map(([name, value]) => el('tr', {}, el('td', {}, name), el('td', {}, value))));
}
