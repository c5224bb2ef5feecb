// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "capture/shim/spool_file.h"
#include "capture/spool/format.h"
#include "capture/spool/reader.h"

namespace tfprof::capture::spool_test {
namespace {

namespace fs = std::filesystem;

// An empty folder that is removed at the end.
struct Folder {
  Folder() {
    char name[] = "/tmp/capture-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~Folder() { fs::remove_all(path); }
  fs::path path;
};

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void WriteAll(const fs::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

// Thread 5 and 6 in turn, three blocks each; the time of a pop counts up from 1.
std::string SixBlocks() {
  const Folder folder;
  const auto file = std::make_unique<SpoolFile>();
  REQUIRE(file->Create(folder.path.c_str(), 1 << 20) == 0);
  for (uint64_t i = 1; i <= 6; ++i) {
    file->Add(5 + i % 2, PopRecord{.time = i});
  }
  REQUIRE(file->Flush() == 0);
  return ReadAll(fs::directory_iterator(folder.path / "spool")->path());
}

// The times of the pops of a file of these bytes.
std::vector<uint64_t> TimesIn(const std::string& bytes, SpoolDamage* damage) {
  const Folder folder;
  WriteAll(folder.path / "a.tfs", bytes);
  SpoolReader reader;
  REQUIRE(reader.Open((folder.path / "a.tfs").string()) == 0);
  std::vector<uint64_t> times;
  Block block;
  while (reader.Next(&block)) {
    EachRecord(block.records, [&](const RecordHead& head) {
      if (const auto* pop = As<PopRecord>(head)) times.push_back(pop->time);
    });
  }
  *damage = reader.damage();
  return times;
}

TEST_CASE("what is written is read, by thread and in order") {
  const std::string bytes = SixBlocks();
  CHECK(bytes.size() == 6 * (sizeof(BlockHead) + sizeof(PopRecord)));
  SpoolDamage damage;
  CHECK(TimesIn(bytes, &damage) == std::vector<uint64_t>{1, 2, 3, 4, 5, 6});
  CHECK(damage.bytes == 0);
  CHECK(damage.lost_blocks == 0);
}

TEST_CASE("a file truncated anywhere gives all whole blocks before") {
  const std::string bytes = SixBlocks();
  const size_t block = bytes.size() / 6;
  for (size_t length = 0; length < bytes.size(); ++length) {
    SpoolDamage damage;
    const std::vector<uint64_t> times = TimesIn(bytes.substr(0, length), &damage);
    REQUIRE(times.size() == length / block);
    REQUIRE(damage.bytes == length % block);
  }
}

TEST_CASE("a changed byte costs its own block only, and is counted") {
  const std::string bytes = SixBlocks();
  const size_t block = bytes.size() / 6;
  for (size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x40);
    SpoolDamage damage;
    const std::vector<uint64_t> times = TimesIn(changed, &damage);
    std::vector<uint64_t> expected = {1, 2, 3, 4, 5, 6};
    expected.erase(expected.begin() + static_cast<long>(at / block));
    REQUIRE(times == expected);
    REQUIRE(damage.bytes == block);
    REQUIRE(damage.lost_blocks == (at / block == 5 ? 0 : 1));
  }
}

TEST_CASE("garbage between blocks, at any alignment, is skipped") {
  const std::string bytes = SixBlocks();
  const size_t block = bytes.size() / 6;
  for (size_t garbage = 1; garbage < 20; ++garbage) {
    const std::string mixed =
        bytes.substr(0, block) + std::string(garbage, 'T') + bytes.substr(block);
    SpoolDamage damage;
    REQUIRE(TimesIn(mixed, &damage).size() == 6);
    REQUIRE(damage.bytes == garbage);
  }
}

TEST_CASE("records of a length that cannot be end the block") {
  alignas(8) std::byte records[32] = {};
  RecordHead head{RecordKind::pop, 16, 0};
  std::memcpy(records, &head, sizeof head);
  const auto count_with = [&](uint16_t second_bytes) {
    RecordHead second{RecordKind::pop, second_bytes, 0};
    std::memcpy(records + 16, &second, sizeof second);
    int count = 0;
    const bool whole = EachRecord(records, [&](const RecordHead&) { ++count; });
    return whole ? count : -count;
  };
  CHECK(count_with(16) == 2);
  for (const uint16_t bytes : {0, 4, 12, 24, 65528}) CHECK(count_with(bytes) == -1);
}

TEST_CASE("texts end at their zero byte and are shortened to the limit") {
  const Folder folder;
  const auto file = std::make_unique<SpoolFile>();
  REQUIRE(file->Create(folder.path.c_str(), 1 << 20) == 0);
  file->AddText(RecordKind::name, 1, "seven c");
  file->AddText(RecordKind::name, 2, "");
  file->AddText(RecordKind::name, 3, std::string(2 * kMostTextBytes, 'x'));
  file->AddInfo("key", "value");
  REQUIRE(file->Flush() == 0);
  SpoolReader reader;
  REQUIRE(reader.Open(fs::directory_iterator(folder.path / "spool")->path().string()) == 0);
  Block block;
  REQUIRE(reader.Next(&block));
  std::vector<std::string> texts;
  EachRecord(block.records, [&](const RecordHead& head) { texts.emplace_back(TextOf(head)); });
  CHECK(texts ==
        std::vector<std::string>{"seven c", "", std::string(kMostTextBytes, 'x'), "key=value"});
}

TEST_CASE("the limit of the file is an error before it is passed") {
  const Folder folder;
  const auto file = std::make_unique<SpoolFile>();
  REQUIRE(file->Create(folder.path.c_str(), 100) == 0);
  file->Add(1, PopRecord{});
  CHECK(file->Flush() == 0);  // 40 bytes
  for (int i = 0; i < 4; ++i) file->Add(1, PopRecord{});
  CHECK(file->Flush() == EFBIG);  // 88 more
  const fs::path path = fs::directory_iterator(folder.path / "spool")->path();
  CHECK(fs::file_size(path) == 40);
}

// The descriptor of a file that is open.
int OpenedAs(const fs::path& path) {
  for (const auto& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code failed;
    if (fs::read_symlink(entry, failed) == path) return std::stoi(entry.path().filename());
  }
  return -1;
}

TEST_CASE("nothing is written into a descriptor that the program reused") {
  const Folder folder;
  const auto file = std::make_unique<SpoolFile>();
  REQUIRE(file->Create(folder.path.c_str(), 1 << 20) == 0);
  const fs::path theirs = folder.path / "theirs";
  const int other = open(theirs.c_str(), O_CREAT | O_RDWR, 0600);
  const fs::path path = fs::directory_iterator(folder.path / "spool")->path();
  const int spool = OpenedAs(path);
  REQUIRE(spool >= 700);  // out of the program's way
  dup2(other, spool);
  file->Add(1, PopRecord{});
  CHECK(file->Flush() == 0);  // opened again
  CHECK(fs::file_size(theirs) == 0);
  CHECK(fs::file_size(path) == 40);
  dup2(other, OpenedAs(path));
  fs::remove(path);
  file->Add(1, PopRecord{});
  CHECK(file->Flush() == EBADF);
  CHECK(fs::file_size(theirs) == 0);
  close(spool);
  close(other);
}

}  // namespace
}  // namespace tfprof::capture::spool_test
