// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/hlo/program.h"
#include "core/store/builder.h"

namespace tfprof {

// Builds a program instruction by instruction; operands are given by their numbers.
class ProgramWriter {
 public:
  uint32_t Computation() {
    program.computations.emplace_back();
    program.computations.back().instructions.first = Count();
    return static_cast<uint32_t>(program.computations.size() - 1);
  }
  uint32_t Add(std::string_view opcode, std::vector<int64_t> dims,
               std::vector<uint32_t> operands = {}, ElementType element = ElementType::f32,
               std::vector<uint32_t> called = {}) {
    Instruction of;
    of.opcode = Text(opcode);
    of.computation = static_cast<uint32_t>(program.computations.size() - 1);
    of.type = static_cast<uint32_t>(program.types.size());
    TensorType type;
    type.element = element;
    type.has_layout = true;
    type.dims = Numbers(dims);
    program.types.push_back(type);
    of.operands = References(operands);
    of.called = References(called);
    program.instructions.push_back(of);
    Computation_& last = program.computations.back();
    last.root = Count() - 1;
    last.instructions.count = Count() - last.instructions.first;
    return last.root;
  }
  Range Text(std::string_view text) {
    const auto first = static_cast<uint32_t>(program.texts.size());
    program.texts.append(text);
    return {first, static_cast<uint32_t>(text.size())};
  }
  Range Numbers(const std::vector<int64_t>& numbers) {
    const auto first = static_cast<uint32_t>(program.numbers.size());
    program.numbers.insert(program.numbers.end(), numbers.begin(), numbers.end());
    return {first, static_cast<uint32_t>(numbers.size())};
  }

  Program program;

 private:
  using Computation_ = tfprof::Computation;
  uint32_t Count() const { return static_cast<uint32_t>(program.instructions.size()); }
  Range References(const std::vector<uint32_t>& numbers) {
    const auto first = static_cast<uint32_t>(program.references.size());
    program.references.insert(program.references.end(), numbers.begin(), numbers.end());
    return {first, static_cast<uint32_t>(numbers.size())};
  }
};

struct TestProgram {
  std::string name = "";  // of the module
  uint64_t id = 0;
  Program program = {};
};

// For TraceOf: adds the programs to the first process of the trace.
inline std::function<void(StoreBuilder&, SourceId)> Programs(std::vector<TestProgram> programs) {
  return [programs = std::move(programs)](StoreBuilder& builder, SourceId source) {
    for (const TestProgram& program : programs) {
      builder.AddModule({program.id, builder.Name(program.name), ProcessId(0), LabelId(0)});
    }
    builder.source(source).details.program = [programs](const Store&,
                                                        ModuleId module) -> Result<Program> {
      return programs[module.value].program;
    };
  };
}

}  // namespace tfprof
