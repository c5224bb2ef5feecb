// SPDX-License-Identifier: Apache-2.0
#include "capture/tool/control.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include "capture/spool/control_file.h"
#include "capture/spool/reader.h"
#include "capture/tool/spools.h"
#include "capture/writers/atomic_file.h"

namespace tfprof::capture {
namespace {

namespace fs = std::filesystem;
using std::chrono::steady_clock;

// A recorder looks at the command file four times in a second; others see a file on a network
// later.
constexpr auto kLongestWait = std::chrono::seconds(5);
// By then all recorders know a command, so that they obey it at the same time.
constexpr auto kAllHaveLooked = std::chrono::milliseconds(400);
constexpr auto kLookAgain = std::chrono::milliseconds(50);

constexpr int kNoAnswer = 1;
constexpr int kNotFound = 3;
constexpr int kNotWritten = 5;

ControlCommand ReadCommand(const fs::path& folder) {
  ControlCommand command;
  char text[64] = {};
  const int file = open((folder / kControlFile).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return command;
  if (read(file, text, sizeof text - 1) > 0) ParseCommand(text, &command);
  close(file);
  return command;
}

struct Recording {
  std::string pid;
  std::string program;
  std::string host;
  std::string rank;
  std::string skipped_by;
  bool is_running = false;
  bool has_end = false;
  std::optional<StatusRecord> status;
};

void TakeFact(std::string_view text, Recording* recording) {
  const size_t equals = text.find('=');
  if (equals == text.npos) return;
  const std::string_view key = text.substr(0, equals);
  const std::string value(text.substr(equals + 1));
  if (key == "pid") recording->pid = value;
  if (key == "exe") recording->program = fs::path(value).filename().string();
  if (key == "host") recording->host = value;
  if (key == "rank") recording->rank = value;
  if (key == kSkippedFact) recording->skipped_by = value;
}

// What a process is, is in the first block; what it does is near the end.
Recording ReadRecording(const fs::path& spool) {
  Recording recording;
  recording.is_running = IsRunning(spool.string());
  SpoolReader reader;
  std::error_code failed;
  const uint64_t bytes = fs::file_size(spool, failed);
  if (reader.Open(spool.string()) != 0 || failed) return recording;
  Block block;
  if (!reader.Next(&block)) return recording;
  EachRecord(block.records, [&](const RecordHead& head) {
    if (head.kind == RecordKind::info) TakeFact(TextOf(head), &recording);
  });
  for (uint64_t tail = uint64_t{1} << 20; !recording.status.has_value(); tail *= 4) {
    reader.StartAt({.offset = bytes - std::min(bytes, tail)});
    while (reader.Next(&block) && !reader.is_in_segment()) {
      EachRecord(block.records, [&](const RecordHead& head) {
        if (head.kind == RecordKind::end) recording.has_end = true;
        if (head.kind != RecordKind::status) return;
        if (const auto* status = As<StatusRecord>(head)) recording.status = *status;
      });
    }
    if (tail >= bytes) break;
  }
  return recording;
}

std::vector<Recording> ReadRecordings(const fs::path& folder) {
  std::vector<Recording> recordings;
  for (const fs::path& spool : SpoolsIn(folder)) recordings.push_back(ReadRecording(spool));
  return recordings;
}

std::string StateOf(const Recording& recording) {
  if (!recording.skipped_by.empty()) return "skipped by " + recording.skipped_by;
  if (!recording.is_running) return recording.has_end ? "ended" : "truncated";
  if (!recording.status.has_value()) return "begins";
  return recording.status->head.id != 0 ? "recording" : "paused";
}

const char* OrDash(const std::string& text) { return text.empty() ? "-" : text.c_str(); }

void Print(const std::vector<Recording>& recordings) {
  std::printf("%-8s %-16s %-5s %8s %12s %14s  %s\n", "process", "program", "rank", "windows",
              "records", "bytes", "state");
  for (const Recording& recording : recordings) {
    const StatusRecord status = recording.status.value_or(StatusRecord{});
    std::printf("%-8s %-16s %-5s %8u %12llu %14llu  %s\n", OrDash(recording.pid),
                OrDash(recording.program), OrDash(recording.rank), status.windows,
                static_cast<unsigned long long>(status.records),
                static_cast<unsigned long long>(status.bytes), StateOf(recording).c_str());
  }
}

bool HasObeyed(const Recording& recording, uint32_t number) {
  return !recording.is_running || !recording.skipped_by.empty() ||
         (recording.status.has_value() && recording.status->command == number);
}

// Returns false if a process has not obeyed in time.
bool WaitFor(const fs::path& folder, uint32_t number, std::vector<Recording>* recordings) {
  const auto until = steady_clock::now() + kLongestWait;
  while (true) {
    *recordings = ReadRecordings(folder);
    const bool is_done =
        std::all_of(recordings->begin(), recordings->end(),
                    [&](const Recording& recording) { return HasObeyed(recording, number); });
    if (is_done || steady_clock::now() > until) return is_done;
    std::this_thread::sleep_for(kLookAgain);
  }
}

}  // namespace

int RunControl(const std::string& folder, const std::string& action,
               const ConvertOptions& options) {
  const auto fail = [](int status, const std::string& what) {
    std::fprintf(stderr, "tfprof-capture: %s\n", what.c_str());
    return status;
  };
  std::error_code failed;
  if (!fs::is_directory(fs::path(folder) / "spool", failed)) {
    return fail(kNotFound,
                "no capture runs in " + folder + "; name the folder that was given to -o");
  }
  if (action == "status") {
    Print(ReadRecordings(folder));
    return 0;
  }
  ControlCommand command = ReadCommand(folder);
  ++command.number;
  if (action == "start") command.state = ControlState::start;
  if (action == "stop") command.state = ControlState::stop;
  const auto time = std::chrono::system_clock::now() + kAllHaveLooked;
  const std::string text =
      std::to_string(command.number) + " " + kControlStates[static_cast<int>(command.state)] + " " +
      std::to_string(std::chrono::nanoseconds(time.time_since_epoch()).count()) + "\n";
  const int error = WriteWhole((fs::path(folder) / kControlFile).string(), text);
  if (error != 0)
    return fail(kNotWritten, "cannot write to " + folder + ": " + std::strerror(error));
  std::vector<Recording> recordings;
  const bool is_done = WaitFor(folder, command.number, &recordings);
  Print(recordings);
  if (!is_done) fail(0, "not all processes have answered yet; `status` shows when they have");
  if (action != "snapshot") return is_done ? 0 : kNoAnswer;
  ConvertOptions kept = options;
  kept.keep = true;
  return RunConvert(folder, kept);
}

}  // namespace tfprof::capture
