// SPDX-License-Identifier: Apache-2.0
// The encoded events of the lines of a trace. A message needs the length of what it contains first,
// so lines are kept until the end: the first megabytes in memory, the rest in a temporary file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tfprof::capture {

class LineBytes {
 public:
  static constexpr uint64_t kMostInMemory = uint64_t{16} << 20;

  // The temporary file is made in this folder, and has no name.
  LineBytes(std::string folder, uint64_t most_in_memory)
      : folder_(std::move(folder)), most_in_memory_(most_in_memory) {}
  LineBytes(const LineBytes&) = delete;
  LineBytes& operator=(const LineBytes&) = delete;
  ~LineBytes();

  using Id = uint32_t;
  Id AddLine();
  // Where to append the next event; AppendedTo must follow.
  std::string* Open(Id line) { return &lines_[line].recent; }
  void AppendedTo(Id line);

  uint64_t BytesOf(Id line) const {
    return lines_[line].spilled_bytes + lines_[line].recent.size();
  }

  // Calls write(bytes) for the parts of a line, in order. Returns false if one cannot be read.
  template <class Write>
  bool EachPart(Id line, Write write) {
    std::string part;
    for (const Part& spilled : lines_[line].parts) {
      if (!Read(spilled, &part)) return false;
      write(part);
    }
    write(lines_[line].recent);
    return true;
  }

  // Returns 0 or an errno, of all that was done.
  int error() const { return error_; }

 private:
  struct Part {
    uint64_t offset = 0;
    uint64_t bytes = 0;
  };
  struct Line {
    std::string recent;
    uint64_t counted = 0;  // of recent, in in_memory_
    uint64_t spilled_bytes = 0;
    std::vector<Part> parts;
  };

  void Spill();
  bool Read(const Part& part, std::string* bytes);

  std::string folder_;
  uint64_t most_in_memory_;
  std::vector<Line> lines_;
  uint64_t in_memory_ = 0;
  int file_ = -1;
  uint64_t file_bytes_ = 0;
  int error_ = 0;
};

}  // namespace tfprof::capture
