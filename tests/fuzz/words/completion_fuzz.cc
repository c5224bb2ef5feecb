// SPDX-License-Identifier: Apache-2.0
// Any text as a line that is being typed: what may follow, and the hint behind it.
#include "cli/completion/completion.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/typed_words.h"

namespace tfprof {
namespace {

// What is completed can be completed again, and is one of the candidates' beginnings.
void CompleteLine(const std::string& line, const Session* session) {
  const Completion completion = Complete(line, session);
  Require(completion.from <= line.size(), "candidates that replace what is not there");
  const std::string shared = CommonPrefix(completion.candidates);
  for (const std::string& candidate : completion.candidates) {
    Require(candidate.starts_with(shared), "a candidate that does not begin as all do");
  }
  if (completion.candidates.empty()) return;
  const std::string longer =
      line.substr(0, completion.from) + completion.candidates.front() + completion.after;
  Require(Complete(longer, session).from <= longer.size(), "a completed line");
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateTyped(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static Asker asker(SmallProfile());
  std::string_view bytes = BytesOf(data, size);
  const int columns = TakeByte(&bytes) % 64;
  const std::string line = TakeText(&bytes);
  if (line.find('/') != line.npos) return 0;  // folders of this computer are no input
  asker.session.classic = columns % 4 == 0;
  CompleteLine(line, &asker.session);
  CompleteLine(line, nullptr);
  asker.session.history = {"op -max_depth 3", TakeText(&bytes)};
  Context context;
  const std::string hint = HintFor(line, asker.session, context);
  Require(hint.starts_with(FittingHint("tfprof> ", line, hint, columns)),
          "a hint that was made up");
  (void)RowsAbove("tfprof> ", line, columns);
  return 0;
}
