// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <thread>

namespace tfprof::remote {

// What is printed on standard error while servers record: lines, and on a terminal a bar below
// them. Any thread may call it.
class Progress {
 public:
  Progress(std::chrono::milliseconds session, size_t hosts, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void Line(const std::string& text);       // not if quiet
  void Complaint(const std::string& text);  // always

  void HostsBegin(int64_t hosts);  // sessions that begin
  void HostEnds() { --recording_, ++ended_; }
  void Arrived(size_t bytes) { bytes_ += bytes; }

 private:
  void Draw();
  void Print(const std::string& text);
  std::string Bar() const;

  const std::chrono::milliseconds session_;
  const size_t hosts_;
  const bool quiet_;
  const bool bar_;
  std::atomic<int64_t> recording_{0};
  std::atomic<int64_t> ended_{0};
  std::atomic<uint64_t> bytes_{0};
  std::atomic<int64_t> began_ns_{0};  // of the steady clock
  std::mutex lock_;
  std::condition_variable changed_;
  bool over_ = false;
  bool drawn_ = false;
  std::thread thread_;
};

}  // namespace tfprof::remote
