#include "db_stress_tool/workload.h"

#include <chrono>

#include "db_stress_tool/engine_calls.h"

namespace ROCKSDB_NAMESPACE::stress {

ReadOptions Workload::Reads() const {
  ReadOptions options;
  options.verify_checksums = c_.flags.verify_checksum;
  options.fill_cache = c_.flags.fill_cache;
  options.readahead_size = static_cast<size_t>(c_.flags.readahead_size);
  options.async_io = c_.flags.async_io;
  options.adaptive_readahead = c_.flags.adaptive_readahead;
  engine::SetMultiGetForIo(c_.flags.optimize_multiget_for_io, &options);
  engine::SetUnprepared(c_.flags.allow_unprepared_value, &options);
  engine::SetAutoRefresh(c_.flags.auto_refresh_iterator_with_snapshot,
                         &options);
  if (c_.flags.rate_limit_user_ops) {
    options.rate_limiter_priority = Env::IO_USER;
  }
  if (c_.flags.use_trie_index && ++read_count_ % 2 == 0) {
    c_.report->Check(engine::ReadByOwnIndex(c_.database->options(), &options),
                     "use_trie_index");
  }
  return options;
}

ReadOptions Workload::TotalOrder() const {
  ReadOptions options = Reads();
  options.total_order_seek = true;
  return options;
}

WriteOptions Workload::Writes() const {
  WriteOptions options;
  options.sync = c_.flags.sync;
  options.disableWAL = c_.flags.disable_wal;
  options.protection_bytes_per_key =
      static_cast<size_t>(c_.flags.batch_protection_bytes_per_key);
  options.memtable_insert_hint_per_batch =
      c_.flags.memtable_insert_hint_per_batch;
  // A log that is flushed by hand alone is not waited for.
  if (c_.flags.rate_limit_auto_wal_flush && !c_.flags.disable_wal &&
      !c_.database->options().manual_wal_flush) {
    options.rate_limiter_priority = Env::IO_USER;
  }
  return options;
}

Status Workload::WriteBatchOf(WriteBatch* batch) const {
  Transactions* const transactions = c_.database->transactions();
  return transactions != nullptr ? transactions->Write(Writes(), batch)
                                 : c_.database->db()->Write(Writes(), batch);
}

uint64_t Workload::PickKey(Worker* worker) const {
  const auto draw = [&](uint64_t count) {
    return c_.flags.hot_key_alpha > 0
               ? worker->random.Skewed(count, c_.flags.hot_key_alpha)
               : worker->random.Uniform(count);
  };
  if (c_.flags.active_width <= 0) return draw(c_.key_count());
  const auto width = static_cast<uint64_t>(c_.flags.active_width);
  return (static_cast<uint64_t>(worker->op) / 16 + draw(width)) %
         c_.key_count();
}

Status Workload::AddTimedPut(Worker* worker, WriteBatch* batch,
                             ColumnFamilyHandle* family, const Slice& key,
                             const Slice& value) const {
  constexpr uint64_t kDaySeconds = 24 * 60 * 60;
  const auto now = std::chrono::duration_cast<std::chrono::seconds>(
      std::chrono::system_clock::now().time_since_epoch());
  const auto seconds = static_cast<uint64_t>(now.count());
  return engine::AddTimedPut(
      batch, family, key,
      {value, seconds - worker->random.Uniform(kDaySeconds)});
}

std::unique_ptr<Iterator> Workload::NewIterator(
    const ReadOptions& options, ColumnFamilyHandle* family) const {
  DB* const db = c_.database->db();
  if (c_.flags.use_multi_cf_iterator) {
    return entities::Reader{db, family, options, EntityForm()}.NewIterator();
  }
  return std::unique_ptr<Iterator>(db->NewIterator(options, family));
}

bool Workload::CheckWrite(const Status& status, const char* call) {
  if (c_.report->CheckContended(status, call)) return true;
  if (!IsInjected(status)) return false;
  // The engine may have stopped writes until it is told to go on.
  Status resumed = c_.database->Resume();
  if (!resumed.IsNotSupported()) {
    c_.report->CheckContended(resumed, "Resume");
  }
  return false;
}

}  // namespace ROCKSDB_NAMESPACE::stress
