// SPDX-License-Identifier: Apache-2.0
#include "core/query/query.h"

namespace tfprof {

NodeFilter::NodeFilter() = default;
NodeFilter::NodeFilter(const NodeFilter&) = default;
NodeFilter::NodeFilter(NodeFilter&&) noexcept = default;
NodeFilter& NodeFilter::operator=(const NodeFilter&) = default;
NodeFilter& NodeFilter::operator=(NodeFilter&&) noexcept = default;
NodeFilter::~NodeFilter() = default;

TreeFilter::TreeFilter() = default;
TreeFilter::TreeFilter(const TreeFilter&) = default;
TreeFilter::TreeFilter(TreeFilter&&) noexcept = default;
TreeFilter& TreeFilter::operator=(const TreeFilter&) = default;
TreeFilter& TreeFilter::operator=(TreeFilter&&) noexcept = default;
TreeFilter::~TreeFilter() = default;

Display::Display() = default;
Display::Display(const Display&) = default;
Display::Display(Display&&) noexcept = default;
Display& Display::operator=(const Display&) = default;
Display& Display::operator=(Display&&) noexcept = default;
Display::~Display() = default;

Query::Query() = default;
Query::Query(const Query&) = default;
Query::Query(Query&&) noexcept = default;
Query& Query::operator=(const Query&) = default;
Query& Query::operator=(Query&&) noexcept = default;
Query::~Query() = default;

}  // namespace tfprof
