// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/name_order.h"

#include <vector>

namespace tfprof {
namespace {

struct Item {
  uint64_t head;  // the eight bytes at the group's depth, as a number with the same order
  const char* text;
  uint32_t length;
  NodeId node;
};

// Items [first, end) whose first `depth` bytes are equal.
struct Group {
  size_t first;
  size_t end;
  uint32_t depth;
};

std::string_view Rest(const Item& item, uint32_t depth) {
  return {item.text + depth, item.length - depth};
}

uint32_t RestLength(const Item& item, uint32_t depth) {
  return std::min<uint32_t>(item.length - depth, 9);  // 9: continues after the head
}

void SortSmall(std::vector<Item>& items, const Group& group) {
  std::sort(items.begin() + static_cast<ptrdiff_t>(group.first),
            items.begin() + static_cast<ptrdiff_t>(group.end),
            [depth = group.depth](const Item& a, const Item& b) {
              return Rest(a, depth) < Rest(b, depth);
            });
}

// Sorts by the head and pushes the groups that are still equal.
void SortByHead(std::vector<Item>& items, const Group& group, std::vector<Group>* groups) {
  const uint32_t depth = group.depth;
  for (size_t i = group.first; i < group.end; ++i) items[i].head = NameHead(Rest(items[i], depth));
  const auto before = [depth](const Item& a, const Item& b) {
    if (a.head != b.head) return a.head < b.head;
    return RestLength(a, depth) < RestLength(b, depth);
  };
  const auto first = items.begin() + static_cast<ptrdiff_t>(group.first);
  const auto end = items.begin() + static_cast<ptrdiff_t>(group.end);
  if (!std::is_sorted(first, end, before)) std::sort(first, end, before);
  for (size_t i = group.first; i < group.end;) {
    size_t same = i + 1;
    while (same < group.end && items[same].head == items[i].head) ++same;
    // Items that end within the head come first and are in order.
    while (i < same && RestLength(items[i], depth) < 9) ++i;
    if (same - i > 1) groups->push_back({i, same, depth + 8});
    i = same;
  }
}

}  // namespace

Result<void> SortByName(const Store& store, Column<NodeId>* nodes, Context& context) {
  constexpr size_t kSmall = 12;
  std::vector<Item> items;
  items.reserve(nodes->size());
  for (const NodeId node : *nodes) {
    const std::string_view text = store.Text(store.nodes[node.value].name);
    items.push_back({0, text.data(), static_cast<uint32_t>(text.size()), node});
  }
  std::vector<Group> groups = {{0, items.size(), 0}};
  for (size_t sorted = 0; !groups.empty(); ++sorted) {
    if (sorted % 1024 == 0) TFPROF_TRY(Poll(context));
    const Group group = groups.back();
    groups.pop_back();
    if (group.end - group.first < kSmall) {
      SortSmall(items, group);
    } else {
      SortByHead(items, group, &groups);
    }
  }
  for (size_t i = 0; i < items.size(); ++i) (*nodes)[i] = items[i].node;
  return {};
}

Result<Column<NodeId>> NodesByName::Build(const Store& store, Context& context) {
  Column<NodeId> nodes;
  nodes.Reserve(store.nodes.size());
  for (size_t i = 0; i < store.nodes.size(); ++i) nodes.Push(NodeId(i));
  TFPROF_TRY(SortByName(store, &nodes, context));
  return nodes;
}

}  // namespace tfprof
