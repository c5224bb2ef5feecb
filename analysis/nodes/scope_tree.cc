// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/scope_tree.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "analysis/indexes.h"
#include "analysis/nodes/accounting.h"
#include "analysis/nodes/name_order.h"
#include "core/base/sorting.h"

namespace tfprof {
namespace {

// Rows with fewer children search their list; others use a hash table. Nearly all rows have few
// children, created close together, so the table is off the common path.
constexpr uint32_t kFewChildren = 8;

// Rows in order of creation: a parent before its children.
struct Trie {
  struct Row {
    uint32_t parent;
    NodeId node;
    NameId name;     // a node's name that passes through the row
    uint32_t begin;  // start of the row's own component in that name
    uint32_t end;
    uint32_t tag;  // hash of (parent, component): rejects most unequal ones
    uint32_t last_child = kNoRow;
    uint32_t next_sibling = kNoRow;  // the sibling created before it
    uint32_t children = 0;
  };
  Column<Row> rows;
  Column<uint32_t> slots;  // open addressing, a power of two, at most half full; rows
  size_t hashed = 0;       // rows in `slots`: children of rows with many children
};

std::string_view Component(const Store& store, const Trie::Row& row) {
  return store.Text(row.name).substr(row.begin, row.end - row.begin);
}

void Place(uint32_t row, Trie* trie) {
  const size_t mask = trie->slots.size() - 1;
  size_t at = trie->rows[row].tag & mask;
  while (trie->slots[at] != kNoRow) at = (at + 1) & mask;
  trie->slots[at] = row;
}

void Rehash(size_t slots, Trie* trie) {
  Column<uint32_t> old = std::move(trie->slots);
  trie->slots = Column<uint32_t>();
  trie->slots.Resize(slots, kNoRow);
  for (const uint32_t row : old) {
    if (row != kNoRow) Place(row, trie);
  }
}

void AddToTable(uint32_t row, Trie* trie) {
  if (++trie->hashed * 2 > trie->slots.size()) Rehash(trie->slots.size() * 2, trie);
  Place(row, trie);
}

// Returns the child of `parent` with this component, or kNoRow.
uint32_t Find(const Store& store, const Trie& trie, uint32_t parent, std::string_view component,
              uint32_t tag) {
  const auto matches = [&](const Trie::Row& row) {
    return row.tag == tag && row.parent == parent && Component(store, row) == component;
  };
  if (trie.rows[parent].children <= kFewChildren) {
    uint32_t child = trie.rows[parent].last_child;
    while (child != kNoRow && !matches(trie.rows[child])) child = trie.rows[child].next_sibling;
    return child;
  }
  const size_t mask = trie.slots.size() - 1;
  size_t at = tag & mask;
  while (trie.slots[at] != kNoRow && !matches(trie.rows[trie.slots[at]])) at = (at + 1) & mask;
  return trie.slots[at];
}

// Returns the child of `parent` whose component is bytes [begin, end) of `name`; creates it if it
// is new.
uint32_t Child(const Store& store, uint32_t parent, NameId name, uint32_t begin, uint32_t end,
               Trie* trie) {
  const std::string_view component = store.Text(name).substr(begin, end - begin);
  const auto tag = static_cast<uint32_t>(HashPair(Hash(component), parent));
  const uint32_t known = Find(store, *trie, parent, component, tag);
  if (known != kNoRow) return known;
  const auto made = static_cast<uint32_t>(trie->rows.size());
  Trie::Row& above = trie->rows[parent];
  const uint32_t before = std::exchange(above.last_child, made);
  const uint32_t children = ++above.children;
  trie->rows.Push({parent, NodeId(), name, begin, end, tag, kNoRow, before, 0});
  if (children == kFewChildren + 1) {
    for (uint32_t row = made; row != kNoRow; row = trie->rows[row].next_sibling) {
      AddToTable(row, trie);
    }
  } else if (children > kFewChildren) {
    AddToTable(made, trie);
  }
  return made;
}

size_t CommonPrefix(std::string_view a, std::string_view b) {
  const size_t max = std::min(a.size(), b.size());
  size_t at = 0;
  for (; at + 8 <= max; at += 8) {
    uint64_t x, y;
    std::memcpy(&x, a.data() + at, 8);
    std::memcpy(&y, b.data() + at, 8);
    if (x == y) continue;
    return at + static_cast<size_t>(std::countr_zero(x ^ y)) / 8;  // little endian
  }
  while (at < max && a[at] == b[at]) ++at;
  return at;
}

// A component of the previous name, which the next name often shares.
struct Part {
  uint32_t end;  // in the name
  uint32_t row;
};

Result<Trie> BuildTrie(const Store& store, Context& context) {
  Trie trie;
  trie.rows.Reserve(store.nodes.size() + store.nodes.size() / 4 + 1);
  trie.rows.Push({0, NodeId(), NameId(0), 0, 0, 0, kNoRow, kNoRow, 0});
  Rehash(1024, &trie);
  std::vector<Part> parts;
  std::string_view before;
  for (size_t i = 0; i < store.nodes.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const NameId name = store.nodes[i].name;
    const std::string_view text = store.Text(name);
    // A component is shared if the '/' after it is, too.
    const size_t common = CommonPrefix(before, text);
    while (!parts.empty() && parts.back().end >= common) parts.pop_back();
    uint32_t begin = parts.empty() ? 0 : parts.back().end + 1;
    uint32_t row = parts.empty() ? 0 : parts.back().row;
    for (;;) {
      const size_t slash = text.find('/', begin);
      const auto end = static_cast<uint32_t>(slash == text.npos ? text.size() : slash);
      row = Child(store, row, name, begin, end, &trie);
      parts.push_back({end, row});
      if (slash == text.npos) break;
      begin = end + 1;
    }
    trie.rows[row].node = NodeId(i);
    before = text;
  }
  return trie;
}

// The rows by parent; children of row i are rows[first[i] .. first[i + 1]), in byte order.
struct Children {
  Column<uint32_t> first;
  Column<uint32_t> rows;
};

Children ListChildren(const Trie& trie) {
  const size_t count = trie.rows.size();
  Children children;
  children.first.Resize(count + 2);
  children.rows.Resize(count - 1);
  for (size_t i = 1; i < count; ++i) ++children.first[trie.rows[i].parent + 2];
  for (size_t i = 2; i < count + 2; ++i) children.first[i] += children.first[i - 1];
  for (uint32_t i = 1; i < count; ++i) {
    children.rows[children.first[trie.rows[i].parent + 1]++] = i;
  }
  return children;
}

struct Keyed {
  uint64_t head;
  uint32_t row;
};

Result<void> SortChildren(const Store& store, const Trie& trie, Children* children,
                          Context& context) {
  std::vector<Keyed> group;
  const auto before = [&](const Keyed& a, const Keyed& b) {
    if (a.head != b.head) return a.head < b.head;
    return Component(store, trie.rows[a.row]) < Component(store, trie.rows[b.row]);
  };
  for (size_t i = 0; i < trie.rows.size(); ++i) {
    if (i % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    const std::span<uint32_t> rows(children->rows.data() + children->first[i],
                                   children->first[i + 1] - children->first[i]);
    if (rows.size() < 2) continue;
    group.clear();
    for (const uint32_t row : rows) {
      group.push_back({NameHead(Component(store, trie.rows[row])), row});
    }
    if (std::is_sorted(group.begin(), group.end(), before)) continue;
    TFPROF_TRY(PolledSort(std::span(group), before, context));
    for (size_t k = 0; k < rows.size(); ++k) rows[k] = group[k].row;
  }
  return {};
}

// Numbers the rows depth-first. Parents are created, and thus numbered, before their children: with
// all subtree sizes known, one pass from the root is enough.
ScopeTree Number(const Trie& trie, const Children& children) {
  const size_t count = trie.rows.size();
  Column<uint32_t> size;
  size.Resize(count, 1);
  for (size_t i = count - 1; i > 0; --i) size[trie.rows[i].parent] += size[i];
  ScopeTree tree;
  tree.parent.Extend(count);
  tree.end.Extend(count);
  tree.node.Extend(count);
  tree.names.Extend(count);
  Column<uint32_t> place;
  place.Resize(count);
  for (size_t i = 0; i < count; ++i) {
    const uint32_t at = place[i];
    tree.parent[at] = place[trie.rows[i].parent];
    tree.end[at] = at + size[i];
    tree.node[at] = trie.rows[i].node;
    tree.names[at] = {trie.rows[i].name, trie.rows[i].end};
    uint32_t next = at + 1;
    for (uint32_t k = children.first[i]; k < children.first[i + 1]; ++k) {
      place[children.rows[k]] = next;
      next += size[children.rows[k]];
    }
  }
  return tree;
}

}  // namespace

Result<ScopeTree> ScopeTree::Build(const Store& store, Context& context) {
  TFPROF_ASSIGN(const Trie trie, BuildTrie(store, context));
  Children children = ListChildren(trie);
  TFPROF_TRY(SortChildren(store, trie, &children, context));
  TFPROF_TRY(Poll(context));
  return Number(trie, children);
}

NamedTree Named(const ScopeNames& state) {
  NamedTree tree;
  tree.parent = {state.tree->parent.data(), state.tree->parent.size()};
  tree.end = {state.tree->end.data(), state.tree->end.size()};
  tree.names = &state;
  tree.siblings_by_name = true;
  tree.name = [](const void* names, uint32_t row) {
    const auto& scopes = *static_cast<const ScopeNames*>(names);
    if (row == 0) return kRootName;
    const ScopeTree::Name& name = scopes.tree->names[row];
    return scopes.store->Text(name.name).substr(0, name.length);
  };
  return tree;
}

std::string_view EndOfName(const ScopeNames& names, uint32_t row, size_t size) {
  const std::string_view name = Named(names).Name(row);
  const uint32_t parent = names.tree->parent[row];
  const size_t above = parent == 0 ? 0 : names.tree->names[parent].length;
  const bool is_whole = parent == 0 || above < size;
  return name.substr(is_whole ? 0 : above + 1 - size);
}

Result<TreeTotals> ScopeTotals::Build(const Indexes& indexes, const PlaceFilter& place,
                                      Context& context) {
  TFPROF_ASSIGN(const auto tree, indexes.Get<ScopeTree>(context));
  TFPROF_ASSIGN(const auto sums, indexes.Get<NodeSums>(place, context));
  const ScopeNames names{indexes.store().get(), tree.get()};
  return SumTree(Named(names), OwnValuesOf(*sums, tree->node, place.exact), {}, false, context);
}

}  // namespace tfprof
