#include "options/log_lines.h"

#include <algorithm>

#include "options/column_family_rows.h"
#include "options/db_rows.h"
#include "rocksdb/table.h"
#include "util/compression.h"
#include "util/invariant.h"

namespace ROCKSDB_NAMESPACE {

namespace {

void TellRow(const OptionRow& row, const void* object, OptionLines* lines) {
  const TellField tell =
      row.traits.tell != nullptr ? row.traits.tell : row.kind->tell;
  const std::string_view name =
      row.traits.log_name.empty() ? row.name : row.traits.log_name;
  tell(std::string(name), row.Field(object), lines);
}

void WriteAligned(const OptionLine& line, InfoLogLevel level, Logger* logger) {
  Log(level, logger, "%45s: %s", ("Options." + line.name).c_str(),
      line.value.c_str());
}

}  // namespace

OptionLines TellOptions(const OptionStruct& options, const void* object) {
  OptionLines lines;
  for (const std::string_view name : options.log_order) {
    const OptionRow* row = options.Find(name);
    INVARIANT(row != nullptr);
    TellRow(*row, object, &lines);
  }
  for (const OptionRow& row : options.rows) {
    if (std::ranges::find(options.log_order, row.name) ==
        options.log_order.end()) {
      TellRow(row, object, &lines);
    }
  }
  return lines;
}

void LogDBOptions(const DBOptions& options, InfoLogLevel level,
                  Logger* logger) {
  for (const OptionLine& line : TellOptions(DBOptionStruct(), &options)) {
    WriteAligned(line, level, logger);
  }
}

void LogColumnFamilyOptions(const ColumnFamilyOptions& options,
                            InfoLogLevel level, Logger* logger) {
  for (const OptionLine& line :
       TellOptions(ColumnFamilyOptionStruct(), &options)) {
    WriteAligned(line, level, logger);
    if (line.name != "table_factory" || options.table_factory == nullptr) {
      continue;
    }
    Log(level, logger, "           table_factory options: %s",
        options.table_factory->GetPrintableOptions().c_str());
  }
}

std::string TellOptionsAsText(const OptionStruct& options, const void* object) {
  std::string text;
  for (const OptionLine& line : TellOptions(options, object)) {
    text.append("  ").append(line.name).append(": ").append(line.value);
    text.append("\n");
  }
  return text;
}

std::string CodecInLog(CompressionType type) {
  return type == kDisableCompressionOption ? "Disabled"
                                           : CompressionTypeToString(type);
}

}  // namespace ROCKSDB_NAMESPACE
