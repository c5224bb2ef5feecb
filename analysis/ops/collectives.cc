// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/collectives.h"

#include <algorithm>
#include <charconv>
#include <compare>
#include <map>
#include <tuple>
#include <utility>

#include "analysis/intervals/interval_set.h"
#include "analysis/intervals/nesting.h"
#include "analysis/memory/element_type.h"
#include "analysis/ops/async_done.h"
#include "analysis/ops/event_ops.h"
#include "analysis/ops/links.h"
#include "analysis/place.h"
#include "analysis/programs.h"
#include "analysis/transfers/copies.h"
#include "analysis/transfers/hlo_text.h"

namespace tfprof {
namespace {

// Parts of names in lower case without - and _; the first match decides.
constexpr std::pair<std::string_view, Collective> kCollectiveNames[] = {
    {"allreduce", Collective::all_reduce},
    {"allgather", Collective::all_gather},
    {"reducescatter", Collective::reduce_scatter},
    {"alltoall", Collective::all_to_all},
    {"broadcast", Collective::broadcast},
    {"permute", Collective::send_receive},
    {"send", Collective::send_receive},
    {"recv", Collective::send_receive},
    {"reduce", Collective::reduce},
};

int64_t BytesOfTensors(const std::vector<PrintedTensor>& tensors, size_t first, size_t count) {
  int64_t bytes = 0;
  for (size_t i = first; i < std::min(tensors.size(), first + count); ++i) {
    bytes = SaturatingAdd(bytes, tensors[i].bytes);
  }
  return bytes;
}

// The start of an asynchronous collective produces its inputs, its outputs, and a synchronization
// value.
int64_t BytesOfInstruction(const PrintedInstruction& read, const CollectiveOp& op) {
  const size_t inputs = read.operand_names.size();
  if (!read.has_types || inputs == 0) return kNoInt;
  const bool is_pair = read.opcode.ends_with("-start") && read.opcode != "all-reduce-start";
  const int64_t made = is_pair ? BytesOfTensors(read.made, inputs, inputs)
                               : BytesOfTensors(read.made, 0, read.made.size());
  if (read.operands.size() >= inputs)
    return std::max(made, BytesOfTensors(read.operands, 0, inputs));
  if (op.kind != Collective::reduce_scatter) return made;
  bool clamped = false;
  return op.group_size == kNoInt ? kNoInt : SaturatingMul(made, op.group_size, &clamped);
}

// One event, before its call is known.
struct CollectivePart {
  std::string_view name;  // the name of the instruction or kernel
  std::string text;       // the printed instruction, else the name
  uint64_t program_id = 0;
};

// The arguments of a call, where they are recorded.
struct Arguments {
  std::string_view kind, group;
  int64_t group_size = kNoInt;
  int64_t element_type = kNoInt;  // analysis/memory/element_type.h

  auto operator<=>(const Arguments&) const = default;
};

class CollectiveFinder {
 public:
  CollectiveFinder(const Store& store, ProcessId device)
      : store_(store),
        process_(store.processes[device.value]),
        is_host_(process_.kind == ProcessKind::host),
        is_tpu_(!is_host_ && DeviceKindOf(store, process_) == DeviceKind::tpu) {
    found_.device = device;
  }

  Result<void> Read(const Indexes& indexes, Context& context) {
    TFPROF_ASSIGN(programs_, indexes.Get<CompiledPrograms>(context));
    TFPROF_ASSIGN(program_, indexes.Details(found_.device, AttributeKey::program, context));
    TFPROF_ASSIGN(work_, indexes.Details(found_.device, AttributeKey::work, context));
    constexpr DetailKey kArguments[] = {AttributeKey::collective, AttributeKey::process_group,
                                        AttributeKey::group_size, AttributeKey::element_type,
                                        AttributeKey::collective_bytes};
    TFPROF_ASSIGN(arguments_, indexes.Details(found_.device, kArguments, context));
    if (is_tpu_ || is_host_) return {};
    TFPROF_ASSIGN(ops_, FindEventOps(store_, indexes, found_.device, OpSources::recorded, context));
    return {};
  }
  Result<void> AddLane(const Lane& lane, const ChosenEvents& selected, Context& context);
  DeviceCollectives Finish();

 private:
  enum Argument : uint8_t { kKind, kGroup, kGroupSize, kElementType, kBytes };

  const Label& LabelOf(uint32_t row) const { return store_.labels[store_.events.label[row].value]; }
  std::string_view NameOf(uint32_t row) const { return store_.Text(LabelOf(row).name); }
  bool IsCollective(uint32_t row) const {
    if (is_host_) return LabelOf(row).role == EventRole::collective;
    if (LinkOf(NameOf(row)) == Link::devices) return true;
    const uint32_t op = is_tpu_ ? EventOps::kNone : ops_.Of(row);
    return op != EventOps::kNone && LinkOf(ops_.ops[op].hlo_name) == Link::devices;
  }
  bool Computes(uint32_t row) const {
    if (is_host_) return LabelOf(row).of == EventClass::op;
    if (is_tpu_) return !IsAsyncDone("", ParseInstruction(NameOf(row)).name);
    if (work_->rows.count == 0 || !work_->Has(row)) {
      return DirectionOf(LabelOf(row).role) == Direction::other;
    }
    return work_->Integer(row) == static_cast<int64_t>(WorkKind::kernel);
  }
  std::string TextOf(ModuleId module, std::string_view name) const {
    if (!module.some()) return std::string(name);
    const uint32_t at = programs_->Find(module, name);
    if (at == Instruction::kNone) return std::string(name);
    const Program& program = programs_->Of(module);
    return InstructionText(program, program.instructions[at]);
  }
  bool Records(Argument of, uint32_t row) const {
    return arguments_[of]->rows.count > 0 && arguments_[of]->Has(row);
  }
  int64_t NumberOf(Argument of, uint32_t row) const {
    return Records(of, row) ? arguments_[of]->Integer(row) : kNoInt;
  }
  Arguments ArgumentsOf(uint32_t row) const {
    return {arguments_[kKind]->TextIfRead(row), arguments_[kGroup]->TextIfRead(row),
            NumberOf(kGroupSize, row), NumberOf(kElementType, row)};
  }
  CollectivePart PartOf(uint32_t row) const;
  uint32_t OpOf(uint32_t row, const CollectivePart& part);
  int64_t BytesOfCall(uint32_t row, uint32_t op) const {
    const int64_t recorded = NumberOf(kBytes, row);
    return recorded == kNoInt ? instruction_bytes_[op] : recorded;
  }
  void AddEvent(uint32_t row);
  void AddDone(const PrintedInstruction& read, int64_t end_ps);

  struct Open {
    std::string name;
    std::string stem;  // all-reduce
    uint32_t op;
    int64_t start_ps;
    int64_t bytes;
  };
  const Store& store_;
  const Process& process_;
  bool is_host_, is_tpu_;
  IndexPtr<CompiledPrograms> programs_;
  IndexPtr<DetailColumn> program_, work_;
  std::vector<IndexPtr<DetailColumn>> arguments_;  // by Argument
  EventOps ops_;
  std::map<std::tuple<std::string, uint64_t, Arguments>, uint32_t> op_of_;
  std::vector<int64_t> instruction_bytes_;  // by op, per call
  std::vector<Open> open_;                  // of the lane
  IntervalSet computing_;
  DeviceCollectives found_;
};

CollectivePart CollectiveFinder::PartOf(uint32_t row) const {
  CollectivePart part{NameOf(row), std::string(NameOf(row))};
  if (is_tpu_) {
    const PrintedInstruction read = ParseInstruction(part.name);
    part.name = read.name;
    const int64_t program = program_->rows.count == 0 ? kNoInt : program_->Integer(row);
    if (program == kNoInt) return part;
    part.program_id = static_cast<uint64_t>(program);
    if (read.has_types) return part;
    part.text = TextOf(FindModule(store_, process_.host, part.program_id), part.name);
    return part;
  }
  const uint32_t op = ops_.Of(row);
  if (op == EventOps::kNone || !ops_.ops[op].is_xla) return part;
  part = {ops_.ops[op].hlo_name, "", ops_.ops[op].program_id};
  part.text = TextOf(ops_.ops[op].module, part.name);
  return part;
}

uint32_t CollectiveFinder::OpOf(uint32_t row, const CollectivePart& part) {
  const auto next = static_cast<uint32_t>(found_.ops.size());
  const Arguments arguments = ArgumentsOf(row);
  const auto [at, is_new] =
      op_of_.try_emplace({std::string(part.name), part.program_id, arguments}, next);
  if (!is_new) return at->second;
  CollectiveOp& op = found_.ops.emplace_back();
  op.name = part.name;
  op.program_id = part.program_id;
  const PrintedInstruction read = ParseInstruction(part.text);
  op.kind = CollectiveOf(read.opcode);
  if (op.kind == Collective::other) op.kind = CollectiveOf(part.name);
  if (op.kind == Collective::other) op.kind = CollectiveOf(arguments.kind);
  op.groups = arguments.group.empty() ? ReplicaGroups(part.text) : arguments.group;
  op.group_size = arguments.group_size == kNoInt ? GroupSize(op.groups) : arguments.group_size;
  if (arguments.element_type != kNoInt) {
    op.element_type = ElementTypeName(arguments.element_type);
  } else if (!read.made.empty()) {
    op.element_type = read.made[0].element;
  }
  instruction_bytes_.push_back(BytesOfInstruction(read, op));
  return next;
}

void CollectiveFinder::AddDone(const PrintedInstruction& read, int64_t end_ps) {
  const std::string stem(read.opcode.substr(0, read.opcode.rfind("-done")));
  auto open = std::find_if(open_.begin(), open_.end(), [&](const Open& o) {
    return !read.operand_names.empty() ? o.name == read.operand_names[0] : o.stem == stem;
  });
  if (open == open_.end()) {
    ++found_.unfinished;
    return;
  }
  found_.calls.push_back(
      {open->op, open->start_ps, SpanOf(open->start_ps, end_ps), 0, open->bytes});
  open_.erase(open);
}

void CollectiveFinder::AddEvent(uint32_t row) {
  const int64_t start_ps = store_.events.start_ps[row];
  const int64_t ps = store_.events.duration_ps[row];
  const CollectivePart part = PartOf(row);
  const PrintedInstruction read = ParseInstruction(part.text);
  if (is_tpu_ && read.opcode.ends_with("-done")) {
    AddDone(read, SaturatingAdd(start_ps, ps));
  } else if (is_tpu_ && read.opcode.ends_with("-start")) {
    const std::string stem(read.opcode.substr(0, read.opcode.rfind("-start")));
    const uint32_t op = OpOf(row, part);
    open_.push_back({std::string(part.name), stem, op, start_ps, BytesOfCall(row, op)});
  } else {
    const uint32_t op = OpOf(row, part);
    found_.calls.push_back({op, start_ps, ps, 0, BytesOfCall(row, op)});
  }
}

Result<void> CollectiveFinder::AddLane(const Lane& lane, const ChosenEvents& selected,
                                       Context& context) {
  LaneNesting nesting;
  NestEvents(store_, lane, &nesting);
  std::vector<bool> encloses(lane.rows.count);
  for (const uint32_t parent : nesting.parent) {
    if (parent != kNoRow) encloses[parent - lane.rows.first] = true;
  }
  const uint32_t end = lane.rows.first + lane.rows.count;
  for (uint32_t row = lane.rows.first + lane.unplaced; row < end; ++row) {
    if (row % kRowsPerPoll == 0) TFPROF_TRY(Poll(context));
    if (IsCollective(row)) {
      if (selected.Takes(row)) AddEvent(row);
    } else if (!encloses[row - lane.rows.first] && store_.events.duration_ps[row] > 0 &&
               Computes(row)) {
      const int64_t start_ps = store_.events.start_ps[row];
      computing_.Add(start_ps, SaturatingAdd(start_ps, store_.events.duration_ps[row]));
    }
  }
  found_.unfinished += static_cast<int64_t>(open_.size());
  open_.clear();
  return {};
}

DeviceCollectives CollectiveFinder::Finish() {
  const Intervals computing = computing_.Parts();
  for (CollectiveCall& call : found_.calls) {
    EachWithin(computing, call.start_ps, SaturatingAdd(call.start_ps, call.duration_ps),
               [&](int64_t from_ps, int64_t to_ps) { call.overlapped_ps += to_ps - from_ps; });
  }
  std::ranges::stable_sort(found_.calls, {}, &CollectiveCall::start_ps);
  return std::move(found_);
}

}  // namespace

std::string_view CollectiveName(Collective of) {
  constexpr std::string_view kAll[] = {"all-reduce", "all-gather", "reduce-scatter", "all-to-all",
                                       "broadcast",  "reduce",     "send/receive",   "other"};
  return kAll[static_cast<size_t>(of)];
}

Collective CollectiveOf(std::string_view name) {
  std::string plain;
  for (const char c : name.substr(0, name.find('('))) {
    if (c == '-' || c == '_') continue;
    plain.push_back(c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c);
  }
  for (const auto& [part, of] : kCollectiveNames) {
    if (plain.find(part) != plain.npos) return of;
  }
  return Collective::other;
}

double BusFactor(Collective of, int64_t group_size) {
  const bool is_one =
      of == Collective::broadcast || of == Collective::reduce || of == Collective::send_receive;
  if (is_one) return 1;
  if (of == Collective::other || group_size == kNoInt || group_size < 1) return kNoReal;
  const auto n = static_cast<double>(group_size);
  return (of == Collective::all_reduce ? 2 : 1) * (n - 1) / n;
}

std::string_view ReplicaGroups(std::string_view instruction) {
  constexpr std::string_view kKey = "replica_groups=";
  const size_t at = instruction.find(kKey);
  if (at == instruction.npos) return {};
  instruction.remove_prefix(at + kKey.size());
  return instruction.substr(0, instruction.find(", "));
}

int64_t GroupSize(std::string_view replica_groups) {
  if (replica_groups.starts_with("{{")) {
    const std::string_view first = replica_groups.substr(2, replica_groups.find('}') - 2);
    return first.empty() ? kNoInt : 1 + std::count(first.begin(), first.end(), ',');
  }
  const size_t comma = replica_groups.find(',');
  if (!replica_groups.starts_with('[') || comma == replica_groups.npos) return kNoInt;
  int64_t size = kNoInt;
  std::from_chars(replica_groups.data() + comma + 1, replica_groups.data() + replica_groups.size(),
                  size);
  return size;
}

Result<DeviceCollectives> FindCollectives(const Store& store, const Indexes& indexes,
                                          ProcessId process, const ChosenEvents& selected,
                                          Context& context) {
  CollectiveFinder finder(store, process);
  TFPROF_TRY(finder.Read(indexes, context));
  const bool is_host = store.processes[process.value].kind == ProcessKind::host;
  const Measures measures = is_host ? Measures::host_time : Measures::accelerator_time;
  const Range lanes = store.processes[process.value].lanes;
  for (uint32_t i = lanes.first; i < lanes.first + lanes.count; ++i) {
    if (store.lanes[i].measures != measures) continue;
    TFPROF_TRY(finder.AddLane(store.lanes[i], selected, context));
  }
  return finder.Finish();
}

}  // namespace tfprof
