// SPDX-License-Identifier: Apache-2.0
// Any text as a -fail-if of diff and of advise. A profile is no worse than itself.
#include "tests/fuzz/asking.h"
#include "tests/fuzz/typed_words.h"
#include "views/diff/limits.h"

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateTyped(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const std::string text(BytesOf(data, size));
  const Result<DiffLimit> limit = ParseLimit(text);
  if (limit) {
    for (const int64_t before : {kNoInt, int64_t{0}, int64_t{7}, INT64_MAX}) {
      Require(!limit->Exceeded(before, before) || limit->amount < 0,
              "what is the same exceeds " + text);
      (void)limit->Exceeded(before, -3, 1000);
    }
  }
  if (text.find_first_of("'\n") != text.npos) return 0;
  static Asker asker(SmallProfile());
  asker.Ask("diff -fail-if '" + text + "'");
  asker.Ask("advise -fail-if '" + text + "'");
  return 0;
}
