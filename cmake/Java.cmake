# The Java interface: librocksdbjni and its jar, with the target `rocksdbjava`.
# Left out where there is no JDK.

if(WITH_TSAN)
  return()  # A virtual machine is full of races that only it understands.
endif()
find_package(Java 1.8 QUIET COMPONENTS Development)
# Its headers lie beside its compiler.
set(java_home "")
if(Java_Development_FOUND)
  file(REAL_PATH ${Java_JAVAC_EXECUTABLE} java_home)
  cmake_path(GET java_home PARENT_PATH java_home)
  cmake_path(GET java_home PARENT_PATH java_home)
endif()
if(NOT EXISTS "${java_home}/include/jni.h")
  message(STATUS "Java: no JDK was found, left out")
  return()
endif()
message(STATUS "Java: used (${Java_VERSION_STRING})")

set(java ${PROJECT_SOURCE_DIR}/java)
# A virtual machine loads a library with a sanitizer only where the sanitizer's
# own was loaded before all others: java_asan_tests does that, and nobody else
# builds it.
set(java_in_all ALL)
set(java_not_in_all "")
if(WITH_ASAN OR WITH_UBSAN)
  set(java_in_all "")
  set(java_not_in_all EXCLUDE_FROM_ALL)
endif()
file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${java}/jni/*.cc)
add_library(rocksdbjni SHARED ${java_not_in_all} ${sources})
target_link_libraries(rocksdbjni PRIVATE basalt_flags rocksdb)
target_compile_options(rocksdbjni PRIVATE ${BASALT_OUTER_OPTIONS})
target_include_directories(rocksdbjni PRIVATE ${java_home}/include
  ${java_home}/include/linux)
set(map ${java}/jni/exported.map)
# The engine is inside, and shows nothing of itself: a program may have another
# one beside it.
target_link_options(rocksdbjni PRIVATE -Wl,--version-script=${map}
  -Wl,--gc-sections -static-libgcc)
set_target_properties(rocksdbjni PROPERTIES LINK_DEPENDS ${map})

set(java_out ${PROJECT_BINARY_DIR}/java)
set(java_platform linux64)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "aarch64|ppc64le|riscv64|s390x")
  set(java_platform linux-${CMAKE_SYSTEM_PROCESSOR})
endif()
set(java_jar
  ${java_out}/rocksdbjni-${BASALT_API_VERSION}-${java_platform}.jar)
file(GLOB_RECURSE java_sources CONFIGURE_DEPENDS
  ${java}/src/main/java/*.java ${java}/generated/*.java)
add_custom_command(OUTPUT ${java_jar}
  COMMAND ${java}/build_jar.sh ${java_out} ${java_jar}
    $<TARGET_FILE:rocksdbjni> ${java_platform} ${BASALT_API_VERSION}
    ${Java_JAVAC_EXECUTABLE} ${Java_JAR_EXECUTABLE} ${CMAKE_STRIP}
  DEPENDS rocksdbjni ${java_sources} ${java}/build_jar.sh
  COMMENT "Building ${java_jar}"
  VERBATIM)
add_custom_target(rocksdbjava ${java_in_all} DEPENDS ${java_jar})

if(WITH_ASAN)
  set(BASALT_JAVA_ROUNDS 20 CACHE STRING
    "Rounds of the calls beside a close, in java_asan_tests")
  set(asan_library libasan.so)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    set(asan_library libclang_rt.asan-${CMAKE_SYSTEM_PROCESSOR}.so)
    target_link_options(rocksdbjni PRIVATE -shared-libasan)
  endif()
  execute_process(
    COMMAND ${CMAKE_CXX_COMPILER} -print-file-name=${asan_library}
    OUTPUT_VARIABLE asan_path OUTPUT_STRIP_TRAILING_WHITESPACE)
  add_custom_target(java_asan_tests
    COMMAND ${CMAKE_COMMAND} -E env JAVA_PRELOAD=${asan_path}
      JAVA_OPTIONS=-Drocksdb.test.rounds=${BASALT_JAVA_ROUNDS}
      ${java}/run_tests.sh ${java_jar} ${java_out}/tests
      --select-class org.rocksdb.UseAfterCloseTest
      --select-class org.rocksdb.ClosedTest
      --select-class org.rocksdb.IteratorTest
    DEPENDS rocksdbjava
    USES_TERMINAL
    VERBATIM)
endif()

# The jars of sources and documentation, and the pom.
cmake_path(GET Java_JAVAC_EXECUTABLE PARENT_PATH java_bin)
add_custom_target(rocksdbjava_extras
  COMMAND ${java}/build_extras.sh ${java_out} ${BASALT_API_VERSION}
    ${java_bin}/javadoc ${Java_JAR_EXECUTABLE}
  COMMAND ${java}/check_extras.py ${java_jar} ${java_out} ${BASALT_API_VERSION}
  DEPENDS rocksdbjava
  VERBATIM)

# What `make` makes of these, where RocksDB's puts it.
set(java_target ${java}/target)
set(java_extras ${java_out}/rocksdbjni-${BASALT_API_VERSION})
add_custom_target(rocksdbjava_target
  COMMAND ${java}/fill_target.sh ${java_target} ${java_jar}
    ${java_out}/classes/librocksdbjni-${java_platform}.so
  DEPENDS rocksdbjava
  VERBATIM)
add_custom_target(rocksdbjava_extras_target
  COMMAND ${java}/fill_target.sh ${java_target} ${java_extras}-sources.jar
    ${java_extras}-javadoc.jar
  DEPENDS rocksdbjava_extras
  VERBATIM)

add_custom_target(jtest
  COMMAND ${java}/run_tests.sh ${java_jar} ${java_out}/tests
  DEPENDS rocksdbjava
  USES_TERMINAL
  VERBATIM)
