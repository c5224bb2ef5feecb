// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/op_flops/rules.h"
#include "cli/arguments.h"
#include "cli/choices.h"
#include "cli/export/writing.h"
#include "cli/message.h"
#include "cli/running/commands.h"
#include "cli/shell/commands.h"
#include "core/base/attributes.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/report/column_names.h"
#include "core/report/table_def.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "loaders/loader.h"
#include "views/advice/checker.h"
#include "views/view.h"

namespace tfprof {
namespace {

constexpr size_t kTextWidth = 78;  // max width of texts

std::string Row(std::string_view name, std::string_view meaning, size_t width = 12) {
  return fmt::format("  {:<{}} {}\n", name, width, meaning);
}

// Wraps the words of `text` into lines of at most `width`, each indented by `indent` blanks.
std::string Wrapped(std::string_view text, size_t indent, size_t width) {
  std::string out, row(indent, ' ');
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    if (row.size() > indent && row.size() + 1 + end > width) {
      out += row + "\n";
      row.assign(indent, ' ');
    }
    if (row.size() > indent) row += ' ';
    row += text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + row + "\n";
}

std::string Examples(std::string_view lines) {
  if (lines.empty()) return {};
  std::string out = "\nexamples\n";
  while (!lines.empty()) out += "  " + std::string(TakeLine(&lines)) + "\n";
  return out;
}

// Formats "  name   meaning ...": the meaning in its own column, or below the name if that column
// is narrow.
std::string OptionRow(const auto& option, size_t width) {
  constexpr size_t kColumn = 34, kNarrow = 72;
  const std::string name = fmt::format("  -{} {}", option.name, option.value);
  if (width < kNarrow) return name + "\n" + Wrapped(option.meaning, 6, width);
  std::string text = Wrapped(option.meaning, kColumn, width);
  text.replace(0, kColumn, fmt::format("{:<{}}", name, kColumn));
  return text;
}

// A name, and below it a text.
std::string Entry(std::string_view name, std::string_view text, size_t width) {
  return fmt::format("  {}\n", name) + Wrapped(text, 6, width);
}

std::string AboutOption(const Option& option, size_t width) {
  std::string out = fmt::format("-{} {}\n", option.name, option.value);
  out += Wrapped(std::string(option.meaning) + UnitSentence(option), 2, width);
  const std::string value = option.print(Query{});
  out += "  default: " + (value.empty() ? "nothing" : value);
  if (!option.default_elsewhere.empty()) out.append("; ").append(option.default_elsewhere);
  out += "\n";
  std::string choices = "one of:", readers = "read by:";
  const Choices valid = ChoicesOf(option);
  for (const std::string& name : valid.names) choices += " " + name;
  const bool has_choices = valid.kind == Choices::word || valid.kind == Choices::list;
  if (has_choices) out += Wrapped(choices, 2, width);
  for (const std::string_view name : ReadersOf(option)) readers.append(" ").append(name);
  return out + Wrapped(readers, 2, width);
}

// The help of a view or a writing command.
std::string About(const auto& command, std::string_view usage, size_t width) {
  std::string out = fmt::format("{} - {}\n\n", command.name, command.summary);
  out += Wrapped(command.help, 0, width);
  out += fmt::format("\nuse: {} [options]\n\noptions\n", usage);
  for (const Option& option : Options()) {
    if (Reads(command.options, option)) out += OptionRow(option, width);
  }
  return out + Examples(command.example);
}

std::string AboutCommand(const ShellCommand& command) {
  return fmt::format("{} - {}\n\nuse: {}\n", command.name, command.summary, command.usage) +
         Examples(command.example);
}

std::string AboutRunning(const RunningCommand& command, size_t width) {
  std::string options;
  for (const DeclaredOption& option : command.options()) options += OptionRow(option, width);
  return fmt::format("{} - {}\n\n", command.name, command.summary) +
         Wrapped(command.help, 0, width) + fmt::format("\nuse: {}\n\noptions\n", command.usage) +
         options + Examples(command.example);
}

std::string AboutOptions(size_t width) {
  std::string out =
      "Give an option with a command, or keep it for all commands with `set`:\n-name value or "
      "-name=value, with one or two dashes.\n\n";
  for (const Option& option : Options()) {
    out += Entry(fmt::format("-{} {}", option.name, option.value), option.meaning, width);
  }
  return out;
}

std::string AboutFilters(size_t width) {
  std::string out = Wrapped(kFilterRule, 0, width);
  for (const auto& [mark, title] : kFilterKinds) {
    out += fmt::format("\n{}\n", title);
    for (const Option& option : Options()) {
      if (Reads(mark, option)) out += OptionRow(option, width);
    }
  }
  return out + "\n`filters` lists those in force, as options that can be typed.\n";
}

std::string AboutFormats(size_t) {
  std::string out = "output formats (-format)\n";
  for (const Emitter& emitter : Emitters()) out += Row(emitter.name, emitter.summary, 16);
  out += "\ninput formats (detected from content; -as overrides)\n";
  for (const Loader& loader : Loaders()) out += Row(loader.name, loader.summary, 16);
  return out;
}

std::string AboutAttributes(size_t width) {
  std::string out = "Attributes for -select:\n\n";
  for (const AttributeInfo& info : Attributes()) out += Entry(info.name, info.meaning, width);
  return out;
}

// The column ids of every table; `explain` describes them.
std::string AboutColumns(size_t width) {
  std::string out = "Columns of each table (-columns, -where, -order_by; explain COLUMN):\n";
  for (const View& view : Views()) {
    for (const TableDef* const table : view.tables()) {
      out += fmt::format("\n{}{}\n", view.name,
                         table->name == view.name ? "" : fmt::format(", {}", table->name));
      std::string ids;
      for (const ColumnDef& def : table->columns) {
        if (def.audience != Audience::original) ids.append(def.id).append(" ");
      }
      out += Wrapped(ids, 2, width);
    }
  }
  return out;
}

std::string AboutCheckers(size_t width) {
  std::string out = "Checkers of advise (-checker, -fail-if):\n\n";
  for (const Checker& checker : Checkers()) out += Entry(checker.name, checker.summary, width);
  return out;
}

std::string AboutNotes(size_t width) {
  std::string out = "Notes below answers, by their id in JSON:\n\n";
  for (const NoteRow& note : NoteCatalogue()) out += Entry(note.id, note.text, width);
  return out;
}

std::string AboutFlops(size_t width) {
  std::string out = "FLOPs of one run of an operation, by its type; a multiply-add is 2:\n\n";
  for (const FlopRule& rule : FlopRules()) {
    out += fmt::format("  {}\n", rule.formula) + Wrapped(std::string(rule.types), 4, width);
  }
  return out;
}

std::string AboutRegex(size_t) {
  return "regular expressions (-show_name_regexes and the other *_regexes options)\n  conv         "
         "    exactly conv: an expression matches the whole name\n  .*conv.*         names that "
         "contain conv\n  layer_[12]/.*    everything below layer_1 and layer_2\n  conv.*,.*bias   "
         " a list: names that match any of them\n  a.b              . matches any character; use "
         "it for a comma, which always separates\n  a\\.b             \\ escapes a special "
         "character: . ( ) [ ] * + ? ^ $ |\n  (?i).*CONV.*     in any case\n\nThe syntax is RE2: "
         "no look-around, no back references, linear time.\n-where 'name ~ conv' differs: it "
         "matches anywhere in the text.\n";
}

constexpr StatusMeaning kStatusMeanings[] = {
    {0, "success"},
    {1, "internal error"},
    {2, "invalid command, option or value"},
    {3, "a file cannot be read"},
    {4, "a file is damaged, or its format is unrecognized"},
    {5, "a file cannot be written, or the program after | failed"},
    {6, "a -fail-if limit of advise or diff was exceeded"},
    {130, "interrupted"},
};

std::string AboutStatus(size_t) {
  std::string out = "exit status\n";
  for (const StatusMeaning& status : kStatusMeanings) {
    out += fmt::format("  {:<4} {}\n", status.status, status.meaning);
  }
  return out;
}

// `store`: the open profile; null: none. Views that cannot answer about it come last.
std::string Overview(const Store* store) {
  std::string out = "questions\n", others;
  for (const View& view : Views()) {
    const std::string_view lacks = store == nullptr ? "" : Lacks(view, *store);
    if (lacks.empty()) {
      out += Row(view.name, view.summary);
    } else {
      others += Row(view.name, lacks);
    }
  }
  if (!others.empty()) out += "\nnot for this profile\n" + others;
  if (!WritingCommands().empty()) out += "\nfiles\n";
  for (const WritingCommand& command : WritingCommands()) out += Row(command.name, command.summary);
  if (store == nullptr) {
    out += "\njobs that run (tfprof COMMAND ...)\n";
    for (const RunningCommand& command : RunningCommands())
      out += Row(command.name, command.summary);
  }
  out += "\nthe shell\n";
  for (const ShellCommand& command : ShellCommands()) out += Row(command.name, command.summary);
  out +=
      "\nAn empty line lists the current options. COMMAND > FILE and COMMAND | PROGRAM "
      "redirect\nan answer. More: help COMMAND, help -OPTION, or help with one of\n ";
  for (const std::string_view topic : HelpTopics()) out.append(" ").append(topic);
  return out + ".\n";
}

std::string FullUsage(size_t) {
  std::string out =
      "tfprof explores profiles of machine-learning programs.\n\n  tfprof FILE... [-c COMMAND]... "
      "[-f SCRIPT]  a shell, or a batch of commands\n  tfprof COMMAND FILE... [options]            "
      "one command, then exit\n  tfprof --graph_path=G --run_meta_path=R0,R1 --op_log_path=O "
      "--checkpoint_path=C\n  tfprof --profile_path=P                     as the classic tfprof\n  "
      "tfprof help [TOPIC]                         commands, options, formats\n\n";
  for (const Flag& flag : Flags()) {
    if (flag.meaning.empty()) continue;
    const char* dashes = flag.name.size() > 1 ? "--" : "-";
    out += Row(fmt::format("{}{} {}", dashes, flag.name, flag.value), flag.meaning, 24);
  }
  out +=
      "\nCommands are read from standard input if it is not a terminal; if it is empty, "
      "`summary`\nis printed. Every command option is also a flag: --max_depth=3.\n\n";
  return out + Overview(nullptr);
}

struct Topic {
  std::string_view name;
  std::string (*text)(size_t width);
};

constexpr Topic kTopics[] = {
    {"options", AboutOptions},       {"filters", AboutFilters}, {"formats", AboutFormats},
    {"attributes", AboutAttributes}, {"columns", AboutColumns}, {"checkers", AboutCheckers},
    {"notes", AboutNotes},           {"flops", AboutFlops},     {"regex", AboutRegex},
    {"status", AboutStatus},         {"usage", FullUsage},
};

// A column of a table, or an attribute of -select.
bool IsColumn(std::string_view name) {
  return FindNamed(Attributes(), name) != nullptr ||
         std::any_of(Views().begin(), Views().end(), [&](const View& view) {
           return ColumnCalled(view.tables(), name) != nullptr;
         });
}

Result<std::string> NoTopic(const CommandLine& line) {
  const Word& word = line.words[1];
  std::vector<std::string_view> names = CommandNames();
  for (const Option& option : Options()) names.push_back(option.name);
  for (const Topic& topic : kTopics) names.push_back(topic.name);
  for (const RunningCommand& command : RunningCommands()) names.push_back(command.name);
  if (IsColumn(word.text)) {
    return Refused(line, word, "no help topic '" + word.text + "'",
                   "`explain " + word.text + "` explains the column");
  }
  const std::string near = Nearest(word.text, names);
  return Refused(line, word, "no help topic '" + word.text + "'",
                 near.empty() ? "`help` lists the topics" : "did you mean " + near + "?");
}

Result<std::string> TextAbout(const CommandLine& line, const Store* store, size_t width) {
  if (line.words.size() == 1) return Overview(store);
  const std::string& word = line.words[1].text;
  const bool markdown =
      line.words.size() == 4 && line.words[2].text == "-format" && line.words[3].text == "md";
  if (word == "options" && markdown) return OptionsPage();
  if (word == "columns" && markdown) return ColumnsPage();
  if (word == "notes" && markdown) return NotesPage();
  if (word == "flops" && markdown) return FlopsPage();
  if (word == "filters" && markdown) return FiltersTable();
  if (line.words.size() > 2) {
    return Refused(line, line.words[2], "help takes one word", "help [TOPIC]");
  }
  if (const View* view = FindView(word)) return About(*view, UsageOf(*view), width);
  if (const WritingCommand* writing = FindWritingCommand(word)) {
    return About(*writing, writing->usage, width);
  }
  const Topic* topic = FindNamed(kTopics, word);
  if (const ShellCommand* command = FindShellCommand(word)) {  // `filters` is a topic, too
    return AboutCommand(*command) + (topic == nullptr ? "" : "\n" + topic->text(width));
  }
  if (topic != nullptr) return topic->text(width);
  if (const RunningCommand* running = FindRunningCommand(word))
    return AboutRunning(*running, width);
  const Option* option = FindOption(IsOption(word) ? OptionName(word) : word);
  if (option != nullptr) return AboutOption(*option, width);
  return NoTopic(line);
}

}  // namespace

std::vector<std::string_view> HelpTopics() {
  std::vector<std::string_view> names = NamesIn(kTopics);
  std::erase_if(names, IsCommand);  // `filters` is listed with the commands
  return names;
}

std::string UsageOf(const View& view) {
  // By Subject.
  constexpr std::string_view kArguments[] = {"", " [N]", " NAME", " TEXT", " [SCOPE]", " [FILE]"};
  return fmt::format("{}{}", view.name, kArguments[static_cast<size_t>(view.subject)]);
}

std::span<const StatusMeaning> StatusMeanings() { return kStatusMeanings; }

Result<std::string> HelpAbout(const CommandLine& line, const Store* store, int columns) {
  const auto screen = static_cast<size_t>(columns);
  const size_t width = screen == 0 ? kTextWidth : std::min(kTextWidth, screen);
  TFPROF_ASSIGN(const std::string text, TextAbout(line, store, width));
  return FitHelp(text, screen);
}

std::string UsageText(int columns) {
  return FitHelp(FullUsage(kTextWidth), static_cast<size_t>(columns));
}

std::string VersionText() { return "tfprof " TFPROF_VERSION "\n"; }

}  // namespace tfprof
