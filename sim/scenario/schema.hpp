// SPDX-License-Identifier: Apache-2.0
// The keys of scenario and machine files as data. The loader refuses what is not here, the JSON
// Schema is printed from it, and a test holds docs/SCENARIOS.md to it.
#pragma once

#include <string>
#include <vector>

namespace perfsim {

enum class ValueKind : unsigned char {
    Text,
    Integer,
    Boolean, ///< 0, 1, true, false
    Time,
    Ratio,
    List,
    Map,
};

struct SchemaKey {
    const char* object; ///< "scenario", "kernel", "op.open", ...
    const char* key;
    ValueKind kind;
    bool required;
    const char* text; ///< one line for the documentation
};

const std::vector<SchemaKey>& schema();

/// Keys of an object, in the order of the table.
std::vector<std::string> keys_of(const std::string& object);
/// Null: the object has no such key.
const SchemaKey* find_key(const std::string& object, const std::string& key);

/// JSON Schema (draft 2020-12) of scenario files, as text ending in a newline.
std::string json_schema();

} // namespace perfsim
