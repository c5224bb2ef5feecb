// SPDX-License-Identifier: Apache-2.0
#include "core/store/sources_text.h"

#include <catch2/catch.hpp>

#include "core/store/builder.h"

namespace tfprof::sources_text_test {
namespace {

// A store of `count` traces of 1 KiB, DIR/t0, DIR/t1 ...
StoreBuilder StoreOfFiles(const std::string& folder, int count) {
  StoreBuilder store;
  for (int i = 0; i < count; ++i) {
    store.AddSource({folder + "t" + std::to_string(i), "xspace", 1024, 4096});
  }
  return store;
}

TEST_CASE("few files are named, each with its size") {
  CHECK(SourcesText(*StoreOfFiles("run/", 2).Finish().value(), &Source::file_bytes) ==
        "run/t0 (xspace, 1.00 KiB), run/t1 (xspace, 1.00 KiB)");
  CHECK(SourcesText(*StoreOfFiles("", 1).Finish().value(), &Source::bytes) ==
        "t0 (xspace, 4.00 KiB)");
}

TEST_CASE("many files are counted, with their folder if it is one") {
  CHECK(SourcesText(*StoreOfFiles("run/", 9).Finish().value(), &Source::file_bytes) ==
        "run/: 9 files (xspace, 9.00 KiB)");
  StoreBuilder store = StoreOfFiles("run/", 8);
  store.AddSource({"other/x", "profile", 1024, 1024});
  CHECK(SourcesText(*store.Finish().value(), &Source::file_bytes) ==
        "9 files (profile, xspace, 9.00 KiB)");
}

TEST_CASE("a capture is described by the processes whose traces are open") {
  StoreBuilder store = StoreOfFiles("run/", 3);
  store.SetCapture({"run",
                    {{"node7", "train", "run/t0", 1},
                     {"node8", "train", "run/t1", 2},
                     {"node7", "train", "run/t2", 3},
                     {"node9", "sh", "", 4}}});
  CHECK(SourcesText(*store.Finish().value(), &Source::file_bytes) ==
        "run: 3 processes of train on hosts node7, node8 (xspace, 3.00 KiB)");
  StoreBuilder one = StoreOfFiles("run/", 1);
  one.SetCapture({"run", {{"", "", "run/t0", 1}}});
  CHECK(SourcesText(*one.Finish().value(), &Source::bytes) == "run: 1 process (xspace, 4.00 KiB)");
}

}  // namespace
}  // namespace tfprof::sources_text_test
