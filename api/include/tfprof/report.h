// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <tfprof/result.h>

namespace TFPROF_NAMESPACE {

// "Not measured" in integer cells. It is never 0: a count of 0 was measured.
inline constexpr int64_t kAbsent = std::numeric_limits<int64_t>::min();
inline constexpr uint32_t kNoRow = std::numeric_limits<uint32_t>::max();

enum class CellType { integer, real, boolean, text, texts, tensor };

// What docs/columns.md says about a column.
struct ColumnInfo {
  std::string id;  // stable; one id has one meaning in all tables
  std::string title;
  std::string unit;  // us, B, %, count, ...; empty: none
  std::string meaning;
  CellType type = CellType::integer;
};

// The cells of a column, one per row. The pointers are valid while the report lives; those that do
// not belong to the type are null.
struct TFPROF_EXPORT Column : ColumnInfo {
  size_t rows = 0;

  // integer, boolean: cell i is integers[i * stride]; kAbsent: not measured. In the unit of the
  // column it is that divided by `divisor`: a time has 1,000,000, a mean the number of steps, too.
  const int64_t* integers = nullptr;
  size_t stride = 1;
  int64_t divisor = 1;
  // real: cell i is reals[i] * scale in the unit of the column; NaN: not measured.
  const double* reals = nullptr;
  double scale = 1;
  // text: any bytes; data() == nullptr: not measured.
  const std::string_view* texts = nullptr;
  const std::vector<std::string_view>* lists = nullptr;

  bool IsAbsent(size_t row) const;
  // A number in the unit of the column; NaN: not measured. REQUIRES: integer, real or boolean.
  double Real(size_t row) const;
  // The cell as CSV has it; empty: not measured.
  std::string Text(size_t row) const;

  const void* behind = nullptr;  // of the library
};

// Rows are a list, or a tree in depth-first order: a parent comes before its children.
struct Table {
  std::string name;
  std::string title;
  size_t rows = 0;
  std::vector<Column> columns;
  bool is_tree = false;
  const uint32_t* parent = nullptr;  // trees: a row, or kNoRow
  const uint32_t* depth = nullptr;   // trees: number of shown ancestors
  int64_t omitted_rows = 0;          // cut by the option n

  const Column* Find(std::string_view id) const {
    for (const Column& column : columns) {
      if (column.id == id) return &column;
    }
    return nullptr;
  }
};

// A fact beside the tables, such as the total that shares refer to.
struct Property {
  std::string id;
  std::string unit;
  CellType type = CellType::integer;
  int64_t integer = kAbsent;  // integer, boolean: in the unit, divided by `divisor`
  int64_t divisor = 1;
  double real = 0;  // of integers, too: in the unit
  std::string text;
  std::vector<std::string> texts;
};

// What a reader of the numbers should know: what the recording lacks, what was skipped.
struct Note {
  std::string id;  // of docs/notes.md
  std::string text;
  int64_t count = 1;
  std::string first_place;  // may be empty
};

// The device that an output is for.
struct EmitOptions {
  int columns = 0;  // width in cells; 0: unlimited
  bool utf8 = true;
  bool color = false;
};

// The answer of a view: numbers with units, no formatted text. Copies share it. It keeps the
// profile that it is about.
class TFPROF_EXPORT Report {
 public:
  struct Behind;
  explicit Report(std::shared_ptr<Behind> behind);

  const std::string& view() const;
  // The first is the answer, the others supplement it.
  const std::vector<Table>& tables() const;
  const std::vector<Property>& properties() const;
  const std::vector<Note>& notes() const;

  const Table* FindTable(std::string_view name) const;
  const Property* FindProperty(std::string_view id) const;

  Behind& behind() const { return *behind_; }

 private:
  std::shared_ptr<Behind> behind_;
};

// Returns the report in a format: `table`, `csv`, `tsv`, `json`, `jsonl`, `md`, `dot`, `classic`,
// `flame_svg` and the others of Formats(). Errors: usage (no such format, or the report has nothing
// that it could show).
TFPROF_EXPORT Result<std::string> Emit(const Report& report, std::string_view format,
                                       const EmitOptions& options = {});

}  // namespace TFPROF_NAMESPACE
