// SPDX-License-Identifier: Apache-2.0
#include "views/programs/chosen_programs.h"

#include <algorithm>
#include <string>

#include "core/base/ascii.h"
#include "core/text/wording.h"

namespace tfprof {
namespace {

Failure NoneCalled(std::string_view option, std::string_view what, const std::string& wanted,
                   std::vector<std::string_view> names) {
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  constexpr size_t kShown = 8;
  return Fail(ErrorKind::usage,
              std::string(option) + ": no " + std::string(what) + " contains '" + wanted + "'", {},
              names.empty() ? "" : std::string(what) + "s: " + Listed(names, kShown));
}

bool IsCalled(const Store& store, const Module& module, const std::string& program) {
  return ContainsAnyCase(store.Text(module.name), program) ||
         std::to_string(module.program_id) == program;
}

// True if both are stages of one program.
bool SameProgram(const Store& store, const Module& a, const Module& b) {
  return a.program_id == b.program_id && a.name == b.name &&
         store.processes[a.process.value].host == store.processes[b.process.value].host;
}

}  // namespace

Result<ChosenPrograms> ChoosePrograms(const Store& store, const ProgramOptions& options,
                                      std::string_view stage) {
  std::vector<ModuleId> called;
  std::vector<std::string_view> names, stages;
  for (size_t i = 0; i < store.modules.size(); ++i) {
    const Module& module = store.modules[i];
    names.push_back(store.Text(module.name));
    if (module.stage.some()) stages.push_back(store.Text(module.stage));
    if (IsCalled(store, module, options.program)) called.push_back(ModuleId(i));
  }
  if (called.empty() && !options.program.empty()) {
    return NoneCalled("-program", "program", options.program, std::move(names));
  }
  ChosenPrograms chosen;
  for (size_t i = 0; i < called.size(); ++i) {
    const Module& module = store.modules[called[i].value];
    if (!stage.empty()) {
      const bool fits = ContainsAnyCase(store.Text(module.stage), stage);
      if (fits) chosen.modules.push_back(called[i]);
      continue;
    }
    const bool has_later = std::ranges::any_of(
        called.begin() + static_cast<ptrdiff_t>(i) + 1, called.end(),
        [&](ModuleId later) { return SameProgram(store, module, store.modules[later.value]); });
    if (has_later) {
      ++chosen.earlier;
    } else {
      chosen.modules.push_back(called[i]);
    }
  }
  if (chosen.modules.empty() && !stage.empty()) {
    return NoneCalled("-stage", "stage", std::string(stage), std::move(stages));
  }
  return chosen;
}

std::string_view WithoutRunNumber(std::string_view program) {
  const size_t open = program.rfind('(');
  return program.ends_with(')') && open != program.npos ? program.substr(0, open) : program;
}

}  // namespace tfprof
