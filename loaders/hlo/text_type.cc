// SPDX-License-Identifier: Apache-2.0
// Types as XLA prints them: "f32[8,<=128]{1,0:T(8,128)(2,1)S(5)}", "(s32[], /*index=1*/token[])".
#include <limits>
#include <vector>

#include "loaders/hlo/reading_text.h"

namespace tfprof::hlo {
namespace {

bool ReadDimensions(TextCursor& text, Program* program, TensorType* type) {
  std::vector<int64_t> dims, is_dynamic;
  bool any_dynamic = false;
  while (!text.Take("]")) {
    if (!dims.empty() && !text.Take(",")) return false;
    const bool dynamic = text.Take("<=");
    std::optional<int64_t> dim = text.Number();
    if (!dim && text.Take("?")) dim = -1;  // without a bound
    if (!dim) return false;
    dims.push_back(*dim);
    is_dynamic.push_back(dynamic ? 1 : 0);
    any_dynamic |= dynamic;
  }
  type->dims = KeepNumbers(dims, program);
  if (any_dynamic) type->is_dynamic = KeepNumbers(is_dynamic, program);
  return true;
}

// Reads "(8,128)(2,1)". A "*" joins a dimension with the next one, as the smallest number does in
// the serialized form.
bool ReadTiles(TextCursor& text, Program* program, TensorType* type) {
  type->tiles.first = Size(program->tiles);
  while (text.Take("(")) {
    std::vector<int64_t> dims;
    while (!text.Take(")")) {
      if (!dims.empty() && !text.Take(",")) return false;
      const bool joins = text.Take("*");
      const std::optional<int64_t> dim =
          joins ? std::numeric_limits<int64_t>::min() : text.Number();
      if (!dim) return false;
      dims.push_back(*dim);
    }
    program->tiles.push_back(KeepNumbers(dims, program));
    ++type->tiles.count;
  }
  return true;
}

// Reads the part after the colon: letters with arguments, of which T and S are kept.
bool ReadTraits(TextCursor& text, Program* program, TensorType* type) {
  while (!text.AtEnd() && text.Peek() != '}') {
    if (text.Take("T")) {
      if (!ReadTiles(text, program, type)) return false;
    } else if (text.Take("S(")) {
      const std::optional<int64_t> space = text.Number();
      if (!space || !text.Take(")")) return false;
      type->memory_space = *space;
    } else if (text.Balanced().data() == nullptr) {  // a letter, or its argument
      return false;
    }
  }
  return true;
}

bool ReadLayout(TextCursor& text, Program* program, TensorType* type) {
  std::vector<int64_t> order;
  while (text.Peek() != ':' && text.Peek() != '}') {
    if (!order.empty() && !text.Take(",")) return false;
    const std::optional<int64_t> dim = text.Number();
    if (!dim) return false;
    order.push_back(*dim);
  }
  type->minor_to_major = KeepNumbers(order, program);
  if (text.Take(":") && !ReadTraits(text, program, type)) return false;
  return text.Take("}");
}

// Reads a type that is no tuple.
bool ReadArray(TextCursor& text, Program* program, TensorType* type) {
  type->element = ElementNamed(text.Name());
  if (!text.Take("[")) return false;
  if (!ReadDimensions(text, program, type)) return false;
  type->has_layout = ElementBits(type->element) > 0;  // XLA leaves out layouts that are plain
  return !text.Take("{") || ReadLayout(text, program, type);
}

}  // namespace

// The parts of a tuple become neighbors when it closes, so parts stand before their tuple.
bool ReadType(TextCursor& text, Program* program, uint32_t* type) {
  std::vector<std::vector<TensorType>> open;
  for (;;) {
    text.SkipSpace();
    TensorType made;
    if (text.Take("(")) {
      open.emplace_back();
      text.SkipSpace();
      if (text.Peek() != ')') continue;
    } else if (!ReadArray(text, program, &made)) {
      return false;
    } else if (!open.empty()) {
      open.back().push_back(made);
    }
    text.SkipSpace();
    while (!open.empty() && text.Take(")")) {
      made = TensorType();
      made.element = ElementType::tuple;
      made.parts = {Size(program->types), Size(open.back())};
      program->types.insert(program->types.end(), open.back().begin(), open.back().end());
      open.pop_back();
      if (!open.empty()) open.back().push_back(made);
      text.SkipBlanks();
    }
    if (open.empty()) {
      *type = Size(program->types);
      program->types.push_back(made);
      return true;
    }
    if (!text.Take(",")) return false;
  }
}

}  // namespace tfprof::hlo
