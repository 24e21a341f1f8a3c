#include "rocksdb/options.h"

#include <string>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "options/default_objects.h"
#include "options/print.h"
#include "rocksdb/convenience.h"
#include "rocksdb/info_log.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void DumpRows(const OptionStruct& options, const void* object, Logger* log) {
  ConfigOptions config;
  config.depth = ConfigOptions::kDepthDetailed;
  for (const OptionRow& row : options.rows) {
    const std::string value = PrintOption(config, row, object);
    Header(log, "%45s: %s", ("Options." + std::string(row.name)).c_str(),
           value.c_str());
  }
}

}  // namespace

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
  DumpRows(ColumnFamilyOptionStruct(), this, log);
}

void DBOptions::Dump(Logger* log) const {
  DumpRows(DBOptionStruct(), this, log);
}

void Options::Dump(Logger* log) const {
  DBOptions::Dump(log);
  DumpCFOptions(log);
}

void Options::DumpCFOptions(Logger* log) const {
  ColumnFamilyOptions::Dump(log);
}

}  // namespace ROCKSDB_NAMESPACE
