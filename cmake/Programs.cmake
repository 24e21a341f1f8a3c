# Programs over the public interface: each folder tools/<name> is one, each
# file tools/<name>.cc is one, and db_stress_tool is db_stress.

# The codecs serve db_bench's own measurements of them.
function(basalt_link_dependencies target)
  target_link_libraries(${target} PRIVATE basalt_xxhash)
  foreach(row IN LISTS BASALT_DEPENDENCIES)
    string(REGEX REPLACE ":.*" "" name ${row})
    target_link_libraries(${target} PRIVATE BasaltDeps::${name})
  endforeach()
  if(BASALT_HAVE_GFLAGS)
    target_link_libraries(${target} PRIVATE BasaltDeps::gflags)
    target_compile_definitions(${target} PRIVATE GFLAGS=1)
  endif()
endfunction()

function(basalt_add_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE basalt_flags rocksdb)
  target_compile_options(${name} PRIVATE ${BASALT_OUTER_OPTIONS})
  basalt_link_dependencies(${name})
endfunction()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/tools/*.cc)
set(programs "")
foreach(source IN LISTS sources)
  cmake_path(RELATIVE_PATH source BASE_DIRECTORY ${PROJECT_SOURCE_DIR}/tools
    OUTPUT_VARIABLE relative)
  string(REGEX REPLACE "(/.*|\\.cc)$" "" name ${relative})
  list(APPEND programs ${name})
  list(APPEND sources_of_${name} ${source})
endforeach()
list(REMOVE_DUPLICATES programs)
# The rest of these is in the library.
foreach(name IN LISTS BASALT_EMBEDDED_TOOLS)
  set(sources_of_${name} ${PROJECT_SOURCE_DIR}/tools/${name}/main.cc)
endforeach()
# What the simulator's tests link too.
list(FILTER sources_of_compaction_simulator EXCLUDE REGEX "/main\\.cc$")
add_library(basalt_simulator_parts OBJECT ${sources_of_compaction_simulator})
target_link_libraries(basalt_simulator_parts PUBLIC basalt_flags)
target_compile_options(basalt_simulator_parts PRIVATE
  ${BASALT_OUTER_OPTIONS})
set(sources_of_compaction_simulator
  ${PROJECT_SOURCE_DIR}/tools/compaction_simulator/main.cc)
# db_bench without its main(), which its tests link too.
if(BASALT_HAVE_GFLAGS)
  set(sources_of_bench_parts ${sources_of_db_bench})
  list(FILTER sources_of_bench_parts EXCLUDE REGEX "/db_bench\\.cc$")
  add_library(basalt_bench_parts OBJECT ${sources_of_bench_parts})
  target_link_libraries(basalt_bench_parts PUBLIC basalt_flags)
  target_compile_options(basalt_bench_parts PRIVATE ${BASALT_OUTER_OPTIONS})
  basalt_link_dependencies(basalt_bench_parts)
  # RocksDB releases, which db_bench is built with too, have no hooks.
  list(FILTER sources_of_db_bench EXCLUDE REGEX "/db_bench_tool\\.cc$")
endif()
# The small benchmarks without their main(), likewise.
set(basalt_small_benches cache_bench filter_bench point_lock_bench)
set(sources "")
foreach(name IN LISTS basalt_small_benches)
  list(FILTER sources_of_${name} EXCLUDE REGEX "/${name}\\.cc$")
  list(APPEND sources ${sources_of_${name}})
  set(sources_of_${name} ${PROJECT_SOURCE_DIR}/tools/${name}/${name}.cc)
endforeach()
add_library(basalt_small_bench_parts OBJECT ${sources})
target_link_libraries(basalt_small_bench_parts PUBLIC basalt_flags)
target_compile_options(basalt_small_bench_parts PRIVATE
  ${BASALT_OUTER_OPTIONS})
# c_bench without its main(), likewise; stock's is built of all of it.
set(whole_c_bench ${sources_of_c_bench})
list(FILTER sources_of_c_bench EXCLUDE REGEX "/c_bench\\.cc$")
add_library(basalt_c_bench_parts OBJECT ${sources_of_c_bench})
target_link_libraries(basalt_c_bench_parts PUBLIC basalt_flags)
target_compile_options(basalt_c_bench_parts PRIVATE ${BASALT_OUTER_OPTIONS})
set(sources_of_c_bench ${PROJECT_SOURCE_DIR}/tools/c_bench/c_bench.cc)
foreach(name IN LISTS programs)
  if(name STREQUAL "db_bench" AND NOT BASALT_HAVE_GFLAGS)
    message(STATUS "db_bench: left out, as it needs gflags")
    continue()
  endif()
  if(name STREQUAL "db_bench")
    basalt_add_program(db_bench ${PROJECT_SOURCE_DIR}/tools/db_bench/db_bench.cc)
    target_link_libraries(db_bench PRIVATE basalt_bench_parts)
    continue()
  endif()
  basalt_add_program(${name} ${sources_of_${name}})
endforeach()
# Shared objects that they load use what they have.
set_target_properties(${BASALT_EMBEDDED_TOOLS} PROPERTIES ENABLE_EXPORTS ON)
target_link_libraries(compaction_simulator PRIVATE basalt_simulator_parts)
target_link_libraries(c_bench PRIVATE basalt_c_bench_parts)
set(sources_of_c_bench ${whole_c_bench})
foreach(name IN LISTS basalt_small_benches)
  target_link_libraries(${name} PRIVATE basalt_small_bench_parts)
endforeach()

file(GLOB_RECURSE sources CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/db_stress_tool/*.cc)
if(sources)
  # Its parts, which its tests link too, and its main().
  list(FILTER sources EXCLUDE REGEX "/db_stress\\.cc$")
  add_library(basalt_stress_parts OBJECT ${sources})
  target_link_libraries(basalt_stress_parts PUBLIC basalt_flags)
  target_compile_options(basalt_stress_parts PRIVATE ${BASALT_OUTER_OPTIONS})
  basalt_add_program(db_stress
    ${PROJECT_SOURCE_DIR}/db_stress_tool/db_stress.cc)
  target_link_libraries(db_stress PRIVATE basalt_stress_parts)
  set(sources_of_db_stress ${sources}
    ${PROJECT_SOURCE_DIR}/db_stress_tool/db_stress.cc)
endif()

# What programs link that embed one of these.
set(parts "")
foreach(name basalt_bench_parts basalt_stress_parts basalt_small_bench_parts)
  if(TARGET ${name})
    list(APPEND parts $<TARGET_OBJECTS:${name}>)
  endif()
endforeach()
add_library(rocksdb_tools STATIC EXCLUDE_FROM_ALL ${parts})
target_link_libraries(rocksdb_tools PUBLIC rocksdb)
basalt_link_dependencies(rocksdb_tools)

# The same programs on the RocksDB that the machine has installed, to compare
# with: <name>_stock. Our own headers are not on their path.
find_library(BASALT_STOCK_LIBRARY NAMES rocksdb
  NO_PACKAGE_ROOT_PATH NO_CMAKE_PATH)
mark_as_advanced(BASALT_STOCK_LIBRARY)
foreach(name db_bench c_bench kvdump db_stress engine_counters
    transaction_answers)
  if(NOT TARGET ${name} OR NOT BASALT_STOCK_LIBRARY)
    continue()
  endif()
  set(all EXCLUDE_FROM_ALL)
  if(name MATCHES "^(db_bench|engine_counters|transaction_answers)$" AND
     WITH_TESTS AND NOT WITH_ASAN AND NOT WITH_UBSAN AND NOT WITH_TSAN)
    set(all "")  # A test runs it.
  endif()
  add_executable(${name}_stock ${all} ${sources_of_${name}})
  target_compile_features(${name}_stock PRIVATE cxx_std_20)
  target_include_directories(${name}_stock PRIVATE ${PROJECT_SOURCE_DIR})
  target_compile_definitions(${name}_stock PRIVATE ${BASALT_DEFINITIONS})
  target_link_libraries(${name}_stock PRIVATE ${BASALT_STOCK_LIBRARY}
    Threads::Threads)
  basalt_link_dependencies(${name}_stock)
endforeach()
