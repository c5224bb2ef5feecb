// SPDX-License-Identifier: Apache-2.0
#include "loaders/io/source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/support/gzip_of.h"

namespace tfprof::source_test {
namespace {

namespace fs = std::filesystem;

struct Folder {
  Folder() {
    std::string name = (fs::temp_directory_path() / "source_test_XXXXXX").string();
    path = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(path / name, std::ios::binary) << bytes;
    return path / name;
  }
  fs::path path;
};

std::string Noise(size_t size) {
  std::string text(size, '\0');
  uint32_t state = 1;
  for (char& c : text) {
    state = state * 1664525 + 1013904223;
    c = static_cast<char>(state >> 28);
  }
  return text;
}

bool Padded(const SourceFile& file) {
  const char* end = file.bytes.data() + file.bytes.size();
  return std::all_of(end, end + SourceFile::kPadding, [](char c) { return c == '\0'; });
}

// Of the mapping of that file in this process.
int64_t ResidentKilobytes(const std::string& path) {
  std::ifstream maps("/proc/self/smaps");
  std::string line;
  while (std::getline(maps, line) && line.find(path) == line.npos) {
  }
  while (std::getline(maps, line)) {
    if (line.rfind("Rss:", 0) == 0) return std::stoll(line.substr(4));
  }
  return -1;
}

Error ErrorOf(const std::string& path) {
  Context context;
  const auto file = OpenSource(path, context);
  REQUIRE(!file);
  return file.error();
}

Result<void> Sum(const SourceFile& file) {
  uint64_t sum = 0;
  for (const char c : file.bytes) sum += static_cast<uint8_t>(c);
  return sum == 1 ? Fail(ErrorKind::internal, "") : Result<void>();
}

}  // namespace

TEST_CASE("source: a file is mapped, with zeros after its end") {
  const Folder folder;
  Context context;
  for (const size_t size : {1, 100, 4095, 4096, 4097, 8192, 1'000'000}) {
    const std::string text = Noise(size);
    const SourceFile file = OpenSource(folder.Write("f", text), context).value();
    REQUIRE(file.bytes == text);
    REQUIRE(file.file_bytes == size);
    REQUIRE(file.mapping != nullptr);
    REQUIRE(Padded(file));
    REQUIRE(file.At(7) == (folder.path / "f").string() + ": byte 7");
  }
  REQUIRE(OpenSource(folder.Write("f", ""), context).value().bytes.empty());
}

TEST_CASE("source: a file that should not be mapped is read into memory") {
  const Folder folder;
  const std::string text = Noise(3'000'000), path = folder.Write("f", text);
  Context context;
  const SourceFile file = OpenSource(path, context, {.in_memory = true}).value();
  REQUIRE(file.mapping == nullptr);
  REQUIRE(file.file_bytes == text.size());
  REQUIRE(truncate(path.c_str(), 10) == 0);
  REQUIRE(file.bytes == text);
  REQUIRE(Padded(file));
}

TEST_CASE("source: gzip is read, also with several members and zero padding") {
  const Folder folder;
  Context context;
  for (const size_t size : {0, 1, 1000, 1 << 20, (1 << 20) + 1, 5'000'000}) {
    for (const int level : {0, 1, 9}) {
      const std::string text = Noise(size);
      const std::string one = Gzip(text, level);
      const OpenAs known{.format_is_known = true};
      const SourceFile file = OpenSource(folder.Write("f.gz", one), context, known).value();
      REQUIRE(file.bytes == text);
      REQUIRE(file.compressed);
      REQUIRE(file.file_bytes == one.size());
      REQUIRE(Padded(file));
      const std::string three = one + Gzip("") + Gzip("tail") + std::string(600, '\0');
      REQUIRE(OpenSource(folder.Write("f.gz", three), context, known).value().bytes ==
              text + "tail");
    }
  }
}

TEST_CASE("source: --partial keeps the readable part of a damaged gzip and reports the place") {
  const Folder folder;
  const std::string text = Noise(200'000), good = Gzip(text);
  Context context;
  context.limits.partial = true;
  const SourceFile whole = OpenSource(folder.Write("f.gz", good), context).value();
  REQUIRE(whole.damaged_at.empty());
  const auto cut = OpenSource(folder.Write("f.gz", good.substr(0, good.size() / 2)), context);
  REQUIRE(cut.has_value());
  REQUIRE(!cut->bytes.empty());
  REQUIRE(text.starts_with(cut->bytes));
  REQUIRE(cut->damaged_at.find("f.gz: byte ") != std::string::npos);
}

TEST_CASE("source: damaged gzip is an error with a place") {
  const Folder folder;
  const std::string good = Gzip(Noise(100'000));
  for (size_t size = 2; size < good.size(); size += 997) {
    const Error error = ErrorOf(folder.Write("f.gz", good.substr(0, size)));
    REQUIRE(error.kind == ErrorKind::corrupt);
    REQUIRE(error.where.find("f.gz: byte ") != std::string::npos);
  }
  std::string flipped = good;
  flipped[good.size() - 6] ^= 1;  // the checksum
  REQUIRE(ErrorOf(folder.Write("f.gz", flipped)).what.find("checksum") != std::string::npos);
  REQUIRE(ErrorOf(folder.Write("f.gz", good + "garbage")).kind == ErrorKind::corrupt);
}

TEST_CASE("source: endless decompression hits the limit") {
  const Folder folder;
  std::string bomb;
  bomb.resize(50'000'000, 'a');
  Context context;
  context.limits.max_inflated_bytes = 1 << 20;
  const std::string path = folder.Write("f.gz", Gzip(bomb));
  const auto file = OpenSource(path, context, {.format_is_known = true});
  REQUIRE(!file);
  REQUIRE(file.error().kind == ErrorKind::corrupt);
  REQUIRE(file.error().what.find("inflates to more than") == 0);
}

TEST_CASE("source: a gzip is inflated only as long as it may become a profile") {
  const Folder folder;
  Context context;
  std::string text;
  text.resize(50'000'000, 'a');
  const std::string path = folder.Write("f.gz", Gzip(text));
  const auto file = OpenSource(path, context);
  REQUIRE(!file);
  REQUIRE(file.error().what.find("unrecognized format") == 0);
  // Some percent of the compressed bytes.
  REQUIRE(context.done_bytes < fs::file_size(path) / 10);
}

TEST_CASE("source: a pipe is read to its end and inflated if needed") {
  const Folder folder;
  const std::string path = folder.path / "pipe";
  REQUIRE(mkfifo(path.c_str(), 0600) == 0);
  const std::string text = Noise(700'000);
  for (const bool zipped : {false, true}) {
    std::thread writer(
        [&] { std::ofstream(path, std::ios::binary) << (zipped ? Gzip(text) : text); });
    Context context;
    const SourceFile file = OpenSource(path, context).value();
    writer.join();
    REQUIRE(file.bytes == text);
    REQUIRE(file.compressed == zipped);
    REQUIRE(Padded(file));
  }
}

TEST_CASE("source: a failed open explains why") {
  const Folder folder;
  REQUIRE(ErrorOf(folder.path / "none").kind == ErrorKind::unreadable);
  REQUIRE(ErrorOf(folder.path / "none").what.find("No such file") != std::string::npos);
  REQUIRE(ErrorOf(folder.path).what == "is a directory");
  REQUIRE(ErrorOf("gs://bucket/file").hint.find("tfprof fetch gs://bucket/file") !=
          std::string::npos);
  REQUIRE(ErrorOf("").kind == ErrorKind::unreadable);
}

TEST_CASE("source: a file that shrinks while it is open is an error, not a signal") {
  const Folder folder;
  Context context;
  const std::string path = folder.Write("f", Noise(1'000'000));
  const auto other = OpenSource(folder.Write("other", Noise(10'000)), context);
  SourceFile file = OpenSource(path, context).value();
  REQUIRE(GuardReads(file, [&] { return Sum(file); }));

  REQUIRE(truncate(path.c_str(), 500'000) == 0);
  const auto result = GuardReads(file, [&] { return Sum(file); });
  REQUIRE(!result);
  REQUIRE(result.error().kind == ErrorKind::corrupt);
  REQUIRE(result.error().where == path + ": byte 500000");
  // While the work runs, on any thread: the fault itself is met.
  const std::string shrinks = folder.Write("g", Noise(1'000'000));
  const SourceFile opened = OpenSource(shrinks, context).value();
  const auto shrinking = GuardReads(opened, [&] {
    if (truncate(shrinks.c_str(), 4096) != 0) return Result<void>();
    Result<void> sum;
    std::thread([&] { sum = Sum(opened); }).join();
    return sum;
  });
  REQUIRE(!shrinking);
  REQUIRE(shrinking.error().where == shrinks + ": byte 4096");
  REQUIRE(GuardReads(*other, [] { return Result<void>(); }));
}

TEST_CASE("source: pages that were read are released and can be read again") {
  const Folder folder;
  const std::string bytes = Noise(8 << 20);
  const std::string path = folder.Write("noise", bytes);
  Context context;
  const auto file = OpenSource(path, context);
  REQUIRE(file);
  REQUIRE(file->bytes == bytes);
  REQUIRE(ResidentKilobytes(path) >= 8 << 10);
  ConsumedPages pages{*file};
  for (size_t at = 0; at < bytes.size(); at += 1000) {
    REQUIRE(file->bytes[at] == bytes[at]);
    pages.ReleaseRead(file->bytes.data() + at);
  }
  REQUIRE(ResidentKilobytes(path) <= 1 << 10);
  pages.ReleaseAll();
  REQUIRE(ResidentKilobytes(path) <= 64);
  REQUIRE(file->bytes == bytes);
}

TEST_CASE("source: replacing a file does not disturb readers that have it open") {
  const Folder folder;
  Context context;
  SourceFile file = OpenSource(folder.Write("f", Noise(100'000)), context).value();
  fs::rename(folder.Write("new", "short"), folder.path / "f");
  REQUIRE(GuardReads(file, [&] { return Sum(file); }));
}

}  // namespace tfprof::source_test
