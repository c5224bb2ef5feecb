// SPDX-License-Identifier: Apache-2.0
#include "views/programs/argument_changes.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/text/wording.h"
#include "views/programs/chosen_programs.h"

namespace tfprof {
namespace {

struct Argument {
  std::string name;
  std::string type;
};

std::string WithoutSymbols(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    const bool is_letter =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    if (is_letter) letters += c;
  }
  return letters;
}

// The arguments of the program, by number.
std::vector<Argument> ArgumentsOf(const Program& program) {
  std::vector<Argument> arguments;
  if (program.entry >= program.computations.size()) return arguments;
  const Range range = program.computations[program.entry].instructions;
  for (uint32_t i = range.first; i < range.first + range.count; ++i) {
    const Instruction& instruction = program.instructions[i];
    if (program.Text(instruction.opcode) != "parameter" || instruction.index < 0) continue;
    const auto number = static_cast<size_t>(instruction.index);
    if (number >= range.count) continue;
    if (number >= arguments.size()) arguments.resize(number + 1);
    const std::string_view op = program.Text(instruction.op_name);
    Argument& argument = arguments[number];
    argument.name = op.empty() ? fmt::format("argument {}", number) : std::string(op);
    AppendType(program, program.TypeOf(instruction), &argument.type);
    argument.type = argument.type.substr(0, argument.type.find('{'));  // layouts may follow
  }
  return arguments;
}

constexpr size_t kTypesShown = 4, kArgumentsShown = 4;

}  // namespace

std::vector<ModuleId> ProgramsOf(const Store& store, std::string_view function) {
  std::vector<ModuleId> programs;
  const std::string wanted = WithoutSymbols(function);
  for (size_t i = 0; i < store.modules.size() && !wanted.empty(); ++i) {
    const std::string name = WithoutSymbols(WithoutRunNumber(store.Text(store.modules[i].name)));
    const bool fits = name == wanted || name == "jit" + wanted || name == "pjit" + wanted ||
                      name == "pmap" + wanted;
    if (fits) programs.push_back(ModuleId(i));
  }
  return programs;
}

std::string DescribeArgumentChanges(const CompiledPrograms& compiled,
                                    std::span<const ModuleId> programs) {
  std::vector<std::vector<Argument>> all;
  for (const ModuleId id : programs) all.push_back(ArgumentsOf(compiled.Of(id)));
  std::erase_if(all, [](const std::vector<Argument>& arguments) { return arguments.empty(); });
  if (all.size() < 2) return {};
  for (const std::vector<Argument>& arguments : all) {
    if (arguments.size() != all[0].size()) return "the number of arguments";
  }
  std::vector<std::string> changes;
  for (size_t number = 0; number < all[0].size(); ++number) {
    std::vector<std::string> types;
    for (const std::vector<Argument>& arguments : all) {
      const std::string& type = arguments[number].type;
      if (std::ranges::find(types, type) == types.end()) types.push_back(type);
    }
    if (types.size() < 2) continue;
    changes.push_back(all[0][number].name + ": " + Listed(types, kTypesShown));
  }
  if (changes.empty()) {
    return "no argument type: a new function object, a static argument, or a setting";
  }
  if (changes.size() > kArgumentsShown) {
    const size_t others = changes.size() - kArgumentsShown;
    changes.resize(kArgumentsShown);
    changes.push_back(fmt::format("{} other arguments", others));
  }
  return fmt::format("{}", fmt::join(changes, "; "));
}

}  // namespace tfprof
