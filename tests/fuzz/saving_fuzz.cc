// SPDX-License-Identifier: Apache-2.0
// Any bytes as a profile: what is saved of it can be opened, and saving that gives the same bytes.
// Where nothing had to be left out, the answers are the same.
#include "loaders/formats.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/mutate_message.h"
#include "writers/profile.h"

namespace tfprof {
namespace {

struct Saved {
  std::string bytes;
  bool is_whole = false;  // there was nothing that it cannot hold
};

Saved Save(const Store& store) {
  Sink sink;
  Context context;
  const Result<std::vector<Note>> notes = WriteProfile(store, sink, context);
  Require(notes.has_value(), "a profile that cannot be saved");
  return {sink.buffer, notes->empty()};
}

std::string AnswersOf(StorePtr store) {
  Asker asker(std::move(store));
  std::string answers;
  for (const char* line : {"op -format csv -n -1 -select micros,bytes,params,float_ops,occurrence",
                           "scope -format csv -max_depth 100",
                           "graph -format csv -max_depth 100 -select micros,bytes,params"}) {
    answers += asker.Ask(line);
  }
  return answers;
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  const StorePtr store = LoadLikeliest(BytesOf(data, size));
  if (store == nullptr || store->IsTrace()) return 0;
  Sink log;
  Context context;
  Require(WriteOpLog(*store, log, context).has_value(), "an op log that cannot be written");
  const Saved once = Save(*store);
  const StorePtr reopened = LoadAny(kProfileLoader, once.bytes);
  if (reopened == nullptr) Require(store->nodes.empty(), "what was saved cannot be opened");
  if (reopened == nullptr) return 0;
  if (once.is_whole) {
    Require(AnswersOf(reopened) == AnswersOf(store), "other answers after saving");
  }
  const Saved twice = Save(*reopened);
  const StorePtr again = LoadAny(kProfileLoader, twice.bytes);
  Require(again != nullptr && Save(*again).bytes == twice.bytes, "saved again it differs");
  return 0;
}
