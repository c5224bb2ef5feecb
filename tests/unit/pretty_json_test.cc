// SPDX-License-Identifier: Apache-2.0
#include "tests/support/pretty_json.h"

#include <catch2/catch.hpp>

namespace tfprof {
namespace {

TEST_CASE("pretty json: one value a line, columns on a line each, other lines as they are") {
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

TEST_CASE("pretty json: what is cut short stays cut short") {
  CHECK(PrettyJson("{\"view\":\"a").starts_with("{\n \"view\": \"a"));
  CHECK(PrettyJson("") == "");
}

}  // namespace
}  // namespace tfprof
