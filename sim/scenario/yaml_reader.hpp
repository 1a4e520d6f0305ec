// SPDX-License-Identifier: Apache-2.0
// YAML with manners: every access checks type and key, and says where and what would be right.
#pragma once

#include "sim/scenario/diagnostics.hpp"
#include "sim/scenario/schema.hpp"

#include <functional>
#include <optional>
#include <yaml-cpp/yaml.h>

namespace perfsim {

inline constexpr std::size_t kFileBytesMax = 1 << 20;

class YamlReader {
public:
    explicit YamlReader(Diagnostics& diagnostics) : m_diagnostics(diagnostics) {}

    /// The one document of a text. Null node (and errors) if there is none: broken YAML, NUL bytes,
    /// too large, several documents, anchors and aliases.
    YAML::Node parse(const std::string& text);

    static Position position(const YAML::Node& node);
    void error(const YAML::Node& node, const std::string& message)
    {
        m_diagnostics.error(position(node), message);
    }

    /// True if node is a map with known, unique keys of the schema's object and all required ones.
    bool object(const YAML::Node& node, const std::string& object, const std::string& what);
    /// The same for a map whose keys are names given by the user; names are checked.
    bool names(const YAML::Node& node, const std::string& what);
    bool list(const YAML::Node& node, const std::string& what);

    std::optional<std::string> text(const YAML::Node& node, const std::string& what);
    std::optional<u64> integer(const YAML::Node& node, const std::string& what, u64 least,
                               u64 most);
    std::optional<i64> signed_integer(const YAML::Node& node, const std::string& what, i64 least,
                                      i64 most);
    std::optional<bool> boolean(const YAML::Node& node, const std::string& what);
    std::optional<u64> time_ps(const YAML::Node& node, const std::string& what);
    std::optional<Ratio> ratio(const YAML::Node& node, const std::string& what);
    /// Scalars of a list, or one scalar.
    std::vector<YAML::Node> scalars(const YAML::Node& node, const std::string& what);

private:
    bool unique_keys(const YAML::Node& node);
    Diagnostics& m_diagnostics;
};

} // namespace perfsim
