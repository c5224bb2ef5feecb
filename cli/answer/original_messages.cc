// SPDX-License-Identifier: Apache-2.0
#include "cli/answer/original_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <string_view>

#include "core/text/append_format.h"

namespace tfprof {
namespace {

constexpr std::string_view kStars = "******************************************************";

// The peaks of the memory counters, which only GPUs have.
Result<void> AppendPeaks(const Report& report, std::string* text, Context& context) {
  const auto is_gpu = [&](const Lane& lane) {
    return report.store->Text(lane.name).find("gpu") != std::string_view::npos;
  };
  if (std::none_of(report.store->lanes.begin(), report.store->lanes.end(), is_gpu)) return {};
  TFPROF_ASSIGN(const Trace trace, report.trace_export(report, context));
  for (const TraceCounter& counter : trace.counters) {
    if (counter.peak == kNoInt || counter.name.find("gpu") == counter.name.npos) continue;
    AppendFormat(text, "{} peak memory: {:.2f} MB\n", counter.name,
                 static_cast<double>(counter.peak) / 1e6);
  }
  return {};
}

}  // namespace

Result<void> PrintWrittenAsOriginal(Session& session, const View& view, const Report& report,
                                    const Query& query, Context& context) {
  if (!session.classic) return {};
  const std::string& path = query.output.path;
  std::string text;
  if (query.output.kind == OutputKind::timeline) {
    if (view.exports_one_step) {  // the timeline of a step, by node
      text = "generating trace file.\n";
      TFPROF_TRY(AppendPeaks(report, &text, context));
    }
    text += fmt::format(
        "\n{0}\nTimeline file is written to {1}.\nOpen a Chrome browser, enter URL "
        "chrome://tracing and load the timeline file.\n{0}\n",
        kStars, path);
  } else if (query.output.kind == OutputKind::pprof) {
    text = fmt::format("\nRun pprof -png --nodecount=100 --sample_index=1 <{}>\n", path);
  }
  *session.io.out << text << std::flush;
  return {};
}

}  // namespace tfprof
