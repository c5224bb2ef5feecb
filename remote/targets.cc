// SPDX-License-Identifier: Apache-2.0
#include "remote/targets.h"

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>
#include <string_view>

#include "core/base/ascii.h"
#include "core/query/options.h"

namespace tfprof::remote {
namespace {

// The profiler service of the TPU runtime; programs that start a server themselves choose the port.
constexpr std::string_view kTpuPort = "8466";

std::string FileNameOf(const Address& address) {
  std::string name = address.host + "_" + address.port;
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '.' && c != '-') c = '_';
  }
  return name;
}

bool IsPort(std::string_view text) {
  constexpr int kLast = 65535;
  constexpr size_t kDigits = 5;
  if (text.size() > kDigits || text.empty()) return false;
  if (text.find_first_not_of("0123456789") != text.npos) return false;
  const int number = std::stoi(std::string(text));
  return number > 0 && number <= kLast;
}

// "HOST:PORT", "[IPV6]:PORT"; `port` if it has none. Empty host: malformed.
Address ParseAddress(std::string text, std::string_view port) {
  if (text.starts_with(kGrpc)) text.erase(0, kGrpc.size());
  Address address{{}, std::string(port)};
  const size_t bracket = text.starts_with('[') ? text.find(']') : std::string::npos;
  const size_t colon = bracket == std::string::npos ? text.find(':') : text.find(':', bracket);
  if (bracket != std::string::npos) {
    address.host = text.substr(1, bracket - 1);
  } else {
    address.host = text.substr(0, colon);
  }
  if (colon != std::string::npos) address.port = text.substr(colon + 1);
  if (!IsPort(address.port)) address.host.clear();
  return address;
}

Result<std::vector<std::string>> LinesOf(const std::string& path) {
  std::ifstream file(path);
  if (!file) return Fail(ErrorKind::unreadable, "cannot be read", path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    line = std::string(Trimmed(std::string_view(line).substr(0, line.find('#'))));
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

std::string Value(const Variable& variable, const char* name) {
  const char* const value = variable(name);
  return value == nullptr ? std::string() : value;
}

// The hosts of a TPU, by the variables that its machines and clusters set. Ports there are those of
// other services.
std::vector<std::string> TpuHosts(const Variable& variable) {
  for (const char* const name :
       {"TPU_WORKER_HOSTNAMES", "KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS", "TPU_NAME"}) {
    const std::string value = Value(variable, name);
    const bool is_address = std::string_view(name) != "TPU_NAME" || value.find("://") != value.npos;
    if (value.empty() || !is_address) continue;
    std::vector<std::string> hosts;
    for (const std::string& text : SplitList(value))
      hosts.push_back(ParseAddress(std::string(Trimmed(text)), kTpuPort).host);
    return hosts;
  }
  return {};
}

Result<std::vector<Address>> TpuAddresses(std::string_view name, const Variable& variable) {
  std::string_view port = kTpuPort;
  if (const size_t colon = name.find(':'); colon != name.npos) {
    port = name.substr(colon + 1);
    name = name.substr(0, colon);
  }
  if (!IsPort(port))
    return UsageError("'" + std::string(port) + "' is not a port", "tpu:NAME:8466");
  const std::string own = Value(variable, "TPU_NAME");
  const std::vector<std::string> hosts = TpuHosts(variable);
  const bool is_other = !name.empty() && !own.empty() && name != own;
  if (hosts.empty() || is_other) {
    return UsageError(
        is_other ? "TPU_NAME is " + own + ", not " + std::string(name)
                 : "no variable of the environment has the hosts of a TPU",
        "set TPU_WORKER_HOSTNAMES=HOST,HOST or KUBE_GOOGLE_CLOUD_TPU_ENDPOINTS, or name the hosts: "
        "grpc://HOST:8466,HOST:8466 (gcloud compute tpus tpu-vm describe NAME shows them)");
  }
  std::vector<Address> addresses;
  for (const std::string& host : hosts) addresses.push_back({host, std::string(port)});
  return addresses;
}

Result<std::vector<Address>> AddressesOf(const std::string& word, const Variable& variable) {
  if (word.starts_with(kTpu))
    return TpuAddresses(std::string_view(word).substr(kTpu.size()), variable);
  const std::string list = word.substr(kGrpc.size());
  std::vector<std::string> texts = SplitList(list);
  if (list.starts_with('@')) {
    TFPROF_ASSIGN(texts, LinesOf(list.substr(1)));
  }
  std::vector<Address> addresses;
  for (const std::string& text : texts) {
    addresses.push_back(ParseAddress(std::string(Trimmed(text)), {}));
    if (addresses.back().host.empty()) {
      return UsageError("'" + text + "' is not an address of a server",
                        "grpc://HOST:PORT,HOST:PORT");
    }
  }
  return addresses;
}

}  // namespace

Result<std::vector<Worker>> WorkersOf(const std::vector<std::string>& words,
                                      const Variable& variable) {
  std::vector<Worker> workers;
  std::set<std::string> names;
  for (const std::string& word : words) {
    if (!IsTarget(word)) {
      const bool is_address = !ParseAddress(word, {}).host.empty();
      return UsageError("'" + word + "' is not a server",
                        is_address ? std::string(kGrpc) + word : "grpc://HOST:PORT,HOST:PORT");
    }
    TFPROF_ASSIGN(const std::vector<Address> addresses, AddressesOf(word, variable));
    for (const Address& address : addresses) {
      Worker worker{address, FileNameOf(address)};
      if (names.insert(worker.name).second) workers.push_back(std::move(worker));
    }
  }
  if (workers.empty()) return UsageError("no server is named", "grpc://HOST:PORT,HOST:PORT");
  return workers;
}

}  // namespace tfprof::remote
