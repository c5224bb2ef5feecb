// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <functional>

#include "cli/serve/http.h"
#include "core/base/result.h"

namespace tfprof {

// Answers a request. `gone` becomes true when nobody waits for the reply any more.
using HttpHandler = std::function<HttpReply(const HttpRequest&, const std::atomic<bool>& gone)>;

// A socket on 127.0.0.1: no other computer reaches it.
class LocalSocket {
 public:
  LocalSocket() = default;
  ~LocalSocket();
  LocalSocket(LocalSocket&& other) noexcept;
  LocalSocket& operator=(LocalSocket&&) = delete;
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;

  // `port` 0: any free one. Error: unreadable, the port is taken.
  static Result<LocalSocket> Listen(int port);
  int port() const { return port_; }

  // Serves until `stop`, each connection in a thread of its own, some dozens at once. `handle` is
  // called by several threads.
  void Serve(const HttpHandler& handle, const std::atomic<bool>& stop);

 private:
  int fd_ = -1;
  int port_ = 0;
};

}  // namespace tfprof
