// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "loaders/io/source.h"

namespace tfprof {

// A file in memory, with the padding that loaders may rely on. The padding is not zero: results
// must not depend on it.
inline SourceFile SourceOf(std::string_view bytes, std::string path = "file") {
  auto memory = std::make_shared<std::string>(bytes);
  memory->append(SourceFile::kPadding, '\x5A');
  SourceFile file;
  file.path = std::move(path);
  file.bytes = std::string_view(*memory).substr(0, bytes.size());
  file.file_bytes = bytes.size();
  file.keep = memory;
  return file;
}

inline std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void WriteFile(const std::filesystem::path& path, std::string_view bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// A new folder for one test, removed at the end.
class TestFolder {
 public:
  TestFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tfprof_XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  TestFolder(const TestFolder&) = delete;
  TestFolder& operator=(const TestFolder&) = delete;
  ~TestFolder() { std::filesystem::remove_all(path_); }
  std::string operator/(std::string_view name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

// Folders with recorded profiles: our own, and the reference cases if they are next to the checkout
// (or at TFPROF_REFERENCE).
inline std::vector<std::filesystem::path> CaseFolders() {
  namespace fs = std::filesystem;
  std::vector<fs::path> folders;
  const char* reference = std::getenv("TFPROF_REFERENCE");
  const fs::path classic =
      fs::path(reference != nullptr ? reference : "../shared/reference") / "classic";
  for (const fs::path& root : {fs::path("testdata"), classic}) {
    if (!fs::is_directory(root)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
      const std::string name = entry.path().filename().string();
      const bool recorded =
          name.starts_with("graph.pb") || name.ends_with(".xplane.pb") || name.ends_with(".meta");
      if (entry.is_regular_file() && recorded) {
        if (folders.empty() || folders.back() != entry.path().parent_path()) {
          folders.push_back(entry.path().parent_path());
        }
      }
    }
  }
  return folders;
}

}  // namespace tfprof
