# SPDX-License-Identifier: Apache-2.0
# perfcore_add_core(<target> HAL_DIR <dir>): a static library of the core sources bound to the HAL
# that <dir>/perfcore_hal.hpp implements. Works in this tree and from an installed copy.
include_guard(GLOBAL)

# Installed, core/ stands beside this file; in the tree, one folder up.
if(EXISTS "${CMAKE_CURRENT_LIST_DIR}/core/hal/hal.hpp")
    set(PERFCORE_ROOT "${CMAKE_CURRENT_LIST_DIR}")
else()
    get_filename_component(PERFCORE_ROOT "${CMAKE_CURRENT_LIST_DIR}/.." ABSOLUTE)
endif()

function(perfcore_add_core target)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "HAL_DIR" "")
    if(NOT arg_HAL_DIR)
        message(FATAL_ERROR "perfcore_add_core(${target} HAL_DIR <dir>): HAL_DIR is missing")
    endif()
    get_filename_component(hal_dir "${arg_HAL_DIR}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_SOURCE_DIR}")
    if(NOT EXISTS "${hal_dir}/perfcore_hal.hpp")
        message(FATAL_ERROR "perfcore_add_core(${target}): no perfcore_hal.hpp in ${hal_dir}")
    endif()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PERFCORE_ROOT}/core/*.cpp")
    add_library(${target} STATIC ${sources})
    target_include_directories(${target} PUBLIC "${PERFCORE_ROOT}" "${hal_dir}")
    target_compile_features(${target} PUBLIC cxx_std_20)
    target_compile_options(${target} PRIVATE -Wall -Wextra -fno-exceptions -fno-rtti
        -fno-threadsafe-statics)
endfunction()
