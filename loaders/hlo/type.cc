// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/type.h"

namespace tfprof::hlo {
namespace {

using wire::Fields;
using wire::kBytes;
using wire::kVarint;
using wire::Tag;

const char* ReadTile(std::string_view message, Program* program) {
  NumberList dimensions(program);
  Fields fields(message);
  while (fields.Next()) {
    if (fields.number() == 1) {
      dimensions.Take(fields);
    } else {
      fields.Skip();
    }
  }
  program->tiles.push_back(dimensions.range());
  return fields.bad();
}

const char* ReadLayout(std::string_view message, Program* program, TensorType* type) {
  NumberList minor_to_major(program);
  const auto first_tile = static_cast<uint32_t>(program->tiles.size());
  type->has_layout = true;
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(1, kVarint):
      case Tag(1, kBytes):
        minor_to_major.Take(fields);
        break;
      case Tag(6, kBytes):
        bad = ReadTile(fields.Bytes(), program);
        break;
      case Tag(8, kVarint):
        type->memory_space = fields.Int64();
        break;
      default:
        fields.Skip();
    }
  }
  type->minor_to_major = minor_to_major.range();
  type->tiles = {first_tile, static_cast<uint32_t>(program->tiles.size()) - first_tile};
  return bad != nullptr ? bad : fields.bad();
}

ElementType ElementOf(uint64_t number) {
  return number <= 255 ? static_cast<ElementType>(number) : ElementType::invalid;
}

// One ShapeProto without what its tuple is made of, which is appended to *parts.
const char* ReadOneType(std::string_view message, Program* program, TensorType* type,
                        std::vector<std::string_view>* parts) {
  NumberList dims(program), is_dynamic(program);
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(2, kVarint):
        type->element = ElementOf(fields.Varint());
        break;
      case Tag(3, kVarint):
      case Tag(3, kBytes):
        dims.Take(fields);
        break;
      case Tag(4, kBytes):
        parts->push_back(fields.Bytes());
        break;
      case Tag(5, kBytes):
        bad = ReadLayout(fields.Bytes(), program, type);
        break;
      case Tag(6, kVarint):
      case Tag(6, kBytes):
        is_dynamic.Take(fields);
        break;
      default:
        fields.Skip();
    }
  }
  type->dims = dims.range();
  type->is_dynamic = is_dynamic.range();
  return bad != nullptr ? bad : fields.bad();
}

}  // namespace

void NumberList::Take(Fields& fields) {
  std::vector<int64_t>& numbers = program_->numbers;
  const auto next = static_cast<uint32_t>(numbers.size());
  if (range_.first + range_.count != next) range_ = {next, 0};
  if (fields.type() == wire::kBytes) {
    wire::EachPacked(fields.Bytes(),
                     [&](uint64_t n) { numbers.push_back(static_cast<int64_t>(n)); });
  } else if (fields.type() == wire::kVarint) {
    numbers.push_back(fields.Int64());
  } else {
    fields.Skip();
  }
  range_.count = static_cast<uint32_t>(numbers.size()) - range_.first;
}

const char* ReadType(std::string_view message, Program* program, uint32_t* type) {
  const auto first = static_cast<uint32_t>(program->types.size());
  std::vector<std::string_view> messages{message};  // of the types from `first` on
  // A part takes 4 bytes at least: without this, empty ones would need 30 times their bytes.
  const size_t most = message.size() / 4 + 16;
  program->types.emplace_back();
  for (size_t i = 0; i < messages.size(); ++i) {
    TensorType made;
    const auto parts = static_cast<uint32_t>(messages.size());
    const char* bad = ReadOneType(messages[i], program, &made, &messages);
    if (bad == nullptr && messages.size() > most) bad = messages[i].data();
    if (bad != nullptr) return bad;
    made.parts = {first + parts, static_cast<uint32_t>(messages.size()) - parts};
    program->types.resize(first + messages.size());
    program->types[first + i] = made;
  }
  *type = first;
  return nullptr;
}

const char* ReadWindow(std::string_view message, Program* program, Range* windows) {
  const auto first = static_cast<uint32_t>(program->windows.size());
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    if (fields.tag() != Tag(1, kBytes)) {
      fields.Skip();
      continue;
    }
    // A field that is left out is 0, also where 1 would be usual.
    WindowDimension of{0, 0, 0, 0, 0, 0, false};
    int64_t* const to[] = {&of.size,         &of.stride,          &of.padding_low,
                           &of.padding_high, &of.window_dilation, &of.base_dilation};
    Fields inner(fields.Bytes());
    while (inner.Next()) {
      if (inner.type() == kVarint && inner.number() <= 6) {
        *to[inner.number() - 1] = inner.Int64();
      } else if (inner.tag() == Tag(7, kVarint)) {
        of.reversed = inner.Bool();
      } else {
        inner.Skip();
      }
    }
    bad = inner.bad();
    program->windows.push_back(of);
  }
  *windows = {first, static_cast<uint32_t>(program->windows.size()) - first};
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot) {
  Range* const to[] = {&dot->lhs_contracting, &dot->rhs_contracting, &dot->lhs_batch,
                       &dot->rhs_batch};
  NumberList lists[] = {NumberList(program), NumberList(program), NumberList(program),
                        NumberList(program)};
  Fields fields(message);
  while (fields.Next()) {
    if (fields.number() <= 4) {
      lists[fields.number() - 1].Take(fields);
    } else {
      fields.Skip();
    }
  }
  for (size_t i = 0; i < 4; ++i) *to[i] = lists[i].range();
  return fields.bad();
}

const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution) {
  struct Scalar {
    uint32_t field;
    int64_t* to;
  };
  const Scalar scalars[] = {
      {3, &convolution->kernel_input_feature}, {4, &convolution->kernel_output_feature},
      {7, &convolution->input_batch},          {8, &convolution->input_feature},
      {9, &convolution->output_batch},         {10, &convolution->output_feature}};
  NumberList kernel(program), input(program), output(program);
  Fields fields(message);
  while (fields.Next()) {
    NumberList* list = fields.number() == 6    ? &kernel
                       : fields.number() == 11 ? &input
                       : fields.number() == 12 ? &output
                                               : nullptr;
    if (list != nullptr) {
      list->Take(fields);
      continue;
    }
    int64_t* to = nullptr;
    for (const Scalar& scalar : scalars) {
      if (fields.tag() == Tag(scalar.field, kVarint)) to = scalar.to;
    }
    if (to != nullptr) {
      *to = fields.Int64();
    } else {
      fields.Skip();
    }
  }
  convolution->kernel_spatial = kernel.range();
  convolution->input_spatial = input.range();
  convolution->output_spatial = output.range();
  return fields.bad();
}

}  // namespace tfprof::hlo
