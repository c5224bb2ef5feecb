// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace tfprof {

// The attributes of events that analysis asks for, whatever a format calls them: each loader maps
// its own names to these. Every other attribute has the file's name (DetailKey).
enum class AttributeKey : uint8_t {
  work,
  op,
  op_path,
  annotation,
  group,
  correlation,
  launched,
  producer,
  producer_type,
  consumer,
  consumer_type,
  root_level,
  is_async,
  launch,
  registers,
  shmem_bytes,
  shared_memory,
  grid,
  block,
  occupancy_pct,
  copy_bytes,
  copy_from,
  copy_to,
  allocator,
  allocator_device,
  device_type,
  device_id,
  address,
  allocation_bytes,
  requested_bytes,
  bytes_in_use,
  bytes_reserved,
  bytes_held,
  bytes_available,
  peak_bytes_in_use,
  fragmentation,
  region,
  element_type,
  shape,
  iterator,
  parent_iterator,
  element,
  parallelism,
  program,
  program_run,
  module,
  instruction,
  symbol,
  op_category,
  equation,
  source,
  source_stack,
  flops,
  model_flops,
  bytes_accessed,
  own_start_ps,
  own_duration_ps,
  own_self_ps,
  eager,
  function_call,
  step_number,
  step_text,
  input_stage,
  executor,
  iteration,
  eager_op,
  function_tracing,
  function_traces,
  input_shapes,
  input_values,
  sequence,
  collective,
  collective_bytes,
  group_size,
  process_group,
};
constexpr size_t kAttributeKeys = static_cast<size_t>(AttributeKey::process_group) + 1;

struct AttributeKeyInfo {
  AttributeKey key;
  std::string_view name;  // what people type
  std::string_view meaning;
};
std::span<const AttributeKeyInfo> AttributeKeys();  // by AttributeKey

// Which attribute is asked for: one that formats share, or one of the file by its name.
class DetailKey {
 public:
  constexpr DetailKey(AttributeKey shared)  // NOLINT(google-explicit-constructor): it is one
      : shared_(shared) {}
  // The shared one of that name; if there is none, the file's. The text must outlive it.
  static DetailKey Named(std::string_view name);

  bool Is(AttributeKey key) const { return of_file_.data() == nullptr && shared_ == key; }
  bool IsShared() const { return of_file_.data() == nullptr; }
  std::string_view name() const;
  friend bool operator==(const DetailKey& a, const DetailKey& b) { return a.name() == b.name(); }

 private:
  AttributeKey shared_;
  std::string_view of_file_;  // data() == nullptr: it is shared
};

using DetailKeys = std::span<const DetailKey>;

}  // namespace tfprof
