// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>

namespace tfprof {

// The most recently used answers, by request. All of them together have at most
// `most_bytes`; a larger answer is not kept. Several threads may use it.
class AnswerCache {
 public:
  using Bytes = std::shared_ptr<const std::string>;

  explicit AnswerCache(size_t most_bytes) : most_bytes_(most_bytes) {}

  // Null: it is not kept.
  Bytes Find(const std::string& question) {
    const std::lock_guard<std::mutex> guard(lock_);
    const auto found = by_question_.find(question);
    if (found == by_question_.end()) return nullptr;
    kept_.splice(kept_.begin(), kept_, found->second);
    return found->second->answer;
  }

  void Keep(const std::string& question, Bytes answer) {
    const std::lock_guard<std::mutex> guard(lock_);
    Drop(question);
    const size_t bytes = BytesOf(question, *answer);
    if (bytes > most_bytes_) return;
    while (bytes_ + bytes > most_bytes_) Drop(std::string(kept_.back().question));
    kept_.push_front({question, std::move(answer)});
    by_question_[question] = kept_.begin();
    bytes_ += bytes;
  }

  size_t bytes() const {
    const std::lock_guard<std::mutex> guard(lock_);
    return bytes_;
  }

 private:
  struct KeptAnswer {
    std::string question;
    Bytes answer;
  };

  static size_t BytesOf(const std::string& question, const std::string& answer) {
    constexpr size_t kOfEntry = 200;  // nodes of both containers
    return 2 * question.size() + answer.size() + kOfEntry;
  }

  void Drop(const std::string& question) {
    const auto found = by_question_.find(question);
    if (found == by_question_.end()) return;
    bytes_ -= BytesOf(question, *found->second->answer);
    kept_.erase(found->second);
    by_question_.erase(found);
  }

  const size_t most_bytes_;
  mutable std::mutex lock_;
  size_t bytes_ = 0;
  std::list<KeptAnswer> kept_;  // the most recently used first
  std::unordered_map<std::string, std::list<KeptAnswer>::iterator> by_question_;
};

}  // namespace tfprof
