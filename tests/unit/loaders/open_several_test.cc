// SPDX-License-Identifier: Apache-2.0
#include <catch2/catch.hpp>

#include "core/base/wire_writer.h"
#include "core/store/check.h"
#include "loaders/open.h"
#include "tests/support/gzip_of.h"
#include "tests/support/source_of.h"

// Compressed files are inflated several at a time, where they are large enough to be worth it.

namespace tfprof::open_several_test {
namespace {

constexpr size_t kPadding = size_t{3} << 20;
constexpr int kFiles = 5;

// Run metadata of one small step, with a large field that nobody knows.
std::string Padded(int number) {
  constexpr const char* kRuns[] = {"1", "2", "10"};
  std::string bytes =
      ReadFile(std::string("testdata/models/run_metas/run_meta_") + kRuns[number % 3]);
  WireWriter(&bytes).Bytes(FieldNumber(99), std::string(kPadding, static_cast<char>('a' + number)));
  return bytes;
}

struct Several {
  TestFolder folder;
  std::vector<Input> inputs;

  Several() {
    for (int i = 0; i < kFiles; ++i) {
      const std::string name = "run_meta_" + std::to_string(i) + ".gz";
      WriteFile(folder / name, Gzip(Padded(i), 0));
      inputs.push_back({folder / name});
    }
  }
};

}  // namespace

TEST_CASE("several compressed files are opened in order") {
  const Several several;
  Context context;
  const StorePtr store = Load(several.inputs, context).value();
  REQUIRE(BrokenInvariant(*store).empty());
  REQUIRE(store->sources.size() == kFiles);
  for (int i = 0; i < kFiles; ++i) {
    CHECK(store->sources[static_cast<size_t>(i)].path ==
          several.inputs[static_cast<size_t>(i)].path);
  }
  CHECK(store->steps.size() == kFiles);
}

TEST_CASE("the first bad file is reported, in any order of decompression") {
  const Several several;
  const std::string whole = ReadFile(several.inputs[4].path);
  WriteFile(several.inputs[4].path, std::string_view(whole).substr(0, 100));
  WriteFile(several.inputs[2].path, std::string_view(whole).substr(0, whole.size() / 2));
  Context context;
  const Result<StorePtr> store = Load(several.inputs, context);
  REQUIRE(!store.has_value());
  CHECK(store.error().kind == ErrorKind::corrupt);
  CHECK(store.error().where.find(several.inputs[2].path) == 0);
}

TEST_CASE("opening several files can be cancelled early and late") {
  const Several several;
  int polls = 0;
  for (;; ++polls) {
    Context context;
    context.polls_until_cancel = polls;
    const Result<StorePtr> store = Load(several.inputs, context);
    if (store) break;
    REQUIRE(store.error().kind == ErrorKind::cancelled);
    polls += polls / 4;
  }
  CHECK(polls > kFiles);
}

}  // namespace tfprof::open_several_test
