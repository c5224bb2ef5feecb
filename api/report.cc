// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <utility>

#include "api/behind.h"
#include "core/base/context.h"
#include "core/base/nearest.h"
#include "core/base/sink.h"
#include "core/report/refine.h"
#include "core/text/units.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"

namespace tfprof::v1 {
namespace {

// How many of the unit in which integers are kept make one of the unit in which they are written.
int64_t PerWritten(Unit unit) {
  const Unit written = WrittenUnit(unit);
  if (written == Unit::ps_as_us) return kPsPerUs;
  return written == Unit::ps_as_ms ? 1000 * kPsPerUs : 1;
}

Column ColumnOf(const ReportColumn& from, size_t rows) {
  Column to;
  const ColumnSpec& spec = from.spec;
  to.id = spec.id;
  to.title = spec.title;
  to.unit = UnitName(WrittenUnit(spec.unit));
  to.meaning = spec.meaning;
  to.type = static_cast<CellType>(spec.type);
  to.rows = rows;
  to.behind = &from;
  switch (spec.type) {
    case tfprof::CellType::integer:
    case tfprof::CellType::boolean:
      to.integers = from.first != nullptr ? from.first : from.integers.data();
      to.stride = from.first != nullptr ? from.stride : 1;
      to.divisor = spec.divisor * PerWritten(spec.unit);
      break;
    case tfprof::CellType::real:
      to.reals = from.reals.data();
      to.scale = WrittenScale(spec.unit);
      break;
    case tfprof::CellType::text: to.texts = from.texts.data(); break;
    case tfprof::CellType::texts: to.lists = from.lists.data(); break;
    case tfprof::CellType::tensor: break;
  }
  return to;
}

Table TableOf(const tfprof::Table& from, const Display& display) {
  Table to;
  to.name = from.name;
  to.title = from.title.empty() ? from.name : from.title;
  to.rows = from.PrintedRows();
  to.is_tree = from.tree;
  if (from.tree) {
    to.parent = from.parent.data();
    to.depth = from.depth.data();
  }
  to.omitted_rows = from.omitted_rows;
  for (const ReportColumn* column : ColumnsForMachines(from, display)) {
    to.columns.push_back(ColumnOf(*column, to.rows));
  }
  return to;
}

Property PropertyOf(const tfprof::Property& from) {
  Property to;
  to.id = from.id;
  to.unit = UnitName(WrittenUnit(from.unit));
  to.type = static_cast<CellType>(from.type);
  to.integer = from.integer;
  to.divisor = from.divisor * PerWritten(from.unit);
  const bool is_real = from.type == tfprof::CellType::real;
  to.real = is_real ? from.real * WrittenScale(from.unit)
            : from.integer == kNoInt
                ? std::nan("")
                : static_cast<double>(from.integer) / static_cast<double>(to.divisor);
  to.text = from.text;
  to.texts = from.texts;
  return to;
}

tfprof::Result<const Emitter*> EmitterNamed(std::string_view name) {
  const Emitter* emitter = FindEmitter(name);
  if (emitter == nullptr) emitter = FindFileEmitter(name);
  // Samples are read once, by the command that writes them.
  if (emitter != nullptr && emitter->needs != Part::samples) return emitter;
  return UsageError("no format '" + std::string(name) + "'",
                    OneOf(std::string(name), NamesIn(Emitters())));
}

tfprof::Result<std::string> EmitText(Report::Behind& behind, std::string_view format,
                                     const EmitOptions& options) {
  TFPROF_ASSIGN(const Emitter* emitter, EmitterNamed(format));
  Context context;
  TFPROF_TRY(PrepareFor(*emitter, &behind.report, context));
  Query query = behind.query;
  query.display.format = emitter->name;
  const Style style{.columns = options.columns, .utf8 = options.utf8, .color = options.color};
  Sink text;
  TFPROF_TRY(emitter->emit(behind.report, query, style, text, context));
  return std::move(text.buffer);
}

}  // namespace

Report::Behind::Behind(tfprof::Report made, Query of)
    : report(std::move(made)), query(std::move(of)), view(report.view) {
  for (const tfprof::Table& table : report.tables) {
    tables.push_back(TableOf(table, query.display));
  }
  for (const tfprof::Property& property : report.properties) {
    if (!property.id.empty()) properties.push_back(PropertyOf(property));
  }
  for (const tfprof::Note& note : report.notes) {
    notes.push_back(
        {std::string(note.what.row->id), note.what.Text(), note.count, note.first_place});
  }
}

Report::Report(std::shared_ptr<Behind> behind) : behind_(std::move(behind)) {}
const std::string& Report::view() const { return behind_->view; }
const std::vector<Table>& Report::tables() const { return behind_->tables; }
const std::vector<Property>& Report::properties() const { return behind_->properties; }
const std::vector<Note>& Report::notes() const { return behind_->notes; }

const Table* Report::FindTable(std::string_view name) const {
  for (const Table& table : behind_->tables) {
    if (table.name == name) return &table;
  }
  return nullptr;
}

const Property* Report::FindProperty(std::string_view id) const {
  for (const Property& property : behind_->properties) {
    if (property.id == id) return &property;
  }
  return nullptr;
}

bool Column::IsAbsent(size_t row) const {
  return tfprof::IsAbsent(*static_cast<const ReportColumn*>(behind), row);
}

double Column::Real(size_t row) const {
  if (reals != nullptr) return reals[row] * scale;
  const int64_t value = integers[row * stride];
  return value == kAbsent ? std::nan("")
                          : static_cast<double>(value) / static_cast<double>(divisor);
}

std::string Column::Text(size_t row) const {
  std::string text;
  AppendPlain(*static_cast<const ReportColumn*>(behind), row, false, &text);
  return text;
}

Result<std::string> Emit(const Report& report, std::string_view format,
                         const EmitOptions& options) {
  return ToPublic(EmitText(report.behind(), format, options));
}

}  // namespace tfprof::v1
