// SPDX-License-Identifier: Apache-2.0
// Any bytes as a file of options that are in force from the start. What is kept can be kept again.
#include "cli/ask/question.h"
#include "cli/shell/commands.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/typed_words.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateTyped(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static const TestFolder folder;
  static const std::string path = folder / "config";
  const std::string_view bytes = BytesOf(data, size);
  if (bytes.find("outfile") != bytes.npos) return 0;
  WriteFile(path, bytes);
  Asker asker(SmallProfile());
  const Result<void> read = ReadConfig(asker.session, path);
  if (!read) {
    Require(read.error().what.starts_with(path + ":"),
            "an error without place: " + read.error().what);
    return 0;
  }
  const std::string in_force = ListActiveFilters(asker.session);
  Require(ReadConfig(asker.session, path).has_value(), "options that are refused the second time");
  Require(ListActiveFilters(asker.session) == in_force, "other options the second time");
  asker.Ask("op");
  asker.Ask("scope");
  return 0;
}
