# What is installed: the public headers, the libraries, rocksdb.pc, and the
# CMake package RocksDB with RocksDB::rocksdb and RocksDB::rocksdb-shared. By
# component: `headers` has what both libraries need, `static` and `shared` have
# one library each, and the programs are in none that is named.

include(CMakePackageConfigHelpers)

if(TARGET rocksdb)
  set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/rocksdb)

  install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/rocksdb
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT headers
    FILES_MATCHING PATTERN "*.h")
  foreach(plugin IN LISTS BASALT_PLUGINS)
    install(FILES ${${plugin}_HEADERS}
      DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/rocksdb/plugin/${plugin}
      COMPONENT headers)
  endforeach()

  install(TARGETS rocksdb EXPORT RocksDBTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT static)
  install(EXPORT RocksDBTargets NAMESPACE RocksDB::
    DESTINATION ${package_dir} COMPONENT static)
  if(TARGET rocksdb-shared)
    install(TARGETS rocksdb-shared EXPORT RocksDBSharedTargets
      LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT shared)
    install(EXPORT RocksDBSharedTargets NAMESPACE RocksDB::
      DESTINATION ${package_dir} COMPONENT shared)
  endif()

  configure_package_config_file(cmake/RocksDBConfig.cmake.in
    ${PROJECT_BINARY_DIR}/RocksDBConfig.cmake
    INSTALL_DESTINATION ${package_dir})
  write_basic_package_version_file(
    ${PROJECT_BINARY_DIR}/RocksDBConfigVersion.cmake
    VERSION ${BASALT_API_VERSION} COMPATIBILITY SameMajorVersion)
  install(FILES
    ${PROJECT_BINARY_DIR}/RocksDBConfig.cmake
    ${PROJECT_BINARY_DIR}/RocksDBConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/BasaltDeps.cmake
    DESTINATION ${package_dir} COMPONENT headers)

  # The prefix is that of the installation, known only then; pkg-config finds
  # it from the place of the file.
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
    BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig
    OUTPUT_VARIABLE BASALT_PC_UP)
  list(JOIN BASALT_PC_LIBS " " BASALT_PC_LIBS_PRIVATE)
  configure_file(cmake/rocksdb.pc.in ${PROJECT_BINARY_DIR}/rocksdb.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/rocksdb.pc
    DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT headers)

  if(WITH_TOOLS OR WITH_CORE_TOOLS)
    foreach(program db_bench db_stress ldb sst_dump blob_dump rocksdb_dump
        rocksdb_undump cache_bench filter_bench trace_analyzer
        block_cache_trace_analyzer io_tracer_parser write_stress db_repl_stress db_sanity_test)
      if(TARGET ${program})
        install(TARGETS ${program}
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
      endif()
    endforeach()
    # bash finds a program's completion by its name.
    set(completion ${PROJECT_SOURCE_DIR}/tools/completion)
    foreach(program ldb sst_dump trace_analyzer block_cache_trace_analyzer
        io_tracer_parser)
      install(FILES ${completion}/ldb.bash RENAME ${program}
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    endforeach()
    install(FILES ${completion}/db_bench.bash RENAME db_bench
      DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
    install(FILES ${completion}/_ldb ${completion}/_db_bench
      DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
    install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/tools
      DESTINATION ${CMAKE_INSTALL_DOCDIR})
  endif()
endif()
