// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/nodes/code_tree.h"
#include "core/base/context.h"
#include "core/store/store.h"
#include "views/columns/group_sums.h"

// Source lines of the profiled program and the nodes that they created (in a trace: the operations
// that they called).

namespace tfprof {

// Returns true if the text looks like a source line or file: FILE.py, FILE.py:LINE, or the text of
// a row of the code view, FILE.py:LINE:FUNCTION.
bool LooksLikeSource(std::string_view typed);

// The lines with that text, in all files and below all callers.
struct SourceLine {
  std::string name;           // its path and, unless it is a whole file, its line
  std::string_view text;      // the source text; empty: not recorded
  std::vector<NodeId> nodes;  // created by the line or by what it called
};

// Finds FILE.py:LINE, FILE.py with all its lines, or a row of the code view by its text; FILE is a
// path or its last parts. None: there is no such line. Error: usage, if files with different paths
// match; it names some. The text belongs to `tree`.
Result<std::optional<SourceLine>> FindSourceLine(const CodeTree& tree, std::string_view typed,
                                                 Context& context);

// What nodes cost that one line created itself.
struct LineSum {
  std::string_view name;  // as in the code view; it and the others belong to the tree
  std::string_view file, function;
  int64_t line = 0;
  GroupSum sum;
};

// Returns the innermost lines of the nodes, the most expensive first. Nodes that do not count, or
// have no stack, are omitted.
std::vector<LineSum> LinesOfNodes(const CodeTree& tree, const NodeCosts& costs,
                                  std::span<const NodeId> nodes);

// A line with the nodes that it and what it calls created.
struct FoundLine {
  std::string name;  // FILE:LINE, without folders
  int64_t line = 0;
  std::vector<NodeId> nodes;
};
// Returns the lines of the program that contain a text, in any case: a text with a dot or colon is
// part of FILE:LINE, others are part of a function.
Result<std::vector<FoundLine>> FindLines(const CodeTree& tree, const std::string& text,
                                         Context& context);
// Returns the lines whose FILE:LINE begins with the text.
Result<std::vector<FoundLine>> LinesThatBegin(const CodeTree& tree, std::string_view text,
                                              Context& context);

// What the nodes of one operation type cost.
struct TypeSum {
  std::string_view type;
  GroupSum sum;
};
std::vector<TypeSum> TypesOfNodes(const Store& store, const NodeCosts& costs,
                                  std::span<const NodeId> nodes);
// Returns the types of the kernels that ran for nodes of another type (RanAs), the most expensive
// first.
std::vector<TypeSum> KernelsOfNodes(const Store& store, const NodeCosts& costs,
                                    std::span<const NodeId> nodes);

}  // namespace tfprof
