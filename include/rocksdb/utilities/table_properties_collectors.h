// Collectors of table properties that come with the engine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <string>

#include "rocksdb/rocksdb_namespace.h"
#include "rocksdb/system_clock.h"
#include "rocksdb/table_properties.h"

namespace ROCKSDB_NAMESPACE {

// Asks for the compaction of files with many deletions, which cost every scan
// that meets them; for ColumnFamilyOptions::
// table_properties_collector_factories.
//
// Threads  The numbers may be changed at any time; they hold for files that
//          are begun afterwards.
class CompactOnDeletionCollectorFactory
    : public TablePropertiesCollectorFactory {
 public:
  // `deletion_trigger` deletions among `sliding_window_size` entries in a row
  // (0: never), or `deletion_ratio` of the whole file (not in (0, 1]: never),
  // mark a file of at least `min_file_size` bytes.
  CompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                    size_t deletion_trigger,
                                    double deletion_ratio,
                                    uint64_t min_file_size = 0);
  ~CompactOnDeletionCollectorFactory() override;

  static const char* kClassName() { return "CompactOnDeletionCollector"; }
  const char* Name() const override { return kClassName(); }
  std::string ToString() const override;
  TablePropertiesCollector* CreateTablePropertiesCollector(
      TablePropertiesCollectorFactory::Context context) override;

  void SetWindowSize(size_t sliding_window_size);
  size_t GetWindowSize() const;
  void SetDeletionTrigger(size_t deletion_trigger);
  size_t GetDeletionTrigger() const;
  void SetDeletionRatio(double deletion_ratio);
  double GetDeletionRatio() const;
  void SetMinFileSize(uint64_t min_file_size);
  uint64_t GetMinFileSize() const;

 private:
  struct Numbers;
  const std::unique_ptr<Numbers> numbers_;
};

std::shared_ptr<CompactOnDeletionCollectorFactory>
NewCompactOnDeletionCollectorFactory(size_t sliding_window_size,
                                     size_t deletion_trigger,
                                     double deletion_ratio = 0,
                                     uint64_t min_file_size = 0);

}  // namespace ROCKSDB_NAMESPACE
