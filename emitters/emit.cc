// SPDX-License-Identifier: Apache-2.0
#include "emitters/emit.h"

#include <fmt/core.h>

#include "core/report/row_blocks.h"

namespace tfprof {
namespace {

bool Has(Part part, const Report& report) {
  switch (part) {
    case Part::rows:
      return true;
    case Part::named_rows:
      return report.tables[0].Find("name") != nullptr;
    case Part::drawing:
      return bool(report.drawing);
    case Part::samples:
      return bool(report.samples);
  }
  return false;
}

Result<void> CheckParts(const Emitter& emitter, const Report& report) {
  if (Has(emitter.needs, report)) return {};
  std::string name(emitter.name);
  if (name.starts_with("classic_")) name.erase(0, name.find('_') + 1);
  if (emitter.needs == Part::samples) {
    return Fail(ErrorKind::usage,
                "-output: " + report.view + " has no stacks to sample; `code` has", {},
                "the command `pprof` also writes the rows of scope, graph and op");
  }
  if (emitter.needs == Part::named_rows) {
    return Fail(ErrorKind::usage, report.view + " has no names for the frames of " + name, {},
                "scope, graph, op and code have");
  }
  return Fail(ErrorKind::usage, report.view + " has nothing that " + name + " could show", {},
              emitter.needs == Part::drawing ? "scope, graph and code have" : "code has");
}

}  // namespace

Result<void> PrepareFor(const Emitter& emitter, Report* report, Context& context) {
  TFPROF_TRY(CheckParts(emitter, *report));
  if (emitter.streams || !report->blocks) return {};
  TFPROF_TRY(TakeBlocks(kMostRowsLaidOut, report, context));
  if (report->tables[0].omitted_rows == 0) return {};
  report->notes.push_back({fmt::format(
      "without -n a table has at most {} rows: `{} -format csv > FILE` writes all rows",
      kMostRowsLaidOut, report->view)});
  return {};
}

Result<void> Emit(const Emitter& emitter, Report report, const Query& query, const Style& style,
                  Sink& sink, Context& context) {
  TFPROF_TRY(PrepareFor(emitter, &report, context));
  return emitter.emit(report, query, style, sink, context);
}

}  // namespace tfprof
