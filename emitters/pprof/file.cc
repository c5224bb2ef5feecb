// SPDX-License-Identifier: Apache-2.0
#include "emitters/pprof/file.h"

#include "core/base/arith.h"
#include "core/base/wire_writer.h"
#include "emitters/cells.h"
#include "emitters/emitter.h"
#include "proto/pprof_fields.h"

namespace tfprof {
namespace {

template <class T>
void WritePacked(FieldNumber field, std::span<const T> values, WireWriter& out) {
  if (values.empty()) return;
  out.Message(field, [&] {
    for (const T value : values) out.Varint(static_cast<uint64_t>(value));
  });
}

constexpr PprofType kTypes[kMeasures] = {
    {Measure::bytes, "requested_bytes", "bytes"},
    {Measure::peak_bytes, "peak_bytes", "bytes"},
    {Measure::residual_bytes, "residual_bytes", "bytes"},
    {Measure::output_bytes, "output_bytes", "bytes"},
    {Measure::micros, "time", "nanoseconds"},
    {Measure::accelerator_micros, "accelerator", "nanoseconds"},
    {Measure::cpu_micros, "cpu", "nanoseconds"},
    {Measure::params, "params", "count"},
    {Measure::float_ops, "float_ops", "count"},
    {Measure::run_count, "runs", "count"},
    {Measure::definition_count, "defined", "count"},
    {Measure::node_count, "nodes", "count"},
};

}  // namespace

void WriteSampleType(PprofFile& file, std::string_view type, std::string_view unit) {
  WireWriter out(&file.sink.buffer);
  out.Message(field::pprof::Profile::sample_type, [&] {
    out.Int(field::pprof::ValueType::type, file.String(type));
    out.Int(field::pprof::ValueType::unit, file.String(unit));
  });
}

void WriteComment(PprofFile& file, std::string_view text) {
  WireWriter(&file.sink.buffer).Int(field::pprof::Profile::comment, file.String(text));
}

void WriteDefaultType(PprofFile& file, std::string_view default_type) {
  WireWriter(&file.sink.buffer)
      .Int(field::pprof::Profile::default_sample_type, file.String(default_type));
}

void WriteTimes(PprofFile& file, int64_t time_ns, int64_t duration_ns) {
  WireWriter out(&file.sink.buffer);
  out.Int(field::pprof::Profile::time_nanos, time_ns);
  out.Int(field::pprof::Profile::duration_nanos, duration_ns);
}

void WriteMapping(PprofFile& file, std::string_view name, bool has_lines) {
  file.has_mapping = true;
  WireWriter out(&file.sink.buffer);
  out.Message(field::pprof::Profile::mapping, [&] {
    out.Int(field::pprof::Mapping::id, 1);
    out.Int(field::pprof::Mapping::filename, file.String(name));
    out.Int(field::pprof::Mapping::has_functions, true);
    out.Int(field::pprof::Mapping::has_filenames, has_lines);
    out.Int(field::pprof::Mapping::has_line_numbers, has_lines);
    out.Int(field::pprof::Mapping::has_inline_frames, true);  // there are none to look up
  });
}

void WriteSample(PprofFile& file, std::span<const uint64_t> locations,
                 std::span<const int64_t> values, std::span<const PprofLabel> labels) {
  WireWriter out(&file.sink.buffer);
  out.Message(field::pprof::Profile::sample, [&] {
    WritePacked(field::pprof::Sample::location_id, locations, out);
    WritePacked(field::pprof::Sample::value, values, out);
    for (const PprofLabel& label : labels) {
      out.Message(field::pprof::Sample::label, [&] {
        out.Int(field::pprof::Label::key, label.key);
        out.Int(field::pprof::Label::str, label.text);
        out.Int(field::pprof::Label::num, label.number);
      });
    }
  });
}

Result<void> WriteTables(PprofFile& file, Context& context) {
  WireWriter out(&file.sink.buffer);
  TFPROF_TRY(EachRow(file.locations.size(), file.sink, context, [&](size_t i) {
    const PprofFile::Location& location = file.locations.keys()[i];
    out.Message(field::pprof::Profile::location, [&] {
      out.Int(field::pprof::Location::id, static_cast<int64_t>(i + 1));
      out.Int(field::pprof::Location::mapping_id, file.has_mapping);
      out.Message(field::pprof::Location::line, [&] {
        out.Int(field::pprof::Line::function_id, location.function);
        out.Int(field::pprof::Line::line, location.line);
      });
    });
  }));
  TFPROF_TRY(EachRow(file.functions.size(), file.sink, context, [&](size_t i) {
    const PprofFile::Function& function = file.functions.keys()[i];
    out.Message(field::pprof::Profile::function, [&] {
      out.Int(field::pprof::Function::id, static_cast<int64_t>(i + 1));
      out.Int(field::pprof::Function::name, function.name);
      out.Int(field::pprof::Function::filename, function.file);
      out.Int(field::pprof::Function::start_line, function.start_line);
    });
  }));
  return EachRow(file.strings.size(), file.sink, context, [&](size_t i) {
    out.Bytes(field::pprof::Profile::string_table, file.strings[NameId(i)]);
  });
}

std::vector<PprofType> PprofTypesOf(const Report& report) {
  std::vector<PprofType> all, recorded;
  for (const ReportColumn& column : report.tables[0].columns) {
    if (column.spec.role != ColumnRole::total || !column.spec.shown) continue;
    for (const PprofType& type : kTypes) {
      if (Info(type.measure).id != MeasureId(column)) continue;
      all.push_back(type);
      if (column.spec.unit == Unit::us) all.back().factor = kNsPerUs;
      if (column.spec.unit == Unit::ps_as_us) all.back().divisor = kPsPerUs / kNsPerUs;
      all.back().steps = column.spec.divisor;
      if (TotalOf(report, MeasureId(column)) != kNoInt) recorded.push_back(all.back());
    }
  }
  if (recorded.empty() && !all.empty()) recorded.push_back(all[0]);
  return recorded;
}

}  // namespace tfprof
