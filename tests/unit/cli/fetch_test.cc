// SPDX-License-Identifier: Apache-2.0
#include "cli/running/fetch.h"

#include <catch2/catch.hpp>
#include <set>

namespace tfprof::fetch_test {
namespace {

using Words = std::vector<std::string>;

Result<FetchPlan> Plan(const std::string& url, const std::set<std::string>& tools) {
  return PlanFetch(url, "part",
                   [&](const std::string& program) { return tools.contains(program); });
}

// The place without the digest.
std::string Readable(std::string place) {
  constexpr size_t kDigits = 16;
  const size_t name = place.rfind('/');
  return place.erase(name - kDigits, kDigits + 1);
}

std::string PlaceOf(const std::string& url) {
  return Plan(url, {"gcloud", "aws", "scp", "curl"}).value().place;
}

}  // namespace

TEST_CASE("the tool of a scheme, and the place in the cache") {
  const FetchPlan cloud = Plan("gs://bucket/logs/run/", {"gcloud", "gsutil"}).value();
  CHECK(Readable(cloud.place) == "gs/bucket/run");
  CHECK(cloud.name == "run");
  CHECK(cloud.commands == std::vector<Words>{{"gcloud", "storage", "cp", "--recursive",
                                              "gs://bucket/logs/run", "part"}});
  CHECK(Plan("gs://bucket/a", {"gsutil"})->commands ==
        std::vector<Words>{{"gsutil", "-m", "cp", "-r", "gs://bucket/a", "part"}});
  CHECK(Plan("gs://bucket/a", {"aws"}).error().kind == ErrorKind::unreadable);
  // Whether an object or a prefix is meant is only known by trying.
  CHECK(Plan("s3://b/x.pb", {"aws"})->commands ==
        std::vector<Words>{{"aws", "s3", "cp", "s3://b/x.pb", "part/x.pb"},
                           {"aws", "s3", "cp", "--recursive", "s3://b/x.pb", "part/x.pb"}});
  CHECK(Plan("s3://b/x/", {"aws"})->commands ==
        std::vector<Words>{{"aws", "s3", "cp", "--recursive", "s3://b/x", "part/x"}});
  CHECK(Plan("ssh://me@h:logs/x", {"scp"})->commands ==
        std::vector<Words>{{"scp", "-r", "--", "me@h:logs/x", "part"}});
  CHECK(Plan("ssh://h/var/x", {"scp"})->commands ==
        std::vector<Words>{{"scp", "-r", "--", "h:/var/x", "part"}});
  CHECK(Readable(PlaceOf("ssh://me@h:logs/x")) == "ssh/me@h/x");
  const FetchPlan web = Plan("https://h/a/x.pb.gz?token=1/2", {"curl"}).value();
  CHECK(Readable(web.place) == "https/h/x.pb.gz");
  CHECK(web.commands == std::vector<Words>{{"curl", "-fL", "--retry", "3", "-o", "part/x.pb.gz",
                                            "https://h/a/x.pb.gz?token=1/2"}});
}

TEST_CASE("no two URLs share a place, nor is one within another") {
  const std::set<std::string> places = {
      PlaceOf("https://h/x?id=1"), PlaceOf("https://h/x?id=2"), PlaceOf("https://h/x"),
      PlaceOf("http://h/x"),       PlaceOf("ssh://h:x"),        PlaceOf("ssh://h/x"),
      PlaceOf("gs://b/logs"),      PlaceOf("gs://b/logs/run"),  PlaceOf("gs://b/logs//run"),
      PlaceOf("gs://b/_"),         PlaceOf("gs://b/."),         PlaceOf("gs://b/a#1"),
      PlaceOf("gs://b/a#2")};
  CHECK(places.size() == 13);
  for (const std::string& one : places) {
    for (const std::string& other : places) CHECK_FALSE(one.starts_with(other + "/"));
  }
  CHECK(PlaceOf("https://h/a/x.trace.json.gz?token=a/b").ends_with("/x.trace.json.gz"));
  CHECK(PlaceOf("https://h/x") == PlaceOf("https://h/x"));
}

TEST_CASE("no URL leads out of the cache, or is an option of a tool") {
  CHECK(Readable(PlaceOf("https://h/../..")) == "https/h/_");
  CHECK(Readable(PlaceOf("https://../x")) == "https/_/x");
  CHECK(Plan("ssh://-oProxyCommand=x:y", {"scp"}).error().kind == ErrorKind::usage);
  for (const char* const url : {"ssh://h", "https://h/", "gs://", "ftp://h/x", "x"}) {
    CHECK(Plan(url, {"scp", "curl", "gsutil"}).error().kind == ErrorKind::usage);
  }
}

TEST_CASE("what is a URL") {
  CHECK(IsUrl("gs://b/x"));
  CHECK(IsUrl("https://h/x"));
  CHECK_FALSE(IsUrl("logs/https://x"));
  CHECK_FALSE(IsUrl("grpc://h:1"));
}

}  // namespace tfprof::fetch_test
