# SPDX-License-Identifier: Apache-2.0
# CMakeLists.txt of the dummy kernel, copied outside the tree by run.sh.
cmake_minimum_required(VERSION 3.25)
project(dummy_kernel LANGUAGES CXX)
find_package(perfcore REQUIRED)
perfcore_add_core(dummy_core HAL_DIR ${CMAKE_CURRENT_SOURCE_DIR})
add_executable(dummy main.cpp)
target_link_libraries(dummy PRIVATE dummy_core)
