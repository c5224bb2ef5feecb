// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/answer.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/nearest.h"
#include "core/query/options.h"
#include "core/text/units.h"
#include "views/advice/checker.h"

namespace tfprof {
namespace {

Result<void> CheckNames(std::string_view option, const std::vector<std::string>& given,
                        const std::vector<std::string_view>& valid) {
  for (const std::string& name : given) {
    if (std::find(valid.begin(), valid.end(), name) != valid.end()) continue;
    return UsageError(fmt::format("-{}: no '{}'", option, name), OneOf(name, valid));
  }
  return {};
}

// The rank of a severity: 0 is the worst. Returns the number of severities if it is none.
size_t Rank(std::string_view severity) {
  const std::span<const std::string_view> all = SeverityNames();
  return static_cast<size_t>(std::find(all.begin(), all.end(), severity) - all.begin());
}

// Fails if no finding can ever meet a limit: the caller relies on a check that cannot fail.
Result<void> CheckLimitsAreUsed(const Query& query) {
  for (const std::string& limit : query.fail_if) {
    const bool severity = Rank(limit) < SeverityNames().size();
    if (severity || IsRequested(limit, query)) continue;
    return UsageError("-fail-if: -checker excludes '" + limit + "'",
                      "add it to -checker, or drop -checker");
  }
  return {};
}

// Classic text has sections for the original's checkers only.
Result<void> CheckClassic(const Query& query) {
  if (!query.fail_if.empty()) {
    return UsageError("-fail-if: classic text has no findings", "add -format table");
  }
  for (const Checker& checker : Checkers()) {
    if (checker.original || query.advise.checkers.empty() || !IsRequested(checker.name, query))
      continue;
    return UsageError(fmt::format("-checker: classic text has no section for '{}'", checker.name),
                      "add -format table");
  }
  return {};
}

bool Passes(std::string_view severity, std::string_view checker, const std::string& limit) {
  if (limit == checker) return true;
  return Rank(limit) < SeverityNames().size() && Rank(severity) <= Rank(limit);
}

std::string Sentences(const Property* limits) {
  return limits == nullptr ? "" : fmt::format("{}", fmt::join(limits->texts, "; "));
}

// Checks the limits of diff. A limit that cannot be judged has its own exit status, since the
// question failed and not the measurement. An exceeded limit takes precedence.
Result<void> CheckLimits(const Report& report) {
  const std::string exceeded = Sentences(report.Find("exceeded"));
  const std::string elsewhere = Sentences(report.Find("not_judged"));
  const std::string lacks_steps = Sentences(report.Find("not_judged_steps"));
  std::string not_judged = Sentences(report.Find("not_judged_damaged"));
  for (const std::string& more : {elsewhere, lacks_steps}) {
    if (!more.empty()) not_judged += (not_judged.empty() ? "" : "; ") + more;
  }
  if (!exceeded.empty()) {
    const std::string rest = not_judged.empty() ? "" : "; not checked: " + not_judged;
    return Fail(ErrorKind::limit, "-fail-if: exceeded: " + exceeded + rest);
  }
  if (not_judged.empty()) return {};
  if (!lacks_steps.empty() && lacks_steps == not_judged) {
    return UsageError("-fail-if: not checked: " + not_judged,
                      "a limit without p<N compares the means");
  }
  return UsageError("-fail-if: not checked: " + not_judged,
                    elsewhere.empty() ? "step>+N% needs no program"
                                      : "with -host or -device, sums are compared as they are; "
                                        "step>+N% compares the mean over all hosts");
}

}  // namespace

std::vector<std::string_view> CheckerNames() { return NamesIn(Checkers()); }

std::vector<std::string_view> LimitNames() {
  const std::span<const std::string_view> severities = SeverityNames();
  std::vector<std::string_view> names(severities.begin(), severities.end());
  for (const Checker& checker : Checkers()) names.push_back(checker.name);
  return names;
}

Result<void> CheckAdvice(const Query& query) {
  TFPROF_TRY(CheckNames("checker", query.advise.checkers, CheckerNames()));
  TFPROF_TRY(CheckNames("fail-if", query.fail_if, LimitNames()));
  if (query.display.format == "classic") return CheckClassic(query);
  return CheckLimitsAreUsed(query);
}

Result<void> CheckFailIf(const Report& report, const Query& query) {
  if (query.fail_if.empty() || report.tables.empty()) return {};
  if (report.Find("exceeded") != nullptr) return CheckLimits(report);
  std::vector<ReportedFinding> findings = FindingsOf(report);
  std::erase_if(findings, [&](const ReportedFinding& finding) {
    return std::none_of(query.fail_if.begin(), query.fail_if.end(), [&](const std::string& limit) {
      return Passes(finding.severity, finding.checker, limit);
    });
  });
  if (findings.empty()) return {};
  const ReportedFinding& first = findings.front();
  return Fail(ErrorKind::limit,
              fmt::format("-fail-if {} matches {}; the first: {} ({}, {})", JoinList(query.fail_if),
                          Counted(static_cast<int64_t>(findings.size()), "finding"), first.what,
                          first.severity, first.checker));
}

}  // namespace tfprof
