// SPDX-License-Identifier: Apache-2.0
// A ProfileProto of the exported steps: graph, op log and RunMetadata of all of them in one file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tfprof::capture {

class ProfileExport {
 public:
  using NodeId = uint32_t;

  // `after`: the node that it depends on; kNone: none.
  static constexpr NodeId kNone = UINT32_MAX;
  // `code`: a CodeDef with IDs of texts; empty: unknown.
  NodeId AddNode(std::string_view name, std::string_view op, std::string_view type,
                 std::string_view code, NodeId after);
  // On a device that has a name like ".../device:GPU:0" for runs, ".../stream:all" for times of an
  // accelerator. A node keeps its first device of the former kind.
  void AddExecution(NodeId node, int64_t step, std::string_view device, uint64_t start_us,
                    uint64_t duration_us);

  // Steps by number, whether something ran in them or not, and the texts of codes.
  std::string Finish(const std::vector<int64_t>& steps,
                     const std::unordered_map<std::string, int64_t>& texts) const;

 private:
  using Times = std::vector<std::pair<uint64_t, uint64_t>>;  // start and duration, us
  struct Execs {
    std::map<std::string, Times> of_device;
  };
  struct Node {
    std::string name, op, type, code, device;
    NodeId after = kNone;
    std::map<int64_t, Execs> steps;
  };

  std::string NodeBytes(NodeId id) const;

  std::vector<Node> nodes_;
};

}  // namespace tfprof::capture
