// SPDX-License-Identifier: Apache-2.0
#include "remote/options.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <fstream>
#include <iterator>

#include "core/base/nearest.h"
#include "core/base/units.h"
#include "core/query/options.h"

namespace tfprof::remote {
namespace {

constexpr int64_t kUsPerMs = 1000;
constexpr int64_t kDayUs = int64_t{24} * 3600 * 1'000'000;

struct OptionOf {
  std::string_view name;
  std::string_view value;     // placeholder; empty: a flag
  std::string_view commands;  // that read it
  std::string_view meaning;
  Result<void> (*set)(Options& options, const std::string& value);
};

template <milliseconds Options::*kField>
Result<void> SetTime(Options& options, const std::string& value) {
  TFPROF_ASSIGN(const int64_t micros, ParseNumber(value, Unit::us, 0, kDayUs));
  const bool has_unit = value.find_first_not_of("0123456789. ") != value.npos || micros == 0;
  if (!has_unit) return UsageError("'" + value + "' has no unit", "2s or 500ms");
  options.*kField = milliseconds(micros / kUsPerMs);
  return {};
}

template <int64_t Options::*kField, int64_t kLow, int64_t kHigh>
Result<void> SetCount(Options& options, const std::string& value) {
  TFPROF_ASSIGN(options.*kField, ParseNumber(value, Unit::count, kLow, kHigh));
  return {};
}

template <int64_t Levels::*kField>
Result<void> SetLevel(Options& options, const std::string& value) {
  constexpr int64_t kMost = 3;
  TFPROF_ASSIGN(options.levels.*kField, ParseNumber(value, Unit::count, 0, kMost));
  return {};
}

template <std::string Options::*kField>
Result<void> SetText(Options& options, const std::string& value) {
  options.*kField = value;
  return {};
}

template <std::string Security::*kField>
Result<void> SetSecurity(Options& options, const std::string& value) {
  options.security.*kField = value;
  options.security.tls = true;
  return {};
}

template <bool Options::*kField>
Result<void> Switch(Options& options, const std::string&) {
  options.*kField = true;
  return {};
}

Result<void> SetTls(Options& options, const std::string&) {
  options.security.tls = true;
  return {};
}

// "KEY=VALUE", or "KEY=@FILE", which hides a token from the list of processes.
Result<void> AddMetadata(Options& options, const std::string& value) {
  const size_t equals = value.find('=');
  std::string key = value.substr(0, equals);
  std::ranges::transform(key, key.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (equals == value.npos || key.empty() || key.front() == ':') {
    return UsageError("'" + value + "' is no metadata", "-metadata KEY=VALUE, or KEY=@FILE");
  }
  std::string text = value.substr(equals + 1);
  if (text.starts_with('@')) {
    std::ifstream file(text.substr(1));
    if (!file) return Fail(ErrorKind::unreadable, "cannot be read", text.substr(1));
    text.assign(std::istreambuf_iterator<char>(file), {});
    while (!text.empty() && (text.back() == '\n' || text.back() == '\r')) text.pop_back();
  }
  options.metadata.emplace_back(std::move(key), std::move(text));
  return {};
}

constexpr std::string_view kCapture = "capture", kMonitor = "monitor", kBoth = "capture monitor";

constexpr OptionOf kOptions[] = {
    {"o", "LOGDIR", kCapture, "where the traces are written (required)", SetText<&Options::folder>},
    {"duration", "TIME", kBoth, "how long a session records (2s; monitor: 1s)",
     SetTime<&Options::duration>},
    {"delay", "TIME", kCapture, "begin so much later (0s)", SetTime<&Options::delay>},
    {"host_level", "N", kCapture, "0 off, 1 user's ranges, 2 also operations, 3 all (2)",
     SetLevel<&Levels::host>},
    {"device_level", "N", kCapture, "0 off, 1 on (1)", SetLevel<&Levels::device>},
    {"python_level", "N", kCapture, "0 off, 1 Python calls (0)", SetLevel<&Levels::python>},
    {"retries", "N", kCapture, "attempts after a failed or empty one (3)",
     SetCount<&Options::retries, 0, 1000>},
    {"wait", "", kCapture, "wait for the end of another session of a server",
     Switch<&Options::wait>},
    {"every", "TIME", kBoth, "again and again, until Ctrl-C", SetTime<&Options::every>},
    {"times", "N", kBoth, "with -every: how often", SetCount<&Options::times, 1, 1'000'000>},
    {"keep", "N", kCapture, "with -every: remove all but the last N runs of this command",
     SetCount<&Options::keep, 1, 1'000'000>},
    {"run", "NAME", kCapture,
     "name of the run (the time); its hosts that are there already are skipped",
     SetText<&Options::run>},
    {"parallel", "N", kCapture, "servers that record at the same time (64)",
     SetCount<&Options::parallel, 1, 4096>},
    {"level", "N", kMonitor, "1 utilization, 2 more (2)", SetCount<&Options::level, 1, 2>},
    {"timeout", "TIME", kBoth, "wait so much longer than a session takes (60s)",
     SetTime<&Options::timeout>},
    {"connect", "TIME", kBoth, "wait so long for a connection (5s)", SetTime<&Options::connect>},
    {"tls", "", kBoth, "encrypt, and check the server's certificate", SetTls},
    {"ca", "FILE", kBoth, "certificates to check it with (the system's); implies -tls",
     SetSecurity<&Security::authorities>},
    {"cert", "FILE", kBoth, "our own certificate, with -key", SetSecurity<&Security::certificate>},
    {"key", "FILE", kBoth, "its key", SetSecurity<&Security::key>},
    {"server_name", "NAME", kBoth, "whom the server's certificate is for (its host)",
     SetSecurity<&Security::server_name>},
    {"metadata", "KEY=VALUE", kBoth, "sent with each call; KEY=@FILE: the value is in a file",
     AddMetadata},
    {"quiet", "", kBoth, "print only errors", Switch<&Options::quiet>},
};

const OptionOf* Find(std::string_view command, std::string_view name) {
  const auto* const found = std::ranges::find_if(kOptions, [&](const OptionOf& option) {
    return option.name == name && option.commands.find(command) != option.commands.npos;
  });
  return found == std::end(kOptions) ? nullptr : found;
}

Failure Unknown(std::string_view command, std::string_view name) {
  std::vector<std::string_view> names;
  for (const OptionOf& option : kOptions) {
    if (Find(command, option.name) != nullptr) names.push_back(option.name);
  }
  const std::string near = DidYouMean(name, names);
  return UsageError(fmt::format("no option -{}", name),
                    near.empty() ? fmt::format("tfprof {} --help lists them", command)
                                 : fmt::format("did you mean -{}?", near));
}

Result<void> Check(std::string_view command, const Options& options) {
  if (command == kCapture && options.folder.empty()) {
    return UsageError("no folder for the traces", "tfprof capture grpc://HOST:PORT -o LOGDIR");
  }
  if (options.duration.count() == 0) return UsageError("-duration is 0", "2s or 500ms");
  if (options.run.find('/') != options.run.npos || options.run == ".." || options.run == ".") {
    return UsageError("'" + options.run + "' is no name of a run: it would be another folder");
  }
  if (options.keep > 0 && options.every.count() == 0)
    return UsageError("-keep needs -every", "-every 60s");
  if (!options.run.empty() && options.every.count() > 0) {
    return UsageError("-run names one run, and -every makes several");
  }
  if (options.security.certificate.empty() != options.security.key.empty()) {
    return UsageError("-cert and -key belong together");
  }
  return {};
}

}  // namespace

Result<Options> ParseOptions(std::string_view command, const std::vector<std::string>& words) {
  Options options;
  if (command == kMonitor) options.duration = milliseconds(1000);
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (!word.starts_with('-')) {
      options.targets.push_back(word);
      continue;
    }
    std::string name = word.substr(word.starts_with("--") ? 2 : 1), value;
    const size_t equals = name.find('=');
    const bool has_value = equals != name.npos;
    if (has_value) {
      value = name.substr(equals + 1);
      name.resize(equals);
    }
    std::ranges::replace(name, '-', '_');
    const OptionOf* const option = Find(command, name);
    if (option == nullptr) return Unknown(command, name);
    if (!option->value.empty() && !has_value) {
      if (i + 1 == words.size())
        return UsageError(fmt::format("-{} needs a value", name), std::string(option->value));
      value = words[++i];
    }
    Result<void> set = option->set(options, value);
    if (!set) {
      Error error = std::move(set).error();
      error.what = fmt::format("-{}: {}", name, error.what);
      return Failure(error);
    }
  }
  TFPROF_TRY(Check(command, options));
  return options;
}

std::string OptionsText(std::string_view command) {
  std::string text;
  for (const OptionOf& option : kOptions) {
    if (Find(command, option.name) == nullptr) continue;
    text += fmt::format("  {:<20} {}\n", fmt::format("-{} {}", option.name, option.value),
                        option.meaning);
  }
  return text;
}

}  // namespace tfprof::remote
