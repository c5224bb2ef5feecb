// SPDX-License-Identifier: Apache-2.0
#include "core/store/attribute_keys.h"

#include <iterator>

namespace tfprof {
namespace {

using Key = AttributeKey;

constexpr AttributeKeyInfo kKeys[] = {
    {Key::work, "work", "kind of device work, a WorkKind number"},
    {Key::op, "op", "framework operation, name:type"},
    {Key::op_path, "op_path", "framework operation of the instruction, without its type"},
    {Key::annotation, "annotation", "regions of the program around the launch, outermost first"},
    {Key::group, "group", "step, as assigned by the recorder"},
    {Key::correlation, "correlation", "number shared by a launch and what it launched"},
    {Key::launched, "launched", "1 if it has a correlation number"},
    {Key::producer, "producer", "produces the item with this number ..."},
    {Key::producer_type, "producer_type", "... of this type"},
    {Key::consumer, "consumer", "consumes the item with this number ..."},
    {Key::consumer_type, "consumer_type", "... of this type"},
    {Key::root_level, "root_level", "positive: it starts a step"},
    {Key::is_async, "is_async", "positive: it does not enclose what it started"},
    {Key::launch, "launch", "launch parameters of a kernel, as one text"},
    {Key::registers, "registers", "registers per thread of a kernel"},
    {Key::shmem_bytes, "shmem_bytes",
     "shared memory per block of a kernel, static and dynamic, from CUDA"},
    {Key::shared_memory, "shared_memory", "shared memory per block of a kernel, from CUDA or ROCm"},
    {Key::grid, "grid", "grid size of a kernel in blocks, x,y,z"},
    {Key::block, "block", "block size in threads, x,y,z"},
    {Key::occupancy_pct, "occupancy_pct", "theoretical occupancy of a kernel, in percent"},
    {Key::copy_bytes, "copy_bytes", "bytes that a copy or fill moves"},
    {Key::copy_from, "copy_from",
     "memory kind of the source: pageable, pinned, device, managed, ..."},
    {Key::copy_to, "copy_to", "memory kind of the destination"},
    {Key::allocator, "allocator", "allocator: a name or the number of a device"},
    {Key::allocator_device, "allocator_device",
     "number of the accelerator, on its host, whose memory the allocator manages"},
    {Key::device_type, "device_type", "kind of the device whose memory it is: CPU, CUDA, ..."},
    {Key::device_id, "device_id", "number of that device"},
    {Key::address, "address", "address of the memory"},
    {Key::allocation_bytes, "allocation_bytes", "bytes allocated or freed"},
    {Key::requested_bytes, "requested_bytes", "bytes requested"},
    {Key::bytes_in_use, "bytes_in_use", "bytes in use afterwards"},
    {Key::bytes_reserved, "bytes_reserved", "bytes reserved for stacks and the like"},
    {Key::bytes_held, "bytes_held", "bytes that the allocator holds afterwards, in use or free"},
    {Key::bytes_available, "bytes_available", "free bytes afterwards"},
    {Key::peak_bytes_in_use, "peak_bytes_in_use",
     "peak bytes in use over the allocator's lifetime"},
    {Key::fragmentation, "fragmentation",
     "share of the free bytes outside the largest free block, 0 to 1"},
    {Key::region, "region", "purpose of the memory: output, temp, persist/dynamic, ..."},
    {Key::element_type, "element_type", "element type, a TensorFlow DataType number"},
    {Key::shape, "shape", "shape of the tensor, or the shapes that the operation has"},
    {Key::iterator, "iterator", "ID of an input pipeline iterator"},
    {Key::parent_iterator, "parent_iterator", "number of the iterator that called it"},
    {Key::element, "element", "number shared by the production and consumption of an element"},
    {Key::parallelism, "parallelism", "number of calls of an iterator that may run at once"},
    {Key::program, "program", "ID of the compiled program"},
    {Key::program_run, "program_run", "number of the execution of the compiled program"},
    {Key::module, "module", "name of the compiled program"},
    {Key::instruction, "instruction", "name of the instruction of the compiled program"},
    {Key::symbol, "symbol", "number of the instruction of the compiled program"},
    {Key::op_category, "op_category", "class of the instruction: convolution, loop fusion, ..."},
    {Key::equation, "equation", "what a library call computes, as an equation of its dimensions"},
    {Key::source, "source", "source line of the operation"},
    {Key::source_stack, "source_stack", "Python calls that created the operation, one per line"},
    {Key::flops, "flops", "floating-point operations, weighted for narrow types"},
    {Key::model_flops, "model_flops", "floating-point operations, unweighted"},
    {Key::bytes_accessed, "bytes_accessed", "bytes read and written"},
    {Key::own_start_ps, "own_start_ps", "start by the clock of the device"},
    {Key::own_duration_ps, "own_duration_ps", "duration by the clock of the device"},
    {Key::own_self_ps, "own_self_ps", "self time by the clock of the device"},
    {Key::eager, "eager", "positive: it was executed eagerly"},
    {Key::function_call, "function_call", "positive: it calls a function"},
    {Key::step_number, "step_number", "step number of the program"},
    {Key::step_text, "step_text", "step name of the recorder"},
    {Key::input_stage, "input_stage", "stage of an input pipeline, as the recorder names it"},
    {Key::executor, "executor", "number of the executor of a step"},
    {Key::iteration, "iteration", "iteration of that executor"},
    {Key::eager_op, "eager_operation", "operation or function that is executed eagerly"},
    {Key::function_tracing, "function_tracing", "whether the call of a function traced it"},
    {Key::function_traces, "function_traces", "how often the function was traced until then"},
    {Key::input_shapes, "input_shapes", "shapes of the inputs of an operation, as lists"},
    {Key::input_values, "input_values",
     "the inputs of an operation that are no tensors, as a list of texts"},
    {Key::sequence, "sequence", "number shared by a forward operation and its backward one"},
    {Key::collective, "collective", "kind of collective: allreduce, ..."},
    {Key::collective_bytes, "collective_bytes",
     "the larger of the bytes that a collective takes and gives, on one rank"},
    {Key::group_size, "group_size", "number of ranks that exchange data"},
    {Key::process_group, "process_group", "group of ranks that exchange data"},
};

constexpr bool AreInOrder() {
  for (size_t i = 0; i < std::size(kKeys); ++i) {
    if (static_cast<size_t>(kKeys[i].key) != i) return false;
  }
  return std::size(kKeys) == kAttributeKeys;
}
static_assert(AreInOrder());

}  // namespace

std::span<const AttributeKeyInfo> AttributeKeys() { return kKeys; }

DetailKey DetailKey::Named(std::string_view name) {
  for (const AttributeKeyInfo& info : kKeys) {
    if (info.name == name) return info.key;
  }
  DetailKey of_file(Key::work);
  of_file.of_file_ = name.data() == nullptr ? "" : name;
  return of_file;
}

std::string_view DetailKey::name() const {
  return IsShared() ? kKeys[static_cast<size_t>(shared_)].name : of_file_;
}

}  // namespace tfprof
