// SPDX-License-Identifier: Apache-2.0
#include "remote/options.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>

#include "core/query/options.h"
#include "core/text/units.h"

namespace tfprof::remote {
namespace {

struct OptionOf : WordOption<Options> {
  std::string_view commands;  // that read it
};

template <int64_t Levels::*kField>
Result<void> SetLevel(Options& options, const std::string& value) {
  constexpr int64_t kMost = 3;
  TFPROF_ASSIGN(options.levels.*kField, ParseNumber(value, Unit::count, 0, kMost));
  return {};
}

template <std::string Security::*kField>
Result<void> SetSecurity(Options& options, const std::string& value) {
  options.security.*kField = value;
  options.security.tls = true;
  return {};
}

Result<void> SetTls(Options& options, const std::string&) {
  options.security.tls = true;
  return {};
}

// What gRPC admits: others end the call, or the connection.
bool IsKey(std::string_view key) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789-_.";
  return !key.empty() && key.find_first_not_of(kLetters) == key.npos;
}
bool IsValue(std::string_view value) {
  return std::ranges::all_of(value, [](unsigned char c) { return c >= ' ' && c <= '~'; });
}

Result<void> AddMetadata(Options& options, const std::string& value) {
  const size_t equals = value.find('=');
  std::string key = value.substr(0, equals);
  std::ranges::transform(key, key.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (equals == value.npos || !IsKey(key) || !IsValue(value)) {
    return UsageError("not metadata, which is ASCII: letters, digits, - _ . in KEY",
                      "-metadata KEY=VALUE, or KEY=@FILE");
  }
  options.metadata.emplace_back(std::move(key), value.substr(equals + 1));
  return {};
}

constexpr std::string_view kCapture = "capture", kMonitor = "monitor", kBoth = "capture monitor";

constexpr OptionOf kOptions[] = {
    {{{"o", "LOGDIR", "where the traces are written (required)"}, SetText<&Options::folder>},
     kCapture},
    {{{"duration", "TIME", "how long a session records (2s; monitor: 1s)"},
      SetInterval<&Options::duration, 1>},
     kBoth},
    {{{"delay", "TIME", "begin so much later (0s)"}, SetInterval<&Options::delay, 0>}, kCapture},
    {{{"host_level", "N", "0 off, 1 user's ranges, 2 also operations, 3 all (2)"},
      SetLevel<&Levels::host>},
     kCapture},
    {{{"device_level", "N", "0 off, 1 on (1)"}, SetLevel<&Levels::device>}, kCapture},
    {{{"python_level", "N", "0 off, 1 Python calls (0)"}, SetLevel<&Levels::python>}, kCapture},
    {{{"retries", "N", "attempts after a failed or empty one (3)"},
      SetCount<&Options::retries, 0, 1000>},
     kCapture},
    {{{"wait", "", "wait for the end of another session of a server"}, SwitchOn<&Options::wait>},
     kCapture},
    {{{"every", "TIME", "again and again, until Ctrl-C"}, SetInterval<&Options::every, 1>}, kBoth},
    {{{"times", "N", "with -every: how often"}, SetCount<&Options::times, 1, 1'000'000>}, kBoth},
    {{{"keep", "N", "with -every: remove all but the last N runs of this command"},
      SetCount<&Options::keep, 1, 1'000'000>},
     kCapture},
    {{{"run", "NAME", "name of the run (the time); its hosts that are there already are skipped"},
      SetText<&Options::run>},
     kCapture},
    {{{"parallel", "N", "servers that record at the same time (64)"},
      SetCount<&Options::parallel, 1, 4096>},
     kCapture},
    {{{"level", "N", "1 utilization, 2 more (2)"}, SetCount<&Options::level, 1, 2>}, kMonitor},
    {{{"timeout", "TIME", "wait so much longer than a session takes (60s)"},
      SetInterval<&Options::timeout, 0>},
     kBoth},
    {{{"connect", "TIME", "wait so long for a connection (5s)"}, SetInterval<&Options::connect, 0>},
     kBoth},
    {{{"tls", "", "encrypt, and check the server's certificate"}, SetTls}, kBoth},
    {{{"ca", "FILE", "certificates to check it with (the system's); implies -tls"},
      SetSecurity<&Security::authorities>},
     kBoth},
    {{{"cert", "FILE", "our own certificate, with -key"}, SetSecurity<&Security::certificate>},
     kBoth},
    {{{"key", "FILE", "its key"}, SetSecurity<&Security::key>}, kBoth},
    {{{"server_name", "NAME", "whom the server's certificate is for (its host)"},
      SetSecurity<&Security::server_name>},
     kBoth},
    {{{"metadata", "KEY=VALUE", "sent with each call; KEY=@FILE: the value is in a file"},
      AddMetadata},
     kBoth},
    {{{"quiet", "", "print only errors"}, SwitchOn<&Options::quiet>}, kBoth},
};

std::vector<WordOption<Options>> OptionsOf(std::string_view command) {
  std::vector<WordOption<Options>> options;
  for (const OptionOf& option : kOptions) {
    if (option.commands.find(command) != option.commands.npos) options.push_back(option);
  }
  return options;
}

Result<void> Check(std::string_view command, const Options& options) {
  if (options.targets.empty())
    return UsageError("no server is named", "grpc://HOST:PORT,HOST:PORT");
  if (command == kCapture && options.folder.empty()) {
    return UsageError("no folder for the traces", "tfprof capture grpc://HOST:PORT -o LOGDIR");
  }
  if (options.run.find('/') != options.run.npos || options.run == ".." || options.run == ".") {
    return UsageError("'" + options.run + "' is not a name of a run: it would be another folder");
  }
  if (options.keep > 0 && options.every.count() == 0)
    return UsageError("-keep needs -every", "-every 60s");
  if (options.times > 0 && options.every.count() == 0)
    return UsageError("-times needs -every", "-every 60s");
  if (!options.run.empty() && options.every.count() > 0) {
    return UsageError("-run names one run, and -every makes several");
  }
  if (options.security.certificate.empty() != options.security.key.empty()) {
    return UsageError("-cert and -key belong together");
  }
  return {};
}

}  // namespace

bool IsTarget(std::string_view word) { return word.starts_with(kGrpc) || word.starts_with(kTpu); }

Result<Options> ParseOptions(std::string_view command, const std::vector<std::string>& words) {
  Options options;
  if (command == kMonitor) options.duration = milliseconds(1000);
  TFPROF_ASSIGN(options.targets, SetWords<Options>(words, OptionsOf(command), command, options));
  TFPROF_TRY(Check(command, options));
  return options;
}

Result<void> ReadFiles(Options* options) {
  const Security& security = options->security;
  for (const std::string& path : {security.authorities, security.certificate, security.key}) {
    if (!path.empty() && access(path.c_str(), R_OK) != 0)
      return Fail(ErrorKind::unreadable, std::strerror(errno), path);
  }
  for (auto& [key, text] : options->metadata) {
    if (!text.starts_with('@')) continue;
    const std::string path = text.substr(1);
    std::ifstream file(path);
    if (!file) return Fail(ErrorKind::unreadable, "cannot be read", path);
    text.assign(std::istreambuf_iterator<char>(file), {});
    while (text.ends_with('\n') || text.ends_with('\r')) text.pop_back();
    if (!IsValue(text))
      return Fail(ErrorKind::usage, "-metadata: not ASCII, or several lines", path);
  }
  return {};
}

std::vector<DeclaredOption> DeclaredOptions(std::string_view command) {
  return DeclaredIn(OptionsOf(command));
}

}  // namespace tfprof::remote
