// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/base/result.h"
#include "core/base/sink.h"
#include "core/report/report.h"

namespace tfprof {

// A flame graph: the rows of a report as boxes, each as wide as its value, with its children next
// to each other below it.
struct FlameFrame {
  uint32_t row = Table::kNoRow;  // row of the report's first table; kNoRow for synthetic frames
  uint32_t depth = 0;            // number of ancestors
  uint32_t end = 0;              // its subtree is frames [frame, end)
  int64_t total = 0;             // > 0; at least the sum of its children
  int64_t self = 0;              // total minus its children
  uint32_t small = 0;            // if not 0: replaces this many frames that CutSmall removed
  // The same frame of the base, in the unit of `total`; 0: it has none. Only if there is a base.
  double base_total = 0;
  double base_self = 0;
};

// A frame that only the base has, with self value.
struct GoneFrame {
  std::string path;  // labels, joined by ;
  double self = 0;
};

struct Flame {
  Measure measure = Measure::micros;
  std::string_view title;  // title of the measure: time, requested, ...
  Unit unit = Unit::none;
  int64_t divisor = 1;             // of totals and self values, as ColumnSpec::divisor
  std::vector<FlameFrame> frames;  // depth-first; the first is the whole, even if it is 0
  int64_t negative = 0;            // rows with negative self value, which cannot be drawn
  bool has_base = false;           // a flame graph of changes
  std::vector<GoneFrame> gone;
};

// Returns the frames of the first selected measure that was recorded. With Report::base, frames are
// as wide as in this profile, and have the values of the base. Error: usage, the base has no such
// measure. Rows with value 0 are left
// out. Parts that no row covers (emitters/cells.h) belong to the whole: untraced becomes a frame
// without a row, other parts its self value.
Result<Flame> FlameOf(const Report& report, Context& context);

// Replaces the children of a frame that are below `min` with one frame, "(12 small)". Returns how
// many frames were removed.
size_t CutSmall(int64_t min, Flame* flame);
// Returns a `min` for which at most about `max` frames remain.
int64_t MinToKeep(const Flame& flame, size_t max);

// Sets the values of the base, and the frames that only the base has. Frames pair by their paths of
// names; equal names by their order.
Result<void> AddBase(const Report& report, Flame* flame, Context& context);

// How much the total changed: 1 doubled or new, -1 halved or less, 0 the same.
double ChangeOf(const FlameFrame& frame);
// Returns "+1.50 ms, +12.0%"; without a base value only the amount.
std::string ChangeText(const Flame& flame, const FlameFrame& frame);

// Appends a label so that `;` separates labels: a `;` within it becomes \x3b.
void AppendFoldedLabel(const Report& report, const FlameFrame& frame, std::string* out);

// Returns the label of a frame: the last part of a scope's name, else the whole name. Printable.
std::string FrameLabel(const Report& report, const FlameFrame& frame);
// Returns the full name. Printable.
std::string FrameName(const Report& report, const FlameFrame& frame);
// Returns the key of a frame's color: the operation type, in code the file; empty for synthetic
// frames.
std::string FrameKind(const Report& report, const FlameFrame& frame);
// Returns each frame's kind, or, if it has none, the kind with the largest total below it.
std::vector<std::string> DominantKinds(const Report& report, const Flame& flame);
// Returns the device that counts for all nodes of the row itself; empty: none or several.
std::string FrameDevice(const Report& report, const FlameFrame& frame);
// Returns the runs of the row and all rows below it; kNoInt: not recorded.
int64_t FrameRuns(const Report& report, const FlameFrame& frame);

// Returns "Time by line of code, average of 3 steps".
std::string FlameTitle(const Report& report, const Flame& flame);
// Returns the unit of the whole: us, bytes, params, flops, runs or nodes.
std::string_view FlameUnit(const Flame& flame);
std::string FlameAmount(const Flame& flame, int64_t value);  // with its unit: "1.50 ms", "3 runs"
// Returns the notes of the graph: what was cut (`cut` frames below `min`), and the report's
// notes.
std::vector<std::string> FlameNotes(const Report& report, const Flame& flame, size_t cut,
                                    int64_t min);
// Returns the files that the profile was read from, ordered by name. Printable.
std::string FlameSources(const Report& report);

// Appends a printable text so that neither HTML nor XML interprets any part of it, between tags or
// in attributes. The two code points that XML forbids in any form become \xNN.
void AppendMarkup(std::string_view text, std::string* out);

// Writes what a page of a flame graph draws: JSON, as emitters/flame/model.js reads it. Errors: as
// FlameOf.
Result<void> EmitFlameData(const Report& report, Sink& sink, Context& context);

}  // namespace tfprof
