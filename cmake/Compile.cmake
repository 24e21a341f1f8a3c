# The flags that all of our own code shares, as the interface target
# basalt_flags, and the tools that make builds short.

include(CheckCXXSourceCompiles)

set(CMAKE_CXX_EXTENSIONS OFF)  # No `linux`, `unix` and other surprises.

# Programs and libraries lie side by side, whatever folder made them.
if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
  set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g -DNDEBUG")
endif()

if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(BASALT_CCACHE ccache)
  mark_as_advanced(BASALT_CCACHE)
  if(BASALT_CCACHE)
    # Relative paths, so that a clone elsewhere finds what another one built.
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env
      CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=1
      ${BASALT_CCACHE})
  endif()
endif()

# The fastest linker that works with this compiler; for what is shipped the one
# that lays the functions of the hot paths side by side, which otherwise drive
# each other out of the processor's instruction cache.
if(PROJECT_IS_TOP_LEVEL)
  set(BASALT_LINKERS mold lld)
  if(CMAKE_BUILD_TYPE STREQUAL "Release")
    set(BASALT_LINKERS lld mold)
  endif()
  foreach(linker ${BASALT_LINKERS})
    set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=${linker})
    check_cxx_source_compiles("int main() { return 0; }"
      BASALT_LINKS_WITH_${linker})
    unset(CMAKE_REQUIRED_LINK_OPTIONS)
    if(BASALT_LINKS_WITH_${linker})
      add_link_options(-fuse-ld=${linker})
      break()
    endif()
  endforeach()
  if(CMAKE_BUILD_TYPE STREQUAL "Release" AND BASALT_LINKS_WITH_lld)
    add_compile_options(-ffunction-sections)
    add_link_options(
      -Wl,--symbol-ordering-file=${PROJECT_SOURCE_DIR}/cmake/hot_functions.txt
      -Wl,--no-warn-symbol-ordering)
  endif()
endif()

add_library(basalt_flags INTERFACE)
target_compile_features(basalt_flags INTERFACE cxx_std_20)
target_include_directories(basalt_flags INTERFACE
  ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR})
target_link_libraries(basalt_flags INTERFACE basalt_xxhash Threads::Threads)
target_compile_definitions(basalt_flags INTERFACE
  ${BASALT_DEFINITIONS}
  ROCKSDB_CHECK_STATUS=1  # Status is [[nodiscard]] in our own builds.
)
# Without -fno-semantic-interposition, position-independent code may not
# inline any function that the shared library exports.
target_compile_options(basalt_flags INTERFACE
  -Wall -Wextra -Wnon-virtual-dtor
  $<$<BOOL:${BASALT_WERROR}>:-Werror>
  $<$<CXX_COMPILER_ID:Clang>:-Wthread-safety>
  -fno-semantic-interposition -fno-omit-frame-pointer)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION
   VERSION_LESS 13)
  # gcc 12 warns of `"text" + std::string` (its bug 105651, mended in 13).
  target_compile_options(basalt_flags INTERFACE -Wno-restrict)
endif()
foreach(row IN LISTS BASALT_DEPENDENCIES)
  string(REGEX REPLACE ":.*" "" name ${row})
  target_link_libraries(basalt_flags INTERFACE BasaltDeps::${name})
endforeach()

if(PORTABLE STREQUAL "0" OR PORTABLE STREQUAL "native")
  target_compile_options(basalt_flags INTERFACE -march=native)
elseif(NOT PORTABLE STREQUAL "1" AND NOT PORTABLE STREQUAL "ON")
  target_compile_options(basalt_flags INTERFACE -march=${PORTABLE})
endif()

# Sanitizers reach whoever links us, since the program must carry them too.
add_library(basalt_sanitizers INTERFACE)
target_link_libraries(basalt_flags INTERFACE basalt_sanitizers)
function(basalt_sanitize)
  target_compile_options(basalt_sanitizers INTERFACE ${ARGN})
  target_link_options(basalt_sanitizers INTERFACE ${ARGN})
endfunction()
if(WITH_ASAN)
  basalt_sanitize(-fsanitize=address)
endif()
if(WITH_UBSAN)
  basalt_sanitize(-fsanitize=undefined -fno-sanitize-recover=all)
endif()
if(WITH_FUZZERS)
  # The library tells the fuzzers which branches were taken.
  target_compile_options(basalt_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(BASALT_COVERED)
  # All else is as for the tests, whose objects a compiler cache has. Calls in
  # line and code that is gone would blur what ran.
  target_link_options(basalt_sanitizers INTERFACE --coverage)
  list(TRANSFORM BASALT_COVERED PREPEND ${PROJECT_SOURCE_DIR}/
    OUTPUT_VARIABLE covered)
  set_source_files_properties(${covered} PROPERTIES
    COMPILE_OPTIONS "--coverage;-fprofile-update=atomic;-O0")
endif()
# Code that is optimised takes several times as long to compile. The engine needs
# it to be tested quickly; what is around it, tests and programs, does not.
set(BASALT_OUTER_OPTIONS "")
if(WITH_TESTS AND CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(BASALT_OUTER_OPTIONS -O0)
endif()
if(WITH_TSAN)
  basalt_sanitize(-fsanitize=thread)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # gcc warns of every fence, which its ThreadSanitizer does not model.
    target_compile_options(basalt_sanitizers INTERFACE -Wno-tsan)
  endif()
endif()
