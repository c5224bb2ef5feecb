// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <memory>
#include <string>

#include "core/base/result.h"

namespace tfprof::remote {

using Deadline = std::chrono::steady_clock::time_point;

// How connections are secured.
struct Security {
  bool tls = false;
  std::string authorities;  // file of PEM certificates; empty: those of the system
  std::string certificate;  // file; the client's own, with `key`
  std::string key;          // file
  std::string server_name;  // that the server's certificate is for; empty: its host
};

struct Address {
  std::string host;
  std::string port;

  std::string Text() const {
    return host.find(':') == host.npos ? host + ":" + port : "[" + host + "]:" + port;
  }
};

// What ends a wait early: becomes readable, and stays so. -1: nothing.
using Interrupt = int;

// A connected stream of bytes, plain or TLS. Its calls never block: Wait does.
class Socket {
 public:
  // Errors: unreadable (no such host, refused, no TLS, unknown certificate), limit (the deadline
  // has passed), cancelled.
  static Result<std::unique_ptr<Socket>> Open(const Address& address, const Security& security,
                                              Deadline deadline, Interrupt interrupt);
  Socket(const Socket&) = delete;
  Socket& operator=(const Socket&) = delete;
  ~Socket();

  // Bytes that were read or written: 0: none now.
  struct Moved {
    size_t bytes = 0;
    bool closed = false;  // the other side has ended the stream
  };
  // Error: unreadable, the connection is broken.
  Result<Moved> Read(char* bytes, size_t most);
  Result<Moved> Write(const char* bytes, size_t most);

  // Waits until something can be read, or written if `writes`. Errors: limit, cancelled.
  Result<void> Wait(bool writes, Deadline deadline, Interrupt interrupt);

 private:
  struct Tls;
  Socket() = default;
  Result<void> Secure(const Address& address, const Security& security, Deadline deadline,
                      Interrupt interrupt);
  Result<Moved> FromTls(int result, const char* verb);

  int fd_ = -1;
  bool tls_reads_ = false;  // what TLS waits for, whatever the caller does
  bool tls_writes_ = false;
  std::unique_ptr<Tls> tls_;
};

}  // namespace tfprof::remote
