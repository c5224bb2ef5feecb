// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/store/store.h"

namespace tfprof {

struct Input {
  std::string path;
  std::string format;  // of Loaders(), or the original's path flag; empty: told from content
  // Given by such a flag: an empty file is an empty message, not an error.
  bool empty_is_message = false;
  std::string run = {};  // of a folder with several runs; empty: the newest
};

// Opens, detects, orders and loads all inputs into one store.
// Errors: as OpenSource and the loaders; corrupt when a file is of no known format, of several
// (names the candidates), or is not what its `format` says (names what it looks like); usage when
// the inputs cannot belong to one run (profiles of different graphs or runs, a profile and a
// graph, files that name none of the same nodes). Run records and profiles of several hosts make
// one store: see docs/merging.md. `read`: what is needed of the events; formats whose events are
// many read only that (Store::events_read).
Result<StorePtr> Load(const std::vector<Input>& inputs, Context& context, EventsRead read = {});

// Name of the one format that `bytes` is, or why it is none or several. `path` is for the message.
Result<std::string> DetectFormat(std::string_view bytes, const std::string& path);

}  // namespace tfprof
