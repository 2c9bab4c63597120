# `cmake --install` gives headers, library, program, find_package(vouch) and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS vouch EXPORT vouchTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
if(TARGET vouch_program)
  install(TARGETS vouch_program RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/vouch DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.h" PATTERN "cli" EXCLUDE PATTERN "kernels" EXCLUDE)
install(EXPORT vouchTargets NAMESPACE vouch:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vouch)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/vouchConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/vouchConfig.cmake
                              INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vouch)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/vouchConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/vouchConfig.cmake ${PROJECT_BINARY_DIR}/vouchConfigVersion.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/vouch)
file(RELATIVE_PATH VOUCH_PC_TO_PREFIX /p/${CMAKE_INSTALL_LIBDIR}/pkgconfig /p)
configure_file(${CMAKE_CURRENT_LIST_DIR}/vouch.pc.in ${PROJECT_BINARY_DIR}/vouch.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/vouch.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
