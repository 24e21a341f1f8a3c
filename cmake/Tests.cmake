# One test program per folder of tests/: basalt_<folder>_test. A folder named
# for a floor links the objects of that floor and of those below, so that it
# can be built and run while the floors above are being changed. Any other
# folder, and each tests/<name>_test.cc, links the whole library.

find_package(GTest REQUIRED)

file(GLOB_RECURSE basalt_test_sources CONFIGURE_DEPENDS
  RELATIVE ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/*.cc)
list(FILTER basalt_test_sources EXCLUDE REGEX
  "^((clients|install|testdata|tools/objects|c/(stubs|parts|generated))/|fuzz/fuzz_main\\.cc$)")
if(NOT BASALT_HAVE_GFLAGS)
  # There is no db_bench to be tested.
  list(FILTER basalt_test_sources EXCLUDE REGEX "^tools/db_bench(_tool|_flags|_numa|_workloads)?_test")
endif()

set(basalt_test_folders "")
foreach(source IN LISTS basalt_test_sources)
  string(REGEX REPLACE "(/.*|_test\\.cc|\\.cc)$" "" folder ${source})
  list(APPEND basalt_test_folders ${folder})
  list(APPEND basalt_sources_of_${folder}
    ${PROJECT_SOURCE_DIR}/tests/${source})
endforeach()
list(REMOVE_DUPLICATES basalt_test_folders)
if(NOT TARGET basalt_stress_parts)
  list(REMOVE_ITEM basalt_test_folders db_stress_tool)
endif()

basalt_add_plugin_list(basalt_no_plugins "" "")

# The object libraries that the tests of `folder` link.
function(basalt_floors_up_to folder result)
  set(objects "")
  if(folder STREQUAL "options")
    # A default-constructed DBOptions holds Env::Default(), by RocksDB's
    # interface: the one symbol that options/ takes from above.
    set(folder env)
  elseif(folder STREQUAL "db")
    # The engine's tests run it over the fault-injecting file system.
    set(folder utilities)
  endif()
  if(WITH_UBSAN AND folder MATCHES "^(options|env|file)$")
    # The sanitizer asks for the type information of every public class.
    set(folder cache)
  endif()
  foreach(floor IN LISTS BASALT_FLOORS)
    # table and memtable are siblings: neither needs the other.
    if(NOT (floor STREQUAL "table" AND folder STREQUAL "memtable")
       AND TARGET basalt_${floor})
      list(APPEND objects basalt_${floor})
    endif()
    if(floor STREQUAL "options")
      list(APPEND objects basalt_no_plugins)
    endif()
    if(floor STREQUAL folder)
      break()
    endif()
  endforeach()
  set(${result} ${objects} PARENT_SCOPE)
endfunction()

# Helpers that several folders share; an archive, so that each program takes
# only what it uses.
if(basalt_sources_of_testing)
  set(watch ${PROJECT_SOURCE_DIR}/tests/testing/hang_watch.cc)
  list(REMOVE_ITEM basalt_sources_of_testing ${watch})
  add_library(basalt_hang_watch OBJECT ${watch})
  target_link_libraries(basalt_hang_watch PRIVATE basalt_flags GTest::gtest)
  add_library(basalt_testing STATIC ${basalt_sources_of_testing})
  target_link_libraries(basalt_testing PRIVATE basalt_flags GTest::gtest)
  target_compile_definitions(basalt_testing PRIVATE
    BASALT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
endif()

# An odd share of the long tests' cases under sanitizers, since what alternates
# from one case to the next still does.
set(basalt_test_share 1)
if(WITH_ASAN OR WITH_TSAN)
  set(basalt_test_share 5)
endif()

# What tests of ldb have it load.
add_library(basalt_named_objects MODULE
  ${PROJECT_SOURCE_DIR}/tests/tools/objects/by_length.cc)
target_link_libraries(basalt_named_objects PRIVATE basalt_flags)
target_compile_options(basalt_named_objects PRIVATE ${BASALT_OUTER_OPTIONS})
set_target_properties(basalt_named_objects PROPERTIES PREFIX ""
  LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)

# Runs a test program as `shards` ctest entries, which ctest -j runs at once, or
# as one that runs the part of its tests which was asked for.
function(basalt_register_shards target shards)
  set(indexes RANGE 1 ${shards})
  if(BASALT_TEST_PART)
    if(NOT BASALT_TEST_PART MATCHES "^([0-9]+)/([1-9][0-9]*)$" OR
       CMAKE_MATCH_1 GREATER CMAKE_MATCH_2 OR CMAKE_MATCH_1 EQUAL 0)
      message(FATAL_ERROR "BASALT_TEST_PART=${BASALT_TEST_PART}: K/N is "
        "expected, with K from 1 to N")
    endif()
    set(indexes ${CMAKE_MATCH_1})
    set(shards ${CMAKE_MATCH_2})
  endif()
  foreach(number ${indexes})
    math(EXPR index "${number} - 1")
    set(name ${target}.${index})
    add_test(NAME ${name} COMMAND ${target} --gtest_brief=1)
    set_tests_properties(${name} PROPERTIES
      TIMEOUT 3600
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${shards};GTEST_SHARD_INDEX=${index};\
BASALT_TEST_SHARE=${basalt_test_share};\
GTEST_OUTPUT=json:${PROJECT_BINARY_DIR}/test-results/${name}.json")
  endforeach()
endfunction()

foreach(folder IN LISTS basalt_test_folders)
  if(folder STREQUAL "testing")
    continue()
  endif()
  set(target basalt_${folder}_test)
  add_executable(${target} ${basalt_sources_of_${folder}})
  target_link_libraries(${target} PRIVATE basalt_flags)
  target_compile_options(${target} PRIVATE ${BASALT_OUTER_OPTIONS})
  if(NOT folder STREQUAL "tidy")
    basalt_floors_up_to(${folder} objects)
    target_link_libraries(${target} PRIVATE ${objects})
  endif()
  if(folder STREQUAL "db_stress_tool")
    target_link_libraries(${target} PRIVATE basalt_stress_parts)
  elseif(folder STREQUAL "tools" AND TARGET basalt_bench_parts)
    target_link_libraries(${target} PRIVATE basalt_bench_parts)
    basalt_link_dependencies(${target})
  endif()
  if(folder STREQUAL "tools")
    add_dependencies(${target} basalt_named_objects)
    target_link_libraries(${target} PRIVATE basalt_small_bench_parts
      basalt_c_bench_parts)
  elseif(folder STREQUAL "simulator")
    target_link_libraries(${target} PRIVATE basalt_simulator_parts)
  endif()
  if(TARGET basalt_testing)
    target_link_libraries(${target} PRIVATE basalt_hang_watch basalt_testing)
    set_target_properties(${target} PROPERTIES ENABLE_EXPORTS ON)
  endif()
  target_link_libraries(${target} PRIVATE
    GTest::gmock GTest::gtest GTest::gtest_main)
  target_compile_definitions(${target} PRIVATE
    BASALT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
    BASALT_BINARY_DIR="${PROJECT_BINARY_DIR}")
  set(shards 4)
  if(folder STREQUAL "db")
    set(shards 8)
  elseif(folder STREQUAL "tidy")
    set(shards 1)
  endif()
  basalt_register_shards(${target} ${shards})
endforeach()

# The C interface, by a program in C99.
enable_language(C)
file(GLOB_RECURSE basalt_c_sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/tests/c/*.c)
if(basalt_c_sources AND TARGET rocksdb)
  list(FILTER basalt_c_sources EXCLUDE REGEX "/main\\.c$")
  # What C cannot look into: the objects behind handles.
  file(GLOB basalt_c_white_box CONFIGURE_DEPENDS
    ${PROJECT_SOURCE_DIR}/tests/c/parts/*.cc
    ${PROJECT_SOURCE_DIR}/tests/c/generated/*.cc)
  add_library(basalt_c_parts OBJECT ${basalt_c_sources} ${basalt_c_white_box})
  target_compile_features(basalt_c_parts PRIVATE cxx_std_20)
  set_target_properties(basalt_c_parts PROPERTIES UNITY_BUILD OFF
    C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF)
  target_include_directories(basalt_c_parts PUBLIC
    ${PROJECT_SOURCE_DIR} ${PROJECT_SOURCE_DIR}/include)
  target_compile_options(basalt_c_parts PRIVATE -Wall -Wextra
    $<$<BOOL:${BASALT_WERROR}>:-Werror>)
  target_link_libraries(basalt_c_parts PRIVATE basalt_sanitizers)
  add_executable(basalt_c_program ${PROJECT_SOURCE_DIR}/tests/c/main.c)
  set_target_properties(basalt_c_program PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(basalt_c_program PRIVATE basalt_c_parts rocksdb)
  add_test(NAME basalt_c_program
    COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh
      $<TARGET_FILE:basalt_c_program>)
  set_tests_properties(basalt_c_program PROPERTIES TIMEOUT 1800)

  # What the sanitizers say of a handle that is used too late.
  if(WITH_ASAN)
    add_executable(basalt_c_freed ${PROJECT_SOURCE_DIR}/tests/c/freed/main.c)
    set_target_properties(basalt_c_freed PROPERTIES
      C_STANDARD 99 C_STANDARD_REQUIRED ON C_EXTENSIONS OFF
      LINKER_LANGUAGE CXX)
    target_link_libraries(basalt_c_freed PRIVATE rocksdb basalt_sanitizers)
    foreach(handle options batch iterator)
      add_test(NAME basalt_c_freed_${handle}
        COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh
          $<TARGET_FILE:basalt_c_freed> ${handle})
      set_tests_properties(basalt_c_freed_${handle} PROPERTIES
        PASS_REGULAR_EXPRESSION
          "heap-use-after-free;does not point to an object")
    endforeach()
  endif()

  # The same parts, once for each function (of the part that was asked for), with
  # that function doing nothing.
  if(TARGET rocksdb-shared AND NOT WITH_ASAN AND NOT WITH_TSAN AND
     CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64|aarch64")
    add_executable(basalt_c_stubs
      ${PROJECT_SOURCE_DIR}/tests/c/stubs/stubs_main.cc)
    target_compile_features(basalt_c_stubs PRIVATE cxx_std_20)
    target_link_libraries(basalt_c_stubs PRIVATE basalt_c_parts rocksdb-shared
      ${CMAKE_DL_LIBS})
    set(part)
    if(BASALT_TEST_PART)
      set(part --part=${BASALT_TEST_PART})
    endif()
    add_test(NAME basalt_c_stubs
      COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh
        $<TARGET_FILE:basalt_c_stubs> ${part}
        ${PROJECT_SOURCE_DIR}/include/rocksdb/c.h)
    set_tests_properties(basalt_c_stubs PROPERTIES TIMEOUT 5400)
  endif()
endif()

# The examples, which must build and say what they say.
if(TARGET rocksdb)
  add_executable(example_c ${PROJECT_SOURCE_DIR}/examples/c/example.c)
  set_target_properties(example_c PROPERTIES
    C_STANDARD 99 C_STANDARD_REQUIRED ON LINKER_LANGUAGE CXX)
  add_executable(example_cpp ${PROJECT_SOURCE_DIR}/examples/cpp/example.cc)
  target_compile_features(example_cpp PRIVATE cxx_std_17)
  foreach(example example_c example_cpp)
    target_link_libraries(${example} PRIVATE rocksdb)
    add_test(NAME ${example}
      COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh $<TARGET_FILE:${example}>)
    set_tests_properties(${example} PROPERTIES
      PASS_REGULAR_EXPRESSION "sand = quartz\nstone = basalt")
  endforeach()
  add_executable(example_backup_restore
    ${PROJECT_SOURCE_DIR}/examples/cpp/backup_restore_example.cc)
  target_compile_features(example_backup_restore PRIVATE cxx_std_17)
  target_link_libraries(example_backup_restore PRIVATE rocksdb)
  add_test(NAME example_backup_restore
    COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh
      $<TARGET_FILE:example_backup_restore>)
  set_tests_properties(example_backup_restore PROPERTIES PASS_REGULAR_EXPRESSION
    "newest backup: 2\nin the backup: stone = granite\nrestored: stone = basalt")
  # Each shows one part of the interface; what it prints follows its name.
  foreach(row IN ITEMS
      "column_families|stone = basalt\\nin the default family: none\\nfamilies left: 1"
      "compact_files|files in level 0: 4\\nnow 0, and in level 1: 1\\nround = 3"
      "compaction_filter|a: agate\\nb: basalt,beryl\\n$"
      "optimistic_transaction|commit: busy\\ncommit: done\\nstock = 8"
      "options_file|blocks of 8192\\nstone = basalt, memtables now of 2097152"
      "multi_processes|sees round 1\\n.*sees round 2\\n.*sees round 3")
    string(REPLACE "|" ";" fields "${row}")
    list(GET fields 0 example)
    list(GET fields 1 expected)
    string(REPLACE "\\n" "\n" expected "${expected}")
    if(WIN32 AND example STREQUAL multi_processes)
      continue()
    endif()
    add_executable(example_${example}
      ${PROJECT_SOURCE_DIR}/examples/cpp/${example}.cc)
    target_compile_features(example_${example} PRIVATE cxx_std_17)
    target_link_libraries(example_${example} PRIVATE rocksdb)
    add_test(NAME example_${example}
      COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh
        $<TARGET_FILE:example_${example}>)
    set_tests_properties(example_${example} PROPERTIES
      PASS_REGULAR_EXPRESSION "${expected}")
  endforeach()
  add_executable(example_transactions_c
    ${PROJECT_SOURCE_DIR}/examples/c/transactions.c)
  set_target_properties(example_transactions_c PROPERTIES
    C_STANDARD 99 C_STANDARD_REQUIRED ON LINKER_LANGUAGE CXX)
  add_executable(example_transactions_cpp
    ${PROJECT_SOURCE_DIR}/examples/cpp/transactions.cc)
  target_compile_features(example_transactions_cpp PRIVATE cxx_std_17)
  foreach(example example_transactions_c example_transactions_cpp)
    target_link_libraries(${example} PRIVATE rocksdb)
    add_test(NAME ${example}
      COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh $<TARGET_FILE:${example}>)
    set_tests_properties(${example} PROPERTIES
      PASS_REGULAR_EXPRESSION "checking = 70\nsavings = 30")
  endforeach()
endif()

# Classes derived from public ones, over the shared library.
if(TARGET rocksdb-shared)
  add_executable(derived ${PROJECT_SOURCE_DIR}/tests/install/derived.cc)
  target_compile_features(derived PRIVATE cxx_std_17)
  target_link_libraries(derived PRIVATE rocksdb-shared basalt_sanitizers)
  add_test(NAME derived
    COMMAND ${PROJECT_SOURCE_DIR}/tests/c/run.sh $<TARGET_FILE:derived>)
endif()

# A program of libFuzzer for each decoder of tests/fuzz: fuzz_<name>.
if(WITH_FUZZERS)
  foreach(name footer block filter index properties metaindex top_level
          prefix_index compressed wide_columns blob write_batch log manifest
          option_string options_file backup trace_record block_access_text
          plain_table cuckoo_table trie dump_file cache_dump encrypted_file
          trace_file ttl_values agg_values query_filter compression_mark
          object_text option_types)
    add_executable(fuzz_${name} EXCLUDE_FROM_ALL
      ${PROJECT_SOURCE_DIR}/tests/fuzz/decoders.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/kept_files.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/kept_values.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/object_texts.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/top_level.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/traces.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/tries.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/whole_tables.cc
      ${PROJECT_SOURCE_DIR}/tests/fuzz/fuzz_main.cc)
    basalt_floors_up_to(fuzz objects)
    target_link_libraries(fuzz_${name} PRIVATE basalt_flags ${objects})
    target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
    target_compile_definitions(fuzz_${name} PRIVATE BASALT_DECODER="${name}"
      BASALT_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    list(APPEND fuzzers fuzz_${name})
  endforeach()
  add_custom_target(fuzzers DEPENDS ${fuzzers})
endif()

# Checks that need no test program of ours, and run in one kind of build only.
if(NOT WITH_ASAN AND NOT WITH_UBSAN AND NOT WITH_TSAN)
  function(basalt_add_check name)
    add_test(NAME ${name} COMMAND ${ARGN}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR})
    set_tests_properties(${name} PROPERTIES TIMEOUT 5400)
  endfunction()

  basalt_add_check(check_floors scripts/check_floors.py)
  basalt_add_check(check_headers scripts/check_headers.py)
  # Exit code 77: there is no clang.
  basalt_add_check(check_names scripts/check_names.py)
  set_tests_properties(check_names PROPERTIES SKIP_RETURN_CODE 77)
  basalt_add_check(check_cpp_members scripts/check_cpp_members.py)
  set_tests_properties(check_cpp_members PROPERTIES SKIP_RETURN_CODE 77)
  basalt_add_check(check_planted_faults scripts/planted_faults.py --check)
  basalt_add_check(check_tests_index scripts/tests_index.py --check)
  basalt_add_check(check_format scripts/format.sh --check)
  basalt_add_check(check_c_interface scripts/c_interface.py --check)
  if(TARGET rocksdb-shared)
    basalt_add_check(check_hot_functions
      scripts/hot_functions.py --stale $<TARGET_FILE:rocksdb-shared>)
    basalt_add_check(check_exported_symbols
      scripts/exported_symbols.py --check $<TARGET_FILE:rocksdb-shared>)
  endif()
  basalt_add_check(compaction_io_report_test scripts/python.sh
    -m unittest -q tests/tools/compaction_io_report_test.py)
  basalt_add_check(growth_test scripts/python.sh
    -m unittest -q tests/tools/growth_test.py)
  basalt_add_check(opening_test scripts/python.sh
    -m unittest -q tests/tools/opening_test.py)
  basalt_add_check(bench_compaction_test scripts/python.sh
    -m unittest -q tests/tools/bench_compaction_test.py)
  basalt_add_check(own_tests_test scripts/python.sh
    -m unittest -q tests/clients/own_tests_test.py)
  basalt_add_check(check_java_generated java/generate/generate.py --check)
  if(TARGET rocksdbjava)
    # Exit code 77: JUnit is not to be had.
    basalt_add_check(java_tests
      java/run_tests.sh ${java_jar} ${PROJECT_BINARY_DIR}/java/tests)
    set_tests_properties(java_tests PROPERTIES SKIP_RETURN_CODE 77)
    basalt_add_check(check_java_api java/check_api.py ${java_jar})
    basalt_add_check(check_java_library java/check_library.py ${java_jar})
    basalt_add_check(check_java_docs java/check_docs.py
      ${Java_JAVAC_EXECUTABLE})
  endif()
  if(TARGET rocksdb AND TARGET rocksdb-shared)
    foreach(way pkg-config package subdirectory parent make)
      basalt_add_check(outside_program_by_${way}
        tests/install/run.sh ${way} ${PROJECT_BINARY_DIR})
    endforeach()
    # Exit code 77: the language is not installed.
    foreach(language rust go python)
      basalt_add_check(client_in_${language}
        tests/clients/run.sh ${language} ${PROJECT_BINARY_DIR})
      set_tests_properties(client_in_${language} PROPERTIES
        SKIP_RETURN_CODE 77 LABELS clients)
    endforeach()
  endif()
endif()
