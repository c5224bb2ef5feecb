// SPDX-License-Identifier: Apache-2.0
// A file, the same file gzipped, and the same bytes on standard input are one profile.
#include <fcntl.h>
#include <unistd.h>

#include "core/base/sink.h"
#include "loaders/open.h"
#include "tests/fuzz/asking.h"
#include "tests/fuzz/mutate_message.h"

namespace tfprof {
namespace {

// What `path` answers; its error where there is none.
std::string AnswerOf(const std::string& path) {
  Context context;
  const Result<StorePtr> store = Load({{path, {}}}, context);
  if (!store) return "error: " + store.error().what;
  Asker asker(*store);
  // Not what names the file or its host.
  const std::string table =
      asker.Ask("op -format csv -n -1 -select micros,bytes,params,float_ops,occurrence");
  return table + asker.Ask("kernels -format csv -columns kernel,launches,time_us");
}

// The bytes are all in the pipe before anybody reads: a pipe holds so many.
std::string AnswerOfInput(std::string_view bytes) {
  int ends[2];
  if (pipe(ends) != 0) std::abort();
  fcntl(ends[1], F_SETPIPE_SZ, 1 << 20);
  Require(write(ends[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()),
          "a pipe");
  close(ends[1]);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  return AnswerOf("-");
}

}  // namespace
}  // namespace tfprof

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t* data, size_t size, size_t max, unsigned seed) {
  return tfprof::MutateLikeliest(data, size, max, seed);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace tfprof;
  static const TestFolder folder;
  const std::string_view bytes = BytesOf(data, size);
  if (size == 0 || size > 60'000 || bytes.starts_with("\x1f\x8b")) return 0;
  WriteFile(folder / "file", bytes);
  const std::string answer = AnswerOf(folder / "file");
  Sink zipped;
  GzipSink gzip(zipped);
  gzip.sink().Append(bytes);
  Require(gzip.Finish().has_value(), "a sink that fails");
  WriteFile(folder / "file.gz", zipped.buffer);
  if (answer.starts_with("error: ")) {  // which may name the offset, or the file
    Require(AnswerOf(folder / "file.gz").starts_with("error: "), "gzipped it is a profile");
    Require(AnswerOfInput(bytes).starts_with("error: "), "on standard input it is a profile");
    return 0;
  }
  Require(AnswerOf(folder / "file.gz") == answer, "gzipped it is another profile");
  const std::string piped = AnswerOfInput(bytes);
  Require(piped == answer, "on standard input it is another profile:\n" + answer + "not\n" + piped);
  return 0;
}
