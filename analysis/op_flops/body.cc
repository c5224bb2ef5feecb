// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/body.h"

#include <algorithm>

#include "analysis/op_flops/loops.h"
#include "analysis/op_flops/rules.h"

namespace tfprof {
namespace {

constexpr int kDeepestCall = 32;      // of functions in functions
constexpr int64_t kRunsPerOp = 8;     // evaluations of bodies, compared with the operations
constexpr int64_t kFewOps = 1 << 16;  // that may always be evaluated
constexpr uint32_t kOpsPerPoll = 4096;

// Appends what is known of a tensor, without ambiguity.
void AppendKey(const KnownTensor& tensor, std::string* key) {
  const auto append = [&](int64_t number) {
    key->append(reinterpret_cast<const char*>(&number), sizeof number);
  };
  append(tensor.has_rank ? static_cast<int64_t>(tensor.dims.size()) : -1);
  for (const int64_t dim : tensor.dims) append(dim);
  append(tensor.has_values ? static_cast<int64_t>(tensor.values.size()) : -1);
  if (!tensor.has_values) return;
  for (const int64_t value : tensor.values) append(value);
}

bool IsLoop(std::string_view type) { return type == "While" || type == "StatelessWhile"; }
bool IsBranch(std::string_view type) {
  return type == "If" || type == "StatelessIf" || type == "Case" || type == "StatelessCase";
}

}  // namespace

// ---- OpWork

void OpWork::Add(const OpWork& other) {
  flops = SaturatingAdd(flops, other.flops);
  known = SaturatingAdd(known, other.known);
  unknown = SaturatingAdd(unknown, other.unknown);
  computing = SaturatingAdd(computing, other.computing);
  loops_once = SaturatingAdd(loops_once, other.loops_once);
}

OpWork OpWork::TimesRun(int64_t runs) const {
  OpWork all = *this;
  all.flops = Times({flops, runs});
  return all;
}

int64_t OpWork::Flops() const {
  const bool mostly_known = unknown == 0 || computing / 9 >= unknown;
  return mostly_known ? flops : kNoInt;
}

// ---- OutputSlots

OutputSlots::OutputSlots(const GraphOps& graph) {
  std::vector<std::pair<uint32_t, int32_t>> further;
  for (const OpOutput& input : graph.inputs) {
    if (input.op != kNoRow && input.slot > 0) further.emplace_back(input.op, input.slot);
  }
  std::ranges::sort(further);
  further.erase(std::unique(further.begin(), further.end()), further.end());
  first_.reserve(graph.ops.size() + 1);
  slots_.reserve(graph.ops.size() + further.size());
  auto next = further.begin();
  for (uint32_t op = 0; op < graph.ops.size(); ++op) {
    first_.push_back(static_cast<uint32_t>(slots_.size()));
    slots_.push_back(0);
    for (; next != further.end() && next->first == op; ++next) slots_.push_back(next->second);
  }
  first_.push_back(static_cast<uint32_t>(slots_.size()));
}

uint32_t OutputSlots::Find(OpOutput output) const {
  if (output.op == kNoRow) return kNoRow;
  if (output.slot <= 0) return first_[output.op];
  const auto begin = slots_.begin() + first_[output.op];
  const auto end = slots_.begin() + first_[output.op + 1];
  const auto found = std::lower_bound(begin, end, output.slot);
  return found != end && *found == output.slot ? static_cast<uint32_t>(found - slots_.begin())
                                               : kNoRow;
}

// ---- BodyWork

struct BodyWork::Frame {
  enum State : uint8_t { kNew, kOpen, kDone };

  Range ops;
  uint32_t first_output = 0;
  Tensors tensors;            // by output, from first_output
  std::vector<State> states;  // by operation, from ops.first
  std::span<const KnownTensor> arguments;
  std::vector<OpWork>* each = nullptr;  // by operation; null: only their sum
  OpWork sum = {};
  int depth = 0;
};

BodyWork::BodyWork(const GraphOps& graph, Context& context)
    : graph_(graph),
      context_(context),
      slots_(graph),
      left_(static_cast<int64_t>(graph.ops.size()) * kRunsPerOp + kFewOps) {
  for (uint32_t i = 0; i < graph.functions.size(); ++i) {
    functions_.emplace(graph.functions[i].name, i);
  }
}

void BodyWork::SetShape(uint32_t op, Dims dims) {
  given_[op] = {true, false, arena_.Copy(dims), {}};
}

void BodyWork::AddRecorded(OpOutput output, Dims dims) {
  const uint32_t slot = slots_.Find(output);
  if (slot == kNoRow) return;
  const auto [at, is_new] = recorded_.try_emplace(slot);
  KnownTensor& known = at->second;
  if (is_new) {
    known = {true, false, arena_.Copy(dims), {}};
  } else if (known.dims.size() != dims.size()) {
    known = {};
  } else if (!std::ranges::equal(known.dims, dims)) {
    const std::span<int64_t> both = arena_.Copy(known.dims);
    for (size_t i = 0; i < both.size(); ++i) both[i] = both[i] == dims[i] ? both[i] : -1;
    known.dims = both;
  }
}

const GraphFunction* BodyWork::FindFunction(std::string_view name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &graph_.functions[found->second];
}

// Evaluates `root` after what it reads, with a stack of its own: graphs are deep. What a cycle
// closes is unknown when it is read.
Result<void> BodyWork::EvaluateOps(Frame& frame, uint32_t root) {
  struct Open {
    uint32_t op;
    uint32_t next_input;
  };
  std::vector<Open> open;
  const auto state = [&](uint32_t op) -> Frame::State& {
    return frame.states[op - frame.ops.first];
  };
  const auto enter = [&](uint32_t op) {
    if (op == kNoRow || op < frame.ops.first || op >= frame.ops.After()) return;
    if (state(op) != Frame::kNew) return;
    state(op) = Frame::kOpen;
    open.push_back({op, 0});
  };
  enter(root);
  while (!open.empty()) {
    Open& top = open.back();
    const GraphOp& op = graph_.ops[top.op];
    if (top.next_input < op.inputs.count) {
      enter(graph_.inputs[op.inputs.first + top.next_input++].op);
      continue;
    }
    const uint32_t done = top.op;
    open.pop_back();
    TFPROF_TRY(EvaluateOp(frame, done));
    state(done) = Frame::kDone;
  }
  return {};
}

Result<void> BodyWork::EvaluateOp(Frame& frame, uint32_t at) {
  if (at % kOpsPerPoll == 0) TFPROF_TRY(Poll(context_));
  --left_;
  const GraphOp& op = graph_.ops[at];
  Tensors inputs;
  inputs.reserve(op.inputs.count);
  for (const uint32_t input : op.inputs) {
    const uint32_t output = slots_.Find(graph_.inputs[input]);
    const uint32_t local = output - frame.first_output;
    inputs.push_back(output == kNoRow || local >= frame.tensors.size() ? KnownTensor()
                                                                       : frame.tensors[local]);
  }
  KnownOp view{op.type, graph_, op.attributes, inputs, {}};
  const Range outputs = slots_.Of(at);
  const auto tensor = [&](uint32_t output) -> KnownTensor& {
    return frame.tensors[output - frame.first_output];
  };
  TFPROF_ASSIGN(const std::optional<Evaluated> called, EvaluateCall(view, frame.depth));
  const uint32_t argument = at - frame.ops.first;
  for (const uint32_t output : outputs) {
    const auto slot = static_cast<size_t>(slots_.Slot(output));
    KnownTensor made;
    if (op.type.empty()) {
      if (argument < frame.arguments.size()) made = frame.arguments[argument];
    } else if (called) {
      if (slot < called->results.size()) made = called->results[slot];
    } else {
      made = InferOutput(view, slots_.Slot(output), arena_);
    }
    made = WithRecorded(made, ShapeAt(view, GraphKey::output_shapes, slot), arena_);
    const auto recorded = op.node.some() ? recorded_.find(output) : recorded_.end();
    tensor(output) =
        recorded == recorded_.end() ? made : WithRecorded(made, recorded->second, arena_);
  }
  if (op.node.some() && !given_.empty()) {
    const auto given = given_.find(at);
    if (given != given_.end()) tensor(outputs.first) = given->second;
  }
  if (op.type.empty()) return {};
  OpWork work;
  if (called) {
    work = called->work;
  } else {
    view.output = tensor(outputs.first);
    const int64_t flops = FlopsOf(view);
    work.flops = flops == kNoInt ? 0 : flops;
    (flops == kNoInt ? work.unknown : work.known) = 1;
    work.computing = flops > 0 ? 1 : 0;
  }
  if (frame.each != nullptr) (*frame.each)[at] = work;
  frame.sum.Add(work);
  return {};
}

Result<void> BodyWork::EvaluateGraph(std::span<const uint32_t> ops, std::vector<OpWork>* work) {
  Frame frame;
  frame.ops = {0, static_cast<uint32_t>(graph_.ops.size())};
  frame.tensors.resize(slots_.First(frame.ops.count));
  frame.states.resize(frame.ops.count, Frame::kNew);
  frame.each = work;
  work->assign(frame.ops.count, {});
  for (const uint32_t op : ops) TFPROF_TRY(EvaluateOps(frame, op));
  return {};
}

Result<BodyWork::Evaluated> BodyWork::EvaluateFunction(const GraphFunction& function,
                                                       std::span<const KnownTensor> arguments,
                                                       int depth) {
  Frame frame;
  frame.ops = function.ops;
  frame.first_output = slots_.First(function.ops.first);
  frame.tensors.resize(slots_.First(function.ops.After()) - frame.first_output);
  frame.states.resize(function.ops.count, Frame::kNew);
  frame.arguments = arguments;
  frame.depth = depth;
  for (const uint32_t op : function.ops) TFPROF_TRY(EvaluateOps(frame, op));
  Evaluated done;
  done.work = frame.sum;
  for (const uint32_t result : function.results) {
    const uint32_t output = slots_.Find(graph_.inputs[result]);
    const uint32_t local = output - frame.first_output;
    done.results.push_back(
        output == kNoRow || local >= frame.tensors.size() ? KnownTensor() : frame.tensors[local]);
  }
  return done;
}

// Combines what is known of a tensor before and after a trip. Shapes stay the same over the trips,
// as TensorFlow demands: one side may know a dimension that the other lacks. Returns true if it is
// another one now.
bool BodyWork::Carry(const KnownTensor& after, KnownTensor* carried) {
  if (!after.has_rank) return false;
  if (!carried->has_rank) {
    *carried = {true, false, after.dims, {}};
    return true;
  }
  if (std::ranges::equal(after.dims, carried->dims)) return false;
  if (after.dims.size() != carried->dims.size()) {
    *carried = {};
    return true;
  }
  const std::span<int64_t> dims = arena_.Copy(carried->dims);
  for (size_t axis = 0; axis < dims.size(); ++axis) {
    const int64_t other = after.dims[axis];
    if (dims[axis] < 0) {
      dims[axis] = other;
    } else if (other >= 0 && other != dims[axis]) {
      dims[axis] = -1;
    }
  }
  const bool changed = !std::ranges::equal(dims, carried->dims);
  *carried = {true, false, dims, {}};
  return changed;
}

// The body of a function that the graph lacks, that is recursive, or that is too deep is one
// unknown operation.
Result<BodyWork::Evaluated> BodyWork::Call(std::string_view name,
                                           std::span<const KnownTensor> arguments, int depth) {
  Evaluated unknown;
  unknown.work.unknown = 1;
  const GraphFunction* const function = FindFunction(name);
  if (function == nullptr || depth >= kDeepestCall || left_ < function->ops.count) return unknown;
  std::string key(name);
  key.push_back('\0');
  for (const KnownTensor& argument : arguments) AppendKey(argument, &key);
  const auto [known, is_new] = evaluated_.try_emplace(key, unknown);
  if (!is_new) return known->second;
  TFPROF_ASSIGN(Evaluated done, EvaluateFunction(*function, arguments, depth + 1));
  evaluated_[key] = done;
  return done;
}

Result<std::optional<BodyWork::Evaluated>> BodyWork::EvaluateCall(const KnownOp& op, int depth) {
  std::optional<Evaluated> done;
  if (IsLoop(op.type)) {
    TFPROF_ASSIGN(done, EvaluateLoop(op, depth));
  } else if (IsBranch(op.type)) {
    TFPROF_ASSIGN(done, EvaluateBranches(op, depth));
  } else if (op.type.ends_with("PartitionedCall")) {
    TFPROF_ASSIGN(done, Call(op.Text(GraphKey::function), op.inputs, depth));
  } else if (op.type == "RemoteCall" && !op.inputs.empty()) {
    TFPROF_ASSIGN(done, Call(op.Text(GraphKey::function), op.inputs.subspan(1), depth));
  } else if (!functions_.empty() && functions_.contains(op.type)) {
    TFPROF_ASSIGN(done, Call(op.type, op.inputs, depth));
  }
  return done;
}

Result<BodyWork::Evaluated> BodyWork::EvaluateLoop(const KnownOp& op, int depth) {
  const GraphFunction* const condition = FindFunction(op.Text(GraphKey::condition));
  const GraphFunction* const body = FindFunction(op.Text(GraphKey::body));
  Evaluated done;
  done.work.unknown = 1;
  if (condition == nullptr || body == nullptr) return done;
  // What is known in every trip: what the body changes has other numbers, perhaps another shape.
  Tensors carried(op.inputs.begin(), op.inputs.end());
  for (uint32_t i = 0; i < carried.size(); ++i) {
    const bool fixed = i < body->results.count &&
                       ArgumentBehind(graph_, *body, graph_.inputs[body->results.first + i]) == i;
    if (fixed) continue;
    carried[i].has_values = false;
    carried[i].values = {};
  }
  TFPROF_ASSIGN(done, Call(body->name, carried, depth));
  bool changed = false;
  for (size_t i = 0; i < std::min(carried.size(), done.results.size()); ++i) {
    changed |= Carry(done.results[i], &carried[i]);
  }
  if (changed) {
    TFPROF_ASSIGN(done, Call(body->name, carried, depth));
  }
  TFPROF_ASSIGN(const Evaluated tested, Call(condition->name, carried, depth));
  const int64_t trips = TripsOf(graph_, *condition, *body, op.inputs);
  OpWork work = done.work.TimesRun(trips == kNoInt ? 1 : trips);
  work.Add(tested.work.TimesRun(trips == kNoInt ? 1 : Plus({trips, 1})));
  if (trips == kNoInt) ++work.loops_once;
  return Evaluated{work, std::move(carried)};
}

// One of the branches runs: the one with most flops counts.
Result<BodyWork::Evaluated> BodyWork::EvaluateBranches(const KnownOp& op, int depth) {
  std::vector<std::string_view> names;
  for (const GraphKey key : {GraphKey::then_branch, GraphKey::else_branch, GraphKey::branches}) {
    const OpAttribute* const found = op.Find(key);
    if (found == nullptr) continue;
    for (const uint32_t at : found->texts) names.push_back(graph_.texts[at]);
  }
  Evaluated most;
  most.work.unknown = 1;
  for (size_t i = 0; i < names.size(); ++i) {
    const auto arguments = op.inputs.subspan(std::min<size_t>(op.inputs.size(), 1));
    TFPROF_ASSIGN(Evaluated branch, Call(names[i], arguments, depth));
    if (i == 0 || branch.work.flops > most.work.flops) {
      std::swap(branch, most);
    }
    if (i == 0) continue;
    // The results are those of any branch.
    for (size_t k = 0; k < std::min(most.results.size(), branch.results.size()); ++k) {
      const bool same = std::ranges::equal(most.results[k].dims, branch.results[k].dims);
      if (!same || most.results[k].has_rank != branch.results[k].has_rank) most.results[k] = {};
      most.results[k].has_values = false;
      most.results[k].values = {};
    }
  }
  return most;
}

}  // namespace tfprof
