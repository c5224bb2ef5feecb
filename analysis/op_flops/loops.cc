// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/loops.h"

#include <algorithm>

#include "analysis/op_flops/shapes/infer.h"

namespace tfprof {
namespace {

constexpr int kLongestChain = 64;  // of operations that pass a tensor on

constexpr int kDeepestCondition = 8;

bool PassesOn(std::string_view type) { return type == "Identity" || type == "Cast"; }

struct Loop {
  const GraphOps& graph;
  const GraphFunction& condition;
  const GraphFunction& body;
  std::span<const KnownTensor> arguments;
};

// Follows an output to the operation that makes it.
OpOutput MakerOf(const GraphOps& graph, OpOutput output) {
  for (int i = 0; i < kLongestChain && output.op != kNoRow; ++i) {
    const GraphOp& op = graph.ops[output.op];
    if (!PassesOn(op.type) || op.inputs.count != 1) return output;
    output = graph.inputs[op.inputs.first];
  }
  return output.op == kNoRow ? output : OpOutput{};
}

const GraphOp* MakingOp(const GraphOps& graph, OpOutput output) {
  const OpOutput maker = MakerOf(graph, output);
  return maker.op == kNoRow ? nullptr : &graph.ops[maker.op];
}

OpOutput InputOf(const GraphOps& graph, const GraphOp& op, uint32_t number) {
  return number < op.inputs.count ? graph.inputs[op.inputs.first + number] : OpOutput{};
}

int64_t ConstantNumber(const GraphOps& graph, OpOutput output) {
  const GraphOp* const op = MakingOp(graph, output);
  if (op == nullptr || op->type != "Const") return kNoInt;
  const KnownOp view{op->type, graph, op->attributes, {}, {}};
  return view.Number(GraphKey::value, kNoInt);
}

bool IsInvariant(const Loop& loop, uint32_t argument) {
  return argument < loop.body.results.count &&
         ArgumentBehind(loop.graph, loop.body,
                        loop.graph.inputs[loop.body.results.first + argument]) == argument;
}

// A number that is the same in all trips.
int64_t FixedNumber(const Loop& loop, OpOutput output) {
  const uint32_t argument = ArgumentBehind(loop.graph, loop.condition, output);
  if (argument == kNoRow) return ConstantNumber(loop.graph, output);
  const bool fixed = argument < loop.arguments.size() && IsInvariant(loop, argument);
  return fixed ? loop.arguments[argument].Number() : kNoInt;
}

// What each trip adds to an argument; kNoInt: it is not known.
int64_t StepOf(const Loop& loop, uint32_t argument) {
  if (argument >= loop.body.results.count) return kNoInt;
  const GraphOp* const op =
      MakingOp(loop.graph, loop.graph.inputs[loop.body.results.first + argument]);
  if (op == nullptr || (op->type != "AddV2" && op->type != "Add")) return kNoInt;
  for (uint32_t number = 0; number < 2; ++number) {
    const OpOutput counter = InputOf(loop.graph, *op, number);
    if (ArgumentBehind(loop.graph, loop.body, counter) != argument) continue;
    return ConstantNumber(loop.graph, InputOf(loop.graph, *op, 1 - number));
  }
  return kNoInt;
}

// The number of trips until counter < limit is false.
int64_t TripsUntil(const Loop& loop, const GraphOp& comparison) {
  const bool swapped = comparison.type.starts_with("Greater");
  const OpOutput counter = InputOf(loop.graph, comparison, swapped ? 1 : 0);
  const OpOutput bound = InputOf(loop.graph, comparison, swapped ? 0 : 1);
  const uint32_t argument = ArgumentBehind(loop.graph, loop.condition, counter);
  if (argument == kNoRow || argument >= loop.arguments.size()) return kNoInt;
  const int64_t start = loop.arguments[argument].Number();
  int64_t limit = FixedNumber(loop, bound);
  const int64_t step = StepOf(loop, argument);
  if (start == kNoInt || limit == kNoInt || step == kNoInt || step <= 0) return kNoInt;
  if (comparison.type.ends_with("Equal") && limit < INT64_MAX) ++limit;
  if (limit <= start) return 0;
  int64_t length = 0;
  if (__builtin_sub_overflow(limit, start, &length)) return kNoInt;
  return (length - 1) / step + 1;
}

// Either condition of an `and` ends the loop.
int64_t TripsWhile(const Loop& loop, OpOutput output, int depth) {
  const GraphOp* const op = MakingOp(loop.graph, output);
  if (op == nullptr || depth > kDeepestCondition) return kNoInt;
  if (op->type.starts_with("Less") || op->type.starts_with("Greater")) {
    return TripsUntil(loop, *op);
  }
  if (op->type != "LogicalAnd") return kNoInt;
  const int64_t left = TripsWhile(loop, InputOf(loop.graph, *op, 0), depth + 1);
  const int64_t right = TripsWhile(loop, InputOf(loop.graph, *op, 1), depth + 1);
  // The limit of one side alone is an upper bound.
  return left == kNoInt || right == kNoInt ? kNoInt : std::min(left, right);
}

}  // namespace

uint32_t ArgumentBehind(const GraphOps& graph, const GraphFunction& function, OpOutput output) {
  const OpOutput maker = MakerOf(graph, output);
  if (maker.op == kNoRow || maker.op < function.ops.first) return kNoRow;
  const uint32_t number = maker.op - function.ops.first;
  return number < function.arguments ? number : kNoRow;
}

int64_t TripsOf(const GraphOps& graph, const GraphFunction& condition, const GraphFunction& body,
                std::span<const KnownTensor> arguments) {
  if (condition.results.count != 1) return kNoInt;
  return TripsWhile({graph, condition, body, arguments}, graph.inputs[condition.results.first], 0);
}

}  // namespace tfprof
