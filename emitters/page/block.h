// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "core/base/arith.h"
#include "core/base/result.h"
#include "emitters/data/json_members.h"
#include "emitters/page/bytes.h"

namespace tfprof {

// Data of a page as bytes, compressed with gzip: the length of the header (4 bytes), the header,
// and columns (emitters/page/bytes.h). The header is JSON; the place of a column in it is
// {at, width, base}, without `base` if no value is present. Last come the texts that columns refer
// to: `strings` is their number, `lengths` the column of their lengths in bytes, and `texts` the
// byte where the first begins.
class BlockWriter : protected JsonMembers {
 protected:
  void Place(const StoredColumn& column);

  template <class ValueOf>
  void Integers(size_t rows, ValueOf value_of) {
    std::vector<int64_t> values(rows);
    for (size_t row = 0; row < rows; ++row) values[row] = value_of(row);
    Place(bytes_.AddIntegers(values));
  }

  // Ends the header and returns all of it. Errors: none but those of compression.
  Result<std::string> Finish();

  PageBytes bytes_;
  PageTexts texts_;
};

}  // namespace tfprof
