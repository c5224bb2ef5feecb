// SPDX-License-Identifier: Apache-2.0
// The same as files of TensorFlow 1, for the original tfprof: a graph of the operations, an op log
// of their types, one RunMetadata per step, and a ProfileProto of all of it.
//
// What the original requires decides the shape: accelerator time counts under ".../stream:all"
// only, runs and CPU time only under a device such as ".../device:GPU:0", of which the first one of
// a node counts; a node's name ends at its first colon; a duration of 0 us counts as 1.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/model/definitions.h"
#include "capture/writers/line_bytes.h"
#include "capture/writers/profile_export.h"

namespace tfprof::capture {

// Work of a device, and the call that started it.
struct ExportedWork {
  std::string_view scope;  // empty: none
  std::string_view name;   // "gemm"
  std::string_view op;     // operation type
  std::string_view type;   // of the op log: "kernel", "memcpy", "memset", "graph"
  std::string_view label;  // for a timeline
  uint32_t device = 0;
  uint32_t stream = 0;
  uint32_t thread = 0;
  uint32_t correlation = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t call_start = 0;  // 0: not known
  uint64_t call_end = 0;
  uint64_t bytes = 0;
  uint32_t stack = 0;  // of Python calls; 0: none
};

class TensorflowExport {
 public:
  // Writes run metadata of the first `most_steps` steps; without steps, of all as step 0.
  TensorflowExport(const Definitions& definitions, std::string folder, uint32_t most_steps)
      : definitions_(definitions),
        events_(std::move(folder), LineBytes::kMostInMemory),
        most_steps_(most_steps) {}

  // `step`: its index; -1: none. A range's time is that outside of ranges and calls inside.
  void AddRange(int32_t step, std::string_view path, std::string_view type, uint32_t thread,
                uint64_t start, uint64_t own_ns);
  void AddWork(int32_t step, const ExportedWork& work);

  // Writes BASE.graph, BASE.op_log, BASE.run_meta_stepN and BASE.profile. Returns 0 or an errno.
  int Write(const std::string& base);
  const std::vector<std::string>& written() const { return written_; }

 private:
  struct Place {
    uint32_t step = 0;
    LineBytes::Id line = 0;
  };
  struct Node {
    bool is_on_device = false;
    uint32_t last_correlation = 0;
    ProfileExport::NodeId id = 0;
  };

  bool IsExported(int32_t* step) const;
  // Declares a node at its first use; `after` names the order that it belongs to.
  void Declare(const std::string& name, std::string_view op, std::string_view type,
               bool is_on_device, const std::string& after, uint32_t stack);
  // The Python calls of a stack, as a CodeDef; empty: none.
  std::string CodeOf(uint32_t stack);
  int64_t TextId(const std::string& text);
  std::string NodeOf(const ExportedWork& work);
  // `own_us` is what the original counts.
  void AddExecution(uint32_t step, const std::string& device, std::string_view node, uint64_t start,
                    uint64_t end, uint64_t own_us, const ExportedWork* work, uint32_t thread);
  // Whole microseconds, such that the sum of a device stays right.
  uint64_t Microseconds(const std::string& device, uint64_t ns);
  int64_t NumberOf(uint32_t step) const;
  int WriteStep(const std::string& path, uint32_t step);
  int WriteFile(const std::string& path, std::string_view bytes);

  const Definitions& definitions_;
  LineBytes events_;
  uint32_t most_steps_;
  std::string graph_;
  std::string op_log_;
  ProfileExport profile_;
  std::unordered_map<std::string, int64_t> texts_;  // of code, by what the op log says
  std::unordered_map<std::string, Node> nodes_;
  // By name of a node: the stacks that launched it.
  std::unordered_map<std::string, std::map<std::vector<uint32_t>, size_t>> places_;
  std::unordered_map<std::string, std::string> last_of_;             // the last node of an order
  std::map<std::pair<uint32_t, std::string>, LineBytes::Id> lines_;  // by step and device
  std::unordered_map<std::string, uint64_t> remainders_;             // ns, by device
  std::vector<std::string> written_;
};

}  // namespace tfprof::capture
