// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "emitters/classic/classic.h"

namespace tfprof {
namespace {

struct Meaning {
  std::string_view name;
  std::string_view text;
};

constexpr Meaning kViews[] = {
    {"scope",
     "scope: one row per name scope and node; the part before a '/' of a name is its parent."},
    {"graph", "graph: one row per node; below a node stand the nodes whose outputs it reads."},
    {"op", "op: one row per operation type, such as MatMul, with the sums of its nodes."},
    {"code", "code: one row per source line that built nodes; below it stand the lines it called."},
};

// Indexed by Attribute.
constexpr Meaning kMeanings[] = {
    {"requested bytes", "memory that the operation asked its allocators for, all requests added."},
    {"total execution time", "accelerator execution time and cpu execution time together."},
    {"parameters", "number of values that a variable holds: the product of its dimensions."},
    {"float_ops", "floating point operations of all runs, as logged by the model's author."},
    {"tensor value", "the values that the checkpoint holds for a variable."},
    {"assigned devices", "the device that the operation ran on."},
    {"op types", "operation type, device, and the types that the op log adds."},
    {"occurrence", "how often it ran, and how many nodes define it."},
    {"input shapes", "the shapes of the tensors it reads, by input."},
    {"accelerator execution time",
     "time of its kernels and copies, as the accelerator's own tracer measured it."},
    {"cpu execution time",
     "time from start to end of the operation on its device, with any waiting in between."},
    {"peak bytes", "the most memory that the operation held at one time."},
    {"residual bytes", "memory that was still held when the operation had ended."},
    {"output bytes", "memory of the tensors it handed on, whoever allocated it."},
};
static_assert(std::size(kMeanings) == kAttributes);

void AppendMeaning(Attribute attribute, std::string* out) {
  const Meaning& meaning = kMeanings[static_cast<size_t>(attribute)];
  fmt::format_to(std::back_inserter(*out), "{}: {}\n", meaning.name, meaning.text);
}

}  // namespace

void AppendClassicDoc(std::string_view view, const Display& display, std::string* out) {
  out->append("\nDoc:\n");
  for (const Meaning& meaning : kViews) {
    if (meaning.name == view) out->append(meaning.text).push_back('\n');
  }
  for (const Attribute attribute : display.select) {
    AppendMeaning(attribute, out);
    if (attribute != Attribute::micros) continue;
    AppendMeaning(Attribute::accelerator_micros, out);
    AppendMeaning(Attribute::cpu_micros, out);
  }
  if (view == "op") {
    out->append(
        "(x%, y%): x is the share of this row and all rows below it, y the share of this row.\n");
  } else {
    out->append(
        "a/b: a is the row's own value (--: not counted), b that of the row and all below.\n");
  }
  out->append("\n");
}

}  // namespace tfprof
