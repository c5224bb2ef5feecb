// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>

#include "core/store/allocations.h"
#include "core/store/call_stacks.h"
#include "core/store/check.h"
#include "loaders/loader.h"

namespace tfprof {

// Reads what stays in the file until a question is about it; stops the program when that fails.
inline void ReadKept(const Store& store) {
  Context context;
  const Result<CallStacks> code = ReadCallStacks(store, context);
  if (!code || !ReadAllocations(store, context)) std::abort();
  for (const Node& node : store.nodes) {
    for (const Frame& frame : code->Of(node.stack)) {
      if (frame.file.value >= code->texts.size()) std::abort();
      if (frame.function.value >= code->texts.size()) std::abort();
    }
  }
}

// Loads `data` with `loader` into `store`, once as it is and once keeping what is readable; stops
// the program when a finished store breaks an invariant. `data` is copied to memory of its own
// size and padding, so that the sanitizers see reads beyond.
inline void LoadBytes(const Loader& loader, const uint8_t* data, size_t size,
                      void (*prepare)(StoreBuilder& store),
                      void (*use)(const Store& store) = nullptr) {
  const auto kept = std::make_shared<std::string>(reinterpret_cast<const char*>(data), size);
  kept->append(SourceFile::kPadding, '\0');
  SourceFile file;
  file.path = "fuzz";
  file.bytes = std::string_view(*kept).substr(0, size);
  file.keep = kept;
  const int score = loader.score(file.bytes);
  if (score < 0 || score > 100) std::abort();
  for (const bool partial : {false, true}) {
    StoreBuilder builder;
    prepare(builder);
    Context context;
    context.limits.partial = partial;
    const auto loaded = loader.load(file, {}, builder, context);
    if (!loaded && loaded.error().where.empty()) std::abort();
    if (!loaded) continue;
    const auto store = builder.Finish();
    if (!store) continue;
    const std::string broken = BrokenInvariant(**store);
    if (broken.empty() && use != nullptr) use(**store);
    if (broken.empty()) continue;
    std::fprintf(stderr, "%s\n", broken.c_str());
    std::abort();
  }
}

}  // namespace tfprof
