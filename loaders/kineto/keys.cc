// SPDX-License-Identifier: Apache-2.0
#include "loaders/kineto/keys.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

#include "core/base/arith.h"
#include "loaders/kineto/categories.h"
#include "loaders/kineto/decimal.h"
#include "loaders/kineto/tensors.h"

namespace tfprof::kineto {
namespace {

using Key = AttributeKey;
using json::Value;

KeyValue Whole(int64_t number) { return {ValueKind::integer, static_cast<uint64_t>(number), {}}; }

KeyValue Word(std::string_view text) { return {ValueKind::text, 0, text}; }

// The kind of device work, by the category of the event.
KeyValue Work(std::string_view, EventClass of, const Value*, std::string*) {
  const auto kind = [](WorkKind work) { return Whole(static_cast<int64_t>(work)); };
  if (of == EventClass::kernel) return kind(WorkKind::kernel);
  if (of == EventClass::copy) return kind(WorkKind::copy);
  if (of == EventClass::fill) return kind(WorkKind::fill);
  return {};
}

// 0 and -1 stand for no correlation.
KeyValue Correlation(std::string_view, EventClass, const Value* values, std::string*) {
  const auto number = ReadInteger(values[0].Raw());
  return number && *number != 0 && *number != -1 ? Whole(*number) : KeyValue();
}

KeyValue Launched(std::string_view label, EventClass of, const Value* values, std::string* buffer) {
  return Correlation(label, of, values, buffer).kind == ValueKind::absent ? KeyValue() : Whole(1);
}

// Without space and brackets: "[128, 1, 1]" is "128,1,1".
KeyValue Sizes(std::string_view, EventClass, const Value* values, std::string* buffer) {
  buffer->clear();
  for (const char c : values[0].Raw()) {
    if (c != '[' && c != ']' && static_cast<uint8_t>(c) > ' ') buffer->push_back(c);
  }
  return buffer->empty() || *buffer == "null" ? KeyValue() : Word(*buffer);
}

// All launch parameters, as written; a kernel without any has none.
KeyValue LaunchOf(std::string_view, EventClass of, const Value* values, std::string* buffer) {
  if (of != EventClass::kernel) return {};
  buffer->clear();
  for (size_t i = 0; i < Spelling::kMaxNames; ++i) {
    buffer->append(values[i].Raw());
    buffer->push_back(' ');
  }
  return Word(*buffer);
}

KeyValue Magnitude(std::string_view, EventClass, const Value* values, std::string*) {
  const auto number = ReadInteger(values[0].Raw());
  return number && *number > -INT64_MAX ? Whole(std::abs(*number)) : KeyValue();
}

// "CPU" and "CUDA:1", by the numbers of c10::DeviceType.
KeyValue Allocator(std::string_view, EventClass, const Value* values, std::string* buffer) {
  const auto type = ReadInteger(values[0].Raw());
  if (!type) return {};
  *buffer = *type == 0 ? "CPU" : *type == 1 ? "CUDA" : std::to_string(*type);
  const auto number = ReadInteger(values[1].Raw());
  if (number && *number >= 0) buffer->append(":").append(std::to_string(*number));
  return Word(*buffer);
}

// Hosts have no number.
KeyValue AllocatorDevice(std::string_view, EventClass, const Value* values, std::string*) {
  const auto type = ReadInteger(values[0].Raw()), number = ReadInteger(values[1].Raw());
  return type && *type != 0 && number && *number >= 0 ? Whole(*number) : KeyValue();
}

KeyValue DeviceTypeOf(std::string_view, EventClass, const Value* values, std::string* buffer) {
  const auto type = ReadInteger(values[0].Raw());
  if (!type) return {};
  *buffer = *type == 0 ? "CPU" : *type == 1 ? "CUDA" : std::to_string(*type);
  return Word(*buffer);
}

// The kinds of memory of "Memcpy HtoD (Pageable -> Device)".
std::string_view MemoryOf(std::string_view label, bool source) {
  const size_t open = label.find('('), arrow = label.find(" -> "), close = label.rfind(')');
  if (open == label.npos || arrow == label.npos || close == label.npos || close < arrow) return {};
  return source ? label.substr(open + 1, arrow - open - 1)
                : label.substr(arrow + 4, close - arrow - 4);
}
KeyValue MemoryKind(std::string_view label, EventClass of, bool source, std::string* buffer) {
  if (of != EventClass::copy) return {};
  *buffer = MemoryOf(label, source);
  for (char& c : *buffer) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c;
  return buffer->empty() ? KeyValue() : Word(*buffer);
}
KeyValue CopiedFrom(std::string_view label, EventClass of, const Value*, std::string* buffer) {
  return MemoryKind(label, of, true, buffer);
}
KeyValue CopiedTo(std::string_view label, EventClass of, const Value*, std::string* buffer) {
  return MemoryKind(label, of, false, buffer);
}

KeyValue StepNumber(std::string_view label, EventClass of, const Value*, std::string*) {
  if (of != EventClass::annotation) return {};
  const int64_t number = StepNumberOf(label);
  return number == kNoInt ? KeyValue() : Whole(number);
}

KeyValue FirstOfTwo(std::string_view, EventClass, const Value* values, std::string* buffer) {
  const KeyValue first = PlainValue(values[0], buffer);
  return first.kind == ValueKind::absent ? PlainValue(values[1], buffer) : first;
}

// -1 stands for an operation that autograd does not record.
KeyValue SequenceNumber(std::string_view, EventClass, const Value* values, std::string*) {
  const auto number = ReadInteger(values[0].Raw());
  return number && *number >= 0 ? Whole(*number) : KeyValue();
}

KeyValue Positive(std::string_view, EventClass, const Value* values, std::string*) {
  const auto number = ReadInteger(values[0].Raw());
  return number && *number > 0 ? Whole(*number) : KeyValue();
}

// Elements in and out, and their type; else the shapes and types of the inputs, of a region around
// a collective that gives what it takes.
KeyValue CollectiveBytes(std::string_view label, EventClass of, const Value* values,
                         std::string* buffer) {
  const int64_t in = ReadInteger(values[0].Raw()).value_or(0);
  const int64_t out = ReadInteger(values[1].Raw()).value_or(0);
  int64_t elements = std::max(in, out);
  const Value* type = &values[2];
  std::string_view name;
  if (elements <= 0 && of == EventClass::annotation && GivesWhatItTakes(label)) {
    elements = ElementsOf(values[3].Raw());
    name = FirstText(values[4].Raw());
  } else if (type->IsText()) {
    name = Decoded(type->text, buffer);
  }
  const ScalarType* const scalar = ScalarTypeOf(name);
  if (elements <= 0 || scalar == nullptr) return {};
  bool clamped = false;
  return Whole(SaturatingMul(elements, scalar->bytes, &clamped));
}

KeyValue ElementType(std::string_view label, EventClass of, const Value* values,
                     std::string* buffer) {
  std::string_view name;
  if (values[0].IsText()) {
    name = Decoded(values[0].text, buffer);
  } else if (RoleOf(label, of) == EventRole::collective) {
    name = FirstText(values[1].Raw());
  }
  const ScalarType* const scalar = ScalarTypeOf(name);
  return scalar == nullptr ? KeyValue() : Whole(scalar->number);
}

// Names of members of `args`, as libkineto/src/output_json.cpp of pytorch/kineto and
// torch/csrc/profiler of pytorch write them.
constexpr Spelling kSpellings[] = {
    {Key::work, {}, Work, true},
    {Key::correlation, {"correlation"}, Correlation},
    {Key::launched, {"correlation"}, Launched},
    {Key::launch,
     {"registers per thread", "shared memory", "grid", "block", "est. achieved occupancy %"},
     LaunchOf,
     true},
    {Key::registers, {"registers per thread"}},
    {Key::shmem_bytes, {"shared memory"}},
    {Key::shared_memory, {"shared memory"}},
    {Key::grid, {"grid"}, Sizes},
    {Key::block, {"block"}, Sizes},
    {Key::occupancy_pct, {"est. achieved occupancy %"}},
    {Key::copy_bytes, {"bytes"}},
    {Key::copy_from, {}, CopiedFrom, true},
    {Key::copy_to, {}, CopiedTo, true},
    {Key::allocator, {"Device Type", "Device Id"}, Allocator},
    {Key::allocator_device, {"Device Type", "Device Id"}, AllocatorDevice},
    {Key::device_type, {"Device Type"}, DeviceTypeOf},
    {Key::device_id, {"Device Id"}},
    {Key::address, {"Addr"}},
    {Key::allocation_bytes, {"Bytes"}, Magnitude},
    {Key::bytes_in_use, {"Total Allocated"}},
    {Key::bytes_held, {"Total Reserved"}},
    {Key::step_number, {}, StepNumber, true},
    {Key::flops, {"flops"}},
    {Key::model_flops, {"flops"}},
    {Key::input_shapes, {"Input Dims", "Input dims"}, FirstOfTwo},
    {Key::input_values, {"Concrete Inputs"}},
    {Key::sequence, {"Sequence number"}, SequenceNumber},
    {Key::collective, {"Collective name"}},
    {Key::collective_bytes,
     {"In msg nelems", "Out msg nelems", "dtype", "Input Dims", "Input type"},
     CollectiveBytes},
    {Key::element_type, {"dtype", "Input type"}, ElementType},
    {Key::group_size, {"Group size"}, Positive},
    {Key::process_group, {"Process Group Ranks", "Process Group Name"}, FirstOfTwo},
};

}  // namespace

Spelling SpellingOf(DetailKey key) {
  for (const Spelling& spelling : kSpellings) {
    if (key.Is(spelling.key)) return spelling;
  }
  // No event has the other attributes that formats share.
  Spelling of_file;
  if (!key.IsShared()) of_file.names[0] = key.name();
  return of_file;
}

KeyValue PlainValue(const Value& value, std::string* buffer) {
  if (value.IsText()) return Word(Decoded(value.text, buffer));
  const std::string_view word = value.word;
  if (word.empty() || word == "null" || word == "NaN") return {};
  if (word == "true" || word == "false") return Whole(word == "true");
  if (const auto whole = ReadInteger(word)) return Whole(*whole);
  uint64_t natural = 0;
  const char* const end = word.data() + word.size();
  const auto read = std::from_chars(word.data(), end, natural);
  if (read.ec == std::errc() && read.ptr == end) return {ValueKind::natural, natural, {}};
  double real = 0;
  const auto read_real = std::from_chars(word.data(), end, real);
  const bool is_real = read_real.ec == std::errc() && read_real.ptr == end && std::isfinite(real);
  if (is_real) return {ValueKind::real, std::bit_cast<uint64_t>(real), {}};
  return Word(word);
}

}  // namespace tfprof::kineto
