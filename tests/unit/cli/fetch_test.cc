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

}  // namespace

TEST_CASE("the tool of a scheme, and the place in the cache") {
  const FetchPlan cloud = Plan("gs://bucket/logs/run/", {"gcloud", "gsutil"}).value();
  CHECK(cloud.place == "gs/bucket/logs/run");
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
  CHECK(Plan("ssh://me@h:logs/x", {"scp"})->place == "ssh/me@h/logs/x");
  const FetchPlan web = Plan("https://h/a/x.pb.gz?token=1/2", {"curl"}).value();
  CHECK(web.place == "https/h/a/x.pb.gz");
  CHECK(web.commands == std::vector<Words>{{"curl", "-fL", "--retry", "3", "-o", "part/x.pb.gz",
                                            "https://h/a/x.pb.gz?token=1/2"}});
}

TEST_CASE("no URL leads out of the cache, or is an option of a tool") {
  CHECK(Plan("https://h/../../etc/x", {"curl"})->place == "https/h/_/_/etc/x");
  CHECK(Plan("https://../x", {"curl"})->place == "https/_/x");
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
