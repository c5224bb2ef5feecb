// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "core/base/context.h"
#include "core/base/hash.h"
#include "core/base/sink.h"
#include "core/report/report.h"
#include "core/store/names.h"

// A pprof profile (proto/pprof.proto), written as a stream: samples at once, the tables that they
// refer to at the end. Memory grows with the tables only.

namespace tfprof {

struct PprofFile {
  explicit PprofFile(Sink& to) : sink(to) {}

  struct Function {
    uint64_t name = 0;
    uint64_t file = 0;
    int64_t start_line = 0;
    bool operator==(const Function&) const = default;
    uint64_t Hash() const {
      return HashPair(name << 32 ^ file, static_cast<uint64_t>(start_line) << 1);
    }
  };
  struct Location {
    uint64_t function = 0;
    int64_t line = 0;
    bool operator==(const Location&) const = default;
    uint64_t Hash() const { return HashPair(function, static_cast<uint64_t>(line) << 1); }
  };

  Sink& sink;
  Names strings;
  GroupIndex<Function> functions;  // an id is the number plus 1
  GroupIndex<Location> locations;
  bool has_mapping = false;

  // Return the numbers of their arguments and add new ones; text 0 is the empty one.
  uint64_t String(std::string_view text) { return strings.Intern(text).value; }
  uint64_t FunctionId(std::string_view name, std::string_view file, int64_t start_line) {
    return functions.Of({String(name), String(file), start_line}) + uint64_t{1};
  }
  uint64_t LocationId(uint64_t function, int64_t line) {
    return locations.Of({function, line}) + uint64_t{1};
  }
};

struct PprofLabel {
  uint64_t key = 0;  // of PprofFile::String
  uint64_t text = 0;
  int64_t number = 0;  // if there is no text
};

void WriteSampleType(PprofFile& file, std::string_view type, std::string_view unit);
void WriteComment(PprofFile& file, std::string_view text);
// `default_type`: name of one of the sample types.
void WriteDefaultType(PprofFile& file, std::string_view default_type);
void WriteTimes(PprofFile& file, int64_t time_ns, int64_t duration_ns);  // 0: not known
// Writes the mapping of all locations. REQUIRES: called before the first sample.
void WriteMapping(PprofFile& file, std::string_view name, bool has_lines);

// `locations`: innermost first. The caller flushes the sink between samples.
void WriteSample(PprofFile& file, std::span<const uint64_t> locations,
                 std::span<const int64_t> values, std::span<const PprofLabel> labels);

// Writes the tables, last. Errors: that of the sink, cancelled.
Result<void> WriteTables(PprofFile& file, Context& context);

// A value type of a pprof sample.
struct PprofType {
  Measure measure;
  std::string_view name;
  std::string_view unit;  // a unit that pprof can scale
  // The value of a sample is the measure's times `factor`, divided by both divisors.
  int64_t factor = 1;
  int64_t divisor = 1;
  int64_t steps = 1;  // ColumnSpec::divisor
};

// Returns the types of the recorded totals in the first table; if none was recorded, the first one,
// since pprof rejects a file without types.
std::vector<PprofType> PprofTypesOf(const Report& report);

}  // namespace tfprof
