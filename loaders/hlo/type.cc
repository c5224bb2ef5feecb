// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/type.h"

#include "loaders/wire/message.h"
#include "proto/hlo_fields.h"

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
    if (fields.Is(field::XlaTile::dimensions)) {
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
      case Tag(field::XlaLayout::minor_to_major, kVarint):
      case Tag(field::XlaLayout::minor_to_major, kBytes): minor_to_major.Take(fields); break;
      case Tag(field::XlaLayout::tiles, kBytes): bad = ReadTile(fields.Bytes(), program); break;
      case Tag(field::XlaLayout::memory_space, kVarint): type->memory_space = fields.Int64(); break;
      default: fields.Skip();
    }
  }
  type->minor_to_major = minor_to_major.range();
  type->tiles = {first_tile, static_cast<uint32_t>(program->tiles.size()) - first_tile};
  return bad != nullptr ? bad : fields.bad();
}

ElementType ElementOf(uint64_t number) {
  return number <= 255 ? static_cast<ElementType>(number) : ElementType::invalid;
}

// Reads one ShapeProto without its tuple elements, which it appends to *parts.
const char* ReadOneType(std::string_view message, Program* program, TensorType* type,
                        std::vector<std::string_view>* parts) {
  NumberList dims(program), is_dynamic(program);
  const char* bad = nullptr;
  Fields fields(message);
  while (bad == nullptr && fields.Next()) {
    switch (fields.tag()) {
      case Tag(field::XlaShape::element_type, kVarint):
        type->element = ElementOf(fields.Varint());
        break;
      case Tag(field::XlaShape::dimensions, kVarint):
      case Tag(field::XlaShape::dimensions, kBytes): dims.Take(fields); break;
      case Tag(field::XlaShape::tuple_shapes, kBytes): parts->push_back(fields.Bytes()); break;
      case Tag(field::XlaShape::layout, kBytes):
        bad = ReadLayout(fields.Bytes(), program, type);
        break;
      case Tag(field::XlaShape::is_dynamic_dimension, kVarint):
      case Tag(field::XlaShape::is_dynamic_dimension, kBytes): is_dynamic.Take(fields); break;
      default: fields.Skip();
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
  // An element takes at least 4 bytes. Without this bound, empty ones would need 30 times their
  // bytes.
  const size_t max = message.size() / 4 + 16;
  program->types.emplace_back();
  for (size_t i = 0; i < messages.size(); ++i) {
    TensorType made;
    const auto parts = static_cast<uint32_t>(messages.size());
    const char* bad = ReadOneType(messages[i], program, &made, &messages);
    if (bad == nullptr && messages.size() > max) bad = messages[i].data();
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
    if (fields.tag() != Tag(field::XlaWindow::dimensions, kBytes)) {
      fields.Skip();
      continue;
    }
    // An absent field is 0, even where 1 would be the usual default.
    WindowDimension of{0, 0, 0, 0, 0, 0, false};
    using Dimension = field::XlaWindow_Dimension;
    bad = wire::ReadMessage(fields.Bytes(), wire::Number<Dimension::size>(&of.size),
                            wire::Number<Dimension::stride>(&of.stride),
                            wire::Number<Dimension::padding_low>(&of.padding_low),
                            wire::Number<Dimension::padding_high>(&of.padding_high),
                            wire::Number<Dimension::window_dilation>(&of.window_dilation),
                            wire::Number<Dimension::base_dilation>(&of.base_dilation),
                            wire::Number<Dimension::window_reversal>(&of.reversed));
    program->windows.push_back(of);
  }
  *windows = {first, static_cast<uint32_t>(program->windows.size()) - first};
  return bad != nullptr ? bad : fields.bad();
}

const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot) {
  using Dot = field::DotDimensionNumbers;
  NumberList lhs(program), rhs(program), lhs_batch(program), rhs_batch(program);
  Fields fields(message);
  while (fields.Next()) {
    if (fields.Is(Dot::lhs_contracting_dimensions)) {
      lhs.Take(fields);
    } else if (fields.Is(Dot::rhs_contracting_dimensions)) {
      rhs.Take(fields);
    } else if (fields.Is(Dot::lhs_batch_dimensions)) {
      lhs_batch.Take(fields);
    } else if (fields.Is(Dot::rhs_batch_dimensions)) {
      rhs_batch.Take(fields);
    } else {
      fields.Skip();
    }
  }
  *dot = {lhs.range(), rhs.range(), lhs_batch.range(), rhs_batch.range()};
  return fields.bad();
}

const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution) {
  using Numbers = field::ConvolutionDimensionNumbers;
  NumberList kernel(program), input(program), output(program);
  Fields fields(message);
  while (fields.Next()) {
    switch (fields.tag()) {
      case Tag(Numbers::kernel_input_feature_dimension, kVarint):
        convolution->kernel_input_feature = fields.Int64();
        break;
      case Tag(Numbers::kernel_output_feature_dimension, kVarint):
        convolution->kernel_output_feature = fields.Int64();
        break;
      case Tag(Numbers::input_batch_dimension, kVarint):
        convolution->input_batch = fields.Int64();
        break;
      case Tag(Numbers::input_feature_dimension, kVarint):
        convolution->input_feature = fields.Int64();
        break;
      case Tag(Numbers::output_batch_dimension, kVarint):
        convolution->output_batch = fields.Int64();
        break;
      case Tag(Numbers::output_feature_dimension, kVarint):
        convolution->output_feature = fields.Int64();
        break;
      case Tag(Numbers::kernel_spatial_dimensions, kVarint):
      case Tag(Numbers::kernel_spatial_dimensions, kBytes): kernel.Take(fields); break;
      case Tag(Numbers::input_spatial_dimensions, kVarint):
      case Tag(Numbers::input_spatial_dimensions, kBytes): input.Take(fields); break;
      case Tag(Numbers::output_spatial_dimensions, kVarint):
      case Tag(Numbers::output_spatial_dimensions, kBytes): output.Take(fields); break;
      default: fields.Skip();
    }
  }
  convolution->kernel_spatial = kernel.range();
  convolution->input_spatial = input.range();
  convolution->output_spatial = output.range();
  return fields.bad();
}

}  // namespace tfprof::hlo
