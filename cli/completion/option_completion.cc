// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "cli/answer/folding.h"
#include "cli/ask/checks.h"
#include "cli/choices.h"
#include "cli/completion/completing.h"
#include "cli/export/writing.h"
#include "cli/shell/commands.h"
#include "cli/shell/session.h"
#include "core/query/options.h"
#include "views/view.h"

namespace tfprof {
namespace {

Completion OutputValue(const CompletionRequest& request, size_t from,
                       const std::vector<std::string>& names) {
  constexpr std::string_view kFile = "file:outfile=";
  if (request.line.substr(from).starts_with(kFile)) return Files(request, from + kFile.size());
  Completion completion = Among(request, from, names);
  if (completion.candidates.size() == 1 && completion.candidates[0] == kFile) {
    completion.after.clear();
  }
  return completion;
}

// The position after the last comma.
size_t LastOfList(std::string_view line, size_t from) {
  const size_t comma = line.rfind(',');
  return comma == line.npos || comma < from ? from : comma + 1;
}

// The valid orders of `command`: the names or headings of its selectable attributes, else the
// columns of its last table.
std::vector<std::string> Orders(const CompletionRequest& request, std::vector<std::string> names,
                                std::string_view command) {
  const bool selects = (OptionsOf(command) & kSelectOptions) != 0;
  if (!selects) names.clear();
  if (request.session == nullptr || request.session->classic) return names;
  const View* const view = FindView(command);
  for (std::string& column : ColumnNames(*request.session, command)) {
    Display by;
    by.order_column = column;
    const bool is_further = view != nullptr && OrdersByFurther(*view, by);
    const bool orders = !selects || is_further || OrderCalled(column).has_value();
    const bool known = std::find(names.begin(), names.end(), column) != names.end();
    if (orders && !known) names.push_back(std::move(column));
  }
  return names;
}

// Completes step>+5%, or a view and a name in it: op:MatMul>+5%.
Completion LimitOfDiff(const CompletionRequest& request, size_t from) {
  from = LastOfList(request.line, from);
  const std::string_view typed = request.line.substr(from);
  const size_t colon = typed.find(':');
  if (colon == typed.npos) {
    std::vector<std::string> whats{"step>+5%"};
    for (const std::string_view view : AdditiveViews()) whats.push_back(std::string(view) + ":");
    Completion completion = Among(request, from, whats);
    completion.after.clear();
    return completion;
  }
  const std::string_view view = typed.substr(0, colon), name = typed.substr(colon + 1);
  if (request.session == nullptr || view == "code") return Nothing(from);
  const auto kinds = view == "op" ? NameRequest::types : NameRequest::tree;
  Completion completion = ProfileNames(request, from + colon + 1, kinds);
  const bool whole = completion.candidates.size() == 1 && completion.candidates.front() == name;
  if (whole) completion.candidates.front() += ">+5%";
  completion.after.clear();
  return completion;
}

// Completes values that depend on the profile; none: no profile or no values.
Completion ValueOfProfile(const CompletionRequest& request, size_t from, const Option& option,
                          std::string_view command) {
  if (request.session == nullptr) return Nothing(from);
  const Session& session = *request.session;
  if (option.name == "step") return Steps(request, from);
  if (option.name == "unfold") return Among(request, from, FoldedRowNames(session));
  if (option.name == "device") return Among(request, from, DeviceNames(session));
  if (option.name == "host") return Among(request, from, HostNames(session));
  if (option.name == "under") return ProfileNames(request, from, NameRequest::scopes);
  if (option.type == OptionType::columns) {
    return AmongList(request, from, ColumnNames(session, command));
  }
  if (option.name == "where") {
    const size_t begin = from + LastTerm(request.line.substr(from));
    Completion column = Among(request, begin, ColumnNames(session, command));
    column.after.clear();  // a comparison follows
    return column;
  }
  const bool names = option.type == OptionType::patterns || Reads(kNameOptions, option);
  if (names) return ProfileNames(request, LastOfList(request.line, from), NameRequest::all);
  return Nothing(from);
}

}  // namespace

Completion OptionValue(const CompletionRequest& request, size_t from, const Option& option,
                       std::string_view command) {
  if (option.type == OptionType::limits && ArgumentOf(command) == Subject::base)
    return LimitOfDiff(request, from);
  Choices choices = ChoicesOf(option);
  const View* view = FindView(command);
  if (option.name == "by" && view != nullptr) choices.names = RowsByNames(*view);
  switch (choices.kind) {
    case Choices::alone:
    case Choices::boolean:
    case Choices::word:
      if (option.type != OptionType::order) return Among(request, from, choices.names);
      return Among(request, from, Orders(request, choices.names, command));
    case Choices::list: return AmongList(request, from, choices.names);
    case Choices::output: return OutputValue(request, from, choices.names);
    case Choices::text:
    case Choices::file: break;
  }
  return ValueOfProfile(request, from, option, command);
}

}  // namespace tfprof
