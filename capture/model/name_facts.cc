// SPDX-License-Identifier: Apache-2.0
#include "capture/model/name_facts.h"

#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <iterator>

#include "capture/spool/step_names.h"

namespace tfprof::capture {
namespace {

bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsAlnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// "dot_general" of "jit(f)/dense/dot_general.3" and of "dot_general[...]".
std::string TypeOfPath(std::string_view path) {
  std::string_view last = path.substr(path.rfind('/') + 1);
  size_t end = 0;
  while (end < last.size() && (IsAlnum(last[end]) || last[end] == '_' || last[end] == '-')) ++end;
  return TypeOf(last.substr(0, end));
}

// An operation of XLA is known by its instruction.
void FindXlaOperation(std::string_view attributes, NameFacts* facts) {
  facts->hlo_op = AttributeOf(attributes, "hlo_op");
  if (facts->hlo_op.empty()) return;
  const std::string_view path = AttributeOf(attributes, "name");
  facts->op_path = path.empty() ? facts->hlo_op : path;
  facts->op_type = TypeOfPath(facts->op_path);
  std::replace(facts->op_path.begin(), facts->op_path.end(), ':', '.');
}

// Libraries of operators that PyTorch and its extensions register (TORCH_LIBRARY).
constexpr std::string_view kTorchLibraries[] = {
    "aten::",       "prims::",      "prim::",     "c10d::",   "quantized::", "torchvision::",
    "torchaudio::", "flash_attn::", "xformers::", "fbgemm::", "triton::",    "inductor::"};

bool IsTorchOp(std::string_view text) {
  return std::any_of(std::begin(kTorchLibraries), std::end(kTorchLibraries),
                     [&](std::string_view library) {
                       return text.starts_with(library) && text.size() > library.size();
                     });
}

// "model/dense/MatMul:MatMul"
void FindOperation(std::string_view text, NameFacts* facts) {
  const size_t colon = text.find(':');
  if (colon == text.npos || colon == 0 || colon + 1 == text.size()) return;
  const std::string_view type = text.substr(colon + 1);
  const auto is_of_type = [](char c) { return IsAlnum(c) || c == '_'; };
  if (IsDigit(type[0]) || !std::all_of(type.begin(), type.end(), is_of_type)) return;
  facts->op_path = text.substr(0, colon);
  facts->op_type = type;
}

// The position behind what is balanced from an opening bracket on.
size_t SkipBrackets(std::string_view text, size_t at, char open, char close) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == open) ++depth;
    if (text[at] == close && --depth == 0) return at + 1;
  }
  return at;
}

}  // namespace

NameFacts ReadName(std::string_view text) {
  const EncodedName name = SplitName(text);
  NameFacts facts;
  facts.base = name.base;
  if (!name.attributes.empty() && facts.base.ends_with(':')) facts.base.pop_back();
  facts.step = StepNumber(text);
  facts.is_step = facts.step.has_value();
  facts.hlo_module = AttributeOf(name.attributes, "hlo_module");
  if (facts.hlo_module.empty()) facts.hlo_module = AttributeOf(name.attributes, "module");
  facts.program_id = IntegerOf(AttributeOf(name.attributes, "program_id"));
  FindXlaOperation(name.attributes, &facts);
  if (name.attributes.empty()) FindOperation(text, &facts);
  facts.is_torch_op = IsTorchOp(facts.base);
  return facts;
}

bool Nests(std::string_view name, size_t at) {
  constexpr std::string_view kOpen = "([{", kClose = ")]}";
  const auto count = [&](std::string_view of) {
    return std::count_if(name.begin(), name.begin() + static_cast<std::ptrdiff_t>(at),
                         [&](char c) { return of.find(c) != of.npos; });
  };
  const bool is_between =
      at > 0 && at + 1 < name.size() && name[at - 1] != '/' && name[at + 1] != '/';
  return is_between && count(kOpen) <= count(kClose);
}

std::string ScopeComponent(std::string_view name) {
  std::string component;
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const bool stays =
        IsAlnum(c) || c == '_' || c == '.' || c == '>' || c == '-' || (c == '/' && Nests(name, i));
    component += stays ? c : c == ':' ? '.' : '_';
  }
  if (component.empty() || !IsAlnum(component[0])) component.insert(0, "n");
  return component;
}

std::string TypeOf(std::string_view name) {
  std::string type;
  bool has_upper = false;
  for (const char c : name) {
    type += IsAlnum(c) ? c : '_';
    has_upper |= c >= 'A' && c <= 'Z';
  }
  if (type.empty() || IsDigit(type[0])) type.insert(0, "_");
  if (has_upper) type[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(type[0])));
  return type;
}

std::string Demangle(const std::string& name) {
  if (!name.starts_with("_Z")) return name;
  int status = 0;
  char* text = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (status != 0 || text == nullptr) return name;
  std::string demangled = text;
  std::free(text);
  return demangled;
}

std::string KernelBase(std::string_view demangled) {
  std::string base;
  for (size_t at = 0; at < demangled.size();) {
    const char c = demangled[at];
    if (c == '<' && !base.ends_with("operator")) {
      at = SkipBrackets(demangled, at, '<', '>');
    } else if (c == '(') {
      // "(anonymous namespace)::name": the parameters come at the end.
      const size_t after = SkipBrackets(demangled, at, '(', ')');
      if (demangled.substr(after, 2) != "::") break;
      at = after;
    } else if (c == ' ') {
      base.clear();
      ++at;
    } else if (demangled.substr(at, 2) == "::") {
      base.clear();
      at += 2;
    } else {
      base += c;
      ++at;
    }
  }
  return base.empty() ? std::string(demangled) : base;
}

std::string_view CallName(std::string_view name) {
  constexpr size_t kVersionDigits = 4;
  size_t digits = 0;
  while (digits < name.size() && IsDigit(name[name.size() - 1 - digits])) ++digits;
  if (digits >= kVersionDigits && name.substr(0, name.size() - digits).ends_with("_v")) {
    name.remove_suffix(digits + 2);
  }
  for (const std::string_view variant : {"_ptsz", "_ptds"}) {
    if (name.ends_with(variant)) name.remove_suffix(variant.size());
  }
  return name;
}

}  // namespace tfprof::capture
