// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <compare>
#include <cstdint>

namespace tfprof {

// The number that means no row.
constexpr uint32_t kNoRow = 0xFFFFFFFFu;

// A row number of one table. Ids of different tables are different types.
template <class Tag>
struct Id {
  static constexpr uint32_t kNone = 0xFFFFFFFFu;
  uint32_t value = kNone;

  constexpr Id() = default;
  constexpr explicit Id(uint64_t v) : value(static_cast<uint32_t>(v)) {}
  constexpr bool some() const { return value != kNone; }
  auto operator<=>(const Id&) const = default;
};

using NameId = Id<struct NameTag>;  // none: absent; row 0: present and empty
using LaneId = Id<struct LaneTag>;
using LabelId = Id<struct LabelTag>;
using EventId = Id<struct EventTag>;
using NodeId = Id<struct NodeTag>;
using StepId = Id<struct StepTag>;
using StackId = Id<struct StackTag>;
using SourceId = Id<struct SourceTag>;
using TensorId = Id<struct TensorTag>;
using HostId = Id<struct HostTag>;
using ProcessId = Id<struct ProcessTag>;
using DeviceId = Id<struct DeviceTag>;
using ModuleId = Id<struct ModuleTag>;
using PythonFunctionId = Id<struct PythonFunctionTag>;

// A half-open range of rows [first, first + count) of another table.
struct Range {
  struct Row {
    uint32_t at;
    constexpr uint32_t operator*() const { return at; }
    constexpr void operator++() { ++at; }
    bool operator==(const Row&) const = default;
  };
  uint32_t first = 0;
  uint32_t count = 0;

  constexpr uint32_t After() const { return first + count; }
  constexpr Row begin() const { return {first}; }  // for (const uint32_t row : range)
  constexpr Row end() const { return {After()}; }
};

}  // namespace tfprof
