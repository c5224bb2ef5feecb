// SPDX-License-Identifier: Apache-2.0
// -output pprof:outfile=F of the code view, as the original writes it: a sample for each node of an
// innermost frame below a shown row without shown children, with the values 1 and the selected
// attribute. A location is a call: the caller's line and the called function. A row directly below
// the root has no location.
#include <unordered_map>

#include "core/base/sink.h"
#include "core/store/store.h"
#include "emitters/emitter.h"
#include "emitters/pprof/file.h"

namespace tfprof {
namespace {

// Returns the attribute of -select if it is one that the original has samples of.
Result<const AttributeInfo*> SelectedOf(const Display& display) {
  if (display.select.size() != 1) {
    return UsageError("-output pprof: can only select 1 attribute", Remedy::select_measure,
                      "; the command pprof writes several");
  }
  const AttributeInfo& info = Info(display.select[0]);
  if (info.measures > 0 && info.attribute != Attribute::occurrence) return &info;
  return UsageError("-output pprof: has no samples of -select " + std::string(info.name),
                    "choose an attribute of times, bytes, params or float_ops");
}

// Returns "train:function": the base name of the file, then the function.
std::string FunctionName(std::string_view file, std::string_view function) {
  std::string_view base = file.substr(file.rfind('/') + 1);  // npos + 1: the whole text
  base = base.substr(0, base.rfind('.'));
  return std::string(base) + ":" + std::string(function);
}

// The key of a location. The called function's file is not part of it; the first one stays.
struct Call {
  std::string_view caller_file;
  std::string_view function;
  int64_t line = 0;
  bool operator==(const Call&) const = default;
};
struct HashCall {
  size_t operator()(const Call& call) const {
    return HashPair(Hash(call.caller_file) ^ static_cast<uint64_t>(call.line), Hash(call.function));
  }
};

// Returns, by row, the location of the call that leads to it; 0: the caller is not a frame.
std::vector<uint64_t> Locations(const Table& table, PprofFile& file) {
  const ReportColumn& files = *table.Find("file");
  const ReportColumn& functions = *table.Find("function");
  const ReportColumn& lines = *table.Find("line");
  const ReportColumn& first_lines = *table.Find("function_line");
  std::unordered_map<Call, uint64_t, HashCall> known;
  std::vector<uint64_t> locations(table.rows, 0);
  for (size_t row = 0; row < table.rows; ++row) {
    const uint32_t caller = table.parent[row];
    if (caller == Table::kNoRow || files.texts[caller].data() == nullptr) continue;
    const Call call{files.texts[caller], functions.texts[row], lines.Integer(caller)};
    uint64_t& location = known[call];
    if (location == 0) {
      const uint64_t function = file.FunctionId(FunctionName(files.texts[row], call.function),
                                                files.texts[row], first_lines.Integer(row));
      location = file.LocationId(function, call.line);
    }
    locations[row] = location;
  }
  return locations;
}

void WriteOne(const Report& report, const StackSample& sample, Measure measure,
              std::span<const uint64_t> locations, uint64_t label_key, PprofFile& file) {
  const Table& table = report.tables[0];
  std::vector<uint64_t> path;
  for (uint32_t row = sample.row; row != Table::kNoRow && locations[row] != 0;) {
    path.push_back(locations[row]);
    row = table.parent[row];
  }
  const int64_t value = ZeroIfAbsent(At(sample.values, measure));  // the format has no absent ones
  const int64_t values[] = {1, IsTime(measure) ? value / report.scale.TimesPerUs() : value};
  const Node& node = report.store->nodes[sample.node.value];
  const PprofLabel label{label_key, file.String(report.store->Text(node.name))};
  WriteSample(file, path, values, {&label, 1});
}

Result<void> WriteSamples(const Report& report, Measure measure, PprofFile& file,
                          Context& context) {
  const std::vector<uint64_t> locations = Locations(report.tables[0], file);
  const uint64_t label_key = file.String("graph node:");
  return EachRow(report.samples, file.sink, context, [&](const StackSample& sample) {
    if (sample.innermost) WriteOne(report, sample, measure, locations, label_key, file);
  });
}

}  // namespace

Result<void> EmitClassicPprof(const Report& report, const Query& query, const Style&, Sink& sink,
                              Context& context) {
  TFPROF_ASSIGN(const AttributeInfo* selected, SelectedOf(query.display));
  GzipSink gzip(sink);
  PprofFile file(gzip.sink());
  WriteSampleType(file, "count", "count");
  const Unit unit = selected->unit;
  WriteSampleType(file, selected->name,
                  unit == Unit::us      ? "microseconds"
                  : unit == Unit::bytes ? "bytes"
                                        : "count");
  WriteComment(file, selected->meaning);
  TFPROF_TRY(WriteSamples(report, selected->first_measure, file, context));
  TFPROF_TRY(WriteTables(file, context));
  return gzip.Finish();
}

}  // namespace tfprof
