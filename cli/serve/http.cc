// SPDX-License-Identifier: Apache-2.0
#include "cli/serve/http.h"

#include <fmt/core.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/base/ascii.h"

namespace tfprof {
namespace {

constexpr std::pair<int, std::string_view> kStatusTexts[] = {
    {200, "OK"},
    {302, "Found"},
    {400, "Bad Request"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {408, "Request Timeout"},
    {414, "URI Too Long"},
    {422, "Unprocessable Content"},
    {500, "Internal Server Error"},
    {505, "HTTP Version Not Supported"},
};

int DigitOf(char c) {
  if (IsDigit(c)) return c - '0';
  const char letter = SmallLetter(c);
  return letter >= 'a' && letter <= 'f' ? letter - 'a' + 10 : -1;
}

// Decodes %XX, in a query also +. False: it is malformed.
bool Decode(std::string_view text, bool in_query, std::string* decoded) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      *decoded += in_query && text[i] == '+' ? ' ' : text[i];
      continue;
    }
    if (i + 2 >= text.size()) return false;
    const int high = DigitOf(text[i + 1]), low = DigitOf(text[i + 2]);
    if (high < 0 || low < 0) return false;
    *decoded += static_cast<char>(16 * high + low);
    i += 2;
  }
  return true;
}

bool DecodeQuery(std::string_view query, HttpRequest* request) {
  while (!query.empty()) {
    const size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    const size_t equals = std::min(pair.find('='), pair.size());
    std::string key, value;
    if (!Decode(pair.substr(0, equals), true, &key)) return false;
    if (!Decode(pair.substr(std::min(equals + 1, pair.size())), true, &value)) return false;
    request->values[key] = value;
  }
  return true;
}

// Takes the next line without its end.
std::string_view TakeHttpLine(std::string_view* head) {
  const size_t end = std::min(head->find("\r\n"), head->size());
  const std::string_view line = head->substr(0, end);
  head->remove_prefix(std::min(end + 2, head->size()));
  return line;
}

bool IsHeader(std::string_view line, std::string_view name) {
  return line.size() > name.size() && line[name.size()] == ':' && BeginsWithAnyCase(line, name);
}

std::string_view ValueOfHeader(std::string_view line) {
  line.remove_prefix(line.find(':') + 1);
  while (line.starts_with(' ') || line.starts_with('\t')) line.remove_prefix(1);
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

int ParseTarget(std::string_view target, HttpRequest* request) {
  if (!target.starts_with('/')) return 400;
  const size_t query = std::min(target.find('?'), target.size());
  if (!Decode(target.substr(0, query), false, &request->path)) return 400;
  if (query == target.size()) return 200;
  return DecodeQuery(target.substr(query + 1), request) ? 200 : 400;
}

}  // namespace

int ParseHttpHead(std::string_view head, HttpRequest* request) {
  const std::string_view line = TakeHttpLine(&head);
  const size_t method = line.find(' '), version = line.rfind(' ');
  if (method == line.npos || version == method) return 400;
  if (!line.substr(version + 1).starts_with("HTTP/1.")) return 505;
  if (line.substr(0, method) != "GET") return 405;
  int hosts = 0;
  while (!head.empty()) {
    const std::string_view header = TakeHttpLine(&head);
    if (header.empty()) break;
    if (!IsHeader(header, "host")) continue;
    request->host = ValueOfHeader(header);
    ++hosts;
  }
  if (hosts != 1) return 400;
  return ParseTarget(line.substr(method + 1, version - method - 1), request);
}

std::string HttpHeadOf(const HttpReply& reply) {
  const auto* const status =
      std::ranges::find(kStatusTexts, reply.status, &std::pair<int, std::string_view>::first);
  const std::string_view text = status == std::end(kStatusTexts) ? "" : status->second;
  std::string head = fmt::format("HTTP/1.1 {} {}\r\n", reply.status, text);
  head += fmt::format("Content-Type: {}\r\nContent-Length: {}\r\n", reply.type, reply.body.size());
  if (!reply.location.empty()) head += fmt::format("Location: {}\r\n", reply.location);
  const std::string policy = reply.policy.empty() ? "default-src 'none'" : reply.policy;
  head += fmt::format("Content-Security-Policy: {}; frame-ancestors 'none'\r\n", policy);
  head +=
      "Cache-Control: no-store\r\n"
      "Connection: close\r\n"
      "Cross-Origin-Opener-Policy: same-origin\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\n"
      "Referrer-Policy: no-referrer\r\n"
      "X-Content-Type-Options: nosniff\r\n"
      "X-Frame-Options: DENY\r\n\r\n";
  return head;
}

bool IsLocalHost(std::string_view host, int port) {
  const std::string end = ":" + std::to_string(port);
  if (!host.ends_with(end)) return false;
  host.remove_suffix(end.size());
  return host == "127.0.0.1" || host == "localhost";
}

std::string RandomToken() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) return {};
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

bool IsToken(std::string_view given, std::string_view token) {
  if (given.size() != token.size() || token.empty()) return false;
  unsigned char differing = 0;
  for (size_t i = 0; i < token.size(); ++i) {
    differing |= static_cast<unsigned char>(given[i] ^ token[i]);
  }
  return differing == 0;
}

}  // namespace tfprof
