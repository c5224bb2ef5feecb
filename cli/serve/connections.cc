// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/connections.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "core/base/parallel.h"

namespace tfprof {
namespace {

using std::chrono::steady_clock;

constexpr size_t kMostConnections = 48;        // others wait until one ends
constexpr int kLookEveryMs = 50;               // for an end, and for clients that are gone
constexpr std::chrono::seconds kPatience{10};  // with a client that neither sends nor reads

struct Connection {
  int fd = -1;
  std::atomic<bool> gone{false};
  std::atomic<bool> is_done{false};
  std::thread thread;
};

// Waits until the socket is ready. False: it is not in time, or nobody is there.
bool WaitFor(const Connection& connection, short events, steady_clock::time_point until) {
  while (!connection.gone && steady_clock::now() < until) {
    pollfd one{connection.fd, events, 0};
    const int ready = poll(&one, 1, kLookEveryMs);
    if (ready < 0 && errno != EINTR) return false;
    if (ready > 0) return true;
  }
  return false;
}

// Reads until the empty line. Returns 200, the status to refuse it with, or 0: nobody is there.
int ReadHead(Connection& connection, std::string* head) {
  const auto until = steady_clock::now() + kPatience;
  char bytes[4096];
  while (head->find("\r\n\r\n") == head->npos) {
    if (head->size() > kMaxHttpHead) return 414;
    if (!WaitFor(connection, POLLIN, until)) return connection.gone ? 0 : 408;
    const ssize_t count = recv(connection.fd, bytes, sizeof bytes, 0);
    if (count < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (count <= 0) return 0;
    head->append(bytes, static_cast<size_t>(count));
  }
  return 200;
}

void Send(Connection& connection, std::string_view bytes) {
  auto until = steady_clock::now() + kPatience;
  while (!bytes.empty() && WaitFor(connection, POLLOUT, until)) {
    const ssize_t count = send(connection.fd, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (count < 0 && errno != EINTR && errno != EAGAIN) return;
    if (count <= 0) continue;
    bytes.remove_prefix(static_cast<size_t>(count));
    until = steady_clock::now() + kPatience;
  }
}

void Answer(Connection& connection, const HttpHandler& handle) {
  std::string head;
  HttpRequest request;
  int status = ReadHead(connection, &head);
  if (status == 0) return;
  if (status == 200) status = ParseHttpHead(head, &request);
  const HttpReply reply = status == 200
                              ? handle(request, connection.gone)
                              : HttpReply{.status = status, .body = "not a request of a page\n"};
  Send(connection, HttpHeadOf(reply));
  Send(connection, reply.body);
  shutdown(connection.fd, SHUT_WR);
}

void CloseDone(std::list<Connection>* connections, bool all) {
  for (auto at = connections->begin(); at != connections->end();) {
    if (!all && !at->is_done) {
      ++at;
      continue;
    }
    if (at->thread.joinable()) at->thread.join();
    close(at->fd);
    at = connections->erase(at);
  }
}

void Accept(int socket, const HttpHandler& handle, std::list<Connection>* connections) {
  const int fd = accept4(socket, nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK);
  if (fd < 0) return;
  Connection& connection = connections->emplace_back();
  connection.fd = fd;
  connection.thread = TryThread([&] {
    Answer(connection, handle);
    connection.is_done = true;
  });
  if (!connection.thread.joinable()) connection.is_done = true;
}

// Waits for a new connection, an end of others, or some time. Returns true for a new one.
bool WaitForClients(int socket, std::list<Connection>* connections) {
  std::vector<pollfd> waiting;
  std::vector<Connection*> of;
  for (Connection& connection : *connections) {
    if (connection.gone || connection.is_done) continue;
    waiting.push_back({connection.fd, POLLRDHUP, 0});
    of.push_back(&connection);
  }
  const bool has_room = connections->size() < kMostConnections;
  if (has_room) waiting.push_back({socket, POLLIN, 0});
  if (poll(waiting.data(), waiting.size(), kLookEveryMs) <= 0) return false;
  for (size_t i = 0; i < of.size(); ++i) {
    if (waiting[i].revents != 0) of[i]->gone = true;
  }
  return has_room && waiting.back().revents != 0;
}

}  // namespace

LocalSocket::~LocalSocket() {
  if (fd_ >= 0) close(fd_);
}

LocalSocket::LocalSocket(LocalSocket&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), port_(other.port_) {}

Result<LocalSocket> LocalSocket::Listen(int port) {
  LocalSocket local;
  local.fd_ = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const int yes = 1;
  setsockopt(local.fd_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(static_cast<uint16_t>(port));
  socklen_t size = sizeof address;
  auto* const generic = reinterpret_cast<sockaddr*>(&address);
  if (local.fd_ < 0 || bind(local.fd_, generic, size) != 0 || listen(local.fd_, SOMAXCONN) != 0 ||
      getsockname(local.fd_, generic, &size) != 0) {
    const bool taken = errno == EADDRINUSE;
    const std::string where = "127.0.0.1:" + std::to_string(port);
    return Fail(ErrorKind::unreadable, taken ? "the port is taken" : std::strerror(errno), where,
                "-port 0 takes any free one");
  }
  local.port_ = ntohs(address.sin_port);
  return local;
}

void LocalSocket::Serve(const HttpHandler& handle, const std::atomic<bool>& stop) {
  std::list<Connection> connections;  // their addresses do not change
  while (!stop) {
    if (WaitForClients(fd_, &connections)) Accept(fd_, handle, &connections);
    CloseDone(&connections, false);
  }
  for (Connection& connection : connections) connection.gone = true;
  CloseDone(&connections, true);
}

}  // namespace tfprof
