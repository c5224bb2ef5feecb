// SPDX-License-Identifier: Apache-2.0
#include "views/graph.h"
#include "views/scope.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr unsigned kClassicOptions = kTreeOptions | kStepOption | kSelectOptions | kTableOptions;

constexpr View kViews[] = {
    {"scope", "the model by its name scopes",
     "Rows are name scopes: the parts of node names between slashes. A row's own values are those "
     "of the graph node of that name; its totals add all nodes below that count "
     "(-account_type_regexes). Scopes are cut at -max_depth; their totals are not.",
     "scope -max_depth 3 -select micros,bytes -order_by micros\n"
     "scope -account_type_regexes .*Variable.* -select params -max_depth 10",
     kClassicOptions, true, Scope},
    {"graph", "the model from its results back along the inputs",
     "Rows are graph nodes; below a node stand the nodes that make its inputs, each under the "
     "first "
     "path that reaches it from a node nobody takes as input. Nodes that do not count "
     "(-account_type_regexes) give their inputs to the row above them.",
     "graph -max_depth 5 -select micros\n"
     "graph -start_name_regexes .*loss.* -select device,micros,occurrence -max_depth 20",
     kClassicOptions, true, Graph},
};

}  // namespace

std::span<const View> Views() { return kViews; }

const View* FindView(std::string_view name) {
  for (const View& view : kViews) {
    if (view.name == name) return &view;
  }
  return nullptr;
}

}  // namespace tfprof
