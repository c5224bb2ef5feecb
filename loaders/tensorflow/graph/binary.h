// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// A serialized GraphDef and its source.
struct GraphBytes {
  // Its bytes in file order. One piece, except where a message holds its graph in several fields;
  // these are one graph. At least SourceFile::kPadding readable bytes follow each piece.
  std::vector<std::string_view> pieces;
  const SourceFile& file;
  SourceId source;      // to which the operations are added that a query reads later
  bool in_file = true;  // false: converted from text, so positions in it are not reported
  // Place where the file is damaged or truncated outside of these pieces; null: intact.
  const char* bad = nullptr;
  std::shared_ptr<const void> keep = {};  // owns the pieces if they are not in the file
};

// Adds the nodes of `graph` in file order, then links their inputs. A node with a known name is
// left out with a note. An input without a node stays a dangling edge. Library functions are
// counted in a note. Attributes and functions stay in the file (core/store/graph_ops.h).
//
// Errors: usage if an earlier graph is different (IsOneGraph); corrupt (with its place; with
// limits.partial a note, and the part before is kept); cancelled.
Result<void> ReadGraph(const GraphBytes& graph, StoreBuilder& store, Context& context);

// Parses "name", "name:K" and "^name" into the name (up to the first colon) and the producer's
// output slot. A slot that is not a number counts as 0, as in the original.
struct InputName {
  std::string_view name;
  int32_t output_slot = 0;
};
InputName ParseInput(std::string_view input);

}  // namespace tfprof
