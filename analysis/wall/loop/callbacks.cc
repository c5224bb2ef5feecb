// SPDX-License-Identifier: Apache-2.0
#include "analysis/wall/loop/callbacks.h"

#include <algorithm>

#include "core/store/op_name.h"

namespace tfprof {
namespace {

struct KnownCall {
  std::string_view name;
  Callback call;
  bool begins = false;  // names only begin with it
};

// Types of TensorFlow's operations, and the names that XLA gives instructions.
constexpr KnownCall kCalls[] = {
    {"PyFunc", Callback::python},
    {"PyFuncStateless", Callback::python},
    {"EagerPyFunc", Callback::python},
    {"pure_callback", Callback::python, true},
    {"io_callback", Callback::python, true},
    {"debug_callback", Callback::python, true},
    {"xla_ffi_python_", Callback::python, true},
    {"xla_python_", Callback::python, true},
    {"debug_print", Callback::printing, true},
    {"Print", Callback::printing},
    {"PrintV2", Callback::printing},
    {"StringFormat", Callback::printing},
    {"WriteSummary", Callback::summaries},
    {"WriteScalarSummary", Callback::summaries},
    {"WriteHistogramSummary", Callback::summaries},
    {"WriteImageSummary", Callback::summaries},
    {"WriteAudioSummary", Callback::summaries},
};

}  // namespace

Callback CallbackOf(std::string_view op) {
  const auto known = std::ranges::find_if(kCalls, [&](const KnownCall& call) {
    return call.begins ? op.starts_with(call.name) : op == call.name;
  });
  return known == std::end(kCalls) ? Callback::none : known->call;
}

Callbacks CallbacksOn(const Store& store, const Process& host) {
  enum class Does : uint8_t { nothing, computes, calls };
  Callbacks found;
  std::vector<Does> does;
  for (const Label& label : store.LabelsOf(host)) {
    const OpName op = OpNameOf(label.of, store.Text(OpText(label)));
    const Callback call = CallbackOf(op.type);
    if (found.what == Callback::none) found.what = call;
    does.push_back(call != Callback::none ? Does::calls
                   : LaunchesWork(op)     ? Does::computes
                                          : Does::nothing);
  }
  if (found.what == Callback::none) return found;
  IntervalSet calls, computes;
  for (const Lane& lane : store.LanesOf(host)) {
    if (lane.derived || lane.role == LaneRole::input_thread) continue;
    for (const uint32_t row : lane.PlacedRows()) {
      const Does it = does[store.events.label[row].value - host.labels.first];
      if (it == Does::nothing) continue;
      (it == Does::calls ? calls : computes)
          .Add(store.events.start_ps[row], store.events.EndPs(row));
      if (it == Does::calls) found.rows.push_back(row);
    }
  }
  found.intervals = Subtract(calls.Parts(), computes.Parts());
  return found;
}

}  // namespace tfprof
