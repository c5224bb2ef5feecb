// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdio>
#include <filesystem>
#include <string>

#include "core/base/result.h"
#include "core/base/sink.h"

namespace tfprof {

// Creates a file and fills it through a sink. Returns Result<T>, as `write` does.
template <class Write>
auto WriteFile(const std::string& path, Write write) -> decltype(write(std::declval<Sink&>())) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return Fail(ErrorKind::unwritable, "cannot be written", path);
  Sink sink;
  sink.write = [file](std::string_view bytes) -> Result<void> {
    if (std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size()) return {};
    return Fail(ErrorKind::unwritable, "the disk is full");
  };
  auto written = write(sink);
  if (std::fclose(file) != 0 && written) return Fail(ErrorKind::unwritable, "not written", path);
  return written;
}

// A new folder in the system's folder for temporary files, removed at the end.
struct ScratchFolder {
  std::filesystem::path path;

  ScratchFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tfprof-bench-XXXXXX").string();
    path = mkdtemp(pattern.data());
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path, ignored);
  }
  std::string File(const std::string& name) const { return (path / name).string(); }
};

}  // namespace tfprof
