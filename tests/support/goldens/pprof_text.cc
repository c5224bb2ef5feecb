// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/pprof_text.h"

#include <fmt/core.h>

#include <iterator>
#include <map>

namespace tfprof {
namespace {

const std::string& TextOf(const pb::pprof::Profile& profile, int64_t id) {
  return profile.string_table(static_cast<int>(id));
}

// "function@file:line" by location id.
std::map<uint64_t, std::string> Locations(const pb::pprof::Profile& profile) {
  std::map<uint64_t, const pb::pprof::Function*> functions;
  for (const auto& function : profile.function()) functions[function.id()] = &function;
  std::map<uint64_t, std::string> locations;
  for (const auto& location : profile.location()) {
    const auto* function = functions.at(location.line(0).function_id());
    std::string& text = locations[location.id()];
    text = TextOf(profile, function->name());
    const std::string& file = TextOf(profile, function->filename());
    if (!file.empty()) text += fmt::format("@{}:{}", file, location.line(0).line());
  }
  return locations;
}

}  // namespace

std::vector<std::string> PprofTypes(const pb::pprof::Profile& profile) {
  std::vector<std::string> types;
  for (const auto& type : profile.sample_type()) {
    types.push_back(TextOf(profile, type.type()) + "/" + TextOf(profile, type.unit()));
  }
  return types;
}

std::vector<std::string> PprofSamples(const pb::pprof::Profile& profile) {
  const std::map<uint64_t, std::string> locations = Locations(profile);
  std::vector<std::string> lines;
  for (const auto& sample : profile.sample()) {
    std::string line;
    for (const uint64_t id : sample.location_id()) {
      line += (line.empty() ? "" : " < ") + locations.at(id);
    }
    line += " |";
    for (const auto& label : sample.label()) {
      line += " " + TextOf(profile, label.key()) + "=" + TextOf(profile, label.str());
    }
    line += " |";
    for (const int64_t value : sample.value()) line += " " + std::to_string(value);
    lines.push_back(line);
  }
  return lines;
}

std::string PprofText(const pb::pprof::Profile& profile) {
  std::string text = "types:";
  for (const std::string& type : PprofTypes(profile)) text += " " + type;
  fmt::format_to(std::back_inserter(text), "\ndefault: {}\n",
                 TextOf(profile, profile.default_sample_type()));
  for (const auto& mapping : profile.mapping()) {
    fmt::format_to(std::back_inserter(text), "mapping: {}\n", TextOf(profile, mapping.filename()));
  }
  for (const int64_t comment : profile.comment()) {
    fmt::format_to(std::back_inserter(text), "comment: {}\n", TextOf(profile, comment));
  }
  if (profile.duration_nanos() != 0) {
    fmt::format_to(std::back_inserter(text), "duration: {} ns\n", profile.duration_nanos());
  }
  for (const std::string& sample : PprofSamples(profile)) text += sample + "\n";
  return text;
}

}  // namespace tfprof
