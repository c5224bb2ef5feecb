// SPDX-License-Identifier: Apache-2.0
#include "core/report/row_blocks.h"

#include <algorithm>

namespace tfprof {
namespace {

// A list has no rows other than its cells. The texts of a block become invalid with it.
void TakeCells(const ReportColumn& from, size_t rows, TextPool* pool, ReportColumn* to) {
  switch (from.spec.type) {
    case CellType::integer:
    case CellType::boolean:
      for (size_t row = 0; row < rows; ++row) to->integers.push_back(from.Integer(row));
      break;
    case CellType::real:
      to->reals.insert(to->reals.end(), from.reals.begin(),
                       from.reals.begin() + static_cast<ptrdiff_t>(rows));
      break;
    case CellType::text:
      for (size_t row = 0; row < rows; ++row) {
        const std::string_view text = from.texts[row];
        to->texts.push_back(text.data() == nullptr ? text : pool->Keep(std::string(text)));
      }
      break;
    case CellType::texts:
    case CellType::tensor:
      break;  // not in blocks
  }
}

}  // namespace

Result<void> TakeBlocks(size_t most, Report* report, Context& context) {
  if (!report->blocks) return {};
  Table& table = report->tables[0];
  while (true) {
    TFPROF_ASSIGN(const Table* block, report->blocks(context));
    if (block == nullptr) break;
    const size_t taken = std::min(block->rows, most - std::min(most, table.rows));
    for (ReportColumn& column : table.columns) {
      const ReportColumn* from = block->Find(column.spec.id);
      if (from != nullptr) TakeCells(*from, taken, report->pool.get(), &column);
    }
    table.rows += taken;
    table.omitted_rows += static_cast<int64_t>(block->rows - taken);
  }
  report->blocks = {};
  return {};
}

}  // namespace tfprof
