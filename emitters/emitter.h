// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

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
enum class Part { rows, named_rows, drawing, samples };

// One output format. Pure: the same report gives the same bytes.
struct Emitter {
  std::string_view name;  // the value of -format
  std::string_view summary;
  Part needs;
  Result<void> (*emit)(const Report& report, const Query& query, const Style& style, Sink& sink,
                       Context& context);
  bool streams = false;  // reads Report::blocks; other emitters get tables with all rows
};

// The formats of -format.
std::span<const Emitter> Emitters();
const Emitter* FindEmitter(std::string_view name);

// Formats that write a separate file: those of -output KIND:outfile=FILE and of the export commands
// (cli/export/writing.h).
std::span<const Emitter> FileEmitters();
const Emitter* FindFileEmitter(std::string_view name);

}  // namespace tfprof
