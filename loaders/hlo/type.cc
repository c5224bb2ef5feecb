// SPDX-License-Identifier: Apache-2.0
#include "loaders/hlo/reading.h"
#include "loaders/wire/message.h"
#include "proto/hlo_fields.h"

namespace tfprof::hlo {
namespace {

using wire::Each;
using wire::Number;
using wire::Numbers;

const char* ReadTile(std::string_view message, Program* program) {
  NumberList dimensions(&program->numbers);
  const char* bad = wire::ReadMessage(message, Numbers<field::XlaTile::dimensions>(dimensions));
  program->tiles.push_back(dimensions.range());
  return bad;
}

const char* ReadLayout(std::string_view message, Program* program, TensorType* type) {
  NumberList minor_to_major(&program->numbers);
  const uint32_t first_tile = Size(program->tiles);
  type->has_layout = true;
  const char* bad = wire::ReadMessage(
      message, Numbers<field::XlaLayout::minor_to_major>(minor_to_major),
      Each<field::XlaLayout::tiles>([=](std::string_view tile) { return ReadTile(tile, program); }),
      Number<field::XlaLayout::memory_space>(&type->memory_space));
  type->minor_to_major = minor_to_major.range();
  type->tiles = {first_tile, Size(program->tiles) - first_tile};
  return bad;
}

ElementType ElementOf(uint64_t number) {
  return number <= 255 ? static_cast<ElementType>(number) : ElementType::invalid;
}

// Reads one ShapeProto without its tuple elements, which it appends to *parts.
const char* ReadOneType(std::string_view message, Program* program, TensorType* type,
                        std::vector<std::string_view>* parts) {
  using Shape = field::XlaShape;
  NumberList dims(&program->numbers), is_dynamic(&program->numbers);
  uint64_t element = 0;
  const char* bad = wire::ReadMessage(message, Number<Shape::element_type>(&element),
                                      Numbers<Shape::dimensions>(dims),
                                      Each<Shape::tuple_shapes>(wire::PushTo(parts)),
                                      Each<Shape::layout>([=](std::string_view layout) {
                                        return ReadLayout(layout, program, type);
                                      }),
                                      Numbers<Shape::is_dynamic_dimension>(is_dynamic));
  type->element = ElementOf(element);
  type->dims = dims.range();
  type->is_dynamic = is_dynamic.range();
  return bad;
}

}  // namespace

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
  using Dimension = field::XlaWindow_Dimension;
  const uint32_t first = Size(program->windows);
  const auto read_dimension = [=](std::string_view dimension) {
    // An absent field is 0, even where 1 would be the usual default.
    WindowDimension& of = program->windows.emplace_back(WindowDimension{0, 0, 0, 0, 0, 0, false});
    return wire::ReadMessage(dimension, Number<Dimension::size>(&of.size),
                             Number<Dimension::stride>(&of.stride),
                             Number<Dimension::padding_low>(&of.padding_low),
                             Number<Dimension::padding_high>(&of.padding_high),
                             Number<Dimension::window_dilation>(&of.window_dilation),
                             Number<Dimension::base_dilation>(&of.base_dilation),
                             Number<Dimension::window_reversal>(&of.reversed));
  };
  const char* bad = wire::ReadMessage(message, Each<field::XlaWindow::dimensions>(read_dimension));
  *windows = {first, Size(program->windows) - first};
  return bad;
}

const char* ReadDot(std::string_view message, Program* program, DotDimensions* dot) {
  using Dot = field::DotDimensionNumbers;
  std::vector<int64_t>* const numbers = &program->numbers;
  NumberList lhs(numbers), rhs(numbers), lhs_batch(numbers), rhs_batch(numbers);
  const char* bad = wire::ReadMessage(message, Numbers<Dot::lhs_contracting_dimensions>(lhs),
                                      Numbers<Dot::rhs_contracting_dimensions>(rhs),
                                      Numbers<Dot::lhs_batch_dimensions>(lhs_batch),
                                      Numbers<Dot::rhs_batch_dimensions>(rhs_batch));
  *dot = {lhs.range(), rhs.range(), lhs_batch.range(), rhs_batch.range()};
  return bad;
}

const char* ReadConvolution(std::string_view message, Program* program,
                            ConvolutionDimensions* convolution) {
  using Of = field::ConvolutionDimensionNumbers;
  std::vector<int64_t>* const numbers = &program->numbers;
  NumberList kernel(numbers), input(numbers), output(numbers);
  const char* bad = wire::ReadMessage(
      message, Number<Of::kernel_input_feature_dimension>(&convolution->kernel_input_feature),
      Number<Of::kernel_output_feature_dimension>(&convolution->kernel_output_feature),
      Numbers<Of::kernel_spatial_dimensions>(kernel),
      Number<Of::input_batch_dimension>(&convolution->input_batch),
      Number<Of::input_feature_dimension>(&convolution->input_feature),
      Number<Of::output_batch_dimension>(&convolution->output_batch),
      Number<Of::output_feature_dimension>(&convolution->output_feature),
      Numbers<Of::input_spatial_dimensions>(input), Numbers<Of::output_spatial_dimensions>(output));
  convolution->kernel_spatial = kernel.range();
  convolution->input_spatial = input.range();
  convolution->output_spatial = output.range();
  return bad;
}

}  // namespace tfprof::hlo
