// SPDX-License-Identifier: Apache-2.0
#include "cli/follow/recordings.h"

#include <catch2/catch.hpp>
#include <filesystem>

#include "tests/support/source_of.h"

namespace tfprof::recordings_test {
namespace {

std::vector<std::string> PathsOf(const std::vector<WatchedFile>& files) {
  std::vector<std::string> paths;
  for (const WatchedFile& file : files) paths.push_back(file.path);
  return paths;
}

std::string ManifestOf(const std::string& running, const std::string& more = {}) {
  return "{\"format\": 1, " + more + "\"processes\": [{\"running\": " + running + "}, {}]}";
}

// Gives a file the same size and a new time.
void Touch(const std::string& path) {
  const auto now = std::filesystem::last_write_time(path);
  std::filesystem::last_write_time(path, now + std::chrono::seconds(5));
}

TEST_CASE("files of an input: those of folders below it, but neither hidden ones nor spools") {
  const TestFolder folder;
  std::filesystem::create_directories(folder / "plugins/profile/run1");
  std::filesystem::create_directories(folder / "spool");
  WriteFile(folder / "plugins/profile/run1/a.xplane.pb", "aaa");
  WriteFile(folder / "b.txt", "b");
  WriteFile(folder / ".hidden", "x");
  WriteFile(folder / "spool/p.tfs", "spool");
  const std::vector<Input> inputs{{folder / ""}, {folder / "b.txt"}};
  const auto files = WatchedFiles(inputs);
  CHECK(PathsOf(files) == std::vector<std::string>{folder / "b.txt", folder / "b.txt",
                                                   folder / "plugins/profile/run1/a.xplane.pb"});
  CHECK(files[2].bytes == 3);
  CHECK(PathsOf(SpoolsOf(inputs)) == std::vector<std::string>{folder / "spool/p.tfs"});
  CHECK(WatchedFiles({{folder / "absent"}}).empty());
}

TEST_CASE("a file changes with its time; beside spools only with its size") {
  const TestFolder folder;
  const std::vector<Input> inputs{{folder / ""}};
  WriteFile(folder / "a.xplane.pb", "aaa");
  auto before = WatchedFiles(inputs);
  CHECK(WatchedFiles(inputs) == before);
  Touch(folder / "a.xplane.pb");
  CHECK(WatchedFiles(inputs) != before);
  std::filesystem::create_directories(folder / "spool");
  WriteFile(folder / "spool/p.tfs", "spool");
  before = WatchedFiles(inputs);
  Touch(folder / "a.xplane.pb");
  CHECK(WatchedFiles(inputs) == before);
  WriteFile(folder / "a.xplane.pb", "aaaa");
  CHECK(WatchedFiles(inputs) != before);
}

TEST_CASE("the state of a recording, from its manifest and its spools") {
  const TestFolder folder;
  const std::vector<Input> inputs{{folder / ""}};
  CHECK(StateOfRecordings(inputs) == RecordingState::unknown);
  std::filesystem::create_directories(folder / "spool");
  WriteFile(folder / "spool/p.tfs", "spool");
  CHECK(StateOfRecordings(inputs) == RecordingState::running);
  WriteFile(folder / "manifest.json", ManifestOf("true", "\"exit_status\": 0, "));
  CHECK(StateOfRecordings(inputs) == RecordingState::running);  // it outlives the command
  CHECK(CountProcesses(inputs).all == 2);
  CHECK(CountProcesses(inputs).running == 1);
  WriteFile(folder / "manifest.json", ManifestOf("false"));
  CHECK(StateOfRecordings(inputs) == RecordingState::silent);
  WriteFile(folder / "manifest.json", ManifestOf("false", "\"exit_status\": 0, "));
  CHECK(StateOfRecordings(inputs) == RecordingState::ended);  // spools were kept
  WriteFile(folder / "manifest.json", ManifestOf("false"));
  std::filesystem::remove_all(folder / "spool");
  CHECK(StateOfRecordings(inputs) == RecordingState::ended);
  CHECK(StateOfRecordings({{folder / ""}, {folder / "other"}}) == RecordingState::unknown);
}

TEST_CASE("the recorder is not asked for what has ended") {
  const TestFolder folder;
  CHECK_FALSE(NeedsConversion(folder / ""));  // no spools
  std::filesystem::create_directories(folder / "spool");
  WriteFile(folder / "spool/p.tfs", "spool");
  CHECK(NeedsConversion(folder / ""));
  WriteFile(folder / "manifest.json", ManifestOf("false", "\"exit_status\": 0, "));
  CHECK_FALSE(NeedsConversion(folder / ""));
  WriteFile(folder / "manifest.json", ManifestOf("true", "\"exit_status\": 0, "));
  CHECK(NeedsConversion(folder / ""));
}

}  // namespace
}  // namespace tfprof::recordings_test
