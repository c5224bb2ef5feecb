// SPDX-License-Identifier: Apache-2.0
#include "core/report/table_def.h"
#include "views/advice/checker.h"
#include "views/columns/fill_columns.h"

namespace tfprof {
namespace {

constexpr ColumnDef kId =
    TextDef("finding_id", "finding ID", "ID of the finding; stable.").ForMachines();
constexpr ColumnDef kRank =
    IntegerDef("rank", "#", Unit::none, "Rank of the finding, from 1.").ForMachines();
constexpr ColumnDef kSeverity = TextDef("severity", "severity", "high, medium, low, info.");
constexpr ColumnDef kChecker = TextDef("checker", "checker", "Checker that reports it.");
constexpr ColumnDef kCost = IntegerDef("cost_us", "cost/step", Unit::ps,
                                       "Upper bound on the time that a step would save without it.")
                                .Was("cost_ps");
constexpr ColumnDef kWhat =
    TextDef("finding", "finding", "The finding, as a sentence.").Below("finding");
constexpr ColumnDef kEvidence =
    TextDef("evidence", "evidence", "The numbers; the first is one that the command prints.")
        .Below("evidence");
constexpr ColumnDef kFix = TextDef("fix", "fix", "Recommendation.").Was("to_do").Below("fix");
constexpr ColumnDef kCommand =
    TextDef("command", "command", "A command that shows the first number.")
        .Below(LongText::verbatim);

constexpr ColumnDef kFindingsColumns[] = {
    kRank,
    kId,
    kSeverity,
    kChecker,
    kCost,
    kWhat,
    kEvidence,
    TextDef("cost_formula", "cost formula", "How the cost is computed.").Below("cost"),
    TextDef("threshold", "threshold", "Threshold of the finding.")
        .Was("told_from")
        .Below("threshold"),
    kFix,
    kCommand,
};
constexpr TableDef kFindingsTable{"findings", "", kFindingsColumns};

constexpr ColumnDef kStepFindingsColumns[] = {
    kRank,    kId, kSeverity, kChecker, kCost, kWhat.Was("reason"), kEvidence, kFix.Was("what"),
    kCommand,
};
constexpr TableDef kStepFindingsTable{"advice", "", kStepFindingsColumns};

}  // namespace

Table FindingsTable(const TableDef& def, const std::vector<Finding>& findings, TextPool* pool) {
  Table table = MakeTable(def, findings.size());
  ReportColumn& rank = AddColumn(table, "rank");  // cards have that order
  for (size_t i = 0; i < findings.size(); ++i) rank.integers.push_back(static_cast<int64_t>(i) + 1);
  Fill(table, "finding_id", findings, [](const Finding& f) { return TextOf(f.id).name; });
  Fill(table, "severity", findings, [](const Finding& f) { return NameOf(f.severity); });
  Fill(table, "checker", findings, [](const Finding& f) { return TextOf(f.id).checker; });
  Fill(table, "cost_us", findings, [](const Finding& f) { return f.cost_ps; });
  const auto texts = [&](std::string_view id, auto text_of) {
    if (def.Find(id) == nullptr) return;
    Fill(table, id, findings, [&](const Finding& f) { return pool->Keep(text_of(f)); });
  };
  texts("finding", WhatOf);
  texts("evidence", EvidenceOf);
  texts("cost_formula", FormulaOf);
  texts("threshold", [](const Finding& f) { return ThresholdOf(TextOf(f.id)); });
  texts("fix", RecommendationOf);
  texts("command", CommandOf);
  return table;
}

const TableDef& FindingsTableDef() { return kFindingsTable; }
const TableDef& StepFindingsTableDef() { return kStepFindingsTable; }

}  // namespace tfprof
