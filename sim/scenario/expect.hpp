// SPDX-License-Identifier: Apache-2.0
// The expectation language: `ref op ref-or-number [within N%]`, the same evaluator for every
// target.
//
//   ref     name.field..., or function(name).field
//   op      ==  !=  <  <=  >  >=
//   number  decimal, 0x..., negative, or an errno by name (ENOENT)
//
// A ref may stand for many values (recs.sample.tid): the relation must hold for each of them, and
// there must be at least one.
#pragma once

#include "sim/scenario/result.hpp"

#include <string>

namespace perfsim {

/// Empty if the text is well formed and its names exist in the scenario, else what is wrong.
std::string check_expectation(const std::string& text, const Scenario& scenario);

/// Appends a Failure to result.failures for every expectation of the scope, or a wider one, that
/// does not hold.
void evaluate(const Scenario& scenario, WorldResult& result, Scope scope);

} // namespace perfsim
