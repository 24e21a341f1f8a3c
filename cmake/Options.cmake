# Everything that may be chosen at configure time, under RocksDB's names.

option(WITH_SNAPPY "Read and write snappy blocks, if the library is found" ON)
option(WITH_LZ4 "Read and write LZ4 blocks, if the library is found" ON)
option(WITH_ZSTD "Read and write Zstandard blocks, if the library is found" ON)
option(WITH_ZLIB "Read and write zlib blocks, if the library is found" ON)
option(WITH_BZ2 "Read and write bzip2 blocks, if the library is found" ON)
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
option(ROCKSDB_BUILD_SHARED "Build librocksdb.so too" ON)
option(BASALT_INSTALL "Offer an install target" ${PROJECT_IS_TOP_LEVEL})
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
option(BASALT_WERROR "Warnings are errors" ${PROJECT_IS_TOP_LEVEL})

if(WITH_TSAN AND (WITH_ASAN OR WITH_UBSAN))
  message(FATAL_ERROR "WITH_TSAN cannot be joined with another sanitizer")
endif()
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
