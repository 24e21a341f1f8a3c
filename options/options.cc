#include "rocksdb/options.h"

#include "options/default_objects.h"
#include "options/log_lines.h"
#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

AdvancedColumnFamilyOptions::AdvancedColumnFamilyOptions()
    : memtable_factory(NewDefaultMemTableFactory()) {}

AdvancedColumnFamilyOptions::AdvancedColumnFamilyOptions(const Options& options)
    : AdvancedColumnFamilyOptions(
          static_cast<const AdvancedColumnFamilyOptions&>(options)) {}

ColumnFamilyOptions::ColumnFamilyOptions()
    : compression(DefaultCompression()),
      table_factory(NewDefaultTableFactory()) {}

ColumnFamilyOptions::ColumnFamilyOptions(const Options& options)
    : ColumnFamilyOptions(static_cast<const ColumnFamilyOptions&>(options)) {}

DBOptions::DBOptions(const Options& options)
    : DBOptions(static_cast<const DBOptions&>(options)) {}

void ColumnFamilyOptions::Dump(Logger* log) const {
  LogColumnFamilyOptions(*this, HEADER_LEVEL, log);
}

void DBOptions::Dump(Logger* log) const {
  LogDBOptions(*this, HEADER_LEVEL, log);
}

void Options::Dump(Logger* log) const {
  DBOptions::Dump(log);
  DumpCFOptions(log);
}

void Options::DumpCFOptions(Logger* log) const {
  ColumnFamilyOptions::Dump(log);
}

}  // namespace ROCKSDB_NAMESPACE
