// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "cli/export/page_answers.h"
#include "cli/shell/session.h"
#include "core/base/context.h"
#include "core/base/result.h"
#include "emitters/page/page.h"
#include "views/view.h"

namespace tfprof {

// The answers of a page on disk, with the reports that they are made of: tables can lose rows
// without another answer. Error of all: cancelled.
class ReportAnswers {
 public:
  ReportAnswers(Session& session, Page* page) : session_(session), page_(page) {}

  // Adds the answers about a view; if the profile has none, says why.
  Result<void> AddView(const View& view, Context& context);
  // Adds what was held at some times, after the answers of all views: it is the first to go.
  Result<void> AddMoments(Context& context);
  // Cuts tables that have more rows, and drops the moments. Returns true if there were some.
  Result<bool> CutRows(int64_t most_rows, Context& context);

 private:
  // `lacks`: gets why there is no answer; null: one without rows is left out.
  Result<bool> Add(const std::string& command, std::string* lacks, Context& context);

  Session& session_;
  Page* page_;
  std::vector<PageReport> reports_;
  std::vector<size_t> places_;  // of the reports, in Page::answers
  size_t without_moments_ = 0;  // of Page::answers
};

}  // namespace tfprof
