// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "cli/commands.h"
#include "core/nearest.h"
#include "core/option_values.h"
#include "core/options.h"
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
  std::vector<std::string_view> names;
  for (const Loader& loader : Loaders()) names.push_back(loader.name);
  return Fail(ErrorKind::usage, "no input format '" + std::string(value) + "'", {},
              OneOf(value, names));
}

Result<void> SetMaxBytes(Arguments& arguments, std::string_view value) {
  constexpr int64_t kMost = std::numeric_limits<int64_t>::max();
  TFPROF_ASSIGN(const int64_t bytes, ParseNumber(value, Unit::bytes, 1, kMost));
  arguments.max_bytes = static_cast<uint64_t>(bytes);
  return {};
}

constexpr Flag kFlags[] = {
    {"c", "COMMAND", "runs a command and ends; several in order", AddScript<false>},
    {"f", "SCRIPT", "runs the commands of a file and ends", AddScript<true>},
    {"as", "FORMAT", "the format of the FILEs, where the content fits several", SetFormat},
    {"keep-going", "", "-c, -f: goes on after a command that fails",
     Switch<&Arguments::keep_going>},
    {"partial", "", "of a damaged file, keeps what came before the damage",
     Switch<&Arguments::partial>},
    {"max-bytes", "SIZE", "the most that a compressed file may hold (64GiB)", SetMaxBytes},
    {"graph_path", "FILE", "a graph, binary or text", SetPath<&Arguments::graph_path>},
    {"run_meta_path", "A,B", "records of runs; step 0, 1, 2 ...",
     SetPath<&Arguments::run_meta_paths>},
    {"op_log_path", "FILE", "an operation log: types, float_ops, code",
     SetPath<&Arguments::op_log_path>},
    {"run_log_path", "FILE", "the same", SetPath<&Arguments::op_log_path>},
    {"checkpoint_path", "FILE", "a checkpoint, for the values of variables",
     SetPath<&Arguments::checkpoint_path>},
    {"profile_path", "FILE", "a whole profile", SetPath<&Arguments::profile_path>},
    {"help", "", "says how the program is called", Switch<&Arguments::help>},
    {"version", "", "says which program this is", Switch<&Arguments::version>},
};

const Flag* FindFlag(std::string_view name) {
  if (name == "h") name = "help";
  for (const Flag& flag : kFlags) {
    if (flag.name == name) return &flag;
  }
  return nullptr;
}

Failure Refused(const CommandLine& line, const Word& word, std::string what, std::string hint) {
  return Failure(AtWord({ErrorKind::usage, std::move(what), {}, std::move(hint)}, line, word));
}

bool Exists(const std::string& path) {
  struct stat status {};
  return stat(path.c_str(), &status) == 0;
}

// The state of reading the arguments from left to right.
struct Reader {
  const CommandLine& line;
  Arguments arguments;
  std::vector<Word> option_words;
  std::vector<Word> command_words;  // the command and its own words
  int own_words_left = 0;           // -1: all that follow
  size_t positionals = 0;
};

Failure UnknownFlag(const Reader& reader, const Word& word) {
  const std::string_view name = OptionName(word.text);
  std::vector<std::string_view> names;
  for (const Flag& flag : kFlags) names.push_back(flag.name);
  for (const Option& option : Options()) names.push_back(option.name);
  const std::string near = Nearest(name, names);
  return Refused(reader.line, word, "no option " + word.text.substr(0, word.text.find('=')),
                 near.empty() ? "tfprof --help lists them" : "did you mean --" + near + "?");
}

Result<void> ReadFlag(Reader& reader, const Flag& flag, size_t* at) {
  const Word& word = reader.line.words[*at];
  const size_t equals = word.text.find('=');
  std::string value;
  if (equals != std::string::npos) {
    value = word.text.substr(equals + 1);
    if (flag.value.empty()) return Refused(reader.line, word, "takes no value", {});
  } else if (!flag.value.empty()) {
    if (*at + 1 == reader.line.words.size()) {
      return Refused(reader.line, word, word.text + " needs a value",
                     word.text + " " + std::string(flag.value));
    }
    value = reader.line.words[++*at].text;
  }
  Result<void> set = flag.set(reader.arguments, value);
  if (!set) return Failure(AtWord(std::move(set).error(), reader.line, reader.line.words[*at]));
  return {};
}

// An option of a command: the word, and its value where that is a word of its own.
void TakeOption(Reader& reader, const Option& option, size_t* at) {
  const std::vector<Word>& words = reader.line.words;
  reader.option_words.push_back(words[*at]);
  if (words[*at].text.find('=') != std::string::npos || *at + 1 == words.size()) return;
  const std::string& next = words[*at + 1].text;
  if (option.type == OptionType::flag && !ParseBoolean(next)) return;
  reader.option_words.push_back(words[++*at]);
}

// A command when it names one: as the first word unless it looks like a path, later unless there
// is a file of that name.
bool NamesCommand(const Reader& reader, const std::string& text) {
  if (!reader.command_words.empty() || !IsCommand(text)) return false;
  if (reader.positionals == 0) return text.find_first_of("/.") == std::string::npos;
  return !Exists(text);
}

void ReadPositional(Reader& reader, const Word& word) {
  if (reader.own_words_left != 0) {
    reader.command_words.push_back(word);
    if (reader.own_words_left > 0) --reader.own_words_left;
  } else if (NamesCommand(reader, word.text)) {
    reader.command_words.push_back(word);
    reader.own_words_left = OwnWords(word.text);
  } else {
    reader.arguments.files.push_back(word.text);
  }
  ++reader.positionals;
}

// What the arguments say together.
Result<void> CheckTogether(const Reader& reader) {
  const Arguments& arguments = reader.arguments;
  const auto fail = [](std::string what, std::string hint) {
    return Fail(ErrorKind::usage, std::move(what), {}, std::move(hint));
  };
  if (arguments.classic && !arguments.files.empty()) {
    const std::string& file = arguments.files.front();
    return fail("'" + file + "' is not a command, and FILEs do not go with the path flags",
                "tfprof FILE... alone, or --graph_path= and its like alone");
  }
  const bool parts = !arguments.graph_path.empty() || !arguments.run_meta_paths.empty() ||
                     !arguments.op_log_path.empty();
  if (!arguments.profile_path.empty() && parts) {
    return fail("--profile_path is a whole profile: nothing but --checkpoint_path goes with it",
                {});
  }
  if (!arguments.scripts.empty() && !reader.command_words.empty()) {
    return fail("one command does not go with -c and -f", "-c for each command");
  }
  const bool reads_input =
      std::find(arguments.files.begin(), arguments.files.end(), "-") != arguments.files.end();
  if (reads_input && arguments.scripts.empty() && reader.command_words.empty()) {
    return fail("the profile comes from standard input: then commands cannot",
                "tfprof - -c summary");
  }
  return {};
}

void AddInput(std::vector<Input>& inputs, const std::string& path, const char* format) {
  if (!path.empty()) inputs.push_back({path, format, true});
}

}  // namespace

std::vector<Input> Inputs(const Arguments& arguments) {
  if (!arguments.classic) return FileInputs(arguments.files, arguments.as);
  std::vector<Input> inputs;
  AddInput(inputs, arguments.profile_path, "profile");
  AddInput(inputs, arguments.graph_path, "graph");
  AddInput(inputs, arguments.op_log_path, "op_log");
  AddInput(inputs, arguments.checkpoint_path, "checkpoint");
  for (const std::string& path : SplitList(arguments.run_meta_paths)) {
    AddInput(inputs, path, "run_metadata");
  }
  return inputs;
}

std::span<const Flag> Flags() { return kFlags; }

Result<Arguments> ParseArguments(const std::vector<std::string>& args) {
  const CommandLine line = JoinWords(args);
  Reader reader{line, {}, {}, {}, 0, 0};
  for (size_t i = 0; i < line.words.size(); ++i) {
    const Word& word = line.words[i];
    if (!IsOption(word.text)) {
      ReadPositional(reader, word);
      continue;
    }
    const std::string_view name = OptionName(word.text);
    // `help -order_by` asks about the option.
    if (!reader.command_words.empty() && reader.command_words.front().text == "help") {
      reader.command_words.push_back(word);
    } else if (const Flag* flag = FindFlag(name)) {
      TFPROF_TRY(ReadFlag(reader, *flag, &i));
    } else if (const Option* option = FindOption(name)) {
      TakeOption(reader, *option, &i);
    } else {
      return UnknownFlag(reader, word);
    }
  }
  TFPROF_TRY(CheckTogether(reader));
  const bool command = !reader.command_words.empty();
  CommandLine& words = command ? reader.arguments.command : reader.arguments.options;
  words.text = line.text;
  words.words = std::move(reader.command_words);
  words.words.insert(words.words.end(), reader.option_words.begin(), reader.option_words.end());
  return std::move(reader.arguments);
}

std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    glob_t matches{};
    const bool pattern = path.find_first_of("*?[") != std::string::npos && !Exists(path);
    if (pattern && glob(path.c_str(), 0, nullptr, &matches) == 0) {
      found.insert(found.end(), matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
    } else {
      found.push_back(path);
    }
    globfree(&matches);
  }
  std::stable_sort(found.begin(), found.end(), [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  std::vector<Input> inputs;
  for (std::string& path : found) inputs.push_back({std::move(path), format, false});
  return inputs;
}

}  // namespace tfprof
