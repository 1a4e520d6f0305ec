// SPDX-License-Identifier: Apache-2.0
// The one place where core meets a kernel: <perfcore_hal.hpp> is found on the include path the
// kernel gives (perfcore_add_core(HAL_DIR)). It must
//   * define PERFCORE_BINDING, an identifier: core lives in perfcore::inline PERFCORE_BINDING;
//   * define struct perfcore::PERFCORE_BINDING::Hal (inside that inline namespace).
#pragma once

#include "core/hal/types.hpp"

#include <perfcore_hal.hpp>

#ifndef PERFCORE_BINDING
#error "perfcore_hal.hpp must define PERFCORE_BINDING (contract: core/hal/hal.hpp)"
#endif
