// SPDX-License-Identifier: Apache-2.0
// Several files and a folder: the first bytes choose what is taken from the known ones and what
// changes in it.
#include "loaders/open.h"
#include "tests/fuzz/asking.h"

namespace tfprof {
namespace {

const std::vector<std::string>& KnownFiles() {
  static const std::vector<std::string> files = [] {
    std::vector<std::string> all;
    for (const char* path :
         {"models/linear.meta", "models/run_metas/run_meta_1", "models/run_metas/run_meta_10",
          "models/layers/graph.pb", "models/layers/run_meta", "tensorflow/mnist_softmax/ckpt.index",
          "xspace/copies.xplane.pb", "xspace/gpu_train.xplane.pb",
          "xspace/input_pipeline.xplane.pb", "models/linear.meta.gz"}) {
      all.push_back(ReadFile("testdata/" + std::string(path)));
      Require(!all.back().empty(), "run it where testdata/ is");
    }
    return all;
  }();
  return files;
}

constexpr std::string_view kNames[] = {"a.xplane.pb", "b.xplane.pb",   "graph.pb",
                                       "run_meta_2",  "run_meta_10",   "saved_model.pb",
                                       "op_log",      "c.xplane.pb.gz"};

// A known file, of which one byte is another; or what follows, up to a line end.
std::string TakeFile(std::string_view* bytes) {
  const uint8_t which = TakeByte(bytes);
  if (which >= 2 * KnownFiles().size()) return TakeText(bytes);
  std::string file = KnownFiles()[which % KnownFiles().size()];
  if (which < KnownFiles().size()) return file;
  const size_t at = TakeByte(bytes) * size_t{256} + TakeByte(bytes);
  file[at % file.size()] = static_cast<char>(TakeByte(bytes));
  return file;
}

void Open(const std::vector<Input>& inputs) {
  Context context;
  const Result<StorePtr> store = Load(inputs, context);
  if (!store) {
    Require(!store.error().what.empty(), "an error that says nothing");
    return;
  }
  const std::string broken = BrokenInvariant(**store);
  Require(broken.empty(), broken);
  Asker asker(*store);
  asker.Ask("summary");
  asker.Ask("info -format json");
}

}  // namespace
}  // namespace tfprof

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  std::string_view bytes = BytesOf(data, size);
  const TestFolder folder;
  const uint8_t style = TakeByte(&bytes);
  std::vector<Input> inputs;
  for (int i = 0; i < 4 && !bytes.empty(); ++i) {
    const std::string path = folder / kNames[TakeByte(&bytes) % std::size(kNames)];
    WriteFile(path, TakeFile(&bytes));
    inputs.push_back({path, {}, style % 2 == 1});
  }
  Open(inputs);
  Open({{folder / "", {}}});
  return 0;
}
