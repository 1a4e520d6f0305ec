// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/expect_parse.hpp"

#include "sim/scenario/quantities.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace perfsim {

namespace {

struct ErrnoName {
    const char* name;
    int number;
};

constexpr ErrnoName kErrnos[] = {
    {"EPERM", 1},   {"ENOENT", 2},  {"ESRCH", 3},      {"EINTR", 4},       {"E2BIG", 7},
    {"EBADF", 9},   {"EAGAIN", 11}, {"ENOMEM", 12},    {"EACCES", 13},     {"EFAULT", 14},
    {"EBUSY", 16},  {"ENODEV", 19}, {"EINVAL", 22},    {"EMFILE", 24},     {"ENOTTY", 25},
    {"ENOSPC", 28}, {"ENOSYS", 38}, {"EOVERFLOW", 75}, {"EOPNOTSUPP", 95},
};

constexpr const char* kOps[] = {"==", "!=", "<=", ">=", "<", ">"};

std::vector<std::string> words_of(const std::string& text)
{
    std::vector<std::string> words;
    std::string word;
    for (char c : text + " ") {
        if (std::isspace(static_cast<unsigned char>(c)) == 0) {
            word += c;
        } else if (!word.empty()) {
            words.push_back(word);
            word.clear();
        }
    }
    return words;
}

std::vector<std::string> split_path(const std::string& text)
{
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == '.')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

Operand parse_operand(const std::string& text, std::string& problem)
{
    Operand operand;
    if (const int number = errno_number(text); number != 0) {
        operand.literal = true;
        operand.value = number;
        return operand;
    }
    if (!text.empty() &&
        (std::isdigit(static_cast<unsigned char>(text[0])) != 0 || text[0] == '-')) {
        operand.literal = true;
        if (const auto natural = parse_u64(text))
            operand.value = *natural;
        else if (const auto integer = parse_i64(text))
            operand.value = *integer;
        else
            problem = fmt::format("'{}' is no integer", text);
        return operand;
    }
    std::string rest = text;
    if (const auto open = text.find('('); open != std::string::npos) {
        const auto close = text.find(')');
        if (close == std::string::npos || close < open) {
            problem = fmt::format("'{}' lacks its ')'", text);
            return operand;
        }
        operand.function = text.substr(0, open);
        rest = text.substr(open + 1, close - open - 1) + text.substr(close + 1);
    }
    operand.path = split_path(rest);
    if (std::any_of(operand.path.begin(), operand.path.end(),
                    [](std::string const& part) { return part.empty(); }))
        problem = fmt::format("'{}' is neither a number nor name.field", text);
    return operand;
}

} // namespace

int errno_number(const std::string& name)
{
    for (ErrnoName const& entry : kErrnos)
        if (name == entry.name)
            return entry.number;
    return 0;
}

std::string errno_name(i64 number)
{
    for (ErrnoName const& entry : kErrnos)
        if (number == entry.number)
            return entry.name;
    return std::to_string(number);
}

Relation parse_relation(const std::string& text, std::string& problem)
{
    Relation relation;
    const std::vector<std::string> words = words_of(text);
    const bool plain = words.size() == 3;
    const bool within = words.size() == 5 && words[3] == "within";
    if (!plain && !within) {
        problem = fmt::format("'{}' is not 'ref op value' or 'ref op value within N%'; parts are "
                              "separated by spaces",
                              text);
        return relation;
    }
    relation.op = words[1];
    if (std::find(std::begin(kOps), std::end(kOps), relation.op) == std::end(kOps)) {
        problem = fmt::format("unknown relation '{}' (known: ==, !=, <, <=, >, >=)", relation.op);
        return relation;
    }
    relation.left = parse_operand(words[0], problem);
    if (problem.empty())
        relation.right = parse_operand(words[2], problem);
    if (within && problem.empty()) {
        const std::string& percent = words[4];
        const auto value = parse_u64(percent.substr(0, percent.find('%')));
        relation.within = true;
        relation.within_percent = value.value_or(0);
        if (!value || percent.back() != '%' || relation.op != "==")
            problem = "'within N%' goes with '==' and an integer N";
    }
    return relation;
}

} // namespace perfsim
