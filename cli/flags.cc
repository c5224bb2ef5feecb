// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <algorithm>
#include <limits>
#include <optional>

#include "core/base/nearest.h"
#include "core/query/options.h"
#include "loaders/inputs/ranks.h"
#include "loaders/loader.h"

namespace tfprof {
namespace {

template <std::string Arguments::*kField>
Result<void> SetPath(Arguments& arguments, std::string_view value) {
  arguments.*kField = value;
  arguments.classic = true;
  return {};
}

template <bool Arguments::*kField>
Result<void> Switch(Arguments& arguments, std::string_view) {
  arguments.*kField = true;
  return {};
}

template <bool kIsFile>
Result<void> AddScript(Arguments& arguments, std::string_view value) {
  arguments.scripts.push_back({kIsFile, std::string(value)});
  return {};
}

Result<void> SetFormat(Arguments& arguments, std::string_view value) {
  arguments.as = value;
  if (FindLoader(value) != nullptr) return {};
  return UsageError("no input format '" + std::string(value) + "'",
                    OneOf(value, NamesIn(Loaders())));
}

template <std::string Arguments::*kField>
Result<void> SetText(Arguments& arguments, std::string_view value) {
  arguments.*kField = value;
  return {};
}

Result<void> SetMaxBytes(Arguments& arguments, std::string_view value) {
  constexpr int64_t kMaxValue = std::numeric_limits<int64_t>::max();
  TFPROF_ASSIGN(const int64_t bytes, ParseNumber(value, Unit::bytes, 1, kMaxValue));
  arguments.max_bytes = static_cast<uint64_t>(bytes);
  return {};
}

Result<void> SetEvery(Arguments& arguments, std::string_view value) {
  TFPROF_ASSIGN(arguments.every, ParseInterval(value));
  return {};
}

Result<void> SetLast(Arguments& arguments, std::string_view value) {
  TFPROF_ASSIGN(arguments.last, ParseLast(value));
  return {};
}

Result<void> SetRanks(Arguments& arguments, std::string_view value) {
  TFPROF_ASSIGN(arguments.ranks, ParseRanks(value));
  return {};
}

constexpr Flag kFlags[] = {
    {"c", "COMMAND", "runs a command and exits; repeatable, in order", Choices::text,
     AddScript<false>},
    {"f", "SCRIPT", "runs the commands of a file and exits", Choices::file, AddScript<true>},
    {"as", "FORMAT", "format of the FILEs, if their content is ambiguous", Choices::word,
     SetFormat},
    {"run", "NAME", "selects this run of a folder instead of the newest", Choices::text,
     SetText<&Arguments::run>},
    {"ranks", "LIST", "reads only the files of these ranks of a job: 0,8:16", Choices::text,
     SetRanks},
    {"base", "FILE", "base profile for diff", Choices::file, SetText<&Arguments::base>},
    {"follow", "", "answers again whenever the files change, until Ctrl-C or the end of the job",
     Choices::alone, Switch<&Arguments::follow>},
    {"every", "TIME", "--follow: looks for changes so often (2s)", Choices::text, SetEvery},
    {"last", "TIME", "--follow: shows so much of the end of a recording, or all (60s)",
     Choices::text, SetLast},
    {"keep-going", "", "-c, -f: continues after a failed command", Choices::alone,
     Switch<&Arguments::keep_going>},
    {"no-config", "", "ignores the configuration file", Choices::alone,
     Switch<&Arguments::no_config>},
    {"partial", "", "loads a damaged file up to the damage", Choices::alone,
     Switch<&Arguments::partial>},
    {"max-bytes", "SIZE", "limit on the decompressed size of a file (64GiB)", Choices::text,
     SetMaxBytes},
    {"graph_path", "FILE", "a graph, binary or text", Choices::file,
     SetPath<&Arguments::graph_path>},
    {"run_meta_path", "A,B", "run metadata of steps 0, 1, 2 ...", Choices::file,
     SetPath<&Arguments::run_meta_paths>},
    {"op_log_path", "FILE", "an op log: types, float_ops, code", Choices::file,
     SetPath<&Arguments::op_log_path>},
    {"run_log_path", "FILE", "the same", Choices::file, SetPath<&Arguments::op_log_path>},
    {"checkpoint_path", "FILE", "a checkpoint, for values of variables", Choices::file,
     SetPath<&Arguments::checkpoint_path>},
    {"profile_path", "FILE", "a whole profile", Choices::file, SetPath<&Arguments::profile_path>},
    {"help", "", "shows usage", Choices::alone, Switch<&Arguments::help>},
    {"version", "", "shows the version", Choices::alone, Switch<&Arguments::version>},
    {"man", "", "", Choices::alone, Switch<&Arguments::man>},
    {"completion", "SHELL", "", Choices::word, SetText<&Arguments::completion>},
};

// The tokens for CLI11: `--name` and the value as separate words, so that it can neither take
// `-format` for `-f ormat` nor an empty value for none.
std::vector<std::string> Tokens(const std::vector<GivenFlag>& given) {
  std::vector<std::string> tokens;
  for (const GivenFlag& flag : given) {
    tokens.push_back("--" + std::string(flag.flag->name));
    if (flag.value) tokens.push_back(*flag.value);
  }
  std::reverse(tokens.begin(), tokens.end());  // CLI11 takes them from the back
  return tokens;
}

// Sets flags one by one as CLI11 reads them.
struct Setting {
  const std::vector<GivenFlag>& given;
  Arguments& arguments;
  size_t next = 0;
  std::optional<Error> refused;

  void Set(const Flag& flag, const std::string& value) {
    if (refused) return;
    if (Result<void> set = flag.set(arguments, value); !set) {
      refused = std::move(set).error();
    } else {
      ++next;
    }
  }
};

void Declare(const Flag& flag, Setting& setting, CLI::App& app) {
  const std::string name = "--" + std::string(flag.name);
  const std::string meaning(flag.meaning);
  CLI::Option* option = nullptr;
  if (flag.value.empty()) {
    option = app.add_flag_function(
        name, [&](int64_t) { setting.Set(flag, ""); }, meaning);
    option->disable_flag_override();
  } else {
    option = app.add_option_function<std::string>(
        name, [&](const std::string& value) { setting.Set(flag, value); }, meaning);
  }
  option->trigger_on_parse();
}

}  // namespace

std::span<const Flag> Flags() { return kFlags; }

const Flag* FindFlag(std::string_view name) {
  return FindNamed(kFlags, name == "h" ? "help" : name);
}

Result<void> ParseFlags(const std::vector<GivenFlag>& given, const CommandLine& line,
                        Arguments& arguments) {
  Setting setting{given, arguments};
  CLI::App app;
  app.set_help_flag();  // --help is our own flag
  for (const Flag& flag : kFlags) Declare(flag, setting, app);
  for (const GivenFlag& flag : given) {
    if (flag.value.has_value() == !flag.flag->value.empty()) continue;
    const bool letter = flag.flag->name.size() == 1;
    const std::string name = (letter ? "-" : "--") + std::string(flag.flag->name);
    const bool lacks = !flag.value;
    return Refused(line, flag.word, name + (lacks ? " needs a value" : " takes no value"),
                   lacks ? name + " " + std::string(flag.flag->value) : "");
  }
  try {
    app.parse(Tokens(given));
  } catch (const CLI::ParseError& error) {
    if (!setting.refused) setting.refused = Error(ErrorKind::usage, error.what());
  }
  if (!setting.refused) return {};
  const size_t at = std::min(setting.next, given.size() - 1);
  return Failure(AtWord(*std::move(setting.refused), line, given[at].word));
}

}  // namespace tfprof
