# SPDX-License-Identifier: Apache-2.0
# perfsim_systemc: Debian's SystemC 2.3.4. The library is built as C++17 and checks that at link time;
# sc_spawn needs dynamic processes.
find_package(PkgConfig REQUIRED)
pkg_check_modules(systemc REQUIRED IMPORTED_TARGET systemc)
add_library(perfsim_systemc INTERFACE)
target_link_libraries(perfsim_systemc INTERFACE PkgConfig::systemc)
target_compile_definitions(perfsim_systemc INTERFACE SC_CPLUSPLUS=201703L
    SC_INCLUDE_DYNAMIC_PROCESSES)
