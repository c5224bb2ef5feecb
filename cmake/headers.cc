// SPDX-License-Identifier: Apache-2.0
// headers.h needs a target of its own to be parsed once.
