// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// Capabilities of the output device.
struct Style {
  int columns = 80;  // width in cells; 0: unlimited (a pipe or a file)
  bool utf8 = true;
  bool color = false;
  bool numbered = false;  // prints row numbers in the first table
};

// The part of a report that an emitter needs; the pipeline rejects reports without it in one place.
// named_rows: rows with a column `name`.
enum class Part { rows, named_rows, trace_export, samples };

// Writes a report in a format.
using EmitFormat = Result<void>(const Report& report, const Query& query, const Style& style,
                                Sink& sink, Context& context);

// One output format. Pure: the same report gives the same bytes.
struct Emitter {
  std::string_view name;  // the value of -format
  std::string_view summary;
  Part needs;
  EmitFormat* emit;
  bool streams = false;  // reads Report::blocks; other emitters get tables with all rows
};

// The formats of -format.
std::span<const Emitter> Emitters();
const Emitter* FindEmitter(std::string_view name);

// Formats that write a separate file: those of -output KIND:outfile=FILE and of the export commands
// (cli/export/writing.h).
std::span<const Emitter> FileEmitters();
const Emitter* FindFileEmitter(std::string_view name);

// The functions of the formats; each one's file documents its format.
EmitFormat EmitTable, EmitClassic, EmitCsv, EmitTsv, EmitJson, EmitJsonLines, EmitDot, EmitMarkdown,
    EmitText;
EmitFormat EmitClassicPprof, EmitClassicTimeline, EmitFlameHtml, EmitFlameSvg, EmitFolded,
    EmitPprof;
EmitFormat EmitProto, EmitSpeedscope;

// Calls take(row), which may fail, for all rows of a cursor, if there is one.
template <class T, class Take>
Result<void> EachRow(const Cursor<T>& cursor, Context& context, Take take) {
  if (!cursor) return {};
  std::vector<T> block(1024);
  while (const size_t filled = cursor(block)) {
    TFPROF_TRY(Poll(context));
    for (const T& row : std::span(block).first(filled)) TFPROF_TRY(take(row));
  }
  return {};
}

// Likewise with append(row); writes out the sink between rows.
template <class T, class Append>
Result<void> EachRow(const Cursor<T>& cursor, Sink& sink, Context& context, Append append) {
  return EachRow(cursor, context, [&](const T& row) -> Result<void> {
    append(row);
    return sink.MaybeFlush();
  });
}

// Calls append(row) for the rows [0, rows); writes out the sink between rows.
template <class Append>
Result<void> EachRow(size_t rows, Sink& sink, Context& context, Append append) {
  for (size_t row = 0; row < rows; ++row) {
    if (row % kCostlyRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    append(row);
    TFPROF_TRY(sink.MaybeFlush());
  }
  return {};
}

// Turns an answer into bytes; the only way to do so.

// Checks that the report has the part that the emitter needs. Unless the emitter takes rows in
// blocks, moves the first 10,000 of them into the table; a note reports when there are
// more. Errors: usage (the view has no such part), those of the blocks.
Result<void> PrepareFor(const Emitter& emitter, Report* report, Context& context);

// PrepareFor, then Emitter::emit.
Result<void> Emit(const Emitter& emitter, Report report, const Query& query, const Style& style,
                  Sink& sink, Context& context);

}  // namespace tfprof
