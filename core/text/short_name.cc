// SPDX-License-Identifier: Apache-2.0
#include "core/text/short_name.h"

#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tfprof {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr size_t kNotFound = std::string_view::npos;
constexpr int kMaxArgumentDepth = 16;  // of template arguments in template arguments

bool IsNameChar(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '$' || c == '~';
}

bool IsDecimal(char c) { return c >= '0' && c <= '9'; }

std::string_view WithoutBlanks(std::string_view text) {
  while (text.starts_with(' ')) text.remove_prefix(1);
  while (text.ends_with(' ')) text.remove_suffix(1);
  return text;
}

// The parts of a type or function: the last component of its name and its template arguments.
struct Signature {
  std::string_view base;
  std::string_view arguments;  // between < and >; empty: it has none
};

// The name without its parameters: up to the ( that no other bracket encloses. None: brackets do
// not match, or a blank precedes the (.
std::optional<std::string_view> WithoutParameters(std::string_view text) {
  int angles = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i).starts_with(kAnonymous)) {
      i += kAnonymous.size() - 1;
    } else if (text[i] == '<') {
      ++angles;
    } else if (text[i] == '>') {
      if (--angles < 0) return std::nullopt;
    } else if (text[i] == '(' && angles == 0) {
      if (i > 0 && text[i - 1] == ' ') return std::nullopt;
      return text.substr(0, i);
    }
  }
  if (angles != 0) return std::nullopt;
  return text;
}

// Splits `ns::f<A, B>`; none: it is no qualified name.
std::optional<Signature> Split(std::string_view text) {
  text = WithoutBlanks(text);
  Signature parts;
  size_t end = text.size();
  if (text.ends_with('>')) {
    int angles = 0;
    size_t open = end;
    do {
      --open;
      if (text[open] == '>') ++angles;
      if (text[open] == '<') --angles;
    } while (open > 0 && angles > 0);
    if (angles != 0) return std::nullopt;
    parts.arguments = WithoutBlanks(text.substr(open + 1, end - open - 2));
    end = open;
  }
  size_t begin = end;
  while (begin > 0 && IsNameChar(text[begin - 1])) --begin;
  parts.base = text.substr(begin, end - begin);
  const bool begins = begin == 0 || text[begin - 1] == ':' || text[begin - 1] == ' ';
  if (parts.base.empty() || IsDecimal(parts.base[0]) || !begins) return std::nullopt;
  return parts;
}

// Splits at commas that no bracket encloses.
std::vector<std::string_view> ArgumentsIn(std::string_view text) {
  std::vector<std::string_view> arguments;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '<' || text[i] == '(' || text[i] == '{') ++depth;
    if (text[i] == '>' || text[i] == ')' || text[i] == '}') --depth;
    if (text[i] != ',' || depth != 0) continue;
    arguments.push_back(WithoutBlanks(text.substr(begin, i - begin)));
    begin = i + 1;
  }
  if (!text.empty()) arguments.push_back(WithoutBlanks(text.substr(begin)));
  return arguments;
}

// `(int)4`, `4ul` and `4` are 4; empty: it is no number.
std::string_view NumberIn(std::string_view argument) {
  if (argument.starts_with('(')) {
    const size_t close = argument.find(')');
    argument.remove_prefix(close == kNotFound ? 0 : close + 1);
  }
  const size_t from = argument.starts_with('-') ? 1 : 0;
  size_t end = from;
  while (end < argument.size() && IsDecimal(argument[end])) ++end;
  if (end == from) return {};
  for (size_t i = end; i < argument.size(); ++i) {
    if (argument[i] != 'u' && argument[i] != 'l' && argument[i] != 'U' && argument[i] != 'L') {
      return {};
    }
  }
  return argument.substr(0, end);
}

std::string Shortened(const Signature& signature, Shortening how, int depth);

// An argument without its namespaces. `const`, `*` and `&` around a type are removed, too.
std::string ShortArgument(std::string_view argument, Shortening how, int depth) {
  if (const std::string_view number = NumberIn(argument); !number.empty()) {
    return std::string(number);
  }
  std::string_view type = argument;
  while (type.ends_with('*') || type.ends_with('&') || type.ends_with(' ')) type.remove_suffix(1);
  if (type.ends_with(" const")) type.remove_suffix(6);
  const std::optional<Signature> parts = Split(type);
  if (!parts) return std::string(argument);
  if (how != Shortening::nested || depth == kMaxArgumentDepth) return std::string(parts->base);
  return Shortened(*parts, how, depth + 1);
}

std::string Shortened(const Signature& signature, Shortening how, int depth) {
  std::string out(signature.base);
  std::string arguments;
  const std::vector<std::string_view> all = ArgumentsIn(signature.arguments);
  for (const std::string_view argument : all) {
    std::string text;
    if (how == Shortening::numbers) {
      text = NumberIn(argument);
      if (text.empty()) continue;
    } else {
      text = ShortArgument(argument, how, depth);
    }
    arguments += (arguments.empty() ? "" : ", ") + text;
  }
  if (arguments.empty() && !all.empty()) arguments = ShortArgument(all.front(), how, depth);
  return arguments.empty() ? out : out + "<" + arguments + ">";
}

}  // namespace

std::string ShortName(std::string_view name, Shortening how) {
  if (name.find_first_of("<(") == kNotFound && name.find("::") == kNotFound)
    return std::string(name);
  const std::optional<std::string_view> function = WithoutParameters(name);
  if (!function) return std::string(name);
  const std::optional<Signature> parts = Split(*function);
  if (!parts || parts->base == "operator") return std::string(name);
  return Shortened(*parts, how, 0);
}

std::vector<std::string> ShortNames(const std::vector<std::string_view>& names) {
  std::map<std::string_view, std::string> shorts;
  std::set<std::string_view> left(names.begin(), names.end());
  for (const Shortening how : {Shortening::numbers, Shortening::arguments, Shortening::nested}) {
    std::map<std::string, std::vector<std::string_view>> having;
    for (const std::string_view name : left) having[ShortName(name, how)].push_back(name);
    for (const auto& [text, those] : having) {
      if (those.size() > 1) continue;
      shorts.emplace(those.front(), text);
      left.erase(those.front());
    }
  }
  for (const std::string_view name : left) shorts.emplace(name, name);
  std::vector<std::string> out;
  for (const std::string_view name : names) out.push_back(shorts.at(name));
  return out;
}

}  // namespace tfprof
