// SPDX-License-Identifier: Apache-2.0
#include "analysis/ops/eager.h"

#include "analysis/intervals/nesting.h"

namespace tfprof {
namespace {

bool Executes(const Store& store, uint32_t row, const DetailColumn& is_func) {
  return is_func.Has(row) &&
         store.labels[store.events.label[row].value].role == EventRole::eager_executor;
}

bool Any(const DetailColumn& is_func, const Lane& lane) {
  for (uint32_t row = lane.rows.first; row < lane.rows.first + lane.rows.count; ++row) {
    if (is_func.Has(row)) return true;
  }
  return false;
}

}  // namespace

std::vector<uint8_t> EagerRows(const Store& store, const Lane& lane, const DetailColumn& is_func) {
  std::vector<uint8_t> eager;
  if (is_func.rows.count == 0 || !Any(is_func, lane)) return eager;
  LaneNesting nesting;
  NestEvents(store, lane, &nesting);
  eager.assign(nesting.parent.size(), 0);
  for (const uint32_t row : nesting.order) {
    const uint32_t parent = nesting.ParentOf(row);
    uint8_t& of_row = eager[row - nesting.first];
    if (Executes(store, row, is_func)) {
      of_row = is_func.Integer(row) == 0;
    } else if (parent != kNoRow) {
      of_row = eager[parent - nesting.first];
    }
  }
  return eager;
}

}  // namespace tfprof
