// SPDX-License-Identifier: Apache-2.0
#include "sim/scenario/schema.hpp"

#include "cli/commands.hpp"

#include <fmt/format.h>

namespace perfsim {

int schema_command()
{
    fmt::print("{}", json_schema());
    return kExitPass;
}

} // namespace perfsim
