# Everything that may be chosen at configure time, under RocksDB's names.

option(WITH_SNAPPY "Read and write snappy blocks, if the library is found" ON)
option(WITH_LZ4 "Read and write LZ4 blocks, if the library is found" ON)
option(WITH_ZSTD "Read and write Zstandard blocks, if the library is found" ON)
option(WITH_ZLIB "Read and write zlib blocks, if the library is found" ON)
option(WITH_BZ2 "Read and write bzip2 blocks, if the library is found" ON)
option(WITH_XXHASH "Hash by the xxhash library, if it is found" ON)
option(WITH_LIBURING "Overlap reads through io_uring, if liburing is found" ON)
option(WITH_GFLAGS "Parse the programs' flags with gflags, if found" ON)
option(WITH_JEMALLOC "Allocate with jemalloc; an error if it is missing" OFF)
option(WITH_TBB "Link oneTBB; an error if it is missing" OFF)

option(WITH_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
set(BASALT_TEST_PART "" CACHE STRING
  "K/N: of each test program, ctest runs the Kth of N parts; empty: all tests")
option(WITH_JNI "Build the Java interface, if a JDK is found"
  ${PROJECT_IS_TOP_LEVEL})
option(WITH_TOOLS "Build the programs" ${PROJECT_IS_TOP_LEVEL})
option(WITH_CORE_TOOLS "Build ldb and sst_dump, even if WITH_TOOLS is off"
  ${PROJECT_IS_TOP_LEVEL})
option(ROCKSDB_BUILD_SHARED "Build librocksdb.so too" ON)
option(BASALT_INSTALL "Offer an install target" ${PROJECT_IS_TOP_LEVEL})
set(ROCKSDB_PLUGINS "" CACHE STRING
  "Plug-ins to compile in, separated by spaces: directories below plugin/")
option(USE_RTTI "Keep type information (it is always kept)" ON)
set(PORTABLE 1 CACHE STRING
  "1: any processor of this architecture; 0 or native: this machine's; \
otherwise a value for -march")

option(WITH_ASAN "AddressSanitizer" OFF)
option(WITH_UBSAN "UndefinedBehaviorSanitizer" OFF)
option(WITH_TSAN "ThreadSanitizer" OFF)
set(BASALT_COVERED "" CACHE STRING
  "Sources below the project that are built to count what runs; gcc only")
option(WITH_FUZZERS "Programs of libFuzzer for all decoders; clang only" OFF)
if(DEFINED FAIL_ON_WARNINGS)  # RocksDB's name of the next one.
  set(BASALT_WERROR ${FAIL_ON_WARNINGS} CACHE BOOL "Warnings are errors" FORCE)
endif()
option(BASALT_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

if(WITH_TSAN AND (WITH_ASAN OR WITH_UBSAN))
  message(FATAL_ERROR "WITH_TSAN cannot be joined with another sanitizer")
endif()
# Names of RocksDB's that change nothing here: what they switch on is always
# there, is found by itself, or is none of this library's parts.
foreach(name WITH_ALL_TESTS WITH_BENCHMARK WITH_BENCHMARK_TOOLS
    WITH_DYNAMIC_EXTENSION WITH_EXAMPLES WITH_FALLOCATE WITH_IOSTATS_CONTEXT
    WITH_MD_LIBRARY WITH_NUMA WITH_PERF_CONTEXT WITH_RUNTIME_DEBUG
    WITH_TRACE_TOOLS WITH_WINDOWS_UTF8_FILENAMES WITH_XPRESS FORCE_SSE42
    ROCKSDB_INSTALL_ON_WINDOWS ROCKSDB_SKIP_THIRDPARTY USE_COROUTINES USE_FOLLY
    USE_FOLLY_LITE USE_LTO)
  if(DEFINED ${name})
    message(STATUS "${name}=${${name}}: accepted, and changes nothing")
  endif()
endforeach()
if(NOT USE_RTTI)
  message(STATUS "USE_RTTI=OFF: type information is kept all the same, since "
    "programs that embed the library may need it")
endif()

get_property(basalt_is_multi_config GLOBAL PROPERTY
  GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE
   AND NOT basalt_is_multi_config)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Kind of build" FORCE)
endif()
