// SPDX-License-Identifier: Apache-2.0
// Attributes of nodes on which shapes and work depend.
#include <algorithm>
#include <cstring>

#include "loaders/tensorflow/graph/ops.h"
#include "loaders/tensorflow/shape.h"
#include "loaders/wire/message.h"
#include "loaders/wire/wire.h"
#include "proto/attr_value_fields.h"

namespace tfprof {
namespace {

using wire::Tag;

struct Spelling {
  std::string_view name;
  GraphKey key;
};

// Ascending by length: nearly all attributes are rejected by it.
constexpr Spelling kSpellings[] = {
    {"N", GraphKey::count},
    {"f", GraphKey::function},
    {"num", GraphKey::count},
    {"axis", GraphKey::axis},
    {"body", GraphKey::body},
    {"cond", GraphKey::condition},
    {"adj_x", GraphKey::transpose_a},
    {"adj_y", GraphKey::transpose_b},
    {"ksize", GraphKey::window},
    {"rates", GraphKey::dilations},
    {"shape", GraphKey::shape},
    {"value", GraphKey::value},
    {"padding", GraphKey::padding},
    {"strides", GraphKey::strides},
    {"branches", GraphKey::branches},
    {"end_mask", GraphKey::end_mask},
    {"equation", GraphKey::equation},
    {"rnn_mode", GraphKey::cell},
    {"direction", GraphKey::bidirectional},
    {"dilations", GraphKey::dilations},
    {"fused_ops", GraphKey::fused},
    {"keep_dims", GraphKey::keep_axes},
    {"num_split", GraphKey::count},
    {"begin_mask", GraphKey::begin_mask},
    {"batch_dims", GraphKey::batch_axes},
    {"block_size", GraphKey::block},
    {"data_format", GraphKey::data_format},
    {"else_branch", GraphKey::else_branch},
    {"is_training", GraphKey::training},
    {"then_branch", GraphKey::then_branch},
    {"transpose_a", GraphKey::transpose_a},
    {"transpose_b", GraphKey::transpose_b},
    {"num_elements", GraphKey::count},
    {"squeeze_dims", GraphKey::axis},
    {"ellipsis_mask", GraphKey::ellipsis_mask},
    {"filter_format", GraphKey::filter_format},
    {"new_axis_mask", GraphKey::new_axis_mask},
    {"output_shapes", GraphKey::output_shapes},
    {"_output_shapes", GraphKey::output_shapes},
    {"shrink_axis_mask", GraphKey::shrink_mask},
    {"explicit_paddings", GraphKey::paddings},
};
constexpr size_t kLongest = 17;

const Spelling* FindSpelling(std::string_view name) {
  if (name.size() > kLongest) return nullptr;
  const auto first = std::ranges::lower_bound(kSpellings, name.size(), {},
                                              [](const Spelling& s) { return s.name.size(); });
  const auto* const found = std::find_if(first, std::end(kSpellings), [&](const Spelling& s) {
    return s.name.size() > name.size() || s.name == name;
  });
  return found != std::end(kSpellings) && found->name == name ? found : nullptr;
}

// Constants with more numbers are no shapes.
constexpr size_t kMostNumbers = 64;

bool IsWholeType(int64_t type, size_t* bytes) {
  switch (type) {
    case 3: *bytes = 4; return true;   // DT_INT32
    case 9: *bytes = 8; return true;   // DT_INT64
    case 10: *bytes = 1; return true;  // DT_BOOL
    default: return false;
  }
}

class AttributeReader {
 public:
  AttributeReader(GraphKey key, GraphOps* out) : key_(key), out_(*out) {
    first_text_ = out->texts.size();
    first_shape_ = out->shapes.size();
  }

  bool Read(std::string_view value) {
    wire::Fields fields(value);
    while (fields.Next()) {
      switch (fields.tag()) {
        case Tag(field::AttrValue::i, wire::kVarint):
        case Tag(field::AttrValue::b, wire::kVarint):
          numbers_.push_back(static_cast<int64_t>(fields.Varint()));
          break;
        case Tag(field::AttrValue::s, wire::kBytes): AddText(fields.Bytes()); break;
        case Tag(field::AttrValue::shape, wire::kBytes): AddShape(fields.Bytes()); break;
        case Tag(field::AttrValue::list, wire::kBytes): ReadList(fields.Bytes()); break;
        case Tag(field::AttrValue::func, wire::kBytes): AddFunction(fields.Bytes()); break;
        case Tag(field::AttrValue::tensor, wire::kBytes): ReadTensor(fields.Bytes()); break;
        default: fields.Skip();
      }
    }
    return fields.bad() == nullptr;
  }

  void Finish() {
    OpAttribute made{key_, {}, {}, {}};
    made.texts = RangeFrom(first_text_, out_.texts.size());
    made.shapes = RangeFrom(first_shape_, out_.shapes.size());
    const size_t first = out_.numbers.size();
    out_.numbers.insert(out_.numbers.end(), numbers_.begin(), numbers_.end());
    made.numbers = RangeFrom(first, out_.numbers.size());
    out_.attributes.push_back(made);
  }

 private:
  static Range RangeFrom(size_t first, size_t end) {
    return {static_cast<uint32_t>(first), static_cast<uint32_t>(end - first)};
  }

  const char* AddText(std::string_view text) {
    if (key_ == GraphKey::bidirectional) {
      numbers_.push_back(text == "bidirectional" ? 1 : 0);
    } else {
      out_.texts.push_back(text);
    }
    return nullptr;
  }

  const char* AddFunction(std::string_view message) {
    std::string_view name;
    const char* const bad =
        wire::ReadMessage(message, wire::Text<field::NameAttrList::name>(&name));
    out_.texts.push_back(name);
    return bad;
  }

  const char* AddShape(std::string_view message) {
    const size_t first = out_.numbers.size();
    bool unknown_rank = false;
    const char* const bad = ReadShape(message, &out_.numbers, &unknown_rank);
    const size_t rank = out_.numbers.size() - first;
    for (size_t i = first; i < out_.numbers.size(); ++i) {
      out_.numbers[i] = std::max<int64_t>(out_.numbers[i], -1);
    }
    const bool known = rank > 0 || !unknown_rank;
    out_.shapes.push_back(
        {static_cast<uint32_t>(first), known ? static_cast<int32_t>(rank) : OpShape::kUnknownRank});
    return bad;
  }

  void ReadList(std::string_view list) {
    using Of = field::AttrValue_ListValue;
    auto number = [&](uint64_t value) { numbers_.push_back(static_cast<int64_t>(value)); };
    const auto text = [&](std::string_view value) { return AddText(value); };
    const auto shape = [&](std::string_view value) { return AddShape(value); };
    const auto function = [&](std::string_view value) { return AddFunction(value); };
    wire::ReadMessage(list, wire::Each<Of::s>(text), wire::Numbers<Of::i>(number),
                      wire::Each<Of::shape>(shape), wire::Each<Of::func>(function));
  }

  // Keeps the shape, and the numbers of a small whole tensor.
  void ReadTensor(std::string_view tensor) {
    using Of = field::TensorProto;
    int64_t type = 0;
    std::string_view shape, content;
    std::vector<int64_t> listed;
    auto add = [&](uint64_t value) {
      if (listed.size() <= kMostNumbers) listed.push_back(static_cast<int64_t>(value));
    };
    wire::ReadMessage(tensor, wire::Number<Of::dtype>(&type), wire::Text<Of::tensor_shape>(&shape),
                      wire::Text<Of::tensor_content>(&content), wire::Numbers<Of::int_val>(add),
                      wire::Numbers<Of::int64_val>(add), wire::Numbers<Of::bool_val>(add));
    AddShape(shape);
    size_t bytes = 0;
    if (!IsWholeType(type, &bytes)) return;
    AddValues(out_.shapes.back(), bytes, content, listed);
  }

  void AddValues(OpShape shape, size_t bytes, std::string_view content,
                 const std::vector<int64_t>& listed) {
    size_t count = 1;
    for (int32_t i = 0; i < shape.rank; ++i) {
      const int64_t dim = out_.numbers[shape.first + static_cast<uint32_t>(i)];
      if (dim < 0 || dim > static_cast<int64_t>(kMostNumbers)) return;
      count *= static_cast<size_t>(dim);
      if (count > kMostNumbers) return;
    }
    if (content.size() == count * bytes && listed.empty()) {
      for (size_t i = 0; i < count; ++i) numbers_.push_back(NumberAt(content, i, bytes));
      return;
    }
    // A list that is shorter than the shape repeats its last number; an empty one is zeros.
    if (!content.empty() || listed.size() > count) return;
    for (size_t i = 0; i < count; ++i) {
      numbers_.push_back(listed.empty() ? 0 : listed[std::min(i, listed.size() - 1)]);
    }
  }

  static int64_t NumberAt(std::string_view content, size_t number, size_t bytes) {
    int64_t whole = 0;
    int32_t half = 0;
    const char* const at = content.data() + number * bytes;
    if (bytes == 1) return *at != 0 ? 1 : 0;
    if (bytes == sizeof half) {
      std::memcpy(&half, at, sizeof half);
      return half;
    }
    std::memcpy(&whole, at, sizeof whole);
    return whole;
  }

  GraphKey key_;
  GraphOps& out_;
  size_t first_text_ = 0;
  size_t first_shape_ = 0;
  std::vector<int64_t> numbers_;
};

}  // namespace

void ReadOpAttribute(std::string_view entry, GraphOps* out) {
  std::string_view name, value;
  if (wire::ReadMessage(entry, wire::Text<field::AttrEntry::key>(&name),
                        wire::Text<field::AttrEntry::value>(&value)) != nullptr) {
    return;
  }
  const Spelling* const spelling = FindSpelling(name);
  if (spelling == nullptr) return;
  AttributeReader reader(spelling->key, out);
  if (reader.Read(value)) reader.Finish();
}

}  // namespace tfprof
