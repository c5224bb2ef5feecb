// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/pretty_json.h"

#include <catch2/catch.hpp>

namespace tfprof::pretty_json_test {
namespace {

TEST_CASE("pretty json: one value per line, each column on one line, other lines unchanged") {
  CHECK(PrettyJson("note\n"
                   R"({"view":"v","columns":[{"id":"a","unit":null},{"id":"b"}],"rows":[
{"a":1,"b":"x\"}]"},
{"a":null,"b":[1,2]}],
"notes":[],"properties":{}})"
                   "\nend") == R"(note
{
 "view": "v",
 "columns": [
  {"id": "a","unit": null},
  {"id": "b"}
 ],
 "rows": [
  {
   "a": 1,
   "b": "x\"}]"
  },
  {
   "a": null,
   "b": [
    1,
    2
   ]
  }
 ],
 "notes": [],
 "properties": {}
}
end)");
}

TEST_CASE("pretty json: truncated input stays truncated") {
  CHECK(PrettyJson("{\"view\":\"a").starts_with("{\n \"view\": \"a"));
  CHECK(PrettyJson("") == "");
}

}  // namespace
}  // namespace tfprof::pretty_json_test
