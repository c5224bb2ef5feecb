// SPDX-License-Identifier: Apache-2.0
#include "cli/choices.h"

#include "cli/answer/answer.h"
#include "cli/export/writing.h"
#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/query/query.h"
#include "emitters/emitter.h"
#include "views/view.h"

namespace tfprof {
namespace {

Choices Of(Choices::Kind kind, const std::vector<std::string_view>& names) {
  return {kind, {names.begin(), names.end()}};
}

}  // namespace

Choices ChoicesOf(const Option& option) {
  switch (option.type) {
    case OptionType::attributes: return Of(Choices::list, AttributeNames());
    case OptionType::order: return Of(Choices::word, OrderNames());
    case OptionType::checkers: return Of(Choices::list, CheckerNames());
    case OptionType::limits: return Of(Choices::list, LimitNames());
    case OptionType::format: return Of(Choices::word, NamesIn(Emitters()));
    case OptionType::flag: return Of(Choices::boolean, {"true", "false"});
    case OptionType::view: return Of(Choices::word, ComparedViews());
    case OptionType::output: return Of(Choices::output, {"stdout", "none", "file:outfile="});
    default: break;
  }
  if (option.words.empty()) return {};
  return Of(Choices::word, {option.words.begin(), option.words.end()});
}

std::vector<std::string> RowsByNames(const View& view) {
  Query query;
  std::vector<std::string> names;
  for (const RowsBy by : view.rows_by) {
    query.rows_by = by;
    names.push_back(FindOption("by")->print(query));
  }
  return names;
}

std::vector<std::string_view> ReadersOf(const Option& option) {
  std::vector<std::string_view> readers;
  for (const View& view : Views()) {
    if (Reads(view.options, option)) readers.push_back(view.name);
  }
  for (const WritingCommand& command : WritingCommands()) {
    if (Reads(command.options, option)) readers.push_back(command.name);
  }
  return readers;
}

}  // namespace tfprof
