// SPDX-License-Identifier: Apache-2.0
#include "analysis/indexes.h"

namespace tfprof {

std::shared_ptr<KeptIndexes> Indexes::Kept(std::type_index index, size_t kept) const {
  const std::lock_guard<std::mutex> guard(lock_);
  std::shared_ptr<KeptIndexes>& found = kept_[index];
  if (found == nullptr) found = std::make_shared<KeptIndexes>(kept);
  return found;
}

}  // namespace tfprof
