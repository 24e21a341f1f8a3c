# The version of the interface, read from the one place that states it.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../include/rocksdb/version.h
  basalt_version_lines REGEX "^#define (ROCKSDB|BASALT_VERSION)_[A-Z]+ [0-9]+")

function(basalt_read_version prefix result)
  foreach(part MAJOR MINOR PATCH)
    set(found "${basalt_version_lines}")
    list(FILTER found INCLUDE REGEX "^#define ${prefix}_${part} ")
    if(NOT found)
      message(FATAL_ERROR "include/rocksdb/version.h: no ${prefix}_${part}")
    endif()
    string(REGEX REPLACE "^#define [A-Z_]+ ([0-9]+).*" "\\1" found "${found}")
    list(APPEND numbers ${found})
  endforeach()
  list(JOIN numbers "." joined)
  set(${result} ${joined} PARENT_SCOPE)
endfunction()

basalt_read_version(ROCKSDB BASALT_API_VERSION)
basalt_read_version(BASALT_VERSION BASALT_OWN_VERSION)
# Told by LOG. It stays as long as the build directory, so that to configure
# once more builds nothing anew; SOURCE_DATE_EPOCH sets it.
string(TIMESTAMP basalt_now "%Y-%m-%d %H:%M:%S" UTC)
set(BASALT_BUILD_DATE "${basalt_now}" CACHE STRING "When this was built")
mark_as_advanced(BASALT_BUILD_DATE)

# The commit that the build directory was made at, which stays likewise; 0 where
# none is known, as of an archive.
set(basalt_head "0")
find_package(Git QUIET)
if(GIT_FOUND)
  execute_process(COMMAND ${GIT_EXECUTABLE} rev-parse HEAD
    WORKING_DIRECTORY ${CMAKE_CURRENT_LIST_DIR}
    OUTPUT_VARIABLE basalt_found_head OUTPUT_STRIP_TRAILING_WHITESPACE
    RESULT_VARIABLE basalt_git_failed ERROR_QUIET)
  if(basalt_git_failed EQUAL 0)
    set(basalt_head "${basalt_found_head}")
  endif()
endif()
set(BASALT_GIT_SHA "${basalt_head}" CACHE STRING "What commit was built")
mark_as_advanced(BASALT_GIT_SHA)
string(REGEX MATCH "^[0-9]+\\.[0-9]+" BASALT_SONAME_VERSION
  ${BASALT_API_VERSION})
