// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/answer.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "core/report/refine.h"
#include "emitters/table/layout.h"
#include "emitters/table/parts.h"

namespace tfprof {
namespace {

constexpr int64_t kMinRows = 4;  // min rows of a table that has them
constexpr int kMaxTries = 4;     // cutting rows changes the lines below them

// Returns the row counts in ascending order.
std::vector<int64_t> RowsOfTables(const Report& report, const Display& display) {
  std::vector<int64_t> rows;
  for (const Table* table : TablesForHumans(report, display)) {
    rows.push_back(static_cast<int64_t>(table->rows));
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

// The total number of rows with which the answer has `lines` lines. Less than `kMinRows` per table:
// it does not fit.
Result<int64_t> RowsForLines(const Query& query, const Emitter& emitter, const Style& style,
                             int64_t lines, const Report& report, Context& context) {
  Sink text;
  TFPROF_TRY(emitter.emit(report, query, style, text, context));
  const int64_t is = std::count(text.buffer.begin(), text.buffer.end(), '\n');
  const std::vector<int64_t> rows = RowsOfTables(report, query.display);
  const int64_t shown = std::accumulate(rows.begin(), rows.end(), int64_t{0});
  if (is <= lines) return shown;
  int64_t counts = 0;  // new "more rows" lines
  for (const Table* table : TablesForHumans(report, query.display)) {
    counts += table->omitted_rows == 0 && static_cast<int64_t>(table->rows) > kMinRows ? 1 : 0;
  }
  return shown - (is - lines) - counts;
}

// Returns true if a table that may be cut has rows of varying line counts.
bool CutsCards(const Report& report, const Display& display) {
  const std::vector<const Table*> tables = TablesForHumans(report, display);
  return std::any_of(tables.begin(), tables.end(), [&](const Table* table) {
    return static_cast<int64_t>(table->rows) > kMinRows && IsCards(*table, display);
  });
}

}  // namespace

int64_t RowsOfEach(const Report& report, const Display& display, int64_t max, int64_t min) {
  const std::vector<int64_t> rows = RowsOfTables(report, display);
  int64_t left = max;
  for (size_t i = 0; i < rows.size(); ++i) {
    const auto tables = static_cast<int64_t>(rows.size() - i);
    if (rows[i] * tables > left) return std::max(left / tables, std::min(min, max));
    left -= rows[i];
  }
  return max;
}

Result<void> FitLines(const Query& query, const Emitter& emitter, const Style& style, int64_t lines,
                      Report* report, Context& context) {
  if (CutsCards(*report, query.display)) return {};
  for (int i = 0; i < kMaxTries; ++i) {
    TFPROF_ASSIGN(const int64_t max, RowsForLines(query, emitter, style, lines, *report, context));
    int64_t shown = 0;
    int64_t fewest = 0;
    for (const int64_t rows : RowsOfTables(*report, query.display)) {
      shown += rows;
      fewest += std::min(rows, kMinRows);
    }
    if (max >= shown || max < fewest) return {};
    Display cut;
    cut.rows = RowsOfEach(*report, query.display, max, kMinRows);
    TFPROF_TRY(Refine(*report, cut));
    CutFollowing(cut.rows, report);
  }
  return {};
}

}  // namespace tfprof
