// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completing.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/ask/row_names.h"
#include "cli/shell/session.h"

namespace tfprof {
namespace {

constexpr size_t kMostCandidates = 1000;  // max shown

// Runs `ask` with the context of the hint or, without one, with a context that Ctrl-C cancels.
template <class Ask>
auto InContext(const Asking& asking, const Ask& ask) {
  if (asking.ForHint()) return ask(*asking.context);
  Work work(*asking.session);
  return ask(work.context);
}

// `asked` completes line[from, end).
Completion AskNames(const Asking& asking, size_t from, NamesAsked asked) {
  asked.most = asking.ForHint() ? 1 : kMostCandidates;
  NamesFound found = InContext(
      asking, [&](Context& context) { return NamesThatBegin(*asking.session, asked, context); });
  Completion completion = Nothing(from);
  completion.candidates = std::move(found.names);
  completion.more = found.more;
  completion.shared = std::move(found.shared);
  completion.by_cost = true;
  const bool scope =
      completion.candidates.size() == 1 && completion.candidates.front().ends_with('/');
  if (scope) completion.after.clear();  // more may follow
  return completion;
}

}  // namespace

Completion Nothing(size_t from) { return {.from = from, .candidates = {}, .after = " "}; }

Completion Among(const Asking& asking, size_t from, const std::vector<std::string>& names) {
  Completion completion = Nothing(from);
  for (const std::string& name : names) {
    if (name.starts_with(asking.line.substr(from))) completion.candidates.push_back(name);
  }
  return completion;
}

Completion AmongList(const Asking& asking, size_t from, std::vector<std::string> names) {
  size_t comma = asking.line.find(',', from);
  while (comma != std::string_view::npos) {
    std::erase(names, asking.line.substr(from, comma - from));
    from = comma + 1;
    comma = asking.line.find(',', from);
  }
  Completion completion = Among(asking, from, names);
  completion.after.clear();
  completion.in_list = true;
  return completion;
}

Completion Steps(const Asking& asking, size_t from) {
  return Among(asking, from, InContext(asking, [&](Context& context) {
                 return StepTexts(*asking.session, context);
               }));
}

Completion Files(const Asking& asking, size_t from) {
  if (asking.ForHint()) return Nothing(from);
  const std::string_view typed = asking.line.substr(from);
  const size_t slash = typed.rfind('/');
  const std::string folder(typed.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
  std::vector<std::string> names;
  std::error_code error;
  const auto entries = std::filesystem::directory_iterator(folder.empty() ? "." : folder, error);
  for (const auto& entry : entries) {
    const std::string name = entry.path().filename().string();
    const bool hidden = name[0] == '.' && typed.size() == folder.size();
    if (!hidden) names.push_back(folder + name + (entry.is_directory(error) ? "/" : ""));
  }
  Completion completion = Among(asking, from, names);
  const bool folder_only =
      completion.candidates.size() == 1 && completion.candidates.front().ends_with('/');
  if (folder_only) completion.after.clear();
  return completion;
}

Completion ProfileNames(const Asking& asking, size_t from, NamesAsked::Kinds kinds) {
  return AskNames(asking, from,
                  {.typed = asking.line.substr(from),
                   .kinds = kinds,
                   .under = asking.session->options.nodes.under});
}

Completion ScopePaths(const Asking& asking, size_t from) {
  const std::string_view typed = asking.line.substr(from);
  const ScopePath path = ReadScopePath(typed, asking.session->options.nodes.under);
  // Completion replaces the end of the line: a path with x/.. inside has no such end.
  const bool leads_up = typed == ".." || typed.ends_with("/..");
  if (leads_up || !typed.ends_with(path.rest)) return Nothing(from);
  const size_t begin = asking.line.size() - path.rest.size();
  return AskNames(asking, begin,
                  {.typed = path.rest,
                   .kinds = NamesAsked::scopes,
                   .under = path.from,
                   .anywhere = path.anywhere});
}

}  // namespace tfprof
