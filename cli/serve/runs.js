// SPDX-License-Identifier: Apache-2.0
// The list of profiles. Names of files become text nodes: none is parsed as markup.
const rows = document.getElementById('runs'), said = document.getElementById('said');
let shown = '';

function cell(child) {
  const made = document.createElement('td');
  made.append(child);
  return made;
}
function rowOf(run) {
  const row = document.createElement('tr'), link = document.createElement('a');
  link.href = run.id + '/';
  link.textContent = run.name;
  row.append(cell(link), cell(run.folder), cell(run.modified_ns ? new Date(run.modified_ns / 1e6).toLocaleString() : '-'));
  return row;
}
async function look() {
  try {
    const text = await (await fetch('runs')).text();
    said.textContent = text === '[]' ? 'No profile is there yet.' : '';
    if (text === shown) return;
    shown = text;
    const held = document.activeElement?.getAttribute('href');  // it is made again
    rows.replaceChildren(...JSON.parse(text).map(rowOf));
    if (held) rows.querySelector(`a[href="${CSS.escape(held)}"]`)?.focus();
  } catch (ended) {
    said.textContent = 'tfprof serve does not answer any more.';
  }
}
look();
setInterval(() => { if (!document.hidden) look(); }, 3000);
