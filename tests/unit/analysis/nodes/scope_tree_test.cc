// SPDX-License-Identifier: Apache-2.0
#include "analysis/nodes/scope_tree.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "analysis/nodes/name_order.h"
#include "tests/support/store_of.h"

namespace tfprof::scope_tree_test {
namespace {

StorePtr StoreOfNames(const std::vector<std::string>& names) {
  std::vector<TestNode> nodes;
  for (const std::string& name : names) nodes.push_back({.name = name});
  return StoreOf(nodes);
}

std::vector<std::string> NamesIn(const Store& store, const ScopeTree& tree) {
  const ScopeNames state{&store, &tree};
  const NamedTree named = Named(state);
  std::vector<std::string> names;
  for (uint32_t row = 0; row < named.rows(); ++row) names.emplace_back(named.Name(row));
  return names;
}

ScopeTree TreeOf(const Store& store) {
  Context context;
  return ScopeTree::Build(store, context).value();
}

// Few letters, so that prefixes meet; '-' sorts before '/', 0 and 0x80 are ordinary bytes.
std::string RandomName(std::mt19937& random) {
  static constexpr char kLetters[] = {'a', 'b', '/', '-', '0', '\0', '\x80'};
  std::string name;
  for (unsigned i = random() % 24; i > 0; --i) name += kLetters[random() % sizeof(kLetters)];
  return name;
}

}  // namespace

TEST_CASE("missing parents are synthetic, and siblings ascend by bytes") {
  const StorePtr store = StoreOfNames({"b/x/y", "a-z", "a/q", "a", "b/w"});
  const ScopeTree tree = TreeOf(*store);
  CHECK(NamesIn(*store, tree) ==
        std::vector<std::string>{"_TFProfRoot", "a", "a/q", "a-z", "b", "b/w", "b/x", "b/x/y"});
  CHECK(tree.node[1] == NodeId(3));
  CHECK_FALSE(tree.node[4].some());
  CHECK(tree.parent[7] == 6);
  CHECK(tree.end[4] == 8);
}

TEST_CASE("empty name components are rows of their own") {
  const StorePtr store = StoreOfNames({"a//b", "/c", "d/", ""});
  CHECK(NamesIn(*store, TreeOf(*store)) ==
        std::vector<std::string>{"_TFProfRoot", "", "/c", "a", "a/", "a//b", "d", "d/"});
}

TEST_CASE("a node may have the name of the root") {
  const StorePtr store = StoreOfNames({"_TFProfRoot", "_TFProfRoot/x"});
  CHECK(TreeOf(*store).parent.size() == 3);
}

TEST_CASE("a name with a megabyte of components costs linear time") {
  std::string name;
  for (int i = 0; i < 500'000; ++i) name += "a/";
  const StorePtr store = StoreOfNames({name, name + "b"});
  const ScopeTree tree = TreeOf(*store);
  CHECK(tree.parent.size() == 500'003);
  CHECK(tree.end[1] == 500'003);
}

TEST_CASE("random names: the tree has every prefix once, in order, and names sort by bytes") {
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::set<std::string> names;
    for (unsigned i = random() % 300; i > 0; --i) names.insert(RandomName(random));
    std::vector<std::string> shuffled(names.begin(), names.end());
    std::shuffle(shuffled.begin(), shuffled.end(), random);
    const StorePtr store = StoreOfNames(shuffled);

    std::set<std::string> expected = names;
    for (const std::string& name : names) {
      for (size_t at = name.rfind('/'); at != name.npos;
           at = at == 0 ? name.npos : name.rfind('/', at - 1)) {
        expected.insert(name.substr(0, at));
      }
    }
    std::vector<std::string> rows = NamesIn(*store, TreeOf(*store));
    rows.erase(rows.begin());
    CHECK(std::set<std::string>(rows.begin(), rows.end()) == expected);
    CHECK(rows.size() == expected.size());

    Column<NodeId> nodes;
    for (size_t i = 0; i < store->nodes.size(); ++i) nodes.Push(NodeId(i));
    Context context;
    REQUIRE(SortByName(*store, &nodes, context));
    auto next = names.begin();
    for (const NodeId node : nodes) CHECK(store->Text(store->nodes[node.value].name) == *next++);
  }
}

TEST_CASE("building a scope tree can be cancelled") {
  Context context;
  context.polls_until_cancel = 0;
  const Result<ScopeTree> tree = ScopeTree::Build(*StoreOfNames({"a"}), context);
  REQUIRE_FALSE(tree);
  CHECK(tree.error().kind == ErrorKind::cancelled);
}

TEST_CASE("a text in a scope's name is in its parent's name or in the end of its own") {
  std::mt19937 random(11);
  std::vector<std::string> nodes;
  for (int i = 0; i < 50; ++i) nodes.push_back("x" + RandomName(random));
  const StorePtr store = StoreOfNames(nodes);
  const ScopeTree tree = TreeOf(*store);
  const ScopeNames names{store.get(), &tree};
  for (int round = 0; round < 50; ++round) {
    std::string text = RandomName(random).substr(0, 3);
    if (text.empty()) text = "/";
    std::vector<bool> has(tree.end.size(), false);
    for (uint32_t row = 1; row < tree.end.size(); ++row) {
      const bool in_end = EndOfName(names, row, text.size()).find(text) != std::string_view::npos;
      has[row] = has[tree.parent[row]] || in_end;
      CHECK(has[row] == (Named(names).Name(row).find(text) != std::string_view::npos));
    }
  }
}

TEST_CASE("the end of a name for an empty text is its last component, which may be empty") {
  const StorePtr store = StoreOfNames({"a/b", ""});
  const ScopeTree tree = TreeOf(*store);
  const ScopeNames names{store.get(), &tree};
  std::multiset<std::string_view> ends;
  for (uint32_t row = 1; row < tree.end.size(); ++row) ends.insert(EndOfName(names, row, 0));
  CHECK(ends == std::multiset<std::string_view>{"", "a", "b"});
}

}  // namespace tfprof::scope_tree_test
