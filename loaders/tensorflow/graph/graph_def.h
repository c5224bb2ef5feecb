// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/builder.h"
#include "loaders/io/source.h"

namespace tfprof {

// A serialized GraphDef and where it came from.
struct GraphBytes {
  // What it consists of, in file order: one piece, but where a message holds its graph in several
  // fields these are one graph. At least SourceFile::kPadding readable bytes follow each.
  std::vector<std::string_view> pieces;
  const SourceFile& file;
  bool in_file = true;  // false: made from text, positions in it mean nothing to a reader
  // Where the file is damaged or cut off beside these pieces; null: nowhere.
  const char* bad = nullptr;
};

// Adds the nodes of `graph` in file order, then links their inputs. A node whose name is known
// already is left out with a note, an input that no node has stays as a dangling edge, functions of
// the library are only counted in a note.
// Errors: usage where a graph was read before and this one is not the same (IsOneGraph); corrupt
// (placed; with limits.partial a note, and what came before is kept), cancelled.
Result<void> ReadGraph(const GraphBytes& graph, StoreBuilder& store, Context& context);

// "name", "name:K" and "^name": the name, before the first colon, and the slot of the producer.
// A slot that is no number counts as 0, as in the original.
struct InputName {
  std::string_view name;
  int32_t output_slot = 0;
};
InputName ParseInput(std::string_view input);

}  // namespace tfprof
