// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "sim/scenario/result.hpp"

#include <string>
#include <vector>

namespace perfsim {

struct Operand {
    bool literal = false;
    __int128 value = 0;
    std::string function;          ///< "truth", "ideal" or empty
    std::vector<std::string> path; ///< name, then fields
};

struct Relation {
    Operand left;
    std::string op;
    Operand right;
    u64 within_percent = 0;
    bool within = false;
};

/// Parses an expectation; `problem` says what is wrong, else stays empty.
Relation parse_relation(const std::string& text, std::string& problem);

/// Number of an errno name, 0: unknown.
int errno_number(const std::string& name);
/// "ENOENT" for 2; the number itself if it has no name here.
std::string errno_name(i64 number);

} // namespace perfsim
