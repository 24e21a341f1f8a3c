# Every kind of build compiles several sources as one (CMAKE_UNITY_BUILD in
# CMakePresets.json), which makes a clean build several times shorter. No source
# is left out: what a file keeps to itself has a name of its own within the
# folder of the floor or of the tests. The kinds differ in how many sources they
# join, so that two that share a name are found by one of them.

set(CMAKE_UNITY_BUILD_BATCH_SIZE 10 CACHE STRING
  "How many sources a unity build joins into one")
