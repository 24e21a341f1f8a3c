# With CMAKE_UNITY_BUILD, as the presets for tests have it, several sources
# are compiled as one, which makes a clean build several times shorter.

set(CMAKE_UNITY_BUILD_BATCH_SIZE 10)

# Compiled by themselves: sources that have a name for themselves alone that a
# source beside them also has, or a class with a part that has no name outside.
set(BASALT_APART
  cache/lru_cache.cc
  db/impl/database_stats.cc
  db/ingest/sst_file_writer.cc
  env/posix/page_cache.cc
  file/file_deleter.cc
  monitoring/perf_context.cc
  monitoring/tick_clock.cc
  options/db_rows.cc
  table/filter/legacy_bloom.cc
  table/filter/ribbon.cc
  tests/c/parts/infos_test.cc
  tests/cache/lru_cache_test.cc
  tests/cache/secondary_cache_test.cc
  tests/db/impl/auto_resume_test.cc
  tests/db/impl/entity_test.cc
  tests/db/impl/option_sets_test.cc
  tests/db/impl/resumed_compaction_test.cc
  tests/db/impl/write_mode_crash_test.cc
  tests/db/impl/write_modes_test.cc
  tests/db/read/compaction_iterator_test.cc
  tests/db/read/tombstone_survivors_test.cc
  tests/db/wal/log_writer_test.cc
  tests/db_stress_tool/stamp_history_test.cc
  tests/env/posix/page_cache_test.cc
  tests/env/posix/posix_uring_test.cc
  tests/env/posix/resident_pages_test.cc
  tests/env/posix/uncached_io_test.cc
  tests/file/file_deleter_test.cc
  tests/file/input_stream_test.cc
  tests/file/io_governor_test.cc
  tests/file/io_lane_test.cc
  tests/file/io_pace_test.cc
  tests/memtable/batched_lookups_test.cc
  tests/memtable/memtable_filter_test.cc
  tests/memtable/memtable_reps_test.cc
  tests/memtable/memtable_test.cc
  tests/table/vectors_test.cc
  tests/tidy_test.cc)
list(TRANSFORM BASALT_APART PREPEND ${PROJECT_SOURCE_DIR}/
  OUTPUT_VARIABLE basalt_apart)
set_source_files_properties(${basalt_apart} PROPERTIES
  SKIP_UNITY_BUILD_INCLUSION ON)
