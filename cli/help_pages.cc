// SPDX-License-Identifier: Apache-2.0
// Pages of docs/ that are generated from the same tables as `help`.
#include <fmt/core.h>

#include "analysis/op_flops/rules.h"
#include "cli/help.h"
#include "core/query/options.h"
#include "core/report/table_def.h"
#include "core/store/note_catalogue.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "views/view.h"

namespace tfprof {
namespace {

std::string ColumnRow(const ColumnDef& def) {
  return fmt::format("| `{}` | {} | {} | {} | {} |\n", def.id, UnitName(WrittenUnit(def.unit)),
                     def.title == def.id ? "" : def.title, def.meaning,
                     def.original.empty() ? "" : fmt::format("`{}`", def.original));
}

}  // namespace

std::string UnitSentence(const Option& option) {
  if (option.unit == Unit::us) return " Microseconds, or with a unit: 500us, 1.5ms, 2s.";
  if (option.unit == Unit::bytes) return " Bytes, or with a unit: 512B, 10KB, 1.5MiB, 2GB.";
  return {};
}

std::string OptionsPage() {
  std::string out =
      "<!-- Made by: tfprof help options -format md -->\n# Options of commands\n\n`-name value` or "
      "`-name=value`, with one or two dashes. `set` keeps them.\n\n| option | default | meaning "
      "|\n|---|---|---|\n";
  for (const Option& option : Options()) {
    std::string value = option.print(Query{});
    if (!value.empty()) value = "`" + value + "`";
    if (!option.default_elsewhere.empty()) value.append("; ").append(option.default_elsewhere);
    out += fmt::format("| `-{} {}` | {} | {}{} |\n", option.name, option.value, value,
                       option.meaning, UnitSentence(option));
  }
  return out;
}

std::string NotesPage() {
  std::string out =
      "<!-- Made by: tfprof help notes -format md -->\n# Notes\n\nNotes stand below the tables of "
      "an answer. JSON has the id; `{}` is a value.\n\n| id | text |\n|---|---|\n";
  for (const NoteRow& note : NoteCatalogue())
    out += fmt::format("| `{}` | {} |\n", note.id, note.text);
  return out;
}

std::string FlopsPage() {
  std::string out =
      "<!-- Made by: tfprof help flops -format md -->\n# FLOPs of operations\n\nOne run of an "
      "operation of a graph, by its type, for a graph without a log of float operations. "
      "With a log, what it lacks stays unknown, unless -shape is given. Shapes that do not follow "
      "from the graph are those that its runs recorded; dimensions in which runs differ stay "
      "unknown. A "
      "multiply-add is 2. `in`, `in2`, ... are the elements of the inputs, `out` those of the "
      "first output, `window` and `kernel` positions. Positions on padding count. A type with "
      "the prefix `_Mkl` or `_MklNative` has the rule of the type behind it. The rules marked "
      "*registry* give the values that TensorFlow's own statistics give.\n\n| formula | types | "
      "source |\n|---|---|---|\n";
  for (const FlopRule& rule : FlopRules()) {
    out += fmt::format("| {} | {} | {} |\n", rule.formula, rule.types,
                       rule.source == RuleSource::tensorflow ? "registry" : "definition");
  }
  return out;
}

std::string ColumnsPage() {
  std::string out =
      "<!-- Made by: tfprof help columns -format md -->\n# Columns of every table\n\n`-columns`, "
      "`-where` and `-order_by` take an id or a heading. JSON, CSV and TSV use the ids;\n`-ids "
      "original` prints the original ids instead, where a table lists one.\n\n## Ids shared by "
      "several tables\n\n| id | unit | meaning |\n|---|---|---|\n";
  for (const Term& term : Vocabulary()) {
    out += fmt::format("| `{}` | {} | {} |\n", term.id, UnitName(term.unit), term.meaning);
  }
  for (const View& view : Views()) {
    out += fmt::format("\n## {}\n", view.name);
    for (const TableDef* const table : view.tables()) {
      out += fmt::format(
          "\n`{}`\n\n| id | unit | heading | meaning | original id |\n"
          "|---|---|---|---|---|\n",
          table->name);
      for (const ColumnDef& def : table->columns) {
        if (def.audience != Audience::original) out += ColumnRow(def);
      }
    }
  }
  return out;
}

std::string FiltersTable() {
  std::string out;
  for (const auto& [mark, title] : kFilterKinds) {
    out += fmt::format("| {} | |\n|---|---|\n", title);
    for (const Option& option : Options()) {
      if (!Reads(mark, option)) continue;
      out += fmt::format("| `-{} {}` | {} |\n", option.name, option.value, option.meaning);
    }
    out += "\n";
  }
  return out;
}

}  // namespace tfprof
