// SPDX-License-Identifier: Apache-2.0
#include "remote/targets.h"

#include <catch2/catch.hpp>
#include <map>

#include "tests/support/source_of.h"

namespace tfprof::remote::targets_test {
namespace {

using Variables = std::map<std::string, std::string>;

Result<std::vector<Worker>> Find(const std::vector<std::string>& words,
                                 const Variables& variables = {}) {
  return WorkersOf(words, [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second.c_str();
  });
}

std::vector<std::string> Texts(const Result<std::vector<Worker>>& workers) {
  std::vector<std::string> texts;
  if (!workers) return {"error: " + workers.error().what};
  for (const Worker& worker : *workers) texts.push_back(worker.address.Text());
  return texts;
}

using Lines = std::vector<std::string>;

TEST_CASE("addresses of workers") {
  CHECK(Texts(Find({"grpc://h1:6009,h2:6010", "grpc://h3:1"})) ==
        Lines{"h1:6009", "h2:6010", "h3:1"});
  CHECK(Texts(Find({"grpc://h1:6009,grpc://h1:6009"})) == Lines{"h1:6009"});
  CHECK(Texts(Find({"grpc://[::1]:6009"})) == Lines{"[::1]:6009"});
  CHECK(Find({"grpc://127.0.0.1:6009"})->front().name == "127.0.0.1_6009");
  CHECK(Find({"grpc://[::1]:6009"})->front().name == "__1_6009");
  CHECK(Texts(Find({})) == Lines{"error: no server is named"});
  CHECK(Texts(Find({"grpc://h1"})) == Lines{"error: 'h1' is not an address of a server"});
  CHECK(Texts(Find({"grpc://h1:x"})) == Lines{"error: 'h1:x' is not an address of a server"});
  for (const char* port : {"0", "65536", "-1", "123456"}) {
    CAPTURE(port);
    CHECK(Find({std::string("grpc://h1:") + port}).error().kind == ErrorKind::usage);
    CHECK(Find({std::string("tpu::") + port}, {{"TPU_WORKER_HOSTNAMES", "t"}}).error().kind ==
          ErrorKind::usage);
  }
  CHECK(Texts(Find({"h1:6009"})) == Lines{"error: 'h1:6009' is not a server"});
  CHECK(Find({"h1:6009"}).error().hint == "grpc://h1:6009");
  CHECK(Find({"h1"}).error().hint == "grpc://HOST:PORT,HOST:PORT");
}

TEST_CASE("addresses in a file") {
  const TestFolder folder;
  WriteFile(folder / "hosts", "# all\nh1:1  # first\n\n  h2:2\r\n");
  CHECK(Texts(Find({"grpc://@" + (folder / "hosts")})) == Lines{"h1:1", "h2:2"});
  CHECK(Find({"grpc://@" + (folder / "absent")}).error().kind == ErrorKind::unreadable);
}

TEST_CASE("a TPU is what the variables say") {
  const Variables names{{"TPU_NAME", "pod"}, {"TPU_WORKER_HOSTNAMES", "t0,t1"}};
  CHECK(Texts(Find({"tpu:"}, names)) == Lines{"t0:8466", "t1:8466"});
  CHECK(Texts(Find({"tpu:pod:9012"}, names)) == Lines{"t0:9012", "t1:9012"});
  CHECK(Texts(Find({"tpu:other"}, names)) == Lines{"error: TPU_NAME is pod, not other"});
  CHECK(Texts(Find({"tpu:x"}, {{"KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS",
                                "grpc://10.0.0.1:8470,grpc://10.0.0.2:8470"}})) ==
        Lines{"10.0.0.1:8466", "10.0.0.2:8466"});
  CHECK(Texts(Find({"tpu:"}, {{"TPU_NAME", "grpc://10.0.0.1:8470"}})) == Lines{"10.0.0.1:8466"});
  CHECK(Texts(Find({"tpu:pod"}, {{"TPU_NAME", "pod"}})) ==
        Lines{"error: no variable of the environment has the hosts of a TPU"});
}

}  // namespace
}  // namespace tfprof::remote::targets_test
