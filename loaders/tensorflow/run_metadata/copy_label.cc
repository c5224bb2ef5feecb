// SPDX-License-Identifier: Apache-2.0
#include "loaders/tensorflow/run_metadata/copy_label.h"

#include <algorithm>
#include <charconv>

#include "core/base/ascii.h"
#include "loaders/tensorflow/device_lane.h"
#include "loaders/xspace/event_roles.h"

namespace tfprof {
namespace {

// The name of a record whose launch the tracer did not find.
constexpr std::string_view kUnknownOp = "unknown";

EventRole DirectionIn(std::string_view name) {
  const EventRole role = xspace::EventRoleOf(name, ProcessKind::device).role;
  const bool is_copy = role >= EventRole::copy_to_device && role <= EventRole::copy_on_host;
  return is_copy ? role : EventRole::none;
}

// The part of stream:5<MemcpyH2D> in brackets.
std::string_view KindOfStream(std::string_view device) {
  const size_t open = device.rfind('<');
  return open == device.npos ? std::string_view() : device.substr(open + 1);
}

std::string_view After(std::string_view text, char separator) {
  const size_t at = text.rfind(separator);
  return at == text.npos ? std::string_view() : text.substr(at + 1);
}

int64_t WholeNumber(std::string_view text) {
  int64_t number = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
  const bool all = read.ec == std::errc() && read.ptr == text.data() + text.size();
  return all && number >= 0 ? number : kNoInt;
}

// Reads "name:value", and "400 bytes" with the word before.
void ReadWord(std::string_view word, std::string_view before, CopyLabel* copy) {
  const size_t colon = word.find(':');
  const std::string_view name = word.substr(0, colon);
  const std::string_view value = colon == word.npos ? "" : word.substr(colon + 1);
  if (word == "bytes") copy->bytes = WholeNumber(before);
  if (name == "bytes" && !value.empty()) copy->bytes = WholeNumber(value);
  if (name == "size" || name == "num_bytes") copy->bytes = WholeNumber(value);
  if (name == "kind_src") copy->from = value;
  if (name == "kind_dst") copy->to = value;
}

void ReadWords(std::string_view text, CopyLabel* copy) {
  std::string_view before;
  while (!text.empty()) {
    const size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    ReadWord(word, before, copy);
    before = word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Reads "(Pageable to Device)" at the end.
void ReadKinds(std::string_view text, CopyLabel* copy) {
  constexpr std::string_view kTo = " to ";
  const size_t open = text.rfind('(');
  if (open == text.npos || !text.ends_with(')')) return;
  text = text.substr(open + 1, text.size() - open - 2);
  const size_t to = text.find(kTo);
  if (to == text.npos) return;
  copy->from = text.substr(0, to);
  copy->to = text.substr(to + kTo.size());
}

}  // namespace

std::optional<CopyLabel> CopyOfRecord(std::string_view name, std::string_view timeline_label,
                                      std::string_view device) {
  CopyLabel copy;
  for (const std::string_view text :
       {timeline_label, After(name, ':'), KindOfStream(device), name}) {
    if (copy.direction == EventRole::none) copy.direction = DirectionIn(text);
  }
  const bool is_copy =
      copy.direction != EventRole::none || RoleOfDevice(LowerCase(device)) == LaneRole::copies;
  if (!is_copy) return {};
  ReadWords(timeline_label, &copy);
  ReadKinds(timeline_label, &copy);
  const std::string_view op = name.substr(0, name.find(':'));
  if (op != kUnknownOp && DirectionIn(op) == EventRole::none) copy.op = op;
  return copy;
}

}  // namespace tfprof
