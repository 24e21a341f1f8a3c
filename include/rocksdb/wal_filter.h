#pragma once

// Looks at, changes or drops batches while the write-ahead log is replayed.
// What was replayed is then flushed, whatever avoid_flush_during_recovery says.
//
// Threads  Called from the thread that opens the database.
// Errors   One that throws fails the open: Aborted. The log stays as it is.

#include <cstdint>
#include <map>
#include <string>

#include "rocksdb/customizable.h"
#include "rocksdb/rocksdb_namespace.h"

namespace ROCKSDB_NAMESPACE {

class WriteBatch;
struct ConfigOptions;

class WalFilter : public Customizable {
 public:
  static const char* Type() { return "WalFilter"; }

  // The static filter that is registered by the name; an empty one gives null.
  // Unknown names are NotSupported, or, where the options say so, OK and null.
  static Status CreateFromString(const ConfigOptions& options,
                                 const std::string& value, WalFilter** result);

  enum class WalProcessingOption {
    // Apply the batch.
    kContinueProcessing = 0,
    // Leave this batch out.
    kIgnoreCurrentRecord = 1,
    // End the replay here; the rest and later logs are dropped.
    kStopReplay = 2,
    // Treat it as a corrupted record, as the recovery mode says.
    kCorruptedRecord = 3,
    kWalProcessingOptionMax = 4,
  };

  ~WalFilter() override = default;

  // Called once, before the replay: the log number up to which each column
  // family is flushed, and the families' ids by name.
  virtual void ColumnFamilyLogNumberMap(
      const std::map<uint32_t, uint64_t>& /*cf_lognumber_map*/,
      const std::map<std::string, uint32_t>& /*cf_name_id_map*/) {}

  // Called with each batch. If `*batch_changed` is set, `*new_batch` takes its
  // place; it must not have more updates than the old one.
  virtual WalProcessingOption LogRecordFound(
      unsigned long long /*log_number*/, const std::string& /*log_file_name*/,
      const WriteBatch& batch, WriteBatch* new_batch, bool* batch_changed) {
    return LogRecord(batch, new_batch, batch_changed);
  }
  // The same without the log's name.
  virtual WalProcessingOption LogRecord(const WriteBatch& /*batch*/,
                                        WriteBatch* /*new_batch*/,
                                        bool* /*batch_changed*/) const {
    return WalProcessingOption::kContinueProcessing;
  }

  const char* Name() const override = 0;
};

}  // namespace ROCKSDB_NAMESPACE
