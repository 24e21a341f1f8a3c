# The libraries that the engine may use. Each becomes an imported target
# BasaltDeps::<name>; the lists below say which of them are in this build.
#
#   BASALT_DEPENDENCIES  rows "name:header:library", for the CMake package
#   BASALT_DEFINITIONS   compile definitions of our own code
#   BASALT_PC_LIBS       -l flags, for static linking by pkg-config

include(BasaltDeps)
find_package(Threads REQUIRED)

set(BASALT_DEPENDENCIES "")
set(BASALT_DEFINITIONS "")
set(BASALT_PC_LIBS "")

# Looks for a library; sets <result> to whether it is in the build.
function(basalt_use row requirement result)
  basalt_find_dependency(${row} found)
  string(REPLACE ":" ";" fields ${row})
  list(GET fields 0 name)
  list(GET fields 2 library)
  if(NOT found)
    if(requirement STREQUAL "REQUIRED")
      message(FATAL_ERROR "${name} is asked for but was not found")
    endif()
    message(STATUS "${name}: not found, left out")
  else()
    message(STATUS "${name}: used")
    set(BASALT_DEPENDENCIES ${BASALT_DEPENDENCIES} ${row} PARENT_SCOPE)
    set(BASALT_PC_LIBS ${BASALT_PC_LIBS} -l${library} PARENT_SCOPE)
  endif()
  set(${result} ${found} PARENT_SCOPE)
endfunction()

# The hashes: where the library is missing or not wanted, <xxhash.h> is our own
# header, which those who link us need nothing of. basalt_xxhash has the way to
# it, for all that include it.
add_library(basalt_xxhash INTERFACE)
set(is_used FALSE)
if(WITH_XXHASH)
  basalt_use(xxhash:xxhash.h:xxhash OPTIONAL is_used)
endif()
if(NOT is_used)
  message(STATUS "xxhash: our own hashes are used")
  target_include_directories(basalt_xxhash INTERFACE
    ${PROJECT_SOURCE_DIR}/util/xxhash)
endif()

# A codec: its option, its compile definition, its row.
macro(basalt_use_optional option definition row)
  if(${option})
    basalt_use(${row} OPTIONAL is_used)
    if(is_used)
      list(APPEND BASALT_DEFINITIONS ${definition}=1)
    endif()
  endif()
endmacro()

basalt_use_optional(WITH_SNAPPY SNAPPY snappy:snappy.h:snappy)
basalt_use_optional(WITH_LZ4 LZ4 lz4:lz4.h:lz4)
basalt_use_optional(WITH_ZSTD ZSTD zstd:zstd.h:zstd)
basalt_use_optional(WITH_ZLIB ZLIB zlib:zlib.h:z)
basalt_use_optional(WITH_BZ2 BZIP2 bzip2:bzlib.h:bz2)
basalt_use_optional(WITH_LIBURING BASALT_HAVE_LIBURING
  liburing:liburing.h:uring)

if(WITH_JEMALLOC)
  basalt_use(jemalloc:jemalloc/jemalloc.h:jemalloc REQUIRED is_used)
  list(APPEND BASALT_DEFINITIONS ROCKSDB_JEMALLOC=1)
endif()
if(WITH_TBB)
  basalt_use(tbb:tbb/version.h:tbb REQUIRED is_used)
  list(APPEND BASALT_DEFINITIONS TBB=1)
endif()

# gflags serves the programs alone; the library does not depend on it.
set(BASALT_HAVE_GFLAGS FALSE)
if(WITH_GFLAGS)
  basalt_find_dependency(gflags:gflags/gflags.h:gflags BASALT_HAVE_GFLAGS)
endif()
