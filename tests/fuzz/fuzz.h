// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/store/check.h"
#include "loaders/detect/detect.h"
#include "loaders/loader.h"
#include "tests/support/source_of.h"

// What fuzz targets share. A target stops the program where something does not hold.

namespace tfprof {

inline void Require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", what.c_str());
  std::abort();
}

inline std::string_view BytesOf(const uint8_t* data, size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

// Takes the first byte away; 0 when there is none.
inline uint8_t TakeByte(std::string_view* bytes) {
  if (bytes->empty()) return 0;
  const auto byte = static_cast<uint8_t>(bytes->front());
  bytes->remove_prefix(1);
  return byte;
}

// Takes the text before the next `end` away, and that.
inline std::string TakeText(std::string_view* bytes, char end = '\n') {
  const size_t length = bytes->find(end);
  const std::string text(bytes->substr(0, length));
  bytes->remove_prefix(length == bytes->npos ? bytes->size() : length + 1);
  return text;
}

// A choice that depends on every byte, for targets whose inputs are files without room for one.
inline uint32_t ChoiceOf(std::string_view bytes) {
  uint32_t hash = 2166136261;
  for (const char byte : bytes) hash = (hash ^ static_cast<uint8_t>(byte)) * 16777619;
  return hash ^ hash >> 15;
}

struct Loading {
  bool partial = false;
  std::string path = "file";
  void (*prepare)(StoreBuilder& store) = nullptr;  // what was loaded before
};

// Loads any bytes. Whatever they are, there is a whole store or an error that says where. Null:
// an error. The bytes lie in memory of their own size and padding, so that sanitizers see reads
// beyond.
inline StorePtr LoadAny(const Loader& loader, std::string_view bytes, const Loading& how = {}) {
  const SourceFile file = SourceOf(bytes, how.path);
  const int score = loader.score(file.bytes);
  Require(score >= 0 && score <= 100, "a score out of range");
  Context context;
  context.limits.partial = how.partial;
  StoreBuilder builder;
  if (how.prepare != nullptr) how.prepare(builder);
  const Result<void> loaded = loader.load(file, {}, builder, context);
  if (!loaded) {
    Require(!loaded.error().what.empty() && !loaded.error().where.empty(),
            "an error without place");
    return nullptr;
  }
  const Result<StorePtr> store = builder.Finish();
  if (!store) return nullptr;
  const std::string broken = BrokenInvariant(**store);
  Require(broken.empty(), broken);
  return *store;
}

// The same with the loader that the bytes are for most likely. Null: also when they are for none.
inline StorePtr LoadLikeliest(std::string_view bytes) {
  const std::vector<Candidate> candidates = Candidates(SourceOf(bytes).bytes);
  if (candidates.empty() || bytes.empty()) return nullptr;
  return LoadAny(*candidates.front().loader, bytes);
}

}  // namespace tfprof
