# Every kind of build compiles several sources as one (CMAKE_UNITY_BUILD in
# CMakePresets.json), which makes a clean build several times shorter. No source
# is left out: what a file keeps to itself has a name of its own within the
# folder of the floor or of the tests. gcc's kinds join the same sources, so that
# what is tested is what is shipped; clang's join fewer, so that two that share a
# name and are not joined by the one are joined by the other.

set(CMAKE_UNITY_BUILD_BATCH_SIZE 20 CACHE STRING
  "How many sources a unity build joins into one")
