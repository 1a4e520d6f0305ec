// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/diagnostics.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfsim {

namespace {

constexpr std::size_t kMessagesMax = 20;
constexpr std::size_t kCandidatesShown = 12;
constexpr std::size_t kWordMax = 64;

std::size_t edit_distance(const std::string& a, const std::string& b)
{
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j)
        row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] =
                std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
            diagonal = above;
        }
    }
    return row[b.size()];
}

} // namespace

std::string place(const std::string& file, Position position)
{
    return position.line == 0 ? file
                              : fmt::format("{}:{}:{}", file, position.line, position.column);
}

void Diagnostics::error(Position position, const std::string& message)
{
    m_messages.push_back(fmt::format("{}: error: {}", place(m_file, position), message));
}

std::vector<std::string> Diagnostics::messages() const
{
    std::vector<std::string> shown = m_messages;
    if (shown.size() > kMessagesMax) {
        shown.resize(kMessagesMax);
        shown.push_back(
            fmt::format("{}: and {} more errors", m_file, m_messages.size() - kMessagesMax));
    }
    return shown;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& candidates)
{
    const std::string* nearest = nullptr;
    std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
    for (std::string const& candidate : candidates) {
        const std::size_t distance = edit_distance(word.substr(0, kWordMax), candidate);
        if (distance < least) {
            least = distance;
            nearest = &candidate;
        }
    }
    if (nearest != nullptr)
        return fmt::format(" (did you mean '{}'?)", *nearest);
    if (candidates.empty())
        return "";
    std::vector<std::string> shown = candidates;
    const bool more = shown.size() > kCandidatesShown;
    if (more)
        shown.resize(kCandidatesShown);
    return fmt::format(" (known: {}{})", fmt::join(shown, ", "), more ? ", ..." : "");
}

} // namespace perfsim
