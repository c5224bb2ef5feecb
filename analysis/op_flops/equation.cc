// SPDX-License-Identifier: Apache-2.0
#include "analysis/op_flops/equation.h"

#include <algorithm>
#include <array>

namespace tfprof {
namespace {

constexpr std::string_view kMore = "...";

// The sizes of the indices. Those of `...` are kept apart, the last one first.
struct Indices {
  std::array<bool, 256> used = {};
  std::array<int64_t, 256> size;
  std::vector<int64_t> more;
  bool fits = true;  // the operands have the ranks of the equation

  Indices() { size.fill(-1); }
};

// A dimension of 1 is stretched to that of another operand.
void Widen(int64_t dim, int64_t* size) {
  if (*size < 0 || *size == 1) *size = dim >= 0 ? dim : *size;
}

// Returns the number of letters in the term of an operand.
size_t LettersIn(std::string_view term) {
  return static_cast<size_t>(std::ranges::count_if(term, [](char c) { return c != '.'; }));
}

void AddMore(Dims dims, Indices* indices) {
  std::vector<int64_t>& more = indices->more;
  if (more.size() < dims.size()) more.resize(dims.size(), 1);
  for (size_t i = 0; i < dims.size(); ++i) {
    int64_t& size = more[i];
    const int64_t dim = dims[dims.size() - 1 - i];
    size = size == 1 ? dim : std::max(size, size < 0 ? -1 : dim);
  }
}

void AddTerm(std::string_view term, const KnownTensor& operand, Indices* indices) {
  const size_t letters = LettersIn(term);
  const bool has_more = term.find(kMore) != term.npos;
  const size_t rank = operand.dims.size();
  if (!operand.has_rank || rank < letters || (!has_more && rank != letters)) {
    indices->fits = false;
    return;
  }
  size_t at = 0;
  for (size_t i = 0; i < term.size(); ++i) {
    if (term.substr(i).starts_with(kMore)) {
      AddMore(operand.dims.subspan(at, rank - letters), indices);
      at += rank - letters;
      i += kMore.size() - 1;
    } else if (term[i] != '.') {
      const auto letter = static_cast<unsigned char>(term[i]);
      indices->used[letter] = true;
      Widen(operand.dims[at++], &indices->size[letter]);
    }
  }
}

struct Equation {
  Indices indices;
  std::string_view result;
};

// False: there is no equation of these operands.
bool Read(const KnownOp& op, Equation* equation) {
  std::string_view text = op.Text(GraphKey::equation);
  const size_t arrow = text.find("->");
  if (arrow == text.npos) return false;
  equation->result = text.substr(arrow + 2);
  text = text.substr(0, arrow);
  for (size_t i = 0; i < op.inputs.size(); ++i) {
    const size_t comma = text.find(',');
    AddTerm(text.substr(0, comma), op.inputs[i], &equation->indices);
    text = comma == text.npos ? std::string_view() : text.substr(comma + 1);
  }
  return equation->indices.fits;
}

}  // namespace

EquationSizes SizesOf(const KnownOp& op) {
  EquationSizes sizes;
  Equation equation;
  if (!Read(op, &equation)) return sizes;
  std::vector<int64_t> all = equation.indices.more;
  std::vector<int64_t> output;
  const bool keeps_more = equation.result.find(kMore) != equation.result.npos;
  if (keeps_more) output = all;
  sizes.sums = !keeps_more && !all.empty();
  for (size_t letter = 0; letter < equation.indices.used.size(); ++letter) {
    if (!equation.indices.used[letter]) continue;
    all.push_back(equation.indices.size[letter]);
    const bool kept = equation.result.find(static_cast<char>(letter)) != std::string_view::npos;
    if (kept) output.push_back(all.back());
    sizes.sums |= !kept;
  }
  sizes.all = ElementsOf(all);
  sizes.output = ElementsOf(output);
  return sizes;
}

bool ResultOf(const KnownOp& op, std::vector<int64_t>* dims) {
  Equation equation;
  dims->clear();
  if (!Read(op, &equation)) return false;
  const std::vector<int64_t>& more = equation.indices.more;
  for (size_t i = 0; i < equation.result.size(); ++i) {
    if (equation.result.substr(i).starts_with(kMore)) {
      dims->insert(dims->end(), more.rbegin(), more.rend());
      i += kMore.size() - 1;
    } else {
      dims->push_back(equation.indices.size[static_cast<unsigned char>(equation.result[i])]);
    }
  }
  return true;
}

}  // namespace tfprof
