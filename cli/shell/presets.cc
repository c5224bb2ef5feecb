// SPDX-License-Identifier: Apache-2.0
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "cli/message.h"
#include "cli/shell/commands.h"
#include "core/base/nearest.h"
#include "core/query/options.h"

namespace tfprof {
namespace {

struct OptionPreset {
  std::string_view name;
  std::string_view options;
};

// As tf.profiler.ProfileOptionBuilder has them; rows without memory are kept.
constexpr OptionPreset kPresets[] = {
    {"params", "-select params -min_params 1 -order_by params"},
    {"flops", "-select float_ops -min_float_ops 1 -order_by float_ops"},
    {"time", "-select micros,bytes -min_micros 1 -order_by micros"},
};

// The type of trainable variables, in profiles that record it: `params` then counts only these.
constexpr std::string_view kTrainable = "_trainable_variables";

// The filters of another preset are no filters of this one.
constexpr std::string_view kFilters[] = {"account_type_regexes", "min_params", "min_float_ops",
                                         "min_micros"};

Result<void> ResetFilters(Session& session) {
  for (const std::string_view name : kFilters) TFPROF_TRY(ResetOption(session, *FindOption(name)));
  return {};
}

bool KnowsTrainable(const Session& session) {
  const Store& store = *session.profile.store;
  const NameId type = store.names.Find(kTrainable);
  return type.some() && std::ranges::find(store.node_types, type) != store.node_types.end();
}

}  // namespace

Result<int> RunPreset(Session& session, const CommandLine& line, std::string_view, Sink&) {
  const Word& word = line.words[1];
  const OptionPreset* const preset = FindNamed(kPresets, word.text);
  if (preset == nullptr) {
    return Refused(line, word, fmt::format("no preset '{}'", word.text),
                   "the presets are params, flops and time");
  }
  std::string text(preset->options);
  if (preset->name == "params" && KnowsTrainable(session)) {
    text += fmt::format(" -account_type_regexes {}", kTrainable);
  }
  TFPROF_ASSIGN(const CommandLine options, SplitShell(text));
  KeptOptions before{session.options, session.given};
  TFPROF_TRY(ResetFilters(session));
  TFPROF_TRY(KeepOptions(session, options, options.words));
  RememberOptions(session, std::move(before));
  return 0;
}

}  // namespace tfprof
