// SPDX-License-Identifier: Apache-2.0
// Any lines as a script, in either mode: the first byte chooses. No answer of a view depends on
// what was asked before, but for numbers of rows.
#include <algorithm>
#include <string>

#include "tests/fuzz/asking.h"
#include "tests/fuzz/typed_words.h"
#include "views/view.h"

namespace tfprof {
namespace {

bool NamesRow(const Word& word) {
  return std::any_of(word.text.begin(), word.text.end(),
                     [](char c) { return c >= '0' && c <= '9'; });
}

void AskOne(Asker* asker, const std::string& line) {
  const bool classic = asker->session.classic;
  const Result<CommandLine> words = classic ? SplitClassic(line) : SplitShell(line);
  if (words && !IsHarmless(*words)) return;
  const std::string answer = asker->Ask(line);
  if (!words || words->words.empty() || FindView(words->words[0].text) == nullptr) return;
  if (std::any_of(words->words.begin(), words->words.end(), NamesRow)) return;
  Require(asker->Ask(line) == answer, "another answer to the same question");
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateTyped(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  std::string_view bytes = BytesOf(data, size);
  Asker asker(SmallProfile());
  asker.session.classic = TakeByte(&bytes) % 4 == 0;
  while (!bytes.empty() && !asker.session.quit) AskOne(&asker, TakeText(&bytes));
  return 0;
}
