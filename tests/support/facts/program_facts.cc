// SPDX-License-Identifier: Apache-2.0
#include "tests/support/facts/program_facts.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>

namespace tfprof {
namespace {

constexpr uint32_t kNone = Instruction::kNone;

template <class Numbers>
std::vector<int64_t> List(const Numbers& numbers) {
  return {numbers.begin(), numbers.end()};
}

// ---- facts of our program ----------------------------------------------------------------------

std::string TypeLine(const Program& p, const TensorType& type) {
  std::string line = fmt::format("{} {} {}", static_cast<int>(type.element),
                                 List(p.Numbers(type.dims)), List(p.Numbers(type.is_dynamic)));
  if (type.has_layout) {
    line += fmt::format(" layout {} S{}", List(p.Numbers(type.minor_to_major)), type.memory_space);
    for (uint32_t i = 0; i < type.tiles.count; ++i) {
      line += fmt::format(" T{}", List(p.Numbers(p.tiles[type.tiles.first + i])));
    }
  }
  for (const TensorType& part : p.Parts(type)) line += " (" + TypeLine(p, part) + ")";
  return line;
}

std::string Line(const Program& p, const Instruction& of) {
  std::string line = fmt::format("{}|{}|{}|{}:{}|{}:{}|{}|{}|{}", p.Text(of.name),
                                 p.Text(of.opcode), TypeLine(p, p.TypeOf(of)), p.Text(of.op_name),
                                 p.Text(of.op_type), p.Text(of.source_file), of.source_line,
                                 p.Text(of.fusion_kind), p.Text(of.target), p.Text(of.direction));
  line += fmt::format("|{}|{} {}|dims {}|slices {}", of.index, of.feature_groups, of.batch_groups,
                      List(p.Numbers(of.dimensions)), List(p.Numbers(of.slices)));
  for (uint32_t i = 0; i < of.window.count; ++i) {
    const WindowDimension& d = p.windows[of.window.first + i];
    line += fmt::format("|window {} {} {} {} {} {} {}", d.size, d.stride, d.padding_low,
                        d.padding_high, d.window_dilation, d.base_dilation, d.reversed);
  }
  if (of.dot != kNone) {
    const DotDimensions& d = p.dots[of.dot];
    line += fmt::format("|dot {} {} {} {}", List(p.Numbers(d.lhs_contracting)),
                        List(p.Numbers(d.rhs_contracting)), List(p.Numbers(d.lhs_batch)),
                        List(p.Numbers(d.rhs_batch)));
  }
  if (of.convolution != kNone) {
    const ConvolutionDimensions& c = p.convolutions[of.convolution];
    line += fmt::format("|conv {} {} {} {} {} {} {} {} {}", c.input_batch, c.input_feature,
                        c.kernel_input_feature, c.kernel_output_feature, c.output_batch,
                        c.output_feature, List(p.Numbers(c.input_spatial)),
                        List(p.Numbers(c.kernel_spatial)), List(p.Numbers(c.output_spatial)));
  }
  for (const uint32_t operand : p.References(of.operands)) {
    line += operand == kNone ? "|operand ?"
                             : fmt::format("|operand {}", p.Text(p.instructions[operand].name));
  }
  for (const uint32_t called : p.References(of.called)) {
    line += called == kNone ? "|calls ?"
                            : fmt::format("|calls {}", p.Text(p.computations[called].name));
  }
  return line;
}

// ---- the same facts of libprotobuf's message ---------------------------------------------------

std::string TypeLine(const pb::XlaShape& shape) {
  const int element = shape.element_type() < 0 || shape.element_type() > 255
                          ? 0
                          : static_cast<int>(shape.element_type());
  std::string line = fmt::format("{} {} {}", element, List(shape.dimensions()),
                                 List(shape.is_dynamic_dimension()));
  if (shape.has_layout()) {
    line += fmt::format(" layout {} S{}", List(shape.layout().minor_to_major()),
                        shape.layout().memory_space());
    for (const pb::XlaTile& tile : shape.layout().tiles()) {
      line += fmt::format(" T{}", List(tile.dimensions()));
    }
  }
  for (const pb::XlaShape& part : shape.tuple_shapes()) line += " (" + TypeLine(part) + ")";
  return line;
}

// File and line of an instruction, also if only its stack frame is recorded.
std::string SourceLine(const pb::OpMetadata& metadata, const pb::StackFrameIndex& tables) {
  const std::string recorded = fmt::format("{}:{}", metadata.source_file(), metadata.source_line());
  const auto in = [](int number, const auto& table) {
    return number >= 1 && number <= table.size();
  };
  if (!metadata.source_file().empty()) return recorded;
  if (!in(metadata.stack_frame_id(), tables.stack_frames())) return recorded;
  const int at = tables.stack_frames(metadata.stack_frame_id() - 1).file_location_id();
  if (!in(at, tables.file_locations())) return recorded;
  const auto& location = tables.file_locations(at - 1);
  if (!in(location.file_name_id(), tables.file_names())) return recorded;
  return fmt::format("{}:{}", tables.file_names(location.file_name_id() - 1), location.line());
}

using NamesById = std::map<int64_t, std::string>;

std::string NameIn(const NamesById& names, int64_t id) {
  const auto found = names.find(id);
  return found == names.end() ? "?" : found->second;
}

std::string Line(const pb::HloInstruction& of, const pb::HloModule& module,
                 const NamesById& operands, const NamesById& computations) {
  const pb::OpMetadata& metadata = of.metadata();
  std::string line = fmt::format("{}|{}|{}|{}:{}|{}|{}|{}|{}", of.name(), of.opcode(),
                                 TypeLine(of.shape()), metadata.op_name(), metadata.op_type(),
                                 SourceLine(metadata, module.stack_frame_index()), of.fusion_kind(),
                                 of.custom_call_target(), of.comparison_direction());
  std::vector<int64_t> slices;
  for (const pb::SliceDimension& slice : of.slice_dimensions()) {
    slices.insert(slices.end(), {slice.start(), slice.limit(), slice.stride()});
  }
  // An unwritten field has its default.
  const auto or_one = [](int64_t number) { return number == 0 ? 1 : number; };
  line += fmt::format("|{}|{} {}|dims {}|slices {}",
                      of.tuple_index() != 0 ? of.tuple_index() : of.parameter_number(),
                      or_one(of.feature_group_count()), or_one(of.batch_group_count()),
                      List(of.dimensions()), slices);
  for (const pb::XlaWindow::Dimension& d : of.window().dimensions()) {
    line +=
        fmt::format("|window {} {} {} {} {} {} {}", d.size(), d.stride(), d.padding_low(),
                    d.padding_high(), d.window_dilation(), d.base_dilation(), d.window_reversal());
  }
  if (of.has_dot_dimension_numbers()) {
    const pb::DotDimensionNumbers& d = of.dot_dimension_numbers();
    line += fmt::format("|dot {} {} {} {}", List(d.lhs_contracting_dimensions()),
                        List(d.rhs_contracting_dimensions()), List(d.lhs_batch_dimensions()),
                        List(d.rhs_batch_dimensions()));
  }
  if (of.has_convolution_dimension_numbers()) {
    const pb::ConvolutionDimensionNumbers& c = of.convolution_dimension_numbers();
    line += fmt::format("|conv {} {} {} {} {} {} {} {} {}", c.input_batch_dimension(),
                        c.input_feature_dimension(), c.kernel_input_feature_dimension(),
                        c.kernel_output_feature_dimension(), c.output_batch_dimension(),
                        c.output_feature_dimension(), List(c.input_spatial_dimensions()),
                        List(c.kernel_spatial_dimensions()), List(c.output_spatial_dimensions()));
  }
  for (const int64_t id : of.operand_ids()) line += "|operand " + NameIn(operands, id);
  for (const int64_t id : of.called_computation_ids()) {
    line += "|calls " + NameIn(computations, id);
  }
  return line;
}

}  // namespace

std::vector<std::string> ProgramFacts(const Program& p) {
  std::vector<std::string> lines{"module " + std::string(p.Text(p.name))};
  for (const Computation& computation : p.computations) {
    lines.push_back(fmt::format(
        "computation {} root {}", p.Text(computation.name),
        computation.root == kNone ? "?" : p.Text(p.instructions[computation.root].name)));
    for (uint32_t i = 0; i < computation.instructions.count; ++i) {
      lines.push_back(Line(p, p.instructions[computation.instructions.first + i]));
    }
  }
  lines.push_back(p.entry == kNone ? "no entry"
                                   : fmt::format("entry {}", p.Text(p.computations[p.entry].name)));
  return lines;
}

std::vector<std::string> ProgramFacts(const pb::HloModule& module) {
  std::vector<std::string> lines{"module " + module.name()};
  NamesById computations;
  for (const pb::HloComputation& of : module.computations()) computations[of.id()] = of.name();
  for (const pb::HloComputation& of : module.computations()) {
    NamesById instructions;
    for (const pb::HloInstruction& i : of.instructions()) instructions[i.id()] = i.name();
    lines.push_back(
        fmt::format("computation {} root {}", of.name(), NameIn(instructions, of.root_id())));
    for (const pb::HloInstruction& i : of.instructions()) {
      lines.push_back(Line(i, module, instructions, computations));
    }
  }
  const bool has_entry = computations.count(module.entry_computation_id()) == 1;
  lines.push_back(has_entry ? "entry " + computations.at(module.entry_computation_id())
                            : "no entry");
  return lines;
}

}  // namespace tfprof
