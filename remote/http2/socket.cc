// SPDX-License-Identifier: Apache-2.0
#include "remote/http2/socket.h"

#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>

namespace tfprof::remote {
namespace {

Failure Unreachable(std::string what) { return Fail(ErrorKind::unreadable, std::move(what)); }

std::string TlsReason() {
  const unsigned long error = ERR_peek_last_error();
  ERR_clear_error();
  const char* const reason = error == 0 ? nullptr : ERR_reason_error_string(error);
  return reason == nullptr ? "the connection was closed" : reason;
}

// Waits for events on a descriptor; 0: time is over; -1: interrupted.
int Poll(int fd, short events, Deadline deadline, Interrupt interrupt) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
        deadline - std::chrono::steady_clock::now());
    const int64_t most = std::numeric_limits<int>::max();
    pollfd waits[2] = {{fd, events, 0}, {interrupt, POLLIN, 0}};
    const int ready = poll(waits, interrupt < 0 ? 1 : 2,
                           static_cast<int>(std::clamp<int64_t>(left.count() + 1, 0, most)));
    if (ready < 0 && errno == EINTR) continue;
    if (interrupt >= 0 && waits[1].revents != 0) return -1;
    if (ready > 0) return 1;
    if (left.count() <= 0) return 0;
  }
}

Result<void> AfterPoll(int polled, const char* late) {
  if (polled < 0) return Fail(ErrorKind::cancelled, "interrupted");
  if (polled == 0) return Fail(ErrorKind::limit, late);
  return {};
}

// Connects one of the addresses of a name; the error is that of the last one.
Result<int> Connect(const addrinfo& at, Deadline deadline, Interrupt interrupt) {
  const int fd = socket(at.ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (fd < 0) return Unreachable(std::strerror(errno));
  int error = connect(fd, at.ai_addr, at.ai_addrlen) == 0 ? 0 : errno;
  if (error == EINPROGRESS) {
    const Result<void> waited =
        AfterPoll(Poll(fd, POLLOUT, deadline, interrupt), "does not answer");
    socklen_t size = sizeof error;
    getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size);
    if (!waited) {
      close(fd);
      return Failure(waited.error());
    }
  }
  if (error != 0) {
    close(fd);
    return Unreachable(std::strerror(error));
  }
  return fd;
}

// A server whose machine has vanished sends nothing: the kernel finds out.
void KeepAlive(int fd) {
  constexpr int kOn = 1, kIdleSeconds = 15, kBetweenSeconds = 5, kProbes = 3;
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &kOn, sizeof kOn);
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &kOn, sizeof kOn);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &kIdleSeconds, sizeof kIdleSeconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &kBetweenSeconds, sizeof kBetweenSeconds);
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &kProbes, sizeof kProbes);
}

}  // namespace

struct Socket::Tls {
  SSL_CTX* context = SSL_CTX_new(TLS_client_method());
  SSL* stream = nullptr;

  Tls() = default;
  Tls(const Tls&) = delete;
  Tls& operator=(const Tls&) = delete;
  ~Tls() {
    SSL_free(stream);
    SSL_CTX_free(context);
  }
};

Socket::~Socket() {
  tls_.reset();
  if (fd_ >= 0) close(fd_);
}

Result<std::unique_ptr<Socket>> Socket::Open(const Address& address, const Security& security,
                                             Deadline deadline, Interrupt interrupt) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  addrinfo* found = nullptr;
  const int failed = getaddrinfo(address.host.c_str(), address.port.c_str(), &hints, &found);
  if (failed != 0) return Unreachable(gai_strerror(failed));
  Result<int> fd = Unreachable("has no address");
  for (const addrinfo* at = found; at != nullptr && !fd; at = at->ai_next) {
    fd = Connect(*at, deadline, interrupt);
    if (!fd && fd.error().kind == ErrorKind::cancelled) break;
  }
  freeaddrinfo(found);
  if (!fd) return Failure(fd.error());
  KeepAlive(*fd);
  std::unique_ptr<Socket> socket(new Socket);
  socket->fd_ = *fd;
  if (security.tls) TFPROF_TRY(socket->Secure(address, security, deadline, interrupt));
  return socket;
}

Result<void> Socket::Secure(const Address& address, const Security& security, Deadline deadline,
                            Interrupt interrupt) {
  static constexpr unsigned char kHttp2[] = {2, 'h', '2'};
  tls_ = std::make_unique<Tls>();
  SSL_CTX* const context = tls_->context;
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  const std::string& roots = security.authorities;
  if ((roots.empty() ? SSL_CTX_set_default_verify_paths(context)
                     : SSL_CTX_load_verify_locations(context, roots.c_str(), nullptr)) != 1) {
    return Fail(ErrorKind::usage, "no certificates: " + TlsReason(), roots);
  }
  if (!security.certificate.empty() &&
      (SSL_CTX_use_certificate_chain_file(context, security.certificate.c_str()) != 1 ||
       SSL_CTX_use_PrivateKey_file(context, security.key.c_str(), SSL_FILETYPE_PEM) != 1)) {
    return Fail(ErrorKind::usage, "no certificate with its key: " + TlsReason(),
                security.certificate);
  }
  SSL_CTX_set_alpn_protos(context, kHttp2, sizeof kHttp2);
  SSL* const stream = tls_->stream = SSL_new(context);
  const std::string& name = security.server_name.empty() ? address.host : security.server_name;
  SSL_set_tlsext_host_name(stream, name.c_str());
  // An address is no name of a host: certificates have their own field for it.
  X509_VERIFY_PARAM* const checks = SSL_get0_param(stream);
  if (X509_VERIFY_PARAM_set1_ip_asc(checks, name.c_str()) != 1) SSL_set1_host(stream, name.c_str());
  ERR_clear_error();
  SSL_set_fd(stream, fd_);
  while (true) {
    const int done = SSL_connect(stream);
    if (done == 1) return {};
    const int error = SSL_get_error(stream, done);
    if (error != SSL_ERROR_WANT_READ && error != SSL_ERROR_WANT_WRITE) {
      const long verified = SSL_get_verify_result(stream);
      if (verified != X509_V_OK)
        return Unreachable(std::string("no TLS: ") + X509_verify_cert_error_string(verified));
      return Fail(ErrorKind::unreadable, "no TLS: " + TlsReason(), {},
                  "profiler servers of programs do not encrypt: leave out -tls");
    }
    const short event = error == SSL_ERROR_WANT_READ ? POLLIN : POLLOUT;
    TFPROF_TRY(AfterPoll(Poll(fd_, event, deadline, interrupt), "does not answer"));
  }
}

Result<Socket::Moved> Socket::FromTls(int result, const char* verb) {
  tls_reads_ = tls_writes_ = false;
  if (result > 0) return Moved{static_cast<size_t>(result)};
  switch (SSL_get_error(tls_->stream, result)) {
    case SSL_ERROR_WANT_READ: tls_reads_ = true; return Moved{};
    case SSL_ERROR_WANT_WRITE: tls_writes_ = true; return Moved{};
    case SSL_ERROR_ZERO_RETURN: return Moved{0, true};
    default: return Unreachable(std::string(verb) + " fails: " + TlsReason());
  }
}

Result<Socket::Moved> Socket::Read(char* bytes, size_t most) {
  if (tls_) return FromTls(SSL_read(tls_->stream, bytes, static_cast<int>(most)), "reading");
  const ssize_t got = recv(fd_, bytes, most, 0);
  if (got > 0) return Moved{static_cast<size_t>(got)};
  if (got == 0) return Moved{0, true};
  if (errno == EAGAIN || errno == EINTR) return Moved{};
  return Unreachable(std::strerror(errno));
}

Result<Socket::Moved> Socket::Write(const char* bytes, size_t most) {
  if (tls_) return FromTls(SSL_write(tls_->stream, bytes, static_cast<int>(most)), "writing");
  const ssize_t sent = send(fd_, bytes, most, MSG_NOSIGNAL);
  if (sent >= 0) return Moved{static_cast<size_t>(sent)};
  if (errno == EAGAIN || errno == EINTR) return Moved{};
  return Unreachable(std::strerror(errno));
}

Result<void> Socket::Wait(bool writes, Deadline deadline, Interrupt interrupt) {
  if (tls_ && SSL_pending(tls_->stream) > 0) return {};
  const bool sends = tls_writes_ || (writes && !tls_reads_);
  const short events = static_cast<short>(POLLIN | (sends ? POLLOUT : 0));
  return AfterPoll(Poll(fd_, events, deadline, interrupt), "no answer in time");
}

}  // namespace tfprof::remote
