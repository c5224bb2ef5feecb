// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "core/store/check.h"
#include "loaders/loader.h"
#include "tests/support/source_of.h"

namespace tfprof {

// Loads any bytes with `loader`, as a fuzz target does: whatever they are, there is a whole store
// or an error that says where. Returns the store, or null.
inline StorePtr LoadAny(const Loader& loader, std::string_view bytes, bool partial,
                        const std::string& path = "file") {
  const auto require = [](bool holds, const std::string& what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what.c_str());
    std::abort();
  };
  const SourceFile file = SourceOf(bytes, path);
  const int score = loader.score(file.bytes);
  require(score >= 0 && score <= 100, "a score out of range");
  Context context;
  context.limits.partial = partial;
  StoreBuilder builder;
  const Result<void> loaded = loader.load(file, {}, builder, context);
  if (!loaded) {
    require(!loaded.error().what.empty() && !loaded.error().where.empty(),
            "an error without place");
    return nullptr;
  }
  const Result<StorePtr> store = builder.Finish();
  if (!store) return nullptr;
  const std::string broken = BrokenInvariant(**store);
  require(broken.empty(), broken);
  return *store;
}

}  // namespace tfprof
