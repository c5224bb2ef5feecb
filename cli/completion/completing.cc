// SPDX-License-Identifier: Apache-2.0
#include "cli/completion/completing.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/ask/row_names.h"
#include "cli/shell/session.h"

namespace tfprof {
namespace {

constexpr size_t kMaxCandidates = 1000;  // max shown

// Runs `ask` with the context of the hint or, without one, with a context that Ctrl-C cancels.
template <class Ask>
auto InContext(const CompletionRequest& request, const Ask& ask) {
  if (request.ForHint()) return ask(*request.context);
  Work work(*request.session);
  return ask(work.context);
}

// `name_request` completes line[from, end).
Completion CompleteNames(const CompletionRequest& request, size_t from, NameRequest name_request) {
  name_request.max = request.ForHint() ? 1 : kMaxCandidates;
  NamesFound found = InContext(request, [&](Context& context) {
    return NamesThatBegin(*request.session, name_request, context);
  });
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

Completion Among(const CompletionRequest& request, size_t from,
                 const std::vector<std::string>& names) {
  Completion completion = Nothing(from);
  for (const std::string& name : names) {
    if (name.starts_with(request.line.substr(from))) completion.candidates.push_back(name);
  }
  return completion;
}

Completion AmongList(const CompletionRequest& request, size_t from,
                     std::vector<std::string> names) {
  size_t comma = request.line.find(',', from);
  while (comma != std::string_view::npos) {
    std::erase(names, request.line.substr(from, comma - from));
    from = comma + 1;
    comma = request.line.find(',', from);
  }
  Completion completion = Among(request, from, names);
  completion.after.clear();
  completion.in_list = true;
  return completion;
}

Completion Steps(const CompletionRequest& request, size_t from) {
  return Among(request, from, InContext(request, [&](Context& context) {
                 return StepTexts(*request.session, context);
               }));
}

Completion Files(const CompletionRequest& request, size_t from) {
  if (request.ForHint()) return Nothing(from);
  const std::string_view typed = request.line.substr(from);
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
  Completion completion = Among(request, from, names);
  const bool folder_only =
      completion.candidates.size() == 1 && completion.candidates.front().ends_with('/');
  if (folder_only) completion.after.clear();
  return completion;
}

Completion ProfileNames(const CompletionRequest& request, size_t from, NameRequest::Kinds kinds) {
  return CompleteNames(request, from,
                       {.typed = request.line.substr(from),
                        .kinds = kinds,
                        .under = request.session->options.nodes.under});
}

Completion ScopePaths(const CompletionRequest& request, size_t from) {
  const std::string_view typed = request.line.substr(from);
  const ScopePath path = ReadScopePath(typed, request.session->options.nodes.under);
  // Completion replaces the end of the line: a path with x/.. inside has no such end.
  const bool is_parent_path = typed == ".." || typed.ends_with("/..");
  if (is_parent_path || !typed.ends_with(path.rest)) return Nothing(from);
  const size_t begin = request.line.size() - path.rest.size();
  return CompleteNames(request, begin,
                       {.typed = path.rest,
                        .kinds = NameRequest::scopes,
                        .under = path.from,
                        .anywhere = path.anywhere});
}

}  // namespace tfprof
