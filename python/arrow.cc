// SPDX-License-Identifier: Apache-2.0
#include "python/arrow.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tfprof::python {
namespace {

constexpr int64_t kNullable = 2;  // ARROW_FLAG_NULLABLE

// ---- Owners: each structure is released by itself, children by their parent.

struct SchemaOwner {
  std::string format, name;
  std::vector<std::unique_ptr<ArrowSchema>> children;
  std::vector<ArrowSchema*> pointers;
};

void ReleaseSchema(ArrowSchema* schema) {
  auto* owner = static_cast<SchemaOwner*>(schema->private_data);
  for (const auto& child : owner->children) {
    if (child->release != nullptr) child->release(child.get());
  }
  delete owner;
  schema->release = nullptr;
}

void SetSchema(std::string format, std::string name,
               std::vector<std::unique_ptr<ArrowSchema>> children, ArrowSchema* out) {
  auto* owner = new SchemaOwner{std::move(format), std::move(name), std::move(children), {}};
  for (const auto& child : owner->children) owner->pointers.push_back(child.get());
  *out = {};
  out->format = owner->format.c_str();
  out->name = owner->name.c_str();
  out->flags = kNullable;
  out->n_children = static_cast<int64_t>(owner->children.size());
  out->children = owner->pointers.data();
  out->release = ReleaseSchema;
  out->private_data = owner;
}

std::unique_ptr<ArrowSchema> NewSchema(std::string format, std::string name,
                                       std::vector<std::unique_ptr<ArrowSchema>> children = {}) {
  auto schema = std::make_unique<ArrowSchema>();
  SetSchema(std::move(format), std::move(name), std::move(children), schema.get());
  return schema;
}

struct ArrayOwner {
  explicit ArrayOwner(Report of) : report(std::move(of)) {}

  Report report;  // whose cells may be in the buffers
  std::vector<uint8_t> valid, bits;
  std::vector<int64_t> offsets, integers;
  std::vector<double> reals;
  std::string text;
  std::vector<const void*> buffers;
  std::vector<std::unique_ptr<ArrowArray>> children;
  std::vector<ArrowArray*> pointers;
  int64_t length = 0;
  int64_t nulls = 0;

  // Marks a cell as not measured.
  void SetNull(size_t row) {
    if (valid.empty()) valid.assign((static_cast<size_t>(length) + 7) / 8, 0xff);
    valid[row / 8] &= static_cast<uint8_t>(~(1U << (row % 8)));
    ++nulls;
  }
};

void ReleaseArray(ArrowArray* array) {
  auto* owner = static_cast<ArrayOwner*>(array->private_data);
  for (const auto& child : owner->children) {
    if (child->release != nullptr) child->release(child.get());
  }
  delete owner;
  array->release = nullptr;
}

// `data`: the buffers after that of validity.
void SetArray(std::unique_ptr<ArrayOwner> owned, std::vector<const void*> data, ArrowArray* out) {
  ArrayOwner* owner = owned.release();
  owner->buffers.push_back(owner->nulls > 0 ? owner->valid.data() : nullptr);
  owner->buffers.insert(owner->buffers.end(), data.begin(), data.end());
  for (const auto& child : owner->children) owner->pointers.push_back(child.get());
  *out = {};
  out->length = owner->length;
  out->null_count = owner->nulls;
  out->n_buffers = static_cast<int64_t>(owner->buffers.size());
  out->buffers = owner->buffers.data();
  out->n_children = static_cast<int64_t>(owner->children.size());
  out->children = owner->pointers.data();
  out->release = ReleaseArray;
  out->private_data = owner;
}

// ---- Cells.

bool IsAscii(std::string_view text) {
  size_t i = 0;
  uint64_t all = 0;
  for (; i + sizeof all <= text.size(); i += sizeof all) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, sizeof word);
    all |= word;
  }
  for (; i < text.size(); ++i) all |= static_cast<unsigned char>(text[i]);
  return (all & 0x8080808080808080) == 0;
}

// Appends valid UTF-8: other bytes as \xNN.
void AppendText(std::string_view text, std::string* out) {
  if (IsAscii(text)) {
    out->append(text);
    return;
  }
  static constexpr char kHex[] = "0123456789abcdef";
  for (size_t i = 0; i < text.size();) {
    const auto c = static_cast<unsigned char>(text[i]);
    const size_t length = c < 0x80 ? 1 : c >= 0xf0 ? 4 : c >= 0xe0 ? 3 : c >= 0xc2 ? 2 : 0;
    bool good = length > 0 && c < 0xf5 && i + length <= text.size();
    for (size_t k = 1; good && k < length; ++k) good = (text[i + k] & 0xc0) == 0x80;
    if (good && length > 2) {  // no overlong forms, surrogates or codes above 10FFFF
      const auto next = static_cast<unsigned char>(text[i + 1]);
      good = !(c == 0xe0 && next < 0xa0) && !(c == 0xed && next > 0x9f) &&
             !(c == 0xf0 && next < 0x90) && !(c == 0xf4 && next > 0x8f);
    }
    if (good) {
      out->append(text.substr(i, length));
      i += length;
      continue;
    }
    *out += {'\\', 'x', kHex[c >> 4], kHex[c & 15]};
    ++i;
  }
}

// Texts: one per call of text(row, &out), which returns false for a cell that was not measured.
template <class Text>
void SetTexts(const Report& report, size_t rows, Text text, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(rows);
  owner->offsets.reserve(rows + 1);
  owner->offsets.push_back(0);
  for (size_t row = 0; row < rows; ++row) {
    if (!text(row, &owner->text)) owner->SetNull(row);
    owner->offsets.push_back(static_cast<int64_t>(owner->text.size()));
  }
  const std::vector<const void*> data{owner->offsets.data(), owner->text.data()};
  SetArray(std::move(owner), data, out);
}

bool IsWhole(const Column& column) {
  return column.type == CellType::integer && column.divisor == 1;
}

void SetIntegers(const Report& report, const Column& column, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(column.rows);
  const int64_t* cells = column.integers;
  if (column.stride != 1) {
    owner->integers.reserve(column.rows);
    for (size_t row = 0; row < column.rows; ++row) {
      owner->integers.push_back(column.integers[row * column.stride]);
    }
    cells = owner->integers.data();
  }
  for (size_t row = 0; row < column.rows; ++row) {
    if (cells[row] == kAbsent) owner->SetNull(row);
  }
  SetArray(std::move(owner), {cells}, out);
}

void SetReals(const Report& report, const Column& column, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(column.rows);
  const double* cells = column.reals;
  if (cells == nullptr || column.scale != 1) {
    owner->reals.resize(column.rows);
    const auto divisor = static_cast<double>(column.divisor);
    for (size_t row = 0; row < column.rows; ++row) {
      if (cells != nullptr) {
        owner->reals[row] = cells[row] * column.scale;
      } else {
        const int64_t value = column.integers[row * column.stride];
        owner->reals[row] = value == kAbsent ? std::numeric_limits<double>::quiet_NaN()
                                             : static_cast<double>(value) / divisor;
      }
    }
    cells = owner->reals.data();
  }
  for (size_t row = 0; row < column.rows; ++row) {
    if (std::isnan(cells[row])) owner->SetNull(row);
  }
  SetArray(std::move(owner), {cells}, out);
}

void SetBooleans(const Report& report, const Column& column, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(column.rows);
  owner->bits.assign((column.rows + 7) / 8, 0);
  for (size_t row = 0; row < column.rows; ++row) {
    const int64_t value = column.integers[row * column.stride];
    if (value == kAbsent) owner->SetNull(row);
    if (value > 0) owner->bits[row / 8] |= static_cast<uint8_t>(1U << (row % 8));
  }
  const void* bits = owner->bits.data();
  SetArray(std::move(owner), {bits}, out);
}

void SetLists(const Report& report, const Column& column, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(column.rows);
  std::vector<std::string_view> all;
  owner->offsets.push_back(0);
  for (size_t row = 0; row < column.rows; ++row) {
    all.insert(all.end(), column.lists[row].begin(), column.lists[row].end());
    owner->offsets.push_back(static_cast<int64_t>(all.size()));
  }
  owner->children.push_back(std::make_unique<ArrowArray>());
  SetTexts(
      report, all.size(),
      [&](size_t row, std::string* text) {
        AppendText(all[row], text);
        return true;
      },
      owner->children.back().get());
  const void* offsets = owner->offsets.data();
  SetArray(std::move(owner), {offsets}, out);
}

void SetColumnOfTexts(const Report& report, const Column& column, ArrowArray* out) {
  size_t bytes = 0;
  for (size_t row = 0; row < column.rows; ++row) bytes += column.texts[row].size();
  std::string_view known;  // the last text without other bytes: neighbors are often equal
  const auto text = [&](size_t row, std::string* to) {
    const std::string_view cell = column.texts[row];
    if (row == 0) to->reserve(bytes);
    if (cell.data() == known.data() && cell.size() == known.size()) {
      to->append(cell);
    } else {
      AppendText(cell, to);
      if (IsAscii(cell)) known = cell;
    }
    return cell.data() != nullptr;
  };
  SetTexts(report, column.rows, text, out);
}

void SetColumn(const Report& report, const Column& column, ArrowArray* out) {
  switch (column.type) {
    case CellType::integer:
      return IsWhole(column) ? SetIntegers(report, column, out) : SetReals(report, column, out);
    case CellType::real: return SetReals(report, column, out);
    case CellType::boolean: return SetBooleans(report, column, out);
    case CellType::texts: return SetLists(report, column, out);
    case CellType::text: return SetColumnOfTexts(report, column, out);
    case CellType::tensor:
      return SetTexts(
          report, column.rows,
          [&](size_t row, std::string* text) {
            AppendText(column.Text(row), text);
            return !column.IsAbsent(row);
          },
          out);
  }
}

std::unique_ptr<ArrowSchema> SchemaOf(const Column& column) {
  switch (column.type) {
    case CellType::integer: return NewSchema(IsWhole(column) ? "l" : "g", column.id);
    case CellType::real: return NewSchema("g", column.id);
    case CellType::boolean: return NewSchema("b", column.id);
    case CellType::texts: {
      std::vector<std::unique_ptr<ArrowSchema>> item;
      item.push_back(NewSchema("U", "item"));
      return NewSchema("+L", column.id, std::move(item));
    }
    default: return NewSchema("U", column.id);
  }
}

// depth and parent of the rows of a tree: numbers of 4 bytes.
void SetRowNumbers(const Report& report, const uint32_t* rows, size_t count, ArrowArray* out) {
  auto owner = std::make_unique<ArrayOwner>(report);
  owner->length = static_cast<int64_t>(count);
  for (size_t row = 0; row < count; ++row) {
    if (rows[row] == kNoRow) owner->SetNull(row);
  }
  SetArray(std::move(owner), {rows}, out);
}

// ---- The stream.

struct TableStream {
  Report report;
  size_t table;
  bool done = false;
};

int GetSchema(ArrowArrayStream* stream, ArrowSchema* out) {
  const auto* of = static_cast<TableStream*>(stream->private_data);
  const Table& table = of->report.tables()[of->table];
  std::vector<std::unique_ptr<ArrowSchema>> children;
  if (table.is_tree) {
    children.push_back(NewSchema("I", "depth"));
    children.push_back(NewSchema("I", "parent"));
  }
  for (const Column& column : table.columns) children.push_back(SchemaOf(column));
  SetSchema("+s", "", std::move(children), out);
  return 0;
}

int GetNext(ArrowArrayStream* stream, ArrowArray* out) {
  auto* of = static_cast<TableStream*>(stream->private_data);
  *out = {};
  if (std::exchange(of->done, true)) return 0;
  const Table& table = of->report.tables()[of->table];
  auto owner = std::make_unique<ArrayOwner>(of->report);
  owner->length = static_cast<int64_t>(table.rows);
  const auto next = [&] {
    owner->children.push_back(std::make_unique<ArrowArray>());
    return owner->children.back().get();
  };
  if (table.is_tree) {
    SetRowNumbers(of->report, table.depth, table.rows, next());
    SetRowNumbers(of->report, table.parent, table.rows, next());
  }
  for (const Column& column : table.columns) SetColumn(of->report, column, next());
  SetArray(std::move(owner), {}, out);
  return 0;
}

const char* GetLastError(ArrowArrayStream*) { return nullptr; }

void ReleaseStream(ArrowArrayStream* stream) {
  delete static_cast<TableStream*>(stream->private_data);
  stream->release = nullptr;
}

}  // namespace

void ExportTable(const Report& report, size_t table, ArrowArrayStream* out) {
  *out = {GetSchema, GetNext, GetLastError, ReleaseStream, new TableStream{report, table}};
}

}  // namespace tfprof::python
