// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/event_ops.h"

#include "analysis/programs.h"
#include "core/base/hash.h"
#include "core/store/details.h"

namespace tfprof {
namespace {

// Identifies an operation within a process.
struct OpKey {
  uint32_t op = NameId::kNone;      // of the column `op`
  uint32_t hlo_op = NameId::kNone;  // of the column `hlo_op`
  uint32_t module = NameId::kNone;  // of the column `module`
  bool has_program = false;
  int64_t program = 0;

  bool operator==(const OpKey&) const = default;
  uint64_t Hash() const {
    const uint64_t texts = uint64_t{op} << 32 | hlo_op;
    return HashPair(texts, static_cast<uint64_t>(program) ^ (uint64_t{module} << 20));
  }
};

struct Columns {
  IndexPtr<DetailColumn> op, hlo_op, module, program;
};

Result<Columns> ReadColumns(const Indexes& indexes, ProcessId process, Context& context) {
  Columns columns;
  TFPROF_ASSIGN(auto read, indexes.Details(process, kOpKeys, context));
  columns.op = std::move(read[0]);
  columns.hlo_op = std::move(read[1]);
  columns.module = std::move(read[2]);
  columns.program = std::move(read[3]);
  return columns;
}

struct Cursors {
  DetailCursor op, hlo_op, module, program;
};

// Returns the key of an event that records an instruction.
OpKey KeyOf(Cursors* cursors, uint32_t row) {
  OpKey key;
  key.op = cursors->op.TextId(row).value;
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

struct Naming {
  const Store& store;
  HostId host;
  const CompiledPrograms& programs;
  const Columns& columns;
  Names* texts;
};

std::string_view TextIn(const DetailColumn& column, uint32_t id) {
  return id == NameId::kNone ? std::string_view() : column.texts[NameId(id)];
}

// Ids of texts: the texts move when others are added.
struct OpTexts {
  NameId hlo_name;
  NameId provenance;  // none: as recorded in the column `op`
};

OpTexts Resolve(const Naming& naming, const OpKey& key, EventOp* op) {
  const std::string_view recorded = TextIn(*naming.columns.op, key.op);
  std::string_view hlo = TextIn(*naming.columns.hlo_op, key.hlo_op);
  op->is_xla = !hlo.empty() && (key.has_program || key.module != NameId::kNone);
  if (!op->is_xla) {
    op->provenance = recorded;
    return {NameId(0), NameId()};
  }
  // "while.1::body::add.3": the innermost of several.
  if (const size_t at = hlo.rfind("::"); at != hlo.npos) hlo.remove_prefix(at + 2);
  op->program_id = static_cast<uint64_t>(key.program);
  op->module = ModuleOf(naming.store, naming.host, key, TextIn(*naming.columns.module, key.module));
  if (op->module.some()) op->instruction = naming.programs.Find(op->module, hlo);
  if (op->instruction == Instruction::kNone) {
    return {naming.texts->Intern(hlo), naming.texts->Intern(ParseOpName(recorded) ? recorded : "")};
  }
  const Program& program = naming.programs.Of(op->module);
  op->program_id = naming.store.modules[op->module.value].program_id;
  return {naming.texts->Intern(hlo),
          naming.texts->Intern(OpTextOf(program, program.instructions[op->instruction]))};
}

void NameOps(const Naming& naming, const GroupIndex<OpKey>& keys, EventOps* ops) {
  std::vector<OpTexts> texts;
  texts.reserve(keys.size());
  ops->ops.reserve(keys.size());
  for (const OpKey& key : keys.keys()) {
    texts.push_back(Resolve(naming, key, &ops->ops.emplace_back()));
  }
  for (size_t i = 0; i < texts.size(); ++i) {
    EventOp& op = ops->ops[i];
    op.hlo_name = naming.texts->Text(texts[i].hlo_name);
    if (texts[i].provenance.some()) op.provenance = naming.texts->Text(texts[i].provenance);
    op.op = ParseOpName(op.provenance);
  }
}

// Assigns numbers to operations in order of rows.
class OpsOfRows {
 public:
  explicit OpsOfRows(const Columns& columns)
      : has_hlo_(columns.hlo_op->rows.count > 0),
        text_of_(columns.op->text_of),
        of_text_(columns.op->texts.size(), EventOps::kNone),
        cursors_{DetailCursor(*columns.op), DetailCursor(*columns.hlo_op),
                 DetailCursor(*columns.module), DetailCursor(*columns.program)} {}

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

}  // namespace

Result<EventOps> FindEventOps(const Store& store, const Indexes& indexes, ProcessId process,
                              Context& context) {
  TFPROF_ASSIGN(const Columns columns, ReadColumns(indexes, process, context));
  EventOps ops;
  if (columns.op->rows.count == 0 && columns.hlo_op->rows.count == 0) return ops;
  ops.recorded = columns.op;
  ops.rows = columns.op->rows.count > 0 ? columns.op->rows : columns.hlo_op->rows;
  TFPROF_ASSIGN(const auto programs, indexes.Get<CompiledPrograms>(context));
  OpsOfRows rows(columns);
  TFPROF_TRY(rows.Number(ops.rows, ops.of_event.Extend(ops.rows.count), context));
  const HostId host = store.processes[process.value].host;
  NameOps({store, host, *programs, columns, &ops.texts}, rows.keys(), &ops);
  return ops;
}

}  // namespace tfprof
