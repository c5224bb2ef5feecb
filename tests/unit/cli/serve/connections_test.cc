// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <catch2/catch.hpp>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>

namespace tfprof::connections_test {
namespace {

int ConnectTo(int port) {
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  REQUIRE(connect(fd, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0);
  constexpr std::string_view kRequest = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
  REQUIRE(write(fd, kRequest.data(), kRequest.size()) == static_cast<ssize_t>(kRequest.size()));
  return fd;
}

bool BecomesTrue(const std::atomic<bool>& value) {
  for (int i = 0; i < 500 && !value; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  return value;
}

TEST_CASE("work for a client that goes away is cancelled") {
  LocalSocket local = LocalSocket::Listen(0).value();
  std::atomic<bool> stop{false}, began{false}, was_cancelled{false};
  std::thread server([&] {
    local.Serve(
        [&](const HttpRequest&, const std::atomic<bool>& gone) {
          began = true;
          was_cancelled = BecomesTrue(gone);
          return HttpReply{};
        },
        stop);
  });
  const int fd = ConnectTo(local.port());
  CHECK(BecomesTrue(began));
  close(fd);
  CHECK(BecomesTrue(was_cancelled));
  stop = true;
  server.join();
}

TEST_CASE("the end cancels what is asked") {
  LocalSocket local = LocalSocket::Listen(0).value();
  std::atomic<bool> stop{false}, began{false}, was_cancelled{false};
  std::thread server([&] {
    local.Serve(
        [&](const HttpRequest& request, const std::atomic<bool>& gone) {
          began = request.path == "/a";
          was_cancelled = BecomesTrue(gone);
          return HttpReply{};
        },
        stop);
  });
  const int fd = ConnectTo(local.port());
  CHECK(BecomesTrue(began));
  stop = true;
  server.join();
  CHECK(was_cancelled);
  close(fd);
}

TEST_CASE("a port has one server") {
  const LocalSocket first = LocalSocket::Listen(0).value();
  const auto second = LocalSocket::Listen(first.port());
  REQUIRE_FALSE(second.has_value());
  CHECK(second.error().what == "the port is taken");
}

}  // namespace
}  // namespace tfprof::connections_test
