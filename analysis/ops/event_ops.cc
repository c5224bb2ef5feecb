// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/event_ops.h"

#include "analysis/ops/further_names.h"
#include "analysis/programs.h"
#include "analysis/steps/grouping/event_roots.h"
#include "core/base/hash.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// Identifies an operation within a process. Texts are ids in the column of that name.
struct OpKey {
  uint32_t op = NameId::kNone;
  uint32_t op_path = NameId::kNone;
  uint32_t hlo_op = NameId::kNone;
  uint32_t module = NameId::kNone;
  bool has_program = false;
  int64_t program = 0;

  bool operator==(const OpKey&) const = default;
  uint64_t Hash() const {
    const uint64_t texts = uint64_t{op} << 32 | hlo_op;
    const uint64_t rest = uint64_t{module} << 20 ^ uint64_t { op_path } << 40;
    return HashPair(texts, static_cast<uint64_t>(program) ^ rest);
  }
};

struct OpColumns {
  IndexPtr<DetailColumn> op, op_path, hlo_op, module, program;
};

Result<OpColumns> ReadColumns(const Indexes& indexes, ProcessId process, OpSources sources,
                              Context& context) {
  OpColumns columns;
  TFPROF_ASSIGN(auto read, indexes.Details(process, kOpKeys, context));
  columns.op = std::move(read[0]);
  columns.hlo_op = std::move(read[1]);
  columns.module = std::move(read[2]);
  columns.program = std::move(read[3]);
  if (sources != OpSources::recorded && columns.hlo_op->rows.count > 0) {
    TFPROF_ASSIGN(columns.op_path, indexes.Details(process, AttributeKey::op_path, context));
  } else {
    columns.op_path = std::make_shared<const DetailColumn>();
  }
  return columns;
}

struct Cursors {
  DetailCursor op, op_path, hlo_op, module, program;
};

// Returns the key of an event that records an instruction.
OpKey KeyOf(Cursors* cursors, uint32_t row) {
  OpKey key;
  key.op = cursors->op.TextId(row).value;
  key.op_path = cursors->op_path.TextId(row).value;
  key.hlo_op = cursors->hlo_op.TextId(row).value;
  key.module = cursors->module.TextId(row).value;
  const int64_t program = cursors->program.Integer(row);
  key.has_program = program != kNoInt;
  if (key.has_program) key.program = program;
  return key;
}

// Returns the module of a kernel: by number, else by its name without the number at the end.
ModuleId ModuleOf(const Store& store, HostId host, const OpKey& key, std::string_view name) {
  if (key.has_program) return FindModule(store, host, static_cast<uint64_t>(key.program));
  for (size_t i = 0; i < store.modules.size(); ++i) {
    const std::string_view known = store.Text(store.modules[i].name);
    if (!name.empty() && known.substr(0, known.rfind('(')) == name) return ModuleId(i);
  }
  return {};
}

struct OpNaming {
  const Store& store;
  HostId host;
  const CompiledPrograms& programs;
  const OpColumns& columns;
  OpSources sources;
  Names* texts;
};

std::string_view TextIn(const DetailColumn& column, uint32_t id) {
  return id == NameId::kNone ? std::string_view() : column.texts[NameId(id)];
}

bool NamesOp(std::string_view text) { return ParseOpName(text) && !NamesOnlyProgram(text); }

// Ids of texts: the texts move when others are added.
struct OpTexts {
  NameId hlo_name;
  NameId program;
  NameId provenance;  // none: as recorded in the column `op`
};

// Returns the operation of an instruction of a program, NAME:TYPE.
std::string OpOfInstruction(const OpNaming& naming, const OpKey& key, const EventOp& op) {
  const std::string_view recorded = TextIn(*naming.columns.op, key.op);
  const bool as_recorded = naming.sources == OpSources::recorded;
  if (!as_recorded && NamesOp(recorded)) return std::string(recorded);
  std::string text;
  if (op.instruction != Instruction::kNone) {
    const Program& program = naming.programs.Of(op.module);
    text = OpTextOf(program, program.instructions[op.instruction]);
  } else if (as_recorded && ParseOpName(recorded)) {
    text = recorded;
  }
  const std::string_view path = TextIn(*naming.columns.op_path, key.op_path);
  return text.empty() && !path.empty() ? std::string(path) + ":" : text;
}

OpTexts Resolve(const OpNaming& naming, const OpKey& key, EventOp* op) {
  std::string_view hlo = TextIn(*naming.columns.hlo_op, key.hlo_op);
  op->is_xla = !hlo.empty() && (key.has_program || key.module != NameId::kNone);
  if (!op->is_xla) {
    const std::string_view recorded = TextIn(*naming.columns.op, key.op);
    const bool is_none = naming.sources != OpSources::recorded && NamesOnlyProgram(recorded);
    if (!is_none) op->op = ParseOpName(op->provenance = recorded);
    return {NameId(0), NameId(0), NameId()};
  }
  // "while.1::body::add.3": the innermost of several.
  if (const size_t at = hlo.rfind("::"); at != hlo.npos) hlo.remove_prefix(at + 2);
  op->program_id = static_cast<uint64_t>(key.program);
  const std::string_view program = TextIn(*naming.columns.module, key.module);
  op->module = ModuleOf(naming.store, naming.host, key, program);
  if (op->module.some()) op->instruction = naming.programs.Find(op->module, hlo);
  if (op->instruction != Instruction::kNone) {
    op->program_id = naming.store.modules[op->module.value].program_id;
  }
  return {naming.texts->Intern(hlo), naming.texts->Intern(program),
          naming.texts->Intern(OpOfInstruction(naming, key, *op))};
}

// Sets the texts of the operations, after the last one is in the table.
void SetTexts(const std::vector<OpTexts>& texts, EventOps* ops) {
  for (size_t i = 0; i < texts.size(); ++i) {
    EventOp& op = ops->ops[i];
    op.hlo_name = ops->texts.Text(texts[i].hlo_name);
    op.program = ops->texts.Text(texts[i].program);
    if (!texts[i].provenance.some()) continue;  // as recorded: parsed when it was resolved
    op.provenance = ops->texts.Text(texts[i].provenance);
    op.op = OpNameOf(op.of, op.provenance);
  }
}

// Assigns numbers to operations in order of rows.
class OpsOfRows {
 public:
  explicit OpsOfRows(const OpColumns& columns)
      : has_hlo_(columns.hlo_op->rows.count > 0),
        text_of_(columns.op->text_of),
        of_text_(columns.op->texts.size(), EventOps::kNone),
        cursors_{DetailCursor(*columns.op), DetailCursor(*columns.op_path),
                 DetailCursor(*columns.hlo_op), DetailCursor(*columns.module),
                 DetailCursor(*columns.program)} {}

  Result<void> Number(Range rows, uint32_t* op_of, Context& context) {
    const uint32_t end = rows.first + rows.count;
    for (uint32_t from = rows.first; from < end; from += std::min(kRowsPerPoll, end - from)) {
      TFPROF_TRY(Poll(context));
      const uint32_t to = from + std::min(kRowsPerPoll, end - from);
      if (has_hlo_) {
        for (uint32_t row = from; row < to; ++row) *op_of++ = OfRow(row);
      } else {
        op_of = OfTexts(from, to, op_of);
      }
    }
    return {};
  }
  const GroupIndex<OpKey>& keys() const { return keys_; }

 private:
  // Handles rows whose events record no instruction. Returns the next output position.
  uint32_t* OfTexts(uint32_t row, uint32_t end, uint32_t* op_of) {
    DetailCursor op = cursors_.op;
    while (row < end) {
      const DetailRange texts = op.RangeAt(row, end);
      const bool all_texts = texts.AllTexts();
      for (; row < texts.end; ++row) {
        const bool is_text = all_texts || texts.IsText(row);
        *op_of++ = is_text ? OfText(text_of_[texts.Bits(row)]) : EventOps::kNone;
      }
    }
    return op_of;
  }
  uint32_t OfRow(uint32_t row) {
    if (cursors_.hlo_op.TextId(row).some()) return keys_.Of(KeyOf(&cursors_, row));
    return OfText(cursors_.op.TextId(row));
  }
  // Handles an event without an instruction, the most common case.
  uint32_t OfText(NameId op) {
    if (!op.some()) return EventOps::kNone;
    uint32_t& known = of_text_[op.value];
    if (known == EventOps::kNone) known = keys_.Of({.op = op.value});
    return known;
  }

  bool has_hlo_;
  std::span<const NameId> text_of_;  // of the column `op`
  std::vector<uint32_t> of_text_;    // by text of `op`
  GroupIndex<OpKey> keys_;
  Cursors cursors_;
};

// Names work by what is around it, after all that records its operation itself is named.
Result<void> NameFurther(const Store& store, const Indexes& indexes, ProcessId process,
                         OpSources sources, EventOps* ops, std::vector<OpTexts>* texts,
                         Context& context) {
  std::vector<bool> is_named;
  for (const EventOp& op : ops->ops) {
    is_named.push_back(op.is_xla || (op.op && !NamesOnlyProgram(op.provenance)));
  }
  const auto lacks_name = [&](uint32_t row) {
    const uint32_t op = ops->Of(row);
    return op == EventOps::kNone || !is_named[op];
  };
  TFPROF_ASSIGN(const FurtherNames further,
                FindFurtherNames(store, indexes, process, sources, lacks_name, context));
  if (further.of_row.empty()) return {};
  if (ops->rows.count == 0) {
    ops->rows = RowsOf(store, store.processes[process.value]);
    ops->of_event.Resize(ops->rows.count, EventOps::kNone);
  }
  // Name 0 is no name.
  const auto before_first = static_cast<uint32_t>(ops->ops.size()) - 1;
  for (uint32_t name = 1; name < further.names.size(); ++name) {
    ops->ops.emplace_back().of = further.of_name[name];
    texts->push_back({NameId(0), NameId(0), ops->texts.Intern(further.names[NameId(name)])});
  }
  for (const auto& [row, name] : further.of_row) {
    ops->of_event[row - ops->rows.first] = before_first + name.value;
  }
  return {};
}

}  // namespace

Result<EventOps> FindEventOps(const Store& store, const Indexes& indexes, ProcessId process,
                              OpSources sources, Context& context) {
  TFPROF_ASSIGN(const OpColumns columns, ReadColumns(indexes, process, sources, context));
  EventOps ops;
  std::vector<OpTexts> texts;
  if (columns.op->rows.count > 0 || columns.hlo_op->rows.count > 0) {
    ops.recorded = columns.op;
    ops.rows = columns.op->rows.count > 0 ? columns.op->rows : columns.hlo_op->rows;
    TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
    OpsOfRows rows(columns);
    TFPROF_TRY(rows.Number(ops.rows, ops.of_event.Extend(ops.rows.count), context));
    const HostId host = store.processes[process.value].host;
    const OpNaming naming{store, host, *programs, columns, sources, &ops.texts};
    for (const OpKey& key : rows.keys().keys()) {
      texts.push_back(Resolve(naming, key, &ops.ops.emplace_back()));
    }
  }
  const bool is_device = store.processes[process.value].kind == ProcessKind::device;
  if (sources != OpSources::recorded && is_device) {
    TFPROF_TRY(NameFurther(store, indexes, process, sources, &ops, &texts, context));
  }
  SetTexts(texts, &ops);
  return ops;
}

}  // namespace tfprof
