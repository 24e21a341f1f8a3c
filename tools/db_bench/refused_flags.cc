#include "tools/db_bench/refused_flags.h"

#include <gflags/gflags.h>

#define DB_BENCH_REFUSED_FLAGS(F)                                       \
  F(bool, use_blob_db, false,                                           \
    "the blob files of the engine take its place: "                     \
    "--enable_blob_files")                                              \
  F(bool, blob_db_enable_gc, false, "only --use_blob_db read it")       \
  F(uint64, blob_db_file_size, 268435456, "only --use_blob_db read it") \
  F(uint64, blob_db_max_db_size, 0, "only --use_blob_db read it")       \
  F(uint64, blob_db_max_ttl_range, 0, "only --use_blob_db read it")     \
  F(uint64, blob_db_ttl_range_secs, 3600, "only --use_blob_db read it") \
  F(int64, compressed_cache_size, -1,                                   \
    "there is no block cache of "                                       \
    "compressed blocks: --use_compressed_secondary_cache")              \
  F(int32, coro_jobs_per_thread, 1,                                     \
    "only readrandomcoroutine and multireadrandomcoroutine read it, "   \
    "and there are no coroutines")

#define DB_BENCH_DEFINE_REFUSED(type, flag, value, why) \
  DEFINE_##type(flag, value, "Takes no other value: " why ".");
DB_BENCH_REFUSED_FLAGS(DB_BENCH_DEFINE_REFUSED)
#undef DB_BENCH_DEFINE_REFUSED

DEFINE_int32(disable_seek_compaction, 0,
             "0 or 1 alike: seeks never ask for a compaction.");

namespace ROCKSDB_NAMESPACE::bench {

std::string CheckRefusedFlags() {
  struct Refused {
    const char* flag;
    const char* why;
  };
#define DB_BENCH_REFUSED_ROW(type, flag, value, why) {#flag, why},
  static constexpr Refused kRefused[] = {
      DB_BENCH_REFUSED_FLAGS(DB_BENCH_REFUSED_ROW)};
#undef DB_BENCH_REFUSED_ROW
  for (const Refused& refused : kRefused) {
    const auto flag = gflags::GetCommandLineFlagInfoOrDie(refused.flag);
    if (flag.current_value == flag.default_value) continue;
    return "--" + flag.name + "=" + flag.current_value +
           ": not supported: " + refused.why;
  }
  if (FLAGS_disable_seek_compaction != 0 &&
      FLAGS_disable_seek_compaction != 1) {
    return "--disable_seek_compaction: must be 0 or 1";
  }
  return "";
}

}  // namespace ROCKSDB_NAMESPACE::bench
