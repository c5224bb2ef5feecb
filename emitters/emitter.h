// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string_view>

#include "core/base/context.h"
#include "core/base/sink.h"
#include "core/query/query.h"
#include "core/report/report.h"

namespace tfprof {

// What the place of the output can show.
struct Style {
  int columns = 80;  // width in cells; 0: unlimited (a pipe or a file)
  bool utf8 = true;
  bool color = false;
  bool numbered = false;  // rows of the first table have their number before them
};

// What an emitter needs of a report; the pipeline refuses in one place when it is absent.
enum class Part { rows, drawing, samples };

// One output format. Pure: the same report gives the same bytes.
struct Emitter {
  std::string_view name;  // what the user types after -format
  std::string_view summary;
  Part needs;
  Result<void> (*emit)(const Report& report, const Query& query, const Style& style, Sink& sink,
                       Context& context);
  bool streams = false;  // it takes Report::blocks; others are given tables that have all rows
};

// What -format chooses from.
std::span<const Emitter> Emitters();
const Emitter* FindEmitter(std::string_view name);

// Formats that fill a file of their own: of -output KIND:outfile=FILE and of the commands that
// write (cli/export/writing.h).
std::span<const Emitter> FileEmitters();
const Emitter* FindFileEmitter(std::string_view name);

}  // namespace tfprof
