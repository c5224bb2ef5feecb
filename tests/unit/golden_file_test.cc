// SPDX-License-Identifier: Apache-2.0
#include "tests/support/goldens/golden_file.h"

#include <catch2/catch.hpp>

#include "proto/pprof.pb.h"
#include "tests/support/gzip_of.h"

namespace tfprof::golden_file_test {
namespace {

TEST_CASE("golden file: a pprof profile is shown as its samples in words") {
  pb::pprof::Profile profile;
  for (const char* text : {"", "time", "nanoseconds", "net", "net.py", "main", "step", "3"}) {
    profile.add_string_table(text);
  }
  auto* type = profile.add_sample_type();
  type->set_type(1);
  type->set_unit(2);
  profile.set_default_sample_type(1);
  for (const int name : {3, 5}) {
    auto* function = profile.add_function();
    function->set_id(static_cast<uint64_t>(name));
    function->set_name(name);
    auto* location = profile.add_location();
    location->set_id(static_cast<uint64_t>(name) + 10);
    location->add_line()->set_function_id(static_cast<uint64_t>(name));
  }
  profile.mutable_function(0)->set_filename(4);
  profile.mutable_location(0)->mutable_line(0)->set_line(7);
  auto* sample = profile.add_sample();
  sample->add_location_id(13);
  sample->add_location_id(15);
  sample->add_value(42);
  auto* label = sample->add_label();
  label->set_key(6);
  label->set_str(7);
  CHECK(GoldenText(Gzip(profile.SerializeAsString())) ==
        "types: time/nanoseconds\ndefault: time\nnet@net.py:7 < main | step=3 | 42\n");
}

TEST_CASE(
    "golden file: a page is shown as its title and data; other text unchanged, even compressed") {
  CHECK(GoldenText("<!doctype html>\n<title>t</title><h1>Time</h1><script>code</script>\n"
                   "<script type=\"application/json\" id=\"p\">\n{\"a\":1}\n</script>more") ==
        "<h1>Time</h1>\n<script type=\"application/json\" id=\"p\">\n{\"a\":1}\n</script>\n");
  CHECK(GoldenText("a;b 1\n") == "a;b 1\n");
  CHECK(GoldenText(Gzip("a;b 1\n")) == "a;b 1\n");
  CHECK(GoldenText("{\"view\":\"v\"}\n") == "{\n \"view\": \"v\"\n}\n");
}

TEST_CASE("golden file: sizes of compressed files are omitted, others are kept") {
  CHECK(WithoutCompressedSizes("tfprof: OUT/p.pb.gz: 13 rows of scope, 977 B\nnote: a, b\n") ==
        "tfprof: OUT/p.pb.gz: 13 rows of scope\nnote: a, b\n");
  CHECK(WithoutCompressedSizes("tfprof: OUT/p.json: 13 rows, 977 B\n") ==
        "tfprof: OUT/p.json: 13 rows, 977 B\n");
  CHECK(WithoutCompressedSizes("in.pb.gz: 4 nodes\nx, y\n") == "in.pb.gz: 4 nodes\nx, y\n");
}

}  // namespace
}  // namespace tfprof::golden_file_test
