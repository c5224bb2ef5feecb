// SPDX-License-Identifier: Apache-2.0
// Files that somebody truncates or overwrites while they are read: mapped bytes change under the
// reader. What comes out is what was there or a placed error; nothing is read or written outside.
#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <random>
#include <thread>

#include "core/hlo/program.h"
#include "core/store/call_stacks.h"
#include "core/store/check.h"
#include "core/store/details.h"
#include "core/store/store.h"
#include "loaders/io/mapping.h"
#include "loaders/open.h"
#include "tests/support/source_of.h"

namespace tfprof::changing_files_test {
namespace {

// As messages of a format one after the other are a message again, as members of gzip are, a large
// file is a small one many times.
struct Format {
  const char* name;
  const char* path;
  size_t bytes;
  int rounds;
};
constexpr Format kFormats[] = {
    {"xspace", "testdata/xspace/gpu_train.xplane.pb", size_t{1} << 20, 30},
    {"xspace", "testdata/xspace/xla_train.xplane.pb", size_t{1} << 18, 5},
    {"run_metadata", "testdata/tensorflow/convnet/run_meta_0", size_t{1} << 20, 10},
    {"profile", "testdata/tensorflow/convnet/profile.pb", size_t{1} << 19, 10},
    {"graphdef", "testdata/tensorflow/convnet/graph.pb", size_t{1} << 18, 5},
    {"graphdef-text", "testdata/tensorflow/mnist_softmax/graph.pbtxt", 0, 5},
    {"op_log", "testdata/tensorflow/convnet/op_log", size_t{1} << 18, 5},
    {"saved_model", "testdata/models/saved_model/saved_model.pb", size_t{1} << 18, 5},
    {"checkpoint", "testdata/tensorflow/mnist_softmax/ckpt.index", 0, 5},
    {"profile", "testdata/tensorflow/mnist_softmax/profile.pb.gz", 0, 5},
};

std::string LargeFile(const Format& format) {
  const std::string small = ReadFile(format.path);
  std::string large = small;
  while (large.size() < format.bytes) large += small;
  return large;
}

enum class Change { truncate, overwrite };

// Changes the file again and again until it is told to stop.
class Writer {
 public:
  Writer(const std::string& path, size_t size, Change change, unsigned seed)
      : thread_([=, this] { Work(path, size, change, seed); }) {}
  ~Writer() {
    stop_ = true;
    thread_.join();
  }

 private:
  void Work(const std::string& path, size_t size, Change change, unsigned seed) {
    std::mt19937 random(seed);
    const auto any = [&](size_t end) { return static_cast<size_t>(random() % end); };
    std::this_thread::sleep_for(std::chrono::microseconds(any(30'000)));
    const int fd = open(path.c_str(), O_WRONLY | O_CLOEXEC);
    const std::string old = ReadFile(path);
    while (!stop_ && size > 0) {
      if (change == Change::truncate) {
        size = any(size);
        if (ftruncate(fd, static_cast<off_t>(size)) != 0) break;
      } else {
        const size_t from = any(size), to = any(size), bytes = 1 + any(64 << 10);
        std::string piece = old.substr(from, bytes);
        if (random() % 4 == 0) std::fill(piece.begin(), piece.end(), static_cast<char>(random()));
        piece.resize(std::min(piece.size(), size - to));
        if (pwrite(fd, piece.data(), piece.size(), static_cast<off_t>(to)) < 0) break;
      }
      std::this_thread::sleep_for(std::chrono::microseconds(any(2'000)));
    }
    close(fd);
  }

  std::atomic<bool> stop_{false};
  std::thread thread_;
};

template <class T>
void CheckPlaced(const Result<T>& result, const std::string& path) {
  if (result) return;
  CHECK(result.error().kind == ErrorKind::corrupt);
  CHECK(result.error().where.find(path) != std::string::npos);
}

// What is read of the file only when somebody asks.
void ReadTheRest(const StorePtr& store, const std::string& path) {
  constexpr DetailKey kKeys[] = {AttributeKey::op,     AttributeKey::correlation,
                                 AttributeKey::launch, AttributeKey::group,
                                 AttributeKey::source, AttributeKey::grid};
  Context context;
  for (uint32_t i = 0; i < store->processes.size(); ++i) {
    CheckPlaced(ReadColumns(*store, ProcessId(i), kKeys, context), path);
  }
  for (uint32_t i = 0; i < store->modules.size(); ++i) {
    CheckPlaced(ReadProgram(*store, ModuleId(i)), path);
  }
  CheckPlaced(ReadCallStacks(*store, context), path);
  CheckPlaced(ReadAllocations(*store, context), path);
}

void CheckChanging(const Format& format, Change change) {
  const TestFolder folder;
  const std::string bytes = LargeFile(format), path = folder / "changing";
  for (int round = 0; round < format.rounds; ++round) {
    INFO(format.name << ", round " << round);
    WriteFile(path, bytes);
    const Writer writer(path, bytes.size(), change, static_cast<unsigned>(round));
    Context context;
    const Result<StorePtr> store = Load({{path, format.name}}, context);
    CheckPlaced(store, path);
    if (!store) continue;
    CHECK(BrokenInvariant(**store).empty());
    ReadTheRest(*store, path);
  }
}

}  // namespace

TEST_CASE("a file truncated while it is read is an error") {
  REQUIRE(ShrinkingFilesAreCaught());
  for (const Format& format : kFormats) CheckChanging(format, Change::truncate);
}

TEST_CASE("a file overwritten while it is read does no harm") {
  for (const Format& format : kFormats) CheckChanging(format, Change::overwrite);
}

}  // namespace tfprof::changing_files_test
