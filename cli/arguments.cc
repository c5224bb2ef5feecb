// SPDX-License-Identifier: Apache-2.0
#include "cli/arguments.h"

#include <fmt/core.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>

#include "cli/shell/commands.h"
#include "cli/shell/session.h"
#include "core/base/nearest.h"
#include "core/base/sorting.h"
#include "core/query/options.h"
#include "loaders/inputs/run_folder.h"
#include "loaders/io/source.h"
#include "loaders/loader.h"

namespace tfprof {
namespace {

// A word after an option that needs no value.
struct TrailingFlag {
  const Option* option;
  Word word;
};

// The state of reading the arguments from left to right.
struct Reader {
  const CommandLine& line;
  Arguments arguments;
  std::vector<GivenFlag> flags;
  std::vector<Word> option_words;
  std::vector<Word> command_words;  // the command and its own words
  int arguments_left = 0;           // -1: all following words
  Subject argument = Subject::none;
  size_t positionals = 0;
  std::vector<TrailingFlag> trailing_flags;
};

Failure UnknownFlag(const Reader& reader, const Word& word) {
  const std::string_view name = OptionName(word.text);
  std::vector<std::string_view> names;
  for (const Flag& flag : Flags()) names.push_back(flag.name);
  for (const Option& option : Options()) names.push_back(option.name);
  const std::string near = DidYouMean(name, names);
  const std::string_view dashes = FindOption(near) == nullptr ? "--" : "-";
  return Refused(reader.line, word, "no option " + word.text.substr(0, word.text.find('=')),
                 !near.empty() ? fmt::format("did you mean {}{}?", dashes, near)
                 : reader.command_words.empty()
                     ? "tfprof --help lists those of the program"
                     : fmt::format("tfprof help {} lists those of the command",
                                   reader.command_words.front().text));
}

// Keeps a flag for ParseFlags, with its value if it takes one and one is given.
void TakeFlag(Reader& reader, const Flag& flag, size_t* at) {
  const Word& word = reader.line.words[*at];
  const size_t equals = word.text.find('=');
  GivenFlag given{&flag, {}, word};
  if (equals != std::string::npos) {
    given.value = word.text.substr(equals + 1);
  } else if (!flag.value.empty() && *at + 1 < reader.line.words.size()) {
    given.word = reader.line.words[++*at];
    given.value = given.word.text;
  }
  reader.flags.push_back(std::move(given));
}

// Keeps an option of a command: the word, and its value if that is a separate word.
void TakeOption(Reader& reader, const Option& option, size_t* at) {
  const std::vector<Word>& words = reader.line.words;
  reader.option_words.push_back(words[*at]);
  if (words[*at].text.find('=') != std::string::npos || *at + 1 == words.size()) return;
  const std::string& next = words[*at + 1].text;
  if (option.type == OptionType::flag && !ParseBoolean(next)) {
    return reader.trailing_flags.push_back({&option, words[*at + 1]});
  }
  reader.option_words.push_back(words[++*at]);
}

// True if the path can be a profile: it exists, was not given before (`./op op`), and is no folder
// without profiles.
bool MayBeProfile(const Reader& reader, const std::string& path) {
  struct stat status {
  }, other{};
  if (stat(path.c_str(), &status) != 0) return false;
  if (S_ISDIR(status.st_mode)) return LooksLikeProfile(path);
  return std::none_of(reader.arguments.files.begin(), reader.arguments.files.end(),
                      [&](const std::string& file) {
                        return stat(file.c_str(), &other) == 0 && IsSameFile(other, status);
                      });
}

// Like MayBeProfile, and also true for standard input and for a pattern that matches files.
bool MayBeInput(const Reader& reader, const std::string& text) {
  return text == "-" || MayBeProfile(reader, text) || !FilesLike(text).empty();
}

// True if the text names the command: the first word unless it looks like a path, a later word
// unless a profile has that name.
bool NamesCommand(const Reader& reader, const std::string& text) {
  if (!reader.command_words.empty() || !IsCommand(text)) return false;
  if (reader.positionals == 0) return text.find_first_of("/.") == std::string::npos;
  return !MayBeProfile(reader, text);
}

// True if `text` is an argument of the command before it.
bool IsArgument(const Reader& reader, const std::string& text) {
  if (reader.arguments_left == 0) return false;
  // A word that names a file is no scope.
  if (reader.argument == Subject::scope) return !MayBeInput(reader, text);
  return reader.argument != Subject::rows ||
         text.find_first_not_of("0123456789") == std::string::npos;
}

void ReadPositional(Reader& reader, const Word& word) {
  if (IsArgument(reader, word.text)) {
    reader.command_words.push_back(word);
    if (reader.arguments_left > 0) --reader.arguments_left;
  } else if (NamesCommand(reader, word.text)) {
    reader.command_words.push_back(word);
    reader.arguments_left = MaxArguments(word.text);
    reader.argument = ArgumentOf(word.text);
  } else {
    reader.arguments.files.push_back(word.text);
  }
  ++reader.positionals;
}

// With --base the word after diff is another FILE; a lone word after ls is the FILE.
void FreeArgument(Reader& reader) {
  if (reader.command_words.size() != 2) return;
  const bool base = reader.argument == Subject::base && !reader.arguments.base.empty();
  const bool only_scope = reader.argument == Subject::scope && reader.arguments.files.empty();
  const bool opened = reader.arguments.classic;  // its path flags name the files
  if (!base && (!only_scope || opened)) return;
  reader.arguments.files.push_back(reader.command_words.back().text);
  reader.command_words.pop_back();
}

Result<void> CheckTogether(const Reader& reader) {
  const Arguments& arguments = reader.arguments;
  if (arguments.classic && !arguments.files.empty()) {
    const std::string& file = arguments.files.front();
    return UsageError(
        "'" + file + "' is not a command, and FILEs cannot be combined with the path flags",
        "use tfprof FILE..., or --graph_path= and the other path flags");
  }
  const bool parts = !arguments.graph_path.empty() || !arguments.run_meta_paths.empty() ||
                     !arguments.op_log_path.empty();
  if (!arguments.profile_path.empty() && parts) {
    return UsageError(
        "--profile_path is a whole profile: only --checkpoint_path can be combined with it");
  }
  if (!arguments.scripts.empty() && !reader.command_words.empty()) {
    return UsageError("a single command cannot be combined with -c or -f",
                      "use -c for each command");
  }
  const bool reads_input =
      std::find(arguments.files.begin(), arguments.files.end(), "-") != arguments.files.end();
  if (reads_input && arguments.scripts.empty() && reader.command_words.empty()) {
    return UsageError("standard input is the profile, so commands cannot come from it",
                      "tfprof - -c summary");
  }
  return {};
}

// With several files, a word that names no file is taken as a misplaced value of the flag before
// it. A lone file may be misspelled. After a command that needs a word, it is that word.
Result<void> CheckFlagValues(const Reader& reader) {
  const std::vector<std::string>& files = reader.arguments.files;
  for (const TrailingFlag& after : reader.trailing_flags) {
    const std::string& text = after.word.text;
    const bool scope = reader.argument == Subject::scope && reader.command_words.size() == 2 &&
                       reader.command_words.back().begin == after.word.begin;
    const bool file = files.size() > 1 && text != "-" && !NamesFile(text) &&
                      std::find(files.begin(), files.end(), text) != files.end();
    if (!scope && !file) continue;
    Query query;
    Result<void> set = SetOption(*after.option, text, query);
    if (!set) return Failure(AtWord(std::move(set).error(), reader.line, after.word));
  }
  return {};
}

void AddInput(std::vector<Input>& inputs, const std::string& path, const char* flag) {
  if (!path.empty()) inputs.push_back({path, flag, true});
}

}  // namespace

std::vector<Input> Inputs(const Arguments& arguments) {
  if (!arguments.classic) {
    return FileInputs(arguments.files, arguments.as, arguments.run, arguments.ranks);
  }
  std::vector<Input> inputs;
  AddInput(inputs, arguments.profile_path, "--profile_path");
  AddInput(inputs, arguments.graph_path, "--graph_path");
  AddInput(inputs, arguments.op_log_path, "--op_log_path");
  AddInput(inputs, arguments.checkpoint_path, "--checkpoint_path");
  for (const std::string& path : SplitList(arguments.run_meta_paths)) {
    AddInput(inputs, path, "--run_meta_path");
  }
  return inputs;
}

Result<Arguments> ParseArguments(const std::vector<std::string>& args) {
  const CommandLine line = JoinWords(args);
  Reader reader{.line = line,
                .arguments = {},
                .flags = {},
                .option_words = {},
                .command_words = {},
                .trailing_flags = {}};
  for (size_t i = 0; i < line.words.size(); ++i) {
    const Word& word = line.words[i];
    if (!IsOption(word.text)) {
      ReadPositional(reader, word);
      continue;
    }
    const std::string_view name = OptionName(word.text);
    // `help -order_by` is help about the option.
    if (!reader.command_words.empty() && reader.command_words.front().text == "help") {
      reader.command_words.push_back(word);
    } else if (const Flag* flag = FindFlag(name)) {
      TakeFlag(reader, *flag, &i);
    } else if (const Option* option = FindOption(name)) {
      TakeOption(reader, *option, &i);
    } else {
      return UnknownFlag(reader, word);
    }
  }
  TFPROF_TRY(ParseFlags(reader.flags, line, reader.arguments));
  TFPROF_TRY(CheckTogether(reader));
  FreeArgument(reader);
  TFPROF_TRY(CheckFlagValues(reader));
  const bool command = !reader.command_words.empty();
  CommandLine& words = command ? reader.arguments.command : reader.arguments.options;
  words.text = line.text;
  words.words = std::move(reader.command_words);
  words.words.insert(words.words.end(), reader.option_words.begin(), reader.option_words.end());
  return std::move(reader.arguments);
}

std::vector<std::string> FilesLike(const std::string& path) {
  std::vector<std::string> found;
  if (path.find_first_of("*?[") == std::string::npos || Exists(path)) return found;
  glob_t matches{};
  if (glob(path.c_str(), 0, nullptr, &matches) == 0) {
    found.assign(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  }
  globfree(&matches);
  return found;
}

bool NamesFile(const std::string& text) { return Exists(text) || !FilesLike(text).empty(); }

std::vector<Input> FileInputs(const std::vector<std::string>& paths, const std::string& format,
                              const std::string& run, const std::vector<RankRange>& ranks) {
  std::vector<std::string> found;
  for (const std::string& path : paths) {
    std::vector<std::string> matches = FilesLike(path);
    if (matches.empty() && run.empty()) matches = CapturesIn(path);
    found.insert(found.end(), matches.begin(), matches.end());
    if (matches.empty()) found.push_back(path);
  }
  StableSort(found, [](const std::string& a, const std::string& b) {
    return strverscmp(a.c_str(), b.c_str()) < 0;
  });
  std::vector<Input> inputs;
  for (std::string& path : found) {
    inputs.push_back({.path = std::move(path), .format = format, .run = run, .ranks = ranks});
  }
  return inputs;
}

}  // namespace tfprof
