// SPDX-License-Identifier: Apache-2.0
#include "views/programs/op_profile.h"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/programs.h"
#include "core/base/arith.h"
#include "core/base/sorting.h"
#include "views/columns/device_use.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kOpProfileColumns[] = {
    TextDef("name", "name", "Program, category or instruction."),
    TextDef("kind", "kind", "total, program, category or instruction.").ForMachines(),
    TextDef("program", "program", "Program of the instruction.").Droppable(),
    CountDef("runs", "runs", "Executions of the program or the instruction.").Droppable(),
    TimeDef("time_us", "self time", "Sum of the self times of its instructions."),
    RealDef("share_pct", "share", Unit::percent,
            "Self time as a share of that of all instructions that do not wait for others."),
    RealDef("flops_utilization_pct", "FLOPs %", Unit::percent,
            "Flops of work that may use matrix units, as a share of what the devices can compute "
            "in that time at their 16-bit peak; absent where they are known for less than 90% of "
            "it."),
    RealDef("bandwidth_utilization_pct", "HBM %", Unit::percent,
            "Bytes read and written, as a share of what the memory can move in that time; absent "
            "likewise."),
    RealDef("mfu_pct", "MFU %", Unit::percent,
            "Model flops as a share of what the devices can compute at their 16-bit peak during "
            "the executions of the program, gaps between instructions included."),
    RealDef("wasted_flops", "wasted FLOPs", Unit::flops,
            "What the devices could compute in that time at their 16-bit peak, minus what they "
            "did."),
    TimeDef("known_flops_us", "known flops", "Part of the self time whose flops are known.")
        .ForMachines(),
};

struct ProfileRow {
  std::string_view name;
  std::string_view kind;
  uint32_t parent = Table::kNoRow;
  int64_t runs = kNoInt;
  int64_t shared_ps = 0;  // part of the time that has a share
  bool has_share = false;
  DeviceUse use = {};
  int64_t executions_ps = kNoInt;  // of a program, and of all
  std::string_view program = {};   // of an instruction
};

class OpTree {
 public:
  // `pool` keeps the names of programs.
  OpTree(const Store& store, const ProfiledOps& profiled, RowsBy by, TextPool& pool)
      : store_(store), profiled_(profiled), by_(by), pool_(pool) {
    rows_.push_back({.name = kRootName, .kind = "total"});
    for (const OpTime& op : profiled.ops) Add(op);
    AddExecutions();
    SortRows();
  }

  const std::vector<ProfileRow>& rows() const { return rows_; }
  const std::vector<uint32_t>& depth() const { return depth_; }

 private:
  using Key = std::tuple<uint32_t, std::string_view, uint64_t>;  // parent, name, program

  uint32_t Below(uint32_t parent, std::string_view name, std::string_view kind, uint64_t program) {
    const auto [at, is_new] =
        found_.try_emplace(Key{parent, name, program}, static_cast<uint32_t>(rows_.size()));
    if (is_new) rows_.push_back({.name = name, .kind = kind, .parent = parent});
    return at->second;
  }

  void Add(const OpTime& op) {
    const uint64_t id = op.xla->program_id;
    uint32_t above = 0;
    if (by_ == RowsBy::program) {
      above = Below(above, NameOf(id), "program", id);
      program_of_row_[above] = id;
    }
    above = Below(above, op.xla->category, "category", 0);
    const auto row = static_cast<uint32_t>(rows_.size());
    rows_.push_back({.name = op.xla->name,
                     .kind = "instruction",
                     .parent = above,
                     .runs = op.occurrences,
                     .program = NameOf(id)});
    DeviceUse use;
    use.Add(profiled_.peaks, op);
    const bool has_share = profiled_.accounting == OpAccounting::original || !op.is_async_done;
    for (uint32_t at = row; at != Table::kNoRow; at = rows_[at].parent) {
      rows_[at].use.Add(use);
      if (!has_share) continue;
      rows_[at].has_share = true;
      rows_[at].shared_ps = SaturatingAdd(rows_[at].shared_ps, op.self_ps);
    }
  }

  // The total has executions if all programs have them.
  void AddExecutions() {
    std::vector<uint64_t> programs;
    for (const OpTime& op : profiled_.ops) programs.push_back(op.xla->program_id);
    std::ranges::sort(programs);
    programs.erase(std::unique(programs.begin(), programs.end()), programs.end());
    int64_t all_ps = 0;
    for (const uint64_t id : programs) {
      const ProgramRun* run = FindRun(profiled_.runs, id);
      const int64_t ps = run == nullptr ? kNoInt : run->sum_ps;
      all_ps = ps == kNoInt || all_ps == kNoInt ? kNoInt : SaturatingAdd(all_ps, ps);
    }
    rows_[0].executions_ps = all_ps;
    for (const auto& [row, id] : program_of_row_) {
      const ProgramRun* run = FindRun(profiled_.runs, id);
      if (run == nullptr) continue;
      rows_[row].runs = run->runs;
      rows_[row].executions_ps = run->sum_ps;
    }
  }

  // Depth-first, siblings by time.
  void SortRows() {
    std::vector<std::vector<uint32_t>> children(rows_.size());
    for (uint32_t row = 1; row < rows_.size(); ++row) children[rows_[row].parent].push_back(row);
    const auto longer = [&](uint32_t a, uint32_t b) {
      return rows_[a].use.time_ps > rows_[b].use.time_ps;
    };
    for (std::vector<uint32_t>& of : children) StableSort(of, longer);
    std::vector<ProfileRow> sorted;
    std::vector<std::tuple<uint32_t, uint32_t, uint32_t>> left{{0, Table::kNoRow, 0}};
    while (!left.empty()) {  // row, its new parent, its depth
      const auto [row, parent, depth] = left.back();
      left.pop_back();
      const auto at = static_cast<uint32_t>(sorted.size());
      sorted.push_back(rows_[row]);
      sorted.back().parent = parent;
      depth_.push_back(depth);
      for (auto child = children[row].rbegin(); child != children[row].rend(); ++child) {
        left.emplace_back(*child, at, depth + 1);
      }
    }
    rows_ = std::move(sorted);
  }

  // Its number, if the trace does not have the program.
  std::string_view NameOf(uint64_t program_id) {
    const ModuleId module = FindModule(store_, HostId(), program_id);
    if (module.some()) return store_.Text(store_.modules[module.value].name);
    std::string_view& number = numbers_[program_id];
    if (number.empty()) number = pool_.Keep(std::to_string(program_id));
    return number;
  }

  const Store& store_;
  const ProfiledOps& profiled_;
  RowsBy by_;
  TextPool& pool_;
  std::vector<ProfileRow> rows_;
  std::vector<uint32_t> depth_;
  std::map<Key, uint32_t> found_;
  std::map<uint64_t, std::string_view> numbers_;
  std::map<uint32_t, uint64_t> program_of_row_;  // before the rows are sorted
};

void AddUse(const std::vector<ProfileRow>& rows, const DevicePeaks& peaks, Table* table) {
  Fill(*table, "time_us", rows, [](const ProfileRow& r) { return r.use.time_ps; });
  const auto all_ps = static_cast<double>(rows[0].shared_ps);
  Fill(*table, "share_pct", rows, [&](const ProfileRow& r) {
    return r.has_share && all_ps > 0 ? 100 * static_cast<double>(r.shared_ps) / all_ps : kNoReal;
  });
  const auto add = [&](std::string_view id, auto cell) { Fill(*table, id, rows, cell); };
  add("flops_utilization_pct", [&](const ProfileRow& r) { return 100 * r.use.FlopsShare(peaks); });
  add("bandwidth_utilization_pct",
      [&](const ProfileRow& r) { return 100 * r.use.BandwidthShare(peaks); });
  add("mfu_pct", [&](const ProfileRow& r) { return 100 * r.use.Mfu(peaks, r.executions_ps); });
  add("wasted_flops", [&](const ProfileRow& r) { return r.use.WastedFlops(peaks); });
  Fill(*table, "known_flops_us", rows, [](const ProfileRow& r) { return r.use.flops_ps; });
}

}  // namespace

constexpr TableDef kOpProfileTable{"op_profile", "op profile", kOpProfileColumns};

Table OpProfileTable(const Store& store, const ProfiledOps& profiled, RowsBy by, TextPool& pool) {
  if (profiled.ops.empty()) return MakeTable(kOpProfileTable, 0);
  const OpTree tree(store, profiled, by, pool);
  const std::vector<ProfileRow>& rows = tree.rows();
  Table table = MakeTable(kOpProfileTable, rows.size());
  table.tree = true;
  table.ordered_by = "time_us";
  table.depth = tree.depth();
  for (const ProfileRow& row : rows) table.parent.push_back(row.parent);
  const auto keep = [&](std::string_view text) { return pool.Keep(std::string(text)); };
  Fill(table, "name", rows, [&](const ProfileRow& r) { return keep(r.name); });
  Fill(table, "kind", rows, [](const ProfileRow& r) { return r.kind; });
  const auto is_of = [&](const OpTime& op) {
    return op.xla->program_id != profiled.ops.front().xla->program_id;
  };
  const bool several = std::ranges::any_of(profiled.ops, is_of);
  Fill(table, "program", rows, [](const ProfileRow& r) { return r.program; }).spec.human_readable =
      several && by == RowsBy::category;
  Fill(table, "runs", rows, [](const ProfileRow& r) { return r.runs; });
  AddUse(rows, profiled.peaks, &table);
  return table;
}

}  // namespace tfprof
