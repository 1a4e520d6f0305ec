// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/yaml_reader.hpp"

#include "sim/scenario/quantities.hpp"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>

#include <algorithm>
#include <set>
#include <sstream>

namespace perfsim {

namespace {

// First pass over the events of the text: anchors and aliases would let a small file unfold into a
// huge one, so they are refused before any tree is built.
class Guard final : public YAML::EventHandler {
public:
    explicit Guard(Diagnostics& diagnostics) : m_diagnostics(diagnostics) {}

    void OnDocumentStart(const YAML::Mark&) override {}
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override { check(mark, anchor); }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse(mark); }
    void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  const std::string&) override
    {
        check(mark, anchor);
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                         YAML::EmitterStyle::value) override
    {
        check(mark, anchor);
    }
    void OnSequenceEnd() override {}
    void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                    YAML::EmitterStyle::value) override
    {
        check(mark, anchor);
    }
    void OnMapEnd() override {}

private:
    void check(const YAML::Mark& mark, YAML::anchor_t anchor)
    {
        if (anchor != YAML::NullAnchor)
            refuse(mark);
    }
    void refuse(const YAML::Mark& mark)
    {
        m_diagnostics.error({static_cast<u32>(mark.line + 1), static_cast<u32>(mark.column + 1)},
                            "anchors and aliases are not part of the form; write it out");
    }
    Diagnostics& m_diagnostics;
};

std::string shown(const std::string& text)
{
    constexpr std::size_t kShown = 40;
    std::string out;
    for (char c : text.substr(0, kShown))
        out += c >= ' ' && c < 0x7f ? c : '?';
    return text.size() > kShown ? out + "..." : out;
}

bool name_ok(const std::string& name)
{
    constexpr std::size_t kNameMax = 48;
    return !name.empty() && name.size() <= kNameMax &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '_' || c == '-';
           });
}

} // namespace

Position YamlReader::position(const YAML::Node& node)
{
    const YAML::Mark mark = node.Mark();
    return {static_cast<u32>(mark.line + 1), static_cast<u32>(mark.column + 1)};
}

YAML::Node YamlReader::parse(const std::string& text)
{
    if (text.size() > kFileBytesMax) {
        m_diagnostics.error(
            {}, fmt::format("{} bytes; a file may have at most {}", text.size(), kFileBytesMax));
        return {};
    }
    if (const auto nul = text.find('\0'); nul != std::string::npos) {
        const auto line = std::count(text.begin(), text.begin() + static_cast<long>(nul), '\n');
        m_diagnostics.error({static_cast<u32>(line + 1), 1}, "a NUL byte; this is not a text file");
        return {};
    }
    try {
        std::istringstream stream(text);
        YAML::Parser parser(stream);
        Guard guard(m_diagnostics);
        if (!parser.HandleNextDocument(guard)) {
            m_diagnostics.error({1, 1}, "the file is empty; a scenario starts with 'perfsim: 1'");
            return {};
        }
        if (!m_diagnostics.ok())
            return {};
        std::vector<YAML::Node> documents = YAML::LoadAll(text);
        if (documents.size() != 1) {
            error(documents[1], "a second document; one file holds one");
            return {};
        }
        return documents[0];
    } catch (const YAML::Exception& exception) {
        const YAML::Mark& mark = exception.mark;
        Position at;
        if (!mark.is_null())
            at = {static_cast<u32>(mark.line + 1), static_cast<u32>(mark.column + 1)};
        m_diagnostics.error(at, "not valid YAML: " + exception.msg);
    }
    return {};
}

bool YamlReader::unique_keys(const YAML::Node& node)
{
    std::set<std::string> seen;
    bool good = true;
    for (auto const& entry : node) {
        if (!entry.first.IsScalar()) {
            error(entry.first, "a key must be a plain word");
            good = false;
        } else if (!seen.insert(entry.first.Scalar()).second) {
            error(entry.first, fmt::format("key '{}' is there twice", shown(entry.first.Scalar())));
            good = false;
        }
    }
    return good;
}

bool YamlReader::object(const YAML::Node& node, const std::string& object, const std::string& what)
{
    const std::vector<std::string> known = keys_of(object);
    if (!node.IsMap()) {
        error(node, fmt::format("{} must be a map{}", what, suggestion("", known)));
        return false;
    }
    bool good = unique_keys(node);
    if (!good)
        return false;
    for (auto const& entry : node) {
        const std::string& key = entry.first.Scalar();
        if (find_key(object, key) == nullptr) {
            error(entry.first, fmt::format("unknown key '{}' in {}{}", shown(key), what,
                                           suggestion(key, known)));
            good = false;
        }
    }
    for (SchemaKey const& key : schema()) {
        if (object == key.object && key.required && !node[key.key]) {
            error(node, fmt::format("{} lacks '{}': {}", what, key.key, key.text));
            good = false;
        }
    }
    return good;
}

bool YamlReader::names(const YAML::Node& node, const std::string& what)
{
    if (!node.IsMap()) {
        error(node, fmt::format("{} must be a map from names", what));
        return false;
    }
    if (!unique_keys(node))
        return false;
    bool good = true;
    for (auto const& entry : node) {
        if (!name_ok(entry.first.Scalar())) {
            error(entry.first, fmt::format("'{}' is no name: letters, digits, '_' and '-', at most "
                                           "48",
                                           shown(entry.first.Scalar())));
            good = false;
        }
    }
    return good;
}

bool YamlReader::list(const YAML::Node& node, const std::string& what)
{
    if (node.IsSequence())
        return true;
    error(node, fmt::format("{} must be a list", what));
    return false;
}

std::optional<std::string> YamlReader::text(const YAML::Node& node, const std::string& what)
{
    if (node.IsScalar())
        return node.Scalar();
    error(node, fmt::format("{} must be a word or text", what));
    return std::nullopt;
}

std::optional<u64> YamlReader::integer(const YAML::Node& node, const std::string& what, u64 least,
                                       u64 most)
{
    const auto value = node.IsScalar() ? parse_u64(node.Scalar()) : std::nullopt;
    if (value && *value >= least && *value <= most)
        return value;
    error(node,
          fmt::format("{} must be an integer from {} to {}{}", what, least, most,
                      node.IsScalar() ? fmt::format(", not '{}'", shown(node.Scalar())) : ""));
    return std::nullopt;
}

std::optional<i64> YamlReader::signed_integer(const YAML::Node& node, const std::string& what,
                                              i64 least, i64 most)
{
    const auto value = node.IsScalar() ? parse_i64(node.Scalar()) : std::nullopt;
    if (value && *value >= least && *value <= most)
        return value;
    error(node, fmt::format("{} must be an integer from {} to {}", what, least, most));
    return std::nullopt;
}

std::optional<bool> YamlReader::boolean(const YAML::Node& node, const std::string& what)
{
    const std::string value = node.IsScalar() ? node.Scalar() : "";
    if (value == "1" || value == "true")
        return true;
    if (value == "0" || value == "false")
        return false;
    error(node, fmt::format("{} must be 0, 1, true or false", what));
    return std::nullopt;
}

std::optional<u64> YamlReader::time_ps(const YAML::Node& node, const std::string& what)
{
    const auto value = node.IsScalar() ? parse_time_ps(node.Scalar()) : std::nullopt;
    if (!value)
        error(node, fmt::format("{} must be a time with a unit (ps, ns, us, ms, s), like 800us or "
                                "1.5ms, exact to the picosecond",
                                what));
    return value;
}

std::optional<Ratio> YamlReader::ratio(const YAML::Node& node, const std::string& what)
{
    const auto value = node.IsScalar() ? parse_ratio(node.Scalar()) : std::nullopt;
    if (!value)
        error(node,
              fmt::format("{} must be a ratio of integers up to 1000000, like 6/5 or 2", what));
    return value;
}

std::vector<YAML::Node> YamlReader::scalars(const YAML::Node& node, const std::string& what)
{
    std::vector<YAML::Node> nodes;
    if (node.IsScalar())
        nodes.push_back(node);
    else if (node.IsSequence())
        for (auto const& item : node)
            nodes.push_back(item);
    else
        error(node, fmt::format("{} must be a list", what));
    for (YAML::Node const& item : nodes) {
        if (!item.IsScalar()) {
            error(item, fmt::format("{} must be a list of words", what));
            return {};
        }
    }
    return nodes;
}

} // namespace perfsim
