// SPDX-License-Identifier: Apache-2.0
#include "cli/export/source_text.h"

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "tests/support/source_of.h"

namespace tfprof::source_text_test {
namespace {

namespace fs = std::filesystem;

struct SourceFolder {
  SourceFolder() {
    fs::create_directories(sources / "model");
    WriteFile(sources / "train.py", "import x\n\n    loss = model(images)  \nlast");
    WriteFile(sources / "model/train.py", "deeper\n");
    WriteFile(secret, "password\n");
    fs::create_symlink("../secret.py", sources / "link.py");
  }

  TestFolder folder;
  fs::path sources = folder / "sources";
  fs::path secret = folder / "secret.py";
};

TEST_CASE("a line is that of the file with the longest end of the path") {
  const SourceFolder folder;
  SourceFiles files(folder.sources.string());
  CHECK(files.LineOf("/home/user/train.py", 3) == "loss = model(images)");
  CHECK(files.LineOf("/home/user/train.py", 4) == "last");
  CHECK(files.LineOf("train.py", 2).empty());
  CHECK(files.LineOf("train.py", 5).empty());
  CHECK(files.LineOf("train.py", 0).empty());
  CHECK(files.LineOf("/job/model/train.py", 1) == "deeper");
  CHECK(files.LineOf("/job/other.py", 1).empty());
}

TEST_CASE("nothing outside of the folder is read") {
  const SourceFolder folder;
  SourceFiles files(folder.sources.string());
  CHECK(files.LineOf("../secret.py", 1).empty());
  CHECK(files.LineOf("model/../../secret.py", 1).empty());
  CHECK(files.LineOf(folder.secret.string(), 1).empty());
  CHECK(files.LineOf("link.py", 1).empty());
  CHECK(files.LineOf("model", 1).empty());
  CHECK(SourceFiles((folder.sources / "none").string()).LineOf("train.py", 1).empty());
}

TEST_CASE("binary and large files have no lines") {
  const SourceFolder folder;
  WriteFile(folder.sources / "binary.py", std::string("a\0b\n", 4));
  WriteFile(folder.sources / "large.py", std::string(size_t{5} << 20, '\n'));
  WriteFile(folder.sources / "long.py", std::string(1000, 'x'));
  SourceFiles files(folder.sources.string());
  CHECK(files.LineOf("binary.py", 1).empty());
  CHECK(files.LineOf("large.py", 1).empty());
  CHECK(files.LineOf("long.py", 1).size() == 400);
}

TEST_CASE("a long line ends with a whole character") {
  const SourceFolder folder;
  std::string accents, bytes(500, '\x80');
  for (int i = 0; i < 300; ++i) accents += "\u00e9";
  WriteFile(folder.sources / "even.py", accents);
  WriteFile(folder.sources / "odd.py", "x" + accents);
  WriteFile(folder.sources / "bytes.py", bytes);  // no characters
  SourceFiles files(folder.sources.string());
  CHECK(files.LineOf("even.py", 1).size() == 400);
  CHECK(files.LineOf("odd.py", 1).size() == 399);
  CHECK(files.LineOf("bytes.py", 1).size() == 400);
}

// Of this process, now.
size_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  size_t pages = 0, resident = 0;
  file >> pages >> resident;
  return resident * 4096;
}

TEST_CASE("a file takes as much memory as it has bytes and lines") {
  const SourceFolder folder;
  for (int i = 0; i < 60; ++i) {
    WriteFile(folder.sources / ("small" + std::to_string(i) + ".py"), "one line\n");
  }
  WriteFile(folder.sources / "text.py", "text\n" + std::string(size_t{3} << 20, 'x'));
  SourceFiles files(folder.sources.string());
  const size_t before = ResidentBytes();
  for (int i = 0; i < 60; ++i) {
    CHECK(files.LineOf("small" + std::to_string(i) + ".py", 1) == "one line");
  }
  CHECK(ResidentBytes() < before + (size_t{60} << 20));
  for (int i = 0; i < 30; ++i) {  // each name is another file to the profile
    static_cast<void>(files.LineOf(std::to_string(i) + "/text.py", 1));
  }
  CHECK(files.LineOf("0/text.py", 1) == "text");
  CHECK(files.LineOf("29/text.py", 1).empty());  // beyond the limit
}

}  // namespace
}  // namespace tfprof::source_text_test
