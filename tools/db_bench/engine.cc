#include "tools/db_bench/engine.h"

#include <chrono>
#include <thread>

#include "rocksdb/version.h"
#if __has_include("rocksdb/multi_scan.h")
#include "rocksdb/io_dispatcher.h"
#include "rocksdb/multi_scan.h"
#endif

namespace ROCKSDB_NAMESPACE {

// Declared here for engines without it; completed by the headers of the rest.
struct WaitForCompactOptions;

// Exported by every engine, although no public header declares it.
namespace crc32c {
uint32_t Extend(uint32_t initial, const char* data, size_t size);
}  // namespace crc32c

namespace bench {

namespace {

template <typename Engine, typename WaitOptions>
concept CanWait =
    requires(Engine* engine) { engine->WaitForCompact(WaitOptions()); };

template <typename Engine, typename WaitOptions>
  requires CanWait<Engine, WaitOptions>
Status Wait(Engine* engine) {
  return engine->WaitForCompact(WaitOptions());
}

[[maybe_unused]] bool IsSet(DB* db, const char* property) {
  uint64_t value = 0;
  return db->GetIntProperty(property, &value) && value != 0;
}

[[maybe_unused]] bool IsWorking(DB* db) {
  return IsSet(db, "rocksdb.mem-table-flush-pending") ||
         IsSet(db, "rocksdb.num-running-flushes") ||
         IsSet(db, "rocksdb.num-running-compactions");
}

// For engines that cannot say when they are done: asks until two answers in a
// row find nothing to do, since a job that ends may make the next one due. A
// universal compaction may be pending for good, where the picker takes none of
// the runs: one that does not begin within a second does not count.
template <typename Engine, typename WaitOptions>
Status Wait(Engine* engine) {
  constexpr int kPendingLooks = 100;
  int idle_looks = 0;
  int pending_looks = 0;
  while (idle_looks < 2 && pending_looks < kPendingLooks) {
    const bool is_working = IsWorking(engine);
    const bool is_pending = IsSet(engine, "rocksdb.compaction-pending");
    idle_looks = is_working || is_pending ? 0 : idle_looks + 1;
    pending_looks = is_pending && !is_working ? pending_looks + 1 : 0;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return Status::OK();
}

}  // namespace

int NewestFormatVersion() {
  if constexpr (ROCKSDB_MAJOR >= 10) return 7;
  if constexpr (ROCKSDB_MAJOR >= 9) return 6;
  return 5;
}

std::string EngineVersion() {
  std::string text = "RocksDB:    version " + GetRocksVersionAsString() + "\n";
#ifdef BASALT_VERSION_MAJOR
  text += "Basalt:     version " + std::to_string(BASALT_VERSION_MAJOR) + "." +
          std::to_string(BASALT_VERSION_MINOR) + "." +
          std::to_string(BASALT_VERSION_PATCH) + "\n";
#endif
  return text;
}

Status WaitForCompaction(DB* db) { return Wait<DB, WaitForCompactOptions>(db); }

#if __has_include("rocksdb/multi_scan.h")

namespace {

std::shared_ptr<IODispatcher> NewDispatcher(uint64_t max_bytes) {
  IODispatcherOptions options;
  options.max_prefetch_memory_bytes = max_bytes;
  return std::shared_ptr<IODispatcher>(NewIODispatcher(options));
}

}  // namespace

Status ScanRanges(DB* db, ColumnFamilyHandle* family,
                  const ReadOptions& options, const ScanOfRanges& scan,
                  ScanCount* count) {
  MultiScanArgs args(family->GetComparator());
  args.io_coalesce_threshold = scan.coalesce_bytes;
  args.max_prefetch_size = scan.max_prefetch_bytes;
  args.use_async_io = scan.is_async;
  args.reverse = scan.is_reverse;
  if (scan.max_all_bytes != 0) {
    static const std::shared_ptr<IODispatcher> dispatcher =
        NewDispatcher(scan.max_all_bytes);
    args.io_dispatcher = dispatcher;
  }
  for (const auto& [from, to] : scan.bounds) args.insert(from, to);
  const auto ranges = db->NewMultiScan(options, family, args);
  try {
    for (auto range : *ranges) {
      for (auto entry : range) {
        ++count->entries;
        count->bytes += entry.first.size() + entry.second.size();
      }
    }
  } catch (const MultiScanException& error) {
    return error.status();
  }
  return Status::OK();
}

#else

Status ScanRanges(DB* /*db*/, ColumnFamilyHandle* /*family*/,
                  const ReadOptions& /*options*/, const ScanOfRanges& /*scan*/,
                  ScanCount* /*count*/) {
  return Status::NotSupported("scans of several ranges");
}

#endif

uint32_t Crc32c(const char* data, size_t size) {
  return crc32c::Extend(0, data, size);
}

}  // namespace bench
}  // namespace ROCKSDB_NAMESPACE
