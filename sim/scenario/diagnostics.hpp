// SPDX-License-Identifier: Apache-2.0
// What is wrong with a file, with its place: "file:line:column: message".
#pragma once

#include "sim/scenario/model.hpp"

#include <string>
#include <vector>

namespace perfsim {

class Diagnostics {
public:
    explicit Diagnostics(std::string file) : m_file(std::move(file)) {}

    void error(Position position, const std::string& message);
    [[nodiscard]] bool ok() const { return m_messages.empty(); }
    /// At most the first 20; the last line then says how many more there are.
    [[nodiscard]] std::vector<std::string> messages() const;
    [[nodiscard]] const std::string& file() const { return m_file; }

private:
    std::string m_file;
    std::vector<std::string> m_messages;
};

/// "file:line:column", without what is unknown.
std::string place(const std::string& file, Position position);

/// " (did you mean 'x'?)" for the nearest of the candidates, or " (known: a, b, c)".
std::string suggestion(const std::string& word, const std::vector<std::string>& candidates);

} // namespace perfsim
