// SPDX-License-Identifier: Apache-2.0
#include "views/classic/scope_children.h"

#include <catch2/catch.hpp>
#include <random>

#include "tests/support/store_of.h"

namespace tfprof::scope_children_test {
namespace {

struct Tree {
  StorePtr store;
  ScopeTree tree;

  ScopeNames Names() const { return {store.get(), &tree}; }
  std::vector<std::string> ChildrenOf(const std::string& scope, const std::string& text) const {
    const ScopeNames names = Names();
    const SiblingRows rows = ChildrenThatBegin(names, RowOfScope(names, scope), text);
    std::vector<std::string> found;
    for (uint32_t row = rows.first; row < rows.end; row = tree.end[row]) {
      found.emplace_back(Named(names).Name(row));
    }
    return found;
  }
};

Tree TreeOf(const std::vector<std::string>& names) {
  std::vector<TestNode> nodes;
  for (const std::string& name : names) nodes.push_back({.name = name});
  const StorePtr store = StoreOf(nodes);
  Context context;
  return {store, ScopeTree::Build(*store, context).value()};
}

using Texts = std::vector<std::string>;

TEST_CASE("scope_children: children with one prefix are contiguous", "[views]") {
  const Tree tree =
      TreeOf({"a/b", "a/b/x/y", "a/b.c", "a/bc/z", "a/d", "a", "b", "a/ba", "\xff", "ab/c"});
  CHECK(tree.ChildrenOf("a", "a/b") == Texts{"a/b", "a/b.c", "a/ba", "a/bc"});
  CHECK(tree.ChildrenOf("a", "a/") == Texts{"a/b", "a/b.c", "a/ba", "a/bc", "a/d"});
  CHECK(tree.ChildrenOf("a", "a/d") == Texts{"a/d"});
  CHECK(tree.ChildrenOf("a", "a/bb").empty());
  CHECK(tree.ChildrenOf("a", "a/e").empty());
  CHECK(tree.ChildrenOf("", "") == Texts{"a", "ab", "b", "\xff"});
  CHECK(tree.ChildrenOf("", "\xff") == Texts{"\xff"});
  CHECK(tree.ChildrenOf("", "a") == Texts{"a", "ab"});
  CHECK(tree.ChildrenOf("a/b/x", "a/b/x/y") == Texts{"a/b/x/y"});
  CHECK(tree.ChildrenOf("b", "b/").empty());  // a leaf
}

TEST_CASE("scope_children: rows are found by full names", "[views]") {
  const Tree tree = TreeOf({"a/b/c", "a/b.c", "d"});
  const ScopeNames names = tree.Names();
  for (uint32_t row = 1; row < tree.tree.end.size(); ++row) {
    CHECK(RowOfScope(names, Named(names).Name(row)) == row);
  }
  CHECK(RowOfScope(names, "") == 0);
  for (const char* none : {"a/", "a/c", "e", "a/b/c/d", "0", "a/b/"}) {
    CHECK(RowOfScope(names, none) == kNoScopeRow);
  }
}

TEST_CASE("scope_children: the result matches a search through all children", "[views]") {
  std::mt19937 random(5);
  const auto text = [&](unsigned max) {
    std::string made;
    for (unsigned i = random() % max; i > 0; --i) made += "ab/-."[random() % 5];
    return made;
  };
  for (int round = 0; round < 200; ++round) {
    Texts nodes;
    for (int i = 0; i < 20; ++i) nodes.push_back("a" + text(9));
    const Tree tree = TreeOf(nodes);
    const ScopeNames names = tree.Names();
    for (uint32_t parent = 0; parent < tree.tree.end.size(); ++parent) {
      CHECK(RowOfScope(names, parent == 0 ? "" : Named(names).Name(parent)) == parent);
      const std::string begin =
          (parent == 0 ? "" : std::string(Named(names).Name(parent)) + "/") + text(4);
      Texts expected, found;
      const uint32_t end = tree.tree.end[parent];
      for (uint32_t row = parent + 1; row < end; row = tree.tree.end[row]) {
        const std::string_view name = Named(names).Name(row);
        if (name.starts_with(begin)) expected.emplace_back(name);
      }
      const SiblingRows rows = ChildrenThatBegin(names, parent, begin);
      for (uint32_t row = rows.first; row < rows.end; row = tree.tree.end[row]) {
        found.emplace_back(Named(names).Name(row));
      }
      CHECK(found == expected);
    }
  }
}

}  // namespace
}  // namespace tfprof::scope_children_test
