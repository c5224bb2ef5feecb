// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/report/report.h"

namespace tfprof {

// What a flame graph draws: the rows of a report as boxes, each as wide as what it stands for, its
// children next to each other below it.
struct FlameFrame {
  uint32_t row = Table::kNoRow;  // of the report's first table; none for made-up frames
  uint32_t depth = 0;            // number of ancestors
  uint32_t end = 0;              // its subtree is frames [frame, end)
  int64_t total = 0;             // > 0; at least the sum of its children
  int64_t self = 0;              // total without its children
  uint32_t small = 0;            // not 0: stands for so many frames that CutSmall took away
};

struct Flame {
  Measure measure = Measure::micros;
  std::string_view title;  // of the measure: time, requested, ...
  Unit unit = Unit::none;
  std::vector<FlameFrame> frames;  // depth-first; the first is the whole, even when that is 0
  int64_t negative = 0;            // rows whose own part is below 0, which cannot be drawn
};

// The frames of the first selected measure that the profile has. Rows of nothing are left out. What
// no row has (emitters/outside.h) is a part of the whole: the untraced a frame without row below
// it, other parts its self.
Result<Flame> FlameOf(const Report& report, Context& context);

// Puts one frame, "(12 small)", in place of the children of a frame that are below `least`. Returns
// how many frames are gone.
size_t CutSmall(int64_t least, Flame* flame);
// A `least` for which at most about `most` frames remain.
int64_t LeastToKeep(const Flame& flame, size_t most);

// What is written on a frame: the last part of a scope's name, else the whole name. Printable.
std::string FrameLabel(const Report& report, const FlameFrame& frame);
// Its full name. Printable.
std::string FrameName(const Report& report, const FlameFrame& frame);
// What frames are coloured by: the operation type, of code the file; empty for made-up ones.
std::string FrameKind(const Report& report, const FlameFrame& frame);
// By frame: its kind, or where it has none the one that most of what is below it has.
std::vector<std::string> MostlyKinds(const Report& report, const Flame& flame);
// The device that counts for all of the row's own nodes; empty: none, or several.
std::string FrameDevice(const Report& report, const FlameFrame& frame);
// Runs of the row and what is below it; kNoInt: not recorded.
int64_t FrameRuns(const Report& report, const FlameFrame& frame);

// "Time by line of code, average of 3 steps".
std::string FlameTitle(const Report& report, const Flame& flame);
// What the whole counts: us, bytes, params, flops, runs or nodes.
std::string_view FlameUnit(const Flame& flame);
std::string FlameAmount(const Flame& flame, int64_t value);  // with its unit: "1.50 ms", "3 runs"
// What a reader should know: what was cut (`cut` frames below `least`), and the report's notes.
std::vector<std::string> FlameNotes(const Report& report, const Flame& flame, size_t cut,
                                    int64_t least);
// The files that the profile was read from, the first by name. Printable.
std::string FlameSources(const Report& report);

}  // namespace tfprof
