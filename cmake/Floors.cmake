# The floors, bottom to top. Each becomes the object library basalt_<floor>;
# a floor without sources is skipped. Then the two libraries.

set(BASALT_FLOORS util monitoring options env file cache table memtable db
  utilities c tools)
# The tools that programs may embed: their parts are in the libraries, and each
# has a main() of its own.
set(BASALT_EMBEDDED_TOOLS ldb sst_dump)
set_source_files_properties(${PROJECT_SOURCE_DIR}/util/build_version.cc
  PROPERTIES COMPILE_DEFINITIONS "BASALT_BUILD_DATE=\"${BASALT_BUILD_DATE}\";BASALT_GIT_SHA=\"${BASALT_GIT_SHA}\"")

# Sources for one instruction set: name ending, architectures, extra flags.
# The first row that fits a file wins.
set(BASALT_INSTRUCTION_SETS
  "_avx512.cc|x86_64|-mavx512f -mavx512vl -mavx512bw -mavx512dq"
  "_avx2.cc|x86_64|-mavx2 -mbmi -mbmi2"
  "_vpclmul.cc|x86_64|-mavx512f -mavx512vl -mvpclmulqdq -msse4.2 -mpclmul"
  "_x86.cc|x86_64|-msse4.2 -mpclmul -mpopcnt"
  "_arm64.cc|aarch64|-march=armv8-a+crc+crypto")

# The sources among ARGN that this platform builds go to `result`; those for
# an instruction set are given their flags.
function(basalt_select_sources result)
  string(REPLACE "AMD64" "x86_64" architecture ${CMAKE_SYSTEM_PROCESSOR})
  set(selected ${ARGN})
  if(NOT WIN32)
    list(FILTER selected EXCLUDE REGEX "/env/windows/")
  endif()
  foreach(source IN LISTS selected)
    foreach(row IN LISTS BASALT_INSTRUCTION_SETS)
      string(REPLACE "|" ";" fields "${row}")
      list(GET fields 0 ending)
      list(GET fields 1 wanted)
      list(GET fields 2 flags)
      if(source MATCHES "${ending}$")
        if(wanted STREQUAL architecture)
          separate_arguments(flags)
          set_source_files_properties(${source} PROPERTIES
            COMPILE_OPTIONS "${flags}")
        else()
          list(REMOVE_ITEM selected ${source})
        endif()
        break()
      endif()
    endforeach()
  endforeach()
  set(${result} ${selected} PARENT_SCOPE)
endfunction()

set(BASALT_OBJECTS "")
foreach(floor IN LISTS BASALT_FLOORS)
  if(floor STREQUAL "tools")
    list(TRANSFORM BASALT_EMBEDDED_TOOLS REPLACE "(.+)"
      "${PROJECT_SOURCE_DIR}/tools/\\1/*.cc" OUTPUT_VARIABLE patterns)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${patterns})
    list(FILTER sources EXCLUDE REGEX "/main\\.cc$")
  else()
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS
      ${PROJECT_SOURCE_DIR}/${floor}/*.cc)
  endif()
  basalt_select_sources(sources ${sources})
  if(sources)
    add_library(basalt_${floor} OBJECT ${sources})
    set_target_properties(basalt_${floor} PROPERTIES
      POSITION_INDEPENDENT_CODE ON)
    target_link_libraries(basalt_${floor} PRIVATE basalt_flags)
    list(APPEND BASALT_OBJECTS $<TARGET_OBJECTS:basalt_${floor}>)
  endif()
endforeach()

list(APPEND BASALT_OBJECTS ${BASALT_PLUGIN_OBJECTS})

# What both libraries tell their users.
function(basalt_describe_library target)
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME rocksdb
    LINKER_LANGUAGE CXX
    EXPORT_NAME ${target})
  target_compile_features(${target} PUBLIC cxx_std_17)
  target_include_directories(${target} PUBLIC
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
  target_link_libraries(${target} PRIVATE Threads::Threads
    $<BUILD_INTERFACE:basalt_sanitizers>)
  foreach(row IN LISTS BASALT_DEPENDENCIES)
    string(REGEX REPLACE ":.*" "" name ${row})
    target_link_libraries(${target} PRIVATE BasaltDeps::${name})
  endforeach()
  # Whoever links the static library looks for them too.
  target_link_directories(${target} PRIVATE ${BASALT_PLUGIN_LINK_PATHS})
  target_link_directories(${target} INTERFACE
    "$<BUILD_INTERFACE:${BASALT_PLUGIN_LINK_PATHS}>")
  target_link_libraries(${target} PRIVATE ${BASALT_PLUGIN_LIBS})
  add_library(RocksDB::${target} ALIAS ${target})
endfunction()

if(BASALT_OBJECTS)
  add_library(rocksdb STATIC ${BASALT_OBJECTS})
  basalt_describe_library(rocksdb)
  # Projects that build this one by ExternalProject look for it there.
  if(PROJECT_IS_TOP_LEVEL AND NOT WIN32)
    add_custom_command(TARGET rocksdb POST_BUILD
      COMMAND ${CMAKE_COMMAND} -E create_symlink $<TARGET_FILE:rocksdb>
        ${PROJECT_BINARY_DIR}/librocksdb.a
      BYPRODUCTS ${PROJECT_BINARY_DIR}/librocksdb.a
      VERBATIM)
  endif()
  if(ROCKSDB_BUILD_SHARED)
    # The interface may change with each minor version, so each has a soname.
    add_library(rocksdb-shared SHARED ${BASALT_OBJECTS})
    basalt_describe_library(rocksdb-shared)
    set_target_properties(rocksdb-shared PROPERTIES
      VERSION ${BASALT_API_VERSION}
      SOVERSION ${BASALT_SONAME_VERSION})
    # What is not declared by a public header stays inside, and is called
    # without the detour of names that others may replace. The map is of the
    # namespace `rocksdb`.
    if(CMAKE_SYSTEM_NAME STREQUAL "Linux" AND
       NOT CMAKE_CXX_FLAGS MATCHES "ROCKSDB_NAMESPACE")
      set(map ${PROJECT_SOURCE_DIR}/cmake/exported.map)
      target_link_options(rocksdb-shared PRIVATE
        -Wl,--version-script=${map})
      set_target_properties(rocksdb-shared PROPERTIES LINK_DEPENDS ${map})
    endif()
  endif()
endif()
