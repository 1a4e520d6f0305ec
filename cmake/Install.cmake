# SPDX-License-Identifier: Apache-2.0
# cmake --install: the simulator, its scenarios, and the core as sources with perfcore_add_core().
set(perfcore_share ${CMAKE_INSTALL_DATADIR}/perfcore)
install(TARGETS perfsim RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY scenarios DESTINATION ${perfcore_share})
install(DIRECTORY core DESTINATION ${perfcore_share} FILES_MATCHING PATTERN "*.hpp" PATTERN "*.cpp")
install(FILES cmake/PerfcoreAddCore.cmake LICENSE DESTINATION ${perfcore_share})
install(FILES cmake/perfcore-config.cmake DESTINATION ${CMAKE_INSTALL_DATADIR}/cmake/perfcore)
