// SPDX-License-Identifier: Apache-2.0
// Tables as graphs: edges come from the list `operands`, or in the tree of the view graph without one from the
// rows below. Names are unique within a group. A list `called` names the groups that a node opens.

const GROUPS = ['host', 'program', 'stage', 'pipeline', 'computation'];

export const hasGraph = (table) => table.rows > 1 && (table.column('operands') || (table.tree && table.name === 'graph'));

export function graphOf(table) {
  const name = table.column('name') || table.column('instruction'), listed = table.column('operands'), called = table.column('called');
  const operands = listed && !(table.tree && listed.isBlank()) ? listed : null;
  const groupColumns = operands ? GROUPS.map((id) => table.column(id)).filter(Boolean) : [];
  const weight = table.column('inclusive_us') && table.tree ? table.column('inclusive_us') : table.column('time_us');
  const nodes = [], groups = new Map(), above = [];
  for (let row = 0; row < table.rows; ++row) {
    const node = {row, name: name.text(row) || '', before: [], after: [], opens: [], weight: weight && weight.number(row) > 0 ? weight.number(row) : 0};
    nodes.push(node);
    const titles = groupColumns.map((column) => column.human(row)), group = titles.join(' · ');
    if (!groups.has(group)) groups.set(group, {title: group, nodes: [], byName: new Map(), caller: null});
    const own = groups.get(group);
    own.nodes.push(node);
    if (called && !called.isAbsent(row) && called.text(row)) node.opens = called.text(row).split('\n').map((name) => [...titles.slice(0, -1), name].join(' · '));
    own.byName.set(node.name, node);
    if (operands) continue;
    above.length = table.depth[row];
    const parent = above.at(-1);
    if (parent && parent.row > 0) { parent.before.push(node); node.after.push(parent); }
    above.push(node);
  }
  if (operands) {
    for (const {nodes: own, byName} of groups.values()) {
      for (const node of own) {
        if (operands.isAbsent(node.row)) continue;
        for (const from of new Set(operands.text(node.row).split('\n'))) {
          const other = byName.get(from);
          if (!other || other === node) continue;
          node.before.push(other);
          other.after.push(node);
        }
      }
    }
  }
  if (table.tree) for (const group of groups.values()) group.nodes = group.nodes.filter((node) => node.row > 0);  // the root is none
  for (const group of groups.values()) {
    for (const node of group.nodes) {
      node.group = group;
      node.opens = node.opens.map((title) => groups.get(title)).filter(Boolean);
      for (const opened of node.opens) opened.caller ||= node;
    }
  }
  return {table, nodes, weight, groups: [...groups.values()].filter((group) => group.nodes.some((node) => node.before.length || node.after.length))};
}

// The same graph by scopes, which are rows of the tree `table`: a group is what is directly in a scope, and an edge
// stands for all edges between what is in two of its members.
export function scopesOf(graph, table) {
  const name = table.column('name'), weight = table.column('inclusive_us'), byName = new Map(), groups = [], nodes = [], edges = new Set();
  const all = {row: -1, above: null}, open = [];
  for (let row = 0; row < table.rows; ++row) {
    open.length = table.depth[row];
    const node = {row, name: name.text(row) || '', above: open.at(-1) || all, before: [], after: [], opens: [], weight: weight && weight.number(row) > 0 ? weight.number(row) : 0};
    nodes.push(node);
    open.push(row === 0 && table.root ? all : node);
    if (open[0] === all && row === 0) continue;
    byName.set(node.name, node);
    const {above} = node;
    if (!above.inside) {
      groups.push(above.inside = {title: above.name || 'all scopes', nodes: [], caller: above === all ? null : above});
      if (above !== all) above.opens = [above.inside];
    }
    node.group = above.inside;
    node.group.nodes.push(node);
  }
  const pathOf = (node) => { const path = []; for (let at = node; at; at = at.above) path.unshift(at); return path; };
  for (const user of graph.nodes) {
    for (const operand of user.before) {
      const from = byName.get(operand.name), to = byName.get(user.name);
      if (!from || !to) continue;
      const a = pathOf(from), b = pathOf(to), at = a.findIndex((one, i) => one !== b[i]);
      if (at < 0 || !b[at] || edges.has(a[at].row + ' ' + b[at].row)) continue;
      edges.add(a[at].row + ' ' + b[at].row);
      a[at].after.push(b[at]);
      b[at].before.push(a[at]);
    }
  }
  return {table, nodes, weight, groups, top: groups[0]};
}

// Marks the nodes of the critical paths: `on` is {program, position} of those on one. Returns them by program.
export function markPaths(graph, answer) {
  const paths = new Map(), found = answer && answer.table('critical_path');
  if (!found || !found.rows) return paths;
  const at = new Map(), programs = graph.table.column('program_id'), key = (column, row, name) => (column && column.text(row) || '') + '\n' + name;
  for (let row = 0; row < found.rows; ++row) at.set(key(found.column('program_id'), row, found.column('name').text(row)), found.column('position').number(row));
  for (const node of graph.nodes) {
    const position = at.get(key(programs, node.row, node.name)), program = key(programs, node.row, '');
    if (!position) continue;
    if (!paths.has(program)) paths.set(program, new Map());
    if (!paths.get(program).has(position)) paths.get(program).set(position, node);
    node.on = {program, position};
  }
  return paths;
}

export const heaviestOf = (nodes) => nodes.reduce((best, node) => node.weight > best.weight ? node : best, nodes[0]);

// Nodes at most `steps` edges away from one, nearest first; at most `most`.
export function around(node, steps, most) {
  const found = new Set([node]);
  let edge = [node];
  for (let step = 0; step < steps && edge.length; ++step) {
    const next = [];
    for (const one of edge) {
      for (const other of [...one.before, ...one.after]) {
        if (found.has(other) || found.size >= most) continue;
        found.add(other);
        next.push(other);
      }
    }
    edge = next;
  }
  return found;
}

// Columns of nodes, from operands to users: each is right of what it needs, its order that of its neighbors.
export function layersOf(shown) {
  const layer = new Map(), open = new Map();
  const inner = (nodes) => nodes.filter((node) => shown.has(node));
  for (const node of shown) open.set(node, inner(node.before).length);
  let ready = [...shown].filter((node) => open.get(node) === 0);
  for (let at = 0; layer.size < shown.size; ++at) {
    if (!ready.length) ready = [[...shown].find((node) => !layer.has(node))];  // a cycle
    for (const node of ready) layer.set(node, at);
    const next = [];
    for (const node of ready) {
      for (const user of inner(node.after)) {
        open.set(user, open.get(user) - 1);
        if (open.get(user) === 0 && !layer.has(user)) next.push(user);
      }
    }
    ready = next;
  }
  // Sources stand beside their first user.
  for (const node of shown) {
    const users = inner(node.after);
    if (users.length && !inner(node.before).length) layer.set(node, Math.max(0, Math.min(...users.map((user) => layer.get(user))) - 1));
  }
  const layers = [];
  for (const node of [...shown].sort((a, b) => a.row - b.row)) (layers[layer.get(node)] ||= []).push(node);
  const columns = [...layers].map((nodes) => nodes || []);
  const place = new Map();
  const number = () => { for (const nodes of columns) nodes.forEach((node, i) => place.set(node, i - nodes.length / 2)); };
  number();
  const mean = (nodes, otherwise) => nodes.length ? nodes.reduce((sum, node) => sum + place.get(node), 0) / nodes.length : otherwise;
  for (let turn = 0; turn < 6; ++turn) {
    for (const nodes of columns) {
      const key = new Map(nodes.map((node) => [node, mean(inner(turn % 2 ? node.after : node.before), place.get(node))]));
      nodes.sort((a, b) => key.get(a) - key.get(b) || a.row - b.row);
    }
    number();
  }
  return columns.filter((nodes) => nodes.length);
}
