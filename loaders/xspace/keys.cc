// SPDX-License-Identifier: Apache-2.0
#include "loaders/xspace/keys.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>

namespace tfprof::xspace {
namespace {

// Calls take(name, value) for each pair "name:value" of words separated by spaces or newlines.
template <class Take>
void EachPair(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(" \n"), text.size());
    const std::string_view word = text.substr(0, end);
    const size_t colon = word.find(':');
    if (colon != word.npos) take(word.substr(0, colon), word.substr(colon + 1));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

// Parses `text` if all of it is a number in range.
template <class Number>
bool ReadNumber(std::string_view text, Number* number) {
  const auto read = std::from_chars(text.data(), text.data() + text.size(), *number);
  return read.ec == std::errc() && read.ptr == text.data() + text.size();
}

// Returns the sum of the numbers whose names `is_part` accepts.
template <class IsPart>
Parsed Sum(std::string_view text, IsPart is_part) {
  Parsed sum;
  EachPair(text, [&](std::string_view name, std::string_view value) {
    uint32_t number = 0;
    if (!is_part(name) || !ReadNumber(value, &number)) return;
    sum.kind = ValueKind::natural;
    sum.bits += number;
  });
  return sum;
}

Parsed Registers(std::string_view text) {
  return Sum(text, [](std::string_view name) { return name == "regs"; });
}

Parsed SharedMemory(std::string_view text) {
  return Sum(text, [](std::string_view name) {
    return name == "static_shared" || name == "dynamic_shared";
  });
}

// On AMD, `group_mem` is all shared memory.
Parsed AllSharedMemory(std::string_view text) {
  return Sum(text, [](std::string_view name) {
    return name == "static_shared" || name == "dynamic_shared" || name == "group_mem";
  });
}

// Parses "160,1,1".
bool IsTriple(std::string_view text) {
  for (int i = 0; i < 3; ++i) {
    const size_t comma = i < 2 ? text.find(',') : text.size();
    uint32_t number = 0;
    if (comma == text.npos || !ReadNumber(text.substr(0, comma), &number)) return false;
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return true;
}

bool IsWord(std::string_view text) { return !text.empty(); }

// Returns the text of that name if it `fits`.
Parsed Named(std::string_view text, std::string_view wanted, bool (*fits)(std::string_view value)) {
  Parsed found;
  EachPair(text, [&](std::string_view name, std::string_view value) {
    if (name != wanted || !fits(value)) return;
    found.kind = ValueKind::text;
    found.text = value;
  });
  return found;
}

Parsed Grid(std::string_view text) { return Named(text, "grid", IsTriple); }
Parsed Block(std::string_view text) { return Named(text, "block", IsTriple); }
Parsed CopiedFrom(std::string_view text) { return Named(text, "kind_src", IsWord); }
Parsed CopiedTo(std::string_view text) { return Named(text, "kind_dst", IsWord); }

Parsed Occupancy(std::string_view text) {
  Parsed occupancy;
  EachPair(text, [&](std::string_view name, std::string_view value) {
    double percent = 0;
    if (name != "occ_pct" || !ReadNumber(value, &percent) || !std::isfinite(percent)) return;
    occupancy.kind = ValueKind::real;
    occupancy.bits = std::bit_cast<uint64_t>(percent);
  });
  return occupancy;
}

Parsed CopyBytes(std::string_view text) {
  Parsed bytes;
  EachPair(text, [&](std::string_view name, std::string_view value) {
    uint64_t number = 0;
    if ((name != "size" && name != "num_bytes") || !ReadNumber(value, &number)) return;
    bytes.kind = ValueKind::natural;
    bytes.bits = number;
  });
  return bytes;
}

// Values of the stats of the key `work`, in the order of the stats.
constexpr uint8_t kWorkKinds[] = {
    static_cast<uint8_t>(WorkKind::kernel),     static_cast<uint8_t>(WorkKind::copy),
    static_cast<uint8_t>(WorkKind::fill),       static_cast<uint8_t>(WorkKind::fill),
    static_cast<uint8_t>(WorkKind::allocation), static_cast<uint8_t>(WorkKind::allocation)};

constexpr uint8_t kYes = 1;

using Key = AttributeKey;

constexpr Spelling kSpellings[] = {
    {Key::work,
     {"kernel_details", "memcpy_details", "memset_details", "Memset_details", "memalloc_details",
      "MemFree_details"},
     nullptr,
     kWorkKinds},
    {Key::op, {kRangePath, "tf_op"}},
    {Key::op_path, {"name"}},
    {Key::group, {"group_id"}},
    {Key::correlation, {"correlation_id"}},
    {Key::launched, {"correlation_id"}, nullptr, &kYes},
    {Key::producer, {"_p"}},
    {Key::producer_type, {"_pt"}},
    {Key::consumer, {"_c"}},
    {Key::consumer_type, {"_ct"}},
    {Key::root_level, {"_r"}},
    {Key::is_async, {"_a"}},
    {Key::launch, {"kernel_details"}},
    {Key::registers, {"kernel_details"}, Registers},
    {Key::shmem_bytes, {"kernel_details"}, SharedMemory},
    {Key::shared_memory, {"kernel_details"}, AllSharedMemory},
    {Key::grid, {"kernel_details"}, Grid},
    {Key::block, {"kernel_details"}, Block},
    {Key::occupancy_pct, {"kernel_details"}, Occupancy},
    {Key::copy_bytes, {"memcpy_details", "memset_details", "Memset_details"}, CopyBytes},
    {Key::copy_from, {"memcpy_details"}, CopiedFrom},
    {Key::copy_to, {"memcpy_details"}, CopiedTo},
    {Key::allocator, {"allocator_name", "index_on_host", "device_ordinal"}},
    {Key::address, {"addr"}},
    {Key::bytes_in_use, {"bytes_allocated"}},
    {Key::region, {"region_type"}},
    {Key::element_type, {"data_type"}},
    {Key::iterator, {"iterator_id", "id"}},
    {Key::parent_iterator, {"parent_id"}},
    {Key::element, {"element_id"}},
    {Key::program, {"program_id"}},
    {Key::program_run, {"run_id"}},
    {Key::module, {"hlo_module"}},
    {Key::instruction, {"hlo_op"}},
    {Key::source, {"source"}},
    {Key::symbol, {"symbol_id"}},
    {Key::op_category, {"hlo_category"}},
    {Key::own_start_ps, {"device_offset_ps"}},
    {Key::own_duration_ps, {"device_duration_ps"}},
    {Key::own_self_ps, {"self_duration_ps"}},
    {Key::eager, {"is_eager"}},
    {Key::function_call, {"is_func"}},
    {Key::step_number, {"step_num"}},
    {Key::step_text, {"step_name"}},
    {Key::input_stage, {"_ipl_stage_name"}},
    {Key::executor, {"id"}},
    {Key::iteration, {"iter_num"}},
    {Key::eager_op, {"eager_op"}},
    {Key::function_tracing, {"tf_function_call"}},
    {Key::function_traces, {"tracing_count"}},
};

}  // namespace

Spelling SpellingOf(DetailKey key) {
  for (const Spelling& spelling : kSpellings) {
    if (key.Is(spelling.key)) return spelling;
  }
  Spelling same;
  same.stats[0] = key.name();
  return same;
}

}  // namespace tfprof::xspace
