# SPDX-License-Identifier: Apache-2.0
# find_package(perfcore) gives perfcore_add_core(<target> HAL_DIR <dir>).
include("${CMAKE_CURRENT_LIST_DIR}/../../perfcore/PerfcoreAddCore.cmake")
