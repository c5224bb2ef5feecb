// SPDX-License-Identifier: Apache-2.0
#include "emitters/pprof/file.h"

namespace tfprof {
namespace {

// Field numbers of proto/pprof.proto.
enum ProfileField { kSampleType = 1, kSample = 2, kMapping = 3, kLocation = 4, kFunction = 5 };
constexpr int kStringTable = 6, kTimeNanos = 9, kDurationNanos = 10, kComment = 13;
constexpr int kDefaultSampleType = 14;

constexpr int kVarint = 0, kBytes = 2;

void AppendVarint(uint64_t value, std::string* out) {
  for (; value >= 0x80; value >>= 7) out->push_back(static_cast<char>(value | 0x80));
  out->push_back(static_cast<char>(value));
}

void AppendTag(int field, int wire_type, std::string* out) {
  AppendVarint(static_cast<uint64_t>(field << 3 | wire_type), out);
}

// As in proto3, a number of 0 is left out.
void AppendNumber(int field, uint64_t value, std::string* out) {
  if (value == 0) return;
  AppendTag(field, kVarint, out);
  AppendVarint(value, out);
}

void AppendSigned(int field, int64_t value, std::string* out) {
  AppendNumber(field, static_cast<uint64_t>(value), out);
}

void AppendBytes(int field, std::string_view bytes, std::string* out) {
  AppendTag(field, kBytes, out);
  AppendVarint(bytes.size(), out);
  out->append(bytes);
}

template <class T>
void AppendPacked(int field, std::span<const T> values, std::string* scratch, std::string* out) {
  if (values.empty()) return;
  scratch->clear();
  for (const T value : values) AppendVarint(static_cast<uint64_t>(value), scratch);
  AppendBytes(field, *scratch, out);
}

// A message of the profile: `fill` appends its fields.
template <class Fill>
void WriteMessage(PprofFile& file, int field, Fill fill) {
  std::string& message = file.scratch[0];
  message.clear();
  fill(&message);
  AppendBytes(field, message, &file.sink.buffer);
}

}  // namespace

uint64_t PprofFile::String(std::string_view text) {
  const auto known = string_ids.find(text);
  if (known != string_ids.end()) return known->second;
  const auto at = string_ids.emplace(text, strings.size()).first;
  strings.push_back(&at->first);
  return at->second;
}

uint64_t PprofFile::FunctionId(std::string_view name, std::string_view file, int64_t start_line) {
  const Function key{String(name), String(file), start_line};
  const auto [at, is_new] = function_ids.try_emplace(key, functions.size() + 1);
  if (is_new) functions.push_back(key);
  return at->second;
}

uint64_t PprofFile::LocationId(uint64_t function, int64_t line) {
  const Location key{function, line};
  const auto [at, is_new] = location_ids.try_emplace(key, locations.size() + 1);
  if (is_new) locations.push_back(key);
  return at->second;
}

void WriteSampleType(PprofFile& file, std::string_view type, std::string_view unit) {
  WriteMessage(file, kSampleType, [&](std::string* out) {
    AppendNumber(1, file.String(type), out);
    AppendNumber(2, file.String(unit), out);
  });
}

void WriteComment(PprofFile& file, std::string_view text) {
  AppendNumber(kComment, file.String(text), &file.sink.buffer);
}

void WriteDefaultType(PprofFile& file, std::string_view default_type) {
  AppendNumber(kDefaultSampleType, file.String(default_type), &file.sink.buffer);
}

void WriteTimes(PprofFile& file, int64_t time_ns, int64_t duration_ns) {
  AppendSigned(kTimeNanos, time_ns, &file.sink.buffer);
  AppendSigned(kDurationNanos, duration_ns, &file.sink.buffer);
}

void WriteMapping(PprofFile& file, std::string_view name, bool has_lines) {
  file.has_mapping = true;
  WriteMessage(file, kMapping, [&](std::string* out) {
    AppendNumber(1, 1, out);
    AppendNumber(5, file.String(name), out);
    AppendNumber(7, 1, out);  // has_functions
    AppendNumber(8, has_lines, out);
    AppendNumber(9, has_lines, out);
    AppendNumber(10, 1, out);  // has_inline_frames: there are none to look up
  });
}

void WriteSample(PprofFile& file, std::span<const uint64_t> locations,
                 std::span<const int64_t> values, std::span<const PprofLabel> labels) {
  std::string& part = file.scratch[1];
  WriteMessage(file, kSample, [&](std::string* out) {
    AppendPacked(1, locations, &part, out);
    AppendPacked(2, values, &part, out);
    for (const PprofLabel& label : labels) {
      part.clear();
      AppendNumber(1, label.key, &part);
      AppendNumber(2, label.text, &part);
      AppendSigned(3, label.number, &part);
      AppendBytes(3, part, out);
    }
  });
}

Result<void> WriteTables(PprofFile& file, Context& context) {
  for (size_t i = 0; i < file.locations.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    const PprofFile::Location& location = file.locations[i];
    WriteMessage(file, kLocation, [&](std::string* out) {
      AppendNumber(1, i + 1, out);
      AppendNumber(2, file.has_mapping, out);
      std::string& line = file.scratch[1];
      line.clear();
      AppendNumber(1, location.function, &line);
      AppendSigned(2, location.line, &line);
      AppendBytes(4, line, out);
    });
    TFPROF_TRY(file.sink.MaybeFlush());
  }
  for (size_t i = 0; i < file.functions.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    const PprofFile::Function& function = file.functions[i];
    WriteMessage(file, kFunction, [&](std::string* out) {
      AppendNumber(1, i + 1, out);
      AppendNumber(2, function.name, out);
      AppendNumber(4, function.file, out);
      AppendSigned(5, function.start_line, out);
    });
    TFPROF_TRY(file.sink.MaybeFlush());
  }
  for (size_t i = 0; i < file.strings.size(); ++i) {
    if (i % 4096 == 0) TFPROF_TRY(Poll(context));
    AppendBytes(kStringTable, *file.strings[i], &file.sink.buffer);
    TFPROF_TRY(file.sink.MaybeFlush());
  }
  return {};
}

}  // namespace tfprof
