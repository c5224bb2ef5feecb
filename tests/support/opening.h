// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "core/store/check.h"
#include "loaders/open.h"

// Shared helpers for tests that open files.

namespace tfprof {

inline const std::string kCase = "testdata/tensorflow/mnist_softmax/";

inline Result<StorePtr> Open(const std::vector<Input>& inputs) {
  Context context;
  Result<StorePtr> store = Load(inputs, context);
  if (store) {
    REQUIRE(BrokenInvariant(**store).empty());
    REQUIRE(context.done_bytes == context.total_bytes);
  }
  return store;
}

inline Error ErrorOf(const std::vector<Input>& inputs) {
  const Result<StorePtr> store = Open(inputs);
  REQUIRE(!store.has_value());
  return store.error();
}

inline Input Flag(const std::string& path, const std::string& format) {
  return {path, format, true};
}

inline std::vector<std::string> Formats(const Store& store) {
  std::vector<std::string> formats;
  for (const Source& source : store.sources) formats.push_back(source.format);
  return formats;
}

inline bool HasNote(const Store& store, std::string_view part) {
  for (const Note& note : store.notes) {
    if (note.what.Text().find(part) != std::string::npos) return true;
  }
  return false;
}

}  // namespace tfprof
