// SPDX-License-Identifier: Apache-2.0
#include "core/store/check.h"

#include <algorithm>
#include <iterator>

namespace tfprof {
namespace {

template <class Tag, class Table>
bool In(Id<Tag> id, const Table& table) {
  return !id.some() || id.value < table.size();
}

template <class Table>
bool In(Range range, const Table& table) {
  return uint64_t{range.first} + range.count <= table.size() || range.count == 0;
}

bool In(ShapeRef shape, const Store& store) {
  return shape.rank <= 0 ||
         uint64_t{shape.first} + static_cast<uint32_t>(shape.rank) <= store.dims.size();
}

std::string BrokenLane(const Store& store, const Lane& lane, uint32_t first) {
  if (lane.rows.first != first) return "lanes do not partition the events";
  if (!In(lane.rows, store.events.label)) return "a lane's rows are out of range";
  const auto& start = store.events.start_ps;
  for (uint32_t i = 0; i < lane.rows.count; ++i) {
    const uint32_t row = lane.rows.first + i;
    const bool unplaced = store.events_read.starts && start[row] == kNoTime;
    if (unplaced != (i < lane.unplaced)) return "unplaced rows are not first";
    if (store.events_read.starts && i > 0 && start[row] < start[row - 1]) {
      return "rows of a lane are not sorted";
    }
    if (store.events.duration_ps[row] < 0) return "a negative duration";
    if (!store.events.label[row].some() || !In(store.events.label[row], store.labels)) {
      return "an event without a label";
    }
  }
  if (!In(lane.process, store.processes)) return "a lane's process is out of range";
  if (!In(lane.step_runs, store.step_runs)) return "a lane's step runs are out of range";
  if (lane.rows.count > 0 && lane.step_runs.count == 0) return "a lane without step runs";
  for (uint32_t i = 0; i < lane.step_runs.count; ++i) {
    const StepRun& run = store.step_runs[lane.step_runs.first + i];
    const uint32_t at_least =
        i == 0 ? lane.rows.first : store.step_runs[lane.step_runs.first + i - 1].first_row + 1;
    if (run.first_row < at_least || run.first_row >= lane.rows.first + lane.rows.count ||
        (i == 0 && run.first_row != lane.rows.first)) {
      return "step runs do not cover their lane";
    }
    if (!In(run.step, store.steps)) return "a step is out of range";
  }
  return "";
}

std::string BrokenNode(const Store& store, const Node& node) {
  if (!node.name.some() || !In(node.name, store.names)) return "a node without a name";
  if (!In(node.type, store.names) || !In(node.stack, store.stacks)) return "a node's ids";
  if (!In(node.inputs, store.edges) || !In(node.types, store.node_types) ||
      !In(node.lanes, store.node_lanes) || !In(node.output_shapes, store.output_shapes)) {
    return "a node's ranges";
  }
  if (!In(node.parameter, store)) return "a parameter shape";
  for (const Edge& edge : store.Inputs(node)) {
    if (!In(edge.producer, store.nodes)) return "an edge's producer";
  }
  return "";
}

std::string BrokenProcess(const Store& store) {
  for (const Process& process : store.processes) {
    if (!In(process.host, store.hosts) || !In(process.device, store.devices)) {
      return "a process's ids";
    }
    if (!In(process.lanes, store.lanes) || !In(process.labels, store.labels)) {
      return "a process's ranges";
    }
    for (uint32_t i = 0; i < process.lanes.count; ++i) {
      const ProcessId of = store.lanes[process.lanes.first + i].process;
      if (!of.some() || &store.processes[of.value] != &process) return "a lane of two processes";
    }
  }
  for (const Device& device : store.devices) {
    if (!In(device.host, store.hosts) || !In(device.process, store.processes)) {
      return "a device's ids";
    }
  }
  for (const Module& module : store.modules) {
    if (!In(module.process, store.processes) || !In(module.label, store.labels)) {
      return "a module's ids";
    }
  }
  return "";
}

std::string BrokenSideTable(const Store& store) {
  uint32_t output = 0;
  for (const ExecMemory& row : store.exec_memory) {
    if (!row.event.some() || !In(row.event, store.events.label)) return "a memory row's event";
    if (row.first_output < output || row.first_output > store.outputs.size()) {
      return "a memory row's outputs";
    }
    output = row.first_output;
  }
  if (!store.events.detail.empty() && store.events.detail.size() != store.events.label.size()) {
    return "the details of events";
  }
  for (const AllocationPlace& row : store.allocation_places) {
    if (!row.event.some() || !In(row.event, store.events.label)) return "an allocation's event";
  }
  for (const RecordedCopy& row : store.copies) {
    if (!row.event.some() || !In(row.event, store.events.label)) return "a copy's event";
    if (!In(row.from, store.names) || !In(row.to, store.names) || !In(row.op, store.names)) {
      return "a copy's texts";
    }
  }
  for (const Source& source : store.sources) {
    if (!In(source.allocations, store.allocation_places)) return "a source's allocations";
    if (!In(source.stacks, store.stacks)) return "a source's stacks";
    if (source.stacks.count > 0 && source.stack_reader == nullptr) {
      return "a source's reader of stacks";
    }
    if (source.allocations.count > 0 && source.details.allocations == nullptr) {
      return "a source's reader of allocations";
    }
  }
  for (const Declared& row : store.declared) {
    if (!In(row.node, store.nodes) || !In(row.step, store.steps)) return "a declared row's ids";
  }
  for (const StackPlace& stack : store.stacks) {
    if (stack.source.some() ? !In(stack.source, store.sources)
                            : stack.first + stack.count > store.frames.size()) {
      return "a stack's frames";
    }
  }
  for (const OutputShape& row : store.output_shapes) {
    if (!In(row.shape, store)) return "an output shape";
  }
  NodeId last;
  for (const DataFormat& row : store.data_formats) {
    if (!In(row.node, store.nodes) || !In(row.format, store.names)) return "a data format's ids";
    if (last.some() && row.node.value <= last.value) return "data formats do not ascend";
    last = row.node;
  }
  last = NodeId();
  for (const RanAs& row : store.ran_as) {
    if (!In(row.node, store.nodes) || !In(row.type, store.names)) return "a kernel's ids";
    if (last.some() && row.node.value <= last.value) return "kernels do not ascend";
    last = row.node;
  }
  return "";
}

}  // namespace

bool RowsFit(const Store& store) {
  const Events& events = store.events;
  const size_t sizes[] = {
      store.names.size(),        store.sources.size(),    store.nodes.size(),
      store.edges.size(),        store.dims.size(),       store.output_shapes.size(),
      store.data_formats.size(), store.node_types.size(), store.node_lanes.size(),
      store.stacks.size(),       store.frames.size(),     store.labels.size(),
      store.lanes.size(),        store.steps.size(),      store.processes.size(),
      store.devices.size(),      store.hosts.size(),      store.modules.size(),
      store.tensors.size(),      store.aggregates.size(), events.label.size(),
      store.exec_memory.size(),  store.outputs.size(),    store.allocation_places.size(),
      store.declared.size(),     store.ran_as.size(),     store.copies.size()};
  return *std::max_element(std::begin(sizes), std::end(sizes)) <= kMaxRows;
}

std::string BrokenInvariant(const Store& store) {
  uint32_t first = 0;
  for (const Lane& lane : store.lanes) {
    if (std::string broken = BrokenLane(store, lane, first); !broken.empty()) return broken;
    first += lane.rows.count;
  }
  if (first != store.EventCount()) return "events without a lane";
  for (const Label& label : store.labels) {
    if (!In(label.name, store.names) || !In(label.node, store.nodes)) return "a label's ids";
  }
  for (const Node& node : store.nodes) {
    if (std::string broken = BrokenNode(store, node); !broken.empty()) return broken;
  }
  if (std::string broken = BrokenProcess(store); !broken.empty()) return broken;
  return BrokenSideTable(store);
}

}  // namespace tfprof
