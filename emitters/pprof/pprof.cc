// SPDX-License-Identifier: Apache-2.0
// The file of the command pprof, for `go tool pprof` (not compressed here). Rows are frames, each
// with its own file, line and function if the view has them. A row's samples add up to its total
// minus the totals of its shown children, so all samples add up to the whole. Each graph node of a
// row is one sample, labeled with the node. The rest of the row is a sample without labels, as is
// the part that no row covers (emitters/cells.h). Times are in nanoseconds. Measures that were
// not recorded have no sample type.
#include <map>

#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "emitters/pprof/file.h"
#include "emitters/printable.h"

namespace tfprof {
namespace {

// Beyond this limit pprof needs gigabytes: nodes of one row, type and device share a sample.
constexpr size_t kMaxLabeledNodes = 200'000;

void WriteHead(const Report& report, const std::vector<PprofType>& types, PprofFile& file) {
  const Table& table = report.tables[0];
  for (const PprofType& type : types) WriteSampleType(file, type.name, type.unit);
  if (!types.empty()) WriteDefaultType(file, types[0].name);
  const Recording& recording = report.recording;
  if (!recording.command.empty()) WriteComment(file, "tfprof " + PrintableText(recording.command));
  // pprof prints comments before every answer, so there are no definitions of the types.
  const Property* values = report.Find("step");
  if (values != nullptr && !values->display_text.empty()) {
    WriteComment(file, "values: " + PrintableText(values->display_text));
  }
  WriteTimes(file, recording.start_ns, recording.span_ns);
  const bool has_lines = table.Find("line") != nullptr;
  const auto& sources = report.store->sources;
  WriteMapping(file, sources.empty() ? "tfprof" : PrintableText(sources[0].path), has_lines);
}

// Returns each row's own part: its total minus the totals of its children; absent totals count as
// 0.
Result<Column<MeasureValues>> Remainders(const Table& table, Context& context) {
  Column<MeasureValues> left;
  left.Resize(table.rows);
  for (const MeasureInfo& info : AllMeasures()) {
    const ReportColumn* totals = table.Find("total_" + std::string(info.id));
    if (totals == nullptr) continue;
    for (size_t row = 0; row < table.rows; ++row) {
      if (row % 4096 == 0) TFPROF_TRY(Poll(context));
      const int64_t total = totals->Integer(row);
      if (total == kNoInt) continue;
      int64_t& own = At(left[row], info.measure);
      own = WrapAdd(own, total);
      if (!table.tree || table.parent[row] == Table::kNoRow) continue;
      int64_t& above = At(left[table.parent[row]], info.measure);
      above = WrapAdd(above, -total);
    }
  }
  return left;
}

// State of writing one report's samples to a file.
struct Sampling {
  const Report& report;
  const Table& table;
  PprofFile& file;
  std::vector<PprofType> types;
  std::vector<uint64_t> locations;  // by row
  Column<MeasureValues> left;       // by row: the part not yet written in samples
  bool names_nodes = true;
  PprofLabel step;
  uint64_t node_key, device_key, type_key;

  // Nodes of one row that share a sample.
  struct Group {
    NameId type;
    std::vector<LaneId> devices;
    auto operator<=>(const Group&) const = default;
  };
  uint32_t group_row = Table::kNoRow;
  std::map<Group, MeasureValues> groups;
};

Result<std::vector<uint64_t>> RowLocations(const Table& table, PprofFile& file, Context& context) {
  const ReportColumn& names = *table.Find("name");
  const ReportColumn* files = table.Find("file");
  std::vector<uint64_t> locations(table.rows);
  for (size_t row = 0; row < table.rows; ++row) {
    if (row % 4096 == 0) TFPROF_TRY(Poll(context));
    const bool is_root = table.tree && row == 0;
    if (files == nullptr || is_root) {
      const std::string name = is_root ? std::string(kNotShown) : PrintableText(names.texts[row]);
      locations[row] = file.LocationId(file.FunctionId(name, {}, 0), 0);
      continue;
    }
    const uint64_t function = file.FunctionId(PrintableText(table.Find("function")->texts[row]),
                                              PrintableText(files->texts[row]),
                                              table.Find("function_line")->Integer(row));
    locations[row] = file.LocationId(function, table.Find("line")->Integer(row));
  }
  return locations;
}

void WriteValues(Sampling& sampling, std::span<const uint64_t> path, const MeasureValues& values,
                 std::span<const PprofLabel> labels) {
  std::vector<int64_t> sample_values;
  bool any = false;
  for (const PprofType& type : sampling.types) {
    const int64_t value = WrapMul(At(values, type.measure), type.factor);
    sample_values.push_back(RoundedQuotient(value, type.divisor, type.steps));
    any |= sample_values.back() != 0;
  }
  if (any) WriteSample(sampling.file, path, sample_values, labels);
}

// Returns the locations of a row, innermost first.
std::vector<uint64_t> PathOf(const Sampling& sampling, uint32_t row) {
  std::vector<uint64_t> path{sampling.locations[row]};
  const Table& table = sampling.table;
  while (table.tree && table.parent[row] != Table::kNoRow && table.parent[row] != 0) {
    row = table.parent[row];
    path.push_back(sampling.locations[row]);
  }
  return path;
}

void WriteGroup(Sampling& sampling, uint32_t row, NodeId node, const Sampling::Group& group,
                const MeasureValues& values) {
  const Store& store = *sampling.report.store;
  PprofFile& file = sampling.file;
  std::vector<PprofLabel> labels{sampling.step};
  const auto label = [&](uint64_t key, NameId text) {
    if (text.some()) labels.push_back({key, file.String(PrintableText(store.Text(text)))});
  };
  label(sampling.type_key, group.type);
  for (const LaneId device : group.devices) {
    label(sampling.device_key, store.lanes[device.value].display);
  }
  if (node.some()) label(sampling.node_key, store.nodes[node.value].name);
  WriteValues(sampling, PathOf(sampling, row), values, labels);
}

void WriteGroups(Sampling& sampling) {
  for (const auto& [group, values] : sampling.groups) {
    WriteGroup(sampling, sampling.group_row, {}, group, values);
  }
  sampling.groups.clear();
}

// `values`: the node's contribution to the row's sums.
void AddNode(Sampling& sampling, uint32_t row, NodeId node, const MeasureValues& values) {
  const Report& report = sampling.report;
  Sampling::Group group{report.store->nodes[node.value].type, {}};
  if (const auto& lanes = report.node_facts.counting_lane) {
    lanes->Each(node, [&](LaneId lane) { group.devices.push_back(lane); });
  }
  for (size_t i = 0; i < kMeasures; ++i) {
    sampling.left[row][i] = WrapAdd(sampling.left[row][i], -values[i]);
  }
  if (sampling.names_nodes) return WriteGroup(sampling, row, node, group, values);
  if (row != sampling.group_row) WriteGroups(sampling);
  sampling.group_row = row;
  MeasureValues& sum = sampling.groups[std::move(group)];
  for (size_t i = 0; i < kMeasures; ++i) sum[i] = WrapAdd(sum[i], values[i]);
}

MeasureValues Counted(const StackSample& sample) {
  MeasureValues values = sample.values;
  for (size_t i = 0; i < kMeasures; ++i) {
    if (values[i] == kNoInt) values[i] = 0;
    const auto measure = static_cast<Measure>(i);
    const bool once = measure == Measure::run_count || measure == Measure::definition_count;
    if (!once) values[i] = WrapMul(values[i], sample.times);
  }
  return values;
}

Result<void> WriteStackSamples(Sampling& sampling, Context& context) {
  const auto add = [&](const StackSample& sample) {
    AddNode(sampling, sample.row, sample.node, Counted(sample));
  };
  TFPROF_TRY(EachRow(sampling.report.samples, sampling.file.sink, context, add));
  WriteGroups(sampling);
  return {};
}

Result<void> WriteRowNodes(Sampling& sampling, Context& context) {
  const Table& table = sampling.table;
  sampling.names_nodes = true;  // there are as many nodes as rows
  return EachRow(table.node.size(), sampling.file.sink, context, [&](size_t at) {
    const auto row = static_cast<uint32_t>(at);
    if (!table.node[row].some()) return;
    AddNode(sampling, row, table.node[row],
            Counted({row, table.node[row], table.self_values[row]}));
  });
}

Result<void> WriteRest(Sampling& sampling, Context& context) {
  return EachRow(sampling.table.PrintedRows(), sampling.file.sink, context, [&](size_t row) {
    const MeasureValues& left = sampling.left[row];
    if (left == MeasureValues{}) return;
    WriteValues(sampling, PathOf(sampling, static_cast<uint32_t>(row)), left, {&sampling.step, 1});
  });
}

void WriteOutside(Sampling& sampling) {
  constexpr std::pair<std::string_view, int64_t (*)(const Report&, std::string_view)> kParts[] = {
      {kNotShown, OutsideRows}, {kUntraced, Untraced}};
  for (const auto& [name, part] : kParts) {
    MeasureValues values{};
    for (const PprofType& type : sampling.types) {
      At(values, type.measure) = part(sampling.report, Info(type.measure).id);
    }
    if (values == MeasureValues{}) continue;
    PprofFile& file = sampling.file;
    const uint64_t location = file.LocationId(file.FunctionId(name, {}, 0), 0);
    WriteValues(sampling, {&location, 1}, values, {&sampling.step, 1});
  }
}

PprofLabel StepLabel(const Report& report, PprofFile& file) {
  const Property* step = report.Find("step");
  if (step == nullptr) return {};
  const bool number = step->type == CellType::integer;
  return {file.String("step"), file.String(number ? std::to_string(step->integer) : step->text)};
}

}  // namespace

Result<void> EmitPprof(const Report& report, const Query&, const Style&, Sink& sink,
                       Context& context) {
  const Table& table = report.tables[0];
  PprofFile file(sink);
  const std::vector<PprofType> types = PprofTypesOf(report);
  WriteHead(report, types, file);
  TFPROF_ASSIGN(std::vector<uint64_t> locations, RowLocations(table, file, context));
  TFPROF_ASSIGN(Column<MeasureValues> left, Remainders(table, context));
  Sampling sampling{report, table, file, types, std::move(locations), std::move(left)};
  sampling.names_nodes = report.store->nodes.size() <= kMaxLabeledNodes;
  sampling.step = StepLabel(report, file);
  sampling.node_key = file.String("node");
  sampling.device_key = file.String("device");
  sampling.type_key = file.String("op_type");
  if (report.samples) {
    TFPROF_TRY(WriteStackSamples(sampling, context));
  } else {
    TFPROF_TRY(WriteRowNodes(sampling, context));
  }
  TFPROF_TRY(WriteRest(sampling, context));
  WriteOutside(sampling);
  return WriteTables(file, context);
}

}  // namespace tfprof
