// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <iterator>
#include <string>
#include <vector>

#include "loaders/hlo/reading.h"
#include "loaders/wire/wire.h"
#include "proto/hlo_fields.h"

namespace tfprof::hlo {
namespace {

using wire::kBytes;
using wire::kVarint;
using wire::Tag;

// "{1,0}" of an index into nested tuples.
std::string IndexText(const std::vector<int64_t>& index) {
  return fmt::format("{{{}}}", fmt::join(index, ","));
}

// Appends "{0}: (1, {})": output 0 takes the memory of operand 1.
const char* AddAliasing(std::string_view message, std::string* aliasing) {
  using Aliasing = field::OutputOperandAliasing;
  std::vector<int64_t> output, operand;
  const auto add_to = [](std::vector<int64_t>* index) {
    return [index](uint64_t at) { index->push_back(static_cast<int64_t>(at)); };
  };
  auto add_output = add_to(&output), add_operand = add_to(&operand);
  int64_t number = 0;
  wire::Fields fields(message);
  while (fields.Next()) {
    if (fields.Is(Aliasing::output_shape_index)) {
      wire::TakeNumbers(fields, add_output);
    } else if (fields.Is(Aliasing::operand_shape_index)) {
      wire::TakeNumbers(fields, add_operand);
    } else if (fields.tag() == Tag(Aliasing::operand_index, kVarint)) {
      number = fields.Int64();
    } else {
      fields.Skip();
    }
  }
  aliasing->append(aliasing->empty() ? "" : ", ");
  aliasing->append(fmt::format("{}: ({}, {})", IndexText(output), number, IndexText(operand)));
  return fields.bad();
}

// Names of CustomCallApiVersion and CustomCallSchedule; empty: the value that XLA does not print.
std::string NameOfVersion(int64_t version) {
  switch (version) {
    case 0:
    case 1: return {};
    case 2: return "API_VERSION_STATUS_RETURNING";
    case 3: return "API_VERSION_STATUS_RETURNING_UNIFIED";
    case 4: return "API_VERSION_TYPED_FFI";
    default: return std::to_string(version);  // newer than we are
  }
}
std::string NameOfSchedule(int64_t schedule) {
  switch (schedule) {
    case 0: return {};
    case 1: return "SCHEDULE_LATEST";
    case 2: return "SCHEDULE_EARLIEST";
    default: return std::to_string(schedule);
  }
}

}  // namespace

bool CustomCall::Read(wire::Fields& fields, Program* program, const char** bad) {
  switch (fields.tag()) {
    case Tag(field::HloInstruction::constrain_layout, kVarint):
      constrains_layout = fields.Int64() != 0;
      return true;
    case Tag(field::HloInstruction::operand_shapes_with_layout, kBytes):
      *bad = ReadType(fields.Bytes(), program, &operand_types.emplace_back());
      return true;
    case Tag(field::HloInstruction::custom_call_has_side_effect, kVarint):
      has_side_effect = fields.Int64() != 0;
      return true;
    case Tag(field::HloInstruction::output_operand_aliasing, kBytes):
      *bad = AddAliasing(fields.Bytes(), &aliasing);
      return true;
    case Tag(field::HloInstruction::custom_call_schedule, kVarint):
      schedule = fields.Int64();
      return true;
    case Tag(field::HloInstruction::custom_call_api_version, kVarint):
      api_version = fields.Int64();
      return true;
    default: return false;
  }
}

std::string CustomCall::Text(const Program& program) const {
  std::string text;
  const auto add = [&](std::string_view name, std::string_view value) {
    if (!value.empty()) fmt::format_to(std::back_inserter(text), ", {}={}", name, value);
  };
  if (constrains_layout) {
    std::string types;
    for (const uint32_t type : operand_types) {
      types.append(types.empty() ? "" : ", ");
      AppendType(program, program.types[type], &types);
    }
    add("operand_layout_constraints", "{" + types + "}");
  }
  if (has_side_effect) add("custom_call_has_side_effect", "true");
  if (!aliasing.empty()) add("output_to_operand_aliasing", "{" + aliasing + "}");
  add("schedule", NameOfSchedule(schedule));
  add("api_version", NameOfVersion(api_version));
  return text;
}

}  // namespace tfprof::hlo
