// SPDX-License-Identifier: Apache-2.0
#include "core/hlo/program.h"

#include <algorithm>

#include "core/store/store.h"

namespace tfprof {
namespace {

struct ElementInfo {
  std::string_view name;
  uint8_t bits;
};

// Indexed by number: xla/xla_data.proto, PrimitiveType.
constexpr ElementInfo kElements[] = {
    {"invalid", 0},    {"pred", 8},  {"s8", 8},       {"s16", 16},          {"s32", 32},
    {"s64", 64},       {"u8", 8},    {"u16", 16},     {"u32", 32},          {"u64", 64},
    {"f16", 16},       {"f32", 32},  {"f64", 64},     {"tuple", 0},         {"opaque", 0},
    {"c64", 64},       {"bf16", 16}, {"token", 0},    {"c128", 128},        {"f8e5m2", 8},
    {"f8e4m3fn", 8},   {"s4", 4},    {"u4", 4},       {"f8e4m3b11fnuz", 8}, {"f8e5m2fnuz", 8},
    {"f8e4m3fnuz", 8}, {"s2", 2},    {"u2", 2},       {"f8e4m3", 8},        {"f8e3m4", 8},
    {"s1", 1},         {"u1", 1},    {"f4e2m1fn", 4}, {"f8e8m0fnu", 8},
};

const ElementInfo& InfoOf(ElementType type) {
  static constexpr ElementInfo kUnknown = {"?", 0};
  const auto number = static_cast<size_t>(type);
  return number < std::size(kElements) ? kElements[number] : kUnknown;
}

int64_t Product(std::span<const int64_t> dims) {
  bool clamped = false;
  int64_t product = 1;
  for (const int64_t dim : dims) {
    product = SaturatingMul(product, std::max<int64_t>(0, dim), &clamped);
  }
  return product;
}

// Sums `of` over all arrays in a type. Parts follow the type that contains them, so each one is
// visited once.
template <class Of>
int64_t SumOfArrays(const Program& program, const TensorType& type, Of of) {
  if (type.element != ElementType::tuple) return of(type);
  int64_t sum = 0;
  std::vector<Range> open{type.parts};
  while (!open.empty()) {
    const Range parts = open.back();
    open.pop_back();
    for (uint32_t i = parts.first; i < parts.first + parts.count; ++i) {
      const TensorType& part = program.types[i];
      if (part.element == ElementType::tuple) {
        open.push_back(part.parts);
      } else {
        sum = SaturatingAdd(sum, of(part));
      }
    }
  }
  return sum;
}

}  // namespace

std::string_view ElementName(ElementType type) { return InfoOf(type).name; }

ElementType ElementNamed(std::string_view name) {
  const auto* found = std::ranges::find(kElements, name, &ElementInfo::name);
  if (found == std::end(kElements)) return ElementType::invalid;
  return static_cast<ElementType>(found - std::begin(kElements));
}

int64_t ElementBits(ElementType type) { return InfoOf(type).bits; }

Result<Program> ReadProgram(const Store& store, ModuleId id) {
  const Module& module = store.modules[id.value];
  const SourceId source = store.processes[module.process.value].source;
  if (!source.some()) return Program();
  const DetailReader& reader = store.sources[source.value].details;
  if (reader.program == nullptr) return Program();
  return reader.program(store, id);
}

std::vector<const SourceFrame*> CallStackOf(const Program& program,
                                            const Instruction& instruction) {
  const Instruction* of = &instruction;
  for (size_t depth = 0; of->frame == Instruction::kNone; ++depth) {
    const auto called = program.References(of->called);
    const bool ends = called.empty() || called[0] == Instruction::kNone;
    if (ends || depth > program.computations.size()) return {};
    const uint32_t root = program.computations[called[0]].root;
    if (root == Instruction::kNone) return {};
    of = &program.instructions[root];
  }
  std::vector<const SourceFrame*> stack;
  for (uint32_t at = of->frame; at != Instruction::kNone; at = program.frames[at].caller) {
    if (stack.size() > program.frames.size()) break;  // a damaged file: the calls are a circle
    stack.push_back(&program.frames[at]);
  }
  std::ranges::reverse(stack);
  return stack;
}

int64_t ElementsOf(const Program& program, const TensorType& type) {
  return SumOfArrays(program, type, [&](const TensorType& array) {
    return ElementBits(array.element) == 0 ? 0 : Product(program.Numbers(array.dims));
  });
}

int64_t BytesOf(const Program& program, const TensorType& type) {
  return SumOfArrays(program, type, [&](const TensorType& array) -> int64_t {
    if (!array.has_layout) return 0;
    const int64_t elements = Product(program.Numbers(array.dims));
    const int64_t bits = ElementBits(array.element);
    bool clamped = false;
    if (bits >= 8) return SaturatingMul(elements, bits / 8, &clamped);
    return bits == 0 ? 0 : elements / (8 / bits) + (elements % (8 / bits) != 0);
  });
}

}  // namespace tfprof
