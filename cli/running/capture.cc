// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <ostream>
#include <thread>

#include "cli/follow/follow.h"
#include "cli/running/client.h"
#include "cli/running/commands.h"
#include "cli/running/programs.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

// The arguments without -c COMMAND, and these commands.
struct CaptureWords {
  std::vector<std::string> words;
  std::vector<std::string> commands;
};

Result<CaptureWords> SplitCommands(const std::vector<std::string>& args) {
  CaptureWords split;
  for (size_t i = 0; i < args.size(); ++i) {
    if (args[i] != "-c") {
      split.words.push_back(args[i]);
      continue;
    }
    if (i + 1 == args.size()) return UsageError("-c needs a command", "-c overview");
    split.commands.push_back(args[++i]);
  }
  return split;
}

Result<int> CaptureFromServers(const CaptureWords& split, Io& io) {
  io.out->flush();
  if (split.commands.empty()) return RunClient("capture", split.words, nullptr);
  std::string output;
  TFPROF_ASSIGN(const int status, RunClient("capture", split.words, &output));
  const std::string folder = LastLine(output);
  if (folder.empty()) return status;
  TFPROF_ASSIGN(const int answered, AnswerOn(folder, split.commands, io));
  return status != 0 ? status : answered;
}

// The folder that a process records into, by its environment.
Result<std::string> RecordingOf(const std::string& pid) {
  const std::string place = "/proc/" + pid;
  if (pid.find_first_not_of("0123456789") != pid.npos || pid.empty()) {
    return UsageError("'" + pid + "' is no process", "tfprof capture local PID");
  }
  std::ifstream file(place + "/environ", std::ios::binary);
  if (!file)
    return Fail(ErrorKind::unreadable, "no such process, or no permission to read its environment",
                place);
  const std::string variables((std::istreambuf_iterator<char>(file)), {});
  constexpr std::string_view kName = "TFPROF_CAPTURE_DIR=";
  for (size_t begin = 0; begin < variables.size();) {
    const size_t end = std::min(variables.find('\0', begin), variables.size());
    const std::string_view variable = std::string_view(variables).substr(begin, end - begin);
    if (variable.starts_with(kName)) return std::string(variable.substr(kName.size()));
    begin = end + 1;
  }
  return Fail(ErrorKind::unreadable, "the process does not run under tfprof-capture", place,
              "start it with: tfprof-capture --paused -o DIR -- COMMAND");
}

// Records for a time: begins and ends a window of all processes of the recording.
Result<int> CaptureLocal(const CaptureWords& split, Io& io) {
  std::chrono::milliseconds duration{2000};
  std::string pid;
  for (size_t i = 1; i < split.words.size(); ++i) {
    const std::string& word = split.words[i];
    if (word != "-duration" && word != "--duration") {
      if (!pid.empty())
        return UsageError("'" + word + "' is not known here",
                          "tfprof capture local PID [-duration TIME] [-c COMMAND]");
      pid = word;
      continue;
    }
    if (i + 1 == split.words.size()) return UsageError("-duration needs a value", "2s or 500ms");
    TFPROF_ASSIGN(duration, ParseInterval(split.words[++i]));
  }
  TFPROF_ASSIGN(const std::string folder, RecordingOf(pid));
  TFPROF_ASSIGN(const std::string recorder, Installed("tfprof-capture", "controls recordings"));
  io.out->flush();
  std::string table;
  const auto control = [&](const char* action) {
    return RunInTerminal({recorder, "ctl", folder, action}, &table);
  };
  TFPROF_ASSIGN(const int started, control("start"));
  if (started != 0) return started;
  std::this_thread::sleep_for(duration);
  for (const char* const action : {"stop", "snapshot"}) {
    TFPROF_ASSIGN(const int status, control(action));
    if (status != 0) return status;
  }
  if (!split.commands.empty()) return AnswerOn(folder, split.commands, io);
  *io.out << folder << std::endl;
  return 0;
}

}  // namespace

Result<int> RunCapture(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const CaptureWords split, SplitCommands(args));
  if (!split.words.empty() && split.words.front() == "local") return CaptureLocal(split, io);
  const auto names_every = [](const std::string& word) { return OptionName(word) == "every"; };
  if (!split.commands.empty() && std::ranges::any_of(split.words, names_every)) {
    return UsageError("-c answers once, and -every captures again and again",
                      "tfprof LOGDIR --follow");
  }
  return CaptureFromServers(split, io);
}

Result<int> RunMonitor(const std::vector<std::string>& args, Io& io) {
  io.out->flush();
  return RunClient("monitor", args, nullptr);
}

}  // namespace tfprof
