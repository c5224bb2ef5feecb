// SPDX-License-Identifier: Apache-2.0
// The registries, as callers see them.
#include <tfprof/profile.h>

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cli/export/writing.h"
#include "core/query/options.h"
#include "core/report/table_def.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof::v1 {
namespace {

std::string TypeOf(OptionType type) {
  switch (type) {
    case OptionType::number: return "number";
    case OptionType::flag: return "flag";
    case OptionType::patterns: return "expressions";
    case OptionType::attributes:
    case OptionType::columns:
    case OptionType::checkers:
    case OptionType::limits: return "list";
    default: return "text";
  }
}

const std::vector<OptionInfo>& AllOptions() {
  static const std::vector<OptionInfo> all = [] {
    std::vector<OptionInfo> options;
    for (const Option& option : tfprof::Options()) {
      // Texts whose placeholder is A,B are lists of names, in which `\\,` is a comma.
      const bool are_names = option.type == OptionType::text && option.value == "A,B";
      options.push_back({std::string(option.name),
                         std::string(option.value),
                         are_names ? "names" : TypeOf(option.type),
                         std::string(UnitName(option.unit)),
                         std::string(option.meaning),
                         {option.words.begin(), option.words.end()}});
    }
    return options;
  }();
  return all;
}

std::vector<const OptionInfo*> OptionsOf(unsigned groups) {
  std::vector<const OptionInfo*> options;
  const std::span<const Option> all = tfprof::Options();
  for (size_t i = 0; i < all.size(); ++i) {
    if (Reads(groups, all[i])) options.push_back(&AllOptions()[i]);
  }
  return options;
}

TableInfo TableOf(const TableDef& def) {
  TableInfo table{std::string(def.name), std::string(def.title.empty() ? def.name : def.title), {}};
  for (const ColumnDef& column : def.columns) {
    if (column.audience == Audience::original) continue;
    table.columns.push_back({std::string(column.id), std::string(column.title),
                             std::string(UnitName(WrittenUnit(column.unit))),
                             std::string(column.meaning), static_cast<CellType>(column.type)});
  }
  return table;
}

constexpr std::string_view kSubjects[] = {"", "rows", "name", "text", "scope", "base"};

ViewInfo InfoOf(const View& view) {
  const std::string_view about = kSubjects[static_cast<size_t>(view.subject)];
  ViewInfo info{std::string(view.name), std::string(view.summary), std::string(view.help),
                std::string(view.example), std::string(about)};
  info.needs_about = view.subject == Subject::name || view.subject == Subject::text;
  info.options = OptionsOf(view.options);
  for (const TableDef* def : view.tables()) info.tables.push_back(TableOf(*def));
  return info;
}

}  // namespace

const std::vector<ViewInfo>& Views() {
  static const std::vector<ViewInfo> views = [] {
    std::vector<ViewInfo> all;
    for (const View& view : tfprof::Views()) all.push_back(InfoOf(view));
    return all;
  }();
  return views;
}

const std::vector<FileCommandInfo>& FileCommands() {
  static const std::vector<FileCommandInfo> commands = [] {
    std::vector<FileCommandInfo> all;
    for (const WritingCommand& command : WritingCommands()) {
      all.push_back({std::string(command.name), std::string(command.usage),
                     std::string(command.summary), std::string(command.help),
                     OptionsOf(command.options)});
    }
    return all;
  }();
  return commands;
}

const std::vector<FormatInfo>& Formats() {
  static const std::vector<FormatInfo> formats = [] {
    std::vector<FormatInfo> all;
    for (const auto& emitters : {Emitters(), FileEmitters()}) {
      for (const Emitter& emitter : emitters) {
        if (emitter.needs == Part::samples) continue;
        all.push_back({std::string(emitter.name), std::string(emitter.summary)});
      }
    }
    return all;
  }();
  return formats;
}

std::string_view Version() { return TFPROF_VERSION; }

}  // namespace tfprof::v1
