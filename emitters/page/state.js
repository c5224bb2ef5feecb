// SPDX-License-Identifier: Apache-2.0
// What the page shows is in the fragment of its address: #/PAGE?key=value. A new page is a new entry of the
// history; a change within one replaces its entry.

export function place() {
  const [path, query] = location.hash.replace(/^#\/?/, '').split('?');
  return {page: decodeURIComponent(path || ''), values: new URLSearchParams(query || '')};
}
function fragment(page, values) {
  const query = values.toString();
  return '#/' + encodeURIComponent(page) + (query ? '?' + query : '');
}
export function linkTo(page, values = {}) { return fragment(page, new URLSearchParams(values)); }

export function value(key) { return place().values.get(key); }
// Keeps a value of this page in its address; null or '' removes it.
export function keep(key, text) {
  const {page, values} = place();
  if (text === null || text === '') values.delete(key);
  else values.set(key, text);
  history.replaceState(null, '', fragment(page, values));
}
