// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/indexes.h"
#include "analysis/transfers/copies.h"
#include "core/query/query.h"
#include "core/report/report.h"

// The copies that -host, -device and -step select, in a trace or in recorded runs.

namespace tfprof {

// A device; the report may refer to the texts of its copies.
struct ShownDevice {
  std::string_view host;
  std::string_view name;
  IndexPtr<DeviceCopies> found;
  std::vector<std::string_view> texts;
};

// A copy and its device. Texts with data() == nullptr: not recorded.
struct TransferRow {
  const ShownDevice* made_on;
  const Copy* copy;

  std::string_view host() const { return made_on->host; }
  std::string_view device() const { return made_on->name; }
  std::string_view from() const { return Text(copy->from); }
  std::string_view to() const { return Text(copy->to); }
  std::string_view op() const { return Text(copy->op); }

 private:
  std::string_view Text(NameId id) const {
    return id.some() ? made_on->texts[id.value] : std::string_view();
  }
};

struct ChosenCopies {
  std::vector<ShownDevice> devices;
  std::vector<TransferRow> rows;  // by device; they refer to `devices`
  int64_t unfinished = 0;         // omitted copies without a recorded end, also of other steps
};

// Errors: usage, no such step; those of the index DeviceCopies.
Result<ChosenCopies> ChooseCopies(const Store& store, const Indexes& indexes,
                                  const PlaceFilter& place, TextPool& pool, Context& context);

}  // namespace tfprof
