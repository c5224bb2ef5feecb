// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <iterator>
#include <ostream>

#include "cli/running/client.h"
#include "cli/running/commands.h"
#include "cli/running/programs.h"
#include "cli/shell/terminal.h"
#include "core/query/word_options.h"
#include "remote/options.h"

namespace tfprof {
namespace {

constexpr DeclaredOption kCommandOption{"c", "COMMAND",
                                        "answers a command on what was recorded; repeatable"};

// The words for the client, and the commands of -c.
struct CaptureWords {
  std::vector<std::string> for_client;
  std::vector<std::string> commands;
};

Result<CaptureWords> ReadCapture(const std::vector<std::string>& args) {
  const std::vector<DeclaredOption> options = CaptureOptions();
  TFPROF_ASSIGN(const std::vector<GivenWord> words, ReadWords(args, options, "capture"));
  CaptureWords split;
  bool repeats = false;
  for (const GivenWord& word : words) {
    const bool is_option = word.option != GivenWord::kNoOption;
    const std::string_view name = is_option ? options[word.option].name : "";
    repeats |= name == "every";
    if (name == kCommandOption.name) {
      split.commands.push_back(word.text);
    } else {
      split.for_client.push_back(is_option ? AsArgument(options[word.option], word.text)
                                           : word.text);
    }
  }
  if (repeats && !split.commands.empty()) {
    return UsageError("-c answers once, and -every captures again and again",
                      "tfprof LOGDIR --follow");
  }
  return split;
}

Result<int> CaptureFromServers(const CaptureWords& split, Io& io) {
  io.out->flush();
  if (split.commands.empty()) return RunClient("capture", split.for_client, nullptr);
  std::string output;
  TFPROF_ASSIGN(const int status, RunClient("capture", split.for_client, &output));
  const std::string folder = LastLine(output);
  if (folder.empty()) return status;
  TFPROF_ASSIGN(const int answered, AnswerOn(folder, split.commands, io));
  return status != 0 ? status : answered;
}

// The folder that a process records into, by its environment.
Result<std::string> RecordingOf(const std::string& pid) {
  const std::string place = "/proc/" + pid;
  if (pid.find_first_not_of("0123456789") != pid.npos || pid.empty()) {
    return UsageError("'" + pid + "' is not a process", "tfprof capture local PID");
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

struct LocalWords {
  std::string pid;
  std::chrono::milliseconds duration{2000};
  std::vector<std::string> commands;
};

constexpr WordOption<LocalWords> kLocalOptions[] = {
    {{"duration", "TIME", "how long it records (2s)"}, SetInterval<&LocalWords::duration, 1>},
    {kCommandOption, AddText<&LocalWords::commands>},
};

Result<LocalWords> ReadLocal(const std::vector<std::string>& args) {
  LocalWords words;
  TFPROF_ASSIGN(const std::vector<std::string> pids,
                SetWords<LocalWords>(args, kLocalOptions, "capture", words));
  if (pids.size() != 1) {
    return UsageError("capture local takes one process",
                      "tfprof capture local PID [-duration TIME] [-c COMMAND]");
  }
  words.pid = pids.front();
  return words;
}

Result<int> Control(const std::string& folder, const char* action) {
  TFPROF_ASSIGN(const std::string recorder, Installed("tfprof-capture", "controls recordings"));
  std::string table;
  return RunInTerminal({recorder, "ctl", folder, action}, &table);
}

// A window of all processes of a recording. A signal ends it early, but never leaves it open: until
// then only WaitForSignal admits one. Returns the status of a failure, or that of the signal.
Result<int> RecordWindow(const std::string& folder, std::chrono::milliseconds duration) {
  const HeldSignals signals({SIGINT, SIGTERM, SIGHUP});
  TFPROF_ASSIGN(const int started, Control(folder, "start"));
  const int ended_by = started == 0 ? WaitForSignal(signals, duration) : 0;
  TFPROF_ASSIGN(const int stopped, Control(folder, "stop"));
  if (ended_by != 0) return kSignaled + ended_by;
  return started != 0 ? started : stopped;
}

Result<int> CaptureLocal(const std::vector<std::string>& args, Io& io) {
  TFPROF_ASSIGN(const LocalWords words, ReadLocal(args));
  TFPROF_TRY(CheckCommands(words.commands, io));
  TFPROF_ASSIGN(const std::string folder, RecordingOf(words.pid));
  io.out->flush();
  TFPROF_ASSIGN(const int recorded, RecordWindow(folder, words.duration));
  if (recorded != 0) return recorded;
  TFPROF_ASSIGN(const int status, Control(folder, "snapshot"));
  if (status != 0) return status;
  if (!words.commands.empty()) return AnswerOn(folder, words.commands, io);
  *io.out << folder << std::endl;
  return 0;
}

}  // namespace

std::vector<DeclaredOption> CaptureOptions() {
  std::vector<DeclaredOption> options = remote::DeclaredOptions("capture");
  options.push_back(kCommandOption);
  return options;
}

std::vector<DeclaredOption> MonitorOptions() { return remote::DeclaredOptions("monitor"); }

Result<int> RunCapture(const std::vector<std::string>& args, Io& io) {
  if (!args.empty() && args.front() == "local") {
    return CaptureLocal({args.begin() + 1, args.end()}, io);
  }
  TFPROF_ASSIGN(const CaptureWords split, ReadCapture(args));
  TFPROF_TRY(CheckCommands(split.commands, io));
  return CaptureFromServers(split, io);
}

Result<int> RunMonitor(const std::vector<std::string>& args, Io& io) {
  io.out->flush();
  return RunClient("monitor", args, nullptr);
}

}  // namespace tfprof
