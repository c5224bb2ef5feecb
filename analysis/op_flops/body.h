// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "analysis/op_flops/shapes/infer.h"
#include "core/base/context.h"
#include "core/base/result.h"

// Shapes and work of the operations of a graph and of the functions that it calls.

namespace tfprof {

// OpWork of one run of an operation or of a function body.
struct OpWork {
  int64_t flops = 0;       // of the operations whose flops are known
  int64_t known = 0;       // operations; those of a call are those of its body
  int64_t unknown = 0;     // operations
  int64_t computing = 0;   // known ones that compute anything
  int64_t loops_once = 0;  // loops that count once, as their number of trips is not known

  void Add(const OpWork& other);
  OpWork TimesRun(int64_t runs) const;
  // kNoInt: more than a tenth of the operations that may compute are unknown.
  int64_t Flops() const;
};

// Outputs of operations that another one reads, and the first one of each.
class OutputSlots {
 public:
  explicit OutputSlots(const GraphOps& graph);
  uint32_t First(uint32_t op) const { return first_[op]; }
  Range Of(uint32_t op) const { return {first_[op], first_[op + 1] - first_[op]}; }
  int32_t Slot(uint32_t output) const { return slots_[output]; }
  uint32_t Find(OpOutput output) const;  // kNoRow: none

 private:
  std::vector<uint32_t> first_;  // by operation, and the end
  std::vector<int32_t> slots_;
};

// Evaluates bodies. Each combination of a function and what is known of its arguments is evaluated
// once; the work is bounded, whatever calls what.
class BodyWork {
 public:
  BodyWork(const GraphOps& graph, Context& context);

  // Sets the first output of an operation of the graph, whatever the graph says.
  void SetShape(uint32_t op, Dims dims);
  // Adds what an execution recorded of an output of an operation of the graph, for what does not
  // follow from the graph. Dimensions in which executions differ are unknown.
  void AddRecorded(OpOutput output, Dims dims);
  // Evaluates the operations that are nodes; `work` gets one entry per operation of the graph.
  Result<void> EvaluateGraph(std::span<const uint32_t> ops, std::vector<OpWork>* work);

 private:
  using Tensors = std::vector<KnownTensor>;
  struct Evaluated {
    OpWork work;
    Tensors results;
  };
  struct Frame;  // a body while it is evaluated

  Result<void> EvaluateOps(Frame& frame, uint32_t root);
  Result<void> EvaluateOp(Frame& frame, uint32_t op);
  Result<Evaluated> Call(std::string_view name, std::span<const KnownTensor> arguments, int depth);
  Result<Evaluated> EvaluateFunction(const GraphFunction& function,
                                     std::span<const KnownTensor> arguments, int depth);
  Result<std::optional<Evaluated>> EvaluateCall(const KnownOp& op, int depth);
  Result<Evaluated> EvaluateLoop(const KnownOp& op, int depth);
  Result<Evaluated> EvaluateBranches(const KnownOp& op, int depth);
  bool Carry(const KnownTensor& after, KnownTensor* carried);
  const GraphFunction* FindFunction(std::string_view name) const;

  const GraphOps& graph_;
  Context& context_;
  OutputSlots slots_;
  NumberArena arena_;
  std::unordered_map<std::string_view, uint32_t> functions_;
  std::unordered_map<std::string, Evaluated> evaluated_;
  std::unordered_map<uint32_t, KnownTensor> given_;     // by operation
  std::unordered_map<uint32_t, KnownTensor> recorded_;  // by output
  int64_t left_;                                        // operations that may still be evaluated
};

}  // namespace tfprof
